//! A session without threads, for hosts that have none.

use std::io::{self, Write};
use std::time::Instant;

use super::executor::Executor;
use super::job::{Event, Job};
use super::options::Options;
use super::session::Session;

/// An engine that is handed one line at a time and searches on the caller's thread.
///
/// A line is answered in full before [`line`](Self::line) returns, so nothing can stop a search: `go infinite` and
/// `go ponder` end as the same `go` without these words does, and `go infinite` alone searches until the position is
/// solved. A host that must stay responsive sends `go movetime`.
///
/// ```
/// use plumb::daemon::LineSession;
///
/// let mut session = LineSession::new(Vec::new());
/// session.line("position startpos moves a a b b c c")?;
/// session.line("go movetime 100")?;
/// assert!(session.output().ends_with(b"\nbestmove P@d1\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct LineSession<W> {
    session: Session<W>,
    executor: Executor,
}

impl<W: Write> LineSession<W> {
    /// A session that prints on `output`. No memory to speak of is allocated before the first `isready` or `go`.
    pub fn new(output: W) -> Self {
        let executor = Executor::new(Options::default().hash_megabytes());
        Self { session: Session::new(output), executor }
    }

    /// Acts on one command, given without its line end, and prints the answer, each line as soon as it is known. Returns
    /// whether the session goes on: `false` after `quit`.
    ///
    /// # Errors
    /// If the output cannot be written, or if there is no memory for even the smallest table.
    pub fn line(&mut self, line: &str) -> io::Result<bool> {
        self.session.on_line(line, Instant::now())?;
        let jobs: Vec<_> = self.session.take_jobs().collect();
        for job in jobs {
            self.execute(job)?;
        }
        Ok(!self.session.is_finished())
    }

    /// The output.
    pub fn output(&self) -> &W {
        self.session.output()
    }

    fn execute(&mut self, mut job: Job) -> io::Result<()> {
        if let Job::Search(search) = &mut job {
            search.limits.infinite = false;
            search.limits.ponder = false;
        }
        let mut printed = Ok(());
        let mut emit = |event: Event| {
            if printed.is_ok() {
                printed = self.session.on_event(event);
            }
        };
        let executed = self.executor.execute(job, &|| false, &mut emit);
        printed?;
        executed.map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hands the lines to a session and returns what it prints.
    fn answers(lines: &[&str]) -> Vec<String> {
        let mut session = LineSession::new(Vec::new());
        for line in lines {
            assert!(session.line(line).expect("memory takes all output"), "{line}");
        }
        assert!(!session.line("quit").expect("memory takes all output"));
        let text = String::from_utf8(session.output().clone()).expect("UTF-8");
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_game_is_played_line_by_line() {
        let printed = answers(&[
            "uci",
            "setoption name Hash value 1",
            "isready",
            "ucinewgame",
            "position startpos moves P@a1 P@a2 P@b1 P@b2 P@c1 P@c2",
            "go movetime 100",
            "position startpos moves P@a1 P@a2 P@b1 P@b2 P@c1 P@c2 P@d1",
            "go depth 3",
        ]);
        let place = |line: &str| printed.iter().position(|printed| printed == line).expect(line);
        assert!(place("uciok") < place("readyok") && place("readyok") < place("bestmove P@d1"));
        assert!(printed[place("bestmove P@d1") - 1].contains(" score mate 1 "), "{printed:#?}");
        assert_eq!(printed.last().map(String::as_str), Some("bestmove (none)"));
    }

    #[test]
    fn searches_that_wait_for_a_signal_end_by_themselves() {
        let printed = answers(&[
            "setoption name Hash value 1",
            "position 112233",
            "go infinite",
            "stop",
            "go ponder movetime 50",
            "ponderhit",
            "perft 2",
            "wait",
        ]);
        assert_eq!(printed.iter().filter(|line| line.as_str() == "bestmove P@d1").count(), 2, "{printed:#?}");
        assert!(printed.contains(&"Nodes searched: 42".to_owned()), "{printed:#?}");
    }
}
