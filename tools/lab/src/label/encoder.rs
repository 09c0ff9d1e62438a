//! Rows with their labels, in the format of the output.

use std::borrow::Cow;

use anyhow::{Result, bail, ensure};
use serde_json::Value;

use super::convention::LabelFormat;
use super::input::Format;
use super::row::{Row, cut};
use super::scorer::Label;

/// Writes rows.
pub(super) struct Encoder {
    labels: LabelFormat,
    /// The columns of the input.
    columns: Vec<String>,
    /// The names of the fields that are added.
    names: Vec<String>,
}

impl Encoder {
    /// An encoder of rows with these columns, to which labels are added with names that begin with `prefix`.
    ///
    /// # Errors
    /// A column that has the name of a label.
    pub(super) fn new(labels: LabelFormat, columns: Vec<String>, prefix: &str) -> Result<Self> {
        let names = labels.names().into_iter().map(|name| format!("{prefix}{name}")).collect();
        let encoder = Self { labels, columns, names };
        encoder.columns.iter().try_for_each(|column| encoder.check_name(column))?;
        Ok(encoder)
    }

    fn check_name(&self, name: &str) -> Result<()> {
        let is_taken = self.names.iter().any(|added| added == name);
        ensure!(!is_taken, "`{name}` is in the input already; `--prefix` gives the labels other names");
        Ok(())
    }

    /// Fails if a row cannot be written with its labels, in CSV in these columns if they are known.
    ///
    /// # Errors
    /// The field that is the reason.
    pub(super) fn check(&self, row: &Row, columns: Option<&[String]>) -> Result<()> {
        let (is_object, is_csv) = (row.object.is_some(), self.labels.format == Format::Csv);
        for (index, (key, value)) in row.columns.iter().zip(&row.cells).enumerate() {
            if is_object {
                self.check_name(key)?;
            }
            if is_object && is_csv {
                let is_repeated = row.columns[..index].contains(key);
                if is_repeated || columns.is_some_and(|columns| !columns.contains(key)) {
                    let fault = if is_repeated { "is there twice" } else { "is no key of the first row" };
                    bail!("`{}` {fault}, expected the same columns in all rows of a CSV", cut(key));
                }
            }
            let text = String::from_utf8_lossy(value);
            let fits = is_csv || matches!(text, Cow::Borrowed(_));
            ensure!(fits, "`{}` is not UTF-8, expected nothing else for JSON", cut(&text));
        }
        Ok(())
    }

    /// The header, if the format has one.
    pub(super) fn header(&self) -> Result<Vec<u8>> {
        let is_csv = self.labels.format == Format::Csv;
        if is_csv { csv_line(self.columns.iter().chain(&self.names)) } else { Ok(Vec::new()) }
    }

    /// A row with its label, or empty labels, and the end of the line.
    ///
    /// # Errors
    /// The errors of [`check`](Self::check).
    pub(super) fn encode(&self, row: &Row, label: Option<&Label>) -> Result<Vec<u8>> {
        self.check(row, Some(&self.columns))?;
        let values = |label| self.labels.of(label).into_iter().map(|(_, value)| value).collect::<Vec<_>>();
        let labels = label.map_or_else(|| vec![Value::Null; self.names.len()], values);
        if self.labels.format == Format::Jsonl {
            let text = if let Some(object) = &row.object {
                object.strip_suffix('}').unwrap_or(object).trim_end().to_owned()
            } else {
                // Cells become strings.
                let texts = row.cells.iter().map(|cell| String::from_utf8_lossy(cell).into());
                format!("{{{}", members(&self.columns, texts))
            };
            let comma = if text.ends_with('{') { "" } else { "," };
            let labels = members(&self.names, labels.into_iter());
            return Ok(format!("{text}{comma}{labels}}}\n").into_bytes());
        }
        let mut cells: Vec<_> = match row.object {
            Some(_) => self.columns.iter().map(|column| text_of(row, column).unwrap_or_default()).collect(),
            None => row.cells.clone(),
        };
        cells.extend(labels.iter().map(|label| cell(label).into_bytes()));
        csv_line(&cells)
    }
}

/// The cell of CSV for a key of a JSON object. Strings become their text, null an empty cell, and other values stay as they
/// are written.
fn text_of(row: &Row, key: &str) -> Option<Vec<u8>> {
    let value = row.value(key)?;
    Some(match serde_json::from_slice::<Option<String>>(value) {
        Ok(text) => text.unwrap_or_default().into_bytes(),
        Err(_) => value.clone(),
    })
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
fn csv_line(cells: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(cells)?;
    Ok(writer.into_inner()?)
}
