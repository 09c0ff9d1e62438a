//! An engine behind a line protocol as the solver of a suite, and what its scores mean.

use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use clap::ValueEnum;
use plumb::board::{Geometry, Outcome, Position, Standard};
use plumb::score::win_with_stone;
use plumb_protocol::{
    Bound, Column, Dialect, Id, Info, Move, MoveForm, OptionKind, Reply, Score, ScoreReport,
};

use super::positions::Entry;
use super::{Answer, Solved, Subject};
use crate::arena::options::checked;
use crate::arena::participant::{Description, Participant};
use crate::arena::time_control::TimeControl;
use crate::client::Client;
use crate::cpu_time;
use crate::failure::Failure;

/// The line protocols that an engine may speak.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Protocol {
    /// Moves as P@d1, distances in the winner's moves.
    Uci,
    /// Moves as d, distances in plies.
    Ugi,
}

/// What to start, and how to treat it.
pub(crate) struct Setup<'a> {
    /// A program and its arguments, quoted as in a shell; or an engine as `plumb-lab match` has it.
    pub command: &'a str,
    /// What it speaks, unless the command says so.
    pub protocol: Protocol,
    /// Table size in MB.
    pub hash: usize,
    /// How long to wait for any answer.
    pub patience: Duration,
}

/// An engine that has answered the handshake.
pub(crate) struct Engine {
    client: Client,
    dialect: Dialect,
    patience: Duration,
    /// The depth of each search, if not to the end of the game.
    depth: Option<u32>,
    /// What it calls itself, or else its command.
    name: String,
}

impl Engine {
    /// Starts an engine and sets its options.
    ///
    /// # Errors
    /// If there is no such program, or it has not the options to be set; [`Failure`] if it does not answer.
    pub(crate) fn start(setup: &Setup<'_>) -> Result<Self> {
        let participant = described(setup).map_err(|error| anyhow!("--engine: {error}"))?;
        let dialect = participant.dialect;
        let mut client =
            Client::start_in(&participant.command, participant.directory.as_deref(), setup.command)?;
        client.send(participant.protocol())?;
        let (mut name, mut knows_variants) = (setup.command.to_owned(), false);
        let mut declared = Vec::new();
        let is_done = |reply: &Reply| {
            match reply {
                Reply::Id(Id::Name(found)) => name.clone_from(found),
                Reply::Option(option) => {
                    knows_variants |= option.name.eq_ignore_ascii_case("UCI_Variant")
                        && matches!(&option.kind, OptionKind::Combo { .. });
                    declared.push(option.clone());
                }
                _ => {}
            }
            matches!(reply, Reply::UciOk | Reply::UgiOk)
        };
        client.until(is_done, setup.patience)?;
        client.send(&format!("setoption name Hash value {}", setup.hash))?;
        for (option, value) in &participant.options {
            let setting = checked(&declared, option, value).map_err(|error| anyhow!("`{name}`: {error}"))?;
            client.send(&setting.to_string())?;
        }
        if knows_variants {
            client.send("setoption name UCI_Variant value cfour")?;
        }
        let mut engine =
            Self { client, dialect, patience: setup.patience, depth: participant.control.depth, name };
        engine.wait_until_ready()?;
        Ok(engine)
    }

    /// What the engine calls itself.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    fn wait_until_ready(&mut self) -> Result<()> {
        self.client.send("isready")?;
        self.client.until(|reply| *reply == Reply::ReadyOk, self.patience)?;
        Ok(())
    }

    /// Sends `go` and takes the answer: what was told up to `bestmove`, and how long that took.
    fn search(&mut self, go: &str) -> Result<(Told, Duration)> {
        let mut told = Told::default();
        let before = self.client.send(go)?;
        let end = self.client.until(|reply| told.take(reply), self.patience)?;
        Ok((told, end - before))
    }
}

impl Subject for Engine {
    fn forget(&mut self) -> Result<()> {
        self.client.send(match self.dialect {
            Dialect::Uci => "ucinewgame",
            Dialect::Ugi => "uginewgame",
        })?;
        Ok(())
    }

    fn solve(&mut self, entry: &Entry) -> Result<Solved> {
        let position = &entry.position;
        self.client.send(&position_command(&entry.moves, self.dialect))?;
        self.wait_until_ready()?;
        let cpu = cpu_time::of_process(self.client.id());
        // As deep as the game is long: nothing is left to guess there, and the search ends of itself.
        let whole = position.empty_cells().max(1);
        let depth = self.depth.map_or(whole, |depth| depth.min(whole));
        let (told, time) = self.search(&format!("go depth {depth}"))?;
        let cpu = cpu.zip(cpu_time::of_process(self.client.id())).map(|(from, to)| to.saturating_sub(from));
        let Told { score, nodes, best, hash_full } = told;
        let nonsense = |what: &str| Failure(format!("`{}` {what}", self.name));
        let best = best.unwrap_or_default();
        match best.parse::<Move>() {
            Ok(found) if position.play(found.column.index().into()).is_some() => {}
            Err(_) if position.outcome().is_some() => {}
            _ => bail!(nonsense(&format!("answered `bestmove {best}`, which is no legal move there"))),
        }
        let Some(score) = score else { bail!(nonsense("told no score")) };
        let Some(answer) = meaning(score, position, self.dialect) else {
            bail!(nonsense(&format!("told `score {score}`, which is no result of that position")))
        };
        Ok(Solved { answer, nodes, time, cpu, wall: time, hash_full })
    }
}

/// The engine that is to be started.
///
/// # Errors
/// What is wrong with its description.
fn described(setup: &Setup<'_>) -> Result<Participant, String> {
    let protocol = match setup.protocol {
        Protocol::Uci => "proto=uci",
        Protocol::Ugi => "proto=ugi",
    };
    let participant = Description::of_command(setup.command)?.unlimited(&protocol.parse()?)?;
    let TimeControl { depth, .. } = participant.control;
    if participant.control == (TimeControl { depth, ..TimeControl::default() }) && !participant.ponder {
        Ok(participant)
    } else {
        Err(format!("`{}`: there is no limit here but `depth`", setup.command))
    }
}

/// What an engine has told in the course of a search.
#[derive(Default)]
struct Told {
    score: Option<ScoreReport>,
    nodes: Option<u64>,
    hash_full: Option<u32>,
    /// The move it would play, as it spelled it.
    best: Option<String>,
}

impl Told {
    /// Takes note of a reply; whether it was the last one of a search.
    fn take(&mut self, reply: &Reply) -> bool {
        match reply {
            Reply::Info(Info { score, nodes, multi_pv, hash_full, .. })
                if multi_pv.is_none_or(|rank| rank == 1) =>
            {
                self.score = score.or(self.score);
                self.nodes = nodes.or(self.nodes);
                self.hash_full = hash_full.or(self.hash_full);
                false
            }
            Reply::BestMove { best, .. } => {
                self.best = Some(best.map_or("(none)".to_owned(), |best| best.to_string()));
                true
            }
            // One that cannot be read ends the search as well.
            Reply::Text(line) => {
                let mut words = line.split_whitespace();
                let is_last = words.next() == Some("bestmove");
                self.best = is_last.then(|| words.next().unwrap_or_default().to_owned());
                is_last
            }
            _ => false,
        }
    }
}

/// The command that sets up the position after these column digits, which are legal.
fn position_command(digits: &str, dialect: Dialect) -> String {
    let mut command = "position startpos".to_owned();
    let mut position = Position::<Standard>::new();
    let columns = digits.chars().filter_map(Column::from_digit);
    for (column, before) in columns.zip([" moves "].into_iter().chain(std::iter::repeat(" "))) {
        let index = column.index().into();
        let (Some(cell), Some(next)) = (position.landing(index), position.play(index)) else { break };
        let form = match dialect {
            Dialect::Uci => MoveForm::Drop(Standard::row_of(cell) as u8 + 1),
            Dialect::Ugi => MoveForm::Letter,
        };
        command.push_str(before);
        command.push_str(&Move::new(column, form).to_string());
        position = next;
    }
    command
}

/// What a reported score says about `position`, or `None` if it says nothing, or what cannot be.
///
/// A distance is exact: it names the stone on which the game ends. A bound or an estimate tells at most who wins.
fn meaning(report: ScoreReport, position: &Position, dialect: Dialect) -> Option<Answer> {
    let over = position.outcome();
    match (report.score, report.bound) {
        (Score::Mate(0), None) => matches!(over, Some(Outcome::Win(_)))
            .then(|| Answer::Exact(-win_with_stone::<Standard>(position.plies()))),
        (Score::Mate(distance), None) => {
            let plies = match dialect {
                // The winner's moves: n of them take 2n - 1 plies if it moves first, else 2n.
                Dialect::Uci => distance.unsigned_abs().checked_mul(2)? - u32::from(distance > 0),
                Dialect::Ugi => distance.unsigned_abs(),
            };
            let winner_moves_last = (plies % 2 == 1) == (distance > 0);
            let stone = position.plies().checked_add(plies)?;
            let possible = over.is_none() && winner_moves_last && (7..=Standard::CELLS).contains(&stone);
            possible.then(|| Answer::Exact(win_with_stone::<Standard>(stone) * distance.signum()))
        }
        (Score::Cp(0), None) => Some(Answer::Exact(0)),
        (Score::Cp(value), None) => Some(Answer::Sign(value.signum())),
        (Score::Mate(value) | Score::Cp(value), Some(bound)) => {
            let decided = if bound == Bound::Lower { value > 0 } else { value < 0 };
            decided.then(|| Answer::Sign(value.signum()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(digits: &str) -> Position {
        Position::from_digits(digits).expect("legal")
    }

    #[test]
    fn a_position_is_spelled_as_the_dialect_wants_it() {
        assert_eq!(position_command("", Dialect::Uci), "position startpos");
        assert_eq!(position_command("4417", Dialect::Uci), "position startpos moves P@d1 P@d2 P@a1 P@g1");
        assert_eq!(position_command("4417", Dialect::Ugi), "position startpos moves d d a g");
    }

    #[test]
    fn a_distance_is_a_score() {
        let exact = |digits: &str, distance, dialect| match meaning(
            Score::Mate(distance).into(),
            &position(digits),
            dialect,
        ) {
            Some(Answer::Exact(score)) => Some(score),
            Some(Answer::Sign(_)) => panic!("a distance is exact"),
            None => None,
        };
        // Both dialects name the same stone, whichever side wins.
        for (digits, plies) in [("4455", 3), ("", 41), ("4", 40), ("112233", 1), ("1", 12)] {
            let score = win_with_stone::<Standard>(digits.len() as u32 + plies);
            let (sign, moves) = (if plies % 2 == 1 { 1 } else { -1 }, plies.div_ceil(2) as i32);
            assert_eq!(exact(digits, sign * moves, Dialect::Uci), Some(sign * score), "{digits}");
            assert_eq!(exact(digits, sign * plies as i32, Dialect::Ugi), Some(sign * score), "{digits}");
        }
        assert_eq!(exact("1122334", 0, Dialect::Uci), Some(-18), "the game is over");
        // Beyond the board, before anybody has four stones, with the wrong side's stone, while the game goes on.
        for (digits, distance, dialect) in [
            ("", 22, Dialect::Uci),
            ("", i32::MAX, Dialect::Uci),
            ("", i32::MIN, Dialect::Uci),
            ("4", 1, Dialect::Uci),
            ("4455", 2, Dialect::Ugi),
            ("4455", 0, Dialect::Uci),
            ("1122334", 1, Dialect::Uci),
        ] {
            assert_eq!(exact(digits, distance, dialect), None, "{digits} {distance}");
        }
    }

    #[test]
    fn an_estimate_or_a_bound_tells_at_most_the_winner() {
        let read = |score, bound| match meaning(ScoreReport { score, bound }, &position("44"), Dialect::Uci) {
            Some(Answer::Exact(score)) => format!("exactly {score}"),
            Some(Answer::Sign(sign)) => format!("sign {sign}"),
            None => "nothing".to_owned(),
        };
        assert_eq!(read(Score::Cp(0), None), "exactly 0");
        assert_eq!(read(Score::Cp(-250), None), "sign -1");
        assert_eq!(read(Score::Mate(9), Some(Bound::Lower)), "sign 1");
        assert_eq!(read(Score::Mate(-9), Some(Bound::Upper)), "sign -1");
        for (value, bound) in [(9, Bound::Upper), (-9, Bound::Lower)] {
            assert_eq!(read(Score::Mate(value), Some(bound)), "nothing");
            assert_eq!(read(Score::Cp(value), Some(bound)), "nothing");
        }
    }

    #[test]
    fn the_last_line_of_the_best_move_counts() {
        let mut told = Told::default();
        for (line, is_last) in [
            ("info depth 1 score cp 12 nodes 10", false),
            ("info depth 2 multipv 1 score mate 3 nodes 20", false),
            ("info depth 2 multipv 2 score cp -5 nodes 30", false),
            ("info depth 3 currmove P@d1", false),
            ("hello", false),
            ("bestmove P@d1 ponder P@d2", true),
        ] {
            let reply = plumb_protocol::parse_reply(line).unwrap_or(Reply::Text(line.to_owned()));
            assert_eq!(told.take(&reply), is_last, "{line}");
        }
        assert_eq!(told.score, Some(Score::Mate(3).into()));
        assert_eq!((told.nodes, told.best.as_deref()), (Some(20), Some("P@d1")));
        let mut told = Told::default();
        assert!(told.take(&Reply::Text("bestmove e2e4".to_owned())));
        assert_eq!(told.best.as_deref(), Some("e2e4"));
    }
}
