//! Logs: on standard error by `RUST_LOG`, and in a file by the option `Debug Log File`.

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;

use crate::common::Engine;

fn path(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name} {}.log", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

#[test]
fn the_file_holds_the_dialogue_with_time_stamps() {
    let path = path("dialogue");
    let mut engine = Engine::start();
    engine.send(&format!("setoption name debug log file value {}", path.display()));
    engine.ready();
    engine.go("go depth 1");
    engine.send("setoption name Debug Log File value <empty>");
    engine.ask("query p1turn", "response true");
    engine.quit();

    let log = fs::read_to_string(&path).expect("the log was written");
    let mut lines = log.lines();
    assert!(lines.next().is_some_and(|line| line.starts_with("# plumb ")), "{log}");
    for line in lines.clone() {
        let stamp = line.split(' ').next().unwrap_or_default();
        // For example 2026-11-21T10:58:03.123Z.
        assert!(stamp.len() == 24 && stamp.ends_with('Z') && stamp.as_bytes()[19] == b'.', "{line}");
    }
    let said: Vec<_> = lines.filter_map(|line| line.split_once(' ')).map(|(_, text)| text).collect();
    let place = |text: &str| said.iter().position(|line| line.starts_with(text)).expect(text);
    assert!(place(">> isready") < place("<< readyok"));
    assert!(place("<< readyok") < place(">> go depth 1"));
    assert!(place(">> go depth 1") < place("<< bestmove P@"));
    assert!(place("<< bestmove P@") < place(">> setoption name Debug Log File value <empty>"));
    assert!(!log.contains("query"), "nothing is written once the file is closed");

    // A second engine appends to the log file.
    let mut engine = Engine::start();
    engine.send(&format!("setoption name Debug Log File value {}", path.display()));
    engine.ready();
    engine.quit();
    let longer = fs::read_to_string(&path).expect("the log is still there");
    assert!(longer.starts_with(&log) && longer[log.len()..].contains(">> quit"), "{longer}");
    fs::remove_file(&path).expect("the log can be removed");
}

#[test]
fn a_file_that_cannot_be_opened_is_reported_and_changes_nothing() {
    let path = path("kept");
    let mut engine = Engine::start();
    engine.send(&format!("setoption name Debug Log File value {}", path.display()));
    engine.send("setoption name Debug Log File value /nonexistent/plumb.log");
    let line = engine.line();
    assert!(line.starts_with("info string cannot write the log file `/nonexistent/plumb.log`: "), "{line}");
    assert!(engine.ready().is_empty());
    engine.quit();
    let log = fs::read_to_string(&path).expect("the first file stays open");
    assert!(log.contains(">> isready") && log.contains(">> quit"), "{log}");
    fs::remove_file(&path).expect("the log can be removed");
}

#[test]
fn stdout_is_the_protocols_alone_whatever_is_logged() {
    let mut command = Engine::command();
    let mut engine = Engine::spawn(command.env("RUST_LOG", "trace").stderr(Stdio::null()));
    engine.ask("isready", "readyok");
    engine.ask("query p1turn", "response true");
    engine.go("go depth 2").check();
    engine.quit();

    let mut silent = Engine::command().stdin(Stdio::null()).output();
    let output = silent.as_mut().expect("the engine can be started");
    assert!(output.stderr.is_empty() && output.stdout.is_empty(), "by default only warnings are logged");
}
