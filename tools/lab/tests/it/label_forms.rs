//! `plumb-lab label` and `suite` read positions and labels in the formats of other programs.

use crate::common::{Directory, done, failed, lab_with, refused};

/// The position 4453 in each form: format, file, flags.
fn forms() -> Vec<(&'static str, String, Vec<&'static str>)> {
    let rows = [
        "0 0 0 0 0 0 0",
        "0 0 0 0 0 0 0",
        "0 0 0 0 0 0 0",
        "0 0 0 0 0 0 0",
        "0 0 0 2 0 0 0",
        "0 0 2 1 1 0 0",
    ];
    let board = rows.join(" ");
    let symbols = |from: [&'static str; 3]| {
        let cell = |cell| from[["0", "1", "2"].iter().position(|&known| known == cell).expect("a cell")];
        board.split(' ').map(cell).collect::<Vec<_>>()
    };
    let columns = |symbols: &[&str]| {
        let cells = (0..42).map(|index| symbols[(5 - index % 6) * 7 + index / 6]);
        cells.map(str::to_owned).collect::<Vec<_>>()
    };
    let names = (0..42).map(|index| format!("{}{}", char::from(b'a' + (index / 6) as u8), index % 6 + 1));
    let header = names.collect::<Vec<_>>().join(",");
    let uci = columns(&symbols(["b", "x", "o"])).join(",");
    let open_spiel = symbols([".", "x", "o"]).chunks(7).map(<[_]>::concat).collect::<Vec<_>>().join("\n");
    let signs = symbols(["0", "1", "-1"]).join(", ");
    let from_top: Vec<_> =
        (1..=6).rev().flat_map(|row| ('a'..='g').map(move |column| format!("{column}{row}"))).collect();
    let swapped = board.replace('2', "3").replace('1', "2").replace('3', "1");
    let lists = rows.map(|row| row.replace(' ', ",")).join("],[");
    // Bits 21 and 28 are d1 and e1, 22 and 14 are d2 and c1.
    let (own, opponent) = ((1 << 21) + (1 << 28), (1 << 22) + (1 << 14));
    vec![
        ("txt", "3342\n".to_owned(), vec!["--first-column", "0"]),
        ("txt", format!("[{}]\n", board.replace(' ', ", ")), vec![]),
        ("txt", format!("{}\n", symbols([".", "R", "Y"]).join(" ")), vec![]),
        ("txt", format!("{}\n", symbols(["-", "w", "b"]).concat()), vec![]),
        ("csv", format!("{}\n", symbols(["*", "A", "B"]).join(",")), vec![]),
        ("txt", "3342\n".to_owned(), vec!["--form", "digits", "--first-column", "0"]),
        ("txt", format!("{own} {}\n", own + opponent), vec!["--form", "bits"]),
        ("txt", format!("{own},{opponent}\n"), vec!["--form", "bits"]),
        ("txt", format!("{swapped}\n"), vec!["--mover", "2"]),
        ("csv", format!("id,board\n1,\"{open_spiel}\"\n"), vec![]),
        ("csv", format!("v,board\n1,\"[{signs}]\"\n"), vec![]),
        ("csv", format!("{header},class\n{uci},win\n"), vec![]),
        ("data", format!("{uci},win\n"), vec![]),
        ("csv", format!("{},v\n{},1\n", from_top.join(","), board.replace(' ', ",")), vec![]),
        ("csv", format!("{}\n", board.replace(' ', ",")), vec![]),
        ("jsonl", format!("{{\"board\": [{}], \"mark\": 1}}\n", board.replace(' ', ",")), vec![]),
        ("jsonl", "{\"id\": 1, \"moves\": [4, 4, 5, 3]}\n".to_owned(), vec![]),
        ("jsonl", "{\"id\": 1, \"moves\": [\"4\", \"d\", \"e1\", \"3\"]}\n".to_owned(), vec![]),
        ("jsonl", format!("{{\"board\": [[{lists}]]}}\n"), vec![]),
    ]
}

#[test]
fn every_form_gets_the_same_labels() {
    let directory = Directory::new("label-forms");
    for (index, (extension, text, flags)) in forms().into_iter().enumerate() {
        let input = directory.file(&format!("{index}.{extension}"), &text);
        let out = directory.path(&format!("{index}.out.csv"));
        done(&[&["label", &input, "--out", &out, "--hash", "4"], &flags[..]].concat());
        let labelled = directory.read(&format!("{index}.out.csv"));
        assert!(labelled.ends_with(",-2,loss,36\n"), "{text}: {labelled}");
    }
}

#[test]
fn labels_of_each_kind_are_written_and_compared() {
    let directory = Directory::new("label-kinds");
    let input = directory.file("in.txt", "4453\n44535\n445361\n");
    for kind in ["plumb", "kaggle", "uci", "openspiel", "pons"] {
        for extension in ["csv", "jsonl"] {
            let out = directory.path(&format!("{kind}.{extension}"));
            done(&["label", &input, "--as", kind, "--out", &out, "--hash", "4"]);
            let said = done(&["suite", &out, "--as", kind, "--hash", "4"]);
            assert!(said.contains(": 3 rows, 3 equal, 0 different; "), "{said}");
        }
    }
    let uci = directory.read("uci.csv");
    assert_eq!(uci.lines().collect::<Vec<_>>(), ["position,class", "4453,loss", "44535,loss", "445361,win"]);
    let wrong = directory.file("wrong.csv", &uci.replacen("loss", "draw", 1));
    let (said, _) = failed(&["suite", &wrong, "--as", "uci", "--hash", "4"]);
    assert!(said.contains(":2: `class` is \"draw\", expected \"loss\"\n"), "{said}");
    let said = refused(&["suite", &wrong, "--as", "pons", "--hash", "4"]);
    assert!(said.ends_with("expected a column or key score"), "{said}");
    for kind in ["uci", "openspiel"] {
        for run in [&["label", &input, "--out", &wrong, "--force"][..], &["suite", &wrong]] {
            let said = refused(&[run, &["--as", kind, "--mover", "2"]].concat());
            let expected = "has labels for the first player, so it cannot be used with `--mover`";
            assert_eq!(said, format!("`--as {kind}` {expected}"));
        }
    }
}

#[test]
fn a_line_with_only_a_score_is_the_empty_board() {
    let directory = Directory::new("empty-board");
    let flags = ["--board", "4x4", "--hash", "1"];
    let scored = directory.file("scored.txt", " 0\n\t0\n");
    let said = done(&[&["suite", &scored][..], &flags].concat());
    assert!(said.contains("scored.txt         2          0"), "{said}");
    let out = directory.path("out.csv");
    let fault = "1: ` 0`: the empty board with a score; write `startpos` for the empty board, `0` for a move";
    let said = refused(&[&["label", &scored, "--out", &out][..], &flags].concat());
    assert!(said.contains(fault), "{said}");
    let (code, _, said) = lab_with(&[&["solve", "-"][..], &flags].concat(), " 0\n");
    assert!(code == Some(2) && said.contains(fault), "{said}");
    let blank = directory.file("blank.txt", "\n2\n\n3\n");
    let said = done(&[&["label", &blank, "--out", &out][..], &flags].concat());
    assert!(said.ends_with("; 2 blank lines left out, the first is line 1\n"), "{said}");
}
