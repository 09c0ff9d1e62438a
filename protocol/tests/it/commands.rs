//! Every rule of the grammar of commands, and the exact errors.

use std::time::Duration;

use plumb_protocol::{
    Base, Command, Dialect, Expected, Go, LineError, MAX_WARNINGS, Move, Parsed, PositionCommand, Query,
    Reason, Token, parse_command,
};

fn parsed(line: &str) -> Parsed<'_> {
    match parse_command(line) {
        Ok(Some(parsed)) => parsed,
        other => panic!("{line:?} gives {other:?}"),
    }
}

fn command(line: &str) -> Command<'_> {
    let Parsed { command, warnings } = parsed(line);
    assert_eq!(warnings, [], "{line:?}");
    command
}

fn assert_error(line: &str, token: &str, offset: usize, expected: Expected) {
    let error = parse_command(line).map_err(|error| LineError { move_number: None, ..error });
    assert_eq!(error, Err(LineError::expected(token, offset, expected)), "{line:?}");
}

fn assert_missing(line: &str, expected: Expected) {
    assert_eq!(
        parse_command(line),
        Err(LineError::new(line.trim(), 0, Reason::Missing(expected))),
        "{line:?}"
    );
}

const NAME: Expected = Expected::Word { word: "name", example: "setoption name Hash value 64" };
const MOVES: Expected = Expected::Word { word: "moves", example: "position startpos moves 44" };

fn assert_canonical(lines: &[(&str, &str)]) {
    for (line, canonical) in lines {
        assert_eq!(command(line).to_string(), *canonical, "{line:?}");
        assert_eq!(command(line), command(canonical), "{line:?}");
    }
}

const COUNT: Expected = Expected::Number { min: 0, max: u32::MAX as u64 };

#[test]
fn commands_of_one_word() {
    for (line, expected) in [
        ("uci", Command::Uci),
        ("ugi", Command::Ugi),
        ("isready", Command::IsReady),
        ("ucinewgame", Command::NewGame(Dialect::Uci)),
        ("uginewgame", Command::NewGame(Dialect::Ugi)),
        ("stop", Command::Stop),
        ("ponderhit", Command::PonderHit),
        ("d", Command::Display),
        ("eval", Command::Eval),
        ("wait", Command::Wait),
        ("help", Command::Help),
        ("quit", Command::Quit),
    ] {
        assert_eq!(command(line), expected);
        assert_eq!(expected.to_string(), line);
        let padded = format!(" \t{line}  and more\r\n");
        assert_eq!(command(&padded), expected);
    }
    assert_eq!(command("display"), Command::Display);
    assert_eq!(command("\u{feff}uci"), Command::Uci);
    assert_eq!(parse_command("\u{feff}\r\n"), Ok(None));
    assert_error("\u{feff}joho", "joho", 3, Expected::Command);
}

#[test]
fn debug_is_on_or_off() {
    assert_canonical(&[("debug on", "debug on"), ("debug off now", "debug off")]);
    assert_eq!(command("debug on"), Command::Debug(true));
    let expected = Expected::OneOf(&["on", "off"]);
    assert_missing("debug", expected);
    assert_missing("debug \r\n", expected);
    assert_error("debug joho on", "joho", 6, expected);
    assert_error("debug onward", "onward", 6, expected);
}

#[test]
fn queries() {
    for (line, query) in [
        ("query gameover", Query::GameOver),
        ("query p1turn", Query::P1Turn),
        ("query result", Query::Result),
        ("query fen", Query::Fen),
    ] {
        assert_eq!(command(line), Command::Query(query));
        assert_eq!(Command::Query(query).to_string(), line);
    }
    let expected = Expected::OneOf(&["gameover", "p1turn", "result", "fen"]);
    assert_missing("query", expected);
    assert_error("query p2turn", "p2turn", 6, expected);
}

#[test]
fn perft_needs_a_depth() {
    assert_canonical(&[("perft 5", "perft 5"), ("go perft 5", "perft 5"), ("go depth 3 perft 0", "perft 0")]);
    assert_missing("perft", Expected::PerftDepth);
    assert_error("perft deep", "deep", 6, Expected::PerftDepth);
    assert_error("perft 4294967296", "4294967296", 6, Expected::PerftDepth);
    assert_missing("go perft", Expected::PerftDepth);
    assert_error("go perft -1", "-1", 9, Expected::PerftDepth);
}

#[test]
fn words_after_bench_are_located() {
    assert_canonical(&[
        ("bench", "bench"),
        ("joho bench  64 \t 1\r\n", "bench 64 1"),
        ("bench a -b é", "bench a -b é"),
    ]);
    let Command::Bench(words) = command(" bench  64 x") else { panic!("no benchmark") };
    assert_eq!(words.iter().map(|word| (word.text, word.offset)).collect::<Vec<_>>(), [("64", 8), ("x", 11)]);
}

#[test]
fn blank_lines_are_nothing() {
    for line in ["", " ", "\t \t", "\r", "\n", " \r\n"] {
        assert_eq!(parse_command(line), Ok(None), "{line:?}");
    }
}

#[test]
fn unknown_words_before_a_command_are_skipped() {
    assert_canonical(&[
        ("joho debug on", "debug on"),
        ("  joho \t hoho\tisready", "isready"),
        ("joho position 44", "position startpos moves 4 4"),
        ("GO go depth 1", "go depth 1"),
        ("ucix uci", "uci"),
    ]);
    assert_missing("joho debug", Expected::OneOf(&["on", "off"]));
    assert_error("joho position 4 x9y", "x9y", 16, Expected::Move);
}

#[test]
fn lines_without_a_command_are_named_by_their_first_word() {
    assert_error("joho", "joho", 0, Expected::Command);
    assert_error("  ucii hoho\r\n", "ucii", 2, Expected::Command);
    assert_error("GO", "GO", 0, Expected::Command);
    assert_error("4455", "4455", 0, Expected::Command);
    assert_error("positoin startpos moves d", "positoin", 0, Expected::Command);
    assert_error("joho d", "joho", 0, Expected::Command);
}

#[test]
fn options_keep_their_case_and_their_blanks() {
    let token = |text: &'static str| Token::from(text.to_owned());
    for (line, name, value) in [
        ("setoption name Hash value 64", "Hash", Some("64")),
        ("setoption  name  Clear \t Hash", "Clear Hash", None),
        ("setoption name clear hash value true", "clear hash", Some("true")),
        ("setoption name Debug Log File value  /a  b\tc.txt \r\n", "Debug Log File", Some("/a  b\tc.txt")),
        ("setoption name A value one value two", "A", Some("one value two")),
        ("setoption name name value name", "name", Some("name")),
        ("setoption name Debug Log File value", "Debug Log File", Some("")),
        ("setoption name Values value", "Values", Some("")),
        ("setoption name Über Größe value ∞", "Über Größe", Some("∞")),
    ] {
        let expected = Command::SetOption { name: token(name), value: value.map(token) };
        assert_eq!(command(line), expected, "{line:?}");
    }
}

#[test]
fn options_are_located() {
    let line = " setoption  name Move  Overhead value  50";
    let Command::SetOption { name, value } = command(line) else { panic!("not an option") };
    assert_eq!((name.offset, value.as_ref().map(|value| value.offset)), (17, Some(39)));
    assert_eq!((name.text, value.map(|value| value.text)), ("Move  Overhead", Some("50")));
}

#[test]
fn options_need_a_name() {
    assert_missing("setoption", NAME);
    assert_error("setoption Hash value 5", "Hash", 10, NAME);
    assert_missing("setoption name", Expected::OptionName);
    assert_error("setoption name value 5", "value", 15, Expected::OptionName);
}

#[test]
fn positions_with_and_without_moves() {
    assert_canonical(&[
        ("position", "position startpos"),
        ("position startpos", "position startpos"),
        ("position startpos moves ", "position startpos"),
        ("position moves", "position startpos"),
        ("position\tstartpos  moves\tP@d1 p@d2 @c1 c2 E 5", "position startpos moves P@d1 P@d2 P@c1 c2 e 5"),
        ("position moves 12", "position startpos moves 1 2"),
        ("position 4433", "position startpos moves 4 4 3 3"),
        ("position 44 d3 33\r", "position startpos moves 4 4 d3 3 3"),
        ("position d d c", "position startpos moves d d c"),
        ("position fen 7/7/7/7/7/7  w\t- -", "position fen 7/7/7/7/7/7 w - -"),
        ("position fen x moves", "position fen x"),
        ("position fen x fen y moves 4", "position fen x fen y moves 4"),
        ("moves", "moves"),
        ("moves 44 c", "moves 4 4 c"),
    ]);
    assert_eq!(command("position"), Command::Position(PositionCommand::default()));
}

#[test]
fn positions_are_located() {
    let line = " position  fen  a \t b moves 43 p@D1";
    let Command::Position(position) = command(line) else { panic!("no position") };
    let Base::Fen(fen) = position.base else { panic!("no FEN") };
    assert_eq!((fen.value.as_str(), fen.text, fen.offset), ("a b", "a \t b", 16));
    let moves: Vec<_> = position.moves.iter().map(|m| (m.text, m.offset)).collect();
    assert_eq!(moves, [("4", 28), ("3", 29), ("p@D1", 31)]);
}

#[test]
fn bad_positions_are_errors_that_name_the_word() {
    assert_error("moves e2e4", "e2e4", 6, Expected::Move);
    assert_error("moves 44x5", "44x5", 6, Expected::Move);
    assert_error("moves ä d0", "ä", 6, Expected::Move);
    assert_error("moves 4 0", "0", 8, Expected::ColumnDigit);
    assert_error("moves 4450", "0", 9, Expected::ColumnDigit);
    assert_error("position startpos moves P@d1 d0", "d0", 29, Expected::Move);
    assert_error("position startpos moves d moves d", "moves", 26, Expected::Move);
    assert_error("position startpos e2e4", "e2e4", 18, MOVES);
    assert_error("position start", "start", 9, Expected::Position);
    assert_error("position e2e4 e7e5", "e2e4", 9, Expected::Position);
    assert_error("position d e2e4", "e2e4", 11, Expected::Move);
    assert_error("position 40", "0", 10, Expected::ColumnDigit);
    assert_missing("position fen", Expected::Fen);
    assert_error("position fen moves 4", "moves", 13, Expected::Fen);
    assert_error("position fen x moves 4 ö", "ö", 23, Expected::Move);
    for (line, number) in [
        ("moves 4 0", Some(2)),
        ("position 44 4450", Some(6)),
        ("position d e2e4", Some(2)),
        ("go perft", None),
    ] {
        assert_eq!(parse_command(line).expect_err(line).move_number, number, "{line}");
    }
}

#[test]
fn every_limit_of_go() {
    let ms = Duration::from_millis;
    let expected = Go {
        search_moves: ["d", "P@e1", "4"].map(|text| Token::from(text.parse::<Move>().expect(text))).into(),
        ponder: true,
        infinite: true,
        time: [Some(ms(1)), Some(ms(2))],
        increment: [Some(ms(3)), Some(ms(4))],
        moves_to_go: Some(5),
        depth: Some(6),
        nodes: Some(u64::MAX),
        mate: Some(8),
        move_time: Some(ms(9)),
    };
    let line = "go searchmoves d P@e1 4 ponder wtime 1 btime 2 winc 3 binc 4 movestogo 5 depth 6 \
                nodes 18446744073709551615 mate 8 movetime 9 infinite";
    assert_eq!(command(line), Command::Go(expected.clone()));
    assert_eq!(expected.to_string(), line);
    // Another order, the clock words of UGI, and unknown words between the clauses.
    let line = "go infinite movetime 9 mate 8 by nodes 18446744073709551615 all depth 6 movestogo 5 p2inc 4 p1inc 3 \
                p2time 2 means 7 p1time 1 ponder searchmoves d P@e1 4";
    let Parsed { command: found, warnings } = parsed(line);
    assert_eq!(found, Command::Go(expected));
    assert_eq!(warnings.len(), 3, "{warnings:?}");
    assert_eq!(command("go"), Command::Go(Go::default()));
}

#[test]
fn the_last_of_two_clauses_holds_and_search_moves_end_at_the_next() {
    assert_canonical(&[
        ("go depth 3 depth 4", "go depth 4"),
        ("go wtime 3 p1time 4", "go wtime 4"),
        ("go searchmoves d ponder searchmoves e", "go searchmoves e ponder"),
        ("go searchmoves", "go"),
        ("go searchmoves depth 3", "go depth 3"),
        ("go searchmoves 44 d1 depth 3", "go searchmoves 4 4 d1 depth 3"),
    ]);
    let Command::Go(go) = command("go  searchmoves 43 c") else { panic!("not a go") };
    assert_eq!(go.search_moves.iter().map(|m| m.offset).collect::<Vec<_>>(), [16, 17, 19]);
}

#[test]
fn a_malformed_limit_is_dropped_alone() {
    let nodes = Expected::Number { min: 0, max: u64::MAX };
    for (line, canonical, token, offset, expected) in [
        ("go depth x nodes 5", "go nodes 5", "depth x", 3, COUNT),
        ("go depth 1e3", "go", "depth 1e3", 3, COUNT),
        ("go depth -1", "go", "depth -1", 3, COUNT),
        ("go depth 4294967296", "go", "depth 4294967296", 3, COUNT),
        ("go depth 5 depth x", "go depth 5", "depth x", 11, COUNT),
        ("go mate movetime 100", "go movetime 100", "mate movetime", 3, COUNT),
        ("go movestogo 1.5 wtime 9", "go wtime 9", "movestogo 1.5", 3, COUNT),
        ("go nodes 18446744073709551616", "go", "nodes 18446744073709551616", 3, nodes),
        ("go wtime 9223372036854775808", "go", "wtime 9223372036854775808", 3, Expected::Milliseconds),
        ("go movetime abc", "go", "movetime abc", 3, Expected::Milliseconds),
        ("go binc infinite", "go infinite", "binc infinite", 3, Expected::Milliseconds),
        ("go searchmoves d e2e4 c", "go searchmoves d c", "e2e4", 17, Expected::Move),
        ("go searchmoves d searchmoves e2e4", "go searchmoves d", "e2e4", 29, Expected::Move),
        ("go searchmoves 430 c depth 1", "go searchmoves c depth 1", "0", 17, Expected::ColumnDigit),
    ] {
        let Parsed { command, warnings } = parsed(line);
        assert_eq!(command.to_string(), canonical, "{line:?}");
        assert_eq!(warnings, [LineError::expected(token, offset, expected)], "{line:?}");
    }
}

fn messages(line: &str) -> Vec<String> {
    parsed(line).warnings.iter().map(ToString::to_string).collect()
}

#[test]
fn words_that_are_no_limit_are_named_once() {
    const NEGATIVE: &str = "a negative time counts as 0";
    const FRACTION: &str = "a time is a whole number of milliseconds: the fraction is left out";
    for (line, canonical, place, reason) in [
        ("go dpeth 3", "go", "`dpeth`", "no such limit; did you mean `depth`?"),
        ("go nods 20 mate 5", "go mate 5", "`nods`", "no such limit; did you mean `nodes`?"),
        ("go depth 3 fast", "go depth 3", "`fast`", "no such limit"),
        ("go Depth 3", "go", "`Depth`", "no such limit; did you mean `depth`?"),
        ("go 3", "go", "`3`", "no such limit; did you mean `depth 3` or `movetime 3`?"),
        (
            "go searchmoves d dpeth 12 movetime 1",
            "go searchmoves d movetime 1",
            "`dpeth`",
            "no such limit; did you mean `depth`?",
        ),
        ("go infinity 1", "go", "`infinity`", "no such limit; did you mean `infinite`?"),
        ("go wtime 5 winc -5", "go wtime 5 winc 0", "`winc -5`", NEGATIVE),
        ("go movetime -9223372036854775808", "go movetime 0", "`movetime -9223372036854775808`", NEGATIVE),
        ("go movetime 100.7 depth 3", "go depth 3 movetime 100", "`movetime 100.7`", FRACTION),
        ("go wtime 300. btime 5", "go wtime 300 btime 5", "`wtime 300.`", FRACTION),
        ("go movetime -0.5", "go movetime 0", "`movetime -0.5`", FRACTION),
    ] {
        assert_eq!(parsed(line).command.to_string(), canonical, "{line:?}");
        assert_eq!(messages(line), [format!("{place}: {reason}")], "{line:?}");
    }
    for (line, canonical, word) in [("go depth", "go", "depth"), ("go nodes 5 mate", "go nodes 5", "mate")] {
        assert_eq!(parsed(line).command.to_string(), canonical, "{line:?}");
        assert_eq!(messages(line), [format!("`{word}` needs a number")], "{line:?}");
    }
    assert_eq!(messages("go a 1 2 b").len(), 3, "a number after a number belongs to nothing");
    assert_eq!(messages("go depth x y").len(), 2);
    assert_eq!(messages("go searchmoves d depth 3 c").len(), 1, "the list of moves has ended");
}

#[test]
fn warnings_are_limited() {
    let line = format!("go searchmoves {} depth 3", "e2e4 ".repeat(1000));
    let Parsed { command, warnings } = parsed(&line);
    assert_eq!(command.to_string(), "go depth 3");
    assert_eq!(warnings.len(), MAX_WARNINGS);
}
