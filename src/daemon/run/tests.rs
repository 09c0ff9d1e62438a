use std::io::BufReader;
use std::time::Duration;

use super::*;
use crate::daemon::testing::{Shared, info};
use crate::search::Value;

fn channels() -> (Threads, Receiver<Job>, Sender<Event>, Sender<Arrival>) {
    let (line_sender, lines) = unbounded();
    let (job_sender, jobs) = unbounded();
    let (event_sender, events) = unbounded();
    let open_book = SharedBook::default();
    (Threads { lines, jobs: job_sender, events, open_book }, jobs, event_sender, line_sender)
}

fn send(sender: &Sender<Arrival>, line: &str) {
    sender.send((Input::Line(line.to_owned()), Instant::now())).expect("the session listens");
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
    let (threads, jobs, _events, sender) = channels();
    for line in ["go infinite", "query fen"] {
        send(&sender, line);
    }
    let error = run_session(Session::new(Closed), &threads).expect_err("nothing can be printed");
    assert!(crate::daemon::is_closed(&error), "{error}");
    let Ok(Job::Search(job)) = jobs.recv() else { panic!("no search") };
    assert!(job.stop_flag.is_stopped(), "the search is not left running");
}

#[test]
fn a_dead_search_thread_is_an_error() {
    let (threads, _jobs, events, _sender) = channels();
    drop(events);
    let error = run_session(Session::new(Shared::default()), &threads).expect_err("no search thread");
    assert_eq!(error.to_string(), "the search thread has ended before the session");
}

#[test]
fn the_clock_of_a_line_that_waited_starts_when_the_session_reads_it() {
    let (threads, jobs, events, sender) = channels();
    let next = || match jobs.recv().expect("a job") {
        Job::Search(job) => job,
        other => panic!("{other:?}"),
    };
    let answer = |id| events.send(Event::BestMove { id, best: Some(3), ponder: None }).expect("it listens");
    send(&sender, "go depth 1");
    send(&sender, "wait");
    let arrived = Instant::now();
    sender.send((Input::Line("go movetime 100".to_owned()), arrived)).expect("it listens");
    send(&sender, "wait");
    send(&sender, "quit");
    let session = std::thread::spawn(move || run_session(Session::new(Shared::default()), &threads));
    answer(next().id);
    let second = next();
    assert!(second.clock_start > arrived);
    answer(second.id);
    session.join().expect("no panic").expect("nothing goes wrong");
}

#[test]
fn a_search_that_does_not_answer_in_time_is_answered_for() {
    let (threads, jobs, events, sender) = channels();
    let output = Shared::default();
    let session = Session::new(output.clone());
    let send = |line: &str| send(&sender, line);
    let session = std::thread::spawn(move || run_session(session, &threads));
    let next = || match jobs.recv().expect("a job") {
        Job::Search(job) => job,
        other => panic!("{other:?}"),
    };
    let wait_for = |count: usize| {
        while output.lines().len() < count {
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    send("go movetime 3000");
    let job = next();
    events.send(Event::Info(job.id, info(Value::Estimate(9), &[5, 4]))).expect("the session listens");
    wait_for(3);
    assert!(job.stop_flag.is_stopped());
    events.send(Event::BestMove { id: job.id, best: Some(3), ponder: None }).expect("the session listens");
    send("position 112233");
    send("go infinite");
    let second = next();
    send("stop");
    wait_for(5);
    assert!(second.stop_flag.is_stopped());
    send("quit");
    session.join().expect("no panic").expect("nothing goes wrong");
    let lines = output.take_lines();
    assert!(lines[0].contains("score cp 9 ") && lines[1].ends_with("pv P@f1 P@e1"), "{lines:?}");
    assert_eq!(lines[2], "bestmove P@f1 ponder P@e1");
    assert!(lines[3].contains("score mate 1 ") && lines[3].ends_with(" pv P@d1"), "{lines:?}");
    assert_eq!(lines[4..], ["bestmove P@d1"]);
}

fn read(bytes: &[u8]) -> Vec<Input> {
    read_from(BufReader::with_capacity(7, bytes))
}

fn read_from(stream: impl BufRead) -> Vec<Input> {
    let (sender, receiver) = crossbeam_channel::unbounded();
    read_lines(stream, &sender);
    drop(sender);
    receiver.iter().map(|(input, _)| input).collect()
}

fn line(text: &str) -> Input {
    Input::Line(text.to_owned())
}

#[test]
fn lines_end_with_lf_crlf_or_the_stream() {
    let expected = [line("uci"), line("go depth 3"), line(""), line("a\rb"), line("quit"), Input::End];
    assert_eq!(read(b"uci\ngo depth 3\r\n\na\rb\nquit"), expected);
    assert_eq!(read(b""), [Input::End]);
    assert_eq!(read(b"quit\n"), [line("quit"), Input::End]);
}

#[test]
fn a_line_that_is_too_long_is_skipped_and_reading_goes_on() {
    let mut bytes = vec![b'x'; MAX_LINE];
    bytes.extend(b"\r\n");
    bytes.extend(vec![b'y'; MAX_LINE + 1]);
    bytes.extend(b"\n");
    bytes.extend(vec![b'z'; 3 * MAX_LINE]);
    bytes.extend(b"\r\nuci\n");
    let read = read_from(BufReader::new(&bytes[..]));
    assert_eq!(read.len(), 5);
    assert_eq!(read[0], Input::Line("x".repeat(MAX_LINE)));
    for (input, bytes) in read[1..3].iter().zip([MAX_LINE + 1, 3 * MAX_LINE + 1]) {
        let reason = format!("A line of {bytes} bytes was skipped: at most 1048576 are read.");
        assert_eq!(*input, Input::Skipped(reason));
    }
    assert_eq!(read[3..], [line("uci"), Input::End]);
}

#[test]
fn a_line_that_is_not_utf8_is_skipped() {
    let reason = "A line was skipped: it is not UTF-8.".to_owned();
    let expected = [line("ä"), Input::Skipped(reason), line("\0"), Input::End];
    assert_eq!(read(b"\xC3\xA4\nab \xFF\xFE\n\0\n"), expected);
}

#[test]
fn a_read_error_is_the_end_but_an_interruption_is_not() {
    struct Failing(Vec<io::Result<&'static [u8]>>);
    impl Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let bytes = self.0.remove(0)?;
            buffer[..bytes.len()].copy_from_slice(bytes);
            Ok(bytes.len())
        }
    }
    let script = vec![
        Ok(&b"uci\nis"[..]),
        Err(ErrorKind::Interrupted.into()),
        Ok(&b"ready"[..]),
        Err(ErrorKind::Other.into()),
    ];
    assert_eq!(read_from(BufReader::new(Failing(script))), [line("uci"), line("isready"), Input::End]);
}

#[test]
fn a_reader_without_listener_ends() {
    let (sender, receiver) = crossbeam_channel::bounded(1);
    drop(receiver);
    read_lines(&b"uci\n"[..], &sender);
}
