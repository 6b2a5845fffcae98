//! Race detection in the shared memory of a block; [`grid`] has that in global memory, [`streams`] that between
//! launches, copies and the host.
//!
//! Order within a block comes from program order, the block's barriers, and warp synchronisation among the
//! lanes of its mask. Two accesses to one byte race if different threads make them, one writes, they are not
//! both atomic, and nothing orders them. Barriers cut a block's life into *intervals*; accesses of different
//! intervals are ordered, so that all of the work is within one.
//!
//! Tiers share it:
//!
//! - [`cells`] keeps two words per granule of four bytes (of one byte, from the first access on that is not of
//!   whole granules): who wrote it and who read it in this interval. A check and an update are a few vector
//!   instructions per chunk of lanes. It knows barriers only, so that it may suspect what `__syncwarp` orders;
//!   it never misses.
//! - [`progressions`] and [`ownership`] spare most of that: where each thread keeps to granules of its own, no epochs are
//!   made.
//! - [`log`] keeps each access of the interval as it was made: one entry for all lanes of an operation. When
//!   the interval ends and a granule is suspected, [`exact`] replays the log for the suspected granules, byte by
//!   byte, with thread, site, warp clocks and values. Only what it confirms is reported, with both places.
//!
//! What the replay finds does not depend on the order in which lanes and strips ran, wherever order comes from
//! barriers and `__syncwarp` alone: it looks at all pairs, and of those at one pair of places reports the
//! smallest threads.
//!
//! The replay knows nothing of release and acquire. Where it finds a pair in an interval with fences, atomics or
//! volatile accesses, the granules go to [`grid`], which has the launch run again and follows these too.
//! What volatile accesses are depends on what becomes of the values read, which [`records`] knows.
//!
//! Accesses by other blocks of a cluster are in [`cluster`].
//!
//! What happens before what in the second run is in [`order`], whose vector clocks are [`clock`]; [`records`]
//! keeps the accesses and compares them.
//!
//! The crate knows [`cudair_lane`] and notes what it finds in [`cudair_report`]. It knows objects by number and size
//! alone: neither their bytes nor the engine. `docs/race-detection.md` has the definitions. Begin with
//! [`BlockRaces`].

mod cells;
pub mod clock;
pub mod cluster;
mod epoch_lines;
mod epochs;
pub mod exact;
pub mod grid;
pub mod log;
pub mod order;
mod ownership;
mod progressions;
pub mod records;
mod share;
pub mod streams;
mod sweep;
pub mod touch;

#[cfg(test)]
mod tests;

pub use grid::PAGE;
pub use share::{Parted, Touched};

use cells::Cells;
use cluster::{ClusterCells, ClusterWatch, Standing, Visit};
use cudair_ir::Kind;
use cudair_lane::fault::{AccessOp, LaunchRef, ObjectInfo};
use cudair_lane::pattern::AddressPattern;
use cudair_lane::{How, Mask, Values};
use cudair_report::{Findings, RaceNote, RaceSide, Violation};
use epochs::Epochs;
use exact::Exact;
use log::{Event, Log};
use ownership::Ownerships;
use progressions::Progressions;
use records::Recorder;
use rustc_hash::FxHashSet;
use std::sync::{Arc, Mutex, PoisonError};

/// The objects that a launch may touch, by their number in the table; `None` where it may be any.
#[derive(Clone, Debug, Default)]
pub struct MayTouch {
    /// Those that it may read.
    pub reads: Option<Vec<u32>>,
    /// Those that it may write.
    pub writes: Option<Vec<u32>>,
    /// Those of which all accesses are proved free of races.
    pub proved: Vec<u32>,
    /// Those among them of which nobody has to hear: nothing of them is kept either.
    pub unheard: Vec<u32>,
}

/// An access of a strip to one object.
#[derive(Clone, Copy, Debug)]
pub struct RaceAccess<'a> {
    /// How the access is made, and where in the program.
    pub how: How,
    /// The object's number in the block.
    pub obj: u32,
    /// Bytes per lane.
    pub width: u32,
    /// The active lanes.
    pub mask: &'a Mask,
    /// The linear thread index of lane 0.
    pub first_thread: u32,
    /// Where in the object the lanes are.
    pub spot: AddressPattern<'a>,
    /// What is written, where that is known and at most eight bytes.
    pub values: Option<Values<'a>>,
    /// Lanes whose compare-and-swap stored nothing.
    pub failed: Option<&'a Mask>,
}

/// Whether an access is atomic, or as good as a relaxed atomic: volatile, of a scalar in its place.
#[inline]
pub fn is_strong(how: &How, start: u32, width: u32) -> bool {
    how.atomic.is_some()
        || how.volatile && width <= 8 && width.is_power_of_two() && start.is_multiple_of(width)
}

impl RaceAccess<'_> {
    /// What a lane writes, where it is a plain write.
    #[inline]
    pub fn value(&self, lane: usize) -> Option<u64> {
        if self.how.op != AccessOp::Write || self.width > 8 {
            return None;
        }
        self.values.map(|v| {
            let bits = v.lane(lane, self.width as u8) as u64;
            if self.width >= 8 { bits } else { bits & ((1 << (8 * self.width)) - 1) }
        })
    }
}

/// Entries of the log, or words beside it, at which it is folded.
const LOG_FOLD: usize = 1 << 16;
/// And at which the interval goes on with the exact tier alone.
const LOG_LIMIT: usize = 1 << 20;

/// What stands for the accesses to an object in an interval, in place of its cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum ShadowForm {
    /// Nobody has accessed it.
    #[default]
    Idle,
    /// It has only been read: reads conflict with nothing until a write comes, which in many an interval it
    /// never does.
    Reads,
    /// There were only atomic operations on it, which conflict with none but others.
    Atomics,
    /// As arithmetic progressions.
    Progressions,
    /// As ownerships.
    Ownerships,
    /// By its cells.
    Cells,
    /// None: its accesses are proved free of races in this launch.
    Proved,
}

/// The detector of a block.
#[derive(Debug, Default)]
pub struct BlockRaces {
    cells: Vec<Cells>,
    infos: Vec<Arc<ObjectInfo>>,
    epochs: Epochs,
    log: Log,
    /// Of each object: what stands in place of its cells.
    forms: Vec<ShadowForm>,
    progressions: Vec<Progressions>,
    ownerships: Vec<Ownerships>,
    fold_at: usize,
    suspects: FxHashSet<(u32, u32)>,
    /// The exact tier, where the interval was too long for the log.
    exact: Option<Box<Exact>>,
    block_index: [u32; 3],
    block_dim: [u32; 3],
    launch: Option<LaunchRef>,
    lockstep: bool,
    /// Nobody races: there is one thread, or nobody asks.
    alone: bool,
    /// A fence in the interval.
    fenced: bool,
    /// An atomic or volatile access in the interval.
    strong: bool,
    deferred: Deferred,
    /// The launch runs for the second time: who looks on.
    observer: Option<Observer>,
    /// The block's part in its cluster, where there is one or its barrier is used.
    cluster: Option<Box<ClusterWatch>>,
    /// One of the last two is there, so that accesses are not the usual ones.
    special: bool,
    /// Some objects are proved free of races.
    proved: bool,
}

/// Who looks on at a block that runs for the second time.
#[derive(Clone, Debug)]
pub struct Observer {
    /// The block's linear index.
    pub block: u64,
    pub(crate) recorder: Arc<Mutex<Recorder>>,
}

/// What only a second run can tell.
#[derive(Debug, Default)]
pub struct Deferred {
    /// Suspected granules by variable and number.
    pub suspects: FxHashSet<(u32, u32)>,
    /// Granules that were suspected beyond what is kept.
    pub lost: FxHashSet<(u32, u32)>,
    /// Races without any fence, for the case that there is no second run.
    pub notes: Vec<RaceNote>,
    /// Whether there are suspicions of which no note tells.
    pub open: bool,
    /// The block's variables.
    pub infos: Vec<Arc<ObjectInfo>>,
    /// Whether the block read a volatile variable of its shared memory.
    pub(crate) volatile_read: bool,
    /// Whether other blocks may have touched its shared memory before it started or after it exited.
    pub(crate) outlived: bool,
}

/// Granules of a block that are put off at most.
const DEFERRED: usize = 1 << 12;

impl Deferred {
    /// Leaves granules to the second run, those of the least numbers as long as there is room.
    fn put_off(&mut self, suspects: impl Iterator<Item = (u32, u32)>) {
        let mut fresh: Vec<(u32, u32)> = suspects.filter(|g| !self.suspects.contains(g)).collect();
        fresh.sort_unstable();
        let rest = fresh.split_off(fresh.len().min(DEFERRED.saturating_sub(self.suspects.len())));
        self.suspects.extend(fresh);
        self.lost.extend(rest);
    }
}

impl BlockRaces {
    /// Starts a block whose objects are these. Cells of the block before are kept, their epochs being old.
    pub fn begin(
        &mut self,
        infos: Vec<Arc<ObjectInfo>>,
        block_index: [u32; 3],
        block_dim: [u32; 3],
        launch: Option<LaunchRef>,
        lockstep: bool,
    ) {
        self.cells.truncate(infos.len());
        self.cells.resize_with(infos.len(), Cells::default);
        for (cells, info) in self.cells.iter_mut().zip(&infos) {
            cells.fit(info.size);
        }
        self.forms.resize(infos.len(), ShadowForm::Idle);
        self.progressions.resize_with(infos.len(), Progressions::default);
        self.ownerships.resize_with(infos.len(), Ownerships::default);
        self.infos = infos;
        self.block_index = block_index;
        self.block_dim = block_dim;
        self.launch = launch;
        self.lockstep = lockstep;
        self.alone = block_dim.iter().map(|&d| u64::from(d)).product::<u64>() <= 1;
        self.deferred = Deferred::default();
        (self.observer, self.cluster, self.special) = (None, None, false);
        if std::mem::take(&mut self.proved) {
            self.forms.fill(ShadowForm::Idle);
        }
        self.next_interval();
    }

    /// All accesses to these objects are proved free of races: a flag for each.
    pub fn take_as_proved(&mut self, proved: &[bool]) {
        self.proved = true;
        for (form, _) in self.forms.iter_mut().zip(proved).filter(|(_, proved)| **proved) {
            *form = ShadowForm::Proved;
        }
    }

    /// The block's races are not looked for.
    #[inline]
    pub fn ignore(&mut self) {
        self.alone = true;
    }

    /// The block runs for the second time: its accesses go to `observer`.
    #[inline]
    pub fn observe(&mut self, observer: Option<Observer>) {
        self.special = observer.is_some() || self.cluster.is_some();
        self.observer = observer;
    }

    /// The block is the one of this rank in a cluster of `blocks`; or it uses the barrier of the cluster that it is
    /// alone.
    #[inline]
    pub fn join_cluster(&mut self, rank: u32, blocks: u32, watched: bool) -> &mut ClusterWatch {
        self.special = true;
        let [x, y, z] = self.block_dim;
        let cells = (blocks > 1 && watched).then(|| ClusterCells::new(self.infos.len()));
        let standing = Standing::new(x.saturating_mul(y).saturating_mul(z));
        let fresh = || Box::new(ClusterWatch { rank, standing, cells, ragged: false });
        self.cluster.get_or_insert_with(fresh)
    }

    /// The block's part in its cluster.
    #[inline]
    pub fn cluster(&self) -> Option<&ClusterWatch> {
        self.cluster.as_deref()
    }

    /// Threads of the block are beyond a phase of the cluster's barrier. Where all are, and none did anything in
    /// between, it is to the block what its own barrier is. Whether that is so.
    pub fn beyond_cluster(&mut self, findings: &mut Findings) -> bool {
        let Some(cluster) = self.cluster.as_deref_mut().filter(|c| c.standing.is_settled()) else {
            return false;
        };
        if std::mem::take(&mut cluster.ragged) {
            // The order is more than intervals tell: what is suspected waits for a second run.
            self.fenced = true;
            return false;
        }
        self.barrier(findings);
        true
    }

    /// Lanes of another block of the cluster touch this block's memory.
    #[inline]
    pub fn visit(&mut self, owner: u32, visitor: u64, visit: &Visit<'_>) {
        if let Some(observer) = &self.observer {
            let mut recorder = observer.recorder.lock().unwrap_or_else(PoisonError::into_inner);
            recorder.visit(observer.block, visitor, visit.access);
            return;
        }
        self.enter_cells(owner, visit);
    }

    fn enter_cells(&mut self, owner: u32, visit: &Visit<'_>) {
        let Some(size) = self.infos.get(visit.access.obj as usize).map(|i| i.size) else { return };
        let mut suspects = FxHashSet::default();
        if let Some(cells) = self.cluster.as_deref_mut().and_then(|c| c.cells.as_mut()) {
            cells.visit(owner, size, visit, &mut suspects);
        }
        self.put_off(suspects);
    }

    /// Leaves granules to a second run.
    fn put_off(&mut self, suspects: FxHashSet<(u32, u32)>) {
        if !suspects.is_empty() {
            self.deferred.put_off(suspects.into_iter());
            self.deferred.open = true;
            self.deferred.infos.clone_from(&self.infos);
        }
    }

    /// All threads of the block have exited.
    #[inline]
    pub fn exit(&mut self) {
        if let Some(cluster) = self.cluster.as_deref() {
            let cells = cluster.cells.as_ref();
            self.deferred.outlived |= cells.is_some_and(|c| c.outlived(&cluster.standing));
            if self.deferred.outlived && self.deferred.infos.is_empty() {
                self.deferred.infos.clone_from(&self.infos);
            }
        }
    }

    /// An access of a block of a cluster, or in a launch that runs for the second time. Whether nobody else is to
    /// hear of it.
    #[cold]
    #[inline(never)]
    fn special_access(&mut self, acc: &RaceAccess) -> bool {
        let size = self.infos.get(acc.obj as usize).map_or(0, |i| i.size);
        if let Some(cluster) = self.cluster.as_deref_mut() {
            let mut suspects = FxHashSet::default();
            cluster.own(size, acc, &mut suspects);
            self.put_off(suspects);
        }
        let Some(observer) = &self.observer else { return false };
        let mut recorder = observer.recorder.lock().unwrap_or_else(PoisonError::into_inner);
        recorder.access(observer.block + 1, observer.block, acc);
        true
    }

    /// A thread of the block executes a fence.
    #[inline]
    pub fn fence(&mut self) {
        self.fenced = true;
    }

    /// The block, and what it left to a second run.
    #[inline]
    pub fn deferred(&mut self) -> ([u32; 3], Deferred) {
        (self.block_index, std::mem::take(&mut self.deferred))
    }

    fn next_interval(&mut self) {
        if self.epochs.next() {
            self.cells.iter_mut().for_each(Cells::clear);
        }
        self.log.clear();
        for (n, form) in self.forms.iter_mut().enumerate() {
            match *form {
                ShadowForm::Idle | ShadowForm::Proved => continue,
                ShadowForm::Reads | ShadowForm::Atomics => {}
                ShadowForm::Progressions => self.progressions[n].clear(),
                ShadowForm::Ownerships | ShadowForm::Cells => {
                    self.progressions[n].clear();
                    self.ownerships[n].clear();
                }
            }
            *form = ShadowForm::Idle;
        }
        self.fold_at = LOG_FOLD;
        self.suspects.clear();
        self.exact = None;
        (self.fenced, self.strong) = (false, false);
    }

    /// An access that passed all other checks.
    #[inline]
    pub fn access(&mut self, acc: &RaceAccess) {
        self.deferred.volatile_read |= acc.how.volatile && !acc.how.op.writes();
        if self.special && self.special_access(acc) || self.alone {
            return;
        }
        self.strong |= acc.how.volatile || acc.how.atomic.is_some();
        let n = acc.obj as usize;
        let (Some(form), Some(info)) = (self.forms.get(n), self.infos.get(n)) else { return };
        let size = info.size;
        match form {
            ShadowForm::Idle | ShadowForm::Reads
                if acc.how.op == AccessOp::Read && acc.how.atomic.is_none() =>
            {
                self.forms[n] = ShadowForm::Reads;
            }
            ShadowForm::Idle | ShadowForm::Atomics if acc.how.atomic.is_some() => {
                self.forms[n] = ShadowForm::Atomics;
            }
            ShadowForm::Atomics => {
                self.settle_on_cells(n);
                self.cells[n].access(&self.epochs, acc, &mut self.suspects);
            }
            ShadowForm::Idle | ShadowForm::Reads => {
                self.forms[n] = ShadowForm::Progressions;
                let (log, progressions) = (&self.log, &mut self.progressions[n]);
                if !log.all_strides(n, |acc| progressions.enter(acc)) || !progressions.enter(acc) {
                    self.follow_ownerships(n, size, acc);
                }
            }
            ShadowForm::Progressions => {
                if !self.progressions[n].enter(acc) {
                    self.follow_ownerships(n, size, acc);
                }
            }
            ShadowForm::Ownerships => {
                if !self.ownerships[n].enter(size, acc) {
                    self.settle_on_cells(n);
                    self.cells[n].access(&self.epochs, acc, &mut self.suspects);
                }
            }
            ShadowForm::Cells => self.cells[n].access(&self.epochs, acc, &mut self.suspects),
            ShadowForm::Proved => return,
        }
        self.log.push(acc);
        if self.log.weight() >= self.fold_at {
            self.fold();
        }
    }

    /// Enters the accesses to an object of `size` bytes so far, and one more, into its ownerships.
    fn follow_ownerships(&mut self, n: usize, size: u64, acc: &RaceAccess) {
        self.forms[n] = ShadowForm::Ownerships;
        let (log, ownerships) = (&self.log, &mut self.ownerships[n]);
        if !log.all(n, |acc| ownerships.enter(size, acc)) || !ownerships.enter(size, acc) {
            self.settle_on_cells(n);
            self.cells[n].access(&self.epochs, acc, &mut self.suspects);
        }
    }

    /// Enters the accesses to an object so far into its cells.
    fn settle_on_cells(&mut self, n: usize) {
        if std::mem::replace(&mut self.forms[n], ShadowForm::Cells) == ShadowForm::Cells {
            return;
        }
        let BlockRaces { cells, epochs, suspects, log, .. } = self;
        let cells = &mut cells[n];
        log.all(n, |acc| {
            cells.access(epochs, acc, suspects);
            true
        });
    }

    /// The lanes of a mask of a warp of the block have met.
    #[inline]
    pub fn warp_sync(&mut self, warp: u32, mask: u32) {
        if !self.alone && !self.log.is_empty() | self.exact.is_some() {
            self.log.push_event(Event::WarpSync { warp, mask });
        }
    }

    /// The log is long: drops repetitions, and if that does not help, goes on without it.
    #[cold]
    fn fold(&mut self) {
        if self.exact.is_none() {
            self.log.dedupe();
            if self.log.weight() < LOG_LIMIT {
                self.fold_at = (2 * self.log.weight()).max(LOG_FOLD);
                return;
            }
        }
        for n in 0..self.forms.len() {
            if self.forms[n] != ShadowForm::Proved {
                self.settle_on_cells(n);
            }
        }
        let exact = self.exact.get_or_insert_with(|| Box::new(Exact::new(None)));
        self.log.for_each(|event| exact.feed(event));
        self.log.clear();
        self.fold_at = LOG_FOLD;
    }

    /// All live threads of the block have met.
    #[inline]
    pub fn barrier(&mut self, findings: &mut Findings) {
        self.settle(findings);
        self.next_interval();
    }

    /// Reports the races of the interval so far.
    fn settle(&mut self, findings: &mut Findings) {
        if self.suspects.is_empty() {
            return;
        }
        let suspects = Arc::new(std::mem::take(&mut self.suspects));
        let mut exact = self.exact.take().unwrap_or_else(|| Box::new(Exact::new(Some(suspects.clone()))));
        self.log.for_each(|event| exact.feed(event));
        let pairs = exact.pairs();
        let put_off = (self.fenced || self.strong) && !pairs.is_empty();
        if put_off {
            self.deferred.put_off(suspects.iter().copied());
            self.deferred.infos.clone_from(&self.infos);
        }
        for pair in pairs {
            let side = |how: How, thread: u32, value: Option<u64>| RaceSide {
                place: how.place,
                op: how.op,
                atomic: how.atomic.is_some(),
                volatile: how.volatile,
                thread: cudair_lane::thread_coord(self.block_index, self.block_dim, thread),
                value,
            };
            let note = RaceNote {
                kind: Kind::SharedRace,
                sides: [
                    side(pair.hows[0], pair.threads[0], pair.values[0]),
                    side(pair.hows[1], pair.threads[1], pair.values[1]),
                ],
                object: Arc::clone(&self.infos[pair.obj as usize]),
                offset: u64::from(pair.offset),
                bytes: pair.bytes,
                same_warp: pair.threads[0] / 32 == pair.threads[1] / 32,
                same_value: pair.same_value,
                mild: pair.same_value,
                violation: Violation::Unordered,
                missing: None,
                launch: self.launch,
                count: pair.count,
            };
            // What volatile accesses are depends on what becomes of their values.
            if !put_off {
                findings.race(note);
            } else if !self.fenced && !pair.strong {
                self.deferred.notes.push(note);
            } else {
                self.deferred.open = true;
            }
        }
    }

    /// The launch that the block is of.
    #[inline]
    pub fn launch(&self) -> Option<LaunchRef> {
        self.launch
    }

    /// The end of the block, however it came.
    #[inline]
    pub fn end(&mut self, findings: &mut Findings) {
        self.settle(findings);
        self.next_interval();
    }
}
