//! The settings of a match, from the command line.

mod flags;
mod recorded;
mod resumption;
mod sprt_settings;

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Result, anyhow, bail};
use plumb::board::BoardSize;
use plumb_arena::engine::command_line;
use plumb_arena::engine::config::{EngineConfig, EngineDescription};
use plumb_arena::openings::{self, OpeningLine};
use plumb_arena::record::{self, EngineHeader, MatchHeader};
use plumb_arena::schedule::{Plan, Tournament, plan, plan_sides};
use plumb_arena::statistics::sprt::{Model, Sprt};
use plumb_arena::suites::Suite;
use plumb_arena::theory::{self, Starts};
use plumb_arena::utc;

use super::spectators::ServeSettings;
use crate::results::Shard;
use recorded::{SHARD, TEST};
use sprt_settings::SprtSettings;

pub(super) use recorded::{header_of_all, shard_of, test_of};

#[derive(Clone, Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct Settings {
    /// An engine: `name=A,cmd=COMMAND`, and any of `dir=DIRECTORY`, `proto=uci|ugi`, `tc=[MOVES/]TIME[+INCREMENT]`,
    /// `st=SECONDS` per move, `nodes=N`, `depth=N`, `timemargin=MILLISECONDS`, `ponder=true`, `option.NAME=VALUE`.
    /// Instead of `cmd`: `plumb`, `skill-N` (its Skill Level N, 0 to 20) or `depth-N` (its search to depth N), as in
    /// `skill-7,st=0.1`.
    ///
    /// COMMAND is quoted as in a shell: `cmd="/my engines/plumb" --flag`, `'…'` and `\ ` as well. DIRECTORY may
    /// contain blanks, and needs quotes only if it contains `,KEY=`. An option that the engine does not declare, or a
    /// value outside its type and range, ends the match before the first game.
    #[arg(long = "engine", value_name = "DESCRIPTION", num_args = 1)]
    engines: Vec<EngineDescription>,
    /// Settings of all engines, unless an engine has its own.
    #[arg(long, value_name = "DESCRIPTION", num_args = 1)]
    each: Option<EngineDescription>,
    /// Size of the board, columns by rows: 4x4 up to what 128 bits hold. [default: 7x6]
    ///
    /// Engines are told by their option `Board`, or else as `UCI_Variant`, with the name that `plumb-lab variant-ini`
    /// gives it. On a board other than 7x6, openings are random or from a file, and `--blunders` and `--adjudicate`
    /// look at positions with at most 36 empty cells, which the exact solver proves in time.
    #[arg(long, value_name = "WxH", value_parser = board_size)]
    board: Option<BoardSize>,
    /// `round-robin`, or `gauntlet`: the first engine against each of the others. [default: round-robin]
    #[arg(long, value_name = "KIND")]
    tournament: Option<Tournament>,
    /// Openings for each pair of engines, each played twice. [default: 50]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rounds: Option<u32>,
    /// Games played at the same time. [default: 1]
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZeroUsize>,
    /// Seed of random openings, of `--shuffle`, and of the seeds that engines get for each game. [default: 1]
    ///
    /// An engine that declares an option `Seed`, as Plumb does, gets one before each game, unless its description
    /// sets it. Two runs with `nodes` or `depth` limits are then identical move for move, also with Skill Levels.
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// `balanced` (exact draws in which one move keeps the draw), `decided` (late wins with one winning move),
    /// `random`, `lost`, `drawn`, or a file with moves or a FEN on each line, or a PGN. The suites have positions of 8
    /// stones, the hardest first. Openings that lead to the same position or its mirror image count as one. [default:
    /// balanced]
    ///
    /// `lost` and `drawn` are random openings, solved exactly, for matches of the first `--tested` engines against all
    /// others: from each opening each of them plays each opponent once, on the side that theory gives a loss or a
    /// draw. The results are shown beside what theory gives, with the exact score that each move gave away.
    #[arg(long, value_name = "SUITE|FILE")]
    openings: Option<Source>,
    /// Number of engines under test in a match with `--openings lost` or `drawn`: the first ones. [default: 1]
    #[arg(long, value_name = "N")]
    tested: Option<NonZeroUsize>,
    /// Repeat the openings from the first on if there are fewer than rounds, which is refused otherwise.
    ///
    /// A repeated opening adds little information: engines that always answer alike play the same games again. So
    /// each opening is one observation, whose weight its pairs share: ratings, Elo, nElo, LOS and the test are those
    /// of as many pairs as there are different openings. Below ten of them the error of Elo is a wide one that holds
    /// for any distribution of results, and nElo and LOS are not given.
    #[arg(long)]
    repeat_openings: bool,
    /// Shuffle the openings of a suite or a file by the seed, instead of taking them in their order.
    #[arg(long)]
    shuffle: bool,
    /// Number of random moves, or of moves of each game of a PGN, in an opening. [default: 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=36))]
    plies: Option<u32>,
    /// Seconds after which an engine without a time limit loses as hung. [default: 60]
    #[arg(long, alias = "patience", value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    hang_timeout: Option<u64>,
    /// Seconds for the answer to `uci` or `ugi`. [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    start_timeout: Option<u64>,
    /// `solved`: end a game when both engines report the same proved result, and it is correct.
    #[arg(long, value_name = "WHEN")]
    adjudicate: Option<Adjudication>,
    /// Mark every move that gives away some of the exact score.
    #[arg(long)]
    pub blunders: bool,
    /// Stop when a sequential probability ratio test of the first engine's Elo is decided: `ELO0,ELO1[,ALPHA,BETA]`.
    #[arg(long, value_name = "TEST", allow_hyphen_values = true)]
    sprt: Option<SprtSettings>,
    /// Use normalised Elo in the test.
    #[arg(long, requires = "sprt")]
    normalised: bool,
    /// Play only this share of the games; `match merge` merges the shares.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Directory for games (JSON lines and PGN) and report, created if it does not exist.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Resume the match in `--out`, which contains its settings: no others are needed.
    ///
    /// More `--rounds`, an `--sprt` if there was none, and another `--concurrency`, `--hang-timeout` or
    /// `--start-timeout` may be given; other settings must equal those of the record. Commands and files are looked
    /// up from the current directory.
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// Print a line after every N games, and the standings after every 20 lines; 0: only at the end. Faults always
    /// have a line. [default: 1, but 0 on a terminal, which has a progress bar]
    #[arg(long, value_name = "N")]
    pub report_every: Option<usize>,
    /// Append every line to (`>`) and from (`<`) each engine to FILE, with standard error (`!`), and the time in UTC.
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    #[command(flatten)]
    pub serve: ServeSettings,
}

/// A size of the board that exists.
fn board_size(text: &str) -> Result<BoardSize, String> {
    let size: BoardSize = text.parse().map_err(|error| format!("{error}"))?;
    size.check(u128::BITS).map_err(|error| error.to_string())?;
    Ok(size)
}

/// When games are ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Adjudication {
    Solved,
}

/// The source of openings.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Source {
    Suite(Suite),
    Random,
    Theory(Starts),
    File(PathBuf),
}

impl FromStr for Source {
    type Err = std::convert::Infallible;

    /// A file with the name of a suite is read as `./balanced`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "balanced" => Self::Suite(Suite::Balanced),
            "decided" => Self::Suite(Suite::Decided),
            "random" => Self::Random,
            "lost" => Self::Theory(Starts::Lost),
            "drawn" => Self::Theory(Starts::Drawn),
            _ => Self::File(text.into()),
        })
    }
}

impl fmt::Display for Source {
    /// The spelling that is parsed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Suite(suite) => suite.fmt(f),
            Self::Random => f.write_str("random"),
            Self::Theory(starts) => f.write_str(starts.name()),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

impl Settings {
    /// The engines, at least two, with different names.
    ///
    /// # Errors
    /// If there are fewer, or one of the descriptions is not complete.
    pub(super) fn configs(&self) -> Result<Vec<EngineConfig>> {
        let each = self.each.clone().unwrap_or_default();
        let complete =
            |engine: &EngineDescription| engine.complete(&each).map_err(|error| anyhow!("--engine: {error}"));
        let mut configs = self.engines.iter().map(complete).collect::<Result<Vec<_>>>()?;
        for config in &mut configs {
            config.start_timeout = self.start_timeout();
            config.board = self.board_size();
        }
        if configs.len() < 2 {
            bail!("a match needs two engines at least: `--engine` twice");
        }
        if self.starts().is_some() && self.tested() >= configs.len() {
            bail!("--tested: {} of {} engines under test leaves no opponent", self.tested(), configs.len());
        }
        if self.starts().is_some() {
            let unfit = [
                ("--sprt", self.sprt.is_some()),
                ("--tournament", self.tournament.is_some_and(|kind| kind != Tournament::default())),
                ("--repeat-openings", self.repeat_openings),
                ("--shuffle", self.shuffle),
            ];
            if let Some((flag, _)) = unfit.iter().find(|(_, is_given)| *is_given) {
                bail!("{flag} is not for `--openings lost` and `drawn`");
            }
        }
        let (source, board) = (self.source(), self.board_size());
        if board != BoardSize::STANDARD && matches!(source, Source::Suite(_) | Source::Theory(_)) {
            bail!(
                "`--openings {source}` is for the board of 7x6, not for {board}: `random` or a file is needed"
            );
        }
        if self.starts().is_none() && self.tested.is_some() {
            bail!("--tested is for `--openings lost` and `drawn`");
        }
        for index in 0..configs.len() {
            let (before, rest) = configs.split_at_mut(index);
            let is_taken = |name: &str| before.iter().any(|other| other.name == name);
            // The number alone may make the name of yet another one.
            while is_taken(&rest[0].name) {
                rest[0].name = format!("{} {}", rest[0].name, index + 1);
            }
        }
        Ok(configs)
    }

    /// The sequential test, if there is one.
    ///
    /// # Errors
    /// If its numbers make none, or it is not clear which engine it is about.
    pub(super) fn test(&self) -> Result<Option<Sprt>> {
        if self.sprt.is_some() && self.engines.len() > 2 && self.tournament() != Tournament::Gauntlet {
            bail!("a test is about one engine: with more than two it needs `--tournament gauntlet`");
        }
        self.full_test().map(SprtSettings::sprt).transpose()
    }

    fn full_test(&self) -> Option<SprtSettings> {
        let model = |test: &SprtSettings| if self.normalised { Model::Normalized } else { test.model };
        self.sprt.map(|test| SprtSettings { model: model(&test), ..test })
    }

    /// Whether engines are given, so that there can be a match without a record.
    pub(super) fn is_complete(&self) -> bool {
        !self.engines.is_empty()
    }

    /// Whether games end when both engines have proved the result.
    pub(super) fn adjudicates(&self) -> bool {
        self.adjudicate == Some(Adjudication::Solved)
    }

    /// The number of games of the match, and the games of this run's shard. `sides` are the sides of the engines under
    /// test, by opening, if there are any.
    pub(super) fn plans(&self, engines: usize, sides: Option<&[usize]>) -> (usize, Vec<Plan>) {
        let (all, unit) = match sides {
            Some(sides) => (plan_sides(self.tested(), engines, sides), self.tested()),
            None => (plan(self.tournament(), engines, self.rounds()), 2),
        };
        let units: Vec<_> = all.chunks(unit).collect();
        (all.len(), self.shard().of(&units).concat())
    }

    /// The result of perfect play from the openings for the engines under test, in a match from lost or drawn positions.
    fn starts(&self) -> Option<Starts> {
        match self.source() {
            Source::Theory(starts) => Some(starts),
            _ => None,
        }
    }

    /// Whether the exact score that each move gives away is recorded.
    pub(super) fn marks_blunders(&self) -> bool {
        self.blunders || self.starts().is_some()
    }

    /// One opening for each round, and the sides of the engines under test, if there are any.
    ///
    /// # Errors
    /// If there is no such file, not every line of it is an opening, or there are fewer than rounds and none may be
    /// repeated.
    pub(super) fn openings(&self) -> Result<(Vec<OpeningLine>, Option<Vec<usize>>)> {
        let (rounds, source, board) = (self.rounds() as usize, self.source(), self.board()?);
        let mut sides = None;
        let mut lines = match &source {
            Source::Theory(starts) => {
                let found = theory::openings(*starts, self.plies(), self.seed(), rounds)?;
                let (lines, all): (Vec<_>, Vec<_>) =
                    found.into_iter().map(|one| (one.line, one.side)).unzip();
                sides = Some(all);
                lines
            }
            Source::Random => openings::random(board, self.plies(), self.seed(), rounds),
            Source::Suite(suite) => suite.openings()?,
            Source::File(path) => {
                openings::different(board, openings::read(board, path, self.plies() as usize)?)
            }
        };
        if self.shuffle && !matches!(source, Source::Random | Source::Theory(_)) {
            openings::shuffle(&mut lines, self.seed());
        }
        let count = lines.len();
        if count < rounds && !self.repeat_openings {
            let openings =
                if count == 1 { "1 opening".to_owned() } else { format!("{count} different openings") };
            bail!(
                "`{source}` has {openings} for {rounds} rounds: add some, or give `--rounds {count}` or \
                 `--repeat-openings`, with which each counts once in the errors"
            );
        }
        if let Some(sides) = &mut sides {
            *sides = sides.iter().copied().cycle().take(rounds).collect();
        }
        Ok((lines.into_iter().cycle().take(rounds).collect(), sides))
    }

    /// The settings as the record contains them.
    pub(super) fn header(&self, configs: &[EngineConfig], games: usize) -> MatchHeader {
        let engine = |config: &EngineConfig| EngineHeader {
            name: config.name.clone(),
            command: command_line::join(&config.command),
            protocol: config.protocol().to_owned(),
            options: config.options.iter().cloned().collect(),
            description: config.description(),
        };
        let controls: Vec<_> = configs.iter().map(|one| format!("{}: {}", one.name, one.control)).collect();
        let common = configs[0].control.to_string();
        let is_common = configs.iter().all(|one| one.control.to_string() == common);
        let time_control = if is_common { common } else { controls.join("; ") };
        let kind = match (self.starts(), self.tournament()) {
            (Some(_), _) => "engines under test against the others",
            (None, Tournament::Gauntlet) => "gauntlet",
            (None, Tournament::RoundRobin) => "round robin",
        };
        let order = if self.shuffle { ", shuffled" } else { "" };
        let openings = match self.source() {
            Source::Random => format!("{} random moves", self.plies()),
            Source::Theory(starts) => format!("{} in theory, {} random moves", starts.name(), self.plies()),
            source => format!("{source}{order}"),
        };
        let names: Vec<_> = configs.iter().map(|one| one.name.as_str()).collect();
        let mut settings = BTreeMap::new();
        let mut note = |name: &str, value: Option<String>| {
            settings.extend(value.map(|value| (name.to_owned(), value)));
        };
        let board = self.board_size();
        note(record::BOARD, (board != BoardSize::STANDARD).then(|| board.to_string()));
        note(TEST, self.full_test().map(|test| test.to_string()));
        note(SHARD, (self.shard() != Shard::WHOLE).then(|| self.shard().to_string()));
        note("repeated openings", self.repeat_openings.then(|| "each counts once".to_owned()));
        note("adjudication", self.adjudicates().then(|| "solved".to_owned()));
        note(theory::STARTS, self.starts().map(|starts| starts.name().to_owned()));
        note(theory::TESTED, self.starts().map(|_| self.tested().to_string()));
        note("blunders", self.marks_blunders().then(|| "marked".to_owned()));
        MatchHeader {
            format: record::FORMAT,
            title: match names[..] {
                [first, second, _, _, ..] => format!("{first}, {second} and {} others", names.len() - 2),
                _ => names.join(" - "),
            },
            program: concat!("plumb-lab ", env!("CARGO_PKG_VERSION")).to_owned(),
            started: utc::now(),
            engines: configs.iter().map(engine).collect(),
            time_control,
            seed: self.seed(),
            schedule: record::MatchSchedule { games: games as u32, kind: kind.to_owned(), openings },
            settings,
            arguments: self.recorded(),
        }
    }
}
