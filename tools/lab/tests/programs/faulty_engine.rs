//! `faulty-engine`: an engine with a fault, for tests of arenas.

use std::io::{self, Write, stderr, stdin, stdout};
use std::process::exit;
use std::thread::sleep;
use std::time::Duration;

use plumb::board::Position;
use plumb::mix::Random;
use plumb_arena::position_command::spelled_move;
use plumb_protocol::{Dialect, Move};

/// Behaviours of the engine. The first three have no fault: they play the leftmost legal column, a column that depends
/// on number, game and ply, or a column that depends on the option Seed and the ply. `ponders` ponders on a reply in
/// the same column and reports only while it ponders. With `above-64` the fault occurs only with tables above 64 MB.
const MANNERS: &str = "none random seeded ponders latin1 no-handshake never-ready small-table chess objects exits illegal nonsense \
                       twice late ignores-go ignores-stop moves-early hangs crashes floods late-above-64 crashes-above-64 ends-above-64";

/// Behaves as the first argument says. The second argument is the ply, from 0, from which the fault occurs.
fn main() {
    let mut words = std::env::args().skip(1);
    let manner = words.next().unwrap_or_else(|| "none".to_owned());
    let number = words.next().map_or(0, |word| word.parse().expect("a number"));
    assert!(MANNERS.split(' ').any(|known| known == manner), "`{manner}` is none of {MANNERS}");
    // A closed pipe ends the dialogue.
    let _ = dialogue(&manner, number);
}

fn dialogue(manner: &str, number: u32) -> io::Result<()> {
    match manner {
        "no-handshake" => sleep(Duration::from_secs(3600)),
        "exits" => exit(3),
        _ => {}
    }
    let mut position = Position::new();
    let (mut games, mut seed, mut asked) = (0, 0, 0_u32);
    let mut is_large = false;
    for line in stdin().lines() {
        let line = line?;
        match line.split_whitespace().next().unwrap_or_default() {
            "uci" => say_bytes(match manner {
                "latin1" => b"id name caf\xe9\nuciok\n",
                "seeded" => b"option name Seed type spin default 0 min 0 max 4294967295\nuciok\n",
                "never-ready" | "small-table" | "objects" | "nonsense" | "late-above-64" | "crashes-above-64"
                | "ends-above-64" => {
                    b"id name faulty-engine\noption name Hash type spin default 16 min 1 max 100000\nuciok\n"
                }
                "ponders" => b"option name Ponder type check default false\nuciok\n",
                "chess" => {
                    b"option name Hash type spin default 16 min 1 max 1024\noption name UCI_Variant type combo default chess var chess\noption name VariantPath type string default <empty>\nuciok\n"
                }
                _ => b"id name faulty-engine\nuciok\n",
            })?,
            "setoption" if manner == "objects" => say("info string option not supported")?,
            "setoption" if manner.ends_with("-above-64") => {
                let value = line.strip_prefix("setoption name Hash value ").and_then(|size| size.parse().ok());
                is_large = value.map_or(is_large, |size: u32| size > 64);
            }
            "setoption" if manner == "small-table" => {
                asked = line.rsplit(' ').next().and_then(|size| size.parse().ok()).unwrap_or(0);
            }
            "setoption" => {
                let value = line.strip_prefix("setoption name Seed value ");
                seed = value.map_or(seed, |text| text.parse().unwrap_or(0));
            }
            "isready" if manner == "never-ready" => {}
            "isready" if manner == "ends-above-64" && is_large => exit(3),
            "isready" => {
                if asked > 64 {
                    say(&format!("info string cannot have {asked} MB, trying 64 MB instead"))?;
                }
                asked = 0;
                say("readyok")?;
            }
            "ucinewgame" => games += 1,
            "position" => position = position_after(&line),
            "go" if manner == "ignores-stop" && line.contains("ponder") => {}
            "go" if manner == "moves-early" && line.contains("ponder") => answer("none", 0, games, &position)?,
            "go" if manner == "ponders" && line.contains("ponder") => {
                say("info depth 9 score cp 7 nodes 5 time 50000")?;
            }
            "go" if manner == "seeded" => answer("random", seed, 0, &position)?,
            "go" => {
                let fault = manner.strip_suffix("-above-64").map(|fault| if is_large { fault } else { "none" });
                answer(fault.unwrap_or(manner), number, games, &position)?;
            }
            "stop" if manner == "ignores-go" => {
                say(&format!("bestmove {}", drop_in(&position, leftmost(&position))))?;
            }
            "stop" | "ponderhit" if manner == "ponders" => answer(manner, number, games, &position)?,
            "quit" => return Ok(()),
            _ => {}
        }
    }
    Ok(())
}

fn answer(manner: &str, number: u32, games: u32, position: &Position) -> io::Result<()> {
    let is_random = manner == "random";
    let column = if is_random { scattered(position, number, games) } else { leftmost(position) };
    let best = drop_in(position, column);
    if manner == "latin1" {
        say_bytes(b"info string d\xe9j\xe0 vu\n")?;
    }
    let manner = if position.plies() < number { "none" } else { manner };
    match manner {
        // A cell where the next stone cannot land.
        "illegal" => say(if best.ends_with('6') { "bestmove P@a1" } else { "bestmove P@a6" }),
        "nonsense" => say("bestmove rather not"),
        "chess" => say("info depth 9 score cp 34 nodes 1 pv e7e8q e8e7\nbestmove e7e8q ponder e8e7"),
        "twice" => say(&format!("bestmove {best}\nbestmove {best}")),
        "ignores-stop" | "moves-early" | "ponders" => say(&format!("bestmove {best} ponder {best}")),
        "late" => {
            sleep(Duration::from_millis(400));
            say(&format!("bestmove {best}"))
        }
        "hangs" => {
            sleep(Duration::from_secs(3600));
            Ok(())
        }
        "ignores-go" => Ok(()),
        "crashes" => {
            // Writes no line end, as if interrupted.
            write!(stderr(), "faulty-engine: about to crash\n  at ply {}", position.plies())?;
            exit(139)
        }
        "floods" => loop {
            say("info depth 1 score cp 0 pv P@d1")?;
        },
        _ => say(&format!("info depth 1 score cp 0 nodes 1 time 0 pv {best}\nbestmove {best}")),
    }
}

fn position_after(line: &str) -> Position {
    let moves = line.split_whitespace().filter_map(|word| word.parse::<Move>().ok());
    moves
        .fold(Position::new(), |position, made| position.play(made.column.index().into()).unwrap_or(position))
}

fn drop_in(position: &Position, column: u32) -> String {
    spelled_move(position, column, Dialect::Uci).map(|best| best.to_string()).unwrap_or_default()
}

fn leftmost(position: &Position) -> u32 {
    position.legal_columns().next().unwrap_or(0)
}

/// Pseudorandom legal column that differs between games.
fn scattered(position: &Position, seed: u32, games: u32) -> u32 {
    let count = position.legal_columns().count().max(1) as u32;
    let stream = games.wrapping_mul(64).wrapping_add(position.plies());
    let nth = Random::new(u64::from(seed) << 32 | u64::from(stream), 0).below(count);
    position.legal_columns().nth(nth as usize).unwrap_or(0)
}

fn say(lines: &str) -> io::Result<()> {
    say_bytes(format!("{lines}\n").as_bytes())
}

fn say_bytes(bytes: &[u8]) -> io::Result<()> {
    let mut out = stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush())
}
