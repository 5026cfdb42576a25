//! The room's materials: warm wood, muted teal, brass.

use glam::{Vec3, Vec4};

use super::paint;
use super::stage::{Alpha, Material, MaterialId, Stage, TextureId};

/// Metres of floor in one tile of its texture.
pub const FLOOR_TILE: f32 = 1.68;
/// Metres of plaster in one tile.
pub const PLASTER_TILE: f32 = 2.0;
/// Metres of timber in one tile.
pub const TIMBER_TILE: f32 = 0.7;
/// Metres of cloth in one tile.
pub const CLOTH_TILE: f32 = 0.22;

/// The materials by their use.
#[derive(Clone, Copy, Debug)]
pub struct Palette {
    /// Plank floor.
    pub floor: MaterialId,
    /// Pale plaster of the side walls.
    pub plaster: MaterialId,
    /// Coloured plaster of the back wall.
    pub accent: MaterialId,
    /// Ceiling.
    pub ceiling: MaterialId,
    /// White gloss paint.
    pub paint: MaterialId,
    /// Dark timber.
    pub walnut: MaterialId,
    /// Pale timber.
    pub oak: MaterialId,
    /// Teal upholstery.
    pub teal: MaterialId,
    /// Mustard cloth.
    pub mustard: MaterialId,
    /// Curtain cloth, two-sided.
    pub linen: MaterialId,
    /// The rug.
    pub rug: MaterialId,
    /// Polished brass.
    pub brass: MaterialId,
    /// Beaten copper.
    pub copper: MaterialId,
    /// Black iron.
    pub iron: MaterialId,
    /// Clear glass, blended, two-sided.
    pub glass: MaterialId,
    /// Glazed ceramic that takes vertex colours.
    pub glaze: MaterialId,
    /// Unglazed clay.
    pub clay: MaterialId,
    /// Potting soil.
    pub soil: MaterialId,
    /// Leaves, cut out by their alpha, two-sided.
    pub leaf: MaterialId,
    /// Stems and twigs.
    pub stem: MaterialId,
    /// The lamp's shade, which glows.
    pub shade: MaterialId,
    /// The lamp's bulb.
    pub bulb: MaterialId,
    /// Matt things that take vertex colours: fruit, paper shapes, pages.
    pub matt: MaterialId,
    /// The picture.
    pub picture: MaterialId,
    /// The clock's dial.
    pub dial: MaterialId,
    /// Book cloth in [`BOOK_COLORS`].
    pub books: [MaterialId; 5],
    /// Turns baked openness into occlusion.
    pub ramp: TextureId,
}

/// Linear colours of the books' cloth.
const BOOK_COLORS: [(&str, Vec3); 5] = [
    ("Book cloth, teal", Vec3::new(0.055, 0.16, 0.165)),
    ("Book cloth, rust", Vec3::new(0.36, 0.085, 0.04)),
    ("Book cloth, ochre", Vec3::new(0.5, 0.27, 0.06)),
    ("Book cloth, cream", Vec3::new(0.66, 0.56, 0.4)),
    ("Book cloth, ink", Vec3::new(0.04, 0.05, 0.075)),
];

fn opaque(r: f32, g: f32, b: f32) -> Vec4 {
    Vec4::new(r, g, b, 1.0)
}

/// Paints the textures and adds all materials.
pub fn palette(stage: &mut Stage) -> Palette {
    let [floor, floor_normal, floor_roughness] = paint::floor();
    let floor = stage.texture("Planks, colour", floor);
    let floor_normal = stage.texture("Planks, normals", floor_normal);
    let floor_roughness = stage.texture("Planks, roughness", floor_roughness);
    let plaster_normal = stage.texture("Plaster, normals", paint::plaster());
    let [timber, timber_roughness] = paint::timber();
    let timber = stage.texture("Timber, colour", timber);
    let timber_roughness = stage.texture("Timber, roughness", timber_roughness);
    let [weave, weave_normal] = paint::linen();
    let weave = stage.texture("Weave, colour", weave);
    let weave_normal = stage.texture("Weave, normals", weave_normal);
    let rug = stage.texture("Rug, colour", paint::rug());
    let hammered = stage.texture("Hammered, normals", paint::hammered());
    let leaf = stage.texture("Leaf, colour and mask", paint::leaf());
    let glow = stage.texture("Shade, glow", paint::lamp_glow());
    let picture = stage.texture("Landscape", paint::landscape());
    let dial = stage.texture("Dial", paint::clock_face());
    let spine = stage.texture("Book spine", paint::book_spine());
    let ramp = stage.texture("Openness ramp", paint::openness_ramp());
    stage.textures[ramp.0].repeat = false;
    stage.textures[leaf.0].repeat = false;

    let wood = |name, color| Material {
        name,
        color,
        color_texture: Some(timber),
        roughness: 1.0,
        roughness_texture: Some(timber_roughness),
        ..Material::default()
    };
    let cloth = |name, color| Material {
        name,
        color,
        color_texture: Some(weave),
        normal: Some((weave_normal, 1.0)),
        roughness: 0.92,
        ..Material::default()
    };
    let wall = |name, color| Material {
        name,
        color,
        normal: Some((plaster_normal, 0.55)),
        roughness: 0.85,
        ..Material::default()
    };
    let metal =
        |name, color, roughness| Material { name, color, metallic: 1.0, roughness, ..Material::default() };
    let plain = |name, color, roughness| Material { name, color, roughness, ..Material::default() };

    let books = BOOK_COLORS.map(|(name, color)| {
        stage.material(Material {
            name,
            color: color.extend(1.0),
            color_texture: Some(spine),
            roughness: 0.7,
            ..Material::default()
        })
    });
    Palette {
        floor: stage.material(Material {
            name: "Floor planks",
            color: opaque(0.64, 0.555, 0.44),
            color_texture: Some(floor),
            normal: Some((floor_normal, 1.0)),
            roughness: 1.0,
            roughness_texture: Some(floor_roughness),
            ..Material::default()
        }),
        plaster: stage.material(wall("Plaster, warm white", opaque(0.66, 0.58, 0.47))),
        accent: stage.material(wall("Plaster, clay", opaque(0.36, 0.205, 0.13))),
        ceiling: stage.material(plain("Ceiling", opaque(0.88, 0.86, 0.82), 0.9)),
        paint: stage.material(plain("White paint", opaque(0.8, 0.76, 0.68), 0.35)),
        walnut: stage.material(wood("Walnut", opaque(0.23, 0.115, 0.062))),
        oak: stage.material(wood("Oak", opaque(0.56, 0.37, 0.215))),
        teal: stage.material(cloth("Teal upholstery", opaque(0.06, 0.165, 0.17))),
        mustard: stage.material(cloth("Mustard cloth", opaque(0.6, 0.31, 0.05))),
        linen: stage
            .material(Material { double_sided: true, ..cloth("Curtain linen", opaque(0.84, 0.75, 0.6)) }),
        rug: stage.material(Material {
            name: "Kilim rug",
            color_texture: Some(rug),
            roughness: 0.95,
            ..Material::default()
        }),
        brass: stage.material(metal("Brass", opaque(0.9, 0.62, 0.25), 0.22)),
        copper: stage.material(Material {
            normal: Some((hammered, 1.0)),
            ..metal("Beaten copper", opaque(0.926, 0.52, 0.37), 0.28)
        }),
        iron: stage.material(metal("Black iron", opaque(0.06, 0.058, 0.056), 0.45)),
        glass: stage.material(Material {
            name: "Clear glass",
            color: Vec4::new(0.32, 0.46, 0.44, 0.1),
            roughness: 0.04,
            alpha: Alpha::Blend,
            double_sided: true,
            baked: false,
            ..Material::default()
        }),
        glaze: stage.material(plain("Glazed ceramic", Vec4::ONE, 0.16)),
        clay: stage.material(plain("Terracotta", opaque(0.52, 0.2, 0.1), 0.8)),
        soil: stage.material(plain("Soil", opaque(0.035, 0.024, 0.017), 1.0)),
        leaf: stage.material(Material {
            name: "Leaves",
            color_texture: Some(leaf),
            roughness: 0.5,
            // A leaf lets some light through, which this material can say in no other way.
            emissive: Vec3::splat(0.07),
            emissive_texture: Some(leaf),
            alpha: Alpha::Mask,
            double_sided: true,
            ..Material::default()
        }),
        stem: stage.material(plain("Stems", opaque(0.13, 0.17, 0.06), 0.6)),
        shade: stage.material(Material {
            name: "Lamp shade",
            color: opaque(0.42, 0.31, 0.2),
            roughness: 0.9,
            emissive: Vec3::new(1.0, 0.86, 0.68),
            emissive_strength: 1.9,
            emissive_texture: Some(glow),
            double_sided: true,
            baked: false,
            ..Material::default()
        }),
        bulb: stage.material(Material {
            name: "Bulb",
            color: opaque(1.0, 0.9, 0.75),
            emissive: Vec3::new(1.0, 0.78, 0.5),
            emissive_strength: 6.0,
            baked: false,
            ..Material::default()
        }),
        matt: stage.material(plain("Matt colours", Vec4::ONE, 0.55)),
        picture: stage.material(Material {
            name: "Picture",
            color_texture: Some(picture),
            roughness: 0.75,
            ..Material::default()
        }),
        dial: stage.material(Material {
            name: "Dial",
            color_texture: Some(dial),
            roughness: 0.4,
            ..Material::default()
        }),
        books,
        ramp,
    }
}
