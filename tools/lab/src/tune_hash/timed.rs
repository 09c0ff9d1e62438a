//! Tuning under a time control: the positions of games, searched again with each size for the time that a game gives.
//!
//! The engine plays games against itself at the control. Each size then has the moves of both sides of each game again, with
//! a process of its own for each side, from a cleared table and in the order of the game: as many at the same time as the
//! arena will run. So load, caches and the filling of the table are those of a match, and all sizes have the same positions
//! within the same minute.

mod comparison;
mod positions;
mod replay;

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};
use plumb::board::Geometry;
use plumb_arena::engine::config::{EngineConfig, EngineDescription};
use plumb_arena::openings::OpeningLine;
use plumb_arena::record::MatchHeader;
use plumb_arena::settings::MatchSettings;
use plumb_arena::time_control::TimeControl;
use serde::{Deserialize, Serialize};

use super::plot::{Answer, Chart, Curve, PER_CENT, PLAIN, RATIO, publish};
use super::{Mode, RESULTS, TuneArguments, Verdict, left_out};
use crate::engine::{EngineFlags, EngineStarter, SizeRefused, check_memory};
use crate::exit::{Failure, Interrupted, is_interrupt};
use crate::measurement::share_note;
use crate::output::{or_dash, print, table};
use crate::progress::{Counter, say};
use crate::result_files::{ResultFile, Shard, take_lock};
pub(super) use comparison::GameFigures;
use comparison::{Comparison, Estimate, LEAST_GAMES, Size, TOLERANCE, is_look};
use positions::{Sides, read_games};
use replay::{Faults, Games, HANG_TIMEOUT};

/// Searches with all sizes until each is told from the best or not, and recommends a range of sizes.
///
/// # Errors
/// If the engine fails or forfeits a game, or a file cannot be read or written.
pub(super) fn run(arguments: &TuneArguments, flags: &EngineFlags, control: TimeControl) -> Result<()> {
    let path = arguments.out.join(RESULTS);
    let lock = take_lock(&path, "--out")?;
    let engines = EngineStarter::open(flags.log.as_deref())?;
    let command = arguments.command();
    let (mut config, name, default) = engine(arguments, flags, &engines)?;
    let engine_description = config.description().without("name");
    // A move that comes late is no reason not to measure the next one.
    config.control = TimeControl { margin: HANG_TIMEOUT, depth: config.control.depth, ..control };
    let sizes = sizes(arguments, &engines, &config)?;
    let limits = config.limits_text();
    // The games of which all sides are searched at the same time. The last ones are as many, as fewer engines at a time would
    // answer another question.
    let chunk = arguments.engine.concurrency.get().div_ceil(2);
    let recorded = recorded_games(arguments, &config.control, chunk)?;
    let played = arguments.games().next_multiple_of(chunk as u32);
    let count = recorded.as_ref().map_or(played, |games| games.len() as u32);
    let match_settings = arguments.match_settings(flags, vec![config.clone(), config.clone()], count)?;
    let openings = if recorded.is_some() { Vec::new() } else { openings(&match_settings, count)? };
    let match_header = MatchHeader::new("", match_settings.clone(), None);
    match_header.oversubscription().into_iter().for_each(|note| say(format_args!("{note}")));
    let settings = Settings {
        engine: name,
        engine_description,
        control: limits,
        concurrency: arguments.engine.concurrency,
        threads: threads(&config).unwrap_or(arguments.engine.threads),
        openings: recorded.is_none().then(|| match_settings.openings_text()),
        positions: arguments.games.positions.as_ref().map(|path| path.display().to_string()),
        first_column: arguments.games.first_column,
        seed: arguments.games.seed,
        sizes: sizes.clone(),
        default,
    };
    let shard = arguments.shard.unwrap_or(Shard::WHOLE);
    let all: Vec<_> = (1..=count).collect();
    let games = shard.dealt(all.chunks(chunk)).collect::<Vec<_>>().concat();
    let header = arguments.header(&Mode::Timed(settings.clone()), games.len() * sizes.len())?;
    let (mut file, mut rows) =
        ResultFile::<GameFigures>::open_in_batches(&path, "--out", &header, lock, chunk * sizes.len())?;
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
        recorded: recorded.as_deref(),
        sizes: &sizes,
    };
    let mut faults: Faults =
        rows.iter().filter_map(|row| Some((row.megabytes, row.fault.clone()?))).collect();
    let mut counter = Counter::new("tune-hash", "game", done.len(), games.len());
    let mut compared = done.len();
    let budget = arguments.limits.minutes.map(|minutes| Duration::from_secs(60 * minutes));
    let (start, mut longest) = (Instant::now(), Duration::ZERO);
    for numbers in todo.chunks(chunk) {
        let begun = Instant::now();
        if budget.is_some_and(|budget| start.elapsed() + longest > budget) {
            let note = format!("the time of `--minutes` ends the run after {compared} games");
            counter.with_bar_hidden(|| print(format_args!("{note}")))?;
            break;
        }
        // A shard has all its games.
        let looks = arguments.shard.is_none() && is_look(compared, chunk);
        if looks && Comparison::of(&rows, arguments.limits.tolerance).is_decided() {
            break;
        }
        let known = faults.clone();
        let found = match measured.measure(numbers, &mut faults) {
            Err(error) if is_interrupt(&error) => {
                drop(counter);
                if arguments.shard.is_none() && !rows.is_empty() {
                    conclude(&rows, &settings, arguments.limits.tolerance, &arguments.out)?;
                }
                bail!(Interrupted(format!(
                    "interrupted in game {}: repeat the command to continue",
                    numbers[0]
                )))
            }
            found => found?,
        };
        for (_, reason) in faults.iter().filter(|(size, _)| !known.contains_key(size)) {
            counter.with_bar_hidden(|| arguments.leave_out(reason))?;
        }
        ensure!(faults.len() + 1 < sizes.len(), Failure("no two sizes are left to compare".to_owned()));
        file.append_all(&found)?;
        rows.extend(found);
        compared += numbers.len();
        longest = longest.max(begun.elapsed());
        counter.advance_by(numbers.len(), String::new);
    }
    drop(counter);
    engines.close_log()?;
    if arguments.shard.is_some() {
        return print(format_args!("shard {shard}: {compared} games; `tune-hash merge` recommends a size"));
    }
    conclude(&rows, &settings, arguments.limits.tolerance, &arguments.out)
}

/// The engine, its name and its default table size.
///
/// # Errors
/// If the engine cannot be started, or sets `Hash`.
fn engine(
    arguments: &TuneArguments,
    flags: &EngineFlags,
    engines: &EngineStarter,
) -> Result<(EngineConfig, String, Option<usize>)> {
    let command = arguments.command();
    let mut config = flags.config(command, arguments.games.board.size(), None)?;
    if arguments.games.positions.is_some() {
        config.board = None;
    }
    let mut session = arguments.start(engines, &mut config, "--engine")?;
    let name = session.name.take().unwrap_or_else(|| command.to_owned());
    Ok((config, name, session.default_table_size()))
}

/// The sizes with which the engine starts.
///
/// # Errors
/// If there are not two of them.
fn sizes(arguments: &TuneArguments, engines: &EngineStarter, config: &EngineConfig) -> Result<Vec<usize>> {
    let sizes = arguments.granted(arguments.sizes(), |size| {
        let memory = check_memory(size.saturating_mul(arguments.engine.concurrency.get()));
        memory.map_err(|reason| SizeRefused(size, reason))?;
        engines.start(arguments.command(), config, &[], Some(size)).map(drop)
    })?;
    ensure!(sizes.len() > 1, "`--sizes`: expected two sizes or more, which can be compared");
    Ok(sizes.into_iter().collect())
}

/// The games of `--positions`: whole chunks, of at most `--games` games.
///
/// # Errors
/// If the file cannot be read, or has too few games for one chunk.
fn recorded_games(
    arguments: &TuneArguments,
    control: &TimeControl,
    chunk: usize,
) -> Result<Option<Vec<Sides>>> {
    let Some(path) = &arguments.games.positions else { return Ok(None) };
    let mut games = read_games(path, control)?;
    let wanted = arguments.limits.games.map_or(games.len(), |wanted| wanted as usize).min(games.len());
    ensure!(
        wanted >= chunk,
        "`{}`: {wanted} games; `--concurrency {}` needs {chunk}",
        path.display(),
        arguments.engine.concurrency
    );
    games.truncate(wanted / chunk * chunk);
    Ok(Some(games))
}

/// An opening for each game.
///
/// # Errors
/// If there are not as many different openings.
fn openings(settings: &MatchSettings, count: u32) -> Result<Vec<OpeningLine>> {
    let (openings, source) = (settings.different_openings()?.0, &settings.openings.source);
    ensure!(
        openings.len() >= count as usize,
        "`--openings {source}`: {count} games need as many different openings, and there are {}: give others, or fewer \
         `--games`",
        openings.len()
    );
    Ok(openings)
}

/// The threads of the engine, if they are set.
fn threads(config: &EngineConfig) -> Option<NonZeroUsize> {
    let (_, value) = config.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("Threads"))?;
    value.parse().ok()
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    openings: Option<String>,
    /// The file of `--positions`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    positions: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    first_column: Option<u32>,
    seed: u64,
    sizes: Vec<usize>,
    /// The engine's own default of `Hash`.
    default: Option<usize>,
}

/// The figures of a size in all games.
#[derive(Serialize)]
struct Total {
    megabytes: usize,
    verdict: Option<&'static str>,
    /// How much longer it takes to the same depth than the best size, as a share, and the half of the interval.
    longer: Option<f64>,
    error: Option<f64>,
    late: u32,
    moves: u32,
    /// Share of the positions whose value was proved in time.
    solved: f64,
    /// Million nodes a second.
    speed: Option<f64>,
    /// Share of the processor that the engine got.
    processor: Option<f64>,
    full: Option<f64>,
    full_most: Option<f64>,
    memory_mb: Option<f64>,
    start_ms: Option<f64>,
    clear_ms: Option<f64>,
}

/// Mean of the games that have the figure.
fn mean(games: &[&GameFigures], of: impl Fn(&GameFigures) -> Option<f64>) -> Option<f64> {
    let known: Vec<_> = games.iter().filter_map(|game| of(game)).collect();
    (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
}

/// Share of the processor that an engine on so many threads got in these games.
fn processor_share(games: &[&GameFigures], threads: NonZeroUsize) -> Option<f64> {
    let cpu: Option<f64> = games.iter().map(|game| game.cpu_ms).sum();
    let time: f64 = games.iter().map(|game| game.time_ms).sum::<f64>() * threads.get() as f64;
    if time > 0.0 { cpu.map(|cpu| (cpu / time).min(1.0)) } else { None }
}

impl Total {
    /// The figures of the size in these games, which is `compared` if there are enough games.
    fn new(megabytes: usize, games: &[&GameFigures], compared: Option<&Size>, threads: NonZeroUsize) -> Self {
        let moves = games.iter().map(|game| game.positions).sum();
        let solved: u32 = games.iter().map(|game| game.solved).sum();
        let nodes: f64 = games.iter().filter_map(|game| game.nodes).map(|nodes| nodes as f64).sum();
        let time: f64 = games.iter().filter(|game| game.nodes.is_some()).map(|game| game.time_ms).sum();
        Self {
            megabytes,
            verdict: compared.map(|size| match size.verdict {
                Verdict::Good => "good",
                Verdict::Worse if size.loses_on_time() => "loses on time",
                Verdict::Worse => "worse",
                Verdict::Open(_) => "cannot tell",
            }),
            longer: compared.map(|size| size.cost.value),
            error: compared.map(|size| size.cost.error),
            late: games.iter().map(|game| game.late).sum(),
            moves,
            solved: f64::from(solved) / f64::from(moves.max(1)),
            speed: (nodes > 0.0).then(|| nodes / time / 1e3),
            processor: processor_share(games, threads),
            full: mean(games, |game| game.full),
            full_most: mean(games, |game| game.full_most),
            memory_mb: mean(games, |game| game.memory_mb),
            start_ms: mean(games, |game| Some(game.start_ms)),
            clear_ms: mean(games, |game| Some(game.clear_ms)),
        }
    }

    /// How much longer it takes to the same depth than the best size.
    fn cost(&self) -> Option<Estimate> {
        Some(Estimate { value: self.longer?, error: self.error? })
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
    let Settings { engine, control, concurrency, threads, .. } = settings;
    let source = match (&settings.openings, &settings.positions) {
        (Some(openings), _) => format!("openings: {openings}"),
        (_, positions) => format!("positions: {}", positions.as_deref().unwrap_or("-")),
    };
    let mut totals = Vec::new();
    let mut sentences = vec![sentence(&comparison, tolerance, settings.default)];
    for &megabytes in &settings.sizes {
        let games: Vec<_> = rows.iter().filter(|row| row.megabytes == megabytes).collect();
        if let Some(fault) = games.iter().find_map(|game| game.fault.as_ref()) {
            sentences.push(left_out(fault));
            continue;
        }
        let compared = comparison.sizes.iter().find(|size| size.megabytes == megabytes);
        totals.push(Total::new(megabytes, &games, compared, *threads));
    }
    let searched: Vec<_> = rows.iter().filter(|row| row.fault.is_none()).collect();
    let (share, load) = (processor_share(&searched, *threads), mean(&searched, |row| row.load));
    sentences.extend(share.and_then(share_note));
    if ignores_size(&totals) {
        sentences
            .push("This engine seems to ignore `Hash`: fill and memory are equal at all sizes".to_owned());
    }
    let first = totals.first().map_or(0, |total| total.megabytes);
    let (mut positions, mut skipped) = (0, 0);
    for row in searched.iter().filter(|row| row.megabytes == first) {
        positions += row.positions;
        skipped += row.skipped;
    }
    let setup = format!(
        "{engine}, {control}, {concurrency} at a time, threads {threads}, {source}; {} games, {positions} positions, \
         {skipped} left out; processor share {}, load average {}",
        comparison.games,
        or_dash(share, per_cent),
        or_dash(load, |load| format!("{load:.1}")),
    );
    let note = "Vertical lines: 95 % with all sizes and looks taken together; of the filling, up to the fullest of a game.";
    print(format_args!("{setup}"))?;
    let answer =
        Answer { setup: &setup, sentences: &sentences, recommended: comparison.recommended(tolerance) };
    publish(out, &answer, &totals, &rows_of(&totals), &charts(&totals, tolerance), note)
}

fn per_cent(share: f64) -> String {
    format!("{:.0}%", 100.0 * share)
}

/// Whether fill and memory are equal at all sizes, as far as the engine and the system report both. On a busy machine the
/// fill of one size varies by a third.
fn ignores_size(totals: &[Total]) -> bool {
    let [first, .., last] = totals else { return false };
    let fills: Option<Vec<_>> = totals.iter().map(|total| total.full).collect();
    let memories: Option<Vec<_>> = totals.iter().map(|total| total.memory_mb).collect();
    let (Some(fills), Some(memories)) = (fills, memories) else { return false };
    let (full, expected) = (most(&fills), (last.megabytes - first.megabytes) as f64);
    let has_equal_fill = full > 0.0 && full < 1.5 * least(&fills);
    has_equal_fill && most(&memories) - least(&memories) < expected / 2.0
}

fn least(numbers: &[f64]) -> f64 {
    numbers.iter().copied().fold(f64::INFINITY, f64::min)
}

fn most(numbers: &[f64]) -> f64 {
    numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// The table: a row for each size below the headings.
fn rows_of(totals: &[Total]) -> Vec<String> {
    let whole = |number: f64| format!("{number:.0}");
    let row = |total: &Total| {
        vec![
            total.megabytes.to_string(),
            format!("{:.1}%", 100.0 * total.solved),
            or_dash(total.cost(), |Estimate { value, error }| {
                format!("{:+.1} ± {:.1}%", 100.0 * value, 100.0 * error)
            }),
            total.late.to_string(),
            or_dash(total.speed, |speed| format!("{speed:.2}")),
            or_dash(total.processor, per_cent),
            or_dash(total.full, per_cent),
            or_dash(total.full_most, per_cent),
            or_dash(total.memory_mb, whole),
            or_dash(total.start_ms, whole),
            or_dash(total.clear_ms, whole),
        ]
    };
    let headings = "    MB| solved|          time| late|  Mn/s|  cpu| full| most| memory|start ms|clear ms";
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
    let with = |wanted| sizes.iter().filter(move |size| size.verdict == wanted);
    let mut parts = Vec::new();
    match (best, comparison.recommended(tolerance)) {
        (None, _) => parts.push("cannot tell which size is the best: each has late moves".to_owned()),
        (_, None) => parts.push("cannot tell which size is the best".to_owned()),
        (_, Some(best)) if with(Verdict::Good).count() == 1 => {
            let within = format!("within {tolerance} % of ");
            let within = if comparison.has_open() { &within } else { "" };
            parts.push(format!("{best} MB: {within}the best"));
        }
        (_, Some(best)) => {
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
    }
    for size in with(Verdict::Worse) {
        let Size { megabytes, cost, late, moves, .. } = size;
        parts.push(if size.loses_on_time() {
            format!("{megabytes} MB loses games on time: {late} of {moves} moves are late")
        } else {
            format!("{megabytes} MB takes {} longer", percentage(*cost))
        });
    }
    for Size { megabytes, cost, late, moves, verdict } in sizes {
        let Verdict::Open(more) = *verdict else { continue };
        let remedy = if *late > 0 {
            format!("{late} of {moves} moves are late")
        } else if more <= MOST_MORE {
            format!("about {more} more games would")
        } else if 100.0 * cost.error < tolerance {
            format!("it is too near to {tolerance} %")
        } else {
            "the times vary too much".to_owned()
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

/// The pictures. Each value has the ends of its vertical line next to it. `tolerance` is in per cent.
fn charts(totals: &[Total], tolerance: f64) -> Vec<Chart> {
    let curve = |name: &str, of: &dyn Fn(&Total) -> Option<[f64; 3]>| -> Curve {
        let point = |total: &Total| of(total).map(|[value, low, high]| (total.megabytes, value, low, high));
        (name.to_owned(), totals.iter().filter_map(point).collect())
    };
    let plain =
        |name: &str, of: fn(&Total) -> Option<f64>| curve(name, &|total| of(total).map(|value| [value; 3]));
    let time = curve("time", &|total| {
        let Estimate { value, error } = total.cost()?;
        Some([0.0, -error, error].map(|offset| 1.0 + value + offset))
    });
    let bound = curve("tolerance", &|total| total.cost().map(|_| [1.0 + tolerance / 100.0; 3]));
    let full = curve("filling", &|total| {
        let [full, most] = [total.full?, total.full_most?];
        Some([full, full, most].map(|share| 100.0 * share))
    });
    let solved = plain("solved", |total| Some(100.0 * total.solved));
    let speed = plain("speed", |total| total.speed);
    let start = plain("start", |total| total.start_ms);
    let clear = plain("clear", |total| total.clear_ms);
    let time_title = "Time to the same depth, as a multiple of the best size's";
    let start_title = "Milliseconds to start with the table, and to clear it for a new game";
    let chart = |(file, title, scale, curves)| Chart { file, title, scale, curves };
    let charts = [
        ("time.svg", time_title, RATIO, vec![time, bound]),
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
        Size { megabytes, cost: Estimate { value: cost, error: 0.02 }, late: 0, moves: 300, verdict }
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
            let best = sizes.iter().position(|size| size.cost.value.abs() < 1e-9);
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
        let open = "cannot tell which size is the best. Cannot tell about 4 MB (5 ± 2 % longer): it is too near to 5 %";
        assert_eq!(said(&near, None), open);
        let mut noisy = near.to_vec();
        noisy[1].cost.error = 0.5;
        assert!(said(&noisy, None).ends_with("4 MB (5 ± 50 % longer): the times vary too much"));
        noisy[1].cost.error = 0.08;
        noisy.push(size(64, 0.3, Worse));
        let said_of_open = said(&noisy, None);
        assert!(said_of_open.starts_with("1 MB: within 5 % of the best. 64 MB takes "), "{said_of_open}");
        noisy.pop();
        // The open size may be much faster than both decided sizes.
        noisy[1].cost.error = 0.5;
        noisy.push(size(16, 0.3, Worse));
        assert!(said(&noisy, None).starts_with("cannot tell which size is the best. 16 MB takes "));
        let late = Size { late: 90, ..size(256, -0.1, Worse) };
        let few = Size { late: 2, ..size(64, 0.0, Open(16)) };
        assert_eq!(
            said(&[size(1, 0.0, Good), few.clone(), late.clone()], None),
            "1 MB: the best. 256 MB loses games on time: 90 of 300 moves are late. Cannot tell about 64 MB (0 ± 2 % longer): 2 \
             of 300 moves are late"
        );
        let all_late = sentence(&Comparison { games: 16, sizes: vec![few, late], best: None }, 5.0, None);
        assert!(
            all_late.starts_with("cannot tell which size is the best: each has late moves. "),
            "{all_late}"
        );
        assert_eq!(said(&[], None), "cannot tell from 16 games: 0 more are the least");
    }

    #[test]
    fn an_engine_that_ignores_the_size_has_equal_fill_and_memory() {
        let of = |fills: [f64; 2], memory_mb: [f64; 2]| {
            let total = |place: usize| {
                let row = GameFigures {
                    full: Some(fills[place]),
                    memory_mb: Some(memory_mb[place]),
                    ..GameFigures::default()
                };
                Total::new([1, 256][place], &[&row], None, NonZeroUsize::MIN)
            };
            ignores_size(&[total(0), total(1)])
        };
        assert!(of([0.5, 0.52], [20.0, 22.0]));
        assert!(
            !of([0.5, 0.01], [20.0, 22.0]) && !of([0.5, 0.5], [20.0, 270.0]) && !of([0.0, 0.0], [20.0, 20.0])
        );
    }
}
