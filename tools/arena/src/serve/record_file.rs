//! The record as JSON Lines or PGN, in pieces: a long record takes little memory, and delays no other request.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::iter;
use std::path::Path;

use hyper::body::Bytes;

use crate::pgn::to_pgn;
use crate::record::file::{parse_game, parse_header, to_line};
use crate::record::record_path;

const PIECE: usize = 32 * 1024;

pub(super) type Pieces = Box<dyn Iterator<Item = io::Result<Bytes>> + Send>;

/// Pieces are whole lines or games. An incomplete last line is left out.
pub(super) fn pieces(directory: &Path, is_pgn: bool) -> io::Result<Pieces> {
    let file = File::open(record_path(directory))?;
    let length = file.metadata()?.len();
    let mut lines = BufReader::new(file.take(length));
    let mut header = None;
    let mut next = move || -> io::Result<Option<Bytes>> {
        let (mut piece, mut line) = (Vec::new(), Vec::new());
        while piece.len() < PIECE {
            line.clear();
            lines.read_until(b'\n', &mut line)?;
            if !line.ends_with(b"\n") {
                break;
            }
            match &header {
                None => {
                    let found = parse_header(&line).map_err(io::Error::other)?;
                    if !is_pgn {
                        piece.extend(to_line(&found.public()).map_err(io::Error::other)?.into_bytes());
                        piece.push(b'\n');
                    }
                    header = Some(found);
                }
                Some(header) if is_pgn => {
                    let game = parse_game(header, &line).map_err(io::Error::other)?;
                    piece.extend(to_pgn(header, &game).into_bytes());
                }
                Some(_) => piece.extend_from_slice(&line),
            }
        }
        if piece.is_empty() { Ok(None) } else { Ok(Some(piece.into())) }
    };
    Ok(Box::new(iter::from_fn(move || next().transpose())))
}
