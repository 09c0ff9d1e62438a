//! One game: the referee, the clocks, and what is written down of it.

use std::time::{Duration, Instant};

use plumb::board::{Geometry, Outcome, Position, Standard};
use plumb_protocol::{Column, Dialect, Move, MoveForm, Reply, parse_reply};

use super::fault::Fault;
use super::participant::Participant;
use super::record::{GameResult, MoveRecord, Reason, Score};
use super::seat::{Seat, Thought};
use super::time_control::{Clock, go_words};

/// One side of a game.
pub(super) struct Player<'a> {
    pub participant: &'a Participant,
    pub seat: &'a mut Seat,
    /// The seed of its random choices in this game.
    pub seed: u64,
}

/// What came of a game.
pub(super) struct Played {
    pub result: GameResult,
    pub reason: Reason,
    pub detail: String,
    pub moves: Vec<MoveRecord>,
    pub seconds: f64,
    /// The player that did something wrong, 0 for the first, if it must be started anew.
    pub broken: Option<usize>,
}

/// Judges a game by its position and the moves of the engines: a result, if it is to end here.
pub(super) type Judge<'a> = dyn FnMut(&Position, &[MoveRecord]) -> Option<GameResult> + 'a;

/// The state of a game.
struct Game<'a> {
    players: [Player<'a>; 2],
    clocks: [Clock; 2],
    position: Position,
    /// The moves so far as each player has to be told them.
    told: [String; 2],
    moves: Vec<MoveRecord>,
    /// The reply that each player ponders on.
    pondering: [Option<u32>; 2],
    patience: Duration,
}

/// Plays a game from `opening`, moves that are legal and do not end it. An engine without a time limit gets `patience`
/// for each move. `judge` may end the game after any move.
///
/// The first of `players` is the one who moved first in the game.
pub(super) fn play(
    mut players: [Player<'_>; 2],
    opening: &[u32],
    patience: Duration,
    judge: &mut Judge<'_>,
) -> Played {
    let start = Instant::now();
    let clocks = [Clock::new(&players[0].participant.control), Clock::new(&players[1].participant.control)];
    for (index, player) in players.iter_mut().enumerate() {
        if let Err(fault) = player.seat.new_game(player.seed) {
            return lost(index, &fault, Vec::new(), start);
        }
    }
    let mut game = Game {
        players,
        clocks,
        position: Position::new(),
        told: [String::new(), String::new()],
        moves: Vec::new(),
        pondering: [None, None],
        patience,
    };
    for &column in opening {
        game.make(column);
    }
    loop {
        let mover = game.mover();
        let turn = game.turn(mover);
        if let Err((loser, fault)) = turn {
            game.stop_pondering();
            return lost(loser, &fault, game.moves, start);
        }
        let ended = match game.position.outcome() {
            Some(Outcome::Win(_)) if mover == 0 => Some((GameResult::FirstWon, Reason::FourInARow)),
            Some(Outcome::Win(_)) => Some((GameResult::SecondWon, Reason::FourInARow)),
            Some(Outcome::Draw) => Some((GameResult::Draw, Reason::FullBoard)),
            None => judge(&game.position, &game.moves).map(|result| (result, Reason::Adjudicated)),
        };
        if let Some((result, reason)) = ended {
            let broken = game.stop_pondering();
            let seconds = start.elapsed().as_secs_f64();
            return Played { result, reason, detail: String::new(), moves: game.moves, seconds, broken };
        }
    }
}

/// A game that the player `loser` lost by a fault.
fn lost(loser: usize, fault: &Fault, moves: Vec<MoveRecord>, start: Instant) -> Played {
    let reason = match fault {
        Fault::Gone(_) | Fault::Unusable(_) => Reason::Crash,
        Fault::Hang(_) => Reason::Hang,
        Fault::Late(..) => Reason::TimeForfeit,
        Fault::Illegal(_) => Reason::IllegalMove,
        Fault::Nonsense(_) => Reason::Nonsense,
        Fault::SeveralMoves(_) => Reason::SeveralBestMoves,
    };
    let result = if loser == 0 { GameResult::SecondWon } else { GameResult::FirstWon };
    let broken = (!fault.leaves_it_usable()).then_some(loser);
    Played {
        result,
        reason,
        detail: fault.to_string(),
        moves,
        seconds: start.elapsed().as_secs_f64(),
        broken,
    }
}

impl Game<'_> {
    /// Whose turn it is: 0 for the first player.
    fn mover(&self) -> usize {
        self.position.plies() as usize % 2
    }

    /// Asks the player `mover` for a move, checks it, and makes it.
    ///
    /// # Errors
    /// The player that is at fault, which may also be the other one while it ponders.
    fn turn(&mut self, mover: usize) -> Result<(), (usize, Fault)> {
        let thought = self.think(mover).map_err(|fault| (mover, fault))?;
        let Thought { best, ponder, elapsed, info } = thought;
        let column = u32::from(best.column.index());
        let row = self.position.landing(column).map(|cell| Standard::row_of(cell) + 1);
        let fits = |row: u32| best.rank().is_none_or(|rank| u32::from(rank) == row);
        if !row.is_some_and(fits) {
            return Err((mover, Fault::Illegal(best.to_string())));
        }
        self.clocks[mover].press(elapsed);
        let clock_ms = self.clocks[mover].remaining().map(|left| left.as_secs_f64() * 1e3);
        let record =
            record(column, elapsed, clock_ms, info.as_deref(), self.players[mover].participant.dialect);
        self.moves.push(record);
        self.make(column);
        if self.position.outcome().is_some() {
            // What is won on the board cannot be lost by talking.
            return Ok(());
        }
        if self.players[mover].participant.ponder {
            self.start_pondering(mover, ponder).map_err(|fault| (mover, fault))?;
        }
        // Whoever talks out of turn is found out now, not when its turn comes.
        let other = 1 - mover;
        self.players[other].seat.check_silence().map_err(|fault| (other, fault))
    }

    /// Has the player `mover` think, or go on thinking if it pondered on the move that was made.
    fn think(&mut self, mover: usize) -> Result<Thought, Fault> {
        let limit = self.clocks[mover].limit();
        let last = self.last_column();
        let guessed = self.pondering[mover].take();
        let player = &mut self.players[mover];
        if guessed.is_some() && guessed == last {
            return player.seat.think("ponderhit", limit, self.patience);
        }
        if guessed.is_some() {
            player.seat.stop()?;
        }
        let words =
            go_words(player.participant.dialect, &self.clocks[mover], &self.clocks[1 - mover], mover == 0);
        let order = format!("position startpos{}\ngo{words}", self.told[mover]);
        player.seat.think(&order, limit, self.patience)
    }

    /// Lets the player `mover` think on about the reply that it expects, if it names a legal one.
    fn start_pondering(&mut self, mover: usize, reply: Option<Move>) -> Result<(), Fault> {
        let Some(column) = reply.map(|reply| u32::from(reply.column.index())) else { return Ok(()) };
        let Some(after) = self.position.play(column).filter(|after| after.outcome().is_none()) else {
            return Ok(());
        };
        debug_assert!(after.plies() > self.position.plies(), "a stone was added");
        let dialect = self.players[mover].participant.dialect;
        let words = go_words(dialect, &self.clocks[mover], &self.clocks[1 - mover], mover == 0);
        let played = format!("{}{}", self.told[mover], self.spelt(dialect, column));
        self.players[mover].seat.ponder(&format!("position startpos{played}\ngo ponder{words}"))?;
        self.pondering[mover] = Some(column);
        Ok(())
    }

    /// Ends all pondering; returns a player that does not heed it.
    fn stop_pondering(&mut self) -> Option<usize> {
        let mut broken = None;
        for (index, player) in self.players.iter_mut().enumerate() {
            if self.pondering[index].take().is_some() && player.seat.stop().is_err() {
                broken = Some(index);
            }
        }
        broken
    }

    /// The column of the last move, if an engine made one.
    fn last_column(&self) -> Option<u32> {
        self.moves.last().map(|last| u32::from(last.column) - 1)
    }

    /// Makes a move that is legal.
    fn make(&mut self, column: u32) {
        for (index, player) in self.players.iter().enumerate() {
            let word = self.spelt(player.participant.dialect, column);
            self.told[index].push_str(&word);
        }
        if let Some(next) = self.position.play(column) {
            self.position = next;
        }
    }

    /// A move as it is told in `dialect`, with what stands before it.
    fn spelt(&self, dialect: Dialect, column: u32) -> String {
        let start = if self.position.plies() == 0 { " moves" } else { "" };
        let row = self.position.landing(column).map_or(0, Standard::row_of);
        let form = match dialect {
            Dialect::Uci => MoveForm::Drop(row as u8 + 1),
            Dialect::Ugi => MoveForm::Letter,
        };
        let word = Column::new(column as u8).map(|column| Move::new(column, form).to_string());
        format!("{start} {}", word.unwrap_or_default())
    }
}

/// What is written down of a move; `info` is the last thing that its engine said about it.
fn record(
    column: u32,
    elapsed: Duration,
    clock_ms: Option<f64>,
    info: Option<&str>,
    dialect: Dialect,
) -> MoveRecord {
    let mut record = MoveRecord {
        column: column as u8 + 1,
        time_ms: elapsed.as_secs_f64() * 1e3,
        clock_ms,
        ..MoveRecord::default()
    };
    if let Some(Ok(Reply::Info(info))) = info.map(parse_reply) {
        record.depth = info.depth;
        record.nodes = info.nodes;
        record.score = info.score.map(|report| match (report.score, dialect) {
            (plumb_protocol::Score::Cp(value), _) => Score::Cp(value),
            (plumb_protocol::Score::Mate(moves), Dialect::Uci) => Score::mate_in_moves(moves),
            (plumb_protocol::Score::Mate(plies), Dialect::Ugi) => Score::Mate(plies),
        });
    }
    record
}
