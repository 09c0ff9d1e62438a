use plumb_tools_common::random::Random;

use super::super::elo::expected_score;
use super::*;

/// Results of independent games without draws.
fn pairing(engines: [usize; 2], points: [f64; 2]) -> Pairing {
    let games = points[0] + points[1];
    Pairing { engines, points, error: (points[0] * points[1] / games).sqrt() }
}

fn values(ratings: &[Option<Estimate>]) -> Vec<f64> {
    ratings.iter().map(|rating| rating.expect("a rating").value).collect()
}

fn texts(ratings: &[Option<Estimate>]) -> Vec<String> {
    ratings.iter().map(|rating| rating.map_or("-".to_owned(), |rating| rating.to_string())).collect()
}

/// All pairs of engines.
fn pairs(count: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..count).flat_map(move |one| (one + 1..count).map(move |other| [one, other]))
}

#[test]
fn ratings_that_made_the_scores_are_found_again() {
    let made = [-310.0, -100.0, 0.0, 60.0, 350.0];
    let pairings: Vec<_> = pairs(made.len())
        .map(|[one, other]| {
            let share = expected_score(made[one] - made[other]);
            pairing([one, other], [1e6 * share, 1e6 * (1.0 - share)])
        })
        .collect();
    for (found, made) in values(&ratings(made.len(), &pairings)).into_iter().zip(made) {
        assert!((found - made).abs() < 0.1, "{found} {made}");
    }
}

#[test]
fn a_chain_adds_up() {
    let found = ratings(3, &[pairing([0, 1], [300.0, 700.0]), pairing([1, 2], [300.0, 700.0])]);
    let steps: Vec<_> = values(&found).windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(steps.iter().all(|step| (step - 147.2).abs() < 0.1), "{steps:?}");
    assert!(values(&found).iter().sum::<f64>().abs() < 1e-6);
}

#[test]
fn the_error_of_two_is_that_of_their_difference() {
    // Half of the difference, as the mean of both is 0: 1000 games, 60 % of them won.
    let found = ratings(2, &[pairing([0, 1], [600.0, 400.0])]);
    let slope = 400.0 / std::f64::consts::LN_10 / (0.6 * 0.4);
    let expected = 1.96 * slope * (0.6_f64 * 0.4 / 1000.0).sqrt() / 2.0;
    let margin = found[0].expect("a rating").margin().expect("finite");
    assert!((margin / expected - 1.0).abs() < 1e-3, "{margin} {expected}");
}

#[test]
fn intervals_hold_the_true_ratings_in_95_per_cent_of_matches() {
    const MATCHES: usize = 400;
    let made = [-150.0, -20.0, 30.0, 140.0];
    let mut random = Random::new(77, 0);
    let mut held = 0;
    for _ in 0..MATCHES {
        let pairings: Vec<_> = pairs(made.len())
            .map(|[one, other]| {
                let share = expected_score(made[one] - made[other]);
                let won = (0..200).filter(|_| ((random.next() >> 11) as f64) < share * (1_u64 << 53) as f64);
                let won = won.count() as f64;
                pairing([one, other], [won, 200.0 - won])
            })
            .collect();
        let found = ratings(made.len(), &pairings);
        let is_held = |(rating, made): (Option<Estimate>, f64)| {
            let rating = rating.expect("a rating");
            rating.low < made && made < rating.high
        };
        held += found.into_iter().zip(made).filter(|pair| is_held(*pair)).count();
    }
    // Four standard deviations of a binomial count, twice as wide as the four of a match depend on each other.
    let (expected, margin) = (0.95 * 4.0 * MATCHES as f64, 8.0 * (4.0 * MATCHES as f64 * 0.95 * 0.05).sqrt());
    assert!((held as f64 - expected).abs() < margin, "{held}");
}

#[test]
fn a_clean_score_is_a_bound() {
    // The second and the third are equals; the first won, and the last lost, everything.
    let mut pairings: Vec<_> =
        [[0, 1], [0, 2], [0, 3], [1, 3], [2, 3]].map(|engines| pairing(engines, [40.0, 0.0])).into();
    pairings.push(pairing([1, 2], [20.0, 20.0]));
    // As for a match of 40 pairs against an opponent of 0: 0.05^(1/40) = 0.928.
    assert_eq!(texts(&ratings(4, &pairings)), ["> 443", "0.0 ± 53.7", "0.0 ± 53.7", "< -443"]);
    // An engine more that beats all of them is above the bound of the one that did so before.
    let more: Vec<_> =
        pairings.into_iter().chain((0..4).map(|engine| pairing([4, engine], [40.0, 0.0]))).collect();
    let found = ratings(5, &more);
    assert_eq!(texts(&found)[..4], ["> 443", "0.0 ± 53.7", "0.0 ± 53.7", "< -443"]);
    assert!(found[4].is_some_and(|rating| rating.low > 700.0 && rating.high == f64::INFINITY), "{found:?}");
}

#[test]
fn where_every_score_is_clean_one_engine_is_the_measure() {
    let order = [[0, 1], [0, 2], [1, 2]].map(|engines| pairing(engines, [40.0, 0.0]));
    assert_eq!(texts(&ratings(3, &order)), ["> 316", "0.0 ± 0.0", "< -316"]);
    let gauntlet = [[0, 1], [0, 2]].map(|engines| pairing(engines, [40.0, 0.0]));
    assert_eq!(texts(&ratings(3, &gauntlet)), ["0.0 ± 0.0", "< -316", "< -316"]);
}

#[test]
fn engines_that_have_not_met_are_not_compared() {
    assert_eq!(texts(&ratings(2, &[])), ["-", "-"]);
    let apart = [pairing([0, 1], [3.0, 2.0]), pairing([2, 3], [3.0, 2.0])];
    assert_eq!(texts(&ratings(4, &apart)), ["-", "-", "-", "-"]);
    assert_eq!(texts(&ratings(3, &apart[..1]))[2], "-");
}
