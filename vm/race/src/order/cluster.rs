//! The barrier of a cluster in the order of events.

use super::{ALL, Block, Clock, ClockEntry, Joins, Order, RULES, Released, SyncEdge, Who, remember};
use cudair_lane::Mask;
use cudair_lane::fault::Place;

/// What has been brought to a phase of a cluster's barrier, under one set of rules.
#[derive(Clone, Debug, Default)]
struct Brought {
    known: Clock,
    /// What fences before it have released.
    released: [Released; 2],
}

/// A phase.
#[derive(Clone, Debug, Default)]
struct Phase {
    brought: [Brought; RULES],
    /// Where somebody arrived without a release.
    relaxed: Option<Place>,
}

/// The barrier of a cluster: the phase that runs and the one before, which some may not have waited for.
#[derive(Debug, Default)]
pub(super) struct ClusterBarrier {
    running: Phase,
    last: Phase,
}

impl Block {
    /// All that these threads know and have done, under some rules.
    fn all_of(
        &self,
        rules: usize,
        number: u64,
        threads: impl Iterator<Item = u32>,
        joins: &mut Joins,
    ) -> Brought {
        let view = &self.views[rules];
        let mut brought = Brought { known: view.known.clone(), released: view.released.clone() };
        let mut own = Vec::new();
        for thread in threads {
            own.extend(self.own(thread));
            if let Some(t) = self.threads.get(&thread).map(|t| &t.views[rules]) {
                brought.known.join(&t.known, joins);
                for (all, one) in brought.released.iter_mut().zip(&t.released) {
                    all.join(one, joins);
                }
            }
        }
        brought.known.learn(number, ClockEntry::new(self.interval, &own), joins);
        brought
    }
}

impl Order {
    /// Lanes arrive at the barrier of their cluster.
    pub fn arrive(
        &mut self,
        cluster: u64,
        block: u64,
        (first, mask): (u32, &Mask),
        release: bool,
        place: Place,
    ) {
        let joins = &mut self.joins;
        let b = self.blocks.entry(block).or_default();
        let phase = &mut self.clusters.entry(cluster).or_default().running;
        let threads = || mask.iter().map(|lane| first + lane as u32);
        for (rules, r) in ALL.iter().enumerate() {
            let mut brought = b.all_of(rules, block, threads(), joins);
            let to = &mut phase.brought[rules];
            if !release && !r.no_release {
                // A fence before it does what a release would.
                brought.known = Clock::default();
                for released in &brought.released {
                    if !released.is_empty() {
                        released.add_to(&mut brought.known, block, joins);
                    }
                }
            }
            to.known.join(&brought.known, joins);
            for (all, one) in to.released.iter_mut().zip(&brought.released) {
                all.join(one, joins);
            }
        }
        if !release {
            phase.relaxed.get_or_insert(place);
            self.arrivals.insert(place);
        }
        threads().for_each(|t| b.step(t));
    }

    /// All threads of a cluster that have not exited have arrived.
    #[inline]
    pub fn complete(&mut self, cluster: u64) {
        let barrier = self.clusters.entry(cluster).or_default();
        barrier.last = std::mem::take(&mut barrier.running);
    }

    /// Lanes have waited for the barrier of their cluster.
    pub fn waited(&mut self, cluster: u64, block: u64, (first, mask): (u32, &Mask), place: Place) {
        let Some(barrier) = self.clusters.get(&cluster) else { return };
        let phase = barrier.last.clone();
        let joins = &mut self.joins;
        let b = self.blocks.entry(block).or_default();
        for lane in mask.iter() {
            let t = b.thread(first + lane as u32);
            for (rules, brought) in phase.brought.iter().enumerate() {
                let view = &mut t.views[rules];
                view.known.join(&brought.known, joins);
                for pending in &mut view.pending {
                    view.known.join(&std::mem::take(pending), joins);
                }
                for (own, all) in view.released.iter_mut().zip(&brought.released) {
                    own.join(all, joins);
                }
                if let (true, Some(write)) = (ALL[rules].no_release, phase.relaxed) {
                    remember(&mut t.ways[rules], SyncEdge { write, read: place }, &brought.known, joins);
                }
            }
        }
    }

    /// Whether threads arrive there at the barrier of their cluster without a release.
    pub(crate) fn is_arrival(&self, place: &Place) -> bool {
        self.arrivals.contains(place)
    }

    /// Whether a thread knows anything of what a block has done: that it has started.
    pub(crate) fn knows_of(&self, rules: usize, who: Who, other: u64) -> bool {
        let Some(block) = self.blocks.get(&who.block) else { return false };
        block.views[rules].known.knows_any(other)
            || block.threads.get(&who.thread).is_some_and(|t| t.views[rules].known.knows_any(other))
    }

    /// Whether some thread of a block knows what a thread of another did at a moment.
    pub(crate) fn is_known_to(&self, rules: usize, other: Who, at: super::Epoch, block: u64) -> bool {
        let Some(block) = self.blocks.get(&block) else { return false };
        let knows = |clock: &Clock| clock.knows(other.block, other.thread, at);
        knows(&block.views[rules].known) || block.threads.values().any(|t| knows(&t.views[rules].known))
    }

    /// A cluster has ended.
    #[inline]
    pub fn end_cluster(&mut self, cluster: u64) {
        self.clusters.remove(&cluster);
    }
}
