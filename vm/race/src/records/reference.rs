//! The recorder against a reference: every event a node of a graph, and order what can be reached in it.

use super::*;
use cudair_ir::{FuncId, LoadUse, Site};
use cudair_lane::How;
use cudair_lane::fault::{Place, SiteRef};
use cudair_lane::pattern::AddressPattern;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, Debug)]
enum Event {
    Access { who: Who, how: How, object: Object, start: u32, width: u32, failed: bool, order: MemOrder },
    Fence { who: Who, order: MemOrder, scope: Scope },
    Barrier { block: u64 },
    Warp { block: u64, warp: u32, mask: u32 },
}

use Event::{Access, Barrier, Fence, Warp};

impl Event {
    /// Whether a thread takes part.
    fn is_of(&self, t: Who) -> bool {
        match *self {
            Access { who, .. } | Fence { who, .. } => who == t,
            Barrier { block } => block == t.block,
            Warp { block, warp, mask } => {
                block == t.block && t.thread / 32 == warp && mask >> (t.thread % 32) & 1 != 0
            }
        }
    }
}

/// A set of events.
type Set = Vec<bool>;

/// What reaches each event over some edges, all of which go forward.
fn closure(n: usize, edges: &BTreeSet<(usize, usize)>) -> Vec<Set> {
    let mut reach = vec![vec![false; n]; n];
    for to in 0..n {
        for from in 0..to {
            if edges.contains(&(from, to)) {
                let row = reach[from].clone();
                row.iter().zip(&mut reach[to]).for_each(|(&a, b)| *b |= a);
                reach[to][from] = true;
            }
        }
    }
    reach
}

/// What becomes of the value read at a place. Where it is stored at its own place, every store may be the one.
fn told(place: Place) -> (LoadUse, bool) {
    let n = number(place);
    let bit = |b: u32| n >> b & 1 != 0;
    let feeds = if bit(2) {
        (0..FEEDS).map(|n| (FuncId::from_u32(0), Site::from_u32(n))).collect()
    } else {
        Vec::new()
    };
    let controls = bit(1) || bit(3) || bit(5);
    let used =
        LoadUse { data: bit(0), decides: bit(1), waits: bit(4), updates: bit(2), guesses: bit(3), feeds };
    (used, controls)
}

/// Places at which stores may end updates.
const FEEDS: u32 = 128;

/// Whether the thread of a strong read learns something by it.
fn learns(e: &Event) -> bool {
    let Access { how, .. } = e else { return false };
    let (u, controls) = told(how.place);
    let used = u.data || u.decides || u.guesses || how.atomic.is_some() && u.updates;
    how.op != AccessOp::Write && used && controls
}

fn strong(e: &Event) -> bool {
    matches!(e, Access { how, start, width, .. } if is_strong(how, *start, *width))
}

fn writes(e: &Event) -> bool {
    matches!(e, Access { how, failed, .. } if how.op.writes() && !failed)
}

fn scope(e: &Event) -> Scope {
    match e {
        Access { how, .. } => how.atomic.unwrap_or(Scope::System),
        Fence { scope, .. } => *scope,
        _ => Scope::System,
    }
}

fn bytes(e: &Event) -> Option<(Object, u32, u32)> {
    match *e {
        Access { object, start, width, .. } => Some((object, start, start + width)),
        _ => None,
    }
}

fn touch(a: &Event, b: &Event) -> bool {
    match (bytes(a), bytes(b)) {
        (Some((o, s, e)), Some((p, t, f))) => o == p && s.max(t) < e.min(f),
        _ => false,
    }
}

/// The writes that a strong read observes: the last before it and those that it goes on from.
fn observed(events: &[Event], read: usize) -> Vec<usize> {
    let mut out = Vec::new();
    for n in (0..read).rev() {
        let e = &events[n];
        if !touch(e, &events[read]) || !writes(e) {
            continue;
        }
        if !strong(e) {
            break;
        }
        out.push(n);
        if !matches!(e, Access { how, .. } if how.op == AccessOp::Atomic) {
            break;
        }
    }
    out
}

/// Whether one is the guess of a compare-and-swap that the other may be.
fn is_guess(x: &Event, y: &Event) -> bool {
    let one = |x: &Event, y: &Event| match (x, y) {
        (
            Access { how: a, object: o, start: s, width: v, .. },
            Access { how: b, object: p, start: t, width: w, .. },
        ) => {
            let u = told(a.place).0;
            (a.op, a.atomic, b.op) == (AccessOp::Read, None, AccessOp::Atomic)
                && (o, s, v) == (p, t, w)
                && u.guesses
                && !u.data
                && !u.updates
        }
        _ => false,
    };
    one(x, y) || one(y, x)
}

/// Whether two unordered accesses, both volatile or atomic, are a race: the rule that [`super::rules`] states.
fn is_race(a: &How, b: &How, update: bool) -> bool {
    match (a.op.writes(), b.op.writes()) {
        _ if !a.volatile && !b.volatile => false,
        (true, true) => {
            let decides = |h: &How| !h.volatile && h.op == AccessOp::Atomic && told(h.place).0.decides;
            update || !decides(a) && !decides(b)
        }
        (first, _) => {
            let reader = if first { b } else { a };
            let u = told(reader.place).0;
            if reader.volatile { u.data } else { !u.decides }
        }
    }
}

#[derive(Clone, Copy)]
struct Forgive {
    acquire: bool,
    release: bool,
    scope: bool,
}

struct Reference<'a> {
    events: &'a [Event],
    /// Program order, barriers and `__syncwarp`.
    local: BTreeSet<(usize, usize)>,
}

impl Reference<'_> {
    fn new<'a>(events: &'a [Event], threads: &[Who]) -> Reference<'a> {
        let mut local = BTreeSet::new();
        for &t in threads {
            let own: Vec<usize> = (0..events.len()).filter(|&n| events[n].is_of(t)).collect();
            local.extend(own.windows(2).map(|w| (w[0], w[1])));
        }
        Reference { events, local }
    }

    fn order(&self, forgive: Forgive) -> Vec<Set> {
        let (events, n) = (self.events, self.events.len());
        let near = closure(n, &self.local);
        let mut edges = self.local.clone();
        for read in 0..n {
            let Access { who: u, order: read_order, .. } = events[read] else { continue };
            if !strong(&events[read]) || !learns(&events[read]) {
                continue;
            }
            for write in observed(events, read) {
                let Access { who: t, order: write_order, .. } = events[write] else { continue };
                let enough =
                    |n: usize| t.block == u.block || forgive.scope || scope(&events[n]) != Scope::Block;
                if !enough(write) || !enough(read) {
                    continue;
                }
                let mut from: Vec<usize> = (0..write)
                    .filter(|&f| {
                        matches!(events[f], Fence { order, .. } if releases(order))
                            && near[write][f]
                            && enough(f)
                    })
                    .collect();
                if forgive.release || releases(write_order) {
                    from.push(write);
                }
                let mut to: Vec<usize> = (read + 1..n)
                    .filter(|&g| match events[g] {
                        Fence { who, order, .. } => who == u && acquires(order) && enough(g),
                        Barrier { block } => block == u.block,
                        _ => false,
                    })
                    .collect();
                if forgive.acquire || acquires(read_order) {
                    to.push(read);
                }
                edges.extend(from.iter().flat_map(|&f| to.iter().map(move |&g| (f, g))));
            }
        }
        closure(n, &edges)
    }

    fn who(&self, n: usize) -> Who {
        match self.events[n] {
            Access { who, .. } => who,
            _ => unreachable!("not an access"),
        }
    }

    /// The volatile read with which an update began that ends with a volatile store.
    fn read_of(&self, store: usize) -> Option<usize> {
        let Access { who: t, how, object, start, width, .. } = self.events[store] else { return None };
        if how.op != AccessOp::Write || !how.volatile || !strong(&self.events[store]) {
            return None;
        }
        (0..store).rev().find(|&r| {
            matches!(self.events[r], Access { who, how, object: o, start: s, width: w, .. }
                if (who, o, s, w) == (t, object, start, width)
                    && how.volatile
                    && how.op == AccessOp::Read
                    && told(how.place).0.updates)
        })
    }

    /// Racing pairs, each with what orders it under which forgiving rules.
    fn races(&self) -> BTreeMap<(usize, usize), Option<Missing>> {
        let strict = Forgive { acquire: false, release: false, scope: false };
        let hb = self.order(strict);
        let lenient = [
            (Missing::Acquire, self.order(Forgive { acquire: true, ..strict })),
            (Missing::Scope, self.order(Forgive { scope: true, ..strict })),
            (Missing::Release, self.order(Forgive { release: true, ..strict })),
            (Missing::Both, self.order(Forgive { acquire: true, release: true, ..strict })),
        ];
        let events = self.events;
        let reads = |z: usize| strong(&events[z]) && learns(&events[z]);
        let block = |n: usize| match events[n] {
            Access { who, .. } => Some(who.block),
            _ => None,
        };
        let far = |n: usize| scope(&events[n]) != Scope::Block;
        let waits = |z: usize| matches!(events[z], Access { how, .. } if told(how.place).0.waits || how.atomic.is_some());
        // Whether x happened before y, or was observed by a read that did. A later write of the same thread to the
        // same place will do.
        let known = |x: usize, y: usize, waiting: bool| {
            let Access { who: t, .. } = events[x] else { return true };
            let seen = (x + 1..y).any(|z| {
                let near = far(x) && far(z) || block(z) == Some(t.block);
                let seen = |w: &usize| {
                    strong(&events[*w]) && *w >= x && events[*w].is_of(t) && touch(&events[*w], &events[x])
                };
                reads(z) && (waits(z) || !waiting) && observed(events, z).iter().any(seen) && near && hb[y][z]
            });
            hb[y][x] || strong(&events[x]) && seen
        };
        let mut out = BTreeMap::new();
        for y in 0..events.len() {
            if let Some(read) = self.read_of(y) {
                for x in (0..y).filter(|&x| strong(&events[x]) && writes(&events[x])) {
                    let other = !events[x].is_of(self.who(y)) && touch(&events[x], &events[y]);
                    if other && (x > read || !known(x, read, true)) {
                        out.insert((x, y), lenient.iter().find(|l| l.1[y][x]).map(|l| l.0));
                    }
                }
            }
            for x in 0..y {
                let (Access { who: t, how: a, .. }, Access { who: u, how: b, .. }) = (events[x], events[y])
                else {
                    continue;
                };
                if t == u || !touch(&events[x], &events[y]) || !(a.op.writes() || b.op.writes()) {
                    continue;
                }
                let scopes = t.block == u.block
                    || scope(&events[x]) != Scope::Block && scope(&events[y]) != Scope::Block;
                let both = strong(&events[x]) && strong(&events[y]);
                if is_guess(&events[x], &events[y]) && scopes {
                    continue;
                }
                if both && a.op.writes() && self.read_of(y).is_some() {
                    // Told by what its read has missed, below.
                    continue;
                }
                if both && scopes && !is_race(&a, &b, self.read_of(x).is_some()) {
                    continue;
                }
                if known(x, y, false) {
                    continue;
                }
                out.insert((x, y), lenient.iter().find(|l| l.1[y][x]).map(|l| l.0));
            }
        }
        out
    }
}

fn acquires(order: MemOrder) -> bool {
    matches!(order, MemOrder::Acquire | MemOrder::AcqRel | MemOrder::SeqCst)
}

fn releases(order: MemOrder) -> bool {
    matches!(order, MemOrder::Release | MemOrder::AcqRel | MemOrder::SeqCst)
}

fn place(n: u32) -> Place {
    SiteRef { func: FuncId::from_u32(0), site: Site::from_u32(n) }.into()
}

fn number(place: Place) -> usize {
    match place {
        Place::Site(s) => s.site.as_u32() as usize,
        _ => usize::MAX,
    }
}

fn play(events: &[Event]) -> Recorder {
    let mut filter = FxHashSet::default();
    for (object, from, to) in events.iter().filter_map(bytes) {
        filter.extend((from / 4..to.div_ceil(4)).map(|g| (object, g)));
    }
    let clusters = Clusters { grid: [1; 3], dims: [1; 3] };
    let mut r = Recorder::new(filter, false, clusters, ReadUses::Told(told));
    for e in events {
        match *e {
            Access { who, how, object, start, width, failed, order } => {
                if how.atomic.is_some() {
                    r.next_order(order);
                }
                let mask = Mask::ONE;
                r.access(
                    object.owner,
                    who.block,
                    &RaceAccess {
                        how,
                        obj: object.number,
                        width,
                        mask: &mask,
                        first_thread: who.thread,
                        spot: AddressPattern::Uniform(start),
                        values: None,
                        failed: failed.then_some(&mask),
                    },
                );
            }
            Fence { who, order, scope } => r.fence(who.block, who.thread, &Mask::ONE, order, scope),
            Barrier { block } => r.barrier(block),
            Warp { block, warp, mask } => r.warp_sync(block, warp, mask),
        }
    }
    r
}

fn missing(lack: Lack) -> Option<Missing> {
    match lack {
        Lack::Order => None,
        Lack::Release(_) => Some(Missing::Release),
        Lack::Both(_) => Some(Missing::Both),
        Lack::Scope(_) => Some(Missing::Scope),
        Lack::Acquire(_) => Some(Missing::Acquire),
    }
}

const THREADS: [u32; 4] = [0, 1, 2, 33];

fn threads() -> Vec<Who> {
    (0..3).flat_map(|block| THREADS.map(|thread| Who { block, thread })).collect()
}

fn who() -> impl Strategy<Value = Who> {
    // Few threads, so that they meet.
    (0u64..3, prop_oneof![3 => Just(0usize), 2 => Just(1), 1 => Just(2), 2 => Just(3)])
        .prop_map(|(block, t)| Who { block, thread: THREADS[t] })
}

fn scopes() -> impl Strategy<Value = Scope> {
    prop_oneof![1 => Just(Scope::Block), 3 => Just(Scope::Device), 1 => Just(Scope::System)]
}

fn orders() -> impl Strategy<Value = MemOrder> {
    prop_oneof![
        6 => Just(MemOrder::Relaxed),
        1 => Just(MemOrder::Acquire),
        1 => Just(MemOrder::Release),
        1 => Just(MemOrder::AcqRel),
    ]
}

fn data() -> impl Strategy<Value = Event> {
    let op = prop_oneof![Just(AccessOp::Read), Just(AccessOp::Write)];
    let spot = prop_oneof![
        4 => Just((0u32, 4u32)),
        1 => (0u32..8, prop_oneof![Just(1u32), Just(2), Just(4)]),
        1 => Just((0, 8)),
    ];
    (who(), op, spot, any::<bool>()).prop_map(|(who, op, (start, width), shared)| Access {
        who,
        how: How { place: Place::Unknown, op, atomic: None, volatile: false },
        object: Object { owner: if shared { who.block + 1 } else { 0 }, number: 0 },
        start,
        width,
        failed: false,
        order: MemOrder::Relaxed,
    })
}

/// An access to a flag; now and then a weak one.
fn flag() -> impl Strategy<Value = Event> {
    let op = prop_oneof![
        3 => Just((AccessOp::Read, false)),
        3 => Just((AccessOp::Write, false)),
        3 => Just((AccessOp::Atomic, false)),
        1 => Just((AccessOp::Atomic, true)),
    ];
    let how = prop_oneof![4 => Just(Some(true)), 3 => Just(Some(false)), 1 => Just(None)];
    (who(), op, how, scopes(), orders(), 0u32..2, any::<bool>()).prop_map(
        |(who, (op, failed), how, scope, order, n, shared)| {
            let rmw = op == AccessOp::Atomic;
            let atomic = (rmw || how == Some(true)).then_some(scope);
            let volatile = atomic.is_none() && how == Some(false);
            Access {
                who,
                how: How { place: Place::Unknown, op, atomic, volatile },
                object: Object { owner: if shared { who.block + 1 } else { 0 }, number: 1 },
                start: 4 * n,
                width: 4,
                failed,
                order: if atomic.is_some() { order } else { MemOrder::Relaxed },
            }
        },
    )
}

fn fence() -> impl Strategy<Value = Event> {
    (who(), prop_oneof![4 => Just(MemOrder::SeqCst), 1 => orders()], scopes())
        .prop_map(|(who, order, scope)| Fence { who, order, scope })
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        8 => data(),
        8 => flag(),
        6 => fence(),
        1 => (0u64..3).prop_map(|block| Barrier { block }),
        1 => (0u64..3, 1u32..8).prop_map(|(block, mask)| Warp { block, warp: 0, mask }),
    ]
}

/// Gives each access a place of its own, or one of a few.
fn placed(mut events: Vec<Event>, places: u32) -> Vec<Event> {
    for (n, e) in events.iter_mut().enumerate() {
        if let Access { how, .. } = e {
            how.place = place(n as u32 % places);
        }
    }
    events
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn finds_what_the_reference_finds(events in proptest::collection::vec(event(), 2..48)) {
        let events = placed(events, u32::MAX);
        let expected = Reference::new(&events, &threads()).races();
        let recorder = play(&events);
        let found: BTreeMap<_, _> = recorder
            .pairs
            .values()
            .map(|p| {
                let [a, b] = p.sides.map(|s| number(s.how.place));
                ((a.min(b), a.max(b)), missing(p.lack))
            })
            .collect();
        prop_assert!(found.keys().eq(expected.keys()), "{:?} and not {:?}", found, expected);
        for (pair, lack) in found {
            // Where a side is itself the flag, no other is named.
            prop_assert!(lack.is_none() || lack == expected[&pair], "{:?}: {:?}", pair, lack);
            let flag = |n: usize| strong(&events[n]);
            prop_assert!(flag(pair.0) || flag(pair.1) || lack == expected[&pair], "{:?}", pair);
        }
    }

    #[test]
    fn finds_the_same_places_where_they_recur(events in proptest::collection::vec(event(), 2..120)) {
        let events = placed(events, 7);
        let expected: BTreeSet<_> = Reference::new(&events, &threads())
            .races()
            .into_keys()
            .map(|(a, b)| {
                let key = |n: usize| match events[n] {
                    Access { how, .. } => how,
                    _ => unreachable!(),
                };
                let (a, b) = (key(a), key(b));
                (a.min(b), a.max(b))
            })
            .collect();
        let found: BTreeSet<_> = play(&events)
            .pairs
            .into_values()
            .map(|p| {
                let [a, b] = p.sides.map(|s| s.how);
                (a.min(b), a.max(b))
            })
            .collect();
        prop_assert_eq!(found, expected);
    }
}
