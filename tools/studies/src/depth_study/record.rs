//! One measurement: the searches of one game, counted and timed, and its line in the file.

use std::time::Duration;

use plumb_tools_common::random::Random;
use serde::{Deserialize, Serialize};

use super::game::Game;
use super::method::{Method, Order};
use super::search::{Search, TableEntry};
use crate::cpu_time;
use crate::lru::Lru;

/// One method at one depth in all positions of one game, with one sequence of random orders: a line of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The order in which moves are tried.
    pub order: Order,
    /// The seed of random orders.
    pub seed: u64,
    /// From 1.
    pub repeat: u32,
    /// Column digits.
    pub game: String,
    /// The depth of the search in plies.
    pub depth: u32,
    /// The method of search.
    pub method: Method,
    /// Positions of the game.
    pub positions: usize,
    /// Positions visited by the searches of all positions of the game.
    pub nodes: u64,
    /// Processor time of these searches.
    pub cpu_nanoseconds: u64,
    /// The value of each position, for the side to move, with blanks between them.
    pub values: String,
}

impl Record {
    /// The same with these values.
    #[must_use]
    pub fn with_values(self, values: &[i32]) -> Self {
        let text = values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        Self { positions: values.len(), values: text, ..self }
    }

    /// The settings of the measurement, by which a resumed run knows it.
    pub fn unit(&self) -> String {
        let Self { order, seed, repeat, game, depth, method, .. } = self;
        format!("{order} {seed}, repeat {repeat}, game `{game}`, depth {depth}, {method}")
    }

    /// The value of each position, for the side to move; `None` if a file has other than a number for each.
    pub fn values(&self) -> Option<Vec<i32>> {
        let values: Vec<_> = self.values.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
        (values.len() == self.positions).then_some(values)
    }
}

/// Searches that take less than this together are done again and again until they have taken it.
const MEASURABLE: Duration = Duration::from_millis(10);

/// Measures the unit of a record in `game`.
///
/// The clock is read before the first position of the game and after the last one, as reading it takes longer than the
/// smallest searches. What is done again is the same each time, random orders and all, so the nodes do not depend on
/// how fast the machine is; and where it is done again at all, the first time does not count, in which the caches of
/// the processor are still cold.
pub fn measure(unit: &Record, game: &Game, table: &mut Lru<TableEntry>) -> Record {
    // The orders depend on the game, as the games begin alike, but not on the method.
    let random = Random::new(unit.seed.wrapping_add(game.number()), unit.repeat);
    let mut values = Vec::with_capacity(game.positions.len());
    let mut nodes = 0;
    let mut pass = || {
        let mut search = Search::new(unit.order, random.clone(), table);
        values.clear();
        values.extend(game.positions.iter().map(|position| search.value(unit.method, position, unit.depth)));
        nodes = search.nodes();
    };

    let start = cpu_time::now();
    pass();
    let mut time = cpu_time::now().saturating_sub(start);
    if time < MEASURABLE {
        let (mut passes, start) = (0, cpu_time::now());
        while time < MEASURABLE {
            // Several passes for each look at the clock.
            (0..4).for_each(|_| pass());
            passes += 4;
            time = cpu_time::now().saturating_sub(start);
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
}
