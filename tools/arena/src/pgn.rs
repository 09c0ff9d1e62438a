//! Games as PGN.
//!
//! In the variant `cfour` of cutechess the game starts from the empty board without a FEN, and a move is `P@` with a
//! square. The reader of cutechess ends a tag at the next quotation mark, and counts the braces of a comment: the text
//! contains neither.

pub(crate) mod comment;

use std::fmt::Write;
use std::time::Duration;

use jiff::Timestamp;
use plumb::board::Position;
use plumb_protocol::Dialect;

pub use comment::PgnFields;

use crate::engine::config::EngineConfig;
use crate::position_command::{position_after, variant};
use crate::record::{GameRecord, GameResult, MatchHeader};

/// Maximum length of a line, except for a single long word.
const LINE: usize = 80;

/// Game as PGN, with a final empty line.
pub fn to_pgn(header: &MatchHeader, game: &GameRecord) -> String {
    let plies = game.opening.moves.len() + game.moves.len();
    let mut pgn = String::new();
    let mut tag = |name: &str, value: &str| {
        let _ = writeln!(pgn, "[{name} \"{}\"]", tag_text(value));
    };
    tag("Event", &header.title);
    tag("Site", header.settings.pgn.site.as_deref().unwrap_or("?"));
    tag("Date", &date(&header.started));
    tag("Round", &(u64::from(game.pair) + 1).to_string());
    tag("White", &game.first);
    tag("Black", &game.second);
    tag("Result", &game.result.to_string());
    tag("Variant", &variant(header.settings.board));
    if !game.opening.name.is_empty() {
        tag("Opening", &game.opening.name);
    }
    tag("PlyCount", &plies.to_string());
    tag("Termination", game.reason.words().1);
    // Tags of cutechess. Older records lack the start.
    if let Ok(start) = game.started.parse::<Timestamp>() {
        let duration = Duration::try_from_secs_f64(game.seconds).unwrap_or_default();
        let seconds = duration.as_secs();
        tag("GameStartTime", &game_time(start));
        tag("GameEndTime", &game_time(start + duration));
        tag("GameDuration", &format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60));
    }
    // Tags of cutechess. The standard has no tag for other limits, such as `nodes=500`: these are in `Limits`.
    let [white, black] = [&game.first, &game.second].map(|player| {
        let mut engines = header.settings.engines.iter();
        engines.find(|engine| engine.name == *player).map(limits).unwrap_or_default()
    });
    for (name, white, black) in [("TimeControl", white.0, black.0), ("Limits", white.1, black.1)] {
        let values =
            if white == black { vec![("", white)] } else { vec![("White", white), ("Black", black)] };
        for (side, value) in values.iter().filter(|(_, value)| !value.is_empty()) {
            tag(&format!("{side}{name}"), value);
        }
    }
    pgn.extend(["\n", &wrap(&units(header, game)), "\n"]);
    pgn
}

fn game_time(time: Timestamp) -> String {
    format!("{time:.3}").replace('Z', " UTC")
}

/// Final position as EPD, with result and number of the game.
pub fn to_epd(header: &MatchHeader, game: &GameRecord) -> String {
    let mut position = Position::empty(header.settings.board().unwrap_or_default());
    for column in columns(header, game) {
        position = position.play(column).unwrap_or(position);
    }
    let fen = position.fen();
    let fields: Vec<_> = fen.split(' ').take(4).collect();
    format!("{} c9 \"{}\"; id \"game {}\";\n", fields.join(" "), game.result, game.number())
}

fn columns(header: &MatchHeader, game: &GameRecord) -> Vec<u32> {
    let played = game.moves.iter().map(|played| u32::from(played.column).saturating_sub(1));
    header.opening(game).unwrap_or_default().into_iter().chain(played).collect()
}

fn limits(engine: &EngineConfig) -> (String, String) {
    let (mut control, mut others) = ("-".to_owned(), Vec::new());
    for (key, value) in engine.limits() {
        match key {
            "tc" => control = value,
            "st" if control == "-" => control = format!("{value}/move"),
            _ => others.push(format!("{key}={value}")),
        }
    }
    (control, others.join(" "))
}

fn units(header: &MatchHeader, game: &GameRecord) -> Vec<String> {
    let fields = &header.settings.pgn.fields;
    let book = if fields.is_empty() { "" } else { "book" };
    let board = header.settings.board().unwrap_or_default();
    let moves = position_after(Dialect::Uci, board, columns(header, game)).moves;
    let mut comments = vec![book.to_owned(); game.opening.moves.len()];
    comments.extend(game.moves.iter().map(|played| fields.comment(played)));
    let mut units = Vec::new();
    if let Some(fault) = forfeit(game) {
        // cutechess, too, puts the reason of a forfeit into the last comment.
        match comments.last_mut() {
            Some(comment) if comment.is_empty() => *comment = fault,
            Some(comment) => *comment = format!("{comment}, {fault}"),
            None => units.push(format!("{{{fault}}}")),
        }
    }
    for (ply, (made, comment)) in moves.iter().zip(comments).enumerate() {
        let number = if ply % 2 == 0 { format!("{}. ", ply / 2 + 1) } else { String::new() };
        let comment = if comment.is_empty() { comment } else { format!(" {{{comment}}}") };
        units.push(format!("{number}{made}{comment}"));
    }
    units.push(game.result.to_string());
    units
}

fn wrap(units: &[String]) -> String {
    let pieces = units.iter().flat_map(|unit| match size(unit) {
        0..=LINE => vec![unit.as_str()],
        _ => unit.split(' ').collect(),
    });
    filled(pieces, LINE, "").join("\n") + "\n"
}

/// Lines have at most `width` characters. Lines after the first begin with `indent`.
pub(crate) fn filled<'a>(pieces: impl Iterator<Item = &'a str>, width: usize, indent: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for piece in pieces {
        match lines.last_mut() {
            // A `%` belongs to the figure before it.
            Some(line) if size(line) + 1 + size(piece) <= width || piece == "%" => line.extend([" ", piece]),
            Some(_) => lines.push(indent.to_owned() + piece),
            None => lines.push(piece.to_owned()),
        }
    }
    lines
}

pub(crate) fn size(text: &str) -> usize {
    text.chars().count()
}

fn forfeit(game: &GameRecord) -> Option<String> {
    if !game.reason.is_forfeit() {
        return None;
    }
    let culprit = match game.result {
        GameResult::FirstWon => "Black: ",
        GameResult::SecondWon => "White: ",
        GameResult::Draw => "",
    };
    let detail = if game.detail.is_empty() { String::new() } else { format!(" ({})", game.detail) };
    Some(comment_text(&format!("{culprit}{}{detail}", game.reason)))
}

fn date(started: &str) -> String {
    let unknown = "????.??.??".to_owned();
    let Some(date) = started.get(..10) else { return unknown };
    for (byte, form) in date.bytes().zip(*b"0000-00-00") {
        if byte != form && !(form == b'0' && byte.is_ascii_digit()) {
            return unknown;
        }
    }
    date.replace('-', ".")
}

fn tag_text(text: &str) -> String {
    with_letters(if text.is_empty() { "?" } else { text }, |letter| match letter {
        '"' => '\'',
        // The standard reads a backslash as an escape.
        '\\' => '/',
        letter => letter,
    })
}

fn comment_text(text: &str) -> String {
    let text = with_letters(text, |letter| match letter {
        // A bracket at the beginning looks like a tag.
        '{' | '[' => '(',
        '}' | ']' => ')',
        letter => letter,
    });
    // Readers skip a line with a leading `%`, and would miss a brace in it.
    let words =
        text.split_whitespace().map(|word| if word.starts_with('%') { "'" } else { "" }.to_owned() + word);
    words.collect::<Vec<_>>().join(" ")
}

fn with_letters(text: &str, other: fn(char) -> char) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { other(letter) }).collect()
}

#[cfg(test)]
mod tests;
