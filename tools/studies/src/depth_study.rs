//! `plumb-studies depth`: a student's study of fixed-depth alpha-beta, repeated with more methods.

pub(crate) mod record;
pub(crate) mod report;
pub(crate) mod search;
pub(crate) mod summary;

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use self::record::{Game, Record, STUDY, measure};
use self::search::{Method, Order};
use self::summary::Curve;
use crate::lru::Lru;
use anyhow::{Context, Result, bail, ensure};
use plumb_lab::plot::Quantity;
use serde_json::json;

use plumb_lab::exit::Failure;
use plumb_lab::output::{check_directory, print, write};
use plumb_lab::progress::Counter;
use plumb_lab::result_files::{Header, ResultFile, Row, remove_if_there, take_lock};

const REPORTS: [&str; 4] =
    ["depth-study.md", "depth-study-nodes.svg", "depth-study-time.svg", "depth-study-shares.svg"];

/// All methods except `minimax`, which is too slow for deep searches.
const DEFAULT_METHODS: [&str; 6] =
    ["alpha-beta", "alpha-beta-table", "pvs", "pvs-table", "null-window", "null-window-table"];

/// Repeat a student's essay: fixed-depth search with and without a table.
///
/// The command searches every position of some games to each depth, by alpha-beta, principal variation search and null
/// windows, without and with a table. The evaluation counts segments (lines of four cells) with stones of one side: 0,
/// 1 and 4 for one, two and three stones. A win counts 1000. The table drops the least recently stored entry, is empty
/// before each search, and treats mirror images as one position. If two methods find different values, the exit code
/// is 1.
///
/// `depth-study.csv` gets a row for each method, depth, game and repeat. The same command resumes an interrupted run.
/// At the end the command prints `depth-study.md`: means over all positions, fitted curves a·b^depth, and the depths
/// from which the table pays. `depth-study-*.svg` are plots. Times are processor time.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Greatest depth in plies.
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=42))]
    max_depth: u32,
    /// Methods. `minimax` visits 7^depth positions.
    #[arg(long, value_name = "METHODS", value_enum, value_delimiter = ',', default_values = DEFAULT_METHODS)]
    methods: Vec<Method>,
    /// Move ordering.
    #[arg(long, value_enum, default_value_t = Order::Random)]
    order: Order,
    /// Number of repeats with other random orders.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// Seed of the random orders.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Entries of the table.
    ///
    /// The essay says 50,000 in one place and 5,000 in another.
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    entries: u32,
    /// Columns of a game, such as 4455; repeatable. [default: three games of the essay]
    #[arg(long = "game", value_name = "COLUMNS", default_values = STUDY)]
    games: Vec<Game>,
    /// Directory for the results.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let out = &arguments.out;
    let path = out.join("depth-study.csv");
    let lock = take_lock(&path, "--out")?;
    check_directory(&path, &REPORTS)?;
    let (mut methods, mut games) = (arguments.methods.clone(), arguments.games.clone());
    let (mut known_methods, mut known_games) = (HashSet::new(), HashSet::new());
    methods.retain(|method| known_methods.insert(*method));
    games.retain(|game| known_games.insert(game.moves.clone()));
    let work = units(arguments, &methods, &games);

    let header = Header::new("depth-study").with_settings(&json!({ "entries": arguments.entries }))?;
    let (mut file, mut records): (_, Vec<Record>) = ResultFile::open(&path, "--out", &header, lock)?;
    // Line 1 of the CSV file has the names of the columns.
    for (record, line) in records.iter().zip(2..) {
        let Record { values, positions, .. } = record;
        let is_whole = record.values().is_some();
        ensure!(is_whole, "{}:{line}: {values}: expected {positions} numbers", path.display());
    }
    // Rows of other seeds, depths, games or methods stay in the file, but are not reported.
    let wanted: HashSet<_> = work.iter().map(|(unit, _)| unit.key()).collect();
    records.retain(|record| wanted.contains(&record.key()));
    let known: HashSet<_> = records.iter().map(Record::key).collect();
    let mut agreement = Agreement::default();
    records.iter().try_for_each(|record| check(&mut agreement, record, &games))?;

    let mut table = Lru::new(arguments.entries as usize).context("there is no memory for the table")?;
    let mut counter = Counter::new("depth study", "game", known.len(), work.len());
    for (unit, game) in work.iter().filter(|(unit, _)| !known.contains(&unit.key())) {
        let record = measure(unit, game, &mut table);
        check(&mut agreement, &record, &games)?;
        file.append(&record)?;
        records.push(record);
        counter.advance_by(1, || format!("depth {}, {}", unit.depth, unit.method));
    }
    drop(counter);

    let max_depth = arguments.max_depth;
    let curves: Vec<_> = methods.iter().map(|&method| Curve::of(method, None, max_depth, &records)).collect();
    let text = report::report(&describe(arguments, &games), max_depth, &curves, &records);
    write(&out.join("depth-study.md"), &text)?;
    for quantity in Quantity::ALL {
        let name = format!("depth-study-{}.svg", quantity.name());
        write(&out.join(name), &report::draw(max_depth, &curves, quantity))?;
    }
    let shares = out.join("depth-study-shares.svg");
    match report::draw_shares(max_depth, &curves) {
        Some(picture) => write(&shares, &picture)?,
        // An earlier run with other methods may have left this file.
        None => remove_if_there(&shares)?,
    }
    print(format_args!("{}", text.trim_end()))
}

/// All measurements in their order: small depths first. The methods take turns within each game, so a slow phase of
/// the machine affects all methods.
fn units<'a>(arguments: &Arguments, methods: &[Method], games: &'a [Game]) -> Vec<(Record, &'a Game)> {
    let Arguments { order, seed, .. } = *arguments;
    let mut units = Vec::new();
    for depth in 1..=arguments.max_depth {
        for repeat in 1..=arguments.repeat {
            for game in games {
                let unit =
                    Record { order, seed, repeat, game: game.moves.clone(), depth, ..Record::default() };
                units.extend(methods.iter().map(|&method| (Record { method, ..unit.clone() }, game)));
            }
        }
    }
    units
}

fn describe(arguments: &Arguments, games: &[Game]) -> String {
    let Arguments { order, seed, repeat, entries, .. } = arguments;
    let positions: usize = games.iter().map(|game| game.positions.len()).sum();
    let names = games.iter().map(|game| game.moves.as_str()).collect::<Vec<_>>().join(", ");
    let seeded = if *order == Order::Random { format!(" (seed {seed})") } else { String::new() };
    format!(
        "- {positions} positions, those of the games {names} in which they are not over; searched {repeat} times each\n\
         - order of moves: {order}{seeded}; evaluation of segments: 0, 1, 4; a win: 1000\n\
         - table: {entries} entries, the least recently stored entry goes, empty before each search\n\
         - all methods found the same values\n"
    )
}

/// By game and depth: the first method, and the values that it found for the positions.
type Agreement = HashMap<(String, u32), (Method, Vec<i32>)>;

fn check(agreement: &mut Agreement, record: &Record, games: &[Game]) -> Result<()> {
    let Record { game, depth, method, .. } = record;
    let values = record.values().unwrap_or_default();
    let known = agreement.entry((game.clone(), *depth));
    let (first, expected) = known.or_insert_with(|| (*method, values.clone()));
    let count = values.len().max(expected.len());
    let Some(index) = (0..count).find(|&index| values.get(index) != expected.get(index)) else {
        return Ok(());
    };
    let place = games.iter().find(|found| found.moves == *game).map(|game| game.place(index));
    let [value, expected] =
        [&values, expected].map(|values| values.get(index).map_or("nothing".to_owned(), ToString::to_string));
    let place = place.unwrap_or_default();
    bail!(Failure(format!("{place} at depth {depth}, {method} found {value} and {first} {expected}")))
}
