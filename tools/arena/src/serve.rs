//! A match, its page and the solver over HTTP, for browsers and programs on this machine or near it.
//!
//! One thread answers all requests; other threads solve positions, behind a queue. The answering thread fetches the state of
//! the match a few times a second from [`LiveGames`](crate::live::LiveGames), so that neither the number of spectators nor their speed matters to the
//! games. A spectator has no buffer: it has its place in the list of finished games and the versions of what it has seen, and
//! gets the latest state when it is ready for more.
//!
//! A fixed list of addresses is served; no path of a request becomes one of the file system, and nothing can be changed.
//! Requests are answered only if they name a host that this server was meant to be reached by, so that no page of another
//! site can read a match by a name that resolves to this machine.

mod address;
mod answer;
mod broadcast;
mod bulk;
mod connections;
mod question;
mod record_file;
mod solver;

use std::cell::RefCell;
use std::net::TcpListener;
use std::path::PathBuf;
use std::rc::Rc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context, Result};
use tokio::runtime::Builder;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
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
    /// The thread, and the channel for the end of the match, which is closed to end the thread.
    running: Option<(UnboundedSender<MatchState>, JoinHandle<()>)>,
}

impl Server {
    /// Begins to serve.
    ///
    /// # Errors
    /// If nothing can listen at `address`, the page has no content security policy, or no thread can be started.
    pub fn start(address: &ServeAddress, site: Site, feed: Option<Feed>) -> Result<Self> {
        let listener = address.bind()?;
        let bound = listener.local_addr().context("cannot serve")?;
        let answers = Answers {
            page: site.page.map(Document::page).transpose()?,
            book: site.book.map(Document::book),
            directory: site.directory,
            solver: site.solver.map(Solver::start).transpose()?,
            hosts: address.hosts(bound),
        };
        let (orders, received) = unbounded_channel();
        listener.set_nonblocking(true).context("cannot serve")?;
        let runtime = Builder::new_current_thread().enable_io().enable_time().build();
        let runtime = runtime.context("cannot serve")?;
        let run = move || LocalSet::new().block_on(&runtime, serve(listener, answers, feed, received));
        let thread = thread::Builder::new().name("serve".to_owned()).spawn(run).context("cannot serve")?;
        let (url, notice) = (address.url(bound), ServeAddress::notice(bound));
        Ok(Self { url, notice, running: Some((orders, thread)) })
    }

    /// Tells spectators that the match is over. The server goes on with the games that have ended.
    pub fn finish(&self, state: MatchState) {
        // It fails only if the thread has ended.
        let _ = self.running.as_ref().map(|(orders, _)| orders.send(state));
    }
}

impl Drop for Server {
    /// Waits until spectators have had their last lines, for a second at most.
    fn drop(&mut self) {
        if let Some((orders, thread)) = self.running.take() {
            drop(orders);
            let _ = thread.join();
        }
    }
}

/// The work of the thread, up to the end of `orders`.
async fn serve(
    listener: TcpListener,
    answers: Answers,
    feed: Option<Feed>,
    mut orders: UnboundedReceiver<MatchState>,
) {
    // It fails only without the runtime's own system resources, which are there.
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    let broadcast = Rc::new(RefCell::new(Broadcast::default()));
    broadcast.borrow_mut().feed = feed;
    let connections = Rc::new(Connections::new(answers, Rc::clone(&broadcast)));
    let accepting = tokio::task::spawn_local(Rc::clone(&connections).accept(listener));
    loop {
        let frame = broadcast.borrow_mut().fetch();
        match timeout(frame, orders.recv()).await {
            Ok(Some(state)) => broadcast.borrow_mut().finish(state),
            Ok(None) => break,
            Err(_next_frame) => {}
        }
    }
    accepting.abort();
    broadcast.borrow_mut().close();
    let _too_slow = timeout(FAREWELL, connections.close()).await;
}

#[cfg(test)]
mod tests;
