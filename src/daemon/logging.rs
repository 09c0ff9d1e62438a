//! Log records: to stderr at the level of `RUST_LOG` (warnings by default), and to the file of the option
//! `Debug Log File`.
//!
//! The target `plumb::dialogue` has the dialogue: `>>` before a line read, `<<` before a line printed.

use std::fs::File;
use std::io::{self, Write};
#[cfg(unix)]
use std::os::unix::fs::FileTypeExt;
use std::sync::{OnceLock, PoisonError, RwLock};

use env_logger::{Builder, Env, Logger, Target};
use log::{LevelFilter, Log, Metadata, Record};

pub(crate) const DIALOGUE: &str = "plumb::dialogue";

const FILE_LEVEL: LevelFilter = LevelFilter::Debug;

static LOGGER: OnceLock<Tee> = OnceLock::new();

struct Tee {
    console: Logger,
    file: RwLock<Option<Logger>>,
}

impl Log for Tee {
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

/// Installs the logger, unless the process has one already.
pub fn init() {
    let console = Builder::from_env(Env::default().default_filter_or("warn")).build();
    let logger = LOGGER.get_or_init(|| Tee { console, file: RwLock::new(None) });
    if log::set_logger(logger).is_ok() {
        log::set_max_level(logger.console.filter());
    }
}

/// Appends further log records to the file at `path`, or to no file if `path` is empty. After an error the
/// previous file stays in use. Requires [`init`].
pub(crate) fn set_file(path: &str) -> io::Result<()> {
    let Some(logger) = LOGGER.get() else { return Ok(()) };
    // Opening a pipe that nobody reads would block the session.
    #[cfg(unix)]
    if std::fs::metadata(path).is_ok_and(|found| found.file_type().is_fifo()) {
        return Err(io::Error::other("it is a pipe"));
    }
    let file = if path.is_empty() { None } else { Some(file_logger(path)?) };
    let level = file.as_ref().map_or(LevelFilter::Off, Logger::filter).max(logger.console.filter());
    *logger.file.write().unwrap_or_else(PoisonError::into_inner) = file;
    log::set_max_level(level);
    Ok(())
}

fn file_logger(path: &str) -> io::Result<Logger> {
    let mut file = File::options().create(true).append(true).open(path)?;
    writeln!(file, "# plumb {}, process {}", crate::VERSION, std::process::id())?;
    // Time stamps are in UTC. Write errors such as a full disk are ignored.
    Ok(Builder::new()
        .filter_level(FILE_LEVEL)
        .target(Target::Pipe(Box::new(file)))
        .format(|line, record| match record.target() {
            DIALOGUE => writeln!(line, "{} {}", line.timestamp_millis(), record.args()),
            target => {
                writeln!(line, "{} {} {target}: {}", line.timestamp_millis(), record.level(), record.args())
            }
        })
        .build())
}
