//! `plumb-lab positions` on small files.

use crate::common::{Directory, done, refused, rows};
use serde_json::json;

fn positions(directory: &Directory, arguments: &[&str]) -> String {
    done(&[&["positions", "--hash", "4", "--out", &directory.path("out")], arguments].concat())
}

#[test]
fn the_files_are_suites() {
    let directory = Directory::new("positions-suites");
    let classes = ["end-easy", "middle-easy"];
    for (board, more) in [("7x6", ""), ("5x5", " --board 5x5"), ("10x4", " --board 10x4")] {
        positions(&directory, &[&classes[..], &["--count", "20", "--seed", "5", "--board", board]].concat());
        for class in classes {
            let file = format!("out/{class}.txt");
            let (text, path) = (directory.read(&file), directory.path(&file));
            let heading = format!("# plumb-lab positions {class} --count 20 --seed 5{more}");
            assert_eq!(text.lines().next(), Some(&*heading));
            let solved = done(&["suite", &path, "--board", board, "--hash", "1"]);
            assert_eq!(rows(&solved)[1][1..3], ["20", "0"], "{solved}");
            if !more.is_empty() {
                let expected = format!("positions of {board}, expected positions of 7x6");
                assert_eq!(refused(&["suite", &path]), format!("{path}:1: `{heading}`: {expected}"));
            }
            std::fs::remove_file(&path).expect("it is there");
        }
    }
}

#[test]
fn a_seed_is_as_good_as_its_files() {
    let directory = Directory::new("positions-seeds");
    positions(&directory, &["end-easy", "--count", "30", "--seed", "1"]);
    let first = directory.read("out/end-easy.txt");
    // The suite files of the repository are from the same command.
    let shipped = include_str!("../../../../tests/suites/end-easy.txt");
    assert!(shipped.lines().skip(1).zip(first.lines().skip(1)).all(|(shipped, made)| shipped == made));
    let other = Directory::new("positions-other-seed");
    positions(&other, &["end-easy", "--count", "30", "--seed", "2"]);
    assert_ne!(other.read("out/end-easy.txt").lines().nth(1), first.lines().nth(1));
}

fn part(class: &str, board: &str, count: u32, lines: &str) -> String {
    let header = json!({
        "kind": "positions",
        "program": format!("plumb-lab {}", plumb::VERSION),
        "board": board,
        "settings": { "class": class, "count": count, "seed": 1 },
    });
    format!("{header}\nmoves,score\n{}", lines.replace(' ', ","))
}

#[test]
fn a_file_that_was_broken_off_is_resumed() {
    let directory = Directory::new("positions-resumed");
    for board in ["7x6", "5x5"] {
        let arguments = ["middle-easy", "--count", "40", "--board", board];
        positions(&directory, &arguments);
        let whole = directory.read("out/middle-easy.txt");
        let file = directory.path("out/middle-easy.txt");
        assert!(!std::path::Path::new(&format!("{file}.part")).exists());
        assert_eq!(positions(&directory, &arguments), "middle-easy: 40 positions are there already\n");
        let lines = whole.split_once('\n').expect("a heading").1;
        for length in [0, lines.len() / 2, lines.len()] {
            std::fs::remove_file(&file).expect("it is there");
            directory.file("out/middle-easy.txt.part", &part("middle-easy", board, 40, &lines[..length]));
            let out = positions(&directory, &arguments);
            let new = 40 - lines[..length].matches('\n').count();
            assert!(out.starts_with(&format!("middle-easy: 40 positions, {new} of them new from ")), "{out}");
            assert_eq!(directory.read("out/middle-easy.txt"), whole);
        }
        std::fs::remove_file(&file).expect("it is there");
    }
}

#[test]
fn what_is_not_this_file_is_left_alone() {
    let directory = Directory::new("positions-foreign");
    std::fs::create_dir_all(directory.path("out")).expect("the directory can be made");
    let said = |name: &str, text: &str| {
        let path = directory.file(&format!("out/{name}"), text);
        let out = directory.path("out");
        let said = refused(&["positions", "end-easy", "--count", "3", "--hash", "4", "--out", &out]);
        assert_eq!(directory.read(&format!("out/{name}")), text);
        std::fs::remove_file(&path).expect("it is there");
        said.replace(&path, "FILE")
    };
    for name in ["end-easy.txt", "end-easy.txt.part"] {
        let said = said(name, "# mine\n44 1\n");
        assert!(said.starts_with("`FILE` begins with `# mine`, expected "), "{said}");
        assert!(said.ends_with("give another `--out`"), "{said}");
    }
    for (line, what) in [
        ("44", "`44`: expected `moves,score`"),
        ("44 0", "`44`: not a position of this seed"),
        ("6711664374656644134245532557722775 18", "`18`: not a score of a position of end-easy"),
    ] {
        let text = part("end-easy", "7x6", 3, &format!("{line}\n"));
        assert_eq!(said("end-easy.txt.part", &text), format!("FILE:3: {what}"));
    }
}

/// Sources: OEIS A212693; Böck, "Strongly Solving 7x6 Connect-Four on Consumer Grade Hardware" (2025), whose figures are
/// for the side to move.
#[test]
fn positions_are_counted_and_solved_as_published() {
    let directory = Directory::new("positions-counted");
    let count = ["positions", "--count", "--plies", "7"];
    let counted = done(&count);
    let numbers: Vec<_> = rows(&counted).into_iter().skip(1).map(|row| row[1].to_owned()).collect();
    assert_eq!(numbers, ["1", "7", "49", "238", "1120", "4263", "16422", "54859"]);
    let paths = ["1.csv", "2.csv"].map(|name| directory.path(name));
    for (path, shard) in paths.iter().zip(["1/2", "2/2"]) {
        done(&[&count[..], &["--results", "--hash", "4", "--csv", path, "--shard", shard]].concat());
    }
    let text = std::fs::read_to_string(&paths[0]).expect("written");
    std::fs::write(&paths[0], &text[..text.len() - 3]).expect("writable");
    done(&[&count[..], &["--results", "--hash", "4", "--csv", &paths[0], "--shard", "1/2"]].concat());
    assert_eq!(std::fs::read_to_string(&paths[0]).expect("written"), text);
    let merged = done(&["positions", "merge", &paths[0], &paths[1], "--csv", &directory.path("all.csv")]);
    let expected = [
        ["0", "1", "1", "0", "0"],
        ["1", "7", "1", "2", "4"],
        ["2", "49", "27", "12", "10"],
        ["3", "238", "35", "58", "145"],
        ["4", "1120", "690", "200", "230"],
        ["5", "4263", "1080", "697", "2486"],
        ["6", "16422", "10889", "1943", "3590"],
        ["7", "54859", "17507", "5944", "31408"],
    ];
    assert_eq!(rows(&merged)[1..], expected);
}

#[test]
fn counting_and_making_files_are_told_apart() {
    for (arguments, expected) in [
        (
            &["--count", "5", "--plies", "3"][..],
            "`--count 5`: expected `--count` without a number before `--plies`",
        ),
        (
            &["--count", "--out", "x"],
            "`--count`: expected a number of positions, or `--plies N` to count positions",
        ),
        (&["--count", "--plies", "43"], "`--plies 43`: expected at most 42, the cells of 7x6"),
    ] {
        assert_eq!(refused(&[&["positions"], arguments].concat()), expected);
    }
}
