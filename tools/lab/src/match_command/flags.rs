//! The flags of `match`, by the groups of its help.

use std::io::{IsTerminal, stdout};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, ensure};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use plumb::board::BoardSize;
use plumb_arena::adjudication::{DrawRule, ResignRule};
use plumb_arena::engine::affinity::Processors;
use plumb_arena::engine::config::{EngineConfig, EngineDescription};
use plumb_arena::pgn::fields::PgnFields;
use plumb_arena::record::{MatchHeader, record_path};
use plumb_arena::schedule::{Colours, Tournament};
use plumb_arena::settings::{MatchSettings, OpeningSource, Timeouts, board_size, check_number_of_engines};
use plumb_arena::statistics::sprt::{Model, Parameters, Sprt};

use super::cutechess::with_engines_file;
use super::display::ServeFlags;
use crate::arguments;
use crate::result_files::Shard;

/// All flags of `match`. A flag that is given replaces the default or recorded setting.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct MatchFlags {
    #[command(flatten)]
    engines: EngineGroup,
    #[command(flatten)]
    games: GameGroup,
    #[command(flatten)]
    openings: OpeningGroup,
    #[command(flatten)]
    adjudication: AdjudicationGroup,
    #[command(flatten)]
    pgn: PgnGroup,
    #[command(flatten)]
    pub(super) run: RunFlags,
}

/// Flags that are not settings of the match: each run has its own.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct RunFlags {
    #[command(flatten)]
    pub faults: FaultGroup,
    #[command(flatten)]
    pub output: OutputGroup,
    #[command(flatten)]
    pub serve: ServeFlags,
}

#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Engines")]
struct EngineGroup {
    /// An engine and its limits, such as `name=A,cmd=COMMAND,tc=10+0.1`.
    ///
    /// An engine is `cmd=COMMAND`; or, as the first item and without a key, `plumb`, `skill-N` (Skill Level N, 0 to 20) or
    /// `depth-N` (search to depth N); or `conf=NAME` with `--engines-file`.
    ///
    /// It needs at least one limit, here or in `--each`: `tc=[MOVES/]TIME[+INCREMENT]` in seconds, `st=SECONDS` per move,
    /// `nodes=N` or `depth=N`.
    ///
    /// Further items: `name=NAME`, `dir=DIRECTORY`, `proto=uci|ugi`, `timemargin=MILLISECONDS`, `ponder=true`,
    /// `option.NAME=VALUE`. An option that the engine does not declare, or a value that it does not allow, ends the match
    /// before the first game.
    ///
    /// COMMAND is quoted as in a shell: `cmd="/my engines/plumb" --flag`. DIRECTORY may contain blanks. It needs quotes only if
    /// it contains `,KEY=`.
    #[arg(long = "engine", value_name = "DESCRIPTION", num_args = 1)]
    engines: Vec<EngineDescription>,
    /// Settings of all engines, unless an engine has its own.
    #[arg(long, value_name = "DESCRIPTION", num_args = 1)]
    each: Option<EngineDescription>,
    /// The engines of cutechess, `engines.json`, for `conf=NAME`.
    #[arg(long, value_name = "FILE")]
    engines_file: Option<PathBuf>,
    /// Restart engines for each game, with an empty table.
    #[arg(long)]
    restart: bool,
    /// Seconds to start, get ready, or move without a clock.
    ///
    /// By default an engine has 10 seconds from its start to `uciok` or `ugiok`, 30 seconds for each `readyok`, and 60 seconds
    /// for a move without a time limit. After that, as after any limit, it is sent `stop`. It then loses on time, or as hung if
    /// it ignores `stop`.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86400))]
    timeout: Option<u64>,
}

#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Games")]
struct GameGroup {
    /// Openings per pair of engines, each played twice [default: 50].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rounds: Option<u32>,
    /// Games played at the same time [default: 1].
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZeroUsize>,
    /// `round-robin` or `gauntlet` [default: round-robin].
    ///
    /// In a gauntlet the first `--tested` engines play against each of the others.
    #[arg(long, value_name = "KIND")]
    tournament: Option<Tournament>,
    /// The first N engines are under test [default: 1].
    ///
    /// For gauntlets, and for `--openings lost` and `drawn`.
    #[arg(long, value_name = "N")]
    tested: Option<NonZeroUsize>,
    /// Columns by rows of the board [default: 7x6].
    ///
    /// Sizes are 4x4 up to what 128 bits hold. An engine gets the size as its option `Board`, or else as `UCI_Variant` with the
    /// name that `plumb-lab variant-ini` prints. On boards other than 7x6 the openings are random or from a file. `--blunders`
    /// and `--adjudicate` check positions with at most 36 empty cells there, which the solver proves in time.
    #[arg(long, value_name = "WxH", value_parser = board_size)]
    board: Option<BoardSize>,
    /// Play each opening once, with alternating colours.
    #[arg(long)]
    alternate: bool,
    /// Play each opening once, always with the same colours.
    ///
    /// The engine that is named first moves first. Elo and its error are then of single games, and contain the advantage of the
    /// first player.
    #[arg(long, conflicts_with = "alternate")]
    no_swap: bool,
    /// Seed of openings, their order, and engines [default: 1].
    ///
    /// An engine with an option `Seed` gets a seed before each game, unless its description sets one. Two runs with limits of
    /// nodes or depth are then identical move for move, also with Skill Levels.
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Stop when a test of Elo is decided: `ELO0,ELO1[,ALPHA,BETA]`.
    ///
    /// A sequential probability ratio test of the first engine. ALPHA and BETA are its error rates, 0.05 by default.
    #[arg(long, value_name = "TEST", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Use normalised Elo in the test.
    #[arg(long, requires = "sprt")]
    normalised: bool,
    /// Play only a share; `match merge` merges shares.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
}

#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Openings")]
struct OpeningGroup {
    /// `balanced`, `decided`, `random`, `lost`, `drawn`, or a file.
    ///
    /// `balanced`: exact draws in which one move keeps the draw. The default on 7x6.
    ///
    /// `decided`: late wins with one winning move. Both suites have positions of 8 stones, the hardest first.
    ///
    /// `random`: random moves. The default on other boards.
    ///
    /// `lost`, `drawn`: random openings, solved exactly, for matches of the first `--tested` engines against all others. From
    /// each opening each tested engine plays each opponent once, on the side that loses or draws in theory. The results are
    /// shown next to the theory, with the exact score that each move gave away.
    ///
    /// A file has moves or a FEN on each line, or is a PGN. Openings that lead to the same position or its mirror image count as
    /// one.
    #[arg(long, value_name = "SUITE|FILE")]
    openings: Option<OpeningSource>,
    /// Random moves, or PGN moves, per opening [default: 8].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=36))]
    plies: Option<u32>,
    /// Shuffle the openings of a suite or a file.
    #[arg(long)]
    shuffle: bool,
    /// Begin with this opening, counted from 1, after `--shuffle`.
    #[arg(long, value_name = "N")]
    openings_start: Option<NonZeroUsize>,
    /// Repeat openings if there are fewer than rounds.
    ///
    /// Engines that always answer alike play the same games again, so each opening is one observation, and its pairs share the
    /// weight. Below ten different openings the error of Elo is wide, and nElo and LOS are not given.
    #[arg(long)]
    repeat_openings: bool,
    /// Number of the leftmost column, 0 or 1 [default: 1].
    #[arg(long, value_parser = arguments::first_column(), value_name = "N", hide_possible_values = true)]
    first_column: Option<u32>,
}

#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Adjudication")]
struct AdjudicationGroup {
    /// `solved`: end games whose result both engines report correctly.
    ///
    /// The result is a mate, or `cp 0` for a draw. The exact solver confirms it.
    #[arg(long, value_name = "WHEN", hide_possible_values = true,
          value_parser = PossibleValuesParser::new(["solved"]).map(|_| true))]
    adjudicate: Option<bool>,
    /// Draw games by scores: `movenumber=NUMBER,movecount=COUNT,score=SCORE`.
    ///
    /// A game is drawn once each side has NUMBER stones on the board, and has reported a score from -SCORE to SCORE in each of
    /// its last COUNT moves.
    #[arg(long, value_name = "RULE")]
    draw: Option<DrawRule>,
    /// End lost games by scores: `movecount=COUNT,score=SCORE[,twosided]`.
    ///
    /// An engine loses once it has reported a score of -SCORE or below in each of its last COUNT moves. With `twosided` its
    /// opponent must have reported SCORE or above in as many moves.
    #[arg(long, value_name = "RULE")]
    resign: Option<ResignRule>,
    /// Mark every move that gives away exact score.
    #[arg(long)]
    blunders: bool,
}

#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "PGN")]
struct PgnGroup {
    /// Name of the event [default: names of the engines].
    #[arg(long, value_name = "NAME")]
    event: Option<String>,
    /// Place of the event.
    #[arg(long, value_name = "NAME")]
    site: Option<String>,
    /// Fields of a move's comment [default: score,depth,time,clock].
    ///
    /// Any of score, depth, time, clock, nodes, seldepth, speed, hashfull, tbhits and pv (columns from 1, or from `a` if there are
    /// more than nine). `none` leaves out the comments.
    #[arg(long, value_name = "FIELD,…")]
    pgn_fields: Option<PgnFields>,
}

#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Faults")]
pub(super) struct FaultGroup {
    /// Continue after faults of engines.
    ///
    /// A fault is a crash, a hang, an illegal move, an unreadable answer, or a move that was not asked for. A fault loses the
    /// game, ends the match, and sets exit code 1. A time forfeit loses the game, but is not a fault.
    #[arg(long, conflicts_with = "max_faults")]
    recover: bool,
    /// Continue after at most N faults [default: 0].
    ///
    /// A resumed match counts from 0.
    #[arg(long, value_name = "N")]
    max_faults: Option<usize>,
    /// Processors for the engines, such as `0-3,6`.
    ///
    /// Processors count from 0, as the system counts them. They are divided evenly among the games that are played at the same
    /// time. For Linux and Windows.
    #[arg(long, value_name = "PROCESSORS")]
    pub affinity: Option<Processors>,
    /// Play despite a lack of memory, and overwrite files.
    ///
    /// Plays although an engine has another table size than it was set to, or all tables together need more memory than there
    /// is. Overwrites files of other programs in `--out`: `games.pgn`, `games.epd`, `summary.json` and `report.html`.
    #[arg(long)]
    pub force: bool,
}

impl FaultGroup {
    pub(super) fn max_faults(&self) -> usize {
        if self.recover { usize::MAX } else { self.max_faults.unwrap_or(0) }
    }
}

#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Output")]
pub(super) struct OutputGroup {
    /// Directory for games, figures and report.
    ///
    /// It is created if it does not exist. It gets the record (JSON lines), PGN, EPD, figures (JSON) and a page.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Resume the match in `--out` with its recorded settings.
    ///
    /// Repeating the command of the match resumes it, too. These settings may change: more `--rounds`, but not of a shard;
    /// `--sprt` and `--repeat-openings`, if the match had none; `--concurrency`, `--timeout`, `--event`, `--site` and
    /// `--pgn-fields`. All others must equal the recorded settings. Commands and files are looked up from the current directory.
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// Print a line after every N games; 0: only standings.
    ///
    /// With 1, the lines name each game. The standings follow every 20 lines. Forfeits always have a line. The default is 0 on a
    /// terminal, which shows progress and standings on standard error, and otherwise 1.
    #[arg(long, value_name = "N")]
    pub report_every: Option<usize>,
    #[command(flatten)]
    pub report: ReportFlags,
    /// Append all lines of the engines to FILE.
    ///
    /// `>` marks a line to an engine, `<` a line from it, `!` its standard error. Times are UTC. If the disk is slow, lines are
    /// left out and counted.
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
}

impl OutputGroup {
    pub(super) fn lines_every(&self) -> usize {
        self.report_every.unwrap_or(usize::from(!stdout().is_terminal()))
    }
}

/// The flag of a report.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct ReportFlags {
    /// Last games in the page `report.html` [default: 1000].
    #[arg(long, value_name = "N")]
    pub(super) report_games: Option<usize>,
}

impl MatchFlags {
    /// The settings of the match and its shard. A resumed match keeps the settings `found` in `--out`.
    pub(super) fn settings(&self, found: Option<&MatchHeader>) -> Result<(MatchSettings, Option<Shard>)> {
        let path = record_path(self.run.output.out.as_deref().unwrap_or(Path::new("")));
        let path = path.display();
        let (resume, has_engines) = (self.run.output.resume, !self.engines.engines.is_empty());
        if found.is_some() {
            ensure!(resume || has_engines, "`{path}` is there already: `--resume` continues it");
            ensure!(
                has_engines || self.engines.each.is_none(),
                "--each: with `--resume` the engines are those of the record, unless all are given again"
            );
        } else {
            ensure!(!resume || has_engines, "`{path}`: there is no match to resume");
        }
        // Without `--resume` only the flags count, and must fit the recorded settings.
        let recorded = if resume { found } else { None };
        let mut settings = match recorded {
            Some(recorded) => recorded.settings.clone(),
            None => MatchSettings::on(self.games.board.unwrap_or(BoardSize::STANDARD)),
        };
        let shard = match self.games.shard {
            Some(shard) if !shard.is_whole() => Some(shard),
            _ => recorded.and_then(|header| header.shard),
        };
        if has_engines {
            settings.engines = self.engines.configs()?;
        }
        settings.restart |= self.engines.restart;
        if let Some(seconds) = self.engines.timeout {
            settings.timeouts = Timeouts { hang: seconds, start: seconds, ready: seconds };
        }
        self.games.apply(&mut settings)?;
        self.openings.apply(&mut settings);
        self.adjudication.apply(&mut settings);
        self.pgn.apply(&mut settings);
        Ok((settings, shard))
    }
}

fn set<T: Clone>(setting: &mut T, flag: Option<&T>) {
    if let Some(value) = flag {
        *setting = value.clone();
    }
}

impl EngineGroup {
    fn configs(&self) -> Result<Vec<EngineConfig>> {
        let each = self.each.clone().unwrap_or_default();
        EngineConfig::try_from(each.clone()).map_err(|error| anyhow!("--each: {error}"))?;
        let engines = with_engines_file(&self.engines, self.engines_file.as_deref())?;
        check_number_of_engines(engines.len())?;
        let mut configs = Vec::new();
        for engine in engines {
            let config = engine.with_defaults(&each).complete();
            configs.push(config.map_err(|error| anyhow!("--engine: {error}"))?);
        }
        Ok(configs)
    }
}

impl GameGroup {
    fn apply(&self, settings: &mut MatchSettings) -> Result<()> {
        set(&mut settings.rounds, self.rounds.as_ref());
        set(&mut settings.concurrency, self.concurrency.as_ref());
        set(&mut settings.tournament, self.tournament.as_ref());
        set(&mut settings.board, self.board.as_ref());
        set(&mut settings.seed, self.seed.as_ref());
        settings.tested = self.tested.or(settings.tested);
        if self.alternate {
            settings.colours = Colours::Alternating;
        } else if self.no_swap {
            settings.colours = Colours::Fixed;
        }
        if let Some(test) = self.sprt {
            settings.sprt = Some(test);
            if self.normalised {
                let parameters = Parameters { model: Model::Normalized, ..test.parameters() };
                settings.sprt = Some(Sprt::try_from(parameters).map_err(|error| anyhow!("--sprt: {error}"))?);
            }
        }
        Ok(())
    }
}

impl OpeningGroup {
    fn apply(&self, settings: &mut MatchSettings) {
        let openings = &mut settings.openings;
        set(&mut openings.source, self.openings.as_ref());
        set(&mut openings.plies, self.plies.as_ref());
        set(&mut openings.start, self.openings_start.as_ref());
        set(&mut openings.first_column, self.first_column.as_ref());
        openings.shuffle |= self.shuffle;
        openings.repeat |= self.repeat_openings;
    }
}

impl AdjudicationGroup {
    fn apply(&self, settings: &mut MatchSettings) {
        let adjudication = &mut settings.adjudication;
        set(&mut adjudication.solved, self.adjudicate.as_ref());
        adjudication.draw = self.draw.or(adjudication.draw);
        adjudication.resign = self.resign.or(adjudication.resign);
        settings.blunders |= self.blunders;
    }
}

impl PgnGroup {
    fn apply(&self, settings: &mut MatchSettings) {
        let pgn = &mut settings.pgn;
        if self.event.is_some() {
            pgn.event.clone_from(&self.event);
        }
        if self.site.is_some() {
            pgn.site.clone_from(&self.site);
        }
        set(&mut pgn.fields, self.pgn_fields.as_ref());
    }
}
