//! variantfishtest adjudicates games by the scores that the engine prints.

use plumb::board::{Outcome, Position};
use plumb_protocol::Score;

use crate::common::{Engine, play};

fn start() -> Engine {
    let (mut engine, _) = Engine::start_as("uci");
    engine.send("setoption name UCI_Variant value cfour");
    assert!(engine.line().starts_with("info string variant cfour"));
    // variantfishtest sets `VariantPath` on every engine.
    engine.send("setoption name VariantPath value variants.ini");
    engine.send("setoption name clear hash value true");
    assert!(engine.ready().is_empty());
    engine.send("ucinewgame");
    assert!(engine.ready().is_empty());
    engine
}

#[test]
fn scores_that_end_a_game_are_true() {
    let mut engine = start();
    let mut position: Position = Position::new();
    let mut moves = Vec::new();
    while position.outcome().is_none() {
        // variantfishtest sends the word `moves` even before the first move.
        engine.send(&format!("position startpos moves {}", moves.join(" ")));
        assert!(engine.ready().is_empty());
        let answer = engine.go("go wtime 1500 btime 1500 winc 10 binc 10");
        answer.check();
        let best = answer.best();
        position = play(&position, best);
        moves.push(best.to_string());
        let info = answer.info();
        match info.score.map(|report| report.score) {
            Some(Score::Mate(1)) => assert!(matches!(position.outcome(), Some(Outcome::Win(_))), "{info}"),
            Some(Score::Mate(0)) => panic!("the game was not over: {info}"),
            Some(Score::Cp(0)) if info.pv.len() == 1 => {
                assert_eq!(position.outcome(), Some(Outcome::Draw), "{info}");
            }
            _ => {}
        }
    }
    engine.send(&format!("position startpos moves {}", moves.join(" ")));
    let answer = engine.go("go wtime 1500 btime 1500 winc 10 binc 10");
    let expected = if position.outcome() == Some(Outcome::Draw) { Score::Cp(0) } else { Score::Mate(0) };
    let info = answer.info();
    assert_eq!((info.depth, info.score.map(|report| report.score)), (Some(0), Some(expected)));
    assert!(info.pv.is_empty(), "{info}");
    assert_eq!(answer.line, "bestmove (none)");
    engine.quit();
}
