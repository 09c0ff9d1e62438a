//! Checks the table `tests/positions.tsv` with all plumb-lab commands that read positions.

#[path = "../../../../tests/it/position_table.rs"]
#[allow(dead_code, reason = "the command `position` is another program's")]
mod position_table;

use std::collections::BTreeMap;

use crate::common::{Directory, Ended, done, lab_with, refused};
use position_table::{Row, rows};
use serde_json::json;

fn flags(row: &Row) -> Vec<&str> {
    let mut flags = vec!["--board", row.board.as_str()];
    if row.first_column == 0 {
        flags.extend(["--first-column", "0"]);
    }
    flags
}

/// The error message that plumb-lab must print for a row.
fn error(row: &Row) -> String {
    row.error("for a file that counts from 0 say `--first-column 0`", "`--board {}` reads it")
}

fn solve(arguments: &[&str], input: &str) -> Ended {
    lab_with(&[&["solve", "--hash", "1"], arguments].concat(), input)
}

#[test]
fn every_form_is_the_position_that_the_table_says() {
    let directory = Directory::new("position-texts");
    let mut groups: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for row in rows() {
        // Uses one position of six stones for each board, because other positions take long to solve.
        if row.fen.as_ref().is_some_and(|fen| fen.to_lowercase().matches('p').count() == 6) {
            groups.entry((row.board.clone(), row.first_column)).or_default().push(row);
        }
    }
    assert_eq!(groups.len(), 6);
    for rows in groups.values() {
        let flags = flags(&rows[0]);
        let fen = rows[0].fen.as_deref().expect("a position");
        assert!(rows.iter().all(|row| row.fen.as_deref() == Some(fen)), "one position for each board");

        let label = |name: &str, text: &str| {
            let output = directory.path("out.csv");
            let input = directory.file(name, text);
            done(&[&["label", &input, "--out", &output, "--force", "--hash", "1"], &flags[..]].concat());
            directory.read("out.csv")
        };
        let objects = rows.iter().map(|row| format!("{}\n", json!({ "position": row.text })));
        let labels = label("in.jsonl", &objects.collect::<Vec<_>>().concat());
        let expected = label("in.txt", fen);
        let rest = |line: &str| line.rsplit(',').take(3).map(str::to_owned).collect::<Vec<_>>();
        let expected = rest(expected.lines().nth(1).expect("a row"));
        let labels: Vec<_> = labels.lines().skip(1).map(rest).collect();
        assert_eq!(labels, vec![expected; rows.len()]);

        // `suite` must find each score. A wrong score must be a mismatch.
        let solved = solve(&[&[fen], &flags[..]].concat(), "").1;
        let line = solved.lines().find(|line| line.starts_with("line ")).expect("a line");
        let score =
            solved.split_whitespace().nth(1).and_then(|word| word.strip_suffix(':')).expect("a score");
        let lines = rows.iter().map(|row| format!("{};{score}\n", row.text.trim_end()));
        let suite = directory.file("suite.txt", &lines.collect::<Vec<_>>().concat());
        done(&[&["suite", &suite, "--hash", "1"], &flags[..]].concat());

        // All texts describe the same position, which makes one opening.
        let lines =
            rows.iter().filter(|row| !row.text.trim().is_empty()).map(|row| format!("{}\n", row.text));
        let openings = directory.file("openings.txt", &lines.collect::<Vec<_>>().concat());
        let engines =
            ["match", "--engine", "depth-1", "--engine", "depth-2", "--rounds", "2", "--openings", &openings];
        let said = refused(&[&engines[..], &flags].concat());
        assert!(said.contains("has 1 opening for 2 rounds"), "{said}");

        let lines =
            rows.iter().fold(String::new(), |lines, row| lines + "# a comment\n\n" + &row.text + "\n");
        for arguments in [&["-"][..], &[]] {
            let (code, out, err) = solve(&[arguments, &flags].concat(), &lines);
            assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
            let blocks: Vec<_> = out.split("\n\n").collect();
            assert_eq!(blocks.len(), rows.len(), "{out}");
            for (block, row) in blocks.iter().zip(rows) {
                let text = row.text.trim_matches(['\u{feff}', ' ', '\r']);
                let start = format!("position   {text}\nscore      {score}: ");
                assert!(block.starts_with(&start) && block.contains(line), "{block}");
            }
        }
    }
}

#[test]
fn one_fault_is_one_sentence_everywhere() {
    let directory = Directory::new("position-text-faults");
    for row in rows().into_iter().filter(|row| row.fen.is_none()) {
        let (flags, said, text) = (flags(&row), error(&row), row.text.as_str());
        let with = |arguments: &[&str]| refused(&[arguments, &flags].concat());
        assert_eq!(with(&["solve", text]), said);
        let (code, out, err) = solve(&[&["-"], &flags[..]].concat(), &format!("\n{text}\n"));
        assert_eq!((code, out.as_str()), (Some(2), ""), "{text}");
        assert_eq!(err, format!("plumb-lab: standard input:2: {said}\n"));
        let input = directory.file("in.jsonl", &format!("{}\n", json!({ "position": text })));
        let output = directory.path("out.csv");
        let expected = format!("{input}:1: key `position`: {said}");
        assert_eq!(with(&["label", &input, "--out", &output]), expected);
        let input = directory.file("in.txt", &format!("{text};\n"));
        assert_eq!(with(&["suite", &input]), format!("{input}:1: {said}"));
        let input = directory.file("openings.txt", &format!("{text}\n"));
        let engines = ["match", "--engine", "depth-1", "--engine", "depth-2", "--rounds", "1"];
        let said = format!("`{input}`, line 1: {said}");
        assert_eq!(with(&[&engines[..], &["--openings", &input]].concat()), said);
    }
}

#[test]
fn a_file_that_counts_from_0_is_never_read_as_other_positions() {
    let directory = Directory::new("position-text-zero");
    let input = directory.file("in.txt", "001122\n112233\n44x\n");
    let output = directory.path("out.csv");
    let base = ["label", &input, "--out", &output, "--hash", "1", "--skip-bad"];
    let said =
        "move 1, `0`: columns count from 1 (1 to 7); for a file that counts from 0 say `--first-column 0`";
    assert_eq!(refused(&base), format!("{input}:1: {said}, else `--first-column 1` skips this row as well"));
    done(&[&base[..], &["--first-column", "0"]].concat());
    assert!(directory.read("out.csv").ends_with("\n001122,18,win,1\n112233,18,win,1\n44x,,,\n"));
    done(&[&base[..], &["--first-column", "1", "--force"]].concat());
    assert!(directory.read("out.csv").ends_with("\n001122,,,\n112233,18,win,1\n44x,,,\n"));
}

#[test]
fn standard_input_is_solved_line_by_line_up_to_a_fault() {
    let (code, out, err) = solve(&["-"], "112233\n\n112244x\n112233\n");
    assert_eq!(code, Some(2));
    let first = "position   112233\nscore      18: the first player wins with stone 7\n";
    assert!(out.starts_with(first), "{out}");
    assert_eq!(out.matches("score").count(), 1, "{out}");
    assert_eq!(err, "plumb-lab: standard input:3: move 7, `x`: not a column digit (columns 1 to 7)\n");
    // With `-`, empty input has no answer. Without an argument, empty input is the empty board.
    assert_eq!(solve(&["-", "--board", "4x4"], "").1, "");
    let (code, out, _) = solve(&["--board", "4x4"], "");
    assert!(code == Some(0) && out.starts_with("score      0: the game is a draw"), "{out}");
}
