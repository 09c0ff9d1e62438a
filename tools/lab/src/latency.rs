//! `plumb-lab latency`: how fast an engine answers, and how much memory it uses.

use std::collections::HashSet;
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use plumb::board::{BoardSize, Standard, StaticGeometry, column_names};
use plumb::mix::Random;
use plumb_arena::engine::config::EngineConfig;
use plumb_arena::engine::fault::EngineFault;
use plumb_arena::engine::options::checked;
use plumb_arena::engine::session::EngineSession;
use plumb_arena::openings::{moves_to, random_position};
use plumb_arena::position_command::position_after;
use plumb_protocol::{Command, Go};

use crate::book::all_positions;
use crate::engine::{EngineFlags, EngineStarter, SizeRefused, error, is_best_move, is_ready, open_starter};
use crate::measurement::{ProcessGroup, busy_note, milliseconds, quantile};
use crate::output::{OutputFile, check_overwrite, or_dash, print};
use crate::plot::{Axis, Figure, Panel, seconds_label};
use crate::progress::{Counter, say};

/// Time limit for the search of a position.
const TIMEOUT: Duration = Duration::from_secs(600);
/// Timeout of `bestmove`, longer than the thinking time, all of which an engine may use.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(660);
/// Maximum wait for `readyok` and, after `stop`, for `bestmove`.
const STOP_TIMEOUT: Duration = Duration::from_secs(60);
const MAX_STARTS: u32 = 50;
/// Maximum number of `isready` in a search, and of `stop`, that are measured.
const MAX_ROUNDS: u32 = 1000;

const EXAMPLES: &str = "\
Examples:
  plumb-lab latency
  plumb-lab latency 12 13-41/score --count 1000 --svg answers.svg
  plumb-lab latency --engine fairy-stockfish --hash 64";

/// Measure how fast an engine answers, and how much memory it uses.
///
/// The first table has milliseconds of wall time: the start, `isready`, `isready` in a search, `stop`, and then, by the
/// number of stones, from `go` to `bestmove`. Each position comes after a new game, with ten minutes to think. `Swindle` is
/// off, because it continues after a proof. The second table has memory, and the time to resize and to clear, by `Hash`.
///
/// On a busy machine some answers are late because of other processes. Use `--repeat` to take the least time of several.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Groups of positions by number of stones, such as 0-11.
    ///
    /// The engine is asked for the best move on the clock; with `/score` for the exact score, with `/scores` for the score
    /// of each move. A group is a random sample; with `/all` it has all positions.
    #[arg(value_name = "STONES", default_values = DEFAULT_GROUPS, value_parser = Group::read)]
    groups: Vec<Group>,
    /// Command of the engine. [default: plumb]
    #[arg(long, value_name = "CMD")]
    engine: Option<String>,
    #[command(flatten)]
    flags: EngineFlags,
    /// Table size in MB during searches. [default: 16]
    #[arg(long, value_name = "MB", value_parser = crate::arguments::megabytes)]
    hash: Option<usize>,
    /// Number of measurements per row.
    ///
    /// Starts are measured 50 times at most, `isready` in a search and `stop` 1000 times.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// Seed of the random positions.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Send each position N times; the least time counts.
    #[arg(long, value_name = "N", default_value = "1")]
    repeat: NonZeroU32,
    /// Values of `Hash` for the table by size, in MB.
    #[arg(long, value_name = "MB,…", value_delimiter = ',', default_value = "1,16,64,256,1024")]
    sizes: Vec<usize>,
    /// Draw a histogram of each group into this file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Overwrite the file of `--svg`.
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    check_overwrite(&arguments.svg, arguments.force)?;
    let name = arguments.engine.as_deref().unwrap_or("plumb");
    let engines = open_starter(arguments.flags.log.as_deref())?;
    let config = arguments.flags.config(name, BoardSize::STANDARD, arguments.hash)?;
    let defaults = [("Swindle", "false"), ("Hash", "16")];
    let mut engine = engines.start(name, &config, &defaults, None)?;
    check_lines(&arguments.groups, &engine, name)?;
    let picture = arguments.svg.as_deref().map(OutputFile::create).transpose()?;

    print(format_args!(
        "{:<34} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "milliseconds", "count", "mean", "p50", "p99", "p99.9", "max"
    ))?;
    let times = starts(&config, &engines, arguments.count.min(MAX_STARTS));
    print_row("start to uciok", times.map_err(|fault| error(name, &fault))?)?;
    let times = least_times(arguments.count as usize, arguments.repeat, |_| ready(&mut engine));
    print_row("isready to readyok", times.map_err(|fault| error(name, &fault))?)?;
    print_searches(arguments, name, &engines, &config)?;
    let mut panels = Vec::new();
    for group in &arguments.groups {
        let times = answers(&mut engine, group, arguments).map_err(|fault| error(name, &fault))?;
        panels.push(panel(&group.title, &times));
        print_row(&group.title, times)?;
    }
    let has_table = engine.declares("Hash");
    drop(engine);
    if let Some(mut picture) = picture {
        picture.append(Figure::new(panels, SIZE, 16.0).svg().as_bytes())?;
    }

    if has_table {
        print_sizes(arguments, name, &engines)?;
    }
    if let Some(note) = busy_note() {
        say(format_args!("{note}"));
    }
    engines.close_log()
}

fn print_sizes(arguments: &Arguments, name: &str, engines: &EngineStarter) -> Result<()> {
    print(format_args!("\n{:>8} {:>12} {:>12} {:>12}", "Hash MB", "resident MB", "resize ms", "clear ms"))?;
    let config = arguments.flags.config(name, BoardSize::STANDARD, None)?;
    for &megabytes in &arguments.sizes {
        let engine = engines.start(name, &config, &[], None)?;
        let line = memory(engine, megabytes).map_err(|fault| error(name, &fault))?;
        print(format_args!("{line}"))?;
    }
    Ok(())
}

/// Checks that the engine has the `MultiPV` that the groups need.
fn check_lines(groups: &[Group], engine: &EngineSession, name: &str) -> Result<()> {
    let lines = groups.iter().map(|group| group.question.lines).max().unwrap_or(1);
    if lines > 1 {
        checked(&engine.declared, "MultiPV", &lines.to_string())
            .map_err(|fault| anyhow!("`{name}`: {fault}; groups with `/scores` need it: name others"))?;
    }
    Ok(())
}

fn starts(config: &EngineConfig, engines: &EngineStarter, count: u32) -> Result<Vec<Duration>, EngineFault> {
    let mut times = Vec::new();
    for _ in 0..count {
        let before = Instant::now();
        EngineSession::connect(config, &engines.context)?;
        times.push(before.elapsed());
    }
    Ok(times)
}

/// Prints the rows about a running search. The engine has no book, because a book move needs no search.
fn print_searches(
    arguments: &Arguments,
    name: &str,
    engines: &EngineStarter,
    config: &EngineConfig,
) -> Result<()> {
    let count = arguments.count.min(MAX_ROUNDS);
    let mut engine = engines.start(name, config, &[("OwnBook", "false"), ("Hash", "16")], None)?;
    let times = ready_in_search(&mut engine, count).map_err(|fault| error(name, &fault))?;
    print_row("isready in a search", times)?;
    let times = stop(&mut engine, count).map_err(|fault| error(name, &fault))?;
    print_row("stop to bestmove", times)
}

fn ready(engine: &mut EngineSession) -> Result<Duration, EngineFault> {
    engine.ask(&[Command::IsReady], STOP_TIMEOUT, is_ready)
}

/// A pause of 2 to 12 ms that varies, so measurements do not fall into step with the engine.
fn pause(round: u32) -> Duration {
    Duration::from_micros(2_000 + u64::from(round.wrapping_mul(2_654_435_761) % 10_000))
}

/// Starts an endless search from a position of three stones that depends on the round.
fn start_search(engine: &mut EngineSession, round: u32) -> Result<(), EngineFault> {
    let columns = [0, 1, 2].map(|power| round / 7_u32.pow(power) % 7);
    let position = position_after(engine.config.dialect, Standard::default(), columns);
    let go = Go { infinite: true, ..Go::default() };
    engine.send(&[Command::Position(position), Command::Go(go)])
}

fn ready_in_search(engine: &mut EngineSession, count: u32) -> Result<Vec<Duration>, EngineFault> {
    let mut times = Vec::new();
    for round in 0..count {
        // A search may idle after it has solved the position, so a new search starts every 50 rounds.
        if round % 50 == 0 {
            if round > 0 {
                engine.ask(&[Command::Stop], STOP_TIMEOUT, is_best_move)?;
            }
            start_search(engine, round)?;
        }
        std::thread::sleep(pause(round));
        times.push(ready(engine)?);
    }
    engine.ask(&[Command::Stop], STOP_TIMEOUT, is_best_move)?;
    Ok(times)
}

fn stop(engine: &mut EngineSession, count: u32) -> Result<Vec<Duration>, EngineFault> {
    let mut times = Vec::new();
    for round in 0..count {
        start_search(engine, round)?;
        std::thread::sleep(pause(round));
        times.push(engine.ask(&[Command::Stop], STOP_TIMEOUT, is_best_move)?);
    }
    Ok(times)
}

fn answers(
    engine: &mut EngineSession,
    group: &Group,
    arguments: &Arguments,
) -> Result<Vec<Duration>, EngineFault> {
    let positions = group.positions(arguments.seed, arguments.count);
    let mut counter =
        Counter::new(&group.title, "position", 0, positions.len() * arguments.repeat.get() as usize);
    let lines = group.question.lines;
    if lines > 1 || engine.declares("MultiPV") {
        engine.set_up(&[("MultiPV".to_owned(), lines.to_string())])?;
    }
    let go = Command::Go(if group.question.is_exact {
        Go { move_time: Some(TIMEOUT), ..Go::default() }
    } else {
        Go { time: [Some(TIMEOUT); 2], ..Go::default() }
    });
    least_times(positions.len(), arguments.repeat, |index| {
        let columns = positions[index].bytes().map(|digit| u32::from(digit - b'1'));
        let position = position_after(engine.config.dialect, Standard::default(), columns);
        engine.send(&[Command::NewGame(engine.config.dialect), Command::Position(position)])?;
        ready(engine)?;
        let time = engine.ask(std::slice::from_ref(&go), ANSWER_TIMEOUT, is_best_move)?;
        counter.advance();
        Ok(time)
    })
}

/// Measures `count` tasks in turn, `repeat` times. Returns the shortest time of each task.
fn least_times<E>(
    count: usize,
    repeat: NonZeroU32,
    mut time: impl FnMut(usize) -> Result<Duration, E>,
) -> Result<Vec<Duration>, E> {
    let mut least = vec![Duration::MAX; count];
    for _ in 0..repeat.get() {
        for (index, least) in least.iter_mut().enumerate() {
            *least = time(index)?.min(*least);
        }
    }
    Ok(least)
}

fn memory(mut engine: EngineSession, megabytes: usize) -> Result<String, EngineFault> {
    let before = Instant::now();
    engine.set_up(&[("Hash".to_owned(), megabytes.to_string())])?;
    let resize = before.elapsed();
    if let Some(words) = engine.size_refusal() {
        return Ok(SizeRefused(megabytes, format!("the engine says `{words}`")).to_string());
    }
    // A search fills the table, so there is something to clear.
    let move_time = Some(Duration::from_millis(200));
    engine.ask(&[Command::Go(Go { move_time, ..Go::default() })], TIMEOUT, is_best_move)?;
    let clear = [Command::NewGame(engine.config.dialect), Command::IsReady];
    let clear = engine.ask(&clear, STOP_TIMEOUT, is_ready)?;
    let resident = or_dash(ProcessGroup::of(engine.id()).resident_megabytes(), |size| format!("{size:.1}"));
    let [resize, clear] = [resize, clear].map(milliseconds);
    Ok(format!("{megabytes:>8} {resident:>12} {resize:>12.1} {clear:>12.1}"))
}

fn print_row(name: &str, mut times: Vec<Duration>) -> Result<()> {
    times.sort_unstable();
    let mean = times.iter().sum::<Duration>() / times.len().max(1) as u32;
    let quantiles = [0.5, 0.99, 0.999, 1.0].map(|share| milliseconds(quantile(&times, share)));
    let ([median, p99, p999, max], mean) = (quantiles, milliseconds(mean));
    print(format_args!(
        "{name:<34} {:>9} {mean:>9.3} {median:>9.3} {p99:>9.3} {p999:>9.3} {max:>9.3}",
        times.len()
    ))
}

const SIZE: (f64, f64) = (900.0, 170.0);
/// Ends of the time axis, as exponents of ten, in milliseconds.
const AXIS: std::ops::Range<f64> = -2.0..3.0;
const BARS_PER_DECADE: f64 = 10.0;

fn panel(title: &str, times: &[Duration]) -> Panel {
    let shares = histogram(times);
    let highest = shares.iter().copied().fold(10.0, f64::max);
    let width = 1.0 / BARS_PER_DECADE;
    let mut bars = Vec::new();
    for (index, &top) in shares.iter().enumerate() {
        if top > 0.0 {
            let left = AXIS.start + index as f64 * width;
            bars.push((left, left + width, top));
        }
    }
    Panel {
        title: title.to_owned(),
        x: Axis::decades(AXIS, |power| seconds_label(10_f64.powf(power - 3.0))),
        y: Axis::linear(0.0..highest, 3, |share, _| format!("{share:.0} %")),
        bars,
        ..Panel::default()
    }
}

/// Per cent of the times in each bar. Times beyond the axis are in the first or last bar.
fn histogram(times: &[Duration]) -> Vec<f64> {
    let count = ((AXIS.end - AXIS.start) * BARS_PER_DECADE) as usize;
    let mut bars = vec![0.0; count];
    for time in times {
        let power = milliseconds(*time).max(f64::MIN_POSITIVE).log10();
        let index = ((power - AXIS.start) * BARS_PER_DECADE).max(0.0) as usize;
        bars[index.min(count - 1)] += 100.0 / times.len() as f64;
    }
    bars
}

/// The default groups, on both sides of the last layer of the opening book, 12 stones.
const DEFAULT_GROUPS: [&str; 6] = ["0-4/all", "0-11", "0-11/scores", "12", "13/score", "13-41/score"];

/// Maximum number of stones in a group of all positions, such as `0-4/all`: 260,000 positions have up to 8 stones.
const MAX_STONES_OF_ALL: u32 = 8;

/// Group of positions by number of stones, and what the engine must find.
#[derive(Clone, Debug)]
struct Group {
    /// Name in the table, such as `12 stones, best move`.
    title: String,
    stones: RangeInclusive<u32>,
    question: &'static Question,
}

#[derive(Debug)]
struct Question {
    /// Word after `/` on the command line, and words in the table.
    words: [&'static str; 2],
    all: bool,
    /// Value of `MultiPV`.
    lines: u32,
    /// Whether the engine must find the exact score. A best move on a game clock needs less.
    is_exact: bool,
}

const QUESTIONS: [Question; 4] = [
    Question { words: ["", "best move"], all: false, lines: 1, is_exact: false },
    Question { words: ["all", "best move (all)"], all: true, lines: 1, is_exact: false },
    Question { words: ["score", "exact score"], all: false, lines: 1, is_exact: true },
    Question { words: ["scores", "seven scores"], all: false, lines: Standard::WIDTH, is_exact: false },
];

impl Group {
    /// Move lists, as column digits, of undecided positions: all of them, each once, or `count` random ones.
    fn positions(&self, seed: u64, count: u32) -> Vec<String> {
        if self.question.all {
            return self.all_positions();
        }
        let (first, last) = self.stones.clone().into_inner();
        let mut random = Random::new(seed, first << 8 | last);
        let mut positions = Vec::new();
        for _ in 0..count {
            let stones = first + random.below(last - first + 1);
            positions.push(random_position(&mut random, stones).moves);
        }
        positions
    }

    fn all_positions(&self) -> Vec<String> {
        let (mut known, mut all) = (HashSet::new(), Vec::new());
        for stones in self.stones.clone() {
            for image in all_positions(Standard::default(), stones) {
                for position in [image, image.mirrored()] {
                    if known.insert(position.key()) {
                        all.push(column_names(Standard::WIDTH, moves_to(&position).unwrap_or_default()));
                    }
                }
            }
        }
        all
    }

    /// Reads a group such as `12`, `0-11` or `13-41/score`.
    fn read(text: &str) -> Result<Self, String> {
        let (stones, word) = text.split_once('/').unwrap_or((text, ""));
        let Some(question) = QUESTIONS.iter().find(|question| question.words[0] == word) else {
            return Err(format!("`{word}`: expected `all`, `score` or `scores`"));
        };
        let (first, last) = stones.split_once('-').unwrap_or((stones, stones));
        let (Ok(first @ ..Standard::CELLS), Ok(last @ ..Standard::CELLS)) = (first.parse(), last.parse())
        else {
            let expected = "expected a number of stones from 0 to 41, or a range such as 0-11";
            return Err(format!("`{stones}`: {expected}"));
        };
        if first > last {
            return Err(format!("`{stones}`: the smaller number comes first: {last}-{first}"));
        }
        if question.all && last > MAX_STONES_OF_ALL {
            return Err(format!(
                "too many positions have {last} stones; `/all` goes up to {MAX_STONES_OF_ALL}"
            ));
        }
        let range = if first == last { first.to_string() } else { format!("{first} to {last}") };
        Ok(Self { title: format!("{range} stones, {}", question.words[1]), stones: first..=last, question })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb::board::Position;

    #[test]
    fn the_least_time_of_each_counts() {
        let mut taken = [3, 5, 4, 2, 6, 1].into_iter().map(Duration::from_millis);
        let mut order = Vec::new();
        let times = least_times(3, NonZeroU32::new(2).expect("two"), |index| {
            order.push(index);
            taken.next().ok_or("six times")
        });
        assert_eq!(times.expect("nothing failed"), [2, 5, 1].map(Duration::from_millis));
        assert_eq!(order, [0, 1, 2, 0, 1, 2]);
    }

    #[test]
    fn every_time_is_in_a_bar() {
        let micros = [0, 1, 10, 999, 1_000, 50_000, 10_000_000];
        let times: Vec<_> = micros.into_iter().map(Duration::from_micros).collect();
        let bars = histogram(&times);
        assert_eq!(bars.len(), 50);
        assert!((bars.iter().sum::<f64>() - 100.0).abs() < 1e-9);
        assert!(bars[20] > 0.0, "a millisecond begins the bar of its own decade");
        assert!(bars[0] > 40.0 && bars[49] > 0.0, "what lies beyond the axis is at its ends");
    }

    #[test]
    fn groups_have_the_positions_that_they_name() {
        for group in DEFAULT_GROUPS.map(|group| Group::read(group).expect("a group")) {
            let positions = group.positions(7, 100);
            // 1 + 7 + 49 + 238 + 1120: John Tromp's counts of positions with up to four stones.
            assert_eq!(positions.len(), if group.question.all { 1415 } else { 100 });
            assert_eq!(positions, group.positions(7, 100), "a seed decides the positions");
            for moves in positions {
                let position: Position = Position::from_digits(&moves).expect("legal moves");
                assert!(group.stones.contains(&position.plies()) && position.outcome().is_none(), "{moves}");
            }
        }
    }

    #[test]
    fn wrong_groups_are_refused() {
        let said = |text: &str| Group::read(text).expect_err(text);
        assert_eq!(said("0-12/all"), "too many positions have 12 stones; `/all` goes up to 8");
        assert_eq!(said("5-3"), "`5-3`: the smaller number comes first: 3-5");
        for text in ["", "42", "-3", "x"] {
            assert!(
                said(text).ends_with("expected a number of stones from 0 to 41, or a range such as 0-11")
            );
        }
    }
}
