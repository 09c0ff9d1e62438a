use plumb_protocol::{Go, Query, Response};

use super::options::Variant;
use super::report::Style;
use crate::board::{Bits, Board, BoardSize, Geometry, Move, Outcome, Player, Position, each_cell};
use crate::search::evaluate;

const COMMANDS: [(&str, &str); 21] = [
    ("uci", "speak UCI: moves as P@d1; lists the options"),
    ("ugi", "speak UGI: moves as d; lists the options"),
    ("debug on|off", "print what was understood of a line in another form, and reasons of Swindle"),
    ("setoption name N [value V]", "set an option"),
    ("isready", "answer readyok once the engine is ready"),
    ("ucinewgame, uginewgame", "forget all earlier searches and set up the empty board"),
    ("position [startpos|fen F] [moves M…]", "set the position up; position 4455 works too"),
    ("moves M…", "play moves from the current position"),
    (GO, "search:"),
    ("stop", "end the search and print its move"),
    ("ponderhit", "the expected move was played: the clock of the search starts"),
    ("query gameover|p1turn|result|fen", "answer a query of UGI about the position"),
    ("d, display", "print the board"),
    ("eval", "print the static evaluation of the position"),
    ("perft N", "count the move sequences of N plies"),
    ("bench [HASH [THREADS [LIMIT]]]", "run the benchmark; --hash-sizes [1,16,64] for HASH compares sizes"),
    (
        "bench threads [HASH [THREADS [LIMIT]]]",
        "solve the empty board with 1, 2, 4 … threads, by default as many as processors",
    ),
    ("wait", "read no further line until the search has ended"),
    ("help", "list the commands"),
    ("quit", "end the program"),
    ("", "a move M is P@d1, d1, d or 4; digits may be joined, as in 4455"),
];

const GO: &str = "go [LIMIT…]";

pub(super) fn help() -> impl Iterator<Item = String> {
    let width = COMMANDS.iter().map(|(command, _)| command.chars().count()).max().unwrap_or_default();
    COMMANDS.iter().map(move |&(command, meaning)| {
        let mut line = format!("  {command:width$}  {meaning}");
        if command == GO {
            for spellings in Go::WORDS {
                line = line + " " + spellings[0];
            }
        }
        line
    })
}

pub(super) fn board(position: &Position<Board>, style: Style) -> Vec<String> {
    let mut lines: Vec<_> = position.diagram().lines().map(str::to_owned).collect();
    let moves = position.legal_columns().filter_map(|column| style.spell(position, column));
    let moves: Vec<_> = moves.map(|m| m.to_string()).collect();
    lines.push(format!("Fen: {}", position.fen()));
    lines.push(format!("Key: {:#015x}", position.key()));
    lines.push(format!("Moves: {}", if moves.is_empty() { "none".to_owned() } else { moves.join(" ") }));
    lines.push(format!("Side to move: {}", name(position.side_to_move())));
    lines.extend(position.outcome().map(|outcome| format!("Result: {}", result(outcome))));
    lines
}

pub(super) fn evaluation(position: &Position<Board>) -> Vec<String> {
    let mut lines = Vec::new();
    for player in [Player::First, Player::Second] {
        let own = player == position.side_to_move();
        let cells = if own { position.own_winning_cells() } else { position.opponent_winning_cells() };
        lines.push(format!("Winning cells of {}: {}", name(player), names(position.geometry(), cells)));
    }
    lines.push(match position.outcome() {
        Some(outcome) => format!("Static evaluation: none, the game is over ({})", result(outcome)),
        None => format!(
            "Static evaluation: {:+} for the side to move, {}",
            evaluate(position),
            name(position.side_to_move())
        ),
    });
    lines
}

/// The line that answers `UCI_Variant`. The adapter uci2wb turns it into a board for `XBoard`.
pub(super) fn variant(board: Board) -> String {
    let BoardSize { width, height } = board.size();
    let (name, fen) = (Variant(board), Position::empty(board).fen());
    format!("variant {name} files {width} ranks {height} pocket 1 template fairy startpos {fen}")
}

pub(super) fn answer(position: &Position<Board>, query: Query) -> Response {
    match query {
        Query::GameOver => position.outcome().is_some().into(),
        Query::P1Turn => (position.side_to_move() == Player::First).into(),
        Query::Result => match position.outcome() {
            None => Response::None,
            Some(Outcome::Draw) => Response::Draw,
            Some(Outcome::Win(Player::First)) => Response::P1Win,
            Some(Outcome::Win(Player::Second)) => Response::P2Win,
        },
        Query::Fen => Response::Fen(position.fen()),
    }
}

fn name(player: Player) -> &'static str {
    match player {
        Player::First => "first (X)",
        Player::Second => "second (O)",
    }
}

fn result(outcome: Outcome) -> String {
    match outcome {
        Outcome::Win(player) => format!("won by {}", name(player)),
        Outcome::Draw => "draw".to_owned(),
    }
}

fn names<G: Geometry>(geometry: G, cells: G::Bits) -> String {
    if cells.is_empty() {
        return "none".to_owned();
    }
    let name =
        |cell| Move { column: geometry.column_of(cell), rank: Some(geometry.row_of(cell) + 1) }.to_string();
    each_cell(cells).map(name).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::daemon::testing::played;
    use plumb_protocol::{Expected, Reason, parse_command};

    #[test]
    fn every_command_in_the_help_exists() {
        for word in COMMANDS.iter().flat_map(|(commands, _)| commands.split(", ")) {
            let word = word.split(' ').next().unwrap_or_default();
            if let Err(error) = parse_command(word) {
                assert_ne!(error.reason, Reason::Expected(Expected::Command), "{word}");
            }
        }
    }

    #[test]
    fn the_board_comes_with_all_that_identifies_it() {
        let lines = board(&played("44"), Style::default());
        assert_eq!(lines[4..7], [" 2 | . . . O . . .", " 1 | . . . X . . .", "     a b c d e f g"]);
        let expected = [
            "Fen: 7/7/7/7/3p3/3P3[PPPPPPPPPPPPPPPPPPPPpppppppppppppppppppp] w - - 0 2",
            &format!("Key: {:#015x}", played("44").key()),
            "Moves: P@a1 P@b1 P@c1 P@d3 P@e1 P@f1 P@g1",
            "Side to move: first (X)",
        ];
        assert_eq!(lines[7..], expected);
        let over = board(&played("1122334"), Style::default());
        assert_eq!(over[9..], ["Moves: none", "Side to move: second (O)", "Result: won by first (X)"]);
    }

    #[test]
    fn threats_are_listed_for_either_side() {
        let lines = evaluation(&played("112233"));
        assert_eq!(lines[0], "Winning cells of first (X): d1");
        assert_eq!(lines[1], "Winning cells of second (O): d2");
        assert!(lines[2].ends_with("for the side to move, first (X)"), "{}", lines[2]);
        assert!(evaluation(&played("1122334"))[2].contains("the game is over"));
    }

    #[test]
    fn questions_are_answered() {
        let ask = |digits: &str| {
            [Query::GameOver, Query::P1Turn, Query::Result]
                .map(|query| answer(&played(digits), query).to_string())
                .join(" ")
        };
        assert_eq!(ask(""), "false true none");
        assert_eq!(ask("4"), "false false none");
        assert_eq!(ask("1122334"), "true false p1win");
        assert_eq!(ask("71122334"), "true true p2win");
        assert_eq!(ask("121212212121343434434343565656656565777777"), "true true draw");
        assert_eq!(answer(&played("4"), Query::Fen).to_string(), played("4").fen());
    }
}
