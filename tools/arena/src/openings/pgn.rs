//! Openings from the games of a PGN text, as cutechess and other arenas write them.

use anyhow::{Context, Result, bail};
use plumb::board::{Board, PositionReader};

use super::{OpeningLine, some};

/// A game: its tags, and its moves without comments, variations, numbers and the result.
#[derive(Debug, Default, PartialEq, Eq)]
struct Game<'a> {
    tags: Vec<(&'a str, &'a str)>,
    moves: Vec<&'a str>,
}

/// Reads the games of a PGN text, up to `plies` moves of each, from the position of its tag `FEN` where a game has one.
/// Errors say that they are in `name`.
///
/// # Errors
/// If there is none; the first game that is no opening, or contradicts itself, with its number and tag.
pub fn parse(
    reader: &PositionReader<Board>,
    text: &str,
    name: &str,
    plies: usize,
) -> Result<Vec<OpeningLine>> {
    let read = |(number, game): (usize, Game<'_>)| {
        game.opening(reader, plies).with_context(|| format!("`{name}`, game {number}"))
    };
    some((1..).zip(games(text)).map(read).collect::<Result<_>>()?, name)
}

impl Game<'_> {
    fn opening(&self, reader: &PositionReader<Board>, plies: usize) -> Result<OpeningLine> {
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
            '(' => {
                variations += 1;
                Some(0)
            }
            ')' => {
                variations = variations.saturating_sub(1);
                Some(0)
            }
            _ if c.is_whitespace() => Some(c.len_utf8() - 1),
            _ => {
                in_tags = false;
                let end = rest.find(|c: char| c.is_whitespace() || "{();".contains(c)).unwrap_or(rest.len());
                // `12.` may stand before its move without a blank.
                let word = rest[..end].trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
                let is_no_move = variations > 0 || word.starts_with('$');
                if !is_no_move && !word.is_empty() && !matches!(&rest[..end], "1-0" | "0-1" | "1/2-1/2" | "*")
                {
                    if games.is_empty() {
                        games.push(Game::default());
                    }
                    games.last_mut().into_iter().for_each(|game| game.moves.push(word));
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

    fn columns(text: &str, plies: usize) -> Result<Vec<Vec<u32>>, String> {
        let lines = parse(&PositionReader::new(Board::default()), text, "there", plies);
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
        let found = columns(&game(&set_up, "1. P@d1 {-0.10/4 0.001s} P@g1 2. P@e2"), 2)
            .expect("an opening")
            .remove(0);
        assert_eq!((found.len(), &found[4..]), (6, &[3, 6][..]));
        let position =
            found.iter().try_fold(plumb::board::Position::empty(Board::default()), |p, &c| p.play(c));
        assert!(
            position.is_some_and(|position| position.fen().starts_with("7/7/7/7/2p4/2pPPPp[")),
            "{position:?}"
        );
        for (tags, moves, expected) in [
            ("[SetUp \"1\"]", "1. d1", "`there`, game 1: tag SetUp: it says `1`, a position to begin from"),
            (
                &set_up.replace("\"1\"", "\"0\""),
                "1. d1",
                "`there`, game 1: tag SetUp: it says `0`, the empty board",
            ),
            ("[FEN \"8/8/8 w\"]", "1. d1", "`there`, game 1: tag FEN: "),
            (&set_up, "1. P@c1", "`there`, game 1: moves after its FEN (reached by `"),
        ] {
            let said = columns(&game(tags, moves), 9).expect_err(tags);
            assert!(said.starts_with(expected), "{said}");
        }
    }
}
