use super::*;

fn columns(text: &str) -> Result<Vec<Vec<u32>>, String> {
    let reader = PositionReader::new(Board::default());
    let lines = parse(&reader, text, "there").map_err(|error| format!("{error:#}"))?;
    Ok(lines.into_iter().map(|line| line.columns).collect())
}

#[test]
fn moves_are_read_however_they_are_written() {
    let text = "# a comment\n\n4453\n4 4 5 3\nP@d1 P@d2 P@e1 P@c1\nd d e c\n";
    assert_eq!(columns(text), Ok(vec![vec![3, 3, 4, 2]; 4]));
}

#[test]
fn a_fen_gets_moves_that_lead_to_it() {
    for digits in ["4", "4453", "12233344", "31664646"] {
        let position = Position::from_digits_on(Board::default(), digits).expect("legal");
        let fen = position.fen();
        for line in [fen.clone(), format!("{fen} ce 12; id \"x\";")] {
            let found = columns(&line).expect("there are such moves").remove(0);
            let reached = OpeningLine { name: String::new(), columns: found }.position(Board::default());
            assert_eq!(reached, Some(position), "{line}");
        }
    }
}

#[test]
fn what_is_no_opening_is_named_with_its_line() {
    for (text, fault) in [
        ("", "`there` holds no opening"),
        ("4453\n44x", "`there`, line 2: move 3, `x`: not a column digit (columns 1 to 7)"),
        ("4 4 5 5 6; 3", "`there`, line 1: move 5, `6;`: expected a move"),
        ("1212121", "`there`, line 1: the game is over after `1212121`"),
    ] {
        let said = columns(text).expect_err("no opening");
        assert!(said.starts_with(fault), "{said}");
    }
}

#[test]
fn openings_to_one_position_or_its_mirror_image_are_one() {
    let lines = parse(&PositionReader::new(Board::default()), "4453\n4435\n44\n5344\n4453\n21\n", "there")
        .expect("openings");
    let left: Vec<_> = different(Board::default(), lines).into_iter().map(|line| line.columns).collect();
    assert_eq!(left, [vec![3, 3, 4, 2], vec![3, 3], vec![1, 0]]);
    let counts = [0, 1].map(|plies| random(Board::default(), plies, 1, 9).len());
    assert_eq!(counts, [1, 4]);
    assert_eq!(random(Board::default(), 2, 1, 20), random(Board::default(), 2, 1, 99)[..20]);
}

#[test]
fn random_openings_depend_on_their_seed_and_differ() {
    let keys = |seed| -> Vec<_> {
        random(Board::default(), 8, seed, 200).into_iter().map(|line| line.columns).collect()
    };
    assert_eq!(keys(1), keys(1));
    assert_ne!(keys(1), keys(2));
    assert_eq!(keys(1).into_iter().collect::<HashSet<_>>().len(), 200);
}

fn pgn_columns(text: &str, plies: usize) -> Result<Vec<Vec<u32>>, String> {
    let lines = parse_pgn(&PositionReader::new(Board::default()), text, "there", plies);
    let lines = lines.map_err(|error| format!("{error:#}"))?;
    Ok(lines.into_iter().map(|line| line.columns).collect())
}

#[test]
fn games_are_read_without_what_surrounds_their_moves() {
    let text = "[White \"A\"]\r\n[Result \"1-0\"]\r\n\r\n1. P@d1 {book} P@d2 $1 2. P@e1 (2. a1 (2. b1) c1) ; so\r\n\
            2... P@c1 {0.5/3 0.1s} 1-0\r\n\r\n[White \"B [x]\"]\n\n1.P@a1 1/2-1/2\n";
    let found = games(text).expect("two games");
    assert_eq!(found[0].moves, ["P@d1", "P@d2", "P@e1", "P@c1"]);
    assert_eq!((&found[1].moves[..], &found[1].tags[..]), (&["P@a1"][..], &[("White", "B [x]")][..]));
    assert_eq!(pgn_columns("1. d1 e1 1-0\n1 c1 b1 2 a1 0-1\n*", 9), Ok(vec![vec![3, 4], vec![2, 1, 0]]));
}

#[test]
fn a_game_begins_with_its_position() {
    let fen = "7/7/7/7/2p4/2p1PP1[PPPPPPPPPPPPPPPPPPPppppppppppppppppppp] w - - 0 1";
    let game = |tags: &str, moves: &str| format!("[Event \"?\"]\n{tags}\n\n{moves} 0-1\n");
    let set_up = format!("[FEN \"{fen}\"]\n[SetUp \"1\"]");
    let found = pgn_columns(&game(&set_up, "1. P@d1 {-0.10/4 0.001s} P@g1 2. P@e2"), 2)
        .expect("an opening")
        .remove(0);
    assert_eq!((found.len(), &found[4..]), (6, &[3, 6][..]));
    let position = OpeningLine { name: String::new(), columns: found }.position(Board::default());
    let reached = position.expect("legal").fen();
    assert!(reached.starts_with("7/7/7/7/2p4/2pPPPp["), "{reached}");
    let unset = set_up.replace("\"1\"", "\"0\"");
    for (tags, moves, expected) in [
        ("[SetUp \"1\"]", "1. d1", "`there`, game 1: tag SetUp: it says `1`, a position to begin from"),
        (&unset, "1. d1", "`there`, game 1: tag SetUp: it says `0`, the empty board"),
        ("[FEN \"8/8/8 w\"]", "1. d1", "`there`, game 1: tag FEN: "),
        (&set_up, "1. P@c1", "`there`, game 1: moves after its FEN (reached by `"),
        ("[Round \"1\"]", "1. 4 4 2. 5", "`there`, game 1: `4`: expected a move such as d1 or d"),
        ("[Variant \"cfour8x7\"]", "1. d1", "`there`, game 1: tag Variant: `cfour8x7` is played on"),
        ("", "1. d1 {2. a1", "`there`: game 1: a comment begins with `{` and does not end"),
        ("", "1. d1 (1. a1 1-0\n[White \"A\"]\n1. b1", "`there`: game 1: `(` without its `)`"),
        ("[Round \"1\"]", "1.4 4 2.5 5", "`there`, game 1: `1.4`: expected a move such as d1 or d"),
    ] {
        let said = pgn_columns(&game(tags, moves), 9).expect_err(tags);
        assert!(said.starts_with(expected), "{said}");
    }
}

#[test]
fn every_opening_is_what_its_suite_promises() {
    let book = Book::embedded().expect("it is part of this program");
    for suite in Suite::ALL {
        assert_eq!(suite.to_string().parse(), Ok(suite));
        let lines = suite.openings().expect("it can be read");
        let mut keys = HashSet::new();
        for OpeningLine { columns, .. } in &lines {
            let position = columns.iter().try_fold(Position::new(), |p, &column| p.play(column));
            let position = position.expect("legal moves");
            assert_eq!(position.plies(), 8);
            assert!(keys.insert(position.canonical_key()), "{suite}: {columns:?} is there twice");
            assert!(suite.includes(&book, &position), "{suite}: {columns:?}");
        }
        assert!(lines.len() >= 500, "{suite}: {}", lines.len());
    }
    for (suite, columns) in [(Suite::Balanced, &[2, 2][..]), (Suite::Decided, &[0])] {
        let position = columns.iter().try_fold(Position::new(), |p, &column| p.play(column));
        assert!(!suite.includes(&book, &position.expect("legal moves")), "{suite}: {columns:?}");
    }
}

#[test]
fn a_board_whose_games_all_end_early_has_no_position() {
    let mut random = Random::new(1, 0);
    let mut has_any = |size: &str, stones| {
        let board = size.parse::<Board>().expect("a board");
        (0..10_000).any(|_| play(board, &mut random, stones).is_some())
    };
    assert!(has_any("7x6", 41) && !has_any("10x10", 99));
}

#[test]
fn openings_are_lost_or_drawn_for_the_engines_under_test() {
    let exact = ExactSolver::new(Board::default()).expect("a megabyte or two");
    for result in [TheoreticalResult::Lost, TheoreticalResult::Drawn] {
        let found = theoretical(result, 8, 5, 12).expect("a megabyte or two");
        assert_eq!(found.len(), 12);
        assert_eq!(found[..5], theoretical(result, 8, 5, 5).expect("a megabyte or two"));
        for (line, side) in &found {
            let position = line.position(Board::default()).expect("legal");
            let score = exact.score(&position).expect("a position on 7x6");
            let own = if position.plies() as usize % 2 == *side { score } else { -score };
            let expected = if result == TheoreticalResult::Lost { -1 } else { 0 };
            assert_eq!(own.signum(), expected, "{line:?}");
        }
        let first = found.iter().filter(|(_, side)| *side == 0).count();
        assert!(first > 0 && first < 12, "each side has some");
    }
}

#[test]
fn openings_that_do_not_exist_are_not_found() {
    // With perfect play the first player wins from the empty board, so it is lost for the second.
    assert_eq!(theoretical(TheoreticalResult::Lost, 0, 1, 3).expect("a megabyte or two").len(), 1);
    assert_eq!(theoretical(TheoreticalResult::Drawn, 0, 1, 3).expect("a megabyte or two").len(), 0);
}
