//! `plumb-lab solve` on positions with published or independently computed results.

use crate::common::{Directory, done, lab_with};
use serde_json::Value;

fn solved(arguments: &[&str]) -> String {
    done(&[&["solve"], arguments].concat())
}

fn row<'a>(out: &'a str, name: &str) -> &'a str {
    let value = out.lines().find_map(|line| line.strip_prefix(name));
    value.unwrap_or_else(|| panic!("no {name} in\n{out}")).trim_start()
}

fn document(name: &str, arguments: &[&str]) -> Value {
    let directory = Directory::new(&format!("solve-{name}"));
    solved(&[arguments, &["--json", &directory.path("out.json")]].concat());
    directory.json("out.json")
}

#[test]
fn small_empty_boards_have_their_published_results() {
    for (board, stone, words, weak_words) in [
        ("5x5", 25, "0: the game is a draw", "0: the game is a draw"),
        ("6x4", 24, "-1: the second player wins with stone 24", "-1: the second player wins"),
    ] {
        let out = solved(&["--board", board, "--hash", "16"]);
        let weakly = solved(&["--board", board, "--hash", "16", "--weak"]);
        assert_eq!(row(&out, "score"), words, "{board}: {out}");
        assert_eq!(row(&out, "ends with"), format!("stone {stone}"), "{board}");
        assert_eq!(row(&out, "line").len(), stone, "{board}: {out}");
        assert_eq!(row(&weakly, "score"), weak_words, "{board}");
        assert!(!weakly.contains("line"), "{weakly}");
    }
}

#[test]
fn a_position_has_its_score_and_figures_on_any_board() {
    for (line, score, length) in [
        ("2252576253462244111563365343671351441", "-1: the first player wins with stone 41", 4),
        ("7422341735647741166133573473242566 --hash 1", "1: the first player wins with stone 41", 7),
        ("7112233", "18: the second player wins with stone 8", 1),
        // A finished game, a board with letters, and a board with more than 64 bits.
        ("1122334 --all-moves", "-18: the first player wins with stone 7", 1),
        ("aabbcc --board 10x4", "17: the first player wins with stone 7", 1),
        ("112233 --board 8x8", "29: the first player wins with stone 7", 1),
    ] {
        let out = solved(&line.split(' ').collect::<Vec<_>>());
        assert_eq!((row(&out, "score"), row(&out, "line").len()), (score, length), "{line}");
        for name in ["nodes", "CPU time", "wall time", "nodes/s"] {
            row(&out, name);
        }
        assert!(!line.ends_with("8x8") || row(&out, "note").contains("256 MB"), "{out}");
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
        assert_eq!(entry["winner"], ["second", "nobody", "first"][(score.signum() + 1) as usize], "{entry}");
    }
}

#[test]
fn the_file_has_settings_and_figures() {
    let found = document("figures", &["4433", "--board", "5x5", "--hash", "2"]);
    assert_eq!((&found["board"], &found["position"]), (&"5x5".into(), &"4433".into()));
    assert_eq!((&found["hash"], &found["weak"]), (&2.into(), &false.into()));
    assert_eq!(found["exact_table"], true);
    assert_eq!(found["version"], plumb::VERSION);
    for name in ["score", "last_stone", "nodes", "cpu_seconds", "wall_seconds"] {
        assert!(found[name].is_number(), "{name}: {found}");
    }
    assert!(found["winner"].is_string() && found["line"].is_string(), "{found}");
}

#[test]
fn a_malformed_line_costs_no_result_before_it() {
    let directory = Directory::new("solve-malformed");
    let json = directory.path("solutions.json");
    let (code, _, err) =
        lab_with(&["solve", "-", "--board", "4x4", "--hash", "1", "--json", &json], "11\n12\nx\n");
    assert!(code == Some(2) && err.contains("standard input:3: "), "{err}");
    assert_eq!(directory.json("solutions.json").as_array().map(Vec::len), Some(2));
}
