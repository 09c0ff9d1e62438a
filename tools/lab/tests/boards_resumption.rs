//! `plumb-lab boards`: runs that were killed or interrupted in the middle of a board, and resumed.

mod common;

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use common::{Directory, lab};

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

/// A run that has just been started.
fn started(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_plumb-lab"))
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("plumb-lab runs")
}

/// A run that has saved a state after at least so many nodes; and how many these are.
fn running(arguments: &[&str], state: &str, nodes: u64) -> (Child, u64) {
    let mut child = started(arguments);
    loop {
        if let Some(saved) = saved_nodes(state).filter(|&saved| saved >= nodes) {
            return (child, saved);
        }
        assert!(child.try_wait().is_ok_and(|ended| ended.is_none()), "it has ended too early");
        std::thread::sleep(Duration::from_millis(5));
    }
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
    for quarter in [1, 2] {
        let (mut child, nodes) = running(&arguments, &state, quarter * whole / 4);
        assert!(nodes > saved, "it went on from where it was");
        child.kill().and_then(|()| child.wait()).expect("it can be killed");
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
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()));
    let output = child.wait_with_output().expect("it ends");
    let err = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(130), "{err}");
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
    assert_eq!(lab(&arguments).0, Some(0));
    let (score, stone, _) = result(&csv);
    assert_eq!((score.as_str(), stone.as_str()), EXPECTED);
}

#[test]
fn a_damaged_state_costs_work_and_nothing_else() {
    let directory = Directory::new("boards-damaged");
    let csv = directory.path("boards.csv");
    let state = format!("{csv}.9x4.state");
    let arguments = arguments("9x4", &csv);
    let (mut child, _) = running(&arguments, &state, 1_000_000);
    child.kill().and_then(|()| child.wait()).expect("it can be killed");
    let whole = fs::read(&state).expect("it is there");
    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 1;
    for (bytes, fault) in [
        (&changed[..], "its checksum is wrong"),
        (&whole[..whole.len() / 3], "it is cut off"),
        (b"", "it is cut off"),
    ] {
        fs::write(&state, bytes).expect("written");
        let mut child = started(&arguments);
        // The damaged state may tell of nodes as the whole one did, so only what is said shows that it has been read.
        let mut err = String::new();
        BufReader::new(child.stderr.take().expect("a pipe")).read_line(&mut err).expect("UTF-8");
        child.kill().and_then(|()| child.wait()).expect("it can be killed");
        let said = format!("board 1 of 1: 9x4: `{state}` is damaged, {fault}: the board is begun anew\n");
        assert_eq!(err, said);
    }
    assert_eq!(lab(&arguments).0, Some(0));
    let (score, stone, _) = result(&csv);
    assert_eq!((score.as_str(), stone.as_str()), EXPECTED);
}

#[test]
fn a_file_of_another_kind_is_one_sentence_and_left_alone() {
    let directory = Directory::new("boards-state-foreign");
    let csv = directory.path("boards.csv");
    let state = directory.file("boards.csv.4x4.state", "somebody's\n");
    let (code, _, err) = lab(&arguments("4x4", &csv));
    assert_eq!(code, Some(2), "{err}");
    let said = format!("`{state}` is no state of `plumb-lab boards`: it begins otherwise, and is left alone");
    assert_eq!(err, format!("plumb-lab: {said}\n"));
    assert_eq!(directory.read("boards.csv.4x4.state"), "somebody's\n");
}
