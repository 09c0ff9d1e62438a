//! A request to end a match early, for threads that ask and for threads that wait.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crossbeam_channel::{Receiver, Sender, bounded};

/// Whether a match is to end early, as after Ctrl-C.
pub struct Interrupt {
    is_requested: AtomicBool,
    /// Dropped on the first request, which closes the channel for all who wait on it.
    sender: Mutex<Option<Sender<()>>>,
    receiver: Receiver<()>,
}

impl Default for Interrupt {
    fn default() -> Self {
        let (sender, receiver) = bounded(0);
        Self { is_requested: AtomicBool::new(false), sender: Mutex::new(Some(sender)), receiver }
    }
}

impl Interrupt {
    /// Requests the end; returns whether it was requested before.
    pub fn request(&self) -> bool {
        let is_repeated = self.is_requested.swap(true, Ordering::SeqCst);
        self.sender.lock().unwrap_or_else(PoisonError::into_inner).take();
        is_repeated
    }

    /// Whether the end was requested.
    pub fn is_requested(&self) -> bool {
        self.is_requested.load(Ordering::SeqCst)
    }

    /// A channel that is closed on the first request, and never carries a message.
    pub fn channel(&self) -> &Receiver<()> {
        &self.receiver
    }
}
