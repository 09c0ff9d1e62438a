//! The parsers. Only this module uses `nom`.

mod command;
mod go;
mod info;
mod lexeme;
mod moves;
mod parsed;
mod reply;

use std::str::FromStr;

use nom::Err;

use self::lexeme::{ParseFailure, is_blank, trim, word};
pub use self::parsed::{MAX_WARNINGS, Parsed};
use crate::{Expected, LineError, Move, Reply, Token};

/// Parses a line sent to an engine, with or without its line end; `None` if it is blank.
///
/// Words are separated by blanks and tabs. Keywords are lower case. Words before the first one that is a command are
/// skipped (`joho debug on`), and so is what follows a command that takes no more; only `moves` and `d`, which occur
/// inside other commands, must come first. The time is linear in the length of the line.
///
/// ```
/// use plumb_protocol::{Command, parse_command};
///
/// let parsed = parse_command("go depth 12 nodes many")?.expect("the line is not blank");
/// let Command::Go(go) = parsed.command else { panic!("not a go") };
/// assert_eq!((go.depth, go.nodes), (Some(12), None));
/// assert_eq!(
///     parsed.warnings[0].to_string(),
///     "`many` at byte 18: expected a whole number from 0 to 18446744073709551615",
/// );
/// assert_eq!(parse_command(" \r\n"), Ok(None));
/// # Ok::<(), plumb_protocol::LineError>(())
/// ```
///
/// # Errors
///
/// The first word that does not fit, with what is expected: a word that is not a move in a list of moves, `setoption`
/// without a name, `position fen` without a FEN, `debug`, `query` or `perft` without the right word after it. In a line
/// without a command that is the first word. A malformed limit of `go` is only a warning, in
/// [`Parsed::warnings`].
pub fn parse_command(line: &str) -> Result<Option<Parsed<'_>>, LineError> {
    let line = line.trim_end_matches(is_blank);
    let start = line.trim_start_matches(is_blank);
    if start.is_empty() {
        return Ok(None);
    }
    let mut input = start;
    let mut attempt = command::first_command(line, start);
    loop {
        match attempt {
            Ok((_, parsed)) => return Ok(Some(parsed)),
            Err(Err::Failure(fault)) => return Err(fault.in_line(line)),
            Err(_) => {}
        }
        let Ok((rest, _)) = word(input) else {
            return Err(ParseFailure::new(start, Expected::Command).in_line(line));
        };
        input = rest;
        attempt = command::command(line, input);
    }
}

/// Parses a list of moves in any mix of forms, such as `4455` or `d P@d2 c`; blank text is an empty list.
///
/// ```
/// use plumb_protocol::parse_moves;
///
/// let moves = parse_moves("44 d3")?;
/// assert!(moves.iter().all(|m| m.value.column.letter() == 'd'));
/// assert_eq!(moves.iter().map(|m| m.offset).collect::<Vec<_>>(), [0, 1, 3]);
/// # Ok::<(), plumb_protocol::LineError>(())
/// ```
///
/// # Errors
///
/// The first word that is not a move, or the first `0` among joined digits.
pub fn parse_moves(text: &str) -> Result<Vec<Token<'_, Move>>, LineError> {
    match moves::move_list(text, trim(text)) {
        Ok((_, moves)) => Ok(moves),
        Err(Err::Failure(fault) | Err::Error(fault)) => Err(fault.in_line(text)),
        Err(Err::Incomplete(_)) => Err(LineError::expected("", text.len(), Expected::Move)),
    }
}

/// Parses a line sent by an engine, with or without its line end.
///
/// A line without a keyword at its beginning is [`Reply::Text`]. In others, additions of unknown engines are skipped:
/// fields of `info` that are unknown or malformed, words after the end. A principal variation ends before its first
/// malformed move. The default of an option, if missing, is `false`, the number between the bounds nearest to 0, the first
/// of the list or the empty text; a missing bound is the end of `i64`. `none` and `0000` are read as `(none)`. The time is
/// linear in the length of the line.
///
/// ```
/// use plumb_protocol::{Reply, Score, parse_reply};
///
/// let Reply::Info(info) = parse_reply("info depth 3 phase late score mate 1 pv P@d4")? else { panic!("no info") };
/// assert_eq!(info.depth, Some(3));
/// assert_eq!(info.score, Some(Score::Mate(1).into()));
/// assert_eq!(info.pv[0].column.letter(), 'd');
/// assert_eq!(parse_reply("| . X . |")?, Reply::Text("| . X . |".to_owned()));
/// # Ok::<(), plumb_protocol::LineError>(())
/// ```
///
/// # Errors
///
/// The word that does not fit, in lines that mean nothing without it: `bestmove` without a move, `id` with neither `name`
/// nor `author`, `option` without a name or without one of the five types, an empty `response`.
pub fn parse_reply(line: &str) -> Result<Reply, LineError> {
    let text = line.trim_end_matches(['\r', '\n']);
    match reply::reply(text.trim_start_matches(is_blank)) {
        Ok((_, reply)) => Ok(reply),
        Err(Err::Failure(fault)) => Err(fault.in_line(line)),
        Err(_) => Ok(Reply::Text(text.to_owned())),
    }
}

/// Parses one move, which must be the whole text.
impl FromStr for Move {
    type Err = LineError;

    fn from_str(text: &str) -> Result<Self, LineError> {
        moves::whole_move(text).map(|(_, m)| m).map_err(|_| LineError::expected(text, 0, Expected::Move))
    }
}
