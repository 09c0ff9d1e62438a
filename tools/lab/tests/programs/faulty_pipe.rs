//! `faulty-pipe`: runs an engine and damages its input and output, for tests of arenas.

use std::io::{self, Read, Write, stdin, stdout};
use std::process::{Command, Stdio, exit};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use crossbeam_channel::{Receiver, unbounded};
use plumb::mix::Random;

/// Maximum delay of a piece, and pause that ends a merged piece, in milliseconds.
const PAUSE_MS: u32 = 5;
const MAX_PIECE: u32 = 3;

/// Runs the engine after FAULT, SEED and EVERY, and passes its input and output on. Ends with the engine's exit code.
/// One of EVERY bytes is lost or garbled. The seed and the byte's offset decide which, not the time.
fn main() -> Result<()> {
    let words: Vec<_> = std::env::args().skip(1).collect();
    let [fault, seed, every, program, arguments @ ..] = &words[..] else {
        bail!("expected FAULT SEED EVERY COMMAND")
    };
    let mut engine = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start `{program}`"))?;
    let pipes = engine.stdin.take().zip(engine.stdout.take());
    let (input, output) = pipes.context("the engine has no pipes")?;
    let (seed, every) = (seed.parse()?, every.parse()?);
    let faulty = |stream| Faulty { fault: fault.clone(), every, random: Random::new(seed, stream) };
    let to_engine = faulty(0);
    // The thread is not joined, because the arena may keep its end of the pipe open.
    thread::spawn(move || to_engine.pass(&pieces(stdin()), input));
    let _ = faulty(1).pass(&pieces(output), stdout());
    exit(engine.wait().ok().and_then(|status| status.code()).unwrap_or(1))
}

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

struct Faulty {
    fault: String,
    every: u32,
    random: Random,
}

impl Faulty {
    fn pass(mut self, pieces: &Receiver<Vec<u8>>, mut out: impl Write) -> io::Result<()> {
        let pause = Duration::from_millis(PAUSE_MS.into());
        let mut write = |bytes: &[u8]| out.write_all(bytes).and_then(|()| out.flush());
        for mut piece in pieces {
            match self.fault.as_str() {
                "delay" => {
                    let delay = self.random.below(1000 * PAUSE_MS);
                    thread::sleep(Duration::from_micros(delay.into()));
                }
                "split" => {
                    while piece.len() > 1 {
                        let length = 1 + self.random.below(MAX_PIECE.min(piece.len() as u32 - 1));
                        write(&piece.drain(..length as usize).collect::<Vec<_>>())?;
                        // Lets the reader read this piece before the next piece is written.
                        thread::yield_now();
                    }
                }
                "merge" => {
                    while let Ok(mut next) = pieces.recv_timeout(pause) {
                        piece.append(&mut next);
                    }
                }
                "drop" => piece.retain(|_| self.random.below(self.every) > 0),
                "garble" => piece.iter_mut().for_each(|byte| {
                    if self.random.below(self.every) == 0 {
                        *byte = self.random.below(256) as u8;
                    }
                }),
                other => panic!("`{other}`: expected delay, split, merge, drop or garble"),
            }
            write(&piece)?;
        }
        Ok(())
    }
}
