//! An engine for trying arenas out: it answers at once, and does one thing wrong when it is told to.
//!
//! ```text
//! misfit [FAULT [PLY]]
//! ```
//!
//! With no fault it plays the leftmost legal column, or under `random N` a column that depends on `N`, the game and the
//! ply. Else it does, from ply PLY of the game on (from 0): `illegal` move, `nonsense`, `twice` (two moves), `late` (after
//! 800 ms), `hang` (no answer, not to `stop` either), `deaf` (no answer, but it heeds `stop`), `crash`, `flood` (never stops
//! talking). `latin-1` prints bytes that are no UTF-8 in the handshake and before each move. `mute` never answers the
//! handshake, `absent` ends at once. `seeded` declares an option `Seed`, and plays columns that depend on its value and the
//! ply.

use std::io::{self, BufRead, Write};
use std::process::exit;
use std::thread::sleep;
use std::time::Duration;

use plumb::board::{Geometry, Position, Standard};

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let fault = arguments.first().map_or("", String::as_str);
    let number = arguments.get(1).and_then(|text| text.parse().ok()).unwrap_or(0);
    match fault {
        "mute" => sleep(Duration::from_secs(3600)),
        "absent" => exit(3),
        _ => {}
    }
    let mut position = Position::<Standard>::new();
    let (mut games, mut seed) = (0, 0);
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        match line.split_whitespace().next().unwrap_or_default() {
            "uci" if fault == "latin-1" => say_bytes(b"id name caf\xe9\nuciok\n"),
            "uci" if fault == "seeded" => {
                say("option name Seed type spin default 0 min 0 max 4294967295\nuciok");
            }
            "uci" => say("id name misfit\nuciok"),
            "setoption" => {
                seed = line
                    .strip_prefix("setoption name Seed value ")
                    .map_or(seed, |text| text.parse().unwrap_or(0));
            }
            "isready" => say("readyok"),
            "ucinewgame" => games += 1,
            "position" => position = set_up(&line),
            "go" if fault == "seeded" => answer("random", seed, 0, &position),
            "go" => answer(fault, number, games, &position),
            "stop" if fault == "deaf" => say(&format!("bestmove {}", word(&position, leftmost(&position)))),
            "quit" => return,
            _ => {}
        }
    }
}

/// Prints lines at once. Nobody listens any more if that fails.
fn say(lines: &str) {
    say_bytes(format!("{lines}\n").as_bytes());
}

/// Prints bytes at once.
fn say_bytes(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

/// The position after the moves of a `position startpos moves …` line.
fn set_up(line: &str) -> Position {
    let moves = line.split_whitespace().filter_map(|word| word.strip_prefix("P@"));
    let columns = moves.filter_map(|word| word.bytes().next()).map(|letter| u32::from(letter - b'a'));
    columns.fold(Position::new(), |position, column| position.play(column).unwrap_or(position))
}

/// Answers `go`, rightly or wrongly.
fn answer(fault: &str, number: u32, games: u32, position: &Position) {
    let column = if fault == "random" { chosen(position, number, games) } else { leftmost(position) };
    let best = word(position, column);
    let is_due = position.plies() >= number;
    if fault == "latin-1" {
        say_bytes(b"info string d\xe9j\xe0 vu\n");
    }
    match fault {
        // No stone lands there.
        "illegal" if is_due => say(if best.ends_with('6') { "bestmove P@a1" } else { "bestmove P@a6" }),
        "nonsense" if is_due => say("bestmove rather not"),
        "twice" if is_due => say(&format!("bestmove {best}\nbestmove {best}")),
        "late" if is_due => {
            sleep(Duration::from_millis(800));
            say(&format!("bestmove {best}"));
        }
        "hang" if is_due => sleep(Duration::from_secs(3600)),
        "deaf" if is_due => {}
        "crash" if is_due => {
            // Without the end of its line, as of one that is broken off.
            let _ = write!(io::stderr(), "misfit: about to crash\n  at ply {}", position.plies());
            exit(139)
        }
        "flood" if is_due => loop {
            say("info depth 1 score cp 0 pv P@d1");
        },
        _ => say(&format!("info depth 1 score cp 0 nodes 1 time 0 pv {best}\nbestmove {best}")),
    }
}

/// The leftmost legal column.
fn leftmost(position: &Position) -> u32 {
    position.legal_columns().next().unwrap_or(0)
}

/// A legal column that differs from game to game, but not from one run to the next.
fn chosen(position: &Position, seed: u32, games: u32) -> u32 {
    let count = position.legal_columns().count().max(1) as u32;
    let mixed = (seed ^ games.wrapping_mul(0x9E37_79B9) ^ position.plies().wrapping_mul(0x85EB_CA6B))
        .wrapping_mul(0xC2B2_AE35);
    position.legal_columns().nth(((mixed >> 16) % count) as usize).unwrap_or(0)
}

/// A move as UCI arenas write it.
fn word(position: &Position, column: u32) -> String {
    let row = position.landing(column).map_or(0, Standard::row_of);
    format!("P@{}{}", char::from(b'a' + column as u8), row + 1)
}
