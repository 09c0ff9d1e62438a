//! `plumb-lab book` on small boards: shards, books, checks, and moves after the last layer.

use std::fs;

use crate::common::{Directory, done, failed, lab, success};

fn entries(part: &str) -> Vec<&str> {
    part.lines().skip(2).collect()
}

fn with_values(part: &str, value: impl Fn(&str) -> String) -> String {
    let heading = part.lines().take(2).map(str::to_owned);
    let changed = entries(part).into_iter().map(|entry| {
        let mut fields = entry.split(',');
        let mut field = || fields.next().expect("key and value");
        format!("{},{},", field(), value(field()))
    });
    heading.chain(changed).map(|line| line + "\n").collect()
}

fn refused(arguments: &[&str]) -> String {
    crate::common::refused(&[&["book"], arguments].concat()) + "\n"
}

fn build(shard: &str, out: &str) -> (Option<i32>, String, String) {
    let layer = ["book", "build", "--board", "5x4", "--plies", "5", "--hash", "1"];
    lab(&[&layer[..], &["--shard", shard, "--out", out]].concat())
}

/// A book for 5x4 with layers of 0, 3 and 5 stones.
fn small_book(directory: &Directory) -> String {
    let (part, book) = (directory.path("small.part"), directory.path("small.book"));
    assert_eq!(build("1/1", &part).0, Some(0));
    let out = done(&["book", "merge", &part, "--layers=0,3", "--out", &book]);
    assert!(out.ends_with(&format!("{book}: {} bytes\n", fs::metadata(&book).expect("it is there").len())));
    book
}

#[test]
fn shards_make_the_same_book_as_the_whole() {
    let directory = Directory::new("book-shards");
    let whole = small_book(&directory);
    let parts = ["1/3", "2/3", "3/3"].map(|shard| directory.path(&shard.replace('/', "of")));
    for (part, shard) in parts.iter().zip(["1/3", "2/3", "3/3"]) {
        let out = success(build(shard, part));
        assert!(out.starts_with(&format!("5x4, 5 stones, shard {shard}: ")), "{out}");
    }
    let book = directory.path("sharded.book");
    let [one, two, three] = parts.each_ref().map(String::as_str);
    done(&["book", "merge", three, one, two, "--layers", "3,0", "--out", &book]);
    assert_eq!(fs::read(&book).expect("a book"), fs::read(&whole).expect("a book"));

    let out = done(&["book", "verify", &book, "--samples", "200", "--hash", "1"]);
    assert!(out.contains("3 stones: 49 positions, all follow\n"), "{out}");
    assert!(out.contains("\n200 positions of 5 stones solved, ") && out.ends_with(": all right\n"), "{out}");
    let out = done(&["book", "info", &book]);
    assert!(out.starts_with("board 5x4\n") && out.lines().count() == 5, "{out}");

    assert_eq!(
        refused(&["merge", one, two, "--out", &book]),
        "the parts with scores: shard 3/3 is missing\n"
    );
    let said = refused(&["merge", one, two, one, "--out", &book]);
    assert_eq!(said, format!("the parts with scores: `{one}` and `{one}` are both shard 1/3\n"));
    let said = refused(&["merge", one, two, three, "--out", two]);
    assert_eq!(said, format!("`{two}` is not a book; give another `--out`\n"));
    // Part files of another version are refused, because their scores may differ.
    let older = directory.read("2of3").replacen("\"program\":\"plumb-lab ", "\"program\":\"plumb-lab 0", 1);
    let older = directory.file("older", &older);
    let said = refused(&["merge", one, &older, three, "--out", &book]);
    assert!(said.contains(" are shards of different runs: program: "), "{said}");
}

#[test]
fn a_book_may_have_moves() {
    let directory = Directory::new("book-moves");
    let plain = small_book(&directory);
    let [one, two] = ["1/2", "2/2"].map(|shard| {
        let part = directory.path(&format!("moves-{}", &shard[..1]));
        let layer = ["book", "build", "--board=5x4", "--plies=5", "--hash=1", "--moves", "--book", &plain];
        let out = done(&[&layer[..], &["--shard", shard, "--out", &part]].concat());
        assert!(out.starts_with(&format!("5x4, 5 stones, moves, shard {shard}: ")), "{out}");
        part
    });
    let (scores, book) = (directory.path("small.part"), directory.path("moves.book"));
    let merge =
        |parts: &[&str]| lab(&[&["book", "merge"], parts, &["--layers", "0,3", "--out", &book]].concat());
    let out = success(merge(&[&two, &scores, &one]));
    let of_layer = |row: &&str| row.starts_with("     5");
    assert!(out.contains(" -  ") && !out.lines().filter(of_layer).any(|row| row.contains(" -  ")), "{out}");

    let out = done(&["book", "verify", &book, "--samples", "300", "--hash", "1"]);
    assert!(
        out.contains(" of CPU each, and the moves of ") && out.contains(" moves, contradicted by no score"),
        "{out}"
    );
    let (_, out, _) = lab(&["book", "query", "33152", "--book", &book]);
    let keeps = |line: &&str| line.starts_with("move") && line.ends_with(" 0: the game is a draw");
    assert_eq!(out.lines().filter(keeps).count(), 1, "{out}");

    let missing = "the parts with moves: shard 2/2 is missing\n";
    for (parts, end) in [([&scores, &one], missing), ([&one, &two], " are in none of the parts\n")] {
        let (code, _, err) = merge(&parts.map(String::as_str));
        assert!(code == Some(2) && err.ends_with(end), "{err}");
    }
    let out = done(&["book", "verify", &book, "--samples", "0", "--against", &one]);
    let row = out.lines().find(|line| line.starts_with(&one)).expect("a row");
    let words: Vec<_> = row[one.len() + 2..].split(' ').collect();
    assert_eq!(words[0], words[2], "{row}");
    assert_eq!(words[3..], ["moves", "for", "positions", "of", "5", "stones", "equal"], "{row}");
    let text = directory.read("moves-1");
    // A file that claims to be shard 2/2 but has the positions of shard 1/2, with other moves.
    let changed = with_values(&text.replacen("\"1/2\"", "\"2/2\"", 1), |_| "9".to_owned());
    let (code, _, err) = merge(&[&scores, &one, &directory.file("disputed", &changed)]);
    assert!(code == Some(2) && err.ends_with("has two moves\n"), "{err}");
    let other = ["build", "--board", "5x4", "--plies", "4", "--moves", "--book", &plain, "--out", &book];
    assert_eq!(refused(&other), format!("`{plain}` has no layer of 4 stones\n"));
    let lines = ["build", "--board", "5x4", "--plies", "5", "--lines", "1", "--book", &plain, "--out", "x"];
    assert!(refused(&lines).starts_with("no line begins: the book leads from no position of 1 stones to"));
}

#[test]
fn threads_make_the_same_book() {
    let directory = Directory::new("book-threads");
    let [part, with_moves, one, three] = ["part", "moves", "one", "three"].map(|name| directory.path(name));
    let layer = ["book", "build", "--board", "5x5", "--plies", "6", "--hash", "2", "--out"];
    for (threads, book) in [("1", &one), ("3", &three)] {
        done(&[&layer[..], &[&part, "--threads", threads]].concat());
        done(&["book", "merge", &part, "--out", book]);
        // The number of threads does not change the stored moves, even if several moves are best.
        let moves = ["--threads", threads, "--moves", "--book", book];
        done(&[&layer[..], &[&with_moves], &moves].concat());
        done(&["book", "merge", &part, &with_moves, "--out", book]);
        for file in [&part, &with_moves] {
            fs::remove_file(file).expect("it is there");
        }
    }
    assert_eq!(fs::read(one).expect("a book"), fs::read(three).expect("a book"));
}

#[test]
fn a_book_knows_what_the_solver_finds() {
    let directory = Directory::new("book-query");
    let book = small_book(&directory);
    // Positions in layers of the book, between layers, with an immediate win, and after a win.
    for moves in ["", "3", "33", "331", "3315", "33152", "112233", "1122334"] {
        let out = done(&["book", "query", moves, "--book", &book]);
        let (_, solved, _) = lab(&["solve", moves, "--board", "5x4", "--all-moves", "--hash", "1"]);
        let row = |text: &str, name: &str| {
            let row = text.lines().find(|line| line.starts_with(name)).unwrap_or_default();
            row.split(';').next().unwrap_or_default().to_owned()
        };
        assert_eq!(row(&out, "score"), row(&solved, "score"), "{moves}");
        let moves_out: Vec<_> = out.lines().filter(|line| line.starts_with("move")).collect();
        assert!(moves_out.iter().all(|line| **line == row(&solved, &line[..6])), "{moves}: {out}{solved}");
        if moves.len() < 5 {
            assert_eq!(moves_out.len(), 5);
        }
    }
    let said = refused(&["query", "123451", "--book", &book]);
    assert_eq!(said, "`123451` has 6 stones, and the book has no line through it\n");
    let said = refused(&["query", "39", "--book", &book]);
    assert_eq!(said, "move 2, `9`: there is no column 9 (columns 1 to 5)\n");
    assert!(done(&["book", "query", "44"]).contains("\nmove 4 "));
}

#[test]
fn a_part_is_compared_with_a_book() {
    let directory = Directory::new("book-against");
    let (book, part) = (small_book(&directory), directory.path("three"));
    done(&["book", "build", "--board", "5x4", "--plies", "3", "--hash", "1", "--out", &part]);
    let out = done(&["book", "verify", &book, "--samples", "0", "--against", &part]);
    let row = out.lines().find(|line| line.starts_with(&part)).expect("a row");
    let words: Vec<_> = row[part.len() + 2..].split(' ').collect();
    assert!(words[0] == words[2] && words[3..] == ["positions", "of", "3", "stones", "equal"], "{row}");

    let changed =
        with_values(&directory.read("three"), |score| if score == "1" { "2" } else { "1" }.to_owned());
    directory.file("three", &changed);
    let (out, err) = failed(&["book", "verify", &book, "--samples", "0", "--against", &part]);
    let differences: Vec<_> = out.lines().filter_map(|line| line.strip_suffix(" in the file")).collect();
    assert_eq!(differences.len(), 10, "{out}");
    assert!(err.ends_with(" positions, of which the first 10 are shown\n"), "{err}");
    for line in differences {
        let (position, values) = line.split_once(": ").expect("a position");
        let (of_book, of_file) = values.split_once(" in the book, ").expect("two values");
        assert_eq!(of_file, if of_book == "1" { "2" } else { "1" }, "{line}");
        let said = done(&["book", "query", position, "--book", &book]);
        let score = said.lines().find_map(|line| line.strip_prefix("score")).expect("a score");
        assert_eq!(score.trim().split(':').next(), Some(of_book), "{line}: {said}");
    }
}

#[test]
fn a_part_that_was_broken_off_is_resumed() {
    let directory = Directory::new("book-resumed");
    let path = directory.path("part");
    assert_eq!(build("1/1", &path).0, Some(0));
    let whole = directory.read("part");
    let count = entries(&whole).len();
    let out = success(build("1/1", &path));
    assert!(out.starts_with(&format!("5x4, 5 stones, shard 1/1: {count} positions, 0 of them new in ")));
    directory.file("part", &whole[..whole.len() / 3]);
    let said = refused(&["merge", &path, "--out", &directory.path("book")]);
    assert!(said.contains("is not complete: it has ") && said.contains(&format!(" of {count} ")), "{said}");
    assert_eq!(build("1/1", &path).0, Some(0));
    assert_eq!(entries(&directory.read("part")), entries(&whole), "one thread keeps the order");
}

#[test]
fn foreign_and_malformed_parts_are_refused() {
    let directory = Directory::new("book-foreign");
    let (part, book) = (directory.path("part"), directory.path("book"));
    assert_eq!(build("1/2", &part).0, Some(0));
    let whole = directory.read("part");
    let heading = whole.lines().take(2).collect::<Vec<_>>().join("\n");
    let other = directory.file("other", &format!("{heading}\nffffffff,1,\n"));
    let (code, _, err) = build("1/2", &other);
    assert_eq!((code, err), (Some(2), format!("plumb-lab: `{other}` has positions of another shard\n")));
    let key = entries(&whole)[0].split(',').next().expect("a key");
    for (row, said) in [
        (format!("{key},x,"), format!("`{key},x`: expected a key and a score, column or line")),
        (key.to_owned(), format!("`{key}`: expected `key,value,cpu_seconds`")),
    ] {
        let other = directory.file("other", &format!("{heading}\n{row}\n"));
        let (code, _, err) = build("1/2", &other);
        assert_eq!((code, err), (Some(2), format!("plumb-lab: {other}:3: {said}\n")));
    }
    let said = refused(&["merge", &directory.file("no-part", "mine\n"), "--out", &book]);
    assert!(said.starts_with("expected a file of `plumb-lab book build`: `"), "{said}");
    assert!(said.ends_with("` begins with `mine`, expected the header of results\n"), "{said}");
    let two = directory.path("two");
    done(&["book", "build", "--board", "5x4", "--plies", "2", "--hash", "1", "--out", &two]);
    let said = refused(&["merge", &part, &two, "--out", &book]);
    assert!(said.ends_with("is about 5x4 with 2 stones, not 5x4 with 5\n"), "{said}");
    let said = refused(&["merge", &two, "--layers", "2", "--out", &book]);
    assert_eq!(said, "a layer of 2 stones does not follow from one of 2\n");
    let other_shard = directory.read("two").replacen("\"5x4\"", "\"5x4\",\"shard\":\"2/2\"", 1);
    let disputed = directory.file("disputed", &with_values(&other_shard, |_| "3".to_owned()));
    let said = refused(&["merge", &two, &disputed, "--out", &book]);
    assert!(said.ends_with("has two scores\n"), "{said}");
}

#[test]
fn damaged_and_foreign_books_are_refused() {
    let directory = Directory::new("book-damaged");
    let book = small_book(&directory);
    let file = fs::read(&book).expect("a book");
    let bad = directory.path("bad.book");
    let said = |bytes: &[u8]| {
        fs::write(&bad, bytes).expect("it can be written");
        let said = refused(&["info", &bad]);
        assert_eq!(refused(&["verify", &bad]), said);
        assert_eq!(refused(&["query", "1", "--book", &bad]), said);
        said.replace(&bad, "FILE")
    };
    assert_eq!(said(b"mine"), "`FILE`: not an opening book, which starts with `plumbook`\n");
    let mut changed = file.clone();
    changed[60] = !file[60];
    assert_eq!(said(&changed), "`FILE`: the book is damaged: its checksum is wrong\n");
    changed[10] = 77;
    assert!(said(&changed).starts_with("`FILE`: a book for 77x4: a board has at most 12 columns"));
    assert!(refused(&["info", &directory.path("none")]).starts_with("cannot read `"));
    let said = refused(&["verify", &book, "--against", &directory.file("none", "mine")]);
    assert!(said.contains("none`"), "{said}");
}

/// Paths of a part file with scores, a part file with moves, and their book for 6x5 and four stones.
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
    // An illegal line of play, a missing shard of lines, and missing moves.
    let text = directory.read("one");
    let fields = |entry: &str| entry.split(',').map(str::to_owned).collect::<Vec<_>>();
    let longest =
        entries(&text).into_iter().map(fields).max_by_key(|fields| fields[1].len()).expect("a line");
    let (key, line) = (&longest[0], &longest[1]);
    let with_line = |line: &str| text.replace(&format!("{key},{},", longest[1]), &format!("{key},{line},"));
    let absurd = directory.file("absurd", &with_line(&format!("{line}9")));
    for (parts, said) in [
        (&[&scores, &moves, &one][..], "the parts with lines from 1: shard 2/2 is missing\n"),
        (
            &[&scores, &moves, &absurd, &two],
            &format!("`{line}9` is not a line from the position of key {key}\n"),
        ),
        (&[&scores, &one, &two], "lines need moves: there are none in the parts\n"),
    ] {
        let (code, _, err) = merge(parts);
        assert_eq!((code, err), (Some(2), format!("plumb-lab: {said}")));
    }
    let out = success(merge(&[&two, &scores, &one, &moves]));
    assert!(out.lines().any(|row| row.starts_with("  past ") && row.ends_with(" lines from 1")), "{out}");

    let verify = ["book", "verify", &book, "--hash", "16", "--against"];
    let out = done(&[&verify[..], &[&one, "--samples", "20"]].concat());
    assert!(out.contains(&format!("{one}: 3 lines from 4 stones with ")), "{out}");
    assert!(
        out.contains("\nfound again: 20 lines from 4 stones with ") && out.ends_with(" moves equal\n"),
        "{out}"
    );
    let (others, last) = line.split_at(line.len() - 1);
    let other = u32::from(last == "0");
    let changed = directory.file("changed", &with_line(&format!("{others}{other}")));
    let (_, err) = failed(&[&verify[..], &[&changed, "--samples", "0"]].concat());
    assert!(err.contains("the book has another line than `"), "{err}");
    let said = refused(&[&layer[1..], &[&book, "--lines", "5", "--book", &plain]].concat());
    assert_eq!(said, "lines from 5 stones do not begin before the 4 of the layer\n");

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
