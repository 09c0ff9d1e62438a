//! Whole sessions, from the first line to the last, with a worker in a thread of its own.

use super::*;

/// Runs a whole session on these lines, with a worker that obeys signals but never thinks.
fn run(lines: &[&str]) -> Vec<String> {
    let Rig { session, jobs, events, output } = Rig::new();
    let (sender, input) = unbounded();
    for line in lines {
        sender.send(Input::Line((*line).to_owned()).into()).expect("the session listens");
    }
    drop(sender);
    std::thread::spawn(move || {
        for job in jobs {
            let event = match job {
                Job::Search(job) => {
                    if job.limits.infinite || job.limits.ponder {
                        job.signals.wait(job.limits.ponder);
                    }
                    WorkerEvent::Search(job.id, SearchEvent::Done { best: Some(3), ponder: None })
                }
                Job::Ready => WorkerEvent::Ready,
                Job::Bench { id, .. } | Job::Perft { id, .. } => WorkerEvent::Finished(id),
                _ => continue,
            };
            events.send(event).expect("the session listens");
        }
    });
    session.run(&input).expect("nothing goes wrong");
    // On a busy machine the session may answer for a worker that is stopped and does not come to it.
    printed(&output).into_iter().filter(|line| !line.starts_with("info depth ")).collect()
}

#[test]
fn the_end_of_input_answers_everything_first() {
    assert_eq!(run(&["isready", "go infinite"]), ["readyok", "bestmove P@d1"]);
    assert_eq!(run(&["go ponder", "go infinite", "quit", "uci"]), ["bestmove P@d1", "bestmove P@d1"]);
    assert_eq!(run(&["isready", "quit"]), ["readyok"]);
    assert!(run(&[]).is_empty());
}

#[test]
fn wait_holds_input_back() {
    assert_eq!(run(&["go depth 3", "wait", "query p1turn"]), ["bestmove P@d1", "response true"]);
    assert_eq!(run(&["wait", "query p1turn"]), ["response true"]);
    let printed = run(&["go infinite", "wait", "stop", "wait", "query p1turn"]);
    assert_eq!(printed[1..], ["bestmove P@d1", "response true"]);
}

#[test]
fn a_closed_output_ends_the_session() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let (job_sender, jobs) = unbounded();
    let (_events, event_receiver) = unbounded();
    let session = Session::new(Worker { jobs: job_sender, events: event_receiver }, Closed);
    let (sender, input) = unbounded();
    for line in ["go infinite", "query fen"] {
        sender.send(Input::Line(line.to_owned()).into()).expect("the session listens");
    }
    let error = session.run(&input).expect_err("nothing can be printed");
    assert!(matches!(error, SessionError::Output(error) if crate::io::is_closed(&error)));
    let Ok(Job::Search(job)) = jobs.recv() else { panic!("no search") };
    assert!(job.signals.stopped(), "the search is not left running");
}

#[test]
fn a_dead_worker_is_an_error() {
    let Rig { session, events, .. } = Rig::new();
    drop(events);
    let (_sender, input) = unbounded();
    assert!(matches!(session.run(&input), Err(SessionError::WorkerLost)));
}

/// A worker that never answers by itself stands for one that gets no processor.
#[test]
fn a_search_that_does_not_answer_in_time_is_answered_for() {
    let Rig { session, jobs, events, output } = Rig::new();
    let (sender, input) = unbounded::<crate::io::Arrival>();
    let send = |line: &str| sender.send(Input::Line(line.to_owned()).into()).expect("the session listens");
    let session = std::thread::spawn(move || session.run(&input));
    let next = || match jobs.recv().expect("a job") {
        Job::Search(job) => job,
        other => panic!("{other:?}"),
    };
    let wait_for = |count: usize| {
        while output.lines() < count {
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    // What was reported is played.
    send("go movetime 500");
    let job = next();
    events.send(WorkerEvent::Search(job.id, info(Value::Estimate(9), &[5, 4]))).expect("the session listens");
    wait_for(3);
    assert!(job.signals.stopped());
    // Its own answer comes too late, and is not a second one.
    events
        .send(WorkerEvent::Search(job.id, SearchEvent::Done { best: Some(3), ponder: None }))
        .expect("the session listens");
    // Without a report there is a move all the same, and the best there is at a glance.
    send("position 112233");
    send("go movetime 1");
    let _second = next();
    wait_for(5);
    // A stop is answered too.
    send("position startpos");
    send("go infinite");
    let third = next();
    send("stop");
    wait_for(7);
    assert!(third.signals.stopped());
    send("quit");
    session.join().expect("no panic").expect("nothing goes wrong");
    let lines = printed(&output);
    assert!(lines[0].contains("score cp 9 ") && lines[1].ends_with("pv P@f1 P@e1"), "{lines:?}");
    assert_eq!(lines[2], "bestmove P@f1 ponder P@e1");
    assert!(lines[3].contains("score mate 1 ") && lines[3].ends_with(" pv P@d1"), "{lines:?}");
    assert_eq!(lines[4], "bestmove P@d1");
    assert!(lines[5].starts_with("info depth 1 ") && lines[6] == "bestmove P@d1", "{lines:?}");
    assert_eq!(lines.len(), 7);
}
