//! Any input and any closed stream: the engine answers, or ends with exit code 0.

use std::io::{Read, Write};
use std::process::Stdio;

use crate::common::{Engine, exit_code};

const MEBIBYTE: usize = 1 << 20;

#[test]
fn a_line_that_is_too_long_is_reported_and_skipped() {
    let mut engine = Engine::start();
    let mut bytes = b"position 44 ".repeat(MEBIBYTE / 8);
    bytes.push(b'\n');
    engine.send_bytes(&bytes);
    assert_eq!(engine.line(), "info string A line of 1572864 bytes was skipped: at most 1048576 are read.");
    let mut bytes = b"position 44".to_vec();
    bytes.resize(MEBIBYTE, b' ');
    bytes.push(b'\n');
    engine.send_bytes(&bytes);
    engine.ask("query fen", "response 7/7/7/7/3p3/3P3[PPPPPPPPPPPPPPPPPPPPpppppppppppppppppppp] w - - 0 2");
    engine.quit();
}

#[test]
fn the_end_of_input_is_quit_and_every_go_is_answered() {
    for (lines, answers) in [
        ("go infinite", 1),
        ("go infinite\nquit", 1),
        ("go movetime 3600000\ngo ponder", 2),
        ("isready", 0),
        ("", 0),
    ] {
        let mut engine = Engine::start();
        engine.send(lines);
        engine.close_input();
        let (printed, code) = engine.finish();
        assert_eq!(code, Some(0), "{lines}");
        let count = printed.iter().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(count, answers, "{printed:?}");
        assert_eq!(printed.contains(&"readyok".to_owned()), lines == "isready");
    }
}

#[test]
fn a_closed_stdout_ends_the_engine_quietly() {
    for lines in ["uci\n", "go infinite\nisready\nd\nisready\n"] {
        let mut child = Engine::command()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine can be started");
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().expect("stdin is a pipe");
        // The engine may have ended before it has read everything.
        let _ = stdin.write_all(lines.as_bytes());
        let code = exit_code(&mut child);
        let mut complaint = String::new();
        child.stderr.take().expect("stderr is a pipe").read_to_string(&mut complaint).expect("UTF-8");
        assert_eq!((code, complaint.as_str()), (Some(0), ""), "{lines}");
        drop(stdin);
    }
}

#[test]
fn a_table_that_cannot_be_allocated_is_reported_and_the_old_one_stays() {
    // Hardly any machine has 32 TB free, so the engine refuses this size. It then allocates the default size, or keeps
    // its current table.
    for (old, consequence) in [
        ("", "; trying 64 MB instead"),
        ("setoption name Hash value 2\nisready\n", "; the table has 2 MB instead"),
    ] {
        let mut engine = Engine::start();
        if !old.is_empty() {
            engine.send(old.trim_end());
            engine.ready();
        }
        engine.send("setoption name Hash value 33554432\nisready");
        let told = engine.until("info string a hash table of 33554432 MB does not fit").pop();
        assert!(told.is_some_and(|line| line.ends_with(consequence)));
        engine.until("readyok");
        engine.send("position 112233\ngo movetime 100");
        assert_eq!(engine.answer().line, "bestmove P@d1");
        engine.quit();
    }
}
