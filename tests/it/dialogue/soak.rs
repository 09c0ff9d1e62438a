//! Many games in a row with two processes, as in a tournament of days. Options, dialects and time controls change, and
//! engines ponder, analyse and are stopped. The engines must not leak.

use plumb::board::{Player, Position};
use plumb::mix::Random;

use crate::common::{Answer, Engine, Watch, one_of};

const GAMES: &str = "PLUMB_SOAK_GAMES";

const PERIOD: u32 = 250;

struct Side {
    engine: Engine,
    is_ugi: bool,
    pondered: Option<u32>,
}

impl Side {
    fn start() -> Self {
        Self { engine: Engine::start(), is_ugi: false, pondered: None }
    }

    fn begin(&mut self, random: &mut Random) {
        self.is_ugi = random.below(3) == 0;
        let (name, last) = if self.is_ugi { ("ugi", "ugiok") } else { ("uci", "uciok") };
        self.engine.send(name);
        self.engine.until(last);
        for (option, values) in [
            ("Hash", &["1", "2", "8", "32"][..]),
            ("Threads", &["1", "1", "2", "3"]),
            ("OwnBook", &["true", "false"]),
            ("Swindle", &["true", "false"]),
            ("MultiPV", &["1", "1", "1", "3"]),
            ("Skill Level", &["20", "20", "15", "5"]),
            ("Move Overhead", &["0", "1", "10"]),
        ] {
            if random.below(2) == 0 {
                self.engine.send(&format!("setoption name {option} value {}", one_of(random, values)));
            }
        }
        self.engine.send(if self.is_ugi { "uginewgame" } else { "ucinewgame" });
        let mut complaints = self.engine.ready().into_iter();
        assert!(complaints.all(|line| line.contains(" threads on ")), "there is nothing else to complain of");
    }

    fn answer(&mut self, position: &str, go: &str, last: Option<u32>) -> Answer {
        if self.pondered.is_some() && self.pondered == last {
            self.pondered = None;
            self.engine.send("ponderhit");
            return self.engine.answer();
        }
        self.end();
        self.engine.send(position);
        self.engine.go(go)
    }

    fn end(&mut self) {
        if self.pondered.take().is_some() {
            self.engine.send("stop");
            self.engine.answer();
        }
    }
}

fn limits(random: &mut Random, is_ugi: bool) -> String {
    let time = 20 + random.below(200);
    match random.below(5) {
        0 => format!("movetime {}", 1 + random.below(8)),
        1 => format!("nodes {}", 1 + random.below(5000)),
        2 => format!("depth {}", 1 + random.below(8)),
        _ if is_ugi => format!("p1time {time} p2time {time} p1inc 2 p2inc 2"),
        _ => format!("wtime {time} btime {time} winc 2 binc 2"),
    }
}

fn play(sides: &mut [Side; 2], random: &mut Random) {
    for side in sides.iter_mut() {
        side.begin(random);
    }
    let limits = [limits(random, sides[0].is_ugi), limits(random, sides[1].is_ugi)];
    let ponders = random.below(2) == 0;
    let mut position: Position = Position::new();
    let mut moves = String::from("position startpos moves");
    // Random first moves, because otherwise all games would be alike.
    for _ in 0..random.below(6) {
        let column = random.below(7);
        position = position.play(column).expect("no column is full after six stones");
        moves.extend([' ', char::from(b'a' + column as u8)]);
    }
    let mut last = None;
    while position.outcome().is_none() {
        let number = usize::from(position.side_to_move() == Player::Second);
        let side = &mut sides[number];
        let command = if position.plies() == 0 { "position startpos" } else { moves.as_str() };
        if side.pondered.is_none() && random.below(40) == 0 {
            side.engine.send(command);
            side.engine.send("go infinite\nstop");
            side.engine.answer();
        }
        let answer = side.answer(command, &format!("go {}", limits[number]), last);
        let column = u32::from(answer.best().column.index());
        position = position.play(column).unwrap_or_else(|| panic!("{command}: {} is illegal", answer.line));
        moves.extend([' ', char::from(b'a' + column as u8)]);
        last = Some(column);
        if let Some(expected) = answer.ponder.filter(|_| ponders && position.outcome().is_none()) {
            let column = u32::from(expected.column.index());
            assert!(position.play(column).is_some(), "{moves}: {} is illegal", answer.line);
            side.engine.send(&format!("{moves} {}", char::from(b'a' + column as u8)));
            side.engine.send(&format!("go ponder {}", limits[number]));
            side.pondered = Some(column);
        }
    }
    for side in sides {
        side.end();
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "figures of a long run")]
fn many_games_in_a_row_leave_nothing_behind() {
    let games: u32 = std::env::var(GAMES).map_or(30, |text| text.parse().expect(GAMES));
    let run = |seed: u64| {
        let mut random = Random::new(seed, 0);
        let mut sides = [Side::start(), Side::start()];
        let mut watches = [Watch::default(), Watch::default()];
        for game in 1..=games / 2 {
            play(&mut sides, &mut random);
            if game % PERIOD == 0 {
                println!("seed {seed}, game {game}");
                for (watch, side) in watches.iter_mut().zip(&mut sides) {
                    watch.look(&mut side.engine);
                }
            }
        }
        for side in sides {
            side.engine.quit();
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| run(0x9E37_79B9));
        scope.spawn(|| run(0x7F4A_7C15));
    });
}
