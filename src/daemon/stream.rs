use std::io::{self, BufRead, ErrorKind, Read};

use crossbeam_channel::Sender;

use crate::clock::Instant;

pub(crate) const MAX_LINE: usize = 1 << 20;

pub(super) const LINES_AHEAD: usize = 16;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// A line without its end (LF or CRLF).
    Line(String),
    Skipped(String),
    End,
}

pub(crate) type Arrival = (Input, Instant);

const PIECE: u64 = MAX_LINE as u64 + 2;

/// Sends each line of the stream, and [`Input::End`] at its end.
pub(crate) fn read_lines(mut stream: impl BufRead, sender: &Sender<Arrival>) {
    let mut has_more = true;
    while has_more {
        let (mut line, mut length, mut is_whole) = (Vec::new(), 0, false);
        while has_more && !is_whole {
            let mut piece = Vec::new();
            let read = stream.by_ref().take(PIECE).read_until(b'\n', &mut piece);
            if let Err(error) = &read {
                log::warn!("reading the input failed: {error}");
            }
            has_more = read.is_ok_and(|bytes| bytes > 0);
            is_whole = piece.pop_if(|byte| *byte == b'\n').is_some();
            length += piece.len();
            // The rest of a line that is too long is only counted.
            if line.is_empty() {
                line = piece;
            }
        }
        let is_line = is_whole || length > 0;
        if is_line && sender.send((input_of(line, length), Instant::now())).is_err() {
            return;
        }
    }
    // Sending fails if the session has ended.
    let _ = sender.send((Input::End, Instant::now()));
}

pub(super) fn input_of(mut line: Vec<u8>, mut length: usize) -> Input {
    if line.len() == length {
        line.pop_if(|byte| *byte == b'\r');
        length = line.len();
    }
    if length > MAX_LINE {
        return Input::Skipped(format!("A line of {length} bytes was skipped: at most {MAX_LINE} are read."));
    }
    match String::from_utf8(line) {
        Ok(text) => Input::Line(text),
        Err(_) => Input::Skipped("A line was skipped: it is not UTF-8.".to_owned()),
    }
}

/// Whether a write failed because the reader of the stream is gone.
#[must_use]
pub fn is_closed(error: &io::Error) -> bool {
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
    use std::io::BufReader;

    fn read(bytes: &[u8]) -> Vec<Input> {
        read_from(BufReader::with_capacity(7, bytes))
    }

    fn read_from(stream: impl BufRead) -> Vec<Input> {
        let (sender, receiver) = crossbeam_channel::unbounded();
        read_lines(stream, &sender);
        drop(sender);
        receiver.iter().map(|(input, _)| input).collect()
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
        for (input, bytes) in read[1..3].iter().zip([MAX_LINE + 1, 3 * MAX_LINE + 1]) {
            let reason = format!("A line of {bytes} bytes was skipped: at most 1048576 are read.");
            assert_eq!(*input, Input::Skipped(reason));
        }
        assert_eq!(read[3..], [line("uci"), Input::End]);
    }

    #[test]
    fn a_line_that_is_not_utf8_is_skipped() {
        let reason = "A line was skipped: it is not UTF-8.".to_owned();
        let expected = [line("ä"), Input::Skipped(reason), line("\0"), Input::End];
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
}
