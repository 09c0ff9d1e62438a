//! Commands.

use nom::branch::alt;
use nom::character::complete::digit1;
use nom::combinator::{eof, opt, peek, rest, value, verify};
use nom::sequence::preceded;
use nom::{Offset, Parser};

use super::Parsed;
use super::go::{COUNT, go};
use super::lexeme::{Parse, expect, keyword, number, words_until};
use super::moves::{move_list, single_move};
use crate::{Base, Command, Dialect, Expected, Located, Move, PositionCommand, Query};

/// A command at the beginning of the line. `moves` and `d` count only here: further on they are a part of another
/// command, and a mistyped `positoin startpos moves d` must neither play a move nor draw a board.
pub(super) fn first_command<'a>(line: &'a str, input: &'a str) -> Parse<'a, Parsed> {
    let only_first = alt((
        preceded(keyword("moves"), |input| move_list(line, input)).map(Command::Moves),
        value(Command::Display, keyword("d")),
    ));
    alt((only_first.map(without_warnings), |input| command(line, input))).parse(input)
}

/// A command at the beginning of the input, which is the rest of the line.
pub(super) fn command<'a>(line: &'a str, input: &'a str) -> Parse<'a, Parsed> {
    alt((
        preceded(keyword("go"), |input| go(line, input)),
        alt((
            preceded(keyword("position"), |input| position(line, input)).map(Command::Position),
            preceded(keyword("setoption"), |input| set_option(line, input)),
            preceded(keyword("debug"), on_or_off).map(Command::Debug),
            preceded(keyword("query"), query).map(Command::Query),
            preceded(keyword("perft"), expect(COUNT, number)).map(Command::Perft),
            single_word,
        ))
        .map(without_warnings),
    ))
    .parse(input)
}

/// Only `go` warns.
fn without_warnings(command: Command) -> Parsed {
    Parsed { command, warnings: Vec::new() }
}

/// A command that is one word; more words after it are skipped.
fn single_word(input: &str) -> Parse<'_, Command> {
    alt((
        value(Command::Uci, keyword("uci")),
        value(Command::Ugi, keyword("ugi")),
        value(Command::IsReady, keyword("isready")),
        value(Command::NewGame(Dialect::Uci), keyword("ucinewgame")),
        value(Command::NewGame(Dialect::Ugi), keyword("uginewgame")),
        value(Command::Stop, keyword("stop")),
        value(Command::PonderHit, keyword("ponderhit")),
        value(Command::Display, keyword("display")),
        value(Command::Eval, keyword("eval")),
        value(Command::Bench, keyword("bench")),
        value(Command::Wait, keyword("wait")),
        value(Command::Help, keyword("help")),
        value(Command::Quit, keyword("quit")),
    ))
    .parse(input)
}

fn on_or_off(input: &str) -> Parse<'_, bool> {
    let state = alt((value(true, keyword("on")), value(false, keyword("off"))));
    expect(Expected::OneOf(&["on", "off"]), state).parse(input)
}

fn query(input: &str) -> Parse<'_, Query> {
    let query = alt((
        value(Query::GameOver, keyword("gameover")),
        value(Query::P1Turn, keyword("p1turn")),
        value(Query::Result, keyword("result")),
        value(Query::Fen, keyword("fen")),
    ));
    expect(Expected::OneOf(&["gameover", "p1turn", "result", "fen"]), query).parse(input)
}

/// `name` and words, perhaps `value` and the rest of the line. The line is already trimmed at its end.
fn set_option<'a>(line: &'a str, input: &'a str) -> Parse<'a, Command> {
    let located = |at: &'a str| line.offset(at);
    (
        preceded(expect(Expected::OneOf(&["name"]), keyword("name")), peek(rest).map(located)),
        expect(Expected::OptionName, verify(words_until(keyword("value")), |name: &str| !name.is_empty())),
        opt(preceded(keyword("value"), rest)),
    )
        .map(|(offset, name, value)| Command::SetOption {
            name: Located::new(name, offset),
            value: value.map(|text: &str| Located::new(text.to_owned(), located(text))),
        })
        .parse(input)
}

fn position<'a>(line: &'a str, input: &'a str) -> Parse<'a, PositionCommand> {
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

fn fen<'a>(line: &'a str, input: &'a str) -> Parse<'a, Base> {
    let words = verify(words_until(keyword("moves")), |fen: &str| !fen.is_empty());
    expect(Expected::Fen, words).map(|fen| Base::Fen(Located::new(fen, line.offset(input)))).parse(input)
}

/// Moves without any keyword before them. Where not even the first word is one, a keyword would have fitted too.
fn bare_moves<'a>(line: &'a str, input: &'a str) -> Parse<'a, Vec<Located<Move>>> {
    let looks_like_moves = expect(Expected::Position, peek(alt((value((), single_move), value((), digit1)))));
    alt((value(Vec::new(), eof), preceded(looks_like_moves, |input| move_list(line, input)))).parse(input)
}
