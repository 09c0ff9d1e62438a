//! Engines and matches that get SIGSTOP, SIGCONT, SIGKILL or SIGTERM.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use super::support::{assert_recovered, children};
use crate::common::play::games;
use crate::common::{Directory, faulty_engine, signal, start, wait, wait_until};

/// Plays four games in which an engine thinks 0.4 s per move. While it thinks, calls `act` with the process ids of the
/// engine and of plumb-lab. Returns termination reason and detail of each game.
fn played_while(name: &str, limit: &str, act: impl FnOnce(u32, u32)) -> Vec<(String, String)> {
    let directory = Directory::new(name);
    let (out, log) = (directory.path("out"), directory.path("log"));
    let slow = format!("--engine=name=slow,cmd={} late 0,{limit}", faulty_engine());
    let quick = format!("--engine=name=quick,cmd={} seeded,st=60", faulty_engine());
    let flags = ["--recover", "--rounds=2", "--report-every=0"];
    let arguments = [&["match", &slow, &quick], &flags[..], &["--out", &out, "--log", &log]].concat();
    let mut child = start(&arguments);
    // The first two processes only check the engines, so the third plays.
    wait_until(&mut child, || fs::read_to_string(&log).is_ok_and(|log| log.contains(">slow(3): go")));
    let is_slow = |&engine: &u32| {
        fs::read(format!("/proc/{engine}/cmdline"))
            .is_ok_and(|words| words.windows(4).any(|word| word == b"late"))
    };
    let slow = children(child.id()).into_iter().find(is_slow).expect("it is thinking");
    act(slow, child.id());
    assert_recovered(&wait(child));
    let games = games(&out);
    assert_eq!(games.len(), 4);
    let text = |game: &serde_json::Value, key: &str| game[key].as_str().unwrap_or_default().to_owned();
    for game in &games {
        let loser = if game["result"] == "1-0" { "second" } else { "first" };
        let is_blamed = !text(game, "detail").is_empty();
        assert!(!is_blamed || text(game, loser) == "slow", "{game}");
    }
    games.iter().map(|game| (text(game, "reason"), text(game, "detail"))).collect()
}

/// Details of the games with a fault. Panics if a fault is not for `reason`.
fn only(reason: &str, ended: Vec<(String, String)>) -> Vec<String> {
    let is_fault = |(_, detail): &(String, String)| !detail.is_empty();
    let faults: Vec<_> = ended.into_iter().filter(is_fault).collect();
    assert!(faults.iter().all(|(found, _)| found == reason), "{reason}: {faults:?}");
    faults.into_iter().map(|(_, detail)| detail).collect()
}

#[test]
fn an_engine_that_is_stopped_for_good_loses_one_game() {
    let ended = played_while("fault-stopped", "st=0.9,timemargin=5000", |engine, _| signal("STOP", engine));
    let details = only("hang", ended);
    assert_eq!(details, ["no answer to `stop` within 2.0 s"]);
}

#[test]
fn an_engine_that_is_continued_in_time_loses_nothing() {
    let ended = played_while("fault-continued", "st=60", |engine, _| {
        signal("STOP", engine);
        sleep(Duration::from_millis(600));
        signal("CONT", engine);
    });
    assert_eq!(only("", ended), [""; 0]);
}

#[test]
fn an_engine_that_is_continued_too_late_loses_on_time_and_plays_on() {
    let ended = played_while("fault-late", "st=0.9,timemargin=5000", |engine, _| {
        signal("STOP", engine);
        // The move exceeds 0.9 s plus the margin of 5 s, but arrives within 2 s after `stop`.
        sleep(Duration::from_secs(6));
        signal("CONT", engine);
    });
    let details = only("time_forfeit", ended);
    assert!(details.len() == 1 && details[0].starts_with("the move took "), "{details:?}");
}

/// plumb-lab is stopped, as by Ctrl-Z, while the engine answers in time.
#[test]
fn time_in_which_the_match_is_stopped_costs_no_engine_its_game() {
    let ended = played_while("fault-referee", "st=2,timemargin=3000", |_, lab| {
        signal("STOP", lab);
        sleep(Duration::from_secs(6));
        signal("CONT", lab);
    });
    assert_eq!(only("", ended), [""; 0]);
}

/// The system sends SIGKILL when memory is exhausted.
#[test]
fn an_engine_that_is_killed_loses_one_game_and_is_started_again() {
    let ended = played_while("fault-killed", "st=60", |engine, _| signal("KILL", engine));
    assert_eq!(only("crash", ended), ["has ended (signal: 9 (SIGKILL))"]);
}

/// A scheduler that ends a job signals its processes one by one.
#[test]
fn an_engine_that_is_ended_together_with_the_match_has_not_crashed() {
    let directory = Directory::new("fault-scheduler");
    let (out, log) = (directory.path("out"), directory.path("log"));
    let slow = |name: &str| format!("--engine=name={name},cmd={} late 0,st=60", faulty_engine());
    let arguments = ["match", &slow("A"), &slow("B"), "--rounds=2", "--out", &out, "--log", &log];
    let mut child = start(&arguments);
    wait_until(&mut child, || fs::read_to_string(&log).is_ok_and(|log| log.contains(": go")));
    let process = child.id();
    for engine in children(process) {
        signal("TERM", engine);
    }
    sleep(Duration::from_millis(50));
    signal("TERM", process);
    assert_eq!(wait(child).0, Some(143));
    assert_eq!(games(&out).len(), 0);
}
