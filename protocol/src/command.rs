//! Commands: what an arena or a user sends to the engine.

use std::fmt;
use std::str::FromStr;

use crate::position::display_words;
use crate::{Go, Move, PositionCommand, Token};

/// The protocol, which the first handshake word, `uci` or `ugi`, decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// The Universal Chess Interface, as arenas for chess variants speak it.
    #[default]
    Uci,
    /// The Universal Game Interface.
    Ugi,
}

/// Prints the handshake word: `uci` or `ugi`.
impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Uci => "uci",
            Self::Ugi => "ugi",
        })
    }
}

impl FromStr for Dialect {
    type Err = String;

    /// Reads the handshake word.
    fn from_str(text: &str) -> Result<Self, String> {
        let found = [Self::Uci, Self::Ugi].into_iter().find(|dialect| dialect.to_string() == text);
        found.ok_or_else(|| format!("`{text}` is neither uci nor ugi"))
    }
}

/// A line sent to the engine.
///
/// Displaying prints the canonical line without its end; [`parse_command`](crate::parse_command) reads it back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// `uci`: list name and options, then `uciok`.
    Uci,
    /// `ugi`: list name and options, then `ugiok`.
    Ugi,
    /// `debug on` or `debug off`.
    Debug(bool),
    /// `isready`: answer `readyok`, also during a search.
    IsReady,
    /// `setoption name … [value …]`.
    SetOption {
        /// Words with one blank between them, not empty, none of them `value`. Case is kept.
        name: Token<'a, String>,
        /// The rest of the line after `value`, without blanks at its ends but with all those inside, as it may be a path.
        /// `None` without the word `value`.
        value: Option<Token<'a, String>>,
    },
    /// `ucinewgame` or `uginewgame`: the next position belongs to another game.
    NewGame(Dialect),
    /// `position [startpos | fen …] [moves …]`: the position to search.
    Position(PositionCommand<'a>),
    /// `moves …`: play moves from the current position.
    Moves(Vec<Token<'a, Move>>),
    /// `go …`: search.
    Go(Go<'a>),
    /// `perft N` or `go perft N`: count the move sequences of N plies.
    Perft(u32),
    /// `stop`: end the search and answer it.
    Stop,
    /// `ponderhit`: the move pondered on was played; the search goes on against the clock.
    PonderHit,
    /// `query …`: a query about the position, answered with a [`Response`](crate::Response).
    Query(Query),
    /// `d` or `display`: print the board.
    Display,
    /// `eval`: print the static evaluation.
    Eval,
    /// `bench …`: run the benchmark. What the words after it mean is not checked; for Plumb they are the table's size in MB,
    /// the number of threads and the number of positions.
    Bench(Vec<Token<'a, String>>),
    /// `wait`: read no further line until the search has ended.
    Wait,
    /// `help`: list the commands.
    Help,
    /// `quit`: end the program.
    Quit,
}

/// A query of UGI about the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Query {
    /// `gameover`: whether the game is over. Answered `true` or `false`.
    GameOver,
    /// `p1turn`: whether the first player is to move. Answered `true` or `false`.
    P1Turn,
    /// `result`: the winner. Answered `p1win`, `p2win`, `draw` or `none`.
    Result,
    /// `fen`: the position as a FEN.
    Fen,
}

impl Command<'_> {
    /// The line for an engine of this dialect: the displayed one, but for the clock of `go`, which UGI calls `p1time`.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use plumb_protocol::{Command, Dialect, Go};
    ///
    /// let time = [Some(Duration::from_secs(2)), Some(Duration::from_secs(1))];
    /// let go = Command::Go(Go { time, ..Go::default() });
    /// assert_eq!(go.line(Dialect::Ugi), "go p1time 2000 p2time 1000");
    /// assert_eq!(go.line(Dialect::Uci), go.to_string());
    /// ```
    #[must_use]
    pub fn line(&self, dialect: Dialect) -> String {
        let Self::Go(go) = self else { return self.to_string() };
        let mut line = String::new();
        // Writing to a string cannot fail.
        let _ = go.write(dialect, &mut line);
        line
    }
}

impl fmt::Display for Command<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Debug(is_on) => write!(f, "debug {}", if *is_on { "on" } else { "off" }),
            Self::SetOption { name, value } => {
                write!(f, "setoption name {name}")?;
                match value.as_ref().map(|value| value.value.as_str()) {
                    None => Ok(()),
                    Some("") => f.write_str(" value"),
                    Some(value) => write!(f, " value {value}"),
                }
            }
            Self::Position(position) => position.fmt(f),
            Self::Moves(moves) => {
                f.write_str("moves")?;
                display_words(moves, f)
            }
            Self::Bench(words) => {
                f.write_str("bench")?;
                display_words(words, f)
            }
            Self::Go(go) => go.fmt(f),
            Self::Perft(depth) => write!(f, "perft {depth}"),
            Self::Query(query) => write!(f, "query {query}"),
            Self::Display => f.write_str("d"),
            _ => f.write_str(word_of(&WORDS, self)),
        }
    }
}

/// The commands of one word. That for [`Command::Display`] is printed as `d`, which is read at the beginning of a line only.
pub(crate) static WORDS: [(&str, Command<'static>); 12] = [
    ("uci", Command::Uci),
    ("ugi", Command::Ugi),
    ("isready", Command::IsReady),
    ("ucinewgame", Command::NewGame(Dialect::Uci)),
    ("uginewgame", Command::NewGame(Dialect::Ugi)),
    ("stop", Command::Stop),
    ("ponderhit", Command::PonderHit),
    ("display", Command::Display),
    ("eval", Command::Eval),
    ("wait", Command::Wait),
    ("help", Command::Help),
    ("quit", Command::Quit),
];

/// The queries.
pub(crate) static QUERIES: [(&str, Query); 4] = [
    ("gameover", Query::GameOver),
    ("p1turn", Query::P1Turn),
    ("result", Query::Result),
    ("fen", Query::Fen),
];

/// The word for a value.
fn word_of<T: PartialEq>(words: &[(&'static str, T)], value: &T) -> &'static str {
    words.iter().find(|(_, known)| known == value).map_or("", |(word, _)| word)
}

/// Prints the word after `query`.
impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(word_of(&QUERIES, self))
    }
}
