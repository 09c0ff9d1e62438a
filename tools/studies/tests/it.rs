//! Starts `plumb-studies` as a process. Without this file `cargo test --workspace` would not build the program, which the
//! tests in `tools/lab/tests/it/studies.rs` start.

use std::process::Command;

fn studies(argument: &str) -> (Option<i32>, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_plumb-studies")).arg(argument).output().expect("the program runs");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn help_names_both_studies_and_another_name_is_an_error() {
    let (code, help) = studies("--help");
    assert!(code == Some(0) && help.contains("\n  table") && help.contains("\n  depth"), "{help}");
    assert_eq!(studies("tables"), (Some(2), String::new()));
}
