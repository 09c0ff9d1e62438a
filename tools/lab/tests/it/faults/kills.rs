//! Matches that are interrupted or killed at random moments, and match records that are deleted.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use plumb::mix::Random;

use super::support::{cases, settings};
use crate::common::play::{games, record, searching, with};
use crate::common::{Directory, done, signal, start, success, wait, wait_until};

/// Maximum delay before each of the first 20 signals, in microseconds. A match takes longer.
const LONGEST: u32 = 150_000;
const ROUNDS: u32 = 50;

fn slow_settings(rounds: u32) -> Vec<String> {
    let mut settings = settings(rounds);
    settings[2] = searching("B", 2000);
    settings
}

fn whole_lines(out: &str) -> String {
    let text = fs::read_to_string(format!("{out}/match.jsonl")).unwrap_or_default();
    text[..text.rfind('\n').map_or(0, |end| end + 1)].to_owned()
}

#[test]
fn a_match_that_is_killed_again_and_again_ends_with_the_same_games() {
    let directory = Directory::new("fault-kills");
    let settings = slow_settings(ROUNDS);
    let whole = directory.path("whole");
    let expected = done(&with(&settings, &["--out", &whole]));
    for seed in 0..cases(2) {
        let out = directory.path(&seed.to_string());
        let arguments = with(&settings, &["--out", &out, "--resume", "--concurrency", "2"]);
        let mut random = Random::new(seed.into(), 0);
        let (mut kills, mut before) = (0, String::new());
        while before.lines().count() < 1 + 2 * ROUNDS as usize {
            let child = start(&arguments);
            // Delays increase, so games are played even on a slow machine.
            sleep(Duration::from_micros(random.below(LONGEST * (1 + kills / 20)).into()));
            let name = if random.below(2) == 0 { "INT" } else { "KILL" };
            signal(name, child.id());
            let ended = wait(child);
            // The signal may arrive before its handler is installed, or after the last game.
            let is_interrupted = ended.0 == Some(130) && ended.2.contains("interrupted after ");
            let is_in_order = is_interrupted || matches!(ended.0, None | Some(0));
            assert!(is_in_order, "{name}: {ended:?}");
            let after = whole_lines(&out);
            assert!(after.starts_with(&before), "{name}: nothing that was written is lost");
            (kills, before) = (kills + 1, after);
        }
        eprintln!("seed {seed}: {kills} kills");
        assert_eq!(done(&arguments), expected, "seed {seed}");
        assert_eq!(games(&out), games(&whole), "seed {seed}");
        let pgn = fs::read_to_string(format!("{out}/games.pgn")).expect("it is there");
        assert_eq!(pgn.matches("[Result ").count(), 2 * ROUNDS as usize);
    }
}

/// Calls `remove` to delete files of a running match. The match must have the games of an undisturbed match.
fn played_while(name: &str, remove: impl FnOnce(&str)) {
    let directory = Directory::new(name);
    let settings = slow_settings(ROUNDS);
    let (whole, out) = (directory.path("whole"), directory.path("out"));
    let expected = done(&with(&settings, &["--out", &whole]));
    let mut child = start(&with(&settings, &["--out", &out]));
    wait_until(&mut child, || whole_lines(&out).lines().count() >= 4);
    remove(&out);
    assert_eq!(success(wait(child)), expected);
    assert_eq!(games(&out), games(&whole));
    assert_eq!(record(&out).lines().count(), 1 + 2 * ROUNDS as usize, "no game is there twice");
    assert!(fs::exists(format!("{out}/report.html")).expect("readable"));
}

#[test]
fn a_record_that_vanishes_is_written_again() {
    played_while("fault-removed", |out| {
        fs::remove_file(format!("{out}/match.jsonl")).expect("it is there");
    });
    played_while("fault-moved", |out| {
        fs::rename(out, format!("{out}-elsewhere")).expect("it is there");
    });
}

/// Engines must end with plumb-lab, even if SIGKILL ends it or only plumb-lab gets Ctrl-C.
#[cfg(target_os = "linux")]
#[test]
fn engines_of_a_killed_match_end_too() {
    use super::support::{children, wait_for_end};
    for name in ["INT", "KILL"] {
        let settings = slow_settings(1000);
        let mut child = start(&with(&settings, &["--openings=random"]));
        let (id, mut engines) = (child.id(), Vec::new());
        wait_until(&mut child, || {
            engines = children(id);
            engines.len() == 2
        });
        signal(name, id);
        wait(child);
        engines.into_iter().for_each(wait_for_end);
    }
}

/// An engine that thinks without reading does not see the end of its input.
#[cfg(target_os = "linux")]
#[test]
fn an_engine_that_does_not_read_ends_with_a_killed_match() {
    use super::support::{children, wait_for_end};
    use crate::common::{faulty_engine, kill};
    let directory = Directory::new("fault-unread");
    let log = directory.path("log");
    let engine = |name: &str| format!("--engine=name={name},cmd={} hangs,st=600", faulty_engine());
    for affinity in [&[][..], &["--affinity=0"]] {
        let settings = ["match", &engine("A"), &engine("B"), "--log", &log];
        let mut child = start(&[&settings[..], affinity].concat());
        wait_until(&mut child, || fs::read_to_string(&log).is_ok_and(|log| log.contains(": go ")));
        let engines = children(child.id());
        assert_eq!(engines.len(), 2);
        kill(child);
        engines.into_iter().for_each(wait_for_end);
        fs::remove_file(&log).expect("it is there");
    }
}
