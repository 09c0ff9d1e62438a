use plumb_tools_common::random::Random;

use super::*;

/// Distributions with counts of all sizes, as [`log_likelihood_ratio`] makes them from counts.
fn observations(random: &mut Random) -> [f64; 5] {
    let counts: [f64; 5] = from_fn(|_| [PRIOR, 1.0, 2.0, 5.0, 20.0, 100.0, 1e5][random.below(7) as usize]);
    let total: f64 = counts.iter().sum();
    counts.map(|count| count / total)
}

#[test]
fn an_even_distribution_has_known_moments() {
    // The variance of n equally spaced scores from 0 to 1 is (n + 1) / (12 (n - 1)).
    let (mean, variance) = moments(&[0.2; 5]);
    assert!((mean - 0.5).abs() < 1e-15 && (variance - 0.125).abs() < 1e-15);
    let (mean, variance) = moments(&[1.0 / 3.0; 3]);
    assert!((mean - 0.5).abs() < 1e-15 && (variance - 1.0 / 6.0).abs() < 1e-15);
}

#[test]
fn what_is_found_meets_its_condition() {
    let mut random = Random::new(1, 0);
    for _ in 0..3000 {
        let observed = observations(&mut random);
        for mean in [1e-5, 0.3, 0.5, 0.5072, 1.0 - 1e-5] {
            let found = most_likely(&observed, Condition::Mean(mean));
            // Sums of five terms, each with a few roundings.
            assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-13, "{observed:?} {found:?}");
            assert!((moments(&found).0 - mean).abs() < 1e-13, "{observed:?} {found:?}");
        }
        for t in [-8.0, -1.0, -0.01, 0.0, 0.001, 0.02, 0.3, 1.0, 3.0, 8.0] {
            let found = most_likely(&observed, Condition::TValue(t));
            assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{observed:?} {found:?}");
            // The fixed point is known to about `SETTLED`, and the excess is at most 10 times as sensitive.
            assert!(excess(&found, t).abs() < 1e-11, "{t} {observed:?} {found:?}");
        }
    }
}

#[test]
fn games_of_one_t_value_are_searched_thoroughly() {
    // For three outcomes, the draw rate d determines the distribution with a t-value: wins and losses differ by
    // t √((1 - d) / (1 + t²)). A fine grid of draw rates finds the greatest likelihood from below.
    let mut random = Random::new(2, 0);
    for _ in 0..100 {
        let counts: [f64; 3] = from_fn(|_| [PRIOR, 1.0, 3.0, 50.0, 400.0][random.below(5) as usize]);
        let total: f64 = counts.iter().sum();
        let observed = counts.map(|count| count / total);
        for t in [-1.0, -0.1, 0.0, 0.05, 0.5, 2.0] {
            let found = log_likelihood(&observed, &most_likely(&observed, Condition::TValue(t)));
            let of_grid = (1..20_000).map(|step| {
                let draws = (-20.0 * f64::from(step) / 20_000.0).exp();
                let difference = t * ((1.0 - draws) / (1.0 + t * t)).sqrt();
                let decided = 1.0 - draws;
                let losses = f64::midpoint(decided, -difference);
                let wins = f64::midpoint(decided, difference);
                if losses.min(wins) <= 0.0 {
                    return f64::NEG_INFINITY;
                }
                log_likelihood(&observed, &[losses, draws, wins])
            });
            let best = of_grid.fold(f64::NEG_INFINITY, f64::max);
            assert!(found > best - 1e-12, "{t} {observed:?}: {found} {best}");
            // The first step of the grid takes 0.001 off a draw rate of 1, and no other step costs more.
            assert!(found < best + 1e-3, "{t} {observed:?}: {found} {best}");
        }
    }
}

#[test]
fn no_start_leads_to_a_likelier_distribution() {
    let mut random = Random::new(3, 0);
    let mut compared = 0;
    for _ in 0..500 {
        let observed = observations(&mut random);
        for t in [0.02, 0.3, 1.0, 3.0] {
            let found = log_likelihood(&observed, &with_t_value(&observed, t));
            for _ in 0..5 {
                let weights: [f64; 5] = from_fn(|_| (-8.0 * f64::from(random.below(1000)) / 1000.0).exp());
                let total: f64 = weights.iter().sum();
                let start = weights.map(|weight| weight / total);
                if excess(&start, t) >= 0.0 {
                    let other = log_likelihood(&observed, &settle(&observed, t, start));
                    assert!(other < found + 1e-9, "{t} {observed:?} {start:?}: {other} {found}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

#[test]
fn the_ratio_is_the_same_from_either_side() {
    let mut random = Random::new(4, 0);
    for _ in 0..200 {
        let counts: [u64; 5] = from_fn(|_| u64::from(random.below(50)));
        let mut mirrored = counts;
        mirrored.reverse();
        let (first, second) = (Condition::TValue(0.1), Condition::TValue(-0.3));
        let ratio = log_likelihood_ratio(&counts, first, second);
        let opposite = log_likelihood_ratio(&mirrored, Condition::TValue(-0.1), Condition::TValue(0.3));
        assert!((ratio - opposite).abs() < 1e-9, "{counts:?}: {ratio} {opposite}");
        assert!((ratio + log_likelihood_ratio(&counts, second, first)).abs() < 1e-9);
        let ratio = log_likelihood_ratio(&counts, Condition::Mean(0.5), Condition::Mean(0.6));
        let opposite = log_likelihood_ratio(&mirrored, Condition::Mean(0.5), Condition::Mean(0.4));
        assert!((ratio - opposite).abs() < 1e-9, "{counts:?}: {ratio} {opposite}");
    }
}
