//! `stop` directly after `go`, `wait`, and too many threads.

use crate::common::Engine;

#[test]
fn a_stop_in_the_same_write_is_not_lost() {
    let mut engine = Engine::start();
    for round in 0..100 {
        engine.send("go infinite\nstop");
        let answer = engine.answer();
        answer.check();
        engine.ask("query p1turn", "response true");
        if round % 10 == 0 {
            assert!(engine.ready().is_empty());
        }
    }
    engine.quit();
}

#[test]
fn wait_makes_scripts_simple() {
    let mut engine = Engine::start();
    engine.send("go depth 3\nwait\nquery p1turn\nperft 3\nwait\nquery gameover\nperft 15\nquit");
    let (lines, code) = engine.finish();
    assert_eq!((lines.last().map(String::as_str), code), (Some("perft: stopped"), Some(0)));
    let place = |prefix: &str| lines.iter().position(|line| line.starts_with(prefix)).expect(prefix);
    assert!(place("bestmove") < place("response true") && place("response true") < place("response false"));
    assert!(lines[place("response true")..place("response false")].iter().any(|line| line.contains("343")));
}

#[test]
fn more_threads_than_processors_are_told() {
    let processors = std::thread::available_parallelism().expect("known").get();
    let mut engine = Engine::start();
    engine.send(&format!("setoption name Threads value {}", processors.min(256)));
    assert_eq!(engine.ready(), [""; 0]);
    engine.send("setoption name Threads value 256");
    let told = format!("info string 256 threads on {processors} processors: ");
    assert_eq!(engine.ready().iter().any(|line| line.starts_with(&told)), processors < 256);
}
