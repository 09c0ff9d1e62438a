//! Runs whose standard output fails still write their files.
#![cfg(unix)]

use std::fs::{self, File};
use std::io::{PipeWriter, pipe};
use std::process::{Child, Command, Stdio};

use crate::common::play::{pair, record};
use crate::common::{
    Directory, Ended, command, done, end_by, engine, signal, start_command, wait, wait_until,
};

fn closed_pipe() -> PipeWriter {
    pipe().expect("a pipe").1
}

fn start_with(arguments: &[&str], stdout: impl Into<Stdio>) -> Child {
    let mut command = command(arguments);
    command.stdin(Stdio::null()).stdout(stdout).stderr(Stdio::piped()).spawn().expect("plumb-lab runs")
}

fn run_unread(arguments: &[&str]) -> Ended {
    wait(start_with(arguments, closed_pipe()))
}

fn reported_games(out: &str) -> usize {
    let count = record(out).lines().count() - 1;
    let pgn = fs::read_to_string(format!("{out}/games.pgn")).expect("the PGN is there");
    assert_eq!(pgn.matches("[Result ").count(), count);
    let summary = fs::read_to_string(format!("{out}/summary.json")).expect("the figures are there");
    let summary: serde_json::Value = serde_json::from_str(&summary).expect("JSON");
    assert_eq!(summary["games"]["played"], count);
    assert!(fs::metadata(format!("{out}/report.html")).is_ok());
    count
}

fn wait_for_games(child: &mut Child, out: &str, count: usize) {
    let path = format!("{out}/match.jsonl");
    wait_until(child, || fs::read_to_string(&path).unwrap_or_default().lines().count() > 1 + count);
}

#[test]
fn a_match_without_a_reader_is_played_to_its_end() {
    let directory = Directory::new("unread-match");
    let ([one, other], out) = (pair("random 1"), directory.path("out"));
    let settings = ["match", &one, &other, "--rounds=5"];
    assert_eq!(run_unread(&settings).0, Some(141), "without files there is nothing to do");
    let (code, _, err) = run_unread(&[&settings[..], &["--out", &out]].concat());
    assert_eq!((code, reported_games(&out)), (Some(0), 10), "{err}");
    assert!(!err.contains("standard output"), "{err}");
}

#[test]
fn a_match_is_interrupted_in_good_order_after_its_reader() {
    let directory = Directory::new("unread-interrupted");
    let [one, other] = pair("random 1");
    let out = directory.path("out");
    let settings = ["match", &one, &other, "--rounds=4000", "--out", &out];
    let mut child = start_with(&settings, closed_pipe());
    wait_for_games(&mut child, &out, 4);
    // When a terminal closes, the shell and the system each send SIGHUP.
    signal("HUP", child.id());
    let (code, _, err) = end_by("HUP", child);
    assert_eq!(code, Some(129), "{err}");
    let count = reported_games(&out);
    let mut child = start_with(&["match", "--resume", "--out", &out], closed_pipe());
    wait_for_games(&mut child, &out, count);
    assert_eq!(end_by("INT", child).0, Some(130));
    assert!(reported_games(&out) > count);
}

/// `nohup` starts a program with SIGHUP ignored.
#[test]
fn a_hangup_that_is_ignored_at_the_start_stays_ignored() {
    let directory = Directory::new("nohup");
    let ([one, other], out) = (pair("random 1"), directory.path("out"));
    let mut nohup = Command::new("sh");
    nohup.args(["-c", "trap '' HUP; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_plumb-lab")]);
    nohup.args(["match", &one, &other, "--rounds=4000", "--report-every=0", "--out", &out]);
    let mut child = start_command(&mut nohup);
    wait_for_games(&mut child, &out, 1);
    signal("HUP", child.id());
    let count = record(&out).lines().count();
    wait_for_games(&mut child, &out, count + 4);
    assert_eq!(end_by("INT", child).0, Some(130));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_reported_and_costs_no_game() {
    let directory = Directory::new("full-match");
    let ([one, other], out) = (pair("random 1"), directory.path("out"));
    let settings = ["match", &one, &other, "--rounds=5", "--out", &out];
    let full = File::options().write(true).open("/dev/full").expect("Linux has it");
    let (code, _, err) = wait(start_with(&settings, full));
    let sentence = "cannot write to standard output: No space left on device (os error 28)";
    assert_eq!((code, reported_games(&out)), (Some(2), 10), "{err}");
    assert_eq!(err.matches(sentence).count(), 2, "{err}");
    assert!(err.contains(&format!("{sentence}; the results are still written to their files\n")), "{err}");
    assert!(err.ends_with(&format!("plumb-lab: {sentence}\n")), "{err}");
}

#[test]
fn other_long_commands_write_their_files_without_a_reader() {
    let (directory, engine) = (Directory::new("unread"), engine());
    let wrong = directory.file("wrong.txt", "23163416124767223154467471272416755633 1\n");
    let names = ["a.csv", "a.json", "a.svg", "classes"];
    let [csv, json, picture, classes] = names.map(|name| directory.path(name));
    let time = ["latency", "41", "--count=1", "--sizes=1", "--engine", &engine, "--svg", &picture];
    done(&["positions", "end-easy", "--count=2", "--hash=1", "--out", &classes]);
    for (arguments, expected, results) in [
        (&["suite", "--hash=1", &wrong, "--csv", &csv, "--json", &json][..], 1, &[&csv, &json][..]),
        (&["positions", "end-easy", "middle-easy", "--count=2", "--hash=1", "--out", &classes], 0, &[]),
        (&time, 0, &[&picture]),
    ] {
        let (code, _, err) = run_unread(arguments);
        assert_eq!(code, Some(expected), "{arguments:?}: {err}");
        for path in results {
            assert!(fs::metadata(path).expect("it is there").len() > 0, "{path}");
        }
    }
    assert_eq!(directory.read("classes/middle-easy.txt").lines().count(), 3);
}
