//! `plumb-lab latency` with the real engine.

mod common;

use common::{done, engine, lab, refused};

#[test]
fn answers_are_timed_and_memory_is_weighed() {
    let engine = engine();
    let text = done(
        &[&["latency", "--count", "3", "--hash", "1", "--sizes", "1,32", "--engine"][..], &[&engine]]
            .concat(),
    );
    for row in ["start to uciok", "isready in a search", "stop to bestmove"] {
        let line =
            text.lines().find(|line| line.starts_with(row)).unwrap_or_else(|| panic!("no {row} in\n{text}"));
        let times: Vec<f64> = line[row.len()..].split_whitespace().map(|n| n.parse().expect(line)).collect();
        assert!(times.len() == 3 && times.windows(2).all(|pair| pair[0] <= pair[1]), "{line}");
    }
    let sizes: Vec<_> =
        text.lines().rev().take(2).filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(sizes, ["32", "1"], "{text}");
}

#[test]
fn an_engine_that_is_none_is_one_sentence() {
    let (code, _, err) = lab(&["latency", "--engine", "no-such-engine-anywhere"]);
    let start = "plumb-lab: `no-such-engine-anywhere`: cannot be started: ";
    assert!(code == Some(2) && err.starts_with(start) && err.lines().count() == 1, "{err}");
}

#[test]
fn a_wrong_command_line_is_one_sentence() {
    for arguments in [&["no-such-command"][..], &["latency", "--count", "0"], &["suite"]] {
        refused(arguments);
    }
}
