//! `suite`, `label` and `positions` on other boards.

use crate::common::{Directory, done, engine, failed, faulty_engine, refused, rows};

fn score(board: &str, moves: &str) -> i32 {
    let out = done(&["solve", "--board", board, "--hash", "1", moves]);
    let score = out.strip_prefix("score").and_then(|rest| rest.split(':').next());
    score.unwrap_or_else(|| panic!("{out}")).trim().parse().expect("a score")
}

const WIDE: [&str; 3] = [
    "aigbcijaefeidfhejdhjbbdjabigegh",
    "dgbhieiehgbjddfhigdagchjfafijcabcbecjae",
    "dhafbfgehefcjihiabegfiigdb",
];

const LARGE: (&str, &[&str]) = ("16x7", &["aabbccd", "aabbcc", "ppoonn"]);

/// Writes positions with scores of `solve`, and adds `off` to the first score.
fn file(directory: &Directory, board: &str, positions: &[&str], off: i32) -> String {
    let line = |(index, moves): (usize, &&str)| {
        format!("{moves} {}\n", score(board, moves) + if index == 0 { off } else { 0 })
    };
    let lines: String = positions.iter().enumerate().map(line).collect();
    directory.file(&format!("{board}.txt"), &lines)
}

#[test]
fn suites_of_other_boards_are_solved_by_the_solver_and_by_engines_that_are_told_the_board() {
    let directory = Directory::new("boards-suite");
    let (json, engine, faulty) =
        (directory.path("figures.json"), engine(), format!("{} none", faulty_engine()));
    for (board, positions) in [("5x4", &["33", "112233", "1122334"][..]), ("10x4", &WIDE), LARGE] {
        let path = file(&directory, board, positions, 0);
        let run = ["suite", &path, "--board", board, "--hash", "1"];
        let count = positions.len().to_string();
        for more in [
            &["--json", &json, "--force"][..],
            &["--engine", &engine],
            &["--engine", &format!("cmd='{engine}',proto=ugi")],
        ] {
            let out = done(&[&run[..], more].concat());
            assert_eq!(rows(&out)[1][1..3], [&*count, "0"], "{out}");
            let is_solver = more[0] == "--json";
            assert!(is_solver || rows(&out)[1].ends_with(&["0"]), "nothing is compared by sign: {out}");
        }
        assert_eq!(directory.json("figures.json")["board"], board);
        let said = refused(&["suite", &path, "--board", board, "--engine", &faulty]);
        let expected = "it has neither of the options `Board` and `UCI_Variant`, by which a board is set, so it cannot play on";
        assert!(said.ends_with(&format!("{expected} {board}")), "{said}");
        file(&directory, board, positions, 1);
        let (out, _) = failed(&run);
        assert!(out.starts_with(&format!("{board}.txt:1: {} has score ", positions[0])), "{out}");
    }
}

#[test]
fn labels_are_those_of_the_board() {
    let directory = Directory::new("boards-label");
    let out = directory.path("out.csv");
    // Published: on 5x4 the empty board is a draw, and on 6x4 the first player loses at stone 24.
    for (board, labels) in [("5x4", "0,draw,20"), ("6x4", "-1,loss,24")] {
        let input = directory.file("in.csv", "id,position\n1,\n");
        done(&["label", &input, "--out", &out, "--force", "--board", board, "--hash", "4"]);
        assert_eq!(directory.read("out.csv"), format!("id,position,score,outcome,distance\n1,,{labels}\n"));
    }

    let input = directory.file("in.txt", &WIDE.join("\n"));
    done(&["label", &input, "--out", &out, "--force", "--board", "10x4", "--hash", "1", "--moves"]);
    let labelled = directory.read("out.csv");
    let mut rows = labelled.lines();
    assert!(rows.next().is_some_and(|heading| heading.ends_with(",scorei,scorej,best")), "{labelled}");
    for (row, moves) in rows.zip(WIDE) {
        let cells: Vec<_> = row.split(',').collect();
        assert_eq!((cells[0], cells[1].parse()), (moves, Ok(score("10x4", moves))), "{labelled}");
        let best: String =
            ('a'..='j').zip(&cells[4..14]).filter(|(_, cell)| **cell == cells[1]).map(|(c, _)| c).collect();
        assert_eq!((cells.len(), cells[14]), (15, &*best), "{labelled}");
    }
}

#[test]
fn a_board_with_too_few_positions_is_named() {
    let directory = Directory::new("boards-positions-few");
    let run = |class: &str, count: &str| {
        let run = ["positions", class, "--board", "4x4", "--count", count, "--hash", "1"];
        refused(&[&run[..], &["--out", &directory.path("")]].concat())
    };
    // On 4x4 nobody can force a win early enough for `begin-easy`.
    let said = run("begin-easy", "1");
    let none = "0 of 1 positions, and 4x4 has no more that random moves lead to; name other classes";
    assert_eq!(said, format!("begin-easy: {none}"));
    let said = run("begin-medium", "100");
    let part = directory.path("begin-medium.txt.part");
    let few = "6 of 100 positions, and 4x4 has no more that random moves lead to";
    assert_eq!(said, format!("begin-medium: {few}; remove `{part}`, and give `--count 6`"));
}
