//! `plumb-lab boards` on small boards: results, and runs that were killed or interrupted, and resumed.

mod common;

use std::fs;
use std::process::Child;

#[cfg(unix)]
use common::end_by;
use common::{Directory, done, failed, kill, lab, rows, start, wait_until};

const HEADING: &str = "board,winner,score,last_stone,nodes,cpu_seconds,wall_seconds,hash,threads,peak_mb";

/// Makes a file of results by a real run, so that it has its header; returns its columns and a row that is made up.
fn made_up(csv: &str, row: &str) -> String {
    done(&["boards", "--hash", "4", "--max-cells", "16", "--csv", csv]);
    format!("{HEADING}\n{row}\n")
}

#[test]
fn small_boards_have_their_published_results() {
    let directory = Directory::new("boards-small");
    let json = directory.path("boards.json");
    let out = done(&["boards", "--hash", "4", "--max-cells", "25", "--json", &json]);
    let rows = rows(&out);
    assert_eq!(rows[1][..7], ["4x4", "16", "draw", "0", "16", "draw", "16"], "{out}");
    assert_eq!(rows[4][..7], ["6x4", "24", "second", "-1", "24", "second", "24"], "{out}");
    assert_eq!(rows[6][..7], ["5x5", "25", "draw", "0", "25", "draw", "25"], "{out}");
    assert!(rows[7].is_empty(), "{out}");
    for line in [" 6 |  =  .", " 5 |  =  =  .", " 4 |  =  =  -  .", "      4  5  6  7"] {
        assert!(out.lines().any(|found| found.starts_with(line)), "no {line} in\n{out}");
    }
    assert!(out.ends_with("\n6 boards compared with published results, 0 of them differ\n"), "{out}");
    let second = &directory.json("boards.json")["boards"][3];
    assert_eq!((&second["board"], &second["winner"]), (&"6x4".into(), &"second".into()));
    assert_eq!((&second["published_last_stone"], &second["agrees"]), (&24.into(), &true.into()));
}

#[test]
fn results_are_kept_and_the_rest_is_solved() {
    let directory = Directory::new("boards-resumed");
    let csv = directory.path("boards.csv");
    // The nodes of the first one are made up, so it shows that it was not solved again; the last line is broken off.
    let kept = made_up(&csv, "5x4,nobody,0,20,777777,0.5,0.5,4,1,9");
    directory.file("boards.csv", &format!("{kept}4x4,nob"));
    let run = ["boards", "--hash", "4", "--max-cells", "20", "--csv", &csv];
    let out = done(&run);
    let rows = rows(&out);
    assert_eq!((rows[1][0], rows[2][0], rows[3][0]), ("4x4", "5x4", "4x5"), "{out}");
    assert_eq!(rows[2][7], "777777", "{out}");
    let text = directory.read("boards.csv");
    assert!(text.starts_with(&kept), "{text}");
    assert_eq!(text.lines().count(), 4, "{text}");

    // The rows of solved boards are printed again, with the times of the first run; states of killed runs are removed.
    let left = [".4x4.state", ".4x4.state.new", ".5x4.state"].map(|name| format!("boards.csv{name}"));
    let header = "{\"kind\":\"boards --save-every\",\"program\":\"\"}\n";
    for (name, text) in left.iter().zip([header, "", "my diary\n"]) {
        directory.file(name, text);
    }
    assert_eq!(done(&run), out);
    assert_eq!(directory.read("boards.csv"), text);
    let are_there = left.map(|name| fs::exists(directory.path(&name)).expect("readable"));
    assert_eq!(are_there, [false, false, true], "another's file stays");
}

#[test]
fn a_result_that_differs_is_marked_and_fails() {
    let directory = Directory::new("boards-differing");
    let csv = directory.path("boards.csv");
    directory.file("boards.csv", &made_up(&csv, "5x4,first,1,19,1,0,0,4,1,"));
    let (out, _) = failed(&["boards", "--hash", "4", "--max-cells", "20", "--csv", &csv]);
    let marked: Vec<_> = out.lines().filter(|line| line.ends_with("  differs")).collect();
    assert!(marked.len() == 1 && marked[0].starts_with("5x4"), "{out}");
    assert!(out.ends_with("\n3 boards compared with published results, 1 of them differ\n"), "{out}");
}

/// The first player's score and the last stone of this board, 8x5, as published.
const EXPECTED: (&str, &str) = ("1", "39");

fn arguments(csv: &str) -> [&str; 9] {
    ["boards", "--board", "8x5", "--hash", "4", "--csv", csv, "--save-every", "1"]
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

#[test]
fn a_killed_run_goes_on_in_the_middle_of_a_board() {
    let directory = Directory::new("boards-killed");
    let csv = directory.path("boards.csv");
    let state = format!("{csv}.8x5.state");
    let arguments = arguments(&csv);
    // About as many nodes as the whole takes.
    let whole = 95_000_000;
    let mut saved = 0;
    for nodes in [whole / 4, whole / 2] {
        // On a busy machine states may be saved late: the second time any later one will do.
        if saved >= nodes {
            continue;
        }
        let least = if saved == 0 { nodes } else { saved + 1 };
        let (child, _) = running(&arguments, &state, least);
        kill(child);
        saved = saved_nodes(&state).expect("the state is whole whenever the program ends");
    }
    // What was being written when it was killed is in the way of nothing.
    fs::write(format!("{state}.new"), "half a state").expect("written");
    let (code, out, err) = lab(&arguments);
    assert_eq!(code, Some(0), "{err}");
    assert!(err.contains("board 1 of 1: 8x5: resumed after "), "{err}");
    let (score, stone, nodes) = result(&csv);
    assert_eq!((score.as_str(), stone.as_str()), EXPECTED, "{out}");
    // The saved table spares the rest of the work: without it, all of it would come on top of what was saved.
    assert!(nodes > saved && nodes < saved + whole, "{nodes} nodes, {saved} saved of about {whole}");
    assert!(!fs::exists(&state).expect("readable"), "a state of a solved board is of no use");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_saves_what_it_has_and_damage_costs_work_and_nothing_else() {
    let directory = Directory::new("boards-interrupted");
    let csv = directory.path("boards.csv");
    let state = format!("{csv}.8x5.state");
    let arguments = arguments(&csv);
    let (child, saved) = running(&arguments, &state, 1_000_000);
    let (code, _, err) = end_by("INT", child);
    assert_eq!(code, Some(130), "{err}");
    assert!(err.ends_with("interrupted in board 1 of 1: 8x5: the same command goes on there\n"), "{err}");
    assert!(saved_nodes(&state).is_some_and(|nodes| nodes >= saved));
    let mut changed = fs::read(&state).expect("it is there");
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    fs::write(&state, changed).expect("written");
    let (code, _, err) = lab(&arguments);
    let fault = "is damaged, its checksum is wrong: the board is begun anew";
    assert!(code == Some(0) && err.contains(&format!("board 1 of 1: 8x5: `{state}` {fault}\n")), "{err}");
    let (score, stone, _) = result(&csv);
    assert_eq!((score.as_str(), stone.as_str()), EXPECTED);
}
