use super::format::{BookError, HEADER, MAGIC, TRAILER, VERSION, bits_for, checksum, read, score_range};
use super::layer::{MoveEntry, build_extension, build_levels};
use super::static_function;
use crate::board::{Bits, Geometry, Position};
use crate::score::Score;

/// The contents of a layer (positions with one number of stones) for [`write_on`].
#[derive(Clone, Debug, Default)]
pub struct LayerEntries {
    /// Number of stones on the board.
    pub plies: u32,
    /// The canonical keys of the positions with their scores.
    pub scores: Vec<(u64, Score)>,
    /// The canonical keys of all positions with at least two [candidates](super::candidate_columns), each
    /// with the column (from 0) of a move that keeps the score. Empty for a layer without moves.
    pub moves: Vec<(u64, u32)>,
}

impl From<(u32, Vec<(u64, Score)>)> for LayerEntries {
    fn from((plies, scores): (u32, Vec<(u64, Score)>)) -> Self {
        Self { plies, scores, moves: Vec::new() }
    }
}

/// The contents of an extension (best moves past the last layer) for [`write_on`].
#[derive(Clone, Debug, Default)]
pub struct ExtensionEntries {
    /// Number of stones of the positions from which book moves of both sides lead to the extension. At most
    /// the stones of the last layer.
    pub from: u32,
    /// The canonical keys of positions with more stones than the last layer and at least two
    /// [candidates](super::candidate_columns), each with the column (from 0) of a candidate.
    pub moves: Vec<(u64, u32)>,
}

/// A book file with these layers and this extension. Equal contents give equal bytes. The caller is
/// responsible for correct scores and moves.
///
/// # Errors
/// [`BookError`] if the contents do not form a book, for example because a key occurs twice.
pub fn write_on<G: Geometry>(
    geometry: G,
    mut layers: Vec<LayerEntries>,
    extension: Option<&ExtensionEntries>,
) -> Result<Vec<u8>, BookError> {
    if geometry.key_bits() > u64::BITS {
        return Err(BookError::new(format!("a board of {} has keys of more than 64 bits", geometry.size())));
    }
    layers.sort_by_key(|layer| layer.plies);
    let ascending = layers.is_sorted_by(|one, next| one.plies < next.plies);
    let last = layers.last().map(|layer| layer.plies).filter(|&last| ascending && last <= geometry.cells());
    let (Some(last), Ok(count)) = (last, u8::try_from(layers.len())) else {
        return Err(BookError::new("a book needs 1 to 255 layers of different numbers of stones"));
    };

    let sections = layers.iter().map(|layer| write_layer(geometry, layer));
    let mut sections = sections.collect::<Result<Vec<_>, _>>()?;
    sections.push(match extension {
        Some(extension) => write_extension(geometry, extension, last)
            .ok_or_else(|| BookError::new("the extension does not fit the layers"))?,
        None => (vec![0], Vec::new()),
    });
    let (headers, arrays): (Vec<_>, Vec<_>) = sections.into_iter().unzip();
    let (headers, arrays) = (headers.concat(), arrays.concat());
    let length = u32::try_from(HEADER + headers.len() + arrays.len() + TRAILER).map_err(|_| too_large())?;
    let mut file = Vec::with_capacity(length as usize);
    file.extend(MAGIC);
    file.extend(VERSION.to_le_bytes());
    file.extend([geometry.width() as u8, geometry.height() as u8, count, 0, 0, 0]);
    file.extend(length.to_le_bytes());
    file.extend([0; 4]);
    file.extend(headers);
    file.extend(arrays);
    file.extend(checksum(&file).to_le_bytes());
    debug_assert_eq!(read(&file).err(), None);
    Ok(file)
}

fn too_large() -> BookError {
    BookError::new("the book is larger than 4 GB")
}

type Section = (Vec<u8>, Vec<u8>);

fn write_layer<G: Geometry>(geometry: G, layer: &LayerEntries) -> Result<Section, BookError> {
    let LayerEntries { plies, scores: entries, moves } = layer;
    let range = score_range(geometry, *plies);
    let mut scores = Vec::with_capacity(entries.len());
    for &(key, score) in entries {
        match i8::try_from(score) {
            Ok(stored) if range.contains(&score) => scores.push(stored),
            _ => {
                let (least, greatest) = (range.start(), range.end());
                return Err(BookError::new(format!(
                    "the score {score} for key {key:x}: with {plies} stones, {least} to {greatest} is possible"
                )));
            }
        }
    }
    scores.sort_unstable();
    scores.dedup();
    // The format requires at least one score.
    scores.resize(scores.len().max(1), 0);
    let mut values = Vec::with_capacity(entries.len());
    for &(key, score) in entries {
        values.push((key, scores.partition_point(|&other| Score::from(other) < score) as u16));
    }
    let bits = bits_for(scores.len());
    let (parameters, mut arrays) = static_function::build(&values, bits).ok_or_else(|| {
        BookError::new(format!("the layer of {plies} stones has a key twice, or too many keys"))
    })?;
    let positions = u32::try_from(entries.len()).map_err(|_| too_large())?;
    let mut header = vec![*plies as u8, bits as u8, parameters.segment_bits as u8, (scores.len() - 1) as u8];
    header.extend([positions, parameters.seed, parameters.segments].map(u32::to_le_bytes).concat());
    header.extend(scores.iter().map(|&score| score as u8));
    if moves.is_empty() {
        header.push(0);
        return Ok((header, arrays));
    }
    let levels = positions_with_choice(geometry, entries, moves).and_then(|entries| build_levels(&entries));
    let levels = levels.ok_or_else(|| {
        BookError::new(format!(
            "the layer of {plies} stones needs one candidate move for each position with a choice"
        ))
    })?;
    header.push(levels.len() as u8 + 1);
    for (parameters, array) in levels {
        header.push(parameters.segment_bits as u8);
        header.extend([parameters.seed, parameters.segments].map(u32::to_le_bytes).concat());
        arrays.extend(array);
    }
    Ok((header, arrays))
}

fn write_extension<G: Geometry>(geometry: G, extension: &ExtensionEntries, last: u32) -> Option<Section> {
    let ExtensionEntries { from, moves } = extension;
    let entries = moves.iter().map(|&(key, column)| Some((key, position_of(geometry, key)?, column)));
    let mut entries = entries.collect::<Option<Vec<_>>>()?;
    if *from > last || entries.iter().any(|(_, position, _)| position.plies() <= last) {
        return None;
    }
    entries.sort_unstable_by_key(|&(key, ..)| key);
    let (parameters, array) = build_extension(&entries)?;
    let mut header = vec![u8::try_from(from + 1).ok()?, parameters.segment_bits as u8];
    let positions = u32::try_from(entries.len()).ok()?;
    header.extend([positions, parameters.seed, parameters.segments].map(u32::to_le_bytes).concat());
    Some((header, array))
}

/// Returns `None` unless `moves` has exactly the positions with at least two candidates.
fn positions_with_choice<G: Geometry>(
    geometry: G,
    scores: &[(u64, Score)],
    moves: &[(u64, u32)],
) -> Option<Vec<MoveEntry<G>>> {
    let mut moves = moves.to_vec();
    moves.sort_unstable();
    let positions = scores.iter().map(|&(key, _)| Some((key, position_of(geometry, key)?)));
    let mut positions = positions.collect::<Option<Vec<_>>>()?;
    positions.retain(|(_, position)| position.non_losing_moves().has_several());
    positions.sort_unstable_by_key(|&(key, _)| key);
    let same = positions.iter().map(|&(key, _)| key).eq(moves.iter().map(|&(key, _)| key));
    let entries =
        positions.into_iter().zip(moves).map(|((key, position), (_, column))| (key, position, column));
    if same { Some(entries.collect()) } else { None }
}

fn position_of<G: Geometry>(geometry: G, key: u64) -> Option<Position<G>> {
    Position::from_key_on(geometry, G::Bits::from_wide(u128::from(key)))
}
