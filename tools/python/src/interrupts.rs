//! Counts Ctrl-C for threads in which Python runs no signal handlers.

#[cfg(unix)]
pub(crate) use unix::count;

/// Number of times that Ctrl-C was pressed. Always 0 without Unix signals.
#[cfg(not(unix))]
pub(crate) fn count() -> usize {
    0
}

#[cfg(unix)]
mod unix {
    use std::mem;
    use std::ptr;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use libc::{SA_SIGINFO, SIG_DFL, SIG_IGN, SIGINT, c_int, sigaction, sighandler_t};

    static COUNT: AtomicUsize = AtomicUsize::new(0);
    /// The previous handler of SIGINT, which `on_interrupt` calls.
    static PREVIOUS: AtomicUsize = AtomicUsize::new(0);
    static INSTALLING: Mutex<()> = Mutex::new(());

    /// Number of interrupts since the first call. Each call installs the handler again if Python has replaced it.
    pub(crate) fn count() -> usize {
        // Does not wait: in a forked process the lock may be locked forever.
        let Ok(_guard) = INSTALLING.try_lock() else { return COUNT.load(Ordering::Relaxed) };
        let ours = on_interrupt as extern "C" fn(c_int) as sighandler_t;
        // SAFETY: the structures are valid, and zeros are a valid `sigaction`. `on_interrupt` calls only functions that are
        // allowed in a signal handler.
        unsafe {
            let mut action: sigaction = mem::zeroed();
            if sigaction(SIGINT, ptr::null(), &raw mut action) != 0 {
                return COUNT.load(Ordering::Relaxed);
            }
            let before = action.sa_sigaction;
            // Only a handler is replaced. Without a handler Ctrl-C ends the process or is ignored.
            let is_handled = before != SIG_DFL && before != SIG_IGN && action.sa_flags & SA_SIGINFO == 0;
            if is_handled && before != ours {
                PREVIOUS.store(before, Ordering::Relaxed);
                action.sa_sigaction = ours;
                sigaction(SIGINT, &raw const action, ptr::null_mut());
            }
        }
        COUNT.load(Ordering::Relaxed)
    }

    extern "C" fn on_interrupt(signal: c_int) {
        COUNT.fetch_add(1, Ordering::Relaxed);
        let previous = PREVIOUS.load(Ordering::Relaxed);
        // SAFETY: `sigaction` returned the address of a handler with one argument.
        let handler = unsafe { mem::transmute::<sighandler_t, extern "C" fn(c_int)>(previous) };
        handler(signal);
    }
}
