//! Comparison of a file's labels with exact scores.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use plumb::board::{Board, PositionReader};
use serde_json::Value;

use super::convention::{Convention, LabelFormat, agrees};
use super::scorer::{Label, Scorer};
use crate::exit::{self, Interrupted};
use crate::output::print;
use crate::progress::Counter;
use crate::rows::Rows;
use crate::rows::input::{ColumnFlags, Format, InputFormat, cut};
use crate::rows::row::Row;

const BLOCK: usize = 1 << 14;

const SHOWN: u64 = 10;

pub(crate) fn is_table(path: &Path) -> bool {
    InputFormat::new(path, None, None).is_ok_and(|input| input.format != Format::Text)
}

/// Compares the labels of a file with exact scores, and prints the first differences and a summary. Returns whether all labels
/// are equal.
pub(crate) fn compare(
    path: &Path,
    reader: PositionReader<Board>,
    flags: &ColumnFlags,
    convention: Convention,
    scorer: &mut Scorer,
) -> Result<bool> {
    convention.check(reader.mover)?;
    let format = InputFormat::new(path, Some(Format::of(path).unwrap_or(Format::Csv)), flags.delimiter)?;
    let mut rows = Rows::open(path, format, flags.column.as_deref(), reader)?;
    let (name, columns) = (rows.name().to_owned(), rows.columns());
    // A file may lack the scores of moves, which `label` writes only with `--moves`.
    let mut labels = LabelFormat { convention, board: reader.geometry, format: format.format, moves: false };
    let without_moves = labels.names().len();
    labels.moves = true;
    let all = labels.names();
    ensure!(
        all.iter().any(|name| columns.contains(name)),
        "{name}: expected a column or key {}",
        all.join(", ")
    );
    scorer.moves =
        all[without_moves..].iter().any(|name| columns.contains(name)) || convention.has_moves(false);
    labels.moves = scorer.moves;
    let interrupt = exit::interrupt()?;
    let (start, mut counter) = (Instant::now(), Counter::new(&name, "row", 0, None));
    let (mut count, mut different) = (0, 0);
    let mut row = Row::default();
    loop {
        let block = rows.block(BLOCK)?;
        if block.len() == 0 {
            break;
        }
        let mut positions = Vec::with_capacity(block.len());
        for record in block.iter() {
            let read = rows.reader.read(record, &mut row).and_then(|position| position);
            positions.push(Some(read.with_context(|| rows.reader.place(record))?));
        }
        let Some(solved) = scorer.label(&positions, interrupt, &mut counter) else {
            bail!(Interrupted(format!("interrupted after {count} rows")));
        };
        for (record, label) in block.iter().zip(solved.iter().flatten()) {
            rows.reader.read_fields(record, &mut row)?;
            let differences = differences(&row, labels, label);
            count += 1;
            if differences.is_empty() {
                continue;
            }
            different += 1;
            if different <= SHOWN {
                let place = rows.reader.place(record);
                counter.with_bar_hidden(|| print(format_args!("{place}: {}", differences.join("; "))))?;
            }
        }
    }
    drop(counter);
    ensure!(count > 0, "{name}: there is no row");
    let seconds = start.elapsed().as_secs_f64();
    print(format_args!(
        "{name}: {count} rows, {} equal, {different} different; {:.0} rows a second",
        count - different,
        count as f64 / seconds
    ))?;
    Ok(different == 0)
}

/// Messages about wrong labels of a row. A row may lack some labels, but not all.
fn differences(row: &Row, format: LabelFormat, label: &Label) -> Vec<String> {
    let mut differences = Vec::new();
    let mut has_label = false;
    for (name, value) in format.of(label) {
        has_label |= row.value(&name).is_some();
        if let Some(found) = value_of(row, &name)
            && !agrees(&found, &value)
        {
            differences.push(format!("`{name}` is {}, expected {value}", cut(&found.to_string())));
        }
    }
    if !has_label {
        differences.push("it has no label".to_owned());
    }
    differences
}

fn value_of(row: &Row, name: &str) -> Option<Value> {
    let value = row.value(name)?;
    if row.object.is_some() {
        return serde_json::from_slice(value).ok();
    }
    let text = String::from_utf8_lossy(value);
    Some(if text.is_empty() { Value::Null } else { text.into() })
}
