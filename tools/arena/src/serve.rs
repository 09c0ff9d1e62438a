//! A match, its page and the solver over HTTP, for browsers and programs on this machine or near it.
//!
//! One thread answers all requests; other threads solve positions, behind a queue. The answering thread fetches the state of
//! the match from [`LiveGames`](crate::live::LiveGames) ten times a second, or once if nobody watches, so that neither the
//! number of spectators nor their speed matters to the games. A spectator has no buffer: it has its place in the list of
//! finished games and the versions of what it has seen, and gets the latest state when it is ready for more.
//!
//! A fixed list of addresses is served; no path of a request becomes one of the file system, and nothing can be changed.
//! The page and the match are served only by names that this server was meant to be reached by. The solver answers by any
//! name.

mod address;
mod answer;
mod broadcast;
mod bulk;
mod connections;
mod question;
mod record_file;
mod solver;

use std::net::TcpListener;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::lock;
use anyhow::{Context, Result};
use tokio::runtime::Builder;
use tokio::sync::oneshot;
use tokio::task::LocalSet;
use tokio::time::timeout;

use crate::summary::MatchState;
use answer::{Answers, Document};
use broadcast::Broadcast;
use connections::Connections;
use solver::Solver;

pub use address::ServeAddress;
pub use broadcast::Feed;
pub use connections::MAX_CONNECTIONS;
pub use solver::{Origin, SolverSettings};

/// Time for the last lines to spectators at the end.
const FAREWELL: Duration = Duration::from_secs(1);

/// What is served beside a running match.
#[derive(Default)]
pub struct Site {
    /// The page, whole.
    pub page: Option<String>,
    /// The opening book for the engine in the page.
    pub book: Option<&'static [u8]>,
    /// The directory of the match.
    pub directory: Option<PathBuf>,
    /// The solver at `/solve`.
    pub solver: Option<SolverSettings>,
}

/// A server on a thread of its own. Dropping it ends it.
pub struct Server {
    /// The address for a browser on this machine.
    pub url: String,
    /// A sentence on who is answered, if other machines are.
    pub notice: Option<String>,
    /// The events of the match.
    broadcast: Arc<Mutex<Broadcast>>,
    /// The thread, and the channel that is closed to end it.
    running: Option<(oneshot::Sender<()>, JoinHandle<()>)>,
}

impl Server {
    /// Begins to serve.
    ///
    /// # Errors
    /// If nothing can listen at `address`, the page has no content security policy, or no thread can be started.
    pub fn start(address: &ServeAddress, site: Site, feed: Option<Feed>) -> Result<Self> {
        let listener = address.bind()?;
        let bound = listener.local_addr().context("cannot serve")?;
        let broadcast = Arc::new(Mutex::new(Broadcast::new(feed)));
        let answers = Answers {
            page: site.page.map(Document::page).transpose()?,
            book: site.book.map(Document::book),
            directory: site.directory,
            solver: site.solver.map(Solver::new),
            broadcast: Arc::clone(&broadcast),
            hosts: address.hosts(bound),
        };
        let (running, ended) = oneshot::channel();
        listener.set_nonblocking(true).context("cannot serve")?;
        let runtime = Builder::new_current_thread().enable_io().enable_time().build();
        let runtime = runtime.context("cannot serve")?;
        let run = move || LocalSet::new().block_on(&runtime, serve(listener, answers, ended));
        let thread = thread::Builder::new().name("serve".to_owned()).spawn(run).context("cannot serve")?;
        let (url, notice) = (address.url(bound), ServeAddress::notice(bound));
        Ok(Self { url, notice, broadcast, running: Some((running, thread)) })
    }

    /// Tells spectators that the match is over. The server goes on with the games that have ended.
    pub fn finish(&self, state: MatchState) {
        lock(&self.broadcast).finish(state);
    }
}

impl Drop for Server {
    /// Waits until spectators have had their last lines, for a second at most.
    fn drop(&mut self) {
        if let Some((running, thread)) = self.running.take() {
            drop(running);
            let _ = thread.join();
        }
    }
}

/// The work of the thread, until the channel `ended` is closed.
async fn serve(listener: TcpListener, answers: Answers, mut ended: oneshot::Receiver<()>) {
    // It fails only without the runtime's own system resources, which are there.
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    let broadcast = Arc::clone(&answers.broadcast);
    let connections = Rc::new(Connections::new(answers));
    let accepting = tokio::task::spawn_local(Rc::clone(&connections).accept(listener));
    loop {
        let frame = lock(&broadcast).fetch();
        if timeout(frame, &mut ended).await.is_ok() {
            break;
        }
    }
    accepting.abort();
    lock(&broadcast).close();
    let _too_slow = timeout(FAREWELL, connections.close()).await;
}

#[cfg(test)]
mod tests;
