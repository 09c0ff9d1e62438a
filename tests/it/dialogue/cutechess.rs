//! cutechess-cli accepts `P@d1` only, and sends the whole position on each move.

use plumb::board::Position;
use plumb_protocol::MoveForm;

use crate::common::{Engine, play};

fn start() -> Engine {
    let (mut engine, listing) = Engine::start_as("uci");
    assert!(listing[0].starts_with("id name Plumb "));
    assert!(listing.contains(&"option name UCI_Variant type combo default cfour var cfour".to_owned()));
    engine.send("setoption name Hash value 2");
    engine.send("setoption name Ponder value false");
    assert!(engine.ready().is_empty());
    engine
}

#[test]
fn two_engines_play_a_game_to_its_end() {
    let mut engines = [start(), start()];
    let mut position: Position = Position::new();
    let mut moves = Vec::new();
    while position.outcome().is_none() {
        let engine = &mut engines[position.plies() as usize % 2];
        engine.send("setoption name UCI_Variant value cfour");
        assert!(engine.line().starts_with("info string variant cfour files 7 ranks 6 "));
        if position.plies() < 2 {
            engine.send("ucinewgame");
        }
        if moves.is_empty() {
            engine.send("position startpos");
        } else {
            engine.send(&format!("position startpos moves {}", moves.join(" ")));
        }
        assert!(engine.ready().is_empty());
        let answer = engine.go("go wtime 1500 btime 1500 winc 10 binc 10");
        answer.check();
        let best = answer.best();
        assert!(matches!(best.form, MoveForm::Drop(_)), "{}", answer.line);
        position = play(&position, best);
        moves.push(best.to_string());
    }
    for mut engine in engines {
        // cutechess-cli sends the final position to both engines before the next game.
        engine.send(&format!("position startpos moves {}", moves.join(" ")));
        engine.ask("query gameover", "response true");
        engine.quit();
    }
}
