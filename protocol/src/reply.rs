//! Replies: what an engine sends.

use std::{fmt, iter};

use crate::info::info;
use crate::lexeme::{Words, value_of, word_of};
use crate::moves::whole_move;
use crate::{Expected, Info, LineError, Move, Reason, Token};

/// A line sent by an engine.
///
/// Displaying prints the canonical line without its end; [`parse_reply`](crate::parse_reply) reads it back, and
/// lines of other engines with it. No text in a reply holds a line end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `id name …`: the engine and its version, without blanks at the ends.
    Name(String),
    /// `id author …`: its authors, without blanks at the ends.
    Author(String),
    /// `option name … type …`.
    Option(OptionDeclaration),
    /// `uciok`: the end of the list of options.
    UciOk,
    /// `ugiok`: the end of the list of options.
    UgiOk,
    /// `readyok`: the answer to `isready`.
    ReadyOk,
    /// `info …`.
    Info(Info),
    /// `bestmove … [ponder …]`: the answer to `go`.
    BestMove {
        /// The move to play; `None`, printed `(none)`, if the game is over.
        best: Option<Move>,
        /// The expected reply, to ponder on.
        ponder: Option<Move>,
    },
    /// `response …`: the answer to `query`.
    Response(Response),
    /// Any other line, such as a row of a printed board, verbatim. Its first word is none of those above.
    Text(String),
}

impl Reply {
    /// `info string …` with this text, which must hold no line end.
    #[must_use]
    pub fn message(text: impl Into<String>) -> Self {
        Self::Info(Info { string: Some(text.into()), ..Info::default() })
    }
}

/// The answer to a [`Query`](crate::Query).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Response {
    /// `true`.
    True,
    /// `false`.
    False,
    /// `p1win`: the first player has won.
    P1Win,
    /// `p2win`: the second player has won.
    P2Win,
    /// `draw`: the board is full and nobody has won.
    Draw,
    /// `none`: the game is not over.
    None,
    /// Any other text: the answer to `query fen`. Not empty, without blanks at its ends.
    Fen(String),
}

/// `true` or `false`.
impl From<bool> for Response {
    fn from(answer: bool) -> Self {
        if answer { Self::True } else { Self::False }
    }
}

/// The replies of one word.
static WORDS: [(&str, Reply); 3] =
    [("uciok", Reply::UciOk), ("ugiok", Reply::UgiOk), ("readyok", Reply::ReadyOk)];

/// The responses of one word.
static RESPONSES: [(&str, Response); 6] = [
    ("true", Response::True),
    ("false", Response::False),
    ("p1win", Response::P1Win),
    ("p2win", Response::P2Win),
    ("draw", Response::Draw),
    ("none", Response::None),
];

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "id name {name}"),
            Self::Author(author) => write!(f, "id author {author}"),
            Self::Option(option) => option.fmt(f),
            Self::UciOk | Self::UgiOk | Self::ReadyOk => f.write_str(word_of(&WORDS, self)),
            Self::Info(info) => info.fmt(f),
            Self::BestMove { best, ponder } => {
                match best {
                    None => f.write_str("bestmove (none)")?,
                    Some(best) => write!(f, "bestmove {best}")?,
                }
                ponder.map_or(Ok(()), |ponder| write!(f, " ponder {ponder}"))
            }
            Self::Response(response) => write!(f, "response {response}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// Prints the text after the word `response`.
impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fen(fen) => fen,
            _ => word_of(&RESPONSES, self),
        })
    }
}

/// An option of the engine.
///
/// Texts hold no line end, and a name is words with one blank between them, none of them `type`; other texts read back
/// differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDeclaration {
    /// The name, as in `setoption name`. Not empty; may hold blanks.
    pub name: String,
    /// The type, with default and bounds.
    pub kind: OptionKind,
}

/// The type of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `check`: `true` or `false`.
    Check {
        /// The value before any `setoption`.
        default: bool,
    },
    /// `spin`: a whole number.
    Spin {
        /// The value before any `setoption`.
        default: i64,
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
    /// `combo`: one of a list. The texts are words with one blank between them, none of them `var` or `default`.
    Combo {
        /// The value before any `setoption`.
        default: String,
        /// The list, in order.
        vars: Vec<String>,
    },
    /// `button`: an action; it has no value.
    Button,
    /// `string`: any text.
    String {
        /// The value before any `setoption`, without blanks at its ends. Empty prints as `<empty>`.
        default: String,
    },
}

/// Prints the whole line: `option name Hash type spin default 64 min 1 max 1024`.
impl fmt::Display for OptionDeclaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type {}", self.name, self.kind)
    }
}

/// Prints the text after the word `type`.
impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check { default } => write!(f, "check default {default}"),
            Self::Spin { default, min, max } => write!(f, "spin default {default} min {min} max {max}"),
            Self::Combo { default, vars } => {
                write!(f, "combo default {default}")?;
                vars.iter().try_for_each(|var| write!(f, " var {var}"))
            }
            Self::Button => f.write_str("button"),
            Self::String { default } if default.is_empty() => f.write_str("string default <empty>"),
            Self::String { default } => write!(f, "string default {default}"),
        }
    }
}

/// A move, or one of the words for none.
fn move_or_none(words: &mut Words<'_>) -> Result<Option<Move>, LineError> {
    words.read(Expected::Move, |word| match word {
        "(none)" | "none" | "0000" => Some(None),
        _ => whole_move(word).map(Some),
    })
}

/// What follows the word `response`.
fn response(words: &Words<'_>) -> Result<Response, LineError> {
    let text = words.rest();
    if text.value.is_empty() {
        let words = Expected::OneOf(&["true", "false", "p1win", "p2win", "draw", "none", "a FEN"]);
        return Err(text.fault(Reason::Expected(words)));
    }
    Ok(value_of(&RESPONSES, text.text).unwrap_or(Response::Fen(text.value)))
}

/// What follows the word `option`.
fn option(words: &mut Words<'_>) -> Result<OptionDeclaration, LineError> {
    words.one_of(&["name"])?;
    let name = words.some_until("type", Expected::OptionName)?.value;
    words.one_of(&["type"])?;
    let kind = match words.one_of(&["check", "spin", "combo", "button", "string"])? {
        "check" => {
            let is_true = |word: Token<'_, ()>| word.text.eq_ignore_ascii_case("true");
            OptionKind::Check { default: words.keyword("default") && words.next().is_some_and(is_true) }
        }
        "spin" => spin(words),
        "combo" => combo(words),
        "button" => OptionKind::Button,
        _ => {
            let default = if words.keyword("default") { words.rest().value } else { String::new() };
            OptionKind::String { default: if default == "<empty>" { String::new() } else { default } }
        }
    };
    Ok(OptionDeclaration { name, kind })
}

/// The texts after any of these words, each up to the next of them.
fn attributes<'a>(words: &mut Words<'a>, names: &[&str]) -> Vec<(&'a str, String)> {
    words.until(names);
    iter::from_fn(|| Some((words.next()?.text, words.until(names).value))).collect()
}

fn spin(words: &mut Words<'_>) -> OptionKind {
    let attributes = attributes(words, &["default", "min", "max"]);
    let number = |name: &str| {
        let mut texts = attributes.iter().rev().filter(|(known, _)| *known == name);
        texts.find_map(|(_, text)| text.split(' ').next()?.parse().ok())
    };
    let (min, max) = (number("min").unwrap_or(i64::MIN), number("max").unwrap_or(i64::MAX));
    OptionKind::Spin { default: number("default").unwrap_or(0.max(min).min(max)), min, max }
}

fn combo(words: &mut Words<'_>) -> OptionKind {
    let attributes = attributes(words, &["default", "var"]);
    let texts = |name: &'static str| {
        attributes.iter().filter(move |(known, _)| *known == name).map(|(_, text)| text.clone())
    };
    let vars: Vec<_> = texts("var").collect();
    let default = texts("default").next_back().or_else(|| vars.first().cloned()).unwrap_or_default();
    OptionKind::Combo { default, vars }
}

/// Parses a line sent by an engine, with or without its line end.
///
/// A line without a keyword at its beginning is [`Reply::Text`]. In others, additions of unknown engines are skipped:
/// fields of `info` that are unknown or malformed, words after the end. A principal variation ends before its first
/// malformed move. The default of an option, if missing, is `false`, the number between the bounds nearest to 0, the first
/// of the list or the empty text; a missing bound is the end of `i64`. `none` and `0000` are read as `(none)`. The time is
/// linear in the length of the line.
///
/// ```
/// use plumb_protocol::{Reply, Score, parse_reply};
///
/// let Reply::Info(info) = parse_reply("info depth 3 phase late score mate 1 pv P@d4")? else { panic!("no info") };
/// assert_eq!(info.depth, Some(3));
/// assert_eq!(info.score, Some(Score::Mate(1).into()));
/// assert_eq!(info.pv[0].column.letter(), 'd');
/// assert_eq!(parse_reply("| . X . |")?, Reply::Text("| . X . |".to_owned()));
/// # Ok::<(), plumb_protocol::LineError>(())
/// ```
///
/// # Errors
///
/// The word that does not fit, in lines that mean nothing without it: `bestmove` without a move, `id` with neither `name`
/// nor `author`, `option` without a name or without one of the five types, an empty `response`.
pub fn parse_reply(line: &str) -> Result<Reply, LineError> {
    let text = line.trim_end_matches(['\r', '\n']);
    let mut words = Words::new(text);
    Ok(match words.next().map_or("", |word| word.text) {
        "info" => Reply::Info(info(&mut words)),
        "bestmove" => {
            let best = move_or_none(&mut words)?;
            // A malformed ponder move is ignored.
            let ponder =
                if words.keyword("ponder") { move_or_none(&mut words).unwrap_or_default() } else { None };
            Reply::BestMove { best, ponder }
        }
        "option" => Reply::Option(option(&mut words)?),
        "id" => match words.one_of(&["name", "author"])? {
            "name" => Reply::Name(words.rest().value),
            _ => Reply::Author(words.rest().value),
        },
        "response" => Reply::Response(response(&words)?),
        word => value_of(&WORDS, word).unwrap_or_else(|| Reply::Text(text.to_owned())),
    })
}
