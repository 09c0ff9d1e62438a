//! Replies, also those of other engines: malformed parts are skipped if the rest is usable.

use nom::Parser;
use nom::branch::alt;
use nom::combinator::{opt, rest, value, verify};
use nom::sequence::{pair, preceded};

use super::info::info;
use super::lexeme::{Parse, expect, keyword, number, set, trim, word, words_until};
use super::moves::single_move;
use crate::{Expected, Id, Move, OptionDeclaration, OptionKind, Reply, Response};

/// A reply that begins with a keyword, without its line end.
pub(super) fn reply(input: &str) -> Parse<'_, Reply> {
    alt((
        preceded(keyword("info"), |input| Ok(info(input))).map(Reply::Info),
        preceded(keyword("bestmove"), best_move),
        preceded(keyword("option"), option).map(Reply::Option),
        preceded(keyword("id"), id).map(Reply::Id),
        preceded(keyword("response"), response).map(Reply::Response),
        value(Reply::UciOk, keyword("uciok")),
        value(Reply::UgiOk, keyword("ugiok")),
        value(Reply::ReadyOk, keyword("readyok")),
    ))
    .parse(input)
}

fn id(input: &str) -> Parse<'_, Id> {
    let id = alt((
        preceded(keyword("name"), rest).map(|name| Id::Name(trim(name).to_owned())),
        preceded(keyword("author"), rest).map(|author| Id::Author(trim(author).to_owned())),
    ));
    expect(Expected::OneOf(&["name", "author"]), id).parse(input)
}

/// A malformed ponder move is ignored; a malformed best move is an error.
fn best_move(input: &str) -> Parse<'_, Reply> {
    pair(expect(Expected::Move, move_or_none), opt(preceded(keyword("ponder"), opt(move_or_none))))
        .map(|(best, ponder)| Reply::BestMove { best, ponder: ponder.flatten().flatten() })
        .parse(input)
}

/// A move, or one of the words for none.
fn move_or_none(input: &str) -> Parse<'_, Option<Move>> {
    let none = alt((keyword("(none)"), keyword("none"), keyword("0000")));
    alt((value(None, none), single_move.map(Some))).parse(input)
}

fn response(input: &str) -> Parse<'_, Response> {
    let words = Expected::OneOf(&["true", "false", "p1win", "p2win", "draw", "none", "a FEN"]);
    expect(words, verify(rest.map(trim), |text: &str| !text.is_empty()))
        .map(|text: &str| match text {
            "true" => Response::True,
            "false" => Response::False,
            "p1win" => Response::P1Win,
            "p2win" => Response::P2Win,
            "draw" => Response::Draw,
            "none" => Response::None,
            fen => Response::Fen(fen.to_owned()),
        })
        .parse(input)
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

fn option_kind(input: &str) -> Parse<'_, OptionKind> {
    let kind = alt((
        preceded(keyword("check"), check),
        preceded(keyword("spin"), |input| Ok(spin(input))),
        preceded(keyword("combo"), combo),
        value(OptionKind::Button, keyword("button")),
        preceded(keyword("string"), string),
    ));
    expect(Expected::OneOf(&["check", "spin", "combo", "button", "string"]), kind).parse(input)
}

fn check(input: &str) -> Parse<'_, OptionKind> {
    opt(preceded(keyword("default"), word))
        .map(|default| OptionKind::Check {
            default: default.is_some_and(|text| text.eq_ignore_ascii_case("true")),
        })
        .parse(input)
}

fn spin(mut input: &str) -> (&str, OptionKind) {
    let (mut default, mut min, mut max) = (None, None, None);
    while let Ok((rest, name)) = word(input) {
        let clause = match name {
            "default" => set(&mut default, number, rest),
            "min" => set(&mut min, number, rest),
            "max" => set(&mut max, number, rest),
            _ => Ok((rest, ())),
        };
        input = clause.map_or(rest, |(rest, ())| rest);
    }
    let (min, max) = (min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX));
    (input, OptionKind::Spin { default: default.unwrap_or(0.max(min).min(max)), min, max })
}

fn combo(mut input: &str) -> Parse<'_, OptionKind> {
    let (mut default, mut vars) = (None, Vec::new());
    while let Ok((rest, name)) = word(input) {
        let text = words_until(alt((keyword("default"), keyword("var"))));
        (input, ()) = match name {
            "default" => set(&mut default, text, rest)?,
            "var" => text.map(|text| vars.push(text)).parse(rest)?,
            _ => (rest, ()),
        };
    }
    let default = default.or_else(|| vars.first().cloned()).unwrap_or_default();
    Ok((input, OptionKind::Combo { default, vars }))
}

fn string(input: &str) -> Parse<'_, OptionKind> {
    opt(preceded(keyword("default"), rest.map(trim)))
        .map(|default| match default {
            None | Some("<empty>") => String::new(),
            Some(text) => text.to_owned(),
        })
        .map(|default| OptionKind::String { default })
        .parse(input)
}
