//! What is written, and that it is whole or not there.

use crate::support::{Place, Ran, glb, read_png, text_of};
use std::process::{Command, Stdio};

const SMALL: [&str; 4] = ["render", "triangle.glb", "--size", "48x32"];

fn render(place: &Place, more: &[&str]) -> Ran {
    place.run(&[&SMALL, more].concat())
}

#[test]
fn each_format_has_the_size_asked_for_and_something_in_it() {
    let place = Place::new();
    render(&place, &["-o", "a.png"]).good();
    let (width, height, pixels) = read_png(&std::fs::read(place.path("a.png")).unwrap());
    assert_eq!((width, height), (48, 32));
    let opaque = pixels.as_chunks::<4>().0.iter().filter(|pixel| pixel[3] == 255).count();
    let clear = pixels.as_chunks::<4>().0.iter().filter(|pixel| pixel[3] == 0).count();
    assert!(opaque > 100 && clear > 100, "{opaque} opaque, {clear} clear");

    render(&place, &["-o", "a.bmp"]).good();
    let bmp = image::open(place.path("a.bmp")).unwrap().into_rgba8();
    assert_eq!(bmp.into_raw(), pixels, "BMP and PNG hold the same picture");

    render(&place, &["-o", "picture", "--format", "exr"]).good();
    let exr = exr::prelude::read_first_rgba_layer_from_file(
        place.path("picture"),
        |size, _| vec![[0f32; 4]; size.area()],
        |store: &mut Vec<[f32; 4]>, at, (r, g, b, a): (f32, f32, f32, f32)| {
            store[at.y() * 48 + at.x()] = [r, g, b, a]
        },
    )
    .unwrap();
    let linear = exr.layer_data.channel_data.pixels;
    assert_eq!(linear.len(), 48 * 32);
    for (float, byte) in linear.iter().zip(pixels.as_chunks::<4>().0) {
        assert!((float[3] * 255.0 - f32::from(byte[3])).abs() < 1.5, "{float:?} and {byte:?}");
    }
    assert!(linear.iter().any(|pixel| pixel[0] > 0.01));
}

#[test]
fn standard_output_takes_the_picture() {
    let place = Place::new();
    let ran = render(&place, &["-o", "-"]).good();
    let (width, height, _) = read_png(&ran.stdout);
    assert_eq!((width, height), (48, 32));
    let room = place.run(&["sample", "-o", "-"]).good();
    assert!(room.stdout.starts_with(b"glTF\x02\0\0\0"));
    assert_eq!(place.names().iter().filter(|name| *name != "cache").collect::<Vec<_>>(), ["triangle.glb"]);
}

#[test]
fn options_change_the_picture_as_they_say() {
    let place = Place::new();
    let picture = |more: &[&str]| {
        render(&place, &[&["-o", "x.png"], more].concat()).good();
        read_png(&std::fs::read(place.path("x.png")).unwrap()).2
    };
    let plain = picture(&[]);
    assert_eq!(picture(&[]), plain, "the same command draws the same picture");
    let covered = |pixels: &[u8]| pixels.as_chunks::<4>().0.iter().filter(|pixel| pixel[3] > 127).count();
    let light = |pixels: &[u8]| pixels.iter().map(|&byte| u64::from(byte)).sum::<u64>();

    let colored = picture(&["--background", "#4080c0"]);
    assert_eq!(colored[..4], [0x40, 0x80, 0xc0, 255], "a colour comes out as it was written");
    let surrounded = picture(&["--background", "environment"]);
    assert!(surrounded.as_chunks::<4>().0.iter().all(|pixel| pixel[3] == 255));
    assert!(light(&picture(&["--exposure", "-4"])) < light(&plain));
    assert_ne!(picture(&["--tonemap", "none"]), plain);
    let far = picture(&["--camera", "orbit:0,90,40", "--target", "0,0,0"]);
    let near = picture(&["--camera", "orbit:0,90,4", "--target", "0,0,0"]);
    assert!(covered(&far) * 10 < covered(&near));
    let narrow = picture(&["--camera", "orbit:0,90,4", "--fov", "20"]);
    assert!(covered(&narrow) > covered(&near));
    assert_eq!(picture(&["--camera-node", "Eye"]), picture(&["--camera-node", "Lens"]));
    assert!(covered(&picture(&["--camera-node", "Eye"])) > 100);
    let away = picture(&["--camera-node", "Eye", "--time", "1"]);
    assert_eq!(covered(&away), 0, "the animation moves the triangle out of sight");
    assert_eq!(picture(&["--camera-node", "Eye", "--time", "1", "--animation", "Away"]), away);
    assert_eq!(picture(&["--camera-node", "Eye", "--time", "1", "--animation", "0"]), away);
    assert!(covered(&picture(&["--camera-node", "Eye", "--animation", "0"])) > 100, "time 0");
}

#[test]
fn an_old_picture_survives_a_failure() {
    let place = Place::new();
    let old = place.path("old.png");
    std::fs::write(&old, "old").unwrap();
    std::fs::write(place.path("broken.glb"), glb("{", &[])).unwrap();
    assert_eq!(place.run(&["render", "broken.glb", "-o", "old.png"]).status, Some(3));
    assert_eq!(render(&place, &["-o", "old.png", "--camera-node", "Nobody"]).status, Some(2));
    assert_eq!(std::fs::read(&old).unwrap(), b"old");

    let mut permissions = std::fs::metadata(&old).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&old, permissions).unwrap();
    let ran = render(&place, &["-o", "old.png"]);
    assert_eq!(ran.status, Some(4));
    assert!(ran.stderr.contains("read-only"), "{ran:?}");
    assert_eq!(std::fs::read(&old).unwrap(), b"old");
    assert!(place.names().iter().all(|name| !name.contains("tmp")), "{:?}", place.names());
}

#[cfg(target_os = "linux")]
#[test]
fn full_disks_and_readers_that_have_gone() {
    let place = Place::new();
    let ran = render(&place, &["-o", "/dev/full", "--format", "png"]);
    assert_eq!(ran.status, Some(4), "{ran:?}");
    assert!(ran.stderr.contains("/dev/full"), "{ran:?}");

    for args in [
        ["info", "triangle.glb"].as_slice(),
        &["completions", "bash"],
        &["man"],
        &["sample", "-o", "-"],
        &["--help"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = place.command().args(args).stdout(writer).stderr(Stdio::piped()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {output:?}");
        assert!(output.stderr.is_empty(), "{args:?}: {output:?}");

        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = place.command().args(args).stdout(full).stderr(Stdio::piped()).output().unwrap();
        let ran = Ran::from(output);
        assert!(!ran.stderr.contains("panicked"), "{args:?}: {ran:?}");
        if args != ["--help"] {
            assert_eq!(ran.status, Some(4), "{args:?}: {ran:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn an_interruption_ends_it_by_the_signal_and_leaves_nothing() {
    use std::os::unix::process::ExitStatusExt as _;
    let place = Place::new();
    // At several moments, the first before anything is loaded and the last around the writing.
    for delay in [0, 20, 60, 120, 200, 300] {
        let args = ["render", "triangle.glb", "-o", "big.bmp", "--size", "2048x2048"];
        let mut child =
            place.command().args(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(delay));
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        let status = child.wait().unwrap();
        // It may have been faster than the delay.
        assert!(status.success() || status.signal() == Some(2), "after {delay} ms: {status:?}");
        let left: Vec<_> = place.names().into_iter().filter(|name| name.contains("tmp")).collect();
        assert!(left.is_empty(), "after {delay} ms: {left:?}");
        if let Ok(bytes) = std::fs::read(place.path("big.bmp")) {
            assert_eq!(bytes.len(), 122 + 2048 * 2048 * 4, "a picture that is there is whole");
            std::fs::remove_file(place.path("big.bmp")).unwrap();
        }
    }
}

#[test]
fn the_pipeline_cache_is_kept_or_not() {
    let place = Place::new();
    render(&place, &["-o", "x.png", "--no-cache"]).good();
    // The driver may keep a cache of its own beside ours.
    assert!(!place.path("cache/pellucid").exists());
    render(&place, &["-o", "x.png"]).good();
    assert!(place.path("cache/pellucid/pipelines").is_dir());
}

#[test]
fn a_link_is_followed_and_the_folder_may_be_elsewhere() {
    let place = Place::new();
    std::fs::create_dir(place.path("elsewhere")).unwrap();
    let target = place.path("elsewhere/x.png");
    render(&place, &["-o", text_of(&target)]).good();
    assert!(target.is_file());
}
