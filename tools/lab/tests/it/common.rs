//! Helpers of the process tests.
#![cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "some tests run on Linux only"))]

pub(crate) mod play;
pub(crate) mod server;

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// Timeout of a run: far longer than all engine timeouts in a test together.
pub(crate) const HANGS: Duration = Duration::from_secs(300);

/// Directory of a test, removed at the end.
pub(crate) struct Directory(PathBuf);

impl Directory {
    /// Creates the directory. Every test needs another `name`.
    pub(crate) fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("the directory can be made");
        Self(path)
    }

    /// The path of a file, or of the directory if `name` is empty.
    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("UTF-8").to_owned()
    }

    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        std::fs::write(&path, text).expect("the file can be written");
        path
    }

    pub(crate) fn json(&self, name: &str) -> serde_json::Value {
        serde_json::from_str(&self.read(name)).expect("JSON")
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("the file is there")
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _left_behind = std::fs::remove_dir_all(&self.0);
    }
}

/// Exit code (`None` after a signal), standard output and standard error.
pub(crate) type Ended = (Option<i32>, String, String);

pub(crate) fn lab(arguments: &[&str]) -> Ended {
    wait(start(arguments))
}

pub(crate) fn lab_with(arguments: &[&str], input: &str) -> Ended {
    let mut command = command(arguments);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("plumb-lab runs");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("plumb-lab reads");
    wait(child)
}

/// Waits for a program to end; fails if it hangs.
pub(crate) fn wait(child: Child) -> Ended {
    let (id, (sender, ended)) = (child.id(), channel());
    std::thread::spawn(move || sender.send(child.wait_with_output()));
    let Ok(output) = ended.recv_timeout(HANGS) else {
        let _ended = Command::new("kill").args(["-KILL", &id.to_string()]).status();
        panic!("it hangs");
    };
    let Output { status, stdout, stderr } = output.expect("its output can be read");
    let [out, err] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
    assert!(!err.contains("panicked"), "{err}");
    (status.code(), out, err)
}

/// Command that runs plumb-lab, or plumb-studies if the first argument is `plumb-studies`.
pub(crate) fn command(arguments: &[&str]) -> Command {
    if let ["plumb-studies", arguments @ ..] = arguments {
        let mut command = Command::new(beside_lab("plumb-studies"));
        command.args(arguments);
        return command;
    }
    // Panics if the engine, which many commands start, is not built.
    engine();
    let mut command = Command::new(env!("CARGO_BIN_EXE_plumb-lab"));
    command.args(arguments);
    command
}

pub(crate) fn start(arguments: &[&str]) -> Child {
    start_command(&mut command(arguments))
}

pub(crate) fn start_command(command: &mut Command) -> Child {
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("it can be started")
}

pub(crate) fn wait_until(child: &mut Child, mut is_the_case: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_the_case() {
        assert!(child.try_wait().is_ok_and(|ended| ended.is_none()), "it has ended too early");
        assert!(start.elapsed() < HANGS, "it hangs");
        std::thread::sleep(Duration::from_millis(1));
    }
}

pub(crate) fn kill(mut child: Child) {
    child.kill().and_then(|()| child.wait()).expect("it can be killed");
}

#[cfg(unix)]
pub(crate) fn signal(name: &str, process: u32) {
    let mut kill = Command::new("kill");
    kill.args([&format!("-{name}"), &process.to_string()]).stderr(Stdio::null());
    kill.status().expect("kill can be started");
}

#[cfg(unix)]
pub(crate) fn end_by(name: &str, child: Child) -> Ended {
    signal(name, child.id());
    wait(child)
}

pub(crate) fn done(arguments: &[&str]) -> String {
    success(lab(arguments))
}

pub(crate) fn success(ended: Ended) -> String {
    assert!(ended.0 == Some(0) && !ended.2.starts_with("plumb-lab: "), "{ended:?}");
    ended.1
}

/// Runs plumb-lab, which must end with exit code 1.
pub(crate) fn failed(arguments: &[&str]) -> (String, String) {
    let (code, out, err) = lab(arguments);
    assert_eq!(code, Some(1), "{arguments:?}: {out}{err}");
    (out, err)
}

pub(crate) fn rows(text: &str) -> Vec<Vec<&str>> {
    text.lines().map(|line| line.split_whitespace().collect()).collect()
}

/// The `wanted` columns of CSV text, which must not contain commas.
pub(crate) fn columns(text: &str, wanted: &[usize]) -> Vec<Vec<String>> {
    let fields = |line: &str| {
        let all: Vec<_> = line.split(',').collect();
        wanted.iter().map(|&index| all[index].to_owned()).collect()
    };
    text.lines().map(fields).collect()
}

/// The only line that plumb-lab prints to refuse a command, without the program's name.
pub(crate) fn refused(arguments: &[&str]) -> String {
    let (code, out, err) = lab(arguments);
    assert_eq!((code, out.as_str(), err.lines().count()), (Some(2), "", 1), "{arguments:?}: {err}");
    let sentence = err.strip_prefix("plumb-lab: ").or(err.strip_prefix("plumb-studies: "));
    let sentence = sentence.and_then(|rest| rest.strip_suffix('\n'));
    sentence.unwrap_or_else(|| panic!("{arguments:?}: {err}")).to_owned()
}

/// The path of `plumb`, which a build of the workspace puts next to plumb-lab.
pub(crate) fn engine() -> String {
    beside_lab("plumb")
}

pub(crate) fn faulty_engine() -> String {
    beside_lab("examples/faulty-engine")
}

/// Path of a program in the directory of plumb-lab.
pub(crate) fn beside_lab(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_BIN_EXE_plumb-lab"));
    let path = path.with_file_name(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(
        path.is_file(),
        "there is no `{}`: run `cargo test --workspace`, or `cargo build --bins --examples` first",
        path.display()
    );
    path.to_str().expect("a path in UTF-8").to_owned()
}
