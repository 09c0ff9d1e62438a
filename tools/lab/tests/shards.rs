//! Shards of `boards`, `suite`, `label`, `table-study` and `tune-hash`, merged into what an undivided run makes. Those of
//! `match` and `book` are with the other tests of these commands.

mod common;

use std::fs;

use common::{Directory, done, engine, refused};

/// Columns of a file of comma-separated values, without commas in any field.
fn columns(text: &str, wanted: &[usize]) -> Vec<Vec<String>> {
    let fields = |line: &str| {
        let all: Vec<_> = line.split(',').collect();
        wanted.iter().map(|&index| all[index].to_owned()).collect()
    };
    text.lines().map(fields).collect()
}

/// The flag for the results of a shard, where they are, and their name there by the number of the shard.
type Place<'a> = (&'a str, &'a Directory, &'a dyn Fn(&str) -> String);

/// Runs the shards of `run` in `directory`, whose results are in the files or directories that `place` names by the number
/// of the shard; checks that a merge does not take a shard of another run, and is the same when it is repeated. Returns what
/// the merge says.
fn check(
    run: &[&str],
    other_run: &[&str],
    merge: &[&str],
    (flag, directory, place): Place,
    out: &str,
) -> String {
    let path = |name: &str| directory.path(&place(name));
    let parts = ["1", "2", "3"].map(path);
    let [one, two, three] = parts.each_ref().map(String::as_str);
    let merged = directory.path(out);
    for (shard, part) in [("1/3", one), ("2/3", two), ("3/3", three)] {
        done(&[run, &["--shard", shard, flag, part]].concat());
    }
    let other = path("other");
    done(&[other_run, &["--shard", "3/3", flag, &other]].concat());
    let said = refused(&[merge, &[one, two, &other, flag, &merged]].concat());
    assert!(said.contains("are shards of different runs: "), "{said}");
    assert!(!fs::exists(&merged).expect("readable"), "nothing was merged yet");

    let said = done(&[merge, &[two, one, three, flag, &merged]].concat());
    assert_eq!(done(&[merge, &[one, two, three, flag, &merged]].concat()), said);
    said
}

#[test]
fn shards_of_boards_are_merged() {
    let directory = Directory::new("shards-boards");
    let run = ["boards", "--max-cells", "25", "--hash", "4"];
    let csv = directory.path("whole.csv");
    done(&[&run[..], &["--csv", &csv]].concat());
    let other = ["boards", "--max-cells", "24", "--hash", "4"];
    let place = |name: &str| format!("{name}.csv");
    let merge = ["boards", "merge"];
    let said = check(&run, &other, &merge, ("--csv", &directory, &place), "merged.csv");
    assert!(said.ends_with("\n6 boards compared with published results, 0 of them differ\n"), "{said}");
    let outcome = |name: &str| columns(&directory.read(name), &[0, 1, 2, 3, 4, 7, 8]);
    assert_eq!(outcome("merged.csv"), outcome("whole.csv"));
    // A shard is resumed by the same command only.
    let one = directory.path("1.csv");
    assert!(refused(&["boards", "--csv", &one]).contains("`shard`: recorded 1/3, given none; "));
    let said = refused(&[&run[..], &["--shard", "2/3", "--csv", &one]].concat());
    assert!(said.contains("has other settings: `shard`: recorded 1/3, given 2/3; "), "{said}");
}

/// 30 positions late in the game, and their scores.
fn suites(directory: &Directory) -> [String; 2] {
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/suites/end-easy.txt"));
    let text = text.expect("the suite is there");
    let lines: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).take(30).collect();
    [
        directory.file("a.txt", &(lines[..17].join("\n") + "\n")),
        directory.file("b.txt", &lines[17..].join("\n")),
    ]
}

#[test]
fn shards_of_a_suite_are_merged() {
    let directory = Directory::new("shards-suite");
    let [a, b] = suites(&directory);
    let whole = directory.path("whole.csv");
    let run = ["suite", &a, &b, "--hash", "1"];
    let expected = done(&[&run[..], &["--csv", &whole]].concat());
    let place = |name: &str| format!("{name}.csv");
    let other = ["suite", &a, &b, "--hash", "2"];
    let said = check(&run, &other, &["suite", "merge"], ("--csv", &directory, &place), "merged.csv");
    // Files, positions and mismatches, and the nodes: all but times.
    let rows = |text: &str| -> Vec<Vec<String>> {
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let row = |line| [&words(line)[..3], &words(line)[7..8]].concat();
        text.lines().skip(1).map(row).collect()
    };
    assert_eq!(rows(&said), rows(&expected));
    assert_eq!(rows(&said)[0][..3], ["a.txt", "17", "0"]);
    let answers = |name: &str| columns(&directory.read(name), &[0, 1, 2, 3, 4, 5, 7]);
    assert_eq!(answers("merged.csv"), answers("whole.csv"));
    let has_header = |name| fs::exists(directory.path(name) + ".header").expect("readable");
    assert_eq!(["1.csv", "merged.csv", "whole.csv"].map(has_header), [true, false, false]);

    // A shard that was broken off goes on; what is merged before that is refused.
    let part = directory.path("2.csv");
    let text = directory.read("2.csv");
    let cut = text.lines().take(4).collect::<Vec<_>>().join("\n") + "\na.txt,";
    fs::write(&part, cut).expect("written");
    let parts = ["1.csv", "2.csv", "3.csv"].map(|name| directory.path(name));
    let merge = [&["suite", "merge"], &parts.each_ref().map(String::as_str)[..], &["--csv", &whole]].concat();
    assert!(refused(&merge).contains("is not complete: shard 2/3 has 3 of 10 results"));
    done(&[&run[..], &["--shard", "2/3", "--csv", &part]].concat());
    assert_eq!(columns(&directory.read("2.csv"), &[1, 2, 5]), columns(&text, &[1, 2, 5]));
}

#[test]
fn shards_of_labels_are_merged() {
    let directory = Directory::new("shards-label");
    let text = fs::read_to_string(&suites(&directory)[0]).expect("there");
    let moves: Vec<_> = text.lines().filter_map(|line| line.split(' ').next()).collect();
    let input = directory.file("in.txt", &moves.join("\n"));
    let other_input = directory.file("other.txt", &moves.join("\n").replacen(moves[3], moves[4], 1));
    let whole = directory.path("whole.csv");
    let run = ["label", &input, "--hash", "1", "--no-book", "--moves"];
    done(&[&run[..], &["--out", &whole]].concat());
    let other = ["label", &other_input, "--hash", "1", "--no-book", "--moves"];
    let place = |name: &str| format!("{name}.csv");
    let said = check(&run, &other, &["label", "merge"], ("--out", &directory, &place), "merged.csv");
    assert!(said.ends_with("merged.csv: 17 rows of 3 shards\n"), "{said}");
    assert_eq!(directory.read("merged.csv"), directory.read("whole.csv"));
    // A shard that somebody edited is none.
    let text = directory.read("2.csv");
    directory.file("2.csv", &text[..text.len() - 3]);
    let parts = ["1.csv", "2.csv", "3.csv"].map(|name| directory.path(name));
    let merge = [&["label", "merge"], &parts.each_ref().map(String::as_str)[..], &["--out", &whole]].concat();
    assert!(refused(&merge).contains("it was changed since it was written"));
}

#[test]
fn shards_of_a_table_study_are_merged() {
    let directory = Directory::new("shards-table-study");
    let [a, b] = suites(&directory);
    let run = ["table-study", &a, &b, "--sizes", "2^17,2^18", "--mode", "both"];
    let whole = directory.path("whole");
    done(&[&run[..], &["--out", &whole]].concat());
    let other = ["table-study", &a, &b, "--sizes", "2^17,2^19", "--mode", "both"];
    let place = |name: &str| format!("part-{name}");
    let merge = ["table-study", "merge"];
    check(&run, &other, &merge, ("--out", &directory, &place), "merged");
    let nodes = |name: &str| {
        let mut rows =
            columns(&directory.read(&format!("{name}/table-study.csv")), &[0, 1, 2, 3, 4, 5, 6, 7, 8]);
        rows.sort();
        rows
    };
    assert_eq!(nodes("merged"), nodes("whole"));
    for name in ["table-study.md", "table-study-nodes.svg", "table-study-time.svg"] {
        assert!(!directory.read(&format!("merged/{name}")).is_empty());
    }
}

#[test]
fn shards_of_a_tuning_run_are_merged() {
    let directory = Directory::new("shards-tune-hash");
    let [a, _] = suites(&directory);
    let whole = directory.path("whole");
    let run = ["tune-hash", "--sizes", "1,2", "--suite", &a, "--repeat", "2"];
    done(&[&run[..], &["--out", &whole]].concat());
    let other = ["tune-hash", "--sizes", "1,4", "--suite", &a, "--repeat", "2"];
    let place = |name: &str| format!("part-{name}");
    let said = check(&run, &other, &["tune-hash", "merge"], ("--out", &directory, &place), "merged");
    // So short a run is no reason to prefer a size.
    assert!(
        said.ends_with("64 MB, the default: the sizes took too little time to compare\n")
            || said.contains("the default"),
        "{said}"
    );
    let nodes = |name: &str| {
        let mut rows = columns(
            &directory.read(&format!("{name}/tune-hash.csv")).replace(", ", " "),
            &[1, 2, 3, 4, 5, 6, 8],
        );
        rows.sort();
        rows
    };
    assert_eq!(nodes("merged"), nodes("whole"));
    assert!(directory.read("merged/tune-hash.html").contains("built-in solver, threads 1"));
}

#[test]
fn shards_of_tuning_by_play_are_merged() {
    let directory = Directory::new("shards-tune-play");
    let engine = engine();
    let run = |out: &str, shard: &str| {
        let sizes = ["tune-hash", "--match", "--sizes=1,2", "--reference=4", "--games=8"];
        let more = ["--engine", &engine, "--time-control=nodes=200", "--out", out, "--shard", shard];
        done(&[&sizes[..], &more].concat());
    };
    let parts = ["1/2", "2/2"].map(|shard| (shard, directory.path(&shard.replace('/', "-"))));
    for (shard, out) in &parts {
        run(out, shard);
    }
    let merged = directory.path("merged");
    let merge = ["tune-hash", "merge", &parts[0].1, &parts[1].1, "--out", &merged];
    let said = done(&merge);
    assert!(said.contains('\n') && said.lines().last().is_some_and(|line| line.contains(" MB")), "{said}");
    assert_eq!(done(&merge), said);
    for size in [1, 2] {
        assert_eq!(directory.read(&format!("merged/match-{size}/match.jsonl")).lines().count(), 9);
    }
    assert_eq!(
        refused(&merge[..3]),
        "the following required arguments were not provided: --out <DIR>; see `--help`"
    );
    assert_eq!(refused(&["tune-hash", "merge", &parts[0].1, "--out", &merged]), "shard 2/2 is missing");
}
