//! Settings of a match, on the command line and in the match record.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use plumb::board::{Board, BoardSize, Geometry, PositionReader, Remedies};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::adjudication::{DrawRule, ResignRule};
use crate::engine::config::{EngineConfig, READY_TIMEOUT, START_TIMEOUT};
use crate::openings::{self, OpeningLine, Suite, TheoreticalResult};
use crate::pgn::fields::PgnFields;
use crate::schedule::{Colours, ScheduledGame, Tournament, schedule, schedule_sides};
use crate::shard::Shard;
use crate::statistics::sprt::Sprt;
use plumb::mix::Random;

/// Flags that messages about unreadable openings suggest.
pub const REMEDIES: Remedies = Remedies {
    first_column: "for a file that counts from 0 say `--first-column 0`",
    board: "`--board {}` reads it",
};

/// Settings of a match, named in the record after the flags of `plumb-lab match`. `CONTRIBUTING.md` explains how to add
/// a setting that older records lack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct MatchSettings {
    /// Event, site and move comments of PGN files.
    #[serde(flatten)]
    pub pgn: PgnSettings,
    /// Engines in command-line order.
    pub engines: Vec<EngineConfig>,
    /// Size of the board.
    #[serde(serialize_with = "as_text", deserialize_with = "read_board")]
    pub board: BoardSize,
    /// Kind of tournament, which decides the pairings.
    pub tournament: Tournament,
    /// Number of openings of each pairing.
    pub rounds: u32,
    /// Colour assignment.
    pub colours: Colours,
    /// Openings of the games.
    #[serde(flatten)]
    pub openings: OpeningSettings,
    /// Number of engines under test, in a gauntlet or in a match from theoretically lost or drawn openings.
    pub tested: Option<NonZeroUsize>,
    /// Random seed for openings, their order, and the `Seed` options of engines.
    pub seed: u64,
    /// Rules that end games early.
    #[serde(flatten)]
    pub adjudication: AdjudicationSettings,
    /// Whether the solver computes the score that each move loses, for the record.
    pub blunders: bool,
    /// Sequential probability ratio test, which can end the match early.
    pub sprt: Option<Sprt>,
    /// Whether engines restart for each game.
    pub restart: bool,
    /// Number of concurrent games.
    pub concurrency: NonZeroUsize,
    /// Time-outs of engines.
    #[serde(flatten)]
    pub timeouts: Timeouts,
    /// Fields of newer versions, which are refused.
    #[serde(flatten, deserialize_with = "no_others")]
    pub others: (),
}

/// Event, site and move comments of PGN files.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct PgnSettings {
    /// Tag `Event`. `None` for the names of the engines.
    pub event: Option<String>,
    /// The tag `Site`.
    pub site: Option<String>,
    /// Fields in the comment of each move, such as score and depth.
    #[serde(rename = "pgn-fields")]
    pub fields: PgnFields,
}

/// The openings of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct OpeningSettings {
    /// Source of the openings.
    #[serde(rename = "openings")]
    pub source: OpeningSource,
    /// Number of the leftmost column in an openings file, 0 or 1.
    pub first_column: u32,
    /// Number of random moves, or maximum number of moves read from each PGN game.
    pub plies: u32,
    /// Whether to shuffle the openings of a suite or file.
    pub shuffle: bool,
    /// Number of the first opening to play, from 1.
    #[serde(rename = "openings-start")]
    pub start: NonZeroUsize,
    /// Whether to repeat openings if there are fewer than rounds.
    #[serde(rename = "repeat-openings")]
    pub repeat: bool,
}

/// Rules that end games early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AdjudicationSettings {
    /// Ends a game once both engines report a win for the same side, or both report `cp 0`, and the solver confirms it.
    #[serde(rename = "adjudicate")]
    pub solved: bool,
    /// Rule that ends a game as a draw if both engines report scores near 0.
    pub draw: Option<DrawRule>,
    /// Rule that resigns for an engine that reports bad scores.
    pub resign: Option<ResignRule>,
}

/// Engine time-outs, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timeouts {
    /// Time after which an engine without a time limit gets `stop`.
    #[serde(rename = "hang-timeout")]
    pub hang: u64,
    /// Time from start to `uciok` or `ugiok`.
    #[serde(rename = "start-timeout")]
    pub start: u64,
    /// Maximum time for each `readyok`.
    #[serde(rename = "ready-timeout")]
    pub ready: u64,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { hang: 60, start: START_TIMEOUT, ready: READY_TIMEOUT }
    }
}

/// Source of openings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningSource {
    /// A built-in suite.
    Suite(Suite),
    /// Random moves.
    Random,
    /// Random moves to positions with this result of perfect play.
    Theory(TheoreticalResult),
    /// A file of moves, FENs or PGN games.
    File(PathBuf),
}

const NAMED: [(&str, OpeningSource); 5] = [
    ("balanced", OpeningSource::Suite(Suite::Balanced)),
    ("decided", OpeningSource::Suite(Suite::Decided)),
    ("random", OpeningSource::Random),
    ("lost", OpeningSource::Theory(TheoreticalResult::Lost)),
    ("drawn", OpeningSource::Theory(TheoreticalResult::Drawn)),
];

impl FromStr for OpeningSource {
    type Err = Infallible;

    /// Suite names take precedence: a file named `balanced` is written `./balanced`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = NAMED.into_iter().find(|(name, _)| *name == text);
        Ok(named.map_or_else(|| Self::File(text.into()), |(_, source)| source))
    }
}

impl fmt::Display for OpeningSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, NAMED.iter().find(|(_, source)| source == self)) {
            (Self::File(path), _) => path.display().fmt(f),
            (_, named) => f.write_str(named.map_or("", |(name, _)| name)),
        }
    }
}

serialize_as_text!(OpeningSource);

/// Parses a board size such as `7x6`.
pub fn board_size(text: &str) -> Result<BoardSize, String> {
    text.parse().map(|board: Board| board.size()).map_err(|error| error.to_string())
}

impl MatchSettings {
    /// Default settings, without engines.
    pub fn on(board: BoardSize) -> Self {
        let is_standard = board == BoardSize::STANDARD;
        Self {
            pgn: PgnSettings::default(),
            engines: Vec::new(),
            board,
            tournament: Tournament::default(),
            rounds: 50,
            colours: Colours::default(),
            openings: OpeningSettings {
                source: if is_standard {
                    OpeningSource::Suite(Suite::Balanced)
                } else {
                    OpeningSource::Random
                },
                first_column: 1,
                plies: 8,
                shuffle: false,
                start: NonZeroUsize::MIN,
                repeat: false,
            },
            tested: None,
            seed: 1,
            adjudication: AdjudicationSettings::default(),
            blunders: false,
            sprt: None,
            restart: false,
            concurrency: NonZeroUsize::MIN,
            timeouts: Timeouts::default(),
            others: (),
        }
    }

    /// Completes and checks the settings.
    pub fn complete(self) -> Result<Self> {
        let settings = self.resolved();
        settings.check()?;
        Ok(settings)
    }

    /// Makes engine names unique, because they identify the engines in the record. Sets `tested` and `blunders` in
    /// matches from theoretically lost or drawn openings.
    pub(crate) fn resolved(mut self) -> Self {
        for index in 0..self.engines.len() {
            let (before, rest) = self.engines.split_at_mut(index);
            while before.iter().any(|other| other.name == rest[0].name) {
                rest[0].name = format!("{} {}", rest[0].name, index + 1);
            }
        }
        if self.theoretical_result().is_some() {
            self.tested = Some(self.tested.unwrap_or(NonZeroUsize::MIN));
            self.blunders = true;
        }
        self
    }

    /// An error if no match can be played with these settings.
    pub fn check(&self) -> Result<()> {
        let engines = self.engines.len();
        check_number_of_engines(engines)?;
        let has_tested = self.theoretical_result().is_some() || self.tournament == Tournament::Gauntlet;
        if has_tested && self.tested() >= engines {
            bail!("--tested: {} of {engines} engines under test leaves no opponent", self.tested());
        }
        if !has_tested && self.tested.is_some() {
            bail!("--tested is for `--tournament gauntlet` and `--openings lost` and `drawn`");
        }
        if self.theoretical_result().is_some() {
            let unfit = [
                ("--sprt", self.sprt.is_some()),
                ("--tournament", self.tournament != Tournament::default()),
                ("--no-swap and --alternate", self.colours != Colours::default()),
                ("--repeat-openings", self.openings.repeat),
                ("--shuffle", self.openings.shuffle),
                ("--openings-start", self.openings.start.get() > 1),
            ];
            if let Some((flag, _)) = unfit.iter().find(|(_, is_given)| *is_given) {
                bail!("{flag} is not for `--openings lost` and `drawn`");
            }
        }
        if self.colours != Colours::default() && self.openings.repeat {
            bail!("--repeat-openings is for openings that are played with both colours");
        }
        let Self { board, openings: OpeningSettings { source, plies, .. }, .. } = self;
        if *board != BoardSize::STANDARD
            && matches!(source, OpeningSource::Suite(_) | OpeningSource::Theory(_))
        {
            bail!(
                "`--openings {source}` is for the board of 7x6, not for {board}: `random` or a file is needed"
            );
        }
        let cells = board.width * board.height;
        if matches!(source, OpeningSource::Random) && *plies >= cells {
            bail!("--plies: {plies} random moves fill the board of {board}: fewer than {cells} are expected");
        }
        if self.sprt.is_some() && engines > 2 && self.tournament != Tournament::Gauntlet {
            bail!("a test is about one engine: with more than two it needs `--tournament gauntlet`");
        }
        Ok(())
    }

    /// Settings of an engine, with the board and time-outs of the match.
    pub fn config(&self, engine: usize) -> EngineConfig {
        EngineConfig {
            board: Some(self.board),
            start_timeout: Duration::from_secs(self.timeouts.start),
            ready_timeout: Duration::from_secs(self.timeouts.ready),
            ..self.engines[engine].clone()
        }
    }

    /// Engine names, in order.
    pub fn names(&self) -> Vec<String> {
        self.engines.iter().map(|engine| engine.name.clone()).collect()
    }

    /// Board of the match.
    pub fn board(&self) -> Result<Board> {
        Ok(Board::new(self.board)?)
    }

    /// Result of the engines under test with perfect play. `None` unless all openings are theoretically lost or drawn.
    pub(crate) fn theoretical_result(&self) -> Option<TheoreticalResult> {
        match self.openings.source {
            OpeningSource::Theory(starts) => Some(starts),
            _ => None,
        }
    }

    /// Number of engines under test; 1 by default.
    pub fn tested(&self) -> usize {
        self.tested.map_or(1, NonZeroUsize::get)
    }

    /// Schedules the games of a shard. `sides` has the side under test for each opening, if the match defines it.
    pub(crate) fn scheduled_games(&self, sides: Option<&[usize]>, shard: Shard) -> Vec<ScheduledGame> {
        let all = self.schedule(sides, self.rounds);
        let units: Vec<_> = all.chunks(self.games_per_shard_unit()).collect();
        shard.of(&units).concat()
    }

    /// Number of games of a shard, computed from one round.
    pub fn games(&self, shard: Shard) -> usize {
        // The number of games does not depend on the sides, so one placeholder side is enough.
        let (unit, side) = (self.games_per_shard_unit(), self.theoretical_result().map(|_| &[0][..]));
        let units_of_round = self.schedule(side, 1).len() / unit;
        let units = shard.range(u64::from(self.rounds) * units_of_round as u64);
        (units.end - units.start) as usize * unit
    }

    fn schedule(&self, sides: Option<&[usize]>, rounds: u32) -> Vec<ScheduledGame> {
        match sides {
            Some(sides) => schedule_sides(self.tested(), self.engines.len(), sides),
            None => schedule(self.tournament, self.engines.len(), self.tested(), rounds, self.colours),
        }
    }

    /// Number of games that stay in one shard: a pair, or all games from one opening against one opponent.
    fn games_per_shard_unit(&self) -> usize {
        if self.theoretical_result().is_some() { self.tested() } else { self.colours.games() as usize }
    }

    /// Opening of each round. In matches from theoretically lost or drawn openings also the side under test.
    pub fn openings(&self) -> Result<(Vec<OpeningLine>, Option<Vec<usize>>)> {
        let (lines, sides) = self.different_openings()?;
        let (source, rounds, count) = (&self.openings.source, self.rounds as usize, lines.len());
        let start = self.openings.start.get();
        let from = if start > 1 { format!(" from number {start} on") } else { String::new() };
        ensure!(count > 0, "`{source}` has no opening{from}");
        if count < rounds && !self.openings.repeat {
            let openings =
                if count == 1 { "1 opening".to_owned() } else { format!("{count} different openings") };
            let add = if matches!(source, OpeningSource::File(_)) { "add some, or " } else { "" };
            let may_repeat = self.theoretical_result().is_none() && self.colours == Colours::default();
            let repeat = " or `--repeat-openings`, with which each counts once in the errors";
            let repeat = if may_repeat { repeat } else { "" };
            bail!(
                "`{source}` has {openings}{from} for {rounds} rounds: {add}give `--rounds {count}`{repeat}"
            );
        }
        Ok((lines.into_iter().cycle().take(rounds).collect(), sides))
    }

    /// Like [`openings`](Self::openings), but each opening once, even if there are fewer or more than rounds.
    pub fn different_openings(&self) -> Result<(Vec<OpeningLine>, Option<Vec<usize>>)> {
        let OpeningSettings { source, first_column, plies, shuffle, start, .. } = &self.openings;
        let (rounds, board, seed) = (self.rounds as usize, self.board()?, self.seed);
        let (mut sides, skipped) = (None, start.get() - 1);
        let mut lines = match source {
            OpeningSource::Theory(starts) => {
                let found = openings::theoretical(*starts, *plies, seed, rounds)?;
                let (lines, all): (Vec<_>, Vec<_>) = found.into_iter().unzip();
                sides = Some(all);
                lines
            }
            OpeningSource::Random => openings::random(board, *plies, seed, rounds + skipped),
            OpeningSource::Suite(suite) => suite.openings()?,
            OpeningSource::File(path) => {
                let (first_column, remedies) = (*first_column, REMEDIES);
                let reader = PositionReader { first_column, remedies, ..PositionReader::new(board) };
                openings::different(board, openings::read(&reader, path, *plies as usize)?)
            }
        };
        if *shuffle && matches!(source, OpeningSource::Suite(_) | OpeningSource::File(_)) {
            Random::new(seed, u32::MAX).shuffle(&mut lines);
        }
        lines.drain(..skipped.min(lines.len()));
        Ok((lines, sides))
    }

    pub(crate) fn title(&self) -> String {
        if let Some(event) = &self.pgn.event {
            return event.clone();
        }
        let names = self.names();
        let others = names.len().saturating_sub(2);
        if others > 1 { format!("{} and {others} others", names[..2].join(", ")) } else { names.join(" - ") }
    }

    /// Limits of the engines, such as `st=0.1`, or `A: st=0.1; B: tc=10+0.1`.
    pub(crate) fn time_control(&self) -> String {
        let limits: Vec<_> = self.engines.iter().map(EngineConfig::limits_text).collect();
        if let Some(first) = limits.first()
            && limits.iter().all(|other| other == first)
        {
            return first.clone();
        }
        let named =
            self.engines.iter().zip(&limits).map(|(engine, limits)| format!("{}: {limits}", engine.name));
        named.collect::<Vec<_>>().join("; ")
    }

    /// Settings without command lines, options and directories, for spectators.
    #[must_use]
    pub(crate) fn public(&self) -> Self {
        let mut settings = self.clone();
        for engine in &mut settings.engines {
            *engine = EngineConfig::named(engine.name.clone());
        }
        if let OpeningSource::File(path) = &mut settings.openings.source {
            *path = path.file_name().map(PathBuf::from).unwrap_or_default();
        }
        settings
    }

    /// Description of the openings.
    pub fn openings_text(&self) -> String {
        let plies = self.openings.plies;
        match &self.openings.source {
            OpeningSource::Random => format!("{plies} random moves"),
            starts @ OpeningSource::Theory(_) => format!("{starts} in theory, {plies} random moves"),
            source if self.openings.shuffle => format!("{source}, shuffled"),
            source => source.to_string(),
        }
    }
}

/// An error with fewer than two engines.
pub fn check_number_of_engines(engines: usize) -> Result<()> {
    ensure!(engines >= 2, "a match needs two engines at least: `--engine` twice");
    Ok(())
}

fn as_text<T: fmt::Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Refuses unknown fields: serde's `deny_unknown_fields` does not work with `flatten`.
fn no_others<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    let others = BTreeMap::<String, serde_json::Value>::deserialize(deserializer)?;
    match others.keys().next() {
        Some(name) => Err(D::Error::unknown_field(name, &[])),
        None => Ok(()),
    }
}

fn read_board<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BoardSize, D::Error> {
    let text = String::deserialize(deserializer)?;
    board_size(&text).map_err(|error| D::Error::custom(format!("board `{text}`: {error}")))
}

#[cfg(test)]
mod tests;
