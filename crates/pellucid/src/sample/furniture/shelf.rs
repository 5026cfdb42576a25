//! The bookcase and its books, which are copies of ten meshes.

use glam::{Quat, Vec2, Vec3};

use crate::sample::mesh::Mesh;
use crate::sample::noise::{hash, random};
use crate::sample::palette::{Palette, TIMBER_TILE};
use crate::sample::shape::{Block, block, lathe, spline};
use crate::sample::stage::{MaterialId, ModelId, Node, NodeId, Stage};

const WIDTH: f32 = 0.96;
const HEIGHT: f32 = 1.84;
const DEPTH: f32 = 0.3;
const BOARD: f32 = 0.024;
const SHELVES: u32 = 5;

/// Height, thickness and depth of the two kinds of book.
const SIZES: [Vec3; 2] = [Vec3::new(0.032, 0.245, 0.18), Vec3::new(0.023, 0.205, 0.145)];

pub fn build(stage: &mut Stage, palette: &Palette, room: NodeId, place: Vec3) {
    let case = stage.group("Bookcase", Some(room), place, 0.0);
    let board = |size: Vec3| Block { size, radius: 0.003, bands: 1, cell: 0.2 }.build();
    let mut frame = Mesh::default();
    for side in [1.0, -1.0] {
        let upright =
            board(Vec3::new(BOARD, HEIGHT, DEPTH)).at(side * (WIDTH - BOARD) * 0.5, HEIGHT * 0.5, 0.0);
        frame.append(&upright);
    }
    let rise = (HEIGHT - 0.08 - BOARD) / SHELVES as f32;
    for level in 0..=SHELVES {
        let shelf = board(Vec3::new(WIDTH - 2.0 * BOARD, BOARD, DEPTH - 0.012));
        frame.append(&shelf.at(0.0, 0.08 + BOARD * 0.5 + rise * level as f32, 0.0));
    }
    frame.append(&board(Vec3::new(WIDTH - 2.0 * BOARD, 0.06, 0.02)).at(0.0, 0.045, DEPTH * 0.5 - 0.03));
    frame.append(&board(Vec3::new(WIDTH - 0.01, HEIGHT - 0.06, 0.008)).at(
        0.0,
        HEIGHT * 0.5 + 0.02,
        -DEPTH * 0.5 + 0.004,
    ));
    let frame = frame.uv_mapped(Vec2::splat(1.0 / TIMBER_TILE), Vec2::ZERO);
    stage.object("Bookcase frame", case, Vec3::ZERO, [(frame, palette.oak)]);

    let models: Vec<Vec<ModelId>> = SIZES
        .iter()
        .enumerate()
        .map(|(kind, size)| {
            let kind = ["Tall book", "Small book"][kind];
            palette.books.iter().map(|cover| book(stage, kind, *size, *cover, palette.matt)).collect()
        })
        .collect();
    for level in 0..SHELVES {
        let floor = 0.08 + BOARD + rise * level as f32;
        fill(stage, case, &models, level as i32, floor);
    }
    trinkets(stage, palette, case, rise);
}

/// A book standing on its lower edge, its spine towards +Z, its origin at the middle of its foot.
fn book(stage: &mut Stage, kind: &str, size: Vec3, cover: MaterialId, pages: MaterialId) -> ModelId {
    let (thick, tall, deep) = (size.x, size.y, size.z);
    // The spine is a sheet bowed outwards; the boards show the plain cloth below its title.
    let mut binding = Mesh::default();
    for row in 0..2 {
        for column in 0..5 {
            let at = Vec2::new(column as f32 / 4.0, row as f32);
            let angle = 1.1 * (2.0 * at.x - 1.0);
            let normal = Vec3::new(angle.sin(), 0.0, angle.cos());
            let bow = 0.3 * thick * (angle.cos() - 1.0);
            binding.vertex(
                Vec3::new((at.x - 0.5) * thick, at.y * tall, deep * 0.5 + bow),
                normal,
                Vec2::new(at.x, 1.0 - at.y),
            );
        }
    }
    binding.lattice(0, 5, 2);
    for side in [1.0, -1.0] {
        let board = block(0.003, tall, deep - 0.008, 0.0)
            .uv_mapped(Vec2::new(0.2, 0.2), Vec2::new(0.0, 0.5))
            .at(side * (thick * 0.5 - 0.0015), tall * 0.5, -0.005);
        binding.append(&board);
    }
    let leaves = block(thick - 0.006, tall - 0.01, deep - 0.016, 0.0).tinted(Vec3::new(0.78, 0.7, 0.55)).at(
        0.0,
        tall * 0.5,
        0.0,
    );
    stage.model(kind, [(binding, cover), (leaves, pages)])
}

/// Stands books on one shelf from the left until it is full or the shelf's own gap begins; the last one leans.
fn fill(stage: &mut Stage, case: NodeId, models: &[Vec<ModelId>], level: i32, floor: f32) {
    let right = WIDTH * 0.5 - BOARD;
    // Where the row ends: the rest of the shelf is left to the trinkets.
    let full = [1.0, 0.62, 0.98, 0.55, 0.72][level as usize % 5];
    let end = -right + 2.0 * right * full;
    let mut x = -right + 0.004;
    let mut index = 0;
    loop {
        // Books come in runs of one kind and colour.
        let run = index / (2 + (hash(index / 5, level, 3) % 3) as i32);
        let kind = (hash(run, level, 1) % 5 < 2) as usize;
        let colour = (hash(run, level, 2) as usize + usize::from(index % 7 == 3)) % models[kind].len();
        let size = SIZES[kind];
        let last = x + size.x * 3.2 > end;
        let lean = if last && full < 0.95 { 0.2 } else { 0.0 };
        if x + size.x > end {
            break;
        }
        let inset = 0.012 * random(index, level, 4);
        // A leaning book stands on its lower right edge, against its neighbour.
        let shift = if lean > 0.0 { size.y * 0.5 * lean + 0.006 } else { 0.0 };
        stage.node(Node {
            name: format!("Book {}.{}", level + 1, index + 1),
            parent: Some(case),
            translation: Vec3::new(
                x + size.x * 0.5 + shift * 1.75,
                floor + if lean > 0.0 { size.x * 0.5 * f32::sin(lean) } else { 0.0 },
                DEPTH * 0.5 - size.z * 0.5 - 0.03 - inset,
            ),
            rotation: Quat::from_rotation_z(lean)
                * Quat::from_rotation_y(0.02 * (random(index, level, 6) - 0.5)),
            model: Some(models[kind][colour]),
            ..Node::default()
        });
        if lean > 0.0 {
            break;
        }
        x += size.x + 0.0015;
        index += 1;
    }
}

/// What stands in the gaps: a small vase, a brass globe, a bowl.
fn trinkets(stage: &mut Stage, palette: &Palette, case: NodeId, rise: f32) {
    let floor = |level: u32| 0.08 + BOARD + rise * level as f32;
    let p = Vec2::new;
    let jar = [
        p(0.0, 0.0),
        p(0.045, 0.0),
        p(0.072, 0.04),
        p(0.07, 0.09),
        p(0.035, 0.13),
        p(0.03, 0.15),
        p(0.038, 0.165),
    ];
    let inner = [p(0.038, 0.165), p(0.032, 0.158), p(0.025, 0.13), p(0.05, 0.08), p(0.0, 0.06)];
    let mut vase = lathe(&spline(&jar, 4), 22);
    vase.append(&lathe(&spline(&inner, 2), 22));
    let vase = vase.tinted(Vec3::new(0.72, 0.68, 0.58));
    stage.object("Shelf vase", case, Vec3::new(0.3, floor(1), 0.02), [(vase, palette.glaze)]);

    let ball: Vec<Vec2> = (0..=16)
        .map(|i| {
            let angle = std::f32::consts::PI * i as f32 / 16.0;
            p(0.062 * angle.sin(), 0.125 - 0.062 * angle.cos())
        })
        .collect();
    let mut globe = lathe(&ball, 20);
    let foot = [p(0.0, 0.0), p(0.045, 0.0), p(0.046, 0.008), p(0.02, 0.016), p(0.008, 0.035), p(0.008, 0.07)];
    globe.append(&lathe(&spline(&foot, 3), 20));
    stage.object("Brass globe", case, Vec3::new(0.25, floor(3), 0.03), [(globe, palette.brass)]);

    let bowl = [p(0.0, 0.0), p(0.04, 0.0), p(0.05, 0.006), p(0.085, 0.045), p(0.1, 0.085)];
    let inside = [p(0.1, 0.085), p(0.094, 0.084), p(0.078, 0.046), p(0.045, 0.014), p(0.0, 0.01)];
    let mut dish = lathe(&spline(&bowl, 3), 22);
    dish.append(&lathe(&spline(&inside, 3), 22));
    let dish = dish.tinted(Vec3::new(0.1, 0.24, 0.25));
    stage.object("Shelf bowl", case, Vec3::new(0.3, floor(4), 0.01), [(dish, palette.glaze)]);
    let box_size = Block { size: Vec3::new(0.24, 0.1, 0.18), radius: 0.008, bands: 2, cell: 0.06 };
    let keepsake = box_size.build().uv_mapped(Vec2::splat(1.0 / TIMBER_TILE), Vec2::ZERO);
    stage.object("Keepsake box", case, Vec3::new(-0.22, HEIGHT + 0.05, 0.0), [(keepsake, palette.walnut)]);
}
