//! One search from order to answer: which work is done when.

mod asking;
mod telling;

use std::num::NonZeroU32;
use std::time::Instant;

use super::carried::{Carried, Promise};
use super::clock::Allowance;
use super::control::{Control, Halt};
use super::event::SearchInfo;
use super::heuristic::WIN;
use super::limits::{Limits, Settings, Strength};
use super::negamax::Prover;
use super::root::Root;
use super::root_move::RootMove;
use super::schedule::{HORIZON_BUDGETS, Schedule};
use super::signals::Signals;
use super::{pv, strength};
use crate::board::{Bits, Geometry, Position};
use crate::book::Book;
use crate::score::{self, Score};
use crate::table::Table;

/// Nodes that the depth-limited search may take before anything is proved, so that there is something to play.
const FIRST_ESTIMATE: u64 = 500;

/// Node budgets of the probes from the middle, round by round, each with the nodes that the depth-limited search may take
/// before them. Most positions of a dozen stones are solved by the third round, so estimates may not cost much up to
/// then; where they are not, a move must be had that looks far ahead.
const ROUNDS: [(u64, Option<u64>); 5] = [
    (0, Some(8_000)),
    (4_000, Some(32_000)),
    (16_000, Some(128_000)),
    (64_000, Some(512_000)),
    (256_000, None),
];

/// Deepest iteration of the depth-limited search where no depth is asked for.
const MAX_ESTIMATE_DEPTH: u32 = 24;

/// What to search, and when to stop.
pub(crate) struct Task<'a, G: Geometry> {
    pub position: Position<G>,
    pub limits: &'a Limits,
    /// How long it may take.
    pub allowance: Allowance,
    pub settings: &'a Settings,
    pub signals: &'a Signals,
    /// The opening book to ask, if there is one.
    pub book: Option<&'a Book<G>>,
    /// When the order came.
    pub received: Instant,
}

/// The answer of a search: the column to play and the reply expected, both from 0. There is no column only when the
/// game is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    pub best: Option<u32>,
    pub ponder: Option<u32>,
}

/// Searches `task` with `table`, telling `report` what is found, and holds the answer back as long as an infinite or
/// pondering search demands.
pub(crate) fn run<G: Geometry>(
    task: &Task<'_, G>,
    table: &Table,
    carried: &mut Carried<G>,
    report: &mut dyn FnMut(SearchInfo),
) -> Answer {
    let mut driver = Driver::new(task, table, carried, report);
    let limits = task.limits;
    if task.position.outcome().is_none()
        && let Err(halt) = driver.work()
    {
        log::debug!("search broken off ({halt:?}) after {} nodes", driver.prover.control.all_nodes());
    }
    let expected = driver.expected;
    driver.carried.promise = driver.root.moves.first().and_then(|m| Promise::of(m, expected));
    driver.conclude();
    let held_back = limits.infinite || (limits.ponder && task.signals.hit_at().is_none());
    if held_back && !task.signals.stopped() {
        task.signals.wait(!limits.infinite);
        // Arenas read the last line before the answer, so it is told again with the time it has now.
        driver.told = None;
        driver.conclude();
    }
    driver.answer()
}

/// The state of one search.
pub(crate) struct Driver<'a, G: Geometry> {
    task: &'a Task<'a, G>,
    prover: Prover<'a, G>,
    carried: &'a mut Carried<G>,
    report: &'a mut dyn FnMut(SearchInfo),
    pub(crate) root: Root<G>,
    /// What the position is probably worth.
    expected: Option<Score>,
    /// Depth of the last finished iteration of the depth-limited search.
    depth: u32,
    /// What was told last, so that the end does not repeat it.
    told: Option<SearchInfo>,
    /// Moves that were read from the book past its last layer.
    line_moves: u64,
}

impl<'a, G: Geometry> Driver<'a, G> {
    pub(super) fn new(
        task: &'a Task<'a, G>,
        table: &'a Table,
        carried: &'a mut Carried<G>,
        report: &'a mut dyn FnMut(SearchInfo),
    ) -> Self {
        let limits = task.limits;
        let deadline = task.allowance.hard.map(|hard| task.received + hard);
        let mut control =
            Control::new(task.signals, limits.nodes, deadline).with_threads(task.settings.threads);
        if limits.ponder {
            control.start_on_ponder_hit(task.allowance.hard);
        }
        let root = Root::new(&task.position, &limits.search_moves);
        Self {
            task,
            prover: Prover::new(table, control),
            carried,
            report,
            root,
            expected: None,
            depth: 0,
            told: None,
            line_moves: 0,
        }
    }

    pub(super) fn work(&mut self) -> Result<(), Halt> {
        let limits = self.task.limits;
        match self.task.settings.strength {
            Strength::Level(level) => strength::play(self, level),
            Strength::Full if limits.mate.is_some() => self.look_for_mate(),
            Strength::Full => match limits.depth {
                // As deep as the game is long: that is the solution.
                Some(depth) if depth < self.task.position.empty_cells() => self.deepen(depth.max(1)),
                _ => self.solve(),
            },
        }
    }

    /// The search without a depth: a first estimate, short horizons, then proofs and better estimates in turn, growing,
    /// until all is known.
    fn solve(&mut self) -> Result<(), Halt> {
        self.root.see_threats();
        let guess = self.first_question();
        // On the clock what the book knows is played at once. Otherwise the time is there for the line to the end of the
        // game, which is also what will be asked for when the book has come to its end.
        if self.is_known() {
            if self.is_on_clock() {
                return Ok(());
            }
            (0..self.lines_wanted()).for_each(|rank| self.tell(rank));
        }
        if let Some(guess) = guess {
            // There must be a move to play if there is no time for this.
            if !self.is_known() {
                self.estimate(FIRST_ESTIMATE)?;
            }
            self.probe_by(Schedule::near(guess), 0)?;
        }
        self.estimate(FIRST_ESTIMATE)?;
        let horizons = HORIZON_BUDGETS.map(|budget| (0, Schedule::horizon(budget)));
        let proofs = ROUNDS.map(|(nodes, budget)| (nodes, Schedule::middle_within(budget)));
        for (estimate_nodes, schedule) in horizons.into_iter().chain(proofs) {
            self.estimate(estimate_nodes)?;
            for rank in 0..self.lines_wanted() {
                self.probe_by(schedule.clone(), rank)?;
            }
            if self.is_clear() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The search to a fixed depth: at each depth every win or loss as near as that is proved, and the rest estimated.
    fn deepen(&mut self, depth: u32) -> Result<(), Halt> {
        let plies = self.task.position.plies();
        for depth in 1..=depth {
            let win = score::score_of_win_within::<G>(depth, plies);
            let loss =
                if depth < 2 { Score::MIN } else { -score::score_of_win_within::<G>(depth - 1, plies + 1) };
            for rank in 0..self.lines_wanted() {
                self.probe_by(Schedule::within(win, loss), rank)?;
            }
            if self.is_solved() || self.out_of_time() {
                break;
            }
            self.prover.control.set_budget(None);
            self.iterate(depth)?;
        }
        Ok(())
    }

    /// The search for a win within a number of plies.
    fn look_for_mate(&mut self) -> Result<(), Halt> {
        // Something sensible to play in case there is no such win.
        self.estimate(FIRST_ESTIMATE)?;
        self.prover.control.set_budget(None);
        let plies = self.task.position.plies();
        let win = score::score_of_win_within::<G>(self.task.limits.mate.unwrap_or(1), plies);
        self.probe_by(Schedule::within(win, Score::MIN), 0)
    }

    /// The seed of this search's random choices, which depend on the position too; `None` if they are to differ each time.
    pub(crate) fn seed(&self) -> Option<NonZeroU32> {
        self.task.settings.seed
    }

    /// The key of the root position.
    pub(crate) fn position_key(&self) -> u128 {
        self.task.position.key().to_wide()
    }

    /// The greatest depth that the limits and the length of the game allow.
    pub(crate) fn depth_limit(&self) -> u32 {
        self.task.limits.depth.unwrap_or(u32::MAX).clamp(1, self.task.position.empty_cells())
    }

    /// Number of lines to work out.
    fn lines_wanted(&self) -> usize {
        self.task.settings.multi_pv.clamp(1, self.root.moves.len())
    }

    /// Whether the score of every wanted line is known.
    fn is_known(&self) -> bool {
        (0..self.lines_wanted()).all(|rank| {
            let (lower, upper) = self.root.bounds(rank);
            lower >= upper
        })
    }

    /// Whether every wanted line is known to the end.
    fn is_solved(&self) -> bool {
        self.is_known() && self.root.moves[..self.lines_wanted()].iter().all(RootMove::is_settled)
    }

    /// Whether it is known who wins, so that estimates have nothing to add.
    fn is_decided(&self) -> bool {
        let (lower, upper) = self.root.bounds(self.lines_wanted() - 1);
        lower > 0 || upper < 0 || self.is_solved()
    }

    /// Whether nothing new should be begun.
    fn out_of_time(&self) -> bool {
        let Some(soft) = self.task.allowance.soft else { return false };
        let limits = self.task.limits;
        let since = if limits.ponder { self.task.signals.hit_at() } else { Some(self.task.received) };
        since.is_some_and(|since| since.elapsed() >= soft)
    }

    /// Whether time that is not used now is there for the next moves.
    fn is_on_clock(&self) -> bool {
        self.task.limits.clock.is_some() && !self.task.limits.ponder && !self.task.limits.infinite
    }

    /// Whether on the clock there is nothing to think about: no other move that is not known to lose.
    fn is_clear(&self) -> bool {
        self.is_on_clock() && self.root.moves.iter().skip(1).all(|m| m.upper < 0)
    }

    /// Deepens the estimates for about `nodes` nodes.
    fn estimate(&mut self, nodes: u64) -> Result<(), Halt> {
        let end = self.prover.control.nodes() + nodes;
        let deepest = self.task.position.empty_cells().min(MAX_ESTIMATE_DEPTH);
        while self.depth < deepest && self.prover.control.nodes() < end && !self.is_decided() {
            // The first plies are always finished, so that there is something to go by.
            let rest = end - self.prover.control.nodes();
            self.prover.control.set_budget((self.depth >= 2).then_some(rest));
            match self.iterate(self.depth + 1) {
                Err(Halt::Budget) => break,
                other => other?,
            }
            if self.out_of_time() {
                return Err(Halt::Stop);
            }
        }
        Ok(())
    }

    /// One iteration of the depth-limited search over the moves that it can still tell something about.
    ///
    /// # Errors
    /// If it was broken off; everything is then as the iteration before left it.
    pub(crate) fn iterate(&mut self, depth: u32) -> Result<(), Halt> {
        // Only the best move's estimate is exact, unless all are wanted.
        let all = self.lines_wanted() > 1 || self.task.settings.strength != Strength::Full;
        let known = self.root.bounds(0).0;
        let mut best = None;
        let mut results = Vec::with_capacity(self.root.moves.len());
        for m in &self.root.moves {
            if m.is_exact() || (!all && m.upper < known) {
                continue;
            }
            let mut line = Vec::new();
            let mut ask = |alpha: i32, beta: i32| {
                let control = &mut self.prover.control;
                self.carried
                    .heuristic
                    .search(control, &m.next, depth - 1, -beta, -alpha, &mut line)
                    .map(|value| -value)
            };
            let value = match best {
                Some(best) if !all => Some(ask(best, best + 1)?).filter(|&value| value <= best),
                _ => None,
            };
            let exact = value.is_none();
            let value = match value {
                Some(upper_bound) => upper_bound,
                None => ask(-WIN, WIN)?,
            };
            best = best.max(Some(value));
            results.push((m.column, value, exact, line));
        }
        for (column, value, exact, line) in results {
            if let Some(m) = self.root.moves.iter_mut().find(|m| m.column == column) {
                m.set_estimate(value, exact);
                m.line = line;
            }
        }
        self.depth = depth;
        self.root.sort(0);
        for rank in 0..self.lines_wanted() {
            self.tell(rank);
        }
        Ok(())
    }

    /// Probes by `schedule` until the best score from `rank` on is known, with its line, or too dear.
    fn probe_by(&mut self, mut schedule: Schedule, rank: usize) -> Result<(), Halt> {
        // What was found out for later ranks may have put another move first.
        self.root.sort(rank);
        loop {
            let (lower, upper) = self.root.bounds(rank);
            if lower >= upper {
                return self.work_out_line(rank);
            }
            let Some(beta) = schedule.next(lower, upper) else { return Ok(()) };
            if self.out_of_time() {
                return Err(Halt::Stop);
            }
            self.prover.control.set_budget(schedule.budget());
            let before = self.prover.control.nodes();
            match self.root.prove(&mut self.prover, beta, rank) {
                Ok(reached) => {
                    schedule.took(self.prover.control.nodes() - before, reached);
                    self.tell_probe(beta, rank);
                }
                Err(Halt::Budget) => schedule.give_up(),
                Err(Halt::Stop) => return Err(Halt::Stop),
            }
        }
    }

    /// Finds the line that shows the exact score of the move of that rank.
    fn work_out_line(&mut self, rank: usize) -> Result<(), Halt> {
        let m = &self.root.moves[rank];
        if m.is_settled() {
            return Ok(());
        }
        debug_assert!(m.is_exact(), "bounds that meet are those of the best move");
        let (next, score) = (m.next, m.lower);
        let mut line = Vec::new();
        self.prover.control.set_budget(None);
        let result = pv::extend(&mut self.prover, next, -score, &mut line);
        let m = &mut self.root.moves[rank];
        if result.is_ok() {
            m.proof = Some(line);
            self.tell(rank);
        } else {
            m.line = line;
        }
        result
    }

    fn answer(&self) -> Answer {
        if self.task.position.outcome().is_some() {
            return Answer::default();
        }
        let best = self.root.moves.first();
        let ponder = best.and_then(|m| m.verdict().2.first().copied());
        Answer { best: best.map(|m| m.column), ponder }
    }
}
