//! Shards of `suite`, `plumb-studies table` and `tune-hash`, merged into the results of an undivided run.

use std::fs;

use crate::common::{Directory, columns, done, engine, refused, rows};

fn sorted(text: &str, wanted: &[usize]) -> Vec<Vec<String>> {
    let mut rows = columns(text, wanted);
    rows.sort();
    rows
}

/// Runs a command undivided (`whole`) and in three shards, and merges the shards out of order. Returns the output of
/// the undivided run and of the merge. Names of results end with `suffix`.
fn merged(directory: &Directory, run: &[&str], flag: &str, suffix: &str) -> [String; 2] {
    let [one, two, three, whole, merged] =
        ["1", "2", "3", "whole", "merged"].map(|name| directory.path(&format!("{name}{suffix}")));
    let expected = done(&[run, &[flag, &whole]].concat());
    for (shard, part) in [("1/3", &one), ("2/3", &two), ("3/3", &three)] {
        done(&[run, &["--shard", shard, flag, part]].concat());
    }
    let command = if run[0] == "plumb-studies" { &run[..2] } else { &run[..1] };
    let said = done(&[command, &["merge", &two, &one, &three, flag, &merged]].concat());
    assert_eq!(done(&[command, &["merge", &one, &two, &three, flag, &merged]].concat()), said);
    [expected, said]
}

fn suites(directory: &Directory) -> [String; 2] {
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/suites/end-easy.txt"));
    let text = text.expect("the suite is there");
    let lines: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).take(30).collect();
    let [a, b] = [&lines[..17], &lines[17..]].map(|lines| lines.join("\n"));
    [directory.file("a.txt", &a), directory.file("b.txt", &b)]
}

#[test]
fn shards_of_a_suite_are_merged() {
    let directory = Directory::new("shards-suite");
    let [a, b] = suites(&directory);
    let said = merged(&directory, &["suite", &a, &b, "--hash", "1"], "--csv", ".csv");
    let [expected, found] = said
        .each_ref()
        .map(|text| rows(text)[1..].iter().map(|row| [&row[..3], &row[7..8]].concat()).collect::<Vec<_>>());
    assert_eq!((&found, found[0][..3].to_vec()), (&expected, vec!["a.txt", "17", "0"]));
    let answers = |name: &str| columns(&directory.read(name), &[0, 1, 2, 3, 4, 5, 7]);
    assert_eq!(answers("merged.csv"), answers("whole.csv"));
    let has_header = |name| fs::exists(directory.path(name) + ".header").expect("readable");
    assert_eq!(["1.csv", "merged.csv", "whole.csv"].map(has_header), [true, false, false]);

    let (part, text) = (directory.path("2.csv"), directory.read("2.csv"));
    let cut = |lines: usize| text.lines().take(lines).collect::<Vec<_>>().join("\n") + "\na.txt,";
    let run = ["suite", &a, &b, "--hash", "1", "--shard", "2/3", "--csv", &part];
    for lines in [4, 9] {
        fs::write(&part, cut(lines)).expect("written");
        done(&run);
        assert_eq!(columns(&directory.read("2.csv"), &[1, 2, 5]), columns(&text, &[1, 2, 5]), "{lines}");
    }
}

#[test]
fn shards_of_engines_with_other_settings_are_of_different_runs() {
    let directory = Directory::new("shards-suite-engines");
    let [file, _] = suites(&directory);
    let [one, two, both] = ["1.csv", "2.csv", "both.csv"].map(|name| directory.path(name));
    done(&["suite", &file, "--engine", "depth-42", "--shard", "1/2", "--csv", &one]);
    for engine in ["depth-41", "plumb,option.Threads=2", "depth-42,proto=ugi"] {
        let said = refused(&["suite", &file, "--engine", engine, "--shard", "1/2", "--csv", &one]);
        assert!(said.contains("` has other settings: `engine-description`: recorded {"), "{said}");
        done(&["suite", &file, "--engine", engine, "--shard", "2/2", "--csv", &two]);
        let said = refused(&["suite", "merge", &one, &two, "--csv", &both]);
        assert!(said.contains("` are shards of different runs: `engine-description`: {"), "{said}");
        for path in [&two, &(two.clone() + ".header")] {
            fs::remove_file(path).expect("it is there");
        }
    }
}

#[test]
fn shards_of_a_table_study_are_merged() {
    let directory = Directory::new("shards-table-study");
    let [a, b] = suites(&directory);
    merged(
        &directory,
        &["plumb-studies", "table", &a, &b, "--sizes", "2^17,2^18", "--mode", "both"],
        "--out",
        "",
    );
    let nodes = |name: &str| {
        sorted(&directory.read(&format!("{name}/table-study.csv")), &[0, 1, 2, 3, 4, 5, 6, 7, 8])
    };
    assert_eq!(nodes("merged"), nodes("whole"));
    for name in ["table-study.md", "table-study-nodes.svg", "table-study-time.svg"] {
        assert!(!directory.read(&format!("merged/{name}")).is_empty());
    }
}

#[test]
fn shards_of_tuning_by_play_are_merged() {
    let directory = Directory::new("shards-tune-play");
    let engine = engine();
    let [one, two] = ["1/2", "2/2"].map(|shard| {
        let out = directory.path(&shard.replace('/', "-"));
        let sizes = ["tune-hash", "--match", "--sizes=1,2", "--reference=4", "--games=8"];
        let more = ["--engine", &engine, "--time-control=nodes=200", "--out", &out, "--shard", shard];
        done(&[&sizes[..], &more].concat());
        out
    });
    let merge = ["tune-hash", "merge", &one, &two, "--out", &directory.path("merged")];
    let said = done(&merge);
    assert!(said.lines().nth_back(1).is_some_and(|line| line.contains(" MB")), "{said}");
    assert_eq!(done(&merge), said);
    for size in [1, 2] {
        assert_eq!(directory.read(&format!("merged/match-{size}/match.jsonl")).lines().count(), 9);
    }
    assert_eq!(refused(&[&merge[..3], &merge[4..]].concat()), "shard 2/2 is missing");
}
