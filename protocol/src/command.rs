//! Commands: what an arena or a user sends to the engine.

use std::fmt;

use crate::position::display_moves;
use crate::{Go, Located, Move, PositionCommand};

/// Which of the two sister protocols is spoken. The first handshake word, `uci` or `ugi`, decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// The Universal Chess Interface, as arenas for chess variants speak it.
    #[default]
    Uci,
    /// The Universal Game Interface.
    Ugi,
}

/// A line sent to the engine.
///
/// Displaying prints the canonical line without its end; [`parse_command`](crate::parse_command) reads it back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`: list name and options, then `uciok`.
    Uci,
    /// `ugi`: list name and options, then `ugiok`.
    Ugi,
    /// `debug on` or `debug off`.
    Debug(bool),
    /// `isready`: answer `readyok`, at once, whatever else is going on.
    IsReady,
    /// `setoption name … [value …]`.
    SetOption {
        /// Words with one blank between them, in the case they were sent in; not empty, none of them `value`.
        name: Located<String>,
        /// The text after `value` to the end of the line, without blanks at its ends but with all those inside, since
        /// it may be the path of a file. `None` without the word `value`.
        value: Option<Located<String>>,
    },
    /// `ucinewgame` or `uginewgame`: what follows belongs to another game.
    NewGame(Dialect),
    /// `position [startpos | fen …] [moves …]`: the position to search.
    Position(PositionCommand),
    /// `moves …`: play on from the present position.
    Moves(Vec<Located<Move>>),
    /// `go …`: search.
    Go(Go),
    /// `perft N` or `go perft N`: count the positions that lie N plies ahead.
    Perft(u32),
    /// `stop`: end the search and answer it.
    Stop,
    /// `ponderhit`: the move pondered on was played; the search goes on against the clock.
    PonderHit,
    /// `query …`: a question about the position, answered with a [`Response`](crate::Response).
    Query(Query),
    /// `d` or `display`: draw the board.
    Display,
    /// `eval`: tell the static evaluation.
    Eval,
    /// `bench`: search the fixed suite.
    Bench,
    /// `wait`: take no further line until the search has ended.
    Wait,
    /// `help`: list the commands.
    Help,
    /// `quit`: end the program.
    Quit,
}

/// What UGI asks about the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Query {
    /// `gameover`: has the game ended? Answered `true` or `false`.
    GameOver,
    /// `p1turn`: is the first player to move? Answered `true` or `false`.
    P1Turn,
    /// `result`: who has won? Answered `p1win`, `p2win`, `draw` or `none`.
    Result,
    /// `fen`: the position as a FEN.
    Fen,
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Uci => "uci",
            Self::Ugi => "ugi",
            Self::Debug(true) => "debug on",
            Self::Debug(false) => "debug off",
            Self::IsReady => "isready",
            Self::NewGame(Dialect::Uci) => "ucinewgame",
            Self::NewGame(Dialect::Ugi) => "uginewgame",
            Self::Stop => "stop",
            Self::PonderHit => "ponderhit",
            Self::Display => "d",
            Self::Eval => "eval",
            Self::Bench => "bench",
            Self::Wait => "wait",
            Self::Help => "help",
            Self::Quit => "quit",
            Self::SetOption { name, value } => {
                write!(f, "setoption name {name}")?;
                return match value.as_ref().map(|value| value.value.as_str()) {
                    None => Ok(()),
                    Some("") => f.write_str(" value"),
                    Some(value) => write!(f, " value {value}"),
                };
            }
            Self::Position(position) => return position.fmt(f),
            Self::Moves(moves) => {
                f.write_str("moves")?;
                return display_moves(moves, f);
            }
            Self::Go(go) => return go.fmt(f),
            Self::Perft(depth) => return write!(f, "perft {depth}"),
            Self::Query(query) => return write!(f, "query {query}"),
        })
    }
}

/// Prints what follows the word `query`.
impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::GameOver => "gameover",
            Self::P1Turn => "p1turn",
            Self::Result => "result",
            Self::Fen => "fen",
        })
    }
}
