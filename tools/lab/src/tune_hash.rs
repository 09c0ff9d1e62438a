//! `plumb-lab tune-hash`: how large the table should be.

mod play;
mod plot;
mod timed;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::ArgGroup;
use plumb::board::{Board, Geometry};
use plumb_arena::engine::config::{EngineConfig, EngineDescription};
use plumb_arena::engine::session::EngineSession;
use plumb_arena::settings::{MatchSettings, OpeningSource};
use plumb_arena::time_control::{ClockControl, TimeControl};
use serde::{Deserialize, Serialize};

use crate::arguments::{self, RunOrMerge, megabytes};
use crate::engine::{EngineFlags, EngineStarter, SizeRefused};
use crate::exit::{Failure, engine_failure};
use crate::output::{self, check_directory, print};
use crate::result_files::{Header, Shard, Shards, write_all};
use play::Matches;

const EXAMPLES: &str = "\
Examples:
  plumb-lab tune-hash --movetime 100 --concurrency 2 --out tuning
  plumb-lab tune-hash --match --sizes 1,16 --reference 64 --out matches
  plumb-lab tune-hash --movetime 100 --engine stockfish --positions games.txt --out chess";

/// Recommend a table size by measurement.
///
/// The engine plays games against itself. Each size then searches the positions of these games
/// again. The answer is the range of sizes that are as good as the best within `--tolerance`.
///
/// The run ends after 8, 16, 32 … games if every size is decided, after `--games`, or after `--minutes`. Ctrl-C prints the
/// answer so far. The same command resumes the run.
///
/// A move is late if it takes more than 50 ms over its limit (over limits below 50 ms: their own length, at least 10 ms).
/// Up to 50 ms without the processor do not count. A size with late moves is never good.
///
/// `--positions FILE` tunes an engine of any game. Each line is a UCI command such as `position startpos moves e2e4`, in the
/// order of the game. A blank line separates games. At least eight games are needed.
///
/// `--match` plays each size against a reference size instead. The matches are in `--out`, in directories `match-MB`. A
/// sequential test ends each match. Engines play without their book, option `OwnBook`, unless their description sets it.
///
/// A size is left out, with the reason, if the engine refuses it or fails with it.
///
/// The directory gets `tune-hash.csv` (games), `tune-hash-sizes.csv` and `tune-hash.json` (sizes), plots, and
/// `tune-hash.html`. The last line is for scripts: `recommended Hash=16`, or `recommended Hash=none`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TuneArguments {
    /// Sizes to try, in MB.
    #[arg(long, value_name = "MB,…", value_delimiter = ',', default_value = "1,2,4,8,16,32,64,128,256",
          value_parser = megabytes)]
    sizes: Vec<usize>,
    /// Directory for results and plots.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Part I of N equal parts of the games, as I/N.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    #[command(flatten)]
    engine: EngineArguments,
    #[command(flatten)]
    limits: LimitArguments,
    #[command(flatten)]
    games: GameArguments,
    #[command(flatten)]
    play: MatchArguments,
    #[command(flatten)]
    flags: EngineFlags,
}

pub(crate) type Arguments = RunOrMerge<TuneArguments, MergeArguments>;

/// Merge the shards of a run, and recommend a size.
///
/// Shards are the directories of runs with `--shard I/N` and otherwise equal arguments, on any machine.
#[derive(clap::Args)]
pub(crate) struct MergeArguments {
    /// Directories of the shards.
    #[arg(value_name = "DIR", required = true)]
    parts: Vec<PathBuf>,
    /// Per cent by which a good size may be slower. [default: 30]
    #[arg(long, value_name = "PERCENT", value_parser = tolerance)]
    tolerance: Option<f64>,
    /// Directory for all results and plots.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Engine")]
struct EngineArguments {
    /// Command of the engine, which needs the option `Hash`. [default: plumb]
    #[arg(long = "engine", id = "engine", value_name = "CMD")]
    command: Option<String>,
    /// Threads of the engine.
    #[arg(long, value_name = "N", default_value = "1", conflicts_with = "engine")]
    threads: NonZeroUsize,
    /// Engines that think at the same time; with `--match`, games.
    #[arg(long, value_name = "N", default_value = "1")]
    concurrency: NonZeroUsize,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Limits", group = ArgGroup::new("mode").required(true).args(["movetime", "tc", "match"]))]
struct LimitArguments {
    /// Milliseconds per move.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    movetime: Option<u64>,
    /// Game clock `[MOVES/]TIME[+INCREMENT]` in seconds.
    #[arg(long, value_name = "CLOCK")]
    tc: Option<ClockControl>,
    /// Maximum number of games.
    ///
    /// The default is 128, with `--match` 400 of each size, and with `--positions` all games.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    games: Option<u32>,
    /// Maximum duration of the run in minutes.
    #[arg(long, value_name = "N", conflicts_with_all = ["match", "shard"],
          value_parser = clap::value_parser!(u64).range(1..=10_000))]
    minutes: Option<u64>,
    /// Per cent by which a good size may be slower. [default: 30]
    #[arg(long, value_name = "PERCENT", value_parser = tolerance, conflicts_with = "match")]
    tolerance: Option<f64>,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Games")]
struct GameArguments {
    /// The board, columns by rows.
    #[arg(long, value_name = "WxH", default_value = "7x6")]
    board: Board,
    /// Openings of the games, as in `plumb-lab match`.
    #[arg(long, value_name = "SUITE|FILE", default_value = "random")]
    openings: OpeningSource,
    #[arg(long, value_parser = arguments::first_column(), value_name = "N", help = arguments::FIRST_COLUMN_HELP, requires = "openings")]
    first_column: Option<u32>,
    /// Seed of random openings and of the order of sizes.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Search the games of this file; none are played.
    #[arg(long, value_name = "FILE", requires = "movetime", conflicts_with_all = ["tc", "board", "openings", "first_column"])]
    positions: Option<PathBuf>,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Match")]
struct MatchArguments {
    /// Play matches against a reference size.
    #[arg(long = "match", id = "match", group = "matches")]
    is_wanted: bool,
    /// Limits of both sides, as in `plumb-lab match --each`.
    #[arg(long, value_name = "LIMITS", default_value = "st=0.02,timemargin=50", requires = "matches")]
    time_control: EngineDescription,
    /// Reference size in MB. [default: the largest]
    #[arg(long, value_name = "MB", requires = "matches", value_parser = megabytes)]
    reference: Option<usize>,
    /// Elo that a good size may lose against the reference.
    #[arg(long, value_name = "ELO", default_value = "20", requires = "matches", value_parser = loss)]
    elo: f64,
}

/// Number of random moves before a game. Sizes differ most in early positions, for which the time is short. Of 200
/// game pairs with 100,000 against 200,000 nodes, 80 % were even after 4 moves, and 93 % after 8.
const OPENING_PLIES: u32 = 4;

fn loss(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(loss) if (1.0..=100.0).contains(&loss) => Ok(loss),
        _ => Err("expected a loss of 1 to 100 Elo".to_owned()),
    }
}

fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(tolerance) if (0.0..=1000.0).contains(&tolerance) => Ok(tolerance),
        _ => Err("expected 0 to 1000 per cent".to_owned()),
    }
}

/// The settings in the header of the results, by the mode of the run.
#[derive(Serialize, Deserialize)]
#[serde(tag = "mode", rename_all = "lowercase")]
enum Mode {
    Timed(timed::Settings),
    Match(Matches),
}

impl TuneArguments {
    /// The time control; none with `--match`.
    fn control(&self) -> Option<TimeControl> {
        let LimitArguments { tc, movetime, .. } = &self.limits;
        if tc.is_none() && movetime.is_none() {
            return None;
        }
        let move_time = movetime.map(Duration::from_millis);
        Some(TimeControl { clock: tc.clone(), move_time, ..TimeControl::default() })
    }

    fn sizes(&self) -> BTreeSet<usize> {
        self.sizes.iter().copied().collect()
    }

    /// Header of the results. `results` is the number of rows of a shard.
    fn header(&self, mode: &Mode, results: usize) -> Result<Header> {
        let GameArguments { openings, positions, board, .. } = &self.games;
        let file = if let OpeningSource::File(path) = openings { Some(path) } else { None };
        let mut header =
            Header::new("tune-hash").with_settings(mode)?.with_inputs(file)?.with_inputs(positions)?;
        if positions.is_none() {
            header = header.on_board(board);
        }
        if let Some(shard) = self.shard {
            header = header.of_shard(shard, results);
        }
        Ok(header)
    }

    fn command(&self) -> &str {
        self.engine.command.as_deref().unwrap_or("plumb")
    }

    /// Starts the engine once, and adds `--threads` to its options. Adds `OwnBook=false` unless `config` sets
    /// `OwnBook`, because a book move needs no table. Error messages name `flags`, the flags that
    /// `config` comes from.
    fn start(
        &self,
        engines: &EngineStarter,
        config: &mut EngineConfig,
        flags: &str,
    ) -> Result<EngineSession> {
        ensure!(!config.sets("Hash"), "{flags}: `--sizes` sets `option.Hash`; remove it");
        let threads = self.engine.threads.get();
        if threads > 1 {
            ensure!(
                !config.sets("Threads"),
                "--time-control: `--threads` sets `option.Threads`; remove one of them"
            );
            config.options.push(("Threads".to_owned(), threads.to_string()));
        }
        let session = engines.start(self.command(), config, &[], None)?;
        if session.declares("OwnBook") && !config.sets("OwnBook") {
            config.options.push(("OwnBook".to_owned(), "false".to_owned()));
        }
        Ok(session)
    }

    /// The table sizes with which `start` succeeds. Prints the reason for each other size. In a shard every size must
    /// succeed, because all shards need the same sizes.
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

    /// Prints why a size is left out of the run; fails in a shard.
    fn leave_out(&self, reason: &str) -> Result<()> {
        let is_shard = self.shard.is_some();
        ensure!(!is_shard, Failure(format!("{reason}; leave it out of `--sizes` in all shards")));
        print(format_args!("{}", left_out(reason)))
    }

    fn match_settings(&self, engines: Vec<EngineConfig>, rounds: u32) -> Result<MatchSettings> {
        let mut settings = MatchSettings {
            engines,
            rounds,
            concurrency: self.engine.concurrency,
            seed: self.games.seed,
            ..MatchSettings::on(self.games.board.size())
        };
        settings.openings.source = self.games.openings.clone();
        settings.openings.first_column = self.games.first_column.unwrap_or(1);
        settings.openings.plies = OPENING_PLIES;
        settings.timeouts.start = self.flags.start_timeout();
        settings.timeouts.ready = self.flags.ready_timeout();
        settings.check()?;
        Ok(settings)
    }

    fn games(&self) -> u32 {
        self.limits.games.unwrap_or(if self.play.is_wanted { 400 } else { 128 })
    }
}

fn left_out(reason: &str) -> String {
    format!("{reason}; it is left out")
}

const RESULTS: &str = "tune-hash.csv";

const REPORTS: [&str; 9] = [
    "elo.svg",
    "full.svg",
    "solved.svg",
    "speed.svg",
    "start.svg",
    "time.svg",
    "tune-hash-sizes.csv",
    "tune-hash.html",
    "tune-hash.json",
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Verdict {
    /// Timed: within the tolerance of the best size. Match: not weaker than the reference by more than `--elo`.
    Good,
    /// Timed: beyond the tolerance, or loses on time. Match: weaker than the reference.
    Worse,
    /// Undecided, with an estimate of the additional games that would decide.
    Open(u64),
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    arguments.act(tune, merge)
}

fn tune(arguments: &TuneArguments) -> Result<()> {
    check_directory(&arguments.out.join(RESULTS), &REPORTS)?;
    match arguments.control() {
        Some(control) => timed::run(arguments, control),
        None => play::run(arguments),
    }
}

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
    }
}
