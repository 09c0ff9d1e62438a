//! Log records: to stderr as `RUST_LOG` says (warnings by default), and to a file where a session asks for one.
//!
//! The dialogue itself is logged too, under the target [`DIALOGUE`]: `>>` what came in, `<<` what went out. So the
//! file holds all of a session in the order in which it happened, and no code has to know whether there is a file.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{OnceLock, PoisonError, RwLock};

use env_logger::{Builder, Env, Logger, Target};
use log::{LevelFilter, Log, Metadata, Record};

/// The target of the records that hold a line of the dialogue; they have the level `debug`.
pub const DIALOGUE: &str = "plumb::dialogue";

/// What goes to the file: all but traces, which are for developers and too many.
const FILE_LEVEL: LevelFilter = LevelFilter::Debug;

/// The process's logger. A process has one stderr, so this is one of the few things that are truly global.
static FAN: OnceLock<Fan> = OnceLock::new();

/// Sends each record to stderr and, if it is open, to the file.
struct Fan {
    console: Logger,
    file: RwLock<Option<Logger>>,
}

impl Log for Fan {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        let file = self.file.read().unwrap_or_else(PoisonError::into_inner);
        self.console.enabled(metadata) || file.as_ref().is_some_and(|file| file.enabled(metadata))
    }

    fn log(&self, record: &Record<'_>) {
        self.console.log(record);
        if let Some(file) = &*self.file.read().unwrap_or_else(PoisonError::into_inner) {
            file.log(record);
        }
    }

    fn flush(&self) {
        self.console.flush();
    }
}

/// Installs the logger. Where one is installed already, nothing happens.
pub fn init() {
    let console = Builder::from_env(Env::default().default_filter_or("warn")).build();
    let fan = FAN.get_or_init(|| Fan { console, file: RwLock::new(None) });
    if log::set_logger(fan).is_ok() {
        log::set_max_level(fan.console.filter());
    }
}

/// Opens the file at `path` and appends all further records to it, in place of the file before.
///
/// Appending lets a log survive the engine's next start. Without [`init`] nothing is written.
///
/// # Errors
/// If the file cannot be opened; the file before then stays in use.
pub fn open_file(path: &Path) -> io::Result<()> {
    let mut file = File::options().create(true).append(true).open(path)?;
    writeln!(
        file,
        "# {} {}, process {}",
        env!("CARGO_PKG_NAME"),
        env!("CARGO_PKG_VERSION"),
        std::process::id()
    )?;
    // The records carry a time stamp in UTC. Should the disk be full one day, the engine plays on without a log.
    let logger = Builder::new()
        .filter_level(FILE_LEVEL)
        .target(Target::Pipe(Box::new(file)))
        .format(|line, record| match record.target() {
            DIALOGUE => writeln!(line, "{} {}", line.timestamp_millis(), record.args()),
            target => {
                writeln!(line, "{} {} {target}: {}", line.timestamp_millis(), record.level(), record.args())
            }
        })
        .build();
    replace_file(Some(logger));
    Ok(())
}

/// Closes the file, if one is open.
pub fn close_file() {
    replace_file(None);
}

fn replace_file(file: Option<Logger>) {
    let Some(fan) = FAN.get() else { return };
    let level = if file.is_some() { FILE_LEVEL.max(fan.console.filter()) } else { fan.console.filter() };
    *fan.file.write().unwrap_or_else(PoisonError::into_inner) = file;
    log::set_max_level(level);
}
