//! The fuzz corpus under the fuzz targets' own properties: what a fuzzer once found stays found, without a nightly
//! compiler.

use std::path::Path;

use plumb_protocol::{Parsed, parse_command, parse_reply};

/// The texts of a target's corpus that are UTF-8.
fn corpus(target: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tools/fuzz/corpus").join(target);
    let files = std::fs::read_dir(&folder).expect("the corpus is there");
    let texts: Vec<_> = files
        .map(|file| std::fs::read(file.expect("readable").path()).expect("readable"))
        .filter_map(|bytes| String::from_utf8(bytes).ok())
        .collect();
    assert!(texts.len() > 20, "{} files in {}", texts.len(), folder.display());
    texts
}

#[test]
fn commands_read_back_as_they_display() {
    let mut read = 0;
    for line in corpus("command") {
        if let Ok(Some(Parsed { command, .. })) = parse_command(&line) {
            let displayed = command.to_string();
            assert_eq!(
                parse_command(&displayed),
                Ok(Some(Parsed { command, warnings: Vec::new() })),
                "{line:?}"
            );
            read += 1;
        }
    }
    assert!(read > 10, "most of the corpus is well-formed");
}

#[test]
fn replies_read_back_as_they_display() {
    let mut read = 0;
    for line in corpus("reply") {
        if let Ok(reply) = parse_reply(&line) {
            assert_eq!(parse_reply(&reply.to_string()), Ok(reply), "{line:?}");
            read += 1;
        }
    }
    assert!(read > 10, "most of the corpus is well-formed");
}
