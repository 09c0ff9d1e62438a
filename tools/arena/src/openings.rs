//! Openings: random moves, and files of moves, FENs or PGNs.

mod pgn;

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use plumb::board::{Board, Geometry, Position, PositionReader, ReadPosition};
use plumb_tools_common::playout::random_position_on;
use plumb_tools_common::random::Random;

pub use pgn::parse as parse_pgn;

/// Successive random positions that are known already, after which no further ones are expected.
const MAX_MISSES: u32 = 1000;

/// Moves from the empty board, all legal, after which the game is not over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningLine {
    /// Its name; mostly empty.
    pub name: String,
    /// Columns, from 0.
    pub columns: Vec<u32>,
}

impl OpeningLine {
    /// Reads moves, or a FEN, for which moves are found that lead to it.
    ///
    /// # Errors
    /// The fault of the text; if the game is over, or no moves lead to the position.
    fn read(reader: &PositionReader<Board>, text: &str) -> Result<Self> {
        let ReadPosition { position, columns } = reader.read(text)?;
        ensure!(position.outcome().is_none(), "the game is over after `{text}`");
        let columns = columns.or_else(|| way_to(&position));
        let columns = columns.with_context(|| format!("no moves lead to `{text}`"))?;
        Ok(Self { name: String::new(), columns })
    }

    /// The position after the moves.
    pub(crate) fn position(&self, board: Board) -> Option<Position<Board>> {
        self.columns.iter().try_fold(Position::empty(board), |position, &column| position.play(column))
    }
}

/// Columns that lead from the empty board to `position`, if any do.
pub fn way_to<G: Geometry>(position: &Position<G>) -> Option<Vec<u32>> {
    let width = position.geometry().width();
    let mut seen = HashSet::new();
    let mut rest = vec![vec![*position]];
    while let Some(way) = rest.pop() {
        let first = way.last()?;
        if first.plies() == 0 {
            let pairs = way.windows(2).rev();
            return pairs
                .map(|pair| (0..width).find(|&column| pair[1].play(column) == Some(pair[0])))
                .collect();
        }
        for before in first.predecessors() {
            if seen.insert(before.key()) {
                rest.push([&way[..], &[before]].concat());
            }
        }
    }
    None
}

/// `count` openings of `stones` random moves each, which depend on `seed` alone; all differ, also from the mirror
/// images. There are fewer if not enough positions are found, as with few stones.
pub fn random(board: Board, stones: u32, seed: u64, count: usize) -> Vec<OpeningLine> {
    let mut random = Random::new(seed, stones);
    let mut known = HashSet::new();
    let mut lines = Vec::new();
    let mut misses = 0;
    while lines.len() < count && misses < MAX_MISSES {
        let played = random_position_on(board, &mut random, stones);
        if !known.insert(played.position.canonical_key()) {
            misses += 1;
            continue;
        }
        misses = 0;
        lines.extend(OpeningLine::read(&PositionReader::new(board), &played.moves));
    }
    lines
}

/// The first line to each position; mirror images are one position.
pub fn different(board: Board, lines: Vec<OpeningLine>) -> Vec<OpeningLine> {
    let mut known = HashSet::new();
    let mut is_new = |line: &OpeningLine| {
        line.position(board).is_none_or(|position| known.insert(position.canonical_key()))
    };
    lines.into_iter().filter(|line| is_new(line)).collect()
}

/// Shuffles the lines by `seed`.
pub fn shuffle(lines: &mut [OpeningLine], seed: u64) {
    let mut random = Random::new(seed, u32::MAX);
    for index in (1..lines.len()).rev() {
        lines.swap(index, random.below(index as u32 + 1) as usize);
    }
}

/// Reads the openings in the file at `path`: on each line moves, or a FEN (an EPD begins with one); or the games of a PGN
/// file, up to `plies` moves of each. Blank lines and those that begin with `#` are skipped.
///
/// # Errors
/// If it cannot be read or holds none; the first line that is no opening, with its number.
pub fn read(reader: &PositionReader<Board>, path: &Path, plies: usize) -> Result<Vec<OpeningLine>> {
    let name = path.display().to_string();
    let bytes = fs::read(path).with_context(|| format!("cannot read `{name}`"))?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let is_pgn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
    if is_pgn { parse_pgn(reader, text, &name, plies) } else { parse(reader, text, &name) }
}

/// Reads the openings in `text`, on each line moves or a FEN. Errors say that they are in `name`.
///
/// # Errors
/// If there is none; the first line that is no opening, with its number.
pub fn parse(reader: &PositionReader<Board>, text: &str, name: &str) -> Result<Vec<OpeningLine>> {
    let lines = (1..).zip(text.lines()).map(|(number, line)| (number, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let read = |(number, line): (usize, &str)| {
        OpeningLine::read(reader, fen_of(line)).with_context(|| format!("`{name}`, line {number}"))
    };
    some(lines.map(read).collect::<Result<_>>()?, name)
}

/// The lines, unless there are none.
fn some(lines: Vec<OpeningLine>, name: &str) -> Result<Vec<OpeningLine>> {
    ensure!(!lines.is_empty(), "`{name}` holds no opening");
    Ok(lines)
}

/// The FEN at the beginning of an EPD line: up to the operations, which end with `;`. Other lines are left whole.
fn fen_of(line: &str) -> &str {
    let ends: Vec<_> = line.match_indices(' ').map(|(index, _)| index).collect();
    // Rows, side to move, and two dashes; the counters may be missing.
    if line.contains(';') { ends.get(3).map_or(line, |&end| &line[..end]) } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(text: &str) -> Result<Vec<Vec<u32>>, String> {
        let reader = PositionReader::new(Board::default());
        let lines = parse(&reader, text, "there").map_err(|error| format!("{error:#}"))?;
        Ok(lines.into_iter().map(|line| line.columns).collect())
    }

    #[test]
    fn moves_are_read_however_they_are_written() {
        let text = "# a comment\n\n4453\n4 4 5 3\nP@d1 P@d2 P@e1 P@c1\nd d e c\n";
        assert_eq!(columns(text), Ok(vec![vec![3, 3, 4, 2]; 4]));
    }

    #[test]
    fn a_fen_gets_moves_that_lead_to_it() {
        for digits in ["4", "4453", "12233344", "31664646"] {
            let position = Position::from_digits_on(Board::default(), digits).expect("legal");
            let fen = position.fen();
            for line in [fen.clone(), format!("{fen} ce 12; id \"x\";")] {
                let found = columns(&line).expect("there are such moves").remove(0);
                let reached =
                    found.iter().try_fold(Position::empty(Board::default()), |p, &column| p.play(column));
                assert_eq!(reached, Some(position), "{line}");
            }
        }
    }

    #[test]
    fn what_is_no_opening_is_named_with_its_line() {
        for (text, fault) in [
            ("", "`there` holds no opening"),
            ("4453\n44x", "`there`, line 2: `x` at byte 2: not a column digit (columns 1 to 7)"),
            ("4444444", "`there`, line 1: `4` at byte 6: column 4 is full"),
            ("1212121", "`there`, line 1: the game is over after `1212121`"),
            ("P@d2", "`there`, line 1: `P@d2` at byte 0: the stone lands on rank 1, not 2"),
        ] {
            let said = columns(text).expect_err("no opening");
            assert!(said.starts_with(fault), "{said}");
        }
    }

    #[test]
    fn openings_to_one_position_or_its_mirror_image_are_one() {
        let lines =
            parse(&PositionReader::new(Board::default()), "4453\n4435\n44\n5344\n4453\n21\n", "there")
                .expect("openings");
        let left: Vec<_> = different(Board::default(), lines).into_iter().map(|line| line.columns).collect();
        assert_eq!(left, [vec![3, 3, 4, 2], vec![3, 3], vec![1, 0]]);
        assert_eq!(
            (random(Board::default(), 0, 1, 9).len(), random(Board::default(), 1, 1, 9).len()),
            (1, 4)
        );
        assert_eq!(random(Board::default(), 2, 1, 20), random(Board::default(), 2, 1, 99)[..20]);
    }

    #[test]
    fn random_openings_depend_on_their_seed_and_differ() {
        let keys = |seed| -> Vec<_> {
            random(Board::default(), 8, seed, 200).into_iter().map(|line| line.columns).collect()
        };
        assert_eq!(keys(1), keys(1));
        assert_ne!(keys(1), keys(2));
        assert_eq!(keys(1).into_iter().collect::<HashSet<_>>().len(), 200);
    }
}
