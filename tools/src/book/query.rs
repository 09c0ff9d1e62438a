//! `plumb-lab book query`: what a book knows of a position.

use std::collections::HashMap;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use plumb::board::{Geometry, Outcome, Position};
use plumb::book::Book;
use plumb::score::{Score, win_with_stone};

use super::file;
use crate::board_size::Work;
use crate::output::print;
use crate::solve::parse;
use crate::solve::solution::{Verdict, letter_or_digit};

/// Tell the score of a position and of each of its moves from a book alone.
///
/// Between the layers of the book they follow from those of the next one; past the last nothing is known.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The moves from the empty board: column digits, or column letters on a board of more than 9 columns.
    #[arg(value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,
    /// The book.
    #[arg(long, value_name = "F")]
    book: PathBuf,
}

/// Prints the scores.
///
/// # Errors
/// If the file is no book, a move is illegal, or the book knows nothing of the position.
pub(super) fn run(arguments: &Arguments) -> Result<()> {
    file::board(&arguments.book)?.run(Task(arguments))
}

/// What has to be done on the book's board.
struct Task<'a>(&'a Arguments);

impl Work for Task<'_> {
    type Output = Result<()>;

    fn run<G: Geometry>(self) -> Result<()> {
        let Arguments { moves, book } = self.0;
        let book = file::open::<G>(book)?;
        let position = parse::<G>(moves)?;
        let mut known = Known::new(&book);
        let Some(score) = known.score(&position) else {
            let last = book.layer_plies().next_back().context("a book has a layer")?;
            bail!("`{moves}` has {} stones, and the book knows nothing past {last}", position.plies());
        };
        let row = |name: &str, score: Score| {
            let verdict = Verdict::of(score, &position, false);
            print(format_args!("{name:<10} {score}: {verdict}"))
        };
        row("score", score)?;
        for column in position.legal_columns() {
            let name = format!("move {}", letter_or_digit::<G>(column));
            // A position of the last layer is known without its moves.
            if let Some(score) = position.play(column).and_then(|next| known.score(&next)) {
                row(&name, -score)?;
            }
        }
        Ok(())
    }
}

/// What follows from a book.
pub(super) struct Known<'a, G: Geometry> {
    book: &'a Book<G>,
    last: u32,
    /// Positions between layers that came up before.
    seen: HashMap<G::Bits, Score>,
}

impl<'a, G: Geometry> Known<'a, G> {
    pub(super) fn new(book: &'a Book<G>) -> Self {
        Self { book, last: book.layer_plies().next_back().unwrap_or(0), seen: HashMap::new() }
    }

    /// The score of a position for its side to move; none if that is past the last layer.
    pub(super) fn score(&mut self, position: &Position<G>) -> Option<Score> {
        match position.outcome() {
            Some(Outcome::Win(_)) => return Some(-win_with_stone::<G>(position.plies())),
            Some(Outcome::Draw) => return Some(0),
            None if position.can_win_now() => return Some(win_with_stone::<G>(position.plies() + 1)),
            None => {}
        }
        if let Some(score) = self.book.score(position) {
            return Some(score);
        }
        if position.plies() > self.last {
            return None;
        }
        let key = position.canonical_key();
        if let Some(&score) = self.seen.get(&key) {
            return Some(score);
        }
        let moves = position.legal_columns().filter_map(|column| position.play(column));
        let score = moves
            .map(|next| self.score(&next))
            .try_fold(Score::MIN, |best, score| Some(best.max(-score?)))?;
        self.seen.insert(key, score);
        Some(score)
    }
}
