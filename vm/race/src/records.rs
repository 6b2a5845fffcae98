//! The exact tier of a launch that runs for the second time: accesses to suspected granules, each compared
//! with those before it.
//!
//! Kept are, per granule, place and bytes, the accesses of different threads, the last of each. Where they
//! become many, those go first that happened before the new one: what races with such a one races with the
//! new one too, or is ordered after both. Then those go of which there are the most: of the block with the
//! most, the warp with the most, the greatest thread. So some of each warp and of each block stay, and the
//! smallest threads.

#[cfg(test)]
mod growth;
#[cfg(test)]
mod reference;

mod lifetime;
mod rules;
mod versions;

pub use lifetime::Absent;
pub(crate) use lifetime::Outlived;
pub use rules::ReadUses;

use super::clock::Epoch;
use super::exact::{bytes_of, meet, overlap};
use super::order::{
    Granule, NEITHER, NO_ACQUIRE, NO_RELEASE, NO_SCOPE, Object, Order, STRICT, Strong, SyncEdge, Who,
};
use super::{RaceAccess, is_strong};
use cudair_ir::{Kind, MemOrder, Scope, ThreadCoord};
use cudair_lane::fault::{AccessOp, LaunchRef, ObjectInfo, Place};
use cudair_lane::{How, Mask};
use cudair_report::{Missing, RaceNote, RaceSide, Violation};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::sync::Arc;
use versions::{Observer, Versions};

/// Accesses kept at one place to the same bytes.
const KEPT: usize = 64;

/// An access of a thread.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Record {
    who: Who,
    at: Epoch,
    value: Option<u64>,
    /// Of a strong access, the number of its granule's next strong write then, from 1; otherwise 0.
    version: u64,
    /// Whether it made that write.
    wrote: bool,
    /// Whether that ended an update: see [`rules`].
    update: bool,
}

/// The accesses at one place to the same bytes.
#[derive(Debug)]
struct Class {
    how: How,
    /// The number of the way.
    number: u32,
    start: u32,
    width: u32,
    /// Of strong accesses: whether they wrote.
    wrote: bool,
    /// In the order of the threads.
    records: Vec<Record>,
    /// Classes with which races were found here, by number: a bit each.
    met: SmallVec<[u64; 1]>,
}

impl Class {
    fn has_met(&self, class: usize) -> bool {
        self.met.get(class / 64).is_some_and(|bits| bits >> (class % 64) & 1 != 0)
    }

    fn meet(&mut self, class: usize) {
        if self.met.len() <= class / 64 {
            self.met.resize(class / 64 + 1, 0);
        }
        self.met[class / 64] |= 1 << (class % 64);
    }
}

/// One side of a pair.
#[derive(Clone, Copy, Debug)]
struct Side {
    how: How,
    start: u32,
    width: u32,
    who: Who,
    value: Option<u64>,
}

impl Side {
    fn of(how: How, start: u32, width: u32, r: &Record) -> Side {
        Side { how, start, width, who: r.who, value: r.value }
    }
}

/// What a pair shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Lack {
    /// Nothing that orders them was tried.
    Order,
    Release(SyncEdge),
    Both(SyncEdge),
    Scope(SyncEdge),
    Acquire(SyncEdge),
}

/// A racing pair of places with the least pair of threads.
#[derive(Clone, Copy, Debug)]
struct Pair {
    sides: [Side; 2],
    object: Object,
    from: u32,
    to: u32,
    /// Of the pair named here: whether both wrote one value, and what it lacks.
    same: bool,
    lack: Lack,
    violation: Violation,
    /// Whether each pair was of one value.
    all_same: bool,
    /// Whether each pair was, or lacked no more than a fence after the read.
    mild: bool,
    count: u64,
}

impl Pair {
    /// Whether another pair of threads, of this granule, may change what the pair of places shows: it stands for
    /// the worst, of those for the least threads, and tells of all whether they are of one value and mild. The
    /// granule is counted, and what the threads lack is not known yet, so that it may be the worst.
    fn may_change(&self, same: bool, who: [Who; 2], object: Object, from: u32) -> bool {
        let worst = (same, Reverse(Violation::Unordered), same, who, object, from);
        !same && (self.all_same || self.mild) || worst < self.rank()
    }

    /// The least shows the most: a severe pair shows more than a mild one, different values more than equal ones.
    fn rank(&self) -> (bool, Reverse<Violation>, bool, [Who; 2], Object, u32) {
        let mild = self.is_mild();
        (mild, Reverse(self.violation), self.same, self.sides.map(|s| s.who), self.object, self.from)
    }

    fn is_mild(&self) -> bool {
        self.same
            || matches!(self.lack, Lack::Acquire(_))
            || matches!(self.violation, Violation::StaleValue | Violation::Guess)
    }

    /// Whether only lesser threads may change it.
    fn is_settled(&self) -> bool {
        !(self.all_same || self.mild || self.is_mild() || self.same)
    }
}

/// The grid in clusters of blocks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clusters {
    /// Blocks of the grid.
    pub grid: [u32; 3],
    /// Blocks of a cluster, 1 each where there are none.
    pub dims: [u32; 3],
}

impl Clusters {
    /// The number of a block's cluster.
    fn of(&self, block: u64) -> u64 {
        if self.dims == [1; 3] {
            return block;
        }
        let index = cudair_lane::block_index(self.grid, block);
        let [x, y, z] = [0, 1, 2].map(|d| u64::from(index[d] / self.dims[d].max(1)));
        let [nx, ny] = [0, 1].map(|d| u64::from(self.grid[d] / self.dims[d].max(1)));
        x + nx * (y + ny * z)
    }
}

/// The accesses of a launch to suspected granules.
#[derive(Debug)]
pub(crate) struct Recorder {
    order: Order,
    clusters: Clusters,
    lifetimes: lifetime::Lifetimes,
    filter: FxHashSet<Granule>,
    /// Whose granules these are.
    suspects: FxHashSet<Object>,
    granules: FxHashMap<Granule, Vec<Class>>,
    versions: FxHashMap<Granule, Versions>,
    /// The numbers of the ways in which memory is accessed.
    hows: FxHashMap<How, u32>,
    /// By the numbers of the ways of their sides.
    pairs: FxHashMap<[u32; 2], Pair>,
    seen: FxHashSet<([u32; 2], Granule)>,
    /// Granules of single blocks that are in use, by owner.
    owned: FxHashMap<u64, Vec<Granule>>,
    /// Pairs of accesses that were compared.
    #[cfg(test)]
    compared: u64,
    /// All of them are.
    #[cfg(test)]
    thorough: bool,
    /// The order of the atomic operation about to be made.
    next: MemOrder,
    lockstep: bool,
    /// What a compare-and-swap makes good is noted.
    pub strict: bool,
    /// How often each place has touched suspected granules, since a new pair was found there.
    effort: FxHashMap<How, u32>,
    /// What becomes of what is read.
    uses: ReadUses,
    /// The same for the places met so far.
    usages: FxHashMap<How, rules::Usage>,
    /// Of the stores that end updates: where they may begin.
    fed: FxHashMap<Place, Vec<Place>>,
    /// What the last reads of threads have missed, where a store may depend on them.
    missed: FxHashMap<Granule, rules::MissedBy>,
    /// Where records were dropped for others, so that a race with them is not seen.
    dropped: FxHashSet<Granule>,
    /// Places at which only some granules were looked at.
    thinned: FxHashSet<Place>,
}

/// How often a place touches suspected granules before only some of these are looked at, ever fewer.
const EFFORT: u32 = 1 << 16;

impl Recorder {
    pub fn new(filter: FxHashSet<Granule>, lockstep: bool, clusters: Clusters, uses: ReadUses) -> Recorder {
        Recorder {
            order: Order::new(clusters.dims != [1; 3]),
            clusters,
            lifetimes: lifetime::Lifetimes::default(),
            suspects: filter.iter().map(|g| g.0).collect(),
            filter,
            granules: FxHashMap::default(),
            versions: FxHashMap::default(),
            hows: FxHashMap::default(),
            pairs: FxHashMap::default(),
            seen: FxHashSet::default(),
            owned: FxHashMap::default(),
            #[cfg(test)]
            compared: 0,
            #[cfg(test)]
            thorough: false,
            next: MemOrder::Relaxed,
            lockstep,
            strict: false,
            effort: FxHashMap::default(),
            uses,
            usages: FxHashMap::default(),
            fed: FxHashMap::default(),
            missed: FxHashMap::default(),
            dropped: FxHashSet::default(),
            thinned: FxHashSet::default(),
        }
    }

    /// At how many words records were dropped.
    #[inline]
    pub fn dropped(&self) -> u64 {
        self.dropped.len() as u64
    }

    /// Places of which accesses to some suspected words were not looked at.
    #[inline]
    pub fn thinned(&self) -> impl Iterator<Item = Place> + '_ {
        self.thinned.iter().copied()
    }

    /// All live threads of a block have met.
    #[inline]
    pub fn barrier(&mut self, block: u64) {
        self.order.barrier(block);
    }

    /// Lanes of a warp have met.
    #[inline]
    pub fn warp_sync(&mut self, block: u64, warp: u32, mask: u32) {
        self.order.warp_sync(block, warp, mask);
    }

    /// Threads execute a fence.
    #[inline]
    pub fn fence(&mut self, block: u64, first: u32, mask: &Mask, order: MemOrder, scope: Scope) {
        for lane in mask.iter() {
            self.order.fence(Who { block, thread: first + lane as u32 }, order, scope);
        }
    }

    /// The next atomic operation has an order of its own.
    pub(crate) fn next_order(&mut self, order: MemOrder) {
        self.next = order;
    }

    /// A block has ended.
    #[inline]
    pub fn end_block(&mut self, block: u64) {
        self.order.end_block(block);
        self.order.end_cluster(self.clusters.of(block));
        for granule in self.owned.remove(&(block + 1)).unwrap_or_default() {
            self.granules.remove(&granule);
            self.versions.remove(&granule);
            self.missed.remove(&granule);
        }
    }

    /// An access by lanes of a block to a variable of `owner` (see [`Object`]).
    pub fn access(&mut self, owner: u64, block: u64, acc: &RaceAccess) {
        let object = Object { owner, number: acc.obj };
        let how = acc.how;
        let aside = how.is_plain() && !self.suspects.contains(&object);
        if aside && !(how.op.writes() && self.order.has_messages(object)) {
            return;
        }
        let order = if how.atomic.is_some() {
            std::mem::replace(&mut self.next, MemOrder::Relaxed)
        } else {
            MemOrder::Relaxed
        };
        let effort = self.effort.get(&how).copied().unwrap_or_default();
        let thin = (effort / EFFORT).min(8);
        let mut spent = 0;
        let mut untold = thin > 0 && !self.thinned.contains(&how.place);
        // An atomic operation whose result nobody uses observes nothing, and neither does a read that only goes
        // into what is stored at its place.
        let usage = self.usage(&how);
        let next = self.hows.len() as u32;
        let number = *self.hows.entry(how).or_insert(next);
        for lane in acc.mask.iter() {
            let start = acc.spot.lane(lane, acc.width);
            let who = Who { block, thread: acc.first_thread + lane as u32 };
            let end = start.saturating_add(acc.width);
            let strong = is_strong(&how, start, acc.width);
            let writes = how.op.writes() && !acc.failed.is_some_and(|m| m.contains(lane));
            let scope = how.atomic.unwrap_or(Scope::System);
            let access = Strong { who, object, start, width: acc.width, scope, order, place: how.place };
            // An operation that acquires has done so when it writes.
            if strong && usage.learns {
                self.order.strong_read(&access);
            }
            for granule in start / 4..end.div_ceil(4) {
                let granule = (object, granule);
                // Of a place that nothing new has come from for long, some granules: strong accesses tell more than
                // their races, and all of them count.
                let skip = !strong && granule.1.wrapping_mul(0x9e37_79b1).leading_zeros() < thin;
                // What nobody suspects costs nothing.
                if !self.filter.contains(&granule) {
                    continue;
                }
                spent += 1;
                if skip && untold {
                    self.thinned.insert(how.place);
                    untold = false;
                }
                if !skip {
                    let at = self.order.now(who);
                    let version = if strong { self.version(granule) + 1 } else { 0 };
                    let wrote = strong && writes;
                    let record = Record { who, at, value: acc.value(lane), version, wrote, update: false };
                    self.record(granule, (how, number), (start, acc.width), record);
                    if strong && usage.learns {
                        let versions = self.versions.entry(granule).or_default();
                        if versions.read(who, at, reach(&how), usage.waits) {
                            self.dropped.insert(granule);
                        }
                    }
                    if strong && writes {
                        let goes_on = how.op == AccessOp::Atomic;
                        let full = self.versions.entry(granule).or_default().strong_write(who, goes_on);
                        if full {
                            self.dropped.insert(granule);
                        }
                    } else if writes && let Some(versions) = self.versions.get_mut(&granule) {
                        versions.weak_write();
                    }
                }
            }
            if strong && writes {
                self.order.strong_write(&access, how.op == AccessOp::Atomic);
            } else if !strong && how.op.writes() && self.order.has_messages(object) {
                self.order.weak_write(object, start, acc.width);
            }
        }
        if spent > 0 {
            self.effort.insert(how, effort.saturating_add(spent));
        }
    }

    /// Whether a scope of one block's threads holds another's.
    fn holds(&self, scope: Scope, a: u64, b: u64) -> bool {
        match scope {
            _ if a == b => true,
            Scope::Block => false,
            Scope::Cluster => self.clusters.of(a) == self.clusters.of(b),
            Scope::Device | Scope::System => true,
        }
    }

    fn version(&self, granule: Granule) -> u64 {
        self.versions.get(&granule).map_or(0, |v| v.last)
    }

    /// Whether a strong access was followed by a write that was observed by a read that happened before what a
    /// thread does now.
    fn was_observed(&self, granule: Granule, how: &How, old: &Record, who: Who, waits: bool) -> bool {
        let near = |o: &Observer| {
            (o.waits || !waits)
                && self.holds(o.reach, o.who.block, old.who.block)
                && self.holds(reach(how), o.who.block, old.who.block)
        };
        old.version != 0
            && self.versions.get(&granule).is_some_and(|v| {
                let Some(view) = self.order.view(who) else { return false };
                let before = |o: &&Observer| o.who == who || view.knows(STRICT, o.who, o.at);
                v.observers.iter().rev().filter(before).any(|o| near(o) && v.saw(o, old))
            })
    }

    fn record(
        &mut self,
        granule: Granule,
        (how, number): (How, u32),
        (start, width): (u32, u32),
        mut new: Record,
    ) {
        let classes = self.granules.entry(granule).or_insert_with(|| {
            if granule.0.owner != 0 {
                self.owned.entry(granule.0.owner).or_default().push(granule);
            }
            Vec::new()
        });
        // A compare-and-swap that stored is told apart from one that did not.
        let key = (number, start, width, new.wrote);
        let same = |c: &Class| (c.number, c.start, c.width, c.wrote) == key;
        let n = match classes.iter().position(same) {
            Some(n) => n,
            None => {
                let met = SmallVec::new();
                classes.push(Class { how, number, start, width, wrote: new.wrote, records: Vec::new(), met });
                classes.len() - 1
            }
        };
        let found = classes[n].records.binary_search_by_key(&new.who, |r| r.who);
        new.update = rules::is_update(&self.fed, &self.usages, classes, &how, (start, width), new.who);
        // What a read has missed, and with it what an update loses, changes with each.
        let is_alike = !new.update && !self.usages.get(&how).is_some_and(|u| u.feeds);
        // Another time at the same moment: what there is to compare has been compared.
        if let Ok(i) = found {
            let old = &mut classes[n].records[i];
            if is_alike && old.at == new.at && (old.value == new.value || old.value.is_none()) {
                *old = Record { value: old.value, ..new };
                return;
            }
            if old.at == new.at {
                // Several values, none of which is that of another thread for sure.
                new.value = None;
            }
        }
        let mut classes = std::mem::take(classes);
        if new.update {
            self.lose(granule, Side::of(how, start, width, &new), &new);
        }
        self.miss(granule, &classes, how, (start, width), &new);
        for m in 0..classes.len() {
            let class = &classes[m];
            if self.conflict(granule, class, how, (start, width))
                && self.compare_with(
                    granule,
                    class,
                    classes[n].has_met(m),
                    (how, number),
                    (start, width),
                    &new,
                )
            {
                classes[n].meet(m);
                classes[m].meet(n);
            }
        }
        let records = &mut classes[n].records;
        match found {
            Ok(i) => records[i] = new,
            Err(i) => records.insert(i, new),
        }
        if records.len() > KEPT {
            if let Some(view) = self.order.view(new.who) {
                let strangers = !view.knows_others(STRICT);
                let unknown = |r: &Record| strangers && r.who.block != new.who.block;
                records.retain(|r| r.who == new.who || unknown(r) || !view.knows(STRICT, r.who, r.at));
            }
            if records.len() > KEPT {
                drop_one(records);
                self.dropped.insert(granule);
            }
        }
        self.granules.insert(granule, classes);
    }

    /// Compares an access with those of a class, as far as that may tell something new: all of them, or, where the
    /// two have `met` here, those that may change what their pair shows. Whether a race was found.
    fn compare_with(
        &mut self,
        granule: Granule,
        class: &Class,
        met: bool,
        (how, number): (How, u32),
        (start, width): (u32, u32),
        new: &Record,
    ) -> bool {
        let is_first = |old: &Record| is_first((class.how, old.who), (how, new.who));
        let (from, to) = overlap((class.start, class.width), (start, width));
        let who = |old: &Record| if is_first(old) { [old.who, new.who] } else { [new.who, old.who] };
        let (Some(first), Some(last)) = (class.records.first(), class.records.last()) else { return false };
        let key = if is_first(first) { [class.number, number] } else { [number, class.number] };
        // What volatile accesses are differs from pair to pair.
        let spares = !class.how.volatile && !how.volatile;
        #[cfg(test)]
        let spares = spares && !self.thorough;
        let mut pair = self.pairs.get(&key).copied().filter(|_| met && spares);
        // The records are in the order of the threads, so that the first makes the least pair.
        if let Some(p) = &pair
            && p.is_settled()
            && is_first(first) == is_first(last)
            && !p.may_change(false, who(first), granule.0, from)
        {
            return false;
        }
        let mut any = false;
        for old in &class.records {
            if let Some(p) = &pair {
                let same =
                    are_same((&class.how, class.start, old.value), (&how, start, new.value), (from, to));
                if !p.may_change(same, who(old), granule.0, from) {
                    continue;
                }
            }
            if self.compare(granule, class, old, (how, number), (start, width), new) {
                any = true;
                pair = self.pairs.get(&key).copied().filter(|_| spares);
            }
        }
        any
    }

    /// Whether accesses of two classes can race, threads aside.
    fn conflict(&self, (_, granule): Granule, class: &Class, how: How, (start, width): (u32, u32)) -> bool {
        let meets = meet(granule, (class.start, class.width), (start, width));
        if !meets || !(class.how.op.writes() || how.op.writes()) {
            return false;
        }
        let in_grid = |how: &How| !matches!(reach(how), Scope::Block | Scope::Cluster);
        let far = |how: &How| how.atomic.is_none() || in_grid(how);
        let same_bytes = (class.start, class.width) == (start, width);
        if same_bytes && far(&class.how) && far(&how) && self.is_guess(&class.how, &how) {
            return self.strict;
        }
        let strong = is_strong(&class.how, class.start, class.width) && is_strong(&how, start, width);
        let relaxed = strong && in_grid(&class.how) && in_grid(&how);
        !relaxed || self.may_conflict(&class.how, &how)
    }

    /// Compares two accesses. Whether they race.
    fn compare(
        &mut self,
        granule: Granule,
        class: &Class,
        old: &Record,
        (how, number): (How, u32),
        (start, width): (u32, u32),
        new: &Record,
    ) -> bool {
        #[cfg(test)]
        {
            self.compared += 1;
        }
        if old.who == new.who || self.order.is_before(STRICT, old.who, old.at, new.who) {
            return false;
        }
        let same_warp = old.who.block == new.who.block && old.who.thread / 32 == new.who.thread / 32;
        let held = |how: &How| how.is_plain() || self.holds(reach(how), old.who.block, new.who.block);
        let held = held(&class.how) && held(&how);
        let both = is_strong(&class.how, class.start, class.width) && is_strong(&how, start, width);
        if new.update && both && class.how.op.writes() {
            // What its read has missed tells that.
            return false;
        }
        let of_class = (&class.how, (class.start, class.width), old.update);
        let of_new = (&how, (start, width), new.update);
        let Some(violation) = self.judge([of_class, of_new], (granule.0.owner == 0, same_warp, held)) else {
            return false;
        };
        if self.was_observed(granule, &class.how, old, new.who, false) {
            return false;
        }
        let (a, b) = (Side::of(class.how, class.start, class.width, old), Side::of(how, start, width, new));
        self.found(granule, in_order((a, class.number), (b, number)), old, new, violation);
        true
    }

    /// What orders the two under forgiving rules.
    fn lack(&self, sides: &[Side; 2], old: &Record, new: &Record) -> Lack {
        // What a lost update lacks came too late: after the read.
        if self.order.is_before(STRICT, old.who, old.at, new.who) {
            return Lack::Order;
        }
        type Make = fn(SyncEdge) -> Lack;
        let rules: [(usize, Make); 4] = [
            (NO_ACQUIRE, Lack::Acquire),
            (NO_SCOPE, Lack::Scope),
            (NO_RELEASE, Lack::Release),
            (NEITHER, Lack::Both),
        ];
        for (rules, make) in rules {
            if self.order.is_before(rules, old.who, old.at, new.who)
                && let Some(way) = self.order.way(rules, old.who, old.at, new.who)
            {
                // Where a side is itself the flag, no other flag is to blame.
                let is_side = sides.iter().any(|s| s.how.place == way.write || s.how.place == way.read);
                return if is_side { Lack::Order } else { make(way) };
            }
        }
        Lack::Order
    }

    fn found(
        &mut self,
        granule: Granule,
        (sides, numbers): ([Side; 2], [u32; 2]),
        old: &Record,
        new: &Record,
        violation: Violation,
    ) {
        let hows = sides.map(|s| s.how);
        let [a, b] = &sides;
        let (from, to) = overlap((a.start, a.width), (b.start, b.width));
        let same = violation == Violation::Unordered
            && are_same((&a.how, a.start, a.value), (&b.how, b.start, b.value), (from, to));
        let who = sides.map(|s| s.who);
        let is_new = self.seen.insert((numbers, granule));
        let lack = match self.pairs.get(&numbers) {
            // What it lacks matters only if it may be the one to tell of, or the worst.
            Some(p) if !p.mild && (p.same, p.sides.map(|s| s.who)) <= (same, who) => Lack::Order,
            _ => self.lack(&sides, old, new),
        };
        let fresh = Pair {
            sides,
            object: granule.0,
            from,
            to,
            same,
            lack,
            violation,
            all_same: same,
            mild: false,
            count: 0,
        };
        let fresh = Pair { mild: fresh.is_mild(), ..fresh };
        let pair = self.pairs.entry(numbers).or_insert_with(|| {
            for how in &hows {
                self.effort.remove(how);
            }
            fresh
        });
        let (all_same, mild, count) = (pair.all_same && same, pair.mild && fresh.mild, pair.count);
        if fresh.rank() < pair.rank() {
            *pair = fresh;
        }
        (pair.all_same, pair.mild, pair.count) = (all_same, mild, count + u64::from(is_new));
    }

    /// What touched memory of blocks that may not have been there, in the order of the places.
    pub(crate) fn outlived(&mut self) -> Vec<Outlived> {
        std::mem::take(&mut self.lifetimes).finish()
    }

    /// What was found, in the order of the places.
    pub fn finish(
        self,
        launch: Option<LaunchRef>,
        coord: impl Fn(Who) -> ThreadCoord,
        mut info: impl FnMut(Object) -> Option<Arc<ObjectInfo>>,
    ) -> Vec<RaceNote> {
        let mut pairs: Vec<Pair> = self.pairs.into_values().collect();
        pairs.sort_by_key(|p| (p.sides.map(|s| s.how), p.object, p.from));
        let order = self.order;
        let relaxed = |place: &Place| order.is_arrival(place);
        let note = |p: Pair| {
            let [a, b] = p.sides.map(|s| s.who);
            Some(RaceNote {
                kind: if p.object.owner == 0 { Kind::GlobalRace } else { Kind::SharedRace },
                sides: p.sides.map(|s| side(s.how, coord(s.who), s.value)),
                object: info(p.object)?,
                offset: u64::from(p.from),
                bytes: p.to - p.from,
                same_warp: a.block == b.block && a.thread / 32 == b.thread / 32,
                same_value: p.all_same,
                violation: p.violation,
                mild: p.mild,
                missing: match p.lack {
                    Lack::Order => None,
                    Lack::Release(w) | Lack::Both(w) if relaxed(&w.write) => {
                        Some((Missing::Arrival, w.write, w.read))
                    }
                    Lack::Release(w) => Some((Missing::Release, w.write, w.read)),
                    Lack::Both(w) => Some((Missing::Both, w.write, w.read)),
                    Lack::Scope(w) => Some((Missing::Scope, w.write, w.read)),
                    Lack::Acquire(w) => Some((Missing::Acquire, w.write, w.read)),
                },
                launch,
                count: p.count.max(1),
            })
        };
        pairs.into_iter().filter_map(note).collect()
    }
}

/// Drops a record of which there are the most: records are in the order of the threads, so that those of a block,
/// and of a warp within it, stand in a row.
fn drop_one(records: &mut Vec<Record>) {
    /// The last of the longest rows of equal keys.
    fn longest(records: &[Record], key: impl Fn(&Record) -> u64) -> &[Record] {
        let rows = records.chunk_by(|a, b| key(a) == key(b));
        rows.max_by_key(|row| row.len()).unwrap_or_default()
    }
    let block = longest(records, |r| r.who.block);
    let warp = longest(block, |r| u64::from(r.who.thread / 32));
    // The greatest thread of the warp is the row's last.
    if let Some(last) = warp.last().map(|r| r.who)
        && let Ok(n) = records.binary_search_by_key(&last, |r| r.who)
    {
        records.remove(n);
    }
}

/// Which of two accesses is told first: the reader; of two writers that at the smaller place, and at one place that
/// of the smaller thread.
fn is_first(a: (How, Who), b: (How, Who)) -> bool {
    let key = |(how, who): (How, Who)| (how.op != AccessOp::Read, how, who);
    key(a) <= key(b)
}

/// Two sides with the numbers of their ways, in the order in which they are told.
fn in_order(a: (Side, u32), b: (Side, u32)) -> ([Side; 2], [u32; 2]) {
    let (first, second) = if is_first((a.0.how, a.0.who), (b.0.how, b.0.who)) { (a, b) } else { (b, a) };
    ([first.0, second.0], [first.1, second.1])
}

/// Whether two plain writes, each with its place and its value, put the same into the bytes that they share.
fn are_same(a: (&How, u32, Option<u64>), b: (&How, u32, Option<u64>), (from, to): (u32, u32)) -> bool {
    let bytes = |(_, start, value): (&How, u32, Option<u64>)| bytes_of(value, start, from, to);
    a.0.op == AccessOp::Write && b.0.op == AccessOp::Write && bytes(a).is_some_and(|v| bytes(b) == Some(v))
}

fn side(how: How, thread: ThreadCoord, value: Option<u64>) -> RaceSide {
    RaceSide {
        place: how.place,
        op: how.op,
        atomic: how.atomic.is_some(),
        volatile: how.volatile,
        thread,
        value,
    }
}

/// To which threads a strong access is so.
fn reach(how: &How) -> Scope {
    match how.atomic {
        Some(scope) => scope,
        None if how.volatile => Scope::System,
        None => Scope::Block,
    }
}
