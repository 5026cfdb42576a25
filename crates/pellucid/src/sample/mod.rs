//! The sample: a small furnished room, made wholly by this module as a binary glTF file.
//!
//! It owns the shapes, the textures, the arrangement and the bytes of the file; nothing is read from disk and
//! nothing outlives the call. [`room`] may be called from any thread, gives the same bytes on every call on one
//! machine, and uses a few threads of its own while it works. It never touches the GPU, the clock or the
//! renderer: what it makes is an ordinary file, and all that it knows of Pellucid is glTF.
//!
//! The way through: `palette` paints textures (`paint`) and makes materials, `furniture` models each thing
//! from simple shapes (`shape`), `motion` sets some of it moving, `bake` finds how open each vertex is to light,
//! and `glb` writes the result.

mod bake;
mod furniture;
mod glb;
mod mesh;
mod motion;
mod noise;
mod paint;
mod palette;
mod parallel;
mod shape;
mod stage;
#[cfg(test)]
mod tests;

use palette::palette;

/// The sample room as the bytes of a `.glb` file (glTF 2.0, about 4 MB, no external files).
///
/// Metres, Y up, the floor at 0, the open side towards +Z. Cameras: `Main` for the whole room, `Detail` for the
/// table. One animation, `A minute`, 60 seconds long and looping: the clock (step and cubic), the mobile
/// (linear), the curtains (a skin each, cubic) and a breathing cushion (a morph target). Lights are optional
/// (`KHR_lights_punctual` is used, not required): without them the environment lights the room.
pub fn room() -> Vec<u8> {
    let mut stage = stage::Stage::default();
    let palette = palette(&mut stage);
    furniture::furnish(&mut stage, &palette);
    bake::bake(&mut stage);
    glb::write(&stage, palette.ramp)
}
