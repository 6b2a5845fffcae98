//! What happens before what in a launch: program order, barriers, `__syncwarp`, release and acquire.
//!
//! The launch runs as one sequence of events, so that a read observes the last write before it. A *release*
//! is a fence by a thread and a strong write (atomic or volatile) after it; an *acquire* is a strong read that
//! observes the write, and a fence or a barrier of the block after it. Read-modify-writes pass on what was
//! released before them at their place, plain strong writes begin anew, weak writes end it. What is released is
//! all that the thread knows at its fence; a barrier tells every thread of the block what any of them knows,
//! and a fence before the barrier holds for strong writes of any of them after it (each fence is sequentially
//! consistent, so that those of writer and reader are ordered).
//!
//! Scopes: between two blocks fences and accesses of a block's scope count for nothing.
//!
//! The same is followed under rules that forgive a missing part: the first such rule under which a racing pair
//! is ordered tells what the program lacks.

mod cluster;

use super::clock::{Clock, ClockEntry, Epoch, Joins, epoch, interval};
use cudair_ir::{MemOrder, Scope};
use cudair_lane::fault::Place;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// A variable: of a block, counted from 1, or of all of them (0).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Object {
    /// The block that it is of, counted from 1; 0 where it is of all.
    pub owner: u64,
    /// The number of the object.
    pub number: u32,
}

/// Four bytes of an object, by number.
pub(crate) type Granule = (Object, u32);

/// A thread of the launch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Who {
    /// The linear index of the block in its grid.
    pub block: u64,
    /// The linear index in the block.
    pub thread: u32,
}

/// Rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Rules {
    /// A strong read acquires at once.
    no_acquire: bool,
    /// A strong write releases all that was before it.
    no_release: bool,
    /// Every scope is the device's.
    no_scope: bool,
}

/// Rules under which the order is followed.
const RULES: usize = 5;
/// CUDA's rules.
pub(crate) const STRICT: usize = 0;
/// A fence after the read is not needed.
pub(crate) const NO_ACQUIRE: usize = 1;
/// Fences and accesses of a block's scope suffice.
pub(crate) const NO_SCOPE: usize = 2;
/// A fence before the write is not needed.
pub(crate) const NO_RELEASE: usize = 3;
/// Neither fence is.
pub(crate) const NEITHER: usize = 4;

const ALL: [Rules; RULES] = {
    let strict = Rules { no_acquire: false, no_release: false, no_scope: false };
    [
        strict,
        Rules { no_acquire: true, ..strict },
        Rules { no_scope: true, ..strict },
        Rules { no_release: true, ..strict },
        Rules { no_acquire: true, no_release: true, no_scope: false },
    ]
};

/// For readers of the same block, and of others.
const NEAR: usize = 0;
const FAR: usize = 1;

/// Strong writes that are followed under rules by which each of them releases something.
const LENIENT: u32 = 1 << 18;
/// Ways remembered of a thread and of a block.
const EDGES: usize = 8;

/// How knowledge came: the strong write and the strong read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SyncEdge {
    /// The strong write, which releases.
    pub write: Place,
    /// The strong read, which acquires.
    pub read: Place,
}

/// What fences have released, the block itself apart from what is known of others.
#[derive(Clone, Debug, Default)]
struct Released {
    others: Clock,
    own: ClockEntry,
}

impl Released {
    fn is_empty(&self) -> bool {
        self.own.is_empty() && self.others.is_empty()
    }

    fn join(&mut self, other: &Released, joins: &mut Joins) {
        self.others.join(&other.others, joins);
        self.own.join(&other.own);
    }

    fn add_to(&self, clock: &mut Clock, block: u64, joins: &mut Joins) {
        clock.join(&self.others, joins);
        if !self.own.is_empty() {
            clock.learn(block, self.own.clone(), joins);
        }
    }
}

/// A thread under one set of rules, since the last barrier.
#[derive(Clone, Debug, Default)]
struct ThreadView {
    known: Clock,
    released: [Released; 2],
    /// Observed, but no fence since: from the same block and from others.
    pending: [Clock; 2],
}

/// A block under one set of rules.
#[derive(Clone, Debug, Default)]
struct BlockView {
    known: Clock,
    released: [Released; 2],
}

type Ways = Vec<(SyncEdge, Clock)>;

#[derive(Debug, Default)]
struct Thread {
    views: [ThreadView; RULES],
    /// How knowledge came under forgiving rules.
    ways: [Ways; RULES],
}

/// Lanes of a warp since the last barrier.
#[derive(Debug)]
struct Warp {
    /// The moment of each.
    moment: [u32; 32],
    /// Up to which moment lane `i` knows lane `j` through `__syncwarp`.
    knows: Option<Box<[[u32; 32]; 32]>>,
}

#[derive(Debug, Default)]
struct Block {
    interval: u32,
    views: [BlockView; RULES],
    ways: [Ways; RULES],
    threads: FxHashMap<u32, Box<Thread>>,
    warps: FxHashMap<u32, Box<Warp>>,
}

impl Block {
    fn moment(&self, thread: u32) -> Epoch {
        let moment = self.warps.get(&(thread / 32)).map_or(1, |w| w.moment[thread as usize % 32]);
        epoch(self.interval, moment)
    }

    fn warp(&mut self, warp: u32) -> &mut Warp {
        self.warps.entry(warp).or_insert_with(|| Box::new(Warp { moment: [1; 32], knows: None }))
    }

    /// What a thread has done and what the lanes of its warp told it in this interval.
    fn own(&self, thread: u32) -> SmallVec<[(u32, Epoch); 1]> {
        let mut own = SmallVec::from_slice(&[(thread, self.moment(thread))]);
        if let Some(row) = self.warps.get(&(thread / 32)).and_then(|w| w.knows.as_ref()) {
            for (lane, &moment) in row[thread as usize % 32].iter().enumerate() {
                let other = thread / 32 * 32 + lane as u32;
                if moment != 0 && other != thread {
                    own.push((other, epoch(self.interval, moment)));
                }
            }
        }
        own
    }

    /// All that a thread knows under some rules, itself included.
    fn all(&self, rules: usize, thread: u32, joins: &mut Joins) -> Released {
        let mut others = self.views[rules].known.clone();
        if let Some(t) = self.threads.get(&thread) {
            others.join(&t.views[rules].known, joins);
        }
        Released { others, own: ClockEntry::new(self.interval, &self.own(thread)) }
    }

    fn thread(&mut self, thread: u32) -> &mut Thread {
        self.threads.entry(thread).or_default()
    }

    /// The thread is past what it has released.
    fn step(&mut self, thread: u32) {
        self.warp(thread / 32).moment[thread as usize % 32] += 1;
    }
}

fn remember(ways: &mut Ways, way: SyncEdge, clock: &Clock, joins: &mut Joins) {
    if let Some(known) = ways.iter_mut().find(|w| w.0 == way) {
        if !known.1.is(clock) {
            known.1.join(clock, joins);
        }
        return;
    }
    if ways.len() >= EDGES {
        ways.remove(0);
    }
    ways.push((way, clock.clone()));
}

/// What a place tells those who read it.
#[derive(Clone, Debug, Default)]
struct Content {
    far: Clock,
    /// To the block of each writer.
    near: SmallVec<[(u64, Clock); 1]>,
}

impl Content {
    fn is_empty(&self) -> bool {
        self.far.is_empty() && self.near.is_empty()
    }

    fn near(&self, block: u64) -> Option<&Clock> {
        // In the order of the blocks.
        self.near.binary_search_by_key(&block, |n| n.0).ok().map(|i| &self.near[i].1)
    }

    fn add(&mut self, block: u64, near: &Clock, far: &Clock, joins: &mut Joins) {
        self.far.join(far, joins);
        if near.is_empty() {
            return;
        }
        match self.near.binary_search_by_key(&block, |n| n.0) {
            Ok(i) => self.near[i].1.join(near, joins),
            Err(i) => self.near.insert(i, (block, near.clone())),
        }
    }
}

#[derive(Debug)]
struct Message {
    start: u32,
    width: u32,
    write: Place,
    content: Box<[Content; RULES]>,
}

impl Message {
    fn overlaps(&self, start: u32, width: u32) -> bool {
        self.start < start.saturating_add(width) && start < self.start + self.width
    }

    fn is_within(&self, start: u32, width: u32) -> bool {
        start <= self.start && self.start + self.width <= start.saturating_add(width)
    }
}

/// What a thread knows.
pub struct View<'a> {
    who: Who,
    block: &'a Block,
    thread: Option<&'a Thread>,
    /// Of the lanes of its warp.
    row: Option<&'a [u32; 32]>,
}

impl View<'_> {
    /// Whether it knows what another thread did at a moment.
    pub fn knows(&self, rules: usize, other: Who, at: Epoch) -> bool {
        if other.block == self.who.block {
            if interval(at) < self.block.interval {
                return true;
            }
            if other.thread / 32 == self.who.thread / 32
                && let Some(row) = self.row
                && row[other.thread as usize % 32] >= at as u32
            {
                return true;
            }
        }
        self.block.views[rules].known.knows(other.block, other.thread, at)
            || self.thread.is_some_and(|t| t.views[rules].known.knows(other.block, other.thread, at))
    }

    /// Whether it knows anything that did not come by its block's barriers and warps.
    pub(crate) fn knows_others(&self, rules: usize) -> bool {
        !self.block.views[rules].known.is_empty()
            || self.thread.is_some_and(|t| !t.views[rules].known.is_empty())
    }
}

/// A strong access of a thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strong {
    pub who: Who,
    pub object: Object,
    pub start: u32,
    pub width: u32,
    pub scope: Scope,
    pub order: MemOrder,
    pub place: Place,
}

fn acquires(order: MemOrder) -> bool {
    matches!(order, MemOrder::Acquire | MemOrder::AcqRel | MemOrder::SeqCst)
}

fn releases(order: MemOrder) -> bool {
    matches!(order, MemOrder::Release | MemOrder::AcqRel | MemOrder::SeqCst)
}

/// The order of a launch so far.
#[derive(Debug, Default)]
pub struct Order {
    blocks: FxHashMap<u64, Block>,
    /// What was written last where, by the granule in which it starts.
    messages: FxHashMap<Granule, SmallVec<[Message; 1]>>,
    objects: FxHashSet<Object>,
    /// Strong writes so far, up to [`LENIENT`].
    writes: u32,
    /// The barriers of clusters.
    clusters: FxHashMap<u64, cluster::ClusterBarrier>,
    /// Where threads arrive at them without a release.
    arrivals: FxHashSet<Place>,
    /// Clusters have several blocks: their scope reaches others.
    clustered: bool,
    /// Joins of clocks are remembered for one launch.
    joins: Joins,
}

impl Order {
    /// For a launch with clusters of several blocks, or without.
    #[inline]
    pub fn new(clustered: bool) -> Order {
        Order { clustered, ..Order::default() }
    }

    /// Whether a scope holds other blocks. That of the cluster does where there are such: that it does not hold
    /// all of them is not followed.
    fn is_far(&self, scope: Scope) -> bool {
        match scope {
            Scope::Block => false,
            Scope::Cluster => self.clustered,
            Scope::Device | Scope::System => true,
        }
    }

    /// The moment at which a thread is.
    #[inline]
    pub fn now(&self, who: Who) -> Epoch {
        self.blocks.get(&who.block).map_or(epoch(0, 1), |b| b.moment(who.thread))
    }

    /// Whether what another thread did at a moment happened before what `who` does now.
    pub(crate) fn is_before(&self, rules: usize, other: Who, at: Epoch, who: Who) -> bool {
        if other == who {
            return true;
        }
        self.view(who).is_some_and(|view| view.knows(rules, other, at))
    }

    /// What a thread knows now, to ask more than once; absent where nothing of its block is known.
    #[inline]
    pub fn view(&self, who: Who) -> Option<View<'_>> {
        let block = self.blocks.get(&who.block)?;
        let warp = block.warps.get(&(who.thread / 32));
        let row = warp.and_then(|w| w.knows.as_ref()).map(|knows| &knows[who.thread as usize % 32]);
        Some(View { who, block, thread: block.threads.get(&who.thread).map(|t| &**t), row })
    }

    /// How what another thread did would have come to be known under forgiving rules.
    #[inline]
    pub fn way(&self, rules: usize, other: Who, at: Epoch, who: Who) -> Option<SyncEdge> {
        let block = self.blocks.get(&who.block)?;
        let of_thread = block.threads.get(&who.thread).map(|t| &t.ways[rules]);
        let mut ways = of_thread.into_iter().chain([&block.ways[rules]]).flat_map(|w| w.iter().rev());
        ways.find(|(_, clock)| clock.knows(other.block, other.thread, at)).map(|w| w.0)
    }

    /// All live threads of a block have met.
    pub fn barrier(&mut self, block: u64) {
        let Order { blocks, joins, .. } = self;
        let b = blocks.entry(block).or_default();
        let mut threads: Vec<_> = b.threads.drain().collect();
        threads.sort_unstable_by_key(|t| t.0);
        for (_, thread) in threads {
            for (rules, t) in thread.views.iter().enumerate() {
                let view = &mut b.views[rules];
                view.known.join(&t.known, joins);
                t.pending.iter().for_each(|p| view.known.join(p, joins));
                for (all, one) in view.released.iter_mut().zip(&t.released) {
                    all.join(one, joins);
                }
            }
            for (ways, own) in b.ways.iter_mut().zip(&thread.ways) {
                for (way, clock) in own {
                    remember(ways, *way, clock, joins);
                }
            }
        }
        b.interval += 1;
        b.warps.clear();
    }

    /// Lanes of a warp have met.
    pub fn warp_sync(&mut self, block: u64, warp: u32, mask: u32) {
        let Order { blocks, joins, .. } = self;
        let b = blocks.entry(block).or_default();
        let lanes = || (0..32usize).filter(move |l| mask >> l & 1 != 0);
        let w = b.warp(warp);
        let moments = w.moment;
        let knows = w.knows.get_or_insert_with(|| Box::new([[0; 32]; 32]));
        let mut joined = [0; 32];
        for l in lanes() {
            (0..32).for_each(|i| joined[i] = joined[i].max(knows[l][i]));
            joined[l] = joined[l].max(moments[l]);
        }
        for l in lanes() {
            knows[l] = joined;
            w.moment[l] += 1;
        }
        let thread = |l: usize| warp * 32 + l as u32;
        if !lanes().any(|l| b.threads.contains_key(&thread(l))) {
            return;
        }
        let mut views: [ThreadView; RULES] = Default::default();
        let mut ways: [Ways; RULES] = Default::default();
        for t in lanes().filter_map(|l| b.threads.get(&thread(l))) {
            for (all, one) in views.iter_mut().zip(&t.views) {
                all.known.join(&one.known, joins);
                for (all, one) in all.released.iter_mut().zip(&one.released) {
                    all.join(one, joins);
                }
            }
            for (all, own) in ways.iter_mut().zip(&t.ways) {
                for (way, clock) in own {
                    remember(all, *way, clock, joins);
                }
            }
        }
        for l in lanes() {
            let t = b.thread(thread(l));
            for (own, all) in t.views.iter_mut().zip(&views) {
                own.known = all.known.clone();
                own.released.clone_from(&all.released);
            }
            t.ways.clone_from(&ways);
        }
    }

    /// A thread executes a fence.
    pub fn fence(&mut self, who: Who, order: MemOrder, scope: Scope) {
        let is_far = self.is_far(scope);
        let Order { blocks, joins, .. } = self;
        let b = blocks.entry(who.block).or_default();
        for (rules, r) in ALL.iter().enumerate() {
            let far = is_far || r.no_scope;
            if acquires(order)
                && let Some(t) = b.threads.get_mut(&who.thread)
            {
                let t = &mut t.views[rules];
                let near = std::mem::take(&mut t.pending[NEAR]);
                t.known.join(&near, joins);
                if far {
                    let pending = std::mem::take(&mut t.pending[FAR]);
                    t.known.join(&pending, joins);
                }
            }
            if releases(order) && !r.no_release {
                let all = b.all(rules, who.thread, joins);
                let t = &mut b.thread(who.thread).views[rules];
                if far {
                    t.released[FAR] = all.clone();
                }
                t.released[NEAR] = all;
            }
        }
        b.step(who.thread);
    }

    /// Whether an object may have places that tell something.
    pub(crate) fn has_messages(&self, object: Object) -> bool {
        self.objects.contains(&object)
    }

    /// The granules in which a message may start that these bytes touch.
    fn near(start: u32, width: u32) -> impl Iterator<Item = u32> {
        // A strong access has at most sixteen bytes.
        (start / 4).saturating_sub(3)..(start.saturating_add(width)).div_ceil(4)
    }

    /// A thread writes without atomicity.
    pub(crate) fn weak_write(&mut self, object: Object, start: u32, width: u32) {
        for granule in Order::near(start, width) {
            if let Some(at) = self.messages.get_mut(&(object, granule)) {
                at.retain(|m| !m.overlaps(start, width));
            }
        }
    }

    /// A thread reads atomically or volatile.
    pub(crate) fn strong_read(&mut self, a: &Strong) {
        if !self.objects.contains(&a.object) {
            return;
        }
        let (Who { block, thread }, is_far) = (a.who, self.is_far(a.scope));
        for granule in Order::near(a.start, a.width) {
            let Some(messages) = self.messages.get(&(a.object, granule)) else { continue };
            for m in messages.iter().filter(|m| m.overlaps(a.start, a.width)) {
                let b = self.blocks.entry(block).or_default();
                let t = b.threads.entry(thread).or_default();
                let way = SyncEdge { write: m.write, read: a.place };
                for (rules, r) in ALL.iter().enumerate() {
                    let content = &m.content[rules];
                    let view = &mut t.views[rules];
                    let at_once = r.no_acquire || acquires(a.order);
                    let mut take = |clock: &Clock, side: usize| {
                        let to = if at_once { &mut view.known } else { &mut view.pending[side] };
                        to.join(clock, &mut self.joins);
                        if rules != STRICT {
                            remember(&mut t.ways[rules], way, clock, &mut self.joins);
                        }
                    };
                    if let Some(near) = content.near(block) {
                        take(near, NEAR);
                    }
                    if (is_far || r.no_scope) && !content.far.is_empty() {
                        take(&content.far, FAR);
                    }
                }
            }
        }
    }

    /// A thread writes atomically or volatile; `goes_on` if what was released there before stays so.
    pub(crate) fn strong_write(&mut self, a: &Strong, goes_on: bool) {
        let (Who { block, thread }, is_far) = (a.who, self.is_far(a.scope));
        let mut content: Box<[Content; RULES]> = Box::default();
        let lenient = self.writes < LENIENT;
        self.writes += u32::from(lenient);
        let b = self.blocks.entry(block).or_default();
        for (rules, r) in ALL.iter().enumerate() {
            let (mut near, mut far) = (Clock::default(), Clock::default());
            if r.no_release && !lenient {
                continue;
            }
            if r.no_release || releases(a.order) {
                b.all(rules, thread, &mut self.joins).add_to(&mut near, block, &mut self.joins);
                far.clone_from(&near);
            }
            let mut add = |released: &[Released; 2]| {
                for (clock, released) in [&mut near, &mut far].into_iter().zip(released) {
                    if !released.is_empty() {
                        released.add_to(clock, block, &mut self.joins);
                    }
                }
            };
            add(&b.views[rules].released);
            if let Some(t) = b.threads.get(&thread) {
                add(&t.views[rules].released);
            }
            if !is_far && !r.no_scope {
                far = Clock::default();
            }
            content[rules].add(block, &near, &far, &mut self.joins);
        }
        if content.iter().any(|c| !c.is_empty()) {
            b.step(thread);
        }
        let mut new = Message { start: a.start, width: a.width, write: a.place, content };
        for granule in Order::near(a.start, a.width) {
            let Some(at) = self.messages.get_mut(&(a.object, granule)) else { continue };
            if goes_on {
                for old in at.iter_mut().filter(|m| m.overlaps(a.start, a.width)) {
                    for (new, old) in new.content.iter_mut().zip(old.content.iter_mut()) {
                        // The longer one takes the other in.
                        if old.near.len() > new.near.len() && old.near.len() > 1 {
                            std::mem::swap(new, old);
                        }
                        new.far.join(&old.far, &mut self.joins);
                        let empty = Clock::default();
                        for (block, near) in &old.near {
                            new.add(*block, near, &empty, &mut self.joins);
                        }
                    }
                }
            }
            at.retain(|m| !m.is_within(a.start, a.width));
        }
        if new.content.iter().all(Content::is_empty) {
            return;
        }
        self.objects.insert(a.object);
        self.messages.entry((a.object, a.start / 4)).or_default().push(new);
    }

    /// A block has ended.
    #[inline]
    pub fn end_block(&mut self, block: u64) {
        self.blocks.remove(&block);
        let shared: Vec<Object> = self.objects.iter().filter(|o| o.owner == block + 1).copied().collect();
        if !shared.is_empty() {
            self.messages.retain(|(o, _), _| o.owner != block + 1);
            for o in &shared {
                self.objects.remove(o);
            }
        }
    }
}
