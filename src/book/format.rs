//! The file, byte by byte. All numbers are little-endian.
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
//!     24         for each layer, those of fewer stones first:
//!             1    stones
//!             1    bits of a value
//!             1    two to this power is the number of slots of a segment
//!             1    number of distinct scores, less 1
//!             4    positions
//!             4    seed
//!             4    segments in which a first slot may be
//!             n    the distinct scores as signed bytes, the least first: value i stands for the i-th
//!             1    levels of the moves, and one more; 0 if it knows none
//!                  for each level:
//!                    1    two to this power is the number of slots of a segment
//!                    4    seed
//!                    4    segments in which a first slot may be
//!                then:
//!             1    stones of the positions from which lines begin, and one more; 0 if there are no lines
//!                  if there are:
//!                    1    two to this power is the number of slots of a segment
//!                    4    positions that have a move
//!                    4    seed
//!                    4    segments in which a first slot may be
//!                for each layer, in the same order:
//!             n    the array of the scores' static function
//!             n    the array of each level's
//!                then:
//!             n    the array of the lines' static function, if there are any
//!      -8     8  checksum of all before it
//! ```
//!
//! How long an array is follows from its shape (`fuse.rs`), and where it is from those before it; what a level is, stands
//! in `moves.rs`, and what the lines are, in `lines.rs`.

use std::ops::Range;

use super::checksum::checksum;
use super::error::BookError;
use super::fuse::{self, Shape};
use super::lines::{self, Lines};
use super::moves::{self, Level};
use crate::board::{Bits, Geometry, Position};
use crate::score::Score;

const MAGIC: &[u8; 8] = b"plumbook";
pub(super) const VERSION: u16 = 3;
/// Bytes before the layers' headers.
const HEADER: usize = 24;
/// Bytes of the checksum.
const TRAILER: usize = 8;
/// The most bits that the value of a score may have.
const MOST_SCORE_BITS: u32 = 8;

/// One layer: all positions with one number of stones.
#[derive(Clone, Debug)]
pub struct Layer {
    plies: u32,
    positions: u32,
    shape: Shape,
    distinct: usize,
    /// The score that each value stands for. Values that none has are there as well, so that no lookup can go astray.
    scores: [i8; 1 << MOST_SCORE_BITS],
    /// Where the array is in the file.
    array: Range<usize>,
    /// What there is of moves.
    levels: Option<Vec<Level>>,
}

impl Layer {
    /// Stones on the board.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// Number of positions, where one and its mirror image count as one.
    #[must_use]
    pub fn positions(&self) -> u32 {
        self.positions
    }

    /// The scores that there are, the least first.
    pub fn scores(&self) -> impl Iterator<Item = Score> {
        self.scores[..self.distinct].iter().copied().map(Score::from)
    }

    /// Bytes that its scores take in the file.
    #[must_use]
    pub fn score_bytes(&self) -> usize {
        self.array.len()
    }

    /// Bytes that its moves take in the file; `None` if it has none.
    #[must_use]
    pub fn move_bytes(&self) -> Option<usize> {
        Some(self.levels.as_ref()?.iter().map(|level| level.array.len()).sum())
    }

    /// The score of the position with this canonical key, which must be one of the layer's: any other gets some score,
    /// too. `file` is that of the layer.
    #[inline]
    pub(super) fn score(&self, file: &[u8], key: u64) -> Score {
        Score::from(self.scores[usize::from(self.shape.value(&file[self.array.clone()], key))])
    }

    /// The column, from 0, of a move that keeps the score of a position, which must be one of the layer's and its own
    /// canonical one.
    #[inline]
    pub(super) fn best_move<G: Geometry>(&self, file: &[u8], position: &Position<G>) -> Option<u32> {
        moves::best(self.levels.as_ref()?, file, position, position.key().to_wide() as u64)
    }
}

/// What a layer is made of.
#[derive(Clone, Debug, Default)]
pub struct Entries {
    /// Stones on the board.
    pub plies: u32,
    /// The canonical keys of its positions with their scores.
    pub scores: Vec<(u64, Score)>,
    /// Nothing, or the keys of all positions that have at least two [choices](super::choices), each with one of these
    /// that keeps the score.
    pub moves: Vec<(u64, u32)>,
}

/// Stones and scores, without moves.
impl From<(u32, Vec<(u64, Score)>)> for Entries {
    fn from((plies, scores): (u32, Vec<(u64, Score)>)) -> Self {
        Self { plies, scores, moves: Vec::new() }
    }
}

/// Columns and rows of the board that a book is for.
///
/// # Errors
/// If it is none, or one of another version.
pub fn board_of(file: &[u8]) -> Result<(u32, u32), BookError> {
    if !file.starts_with(MAGIC) {
        return Err(BookError::Foreign);
    }
    let header = file.get(..HEADER).ok_or(BookError::Truncated { found: file.len(), expected: HEADER })?;
    match u16::from_le_bytes([header[8], header[9]]) {
        VERSION => Ok((u32::from(header[10]), u32::from(header[11]))),
        version => Err(BookError::Version(version)),
    }
}

/// Checks a book for board `G` and reads its headers.
///
/// # Errors
/// Whatever is wrong with it.
pub(super) fn read<G: Geometry>(file: &[u8]) -> Result<(Vec<Layer>, Option<Lines>), BookError> {
    let (found, expected) = (board_of(file)?, (G::WIDTH, G::HEIGHT));
    if found != expected {
        return Err(BookError::Board { found, expected });
    }
    let count = file[12];
    let expected = u32::from_le_bytes([file[16], file[17], file[18], file[19]]) as usize;
    if file.len() < expected {
        return Err(BookError::Truncated { found: file.len(), expected });
    }
    let (body, sum) = file.split_last_chunk().ok_or(BookError::Damaged)?;
    if file.len() != expected || checksum(body) != u64::from_le_bytes(*sum) {
        return Err(BookError::Damaged);
    }
    let mut reader = Reader(&body[HEADER..]);
    let layers: Option<Vec<_>> = (0..count).map(|_| read_layer::<G>(&mut reader)).collect();
    let mut layers = layers.ok_or(BookError::Absurd)?;
    let mut lines = match reader.byte().ok_or(BookError::Absurd)? {
        0 => None,
        stones => Some(read_lines::<G>(u32::from(stones) - 1, &mut reader).ok_or(BookError::Absurd)?),
    };
    let mut offset = body.len() - reader.0.len();
    let mut next = |shape: Shape| {
        let array = offset..offset.saturating_add(shape.bytes());
        offset = array.end;
        array
    };
    for layer in &mut layers {
        layer.array = next(layer.shape);
        for level in layer.levels.iter_mut().flatten() {
            level.array = next(level.shape);
        }
    }
    if let Some(lines) = &mut lines {
        lines.array = next(lines.shape);
    }
    let ordered = layers.is_sorted_by(|one, next| one.plies < next.plies) && !layers.is_empty();
    let fits = offset == body.len() && G::KEY_BITS <= u64::BITS;
    if ordered && fits { Ok((layers, lines)) } else { Err(BookError::Absurd) }
}

/// Reads the header of a layer, or nothing if it makes no sense.
fn read_layer<G: Geometry>(reader: &mut Reader<'_>) -> Option<Layer> {
    let [plies, bits, segment_bits] = [(); 3].map(|()| reader.byte().map(u32::from));
    let distinct = usize::from(reader.byte()?) + 1;
    let [positions, seed, segments] = [(); 3].map(|()| reader.word());
    let shape = Shape { seed: seed?, bits: bits?, segment_bits: segment_bits?, segments: segments? };
    let mut scores = [0; 1 << MOST_SCORE_BITS];
    for score in &mut scores[..distinct] {
        *score = reader.byte()? as i8;
    }
    let levels = match reader.byte()? {
        0 => None,
        levels => Some((1..levels).map(|_| read_level(reader)).collect::<Option<Vec<_>>>()?),
    };
    // There are at most 256 distinct scores, which [`MOST_SCORE_BITS`] bits tell apart.
    let sound = shape.is_sound() && shape.bits == bits_for(distinct) && plies? <= G::CELLS;
    let layer = Layer { plies: plies?, positions: positions?, shape, distinct, scores, array: 0..0, levels };
    sound.then_some(layer)
}

/// Reads the header of a level, or nothing if it makes no sense.
fn read_level(reader: &mut Reader<'_>) -> Option<Level> {
    let segment_bits = u32::from(reader.byte()?);
    let shape = Shape { seed: reader.word()?, bits: 1, segment_bits, segments: reader.word()? };
    shape.is_sound().then_some(Level { shape, array: 0..0 })
}

/// Reads the header of lines from so many stones, or nothing if it makes no sense.
fn read_lines<G: Geometry>(from: u32, reader: &mut Reader<'_>) -> Option<Lines> {
    let segment_bits = u32::from(reader.byte()?);
    let [positions, seed, segments] = [(); 3].map(|()| reader.word());
    let shape = Shape { seed: seed?, bits: lines::BITS, segment_bits, segments: segments? };
    let sound = shape.is_sound() && from <= G::CELLS;
    sound.then_some(Lines { from, positions: positions?, shape, array: 0..0 })
}

/// Bits that tell `distinct` values apart.
fn bits_for(distinct: usize) -> u32 {
    usize::BITS - distinct.saturating_sub(1).leading_zeros()
}

/// The moves on the lines past the last layer.
#[derive(Clone, Debug, Default)]
pub struct LineEntries {
    /// Stones of the positions from which the lines begin: at most those of the last layer.
    pub from: u32,
    /// The canonical keys of positions past the last layer that have at least two [choices](super::choices), each with one
    /// of these.
    pub moves: Vec<(u64, u32)>,
}

/// Makes a book for board `G` of some layers, and lines past the last if there are any. The same always make the same file.
///
/// `None` if that is no book: a key that comes up twice, two layers of as many stones or none at all, a score that is
/// none, moves of some positions only or that lose at once, or on lines within the layers, a board of more than 64 bits or
/// a file of more than 4 GB.
#[must_use]
pub fn write<G: Geometry>(mut layers: Vec<Entries>, lines: Option<&LineEntries>) -> Option<Vec<u8>> {
    layers.sort_by_key(|layer| layer.plies);
    let mut headers = Vec::new();
    let mut arrays = Vec::new();
    for Entries { plies, scores: entries, moves } in &layers {
        let mut scores =
            entries.iter().map(|&(_, score)| i8::try_from(score)).collect::<Result<Vec<_>, _>>().ok()?;
        scores.sort_unstable();
        scores.dedup();
        // A layer without positions has a score that none of them has.
        scores.resize(scores.len().max(1), 0);
        let value = |score: Score| scores.iter().position(|&known| Score::from(known) == score);
        let values = entries.iter().map(|&(key, score)| Some((key, value(score)? as u16)));
        let values = values.collect::<Option<Vec<_>>>()?;
        let bits = bits_for(scores.len());
        let (shape, array) = fuse::build(&values, bits)?;
        headers.extend([*plies as u8, bits as u8, shape.segment_bits as u8, (scores.len() - 1) as u8]);
        for word in [u32::try_from(entries.len()).ok()?, shape.seed, shape.segments] {
            headers.extend(word.to_le_bytes());
        }
        headers.extend(scores.iter().map(|&score| score as u8));
        arrays.extend(array);
        if moves.is_empty() {
            headers.push(0);
            continue;
        }
        let levels = moves::build::<G>(&choices(entries, moves)?)?;
        headers.push(levels.len() as u8 + 1);
        for (shape, array) in levels {
            headers.push(shape.segment_bits as u8);
            headers.extend([shape.seed, shape.segments].map(u32::to_le_bytes).concat());
            arrays.extend(array);
        }
    }
    if let Some(LineEntries { from, moves }) = lines {
        let last = layers.last()?.plies;
        let entries = moves.iter().map(|&(key, column)| Some((key, position_of::<G>(key)?, column)));
        let mut entries = entries.collect::<Option<Vec<_>>>()?;
        entries.sort_unstable_by_key(|&(key, ..)| key);
        let (shape, array) = lines::build(&entries)?;
        if *from > last || entries.iter().any(|(_, position, _)| position.plies() <= last) {
            return None;
        }
        headers.extend([u8::try_from(from + 1).ok()?, shape.segment_bits as u8]);
        for word in [u32::try_from(entries.len()).ok()?, shape.seed, shape.segments] {
            headers.extend(word.to_le_bytes());
        }
        arrays.extend(array);
    } else {
        headers.push(0);
    }
    let length = u32::try_from(HEADER + headers.len() + arrays.len() + TRAILER).ok()?;
    let mut file = Vec::with_capacity(length as usize);
    file.extend(MAGIC);
    file.extend(VERSION.to_le_bytes());
    file.extend([G::WIDTH as u8, G::HEIGHT as u8, u8::try_from(layers.len()).ok()?, 0, 0, 0]);
    file.extend(length.to_le_bytes());
    file.extend([0; 4]);
    file.extend(headers);
    file.extend(arrays);
    file.extend(checksum(&file).to_le_bytes());
    read::<G>(&file).is_ok().then_some(file)
}

/// The positions of a layer that have a choice, with their moves; `None` if one has none, or there are others.
fn choices<G: Geometry>(
    scores: &[(u64, Score)],
    moves: &[(u64, u32)],
) -> Option<Vec<(u64, Position<G>, u32)>> {
    let mut moves = moves.to_vec();
    moves.sort_unstable();
    let positions = scores.iter().map(|&(key, _)| Some((key, position_of::<G>(key)?)));
    let mut positions = positions.collect::<Option<Vec<_>>>()?;
    positions.retain(|(_, position)| moves::choices(position).len() > 1);
    positions.sort_unstable_by_key(|&(key, _)| key);
    let same = positions.iter().map(|&(key, _)| key).eq(moves.iter().map(|&(key, _)| key));
    let entries =
        positions.into_iter().zip(moves).map(|((key, position), (_, column))| (key, position, column));
    same.then(|| entries.collect())
}

fn position_of<G: Geometry>(key: u64) -> Option<Position<G>> {
    Position::from_key(G::Bits::from_wide(u128::from(key)))
}

/// Takes numbers off the front of a slice, as long as there are any.
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
}
