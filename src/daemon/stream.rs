//! Lines from a stream of input, and lines onto a stream of output.

use std::fmt::Display;
use std::io::{self, BufRead, ErrorKind, Write};
use std::thread;

use crate::clock::Instant;

use crossbeam_channel::{Receiver, Sender};

/// Length in bytes, without the line end, of the longest line that is read; longer ones are skipped.
pub(crate) const MAX_LINE: usize = 1 << 20;

/// Number of lines that the reader may be ahead of the session, which bounds the memory that a flood of input takes.
const LINES_AHEAD: usize = 16;

/// An item of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// A line, without its end (LF or CRLF). The last line of the stream may have no end.
    Line(String),
    /// A line longer than [`MAX_LINE`], which was skipped.
    TooLong {
        /// Its length in bytes, without the line end.
        bytes: usize,
    },
    /// A line that was skipped because it is not UTF-8.
    NotUtf8 {
        /// The first invalid byte, counted from 0.
        offset: usize,
    },
    /// The end of the stream, or an error of reading, which is treated as the end.
    End,
}

/// An item of the input, and when it was read.
#[derive(Clone, Debug)]
pub(crate) struct Arrival {
    /// The item.
    pub input: Input,
    /// The time at which its last byte was read.
    pub at: Instant,
}

impl From<Input> for Arrival {
    fn from(input: Input) -> Self {
        Self { input, at: Instant::now() }
    }
}

/// Starts a thread that reads `stream`, and returns the channel of its lines.
///
/// # Errors
/// If the system cannot start a thread.
pub(crate) fn spawn_reader(stream: impl BufRead + Send + 'static) -> io::Result<Receiver<Arrival>> {
    let (sender, receiver) = crossbeam_channel::bounded(LINES_AHEAD);
    thread::Builder::new().name("reader".to_owned()).spawn(move || read_lines(stream, &sender))?;
    Ok(receiver)
}

/// Reads `stream` to its end, or until the receiver is gone. [`Input::End`] is the last item sent.
pub(crate) fn read_lines(mut stream: impl BufRead, sender: &Sender<Arrival>) {
    let mut line = Line::default();
    loop {
        let chunk = match stream.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => {
                log::warn!("reading the input failed: {error}");
                &[]
            }
        };
        let end = chunk.iter().position(|&byte| byte == b'\n');
        line.push(&chunk[..end.unwrap_or(chunk.len())]);
        let consumed = end.map_or(chunk.len(), |end| end + 1);
        let at_end_of_stream = chunk.is_empty();
        stream.consume(consumed);

        let complete = end.is_some() || at_end_of_stream && line.length > 0;
        if complete && sender.send(line.take().into()).is_err() {
            return;
        }
        if at_end_of_stream {
            // Without a receiver the session has ended already.
            let _ = sender.send(Input::End.into());
            return;
        }
    }
}

/// A line being read. Bytes past the limit are counted but not kept.
#[derive(Default)]
struct Line {
    /// The bytes kept: one more than the limit at most, for the CR of a line that just fits.
    bytes: Vec<u8>,
    /// Number of bytes read, those not kept included.
    length: usize,
}

impl Line {
    fn push(&mut self, bytes: &[u8]) {
        let room = MAX_LINE + 1 - self.bytes.len();
        self.bytes.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.length += bytes.len();
    }

    /// Takes the line out, and leaves an empty one.
    fn take(&mut self) -> Input {
        let Self { mut bytes, length } = std::mem::take(self);
        if length > MAX_LINE + 1 {
            return Input::TooLong { bytes: length };
        }
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
        if bytes.len() > MAX_LINE {
            return Input::TooLong { bytes: bytes.len() };
        }
        match String::from_utf8(bytes) {
            Ok(text) => Input::Line(text),
            Err(error) => Input::NotUtf8 { offset: error.utf8_error().valid_up_to() },
        }
    }
}

/// A stream to print lines on, each written and flushed at once.
#[derive(Debug)]
pub(crate) struct Output<W> {
    stream: W,
    buffer: Vec<u8>,
}

impl<W: Write> Output<W> {
    /// An output that prints on `stream`.
    pub(crate) fn new(stream: W) -> Self {
        Self { stream, buffer: Vec::new() }
    }

    /// The stream.
    pub(crate) fn stream(&self) -> &W {
        &self.stream
    }

    /// The same, to be changed.
    pub(crate) fn stream_mut(&mut self) -> &mut W {
        &mut self.stream
    }

    /// Prints one line, given without its end, and flushes.
    ///
    /// # Errors
    /// Those of the stream; see [`is_closed`].
    pub(crate) fn line(&mut self, text: impl Display) -> io::Result<()> {
        self.buffer.clear();
        // One write for each line, so that a program that is killed leaves no partial line.
        writeln!(self.buffer, "{text}")?;
        self.stream.write_all(&self.buffer)?;
        self.stream.flush()
    }
}

/// Whether a write failed because the reader of the stream is gone: a reason to end, but no fault.
#[must_use]
pub(crate) fn is_closed(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::BrokenPipe
            | ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::NotConnected
            | ErrorKind::WriteZero
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read};

    fn read(bytes: &[u8]) -> Vec<Input> {
        read_from(BufReader::with_capacity(7, bytes))
    }

    fn read_from(stream: impl BufRead) -> Vec<Input> {
        let (sender, receiver) = crossbeam_channel::unbounded();
        read_lines(stream, &sender);
        drop(sender);
        receiver.iter().map(|arrival| arrival.input).collect()
    }

    fn line(text: &str) -> Input {
        Input::Line(text.to_owned())
    }

    #[test]
    fn lines_end_with_lf_crlf_or_the_stream() {
        let expected = [line("uci"), line("go depth 3"), line(""), line("a\rb"), line("quit"), Input::End];
        assert_eq!(read(b"uci\ngo depth 3\r\n\na\rb\nquit"), expected);
        assert_eq!(read(b""), [Input::End]);
        assert_eq!(read(b"quit\n"), [line("quit"), Input::End]);
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_and_reading_goes_on() {
        let mut bytes = vec![b'x'; MAX_LINE];
        bytes.extend(b"\r\n");
        bytes.extend(vec![b'y'; MAX_LINE + 1]);
        bytes.extend(b"\n");
        bytes.extend(vec![b'z'; 3 * MAX_LINE]);
        bytes.extend(b"\r\nuci\n");
        let read = read_from(BufReader::new(&bytes[..]));
        assert_eq!(read.len(), 5);
        assert_eq!(read[0], Input::Line("x".repeat(MAX_LINE)));
        assert_eq!(read[1], Input::TooLong { bytes: MAX_LINE + 1 });
        assert!(matches!(read[2], Input::TooLong { bytes } if bytes >= 3 * MAX_LINE));
        assert_eq!(read[3..], [line("uci"), Input::End]);
    }

    #[test]
    fn what_is_kept_of_a_long_line_is_bounded() {
        let chunk = vec![b'x'; 100_000];
        let mut line = Line::default();
        for _ in 0..100 {
            line.push(&chunk);
        }
        assert_eq!((line.bytes.len(), line.length), (MAX_LINE + 1, 10_000_000));
    }

    #[test]
    fn bytes_that_are_not_utf8_are_located() {
        let expected = [line("ä"), Input::NotUtf8 { offset: 3 }, line("\0"), Input::End];
        assert_eq!(read(b"\xC3\xA4\nab \xFF\xFE\n\0\n"), expected);
    }

    #[test]
    fn a_read_error_is_the_end_but_an_interruption_is_not() {
        struct Failing(Vec<io::Result<&'static [u8]>>);
        impl Read for Failing {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let bytes = self.0.remove(0)?;
                buffer[..bytes.len()].copy_from_slice(bytes);
                Ok(bytes.len())
            }
        }
        let script = vec![
            Ok(&b"uci\nis"[..]),
            Err(ErrorKind::Interrupted.into()),
            Ok(&b"ready"[..]),
            Err(ErrorKind::Other.into()),
        ];
        assert_eq!(read_from(BufReader::new(Failing(script))), [line("uci"), line("isready"), Input::End]);
    }

    #[test]
    fn a_reader_without_listener_ends() {
        let (sender, receiver) = crossbeam_channel::bounded(1);
        drop(receiver);
        read_lines(&b"uci\n"[..], &sender);
    }

    #[test]
    fn each_line_is_flushed() {
        #[derive(Default)]
        struct Counting(Vec<u8>, usize);
        impl Write for Counting {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0.extend(bytes);
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                self.1 += 1;
                Ok(())
            }
        }
        let mut output = Output::new(Counting::default());
        output.line("uciok").expect("memory takes it");
        output.line(format_args!("readyok{}", "")).expect("memory takes it");
        assert_eq!((output.stream.0.as_slice(), output.stream.1), (&b"uciok\nreadyok\n"[..], 2));
    }
}
