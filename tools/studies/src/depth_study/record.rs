//! One measurement: the searches of one game, counted and timed, and its line in the file.

use std::time::Duration;

use plumb_tools_common::random::Random;
use serde::{Deserialize, Serialize};

use super::game::Game;
use super::method::{Method, Order};
use super::search::{Search, TableEntry};
use crate::cpu_time;
use crate::lru::Lru;

/// One method at one depth in all positions of one game, with one sequence of random orders.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Unit {
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
}

/// The values found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Line", into = "Line")]
pub struct Record {
    /// The settings that were measured.
    pub unit: Unit,
    /// Positions visited by the searches of all positions of the game.
    pub nodes: u64,
    /// Processor time of these searches.
    pub nanoseconds: u64,
    /// The value of each position, for the side to move.
    pub values: Vec<i32>,
}

/// The line of the file, which has no structure within another.
#[derive(Serialize, Deserialize)]
struct Line {
    order: Order,
    seed: u64,
    repeat: u32,
    game: String,
    depth: u32,
    method: Method,
    positions: usize,
    nodes: u64,
    cpu_nanoseconds: u64,
    /// With blanks between them.
    values: String,
}

impl From<Record> for Line {
    fn from(record: Record) -> Self {
        let Record { unit, nodes, nanoseconds: cpu_nanoseconds, values } = record;
        let Unit { order, seed, repeat, game, depth, method } = unit;
        let positions = values.len();
        let values = values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        Self { order, seed, repeat, game, depth, method, positions, nodes, cpu_nanoseconds, values }
    }
}

impl TryFrom<Line> for Record {
    type Error = String;

    fn try_from(line: Line) -> Result<Self, String> {
        let Line { order, seed, repeat, game, depth, method, positions, nodes, cpu_nanoseconds, values } =
            line;
        let values: Result<Vec<_>, _> = values.split(' ').map(str::parse).collect();
        let values = values.map_err(|error| format!("values: {error}"))?;
        let unit = Unit { order, seed, repeat, game, depth, method };
        if values.len() != positions {
            return Err(format!("{} values of {positions} positions", values.len()));
        }
        Ok(Self { unit, nodes, nanoseconds: cpu_nanoseconds, values })
    }
}

/// Searches that take less than this together are done again and again until they have taken it.
const MEASURABLE: Duration = Duration::from_millis(10);

/// Measures a unit, which is one of `game`.
///
/// The clock is read before the first position of the game and after the last one, as reading it takes longer than the
/// smallest searches. What is done again is the same each time, random orders and all, so the nodes do not depend on
/// how fast the machine is; and where it is done again at all, the first time does not count, in which the caches of
/// the processor are still cold.
pub fn measure(unit: &Unit, game: &Game, table: &mut Lru<TableEntry>) -> Record {
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
    Record { unit: unit.clone(), nodes, nanoseconds: time.as_nanos() as u64, values }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_reads_as_it_was_written() {
        let unit = Unit {
            order: Order::Centre,
            seed: 7,
            repeat: 2,
            game: String::new(),
            depth: 5,
            method: Method::NullWindowTable,
        };
        let record = Record { unit, nodes: 1234, nanoseconds: 56_789, values: vec![0, -12, 99_990] };
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.serialize(&record).expect("it can be written");
        let text = String::from_utf8(writer.into_inner().expect("memory")).expect("UTF-8");
        let line = "centre,7,2,,5,null-window-table,3,1234,56789,0 -12 99990\n";
        assert_eq!(text.lines().last(), line.lines().last());
        let read = |text: String| -> Option<Record> {
            csv::Reader::from_reader(text.as_bytes()).deserialize().next()?.ok()
        };
        assert_eq!(read(text.clone()), Some(record));
        assert_eq!(read(text.replace(",3,", ",2,")), None);
        assert_eq!(read(text.replace("-12", "x")), None);
    }
}
