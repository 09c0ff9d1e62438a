//! How often intervals and tests are right for known differences, with fixed seeds.

use plumb::mix::Random;

use super::bisected;
use super::counts::{Counts, Unit};
use super::elo::{NORMALIZED_PER_DEVIATION, elo, expected_score, normalized_elo};
use super::sprt::{Decision, Model, Parameters, Sprt};

const MATCHES: u64 = 2000;

/// Maximum length of a match. Longer matches count as undecided.
const MAX_OBSERVATIONS: u64 = 20_000;

/// Three standard deviations of the binomial distribution around `share`.
fn range(share: f64) -> (u64, u64) {
    let expected = share * MATCHES as f64;
    let margin = 3.0 * (expected * (1.0 - share)).sqrt();
    ((expected - margin).ceil() as u64, (expected + margin).floor() as u64)
}

/// Probabilities of the results of a game or pair, by half points.
struct Players(Vec<f64>);

impl Players {
    /// Game results with a draw rate of 30 %.
    fn games(score: f64) -> Self {
        Self(vec![0.85 - score, 0.3, score - 0.15])
    }

    /// Pair results, of which 60 % are even.
    fn pairs(score: f64) -> Self {
        let shift = 2.0 * (score - 0.5);
        Self(vec![0.03, 0.17 - shift, 0.6, 0.17 + shift, 0.03])
    }

    fn normalized_pairs(difference: f64) -> Self {
        Self::pairs(bisected(0.45, 0.55, 60, |score| Self::pairs(score).normalized_elo() < difference).0)
    }

    fn normalized_elo(&self) -> f64 {
        let most = (self.0.len() - 1) as f64;
        let shares: Vec<_> =
            self.0.iter().zip(0..).map(|(share, points)| (share, f64::from(points) / most)).collect();
        let mean: f64 = shares.iter().map(|(share, score)| *share * score).sum();
        let variance: f64 = shares.iter().map(|(share, score)| *share * (score - mean).powi(2)).sum();
        // The mean score of two games has half the variance of a game.
        (mean - 0.5) / (variance * most / 2.0).sqrt() * NORMALIZED_PER_DEVIATION
    }

    fn unit(&self) -> Unit {
        if self.0.len() == 3 { Unit::Game } else { Unit::Pair }
    }

    fn play(&self, counts: &mut Counts, random: &mut Random) {
        let half_points = draw(&self.0, random);
        match self.unit() {
            Unit::Game => counts.add_game(half_points),
            Unit::Pair => counts.add_pair(half_points, &mut [0; 5]),
        }
    }

    fn decide(&self, sprt: &Sprt, random: &mut Random) -> Decision {
        let mut counts = Counts::default();
        for _ in 0..MAX_OBSERVATIONS {
            self.play(&mut counts, random);
            let decision = sprt.decision(sprt.log_likelihood_ratio(&counts.sample(self.unit())));
            if decision != Decision::Continue {
                return decision;
            }
        }
        Decision::Continue
    }

    /// Counts the matches with this decision. All other matches must end with the opposite decision.
    fn count(&self, sprt: &Sprt, decision: Decision, seed: u64) -> u64 {
        let mut random = Random::new(seed, 0);
        let decided: Vec<_> = (0..MATCHES).map(|_| self.decide(sprt, &mut random)).collect();
        assert!(!decided.contains(&Decision::Continue), "not decided");
        decided.into_iter().filter(|one| *one == decision).count() as u64
    }
}

fn draw(probabilities: &[f64], random: &mut Random) -> usize {
    let mut left = (random.next() >> 11) as f64 / (1_u64 << 53) as f64;
    for (index, probability) in probabilities.iter().enumerate() {
        left -= probability;
        if left < 0.0 {
            return index;
        }
    }
    probabilities.len() - 1
}

fn sprt(model: Model, elo0: f64, elo1: f64) -> Sprt {
    Sprt::try_from(Parameters { model, elo0, elo1, alpha: 0.05, beta: 0.05 }).expect("a test")
}

/// The test has nominal error rates of 5 %. Rates below 2 % would show bounds that are too wide.
#[test]
fn errors_are_as_rare_as_asked_for() {
    let (least, most) = (range(0.02).0, range(0.05).1);
    for (players, sprt, seed) in [
        ([0.0, 20.0].map(|elo| Players::pairs(expected_score(elo))), sprt(Model::Logistic, 0.0, 20.0), 100),
        ([-30.0, 40.0].map(Players::normalized_pairs), sprt(Model::Normalized, -30.0, 40.0), 200),
        ([0.0, 30.0].map(|elo| Players::games(expected_score(elo))), sprt(Model::Logistic, 0.0, 30.0), 300),
    ] {
        let first = players[0].count(&sprt, Decision::AcceptH1, seed);
        let second = players[1].count(&sprt, Decision::AcceptH0, seed + 1);
        assert!((least..=most).contains(&first), "errors of the first kind, seed {seed}: {first}");
        assert!((least..=most).contains(&second), "errors of the second kind, seed {seed}: {second}");
    }
}

#[test]
fn intervals_hold_the_true_difference_in_95_per_cent_of_matches() {
    let (least, most) = range(0.95);
    for (seed, difference) in [(500, 0.0), (501, 25.0), (502, -40.0)] {
        for players in
            [Players::games(expected_score(difference)), Players::pairs(expected_score(difference))]
        {
            let mut random = Random::new(seed, 0);
            let (mut held, mut held_normalized) = (0, 0);
            for _ in 0..MATCHES {
                let mut counts = Counts::default();
                (0..500).for_each(|_| players.play(&mut counts, &mut random));
                let sample = counts.sample(players.unit());
                let logistic = elo(&sample).expect("observations");
                let normalized = normalized_elo(&sample).expect("scores that differ");
                let margin = logistic.margin().expect("a finite one");
                held += u64::from((logistic.value - difference).abs() < margin);
                let margin = normalized.margin().expect("a finite one");
                held_normalized += u64::from((normalized.value - players.normalized_elo()).abs() < margin);
            }
            assert!((least..=most).contains(&held), "{difference}: {held}");
            assert!((least..=most).contains(&held_normalized), "{difference}: {held_normalized}");
        }
    }
}
