//! Races in global memory between the threads of one launch, and the second run of a launch under suspicion.
//!
//! Accesses of two blocks are never ordered by barriers: blocks of a launch are concurrent, whatever order the
//! machine runs them in. Within a block barriers and warp synchronisation order them, as in shared memory.
//!
//! While a launch runs, the epochs of [`super::epoch_lines`] suspect granules. Epochs know barriers only, so that they
//! suspect whatever fences may order. A launch with suspects is rolled back by its transaction and run once more,
//! now with records of the suspected granules in global and shared memory alone ([`super::records`]), and with the
//! whole order of events ([`super::order`]). The second run sees what the first saw. Only what it confirms is
//! reported.
//!
//! Not looked at: objects of two gigabytes and more. Accesses of the host and of other launches are compared in
//! [`super::streams`].

use super::epoch_lines::EpochLines;
pub use super::epoch_lines::RawLines;
use super::epochs::GridStamps;
use super::order::{Object, Who};
use super::records::{Absent, Clusters, Outlived, ReadUses, Recorder};
use super::share::{Touched, common};
use super::touch::Touches;
use super::{Deferred, Observer, RaceAccess};
use crate::MayTouch;
use cudair_ir::{Kind, LaunchDims, MemOrder, Scope, ThreadCoord};
use cudair_lane::fault::{AccessOp, Fault, LaunchRef, ObjectInfo, Place};
use cudair_lane::{Mask, StripShape, block_index, thread_coord};
use cudair_report::{Findings, RaceNote, RaceSide};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes of a page of the undo log.
pub const PAGE: u64 = 4096;
/// Granules that are looked at closely because of accesses at one place, at first; of the others, ever fewer.
const SUSPECTS: u32 = 1 << 11;
/// Doublings of the number of granules that one of them stands for.
const THINNINGS: u32 = 8;
/// Suspected granules of shared memory.
const SHARED_SUSPECTS: usize = 1 << 16;

/// What the detector does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Phase {
    /// Nothing.
    #[default]
    Off,
    /// Epochs.
    Watch,
    /// The same, but for objects whose accesses are proved free of races.
    WatchOthers,
    /// Records accesses to suspected granules.
    Confirm,
}

impl Phase {
    /// Whether accesses are compared by epochs.
    fn watches(self) -> bool {
        matches!(self, Phase::Watch | Phase::WatchOthers)
    }
}

/// An object's state.
#[derive(Debug, Default)]
pub(super) struct ObjectShadow {
    pub(super) lines: EpochLines,
}

/// A granule of an object, by number.
pub(super) type Granule = (u32, u32);

/// What is known of the launch from its start on.
#[derive(Debug, Default)]
struct LaunchFacts {
    /// What it may touch.
    touched: MayTouch,
    clusters: Clusters,
    block_dim: [u32; 3],
    launch: Option<LaunchRef>,
    lockstep: bool,
}

/// What blocks have left to a second run of their shared memory.
#[derive(Debug, Default)]
struct SharedSuspicions {
    granules: FxHashSet<(Object, u32)>,
    infos: Vec<Arc<ObjectInfo>>,
    /// Races without any fence, should there be no second run.
    notes: Vec<RaceNote>,
    /// There are suspicions of which no note tells.
    open: bool,
    /// Suspected granules beyond what is kept.
    cut: u64,
    /// Blocks may have touched memory of others of their clusters before these started or after they exited.
    outlived: bool,
}

impl SharedSuspicions {
    /// Nothing is suspected.
    fn forget(&mut self) {
        self.granules.clear();
        self.infos.clear();
        self.notes.clear();
        (self.open, self.cut) = (false, 0);
    }
}

/// The detector.
#[derive(Debug, Default)]
pub struct GridRaces {
    phase: Phase,
    of: LaunchFacts,
    /// The objects of whose accesses it is told; all where that is not known.
    heard: Option<Vec<u32>>,
    pub(super) epochs: GridStamps,
    pub(super) objects: FxHashMap<u32, ObjectShadow>,
    pub(super) suspects: FxHashSet<Granule>,
    /// The launch has done what orders blocks, or may: it is not shared among cores.
    pub(super) strong: bool,
    suspected: FxHashMap<Place, u32>,
    shared: SharedSuspicions,
    pub(super) running: Option<u64>,
    /// The launch's blocks were shared among cores, if for a while.
    pub(super) parted: bool,
    /// What was touched before cores parted whose work was void.
    pub(super) earlier: Vec<Touched>,
    /// Takes what the running operation touches, where that is to be compared with other operations.
    pub touches: Option<Box<Touches>>,
    recorder: Option<Arc<Mutex<Recorder>>>,
    /// What becomes of the values that the program's code reads.
    pub uses: ReadUses,
    /// What a compare-and-swap makes good is noted.
    pub strict: bool,
    /// The launch used the result of an atomic operation, or read what is volatile.
    pub(super) unsteady: bool,
    /// All that the launch writes is kept, also where nothing is watched.
    pub kept: bool,
    /// Words at which second runs did not compare all accesses, summed over launches.
    pub dropped: u64,
    /// Places of which second runs did not compare accesses to some words.
    pub thinned: FxHashSet<Place>,
    /// How often either was so, for telling whether it was so in a launch.
    pub uncompared: u64,
}

impl GridRaces {
    /// A launch starts: what it may touch.
    pub fn begin(
        &mut self,
        touched: MayTouch,
        clusters: Clusters,
        block_dim: [u32; 3],
        launch: LaunchRef,
        lockstep: bool,
        watch: bool,
    ) {
        let grid = clusters.grid;
        let threads = grid.iter().chain(&block_dim).map(|&d| u64::from(d)).fold(1, u64::saturating_mul);
        self.phase = match () {
            () if !watch || threads <= 1 => Phase::Off,
            () if touched.proved.is_empty() => Phase::Watch,
            () => Phase::WatchOthers,
        };
        // What nobody hears of is not even named.
        self.heard.clone_from(&touched.writes);
        if let Some(heard) = &mut self.heard {
            heard.retain(|o| !touched.unheard.contains(o));
        }
        self.of = LaunchFacts { touched, clusters, block_dim, launch: Some(launch), lockstep };
        self.shared.outlived = false;
        self.running = None;
        self.earlier.clear();
        self.parted = false;
        self.strong = false;
        self.unsteady = false;
        self.suspects.clear();
        self.suspected.clear();
        self.forget_shared();
        self.recorder = None;
        self.make_room();
        self.epochs.launch();
    }

    /// Whether accesses are recorded, in a launch that runs for the second time.
    #[inline]
    pub fn is_replay(&self) -> bool {
        self.phase == Phase::Confirm
    }

    /// Whether the launch is watched and blocks have not talked to each other so far, so that the rest of them may
    /// run on other cores.
    #[inline]
    pub fn may_share(&self) -> bool {
        // What an operation touches is recorded by one core.
        self.touches.is_none()
            && self.phase.watches()
            && !self.strong
            && self.shared.granules.is_empty()
            && self.of.clusters.dims == [1; 3]
    }

    /// The launch uses the result of an atomic operation: what follows may hang on the order of threads.
    #[inline]
    pub fn used_atomic(&mut self) {
        self.unsteady = true;
    }

    /// Whether what the launch does may hang on the order of its threads.
    #[inline]
    pub fn is_unsteady(&self) -> bool {
        self.unsteady
    }

    /// Forgets objects that are gone.
    #[inline]
    pub fn retain(&mut self, is_alive: impl Fn(u32) -> bool) {
        self.objects.retain(|&n, _| is_alive(n));
    }

    fn linear(&self, [x, y, z]: [u32; 3]) -> u64 {
        let [gx, gy, _] = self.of.clusters.grid.map(u64::from);
        u64::from(x) + gx * (u64::from(y) + gy * u64::from(z))
    }

    /// Whether an access to an object is to be told: not where the launch cannot write it, since nobody races on
    /// it then, unless other operations may.
    #[inline(always)]
    pub fn is_watched(&self, obj: u32) -> bool {
        self.kept
            || self.touches.is_some()
            || self.phase != Phase::Off && self.heard.as_ref().is_none_or(|h| h.contains(&obj))
    }

    /// The objects that the last launch may have written, as far as that is known.
    #[inline]
    pub fn may_have_written(&self) -> &[u32] {
        self.of.touched.writes.as_deref().unwrap_or(&[])
    }

    fn recorder(&self) -> Option<MutexGuard<'_, Recorder>> {
        self.recorder.as_ref().map(|r| r.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Who looks on at a block, in a launch that runs for the second time.
    #[inline]
    pub fn observer(&self, block: [u32; 3]) -> Option<Observer> {
        let recorder = self.recorder.clone()?;
        Some(Observer { block: self.linear(block), recorder })
    }

    /// Whether accesses to an object are compared, in a launch that runs for the first time.
    pub fn compares(&self, obj: u32) -> bool {
        self.phase.watches()
            && self.heard.as_ref().is_none_or(|h| h.contains(&obj))
            && !(self.phase == Phase::WatchOthers && self.of.touched.proved.contains(&obj))
    }

    /// Makes ready for compiled code's accesses to an object of `size` bytes, in granules of `1 << shift`. None without
    /// memory for it.
    pub fn for_compiled(&mut self, obj: u32, size: u64, shift: u32) -> Option<RawLines> {
        let launch = self.epochs.bases().launch;
        let watched = self.objects.entry(obj).or_default();
        watched.lines.fit(size);
        watched.lines.for_compiled(launch, shift)
    }

    /// A block goes on in compiled code: the first epochs of the launch, of the block and of the running interval.
    pub fn enter_compiled(&mut self, block: [u32; 3]) -> [u32; 3] {
        let block = self.linear(block);
        if self.running != Some(block) {
            self.running = Some(block);
            self.make_room();
            self.epochs.block();
        }
        let bases = self.epochs.bases();
        [bases.launch, bases.block, bases.first]
    }

    /// [`GridRaces::access`] by compiled code, whose granules are `1 << shift` bytes. Whether nothing is suspected; not where
    /// the granules do not suit the access.
    pub fn access_compiled(
        &mut self,
        shape: &StripShape,
        (size, shift): (u64, u32),
        acc: &RaceAccess,
    ) -> bool {
        let low = acc.mask.iter().fold(acc.width, |low, lane| low | acc.spot.lane(lane, acc.width));
        let suits = low & ((1 << shift) - 1) == 0;
        if !suits || !self.objects.get(&acc.obj).is_some_and(|o| o.lines.is_for(shift)) {
            return false;
        }
        self.access(shape, size, acc);
        self.suspects.is_empty()
    }

    /// A plain access by eight threads of compiled code in a row, from `thread` on, to a granule of `1 << shift` bytes each, side
    /// by side from granule `from` of an object on. Whether nothing is suspected.
    pub fn side_by_side_compiled(
        &mut self,
        (obj, shift): (u32, u32),
        from: usize,
        writes: bool,
        thread: u32,
    ) -> bool {
        let bases = self.epochs.bases();
        let Some(watched) = self.objects.get_mut(&obj).filter(|o| o.lines.is_for(shift)) else {
            return false;
        };
        watched.lines.side_by_side(bases, from, writes, bases.first | thread)
    }

    /// An access that passed all other checks, to the object `acc.obj` of `size` bytes.
    #[inline]
    pub fn access(&mut self, shape: &StripShape, size: u64, acc: &RaceAccess) {
        if self.touches.is_some() {
            self.touch(shape, acc);
        }
        self.unsteady |= acc.how.volatile && !acc.how.op.writes();
        match self.phase {
            Phase::Off => {}
            Phase::WatchOthers if self.of.touched.proved.contains(&acc.obj) => {}
            Phase::Watch | Phase::WatchOthers => {
                let block = self.linear(shape.block_index);
                if self.running != Some(block) {
                    self.running = Some(block);
                    self.make_room();
                    self.epochs.block();
                }
                self.strong |= acc.how.atomic.is_some() || acc.how.volatile;
                let watched = self.objects.entry(acc.obj).or_default();
                watched.lines.fit(size);
                if !watched.lines.access(self.epochs.bases(), acc) {
                    self.suspect(acc);
                }
            }
            Phase::Confirm => {
                let block = self.linear(shape.block_index);
                if let Some(mut recorder) = self.recorder() {
                    recorder.access(0, block, acc);
                }
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

    /// Sees to it that there is a number for the next interval.
    pub(super) fn make_room(&mut self) {
        if self.epochs.is_full() {
            let old = self.epochs.wrap();
            self.objects.values_mut().for_each(|o| o.lines.fold(old));
        }
    }

    #[cold]
    fn suspect(&mut self, acc: &RaceAccess) {
        let count = self.suspected.entry(acc.how.place).or_default();
        let mut left_out = false;
        for lane in acc.mask.iter() {
            let off = acc.spot.lane(lane, acc.width);
            for granule in off / 4..(off + acc.width).div_ceil(4) {
                // Of many granules ever fewer, spread over the object.
                let thin = *count / SUSPECTS;
                let skip = granule.wrapping_mul(0x9e37_79b1).leading_zeros() < thin.min(31);
                if thin <= THINNINGS && !skip {
                    *count += u32::from(self.suspects.insert((acc.obj, granule)));
                } else if !self.suspects.contains(&(acc.obj, granule)) {
                    left_out = true;
                }
            }
        }
        if left_out {
            self.thinned.insert(acc.how.place);
            self.uncompared += 1;
        }
    }

    /// The linear number of a block.
    #[inline]
    pub fn number_of(&self, block: [u32; 3]) -> u64 {
        self.linear(block)
    }

    /// Lanes arrive at the barrier of their cluster.
    #[inline]
    pub fn arrive(&mut self, block: [u32; 3], lanes: (u32, &Mask), release: bool, place: Place) {
        let block = self.linear(block);
        if let Some(mut recorder) = self.recorder() {
            recorder.arrive(block, lanes, release, place);
        }
    }

    /// Lanes have waited for the barrier of their cluster.
    #[inline]
    pub fn waited(&mut self, block: [u32; 3], lanes: (u32, &Mask), place: Place) {
        let block = self.linear(block);
        if let Some(mut recorder) = self.recorder() {
            recorder.waited(block, lanes, place);
        }
    }

    /// A phase of the barrier of a block's cluster is complete.
    #[inline]
    pub fn complete(&mut self, block: [u32; 3]) {
        let block = self.linear(block);
        if let Some(mut recorder) = self.recorder() {
            recorder.complete(block);
        }
    }

    /// All threads of a block of a cluster have exited.
    #[inline]
    pub fn exit_block(&mut self, block: [u32; 3]) {
        let block = self.linear(block);
        if let Some(mut recorder) = self.recorder() {
            recorder.exit_block(block);
        }
    }

    /// All live threads of a block have met.
    pub fn barrier(&mut self, block: [u32; 3]) {
        match self.phase {
            Phase::Off => {}
            Phase::Watch | Phase::WatchOthers if self.running == Some(self.linear(block)) => {
                self.make_room();
                self.epochs.barrier();
            }
            Phase::Watch | Phase::WatchOthers => {}
            Phase::Confirm => {
                let block = self.linear(block);
                if let Some(mut recorder) = self.recorder() {
                    recorder.barrier(block);
                }
            }
        }
    }

    /// Lanes of a warp have met.
    #[inline]
    pub fn warp_sync(&mut self, block: [u32; 3], warp: u32, mask: u32) {
        let block = self.linear(block);
        if let Some(mut recorder) = self.recorder() {
            recorder.warp_sync(block, warp, mask);
        }
    }

    /// The threads `first + lane` of a block execute a fence.
    #[inline]
    pub fn fence(&mut self, block: [u32; 3], (first, mask): (u32, &Mask), order: MemOrder, scope: Scope) {
        self.strong |= scope != Scope::Block;
        if let Some(touches) = &mut self.touches {
            touches.fenced |= scope != Scope::Block;
        }
        let block = self.linear(block);
        if let Some(mut recorder) = self.recorder() {
            recorder.fence(block, first, mask, order, scope);
        }
    }

    /// An atomic operation comes that has an order of its own.
    #[inline]
    pub fn order(&mut self, order: MemOrder) {
        if let Some(touches) = &mut self.touches {
            touches.fenced = true;
        }
        if let Some(mut recorder) = self.recorder() {
            recorder.next_order(order);
        }
    }

    /// A block has ended, and left this to a second run.
    pub fn end_block(&mut self, block: [u32; 3], deferred: Deferred) {
        let block = self.linear(block);
        self.unsteady |= deferred.volatile_read;
        self.shared.outlived |= deferred.outlived;
        if deferred.outlived && self.shared.infos.is_empty() {
            self.shared.infos.clone_from(&deferred.infos);
        }
        if let Some(mut recorder) = self.recorder() {
            recorder.end_block(block);
        } else if !deferred.suspects.is_empty() {
            let room = SHARED_SUSPECTS.saturating_sub(self.shared.granules.len());
            let mut all: Vec<(u32, u32)> = deferred.suspects.into_iter().collect();
            all.sort_unstable();
            self.shared.cut += (deferred.lost.len() + all.len().saturating_sub(room)) as u64;
            let granule = |(number, granule)| (Object { owner: block + 1, number }, granule);
            self.shared.granules.extend(all.into_iter().take(room).map(granule));
            self.shared.infos = deferred.infos;
            let (guesses, certain): (Vec<_>, Vec<_>) =
                deferred.notes.into_iter().partition(|note| self.may_be_guess(note));
            self.shared.open |= deferred.open || !guesses.is_empty();
            self.shared.notes.extend(certain);
        }
    }

    /// Nothing is suspected in shared memory.
    pub(super) fn forget_shared(&mut self) {
        self.shared.forget();
    }

    /// Whether a race may be the guess of a compare-and-swap, which is none.
    fn may_be_guess(&self, note: &RaceNote) -> bool {
        let [a, b] = &note.sides;
        let guesses = |read: &RaceSide, other: &RaceSide| {
            (read.op, read.atomic, other.op) == (AccessOp::Read, false, AccessOp::Atomic)
                && self.uses.of(read.place).is_guess()
        };
        guesses(a, b) || guesses(b, a)
    }

    /// Whether there is something that only a second run can confirm.
    #[inline]
    pub fn is_suspected(&self) -> bool {
        self.phase != Phase::Confirm
            && (!self.suspects.is_empty() || self.shared.open || self.shared.outlived)
    }

    /// Whether the launch's blocks were shared among cores. Of many suspicions some are kept, and which ones hangs on how they
    /// were shared.
    #[inline]
    pub fn has_parted(&self) -> bool {
        self.parted
    }

    /// The launch has ended, and it can be run again or not. Whether it is to be.
    pub fn suspicious(&mut self, can: bool) -> bool {
        let phase = std::mem::take(&mut self.phase);
        if !self.earlier.is_empty() {
            let earlier = std::mem::take(&mut self.earlier);
            self.suspects.extend(common(&earlier, &self.touched()));
        }
        if !phase.watches()
            || self.suspects.is_empty() && self.shared.granules.is_empty() && !self.shared.outlived
            || !can
        {
            return false;
        }
        let mut filter = std::mem::take(&mut self.shared.granules);
        let global = |(number, granule)| (Object { owner: 0, number }, granule);
        filter.extend(std::mem::take(&mut self.suspects).into_iter().map(global));
        let uses = self.uses.within(self.of.launch.map(|l| l.kernel));
        let mut recorder = Recorder::new(filter, self.of.lockstep, self.of.clusters, uses);
        recorder.strict = self.strict;
        self.recorder = Some(Arc::new(Mutex::new(recorder)));
        self.phase = Phase::Confirm;
        self.shared.notes.clear();
        true
    }

    /// What is certain without a second run.
    #[inline]
    pub fn certain(&self) -> Vec<RaceNote> {
        self.shared.notes.clone()
    }

    /// The launch does not run again: what is certain nevertheless.
    #[inline]
    pub fn abandon(&mut self, findings: &mut Findings) {
        self.phase = Phase::Off;
        self.shared.granules.clear();
        (self.shared.open, self.shared.cut, self.shared.outlived) = (false, 0, false);
        self.shared.notes.drain(..).for_each(|note| findings.race(note));
    }

    /// The launch has run again: what was confirmed.
    pub fn confirmed(&mut self, findings: &mut Findings, info: impl Fn(u32) -> Option<ObjectInfo>) {
        self.phase = Phase::Off;
        let Some(recorder) = self.recorder.take() else { return };
        let mut recorder = std::mem::replace(
            &mut *recorder.lock().unwrap_or_else(PoisonError::into_inner),
            Recorder::new(FxHashSet::default(), self.of.lockstep, self.of.clusters, ReadUses::Unknown),
        );
        let dropped = recorder.dropped() + std::mem::take(&mut self.shared.cut);
        self.dropped += dropped;
        self.uncompared += dropped + recorder.thinned().count() as u64;
        self.thinned.extend(recorder.thinned());
        let thread = |who: Who| {
            thread_coord(block_index(self.of.clusters.grid, who.block), self.of.block_dim, who.thread)
        };
        let mut infos: FxHashMap<u32, Arc<ObjectInfo>> = FxHashMap::default();
        let mut object = |object: Object| {
            if object.owner != 0 {
                return self.shared.infos.get(object.number as usize).cloned();
            }
            if let Some(known) = infos.get(&object.number) {
                return Some(Arc::clone(known));
            }
            let found = Arc::new(info(object.number)?);
            infos.insert(object.number, Arc::clone(&found));
            Some(found)
        };
        for o in recorder.outlived() {
            if let Some(info) = object(o.object) {
                let block = thread(Who { block: o.object.owner.saturating_sub(1), thread: 0 }).block;
                let block = LaunchDims::new(self.of.clusters.grid, self.of.block_dim).block(block);
                findings.note(outlived(&o, &info, thread(o.who), self.of.launch, &block));
            }
        }
        recorder.finish(self.of.launch, thread, object).into_iter().for_each(|note| findings.race(note));
    }
}

/// The fault of touching the memory of a block that may not be there.
fn outlived(
    o: &Outlived,
    info: &ObjectInfo,
    thread: ThreadCoord,
    launch: Option<LaunchRef>,
    block: &str,
) -> Fault {
    let does = match o.how.op {
        AccessOp::Read => "reads",
        AccessOp::Write => "writes",
        AccessOp::Atomic => "updates",
    };
    let name = info.name.as_deref().unwrap_or("shared memory");
    let (message, help) = match o.absent {
        Absent::Before => (
            "shared memory of another block of the cluster is used before that block is known to have started",
            "let the cluster meet first: `cluster.sync()` before the first access to another block's memory",
        ),
        Absent::After => (
            "shared memory of another block of the cluster is used when that block may have exited",
            "let the cluster meet once more: `cluster.sync()` after the last access to another block's memory",
        ),
    };
    let (first, last) = (o.start, o.start + o.width.max(1) - 1);
    let label = format!("{does} bytes {first} to {last} of `{name}` of block {block}");
    let mut fault = Fault::other(Kind::UseAfterFree, o.how.place, message, label).with_help(help);
    (fault.thread, fault.launch, fault.count) = (Some(thread), launch, o.count);
    fault
}
