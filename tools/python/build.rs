//! Builds the programs `plumb` and `plumb-lab` for the wheel by a second cargo, and copies licences and
//! notebooks. `PLUMB_WITHOUT_PROGRAMS` leaves out the programs.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const PACKAGES: [(&str, &str); 2] = [("plumb-engine", "plumb"), ("plumb-lab", "plumb-lab")];

/// Files that the wheel installs in `share/doc/plumb-engine`.
const DOCUMENTS: [&str; 4] = [
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "tools/python/notebooks/first-steps.ipynb",
    "tools/python/notebooks/how-good-is-my-agent.ipynb",
];

fn main() -> Result<(), Box<dyn Error>> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let root = here.join("../..");
    println!("cargo::rerun-if-env-changed=PLUMB_WITHOUT_PROGRAMS");
    for source in [
        "Cargo.lock",
        "Cargo.toml",
        "src",
        "protocol",
        "tools/arena",
        "tools/lab",
        "tools/studies",
        "tools/web/dist",
    ] {
        println!("cargo::rerun-if-changed={}", root.join(source).display());
    }
    let documents = here.join("plumb_engine.data/data/share/doc/plumb-engine");
    for source in DOCUMENTS.map(|document| root.join(document)).iter().filter(|source| source.is_file()) {
        println!("cargo::rerun-if-changed={}", source.display());
        fs::copy(source, documents.join(source.file_name().ok_or("a document without a name")?))?;
    }
    let is_release = env::var("PROFILE")? == "release";
    if !is_release || env::var_os("PLUMB_WITHOUT_PROGRAMS").is_some() {
        return Ok(());
    }
    if !root.join("tools/lab/Cargo.toml").is_file() {
        let fault = "the sources of the programs plumb and plumb-lab are missing: build from the repository or from a source \
                     distribution of `python -m build`, or set PLUMB_WITHOUT_PROGRAMS=1 for the module alone";
        return Err(fault.into());
    }
    let scripts = here.join("plumb_engine.data/scripts");
    fs::create_dir_all(&scripts)?;
    build(&root, &scripts)
}

fn build(root: &Path, scripts: &Path) -> Result<(), Box<dyn Error>> {
    // The running cargo locks its target directory, so the second cargo needs another.
    let target_directory = PathBuf::from(env::var("OUT_DIR")?).join("programs");
    let target = env::var("TARGET")?;
    if env::var_os(format!("CARGO_TARGET_{}_LINKER", target.to_uppercase().replace('-', "_"))).is_some() {
        // The linker is zig. A build without zig may have replaced the programs since the last run.
        println!("cargo::rerun-if-changed={}", scripts.display());
    }
    let mut cargo = Command::new(env::var("CARGO")?);
    cargo
        .current_dir(root)
        .args(["build", "--release", "--locked", "--target", &target, "--target-dir"])
        .arg(&target_directory);
    for (package, program) in PACKAGES {
        cargo.args(["--package", package, "--bin", program]);
    }
    // The compiler flags of the Python module do not apply to the programs.
    cargo.env_remove("CARGO_ENCODED_RUSTFLAGS").env("CARGO_PROFILE_RELEASE_STRIP", "true");
    let status = cargo.status()?;
    if !status.success() {
        return Err(format!("cargo build of plumb and plumb-lab failed ({status})").into());
    }
    let mut glibc = 0;
    for (_, program) in PACKAGES {
        let file = format!("{program}{}", env::consts::EXE_SUFFIX);
        fs::copy(target_directory.join(&target).join("release").join(&file), scripts.join(&file))?;
        glibc = glibc.max(greatest_glibc(&fs::read(scripts.join(&file))?));
    }
    if glibc > 0 {
        // maturin ignores the programs when it chooses the platform tag of the wheel.
        println!(
            "cargo::warning=the programs need glibc 2.{glibc}: a wheel for other machines takes \
             `--compatibility manylinux_2_{glibc}`"
        );
    }
    Ok(())
}

/// The highest N of glibc 2.N that a program needs, or 0.
fn greatest_glibc(program: &[u8]) -> u32 {
    let versions = program.split(|&byte| byte == 0).filter_map(|text| text.strip_prefix(b"GLIBC_2."));
    versions.filter_map(|minor| str::from_utf8(minor).ok()?.parse().ok()).max().unwrap_or_default()
}
