//! What an operation or the host has touched, byte-exact: for each object and way of access, runs of bytes
//! that know which thread touched which of them.
//!
//! Threads that go over an array side by side make one run of it, whichever strips and blocks they are of: what
//! is kept of a launch over a large array is mostly a handful of runs.

use super::{AddressPattern, RaceAccess};
use cudair_ir::Scope;
use cudair_lane::fault::AccessOp;
use cudair_lane::{How, StripShape};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Runs from which on a list is put in order for the first time.
const TIDY: usize = 1 << 10;
/// Runs of a list in order from which on it no longer tells who touched what; from eight times as many on it
/// takes no more.
const MANY: usize = 1 << 19;

/// The bytes `start..end` of an object: thread `who` has touched the `width` bytes from `origin` on, thread
/// `who + 1` the next, and so on. With a width of 0 `who` has touched all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Run {
    start: u32,
    end: u32,
    origin: u32,
    width: u32,
    who: u64,
}

impl Run {
    /// The number of the element that holds a byte of the run.
    fn element(&self, byte: u32) -> u32 {
        (byte - self.origin).checked_div(self.width).unwrap_or(0)
    }

    /// Who touched a byte of it.
    fn owner(&self, byte: u32) -> u64 {
        self.who + u64::from(self.element(byte))
    }

    /// The bytes that the owner of a byte touched with it.
    fn around(&self, byte: u32) -> (u32, u32) {
        if self.width == 0 {
            return (self.start, self.end);
        }
        let first = self.origin + self.element(byte) * self.width;
        (first, first + self.width)
    }

    /// Where thread 0 would be on the line that the threads make: runs of one line have one number.
    fn line(&self) -> i128 {
        match self.width {
            0 => i128::from(self.who),
            w => i128::from(self.origin) - i128::from(self.who) * i128::from(w),
        }
    }

    /// Whether `next`, which starts where this ends, goes on with it.
    fn goes_on(&self, next: &Run) -> bool {
        self.end == next.start && self.width == next.width && self.line() == next.line()
    }
}

/// Runs of one object.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    list: Vec<Run>,
    tidy_at: usize,
    /// There are too many of them: nobody knows any more who touched them.
    nameless: bool,
    full: bool,
}

/// Bytes that two lists of runs have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Common {
    /// The first of them, up to the end of the two accesses that meet there.
    pub offset: u32,
    /// How many they are.
    pub bytes: u32,
    /// Who touched it, where that is known.
    pub who: [Option<u64>; 2],
    /// Where the two accesses start.
    pub starts: [u32; 2],
    /// Elements touched by both.
    pub count: u64,
}

impl Runs {
    /// Adds a run. False where nothing of it is new.
    fn push(&mut self, run: Run) -> bool {
        if let Some(last) = self.list.last_mut() {
            if last.goes_on(&run) {
                last.end = run.end;
                return true;
            }
            if last.start <= run.start
                && run.end <= last.end
                && last.width == run.width
                && last.owner(run.start) <= run.who
            {
                return false;
            }
        }
        if self.full {
            return false;
        }
        self.list.push(run);
        if self.list.len() >= self.tidy_at.max(TIDY) {
            self.tidy();
            self.tidy_at = 2 * self.list.len();
        }
        true
    }

    /// Adds bytes that no thread stands for.
    #[inline]
    pub fn add(&mut self, start: u32, end: u32) -> bool {
        start < end && self.push(Run { start, end, origin: start, width: 0, who: 0 })
    }

    /// Puts the runs in order, without overlaps: of several threads at a byte the smallest is kept.
    fn tidy(&mut self) {
        let mut runs = std::mem::take(&mut self.list);
        runs.sort_unstable_by_key(|r| (r.start, r.end, r.who, r.origin, r.width));
        let mut list: Vec<Run> = Vec::new();
        let mut put = |run: Run| match list.last_mut() {
            Some(last) if last.goes_on(&run) => last.end = run.end,
            _ => list.push(run),
        };
        if runs.windows(2).all(|w| w[0].end <= w[1].start) {
            runs.into_iter().for_each(put);
        } else {
            // From left to right; of the runs at a byte the best is on top.
            let mut open: BinaryHeap<Reverse<((u64, i128), usize)>> = BinaryHeap::new();
            let (mut at, mut next) = (0, 0);
            loop {
                while open.peek().is_some_and(|&Reverse((_, n))| runs[n].end <= at) {
                    open.pop();
                }
                if open.is_empty() {
                    match runs.get(next) {
                        Some(run) => at = run.start,
                        None => break,
                    }
                }
                while let Some(run) = runs.get(next).filter(|r| r.start <= at) {
                    // What they are compared by does not change along a line.
                    let key = if run.width == 0 { (run.who, 0) } else { (0, -run.line()) };
                    open.push(Reverse((key, next)));
                    next += 1;
                }
                let Some(&Reverse((_, top))) = open.peek() else { break };
                let until = runs.get(next).map_or(u32::MAX, |r| r.start).min(runs[top].end);
                put(Run { start: at, end: until, ..runs[top] });
                at = until;
            }
        }
        if list.len() > MANY && !self.nameless {
            self.nameless = true;
            let mut merged: Vec<Run> = Vec::new();
            for run in list {
                match merged.last_mut() {
                    Some(last) if last.end == run.start => last.end = run.end,
                    _ => merged.push(Run { origin: run.start, width: 0, who: 0, ..run }),
                }
            }
            list = merged;
        }
        self.full |= list.len() > 8 * MANY;
        self.list = list;
    }

    /// The first byte and the one after the last, once the runs are in order.
    fn bounds(&self) -> Option<(u32, u32)> {
        Some((self.list.first()?.start, self.list.last()?.end))
    }

    /// What two lists, both in order, have in common.
    fn common(&self, other: &Runs) -> Option<Common> {
        let ((from, to), (from2, to2)) = (self.bounds()?, other.bounds()?);
        if from.max(from2) >= to.min(to2) {
            return None;
        }
        let mut first: Option<Common> = None;
        let (mut i, mut j) = (0, 0);
        while let (Some(a), Some(b)) = (self.list.get(i), other.list.get(j)) {
            let (start, end) = (a.start.max(b.start), a.end.min(b.end));
            if start < end {
                let known = first.get_or_insert_with(|| {
                    let (x, y) = (a.around(start), b.around(start));
                    let bytes = end.min(x.1).min(y.1) - start;
                    let who =
                        |runs: &Runs, run: &Run| (run.width != 0 && !runs.nameless).then(|| run.owner(start));
                    let who = [who(self, a), who(other, b)];
                    Common { offset: start, bytes, who, starts: [x.0, y.0], count: 0 }
                });
                let element = match (a.width, b.width) {
                    (0, 0) => end - start,
                    (0, w) | (w, 0) => w,
                    (x, y) => x.min(y),
                };
                known.count += u64::from((end - start).div_ceil(element));
            }
            if a.end <= b.end {
                i += 1;
            } else {
                j += 1;
            }
        }
        first
    }
}

/// What was written at one place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Written {
    /// Nothing so far.
    #[default]
    Nothing,
    /// This value of so many bytes, each time.
    Always(u64, u32),
    /// Several values, or unknown ones.
    Mixed,
}

/// The accesses to one object in one way.
#[derive(Clone, Debug)]
pub struct Class {
    /// The object, by number.
    pub obj: u32,
    /// How the accesses are made.
    pub how: How,
    runs: Runs,
    written: Written,
}

impl Class {
    /// No access yet.
    #[inline]
    pub fn new(obj: u32, how: How) -> Class {
        Class { obj, how, runs: Runs::default(), written: Written::default() }
    }

    /// The bytes that both touch. Both must be in order.
    #[inline]
    pub fn common(&self, other: &Class) -> Option<Common> {
        self.runs.common(&other.runs)
    }

    /// The value that both have always written, where they have.
    pub(crate) fn same_value(&self, other: &Class, at: &Common) -> Option<u64> {
        let (Written::Always(x, n), Written::Always(y, m)) = (self.written, other.written) else {
            return None;
        };
        let low = |v: u64, n: u32| v.to_le_bytes()[..n.min(8) as usize].to_vec();
        let (a, b) = (low(x, n), low(y, m));
        let uniform = |v: &[u8]| v.iter().all(|&byte| Some(&byte) == v.first());
        let alike = n == m && x == y && at.starts[0] % n == at.starts[1] % n
            || uniform(&a) && uniform(&b) && a.first() == b.first();
        alike.then_some(if n >= m { x } else { y })
    }

    /// Adds bytes that no thread stands for. False where none of them is new.
    #[inline]
    pub fn add(&mut self, start: u32, end: u32) -> bool {
        if self.how.op != AccessOp::Read {
            self.written = Written::Mixed;
        }
        self.runs.add(start, end)
    }

    /// Puts it in order.
    pub(crate) fn tidy(&mut self) {
        self.runs.tidy();
    }
}

/// What an operation touches while it runs.
#[derive(Debug, Default)]
pub struct Touches {
    classes: Vec<Class>,
    index: FxHashMap<(u32, How), usize>,
    /// A thread executed a fence beyond its block.
    pub fenced: bool,
}

impl Touches {
    fn class(&mut self, obj: u32, how: How) -> &mut Class {
        let (classes, new) = (&mut self.classes, Class::new(obj, how));
        let n = *self.index.entry((obj, how)).or_insert_with(|| {
            classes.push(new);
            classes.len() - 1
        });
        &mut self.classes[n]
    }

    /// An access by lanes of the block of this number.
    pub fn lanes(&mut self, block: u64, shape: &StripShape, acc: &RaceAccess) {
        let Some(first) = acc.mask.lowest() else { return };
        let threads = shape.block_dim.iter().fold(1u64, |n, &d| n.saturating_mul(d.into()));
        let who = |lane: usize| block.saturating_mul(threads) + u64::from(acc.first_thread) + lane as u64;
        let class = self.class(acc.obj, acc.how);
        class.written = match (acc.how.op, class.written) {
            (AccessOp::Read, written) => written,
            (_, Written::Mixed) => Written::Mixed,
            (_, known) => {
                let start = match known {
                    Written::Always(value, width) if width == acc.width => Some(value),
                    Written::Nothing => acc.value(first),
                    _ => None,
                };
                match start.filter(|&v| acc.mask.iter().all(|l| acc.value(l) == Some(v))) {
                    Some(value) => Written::Always(value, acc.width),
                    None => Written::Mixed,
                }
            }
        };
        let width = acc.width;
        let run = |start: u32, who: u64| Run { start, end: start + width, origin: start, width, who };
        match acc.spot {
            AddressPattern::Uniform(off) => {
                class.runs.push(run(off, who(first)));
            }
            spot => {
                // Lanes side by side are one run.
                let mut open = run(spot.lane(first, width), who(first));
                let mut next = open.who + 1;
                for lane in acc.mask.iter().skip(1) {
                    let (off, thread) = (spot.lane(lane, width), who(lane));
                    if off == open.end && thread == next {
                        open.end += width;
                        next += 1;
                    } else if off < open.start || off + width > open.end {
                        // Otherwise smaller threads have touched it just now.
                        class.runs.push(open);
                        open = run(off, thread);
                        next = thread + 1;
                    }
                }
                class.runs.push(open);
            }
        }
    }

    /// An access by a copy, a fill or a function of the host.
    #[inline]
    pub fn bytes(&mut self, obj: u32, how: How, start: u32, end: u32) {
        self.class(obj, how).add(start, end);
    }

    /// All that was written was this byte, repeated.
    #[inline]
    pub fn wrote(&mut self, byte: u8) {
        for class in self.classes.iter_mut().filter(|c| c.how.op == AccessOp::Write) {
            class.written = Written::Always(byte.into(), 1);
        }
    }

    /// What was touched, in the order of objects.
    #[inline]
    pub fn finish(mut self) -> Vec<Class> {
        self.classes.iter_mut().for_each(Class::tidy);
        self.classes.sort_by_key(|c| (c.obj, c.how));
        self.classes
    }
}

/// Whether an access counts as atomic to threads that only this scope contains.
#[inline]
pub fn is_strong(how: &How, within: Scope) -> bool {
    match how.atomic {
        Some(Scope::Block | Scope::Cluster) => false,
        Some(Scope::Device) => within == Scope::Device,
        Some(Scope::System) => true,
        None => how.volatile,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lane(start: u32, width: u32, who: u64) -> Run {
        Run { start, end: start + width, origin: start, width, who }
    }

    #[test]
    fn threads_side_by_side_are_one_run() {
        let mut runs = Runs::default();
        (0..100).for_each(|i| assert!(runs.push(lane(4 * i, 4, i.into()))));
        runs.tidy();
        assert_eq!(runs.list.len(), 1);
        assert_eq!(runs.list[0].owner(17), 4);
        // Again in another order, two blocks of fifty.
        let mut other = Runs::default();
        for i in (50..100).chain(0..50) {
            other.push(lane(4 * i, 4, i.into()));
        }
        other.tidy();
        assert_eq!(other.list, runs.list);
    }

    #[test]
    fn the_smallest_thread_is_kept() {
        let naive = |all: &[Run], byte: u32| {
            all.iter().filter(|r| r.start <= byte && byte < r.end).map(|r| r.owner(byte)).min()
        };
        let mut seed = 7u32;
        for _ in 0..200 {
            let mut all = Vec::new();
            let mut runs = Runs::default();
            for _ in 0..12 {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let (start, n, who) = (4 * (seed >> 8 & 31), 1 + (seed >> 16 & 7), seed >> 20 & 63);
                let run = Run { end: start + 4 * n, ..lane(start, 4, who.into()) };
                all.push(run);
                runs.push(run);
            }
            runs.tidy();
            for byte in 0..200 {
                let found = runs.list.iter().find(|r| r.start <= byte && byte < r.end);
                assert_eq!(found.map(|r| r.owner(byte)), naive(&all, byte), "byte {byte} of {all:?}");
            }
            assert!(runs.list.windows(2).all(|w| w[0].end <= w[1].start));
        }
    }

    #[test]
    fn what_is_common() {
        let (mut a, mut b, mut copy) = (Runs::default(), Runs::default(), Runs::default());
        (0..10).for_each(|i| _ = a.push(lane(4 * i, 4, i.into())));
        (0..10).for_each(|i| _ = b.push(lane(38 + i, 1, i.into())));
        copy.add(16, 24);
        [&mut a, &mut b, &mut copy].into_iter().for_each(Runs::tidy);
        let met = a.common(&b).unwrap();
        assert_eq!((met.offset, met.bytes, met.who, met.count), (38, 1, [Some(9), Some(0)], 2));
        let met = a.common(&copy).unwrap();
        assert_eq!((met.offset, met.bytes, met.who, met.count), (16, 4, [Some(4), None], 2));
        assert_eq!(b.common(&copy), None);
    }
}
