//! The results of files of positions: a row for each position, a table with a row a file, and a JSON document.

use std::num::NonZeroUsize;
use std::time::Duration;

use crate::scored_positions::ScoredPosition;
use anyhow::{Result, ensure};
use plumb::board::{Board, BoardSize};
use plumb::score::Score;
use plumb_arena::engine::config::EngineDescription;
use serde::{Deserialize, Serialize};

use super::solver::{Answer, Solved};
use crate::exit::End;
use crate::measurement::{quantile, share_note};
use crate::output::{OutputFile, or_dash, print, table};
use crate::progress::say;
use crate::result_files::{Header, Row};

/// The solver and its conditions, as flags and in the results. There the engine has the name that it gave itself, and the
/// size of the table is none if an engine has no table of the size asked for.
#[derive(clap::Args, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Conditions {
    /// Solve with this engine: a program and its arguments, quoted as in a shell; or, as in `match --engine`,
    /// `plumb`, `skill-N`, `depth-N`, or pairs such as `cmd=COMMAND,option.NAME=VALUE`.
    #[arg(long, value_name = "CMD", conflicts_with = "weak")]
    pub engine: Option<String>,
    /// Print how many of the engine's moves keep the result (good) and the score (perfect). The engine may have the limits
    /// `st=`, `nodes=` and `depth=`; its scores are not compared.
    #[arg(long, requires = "engine")]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub moves: bool,
    /// Table size in MB. [default: 64]
    #[arg(long, value_name = "MB")]
    pub hash: Option<usize>,
    /// Threads of the built-in solver.
    #[arg(long, value_name = "N", default_value = "1", conflicts_with = "engine")]
    pub threads: NonZeroUsize,
    /// Solve only win, draw or loss, and compare with the sign of the score.
    #[arg(long)]
    pub weak: bool,
    /// Keep the table from one position of a file to the next.
    #[arg(long)]
    pub warm: bool,
    /// Solve only the first N positions of each file.
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Command, options and depth of the engine; in the header only.
    #[arg(skip)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine_description: Option<EngineDescription>,
    /// The number of the leftmost column in the files, if it was given; in the header only.
    #[arg(skip)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_column: Option<u32>,
    /// The form of the positions, if it was given; in the header only.
    #[arg(skip)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<String>,
}

/// The JSON document.
#[derive(Serialize)]
struct Document<'a> {
    version: &'static str,
    /// The board; none for 7x6.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<&'a str>,
    #[serde(flatten)]
    conditions: &'a Conditions,
    files: &'a [Figures<'a>],
}

/// Prints that a score is not as expected, or not there.
pub(super) fn mismatch(line: &ResultRow) -> Result<()> {
    let ResultRow { file, line: number, moves, expected, score, .. } = line;
    let Some(score) = score else {
        let why = "the engine's last score is a bound, which decides nothing";
        return print(format_args!("{file}:{number}: {moves} is unanswered: {why}"));
    };
    let what = if line.compared == Compared::Sign { "result" } else { "score" };
    let expected = expected.unwrap_or_default();
    print(format_args!("{file}:{number}: {moves} has {what} {score}, expected {expected}"))
}

/// Prints the table of these files, each with its results, and writes the JSON document; fails if a score is not as
/// expected, or not there.
pub(super) fn report(
    header: &Header,
    sections: &[(String, Vec<ResultRow>)],
    json: Option<OutputFile>,
) -> Result<()> {
    let recorded = header.settings()?;
    let conditions = Conditions { engine_description: None, first_column: None, form: None, ..recorded };
    let Conditions { engine, threads, .. } = &conditions;
    let standard = BoardSize::STANDARD.to_string();
    let board = header.board.as_deref().filter(|&board| board != standard);
    let rows: Vec<_> = sections.iter().map(|(file, rows)| Figures::of(file, rows)).collect();
    if let Some(json) = json {
        let version = env!("CARGO_PKG_VERSION");
        json.write_json(&Document { version, board, conditions: &conditions, files: &rows })?;
    }
    let width = rows.iter().map(|row| row.file.chars().count()).max().unwrap_or(0).max("file".len());
    // The clock that the other columns are not from.
    let has_cpu = engine.is_some() || threads.get() > 1;
    let clock = if has_cpu { " mean CPU µs" } else { "mean wall µs" };
    let more = match engine {
        Some(_) if conditions.moves => "| by sign|good moves|perfect moves",
        Some(_) => "| by sign",
        None => "",
    };
    let headings = format!("{:width$}|{}|{clock}{more}", "file", Figures::HEADINGS);
    let cells = rows.iter().map(|figures| {
        let mean = if has_cpu { figures.mean_cpu_us } else { Some(figures.mean_wall_us) };
        let rates = [figures.good_move_rate, figures.perfect_move_rate].map(|rate| or_dash(rate, percent));
        let last = [vec![or_dash(mean, tenths), figures.by_sign.to_string()], rates.to_vec()].concat();
        [vec![format!("{:width$}", figures.file)], figures.cells(), last].concat()
    });
    table(&headings, cells).iter().try_for_each(|line| print(format_args!("{line}")))?;
    if engine.is_some()
        && let Some(note) = processor_note(sections)
    {
        say(format_args!("{note}"));
    }
    ensure!(rows.iter().all(|figures| figures.mismatches == 0), End::Differing);
    Ok(())
}

/// Wall time of all searches, in nanoseconds, below which the share of the processor says little.
const LEAST_WALL: u64 = 5_000_000_000;

/// A note if the engine got less than 80 % of the processor.
fn processor_note(sections: &[(String, Vec<ResultRow>)]) -> Option<String> {
    let rows: Vec<_> = sections.iter().flat_map(|(_, rows)| rows).collect();
    let wall: u64 = rows.iter().map(|row| row.wall_nanoseconds).sum();
    if wall < LEAST_WALL {
        return None;
    }
    let cpu: u64 = rows.iter().map(|row| row.cpu_nanoseconds).sum::<Option<u64>>()?;
    share_note(cpu as f64 / wall as f64)
}

/// The result of a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ResultRow {
    pub file: String,
    pub line: usize,
    pub moves: String,
    pub expected: Option<Score>,
    /// None if the engine left it open.
    pub score: Option<Score>,
    pub nodes: Option<u64>,
    /// Processor time of the built-in solver on one thread, else wall time.
    nanoseconds: u64,
    /// Whether the score was compared, only its sign, or nothing.
    compared: Compared,
    cpu_nanoseconds: Option<u64>,
    wall_nanoseconds: u64,
    /// Exact scores of the position and of the engine's move; only with `--moves`.
    best_score: Option<Score>,
    move_score: Option<Score>,
}

/// What was compared with the expected score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Compared {
    Score,
    Sign,
    Nothing,
}

impl ResultRow {
    /// The result of a position of the file called `name`.
    /// Only the moves count if they are judged: an engine that does not solve need not report a score.
    pub(crate) fn new(name: &str, entry: &ScoredPosition<Board>, solved: &Solved) -> Self {
        let (score, expected, compared) = match solved.answer {
            Answer::Exact(score) | Answer::Sign(score) if solved.judged.is_some() => {
                (Some(score), entry.score, Compared::Nothing)
            }
            Answer::Exact(score) => (Some(score), entry.score, Compared::Score),
            Answer::Sign(sign) => (Some(sign), entry.score.map(Score::signum), Compared::Sign),
            Answer::Open => (None, entry.score, Compared::Nothing),
        };
        let nanoseconds = |time: Duration| time.as_nanos() as u64;
        Self {
            file: name.to_owned(),
            line: entry.line,
            moves: entry.moves.clone(),
            expected,
            score,
            nodes: solved.nodes,
            nanoseconds: nanoseconds(solved.time),
            compared,
            cpu_nanoseconds: solved.cpu.map(nanoseconds),
            wall_nanoseconds: nanoseconds(solved.wall),
            best_score: solved.judged.map(|judged| judged.best),
            move_score: solved.judged.map(|judged| judged.played),
        }
    }

    /// Whether it is the result of this position.
    pub(super) fn is_of(&self, name: &str, entry: &ScoredPosition<Board>) -> bool {
        (self.file.as_str(), self.line, self.moves.as_str()) == (name, entry.line, entry.moves.as_str())
    }

    /// Whether the score is not the expected one, or there is none.
    pub(crate) fn is_mismatch(&self) -> bool {
        if self.move_score.is_some() {
            return false;
        }
        self.score.is_none() || self.expected.is_some() && self.expected != self.score
    }

    /// Whether the engine's move keeps the result of the position.
    fn is_good_move(&self) -> bool {
        self.move_score.map(Score::signum) == self.best_score.map(Score::signum)
    }

    /// Whether the engine's move is the fastest win, a draw, or the longest loss.
    fn is_perfect_move(&self) -> bool {
        self.move_score == self.best_score
    }
}

impl Row for ResultRow {
    fn key(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }
}

/// A row of the table: numbers of positions, times in microseconds, and ratios where they are defined.
#[derive(Debug, Serialize)]
struct Figures<'a> {
    file: &'a str,
    positions: usize,
    mismatches: usize,
    mean_us: f64,
    median_us: f64,
    p99_us: f64,
    max_us: f64,
    mean_nodes: Option<f64>,
    ns_per_node: Option<f64>,
    kpos_per_s: Option<f64>,
    /// Of the processor, whichever clock the other times are from.
    mean_cpu_us: Option<f64>,
    /// Of day.
    mean_wall_us: f64,
    /// Positions of which only the sign was compared.
    by_sign: usize,
    /// Of the mismatches those that the engine left open.
    unanswered: usize,
    /// Shares of the judged moves, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    good_move_rate: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    perfect_move_rate: Option<f64>,
}

impl<'a> Figures<'a> {
    /// The figures of one file.
    fn of(file: &'a str, rows: &[ResultRow]) -> Self {
        let mut sorted: Vec<_> = rows.iter().map(|row| Duration::from_nanos(row.nanoseconds)).collect();
        sorted.sort_unstable();
        let count = sorted.len() as f64;
        let total = sorted.iter().sum::<Duration>().as_secs_f64();
        // A sum that lacks some of the positions would say nothing.
        let nodes = rows.iter().map(|row| row.nodes).sum::<Option<u64>>().map(|sum| sum as f64);
        let cpu = rows.iter().map(|row| row.cpu_nanoseconds).sum::<Option<u64>>();
        let wall = rows.iter().map(|row| row.wall_nanoseconds).sum::<u64>();
        let ratio = |of: f64, to: f64| (to > 0.0).then(|| of / to);
        let judged: Vec<_> = rows.iter().filter(|row| row.move_score.is_some()).collect();
        let good = judged.iter().filter(|row| row.is_good_move()).count() as f64;
        let perfect = judged.iter().filter(|row| row.is_perfect_move()).count() as f64;
        let micros = |share| quantile(&sorted, share).as_secs_f64() * 1e6;
        Self {
            file,
            positions: rows.len(),
            mismatches: rows.iter().filter(|row| row.is_mismatch()).count(),
            mean_us: ratio(total * 1e6, count).unwrap_or(0.0),
            median_us: micros(0.5),
            p99_us: micros(0.99),
            max_us: micros(1.0),
            mean_nodes: nodes.and_then(|nodes| ratio(nodes, count)),
            ns_per_node: nodes.and_then(|nodes| ratio(total * 1e9, nodes)),
            kpos_per_s: nodes.and_then(|nodes| ratio(nodes / 1e3, total)),
            mean_cpu_us: cpu.and_then(|cpu| ratio(cpu as f64 / 1e3, count)),
            mean_wall_us: ratio(wall as f64 / 1e3, count).unwrap_or(0.0),
            by_sign: rows.iter().filter(|row| row.compared == Compared::Sign).count(),
            unanswered: rows.iter().filter(|row| row.score.is_none() && row.move_score.is_none()).count(),
            good_move_rate: ratio(good, judged.len() as f64),
            perfect_move_rate: ratio(perfect, judged.len() as f64),
        }
    }

    /// The headings of the [`cells`](Self::cells); times are in microseconds.
    const HEADINGS: &'static str = "positions|mismatches|     mean µs|   median µs|      p99 µs|      max µs|  mean nodes| \
                                    ns/node|knodes/s";

    /// The row as text, with a dash for what is not defined.
    fn cells(&self) -> Vec<String> {
        let counts = [self.positions, self.mismatches].map(|count| count.to_string());
        let times = [self.mean_us, self.median_us, self.p99_us, self.max_us].map(tenths);
        let [nodes, each] = [self.mean_nodes, self.ns_per_node].map(|ratio| or_dash(ratio, tenths));
        let speed = or_dash(self.kpos_per_s, |speed| format!("{speed:.0}"));
        [&counts[..], &times, &[nodes, each, speed]].concat()
    }
}

/// A share in percent.
fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// A number with one digit after the point.
fn tenths(number: f64) -> String {
    format!("{number:.1}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(micros: u64) -> ResultRow {
        ResultRow {
            file: "a.txt".to_owned(),
            line: 1,
            moves: "44".to_owned(),
            expected: Some(1),
            score: Some(1),
            nodes: Some(30_000),
            nanoseconds: 1000 * micros,
            compared: Compared::Score,
            cpu_nanoseconds: Some(8_000),
            wall_nanoseconds: 9_000,
            best_score: None,
            move_score: None,
        }
    }

    #[test]
    fn a_row_stands_below_its_headings() {
        let rows = [row(1000), ResultRow { score: Some(2), ..row(2000) }, row(6000)];
        let cells = Figures::of("a.txt", &rows).cells();
        assert_eq!(cells, ["3", "1", "3000.0", "2000.0", "6000.0", "6000.0", "30000.0", "100.0", "10000"]);
        assert_eq!(Figures::of("a.txt", &[]).cells().len(), Figures::HEADINGS.split('|').count());
    }

    #[test]
    fn an_engine_that_got_little_of_the_processor_has_a_note() {
        let note = |cpu_seconds: u64, wall_seconds: u64| {
            let [cpu, wall_nanoseconds] = [cpu_seconds, wall_seconds].map(|seconds| seconds * 1_000_000_000);
            let row = ResultRow { cpu_nanoseconds: Some(cpu), wall_nanoseconds, ..row(1) };
            processor_note(&[("a.txt".to_owned(), vec![row])])
        };
        assert!(
            note(7, 10).is_some_and(|note| note.starts_with("The engine used 70% of the processor time: "))
        );
        assert_eq!([note(8, 10), note(1, 4)], [None, None]);
    }

    #[test]
    fn a_sum_that_lacks_a_part_is_not_given() {
        let whole = ResultRow { compared: Compared::Sign, ..row(10) };
        let figures = Figures::of("a.txt", std::slice::from_ref(&whole));
        assert_eq!(figures.by_sign, 1);
        assert_eq!((figures.mean_cpu_us, figures.mean_wall_us), (Some(8.0), 9.0));
        let rows = [whole.clone(), ResultRow { cpu_nanoseconds: None, nodes: None, ..whole }];
        let figures = Figures::of("a.txt", &rows);
        assert_eq!((figures.mean_nodes, figures.ns_per_node, figures.mean_cpu_us), (None, None, None));
        assert_eq!((figures.positions, figures.by_sign), (2, 2));
    }
}
