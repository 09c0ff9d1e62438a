//! Values behind locks, in a process that may be forked.

use std::mem::{forget, replace};
use std::process;
use std::sync::{Arc, Mutex, PoisonError};

/// A lock that is made anew in a fork of the process.
///
/// A fork has only the thread that forks. What another thread had locked stays locked there for ever, and whoever waits for it
/// hangs.
pub(crate) struct ForkSafe<L>(Mutex<(u32, Arc<L>)>);

impl<L> ForkSafe<L> {
    pub(crate) fn new(lock: L) -> Self {
        Self(Mutex::new((process::id(), Arc::new(lock))))
    }

    /// The lock of this process, from `new` in the first call after a fork.
    pub(crate) fn get(&self, new: impl FnOnce() -> L) -> Arc<L> {
        // Held for a moment only, without Python's lock: that another thread forks in it is all but impossible.
        let mut owned = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if owned.0 != process::id() {
            // To drop the old one might wait for its lock.
            forget(replace(&mut *owned, (process::id(), Arc::new(new()))));
        }
        Arc::clone(&owned.1)
    }
}
