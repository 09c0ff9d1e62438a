//! Tuning under a time control.
//!
//! The engine plays games against itself. Each size then searches the positions of each game again, in the order of
//! the game, with a process for each side. `--concurrency` processes search at the same time, which loads the machine
//! as a match does.

mod comparison;
mod positions;
mod replay;

use std::collections::HashSet;
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
use crate::engine::{EngineStarter, SizeRefused, check_memory, open_starter};
use crate::exit::{Failure, Interrupted, is_interrupt};
use crate::measurement::share_note;
use crate::output::{or_dash, print, table};
use crate::plot::extent;
use crate::progress::{Counter, say};
use crate::result_files::{ResultFile, Shard, take_lock};
pub(super) use comparison::GameFigures;
use comparison::{Comparison, Estimate, LEAST_GAMES, Size, TOLERANCE, is_look};
use positions::{HANG_TIMEOUT, Sides, read_games};
use replay::{Faults, Games};

/// Measures games until every size is decided, and recommends a range of sizes.
pub(super) fn run(arguments: &TuneArguments, control: TimeControl) -> Result<()> {
    let path = arguments.out.join(RESULTS);
    let lock = take_lock(&path, "--out")?;
    let engines = open_starter(arguments.flags.log.as_deref())?;
    let command = arguments.command();
    let (mut config, name, default) = engine(arguments, &engines)?;
    let engine_description = config.description().without("name");
    // With this time margin, no move loses on time.
    config.control = TimeControl { margin: HANG_TIMEOUT, depth: config.control.depth, ..control };
    let sizes = sizes(arguments, &engines, &config)?;
    let limits = config.limits_text();
    let chunk = chunk(arguments);
    let recorded = recorded_games(arguments, &config.control, chunk)?;
    let count = match &recorded {
        Some(games) => games.len() as u32,
        None => arguments.games().next_multiple_of(chunk as u32),
    };
    let match_settings = arguments.match_settings(vec![config.clone(), config.clone()], count)?;
    let (mut lines, mut openings_text) = (Vec::new(), None);
    if recorded.is_none() {
        lines = openings(&match_settings, count)?;
        openings_text = Some(match_settings.openings_text());
    }
    let match_header = MatchHeader::new("", match_settings.clone(), None);
    match_header.oversubscription().into_iter().for_each(|note| say(format_args!("{note}")));
    let settings = Settings {
        engine: name,
        engine_description,
        control: limits,
        concurrency: arguments.engine.concurrency,
        threads: threads(&config).unwrap_or(arguments.engine.threads),
        openings: openings_text,
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
    let (file, rows) =
        ResultFile::<GameFigures>::open_in_batches(&path, "--out", &header, lock, chunk * sizes.len())?;
    let measured = Games {
        engines: &engines,
        command,
        config: &config,
        settings: &match_settings,
        openings: &lines,
        recorded: recorded.as_deref(),
        sizes: &sizes,
    };
    let (rows, interrupt) = measure(arguments, &measured, &games, file, rows)?;
    if interrupt.is_none() {
        engines.close_log()?;
        if arguments.shard.is_some() {
            let done = rows.len() / sizes.len();
            return print(format_args!("shard {shard}: {done} games; `tune-hash merge` recommends a size"));
        }
    }
    if arguments.shard.is_none() && !rows.is_empty() {
        conclude(&rows, &settings, arguments.limits.tolerance, &arguments.out)?;
    }
    match interrupt {
        Some(game) => {
            bail!(Interrupted(format!("interrupted in game {game}: repeat the command to continue")))
        }
        None => Ok(()),
    }
}

/// Number of games that are measured together. Both sides of all these games are searched at the same time.
fn chunk(arguments: &TuneArguments) -> usize {
    arguments.engine.concurrency.get().div_ceil(2)
}

/// Measures the games that `rows` lacks, until every size is decided or the time is up. Returns all rows, and the game
/// that Ctrl-C interrupted.
fn measure(
    arguments: &TuneArguments,
    measured: &Games<'_>,
    games: &[u32],
    mut file: ResultFile<GameFigures>,
    mut rows: Vec<GameFigures>,
) -> Result<(Vec<GameFigures>, Option<u32>)> {
    let done: HashSet<u32> = rows.iter().map(|row| row.game).collect();
    let (taken, todo): (Vec<u32>, Vec<u32>) = games.iter().partition(|game| done.contains(game));
    if !taken.is_empty() {
        print(format_args!("{} games taken from `{}`", taken.len(), arguments.out.join(RESULTS).display()))?;
    }
    let mut faults = Faults::new();
    for row in &rows {
        if let Some(fault) = &row.fault {
            faults.insert(row.megabytes, fault.clone());
        }
    }
    let mut counter = Counter::new("tune-hash", "game", taken.len(), games.len());
    let mut compared = taken.len();
    let budget = arguments.limits.minutes.map(|minutes| Duration::from_secs(60 * minutes));
    let (start, mut longest) = (Instant::now(), Duration::ZERO);
    for numbers in todo.chunks(chunk(arguments)) {
        let begun = Instant::now();
        if budget.is_some_and(|budget| start.elapsed() + longest > budget) {
            let note = format!("the time of `--minutes` ends the run after {compared} games");
            counter.with_bar_hidden(|| print(format_args!("{note}")))?;
            break;
        }
        // A shard measures all its games, because only a merge decides.
        if arguments.shard.is_none()
            && is_look(compared, chunk(arguments))
            && Comparison::of(&rows, arguments.limits.tolerance).is_decided()
        {
            break;
        }
        let known = faults.clone();
        let found = match measured.measure(numbers, &mut faults) {
            Err(error) if is_interrupt(&error) => return Ok((rows, Some(numbers[0]))),
            found => found?,
        };
        for (size, reason) in &faults {
            if !known.contains_key(size) {
                counter.with_bar_hidden(|| arguments.leave_out(reason))?;
            }
        }
        let is_any_left = faults.len() + 1 < measured.sizes.len();
        ensure!(is_any_left, Failure("no two sizes are left to compare".to_owned()));
        file.append_all(&found)?;
        rows.extend(found);
        compared += numbers.len();
        longest = longest.max(begun.elapsed());
        counter.advance_by(numbers.len(), String::new);
    }
    Ok((rows, None))
}

fn engine(
    arguments: &TuneArguments,
    engines: &EngineStarter,
) -> Result<(EngineConfig, String, Option<usize>)> {
    let command = arguments.command();
    let mut config = arguments.flags.config(command, arguments.games.board.size(), None)?;
    if arguments.games.positions.is_some() {
        config.board = None;
    }
    let mut session = arguments.start(engines, &mut config, "--engine")?;
    let name = session.name.take().unwrap_or_else(|| command.to_owned());
    Ok((config, name, session.default_table_size()))
}

/// The table sizes with which the engine starts, at least two.
fn sizes(arguments: &TuneArguments, engines: &EngineStarter, config: &EngineConfig) -> Result<Vec<usize>> {
    let sizes = arguments.granted(arguments.sizes(), |size| {
        let memory = check_memory(size.saturating_mul(arguments.engine.concurrency.get()));
        memory.map_err(|reason| SizeRefused(size, reason))?;
        engines.start(arguments.command(), config, &[], Some(size)).map(drop)
    })?;
    ensure!(sizes.len() > 1, "`--sizes`: expected two sizes or more, which can be compared");
    Ok(sizes.into_iter().collect())
}

/// The games of `--positions`, at most `--games`. Leaves out the last games if they would not use all processes.
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

fn threads(config: &EngineConfig) -> Option<NonZeroUsize> {
    let (_, value) = config.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("Threads"))?;
    value.parse().ok()
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Settings {
    engine: String,
    #[serde(default)]
    engine_description: EngineDescription,
    control: String,
    concurrency: NonZeroUsize,
    threads: NonZeroUsize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    openings: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    positions: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    first_column: Option<u32>,
    seed: u64,
    sizes: Vec<usize>,
    /// Default `Hash` of the engine.
    default: Option<usize>,
}

#[derive(Serialize)]
struct Total {
    megabytes: usize,
    verdict: Option<&'static str>,
    /// Additional time to the same depth, as a share of the best size's time.
    longer: Option<f64>,
    error: Option<f64>,
    late: u32,
    moves: u32,
    solved: f64,
    /// Million nodes per second.
    speed: Option<f64>,
    processor: Option<f64>,
    full: Option<f64>,
    full_most: Option<f64>,
    memory_mb: Option<f64>,
    start_ms: Option<f64>,
    clear_ms: Option<f64>,
}

fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let numbers: Vec<_> = numbers.collect();
    if numbers.is_empty() { None } else { Some(numbers.iter().sum::<f64>() / numbers.len() as f64) }
}

fn processor_share(games: &[&GameFigures], threads: NonZeroUsize) -> Option<f64> {
    let cpu: Option<f64> = games.iter().map(|game| game.cpu_ms).sum();
    let time: f64 = games.iter().map(|game| game.time_ms).sum::<f64>() * threads.get() as f64;
    if time > 0.0 { cpu.map(|cpu| (cpu / time).min(1.0)) } else { None }
}

impl Total {
    /// The results of a table size. `compared` is `None` if there are too few games.
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
            speed: if nodes > 0.0 { Some(nodes / time / 1e3) } else { None },
            processor: processor_share(games, threads),
            full: mean(games.iter().filter_map(|game| game.full)),
            full_most: mean(games.iter().filter_map(|game| game.full_most)),
            memory_mb: mean(games.iter().filter_map(|game| game.memory_mb)),
            start_ms: mean(games.iter().map(|game| game.start_ms)),
            clear_ms: mean(games.iter().map(|game| game.clear_ms)),
        }
    }

    fn cost(&self) -> Option<Estimate> {
        Some(Estimate { value: self.longer?, error: self.error? })
    }
}

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
    let (share, load) =
        (processor_share(&searched, *threads), mean(searched.iter().filter_map(|row| row.load)));
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
    let answer =
        Answer { setup: &setup, sentences: &sentences, recommended: comparison.recommended(tolerance) };
    publish(out, &answer, &totals, &rows_of(&totals), &charts(&totals, tolerance), note)
}

fn per_cent(share: f64) -> String {
    format!("{:.0}%", 100.0 * share)
}

/// Whether the engine seems to ignore `Hash`: filled share and memory are nearly equal at all sizes. On a busy machine
/// the filled share varies by a third.
fn ignores_size(totals: &[Total]) -> bool {
    let [first, .., last] = totals else { return false };
    let fills: Option<Vec<_>> = totals.iter().map(|total| total.full).collect();
    let memories: Option<Vec<_>> = totals.iter().map(|total| total.memory_mb).collect();
    let (Some(fills), Some(memories)) = (fills, memories) else { return false };
    let (fill, memory) = (extent(fills.into_iter()), extent(memories.into_iter()));
    let has_equal_fill = fill.end > 0.0 && fill.end < 1.5 * fill.start;
    has_equal_fill && memory.end - memory.start < (last.megabytes - first.megabytes) as f64 / 2.0
}

fn rows_of(totals: &[Total]) -> Vec<String> {
    let headings = "    MB| solved|          time| late|  Mn/s|  cpu| full| most| memory|start ms|clear ms";
    table(headings, totals.iter().map(cells))
}

fn cells(total: &Total) -> Vec<String> {
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
}

fn whole(number: f64) -> String {
    format!("{number:.0}")
}

/// Maximum number of additional games to advise: about an hour at 20 ms per move.
const MOST_MORE: u64 = 2000;

fn sentence(comparison: &Comparison, tolerance: f64, default: Option<usize>) -> String {
    let Comparison { games, sizes, best } = comparison;
    if sizes.is_empty() {
        let more = LEAST_GAMES.saturating_sub(*games);
        return format!("cannot tell from {games} games: {more} more are the least");
    }
    let good: Vec<_> = sizes.iter().filter(|size| size.verdict == Verdict::Good).collect();
    let mut parts = Vec::new();
    match (best, comparison.recommended(tolerance)) {
        (None, _) => parts.push("cannot tell which size is the best: each has late moves".to_owned()),
        (_, None) => parts.push("cannot tell which size is the best".to_owned()),
        (_, Some(best)) if good.len() == 1 => {
            let within = format!("within {tolerance} % of ");
            let within = if comparison.has_open() { &within } else { "" };
            parts.push(format!("{best} MB: {within}the best"));
        }
        (_, Some(best)) => {
            let note = match good.iter().find(|size| Some(size.megabytes) == default) {
                Some(Size { megabytes, cost, .. }) if cost.value > 0.0 => {
                    format!("; {megabytes} MB, the default, takes {} longer", percentage(*cost))
                }
                Some(size) => format!("; {} MB is the default", size.megabytes),
                None => String::new(),
            };
            parts.push(format!("{}: within {tolerance} % of the best, {best} MB{note}", ranges(sizes)));
        }
    }
    for size in sizes {
        let Size { megabytes, cost, late, moves, .. } = size;
        if size.verdict != Verdict::Worse {
            continue;
        }
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

/// The good sizes as ranges: `any size from 1 to 64 MB`, `4 MB and any size from 64 to 256 MB`.
fn ranges(sizes: &[Size]) -> String {
    let mut ranges = Vec::new();
    for run in sizes.chunk_by(|one, other| one.is_good() == other.is_good()) {
        match run {
            [first, ..] if !first.is_good() => {}
            [first, .., last] => {
                ranges.push(format!("any size from {} to {} MB", first.megabytes, last.megabytes));
            }
            _ => ranges.push(format!("{} MB", run[0].megabytes)),
        }
    }
    ranges.join(" and ")
}

fn charts(totals: &[Total], tolerance: f64) -> Vec<Chart> {
    let time = curve(totals, "time", |total| {
        let Estimate { value, error } = total.cost()?;
        Some([0.0, -error, error].map(|offset| 1.0 + value + offset))
    });
    let bound = curve(totals, "tolerance", |total| total.cost().map(|_| [1.0 + tolerance / 100.0; 3]));
    let full = curve(totals, "filling", |total| {
        let [full, most] = [total.full?, total.full_most?];
        Some([full, full, most].map(|share| 100.0 * share))
    });
    let solved = curve(totals, "solved", |total| Some([100.0 * total.solved; 3]));
    let speed = curve(totals, "speed", |total| Some([total.speed?; 3]));
    let start = curve(totals, "start", |total| Some([total.start_ms?; 3]));
    let clear = curve(totals, "clear", |total| Some([total.clear_ms?; 3]));
    let start_title = "Milliseconds to start with the table, and to clear it for a new game";
    vec![
        Chart {
            file: "time.svg",
            title: "Time to the same depth, as a multiple of the best size's",
            scale: RATIO,
            curves: vec![time, bound],
        },
        Chart {
            file: "solved.svg",
            title: "Positions whose value was proved in time",
            scale: PER_CENT,
            curves: vec![solved],
        },
        Chart { file: "speed.svg", title: "Million nodes per second", scale: PLAIN, curves: vec![speed] },
        Chart {
            file: "full.svg",
            title: "How full the table was at the end of a move",
            scale: PER_CENT,
            curves: vec![full],
        },
        Chart { file: "start.svg", title: start_title, scale: PLAIN, curves: vec![start, clear] },
    ]
}

/// A curve. `of` returns a value and the ends of its error bar.
fn curve(totals: &[Total], name: &str, of: impl Fn(&Total) -> Option<[f64; 3]>) -> Curve {
    let mut points = Vec::new();
    for total in totals {
        if let Some([value, low, high]) = of(total) {
            points.push((total.megabytes, value, low, high));
        }
    }
    (name.to_owned(), points)
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
        // The undecided size may be much faster than both decided sizes.
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
