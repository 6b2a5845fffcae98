//! Launches that run as machine code (crate `jit`).
//!
//! A launch runs compiled as a transaction that can be taken back. Where compiled code gives up, or anything was found or
//! is suspected, the launch is put back, and the bytecode runs it from the start: what is told comes from there alone.

#![allow(unsafe_code)] // machine code is called, and its helpers get the frame as a pointer

mod arenas;
mod math;
mod ordered;
mod promises;
mod threads;
mod trial;
mod warps;

use super::grid::{Grid, kernel_shared};
use super::launch::{First, Prepared, no_memory, take_back};
use super::transaction::Transaction;
use crate::config::{AfterFault, Engine, WarpModel};
use crate::machine::Machine;
use crate::worker::Worker;
use arenas::{Arena, SharedArena};
use cudair_ir::*;
use cudair_jit::abi::{ARGS, BAIL, Bail, DONE, Frame, HELPERS, LANES, ROW, View, kind};
use cudair_jit::{Kernel, Plan, Promises, Refusal, Root, RootFacts};
use cudair_lane::fault::{AccessOp, SiteRef, Stop};
use cudair_lane::pages::Words;
use cudair_lane::ptr::Ptr;
use cudair_lane::{Mask, MemSide, StripShape, Values, block_index};
use cudair_math::MathFn;
use cudair_memory::{Access, Addrs, GivenUp, Keep, LaneCx, Lanes, RawObject};
use rustc_hash::FxHashMap;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Arc;
use std::time::{Duration, Instant};
use trial::Trial;

/// Turns of loops between two looks at the limits.
const TURNS: i64 = 1 << 20;
/// Instructions by lane, as far as they can be told before a launch, from which its compilation is worth it: at least so many.
const WORTH: u64 = 4_000_000;
/// What each instruction of the kernel adds to that, and what each adds to what each adds: compilation takes some 40 µs an
/// instruction, and 0.08 µs more for each that there is, while the bytecode takes 0.3 to 1 ns for one of a lane.
const WORTH_EACH: [u64; 2] = [100_000, 200];
/// Turns of loops that threads of a block may take from one barrier to the next: whoever takes more may wait for what never
/// comes, which the bytecode finds out.
const MOST: u64 = 1 << 28;
/// Bytes of the objects that a launch may write, at most: its undo log has as many.
const KEPT: u64 = 1 << 28;
/// Barriers of a block, from the first on, at which shared memory is looked at for what the block has written.
const LOOKS: u32 = 2;
/// Launches of a kernel that were given up, after which it is not tried again.
const GIVEN_UP: u32 = 2;
/// Compiled forms of a kernel, for other promises, at most.
const FORMS: u32 = 16;
/// Of these, the ones with ranges of arguments and of the grid: launches of other ranges share a form without.
const RANGED: u32 = 4;

/// What a kernel is compiled for.
type Form = (FuncId, Promises);

/// The kernels that run as machine code, and how they fared.
#[derive(Default)]
pub(crate) struct Tier {
    plans: FxHashMap<FuncId, Result<Arc<Plan>, Refusal>>,
    kernels: FxHashMap<Form, Result<Arc<Kernel>, Refusal>>,
    fared: FxHashMap<FuncId, Fared>,
    /// One for each thread that has run blocks.
    arenas: Vec<Arena>,
    /// Threads that have run blocks of the last launch.
    #[cfg(test)]
    threads: usize,
}

#[cfg(test)]
impl Tier {
    /// Launches of a kernel that compiled code gave up.
    pub(crate) fn given_up(&self, kernel: FuncId) -> u32 {
        self.fared.get(&kernel).map_or(0, |f| f.given_up)
    }

    /// Whether launches of a kernel have run as machine code, and none was given up.
    pub(crate) fn has_run(&self, kernel: FuncId) -> bool {
        let code = self.kernels.iter().any(|((of, _), code)| *of == kernel && code.is_ok());
        code && self.fared.get(&kernel).is_some_and(|f| f.given_up == 0)
    }

    /// On how many threads the last launch ran.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }
}

/// How a kernel's launches fared.
#[derive(Clone, Copy, Default)]
struct Fared {
    /// Work so far, as [`WORTH`] has it.
    work: u64,
    /// Launches that compiled code gave up.
    given_up: u32,
    /// Forms that were compiled.
    forms: u32,
    /// The instructions of a thread and its turns of loops, guessed, and the work from which compilation is worth it.
    weight: Option<((u64, u64), u64)>,
    /// The instructions of a thread, as far as the turns of loops tell that the bytecode has counted; 0 before it has.
    told: u64,
    /// Whether its lanes may leave loops that load at different turns.
    diverges: Option<bool>,
    /// Whether machine code is faster, where that is in doubt.
    trial: Trial,
}

/// What helpers of compiled code need.
struct Run<'a> {
    worker: &'a mut Worker,
    /// By root: its number in the table.
    numbers: Vec<u32>,
    granule: u8,
    math: Vec<MathFn>,
    memo: math::Memo,
    shape: StripShape,
    /// Turns of loops so far, and when the running region began; how many there may be.
    turns: u64,
    since: u64,
    most: u64,
    /// When a launch on trial has taken as long as the bytecode, and ends.
    until: Option<Instant>,
}

impl Run<'_> {
    /// Whether the launch is on trial, and slower than the bytecode.
    fn is_late(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }
}

/// Runs a launch as machine code, if it allows that and is worth it. Nothing comes back where the bytecode has to run it;
/// then the machine is as before.
pub(super) fn first_run(m: &mut Machine, launch: &Prepared) -> Result<Option<First>, Stop> {
    if !allows(m, launch) {
        return Ok(None);
    }
    let kernel = launch.grid.launch.kernel;
    let program = launch.grid.program.module.clone();
    if !is_worth_it(m, launch) {
        return Ok(None);
    }
    let plan = match m.engine.launches.tier.plans.get(&kernel) {
        Some(plan) => plan.clone(),
        None => {
            let plan = Plan::new(&program, kernel).map(Arc::new);
            if let Err(why) = &plan {
                log::info!(target: "jit", "`{}`: not compiled: {}", program.funcs[kernel].display_name, why.0);
            }
            m.engine.launches.tier.plans.insert(kernel, plan.clone());
            plan
        }
    };
    let Ok(plan) = plan else { return Ok(None) };
    let converges = !diverges(m, launch);
    let Some(objects) = objects(m, launch, &plan) else { return Ok(None) };
    let promises = promises::promises(m, launch, &plan, &objects, converges);
    if kept(&promises, &objects) > KEPT {
        return Ok(None);
    }
    let Some((code, trial)) = compiled(m, kernel, &plan, promises.clone()) else { return Ok(None) };

    let seen = m.config.watch.mirror().clone();
    let mut transaction = Transaction::begin(m, Keep::All)?;
    let (before, ended) = (m.engine.worker.meters(), m.engine.worker.ended);
    let begin = Instant::now();
    let until = trial.as_ref().and_then(|_| m.engine.launches.tier.until(kernel, begin));
    let result = run(m, launch, &plan, &objects, (&promises, until), &code)?;
    let time = begin.elapsed();
    let done = m.config.watch.done();
    let silent = m.findings.is_empty() && m.engine.worker.ub.is_empty();
    let result = match result {
        _ if m.mem.given_up() == Some(GivenUp::Memory) => Err(no_memory()),
        Ok(threads) if silent && !m.mem.grid.is_suspected() => {
            let (name, number) = (&program.funcs[kernel].display_name, launch.grid.launch_ref.number);
            let s = if threads == 1 { "" } else { "s" };
            log::info!(target: "jit", "launch {number} of `{name}`: done on {threads} core{s}");
            Ok(())
        }
        other => {
            let why =
                other.err().map_or_else(|| "something was found".to_owned(), |bail| format!("{bail:?}"));
            let (name, number) = (&program.funcs[kernel].display_name, launch.grid.launch_ref.number);
            log::info!(target: "jit", "launch {number} of `{name}`: given up: {why}");
            let tier = &mut m.engine.launches.tier;
            tier.fared.entry(kernel).or_default().given_up += 1;
            if let Some(form) = trial {
                tier.drop_form(form, &program);
            }
            take_back(m, launch, &mut transaction, &seen)?;
            return Ok(None);
        }
    };
    let operations = launch.threads.saturating_add(before[0] - m.engine.worker.meters()[0]);
    if let Some(form) = trial {
        m.engine.launches.tier.judge(form, (time, operations), &program);
    }
    Ok(Some(First::compiled(transaction, (before, ended), result, done, operations)))
}

/// Whether nothing that is asked of the launch needs the bytecode.
fn allows(m: &Machine, launch: &Prepared) -> bool {
    let config = &m.config;
    let grid = &launch.grid;
    config.allows_machine_code()
        && config.seed.is_none()
        && config.warp_model == WarpModel::Its
        && config.after_fault == AfterFault::Launch
        && !launch.explores
        && grid.clusters.size() == 1
        && m.mem.grid.touches.is_none()
        && !m.cuda.is_nested()
        && volume(grid.launch.block) <= LANES as u64
        && launch.threads > 1
}

/// Whether machine code is likely to win back the time that its compilation takes. All that is looked at of a kernel before it
/// has worked for long is how long it is.
fn is_worth_it(m: &mut Machine, launch: &Prepared) -> bool {
    let engine = m.config.engine;
    let kernel = launch.grid.launch.kernel;
    let func = &launch.grid.program.module.funcs[kernel];
    let fared = m.engine.launches.tier.fared.entry(kernel).or_default();
    let ((guessed, _), worth) = *fared.weight.get_or_insert_with(|| (cudair_jit::weight(func), worth(func)));
    fared.work = fared.work.saturating_add(launch.threads.saturating_mul(guessed.max(fared.told)));
    engine == Engine::Jit || fared.given_up < GIVEN_UP && fared.work >= worth
}

/// The bytecode has run a launch, with so many threads and turns of loops: what its threads do is known better than it was guessed.
pub(super) fn has_taken(m: &mut Machine, launch: &Prepared, operations: u64, time: Duration) {
    let operations = operations.saturating_add(std::mem::take(&mut m.engine.worker.turned));
    let kernel = launch.grid.launch.kernel;
    let fared = m.engine.launches.tier.fared.entry(kernel).or_default();
    fared.trial.has_taken((time, operations));
    if let Some(((guessed, turns), _)) = fared.weight
        && turns > 0
    {
        let taken = operations.saturating_sub(launch.threads) / launch.threads.max(1);
        let told = (u128::from(guessed) * u128::from(taken) / u128::from(turns)) as u64;
        let more = told.saturating_sub(guessed.max(fared.told));
        fared.work = fared.work.saturating_add(more.saturating_mul(launch.threads));
        fared.told = fared.told.max(told);
    }
}

/// The work from which a kernel's compilation is worth it.
fn worth(func: &Function) -> u64 {
    let length = func.layout.iter().map(|&block| func.block_insts(block).len() as u64).sum::<u64>();
    let [each, more] = WORTH_EACH;
    WORTH.max(length.saturating_mul(each + more * length))
}

/// Whether the kernel's lanes may leave loops that load at different turns, as far as is proved.
fn diverges(m: &mut Machine, launch: &Prepared) -> bool {
    let kernel = launch.grid.launch.kernel;
    let facts = launch.answer.facts.funcs.get(&kernel);
    let func = &launch.grid.program.module.funcs[kernel];
    let fared = m.engine.launches.tier.fared.entry(kernel).or_default();
    *fared
        .diverges
        .get_or_insert_with(|| Plan::diverges(func, |block| facts.is_none_or(|f| f.divergent_branch[block])))
}

/// Bytes of the objects that the undo log may have to keep.
fn kept(promises: &Promises, objects: &[Object]) -> u64 {
    let of = |(facts, object): (&RootFacts, &Object)| match *object {
        Object::Table(o, _) if facts.kept => o.size,
        _ => 0,
    };
    promises.roots.iter().zip(objects).map(of).fold(0, u64::saturating_add)
}

/// An object behind a root.
#[derive(Clone, Copy)]
enum Object {
    /// Of the table.
    Table(RawObject, Ptr),
    /// A shared variable of so many bytes, and whether threads may race on it.
    Shared(u64, bool),
    /// A local variable, which the code has in [`Frame::locals`].
    Local,
    /// None: every access gives the launch up.
    None(Ptr),
}

/// The objects behind the roots of a kernel. Nothing where the launch is not for compiled code.
fn objects(m: &mut Machine, launch: &Prepared, plan: &Plan) -> Option<Vec<Object>> {
    let grid = &launch.grid;
    let shared = kernel_shared(m, grid.launch.kernel);
    let mut out = Vec::with_capacity(plan.roots.len());
    let mut numbers = Vec::new();
    for root in &plan.roots {
        let ptr = match *root {
            Root::Param(n) => Ptr(*grid.launch.args.get(n as usize)? as u64),
            Root::Member((n, at)) => {
                let whole = Ptr(*grid.launch.args.get(n as usize)? as u64);
                let bytes = m.mem.peek(Ptr(whole.0 + u64::from(at)), size_of::<u64>() as u64)?;
                let bytes: Option<Vec<u8>> = bytes.into_iter().collect();
                Ptr(u64::from_le_bytes(bytes?.try_into().ok()?))
            }
            Root::Global(g) => *m.globals.get(g)?,
            Root::Shared(g) => {
                let number = shared.number(g)?;
                let var = &shared.layout.vars[number];
                // Two names of one variable would be two variables here.
                if var.barriers || var.stated_log2 > 4 || numbers.contains(&number) {
                    return None;
                }
                numbers.push(number);
                let size = if var.dynamic { grid.launch.dynamic_shared } else { var.size };
                out.push(Object::Shared(size, !is_proved(m, number)));
                continue;
            }
            Root::Local(_) => {
                out.push(Object::Local);
                continue;
            }
        };
        out.push(m.mem.raw_object(ptr).map_or(Object::None(ptr), |o| Object::Table(o, ptr)));
    }
    // Where a variable starts matters to accesses that state more than its alignment.
    let starts = shared.layout.starts(grid.launch.dynamic_shared);
    let fine = |(at, var): (u64, &cudair_memory::SharedVar)| at & ((1 << var.stated_log2) - 1) == 0;
    starts.into_iter().all(fine).then_some(out)
}

/// Whether all accesses to a shared variable, by number in the layout, are proved free of races in this launch. Where they are not,
/// lanes whose order could be seen are the bytecode's, whatever the user wants checked.
fn is_proved(m: &Machine, number: usize) -> bool {
    m.mem.proved_shared.as_ref().is_some_and(|proved| proved[number])
}

/// The machine code of a kernel for these promises, and of which form it is where this launch shows whether it is faster.
fn compiled(
    m: &mut Machine,
    kernel: FuncId,
    plan: &Plan,
    promises: Promises,
) -> Option<(Arc<Kernel>, Option<Form>)> {
    let module = m.module.clone();
    let mut anyway = m.config.engine == Engine::Jit;
    let tier = &mut m.engine.launches.tier;
    let mut key = (kernel, promises);
    if tier.fared.get(&kernel).is_some_and(|f| f.forms >= RANGED) && !tier.kernels.contains_key(&key) {
        key.1.shape.grid_dim = [0; 3];
        key.1.shape.args.fill(None);
    }
    let fared = tier.fared.entry(kernel).or_default();
    let known = tier.kernels.get(&key);
    let on_trial = known.is_some_and(|known| known.as_ref().is_err_and(|why| fared.trial.begins(*why)));
    if let Some(known) = known.filter(|_| !on_trial) {
        return known.as_ref().ok().map(|code| (code.clone(), None));
    }
    if fared.forms >= FORMS {
        return None;
    }
    fared.forms += 1;
    anyway |= on_trial;
    let begin = Instant::now();
    let code = Kernel::compile(&module, kernel, plan, &key.1, anyway).map(Arc::new);
    let name = &module.funcs[kernel].display_name;
    match &code {
        Ok(code) => log::info!(
            target: "jit", "`{name}`: {} bytes of machine code in {:.1} ms", code.size(),
            begin.elapsed().as_secs_f64() * 1e3
        ),
        Err(why) => log::info!(target: "jit", "`{name}`: not compiled: {}", why.0),
    }
    let out = code.as_ref().ok().map(|code| (code.clone(), on_trial.then(|| key.clone())));
    tier.kernels.insert(key, code);
    out
}

/// Runs the blocks of a launch. Gives on how many threads it ran.
fn run(
    m: &mut Machine,
    launch: &Prepared,
    plan: &Plan,
    objects: &[Object],
    (promises, until): (&Promises, Option<Instant>),
    code: &Kernel,
) -> Result<Result<usize, Bail>, Stop> {
    let grid = &launch.grid;
    let granule = plan.global_granule();
    let mut views = Vec::with_capacity(objects.len());
    let mut numbers = Vec::with_capacity(objects.len());
    let mut tier = std::mem::take(&mut m.engine.launches.tier);
    let variables: Vec<(u64, u8)> = objects
        .iter()
        .enumerate()
        .map(|(n, o)| if let Object::Shared(size, _) = *o { (size, plan.shared_granule(n)) } else { (0, 0) })
        .collect();
    let words = code.room().bytes.div_ceil(size_of::<u32>());
    let cores = if promises.threads { m.config.jobs.max(1) } else { 1 };
    tier.arenas.resize_with(cores.max(tier.arenas.len()), Arena::default);
    let (arena, others) = tier.arenas.split_at_mut(1);
    let arena = &mut arena[0];
    let mut refused = !arena.fit(&variables, words);
    for (n, object) in objects.iter().enumerate() {
        let (view, number) = match *object {
            Object::Local => (View::NONE, 0),
            Object::None(ptr) => {
                (View { start: ptr.object_start().0, offset: ptr.offset(), ..View::NONE }, 0)
            }
            Object::Shared(size, _) => {
                let view = if refused { View::NONE } else { arena.shared.view(n, size) };
                (view, 0)
            }
            Object::Table(o, ptr) => {
                let limits = View::limits(o.size);
                let mut view = View {
                    data: o.data,
                    init: o.init,
                    reads: if o.reads { limits } else { [0; 5] },
                    writes: if o.writes { limits } else { [0; 5] },
                    start: ptr.object_start().0,
                    offset: ptr.offset(),
                    ..View::NONE
                };
                if promises.roots[n].kept && o.writes {
                    match m.mem.saved_pages(o.number) {
                        Some(saved) => view.saved = saved,
                        None => refused = true,
                    }
                }
                if promises.roots[n].watched {
                    match m.mem.grid.for_compiled(o.number, o.size, granule.into()) {
                        Some(lines) => {
                            view.write_lines = lines.write_lines;
                            view.write_cells = lines.write_cells;
                            view.read_lines = lines.read_lines;
                            view.read_cells = lines.read_cells;
                        }
                        None => refused = true,
                    }
                }
                (view, o.number)
            }
        };
        views.push(view);
        numbers.push(number);
    }
    let math: Vec<MathFn> = plan.math.iter().map(|&(_, function)| function).collect();
    let args: Vec<u64> = grid.launch.args.iter().map(|&bits| bits as u64).collect();
    let watch = &grid.program.config.watch;
    watch.begin_launch(grid.launch_ref.number, grid.launch_ref.kernel, launch.blocks, false);
    let shape = StripShape {
        block_index: [0; 3],
        block_dim: grid.launch.block,
        first_thread: 0,
        lanes: 1,
        launch: Some(grid.launch_ref),
    };
    let result = m.lend(|worker, _| {
        let most = worker.state.fuel;
        let memo = math::Memo::default();
        let mut run = Run { worker, numbers, granule, math, memo, shape, turns: 0, since: 0, most, until };
        let mut frame = frame(grid, &args, &views, (&mut arena.lanes, code), &HELPER_ADDRESSES);
        let mut timer = threads::Timer::new(grid, promises.threads && until.is_none());
        let done = if refused {
            Err(Bail::Refused)
        } else {
            blocks(&mut run, &mut arena.shared, &mut frame, (grid, launch.blocks, &mut timer), (plan, code))
        };
        let turns = run.turns + (TURNS - frame.turns) as u64;
        let Run { worker, numbers, math, .. } = run;
        if frame.unsteady != 0 {
            worker.mem.grid.used_atomic();
        }
        worker.state.changes += 1;
        let (args, views) = (&args, &views);
        let shared =
            threads::Shared { code: (plan, code), grid, args, views, variables: &variables, math: &math };
        let done = done.and_then(|done| match done {
            all if all == launch.blocks => Ok((turns, 1)),
            done => {
                let blocks = done..launch.blocks;
                let arenas = (arena, others, |arena: &mut Arena| arena.fit(&variables, words));
                threads::run(worker, &shared, &numbers, (blocks, turns, most), arenas)
            }
        });
        // A limit that is met is met again by the bytecode.
        Ok(done.and_then(|(turns, threads)| {
            let spent = turns + launch.blocks.next_multiple_of(64);
            worker.state.spend(spent).map_err(|_| Bail::Turns)?;
            Ok(threads)
        }))
    });
    watch.end_launch();
    #[cfg(test)]
    if let Ok(Ok(threads)) = &result {
        tier.threads = *threads;
    }
    m.engine.launches.tier = tier;
    result
}

/// A frame before its first block.
fn frame(
    grid: &Grid,
    args: &[u64],
    views: &[View],
    (lanes, code): (&mut Words, &Kernel),
    helpers: &[*const (); HELPERS],
) -> Frame {
    let lanes: *mut u8 = lanes.as_mut_ptr().cast();
    let room = code.room();
    Frame {
        args: args.as_ptr(),
        roots: views.as_ptr(),
        lanes,
        uniform: room.uniform.map(|at| lanes.wrapping_add(at).cast()),
        exchange: room.exchange.map(|at| lanes.wrapping_add(at).cast()),
        locals: lanes.wrapping_add(room.locals),
        block: [0; 3],
        grid: grid.launch.grid,
        dynamic_shared: grid.launch.dynamic_shared as u32,
        launch_epoch: 0,
        block_epoch: 0,
        first_epoch: 0,
        shared_block: 0,
        shared_first: 0,
        initialised: 0,
        active: 0,
        waiting: null_mut(),
        turns: TURNS,
        reason: 0,
        unsteady: 0,
        answer: 0,
        value: [0; ARGS],
        rows: [[0; ROW]; ARGS + 1],
        offsets: [0; 8],
        helpers: helpers.map(|f| f as usize),
        engine: null_mut(),
    }
}

/// What the helpers of a frame get for its engine.
trait Runs {
    /// A block begins, or goes on behind a barrier: the first epochs of the launch, of the block and of the running interval in
    /// global memory.
    fn enters(&mut self, block: [u32; 3]) -> [u32; 3];
    /// All threads of the block have come to a barrier.
    fn meets(&mut self, block: [u32; 3]);
}

impl Runs for Run<'_> {
    fn enters(&mut self, block: [u32; 3]) -> [u32; 3] {
        self.shape.block_index = block;
        self.since = self.turns;
        self.worker.mem.grid.enter_compiled(block)
    }

    fn meets(&mut self, block: [u32; 3]) {
        self.worker.mem.grid.barrier(block);
    }
}

/// Runs blocks from the first one on. Gives how many are done when they all are, or the rest is to go to several threads.
fn blocks(
    run: &mut Run<'_>,
    shared: &mut SharedArena,
    frame: &mut Frame,
    (grid, blocks, timer): (&Grid, u64, &mut threads::Timer),
    code: (&Plan, &Kernel),
) -> Result<u64, Bail> {
    for n in 0..blocks {
        if timer.is_time(n, blocks) {
            return Ok(n);
        }
        block(run, shared, frame, (grid, n), code)?;
        if run.is_late() {
            return Err(Bail::Turns);
        }
    }
    Ok(blocks)
}

/// Runs a block.
fn block<R: Runs>(
    run: &mut R,
    shared: &mut SharedArena,
    frame: &mut Frame,
    (grid, n): (&Grid, u64),
    (plan, code): (&Plan, &Kernel),
) -> Result<(), Bail> {
    let threads = volume(grid.launch.block) as u32;
    let index = block_index(grid.launch.grid, n);
    frame.block = index;
    frame.shared_first = shared.first();
    frame.shared_block = frame.shared_first;
    frame.initialised = 0;
    let mut entry = 0;
    let mut looks = LOOKS;
    loop {
        [frame.launch_epoch, frame.block_epoch, frame.first_epoch] = run.enters(index);
        let raw: *mut Frame = frame;
        frame.engine = std::ptr::from_mut(run).cast::<c_void>();
        let exit = if plan.is_ordered() {
            ordered::run(frame, plan, code, entry, (threads, grid.strip_lanes()))
        } else if plan.has_warp_operations() {
            warps::run(frame, plan, code, entry, threads)
        } else {
            // SAFETY: the frame's pointers are those of memory that stays where it is while the launch runs: views of live
            // objects, of the undo log and of the race detector for the promises that the code was compiled with. Its helpers
            // are those of `R`.
            unsafe { code.run(raw, entry, 0, threads) }
        };
        match exit {
            DONE => break,
            BAIL => return Err(Bail::from_number(frame.reason).unwrap_or(Bail::Refused)),
            sync => {
                entry = sync;
                run.meets(index);
                frame.uniform.swap(0, 1);
                if !shared.has_room() {
                    return Err(Bail::Refused);
                }
                frame.shared_first = shared.next();
                if looks > 0 {
                    looks -= 1;
                    frame.initialised = shared.initialised(frame.shared_block, frame.initialised);
                }
            }
        }
    }
    let watch = &grid.program.config.watch;
    watch.block_done();
    watch.check().map_err(|_| Bail::Turns)
}

// What compiled code calls.

/// The helpers, by [`cudair_jit::abi::Helper`].
const HELPER_ADDRESSES: [*const (); HELPERS] = [
    poll as *const (),
    save as *const (),
    stamp as *const (),
    load as *const (),
    store as *const (),
    math as *const (),
    math_lanes as *const (),
    cudair_jit::shared::read as *const (),
];

/// The frame and what its engine is.
///
/// # Safety
/// The frame is one that [`run`] has made, and no other reference to its [`Run`] is in use.
unsafe fn of<'a>(frame: *mut Frame) -> (&'a mut Frame, &'a mut Run<'a>) {
    // SAFETY: as promised.
    unsafe {
        let frame = &mut *frame;
        let run = &mut *frame.engine.cast::<Run<'a>>();
        (frame, run)
    }
}

unsafe extern "C" fn poll(frame: *mut Frame) -> u32 {
    // SAFETY: compiled code hands on the frame that it was given.
    let (frame, run) = unsafe { of(frame) };
    run.turns += (TURNS - frame.turns) as u64;
    frame.turns = TURNS;
    let goes_on = run.worker.state.watch.check().is_ok() && !run.is_late();
    u32::from(goes_on && run.turns <= run.most && run.turns - run.since <= MOST)
}

unsafe extern "C" fn save(frame: *mut Frame, root: u64, offset: u64, width: u64) -> u32 {
    // SAFETY: compiled code hands on the frame that it was given.
    let (_, run) = unsafe { of(frame) };
    u32::from(run.worker.mem.save_pages(run.numbers[root as usize], offset, width))
}

unsafe extern "C" fn stamp(frame: *mut Frame, root: u64, offset: u64, what: u64, thread: u64) -> u32 {
    // SAFETY: compiled code hands on the frame that it was given.
    let (_, run) = unsafe { of(frame) };
    let form = what >> 32 & (kind::RUN | kind::SAME);
    let op = match what >> 32 & !form {
        kind::READ => AccessOp::Read,
        kind::WRITE => AccessOp::Write,
        _ => AccessOp::Atomic,
    };
    let object = (run.numbers[root as usize], run.granule.into());
    let bytes = (offset as u32, what as u32);
    let lanes = match form {
        0 => Lanes::One,
        kind::RUN => Lanes::Side,
        _ => Lanes::Same,
    };
    u32::from(run.worker.mem.compare_compiled(&run.shape, object, bytes, op, (thread as u32, lanes)))
}

/// An access through a pointer of which nothing is known: the bytecode's own, for one lane.
fn access(
    run: &mut Run<'_>,
    pointer: u64,
    what: u64,
    thread: u64,
    value: &mut u64,
    writes: bool,
) -> Result<(), Stop> {
    let (width, align_log2) = (what as u8, (what >> 32) as u8);
    let ptr = Ptr(pointer);
    // Shared memory and locals are not in the machine's memory here.
    if ptr.tag() != cudair_lane::ptr::Tag::Table {
        return Err(Stop::internal("compiled code reaches memory that is not the table's"));
    }
    // The detector would take narrower granules, and move its epochs.
    if (ptr.offset() as u64 | u64::from(width)) & ((1 << run.granule) - 1) != 0 {
        return Err(Stop::internal("compiled code makes an access that is narrower than it said"));
    }
    let mask = Mask::single(0);
    let shape = StripShape { first_thread: thread as u32, ..run.shape };
    let site = SiteRef { func: FuncId::from_u32(0), site: Site::from_u32(0) };
    let acc = Access { width, align_log2, volatile: false, copy: false, late: 0, site };
    let Worker { mem, findings, .. } = &mut *run.worker;
    let mut cx =
        LaneCx { side: MemSide::Device, mask: &mask, block: None, locals: None, shape: &shape, findings };
    let mut words = [*value as u32, (*value >> 32) as u32];
    let addrs = Addrs::Uniform(ptr);
    if writes {
        mem.store_lanes(&mut cx, &addrs, acc, Values::Lanes(&words), None)
    } else {
        mem.load_lanes(&mut cx, &addrs, acc, &mut words)?;
        *value = u64::from(words[0]) | u64::from(words[1]) << 32;
        Ok(())
    }
}

unsafe extern "C" fn load(frame: *mut Frame, pointer: u64, what: u64, thread: u64) -> u32 {
    // SAFETY: compiled code hands on the frame that it was given.
    let (frame, run) = unsafe { of(frame) };
    u32::from(access(run, pointer, what, thread, &mut frame.value[0], false).is_ok())
}

unsafe extern "C" fn store(frame: *mut Frame, pointer: u64, what: u64, thread: u64) -> u32 {
    // SAFETY: compiled code hands on the frame that it was given.
    let (frame, run) = unsafe { of(frame) };
    u32::from(access(run, pointer, what, thread, &mut frame.value[0], true).is_ok())
}

unsafe extern "C" fn math(frame: *mut Frame, n: u64) -> u32 {
    // SAFETY: compiled code hands on the frame that it was given.
    let (frame, run) = unsafe { of(frame) };
    math::compute(&run.math, &mut run.memo, frame, n)
}

unsafe extern "C" fn math_lanes(frame: *mut Frame, n: u64, what: u64) -> u32 {
    // SAFETY: compiled code hands on the frame that it was given.
    let (frame, run) = unsafe { of(frame) };
    math::compute_lanes(&run.math, frame, n, what)
}
