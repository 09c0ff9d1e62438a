//! `plumb-lab latency` with real engines.

use std::io::pipe;

use crate::common::play::pair;
use crate::common::{Directory, command, done, engine, faulty_engine, refused, rows};

#[test]
fn answers_are_timed_drawn_and_memory_is_weighed() {
    let directory = Directory::new("latency");
    let (picture, engine) = (directory.path("answers.svg"), engine());
    let groups =
        ["latency", "34-41/score", "36/scores", "--count=3", "--repeat=2", "--hash=1", "--sizes=1,32"];
    let text = done(&[&groups[..], &["--svg", &picture, "--engine", &engine]].concat());
    let svg = directory.read("answers.svg");
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
    let groups = ["34 to 41 stones, exact score", "36 stones, seven scores"];
    for title in ["start to uciok", "isready to readyok", "isready in a search", "stop to bestmove"]
        .iter()
        .chain(&groups)
    {
        let row = text.lines().find(|line| line.starts_with(title)).expect("a row");
        let figures: Vec<f64> =
            row[title.len()..].split_whitespace().map(|n| n.parse().expect(row)).collect();
        assert_eq!((figures.len(), figures[0]), (6, 3.0), "{row}");
        assert!(figures[2..].is_sorted() && figures[1] <= figures[5], "{row}");
    }
    assert!(groups.iter().all(|title| svg.contains(title)), "{svg}");
    let rows = rows(&text);
    assert_eq!([rows[rows.len() - 2][0], rows[rows.len() - 1][0]], ["1", "32"], "{text}");
}

#[test]
fn an_engine_that_cannot_answer_a_group_is_refused_before_any_is_measured() {
    let directory = Directory::new("latency-refused");
    let (picture, engine) = (directory.file("answers.svg", "before"), faulty_engine());
    let said = refused(&["latency", "--engine", &engine, "--svg", &picture, "--force"]);
    assert!(said.contains("option.MultiPV: no such option") && said.contains("`/scores` need it"), "{said}");
    assert_eq!(directory.read("answers.svg"), "before");
}

#[test]
fn bytes_that_are_not_utf8_do_not_end_a_match() {
    let directory = Directory::new("engine-output");
    let [one, other] = pair("latin1");
    done(&["match", &one, &other, "--rounds=1", "--out", &directory.path("out")]);
    let games = directory.read("out/match.jsonl");
    let is_whole = |game: &&str| game.contains("\"reason\":\"four_in_a_row\"");
    assert_eq!(games.lines().skip(1).filter(is_whole).count(), 2, "{games}");
}

/// A reader such as `head` may close standard output at any time.
#[test]
fn a_closed_standard_output_ends_the_program_without_a_complaint() {
    let (reader, writer) = pipe().expect("a pipe can be had");
    drop(reader);
    let output =
        command(&["solve", "4444", "--board", "5x4"]).stdout(writer).output().expect("plumb-lab runs");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(141), ""));
}
