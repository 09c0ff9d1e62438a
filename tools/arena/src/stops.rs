//! Time in which this program was stopped, as after Ctrl-Z.
//!
//! A program gets no notice of a stop. A thread notes the time every 10 ms, and SIGCONT sets a flag, which
//! distinguishes a stop from a pause of that thread on a busy machine.

use std::time::{Duration, Instant};

/// Time between two instants, without stops.
pub fn running_time(from: Instant, to: Instant) -> Duration {
    let elapsed = to.saturating_duration_since(from);
    #[cfg(unix)]
    if elapsed >= unix::TICK {
        return elapsed.saturating_sub(unix::stopped_time(from, to));
    }
    elapsed
}

/// Starts the watching thread, once.
pub fn watch() {
    #[cfg(unix)]
    unix::watch();
}

#[cfg(unix)]
mod unix {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, LazyLock, Mutex};
    use std::thread;
    use std::time::{Duration, Instant};

    use signal_hook::consts::SIGCONT;
    use signal_hook::flag::register;

    use crate::locked;

    pub(super) const TICK: Duration = Duration::from_millis(10);

    /// A note that is older is from before a stop, or the thread had to wait.
    const OLD: Duration = Duration::from_millis(30);

    struct Notes {
        last: Instant,
        stops: Vec<(Instant, Instant)>,
    }

    static NOTES: LazyLock<Mutex<Notes>> =
        LazyLock::new(|| Mutex::new(Notes { last: Instant::now(), stops: Vec::new() }));

    /// `None` if the system refuses the handler or the thread.
    static CONTINUED: LazyLock<Option<Arc<AtomicBool>>> = LazyLock::new(|| {
        let flag = Arc::new(AtomicBool::new(false));
        register(SIGCONT, Arc::clone(&flag)).ok()?;
        let seen = Arc::clone(&flag);
        thread::Builder::new().spawn(move || note(&seen)).ok()?;
        Some(flag)
    });

    pub(super) fn watch() {
        LazyLock::force(&CONTINUED);
    }

    fn note(continued: &AtomicBool) {
        loop {
            thread::sleep(TICK);
            let mut now = Instant::now();
            // After a stop this thread may run before the handler of SIGCONT.
            if now - locked(&NOTES).last > OLD {
                thread::sleep(TICK);
            }
            let mut notes = locked(&NOTES);
            if continued.swap(false, Ordering::SeqCst) {
                // The stop may have begun after `now` was read.
                now = Instant::now();
                let last = notes.last;
                notes.stops.push((last, now));
            }
            notes.last = now;
        }
    }

    pub(super) fn stopped_time(from: Instant, to: Instant) -> Duration {
        let Some(continued) = &*CONTINUED else { return Duration::ZERO };
        loop {
            let notes = locked(&NOTES);
            if !continued.load(Ordering::SeqCst) && notes.last + OLD >= to {
                return notes
                    .stops
                    .iter()
                    .map(|stop| stop.1.min(to).saturating_duration_since(stop.0.max(from)))
                    .sum();
            }
            drop(notes);
            thread::sleep(TICK);
        }
    }
}
