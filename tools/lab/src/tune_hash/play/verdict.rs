//! The verdict about a size from its games against the reference.

use anyhow::{Error, Result};
use plumb_arena::statistics::elo::{ERROR, Estimate, cautious, cautious_elo, expected_score};
use plumb_arena::statistics::sample::Sample;
use plumb_arena::statistics::sprt::{Decision, Model, Parameters, Sprt};

use crate::tune_hash::Verdict;

/// The rule for verdicts about several sizes. All verdicts of a run are right with 95 %.
///
/// The error rate of a size is 5 % divided by the number of sizes (Bonferroni). The rate is the probability that an equal
/// size is called weaker, or that a size weaker by the loss is called good. The sequential test spends half of the error
/// rate. The interval of a match without a decision spends the other half.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    test: Sprt,
    /// Probability that an interval misses the Elo difference.
    error: f64,
}

impl Rule {
    /// The rule for this number of sizes. A good size loses at most `loss` Elo.
    pub(super) fn new(loss: f64, sizes: usize) -> Result<Self> {
        let error = ERROR / sizes.max(1) as f64;
        let (alpha, beta) = (error / 2.0, error / 2.0);
        let test = Parameters { model: Model::Logistic, elo0: -loss, elo1: 0.0, alpha, beta };
        Ok(Self { test: Sprt::try_from(test).map_err(Error::msg)?, error })
    }

    pub(super) fn is_decided(&self, sample: &Sample) -> bool {
        self.decision(sample) != Decision::Continue
    }

    fn decision(&self, sample: &Sample) -> Decision {
        if sample.size() == 0 {
            return Decision::Continue;
        }
        self.test.decision(self.test.log_likelihood_ratio(&cautious(sample, self.error)))
    }

    /// The Elo difference with its interval. `None` without pairs.
    pub(super) fn elo(&self, sample: &Sample) -> Option<Estimate> {
        cautious_elo(sample, self.error)
    }

    pub(super) fn verdict(&self, sample: &Sample) -> Verdict {
        let Some(Estimate { value, low, high }) = self.elo(sample) else { return Verdict::Open(2) };
        match self.decision(sample) {
            Decision::AcceptH1 => Verdict::Good,
            _ if low >= self.test.parameters().elo0 => Verdict::Good,
            Decision::AcceptH0 => Verdict::Worse,
            Decision::Continue if high < 0.0 => Verdict::Worse,
            Decision::Continue => {
                let [value, low, high, least, even] =
                    [value, low, high, self.test.parameters().elo0, 0.0].map(expected_score);
                // An interval shrinks with the square root of the games. It decides once it excludes the loss (`least`)
                // or equality (`even`).
                let ratio = excess(value - low, value - least).min(excess(high - value, even - value));
                let pairs = sample.size() as f64 * (ratio * ratio - 1.0);
                Verdict::Open(rounded_up(2.0 * pairs.max(1.0)))
            }
        }
    }
}

/// The margin as a multiple of the room; infinite without room.
fn excess(margin: f64, room: f64) -> f64 {
    if room > 0.0 { margin / room } else { f64::INFINITY }
}

/// The number rounded up to two significant digits and an even number.
fn rounded_up(number: f64) -> u64 {
    let unit = 10_f64.powf(number.max(1.0).log10().floor() - 1.0).max(2.0);
    ((number / unit).ceil() * unit) as u64
}

#[cfg(test)]
mod tests {
    use plumb::mix::Random;

    use super::*;

    fn rule(sizes: usize) -> Rule {
        Rule::new(20.0, sizes).expect("a rule")
    }

    #[test]
    fn a_clear_loss_and_a_clear_equality_are_told_and_few_games_tell_nothing() {
        use Verdict::{Good, Worse};
        for (pairs, sizes, expected) in [
            ([0, 0, 1, 0, 0], 1, None),
            ([1, 1, 0, 0, 0], 1, None),
            ([0, 0, 2, 0, 0], 1, None),
            ([0, 0, 1, 1, 0], 1, None),
            ([0, 0, 20, 0, 0], 1, None),
            ([0, 0, 50, 0, 0], 1, None),
            ([0, 0, 70, 0, 0], 1, Some(Good)),
            ([0, 0, 70, 0, 0], 3, None),
            ([10, 0, 0, 0, 0], 3, Some(Worse)),
            // Certainly weaker, but by less than the loss.
            ([150, 300, 9000, 150, 100], 3, Some(Good)),
        ] {
            let verdict = rule(sizes).verdict(&Sample::Pairs(pairs));
            let told = Some(verdict).filter(|verdict| !matches!(verdict, Verdict::Open(_)));
            assert_eq!(told, expected, "{pairs:?}, {sizes}");
        }
        let rule = rule(3);
        let verdict = |pairs| (rule.verdict(&Sample::Pairs(pairs)), rule.is_decided(&Sample::Pairs(pairs)));
        assert_eq!(verdict([0; 5]), (Verdict::Open(2), false));
        assert_eq!(verdict([40, 40, 100, 10, 10]), (Worse, true));
        assert_eq!(verdict([25, 25, 400, 25, 25]), (Good, true));
        // Weaker by about 9 Elo, the middle between both hypotheses: more games are needed.
        let (open, is_decided) = verdict([20, 20, 160, 10, 20]);
        let Verdict::Open(more) = open else { panic!("{open:?}") };
        assert!(!is_decided && (1000..20_000).contains(&more), "{more}");
    }

    /// Number of matches with the verdict, of 400 matches of at most 200 pairs with these probabilities.
    fn count(probabilities: [f64; 5], sizes: usize, wanted: Verdict) -> u32 {
        let (rule, mut random) = (rule(sizes), Random::new(7, 0));
        let mut count = 0;
        for _ in 0..400 {
            let mut pairs = [0; 5];
            for _ in 0..200 {
                let mut left = f64::from(random.below(1 << 30)) / f64::from(1 << 30);
                let outcome = probabilities.iter().position(|share| {
                    left -= share;
                    left < 0.0
                });
                pairs[outcome.unwrap_or(2)] += 1;
                if rule.is_decided(&Sample::Pairs(pairs)) {
                    break;
                }
            }
            count += u32::from(rule.verdict(&Sample::Pairs(pairs)) == wanted);
        }
        count
    }

    #[test]
    fn verdicts_are_seldom_wrong_and_what_is_clear_is_mostly_found() {
        // Equal engines, then engines of which the first is weaker by 20 Elo; with few and with many uneven pairs.
        for even in [[0.01, 0.02, 0.94, 0.02, 0.01], [0.1, 0.1, 0.6, 0.1, 0.1]] {
            assert!(count(even, 1, Verdict::Worse) <= 20, "{even:?}");
        }
        for weak in
            [[0.0575, 0.0, 0.9425, 0.0, 0.0], [0.0, 0.115, 0.885, 0.0, 0.0], [0.1, 0.17, 0.535, 0.135, 0.06]]
        {
            assert!(count(weak, 1, Verdict::Good) <= 20, "{weak:?}");
        }
        assert!(count([0.0, 0.01, 0.98, 0.01, 0.0], 3, Verdict::Good) > 380);
        assert!(count([0.1, 0.1, 0.8, 0.0, 0.0], 3, Verdict::Worse) > 380);
    }

    #[test]
    fn numbers_of_games_are_round_and_even() {
        assert_eq!([1.0, 7.2, 13.0, 214.0, 1201.0, 9999.0].map(rounded_up), [2, 8, 14, 220, 1300, 10_000]);
    }
}
