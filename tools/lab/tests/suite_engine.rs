//! `plumb-lab suite --engine` with the real engine, and with engines that fail.

mod common;

use common::{Directory, engine, lab};

/// Published scores: a draw, a loss, a win near and one far, and a game that is over.
const POSITIONS: &str = "274552224131661 0\n5455174361263362 -1\n7422341735647741166133573473242566 1\n\
                         23333442 -15\n32164625 11\n1122334 -18\n";

/// Runs the engine over `positions`; returns the exit code, standard output and standard error.
fn run(
    directory: &Directory,
    command: &str,
    positions: &str,
    more: &[&str],
) -> (Option<i32>, String, String) {
    let file = directory.file("positions.txt", positions);
    lab(&[&["suite", &file, "--hash", "4", "--engine", command], more].concat())
}

#[test]
fn plumb_behind_its_protocols_agrees_with_the_scores() {
    let directory = Directory::new("suite-engine-right");
    let engine = engine();
    let csv = directory.path("times.csv");
    for protocol in [&[][..], &["--protocol", "ugi"], &["--warm"]] {
        let positions = POSITIONS.replace("23333442 -15\n", "");
        let more = [&["--csv", &csv][..], protocol].concat();
        let (code, out, err) = run(&directory, &engine, &positions, &more);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
        let (heading, row) = out.split_once('\n').expect("two lines");
        assert!(heading.ends_with("mean CPU µs  by sign"), "{out}");
        let words: Vec<_> = row.split_whitespace().collect();
        assert_eq!((words[1], words[2], *words.last().expect("a row")), ("5", "0", "0"), "{out}");
        let text = directory.read("times.csv");
        assert!(text.starts_with(
            "file,line,moves,expected,score,nodes,nanoseconds,compared,cpu_nanoseconds,wall_nanoseconds\n"
        ));
        assert_eq!(text.lines().filter(|line| line.contains(",score,")).count(), 6, "{text}");
    }
}

#[test]
fn a_wrong_score_of_an_engine_is_named_and_fails() {
    let directory = Directory::new("suite-engine-wrong");
    let engine = engine();
    let json = directory.path("figures.json");
    let positions = POSITIONS.replace("3242566 1", "3242566 2").replace("23333442 -15\n", "");
    let (code, out, err) = run(&directory, &engine, &positions, &["--json", &json]);
    assert_eq!((code, err.as_str()), (Some(1), ""), "{out}");
    assert!(
        out.starts_with("positions.txt:3: 7422341735647741166133573473242566 has score 1, expected 2\n"),
        "{out}"
    );
    let found: serde_json::Value = serde_json::from_str(&directory.read("figures.json")).expect("JSON");
    assert!(found["engine"].as_str().is_some_and(|name| name.starts_with("Plumb ")), "{found}");
    assert_eq!(found["files"][0]["mismatches"], 1);
    assert_eq!(found["files"][0]["by_sign"], 0);
}

#[test]
fn engines_of_a_match_solve_suites_as_well() {
    let directory = Directory::new("suite-engine-described");
    let engine = engine();
    let copy = directory.path(&format!("my plumb{}", std::env::consts::EXE_SUFFIX));
    // A copy could not be started while another test starts a process, which has the files that are being written.
    std::fs::hard_link(engine, &copy).expect("it can be linked");
    for (command, by_sign) in [
        ("plumb", false),
        ("skill-3", true),
        ("depth-2", true),
        (&format!("'{copy}'"), false),
        (&format!("cmd=\"{copy}\",proto=ugi,option.Threads=2"), false),
    ] {
        let (code, out, err) = run(&directory, command, "274552224131661 0\n4455 18\n32164625 11\n", &[]);
        assert_eq!(err, "", "{command}: {out}");
        assert!(by_sign || code == Some(0), "{command}: {out}");
    }
    for (command, fault) in [
        ("skill-21", "--engine: engine: `21` is not a whole number up to 20"),
        ("plumb,option.Thraeds=2", "option.Thraeds: no such option; did you mean `Threads`?"),
        ("plumb,option.Hash=0", "option.Hash: `0` is out of range, which is 1 to "),
        ("plumb,st=1", "--engine: `plumb,st=1`: there is no limit here but `depth`"),
        (&copy, "a path with blanks needs quotes"),
    ] {
        let (code, _, err) = run(&directory, command, "4455 18\n", &[]);
        assert!(code == Some(2) && err.contains(fault) && err.lines().count() == 1, "{err}");
    }
}

#[test]
fn weak_and_engine_do_not_go_together() {
    let (code, out, err) = lab(&["suite", "positions.txt", "--weak", "--engine", "plumb"]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert_eq!(err, "plumb-lab: the argument '--weak' cannot be used with '--engine <CMD>'; see `--help`\n");
    let (code, _, err) = lab(&["suite", "positions.txt", "--timeout", "5"]);
    assert_eq!((code, err.lines().count()), (Some(2), 1), "{err}");
}

/// Engines made of a few lines of shell.
#[cfg(unix)]
mod scripts {
    use super::*;

    /// An engine that answers the handshake and runs `on_go` at each `go`.
    fn script(directory: &Directory, on_go: &str) -> String {
        let text = format!(
            "while read -r word rest; do case $word in uci) echo option name Hash type spin min 1 max 9; echo uciok;; isready) echo readyok;; \
             go) {on_go};; quit) exit;; esac; done"
        );
        format!("sh {}", directory.file("engine.sh", &text))
    }

    #[test]
    fn a_score_without_distance_is_compared_by_sign() {
        let directory = Directory::new("suite-engine-sign");
        let command = script(&directory, "echo info score cp 300; echo bestmove g");
        let (code, out, err) = run(&directory, &command, "44 3\n4455 18\n11 0\n", &[]);
        assert_eq!((code, err.as_str()), (Some(1), ""), "{out}");
        let lines: Vec<_> = out.lines().collect();
        assert_eq!(lines[0], "positions.txt:3: 11 has result 1, expected 0");
        let row: Vec<_> = lines[2].split_whitespace().collect();
        assert_eq!((row[1], row[2]), ("3", "1"), "{out}");
        assert_eq!(row[7..10], ["-", "-", "-"], "it told no nodes: {out}");
        assert_eq!(row.last(), Some(&"3"), "{out}");
    }

    #[test]
    fn an_engine_that_fails_is_one_sentence() {
        let directory = Directory::new("suite-engine-fails");
        for (on_go, said) in [
            ("exit 3", "positions.txt:1: 44: `CMD`: has ended (exit status: 3)"),
            (":", "positions.txt:1: 44: `CMD`: no answer within 3 s"),
            ("echo bestmove d", "positions.txt:1: 44: `CMD`: it reported no score"),
            (
                "echo info score cp 1; echo bestmove e2e4",
                "positions.txt:1: 44: `CMD`: `bestmove e2e4` is no legal move there",
            ),
            (
                "echo info score cp 1; echo 'bestmove (none)'",
                "positions.txt:1: 44: `CMD`: `bestmove (none)` is no legal move there",
            ),
            (
                "echo info score mate 21; echo bestmove d",
                "positions.txt:1: 44: `CMD`: `score mate 21` is no possible result of that position",
            ),
            (
                "echo info score mate -8 lowerbound; echo bestmove d",
                "positions.txt:1: 44: `CMD`: `score mate -8 lowerbound` is no possible result of that position",
            ),
        ] {
            let command = script(&directory, on_go);
            let (code, out, err) = run(&directory, &command, "44 0\n", &["--timeout", "3"]);
            assert_eq!((code, out.as_str()), (Some(1), ""), "{err}");
            assert_eq!(err, format!("plumb-lab: {}\n", said.replace("CMD", &command)));
        }
    }

    #[test]
    fn a_program_that_is_no_engine_is_one_sentence() {
        let directory = Directory::new("suite-no-engine");
        let (code, _, err) = run(&directory, "true", "44 0\n", &[]);
        assert_eq!(code, Some(1));
        assert!(err == "plumb-lab: `true`: has ended (exit status: 0)\n", "{err}");
        let (code, _, err) = run(&directory, "no-such-engine-anywhere", "44 0\n", &[]);
        assert_eq!((code, err.lines().count()), (Some(2), 1), "{err}");
    }
}
