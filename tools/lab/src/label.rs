//! `plumb-lab label`: adds exact scores to files of positions.

pub(crate) mod comparison;
pub(crate) mod convention;
mod encoder;
mod input;
mod part;
mod records;
mod row;
mod rows;
pub(crate) mod scorer;
mod threads;

use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Error, Result, ensure};
use plumb::board::{Board, Position};
use plumb::book::Book;
use plumb_arena::interrupt::Interrupt;
use serde_json::json;

use crate::arguments::{PositionFlags, RunOrMerge};
use crate::exit::{self, Interrupted};
use crate::output::{check_overwrite, print};
use crate::progress::Counter;
use crate::result_files::{Header, Shard, take_lock};
use convention::{Convention, LabelFormat};
use encoder::Encoder;
use input::{Format, InputFormat, delimiter};
use part::{Part, Progress};
use records::{Block, Record};
use row::{Row, has_column_zero};
use rows::{RowReader, Rows, STDIN, note_keys};
use scorer::{Label, Scorer};
use threads::{beside_reading, in_parallel};

/// Label files of positions with exact scores.
///
/// FILE is CSV with a header (`.csv`, `.tsv`), JSON Lines (`.jsonl`) or plain text (`.txt`; a position on each line). The
/// positions are in the only column or key, or else in that which is called `position`, `moves`, `pos`, `fen` or `board`, or
/// by `--column`; or columns `a1` to `g6` have the cells of a board. A position is a list of moves, as `4455`,
/// `4 4 5 5`, `ddee` or `d1 d2 e1 e2`, a FEN, or a symbol for each cell; empty, it is the empty board. On a board of more than
/// 9 columns, column numbers need blanks between them. Blank lines are left out and counted.
/// In plain text, lines that begin with # are left out.
///
/// The output has the same rows in the same order, with all their fields and `score`, `outcome` (win, draw or loss) and
/// `distance` (plies to the end under perfect play), all for the side to move; with `--moves` also the scores of the
/// moves, and the columns `best` of those that keep the score. A score of 1 is a win with the last stone of that side,
/// 2 with the one before; negative is a loss. A game that is over is labelled with distance 0.
///
/// A block of rows is written as soon as it is solved, to a file beside the output with `.part` after its name, which is
/// renamed when complete; the same command resumes an interrupted run. The bytes depend on neither threads nor table, as long
/// as the table tells all positions of the board apart; else a note says so. The shards of a file, one after the other, are
/// the output of the whole: of CSV only the first has the header. `label merge` puts them together.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    command: RunOrMerge<LabelArguments, part::MergeArguments>,
    #[command(flatten)]
    columns: ColumnFlags,
    #[command(flatten)]
    positions: PositionFlags,
}

/// How a file of columns or keys is read.
#[derive(clap::Args)]
pub(crate) struct ColumnFlags {
    /// The column of CSV, or key of JSON, with the positions.
    #[arg(long, visible_alias = "key", value_name = "NAME")]
    pub column: Option<String>,
    /// Delimiter of the CSV fields: a punctuation mark, or `tab`. [default: `,`, for .tsv `tab`]
    #[arg(long, value_name = "CHARACTER", value_parser = delimiter)]
    pub delimiter: Option<u8>,
}

/// The arguments of a run.
#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
struct LabelArguments {
    /// The file of positions; - is standard input, which is read once, as is a pipe.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Format of FILE. [default: by its extension]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// The board of the positions: columns by rows, 4x4 up to what 128 bits hold.
    #[arg(long, value_name = "WxH", default_value = "7x6")]
    board: Board,
    /// The output, `.csv` or `.jsonl`.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Overwrite the output if it is there.
    #[arg(long)]
    force: bool,
    /// Add the scores of all moves.
    #[arg(long)]
    moves: bool,
    /// Give the labels the names and values that files of this kind have.
    #[arg(long = "as", value_enum, value_name = "KIND", default_value = "plumb", hide_default_value = true)]
    convention: Convention,
    /// Begin the names of the labels with this text.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    prefix: String,
    /// Give malformed rows empty labels instead of ending.
    #[arg(long)]
    skip_bad: bool,
    /// The shard to label, as I/N: a run of neighbouring rows.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Threads, which solve different positions with one table. [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Table size in MB.
    #[arg(long, value_name = "MB", default_value_t = 256)]
    hash: usize,
    /// Do without the embedded book, which is one of 7x6.
    #[arg(long)]
    no_book: bool,
    /// Rows that are solved together and written at once.
    #[arg(long, value_name = "N", default_value = "16384")]
    block: NonZeroUsize,
}

/// Labels the rows that are not labelled yet, or merges shards.
///
/// # Errors
/// If the input cannot be read or has a malformed row, the output is there already or is another run's, or there is no
/// memory for the table; [`Interrupted`] after Ctrl-C; those of a merge.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    arguments.command.act(|labelled| Task::new(labelled, arguments)?.run(), part::merge)
}

/// The task of a run.
struct Task<'a> {
    arguments: &'a LabelArguments,
    columns: &'a ColumnFlags,
    positions: PositionFlags,
    input: InputFormat,
    output: Format,
    interrupt: &'static Interrupt,
}

impl<'a> Task<'a> {
    /// The task of these arguments; refuses `--moves` and `--mover` where they have no meaning.
    fn new(arguments: &'a LabelArguments, general: &'a Arguments) -> Result<Self> {
        let LabelArguments { file, out, format, convention, .. } = arguments;
        let Arguments { ref columns, positions, .. } = *general;
        ensure!(
            !arguments.moves || *convention == Convention::Plumb,
            "--moves: `--as {convention}` says which moves have scores"
        );
        convention.check(positions.mover)?;
        let input = InputFormat::new(file, *format, columns.delimiter)?;
        let output = Format::of(out).filter(|&output| output != Format::Text);
        let output = output
            .with_context(|| format!("`{}`: expected the output to end in .csv or .jsonl", out.display()))?;
        Ok(Self { arguments, columns, positions, input, output, interrupt: exit::interrupt()? })
    }

    /// Labels the rows that are not labelled yet.
    fn run(&self) -> Result<()> {
        let LabelArguments { out, shard, force, .. } = self.arguments;
        let (start, name) = (Instant::now(), out.display());
        let lock = take_lock(out, "--out")?;
        check_overwrite([out], *force)?;
        let (mut rows, range, encoder, mut header) = self.plan()?;
        let total = (range.end < u64::MAX).then(|| range.end - range.start);
        let (mut part, mut progress) = Part::open(out, &header, lock, &mut rows, range.start)?;
        let before = progress.rows;
        let title = shard.map_or(name.to_string(), |shard| format!("{name}, shard {shard}"));
        let count = total.map(|rows| rows as usize);
        let mut counter = Counter::new(&title, "row", before as usize, count);
        let scorer = self.scorer()?;
        let has_header = progress.bytes == 0 && header.shard.number() == 1;
        let mut text = if has_header { encoder.header()? } else { Vec::new() };
        let mut from_zero = 0;
        let mut block = self.block(&mut rows, range.end)?;
        while block.len() > 0 || !text.is_empty() {
            let (reader, input) = (rows.reader.clone(), rows.sha256());
            let label = || {
                let labelled = self.label(&reader, &block, &scorer, &encoder, &mut counter)?;
                let Some(mut labelled) = labelled else { return Err(interrupted(progress.rows, total)) };
                text.append(&mut labelled.text);
                progress.rows += block.len() as u64;
                progress.bytes += text.len() as u64;
                progress.bad += labelled.bad;
                progress.input = input;
                from_zero += labelled.from_zero;
                part.append(&text, &progress)?;
                text.clear();
                Ok(())
            };
            let (next, labelled) = beside_reading(scorer.threads, || self.block(&mut rows, range.end), label);
            labelled?;
            block = next?;
        }
        drop(counter);
        let (input, found, wanted) = (rows.name(), rows.count, range.end);
        ensure!(
            total.is_none() || found == wanted,
            "{input}: the rows end after {found} of {wanted}: the file was changed meanwhile"
        );
        (header.results, header.bytes) = (Some(progress.rows), Some(progress.bytes));
        part.finish(&header, shard.is_some())?;
        let (new, seconds) = (progress.rows - before, start.elapsed().as_secs_f64());
        let (Progress { rows: count, bad, .. }, blank) = (progress, rows.blank_lines());
        let from_zero = match from_zero {
            0 => String::new(),
            some => {
                format!("; {some} of the new ones have a column 0, as in a file that counts columns from 0")
            }
        };
        scorer.inexact_table().map_or(Ok(()), |note| print(format_args!("note: {note}")))?;
        print(format_args!(
            "{title}: {count} rows, {bad} of them malformed, {new} new in {seconds:.1} s{from_zero}{blank}"
        ))
    }

    /// The input, the range of the rows of the shard, which has no end for standard input and pipes, as they can be read only
    /// once, and what decides the output. Of a file all rows are read, counted and checked before anything is solved.
    fn plan(&self) -> Result<(Rows, Range<u64>, Encoder, Header)> {
        let LabelArguments { file, board, shard, moves, convention, prefix, skip_bad, .. } = self.arguments;
        let rows = self.rows()?;
        let is_file = file != Path::new(STDIN) && file.is_file();
        ensure!(
            is_file || shard.is_none(),
            "`--shard` needs a file, as the rows of {} cannot be counted first",
            rows.name()
        );
        let (all, columns) = is_file.then(|| self.survey()).transpose()?.unzip();
        let columns = columns.unwrap_or_else(|| rows.columns());
        let shard = shard.unwrap_or(Shard::WHOLE);
        let range = all.map_or(0..u64::MAX, |all| shard.range(all));
        // All on which the bytes of the output depend. A setting that is null is the default and left out; only `rows` stays: its
        // null means standard input or a pipe.
        let mut settings = json!({
            "first_column": self.positions.first_column.filter(|&first| first != 1),
            "form": self.positions.form(),
            "as": Some(convention.to_string()).filter(|_| *convention != Convention::Plumb),
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
        let mut header = header.with_inputs(is_file.then_some(file))?;
        header.shard = shard;
        let encoder = self.encoder(columns).with_context(|| rows.name().to_owned())?;
        Ok((rows, range, encoder, header))
    }

    /// The rows of the input from the first on.
    fn rows(&self) -> Result<Rows> {
        let LabelArguments { file, board, .. } = self.arguments;
        Rows::open(file, self.input, self.columns.column.as_deref(), self.positions.reader(*board))
    }

    /// The next rows before row `end`, up to a block.
    fn block(&self, rows: &mut Rows, end: u64) -> Result<Block> {
        rows.block((end - rows.count).min(self.arguments.block.get() as u64) as usize)
    }

    /// Labels a block. `None` if that was interrupted.
    fn label(
        &self,
        reader: &RowReader,
        block: &Block,
        scorer: &Scorer,
        encoder: &Encoder,
        counter: &mut Counter,
    ) -> Result<Option<LabelledBlock>> {
        let threads = scorer.threads;
        let (mut positions, mut from_zero) = (Vec::with_capacity(block.len()), 0);
        for read in in_parallel(threads, block.len(), |range| self.read(reader, block, range)) {
            let (of_range, zeros) = read?;
            positions.extend(of_range);
            from_zero += zeros;
        }
        let Some(labels) = scorer.label(&positions, self.interrupt, counter) else { return Ok(None) };
        let mut text = Vec::new();
        for encoded in
            in_parallel(threads, block.len(), |range| encode(reader, encoder, block, &labels, range))
        {
            text.append(&mut encoded?);
        }
        let bad = positions.iter().filter(|position| position.is_none()).count() as u64;
        Ok(Some(LabelledBlock { text, bad, from_zero }))
    }

    /// Reads the positions of some rows of a block; returns them with the number of rows that have a column 0.
    fn read(
        &self,
        reader: &RowReader,
        block: &Block,
        range: Range<usize>,
    ) -> Result<(Vec<Option<Position<Board>>>, u64)> {
        let (mut row, mut positions) = (Row::default(), Vec::with_capacity(range.len()));
        let mut from_zero = 0;
        for record in range.map(|index| block.get(index)) {
            let position = reader.read(record, &mut row).and_then(|position| self.check(position));
            let position = position.with_context(|| at_line(reader, record))?;
            from_zero += u64::from(position.as_ref().is_err_and(has_column_zero));
            positions.push(position.ok());
        }
        Ok((positions, from_zero))
    }

    /// Reads the file once: counts its rows, lists its columns, and finds the first row that cannot be labelled.
    fn survey(&self) -> Result<(u64, Vec<String>)> {
        // The columns are known only after this pass.
        let (mut rows, encoder) = (self.rows()?, self.encoder(Vec::new())?);
        let mut block = self.block(&mut rows, u64::MAX)?;
        while block.len() > 0 {
            if self.interrupt.is_requested() {
                let said = "interrupted while the rows were counted: the same command labels them";
                return Err(Interrupted(said.to_owned()).into());
            }
            let reader = rows.reader.clone();
            let threads = self.threads();
            let (next, checked) = beside_reading(
                threads,
                || self.block(&mut rows, u64::MAX),
                || {
                    in_parallel(threads, block.len(), |range| {
                        self.check_rows(&reader, &encoder, &block, range)
                    })
                },
            );
            for keys in checked {
                note_keys(&keys?, &mut rows.keys);
            }
            block = next?;
        }
        Ok((rows.count, rows.columns()))
    }

    /// Checks some rows of a block; returns the keys of JSON.
    fn check_rows(
        &self,
        reader: &RowReader,
        encoder: &Encoder,
        block: &Block,
        range: Range<usize>,
    ) -> Result<Vec<String>> {
        let (mut row, mut keys) = (Row::default(), Vec::new());
        for record in range.map(|index| block.get(index)) {
            let position = reader.read(record, &mut row);
            let checked = position.and_then(|position| {
                encoder.check(&row, None)?;
                self.check(position)
            });
            checked.map(drop).with_context(|| at_line(reader, record))?;
            if row.object.is_some() {
                note_keys(&row.columns, &mut keys);
            }
        }
        Ok(keys)
    }

    /// Fails if a row has no position, unless it may be skipped.
    fn check(&self, position: Result<Position<Board>>) -> Result<Result<Position<Board>>> {
        if let Err(fault) = &position {
            ensure!(self.arguments.skip_bad, "{fault}");
            let is_unsure = has_column_zero(fault) && self.positions.first_column.is_none();
            ensure!(!is_unsure, "{fault}, else `--first-column 1` skips this row as well");
        }
        Ok(position)
    }

    fn threads(&self) -> NonZeroUsize {
        let available = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.arguments.threads.unwrap_or_else(available)
    }

    /// The scorer of positions, or of nothing for labels that need no scores.
    fn scorer(&self) -> Result<Scorer> {
        let LabelArguments { board, hash, no_book, convention, moves, .. } = *self.arguments;
        let book = if no_book { None } else { Book::embedded() };
        let mut scorer = Scorer::new(board, hash, self.threads(), book)?;
        (scorer.solves, scorer.moves) = (convention != Convention::Fen, convention.has_moves(moves));
        Ok(scorer)
    }

    /// The encoder of rows with these columns.
    fn encoder(&self, columns: Vec<String>) -> Result<Encoder> {
        let LabelArguments { board, ref prefix, convention, moves, .. } = *self.arguments;
        Encoder::new(LabelFormat { convention, board, format: self.output, moves }, columns, prefix)
    }
}

/// A block with its labels.
struct LabelledBlock {
    text: Vec<u8>,
    /// Malformed rows.
    bad: u64,
    /// Rows with a column 0.
    from_zero: u64,
}

/// Writes some rows of a block with their labels.
fn encode(
    reader: &RowReader,
    encoder: &Encoder,
    block: &Block,
    labels: &[Option<Label>],
    range: Range<usize>,
) -> Result<Vec<u8>> {
    let (mut row, mut values, mut text) = (Row::default(), Vec::new(), encoder.text());
    for index in range {
        let record = block.get(index);
        // The fault of a malformed row is known already.
        let _known = reader.read_fields(record, &mut row);
        let written = encoder.encode(&row, labels[index].as_ref(), &mut values, &mut text);
        written.with_context(|| at_line(reader, record))?;
    }
    text.into_bytes()
}

/// The place of a record in words.
fn at_line(reader: &RowReader, record: Record<'_>) -> String {
    format!("{}:{}", reader.name, record.line)
}

/// The error after Ctrl-C.
fn interrupted(done: u64, total: Option<u64>) -> Error {
    let total = total.map(|total| format!(" of {total}")).unwrap_or_default();
    Interrupted(format!("interrupted after {done}{total} rows: the same command labels the rest")).into()
}
