//! Every shared model draws, under the validation layer, without a word from it.
use pellucid::headless::{Camera, Moment, RenderRequest, Session};
use pellucid::scene::{ImportOptions, Scene, import};
use pellucid_golden_tests::{Picture, assets, stage};
use std::path::Path;

type Failure = Box<dyn std::error::Error>;

/// Draws a model at rest, at a moment of each animation and through each of its cameras.
fn draw_all(session: &mut Session, path: &Path) -> Result<usize, Failure> {
    let scene = import(path, &ImportOptions::default())?.scene;
    let mut uploaded = session.upload(&scene)?;
    let usual = RenderRequest { width: 96, height: 96, ..RenderRequest::new(&scene) };

    let rest = stage::draw(session, &mut uploaded, &usual)?;
    if !shows_something(&rest) {
        return Err("nothing to be seen".into());
    }
    let mut drawn = 1;
    for (animation, facts) in scene.animations.iter().enumerate() {
        let moment = Moment::At { animation, time: facts.duration * 0.4 };
        stage::draw(session, &mut uploaded, &RenderRequest { moment, ..usual })?;
        drawn += 1;
    }
    for name in camera_names(&scene) {
        stage::draw(session, &mut uploaded, &RenderRequest { camera: Camera::Node(name), ..usual })?;
        drawn += 1;
    }
    Ok(drawn)
}

fn shows_something(picture: &Picture) -> bool {
    picture.pixels().iter().any(|p| p[3] > 0)
}

/// The names by which a scene's cameras can be asked for.
fn camera_names(scene: &Scene) -> Vec<&str> {
    let node_names = scene.nodes.iter().filter(|n| n.camera.is_some()).map(|n| n.name.as_str());
    node_names.filter(|name| !name.is_empty()).collect()
}

/// Of one model the assets hold the description alone; that importing it says so is the importer's own test.
fn lacks_its_buffer(path: &Path) -> bool {
    path.ends_with("ManyCubes/many-cubes.gltf") && !path.with_extension("bin").exists()
}

#[test]
fn every_model_draws_without_a_validation_message() {
    let Some(shared) = assets::shared("all_models").unwrap() else { return };
    let models = assets::models(&shared).unwrap();
    assert!(models.len() >= 25, "only {} models", models.len());
    let mut session = stage::open(true).unwrap();
    // The layer's silence is worth something only if it speaks when it should.
    session.device().provoke_validation();
    let mut seen = session.validation_messages().total();
    assert!(seen > 0, "the validation layer does not listen");
    let mut bad = Vec::new();
    let mut drawn_models = 0;
    for path in &models {
        if lacks_its_buffer(path) {
            println!("{}: its buffer is not among the assets", path.display());
            continue;
        }
        drawn_models += 1;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        match draw_all(&mut session, path) {
            Ok(drawn) => println!("{name}: {drawn} pictures"),
            Err(error) => bad.push(format!("{name}: {error}")),
        }
        let messages = session.validation_messages();
        if messages.total() > seen {
            let new = usize::try_from(messages.total() - seen).unwrap();
            let first = messages
                .texts
                .get(messages.texts.len().saturating_sub(new))
                .map_or("(not kept)", String::as_str);
            bad.push(format!("{name}: {new} validation messages, the first: {first}"));
            seen = messages.total();
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
    assert!(drawn_models >= 24, "only {drawn_models} models");
}
