//! An engine process under test, with a time limit on every answer.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use plumb::board::{Geometry, Position};
use plumb::mix::Random;
use plumb_protocol::{Info, Move, Reply, parse_reply};

/// Timeout for a line of output or an exit. `PLUMB_TEST_TIMEOUT` sets the seconds, for example on emulated machines.
pub(crate) fn timeout() -> Duration {
    let seconds = std::env::var("PLUMB_TEST_TIMEOUT").ok().and_then(|text| text.parse().ok());
    Duration::from_secs(seconds.unwrap_or(60))
}

pub(crate) const ERROR: &str = "on standard error: ";

const TRANSCRIPT: usize = 1000;

pub(crate) struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    transcript: Vec<String>,
}

/// Reader that sleeps before each read. A read then returns many lines, so the reading thread wakes up less often.
struct Unhurried<R>(R, Duration);

impl<R: Read> Read for Unhurried<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        thread::sleep(self.1);
        self.0.read(buffer)
    }
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) infos: Vec<Info>,
    pub(crate) best: Option<Move>,
    pub(crate) ponder: Option<Move>,
    pub(crate) line: String,
}

impl Engine {
    pub(crate) fn start() -> Self {
        Self::spawn(&mut Self::command())
    }

    /// Command that starts the engine without environment variables that change its output. `PLUMB_UNDER_TEST` is the
    /// path of another build to test.
    pub(crate) fn command() -> Command {
        let other = std::env::var_os("PLUMB_UNDER_TEST");
        let mut command = Command::new(other.unwrap_or_else(|| env!("CARGO_BIN_EXE_plumb").into()));
        command.env_remove("RUST_LOG");
        command
    }

    /// Starts an engine and keeps only lines for which `keep` is true. Lines of its standard error have the prefix
    /// [`ERROR`].
    pub(crate) fn start_for_few_lines(keep: fn(&str) -> bool) -> Self {
        Self::spawn_for(Self::command().stderr(Stdio::piped()), keep, Duration::from_millis(1))
    }

    pub(crate) fn start_as(dialect: &str) -> (Self, Vec<String>) {
        let mut engine = Self::start();
        engine.send(dialect);
        let listing = engine.until(&format!("{dialect}ok"));
        (engine, listing)
    }

    /// Starts an engine. Its output must be UTF-8 without control characters.
    pub(crate) fn spawn(command: &mut Command) -> Self {
        Self::spawn_for(command, |_| true, Duration::ZERO)
    }

    fn spawn_for(command: &mut Command, keep: fn(&str) -> bool, pause: Duration) -> Self {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the engine can be started");
        let (sender, lines) = channel();
        if let Some(stderr) = child.stderr.take() {
            let errors = sender.clone();
            thread::spawn(move || {
                for line in BufReader::new(stderr).lines() {
                    let line = line.unwrap_or_else(|error| error.to_string());
                    if errors.send(format!("{ERROR}{line}")).is_err() {
                        break;
                    }
                }
            });
        }
        let stdout = child.stdout.take().expect("stdout is a pipe");
        let mut stdout = BufReader::with_capacity(1 << 16, Unhurried(stdout, pause));
        thread::spawn(move || {
            let mut bytes = Vec::new();
            while stdout.read_until(b'\n', &mut bytes).is_ok_and(|length| length > 0) {
                let line = str::from_utf8(&bytes).expect("the output is UTF-8");
                let line = line.strip_suffix('\n').unwrap_or(line);
                assert!(!line.contains(char::is_control), "{line:?}");
                if keep(line) && sender.send(line.to_owned()).is_err() {
                    break;
                }
                bytes.clear();
            }
        });
        let stdin = child.stdin.take();
        Self { child, stdin, lines, transcript: Vec::new() }
    }

    pub(crate) fn send(&mut self, line: &str) {
        self.transcript.push(format!("> {line}"));
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("the input is open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the engine reads");
    }

    pub(crate) fn close_input(&mut self) {
        self.stdin = None;
    }

    pub(crate) fn next_line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(timeout()) {
            Ok(line) => {
                if self.transcript.len() >= TRANSCRIPT {
                    self.transcript.drain(..TRANSCRIPT / 2);
                }
                self.transcript.push(format!("< {line}"));
                Some(line)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no answer:\n{}", self.tail()),
        }
    }

    pub(crate) fn line(&mut self) -> String {
        self.next_line().unwrap_or_else(|| panic!("the engine is gone:\n{}", self.tail()))
    }

    pub(crate) fn ask(&mut self, line: &str, expected: &str) {
        self.send(line);
        let answer = self.line();
        assert_eq!(answer, expected, "\n{}", self.tail());
    }

    pub(crate) fn until(&mut self, prefix: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.line());
            if lines.last().is_some_and(|line| line.starts_with(prefix)) {
                return lines;
            }
        }
    }

    pub(crate) fn ready(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Resident memory in KB, threads and open files, with `Hash` and `Threads` set to 1.
    #[cfg(target_os = "linux")]
    fn holdings(&mut self) -> (u64, u64, usize) {
        for line in ["setoption name Threads value 1", "setoption name Hash value 1", "ucinewgame"] {
            self.send(line);
        }
        self.ready();
        let folder = format!("/proc/{}", self.child.id());
        let status = std::fs::read_to_string(format!("{folder}/status")).expect("Linux tells");
        let field = |name: &str| -> u64 {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).expect(name);
            line.split_whitespace().next().and_then(|number| number.parse().ok()).expect(line)
        };
        let files = std::fs::read_dir(format!("{folder}/fd")).expect("Linux tells").count();
        (field("VmRSS:"), field("Threads:"), files)
    }

    pub(crate) fn go(&mut self, line: &str) -> Answer {
        self.send(line);
        self.answer()
    }

    /// Reads lines up to `bestmove`. Printing a parsed line must reproduce the line, so stricter parsers accept it,
    /// too.
    pub(crate) fn answer(&mut self) -> Answer {
        let mut infos = Vec::new();
        loop {
            let line = self.line();
            let reply = parse_reply(&line).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert_eq!(reply.to_string(), line);
            match reply {
                Reply::Info(info) if info.score.is_some() => infos.push(info),
                Reply::BestMove { best, ponder } => return Answer { infos, best, ponder, line },
                _ => {}
            }
        }
    }

    pub(crate) fn finish(mut self) -> (Vec<String>, Option<i32>) {
        let mut lines = Vec::new();
        while let Some(line) = self.next_line() {
            lines.push(line);
        }
        (lines, exit_code(&mut self.child))
    }

    pub(crate) fn quit(mut self) {
        self.send("quit");
        let (_, code) = self.finish();
        assert_eq!(code, Some(0));
    }

    fn tail(&self) -> String {
        self.transcript[self.transcript.len().saturating_sub(30)..].join("\n")
    }
}

/// Kilobytes by which resident memory may grow without a leak, because of heap fragments and pages of the book.
#[cfg(target_os = "linux")]
const GROWTH: u64 = 12 << 10;

/// Checks that an engine's memory, threads and open files do not grow. Linux only.
#[derive(Default)]
pub(crate) struct Watch {
    #[cfg(target_os = "linux")]
    first: Option<(u64, u64, usize)>,
}

impl Watch {
    #[cfg(target_os = "linux")]
    #[expect(clippy::print_stdout, reason = "figures of a long run")]
    pub(crate) fn look(&mut self, engine: &mut Engine) {
        let now = engine.holdings();
        println!("kilobytes, threads, files: {now:?}");
        let first = *self.first.get_or_insert(now);
        assert!(now.0 <= first.0 + GROWTH, "memory grew from {} to {} KB", first.0, now.0);
        assert_eq!((now.1, now.2), (first.1, first.2), "threads and files");
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn look(&mut self, _: &mut Engine) {}
}

/// Plays a move. Its rank, if any, must be the rank where the stone lands.
pub(crate) fn play<G: Geometry>(position: &Position<G>, m: Move) -> Position<G> {
    position.try_play(m).unwrap_or_else(|error| panic!("{m}: {error}:\n{position}"))
}

pub(crate) fn one_of<'a, T: ?Sized>(random: &mut Random, choices: &[&'a T]) -> &'a T {
    choices[random.below(choices.len() as u32) as usize]
}

pub(crate) fn exit_code(child: &mut Child) -> Option<i32> {
    let since = Instant::now();
    while since.elapsed() < timeout() {
        if let Some(status) = child.try_wait().expect("the process can be waited for") {
            return status.code();
        }
        thread::sleep(Duration::from_millis(5));
    }
    // `kill` fails only if the process has just ended.
    let _ = child.kill();
    panic!("the engine does not end");
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Answer {
    /// The last `info` line with a score, by which arenas adjudicate.
    pub(crate) fn info(&self) -> &Info {
        self.infos.last().unwrap_or_else(|| panic!("no info line before {}", self.line))
    }

    pub(crate) fn best(&self) -> Move {
        self.best.unwrap_or_else(|| panic!("no move in {}", self.line))
    }

    /// Checks that the last `info` line has all fields and that its pv begins with the move.
    pub(crate) fn check(&self) {
        let info = self.info();
        let complete = info.depth.is_some()
            && info.sel_depth.is_some()
            && info.nodes.is_some()
            && info.nps.is_some()
            && info.hash_full.is_some()
            && info.tb_hits.is_some()
            && info.time.is_some();
        assert!(complete, "{info}");
        assert_eq!(info.pv.first(), self.best.as_ref(), "{info}\n{}", self.line);
    }
}
