//! A request to end a match early.

use std::sync::Mutex;

use crate::lock;
use crossbeam_channel::{Receiver, Sender, TryRecvError, bounded};

/// Whether a match is to end early, as after Ctrl-C.
pub struct Interrupt {
    /// Dropped on the first request, which closes the channel.
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
    /// Requests the end.
    pub fn request(&self) {
        *lock(&self.sender) = None;
    }

    /// Whether the end was requested.
    pub fn is_requested(&self) -> bool {
        self.receiver.try_recv() == Err(TryRecvError::Disconnected)
    }

    /// A channel that is closed on the first request, and never carries a message.
    pub fn channel(&self) -> &Receiver<()> {
        &self.receiver
    }
}
