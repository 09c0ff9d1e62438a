//! Every rule of the grammar of replies, with the oddities of other engines.

use std::time::Duration;

use plumb_protocol::{
    Bound, Expected, Info, LineError, Move, OptionDeclaration, OptionKind, Reason, Reply, Response, Score,
    ScoreReport, parse_reply,
};

fn reply(line: &str) -> Reply {
    parse_reply(line).unwrap_or_else(|error| panic!("{line:?}: {error}"))
}

fn info(line: &str) -> Info {
    match reply(line) {
        Reply::Info(info) => info,
        other => panic!("{line:?} gives {other:?}"),
    }
}

fn a_move(text: &str) -> Move {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

fn assert_error(line: &str, token: &str, offset: usize, expected: Expected) {
    assert_eq!(parse_reply(line), Err(LineError::expected(token, offset, expected)), "{line:?}");
}

fn assert_missing(line: &str, expected: Expected) {
    assert_eq!(parse_reply(line), Err(LineError::new(line.trim(), 0, Reason::Missing(expected))), "{line:?}");
}

#[test]
fn handshakes() {
    for (line, expected) in [
        ("uciok", Reply::UciOk),
        ("ugiok", Reply::UgiOk),
        (" readyok \r\n", Reply::ReadyOk),
        ("\u{feff}uciok", Reply::UciOk),
        ("id name Some Engine  2.1 ", Reply::Name("Some Engine  2.1".to_owned())),
        ("id author A. Nyone", Reply::Author("A. Nyone".to_owned())),
        ("id name", Reply::Name(String::new())),
    ] {
        assert_eq!(reply(line), expected, "{line:?}");
    }
    assert_missing("id", Expected::OneOf(&["name", "author"]));
    assert_error("id number 7", "number", 3, Expected::OneOf(&["name", "author"]));
}

#[test]
fn other_lines_are_text_as_they_stand() {
    for line in ["", "  | . . X . |  ", "uciokay", "Info: ready", "\tuciOK", "bestmoves d", "a  b"] {
        assert_eq!(reply(line), Reply::Text(line.to_owned()));
        assert_eq!(reply(&format!("{line}\r\n")), Reply::Text(line.to_owned()));
    }
}

#[test]
fn best_moves() {
    for (line, best, ponder) in [
        ("bestmove P@d1", Some("P@d1"), None),
        ("bestmove P@d1 ponder P@d2", Some("P@d1"), Some("P@d2")),
        ("bestmove d ponder 4", Some("d"), Some("4")),
        ("bestmove (none)", None, None),
        ("bestmove none", None, None),
        ("bestmove 0000 ponder 0000", None, None),
        ("bestmove d1 ponder (none)", Some("d1"), None),
        ("bestmove d ponder e2e4", Some("d"), None),
        ("bestmove d ponder", Some("d"), None),
        ("bestmove d because it wins", Some("d"), None),
    ] {
        let expected = Reply::BestMove { best: best.map(a_move), ponder: ponder.map(a_move) };
        assert_eq!(reply(line), expected, "{line:?}");
    }
    assert_eq!(Reply::BestMove { best: None, ponder: None }.to_string(), "bestmove (none)");
    assert_missing("bestmove", Expected::Move);
    assert_error("bestmove e2e4", "e2e4", 9, Expected::Move);
    assert_error("  bestmove 44\n", "44", 11, Expected::Move);
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
    let words = &["true", "false", "p1win", "p2win", "draw", "none", "a FEN"];
    assert_missing("response ", Expected::OneOf(words));
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
    assert_eq!(info(line), expected);
    assert_eq!(expected.to_string(), line);
    assert_eq!(info("info"), Info::default());
}

#[test]
fn scores() {
    let exact = |score| ScoreReport::from(score);
    for (text, expected) in [
        ("cp 0", exact(Score::Cp(0))),
        ("cp +31", exact(Score::Cp(31))),
        ("mate -3", exact(Score::Mate(-3))),
        ("mate -0", exact(Score::Mate(0))),
        ("mate 2 upperbound", ScoreReport { score: Score::Mate(2), bound: Some(Bound::Upper) }),
        ("lowerbound cp 5", ScoreReport { score: Score::Cp(5), bound: Some(Bound::Lower) }),
    ] {
        assert_eq!(info(&format!("info score {text} depth 2")).score, Some(expected), "{text}");
    }
}

#[test]
fn unknown_and_unreadable_fields_are_skipped() {
    for (line, canonical) in [
        ("info depth deep nodes 5", "info nodes 5"),
        ("info depth nodes 5", "info nodes 5"),
        ("info cpuload 30 refutation d1 d2 depth 4", "info depth 4"),
        ("info score 12 depth 3", "info depth 3"),
        ("info score cp 1.5 nps 1e9 depth 3", "info depth 3"),
        ("info wdl 1 2 depth 3", "info depth 3"),
        ("info hashfull 12.3% time -5", "info time 0"),
        ("info pv d e x9y f time 3", "info time 3 pv d e"),
        ("info pv 4455 depth 2", "info depth 2 pv 4 4 5 5"),
        ("info pv depth 2", "info depth 2"),
        ("info depth 2 string", "info depth 2 string"),
        ("info string depth 2", "info string depth 2"),
        ("info string   a\t b \r\n", "info string   a\t b "),
        ("info string", "info string"),
        ("info strings depth 2", "info depth 2"),
    ] {
        assert_eq!(info(line).to_string(), canonical, "{line:?}");
    }
}

#[test]
fn option_declarations() {
    for line in [
        "option name Ponder type check default false",
        "option name Hash type spin default 64 min 1 max 1024",
        "option name UCI_Variant type combo default cfour var cfour",
        "option name Style type combo default Very Solid var Very Solid var Wild",
        "option name Clear Hash type button",
        "option name Debug Log File type string default <empty>",
        "option name Book type string default /my  books/a.bin",
    ] {
        assert!(matches!(reply(line), Reply::Option(option) if option.to_string() == line), "{line}");
    }
}

#[test]
fn odd_option_declarations() {
    let spin = |default, min, max| OptionKind::Spin { default, min, max };
    let combo = |default: &str, vars: &[&str]| OptionKind::Combo {
        default: default.to_owned(),
        vars: vars.iter().map(|&var| var.to_owned()).collect(),
    };
    for (text, kind) in [
        ("check", OptionKind::Check { default: false }),
        ("check default True", OptionKind::Check { default: true }),
        ("spin max 9 min -3 step 2 default 1", spin(1, -3, 9)),
        ("spin", spin(0, i64::MIN, i64::MAX)),
        ("spin min 5", spin(5, 5, i64::MAX)),
        ("spin default 3 min 1 max 18446744073709551615", spin(3, 1, i64::MAX)),
        ("spin min 9 max 1", spin(1, 9, 1)),
        ("combo var a b var c default c", combo("c", &["a b", "c"])),
        ("combo var a var b", combo("a", &["a", "b"])),
        ("combo", combo("", &[])),
        ("string", OptionKind::String { default: String::new() }),
        ("string default", OptionKind::String { default: String::new() }),
        ("button default true", OptionKind::Button),
    ] {
        let line = format!("option name  Some \t Name type {text}");
        let option = OptionDeclaration { name: "Some Name".to_owned(), kind };
        assert_eq!(reply(&line), Reply::Option(option), "{line:?}");
    }
}

#[test]
fn bad_option_declarations() {
    assert_missing("option", Expected::OneOf(&["name"]));
    assert_error("option Hash", "Hash", 7, Expected::OneOf(&["name"]));
    assert_error("option name type spin", "type", 12, Expected::OptionName);
    assert_missing("option name Hash", Expected::OneOf(&["type"]));
    let kinds = &["check", "spin", "combo", "button", "string"];
    assert_error("option name Hash type slider", "slider", 22, Expected::OneOf(kinds));
}
