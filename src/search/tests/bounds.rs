//! Static resolution and the static bounds against minimax.

use super::minimax::Oracle;
use super::samples;
use crate::board::{Bits, Narrow, Position, Standard, StaticGeometry, Wide};
use crate::score::Score;
use crate::search::exact::bounds::{BoundRequest, upper_bound};
use crate::search::exact::follow_up::HELD;
use crate::search::exact::node::Node;
use crate::search::exact::resolve::{Resolved, resolve};
use crate::search::simd::Portable;

/// How often each rule gave a bound; a rule is recognised by results that no other rule can have.
#[derive(Debug, Default)]
struct Tally {
    quiet: u32,
    /// P1 to move: cannot win.
    claimeven_draw: u32,
    /// P1 to move: cannot win because of how P2 pairs cells.
    claimeven_pairing: u32,
    /// P1 to move: loses, as its fours are paired away or too late.
    claimeven_too_late: u32,
    /// P1 to move: loses, by a four in P2's share alone.
    claimeven_four: u32,
    /// P1 to move: loses, P2 having standing threats.
    claimeven_standing: u32,
    /// P2 to move: loses to an odd threat.
    odd_threat: u32,
    /// P2 to move: loses to an odd threat, P1 having standing threats as well.
    odd_threat_standing: u32,
    /// P2 to move: loses to an odd threat, as its fours are paired away or too late.
    odd_threat_follow_up: u32,
    /// At most a draw, as no line is left.
    no_line_left: u32,
    /// The bound is the score itself.
    tight: u32,
}

fn request(below: Score) -> BoundRequest {
    BoundRequest { below, examine_fours: true }
}

impl Tally {
    /// Checks static resolution and the static bound of `position`, in which the side to move must not win at once.
    fn check<G: StaticGeometry>(&mut self, position: &Position<G>, oracle: &mut Oracle<G>) {
        let score = oracle.score(position);
        match resolve(Portable, Node::<G>::new(position)) {
            Resolved::Score(resolved) => assert_eq!(resolved, score, "resolved statically:\n{position}"),
            Resolved::Quiet { node, same_side } => {
                let quiet = Position::from_sets(node.geometry, node.own, node.mask, node.plies);
                assert_eq!(quiet.own_winning_cells(), node.own_wins, "kept up to date:\n{quiet}");
                assert_eq!(quiet.opponent_winning_cells(), node.opponent_wins, "kept up to date:\n{quiet}");
                assert!(!quiet.can_win_now(), "not quiet:\n{quiet}");
                assert_eq!(quiet.non_losing_moves(), node.non_losing_moves(), "not quiet:\n{quiet}");
                assert!(node.non_losing_moves().has_several(), "not resolved to the end:\n{quiet}");
                let quiet_score = oracle.score(&quiet);
                assert_eq!(if same_side { quiet_score } else { -quiet_score }, score, "after\n{position}");

                let held = HELD.get();
                let bound = upper_bound(Portable, &node, request(Score::MAX));
                let by_follow_up = HELD.get() > held;
                assert!(bound >= quiet_score, "bound {bound} below the score {quiet_score} of\n{quiet}");
                self.count(&node, bound, quiet_score, by_follow_up);
            }
        }
    }

    fn count<G: StaticGeometry>(&mut self, node: &Node<G>, bound: Score, score: Score, by_follow_up: bool) {
        self.quiet += 1;
        if bound == Score::MAX {
            return;
        }
        self.tight += u32::from(bound == score);
        if by_follow_up {
            // A request for no bound at all leaves the claimeven bound only where P2 wins.
            let always = upper_bound(Portable, node, request(Score::MIN)) != Score::MAX;
            *match (node.plies.is_multiple_of(2), always) {
                (true, false) => &mut self.claimeven_pairing,
                (true, true) => &mut self.claimeven_too_late,
                (false, _) => &mut self.odd_threat_follow_up,
            } += 1;
            return;
        }
        let standing = node.opponent_wins & G::default().even_rows() & !node.playable();
        let parity_rules = G::HEIGHT.is_multiple_of(2);
        *match (parity_rules && node.plies.is_multiple_of(2), bound < 0, standing.is_empty()) {
            (true, false, _) => &mut self.claimeven_draw,
            (true, true, true) => &mut self.claimeven_four,
            (true, true, false) => &mut self.claimeven_standing,
            (false, true, true) => &mut self.odd_threat,
            (false, true, false) => &mut self.odd_threat_standing,
            (false, false, _) => &mut self.no_line_left,
        } += 1;
    }

    /// Prints the counts, which `--nocapture` shows.
    #[expect(clippy::print_stdout, reason = "the test harness hides it unless asked")]
    fn shown<G: StaticGeometry>(self) -> Self {
        println!("{}x{}: {self:?}", G::WIDTH, G::HEIGHT);
        self
    }

    /// Checks that the test has met every rule.
    fn assert_every_rule_fired(&self) {
        let rules = [
            self.claimeven_draw,
            self.claimeven_pairing,
            self.claimeven_too_late,
            self.claimeven_four,
            self.claimeven_standing,
            self.odd_threat,
            self.odd_threat_standing,
            self.odd_threat_follow_up,
            self.no_line_left,
            self.tight,
        ];
        assert!(rules.iter().all(|&count| count >= 10), "a rule was met too rarely: {self:?}");
    }
}

fn check_every_position<G: StaticGeometry>() -> Tally {
    let mut oracle = Oracle::<G>::of_whole_board();
    let positions: Vec<_> = oracle.positions().map(|(position, _)| *position).collect();
    let mut tally = Tally::default();
    for position in positions.iter().filter(|position| !position.can_win_now()) {
        tally.check(position, &mut oracle);
    }
    tally.shown::<G>()
}

fn check_samples<G: StaticGeometry>(count: usize, most_empty_cells: u32) -> Tally {
    let mut oracle = Oracle::<G>::new();
    let mut tally = Tally::default();
    samples::positions::<G>(1, 4..=most_empty_cells)
        .filter(|position| !position.can_win_now())
        .take(count)
        .for_each(|position| tally.check(&position, &mut oracle));
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
#[ignore = "takes minutes"]
fn bounds_hold_on_many_samples() {
    check_samples::<Standard>(40_000, 12).assert_every_rule_fired();
    check_samples::<Narrow<6, 4>>(100_000, 11);
    check_samples::<Narrow<5, 6>>(20_000, 12);
    check_samples::<Narrow<5, 5>>(100_000, 11);
    check_samples::<Narrow<8, 4>>(20_000, 12);
    check_samples::<Narrow<4, 8>>(20_000, 12);
}
