//! The fields of `info`, in any order.

use nom::Parser;
use nom::branch::alt;
use nom::combinator::{opt, value};
use nom::sequence::preceded;

use super::lexeme::{Parse, is_blank, keyword, milliseconds, number, set, word};
use super::moves::{push_moves, single_move};
use crate::{Bound, Info, Move, Score, ScoreReport};

/// The fields after the word `info`. An unknown word is skipped, and so is the name of a field whose value is malformed.
pub(super) fn info(mut input: &str) -> (&str, Info) {
    let mut info = Info::default();
    while let Ok((rest, name)) = word(input) {
        if let Some(text) = input.strip_prefix("string").filter(|_| name == "string") {
            // The rest of the line after one blank, verbatim.
            info.string = Some(text.strip_prefix(is_blank).unwrap_or(text).to_owned());
            return ("", info);
        }
        input = field(&mut info, name, rest).map_or(rest, |(rest, ())| rest);
    }
    (input, info)
}

fn field<'a>(info: &mut Info, name: &str, input: &'a str) -> Parse<'a, ()> {
    match name {
        "depth" => set(&mut info.depth, number, input),
        "seldepth" => set(&mut info.sel_depth, number, input),
        "multipv" => set(&mut info.multi_pv, number, input),
        "score" => set(&mut info.score, score, input),
        "wdl" => set(&mut info.wdl, (number, number, number).map(<[u16; 3]>::from), input),
        "nodes" => set(&mut info.nodes, number, input),
        "nps" => set(&mut info.nps, number, input),
        "hashfull" => set(&mut info.hash_full, number, input),
        "tbhits" => set(&mut info.tb_hits, number, input),
        "time" => set(&mut info.time, milliseconds.map(|(time, _)| time), input),
        "currmove" => set(&mut info.cur_move, single_move, input),
        "currmovenumber" => set(&mut info.cur_move_number, number, input),
        "pv" => {
            let (rest, moves) = pv(input);
            info.pv = moves;
            Ok((rest, ()))
        }
        _ => Ok((input, ())),
    }
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
