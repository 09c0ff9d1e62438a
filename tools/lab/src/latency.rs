//! `plumb-lab latency`: response times to `isready` and `stop`, and memory, of an engine.

use std::time::{Duration, Instant};

use anyhow::Result;
use plumb::board::{BoardSize, Standard};
use plumb_arena::engine::fault::EngineFault;
use plumb_arena::engine::session::EngineSession;
use plumb_arena::position_command::position_after;
use plumb_protocol::{Command, Go};

use crate::engine::{EngineFlags, EngineStarter, SizeRefused, error, is_best_move, is_ready};
use crate::measurement::{ProcessGroup, busy_note, quantile, row};
use crate::output::{or_dash, print};
use crate::progress::say;

/// Time for any answer.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Measure how fast an engine responds to `isready` and `stop`, and how much memory it uses.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Command of the engine. [default: the `plumb` beside this program, else on PATH]
    #[arg(long, value_name = "CMD")]
    engine: Option<String>,
    #[command(flatten)]
    flags: EngineFlags,
    /// Table size in MB during searches. [default: 1024]
    #[arg(long, value_name = "MB")]
    hash: Option<usize>,
    /// Number of measurements of each response.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// Table sizes in MB at which resident memory, resizing and clearing are measured.
    #[arg(long, value_name = "MB,…", value_delimiter = ',', default_value = "1,16,64,256,1024")]
    sizes: Vec<usize>,
}

/// Runs the measurements and prints them as a table.
///
/// # Errors
/// If the engine cannot be started, or does not answer.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let name = arguments.engine.as_deref().unwrap_or("plumb");
    let engines = EngineStarter::open(arguments.flags.log.as_deref())?;
    let config = arguments.flags.config(name, BoardSize::STANDARD, None)?;
    let failed = |fault| error(name, &fault);
    print(format_args!("{:<34} {:>9} {:>9} {:>9}", "milliseconds", "p50", "p99", "max"))?;
    let start = |_| {
        let before = Instant::now();
        EngineSession::connect(&config, &engines.context).map(|_| before.elapsed())
    };
    let starts = (0..arguments.count.min(50)).map(start);
    print_row("start to uciok", starts.collect::<Result<_, _>>().map_err(failed)?)?;

    // A book would leave nothing to search for.
    let defaults = [("OwnBook", "false"), ("Hash", "1024")];
    let searching = arguments.flags.config(name, BoardSize::STANDARD, arguments.hash)?;
    let mut engine = engines.start(name, &searching, &defaults, None)?;
    print_row("isready in a search", ready_in_search(&mut engine, arguments.count).map_err(failed)?)?;
    print_row("stop to bestmove", stop(&mut engine, arguments.count).map_err(failed)?)?;
    drop(engine);

    print(format_args!("\n{:>8} {:>12} {:>12} {:>12}", "Hash MB", "resident MB", "resize ms", "clear ms"))?;
    for &megabytes in &arguments.sizes {
        let mut engine = engines.start(name, &config, &[], None)?;
        let before = Instant::now();
        engine.set_up(&[("Hash".to_owned(), megabytes.to_string())]).map_err(failed)?;
        let resize = before.elapsed();
        if let Some(words) = engine.size_refusal() {
            let reason = format!("the engine says `{words}`");
            print(format_args!("{}", SizeRefused(megabytes, reason)))?;
            continue;
        }
        // A search dirties the table, so that there is something to clear.
        let move_time = Some(Duration::from_millis(200));
        let search = Command::Go(Go { move_time, ..Go::default() });
        engine.ask(&[search], TIMEOUT, is_best_move).map_err(failed)?;
        let clear = [Command::NewGame(engine.config.dialect), Command::IsReady];
        let clear = engine.ask(&clear, TIMEOUT, is_ready).map_err(failed)?;
        let resident = ProcessGroup::of(engine.id()).resident_megabytes();
        let resident = or_dash(resident, |size| format!("{size:.1}"));
        let [resize, clear] = [resize, clear].map(|time| time.as_secs_f64() * 1e3);
        print(format_args!("{megabytes:>8} {resident:>12} {resize:>12.1} {clear:>12.1}"))?;
    }
    if let Some(note) = busy_note() {
        say(format_args!("{note}"));
    }
    engines.close_log()
}

/// A pause of 2 to 12 ms that varies from round to round, so that measurements do not fall into step with the engine.
fn pause(round: u32) -> Duration {
    Duration::from_micros(2_000 + u64::from(round.wrapping_mul(2_654_435_761) % 10_000))
}

/// Starts a search without end from a position of three stones that differs from round to round.
fn start_search(engine: &mut EngineSession, round: u32) -> Result<(), EngineFault> {
    let columns = [0, 1, 2].map(|power| round / 7_u32.pow(power) % 7);
    let position = position_after(engine.config.dialect, Standard::default(), columns);
    let go = Go { infinite: true, ..Go::default() };
    engine.send(&[Command::Position(position), Command::Go(go)])
}

fn ready_in_search(engine: &mut EngineSession, count: u32) -> Result<Vec<Duration>, EngineFault> {
    let mut times = Vec::new();
    for round in 0..count {
        // A new search now and then, for one that has ended would not be in the way.
        if round % 50 == 0 {
            if round > 0 {
                engine.ask(&[Command::Stop], TIMEOUT, is_best_move)?;
            }
            start_search(engine, round)?;
        }
        std::thread::sleep(pause(round));
        times.push(engine.ask(&[Command::IsReady], TIMEOUT, is_ready)?);
    }
    engine.ask(&[Command::Stop], TIMEOUT, is_best_move)?;
    Ok(times)
}

fn stop(engine: &mut EngineSession, count: u32) -> Result<Vec<Duration>, EngineFault> {
    let mut times = Vec::new();
    for round in 0..count {
        start_search(engine, round)?;
        std::thread::sleep(pause(round));
        times.push(engine.ask(&[Command::Stop], TIMEOUT, is_best_move)?);
    }
    Ok(times)
}

fn print_row(name: &str, mut times: Vec<Duration>) -> Result<()> {
    times.sort();
    print(format_args!("{}", row(name, &[0.5, 0.99, 1.0].map(|share| quantile(&times, share)))))
}
