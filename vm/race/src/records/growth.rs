//! What is spared tells nothing: a recorder that compares everything finds the same. And what is done grows no
//! faster than the accesses.

use super::versions::{OBSERVERS, WRITERS};
use super::*;
use cudair_ir::{FuncId, Site};
use cudair_lane::Values;
use cudair_lane::fault::SiteRef;
use cudair_lane::pattern::AddressPattern;
use proptest::prelude::*;

const OBJECT: Object = Object { owner: 0, number: 0 };

#[derive(Clone, Copy, Debug)]
enum Event {
    /// At a place, by a thread, of some bytes; of a write, the value.
    Access(u32, Who, AccessOp, (u32, u32), Option<u64>),
    Barrier(u64),
    Fence(Who),
}

fn recorder(thorough: bool) -> Recorder {
    let filter = (0..8).map(|n| (OBJECT, n)).collect();
    let mut r = Recorder::new(filter, false, Clusters { grid: [1; 3], dims: [1; 3] }, ReadUses::Unknown);
    r.thorough = thorough;
    r
}

fn play(r: &mut Recorder, event: Event) {
    match event {
        Event::Access(place, who, op, (start, width), value) => {
            let place = SiteRef { func: FuncId::from_u32(0), site: Site::from_u32(place) }.into();
            let atomic = (op == AccessOp::Atomic).then_some(Scope::Device);
            let acc = RaceAccess {
                how: How { place, op, atomic, volatile: false },
                obj: OBJECT.number,
                width,
                mask: &Mask::ONE,
                first_thread: who.thread,
                spot: AddressPattern::Uniform(start),
                values: value.map(|v| Values::Uniform(u128::from(v))),
                failed: None,
            };
            r.access(OBJECT.owner, who.block, &acc);
        }
        Event::Barrier(block) => r.barrier(block),
        Event::Fence(who) => {
            r.fence(who.block, who.thread, &Mask::ONE, MemOrder::SeqCst, Scope::Device);
        }
    }
}

/// All that is told.
fn told(r: &Recorder) -> Vec<String> {
    let mut pairs: Vec<&Pair> = r.pairs.values().collect();
    pairs.sort_by_key(|p| (p.sides.map(|s| s.how), p.object, p.from));
    pairs.into_iter().map(|p| format!("{p:?}")).collect()
}

fn event() -> impl Strategy<Value = Event> {
    let who = || (0u64..5, 0u32..70).prop_map(|(block, thread)| Who { block, thread });
    let op = prop_oneof![2 => Just(AccessOp::Read), 3 => Just(AccessOp::Write), 1 => Just(AccessOp::Atomic)];
    let bytes = prop_oneof![
        6 => (0u32..3).prop_map(|n| (4 * n, 4)),
        1 => (0u32..12).prop_map(|n| (n, 1)),
        1 => Just((0, 8)),
    ];
    // Mostly the same value, so that some pairs are of one value and some are not.
    let value = prop_oneof![20 => Just(Some(1)), 1 => Just(Some(2)), 1 => Just(None)];
    prop_oneof![
        60 => (0u32..4, who(), op, bytes, value).prop_map(|(place, who, op, (start, width), value)| {
            let (start, width) = if op == AccessOp::Atomic { (start / 4 * 4, 4) } else { (start, width) };
            Event::Access(place, who, op, (start, width), value.filter(|_| op == AccessOp::Write))
        }),
        1 => (0u64..5).prop_map(Event::Barrier),
        2 => who().prop_map(Event::Fence),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn what_is_spared_tells_nothing(events in proptest::collection::vec(event(), 2..600)) {
        let (mut quick, mut thorough) = (recorder(false), recorder(true));
        for &e in &events {
            play(&mut quick, e);
            play(&mut thorough, e);
        }
        prop_assert_eq!(told(&quick), told(&thorough));
        prop_assert!(quick.compared <= thorough.compared);
    }
}

/// Comparisons where `n` threads in blocks of 256 add to one word, each one value more than the last.
fn compared(n: u64) -> u64 {
    let mut r = recorder(false);
    for i in 0..n {
        let who = Who { block: i / 256, thread: (i % 256) as u32 };
        play(&mut r, Event::Access(0, who, AccessOp::Read, (0, 4), None));
        play(&mut r, Event::Access(1, who, AccessOp::Write, (0, 4), Some(i)));
    }
    assert_eq!(r.pairs.len(), 2);
    r.compared
}

#[test]
fn a_word_that_all_race_for_is_compared_a_few_times() {
    // Only the first threads matter, however many follow.
    assert!(compared(1 << 14) <= 1 << 10, "{}", compared(1 << 14));
}

#[test]
fn observers_are_found_and_dropped() {
    let mut v = Versions::default();
    let who = |i: u32| Who { block: 0, thread: i };
    // All fail in step but one at a time, as a loop around a compare-and-swap does.
    for round in 0..600u32 {
        v.strong_write(who(round), true);
        for i in 0..20 {
            v.read(who(i), 1, Scope::Device, false);
        }
    }
    assert_eq!((v.observers.len(), v.latest.len()), (20, 20));
    assert!(v.observers.iter().all(|o| (o.from, o.to) == (1, 600)));
    assert_eq!((v.writers.len(), v.written.len()), (WRITERS, WRITERS));
    // At other moments each is one of its own, and the last stay.
    (0..600).for_each(|at| {
        v.strong_write(who(0), true);
        v.read(who(at as u32 % 50), at + 2, Scope::Device, false);
    });
    assert_eq!((v.observers.len(), v.latest.len()), (OBSERVERS, 50));
}
