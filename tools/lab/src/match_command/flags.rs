//! The command line of a match: its settings, and how it is run.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use plumb::board::BoardSize;
use plumb_arena::adjudication::{DrawRule, ResignRule};
use plumb_arena::engine::affinity::Processors;
use plumb_arena::engine::config::EngineDescription;
use plumb_arena::pgn::PgnFields;
use plumb_arena::record::MatchHeader;
use plumb_arena::schedule::{Colours, Tournament};
use plumb_arena::settings::{MatchSettings, OpeningSource, board_size};
use plumb_arena::statistics::sprt::{Model, Parameters, Sprt};
use serde::Serialize;
use serde_json::{Map, Value, from_value, to_value};

use super::cutechess::with_engines_file;
use super::directory::ReportFlags;
use super::display::ServeSettings;
use crate::arguments;
use crate::result_files::Shard;

/// The settings of a match that are given. As JSON, they are laid over the default or recorded settings in
/// [`Self::settings`]; fields with `serde(skip)` are merged there one by one: engines, whose options have an order, the
/// board, which the defaults depend on, and flags of another form than their setting. `shard` goes into the header, and `run`
/// is no setting.
#[derive(Clone, Debug, Serialize, clap::Args)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct MatchFlags {
    /// An engine: `name=A,cmd=COMMAND`; at least one limit, here or in `--each`, of `tc=[MOVES/]TIME[+INCREMENT]`,
    /// `st=SECONDS` per move, `nodes=N`, `depth=N`; and any of `dir=DIRECTORY`, `proto=uci|ugi`, `timemargin=MILLISECONDS`,
    /// `ponder=true`, `option.NAME=VALUE`. Instead of `cmd`: `conf=NAME` with `--engines-file`; or, as the first item and
    /// without a key, `plumb`, `skill-N` (its Skill Level N, 0 to 20) or `depth-N` (its search to depth N): `skill-7,st=0.1`.
    ///
    /// COMMAND is quoted as in a shell: `cmd="/my engines/plumb" --flag`, `'…'` and `\ ` as well. DIRECTORY may
    /// contain blanks, and needs quotes only if it contains `,KEY=`. An option that the engine does not declare, or a
    /// value outside its type and range, ends the match before the first game.
    #[serde(skip)]
    #[arg(long = "engine", value_name = "DESCRIPTION", num_args = 1)]
    engines: Vec<EngineDescription>,
    /// File of engines as cutechess keeps it, `engines.json`: `conf=NAME` in place of `cmd` takes the one of this name, with
    /// program, directory, protocol and options.
    #[serde(skip)]
    #[arg(long, value_name = "FILE")]
    engines_file: Option<PathBuf>,
    /// Settings of all engines, unless an engine has its own.
    #[serde(skip)]
    #[arg(long, value_name = "DESCRIPTION", num_args = 1)]
    each: Option<EngineDescription>,
    /// Size of the board, columns by rows: 4x4 up to what 128 bits hold. [default: 7x6]
    ///
    /// The size is sent to an engine as the option `Board`, if it is not 7x6 and the engine has that option; else as
    /// `UCI_Variant`, with the name that `plumb-lab variant-ini` gives the board. On other boards than 7x6, openings are
    /// random or from a file, and `--blunders` and `--adjudicate` look at positions with at most 36 empty cells, which the
    /// exact solver proves in time.
    #[serde(skip)]
    #[arg(long, value_name = "WxH", value_parser = board_size)]
    board: Option<BoardSize>,
    /// `round-robin`, or `gauntlet`: the first `--tested` engines against each of the others. [default: round-robin]
    #[arg(long, value_name = "KIND")]
    tournament: Option<Tournament>,
    /// Openings for each pair of engines, each played twice, with colours swapped. [default: 50]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rounds: Option<u32>,
    /// Play each opening once, with colours swapped from one opening to the next.
    #[serde(skip)]
    #[arg(long)]
    alternate: bool,
    /// Play each opening once; of each two engines the one that is named first moves first in all games.
    ///
    /// Elo and its error are then those of single games, and contain the advantage of the first player.
    #[serde(skip)]
    #[arg(long, conflicts_with = "alternate")]
    no_swap: bool,
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
    /// balanced; on other boards than 7x6 random]
    ///
    /// `lost` and `drawn` are random openings, solved exactly, for matches of the first `--tested` engines against all
    /// others: from each opening each of them plays each opponent once, on the side that theory gives a loss or a
    /// draw. The results are shown beside what theory gives, with the exact score that each move gave away.
    #[arg(long, value_name = "SUITE|FILE")]
    openings: Option<OpeningSource>,
    #[arg(long, value_parser = arguments::first_column(), value_name = "N", help = arguments::FIRST_COLUMN_HELP)]
    first_column: Option<u32>,
    /// Number of engines under test in a gauntlet or with `--openings lost` or `drawn`: the first ones. [default: 1]
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
    /// Begin with the opening of this number, from 1, after `--shuffle`.
    #[arg(long, value_name = "N")]
    openings_start: Option<NonZeroUsize>,
    /// Number of random moves, or of moves of each game of a PGN, in an opening. [default: 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=36))]
    plies: Option<u32>,
    /// Seconds that an engine without a time limit has for a move. Past them, as past any limit, it is sent `stop`, and loses on
    /// time, or as hung if it ignores `stop`. [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86400))]
    hang_timeout: Option<u64>,
    /// Seconds from the start of an engine to its `uciok` or `ugiok`. [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86400))]
    start_timeout: Option<u64>,
    /// Seconds for each `readyok` of an engine. [default: 30]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86400))]
    ready_timeout: Option<u64>,
    /// `solved`: end a game when both engines report the same result, a mate or `cp 0`, and it is correct.
    #[arg(long, value_name = "WHEN", value_parser = PossibleValuesParser::new(["solved"]).map(|_| true))]
    adjudicate: Option<bool>,
    /// `movenumber=NUMBER,movecount=COUNT,score=SCORE`: draw a game once each side has NUMBER stones on the board, and has
    /// reported a score (as in `score cp`) of at most SCORE from 0 in each of its last COUNT moves.
    #[arg(long, value_name = "RULE")]
    draw: Option<DrawRule>,
    /// `movecount=COUNT,score=SCORE`: let an engine lose once it has reported a score of -SCORE or below in each of its last
    /// COUNT moves; with `,twosided` only if its opponent has reported SCORE or above in as many.
    #[arg(long, value_name = "RULE")]
    resign: Option<ResignRule>,
    /// Mark every move that gives away some of the exact score.
    #[arg(long)]
    blunders: bool,
    /// Stop when a sequential probability ratio test of the first engine's Elo is decided: `ELO0,ELO1[,ALPHA,BETA]`.
    #[arg(long, value_name = "TEST", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Use normalised Elo in the test.
    #[serde(skip)]
    #[arg(long, requires = "sprt")]
    normalised: bool,
    /// Fields of a move's comment in the PGN: any of score, depth, time, clock, nodes, seldepth, speed, hashfull, tbhits and
    /// pv (columns from 1, or from `a` if there are more than nine). `none` leaves out the comments.
    /// [default: score,depth,time,clock]
    #[arg(long, value_name = "FIELD,…")]
    pgn_fields: Option<PgnFields>,
    /// Name of the event, for PGN and report. [default: the names of the engines]
    #[arg(long, value_name = "NAME")]
    event: Option<String>,
    /// Place of the event, for the PGN.
    #[arg(long, value_name = "NAME")]
    site: Option<String>,
    /// Start each engine anew for each game, with an empty table.
    #[arg(long)]
    restart: bool,
    /// Play only this share of the games; `match merge` merges the shares.
    #[serde(skip)]
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    #[serde(skip)]
    #[command(flatten)]
    pub(super) run: RunFlags,
}

/// Flags that are no settings of the match: each run has its own. Of these the record has only the number of processors of
/// `--affinity`.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct RunFlags {
    /// Directory for games (JSON lines and PGN), figures (JSON) and report, created if it does not exist.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Resume the match in `--out`, which contains its settings: no others are needed. The same command as before resumes
    /// it, too.
    ///
    /// More `--rounds`, but not of a shard, an `--sprt` if there was none, and another `--concurrency`, `--hang-timeout`,
    /// `--start-timeout`, `--ready-timeout`, `--event`, `--site` or `--pgn-fields` may be given, and `--repeat-openings`
    /// if openings were not repeated; other settings must equal those of the record. Commands and files are looked up
    /// from the current directory.
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// Milliseconds from the end of a game to the next one of its thread.
    #[arg(long, value_name = "MS", default_value_t)]
    pub wait: u64,
    /// Processors for the engines, as in `0-3,6`, counted from 0 as the system does: dealt out evenly among the games that
    /// are played at the same time, each of whose engines run on no others. For Linux and Windows.
    #[arg(long, value_name = "PROCESSORS")]
    pub affinity: Option<Processors>,
    /// Play on after faults of engines.
    ///
    /// Without this, a match ends at the first crash, hang, illegal move, answer that is no move, or move that was not
    /// asked for; the exit code is 1 after any. A loss on time is a result, and ends no match.
    #[arg(long, conflicts_with = "max_faults")]
    pub recover: bool,
    /// Play on after at most N faults in this run; a resumed match counts from 0. [default: 0]
    #[arg(long, value_name = "N")]
    pub max_faults: Option<usize>,
    /// Play although an engine has another table size than it was set to, or the tables of all games need more memory than
    /// there is. Overwrite files of other programs in `--out`: `games.pgn`, `games.epd`, `summary.json` and `report.html`.
    #[arg(long)]
    pub force: bool,
    /// Print a line after every N games, with the result of each game if N is 1, and the standings after every 20 lines; with 0
    /// only the standings at the end, as progress and standings are shown on standard error meanwhile. Forfeits always have a
    /// line. [default: 1, but 0 on a terminal]
    #[arg(long, value_name = "N")]
    pub report_every: Option<usize>,
    /// Append the lines to (`>`) and from (`<`) each engine to FILE, with standard error (`!`), and the time in UTC;
    /// lines for which a slow disk leaves no room are counted.
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    #[command(flatten)]
    pub report: ReportFlags,
    #[command(flatten)]
    pub serve: ServeSettings,
}

impl MatchFlags {
    /// The settings of the match that these flags make, and its shard: a new match, or the one with the header `found`, whose
    /// record is the file `path`.
    ///
    /// # Errors
    /// The errors of [`with_engines_file`]. Without `--engine`: a match exists and `--resume` is missing, there is no
    /// match to resume, or `--each` is given, which cannot change the engines of the record.
    pub(super) fn settings(
        &self,
        found: Option<&MatchHeader>,
        path: &str,
    ) -> Result<(MatchSettings, Option<Shard>)> {
        let (resume, has_engines) = (self.run.resume, !self.engines.is_empty());
        let engines = with_engines_file(&self.engines, self.engines_file.as_deref())?;
        if found.is_some() {
            ensure!(resume || has_engines, "`{path}` is there already: `--resume` goes on with it");
            ensure!(
                has_engines || self.each.is_none(),
                "--each: with `--resume` the engines are those of the record, unless all are given again"
            );
        } else {
            ensure!(!resume || has_engines, "`{path}`: there is no match to resume");
        }
        // Without `--resume` the settings are those of the flags alone, even if there is a record, which they must fit as
        // `MatchHeader::resumed` says.
        let recorded = found.filter(|_| resume);
        let usual = || MatchSettings::on(self.board.unwrap_or(BoardSize::STANDARD));
        let settings = recorded.map_or_else(usual, |header| header.settings.clone());
        let shard = self.shard.filter(|shard| !shard.is_whole());
        let shard = shard.or(recorded.and_then(|header| header.shard));
        // Flags that are given take the place of the settings with the same names. False is a switch that is not given, so no
        // flag sets a setting to false.
        let [mut all, flags]: [Map<String, Value>; 2] =
            [from_value(to_value(&settings)?)?, from_value(to_value(self)?)?];
        let is_given = |value: &Value| !matches!(value, Value::Null | Value::Bool(false));
        debug_assert!(flags.keys().all(|name| all.contains_key(name)), "each flag is a setting: {flags:?}");
        all.extend(flags.into_iter().filter(|(_, value)| is_given(value)));
        let requested: MatchSettings = from_value(all.into())?;
        let each = self.each.clone().unwrap_or_default();
        let engines: Vec<_> = engines.iter().map(|engine| engine.with_defaults(&each)).collect();
        let normalised = |test: Sprt| Parameters { model: Model::Normalized, ..test.parameters() };
        let test = self.sprt.filter(|_| self.normalised).map(normalised);
        let colours = match (self.alternate, self.no_swap) {
            (true, _) => Colours::Alternating,
            (_, true) => Colours::Fixed,
            _ => settings.colours,
        };
        let requested = MatchSettings {
            // The objects above sort their keys, and options are set in the order in which they were given.
            engines: if engines.is_empty() { settings.engines } else { engines },
            board: self.board.unwrap_or(settings.board),
            colours,
            // It cannot fail: the parameters are those of a valid test, whose limits are the same in both models.
            sprt: test.and_then(|test| Sprt::try_from(test).ok()).or(requested.sprt),
            ..requested
        };
        Ok((requested, shard))
    }
}
