//! `faulty-engine`: an engine with a fault, for tests of arenas.

use std::io::{self, Write, stderr, stdin, stdout};
use std::process::exit;
use std::thread::sleep;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use plumb::board::Position;
use plumb_arena::position_command::spelled_move;
use plumb_protocol::{Dialect, Move};
use plumb_tools_common::random::Random;

/// Play at once, with one fault: a UCI engine for tests of arenas.
#[derive(Parser)]
struct Arguments {
    /// The fault, or a way to play without one.
    #[arg(value_enum, default_value = "none")]
    behaviour: Behaviour,
    /// The ply of the game from which the fault shows, from 0; of `random`, the seed.
    #[arg(default_value_t = 0)]
    number: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Behaviour {
    /// No fault: the leftmost legal column.
    None,
    /// No fault: a column that depends on NUMBER, the game and the ply.
    Random,
    /// No fault: an option Seed, and columns that depend on its value and the ply.
    Seeded,
    /// Bytes that are no UTF-8 in the handshake and before each move.
    Latin1,
    /// No answer to the handshake.
    NoHandshake,
    /// No answer to isready.
    NeverReady,
    /// An option Hash, of which no more than 64 MB are granted.
    SmallTable,
    /// Options `UCI_Variant`, for chess, and `VariantPath`.
    Chess,
    /// A remark on every option, none of which is taken.
    Objects,
    /// The process ends at once.
    Exits,
    /// An illegal move.
    Illegal,
    /// A bestmove line without a move.
    Nonsense,
    /// Two bestmove lines.
    Twice,
    /// The move after 0.4 seconds.
    Late,
    /// No answer to go, but one to stop.
    IgnoresGo,
    /// No answer to go, nor to stop.
    Hangs,
    /// The process ends instead of moving.
    Crashes,
    /// Endless info lines instead of a move.
    Floods,
}

/// Plays until `quit` or the end of standard input.
fn main() {
    let arguments = Arguments::parse();
    // A closed pipe ends the dialogue, as it would end that of any engine.
    let _ = dialogue(arguments.behaviour, arguments.number);
}

fn dialogue(behaviour: Behaviour, number: u32) -> io::Result<()> {
    match behaviour {
        Behaviour::NoHandshake => sleep(Duration::from_secs(3600)),
        Behaviour::Exits => exit(3),
        _ => {}
    }
    let mut position = Position::new();
    let (mut games, mut seed, mut asked) = (0, 0, 0_u32);
    for line in stdin().lines() {
        let line = line?;
        match line.split_whitespace().next().unwrap_or_default() {
            "uci" => say_bytes(match behaviour {
                Behaviour::Latin1 => b"id name caf\xe9\nuciok\n",
                Behaviour::Seeded => b"option name Seed type spin default 0 min 0 max 4294967295\nuciok\n",
                Behaviour::NeverReady | Behaviour::SmallTable | Behaviour::Objects | Behaviour::Nonsense => {
                    b"id name faulty-engine\noption name Hash type spin default 16 min 1 max 100000\nuciok\n"
                }
                Behaviour::Chess => {
                    b"option name UCI_Variant type combo default chess var chess\noption name VariantPath type string default <empty>\nuciok\n"
                }
                _ => b"id name faulty-engine\nuciok\n",
            })?,
            "setoption" if behaviour == Behaviour::Objects => say("info string option not supported")?,
            "setoption" if behaviour == Behaviour::SmallTable => {
                asked = line.rsplit(' ').next().and_then(|size| size.parse().ok()).unwrap_or(0);
            }
            "setoption" => {
                let value = line.strip_prefix("setoption name Seed value ");
                seed = value.map_or(seed, |text| text.parse().unwrap_or(0));
            }
            "isready" if behaviour == Behaviour::NeverReady => {}
            "isready" => {
                if asked > 64 {
                    say(&format!("info string cannot have {asked} MB, trying 64 MB instead"))?;
                }
                asked = 0;
                say("readyok")?;
            }
            "ucinewgame" => games += 1,
            "position" => position = position_after(&line),
            "go" if behaviour == Behaviour::Seeded => answer(Behaviour::Random, seed, 0, &position)?,
            "go" => answer(behaviour, number, games, &position)?,
            "stop" if behaviour == Behaviour::IgnoresGo => {
                say(&format!("bestmove {}", drop_in(&position, leftmost(&position))))?;
            }
            "quit" => return Ok(()),
            _ => {}
        }
    }
    Ok(())
}

/// Answers `go`.
fn answer(behaviour: Behaviour, number: u32, games: u32, position: &Position) -> io::Result<()> {
    let is_random = behaviour == Behaviour::Random;
    let column = if is_random { scattered(position, number, games) } else { leftmost(position) };
    let best = drop_in(position, column);
    if behaviour == Behaviour::Latin1 {
        say_bytes(b"info string d\xe9j\xe0 vu\n")?;
    }
    let behaviour = if position.plies() < number { Behaviour::None } else { behaviour };
    match behaviour {
        // No stone lands there.
        Behaviour::Illegal => say(if best.ends_with('6') { "bestmove P@a1" } else { "bestmove P@a6" }),
        Behaviour::Nonsense => say("bestmove rather not"),
        Behaviour::Twice => say(&format!("bestmove {best}\nbestmove {best}")),
        Behaviour::Late => {
            sleep(Duration::from_millis(400));
            say(&format!("bestmove {best}"))
        }
        Behaviour::Hangs => {
            sleep(Duration::from_secs(3600));
            Ok(())
        }
        Behaviour::IgnoresGo => Ok(()),
        Behaviour::Crashes => {
            // Without the end of its line, as of one that is broken off.
            write!(stderr(), "faulty-engine: about to crash\n  at ply {}", position.plies())?;
            exit(139)
        }
        Behaviour::Floods => loop {
            say("info depth 1 score cp 0 pv P@d1")?;
        },
        _ => say(&format!("info depth 1 score cp 0 nodes 1 time 0 pv {best}\nbestmove {best}")),
    }
}

/// The position of a `position startpos moves …` line.
fn position_after(line: &str) -> Position {
    let moves = line.split_whitespace().filter_map(|word| word.parse::<Move>().ok());
    moves
        .fold(Position::new(), |position, made| position.play(made.column.index().into()).unwrap_or(position))
}

/// A move as UCI spells it.
fn drop_in(position: &Position, column: u32) -> String {
    spelled_move(position, column, Dialect::Uci).map(|best| best.to_string()).unwrap_or_default()
}

fn leftmost(position: &Position) -> u32 {
    position.legal_columns().next().unwrap_or(0)
}

/// A legal column that differs from game to game, but not from one run to the next.
fn scattered(position: &Position, seed: u32, games: u32) -> u32 {
    let count = position.legal_columns().count().max(1) as u32;
    let stream = games.wrapping_mul(64).wrapping_add(position.plies());
    let nth = Random::new(u64::from(seed) << 32 | u64::from(stream), 0).below(count);
    position.legal_columns().nth(nth as usize).unwrap_or(0)
}

/// Prints lines at once.
fn say(lines: &str) -> io::Result<()> {
    say_bytes(format!("{lines}\n").as_bytes())
}

fn say_bytes(bytes: &[u8]) -> io::Result<()> {
    let mut out = stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush())
}
