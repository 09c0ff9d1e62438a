//! The page of a running match, served to spectators.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use plumb_arena::interrupt::Interrupt;
use plumb_arena::live::{LiveGames, MAX_GAMES};
use plumb_arena::page::with_events;
use plumb_arena::record::file::to_line;
use plumb_arena::record::{GameRecord, MatchHeader};
use plumb_arena::serve::{Feed, ServeAddress, Server, Site};
use plumb_arena::summary::{MatchState, Progress};

use crate::output::print;
use crate::site::{PAGE, announce, book};

/// The settings of the page.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct ServeSettings {
    /// Show the running match in a browser, at ADDRESS: `HOST:PORT` or `PORT`. Without ADDRESS: `127.0.0.1:8400`, or
    /// another port if that is taken.
    ///
    /// The page has the games in progress, standings, curves, and all games to be played through. Only this machine
    /// reaches it, unless ADDRESS is one that others reach, such as `0.0.0.0:8400`. Nothing can be changed there, and
    /// spectators do not hold up the match.
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "127.0.0.1")]
    serve: Option<ServeAddress>,
    /// Serve the page after the match as well, until Ctrl-C.
    #[arg(long, requires = "serve")]
    keep_serving: bool,
}

/// A match that can be watched.
pub(super) struct Spectators {
    server: Server,
    games: Arc<LiveGames>,
    keeps_serving: bool,
}

impl ServeSettings {
    /// Begins to serve the match with this header, if that is wanted, and prints the address. `played` are the games of an
    /// earlier run.
    ///
    /// # Errors
    /// If nothing can listen at the address.
    pub(super) fn start(
        &self,
        header: &MatchHeader,
        played: &[GameRecord],
        directory: Option<PathBuf>,
    ) -> Result<Option<Spectators>> {
        let Some(address) = &self.serve else { return Ok(None) };
        let games = Arc::new(LiveGames::new(header.settings.concurrency.get()));
        // The older ones are counted, and no spectator gets them.
        let (older, shown) = played.split_at(played.len().saturating_sub(MAX_GAMES));
        let progress = Progress::new(header, older);
        let feed = Feed { games: Arc::clone(&games), header: to_line(header)?, progress };
        let site = Site { page: with_events(PAGE)?, book: book(), directory };
        let server = Server::start(address, site, Some(feed))?;
        for game in shown {
            games.ended(game);
        }
        announce(&server)?;
        Ok(Some(Spectators { server, games, keeps_serving: self.keep_serving }))
    }
}

impl Spectators {
    /// Where the match reports its games.
    pub(super) fn games(&self) -> &LiveGames {
        &self.games
    }

    /// Tells spectators that the match is over. With `--keep-serving` it waits for Ctrl-C.
    ///
    /// # Errors
    /// If the address cannot be printed.
    pub(super) fn finish(self, is_interrupted: bool, interrupt: &Interrupt) -> Result<()> {
        self.server.finish(if is_interrupted { MatchState::Interrupted } else { MatchState::Finished });
        if self.keeps_serving && !interrupt.is_requested() {
            print(format_args!("{} shows the match until Ctrl-C", self.server.url()))?;
            // Nothing is ever sent: the channel closes on Ctrl-C.
            let _ = interrupt.channel().recv();
        }
        Ok(())
    }
}
