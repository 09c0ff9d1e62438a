//! A row of the input: its fields as they are, and the position that it names.

use std::fmt;

use csv::ByteRecord;
use plumb::board::{Board, ParsePositionError, Position, PositionFault, PositionReader};
use plumb_protocol::shortened;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::json;
use serde_json::value::RawValue;

/// The name of the column or key of the position where the input has none.
pub(super) const POSITION: &str = "position";

/// The most characters of a text that a message repeats.
const MAX_QUOTED: usize = 60;

/// A row.
pub(super) struct Row {
    pub fields: Fields,
    /// The position; the fault if there is none.
    pub position: Result<Position<Board>, Fault>,
}

/// The fault of a malformed row.
#[derive(Debug, PartialEq)]
pub(super) struct Fault {
    pub sentence: String,
    /// Whether the row has a column 0 where columns count from 1: then so do other rows, which are read as other positions.
    pub counts_from_one: bool,
}

impl From<String> for Fault {
    fn from(sentence: String) -> Self {
        Self { sentence, counts_from_one: false }
    }
}

/// The fields of a row.
pub(super) enum Fields {
    /// Those of CSV or plain text, in the order of the columns, and as many.
    Cells(ByteRecord),
    /// Those of a JSON object.
    Object(Object),
}

/// A JSON object: its text, so that it can be written as it was, and its members in their order.
#[derive(Default)]
pub(super) struct Object {
    pub text: String,
    pub members: Vec<(String, Box<RawValue>)>,
}

impl Row {
    /// The row of CSV or plain text with these cells, those of the position at `places`. A row with fewer cells than
    /// `columns` gets empty ones; more are joined to the last one by commas, so that nothing of a malformed row is lost.
    pub(super) fn of_cells(
        cells: ByteRecord,
        places: &[usize],
        columns: usize,
        reader: &PositionReader<Board>,
    ) -> Self {
        let found = cells.len();
        if found == columns {
            let text: Vec<_> = places.iter().map(|&place| &cells[place]).collect();
            let position = parse(reader, &text.join(&b' '));
            return Self { fields: Fields::Cells(cells), position };
        }
        let first = cut(&String::from_utf8_lossy(cells.get(0).unwrap_or_default()));
        let fault = format!("`{first}`: the row has {found} fields, expected {columns} as in the header");
        let mut fitted: Vec<_> = cells.iter().map(<[u8]>::to_vec).collect();
        if found > columns {
            let surplus = fitted.split_off(columns.saturating_sub(1));
            fitted.push(surplus.join(&b','));
        }
        fitted.resize(columns, Vec::new());
        Self { fields: Fields::Cells(fitted.into()), position: Err(fault.into()) }
    }

    /// The row of a line of JSON, whose position has this key. What is no object becomes one whose position is the line.
    pub(super) fn of_json(line: &[u8], key: &str, reader: &PositionReader<Board>) -> Self {
        let text = String::from_utf8_lossy(line).trim().to_owned();
        let read = match str::from_utf8(line) {
            Ok(_) => Object::read(&text),
            Err(_) => Err(format!("`{}` is not UTF-8, expected a JSON object", cut(&text))),
        };
        match read {
            Ok(object) => {
                let position = object.position(key, reader);
                Self { fields: Fields::Object(object), position }
            }
            Err(fault) => {
                let object = Object::read(&json!({ key: text }).to_string()).unwrap_or_default();
                Self { fields: Fields::Object(object), position: Err(fault.into()) }
            }
        }
    }

    /// The keys of the row, if it is a JSON object.
    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        let members = match &self.fields {
            Fields::Object(object) => object.members.as_slice(),
            Fields::Cells(_) => &[],
        };
        members.iter().map(|(key, _)| key.as_str())
    }
}

impl Object {
    fn read(text: &str) -> Result<Self, String> {
        let mut json = serde_json::Deserializer::from_str(text);
        let members = json.deserialize_map(Members).and_then(|members| json.end().map(|()| members));
        let members = members.map_err(|error| {
            let said = error.to_string();
            let fault = said.split(" at line ").next().unwrap_or_default();
            format!("`{}`: column {}: {fault}; expected a JSON object", cut(text), error.column())
        })?;
        Ok(Self { text: text.to_owned(), members })
    }

    fn position(&self, position: &str, reader: &PositionReader<Board>) -> Result<Position<Board>, Fault> {
        let mut values = self.members.iter().filter(|(key, _)| key == position);
        let (Some((_, value)), None) = (values.next(), values.next()) else {
            return Err(format!("`{}`: expected one key `{position}`", cut(&self.text)).into());
        };
        match serde_json::from_str::<String>(value.get()) {
            Ok(text) => parse(reader, text.as_bytes()),
            // A list of moves or cells.
            Err(_) if value.get().starts_with('[') => parse(reader, value.get().as_bytes()),
            Err(_) => {
                let value = cut(value.get());
                Err(format!("`{position}` is `{value}`, expected a string or a list").into())
            }
        }
    }
}

/// Reads the members of an object in their order; a map of `serde_json` would sort them.
struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Vec<(String, Box<RawValue>)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        std::iter::from_fn(|| map.next_entry().transpose()).collect()
    }
}

/// The position of a text.
pub(super) fn parse(reader: &PositionReader<Board>, text: &[u8]) -> Result<Position<Board>, Fault> {
    let Ok(text) = str::from_utf8(text) else {
        let text = String::from_utf8_lossy(text);
        return Err(format!("`{}` is not UTF-8, expected a position", cut(&text)).into());
    };
    let fault = |error: ParsePositionError| Fault {
        sentence: error.to_string(),
        counts_from_one: matches!(error.fault, PositionFault::CountsFromOne(_)),
    };
    reader.read(text).map(|read| read.position).map_err(fault)
}

/// The beginning of a text, for messages.
pub(super) fn cut(text: &str) -> String {
    shortened(text, MAX_QUOTED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_name_token_and_what_was_expected() {
        let fault = |line: &str| {
            let reader = PositionReader::new(Board::default());
            Row::of_json(line.as_bytes(), POSITION, &reader).position.expect_err(line).sentence
        };
        assert_eq!(
            fault("[44]"),
            "`[44]`: column 0: invalid type: sequence, expected an object; expected a JSON object"
        );
        assert_eq!(fault(r#"{"moves":"44"}"#), r#"`{"moves":"44"}`: expected one key `position`"#);
        assert_eq!(fault(r#"{"position":44}"#), "`position` is `44`, expected a string or a list");
        assert_eq!(fault(r#"{"position":"44x"}"#), "`x` at byte 2: not a column digit (columns 1 to 7)");
    }
}
