//! Commands: what an arena or a user sends to the engine.

use std::fmt;

use nom::branch::alt;
use nom::character::complete::digit1;
use nom::combinator::{consumed, eof, opt, peek, rest, value, verify};
use nom::multi::many0;
use nom::sequence::preceded;
use nom::{Err, Offset, Parser};

use crate::go::{go, perft_depth};
use crate::lexeme::{
    Parse, ParseFailure, expect, from_first_word, is_blank, keyword, one_of_words, printed, spaced, trim,
    word, word_of, words_until,
};
use crate::moves::{move_list, single_move};
use crate::{Dialect, Expected, Go, LineError, Move, Token};

/// A line sent to the engine.
///
/// Displays as the canonical line without a line end. [`parse_command`](crate::parse_command) parses it.
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
        /// The name of the option: words joined by single blanks, none of them `value`. Case is kept.
        name: Token<'a, String>,
        /// The rest of the line after `value`, without blanks at its ends. `None` without the word `value`.
        value: Option<Token<'a, String>>,
    },
    /// `ucinewgame` or `uginewgame`: the next position belongs to another game.
    NewGame(Dialect),
    /// `position [startpos | fen …] [moves …]`, or `position` and moves without a keyword.
    Position(PositionCommand<'a>),
    /// `moves …`: play moves from the current position.
    Moves(Vec<Token<'a, Move>>),
    /// `go …`: search.
    Go(Go<'a>),
    /// `perft N` or `go perft N`: count the move sequences of N plies.
    Perft(u32),
    /// `stop`: end the search and print `bestmove`.
    Stop,
    /// `ponderhit`: the expected move was played.
    PonderHit,
    /// `query …`: answered with a [`Response`](crate::Response).
    Query(Query),
    /// `d` or `display`: print the board.
    Display,
    /// `eval`: print the static evaluation.
    Eval,
    /// `bench …`: run the benchmark. The words are not checked.
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
    /// The line for an engine of this dialect. For UGI, `go` has `p1time` instead of `wtime`.
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

/// The commands of one word. `display` is parsed anywhere in a line, but printed as `d`, which is parsed only at the
/// beginning of a line.
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

static QUERIES: [(&str, Query); 4] = [
    ("gameover", Query::GameOver),
    ("p1turn", Query::P1Turn),
    ("result", Query::Result),
    ("fen", Query::Fen),
];

/// The words that begin a command, for suggestions.
pub fn command_words() -> impl Iterator<Item = &'static str> {
    let others = ["debug", "setoption", "position", "moves", "go", "perft", "query", "bench"];
    WORDS.iter().map(|(word, _)| *word).chain(others)
}

const NAME: Expected = Expected::Word { word: "name", example: "setoption name Hash value 64" };
const MOVES: Expected = Expected::Word { word: "moves", example: "position startpos moves 44" };

/// The position of a `position` command: a start position and the moves from there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionCommand<'a> {
    /// The start position, before the moves.
    pub base: Base<'a>,
    /// The moves in order. Joined digits such as `4455` are one move each.
    pub moves: Vec<Token<'a, Move>>,
}

/// The start position of a `position` command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Base<'a> {
    /// `startpos` or no keyword: the empty board.
    #[default]
    Start,
    /// `fen …`: the words before `moves`, joined by single blanks and not checked. [`Token::text`] keeps all
    /// blanks.
    Fen(Token<'a, String>),
}

/// Prints the whole command, as in `position startpos moves P@d1`.
impl fmt::Display for PositionCommand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.base {
            Base::Start => f.write_str("position startpos")?,
            Base::Fen(fen) => write!(f, "position fen {fen}")?,
        }
        f.write_str(&printed(&self.moves, "moves"))
    }
}

/// A command, and warnings about parts of its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed<'a> {
    /// The command.
    pub command: Command<'a>,
    /// Warnings about parts of a `go` that are ignored or changed, at most
    /// [`MAX_WARNINGS`](crate::MAX_WARNINGS).
    pub warnings: Vec<LineError>,
}

/// Parses a line sent to an engine, with or without its end. `None` if it is blank.
///
/// Blanks and tabs separate words. Keywords are lower case. Words before the first command are skipped
/// (`joho debug on`), and so are words after a complete command. Only `moves` and `d` must come first, because they
/// occur inside other commands.
///
/// ```
/// use plumb_protocol::{Command, parse_command};
///
/// let parsed = parse_command("go depth 12 nodes many")?.expect("the line is not blank");
/// let Command::Go(go) = parsed.command else { panic!("not a go") };
/// assert_eq!((go.depth, go.nodes), (Some(12), None));
/// assert_eq!(
///     parsed.warnings[0].to_string(),
///     "`nodes many`: expected a whole number from 0 to 18446744073709551615",
/// );
/// assert_eq!(parse_command(" \r\n"), Ok(None));
/// # Ok::<(), plumb_protocol::LineError>(())
/// ```
///
/// # Errors
///
/// The first word that the grammar does not expect. In a line without a command, the first word of the line. A
/// malformed limit of `go` is only a warning, in [`Parsed::warnings`].
pub fn parse_command(line: &str) -> Result<Option<Parsed<'_>>, LineError> {
    let line = line.trim_end_matches(is_blank);
    let start = from_first_word(line);
    if start.is_empty() {
        return Ok(None);
    }
    let mut input = start;
    let mut attempt = first_command(line, start);
    loop {
        match attempt {
            Ok((_, parsed)) => return Ok(Some(parsed)),
            Err(Err::Failure(fault)) => return Err(fault.in_line(line)),
            Err(_) => {}
        }
        let Ok((rest, _)) = word(input) else {
            return Err(ParseFailure::new(start, Expected::Command).in_line(line));
        };
        input = rest;
        attempt = command(line, input);
    }
}

/// A command at the beginning of the line. `moves` and `d` are commands only here: a mistyped
/// `positoin startpos moves d` must neither play a move nor print a board.
fn first_command<'a>(line: &'a str, input: &'a str) -> Parse<'a, Parsed<'a>> {
    let only_first = alt((
        preceded(keyword("moves"), |input| move_list(line, input)).map(Command::Moves),
        value(Command::Display, keyword("d")),
    ));
    alt((only_first.map(without_warnings), |input| command(line, input))).parse(input)
}

fn command<'a>(line: &'a str, input: &'a str) -> Parse<'a, Parsed<'a>> {
    alt((
        preceded(keyword("go"), |input| go(line, input)).map(|(go, perft, warnings)| Parsed {
            command: perft.map_or_else(|| Command::Go(go), Command::Perft),
            warnings,
        }),
        alt((
            preceded(keyword("position"), |input| position(line, input)).map(Command::Position),
            preceded(keyword("setoption"), |input| set_option(line, input)),
            preceded(keyword("debug"), on_or_off).map(Command::Debug),
            preceded(keyword("query"), query).map(Command::Query),
            preceded(keyword("perft"), perft_depth).map(Command::Perft),
            preceded(keyword("bench"), |input| all_words(line, input)).map(Command::Bench),
            // Words after the command word are skipped.
            one_of_words(&WORDS),
        ))
        .map(without_warnings),
    ))
    .parse(input)
}

fn without_warnings(command: Command<'_>) -> Parsed<'_> {
    Parsed { command, warnings: Vec::new() }
}

fn on_or_off(input: &str) -> Parse<'_, bool> {
    let state = alt((value(true, keyword("on")), value(false, keyword("off"))));
    expect(Expected::OneOf(&["on", "off"]), state).parse(input)
}

fn query(input: &str) -> Parse<'_, Query> {
    expect(Expected::OneOf(&["gameover", "p1turn", "result", "fen"]), one_of_words(&QUERIES)).parse(input)
}

fn set_option<'a>(line: &'a str, input: &'a str) -> Parse<'a, Command<'a>> {
    (
        preceded(
            expect(NAME, keyword("name")),
            expect(Expected::OptionName, |input| words_before("value", line, input)),
        ),
        opt(preceded(keyword("value"), rest)),
    )
        .map(|(name, value)| Command::SetOption {
            name,
            value: value.map(|text: &str| Token::new(text.to_owned(), text, line.offset(text))),
        })
        .parse(input)
}

fn all_words<'a>(line: &'a str, input: &'a str) -> Parse<'a, Vec<Token<'a, String>>> {
    many0(word.map(|word| Token::new(word.to_owned(), word, line.offset(word)))).parse(input)
}

fn words_before<'a>(end: &'static str, line: &'a str, input: &'a str) -> Parse<'a, Token<'a, String>> {
    let words = verify(words_until(keyword(end)), |words: &str| !words.is_empty());
    consumed(words).map(|(text, words)| Token::new(words, trim(text), line.offset(text))).parse(input)
}

fn position<'a>(line: &'a str, input: &'a str) -> Parse<'a, PositionCommand<'a>> {
    let moves_or_end = |input| {
        let moves = expect(MOVES, keyword("moves"));
        alt((value(Vec::new(), eof), preceded(moves, |input| move_list(line, input)))).parse(input)
    };
    let fen = expect(Expected::Fen, |input| words_before("moves", line, input)).map(Base::Fen);
    alt((
        preceded(keyword("startpos"), moves_or_end).map(|moves| (Base::Start, moves)),
        preceded(keyword("fen"), (fen, moves_or_end)),
        preceded(keyword("moves"), |input| move_list(line, input)).map(|moves| (Base::Start, moves)),
        (|input| bare_moves(line, input)).map(|moves| (Base::Start, moves)),
    ))
    .map(|(base, moves)| PositionCommand { base, moves })
    .parse(input)
}

/// Parses the moves of `position 4455`. If the first word is not a move, the error also names the keywords.
fn bare_moves<'a>(line: &'a str, input: &'a str) -> Parse<'a, Vec<Token<'a, Move>>> {
    let looks_like_moves = expect(Expected::Position, peek(alt((value((), single_move), value((), digit1)))));
    alt((value(Vec::new(), eof), preceded(looks_like_moves, |input| move_list(line, input)))).parse(input)
}
