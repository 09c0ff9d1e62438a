//! `plumb-lab book verify`: checks a book, and compares it with parts and with books of other solvers.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use plumb::board::{Geometry, Position};
use plumb::book::{Book, BookProbe};
use plumb::score::Score;
use plumb::search::Solver;
use plumb::table::Table;
use plumb_arena::random::Random;

use super::file;
use super::layer::{self, BookPosition, Scores, layer_before, may_keep, tallies};
use super::lines::{self, Columns, steps};
use super::part::{Heading, ReadPart, What};
use crate::cpu_time;
use crate::exit::Failure;
use crate::output::print;
use crate::progress::Counter;

/// Verify a book.
///
/// Checked are its checksum; the number of positions of each layer; that the scores of each layer follow from those
/// of the last, and no move contradicts them; and that random positions of the last layer have the score that the
/// solver finds with an empty table, which the book's moves for them keep. The results are counted for each layer, in
/// the two ways in which such counts are published. The exit code is 1 if a check fails, 2 if the file is damaged.
///
/// With `--against`, every position of a part from `build` is compared as well, and the first that differ are shown.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The book. [default: the embedded book]
    #[arg(value_name = "BOOK")]
    book: Option<PathBuf>,
    /// Number of random positions to solve.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    samples: u32,
    /// Seed of the random positions.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Table size in MB.
    #[arg(long, value_name = "MB", default_value_t = 64)]
    hash: usize,
    /// Parts to compare with.
    #[arg(long, value_name = "FILE", num_args = 1)]
    against: Vec<PathBuf>,
}

/// Verifies the book and prints each check.
///
/// # Errors
/// If a file cannot be read or there is no memory for the table; [`Failure`] if a check fails.
pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let book = file::open(arguments.book.as_deref())?;
    // Read first, so that a wrong file fails before the work.
    let comparisons = arguments.against.iter().map(|path| comparison(&book, path));
    let comparisons = comparisons.collect::<Result<Vec<_>>>()?;
    print(format_args!("checksum: right"))?;
    comparisons.into_iter().try_for_each(|compare| compare())?;
    let last = check_layers(&book)?;
    for plies in book.layer_plies() {
        let [all, quiet] = tallies(&book, plies)?;
        print(format_args!("{plies} stones, all: {all}"))?;
        print(format_args!("{plies} stones, nobody can win at once, up to mirror images: {quiet}"))?;
    }
    check_samples(&book, last, arguments)?;
    check_lines(&book, last, arguments)
}

/// Checks that the layers are complete, that no move contradicts the scores, and that the layers follow from the last, whose
/// number of stones is returned.
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
            let follows = |(position, score): &(BookPosition, _)| scores.get(&position.key()) == Some(score);
            let wrong = found.iter().filter(|entry| !follows(entry)).count();
            let said = format!("{wrong} scores of {at} stones do not follow from those of {last}");
            ensure!(wrong == 0, Failure(said));
            print(format_args!("{at} stones: {} positions, all follow", found.len()))?;
        }
    }
    Ok(last)
}

impl Arguments {
    /// Checks so many of these at random, if there are any; returns how many.
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

/// Solves positions of the last layer, each from an empty table.
fn check_samples(book: &Book, plies: u32, arguments: &Arguments) -> Result<()> {
    let entries = entries(book, plies)?;
    let mut table = Table::new_on(book.geometry(), arguments.hash)?;
    let (mut cpu, mut moves) = (Duration::ZERO, 0);
    let count = arguments.draw("samples", 0, &entries, |(position, score)| {
        let key = position.key();
        table.clear();
        let start = cpu_time::now();
        let score_of = |position: &_| Solver::new(&table).score(position);
        let found = score_of(&position)?;
        let best = book.best_move(&position);
        let kept = best.map(|column| Some(-score_of(&position.play(column)?).ok()?));
        cpu += cpu_time::now().saturating_sub(start);
        let said = format!("the position of key {key:x} has score {found}, but {score} in the book");
        ensure!(found == score, Failure(said));
        moves += u32::from(kept.is_some());
        let is_kept = kept.is_none_or(|kept| kept == Some(score));
        ensure!(is_kept, Failure(format!("the move of the book gives the score of key {key:x} away")));
        Ok(())
    })?;
    let mean = 1000.0 * cpu.as_secs_f64() / f64::from(count.max(1));
    let moves = if moves > 0 { format!(", and the moves of {moves}") } else { String::new() };
    print(format_args!(
        "{count} positions of {plies} stones solved, {mean:.2} ms of CPU each{moves}: all right"
    ))
}

/// Finds some of the lines anew.
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
    print(format_args!("found anew: {}", same_lines(book, plies, &found)?))
}

/// A comparison, which prints how much is equal.
type Comparison<'a> = Box<dyn FnOnce() -> Result<()> + 'a>;

/// Reads the part at `path` for a comparison with `book`.
fn comparison<'a>(book: &'a Book, path: &Path) -> Result<Comparison<'a>> {
    let name = path.display().to_string();
    let part = ReadPart::read(path)?;
    let heading = part.heading;
    let size = heading.board.size();
    ensure!(book.geometry().size() == size, "`{name}` is about the {size} board, which the book is not for");
    if let What::Lines(_) = heading.what {
        let lines: Vec<(u64, Columns)> = part.content()?.0;
        let same_lines = move || same_lines(book, heading.plies, &lines);
        return Ok(Box::new(move || print(format_args!("{name}: {}", same_lines()?))));
    }
    let entries: Vec<(u64, i32)> = part.content()?.0;
    Ok(Box::new(move || compare_part(book, &name, &heading, &entries)))
}

/// Compares every position of a part.
fn compare_part(book: &Book, name: &str, heading: &Heading, entries: &[(u64, i32)]) -> Result<()> {
    let plies = heading.plies;
    let known = |position: &BookPosition| {
        if heading.what == What::Moves {
            return book.best_move(position).map(|column| column as i32);
        }
        BookProbe::new(book, position)?.score(position)
    };
    let mut differences = Differences::default();
    for &(key, value) in entries {
        let position = layer::position(book.geometry(), key, plies);
        let of_book = position.as_ref().and_then(known);
        if of_book != Some(value) {
            differences.add(key, position.as_ref(), of_book, &value.to_string());
        }
    }
    let total = entries.len();
    let equal = total - differences.count;
    let what = if heading.what == What::Moves { "moves for " } else { "" };
    print(format_args!("{name}: {equal} of {total} {what}positions of {plies} stones equal"))?;
    differences.conclude(name)
}

/// Compares lines that begin in positions of `plies` stones, and tells of it. Where one ends may depend on how good the
/// search is, the moves do not.
fn same_lines(book: &Book, plies: u32, lines: &[(u64, Columns)]) -> Result<String> {
    let (mut moves, mut shorter) = (0, 0);
    for (key, line) in lines {
        let differs = || Failure(format!("the book has another line than `{line}` from key {key:x}"));
        let position = layer::position(book.geometry(), *key, plies).with_context(differs)?;
        let first = line.0.first().copied();
        let steps =
            steps(position, line).filter(|_| book.best_move(&position) == first).with_context(differs)?;
        for (position, chosen) in steps {
            match book.extension_move(&position) {
                Some(column) if column == chosen => moves += 1,
                Some(_) => bail!(differs()),
                None => {
                    shorter += 1;
                    break;
                }
            }
        }
    }
    let shorter =
        if shorter > 0 { format!("; {shorter} of them end sooner in the book") } else { String::new() };
    Ok(format!("{} lines from {plies} stones with {moves} moves equal{shorter}", lines.len()))
}

/// All positions of a layer, with the scores that the book has for them.
fn entries(book: &Book, plies: u32) -> Result<Vec<(BookPosition, Score)>> {
    let positions = layer::positions(book.geometry(), plies);
    let layer = book.layers().iter().find(|layer| layer.plies == plies);
    let count = layer.map_or(0, |layer| layer.positions as usize);
    let expected = positions.len();
    ensure!(
        count == expected,
        Failure(format!("the layer of {plies} stones has {count} positions, but there are {expected}"))
    );
    let known = |position| Ok((position, book.stored_score(&position).context("the layer is there")?));
    positions.into_iter().map(known).collect()
}

/// How many positions are shown: enough to see what they have in common.
const SHOWN: usize = 10;

/// The positions on which a book and a file differ.
#[derive(Default)]
struct Differences {
    count: usize,
    /// The first of them, as lines for people.
    shown: Vec<String>,
}

impl Differences {
    /// Adds the position of a canonical key, or `None` if the key has none, with what the book and the file have for it.
    fn add(&mut self, key: u64, position: Option<&BookPosition>, of_book: Option<i32>, of_file: &str) {
        self.count += 1;
        if self.shown.len() < SHOWN {
            let position = position.map_or_else(|| format!("key {key:x}"), Position::fen);
            let of_book = of_book.map_or_else(|| "nothing".to_owned(), |value| value.to_string());
            self.shown.push(format!("{position}: {of_book} in the book, {of_file} in the file"));
        }
    }

    /// Prints the first of them.
    ///
    /// # Errors
    /// [`Failure`] if there are any.
    fn conclude(self, name: &str) -> Result<()> {
        self.shown.iter().try_for_each(|line| print(format_args!("{line}")))?;
        let count = self.count;
        let shown =
            if count > SHOWN { format!(", of which the first {SHOWN} are shown") } else { String::new() };
        let differ = format!("the book and `{name}` differ in {count} positions{shown}");
        ensure!(count == 0, Failure(differ));
        Ok(())
    }
}
