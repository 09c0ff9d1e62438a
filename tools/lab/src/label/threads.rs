//! Work on the rows of a block by several threads.

use std::io;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::panic::resume_unwind;
use std::thread::{self, Scope, ScopedJoinHandle};

/// Minimum number of rows for each additional thread.
const PART: usize = 512;

/// Runs `work` for an equal part of `0..count` on each of several threads. The results are in order.
pub(super) fn in_parallel<T: Send>(
    threads: NonZeroUsize,
    count: usize,
    work: impl Fn(Range<usize>) -> T + Sync,
) -> Vec<T> {
    let parts = threads.get().min(count.div_ceil(PART)).max(1);
    if parts == 1 {
        return vec![work(0..count)];
    }
    let (length, work) = (count.div_ceil(parts), &work);
    let ranges: Vec<_> = (0..parts).map(|part| part * length..(part * length + length).min(count)).collect();
    thread::scope(|scope| {
        let started: Vec<_> = ranges.iter().map(|range| start(scope, move || work(range.clone()))).collect();
        let results = started.into_iter().zip(&ranges).map(|(thread, range)| match thread {
            Ok(thread) => join(thread),
            // The system refused a thread, so this thread does the work.
            Err(_) => work(range.clone()),
        });
        results.collect()
    })
}

/// Runs `work`, and `read` at the same time if more than one thread is allowed.
pub(super) fn beside_reading<R: Send, W>(
    threads: NonZeroUsize,
    mut read: impl FnMut() -> R + Send,
    work: impl FnOnce() -> W,
) -> (R, W) {
    if threads.get() > 1 {
        let mut result = None;
        let worked = thread::scope(|scope| {
            let reading = start(scope, || result = Some(read()));
            let worked = work();
            reading.map(join).ok();
            worked
        });
        return (result.unwrap_or_else(read), worked);
    }
    let worked = work();
    (read(), worked)
}

fn start<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    thread::Builder::new().spawn_scoped(scope, work)
}

fn join<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_on_any_number_of_threads() {
        for threads in [1, 2, 5] {
            let threads = NonZeroUsize::new(threads).expect("positive");
            for count in [0, 1, PART, 10 * PART + 1] {
                let parts = in_parallel(threads, count, Iterator::collect::<Vec<_>>);
                assert_eq!(parts.concat(), (0..count).collect::<Vec<_>>());
            }
            assert_eq!(beside_reading(threads, || "read", || "done"), ("read", "done"));
        }
    }
}
