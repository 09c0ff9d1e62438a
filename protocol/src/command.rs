//! Commands: what an arena or a user sends to the engine.

use std::fmt;

use crate::go::go;
use crate::lexeme::{Value, Words, is_blank, printed, spaced, value_of, word_of};
use crate::moves::{move_list, whole_move};
use crate::{Dialect, Expected, Go, LineError, Move, Reason, Token};

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
    /// the number of threads and the number of positions, or `threads` or `--hash-sizes` for a table of figures.
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
        if let Self::Go(go) = self { go.line(dialect) } else { self.to_string() }
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
            Self::Moves(moves) => write!(f, "moves{}", spaced(moves)),
            Self::Bench(words) => write!(f, "bench{}", spaced(words)),
            Self::Go(go) => go.fmt(f),
            Self::Perft(depth) => write!(f, "perft {depth}"),
            Self::Query(query) => write!(f, "query {}", word_of(&QUERIES, query)),
            Self::Display => f.write_str("d"),
            Self::Uci | Self::Ugi | Self::IsReady | Self::NewGame(_) | Self::Stop | Self::PonderHit => {
                f.write_str(word_of(&WORDS, self))
            }
            Self::Eval | Self::Wait | Self::Help | Self::Quit => f.write_str(word_of(&WORDS, self)),
        }
    }
}

/// The commands of one word. That for [`Command::Display`] is printed as `d`, which is read at the beginning of a line only.
static WORDS: [(&str, Command<'static>); 12] = [
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
static QUERIES: [(&str, Query); 4] = [
    ("gameover", Query::GameOver),
    ("p1turn", Query::P1Turn),
    ("result", Query::Result),
    ("fen", Query::Fen),
];

/// A position: a base, and the moves played from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionCommand<'a> {
    /// The position before the moves.
    pub base: Base<'a>,
    /// The moves, in order. Joined digits such as `4455` are one move each.
    pub moves: Vec<Token<'a, Move>>,
}

/// The position that moves are played from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Base<'a> {
    /// `startpos`, or no base at all: the empty board.
    #[default]
    Start,
    /// `fen …`: the words before `moves`, at least one. The value has one blank between them, the token's text those of
    /// the line, so that offsets in the text count from the token's own. Whether it is a FEN is not checked.
    Fen(Token<'a, String>),
}

/// Prints the whole command: `position startpos moves P@d1`. A command without moves prints without `moves`.
impl fmt::Display for PositionCommand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.base {
            Base::Start => f.write_str("position startpos")?,
            Base::Fen(fen) => write!(f, "position fen {fen}")?,
        }
        f.write_str(&printed(&self.moves, "moves"))
    }
}

/// The result of parsing a command: the command, and warnings about parts of its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed<'a> {
    /// The command.
    pub command: Command<'a>,
    /// Parts of a `go` that are ignored, or read as something else; at most [`MAX_WARNINGS`](crate::MAX_WARNINGS).
    pub warnings: Vec<LineError>,
}

/// Parses a line sent to an engine, with or without its line end; `None` if it is blank.
///
/// Words are separated by blanks and tabs. Keywords are lower case. Words before the first one that is a command are
/// skipped (`joho debug on`), and so is what follows a command that takes no more; only `moves` and `d`, which occur
/// inside other commands, must come first. The time is linear in the length of the line.
///
/// ```
/// use plumb_protocol::{Command, parse_command};
///
/// let parsed = parse_command("go depth 12 nodes many")?.expect("the line is not blank");
/// let Command::Go(go) = parsed.command else { panic!("not a go") };
/// assert_eq!((go.depth, go.nodes), (Some(12), None));
/// assert_eq!(
///     parsed.warnings[0].to_string(),
///     "`many` at byte 18: expected a whole number from 0 to 18446744073709551615",
/// );
/// assert_eq!(parse_command(" \r\n"), Ok(None));
/// # Ok::<(), plumb_protocol::LineError>(())
/// ```
///
/// # Errors
///
/// The first word that does not fit, with what is expected: a word that is not a move in a list of moves, `setoption`
/// without a name, `position fen` without a FEN, `debug`, `query` or `perft` without the right word after it. In a line
/// without a command that is the first word. A malformed limit of `go` is only a warning, in
/// [`Parsed::warnings`].
pub fn parse_command(line: &str) -> Result<Option<Parsed<'_>>, LineError> {
    let mut words = Words::new(line.trim_end_matches(is_blank));
    let first = words.peek();
    let mut warnings = Vec::new();
    while let Some(word) = words.next() {
        // A mistyped `positoin startpos moves d` must neither play a move nor print a board.
        let is_first = word.offset == first.offset;
        let command = match word.text {
            "moves" if is_first => Command::Moves(move_list(&mut words)?),
            "d" if is_first => Command::Display,
            "go" => {
                let (go, perft) = go(&mut words, &mut warnings)?;
                perft.map_or_else(|| Command::Go(go), Command::Perft)
            }
            "position" => Command::Position(position(&mut words)?),
            "setoption" => {
                words.one_of(&["name"])?;
                let name = words.some_until("value", Expected::OptionName)?;
                Command::SetOption { name, value: words.keyword("value").then(|| words.rest()) }
            }
            "debug" => Command::Debug(words.one_of(&["on", "off"])? == "on"),
            "query" => {
                let expected = Expected::OneOf(&["gameover", "p1turn", "result", "fen"]);
                Command::Query(words.read(expected, |word| value_of(&QUERIES, word))?)
            }
            "perft" => Command::Perft(u32::parse(&mut words)?),
            "bench" => {
                let words = words.map(|word| Token::new(word.text.to_owned(), word.text, word.offset));
                Command::Bench(words.collect())
            }
            // More words after it are skipped.
            word => match value_of(&WORDS, word) {
                Some(command) => command,
                None => continue,
            },
        };
        return Ok(Some(Parsed { command, warnings }));
    }
    if first.text.is_empty() { Ok(None) } else { Err(first.fault(Reason::Expected(Expected::Command))) }
}

/// What follows the word `position`: perhaps a base and the word `moves`, and moves.
fn position<'a>(words: &mut Words<'a>) -> Result<PositionCommand<'a>, LineError> {
    let is_bare = !words.keyword("startpos");
    let base = if is_bare && words.keyword("fen") {
        Base::Fen(words.some_until("moves", Expected::Fen)?)
    } else {
        Base::Start
    };
    let word = words.peek();
    if !words.keyword("moves") && !word.text.is_empty() {
        // Without a base the keyword may be left out. If the first word is not a move, a base is expected as well.
        let looks_like_moves =
            whole_move(word.text).is_some() || word.text.starts_with(|c: char| c.is_ascii_digit());
        if !is_bare || !looks_like_moves {
            let expected = if is_bare { Expected::Position } else { Expected::OneOf(&["moves"]) };
            return Err(word.fault(Reason::Expected(expected)));
        }
    }
    Ok(PositionCommand { base, moves: move_list(words)? })
}
