//! Output of a running match: a progress bar on a terminal, lines into a file, and the page for spectators.

use std::mem::take;
use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use plumb::book::EMBEDDED;
use plumb_arena::counted;
use plumb_arena::live::LiveGames;
use plumb_arena::page::with_events;
use plumb_arena::plan::MatchPlan;
use plumb_arena::record::GameRecord;
use plumb_arena::results::MatchResults;
use plumb_arena::serve::{Feed, ServeAddress, Server, Site};
use plumb_arena::standings::standings;
use plumb_arena::summary::{MatchState, Summary};

use super::PAGE;
use crate::exit;
use crate::output::{print, stdout_is_pipe, width};
use crate::progress::Counter;

/// Number of game lines between two tables of standings.
pub(super) const LINES_A_TABLE: usize = 20;

pub(super) struct GameLines {
    pub counter: Counter,
    /// Games between two lines on standard output; 0 for lines of forfeits only.
    every: usize,
}

impl GameLines {
    /// `results` has the games of earlier runs.
    pub(super) fn new(every: usize, results: &MatchResults) -> Self {
        let mut counter = Counter::new("match", "game", results.played, results.planned);
        if every > 0 {
            // Another program in the pipe, such as `tee`, may print on the terminal of the progress bar.
            counter = counter.for_own_lines(stdout_is_pipe());
        }
        Self { counter, every }
    }

    /// Prints the lines after a game. `results` includes the game.
    pub(super) fn print_game(&mut self, game: &GameRecord, results: &MatchResults) -> Result<()> {
        let (every, total, done) = (self.every, results.planned, results.played);
        self.counter.advance_by(1, || standings(&results.summary(MatchState::Running), width()).join("\n"));
        let mut parts = Vec::new();
        if every == 1 || game.reason.is_forfeit() {
            parts.push(game.to_string());
        }
        let is_due = every > 0 && done.is_multiple_of(every);
        if is_due {
            parts.push(format!("{done} of {}{}", counted(total, "game"), score(results)));
        }
        if parts.is_empty() {
            return Ok(());
        }
        let has_table = is_due && done.is_multiple_of(every * LINES_A_TABLE) && done < total;
        self.counter.with_bar_hidden(|| {
            print(format_args!("{}", parts.join("; ")))?;
            if has_table {
                print_standings(&results.summary(MatchState::Running))?;
            }
            Ok(())
        })
    }
}

pub(super) fn print_standings(summary: &Summary) -> Result<()> {
    for row in standings(summary, width()) {
        print(format_args!("{row}"))?;
    }
    Ok(())
}

/// The score of the first engine in a match of two, for the end of a line.
fn score(results: &MatchResults) -> String {
    let [first, _] = &results.names[..] else { return String::new() };
    let counts = results.of(0);
    format!(", {first} +{} ={} -{}", counts.wins(), counts.draws(), counts.losses())
}

#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Watching")]
pub(super) struct ServeFlags {
    /// Show the running match in a browser [default address: 127.0.0.1:8400].
    ///
    /// ADDRESS is `HOST:PORT` or `PORT`. If the default port is taken, `match` chooses another one. The page has the games in
    /// progress, standings, curves, and the last 1000 games. Only this machine reaches the page, unless ADDRESS is one that others
    /// reach, such as `0.0.0.0:8400`. Spectators cannot change anything or delay the match, and do not see command lines, options
    /// and directories of engines.
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "127.0.0.1")]
    serve: Option<ServeAddress>,
    /// Serve the page after the match, too, until Ctrl-C.
    #[arg(long, requires = "serve")]
    keep_serving: bool,
}

pub(super) struct Spectators {
    server: Server,
    pub games: Arc<LiveGames>,
    keeps_serving: bool,
}

impl ServeFlags {
    /// With `--serve`, begins to serve the match, and prints the address.
    pub(super) fn start(&self, plan: &mut MatchPlan, out: Option<&Path>) -> Result<Option<Spectators>> {
        let Some(address) = &self.serve else { return Ok(None) };
        let games = Arc::new(LiveGames::new(plan.header.settings.concurrency.get()));
        let feed = Feed { games: Arc::clone(&games), results: plan.recorded.older.clone() };
        let directory = out.map(Path::to_owned);
        let site = Site { page: Some(with_events(PAGE)?), book: EMBEDDED, directory, solver: None };
        let server = Server::start(address, site, Some(feed))?;
        for game in take(&mut plan.recorded.last) {
            games.ended(&game);
        }
        announce(&server, "the page is", "")?;
        Ok(Some(Spectators { server, games, keeps_serving: self.keep_serving }))
    }
}

impl Spectators {
    /// Shows that the match is over. With `--keep-serving` it waits for Ctrl-C.
    pub(super) fn finish(self, state: MatchState) -> Result<()> {
        self.server.finish(state);
        if !self.keeps_serving || exit::interrupt()?.is_requested() {
            return Ok(());
        }
        print(format_args!("{} shows the match until Ctrl-C", self.server.url))?;
        exit::wait()
    }
}

/// Prints the server's address, what `path` shows, and a notice if other machines can connect.
pub(crate) fn announce(server: &Server, what: &str, path: &str) -> Result<()> {
    print(format_args!("{what} at {}{path}", server.url))?;
    if let Some(notice) = &server.notice {
        print(format_args!("{notice}"))?;
    }
    Ok(())
}
