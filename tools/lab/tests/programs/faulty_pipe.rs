//! `faulty-pipe`: an engine behind pipes with a fault, for tests of arenas.

use std::io::{self, Read, Write, stdin, stdout};
use std::process::{Command, Stdio, exit};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::{Parser, ValueEnum};
use crossbeam_channel::{Receiver, unbounded};
use plumb_tools_common::random::Random;

/// The longest delay of a piece, and the pause after which what was held back is passed on, in milliseconds.
const PAUSE_MS: u32 = 5;
/// The most bytes of a piece that is split off.
const MAX_PIECE: u32 = 3;

/// Run an engine, and pass on what is sent to it and what it prints with one fault: for tests of arenas.
///
/// Which bytes are lost or garbled depends on the seed and on how many bytes have passed, not on time.
#[derive(Parser)]
struct Arguments {
    /// The fault.
    #[arg(value_enum)]
    fault: Fault,
    /// Seed of the fault's random choices.
    seed: u64,
    /// One in so many bytes is lost or garbled.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// The command of the engine.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Fault {
    /// Each piece comes some milliseconds later.
    Delay,
    /// Each piece comes in pieces of one to three bytes.
    Split,
    /// Pieces that come shortly after each other come as one.
    Merge,
    /// Bytes are lost.
    Drop,
    /// Bytes are others.
    Garble,
}

/// Passes everything on until the engine closes its output; ends the program with the engine's exit code.
fn main() -> Result<()> {
    let Arguments { fault, seed, every, command } = Arguments::parse();
    let mut engine = Command::new(&command[0])
        .args(&command[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start `{}`", command[0]))?;
    let pipes = engine.stdin.take().zip(engine.stdout.take());
    let (input, output) = pipes.context("the engine has no pipes")?;
    let faulty = |stream| Faulty { fault, every, random: Random::new(seed, stream) };
    let to_engine = faulty(0);
    // It is not waited for: the arena may keep its end open after the engine has ended.
    thread::spawn(move || to_engine.pass(&pieces(stdin()), input));
    // A closed pipe ends the dialogue, as it would end that of any engine.
    let _ = faulty(1).pass(&pieces(output), stdout());
    exit(engine.wait().ok().and_then(|status| status.code()).unwrap_or(1))
}

/// What is read from a stream, as soon as it comes.
fn pieces(mut stream: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, pieces) = unbounded();
    thread::spawn(move || {
        let mut piece = [0; 4096];
        while let Ok(length @ 1..) = stream.read(&mut piece) {
            if sender.send(piece[..length].to_vec()).is_err() {
                break;
            }
        }
    });
    pieces
}

/// One direction.
struct Faulty {
    fault: Fault,
    every: u32,
    random: Random,
}

impl Faulty {
    /// Passes pieces on until there are no more, or `out` is closed.
    fn pass(mut self, pieces: &Receiver<Vec<u8>>, mut out: impl Write) -> io::Result<()> {
        let pause = Duration::from_millis(PAUSE_MS.into());
        let mut write = |bytes: &[u8]| out.write_all(bytes).and_then(|()| out.flush());
        for mut piece in pieces {
            match self.fault {
                Fault::Delay => {
                    let delay = self.random.below(1000 * PAUSE_MS);
                    thread::sleep(Duration::from_micros(delay.into()));
                }
                Fault::Split => {
                    while piece.len() > 1 {
                        let length = 1 + self.random.below(MAX_PIECE.min(piece.len() as u32 - 1));
                        write(&piece.drain(..length as usize).collect::<Vec<_>>())?;
                        // The reader shall see it alone.
                        thread::yield_now();
                    }
                }
                Fault::Merge => {
                    while let Ok(mut next) = pieces.recv_timeout(pause) {
                        piece.append(&mut next);
                    }
                }
                Fault::Drop => piece.retain(|_| self.random.below(self.every) > 0),
                Fault::Garble => piece.iter_mut().for_each(|byte| {
                    if self.random.below(self.every) == 0 {
                        *byte = self.random.below(256) as u8;
                    }
                }),
            }
            write(&piece)?;
        }
        Ok(())
    }
}
