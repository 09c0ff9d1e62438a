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

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Error, Result, bail, ensure};
use plumb::board::Board;
use plumb::book::AnyBook;
use plumb_arena::interrupt::Interrupt;

use crate::arguments::{PositionFlags, RunOrMerge};
use crate::exit::{self, Interrupted};
use crate::output::print;
use crate::progress::Counter;
use crate::results::{Header, Lock, Shard};
use convention::Convention;
use encoder::Encoder;
use input::{Format, InputFormat, delimiter};
use part::{Part, Progress, Settings};
use row::{Fault, Row};
use rows::{Rows, STDIN, Survey, survey};
use scorer::{Label, Scorer};

/// Label files of positions with exact scores.
///
/// FILE is CSV with a header (`.csv`, `.tsv`), JSON Lines (`.jsonl`) or plain text (`.txt`; a position on each line). The
/// positions are in the only column or key, or else in that which is called `position`, `moves`, `pos`, `fen` or `board`, or
/// by `--column`; or columns `a1` to `g6` have the cells of a board. A position is a list of moves, as `4455`,
/// `4 4 5 5`, `ddee` or `d1 d2 e1 e2`, a FEN, or a symbol for each cell; empty, it is the empty board. On a board of more than
/// 9 columns, column numbers need blanks between them. Blank lines are left out, in plain text also lines that begin with #.
///
/// The output has the same rows in the same order, with all their fields and `score`, `outcome` (win, draw or loss) and
/// `distance` (plies to the end under perfect play), all for the side to move; with `--moves` also the scores of the
/// moves, and the columns `best` of those that keep the score. A score of 1 is a win with the last stone of that side,
/// 2 with the one before; negative is a loss. A game that is over is labelled with distance 0.
///
/// A block of rows is written as soon as it is solved, to `FILE.part`, which is renamed when complete; the same command
/// resumes an interrupted run. The bytes depend on neither threads nor table. The shards of a file, one after the
/// other, are the output of the whole: of CSV only the first has the header. `label merge` puts them together.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    command: RunOrMerge<LabelArguments, part::MergeArguments>,
    #[command(flatten)]
    positions: PositionFlags,
}

/// The arguments of a run.
#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
struct LabelArguments {
    /// The file of positions; - is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Format of FILE. [default: by its extension]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// The column of CSV, or key of JSON, with the positions.
    #[arg(long, visible_alias = "key", value_name = "NAME")]
    column: Option<String>,
    /// What stands between two fields of CSV: one character, or `tab`. [default: , but tab for .tsv]
    #[arg(long, value_name = "CHARACTER", value_parser = delimiter)]
    delimiter: Option<u8>,
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
    arguments.command.act(|labelled| label_file(labelled, arguments.positions), part::merge)
}

/// Labels the rows that are not labelled yet.
fn label_file(arguments: &LabelArguments, positions: PositionFlags) -> Result<()> {
    let LabelArguments { out, .. } = arguments;
    let shard = arguments.shard.unwrap_or(Shard::WHOLE);
    let start = Instant::now();
    let (form, out_format) = formats(arguments)?;
    let (name, is_whole) = (out.display(), arguments.shard.is_none());
    let lock = Lock::take(out, "--out")?;
    ensure!(arguments.force || !out.exists(), "`{name}` is there already; `--force` overwrites it");
    let interrupt = exit::watch(|| ())?;
    let board = arguments.board;
    let reader = positions.reader(board);
    let mut rows = Rows::open(&arguments.file, form, arguments.column.as_deref(), reader)?;
    let is_file = arguments.file != Path::new(STDIN);
    ensure!(
        is_file || is_whole,
        "`--shard` needs a file, as the rows of standard input cannot be counted first"
    );
    let survey =
        if is_file { Some(check_all(arguments, positions, form, out_format, interrupt)?) } else { None };
    let (total, columns) = match survey {
        Some(Survey { rows, columns }) => (Some(rows), columns),
        None => (None, rows.columns()),
    };
    let range = total.map_or(0..u64::MAX, |total| shard.range(total));
    let settings = Settings {
        first_column: Some(reader.first_column).filter(|&first| first != 1),
        form: positions.form(),
        format: form.format,
        delimiter: form.delimiter.into(),
        column: rows.key().to_owned(),
        out_format,
        moves: arguments.moves,
        convention: Some(arguments.convention.name()).filter(|_| arguments.convention != Convention::Plumb),
        prefix: arguments.prefix.clone(),
        skip_bad: arguments.skip_bad,
        rows: total,
        columns: columns.clone(),
    };
    let mut header = Header::new("label").on_board(arguments.board).with_settings(&settings)?;
    header = header.with_inputs(is_file.then_some(&arguments.file))?;
    header.shard = shard;
    let encoder = encoder(arguments, out_format, columns);
    encoder.check_columns().with_context(|| rows.name().to_owned())?;
    let (mut part, found) = Part::open(out, &header, lock)?;
    let is_new = found.is_none();
    let mut progress = found.unwrap_or_default();
    rows.skip(range.start + progress.rows)?;
    ensure!(
        is_new || rows.sha256() == progress.input,
        "{}: the rows are not those that `{}` was made of; remove it to begin anew",
        rows.name(),
        part.path().display()
    );
    part.resume(&progress)?;
    let before = progress.rows;
    let title = if is_whole { name.to_string() } else { format!("{name}, shard {shard}") };
    let total = total.map(|_| range.end - range.start);
    let mut counter = Counter::resumed_of(&title, before as usize, total.map(|rows| rows as usize)).of("row");
    let scorer = scorer(arguments)?;
    let mut text = if is_new && shard.is_first() { encoder.header()? } else { Vec::new() };
    let mut from_zero = 0;
    loop {
        let left = range.end - rows.count();
        let block = rows.block(left.min(arguments.block.get() as u64) as usize)?;
        if block.is_empty() && text.is_empty() {
            break;
        }
        let done = |count| counter.advance_by(count, String::new);
        let Some(labels) = label(arguments, positions, &scorer, rows.name(), &block, interrupt, done)? else {
            drop(counter);
            return Err(interrupted(progress.rows, total));
        };
        for ((line, row), label) in block.iter().zip(&labels) {
            let written = encoder.encode(row, label.as_ref());
            text.append(&mut written.with_context(|| format!("{}:{line}", rows.name()))?);
            progress.bad += u64::from(label.is_none());
            from_zero += u64::from(row.position.as_ref().is_err_and(Fault::counts_from_one));
        }
        progress.rows += block.len() as u64;
        progress.bytes += text.len() as u64;
        progress.input = rows.sha256();
        part.append(&text, &progress)?;
        text.clear();
    }
    drop(counter);
    let blank = rows.blank_lines();
    header = header.of_shard(shard, progress.rows as usize);
    header.bytes = Some(progress.bytes);
    part.finish(&header)?;
    let (new, seconds) = (progress.rows - before, start.elapsed().as_secs_f64());
    let Progress { rows, bad, .. } = progress;
    let from_zero = match from_zero {
        0 => String::new(),
        some => format!("; {some} of the new ones have a column 0, as in a file that counts columns from 0"),
    };
    print(format_args!(
        "{title}: {rows} rows, {bad} of them malformed, {new} new in {seconds:.1} s{from_zero}{blank}"
    ))
}

/// The scorer of positions, or of nothing for labels that need no scores.
fn scorer(arguments: &LabelArguments) -> Result<Scorer> {
    let LabelArguments { board, hash, threads, no_book, .. } = *arguments;
    let threads = threads.or_else(|| thread::available_parallelism().ok());
    let threads = threads.unwrap_or(NonZeroUsize::MIN);
    let moves = arguments.convention.has_moves(arguments.moves);
    let book = if no_book { None } else { AnyBook::embedded() };
    let mut scorer = Scorer::new(board, hash, threads, book, moves)?;
    scorer.solves = arguments.convention != Convention::Fen;
    Ok(scorer)
}

/// The encoder of rows with these columns.
fn encoder(arguments: &LabelArguments, out_format: Format, columns: Vec<String>) -> Encoder {
    let LabelArguments { board, ref prefix, convention, moves, .. } = *arguments;
    Encoder::new(out_format, board, columns, prefix, convention, moves)
}

/// The labels of a block of rows; none of a malformed one. `None` after an interrupt; `done` is told of how many rows are
/// done.
fn label(
    arguments: &LabelArguments,
    positions: PositionFlags,
    scorer: &Scorer,
    name: &str,
    block: &[(u64, Row)],
    interrupt: &Interrupt,
    mut done: impl FnMut(usize) + Send,
) -> Result<Option<Vec<Option<Label>>>> {
    block.iter().try_for_each(|(line, row)| check(arguments, positions, name, *line, row))?;
    if interrupt.is_requested() {
        return Ok(None);
    }
    let positions: Vec<_> = block.iter().filter_map(|(_, row)| row.position.as_ref().ok().copied()).collect();
    let Some(labels) = scorer.label(&positions, interrupt, &mut done) else { return Ok(None) };
    done(block.len() - positions.len());
    let mut labels = labels.into_iter();
    let of_row = |(_, row): &(u64, Row)| row.position.as_ref().ok().and_then(|_| labels.next());
    Ok(Some(block.iter().map(of_row).collect()))
}

/// The formats of input and output; refuses `--moves` where it has no meaning.
fn formats(arguments: &LabelArguments) -> Result<(InputFormat, Format)> {
    let LabelArguments { file, out, format, delimiter, .. } = arguments;
    ensure!(
        !arguments.moves || arguments.convention == Convention::Plumb,
        "--moves: `--as {}` says which moves have scores",
        arguments.convention.name()
    );
    let form = InputFormat::new(file, *format, *delimiter)?;
    match Format::of(out) {
        Some(out_format @ (Format::Csv | Format::Jsonl)) => Ok((form, out_format)),
        _ => bail!("`{}`: expected the output to end in .csv or .jsonl", out.display()),
    }
}

/// Reads the file once before anything is solved: counts its rows, and finds the first one that cannot be labelled.
fn check_all(
    arguments: &LabelArguments,
    positions: PositionFlags,
    form: InputFormat,
    out_format: Format,
    interrupt: &Interrupt,
) -> Result<Survey> {
    let board = arguments.board;
    let reader = positions.reader(board);
    let rows = Rows::open(&arguments.file, form, arguments.column.as_deref(), reader)?;
    let name = rows.name().to_owned();
    let of_cells = encoder(arguments, out_format, Vec::new());
    survey(rows, |line, row| {
        if interrupt.is_requested() {
            return Err(interrupted(0, None));
        }
        // A row of JSON has the columns of CSV that the survey finds.
        let columns: Vec<_> = row.keys().map(str::to_owned).collect();
        let of_json = (!columns.is_empty()).then(|| encoder(arguments, out_format, columns));
        of_json.as_ref().unwrap_or(&of_cells).check(row).with_context(|| format!("{name}:{line}"))?;
        check(arguments, positions, &name, line, row)
    })
}

/// Fails if a row has no position, unless it may be skipped.
fn check(
    arguments: &LabelArguments,
    positions: PositionFlags,
    name: &str,
    line: u64,
    row: &Row,
) -> Result<()> {
    let Err(fault) = &row.position else { return Ok(()) };
    if !arguments.skip_bad {
        bail!("{name}:{line}: {fault}");
    }
    let is_unsure = fault.counts_from_one() && positions.first_column.is_none();
    ensure!(!is_unsure, "{name}:{line}: {fault}, else `--first-column 1` skips this row as well");
    Ok(())
}

fn interrupted(done: u64, total: Option<u64>) -> Error {
    let total = total.map(|total| format!(" of {total}")).unwrap_or_default();
    Interrupted(format!("interrupted after {done}{total} rows: the same command labels the rest")).into()
}
