//! Tuning by matches: each table size against a reference size.

use std::path::Path;
use std::slice;

use anyhow::{Error, Result, anyhow, bail, ensure};
use plumb::board::Geometry;
use plumb_arena::directory::read_match;
use plumb_arena::engine::config::EngineConfig;
use plumb_arena::record::GameRecord;
use plumb_arena::results::MatchResults;
use plumb_arena::settings::{MatchSettings, OpeningSource};
use plumb_arena::statistics::counts::{Counts, Sample};
use plumb_arena::statistics::elo::{ERROR, Estimate, cautious, cautious_elo, expected_score};
use plumb_arena::statistics::sprt::{Decision, Model, Parameters, Sprt};
use serde::{Deserialize, Serialize};

use super::plot::{Answer, Chart, ELO, publish};
use super::{Mode, RESULTS, TuneArguments, Verdict};
use crate::engine::open_starter;
use crate::exit::{End, Failure, Interrupted, is_interrupt};
use crate::match_command::{merge_matches, play_match};
use crate::output::{or_dash, print, table};
use crate::progress::say;
use crate::result_files::{Header, Row, take_lock, write_all};

pub(super) fn run(arguments: &TuneArguments) -> Result<()> {
    let mut sizes = arguments.sizes();
    let reference = arguments.play.reference.or(sizes.last().copied()).unwrap_or(1);
    sizes.insert(reference);
    ensure!(sizes.len() > 1, "`--sizes` names only the reference, {reference} MB");
    let openings = &arguments.games.openings;
    ensure!(
        !matches!(openings, OpeningSource::Theory(_)),
        "`--openings {openings}`: one game from each opening makes no pairs: take `random`, `balanced`, `decided` or a file"
    );
    let path = arguments.out.join(RESULTS);
    let lock = take_lock(&path, "--out")?;
    let (engines, name) = (open_starter(None)?, arguments.command());
    let mut config = limited_engine(arguments, name)?;
    drop(arguments.start(&engines, &mut config, "--engine, --time-control")?);
    let mut sizes =
        arguments.granted(sizes, |size| engines.start(name, &config, &[], Some(size)).map(drop))?;
    ensure!(sizes.remove(&reference) && !sizes.is_empty(), "no size is left to play against {reference} MB");
    let any = settings(arguments, &config, [reference; 2])?;
    // Fail early if the openings cannot be read.
    any.openings()?;
    let limits = config.limits_text();
    let mut matches = Matches {
        reference,
        setup: format!("{name}, {limits}, openings: {}", any.openings_text()),
        sizes: Vec::new(),
        elo: None,
    };
    if arguments.shard.is_some() {
        matches.sizes = sizes.iter().copied().collect();
        matches.elo = Some(arguments.play.elo);
    }
    let header = arguments.header(&Mode::Match(matches.clone()), 0)?;
    header.begin(&path, "--out")?;
    let rule = Rule::new(arguments.play.elo, sizes.len())?;
    let mut results = Vec::new();
    for megabytes in sizes {
        let settings = settings(arguments, &config, [megabytes, reference])?;
        match play(arguments, settings, megabytes, &rule) {
            Err(error) if is_interrupt(&error) => {
                let rows: Vec<_> = results.iter().map(|result: &SizeResult| result.row.clone()).collect();
                rows_of(&rows).iter().try_for_each(|line| print(format_args!("{line}")))?;
                // Replaces the match's own advice, which would resume only one match.
                bail!(Interrupted(format!(
                    "interrupted in the match of {megabytes} MB: repeat the command to continue"
                )))
            }
            Ok(Some(played)) => results.push(SizeResult::new(megabytes, reference, &played, &rule)),
            Ok(None) => {}
            Err(error) => return Err(error),
        }
    }
    if let Some(shard) = arguments.shard {
        return print(format_args!("shard {shard}: `tune-hash merge` recommends sizes"));
    }
    ensure!(!results.is_empty(), Failure(format!("no size is left to play against {reference} MB")));
    drop(lock);
    conclude(&header, &matches, arguments.play.elo, &results, &arguments.out)
}

fn limited_engine(arguments: &TuneArguments, name: &str) -> Result<EngineConfig> {
    let own = arguments.flags.config(name, arguments.games.board.size(), None)?;
    let limited = own.description().with_defaults(&arguments.play.time_control).complete();
    let limited = limited.map_err(|error| anyhow!("--time-control: {error}"))?;
    let EngineConfig { board, start_timeout, ready_timeout, .. } = own;
    Ok(EngineConfig { board, start_timeout, ready_timeout, ..limited })
}

fn settings(arguments: &TuneArguments, config: &EngineConfig, sizes: [usize; 2]) -> Result<MatchSettings> {
    let mut engines = Vec::new();
    for size in sizes {
        let mut side = EngineConfig { name: name_of(size), ..config.clone() };
        side.options.push(("Hash".to_owned(), size.to_string()));
        engines.push(side);
    }
    let mut settings = arguments.match_settings(engines, arguments.games() / 2)?;
    // There may be more games than openings.
    settings.openings.repeat = true;
    Ok(settings)
}

/// Plays the match of a size until it is decided, or all games in a shard. `None` if the engine with that size lost a
/// game by a fault.
fn play(
    arguments: &TuneArguments,
    settings: MatchSettings,
    megabytes: usize,
    rule: &Rule,
) -> Result<Option<MatchResults>> {
    print(format_args!("{} against {}", settings.names()[0], settings.names()[1]))?;
    let is_shard = arguments.shard.is_some();
    let (mut has_warned, mut fault) = (false, None);
    let out = arguments.out.join(directory(megabytes));
    let log = arguments.flags.log.as_deref();
    let played = play_match(settings, arguments.shard, log, &out, &mut |games, played| {
        if let Some(game) = faulty(games) {
            // A fault at the reference size ends the run. In a shard any fault ends the run, because a shard needs all
            // sizes.
            let is_own = game.loser() == Some(&name_of(megabytes));
            ensure!(is_own && !is_shard, fault_error(game));
            fault = Some(format!("{megabytes} MB: {game}"));
            return Ok(false);
        }
        if !has_warned && let Some(share) = too_even(&played.of(0)) {
            has_warned = true;
            say(format_args!("{megabytes} MB: {share} of the pairs are even, {REMEDY}"));
        }
        Ok(is_shard || !rule.is_decided(&played.sample(0)))
    });
    if let Some(reason) = fault {
        arguments.leave_out(&reason)?;
        return Ok(None);
    }
    played.map(Some)
}

/// Merges the matches of the shards into `out`, and recommends a range of sizes. Fails if games are missing, or if a game
/// was lost by a fault.
pub(super) fn merge(header: Header, shards: Matches, parts: &[&Path], out: &Path) -> Result<()> {
    let (&Matches { ref sizes, reference, .. }, Some(elo)) = (&shards, shards.elo) else {
        bail!("these are not shards of matches")
    };
    let rule = Rule::new(elo, sizes.len())?;
    let mut results = Vec::new();
    for &megabytes in sizes {
        print(format_args!("{megabytes} MB against {reference} MB"))?;
        let name = directory(megabytes);
        let shards: Vec<_> = parts.iter().map(|part| part.join(&name)).collect();
        let merged = out.join(&name);
        let played = merge_matches(&shards, &merged)?;
        let (games, planned) = (played.played, played.planned);
        let shown = merged.display();
        ensure!(games == planned, "`{shown}` has {games} of {planned} games: a shard is not complete");
        let mut record = read_match(&merged)?;
        while let Some(game) = record.next_game()? {
            ensure!(faulty(slice::from_ref(&game)).is_none(), fault_error(&game));
        }
        results.push(SizeResult::new(megabytes, reference, &played, &rule));
    }
    let matches = Matches { sizes: Vec::new(), elo: None, ..shards };
    conclude(&header.with_settings(&Mode::Match(matches.clone()))?, &matches, elo, &results, out)
}

fn name_of(megabytes: usize) -> String {
    format!("{megabytes} MB")
}

fn directory(megabytes: usize) -> String {
    format!("match-{megabytes}")
}

/// The first game that was lost by a fault. A time forfeit is not a fault.
fn faulty(games: &[GameRecord]) -> Option<&GameRecord> {
    games.iter().find(|game| game.reason.is_fault())
}

fn fault_error(game: &GameRecord) -> End {
    let loser = game.loser().unwrap_or_default();
    Failure(format!(
        "{game}; a fault of the engine with {loser} says nothing about the size: fix the engine and give another `--out`"
    ))
}

/// Minimum number of pairs for a warning about even pairs.
const ENOUGH_PAIRS: u64 = 20;
/// Share of even pairs above which the games say little about Elo. A pair is even if each side has one point.
const MANY_EVEN: f64 = 0.9;
const DRAWN_ELO: f64 = 400.0;

/// Settings in the header of the results. The records of the matches have all other settings. Only a shard has a fixed
/// list of sizes.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Matches {
    pub reference: usize,
    pub setup: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elo: Option<f64>,
}

/// Results of the match of a table size. Infinite bounds are empty.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct SizeRow {
    megabytes: usize,
    reference: usize,
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    pairs: u64,
    /// Share of pairs with one point for each side.
    even: Option<f64>,
    elo: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    late: u32,
    reference_late: u32,
    verdict: String,
}

impl Row for SizeRow {
    fn key(&self) -> String {
        format!("{} MB", self.megabytes)
    }
}

struct SizeResult {
    row: SizeRow,
    elo: Option<Estimate>,
    verdict: Verdict,
    /// Share of even pairs, if it is so high that the games say little about Elo.
    even: Option<String>,
}

impl SizeResult {
    fn new(megabytes: usize, reference: usize, played: &MatchResults, rule: &Rule) -> Self {
        let sample = played.sample(0);
        let (counts, elo, verdict) = (played.of(0), rule.elo(&sample), rule.verdict(&sample));
        // A fault ends the match, so all forfeits are time forfeits.
        let [late, reference_late] = [0, 1].map(|engine| played.forfeits[engine].values().sum());
        let row = SizeRow {
            megabytes,
            reference,
            games: counts.games(),
            won: counts.wins(),
            drawn: counts.draws(),
            lost: counts.losses(),
            pairs: counts.pairs().iter().sum(),
            even: counts.even_pairs_ratio().map(|share| (1e3 * share).round() / 1e3),
            elo: elo.and_then(|elo| tenths(elo.value)),
            low: elo.and_then(|elo| tenths(elo.low)),
            high: elo.and_then(|elo| tenths(elo.high)),
            late,
            reference_late,
            verdict: match verdict {
                Verdict::Good => "not weaker",
                Verdict::Worse => "weaker",
                Verdict::Open(_) => "cannot tell",
            }
            .to_owned(),
        };
        Self { row, elo, verdict, even: too_even(&counts) }
    }

    /// The size with its Elo, as in `4 MB (Elo -8.0, from -27.5 to 12.0)`.
    fn with_elo(&self) -> String {
        let elo = match self.elo {
            Some(Estimate { value, low, high }) if low.is_finite() && high.is_finite() => {
                format!("Elo {value:.1}, from {low:.1} to {high:.1}")
            }
            Some(bound) => format!("Elo {bound}"),
            None => "no pair of games".to_owned(),
        };
        format!("{} MB ({elo})", self.row.megabytes)
    }
}

fn too_even(counts: &Counts) -> Option<String> {
    let is_enough = counts.pairs().iter().sum::<u64>() >= ENOUGH_PAIRS;
    let share = counts.even_pairs_ratio().filter(|share| is_enough && *share > MANY_EVEN)?;
    Some(format!("{:.0} %", (100.0 * share).floor()))
}

const REMEDY: &str = "so the games say little: shorten the time (`--time-control`) or take other openings \
                      (`--openings`)";

fn conclude(header: &Header, matches: &Matches, loss: f64, results: &[SizeResult], out: &Path) -> Result<()> {
    let reference = matches.reference;
    let rows: Vec<_> = results.iter().map(|result| result.row.clone()).collect();
    write_all(&out.join(RESULTS), "--out", header, &rows)?;
    let (sentences, table) = (sentences(results, reference, loss), rows_of(&rows));
    let note = format!(
        "Vertical lines: 95 % with all sizes taken together. A size whose line is above -{loss} Elo is taken for as good."
    );
    let answer =
        Answer { setup: &matches.setup, sentences: &sentences, recommended: recommended(results, reference) };
    publish(out, &answer, &rows, &table, &[chart(results, reference, loss)], &note)
}

/// The smallest size that is not weaker than the reference; the reference if all sizes are weaker.
fn recommended(results: &[SizeResult], reference: usize) -> Option<usize> {
    if let Some(good) = results.iter().find(|result| result.verdict == Verdict::Good) {
        return Some(good.row.megabytes);
    }
    let are_all_weaker = results.iter().all(|result| result.verdict == Verdict::Worse);
    if are_all_weaker { Some(reference) } else { None }
}

fn tenths(elo: f64) -> Option<f64> {
    // Adding 0 turns -0 into 0.
    if elo.is_finite() { Some((10.0 * elo).round() / 10.0 + 0.0) } else { None }
}

fn rows_of(rows: &[SizeRow]) -> Vec<String> {
    let headings = "    MB| games|  won|drawn| lost|  even|    Elo|   from|     to|   late| verdict";
    table(headings, rows.iter().map(cells))
}

fn cells(row: &SizeRow) -> Vec<String> {
    let counts = [row.megabytes as u64, row.games, row.won, row.drawn, row.lost];
    let mut cells: Vec<_> = counts.map(|count| count.to_string()).into();
    cells.push(or_dash(row.even, |share| format!("{:.1}%", 100.0 * share)));
    cells.extend([row.elo, row.low, row.high].map(|elo| or_dash(elo, |elo| format!("{elo:.1}"))));
    cells.extend([format!("{}, {}", row.late, row.reference_late), format!(" {:<7}", row.verdict)]);
    cells
}

fn sentences(results: &[SizeResult], reference: usize, loss: f64) -> Vec<String> {
    let (mut good, mut weaker, mut even, mut late) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for result in results {
        match result.verdict {
            Verdict::Good => good.push(result.row.megabytes.to_string()),
            Verdict::Worse => weaker.push(result.with_elo()),
            Verdict::Open(_) => {}
        }
        if let Some(share) = &result.even {
            even.push(format!("{} MB {share}", result.row.megabytes));
        }
        late += result.row.late + result.row.reference_late;
    }
    let mut parts = Vec::new();
    if let [_, rest @ ..] = &good[..] {
        let sizes = format!("{}{}", if rest.is_empty() { "" } else { "any of " }, good.join(", "));
        parts.push(format!("{sizes} MB: not weaker than {reference} MB by more than {loss} Elo with 95 %"));
    }
    if !weaker.is_empty() {
        let are_all = weaker.len() == results.len();
        let best = if are_all { format!("{reference} MB, the reference; ") } else { String::new() };
        parts.push(format!("{best}weaker with 95 %: {}", weaker.join(", ")));
    }
    let mut all_games = 0;
    for result in results {
        if let Verdict::Open(more) = result.verdict {
            parts.push(format!("cannot tell about {}: about {more} more games would", result.with_elo()));
            all_games = all_games.max(result.row.games + more);
        }
    }
    if all_games > 0 {
        parts.push(format!("the same command with `--games {all_games}` plays them"));
    }
    let mut sentences = vec![parts.join("; ")];
    if !even.is_empty() {
        sentences.push(format!("Nearly all pairs are even ({}), {REMEDY}", even.join(", ")));
    }
    if late > 0 {
        sentences
            .push(format!("games lost on time: {late}; more `timemargin` in `--time-control` forgives it"));
    }
    sentences
}

fn chart(results: &[SizeResult], reference: usize, loss: f64) -> Chart {
    let mut points = vec![(reference, 0.0, 0.0, 0.0)];
    for result in results {
        if let Some(Estimate { value, low, high }) = result.elo {
            let [value, low, high] = [value, low, high].map(|elo| elo.clamp(-DRAWN_ELO, DRAWN_ELO));
            points.push((result.row.megabytes, value, low, high));
        }
    }
    points.sort_unstable_by_key(|(megabytes, ..)| *megabytes);
    let ends = [points.first(), points.last()].into_iter().flatten();
    let bound = ends.map(|(megabytes, ..)| (*megabytes, -loss, -loss, -loss)).collect();
    Chart {
        file: "elo.svg",
        title: "Elo against the reference",
        scale: ELO,
        curves: vec![(format!("against {reference} MB"), points), (format!("loss of {loss} Elo"), bound)],
    }
}

/// Rule for verdicts about several sizes. All verdicts of a run are right with 95 %.
///
/// The error rate of a size is 5 % divided by the number of sizes (Bonferroni). It is the probability that an equal
/// size is judged weaker, or that a size weaker by `loss` Elo is judged good. The sequential test spends half of the
/// error rate. The interval of an undecided match spends the other half.
#[derive(Clone, Copy, Debug)]
struct Rule {
    test: Sprt,
    /// Probability that an interval misses the Elo difference.
    error: f64,
}

impl Rule {
    /// The rule for this number of sizes. A good size loses at most `loss` Elo.
    fn new(loss: f64, sizes: usize) -> Result<Self> {
        let error = ERROR / sizes.max(1) as f64;
        let (alpha, beta) = (error / 2.0, error / 2.0);
        let test = Parameters { model: Model::Logistic, elo0: -loss, elo1: 0.0, alpha, beta };
        Ok(Self { test: Sprt::try_from(test).map_err(Error::msg)?, error })
    }

    fn is_decided(&self, sample: &Sample) -> bool {
        self.decision(sample) != Decision::Continue
    }

    fn decision(&self, sample: &Sample) -> Decision {
        if sample.size() == 0 {
            return Decision::Continue;
        }
        self.test.decision(self.test.log_likelihood_ratio(&cautious(sample, self.error)))
    }

    /// The Elo difference with its interval. `None` without pairs.
    fn elo(&self, sample: &Sample) -> Option<Estimate> {
        cautious_elo(sample, self.error)
    }

    fn verdict(&self, sample: &Sample) -> Verdict {
        let Some(Estimate { value, low, high }) = self.elo(sample) else { return Verdict::Open(2) };
        match self.decision(sample) {
            Decision::AcceptH1 => Verdict::Good,
            _ if low >= self.test.parameters().elo0 => Verdict::Good,
            Decision::AcceptH0 => Verdict::Worse,
            Decision::Continue if high < 0.0 => Verdict::Worse,
            Decision::Continue => {
                let [value, low, high, least, even] =
                    [value, low, high, self.test.parameters().elo0, 0.0].map(expected_score);
                // An interval shrinks with the square root of the games. It decides once it excludes the allowed loss
                // (`least`) or equality (`even`).
                let ratio = excess(value - low, value - least).min(excess(high - value, even - value));
                let pairs = sample.size() as f64 * (ratio * ratio - 1.0);
                Verdict::Open(rounded_up(2.0 * pairs.max(1.0)))
            }
        }
    }
}

/// Factor by which an interval must shrink until `margin` fits into `room`; infinite without room.
fn excess(margin: f64, room: f64) -> f64 {
    if room > 0.0 { margin / room } else { f64::INFINITY }
}

/// The number rounded up to two significant digits and an even number.
fn rounded_up(number: f64) -> u64 {
    let unit = 10_f64.powf(number.max(1.0).log10().floor() - 1.0).max(2.0);
    ((number / unit).ceil() * unit) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb::mix::Random;

    fn result(megabytes: usize, value: f64, margin: f64, verdict: Verdict) -> SizeResult {
        let elo = Some(Estimate { value, low: value - margin, high: value + margin });
        SizeResult { row: SizeRow { megabytes, ..SizeRow::default() }, elo, verdict, even: None }
    }

    fn said(results: &[SizeResult]) -> String {
        sentences(results, 256, 20.0).join("\n")
    }

    #[test]
    fn the_recommendation_is_a_range_or_a_refusal() {
        let weak = || result(1, -60.0, 20.0, Verdict::Worse);
        let open = || result(4, -9.0, 20.0, Verdict::Open(300));
        let good = |megabytes| result(megabytes, -1.0, 15.0, Verdict::Good);
        assert_eq!(
            said(&[weak(), open(), good(16), good(64)]),
            "any of 16, 64 MB: not weaker than 256 MB by more than 20 Elo with 95 %; weaker with 95 %: 1 MB (Elo -60.0, from \
             -80.0 to -40.0); cannot tell about 4 MB (Elo -9.0, from -29.0 to 11.0): about 300 more games would; the same \
             command with `--games 300` plays them"
        );
        let size = |results: &[SizeResult]| recommended(results, 256);
        assert_eq!(size(&[weak(), open(), good(16), good(64)]), Some(16));
        assert_eq!([size(&[weak()]), size(&[weak(), open()])], [Some(256), None]);
        assert_eq!(said(&[good(16)]), "16 MB: not weaker than 256 MB by more than 20 Elo with 95 %");
        let weaker = "weaker with 95 %: 1 MB (Elo -60.0, from -80.0 to -40.0)";
        assert_eq!(said(&[weak()]), format!("256 MB, the reference; {weaker}"));
        assert!(said(&[weak(), open()]).starts_with(&format!("{weaker}; cannot tell about 4 MB")));
        let without = SizeResult { elo: None, ..result(4, 0.0, 0.0, Verdict::Open(2)) };
        let start = "cannot tell about 4 MB (no pair of games): about 2 more games would";
        assert!(said(&[without]).starts_with(start));
        let mut late = result(16, 0.0, 9.0, Verdict::Good);
        (late.row.late, late.row.reference_late) = (3, 1);
        assert!(said(&[late]).contains("\ngames lost on time: 4; "));
    }

    #[test]
    fn the_picture_has_the_reference_and_no_infinite_ends() {
        let lost = result(1, f64::NEG_INFINITY, 1.0, Verdict::Worse);
        let chart = chart(&[lost], 64, 20.0);
        assert_eq!(chart.curves[0].1, [(1, -400.0, -400.0, -400.0), (64, 0.0, 0.0, 0.0)]);
    }

    fn rule(sizes: usize) -> Rule {
        Rule::new(20.0, sizes).expect("a rule")
    }

    #[test]
    fn a_clear_loss_and_a_clear_equality_are_told_and_few_games_tell_nothing() {
        use Verdict::{Good, Worse};
        for (pairs, sizes, expected) in [
            ([0, 0, 1, 0, 0], 1, None),
            ([1, 1, 0, 0, 0], 1, None),
            ([0, 0, 2, 0, 0], 1, None),
            ([0, 0, 1, 1, 0], 1, None),
            ([0, 0, 20, 0, 0], 1, None),
            ([0, 0, 50, 0, 0], 1, None),
            ([0, 0, 70, 0, 0], 1, Some(Good)),
            ([0, 0, 70, 0, 0], 3, None),
            ([10, 0, 0, 0, 0], 3, Some(Worse)),
            // Certainly weaker, but by less than the allowed loss.
            ([150, 300, 9000, 150, 100], 3, Some(Good)),
        ] {
            let verdict = rule(sizes).verdict(&Sample::Pairs(pairs));
            let told = Some(verdict).filter(|verdict| !matches!(verdict, Verdict::Open(_)));
            assert_eq!(told, expected, "{pairs:?}, {sizes}");
        }
        let rule = rule(3);
        let verdict = |pairs| (rule.verdict(&Sample::Pairs(pairs)), rule.is_decided(&Sample::Pairs(pairs)));
        assert_eq!(verdict([0; 5]), (Verdict::Open(2), false));
        assert_eq!(verdict([40, 40, 100, 10, 10]), (Worse, true));
        assert_eq!(verdict([25, 25, 400, 25, 25]), (Good, true));
        // Weaker by about 9 Elo, between the two hypotheses of the test: more games are needed.
        let (open, is_decided) = verdict([20, 20, 160, 10, 20]);
        let Verdict::Open(more) = open else { panic!("{open:?}") };
        assert!(!is_decided && (1000..20_000).contains(&more), "{more}");
    }

    /// Number of `wanted` verdicts among 400 simulated matches of up to 200 pairs.
    fn count(probabilities: [f64; 5], sizes: usize, wanted: Verdict) -> u32 {
        let (rule, mut random) = (rule(sizes), Random::new(7, 0));
        let mut count = 0;
        for _ in 0..400 {
            let mut pairs = [0; 5];
            for _ in 0..200 {
                let mut left = f64::from(random.below(1 << 30)) / f64::from(1 << 30);
                let outcome = probabilities.iter().position(|share| {
                    left -= share;
                    left < 0.0
                });
                pairs[outcome.unwrap_or(2)] += 1;
                if rule.is_decided(&Sample::Pairs(pairs)) {
                    break;
                }
            }
            count += u32::from(rule.verdict(&Sample::Pairs(pairs)) == wanted);
        }
        count
    }

    #[test]
    fn verdicts_are_seldom_wrong_and_what_is_clear_is_mostly_found() {
        // Equal engines, then a first engine that is 20 Elo weaker: with few uneven pairs, then with many.
        for even in [[0.01, 0.02, 0.94, 0.02, 0.01], [0.1, 0.1, 0.6, 0.1, 0.1]] {
            assert!(count(even, 1, Verdict::Worse) <= 20, "{even:?}");
        }
        for weak in
            [[0.0575, 0.0, 0.9425, 0.0, 0.0], [0.0, 0.115, 0.885, 0.0, 0.0], [0.1, 0.17, 0.535, 0.135, 0.06]]
        {
            assert!(count(weak, 1, Verdict::Good) <= 20, "{weak:?}");
        }
        assert!(count([0.0, 0.01, 0.98, 0.01, 0.0], 3, Verdict::Good) > 380);
        assert!(count([0.1, 0.1, 0.8, 0.0, 0.0], 3, Verdict::Worse) > 380);
    }

    #[test]
    fn numbers_of_games_are_round_and_even() {
        assert_eq!([1.0, 7.2, 13.0, 214.0, 1201.0, 9999.0].map(rounded_up), [2, 8, 14, 220, 1300, 10_000]);
    }
}
