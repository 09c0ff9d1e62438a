//! Openings: random moves, built-in suites, and files.

use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;
use std::str::FromStr;

use anyhow::{Context, Result, bail, ensure};
use plumb::board::{Bits, Board, Geometry, Position, PositionReader, ReadPosition, Standard, column_name};
use plumb::book::{Book, BookProbe};
use plumb::mix::Random;
use plumb::score::Score;

use crate::exact::ExactSolver;
use crate::file::ensure_text;
use crate::position_command::variant;

/// Random generation gives up after this many duplicates in a row.
const MAX_MISSES: u32 = 1000;

/// Legal moves from the empty board that do not end the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningLine {
    /// Name of the opening; usually empty.
    pub name: String,
    /// Columns of the moves, from 0.
    pub columns: Vec<u32>,
}

impl OpeningLine {
    fn read(reader: &PositionReader<Board>, text: &str) -> Result<Self> {
        let ReadPosition { position, columns } = reader.read(text)?;
        ensure!(position.outcome().is_none(), "the game is over after `{text}`");
        let columns = columns.or_else(|| moves_to(&position));
        let columns = columns.with_context(|| format!("no moves lead to `{text}`"))?;
        Ok(Self { name: String::new(), columns })
    }

    pub(crate) fn position(&self, board: Board) -> Option<Position<Board>> {
        self.columns.iter().try_fold(Position::empty(board), |position, &column| position.play(column))
    }
}

/// Moves (columns from 0) from the empty board to `position`. `None` if it is unreachable.
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

/// Position with its moves.
pub struct RandomPosition<G: Geometry = Standard> {
    /// Moves as column digits, or as letters on more than 9 columns.
    pub moves: String,
    /// Position after the moves.
    pub position: Position<G>,
}

/// Position after `stones` random moves, before the end of the game. `stones` is less than the number of cells.
pub fn random_position(random: &mut Random, stones: u32) -> RandomPosition {
    loop {
        if let Some(played) = play(Standard::default(), random, stones) {
            return played;
        }
    }
}

/// Maximum number of random games to find a position. On 8x8, one game in 55,000 is not over after 63 stones.
const MAX_GAMES: u32 = 1 << 24;

/// Like [`random_position`], on any board. `None` if millions of games ended early.
pub fn random_position_on<G: Geometry>(
    board: G,
    random: &mut Random,
    stones: u32,
) -> Option<RandomPosition<G>> {
    (0..MAX_GAMES).find_map(|_| play(board, random, stones))
}

fn play<G: Geometry>(board: G, random: &mut Random, stones: u32) -> Option<RandomPosition<G>> {
    let mut position = Position::empty(board);
    let mut moves = String::new();
    while position.plies() < stones {
        let count = position.playable().count();
        let nth = random.below(count.max(1)) as usize;
        let column = position.legal_columns().nth(nth)?;
        moves.push(column_name(board.width(), column));
        position = position.play(column)?;
    }
    if position.outcome().is_some() { None } else { Some(RandomPosition { moves, position }) }
}

/// Up to `count` openings of `stones` random moves, determined by `seed`. No two lead to equal or mirrored positions.
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

/// Result of the engines under test with perfect play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TheoreticalResult {
    /// A loss.
    Lost,
    /// A draw.
    Drawn,
}

/// Up to `count` different openings of `stones` random moves without an immediate win, each with the side under test (0
/// for the first player). In lost openings the losing side is tested, in drawn openings each side in turn.
pub fn theoretical(
    result: TheoreticalResult,
    stones: u32,
    seed: u64,
    count: usize,
) -> Result<Vec<(OpeningLine, usize)>> {
    let exact = ExactSolver::new(Board::default())?;
    let mut found = Vec::with_capacity(count);
    let mut solved = 0;
    // Few positions are draws with perfect play, so more candidates than openings are needed.
    let mut candidates = 2 * count + 50;
    loop {
        let lines = random(Board::default(), stones, seed, candidates);
        let is_all = lines.len() < candidates;
        // A longer list begins with the shorter list, which is already solved.
        for line in lines.into_iter().skip(solved) {
            let position = line.position(Board::default());
            let Some(position) = position.filter(|position| !position.can_win_now()) else { continue };
            let Some(score) = exact.score(&position) else { continue };
            let mover = position.plies() as usize % 2;
            let side = match result {
                TheoreticalResult::Lost if score > 0 => 1 - mover,
                TheoreticalResult::Lost if score < 0 => mover,
                TheoreticalResult::Drawn if score == 0 => found.len() % 2,
                _ => continue,
            };
            found.push((line, side));
            if found.len() == count {
                return Ok(found);
            }
        }
        if is_all {
            return Ok(found);
        }
        solved = candidates;
        candidates *= 2;
    }
}

/// Removes openings that lead to the position of an earlier opening, or to its mirror image.
pub fn different(board: Board, lines: Vec<OpeningLine>) -> Vec<OpeningLine> {
    let (mut known, mut different) = (HashSet::new(), Vec::new());
    for line in lines {
        if line.position(board).is_none_or(|position| known.insert(position.canonical_key())) {
            different.push(line);
        }
    }
    different
}

/// Reads moves or a FEN on each line, or the games of a PGN up to `plies` moves.
pub fn read(reader: &PositionReader<Board>, path: &Path, plies: usize) -> Result<Vec<OpeningLine>> {
    let name = path.display().to_string();
    if !path.exists() {
        bail!(
            "cannot read `{name}`: there is no such file, and the suites are balanced, decided, random, lost and drawn"
        );
    }
    let bytes = fs::read(path).with_context(|| format!("cannot read `{name}`"))?;
    ensure_text(path, &bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let is_pgn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
    if is_pgn { parse_pgn(reader, text, &name, plies) } else { parse(reader, text, &name) }
}

/// Reads openings, one a line. Errors mention `name`.
pub fn parse(reader: &PositionReader<Board>, text: &str, name: &str) -> Result<Vec<OpeningLine>> {
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            let opening = OpeningLine::read(reader, fen_of(line));
            openings.push(opening.with_context(|| format!("`{name}`, line {number}"))?);
        }
    }
    non_empty(openings, name)
}

fn non_empty(lines: Vec<OpeningLine>, name: &str) -> Result<Vec<OpeningLine>> {
    ensure!(!lines.is_empty(), "`{name}` holds no opening");
    Ok(lines)
}

/// FEN of an EPD line. Other lines are returned unchanged.
fn fen_of(line: &str) -> &str {
    if !line.contains('/') || !line.contains(';') {
        return line;
    }
    // A FEN has rows, side to move and two dashes. Its counters may be missing.
    match line.match_indices(' ').nth(3) {
        Some((end, _)) => &line[..end],
        None => line,
    }
}

/// Maximum score in the suite `decided`. Scores 1 and 2 are wins with the winner's last or second-last stone.
const LATEST: Score = 2;

/// Built-in suite: positions of 8 stones in which only one move keeps the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suite {
    /// Draws in which only one move keeps the draw; all others lose.
    Balanced,
    /// Late wins of the side to move, in which only one move wins.
    Decided,
}

impl Suite {
    /// All suites.
    pub const ALL: [Self; 2] = [Self::Balanced, Self::Decided];

    /// Name, text, and range of scores. A move keeps the result if it scores at least the lower end.
    fn parts(self) -> (&'static str, &'static str, RangeInclusive<Score>) {
        match self {
            Self::Balanced => ("balanced", include_str!("suites/balanced.txt"), 0..=0),
            Self::Decided => ("decided", include_str!("suites/decided.txt"), 1..=LATEST),
        }
    }

    /// Openings as column digits, hardest first.
    pub fn text(self) -> &'static str {
        self.parts().1
    }

    /// Openings, hardest first.
    pub fn openings(self) -> Result<Vec<OpeningLine>> {
        parse(&PositionReader::new(Board::default()), self.text(), &self.to_string())
    }

    /// Whether the suite includes a position, by the scores of its moves in `book`.
    pub fn includes(self, book: &Book, position: &Position) -> bool {
        let Some(mut probe) = BookProbe::new(book, position) else { return false };
        let Some(score) = probe.score(position) else { return false };
        let (_, _, scores) = self.parts();
        let mut keeping = 0;
        for next in position.legal_columns().filter_map(|column| position.play(column)) {
            if probe.score(&next).is_some_and(|reply| -reply >= *scores.start()) {
                keeping += 1;
            }
        }
        scores.contains(&score) && keeping == 1
    }
}

impl FromStr for Suite {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|suite| suite.to_string() == text);
        found.ok_or_else(|| format!("`{text}`: expected balanced or decided"))
    }
}

impl fmt::Display for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.parts().0)
    }
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Game<'a> {
    tags: Vec<(&'a str, &'a str)>,
    moves: Vec<&'a str>,
    /// First digits that are not a move number.
    digits: Option<&'a str>,
    is_numbered: bool,
    is_over: bool,
}

/// Reads the games of a PGN, up to `plies` moves each. Errors mention `name`.
pub fn parse_pgn(
    reader: &PositionReader<Board>,
    text: &str,
    name: &str,
    plies: usize,
) -> Result<Vec<OpeningLine>> {
    let mut openings = Vec::new();
    for (number, game) in (1..).zip(games(text).with_context(|| format!("`{name}`"))?) {
        let opening = game.opening(reader, plies);
        openings.push(opening.with_context(|| format!("`{name}`, game {number}"))?);
    }
    non_empty(openings, name)
}

impl<'a> Game<'a> {
    /// Reads digits. A move number has a dot, or comes before a move of the first player.
    fn read_number(&mut self, word: &'a str, has_dot: bool) {
        let due = self.moves.len() / 2 + 1;
        let is_due = !self.is_numbered && self.moves.len().is_multiple_of(2) && word.parse() == Ok(due);
        if !has_dot && !is_due {
            self.digits.get_or_insert(word);
        }
        self.is_numbered = true;
    }

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
        // Letters name a column whether digits count from 0 or from 1.
        let way = start.columns.iter().map(|&column| char::from(b'a' + column as u8).to_string());
        let text = way.chain([moves]).collect::<Vec<_>>().join(" ");
        OpeningLine::read(reader, &text).with_context(|| format!("moves after its FEN (reached by `{text}`)"))
    }

    /// Value of the tag `FEN`. A contradictory tag `SetUp` is an error.
    fn fen(&self) -> Result<Option<&str>> {
        match (self.tag("FEN"), self.tag("SetUp")) {
            (None, Some("1")) => {
                bail!("tag SetUp: it says `1`, a position to begin from, and there is no tag FEN")
            }
            (Some(_), Some("0")) => bail!("tag SetUp: it says `0`, the empty board, and there is a tag FEN"),
            (fen, _) => Ok(fen),
        }
    }

    fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|&(_, value)| value)
    }
}

/// Splits a PGN into games. A game begins with its tags, with the first move of the text, or after a result. A comment or
/// variation that does not end is an error.
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
                // `12.` may precede its move without a blank.
                let word = rest[..end].trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
                let is_result = matches!(&rest[..end], "1-0" | "0-1" | "1/2-1/2" | "*");
                let is_no_move = variations > 0 || word.starts_with('$');
                if !is_no_move && !is_result && games.last().is_none_or(|game| game.is_over) {
                    games.push(Game::default());
                }
                if let Some(game) = games.last_mut()
                    && !is_no_move
                {
                    game.is_over = is_result;
                    if word.is_empty() {
                        let has_dot = rest[..end].ends_with('.') || rest[end..].trim_start().starts_with('.');
                        game.read_number(&rest[..end], has_dot);
                    } else if !is_result {
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
