//! Whoever reads what `plumb-lab` prints may stop at any time.

use std::io::pipe;
use std::process::{Command, Stdio};

#[test]
fn a_closed_standard_output_ends_the_program_without_a_complaint() {
    let (reader, writer) = pipe().expect("a pipe can be had");
    drop(reader);
    let output = Command::new(env!("CARGO_BIN_EXE_plumb-lab"))
        .args(["solve", "4444", "--board", "5x4"])
        .stdout(writer)
        .stderr(Stdio::piped())
        .output()
        .expect("plumb-lab runs");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(141), ""));
}
