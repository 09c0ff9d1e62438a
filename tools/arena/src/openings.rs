//! Openings: random moves, the built-in suites, and files of moves, FENs or PGNs, as cutechess and other arenas write them.

use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;
use std::str::FromStr;

use crate::random::{Random, random_position_on};
use anyhow::{Context, Result, bail, ensure};
use plumb::board::{Board, Geometry, Position, PositionReader, ReadPosition};
use plumb::book::{Book, BookProbe};
use plumb::score::Score;

use crate::position_command::variant;

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
        let columns = columns.or_else(|| moves_to(&position));
        let columns = columns.with_context(|| format!("no moves lead to `{text}`"))?;
        Ok(Self { name: String::new(), columns })
    }

    /// The position after the moves.
    pub(crate) fn position(&self, board: Board) -> Option<Position<Board>> {
        self.columns.iter().try_fold(Position::empty(board), |position, &column| position.play(column))
    }
}

/// Columns that lead from the empty board to `position`, if any do.
pub fn moves_to<G: Geometry>(position: &Position<G>) -> Option<Vec<u32>> {
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
/// images. `stones` must be fewer than the board has cells. There are fewer openings if not enough
/// positions are found, as with few stones.
pub fn random(board: Board, stones: u32, seed: u64, count: usize) -> Vec<OpeningLine> {
    let mut random = Random::new(seed, stones);
    let mut known = HashSet::new();
    let mut lines = Vec::new();
    let mut misses = 0;
    while lines.len() < count && misses < MAX_MISSES {
        let Some(played) = random_position_on(board, &mut random, stones) else { break };
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

/// Reads the openings in `text`, on each line moves, a FEN or another form of position. Errors say that they are in `name`.
///
/// # Errors
/// If there is none; the first line that is no opening, with its number.
pub fn parse(reader: &PositionReader<Board>, text: &str, name: &str) -> Result<Vec<OpeningLine>> {
    let lines = (1..).zip(text.lines()).map(|(number, line)| (number, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let read = |(number, line): (usize, &str)| {
        OpeningLine::read(reader, fen_of(line)).with_context(|| format!("`{name}`, line {number}"))
    };
    non_empty(lines.map(read).collect::<Result<_>>()?, name)
}

/// The openings of the file or text `name`, of which there must be one at least.
fn non_empty(lines: Vec<OpeningLine>, name: &str) -> Result<Vec<OpeningLine>> {
    ensure!(!lines.is_empty(), "`{name}` holds no opening");
    Ok(lines)
}

/// The FEN at the beginning of an EPD line: up to the operations, which end with `;`. Other lines are left whole.
fn fen_of(line: &str) -> &str {
    let ends: Vec<_> = line.match_indices(' ').map(|(index, _)| index).collect();
    let is_epd = line.contains('/') && line.contains(';');
    // Rows, side to move, and two dashes; the counters may be missing.
    ends.get(3).filter(|_| is_epd).map_or(line, |&end| &line[..end])
}

/// The decided positions are won with this score at the most: with one of the winner's last two stones.
const LATEST: Score = 2;

/// A built-in suite: positions of 8 stones in which one move only keeps what there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suite {
    /// Exact draws in which every move but one loses.
    Balanced,
    /// Positions that the side to move wins, late, and with one move only.
    Decided,
}

impl Suite {
    /// All suites.
    pub const ALL: [Self; 2] = [Self::Balanced, Self::Decided];

    /// Its name, its text, and the scores of its positions for the side to move. A move that leaves the least of these
    /// scores or more keeps the result.
    fn parts(self) -> (&'static str, &'static str, RangeInclusive<Score>) {
        match self {
            Self::Balanced => ("balanced", include_str!("suites/balanced.txt"), 0..=0),
            Self::Decided => ("decided", include_str!("suites/decided.txt"), 1..=LATEST),
        }
    }

    /// The openings as column digits, one a line, the hardest first.
    pub fn text(self) -> &'static str {
        self.parts().1
    }

    /// Its openings, the hardest first.
    ///
    /// # Errors
    /// Not in practice: only if what this program holds were damaged.
    pub fn openings(self) -> Result<Vec<OpeningLine>> {
        parse(&PositionReader::new(Board::default()), self.text(), &self.to_string())
    }

    /// Whether a position belongs to the suite by its scores in `book`; no position does that the book does not know.
    pub fn includes(self, book: &Book, position: &Position) -> bool {
        let Some(mut probe) = BookProbe::new(book, position) else { return false };
        let Some(score) = probe.score(position) else { return false };
        let (_, _, scores) = self.parts();
        let mut keeps = |next: Position| probe.score(&next).is_some_and(|reply| -reply >= *scores.start());
        let moves = position.legal_columns().filter_map(|column| position.play(column));
        scores.contains(&score) && moves.filter(|&next| keeps(next)).count() == 1
    }
}

impl FromStr for Suite {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|suite| suite.to_string() == text);
        found.ok_or_else(|| format!("`{text}` is neither balanced nor decided"))
    }
}

impl fmt::Display for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.parts().0)
    }
}

/// A game: its tags, and its moves without comments, variations, numbers and the result.
#[derive(Debug, Default, PartialEq, Eq)]
struct Game<'a> {
    tags: Vec<(&'a str, &'a str)>,
    moves: Vec<&'a str>,
    /// The first word of digits that cannot be the number of a move.
    digits: Option<&'a str>,
    /// Whether the last word was the number of a move.
    is_numbered: bool,
    /// Whether its result has been read.
    is_over: bool,
}

/// Reads the games of a PGN text, up to `plies` moves of each, from the position of its tag `FEN` where a game has one.
/// Errors say that they are in `name`.
///
/// # Errors
/// If there is none; the first game that is no opening, or contradicts itself, with its number and tag.
pub fn parse_pgn(
    reader: &PositionReader<Board>,
    text: &str,
    name: &str,
    plies: usize,
) -> Result<Vec<OpeningLine>> {
    let read = |(number, game): (usize, Game<'_>)| {
        game.opening(reader, plies).with_context(|| format!("`{name}`, game {number}"))
    };
    let games = games(text).with_context(|| format!("`{name}`"))?;
    non_empty((1..).zip(games).map(read).collect::<Result<_>>()?, name)
}

impl Game<'_> {
    fn opening(&self, reader: &PositionReader<Board>, plies: usize) -> Result<OpeningLine> {
        if let Some(digits) = self.digits {
            bail!("`{digits}`: expected a move such as d1 or d; digits are numbers of moves in PGN");
        }
        if let Some(played) = self.tag("Variant").filter(|name| name.starts_with("cfour")) {
            let expected = variant(reader.geometry.size());
            ensure!(
                played == expected,
                "tag Variant: `{played}` is played on another board, expected `{expected}`"
            );
        }
        let moves = self.moves[..self.moves.len().min(plies)].join(" ");
        let Some(fen) = self.fen()? else { return OpeningLine::read(reader, &moves) };
        let start = OpeningLine::read(reader, fen).context("tag FEN")?;
        // Column letters, beside which moves are read in any form.
        let way = start.columns.iter().map(|&column| char::from(b'a' + column as u8).to_string());
        let text = way.chain([moves]).collect::<Vec<_>>().join(" ");
        OpeningLine::read(reader, &text).with_context(|| format!("moves after its FEN (reached by `{text}`)"))
    }

    /// The tag `FEN`: the position of the first move, if that is not the empty board.
    ///
    /// # Errors
    /// Tags that contradict each other.
    fn fen(&self) -> Result<Option<&str>> {
        match (self.tag("FEN"), self.tag("SetUp")) {
            (None, Some("1")) => {
                bail!("tag SetUp: it says `1`, a position to begin from, and there is no tag FEN")
            }
            (Some(_), Some("0")) => bail!("tag SetUp: it says `0`, the empty board, and there is a tag FEN"),
            (fen, _) => Ok(fen),
        }
    }

    /// The value of a tag.
    fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|&(_, value)| value)
    }
}

/// The games of a PGN text. A game begins with its tags; without them with the first move of the text, or after a result.
///
/// # Errors
/// A comment or variation that does not end: what follows it would be taken for a part of it.
fn games(text: &str) -> Result<Vec<Game<'_>>> {
    let mut games: Vec<Game<'_>> = Vec::new();
    let (mut in_tags, mut variations) = (false, 0_u32);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let end = match c {
            '[' => {
                let end = rest.find('\n');
                ensure!(variations == 0, "game {}: `(` without its `)`", games.len());
                if !in_tags {
                    games.push(Game::default());
                }
                in_tags = true;
                let tag = rest[1..end.unwrap_or(rest.len())].split_once('"');
                let tag = tag.map(|(name, value)| (name.trim(), value.split('"').next().unwrap_or_default()));
                games.last_mut().into_iter().for_each(|game| game.tags.extend(tag));
                end
            }
            '{' => {
                let unended =
                    || format!("game {}: a comment begins with `{{` and does not end", games.len().max(1));
                Some(rest.find('}').with_context(unended)?)
            }
            ';' => rest.find('\n'),
            '(' | ')' => {
                variations = if c == '(' { variations + 1 } else { variations.saturating_sub(1) };
                Some(0)
            }
            _ if c.is_whitespace() => Some(c.len_utf8() - 1),
            _ => {
                in_tags = false;
                let end = rest.find(|c: char| c.is_whitespace() || "{();".contains(c)).unwrap_or(rest.len());
                // `12.` may stand before its move without a blank.
                let word = rest[..end].trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
                let is_result = matches!(&rest[..end], "1-0" | "0-1" | "1/2-1/2" | "*");
                let is_no_move = variations > 0 || word.starts_with('$');
                if !is_no_move && !is_result && games.last().is_none_or(|game| game.is_over) {
                    games.push(Game::default());
                }
                if let Some(game) = games.last_mut().filter(|_| word.is_empty() && variations == 0) {
                    // A number has a dot, perhaps behind blanks, or stands where one is due: before a move of the first player.
                    let has_dot = rest[..end].ends_with('.') || rest[end..].trim_start().starts_with('.');
                    let due = game.moves.len() / 2 + 1;
                    let is_due = !game.is_numbered
                        && game.moves.len().is_multiple_of(2)
                        && rest[..end].parse() == Ok(due);
                    game.digits = game.digits.or((!has_dot && !is_due).then_some(&rest[..end]));
                    game.is_numbered = true;
                }
                if let Some(game) = games.last_mut().filter(|_| !is_no_move) {
                    game.is_over = is_result;
                    if !is_result && !word.is_empty() {
                        game.moves.push(word);
                        game.is_numbered = false;
                    }
                }
                Some(end - 1)
            }
        };
        rest = end.map_or("", |end| &rest[end + 1..]);
    }
    ensure!(variations == 0, "game {}: `(` without its `)`", games.len());
    Ok(games)
}

#[cfg(test)]
mod tests;
