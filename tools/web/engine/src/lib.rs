//! The engine as a WebAssembly module: a session for a worker.
//!
//! The worker passes one line at a time. A callback gets each line of output. Another callback tells a search whether to stop,
//! because a worker has only one thread.

mod game_text;

use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::Arc;

use js_sys::Function;
use plumb::board::BoardSize;
use plumb::book::Book;
use plumb::daemon::LineSession;
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

/// A session of the line protocol, at most one per module.
#[wasm_bindgen]
pub struct Session(LineSession<Lines>);

#[wasm_bindgen]
impl Session {
    /// Calls `on_line` with each line of output, and `is_stopped` every few hundred nodes of a search.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(on_line: Function, is_stopped: Function) -> Self {
        report_panics(on_line.clone());
        let is_stopped = SingleThreaded(is_stopped);
        let mut session = LineSession::new(Lines { on_line, unfinished: Vec::new() });
        let is_signalled =
            move || is_stopped.call(&JsValue::UNDEFINED).is_ok_and(|answer| answer.is_truthy());
        session.set_stop_signal(Arc::new(is_signalled));
        Self(session)
    }

    /// Sets the opening book from the bytes of its file. It must come before the first `isready` or `go`.
    ///
    /// # Errors
    /// If the bytes are not a 7x6 book of this version, or the book comes too late.
    #[wasm_bindgen(js_name = setBook)]
    pub fn set_book(&mut self, file: Vec<u8>) -> Result<(), JsError> {
        let book =
            Book::open(Cow::Owned(file)).map_err(|error| JsError::new(&format!("the book: {error}")))?;
        let size = book.size();
        if size != BoardSize::STANDARD {
            return Err(JsError::new(&format!(
                "the book: it is for {size}; expected a book for {}",
                BoardSize::STANDARD
            )));
        }
        if !self.0.set_book(book) {
            return Err(JsError::new("the book comes too late"));
        }
        Ok(())
    }

    /// Processes a line. Returns false after `quit`.
    ///
    /// # Errors
    /// Without memory for the smallest table, or if `on_line` throws.
    pub fn line(&mut self, line: &str) -> Result<bool, JsError> {
        self.0.line(line).map_err(|error| JsError::new(&error.to_string()))
    }
}

/// Prints a panic as an `info string`.
fn report_panics(on_line: Function) {
    let on_line = SingleThreaded(on_line);
    std::panic::set_hook(Box::new(move |panic| {
        let text = panic.to_string().replace('\n', " ");
        let _ = on_line.call(&JsValue::from_str(&format!("info string the engine failed: {text}")));
    }));
}

/// A JavaScript function as `Send` and `Sync`, for the panic hook and the stop signal.
struct SingleThreaded(Function);

// SAFETY: the module has no threads that could share the function.
unsafe impl Send for SingleThreaded {}
// SAFETY: as above.
unsafe impl Sync for SingleThreaded {}

impl SingleThreaded {
    fn call(&self, argument: &JsValue) -> Result<JsValue, JsValue> {
        self.0.call1(&JsValue::NULL, argument)
    }
}

/// A stream that passes complete lines to a function.
struct Lines {
    on_line: Function,
    /// Bytes after the last line end.
    unfinished: Vec<u8>,
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.unfinished.extend_from_slice(part);
            if let Some(line) = self.unfinished.strip_suffix(b"\n") {
                let line = JsValue::from_str(&String::from_utf8_lossy(line));
                self.unfinished.clear();
                let called = self.on_line.call1(&JsValue::NULL, &line);
                called.map_err(|error| io::Error::other(format!("{error:?}")))?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
