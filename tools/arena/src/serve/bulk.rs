//! Solver questions as JSON Lines, answered in order.

use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{Stream, unfold};
use http_body_util::BodyExt;
use hyper::body::{Bytes, Incoming};
use tokio::sync::mpsc::{Sender, UnboundedReceiver, UnboundedSender, channel, unbounded_channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::question::Question;
use super::solver::{Pending, Solver};

/// Maximum length of a line in bytes. A longer line ends the request.
const MAX_LINE: usize = 1024;
/// A request that sends no byte for this long counts as ended.
const MAX_SILENCE: Duration = Duration::from_secs(60);
/// Approximate memory of a line in bytes, without its text.
const LINE_OVERHEAD: usize = 64;

type Line = (Vec<u8>, OwnedSemaphorePermit);

/// Answers a body of JSON Lines. `defaults` are for members that a line omits.
pub(super) fn answers(body: Incoming, defaults: Question, solver: Arc<Solver>) -> impl Stream<Item = Bytes> {
    let (lines, received) = unbounded_channel();
    // At most one question per thread waits, so other requests get their turn.
    let (answers, pending) = channel(solver.settings.threads.get().min(Semaphore::MAX_PERMITS));
    tokio::task::spawn_local(read(body, lines, Arc::clone(&solver.read_ahead)));
    tokio::task::spawn_local(submit(received, defaults, solver, answers));
    unfold(pending, async |mut pending| {
        let answer = pending.recv().await?.answer().await;
        Some(([&answer.json[..], b"\n"].concat().into(), pending))
    })
}

async fn read(mut body: Incoming, lines: UnboundedSender<Line>, read_ahead: Arc<Semaphore>) {
    let send = async |line: Vec<u8>| {
        let bytes = u32::try_from(line.capacity() + LINE_OVERHEAD).ok()?;
        let permits = Arc::clone(&read_ahead).acquire_many_owned(bytes).await.ok()?;
        lines.send((line, permits)).ok()
    };
    let mut line = Vec::new();
    while let Ok(Some(Ok(frame))) = timeout(MAX_SILENCE, body.frame()).await {
        for piece in frame.into_data().unwrap_or_default().split_inclusive(|byte| *byte == b'\n') {
            line.extend_from_slice(piece);
            let is_too_long = line.len() > MAX_LINE;
            if is_too_long || piece.ends_with(b"\n") {
                let taken = send(std::mem::take(&mut line)).await;
                if is_too_long || taken.is_none() {
                    return;
                }
            }
        }
    }
    // Sending fails only if nobody waits for answers.
    let _ = send(line).await;
}

async fn submit(
    mut lines: UnboundedReceiver<Line>,
    defaults: Question,
    solver: Arc<Solver>,
    answers: Sender<Pending>,
) {
    let mut number = 0_u64;
    while let Some((line, _permits)) = lines.recv().await {
        number += 1;
        let text = line.trim_ascii();
        let question = if line.len() > MAX_LINE {
            Err(format!("more than {MAX_LINE} bytes; the lines after it are not read"))
        } else if text.is_empty() {
            continue;
        } else {
            defaults.with_line(text)
        };
        let question = question.map_err(|error| format!("line {number}: {error}"));
        let Ok(slot) = answers.reserve().await else { return };
        slot.send(solver.pend(question));
    }
}
