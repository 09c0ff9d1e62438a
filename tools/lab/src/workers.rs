//! Work on many related items by several threads.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::thread;

use anyhow::Result;
use crossbeam_channel::{Receiver, Sender, bounded};

/// How many successive items a thread takes at a time. Neighbours should not be solved at the same moment: what is found
/// out about one helps with the next.
const CHUNK: usize = 64;

/// Finds the values of items, one after the other, on one thread.
pub(crate) type Worker<'a, K, V> = Box<dyn FnMut(K) -> Result<V> + 'a>;

/// Lets `threads`, each with a worker of its own that `workers` makes from the number of the thread, find out the value of
/// each item, and hands these to `take` on this thread, in whatever order.
///
/// # Errors
/// The first error of a worker or of `take`, which ends the work.
pub(crate) fn on_threads<'a, K: Copy + Send + Sync, V: Send>(
    items: &[K],
    threads: NonZeroUsize,
    workers: &(impl Fn(usize) -> Worker<'a, K, V> + Sync + ?Sized),
    mut take: impl FnMut(&K, V) -> Result<()>,
) -> Result<()> {
    let chunks = Mutex::new(items.chunks(CHUNK));
    let (sender, receiver): (Sender<(&K, Result<V>)>, Receiver<_>) = bounded(2 * CHUNK);
    thread::scope(|scope| {
        for number in 0..threads.get() {
            let (sender, chunks) = (sender.clone(), &chunks);
            scope.spawn(move || {
                let mut worker = workers(number);
                let next = || chunks.lock().ok()?.next();
                while let Some(chunk) = next() {
                    for item in chunk {
                        // Nobody takes it any more if an earlier one could not be written.
                        if sender.send((item, worker(*item))).is_err() {
                            return;
                        }
                    }
                }
            });
        }
        drop(sender);
        // Dropped as soon as something fails, so that the threads end.
        let results = receiver;
        results.iter().try_for_each(|(item, value)| take(item, value?))
    })
}
