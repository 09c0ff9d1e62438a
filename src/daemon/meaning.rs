use std::time::Duration;

use plumb_protocol::{
    Base, Command, Expected, Go, LineError, MAX_WARNINGS, Move, MoveForm, PositionCommand, Reason, Token,
};

use super::report::Style;
use crate::board::{
    self, Board, BoardSize, ColumnNotation, Geometry, MoveError, ParsePositionError, Player, Position,
    PositionFault,
};
use crate::search::{Clock, Limits};

/// The position of a `position` command. A FEN of another size replaces `board`.
pub(super) fn set_up(command: &PositionCommand<'_>, board: Board) -> Result<Position<Board>, LineError> {
    let base = match &command.base {
        Base::Start => Position::empty(board),
        Base::Fen(fen) => {
            let size = BoardSize::of_fen(fen.text).unwrap_or(board.size());
            let board = Board::new(size).map_err(|error| {
                let BoardSize { width, height } = size;
                let rows = fen.text.split_whitespace().next().unwrap_or_default();
                let reason = if height == 1 {
                    "a FEN has a part for each row, e.g. 7/7/7/7/7/7 w".to_owned()
                } else {
                    format!("these are {width} columns and {height} rows; {error}")
                };
                Token::new((), rows, fen.offset).error(reason)
            })?;
            Position::from_fen_on(board, fen.text).map_err(|error| {
                let ParsePositionError { token, offset, fault, .. } = error;
                Token::new((), &token, fen.offset + offset).error(fault)
            })?
        }
    };
    play(base, &command.moves)
}

pub(super) fn play(
    mut position: Position<Board>,
    moves: &[Token<'_, Move>],
) -> Result<Position<Board>, LineError> {
    for (index, token) in moves.iter().enumerate() {
        position = position
            .try_play(token.value)
            .map_err(|error| LineError { move_number: Some(index + 1), ..illegal(token, error) })?;
    }
    Ok(position)
}

impl From<Move> for board::Move {
    fn from(m: Move) -> Self {
        Self { column: m.column.index().into(), rank: m.rank().map(u32::from) }
    }
}

pub(super) fn illegal(token: &Token<'_, Move>, error: MoveError) -> LineError {
    let notation = match token.value.form {
        MoveForm::Digit => ColumnNotation::Numbers { first: 1 },
        _ => ColumnNotation::Letters,
    };
    token.error(error.describe(notation))
}

pub(super) fn reword_column_zero(error: LineError, board: Board) -> LineError {
    match error.reason {
        Reason::Expected(Expected::ColumnDigit) => {
            let reason = PositionFault::CountsFromOne(board.width()).to_string();
            LineError { reason: Reason::Invalid(reason), ..error }
        }
        _ => error,
    }
}

const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Longer times are shortened to this maximum, so that adding them to a point in time cannot overflow.
const LONGEST_TIME: Duration = Duration::from_secs(366 * 24 * 60 * 60);

/// The limits of a `go`, and an error for each illegal move of `searchmoves`, at most [`MAX_WARNINGS`].
pub(super) fn limits(go: &Go<'_>, position: &Position<Board>, style: Style) -> (Limits, Vec<LineError>) {
    let mut limits = limits_from_go(go, position, style);
    if !names_an_end(&limits) {
        limits.move_time = Some(DEFAULT_TIME);
    }
    let mut errors = Vec::new();
    for token in &go.search_moves {
        let column = u32::from(token.value.column.index());
        match position.try_play(token.value) {
            Ok(_) if limits.search_moves.contains(&column) => {}
            Ok(_) => limits.search_moves.push(column),
            Err(error) if errors.len() < MAX_WARNINGS => errors.push(illegal(token, error)),
            Err(_) => {}
        }
    }
    (limits, errors)
}

fn limits_from_go(go: &Go<'_>, position: &Position<Board>, style: Style) -> Limits {
    let &Go {
        search_moves: _,
        ponder,
        time,
        increment,
        moves_to_go,
        depth,
        nodes,
        mate,
        move_time,
        infinite,
    } = go;
    let player = usize::from(position.side_to_move() == Player::Second);
    let (time, increment) = (time[player], increment[player]);
    // An increment without a time means a clock with 0 ms left.
    let clock = Clock {
        remaining: cut(time.unwrap_or_default()),
        increment: cut(increment.unwrap_or_default()),
        moves_to_go: moves_to_go.filter(|&moves| moves > 0),
    };
    let clock = if time.is_some() || increment.is_some() { Some(clock) } else { None };
    Limits {
        search_moves: Vec::new(),
        depth: depth.map(|depth| depth.max(1)),
        nodes,
        mate: mate.map(|distance| style.mate_limit(distance)),
        move_time: move_time.map(cut),
        clock,
        infinite,
        ponder,
    }
}

pub(super) fn consequence(
    warning: &LineError,
    command: &Command<'_>,
    position: &Position<Board>,
) -> &'static str {
    match command {
        Command::Go(go) if !names_an_end(&limits_from_go(go, position, Style::default())) => {
            "; searching 1 s"
        }
        _ if matches!(warning.reason, Reason::NegativeTime | Reason::FractionalTime) => "",
        _ => "; it is ignored",
    }
}

fn names_an_end(limits: &Limits) -> bool {
    let Limits { search_moves: _, ponder: _, infinite, depth, nodes, mate, move_time, clock } = limits;
    *infinite
        || depth.is_some()
        || nodes.is_some()
        || mate.is_some()
        || move_time.is_some()
        || clock.is_some()
}

fn cut(time: Duration) -> Duration {
    time.min(LONGEST_TIME)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::daemon::testing::played;
    use plumb_protocol::{Dialect, parse_command};

    fn read_in(digits: &str, style: Style, line: &str) -> (Limits, Vec<String>) {
        let parsed = parse_command(line).expect("valid").expect("not blank");
        let Command::Go(go) = parsed.command else { panic!("not a go: {line}") };
        let position = played(digits);
        let (limits, errors) = limits(&go, &position, style);
        (limits, errors.iter().map(ToString::to_string).collect())
    }

    fn read(digits: &str, line: &str) -> Limits {
        read_in(digits, Style::default(), line).0
    }

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn a_go_without_usable_limit_takes_a_second() {
        let second = Limits { move_time: Some(DEFAULT_TIME), ..Limits::default() };
        // The opponent's clock is not a limit, nor is `movestogo` without a clock.
        for line in ["go", "go depth x", "go movetime -", "go btime 100", "go movestogo 5", "go xyzzy 3"] {
            assert_eq!(read("", line), second, "{line}");
        }
        assert_eq!(read("", "go ponder"), Limits { ponder: true, ..second.clone() });
        assert_eq!(read("", "go searchmoves d"), Limits { search_moves: vec![3], ..second });
        assert_eq!(read("", "go infinite"), Limits { infinite: true, ..Limits::default() });
        assert_eq!(read("", "go depth x nodes 5"), Limits { nodes: Some(5), ..Limits::default() });
    }

    #[test]
    fn the_clock_is_that_of_the_side_to_move() {
        let line = "go wtime 1000 btime 2000 winc 10 binc 20 movestogo 4";
        let clock = |remaining, increment, moves_to_go| {
            Some(Clock { remaining: ms(remaining), increment: ms(increment), moves_to_go })
        };
        assert_eq!(read("", line).clock, clock(1000, 10, Some(4)));
        assert_eq!(read("4", line).clock, clock(2000, 20, Some(4)));
        assert_eq!(read("4", "go p1time 1 p2time 2 movestogo 0").clock, clock(2, 0, None));
        assert_eq!(read("", "go winc 100").clock, clock(0, 100, None));
        assert_eq!(read("", "go wtime -50 btime 50").clock, clock(0, 0, None));
        let longest = read("", "go wtime 9223372036854775807 movetime 9223372036854775807");
        let times = [longest.clock.map(|clock| clock.remaining), longest.move_time];
        assert_eq!(times, [Some(LONGEST_TIME); 2]);
    }

    #[test]
    fn mate_counts_moves_in_uci_and_plies_in_ugi() {
        assert_eq!(read("", "go mate 3").mate, Some(5));
        assert_eq!(read("", "go mate 4294967295").mate, Some(u32::MAX - 1));
        let ugi = Style { dialect: Dialect::Ugi, ..Style::default() };
        assert_eq!(read_in("", ugi, "go mate 3").0.mate, Some(3));
        let least = Limits { mate: Some(1), depth: Some(1), ..Limits::default() };
        assert_eq!(read("", "go mate 0 depth 0"), least);
    }

    #[test]
    fn illegal_moves_to_search_are_reported_and_dropped() {
        let line = "go searchmoves d2 P@d3 e 5 h z9 depth 1";
        let (limits, faults) = read_in("44", Style::default(), line);
        assert_eq!(limits.search_moves, [3, 4]);
        let expected = [
            "`d2`: the stone lands on rank 3, not 2",
            "`h`: there is no column h (columns a to g)",
            "`z9`: there is no column z (columns a to g)",
        ];
        assert_eq!(faults, expected);
        let flood = format!("go searchmoves {}", "h ".repeat(1000));
        assert_eq!(read_in("", Style::default(), &flood).1.len(), MAX_WARNINGS);
    }
}
