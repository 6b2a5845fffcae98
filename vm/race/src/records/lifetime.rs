//! Accesses to the shared memory of other blocks of a cluster, and whether those were there.

use super::{RaceAccess, Recorder};
use crate::clock::Epoch;
use crate::order::{NO_RELEASE, Object, STRICT, Who};
use cudair_lane::fault::Place;
use cudair_lane::{How, Mask};
use rustc_hash::{FxHashMap, FxHashSet};

/// Accesses kept of a place to one block's memory.
const KEPT: usize = 64;

/// Why the memory may not have been there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Absent {
    /// The block may not have started.
    Before,
    /// It may have exited.
    After,
}

/// An access to another block's memory.
#[derive(Clone, Copy, Debug)]
struct Visit {
    who: Who,
    at: Epoch,
    object: Object,
    start: u32,
    width: u32,
}

/// One that may have come too early or too late, the least threads of its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outlived {
    pub how: How,
    pub absent: Absent,
    pub who: Who,
    pub object: Object,
    pub start: u32,
    pub width: u32,
    /// Accesses by other threads.
    pub count: u64,
}

/// The accesses so far.
#[derive(Debug, Default)]
pub(crate) struct Lifetimes {
    /// Of blocks that have not exited, by place.
    visits: FxHashMap<u64, FxHashMap<How, Vec<Visit>>>,
    exited: FxHashSet<u64>,
    found: FxHashMap<(How, Absent), Outlived>,
}

impl Lifetimes {
    fn found(&mut self, how: How, absent: Absent, v: &Visit) {
        let Visit { who, object, start, width, .. } = *v;
        let new = Outlived { how, absent, who, object, start, width, count: 0 };
        let known = self.found.entry((how, absent)).or_insert(new);
        let count = known.count + 1;
        if (who, object, start) < (known.who, known.object, known.start) {
            *known = new;
        }
        known.count = count;
    }

    /// What was found, in the order of the places.
    pub(super) fn finish(self) -> Vec<Outlived> {
        let mut all: Vec<Outlived> = self.found.into_values().collect();
        all.sort_by_key(|o| (o.how, o.absent));
        all
    }
}

impl Recorder {
    /// Lanes of a block touch the shared memory of another, the `owner`.
    pub fn visit(&mut self, owner: u64, block: u64, acc: &RaceAccess) {
        let object = Object { owner: owner + 1, number: acc.obj };
        for lane in acc.mask.iter() {
            let who = Who { block, thread: acc.first_thread + lane as u32 };
            let (at, start) = (self.order.now(who), acc.spot.lane(lane, acc.width));
            let visit = Visit { who, at, object, start, width: acc.width };
            // That a block has started is told by any arrival; that its memory may go, by one behind the access.
            if !self.order.knows_of(NO_RELEASE, who, owner) {
                self.lifetimes.found(acc.how, Absent::Before, &visit);
            }
            if self.lifetimes.exited.contains(&owner) {
                self.lifetimes.found(acc.how, Absent::After, &visit);
                continue;
            }
            // Of a thread its last one counts.
            let visits = self.lifetimes.visits.entry(owner).or_default().entry(acc.how).or_default();
            match visits.iter().position(|v| v.who == who) {
                Some(n) => visits[n] = visit,
                None if visits.len() < KEPT => visits.push(visit),
                None => {
                    self.dropped.insert((object, start / 4));
                }
            }
        }
        self.access(owner + 1, block, acc);
    }

    /// All threads of a block have exited.
    #[inline]
    pub fn exit_block(&mut self, block: u64) {
        for (how, visits) in self.lifetimes.visits.remove(&block).unwrap_or_default() {
            for v in visits {
                if !self.order.is_known_to(STRICT, v.who, v.at, block) {
                    self.lifetimes.found(how, Absent::After, &v);
                }
            }
        }
        self.lifetimes.exited.insert(block);
    }

    /// Lanes arrive at the barrier of their cluster.
    #[inline]
    pub fn arrive(&mut self, block: u64, lanes: (u32, &Mask), release: bool, place: Place) {
        self.order.arrive(self.clusters.of(block), block, lanes, release, place);
    }

    /// A phase of the barrier of a block's cluster is complete.
    #[inline]
    pub fn complete(&mut self, block: u64) {
        self.order.complete(self.clusters.of(block));
    }

    /// Lanes have waited for the barrier of their cluster.
    #[inline]
    pub fn waited(&mut self, block: u64, lanes: (u32, &Mask), place: Place) {
        self.order.waited(self.clusters.of(block), block, lanes, place);
    }
}
