//! `plumb-lab depth-study` on small depths.

mod common;

use common::{Directory, lab, refused};

const HEADING: &str = "order,seed,repeat,game,depth,method,positions,nodes,cpu_nanoseconds,values";
/// A game of three positions at depth 1 and 2, the empty board among them: two lines for each method.
const SMALL: [&str; 4] = ["--max-depth", "2", "--game", "4,4"];

/// Runs `plumb-lab depth-study`; returns the exit code, standard output and standard error.
fn study(arguments: &[&str], out: &str) -> (Option<i32>, String, String) {
    lab(&[&["depth-study", "--out", out], arguments].concat())
}

/// The lines of the file but the first, in fields.
fn lines(csv: &str) -> Vec<Vec<&str>> {
    assert_eq!(csv.lines().next(), Some(HEADING), "{csv}");
    csv.lines().skip(1).map(|line| line.split(',').collect()).collect()
}

#[test]
fn a_small_study_has_tables_and_pictures() {
    let directory = Directory::new("depth-study-small");
    let (code, out, err) = study(&["--max-depth", "3", "--repeat", "2"], &directory.path("results/all"));
    assert_eq!(code, Some(0), "{err}");
    assert_eq!(directory.read("results/all/depth-study.md"), out);
    assert!(out.contains("34 positions") && out.contains("0.665 · 3.064^depth"), "{out}");
    assert!(out.contains("its two curves cross at depth 4.6"), "{out}");
    let csv = directory.read("results/all/depth-study.csv");
    let lines = lines(&csv);
    assert_eq!(lines.len(), 6 * 3 * 3 * 2, "{csv}");
    // The second game is over with its tenth move.
    let positions = |game: &str| if game.starts_with('2') { 10 } else { 12 };
    assert!(lines.iter().all(|line| line[9].split(' ').count() == positions(line[3])), "{csv}");
    // At depth 1, the roots and all their moves are visited by whoever does not come twice.
    assert!(
        lines
            .iter()
            .filter(|line| line[4] == "1" && line[5].starts_with("alpha-beta"))
            .all(|line| line[7] == (8 * positions(line[3])).to_string()),
        "{csv}"
    );
    for picture in ["depth-study-nodes.svg", "depth-study-time.svg", "depth-study-shares.svg"] {
        let svg = directory.read(&format!("results/all/{picture}"));
        assert!(svg.starts_with("<svg") && svg.contains("null-window"), "{picture}");
    }
}

#[test]
fn a_study_that_was_broken_off_goes_on() {
    let directory = Directory::new("depth-study-resumed");
    let (code, whole, _) = study(&SMALL, &directory.path(""));
    assert_eq!(code, Some(0), "{whole}");
    let csv = directory.read("depth-study.csv");
    let expected = lines(&csv);
    assert_eq!(expected.len(), 12, "{csv}");

    // The nodes of the first line are made up, so it shows that it is not measured again; the last one is broken off.
    let mut kept: Vec<_> = csv.lines().take(5).map(str::to_owned).collect();
    let nodes = format!(",{},", expected[0][7]);
    kept[1] = kept[1].replacen(&nodes, ",777777,", 1);
    // Of another order: it stays where it is and does not count.
    kept.push(kept[2].replacen("random", "centre", 1));
    let kept = kept.join("\n") + "\n";
    directory.file("depth-study.csv", &format!("{kept}random,1,1"));
    let (code, out, _) = study(&SMALL, &directory.path(""));
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("259259.0"), "{out}");
    let resumed = directory.read("depth-study.csv");
    assert!(resumed.starts_with(&kept), "{resumed}");
    let found = lines(&resumed);
    assert_eq!(found.len(), 13, "{resumed}");
    // But for the times everything is as it was without a break.
    let same = |line: &Vec<&str>| [&line[..8], &line[9..]].concat().join(",");
    assert!(found[5..].iter().map(same).eq(expected[4..].iter().map(same)), "{resumed}");

    // Nothing is left to do, and the same figures are told again.
    assert_eq!(study(&SMALL, &directory.path("")), (Some(0), out, String::new()));
    assert_eq!(directory.read("depth-study.csv"), resumed);
}

#[test]
fn methods_that_differ_fail() {
    let directory = Directory::new("depth-study-differing");
    // A run gives the file its header. No search finds this value for the position after one stone in the centre.
    assert_eq!(study(&SMALL, &directory.path("")).0, Some(0));
    directory.file("depth-study.csv", &format!("{HEADING}\nfixed,1,1,44,1,pvs,3,9,9,7 12345 0\n"));
    let arguments = [&SMALL[..], &["--order", "fixed", "--methods", "alpha-beta,pvs"]].concat();
    let (code, out, err) = study(&arguments, &directory.path(""));
    assert_eq!((code, out.as_str()), (Some(1), ""), "{err}");
    assert!(err.contains(" at depth 1, alpha-beta found "), "{err}");
    assert!(err.contains(" and pvs "), "{err}");
}

#[test]
fn what_cannot_be_studied_is_one_sentence() {
    let directory = Directory::new("depth-study-wrong");
    directory.file("depth-study.csv", "a,b\n");
    let sentence = refused(&["depth-study", "--out", &directory.path("")]);
    assert!(sentence.ends_with("`: it is of another program or version; give another `--out`"), "{sentence}");
}
