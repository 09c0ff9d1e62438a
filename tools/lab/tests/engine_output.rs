//! What engines print that is no UTF-8, with a real process.

mod common;

use common::{Directory, done, faulty_engine, lab};

#[test]
fn bytes_that_are_no_utf8_end_neither_a_measurement_nor_a_match() {
    let latin = format!("{} latin1", faulty_engine());
    let (code, out, err) = lab(&["response-time", "34", "--count", "5", "--engine", &latin]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    let directory = Directory::new("engine-output");
    let out = directory.path("out");
    let engines = ["one", "other"].map(|name| format!("name={name},cmd={latin},st=60"));
    let arguments =
        ["match", "--engine", &engines[0], "--engine", &engines[1], "--rounds", "1", "--out", &out];
    done(&arguments);
    let games = directory.read("out/match.jsonl");
    let is_whole = |game: &&str| game.contains("\"reason\":\"four_in_a_row\"");
    assert_eq!(games.lines().skip(1).filter(is_whole).count(), 2, "{games}");
}
