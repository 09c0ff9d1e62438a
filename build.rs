//! Sets `PLUMB_VERSION`: the version of the package and, in a release build of a checkout, the commit. Other builds
//! omit it, because each commit would recompile all crates.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let mut version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    if is_release && let Some(commit) = commit() {
        version = format!("{version}+{commit}");
    }
    println!("cargo::rustc-env=PLUMB_VERSION={version}");
}

/// The commit of the checkout. `None` without Git, or if the package lies in the checkout of another project.
fn commit() -> Option<String> {
    let top = Path::new(&git(&["rev-parse", "--show-toplevel"])?).canonicalize().ok()?;
    if top != Path::new(&env::var("CARGO_MANIFEST_DIR").ok()?).canonicalize().ok()? {
        return None;
    }
    // Git appends to the log of HEAD at every commit, but some checkouts lack this log.
    for name in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", name])?;
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    git(&["rev-parse", "--short=8", "HEAD"])
}

/// Output of a Git command without the line end, or `None` if it fails.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    if !output.status.success() {
        return None;
    }
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
