//! What is to be drawn: scene, moment, eye, light, size.

use super::error::{HeadlessError, listed, shorten};
use glam::Vec3;
use pellucid_render::{Background, Environment, Pixels, ToneMap};
use pellucid_scene::{Equirect, Pose, Scene, View, scene_bounds};

/// Vertical field of view that is used when none is asked for, in degrees.
pub const DEFAULT_FOV: f32 = 45.0;
/// Largest width or height of a picture in pixels; a device or its memory may allow less.
pub const MAX_SIZE: u32 = 16_384;

/// Where the eye is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Camera<'a> {
    /// Three quarters from the front and a little above, as near as the whole scene allows.
    Auto {
        /// Vertical field of view in degrees.
        fov: f32,
    },
    /// On a sphere around a target.
    Orbit {
        /// Degrees about +Y, measured from +Z.
        theta: f32,
        /// Degrees down from +Y.
        phi: f32,
        /// Metres from the target; `None` is as near as the whole scene allows (the target is then the
        /// middle of the scene).
        radius: Option<f32>,
        /// What is looked at; `None` is the middle of the scene.
        target: Option<Vec3>,
        /// Vertical field of view in degrees.
        fov: f32,
    },
    /// The camera of the first node with this name that has one, or the first camera with this name.
    Node(&'a str),
    /// This view, made for the picture's aspect.
    View(View),
}

impl Default for Camera<'_> {
    fn default() -> Self {
        Self::Auto { fov: DEFAULT_FOV }
    }
}

/// Which animation is shown, at which moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Moment {
    /// None: the pose that the file holds.
    #[default]
    Rest,
    /// An animation at a time; see [`Pose::at`] for what lies beyond its end.
    At {
        /// Index into [`Scene::animations`].
        animation: usize,
        /// Seconds from its start.
        time: f32,
    },
}

/// What lights the scene apart from its own lights.
#[derive(Clone, Copy, Default)]
pub enum Light<'a> {
    /// The built-in neutral studio.
    #[default]
    Studio,
    /// A picture; it is prepared anew for each request.
    Equirect(&'a Equirect),
    /// What [`super::Session::environment`] has prepared.
    Prepared(&'a Environment),
}

/// A picture to be drawn. [`RenderRequest::new`] fills in everything but the scene.
#[derive(Clone, Copy)]
pub struct RenderRequest<'a> {
    /// The scene.
    pub scene: &'a Scene,
    /// Its moment.
    pub moment: Moment,
    /// The eye.
    pub camera: Camera<'a>,
    /// The light.
    pub light: Light<'a>,
    /// Width in pixels, 1 to [`MAX_SIZE`].
    pub width: u32,
    /// Height in pixels, 1 to [`MAX_SIZE`].
    pub height: u32,
    /// What is seen where nothing is.
    pub background: Background,
    /// Stops: light is multiplied by 2 to this power.
    pub exposure: f32,
    /// How light beyond the display's range is brought into it.
    pub tone_map: ToneMap,
    /// The form of the picture; [`crate::picture::Format::pixels`] says which a file format takes.
    pub pixels: Pixels,
}

impl<'a> RenderRequest<'a> {
    /// The scene at rest, framed, in the studio, 1024×1024, on a transparent background, ACES, 8-bit sRGB.
    #[must_use]
    pub fn new(scene: &'a Scene) -> Self {
        Self {
            scene,
            moment: Moment::default(),
            camera: Camera::default(),
            light: Light::default(),
            width: 1024,
            height: 1024,
            background: Background::Transparent,
            exposure: 0.0,
            tone_map: ToneMap::Aces,
            pixels: Pixels::Srgb8,
        }
    }

    /// The pose of the request's moment.
    ///
    /// # Errors
    /// [`HeadlessError::Animation`] when the scene has no such animation, [`HeadlessError::Number`] when the
    /// time is not finite.
    pub fn pose(&self) -> Result<Pose, HeadlessError> {
        match self.moment {
            Moment::Rest => Ok(Pose::rest(self.scene)),
            Moment::At { animation, time } => {
                finite("time", time)?;
                if animation >= self.scene.animations.len() {
                    return Err(HeadlessError::no_animation(&animation.to_string(), self.scene));
                }
                Ok(Pose::at(self.scene, animation, time))
            }
        }
    }

    /// The view of the request's camera with the scene in this pose.
    ///
    /// # Errors
    /// [`HeadlessError::Camera`] when no camera has the name, [`HeadlessError::Number`] or
    /// [`HeadlessError::Size`] when a number is out of its range.
    pub fn view(&self, pose: &Pose) -> Result<View, HeadlessError> {
        self.check_size()?;
        let aspect = self.width as f32 / self.height as f32;
        // A scene that shows nothing still has a picture; look at where it would be.
        let bounds = || {
            let unit = pellucid_scene::Aabb { min: Vec3::splat(-1.0), max: Vec3::ONE };
            scene_bounds(self.scene, pose).unwrap_or(unit)
        };
        match self.camera {
            Camera::Auto { fov } => Ok(View::frame(bounds(), angle(fov)?, aspect)),
            Camera::Orbit { theta, phi, radius, target, fov } => {
                for (name, value) in [("theta", theta), ("phi", phi)] {
                    finite(name, value)?;
                }
                let yfov = angle(fov)?;
                let Some(radius) = radius else {
                    return Ok(View::frame_from(bounds(), theta, phi, yfov, aspect));
                };
                let target = target.unwrap_or_else(|| bounds().center());
                finite("target", target.length_squared())?;
                if !(radius > 0.0 && radius.is_finite()) {
                    return Err(HeadlessError::Number { what: "radius", value: radius, range: "above 0" });
                }
                Ok(View::orbit(theta, phi, radius, target, yfov, aspect))
            }
            Camera::Node(name) => self.through(name, pose, aspect),
            Camera::View(view) => Ok(view),
        }
    }

    fn through(&self, name: &str, pose: &Pose, aspect: f32) -> Result<View, HeadlessError> {
        let cameras = || {
            let node = self.scene.nodes.iter().enumerate();
            node.filter_map(|(index, node)| Some((index, node, self.scene.cameras.get(node.camera?)?)))
        };
        let by_node = cameras().find(|(_, node, _)| node.name == name);
        let found = by_node.or_else(|| cameras().find(|(_, _, camera)| camera.name == name));
        let Some((index, _, camera)) = found else {
            let shown = cameras()
                .map(|(_, node, camera)| if node.name.is_empty() { &camera.name } else { &node.name });
            return Err(HeadlessError::Camera { wanted: shorten(name), available: listed(shown) });
        };
        let global = pose.globals(self.scene).get(index).copied().unwrap_or_default();
        Ok(View::from_camera(camera, global, aspect))
    }

    pub(super) fn check_size(&self) -> Result<(), HeadlessError> {
        let fits = |side| (1..=MAX_SIZE).contains(&side);
        if fits(self.width) && fits(self.height) {
            return Ok(());
        }
        Err(HeadlessError::Size { width: self.width, height: self.height, limit: MAX_SIZE, of: "Pellucid" })
    }
}

fn angle(degrees: f32) -> Result<f32, HeadlessError> {
    if (1.0..=170.0).contains(&degrees) {
        return Ok(degrees.to_radians());
    }
    Err(HeadlessError::Number { what: "field of view", value: degrees, range: "from 1 to 170 degrees" })
}

pub(super) fn finite(what: &'static str, value: f32) -> Result<(), HeadlessError> {
    if value.is_finite() { Ok(()) } else { Err(HeadlessError::Number { what, value, range: "finite" }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_scene::{Animation, Node, Projection, Transform};

    fn scene() -> Scene {
        let projection = Projection::Perspective { yfov: 1.0, aspect: None, near: 0.1, far: None };
        let camera = |name: &str| pellucid_scene::Camera { name: name.into(), projection };
        let at = |name: &str, camera, x| Node {
            name: name.into(),
            camera,
            transform: Transform::Trs {
                translation: Vec3::new(x, 0.0, 0.0),
                rotation: glam::Quat::IDENTITY,
                scale: Vec3::ONE,
            },
            ..Node::default()
        };
        Scene {
            nodes: vec![at("Left", Some(0), -1.0), at("Both", None, 0.0), at("", Some(1), 1.0)],
            roots: vec![0, 1, 2],
            cameras: vec![camera("Both"), camera("Lens")],
            animations: vec![Animation { name: "Turn".into(), ..Animation::default() }],
            ..Scene::default()
        }
    }

    fn eye(camera: Camera<'_>) -> Result<Vec3, HeadlessError> {
        let scene = scene();
        let request = RenderRequest { camera, ..RenderRequest::new(&scene) };
        request.view(&request.pose()?).map(|view| view.eye)
    }

    #[test]
    fn a_camera_is_found_by_its_nodes_name_and_then_by_its_own() {
        assert_eq!(eye(Camera::Node("Left")).unwrap().x, -1.0);
        assert_eq!(eye(Camera::Node("Lens")).unwrap().x, 1.0);
        // The node called so has no camera; the camera called so hangs at another node.
        assert_eq!(eye(Camera::Node("Both")).unwrap().x, -1.0);
        let error = eye(Camera::Node("Nobody")).unwrap_err().to_string();
        assert!(error.contains("\"Left\", \"Lens\""), "{error}");
    }

    #[test]
    fn orbits_go_around_what_they_are_told_to() {
        let orbit = |radius, target| Camera::Orbit { theta: 90.0, phi: 90.0, radius, target, fov: 45.0 };
        let near = |a: Vec3, b: Vec3| assert!(a.distance(b) < 1e-5, "{a} is not {b}");
        near(eye(orbit(Some(2.0), Some(Vec3::Y))).unwrap(), Vec3::new(2.0, 1.0, 0.0));
        // Nothing shows in this scene, so its middle is the origin.
        near(eye(orbit(Some(2.0), None)).unwrap(), Vec3::new(2.0, 0.0, 0.0));
        assert!(eye(orbit(None, None)).unwrap().x > 2.0, "far enough to see what would be there");
    }

    #[test]
    fn numbers_that_are_none_are_refused() {
        for (theta, phi, radius, fov) in [
            (f32::NAN, 90.0, 1.0, 45.0),
            (0.0, f32::INFINITY, 1.0, 45.0),
            (0.0, 90.0, 0.0, 45.0),
            (0.0, 90.0, f32::NAN, 45.0),
            (0.0, 90.0, f32::INFINITY, 45.0),
            (0.0, 90.0, 1.0, 0.0),
            (0.0, 90.0, 1.0, 180.0),
            (0.0, 90.0, 1.0, f32::NAN),
        ] {
            let camera = Camera::Orbit { theta, phi, radius: Some(radius), target: Some(Vec3::ZERO), fov };
            assert!(matches!(eye(camera), Err(HeadlessError::Number { .. })), "{camera:?}");
        }
        let scene = scene();
        let at = |animation, time| RenderRequest {
            moment: Moment::At { animation, time },
            ..RenderRequest::new(&scene)
        };
        assert!(matches!(at(0, f32::NAN).pose(), Err(HeadlessError::Number { .. })));
        let error = at(1, 0.0).pose().err().unwrap().to_string();
        assert!(error.contains("\"1\"") && error.contains("\"Turn\""), "{error}");
        assert!(at(0, 0.0).pose().is_ok());
    }

    #[test]
    fn sizes_are_bounded() {
        let scene = scene();
        for (width, height) in [(0, 1), (1, 0), (MAX_SIZE + 1, 1), (1, u32::MAX)] {
            let request = RenderRequest { width, height, ..RenderRequest::new(&scene) };
            let pose = request.pose().unwrap();
            assert!(matches!(request.view(&pose), Err(HeadlessError::Size { .. })), "{width}x{height}");
        }
    }

    #[test]
    fn messages_list_a_bounded_number_of_bounded_names() {
        let names: Vec<String> = (0..1000).map(|index| format!("{index}").repeat(500)).collect();
        let text = listed(names.iter());
        assert!(text.len() < 20 * 90 && text.ends_with("and 980 more"), "{text}");
        assert_eq!(listed([].iter()), "none");
    }
}
