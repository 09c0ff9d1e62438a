//! The benchmark: fixed positions, each solved with an empty table.
//!
//! With one thread and the default table size, the node count is equal on every machine. It changes only with
//! the search.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;
use std::time::Duration;
use std::{fs, iter};

use plumb_protocol::{Command, LineError, Token};

use super::options::{MAX_THREADS, Options};
use crate::board::{Position, Standard};
use crate::clock::Instant;
use crate::score::Score;
use crate::search::{Solver, StopFlag};
use crate::table::{Table, TableError};

/// Default size of the table in megabytes. The published node count belongs to this size.
const BENCH_HASH: usize = 16;

const SIZES: [usize; 6] = [1, 4, 16, 64, 256, 1024];

/// Number of measurements of each table size. The sizes take turns, so that a busy minute affects all sizes.
const ROUNDS: usize = 3;

const COUNT: usize = 24;

/// Positions as column digits: the empty board, then random positions.
const POSITIONS: [&str; COUNT + 1] = [
    "",
    "11511332",
    "753265471",
    "143136561",
    "4676363565",
    "2113374466",
    "23464415165",
    "512677221112",
    "563215117411",
    "554273354663",
    "7557662742435",
    "2133253576644",
    "76764147446343",
    "14611773231175",
    "23525145763574",
    "566326623536335",
    "1612445177256227",
    "15746177773633472",
    "337772372261276527",
    "22642764114116716557",
    "2377231633556655761155",
    "134267647227267644657272",
    "13372631437214516256557422",
    "2237232373311514645252166163",
    "32657144133351264511646124773736",
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bench {
    runs: Vec<(usize, NonZeroUsize)>,
    rounds: usize,
    positions: &'static [&'static str],
}

#[derive(Default)]
struct Measurement {
    huge_page_megabytes: Option<u64>,
    nodes: u64,
    time: Duration,
    full: (u64, u64),
    megabytes_in_use: usize,
}

const USAGE: &str = "usage: bench [HASH in MB] [THREADS] [NUMBER OF POSITIONS]";

/// The argument of `bench` that compares table sizes.
pub const HASH_SIZES: &str = "--hash-sizes";

impl Bench {
    /// Parses the words HASH, THREADS and LIMIT. A missing HASH or THREADS defaults to the option if it was
    /// set, otherwise to 16 MB or one thread. A missing LIMIT means all positions. `--hash-sizes` in place
    /// of HASH compares sizes, optionally from a list such as `1,16,64`. `threads` before HASH compares
    /// threads on the empty board.
    pub(crate) fn new(options: &Options, words: &[Token<'_, String>]) -> Result<Self, String> {
        Self::parse(options, words).map_err(|error| format!("{error}; {USAGE}"))
    }

    fn parse(options: &Options, words: &[Token<'_, String>]) -> Result<Self, LineError> {
        let first = words.first().map_or("", |word| word.value.as_str());
        let (by_size, by_threads) = (first == HASH_SIZES, first == "threads");
        let mut words = &words[usize::from(by_threads)..];
        let mut options = options.clone();
        let mut sizes = SIZES.to_vec();
        if by_size
            && let Some(list) = words.get(1)
            && list.text.contains(',')
        {
            sizes = listed_sizes(list, &options)?;
            words = &words[1..];
        }
        for (name, word) in ["Hash", "Threads"].into_iter().zip(words).skip(usize::from(by_size)) {
            options.set(&Token::from(name.to_owned()), Some(word))?;
        }
        let mut limit = None;
        if let Some(word) = words.get(2) {
            limit = word.value.parse().ok().filter(|limit| (1..=COUNT).contains(limit));
            if limit.is_none() {
                return Err(word.error(format!("expected 1 to {COUNT} positions")));
            }
        }
        if let Some(word) = words.get(3) {
            return Err(word.error("one word too many"));
        }
        let (megabytes, threads) = (options.hash_megabytes_or(BENCH_HASH), options.threads());
        let (runs, rounds, positions) = if by_threads {
            let most = if words.len() > 1 {
                threads.get()
            } else {
                available_parallelism().map_or(1, usize::from).min(MAX_THREADS as usize)
            };
            let powers = iter::successors(Some(1), |&threads| Some(2 * threads));
            let threads = powers.take_while(|&threads| threads < most).chain([most]);
            let runs = threads.filter_map(|threads| Some((megabytes, NonZeroUsize::new(threads)?)));
            (runs.collect(), 1, &POSITIONS[..limit.unwrap_or(1)])
        } else {
            let positions = &POSITIONS[1..=limit.unwrap_or(COUNT)];
            if by_size {
                (sizes.into_iter().map(|megabytes| (megabytes, threads)).collect(), ROUNDS, positions)
            } else {
                (vec![(megabytes, threads)], 0, positions)
            }
        };
        Ok(Self { runs, rounds, positions })
    }

    pub(crate) fn run(&self, stop_flag: &StopFlag, line: &mut dyn FnMut(String)) -> Result<(), TableError> {
        if self.rounds > 0 {
            self.compare(stop_flag, line);
            return Ok(());
        }
        let (megabytes, threads) = self.runs[0];
        let mut on_solved = |digits: &str, score: Score, nodes: u64| {
            line(format!("{digits:<20} score {score:>3}  nodes {nodes}"));
        };
        let Some(measured) = self.measure(megabytes, threads, stop_flag, &mut on_solved)? else {
            line("bench: stopped".into());
            return Ok(());
        };
        let varies = if threads.get() > 1 { " (the node count differs from run to run)" } else { "" };
        line(String::new());
        line(format!("Positions       : {} of {COUNT}", self.positions.len()));
        line(format!("Hash table (MB) : {megabytes}, {} in use at most", measured.megabytes_in_use));
        line(format!("Huge pages (MB) : {}{}", measured.huge_pages(), huge_page_mode()));
        line(format!("Threads         : {threads}{varies}"));
        let (mean, most) = measured.full;
        line(format!("Hash full       : {mean} per mille on average, {most} at most"));
        line(format!("Total time (ms) : {}", measured.time.as_millis()));
        line(format!("Nodes searched  : {}", measured.nodes));
        line(format!("Nodes/second    : {:.0}", measured.nodes_per_second()));
        Ok(())
    }

    fn compare(&self, stop_flag: &StopFlag, line: &mut dyn FnMut(String)) {
        let Self { rounds, positions, .. } = self;
        line(format!("{} of {COUNT} positions; rounds: {rounds}", positions.len()));
        line("  MB  threads      nodes  ratio   nodes/s  time(ms)  spread  speed-up  full avg/max  in use(MB)  huge pages(MB)".into());
        let mut measured: Vec<Vec<Measurement>> = Vec::new();
        measured.resize_with(self.runs.len(), Vec::new);
        let mut first = None;
        for round in 1..=self.rounds {
            for (&(megabytes, threads), measured) in self.runs.iter().zip(&mut measured) {
                match self.measure(megabytes, threads, stop_flag, &mut |_, _, _| ()) {
                    Ok(Some(measurement)) => measured.push(measurement),
                    Ok(None) => return line("bench: stopped".into()),
                    Err(error) if round == self.rounds && measured.is_empty() => {
                        line(format!("{megabytes:>4}  {error}"));
                    }
                    Err(_) => (),
                }
                if round == self.rounds && !measured.is_empty() {
                    measured.sort_by_key(|measurement| measurement.time);
                    let median = &measured[measured.len() / 2];
                    let first = first.get_or_insert((median.nodes, median.time));
                    line(median.row(megabytes, threads, first, &spread(measured)));
                }
            }
        }
    }

    fn measure(
        &self,
        megabytes: usize,
        threads: NonZeroUsize,
        stop_flag: &StopFlag,
        on_solved: &mut dyn FnMut(&str, Score, u64),
    ) -> Result<Option<Measurement>, TableError> {
        let mut table = Table::new(megabytes)?;
        let mut measured = Measurement::default();
        for digits in self.positions {
            let Ok(position) = Position::<Standard>::from_digits(digits) else { continue };
            table.clear();
            let start = Instant::now();
            let mut solver = Solver::new(&table).threads(threads).stop_flag(stop_flag);
            let Ok(score) = solver.score(&position) else { return Ok(None) };
            measured.time += start.elapsed();
            measured.nodes += solver.nodes();
            on_solved(digits, score, solver.nodes());
            measured.megabytes_in_use = measured.megabytes_in_use.max(table.megabytes_in_use());
            let full = u64::from(table.hashfull());
            measured.full = (measured.full.0 + full, measured.full.1.max(full));
        }
        measured.huge_page_megabytes = table.huge_page_megabytes();
        measured.full.0 /= self.positions.len() as u64;
        Ok(Some(measured))
    }
}

impl Measurement {
    fn nodes_per_second(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64()
    }

    fn huge_pages(&self) -> String {
        self.huge_page_megabytes.map_or("unknown on this system".into(), |megabytes| megabytes.to_string())
    }

    /// One table row. Ratios are relative to `first`, the nodes and time of the first row.
    fn row(&self, megabytes: usize, threads: NonZeroUsize, first: &(u64, Duration), spread: &str) -> String {
        let (nodes, (mean, most), (first_nodes, first_time)) = (self.nodes, self.full, *first);
        let ratio = nodes as f64 / first_nodes as f64;
        let speed_up = first_time.as_secs_f64() / self.time.as_secs_f64();
        let (speed, pages, full) = (self.nodes_per_second(), self.huge_pages(), format!("{mean}/{most}"));
        let (time, in_use) = (milliseconds(self.time), self.megabytes_in_use);
        format!(
            "{megabytes:>4}  {threads:>7} {nodes:>10}  {ratio:>5.2}  {speed:>8.0}  {time:>8.0}  {spread:>6}  \
             {speed_up:>8.2}  {full:>12}  {in_use:>10}  {pages:>14}"
        )
    }
}

fn spread(rounds: &[Measurement]) -> String {
    let [fastest, .., slowest] = rounds else { return "-".into() };
    let difference = slowest.time.saturating_sub(fastest.time).as_secs_f64();
    format!("{:.0}%", 100.0 * difference / rounds[rounds.len() / 2].time.as_secs_f64())
}

fn listed_sizes(list: &Token<'_, String>, options: &Options) -> Result<Vec<usize>, LineError> {
    let mut options = options.clone();
    let mut offset = list.offset;
    let mut sizes = Vec::new();
    for text in list.text.split(',') {
        let size = Token::new(text.to_owned(), text, offset);
        options.set(&Token::from("Hash".to_owned()), Some(&size))?;
        sizes.push(options.hash_megabytes_or(BENCH_HASH));
        offset = size.end() + 1;
    }
    Ok(sizes)
}

fn huge_page_mode() -> String {
    let settings = fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled").unwrap_or_default();
    let chosen = settings.split(['[', ']']).nth(1);
    chosen.map(|mode| format!(" (transparent huge pages: {mode})")).unwrap_or_default()
}

/// The protocol line that runs `plumb bench` with these arguments.
///
/// # Errors
/// The first invalid argument, or a table that does not fit in memory.
pub fn bench_line(words: &[&str]) -> Result<String, String> {
    let words: Vec<_> = words.iter().map(|word| Token::new((*word).to_owned(), word, 0)).collect();
    let bench = Bench::new(&Options::default(), &words)?;
    Table::new(bench.runs[0].0).map_err(|error| error.to_string())?;
    Ok(Command::Bench(words).to_string())
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
#[cfg(test)]
mod tests {
    use plumb_protocol::parse_command;

    use super::super::options::MAX_HASH;
    use super::*;

    fn bench(options: &Options, line: &str) -> Result<Bench, String> {
        match parse_command(line).expect("valid").expect("not blank").command {
            Command::Bench(words) => Bench::new(options, &words),
            other => panic!("{line} is {other}"),
        }
    }

    fn lines(line: &str, stop_flag: &StopFlag) -> Vec<String> {
        let mut lines = Vec::new();
        let bench = bench(&Options::default(), line).expect(line);
        bench.run(stop_flag, &mut |line| lines.push(line)).expect("there is memory for the table");
        lines
    }

    #[test]
    fn a_benchmark_ends_with_its_figures() {
        let lines = lines("bench", &StopFlag::new());
        let last = [
            "Positions       : 24 of 24",
            "Hash table (MB) : 16, ",
            "Huge pages (MB) : ",
            "Threads         : 1",
            "Hash full       : ",
            "Total time (ms) : ",
            "Nodes searched  : ",
            "Nodes/second    : ",
        ];
        assert_eq!(lines.len(), COUNT + 1 + last.len());
        for (line, beginning) in lines[COUNT + 1..].iter().zip(last) {
            assert!(line.starts_with(beginning), "{line}");
        }
    }

    #[test]
    fn words_go_before_options_and_options_before_defaults() {
        let mut options = Options::default();
        let is = |options: &Options, line: &str, megabytes: usize, threads, limit| {
            let bench = bench(options, line).expect(line);
            let last = bench.runs.last().map(|&(megabytes, threads)| (megabytes, threads.get()));
            assert_eq!((last, bench.positions.len()), (Some((megabytes, threads)), limit), "{line}");
        };
        is(&options, "bench", 16, 1, 24);
        is(&options, "bench 1024", 1024, 1, 24);
        is(&options, "bench 1024 2", 1024, 2, 24);
        is(&options, "bench 64 1 13", 64, 1, 13);
        is(&options, "bench --hash-sizes 2 3", 1024, 2, 3);
        is(&options, "bench --hash-sizes 1,16,64", 64, 1, 24);
        is(&options, "bench --hash-sizes 4,2 2 3", 2, 2, 3);
        is(&options, "bench threads 64 8", 64, 8, 1);
        is(&options, "bench threads 64 8 3", 64, 8, 3);
        let processors = available_parallelism().expect("some").get().min(MAX_THREADS as usize);
        is(&options, "bench threads", 16, processors, 1);
        for (name, value) in [("Hash", "64"), ("Threads", "3")] {
            let [name, value] = [name, value].map(|text| Token::from(text.to_owned()));
            options.set(&name, Some(&value)).expect("in range");
        }
        is(&options, "bench", 64, 3, 24);
        is(&options, "bench 1", 1, 3, 24);
        is(&options, "bench --hash-sizes", 1024, 3, 24);
        is(&options, "bench threads", 64, processors, 1);
    }

    #[test]
    fn an_argument_that_cannot_be_used_is_named() {
        assert_eq!(bench_line(&["64", "2"]), Ok("bench 64 2".to_owned()));
        let message = format!(r"`\u{{1b}}`: `Hash` expects a whole number from 1 to {MAX_HASH}; {USAGE}");
        assert_eq!(bench_line(&["\u{1b}"]), Err(message));
    }

    #[cfg(target_pointer_width = "64")]
    #[test]
    fn a_table_that_does_not_fit_is_refused() {
        let is_refusal = |error: &str| error.starts_with("a hash table of 33554432 MB does not fit: ");
        let refusal = bench_line(&["33554432"]).expect_err("32 TB");
        assert!(is_refusal(&refusal), "{refusal}");
        let bench = bench(&Options::default(), "bench 33554432").expect("in range");
        let error = bench.run(&StopFlag::new(), &mut |_| ()).expect_err("32 TB");
        assert!(is_refusal(&error.to_string()), "{error}");
    }

    #[test]
    fn sizes_are_compared_by_their_median_round() {
        let lines = lines("bench --hash-sizes 1,2 1 2", &StopFlag::new());
        assert_eq!(lines[0], "2 of 24 positions; rounds: 3");
        assert!(lines[1].contains("  spread  "), "{}", lines[1]);
        assert_eq!(lines.len(), 4);
        for (row, size) in lines[2..].iter().zip(["1", "2"]) {
            assert_eq!(row.split_whitespace().next(), Some(size), "{row}");
            assert!(row.contains('%'), "{row}");
        }
    }

    #[test]
    fn the_spread_of_one_round_is_unknown() {
        let rounds = [90, 100, 140].map(|milliseconds| Measurement {
            time: Duration::from_millis(milliseconds),
            ..Measurement::default()
        });
        assert_eq!(spread(&rounds), "50%");
        assert_eq!(spread(&rounds[..1]), "-");
    }

    #[test]
    fn a_stop_ends_it() {
        let stop_flag = StopFlag::new();
        stop_flag.stop();
        for line in ["bench", "bench --hash-sizes", "bench threads"] {
            assert_eq!(lines(line, &stop_flag).last().map(String::as_str), Some("bench: stopped"));
        }
    }
}
