//! Runs long computations until they end, or until Ctrl-C, `Solver.stop` or a timeout.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use plumb::search::StopFlag;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyTimeoutError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::interrupts;

pyo3::create_exception!(
    plumb_engine,
    StoppedError,
    PyRuntimeError,
    "`Solver.stop` has ended the computation, or it has visited all of its `nodes`."
);

/// Interval at which Python's signals are checked.
const INTERVAL: Duration = Duration::from_millis(20);
/// Longest timeout in seconds; a longer timeout would overflow.
const MAX_TIMEOUT: f64 = 1e9;

/// Limits of a computation, in addition to Ctrl-C.
#[derive(Clone, Copy, Default)]
pub(crate) struct Ends<'a> {
    timeout: Option<(f64, Instant)>,
    stops: Option<(&'a AtomicU64, u64)>,
}

impl<'a> Ends<'a> {
    pub(crate) fn new(timeout: Option<&Bound<'_, PyAny>>, stops: &'a AtomicU64) -> PyResult<Self> {
        let mut ends = Self { timeout: None, stops: Some((stops, stops.load(Ordering::Relaxed))) };
        if let Some(timeout) = timeout {
            let fault = format!("timeout={}; expected seconds above 0", timeout.repr()?);
            let Ok(seconds) = timeout.extract::<f64>() else { return Err(PyTypeError::new_err(fault)) };
            if seconds.is_nan() || seconds <= 0.0 {
                return Err(PyValueError::new_err(fault));
            }
            let duration = Duration::from_secs_f64(seconds.min(MAX_TIMEOUT));
            ends.timeout = Some((seconds, Instant::now() + duration));
        }
        Ok(ends)
    }

    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.timeout.map(|(_, deadline)| deadline)
    }

    pub(crate) fn check(&self) -> PyResult<()> {
        if let Some((seconds, deadline)) = self.timeout
            && Instant::now() >= deadline
        {
            return Err(PyTimeoutError::new_err(format!(
                "timeout={seconds}: there is no answer in this time"
            )));
        }
        match self.stops {
            Some((stops, before)) if stops.load(Ordering::Relaxed) != before => {
                Err(StoppedError::new_err("`stop` has ended the computation"))
            }
            _ => Ok(()),
        }
    }
}

/// Runs `work` on another thread without the GIL. Calls `tick` with the GIL every [`INTERVAL`]. An exception,
/// such as an error of `ends`, stops `work`.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    ends: Ends<'_>,
    work: impl FnOnce(&StopFlag) -> T + Send,
    mut tick: impl FnMut(Python<'_>) -> PyResult<()> + Send,
) -> PyResult<T> {
    let interrupts = if is_main_thread(py)? { None } else { Some(interrupts::count()) };
    let stop = StopFlag::new();
    let stop = &stop;
    py.detach(|| {
        thread::scope(|scope| {
            let (send, receive) = channel();
            scope.spawn(move || {
                // Sending fails after an interrupt, because the receiver is gone.
                let _ = send.send(work(stop));
            });
            loop {
                let left = ends.deadline().map(|deadline| deadline.saturating_duration_since(Instant::now()));
                match receive.recv_timeout(left.map_or(INTERVAL, |left| left.min(INTERVAL))) {
                    Ok(result) => return Ok(result),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => unreachable!("the thread sends before it ends"),
                }
                let is_interrupted = interrupts.is_some_and(|before| interrupts::count() != before);
                let raised = if is_interrupted {
                    Err(PyKeyboardInterrupt::new_err(()))
                } else {
                    ends.check()
                        .and_then(|()| Python::attach(|py| py.check_signals().and_then(|()| tick(py))))
                };
                if let Err(raised) = raised {
                    stop.stop();
                    return Err(raised);
                }
            }
        })
    })
}

fn is_main_thread(py: Python<'_>) -> PyResult<bool> {
    let threading = py.import("threading")?;
    let main = threading.call_method0("main_thread")?.getattr("ident")?;
    threading.call_method0("get_ident")?.eq(main)
}
