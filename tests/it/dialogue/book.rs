//! `OwnBook` and `BookFile`: answers from an opening book, and files that are not books.

use std::fs;
use std::path::PathBuf;

use plumb::board::{Bits, Position, Standard};
use plumb::book;
use plumb_protocol::Reply;

use crate::common::{Answer, Engine};

fn write_book() -> PathBuf {
    let scores = [2, 1, 0, -1].into_iter().zip(0..).map(|(score, column)| {
        let position = Position::<Standard>::new().play(column).expect("legal");
        (position.canonical_key().to_wide() as u64, score)
    });
    let file = book::write_on(Standard::default(), vec![(1, scores.collect()).into()], None).expect("a book");
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("one {}.book", std::process::id()));
    fs::write(&path, file).expect("the book can be written");
    path
}

fn printed(answer: &Answer) -> Vec<String> {
    answer.infos.iter().map(|info| Reply::Info(info.clone()).to_string()).collect()
}

fn check_scores(answer: &Answer) {
    let lines = printed(answer);
    let expected = ["mate 21", "cp 0", "cp 0", "mate -21", "mate -21", "mate -20", "mate -20"];
    for (line, score) in lines[lines.len() - 7..].iter().zip(expected) {
        assert!(line.contains(&format!(" score {score} ")), "{score}: {lines:#?}");
        assert!(line.contains(" nodes 0 ") && !line.contains(" tbhits 0 "), "{line}");
    }
}

#[test]
fn a_book_answers_without_a_search_until_it_is_closed() {
    let path = write_book();
    let mut engine = Engine::start();
    engine.send(&format!("setoption name BookFile value {}", path.display()));
    engine.send("setoption name MultiPV value 7");
    let answer = engine.go("go wtime 60000 btime 60000");
    assert!(answer.line.starts_with("bestmove P@d1"), "{}", answer.line);
    check_scores(&answer);
    assert_eq!(answer.info().tb_hits, Some(7));

    let broken = path.with_extension("broken");
    fs::write(&broken, &fs::read(&path).expect("it is there")[1..]).expect("it can be written");
    for (file, fault) in [
        (broken.clone(), "not an opening book, which starts with `plumbook`"),
        (path.with_extension("missing"), ""),
        (std::env::temp_dir(), "it is not a regular file"),
    ] {
        engine.send(&format!("setoption name BookFile value {}", file.display()));
        let line = engine.line();
        let start = format!("info string book `{}`: {fault}", file.display());
        assert!(line.starts_with(&start) && line.ends_with("; nothing changes"), "{line}");
    }
    assert!(printed(&engine.go("go wtime 60000 btime 60000")).iter().all(|line| line.contains(" nodes 0 ")));

    engine.send("setoption name OwnBook value false");
    let lines = printed(&engine.go("go movetime 20"));
    assert!(lines.iter().all(|line| line.contains(" tbhits 0 ")), "{lines:#?}");
    engine.ask(
        &format!("setoption name BookFile value {}", path.display()),
        "info string no book is played from while `OwnBook` is false",
    );
    engine.send("setoption name OwnBook value true\nsetoption name BookFile value <empty>\nposition 44");
    let lines = printed(&engine.go("go movetime 20"));
    let is_used = lines.iter().all(|line| !line.contains(" tbhits 0 "));
    assert_eq!(is_used, cfg!(feature = "book"), "{lines:#?}");
    engine.quit();
    fs::remove_file(&path).and(fs::remove_file(&broken)).expect("the books can be removed");
}
