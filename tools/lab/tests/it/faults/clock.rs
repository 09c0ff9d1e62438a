//! The system clock changes during a match. `faketime` simulates the change, if installed.

use std::fs;
use std::path::PathBuf;

use crate::common::play::{games, searching};
use crate::common::{Directory, command, done, faulty_engine, signal, start_command};
use crate::common::{success, wait, wait_until};

fn faketime() -> Option<PathBuf> {
    let folders = ["/usr/lib", "/usr/lib64", "/usr/local/lib"].into_iter().map(PathBuf::from);
    let below = |folder: PathBuf| {
        let inside = fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path());
        [folder].into_iter().chain(inside.collect::<Vec<_>>())
    };
    let mut found = folders.flat_map(below).map(|folder| folder.join("faketime/libfaketimeMT.so.1"));
    let found = found.find(|path| path.is_file());
    if found.is_none() {
        eprintln!("left out: `faketime` is not installed");
    }
    found
}

/// Changes the clock by an hour during a match, kills the match and resumes it.
fn stepped(step: &str) {
    let Some(library) = faketime() else { return };
    let directory = Directory::new(&format!("fault-clock{step}"));
    let clock = directory.file("clock", "+0");
    let (out, log) = (directory.path("out"), directory.path("log"));
    let limits = "tc=20+0.05,timemargin=5000";
    let seeded = format!("--engine=name=A,cmd={} seeded,{limits}", faulty_engine());
    let plumb = searching("B", 2000);
    let late = format!("--engine=name=C,cmd={} late 0,{limits}", faulty_engine());
    let settings = ["match", &seeded, &plumb, &late, "--rounds=2", "--concurrency=3", "--report-every=0"];
    let whole = directory.path("whole");
    let expected = done(&[&settings[..], &["--out", &whole]].concat());
    let run = || {
        let mut command = command(&[&settings[..], &["--out", &out, "--log", &log, "--resume"]].concat());
        command
            .env("LD_PRELOAD", &library)
            .env("FAKETIME_TIMESTAMP_FILE", &clock)
            .env("FAKETIME_NO_CACHE", "1");
        // Only the wall clock changes, not the monotonic clock.
        start_command(command.env("DONT_FAKE_MONOTONIC", "1").env("FAKETIME_DONT_FAKE_MONOTONIC", "1"))
    };
    let lines = || fs::read_to_string(format!("{out}/match.jsonl")).unwrap_or_default().lines().count();
    let mut child = run();
    wait_until(&mut child, || lines() >= 3);
    directory.file("clock", step);
    let before = lines();
    wait_until(&mut child, || lines() >= before + 3);
    signal("KILL", child.id());
    wait(child);
    directory.file("clock", "+0");
    assert_eq!(success(wait(run())), expected);
    assert_eq!(without_clocks(&out), without_clocks(&whole));
    // Two successive times in the log differ by about an hour.
    let log = directory.read("log");
    let seconds = |line: &str| -> Option<i64> {
        let number = |range: std::ops::Range<usize>| line.get(range)?.parse::<i64>().ok();
        Some((number(8..10)? * 24 + number(11..13)?) * 3600 + number(14..16)? * 60 + number(17..19)?)
    };
    let times: Vec<_> = log.lines().filter_map(seconds).collect();
    assert!(times.windows(2).any(|pair| (pair[1] - pair[0]).abs() > 3000), "the clock was set");
}

/// The recorded games without clock times. Panics if a game ended by a fault.
fn without_clocks(out: &str) -> Vec<serde_json::Value> {
    let mut games = games(out);
    for game in &mut games {
        assert!(game["detail"].is_null(), "{game}");
        for played in game["moves"].as_array_mut().expect("moves") {
            played.as_object_mut().expect("a move").remove("clock_ms");
        }
    }
    games
}

#[test]
fn a_clock_that_is_set_costs_no_time_and_no_game() {
    ["+1h", "-1h"].into_iter().for_each(stepped);
}
