//! Engine limits, `go`, and game clocks.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use plumb_protocol::Go;

/// Game clock, and time, nodes or depth per move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// A clock for the game.
    pub clock: Option<ClockControl>,
    /// Time per move.
    pub move_time: Option<Duration>,
    /// Nodes per move.
    pub nodes: Option<u64>,
    /// Search depth per move, in plies.
    pub depth: Option<u32>,
    /// Tolerated time over the limit.
    pub margin: Duration,
}

/// Time for some moves or the whole game, and increment per move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockControl {
    /// Moves until the time is added again. `None` for the whole game.
    pub moves: Option<u32>,
    /// Time at the start, without the increment.
    pub time: Duration,
    /// Increment per move. The first increment is added before the first move, as in the FIDE rules.
    pub increment: Duration,
}

impl ClockControl {
    /// Time on the clock before the first move.
    pub fn start(&self) -> Duration {
        self.time + self.increment
    }
}

impl FromStr for ClockControl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => match moves.parse() {
                Ok(moves @ 1..) => (Some(moves), rest),
                _ => return Err(format!("`{moves}` in `{text}` is not a number of moves")),
            },
            None => (None, text),
        };
        let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let (Ok(time), Ok(increment)) = (seconds(time), seconds(increment)) else {
            return Err(format!("`{text}` is not a clock in seconds, such as 10, 10+0.1, 40/60 or 1:30"));
        };
        let clock = Self { moves, time, increment };
        enough(clock.start(), text)?;
        Ok(clock)
    }
}

impl fmt::Display for ClockControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.time.as_secs_f64())?;
        if self.increment.is_zero() { Ok(()) } else { write!(f, "+{}", self.increment.as_secs_f64()) }
    }
}

/// Reads decimal seconds, or `m:s`.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let (minutes, rest) = text.split_once(':').unwrap_or(("0", text));
    if let (Some(minutes), Some(rest)) = (decimal(minutes), decimal(rest))
        && let Ok(time) = Duration::try_from_secs_f64(60.0 * minutes + rest)
        // A year or more is a typing error.
        && time.as_secs() < 32_000_000
    {
        return Ok(time);
    }
    Err(format!("`{text}`: expected seconds such as 0.1, or minutes and seconds such as 1:30"))
}

fn decimal(text: &str) -> Option<f64> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if is_plain { text.parse().ok() } else { None }
}

pub(crate) fn thinking_time(text: &str) -> Result<Duration, String> {
    enough(seconds(text)?, text)
}

/// Refuses times below 1 ms, which `go` would send as 0.
fn enough(time: Duration, text: &str) -> Result<Duration, String> {
    if time < Duration::from_millis(1) {
        return Err(format!("`{text}` leaves no time for a move: expected at least 0.001 s"));
    }
    Ok(time)
}

/// The time limit of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveLimit {
    /// Time on the clock or per move; without a limit, the time until `stop`.
    pub time: Duration,
    /// Tolerated time over the limit.
    pub margin: Duration,
}

impl MoveLimit {
    /// Time after which a move loses on time.
    pub fn total(self) -> Duration {
        self.time + self.margin
    }
}

/// Clock of one engine.
#[derive(Clone, Debug)]
pub struct GameClock {
    control: TimeControl,
    remaining: Duration,
    moves: u32,
}

impl GameClock {
    /// Clock at the start of a game.
    pub fn new(control: &TimeControl) -> Self {
        let remaining = control.clock.as_ref().map_or(Duration::ZERO, ClockControl::start);
        Self { control: control.clone(), remaining, moves: 0 }
    }

    /// Time left on the clock, if there is one.
    pub fn remaining(&self) -> Option<Duration> {
        self.control.clock.as_ref().map(|_| self.remaining)
    }

    /// Milliseconds left on the clock, if there is one.
    pub(crate) fn remaining_ms(&self) -> Option<f64> {
        Some(self.remaining()?.as_secs_f64() * 1e3)
    }

    /// Time limit of the next move, if any.
    pub fn limit(&self) -> Option<MoveLimit> {
        let time = [self.remaining(), self.control.move_time].into_iter().flatten().min()?;
        Some(MoveLimit { time, margin: self.control.margin })
    }

    /// Updates the clock after a move. A move within the margin may exceed the clock, which then counts from 0.
    pub fn press(&mut self, elapsed: Duration) {
        if let Some(clock) = &self.control.clock {
            self.remaining = self.remaining.saturating_sub(elapsed) + clock.increment;
            self.moves += 1;
            if clock.moves.is_some_and(|moves| self.moves.is_multiple_of(moves)) {
                self.remaining += clock.time;
            }
        }
    }

    fn moves_to_go(&self) -> Option<u32> {
        let moves = self.control.clock.as_ref()?.moves?;
        Some(moves - self.moves % moves)
    }
}

/// `go` with the limits and clocks of a move. `own` is the clock of the engine that searches.
pub fn limited_go(own: &GameClock, other: &GameClock, own_is_first: bool) -> Go<'static> {
    let TimeControl { clock, move_time, nodes, depth, .. } = own.control.clone();
    let mut go = Go { move_time, nodes, depth, moves_to_go: own.moves_to_go(), ..Go::default() };
    if let Some(clock) = clock {
        // If the opponent has no clock, `go` sends the engine's own time for both, which misleads least.
        let of_other = other.control.clock.as_ref().map(|clock| clock.increment);
        go.time = [Some(own.remaining), Some(other.remaining().unwrap_or(own.remaining))];
        go.increment = [Some(clock.increment), Some(of_other.unwrap_or(clock.increment))];
        if !own_is_first {
            go.time.reverse();
            go.increment.reverse();
        }
    }
    go
}

#[cfg(test)]
mod tests {
    use super::*;

    fn milliseconds(value: u64) -> Duration {
        Duration::from_millis(value)
    }

    fn on_clock(text: &str, margin: u64) -> TimeControl {
        let clock = Some(text.parse().expect("a clock"));
        TimeControl { clock, margin: milliseconds(margin), ..TimeControl::default() }
    }

    #[test]
    fn clocks_are_read_as_arenas_write_them() {
        let read = |text: &str| text.parse::<ClockControl>().map(|clock| clock.to_string());
        for text in ["10", "0.001", "10+0.1", "40/60", "40/60+0.5", "0.01+0.05", "0+0.1", "40/0+1"] {
            assert_eq!(read(text), Ok(text.to_owned()));
        }
        assert_eq!(read("1:30+1"), Ok("90+1".to_owned()));
        for (text, fault) in [
            ("", "`` is not a clock in seconds, such as 10, 10+0.1, 40/60 or 1:30"),
            ("x+1", "`x+1` is not a clock"),
            ("1+", "`1+` is not a clock"),
            ("-1", "`-1` is not a clock"),
            ("inf", "`inf` is not a clock"),
            ("1e999", "`1e999` is not a clock"),
            ("32000000", "`32000000` is not a clock"),
            ("0/10", "`0` in `0/10` is not a number of moves"),
            ("0", "`0` leaves no time for a move: expected at least 0.001 s"),
            ("40/0+0.0009", "`40/0+0.0009` leaves no time for a move"),
        ] {
            let said = read(text).expect_err(text);
            assert!(said.starts_with(fault), "{said}");
        }
    }

    #[test]
    fn a_clock_runs_down_and_is_filled_up() {
        let mut clock = GameClock::new(&on_clock("2/1+0.1", 0));
        assert_eq!(clock.limit().map(MoveLimit::total), Some(milliseconds(1_100)));
        clock.press(milliseconds(400));
        assert_eq!((clock.remaining(), clock.moves_to_go()), (Some(milliseconds(800)), Some(1)));
        clock.press(milliseconds(800));
        assert_eq!((clock.remaining(), clock.moves_to_go()), (Some(milliseconds(1_100)), Some(2)));
    }

    #[test]
    fn the_margin_forgives_and_adds_nothing() {
        let limit = |clock: &GameClock| clock.limit().map(MoveLimit::total);
        let mut clock = GameClock::new(&on_clock("1", 50));
        clock.press(milliseconds(1_040));
        assert_eq!((clock.remaining(), limit(&clock)), (Some(Duration::ZERO), Some(milliseconds(50))));
        let move_time = Some(milliseconds(20));
        let mut moves = GameClock::new(&TimeControl { move_time, ..TimeControl::default() });
        moves.press(milliseconds(20));
        assert_eq!((moves.remaining(), limit(&moves)), (None, move_time));
        let free = GameClock::new(&TimeControl { nodes: Some(5), ..TimeControl::default() });
        assert_eq!(limit(&free), None);
    }

    #[test]
    fn an_engine_is_told_its_limits_and_both_clocks() {
        let (first, second) = (GameClock::new(&on_clock("40/2+0.5", 0)), GameClock::new(&on_clock("1", 0)));
        let said = limited_go(&first, &second, true).to_string();
        assert_eq!(said, "go wtime 2500 btime 1000 winc 500 binc 0 movestogo 40");
        let said = limited_go(&second, &first, false).to_string();
        assert_eq!(said, "go wtime 2500 btime 1000 winc 500 binc 0");
        let (move_time, nodes, depth) = (Some(milliseconds(20)), Some(500), Some(3));
        let limits = TimeControl { move_time, nodes, depth, ..TimeControl::default() };
        let said = limited_go(&GameClock::new(&limits), &first, true).to_string();
        assert_eq!(said, "go depth 3 nodes 500 movetime 20");
    }
}
