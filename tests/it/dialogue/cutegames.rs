//! cutegames speaks UGI, asks both engines about the game after every move, and sends each position twice. It sends
//! option names in lower case. A `bestmove` line of three words would hang it.

use plumb::board::{Outcome, Player, Position};
use plumb_protocol::MoveForm;

use crate::common::{Engine, play};

fn start() -> Engine {
    let (mut engine, listing) = Engine::start_as("ugi");
    assert_eq!(listing.iter().filter(|line| line.starts_with("id ")).count(), 2);
    for option in ["hash value 2", "threads value 1", "book value none"] {
        engine.send(&format!("setoption name {option}"));
    }
    assert_eq!(engine.ready(), ["info string `book`: no option has this name"]);
    engine.send("uginewgame");
    assert!(engine.ready().is_empty());
    engine
}

/// Sends a query. cutegames accepts the first line of two words that begins with `response`.
fn query(engine: &mut Engine, question: &str) -> String {
    engine.send(&format!("query {question}"));
    let line = engine.line();
    let words: Vec<_> = line.split_whitespace().collect();
    assert!(words.len() == 2 && words[0] == "response", "{line}");
    words[1].to_owned()
}

#[test]
fn two_engines_play_and_agree_about_the_game() {
    let mut engines = [start(), start()];
    let mut position: Position = Position::new();
    let mut moves = Vec::new();
    loop {
        let over = position.outcome().is_some();
        for engine in &mut engines {
            let command = if moves.is_empty() {
                "position startpos".to_owned()
            } else {
                format!("position startpos moves {}", moves.join(" "))
            };
            engine.send(&command);
            engine.send(&command);
            let first = position.side_to_move() == Player::First;
            assert_eq!(query(engine, "p1turn"), first.to_string());
            assert_eq!(query(engine, "gameover"), over.to_string());
        }
        if over {
            break;
        }
        let engine = &mut engines[position.plies() as usize % 2];
        let answer = engine.go("go p1time 1500 p2time 1500 p1inc 10 p2inc 10");
        answer.check();
        assert_eq!(answer.line.split_whitespace().count(), 2, "{}", answer.line);
        assert_eq!(answer.best().form, MoveForm::Letter);
        position = play(&position, answer.best());
        moves.push(answer.best().to_string());
    }
    let result = match position.outcome() {
        Some(Outcome::Win(Player::First)) => "p1win",
        Some(Outcome::Win(Player::Second)) => "p2win",
        _ => "draw",
    };
    for mut engine in engines {
        assert_eq!(query(&mut engine, "result"), result);
        engine.ask("query fen", &format!("response {}", position.fen()));
        engine.quit();
    }
}
