//! A session gets any lines. It does not panic, answers each `isready` and each valid `go` once, and continues until
//! `quit`.
#![no_main]

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use libfuzzer_sys::fuzz_target;
use plumb::daemon::LineSession;
use plumb_protocol::{Command, parse_command};

/// Calls of the stop signal before it stops a search.
const PATIENCE: u32 = 20;

fuzz_target!(|text: &str| {
    let asked = Arc::new(AtomicU32::new(0));
    let mut session = LineSession::new(Vec::new());
    let counter = Arc::clone(&asked);
    session.set_stop_signal(Arc::new(move || counter.fetch_add(1, Ordering::Relaxed) > PATIENCE));
    session.line("setoption name Hash value 1").expect("memory");
    let (mut ready, mut searches) = (0, 0);
    for line in text.lines().take(50) {
        let lower = line.to_ascii_lowercase();
        // Large tables, files and benchmarks would only slow the fuzzer.
        if ["hash", "file", "bench"].iter().any(|word| lower.contains(word)) {
            continue;
        }
        match parse_command(line).ok().flatten().map(|parsed| parsed.command) {
            Some(Command::Quit) => break,
            Some(Command::IsReady) => ready += 1,
            Some(Command::Go(_)) => searches += 1,
            _ => {}
        }
        asked.store(0, Ordering::Relaxed);
        assert!(session.line(line).expect("memory takes all output"), "only `quit` ends a session");
    }
    // An infinite search answers only after `stop`.
    session.line("stop").expect("memory takes all output");
    let output = String::from_utf8(session.output().clone()).expect("UTF-8");
    let count = |word: &str| output.lines().filter(|line| line.split(' ').next() == Some(word)).count();
    assert_eq!(count("readyok"), ready, "{output}");
    assert_eq!(count("bestmove"), searches, "{output}");
});
