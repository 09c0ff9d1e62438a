//! Commands.

use nom::branch::alt;
use nom::character::complete::digit1;
use nom::combinator::{consumed, eof, map_opt, opt, peek, rest, value, verify};
use nom::multi::many0;
use nom::sequence::preceded;
use nom::{Offset, Parser};

use super::go::{COUNT, go};
use super::lexeme::{Parse, ParseFailure, expect, keyword, number, trim, word, words_until};
use super::moves::{move_list, single_move};
use super::parsed::Parsed;
use crate::command::{QUERIES, WORDS};
use crate::{Base, Command, Expected, Move, PositionCommand, Query, Token};

/// A command at the beginning of the line. `moves` and `d` are commands only here, as they also occur inside others: a
/// mistyped `positoin startpos moves d` must neither play a move nor print a board.
pub(super) fn first_command<'a>(line: &'a str, input: &'a str) -> Parse<'a, Parsed<'a>> {
    let only_first = alt((
        preceded(keyword("moves"), |input| move_list(line, input)).map(Command::Moves),
        value(Command::Display, keyword("d")),
    ));
    alt((only_first.map(without_warnings), |input| command(line, input))).parse(input)
}

/// A command at the beginning of the input, which is the rest of the line.
pub(super) fn command<'a>(line: &'a str, input: &'a str) -> Parse<'a, Parsed<'a>> {
    alt((
        preceded(keyword("go"), |input| go(line, input)),
        alt((
            preceded(keyword("position"), |input| position(line, input)).map(Command::Position),
            preceded(keyword("setoption"), |input| set_option(line, input)),
            preceded(keyword("debug"), on_or_off).map(Command::Debug),
            preceded(keyword("query"), query).map(Command::Query),
            preceded(keyword("perft"), expect(COUNT, number)).map(Command::Perft),
            preceded(keyword("bench"), |input| all_words(line, input)).map(Command::Bench),
            // More words after it are skipped.
            one_of_words(&WORDS),
        ))
        .map(without_warnings),
    ))
    .parse(input)
}

/// Wraps a command other than `go`, the only one with warnings.
fn without_warnings(command: Command<'_>) -> Parsed<'_> {
    Parsed { command, warnings: Vec::new() }
}

/// Parser of a word of this table; returns the value of the word.
fn one_of_words<'a, T: Clone>(
    words: &'a [(&'static str, T)],
) -> impl Parser<&'a str, Output = T, Error = ParseFailure<'a>> {
    map_opt(word, |word| words.iter().find(|(known, _)| *known == word).map(|(_, value)| value.clone()))
}

fn on_or_off(input: &str) -> Parse<'_, bool> {
    let state = alt((value(true, keyword("on")), value(false, keyword("off"))));
    expect(Expected::OneOf(&["on", "off"]), state).parse(input)
}

fn query(input: &str) -> Parse<'_, Query> {
    expect(Expected::OneOf(&["gameover", "p1turn", "result", "fen"]), one_of_words(&QUERIES)).parse(input)
}

/// `name` and words, perhaps `value` and the rest of the line, which has no blanks at its end.
fn set_option<'a>(line: &'a str, input: &'a str) -> Parse<'a, Command<'a>> {
    (
        preceded(
            expect(Expected::OneOf(&["name"]), keyword("name")),
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

/// The words up to the end of the line.
fn all_words<'a>(line: &'a str, input: &'a str) -> Parse<'a, Vec<Token<'a, String>>> {
    many0(word.map(|word| Token::new(word.to_owned(), word, line.offset(word)))).parse(input)
}

/// One word or more before this keyword or the end of the line, as a token: its value has one blank between the words.
fn words_before<'a>(stop: &'static str, line: &'a str, input: &'a str) -> Parse<'a, Token<'a, String>> {
    let words = verify(words_until(keyword(stop)), |words: &str| !words.is_empty());
    consumed(words).map(|(text, words)| Token::new(words, trim(text), line.offset(text))).parse(input)
}

fn position<'a>(line: &'a str, input: &'a str) -> Parse<'a, PositionCommand<'a>> {
    let moves_or_end = |input| {
        let moves = expect(Expected::OneOf(&["moves"]), keyword("moves"));
        alt((value(Vec::new(), eof), preceded(moves, |input| move_list(line, input)))).parse(input)
    };
    alt((
        preceded(keyword("startpos"), moves_or_end).map(|moves| (Base::Start, moves)),
        preceded(keyword("fen"), (|input| fen(line, input), moves_or_end)),
        preceded(keyword("moves"), |input| move_list(line, input)).map(|moves| (Base::Start, moves)),
        (|input| bare_moves(line, input)).map(|moves| (Base::Start, moves)),
    ))
    .map(|(base, moves)| PositionCommand { base, moves })
    .parse(input)
}

fn fen<'a>(line: &'a str, input: &'a str) -> Parse<'a, Base<'a>> {
    expect(Expected::Fen, |input| words_before("moves", line, input)).map(Base::Fen).parse(input)
}

/// Moves without a keyword before them. If the first word is not a move, a keyword is expected as well.
fn bare_moves<'a>(line: &'a str, input: &'a str) -> Parse<'a, Vec<Token<'a, Move>>> {
    let looks_like_moves = expect(Expected::Position, peek(alt((value((), single_move), value((), digit1)))));
    alt((value(Vec::new(), eof), preceded(looks_like_moves, |input| move_list(line, input)))).parse(input)
}
