//! Replies: what an engine sends.

use std::fmt;

use nom::branch::alt;
use nom::combinator::{eof, opt, rest, value, verify};
use nom::multi::many0;
use nom::sequence::{pair, preceded, terminated};
use nom::{Err, Parser};

use crate::info::info;
use crate::lexeme::{
    Parse, expect, from_first_word, is_blank, keyword, one_of_words, trim, word, word_of, words_until,
};
use crate::moves::single_move;
use crate::{Expected, Info, LineError, Move};

/// A line sent by an engine.
///
/// Displays as the canonical line without a line end. [`parse_reply`](crate::parse_reply) parses it, and lines of
/// other engines. Texts contain no line end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `id name …`: the engine and its version, without blanks at the ends.
    Name(String),
    /// `id author …`: the authors of the engine, without blanks at the ends.
    Author(String),
    /// `option name … type …`: an option of the engine.
    Option(OptionDeclaration),
    /// `uciok`: the end of the list of options.
    UciOk,
    /// `ugiok`: the end of the list of options.
    UgiOk,
    /// `readyok`: the answer to `isready`.
    ReadyOk,
    /// `info …`: a report about a search, or a message.
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
    /// Any other line, such as a row of a printed board. Its first word is not a keyword.
    Text(String),
}

impl Reply {
    /// `info string …` with this text, without a line end.
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

impl From<bool> for Response {
    fn from(answer: bool) -> Self {
        if answer { Self::True } else { Self::False }
    }
}

static WORDS: [(&str, Reply); 3] =
    [("uciok", Reply::UciOk), ("ugiok", Reply::UgiOk), ("readyok", Reply::ReadyOk)];

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
                if let Some(ponder) = ponder {
                    write!(f, " ponder {ponder}")?;
                }
                Ok(())
            }
            Self::Response(response) => write!(f, "response {response}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

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
/// Texts contain no line end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDeclaration {
    /// The name, as in `setoption name`: words joined by single blanks, none of them `type`.
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
    /// `combo`: a text from a list. No text contains the words `var` or `default`.
    Combo {
        /// The value before any `setoption`.
        default: String,
        /// The list of allowed texts.
        vars: Vec<String>,
    },
    /// `button`: an action; it has no value.
    Button,
    /// `string`: any text.
    String {
        /// The value before any `setoption`. Empty prints as `<empty>`.
        default: String,
    },
}

impl fmt::Display for OptionDeclaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type {}", self.name, self.kind)
    }
}

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

pub(crate) fn reply(input: &str) -> Parse<'_, Reply> {
    alt((
        preceded(keyword("info"), |input| Ok(info(input))).map(Reply::Info),
        preceded(keyword("bestmove"), best_move),
        preceded(keyword("option"), option).map(Reply::Option),
        preceded(keyword("id"), id),
        preceded(keyword("response"), response).map(Reply::Response),
        one_of_words(&WORDS),
    ))
    .parse(input)
}

fn id(input: &str) -> Parse<'_, Reply> {
    let id = alt((
        preceded(keyword("name"), rest).map(|text| Reply::Name(trim(text).to_owned())),
        preceded(keyword("author"), rest).map(|text| Reply::Author(trim(text).to_owned())),
    ));
    expect(Expected::OneOf(&["name", "author"]), id).parse(input)
}

fn best_move(input: &str) -> Parse<'_, Reply> {
    pair(expect(Expected::Move, move_or_none), opt(preceded(keyword("ponder"), opt(move_or_none))))
        .map(|(best, ponder)| Reply::BestMove { best, ponder: ponder.flatten().flatten() })
        .parse(input)
}

fn move_or_none(input: &str) -> Parse<'_, Option<Move>> {
    let none = alt((keyword("(none)"), keyword("none"), keyword("0000")));
    alt((value(None, none), single_move.map(Some))).parse(input)
}

fn response(input: &str) -> Parse<'_, Response> {
    let words = Expected::OneOf(&["true", "false", "p1win", "p2win", "draw", "none", "a FEN"]);
    let fen = verify(rest.map(trim), |text: &str| !text.is_empty());
    let fen = fen.map(|text: &str| Response::Fen(text.to_owned()));
    expect(words, alt((terminated(one_of_words(&RESPONSES), eof), fen))).parse(input)
}

fn option(input: &str) -> Parse<'_, OptionDeclaration> {
    (
        preceded(
            expect(Expected::OneOf(&["name"]), keyword("name")),
            expect(Expected::OptionName, verify(words_until(keyword("type")), |name: &str| !name.is_empty())),
        ),
        preceded(expect(Expected::OneOf(&["type"]), keyword("type")), option_kind),
    )
        .map(|(name, kind)| OptionDeclaration { name, kind })
        .parse(input)
}

type ReadKind = fn(&str) -> OptionKind;

static KINDS: [(&str, ReadKind); 5] = [
    ("check", check),
    ("spin", spin),
    ("combo", combo),
    ("button", |_| OptionKind::Button),
    ("string", string),
];

fn option_kind(input: &str) -> Parse<'_, OptionKind> {
    let kinds = Expected::OneOf(&["check", "spin", "combo", "button", "string"]);
    (expect(kinds, one_of_words(&KINDS)), rest).map(|(kind, text)| kind(text)).parse(input)
}

fn check(text: &str) -> OptionKind {
    let mut words = text.split(is_blank).filter(|word| !word.is_empty());
    let has_default = words.next() == Some("default");
    let is_true = words.next().is_some_and(|word| word.eq_ignore_ascii_case("true"));
    OptionKind::Check { default: has_default && is_true }
}

fn attributes<'a>(text: &'a str, names: &[&str]) -> Vec<(&'a str, String)> {
    let name = || verify(word, |word: &str| names.contains(&word));
    let mut attributes = preceded(words_until(name()), many0(pair(name(), words_until(name()))));
    attributes.parse(text).map_or_else(|_| Vec::new(), |(_, attributes)| attributes)
}

fn spin(text: &str) -> OptionKind {
    let attributes = attributes(text, &["default", "min", "max"]);
    let (mut default, mut min, mut max) = (None, i64::MIN, i64::MAX);
    for (name, text) in attributes {
        let Some(Ok(number)) = text.split(' ').next().map(str::parse) else { continue };
        match name {
            "default" => default = Some(number),
            "min" => min = number,
            _ => max = number,
        }
    }
    OptionKind::Spin { default: default.unwrap_or(0.max(min).min(max)), min, max }
}

fn combo(text: &str) -> OptionKind {
    let (defaults, vars): (Vec<_>, Vec<_>) =
        attributes(text, &["default", "var"]).into_iter().partition(|(name, _)| *name == "default");
    let vars: Vec<_> = vars.into_iter().map(|(_, text)| text).collect();
    let default = defaults.into_iter().last().map(|(_, text)| text);
    let default = default.or_else(|| vars.first().cloned()).unwrap_or_default();
    OptionKind::Combo { default, vars }
}

fn string(text: &str) -> OptionKind {
    let default = preceded(keyword("default"), rest).parse(text).map_or("", |(_, default)| trim(default));
    OptionKind::String { default: if default == "<empty>" { String::new() } else { default.to_owned() } }
}

/// Parses a line sent by an engine, with or without its end.
///
/// A line without a keyword is [`Reply::Text`]. Additions of other engines are skipped: unknown or malformed fields
/// of `info`, and words after a complete reply. A principal variation ends before its first malformed move. `none`
/// and `0000` mean `(none)`.
///
/// If an option lacks `default`, the default is `false`, the allowed number nearest to 0, the first text of the list
/// or the empty text. If it lacks `min` or `max`, the bound is the limit of `i64`.
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
/// A line without a required part, such as `bestmove` without a move or `option` without a name.
pub fn parse_reply(line: &str) -> Result<Reply, LineError> {
    let text = line.trim_end_matches(['\r', '\n']);
    match reply(from_first_word(text)) {
        Ok((_, reply)) => Ok(reply),
        Err(Err::Failure(fault)) => Err(fault.in_line(line)),
        Err(_) => Ok(Reply::Text(text.to_owned())),
    }
}
