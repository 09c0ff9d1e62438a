//! `plumb-lab match`: pondering, adjudication, and what is printed and written of games.

mod common;

use std::fs;

use common::play::play;
use common::{Directory, engine, faulty_engine, lab};

#[test]
fn solved_games_are_adjudicated_to_the_same_results() {
    let _engine_exists = engine();
    let directory = Directory::new("match-solved");
    let out = directory.path("out");
    let settings =
        ["--engine", "plumb", "--engine", "plumb", "--each", "nodes=400000", "--openings", "decided"];
    let settings = [&settings[..], &["--rounds", "3"]].concat();
    let played = play(&settings);
    let adjudicated = play(&[&settings[..], &["--adjudicate", "solved", "--out", &out]].concat());
    assert_eq!(adjudicated, played);
    let games = fs::read_to_string(format!("{out}/match.jsonl")).expect("the games are there");
    assert_eq!(games.matches("\"reason\":\"adjudicated\"").count(), 6);
}

#[test]
fn engines_may_think_on_their_opponents_time() {
    let _engine_exists = engine();
    let directory = Directory::new("match-ponder");
    let out = directory.path("out");
    let each = "--each=tc=20/1+0.02,timemargin=60000,ponder=true,option.OwnBook=false";
    play(&["--engine=plumb,name=A", "--engine=plumb,name=B,proto=ugi", each, "--rounds=2", "--out", &out]);
    let games = fs::read_to_string(format!("{out}/match.jsonl")).expect("the games are there");
    for game in games.lines().skip(1) {
        assert!(game.contains("four_in_a_row") || game.contains("full_board"), "{game}");
        assert!(game.contains("clock_ms"), "{game}");
    }
}

#[test]
fn into_a_file_each_game_has_a_line() {
    let faulty_engine = faulty_engine();
    let engines = ["one", "two"].map(|name| format!("name={name},cmd={faulty_engine} random 1,st=5"));
    let settings = ["match", "--engine", &engines[0], "--engine", &engines[1], "--rounds", "21"];
    let (code, out, err) = lab(&settings);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert_eq!(out.lines().filter(|line| line.starts_with("game ")).count(), 42, "{out}");
    assert!(out.contains("; 42 of 42 games, one +"), "{out}");
    // The standings after 20 and 40 games, and at the end.
    assert_eq!(out.lines().filter(|line| line.starts_with("engine ")).count(), 3, "{out}");
    assert!(out.lines().filter(|line| !line.starts_with("game ")).all(|line| line.chars().count() <= 80));
    let (_, out, _) = lab(&[&settings[..], &["--report-every", "20"]].concat());
    let counts: Vec<_> = out.lines().filter(|line| line.contains(" of 42 games")).collect();
    assert!(counts.len() == 2 && counts[0].starts_with("20 of 42 games, one +"), "{out}");
    assert_eq!(out.lines().filter(|line| line.starts_with("engine ")).count(), 1, "{out}");
}

#[test]
fn games_reports_and_blunders_are_written() {
    let engine = engine();
    let directory = Directory::new("match-report");
    let out = directory.path("out");
    let strong = format!("--engine=name=strong,cmd={engine},nodes=200000,option.OwnBook=false");
    let weak = format!("--engine=name=<b>weak</b>,cmd={engine},depth=2,proto=ugi");
    let openings = ["--rounds=4", "--openings=random", "--plies=16"];
    let more = ["--blunders", "--concurrency=2", "--sprt=0,400", "--out", &out];
    let said = play(&[&[strong.as_str(), &weak], &openings[..], &more].concat());
    assert!(said.contains("LLR"), "{said}");
    let text = fs::read_to_string(format!("{out}/match.jsonl")).expect("the games are there");
    let games: Vec<serde_json::Value> =
        text.lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON")).collect();
    for game in &games {
        let is_strong = |index: usize| {
            let opening = game["opening"]["moves"].as_str().expect("digits").len();
            (game["first"] == "strong") == ((opening + index).is_multiple_of(2))
        };
        for (index, made) in game["moves"].as_array().expect("moves").iter().enumerate() {
            let loss = made["loss"].as_i64().expect("each move was looked at");
            assert!(loss >= 0 && (loss == 0 || !is_strong(index)), "{game}");
        }
    }
    let pgn = fs::read_to_string(format!("{out}/games.pgn")).expect("the PGN is there");
    assert_eq!(pgn.matches("[Variant \"cfour\"]").count(), games.len());
    let report = fs::read_to_string(format!("{out}/report.html")).expect("the report is there");
    assert!(report.contains("\\u003cb\\u003eweak") && !report.contains("<b>weak"), "names are text");
    assert!(report.contains("<script id=\"match-record\"") && report.contains("\"phase\":\"end\""));
}

#[test]
fn openings_may_be_played_once() {
    let directory = Directory::new("match-once");
    let engine = faulty_engine();
    let engines = ["A", "B"].map(|name| format!("--engine=name={name},cmd={engine} random 1,st=60"));
    let firsts = |more: &str| {
        let out = directory.path(more);
        let said = play(&[&engines[0], &engines[1], "--rounds=3", "--pgn-fields=none", "--out", &out, more]);
        assert!(said.contains("A: Elo ") && !said.contains("pairs"), "{said}");
        let pgn = fs::read_to_string(format!("{out}/games.pgn")).expect("the PGN is there");
        assert!(!pgn.contains('{'), "{pgn}");
        pgn.lines().filter_map(|line| line.strip_prefix("[White ")).map(str::to_owned).collect::<String>()
    };
    assert_eq!(firsts("--no-swap"), "\"A\"]\"A\"]\"A\"]");
    assert_eq!(firsts("--alternate"), "\"A\"]\"B\"]\"A\"]");
}

/// The engines tell on which processors they run; of each game they are those of its place.
#[cfg(target_os = "linux")]
#[test]
fn engines_run_on_the_processors_of_their_game() {
    let directory = Directory::new("match-affinity");
    let allowed = fs::read_to_string("/proc/self/status").expect("Linux has it");
    let list = |status: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
        line.expect("a list").trim().to_owned()
    };
    let all = list(&allowed);
    let first: String = all.chars().take_while(char::is_ascii_digit).collect();
    let script = directory.path("engine.sh");
    let (status, engine) = (directory.path("status"), faulty_engine());
    let text = format!("cat /proc/self/status >> '{status}'; exec '{engine}' random 1");
    fs::write(&script, text).expect("a script can be written");
    let engines = ["A", "B"].map(|name| format!("--engine=name={name},cmd=sh '{script}',st=60"));
    play(&[&engines[0], &engines[1], "--rounds=1", "--affinity", &first]);
    let said = fs::read_to_string(&status).expect("the engines wrote it");
    let lists: Vec<_> = said.split("Name:").skip(1).map(list).collect();
    // Each is started once before the first game.
    assert_eq!(lists, [first.as_str(); 4]);

    let out = directory.path("out");
    let refused = |affinity: &str, fault: &str| {
        let affinity = ["--rounds=1", "--out", &out, "--affinity", affinity];
        let (code, _, err) = lab(&[&["match", &engines[0], &engines[1]], &affinity[..]].concat());
        assert!(code == Some(2) && err.contains(fault), "{err}");
        assert!(!std::path::Path::new(&out).join("match.jsonl").exists(), "no match has begun");
    };
    refused("0,1023", "processors 0,1023: not all of them are there for this program");
    refused("0-2,x", "`x`: expected a number up to 1023 or a range as in `0-3`");
}

#[test]
fn engines_are_started_anew_for_each_game_if_asked_for() {
    let directory = Directory::new("match-restart");
    let engine = faulty_engine();
    let engines = ["A", "B"].map(|name| format!("--engine=name={name},cmd={engine} random 1,st=60"));
    let starts = |more: &[&str]| {
        let log = directory.path(&more.len().to_string());
        play(&[&[&engines[0], &engines[1], "--rounds=2", "--log", &log], more].concat());
        std::fs::read_to_string(log).expect("the log is there").matches(": uci\n").count()
    };
    // Each is started once before the first game.
    assert_eq!(starts(&[]), 2 + 2);
    assert_eq!(starts(&["--restart", "--wait=1"]), 2 + 8);
}
