use std::sync::Arc;
use std::time::Duration;

use super::*;
use crate::daemon::executor::SearchJob;
use crate::daemon::options::MAX_HASH;
use crate::daemon::testing::{Shared, info, played};
use crate::search::{Limits, Strength, Value};

struct Rig {
    session: Session<Shared>,
    output: Shared,
}

impl Rig {
    fn new() -> Self {
        let output = Shared::default();
        Self { session: Session::new(output.clone()), output }
    }

    fn lines(&mut self, lines: &[&str]) -> Vec<String> {
        for line in lines {
            self.session.on_line(line, Instant::now()).expect("the output is open");
        }
        self.printed()
    }

    fn event(&mut self, event: Event) -> Vec<String> {
        self.session.on_event(event).expect("the output is open");
        self.printed()
    }

    fn done(&mut self, id: JobId, best: u32) -> Vec<String> {
        self.event(Event::BestMove { id, best: Some(best), ponder: Some(3) })
    }

    fn printed(&self) -> Vec<String> {
        self.output.take_lines()
    }

    fn job(&mut self) -> Job {
        assert!(!self.session.unsent.is_empty(), "a job");
        self.session.unsent.remove(0)
    }

    fn search(&mut self) -> Arc<SearchJob> {
        match self.job() {
            Job::Search(job) => job,
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn the_handshake_lists_everything_and_picks_the_dialect() {
    let mut rig = Rig::new();
    let uci = rig.lines(&["uci"]);
    assert_eq!(uci[0], format!("id name Plumb {}", crate::VERSION));
    assert_eq!(uci[1], "id author the Plumb developers");
    assert!(uci[2..uci.len() - 1].iter().all(|line| line.starts_with("option name ")));
    assert_eq!(uci.last().map(String::as_str), Some("uciok"));
    assert!(uci.iter().all(|line| line.len() < 200), "the adapter of XBoard has a buffer of fixed size");
    let ugi = rig.lines(&["ugi"]);
    assert_eq!(ugi[..ugi.len() - 1], uci[..uci.len() - 1]);
    assert_eq!(ugi.last().map(String::as_str), Some("ugiok"));
    assert!(rig.session.unsent.is_empty(), "nothing heavy happens in a handshake");
}

#[test]
fn isready_waits_for_the_table_but_never_for_a_search() {
    let mut rig = Rig::new();
    assert!(rig.lines(&["isready"]).is_empty());
    assert!(matches!(rig.job(), Job::Ready));
    assert_eq!(rig.event(Event::Ready), ["readyok"]);
    assert_eq!(rig.lines(&["go infinite", "isready", "isready"]), ["readyok", "readyok"]);
    rig.search();
    assert!(rig.session.unsent.is_empty());
    rig.done(1, 3);
    assert!(rig.lines(&["perft 9", "isready"]).contains(&"readyok".to_owned()));
    assert!(matches!(rig.job(), Job::Perft { depth: 9, .. }));
}

#[test]
fn a_go_carries_position_limits_and_settings() {
    let mut rig = Rig::new();
    rig.lines(&[
        "position startpos moves d d",
        "setoption name Skill Level value 4",
        "setoption name Move Overhead value 30",
        "go depth 6 searchmoves d e movetime 100",
    ]);
    let job = rig.search();
    assert_eq!(job.position, played("44"));
    let move_time = Some(Duration::from_millis(100));
    let expected = Limits { depth: Some(6), search_moves: vec![3, 4], move_time, ..Limits::default() };
    assert_eq!((&job.limits, job.budget.hard), (&expected, Some(Duration::from_millis(70))));
    assert_eq!(job.settings.strength, Strength::Level(4.0));
}

#[test]
fn every_go_is_answered_once_and_in_its_own_manner() {
    let mut rig = Rig::new();
    rig.lines(&["uci", "go depth 3"]);
    rig.lines(&["position 4", "setoption name UCI_ShowWDL value true", "ugi", "go depth 4"]);
    let line = rig.event(Event::Info(1, info(Value::Win { plies: 3 }, &[3, 3, 3]))).remove(0);
    assert!(line.contains("score mate 2 nodes") && line.ends_with("pv P@d1 P@d2 P@d3"), "{line}");
    assert_eq!(rig.done(1, 3), ["bestmove P@d1 ponder P@d2"]);
    let line = rig.event(Event::Info(2, info(Value::Win { plies: 3 }, &[3, 3, 3]))).remove(0);
    assert!(line.contains("score mate 3 wdl 1000 0 0 nodes") && line.ends_with("pv d d d"), "{line}");
    assert_eq!(rig.done(2, 3), ["bestmove d"]);
    assert!(rig.event(Event::Info(1, info(Value::Draw, &[3, 3]))).is_empty());
    assert!(rig.done(2, 3).is_empty());
}

#[test]
fn what_touches_the_table_is_done_in_order_by_the_search_thread() {
    let mut rig = Rig::new();
    let lines = ["go infinite", "setoption name Hash value 128", "setoption name clear hash value true"];
    assert!(rig.lines(&lines).is_empty());
    rig.lines(&["position 44", "ucinewgame", "stop"]);
    rig.search();
    assert!(matches!(rig.job(), Job::Resize(128)));
    assert!(matches!(rig.job(), Job::ForgetSearches));
    assert!(matches!(rig.job(), Job::ForgetSearches));
    assert_eq!(rig.session.position, played(""));
    assert_eq!(rig.event(Event::Note("no\nmemory".to_owned())), ["info string no\\nmemory"]);
}

#[test]
fn the_variant_sets_the_board_and_describes_it() {
    let mut rig = Rig::new();
    assert_eq!(
        rig.lines(&["setoption name UCI_Variant value cfour4x5"]),
        ["info string variant cfour4x5 files 4 ranks 5 pocket 1 template fairy startpos \
          4/4/4/4/4[PPPPPPPPPPpppppppppp] w - - 0 1"]
    );
    assert!(matches!(rig.job(), Job::SetBoard(board) if board.to_string() == "4x5"));
}

#[test]
fn debug_echoes_the_canonical_form_of_a_line() {
    let mut rig = Rig::new();
    assert!(rig.lines(&["joho debug on", "stop"]).is_empty());
    let understood = rig.lines(&["joho position  44"]);
    assert_eq!(understood, ["info string understood as `position startpos moves 4 4`"]);
    assert_eq!(rig.lines(&["debug  off", "position  44"]), ["info string understood as `debug off`"]);
}

#[test]
fn debug_says_why_a_move_was_chosen_among_equals() {
    let mut rig = Rig::new();
    let choice = SwindleInfo { column: 2, expected: 630, preferred: 3, expected_of_preferred: 434, depth: 2 };
    rig.lines(&["go nodes 1", "go nodes 1"]);
    let ids = [rig.search().id, rig.search().id];
    assert!(rig.event(Event::Swindle(ids[0], choice)).is_empty());
    rig.done(ids[0], 2);
    rig.lines(&["debug on"]);
    for (preferred, expected) in [
        (3, "swindle: 0.630 points expected after column c, 0.434 after column d; 2 replies deep"),
        (2, "swindle: 0.630 points expected after column c; 2 replies deep"),
    ] {
        let printed = rig.event(Event::Swindle(ids[1], SwindleInfo { preferred, ..choice }));
        assert_eq!(printed, [format!("info string {expected}")]);
    }
}

#[test]
fn help_and_the_rest_are_text_that_no_parser_mistakes() {
    let mut rig = Rig::new();
    let said = rig.lines(&["go infinite", "wait"]);
    assert_eq!(
        said,
        ["info string wait is ignored: the search ends only after `stop`, or `ponderhit` if it ponders"]
    );
    rig.done(1, 3);
    for line in rig.lines(&["help", "d", "eval"]) {
        assert_eq!(plumb_protocol::parse_reply(&line), Ok(Reply::Text(line)));
    }
    rig.lines(&["bench"]);
    assert_eq!(rig.event(Event::Line("Nodes: 5".to_owned())), ["Nodes: 5"]);
    assert!(!rig.session.unanswered.is_empty());
    rig.event(Event::Finished(2));
    assert!(rig.session.unanswered.is_empty());
}

#[test]
fn malformed_limits_are_reported_and_dropped() {
    let mut rig = Rig::new();
    for (line, expected) in [
        ("go depth x", "`depth x`: expected a whole number from 0 to 4294967295; searching 1 s"),
        ("go depth", "`depth` needs a number; searching 1 s"),
        ("go dpeth 3", "`dpeth`: no such limit; did you mean `depth`?; searching 1 s"),
    ] {
        assert_eq!(rig.lines(&[line]), [format!("info string {expected}")]);
        assert_eq!(rig.search().limits.move_time, Some(Duration::from_secs(1)));
    }
    for (line, expected) in [
        ("go nodes 5 depth x", "`depth x`: expected a whole number from 0 to 4294967295; it is ignored"),
        ("go nodes 5 fast", "`fast`: no such limit; it is ignored"),
        ("go nodes 5 winc -5", "`winc -5`: a negative time counts as 0"),
        ("go nodes 5 depth 0", "depth 0 counts as depth 1"),
    ] {
        assert_eq!(rig.lines(&[line]), [format!("info string {expected}")]);
        assert_eq!(rig.search().limits.nodes, Some(5));
    }
    assert_eq!(
        rig.lines(&["go infinite searchmoves d9"]),
        ["info string `d9`: the stone lands on rank 1, not 9; all moves are searched"]
    );
    assert!(rig.search().limits.search_moves.is_empty());
}

#[test]
fn a_fault_changes_nothing_and_is_one_line() {
    let mut rig = Rig::new();
    rig.lines(&["position 44"]);
    let table = include_str!("faults.tsv").replace("{MAX_HASH}", &MAX_HASH.to_string());
    for row in table.lines().filter(|row| !row.starts_with('#')) {
        let (line, expected) = row.split_once('\t').expect(row);
        let line = line.replace("\\u{a0}", "\u{a0}").replace("\\u{1}\\0", "\u{1}\0");
        assert_eq!(rig.lines(&[&line]), [format!("info string {expected}")], "{line}");
    }
    assert_eq!(rig.session.position, played("44"));
    assert_eq!(rig.session.options, Options::default());
    assert!(rig.session.unsent.is_empty());
}

#[test]
fn each_line_is_one_write_and_flushed() {
    #[derive(Default)]
    struct Recorder(Vec<String>, usize);
    impl Write for Recorder {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.push(String::from_utf8_lossy(bytes).into_owned());
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            self.1 += 1;
            Ok(())
        }
    }
    let mut session = Session::new(Recorder::default());
    session.on_line("query p1turn", Instant::now()).expect("memory takes it");
    session.on_line("query gameover", Instant::now()).expect("memory takes it");
    let Recorder(writes, flushes) = &session.output;
    assert_eq!((&writes[..], *flushes), (&["response true\n", "response false\n"].map(String::from)[..], 2));
}
