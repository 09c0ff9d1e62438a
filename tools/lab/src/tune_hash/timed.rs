//! Tuning under a time control: the positions of games, searched again with each size for the time that a game gives.
//!
//! The engine plays games against itself at the control. Each size then has the moves of both sides of each game again, with
//! a process of its own for each side, from a cleared table and in the order of the game: as many at the same time as the
//! arena will run. So load, caches and the filling of the table are those of a match, and all sizes have the same positions
//! within the same minute.

mod comparison;
mod replay;

use std::num::NonZeroUsize;
use std::path::Path;

use anyhow::{Result, ensure};
use plumb::board::Geometry;
use plumb_arena::engine::config::EngineDescription;
use plumb_arena::record::MatchHeader;
use plumb_arena::time_control::TimeControl;
use serde::{Deserialize, Serialize};

use super::plot::{Chart, Curve, PER_CENT, PLAIN, RATIO, publish};
use super::{Mode, RESULTS, TuneArguments, Verdict};
use crate::engine::{EngineFlags, EngineStarter, SizeRefused, check_memory};
use crate::exit::{Interrupted, is_interrupt};
use crate::output::{or_dash, print, table};
use crate::progress::{Counter, say};
use crate::result_files::{Lock, ResultFile, Shard};
pub(super) use comparison::GameFigures;
use comparison::{Comparison, Estimate, LEAST_GAMES, Size, TOLERANCE, is_look};
use replay::{Games, HANG_TIMEOUT};

/// Searches with all sizes until each is told from the best or not, and recommends a range of sizes.
///
/// # Errors
/// If the engine fails or forfeits a game, or a file cannot be read or written.
pub(super) fn run(arguments: &TuneArguments, flags: &EngineFlags, control: TimeControl) -> Result<()> {
    let path = arguments.out.join(RESULTS);
    let lock = Lock::take(&path, "--out")?;
    let engines = EngineStarter::open(flags.log.as_deref())?;
    let command = arguments.command();
    let mut config = flags.config(command, arguments.board.size(), None)?;
    let session = arguments.start(&engines, &mut config, "--engine")?;
    let default = session.default_table_size();
    let name = session.name.clone().unwrap_or_else(|| command.to_owned());
    drop(session);
    let engine_description = config.description().without("name");
    // A move that comes late is no reason not to measure the next one.
    config.control = TimeControl { margin: HANG_TIMEOUT, depth: config.control.depth, ..control };
    let sizes = arguments.granted(arguments.sizes(), |size| {
        let memory = check_memory(size.saturating_mul(arguments.concurrency.get()));
        memory.map_err(|reason| SizeRefused(size, reason))?;
        engines.start(command, &config, &[], Some(size)).map(drop)
    })?;
    let sizes: Vec<_> = sizes.into_iter().collect();
    let engine = config.description();
    let limits = engine.limits();
    // The games of which all sides are searched at the same time. The last ones are as many, as fewer engines at a time would
    // answer another question.
    let chunk = arguments.concurrency.get().div_ceil(2);
    let count = arguments.games().next_multiple_of(chunk as u32);
    let match_settings = arguments.match_settings(flags, vec![engine.clone(), engine], count)?;
    let (openings, source) = (match_settings.different_openings()?.0, &arguments.openings);
    ensure!(
        openings.len() >= count as usize,
        "`--openings {source}`: {count} games need as many different openings, and there are {}: give others, or fewer \
         `--games`",
        openings.len()
    );
    let match_header = MatchHeader::new("", match_settings.clone(), None);
    match_header.oversubscription().into_iter().for_each(|note| say(format_args!("{note}")));
    let settings = Settings {
        engine: name,
        engine_description,
        control: limits,
        concurrency: arguments.concurrency,
        threads: arguments.threads,
        openings: match_settings.openings_text(),
        first_column: arguments.first_column,
        seed: arguments.seed,
        sizes: sizes.clone(),
        default,
    };
    let shard = arguments.shard.unwrap_or(Shard::WHOLE);
    let all: Vec<_> = (1..=count).collect();
    let games = shard.dealt(all.chunks(chunk)).collect::<Vec<_>>().concat();
    let header = arguments.header(&Mode::Timed(settings.clone()), games.len() * sizes.len())?;
    let batch = chunk * sizes.len();
    let (mut file, mut rows) =
        ResultFile::<GameFigures>::open_in_batches(&path, "--out", &header, lock, batch)?;
    let is_done = |game: &u32| rows.iter().any(|row| row.game == *game);
    let (done, todo): (Vec<u32>, Vec<u32>) = games.iter().partition(|&game| is_done(game));
    if !done.is_empty() {
        print(format_args!("{} games taken from `{}`", done.len(), path.display()))?;
    }
    let measured = Games {
        engines: &engines,
        command,
        config: &config,
        settings: &match_settings,
        openings: &openings,
        sizes: &sizes,
    };
    let mut counter = Counter::new("tune-hash", "game", done.len(), games.len());
    let mut compared = done.len();
    for numbers in todo.chunks(chunk) {
        // A shard has all its games.
        let looks = arguments.shard.is_none() && is_look(compared, chunk);
        if looks && Comparison::of(&rows, arguments.tolerance).is_decided() {
            break;
        }
        let found = measured.measure(numbers).map_err(|error| {
            let sentence = format!("interrupted in game {}: the same command goes on with it", numbers[0]);
            if is_interrupt(&error) { Interrupted(sentence).into() } else { error }
        })?;
        file.append_all(&found)?;
        rows.extend(found);
        compared += numbers.len();
        counter.advance_by(numbers.len(), String::new);
    }
    drop(counter);
    engines.close_log()?;
    if arguments.shard.is_some() {
        return print(format_args!("shard {shard}: {compared} games; `tune-hash merge` recommends a size"));
    }
    conclude(&rows, &settings, arguments.tolerance, &arguments.out)
}

/// The settings in the header of the results.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Settings {
    /// The name by which the engine calls itself.
    engine: String,
    /// Command and options.
    #[serde(default)]
    engine_description: EngineDescription,
    control: String,
    concurrency: NonZeroUsize,
    threads: NonZeroUsize,
    openings: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    first_column: Option<u32>,
    seed: u64,
    sizes: Vec<usize>,
    /// The engine's own default of `Hash`.
    default: Option<usize>,
}

/// The figures of a size in all games.
struct Total<'a> {
    megabytes: usize,
    /// How much longer it takes to the same depth than the best size.
    cost: Option<Estimate>,
    games: Vec<&'a GameFigures>,
}

impl Total<'_> {
    fn sum(&self, of: impl Fn(&GameFigures) -> f64) -> f64 {
        self.games.iter().map(|game| of(game)).sum()
    }

    /// The mean over the games, if all of them have the figure.
    fn mean(&self, of: impl Fn(&GameFigures) -> Option<f64>) -> Option<f64> {
        let sum: Option<f64> = self.games.iter().map(|game| of(game)).sum();
        sum.map(|sum| sum / self.games.len().max(1) as f64)
    }

    /// The share of the positions whose value was proved in time.
    fn solved(&self) -> f64 {
        self.sum(|game| game.solved.into()) / self.sum(|game| game.positions.into()).max(1.0)
    }

    /// Million nodes a second.
    fn speed(&self) -> Option<f64> {
        let nodes: Option<u64> = self.games.iter().map(|game| game.nodes).sum();
        nodes.map(|nodes| nodes as f64 / self.sum(|game| game.given_ms).max(1e-3) / 1e3)
    }
}

/// Draws the pictures, and writes and prints the recommendation. `tolerance` is in per cent.
pub(super) fn conclude(
    rows: &[GameFigures],
    settings: &Settings,
    tolerance: Option<f64>,
    out: &Path,
) -> Result<()> {
    let comparison = Comparison::of(rows, tolerance);
    let tolerance = tolerance.unwrap_or(TOLERANCE);
    let total = |&megabytes: &usize| Total {
        megabytes,
        cost: comparison.sizes.iter().find(|size| size.megabytes == megabytes).map(|size| size.cost),
        games: rows.iter().filter(|row| row.megabytes == megabytes).collect(),
    };
    let totals: Vec<_> = settings.sizes.iter().map(total).collect();
    let positions = totals[0].sum(|game| game.positions.into());
    let Settings { engine, control, concurrency, threads, openings, .. } = settings;
    let setup = format!(
        "{engine}, {control}, {concurrency} at a time, threads {threads}, openings: {openings}; {} games, {positions} positions",
        comparison.games
    );
    let sentence = sentence(&comparison, tolerance, settings.default);
    let note = "Vertical lines: 95 % with all sizes and looks taken together; of the filling, up to the fullest of a game.";
    print(format_args!("{setup}"))?;
    publish(out, &setup, &[sentence], &rows_of(&totals), &charts(&totals), note)
}

/// The table: a row for each size below the headings.
fn rows_of(totals: &[Total<'_>]) -> Vec<String> {
    let per_cent = |share: f64| format!("{:.0}%", 100.0 * share);
    let whole = |number: f64| format!("{number:.0}");
    let row = |total: &Total<'_>| {
        vec![
            total.megabytes.to_string(),
            format!("{:.1}%", 100.0 * total.solved()),
            or_dash(total.cost, |Estimate { value, error }| {
                format!("{:+.1} ± {:.1}%", 100.0 * value, 100.0 * error)
            }),
            or_dash(total.speed(), |speed| format!("{speed:.2}")),
            or_dash(total.mean(|game| game.full), per_cent),
            or_dash(total.mean(|game| game.full_most), per_cent),
            or_dash(total.mean(|game| game.memory_mb), whole),
            or_dash(total.mean(|game| Some(game.start_ms)), whole),
            or_dash(total.mean(|game| Some(game.clear_ms)), whole),
        ]
    };
    let headings = "    MB| solved|          time|  Mn/s| full| most| memory|start ms|clear ms";
    table(headings, totals.iter().map(row))
}

/// The number of games up to which more of them are advised: an hour or so at 20 ms a move.
const MOST_MORE: u64 = 2000;

/// The recommendation: a range of sizes, what the others cost, and what cannot be told.
fn sentence(comparison: &Comparison, tolerance: f64, default: Option<usize>) -> String {
    let Comparison { games, sizes, best } = comparison;
    if sizes.is_empty() {
        let more = LEAST_GAMES.saturating_sub(*games);
        return format!("cannot tell from {games} games: {more} more are the least");
    }
    if let [only] = &sizes[..] {
        return format!("{} MB: there is no other size to compare it with", only.megabytes);
    }
    let with = |wanted| sizes.iter().filter(move |size| size.verdict == wanted);
    let (good, best) = (with(Verdict::Good).count(), sizes[*best].megabytes);
    let mut parts = Vec::new();
    if good == 1 {
        parts.push(format!("{best} MB: the best"));
    } else if good > 1 {
        let default = with(Verdict::Good).find(|size| Some(size.megabytes) == default);
        let default = default.map(|Size { megabytes, cost, .. }| {
            if cost.value > 0.0 {
                format!("; {megabytes} MB, the default, takes {} longer", percentage(*cost))
            } else {
                format!("; {megabytes} MB is the default")
            }
        });
        let (good, default) = (ranges(sizes), default.unwrap_or_default());
        parts.push(format!("{good}: within {tolerance} % of the best, {best} MB{default}"));
    }
    let worse = |size: &Size| format!("{} MB takes {} longer", size.megabytes, percentage(size.cost));
    parts.extend(with(Verdict::Worse).map(worse));
    for Size { megabytes, cost, verdict } in sizes {
        let Verdict::Open(more) = *verdict else { continue };
        let remedy = if more > MOST_MORE {
            format!("it is too near to {tolerance} %")
        } else {
            format!("about {more} more games would")
        };
        parts.push(format!("cannot tell about {megabytes} MB ({} longer): {remedy}", percentage(*cost)));
    }
    parts.join(". ").replace(". cannot", ". Cannot")
}

/// A share with its error: `17 ± 3 %`.
fn percentage(Estimate { value, error }: Estimate) -> String {
    format!("{:.0} ± {:.0} %", 100.0 * value, 100.0 * error)
}

/// The good ones of the sizes as ranges: `any size from 1 to 64 MB`, `4 MB and any size from 64 to 256 MB`.
fn ranges(sizes: &[Size]) -> String {
    let is_good = |size: &Size| size.verdict == Verdict::Good;
    let runs = sizes.chunk_by(|one, other| is_good(one) == is_good(other));
    let runs = runs.filter(|run| is_good(&run[0])).map(|run| match run {
        [first, .., last] => format!("any size from {} to {} MB", first.megabytes, last.megabytes),
        _ => format!("{} MB", run[0].megabytes),
    });
    runs.collect::<Vec<_>>().join(" and ")
}

/// The pictures. Each value has the ends of its vertical line beside it.
fn charts<'a>(totals: &[Total<'a>]) -> Vec<Chart> {
    let curve = |name: &str, of: &dyn Fn(&Total<'a>) -> Option<[f64; 3]>| -> Curve {
        let point =
            |total: &Total<'a>| of(total).map(|[value, low, high]| (total.megabytes, value, low, high));
        (name.to_owned(), totals.iter().filter_map(point).collect())
    };
    let plain = |name: &str, of: fn(&Total<'a>) -> Option<f64>| {
        curve(name, &|total| of(total).map(|value| [value; 3]))
    };
    let time = curve("time", &|total| {
        let Estimate { value, error } = total.cost?;
        Some([0.0, -error, error].map(|beside| 1.0 + value + beside))
    });
    let full = curve("filling", &|total| {
        let [full, most] = [total.mean(|game| game.full)?, total.mean(|game| game.full_most)?];
        Some([full, full, most].map(|share| 100.0 * share))
    });
    let solved = plain("solved", |total| Some(100.0 * total.solved()));
    let speed = plain("speed", Total::speed);
    let start = plain("start", |total| total.mean(|game| Some(game.start_ms)));
    let clear = plain("clear", |total| total.mean(|game| Some(game.clear_ms)));
    let time_title = "Time to the same depth, as a multiple of the best size's";
    let start_title = "Milliseconds to start with the table, and to clear it for a new game";
    let chart = |(file, title, scale, curves)| Chart { file, title, scale, curves };
    let charts = [
        ("time.svg", time_title, RATIO, vec![time]),
        ("solved.svg", "Positions whose value was proved in time", PER_CENT, vec![solved]),
        ("speed.svg", "Million nodes per second", PLAIN, vec![speed]),
        ("full.svg", "How full the table was at the end of a move", PER_CENT, vec![full]),
        ("start.svg", start_title, PLAIN, vec![start, clear]),
    ];
    charts.map(chart).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(megabytes: usize, cost: f64, verdict: Verdict) -> Size {
        Size { megabytes, cost: Estimate { value: cost, error: 0.02 }, verdict }
    }

    #[test]
    fn the_recommendation_is_a_range_with_what_the_others_cost() {
        use Verdict::{Good, Open, Worse};
        let sizes = vec![
            size(1, 0.3, Worse),
            size(4, 0.01, Good),
            size(16, 0.0, Good),
            size(64, 0.02, Good),
            size(256, 0.05, Open(120)),
            size(1024, 0.17, Worse),
        ];
        let said = |sizes: &[Size], default| {
            let best = sizes.iter().position(|size| size.cost.value.abs() < 1e-9).unwrap_or(0);
            sentence(&Comparison { games: 16, sizes: sizes.to_vec(), best }, 5.0, default)
        };
        assert_eq!(
            said(&sizes, Some(64)),
            "any size from 4 to 64 MB: within 5 % of the best, 16 MB; 64 MB, the default, takes 2 ± 2 % longer. 1 MB takes \
             30 ± 2 % longer. 1024 MB takes 17 ± 2 % longer. Cannot tell about 256 MB (5 ± 2 % longer): about 120 more games would"
        );
        let apart = [size(1, 0.0, Good), size(4, 0.3, Worse), size(16, 0.0, Good)];
        let two = "1 MB and 16 MB: within 5 % of the best, 1 MB. 4 MB takes 30 ± 2 % longer";
        assert_eq!(said(&apart, None), two);
        assert_eq!(said(&apart[..2], None), "1 MB: the best. 4 MB takes 30 ± 2 % longer");
        let near = [size(1, 0.0, Good), size(4, 0.05, Open(2001))];
        let open = "1 MB: the best. Cannot tell about 4 MB (5 ± 2 % longer): it is too near to 5 %";
        assert_eq!(said(&near, None), open);
        assert_eq!(said(&[], None), "cannot tell from 16 games: 0 more are the least");
    }
}
