//! Results of a suite: rows, table and JSON document.

use std::num::NonZeroUsize;
use std::time::Duration;

use anyhow::{Result, ensure};
use plumb::VERSION;
use plumb::board::{Board, BoardSize};
use plumb::score::Score;
use plumb_arena::engine::config::EngineDescription;
use serde::{Deserialize, Serialize};

use super::solver::{Answer, Solved};
use crate::exit::End;
use crate::measurement::{quantile, share_note};
use crate::output::{OutputFile, or_dash, print, print_table, write_json};
use crate::progress::say;
use crate::result_files::{Header, Row};
use crate::scored_positions::ScoredPosition;

/// Results of a file: its name and its rows.
pub(super) type Section = (String, Vec<ResultRow>);

/// Solver and conditions of a run: flags of the command, and settings in its results.
#[derive(clap::Args, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Conditions {
    /// Solve with this engine: a command, plumb, skill-N or depth-N.
    ///
    /// Quote the command as in a shell. `match --engine` explains the other forms, such as `cmd=COMMAND,option.NAME=VALUE`.
    /// The results contain the name that the engine gives itself.
    #[arg(long, value_name = "CMD", conflicts_with = "weak", help_heading = "Engine")]
    pub engine: Option<String>,
    /// Judge the engine's moves instead of its scores.
    ///
    /// A good move keeps the result, a perfect move keeps the score. The engine may have the limits `st=`, `nodes=` and
    /// `depth=`.
    #[arg(long, help_heading = "Engine")]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub moves: bool,
    /// Table size in MB. An engine without a table of the requested size has `None`.
    #[arg(skip)]
    pub hash: Option<usize>,
    /// Threads of the built-in solver.
    #[arg(long, value_name = "N", default_value = "1", conflicts_with = "engine", help_heading = "Solver")]
    pub threads: NonZeroUsize,
    /// Solve only win, draw or loss.
    #[arg(long, help_heading = "Solver")]
    pub weak: bool,
    /// Keep the table between the positions of a file.
    #[arg(long, help_heading = "Solver")]
    pub warm: bool,
    /// Solve only the first N positions of each file.
    #[arg(long, value_name = "N", help_heading = "Positions")]
    pub limit: Option<usize>,
    /// Command, options and depth of the engine. Only the header has it.
    #[arg(skip)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine_description: Option<EngineDescription>,
    /// `--first-column`. Only the header has it.
    #[arg(skip)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_column: Option<u32>,
    /// `--form`. Only the header has it.
    #[arg(skip)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<String>,
}

#[derive(Serialize)]
struct Document<'a> {
    version: &'static str,
    /// Size of the board, or `None` for 7x6.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<&'a str>,
    #[serde(flatten)]
    conditions: Conditions,
    files: Vec<Figures<'a>>,
}

impl<'a> Document<'a> {
    fn new(header: &'a Header, sections: &'a [Section]) -> Result<Self> {
        let recorded: Conditions = header.settings()?;
        let standard = BoardSize::STANDARD.to_string();
        Ok(Self {
            version: VERSION,
            board: header.board.as_deref().filter(|&board| board != standard),
            conditions: Conditions { engine_description: None, first_column: None, form: None, ..recorded },
            files: sections.iter().map(|(file, rows)| Figures::of(file, rows)).collect(),
        })
    }

    fn has_mismatches(&self) -> bool {
        self.files.iter().any(|figures| figures.mismatches > 0)
    }

    fn name_width(&self) -> usize {
        self.files.iter().map(|row| row.file.chars().count()).max().unwrap_or(0).max("file".len())
    }
}

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

/// Prints a table with a row per file, and writes the JSON document.
///
/// # Errors
/// [`Differing`](End::Differing) if a score is wrong or missing.
pub(super) fn report(header: &Header, sections: &[Section], json: Option<OutputFile>) -> Result<()> {
    let document = Document::new(header, sections)?;
    write_json(json, &document)?;
    let Conditions { engine, threads, moves, .. } = &document.conditions;
    let width = document.name_width();
    // The last column has CPU time if the other columns have wall time, and vice versa.
    let has_cpu = engine.is_some() || threads.get() > 1;
    let clock = if has_cpu { " mean CPU µs" } else { "mean wall µs" };
    let more = match engine {
        Some(_) if *moves => "| by sign|good moves|perfect moves",
        Some(_) => "| by sign",
        None => "",
    };
    let headings = format!("{:width$}|{}|{clock}{more}", "file", Figures::HEADINGS);
    let cells = document.files.iter().map(|figures| {
        let mean = if has_cpu { figures.mean_cpu_us } else { Some(figures.mean_wall_us) };
        let rates = [figures.good_move_rate, figures.perfect_move_rate]
            .map(|rate| or_dash(rate, |share| format!("{:.1}%", 100.0 * share)));
        let last = [vec![or_dash(mean, tenths), figures.by_sign.to_string()], rates.to_vec()].concat();
        [vec![format!("{:width$}", figures.file)], figures.cells(), last].concat()
    });
    print_table(&headings, cells)?;
    if engine.is_some()
        && let Some(note) = processor_note(sections)
    {
        say(format_args!("{note}"));
    }
    ensure!(!document.has_mismatches(), End::Differing);
    Ok(())
}

pub(super) type SizeRun = (usize, Header, Vec<Section>);

/// Like [`report`], but with a row per file and table size, and a JSON list with a document per table size.
pub(super) fn report_sizes(runs: &[SizeRun], json: Option<OutputFile>) -> Result<()> {
    let mut documents = Vec::new();
    for (_, header, sections) in runs {
        documents.push(Document::new(header, sections)?);
    }
    write_json(json, &documents)?;
    let width = documents.first().map_or(0, Document::name_width);
    let headings = format!(
        "{:width$}|      MB|positions|mismatches|  mean nodes| ratio|     mean µs| ratio|knodes/s",
        "file"
    );
    let mut cells = Vec::new();
    for (index, first) in documents.first().map_or(&[][..], |document| &document.files).iter().enumerate() {
        for ((size, ..), document) in runs.iter().zip(&documents) {
            cells.push(document.files[index].size_cells(*size, first, width));
        }
    }
    print_table(&headings, cells.into_iter())?;
    ensure!(!documents.iter().any(Document::has_mismatches), End::Differing);
    Ok(())
}

/// Total wall time in nanoseconds below which the CPU share is unreliable.
const LEAST_WALL: u64 = 5_000_000_000;

fn processor_note(sections: &[Section]) -> Option<String> {
    let rows: Vec<_> = sections.iter().flat_map(|(_, rows)| rows).collect();
    let wall: u64 = rows.iter().map(|row| row.wall_nanoseconds).sum();
    if wall < LEAST_WALL {
        return None;
    }
    let cpu: u64 = rows.iter().map(|row| row.cpu_nanoseconds).sum::<Option<u64>>()?;
    share_note(cpu as f64 / wall as f64)
}

/// Result of a position: a row of the CSV file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ResultRow {
    pub file: String,
    pub line: usize,
    pub moves: String,
    pub expected: Option<Score>,
    /// `None` if the engine's last score is a bound that leaves the winner open.
    pub score: Option<Score>,
    pub nodes: Option<u64>,
    /// Processor time of the built-in solver on one thread, else wall time.
    nanoseconds: u64,
    compared: Compared,
    cpu_nanoseconds: Option<u64>,
    wall_nanoseconds: u64,
    /// Exact scores of the position and of the engine's move, with `--moves`.
    best_score: Option<Score>,
    move_score: Option<Score>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Compared {
    Score,
    Sign,
    #[default]
    Nothing,
}

impl ResultRow {
    /// Result of a position in the file `name`. If moves are judged, the reported score is not compared.
    pub(crate) fn new(name: &str, entry: &ScoredPosition<Board>, solved: &Solved) -> Self {
        let (score, expected, compared) = match solved.answer {
            Answer::Exact(score) | Answer::Sign(score) if solved.judged.is_some() => {
                (Some(score), entry.score, Compared::Nothing)
            }
            Answer::Exact(score) => (Some(score), entry.score, Compared::Score),
            Answer::Sign(sign) => (Some(sign), entry.score.map(Score::signum), Compared::Sign),
            Answer::Open => (None, entry.score, Compared::Nothing),
        };
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

    pub(super) fn is_of(&self, name: &str, entry: &ScoredPosition<Board>) -> bool {
        (self.file.as_str(), self.line, self.moves.as_str()) == (name, entry.line, entry.moves.as_str())
    }

    pub(crate) fn is_mismatch(&self) -> bool {
        if self.move_score.is_some() {
            return false;
        }
        self.score.is_none() || self.expected.is_some() && self.expected != self.score
    }

    fn is_good_move(&self) -> bool {
        self.move_score.map(Score::signum) == self.best_score.map(Score::signum)
    }

    fn is_perfect_move(&self) -> bool {
        self.move_score == self.best_score
    }
}

impl Row for ResultRow {
    fn key(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }
}

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
    mean_cpu_us: Option<f64>,
    mean_wall_us: f64,
    /// Positions whose score was compared by sign.
    by_sign: usize,
    unanswered: usize,
    /// Shares of the judged moves, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    good_move_rate: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    perfect_move_rate: Option<f64>,
}

impl<'a> Figures<'a> {
    fn of(file: &'a str, rows: &[ResultRow]) -> Self {
        let mut sorted: Vec<_> = rows.iter().map(|row| Duration::from_nanos(row.nanoseconds)).collect();
        sorted.sort_unstable();
        let count = sorted.len() as f64;
        let total = sorted.iter().sum::<Duration>().as_secs_f64();
        let nodes = rows.iter().map(|row| row.nodes).sum::<Option<u64>>().map(|sum| sum as f64);
        let cpu = rows.iter().map(|row| row.cpu_nanoseconds).sum::<Option<u64>>();
        let wall = rows.iter().map(|row| row.wall_nanoseconds).sum::<u64>();
        let judged: Vec<_> = rows.iter().filter(|row| row.move_score.is_some()).collect();
        let good = judged.iter().filter(|row| row.is_good_move()).count() as f64;
        let perfect = judged.iter().filter(|row| row.is_perfect_move()).count() as f64;
        let [median_us, p99_us, max_us] =
            [0.5, 0.99, 1.0].map(|share| quantile(&sorted, share).as_secs_f64() * 1e6);
        Self {
            file,
            positions: rows.len(),
            mismatches: rows.iter().filter(|row| row.is_mismatch()).count(),
            mean_us: ratio(total * 1e6, count).unwrap_or(0.0),
            median_us,
            p99_us,
            max_us,
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

    const HEADINGS: &'static str = "positions|mismatches|     mean µs|   median µs|      p99 µs|      max µs|  mean nodes| \
                                    ns/node|knodes/s";

    fn cells(&self) -> Vec<String> {
        let counts = [self.positions, self.mismatches].map(|count| count.to_string());
        let times = [self.mean_us, self.median_us, self.p99_us, self.max_us].map(tenths);
        let [nodes, each] = [self.mean_nodes, self.ns_per_node].map(|ratio| or_dash(ratio, tenths));
        let speed = or_dash(self.kpos_per_s, |speed| format!("{speed:.0}"));
        [&counts[..], &times, &[nodes, each, speed]].concat()
    }

    /// Row for a file and table size. `first` has the results of the file with the first size.
    fn size_cells(&self, megabytes: usize, first: &Self, width: usize) -> Vec<String> {
        let node_ratio = match (self.mean_nodes, first.mean_nodes) {
            (Some(nodes), Some(before)) => ratio(nodes, before),
            _ => None,
        };
        let [nodes, times] = [node_ratio, ratio(self.mean_us, first.mean_us)]
            .map(|ratio| or_dash(ratio, |ratio| format!("{ratio:.2}")));
        vec![
            format!("{:width$}", self.file),
            megabytes.to_string(),
            self.positions.to_string(),
            self.mismatches.to_string(),
            or_dash(self.mean_nodes, tenths),
            nodes,
            tenths(self.mean_us),
            times,
            or_dash(self.kpos_per_s, |speed| format!("{speed:.0}")),
        ]
    }
}

fn tenths(number: f64) -> String {
    format!("{number:.1}")
}

fn nanoseconds(time: Duration) -> u64 {
    time.as_nanos() as u64
}

fn ratio(of: f64, to: f64) -> Option<f64> {
    if to > 0.0 { Some(of / to) } else { None }
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
