//! An engine as a process: commands and timed replies.
//!
//! An engine may print invalid UTF-8 or endless lines, never end, or not read its input.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;
use std::process::{self, Child, ChildStdin, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use crate::locked;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TryRecvError, bounded, never, select};
use plumb_protocol::{Command, Dialect, escaped, shortened};

use super::affinity::Processors;
use super::command_line;
use super::config::EngineConfig;
use super::fault::EngineFault;
use super::log::LogSender;
use super::pipes::{TimedLine, last_words, running_time, standard_error, standard_output, watch_stops};

/// Maximum time for an engine to close its pipes after `quit`, and then to end.
const QUIT_TIMEOUT: Duration = Duration::from_millis(500);

const MAX_QUOTE: usize = 80;

/// Time to wait for an interrupt after an engine has ended: a job scheduler may kill engines before it signals this
/// program.
const SIGNAL_TIMEOUT: Duration = Duration::from_millis(500);

/// Log, interrupt and CPUs for engines.
#[derive(Clone, Default)]
pub struct EngineContext {
    /// Log of all lines to and from the engines.
    pub log: LogSender,
    /// Interrupt that ends all waits. Ctrl-C reaches only this program, because engines have their own process groups.
    pub interrupt: Option<&'static Interrupt>,
    /// CPUs that engines may use. `None` for all.
    pub processors: Option<Processors>,
    /// Engines that have pondered, for a warning about engines that never ponder.
    pub pondered: Arc<Mutex<BTreeSet<String>>>,
}

/// Request to end a match early, as after Ctrl-C.
pub struct Interrupt {
    /// A request drops the sender, which closes the channel.
    sender: Mutex<Option<Sender<()>>>,
    receiver: Receiver<()>,
}

impl Default for Interrupt {
    fn default() -> Self {
        let (sender, receiver) = bounded(0);
        Self { sender: Mutex::new(Some(sender)), receiver }
    }
}

impl Interrupt {
    /// Requests the end of the match.
    pub fn request(&self) {
        *locked(&self.sender) = None;
    }

    /// Whether the end of the match was requested.
    pub fn is_requested(&self) -> bool {
        self.receiver.try_recv() == Err(TryRecvError::Disconnected)
    }

    /// Channel that closes on the first request, and carries no message.
    pub fn channel(&self) -> &Receiver<()> {
        &self.receiver
    }
}

/// An engine's process. Dropping it sends `quit`, and kills the process if it does not end.
pub(super) struct EngineProcess {
    child: Arc<Mutex<ChildProcess>>,
    input: ChildStdin,
    output: Receiver<TimedLine>,
    errors: Receiver<String>,
    last_words: OnceCell<Option<String>>,
    last_line: Option<String>,
    interrupt: Option<&'static Interrupt>,
    pub log: LogSender,
    dialect: Dialect,
    pub start: Instant,
}

impl EngineProcess {
    pub(super) fn spawn(config: &EngineConfig, context: &EngineContext) -> Result<Self, EngineFault> {
        let mut command = command_line::command(&config.command, config.directory.as_deref())
            .map_err(|error| EngineFault::NotStarted(error.to_string()))?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        watch_stops();
        let start = Instant::now();
        let mut child = spawn(&mut command, context.processors.as_ref()).map_err(|error| {
            EngineFault::NotStarted(command_line::start_error(Path::new(command.get_program()), &error))
        })?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let child = ChildProcess::listed(child);
        let (Some(input), Some(output), Some(errors)) = pipes else {
            return Err(EngineFault::NotStarted("it has no pipes".to_owned()));
        };
        let log = context.log.engine(&config.name);
        let unread =
            |error| EngineFault::NotStarted(format!("there is no thread to read what it says: {error}"));
        let output = standard_output(output, log.clone()).map_err(unread)?;
        let errors = standard_error(errors, log.clone()).map_err(unread)?;
        let (interrupt, dialect) = (context.interrupt, config.dialect);
        let (last_words, last_line) = (OnceCell::new(), None);
        Ok(Self { child, input, output, errors, last_words, last_line, interrupt, log, dialect, start })
    }

    pub(super) fn id(&self) -> u32 {
        locked(&self.child).child.id()
    }

    pub(super) fn send(&mut self, commands: &[Command<'_>]) -> Result<Instant, EngineFault> {
        let dialect = self.dialect;
        self.send_lines(commands.iter().map(|command| command.line(dialect)))
    }

    pub(super) fn send_lines(
        &mut self,
        lines: impl IntoIterator<Item = String>,
    ) -> Result<Instant, EngineFault> {
        let before = Instant::now();
        self.write(lines).map_err(|_| self.gone())?;
        Ok(before)
    }

    /// Waits for a line until `timeout` after `since`. The timeout excludes time in which this program was suspended.
    pub(super) fn wait_for(
        &mut self,
        since: Instant,
        timeout: Duration,
        mut wanted: impl FnMut(&str) -> bool,
    ) -> Result<Option<TimedLine>, EngineFault> {
        let mut end = since + timeout;
        loop {
            match self.next_line(end) {
                Ok((arrival, line)) if wanted(&line) => {
                    self.last_line = None;
                    return Ok(Some((arrival, line)));
                }
                Ok((arrival, line)) if arrival <= end => self.last_line = Some(line),
                // A late line counts as a timeout, because an engine may print lines without a pause.
                Ok(_) | Err(RecvTimeoutError::Timeout) => {
                    let now = Instant::now();
                    let left = timeout.saturating_sub(running_time(since, now));
                    if left.is_zero() {
                        return Ok(None);
                    }
                    end = now + left;
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.gone()),
            }
        }
    }

    /// Fault for a missing answer. The engine may have ended although another process keeps its pipe open.
    pub(super) fn unanswered(&self, fault: impl FnOnce(String) -> EngineFault) -> EngineFault {
        if matches!(locked(&self.child).try_wait(), Ok(Some(_))) {
            return self.gone();
        }
        let line = self.last_line.as_ref().map(|line| format!("; its last line was `{}`", quoted(line)));
        fault(line.unwrap_or_default())
    }

    /// Next line before `end`. `Disconnected` means a closed pipe or an interrupt.
    fn next_line(&self, end: Instant) -> Result<TimedLine, RecvTimeoutError> {
        let never = never();
        select! {
            recv(self.output) -> line => line.map_err(|_| RecvTimeoutError::Disconnected),
            recv(self.interrupt.map_or(&never, Interrupt::channel)) -> _ => Err(RecvTimeoutError::Disconnected),
            default(end.saturating_duration_since(Instant::now())) => Err(RecvTimeoutError::Timeout),
        }
    }

    fn write(&mut self, lines: impl IntoIterator<Item = String>) -> io::Result<()> {
        let mut text = String::new();
        for line in lines {
            // Logs commands before it sends them, so no answer precedes its command in the log.
            self.log.line('>', &line);
            text.extend([&line, "\n"]);
        }
        self.input.write_all(text.as_bytes()).and_then(|()| self.input.flush())
    }

    fn gone(&self) -> EngineFault {
        let signal = self.interrupt.map(|interrupt| interrupt.channel().recv_timeout(SIGNAL_TIMEOUT));
        if signal == Some(Err(RecvTimeoutError::Disconnected)) {
            return EngineFault::Interrupted;
        }
        let how = match wait(&self.child, QUIT_TIMEOUT) {
            Some(status) => format!("has ended ({status})"),
            None => "has closed its pipes".to_owned(),
        };
        EngineFault::Gone(match self.last_words.get_or_init(|| last_words(&self.errors)) {
            Some(words) => format!("{how}; standard error: {words}"),
            None => how,
        })
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        let _ = self.write([Command::Quit.to_string()]);
        // An engine blocked on a full pipe reads `quit` only if its output is read.
        let end = Instant::now() + QUIT_TIMEOUT;
        while self.next_line(end).is_ok_and(|(arrival, _)| arrival <= end) {}
        // If the process does not end in time, dropping `child` kills it.
        let _ = wait(&self.child, QUIT_TIMEOUT);
    }
}

pub(super) fn quoted(line: &str) -> String {
    escaped(&shortened(line, MAX_QUOTE))
}

static RUNNING: Mutex<Vec<Weak<Mutex<ChildProcess>>>> = Mutex::new(Vec::new());

/// Engine process, leader of a process group, so Ctrl-C on the terminal does not reach it. On Unix its group is killed
/// with it.
struct ChildProcess {
    child: Child,
    status: Option<ExitStatus>,
}

/// Starts a program. On Linux the system kills it when the calling thread ends.
fn spawn(command: &mut process::Command, processors: Option<&Processors>) -> io::Result<Child> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        let parent = process::id();
        // SAFETY: the closure makes system calls only, and neither allocates nor locks.
        unsafe { std::os::unix::process::CommandExt::pre_exec(command, move || request_end_with(parent)) };
    }
    #[cfg(windows)]
    {
        const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
        std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP);
    }
    match processors {
        Some(processors) => processors.spawn(command),
        None => command.spawn(),
    }
}

impl ChildProcess {
    fn listed(child: Child) -> Arc<Mutex<Self>> {
        let process = Arc::new(Mutex::new(Self { child, status: None }));
        let mut running = locked(&RUNNING);
        running.retain(|process| process.strong_count() > 0);
        running.push(Arc::downgrade(&process));
        process
    }

    /// Reaps an ended process, after it has killed the rest of the process group.
    fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        #[cfg(unix)]
        if self.status.is_none() {
            if !process_group::has_ended(self.child.id()) {
                return Ok(None);
            }
            process_group::kill(self.child.id());
        }
        self.status = self.child.try_wait()?;
        Ok(self.status)
    }

    fn kill(&mut self) {
        if self.status.is_some() {
            return;
        }
        #[cfg(unix)]
        process_group::kill(self.child.id());
        let _ = self.child.kill();
        self.status = self.child.wait().ok();
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

fn wait(process: &Mutex<ChildProcess>, timeout: Duration) -> Option<ExitStatus> {
    let end = Instant::now() + timeout;
    loop {
        match locked(process).try_wait() {
            Ok(None) if Instant::now() < end => {}
            status => return status.ok().flatten(),
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Kills all engines immediately.
pub fn kill_all() {
    for process in locked(&RUNNING).iter().filter_map(Weak::upgrade) {
        locked(&process).kill();
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn request_end_with(parent: u32) -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    // `getppid` shows whether the parent died before the request.
    let is_alive = rustix::process::getppid().is_some_and(|found| found.as_raw_pid() as u32 == parent);
    if is_alive { Ok(()) } else { Err(io::ErrorKind::NotFound.into()) }
}

/// Process groups, so a wrapper script and its children end together.
#[cfg(unix)]
mod process_group {
    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

    /// Whether a child has ended. It is not reaped, so no other process gets its number before [`kill`].
    pub(super) fn has_ended(id: u32) -> bool {
        let Some(child) = Pid::from_raw(id as i32) else { return true };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        // An error means that the child is gone.
        !matches!(waitid(WaitId::Pid(child), options), Ok(None))
    }

    /// Kills the group of an unreaped child. The number of a reaped child could belong to another group.
    pub(super) fn kill(id: u32) {
        if let Some(child) = Pid::from_raw(id as i32) {
            // Fails only if the group is gone.
            let _ = kill_process_group(child, Signal::KILL);
        }
    }
}
