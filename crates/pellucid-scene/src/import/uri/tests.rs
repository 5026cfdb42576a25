use super::*;

fn problem(uri: &str, folder: Option<&Path>) -> UriProblem {
    match resolve(uri, folder) {
        Err(ErrorKind::Uri { problem, .. }) => problem,
        other => panic!("{uri}: {other:?}"),
    }
}

#[test]
fn files_in_the_folder_and_below_it_are_found() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("sub folder")).unwrap();
    for name in ["a.bin", "sub folder/ü b.bin", "100%.bin"] {
        std::fs::write(folder.path().join(name), b"x").unwrap();
    }
    let uris = [
        "a.bin",
        "./a.bin",
        "sub%20folder/%C3%BC%20b.bin",
        "sub folder/ü b.bin",
        "sub folder/../a.bin",
        "100%25.bin",
    ];
    for uri in uris {
        let Ok(Target::File(file)) = resolve(uri, Some(folder.path())) else { panic!("{uri} is refused") };
        assert_eq!(std::fs::read(file).unwrap(), b"x", "{uri}");
    }
    assert!(matches!(resolve("b.bin", Some(folder.path())), Err(ErrorKind::Reference { .. })));
}

#[test]
fn nothing_else_is_followed() {
    use UriProblem::{Absolute, Escape, NoFolder, NotAPath, PercentEncoding, Scheme};
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    std::fs::create_dir(&inner).unwrap();
    std::fs::write(folder.path().join("secret"), b"x").unwrap();
    for (uri, expected) in [
        ("../secret", Escape),
        ("%2e%2e/secret", Escape),
        ("%2E%2E%2Fsecret", Escape),
        ("./../secret", Escape),
        ("a/../../secret", Escape),
        ("..\\secret", Escape),
        ("..%5Csecret", Escape),
        ("/etc/passwd", Absolute),
        ("%2Fetc%2Fpasswd", Absolute),
        ("\\\\server\\share", Absolute),
        ("%43%3A/windows", Absolute),
        ("C:/windows", Scheme),
        ("file:///etc/passwd", Scheme),
        ("http://example.org/a.bin", Scheme),
        ("HTTPS:a", Scheme),
        ("a%2", PercentEncoding),
        ("a%zz", PercentEncoding),
        ("a%00.bin", PercentEncoding),
        ("%ff%fe", PercentEncoding),
        ("", NotAPath),
        ("a.bin?x=1", NotAPath),
        ("a.bin#top", NotAPath),
    ] {
        assert_eq!(problem(uri, Some(&inner)), expected, "{uri}");
    }
    assert_eq!(problem("a.bin", None), NoFolder);
}

#[cfg(unix)]
#[test]
fn symbolic_links_may_not_lead_out() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    std::fs::create_dir(&inner).unwrap();
    std::fs::write(folder.path().join("secret"), b"x").unwrap();
    std::fs::write(inner.join("fine"), b"x").unwrap();
    std::os::unix::fs::symlink(folder.path().join("secret"), inner.join("out")).unwrap();
    std::os::unix::fs::symlink(inner.join("fine"), inner.join("in")).unwrap();
    assert_eq!(problem("out", Some(&inner)), UriProblem::Escape);
    assert!(resolve("in", Some(&inner)).is_ok());
}

#[test]
fn base64_with_or_without_padding() {
    for (uri, expected) in [
        ("data:;base64,AQID", vec![1, 2, 3]),
        ("DATA:application/octet-stream;BASE64,AQI=", vec![1, 2]),
        ("data:application/gltf-buffer;base64,AQI", vec![1, 2]),
        ("data:image/png;charset=x;base64,%2B%2F8%3D", vec![0xFB, 0xFF]),
        ("data:;base64,", vec![]),
    ] {
        let Ok(Target::Base64(text)) = resolve(uri, None) else { panic!("{uri} is refused") };
        assert_eq!(decode_base64(uri, text).unwrap(), expected, "{uri}");
        assert!(base64_size(text) >= expected.len() as u64);
    }
    assert_eq!(problem("data:text/plain,hello", None), UriProblem::DataHeader);
    assert_eq!(problem("data:;base64", None), UriProblem::DataHeader);
    for text in ["A", "AQ!D", "AQID====", "A%3", "\u{e9}AA"] {
        assert!(matches!(decode_base64("data:", text), Err(ErrorKind::Uri { .. })), "{text}");
    }
}

#[test]
fn files_are_read_up_to_a_limit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("five");
    std::fs::write(&path, b"12345").unwrap();
    assert_eq!(read_file(&path, 5).unwrap(), b"12345");
    let error = read_file(&path, 4).unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Limit { found: 5, limit: 4, option: "file_bytes", .. }));
    assert_eq!(error.file.as_deref(), Some(path.as_path()));
    assert!(matches!(read_file(folder.path(), 4).unwrap_err().kind, ErrorKind::NotAFile));
}

#[test]
fn long_uris_are_shown_short() {
    let ErrorKind::Uri { uri, .. } = refuse(&"x".repeat(5000), UriProblem::Scheme) else { panic!("a URI") };
    assert_eq!(uri.chars().count(), 81);
}
