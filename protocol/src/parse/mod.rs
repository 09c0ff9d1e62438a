//! From a line to a value. This is the only place that uses `nom`.

mod command;
mod go;
mod info;
mod lexeme;
mod moves;
mod reply;

use std::str::FromStr;

use nom::Err;

use self::lexeme::{Fault, is_blank, trim, word};
use crate::{Command, Expected, Located, Move, Reply, SyntaxError, Warning};

/// How many warnings one line can earn; what is wrong beyond that is dropped without one, so that a line of a
/// million mistakes is not answered by a million lines.
pub const MAX_WARNINGS: usize = 32;

/// A command, and what of its line had to be left out of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The command.
    pub command: Command,
    /// Parts of a `go` that are ignored or read as something else; at most [`MAX_WARNINGS`].
    pub warnings: Vec<Warning>,
}

/// Reads a line sent to an engine; `None` if it is blank. The line may be handed over with or without its end.
///
/// Words are separated by blanks and tabs. Keywords are lower case. Words before the first one that is a command are
/// skipped (`joho debug on`), and so is what follows a command that takes no more; only `moves` and `d`, which occur
/// inside other commands, must come first. The time taken is linear in the
/// length of the line.
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
/// # Ok::<(), plumb_protocol::SyntaxError>(())
/// ```
///
/// # Errors
///
/// Names the first word that does not fit, and what would have: a word that is no move in a list of moves, a
/// `setoption` without a name, a `position fen` without a FEN, a `debug`, `query` or `perft` with the wrong word or
/// none after it. A line without any command is named by its first word. A malformed limit of `go` is no error but a
/// [`Warning`].
pub fn parse_command(line: &str) -> Result<Option<Parsed>, SyntaxError> {
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
            return Err(Fault::new(start, Expected::Command).in_line(line));
        };
        input = rest;
        attempt = command::command(line, input);
    }
}

/// Reads a list of moves in any mix of spellings, such as `4455` or `d P@d2 c`; blank text is an empty list.
///
/// ```
/// use plumb_protocol::parse_moves;
///
/// let moves = parse_moves("44 d3")?;
/// assert!(moves.iter().all(|m| m.value.column.letter() == 'd'));
/// assert_eq!(moves.iter().map(|m| m.offset).collect::<Vec<_>>(), [0, 1, 3]);
/// # Ok::<(), plumb_protocol::SyntaxError>(())
/// ```
///
/// # Errors
///
/// Names the first word that is no move, or the first `0` among glued digits.
pub fn parse_moves(text: &str) -> Result<Vec<Located<Move>>, SyntaxError> {
    match moves::move_list(text, trim(text)) {
        Ok((_, moves)) => Ok(moves),
        Err(Err::Failure(fault) | Err::Error(fault)) => Err(fault.in_line(text)),
        Err(Err::Incomplete(_)) => Err(SyntaxError::new("", text.len(), Expected::Move)),
    }
}

/// Reads a line sent by an engine, which may be handed over with or without its end.
///
/// A line that begins with no keyword is [`Reply::Text`]. In those that do, what an unknown engine may have added is
/// skipped: fields of `info` that are unknown or unreadable, words after the end. A principal variation ends before its
/// first unreadable move. A default that an option lacks is read as `false`, as the number between the bounds that is
/// nearest to 0, as the first of the list or as the empty text, and a bound that it lacks as the end of `i64`. `none`
/// and `0000` are read as `(none)`. The time taken is linear in the length of the line.
///
/// ```
/// use plumb_protocol::{Reply, Score, parse_reply};
///
/// let Reply::Info(info) = parse_reply("info depth 3 phase late score mate 1 pv P@d4")? else { panic!("no info") };
/// assert_eq!(info.depth, Some(3));
/// assert_eq!(info.score, Some(Score::Mate(1).into()));
/// assert_eq!(info.pv[0].column.letter(), 'd');
/// assert_eq!(parse_reply("| . X . |")?, Reply::Text("| . X . |".to_owned()));
/// # Ok::<(), plumb_protocol::SyntaxError>(())
/// ```
///
/// # Errors
///
/// Names the word that does not fit where nothing is left to make sense of: `bestmove` without a readable move, `id`
/// with neither `name` nor `author`, `option` without a name or without one of the five types, an empty `response`.
pub fn parse_reply(line: &str) -> Result<Reply, SyntaxError> {
    let text = line.trim_end_matches(['\r', '\n']);
    match reply::reply(text.trim_start_matches(is_blank)) {
        Ok((_, reply)) => Ok(reply),
        Err(Err::Failure(fault)) => Err(fault.in_line(line)),
        Err(_) => Ok(Reply::Text(text.to_owned())),
    }
}

/// Reads one move, which must be the whole text.
impl FromStr for Move {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        moves::whole_move(text).map(|(_, m)| m).map_err(|_| SyntaxError::new(text, 0, Expected::Move))
    }
}

/// Reads one line, as [`parse_reply`] does.
impl FromStr for Reply {
    type Err = SyntaxError;

    fn from_str(line: &str) -> Result<Self, SyntaxError> {
        parse_reply(line)
    }
}
