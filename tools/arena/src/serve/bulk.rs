//! Many questions in one request: JSON Lines in and out, each answer as soon as those before it are there.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::{Body, Bytes, Incoming};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::timeout;

use super::question::Question;
use super::solver::{Pending, Solver};

/// Questions of a request in the queue at a time, so that others have their turn.
const IN_QUEUE: usize = 16;
/// Lines that are read ahead: many clients read no answer before all their questions are sent.
const READ_AHEAD: usize = 100_000;
/// Bytes of a line.
const MAX_LINE: usize = 1024;
/// Time without a byte of the request, after which it counts as ended.
const MAX_SILENCE: Duration = Duration::from_secs(60);
/// Bytes of an answer that are sent at once, about.
const PIECE: usize = 16 * 1024;

/// The answers of a request.
pub(super) struct BulkAnswers {
    pending: Receiver<Pending>,
    next: Option<Pending>,
}

impl BulkAnswers {
    /// Begins to read and to answer; what a line does not say is that of `query`.
    pub(super) fn start(body: Incoming, query: Question, solver: Arc<Solver>) -> Self {
        let (lines, received) = channel(READ_AHEAD);
        let (answers, pending) = channel(IN_QUEUE);
        tokio::task::spawn_local(read(body, lines));
        tokio::task::spawn_local(submit(received, query, solver, answers));
        Self { pending, next: None }
    }

    /// The next answers; `None` after the last one.
    pub(super) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let mut piece = Vec::new();
        while piece.len() < PIECE {
            if self.next.is_none() {
                match self.pending.poll_recv(context) {
                    Poll::Ready(Some(next)) => self.next = Some(next),
                    Poll::Ready(None) if piece.is_empty() => return Poll::Ready(None),
                    _ => break,
                }
            }
            let Some(next) = &mut self.next else { break };
            let Poll::Ready(answer) = Pin::new(next).poll(context) else { break };
            self.next = None;
            piece.extend_from_slice(&answer.json);
            piece.push(b'\n');
        }
        if piece.is_empty() { Poll::Pending } else { Poll::Ready(Some(piece.into())) }
    }
}

/// Cuts the request into lines. One that is too long is the last.
async fn read(mut body: Incoming, lines: Sender<Vec<u8>>) {
    let mut line = Vec::new();
    while let Ok(Some(Ok(frame))) =
        timeout(MAX_SILENCE, poll_fn(|context| Pin::new(&mut body).poll_frame(context))).await
    {
        for piece in frame.into_data().unwrap_or_default().split_inclusive(|byte| *byte == b'\n') {
            line.extend_from_slice(piece);
            let is_too_long = line.len() > MAX_LINE;
            if is_too_long || piece.ends_with(b"\n") {
                let sent = lines.send(std::mem::take(&mut line)).await;
                if is_too_long || sent.is_err() {
                    return;
                }
            }
        }
    }
    // It fails only if nobody waits for answers.
    let _ = lines.send(line).await;
}

/// Hands the questions to the solver, in their order.
async fn submit(
    mut lines: Receiver<Vec<u8>>,
    query: Question,
    solver: Arc<Solver>,
    answers: Sender<Pending>,
) {
    let mut number = 0_u64;
    while let Some(line) = lines.recv().await {
        number += 1;
        let text = line.trim_ascii();
        if text.is_empty() {
            continue;
        }
        let question = if text.len() > MAX_LINE {
            Err(format!("more than {MAX_LINE} bytes; the lines after it are not read"))
        } else {
            query.with_line(text)
        };
        let question = question.map_err(|error| format!("line {number}: {error}"));
        if answers.send(solver.pend(question).await).await.is_err() {
            return;
        }
    }
}
