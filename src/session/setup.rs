//! The commands that set the position up. All or nothing: a fault leaves the position as it was.

use plumb_protocol::{Base, Located, Move, PositionCommand};

use super::fault::Fault;
use crate::board::Position;

/// The position that a `position` command describes; `line` is what it was read from.
///
/// # Errors
/// Names what is wrong with the FEN or the first illegal move.
pub(super) fn position(line: &str, command: &PositionCommand) -> Result<Position, Fault> {
    let base = match &command.base {
        Base::Start => Position::new(),
        Base::Fen(fen) => {
            // The command's text has single blanks; the line's own, where it can be had, makes the offsets right.
            let text = words_of(line.get(fen.offset..).unwrap_or_default(), fen.value.split(' ').count());
            Position::from_fen(text).map_err(|error| Fault::of_fen(error, fen.offset))?
        }
    };
    play(line, base, &command.moves)
}

/// The position after `moves` from `position`.
///
/// # Errors
/// Names the first illegal move.
pub(super) fn play(line: &str, position: Position, moves: &[Located<Move>]) -> Result<Position, Fault> {
    moves.iter().try_fold(position, |position, &found| {
        let rank = found.value.rank().map(u32::from);
        position
            .try_play(found.value.column.index().into(), rank)
            .map_err(|error| Fault::of_move(line, found, error))
    })
}

/// The beginning of `text` that holds its first `count` words.
fn words_of(text: &str, count: usize) -> &str {
    let is_blank = |c: char| matches!(c, ' ' | '\t' | '\r' | '\n');
    let mut end = 0;
    for _ in 0..count {
        let rest = &text[end..];
        let word = rest.trim_start_matches(is_blank);
        end += rest.len() - word.len() + word.find(is_blank).unwrap_or(word.len());
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_protocol::{Command, parse_command};

    fn set_up(line: &str) -> Result<Position, String> {
        match parse_command(line).expect(line).expect("not blank").command {
            Command::Position(command) => position(line, &command),
            Command::Moves(moves) => play(line, Position::from_digits("44").expect("legal"), &moves),
            other => panic!("{other:?}"),
        }
        .map_err(|fault| fault.to_string())
    }

    #[test]
    fn all_spellings_lead_to_the_same_position() {
        let expected = Position::from_digits("4455").expect("legal");
        for line in [
            "position startpos moves P@d1 P@d2 P@e1 P@e2",
            "position startpos moves d d e e",
            "position startpos moves p@D1 @d2 e1 5",
            "position moves 4455",
            "position 4455",
            "position 4 4 55",
            "position fen 7/7/7/7/3p3/3P3 w moves 55",
            "position  fen\t7/7/7/7/3oo2/3xx2  w  -  -  0  1",
            "position fen 7/7/7/7/3p3/3P3[PPPPPPPPPPPPPPPPPPPPpppppppppppppppppppp] w - - 0 2 moves P@e1 P@e2",
            "moves 55",
        ] {
            assert_eq!(set_up(line), Ok(expected), "{line}");
        }
        for line in ["position", "position startpos", "position startpos moves ", "position moves"] {
            assert_eq!(set_up(line), Ok(Position::new()), "{line}");
        }
    }

    #[test]
    fn faults_name_token_place_and_reason() {
        for (line, fault) in [
            ("position startpos moves d d3", "`d3` at byte 26: the stone lands on rank 2, not 3"),
            ("position 4444444", "`4` at byte 15: column d is full"),
            ("position startpos moves 1 h", "`h` at byte 26: there is no column h (columns a to g)"),
            ("position 11223344", "`4` at byte 16: the game is over"),
            ("moves d3 d5", "`d5` at byte 9: the stone lands on rank 4, not 5"),
            ("position fen  7/7/7/7/7/8  w", "`8` at byte 24: the row has 8 columns, the board 7"),
            (
                "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "`n` at byte 14: expected a stone (P p, X O, r y), a number of gaps or `/`",
            ),
            ("position fen 7/7/7/7/7/7   b", "`b` at byte 27: with 0 and 0 stones the other side is to move"),
        ] {
            assert_eq!(set_up(line), Err(fault.to_owned()), "{line}");
        }
    }

    #[test]
    fn words_are_cut_from_the_line_as_it_is() {
        assert_eq!(words_of("a\t b  c moves d", 3), "a\t b  c");
        assert_eq!(words_of("a b", 2), "a b");
        assert_eq!(words_of("a b", 5), "a b");
    }
}
