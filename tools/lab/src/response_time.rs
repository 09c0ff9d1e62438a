//! `plumb-lab response-time`: time from `go` to `bestmove`, by the stones on the board, as a table and as histograms.

use std::collections::HashSet;
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, anyhow};
use plumb::board::{BoardSize, Standard, StaticGeometry, column_names};
use plumb_arena::engine::fault::EngineFault;
use plumb_arena::engine::options::checked;
use plumb_arena::engine::session::EngineSession;
use plumb_arena::openings::moves_to;
use plumb_arena::position_command::position_after;
use plumb_arena::random::{Random, random_position};
use plumb_protocol::{Command, Go};
use plumb_studies::plot::{Axis, Figure, Panel, seconds_label};

use crate::book::all_positions;
use crate::engine::{EngineFlags, EngineStarter, error, is_best_move, is_ready};
use crate::measurement::{quantile, row};
use crate::output::{OutputFile, check_overwrite, print};
use crate::progress::Counter;

/// Time to think, and for `readyok`.
const TIMEOUT: Duration = Duration::from_secs(600);
/// Time for `bestmove`, as an engine may use all of its time to think.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(660);

/// Measure the time from `go` to `bestmove`, by the stones on the board.
///
/// Random positions are sent to the engine one after the other, each after a new game, with ten minutes to think,
/// and without `Swindle`, which thinks on after a proof. Times are in milliseconds of wall time. The first row is the
/// round trip from `isready` to `readyok`.
///
/// On a shared machine a few of ten thousand answers are late because of other processes. With `--repeat` the
/// positions of a row are sent several times, and the least time of each counts.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Groups of positions: a number of stones, or a range such as 0-11. The engine is asked for the best move on the
    /// clock; with `/score` for the exact score, with `/scores` for that of each move. A group is a random sample;
    /// with `/all` it has all positions.
    #[arg(value_name = "STONES", default_values = DEFAULT, value_parser = Group::read)]
    groups: Vec<Group>,
    /// Command of the engine. [default: the `plumb` beside this program, else on PATH]
    #[arg(long, value_name = "CMD")]
    engine: Option<String>,
    #[command(flatten)]
    flags: EngineFlags,
    /// Table size in MB. [default: 16]
    #[arg(long, value_name = "MB")]
    hash: Option<usize>,
    /// Number of random positions for each row.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// Seed of the random positions.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Number of times that each position is sent; the least time counts.
    #[arg(long, value_name = "N", default_value = "1")]
    repeat: NonZeroU32,
    /// Draw a histogram of each row into this file.
    #[arg(long, value_name = "F")]
    svg: Option<PathBuf>,
    /// Overwrite the file of `--svg` if it exists.
    #[arg(long)]
    force: bool,
}

/// Measures group by group, and prints a row for each.
///
/// # Errors
/// If the engine cannot be started, does not answer or lacks `MultiPV` for `/scores`, or the picture cannot be written.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    check_overwrite(&arguments.svg, arguments.force)?;
    let name = arguments.engine.as_deref().unwrap_or("plumb");
    let engines = EngineStarter::open(arguments.flags.log.as_deref())?;
    let config = arguments.flags.config(name, BoardSize::STANDARD, arguments.hash)?;
    let failed = |fault| error(name, &fault);
    // The time until a proof is measured, not what the engine does in the rest of its time.
    let defaults = [("Swindle", "false"), ("Hash", "16")];
    let mut engine = engines.start(name, &config, &defaults, None)?;
    let lines = arguments.groups.iter().map(|group| group.question.lines).max().unwrap_or(1);
    if lines > 1 {
        checked(&engine.declared, "MultiPV", &lines.to_string())
            .map_err(|fault| anyhow!("`{name}`: {fault}; groups with `/scores` need it: name others"))?;
    }
    let picture = arguments.svg.as_deref().map(OutputFile::create).transpose()?;
    let headings = ["positions", "mean ms", "p50", "p99", "p99.9", "max"];
    let [count, times @ ..] = headings.map(|heading| format!("{heading:>9}"));
    print(format_args!("{:<34} {count} {}", "stones, answer", times.join(" ")))?;
    let count = arguments.count as usize;
    let mut round_trips =
        least_times(count, arguments.repeat, |_| round_trip(&mut engine)).map_err(failed)?;
    print_row("isready to readyok", &mut round_trips)?;
    let mut rows = Vec::new();
    for group in &arguments.groups {
        let mut times = measure(&mut engine, group, arguments).map_err(failed)?;
        print_row(&group.title, &mut times)?;
        rows.push((&group.title, times));
    }
    drop(engine);
    engines.close_log()?;
    let Some(mut picture) = picture else { return Ok(()) };
    let panels = rows.iter().map(|(title, times)| panel(title, times)).collect();
    picture.append(Figure::new(panels, SIZE, 16.0).svg().as_bytes())
}

/// The time from `isready` to `readyok`.
fn round_trip(engine: &mut EngineSession) -> Result<Duration, EngineFault> {
    engine.ask(&[Command::IsReady], TIMEOUT, is_ready)
}

/// The times that the positions of a group take.
fn measure(
    engine: &mut EngineSession,
    group: &Group,
    arguments: &Arguments,
) -> Result<Vec<Duration>, EngineFault> {
    let positions = group.positions(arguments.seed, arguments.count);
    let mut counter =
        Counter::new(&group.title, "position", 0, positions.len() * arguments.repeat.get() as usize);
    // An engine without this option has one line anyway.
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
        // Column digits from 1.
        let columns = positions[index].bytes().map(|digit| u32::from(digit - b'1'));
        let position = position_after(engine.config.dialect, Standard::default(), columns);
        engine.send(&[Command::NewGame(engine.config.dialect), Command::Position(position)])?;
        round_trip(engine)?;
        let time = engine.ask(std::slice::from_ref(&go), ANSWER_TIMEOUT, is_best_move)?;
        counter.advance();
        Ok(time)
    })
}

/// Does each of `count` tasks `repeat` times, in rounds over all of them; returns the least time of each.
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

/// Prints a row of the table: the name, the number of times, their mean, and their quantiles.
fn print_row(name: &str, times: &mut [Duration]) -> Result<()> {
    times.sort_unstable();
    let mean = times.iter().sum::<Duration>() / times.len().max(1) as u32;
    let quantiles = [0.5, 0.99, 0.999, 1.0].map(|share| quantile(times, share));
    let name = format!("{name:<34} {:>9}", times.len());
    print(format_args!("{}", row(&name, &[&[mean], &quantiles[..]].concat())))
}

/// Width and height of one histogram, in pixels.
const SIZE: (f64, f64) = (900.0, 170.0);
/// The axis: powers of ten of milliseconds at its ends, and bars for each.
const AXIS: std::ops::Range<f64> = -2.0..3.0;
const BARS_PER_DECADE: f64 = 10.0;

/// The histogram of a group with this title.
fn panel(title: &str, times: &[Duration]) -> Panel {
    let shares = histogram(times);
    let highest = shares.iter().copied().fold(10.0, f64::max);
    let width = 1.0 / BARS_PER_DECADE;
    let bars = shares.into_iter().enumerate().filter(|(_, share)| *share > 0.0).map(|(index, top)| {
        let left = AXIS.start + index as f64 * width;
        (left, left + width, top)
    });
    Panel {
        title: title.to_owned(),
        x: Axis::decades(AXIS, |power| seconds_label(10_f64.powf(power - 3.0))),
        y: Axis::linear(0.0..highest, 3, |share, _| format!("{share:.0} %")),
        bars: bars.collect(),
        ..Panel::default()
    }
}

/// The share of the times in each bar, in per cent; those beyond the axis are in the bars at its ends.
fn histogram(times: &[Duration]) -> Vec<f64> {
    let count = ((AXIS.end - AXIS.start) * BARS_PER_DECADE) as usize;
    let mut bars = vec![0.0; count];
    for time in times {
        let power = (time.as_secs_f64() * 1e3).max(f64::MIN_POSITIVE).log10();
        let index = ((power - AXIS.start) * BARS_PER_DECADE).max(0.0) as usize;
        bars[index.min(count - 1)] += 100.0 / times.len() as f64;
    }
    bars
}

/// The groups that are measured unless others are asked for: on both sides of where an opening book of twelve stones
/// ends.
const DEFAULT: [&str; 6] = ["0-4/all", "0-11", "0-11/scores", "12", "13/score", "13-41/score"];

/// All positions with up to so many stones can be measured: 260,000 at the most.
const MAX_STONES_OF_ALL: u32 = 8;

/// Positions with so many stones, and what is asked about them.
#[derive(Clone, Debug)]
struct Group {
    /// The name in the table: `12 stones, best move`.
    title: String,
    stones: RangeInclusive<u32>,
    question: &'static Question,
}

/// What is asked about positions.
#[derive(Debug)]
struct Question {
    /// The word after the stones, and the one in the table.
    words: [&'static str; 2],
    /// Whether all positions are measured, not only some drawn at random.
    all: bool,
    /// The value of `MultiPV`.
    lines: u32,
    /// Whether the exact score is asked for, with the line of play that shows it. Else it is the best move, as a game on the
    /// clock asks for it: what is known to be best need not be known exactly.
    is_exact: bool,
}

const QUESTIONS: [Question; 4] = [
    Question { words: ["", "best move"], all: false, lines: 1, is_exact: false },
    Question { words: ["all", "best move (all)"], all: true, lines: 1, is_exact: false },
    Question { words: ["score", "exact score"], all: false, lines: 1, is_exact: true },
    Question { words: ["scores", "seven scores"], all: false, lines: Standard::WIDTH, is_exact: false },
];

impl Group {
    /// Move lists, as column digits, that lead to positions in which the game is not over: each position once if all are
    /// wanted, else `count` of those that `seed` stands for.
    fn positions(&self, seed: u64, count: u32) -> Vec<String> {
        let (first, last) = self.stones.clone().into_inner();
        if self.question.all {
            let mut known = HashSet::new();
            let images = self.stones.clone().flat_map(|stones| all_positions(Standard::default(), stones));
            let all = images.flat_map(|position| [position, position.mirrored()]);
            let all = all.filter(|position| known.insert(position.key()));
            let moves = all.map(|each| column_names(Standard::WIDTH, moves_to(&each).unwrap_or_default()));
            return moves.collect();
        }
        let mut random = Random::new(seed, first << 8 | last);
        let draw = |_| {
            let stones = first + random.below(last - first + 1);
            random_position(&mut random, stones).moves
        };
        (0..count).map(draw).collect()
    }

    /// Reads a number of stones or two with `-` between them, and `/all`, `/score` or `/scores` after it.
    fn read(text: &str) -> Result<Self, String> {
        let (stones, what) = text.split_once('/').unwrap_or((text, ""));
        let (first, last) = stones.split_once('-').unwrap_or((stones, stones));
        let question = QUESTIONS.iter().find(|question| question.words[0] == what);
        let question = question.ok_or_else(|| format!("`{what}` is none of `all`, `score` and `scores`"))?;
        let is_too_much = |last: u32| question.all && last > MAX_STONES_OF_ALL;
        let number = |text: &str| text.parse().ok().filter(|&stones| stones < Standard::CELLS);
        match (number(first), number(last)) {
            (Some(_), Some(last)) if is_too_much(last) => {
                Err(format!("there are too many positions with {last} stones to measure them all"))
            }
            (Some(first), Some(last)) if first <= last => {
                let range = if first == last { first.to_string() } else { format!("{first} to {last}") };
                let title = format!("{range} stones, {}", question.words[1]);
                Ok(Self { title, stones: first..=last, question })
            }
            _ => Err(format!("`{stones}` is not a number of stones from 0 to 41, nor two of them as A-B")),
        }
    }
}

#[cfg(test)]
mod tests {
    use plumb::board::Position;

    use super::*;

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
    fn groups_hold_what_they_say() {
        for group in DEFAULT.map(|group| Group::read(group).expect("a group")) {
            let positions = group.positions(7, 100);
            // 1 + 7 + 49 + 238 + 1120: John Tromp's counts of positions with up to four stones.
            assert_eq!(positions.len(), if group.question.all { 1415 } else { 100 });
            assert_eq!(positions, group.positions(7, 100), "a seed stands for the same positions every time");
            for moves in positions {
                let position: Position = Position::from_digits(&moves).expect("legal moves");
                assert!(group.stones.contains(&position.plies()) && position.outcome().is_none(), "{moves}");
            }
        }
    }

    #[test]
    fn groups_that_are_none_are_refused() {
        let said = |text: &str| Group::read(text).expect_err(text);
        assert_eq!(said("0-12/all"), "there are too many positions with 12 stones to measure them all");
        for text in ["", "42", "5-3", "-3", "x"] {
            assert!(said(text).ends_with(" is not a number of stones from 0 to 41, nor two of them as A-B"));
        }
    }
}
