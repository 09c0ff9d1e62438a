//! `plumb-lab label` on small files: formats, labels, malformed rows, shards.

use crate::common::{Directory, Ended, done, lab, lab_with, refused};

const END_EASY: &str = include_str!("../../../../tests/suites/end-easy.txt");
const MIDDLE_MEDIUM: &str = include_str!("../../../../tests/suites/middle-medium.txt");
const BEGIN_EASY: &str = include_str!("../../../../tests/suites/begin-easy.txt");
const MIDDLE_EASY: &str = include_str!("../../../../tests/suites/middle-easy.txt");

fn suite(text: &str) -> impl Iterator<Item = (&str, i32)> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| line.split_once(' '))
        .map(|(moves, score)| (moves, score.parse().expect("a score")))
}

fn lines(lines: impl Iterator<Item = String>) -> String {
    lines.flat_map(|line| [line, "\n".to_owned()]).collect()
}

fn label(directory: &Directory, input: &str, text: &str, output: &str, more: &[&str]) -> String {
    let (code, said, err) = run(directory, input, text, output, more);
    assert_eq!(code, Some(0), "{said}{err}");
    directory.read(output)
}

fn run(directory: &Directory, input: &str, text: &str, output: &str, more: &[&str]) -> Ended {
    let (input, output) = (directory.file(input, text), directory.path(output));
    lab(&[&["label", &input, "--out", &output, "--hash", "4", "--force"], more].concat())
}

#[test]
fn suites_get_the_scores_that_they_have() {
    let directory = Directory::new("label-suites");
    let later = suite(END_EASY).chain(suite(MIDDLE_EASY).take(60));
    let all: Vec<_> = later.chain(suite(MIDDLE_MEDIUM).take(20)).chain(suite(BEGIN_EASY).take(5)).collect();
    let text = lines(all.iter().map(|(moves, _)| (*moves).to_owned()));
    let csv = label(&directory, "in.txt", &format!("# a heading\n\n{text}"), "out.csv", &[]);
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("position,score,outcome,distance"));
    for ((moves, score), line) in all.iter().zip(lines.by_ref()) {
        let cells: Vec<_> = line.split(',').collect();
        let outcome = ["loss", "draw", "win"][(score.signum() + 1) as usize];
        assert_eq!(cells[..3], [*moves, &score.to_string(), outcome], "{line}");
        // Score 1 is a win at stone 41 or 42, score 2 at stone 39 or 40, and so on.
        let last = moves.len() + cells[3].parse::<usize>().expect("a number");
        let expected = if *score == 0 {
            42..=42
        } else {
            43 - 2 * score.unsigned_abs() as usize..=44 - 2 * score.unsigned_abs() as usize
        };
        assert!(expected.contains(&last), "{line}");
    }
    assert_eq!(lines.next(), None);
    for more in [["--threads", "1", "--no-book", "--hash=4"], ["--threads", "3", "--moves", "--hash=1"]] {
        let (input, out) = (directory.path("in.txt"), directory.path("other.csv"));
        done(&[&["label", &input, "--out", &out, "--force"], &more[..]].concat());
        for (line, other) in csv.lines().zip(directory.read("other.csv").lines()) {
            assert!(other.starts_with(line), "{line}: {other}");
        }
    }
}

#[test]
fn the_first_stones_have_their_published_scores() {
    let directory = Directory::new("label-book");
    // Source: John Tromp; the centre wins, the columns next to it draw.
    let csv = label(&directory, "in.csv", "id,position\n1,\n2,4\n", "out.csv", &["--moves"]);
    let start = "1,,1,win,41,-2,-1,0,1,0,-1,-2,4";
    let second = "2,4,-1,loss,40,-4,-2,-2,-1,-2,-2,-4,4";
    let heading = "id,position,score,outcome,distance,score1,score2,score3,score4,score5,score6,score7,best";
    assert_eq!(csv, format!("{heading}\n{start}\n{second}\n"));
}

#[test]
fn fields_stay_as_they_are_in_either_format() {
    let directory = Directory::new("label-fields");
    let input = "note,position\n\"a \"\"b\"\", c\n d\",112233\n1.50,1122334\n";
    let csv = label(&directory, "in.csv", input, "out.csv", &["--prefix", "x_"]);
    assert_eq!(
        csv,
        "note,position,x_score,x_outcome,x_distance\n\"a \"\"b\"\", c\n d\",112233,18,win,1\n1.50,1122334,-18,loss,0\n"
    );
    let json = label(&directory, "in.csv", input, "out.jsonl", &[]);
    let one = r#"{"note":"a \"b\", c\n d","position":"112233","score":18,"outcome":"win","distance":1}"#;
    let other = r#"{"note":"1.50","position":"1122334","score":-18,"outcome":"loss","distance":0}"#;
    assert_eq!(json, format!("{one}\n{other}\n"));
    let one = r#"{"z": 1.50, "position":"7/7/7/7/ooo4/xxx4", "a":[1, {"b":null}]"#;
    let other = r#"{"position":"112233","n":null,"s":"x,y""#;
    let objects = format!(" {one} }} \r\n\n{other}}}");
    let json = label(&directory, "in.jsonl", &objects, "out.jsonl", &["--moves"]);
    let scores = r#""scores":[-2,-1,-1,18,-2,-2,-3],"best":[4]}"#;
    let labels = format!("\"score\":18,\"outcome\":\"win\",\"distance\":1,{scores}\n");
    assert_eq!(json, format!("{one},{labels}{other},{labels}"));
    let csv = label(&directory, "in.jsonl", &objects, "out.csv", &[]);
    let rows = "1.50,7/7/7/7/ooo4/xxx4,\"[1, {\"\"b\"\":null}]\",,,18,win,1\n,112233,,,\"x,y\",18,win,1\n";
    assert_eq!(csv, format!("z,position,a,n,s,score,outcome,distance\n{rows}"));
}

#[test]
fn a_game_that_is_over_has_no_moves() {
    let directory = Directory::new("label-over");
    let full = "121212212121343434434343565656656565777777";
    let text = format!("1122334\n{full}\n");
    let json = label(&directory, "in.txt", &text, "out.jsonl", &["--moves"]);
    let none = r#""scores":[null,null,null,null,null,null,null],"best":[]}"#;
    let expected = format!(
        "{{\"position\":\"1122334\",\"score\":-18,\"outcome\":\"loss\",\"distance\":0,{none}\n\
         {{\"position\":\"{full}\",\"score\":0,\"outcome\":\"draw\",\"distance\":0,{none}\n"
    );
    assert_eq!(json, expected);
    let csv = label(&directory, "in.txt", &text, "out.csv", &["--moves"]);
    assert!(csv.ends_with(&format!("\n1122334,-18,loss,0,,,,,,,,\n{full},0,draw,0,,,,,,,,\n")), "{csv}");
}

#[test]
fn a_malformed_row_is_named_or_skipped() {
    let directory = Directory::new("label-bad");
    let fields = |count| format!("2: `112233`: the row has {count} fields, expected 2 as in the header");
    let digit = "4: column `position`: move 3, `x`: not a column digit (columns 1 to 7)";
    let no_text = "column 13: EOF while parsing a string; expected a JSON object";
    let open = "a quote is not closed, expected `\"`";
    for (input, text, fault, skipped) in [
        ("in.csv", "position,id\n112233,1\n\n44x,2\n", digit, "112233,1,18,win,1\n44x,2,,,\n"),
        ("in.csv", "position,id\n112233,1,2\n", &fields(3), "112233,\"1,2\",,,\n"),
        ("in.csv", "position,id\n112233\n", &fields(1), "112233,,,,\n"),
        ("in.csv", "position,id\n4,\"1\n", &format!("2: `4,\"1\n`: {open}"), "4,\"1\n\",,,\n"),
        ("in.txt", "# x\n4444444\n", "2: move 7, `4`: column 4 is full", "4444444,,,\n"),
        (
            "in.jsonl",
            "{\"position\":\"112233\"}\n{\"position\":\"\n",
            &format!("2: `{{\"position\":\"`: {no_text}"),
            "112233,18,win,1\n\"{\"\"position\"\":\"\"\",,,\n",
        ),
    ] {
        let said = format!("plumb-lab: {}:{fault}\n", directory.path(input));
        assert_eq!(run(&directory, input, text, "out.csv", &[]), (Some(2), String::new(), said));
        let (code, out, err) = run(&directory, input, text, "out.csv", &["--skip-bad"]);
        assert_eq!(code, Some(0), "{err}");
        assert!(out.contains(" rows, 1 of them malformed, "), "{out}");
        let csv = directory.read("out.csv");
        assert_eq!(csv.split_once('\n').map(|(_, rows)| rows), Some(skipped), "{text}");
    }
}

#[test]
fn the_column_of_the_positions_is_found_or_named() {
    let directory = Directory::new("label-column");
    // In expected rows, `#` stands for the position and its labels.
    for (input, text, more, columns, rows) in [
        ("in.csv", "id,moves\n1,112233\n", &[][..], "id,moves", "1,#"),
        ("in.tsv", "id\tpos\n\"1\t2\"\t112233\n", &[], "id,pos", "1\t2,#"),
        ("in.csv", "moves;text\nx,y;112233\n", &["--delimiter=;", "--key=text"], "moves,text", "\"x,y\",#"),
        ("in.csv", "game\n112233\n", &[], "game", "#"),
        ("in.jsonl", "{\"id\":1,\"pos\":\"112233\"}\n{\"pos\":\"112233\"}\n", &[], "id,pos", "1,#,#"),
        (
            "in.jsonl",
            "{}\n44\n{\"id\":1,\"pos\":\"112233\"}\n",
            &["--skip-bad"],
            "id,pos",
            ",,,,\n,44,,,\n1,#",
        ),
        ("in.jsonl", "{\"pos\":\"1\",\"text\":\"112233\"}\n", &["--column=text"], "pos,text", "1,#"),
    ] {
        let labelled = label(&directory, input, text, "out.csv", more);
        let rows = rows.replace('#', "112233,18,win,1\n");
        assert_eq!(labelled, format!("{columns},score,outcome,distance\n{rows}"), "{text}");
    }
}

#[test]
fn what_is_left_out_is_said() {
    let directory = Directory::new("label-left-out");
    let text = "position\n112233\n\n0011\n\n\"\"\n0\n";
    let (code, said, err) = run(&directory, "in.csv", text, "out.csv", &["--skip-bad", "--first-column=1"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(said.contains(": 4 rows, 2 of them malformed, 4 new in "), "{said}");
    let end = "; 2 of the new rows have a column 0: does the file count columns from 0?; 2 blank lines left out, \
               the first is line 3\n";
    assert!(said.ends_with(end), "{said}");
    let said = run(&directory, "in.txt", "1122334\n", "out.csv", &["--board=8x7"]).1;
    let note = "note: a table of 4 MB may in rare cases confuse positions of this board\n";
    assert!(said.starts_with(note), "{said}");
}

#[test]
fn what_cannot_be_labelled_is_one_sentence() {
    let directory = Directory::new("label-refused");
    let taken = "the input already has a field `score`; give the labels other names with `--prefix`";
    let lone = "a carriage return without a line feed, expected lines that end with a line feed";
    let untold = "IN:2: the positions were under `id` so far, and this row has several possible keys; give `--column NAME`";
    for (input, text, more, fault) in [
        ("in.csv", "position,score\n4,1\n", &[][..], &*format!("IN: {taken}")),
        ("in.jsonl", "{\"score\":1,\"position\":\"4\"}\n", &[], &format!("IN:1: {taken}")),
        ("in.jsonl", "{\"id\":\"1\"}\n{\"id\":\"2\",\"moves\":\"4\"}\n", &["--skip-bad"], untold),
        (
            "in.csv",
            "4455\n44\n",
            &[],
            "IN:1: `4455` is a position, expected a header; a file that ends in .txt needs none",
        ),
        ("in.csv", "a,a\n4,1\n", &[], "IN:1: the header has `a` twice, expected different columns"),
        ("in.csv", "id;pos\n1;4\n", &[], "IN:1: `id;pos` is one column: did you mean `--delimiter ';'`?"),
        ("in.csv", "position\r4455\r44\r", &[], &format!("IN:1: {lone}")),
        ("in.txt", "# x\r44\r", &[], &format!("IN:1: {lone}")),
        ("in.txt", "44\n", &["--column=moves"], "--column: plain text has no columns"),
        ("in.csv", "", &[], "IN: the file is empty, expected a header with a column `position`"),
    ] {
        let ended = run(&directory, input, text, "out.csv", more);
        let fault = fault.replace("IN", &directory.path(input));
        assert_eq!(ended, (Some(2), String::new(), format!("plumb-lab: {fault}\n")));
    }
    let out = directory.path("out.txt");
    let said = refused(&["label", &directory.file("in.csv", "position\n4\n"), "--out", &out]);
    assert_eq!(said, format!("`{out}`: expected the output to end in .csv or .jsonl"));
    label(&directory, "in.csv", "position\n112233\n", "out.csv", &[]);
    let out = directory.path("out.csv");
    let said = refused(&["label", &directory.path("in.csv"), "--out", &out]);
    assert_eq!(said, format!("`{out}` is there already; `--force` overwrites it"));
}

#[test]
fn shards_one_after_the_other_are_the_whole() {
    let directory = Directory::new("label-shards");
    let rows = lines(suite(END_EASY).take(50).map(|(moves, _)| format!("{moves},\"a\nb\"")));
    let text = format!("position,note\n{rows}");
    for output in ["out.csv", "out.jsonl"] {
        let whole = label(&directory, "in.csv", &text, output, &[]);
        for count in [1, 3, 60] {
            let names: Vec<_> = (1..=count).map(|number| format!("{number}-of-{count}-{output}")).collect();
            let shards = names.iter().zip(1..).map(|(name, number)| {
                label(&directory, "in.csv", &text, name, &["--shard", &format!("{number}/{count}")])
            });
            assert_eq!(shards.collect::<String>(), whole);
            let parts: Vec<_> = names.iter().map(|name| directory.path(name)).collect();
            let merged = directory.path(&format!("merged-{output}"));
            let merge: Vec<_> = ["label", "merge", "--force", "--out", &merged]
                .into_iter()
                .chain(parts.iter().map(String::as_str))
                .collect();
            assert!(done(&merge).ends_with(&format!("-{output}: 50 rows of {count} shards\n")));
            assert_eq!(directory.read(&format!("merged-{output}")), whole);
            directory.file(&names[0], "edited");
            assert!(refused(&merge).contains("it has changed since it was written"));
        }
    }
}

/// `merge` trusts the header file next to a shard, so a run must not leave its header next to another run's output.
#[test]
fn the_header_of_a_shard_is_not_beside_another_file() {
    let directory = Directory::new("label-other-shard");
    std::fs::create_dir(directory.path("1.csv")).expect("it can be made");
    let (code, _, err) = run(&directory, "in.txt", "112233\n", "1.csv", &["--shard", "1/2"]);
    assert!(code == Some(2) && err.contains("1.csv` is a directory; "), "{err}");
    assert!(!std::fs::exists(directory.path("1.csv.header")).expect("readable"));
}

#[test]
fn standard_input_is_read_once() {
    let directory = Directory::new("label-stdin");
    let piped = |input: &str, format: &str, text: &str, output: &str| {
        let out = directory.path(output);
        let (code, _, err) =
            lab_with(&["label", input, "--format", format, "--hash", "4", "--out", &out], text);
        (code, err)
    };
    for (input, output) in [("-", "a.csv"), ("/dev/stdin", "c.csv")] {
        if cfg!(unix) || input == "-" {
            assert_eq!(piped(input, "text", "112233\n1122334\n", output).0, Some(0));
            let expected = "position,score,outcome,distance\n112233,18,win,1\n1122334,-18,loss,0\n";
            assert_eq!(directory.read(output), expected, "{input}");
        }
    }
    let text = "{\"position\":\"112233\"}\n{\"position\":\"112233\",\"b\":1}\n";
    let (code, err) = piped("-", "jsonl", text, "b.csv");
    let fault = "`b` is not a key of the first row; all rows of a CSV have the same columns";
    assert_eq!((code, err), (Some(2), format!("plumb-lab: standard input:2: {fault}\n")));
}
