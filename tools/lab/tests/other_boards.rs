//! `suite`, `label`, `tune-hash` and `positions` with `--board`.

mod common;

use common::{Directory, done, engine, faulty_engine, lab, refused};

/// The score of a position, as `solve` has it.
fn score(board: &str, moves: &str) -> i32 {
    let out = done(&["solve", "--board", board, "--hash", "1", moves]);
    let score = out.strip_prefix("score").and_then(|rest| rest.split(':').next());
    score.unwrap_or_else(|| panic!("{out}")).trim().parse().expect("a score")
}

/// Positions of 10x4, with letters for columns.
const WIDE: [&str; 3] = [
    "aigbcijaefeidfhejdhjbbdjabigegh",
    "dgbhieiehgbjddfhigdagchjfafijcabcbecjae",
    "dhafbfgehefcjihiabegfiigdb",
];

/// Positions of 16x7 in which the next stone wins, or has won.
const LARGE: (&str, &[&str]) = ("16x7", &["aabbccd", "aabbcc", "ppoonn"]);

/// A file of positions with the scores that `solve` finds, `off` added to the first one; its path.
fn file(directory: &Directory, board: &str, positions: &[&str], off: i32) -> String {
    let line = |(index, moves): (usize, &&str)| {
        format!("{moves} {}\n", score(board, moves) + if index == 0 { off } else { 0 })
    };
    let lines: String = positions.iter().enumerate().map(line).collect();
    directory.file(&format!("{board}.txt"), &lines)
}

#[test]
fn suites_of_other_boards_are_solved() {
    let directory = Directory::new("boards-suite");
    let json = directory.path("figures.json");
    for (board, positions) in
        [("5x4", &["3", "33", "1223", "112233"][..]), ("10x4", &WIDE), ("9x9", &["1122334", "112233"]), LARGE]
    {
        let path = file(&directory, board, positions, 0);
        let out = done(&["suite", &path, "--board", board, "--hash", "1", "--json", &json]);
        let row: Vec<_> = out.lines().nth(1).expect("a row").split_whitespace().collect();
        assert_eq!(row[1..3], [&positions.len().to_string(), "0"], "{out}");
        assert!(directory.read("figures.json").contains(&format!("\"board\": \"{board}\"")));
        let path = file(&directory, board, positions, 1);
        let (code, out, _) = lab(&["suite", &path, "--board", board, "--hash", "1"]);
        let said = format!("{board}.txt:1: {} has score ", positions[0]);
        assert!(code == Some(1) && out.starts_with(&said), "{out}");
    }
}

#[test]
fn engines_are_told_the_board() {
    let directory = Directory::new("boards-engine");
    let (engine, faulty) = (engine(), format!("{} none", faulty_engine()));
    for (board, positions) in [("5x4", &["33", "112233", "1122334"][..]), ("10x4", &WIDE), LARGE] {
        let path = file(&directory, board, positions, 0);
        for protocol in ["uci", "ugi"] {
            let run = ["suite", &path, "--board", board, "--hash", "1", "--protocol", protocol, "--engine"];
            let out = done(&[&run[..], &[&engine]].concat());
            let row: Vec<_> = out.lines().nth(1).expect("a row").split_whitespace().collect();
            let count = positions.len().to_string();
            assert_eq!((row[1], row[2], *row.last().expect("by sign")), (&*count, "0", "0"), "{out}");
        }
        let said = refused(&["suite", &path, "--board", board, "--engine", &faulty]);
        let expected = format!(
            "it has neither of the options `Board` and `UCI_Variant`, by which a board is set, so it cannot play on {board}"
        );
        assert!(said.ends_with(&expected), "{said}");
    }
}

#[test]
fn labels_are_those_of_the_board() {
    let directory = Directory::new("boards-label");
    let out = directory.path("out.csv");
    // Published: 5x4 is a draw, 6x4 is lost with the 24th stone.
    for (board, labels) in [("5x4", "0,draw,20"), ("6x4", "-1,loss,24")] {
        let input = directory.file("in.csv", "id,position\n1,\n");
        done(&["label", &input, "--out", &out, "--force", "--board", board, "--hash", "4"]);
        assert_eq!(directory.read("out.csv"), format!("id,position,score,outcome,distance\n1,,{labels}\n"));
    }

    let fens = "5/5/oo3/xxx2\n112233\n1122334\n";
    let input = directory.file("in.txt", fens);
    done(&["label", &input, "--out", &out, "--force", "--board", "5x4", "--hash", "1", "--moves"]);
    let labelled = directory.read("out.csv");
    let rows: Vec<_> = labelled.lines().collect();
    assert_eq!(rows[0], "position,score,outcome,distance,score1,score2,score3,score4,score5,best");
    let cells: Vec<_> = rows[2].split(',').collect();
    assert_eq!((cells[..4].join(","), cells[7], cells[9]), ("112233,7,win,1".to_owned(), "7", "4"));
    for (column, cell) in ('1'..='5').zip(&cells[4..9]) {
        // The score of a move is that of the position after it for the other side.
        assert_eq!(cell.parse(), Ok(-score("5x4", &format!("112233{column}"))), "{labelled}");
    }
    assert_eq!(rows[3], "1122334,-7,loss,0,,,,,,");

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
    let json = directory.path("out.jsonl");
    done(&["label", &input, "--out", &json, "--board", "10x4", "--hash", "1", "--moves"]);
    for (row, line) in directory.read("out.jsonl").lines().zip(labelled.lines().skip(1)) {
        let row: serde_json::Value = serde_json::from_str(row).expect("JSON");
        let number = |letter: char| u32::from(letter) - u32::from('a') + 1;
        let best: Vec<_> = line.rsplit(',').next().expect("a cell").chars().map(number).collect();
        assert_eq!((row["scores"].as_array().map(Vec::len), &row["best"]), (Some(10), &best.into()));
    }
}

#[test]
fn tables_are_tuned_for_the_board() {
    let directory = Directory::new("boards-tune-hash");
    let (out, engine) = (directory.path("out"), engine());
    let file = file(&directory, "10x4", &WIDE, 0);
    let run = ["tune-hash", "--sizes", "1,2", "--repeat", "1", "--board", "5x4", "--out"];
    done(&[&run[..], &[&out]].concat());
    let csv = directory.read("out/tune-hash.csv");
    assert_eq!(csv.lines().count(), 3, "{csv}");
    assert!(csv.contains("\"built-in solver, threads 1, board 5x4\",empty board,false,"), "{csv}");
    let said = refused(&["tune-hash", "--sizes", "1,2", "--repeat", "1", "--out", &out]);
    let expected = "has other settings: `board`: recorded 5x4, given 7x6; remove it or give another `--out`";
    assert_eq!(said, format!("`{out}/tune-hash.csv` {expected}"));

    let wide = ["tune-hash", "--sizes", "1", "--repeat", "1", "--board", "10x4", "--suite", &file, "--out"];
    done(&[&wide[..], &[&directory.path("wide")]].concat());
    done(&[&wide[..], &[&directory.path("engine"), "--engine", &engine]].concat());
    let csv = directory.read("engine/tune-hash.csv");
    assert!(
        csv.lines().skip(1).all(|line| line.split(',').rev().nth(5) == Some("0")),
        "none is wrong: {csv}"
    );
}

#[test]
fn sizes_play_on_the_board() {
    let directory = Directory::new("boards-tune-play");
    let _engine_exists = engine();
    let out = directory.path("out");
    let run = ["tune-hash", "--match", "--sizes", "1,2", "--games", "2", "--time-control", "nodes=50"];
    let on = |board: &[&'static str]| [&run[..], &["--out", &out], board].concat().join("\n");
    let words = |text: &str| lab(&text.lines().collect::<Vec<_>>());
    let (code, _, err) = words(&on(&["--board", "5x4"]));
    assert_eq!(code, Some(0), "{err}");
    let record = directory.read("out/match-1/match.jsonl");
    assert!(record.lines().next().is_some_and(|header| header.contains("\"board\":\"5x4\"")), "{record}");
    let (code, _, err) = words(&on(&[]));
    assert!(code == Some(2) && err.contains("`board`: recorded 5x4, given 7x6"), "{err}");
    let (code, _, err) = words(&on(&["--board", "5x4"]));
    assert_eq!(code, Some(0), "nothing is left to play: {err}");
}

#[test]
fn positions_of_other_boards_are_suites() {
    let directory = Directory::new("boards-positions");
    for board in ["5x5", "10x4"] {
        let out = directory.path(board);
        let classes = ["end-easy", "middle-easy"];
        let run =
            [&["positions", "--board", board, "--count", "10", "--hash", "1", "--out", &out], &classes[..]];
        done(&run.concat());
        for class in classes {
            let path = format!("{out}/{class}.txt");
            let text = directory.read(&format!("{board}/{class}.txt"));
            let heading = format!("# plumb-lab positions {class} --count 10 --seed 1 --board {board}");
            assert_eq!(text.lines().next(), Some(&*heading));
            let solved = done(&["suite", &path, "--board", board, "--hash", "1"]);
            let row: Vec<_> = solved.lines().nth(1).expect("a row").split_whitespace().collect();
            assert_eq!(row[1..3], ["10", "0"], "{solved}");
            let said = refused(&["suite", &path]);
            let expected = format!("positions of {board}, expected those of 7x6");
            assert_eq!(said, format!("{path}:1: `{heading}`: {expected}"));
        }
        // What was broken off goes on to the same file, on the same board only.
        let whole = directory.read(&format!("{board}/end-easy.txt"));
        std::fs::remove_file(directory.path(&format!("{board}/end-easy.txt"))).expect("it is there");
        let part = directory.file(&format!("{board}/end-easy.txt.part"), &whole[..whole.len() / 2]);
        let said = refused(&["positions", "--count", "10", "--hash", "1", "--out", &out, "end-easy"]);
        let expected = format!(
            "has other settings: `board`: recorded {board}, given 7x6; remove it or give another `--out`"
        );
        assert_eq!(said, format!("`{part}` {expected}"));
        done(&run.concat());
        assert_eq!(directory.read(&format!("{board}/end-easy.txt")), whole);
    }
}

#[test]
fn a_board_with_too_few_positions_is_named() {
    let directory = Directory::new("boards-positions-few");
    let run = |class: &str, count: &str| {
        let run = ["positions", class, "--board", "4x4", "--count", count, "--hash", "1"];
        refused(&[&run[..], &["--out", &directory.path("")]].concat())
    };
    // Nobody can force a win so early.
    let said = run("begin-easy", "1");
    let none = "0 of 1 positions, and 4x4 has no more that random moves lead to; name other classes";
    assert_eq!(said, format!("begin-easy: {none}"));
    let said = run("begin-medium", "100");
    let part = directory.path("begin-medium.txt.part");
    let few = "6 of 100 positions, and 4x4 has no more that random moves lead to";
    assert_eq!(said, format!("begin-medium: {few}; remove `{part}`, and give `--count 6`"));
}
