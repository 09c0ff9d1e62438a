//! Limits of searches, large tables, new games, and the seed of a weak engine.

use crate::common::{Answer, Engine};

fn start(options: &[&str]) -> Engine {
    let (mut engine, _) = Engine::start_as("uci");
    engine.send("setoption name OwnBook value false");
    for option in options {
        engine.send(&format!("setoption name {option}"));
    }
    engine
}

fn go(engine: &mut Engine, position: &str, limit: &str) -> Answer {
    engine.send(&format!("position {position}"));
    let answer = engine.go(&format!("go {limit}"));
    answer.check();
    answer
}

#[test]
fn a_large_table_is_used_from_the_first_move_on() {
    for (hash, ready) in [(256, true), (256, false), (1, false)] {
        let mut engine = start(&[&format!("Hash value {hash}")]);
        if ready {
            assert!(engine.ready().is_empty());
        }
        for limit in ["movetime 5", "movetime 20", "nodes 20000", "depth 5"] {
            go(&mut engine, "4455", limit);
        }
        engine.send("ucinewgame");
        go(&mut engine, "44", "movetime 5");
        assert!(engine.ready().is_empty());
        engine.quit();
    }
}

#[test]
fn a_new_game_forgets_the_searches_before() {
    let mut engine = start(&["Hash value 1"]);
    let nodes = ["", "ucinewgame", "isready"].map(|command| {
        engine.send(&format!("{command}\nposition 274552224131661"));
        engine.go("go depth 42").info().nodes
    });
    assert!(nodes[1] == nodes[0] && nodes[2] < nodes[0], "{nodes:?}");
}

fn weak_game(seed: u32) -> String {
    let mut engine = start(&["Hash value 1", "Skill Level value 6", &format!("Seed value {seed}")]);
    engine.send("ucinewgame");
    assert!(engine.ready().is_empty());
    let mut moves = String::new();
    loop {
        engine.send(&format!("position startpos moves {moves}"));
        let answer = engine.go("go nodes 3000");
        let Some(best) = answer.best else { break };
        answer.check();
        moves = format!("{moves} {best}");
    }
    engine.quit();
    moves
}

#[test]
fn a_seed_repeats_a_game_of_a_weak_engine() {
    let first = weak_game(1);
    assert_eq!(weak_game(1), first);
    assert!((2..10).any(|seed| weak_game(seed) != first), "every seed plays {first}");
}
