//! Pipes that delay, split, merge, lose or garble bytes.

use std::thread;

use super::support::{assert_recovered, assert_refused, cases};
use crate::common::play::games;
use crate::common::{Directory, beside_lab, done, engine, faulty_engine, lab};

fn behind(fault: &str, engine: &str) -> String {
    format!("{} {fault} {engine}", beside_lab("examples/faulty-pipe"))
}

#[test]
fn bytes_that_come_otherwise_change_no_game() {
    let directory = Directory::new("fault-whole-bytes");
    let play = |name: &str, command: &dyn Fn(&str) -> String| {
        let seeded = command(&format!("{} seeded", faulty_engine()));
        let plumb = command(&engine());
        let out = directory.path(name);
        let one = format!("--engine=name=A,cmd={seeded}");
        let other = format!("--engine=name=B,cmd={plumb},nodes=2000,option.Hash=1,option.OwnBook=false");
        let rounds = format!("--rounds={}", cases(2));
        done(&["match", &one, &other, "--each=st=60", &rounds, "--report-every=0", "--out", &out]);
        games(&out)
    };
    let expected = play("direct", &str::to_owned);
    assert!(expected.iter().all(|game| game["detail"].is_null()), "{expected:?}");
    for fault in ["delay", "split", "merge"] {
        assert_eq!(play(fault, &|engine| behind(&format!("{fault} 1 1000"), engine)), expected, "{fault}");
    }
}

#[test]
fn bytes_that_are_lost_or_garbled_cost_a_game_and_not_the_match() {
    let directory = &Directory::new("fault-lost-bytes");
    let (plumb, seeded) = (engine(), format!("{} seeded", faulty_engine()));
    let mut reasons = std::collections::BTreeMap::<String, u32>::new();
    for seed in 0..cases(2) {
        // The matches mostly wait, so they run at the same time.
        let ended = thread::scope(|scope| {
            [("drop", &seeded), ("garble", &seeded), ("drop", &plumb), ("garble", &plumb)]
                .map(|(fault, inner)| scope.spawn(move || reasons_behind(fault, seed, inner, directory)))
                .map(|played| played.join().expect("the games are as they should be"))
        });
        for reason in ended.into_iter().flatten() {
            *reasons.entry(reason).or_default() += 1;
        }
    }
    eprintln!("how games ended: {reasons:?}");
    assert!(reasons.len() > 1, "bytes were lost: {reasons:?}");
}

/// Termination reasons of four games against the engine `inner` behind a faulty pipe.
fn reasons_behind(fault: &str, seed: u32, inner: &str, directory: &Directory) -> Vec<String> {
    let good = format!("--engine=name=good,cmd={} seeded,st=60", faulty_engine());
    let behind = behind(&format!("{fault} {seed} 700"), inner);
    let out = directory.path(&format!("{fault}-{seed}-{}", inner.len()));
    let bad = format!("--engine=name=bad,cmd={behind},st=0.5,timemargin=500");
    let settings = ["--recover", "--rounds=2", "--timeout=2", "--concurrency=2", "--report-every=0"];
    let ended = lab(&[&["match", &good, &bad], &settings[..], &["--out", &out]].concat());
    if ended.0 == Some(2) {
        assert_refused(&ended, &["`bad`: "]);
        return vec!["not begun".to_owned()];
    }
    assert_recovered(&ended);
    let games = games(&out);
    assert_eq!(games.len(), 4, "every game has its end");
    let reason = |game: &serde_json::Value| {
        let reason = game["reason"].as_str().expect("a reason").to_owned();
        if !["four_in_a_row", "full_board"].contains(&reason.as_str()) {
            assert!(game["detail"].as_str().is_some_and(|text| !text.is_empty()), "{game}");
            let winner = if game["result"] == "1-0" { "first" } else { "second" };
            assert_eq!(game[winner], "good", "{fault} {seed}: the other one is not to blame: {game}");
            let detail = game["detail"].as_str().unwrap_or_default();
            assert!(!detail.contains("panicked"), "{game}");
        }
        reason
    };
    games.iter().map(reason).collect()
}
