//! Writes rows with their labels as CSV or JSON Lines.

use std::borrow::Cow;

use anyhow::{Result, bail, ensure};
use serde_json::Value;

use super::convention::LabelFormat;
use super::scorer::Label;
use crate::rows::input::Format;
use crate::rows::input::cut;
use crate::rows::row::Row;

pub(super) struct Encoder {
    labels: LabelFormat,
    columns: Vec<String>,
    names: Vec<String>,
}

impl Encoder {
    pub(super) fn new(labels: LabelFormat, columns: Vec<String>, prefix: &str) -> Result<Self> {
        let names = labels.names().into_iter().map(|name| format!("{prefix}{name}")).collect();
        let encoder = Self { labels, columns, names };
        for column in &encoder.columns {
            encoder.check_name(column)?;
        }
        Ok(encoder)
    }

    fn check_name(&self, name: &str) -> Result<()> {
        let is_taken = self.names.iter().any(|added| added == name);
        ensure!(
            !is_taken,
            "the input already has a field `{name}`; give the labels other names with `--prefix`"
        );
        Ok(())
    }

    /// Refuses a row that cannot be written with labels. `columns` are the columns of a CSV, if known.
    pub(super) fn check(&self, row: &Row, columns: Option<&[String]>) -> Result<()> {
        let (is_object, is_csv) = (row.object.is_some(), self.labels.format == Format::Csv);
        if is_csv && !is_object {
            return Ok(());
        }
        for (index, (key, value)) in row.columns.iter().zip(row.cells.iter()).enumerate() {
            if is_object {
                self.check_name(key)?;
            }
            if is_object && is_csv {
                let is_repeated = row.columns[..index].contains(key);
                if is_repeated || columns.is_some_and(|columns| !columns.contains(key)) {
                    let fault = if is_repeated { "occurs twice" } else { "is not a key of the first row" };
                    bail!("`{}` {fault}; all rows of a CSV have the same columns", cut(key));
                }
            }
            let text = String::from_utf8_lossy(value);
            let fits = is_csv || matches!(text, Cow::Borrowed(_));
            ensure!(fits, "`{}` is not UTF-8, which JSON requires", cut(&text));
        }
        Ok(())
    }

    /// Header line of CSV; empty for JSON Lines.
    pub(super) fn header(&self) -> Result<Vec<u8>> {
        let mut text = self.text();
        if let RowText::Csv(out) = &mut text {
            out.write_record(self.columns.iter().chain(&self.names))?;
        }
        text.into_bytes()
    }

    pub(super) fn text(&self) -> RowText {
        match self.labels.format {
            Format::Jsonl => RowText::Json(String::new()),
            Format::Csv | Format::Text => RowText::Csv(Box::new(csv::Writer::from_writer(Vec::new()))),
        }
    }

    /// Appends a row and its labels to `text`. A malformed row has no label.
    pub(super) fn encode(&self, row: &Row, label: Option<&Label>, text: &mut RowText) -> Result<()> {
        self.check(row, Some(&self.columns))?;
        let values = match label {
            Some(label) => self.labels.of(label).into_iter().map(|(_, value)| value).collect(),
            None => vec![Value::Null; self.names.len()],
        };
        match text {
            RowText::Csv(out) => self.add_csv(row, values, out)?,
            RowText::Json(out) => self.add_json(row, &values, out),
        }
        Ok(())
    }

    fn add_csv(&self, row: &Row, values: Vec<Value>, out: &mut csv::Writer<Vec<u8>>) -> csv::Result<()> {
        if row.object.is_some() {
            for column in &self.columns {
                out.write_field(text_of(row, column).unwrap_or_default())?;
            }
        } else {
            for cell in &row.cells {
                out.write_field(cell)?;
            }
        }
        for value in values {
            out.write_field(match value {
                Value::Null => String::new(),
                Value::String(text) => text,
                value => value.to_string(),
            })?;
        }
        out.write_record(None::<&[u8]>)
    }

    fn add_json(&self, row: &Row, values: &[Value], out: &mut String) {
        if let Some(object) = &row.object {
            out.push_str(object.strip_suffix('}').unwrap_or(object).trim_end());
        } else {
            out.push('{');
            for (name, cell) in self.columns.iter().zip(row.cells.iter()) {
                add_member(out, name, &String::from_utf8_lossy(cell).into());
            }
        }
        for (name, value) in self.names.iter().zip(values) {
            add_member(out, name, value);
        }
        out.push_str("}\n");
    }
}

pub(super) enum RowText {
    Csv(Box<csv::Writer<Vec<u8>>>),
    Json(String),
}

impl RowText {
    pub(super) fn into_bytes(self) -> Result<Vec<u8>> {
        match self {
            Self::Csv(out) => Ok(out.into_inner()?),
            Self::Json(text) => Ok(text.into_bytes()),
        }
    }
}

/// The cell of CSV for a key of a JSON object. Strings lose their quotes, null is an empty cell, and other values stay as they
/// are.
fn text_of(row: &Row, key: &str) -> Option<Vec<u8>> {
    let value = row.value(key)?;
    Some(match serde_json::from_slice::<Option<String>>(value) {
        Ok(text) => text.unwrap_or_default().into_bytes(),
        Err(_) => value.to_vec(),
    })
}

/// Adds a member to a JSON object that lacks its `}`.
fn add_member(object: &mut String, name: &str, value: &Value) {
    let comma = if object.ends_with('{') { "" } else { "," };
    object.extend([comma, &Value::from(name).to_string(), ":", &value.to_string()]);
}
