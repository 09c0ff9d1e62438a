//! The file format of books. All numbers are little-endian.
//!
//! ```text
//! offset  bytes
//!      0      8  "plumbook"
//!      8      2  version of the format: 3
//!     10      1  columns of the board
//!     11      1  rows
//!     12      1  number of layers, at least 1
//!     13      3  zero
//!     16      4  length of the file
//!     20      4  zero
//!     24         for each layer, by ascending number of stones:
//!             1    stones
//!             1    width of a value in bits
//!             1    binary logarithm of the slots in a segment
//!             1    number of distinct scores, less 1
//!             4    positions
//!             4    seed
//!             4    segments that may hold a first slot
//!             n    the distinct scores for the side to move as signed bytes, ascending: value i stands for the i-th
//!             1    levels of the moves plus 1; 0 if the layer has no moves
//!                  for each level:
//!                    1    binary logarithm of the slots in a segment
//!                    4    seed
//!                    4    segments that may hold a first slot
//!                then:
//!             1    stones of the positions from which the extension starts plus 1; 0 if there is no extension
//!                  if there is one:
//!                    1    binary logarithm of the slots in a segment
//!                    4    positions with a move
//!                    4    seed
//!                    4    segments that may hold a first slot
//!                for each layer, in the same order:
//!             n    the array of the scores
//!             n    the array of each level
//!                then:
//!             n    the array of the extension, if there is one
//!      -8     8  checksum of all before it
//! ```
//!
//! The length of an array follows from its parameters (`static_function.rs`), its offset from the arrays
//! before it. `layer.rs` describes layers, levels and extension.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::iter;
use std::ops::RangeInclusive;

use super::layer::{BookExtension, BookFunction, Layer, VALUE_BITS};
use super::static_function::Parameters;
use crate::board::{AnyBoard, BoardSize, Geometry};
use crate::score::{Score, win_with_stone};

pub(super) const MAGIC: &[u8; 8] = b"plumbook";
pub(super) const VERSION: u16 = 3;
pub(super) const HEADER: usize = 24;
pub(super) const TRAILER: usize = 8;

/// A board on which books are possible: keys of up to 64 bits.
pub type BookBoard = AnyBoard<u64>;

/// The board of a book. `file` need only contain the header.
///
/// # Errors
/// If the header is incomplete or invalid.
pub fn board_of(file: &[u8]) -> Result<BookBoard, BookError> {
    if !file.starts_with(MAGIC) {
        return Err(BookError::new("not an opening book, which starts with `plumbook`"));
    }
    let header = file.get(..HEADER).ok_or_else(|| truncated(file, HEADER))?;
    let version = u16::from_le_bytes([header[8], header[9]]);
    if version != VERSION {
        let fault = format!("the book has version {version} of the format, only {VERSION} is known");
        return Err(BookError::new(fault));
    }
    let size = BoardSize { width: u32::from(header[10]), height: u32::from(header[11]) };
    BookBoard::new(size).map_err(|error| BookError::new(format!("a book for {size}: {error}")))
}

fn truncated(file: &[u8], expected: usize) -> BookError {
    BookError::new(format!(
        "the file is cut off after {} of {expected} bytes; copy or build it again",
        file.len()
    ))
}

type Contents = (BookBoard, Vec<Layer>, Option<BookExtension>);

pub(super) fn read(file: &[u8]) -> Result<Contents, BookError> {
    let board = board_of(file)?;
    let length = u32::from_le_bytes([file[16], file[17], file[18], file[19]]) as usize;
    if file.len() < length {
        return Err(truncated(file, length));
    }
    let damaged = "the book is damaged: its checksum is wrong";
    let (body, sum) = file.split_last_chunk().ok_or_else(|| BookError::new(damaged))?;
    // Fuzzing skips the checksum: random files never match.
    let is_right = cfg!(fuzzing) || checksum(body) == u64::from_le_bytes(*sum);
    if file.len() != length || !is_right {
        return Err(BookError::new(damaged));
    }
    read_contents(board, body).ok_or_else(|| BookError::new("the book has an invalid layer table"))
}

fn read_contents(board: BookBoard, body: &[u8]) -> Option<Contents> {
    let mut reader = Reader(body.get(HEADER..)?);
    let layers = (0..body[12]).map(|_| read_layer(board, &mut reader));
    let mut layers = layers.collect::<Option<Vec<_>>>()?;
    let mut extension = match reader.byte()? {
        0 => None,
        from => Some(read_extension(board, u32::from(from) - 1, &mut reader)?),
    };
    let mut offset = body.len() - reader.0.len();
    let of_extension = extension.iter_mut().map(|extension| &mut extension.function);
    let of_layers = layers
        .iter_mut()
        .flat_map(|layer| iter::once(&mut layer.function).chain(layer.levels.iter_mut().flatten()));
    for function in of_layers.chain(of_extension) {
        function.array = offset..offset.saturating_add(function.parameters.bytes());
        offset = function.array.end;
    }
    let is_ordered = layers.is_sorted_by(|one, next| one.plies < next.plies) && !layers.is_empty();
    if !is_ordered || offset != body.len() {
        return None;
    }
    Some((board, layers, extension))
}

fn read_layer(geometry: impl Geometry, reader: &mut Reader<'_>) -> Option<Layer> {
    let [plies, bits, segment_bits, last_index] = reader.bytes()?.map(u32::from);
    let positions = reader.word()?;
    let function = reader.function(bits, segment_bits)?;
    let scores = (0..=last_index).map(|_| Some(reader.byte()? as i8)).collect::<Option<Vec<_>>>()?;
    let levels = match reader.byte()? {
        0 => None,
        count => {
            let mut levels = Vec::new();
            for _ in 1..count {
                let segment_bits = reader.byte()?.into();
                levels.push(reader.function(1, segment_bits)?);
            }
            Some(levels)
        }
    };
    let range = score_range(geometry, plies);
    let sound = bits == bits_for(scores.len())
        && plies <= geometry.cells()
        && scores.iter().all(|&score| range.contains(&score.into()));
    if sound { Some(Layer { plies, positions, function, scores, levels }) } else { None }
}

fn read_extension(geometry: impl Geometry, from: u32, reader: &mut Reader<'_>) -> Option<BookExtension> {
    let segment_bits = u32::from(reader.byte()?);
    let positions = reader.word()?;
    let function = reader.function(VALUE_BITS, segment_bits)?;
    if from > geometry.cells() {
        return None;
    }
    Some(BookExtension { from, positions, function })
}

pub(super) fn score_range(geometry: impl Geometry, plies: u32) -> RangeInclusive<Score> {
    let last = geometry.cells() + 2;
    -win_with_stone(geometry, last.min(plies + 2))..=win_with_stone(geometry, last.min(plies + 3))
}

pub(super) fn bits_for(distinct: usize) -> u32 {
    usize::BITS - distinct.saturating_sub(1).leading_zeros()
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.0.split_off(..N)?.try_into().ok()
    }

    fn byte(&mut self) -> Option<u8> {
        self.0.split_off_first().copied()
    }

    fn word(&mut self) -> Option<u32> {
        self.bytes().map(u32::from_le_bytes)
    }

    fn function(&mut self, bits: u32, segment_bits: u32) -> Option<BookFunction> {
        let parameters = Parameters { seed: self.word()?, bits, segment_bits, segments: self.word()? };
        if parameters.is_sound() { Some(BookFunction { parameters, array: 0..0 }) } else { None }
    }
}

const PRIME: u64 = 0x0000_0100_0000_01B3;
const BASIS: u64 = 0xCBF2_9CE4_8422_2325;

const LANES: usize = 4;
const BLOCK: usize = LANES * size_of::<u64>();

/// FNV-1a over little-endian words of eight bytes, word `i` in sum `i mod 4`; then over the four sums and the
/// length. The last block is padded with zeros.
///
/// Every step is invertible, so a change within one word always changes the checksum.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    let mut sums = [BASIS; LANES];
    let mut blocks = bytes.chunks_exact(BLOCK);
    blocks.by_ref().for_each(|block| add(&mut sums, block));
    let mut last = [0; BLOCK];
    last[..blocks.remainder().len()].copy_from_slice(blocks.remainder());
    add(&mut sums, &last);
    sums.into_iter().chain([bytes.len() as u64]).fold(BASIS, step)
}

#[inline]
fn add(sums: &mut [u64; LANES], block: &[u8]) {
    let (words, _) = block.as_chunks();
    for (sum, &word) in sums.iter_mut().zip(words) {
        *sum = step(*sum, u64::from_le_bytes(word));
    }
}

#[inline]
fn step(sum: u64, word: u64) -> u64 {
    (sum ^ word).wrapping_mul(PRIME)
}

/// The reason why a file or contents are not a valid book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookError(String);

impl BookError {
    pub(super) fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}

impl Display for BookError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for BookError {}

#[cfg(test)]
mod tests {
    use super::checksum;

    #[test]
    fn every_changed_bit_and_every_length_is_seen() {
        let bytes: Vec<u8> = (0..100).map(|n: u8| n.wrapping_mul(37)).collect();
        for length in 0..bytes.len() {
            let sum = checksum(&bytes[..length]);
            assert_ne!(sum, checksum(&bytes[..=length]));
            for bit in 0..8 * length {
                let mut changed = bytes[..length].to_vec();
                changed[bit / 8] ^= 1 << (bit % 8);
                assert_ne!(sum, checksum(&changed), "bit {bit} of {length} bytes");
            }
        }
        assert_ne!(checksum(&[]), checksum(&[0]));
    }
}
