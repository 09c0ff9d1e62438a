//! A session without threads, for systems that have no threads.

use std::io::{self, Write};
use std::sync::Arc;

use super::executor::{Event, Executor, Job, SearchJob};
use super::session::{Session, input_of};
use crate::book::Book;
use crate::clock::Instant;
use crate::search::StopSignal;

/// An engine that searches on the caller's thread, one line at a time.
///
/// Without a [stop signal](Self::set_stop_signal) nothing can stop a search. Then `go ponder` ignores
/// `ponder`, and `go infinite` ends at a solution or at a depth or node limit.
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
    /// A finished infinite or pondering search whose answer waits for `stop` or `ponderhit`.
    held_back: Option<(Arc<SearchJob>, Event)>,
}

fn is_released(SearchJob { stop_flag, limits, .. }: &SearchJob) -> bool {
    stop_flag.is_stopped() || (!limits.infinite && stop_flag.ponder_hit_time().is_some())
}

impl<W: Write> LineSession<W> {
    /// A session that prints to `output`. Allocates the table at the first `isready`, `go` or `bench`.
    pub fn new(output: W) -> Self {
        Self { session: Session::new(output), executor: Executor::new(), held_back: None }
    }

    /// Sets a function that returns whether to stop the running job. Search threads call the function every
    /// few hundred nodes. It must ignore a stop that came before the line of the job.
    ///
    /// The answer of a finished infinite or pondering search then waits for `stop`, `ponderhit`, `quit`, or a
    /// new search, perft or benchmark.
    pub fn set_stop_signal(&mut self, signal: StopSignal) {
        self.session.unanswered.signal = Some(signal);
    }

    /// Sets the built-in book, for builds without the feature `book`. Returns `false` if the built-in book is
    /// set or was used already.
    pub fn set_book(&mut self, book: Book) -> bool {
        self.executor.set_book(book)
    }

    /// Executes one command, without its line end, and prints the answer. Returns `false` after `quit`.
    ///
    /// # Errors
    /// If the output cannot be written, or if memory runs out. The session is then over.
    pub fn line(&mut self, line: &str) -> io::Result<bool> {
        self.session.on_input(input_of(line.as_bytes().to_vec(), line.len()), Instant::now())?;
        if let Some((_, answer)) = self.held_back.take_if(|(search, _)| is_released(search)) {
            self.session.on_event(answer)?;
        }
        for job in std::mem::take(&mut self.session.unsent) {
            self.execute(job)?;
        }
        Ok(!self.session.is_finished())
    }

    /// The output of the session.
    pub fn output(&self) -> &W {
        &self.session.output
    }

    /// Mutable access to the output, for example to remove printed text.
    pub fn output_mut(&mut self) -> &mut W {
        &mut self.session.output
    }

    fn execute(&mut self, mut job: Job) -> io::Result<()> {
        let mut waiting = None;
        if let Job::Search(search) = &mut job {
            if self.session.unanswered.signal.is_none() {
                let SearchJob { limits, settings, .. } = Arc::make_mut(search);
                settings.swindle &= !limits.infinite;
                (limits.infinite, limits.ponder) = (false, false);
            } else if search.limits.infinite || search.limits.ponder {
                waiting = Some(Arc::clone(search));
            }
        }
        let (session, held_back) = (&mut self.session, &mut self.held_back);
        let mut printed = Ok(());
        let mut emit = |event: Event| match &waiting {
            _ if printed.is_err() => {}
            Some(search) if matches!(event, Event::BestMove { .. }) && !is_released(search) => {
                *held_back = Some((Arc::clone(search), event));
            }
            _ => printed = session.on_event(event),
        };
        let executed = self.executor.execute(job, &mut emit);
        printed?;
        executed.map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_that_wait_for_a_signal_end_by_themselves() {
        let mut session = LineSession::new(Vec::new());
        for line in [
            "setoption name Hash value 1",
            "position 112233",
            "go infinite",
            "stop",
            "go ponder movetime 50",
            "ponderhit",
            "perft 2",
            "wait",
        ] {
            assert!(session.line(line).expect("memory takes all output"), "{line}");
        }
        assert!(!session.line("quit").expect("memory takes all output"));
        let printed = String::from_utf8_lossy(session.output());
        assert_eq!(printed.matches("\nbestmove P@d1\n").count(), 2, "{printed}");
        assert!(printed.contains("\nNodes searched: 42\n"), "{printed}");
    }

    #[test]
    fn with_a_signal_an_infinite_search_answers_after_a_stop_only() {
        let mut session = LineSession::new(Vec::new());
        session.set_stop_signal(Arc::new(|| false));
        let mut answers_after = |line: &str| {
            session.line(line).expect("memory takes all output");
            String::from_utf8_lossy(session.output()).matches("bestmove").count()
        };
        answers_after("setoption name Hash value 1");
        answers_after("position 112233");
        assert_eq!(answers_after("go infinite"), 0);
        assert_eq!(answers_after("isready"), 0);
        assert_eq!(answers_after("ponderhit"), 0);
        assert_eq!(answers_after("stop"), 1);
        assert_eq!(answers_after("stop"), 1);
        assert_eq!(answers_after("go ponder movetime 1000"), 1);
        assert_eq!(answers_after("ponderhit"), 2);
        assert_eq!(answers_after("go infinite"), 2);
        assert_eq!(answers_after("go depth 1"), 4);
    }

    #[test]
    fn the_signal_ends_a_search() {
        use std::sync::atomic::{AtomicU32, Ordering};
        let polls = AtomicU32::new(0);
        let mut session = LineSession::new(Vec::new());
        session.set_stop_signal(Arc::new(move || polls.fetch_add(1, Ordering::Relaxed) > 1000));
        session.line("setoption name OwnBook value false").expect("memory takes all output");
        session.line("go infinite").expect("memory takes all output");
        assert!(session.output().windows(9).any(|text| text == b"bestmove "));
    }
}
