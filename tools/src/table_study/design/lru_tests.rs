//! Whether the cache forgets what it should.

use super::*;
use crate::random::Random;

fn proof(bound: Bound, known: Bounds) -> Proof {
    Proof { bound, known, empty: 10, nodes: 1 }
}

#[test]
fn what_was_not_used_for_longest_goes_first() {
    let mut cache = Lru::new(3).expect("there is memory");
    let store = |cache: &mut Lru, key| cache.store(key, &proof(Bound::Upper(key as Score), Bounds::UNKNOWN));
    for key in [1, 2, 3] {
        store(&mut cache, key);
    }
    // The order of use is now 2, 1, 3: a probe and a store both count.
    assert_eq!(cache.probe(1).upper, 1);
    store(&mut cache, 2);
    store(&mut cache, 4);
    assert_eq!(cache.find(3), None);
    store(&mut cache, 5);
    assert_eq!(cache.find(1), None);
    assert!([2, 4, 5].iter().all(|&key| cache.find(key).is_some()));
    cache.clear();
    assert_eq!(cache.probe(2), Bounds::UNKNOWN);
}

#[test]
fn it_does_what_a_plain_list_does() {
    let mut random = Random::new(1, 0);
    for capacity in [1, 2, 7, 50] {
        let mut cache = Lru::new(capacity).expect("there is memory");
        // The one used last stands last.
        let mut list: Vec<(u64, Score)> = Vec::new();
        for _ in 0..5_000 {
            let key = u64::from(random.below(2 * capacity as u32 + 1));
            let place = list.iter().position(|entry| entry.0 == key);
            let used = place.map(|place| list.remove(place));
            if random.below(2) == 0 {
                let expected = used.map_or(Bounds::UNKNOWN.upper, |entry| entry.1);
                assert_eq!(cache.probe(key).upper, expected);
                list.extend(used);
            } else {
                let score = random.below(37) as Score - 18;
                cache.store(key, &proof(Bound::Upper(score), Bounds::UNKNOWN));
                if list.len() == capacity {
                    list.remove(0);
                }
                list.push((key, score));
            }
        }
    }
}

#[test]
fn bounds_that_meet_are_exact() {
    let mut cache = Lru::new(3).expect("there is memory");
    for (bound, expected) in [
        (Bound::Lower(-2), Bounds { lower: -2, ..Bounds::UNKNOWN }),
        (Bound::Upper(4), Bounds { upper: 4, ..Bounds::UNKNOWN }),
        (Bound::Lower(4), Bounds { lower: 4, upper: 4 }),
    ] {
        let known = cache.probe(9);
        cache.store(9, &proof(bound, known));
        assert_eq!(cache.probe(9), expected);
    }
}

#[test]
fn a_position_and_its_mirror_image_share_an_entry() {
    let mut random = Random::new(2, 0);
    let mut cache = Lru::new(100).expect("there is memory");
    for stones in 0..30 {
        let position = crate::playout::random_position(&mut random, stones).position;
        let key = Lru::key(&position);
        assert_eq!(key, position.key().min(position.mirrored().key()));
        cache.store(key, &proof(Bound::Upper(1), Bounds::UNKNOWN));
        assert_eq!(cache.probe(Lru::key(&position.mirrored())).upper, 1);
    }
}
