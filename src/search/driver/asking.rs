//! What is known before a search: by the opening book, and by the search before.

use super::Driver;
use crate::board::Geometry;
use crate::book::Opening;
use crate::score::Score;

impl<G: Geometry> Driver<'_, G> {
    /// Asks the opening book and the search before, and returns the `beta` to begin with.
    ///
    /// That is the score if the book has it, as all that is missing then is a move that reaches it; otherwise what the last
    /// move was played for, as good opponents give nothing away; just past the book, where the score is known to be no less
    /// than some other's, one more than that. On a line that goes on past the book there is a move that should reach it.
    pub(super) fn first_question(&mut self) -> Option<Score> {
        let position = &self.task.position;
        let promise = self.carried.promise.and_then(|promise| promise.in_position(position));
        if let Some((score, true)) = promise {
            self.root.is_worth(score);
        }
        let mut bounds = None;
        if let Some(book) = self.task.book {
            if let Some(opening) = Opening::new(book, position) {
                let lines = self.lines_wanted();
                self.expected = self.root.ask(self.prover.opening.insert(opening), position, lines);
                return self.expected;
            }
            bounds = Opening::bounds_past(book, position);
            if bounds.is_some() {
                self.root.ask_past(book, self.prover.table());
            }
        }
        let (lower, upper) = bounds.unwrap_or((Score::MIN, Score::MAX));
        self.root.is_worth(lower);
        self.root.is_worth_at_most(upper);
        let promised = promise.map(|(score, _)| score).filter(|score| (lower..=upper).contains(score));
        self.expected = if lower == upper { Some(lower) } else { promised };
        let line_move = self.task.book.and_then(|book| book.line_move(position));
        if let (Some(column), Some(score)) = (line_move, self.expected) {
            self.line_moves += 1;
            self.root.trust(column, score);
        }
        self.expected.or(bounds.map(|_| lower + 1))
    }
}
