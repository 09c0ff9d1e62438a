//! `plumb-lab tune-hash` under a time control, with real engines and short moves.

mod common;

use common::{Directory, done, engine, lab};

/// The games of a file of results, each with its size.
fn games(csv: &str) -> Vec<(String, String)> {
    let fields = |line: &str| {
        let mut fields = line.split(',').map(str::to_owned);
        fields.next().zip(fields.next())
    };
    csv.lines().skip(1).filter_map(fields).collect()
}

#[test]
fn sizes_have_the_same_positions_and_a_run_goes_on_and_ends_in_an_honest_answer() {
    let _engine_exists = engine();
    let directory = Directory::new("tune-hash-timed");
    let out = directory.path("out");
    let run = |games: &str| {
        let settings =
            ["tune-hash", "--movetime", "2", "--concurrency", "2", "--sizes", "4,1", "--games", games];
        done(&[&settings[..], &["--out", &out]].concat())
    };
    let said = run("2");
    assert!(
        said.lines().last().is_some_and(|line| line == "cannot tell from 2 games: 6 more are the least"),
        "{said}"
    );
    let first = directory.read("out/tune-hash.csv");
    assert_eq!(
        games(&first),
        [("1", "1"), ("1", "4"), ("2", "1"), ("2", "4")]
            .map(|(game, size)| (game.to_owned(), size.to_owned()))
    );
    // More games are added to those that are there.
    let said = run("9");
    assert!(said.starts_with(&format!("2 games taken from `{out}/tune-hash.csv`\n")), "{said}");
    let csv = directory.read("out/tune-hash.csv");
    assert!(csv.starts_with(&first), "{csv}");
    let sentence = said.lines().last().unwrap_or_default();
    assert!(sentence.contains("MB: ") || sentence.starts_with("cannot tell about "), "{said}");
    let columns = csv.lines().next().unwrap_or_default().split(',').count();
    assert!(csv.lines().all(|line| line.split(',').count() == columns && !line.contains(",,")), "{csv}");
    let page = directory.read("out/tune-hash.html");
    assert!(page.contains("st=0.002, 2 at a time") && page.matches("<svg ").count() == 5, "{page}");
    let (code, _, err) =
        lab(&["tune-hash", "--movetime", "3", "--concurrency", "2", "--sizes", "4,1", "--out", &out]);
    assert!(
        code == Some(2) && err.contains("has other settings: `control`: recorded st=0.002, given st=0.003"),
        "{err}"
    );
}

#[test]
fn shards_of_a_game_clock_make_one_run() {
    let _engine_exists = engine();
    let directory = Directory::new("tune-hash-timed-shards");
    let parts = ["1/2", "2/2"].map(|shard| {
        let out = directory.path(&shard.replace('/', "-"));
        let settings =
            ["tune-hash", "--tc", "0.05+0.001", "--sizes", "1,4", "--games", "3", "--shard", shard];
        let said = done(&[&settings[..], &["--out", &out]].concat());
        assert!(said.contains("games; `tune-hash merge` recommends a size"), "{said}");
        out
    });
    let out = directory.path("merged");
    let said = done(&["tune-hash", "merge", &parts[0], &parts[1], "--out", &out]);
    assert!(said.ends_with("cannot tell from 3 games: 5 more are the least\n"), "{said}");
    assert_eq!(games(&directory.read("merged/tune-hash.csv")).len(), 6);
}

#[test]
fn a_time_control_refuses_the_flags_of_other_modes() {
    let out = Directory::new("tune-hash-flags").path("out");
    for (given, fault) in [
        (
            &["--movetime", "1", "--suite", "x.txt"][..],
            "'--movetime <MS>' cannot be used with '--suite <FILE>...'",
        ),
        (&["--movetime", "1", "--match"], "cannot be used with"),
        (&["--movetime", "1", "--tc", "1"], "cannot be used with"),
        (&["--tc", "1", "--limit", "3"], "cannot be used with"),
        (&["--tc", "1", "--repeat", "3"], "cannot be used with"),
        (&["--tc", "1", "--reference", "64"], "required arguments were not provided"),
        (&["--tc", "0"], "`0` leaves no time"),
        (&["--movetime", "0"], "0 is not in 1..=3600000"),
    ] {
        let (code, said, err) = lab(&[&["tune-hash", "--out", &out], given].concat());
        assert!(code == Some(2) && said.is_empty() && err.contains(fault), "{given:?}: {err}");
    }
}
