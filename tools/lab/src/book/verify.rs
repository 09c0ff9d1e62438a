//! `plumb-lab book verify`: checks a book.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use plumb::book::{Book, BookBoard};
use plumb::search::AnySolver;
use plumb::table::AnyTable;
use plumb_studies::cpu_time;
use plumb_tools_common::random::Random;

use super::compare::{Reference, entries, same_lines};
use super::file;
use super::layer::{self, Scores, layer_above, may_keep, tallies};
use super::lines;
use crate::exit::Failure;
use crate::output::print;
use crate::progress::Counter;

/// Verify a book.
///
/// Checked are its checksum; the number of positions of each layer; that the scores of each layer follow from those
/// of the last, and no move contradicts them; and that random positions of the last layer have the score that the
/// solver finds with an empty table, which the book's moves for them keep. The results are counted for each layer, in
/// the two ways in which such counts are published. The exit code is 1 if anything is wrong.
///
/// With `--against`, every position of a part from `build`, or of a book of another solver, is compared as well, and the first
/// that differ are shown: databases of `BitBully` (the Python package `bitbully-databases`), Pascal Pons's `7x6.book`,
/// connect-four-ai's `default-book.bin`.
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
    /// Parts or databases to compare with.
    #[arg(long, value_name = "FILE", num_args = 1)]
    against: Vec<PathBuf>,
}

/// Verifies the book and prints each check.
///
/// # Errors
/// If a file cannot be read or there is no memory for the table; [`Failure`] if something is wrong with the book.
pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let book = file::open(arguments.book.as_deref())?;
    // Read first, so that a wrong file fails before the work.
    let references =
        arguments.against.iter().map(|path| Reference::read(path)).collect::<Result<Vec<_>>>()?;
    print(format_args!("checksum: right"))?;
    for (path, reference) in arguments.against.iter().zip(&references) {
        reference.compare(&book, path)?;
    }
    let last = check_layers(&book)?;
    for plies in book.layer_plies() {
        let (all, quiet) = tallies(&book, plies)?;
        print(format_args!("{plies} stones, all: {all}"))?;
        print(format_args!("{plies} stones, nobody can win at once, up to mirror images: {quiet}"))?;
    }
    check_samples(&book, last, arguments)?;
    check_lines(&book, last, arguments)
}

/// Checks that the layers are complete and follow from the last, whose number of stones is returned.
fn check_layers(book: &Book<BookBoard>) -> Result<u32> {
    let mut plies = book.layer_plies().collect::<Vec<_>>();
    let last = plies.pop().context("a book has a layer")?;
    let mut scores: Scores = entries(book, last)?.into_iter().collect();
    print(format_args!("{last} stones: {} positions, as many as there are", scores.len()))?;
    check_moves(book, last, &scores)?;
    for at in (plies.first().copied().unwrap_or(last)..last).rev() {
        scores = layer_above(book.geometry(), at, &scores)?;
        if plies.contains(&at) {
            let found = entries(book, at)?;
            let wrong = found.iter().filter(|(key, score)| scores.get(key) != Some(score)).count();
            let said = format!("{wrong} scores of {at} stones do not follow from those of {last}");
            ensure!(wrong == 0, Failure(said));
            print(format_args!("{at} stones: {} positions, all follow", found.len()))?;
        }
    }
    Ok(last)
}

/// Checks every move that the book has for positions of a layer against the scores of the others.
fn check_moves(book: &Book<BookBoard>, plies: u32, scores: &Scores) -> Result<()> {
    let (mut count, mut wrong) = (0, 0);
    for (&key, &score) in scores {
        let position = layer::position(book.geometry(), key, plies)?;
        let Some(column) = book.best_move(&position) else { continue };
        count += 1;
        let keeps = position.play(column).is_some_and(|next| may_keep(scores, &next, score));
        wrong += u32::from(!keeps);
    }
    let said = format!("{wrong} of {count} moves of {plies} stones contradict the scores");
    ensure!(wrong == 0, Failure(said));
    if count > 0 {
        print(format_args!("{plies} stones: {count} moves, contradicted by no score"))?;
    }
    Ok(())
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
fn check_samples(book: &Book<BookBoard>, plies: u32, arguments: &Arguments) -> Result<()> {
    let entries = entries(book, plies)?;
    let mut table = AnyTable::new(layer::solver_board(book.geometry()), arguments.hash)
        .context("there is no memory for the table")?;
    let (mut cpu, mut moves) = (Duration::ZERO, 0);
    let count = arguments.draw("samples", 0, &entries, |(key, score)| {
        let position = layer::position(book.geometry(), key, plies)?;
        table.clear(1);
        let start = cpu_time::now();
        let score_of = |position: &_| AnySolver::new(&table).score(&layer::solvable(position));
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
fn check_lines(book: &Book<BookBoard>, plies: u32, arguments: &Arguments) -> Result<()> {
    let Some(extension) = book.extension() else { return Ok(()) };
    let keys = lines::beginnings(book, extension.from(), plies);
    let mut table = AnyTable::new(layer::solver_board(book.geometry()), lines::TABLE)
        .context("there is no memory for the table")?;
    let mut found = Vec::new();
    arguments.draw("lines", 1, &keys, |key| {
        let position = layer::position(book.geometry(), key, plies)?;
        found.push((key, lines::line(book, &mut table, position)?));
        Ok(())
    })?;
    let (positions, from) = (extension.positions(), extension.from());
    print(format_args!("lines of play from {from} stones: {positions} positions past {plies}"))?;
    print(format_args!("found anew: {}", same_lines(book, plies, &found)?))
}
