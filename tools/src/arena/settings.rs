//! What a match is to be, from the command line.

mod flags;
mod resumption;
mod test;

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Result, anyhow, bail};

use super::openings::{self, OpeningLine};
use super::participant::{Description, Participant};
use super::record::{self, EngineHeader, MatchHeader};
use super::schedule::{Plan, Tournament, plan};
use super::statistics::sprt::{Model, Sprt};
use super::suites::Suite;
use super::utc;
use crate::launch;
use crate::shard::Shard;
use test::Test;

/// Where the settings of the header have the test.
const TEST: &str = "sprt";
/// Where they have the shard.
const SHARD: &str = "shard";

#[derive(Clone, Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct Settings {
    /// An engine: `name=A,cmd=COMMAND`, and any of `dir=DIRECTORY`, `proto=uci|ugi`, `tc=[MOVES/]TIME[+INCREMENT]`,
    /// `st=SECONDS` for each move, `nodes=N`, `depth=N`, `timemargin=MILLISECONDS`, `ponder=true`, `option.NAME=VALUE`.
    /// Instead of a command: `plumb`, `skill-N` (its Skill Level N, 0 to 20) or `depth-N` (its search to depth N), as in
    /// `skill-7,st=0.1`.
    ///
    /// COMMAND is quoted as in a shell: `cmd="/my engines/plumb" --flag`, `'…'` and `\ ` as well. DIRECTORY may hold blanks,
    /// and needs quotes only where it holds `,KEY=`. An option that the engine does not declare, or a value that is not of
    /// its type and range, ends the match before the first game.
    #[arg(long = "engine", value_name = "DESCRIPTION", num_args = 1)]
    engines: Vec<Description>,
    /// What holds for all engines, unless it is said of one of them.
    #[arg(long, value_name = "DESCRIPTION", num_args = 1)]
    each: Option<Description>,
    /// `round-robin`, or `gauntlet`: the first engine against each of the others. [default: round-robin]
    #[arg(long, value_name = "KIND")]
    tournament: Option<Tournament>,
    /// Openings that each two engines play, twice each. [default: 50]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rounds: Option<u32>,
    /// Games played at a time. [default: 1]
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZeroUsize>,
    /// The seed by which openings are drawn or shuffled, and from which each engine gets one for each game. [default: 1]
    ///
    /// An engine that declares an option `Seed`, as Plumb does, gets it before each game, unless its description sets it. Two
    /// runs with `nodes` or `depth` limits are then equal move for move, Skill Levels included.
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// `balanced` (exact draws in which one move keeps the draw), `decided` (late wins with one winning move), `random`,
    /// or a file: on each line moves or a FEN, or a PGN. The suites have the hardest openings first, and positions of 8
    /// stones. Openings that lead to the same position or its mirror image count as one. [default: balanced]
    #[arg(long, value_name = "SUITE|FILE")]
    openings: Option<Source>,
    /// Play the openings again from the first on where there are fewer than rounds, which is refused otherwise.
    ///
    /// An opening played again adds little or nothing new: engines that always answer alike play the same games. So each
    /// opening is one observation, whatever the number of its pairs, which share its weight: ratings, Elo, nElo, LOS and the
    /// test are those of as many pairs as there are different openings. Below ten of them the error of Elo is one that holds
    /// for any distribution of results, so a wide one, and nElo and LOS are not given.
    #[arg(long)]
    repeat_openings: bool,
    /// Take the openings of a suite or a file in an order that the seed tells, instead of from the first on.
    #[arg(long)]
    shuffle: bool,
    /// How many random moves, or how many of each game of a PGN, are an opening. [default: 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=36))]
    plies: Option<u32>,
    /// Seconds after which an engine without a time limit is given up. [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    patience: Option<u64>,
    /// Seconds that an engine may take to answer `uci` or `ugi` with `uciok` or `ugiok`. [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    start_timeout: Option<u64>,
    /// `solved`: end a game when both engines say that they have proved the same result, and it is true.
    #[arg(long, value_name = "WHEN")]
    adjudicate: Option<Adjudication>,
    /// Mark every move that gave away some of the exact score.
    #[arg(long)]
    pub blunders: bool,
    /// Stop when it is clear which of two hypotheses holds of the first engine: `ELO0,ELO1[,ALPHA,BETA]`.
    #[arg(long, value_name = "TEST")]
    sprt: Option<Test>,
    /// Elo of the test are normalised.
    #[arg(long, requires = "sprt")]
    normalised: bool,
    /// Play only this share of the games; `match merge` makes one match of all the shares.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Directory for the games as JSON lines and as PGN, and the report; it is made if it is not there.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Resume the match in `--out`, which holds its settings: nothing else is needed.
    ///
    /// More `--rounds`, an `--sprt` where there was none, and another `--concurrency`, `--patience` or `--start-timeout` may
    /// be given; any other setting that is given must be that of the record. Commands and files are looked for from the
    /// directory where `match` runs.
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// Print a line after every N games, and the standings after every 20 lines; 0: only at the end. The default is 1, but
    /// 0 on a terminal, which has a progress bar. Faults always have a line.
    #[arg(long, value_name = "N")]
    pub report_every: Option<usize>,
    /// Append every line to (`>`) and from (`<`) each engine to FILE, and those of its standard error (`!`), with the time
    /// in UTC.
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
}

/// When games are ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Adjudication {
    Solved,
}

/// Where openings come from.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Source {
    Suite(Suite),
    Random,
    File(PathBuf),
}

impl FromStr for Source {
    type Err = std::convert::Infallible;

    /// A file that is called like a suite can be had as `./balanced`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "balanced" => Self::Suite(Suite::Balanced),
            "decided" => Self::Suite(Suite::Decided),
            "random" => Self::Random,
            _ => Self::File(text.into()),
        })
    }
}

impl fmt::Display for Source {
    /// As it is read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Suite(suite) => suite.fmt(f),
            Self::Random => f.write_str("random"),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

impl Settings {
    /// The engines, at least two, with names of their own.
    ///
    /// # Errors
    /// If there are fewer, or one of the descriptions is not complete.
    pub(super) fn participants(&self) -> Result<Vec<Participant>> {
        let each = self.each.clone().unwrap_or_default();
        let complete =
            |engine: &Description| engine.complete(&each).map_err(|error| anyhow!("--engine: {error}"));
        let mut participants = self.engines.iter().map(complete).collect::<Result<Vec<_>>>()?;
        for participant in &mut participants {
            participant.start_timeout = self.start_timeout();
        }
        if participants.len() < 2 {
            bail!("a match needs two engines at least: `--engine` twice");
        }
        for index in 0..participants.len() {
            let (before, rest) = participants.split_at_mut(index);
            let is_taken = |name: &str| before.iter().any(|other| other.name == name);
            // The number alone may make the name of yet another one.
            while is_taken(&rest[0].name) {
                rest[0].name = format!("{} {}", rest[0].name, index + 1);
            }
        }
        Ok(participants)
    }

    /// The sequential test, if there is to be one.
    ///
    /// # Errors
    /// If its numbers make none, or it is not clear which engine it is about.
    pub(super) fn test(&self) -> Result<Option<Sprt>> {
        if self.sprt.is_some() && self.engines.len() > 2 && self.tournament() != Tournament::Gauntlet {
            bail!("a test is about one engine: with more than two it needs `--tournament gauntlet`");
        }
        self.full_test().map(Test::sprt).transpose()
    }

    fn full_test(&self) -> Option<Test> {
        let model = |test: &Test| if self.normalised { Model::Normalized } else { test.model };
        self.sprt.map(|test| Test { model: model(&test), ..test })
    }

    /// Whether engines are given, so that there can be a match without a record.
    pub(super) fn is_complete(&self) -> bool {
        !self.engines.is_empty()
    }

    /// Whether games end when both engines have proved the result.
    pub(super) fn adjudicates(&self) -> bool {
        self.adjudicate == Some(Adjudication::Solved)
    }

    /// All games of the match, and those of them that this run is to play.
    pub(super) fn plans(&self, engines: usize) -> (usize, Vec<Plan>) {
        let all = plan(self.tournament(), engines, self.rounds());
        let pairs: Vec<_> = all.chunks(2).collect();
        (all.len(), self.shard().of(&pairs).concat())
    }

    /// One opening for each round.
    ///
    /// # Errors
    /// If there is no such file, not every line of it is an opening, or there are fewer than rounds and none may be
    /// repeated.
    pub(super) fn openings(&self) -> Result<Vec<OpeningLine>> {
        let (rounds, source) = (self.rounds() as usize, self.source());
        let mut lines = match &source {
            Source::Random => openings::random(self.plies(), self.seed(), rounds),
            Source::Suite(suite) => suite.openings()?,
            Source::File(path) => openings::different(openings::read(path, self.plies() as usize)?),
        };
        if self.shuffle && source != Source::Random {
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
        Ok(lines.into_iter().cycle().take(rounds).collect())
    }

    /// What the record holds of the settings.
    pub(super) fn header(&self, participants: &[Participant], games: usize) -> MatchHeader {
        let engine = |participant: &Participant| EngineHeader {
            name: participant.name.clone(),
            command: launch::join(&participant.command),
            protocol: participant.protocol().to_owned(),
            options: participant.options.iter().cloned().collect(),
            description: participant.description(),
        };
        let controls: Vec<_> =
            participants.iter().map(|one| format!("{}: {}", one.name, one.control)).collect();
        let common = participants[0].control.to_string();
        let is_common = participants.iter().all(|one| one.control.to_string() == common);
        let time_control = if is_common { common } else { controls.join("; ") };
        let kind = if self.tournament() == Tournament::Gauntlet { "gauntlet" } else { "round robin" };
        let order = if self.shuffle { ", shuffled" } else { "" };
        let openings = match self.source() {
            Source::Random => format!("{} random moves", self.plies()),
            source => format!("{source}{order}"),
        };
        let names: Vec<_> = participants.iter().map(|one| one.name.as_str()).collect();
        let mut settings = BTreeMap::new();
        let mut note = |name: &str, value: Option<String>| {
            settings.extend(value.map(|value| (name.to_owned(), value)));
        };
        note(TEST, self.full_test().map(|test| test.to_string()));
        note(SHARD, (self.shard() != Shard::WHOLE).then(|| self.shard().to_string()));
        note("repeated openings", self.repeat_openings.then(|| "each counts once".to_owned()));
        note("adjudication", self.adjudicates().then(|| "solved".to_owned()));
        note("blunders", self.blunders.then(|| "marked".to_owned()));
        MatchHeader {
            format: record::FORMAT,
            title: match names[..] {
                [first, second, _, _, ..] => format!("{first}, {second} and {} others", names.len() - 2),
                _ => names.join(" - "),
            },
            program: concat!("plumb-lab ", env!("CARGO_PKG_VERSION")).to_owned(),
            started: utc::now(),
            engines: participants.iter().map(engine).collect(),
            time_control,
            seed: self.seed(),
            schedule: record::Schedule { games: games as u32, kind: kind.to_owned(), openings },
            settings,
            arguments: self.recorded(),
        }
    }
}

/// The test that a match was made with, by its header.
///
/// # Errors
/// If the header has something else in its place.
pub(super) fn test_of(header: &MatchHeader) -> Result<Option<Sprt>> {
    let Some(numbers) = header.settings.get(TEST) else { return Ok(None) };
    let test: Test = numbers.parse().map_err(|error| anyhow!("`{numbers}`: {error}"))?;
    test.sprt().map(Some)
}

/// The header of the whole match that a shard's header tells of.
pub(super) fn header_of_all(header: &MatchHeader) -> MatchHeader {
    let mut header = header.clone();
    header.settings.remove(SHARD);
    header.arguments.remove(SHARD);
    header
}
