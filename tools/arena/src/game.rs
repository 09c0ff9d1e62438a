//! Referee of one game: clocks, moves and result.

use std::time::{Duration, Instant};

use jiff::Timestamp;
use plumb::board::{Board, Geometry, Outcome, Position, column_names};
use plumb_protocol::{Bound, Command, Dialect, Go, Move, PositionCommand, Score, Token};

use crate::engine::fault::EngineFault;
use crate::engine::info::SearchReport;
use crate::engine::session::{EngineMove, EngineSession};
use crate::position_command::{mate_plies, spelled_move};
use crate::record::{EngineScore, GameResult, MoveRecord, Reason, ScoreBound};
use crate::statistics::rounded;
use crate::time_control::{GameClock, MoveLimit, limited_go};

pub(crate) struct PlayedGame {
    pub result: GameResult,
    pub reason: Reason,
    pub detail: String,
    pub moves: Vec<MoveRecord>,
    pub started: String,
    pub seconds: f64,
    pub broken: Vec<usize>,
}

/// Called after each move that does not end the game. `Some` adjudicates the game with this result.
pub(crate) type AfterMove<'a> = dyn FnMut(&Position<Board>, &[MoveRecord]) -> Option<GameResult> + 'a;

struct Game<'a> {
    players: [&'a mut EngineSession; 2],
    clocks: [GameClock; 2],
    position: Position<Board>,
    commands: [PositionCommand<'static>; 2],
    moves: Vec<MoveRecord>,
    pondering: [Option<u32>; 2],
    /// Maximum time for a move if the engine has no time limit.
    hang_timeout: Duration,
}

/// Plays a game. `opening` has legal moves that do not end the game. `players[0]` moves first on the empty board.
pub(crate) fn play_moves(
    mut players: [&mut EngineSession; 2],
    seeds: [u64; 2],
    board: Board,
    opening: &[u32],
    hang_timeout: Duration,
    after_move: &mut AfterMove<'_>,
) -> PlayedGame {
    let start = Instant::now();
    let clocks = players.each_ref().map(|player| GameClock::new(&player.config.control));
    for (index, (player, seed)) in players.iter_mut().zip(seeds).enumerate() {
        if let Err(fault) = player.new_game(seed) {
            return lost(index, &fault, Vec::new(), start);
        }
    }
    let (position, commands, pondering) = (Position::empty(board), Default::default(), [None; 2]);
    let mut game = Game { players, clocks, position, commands, moves: Vec::new(), pondering, hang_timeout };
    for &column in opening {
        game.make(column);
    }
    loop {
        let mover = game.position.plies() as usize % 2;
        let turn = game.turn(mover);
        if let Err((loser, fault)) = turn {
            let unstopped = game.stop_pondering();
            let mut lost = lost(loser, &fault, game.moves, start);
            lost.broken.extend(unstopped);
            if matches!(fault, EngineFault::Illegal(_) | EngineFault::Nonsense(_)) {
                let column = game.position.legal_columns().next().unwrap_or_default();
                let legal = spelled_move(&game.position, column, game.players[loser].config.dialect);
                lost.detail +=
                    &legal.map(|legal| format!("; expected a move such as `{legal}`")).unwrap_or_default();
            }
            return lost;
        }
        let ended = match game.position.outcome() {
            Some(Outcome::Win(_)) => Some((GameResult::won_by(mover), Reason::FourInARow)),
            Some(Outcome::Draw) => Some((GameResult::Draw, Reason::FullBoard)),
            None => after_move(&game.position, &game.moves).map(|result| (result, Reason::Adjudicated)),
        };
        if let Some((result, reason)) = ended {
            let broken = game.stop_pondering();
            let (started, seconds) = times(start);
            let detail = String::new();
            return PlayedGame { result, reason, detail, moves: game.moves, started, seconds, broken };
        }
    }
}

pub(crate) fn lost(loser: usize, fault: &EngineFault, moves: Vec<MoveRecord>, start: Instant) -> PlayedGame {
    // `is_usable`: the engine still answers in order, so its process can play the next game.
    let (reason, is_usable) = match fault {
        // Not recorded for the first two: `NotStarted` ends the match, and interrupted games are dropped.
        EngineFault::NotStarted(_)
        | EngineFault::Interrupted
        | EngineFault::NoHandshake(_)
        | EngineFault::InvalidOption(_)
        | EngineFault::Gone(_) => (Reason::Crash, false),
        EngineFault::Hang(..) | EngineFault::NotReady(..) => (Reason::Hang, false),
        EngineFault::Late(..) => (Reason::TimeForfeit, true),
        EngineFault::Illegal(_) => (Reason::IllegalMove, true),
        EngineFault::Nonsense(_) => (Reason::Nonsense, true),
        // Named after the most common case: a second `bestmove` after one `go`.
        EngineFault::UnrequestedMove(..) => (Reason::SeveralBestMoves, false),
    };
    let broken = if is_usable { Vec::new() } else { vec![loser] };
    let (result, detail) = (GameResult::won_by(1 - loser), fault.to_string());
    let (started, seconds) = times(start);
    PlayedGame { result, reason, detail, moves, started, seconds, broken }
}

fn times(start: Instant) -> (String, f64) {
    let duration = start.elapsed();
    (format!("{:.3}", Timestamp::now() - duration), duration.as_secs_f64())
}

impl Game<'_> {
    /// Asks an engine for its move and plays it. An error contains the index of the player that forfeits.
    fn turn(&mut self, mover: usize) -> Result<(), (usize, EngineFault)> {
        let thought = self.think(mover).map_err(|fault| (mover, fault))?;
        let EngineMove { best, ponder, elapsed, report } = thought;
        let column = u32::from(best.column.index());
        if self.position.try_play(on_board(best)).is_err() {
            return Err((mover, EngineFault::Illegal(best.to_string())));
        }
        // `EngineSession::go` has already checked the time limit.
        self.clocks[mover].press(elapsed);
        let clock_ms = self.clocks[mover].remaining_ms();
        // Rounded like times in the match record, so live data and record agree.
        let time_ms = rounded(elapsed.as_secs_f64() * 1e3);
        let mut record = MoveRecord { column: column as u8 + 1, time_ms, clock_ms, ..MoveRecord::default() };
        add_report(&mut record, self.position, &report, self.players[mover].config.dialect);
        self.moves.push(record);
        self.make(column);
        if self.position.outcome().is_some() {
            // A finished game can no longer be forfeited.
            return Ok(());
        }
        if self.players[mover].config.ponder {
            self.start_pondering(mover, ponder).map_err(|fault| (mover, fault))?;
        }
        // Finds unrequested moves of the opponent now, because adjudication may end the game before its turn.
        let other = 1 - mover;
        self.players[other].check_silence().map_err(|fault| (other, fault))
    }

    fn think(&mut self, mover: usize) -> Result<EngineMove, EngineFault> {
        let hang = MoveLimit { time: self.hang_timeout, margin: Duration::ZERO };
        let limit = self.clocks[mover].limit().unwrap_or(hang);
        let last = self.moves.last().map(|last| u32::from(last.column) - 1);
        let guessed = self.pondering[mover].take();
        let session = &mut *self.players[mover];
        if guessed.is_some() && guessed == last {
            return session.go(&[Command::PonderHit], limit);
        }
        if guessed.is_some() {
            session.stop()?;
        }
        let go = limited_go(&self.clocks[mover], &self.clocks[1 - mover], mover == 0);
        let commands = [Command::Position(self.commands[mover].clone()), Command::Go(go)];
        session.go(&commands, limit)
    }

    /// Starts pondering on `reply`, if it is legal and does not end the game.
    fn start_pondering(&mut self, mover: usize, reply: Option<Move>) -> Result<(), EngineFault> {
        let Some(column) = reply.map(|reply| u32::from(reply.column.index())) else { return Ok(()) };
        if self.position.play(column).is_none_or(|after| after.outcome().is_some()) {
            return Ok(());
        }
        let go = limited_go(&self.clocks[mover], &self.clocks[1 - mover], mover == 0);
        let mut command = self.commands[mover].clone();
        let session = &mut *self.players[mover];
        command.moves.extend(spelled_move(&self.position, column, session.config.dialect).map(Token::from));
        session.go_ponder(&[Command::Position(command), Command::Go(Go { ponder: true, ..go })])?;
        self.pondering[mover] = Some(column);
        Ok(())
    }

    /// Returns the players whose engines fail to stop.
    fn stop_pondering(&mut self) -> Vec<usize> {
        let mut is_unstopped =
            |side: &usize| self.pondering[*side].take().is_some() && self.players[*side].stop().is_err();
        (0..2).filter(|side| is_unstopped(side)).collect()
    }

    fn make(&mut self, column: u32) {
        for (command, player) in self.commands.iter_mut().zip(&self.players) {
            let made = spelled_move(&self.position, column, player.config.dialect);
            command.moves.extend(made.map(Token::from));
        }
        if let Some(next) = self.position.play(column) {
            self.position = next;
        }
    }
}

fn on_board(read: Move) -> plumb::board::Move {
    plumb::board::Move { column: read.column.index().into(), rank: read.rank().map(u32::from) }
}

fn add_report(record: &mut MoveRecord, position: Position<Board>, report: &SearchReport, dialect: Dialect) {
    let Some(info) = &report.info else { return };
    record.own_ms = info.time.map(|time| time.as_millis() as u64);
    (record.depth, record.sel_depth, record.nodes) = (info.depth, info.sel_depth, info.nodes);
    (record.hash_full, record.tb_hits) = (info.hash_full, info.tb_hits);
    record.bound = info.score.and_then(|report| report.bound).map(|bound| match bound {
        Bound::Lower => ScoreBound::Lower,
        Bound::Upper => ScoreBound::Upper,
    });
    record.score = info.score.map(|report| engine_score(report.score, dialect));
    record.lower = report.lower.map(|score| engine_score(score, dialect));
    record.upper = report.upper.map(|score| engine_score(score, dialect));
    let (mut reached, mut columns) = (position, Vec::new());
    for made in &info.pv {
        let Ok(next) = reached.try_play(on_board(*made)) else {
            record.pv_fault = format!("`{made}`, move {} of its line, is not legal", columns.len() + 1);
            break;
        };
        columns.push(u32::from(made.column.index()));
        reached = next;
    }
    let plies = match record.score {
        Some(EngineScore::Mate(plies)) if record.bound.is_none() => plies.unsigned_abs() as usize,
        _ => columns.len(),
    };
    if record.pv_fault.is_empty() && reached.outcome().is_some() && plies != columns.len() {
        record.pv_fault =
            format!("its line ends the game at ply {}, its score at ply {plies}", columns.len());
    }
    record.pv = column_names(position.geometry().size().width, columns);
}

fn engine_score(score: Score, dialect: Dialect) -> EngineScore {
    match score {
        Score::Cp(value) => EngineScore::Cp(value),
        Score::Mate(distance) => EngineScore::Mate(mate_plies(distance, dialect)),
    }
}

#[cfg(test)]
mod tests {
    use plumb_protocol::{Reply, parse_reply};

    use super::*;

    #[test]
    fn a_line_is_kept_as_far_as_it_is_legal() {
        let position = Position::from_digits_on(Board::default(), "112233").expect("legal");
        for (line, pv, fault) in [
            ("info depth 1 score mate 1 pv P@d1", "4", ""),
            ("info depth 1 score cp 30 pv P@d1", "4", ""),
            ("info depth 3 score mate 2 pv P@d1", "4", "its line ends the game at ply 1, its score at ply 3"),
            ("info depth 3 score mate 2 pv P@g1 P@g2", "77", ""),
            ("info depth 3 score cp 5 pv P@d2", "", "`P@d2`, move 1 of its line, is not legal"),
            ("info depth 3 score cp 5 pv P@d1 P@d2", "4", "`P@d2`, move 2 of its line, is not legal"),
            ("info depth 3 score cp 5", "", ""),
        ] {
            let Ok(Reply::Info(info)) = parse_reply(line) else { panic!("{line}") };
            let mut made = MoveRecord::default();
            let report = SearchReport { info: Some(info), ..SearchReport::default() };
            add_report(&mut made, position, &report, Dialect::Uci);
            assert_eq!((made.pv.as_str(), made.pv_fault.as_str()), (pv, fault), "{line}");
        }
    }
}
