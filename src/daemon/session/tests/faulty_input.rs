//! Lines that cannot be read, or mean nothing.

use proptest::prelude::*;

use super::*;

#[test]
fn malformed_limits_are_reported_and_dropped() {
    let mut rig = Rig::new();
    for (line, expected) in [
        ("go depth x", "`x` at byte 9: expected a whole number from 0 to 4294967295; searching 1 s"),
        ("go depth", "`depth` needs a number; searching 1 s"),
        ("go dpeth 3", "`dpeth` at byte 3: no such limit; did you mean `depth`?; searching 1 s"),
    ] {
        assert_eq!(rig.lines(&[line]), [format!("info string {expected}")]);
        assert_eq!(rig.search().limits.move_time, Some(Duration::from_secs(1)));
    }
    for (line, expected) in [
        ("go nodes 5 depth x", "`x` at byte 17: expected a whole number from 0 to 4294967295; it is ignored"),
        ("go nodes 5 fast", "`fast` at byte 11: no such limit; it is ignored"),
        ("go nodes 5 winc -5", "`-5` at byte 16: a negative time counts as 0"),
    ] {
        assert_eq!(rig.lines(&[line]), [format!("info string {expected}")]);
        assert_eq!(rig.search().limits.nodes, Some(5));
    }
    assert_eq!(
        rig.lines(&["go infinite searchmoves d9"]),
        ["info string `d9` at byte 24: the stone lands on rank 1, not 9; this move is not searched"]
    );
    assert!(rig.search().limits.search_moves.is_empty());
}

#[test]
fn a_fault_changes_nothing_and_is_one_line() {
    let mut rig = Rig::new();
    rig.lines(&["position 44"]);
    for (line, expected) in [
        (
            "position 4 e2e4",
            "`e2e4` at byte 11: expected a move such as P@d1, d or 4; the position stays as it was",
        ),
        ("moves 40", "`0` at byte 7: columns count from 1 (1 to 7); the position stays as it was"),
        ("position startpos d", "`d` at byte 18: expected moves; the position stays as it was"),
        ("position fen", "end of line at byte 12: expected a FEN; the position stays as it was"),
        (
            "position fen 8/8 w",
            "`8/8` at byte 13: these are 8 columns and 2 rows; a board has at least 4 columns and 4 rows; the position \
             stays as it was",
        ),
        ("moves d9", "`d9` at byte 6: the stone lands on rank 3, not 9; the position stays as it was"),
        ("setoption name Hash value 0", "`0` at byte 26: expected a whole number from 1 to 33554432"),
        ("setoption name Style value 3", "`Style` at byte 15: no option has this name"),
        ("setoption name Hsah value 3", "`Hsah` at byte 15: no option has this name; did you mean `Hash`?"),
        ("xyzzy", "Unknown command: `xyzzy`. Type help for the commands."),
        ("\u{1}\0", "Unknown command: `\\u{1}\\u{0}`. Type help for the commands."),
        ("debug maybe", "`maybe` at byte 6: expected on or off"),
    ] {
        assert_eq!(rig.lines(&[line]), [format!("info string {expected}")], "{line}");
    }
    assert_eq!(rig.session.position, played("44"));
    assert_eq!(rig.session.options, Options::default());
    assert!(rig.session.unsent.is_empty());
}

#[test]
fn unreadable_lines_are_reported() {
    let mut rig = Rig::new();
    rig.session.on_input(Input::TooLong { bytes: 2_000_000 }, Instant::now()).expect("open");
    rig.session.on_input(Input::NotUtf8 { offset: 3 }, Instant::now()).expect("open");
    assert_eq!(
        rig.printed(),
        [
            "info string A line of 2000000 bytes was skipped: at most 1048576 are read.",
            "info string A line was skipped: it is not UTF-8 at byte 3.",
        ]
    );
    assert!(rig.lines(&["", " \t", "\r"]).is_empty());
}

/// Words of the protocol, to be combined at random.
const WORDS: [&str; 60] = [
    "uci",
    "ugi",
    "debug",
    "on",
    "off",
    "isready",
    "setoption",
    "name",
    "value",
    "Hash",
    "Clear Hash",
    "MultiPV",
    "Skill Level",
    "UCI_Elo",
    "Notation",
    "digit",
    "letter",
    "UCI_Variant",
    "cfour",
    "ucinewgame",
    "uginewgame",
    "position",
    "startpos",
    "fen",
    "7/7/7/7/3p3/3P3",
    "w",
    "moves",
    "d",
    "4455",
    "P@d1",
    "go",
    "infinite",
    "ponder",
    "depth",
    "3",
    "-1",
    "0",
    "18446744073709551616",
    "nodes",
    "mate",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "movestogo",
    "searchmoves",
    "perft",
    "stop",
    "ponderhit",
    "query",
    "gameover",
    "result",
    "display",
    "eval",
    "bench",
    "wait",
    "help",
    "ä\u{1b}",
    "\0",
    "\t",
];

proptest! {
    #[test]
    fn any_line_is_answered_in_whole_lines(
        lines in proptest::collection::vec(
            prop_oneof![
                proptest::collection::vec(proptest::sample::select(&WORDS[..]), 0..12).prop_map(|words| words.join(" ")),
                any::<String>(),
            ],
            0..20,
        )
    ) {
        let mut rig = Rig::new();
        for line in lines {
            for printed in rig.lines(&[&line]) {
                prop_assert!(!printed.contains(char::is_control), "{printed:?}");
                let reply = plumb_protocol::parse_reply(&printed).map(|reply| reply.to_string());
                prop_assert_eq!(reply, Ok(printed));
            }
        }
        // Every search that was ordered can still be stopped.
        rig.lines(&["quit"]);
        for job in rig.session.take_jobs() {
            if let Job::Search(job) = job {
                prop_assert!(job.stop_flag.is_stopped());
            }
        }
    }
}
