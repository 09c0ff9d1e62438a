//! Commands in random order, and lines with random changes. Each `go` is answered once, in order, with a legal move.
//! The engine does not panic, hang or leak memory.

use std::collections::VecDeque;

use plumb::board::{Board, Geometry, Position};
use plumb::mix::Random;
use plumb_protocol::{Command, Reply, parse_command, parse_reply};

use crate::common::{ERROR, Engine, Watch, one_of};

const COMMANDS: &str = "PLUMB_RANDOM_COMMANDS";
const LINES: &str = "PLUMB_FUZZED_LINES";
const SEED: &str = "PLUMB_FUZZ_SEED";

type AnyPosition = Position<Board>;

fn number(variable: &str, few: u64) -> u64 {
    std::env::var(variable).map_or(few, |text| text.parse().expect(variable))
}

struct Debtor {
    engine: Engine,
    searches: VecDeque<AnyPosition>,
    ready: u64,
    answered: u64,
    watch: Watch,
}

impl Debtor {
    fn new(engine: Engine) -> Self {
        let (searches, watch) = (VecDeque::new(), Watch::default());
        Self { engine, searches, ready: 0, answered: 0, watch }
    }

    fn settle(&mut self) {
        let stops = "stop\n".repeat(self.searches.len());
        self.engine.send_bytes(stops.as_bytes());
        while self.ready > 0 || !self.searches.is_empty() {
            let line = self.engine.line();
            if line == "readyok" {
                self.ready = self.ready.checked_sub(1).expect("a `readyok` that nobody asked for");
            } else if let Some(rest) = line.strip_prefix("bestmove ") {
                let position = self.searches.pop_front().unwrap_or_else(|| panic!("one too many: {line}"));
                self.answered += 1;
                let reply = parse_reply(&line).unwrap_or_else(|error| panic!("{line}: {error}"));
                let Reply::BestMove { best, .. } = reply else { panic!("{rest} is no move") };
                let column = best.map(|best| u32::from(best.column.index()));
                let is_right = match column {
                    Some(column) => position.play(column).is_some(),
                    None => position.outcome().is_some(),
                };
                assert!(is_right, "{line} in\n{position}");
            } else {
                assert!(!line.starts_with(ERROR), "{line}");
            }
        }
        // Replies to commands other than `go` and `isready` may still arrive.
        let left = self.engine.ready();
        let is_owed =
            |line: &String| line.starts_with("bestmove") || line == "readyok" || line.starts_with(ERROR);
        assert!(!left.iter().any(is_owed), "{left:?}");
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "figures of a long run")]
fn commands_in_random_order_are_all_answered() {
    let total = number(COMMANDS, 3000);
    let mut random = Random::new(0x5DEE_CE66, 0);
    let mut debtor = Debtor::new(Engine::start());
    debtor.engine.send("setoption name Hash value 1");
    debtor.engine.ready();
    let mut position = Position::empty(Board::default());
    let (mut sent, mut looks) = (0, 0);
    while sent < total {
        let mut burst = Vec::new();
        for _ in 0..=random.below(40) {
            sent += 1;
            let small = random.below(1000);
            let line = match random.below(20) {
                0..=3 => {
                    position = set_up(&mut random, &mut burst);
                    continue;
                }
                4..=11 => {
                    debtor.searches.push_back(position);
                    match random.below(9) {
                        0 => "go infinite".to_owned(),
                        1 => format!("go ponder movetime {}", small % 5),
                        2 => format!("go movetime {}", small % 5),
                        3 => format!("go nodes {small}"),
                        4 => format!("go depth {}", small % 9),
                        5 => format!("go mate {}", small % 4),
                        6 => format!("go wtime {small} btime {small} winc {} binc 0", small % 3),
                        7 => "go movetime 60000".to_owned(),
                        _ => format!("go ponder wtime {small} btime 5"),
                    }
                }
                12 => "stop".to_owned(),
                13 => "ponderhit".to_owned(),
                14 => format!("setoption name Hash value {}", 1 + small % 4),
                15 => format!("setoption name Threads value {}", 1 + small % 8),
                16 => {
                    let name = one_of(&mut random, &["MultiPV", "Skill Level", "Move Overhead", "Seed"]);
                    format!("setoption name {name} value {}", 1 + small % 20)
                }
                17 => {
                    debtor.ready += 1;
                    "isready".to_owned()
                }
                18 if small < 100 => {
                    let board = random_board(&mut random);
                    if board != position.geometry() {
                        position = Position::empty(board);
                    }
                    format!("setoption name Board value {board}")
                }
                18 => {
                    one_of(&mut random, &["setoption name Clear Hash", "debug on", "debug off", "d", "eval"])
                        .to_owned()
                }
                _ => {
                    position = Position::empty(position.geometry());
                    "ucinewgame".to_owned()
                }
            };
            burst.extend((line + "\n").bytes());
        }
        debtor.engine.send_bytes(&burst);
        debtor.settle();
        if sent / 20_000 > looks {
            looks = sent / 20_000;
            debtor.watch.look(&mut debtor.engine);
            position = Position::empty(position.geometry());
            println!("{sent} commands, {} searches", debtor.answered);
        }
    }
    debtor.watch.look(&mut debtor.engine);
    debtor.engine.quit();
}

const SEEDS: &str = "\
    uci|ugi|debug on|isready|setoption name MultiPV value 3|setoption name UCI_Variant value cfour8x7|\
    setoption name Board value 6x5|setoption name Skill Level value 20|setoption name Move Overhead value 0|\
    setoption name OwnBook value true|ucinewgame|position startpos moves P@d1 P@d2 P@d3 P@e1 P@a1|\
    position startpos moves d d e c c|position 44553321|\
    position fen 7/7/7/7/3p3/3P3[PPPPPPPPPPPPPPPPPPPPpppppppppppppppppppp] w - - 0 2 moves d|\
    position fen 8/8/8/8/8/8/3P4 b|position fen 7/7/7/3x3/3o3/3x3 o|moves d3 e1|go|go movetime 1|go nodes 50|\
    go depth 2 searchmoves d e f|go wtime 100 btime 100 winc 1 binc 1 movestogo 3|go infinite|\
    go ponder mate 2|stop|ponderhit|query gameover|d|eval";

fn changed_line(random: &mut Random, seeds: &[&str], line: &mut Vec<u8>) {
    line.clear();
    line.extend_from_slice(one_of(random, seeds).as_bytes());
    for _ in 0..random.below(4) {
        let at = random.below(line.len() as u32 + 1) as usize;
        let until = at + random.below((line.len() - at) as u32 + 1) as usize;
        match random.below(8) {
            0 => line.truncate(at),
            1 => {
                line.drain(at..until);
            }
            2 => line.insert(at, random.below(256) as u8),
            3 if at < line.len() => line[at] ^= 1 << random.below(8),
            4 => {
                let piece = line[at..until].to_vec();
                line.extend(piece);
            }
            5 => {
                let other = one_of(random, seeds).as_bytes();
                let from = random.below(other.len() as u32) as usize;
                line.truncate(at);
                line.extend_from_slice(&other[from..]);
            }
            6 => {
                let number =
                    one_of(random, &["0", "-1", "99999999999999999999", "4294967296", "1e9", "0x10", " "]);
                line.splice(at..until, number.bytes());
            }
            _ => line
                .splice(at..at, [b' ', b'\t', b'\r', 0][random.below(4) as usize..][..1].iter().copied())
                .for_each(drop),
        }
    }
    line.retain(|&byte| byte != b'\n');
}

fn random_board(random: &mut Random) -> Board {
    one_of(random, &["7x6", "5x4", "8x7", "9x7"]).parse().expect("a board")
}

/// Makes a random position, and appends the command that sets it up. Seven of eight positions have few empty cells,
/// because searches of other positions would take half of the CPU time.
fn set_up(random: &mut Random, lines: &mut Vec<u8>) -> AnyPosition {
    let mut position = Position::empty(random_board(random));
    let (cells, width) = (position.empty_cells(), position.geometry().width());
    let stones = if random.below(8) > 0 { cells - random.below(12) } else { random.below(cells) };
    for _ in 0..2 * stones {
        // Most moves that end the game are skipped.
        let next = position.play(random.below(width));
        let next = next.filter(|next| next.outcome().is_none() || random.below(50) == 0);
        position = next.unwrap_or(position);
        if position.plies() == stones {
            break;
        }
    }
    lines.extend(format!("position fen {}\n", position.fen()).bytes());
    position
}

fn is_unfit(option: &str) -> bool {
    ["hash", "threads", "debug log file", "bookfile"].iter().any(|name| option.eq_ignore_ascii_case(name))
}

/// Searches that end only if the position is solved or `stop` arrives.
const LONG_SEARCHES: [&str; 4] =
    ["go infinite\n", "go ponder movetime 5\n", "go movetime 600000\n", "go nodes 1000000000\n"];

#[test]
#[expect(clippy::print_stdout, reason = "figures of a long run")]
fn changed_lines_do_no_harm() {
    let total = number(LINES, 20_000);
    let seed = number(SEED, 0x2545_F491);
    let (mut random, start) = (Random::new(seed, 0), std::time::Instant::now());
    let is_awaited = |line: &str| line == "readyok" || line.starts_with("bestmove");
    let mut debtor = Debtor::new(Engine::start_for_few_lines(is_awaited));
    debtor.engine.send("setoption name Hash value 1");
    debtor.engine.ready();
    let (mut sent, mut looks) = (0, 0);
    let (mut lines, mut line) = (Vec::new(), Vec::new());
    let seeds: Vec<_> = SEEDS.split('|').collect();
    while sent < total {
        lines.clear();
        debtor.searches.push_back(set_up(&mut random, &mut lines));
        lines.extend(one_of(&mut random, &LONG_SEARCHES).bytes());
        sent += 2;
        while lines.len() < 1 << 17 {
            changed_line(&mut random, &seeds, &mut line);
            let parsed = std::str::from_utf8(&line).ok().and_then(|text| parse_command(text).ok()?);
            let command = parsed.map(|parsed| parsed.command);
            // Most lines that start or end a search are left out, so a search lasts for thousands of other lines.
            // Most lines with long answers are left out, too.
            let rate = match &command {
                // These lines end the engine, take long, need gigabytes, or write files.
                Some(Command::Quit | Command::Wait | Command::Perft(_) | Command::Bench(_)) => continue,
                Some(Command::SetOption { name, .. }) if is_unfit(&name.value) => continue,
                Some(Command::Go(_) | Command::Stop | Command::PonderHit) => 100,
                Some(Command::Uci | Command::Ugi | Command::Display | Command::Eval | Command::Help) => 16,
                _ => 1,
            };
            if random.below(rate) > 0 {
                continue;
            }
            match command {
                Some(Command::Go(_)) => {
                    debtor.searches.push_back(set_up(&mut random, &mut lines));
                    sent += 1;
                }
                Some(Command::IsReady) => debtor.ready += 1,
                _ => {}
            }
            lines.extend_from_slice(&line);
            lines.push(b'\n');
            sent += 1;
        }
        debtor.engine.send_bytes(&lines);
        debtor.settle();
        if sent / 1_000_000 > looks {
            looks = sent / 1_000_000;
            debtor.watch.look(&mut debtor.engine);
            let (searches, time) = (debtor.answered, start.elapsed().as_secs());
            println!("{sent} lines from seed {seed}, {searches} searches, {time} s");
        }
    }
    debtor.watch.look(&mut debtor.engine);
    debtor.engine.quit();
}
