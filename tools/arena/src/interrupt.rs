//! Request to end a match early.

use std::sync::Mutex;

use crate::lock;
use crossbeam_channel::{Receiver, Sender, TryRecvError, bounded};

/// Request to end a match early, as after Ctrl-C.
pub struct Interrupt {
    /// Dropping it closes the channel.
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

    /// Channel that closes on the first request, and carries no message.
    pub fn channel(&self) -> &Receiver<()> {
        &self.receiver
    }
}
