//! Two runs with one output: the second run is refused, unless the first run was killed.

use std::process::Child;

use crate::common::{Directory, engine, kill, lab, start, wait_until};

const SUITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/suites/begin-medium.txt");

fn started(arguments: &[&str], directory: &Directory, result: &str) -> Child {
    let mut child = start(arguments);
    let lock = directory.path(&format!("{result}.lock"));
    let holder = child.id().to_string();
    wait_until(&mut child, || std::fs::read_to_string(&lock).is_ok_and(|text| text.contains(&holder)));
    child
}

#[test]
fn a_second_run_is_refused_and_one_that_was_killed_stops_nobody() {
    let directory = Directory::new("locks");
    let path = |name: &str| directory.path(name);
    let positions: String = std::fs::read_to_string(SUITE)
        .expect("the suite is there")
        .lines()
        .map(|line| line.split(' ').next().unwrap_or_default().to_owned() + "\n")
        .collect();
    let (input, engine) = (directory.file("in.txt", &positions), format!("--engine=cmd={}", engine()));
    let [labels, csv, tuning, study, depths, book, suites, play] =
        ["l.csv", "s.csv", "t", "ts", "ds", "p", "pos", "m"].map(path);
    let commands: [(&[&str], &str); 8] = [
        (&["label", &input, "--threads", "1", "--no-book", "--out", &labels], "l.csv"),
        (&["suite", SUITE, "--csv", &csv, "--shard", "1/1"], "s.csv"),
        (&["tune-hash", "--sizes", "1,2", "--movetime", "500", "--out", &tuning], "t/tune-hash.csv"),
        (&["plumb-studies", "table", SUITE, "--sizes", "1MB", "--out", &study], "ts/table-study.csv"),
        (&["plumb-studies", "depth", "--max-depth", "12", "--out", &depths], "ds/depth-study.csv"),
        (&["book", "build", "--board", "6x6", "--plies", "8", "--out", &book], "p"),
        (&["positions", "begin-medium", "--count", "500", "--out", &suites], "pos/begin-medium.txt"),
        (&["match", &engine, "--engine=skill-3", "--each=st=1", "--resume", "--out", &play], "m/match.jsonl"),
    ];
    for (arguments, result) in commands {
        let first = started(arguments, &directory, result);
        let (code, out, err) = lab(arguments);
        assert_eq!((code, out.as_str(), err.lines().count()), (Some(1), "", 1), "{arguments:?}: {err}");
        let holder =
            format!("`{}` is being written by another run: process {}, since ", path(result), first.id());
        assert!(err.split_once(": ").is_some_and(|(_, sentence)| sentence.starts_with(&holder)), "{err}");
        kill(first);
        kill(started(arguments, &directory, result));
    }
}
