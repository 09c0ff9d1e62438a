//! Answers and security headers for fixed addresses.

use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead, BufReader, Read};
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::locked;
use anyhow::{Context, Result};
use futures_util::stream::{self, Stream, StreamExt, TryStreamExt};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Bytes, Frame, Incoming};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};

use super::address::Hosts;
use super::broadcast::{Broadcast, Spectator};
use super::bulk;
use super::question::{Answer, Question};
use super::solver::Solver;
use crate::page::policy;
use crate::pgn::to_pgn;
use crate::record::file::{parse_game, parse_header, to_line};
use crate::record::record_path;

const NO_POLICY: &str = "default-src 'none'; frame-ancestors 'none'";

const JSON_LINES: &str = "application/x-ndjson; charset=utf-8";

pub(super) type AnswerBody = UnsyncBoxBody<Bytes, io::Error>;

const RANKED: &str = "/solve/connect4";

/// Security headers. The `cross-origin` headers isolate the page, as shared memory requires.
const HEADERS: [(HeaderName, &str); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-embedder-policy"), "require-corp"),
    (RESOURCE_POLICY, "same-origin"),
];
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

pub(super) struct Document {
    bytes: Bytes,
    tag: HeaderValue,
    content_type: &'static str,
    caching: &'static str,
    policy: HeaderValue,
}

impl Document {
    pub(super) fn page(page: String) -> Result<Self> {
        let policy = policy(&page).context("the page has no content security policy")?;
        let policy = HeaderValue::try_from(format!("{policy}; frame-ancestors 'none'"))
            .context("the page's content security policy is no header")?;
        // Not cached, because the next match has the same address.
        Ok(Self { policy, ..Self::new(page.into(), "text/html; charset=utf-8", "no-cache") })
    }

    pub(super) fn book(book: &'static [u8]) -> Self {
        Self::new(Bytes::from_static(book), "application/octet-stream", "max-age=3600")
    }

    fn new(bytes: Bytes, content_type: &'static str, caching: &'static str) -> Self {
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let tag = format!("\"{:016x}\"", hasher.finish());
        let tag = HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("\"\""));
        Self { bytes, tag, content_type, caching, policy: HeaderValue::from_static(NO_POLICY) }
    }

    fn answer(&self, request: &HeaderMap) -> Response<AnswerBody> {
        let has = request.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
        let mut tags = has.flat_map(|value| value.split(',')).map(str::trim);
        let is_known = tags.any(|tag| tag == "*" || self.tag == tag.trim_start_matches("W/").as_bytes());
        let mut response = if is_known {
            empty(StatusCode::NOT_MODIFIED)
        } else {
            response(StatusCode::OK, self.content_type, whole(self.bytes.clone()))
        };
        let headers = response.headers_mut();
        headers.insert(header::ETAG, self.tag.clone());
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(self.caching));
        headers.insert(header::CONTENT_SECURITY_POLICY, self.policy.clone());
        response
    }
}

pub(super) struct Answers {
    pub page: Option<Document>,
    pub book: Option<Document>,
    pub solver: Option<Arc<Solver>>,
    pub directory: Option<PathBuf>,
    pub broadcast: Arc<Mutex<Broadcast>>,
    pub hosts: Hosts,
}

impl Answers {
    pub(super) async fn to(&self, request: Request<Incoming>) -> Response<AnswerBody> {
        let is_for_solver = matches!(request.uri().path(), "/solve" | RANKED | "/healthz");
        let solver = if is_for_solver { self.solver.as_ref() } else { None };
        let origin = solver.and_then(|solver| solver.settings.origin.clone());
        let is_from_another_site =
            request.headers().get("sec-fetch-site").is_some_and(|site| site == "cross-site");
        // Refuses other host names, against DNS rebinding. Scores are public, so `/solve` accepts any host name.
        let mut response = if solver.is_none() && !self.is_for_us(&request) {
            let sentence =
                "This server has another name: use localhost, an IP address or the host of --address.";
            said(StatusCode::MISDIRECTED_REQUEST, sentence)
        } else if solver.is_some() && origin.is_none() && is_from_another_site {
            // A page of another site could not read the answer, but its requests would keep the
            // threads busy.
            said(StatusCode::FORBIDDEN, "Pages of other sites need --cors.")
        } else if let Some(solver) = solver {
            solved(request, solver).await
        } else {
            self.find(&request)
        };
        let headers = response.headers_mut();
        for (name, value) in HEADERS {
            headers.insert(name, HeaderValue::from_static(value));
        }
        headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(NO_POLICY));
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
        if let Some(origin) = origin {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.0.clone());
            headers.insert(RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
        }
        response
    }

    fn find(&self, request: &Request<Incoming>) -> Response<AnswerBody> {
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return not_allowed("GET, HEAD", "Only GET and HEAD are answered.");
        }
        let found = match request.uri().path() {
            "/" => self.page.as_ref().map(|page| page.answer(request.headers())),
            "/plumb.book" => self.book.as_ref().map(|book| book.answer(request.headers())),
            "/events" if locked(&self.broadcast).feed.is_some() => {
                let mut spectator = Spectator::new(&self.broadcast);
                let events = stream::poll_fn(move |context| spectator.poll(context));
                Some(response(StatusCode::OK, "text/event-stream", streamed(events.map(Ok))))
            }
            "/match.jsonl" => self.record(false, JSON_LINES),
            "/games.pgn" => self.record(true, "application/x-chess-pgn; charset=utf-8"),
            _ => None,
        };
        found.unwrap_or_else(|| said(StatusCode::NOT_FOUND, "There is nothing at this address."))
    }

    fn record(&self, is_pgn: bool, content_type: &'static str) -> Option<Response<AnswerBody>> {
        let pieces = pieces(self.directory.as_deref()?, is_pgn).ok()?;
        Some(response(StatusCode::OK, content_type, streamed(stream::iter(pieces))))
    }

    fn is_for_us(&self, request: &Request<Incoming>) -> bool {
        let mut hosts = request.headers().get_all(header::HOST).iter();
        let host = hosts.next().and_then(|host| host.to_str().ok());
        let authority = request.uri().authority().map(hyper::http::uri::Authority::as_str);
        hosts.next().is_none()
            && host.is_some_and(|host| self.hosts.has(host))
            && authority.is_none_or(|authority| self.hosts.has(authority))
    }
}

async fn solved(request: Request<Incoming>, solver: &Arc<Solver>) -> Response<AnswerBody> {
    let (method, path) = (request.method().clone(), request.uri().path());
    let allowed = if path == "/solve" { "GET, HEAD, OPTIONS, POST" } else { "GET, HEAD, OPTIONS" };
    if method == Method::OPTIONS {
        let mut response = empty(StatusCode::NO_CONTENT);
        let headers = response.headers_mut();
        headers.insert(header::ALLOW, HeaderValue::from_static(allowed));
        if solver.settings.origin.is_some() {
            headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(allowed));
            headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("content-type"));
            headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
        }
        return response;
    }
    if method != Method::GET && method != Method::HEAD && (method != Method::POST || path != "/solve") {
        return not_allowed(
            allowed,
            "Only GET, HEAD, OPTIONS, and POST of JSON Lines to /solve, are answered.",
        );
    }
    if path == "/healthz" {
        return json(solver.health());
    }
    match Question::from_query(request.uri().query().unwrap_or_default(), path == RANKED) {
        Ok(query) if method == Method::POST => {
            let answers = bulk::answers(request.into_body(), query, Arc::clone(solver));
            response(StatusCode::OK, JSON_LINES, streamed(answers.map(Ok)))
        }
        query => json(solver.ask(query).await),
    }
}

fn json(answer: Answer) -> Response<AnswerBody> {
    let mut response = response(answer.status, "application/json", whole(answer.json));
    if answer.status == StatusCode::TOO_MANY_REQUESTS {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}

fn not_allowed(allowed: &'static str, sentence: &'static str) -> Response<AnswerBody> {
    let mut response = said(StatusCode::METHOD_NOT_ALLOWED, sentence);
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(allowed));
    response
}

pub(super) fn said(status: StatusCode, sentence: &'static str) -> Response<AnswerBody> {
    response(status, "text/plain; charset=utf-8", whole(Bytes::from_static(sentence.as_bytes())))
}

fn response(status: StatusCode, content_type: &'static str, body: AnswerBody) -> Response<AnswerBody> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

fn empty(status: StatusCode) -> Response<AnswerBody> {
    let mut response = Response::new(whole(Bytes::new()));
    *response.status_mut() = status;
    response
}

fn whole(bytes: Bytes) -> AnswerBody {
    Full::new(bytes).map_err(|never| match never {}).boxed_unsync()
}

fn streamed(pieces: impl Stream<Item = io::Result<Bytes>> + Send + 'static) -> AnswerBody {
    StreamBody::new(pieces.map_ok(Frame::data)).boxed_unsync()
}

const PIECE: usize = 32 * 1024;

type Pieces = Box<dyn Iterator<Item = io::Result<Bytes>> + Send>;

/// The record as JSON Lines or PGN, in pieces of whole lines or games, so a long record takes little memory. Omits an
/// incomplete last line.
fn pieces(directory: &Path, is_pgn: bool) -> io::Result<Pieces> {
    let file = File::open(record_path(directory))?;
    let length = file.metadata()?.len();
    let mut lines = BufReader::new(file.take(length));
    let mut header = None;
    let mut next = move || -> io::Result<Option<Bytes>> {
        let (mut piece, mut line) = (Vec::new(), Vec::new());
        while piece.len() < PIECE {
            line.clear();
            lines.read_until(b'\n', &mut line)?;
            if !line.ends_with(b"\n") {
                break;
            }
            match &header {
                None => {
                    let found = parse_header(&line).map_err(io::Error::other)?;
                    if !is_pgn {
                        piece.extend(to_line(&found.public()).map_err(io::Error::other)?.into_bytes());
                        piece.push(b'\n');
                    }
                    header = Some(found);
                }
                Some(header) if is_pgn => {
                    let game = parse_game(header, &line).map_err(io::Error::other)?;
                    piece.extend(to_pgn(header, &game).into_bytes());
                }
                Some(_) => piece.extend_from_slice(&line),
            }
        }
        if piece.is_empty() { Ok(None) } else { Ok(Some(piece.into())) }
    };
    Ok(Box::new(iter::from_fn(move || next().transpose())))
}
