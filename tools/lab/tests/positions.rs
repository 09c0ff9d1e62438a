//! `plumb-lab positions` on small files.

mod common;

use common::{Directory, done, lab, refused};

/// Runs `plumb-lab positions` with a small table; returns the exit code, standard output and standard error.
fn positions(directory: &Directory, arguments: &[&str]) -> (Option<i32>, String, String) {
    let out = directory.path("out");
    lab(&[&["positions", "--hash", "4", "--out", &out], arguments].concat())
}

#[test]
fn the_files_are_suites() {
    let directory = Directory::new("positions-suites");
    let classes = ["end-easy", "middle-easy", "middle-medium"];
    let (code, out, _) = positions(&directory, &[&classes[..], &["--count", "20", "--seed", "5"]].concat());
    assert_eq!(code, Some(0), "{out}");
    for class in classes {
        let file = format!("out/{class}.txt");
        let text = directory.read(&file);
        let mut lines = text.lines();
        let heading = format!("# plumb-lab positions {class} --count 20 --seed 5");
        assert_eq!(lines.next(), Some(heading.as_str()));
        assert_eq!(lines.count(), 20, "{text}");
        done(&["suite", "--hash", "1", &directory.path(&file)]);
    }
}

#[test]
fn a_seed_is_as_good_as_its_files() {
    let directory = Directory::new("positions-seeds");
    let text = |seed: &str| {
        let (code, out, _) = positions(&directory, &["end-easy", "--count", "30", "--seed", seed]);
        assert_eq!(code, Some(0), "{out}");
        let text = directory.read("out/end-easy.txt");
        std::fs::remove_file(directory.path("out/end-easy.txt")).expect("it is there");
        text
    };
    let first = text("1");
    assert_eq!(first, text("1"));
    assert_ne!(first, text("2"));
    // The files that the project ships were made in the same way.
    let shipped = include_str!("../../../tests/suites/end-easy.txt");
    assert!(shipped.lines().skip(1).zip(first.lines().skip(1)).all(|(shipped, made)| shipped == made));
}

#[test]
fn a_file_that_was_broken_off_is_resumed() {
    let directory = Directory::new("positions-resumed");
    let arguments = ["middle-easy", "--count", "40"];
    let (code, out, _) = positions(&directory, &arguments);
    assert_eq!(code, Some(0), "{out}");
    let (whole, part) = (directory.read("out/middle-easy.txt"), directory.path("out/middle-easy.txt.part"));
    assert!(!std::path::Path::new(&part).exists());
    let (code, out, _) = positions(&directory, &arguments);
    assert_eq!((code, out.as_str()), (Some(0), "middle-easy: 40 positions are there already\n"));
    // Anywhere: before, in and after the heading, in a line, at its end.
    for length in
        [0, 5, whole.find('\n').expect("a heading") + 1, whole.len() / 2, whole.len() - 1, whole.len()]
    {
        std::fs::remove_file(directory.path("out/middle-easy.txt")).expect("it is there");
        directory.file("out/middle-easy.txt.part", &whole[..length]);
        let (code, out, err) = positions(&directory, &arguments);
        assert_eq!(code, Some(0), "{err}");
        let kept = whole[..length].lines().count().saturating_sub(1);
        let kept = if whole[..length].ends_with('\n') { kept } else { kept.saturating_sub(1) };
        assert!(
            out.starts_with(&format!("middle-easy: 40 positions, {} of them new from ", 40 - kept)),
            "{out}"
        );
        assert_eq!(directory.read("out/middle-easy.txt"), whole);
    }
}

#[test]
fn what_is_not_this_file_is_left_alone() {
    let directory = Directory::new("positions-foreign");
    std::fs::create_dir_all(directory.path("out")).expect("the directory can be made");
    let heading = "# plumb-lab positions end-easy --count 3 --seed 1";
    let said = |name: &str, text: &str| {
        let path = directory.file(&format!("out/{name}"), text);
        let out = directory.path("out");
        let said = refused(&["positions", "end-easy", "--count", "3", "--hash", "4", "--out", &out]);
        assert_eq!(directory.read(&format!("out/{name}")), text);
        std::fs::remove_file(&path).expect("it is there");
        said.replace(&path, "FILE")
    };
    for name in ["end-easy.txt", "end-easy.txt.part"] {
        for text in ["mine", "# mine\n44 1\n"] {
            let first = text.lines().next().expect("not empty");
            let said = said(name, text);
            assert!(said.starts_with(&format!("`FILE` begins with `{first}`, ")), "{said}");
        }
    }
    for (line, what) in [
        ("44", "`44`: expected `moves score`"),
        ("44 0", "`44`: no position of this seed"),
        ("6711664374656644134245532557722775 18", "`18`: no score of a position of end-easy"),
    ] {
        let text = format!("{heading}\n{line}\n");
        assert_eq!(said("end-easy.txt.part", &text), format!("FILE:2: {what}"));
    }
}
