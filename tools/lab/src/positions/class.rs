//! The six classes of positions by how much has been played and how much is still to come.

use std::fmt;
use std::ops::RangeInclusive;

use clap::ValueEnum;
use plumb::board::{Standard, StaticGeometry};
use plumb::score::{Score, plies_to_end, win_with_stone};

/// A class of positions of the standard board.
///
/// Source: Pascal Pons, "Solving Connect 4", part 2: by the stones on the board and by those to come under perfect
/// play, each divided at 14 and 28. As his files have it, the latter count the stone that ends the game, and a
/// boundary belongs to the lower class on both sides; the three classes of nine that are missing cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Class {
    /// More than 28 stones on the board, at most 14 to come.
    EndEasy,
    /// 15 to 28 stones on the board, at most 14 to come.
    MiddleEasy,
    /// 15 to 28 stones on the board, 15 to 28 to come.
    MiddleMedium,
    /// At most 14 stones on the board, at most 14 to come.
    BeginEasy,
    /// At most 14 stones on the board, 15 to 28 to come.
    BeginMedium,
    /// At most 14 stones on the board, more than 28 to come.
    BeginHard,
}

impl Class {
    /// The numbers of stones that its positions are drawn with. Of fewer than four there are so few positions, and
    /// those take so long, that none are drawn.
    pub(super) fn stones(self) -> RangeInclusive<u32> {
        match self {
            Self::EndEasy => 29..=Standard::CELLS - 1,
            Self::MiddleEasy => 15..=28,
            // One more stone and fewer than 15 are left.
            Self::MiddleMedium => 15..=27,
            Self::BeginEasy | Self::BeginMedium => 4..=14,
            // One more stone and fewer than 29 are left.
            Self::BeginHard => 4..=13,
        }
    }

    /// The numbers of stones to come, that which ends the game among them.
    fn to_come(self) -> RangeInclusive<u32> {
        match self {
            Self::EndEasy | Self::MiddleEasy | Self::BeginEasy => 1..=14,
            Self::MiddleMedium | Self::BeginMedium => 15..=28,
            Self::BeginHard => 29..=Standard::CELLS,
        }
    }

    /// Whether a position with `stones` on the board, among those that are drawn, is of this class if it has `score`,
    /// which may be any number.
    pub(super) fn holds(self, stones: u32, score: Score) -> bool {
        let soonest = win_with_stone(Standard::default(), stones + 1);
        let to_come = match score {
            0 => Standard::CELLS - stones,
            _ if score.unsigned_abs() > soonest.unsigned_abs() => return false,
            _ => plies_to_end(Standard::default(), score, stones),
        };
        self.to_come().contains(&to_come)
    }

    /// Its place among the classes, from 0; part of what a seed means.
    pub(super) fn number(self) -> u32 {
        self as u32
    }
}

/// The name that the command line and the file have.
impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::EndEasy => "end-easy",
            Self::MiddleEasy => "middle-easy",
            Self::MiddleMedium => "middle-medium",
            Self::BeginEasy => "begin-easy",
            Self::BeginMedium => "begin-medium",
            Self::BeginHard => "begin-hard",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Class::{BeginEasy, BeginHard, BeginMedium, EndEasy, MiddleEasy, MiddleMedium};

    #[test]
    fn published_positions_are_of_the_class_whose_file_they_stand_in() {
        // Stones and scores at the boundaries, from Pons's files.
        for (class, positions) in [
            (EndEasy, &[(37, -1), (29, 0), (41, 0)][..]),
            (MiddleEasy, &[(28, -1), (28, 0), (25, 4)]),
            (MiddleMedium, &[(15, 0), (16, -1), (27, 0)]),
            (BeginEasy, &[(8, 11), (4, 18), (14, -8)]),
            (BeginMedium, &[(14, -3), (12, -2), (14, 0)]),
            (BeginHard, &[(5, 3), (7, -2), (13, 0)]),
        ] {
            for &(stones, score) in positions {
                let fitting: Vec<_> = Class::value_variants()
                    .iter()
                    .filter(|class| class.stones().contains(&stones) && class.holds(stones, score))
                    .collect();
                assert_eq!(fitting, [&class], "{stones} stones, score {score}");
            }
        }
    }

    #[test]
    fn a_score_that_cannot_be_is_of_no_class() {
        for &class in Class::value_variants() {
            for stones in class.stones() {
                let fits = |score: &Score| class.holds(stones, *score);
                assert!(![Score::MIN, -100, 22, 100, Score::MAX].iter().any(fits), "{class} {stones}");
                // A win with the next stone is no position that is drawn, yet it is of a class.
                let soonest = win_with_stone(Standard::default(), stones + 1);
                assert_eq!(fits(&soonest), class.to_come().contains(&1), "{class} {stones}");
                assert!(!fits(&(soonest + 1)), "{class} {stones}");
            }
        }
    }

    #[test]
    fn names_are_those_of_the_command_line() {
        for class in Class::value_variants() {
            let name = class.to_possible_value().expect("no variant is hidden");
            assert_eq!(class.to_string(), name.get_name());
        }
    }
}
