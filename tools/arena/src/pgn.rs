//! Games as PGN.
//!
//! As in the variant `cfour` of cutechess, a move is `P@` with a square. Tags contain no quotation marks, and comments
//! no braces: cutechess knows no escapes.

pub mod fields;
#[cfg(test)]
mod tests;

use std::fmt::Write;
use std::time::Duration;

use jiff::Timestamp;
use plumb::board::Position;
use plumb_protocol::Dialect;

use crate::engine::config::EngineConfig;
use crate::position_command::{position_after, variant};
use crate::record::{EngineScore, GameRecord, GameResult, MatchHeader, MoveRecord, ScoreBound};
use fields::PgnFields;

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
    // Tags of cutechess. Older records lack the start time.
    if let Ok(start) = game.started.parse::<Timestamp>() {
        let duration = Duration::try_from_secs_f64(game.seconds).unwrap_or_default();
        let seconds = duration.as_secs();
        tag("GameStartTime", &game_time(start));
        tag("GameEndTime", &game_time(start + duration));
        tag("GameDuration", &format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60));
    }
    // The PGN standard has no tag for limits such as `nodes=500`: these are in `Limits`.
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
pub(crate) fn to_epd(header: &MatchHeader, game: &GameRecord) -> String {
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
    comments.extend(game.moves.iter().map(|played| comment(fields, played)));
    let mut units = Vec::new();
    if let Some(fault) = forfeit(game) {
        // Like cutechess, puts the reason of a forfeit into the last comment.
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

/// Joins `pieces` to lines of at most `width` characters. Lines after the first begin with `indent`.
pub(crate) fn filled<'a>(pieces: impl Iterator<Item = &'a str>, width: usize, indent: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for piece in pieces {
        match lines.last_mut() {
            // A `%` stays on the line of its number.
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
        // PGN readers take a backslash as an escape.
        '\\' => '/',
        letter => letter,
    })
}

fn comment_text(text: &str) -> String {
    let text = with_letters(text, |letter| match letter {
        // At the start of a line, `[` looks like a tag.
        '{' | '[' => '(',
        '}' | ']' => ')',
        letter => letter,
    });
    // PGN readers skip lines that begin with `%`, and would miss a brace.
    let words =
        text.split_whitespace().map(|word| if word.starts_with('%') { "'" } else { "" }.to_owned() + word);
    words.collect::<Vec<_>>().join(" ")
}

fn with_letters(text: &str, other: fn(char) -> char) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { other(letter) }).collect()
}

fn comment(shown: &PgnFields, played: &MoveRecord) -> String {
    let mut opinion = String::new();
    if let Some(score) = played.score
        && shown.has("score")
    {
        opinion += &score_text(score);
    }
    if let Some(depth) = played.depth
        && shown.has("depth")
    {
        opinion.extend(["/", &depth.to_string()]);
    }
    let time = if shown.has("time") { time_text(played.time_ms) } else { String::new() };
    let blank = if opinion.is_empty() || time.is_empty() { "" } else { " " };
    let pv = if played.pv.is_empty() { None } else { Some(format!("pv {}", played.pv)) };
    let fields = [
        ("clock", played.clock_ms.map(|clock| format!("clock {:.2}s", clock / 1e3))),
        ("nodes", played.nodes.map(|nodes| format!("nodes {nodes}"))),
        ("seldepth", played.sel_depth.map(|depth| format!("seldepth {depth}"))),
        ("speed", speed(played).map(|speed| format!("{speed:.0} nodes/s"))),
        ("hashfull", played.hash_full.map(|full| format!("hashfull {full}"))),
        ("tbhits", played.tb_hits.map(|hits| format!("tbhits {hits}"))),
        ("pv", pv),
        ("score", played.bound.map(|bound| bound_text(bound).to_owned())),
        ("score", played.lower.map(|score| format!("lower bound {}", score_text(score)))),
        ("score", played.upper.map(|score| format!("upper bound {}", score_text(score)))),
    ];
    let mut parts = vec![opinion + blank + &time];
    for (field, text) in fields {
        if shown.has(field) {
            parts.extend(text);
        }
    }
    parts.retain(|part| !part.is_empty());
    parts.join(", ")
}

/// Nodes per second, by the time that the engine reported, if any: it excludes pipe delays.
fn speed(played: &MoveRecord) -> Option<f64> {
    let nodes = played.nodes?;
    let milliseconds = played.own_ms.map_or(played.time_ms, |own| own as f64);
    if milliseconds > 0.0 { Some(nodes as f64 * 1e3 / milliseconds) } else { None }
}

fn bound_text(bound: ScoreBound) -> &'static str {
    if bound == ScoreBound::Lower { "lower bound" } else { "upper bound" }
}

fn score_text(score: EngineScore) -> String {
    match score {
        EngineScore::Cp(0) => "0.00".to_owned(),
        EngineScore::Cp(value) => format!("{:+.2}", f64::from(value) / 100.0),
        // Distance 0 means that the side to move has lost.
        EngineScore::Mate(plies) => format!("{}M{}", if plies > 0 { '+' } else { '-' }, plies.unsigned_abs()),
    }
}

fn time_text(milliseconds: f64) -> String {
    let decimals = match milliseconds.round() {
        ..1.0 => return "0s".to_owned(),
        ..100.0 => 3,
        ..1000.0 => 2,
        ..10_000.0 => 1,
        _ => 0,
    };
    format!("{:.decimals$}s", milliseconds.round() / 1e3)
}
