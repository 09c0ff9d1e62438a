//! The bodies of answers.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::{Body, Bytes, Frame, SizeHint};

use super::broadcast::Spectator;
use super::bulk::BulkAnswers;
use super::record_file::RecordFile;

/// The body of an answer.
pub(super) enum AnswerBody {
    /// Bytes that are there.
    Whole(Bytes),
    /// Events, as they come.
    Events(Spectator),
    /// Answers of the solver, as they come.
    Bulk(BulkAnswers),
    /// Pieces of a file, as they are read.
    File(Box<RecordFile>),
}

impl Body for AnswerBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let next = match self.get_mut() {
            Self::Whole(bytes) => {
                let bytes = std::mem::take(bytes);
                Poll::Ready((!bytes.is_empty()).then_some(Ok(bytes)))
            }
            Self::Events(spectator) => spectator.poll(context).map(|bytes| bytes.map(Ok)),
            Self::Bulk(answers) => answers.poll(context).map(|bytes| bytes.map(Ok)),
            Self::File(file) => Poll::Ready(file.piece().transpose()),
        };
        next.map(|next| next.map(|bytes| bytes.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Self::Whole(bytes) if bytes.is_empty())
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Whole(bytes) => SizeHint::with_exact(bytes.len() as u64),
            _ => SizeHint::default(),
        }
    }
}
