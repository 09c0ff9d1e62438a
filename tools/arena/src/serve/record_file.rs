//! The record of a match in pieces, as JSON Lines with the header for spectators or as PGN, so that a long record takes little
//! memory and delays no other request.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Take};
use std::path::Path;

use hyper::body::Bytes;

use crate::pgn::to_pgn;
use crate::record::file::{parse_game, parse_header, to_line};
use crate::record::{MatchHeader, record_of};

/// Bytes of a piece, about.
const PIECE: usize = 32 * 1024;

/// A record that is being read, up to the end that it had at first.
pub(super) struct RecordFile {
    lines: BufReader<Take<File>>,
    /// Whether the games are written as PGN, else as JSON Lines.
    is_pgn: bool,
    /// From the first line, without which there is no PGN.
    header: Option<MatchHeader>,
}

impl RecordFile {
    /// Opens the record of a match in its directory.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub(super) fn open(directory: &Path, is_pgn: bool) -> io::Result<Self> {
        let file = File::open(record_of(directory))?;
        let length = file.metadata()?.len();
        Ok(Self { lines: BufReader::new(file.take(length)), is_pgn, header: None })
    }

    /// The next piece of whole lines or games; `None` at the end.
    ///
    /// # Errors
    /// If the file cannot be read, or is no record. A last line that is not whole is left out.
    pub(super) fn piece(&mut self) -> io::Result<Option<Bytes>> {
        let (mut piece, mut line) = (Vec::new(), Vec::new());
        while piece.len() < PIECE {
            line.clear();
            self.lines.read_until(b'\n', &mut line)?;
            if !line.ends_with(b"\n") {
                break;
            }
            match &self.header {
                None => {
                    let header = parse_header(&line).map_err(io::Error::other)?;
                    if !self.is_pgn {
                        piece.extend(to_line(&header.public()).map_err(io::Error::other)?.into_bytes());
                        piece.push(b'\n');
                    }
                    self.header = Some(header);
                }
                Some(header) if self.is_pgn => {
                    let game = parse_game(header, &line).map_err(io::Error::other)?;
                    piece.extend(to_pgn(header, &game).into_bytes());
                }
                Some(_) => piece.extend_from_slice(&line),
            }
        }
        Ok((!piece.is_empty()).then(|| piece.into()))
    }
}
