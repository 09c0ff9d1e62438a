//! Sessions with a worker that the test plays itself: real parsing, real printing, no timing.

mod running;
mod settings;

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crossbeam_channel::{Sender, unbounded};
use proptest::prelude::*;

use super::*;
use crate::search::{Bound, Limits, SearchInfo, Settings, Strength, Value};

/// An output that the test can look into.
#[derive(Clone, Debug, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    /// How many lines there are.
    fn lines(&self) -> usize {
        String::from_utf8_lossy(&self.0.lock().expect("no test panics here")).lines().count()
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no test panics here").write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Rig {
    session: Session<Shared>,
    jobs: Receiver<Job>,
    events: Sender<WorkerEvent>,
    output: Shared,
}

impl Rig {
    fn new() -> Self {
        let (job_sender, jobs) = unbounded();
        let (events, event_receiver) = unbounded();
        let output = Shared::default();
        let worker = Worker { jobs: job_sender, events: event_receiver };
        Self { session: Session::new(worker, output.clone()), jobs, events, output }
    }

    /// Hands the session lines and returns what it printed at once.
    fn lines(&mut self, lines: &[&str]) -> Vec<String> {
        for line in lines {
            self.session.on_line(line, Instant::now()).expect("the output is open");
        }
        self.printed()
    }

    fn event(&mut self, event: WorkerEvent) -> Vec<String> {
        self.session.on_event(event).expect("the output is open");
        self.printed()
    }

    fn done(&mut self, id: SearchId, best: u32) -> Vec<String> {
        self.event(WorkerEvent::Search(id, SearchEvent::Done { best: Some(best), ponder: Some(3) }))
    }

    fn printed(&self) -> Vec<String> {
        printed(&self.output)
    }

    /// The next job, which must be there.
    fn job(&self) -> Job {
        self.jobs.try_recv().expect("a job")
    }

    fn search(&self) -> SearchJob {
        match self.job() {
            Job::Search(job) => *job,
            other => panic!("{other:?}"),
        }
    }
}

fn printed(output: &Shared) -> Vec<String> {
    let bytes = std::mem::take(&mut *output.0.lock().expect("no test panics here"));
    String::from_utf8(bytes).expect("UTF-8").lines().map(str::to_owned).collect()
}

fn info(value: Value, pv: &[u32]) -> SearchEvent {
    SearchEvent::Info(SearchInfo {
        depth: 1,
        sel_depth: 1,
        multi_pv: None,
        value,
        bound: Bound::Exact,
        nodes: 1,
        time: Duration::from_millis(1),
        hash_full: 0,
        tb_hits: 0,
        pv: pv.to_vec(),
    })
}

#[test]
fn the_handshake_lists_everything_and_picks_the_dialect() {
    let mut rig = Rig::new();
    let uci = rig.lines(&["uci"]);
    assert_eq!(uci[0], concat!("id name Plumb ", env!("CARGO_PKG_VERSION")));
    assert_eq!(uci[1], "id author the Plumb developers");
    assert!(uci[2..uci.len() - 1].iter().all(|line| line.starts_with("option name ")));
    assert_eq!(uci.last().map(String::as_str), Some("uciok"));
    let ugi = rig.lines(&["ugi"]);
    assert_eq!(ugi[..ugi.len() - 1], uci[..uci.len() - 1]);
    assert!(ugi.contains(&"option name OwnBook type check default true".to_owned()));
    assert_eq!(ugi.last().map(String::as_str), Some("ugiok"));
    assert!(rig.jobs.is_empty(), "nothing heavy happens in a handshake");
}

#[test]
fn isready_waits_for_the_table_but_never_for_a_search() {
    let mut rig = Rig::new();
    assert!(rig.lines(&["isready"]).is_empty());
    assert!(matches!(rig.job(), Job::Ready));
    assert_eq!(rig.event(WorkerEvent::Ready), ["readyok"]);
    assert_eq!(rig.lines(&["go infinite", "isready", "isready"]), ["readyok", "readyok"]);
    rig.search();
    assert!(rig.jobs.is_empty());
    rig.done(1, 3);
    assert!(rig.lines(&["perft 9", "isready"]).contains(&"readyok".to_owned()));
    assert!(matches!(rig.job(), Job::Perft { depth: 9, .. }));
}

#[test]
fn a_go_carries_position_limits_and_settings() {
    let mut rig = Rig::new();
    rig.lines(&[
        "position startpos moves d d",
        "setoption name MultiPV value 3",
        "setoption name Skill Level value 4",
        "setoption name Move Overhead value 50",
        "setoption name Threads value 2",
        "go depth 6 searchmoves d e",
    ]);
    let job = rig.search();
    assert_eq!(job.position, Position::from_digits("44").expect("legal"));
    assert_eq!(job.limits, Limits { depth: Some(6), search_moves: vec![3, 4], ..Limits::default() });
    let strength = Strength::Level(4.0);
    let threads = NonZeroUsize::new(2).expect("not zero");
    assert_eq!(job.settings, Settings { multi_pv: 3, strength, threads, own_book: true, seed: None });
}

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
fn every_go_is_answered_once_and_in_its_own_manner() {
    let mut rig = Rig::new();
    rig.lines(&["uci", "go depth 3"]);
    rig.lines(&["position 4", "setoption name UCI_ShowWDL value true", "ugi", "go depth 4"]);
    let line = rig.event(WorkerEvent::Search(1, info(Value::Win { plies: 3 }, &[3, 3, 3]))).remove(0);
    assert!(line.contains("score mate 2 nodes") && line.ends_with("pv P@d1 P@d2 P@d3"), "{line}");
    assert_eq!(rig.done(1, 3), ["bestmove P@d1 ponder P@d2"]);
    let line = rig.event(WorkerEvent::Search(2, info(Value::Win { plies: 3 }, &[3, 3, 3]))).remove(0);
    assert!(line.contains("score mate 3 wdl 1000 0 0 nodes") && line.ends_with("pv d d d"), "{line}");
    assert_eq!(rig.done(2, 3), ["bestmove d"]);
    // What an ended search still says is dropped.
    assert!(rig.event(WorkerEvent::Search(1, info(Value::Draw, &[3, 3]))).is_empty());
    assert!(rig.done(2, 3).is_empty());
}

#[test]
fn stop_ends_the_search_that_runs_and_is_never_lost() {
    let mut rig = Rig::new();
    assert!(rig.lines(&["stop", "ponderhit"]).is_empty());
    rig.lines(&["go infinite", "stop", "go depth 40", "go depth 50", "stop"]);
    let [first, second, third] = [rig.search(), rig.search(), rig.search()];
    assert!(first.signals.stopped() && second.signals.stopped() && !third.signals.stopped());
    rig.done(1, 3);
    rig.done(2, 3);
    rig.lines(&["stop"]);
    assert!(third.signals.stopped());
}

#[test]
fn another_go_ends_a_search_that_would_never_end() {
    let mut rig = Rig::new();
    rig.lines(&["go infinite", "go ponder wtime 1000", "go depth 5"]);
    let [infinite, pondering, limited] = [rig.search(), rig.search(), rig.search()];
    assert!(infinite.signals.stopped() && pondering.signals.stopped() && !limited.signals.stopped());
    rig.lines(&["go depth 6"]);
    assert!(!limited.signals.stopped());
}

#[test]
fn a_ponder_hit_reaches_the_search_that_ponders() {
    let mut rig = Rig::new();
    rig.lines(&["go ponder movetime 100"]);
    let job = rig.search();
    assert!(job.limits.ponder && job.signals.hit_at().is_none());
    assert!(rig.lines(&["wait"])[0].starts_with("info string wait is ignored"));
    rig.lines(&["ponderhit", "wait"]);
    assert!(job.signals.hit_at().is_some() && !job.signals.stopped() && rig.session.waiting);
}

#[test]
fn what_touches_the_table_is_done_in_order_by_the_worker() {
    let mut rig = Rig::new();
    let lines = ["go infinite", "setoption name Hash value 128", "setoption name clear hash value true"];
    assert!(rig.lines(&lines).is_empty());
    rig.lines(&["position 44", "ucinewgame", "stop"]);
    rig.search();
    assert!(matches!(rig.job(), Job::Resize(128)));
    assert!(matches!(rig.job(), Job::Clear));
    assert!(matches!(rig.job(), Job::Clear));
    assert_eq!(rig.session.position, Position::new());
    assert_eq!(rig.event(WorkerEvent::Note("no\nmemory".to_owned())), ["info string no\\nmemory"]);
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
        ("moves 40", "`0` at byte 7: expected a column from 1 to 9; the position stays as it was"),
        ("position startpos d", "`d` at byte 18: expected moves; the position stays as it was"),
        ("position fen", "end of line at byte 12: expected a FEN; the position stays as it was"),
        (
            "position fen 8/8 w",
            "`8` at byte 13: the row has 8 columns, the board 7; the position stays as it was",
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
    assert_eq!(rig.session.position, Position::from_digits("44").expect("legal"));
    assert_eq!(rig.session.options, Options::default());
    assert!(rig.jobs.is_empty());
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

#[test]
fn debug_tells_how_a_line_was_understood() {
    let mut rig = Rig::new();
    assert!(rig.lines(&["joho debug on", "stop"]).is_empty());
    assert_eq!(
        rig.lines(&["joho position  44"]),
        ["info string understood as `position startpos moves 4 4`"]
    );
    assert_eq!(rig.lines(&["debug  off", "position  44"]), ["info string understood as `debug off`"]);
}

#[test]
fn the_variant_is_described_when_it_is_set() {
    let printed = Rig::new().lines(&["setoption name UCI_Variant value cfour"]);
    assert_eq!(printed.len(), 1);
    assert!(
        printed[0]
            .starts_with("info string variant cfour files 7 ranks 6 pocket 1 template fairy startpos 7/7/")
    );
}

#[test]
fn help_and_the_rest_are_text_that_no_parser_mistakes() {
    let mut rig = Rig::new();
    for line in rig.lines(&["help", "d", "eval"]) {
        assert_eq!(plumb_protocol::parse_reply(&line), Ok(Reply::Text(line)));
    }
    rig.lines(&["bench"]);
    assert_eq!(rig.event(WorkerEvent::Line(1, "Nodes: 5".to_owned())), ["Nodes: 5"]);
    assert!(!rig.session.queue.is_empty());
    rig.event(WorkerEvent::Finished(1));
    assert!(rig.session.queue.is_empty());
}

/// Words that sessions are made of, in no order that makes sense.
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
        // Every search that was asked for can still be stopped.
        rig.lines(&["quit"]);
        for job in rig.jobs.try_iter() {
            if let Job::Search(job) = job {
                prop_assert!(job.signals.stopped());
            }
        }
    }
}
