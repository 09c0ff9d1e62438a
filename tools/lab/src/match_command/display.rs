//! The display of a running match: a progress bar on a terminal, lines into a file, and the page for spectators.

use std::collections::VecDeque;
use std::io::{IsTerminal, stdout};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use plumb::book::EMBEDDED;
use plumb_arena::counted;
use plumb_arena::live::LiveGames;
use plumb_arena::page::with_events;
use plumb_arena::record::{GameRecord, MatchHeader};
use plumb_arena::results::MatchResults;
use plumb_arena::serve::{Feed, ServeAddress, Server, Site};
use plumb_arena::standings::standings;
use plumb_arena::summary::MatchState;

use super::directory::PAGE;
use crate::exit;
use crate::output::{print, stdout_is_pipe, width};
use crate::progress::Counter;

/// Lines between two tables of the standings.
const LINES_A_TABLE: usize = 20;

/// Prints the progress of a match.
pub(super) struct GameLines {
    pub counter: Counter,
    /// Games from one line on standard output to the next; 0 for lines of forfeits alone.
    every: usize,
    total: usize,
}

impl GameLines {
    /// The lines of `total` games, `done` of them already played. The default of `every` is 0 on a
    /// terminal, else 1.
    pub(super) fn new(every: Option<usize>, done: usize, total: usize) -> Self {
        let is_terminal = stdout().is_terminal();
        let every = every.unwrap_or(usize::from(!is_terminal));
        let counter = Counter::new("match", "game", done, total);
        // The reader of a pipe may print on the same terminal, as `tee` does: then there is no bar.
        let counter = if every > 0 { counter.for_own_lines(stdout_is_pipe()) } else { counter };
        Self { counter, every, total }
    }

    /// Prints the lines after a game, which `results` contains; returns whether the standings are among them.
    pub(super) fn print_game(&mut self, game: &GameRecord, results: &MatchResults) -> Result<bool> {
        let (every, total, done) = (self.every, self.total, results.played);
        let standings = || standings(&results.summary(MatchState::Running), width());
        self.counter.advance_by(1, || standings().join("\n"));
        let is_due = every > 0 && done.is_multiple_of(every);
        let has_table = is_due && done.is_multiple_of(every * LINES_A_TABLE) && done < total;
        let tells_game = every == 1 || game.reason.is_forfeit();
        if !is_due && !tells_game {
            return Ok(false);
        }
        let score = match &results.names[..] {
            [first, _] => {
                let counts = results.of(0);
                format!(", {first} +{} ={} -{}", counts.wins(), counts.draws(), counts.losses())
            }
            _ => String::new(),
        };
        let count = format!("{done} of {}{score}", counted(total, "game"));
        let parts = [tells_game.then(|| game.to_string()), is_due.then_some(count)];
        let line = parts.into_iter().flatten().collect::<Vec<_>>().join("; ");
        self.counter.with_bar_hidden(|| {
            print(format_args!("{line}"))?;
            let table = if has_table { standings() } else { Vec::new() };
            table.iter().try_for_each(|line| print(format_args!("{line}")))
        })?;
        Ok(has_table)
    }
}

/// The settings of the page.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct ServeSettings {
    /// Show the running match in a browser, at ADDRESS: `HOST:PORT` or `PORT`. Without ADDRESS: `127.0.0.1:8400`, or
    /// another port if that is taken.
    ///
    /// The page has the games in progress, standings, curves, and the last 1000 games to be played through. Only this machine
    /// reaches it, unless ADDRESS is one that others reach, such as `0.0.0.0:8400`. Nothing can be changed there,
    /// command lines, options and directories of engines are not shown, and spectators do not hold up the match.
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "127.0.0.1")]
    serve: Option<ServeAddress>,
    /// Serve the page after the match as well, until Ctrl-C.
    #[arg(long, requires = "serve")]
    keep_serving: bool,
}

/// A match that can be watched.
pub(super) struct Spectators {
    server: Server,
    /// Where the match reports its games.
    pub games: Arc<LiveGames>,
    keeps_serving: bool,
}

impl ServeSettings {
    /// With `--serve`, begins to serve the match with this header, and prints the address. Spectators get the `last` games of
    /// earlier runs; the games before them are counted in `results`.
    ///
    /// # Errors
    /// If nothing can listen at the address.
    pub(super) fn start(
        &self,
        header: &MatchHeader,
        results: MatchResults,
        last: VecDeque<GameRecord>,
        out: Option<PathBuf>,
    ) -> Result<Option<Spectators>> {
        let Some(address) = &self.serve else { return Ok(None) };
        let games = Arc::new(LiveGames::new(header.settings.concurrency.get()));
        let feed = Feed { games: Arc::clone(&games), results };
        let site = Site { page: Some(with_events(PAGE)?), book: EMBEDDED, directory: out, solver: None };
        let server = Server::start(address, site, Some(feed))?;
        for game in last {
            games.ended(&game);
        }
        announce(&server, "the page is", "")?;
        Ok(Some(Spectators { server, games, keeps_serving: self.keep_serving }))
    }
}

impl Spectators {
    /// Tells spectators that the match is over. With `--keep-serving` it waits for Ctrl-C.
    pub(super) fn finish(self, state: MatchState) -> Result<()> {
        self.server.finish(state);
        if !self.keeps_serving || exit::interrupt()?.is_requested() {
            return Ok(());
        }
        print(format_args!("{} shows the match until Ctrl-C", self.server.url))?;
        exit::wait()
    }
}

/// Prints the address of a server, what is there at `path`, and who is answered if other machines are.
pub(crate) fn announce(server: &Server, what: &str, path: &str) -> Result<()> {
    print(format_args!("{what} at {}{path}", server.url))?;
    server.notice.as_ref().map_or(Ok(()), |notice| print(format_args!("{notice}")))
}
