use super::minimax::Oracle;
use super::samples;
use crate::board::{Bits, Narrow, Position, Standard, StaticGeometry, Wide};
use crate::score::Score;
use crate::search::exact::bounds::{BoundRequest, upper_bound};
use crate::search::exact::follow_up::HELD;
use crate::search::exact::node::{Node, Resolved, resolve};
use crate::search::simd::Portable;

/// The rules for static bounds, each counted by results that no other rule can have.
const RULES: [&str; 11] = [
    "claimeven: the attacker cannot win",
    "claimeven: the attacker cannot win because of how the defender pairs cells",
    "claimeven: the attacker loses, as its fours are paired away or too late",
    "claimeven: the attacker loses by a four in the defender's share alone",
    "claimeven: the attacker loses, the defender having standing threats",
    "odd threat (on an odd height an even one): the attacker loses",
    "odd threat: the same, the defender having standing threats as well",
    "odd threat: the same, as the attacker's fours are paired away or too late",
    "reply above: at most a draw",
    "reply above: the attacker wins late at best",
    "tight",
];

#[derive(Debug, Default)]
struct Tally([u32; RULES.len()]);

fn request(below: Score) -> BoundRequest {
    BoundRequest { below, examine_fours: true }
}

impl Tally {
    /// `position` must have no immediate win.
    fn check<G: StaticGeometry>(
        &mut self,
        position: &Position<G>,
        oracle: &mut impl FnMut(&Position<G>) -> Score,
    ) {
        let score = oracle(position);
        match resolve(Portable, Node::<G>::new(position)) {
            Resolved::Score(resolved) => assert_eq!(resolved, score, "resolved statically:\n{position}"),
            Resolved::Quiet { node, same_side } => {
                let quiet = Position::from_sets(node.geometry, node.own, node.mask, node.plies);
                assert_eq!(quiet.own_winning_cells(), node.own_wins, "kept up to date:\n{quiet}");
                assert_eq!(quiet.opponent_winning_cells(), node.opponent_wins, "kept up to date:\n{quiet}");
                assert!(!quiet.can_win_now(), "not quiet:\n{quiet}");
                assert_eq!(quiet.non_losing_moves(), node.non_losing_moves(), "not quiet:\n{quiet}");
                assert!(node.non_losing_moves().has_several(), "not resolved to the end:\n{quiet}");
                let quiet_score = oracle(&quiet);
                assert_eq!(if same_side { quiet_score } else { -quiet_score }, score, "after\n{position}");

                let held = HELD.get();
                let bound = upper_bound(Portable, &node, request(Score::MAX));
                let by_follow_up = HELD.get() > held;
                assert!(bound >= quiet_score, "bound {bound} below the score {quiet_score} of\n{quiet}");
                self.count(&node, bound, quiet_score, by_follow_up);
                // A smaller requested bound tries other rules or columns.
                let is_odd = (G::CELLS - node.plies) % 2 == 1;
                for below in 0..=4 {
                    let bound = upper_bound(Portable, &node, request(below));
                    assert!(bound >= quiet_score, "bound {bound} below the score {quiet_score} of\n{quiet}");
                    self.0[8] += u32::from(is_odd && below == 1 && bound == 0);
                    self.0[9] += u32::from(is_odd && (1..below).contains(&bound));
                }
            }
        }
    }

    fn count<G: StaticGeometry>(&mut self, node: &Node<G>, bound: Score, score: Score, by_follow_up: bool) {
        if bound == Score::MAX {
            return;
        }
        self.0[10] += u32::from(bound == score);
        let is_even = (G::CELLS - node.plies).is_multiple_of(2);
        let standing = node.opponent_wins & G::default().follow_up_rows() & !node.playable();
        let rule = match (is_even, bound < 0, standing.is_empty()) {
            (true, ..) if by_follow_up => {
                let always = upper_bound(Portable, node, request(Score::MIN)) != Score::MAX;
                if always { 2 } else { 1 }
            }
            (false, ..) if by_follow_up => 7,
            (true, false, _) => 0,
            (true, true, true) => 3,
            (true, true, false) => 4,
            (false, true, true) => 5,
            (false, true, false) => 6,
            (false, false, _) => return,
        };
        self.0[rule] += 1;
    }

    #[expect(clippy::print_stdout, reason = "the test harness hides it unless asked")]
    fn shown<G: StaticGeometry>(self) -> Self {
        println!("{}x{}: {self:?}", G::WIDTH, G::HEIGHT);
        self
    }

    fn assert_every_rule_fired(&self) {
        for (rule, count) in RULES.iter().zip(self.0) {
            assert!(count >= 10, "met too rarely: {rule}, in {self:?}");
        }
    }
}

fn check_every_position<G: StaticGeometry>() -> Tally {
    let mut tally = Tally::default();
    check_positions(&mut Oracle::<G>::of_whole_board(), &mut tally);
    tally.shown::<G>()
}

fn check_positions<G: StaticGeometry>(oracle: &mut Oracle<G>, tally: &mut Tally) {
    let positions: Vec<_> = oracle.half_of_positions().map(|(position, _)| position).collect();
    for position in positions.iter().filter(|position| !position.can_win_now()) {
        tally.check(position, &mut |position| oracle.score(position));
    }
}

fn check_samples<G: StaticGeometry>(count: usize, most_empty_cells: u32) -> Tally {
    let mut oracle = Oracle::<G>::new();
    let mut tally = Tally::default();
    samples::positions::<G>(1, 4..=most_empty_cells)
        .filter(|position| !position.can_win_now())
        .take(count)
        .for_each(|position| tally.check(&position, &mut |position| oracle.score(position)));
    tally.shown::<G>()
}

fn check_subtrees<G: StaticGeometry>(count: usize, empty_cells: u32) -> Tally {
    let mut oracle = Oracle::<G>::new();
    let mut tally = Tally::default();
    for root in samples::positions::<G>(5, empty_cells..=empty_cells).take(count) {
        oracle.clear();
        oracle.score(&root);
        check_positions(&mut oracle, &mut tally);
    }
    tally.shown::<G>()
}

#[test]
fn bounds_hold_on_every_small_position() {
    check_every_position::<Narrow<4, 4>>();
    check_every_position::<Wide<4, 4>>();
    check_every_position::<Narrow<5, 4>>();
    check_every_position::<Narrow<4, 5>>();
}

#[test]
fn bounds_hold_on_samples_of_larger_boards() {
    check_samples::<Narrow<4, 6>>(20_000, 11);
    check_samples::<Narrow<6, 4>>(20_000, 11);
    check_samples::<Narrow<5, 5>>(5_000, 11);
    check_samples::<Narrow<7, 7>>(1_000, 10);
    check_samples::<Wide<9, 8>>(1_000, 10);
}

#[test]
fn bounds_hold_on_samples_of_the_standard_board() {
    check_samples::<Standard>(20_000, 11).assert_every_rule_fired();
}

#[test]
fn bounds_hold_on_samples_of_boards_of_odd_height() {
    check_subtrees::<Narrow<6, 5>>(60, 11).assert_every_rule_fired();
    check_subtrees::<Narrow<7, 5>>(60, 11).assert_every_rule_fired();
    check_subtrees::<Narrow<5, 7>>(90, 11).assert_every_rule_fired();
    check_subtrees::<Wide<6, 7>>(20, 10);
}

#[test]
#[ignore = "takes minutes"]
fn bounds_hold_on_many_samples() {
    check_samples::<Standard>(40_000, 12).assert_every_rule_fired();
    check_samples::<Narrow<6, 4>>(100_000, 11);
    check_samples::<Narrow<5, 6>>(20_000, 12);
    check_samples::<Narrow<5, 5>>(100_000, 11);
    check_samples::<Narrow<8, 4>>(20_000, 12);
    check_samples::<Narrow<4, 8>>(20_000, 12);
}

#[test]
#[ignore = "takes minutes and two gigabytes"]
fn bounds_hold_on_every_position_of_odd_height() {
    check_every_position::<Narrow<5, 5>>().assert_every_rule_fired();
    check_every_position::<Narrow<4, 7>>();
}

#[test]
#[ignore = "takes minutes"]
fn bounds_hold_on_millions_of_positions_of_odd_height() {
    check_subtrees::<Narrow<6, 5>>(2_000, 12).assert_every_rule_fired();
    check_subtrees::<Narrow<7, 5>>(2_000, 12).assert_every_rule_fired();
    check_subtrees::<Narrow<5, 7>>(2_000, 12).assert_every_rule_fired();
}
