//! `plumb-lab label`: killed, interrupted and resumed runs.

use std::fs;
use std::process::Child;

#[cfg(unix)]
use crate::common::end_by;
use crate::common::{Directory, done, kill, start, wait, wait_until};
use plumb::mix::Random;
use plumb_arena::openings::random_position;

fn positions(directory: &Directory, count: u32) -> String {
    let mut random = Random::new(1, 0);
    let rows = (0..count).map(|id| format!("{id},{}", random_position(&mut random, 24 + id % 8).moves));
    let rows: Vec<_> = rows.collect();
    directory.file("in.csv", &format!("id,position\n{}\n", rows.join("\n")))
}

fn arguments<'a>(input: &'a str, out: &'a str) -> Vec<&'a str> {
    vec!["label", input, "--out", out, "--hash", "4", "--moves", "--threads", "2"]
}

fn running(arguments: &[&str], out: &str) -> Child {
    let mut child = start(arguments);
    let journal = format!("{out}.part.journal");
    wait_until(&mut child, || fs::read_to_string(&journal).unwrap_or_default().lines().count() >= 4);
    child
}

#[test]
fn a_run_that_was_killed_and_interrupted_goes_on_to_the_same_bytes() {
    let directory = Directory::new("label-killed");
    let input = positions(&directory, 6000);
    let (whole, out) = (directory.path("whole.csv"), directory.path("out.csv"));
    done(&arguments(&input, &whole));
    let arguments = arguments(&input, &out);
    #[cfg(unix)]
    {
        let (code, _, err) = end_by("INT", running(&arguments, &out));
        assert_eq!(code, Some(130), "{err}");
        let said = err.lines().last().unwrap_or_default();
        assert!(said.starts_with("plumb-lab: interrupted after "), "{err}");
        assert!(said.ends_with(" of 6000 rows: the same command labels the rest"), "{err}");
    }
    kill(running(&arguments, &out));
    assert!(!fs::exists(&out).expect("readable"), "it was not over yet");
    // The partial output and its journal end with incomplete rows.
    let part = directory.read("out.csv.part");
    directory.file("out.csv.part", &format!("{part}5,44"));
    let journal = directory.read("out.csv.part.journal");
    directory.file("out.csv.part.journal", &format!("{journal}128 0"));
    let said = done(&arguments);
    assert!(said.contains(": 6000 rows, 0 of them malformed, ") && !said.contains(" 6000 new "), "{said}");
    assert!(directory.read("out.csv") == directory.read("whole.csv"), "the bytes are the same");
    assert!(!fs::exists(directory.path("out.csv.part")).expect("readable"));
    assert!(!fs::exists(directory.path("out.csv.part.journal")).expect("readable"));
}

#[test]
fn a_file_that_loses_rows_meanwhile_is_not_labelled() {
    let directory = Directory::new("label-shorter");
    let input = positions(&directory, 6000);
    let out = directory.path("out.csv");
    let child = running(&arguments(&input, &out), &out);
    // Truncates the input after the rows that the reader has already buffered.
    let size = directory.read("in.csv").match_indices('\n').nth(4000).expect("a row").0;
    let file = fs::File::options().write(true).open(&input).expect("it is there");
    file.set_len(size as u64 + 1).expect("it can be cut");
    let (code, _, err) = wait(child);
    let end = "plumb-lab: IN: the rows end after 4000 of 6000: the file has changed during the run\n";
    assert!(code == Some(2) && err.ends_with(&end.replace("IN", &input)), "{err}");
    assert!(!fs::exists(&out).expect("readable"));
}

#[test]
fn a_part_of_another_run_is_left_alone() {
    let directory = Directory::new("label-foreign");
    let input = positions(&directory, 6000);
    let out = directory.path("out.csv");
    kill(running(&arguments(&input, &out), &out));
    let refused = |arguments: &[&str], fault: &str| {
        let part = directory.read("out.csv.part");
        assert_eq!(crate::common::refused(arguments), fault);
        assert!(directory.read("out.csv.part") == part);
    };
    let begun = format!("`{out}.part` has other settings");
    let end = "remove it or give another `--out`";
    refused(
        &["label", &input, "--out", &out, "--shard", "1/2", "--hash", "4"],
        &format!("{begun}: `moves`: recorded true, given false; `shard`: recorded none, given 1/2; {end}"),
    );
    let text = directory.read("in.csv");
    directory.file("in.csv", &text[..text.len() / 2]);
    let said = crate::common::refused(&arguments(&input, &out));
    assert!(said.starts_with(&begun) && said.contains("contents of `in.csv`: recorded SHA-256 "), "{said}");
    fs::remove_file(directory.path("out.csv.part.journal")).expect("it is there");
    let lost = format!("`{out}.part` has no journal `{out}.part.journal`");
    let fault = format!("{lost}, so it cannot be resumed; remove it or give another `--out`");
    refused(&arguments(&input, &out), &fault);
}
