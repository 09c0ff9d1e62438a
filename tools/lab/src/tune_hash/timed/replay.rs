//! Games of the engine against itself, and the repeated searches of each side with each table size.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::{Error, Result, ensure};
use plumb::board::{Board, Geometry};
use plumb::mix::Random;
use plumb_arena::engine::config::EngineConfig;
use plumb_arena::engine::fault::EngineFault;
use plumb_arena::engine::session::EngineSession;
use plumb_arena::live::LiveGames;
use plumb_arena::openings::OpeningLine;
use plumb_arena::position_command::{mate_plies, position_after};
use plumb_arena::record::MoveRecord;
use plumb_arena::runner::MatchRunner;
use plumb_arena::schedule::ScheduledGame;
use plumb_arena::settings::MatchSettings;
use plumb_arena::time_control::{GameClock, MoveLimit, limited_go};
use plumb_protocol::{Command, Dialect, Go, Info, PositionCommand, Reply, Score};

use super::comparison::GameFigures;
use super::mean;
use super::positions::{HANG_TIMEOUT, Search, Sides};
use crate::book::on_threads;
use crate::engine::{EngineStarter, error, is_best_move};
use crate::exit::{Failure, Interrupted, engine_failure};
use crate::measurement::{ProcessGroup, load_average, milliseconds};
use crate::suite::solver::SearchReport;

/// Searches up to this many milliseconds are too short to measure their CPU share.
const SHORT_MS: f64 = 2.0;

/// Depth of a search that proved the value of its position.
const PROVED: u32 = u32::MAX;

fn searches(config: &EngineConfig, board: Board, opening: &[u32], moves: &[MoveRecord]) -> Sides {
    let control = &config.control;
    let mut clocks = [GameClock::new(control), GameClock::new(control)];
    let mut columns = opening.to_vec();
    let mut of_sides = Sides::default();
    for played in moves {
        let side = columns.len() % 2;
        let go = limited_go(&clocks[side], &clocks[1 - side], side == 0);
        let timeout = clocks[side].limit().map_or(HANG_TIMEOUT, MoveLimit::total);
        of_sides[side].push(Search {
            position: position_after(config.dialect, board, columns.iter().copied()).to_string(),
            place: format!("move {}", columns.len() + 1),
            empty: board.cells().saturating_sub(columns.len() as u32),
            go,
            timeout,
        });
        clocks[side].press(Duration::from_secs_f64(played.time_ms.max(0.0) / 1e3));
        columns.push(u32::from(played.column) - 1);
    }
    of_sides
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Completed {
    depth: u32,
    time_ms: f64,
    nodes: Option<u64>,
}

#[derive(Debug, Default)]
struct Course {
    depths: Vec<Completed>,
    elapsed_ms: f64,
    nodes: Option<u64>,
    cpu_ms: Option<f64>,
    /// Filled share of the table at the end.
    full: Option<f64>,
    is_late: bool,
    /// Whether other programs took most of the CPU time.
    is_starved: bool,
}

impl Course {
    fn depth(&self) -> u32 {
        self.depths.last().map_or(0, |last| last.depth)
    }

    /// Time and nodes at which a depth was completed, or at the end of the search.
    fn at(&self, depth: u32) -> Completed {
        let end = Completed { depth, time_ms: self.elapsed_ms, nodes: self.nodes };
        self.depths.iter().find(|completed| completed.depth >= depth).copied().unwrap_or(end)
    }

    fn reach(&mut self, completed: Completed) {
        if completed.depth > self.depth() {
            self.depths.push(completed);
        }
    }

    fn share(&self) -> f64 {
        self.cpu_ms.map_or(1.0, |cpu| cpu / self.elapsed_ms.max(f64::MIN_POSITIVE))
    }
}

struct Replay {
    courses: Vec<Course>,
    memory_mb: Option<f64>,
    start_ms: f64,
    clear_ms: f64,
}

/// Marks searches that got less than half of the median CPU share.
fn mark_starved(courses: &mut [Course]) {
    let usual = median(&courses.iter().map(Course::share).collect::<Vec<_>>());
    for course in courses {
        course.is_starved = course.elapsed_ms > SHORT_MS && course.share() < usual / 2.0;
    }
}

fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let upper = sorted.get(sorted.len() / 2).copied().unwrap_or_default();
    let lower = sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or_default();
    f64::midpoint(lower, upper)
}

/// Whether a move loses on time in an arena with a margin of 50 ms, as in `--match`. The margin of a limit below 50 ms is
/// the limit itself, at least 10 ms. Up to 50 ms without the processor do not count, because other programs may cause them.
fn is_late(elapsed: Duration, cpu: Option<Duration>, clock: &GameClock) -> bool {
    let [least, most] = [10, 50].map(Duration::from_millis);
    let waited = elapsed.saturating_sub(cpu.unwrap_or(elapsed)).min(most);
    match clock.limit() {
        Some(limit) => elapsed.saturating_sub(waited) > limit.time + limit.time.clamp(least, most),
        None => false,
    }
}

/// Adds the place, such as `64 MB, game 3, move 5`, to the message of an engine failure.
fn at(place: &str, error: Error) -> Error {
    match engine_failure(error) {
        Ok(sentence) => Failure(format!("{place}: {sentence}")).into(),
        Err(error) => error,
    }
}

/// The depth that a report of the best move completes: [`PROVED`] if the depth reaches the win or the end of the game. A bound
/// completes nothing.
fn completed_depth(reply: &Reply, empty: u32, dialect: Dialect) -> Option<u32> {
    let Reply::Info(Info { depth: Some(depth), score: Some(report), multi_pv, .. }) = reply else {
        return None;
    };
    if report.bound.is_some() || multi_pv.is_some_and(|rank| rank > 1) {
        return None;
    }
    let end = match report.score {
        Score::Mate(distance) => mate_plies(distance, dialect).unsigned_abs().min(empty),
        Score::Cp(_) => empty,
    };
    Some(if *depth >= end { PROVED } else { *depth })
}

pub(super) type Faults = BTreeMap<usize, String>;

pub(super) struct Games<'a> {
    pub engines: &'a EngineStarter,
    pub command: &'a str,
    pub config: &'a EngineConfig,
    /// Settings of a match of the engine against itself.
    pub settings: &'a MatchSettings,
    pub openings: &'a [OpeningLine],
    pub recorded: Option<&'a [Sides]>,
    pub sizes: &'a [usize],
}

impl Games<'_> {
    /// Plays the games with these numbers, from 1, and searches their positions again with each size. The seed and the
    /// first number decide the order of the sizes. `faults` has the sizes to leave out. Sizes at which the engine
    /// fails are added.
    pub(super) fn measure(&self, numbers: &[u32], faults: &mut Faults) -> Result<Vec<GameFigures>> {
        let sides = match self.recorded {
            Some(games) => numbers.iter().flat_map(|&number| games[number as usize - 1].clone()).collect(),
            None => self.play(numbers)?,
        };
        let mut turns = self.sizes.to_vec();
        Random::new(self.settings.seed, numbers[0]).shuffle(&mut turns);
        turns.retain(|megabytes| !faults.contains_key(megabytes));
        let mut found = BTreeMap::new();
        for megabytes in turns {
            match self.replay_all(numbers, &sides, megabytes) {
                Ok(replays) => {
                    found.insert(megabytes, replays);
                }
                Err(error) => {
                    faults.insert(megabytes, engine_failure(error)?);
                }
            }
        }
        if found.is_empty() {
            return Ok(Vec::new());
        }
        let mut courses = found.values().flatten().flat_map(|replay| &replay.courses);
        ensure!(
            courses.any(|course| course.depth() > 0),
            Failure(format!(
                "`{}` reports no depth, by which sizes could be compared{}",
                self.command,
                if self.recorded.is_none() { ": `--match` compares them by games" } else { "" }
            ))
        );
        let (load, mut rows) = (load_average(), Vec::new());
        for (index, &game) in numbers.iter().enumerate() {
            let by_size: Vec<_> =
                found.iter().map(|(&size, replays)| (size, &replays[2 * index..2 * index + 2])).collect();
            rows.extend(figures(game, &by_size));
        }
        for row in &mut rows {
            row.load = load;
        }
        for (&megabytes, fault) in &*faults {
            rows.extend(numbers.iter().map(|&game| GameFigures {
                game,
                megabytes,
                fault: Some(fault.clone()),
                ..GameFigures::default()
            }));
        }
        Ok(rows)
    }

    /// Repeats the searches of all sides with a table size, as many at the same time as in the games.
    fn replay_all(&self, numbers: &[u32], sides: &[Vec<Search>], megabytes: usize) -> Result<Vec<Replay>> {
        let (places, concurrency) = ((0..sides.len()).collect::<Vec<_>>(), self.settings.concurrency);
        let mut replays = BTreeMap::new();
        // Fewer engines at the same time would load the machine less than the games.
        on_threads(
            &places,
            concurrency,
            concurrency.get(),
            |_| {
                move |side: usize| {
                    let place = format!("{megabytes} MB, game {}", numbers[side / 2]);
                    self.replay(&sides[side], megabytes, &place)
                }
            },
            |side, replay| {
                replays.insert(side, replay);
                Ok(())
            },
        )?;
        Ok(replays.into_values().collect())
    }

    /// Plays games, all at the same time; returns the searches of both sides of each game.
    fn play(&self, numbers: &[u32]) -> Result<Vec<Vec<Search>>> {
        let mut scheduled = Vec::new();
        for game in numbers.iter().map(|number| number - 1) {
            scheduled.push(ScheduledGame { game, pair: game, opening: game, engines: [0, 1] });
        }
        let mut games = Vec::new();
        let runner = MatchRunner {
            settings: self.settings,
            openings: self.openings,
            context: self.engines.context.clone(),
            live: &LiveGames::default(),
            processors: &[],
            max_faults: 0,
        };
        runner.run(&scheduled, |game| {
            games.push(game);
            Ok(true)
        })?;
        ensure!(games.len() == scheduled.len(), Interrupted("interrupted".to_owned()));
        games.sort_by_key(|game| game.game);
        let board = self.settings.board()?;
        let mut sides = Vec::new();
        for game in &games {
            let text = format!("game {}: `{}`: {}", game.number(), self.command, game.reason);
            ensure!(!game.reason.is_forfeit(), Failure(format!("{text}: {}", game.detail)));
            let opening = &self.openings[game.game as usize].columns;
            sides.extend(searches(self.config, board, opening, &game.moves));
        }
        Ok(sides)
    }

    /// Repeats the searches of one side with a table that is empty at the start of the game. Errors begin with `place`.
    fn replay(&self, searches: &[Search], megabytes: usize, place: &str) -> Result<Replay> {
        let dialect = self.config.dialect;
        let start = Instant::now();
        let session = self.engines.start(self.command, self.config, &[], Some(megabytes));
        let mut session = session.map_err(|error| at(place, error))?;
        let start_ms = milliseconds(start.elapsed());
        warm_up(&mut session).map_err(|fault| at(place, error(self.command, &fault)))?;
        let (processes, mut clock) = (ProcessGroup::of(session.id()), GameClock::new(&self.config.control));
        let mut courses = Vec::with_capacity(searches.len());
        for Search { position, place: at_move, empty, go, timeout } in searches {
            let place = format!("{place}, {at_move}");
            let sent = session.send_line(position.clone());
            sent.map_err(|fault| at(&place, error(self.command, &fault)))?;
            let (mut course, mut report) = (Course::default(), SearchReport::default());
            let (start, cpu) = (Instant::now(), processes.cpu());
            let elapsed = session.ask(&[Command::Go(go.clone())], *timeout, |reply| {
                let ends = report.take(reply);
                if let Some(depth) = completed_depth(reply, *empty, dialect) {
                    let time_ms = milliseconds(start.elapsed());
                    course.reach(Completed { depth, time_ms, nodes: report.nodes });
                }
                ends
            });
            let elapsed = elapsed.map_err(|fault| at(&place, error(self.command, &fault)))?;
            let cpu = cpu.zip(processes.cpu()).map(|(before, after)| after.saturating_sub(before));
            course.cpu_ms = cpu.map(milliseconds);
            course.elapsed_ms = milliseconds(elapsed);
            course.is_late = is_late(elapsed, cpu, &clock);
            clock.press(elapsed);
            course.nodes = report.nodes;
            course.full = report.hash_full.map(|full| f64::from(full) / 1e3);
            courses.push(course);
        }
        mark_starved(&mut courses);
        let memory_mb = processes.resident_megabytes();
        let before = Instant::now();
        session.new_game(1).map_err(|fault| at(place, error(self.command, &fault)))?;
        Ok(Replay { courses, memory_mb, start_ms, clear_ms: milliseconds(before.elapsed()) })
    }
}

/// Starts a game and searches once, because many engines allocate the table at the first `go`.
fn warm_up(session: &mut EngineSession) -> Result<(), EngineFault> {
    session.new_game(1)?;
    let shortest = Go { depth: Some(1), move_time: Some(Duration::from_millis(1)), ..Go::default() };
    let warm_up = [Command::Position(PositionCommand::default()), Command::Go(shortest)];
    session.ask(&warm_up, HANG_TIMEOUT, is_best_move)?;
    session.new_game(1)?;
    Ok(())
}

/// The results of a game with each size, from the repeated searches of both sides.
fn figures(game: u32, sizes: &[(usize, &[Replay])]) -> Vec<GameFigures> {
    let courses: Vec<Vec<&Course>> =
        sizes.iter().map(|(_, sides)| sides.iter().flat_map(|side| &side.courses).collect()).collect();
    let positions = courses.first().map_or(0, Vec::len);
    let has_nodes = courses.iter().flatten().any(|course| course.nodes.is_some());
    let mut compared = Vec::new();
    for position in 0..positions {
        let depth = courses.iter().map(|courses| courses[position].depth()).min().unwrap_or(0);
        let lacks_nodes = courses.iter().any(|courses| courses[position].at(depth).nodes.is_none());
        let is_starved = courses.iter().any(|courses| courses[position].is_starved);
        if depth > 0 && !is_starved && !(has_nodes && lacks_nodes) {
            compared.push((position, depth));
        }
    }
    let mut rows = Vec::new();
    for (&(megabytes, sides), courses) in sizes.iter().zip(&courses) {
        let whole: Vec<&Course> = compared.iter().map(|(position, _)| courses[*position]).collect();
        let points: Vec<_> = compared.iter().map(|(position, depth)| courses[*position].at(*depth)).collect();
        let full: Vec<f64> = courses.iter().filter_map(|course| course.full).collect();
        rows.push(GameFigures {
            game,
            megabytes,
            positions: positions as u32,
            skipped: (positions - compared.len()) as u32,
            solved: courses.iter().filter(|course| course.depth() == PROVED).count() as u32,
            late: courses.iter().filter(|course| course.is_late).count() as u32,
            same_depth_ms: points.iter().map(|point| point.time_ms).sum(),
            same_depth_nodes: points.iter().map(|point| point.nodes).sum(),
            time_ms: whole.iter().map(|course| course.elapsed_ms).sum(),
            cpu_ms: whole.iter().map(|course| course.cpu_ms).sum(),
            nodes: whole.iter().map(|course| course.nodes).sum(),
            full: mean(full.iter().copied()),
            full_most: full.iter().copied().reduce(f64::max),
            memory_mb: sides.iter().try_fold(0.0, |most: f64, side| Some(most.max(side.memory_mb?))),
            start_ms: mean(sides.iter().map(|side| side.start_ms)).unwrap_or_default(),
            clear_ms: mean(sides.iter().map(|side| side.clear_ms)).unwrap_or_default(),
            load: None,
            fault: None,
        });
    }
    rows
}

#[cfg(test)]
mod tests {
    use plumb_arena::engine::config::EngineDescription;
    use plumb_arena::time_control::TimeControl;
    use plumb_protocol::parse_reply;

    use super::*;

    #[test]
    fn a_depth_is_completed_by_a_value_and_proved_by_a_win_or_the_end_of_the_game() {
        let completed = |line: &str| {
            let reply = parse_reply(line).expect(line);
            completed_depth(&reply, 20, Dialect::Uci)
        };
        for (line, depth) in [
            ("info depth 11 score cp 20 nodes 7", Some(11)),
            ("info depth 11 seldepth 15 multipv 1 score cp -20", Some(11)),
            ("info depth 11 multipv 2 score cp 20", None),
            ("info depth 13 score mate 7 upperbound", None),
            ("info depth 13 score mate 7", Some(PROVED)),
            ("info depth 12 score mate 7", Some(12)),
            ("info depth 14 score mate -7", Some(PROVED)),
            ("info depth 20 score cp 0", Some(PROVED)),
            ("info depth 11 currmove P@d1", None),
        ] {
            assert_eq!(completed(line), depth, "{line}");
        }
    }

    #[test]
    fn medians_are_in_the_middle() {
        assert!((median(&[3.0, 1.0, 2.0]) - 2.0).abs() < 1e-12);
        assert!((median(&[4.0, 1.0]) - 2.5).abs() < 1e-12);
        assert!(median(&[]).abs() < 1e-12);
    }

    #[test]
    fn a_course_has_the_point_of_each_depth() {
        let mut course = Course { elapsed_ms: 20.0, nodes: Some(99), ..Course::default() };
        for (depth, time_ms) in [(1, 0.5), (3, 2.0), (2, 3.0), (3, 4.0), (5, 9.0)] {
            course.reach(Completed { depth, time_ms, nodes: Some(7) });
        }
        assert_eq!((course.depth(), Course::default().depth()), (5, 0));
        let points =
            [0, 2, 5, 6].map(|depth| course.at(depth)).map(|point| (point.time_ms.to_string(), point.nodes));
        let expected = [("0.5", 7), ("2", 7), ("9", 7), ("20", 99)];
        assert_eq!(points, expected.map(|(time, nodes)| (time.to_owned(), Some(nodes))));
    }

    #[test]
    fn each_side_has_its_searches_with_the_clocks_of_the_game() {
        let description: EngineDescription = "plumb,tc=10+1".parse().expect("an engine");
        let config = description.complete().expect("complete");
        let played = |column, time_ms| MoveRecord { column, time_ms, ..MoveRecord::default() };
        let moves = [played(4, 500.0), played(1, 2000.0), played(7, 1.0)];
        let [first, second] = searches(&config, Board::default(), &[3], &moves);
        let said = |search: &Search| {
            let Search { position, place, empty, go, .. } = search;
            format!("{place}, {empty} empty: {position}; {go}")
        };
        assert_eq!(
            first.iter().map(said).collect::<Vec<_>>(),
            [
                "move 3, 40 empty: position startpos moves P@d1 P@d2; go wtime 11000 btime 11500 winc 1000 binc 1000"
            ]
        );
        assert_eq!(
            second.iter().map(said).collect::<Vec<_>>(),
            [
                "move 2, 41 empty: position startpos moves P@d1; go wtime 11000 btime 11000 winc 1000 binc 1000",
                "move 4, 39 empty: position startpos moves P@d1 P@d2 P@a1; go wtime 10000 btime 11500 winc 1000 \
                 binc 1000",
            ]
        );
    }

    #[test]
    fn a_move_is_late_beyond_what_arenas_forgive() {
        let late = |limit, elapsed| {
            let move_time = Some(Duration::from_millis(limit));
            let clock = GameClock::new(&TimeControl { move_time, ..TimeControl::default() });
            is_late(Duration::from_millis(elapsed), None, &clock)
        };
        for (limit, forgiven) in [(1, 10), (20, 20), (100, 50), (5000, 50)] {
            assert_eq!(
                [late(limit, limit + forgiven), late(limit, limit + forgiven + 1)],
                [false, true],
                "{limit}"
            );
        }
        // After 0.9 s of a clock of 1 s, at most 0.1 s is left for the move, plus 50 ms of tolerance.
        let control = TimeControl { clock: Some("1".parse().expect("a clock")), ..TimeControl::default() };
        let mut clock = GameClock::new(&control);
        clock.press(Duration::from_millis(900));
        let [short, long, longer] = [140, 160, 260].map(Duration::from_millis);
        assert!(!is_late(short, None, &clock) && is_late(long, Some(long), &clock));
        // Up to 50 ms of waiting for the CPU do not count.
        assert!(!is_late(long, Some(short), &clock) && is_late(longer, Some(Duration::ZERO), &clock));
    }

    #[test]
    fn sizes_are_compared_at_the_depth_that_all_reached() {
        let course = |depths: &[(u32, f64, u64)], elapsed_ms, nodes| Course {
            depths: depths
                .iter()
                .map(|&(depth, time_ms, nodes)| Completed { depth, time_ms, nodes: Some(nodes) })
                .collect(),
            elapsed_ms,
            nodes: Some(nodes),
            full: Some(0.5),
            ..Course::default()
        };
        let replay = |courses| Replay { courses, memory_mb: Some(9.0), start_ms: 4.0, clear_ms: 2.0 };
        // Both sizes prove the first position. In the second position the small size reaches one ply less.
        let small = [
            replay(vec![
                course(&[(3, 1.0, 100), (PROVED, 6.0, 600)], 6.5, 650),
                course(&[(4, 3.0, 300), (5, 8.0, 800)], 10.0, 1000),
            ]),
            replay(Vec::new()),
        ];
        let large = [
            replay(vec![
                course(&[(3, 1.0, 100), (PROVED, 4.0, 400)], 4.5, 450),
                course(&[(4, 2.0, 200), (5, 5.0, 500), (6, 15.0, 1500)], 20.0, 2000),
            ]),
            replay(Vec::new()),
        ];
        let found = figures(7, &[(1, &small), (64, &large)]);
        let told = |row: &GameFigures| {
            let times = (row.same_depth_ms.to_string(), row.time_ms.to_string());
            (row.megabytes, row.positions, row.solved, row.same_depth_nodes, row.nodes, times)
        };
        let times = |same_depth: &str, whole: &str| (same_depth.to_owned(), whole.to_owned());
        assert_eq!(told(&found[0]), (1, 2, 1, Some(1400), Some(1650), times("14", "16.5")));
        assert_eq!(told(&found[1]), (64, 2, 1, Some(900), Some(2450), times("9", "24.5")));
        assert_eq!((found[0].game, found[0].full_most, found[0].skipped), (7, Some(0.5), 0));

        // Searches that lack a report, `hashfull` or CPU time do not change the other results.
        let [mut small, mut large] = [small, large];
        small[1].courses = vec![Course { elapsed_ms: 9.0, ..Course::default() }];
        large[1].courses = vec![course(&[(3, 1.0, 100)], 20.0, 2000)];
        for side in [&mut small, &mut large] {
            for length in [20.0, 20.0, 20.0] {
                side[0].courses.push(course(&[(4, 1.0, 100)], length, 100));
            }
            side[0].courses.iter_mut().for_each(|course| course.cpu_ms = Some(course.elapsed_ms));
        }
        small[0].courses[2].full = None;
        large[0].courses[3].cpu_ms = Some(2.0);
        mark_starved(&mut large[0].courses);
        let found = figures(7, &[(1, &small), (64, &large)]);
        assert_eq!(found.iter().map(|row| (row.positions, row.skipped)).collect::<Vec<_>>(), [(6, 2); 2]);
        assert_eq!(found.iter().map(|row| row.nodes).collect::<Vec<_>>(), [Some(1850), Some(2650)]);
        assert_eq!((found[0].full, found[0].cpu_ms), (Some(0.5), Some(56.5)));
    }
}
