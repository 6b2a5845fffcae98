//! Clusters: how far each thread is with the cluster's barrier, and what blocks do in each other's shared memory.
//!
//! The barrier goes in *phases*: one completes when all threads of the cluster that have not exited have arrived.
//! What a thread did before it arrived at a phase happened before what follows another's wait for that phase. So a
//! count of phases tells the order: an access is before another if the phase at which its thread next arrives
//! (`until`) is one that the other's has waited for (is below its `since`). Phases at which somebody arrives without
//! a release order nothing here, and are not counted.
//!
//! That is the fast tier for accesses of two blocks: per granule of four bytes and kind of access, which block made
//! it and until when. What it suspects a second run of the launch decides ([`super::records`]), which also follows
//! fences and atomics. It is slow, and asked for clusters of several blocks alone.
//!
//! Shared memory lives as long as its block. An access by another block must come after something that the owner
//! told it, or the owner may not have started, and before something that it tells the owner, or that may have
//! exited. Here, too, phases are enough mostly, and where they are not the second run decides.

use super::RaceAccess;
use cudair_ir::Scope;
use cudair_lane::Mask;
use cudair_lane::fault::AccessOp;
use rustc_hash::FxHashSet;

/// Threads of a block, a bit each, by warp.
pub type Threads = [u32; 32];

/// A thread's place among the phases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct LogicalTime {
    /// Phases that it has waited for.
    since: u32,
    /// The phase that its next arrival belongs to.
    until: u32,
}

/// How far the threads of a block are with the barrier of their cluster.
#[derive(Clone, Debug)]
pub struct Standing {
    /// Phases that have completed and that all arrived at with a release.
    released: u32,
    /// Whether the last that completed was such a one.
    last_released: bool,
    /// What `released` was when a thread of the block last waited.
    seen: u32,
    /// Have arrived at the running phase.
    pending: Threads,
    /// Have arrived at the last phase, which has completed, and have not waited for it.
    passed: Threads,
    /// Have not exited, as far as is known.
    live: Threads,
}

impl Standing {
    /// For a block of so many threads.
    pub fn new(threads: u32) -> Standing {
        let lanes = |w: usize| match threads.saturating_sub(32 * w as u32) {
            n @ 0..=31 => (1 << n) - 1,
            _ => u32::MAX,
        };
        Standing {
            released: 0,
            last_released: false,
            seen: 0,
            pending: [0; 32],
            passed: [0; 32],
            live: std::array::from_fn(lanes),
        }
    }

    /// Those of these lanes that are among some threads.
    fn among(of: &Threads, first: u32, mask: &Mask) -> Mask {
        mask.iter()
            .filter(|&lane| {
                let thread = first + lane as u32;
                of[thread as usize / 32 % 32] >> (thread % 32) & 1 != 0
            })
            .collect()
    }

    /// Which of these lanes have arrived and not yet waited.
    #[inline]
    pub fn arrived(&self, first: u32, mask: &Mask) -> Mask {
        let passed = Standing::among(&self.passed, first, mask);
        Standing::among(&self.pending, first, mask).or(&passed)
    }

    /// Which of these lanes have arrived at a phase that has completed, and not yet waited.
    #[inline]
    pub fn passed(&self, first: u32, mask: &Mask) -> Mask {
        Standing::among(&self.passed, first, mask)
    }

    fn put(of: &mut Threads, first: u32, mask: &Mask, value: bool) {
        for lane in mask.iter() {
            let thread = first + lane as u32;
            let (word, bit) = (&mut of[thread as usize / 32 % 32], 1 << (thread % 32));
            *word = if value { *word | bit } else { *word & !bit };
        }
    }

    /// These lanes arrive.
    #[inline]
    pub fn arrive(&mut self, first: u32, mask: &Mask) {
        Standing::put(&mut self.pending, first, mask, true);
    }

    /// These lanes, which have passed, have waited.
    #[inline]
    pub fn waited(&mut self, first: u32, mask: &Mask) {
        Standing::put(&mut self.passed, first, mask, false);
        self.seen = self.released;
    }

    /// The threads that have not exited.
    #[inline]
    pub fn set_live(&mut self, live: Threads) {
        self.live = live;
        for (w, live) in live.iter().enumerate() {
            self.pending[w] &= live;
            self.passed[w] &= live;
        }
    }

    /// Whether some have arrived at the running phase, and whether all have that have not exited.
    #[inline]
    pub fn arrivals(&self) -> (bool, bool) {
        let some = self.pending.iter().any(|&w| w != 0);
        (some, self.pending == self.live)
    }

    /// The phase completes; `released` if all arrived with a release.
    #[inline]
    pub fn complete(&mut self, released: bool) {
        self.passed = std::mem::take(&mut self.pending);
        self.released += u32::from(released);
        self.last_released = released;
    }

    /// Whether nobody has arrived and not yet waited.
    pub(crate) fn is_settled(&self) -> bool {
        self.pending == [0; 32] && self.passed == [0; 32]
    }

    /// Whether what these lanes do may come while others have passed the barrier or not, and is so not only before or
    /// only after a phase.
    fn is_between(&self, first: u32, mask: &Mask) -> bool {
        self.passed.iter().any(|&w| w != 0) || !Standing::among(&self.pending, first, mask).is_empty()
    }

    fn moment(&self, thread: u32) -> LogicalTime {
        let (word, bit) = (thread as usize / 32 % 32, thread % 32);
        let r = self.released;
        if self.pending[word] >> bit & 1 != 0 {
            LogicalTime { since: r, until: r + 1 }
        } else if self.passed[word] >> bit & 1 != 0 {
            LogicalTime { since: r - u32::from(self.last_released), until: r }
        } else {
            LogicalTime { since: r, until: r }
        }
    }
}

/// Who made an access of a kind last, and until when.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    /// 0: nobody; a rank plus one; [`SEVERAL`].
    who: u8,
    until: u32,
}

/// Blocks of which one knows only that they are several.
const SEVERAL: u8 = u8::MAX;

impl Mark {
    /// Whether an access by another block that is not before `moment` is among these.
    fn conflicts(self, who: u8, moment: LogicalTime) -> bool {
        self.who != 0 && self.who != who && self.until >= moment.since
    }

    fn add(&mut self, who: u8, moment: LogicalTime) {
        let (old, until) = (*self, moment.until);
        *self = if old.who == 0 || old.who == who || old.until < moment.since {
            Mark { who, until: if old.who == who { until.max(old.until) } else { until } }
        } else {
            Mark { who: SEVERAL, until: until.max(old.until) }
        };
    }
}

/// A granule of four bytes.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    write: Mark,
    read: Mark,
    /// Atomics whose scope holds the cluster.
    update: Mark,
}

/// An access by lanes of a block to shared memory of its cluster.
#[derive(Clone, Copy, Debug)]
pub struct Visit<'a> {
    /// Of the block whose lanes they are, in the cluster.
    pub rank: u32,
    /// How far its threads are.
    pub standing: &'a Standing,
    /// The access.
    pub access: &'a RaceAccess<'a>,
}

/// What blocks of a cluster do in the shared memory of one of them.
#[derive(Debug)]
pub struct ClusterCells {
    cells: Vec<Vec<Cell>>,
    /// The last phase until which another block's thread was here.
    visited: Option<u32>,
    /// A block was here that had not waited for any phase.
    early: bool,
}

impl ClusterCells {
    /// For a block with so many variables.
    #[inline]
    pub fn new(objects: usize) -> ClusterCells {
        ClusterCells { cells: vec![Vec::new(); objects], visited: None, early: false }
    }

    /// Adds an access to this block's memory. Granules on which two blocks conflict go to `suspects`.
    pub fn visit(&mut self, owner: u32, size: u64, visit: &Visit<'_>, suspects: &mut FxHashSet<(u32, u32)>) {
        let (acc, who) = (visit.access, visit.rank.min(254) as u8 + 1);
        let Some(cells) = self.cells.get_mut(acc.obj as usize) else { return };
        if cells.is_empty() {
            cells.resize(size.div_ceil(4) as usize, Cell::default());
        }
        let updates = acc.how.atomic.is_some_and(|scope| scope != Scope::Block);
        for lane in acc.mask.iter() {
            let moment = visit.standing.moment(acc.first_thread + lane as u32);
            if visit.rank != owner {
                self.visited = self.visited.max(Some(moment.until));
                self.early |= moment.since == 0;
            }
            let start = acc.spot.lane(lane, acc.width);
            for granule in start / 4..(start + acc.width).div_ceil(4) {
                let Some(cell) = cells.get_mut(granule as usize) else { continue };
                let against: &[Mark] = match (updates, acc.how.op) {
                    (true, _) => &[cell.write, cell.read],
                    (false, AccessOp::Read) => &[cell.write, cell.update],
                    (false, _) => &[cell.write, cell.read, cell.update],
                };
                if against.iter().any(|m| m.conflicts(who, moment)) {
                    suspects.insert((acc.obj, granule));
                }
                match (updates, acc.how.op) {
                    (true, _) => cell.update.add(who, moment),
                    (false, AccessOp::Read) => cell.read.add(who, moment),
                    (false, _) => cell.write.add(who, moment),
                }
            }
        }
    }

    /// The block has ended, its threads being so far: whether another's access may have come before it started or
    /// after it exited.
    pub(crate) fn outlived(&self, standing: &Standing) -> bool {
        self.early || self.visited.is_some_and(|until| until >= standing.seen)
    }
}

/// What a block keeps for its cluster.
#[derive(Debug)]
pub struct ClusterWatch {
    /// The number of the block in its cluster.
    pub rank: u32,
    /// How far its threads are.
    pub standing: Standing,
    /// Absent where races are not looked for, or the cluster has one block.
    pub cells: Option<ClusterCells>,
    /// Threads of the block touched its shared memory between an arrival and the wait for it, since it was last
    /// certain that all are beyond a phase.
    pub(crate) ragged: bool,
}

impl ClusterWatch {
    /// Lanes of the block touch its own shared memory.
    #[inline]
    pub fn own(&mut self, size: u64, acc: &RaceAccess, suspects: &mut FxHashSet<(u32, u32)>) {
        self.ragged |= self.standing.is_between(acc.first_thread, acc.mask);
        if let Some(cells) = &mut self.cells {
            let visit = Visit { rank: self.rank, standing: &self.standing, access: acc };
            cells.visit(self.rank, size, &visit, suspects);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases() {
        let mut s = Standing::new(40);
        assert_eq!(s.live[..3], [u32::MAX, 0xff, 0]);
        let all = Mask::first(40);
        assert!(s.is_settled() && s.arrived(0, &all).is_empty());
        s.arrive(0, &all);
        assert_eq!((s.arrivals(), s.moment(3)), ((true, true), LogicalTime { since: 0, until: 1 }));
        assert!(s.passed(0, &all).is_empty());
        s.complete(true);
        assert_eq!((s.passed(0, &all), s.moment(3)), (all, LogicalTime { since: 0, until: 1 }));
        s.waited(0, &Mask::single(3));
        assert_eq!(s.moment(3), LogicalTime { since: 1, until: 1 });
        assert!(!s.is_settled() && s.is_between(0, &Mask::single(3)));
        // Those that exit are not waited for.
        s.set_live(std::array::from_fn(|w| u32::from(w == 0) << 3));
        assert!(s.is_settled());
        s.arrive(0, &Mask::single(3));
        assert_eq!(s.arrivals(), (true, true));
        // A phase without a release orders nothing.
        s.complete(false);
        s.waited(0, &Mask::single(3));
        assert_eq!(s.moment(3), LogicalTime { since: 1, until: 1 });
    }

    #[test]
    fn marks() {
        let at = |since, until| LogicalTime { since, until };
        let mut m = Mark::default();
        assert!(!m.conflicts(1, at(0, 0)));
        m.add(1, at(0, 0));
        assert!(m.conflicts(2, at(0, 0)) && !m.conflicts(1, at(0, 0)) && !m.conflicts(2, at(1, 1)));
        m.add(2, at(0, 1));
        assert!(m.who == SEVERAL && m.conflicts(3, at(1, 1)) && !m.conflicts(3, at(2, 2)));
        m.add(3, at(2, 2));
        assert_eq!((m.who, m.until), (3, 2));
    }
}
