//! Labels that a file has already, beside exact scores.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use plumb::board::{Board, PositionReader};
use serde_json::Value;

use super::ColumnFlags;
use super::convention::{Convention, LabelFormat, agrees};
use super::input::{Format, InputFormat};
use super::row::{Row, cut};
use super::rows::Rows;
use super::scorer::Scorer;
use crate::exit::{self, Interrupted};
use crate::output::print;
use crate::progress::Counter;

/// Rows that are solved together.
const BLOCK: usize = 1 << 14;

/// Differences that are printed, of each file.
const SHOWN: u64 = 10;

/// Whether a file has columns or keys, among which labels can be, by its extension.
pub(crate) fn is_table(path: &Path) -> bool {
    InputFormat::new(path, None, None).is_ok_and(|input| input.format != Format::Text)
}

/// Compares the labels of a file with exact scores, prints the first differences, and a line on all; returns whether all are
/// equal.
///
/// # Errors
/// If the file cannot be read, has no row, a malformed one, or none of the convention's labels; those of [`Convention::check`];
/// [`Interrupted`] after Ctrl-C.
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
    // A file labelled by Plumb has the scores of the moves, or it has not.
    let labels = |moves| LabelFormat { convention, board: reader.geometry, format: format.format, moves };
    let (all, without_moves) = (labels(true).names(), labels(false).names());
    let is_there = |name: &String| columns.contains(name);
    ensure!(all.iter().any(is_there), "{name}: none of the labels {} is there", all.join(", "));
    scorer.moves = all[without_moves.len()..].iter().any(is_there) || convention.has_moves(false);
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
            positions.push(Some(read.with_context(|| format!("{name}:{}", record.line))?));
        }
        let Some(solved) = scorer.label(&positions, interrupt, &mut counter) else {
            return Err(Interrupted(format!("interrupted after {count} rows")).into());
        };
        for (record, label) in block.iter().zip(solved.iter().flatten()) {
            let line = record.line;
            rows.reader.read_fields(record, &mut row)?;
            let labels = labels(scorer.moves).of(label);
            let mut differences: Vec<_> =
                labels.iter().filter_map(|(name, value)| difference(&row, name, value)).collect();
            if labels.iter().all(|(name, _)| row.value(name).is_none()) {
                differences.push("it has no label".to_owned());
            }
            count += 1;
            if !differences.is_empty() {
                different += 1;
                if different <= SHOWN {
                    counter.with_bar_hidden(|| {
                        print(format_args!("{name}:{line}: {}", differences.join("; ")))
                    })?;
                }
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

/// The label of a row in words, if it is there and is not that of perfect play.
fn difference(row: &Row, name: &str, value: &Value) -> Option<String> {
    let found = value_of(row, name)?;
    (!agrees(&found, value)).then(|| format!("`{name}` is {}, expected {value}", cut(&found.to_string())))
}

/// The value of a column or key.
fn value_of(row: &Row, name: &str) -> Option<Value> {
    let value = row.value(name)?;
    if row.object.is_some() {
        return serde_json::from_slice(value).ok();
    }
    let text = String::from_utf8_lossy(value);
    Some(if text.is_empty() { Value::Null } else { text.into() })
}
