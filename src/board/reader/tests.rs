use super::super::any::Board;
use super::super::geometry::Standard;
use super::super::moves::column_names;
use super::*;
use crate::testing::random;

#[test]
fn errors_hold_no_control_characters() {
    for text in ["44\0", "4\u{7}4", "7/7/7/7/7/7 \0", "7/7/7/7/7/6\u{1b}", "7/7/7/7/7/\n\u{85}7"] {
        let error = text.parse::<Position<Standard>>().expect_err(text).to_string();
        assert!(!error.contains(char::is_control), "{error:?}");
    }
}

fn symbols(position: &Position<Board>, [empty, first, second]: [&'static str; 3]) -> Vec<&'static str> {
    let symbol = |drawn| match drawn {
        '.' => Some(empty),
        'X' => Some(first),
        'O' => Some(second),
        _ => None,
    };
    position.diagram().chars().filter_map(symbol).collect()
}

fn by_columns(position: &Position<Board>, rows: &[&'static str]) -> Vec<&'static str> {
    let (width, height) = (position.geometry().width() as usize, position.geometry().height() as usize);
    (0..width).flat_map(|column| (0..height).rev().map(move |row| rows[row * width + column])).collect()
}

fn random_position(board: Board, seed: u64) -> (Position<Board>, Vec<u32>) {
    let mut random = random(seed);
    let mut next = |bound: u64| random.next().expect("endless") % bound;
    let mut position = Position::empty(board);
    let mut moves = Vec::new();
    for _ in 0..next(u64::from(board.width() * board.height())) {
        let columns: Vec<_> = position.legal_columns().collect();
        if position.outcome().is_some() || columns.is_empty() {
            break;
        }
        let column = columns[next(columns.len() as u64) as usize];
        position = position.play(column).expect("legal");
        moves.push(column);
    }
    (position, moves)
}

#[test]
fn random_positions_in_every_form_are_read_back() {
    let boards = ["7x6", "4x4", "8x7", "9x7", "5x4", "10x6", "25x4"];
    let boards = boards.map(|size| size.parse::<Board>().expect("a board"));
    for seed in 0..100_000_u64 {
        let board = boards[if seed % 4 == 0 { (seed / 4 % 7) as usize } else { 0 }];
        let (position, moves) = random_position(board, seed);
        let reader = PositionReader::new(board);
        let read = |text: &str, form| {
            let read = PositionReader { form, ..reader }.read(text);
            assert_eq!(read.map(|read| read.position), Ok(position), "{text} {form}");
        };
        let numbers: Vec<_> = moves.iter().map(|column| (column + 1).to_string()).collect();
        let (own, opponent) = (position.own(), position.opponent());
        let signs =
            if position.side_to_move() == Player::First { ["0", "1", "-1"] } else { ["0", "-1", "1"] };
        match seed % 12 {
            0 => read(&column_names(board.width(), moves), Form::Any),
            1 => read(&numbers.join(" "), Form::Moves),
            2 => read(&position.fen(), Form::Any),
            3 => read(&format!("[{}]", symbols(&position, ["0", "1", "2"]).join(", ")), Form::Any),
            4 => read(&by_columns(&position, &symbols(&position, ["b", "x", "o"])).join(","), Form::Any),
            5 => read(&symbols(&position, [".", "x", "o"]).concat(), Form::Rows),
            6 => {
                let rows = symbols(&position, ["0", "1", "2"]);
                let rows = rows.chunks(board.width() as usize).map(<[_]>::concat);
                read(&rows.collect::<Vec<_>>().join("\n"), Form::Any);
            }
            7 => read(&symbols(&position, ["0", "1", "-1"]).join(" "), Form::Any),
            8 => read(&symbols(&position, signs).join(" "), Form::Any),
            9 => read(&format!("{own} {}", own | opponent), Form::Bits),
            10 => read(&format!("0x{own:x},0x{opponent:x}"), Form::Bits),
            _ => read(&format!("[{}]", numbers.join(",")), Form::Any),
        }
    }
}

#[test]
fn either_player_may_have_begun_where_the_mover_is_said() {
    let mut cells = ["0"; 42];
    cells[38] = "2";
    let reader = PositionReader::new(Board::default());
    assert!(reader.read(&cells.join(" ")).is_err());
    let read = |mover, cells: &[&str]| {
        let reader = PositionReader { mover: Some(mover), ..reader };
        reader.read(&cells.join(" ")).expect("a position").position
    };
    let begun = reader.read("4").expect("4").position;
    assert_eq!(read(Player::First, &cells).fen(), begun.fen(), "o has begun");
    cells[37] = "1";
    assert_ne!(read(Player::First, &cells), read(Player::Second, &cells));
}

#[test]
fn two_integers_are_those_of_the_mover() {
    let reader = PositionReader { form: Form::Bits, ..PositionReader::new(Board::default()) };
    for (text, mover, own) in [
        ("1 129", None, 1),
        ("1 129", Some(Player::First), 1),
        ("1 129", Some(Player::Second), 1),
        ("0 1", Some(Player::First), 0),
        ("1 128", Some(Player::Second), 128),
    ] {
        let read = PositionReader { mover, ..reader }.read(text).expect("a position");
        assert_eq!(read.position.own(), own, "{text} {mover:?}");
    }
}

#[test]
fn digits_are_the_same_position_without_the_list_of_moves() {
    for first_column in [0, 1] {
        let reader = PositionReader { first_column, ..PositionReader::new(Board::default()) };
        let texts = ["", "4", "4455", "44444444", "1212121", "12121212", "0123", "7", "44 5", "44x", " 44"];
        for text in texts.into_iter().chain(["545062455041104565311226266362030334314210"]) {
            assert_eq!(reader.position(text), reader.read(text).map(|read| read.position), "{text}");
        }
    }
}

#[test]
fn colours_and_other_symbols_are_cells() {
    let board = Board::default();
    let reader = PositionReader::new(board);
    let expected = reader.read("4453").expect("legal").position;
    for symbols in
        [[".", "R", "Y"], [".", "r", "y"], ["-", "w", "b"], ["*", "W", "B"], ["#", "A", "B"], ["-", "x", "o"]]
    {
        let cells = self::symbols(&expected, symbols);
        for text in [cells.concat(), cells.join(" ")] {
            assert_eq!(reader.read(&text).map(|read| read.position), Ok(expected), "{text}");
        }
    }
}

#[test]
fn digits_past_the_ninth_column_are_letters_or_signs() {
    let board = "12x5".parse::<Board>().expect("a board");
    let reader = PositionReader { form: Form::Digits, ..PositionReader::new(board) };
    let expected = PositionReader::new(board).read("9 10 11 12 1").expect("legal");
    for text in ["9abc1", "9ABC1", "9:;<1"] {
        assert_eq!(reader.read(text).as_ref(), Ok(&expected), "{text}");
    }
    let from_0 = PositionReader { first_column: 0, ..reader };
    assert_eq!(from_0.read("89ab0").map(|read| read.position), Ok(expected.position));
    for (text, fault) in [
        ("4d", "move 2, `d`: not a column digit (columns 1 to 12, a is 10)"),
        ("40", "move 2, `0`: columns count from 1 (1 to 12)"),
    ] {
        assert_eq!(reader.read(text).expect_err(text).to_string(), fault);
    }
}

/// The game has 42 digits, like a list of cells. Its six zeros are moves into column 0, not empty cells.
#[test]
fn a_full_game_from_column_0_is_no_board() {
    let reader = PositionReader { first_column: 0, ..PositionReader::new(Board::default()) };
    let game = "545062455041104565311226266362030334314210";
    let columns = reader.read(game).expect("a drawn game").columns;
    assert_eq!(columns.map_or(0, |columns| columns.len()), game.len());
}

#[test]
fn faults_of_boards_name_the_cell_or_the_stone() {
    let reader = PositionReader::new(Board::default());
    let said = |text: &str, form| PositionReader { form, ..reader }.read(text).expect_err(text).to_string();
    for (too_many, form) in [("0 ".repeat(43), Form::Rows), (".".repeat(43), Form::Columns)] {
        let said = said(&too_many, form);
        assert!(said.ends_with("more than 42 cells, the board has 42"), "{said}");
    }
    let too_many = Position::from_cells(Board::default(), [Some(Player::First); 43], None);
    assert_eq!(too_many, Err("43 cells, the board has 42".to_owned()));
    let overlap = "`3`: expected a set within the second one, or one that shares no stone with it";
    for (text, form, fault) in [
        ("0 0 1", Form::Rows, "`0 0 1`: 3 cells, the board has 42"),
        ("-1 -1", Form::Rows, "`-1 -1`: 2 cells, the board has 42"),
        ("0 64", Form::Bits, "`64`: bit 6 is no cell of the board"),
        ("0 562949953421312", Form::Bits, "`562949953421312`: bit 49 is no cell of the board"),
        ("5", Form::Bits, "`5`: 1 words, expected two integers"),
        ("3 5", Form::Bits, overlap),
    ] {
        assert_eq!(said(text, form), fault);
    }
}
