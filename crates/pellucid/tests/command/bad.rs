//! What can't be done, with the status and the words it is refused with.

use crate::support::{Place, TRIANGLE, glb};

/// Arguments, status, and words that standard error has to hold.
type Case<'a> = (&'a [&'a str], i32, &'a [&'a str]);

#[test]
fn each_mistake_has_its_status_and_its_words() {
    let place = Place::new();
    std::fs::create_dir(place.path("folder")).unwrap();
    std::fs::create_dir(place.path("folder.png")).unwrap();
    std::fs::write(place.path("empty.glb"), "").unwrap();
    std::fs::write(place.path("text.glb"), "hello").unwrap();
    std::fs::write(place.path("bad.hdr"), "hello").unwrap();
    let whole = std::fs::read(&place.triangle).unwrap();
    std::fs::write(place.path("cut.glb"), &whole[..whole.len() / 2]).unwrap();
    let index = TRIANGLE.replace(r#""POSITION": 0"#, r#""POSITION": 7"#);
    std::fs::write(place.path("index.glb"), glb(&index, &[0; 68])).unwrap();
    let required = TRIANGLE.replace("extensionsUsed", "extensionsRequired");
    std::fs::write(place.path("required.glb"), glb(&required, &[0; 68])).unwrap();

    let render = |more: &'static [&'static str]| -> Vec<&'static str> {
        [&["render", "triangle.glb", "-o", "out.png"], more].concat()
    };
    let sized = [
        render(&["--size", "0x10"]),
        render(&["--size", "16385x10"]),
        render(&["--size", "10"]),
        render(&["--camera", "orbit:nan,1,1"]),
        render(&["--camera", "orbit:0,90,-1"]),
        render(&["--camera", "orbit:0,90,1", "--target", "1,2"]),
        render(&["--target", "1,2,3"]),
        render(&["--camera-node", "Eye", "--fov", "45"]),
        render(&["--fov", "180"]),
        render(&["--exposure", "inf"]),
        render(&["--time", "NaN"]),
        render(&["--tonemap", "filmic"]),
        render(&["--background", "blurple"]),
        render(&["--camera-node", "Nobody"]),
        render(&["--animation", "Fly"]),
        render(&["--animation", "3"]),
        render(&["--adapter", "Voodoo 2"]),
        render(&["--environment", "none.hdr"]),
        render(&["--environment", "bad.hdr"]),
        render(&["-q", "-v"]),
        render(&["--camera", "orbit:0,90", "--target", "1,2,3"]),
    ];
    let cases: &[Case<'_>] = &[
        (&[], 2, &["Usage: pellucid"]),
        (&["draw"], 2, &["unrecognized subcommand"]),
        (&["render"], 2, &["<SCENE>", "--output"]),
        (&["render", "triangle.glb"], 2, &["--output"]),
        (&sized[0], 2, &["--size", "from 1 to 16384"]),
        (&sized[1], 2, &["--size", "from 1 to 16384"]),
        (&sized[2], 2, &["--size", "WIDTHxHEIGHT"]),
        (&sized[3], 2, &["--camera", "orbit:THETA,PHI,RADIUS"]),
        (&sized[4], 2, &["--camera", "orbit:THETA,PHI,RADIUS"]),
        (&sized[5], 2, &["--target", "X,Y,Z"]),
        (&sized[6], 2, &["--camera"]),
        (&sized[7], 2, &["--camera-node", "--fov"]),
        (&sized[8], 2, &["--fov", "from 1 to 170"]),
        (&sized[9], 2, &["--exposure", "from -32 to 32"]),
        (&sized[10], 2, &["--time", "seconds"]),
        (&sized[11], 2, &["--tonemap", "aces", "none"]),
        (&sized[12], 2, &["--background", "#rrggbb", "transparent", "environment"]),
        (&sized[13], 2, &["Nobody", "\"Eye\""]),
        (&sized[14], 2, &["Fly", "\"Away\""]),
        (&sized[15], 2, &["3", "\"Away\""]),
        (&sized[16], 5, &["Voodoo 2", "pellucid doctor"]),
        (&sized[17], 3, &["none.hdr"]),
        (&sized[18], 3, &["bad.hdr", ".hdr"]),
        (&sized[19], 2, &["--quiet", "--verbose"]),
        (&sized[20], 2, &["--target", "RADIUS"]),
        (&["render", "triangle.glb", "-o", "out.gif"], 2, &["out.gif", ".png", ".exr", ".bmp"]),
        (&["render", "triangle.glb", "-o", "out"], 2, &["out", ".png", "--format"]),
        (&["render", "triangle.glb", "-o", "-", "--json"], 2, &["--json", "-o -"]),
        (&["render", "triangle.glb", "-o", "folder"], 4, &["folder", "is a folder"]),
        (&["render", "triangle.glb", "-o", "folder.png"], 4, &["folder.png", "is a folder"]),
        (&["render", "triangle.glb", "-o", "no/where.png"], 4, &["no/where.png", "no folder"]),
        (&["render", "missing.glb", "-o", "out.png"], 3, &["missing.glb"]),
        (&["render", "folder", "-o", "out.png"], 3, &["folder"]),
        (&["render", "cut.glb", "-o", "out.png"], 3, &["cut.glb"]),
        (&["info", "missing.glb"], 3, &["missing.glb"]),
        (&["info", "empty.glb"], 3, &["empty.glb"]),
        (&["info", "text.glb"], 3, &["text.glb"]),
        (&["info", "cut.glb"], 3, &["cut.glb", "byte"]),
        (&["info", "index.glb"], 3, &["index.glb", "/meshes/0/primitives/0/attributes/POSITION"]),
        (&["info", "required.glb"], 3, &["required.glb", "TEST_nothing", "/extensionsRequired/0"]),
        (&["sample", "-o", "folder"], 4, &["folder"]),
        (&["sample", "-o", "room.png"], 2, &["room.png", ".glb"]),
        (&["sample", "-o", "no/where.glb"], 4, &["no/where.glb"]),
        (&["man", "-o", "no/where"], 4, &["no/where"]),
        (&["completions", "cmd"], 2, &["bash"]),
    ];
    let before = place.names();
    for (args, status, words) in cases {
        let ran = place.run(args);
        assert_eq!(ran.status, Some(*status), "{args:?}: {ran:?}");
        assert!(ran.stdout.is_empty() || args.contains(&"--json"), "{args:?}: {ran:?}");
        // One line is the error's; warnings about the file may come before it, what to do after it.
        let errors = ran.stderr.lines().filter(|line| line.starts_with("error: ")).count();
        assert!(errors == 1 || args.is_empty(), "{args:?}: {ran:?}");
        for word in *words {
            assert!(ran.stderr.contains(word), "{args:?} lacks {word:?}: {ran:?}");
        }
        assert!(!ran.stderr.contains("panicked"), "{args:?}: {ran:?}");
    }
    let mut after = place.names();
    after.retain(|name| name != "cache");
    assert_eq!(after, before, "a refused command wrote something");
}

#[test]
fn without_a_driver_the_remedy_is_named() {
    let place = Place::new();
    let none = |args: &[&str]| {
        let output = place.command().args(args).env("VK_DRIVER_FILES", "/nowhere.json").output().unwrap();
        crate::support::Ran::from(output)
    };
    let ran = none(&["render", "triangle.glb", "-o", "out.png"]);
    assert_eq!(ran.status, Some(5), "{ran:?}");
    assert!(ran.stderr.contains("driver") && ran.stderr.contains("pellucid doctor"), "{ran:?}");
    assert!(!place.path("out.png").exists());

    let ran = none(&["doctor"]);
    assert_eq!(ran.status, Some(5), "{ran:?}");
    assert!(ran.text().contains("VK_DRIVER_FILES") && ran.text().contains("can't draw yet"), "{ran:?}");

    let ran = none(&["doctor", "--json"]);
    assert_eq!(ran.status, Some(5), "{ran:?}");
    assert_eq!(ran.json()["can_render"], false);
}

#[test]
fn failures_are_told_in_json_when_asked() {
    let place = Place::new();
    for (args, kind, status) in [
        (["info", "--json", "missing.glb"].as_slice(), "input", 3),
        (&["render", "--json", "missing.glb", "-o", "out.png"], "input", 3),
        (&["render", "--json", "triangle.glb", "-o", "no/out.png"], "output", 4),
        (&["render", "--json", "triangle.glb", "-o", "out.png", "--camera-node", "x"], "usage", 2),
    ] {
        let ran = place.run(args);
        assert_eq!(ran.status, Some(status), "{ran:?}");
        let error = &ran.json()["error"];
        assert_eq!(
            (error["kind"].as_str(), error["exit_status"].as_i64()),
            (Some(kind), Some(i64::from(status)))
        );
        assert!(ran.stderr.contains(error["message"].as_str().unwrap()), "{ran:?}");
    }
}
