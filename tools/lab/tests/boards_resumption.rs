//! `plumb-lab boards`: runs that were killed or interrupted in the middle of a board, and resumed.

mod common;

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Child;

#[cfg(unix)]
use common::end_by;
use common::{Directory, done, kill, lab, start, wait_until};

/// The first player's score and the last stone of this board, 9x4, as published.
const EXPECTED: (&str, &str) = ("-1", "36");

fn arguments<'a>(board: &'a str, csv: &'a str) -> [&'a str; 9] {
    ["boards", "--board", board, "--hash", "4", "--csv", csv, "--save-every", "1"]
}

/// The nodes that a state tells of, if it is there.
fn saved_nodes(state: &str) -> Option<u64> {
    let bytes = fs::read(state).ok()?;
    let header = bytes.split(|&byte| byte == b'\n').nth(1)?;
    serde_json::from_slice::<serde_json::Value>(header).ok()?["nodes"].as_u64()
}

/// A run that has saved a state after at least so many nodes; and how many these are.
fn running(arguments: &[&str], state: &str, nodes: u64) -> (Child, u64) {
    let (mut child, mut saved) = (start(arguments), None);
    wait_until(&mut child, || {
        saved = saved_nodes(state).filter(|&saved| saved >= nodes);
        saved.is_some()
    });
    (child, saved.expect("it was waited for"))
}

/// Score, last stone and nodes of the only board in a file.
fn result(csv: &str) -> (String, String, u64) {
    let text = fs::read_to_string(csv).expect("it is there");
    let fields: Vec<_> = text.lines().nth(1).expect("a result").split(',').collect();
    assert_eq!(text.lines().count(), 2, "{text}");
    (fields[2].to_owned(), fields[3].to_owned(), fields[4].parse().expect("nodes"))
}

/// Kills a run of `board` that takes some `whole` nodes, several times, and resumes it to its end.
fn kill_and_resume(name: &str, board: &str, whole: u64, expected: (&str, &str)) {
    let directory = Directory::new(name);
    let csv = directory.path("boards.csv");
    let state = format!("{csv}.{board}.state");
    let arguments = arguments(board, &csv);
    let mut saved = 0;
    for nodes in [whole / 4, whole / 2] {
        // On a busy machine the first state may be saved late.
        if saved >= nodes {
            continue;
        }
        let (child, _) = running(&arguments, &state, nodes);
        kill(child);
        saved = saved_nodes(&state).expect("the state is whole whenever the program ends");
    }
    // What was being written when it was killed is in the way of nothing.
    fs::write(format!("{state}.new"), "half a state").expect("written");
    let (code, out, err) = lab(&arguments);
    assert_eq!(code, Some(0), "{err}");
    assert!(err.contains(&format!("board 1 of 1: {board}: resumed after ")), "{err}");
    let (score, stone, nodes) = result(&csv);
    assert_eq!((score.as_str(), stone.as_str()), expected, "{out}");
    // The saved table spares the rest of the work: without it, all of it would come on top of what was saved.
    assert!(nodes > saved && nodes < saved + whole, "{nodes} nodes, {saved} saved of about {whole}");
    assert!(!fs::exists(&state).expect("readable"), "a state of a solved board is of no use");
}

#[test]
fn a_killed_run_goes_on_in_the_middle_of_a_board() {
    kill_and_resume("boards-killed", "9x4", 30_000_000, EXPECTED);
}

#[test]
#[ignore = "slow"]
fn a_killed_run_goes_on_in_the_middle_of_8x5() {
    kill_and_resume("boards-killed-8x5", "8x5", 95_000_000, ("1", "39"));
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_saves_what_it_has() {
    let directory = Directory::new("boards-interrupted");
    let csv = directory.path("boards.csv");
    let state = format!("{csv}.9x4.state");
    let mut arguments = arguments("9x4", &csv);
    let (child, saved) = running(&arguments, &state, 1_000_000);
    let (code, _, err) = end_by("INT", child);
    assert_eq!(code, Some(130), "{err}");
    assert!(err.ends_with("interrupted in board 1 of 1: 9x4: the same command goes on there\n"), "{err}");
    assert!(saved_nodes(&state).is_some_and(|nodes| nodes >= saved));

    // A run that could not use the state leaves it alone.
    arguments[4] = "8";
    let before = fs::read(&state).expect("it is there");
    let (code, _, err) = lab(&arguments);
    assert_eq!(code, Some(2), "{err}");
    assert!(
        err.contains("has other settings: `hash`: recorded 4, given 8; remove it or give another `--csv`"),
        "{err}"
    );
    assert!(fs::read(&state).expect("it is there") == before);
    arguments[4] = "4";
    done(&arguments);
    let (score, stone, _) = result(&csv);
    assert_eq!((score.as_str(), stone.as_str()), EXPECTED);
}

#[test]
fn a_damaged_state_costs_work_and_nothing_else() {
    let directory = Directory::new("boards-damaged");
    let csv = directory.path("boards.csv");
    let state = format!("{csv}.9x4.state");
    let arguments = arguments("9x4", &csv);
    kill(running(&arguments, &state, 1_000_000).0);
    let whole = fs::read(&state).expect("it is there");
    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 1;
    for (bytes, fault) in
        [(&changed[..], "its checksum is wrong"), (&whole[..whole.len() / 3], "it is cut off")]
    {
        fs::write(&state, bytes).expect("written");
        let mut child = start(&arguments);
        // The damaged state may tell of nodes as the whole one did, so only what is said shows that it has been read.
        let mut err = String::new();
        BufReader::new(child.stderr.take().expect("a pipe")).read_line(&mut err).expect("UTF-8");
        kill(child);
        let said = format!("board 1 of 1: 9x4: `{state}` is damaged, {fault}: the board is begun anew\n");
        assert_eq!(err, said);
    }
    done(&arguments);
    let (score, stone, _) = result(&csv);
    assert_eq!((score.as_str(), stone.as_str()), EXPECTED);
}
