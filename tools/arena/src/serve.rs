//! HTTP server for a match, its page and the solver.
//!
//! One thread answers all requests. It fetches the state of the match up to ten times a second, so spectators do not
//! delay the games. Other threads solve positions.
//!
//! Only fixed addresses are served. Requests for the page and the match must name this server as their host.

mod address;
mod answer;
mod broadcast;
mod bulk;
mod connections;
mod question;
mod solver;

use std::net::TcpListener;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::locked;
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

const FAREWELL: Duration = Duration::from_secs(1);

/// Pages and data that a server offers.
#[derive(Default)]
pub struct Site {
    /// HTML of the start page.
    pub page: Option<String>,
    /// Opening book for the page's engine.
    pub book: Option<&'static [u8]>,
    /// Match directory.
    pub directory: Option<PathBuf>,
    /// The solver at `/solve`.
    pub solver: Option<SolverSettings>,
}

/// Server on its own thread, until dropped.
pub struct Server {
    /// URL for a local browser.
    pub url: String,
    /// Message if other machines can reach the server.
    pub notice: Option<String>,
    broadcast: Arc<Mutex<Broadcast>>,
    running: Option<(oneshot::Sender<()>, JoinHandle<()>)>,
}

impl Server {
    /// Starts the server on a new thread.
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

    /// Announces the end of the match to spectators. The server still serves the finished games.
    pub fn finish(&self, state: MatchState) {
        locked(&self.broadcast).finish(state);
    }
}

impl Drop for Server {
    /// Waits at most a second, so spectators receive their last events.
    fn drop(&mut self) {
        if let Some((running, thread)) = self.running.take() {
            drop(running);
            let _ = thread.join();
        }
    }
}

async fn serve(listener: TcpListener, answers: Answers, mut ended: oneshot::Receiver<()>) {
    // `from_std` fails only without system resources.
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    let broadcast = Arc::clone(&answers.broadcast);
    let connections = Rc::new(Connections::new(answers));
    let accepting = tokio::task::spawn_local(Rc::clone(&connections).accept(listener));
    loop {
        let frame = locked(&broadcast).fetch();
        if timeout(frame, &mut ended).await.is_ok() {
            break;
        }
    }
    accepting.abort();
    locked(&broadcast).close();
    let _too_slow = timeout(FAREWELL, connections.close()).await;
}

#[cfg(test)]
mod tests;
