//! The exact tier against a reference that keeps all accesses, and finds out what orders each two by following who meets whom.

use super::*;
use cudair_ir::{FuncId, Scope, Site};
use cudair_lane::fault::SiteRef;
use cudair_lane::pattern::AddressPattern;
use cudair_lane::{Mask, Values};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Of three warps.
const THREADS: [u32; 7] = [0, 1, 2, 33, 34, 35, 65];

#[derive(Clone, Copy, Debug)]
struct Access {
    site: u32,
    thread: u32,
    start: u32,
    value: u64,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Access(Access),
    Meet { warp: u32, mask: u32 },
}

impl Access {
    fn how(&self) -> How {
        let op = [AccessOp::Read, AccessOp::Write, AccessOp::Write, AccessOp::Atomic][self.site as usize];
        let site = SiteRef { func: FuncId::from_u32(0), site: Site::from_u32(self.site) };
        let atomic = (op == AccessOp::Atomic).then_some(Scope::Device);
        How { place: site.into(), op, atomic, volatile: false }
    }

    fn width(&self) -> u32 {
        [4, 4, 2, 4][self.site as usize]
    }

    fn written(&self) -> Option<u64> {
        (self.how().op == AccessOp::Write).then_some(self.value)
    }

    fn feed(&self, exact: &mut Exact) {
        let mask = Mask::single(self.thread as usize);
        let values = self.written().map(|v| Values::Uniform(u128::from(v)));
        let (spot, obj, first_thread, failed) = (AddressPattern::Uniform(self.start), 0, 0, None);
        let (how, width) = (self.how(), self.width());
        let mask = &mask;
        exact.feed(Event::Access(RaceAccess { how, obj, width, mask, first_thread, spot, values, failed }));
    }
}

/// Whether a step comes before another since their threads met on the way.
fn is_ordered(steps: &[Step], from: u32, to: u32) -> bool {
    let (warp, mut reached) = (from / 32, 1u32 << (from % 32));
    for step in steps {
        if let Step::Meet { warp: w, mask } = *step
            && w == warp
            && mask & reached != 0
        {
            reached |= mask;
        }
    }
    to / 32 == warp && reached >> (to % 32) & 1 != 0
}

/// What is known of a pair of places: whether all pairs wrote the same, the first of the least pairs, and how many granules.
#[derive(PartialEq, Eq, Debug)]
struct Told {
    same: bool,
    least: (bool, [u32; 2], u32),
    granules: FxHashSet<u32>,
}

fn reference(steps: &[Step]) -> BTreeMap<[How; 2], Told> {
    let mut told: BTreeMap<[How; 2], Told> = BTreeMap::new();
    for (at, new) in steps.iter().enumerate() {
        let Step::Access(new) = new else { continue };
        for (before, old) in steps[..at].iter().enumerate() {
            let Step::Access(old) = old else { continue };
            let [a, b] = [old, new].map(Access::how);
            let (from, to) = overlap((old.start, old.width()), (new.start, new.width()));
            let harmless = !(a.op.writes() || b.op.writes()) || a.atomic.is_some() && b.atomic.is_some();
            if old.thread == new.thread
                || harmless
                || from >= to
                || is_ordered(&steps[before..at], old.thread, new.thread)
            {
                continue;
            }
            let bytes = |x: &Access| bytes_of(x.written(), x.start, from, to);
            let same = bytes(old).is_some() && bytes(old) == bytes(new);
            let key = |x: &Access| (x.how().op != AccessOp::Read, x.how(), x.thread);
            let (a, b) = if key(old) <= key(new) { (old, new) } else { (new, old) };
            let least = (same, [a.thread, b.thread], from);
            let of = told.entry([a.how(), b.how()]).or_insert(Told {
                same,
                least,
                granules: FxHashSet::default(),
            });
            of.same &= same;
            of.least = of.least.min(least);
            of.granules.insert(from / 4);
        }
    }
    told
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let access = (0..4u32, 0..THREADS.len(), 0..4u32, 0..4u64).prop_map(|(site, thread, at, value)| {
        Step::Access(Access { site, thread: THREADS[thread], start: at * 2, value })
    });
    let meet = (0..2u32, 1..16u32).prop_map(|(warp, mask)| Step::Meet { warp, mask });
    prop::collection::vec(prop_oneof![3 => access, 2 => meet], 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn pairs_are_those_of_the_reference(steps in steps()) {
        let mut exact = Exact::new(None);
        for step in &steps {
            match *step {
                Step::Access(access) => access.feed(&mut exact),
                Step::Meet { warp, mask } => exact.feed(Event::WarpSync { warp, mask }),
            }
        }
        let expected = reference(&steps);
        let found: BTreeMap<[How; 2], &Pair> = exact.pairs.iter().map(|(&hows, pair)| (hows, pair)).collect();
        prop_assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
        for (hows, pair) in found {
            let told = &expected[&hows];
            prop_assert_eq!(pair.same_value, told.same);
            prop_assert_eq!((pair.witness_same, pair.threads, pair.offset), told.least);
            prop_assert_eq!(pair.count, told.granules.len() as u64);
        }
    }
}

/// What is kept of a loop does not hang on its turns.
#[test]
fn turns_add_nothing() {
    let kept = |turns: u64| {
        let mut exact = Exact::new(None);
        for value in 0..turns {
            for thread in THREADS {
                Access { site: 1, thread, start: 0, value }.feed(&mut exact);
            }
            (0..3).for_each(|warp| exact.feed(Event::WarpSync { warp, mask: !0 }));
            for thread in THREADS {
                Access { site: 0, thread, start: 0, value }.feed(&mut exact);
            }
            (0..3).for_each(|warp| exact.feed(Event::WarpSync { warp, mask: !0 }));
        }
        exact.granules.values().flat_map(|g| g.values()).map(Vec::len).sum::<usize>()
    };
    assert_eq!((kept(3), kept(300)), (3 * THREADS.len(), 3 * THREADS.len()));
}
