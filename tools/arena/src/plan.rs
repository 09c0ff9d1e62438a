//! Plans a match, resumes it from its record, and plays the missing games.

use std::collections::{BTreeSet, HashMap, VecDeque};

use anyhow::{Context, Result, anyhow, ensure};

use crate::counted;
use crate::directory::{FinishedMatch, LockedDirectory, ReportPage};
use crate::engine::affinity::Processors;
use crate::engine::process::EngineContext;
use crate::engine::start::{EngineError, EngineStarter, check_memory};
use crate::live::{LiveGames, MAX_GAMES};
use crate::locked;
use crate::openings::OpeningLine;
use crate::record::file::RecordReader;
use crate::record::{GameRecord, MatchHeader};
use crate::results::MatchResults;
use crate::runner::MatchRunner;
use crate::schedule::ScheduledGame;
use crate::settings::MatchSettings;
use crate::shard::Shard;
use crate::summary::MatchState;

/// Match with the games that are still to be played.
pub struct MatchPlan {
    /// Header of the match record.
    pub header: MatchHeader,
    /// Games of earlier runs.
    pub recorded: RecordedGames,
    /// Games still to be played.
    pub games: Vec<ScheduledGame>,
    openings: Vec<OpeningLine>,
    processors: Vec<Processors>,
    directory: Option<LockedDirectory>,
}

/// Recorded games.
pub struct RecordedGames {
    /// Results of all recorded games.
    pub results: MatchResults,
    /// Results of all recorded games except `last`.
    pub older: MatchResults,
    /// The last [`MAX_GAMES`] recorded games.
    pub last: VecDeque<GameRecord>,
    /// First game lost by an engine fault, such as a crash.
    pub first_fault: Option<GameRecord>,
}

/// Settings of one run, which the match record does not contain.
#[derive(Clone, Copy, Default)]
pub struct RunSettings<'a> {
    /// Tolerated number of games lost by engine faults. After one more, no further game starts.
    pub max_faults: usize,
    /// Number of games between updates of `summary.json`. 0 for no updates during the match.
    pub summary_every: usize,
    /// Template and size of `report.html`.
    pub page: ReportPage<'a>,
}

/// Match after a run has played its games.
pub struct PlayedMatch {
    /// Results of all games, and path of the report.
    pub finished: FinishedMatch,
    /// Description of each game that an engine lost by a fault in this run.
    pub faults: Vec<String>,
    /// Engines with `ponder=true` that moved but never pondered.
    pub never_pondered: Vec<String>,
}

impl MatchPlan {
    /// Plans a new match, or the missing games of the match in `directory`. `affinity` lists CPUs for the engines.
    pub fn new(
        program: &str,
        requested: MatchSettings,
        shard: Option<Shard>,
        affinity: Option<&Processors>,
        mut directory: Option<LockedDirectory>,
    ) -> Result<Self> {
        let mut found = directory.as_mut().and_then(|directory| directory.found.as_mut());
        let header = match &found {
            Some(found) => found.header.resumed(requested, shard, &found.name)?,
            None => MatchHeader::new(program, requested.complete()?, shard),
        };
        let header = header.on_processors(affinity);
        let settings = &header.settings;
        let processors = match affinity {
            Some(all) => all.check().and_then(|()| all.dealt(settings.concurrency)),
            None => Ok(Vec::new()),
        };
        let processors = processors.map_err(|error| anyhow!("--affinity: {error}"))?;
        let (openings, sides) = settings.openings()?;
        let mut games = settings.scheduled_games(sides.as_deref(), header.shard.unwrap_or(Shard::WHOLE));
        let recorded = RecordedGames::read(&header, found.as_deref_mut(), &games, &openings)?;
        if let Some(found) = found {
            games.retain(|game| !found.contains(game.game));
        }
        if recorded.results.is_decided() {
            games.clear();
        }
        Ok(Self { header, recorded, games, openings, processors, directory })
    }

    /// Starts each engine once, to find broken engines before the first game. Without `force`, it fails if an engine
    /// refuses its table size, or memory is too small for all tables. An interrupt ends the check. Errors are only text.
    pub fn check_engines(&self, starter: &EngineStarter, force: bool) -> Result<()> {
        if !self.games.is_empty() {
            for reason in self.refusals(starter)? {
                ensure!(force, "{reason}; `--force` plays all the same");
                starter.say(&reason);
            }
        }
        if let Some(note) = self.header.oversubscription() {
            starter.say(&note);
        }
        Ok(())
    }

    fn refusals(&self, starter: &EngineStarter) -> Result<Vec<String>> {
        let (settings, mut refusals, mut megabytes) = (&self.header.settings, Vec::new(), 0_usize);
        for engine in 0..settings.engines.len() {
            let config = settings.config(engine);
            let session = match starter.start(&config.name, &config, &[], None) {
                Err(error) if EngineError::is_interrupt(&error) => break,
                // Keeps only the text: callers count an `EngineError` as a game that was lost by a fault.
                session => session.map_err(|error| anyhow!("{error}"))?,
            };
            if let Some(words) = session.size_refusal() {
                refusals.push(format!("`{}`: size of its table not granted: `{words}`", config.name));
            }
            megabytes += session.table_size.or(session.default_table_size()).unwrap_or(0);
        }
        let games = settings.concurrency.get();
        if let Err(reason) = check_memory(megabytes.saturating_mul(games)) {
            refusals.push(format!("{} at a time: {reason}", counted(games, "game")));
        }
        Ok(refusals)
    }

    /// Plays and records the games, then writes the report. Engines use the log and interrupt of `context`. `after_game`
    /// gets each game with the results so far, and returns whether to continue. A decided SPRT also ends the match.
    pub fn play(
        self,
        run: &RunSettings<'_>,
        context: &EngineContext,
        live: &LiveGames,
        mut after_game: impl FnMut(&GameRecord, &MatchResults) -> Result<bool>,
    ) -> Result<PlayedMatch> {
        let Self { header, recorded, games, openings, processors, directory } = self;
        let mut directory = match directory {
            Some(directory) => Some(directory.begin(&header)?),
            None => None,
        };
        let mut results = recorded.results;
        let (mut faults, mut movers) = (Vec::new(), BTreeSet::new());
        let runner = MatchRunner {
            settings: &header.settings,
            openings: &openings,
            context: context.clone(),
            live,
            processors: &processors,
            max_faults: run.max_faults,
        };
        runner.run(&games, |game| {
            results.add(&game);
            if !game.moves.is_empty() {
                movers.extend([game.first.clone(), game.second.clone()]);
            }
            if game.reason.is_fault() {
                faults.push(game.to_string());
            }
            if let Some(directory) = &mut directory {
                directory.append(&game)?;
                let is_due = run.summary_every > 0 && results.played.is_multiple_of(run.summary_every);
                if is_due && results.played < results.planned {
                    directory.write_summary(&results.summary(MatchState::Running))?;
                }
            }
            let continues = after_game(&game, &results)?;
            // Ends the match, because the error rates of an SPRT hold only for its first decision.
            Ok(continues && !results.is_decided())
        })?;
        let pondered = locked(&context.pondered);
        let mut never_pondered = Vec::new();
        for engine in &header.settings.engines {
            if engine.ponder && movers.contains(&engine.name) && !pondered.contains(&engine.name) {
                never_pondered.push(engine.name.clone());
            }
        }
        let finished = FinishedMatch::write(results, directory, run.page);
        Ok(PlayedMatch { finished, faults, never_pondered })
    }
}

impl RecordedGames {
    fn read(
        header: &MatchHeader,
        record: Option<&mut RecordReader>,
        scheduled: &[ScheduledGame],
        openings: &[OpeningLine],
    ) -> Result<Self> {
        let results = MatchResults::new(header);
        let mut all = Self { older: results.clone(), results, last: VecDeque::new(), first_fault: None };
        let Some(record) = record else { return Ok(all) };
        let planned: HashMap<_, _> = scheduled.iter().map(|game| (game.game, game.opening)).collect();
        while let Some(game) = record.next_game()? {
            if let Some(&opening) = planned.get(&game.game) {
                let columns = &openings[opening as usize].columns;
                check_opening(&record.header, &game, columns)
                    .with_context(|| format!("`{}`", record.name))?;
            }
            all.results.add(&game);
            if all.first_fault.is_none() && game.reason.is_fault() {
                all.first_fault = Some(game.clone());
            }
            if all.last.len() == MAX_GAMES
                && let Some(oldest) = all.last.pop_front()
            {
                all.older.add(&oldest);
            }
            all.last.push_back(game);
        }
        Ok(all)
    }
}

/// Refuses an openings file that has changed: both games of a pair need one opening.
fn check_opening(header: &MatchHeader, game: &GameRecord, columns: &[u32]) -> Result<()> {
    let (number, moves) = (game.number(), &game.opening.moves);
    let is_kept = header.opening(game)? == columns;
    ensure!(is_kept, "game {number} was played from `{moves}`, and `openings` has another line there now");
    Ok(())
}
