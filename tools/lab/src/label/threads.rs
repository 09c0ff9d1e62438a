//! Work on the rows of a block by several threads.

use std::io;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, Scope, ScopedJoinHandle};

/// Rows that a thread takes together. With few rows, no thread waits long for the last one.
const PART: usize = 512;

/// Runs `work` for the parts of `0..count` on several threads. The results are in order.
pub(super) fn in_parallel<T: Send>(
    threads: NonZeroUsize,
    count: usize,
    work: impl Fn(Range<usize>) -> T + Sync,
) -> Vec<T> {
    let (next, work) = (&AtomicUsize::new(0), &work);
    let others = threads.get().min(count.div_ceil(PART)).saturating_sub(1);
    let mut results = thread::scope(|scope| {
        let others = (0..others).map_while(|_| start(scope, || parts(next, count, work)).ok());
        let others: Vec<_> = others.collect();
        let mut results = parts(next, count, work);
        for other in others {
            results.extend(join(other));
        }
        results
    });
    results.sort_unstable_by_key(|&(at, _)| at);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Takes parts until none is left. Returns the start and the result of each.
fn parts<T>(next: &AtomicUsize, count: usize, work: &impl Fn(Range<usize>) -> T) -> Vec<(usize, T)> {
    let mut results = Vec::new();
    loop {
        let at = next.fetch_add(PART, Ordering::Relaxed);
        if at >= count {
            return results;
        }
        results.push((at, work(at..(at + PART).min(count))));
    }
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
