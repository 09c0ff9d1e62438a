//! Values of commands, and the places of their tokens. The table `tests/lines.tsv` has the other rules and the errors.

use std::time::Duration;

use plumb_protocol::{
    Base, Command, Dialect, Go, MAX_WARNINGS, Move, Parsed, PositionCommand, Query, Token, parse_command,
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

#[test]
fn commands_of_fixed_words() {
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
        ("debug on", Command::Debug(true)),
        ("debug off", Command::Debug(false)),
        ("query gameover", Command::Query(Query::GameOver)),
        ("query p1turn", Command::Query(Query::P1Turn)),
        ("query result", Command::Query(Query::Result)),
        ("query fen", Command::Query(Query::Fen)),
        ("perft 5", Command::Perft(5)),
    ] {
        assert_eq!(command(line), expected);
        assert_eq!(expected.to_string(), line);
        let padded = format!(" \t{line}  and more\r\n");
        assert_eq!(command(&padded), expected);
    }
}

#[test]
fn words_after_bench_are_located() {
    let Command::Bench(words) = command(" bench  64 x") else { panic!("no benchmark") };
    assert_eq!(words.iter().map(|word| (word.text, word.offset)).collect::<Vec<_>>(), [("64", 8), ("x", 11)]);
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
fn positions_are_located() {
    assert_eq!(command("position"), Command::Position(PositionCommand::default()));
    let line = " position  fen  a \t b moves 43 p@D1";
    let Command::Position(position) = command(line) else { panic!("no position") };
    let Base::Fen(fen) = position.base else { panic!("no FEN") };
    assert_eq!((fen.value.as_str(), fen.text, fen.offset), ("a b", "a \t b", 16));
    let moves: Vec<_> = position.moves.iter().map(|m| (m.text, m.offset)).collect();
    assert_eq!(moves, [("4", 28), ("3", 29), ("p@D1", 31)]);
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
    // Equal limits in another order, with the clock words of UGI and with unknown words.
    let line = "go infinite movetime 9 mate 8 by nodes 18446744073709551615 all depth 6 movestogo 5 p2inc 4 p1inc 3 \
                p2time 2 means 7 p1time 1 ponder searchmoves d P@e1 4";
    let Parsed { command: found, warnings } = parsed(line);
    assert_eq!(found, Command::Go(expected));
    assert_eq!(warnings.len(), 3, "{warnings:?}");
    assert_eq!(command("go"), Command::Go(Go::default()));
}

#[test]
fn moves_to_search_are_located() {
    let Command::Go(go) = command("go  searchmoves 43 c") else { panic!("not a go") };
    assert_eq!(go.search_moves.iter().map(|m| m.offset).collect::<Vec<_>>(), [16, 17, 19]);
}

#[test]
fn warnings_are_limited() {
    let line = format!("go searchmoves {} depth 3", "e2e4 ".repeat(1000));
    let Parsed { command, warnings } = parsed(&line);
    assert_eq!(command.to_string(), "go depth 3");
    assert_eq!(warnings.len(), MAX_WARNINGS);
}
