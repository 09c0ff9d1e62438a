//! `plumb-lab match --openings lost|drawn` and `plumb-lab fit-opponent`: real engines, real records.

use crate::common::play::play;
use crate::common::{Directory, done, engine};

/// A match of two engines under test against a weak one; `more` are further settings.
fn settings<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let engines = [
        "--engine=plumb,name=on",
        "--engine=plumb,name=off,option.Swindle=false",
        "--engine=skill-10,name=weak",
        "--each=nodes=20000,option.Hash=1",
        "--tested=2",
        "--out",
        out,
    ];
    [&engines[..], more].concat()
}

#[test]
fn engines_under_test_start_from_lost_and_drawn_positions() {
    let _engine_exists = engine();
    let directory = Directory::new("match-theory");
    for starts in ["lost", "drawn"] {
        let out = directory.path(starts);
        let openings = format!("--openings={starts}");
        let said = play(&settings(&out, &[&openings, "--rounds=4"]));
        let row = |name: &str| {
            let row = said.lines().rfind(|line| line.starts_with(name)).expect("a row");
            row.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
        };
        assert!(said.contains("\nbeyond theory "), "{said}");
        for name in ["on - weak", "off - weak"] {
            let row = row(name);
            assert_eq!(row[3], "4", "{said}");
            // Perfect play gives nothing away.
            assert!(row.windows(2).any(|pair| pair[0] == "0" && pair[1] == "of"), "{said}");
        }
        assert!(said.contains("\non - off: "), "{said}");
        let report = directory.read(&format!("{starts}/report.html"));
        assert!(report.contains("\"headings\":[\"beyond theory\""), "the report has the table");
        // Going on needs nothing but the directory, and more rounds keep the openings before.
        let again = play(&["--resume", "--rounds=5", "--out", &out]);
        assert!(again.lines().any(|line| line.starts_with("on - weak") && line.contains(" 5 ")), "{again}");
    }
}

#[test]
fn a_model_is_fitted_on_recorded_games() {
    let _engine_exists = engine();
    let directory = Directory::new("fit-opponent");
    let (out, weights, picture) =
        (directory.path("out"), directory.path("weights.rs"), directory.path("fit.svg"));
    play(&settings(&out, &["--openings=lost", "--rounds=15"]));
    let said = done(&["fit-opponent", &out, "--out", &weights, "--picture", &picture]);
    let row = said.lines().find(|line| line.starts_with("weak")).expect("a row");
    let figures: Vec<f64> = row.split_whitespace().filter_map(|cell| cell.parse().ok()).collect();
    let [decisions, uniform, one_type, ..] = figures[..] else { panic!("{said}") };
    // Better than chance: the weak engine prefers good moves, and the model knows that.
    assert!(decisions > 5.0 && one_type > uniform, "{said}");
    assert!(directory.read("weights.rs").contains("const WEIGHTS: [[f64; 14]; TYPES]"));
    assert!(directory.read("fit.svg").contains("</svg>"));
    // The same games and seed give the same model.
    let again = directory.path("again.rs");
    done(&["fit-opponent", &out, "--out", &again]);
    assert_eq!(directory.read("again.rs"), directory.read("weights.rs"));
}
