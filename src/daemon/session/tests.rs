//! Sessions whose jobs the test answers itself: real parsing, real printing, no timing.

mod faulty_input;
mod settings;

use std::num::NonZeroUsize;
use std::time::Duration;

use super::*;
use crate::daemon::testing::{Shared, info, played};
use crate::search::{Limits, Settings, Value};

/// A session and its output.
struct Rig {
    session: Session<Shared>,
    output: Shared,
}

impl Rig {
    fn new() -> Self {
        let output = Shared::default();
        Self { session: Session::new(output.clone()), output }
    }

    /// Hands lines to the session and returns those that it has printed.
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
        self.event(Event::Search(id, SearchEvent::Done { best: Some(best), ponder: Some(3) }))
    }

    fn printed(&self) -> Vec<String> {
        self.output.take_lines()
    }

    /// The next job, which must be there.
    fn job(&mut self) -> Job {
        assert!(!self.session.unsent.is_empty(), "a job");
        self.session.unsent.remove(0)
    }

    fn search(&mut self) -> SearchJob {
        match self.job() {
            Job::Search(job) => *job,
            other => panic!("{other:?}"),
        }
    }
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
        "setoption name MultiPV value 3",
        "setoption name Skill Level value 4",
        "setoption name Move Overhead value 50",
        "setoption name Threads value 2",
        "go depth 6 searchmoves d e",
    ]);
    let job = rig.search();
    assert_eq!(job.position, played("44"));
    assert_eq!(job.limits, Limits { depth: Some(6), search_moves: vec![3, 4], ..Limits::default() });
    let strength = Strength::Level(4.0);
    let threads = NonZeroUsize::new(2).expect("not zero");
    assert_eq!(
        job.settings,
        Settings {
            multi_pv: NonZeroUsize::new(3).expect("not zero"),
            strength,
            threads,
            own_book: true,
            swindle: true,
            seed: None
        }
    );
}

#[test]
fn every_go_is_answered_once_and_in_its_own_manner() {
    let mut rig = Rig::new();
    rig.lines(&["uci", "go depth 3"]);
    rig.lines(&["position 4", "setoption name UCI_ShowWDL value true", "ugi", "go depth 4"]);
    let line = rig.event(Event::Search(1, info(Value::Win { plies: 3 }, &[3, 3, 3]))).remove(0);
    assert!(line.contains("score mate 2 nodes") && line.ends_with("pv P@d1 P@d2 P@d3"), "{line}");
    assert_eq!(rig.done(1, 3), ["bestmove P@d1 ponder P@d2"]);
    let line = rig.event(Event::Search(2, info(Value::Win { plies: 3 }, &[3, 3, 3]))).remove(0);
    assert!(line.contains("score mate 3 wdl 1000 0 0 nodes") && line.ends_with("pv d d d"), "{line}");
    assert_eq!(rig.done(2, 3), ["bestmove d"]);
    // Events of an ended search are dropped.
    assert!(rig.event(Event::Search(1, info(Value::Draw, &[3, 3]))).is_empty());
    assert!(rig.done(2, 3).is_empty());
}

#[test]
fn stop_ends_the_search_that_runs_and_is_never_lost() {
    let mut rig = Rig::new();
    assert!(rig.lines(&["stop", "ponderhit"]).is_empty());
    rig.lines(&["go infinite", "stop", "go depth 40", "go depth 50", "stop"]);
    let [first, second, third] = [rig.search(), rig.search(), rig.search()];
    assert!(first.stop_flag.is_stopped() && second.stop_flag.is_stopped() && !third.stop_flag.is_stopped());
    rig.done(1, 3);
    rig.done(2, 3);
    rig.lines(&["stop"]);
    assert!(third.stop_flag.is_stopped());
}

#[test]
fn another_go_ends_a_search_that_would_never_end() {
    let mut rig = Rig::new();
    rig.lines(&["go infinite", "go ponder wtime 1000", "go depth 5"]);
    let [infinite, pondering, limited] = [rig.search(), rig.search(), rig.search()];
    assert!(
        infinite.stop_flag.is_stopped()
            && pondering.stop_flag.is_stopped()
            && !limited.stop_flag.is_stopped()
    );
    rig.lines(&["go depth 6"]);
    assert!(!limited.stop_flag.is_stopped());
}

#[test]
fn a_ponder_hit_reaches_the_search_that_ponders() {
    let mut rig = Rig::new();
    rig.lines(&["go ponder movetime 100"]);
    let job = rig.search();
    assert!(job.limits.ponder && job.stop_flag.ponder_hit_time().is_none());
    assert!(rig.lines(&["wait"])[0].starts_with("info string wait is ignored"));
    rig.lines(&["ponderhit", "wait"]);
    assert!(job.stop_flag.ponder_hit_time().is_some() && !job.stop_flag.is_stopped() && rig.session.waiting);
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
    assert_eq!(rig.session.position, played(""));
    assert_eq!(rig.event(Event::Note("no\nmemory".to_owned())), ["info string no\\nmemory"]);
}

#[test]
fn debug_echoes_the_canonical_form_of_a_line() {
    let mut rig = Rig::new();
    assert!(rig.lines(&["joho debug on", "stop"]).is_empty());
    assert_eq!(
        rig.lines(&["joho position  44"]),
        ["info string understood as `position startpos moves 4 4`"]
    );
    assert_eq!(rig.lines(&["debug  off", "position  44"]), ["info string understood as `debug off`"]);
}

#[test]
fn debug_says_why_a_move_was_chosen_among_equals() {
    let mut rig = Rig::new();
    let choice = SwindleInfo { column: 2, expected: 630, preferred: 3, expected_of_preferred: 434, depth: 2 };
    rig.lines(&["go nodes 1", "go nodes 1"]);
    let ids = [rig.search().id, rig.search().id];
    assert!(rig.event(Event::Search(ids[0], SearchEvent::Swindle(choice))).is_empty());
    rig.done(ids[0], 2);
    rig.lines(&["debug on"]);
    assert_eq!(
        rig.event(Event::Search(ids[1], SearchEvent::Swindle(choice))),
        ["info string swindle: 0.630 points expected after column c, 0.434 after column d; 2 replies deep"]
    );
    let same = SwindleInfo { preferred: 2, ..choice };
    assert_eq!(
        rig.event(Event::Search(ids[1], SearchEvent::Swindle(same))),
        ["info string swindle: 0.630 points expected after column c; 2 replies deep"]
    );
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
    assert_eq!(rig.event(Event::Line(1, "Nodes: 5".to_owned())), ["Nodes: 5"]);
    assert!(!rig.session.queue.is_empty());
    rig.event(Event::Finished(1));
    assert!(rig.session.queue.is_empty());
}
