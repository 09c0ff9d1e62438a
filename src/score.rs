//! Scores: how far away the end is, seen from the side to move.
//!
//! The score of a position is positive when the side to move wins and negative when it loses, and tells when: a win
//! with the last stone that this side has is 1, with the one before it 2, and so on. A draw is 0. So a bound on the
//! score is a horizon in stones, and a better score is always a faster win or a slower loss.
//! Source: Pascal Pons, "Solving Connect 4", part 1.

use crate::board::{Geometry, Outcome, Position};
use crate::search::Value;

/// A score of the exact search; see the [module](self).
pub type Score = i32;

/// The score, for the winner, of a game won with the `stone`-th stone on the board (from 1); 0 one stone past the
/// last, which serves as the bound "cannot win any more".
#[inline]
#[must_use]
pub const fn win_with_stone<G: Geometry>(stone: u32) -> Score {
    // For stone = CELLS + 1 or + 2 this is 0: no win, no loss.
    ((G::CELLS + 2 - stone) / 2) as Score
}

/// The score, for the side to move, of a position that is over or that it wins with its next stone; `None` for any
/// other.
#[must_use]
pub fn decided<G: Geometry>(position: &Position<G>) -> Option<Score> {
    match position.outcome() {
        Some(Outcome::Win(_)) => Some(-win_with_stone::<G>(position.plies())),
        Some(Outcome::Draw) => Some(0),
        None => position.can_win_now().then(|| win_with_stone::<G>(position.plies() + 1)),
    }
}

/// The greatest score that any position of this board can have.
#[must_use]
pub const fn max_score<G: Geometry>() -> Score {
    win_with_stone::<G>(7)
}

/// Plies from a position with `plies` stones to the end of a game of `score`, which must not be 0: odd for a win.
#[must_use]
pub const fn plies_to_end<G: Geometry>(score: Score, plies: u32) -> u32 {
    // Two stone numbers give the score; the winner's stones have one parity.
    let later = G::CELLS + 2 - 2 * score.unsigned_abs();
    let winner_moves = score > 0;
    if ((later - plies) % 2 == 1) == winner_moves { later - plies } else { later - 1 - plies }
}

/// The least score of a win within `within` plies from a position with `plies` stones; at least 1, that of any win.
#[must_use]
pub const fn score_of_win_within<G: Geometry>(within: u32, plies: u32) -> Score {
    let odd = if within % 2 == 1 { within } else { within.saturating_sub(1) };
    let stone = plies.saturating_add(odd);
    if stone > G::CELLS { 1 } else { win_with_stone::<G>(stone) }
}

/// A score as a value to report, for a position with `plies` stones.
#[must_use]
pub const fn to_value<G: Geometry>(score: Score, plies: u32) -> Value {
    if score > 0 {
        Value::Win { plies: plies_to_end::<G>(score, plies) }
    } else if score < 0 {
        Value::Loss { plies: plies_to_end::<G>(score, plies) }
    } else {
        Value::Draw
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
            assert_eq!(win_with_stone::<Standard>(m + 1), (43 - m as Score) / 2);
        }
        assert_eq!(win_with_stone::<Standard>(43), 0);
        assert_eq!(win_with_stone::<Standard>(44), 0);
        assert_eq!(max_score::<Standard>(), 18);
    }

    #[test]
    fn distance_and_score_are_inverse() {
        fn check<G: Geometry>() {
            for plies in 0..G::CELLS {
                for distance in 1..=G::CELLS - plies {
                    let winner = win_with_stone::<G>(plies + distance);
                    let score = if distance % 2 == 1 { winner } else { -winner };
                    assert_eq!(plies_to_end::<G>(score, plies), distance, "score {score} at {plies}");
                    if distance % 2 == 1 {
                        assert_eq!(score_of_win_within::<G>(distance, plies), score);
                        assert_eq!(score_of_win_within::<G>(distance + 1, plies), score.max(1));
                    }
                }
            }
        }
        check::<Standard>();
        check::<Narrow<5, 5>>();
        check::<Narrow<4, 7>>();
    }
}
