//! What is known of the threads of a launch: a vector clock, of which most entries are missing.
//!
//! An entry per block says how many of its intervals between barriers are known as a whole, and up to which
//! moment single threads of it. Clocks are passed on at every synchronisation and mostly agree, so they are
//! persistent: Patricia tries whose common parts are shared, and shared parts are skipped when two are joined.
//!
//! Where all blocks meet, each of them joins what it knew with what all have told: the same parts with the same
//! parts, but for its own. So joins are remembered by the parts they were of ([`Joins`]), and a meeting of `n`
//! blocks costs `n log n` steps, not `n` squared.

use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;
use std::sync::Arc;

/// A moment of a thread: its block's interval and its own count of moments, the interval in the high half.
pub(crate) type Epoch = u64;

/// The epoch of a moment.
pub(crate) fn epoch(interval: u32, moment: u32) -> Epoch {
    u64::from(interval) << 32 | u64::from(moment)
}

/// The interval of an epoch.
#[inline]
pub fn interval(epoch: Epoch) -> u32 {
    (epoch >> 32) as u32
}

/// The last known moment of each lane of a warp; 0 where none is, which is no thread's moment.
type Lanes = [Epoch; 32];

/// What is known of a block.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClockEntry {
    /// All of its intervals below this one.
    below: u32,
    /// Of single threads, up to and with a moment, by warp and in the order of warps. Lanes are shared by all
    /// that know the same of a warp, which is most: thousands of threads pass on what they got.
    warps: Vec<(u32, Arc<Lanes>)>,
}

impl ClockEntry {
    /// A block's intervals below `below`, and these threads in any order.
    pub fn new(below: u32, threads: &[(u32, Epoch)]) -> ClockEntry {
        let mut known = ClockEntry { below, warps: Vec::new() };
        for &(thread, at) in threads.iter().filter(|&&(_, at)| interval(at) >= below) {
            let (warp, lane) = (thread / 32, thread as usize % 32);
            let slot = match known.warps.binary_search_by_key(&warp, |w| w.0) {
                Ok(i) => i,
                Err(i) => {
                    known.warps.insert(i, (warp, Arc::new([0; 32])));
                    i
                }
            };
            let lanes = Arc::make_mut(&mut known.warps[slot].1);
            lanes[lane] = lanes[lane].max(at);
        }
        known
    }

    /// Whether nothing is known.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.below == 0 && self.warps.is_empty()
    }

    fn knows(&self, thread: u32, at: Epoch) -> bool {
        interval(at) < self.below
            || self
                .warps
                .binary_search_by_key(&(thread / 32), |w| w.0)
                .is_ok_and(|i| self.warps[i].1[thread as usize % 32] >= at)
    }

    fn covers(&self, other: &ClockEntry) -> bool {
        let mut mine = self.warps.iter().peekable();
        self.below >= other.below
            && other.warps.iter().all(|(warp, theirs)| {
                while mine.next_if(|w| w.0 < *warp).is_some() {}
                match mine.peek() {
                    Some((w, lanes)) if w == warp => {
                        Arc::ptr_eq(lanes, theirs)
                            || (0..32).all(|l| lanes[l] >= theirs[l] || interval(theirs[l]) < self.below)
                    }
                    _ => theirs.iter().all(|&at| at == 0 || interval(at) < self.below),
                }
            })
    }

    /// Adds all that another knows.
    pub fn join(&mut self, other: &ClockEntry) {
        let below = self.below.max(other.below);
        if below > self.below {
            self.forget(below);
        }
        self.below = below;
        let mut at = 0;
        for (warp, theirs) in &other.warps {
            while self.warps.get(at).is_some_and(|w| w.0 < *warp) {
                at += 1;
            }
            match self.warps.get_mut(at).filter(|w| w.0 == *warp) {
                Some((_, mine)) if Arc::ptr_eq(mine, theirs) => {}
                Some((_, mine)) => {
                    if (0..32).all(|l| mine[l] <= theirs[l]) {
                        *mine = theirs.clone();
                    } else if (0..32).any(|l| mine[l] < theirs[l]) {
                        let lanes = Arc::make_mut(mine);
                        for (mine, theirs) in lanes.iter_mut().zip(theirs.iter()) {
                            *mine = (*mine).max(*theirs);
                        }
                    }
                }
                None => self.warps.insert(at, (*warp, theirs.clone())),
            }
        }
        if other.below < below {
            self.forget(below);
        }
    }

    /// Lanes of whom nothing is known beyond the intervals below this one need no entry.
    fn forget(&mut self, below: u32) {
        self.warps.retain(|(_, lanes)| lanes.iter().any(|&at| interval(at) >= below && at != 0));
    }
}

#[derive(Debug)]
enum Node {
    Leaf {
        block: u64,
        known: ClockEntry,
    },
    /// Blocks that agree above `bit`, which is the highest in which they differ: those without it, those with.
    Branch {
        prefix: u64,
        bit: u64,
        sides: [Arc<Node>; 2],
    },
}

/// The part of a key above a bit.
fn above(key: u64, bit: u64) -> u64 {
    key & !(bit | (bit - 1))
}

fn side(key: u64, bit: u64) -> usize {
    usize::from(key & bit != 0)
}

impl Node {
    /// Some key of the subtree, as far as its keys agree.
    fn key(&self) -> u64 {
        match *self {
            Node::Leaf { block, .. } => block,
            Node::Branch { prefix, .. } => prefix,
        }
    }

    /// The bit below which keys of the subtree differ; 0 for a leaf.
    fn bit(&self) -> u64 {
        match *self {
            Node::Leaf { .. } => 0,
            Node::Branch { bit, .. } => bit,
        }
    }
}

/// Two subtrees whose keys differ above both.
fn pair(a: &Arc<Node>, b: &Arc<Node>) -> Arc<Node> {
    let (ka, kb) = (a.key(), b.key());
    let bit = 1 << (63 - (ka ^ kb).leading_zeros().min(63));
    let sides = if side(ka, bit) == 0 { [a.clone(), b.clone()] } else { [b.clone(), a.clone()] };
    Arc::new(Node::Branch { prefix: above(ka, bit), bit, sides })
}

/// Joins that are remembered at first, and at most; powers of two.
const JOINED: [usize; 2] = [1 << 10, 1 << 16];
/// The least bit of a branch whose joins are: below it, a join is as quick as the memory.
const JOINED_BIT: u64 = 1 << 1;

/// Joins of subtrees, each at the place that their addresses give, where the last one stays. An entry keeps its
/// subtrees alive, so that no others take their addresses. Whoever owns clocks owns the joins of them, too.
#[derive(Default)]
pub struct Joins {
    slots: Vec<Option<[Arc<Node>; 3]>>,
    /// Joins that were worked out since the table has grown.
    misses: usize,
    /// Joins of two nodes that were worked out.
    #[cfg(test)]
    steps: u64,
}

impl std::fmt::Debug for Joins {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Joins").finish_non_exhaustive()
    }
}

impl Joins {
    fn slot(&self, a: &Arc<Node>, b: &Arc<Node>) -> usize {
        let addresses = [a, b].map(|n| Arc::as_ptr(n).addr());
        FxBuildHasher.hash_one(addresses) as usize & (self.slots.len() - 1)
    }

    fn get(&self, a: &Arc<Node>, b: &Arc<Node>) -> Option<Arc<Node>> {
        if self.slots.is_empty() {
            return None;
        }
        let [x, y, joined] = self.slots[self.slot(a, b)].as_ref()?;
        (Arc::ptr_eq(x, a) && Arc::ptr_eq(y, b)).then(|| joined.clone())
    }

    /// Remembers a join.
    fn put(&mut self, entry: [Arc<Node>; 3]) {
        self.misses += 1;
        let [first, most] = JOINED;
        if self.slots.len() < most && (self.slots.is_empty() || self.misses > 4 * self.slots.len()) {
            self.misses = 0;
            let more = vec![None; (4 * self.slots.len()).clamp(first, most)];
            for old in std::mem::replace(&mut self.slots, more).into_iter().flatten() {
                let n = self.slot(&old[0], &old[1]);
                self.slots[n] = Some(old);
            }
        }
        let n = self.slot(&entry[0], &entry[1]);
        self.slots[n] = Some(entry);
    }

    /// A branch with one side joined with `other`.
    fn join_side(&mut self, node: &Arc<Node>, other: &Arc<Node>) -> Arc<Node> {
        let Node::Branch { prefix, bit, sides } = &**node else { return other.clone() };
        if above(other.key(), *bit) != *prefix {
            return pair(node, other);
        }
        let n = side(other.key(), *bit);
        let joined = self.join(&sides[n], other);
        if Arc::ptr_eq(&joined, &sides[n]) {
            return node.clone();
        }
        let mut sides = sides.clone();
        sides[n] = joined;
        Arc::new(Node::Branch { prefix: *prefix, bit: *bit, sides })
    }

    /// The join of two subtrees; one of them itself, where it holds the other.
    fn join(&mut self, a: &Arc<Node>, b: &Arc<Node>) -> Arc<Node> {
        if Arc::ptr_eq(a, b) {
            return a.clone();
        }
        if a.bit().min(b.bit()) < JOINED_BIT {
            return self.join_anew(a, b);
        }
        if let Some(known) = self.get(a, b) {
            return known;
        }
        let joined = self.join_anew(a, b);
        self.put([a.clone(), b.clone(), joined.clone()]);
        joined
    }

    /// The join of two subtrees that are not the same, worked out.
    fn join_anew(&mut self, a: &Arc<Node>, b: &Arc<Node>) -> Arc<Node> {
        #[cfg(test)]
        {
            self.steps += 1;
        }
        match (&**a, &**b) {
            (Node::Leaf { block: x, known: ka }, Node::Leaf { block: y, known: kb }) => {
                if x != y {
                    pair(a, b)
                } else if ka.covers(kb) {
                    a.clone()
                } else if kb.covers(ka) {
                    b.clone()
                } else {
                    let mut known = ka.clone();
                    known.join(kb);
                    Arc::new(Node::Leaf { block: *x, known })
                }
            }
            (
                Node::Branch { prefix: p, bit, sides: [a0, a1] },
                Node::Branch { prefix: q, bit: other, sides: [b0, b1] },
            ) if bit == other && p == q => {
                let (low, high) = (self.join(a0, b0), self.join(a1, b1));
                let is = |sides: [&Arc<Node>; 2]| Arc::ptr_eq(&low, sides[0]) && Arc::ptr_eq(&high, sides[1]);
                if is([a0, a1]) {
                    a.clone()
                } else if is([b0, b1]) {
                    b.clone()
                } else {
                    Arc::new(Node::Branch { prefix: *p, bit: *bit, sides: [low, high] })
                }
            }
            // The one that differs higher up takes the other in.
            _ if a.bit() >= b.bit() && a.bit() != 0 => self.join_side(a, b),
            _ => self.join_side(b, a),
        }
    }
}

/// A sparse vector clock.
#[derive(Clone, Debug, Default)]
pub struct Clock(Option<Arc<Node>>);

impl Clock {
    /// Whether nothing is known.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Whether it is the same object as another, which makes it equal.
    #[inline]
    pub fn is(&self, other: &Clock) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// Whether a moment of a thread is known.
    pub fn knows(&self, block: u64, thread: u32, at: Epoch) -> bool {
        let mut node = match &self.0 {
            Some(node) => node,
            None => return false,
        };
        loop {
            match &**node {
                Node::Leaf { block: b, known } => return *b == block && known.knows(thread, at),
                Node::Branch { prefix, bit, sides } => {
                    if above(block, *bit) != *prefix {
                        return false;
                    }
                    node = &sides[side(block, *bit)];
                }
            }
        }
    }

    /// Whether anything is known of a block.
    pub(crate) fn knows_any(&self, block: u64) -> bool {
        let Some(mut node) = self.0.as_ref() else { return false };
        loop {
            match &**node {
                Node::Leaf { block: b, .. } => return *b == block,
                Node::Branch { prefix, bit, .. } if above(block, *bit) != *prefix => return false,
                Node::Branch { bit, sides, .. } => node = &sides[side(block, *bit)],
            }
        }
    }

    /// Adds what is known of a block.
    #[inline]
    pub fn learn(&mut self, block: u64, known: ClockEntry, joins: &mut Joins) {
        self.join(&Clock(Some(Arc::new(Node::Leaf { block, known }))), joins);
    }

    /// Adds all that another knows.
    pub fn join(&mut self, other: &Clock, joins: &mut Joins) {
        match (&mut self.0, &other.0) {
            (_, None) => {}
            (Some(mine), Some(theirs)) => {
                if !Arc::ptr_eq(mine, theirs) {
                    *mine = joins.join(mine, theirs);
                }
            }
            (mine @ None, theirs) => mine.clone_from(theirs),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    type Model = BTreeMap<(u64, u32), Epoch>;

    fn build(entries: &[(u64, u32, u32)]) -> (Clock, Model) {
        let (mut clock, mut model, joins) = (Clock::default(), Model::new(), &mut Joins::default());
        for &(block, thread, moment) in entries {
            let at = epoch(0, moment);
            clock.learn(block, ClockEntry::new(0, &[(thread, at)]), joins);
            let known = model.entry((block, thread)).or_default();
            *known = at.max(*known);
        }
        (clock, model)
    }

    fn entries() -> impl Strategy<Value = Vec<(u64, u32, u32)>> {
        let block = prop_oneof![0u64..6, 0u64..1 << 40, Just(u64::MAX)];
        proptest::collection::vec((block, 0u32..70, 1u32..9), 0..24)
    }

    proptest! {
        #[test]
        fn joins_as_maps_do(a in entries(), b in entries()) {
            let ((mut ca, mut ma), (cb, mb)) = (build(&a), build(&b));
            let joins = &mut Joins::default();
            ca.join(&cb, joins);
            for (k, &v) in &mb {
                let known = ma.entry(*k).or_default();
                *known = v.max(*known);
            }
            for (&(block, thread), &v) in &ma {
                prop_assert!(ca.knows(block, thread, v));
                prop_assert!(!ca.knows(block, thread, v + 1));
                prop_assert!(!ca.knows(block ^ 1 << 50, thread, 1));
            }
            // What holds the other comes back itself.
            let mut again = ca.clone();
            again.join(&cb, joins);
            prop_assert!(again.is(&ca));
            let mut other = cb;
            other.join(&ca, joins);
            prop_assert!(ma.iter().all(|(&(b, t), &v)| other.knows(b, t, v) && !other.knows(b, t, v + 1)));
        }
    }

    /// Steps of joins where `n` blocks meet some times at a barrier of atomics: each arrives at a common place,
    /// polls it, and polls it again when all have arrived; a poll writes, too.
    fn steps_of_a_meeting(n: u64) -> u64 {
        let joins = &mut Joins::default();
        let mut blocks = vec![Clock::default(); n as usize];
        let mut place = Clock::default();
        for time in 1..30 {
            for (b, block) in blocks.iter_mut().enumerate() {
                block.learn(b as u64, ClockEntry::new(time, &[(0, epoch(time, 1))]), joins);
                block.join(&place, joins);
                place.join(block, joins);
            }
        }
        assert!(blocks.iter().all(|b| (0..n).all(|other| b.knows(other, 0, epoch(28, 1)))));
        joins.steps
    }

    #[test]
    fn blocks_that_meet_cost_little_more_than_their_number() {
        let [one, two, four] = [256, 512, 1024].map(steps_of_a_meeting);
        assert!(10 * two <= 23 * one && 10 * four <= 23 * two, "{one} {two} {four}");
    }

    #[test]
    fn whole_intervals() {
        let (mut c, joins) = (Clock::default(), &mut Joins::default());
        assert!(!c.knows(3, 0, 1));
        c.learn(3, ClockEntry::new(2, &[(7, epoch(2, 5)), (8, epoch(1, 9))]), joins);
        assert!(c.knows(3, 1, epoch(1, 100)) && !c.knows(3, 1, epoch(2, 1)));
        assert!(c.knows(3, 7, epoch(2, 5)) && !c.knows(3, 7, epoch(2, 6)));
        c.learn(3, ClockEntry::new(3, &[]), joins);
        assert!(c.knows(3, 7, epoch(2, 6)) && !c.knows(3, 7, epoch(3, 0)));
    }
}
