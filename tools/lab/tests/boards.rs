//! `plumb-lab boards` on small boards.

mod common;

use common::{Directory, lab};

const HEADING: &str = "board,winner,score,last_stone,nodes,cpu_seconds,wall_seconds,hash,threads,peak_mb";

/// Runs `plumb-lab boards` with a small table; returns the exit code, standard output and standard error.
fn boards(arguments: &[&str]) -> (Option<i32>, String, String) {
    lab(&[&["boards", "--hash", "4"], arguments].concat())
}

/// Makes a file of results by a real run, so that it has its header; returns its columns and a row that is made up.
fn made_up(csv: &str, row: &str) -> String {
    assert_eq!(boards(&["--max-cells", "16", "--csv", csv]).0, Some(0));
    format!("{HEADING}\n{row}\n")
}

#[test]
fn small_boards_have_their_published_results() {
    let directory = Directory::new("boards-small");
    let json = directory.path("boards.json");
    let (code, out, _) = boards(&["--max-cells", "25", "--json", &json]);
    assert_eq!(code, Some(0), "{out}");
    let rows: Vec<Vec<_>> = out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[1][..7], ["4x4", "16", "draw", "0", "16", "draw", "16"], "{out}");
    assert_eq!(rows[4][..7], ["6x4", "24", "second", "-1", "24", "second", "24"], "{out}");
    assert_eq!(rows[6][..7], ["5x5", "25", "draw", "0", "25", "draw", "25"], "{out}");
    assert!(rows[7].is_empty(), "{out}");
    for line in [" 6 |  =  .", " 5 |  =  =  .", " 4 |  =  =  -  .", "      4  5  6  7"] {
        assert!(out.lines().any(|found| found.starts_with(line)), "no {line} in\n{out}");
    }
    assert!(out.ends_with("\n6 boards compared with published results, 0 of them differ\n"), "{out}");
    let found: serde_json::Value = serde_json::from_str(&directory.read("boards.json")).expect("JSON");
    let second = &found["boards"][3];
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
    let (code, out, _) = boards(&["--max-cells", "20", "--csv", &csv]);
    assert_eq!(code, Some(0), "{out}");
    let rows: Vec<Vec<_>> = out.lines().take(4).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!((rows[1][0], rows[2][0], rows[3][0]), ("4x4", "5x4", "4x5"), "{out}");
    assert_eq!(rows[2][7], "777777", "{out}");
    let text = directory.read("boards.csv");
    assert!(text.starts_with(&kept), "{text}");
    assert_eq!(text.lines().count(), 4, "{text}");

    // Nothing is left to do, and the times of the first run are told again.
    let (code, again, _) = boards(&["--max-cells", "20", "--csv", &csv]);
    assert_eq!((code, again), (Some(0), out));
    assert_eq!(directory.read("boards.csv"), text);
}

#[test]
fn a_result_that_differs_is_marked_and_fails() {
    let directory = Directory::new("boards-differing");
    for (line, board) in [("5x4,first,1,19,1,0,0,4,1,", "5x4"), ("4x5,second,-1,20,1,0,0,4,1,", "4x5")] {
        let csv = directory.path("boards.csv");
        directory.file("boards.csv", &made_up(&csv, line));
        let (code, out, _) = boards(&["--max-cells", "20", "--csv", &csv]);
        assert_eq!(code, Some(1), "{out}");
        let marked: Vec<_> = out.lines().filter(|line| line.ends_with("  differs")).collect();
        assert!(marked.len() == 1 && marked[0].starts_with(board), "{out}");
        assert!(out.ends_with("\n3 boards compared with published results, 1 of them differ\n"), "{out}");
    }
}
