//! One measurement, and its line in the file.

use serde::{Deserialize, Serialize};

use super::method::{Method, Order};

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
