//! `plumb-lab label`: adds exact scores to files of positions.

pub(crate) mod comparison;
pub(crate) mod convention;
mod encoder;
mod part;
pub(crate) mod scorer;
mod threads;

use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use plumb::board::{Board, Position};
use plumb::book::Book;
use plumb_arena::engine::process::Interrupt;
use serde_json::json;

use crate::arguments::{PositionFlags, RunOrMerge};
use crate::exit::{self, Interrupted};
use crate::output::{check_overwrite, print};
use crate::progress::Counter;
use crate::result_files::{Header, Shard, take_lock};
use crate::rows::input::{ColumnFlags, Format, InputFormat};
use crate::rows::records::Block;
use crate::rows::row::{Row, has_column_zero};
use crate::rows::{RowReader, Rows, STDIN, note_keys};
use convention::{Convention, LabelFormat};
use encoder::Encoder;
use part::{Part, Progress};
use scorer::{Label, Scorer};
use threads::{beside_reading, in_parallel};

const EXAMPLES: &str = "\
Examples:
  plumb-lab label games.csv --out labelled.csv
  plumb-lab label games.csv --column moves --moves --out labelled.jsonl
  plumb-lab label - --format text --out scores.csv < positions.txt";

/// Label files of positions with exact scores.
///
/// FILE is CSV with a header (`.csv`, `.tsv`), JSON Lines (`.jsonl`) or plain text (`.txt`, a position on each line). A
/// position is a list of moves (`4455`, `4 4 5 5`, `ddee`, `d1 d2`), a FEN, or a symbol per cell. An empty position is the
/// empty board. Blank lines are skipped and counted. In plain text, lines that start with `#` are skipped.
///
/// The output has the same rows in the same order, and three more fields for the side to move: `score`, `outcome` (win, draw
/// or loss) and `distance` (plies to the end). `--moves` adds the score of each move and `best`, the columns that keep the
/// score. A score of 1 is a win with the last stone of that side, 2 with the stone before. Negative scores are losses.
///
/// The output grows in `FILE.part`, which gets its final name at the end. The same command resumes an interrupted run. The
/// output does not depend on threads or table size. The outputs of all shards, one after the other, are the output of the
/// whole file; `label merge` joins them.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(crate) struct LabelArguments {
    /// File of positions, or - for standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Format of FILE. [default: by its extension]
    #[arg(long, value_enum, help_heading = "Positions")]
    format: Option<Format>,
    /// Board of the positions: columns by rows.
    #[arg(long, value_name = "WxH", default_value = "7x6", help_heading = "Positions")]
    board: Board,
    #[command(flatten)]
    columns: ColumnFlags,
    #[command(flatten)]
    positions: PositionFlags,
    /// Write malformed rows with empty labels.
    #[arg(long, help_heading = "Positions")]
    skip_bad: bool,
    /// Output file, `.csv` or `.jsonl`.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    out: PathBuf,
    /// Overwrite the output.
    #[arg(long, help_heading = "Output")]
    force: bool,
    /// Add the scores of all moves.
    #[arg(long, help_heading = "Output")]
    moves: bool,
    /// Use the label names and values of another program.
    #[arg(
        long = "as",
        value_enum,
        value_name = "KIND",
        default_value = "plumb",
        hide_default_value = true,
        help_heading = "Output"
    )]
    convention: Convention,
    /// Start the names of the labels with this text.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true, help_heading = "Output")]
    prefix: String,
    /// Label part I of N: consecutive rows.
    #[arg(long, value_name = "I/N", help_heading = "Output")]
    shard: Option<Shard>,
    /// Threads, which share one table. [default: all processors]
    #[arg(long, value_name = "N", help_heading = "Solver")]
    threads: Option<NonZeroUsize>,
    /// Table size in MB.
    #[arg(long, value_name = "MB", default_value = "256", help_heading = "Solver", value_parser = crate::arguments::megabytes)]
    hash: usize,
    /// Do not use the embedded book of 7x6.
    #[arg(long, help_heading = "Solver")]
    no_book: bool,
}

pub(crate) type Arguments = RunOrMerge<LabelArguments, part::MergeArguments>;

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    arguments.act(|labelled| Task::new(labelled)?.run(), part::merge)
}

const MAX_BLOCK: usize = 1 << 14;

/// Minimum number of rows that are solved and written together, for a balanced load on several threads.
const MIN_BLOCK: usize = 16;

struct Task<'a> {
    arguments: &'a LabelArguments,
    input: InputFormat,
    output: Format,
    interrupt: &'static Interrupt,
}

impl<'a> Task<'a> {
    fn new(arguments: &'a LabelArguments) -> Result<Self> {
        let LabelArguments { file, out, format, convention, columns, positions, .. } = arguments;
        ensure!(
            !arguments.moves || *convention == Convention::Plumb,
            "--moves: `--as {convention}` decides which moves have scores"
        );
        convention.check(positions.mover)?;
        let input = InputFormat::new(file, *format, columns.delimiter)?;
        let Some(output @ (Format::Csv | Format::Jsonl)) = Format::of(out) else {
            bail!("`{}`: expected the output to end in .csv or .jsonl", out.display());
        };
        Ok(Self { arguments, input, output, interrupt: exit::interrupt()? })
    }

    fn run(&self) -> Result<()> {
        let LabelArguments { out, shard, force, .. } = self.arguments;
        let start = Instant::now();
        let lock = take_lock(out, "--out")?;
        check_overwrite([out], *force)?;
        let Plan { mut rows, range, encoder, mut header } = self.plan()?;
        let total = if range.end < u64::MAX { Some(range.end - range.start) } else { None };
        let (mut part, mut progress) = Part::open(out, &header, lock, &mut rows, range.start)?;
        let before = progress.rows;
        let title = match shard {
            Some(shard) => format!("{}, shard {shard}", out.display()),
            None => out.display().to_string(),
        };
        let count = total.map(|rows| rows as usize);
        let mut counter = Counter::new(&title, "row", before as usize, count);
        let scorer = self.scorer()?;
        // An interrupted run loses at most 2 % of the work.
        let block_size = total.map_or(MAX_BLOCK, |rows| (rows as usize / 50).clamp(MIN_BLOCK, MAX_BLOCK));
        let has_header = progress.bytes == 0 && header.shard.number() == 1;
        let mut text = if has_header { encoder.header()? } else { Vec::new() };
        let mut from_zero = 0;
        let mut block = rows.block_before(range.end, block_size)?;
        while block.len() > 0 || !text.is_empty() {
            let (reader, input) = (rows.reader.clone(), rows.sha256());
            let work = Work { task: self, reader: &reader, encoder: &encoder, block: &block };
            let (next, labelled) = beside_reading(
                scorer.threads,
                || rows.block_before(range.end, block_size),
                || work.label(&scorer, &mut counter),
            );
            let Some(mut labelled) = labelled? else {
                let (done, total) =
                    (progress.rows, total.map_or(String::new(), |total| format!(" of {total}")));
                bail!(Interrupted(format!(
                    "interrupted after {done}{total} rows: the same command labels the rest"
                )));
            };
            text.append(&mut labelled.text);
            progress.rows += block.len() as u64;
            progress.bytes += text.len() as u64;
            progress.bad += labelled.bad;
            progress.input = input;
            from_zero += labelled.from_zero;
            part.append(&text, &progress)?;
            text.clear();
            block = next?;
        }
        drop(counter);
        let (input, found, wanted) = (rows.name(), rows.count, range.end);
        ensure!(
            total.is_none() || found == wanted,
            "{input}: the rows end after {found} of {wanted}: the file has changed during the run"
        );
        (header.results, header.bytes) = (Some(progress.rows), Some(progress.bytes));
        part.finish(&header, shard.is_some())?;
        if let Some(note) = scorer.inexact_table() {
            print(format_args!("note: {note}"))?;
        }
        let (new, seconds) = (progress.rows - before, start.elapsed().as_secs_f64());
        let Progress { rows: count, bad, .. } = progress;
        let zeros = if from_zero > 0 {
            format!("; {from_zero} of the new rows have a column 0: does the file count columns from 0?")
        } else {
            String::new()
        };
        print(format_args!(
            "{title}: {count} rows, {bad} of them malformed, {new} new in {seconds:.1} s{zeros}{}",
            rows.blank_lines()
        ))
    }

    /// Opens the input. A file is read to the end first, which counts and checks its rows.
    fn plan(&self) -> Result<Plan> {
        let LabelArguments { file, board, shard, moves, convention, prefix, skip_bad, positions, .. } =
            self.arguments;
        let rows = self.rows()?;
        let is_file = file != Path::new(STDIN) && file.is_file();
        ensure!(
            is_file || shard.is_none(),
            "--shard needs a file, because the rows of {} cannot be counted first",
            rows.name()
        );
        let (all, columns) = if is_file {
            let (count, columns) = self.survey()?;
            (Some(count), columns)
        } else {
            (None, rows.columns())
        };
        let shard = shard.unwrap_or(Shard::WHOLE);
        let range = all.map_or(0..u64::MAX, |all| shard.range(all));
        // These settings decide the bytes of the output. Defaults are null and left out. `rows` is null for standard
        // input and pipes.
        let mut settings = json!({
            "first_column": positions.first_column.filter(|&first| first != 1),
            "form": positions.form(),
            "as": if *convention == Convention::Plumb { None } else { Some(convention.to_string()) },
            "format": self.input.format,
            "delimiter": char::from(self.input.delimiter),
            "column": rows.reader.key,
            "out_format": self.output,
            "moves": moves,
            "prefix": prefix,
            "skip_bad": skip_bad,
            "rows": all,
            "columns": columns,
        });
        if let Some(settings) = settings.as_object_mut() {
            settings.retain(|name, value| name == "rows" || !value.is_null());
        }
        let header = Header::new("label").on_board(board).with_settings(&settings)?;
        let mut header = if is_file { header.with_inputs([file])? } else { header };
        header.shard = shard;
        let encoder = self.encoder(columns).with_context(|| rows.name().to_owned())?;
        Ok(Plan { rows, range, encoder, header })
    }

    fn rows(&self) -> Result<Rows> {
        let LabelArguments { file, board, columns, positions, .. } = self.arguments;
        Rows::open(file, self.input, columns.column.as_deref(), positions.reader(*board))
    }

    /// Counts the rows of a file, lists its columns, and refuses the first row that cannot be labelled.
    fn survey(&self) -> Result<(u64, Vec<String>)> {
        // No columns yet, because they are known only after all rows are read.
        let (mut rows, encoder) = (self.rows()?, self.encoder(Vec::new())?);
        let mut block = rows.block(MAX_BLOCK)?;
        while block.len() > 0 {
            let said = "interrupted while the rows were counted: the same command labels them";
            ensure!(!self.interrupt.is_requested(), Interrupted(said.to_owned()));
            let (reader, threads) = (rows.reader.clone(), self.threads());
            let work = Work { task: self, reader: &reader, encoder: &encoder, block: &block };
            let (next, parts) = beside_reading(
                threads,
                || rows.block(MAX_BLOCK),
                || in_parallel(threads, block.len(), |range| work.read(range)),
            );
            for part in parts {
                note_keys(&part?.keys, &mut rows.keys);
            }
            block = next?;
        }
        Ok((rows.count, rows.columns()))
    }

    /// Fails for a malformed row, unless `--skip-bad` is given.
    fn check(&self, position: Result<Position<Board>>) -> Result<Result<Position<Board>>> {
        if let Err(fault) = &position {
            ensure!(self.arguments.skip_bad, "{fault:#}");
            let is_unsure = has_column_zero(fault) && self.arguments.positions.first_column.is_none();
            ensure!(!is_unsure, "{fault:#}, else `--first-column 1` skips this row as well");
        }
        Ok(position)
    }

    fn threads(&self) -> NonZeroUsize {
        self.arguments.threads.unwrap_or_else(|| available_parallelism().unwrap_or(NonZeroUsize::MIN))
    }

    fn scorer(&self) -> Result<Scorer> {
        let LabelArguments { board, hash, no_book, convention, moves, .. } = *self.arguments;
        let book = if no_book { None } else { Book::embedded() };
        let mut scorer = Scorer::new(board, hash, self.threads(), book)?;
        (scorer.solves, scorer.moves) = (convention != Convention::Fen, convention.has_moves(moves));
        Ok(scorer)
    }

    fn encoder(&self, columns: Vec<String>) -> Result<Encoder> {
        let LabelArguments { board, ref prefix, convention, moves, .. } = *self.arguments;
        Encoder::new(LabelFormat { convention, board, format: self.output, moves }, columns, prefix)
    }
}

struct Plan {
    rows: Rows,
    /// Rows of the shard. The end is `u64::MAX` for standard input and pipes.
    range: Range<u64>,
    encoder: Encoder,
    header: Header,
}

#[derive(Default)]
struct ReadRows {
    /// Positions; `None` for malformed rows.
    positions: Vec<Option<Position<Board>>>,
    /// Number of malformed rows with a column 0.
    from_zero: u64,
    keys: Vec<String>,
}

struct LabelledBlock {
    text: Vec<u8>,
    bad: u64,
    from_zero: u64,
}

struct Work<'a> {
    task: &'a Task<'a>,
    reader: &'a RowReader,
    encoder: &'a Encoder,
    block: &'a Block,
}

impl Work<'_> {
    /// `None` after Ctrl-C.
    fn label(&self, scorer: &Scorer, counter: &mut Counter) -> Result<Option<LabelledBlock>> {
        let (threads, count) = (scorer.threads, self.block.len());
        let (mut positions, mut from_zero) = (Vec::with_capacity(count), 0);
        for read in in_parallel(threads, count, |range| self.read(range)) {
            let read = read?;
            positions.extend(read.positions);
            from_zero += read.from_zero;
        }
        let Some(labels) = scorer.label(&positions, self.task.interrupt, counter) else { return Ok(None) };
        let mut text = Vec::new();
        for encoded in in_parallel(threads, count, |range| self.encode(&labels, range)) {
            text.append(&mut encoded?);
        }
        let bad = (positions.len() - positions.iter().flatten().count()) as u64;
        Ok(Some(LabelledBlock { text, bad, from_zero }))
    }

    fn read(&self, range: Range<usize>) -> Result<ReadRows> {
        let (mut row, mut read) = (Row::default(), ReadRows::default());
        for record in range.map(|index| self.block.get(index)) {
            let position = self.reader.read(record, &mut row).and_then(|position| {
                self.encoder.check(&row, None)?;
                self.task.check(position)
            });
            let position = position.with_context(|| self.reader.place(record))?;
            read.from_zero += u64::from(position.as_ref().is_err_and(has_column_zero));
            read.positions.push(position.ok());
            if row.object.is_some() {
                note_keys(&row.columns, &mut read.keys);
            }
        }
        Ok(read)
    }

    fn encode(&self, labels: &[Option<Label>], range: Range<usize>) -> Result<Vec<u8>> {
        let (mut row, mut text) = (Row::default(), self.encoder.text());
        for index in range {
            let record = self.block.get(index);
            let _malformed = self.reader.read_fields(record, &mut row);
            let written = self.encoder.encode(&row, labels[index].as_ref(), &mut text);
            written.with_context(|| self.reader.place(record))?;
        }
        text.into_bytes()
    }
}
