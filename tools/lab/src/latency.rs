//! `plumb-lab latency`: response times to `isready` and `stop`, and memory, of an engine.

use std::time::Duration;

use anyhow::Result;
use plumb_protocol::Reply;

use crate::engine::{MeasuredEngine, is_best_move, is_ready};
use crate::output::print;
use crate::quantile::quantile;

/// Time for any answer.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Measure how fast an engine responds to `isready` and `stop`, and how much memory it uses.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Command of the engine. [default: the `plumb` beside this program]
    #[arg(long, value_name = "CMD")]
    engine: Option<String>,
    /// Table size in MB during searches.
    #[arg(long, value_name = "MB", default_value_t = 1024)]
    hash: usize,
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
    let command = arguments.engine.as_deref();
    print(format_args!("{:<34} {:>9} {:>9} {:>9}", "milliseconds", "p50", "p99", "max"))?;
    let starts = (0..arguments.count.min(50)).map(|_| start(command)).collect::<Result<_>>()?;
    row("start to uciok", starts)?;

    let mut engine = MeasuredEngine::start(command)?;
    engine.send(&format!("setoption name Hash value {}", arguments.hash))?;
    // A book would leave nothing to search for.
    engine.send("setoption name OwnBook value false")?;
    engine.send("isready")?;
    engine.wait_for(is_ready, TIMEOUT)?;
    row("isready in a search", ready_in_search(&mut engine, arguments.count)?)?;
    row("stop to bestmove", stop(&mut engine, arguments.count)?)?;
    drop(engine);

    print(format_args!("\n{:>8} {:>12} {:>12} {:>12}", "Hash MB", "resident MB", "resize ms", "clear ms"))?;
    for &megabytes in &arguments.sizes {
        let mut engine = MeasuredEngine::start(command)?;
        engine.send("isready")?;
        engine.wait_for(is_ready, TIMEOUT)?;
        let resize = timed_ready(&mut engine, &format!("setoption name Hash value {megabytes}"))?;
        // A search dirties the table, so that there is something to clear.
        engine.send("go movetime 200")?;
        engine.wait_for(is_best_move, TIMEOUT)?;
        let clear = timed_ready(&mut engine, "ucinewgame")?;
        let resident = resident_megabytes(engine.id()).map_or("-".into(), |size| format!("{size:.1}"));
        let [resize, clear] = [resize, clear].map(|time| time.as_secs_f64() * 1e3);
        print(format_args!("{megabytes:>8} {resident:>12} {resize:>12.1} {clear:>12.1}"))?;
    }
    Ok(())
}

fn start(command: Option<&str>) -> Result<Duration> {
    let before = std::time::Instant::now();
    let mut engine = MeasuredEngine::start(command)?;
    engine.send("uci")?;
    let arrival = engine.wait_for(|reply| *reply == Reply::UciOk, TIMEOUT)?;
    Ok(arrival - before)
}

/// Time from the line to the `readyok` after it.
fn timed_ready(engine: &mut MeasuredEngine, line: &str) -> Result<Duration> {
    let before = engine.send(line)?;
    engine.send("isready")?;
    Ok(engine.wait_for(is_ready, TIMEOUT)? - before)
}

/// A pause of 2 to 12 ms that varies from round to round, so that measurements do not fall into step with the engine.
fn pause(round: u32) -> Duration {
    Duration::from_micros(2_000 + u64::from(round.wrapping_mul(2_654_435_761) % 10_000))
}

/// A position of three stones that differs from round to round.
fn opening(round: u32) -> String {
    let digit = |power: u32| 1 + round / 7_u32.pow(power) % 7;
    format!("position {}{}{}", digit(0), digit(1), digit(2))
}

fn ready_in_search(engine: &mut MeasuredEngine, count: u32) -> Result<Vec<Duration>> {
    let mut times = Vec::new();
    for round in 0..count {
        // A new search now and then, for one that has ended would not be in the way.
        if round % 50 == 0 {
            if round > 0 {
                engine.send("stop")?;
                engine.wait_for(is_best_move, TIMEOUT)?;
            }
            engine.send(&opening(round))?;
            engine.send("go infinite")?;
        }
        std::thread::sleep(pause(round));
        let before = engine.send("isready")?;
        times.push(engine.wait_for(is_ready, TIMEOUT)? - before);
    }
    engine.send("stop")?;
    engine.wait_for(is_best_move, TIMEOUT)?;
    Ok(times)
}

fn stop(engine: &mut MeasuredEngine, count: u32) -> Result<Vec<Duration>> {
    let mut times = Vec::new();
    for round in 0..count {
        engine.send(&opening(round))?;
        engine.send("go infinite")?;
        std::thread::sleep(pause(round));
        let before = engine.send("stop")?;
        times.push(engine.wait_for(is_best_move, TIMEOUT)? - before);
    }
    Ok(times)
}

fn row(name: &str, mut times: Vec<Duration>) -> Result<()> {
    times.sort();
    let at = |share| quantile(&times, share).as_secs_f64() * 1e3;
    print(format_args!("{name:<34} {:>9.3} {:>9.3} {:>9.3}", at(0.5), at(0.99), at(1.0)))
}

/// The resident memory of a process, on systems with `/proc`.
fn resident_megabytes(process: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kibibytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes / 1024.0)
}
