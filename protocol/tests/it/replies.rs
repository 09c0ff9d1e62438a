//! Values of replies. The table `tests/lines.tsv` has the other rules, the oddities of other engines, and the errors.

use std::time::Duration;

use plumb_protocol::{
    Bound, Dialect, Info, Move, OptionDeclaration, OptionKind, Reply, Response, Score, ScoreReport,
    parse_reply,
};

fn reply(line: &str) -> Reply {
    parse_reply(line).unwrap_or_else(|error| panic!("{line:?}: {error}"))
}

fn a_move(text: &str) -> Move {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_best_move_and_a_ponder_move() {
    let expected = Reply::BestMove { best: Some(a_move("P@d1")), ponder: Some(a_move("4")) };
    assert_eq!(reply("bestmove P@d1 ponder 4"), expected);
    assert_eq!(reply("bestmove 0000 ponder 0000"), Reply::BestMove { best: None, ponder: None });
}

#[test]
fn responses() {
    for (line, response) in [
        ("response true", Response::True),
        ("response false", Response::False),
        ("response p1win", Response::P1Win),
        ("response p2win", Response::P2Win),
        ("response draw", Response::Draw),
        ("response none", Response::None),
        ("response 7/7/7/7/7/7 w - - 0 1 ", Response::Fen("7/7/7/7/7/7 w - - 0 1".to_owned())),
    ] {
        assert_eq!(reply(line), Reply::Response(response), "{line:?}");
    }
    assert_eq!([Response::from(true), Response::from(false)], [Response::True, Response::False]);
}

#[test]
fn every_field_of_info() {
    let line = "info depth 1 seldepth 2 multipv 3 score cp -4 lowerbound wdl 5 6 7 nodes 8 nps 9 hashfull 10 tbhits 11 \
                time 12 pv P@d1 P@d2 string  as it  stands ";
    let expected = Info {
        depth: Some(1),
        sel_depth: Some(2),
        multi_pv: Some(3),
        score: Some(ScoreReport { score: Score::Cp(-4), bound: Some(Bound::Lower) }),
        wdl: Some([5, 6, 7]),
        nodes: Some(8),
        nps: Some(9),
        hash_full: Some(10),
        tb_hits: Some(11),
        time: Some(Duration::from_millis(12)),
        pv: ["P@d1", "P@d2"].map(a_move).into(),
        string: Some(" as it  stands ".to_owned()),
    };
    assert_eq!(expected.to_string(), line);
    assert_eq!(reply(line), Reply::Info(expected));
    assert_eq!(reply("info"), Reply::Info(Info::default()));
}

#[test]
fn kinds_of_options() {
    let spin = OptionKind::Spin { default: 1, min: -3, max: 9 };
    let combo = OptionKind::Combo { default: "a b".to_owned(), vars: vec!["a b".to_owned(), "c".to_owned()] };
    for (text, kind) in [
        ("check default true", OptionKind::Check { default: true }),
        ("spin default 1 min -3 max 9", spin),
        ("combo default a b var a b var c", combo),
        ("button", OptionKind::Button),
        ("string default <empty>", OptionKind::String { default: String::new() }),
    ] {
        let option = OptionDeclaration { name: "Some Name".to_owned(), kind };
        assert_eq!(reply(&format!("option name Some Name type {text}")), Reply::Option(option));
    }
}

#[test]
fn dialects_are_read_by_the_names_that_they_print() {
    for (name, dialect) in [("uci", Dialect::Uci), ("ugi", Dialect::Ugi)] {
        assert_eq!((name.parse(), dialect.to_string()), (Ok(dialect), name.to_owned()));
    }
    assert_eq!("xboard".parse::<Dialect>(), Err("`xboard`: expected uci or ugi".to_owned()));
}
