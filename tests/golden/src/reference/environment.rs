//! An equirectangular environment on the CPU.
use glam::DVec3;
use std::f64::consts::{PI, TAU};
use std::path::Path;

/// Linear radiance on an equirectangular grid: the middle is +X, its right side turns to +Z, the top row
/// is +Y.
#[derive(Clone, Debug)]
pub struct Environment {
    width: usize,
    height: usize,
    texels: Vec<DVec3>,
    /// Cosine and sine of the longitude of each column's middle.
    columns: Vec<(f64, f64)>,
}

impl Environment {
    /// From `width * height` texels, rows from the top; `None` when their number is another or zero.
    #[must_use]
    pub fn new(width: usize, height: usize, texels: &[[f32; 3]]) -> Option<Self> {
        if texels.is_empty() || width.checked_mul(height)? != texels.len() {
            return None;
        }
        let longitude = |i: usize| ((i as f64 + 0.5) / width as f64 - 0.5) * TAU;
        Some(Self {
            width,
            height,
            texels: texels.iter().map(|&[r, g, b]| DVec3::new(r.into(), g.into(), b.into())).collect(),
            columns: (0..width).map(|i| (longitude(i).cos(), longitude(i).sin())).collect(),
        })
    }

    /// Reads a Radiance file.
    ///
    /// # Errors
    /// What the decoder says.
    pub fn load(path: &Path) -> Result<Self, image::ImageError> {
        let image = image::open(path)?.into_rgb32f();
        let (width, height) = image.dimensions();
        Self::new(width as usize, height as usize, image.as_raw().as_chunks::<3>().0).ok_or_else(|| {
            image::ImageError::Parameter(image::error::ParameterError::from_kind(
                image::error::ParameterErrorKind::DimensionMismatch,
            ))
        })
    }

    /// Texels a row.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// A texel's radiance. `i` wraps around, `j` stops at the poles.
    #[must_use]
    pub fn texel(&self, i: isize, j: isize) -> DVec3 {
        let i = i.rem_euclid(self.width as isize) as usize;
        let j = j.clamp(0, self.height as isize - 1) as usize;
        self.texels[j * self.width + i]
    }

    /// The direction of a point of the grid, in texels from its top left corner.
    #[must_use]
    pub fn direction(&self, x: f64, y: f64) -> DVec3 {
        let longitude = (x / self.width as f64 - 0.5) * TAU;
        let latitude = y / self.height as f64 * PI;
        DVec3::new(latitude.sin() * longitude.cos(), latitude.cos(), latitude.sin() * longitude.sin())
    }

    /// The direction of a texel's middle.
    #[must_use]
    pub fn texel_direction(&self, i: usize, j: usize) -> DVec3 {
        let (cos, sin) = self.columns[i];
        let latitude = (j as f64 + 0.5) / self.height as f64 * PI;
        DVec3::new(latitude.sin() * cos, latitude.cos(), latitude.sin() * sin)
    }

    /// Steradians between two latitudes (rows from the top) over `columns` columns.
    #[must_use]
    pub fn solid_angle(&self, top: f64, bottom: f64, columns: f64) -> f64 {
        let latitude = |y: f64| y / self.height as f64 * PI;
        columns / self.width as f64 * TAU * (latitude(top).cos() - latitude(bottom).cos())
    }

    /// Radiance at a point of the grid, interpolated between texels' middles.
    #[must_use]
    pub fn bilinear(&self, x: f64, y: f64) -> DVec3 {
        let (x, y) = (x - 0.5, y - 0.5);
        let (i, j) = (x.floor(), y.floor());
        let (fx, fy) = (x - i, y - j);
        let (i, j) = (i as isize, j as isize);
        self.texel(i, j)
            .lerp(self.texel(i + 1, j), fx)
            .lerp(self.texel(i, j + 1).lerp(self.texel(i + 1, j + 1), fx), fy)
    }

    /// Radiance from a direction, interpolated.
    #[must_use]
    pub fn lookup(&self, direction: DVec3) -> DVec3 {
        let d = direction.normalize();
        let u = d.z.atan2(d.x) / TAU + 0.5;
        let v = d.y.clamp(-1.0, 1.0).acos() / PI;
        self.bilinear(u * self.width as f64, v * self.height as f64)
    }

    /// The texels as they were given.
    #[must_use]
    pub fn to_texels(&self) -> Vec<[f32; 3]> {
        self.texels.iter().map(|t| t.as_vec3().to_array()).collect()
    }

    /// This environment seen after turning it by `columns` columns to the right.
    #[must_use]
    pub fn turned(&self, columns: usize) -> Self {
        let texels = (0..self.height)
            .flat_map(|j| (0..self.width).map(move |i| (i, j)))
            .map(|(i, j)| self.texel(i as isize - columns as isize, j as isize))
            .collect();
        Self { texels, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gradient() -> Environment {
        let texels: Vec<_> = (0..8 * 4).map(|k| [(k % 8) as f32, (k / 8) as f32, 1.0]).collect();
        Environment::new(8, 4, &texels).unwrap()
    }

    #[test]
    fn directions_and_lookups_are_inverse() {
        let sky = gradient();
        for (i, j) in [(0, 0), (3, 1), (7, 3), (4, 2)] {
            let found = sky.lookup(sky.texel_direction(i, j));
            assert!((found - sky.texel(i as isize, j as isize)).length() < 1e-9, "{i} {j}");
            let middle = sky.direction(i as f64 + 0.5, j as f64 + 0.5);
            assert!((middle - sky.texel_direction(i, j)).length() < 1e-12);
        }
        // The middle of the picture is +X, its right side +Z, its top +Y.
        assert!((sky.direction(4.0, 2.0) - DVec3::X).length() < 1e-12);
        assert!((sky.direction(6.0, 2.0) - DVec3::Z).length() < 1e-12);
        assert!((sky.direction(1.0, 0.0) - DVec3::Y).length() < 1e-12);
    }

    #[test]
    fn the_sphere_has_four_pi_steradians() {
        let sky = gradient();
        let sum: f64 = (0..4).map(|j| sky.solid_angle(f64::from(j), f64::from(j + 1), 8.0)).sum();
        assert!((sum - 4.0 * PI).abs() < 1e-12);
    }

    #[test]
    fn turning_moves_columns() {
        let sky = gradient();
        assert!((sky.turned(2).texel(2, 1) - sky.texel(0, 1)).length() < 1e-12);
        assert!((sky.turned(2).texel(1, 1) - sky.texel(7, 1)).length() < 1e-12);
    }
}
