//! Moves in all their forms, alone and in lists.

use nom::branch::alt;
use nom::character::complete::{anychar, char, digit1, one_of};
use nom::combinator::{all_consuming, map_opt, opt, verify};
use nom::sequence::preceded;
use nom::{Err, Offset, Parser};

use super::lexeme::{Parse, ParseFailure, word};
use crate::{Column, Expected, Move, MoveForm, Token};

/// One word that is one move.
pub(super) fn single_move(input: &str) -> Parse<'_, Move> {
    let (rest, text) = word(input)?;
    let (_, m) = whole_move(text)?;
    Ok((rest, m))
}

/// A move that is the whole text.
pub(super) fn whole_move(text: &str) -> Parse<'_, Move> {
    all_consuming(alt((
        (preceded((opt(one_of("Pp")), char('@')), letter), rank)
            .map(|(column, rank)| (column, MoveForm::Drop(rank))),
        (letter, rank).map(|(column, rank)| (column, MoveForm::Cell(rank))),
        letter.map(|column| (column, MoveForm::Letter)),
        map_opt(anychar, Column::from_digit).map(|column| (column, MoveForm::Digit)),
    )))
    .map(|(column, form)| Move::new(column, form))
    .parse(text)
}

fn letter(input: &str) -> Parse<'_, Column> {
    map_opt(anychar, Column::from_letter).parse(input)
}

/// 1 to 255 without leading zeros.
fn rank(input: &str) -> Parse<'_, u8> {
    map_opt(verify(digit1, |digits: &str| !digits.starts_with('0')), |digits: &str| digits.parse().ok())
        .parse(input)
}

/// All words up to the end, each a move or joined digits.
pub(super) fn move_list<'a>(line: &'a str, mut input: &'a str) -> Parse<'a, Vec<Token<'a, Move>>> {
    let mut moves = Vec::new();
    while !input.is_empty() {
        let (rest, text) = word(input)?;
        push_moves(line, text, &mut moves).map_err(Err::Failure)?;
        input = rest;
    }
    Ok((input, moves))
}

/// Appends the moves of one word of the line: a move, or joined digits. Any other word appends nothing.
pub(super) fn push_moves<'a>(
    line: &'a str,
    word: &'a str,
    moves: &mut Vec<Token<'a, Move>>,
) -> Result<(), ParseFailure<'a>> {
    if !word.bytes().all(|byte| byte.is_ascii_digit()) {
        let (_, m) = whole_move(word).map_err(|_| ParseFailure::new(word, Expected::Move))?;
        moves.push(Token::new(m, word, line.offset(word)));
        return Ok(());
    }
    let before = moves.len();
    for (i, digit) in word.char_indices() {
        let Some(column) = Column::from_digit(digit) else {
            moves.truncate(before);
            return Err(ParseFailure::new(&word[i..=i], Expected::ColumnDigit));
        };
        moves.push(Token::new(Move::new(column, MoveForm::Digit), &word[i..=i], line.offset(word) + i));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LineError, parse_moves};

    #[test]
    fn every_spelling_is_read() {
        let d = Column::from_letter('d').expect("d is a column");
        for (text, form) in [
            ("P@d1", MoveForm::Drop(1)),
            ("p@d1", MoveForm::Drop(1)),
            ("@d1", MoveForm::Drop(1)),
            ("P@D12", MoveForm::Drop(12)),
            ("d1", MoveForm::Cell(1)),
            ("D255", MoveForm::Cell(255)),
            ("d", MoveForm::Letter),
            ("D", MoveForm::Letter),
            ("4", MoveForm::Digit),
        ] {
            assert_eq!(text.parse(), Ok(Move::new(d, form)), "{text}");
        }
    }

    #[test]
    fn nothing_else_is_a_move() {
        for text in [
            "", "0", "44", "d0", "d01", "d256", "d1 ", " d", "e2e4", "dd", "d-1", "d+1", "1d", "P@", "P@d",
            "P@d0", "@", "@d", "@4", "PP@d1", "X@d1", "P@d1x", "(none)", "0000", "ä", "ä1", "٣", "P@1d",
        ] {
            assert_eq!(text.parse::<Move>(), Err(LineError::expected(text, 0, Expected::Move)), "{text:?}");
        }
    }

    #[test]
    fn a_glued_list_is_located_digit_by_digit() {
        let moves = parse_moves(" d 4421\tP@a1").expect("all are moves");
        let seen: Vec<_> = moves.iter().map(|m| (m.text, m.offset)).collect();
        assert_eq!(seen, [("d", 1), ("4", 3), ("4", 4), ("2", 5), ("1", 6), ("P@a1", 8)]);
        assert!(moves.iter().all(|m| m.to_string() == m.text));
        assert_eq!(parse_moves(" "), Ok(Vec::new()));
    }

    #[test]
    fn a_bad_word_is_named_with_its_place() {
        for (text, token, offset, expected) in [
            ("4 e2e4 5", "e2e4", 2, Expected::Move),
            ("44051", "0", 2, Expected::ColumnDigit),
            ("4 0", "0", 2, Expected::ColumnDigit),
            ("44x5", "44x5", 0, Expected::Move),
            ("ä d0", "ä", 0, Expected::Move),
            ("d  d0", "d0", 3, Expected::Move),
        ] {
            assert_eq!(parse_moves(text), Err(LineError::expected(token, offset, expected)), "{text}");
        }
    }
}
