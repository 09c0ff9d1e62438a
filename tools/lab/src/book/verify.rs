//! `plumb-lab book verify`: checks a book, and compares it with part files.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use plumb::board::Geometry;
use plumb::book::{Book, BookProbe};
use plumb::mix::Random;
use plumb::score::Score;
use plumb::search::Solver;
use plumb::table::Table;

use super::file;
use super::layer::{self, BookPosition, Scores, layer_before, may_keep, tallies};
use super::lines::{self, Columns, steps};
use super::part::{ReadPart, What};
use crate::exit::Failure;
use crate::measurement::cpu_time;
use crate::output::print;
use crate::progress::Counter;

/// Verify a book.
///
/// The checks are the checksum, the number of positions of each layer, and that each layer follows from the next layer.
/// No move may contradict the scores. The solver must find the same score for random positions of the last layer. The
/// results of each layer are counted like two published counts: of all positions and mirror images (John Tromp), and of
/// positions in which nobody can win immediately (UC Irvine repository). The exit code is 1 if a check fails, 2 if the file
/// is damaged.
///
/// `--against` compares every position of a part from `build`, and prints the first differences.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Book. [default: the embedded book]
    #[arg(value_name = "BOOK")]
    book: Option<PathBuf>,
    /// Number of random positions to solve.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    samples: u32,
    /// Seed of the random positions.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Table size in MB.
    #[arg(long, value_name = "MB", default_value = "64", value_parser = crate::arguments::megabytes)]
    hash: usize,
    /// Parts to compare with.
    #[arg(long, value_name = "FILE", num_args = 1)]
    against: Vec<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let book = file::open(arguments.book.as_deref())?;
    let mut parts = Vec::new();
    for path in &arguments.against {
        let part = ReadPart::read(path)?;
        let (name, size) = (path.display(), part.board.size());
        ensure!(
            book.geometry().size() == size,
            "`{name}` is about the {size} board, which the book is not for"
        );
        parts.push(part);
    }
    print(format_args!("checksum: right"))?;
    for part in &parts {
        compare_part(&book, part)?;
    }
    let last = check_layers(&book)?;
    for plies in book.layer_plies() {
        let [all, quiet] = tallies(&book, plies)?;
        print(format_args!("{plies} stones, all: {all}"))?;
        print(format_args!("{plies} stones, nobody can win at once, up to mirror images: {quiet}"))?;
    }
    check_samples(&book, last, arguments)?;
    check_lines(&book, last, arguments)
}

/// Checks that the layers are complete and can be derived from the last layer, and that no stored move contradicts a score.
/// Returns the number of stones of the last layer.
fn check_layers(book: &Book) -> Result<u32> {
    let mut plies = book.layer_plies().collect::<Vec<_>>();
    let last = plies.pop().context("a book has a layer")?;
    let of_last = entries(book, last)?;
    print(format_args!("{last} stones: {} positions, as many as there are", of_last.len()))?;
    let mut scores: Scores = of_last.iter().map(|(position, score)| (position.key(), *score)).collect();
    let (mut count, mut wrong) = (0, 0);
    for (position, score) in of_last {
        let Some(column) = book.best_move(&position) else { continue };
        count += 1;
        let keeps = position.play(column).is_some_and(|next| may_keep(&scores, &next, score));
        wrong += u32::from(!keeps);
    }
    let said = format!("{wrong} of {count} moves of {last} stones contradict the scores");
    ensure!(wrong == 0, Failure(said));
    if count > 0 {
        print(format_args!("{last} stones: {count} moves, contradicted by no score"))?;
    }
    for at in (plies.first().copied().unwrap_or(last)..last).rev() {
        scores = layer_before(book.geometry(), at, &scores)?;
        if plies.contains(&at) {
            let found = entries(book, at)?;
            let mut wrong = 0;
            for (position, score) in &found {
                wrong += u32::from(scores.get(&position.key()) != Some(score));
            }
            let said = format!("{wrong} scores of {at} stones do not follow from those of {last}");
            ensure!(wrong == 0, Failure(said));
            print(format_args!("{at} stones: {} positions, all follow", found.len()))?;
        }
    }
    Ok(last)
}

impl Arguments {
    fn draw<T: Copy>(
        &self,
        name: &str,
        stream: u32,
        all: &[T],
        mut check: impl FnMut(T) -> Result<()>,
    ) -> Result<u32> {
        let count = if all.is_empty() { 0 } else { self.samples };
        let mut random = Random::new(self.seed, stream);
        let mut counter = Counter::new(name, "position", 0, count as usize);
        for _ in 0..count {
            check(all[random.below(all.len() as u32) as usize])?;
            counter.advance();
        }
        Ok(count)
    }
}

fn check_samples(book: &Book, plies: u32, arguments: &Arguments) -> Result<()> {
    let entries = entries(book, plies)?;
    let mut table = Table::new_on(book.geometry(), arguments.hash)?;
    let (mut cpu, mut moves) = (Duration::ZERO, 0);
    let count = arguments.draw("samples", 0, &entries, |(position, score)| {
        let key = position.key();
        table.clear();
        let start = cpu_time();
        let found = Solver::new(&table).score(&position)?;
        let next = book.best_move(&position).and_then(|column| position.play(column));
        let kept = match &next {
            Some(next) => Some(-Solver::new(&table).score(next)?),
            None => None,
        };
        cpu += cpu_time().saturating_sub(start);
        let said = format!("the position of key {key:x} has score {found}, but {score} in the book");
        ensure!(found == score, Failure(said));
        moves += u32::from(kept.is_some());
        let is_kept = kept.is_none_or(|kept| kept == score);
        ensure!(is_kept, Failure(format!("the move of the book gives the score of key {key:x} away")));
        Ok(())
    })?;
    let mean = 1000.0 * cpu.as_secs_f64() / f64::from(count.max(1));
    let moves = if moves > 0 { format!(", and the moves of {moves}") } else { String::new() };
    print(format_args!(
        "{count} positions of {plies} stones solved, {mean:.2} ms of CPU each{moves}: all right"
    ))
}

fn check_lines(book: &Book, plies: u32, arguments: &Arguments) -> Result<()> {
    let Some(extension) = book.extension() else { return Ok(()) };
    let beginnings = lines::beginnings(book, extension.from, plies)?;
    let mut table = lines::table(book.geometry())?;
    let mut found = Vec::new();
    arguments.draw("lines", 1, &beginnings, |position| {
        found.push((position.key(), lines::line(book, &mut table, position)?));
        Ok(())
    })?;
    let (positions, from) = (extension.positions, extension.from);
    print(format_args!("lines of play from {from} stones: {positions} positions past {plies}"))?;
    print(format_args!("found again: {}", same_lines(book, plies, &found)?))
}

/// Maximum number of printed differences.
const SHOWN: usize = 10;

fn known(book: &Book, what: What, position: &BookPosition) -> Option<i32> {
    if what == What::Moves {
        return book.best_move(position).map(|column| column as i32);
    }
    BookProbe::new(book, position)?.score(position)
}

/// Compares the book with a part file, and prints the first differences.
fn compare_part(book: &Book, part: &ReadPart<'_>) -> Result<()> {
    let (name, plies, what) = (part.path.display(), part.plies, part.what);
    if let What::Lines(_) = what {
        return print(format_args!("{name}: {}", same_lines(book, plies, &part.content()?.0)?));
    }
    let (entries, _) = part.content::<i32>()?;
    let (mut count, mut shown) = (0, Vec::new());
    for &(key, value) in &entries {
        let position = layer::position(book.geometry(), key, plies);
        let of_book = position.as_ref().and_then(|position| known(book, what, position));
        if of_book == Some(value) {
            continue;
        }
        count += 1;
        if shown.len() < SHOWN {
            let position = position.map_or_else(|| format!("key {key:x}"), |position| position.fen());
            let of_book = of_book.map_or_else(|| "nothing".to_owned(), |value| value.to_string());
            shown.push(format!("{position}: {of_book} in the book, {value} in the file"));
        }
    }
    let total = entries.len();
    let equal = total - count;
    let moves = if what == What::Moves { "moves for " } else { "" };
    print(format_args!("{name}: {equal} of {total} {moves}positions of {plies} stones equal"))?;
    for line in shown {
        print(format_args!("{line}"))?;
    }
    let first = if count > SHOWN { format!(", of which the first {SHOWN} are shown") } else { String::new() };
    let differ = format!("the book and `{name}` differ in {count} positions{first}");
    ensure!(count == 0, Failure(differ));
    Ok(())
}

/// Compares lines from positions with `plies` stones. With another version of the search a line may be shorter, but
/// the common moves must be equal.
fn same_lines(book: &Book, plies: u32, lines: &[(u64, Columns)]) -> Result<String> {
    let (mut moves, mut shorter) = (0, 0);
    for (key, line) in lines {
        let Some((equal, is_shorter)) = equal_moves(book, plies, *key, line) else {
            bail!(Failure(format!("the book has another line than `{line}` from key {key:x}")));
        };
        moves += equal;
        shorter += u32::from(is_shorter);
    }
    let shorter =
        if shorter > 0 { format!("; {shorter} of them end sooner in the book") } else { String::new() };
    Ok(format!("{} lines from {plies} stones with {moves} moves equal{shorter}", lines.len()))
}

/// The number of moves of a line that the book plays, and whether the book's line is shorter. `None` if a move differs.
fn equal_moves(book: &Book, plies: u32, key: u64, line: &Columns) -> Option<(usize, bool)> {
    let position = layer::position(book.geometry(), key, plies)?;
    if book.best_move(&position) != line.0.first().copied() {
        return None;
    }
    let mut moves = 0;
    for (position, chosen) in steps(position, line)? {
        match book.extension_move(&position) {
            Some(column) if column == chosen => moves += 1,
            Some(_) => return None,
            None => return Some((moves, true)),
        }
    }
    Some((moves, false))
}

fn entries(book: &Book, plies: u32) -> Result<Vec<(BookPosition, Score)>> {
    let positions = layer::positions(book.geometry(), plies);
    let layer = book.layers().iter().find(|layer| layer.plies == plies);
    let count = layer.map_or(0, |layer| layer.positions as usize);
    let expected = positions.len();
    ensure!(
        count == expected,
        Failure(format!("the layer of {plies} stones has {count} positions, but there are {expected}"))
    );
    let mut entries = Vec::new();
    for position in positions {
        entries.push((position, book.stored_score(&position).context("the layer is complete")?));
    }
    Ok(entries)
}
