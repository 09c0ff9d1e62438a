//! Openings: random moves, the built-in suites, and files of moves, FENs or PGNs, as cutechess and other arenas write them.

use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;
use std::str::FromStr;

use anyhow::{Context, Result, bail, ensure};
use plumb::board::{Board, Geometry, Position, PositionReader, ReadPosition, Standard};
use plumb::book::{Book, BookProbe};
use plumb::score::Score;
use plumb_tools_common::random::{Random, random_position_on};

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
    // Rows, side to move, and two dashes; the counters may be missing.
    if line.contains(';') { ends.get(3).map_or(line, |&end| &line[..end]) } else { line }
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

    /// Its name and its text.
    fn parts(self) -> (&'static str, &'static str) {
        match self {
            Self::Balanced => ("balanced", include_str!("suites/balanced.txt")),
            Self::Decided => ("decided", include_str!("suites/decided.txt")),
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
    pub fn includes(self, book: &Book<Standard>, position: &Position) -> bool {
        let Some(mut probe) = BookProbe::new(book, position) else { return false };
        let Some(score) = probe.score(position) else { return false };
        let least = *self.scores().start();
        let mut keeps = |next: Position| probe.score(&next).is_some_and(|reply| -reply >= least);
        let moves = position.legal_columns().filter_map(|column| position.play(column));
        self.scores().contains(&score) && moves.filter(|&next| keeps(next)).count() == 1
    }

    /// The scores of its positions for the side to move. A move that leaves the least of them or more keeps the result.
    fn scores(self) -> RangeInclusive<Score> {
        match self {
            Self::Balanced => 0..=0,
            Self::Decided => 1..=LATEST,
        }
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
    non_empty((1..).zip(games(text)).map(read).collect::<Result<_>>()?, name)
}

impl Game<'_> {
    fn opening(&self, reader: &PositionReader<Board>, plies: usize) -> Result<OpeningLine> {
        if let Some(digits) = self.digits {
            bail!("`{digits}`: expected a move such as d1 or d; digits are numbers of moves in PGN");
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
        let value = |name: &str| {
            let tag = self.tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
            tag.map(|&(_, value)| value)
        };
        let (fen, set_up) = (value("FEN"), value("SetUp"));
        match (fen, set_up) {
            (None, Some("1")) => {
                bail!("tag SetUp: it says `1`, a position to begin from, and there is no tag FEN")
            }
            (Some(_), Some("0")) => bail!("tag SetUp: it says `0`, the empty board, and there is a tag FEN"),
            _ => Ok(fen),
        }
    }
}

/// The games of a PGN text. A game begins with its tags, or with the first move of the text.
fn games(text: &str) -> Vec<Game<'_>> {
    let mut games: Vec<Game<'_>> = Vec::new();
    let (mut in_tags, mut variations) = (false, 0_u32);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let end = match c {
            '[' => {
                let end = rest.find('\n');
                if !in_tags {
                    games.push(Game::default());
                }
                in_tags = true;
                let tag = rest[1..end.unwrap_or(rest.len())].split_once('"');
                let tag = tag.map(|(name, value)| (name.trim(), value.split('"').next().unwrap_or_default()));
                games.last_mut().into_iter().for_each(|game| game.tags.extend(tag));
                end
            }
            '{' => rest.find('}'),
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
                let is_no_move = variations > 0 || word.starts_with('$');
                if word.is_empty()
                    && variations == 0
                    && let Some(game) = games.last_mut()
                {
                    // A number has a dot, perhaps behind blanks, or stands where one is due: before a move of the first player.
                    let has_dot = rest[..end].ends_with('.') || rest[end..].trim_start().starts_with('.');
                    let due = game.moves.len() / 2 + 1;
                    let is_due = !game.is_numbered
                        && game.moves.len().is_multiple_of(2)
                        && rest[..end].parse() == Ok(due);
                    game.digits = game.digits.or((!has_dot && !is_due).then_some(&rest[..end]));
                    game.is_numbered = true;
                }
                if !is_no_move && !word.is_empty() && !matches!(&rest[..end], "1-0" | "0-1" | "1/2-1/2" | "*")
                {
                    if games.is_empty() {
                        games.push(Game::default());
                    }
                    games.last_mut().into_iter().for_each(|game| {
                        game.moves.push(word);
                        game.is_numbered = false;
                    });
                }
                Some(end - 1)
            }
        };
        rest = end.map_or("", |end| &rest[end + 1..]);
    }
    games
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
                let reached = OpeningLine { name: String::new(), columns: found }.position(Board::default());
                assert_eq!(reached, Some(position), "{line}");
            }
        }
    }

    #[test]
    fn what_is_no_opening_is_named_with_its_line() {
        for (text, fault) in [
            ("", "`there` holds no opening"),
            ("4453\n44x", "`there`, line 2: `x` at byte 2: not a column digit (columns 1 to 7)"),
            ("1212121", "`there`, line 1: the game is over after `1212121`"),
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
        let counts = [0, 1].map(|plies| random(Board::default(), plies, 1, 9).len());
        assert_eq!(counts, [1, 4]);
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

    fn pgn_columns(text: &str, plies: usize) -> Result<Vec<Vec<u32>>, String> {
        let lines = parse_pgn(&PositionReader::new(Board::default()), text, "there", plies);
        let lines = lines.map_err(|error| format!("{error:#}"))?;
        Ok(lines.into_iter().map(|line| line.columns).collect())
    }

    #[test]
    fn games_are_read_without_what_surrounds_their_moves() {
        let text = "[White \"A\"]\r\n[Result \"1-0\"]\r\n\r\n1. P@d1 {book} P@d2 $1 2. P@e1 (2. a1 (2. b1) c1) ; so\r\n\
                2... P@c1 {0.5/3 0.1s} 1-0\r\n\r\n[White \"B [x]\"]\n\n1.P@a1 1/2-1/2\n";
        let found: Vec<_> = games(text).into_iter().map(|game| game.moves).collect();
        assert_eq!(found, [vec!["P@d1", "P@d2", "P@e1", "P@c1"], vec!["P@a1"]]);
        assert_eq!(games(text)[1].tags, [("White", "B [x]")]);
    }

    #[test]
    fn a_game_begins_with_its_position() {
        let fen = "7/7/7/7/2p4/2p1PP1[PPPPPPPPPPPPPPPPPPPppppppppppppppppppp] w - - 0 1";
        let game = |tags: &str, moves: &str| format!("[Event \"?\"]\n{tags}\n\n{moves} 0-1\n");
        let set_up = format!("[FEN \"{fen}\"]\n[SetUp \"1\"]");
        let found = pgn_columns(&game(&set_up, "1. P@d1 {-0.10/4 0.001s} P@g1 2. P@e2"), 2)
            .expect("an opening")
            .remove(0);
        assert_eq!((found.len(), &found[4..]), (6, &[3, 6][..]));
        let position = OpeningLine { name: String::new(), columns: found }.position(Board::default());
        let reached = position.expect("legal").fen();
        assert!(reached.starts_with("7/7/7/7/2p4/2pPPPp["), "{reached}");
        let unset = set_up.replace("\"1\"", "\"0\"");
        for (tags, moves, expected) in [
            ("[SetUp \"1\"]", "1. d1", "`there`, game 1: tag SetUp: it says `1`, a position to begin from"),
            (&unset, "1. d1", "`there`, game 1: tag SetUp: it says `0`, the empty board"),
            ("[FEN \"8/8/8 w\"]", "1. d1", "`there`, game 1: tag FEN: "),
            (&set_up, "1. P@c1", "`there`, game 1: moves after its FEN (reached by `"),
            ("[Round \"1\"]", "1. 4 4 2. 5", "`there`, game 1: `4`: expected a move such as d1 or d"),
            ("[Round \"1\"]", "1.4 4 2.5 5", "`there`, game 1: `1.4`: expected a move such as d1 or d"),
        ] {
            let said = pgn_columns(&game(tags, moves), 9).expect_err(tags);
            assert!(said.starts_with(expected), "{said}");
        }
    }

    #[test]
    fn every_opening_is_what_its_suite_promises() {
        let book = Book::<Standard>::embedded().expect("it is part of this program");
        for suite in Suite::ALL {
            assert_eq!(suite.to_string().parse(), Ok(suite));
            let lines = suite.openings().expect("it can be read");
            let mut keys = HashSet::new();
            for OpeningLine { columns, .. } in &lines {
                let position = columns.iter().try_fold(Position::new(), |p, &column| p.play(column));
                let position = position.expect("legal moves");
                assert_eq!(position.plies(), 8);
                assert!(keys.insert(position.canonical_key()), "{suite}: {columns:?} is there twice");
                assert!(suite.includes(&book, &position), "{suite}: {columns:?}");
            }
            assert!(lines.len() >= 500, "{suite}: {}", lines.len());
        }
        // Two moves keep the draw, and four keep the win.
        for (suite, columns) in [(Suite::Balanced, &[2, 2][..]), (Suite::Decided, &[0])] {
            let position = columns.iter().try_fold(Position::new(), |p, &column| p.play(column));
            assert!(!suite.includes(&book, &position.expect("legal moves")), "{suite}: {columns:?}");
        }
    }
}
