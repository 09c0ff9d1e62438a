//! Small runs of `plumb-studies depth` and `table`: results and resumption.

use crate::common::{Directory, done, failed, refused};

const HEADING: &str = "order,seed,repeat,game,depth,method,positions,nodes,cpu_nanoseconds,values";
const SMALL: [&str; 4] = ["--max-depth", "2", "--game", "4,4"];

fn depth_study(arguments: &[&str], out: &str) -> String {
    done(&[&["plumb-studies", "depth", "--out", out], arguments].concat())
}

fn lines(csv: &str) -> Vec<Vec<&str>> {
    assert_eq!(csv.lines().next(), Some(HEADING), "{csv}");
    csv.lines().skip(1).map(|line| line.split(',').collect()).collect()
}

#[test]
fn a_small_study_has_tables_and_pictures() {
    let directory = Directory::new("depth-study-small");
    let out = depth_study(&["--max-depth", "3", "--repeat", "2"], &directory.path("results/all"));
    assert_eq!(directory.read("results/all/depth-study.md"), out);
    assert!(out.contains("34 positions") && out.contains("|  665.0000 | 3.0640 |  0.9984 |"), "{out}");
    // Tables 2 and 3 of the replicated student's essay: three games, the total, and the published averages.
    let row = out.lines().find(|line| line.starts_with("| 3 ") && line.ends_with("19.43 |"));
    assert_eq!(row.map(|row| row.matches('|').count()), Some(7), "{out}");
    assert!(out.contains("its two curves cross at depth 4.6"), "{out}");
    let csv = directory.read("results/all/depth-study.csv");
    let lines = lines(&csv);
    assert_eq!(lines.len(), 6 * 3 * 3 * 2, "{csv}");
    // The second game ends with its tenth move.
    let positions = |game: &str| if game.starts_with('2') { 10 } else { 12 };
    assert!(lines.iter().all(|line| line[9].split(' ').count() == positions(line[3])), "{csv}");
    // At depth 1, alpha-beta visits the root and all its moves.
    let mut first = lines.iter().filter(|line| line[4] == "1" && line[5].starts_with("alpha-beta"));
    assert!(first.all(|line| line[7] == (8 * positions(line[3])).to_string()), "{csv}");
    for picture in ["depth-study-nodes.svg", "depth-study-time.svg", "depth-study-shares.svg"] {
        let svg = directory.read(&format!("results/all/{picture}"));
        assert!(svg.starts_with("<svg") && svg.contains("null-window"), "{picture}");
    }
    depth_study(&["--methods", "pvs"], &directory.path("results/all"));
    let shares = directory.path("results/all/depth-study-shares.svg");
    assert!(!std::fs::exists(shares).expect("readable"), "one method has no shares");
}

#[test]
fn a_depth_study_that_was_broken_off_goes_on() {
    let directory = Directory::new("depth-study-resumed");
    depth_study(&SMALL, &directory.path(""));
    let csv = directory.read("depth-study.csv");
    let expected = lines(&csv);
    assert_eq!(expected.len(), 12, "{csv}");

    // Invents the nodes of the first row, to see that the row is not measured again. The last row is incomplete.
    let mut kept: Vec<_> = csv.lines().take(5).map(str::to_owned).collect();
    let nodes = format!(",{},", expected[0][7]);
    kept[1] = kept[1].replacen(&nodes, ",777777,", 1);
    // A row with another move ordering is kept, but does not count.
    kept.push(kept[2].replacen("random", "centre", 1));
    let kept = kept.join("\n") + "\n";
    directory.file("depth-study.csv", &format!("{kept}random,1,1"));
    let out = depth_study(&SMALL, &directory.path(""));
    assert!(out.contains("259259.0"), "{out}");
    let resumed = directory.read("depth-study.csv");
    assert!(resumed.starts_with(&kept), "{resumed}");
    let found = lines(&resumed);
    assert_eq!(found.len(), 13, "{resumed}");
    // Everything but the times equals a run without an interruption.
    let same = |line: &Vec<&str>| [&line[..8], &line[9..]].concat().join(",");
    assert!(found[5..].iter().map(same).eq(expected[4..].iter().map(same)), "{resumed}");

    assert_eq!(depth_study(&SMALL, &directory.path("")), out);
    assert_eq!(directory.read("depth-study.csv"), resumed);
}

#[test]
fn methods_that_differ_fail() {
    let directory = Directory::new("depth-study-differing");
    depth_study(&SMALL, &directory.path(""));
    let methods = ["--order", "fixed", "--methods", "alpha-beta,pvs", "--out", &directory.path("")];
    for (values, said) in [
        ("3,9,9,0 12345 3", "after 4 at depth 1, alpha-beta found 0 and pvs 12345"),
        ("2,9,9,0 0", "after 44 at depth 1, alpha-beta found 3 and pvs nothing"),
    ] {
        directory.file("depth-study.csv", &format!("{HEADING}\nfixed,1,1,44,1,pvs,{values}\n"));
        let (_, err) = failed(&[&["plumb-studies", "depth"], &SMALL[..], &methods].concat());
        assert_eq!(err, format!("plumb-studies: {said}\n"));
    }
}

/// Two endings and two longer positions with published scores.
const ENDINGS: &str =
    "# endings\n7422341735647741166133573473242566 1\n2252576253462244111563365343671351441 -1\n";
const LONGER: &str = "5554224333234511764415115 4\n52753311433677442422121 8\n";

fn table_study(out: &str, arguments: &[&str]) -> String {
    done(&[&["plumb-studies", "table", "--out", out], arguments].concat())
}

#[test]
fn a_table_study_is_made_and_resumed() {
    let directory = Directory::new("table-study");
    let (endings, longer) = (directory.file("end-easy.txt", ENDINGS), directory.file("longer.txt", LONGER));
    let out = directory.path("out");
    let designs = "none,full-key,packed-key,crt-upper,crt-bounds,lru,bucketed";
    let arguments = [&endings, &longer, "--designs", designs, "--sizes", "1MB,2MB", "--mode", "both"];
    let text = table_study(&out, &arguments);
    // The design without a table is measured once, not for each size.
    let units = (6 * 2 + 1) * 2 * 2;
    assert_eq!(text.lines().count(), units, "{text}");

    let csv = directory.read("out/table-study.csv");
    assert_eq!(csv.lines().count(), units + 1, "{csv}");
    let heading = "search,design,entries,bytes,suite,fingerprint,mode,positions,nodes,cpu_seconds\n";
    assert!(csv.starts_with(heading), "{csv}");
    // The first row of a design and a suite is for the smaller table and the exact score.
    let nodes = |design: &str, suite: &str| {
        let row = csv.lines().find(|line| line.contains(design) && line.contains(suite)).expect(design);
        row.split(',').nth(8).expect(row).to_owned()
    };
    assert_eq!(nodes(",crt-upper,", ",longer.txt,"), (198 + 48).to_string(), "{csv}");
    assert_eq!(nodes(",crt-bounds,", ",longer.txt,"), (168 + 44).to_string(), "{csv}");

    let table = directory.read("out/table-study.md");
    assert_eq!(table.lines().filter(|line| line.starts_with("|plain, ")).count(), units, "{table}");
    assert!(table.contains("|Solver|Test set|"), "{table}");
    for picture in ["out/table-study-nodes.svg", "out/table-study-time.svg"] {
        assert!(directory.read(picture).starts_with("<svg"), "{picture}");
    }

    assert_eq!(table_study(&out, &arguments), "");
    assert_eq!(directory.read("out/table-study.csv"), csv);
    let last = csv.trim_end().rfind('\n').expect("many lines") + 1;
    directory.file("out/table-study.csv", &csv[..last + 20]);
    assert_eq!(table_study(&out, &arguments).lines().count(), 1);
    assert_eq!(directory.read("out/table-study.csv").lines().count(), units + 1);

    // With fewer positions or another search, the command measures again.
    let text = table_study(&out, &[&longer, "--designs", "lru", "--sizes", "1MB", "--limit", "1"]);
    assert_eq!(text.lines().count(), 1, "{text}");
    let text = table_study(&out, &[&longer, "--search", "plumb", "--sizes", "1MB", "--mode", "both"]);
    assert_eq!(text.lines().count(), 2, "{text}");
    assert_eq!(directory.read("out/table-study.csv").lines().count(), units + 4);
}

#[test]
fn a_wrong_score_ends_the_run() {
    let directory = Directory::new("table-study-wrong");
    let wrong = directory.file("wrong.txt", &LONGER.replace("2121 8", "2121 7"));
    let out = directory.path("out");
    let arguments =
        ["plumb-studies", "table", "--out", &out, &wrong, "--designs", "crt-bounds", "--sizes", "1MB"];
    let said = "plumb-studies: crt-bounds wrong.txt strong: wrong.txt:2: 52753311433677442422121 has score 8, expected 7\n";
    assert_eq!(failed(&arguments), (String::new(), said.to_owned()));
    assert_eq!(directory.read("out/table-study.csv").lines().count(), 1, "nothing is kept of it");
    done(&[&arguments[..], &["--mode", "weak"]].concat());
}

#[test]
fn what_tables_cannot_be_studied_is_one_sentence_before_any_work() {
    let directory = Directory::new("table-study-refused");
    let file = directory.file("end-easy.txt", ENDINGS);
    let out = directory.path("out");
    for (arguments, said) in [
        (
            &["--designs=lru", "--search=plumb"][..],
            "`--search plumb` has its own table only: ask for `--designs bucketed`, not lru",
        ),
        (
            &["--designs=crt-upper", "--sizes=1000"],
            "crt-upper: 1000: truncated keys need more than 131072 entries",
        ),
        (&["--limit", "0"], &format!("`{file}`: there is no position to solve")),
        (&[&file], &format!("`{file}`: another file is also called end-easy.txt")),
    ] {
        let sentence = refused(&[&["plumb-studies", "table", "--out", &out, &file], arguments].concat());
        assert!(sentence.starts_with(said), "{sentence}");
    }
    assert!(!std::path::Path::new(&out).exists(), "nothing was begun");
}
