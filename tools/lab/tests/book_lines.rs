//! The lines of play past the last layer of a book, from `plumb-lab book build --lines` to a player by that book.

mod common;

use common::book::{entries, refused};
use common::{Directory, done, lab};

/// Parts of a book of four stones on 6x5 with its moves, and the book.
fn book_with_moves(directory: &Directory) -> [String; 3] {
    let [scores, moves, book] = ["scores", "moves", "plain.book"].map(|name| directory.path(name));
    let layer = ["book", "build", "--board", "6x5", "--plies", "4", "--hash", "16", "--out"];
    let merge = |parts: &[&str]| {
        done(&[&["book", "merge"], parts, &["--layers", "0", "--out", &book]].concat());
    };
    done(&[&layer[..], &[&scores]].concat());
    merge(&[&scores]);
    done(&[&layer[..], &[&moves, "--moves", "--book", &book]].concat());
    merge(&[&scores, &moves]);
    [scores, moves, book]
}

#[test]
fn a_book_may_have_lines() {
    let directory = Directory::new("book-lines");
    let [scores, moves, plain] = book_with_moves(&directory);
    let [one, two, book] = ["one", "two", "lines.book"].map(|name| directory.path(name));
    let layer = ["book", "build", "--board", "6x5", "--plies", "4", "--out"];
    for (shard, threads, part) in [("1/2", "1", &one), ("2/2", "3", &two)] {
        let lines = ["--lines", "1", "--book", &plain, "--shard", shard, "--threads", threads];
        let out = done(&[&layer[..], &[part], &lines].concat());
        assert!(
            out.starts_with(&format!("6x5, 4 stones, lines from 1, shard {shard}: 3 positions, ")),
            "{out}"
        );
    }
    let merge = |parts: &[&String]| {
        let parts: Vec<_> = parts.iter().map(|part| part.as_str()).collect();
        lab(&[&["book", "merge"], &parts[..], &["--layers", "0", "--out", &book]].concat())
    };
    // A line whose moves do not exist, and lines or moves that are not there.
    let text = directory.read("one");
    let fields = |entry: &str| entry.split(',').map(str::to_owned).collect::<Vec<_>>();
    let longest =
        entries(&text).into_iter().map(fields).max_by_key(|fields| fields[1].len()).expect("a line");
    let (key, line) = (&longest[0], &longest[1]);
    let with_line = |line: &str| text.replace(&format!("{key},{},", longest[1]), &format!("{key},{line},"));
    let absurd = directory.file("absurd", &with_line(&format!("{line}9")));
    for (parts, said) in [
        (
            &[&scores, &moves, &one][..],
            "3 of 6 lines from 1 stones are in none of the parts: shard 2/2 is missing\n",
        ),
        (
            &[&scores, &moves, &absurd, &two],
            &format!("`{line}9` is no line from the position of key {key}\n"),
        ),
        (&[&scores, &one, &two], "lines need moves: there are none in the parts\n"),
    ] {
        let (code, _, err) = merge(parts);
        assert_eq!((code, err), (Some(2), format!("plumb-lab: {said}")));
    }
    let (code, out, err) = merge(&[&two, &scores, &one, &moves]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.lines().any(|row| row.starts_with("  past ") && row.ends_with(" lines from 1")), "{out}");

    let verify = ["book", "verify", &book, "--hash", "16", "--against"];
    let out = done(&[&verify[..], &[&one, "--samples", "20"]].concat());
    assert!(out.contains(&format!("{one}: 3 lines from 4 stones with ")), "{out}");
    assert!(
        out.contains("\nfound anew: 20 lines from 4 stones with ") && out.ends_with(" moves equal\n"),
        "{out}"
    );
    let (others, last) = line.split_at(line.len() - 1);
    let other = u32::from(last == "0");
    let changed = directory.file("changed", &with_line(&format!("{others}{other}")));
    let (code, _, err) = lab(&[&verify[..], &[&changed, "--samples", "0"]].concat());
    assert!(code == Some(1) && err.contains("the book has another line than `"), "{err}");

    for (arguments, said) in [
        (
            &["--lines", "5", "--book", &plain][..],
            "lines from 5 stones do not begin before the 4 of the layer\n",
        ),
        (
            &["--lines", "1", "--moves"],
            "the argument '--lines <N>' cannot be used with '--moves'; see `--help`\n",
        ),
        (
            &["--lines", "1", "--hash", "2"],
            "the argument '--lines <N>' cannot be used with '--hash <MB>'; see `--help`\n",
        ),
    ] {
        assert_eq!(refused(&[&layer[1..], &[&book], arguments].concat()), said);
    }
}

#[test]
fn a_player_by_the_book_gets_on_a_line_of_moves_that_keep_the_score() {
    let directory = Directory::new("book-played");
    let [scores, moves, plain] = book_with_moves(&directory);
    let [lines, book] = ["lines", "lines.book"].map(|name| directory.path(name));
    let build = [
        "book", "build", "--board", "6x5", "--plies", "4", "--lines", "0", "--book", &plain, "--out", &lines,
    ];
    done(&build);
    done(&["book", "merge", &scores, &moves, &lines, "--layers", "0", "--out", &book]);
    let mut played = String::new();
    let mut on_line = 0;
    loop {
        let (code, out, err) = lab(&["book", "query", &played, "--book", &book]);
        let row = |name: &str| {
            out.lines().find_map(|line| line.strip_prefix(name).map(str::trim).map(str::to_owned))
        };
        let keeps = |column: &&str| {
            row(&format!("move {column}")).is_some_and(|said| played.len() > 4 || Some(said) == row("score"))
        };
        let Some(column) = ["3", "4", "2", "5", "1", "6"].into_iter().find(keeps) else {
            assert_eq!(code, Some(2), "{err}");
            break;
        };
        on_line += u32::from(played.len() > 4);
        let (_, solved, _) = lab(&["solve", &played, "--board", "6x5", "--all-moves", "--hash", "16"]);
        let score = |name: &str| {
            let row = solved.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
            row.split(':').next().unwrap_or_default().trim().to_owned()
        };
        assert_eq!(score(&format!("move {column}")), score("score"), "{played}: {solved}");
        played += column;
    }
    assert!(on_line >= 2, "{played}");
}
