//! The fields of `info`, in any order.

use std::time::Duration;

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::character::complete::one_of;
use nom::combinator::{eof, opt, rest, value};
use nom::multi::fold_many0;
use nom::sequence::preceded;

use super::lexeme::{BLANKS, Parse, keyword, milliseconds, number, word};
use super::moves::{push_moves, single_move};
use crate::{Bound, Info, Move, Score, ScoreReport};

/// One field.
enum Field<'a> {
    Depth(u32),
    SelDepth(u32),
    MultiPv(u32),
    Score(ScoreReport),
    Wdl([u16; 3]),
    Nodes(u64),
    Nps(u64),
    HashFull(u32),
    TbHits(u64),
    Time(Duration),
    CurMove(Move),
    CurMoveNumber(u32),
    Pv(Vec<Move>),
    String(&'a str),
    /// An unknown word, or the name of a field whose value is malformed.
    Unknown,
}

/// The fields after the word `info`.
pub(super) fn info(input: &str) -> Parse<'_, Info> {
    fold_many0(field, Info::default, with).parse(input)
}

fn field(input: &str) -> Parse<'_, Field<'_>> {
    alt((
        preceded(keyword("depth"), number).map(Field::Depth),
        preceded(keyword("seldepth"), number).map(Field::SelDepth),
        preceded(keyword("multipv"), number).map(Field::MultiPv),
        preceded(keyword("score"), score).map(Field::Score),
        preceded(keyword("wdl"), (number, number, number))
            .map(|(win, draw, loss)| Field::Wdl([win, draw, loss])),
        preceded(keyword("nodes"), number).map(Field::Nodes),
        preceded(keyword("nps"), number).map(Field::Nps),
        preceded(keyword("hashfull"), number).map(Field::HashFull),
        preceded(keyword("tbhits"), number).map(Field::TbHits),
        preceded(keyword("time"), milliseconds).map(|(time, _)| Field::Time(time)),
        preceded(keyword("currmove"), single_move).map(Field::CurMove),
        preceded(keyword("currmovenumber"), number).map(Field::CurMoveNumber),
        preceded(keyword("pv"), |input| Ok(pv(input))).map(Field::Pv),
        string.map(Field::String),
        word.map(|_| Field::Unknown),
    ))
    .parse(input)
}

fn with(mut info: Info, field: Field<'_>) -> Info {
    match field {
        Field::Depth(plies) => info.depth = Some(plies),
        Field::SelDepth(plies) => info.sel_depth = Some(plies),
        Field::MultiPv(number) => info.multi_pv = Some(number),
        Field::Score(score) => info.score = Some(score),
        Field::Wdl(chances) => info.wdl = Some(chances),
        Field::Nodes(nodes) => info.nodes = Some(nodes),
        Field::Nps(nodes) => info.nps = Some(nodes),
        Field::HashFull(share) => info.hash_full = Some(share),
        Field::TbHits(hits) => info.tb_hits = Some(hits),
        Field::Time(time) => info.time = Some(time),
        Field::CurMove(m) => info.cur_move = Some(m),
        Field::CurMoveNumber(number) => info.cur_move_number = Some(number),
        Field::Pv(moves) => info.pv = moves,
        Field::String(text) => info.string = Some(text.to_owned()),
        Field::Unknown => {}
    }
    info
}

/// Some engines put the bound before the value.
fn score(input: &str) -> Parse<'_, ScoreReport> {
    let value = alt((
        preceded(keyword("cp"), number).map(Score::Cp),
        preceded(keyword("mate"), number).map(Score::Mate),
    ));
    (opt(bound), value, opt(bound))
        .map(|(before, score, after)| ScoreReport { score, bound: after.or(before) })
        .parse(input)
}

fn bound(input: &str) -> Parse<'_, Bound> {
    alt((value(Bound::Lower, keyword("lowerbound")), value(Bound::Upper, keyword("upperbound")))).parse(input)
}

/// Moves up to the first word that is not a move, and the rest of the line.
fn pv(mut input: &str) -> (&str, Vec<Move>) {
    let line = input;
    let mut moves = Vec::new();
    while let Ok((rest, text)) = word(input) {
        if push_moves(line, text, &mut moves).is_err() {
            break;
        }
        input = rest;
    }
    (input, moves.into_iter().map(|m| m.value).collect())
}

/// The rest of the line after one blank, verbatim.
fn string(input: &str) -> Parse<'_, &str> {
    preceded(tag("string"), alt((eof, preceded(one_of(BLANKS), rest)))).parse(input)
}
