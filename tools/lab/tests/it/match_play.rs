//! `plumb-lab match`: pondering, adjudication, output, `summary.json` and report.

use std::fs;

use crate::common::play::{block, pair, play, record, searching};
use crate::common::{Directory, done, faulty_engine, lab, refused};
use serde_json::Value;

#[test]
fn solved_games_are_adjudicated_to_the_same_results() {
    let directory = Directory::new("match-solved");
    let out = directory.path("out");
    let settings =
        ["--engine", "plumb", "--engine", "plumb", "--each", "nodes=400000", "--openings", "decided"];
    let settings = [&settings[..], &["--rounds", "3"]].concat();
    let played = play(&settings);
    let adjudicated = play(&[&settings[..], &["--adjudicate", "solved", "--out", &out]].concat());
    assert_eq!(adjudicated, played);
    assert_eq!(record(&out).matches("\"reason\":\"adjudicated\"").count(), 6);
}

#[test]
fn engines_may_think_on_their_opponents_time() {
    let directory = Directory::new("match-ponder");
    let out = directory.path("out");
    let each = "--each=tc=20/1+0.02,timemargin=60000,ponder=true,option.OwnBook=false";
    play(&["--engine=plumb,name=A", "--engine=plumb,name=B,proto=ugi", each, "--rounds=2", "--out", &out]);
    for game in record(&out).lines().skip(1) {
        assert!(game.contains("four_in_a_row") || game.contains("full_board"), "{game}");
        assert!(game.contains("clock_ms"), "{game}");
    }
}

/// An engine that found its move while pondering prints nothing after `ponderhit`. Its time counts from `go ponder`.
#[test]
fn what_an_engine_reports_while_it_ponders_belongs_to_its_move() {
    let (directory, engine) = (Directory::new("match-ponder-reports"), faulty_engine());
    let (ponders, late) =
        (format!("--engine=cmd={engine} ponders,ponder=true"), format!("--engine=cmd={engine} late 15"));
    play(&[&ponders, &late, "--each=st=60", "--rounds=1", "--out", &directory.path("out")]);
    assert!(record(&directory.path("out")).matches("\"depth\":9,").count() >= 2);
    let summary = directory.read("out/summary.json");
    assert!(!summary.replace(' ', "").contains("\"latency_ms\":-"), "{summary}");
}

#[test]
fn into_a_file_each_game_has_a_line() {
    let [one, other] = pair("random 1");
    let settings = ["match", &one, &other, "--rounds", "21"];
    let out = done(&settings);
    assert_eq!(out.lines().filter(|line| line.starts_with("game ")).count(), 42, "{out}");
    assert!(out.contains("; 42 of 42 games, A +"), "{out}");
    assert_eq!(out.lines().filter(|line| line.starts_with("engine ")).count(), 3, "{out}");
    assert!(out.lines().filter(|line| !line.starts_with("game ")).all(|line| line.chars().count() <= 80));
    let out = done(&[&settings[..], &["--report-every", "20"]].concat());
    let counts: Vec<_> = out.lines().filter(|line| line.contains(" of 42 games")).collect();
    assert!(counts.len() == 2 && counts[0].starts_with("20 of 42 games, A +"), "{out}");
    assert_eq!(out.lines().filter(|line| line.starts_with("engine ")).count(), 1, "{out}");
}

#[test]
fn openings_may_be_played_once() {
    let directory = Directory::new("match-once");
    let engines = pair("random 1");
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

#[test]
fn engines_are_told_whether_to_ponder_and_one_that_never_does_is_named() {
    let directory = Directory::new("match-ponder-option");
    let log = directory.path("log");
    let engine = |name: &str, manner: &str, more: &str| {
        format!("--engine=name={name},cmd={} {manner},st=60{more}", faulty_engine())
    };
    let engines = [
        engine("A", "ponders", ",ponder=true"),
        engine("B", "ponders", ""),
        engine("C", "ponders", ",ponder=true,option.Ponder=false"),
        engine("D", "none", ",ponder=true"),
    ];
    let settings = ["match", &engines[0], &engines[1], &engines[2], &engines[3], "--rounds=1", "--log", &log];
    let (code, _, err) = lab(&settings);
    assert_eq!(code, Some(0), "{err}");
    let text = directory.read("log");
    let set = |name: &str| {
        let start = format!(">{name}: setoption name Ponder value ");
        text.lines().find_map(|line| line.split_once(&start)).map(|(_, value)| value)
    };
    let names = ["A(1)", "B(2)", "C(3)", "D(4)"];
    assert_eq!(names.map(set), [Some("true"), Some("false"), Some("false"), None]);
    let notes: Vec<_> = err.lines().filter(|line| line.contains("never pondered")).collect();
    assert!(notes.len() == 1 && notes[0].starts_with("`D` has `ponder=true` but never pondered"), "{err}");
}

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
    let (status, engine) = (directory.path("status"), faulty_engine());
    let text = format!("cat /proc/self/status >> '{status}'; exec '{engine}' random 1");
    let script = directory.file("engine.sh", &text);
    let engines = ["A", "B"].map(|name| format!("--engine=name={name},cmd=sh '{script}',st=60"));
    play(&[&engines[0], &engines[1], "--rounds=1", "--affinity", &first]);
    let said = fs::read_to_string(&status).expect("the engines wrote it");
    let lists: Vec<_> = said.split("Name:").skip(1).map(list).collect();
    assert_eq!(lists, [first.as_str(); 4], "each is started once before the first game");

    let out = directory.path("out");
    for (affinity, fault) in [
        ("0,1023", "--affinity: there is no processor 1023; expected some of "),
        ("0-2,x", "`x`: expected a number up to 1023 or a range as in `0-3`"),
    ] {
        let affinity = ["--rounds=1", "--out", &out, "--affinity", affinity];
        let said = refused(&[&["match", &engines[0], &engines[1]], &affinity[..]].concat());
        assert!(said.contains(fault), "{said}");
        assert!(!std::path::Path::new(&out).join("match.jsonl").exists(), "no match has begun");
    }
}

#[test]
fn engines_are_started_anew_for_each_game_if_asked_for() {
    let directory = Directory::new("match-restart");
    let engines = pair("random 1");
    let starts = |more: &[&str]| {
        let log = directory.path(&more.len().to_string());
        play(&[&[&engines[0], &engines[1], "--rounds=2", "--log", &log], more].concat());
        std::fs::read_to_string(log).expect("the log is there").matches(": uci\n").count()
    };
    assert_eq!(starts(&[]), 2 + 2, "each is started once before the first game");
    assert_eq!(starts(&["--restart"]), 2 + 8);
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

#[test]
fn a_table_and_a_report_have_the_figures_of_the_summary() {
    let directory = Directory::new("summary-two");
    let out = directory.path("out");
    let settings = ["--rounds=4", "--concurrency=2", "--sprt=0,400", "--blunders", "--out", &out];
    let said = play(&[&[&*searching("A", 3000), &searching("B", 300)], &settings[..]].concat());
    let found = directory.json("out/summary.json");
    let mut public = found.clone();
    for engine in public["settings"]["engines"].as_array_mut().expect("engines") {
        *engine = serde_json::json!({"name": engine["name"]});
    }
    let page = directory.read("out/report.html");
    assert_eq!(public, serde_json::from_str::<Value>(block(&page, "match-summary")).expect("JSON"));
    assert_eq!((text(&found["state"]), &found["settings"]["rounds"]), ("finished", &4.into()));
    let played = found["games"]["played"].as_u64().expect("a number");
    assert_eq!(played, found["standings"][0]["games"].as_u64().expect("a number"));
    for row in found["standings"].as_array().expect("rows") {
        let counts = ["games", "wins", "draws", "losses"].map(|key| row[key].as_u64().expect("a number"));
        assert_eq!(counts[0], counts[1..].iter().sum::<u64>());
        let name = text(&row["name"]);
        let line = said.lines().find(|line| line.starts_with(&format!("{name} "))).expect("a row");
        let [games, wins, draws, losses] = counts.map(|count| count.to_string());
        let score = format!("{:.1}%", 100.0 * row["score"].as_f64().expect("a share"));
        let moves = format!("{} of {}", row["blunders"], row["checked"]);
        let expected = [name, &games, &wins, &draws, &losses, &score, text(&row["elo"]["text"]), "0", &moves];
        let cells: Vec<_> = line.split_whitespace().collect();
        assert_eq!(cells, expected.join(" ").split_whitespace().collect::<Vec<_>>(), "{said}");
    }
    let figure = |key| format!("{:.2}", found["sprt"][key].as_f64().expect("a number"));
    let [ratio, lower, upper] = ["llr", "lower", "upper"].map(figure);
    assert!(said.contains(&format!("LLR {ratio} ({lower}, {upper}), H0: 0 Elo, H1: 400 Elo")), "{said}");

    std::fs::remove_file(directory.path("out/summary.json")).expect("it is there");
    play(&["report", &out]);
    assert_eq!(directory.json("out/summary.json"), found);
}
