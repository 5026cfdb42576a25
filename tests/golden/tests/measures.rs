//! The measures must find between two peers what was published about them: that validates the measures.
use pellucid_golden_tests::{Picture, assets, measure};

/// A row of the table in `goldens/README.md`.
#[derive(Debug)]
struct Row {
    model: String,
    tonemap: String,
    iou: f64,
    flip: f64,
    delta_e: f64,
    gain: [f64; 3],
}

fn parse(line: &str) -> Option<Row> {
    let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
    let [model, tonemap, iou, flip, delta_e, _ssim, gain] = cells[..] else { return None };
    let gain: Vec<f64> = gain.split_whitespace().filter_map(|g| g.parse().ok()).collect();
    Some(Row {
        model: model.to_owned(),
        tonemap: tonemap.to_owned(),
        iou: iou.parse().ok()?,
        flip: flip.parse().ok()?,
        delta_e: delta_e.parse().ok()?,
        gain: gain.try_into().ok()?,
    })
}

#[test]
fn the_published_noise_floor_is_reproduced() {
    let Some(shared) = assets::shared("measures").unwrap() else { return };
    let readme = assets::read_text(&shared.join("goldens/README.md")).unwrap();
    let rows: Vec<Row> = readme.lines().filter_map(parse).collect();
    assert_eq!(rows.len(), 38, "19 models with two tone maps");
    for row in rows {
        let load =
            |peer| Picture::load(&assets::peer_picture(&shared, peer, &row.model, &row.tonemap)).unwrap();
        let found = measure::likeness(&load("three"), &load("khronos")).unwrap();
        // Half a digit of the table's last place, and a little for its own rounding.
        let near = |what: &str, published: f64, found: f64, step: f64| {
            assert!(
                (published - found).abs() <= step + 1e-9,
                "{} {}: {what} published {published}, measured {found}",
                row.model,
                row.tonemap
            );
        };
        near("IoU", row.iou, found.iou, 0.000_06);
        near("FLIP", row.flip, found.flip, 0.001);
        near("delta E", row.delta_e, found.delta_e, 0.01);
        for c in 0..3 {
            near("gain", row.gain[c], found.gain[c], 0.01);
        }
    }
}
