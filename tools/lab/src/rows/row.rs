//! A row of the input: its fields and its position.

use std::fmt;
use std::sync::Arc;

use anyhow::{Error, Result, anyhow, bail};
use csv::ByteRecord;
use plumb::board::{Board, ParsePositionError, Position, PositionFault, PositionReader};
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::json;
use serde_json::value::RawValue;

use super::input::{Format, InputFormat, cut};
use super::records::Record;

/// Name of the position's column or key if the input has none.
pub(crate) const POSITION: &str = "position";

/// Fields of a row. One value is reused for all rows, which saves allocations.
#[derive(Default)]
pub(crate) struct Row {
    /// Original text of a JSON object. `None` for CSV and plain text.
    pub object: Option<String>,
    /// Names of the fields in their order: columns, which all rows share, or keys of JSON.
    pub columns: Arc<Vec<String>>,
    /// Contents of the fields. Values of JSON are unparsed.
    pub cells: ByteRecord,
    scratch: Vec<u8>,
}

/// Whether the error is a column 0 although columns count from 1. Columns of other rows may then be misread, too.
pub(crate) fn has_column_zero(fault: &Error) -> bool {
    let error = fault.downcast_ref::<ParsePositionError>();
    error.is_some_and(|error| matches!(error.fault, PositionFault::CountsFromOne(_)))
}

impl Row {
    /// Reads the fields of a row of CSV or plain text. Missing cells become empty. Surplus cells are joined to the last one,
    /// so a malformed row loses nothing.
    pub(super) fn read_cells(
        &mut self,
        record: Record<'_>,
        format: InputFormat,
        columns: &Arc<Vec<String>>,
    ) -> Result<()> {
        if !Arc::ptr_eq(&self.columns, columns) {
            self.columns = Arc::clone(columns);
        }
        if format.format == Format::Csv {
            record.read_cells(format.delimiter, &mut self.cells);
        } else {
            self.cells.clear();
            self.cells.push_field(record.text.trim_ascii());
        }
        let (found, expected) = (self.cells.len(), columns.len());
        if found != expected {
            let cells: Vec<_> = self.cells.iter().map(<[u8]>::to_vec).collect();
            self.cells.clear();
            for cell in cells.iter().take(expected - 1) {
                self.cells.push_field(cell);
            }
            if found > expected {
                self.cells.push_field(&cells[expected - 1..].join(&b','));
            }
            while self.cells.len() < expected {
                self.cells.push_field(b"");
            }
            let first = cut(&String::from_utf8_lossy(&cells[0]));
            bail!("`{first}`: the row has {found} fields, expected {expected} as in the header");
        }
        Ok(())
    }

    /// Reads the members of a line of JSON. A line that is not an object becomes an object with the line as its
    /// position.
    pub(super) fn read_json(&mut self, line: &[u8], key: &str) -> Result<()> {
        let text = String::from_utf8_lossy(line).trim().to_owned();
        let utf8 = str::from_utf8(line);
        let utf8 = utf8.map_err(|_| anyhow!("`{}` is not UTF-8, expected a JSON object", cut(&text)));
        self.cells.clear();
        match utf8.and_then(|_| members(&text)) {
            Ok(fields) => {
                for (_, value) in &fields {
                    self.cells.push_field(value);
                }
                self.columns = Arc::new(fields.into_iter().map(|(key, _)| key).collect());
                self.object = Some(text);
                Ok(())
            }
            Err(fault) => {
                self.columns = Arc::new(vec![key.to_owned()]);
                self.cells.push_field(json!(text).to_string().as_bytes());
                self.object = Some(json!({ key: text }).to_string());
                Err(fault)
            }
        }
    }

    pub(super) fn position(
        &mut self,
        places: &[usize],
        reader: &PositionReader<Board>,
    ) -> Result<Position<Board>> {
        if let &[place] = places {
            return parse(reader, &self.cells[place]);
        }
        self.scratch.clear();
        for &place in places {
            self.scratch.extend_from_slice(&self.cells[place]);
            self.scratch.push(b' ');
        }
        parse(reader, &self.scratch)
    }

    pub(super) fn position_in_json(
        &self,
        key: &str,
        reader: &PositionReader<Board>,
    ) -> Result<Position<Board>> {
        let text = self.object.as_deref().unwrap_or_default();
        let mut fields = self.columns.iter().zip(self.cells.iter()).filter(|(name, _)| *name == key);
        let (Some((_, value)), None) = (fields.next(), fields.next()) else {
            bail!("`{}`: expected one key `{key}`", cut(text));
        };
        match serde_json::from_slice::<String>(value) {
            Ok(text) => parse(reader, text.as_bytes()),
            // A list of moves or cells: numbers or strings. Blanks replace the quotes.
            Err(_) if value.starts_with(b"[") => {
                let list: Vec<_> = value.iter().map(|&byte| if byte == b'"' { b' ' } else { byte }).collect();
                parse(reader, &list)
            }
            Err(_) => {
                bail!("`{key}` is `{}`, expected a string or a list", cut(&String::from_utf8_lossy(value)))
            }
        }
    }

    pub(crate) fn value(&self, name: &str) -> Option<&[u8]> {
        self.cells.get(self.columns.iter().position(|column| column == name)?)
    }
}

/// Keys of a JSON object. Empty if the text is not an object.
pub(super) fn keys(text: &[u8]) -> Vec<String> {
    let members = str::from_utf8(text).ok().and_then(|text| members(text.trim()).ok());
    members.unwrap_or_default().into_iter().map(|(key, _)| key).collect()
}

fn members(text: &str) -> Result<Vec<(String, Vec<u8>)>> {
    let mut json = serde_json::Deserializer::from_str(text);
    let members = json.deserialize_map(Members).and_then(|members| json.end().map(|()| members));
    members.map_err(|error| {
        let said = error.to_string();
        let fault = said.split(" at line ").next().unwrap_or_default();
        anyhow!("`{}`: column {}: {fault}; expected a JSON object", cut(text), error.column())
    })
}

/// Reads the members of an object in their order. A map of `serde_json` would sort them.
struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Vec<(String, Vec<u8>)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some((key, value)) = map.next_entry::<String, Box<RawValue>>()? {
            members.push((key, value.get().as_bytes().to_vec()));
        }
        Ok(members)
    }
}

pub(super) fn parse(reader: &PositionReader<Board>, text: &[u8]) -> Result<Position<Board>> {
    let Ok(text) = str::from_utf8(text) else {
        bail!("`{}` is not UTF-8, expected a position", cut(&String::from_utf8_lossy(text)));
    };
    Ok(reader.position(text)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_name_token_and_what_was_expected() {
        let fault = |line: &str| {
            let (reader, mut row) = (PositionReader::new(Board::default()), Row::default());
            let read = row.read_json(line.as_bytes(), POSITION);
            read.and_then(|()| row.position_in_json(POSITION, &reader)).expect_err(line).to_string()
        };
        let list = "`[44]`: column 0: invalid type: sequence, expected an object; expected a JSON object";
        assert_eq!(fault("[44]"), list);
        assert_eq!(fault(r#"{"moves":"44"}"#), r#"`{"moves":"44"}`: expected one key `position`"#);
        assert_eq!(fault(r#"{"position":44}"#), "`position` is `44`, expected a string or a list");
        assert_eq!(fault(r#"{"position":"44x"}"#), "move 3, `x`: not a column digit (columns 1 to 7)");
    }
}
