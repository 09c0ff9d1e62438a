//! Commands in random order. Each `go` is answered once, in order, with a legal move.
//! The process neither panics nor hangs nor grows.

use std::collections::VecDeque;

use plumb::board::{Board, Geometry, Position};
use plumb::mix::Random;
use plumb_protocol::{Reply, parse_reply};

use crate::common::{Engine, Watch, one_of};

/// Environment variable with the number of commands, by default a few thousand.
const COMMANDS: &str = "PLUMB_RANDOM_COMMANDS";

type AnyPosition = Position<Board>;

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

    /// Stops all searches, and reads all outstanding answers.
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
            }
        }
        // Earlier lines may still be answered.
        let left = self.engine.ready();
        let is_owed = |line: &String| line.starts_with("bestmove") || line == "readyok";
        assert!(!left.iter().any(is_owed), "{left:?}");
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "figures of a long run")]
fn commands_in_random_order_are_all_answered() {
    let total: u64 = std::env::var(COMMANDS).map_or(3000, |text| text.parse().expect(COMMANDS));
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

fn random_board(random: &mut Random) -> Board {
    one_of(random, &["7x6", "5x4", "8x7", "9x7"]).parse().expect("a board")
}

/// A random position, and the command that sets it up. Seven of eight are soon solved. If all were hard, searches
/// would take half of the processor.
fn set_up(random: &mut Random, lines: &mut Vec<u8>) -> AnyPosition {
    let mut position = Position::empty(random_board(random));
    let (cells, width) = (position.empty_cells(), position.geometry().width());
    let stones = if random.below(8) > 0 { cells - random.below(12) } else { random.below(cells) };
    for _ in 0..2 * stones {
        // A move that ends the game is mostly avoided.
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
