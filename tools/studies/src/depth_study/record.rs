//! Games whose positions are searched to fixed depths, and the measurements.

use std::str::FromStr;
use std::time::Duration;

use plumb::board::{
    MoveError, Position, PositionFault, PositionReader, Standard, StaticGeometry, column_names,
};
use plumb::mix::Random;
use serde::{Deserialize, Serialize};

use super::search::{Method, Order, Search, TableEntry};
use crate::lru::Lru;
use plumb_lab::measurement::cpu_time;
use plumb_lab::result_files::Row;

/// Three games of a student's essay, as column digits. The second game is won by its tenth move, but the essay lists
/// an eleventh.
pub(crate) const STUDY: [&str; 3] = ["64721516724", "25571455365", "13664613436"];

#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub moves: String,
    /// The empty board, and the position after each move that does not end the game.
    pub positions: Vec<Position>,
}

impl Game {
    /// The column digits as a decimal number modulo 2^64, for a seed.
    pub(crate) fn number(&self) -> u64 {
        self.moves.bytes().fold(0, |number: u64, digit| {
            number.wrapping_mul(10).wrapping_add(u64::from(digit.wrapping_sub(b'0')))
        })
    }

    /// Words for the position at `index`, such as `after 44`.
    pub(crate) fn place(&self, index: usize) -> String {
        match self.moves.get(..index) {
            Some("") | None => "on the empty board".to_owned(),
            Some(moves) => format!("after {moves}"),
        }
    }
}

/// Reads moves like [`PositionReader`], and ignores moves after the end of the game: one of the essay's games has such a
/// move.
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

/// A row of `depth-study.csv`: the positions of a game, searched by one method to one depth.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    pub order: Order,
    pub seed: u64,
    pub repeat: u32,
    /// Column digits.
    pub game: String,
    pub depth: u32,
    pub method: Method,
    pub positions: usize,
    pub nodes: u64,
    pub cpu_nanoseconds: u64,
    /// Value of each position for the side to move, separated by blanks.
    pub values: String,
}

impl Record {
    #[must_use]
    pub(crate) fn with_values(self, values: &[i32]) -> Self {
        let text = values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        Self { positions: values.len(), values: text, ..self }
    }

    /// The values as numbers. `None` unless each position has a number.
    pub(crate) fn values(&self) -> Option<Vec<i32>> {
        let values: Vec<_> = self.values.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
        if values.len() == self.positions { Some(values) } else { None }
    }
}

impl Row for Record {
    /// Settings of a measurement. A resumed run skips measurements whose key is in the file.
    fn key(&self) -> String {
        let Self { order, seed, repeat, game, depth, method, .. } = self;
        format!("{order} {seed}, repeat {repeat}, game `{game}`, depth {depth}, {method}")
    }
}

/// Shorter measurements are repeated until they take this long together.
const MEASURABLE: Duration = Duration::from_millis(10);

/// Searches all positions of `game` with the settings of `unit`.
///
/// The clock is read once for all positions, because reading it takes longer than the smallest searches. Short passes
/// are repeated with equal random numbers, so nodes do not depend on the machine. The first pass is then a warm-up.
pub(crate) fn measure(unit: &Record, game: &Game, table: &mut Lru<TableEntry>) -> Record {
    // Each game has its own random numbers, because games begin with equal positions. All methods get equal random
    // numbers.
    let random = Random::new(unit.seed.wrapping_add(game.number()), unit.repeat);
    let mut values = Vec::with_capacity(game.positions.len());
    let mut nodes = 0;
    let mut pass = || {
        let mut search = Search::new(unit.order, random.clone(), table);
        values.clear();
        values.extend(game.positions.iter().map(|position| search.value(unit.method, position, unit.depth)));
        nodes = search.nodes();
    };

    let start = cpu_time();
    pass();
    let mut time = cpu_time().saturating_sub(start);
    if time < MEASURABLE {
        let (mut passes, start) = (0, cpu_time());
        while time < MEASURABLE {
            (0..4).for_each(|_| pass());
            passes += 4;
            time = cpu_time().saturating_sub(start);
        }
        time /= passes;
    }
    Record { nodes, cpu_nanoseconds: time.as_nanos() as u64, ..unit.clone() }.with_values(&values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_value_for_each_position() {
        let record = Record::default().with_values(&[0, -12, 99_990]);
        assert_eq!((record.positions, record.values.as_str()), (3, "0 -12 99990"));
        assert_eq!(record.values(), Some(vec![0, -12, 99_990]));
        assert_eq!(Record { positions: 2, ..record.clone() }.values(), None);
        assert_eq!(Record { values: "0 x 99990".to_owned(), ..record }.values(), None);
    }

    #[test]
    fn the_games_of_the_study_have_the_positions_that_can_be_searched() {
        for (moves, count) in STUDY.into_iter().zip([12, 10, 12]) {
            let game: Game = moves.parse().expect(moves);
            assert_eq!(game.positions.len(), count);
            assert!(game.positions.iter().zip(0..).all(|(position, plies)| position.plies() == plies));
            assert_eq!((game.moves.as_str(), game.number().to_string()), (moves, moves.to_owned()));
            assert_eq!(game.place(0), "on the empty board");
            assert_eq!(game.place(2), format!("after {}", &moves[..2]));
        }
    }

    #[test]
    fn commas_do_not_matter_and_nonsense_is_named() {
        for (text, name) in [("1,2,1,2,1,2,1", "1212121"), ("1,2,1,2,1,2,1,2", "12121212")] {
            let game: Game = text.parse().expect("legal");
            assert_eq!((game.moves.as_str(), game.positions.len()), (name, 7));
        }
        assert_eq!("".parse::<Game>().expect("the empty board").positions.len(), 1);
        let said = |text: &str| text.parse::<Game>().expect_err(text);
        assert_eq!(said("4x"), "move 2, `x`: not a column digit (columns 1 to 7)");
        assert_eq!(said("7/7/7/7/7/7"), "expected the moves of a game, not a FEN");
    }
}
