//! Flat and curved sheets.

use glam::{Vec2, Vec3};

use crate::sample::mesh::Mesh;

/// A flat rectangle, divided into cells small enough to carry baked occlusion.
#[derive(Clone, Copy, Debug)]
pub struct Patch {
    /// The corner where u and v start.
    pub corner: Vec3,
    /// The edge along u, in metres.
    pub right: Vec3,
    /// The edge along v (upwards, where there is an up): `right` crossed with `up` is the front.
    pub up: Vec3,
    /// Largest side of a cell in metres.
    pub cell: f32,
}

impl Patch {
    /// Builds it; texture coordinates are metres from the corner, v downwards.
    pub fn build(self) -> Mesh {
        let mut mesh = Mesh::default();
        let cells = |length: f32| (length / self.cell).ceil().clamp(1.0, 128.0) as u32;
        let (columns, rows) = (cells(self.right.length()), cells(self.up.length()));
        let normal = self.right.cross(self.up).normalize();
        for row in 0..=rows {
            for column in 0..=columns {
                let at = Vec2::new(column as f32 / columns as f32, row as f32 / rows as f32);
                let uv = Vec2::new(at.x * self.right.length(), -at.y * self.up.length());
                mesh.vertex(self.corner + self.right * at.x + self.up * at.y, normal, uv);
            }
        }
        mesh.lattice(0, columns + 1, rows + 1);
        mesh
    }
}

/// A rectangle with a rectangular hole in it, as eight patches around the hole. `low` and `high` are the
/// hole's corners in metres from the rectangle's corner, along its two edges.
pub fn wall_with_opening(wall: Patch, low: Vec2, high: Vec2) -> Mesh {
    let size = Vec2::new(wall.right.length(), wall.up.length());
    let (right, up) = (wall.right / size.x, wall.up / size.y);
    let columns = [0.0, low.x, high.x, size.x];
    let rows = [0.0, low.y, high.y, size.y];
    let mut mesh = Mesh::default();
    for j in 0..3 {
        for i in 0..3 {
            if (i, j) == (1, 1) {
                continue;
            }
            let patch = Patch {
                corner: wall.corner + right * columns[i] + up * rows[j],
                right: right * (columns[i + 1] - columns[i]),
                up: up * (rows[j + 1] - rows[j]),
                cell: wall.cell,
            };
            mesh.append(&patch.build().uv_mapped(Vec2::ONE, Vec2::new(columns[i], -rows[j])));
        }
    }
    mesh
}
