//! Settings by the names of their flags, with defaults, for the record of a match.

use std::collections::BTreeMap;
use std::iter;
use std::num::NonZeroUsize;
use std::time::Duration;

use anyhow::{Result, anyhow};
use clap::Parser;
use plumb::board::{AnyBoard, BoardSize};
use plumb_arena::openings::Board;
use plumb_arena::record::MatchHeader;
use plumb_arena::schedule::Tournament;
use plumb_arena::suites::Suite;

use super::{Settings, Source};
use crate::results::Shard;

impl Settings {
    pub(super) fn tournament(&self) -> Tournament {
        self.tournament.unwrap_or_default()
    }

    pub(super) fn rounds(&self) -> u32 {
        self.rounds.unwrap_or(50)
    }

    pub(super) fn board_size(&self) -> BoardSize {
        self.board.unwrap_or(BoardSize::STANDARD)
    }

    /// The board.
    ///
    /// # Errors
    /// If there is none of this size.
    pub(in super::super) fn board(&self) -> Result<Board> {
        Ok(AnyBoard::new(self.board_size())?)
    }

    /// The number of engines under test, where there are any.
    pub(super) fn tested(&self) -> usize {
        self.tested.map_or(1, NonZeroUsize::get)
    }

    pub(in super::super) fn concurrency(&self) -> NonZeroUsize {
        self.concurrency.unwrap_or(NonZeroUsize::MIN)
    }

    pub(in super::super) fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    pub(super) fn source(&self) -> Source {
        let usual = if self.board_size() == BoardSize::STANDARD {
            Source::Suite(Suite::Balanced)
        } else {
            Source::Random
        };
        self.openings.clone().unwrap_or(usual)
    }

    pub(super) fn plies(&self) -> u32 {
        self.plies.unwrap_or(8)
    }

    pub(in super::super) fn hang_timeout(&self) -> Duration {
        Duration::from_secs(self.hang_timeout.unwrap_or(60))
    }

    pub(super) fn start_timeout(&self) -> Duration {
        Duration::from_secs(self.start_timeout.unwrap_or(10))
    }

    pub(super) fn shard(&self) -> Shard {
        self.shard.unwrap_or(Shard::WHOLE)
    }

    /// Parses the words of a command line.
    ///
    /// # Errors
    /// If they are not valid settings.
    pub(in super::super) fn from_words(words: impl IntoIterator<Item = String>) -> Result<Self> {
        #[derive(clap::Parser)]
        struct Line {
            #[command(flatten)]
            settings: Settings,
        }
        let line = Line::try_parse_from(iter::once("match".to_owned()).chain(words));
        let line =
            line.map_err(|error| anyhow!("{}", error.to_string().lines().next().unwrap_or_default()))?;
        Ok(line.settings)
    }

    /// The settings of a record.
    ///
    /// # Errors
    /// If they are not valid settings.
    pub(super) fn from_record(header: &MatchHeader) -> Result<Self> {
        let engines = header.engines.iter().map(|engine| format!("--engine={}", engine.description));
        let flags = header.arguments.iter().map(|(name, value)| {
            if value.is_empty() { format!("--{name}") } else { format!("--{name}={value}") }
        });
        Self::from_words(engines.chain(flags))
    }

    /// The given flags that games depend on, by name, beside the engines; a switch has an empty value.
    pub(super) fn given(&self) -> BTreeMap<String, String> {
        let mut flags = BTreeMap::new();
        let mut note = |name: &str, value: Option<String>| {
            flags.extend(value.map(|value| (name.to_owned(), value)));
        };
        note("board", self.board.filter(|&size| size != BoardSize::STANDARD).map(|size| size.to_string()));
        note("tournament", self.tournament.map(|tournament| tournament.to_string()));
        note("rounds", self.rounds.map(|rounds| rounds.to_string()));
        note("concurrency", self.concurrency.map(|concurrency| concurrency.to_string()));
        note("seed", self.seed.map(|seed| seed.to_string()));
        note("openings", self.openings.as_ref().map(Source::to_string));
        note("tested", self.tested.map(|tested| tested.to_string()));
        note("plies", self.plies.map(|plies| plies.to_string()));
        note("hang-timeout", self.hang_timeout.map(|seconds| seconds.to_string()));
        note("start-timeout", self.start_timeout.map(|seconds| seconds.to_string()));
        note("sprt", self.full_test().map(|test| test.to_string()));
        note("shard", self.shard.filter(|shard| *shard != Shard::WHOLE).map(|shard| shard.to_string()));
        note("adjudicate", self.adjudicates().then(|| "solved".to_owned()));
        let switches = [
            ("shuffle", self.shuffle),
            ("blunders", self.blunders),
            ("repeat-openings", self.repeat_openings),
        ];
        for (name, is_on) in switches {
            note(name, is_on.then(String::new));
        }
        flags
    }

    /// The flags for the record, defaults included.
    pub(super) fn recorded(&self) -> BTreeMap<String, String> {
        let all = Self {
            tournament: Some(self.tournament()),
            rounds: Some(self.rounds()),
            concurrency: Some(self.concurrency()),
            seed: Some(self.seed()),
            openings: Some(self.source()),
            plies: Some(self.plies()),
            hang_timeout: Some(self.hang_timeout().as_secs()),
            start_timeout: Some(self.start_timeout().as_secs()),
            ..self.clone()
        };
        all.given()
    }

    /// These settings, completed by those of `other`.
    pub(super) fn or(self, other: Self) -> Self {
        let is_complete = !self.engines.is_empty();
        Self {
            engines: if is_complete { self.engines } else { other.engines },
            each: if is_complete { self.each } else { other.each },
            board: self.board.or(other.board),
            tournament: self.tournament.or(other.tournament),
            rounds: self.rounds.or(other.rounds),
            concurrency: self.concurrency.or(other.concurrency),
            seed: self.seed.or(other.seed),
            openings: self.openings.or(other.openings),
            tested: self.tested.or(other.tested),
            plies: self.plies.or(other.plies),
            hang_timeout: self.hang_timeout.or(other.hang_timeout),
            start_timeout: self.start_timeout.or(other.start_timeout),
            sprt: self.sprt.or(other.sprt),
            shard: self.shard.or(other.shard),
            adjudicate: self.adjudicate.or(other.adjudicate),
            shuffle: self.shuffle || other.shuffle,
            blunders: self.blunders || other.blunders,
            repeat_openings: self.repeat_openings || other.repeat_openings,
            ..self
        }
    }
}
