//! The option `Board` with boards of all sizes, and opening books for other boards.

use plumb::board::{Board, BoardSize, Narrow, Position, StaticGeometry};
use plumb::book;

use crate::common::{Engine, play};

/// Boards of extreme and common sizes. Their bitboards have 64 or 128 bits.
const SIZES: [&str; 10] = ["4x4", "5x4", "6x5", "6x7", "8x7", "9x7", "10x10", "25x4", "4x31", "7x6"];

type AnyPosition = Position<Board>;

fn empty(size: &str) -> AnyPosition {
    Position::empty(size.parse::<Board>().expect(size))
}

#[test]
fn every_command_works_on_boards_of_all_sizes() {
    let mut engine = Engine::start();
    engine.send("setoption name Hash value 8");
    for size in SIZES {
        let BoardSize { width, height } = size.parse().expect(size);
        engine.send(&format!("setoption name Board value {size}"));
        assert!(engine.ready().is_empty(), "{size}");
        let start = empty(size);
        engine.send("d");
        assert!(engine.until("Fen: ").ends_with(&[format!("Fen: {}", start.fen())]));
        let moves = engine.until("Moves: ").last().map(|line| line.matches("P@").count());
        assert_eq!(moves, Some(width as usize));
        engine.send("perft 2\nwait\neval");
        let counted = engine.until("Nodes searched: ");
        assert_eq!(counted.last(), Some(&format!("Nodes searched: {}", width * width)), "{size}");
        engine.until("Static evaluation: ");

        for go in [
            "go movetime 20",
            "go depth 3",
            "go nodes 3000",
            "go mate 1",
            "go wtime 500 btime 500 winc 5 binc 5",
            "go searchmoves P@a1 movetime 10",
        ] {
            let answer = engine.go(go);
            answer.check();
            let line = answer.infos.last().map(|info| info.pv.clone()).unwrap_or_default();
            line.iter().fold(start, |position, &m| play(&position, m));
            assert!(play(&start, answer.best()).plies() == 1);
        }
        engine.send("setoption name MultiPV value 25");
        let answer = engine.go("go depth 2");
        let ranks: Vec<_> = answer.infos.iter().filter_map(|info| info.multi_pv).collect();
        assert_eq!(ranks.iter().max(), Some(&width), "{size}: one line for each column");
        engine.send("setoption name MultiPV value 1\nsetoption name Skill Level value 3");
        play(&start, engine.go("go movetime 10").best());
        engine.send("setoption name Skill Level value 20\ngo infinite\nstop");
        play(&start, engine.answer().best());
        engine.send("go ponder movetime 10\nponderhit");
        play(&start, engine.answer().best());

        // Fills the last column. High boards have ranks of two digits.
        let letter = char::from(b'a' + width as u8 - 1);
        let moves: Vec<_> = (1..=height).map(|rank| format!("P@{letter}{rank}")).collect();
        engine.send(&format!("position startpos moves {}", moves.join(" ")));
        engine.send("d");
        let shown = engine.until("Side to move: ");
        let full = moves.iter().fold(start, |position, m| play(&position, m.parse().expect("a move")));
        assert!(shown.contains(&format!("Fen: {}", full.fen())), "{shown:#?}");
        let past = format!("P@{letter}{}", height + 1);
        let refusal = format!("move 1, `{past}`: column {letter} is full; the position stays as it was");
        engine.ask(&format!("moves {past}"), &format!("info string {refusal}"));
        engine.ask("query fen", &format!("response {}", full.fen()));
        engine.send("ucinewgame");
        engine.ask("query fen", &format!("response {}", start.fen()));
    }
    engine.quit();
}

#[test]
fn a_book_file_is_used_on_its_own_board() {
    type Small = Narrow<4, 4>;
    let scores = vec![(Position::<Small>::new().canonical_key(), 0)];
    let file = book::write_on(Small::default(), vec![(0, scores).into()], None).expect("a book");
    let path =
        std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("4x4 {}.book", std::process::id()));
    std::fs::write(&path, file).expect("it can be written");
    let mut engine = Engine::start();
    engine.ask(
        &format!("setoption name BookFile value {}", path.display()),
        &format!("info string book `{}` is for 4x4: it is not used on 7x6", path.display()),
    );
    engine.send(&format!("setoption name Board value {}x{}", Small::WIDTH, Small::HEIGHT));
    let hits = |engine: &mut Engine| engine.go("go movetime 200").infos.last().and_then(|info| info.tb_hits);
    assert!(hits(&mut engine) > Some(0));
    engine.send("setoption name Board value 4x5");
    assert_eq!(hits(&mut engine), Some(0));
    engine.send("setoption name Board value 7x6");
    assert_eq!(hits(&mut engine) > Some(0), cfg!(feature = "book"));
    engine.quit();
    std::fs::remove_file(path).expect("it can be removed");
}
