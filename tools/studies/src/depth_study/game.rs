//! A game of the study, whose positions are searched.

use std::fmt;
use std::str::FromStr;

use plumb::board::{
    MoveError, Position, PositionFault, PositionReader, Standard, StaticGeometry, column_names,
};

/// The games of the study, as column digits. The second one is over with its tenth move, four in the bottom row; the
/// study has it with eleven.
pub const STUDY: [&str; 3] = ["64721516724", "25571455365", "13664613436"];

/// A game and its positions.
#[derive(Clone, Debug)]
pub struct Game {
    /// Column digits, from 1.
    moves: String,
    /// After each prefix of the moves, beginning with the empty board; without the one in which the game is over.
    pub positions: Vec<Position>,
}

impl Game {
    /// The moves as a number, which identifies the game.
    pub fn number(&self) -> u64 {
        self.moves.bytes().fold(0, |number: u64, digit| {
            number.wrapping_mul(10).wrapping_add(u64::from(digit.wrapping_sub(b'0')))
        })
    }

    /// Where the position of this index is, in words.
    pub fn place(&self, index: usize) -> String {
        match self.moves.get(..index) {
            Some("") | None => "on the empty board".to_owned(),
            Some(moves) => format!("after {moves}"),
        }
    }
}

/// Reads a list of moves as [`PositionReader`] does. The list may go on where the game is over, as one of the study does;
/// what follows has no meaning.
impl FromStr for Game {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let reader = PositionReader::new(Standard::default());
        let (game, rest) = match reader.read(text) {
            Err(error) if matches!(error.fault, PositionFault::Illegal(MoveError::GameOver, _)) => {
                text.split_at(error.offset)
            }
            _ => (text, ""),
        };
        let game = reader.read(game.trim_end_matches([',', ' '])).map_err(|error| error.to_string())?;
        let columns = game.columns.ok_or("expected the moves of a game, not a FEN")?;
        let mut positions = vec![Position::new()];
        positions.extend(columns.iter().scan(Position::new(), |position, &column| {
            *position = position.play(column)?;
            Some(*position)
        }));
        positions.retain(|position| position.outcome().is_none());
        let mut moves = column_names(Standard::WIDTH, columns);
        moves.extend(rest.chars().filter(char::is_ascii_digit));
        Ok(Self { moves, positions })
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_games_of_the_study_have_the_positions_that_can_be_searched() {
        for (moves, count) in STUDY.into_iter().zip([12, 10, 12]) {
            let game: Game = moves.parse().expect(moves);
            assert_eq!(game.positions.len(), count);
            assert!(game.positions.iter().zip(0..).all(|(position, plies)| position.plies() == plies));
            assert_eq!((game.to_string(), game.number().to_string()), (moves.to_owned(), moves.to_owned()));
            assert_eq!(game.place(0), "on the empty board");
            assert_eq!(game.place(2), format!("after {}", &moves[..2]));
        }
    }

    #[test]
    fn commas_do_not_matter_and_nonsense_is_named() {
        for (text, name) in [("1,2,1,2,1,2,1", "1212121"), ("1,2,1,2,1,2,1,2", "12121212")] {
            let game: Game = text.parse().expect("legal");
            assert_eq!((game.to_string().as_str(), game.positions.len()), (name, 7));
        }
        assert_eq!("".parse::<Game>().expect("the empty board").positions.len(), 1);
        let said = |text: &str| text.parse::<Game>().expect_err(text);
        assert_eq!(said("4x"), "`x` at byte 1: not a column digit (columns 1 to 7)");
        assert_eq!(said("7/7/7/7/7/7"), "expected the moves of a game, not a FEN");
    }
}
