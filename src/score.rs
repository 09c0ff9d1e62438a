//! Scores: the result of perfect play and the distance to it, for the side to move.
//!
//! The score is positive if the side to move wins, negative if it loses, 0 for a draw. A win with the winner's last
//! stone is 1, with the stone before that 2, and so on. A loss has the negated score of the winner. So a higher score
//! is a faster win or a slower loss. With a score of `s` above 0, the winner has `s` - 1 stones left at the end.
//!
//! On 7x6 a win with the next stone scores (43 - m) / 2, rounded down, with `m` stones on the board: from 18 (the
//! fourth stone of the first player) to 1. The empty board scores 1, a win with the 41st stone.
//!
//! Source: Pascal Pons, "Solving Connect 4", part 1.
//!
//! ```
//! use plumb::board::Position;
//! use plumb::score::{immediate_score, plies_to_end};
//!
//! let position: Position = "112233".parse()?; // The first player completes four in the bottom row.
//! assert_eq!(immediate_score(&position), Some(18));
//! assert_eq!(plies_to_end(position.geometry(), 18, position.plies()), 1);
//! # Ok::<(), plumb::board::ParsePositionError>(())
//! ```

use std::cmp::Ordering;

use crate::board::{Geometry, Outcome, Position};

/// An exact score; see the [module](self).
pub type Score = i32;

/// The winner's score of a win with the `stone`-th stone on the board. `stone` 0 gives a bound above all scores.
/// The number of cells plus 1 or 2 gives 0, the upper bound of a side without a stone left.
///
/// # Panics
/// If `stone` exceeds the number of cells plus 2, in builds with overflow checks.
#[inline]
#[must_use]
pub fn win_with_stone(geometry: impl Geometry, stone: u32) -> Score {
    ((geometry.cells() + 2 - stone) / 2) as Score
}

/// The score if the game is over or the side to move wins with its next stone, otherwise `None`.
#[must_use]
pub fn immediate_score<G: Geometry>(position: &Position<G>) -> Option<Score> {
    let geometry = position.geometry();
    match position.outcome() {
        Some(Outcome::Win(_)) => Some(-win_with_stone(geometry, position.plies())),
        Some(Outcome::Draw) => Some(0),
        None if position.can_win_now() => Some(win_with_stone(geometry, position.plies() + 1)),
        None => None,
    }
}

/// The greatest possible score on this board: a win with the seventh stone.
#[must_use]
pub fn max_score(geometry: impl Geometry) -> Score {
    win_with_stone(geometry, 7)
}

/// The number of plies to the end of the game, from a position with this many `stones` and this score, which is not
/// 0. Odd for a win, even for a loss, 0 if the opponent has four in a row.
///
/// # Panics
/// If a game with this score ends before `stones` stones, in builds with overflow checks.
#[must_use]
pub fn plies_to_end(geometry: impl Geometry, score: Score, stones: u32) -> u32 {
    // Two successive stones have the same score: `later` and the stone before. The winner owns only one of them.
    let later = geometry.cells() + 2 - 2 * score.unsigned_abs();
    let winner_moves = score > 0;
    if ((later - stones) % 2 == 1) == winner_moves { later - stones } else { later - 1 - stones }
}

/// The least score of a win within `within` plies (at least 1). Never below 1, the score of the latest win.
#[must_use]
pub fn score_of_win_within(geometry: impl Geometry, within: u32, stones: u32) -> Score {
    let odd = if within % 2 == 1 { within } else { within.saturating_sub(1) };
    let stone = stones.saturating_add(odd);
    if stone > geometry.cells() { 1 } else { win_with_stone(geometry, stone) }
}

/// A proved result with its distance, or an estimate, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A win with the `plies`-th stone from this position, an odd number.
    Win {
        /// Plies to the end of the game.
        plies: u32,
    },
    /// A loss to the `plies`-th stone from this position, an even number. 0 if the opponent has four in a
    /// row.
    Loss {
        /// Plies to the end of the game.
        plies: u32,
    },
    /// A proved draw.
    Draw,
    /// A heuristic estimate, like centipawns: 100 is a large advantage.
    Estimate(i32),
}

/// Converts an exact score to a result with its distance.
///
/// # Panics
/// As [`plies_to_end`].
#[must_use]
pub fn to_value(geometry: impl Geometry, score: Score, stones: u32) -> Value {
    match score.cmp(&0) {
        Ordering::Greater => Value::Win { plies: plies_to_end(geometry, score, stones) },
        Ordering::Less => Value::Loss { plies: plies_to_end(geometry, score, stones) },
        Ordering::Equal => Value::Draw,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Narrow, Standard};

    #[test]
    fn scores_follow_the_published_rule() {
        // 7x6, `m` stones on the board and a win on this move: (43 - m) / 2.
        for m in 6..42 {
            assert_eq!(win_with_stone(Standard::default(), m + 1), (43 - m as Score) / 2);
        }
        assert_eq!(win_with_stone(Standard::default(), 43), 0);
        assert_eq!(win_with_stone(Standard::default(), 44), 0);
        assert_eq!(max_score(Standard::default()), 18);
    }

    #[test]
    fn a_game_that_is_won_or_ends_with_the_next_stone_has_its_score_at_once() {
        for (moves, score) in [("", None), ("12121", None), ("121212", Some(18)), ("1212121", Some(-18))] {
            let position: Position<Standard> = moves.parse().expect("legal");
            assert_eq!(immediate_score(&position), score, "{moves}");
        }
        assert_eq!(score_of_win_within(Standard::default(), 60, 0), 1);
    }

    #[test]
    fn distance_and_score_are_inverse() {
        fn check(geometry: impl Geometry) {
            for plies in 0..geometry.cells() {
                for distance in 1..=geometry.cells() - plies {
                    let winner = win_with_stone(geometry, plies + distance);
                    let score = if distance % 2 == 1 { winner } else { -winner };
                    assert_eq!(plies_to_end(geometry, score, plies), distance, "score {score} at {plies}");
                    if distance % 2 == 1 {
                        assert_eq!(score_of_win_within(geometry, distance, plies), score);
                        assert_eq!(score_of_win_within(geometry, distance + 1, plies), score.max(1));
                    }
                }
            }
        }
        check(Standard::default());
        check(Narrow::<5, 5>);
        check(Narrow::<4, 7>);
    }
}
