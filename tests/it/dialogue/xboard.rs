//! `XBoard` through uci2wb: takes the board from `UCI_Variant`, analyses with `go infinite`, and ponders.

use crate::common::Engine;

fn start() -> Engine {
    let (mut engine, listing) = Engine::start_as("uci");
    // The adapter reads lines into a fixed buffer.
    assert!(listing.iter().all(|line| line.len() < 200), "{listing:?}");
    engine.ask(
        "setoption name UCI_Variant value cfour",
        "info string variant cfour files 7 ranks 6 pocket 1 template fairy startpos \
         7/7/7/7/7/7[PPPPPPPPPPPPPPPPPPPPPppppppppppppppppppppp] w - - 0 1",
    );
    assert!(engine.ready().is_empty());
    engine
}

#[test]
fn analysis_answers_only_to_stop() {
    let mut engine = start();
    engine.send("setoption name UCI_AnalyseMode value true");
    // The second position is solved and the third is over, but the answer waits for `stop`.
    for position in [
        "position startpos moves P@d1",
        "position startpos moves P@a1 P@a2 P@b1 P@b2 P@c1 P@c2",
        "position 1122334",
    ] {
        engine.send(position);
        engine.send("go infinite");
        engine.until("info depth");
        for _ in 0..3 {
            let before = engine.ready();
            assert!(before.iter().all(|line| line.starts_with("info depth")), "{before:?}");
        }
        engine.send("stop");
        engine.answer();
    }
    engine.quit();
}

#[test]
fn pondering_answers_to_ponderhit_and_to_stop() {
    let mut engine = start();
    engine.send("setoption name Ponder value true");
    engine.send("position startpos moves P@d1 P@d2 P@d3");
    for end in ["ponderhit", "stop"] {
        engine.send("go ponder wtime 300 btime 300 winc 10 binc 10");
        engine.until("info depth");
        let before = engine.ready();
        assert!(before.iter().all(|line| line.starts_with("info depth")), "{before:?}");
        engine.send(end);
        engine.answer().best();
    }
    engine.quit();
}
