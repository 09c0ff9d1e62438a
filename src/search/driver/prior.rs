//! Knowledge from before the search: the opening book, and the score expected after the previous search.

use super::state::Driver;
use crate::board::Geometry;
use crate::book::BookProbe;
use crate::score::Score;

impl<G: Geometry> Driver<'_, G> {
    /// Adds bounds from the opening book and the previous search to the root, and returns the first `beta`: the book's
    /// score; else the score expected from the previous search; else one above the book's lower bound, if the book ends
    /// one stone before the position.
    ///
    /// The exact search gets the book too, if it reaches further than the position. A move from the book's extension is
    /// suggested to the root: it should reach that score.
    pub(super) fn add_prior_knowledge(&mut self) -> Option<Score> {
        let position = &self.task.position;
        let prior = self.memory.expected_score.and_then(|expected| expected.in_position(position));
        if let Some((score, true)) = prior {
            self.root.add_lower_bound(score);
        }
        let mut bounds = None;
        if let Some(book) = self.task.book {
            if let Some(probe) = BookProbe::new(book, position) {
                let lines = self.lines_wanted();
                let probe = self.exact.book.insert(probe);
                self.expected_score = self.root.add_book_scores(probe, lines);
                return self.expected_score;
            }
            bounds = book.bounds_past_last_layer(position);
            if bounds.is_some() {
                self.root.add_bounds_past_book(book, self.exact.table());
            }
        }
        let (lower, upper) = bounds.unwrap_or((Score::MIN, Score::MAX));
        self.root.add_lower_bound(lower);
        self.root.add_upper_bound(upper);
        let expected = prior.map(|(score, _)| score).filter(|score| (lower..=upper).contains(score));
        self.expected_score = if lower == upper { Some(lower) } else { expected };
        let suggested = self.task.book.and_then(|book| book.extension_move(position));
        if let (Some(column), Some(score)) = (suggested, self.expected_score) {
            self.book_extension_hits += 1;
            self.root.suggest(column, score);
        }
        self.expected_score.or(bounds.map(|_| lower + 1))
    }
}
