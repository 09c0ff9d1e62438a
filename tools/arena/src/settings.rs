//! The settings of a match: made from a command line or by another program, stored in the header of the record.

use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use crate::random::Random;
use crate::shard::Shard;
use anyhow::{Result, anyhow, bail, ensure};
use plumb::board::{Board, BoardSize, Geometry, PositionReader, Remedies};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::adjudication::{DrawRule, ResignRule};
use crate::engine::config::{EngineConfig, EngineDescription, READY_TIMEOUT, START_TIMEOUT};
use crate::openings::{self, OpeningLine, Suite};
use crate::pgn::comment::PgnFields;
use crate::schedule::{Colours, ScheduledGame, Tournament, schedule, schedule_sides};
use crate::statistics::sprt::Sprt;
use crate::theory::{self, TheoreticalResult};

/// The flags that make a program read a text that its reader of positions refuses.
pub const REMEDIES: Remedies = Remedies {
    first_column: "for a file that counts from 0 say `--first-column 0`",
    board: "`--board {}` reads it",
};

/// The settings of a match. In the record they have the names of the flags of `plumb-lab match`, but for `engines`
/// (`--engine`) and `colours` (`--alternate` and `--no-swap`). Older records lack a field that is added: `CONTRIBUTING.md` has a
/// recipe for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub struct MatchSettings {
    /// The name of the event, tag `Event` of the PGN; `None` for the names of the engines.
    pub event: Option<String>,
    /// The place of the event, tag `Site` of the PGN.
    pub site: Option<String>,
    /// The fields of a move's comment in the PGN.
    pub pgn_fields: PgnFields,
    /// The engines, each by its name and all of its settings.
    pub engines: Vec<EngineDescription>,
    /// The size of the board.
    #[serde(serialize_with = "as_text", deserialize_with = "read_board")]
    pub board: BoardSize,
    /// The pairings.
    pub tournament: Tournament,
    /// Openings of each pairing.
    pub rounds: u32,
    /// The assignment of colours.
    pub colours: Colours,
    /// The source of openings.
    pub openings: OpeningSource,
    /// The number of the leftmost column in a file of openings, 0 or 1.
    pub first_column: u32,
    /// Random moves, or moves of each game of a PGN, in an opening.
    pub plies: u32,
    /// Whether the openings of a suite or a file are shuffled by the seed.
    pub shuffle: bool,
    /// The first opening that is played, from 1.
    pub openings_start: NonZeroUsize,
    /// Whether openings are repeated where there are fewer than rounds.
    pub repeat_openings: bool,
    /// The number of engines under test in a gauntlet, or in a match from lost or drawn positions.
    pub tested: Option<NonZeroUsize>,
    /// Seed of random openings, of their order, and of the seeds of games.
    pub seed: u64,
    /// Whether a game ends once both engines report the same result, a mate or `cp 0` for a draw, and the solver
    /// confirms it.
    pub adjudicate: bool,
    /// When a game is drawn by the scores of both engines.
    pub draw: Option<DrawRule>,
    /// When a game is lost by the scores of an engine.
    pub resign: Option<ResignRule>,
    /// Whether the exact score that each move gives away is recorded.
    pub blunders: bool,
    /// The test that ends the match.
    pub sprt: Option<Sprt>,
    /// Whether an engine is started anew for each game.
    pub restart: bool,
    /// Games played at the same time.
    pub concurrency: NonZeroUsize,
    /// Seconds that an engine without a time limit has for a move. Past them, as past any limit, it is sent `stop`, and loses on
    /// time, or as hung if it ignores `stop`.
    pub hang_timeout: u64,
    /// Seconds from the start of an engine to its `uciok` or `ugiok`.
    pub start_timeout: u64,
    /// Seconds for each `readyok` of an engine.
    pub ready_timeout: u64,
}

/// The source of openings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningSource {
    /// A built-in suite.
    Suite(Suite),
    /// Random moves.
    Random,
    /// Random moves to positions with this result of perfect play.
    Theory(TheoreticalResult),
    /// A file of moves, FENs or PGNs.
    File(PathBuf),
}

/// The sources with a name of their own.
const NAMED: [(&str, OpeningSource); 5] = [
    ("balanced", OpeningSource::Suite(Suite::Balanced)),
    ("decided", OpeningSource::Suite(Suite::Decided)),
    ("random", OpeningSource::Random),
    ("lost", OpeningSource::Theory(TheoreticalResult::Lost)),
    ("drawn", OpeningSource::Theory(TheoreticalResult::Drawn)),
];

impl FromStr for OpeningSource {
    type Err = std::convert::Infallible;

    /// `balanced` is the suite; a file of this name is written `./balanced`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = NAMED.into_iter().find(|(name, _)| *name == text);
        Ok(named.map_or_else(|| Self::File(text.into()), |(_, source)| source))
    }
}

impl fmt::Display for OpeningSource {
    /// The spelling that is parsed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, NAMED.iter().find(|(_, source)| source == self)) {
            (Self::File(path), _) => path.display().fmt(f),
            (_, named) => f.write_str(named.map_or("", |(name, _)| name)),
        }
    }
}

serialize_as_text!(OpeningSource);

/// A size of the board that engines can be told.
///
/// # Errors
/// The size that was expected.
pub fn board_size(text: &str) -> Result<BoardSize, String> {
    text.parse().map(|board: Board| board.size()).map_err(|error| error.to_string())
}

impl MatchSettings {
    /// The default settings on a board, without engines.
    pub fn on(board: BoardSize) -> Self {
        let is_standard = board == BoardSize::STANDARD;
        Self {
            event: None,
            site: None,
            pgn_fields: PgnFields::default(),
            engines: Vec::new(),
            board,
            tournament: Tournament::default(),
            rounds: 50,
            colours: Colours::default(),
            openings: if is_standard { OpeningSource::Suite(Suite::Balanced) } else { OpeningSource::Random },
            first_column: 1,
            plies: 8,
            shuffle: false,
            openings_start: NonZeroUsize::MIN,
            repeat_openings: false,
            tested: None,
            seed: 1,
            adjudicate: false,
            draw: None,
            resign: None,
            blunders: false,
            sprt: None,
            restart: false,
            concurrency: NonZeroUsize::MIN,
            hang_timeout: 60,
            start_timeout: START_TIMEOUT,
            ready_timeout: READY_TIMEOUT,
        }
    }

    /// These settings, checked: with unique names of engines, whole descriptions, and what the openings demand.
    ///
    /// # Errors
    /// Settings that make no match.
    pub fn complete(self) -> Result<Self> {
        let settings = self.resolved()?;
        settings.check()?;
        Ok(settings)
    }

    /// These settings with whole descriptions of the engines, no two of the same name, as games of the record name engines by
    /// nothing else; where the openings have a result in theory, also with `tested` and `blunders`, which follow from that.
    pub(crate) fn resolved(mut self) -> Result<Self> {
        let mut configs = self.configs()?;
        for index in 0..configs.len() {
            let (before, rest) = configs.split_at_mut(index);
            let is_taken = |name: &str| before.iter().any(|other| other.name == name);
            // `A 2` may be taken, too, hence a loop.
            while is_taken(&rest[0].name) {
                rest[0].name = format!("{} {}", rest[0].name, index + 1);
            }
        }
        self.engines = configs.iter().map(EngineConfig::description).collect();
        if self.theoretical_result().is_some() {
            self.tested = Some(self.tested.unwrap_or(NonZeroUsize::MIN));
            self.blunders = true;
        }
        Ok(self)
    }

    /// Fails if the settings make no match.
    ///
    /// # Errors
    /// The setting that is missing, out of range, or excluded by another one.
    pub fn check(&self) -> Result<()> {
        let engines = self.engines.len();
        ensure!(engines >= 2, "a match needs two engines at least: `--engine` twice");
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
                ("--repeat-openings", self.repeat_openings),
                ("--shuffle", self.shuffle),
                ("--openings-start", self.openings_start.get() > 1),
            ];
            if let Some((flag, _)) = unfit.iter().find(|(_, is_given)| *is_given) {
                bail!("{flag} is not for `--openings lost` and `drawn`");
            }
        }
        if self.colours != Colours::default() && self.repeat_openings {
            bail!("--repeat-openings is for openings that are played with both colours");
        }
        let Self { board, openings, .. } = self;
        if *board != BoardSize::STANDARD
            && matches!(openings, OpeningSource::Suite(_) | OpeningSource::Theory(_))
        {
            bail!(
                "`--openings {openings}` is for the board of 7x6, not for {board}: `random` or a file is needed"
            );
        }
        let cells = board.width * board.height;
        if matches!(openings, OpeningSource::Random) && self.plies >= cells {
            bail!(
                "--plies: {} random moves fill the board of {board}: fewer than {cells} are expected",
                self.plies
            );
        }
        if self.sprt.is_some() && engines > 2 && self.tournament != Tournament::Gauntlet {
            bail!("a test is about one engine: with more than two it needs `--tournament gauntlet`");
        }
        Ok(())
    }

    /// The engines as they are started.
    ///
    /// # Errors
    /// A description that is not complete.
    pub fn configs(&self) -> Result<Vec<EngineConfig>> {
        let config = |engine: &EngineDescription| {
            let config = engine.complete().map_err(|error| anyhow!("--engine: {error}"))?;
            let start_timeout = Duration::from_secs(self.start_timeout);
            let ready_timeout = Duration::from_secs(self.ready_timeout);
            Ok(EngineConfig { board: Some(self.board), start_timeout, ready_timeout, ..config })
        };
        self.engines.iter().map(config).collect()
    }

    /// The names of the engines, in their order.
    pub fn names(&self) -> Vec<String> {
        self.engines.iter().map(|engine| engine.get("name").unwrap_or_default().to_owned()).collect()
    }

    /// The board.
    ///
    /// # Errors
    /// If there is none of this size.
    pub fn board(&self) -> Result<Board> {
        Ok(Board::new(self.board)?)
    }

    /// The result of perfect play from the openings for the engines under test, in a match from lost or drawn positions.
    pub fn theoretical_result(&self) -> Option<TheoreticalResult> {
        match self.openings {
            OpeningSource::Theory(starts) => Some(starts),
            _ => None,
        }
    }

    /// The number of engines under test, 1 if none was given.
    pub fn tested(&self) -> usize {
        self.tested.map_or(1, NonZeroUsize::get)
    }

    /// The games of a shard. `sides` are the sides of the engines under test, by opening, in a match from lost or drawn
    /// positions.
    pub fn scheduled_games(&self, sides: Option<&[usize]>, shard: Shard) -> Vec<ScheduledGame> {
        let all = self.schedule(sides, self.rounds);
        let units: Vec<_> = all.chunks(self.games_per_shard_unit()).collect();
        shard.of(&units).concat()
    }

    /// The number of games of a shard. A record of very many rounds needs no schedule of them all.
    pub fn games(&self, shard: Shard) -> usize {
        // The side of the engine under test, where there is one, does not change the number.
        let (unit, side) = (self.games_per_shard_unit(), self.theoretical_result().map(|_| &[0][..]));
        let units_of_round = self.schedule(side, 1).len() / unit;
        let units = shard.range(u64::from(self.rounds) * units_of_round as u64);
        (units.end - units.start) as usize * unit
    }

    /// All games of so many rounds; `sides` has as many sides.
    fn schedule(&self, sides: Option<&[usize]>, rounds: u32) -> Vec<ScheduledGame> {
        match sides {
            Some(sides) => schedule_sides(self.tested(), self.engines.len(), sides),
            None => schedule(self.tournament, self.engines.len(), self.tested(), rounds, self.colours),
        }
    }

    /// The number of consecutive games that always belong to the same shard: those of a pair, or those from one opening
    /// against one opponent.
    fn games_per_shard_unit(&self) -> usize {
        if self.theoretical_result().is_some() { self.tested() } else { self.colours.games() as usize }
    }

    /// One opening for each round, and in a match from lost or drawn positions the sides of the engines under test.
    ///
    /// # Errors
    /// The errors of [`Self::different_openings`]; a source without an opening from the given start on, or with fewer openings
    /// than rounds where none may be repeated.
    pub fn openings(&self) -> Result<(Vec<OpeningLine>, Option<Vec<usize>>)> {
        let (lines, sides) = self.different_openings()?;
        let (source, rounds, count) = (&self.openings, self.rounds as usize, lines.len());
        let start = self.openings_start.get();
        let from = if start > 1 { format!(" from number {start} on") } else { String::new() };
        ensure!(count > 0, "`{source}` has no opening{from}");
        if count < rounds && !self.repeat_openings {
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

    /// The openings of the source, of random ones as many as rounds; and in a match from lost or drawn positions the sides of
    /// the engines under test.
    ///
    /// # Errors
    /// A file that cannot be read, or has a line or game that is no opening; a board that does not exist; too little memory for
    /// the solver, which draws lost and drawn openings.
    pub fn different_openings(&self) -> Result<(Vec<OpeningLine>, Option<Vec<usize>>)> {
        let Self { plies, seed, openings: source, .. } = self;
        let (rounds, board) = (self.rounds as usize, self.board()?);
        let (mut sides, skipped) = (None, self.openings_start.get() - 1);
        let mut lines = match source {
            OpeningSource::Theory(starts) => {
                let found = theory::openings(*starts, *plies, *seed, rounds)?;
                let (lines, all): (Vec<_>, Vec<_>) = found.into_iter().unzip();
                sides = Some(all);
                lines
            }
            OpeningSource::Random => openings::random(board, *plies, *seed, rounds + skipped),
            OpeningSource::Suite(suite) => suite.openings()?,
            OpeningSource::File(path) => {
                let (first_column, remedies) = (self.first_column, REMEDIES);
                let reader = PositionReader { first_column, remedies, ..PositionReader::new(board) };
                openings::different(board, openings::read(&reader, path, *plies as usize)?)
            }
        };
        if self.shuffle && matches!(source, OpeningSource::Suite(_) | OpeningSource::File(_)) {
            Random::new(*seed, u32::MAX).shuffle(&mut lines);
        }
        lines.drain(..skipped.min(lines.len()));
        Ok((lines, sides))
    }

    /// The title of the match: its event, or else the names of its engines.
    pub fn title(&self) -> String {
        if let Some(event) = &self.event {
            return event.clone();
        }
        let names = self.names();
        let others = names.len().saturating_sub(2);
        if others > 1 { format!("{} and {others} others", names[..2].join(", ")) } else { names.join(" - ") }
    }

    /// The limits of the engines in words: `st=0.1` where they are the same, else `A: st=0.1; B: tc=10+0.1`.
    pub fn time_control(&self) -> String {
        let limits: Vec<_> = self.engines.iter().map(EngineDescription::limits).collect();
        match limits.first() {
            Some(first) if limits.iter().all(|other| other == first) => first.clone(),
            _ => {
                let of = |(name, limits)| format!("{name}: {limits}");
                self.names().iter().zip(&limits).map(of).collect::<Vec<_>>().join("; ")
            }
        }
    }

    /// The settings for spectators, to whom command lines, options and directories of the machine are not told.
    #[must_use]
    pub fn public(&self) -> Self {
        let mut settings = self.clone();
        for engine in &mut settings.engines {
            *engine = engine.get("name").map(|name| ("name", name)).into_iter().collect();
        }
        if let OpeningSource::File(path) = &mut settings.openings {
            *path = path.file_name().map(PathBuf::from).unwrap_or_default();
        }
        settings
    }

    /// The openings in words.
    pub fn openings_text(&self) -> String {
        let plies = self.plies;
        match &self.openings {
            OpeningSource::Random => format!("{plies} random moves"),
            starts @ OpeningSource::Theory(_) => format!("{starts} in theory, {plies} random moves"),
            source => format!("{source}{}", if self.shuffle { ", shuffled" } else { "" }),
        }
    }
}

fn as_text<T: fmt::Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

fn read_board<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BoardSize, D::Error> {
    let text = String::deserialize(deserializer)?;
    board_size(&text).map_err(|error| D::Error::custom(format!("board `{text}`: {error}")))
}

#[cfg(test)]
mod tests;
