//! Lines of 1 MiB, the longest lines that a session reads. A parser with quadratic time would not finish these tests.

use plumb_protocol::{Command, Reply, parse_command, parse_reply};

const LENGTH: usize = 1 << 20;

fn filled(head: &str, body: &str) -> String {
    head.to_owned() + &body.repeat((LENGTH - head.len()) / body.len())
}

const BODIES: &str = "x|d |4|4 |0| |\t|ä|joho |e2e4 |moves |value |name |go |depth |depth x |depth 3 |searchmoves |pv d |\
                      score cp |wdl 1 2 |var |default |string";

fn check(heads: &str, displayed: impl Fn(&str) -> Option<String>) {
    for head in heads.split('|') {
        for body in BODIES.split('|') {
            if let Some(displayed) = displayed(&filled(head, body)) {
                assert!(displayed.len() <= 2 * LENGTH + 32, "{head:?} {body:?}");
            }
        }
    }
}

#[test]
fn commands_of_all_kinds_take_linear_time() {
    let heads = "|x|debug |setoption name |setoption name a value |position |position startpos moves |position fen |moves |\
                 go |go depth |go searchmoves |perft |query ";
    check(heads, |line| Some(parse_command(line).ok()??.command.to_string()));
}

#[test]
fn replies_of_all_kinds_take_linear_time() {
    let heads = "|x|id name |info |info pv |info string |bestmove |bestmove d ponder |response |option name |\
                 option name a type spin |option name a type combo |option name a type string default ";
    check(heads, |line| Some(parse_reply(line).ok()?.to_string()));
}

#[test]
fn nothing_is_lost_in_a_long_line() {
    let line = filled("position ", "4");
    let Ok(Some(parsed)) = parse_command(&line) else { panic!("not a command") };
    let Command::Position(position) = parsed.command else { panic!("not a position") };
    assert_eq!(position.moves.len(), LENGTH - "position ".len());
    assert!(position.moves.iter().enumerate().all(|(i, m)| m.offset == "position ".len() + i));

    assert!(matches!(parse_reply(&filled("", "x")), Ok(Reply::Text(text)) if text.len() == LENGTH));

    let last = format!("{} isready", filled("", "joho "));
    assert!(matches!(parse_command(&last), Ok(Some(parsed)) if parsed.command == Command::IsReady));
}
