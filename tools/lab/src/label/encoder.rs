//! Rows with their labels, in the format of the output.

use anyhow::{Result, bail, ensure};
use csv::ByteRecord;
use serde_json::Value;

use super::convention::Labels;
use super::input::Format;
use super::row::{Fields, Row, cut};
use super::scorer::Label;

/// Writes rows.
pub(super) struct Encoder {
    labels: Labels,
    /// The columns of the input.
    columns: Vec<String>,
    /// The names of the fields that are added.
    names: Vec<String>,
}

impl Encoder {
    /// An encoder of rows with these columns, to which labels are added with names that begin with `prefix`.
    pub(super) fn new(labels: Labels, columns: Vec<String>, prefix: &str) -> Self {
        let names = labels.names().into_iter().map(|name| format!("{prefix}{name}")).collect();
        Self { labels, columns, names }
    }

    /// Fails if one of the columns of the input has the name of a label.
    ///
    /// # Errors
    /// The column.
    pub(super) fn check_names(&self) -> Result<()> {
        self.columns.iter().try_for_each(|column| self.check_name(column))
    }

    fn check_name(&self, name: &str) -> Result<()> {
        let is_taken = self.names.iter().any(|added| added == name);
        ensure!(!is_taken, "`{name}` is in the input already; `--prefix` gives the labels other names");
        Ok(())
    }

    /// Fails if a row cannot be written with its labels, in CSV in these columns.
    ///
    /// # Errors
    /// The field that is the reason.
    pub(super) fn check(&self, row: &Row, columns: &[String]) -> Result<()> {
        row.keys().try_for_each(|key| self.check_name(key))?;
        match (&row.fields, self.labels.format) {
            (Fields::Object(object), Format::Csv) => {
                for (index, (key, _)) in object.members.iter().enumerate() {
                    let is_repeated = object.members[..index].iter().any(|(before, _)| before == key);
                    if is_repeated || !columns.contains(key) {
                        let fault = if is_repeated { "is there twice" } else { "is no key of the first row" };
                        bail!("`{}` {fault}, expected the same columns in all rows of a CSV", cut(key));
                    }
                }
                Ok(())
            }
            (Fields::Cells(cells), Format::Jsonl) => {
                let Some(cell) = cells.iter().find(|cell| str::from_utf8(cell).is_err()) else {
                    return Ok(());
                };
                bail!(
                    "`{}` is not UTF-8, expected nothing else for JSON",
                    cut(&String::from_utf8_lossy(cell))
                )
            }
            _ => Ok(()),
        }
    }

    /// The header, if the format has one.
    pub(super) fn header(&self) -> Result<Vec<u8>> {
        match self.labels.format {
            Format::Csv => csv_line(&self.columns.iter().chain(&self.names).collect::<Vec<_>>().into()),
            Format::Jsonl | Format::Text => Ok(Vec::new()),
        }
    }

    /// A row with its label, or empty labels, and the end of the line.
    ///
    /// # Errors
    /// Those of [`check`](Self::check).
    pub(super) fn encode(&self, row: &Row, label: Option<&Label>) -> Result<Vec<u8>> {
        self.check(row, &self.columns)?;
        let values = |label| self.labels.of(label).into_iter().map(|(_, value)| value).collect::<Vec<_>>();
        let labels = label.map_or_else(|| vec![Value::Null; self.names.len()], values);
        match self.labels.format {
            Format::Csv | Format::Text => {
                let mut cells = self.cells(&row.fields);
                cells.extend(labels.iter().map(cell));
                csv_line(&cells)
            }
            Format::Jsonl => {
                let text = self.object(&row.fields);
                let comma = if text.ends_with('{') { "" } else { "," };
                Ok(format!("{text}{comma}{}}}\n", members(&self.names, labels.into_iter())).into_bytes())
            }
        }
    }

    /// The fields of a row in the order of the columns. Strings of JSON become their text, null an empty cell, and other
    /// values stay as they are written.
    fn cells(&self, fields: &Fields) -> ByteRecord {
        let object = match fields {
            Fields::Cells(cells) => return cells.clone(),
            Fields::Object(object) => object,
        };
        let cell = |column: &String| {
            let value = object.members.iter().find(|(key, _)| key == column)?.1.get();
            Some(match serde_json::from_str::<Option<String>>(value) {
                Ok(text) => text.unwrap_or_default(),
                Err(_) => value.to_owned(),
            })
        };
        self.columns.iter().map(|column| cell(column).unwrap_or_default()).collect::<Vec<_>>().into()
    }

    /// The fields of a row as a JSON object without its end. Cells become strings.
    fn object(&self, fields: &Fields) -> String {
        match fields {
            Fields::Object(object) => {
                object.text.strip_suffix('}').unwrap_or(&object.text).trim_end().to_owned()
            }
            Fields::Cells(cells) => {
                let values = cells.iter().map(|cell| String::from_utf8_lossy(cell).into());
                format!("{{{}", members(&self.columns, values))
            }
        }
    }
}

/// Members of a JSON object.
fn members(names: &[String], values: impl Iterator<Item = Value>) -> String {
    let member = |(name, value): (&String, Value)| format!("{}:{value}", Value::from(name.as_str()));
    names.iter().zip(values).map(member).collect::<Vec<_>>().join(",")
}

/// A value as a cell of CSV: text as it is, null as an empty cell, all else as JSON.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

/// A line of CSV.
fn csv_line(cells: &ByteRecord) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_byte_record(cells)?;
    Ok(writer.into_inner()?)
}
