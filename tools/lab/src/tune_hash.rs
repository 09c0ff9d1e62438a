//! `plumb-lab tune-hash`: how large the table should be.

mod play;
mod plot;
mod recommend;
mod solve;
mod timed;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, ensure};
use plumb::board::{Board, Geometry};
use plumb_arena::engine::config::{EngineConfig, EngineDescription};
use plumb_arena::engine::session::EngineSession;
use plumb_arena::settings::{MatchSettings, OpeningSource};
use plumb_arena::time_control::{ClockControl, TimeControl};
use plumb_studies::table_size::megabytes;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::arguments::{self, RunOrMerge};
use crate::engine::{EngineFlags, EngineStarter, SizeRefused};
use crate::exit::{Failure, engine_failure};
use crate::output::{self, check_directory, print};
use crate::result_files::{Header, Shard, Shards, write_all};
use play::Matches;
use recommend::Run;
use solve::conclude;

/// Recommend a table size by measurement.
///
/// For an arena: `plumb-lab tune-hash --movetime 100 --concurrency 2 --out DIR` finds the best size for 100 ms a move
/// (st=0.1) with two engines thinking at a time; `--tc 10+0.1` for a game clock. The engine plays games against itself under
/// that limit. Each size then searches the positions of these games again, in their order, with a process for each side, of
/// which as many think at the same time as `--concurrency` says. The answer is the range of sizes that are as good as the
/// best within `--tolerance`, and how much longer the others take to the same depth; "cannot tell about 64 MB", with how
/// many more games would, names a size whose error is too large. The run ends after 8, 16, 32 … games if it can tell about
/// every size, after `--games`, or after `--minutes`. Ctrl-C prints the answer so far.
///
/// A move is late if it takes more than 50 ms over its limit. Limits below 50 ms are forgiven their own length, but at least
/// 10 ms. Up to 50 ms in which the engine did not get the processor do not count. A size with late moves is never good, and more than 1 % of late moves lose games on time. The answer warns if the
/// engine used less than 80 % of the processor time, as on a busy machine.
///
/// `--positions FILE` tunes an engine of any game, such as chess. No games are played: each size searches the games of the
/// file. The file needs at least eight games, and `--movetime`, as a game clock needs the times of moves. With `--concurrency`
/// 3 or more, games that do not fill the last round are left out.
///
/// Without `--movetime`, `--tc` and `--match` each size solves every `--suite` file, whatever time it takes: cold, with
/// an empty table for each position, and warm, with the table kept through the file. The order of the sizes changes
/// from repeat to repeat, so that other load on the machine favours none. Without files each size solves the empty
/// board, which takes long on a `--board` larger than 7x6: a file of later positions, such as `plumb-lab positions`
/// makes, is then the better choice. Times are processor time, also of an `--engine` on systems that report it, and
/// wall time with more `--threads`. The recommendation is then the engine's default size if a size takes less than a
/// second of work, or if repeats of one size differ by more than the sizes do.
///
/// A size is named with the reason and left out if the engine does not declare the size, says that it did not get it, lacks
/// memory for it, or fails with it: at the start, by a crash, or without an answer. The shards of a run must have all sizes, so that a shard ends there. Each answer of an engine
/// to `go` may take an hour, and under a time control the limit and 60 s.
///
/// With `--match` each size instead plays against a reference size, in matches like those of `plumb-lab match`, whose
/// directories `match-MB` are in `--out`. A match ends as soon as a sequential test tells whether its size is weaker than
/// the reference; a size that `--games` tell nothing about is named with the number of games that would. The verdicts hold
/// with 95 % for all sizes together. Intervals of Elo are wider than those of `plumb-lab match`, since they hold for few
/// games, and for pairs of games that are nearly all even, too. Engines play without their book, option `OwnBook`, unless
/// `--engine` or `--time-control` sets it. A fault of the engine with the reference size ends the run.
///
/// The directory gets `tune-hash.csv`, with a line for each run as it ends, or for each match in the end, and plots of time,
/// nodes, nodes per second and filled share of the table, and for the built-in solver on one thread of hits and overwrites;
/// of Elo; or, under a time control, of time, solved positions, speed, filled share and start. `tune-hash.html` has all of
/// them on one page. `tune-hash-sizes.csv` and `tune-hash.json` have the figures of each size. The last line is for scripts:
/// `recommended Hash=16`, or `recommended Hash=none` if the measurements do not decide. The same command resumes an
/// interrupted run.
///
/// `--shard I/N` deals out games, or rounds, like cards: in a round all sizes solve one file once, on one machine, so that
/// they can be compared. With `--match` each match is played in shards. `tune-hash merge` puts the directories of all shards
/// together, and recommends a size.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    command: RunOrMerge<TuneArguments, MergeArguments>,
    #[command(flatten)]
    flags: EngineFlags,
}

/// Merge the shards of a run, and recommend a size.
///
/// Shards are the directories of runs with `--shard I/N` and otherwise equal arguments, on any machine.
#[derive(clap::Args)]
struct MergeArguments {
    /// The directories of the shards.
    #[arg(value_name = "DIR", required = true)]
    parts: Vec<PathBuf>,
    /// Take sizes for as good as the best that take at most this many per cent longer. [default: 30 under a time control,
    /// else 5]
    #[arg(long, value_name = "PERCENT", value_parser = tolerance)]
    tolerance: Option<f64>,
    /// Directory for all results and plots.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// The arguments of a run.
#[derive(clap::Args)]
struct TuneArguments {
    /// Sizes to try, in MB, as in 16 or 16MB.
    #[arg(long, value_name = "MB,…", value_delimiter = ',', default_value = "1,2,4,8,16,32,64,128,256",
          value_parser = megabytes)]
    sizes: Vec<usize>,
    /// The board: columns by rows, 4x4 up to what 128 bits hold.
    #[arg(long, value_name = "WxH", default_value = "7x6")]
    board: Board,
    #[arg(long, value_parser = arguments::first_column(), value_name = "N", help = arguments::FIRST_COLUMN_HELP, requires = "files")]
    first_column: Option<u32>,
    /// Files of lines `position [score]`. [default: the empty board]
    #[arg(long = "suite", value_name = "FILE", num_args = 1.., group = "files")]
    suites: Vec<PathBuf>,
    /// Solve only the first N positions of each file.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Threads of the built-in solver, and of each side in a game.
    #[arg(long, value_name = "N", default_value = "1", conflicts_with = "engine")]
    threads: NonZeroUsize,
    /// Solve or play with this engine, which needs the option `Hash`: a program and its arguments, quoted as in a shell.
    #[arg(long, value_name = "CMD")]
    engine: Option<String>,
    /// Number of times that each size solves each file.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,
    /// Seed of the order of the sizes, and of random openings.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Take sizes for as good as the best that take at most this many per cent longer. [default: 30 under a time control,
    /// else 5]
    #[arg(long, value_name = "PERCENT", value_parser = tolerance)]
    tolerance: Option<f64>,
    /// Tune for moves of so many milliseconds, at positions from games under that limit.
    #[arg(long, value_name = "MS", group = "mode", conflicts_with_all = ["suites", "limit", "repeat"],
          value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    movetime: Option<u64>,
    /// The same under a game clock, `[MOVES/]TIME[+INCREMENT]` in seconds, as in `plumb-lab match`.
    #[arg(long, value_name = "CLOCK", group = "mode", conflicts_with_all = ["suites", "limit", "repeat"])]
    tc: Option<ClockControl>,
    /// Search the games of this file instead of playing games. Each line is a UCI command such as `position startpos moves
    /// e2e4`, in the order of the game. A blank line separates games. Any UCI engine of any game can search them.
    #[arg(long, value_name = "FILE", requires = "movetime", conflicts_with_all = ["tc", "board", "openings", "first_column"])]
    positions: Option<PathBuf>,
    /// Tune by play instead of solving.
    #[arg(long = "match", groups = ["mode", "matches"],
          conflicts_with_all = ["suites", "limit", "repeat", "tolerance"])]
    play: bool,
    /// Openings of the games, as in `plumb-lab match`.
    #[arg(long, value_name = "SUITE|FILE", requires = "mode", group = "files", default_value = "random")]
    openings: OpeningSource,
    /// Limits of both sides, as in `plumb-lab match --each`.
    #[arg(long, value_name = "LIMITS", default_value = "st=0.02,timemargin=50", requires = "matches")]
    time_control: EngineDescription,
    /// Reference size in MB, which plays against all others. [default: the largest]
    #[arg(long, value_name = "MB", requires = "matches", value_parser = megabytes)]
    reference: Option<usize>,
    /// Loss of Elo against the reference, up to which a size is taken for as good.
    #[arg(long, value_name = "ELO", default_value = "20", requires = "matches", value_parser = loss)]
    elo: f64,
    /// Games of each size, at most; without `--match` a few more, if need be, so that `--concurrency` engines think to the
    /// end. [default: 400 with `--match`, all with `--positions`, else 128]
    #[arg(long, value_name = "N", requires = "mode", value_parser = clap::value_parser!(u32).range(2..))]
    games: Option<u32>,
    /// End the run in time to answer within N minutes, from as many games as that allows.
    #[arg(long, value_name = "N", requires = "mode", conflicts_with_all = ["play", "shard"],
          value_parser = clap::value_parser!(u64).range(1..=10_000))]
    minutes: Option<u64>,
    /// Engines that think at the same time, as many as in the arena; with `--match` games, in each of which one thinks.
    #[arg(long, value_name = "N", default_value = "1", requires = "mode")]
    concurrency: NonZeroUsize,
    /// Have only this share of the rounds, or play only this share of the games, as I/N.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Directory for results and plots, created if it does not exist.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Random moves before a game: the first moves after a few stones are those for which the time is short. With half the
/// nodes, 80 % of the pairs were even after 4 moves, 93 % after 8, of 200 pairs at 100,000 against 200,000 nodes.
const OPENING_PLIES: u32 = 4;

/// A loss of Elo for which there is a test.
fn loss(text: &str) -> Result<f64, String> {
    let loss = text.parse().ok().filter(|elo| (1.0..=100.0).contains(elo));
    loss.ok_or_else(|| "expected a loss of 1 to 100 Elo".to_owned())
}

/// A share in per cent that is no typing error.
fn tolerance(text: &str) -> Result<f64, String> {
    let tolerance = text.parse().ok().filter(|per_cent| (0.0..=1000.0).contains(per_cent));
    tolerance.ok_or_else(|| "expected 0 to 1000 per cent".to_owned())
}

/// The settings in the header of the results, by the mode of the run.
#[derive(Serialize, Deserialize)]
#[serde(tag = "mode", rename_all = "lowercase")]
enum Mode {
    Solve(Settings),
    Timed(timed::Settings),
    Match(Matches),
}

/// The settings in the header of the results of a run that solves. Sizes and repeats, which the rows have, may be added to.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    engine: Option<String>,
    protocol: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    first_column: Option<u32>,
    threads: NonZeroUsize,
    limit: Option<usize>,
    /// What decides the rounds that shards share, and their order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rounds: Option<Value>,
}

impl TuneArguments {
    /// The limits of a run under a time control.
    fn control(&self) -> Option<TimeControl> {
        let (clock, move_time) = (self.tc.clone(), self.movetime.map(Duration::from_millis));
        let control = TimeControl { clock, move_time, ..TimeControl::default() };
        Some(control).filter(|control| *control != TimeControl::default())
    }

    /// The sizes to try, in MB.
    fn sizes(&self) -> BTreeSet<usize> {
        self.sizes.iter().copied().collect()
    }

    /// The header of the results from the openings, if they are a file's; of a shard with so many rows if this is one.
    fn header(&self, mode: &Mode, results: usize) -> Result<Header> {
        let file = if let OpeningSource::File(path) = &self.openings { Some(path) } else { None };
        let header = Header::new("tune-hash").with_settings(mode)?;
        let header = header.with_inputs(file)?.with_inputs(&self.positions)?;
        let header = if self.positions.is_none() { header.on_board(self.board) } else { header };
        Ok(self.shard.map_or(header.clone(), |shard| header.of_shard(shard, results)))
    }

    /// The engine that plays games, as messages call it.
    fn command(&self) -> &str {
        self.engine.as_deref().unwrap_or("plumb")
    }

    /// Starts the engine that plays games once, with `--threads`, and from now on without its book unless `config` sets
    /// that: a move of the book says nothing about a table. An engine whose description sets what other flags do is refused;
    /// `flags` are those of the description.
    fn start(
        &self,
        engines: &EngineStarter,
        config: &mut EngineConfig,
        flags: &str,
    ) -> Result<EngineSession> {
        ensure!(!config.sets("Hash"), "{flags}: `option.Hash` is what `--sizes` sets: leave it out");
        let threads = self.threads.get();
        if threads > 1 {
            ensure!(
                !config.sets("Threads"),
                "--time-control: `option.Threads` is what `--threads` sets: leave one out"
            );
            config.options.push(("Threads".to_owned(), threads.to_string()));
        }
        let session = engines.start(self.command(), config, &[], None)?;
        if session.declares("OwnBook") && !config.sets("OwnBook") {
            config.options.push(("OwnBook".to_owned(), "false".to_owned()));
        }
        Ok(session)
    }

    /// Those of the sizes with which `start` can begin; there is a sentence about each of the others.
    ///
    /// # Errors
    /// If it fails for another reason; if no size is left, or one is refused in a shard: all shards of a run have the same
    /// sizes.
    fn granted(
        &self,
        mut sizes: BTreeSet<usize>,
        start: impl Fn(usize) -> Result<()>,
    ) -> Result<BTreeSet<usize>> {
        for size in sizes.clone() {
            let Err(error) = start(size) else { continue };
            let reason = match error.downcast::<SizeRefused>() {
                Ok(refusal) => refusal.to_string(),
                Err(error) => format!("{size} MB: {}", engine_failure(error)?),
            };
            self.leave_out(&reason)?;
            sizes.remove(&size);
            ensure!(!sizes.is_empty(), Failure("no size is left".to_owned()));
        }
        Ok(sizes)
    }

    /// Names a size that is left out of the run.
    ///
    /// # Errors
    /// In a shard.
    fn leave_out(&self, reason: &str) -> Result<()> {
        let is_shard = self.shard.is_some();
        ensure!(!is_shard, Failure(format!("{reason}; leave it out of `--sizes` in all shards")));
        print(format_args!("{}", left_out(reason)))
    }

    /// The settings of a match of these engines, in which each opening is played twice.
    ///
    /// # Errors
    /// If there are no such openings for the board.
    fn match_settings(
        &self,
        flags: &EngineFlags,
        engines: Vec<EngineConfig>,
        rounds: u32,
    ) -> Result<MatchSettings> {
        let mut settings = MatchSettings {
            engines,
            rounds,
            concurrency: self.concurrency,
            seed: self.seed,
            ..MatchSettings::on(self.board.size())
        };
        settings.openings.source = self.openings.clone();
        settings.openings.first_column = self.first_column.unwrap_or(1);
        settings.openings.plies = OPENING_PLIES;
        if let Some(seconds) = flags.timeout {
            (settings.timeouts.start, settings.timeouts.ready) = (seconds, seconds);
        }
        settings.check()?;
        Ok(settings)
    }

    /// The number of games.
    fn games(&self) -> u32 {
        self.games.unwrap_or(if self.play { 400 } else { 128 })
    }

    /// What the figures depend on, but for what has a column of its own.
    fn setup(&self) -> String {
        let who = self.engine.as_deref().unwrap_or("built-in solver");
        let limit = self.limit.map(|limit| format!(", {limit} positions at most")).unwrap_or_default();
        let board = Some(self.board).filter(|board| *board != Board::default());
        let board = board.map(|board| format!(", board {board}")).unwrap_or_default();
        format!("{who}, threads {}{limit}{board}", self.threads)
    }
}

/// The sentence about a size that is left out.
fn left_out(reason: &str) -> String {
    format!("{reason}; it is left out")
}

/// The file of the results in the directory of a run.
const RESULTS: &str = "tune-hash.csv";

/// Files that are written next to the results.
const REPORTS: [&str; 12] = [
    "elo.svg",
    "full.svg",
    "hits.svg",
    "nodes.svg",
    "overwrites.svg",
    "solved.svg",
    "speed.svg",
    "start.svg",
    "time.svg",
    "tune-hash-sizes.csv",
    "tune-hash.html",
    "tune-hash.json",
];

/// The verdict about a size, from games.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Verdict {
    /// Within the tolerance of the best, or not weaker than the reference by more than the loss.
    Good,
    /// Beyond the tolerance, or weaker than the reference, perhaps by more than the loss.
    Worse,
    /// Cannot be told from these games; about so many more would do.
    Open(u64),
}

/// Measures all sizes in turn and recommends one, or merges shards.
///
/// # Errors
/// If a file cannot be read or written, no size or too few openings are left, a score is wrong, or the engine fails;
/// [`Interrupted`](crate::exit::End::Interrupted) after Ctrl-C.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let run = |tuned: &TuneArguments| {
        check_directory(&tuned.out.join(RESULTS), &REPORTS)?;
        match tuned.control() {
            Some(control) => timed::run(tuned, &arguments.flags, control),
            None if tuned.play => play::run(tuned, &arguments.flags),
            None => solve::tune(tuned, &arguments.flags),
        }
    };
    arguments.command.act(run, merge)
}

/// Merges the shards.
///
/// # Errors
/// If they are not all shards of one run, one is not complete, or a file cannot be read or written.
fn merge(arguments: &MergeArguments) -> Result<()> {
    output::results_go_to_files();
    let MergeArguments { parts: directories, tolerance, out } = arguments;
    let files: Vec<_> = directories.iter().map(|directory| directory.join(RESULTS)).collect();
    let shards = Shards::read("tune-hash", &files)?;
    let (path, header) = (out.join(RESULTS), shards.header());
    check_directory(&path, &REPORTS)?;
    match header.settings()? {
        Mode::Match(matches) => {
            ensure!(tolerance.is_none(), "`--tolerance` is not for shards of matches");
            Header::ensure_no_shard(&path, "--out")?;
            let directories: Vec<_> = shards.iter().filter_map(|(file, _)| file.parent()).collect();
            play::merge(header, matches, &directories, out)
        }
        Mode::Timed(settings) => {
            let rows = shards.rows()?;
            write_all(&path, "--out", &header, &rows)?;
            timed::conclude(&rows, &settings, *tolerance, out)
        }
        Mode::Solve(settings) => {
            let mut runs: Vec<Run> = shards.rows()?;
            // In the order of an undivided run, as far as the rows tell.
            runs.sort_by_key(|run| run.repeat);
            let settings = Settings { rounds: None, ..settings };
            write_all(&path, "--out", &header.with_settings(&Mode::Solve(settings.clone()))?, &runs)?;
            conclude(&runs, &settings, *tolerance, out)
        }
    }
}
