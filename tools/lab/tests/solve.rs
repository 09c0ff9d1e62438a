//! `plumb-lab solve` on positions with published or independently computed results.

mod common;

use common::{Directory, done, refused};
use serde_json::Value;

/// Standard output of a run that is expected to go well.
fn solved(arguments: &[&str]) -> String {
    done(&[&["solve"], arguments].concat())
}

/// The value of the row called `name`.
fn row<'a>(out: &'a str, name: &str) -> &'a str {
    let value = out.lines().find_map(|line| line.strip_prefix(name));
    value.unwrap_or_else(|| panic!("no {name} in\n{out}")).trim_start()
}

/// What the file of a run with `--json` holds.
fn document(name: &str, arguments: &[&str]) -> Value {
    let directory = Directory::new(&format!("solve-{name}"));
    solved(&[arguments, &["--json", &directory.path("out.json")]].concat());
    serde_json::from_str(&directory.read("out.json")).expect("JSON")
}

/// Published results (J. Tromp; C. Steininger): who wins on the empty board, and the stone on which the game ends.
const PUBLISHED: [(&str, char, u32); 11] = [
    ("4x4", '=', 16),
    ("5x4", '=', 20),
    ("6x4", '2', 24),
    ("7x4", '=', 28),
    ("4x5", '=', 20),
    ("5x5", '=', 25),
    ("6x5", '=', 30),
    ("4x6", '=', 24),
    ("5x6", '=', 30),
    ("4x7", '=', 28),
    ("4x8", '=', 32),
];

#[test]
fn small_empty_boards_have_their_published_results() {
    for (board, winner, stone) in PUBLISHED {
        let out = solved(&["--board", board, "--hash", "16"]);
        let weakly = solved(&["--board", board, "--hash", "16", "--weak"]);
        let (words, weak_words) = match winner {
            '=' => ("0: the game is a draw".to_owned(), "0: the game is a draw"),
            _ => (format!("the second player wins with stone {stone}"), "-1: the second player wins"),
        };
        assert!(row(&out, "score").ends_with(&words), "{board}: {out}");
        assert_eq!(row(&out, "ends with"), format!("stone {stone}"), "{board}");
        assert_eq!(row(&out, "line").len(), stone as usize, "{board}: {out}");
        assert_eq!(row(&weakly, "score"), weak_words, "{board}");
        assert!(!weakly.contains("line"), "{weakly}");
    }
}

#[test]
fn a_position_of_the_standard_board_has_its_score_and_figures() {
    let out = solved(&["2252576253462244111563365343671351441"]);
    assert_eq!(row(&out, "score"), "-1: the first player wins with stone 41");
    assert_eq!(row(&out, "line").len(), 4, "{out}");
    let out = solved(&["7422341735647741166133573473242566", "--board", "7x6", "--hash", "1"]);
    assert_eq!(row(&out, "score"), "1: the first player wins with stone 41");
    for name in ["nodes", "CPU time", "wall time", "nodes/s"] {
        row(&out, name);
    }
}

#[test]
fn the_best_of_all_moves_has_the_score_of_the_position() {
    let moves = "23163416124767223154467471";
    let exact = document("exact", &[moves, "--all-moves"]);
    let scores = |document: &Value| -> Vec<i64> {
        let moves = document["all_moves"].as_array().expect("a list");
        moves.iter().map(|entry| entry["score"].as_i64().expect("a number")).collect()
    };
    let found = scores(&exact);
    assert!(!found.is_empty());
    assert_eq!(found.iter().max().copied(), exact["score"].as_i64());
    let weak = document("weak", &[moves, "--all-moves", "--weak"]);
    assert_eq!(scores(&weak), found.iter().map(|score| score.signum()).collect::<Vec<_>>());
    assert_eq!(weak["last_stone"], Value::Null);
    for entry in exact["all_moves"].as_array().expect("a list") {
        let score = entry["score"].as_i64().expect("a number");
        // 26 stones: the first player moves.
        let winner = match score.signum() {
            1 => "first",
            0 => "nobody",
            _ => "second",
        };
        assert_eq!(entry["winner"], winner, "{entry}");
    }
}

#[test]
fn the_file_has_settings_and_figures() {
    let found = document("figures", &["4433", "--board", "5x5", "--hash", "2"]);
    assert_eq!(found["board"], "5x5");
    assert_eq!(found["position"], "4433");
    assert_eq!(found["hash"], 2);
    assert_eq!(found["weak"], false);
    assert_eq!(found["exact_table"], true);
    assert_eq!(found["version"], env!("CARGO_PKG_VERSION"));
    for name in ["score", "last_stone", "nodes", "cpu_seconds", "wall_seconds"] {
        assert!(found[name].is_number(), "{name}: {found}");
    }
    assert!(
        found["winner"].is_string() && found["line"].is_string() && found["position"].is_string(),
        "{found}"
    );
}

#[test]
fn a_game_that_is_over_and_letters_are_understood() {
    let out = solved(&["1122334", "--all-moves"]);
    assert_eq!(row(&out, "score"), "-18: the first player wins with stone 7");
    assert_eq!(row(&out, "line"), "-");
    let out = solved(&["aabbcc", "--board", "10x4"]);
    assert_eq!(row(&out, "score"), "17: the first player wins with stone 7");
    assert_eq!(row(&out, "line"), "d");
    // A board that takes more than 64 bits.
    let out = solved(&["112233", "--board", "8x8"]);
    assert_eq!(row(&out, "score"), "29: the first player wins with stone 7");
    assert!(row(&out, "note").contains("256 MB"), "{out}");
}

#[test]
fn what_cannot_be_solved_is_one_sentence() {
    let board =
        |text: &str, what: &str| format!("invalid value '{text}' for '--board <WxH>': {what}; see `--help`");
    for (arguments, said) in [
        (&["--board", "3x9"][..], board("3x9", "a board has at least 4 columns and 4 rows")),
        (&["--board", "seven"], board("seven", "expected columns and rows as WxH, such as 7x6")),
    ] {
        assert_eq!(refused(&[&["solve"], arguments].concat()), said);
    }
}
