//! Ctrl-C: the first one asks the work to end in good order, the second one ends the program at once.

use std::fmt;
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use anyhow::{Context, Result};
use crossbeam_channel::{Receiver, Sender, bounded};

/// The exit code of a program that Ctrl-C has ended, as shells count it.
pub(crate) const EXIT_CODE: u8 = 130;

/// The work was interrupted and has ended in good order: how far it has come, and how it is resumed.
#[derive(Debug)]
pub(crate) struct Interrupted(pub(crate) String);

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Interrupted {}

/// Whether Ctrl-C was pressed, for threads that ask and for threads that wait.
pub(crate) struct Interrupt {
    is_requested: AtomicBool,
    /// Dropped on the first Ctrl-C, which closes the channel for all who wait on it.
    sender: Mutex<Option<Sender<()>>>,
    receiver: Receiver<()>,
}

impl Interrupt {
    fn new() -> Self {
        let (sender, receiver) = bounded(0);
        Self { is_requested: AtomicBool::new(false), sender: Mutex::new(Some(sender)), receiver }
    }

    /// Watches for Ctrl-C from the first call on; `abort` runs right before the second one ends the program.
    ///
    /// # Errors
    /// If the system refuses the signal handler.
    pub(crate) fn watch(abort: fn()) -> Result<&'static Self> {
        static INTERRUPT: OnceLock<Interrupt> = OnceLock::new();
        if let Some(interrupt) = INTERRUPT.get() {
            return Ok(interrupt);
        }
        let interrupt = INTERRUPT.get_or_init(Self::new);
        let handler = move || {
            if interrupt.request() {
                abort();
                exit(EXIT_CODE.into());
            }
        };
        ctrlc::set_handler(handler).context("cannot watch for Ctrl-C")?;
        Ok(interrupt)
    }

    /// Takes note of a Ctrl-C; returns whether there was one before.
    fn request(&self) -> bool {
        let is_repeated = self.is_requested.swap(true, Ordering::SeqCst);
        self.sender.lock().unwrap_or_else(PoisonError::into_inner).take();
        is_repeated
    }

    /// Whether the work is to end.
    pub(crate) fn is_requested(&self) -> bool {
        self.is_requested.load(Ordering::SeqCst)
    }

    /// A channel that is closed when the work is to end, and never carries a message.
    pub(crate) fn channel(&self) -> &Receiver<()> {
        &self.receiver
    }
}
