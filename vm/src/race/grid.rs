//! Races in global memory between the threads of one launch.
//!
//! Accesses of two blocks are never ordered by barriers: blocks of a launch are concurrent, whatever order the
//! machine runs them in. Within a block barriers and warp synchronisation order them, as in shared memory.
//!
//! While a launch runs, the stamps of [`super::cells`] suspect granules, and pages are kept as they were before
//! the launch first wrote them. A launch with suspects is put back and run once more, now with full records
//! of the suspected granules alone; only what these confirm is reported. Since the records keep every kind of
//! access to a granule with its smallest threads, what is found does not depend on the order of the blocks.
//!
//! Release and acquire patterns are taken to order more than they may: a pair in different blocks is not
//! reported if one side's block executes a fence of at least device scope after its access (or, of an atomic
//! or volatile access, before it), and the other side's block has made an atomic or volatile access before its
//! own. Within a block nothing of an interval with a fence is reported. So patterns with fences are silent,
//! also where the fence stands in a wrong place.
//!
//! Not looked at: objects of two gigabytes and more, and launches that use the device's heap. Accesses of the
//! host and of other launches are compared in [`super::streams`].

use super::cells::{Cells, GridStamps};
use super::exact::{Exact, bytes_of, overlap};
use super::log::Event;
use super::touch::Touches;
use super::{How, RaceAccess, Spot};
use crate::engine::MayTouch;
use crate::fault::{AccessOp, LaunchRef, ObjectInfo, Place};
use crate::memory::{Mask, Page, StripShape, thread_coord};
use crate::report::{Findings, RaceNote, RaceSide};
use cudair_ir::{Kind, MemOrder, Scope};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;

/// Bytes of a page of the undo log.
pub(crate) const PAGE: u64 = 4096;
/// Granules that are looked at closely because of accesses at one place.
const SUSPECTS: u32 = 1 << 12;
/// Accesses at one place to one granule that are compared within an interval of a block.
const RECORDS: usize = 64;

/// What the detector does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Phase {
    /// Nothing.
    #[default]
    Off,
    /// Stamps, and keeps what is overwritten.
    Watch,
    /// Records accesses to suspected granules.
    Confirm,
}

/// An object's state.
#[derive(Debug, Default)]
pub(super) struct Watched {
    pub(super) cells: Cells,
    /// The stretch of writes that `saved` is of.
    launch: u64,
    /// A bit per page: whether it is in the undo log.
    saved: Vec<u64>,
}

impl Watched {
    /// Forgets which pages are kept, unless that is of the same stretch already.
    #[inline]
    pub(super) fn keep_since(&mut self, launch: u64, size: u64) {
        if self.launch != launch {
            self.launch = launch;
            self.saved.clear();
            self.saved.resize((size.div_ceil(PAGE) as usize).div_ceil(64), 0);
        }
    }

    /// A page is kept.
    pub(super) fn mark_saved(&mut self, page: u64) {
        if let Some(word) = self.saved.get_mut(page as usize / 64) {
            *word |= 1 << (page % 64);
        }
    }
}

/// A page as it was: object, where it starts, bytes.
type Kept = (u32, u64, Page);

/// A granule by object and number.
pub(super) type Granule = (u32, u32);

/// The accesses at one place to the same bytes by threads in the same position to fences.
#[derive(Clone, Copy, Debug)]
struct Class {
    how: How,
    start: u32,
    width: u32,
    /// The block had read atomically or volatile before.
    acquired: bool,
    /// Fences of the block before the last of the accesses; once the block has ended, whether there is a
    /// fence that makes it a release: 1 or 0.
    fences: u32,
    /// Whether all wrote the first one's value.
    same: bool,
    /// The smallest block and thread with its value, and the smallest of another block.
    best: [Option<Who>; 2],
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Who {
    block: u64,
    thread: u32,
    value: Option<u64>,
}

impl Class {
    fn same_kind(&self, o: &Class) -> bool {
        (self.how, self.start, self.width, self.acquired) == (o.how, o.start, o.width, o.acquired)
    }

    fn note(&mut self, who: Who) {
        let less = |a: &Who, b: &Who| (a.block, a.thread) < (b.block, b.thread);
        self.same &= self.best[0].is_none_or(|b| b.value == who.value);
        match self.best {
            [Some(first), second] => {
                if who.block == first.block {
                    if less(&who, &first) {
                        self.best[0] = Some(who);
                    }
                } else if less(&who, &first) {
                    self.best = [Some(who), Some(first)];
                } else if second.is_none_or(|s| less(&who, &s)) {
                    self.best[1] = Some(who);
                }
            }
            [None, _] => self.best[0] = Some(who),
        }
    }
}

/// A block under close observation.
#[derive(Debug)]
struct Observed {
    exact: Exact,
    /// A fence in the interval.
    fenced: bool,
    /// Fences of device scope so far.
    fences: u32,
    acquired: bool,
    classes: FxHashMap<Granule, Vec<Class>>,
}

/// The detector.
#[derive(Debug, Default)]
pub(crate) struct GridRaces {
    phase: Phase,
    pub(super) stamps: GridStamps,
    /// What the launch may touch.
    touched: MayTouch,
    /// The cores have parted: whatever is written is kept, for the others.
    pub(super) parted: bool,
    pub(super) objects: FxHashMap<u32, Watched>,
    /// Counts launches, and stretches of them that keep pages of their own.
    pub(super) launches: u64,
    pub(super) undo: FxHashMap<Granule, Page>,
    /// The launch did what cannot be put back.
    final_: bool,
    pub(super) suspects: FxHashSet<Granule>,
    /// The launch has done what orders blocks, or may: it is not shared among cores.
    strong: bool,
    suspected: FxHashMap<Place, u32>,
    filter: Rc<FxHashSet<Granule>>,
    grid: [u32; 3],
    block_dim: [u32; 3],
    launch: Option<LaunchRef>,
    lockstep: bool,
    pub(super) running: Option<u64>,
    blocks: FxHashMap<u64, Observed>,
    classes: FxHashMap<Granule, Vec<Class>>,
    notes: Vec<(u32, RaceNote)>,
    /// Takes what the running operation touches, where that is to be compared with other operations.
    pub(crate) touches: Option<Box<Touches>>,
}

impl GridRaces {
    /// A launch starts.
    pub(crate) fn begin(
        &mut self,
        touched: MayTouch,
        grid: [u32; 3],
        block_dim: [u32; 3],
        launch: LaunchRef,
        lockstep: bool,
    ) {
        (self.touched, self.parted) = (touched, false);
        let threads = grid.iter().chain(&block_dim).map(|&d| u64::from(d)).fold(1, u64::saturating_mul);
        self.phase = if threads > 1 { Phase::Watch } else { Phase::Off };
        (self.grid, self.block_dim, self.launch, self.lockstep) = (grid, block_dim, Some(launch), lockstep);
        self.launches += 1;
        self.running = None;
        self.final_ = false;
        self.strong = false;
        self.suspects.clear();
        self.suspected.clear();
        self.undo.clear();
        if self.stamps.is_full() {
            let old = self.stamps.wrap();
            self.objects.values_mut().for_each(|o| o.cells.fold(old));
        }
        self.stamps.launch();
    }

    /// Whether accesses are recorded, in a launch that runs for the second time.
    pub(crate) fn is_replay(&self) -> bool {
        self.phase == Phase::Confirm
    }

    /// The launch does something that cannot be put back.
    pub(crate) fn give_up(&mut self) {
        self.final_ = true;
    }

    /// Whether writes are kept and blocks have not talked to each other so far, so that the rest of them may
    /// run on other cores.
    pub(crate) fn may_share(&self) -> bool {
        // What an operation touches is recorded by one core.
        self.touches.is_none() && self.phase == Phase::Watch && !self.strong && !self.final_
    }

    /// Forgets objects that are gone.
    pub(crate) fn retain(&mut self, is_alive: impl Fn(u32) -> bool) {
        self.objects.retain(|&n, _| is_alive(n));
    }

    fn linear(&self, [x, y, z]: [u32; 3]) -> u64 {
        let [gx, gy, _] = self.grid.map(u64::from);
        u64::from(x) + gx * (u64::from(y) + gy * u64::from(z))
    }

    fn index(&self, linear: u64) -> [u32; 3] {
        let [gx, gy, _] = self.grid.map(|n| u64::from(n.max(1)));
        [(linear % gx) as u32, (linear / gx % gy) as u32, (linear / gx / gy) as u32]
    }

    /// Whether an access to an object is to be told: not where the launch cannot write it, since nobody races on
    /// it then, unless other operations may.
    #[inline(always)]
    pub(crate) fn is_watched(&self, obj: u32) -> bool {
        self.touches.is_some()
            || self.phase != Phase::Off && self.touched.writes.as_ref().is_none_or(|w| w.contains(&obj))
    }

    /// Before lanes write an object of `size` bytes, which `read` reads.
    #[inline]
    pub(crate) fn before_write(
        &mut self,
        obj: u32,
        size: u64,
        (mask, spot, width): (&Mask, Spot, u32),
        read: impl Fn(u64, u64) -> Page,
    ) {
        // What it cannot read need not be put back: writing it again gives the same.
        let unread = self.touched.reads.as_ref().is_some_and(|r| !r.contains(&obj));
        if self.phase != Phase::Watch || unread && !self.parted {
            return;
        }
        let launch = self.launches;
        let watched = self.objects.entry(obj).or_default();
        watched.keep_since(launch, size);
        let (saved, undo) = (&mut watched.saved, &mut self.undo);
        let mut page = |page: u64| {
            let Some(word) = saved.get_mut(page as usize / 64) else { return };
            if *word >> (page % 64) & 1 == 0 {
                *word |= 1 << (page % 64);
                let start = page * PAGE;
                let old = read(start, PAGE.min(size.saturating_sub(start)));
                undo.insert((obj, page as u32), old);
            }
        };
        let mut range = |from: u64, len: u64| {
            for p in from / PAGE..=(from + len.max(1) - 1) / PAGE {
                page(p);
            }
        };
        match spot {
            Spot::Chunks(_) => {
                let mut last = u64::MAX;
                spot.for_each(mask, width, |_, off| {
                    let off = u64::from(off);
                    if off / PAGE != last || off % PAGE + u64::from(width) > PAGE {
                        last = off / PAGE;
                        range(off, width.into());
                    }
                });
            }
            Spot::Broadcast(off) => range(off.into(), width.into()),
            Spot::Contig(_) => {
                let (Some(first), Some(last)) = (mask.lowest(), mask.highest()) else { return };
                let (from, to) = (spot.lane(first, width), spot.lane(last, width));
                range(from.into(), u64::from(to - from + width));
            }
        }
    }

    /// An access that passed all other checks, to the object `acc.obj` of `size` bytes.
    #[inline]
    pub(crate) fn access(&mut self, shape: &StripShape, size: u64, acc: &RaceAccess) {
        if self.touches.is_some() {
            self.touch(shape, acc);
        }
        match self.phase {
            Phase::Off => {}
            Phase::Watch => {
                let block = self.linear(shape.block_index);
                if self.running != Some(block) {
                    self.running = Some(block);
                    self.make_room();
                    self.stamps.block();
                }
                self.strong |= acc.how.atomic.is_some();
                let watched = self.objects.entry(acc.obj).or_default();
                watched.cells.fit(size);
                if !watched.cells.access_grid(self.stamps.bases(), acc) {
                    self.suspect(acc);
                }
            }
            Phase::Confirm => {
                let block = self.linear(shape.block_index);
                self.record(block, acc);
            }
        }
    }

    #[cold]
    fn touch(&mut self, shape: &StripShape, acc: &RaceAccess) {
        let block = self.linear(shape.block_index);
        if let Some(touches) = self.touches.as_mut().filter(|_| self.phase != Phase::Confirm) {
            touches.lanes(block, shape, acc);
        }
    }

    fn make_room(&mut self) {
        if self.stamps.is_full() {
            let old = self.stamps.wrap();
            self.objects.values_mut().for_each(|o| o.cells.fold(old));
        }
    }

    #[cold]
    fn suspect(&mut self, acc: &RaceAccess) {
        let count = self.suspected.entry(acc.how.place).or_default();
        for lane in acc.mask.iter() {
            let off = acc.spot.lane(lane, acc.width);
            for granule in off / 4..(off + acc.width).div_ceil(4) {
                if *count >= SUSPECTS {
                    return;
                }
                *count += u32::from(self.suspects.insert((acc.obj, granule)));
            }
        }
    }

    /// All live threads of a block have met.
    pub(crate) fn barrier(&mut self, block: [u32; 3]) {
        let block = self.linear(block);
        match self.phase {
            Phase::Off => {}
            Phase::Watch if self.running == Some(block) => {
                self.make_room();
                self.stamps.barrier();
            }
            Phase::Watch => {}
            Phase::Confirm => self.end_interval(block),
        }
    }

    /// Lanes of a warp have met.
    pub(crate) fn warp_sync(&mut self, block: [u32; 3], warp: u32, mask: u32) {
        if self.phase == Phase::Confirm {
            let block = self.linear(block);
            self.observed(block).exact.feed(Event::WarpSync { warp, mask });
        }
    }

    /// A thread of a block executes a fence.
    pub(crate) fn fence(&mut self, block: [u32; 3], scope: Scope) {
        self.strong |= scope != Scope::Block;
        if let Some(touches) = &mut self.touches {
            touches.fenced |= scope != Scope::Block;
        }
        if self.phase == Phase::Confirm {
            let block = self.linear(block);
            let b = self.observed(block);
            b.fenced = true;
            b.fences += u32::from(scope != Scope::Block);
        }
    }

    /// An atomic operation with an order of its own.
    pub(crate) fn order(&mut self, block: [u32; 3], order: MemOrder, scope: Scope) {
        if order != MemOrder::Relaxed {
            self.fence(block, scope);
        }
    }

    fn observed(&mut self, block: u64) -> &mut Observed {
        let (filter, lockstep) = (&self.filter, self.lockstep);
        self.blocks.entry(block).or_insert_with(|| Observed {
            exact: Exact::new(Some(Rc::clone(filter)), lockstep).at_most(RECORDS),
            fenced: false,
            fences: 0,
            acquired: false,
            classes: FxHashMap::default(),
        })
    }

    fn record(&mut self, block: u64, acc: &RaceAccess) {
        let filter = Rc::clone(&self.filter);
        let b = self.observed(block);
        b.exact.feed(Event::Access(*acc));
        let how = acc.how;
        let strong = is_strong(&how);
        for lane in acc.mask.iter() {
            let start = acc.spot.lane(lane, acc.width);
            for granule in start / 4..(start + acc.width).div_ceil(4) {
                if !filter.contains(&(acc.obj, granule)) {
                    continue;
                }
                let value = acc.value(lane);
                let who = Who { block, thread: acc.first_thread + lane as u32, value };
                // What it does itself to acquire comes too late for the first, in the same way as a fence
                // before a strong access makes it a release itself.
                let fences = if strong && b.fences > 0 { 0 } else { b.fences };
                let mut new = Class {
                    how,
                    start,
                    width: acc.width,
                    acquired: b.acquired,
                    fences,
                    same: true,
                    best: [None; 2],
                };
                new.note(who);
                let classes = b.classes.entry((acc.obj, granule)).or_default();
                match classes.iter_mut().find(|c| c.same_kind(&new)) {
                    Some(c) if c.fences == fences => c.note(who),
                    // The last ones count: those before are released if these are.
                    Some(c) => {
                        *c = Class { same: c.same && c.best[0].is_none_or(|w| w.value == value), ..new }
                    }
                    None => classes.push(new),
                }
            }
        }
        b.acquired |= strong && how.op != AccessOp::Write;
    }

    /// What an interval of a block gives.
    fn end_interval(&mut self, block: u64) {
        let index = self.index(block);
        let (filter, lockstep) = (Rc::clone(&self.filter), self.lockstep);
        let Some(b) = self.blocks.get_mut(&block) else { return };
        let exact = std::mem::replace(&mut b.exact, Exact::new(Some(filter), lockstep).at_most(RECORDS));
        if std::mem::take(&mut b.fenced) {
            return;
        }
        for pair in exact.pairs() {
            let sides = [0, 1].map(|i| {
                side(pair.hows[i], thread_coord(index, self.block_dim, pair.threads[i]), pair.values[i])
            });
            let note = RaceNote {
                kind: Kind::GlobalRace,
                sides,
                object: placeholder(),
                offset: u64::from(pair.offset),
                bytes: pair.bytes,
                same_warp: pair.threads[0] / 32 == pair.threads[1] / 32,
                same_value: pair.same_value,
                launch: self.launch,
                count: pair.count,
            };
            self.notes.push((pair.obj, note));
        }
    }

    /// A block has ended, however it came.
    pub(crate) fn end_block(&mut self, block: [u32; 3]) {
        if self.phase != Phase::Confirm {
            return;
        }
        let block = self.linear(block);
        self.end_interval(block);
        let Some(b) = self.blocks.remove(&block) else { return };
        for (granule, classes) in b.classes {
            let all = self.classes.entry(granule).or_default();
            for class in classes {
                let class = Class { fences: u32::from(class.fences < b.fences), ..class };
                match all.iter_mut().find(|c| c.same_kind(&class) && c.fences == class.fences) {
                    Some(known) => {
                        known.same &= class.same;
                        class.best.into_iter().flatten().for_each(|who| known.note(who));
                    }
                    None => all.push(class),
                }
            }
        }
    }

    /// The launch has ended. If it is to be run again, the pages to put back first.
    pub(crate) fn suspicious(&mut self) -> Option<Vec<Kept>> {
        let phase = std::mem::take(&mut self.phase);
        let undo = std::mem::take(&mut self.undo);
        if phase != Phase::Watch || self.suspects.is_empty() || self.final_ {
            return None;
        }
        self.filter = Rc::new(std::mem::take(&mut self.suspects));
        self.phase = Phase::Confirm;
        Some(undo.into_iter().map(|((obj, page), bytes)| (obj, u64::from(page) * PAGE, bytes)).collect())
    }

    /// The launch has run again: what was confirmed.
    pub(crate) fn confirmed(&mut self, findings: &mut Findings, info: impl Fn(u32) -> Option<ObjectInfo>) {
        let left: Vec<u64> = self.blocks.keys().copied().collect();
        for block in left {
            self.end_block(self.index(block));
        }
        self.phase = Phase::Off;
        let mut notes = std::mem::take(&mut self.notes);
        for ((obj, granule), classes) in std::mem::take(&mut self.classes) {
            for (i, a) in classes.iter().enumerate() {
                for b in &classes[i..] {
                    notes.extend(self.between(granule, a, b).map(|n| (obj, n)));
                }
            }
        }
        self.filter = Rc::default();
        // The order must not depend on that of a table.
        notes.sort_by_key(|(obj, n)| (n.sides.each_ref().map(|s| (s.place, s.op)), *obj, n.offset));
        let mut infos: FxHashMap<u32, Arc<ObjectInfo>> = FxHashMap::default();
        for (obj, mut note) in notes {
            if let Some(known) = infos.get(&obj) {
                note.object = Arc::clone(known);
            } else if let Some(found) = info(obj) {
                note.object = Arc::clone(infos.entry(obj).or_insert(Arc::new(found)));
            } else {
                continue;
            }
            findings.race(note);
        }
    }

    /// The race between accesses of two classes in different blocks, if there is one.
    fn between(&self, granule: u32, a: &Class, b: &Class) -> Option<RaceNote> {
        if !a.how.op.writes() && !b.how.op.writes() || is_strong_in_grid(&a.how) && is_strong_in_grid(&b.how)
        {
            return None;
        }
        let ordered = |from: &Class, to: &Class| from.fences != 0 && to.acquired;
        if ordered(a, b) || ordered(b, a) {
            return None;
        }
        let (from, to) = overlap((a.start, a.width), (b.start, b.width));
        if from.max(granule * 4) >= to.min(granule * 4 + 4) {
            return None;
        }
        let pairs = a.best.iter().flatten().flat_map(|x| b.best.iter().flatten().map(move |y| (x, y)));
        let (x, y) = pairs
            .filter(|(x, y)| x.block != y.block)
            .min_by_key(|(x, y)| (x.block, x.thread, y.block, y.thread))?;
        let written = |c: &Class, w: &Who| {
            if c.how.op == AccessOp::Write { bytes_of(w.value, c.start, from, to) } else { None }
        };
        let same_value = a.same && b.same && written(a, x).is_some_and(|v| written(b, y) == Some(v));
        let who = |c: &Class, w: &Who| {
            side(c.how, thread_coord(self.index(w.block), self.block_dim, w.thread), w.value)
        };
        let mut sides = [who(a, x), who(b, y)];
        // A reader first.
        if b.how.op == AccessOp::Read {
            sides.reverse();
        }
        Some(RaceNote {
            kind: Kind::GlobalRace,
            sides,
            object: placeholder(),
            offset: u64::from(from),
            bytes: to - from,
            same_warp: false,
            same_value,
            launch: self.launch,
            count: u64::from(from / 4 == granule),
        })
    }
}

fn side(how: How, thread: cudair_ir::ThreadCoord, value: Option<u64>) -> RaceSide {
    RaceSide {
        place: how.place,
        op: how.op,
        atomic: how.atomic.is_some(),
        volatile: how.volatile,
        thread,
        value,
    }
}

/// Whether an access is atomic or volatile.
fn is_strong(how: &How) -> bool {
    how.atomic.is_some() || how.volatile
}

/// Whether it is so to other blocks too.
fn is_strong_in_grid(how: &How) -> bool {
    match how.atomic {
        Some(scope) => scope != Scope::Block,
        None => how.volatile,
    }
}

/// Until the object's description is looked up.
fn placeholder() -> Arc<ObjectInfo> {
    Arc::new(ObjectInfo {
        kind: crate::fault::AllocKind::Runtime,
        space: cudair_ir::Space::Global,
        name: None,
        size: 0,
        part: 0,
        made: Place::Unknown,
        ended: Place::Unknown,
    })
}
