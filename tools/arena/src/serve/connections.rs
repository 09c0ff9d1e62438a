//! Accepting connections, and their limits.

use std::cell::RefCell;
use std::convert::Infallible;
use std::future::ready;
use std::rc::Rc;
use std::time::Duration;

use hyper::StatusCode;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::sleep;
use tokio_io_timeout::TimeoutStream;

use super::answer::{Answers, said};

/// Maximum number of connections. As many more get status 503; further connections are closed.
pub const MAX_CONNECTIONS: u32 = 128;
const MAX_REQUEST: usize = 16 * 1024;
/// Maximum time for the headers of a request, and between two requests.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
const SHORT_HEADER_TIMEOUT: Duration = Duration::from_secs(2);
/// Maximum time without progress of a write.
const MAX_STALLED: Duration = Duration::from_secs(20);
/// Pause after `accept` fails, for example with too many open files.
const PAUSE: Duration = Duration::from_millis(100);

pub(super) struct Connections {
    answers: Answers,
    served: Semaphore,
    refused: Semaphore,
    closing: RefCell<Option<GracefulShutdown>>,
}

impl Connections {
    pub(super) fn new(answers: Answers) -> Self {
        let [served, refused] = [MAX_CONNECTIONS; 2].map(|most| Semaphore::new(most as usize));
        let closing = RefCell::new(Some(GracefulShutdown::new()));
        Self { answers, served, refused, closing }
    }

    pub(super) async fn accept(self: Rc<Self>, listener: TcpListener) {
        loop {
            match listener.accept().await {
                Ok((stream, _)) => {
                    tokio::task::spawn_local(Rc::clone(&self).serve(stream));
                }
                Err(_) => sleep(PAUSE).await,
            }
        }
    }

    async fn serve(self: Rc<Self>, stream: TcpStream) {
        // Sends small lines immediately, because spectators wait for them.
        let _ = stream.set_nodelay(true);
        let mut builder = http1::Builder::new();
        builder.timer(TokioTimer::new()).max_buf_size(MAX_REQUEST);
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(MAX_STALLED));
        let io = TokioIo::new(Box::pin(stream));
        if let Ok(_permit) = self.served.try_acquire() {
            builder.header_read_timeout(HEADER_TIMEOUT);
            let service = service_fn(async |request| Ok::<_, Infallible>(self.answers.to(request).await));
            let watcher = self.closing.borrow().as_ref().map(GracefulShutdown::watcher);
            let Some(watcher) = watcher else { return };
            let _ = watcher.watch(builder.serve_connection(io, service)).await;
        } else if let Ok(_permit) = self.refused.try_acquire() {
            builder.header_read_timeout(SHORT_HEADER_TIMEOUT).keep_alive(false);
            let sentence = "There are too many connections.";
            let service =
                service_fn(|_| ready(Ok::<_, Infallible>(said(StatusCode::SERVICE_UNAVAILABLE, sentence))));
            let _ = builder.serve_connection(io, service).await;
        }
    }

    pub(super) async fn close(&self) {
        let closing = self.closing.take();
        if let Some(closing) = closing {
            closing.shutdown().await;
        }
    }
}
