use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::board::{Board, Position};
use crate::search::{Bound, SearchInfo, Value};

#[derive(Clone, Debug, Default)]
pub(super) struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    pub(super) fn lines(&self) -> Vec<String> {
        let bytes = self.0.lock().expect("no test panics here").clone();
        String::from_utf8(bytes).expect("UTF-8").lines().map(str::to_owned).collect()
    }

    pub(super) fn take_lines(&self) -> Vec<String> {
        let bytes = std::mem::take(&mut *self.0.lock().expect("no test panics here"));
        String::from_utf8(bytes).expect("UTF-8").lines().map(str::to_owned).collect()
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no test panics here").write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(super) fn played(digits: &str) -> Position<Board> {
    Position::from_digits_on(Board::default(), digits).expect("legal")
}

pub(super) fn info(value: Value, pv: &[u32]) -> SearchInfo {
    let time = Duration::from_millis(1);
    SearchInfo { nodes: 1, time, ..SearchInfo::new(1, (value, Bound::Exact, pv.to_vec())) }
}
