//! The exact tier: replays accesses byte by byte and finds every racing pair.

#[cfg(test)]
mod reference;

use super::log::Event;
use super::{RaceAccess, is_strong};
use cudair_lane::How;
use cudair_lane::fault::AccessOp;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::sync::Arc;

/// A racing pair of places of an interval, with the smallest pair of threads.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The two places; the second is the one that writes where only one does.
    pub(crate) hows: [How; 2],
    /// Linear indices of the threads in the block.
    pub threads: [u32; 2],
    /// What they wrote.
    pub values: [Option<u64>; 2],
    /// The object, by number.
    pub obj: u32,
    /// Where the first bytes that both touch start.
    pub offset: u32,
    /// How many bytes both touch.
    pub bytes: u32,
    /// Whether in every such pair both wrote the same.
    pub(crate) same_value: bool,
    /// Whether the pair of threads named here did.
    witness_same: bool,
    /// Whether the accesses are volatile or atomic, so that it takes more to tell what they are.
    pub strong: bool,
    /// At how many granules.
    pub count: u64,
}

/// One access of one thread to one granule of four bytes. Of accesses that differ in clock and value alone, two are kept.
#[derive(Clone, Copy, Debug)]
struct Record {
    how: How,
    thread: u32,
    start: u32,
    width: u32,
    clock: u32,
    value: Option<u64>,
}

impl Record {
    fn is_like(&self, other: &Record) -> bool {
        let key = |r: &Record| (r.how, r.thread, r.start, r.width);
        key(self) == key(other)
    }
}

/// The accesses to a granule, by warp, in the order in which they came.
type Granule = FxHashMap<u32, Vec<Record>>;

/// Clocks of the lanes of a warp: what lane `i` knows of lane `j`.
type WarpClocks = [[u32; 32]; 32];

/// The tier's state over an interval.
#[derive(Debug)]
pub struct Exact {
    /// Granules to look at; all, if absent.
    filter: Option<Arc<FxHashSet<(u32, u32)>>>,
    granules: FxHashMap<(u32, u32), Granule>,
    clocks: FxHashMap<u32, Box<WarpClocks>>,
    pairs: FxHashMap<[How; 2], Pair>,
    /// For the count: the granules at which a pair was seen.
    seen: FxHashSet<([How; 2], u32, u32)>,
}

impl Exact {
    /// Of the granules of `filter` alone, by object and number, where there is one.
    #[inline]
    pub fn new(filter: Option<Arc<FxHashSet<(u32, u32)>>>) -> Exact {
        Exact {
            filter,
            granules: FxHashMap::default(),
            clocks: FxHashMap::default(),
            pairs: FxHashMap::default(),
            seen: FxHashSet::default(),
        }
    }

    /// The next thing that happened.
    pub(crate) fn feed(&mut self, event: Event) {
        match event {
            Event::Access(acc) => self.access(&acc),
            Event::WarpSync { warp, mask } => self.sync(warp, mask),
        }
    }

    fn clocks(&mut self, warp: u32) -> &mut WarpClocks {
        self.clocks.entry(warp).or_insert_with(|| {
            let mut clocks = Box::new([[0; 32]; 32]);
            (0..32).for_each(|l| clocks[l][l] = 1);
            clocks
        })
    }

    fn sync(&mut self, warp: u32, mask: u32) {
        let clocks = self.clocks(warp);
        let lanes = || (0..32).filter(|l| mask >> l & 1 != 0);
        let mut joined = [0; 32];
        for l in lanes() {
            (0..32).for_each(|i| joined[i] = joined[i].max(clocks[l][i]));
        }
        for l in lanes() {
            clocks[l] = joined;
            clocks[l][l] += 1;
        }
    }

    fn access(&mut self, acc: &RaceAccess) {
        for lane in acc.mask.iter() {
            let start = acc.spot.lane(lane, acc.width);
            let thread = acc.first_thread + lane as u32;
            let value = acc.value(lane);
            for granule in start / 4..(start + acc.width).div_ceil(4) {
                if self.filter.as_ref().is_some_and(|f| !f.contains(&(acc.obj, granule))) {
                    continue;
                }
                let clock = match self.clocks.get(&(thread / 32)) {
                    Some(clocks) => clocks[thread as usize % 32][thread as usize % 32],
                    None => 1,
                };
                let record = Record { how: acc.how, thread, start, width: acc.width, clock, value };
                self.record(acc.obj, granule, record);
            }
        }
    }

    /// Compares an access with those before it, and keeps it.
    ///
    /// Of a place of a thread the last clock is enough: who comes after it comes after the earlier ones, and who does not races
    /// with it in the same way. And two values are enough to tell that another's is not always the same. So what is kept does
    /// not grow with the turns of a loop.
    fn record(&mut self, obj: u32, granule: u32, new: Record) {
        let mut warps = self.granules.remove(&(obj, granule)).unwrap_or_default();
        let own = warps.entry(new.thread / 32).or_default();
        let like: SmallVec<[usize; 2]> = (0..own.len()).filter(|&i| own[i].is_like(&new)).collect();
        let same = like.iter().copied().find(|&i| own[i].value == new.value);
        match same.or_else(|| like.get(1).and_then(|_| like.iter().copied().min_by_key(|&i| own[i].clock))) {
            // Another value: of all warps nothing is known of it.
            None => {
                for old in warps.values().flatten() {
                    self.meets(obj, granule, *old, new);
                }
                warps.entry(new.thread / 32).or_default().push(new);
            }
            // Nothing orders it with other warps, so that it is to these what is known. In its own warp something may have
            // ordered what it replaces.
            Some(known) if own[known].clock != new.clock => {
                own[known] = new;
                for old in &*own {
                    self.meets(obj, granule, *old, new);
                }
            }
            Some(_) => {}
        }
        self.granules.insert((obj, granule), warps);
    }

    /// Notes a race of an access with an earlier one, if they do race.
    fn meets(&mut self, obj: u32, granule: u32, old: Record, new: Record) {
        if self.races(&old, &new, granule) {
            self.pair(obj, granule, old, new);
        }
    }

    /// Whether an access races with an earlier one.
    fn races(&self, old: &Record, new: &Record, granule: u32) -> bool {
        if old.thread == new.thread || !(old.how.op.writes() || new.how.op.writes()) {
            return false;
        }
        // All threads are of one block, which every scope contains.
        if old.how.atomic.is_some() && new.how.atomic.is_some() {
            return false;
        }
        if !meet(granule, (old.start, old.width), (new.start, new.width)) {
            return false;
        }
        let warp = old.thread / 32;
        let same_warp = warp == new.thread / 32;
        let ordered = same_warp
            && self
                .clocks
                .get(&warp)
                .is_some_and(|c| old.clock <= c[new.thread as usize % 32][old.thread as usize % 32]);
        !ordered
    }

    fn pair(&mut self, obj: u32, granule: u32, old: Record, new: Record) {
        // The reader first; of two writers the smaller place, and at one place the smaller thread.
        let key = |r: &Record| (r.how.op != AccessOp::Read, r.how, r.thread);
        let (a, b) = if key(&old) <= key(&new) { (old, new) } else { (new, old) };
        let hows = [a.how, b.how];
        let (from, to) = overlap((a.start, a.width), (b.start, b.width));
        let same_value = a.how.op == AccessOp::Write
            && b.how.op == AccessOp::Write
            && bytes_of(a.value, a.start, from, to)
                .is_some_and(|v| bytes_of(b.value, b.start, from, to) == Some(v));
        // Counted where the common bytes start.
        let is_new = from / 4 == granule && self.seen.insert((hows, obj, granule));
        let fresh = Pair {
            hows,
            threads: [a.thread, b.thread],
            values: [a.value, b.value],
            obj,
            offset: from,
            bytes: to - from,
            same_value,
            witness_same: same_value,
            strong: [a, b].iter().all(|r| is_strong(&r.how, r.start, r.width)),
            count: 0,
        };
        let pair = self.pairs.entry(hows).or_insert_with(|| fresh.clone());
        // A pair of different values shows more than one of equal ones.
        let rank = |p: &Pair| (p.witness_same, p.threads, p.obj, p.offset);
        if rank(&fresh) < rank(pair) {
            *pair = Pair { count: pair.count, same_value: pair.same_value, strong: pair.strong, ..fresh };
        }
        pair.same_value &= same_value;
        pair.strong &= fresh.strong;
        pair.count += u64::from(is_new);
    }

    /// What was found, in the order of the places.
    #[inline]
    pub fn pairs(&self) -> Vec<Pair> {
        let mut pairs: Vec<Pair> = self.pairs.values().cloned().collect();
        for pair in &mut pairs {
            pair.count = pair.count.max(1);
        }
        pairs.sort_by_key(|p| p.hows);
        pairs
    }
}

/// The bytes that two accesses both touch, given their starts and widths.
#[inline]
pub fn overlap(a: (u32, u32), b: (u32, u32)) -> (u32, u32) {
    (a.0.max(b.0), (a.0 + a.1).min(b.0 + b.1))
}

/// Whether two accesses, given their starts and widths, both touch bytes of a granule of four.
#[inline]
pub fn meet(granule: u32, a: (u32, u32), b: (u32, u32)) -> bool {
    let (from, to) = overlap(a, b);
    from.max(granule * 4) < to.min(granule * 4 + 4)
}

/// The bytes `from..to` of the object as a write left them.
pub(crate) fn bytes_of(value: Option<u64>, start: u32, from: u32, to: u32) -> Option<u64> {
    let bits = value? >> (8 * (from - start));
    Some(if to - from >= 8 { bits } else { bits & ((1 << (8 * (to - from))) - 1) })
}
