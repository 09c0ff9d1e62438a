//! Files that plumb-lab did not write are overwritten only with `--force`.

use crate::common::play::pair;
use crate::common::{Directory, done, refused};

const MINE: &str = "mine\n";

fn assert_needs_force(directory: &Directory, name: &str, arguments: &[&str]) {
    let path = directory.file(name, MINE);
    assert_eq!(refused(arguments), format!("`{path}` is there already; `--force` overwrites it"));
    assert_eq!(directory.read(name), MINE);
    done(&[arguments, &["--force"]].concat());
    assert_ne!(directory.read(name), MINE, "{arguments:?}");
}

#[test]
fn a_foreign_file_is_overwritten_with_force_only() {
    let directory = Directory::new("overwriting");
    let suite = directory.file("end.txt", "23163416124767223154467471272416755633 0\n");
    let csv = directory.file("in.csv", "position\n44552266\n");
    let [counts, labels, merged] = ["counts.csv", "shard.csv", "merged.csv"].map(|name| directory.path(name));
    done(&["positions", "--count", "--plies=2", "--results", "--hash=4", "--shard=1/1", "--csv", &counts]);
    done(&["label", &csv, "--hash=4", "--shard=1/1", "--out", &labels]);
    let file = directory.path("mine.csv");
    for arguments in [
        &["suite", "--hash=1", &suite, "--csv", &file][..],
        &["suite", "--hash=1", &suite, "--json", &file],
        &["positions", "merge", &counts, "--csv", &merged, "--json", &file],
        &["solve", "4444", "--board=4x4", "--hash=1", "--json", &file],
        &["label", &csv, "--hash=4", "--out", &file],
        &["label", "merge", &labels, "--out", &file],
    ] {
        assert_needs_force(&directory, "mine.csv", arguments);
        directory.file("mine.csv", "");
        done(arguments);
    }
    let said = refused(&["latency", "41", "--svg", &file]);
    assert!(said.ends_with("is there already; `--force` overwrites it"), "{said}");
}

#[test]
fn a_match_overwrites_its_own_files_only() {
    let directory = Directory::new("overwriting-match");
    let [one, other] = pair("random 1");
    let shard = directory.path("shard");
    done(&["match", &one, &other, "--rounds=1", "--shard=1/1", "--out", &shard]);
    for report in ["games.pgn", "summary.json", "report.html"] {
        let [played, merged] = ["played", "merged"].map(|what| format!("{what}-{report}"));
        for name in [&played, &merged] {
            std::fs::create_dir(directory.path(name)).expect("it can be made");
        }
        let out = directory.path(&played);
        let arguments = ["match", &one, &other, "--rounds=1", "--out", &out];
        assert_needs_force(&directory, &format!("{played}/{report}"), &arguments);
        done(&["match", "--resume", "--rounds=2", "--out", &out]);
        let out = directory.path(&merged);
        let arguments = ["match", "merge", &shard, "--out", &out];
        assert_needs_force(&directory, &format!("{merged}/{report}"), &arguments);
        done(&arguments);
    }
}

#[test]
fn a_study_refuses_a_directory_with_foreign_reports() {
    let directory = Directory::new("overwriting-study");
    let (out, suite) =
        (directory.path(""), directory.file("end.txt", "23163416124767223154467471272416755633 0\n"));
    for (name, arguments) in [
        ("depth-study.md", &["plumb-studies", "depth", "--max-depth=1", "--out", &out][..]),
        ("table-study.md", &["plumb-studies", "table", &suite, "--out", &out]),
        ("time.svg", &["tune-hash", "--movetime=1", "--sizes=1,2", "--out", &out]),
    ] {
        let path = directory.file(name, MINE);
        assert_eq!(refused(arguments), format!("`{path}` is there already; give another `--out`"));
        assert_eq!(directory.read(name), MINE);
    }
}
