//! cutechess-cli: accepts `P@d1` only, and sends everything anew on each move.

use plumb::board::Position;
use plumb_protocol::MoveForm;

use crate::common::Engine;

fn start() -> Engine {
    let mut engine = Engine::start();
    engine.send("uci");
    let listing = engine.until("uciok");
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
        let MoveForm::Drop(rank) = best.form else { panic!("{}", answer.line) };
        position = position
            .try_play(plumb::board::Move { column: best.column.index().into(), rank: Some(rank.into()) })
            .expect(&answer.line);
        moves.push(best.to_string());
    }
    for mut engine in engines {
        // Both engines get the final position before the next game.
        engine.send(&format!("position startpos moves {}", moves.join(" ")));
        engine.ask("query gameover", "response true");
        engine.quit();
    }
}

#[test]
fn a_game_may_begin_from_a_fen() {
    let mut engine = start();
    let fen = "7/7/7/7/3p3/3P3[PPPPPPPPPPPPPPPPPPPPpppppppppppppppppppp] w - - 0 2";
    engine.send(&format!("position fen {fen} moves P@d3 P@d4"));
    let answer = engine.go("go wtime 1500 btime 1500 movestogo 40");
    answer.check();
    let position: Position = Position::from_digits("4444").expect("legal");
    let rank = answer.best().rank().map(u32::from);
    position
        .try_play(plumb::board::Move { column: answer.best().column.index().into(), rank })
        .expect(&answer.line);
    engine.quit();
}

/// cutechess drops most options whose names begin with `UCI_`.
#[test]
fn wdl_is_switched_on_by_a_name_that_it_does_not_drop() {
    let mut engine = start();
    engine.send("setoption name ShowWDL value true");
    engine.send("position startpos moves P@d1");
    assert!(engine.ready().is_empty());
    let answer = engine.go("go depth 5");
    answer.check();
    assert!(answer.infos.iter().all(|info| info.wdl.is_some()), "{}", answer.info());
    engine.quit();
}
