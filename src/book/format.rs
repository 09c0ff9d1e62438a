//! The file format of books, its reader, its checksum and the errors of reading and writing. All numbers are little-endian.
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
//! The length of an array follows from its parameters (`static_function.rs`), its offset from the arrays before it.
//! Levels and extension are described in `layer.rs`.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::iter;

use super::layer::{BookExtension, BookFunction, Layer, MAX_SCORES, VALUE_BITS};
use super::static_function::Parameters;
use crate::board::{BoardSize, Geometry, UnsupportedSize};

pub(super) const MAGIC: &[u8; 8] = b"plumbook";
pub(super) const VERSION: u16 = 3;
/// Length of the header before those of the layers, in bytes.
pub(super) const HEADER: usize = 24;
/// Length of the checksum in bytes.
pub(super) const TRAILER: usize = 8;

/// The size of the board that a book is for; `file` need hold no more than its header.
///
/// # Errors
/// [`BookError::NotABook`], [`BookError::UnsupportedVersion`] or [`BookError::Truncated`].
pub fn board_size(file: &[u8]) -> Result<BoardSize, BookError> {
    if !file.starts_with(MAGIC) {
        return Err(BookError::NotABook);
    }
    let header = file.get(..HEADER).ok_or(BookError::Truncated { found: file.len(), expected: HEADER })?;
    match u16::from_le_bytes([header[8], header[9]]) {
        VERSION => Ok(BoardSize { width: u32::from(header[10]), height: u32::from(header[11]) }),
        found => Err(BookError::UnsupportedVersion { found, expected: VERSION }),
    }
}

/// Checks a book for the board of a size and reads its headers.
///
/// # Errors
/// Any [`BookError`].
pub(super) fn read(
    geometry: impl Geometry,
    file: &[u8],
) -> Result<(Vec<Layer>, Option<BookExtension>), BookError> {
    let (found, expected) = (board_size(file)?, geometry.size());
    if found != expected {
        return Err(BookError::WrongBoard { found, expected });
    }
    let count = file[12];
    let expected = u32::from_le_bytes([file[16], file[17], file[18], file[19]]) as usize;
    if file.len() < expected {
        return Err(BookError::Truncated { found: file.len(), expected });
    }
    let (body, sum) = file.split_last_chunk().ok_or(BookError::Damaged)?;
    // A fuzzer would find no file with a right checksum.
    let is_sum_right = cfg!(fuzzing) || checksum(body) == u64::from_le_bytes(*sum);
    if file.len() != expected || !is_sum_right {
        return Err(BookError::Damaged);
    }
    let mut reader = Reader(body.get(HEADER..).ok_or(BookError::InvalidLayers)?);
    let layers: Option<Vec<_>> = (0..count).map(|_| read_layer(geometry, &mut reader)).collect();
    let mut layers = layers.ok_or(BookError::InvalidLayers)?;
    let mut extension = match reader.byte().ok_or(BookError::InvalidLayers)? {
        0 => None,
        from => {
            let extension = read_extension(geometry, u32::from(from) - 1, &mut reader);
            Some(extension.ok_or(BookError::InvalidLayers)?)
        }
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
    let ordered = layers.is_sorted_by(|one, next| one.plies < next.plies) && !layers.is_empty();
    let fits = offset == body.len() && geometry.key_bits() <= u64::BITS;
    if ordered && fits { Ok((layers, extension)) } else { Err(BookError::InvalidLayers) }
}

/// Reads the header of a layer; `None` if it is invalid.
fn read_layer(geometry: impl Geometry, reader: &mut Reader<'_>) -> Option<Layer> {
    let [plies, bits, segment_bits] = [reader.byte()?, reader.byte()?, reader.byte()?].map(u32::from);
    let distinct = usize::from(reader.byte()?) + 1;
    let positions = reader.word()?;
    let function = reader.function(bits, segment_bits)?;
    let mut scores = [0; MAX_SCORES];
    for score in &mut scores[..distinct] {
        *score = reader.byte()? as i8;
    }
    let levels = match reader.byte()? {
        0 => None,
        levels => {
            let mut level = || {
                let segment_bits = u32::from(reader.byte()?);
                reader.function(1, segment_bits)
            };
            Some((1..levels).map(|_| level()).collect::<Option<Vec<_>>>()?)
        }
    };
    let sound = bits == bits_for(distinct) && plies <= geometry.cells();
    sound.then_some(Layer { plies, positions, function, distinct, scores, levels })
}

/// Reads the header of an extension from positions of `from` stones; `None` if it is invalid.
fn read_extension(geometry: impl Geometry, from: u32, reader: &mut Reader<'_>) -> Option<BookExtension> {
    let segment_bits = u32::from(reader.byte()?);
    let positions = reader.word()?;
    let function = reader.function(VALUE_BITS, segment_bits)?;
    (from <= geometry.cells()).then_some(BookExtension { from, positions, function })
}

/// Width of an index of `distinct` values, in bits.
pub(super) fn bits_for(distinct: usize) -> u32 {
    usize::BITS - distinct.saturating_sub(1).leading_zeros()
}

/// Takes numbers off the front of a slice; `None` at its end.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(byte)
    }

    fn word(&mut self) -> Option<u32> {
        let (&word, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(word))
    }

    /// A static function, whose seed and segments come next, without its array; `None` also if they are out of range.
    fn function(&mut self, bits: u32, segment_bits: u32) -> Option<BookFunction> {
        let parameters = Parameters { seed: self.word()?, bits, segment_bits, segments: self.word()? };
        parameters.is_sound().then_some(BookFunction { parameters, array: 0..0 })
    }
}

/// The prime of FNV-1a for 64 bits (Fowler, Noll and Vo), and its offset basis.
const PRIME: u64 = 0x0000_0100_0000_01B3;
const BASIS: u64 = 0xCBF2_9CE4_8422_2325;

/// Independent sums, so that their multiplications overlap.
const LANES: usize = 4;
const BLOCK: usize = LANES * size_of::<u64>();

/// FNV-1a over little-endian words of eight bytes instead of bytes, word `i` in sum `i mod 4`; then over the four sums
/// and the length. The last block is padded with zeros.
///
/// Every step is invertible in the word and in the sum, so a change within one word always changes the checksum.
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

/// Why a file cannot be used as a book. Each message is a clause to follow the file's name and a colon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BookError {
    /// The file does not start with the magic number of books.
    NotABook,
    /// The file has a version of the format that this library does not read.
    UnsupportedVersion {
        /// The version of the file.
        found: u16,
        /// The version that this library reads.
        expected: u16,
    },
    /// The file is shorter than its header says.
    Truncated {
        /// Length of the file in bytes.
        found: usize,
        /// Length that the header gives, in bytes.
        expected: usize,
    },
    /// The checksum does not match the contents.
    Damaged,
    /// The book is for another board.
    WrongBoard {
        /// The board of the book.
        found: BoardSize,
        /// The board that it was opened for.
        expected: BoardSize,
    },
    /// The book is for a board of more than 64 bits, or none.
    UnsupportedBoard(UnsupportedSize),
    /// The checksum matches, but the headers of the layers contradict each other or the format.
    InvalidLayers,
}

impl Display for BookError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotABook => f.write_str("this is no book"),
            Self::UnsupportedVersion { found, expected } => {
                write!(f, "the book has version {found} of the format, only {expected} is known")
            }
            Self::Truncated { found, expected } => {
                write!(f, "the book ends after {found} of {expected} bytes")
            }
            Self::Damaged => f.write_str("the book is damaged: its checksum is wrong"),
            Self::WrongBoard { found, expected } => {
                write!(f, "the book is for a board of {found}, not of {expected}")
            }
            Self::UnsupportedBoard(error) => write!(f, "a book for {}: {error}", error.size),
            Self::InvalidLayers => f.write_str("the book has an invalid layer table"),
        }
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
