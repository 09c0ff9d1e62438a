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

/// Runs the three shards of `run` and merges them, in another order and not with a shard of another run; returns what the
/// merge says. The results are in files or directories of `directory` whose names end with `suffix`.
fn merged(directory: &Directory, run: &[&str], other_run: &[&str], flag: &str, suffix: &str) -> String {
    let [one, two, three, other, whole] =
        ["1", "2", "3", "other", "merged"].map(|name| directory.path(&format!("{name}{suffix}")));
    for (shard, part) in [("1/3", &one), ("2/3", &two), ("3/3", &three)] {
        done(&[run, &["--shard", shard, flag, part]].concat());
    }
    done(&[other_run, &["--shard", "3/3", flag, &other]].concat());
    let said = refused(&[run[0], "merge", &one, &two, &other, flag, &whole]);
    assert!(said.contains("are shards of different runs: "), "{said}");
    let said = done(&[run[0], "merge", &two, &one, &three, flag, &whole]);
    // A merge may be repeated over its result.
    assert_eq!(done(&[run[0], "merge", &one, &two, &three, flag, &whole]), said);
    said
}

#[test]
fn shards_of_boards_are_merged() {
    let directory = Directory::new("shards-boards");
    let run = ["boards", "--max-cells", "25", "--hash", "4"];
    let csv = directory.path("whole.csv");
    done(&[&run[..], &["--csv", &csv]].concat());
    let other = ["boards", "--max-cells", "24", "--hash", "4"];
    let said = merged(&directory, &run, &other, "--csv", ".csv");
    assert!(said.ends_with("\n6 boards compared with published results, 0 of them differ\n"), "{said}");
    let outcome = |name: &str| columns(&directory.read(name), &[0, 1, 2, 3, 4, 7, 8]);
    assert_eq!(outcome("merged.csv"), outcome("whole.csv"));
    let [one, three, none] = ["1.csv", "3.csv", "none.csv"].map(|name| directory.path(name));
    assert_eq!(refused(&["boards", "merge", &three, &one, "--csv", &none]), "shard 2/3 is missing");
    assert!(!fs::exists(&none).expect("readable"), "nothing was merged");
    // A shard is resumed by the same command only.
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
    let other = ["suite", &a, &b, "--hash", "2"];
    let said = merged(&directory, &run, &other, "--csv", ".csv");
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
    let whole = directory.path("whole.csv");
    let run = ["label", &input, "--hash", "1", "--no-book", "--moves"];
    done(&[&run[..], &["--out", &whole]].concat());
    let other_input = directory.file("other.txt", &moves.join("\n").replacen(moves[3], moves[4], 1));
    let other = ["label", &other_input, "--hash", "1", "--no-book", "--moves"];
    let said = merged(&directory, &run, &other, "--out", ".csv");
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
    merged(&directory, &run, &other, "--out", "");
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
    let said = merged(&directory, &run, &other, "--out", "");
    // So short a run is no reason to prefer a size.
    assert!(said.contains("the default; too short to tell"), "{said}");
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
