//! Help, completions, manual pages, the sample.

use crate::support::Place;

#[test]
fn help_documents_the_statuses() {
    let place = Place::new();
    for args in [["--help"].as_slice(), &["render", "--help"], &["info", "--help"]] {
        let ran = place.run(args).good();
        for part in ["Exit status:", "3  an input file is missing or broken", "5  no usable GPU"] {
            assert!(ran.text().contains(part), "{part:?} is missing in {}", ran.text());
        }
    }
    let version = place.run(&["--version"]).good();
    assert_eq!(version.text().trim(), concat!("pellucid ", env!("CARGO_PKG_VERSION")));
}

#[test]
fn completions_know_the_options() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = place.run(&["completions", shell]).good();
        assert!(ran.text().contains("camera-node") && ran.text().contains("doctor"), "{shell}");
    }
}

#[test]
fn manual_pages_are_written() {
    let place = Place::new();
    let page = place.run(&["man"]).good();
    assert!(page.text().contains(".TH pellucid 1") && page.text().contains("Exit status"), "{page:?}");
    std::fs::create_dir(place.path("man")).unwrap();
    place.run(&["man", "-o", "man"]).good();
    let render = std::fs::read_to_string(place.path("man/pellucid-render.1")).unwrap();
    assert!(render.contains("camera\\-node"), "{render}");
    let count = std::fs::read_dir(place.path("man")).unwrap().count();
    assert_eq!(count, 7, "the command and its six commands");
}

#[test]
fn the_sample_is_a_scene_without_a_warning() {
    let place = Place::new();
    place.run(&["sample", "-o", "room.glb"]).good();
    let report = place.run(&["info", "room.glb", "--json"]).good().json();
    assert_eq!(report["warnings"], serde_json::json!([]));
    assert!(report["counts"]["triangles"].as_u64().unwrap() > 1000);
}
