//! Tests of a whole session by `loom`, in every order of the steps of its threads: session, search, reader
//! and clock.
//!
//! Queues behind one lock replace the channels, which `loom` cannot run.

use std::cell::Cell;
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use loom::model::Builder;
use loom::sync::{Condvar, Mutex};
use loom::thread;

use super::executor::{Event, Job};
use super::run::{Link, Next, run_session};
use super::session::{Input, Session};
use super::testing::{Shared, info};
use crate::book::Book;
use crate::clock::Instant;
use crate::search::Value;

/// Stack of a `loom` thread in words. The default is too small.
const STACK: usize = 1 << 16;

#[derive(Default)]
struct Waiting {
    lines: VecDeque<&'static str>,
    events: VecDeque<Event>,
    jobs: VecDeque<Job>,
    is_late: bool,
    answers: usize,
    is_over: bool,
}

#[derive(Default)]
struct Channels {
    waiting: Mutex<Waiting>,
    changed: Condvar,
    answered: Condvar,
}

impl Channels {
    fn change<T>(&self, change: impl FnOnce(&mut Waiting) -> T) -> T {
        let result = change(&mut self.waiting.lock().expect("no thread panics with the lock"));
        self.changed.notify_all();
        result
    }

    fn wait<T>(&self, mut take: impl FnMut(&mut Waiting) -> Option<T>) -> T {
        let mut waiting = self.waiting.lock().expect("no thread panics with the lock");
        loop {
            if let Some(taken) = take(&mut waiting) {
                return taken;
            }
            waiting = self.changed.wait(waiting).expect("no thread panics with the lock");
        }
    }

    fn wait_for_answers(&self, answers: usize) {
        let mut waiting = self.waiting.lock().expect("no thread panics with the lock");
        while waiting.answers < answers {
            waiting = self.answered.wait(waiting).expect("no thread panics with the lock");
        }
    }
}

const REPORTED: [u32; 2] = [5, 4];
const PLAYED: u32 = 3;

fn search(channels: &Channels) {
    let next = |waiting: &mut Waiting| match waiting.jobs.pop_front() {
        None => waiting.is_over.then_some(None),
        job => Some(job),
    };
    while let Some(job) = channels.wait(next) {
        match job {
            Job::Search(job) => {
                let id = job.id;
                let emit = |event| channels.change(|waiting| waiting.events.push_back(event));
                emit(Event::Info(id, info(Value::Estimate(7), &[REPORTED[0]])));
                if job.limits.infinite || job.limits.ponder {
                    job.stop_flag.wait(job.limits.ponder);
                }
                if !job.stop_flag.is_stopped() {
                    emit(Event::Info(id, info(Value::Estimate(8), &[REPORTED[1]])));
                }
                emit(Event::BestMove { id, best: Some(PLAYED), ponder: None });
            }
            Job::Ready => channels.change(|waiting| waiting.events.push_back(Event::Ready)),
            _ => {}
        }
    }
}

struct Model {
    channels: Arc<Channels>,
    output: Shared,
    answered: Cell<usize>,
    now: Cell<Instant>,
}

impl Link for Model {
    fn wait(&self, is_reading: bool, deadline: Option<Instant>) -> io::Result<Next> {
        let answers = answers(&self.output);
        if self.answered.replace(answers) < answers {
            self.channels.waiting.lock().expect("no thread panics with the lock").answers = answers;
            self.channels.answered.notify_all();
        }
        let (next, is_late) = self.channels.wait(|waiting| {
            let line = is_reading.then(|| waiting.lines.pop_front()).flatten();
            let line = line.map(|line| Next::Line((Input::Line(line.to_owned()), Instant::now())));
            let next = line.or_else(|| waiting.events.pop_front().map(Next::Event));
            let is_due = waiting.is_late && deadline.is_some();
            Some((next.or_else(|| is_due.then_some(Next::Deadline))?, waiting.is_late))
        });
        if is_late {
            self.now.set(Instant::now() + Duration::from_secs(1_000_000));
        }
        Ok(next)
    }

    fn next_event(&self) -> Option<Event> {
        self.channels.change(|waiting| waiting.events.pop_front())
    }

    fn send(&self, job: Job) {
        self.channels.change(|waiting| waiting.jobs.push_back(job));
    }

    fn book(&self) -> Option<Arc<Book>> {
        None
    }

    fn now(&self) -> Instant {
        self.now.get()
    }
}

fn answers(output: &Shared) -> usize {
    output.lines().iter().filter(|line| line.starts_with("bestmove ")).count()
}

fn column(text: &str) -> u32 {
    u32::from(text.as_bytes()[2] - b'a')
}

fn check(output: &[String], searches: usize) {
    let mut answers = 0;
    let mut reported = None;
    for line in output {
        if let Some((_, line)) = line.split_once(" pv ") {
            assert!(reported.is_none_or(|reported| column(line) <= reported), "an old report: {output:?}");
            reported = Some(column(line));
        } else if let Some(played) = line.strip_prefix("bestmove ") {
            answers += 1;
            let played = column(played);
            assert!(played == PLAYED || Some(played) == reported, "{output:?}");
            reported = None;
        }
    }
    assert_eq!(answers, searches, "{output:?}");
    assert!(output.last().is_some_and(|line| line.starts_with("bestmove ")), "{output:?}");
}

/// Tests every order of thread steps with at most `preemptions` or `LOOM_MAX_PREEMPTIONS` preemptions.
fn model(lines: &'static [&'static str], searches: usize, preemptions: usize) {
    let mut model = Builder::new();
    model.max_branches = 10_000;
    model.preemption_bound = model.preemption_bound.or(Some(preemptions));
    model.check(move || {
        let (channels, output) = (Arc::new(Channels::default()), Shared::default());
        let session = {
            let (channels, output) = (Arc::clone(&channels), output.clone());
            let run = move || {
                let session = Session::new(output.clone());
                let (answered, now) = (Cell::new(0), Cell::new(Instant::now()));
                let model = Model { channels, output, answered, now };
                run_session(session, &model).expect("memory can be written");
                model.channels.change(|waiting| waiting.is_over = true);
            };
            thread::Builder::new().stack_size(STACK).spawn(run).expect("loom starts threads")
        };
        let worker = {
            let channels = Arc::clone(&channels);
            thread::spawn(move || search(&channels))
        };
        let clock = {
            let channels = Arc::clone(&channels);
            thread::spawn(move || channels.change(|waiting| waiting.is_late = true))
        };
        for &line in lines {
            channels.change(|waiting| waiting.lines.push_back(line));
        }
        channels.wait_for_answers(searches);
        channels.change(|waiting| waiting.lines.push_back("quit"));
        for thread in [clock, session, worker] {
            thread.join().expect("it ends");
        }
        check(&output.take_lines(), searches);
    });
}

#[test]
fn a_late_search_is_answered_once() {
    model(&["go movetime 5"], 1, 2);
}

#[test]
fn a_stopped_search_is_answered_once() {
    model(&["go infinite", "stop"], 1, 2);
}

#[test]
fn a_search_that_makes_way_and_one_that_ponders_are_answered_in_order() {
    model(&["go infinite", "go ponder movetime 5", "ponderhit"], 2, 2);
}
