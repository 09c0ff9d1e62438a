//! Games in which each move must keep the exact score.

use plumb::board::{Position, column_names};
use plumb::book::{Book, BookProbe, EMBEDDED};
use plumb::mix::Random;
use plumb::score::{Score, immediate_score};
use plumb::search::Solver;
use plumb::table::Table;

use crate::common::Engine;

const MANY_NODES: u64 = 4_000_000;

/// Node limit for each move, about 5 ms. Without a book move, the hardest positions need ten times as many nodes.
const FEW_NODES: u64 = 25_000;

/// Plays games with a node limit for each move, and compares the exact score before and after each move. With
/// `swindle`, a lost position may be lost sooner.
fn play(games: u32, nodes: u64, swindle: bool) {
    let table = Table::new(16).expect("there is memory for a table");
    let book = Book::embedded();
    let mut solver = Solver::new(&table);
    let mut score_of = |position: &Position| -> Score {
        let known = book.as_ref().and_then(|book| BookProbe::new(book, position)?.score(position));
        known.unwrap_or_else(|| solver.score(position).expect("not stopped"))
    };
    // Without a book, positions with few stones take long to solve.
    let opening = if EMBEDDED.is_some() { 6 } else { 16 };
    let mut engines = [(); 2].map(|()| Engine::start());
    for engine in &mut engines {
        engine.send(&format!("setoption name Swindle value {swindle}"));
    }
    for seed in 1..=games {
        for engine in &mut engines {
            engine.send("ucinewgame");
        }
        let (mut moves, mut position) = opening_of(seed, opening);
        let mut score = score_of(&position);
        while position.outcome().is_none() {
            let engine = &mut engines[position.plies() as usize % 2];
            engine.send(&format!("position {moves}"));
            let answer = engine.go(&format!("go nodes {nodes}"));
            answer.check();
            let column = u32::from(answer.best().column.index());
            position = position.play(column).expect("the move is legal");
            let next = immediate_score(&position).unwrap_or_else(|| score_of(&position));
            let kept = |score: Score| if swindle && score <= 0 { score.signum() } else { score };
            assert_eq!(kept(-next), kept(score), "after {moves} column {} loses score", column + 1);
            moves.push(char::from(b'1' + column as u8));
            score = next;
        }
    }
    engines.into_iter().for_each(Engine::quit);
}

/// Random moves as column digits, and the position after them. The game is not over.
fn opening_of(seed: u32, stones: u32) -> (String, Position) {
    let mut random = Random::new(seed.into(), 0);
    loop {
        let columns: Vec<_> = (0..stones).map(|_| random.below(7)).collect();
        let end = columns.iter().try_fold(Position::new(), |p: Position, &column| p.play(column));
        if let Some(position) = end.filter(|end| end.outcome().is_none()) {
            return (column_names(7, columns), position);
        }
    }
}

#[test]
fn every_move_keeps_the_exact_score() {
    play(4, MANY_NODES, false);
}

#[test]
fn a_choice_among_equal_moves_gives_no_result_away() {
    play(2, MANY_NODES, true);
}

/// The node limit is enough only because the book also has moves for hard positions after its last layer.
#[test]
fn with_a_book_few_nodes_are_enough() {
    if EMBEDDED.is_some() {
        play(20, FEW_NODES, false);
    }
}

#[test]
#[ignore = "takes four minutes"]
fn many_games_are_played_as_well() {
    play(200, MANY_NODES, false);
    play(12, MANY_NODES, true);
    if EMBEDDED.is_some() {
        play(200, FEW_NODES, false);
    }
}
