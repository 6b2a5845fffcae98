//! Blocks of a compiled launch on several native threads, which share the guest's memory. A *thread* is a native one here.
//!
//! A launch goes to several threads where nothing that it does hangs on the order of its blocks: the race detector compares no
//! access, since the launch only reads an object, all accesses to it are proved free of races, or all are atomic operations that
//! commute; and each pointer has a root. What blocks have in common all the same is written by atomic instructions
//! ([`Promises::threads`](cudair_jit::Promises)): bits of initialisation, and words of atomic operations. A page goes to the undo log
//! under a lock ([`SharedLog`]). All else is a thread's own: its frame, values of lanes, shared memory.
//!
//! One thread that gives up ends the work of all, and the launch is put back as if one had run it.

use super::super::grid::Grid;
use super::super::launch::Prepared;
use super::{Arena, MOST, Runs, TURNS, block, frame};
use crate::machine::Machine;
use crate::worker::Worker;
use cudair_jit::abi::{Bail, Frame, HELPERS, View};
use cudair_jit::{Kernel, Plan, Root, RootFacts};
use cudair_math::MathFn;
use cudair_memory::SharedLog;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// How many helpings each thread takes of what is left.
const HELPINGS: u64 = 16;
/// Threads are worth it after a shorter time than processes, by this factor.
const SOONER: u32 = 4;

/// Whether several threads may run blocks of a launch at once, of whose roots `roots` holds.
pub(super) fn may_run(m: &Machine, launch: &Prepared, plan: &Plan, roots: &[RootFacts]) -> bool {
    m.config.jobs > 1
        && launch.blocks > 1
        && plan.unknown.is_none()
        // Where the detector sees nothing at all, that an object is not watched says nothing of it.
        && m.mem.grid.may_share()
        // Each thread has shared memory of its own, for the block that it runs.
        && plan.roots.iter().zip(roots).all(|(root, facts)| !facts.watched || matches!(root, Root::Shared(_)))
        && !(plan.is_ordered() && plan.has_atomics_of_grid(&launch.grid.program.module.funcs[launch.grid.launch.kernel]))
}

/// Times a launch, and tells when to give the rest of it to several threads.
pub(super) struct Timer {
    started: Option<Instant>,
    after: Duration,
    /// Blocks that are done when it looks at the clock again.
    look: u64,
}

impl Timer {
    /// For a launch that starts.
    pub(super) fn new(grid: &Grid, may: bool) -> Timer {
        let after = Duration::from_secs_f64(grid.program.config.share_after.clamp(0.0, 1e6)) / SOONER;
        Timer { started: may.then(Instant::now), after, look: 0 }
    }

    /// Whether to give away the rest, `done` of all `blocks` being done.
    pub(super) fn is_time(&mut self, done: u64, blocks: u64) -> bool {
        let Some(started) = self.started else { return false };
        if done < self.look || blocks - done < 2 {
            return false;
        }
        self.look = done + 1 + done / 8;
        let taken = started.elapsed();
        let left = taken.as_secs_f64() * (blocks - done) as f64 / done.max(1) as f64;
        self.after.is_zero() || done > 0 && taken >= self.after && left >= self.after.as_secs_f64()
    }
}

/// What all threads look at.
pub(super) struct Shared<'a> {
    pub(super) code: (&'a Plan, &'a Kernel),
    pub(super) grid: &'a Grid,
    pub(super) args: &'a [u64],
    /// By root: the objects, but for shared variables.
    pub(super) views: &'a [View],
    /// By root: the size of a shared variable and its granules', as [`Arena::fit`] has them.
    pub(super) variables: &'a [(u64, u8)],
    pub(super) math: &'a [MathFn],
}

/// What threads have in common.
struct Common<'a> {
    shared: &'a Shared<'a>,
    log: SharedLog<'a>,
    /// Blocks up to here are taken.
    next: AtomicU64,
    end: u64,
    step: u64,
    /// Turns of loops so far, and how many there may be.
    turns: AtomicU64,
    most: u64,
    /// Some thread has used the result of an atomic operation.
    unsteady: AtomicBool,
    /// Nobody need go on; why somebody gave up.
    off: AtomicBool,
    why: OnceLock<Bail>,
}

// SAFETY: the views' pointers are read here, and followed by machine code alone, which is compiled for several threads. All else
// is `Sync` by itself, as is asserted below.
unsafe impl Sync for Common<'_> {}

const _: fn() = || {
    fn sync<T: Sync>() {}
    sync::<(&Plan, &Kernel)>();
    sync::<Grid>();
    sync::<MathFn>();
    sync::<SharedLog<'_>>();
};

impl Common<'_> {
    /// The next blocks, unless there are none left or the work has been called off.
    fn take(&self) -> Option<Range<u64>> {
        let from = self.next.fetch_add(self.step, Relaxed);
        (from < self.end && !self.is_off()).then(|| from..(from + self.step).min(self.end))
    }

    fn is_off(&self) -> bool {
        self.off.load(Relaxed)
    }

    fn call_off(&self, why: Bail) {
        // The first reason counts: others give up because of it.
        let _ = self.why.set(why);
        self.off.store(true, Relaxed);
    }
}

/// Runs `blocks` of a launch on this thread and others, each with an arena, which `fit` makes room in. `turns` of loops have been
/// made, and `most` may be. Gives how many there were, and on how many threads.
pub(super) fn run(
    worker: &mut Worker,
    shared: &Shared<'_>,
    numbers: &[u32],
    (blocks, turns, most): (Range<u64>, u64, u64),
    (own, others, fit): (&mut Arena, &mut [Arena], impl Fn(&mut Arena) -> bool),
) -> Result<(u64, usize), Bail> {
    let count = blocks.end - blocks.start;
    let threads = (others.len() as u64 + 1).min(count);
    let common = Common {
        shared,
        log: worker.mem.share_log(numbers),
        next: AtomicU64::new(blocks.start),
        end: blocks.end,
        step: (count / (threads * HELPINGS)).max(1),
        turns: AtomicU64::new(turns),
        most,
        unsteady: AtomicBool::new(false),
        off: AtomicBool::new(false),
        why: OnceLock::new(),
    };
    let threads = thread::scope(|scope| {
        let mut handles = Vec::new();
        for arena in others.iter_mut().take(threads as usize - 1) {
            // What the system does not give is done without.
            if !fit(arena) {
                break;
            }
            let common = &common;
            let Ok(handle) = thread::Builder::new().spawn_scoped(scope, || work(common, arena)) else {
                break;
            };
            handles.push(handle);
        }
        work(&common, own);
        let threads = handles.len() + 1;
        for handle in handles {
            if let Err(panic) = handle.join() {
                resume_unwind(panic);
            }
        }
        threads
    });
    let Common { log, turns, unsteady, why, .. } = common;
    worker.mem.join_log(log.finish());
    if unsteady.into_inner() {
        worker.mem.grid.used_atomic();
    }
    match why.into_inner() {
        None => Ok((turns.into_inner(), threads)),
        Some(why) => Err(why),
    }
}

/// Runs blocks as long as there are any and nobody gives up.
fn work(common: &Common<'_>, arena: &mut Arena) {
    /// A thread that panics leaves its blocks undone.
    struct Panics<'a>(&'a Common<'a>);
    impl Drop for Panics<'_> {
        fn drop(&mut self) {
            if thread::panicking() {
                self.0.call_off(Bail::Refused);
            }
        }
    }
    let _panics = Panics(common);
    let Shared { code, grid, args, .. } = *common.shared;
    let mut views = common.shared.views.to_vec();
    for (n, &(size, _)) in common.shared.variables.iter().enumerate().filter(|(_, v)| v.0 > 0) {
        views[n] = arena.shared.view(n, size);
    }
    let mut frame = frame(grid, args, &views, (&mut arena.lanes, code.1), &HELPER_ADDRESSES);
    let mut thread = Thread { common, memo: super::math::Memo::default(), turns: 0, since: 0 };
    'all: while let Some(numbers) = common.take() {
        for n in numbers {
            if common.is_off() {
                break 'all;
            }
            if let Err(why) = block(&mut thread, &mut arena.shared, &mut frame, (grid, n), code) {
                common.call_off(why);
            }
        }
    }
    common.turns.fetch_add((TURNS - frame.turns) as u64, Relaxed);
    if frame.unsteady != 0 {
        common.unsteady.store(true, Relaxed);
    }
}

/// What helpers of compiled code need on one of several threads.
struct Thread<'a> {
    common: &'a Common<'a>,
    memo: super::math::Memo,
    /// The thread's turns of loops so far, and when the running region began.
    turns: u64,
    since: u64,
}

impl Runs for Thread<'_> {
    fn enters(&mut self, _: [u32; 3]) -> [u32; 3] {
        self.since = self.turns;
        // Nothing is watched.
        [0; 3]
    }

    fn meets(&mut self, _: [u32; 3]) {}
}

/// The helpers, by [`cudair_jit::abi::Helper`].
const HELPER_ADDRESSES: [*const (); HELPERS] = [
    poll as *const (),
    save as *const (),
    stamp as *const (),
    access as *const (),
    access as *const (),
    math as *const (),
    math_lanes as *const (),
    cudair_jit::shared::read as *const (),
];

/// The frame and what its engine is.
///
/// # Safety
/// The frame is one that [`work`] has made, and no other reference to its [`Thread`] is in use.
unsafe fn of<'a>(frame: *mut Frame) -> (&'a mut Frame, &'a mut Thread<'a>) {
    // SAFETY: as promised.
    unsafe {
        let frame = &mut *frame;
        let thread = &mut *frame.engine.cast::<Thread<'a>>();
        (frame, thread)
    }
}

unsafe extern "C" fn poll(frame: *mut Frame) -> u32 {
    // SAFETY: compiled code hands on the frame that it was given.
    let (frame, thread) = unsafe { of(frame) };
    let turns = (TURNS - frame.turns) as u64;
    frame.turns = TURNS;
    thread.turns += turns;
    let common = thread.common;
    let all = common.turns.fetch_add(turns, Relaxed) + turns;
    let goes_on = common.shared.grid.program.config.watch.check().is_ok() && !common.is_off();
    u32::from(goes_on && all <= common.most && thread.turns - thread.since <= MOST)
}

unsafe extern "C" fn save(frame: *mut Frame, root: u64, offset: u64, width: u64) -> u32 {
    // SAFETY: compiled code hands on the frame that it was given.
    let (_, thread) = unsafe { of(frame) };
    u32::from(thread.common.log.save(root as usize, offset, width))
}

/// Nothing is watched.
unsafe extern "C" fn stamp(_: *mut Frame, _: u64, _: u64, _: u64, _: u64) -> u32 {
    0
}

/// All pointers have roots.
unsafe extern "C" fn access(_: *mut Frame, _: u64, _: u64, _: u64) -> u32 {
    0
}

unsafe extern "C" fn math(frame: *mut Frame, n: u64) -> u32 {
    // SAFETY: compiled code hands on the frame that it was given.
    let (frame, thread) = unsafe { of(frame) };
    super::math::compute(thread.common.shared.math, &mut thread.memo, frame, n)
}

unsafe extern "C" fn math_lanes(frame: *mut Frame, n: u64, what: u64) -> u32 {
    // SAFETY: compiled code hands on the frame that it was given.
    let (frame, thread) = unsafe { of(frame) };
    super::math::compute_lanes(thread.common.shared.math, frame, n, what)
}
