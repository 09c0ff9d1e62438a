//! Long computations that Ctrl-C ends.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use plumb::search::StopFlag;
use pyo3::prelude::*;

/// Time between two looks at Python's signals. Ctrl-C takes effect within it.
const INTERVAL: Duration = Duration::from_millis(20);

/// Runs `work` on another thread, without Python's lock, until it is finished, and calls `tick` with the lock every 20 ms.
///
/// # Errors
/// What a signal handler raises, as that of Ctrl-C does, or `tick`: then `work` has been stopped by its flag and is over.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&StopFlag) -> T + Send,
    mut tick: impl FnMut(Python<'_>) -> PyResult<()> + Send,
) -> PyResult<T> {
    let stop = StopFlag::new();
    let stop = &stop;
    py.detach(|| {
        thread::scope(|scope| {
            let (send, receive) = channel();
            scope.spawn(move || {
                // The receiver is gone after a signal.
                let _ = send.send(work(stop));
            });
            loop {
                match receive.recv_timeout(INTERVAL) {
                    Ok(result) => return Ok(result),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => unreachable!("the thread sends before it ends"),
                }
                if let Err(raised) = Python::attach(|py| py.check_signals().and_then(|()| tick(py))) {
                    stop.stop();
                    return Err(raised);
                }
            }
        })
    })
}
