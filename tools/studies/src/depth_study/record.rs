//! One measurement, and its line in the file.

use anyhow::{Context, Result};
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
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// The line of the file. The crate that reads it cannot have a structure within another, so the fields stand in a row.
type Line = (Order, u64, u32, String, u32, Method, usize, u64, u64, String);

impl Record {
    /// The names of the fields, as they stand in the first line of the file.
    pub const HEADING: &str = "order,seed,repeat,game,depth,method,positions,nodes,cpu_nanoseconds,values";

    /// Reads a line of the file.
    ///
    /// # Errors
    /// The fault in the text.
    pub fn parse(line: &str) -> Result<Self> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
        let fields: Option<Line> = reader.deserialize().next().and_then(Result::ok);
        let record = fields.and_then(|fields| {
            let (order, seed, repeat, game, depth, method, positions, nodes, nanoseconds, values) = fields;
            let values = values.split(' ').map(str::parse).collect::<Result<Vec<_>, _>>().ok()?;
            let unit = Unit { order, seed, repeat, game, depth, method };
            (values.len() == positions).then_some(Self { unit, nodes, nanoseconds, values })
        });
        record.with_context(|| format!("`{line}`: expected {}", Self::HEADING))
    }

    /// The line of the file.
    ///
    /// # Errors
    /// None that can happen with these fields.
    pub fn line(&self) -> Result<String> {
        let Self { unit, nodes, nanoseconds, values } = self;
        let Unit { order, seed, repeat, game, depth, method } = unit;
        let values_text = values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        writer.serialize((
            order,
            seed,
            repeat,
            game,
            depth,
            method,
            values.len(),
            nodes,
            nanoseconds,
            values_text,
        ))?;
        let line = String::from_utf8(writer.into_inner()?)?;
        Ok(line.trim_end().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        let unit = Unit {
            order: Order::Centre,
            seed: 7,
            repeat: 2,
            game: "64".to_owned(),
            depth: 5,
            method: Method::NullWindowTable,
        };
        Record { unit, nodes: 1234, nanoseconds: 56_789, values: vec![0, -12, 99_990] }
    }

    #[test]
    fn a_line_reads_as_it_was_written() {
        let line = record().line().expect("it can be written");
        assert_eq!(line, "centre,7,2,64,5,null-window-table,3,1234,56789,0 -12 99990");
        assert_eq!(line.split(',').count(), Record::HEADING.split(',').count());
        assert_eq!(Record::parse(&line).expect("well formed"), record());
        let empty_board = Record { unit: Unit { game: String::new(), ..record().unit }, ..record() };
        let line = empty_board.line().expect("it can be written");
        assert_eq!(Record::parse(&line).expect("well formed"), empty_board);
    }

    #[test]
    fn a_malformed_line_says_what_was_expected() {
        for line in [
            "",
            "random,1",
            "sideways,7,2,64,5,pvs,1,1234,56789,0",
            "centre,7,2,64,5,pvs,2,1234,56789,0",
            "centre,7,2,64,5,pvs,1,1234,56789,x",
        ] {
            let said = Record::parse(line).expect_err(line).to_string();
            assert_eq!(said, format!("`{line}`: expected {}", Record::HEADING));
        }
    }
}
