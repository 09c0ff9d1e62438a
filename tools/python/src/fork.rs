//! Locks in a process that may be forked.

use std::mem::{forget, replace};
use std::process;
use std::sync::{Arc, Mutex, PoisonError};

/// A lock that is replaced in a fork of the process. A forked process has only one thread, so a lock that another
/// thread held would stay locked forever.
pub(crate) struct ForkSafe<L>(Mutex<(u32, Arc<L>)>);

impl<L> ForkSafe<L> {
    pub(crate) fn new(lock: L) -> Self {
        Self(Mutex::new((process::id(), Arc::new(lock))))
    }

    /// The lock of this process. The first call after a fork makes it with `new`.
    pub(crate) fn get(&self, new: impl FnOnce() -> L) -> Arc<L> {
        // This mutex is held for a moment only, so a fork in the meantime is nearly impossible.
        let mut owned = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if owned.0 != process::id() {
            // The old lock is never dropped, because that could block.
            forget(replace(&mut *owned, (process::id(), Arc::new(new()))));
        }
        Arc::clone(&owned.1)
    }
}
