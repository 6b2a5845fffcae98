//! The blocks of a launch: one after the other, with those suspended that wait for others.

use super::block::{Block, BlockEnd, deadlock};
use super::clock::PollCounter;
use super::cluster::ClusterShape;
use super::schedule::{Random, Schedule};
use super::strip::Strip;
use super::values::View;
use super::{dump, workers};
use crate::cache::{DeviceSet, DeviceTarget};
use crate::machine::{GridLaunch, Machine};
use crate::regs::CodeRef;
use crate::worker::{Lent, Program, Worker};
use cudair_bytecode::Reg;
use cudair_ir::*;
use cudair_lane::fault::{LaunchRef, Stop};
use cudair_lane::{MAX_LANES, StripShape, block_index};
use cudair_memory::{BlockMem, ClusterMem, SharedLayout, SharedVar};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// A launch that runs: what its workers share.
pub(crate) struct Grid {
    pub(crate) program: Program,
    /// The device's functions for what is known of the launch.
    pub(super) code: Arc<DeviceSet>,
    pub(crate) launch: GridLaunch,
    pub(crate) launch_ref: LaunchRef,
    pub(super) kernel: CodeRef,
    pub(super) layout: Arc<SharedLayout>,
    pub(super) clusters: ClusterShape,
    /// Where each `__shared__` variable stands in the layout.
    pub(crate) shared_index: Arc<FxHashMap<GlobalId, usize>>,
    /// The grid has one block.
    pub(crate) sole: bool,
    pub(crate) avx2: bool,
    /// What accesses and branches cost is counted.
    pub(crate) perf: bool,
    /// What the schedule is drawn from, under a seed.
    pub(super) random: Option<Random>,
    /// How often a fact was tested.
    pub(super) tested: AtomicU64,
}

impl Grid {
    /// The lanes of a strip, at most.
    pub(super) fn strip_lanes(&self) -> u32 {
        (self.program.config.strip_lanes / 32 * 32).clamp(32, MAX_LANES as u32)
    }

    /// What a call of a function does.
    #[inline]
    pub(super) fn resolve(&self, func: FuncId) -> Result<DeviceTarget, Stop> {
        self.code.resolve(&self.program, func)
    }
}

/// The shared memory of a kernel with its callees.
#[derive(Clone, Debug)]
pub(crate) struct KernelShared {
    pub(super) layout: Arc<SharedLayout>,
    pub(super) index: Arc<FxHashMap<GlobalId, usize>>,
}

/// Runs all blocks of a grid, by the machine's own worker.
pub(super) fn run_blocks(m: &mut Machine, grid: &Grid, blocks: u64, again: bool) -> Result<(), Stop> {
    let watch = &grid.program.config.watch;
    watch.begin_launch(grid.launch_ref.number, grid.launch_ref.kernel, blocks, again);
    m.engine.worker.looks = PollCounter::default();
    // Nobody is told of what a launch does when it runs again.
    m.engine.worker.asks = grid.program.config.debugger.is_some() && !again;
    let result = m.lend(|worker, rest| {
        let mut running = Running::new(Some(rest));
        let result = running.run(worker, grid, blocks);
        watch.end_launch();
        // Blocks that an abort left behind.
        for block in std::mem::take(&mut running.suspended) {
            block.end(worker);
        }
        running.end_clusters(worker);
        result
    });
    m.engine.worker.asks = grid.program.config.debugger.is_some();
    result
}

/// Suspended blocks up to which a block makes way after one turn for those that have not begun.
const EARLY: usize = 64;

/// The blocks of a grid that are neither done nor waiting for their turn.
pub(super) struct Running<'m> {
    /// The rest of the machine, unless several workers share it.
    rest: Option<Lent<'m>>,
    pub(super) suspended: VecDeque<Block>,
    /// Other blocks have not begun: a block that works long may do so because it waits for one of them.
    others_to_begin: bool,
    /// Draws which of the suspended blocks goes on, under a seed.
    draws: Option<Random>,
    /// Blocks of the cluster under way, but for the one that runs.
    pub(super) cluster: VecDeque<Block>,
    /// Strips of blocks that are done, for the next.
    pub(super) idle: Vec<Vec<Strip>>,
    /// The memory of clusters none of whose blocks runs at the moment, by number.
    pub(super) clusters: FxHashMap<u64, Box<ClusterMem>>,
}

impl<'m> Running<'m> {
    /// None so far.
    pub(super) fn new(rest: Option<Lent<'m>>) -> Running<'m> {
        Running {
            rest,
            suspended: VecDeque::new(),
            others_to_begin: false,
            draws: None,
            cluster: VecDeque::new(),
            idle: Vec::new(),
            clusters: FxHashMap::default(),
        }
    }

    fn run(&mut self, w: &mut Worker, grid: &Grid, blocks: u64) -> Result<(), Stop> {
        let d = &grid.program.config.device;
        let held = &d.multiprocessor;
        let resident =
            (held.multiprocessor_count.max(1) * held.max_blocks_per_multiprocessor.max(1)) as usize;
        let size = u64::from(grid.clusters.size());
        let order = Order::new(blocks / size, grid.random.clone());
        self.draws = grid.random.as_ref().map(|r| r.part(u64::MAX));
        let mut timer = workers::ShareTimer::new(w, grid, self.rest.as_mut());
        for n in 0..blocks {
            if n % 64 == 0 {
                w.spend(64)?;
            }
            if size > 1 {
                if n % size == 0 {
                    self.cluster(w, grid, order.at(n / size))?;
                }
                while self.suspended.len() >= resident.max(size as usize) {
                    self.next(w, grid)?;
                }
                continue;
            }
            if timer.is_time(w, grid, self, (n, blocks))
                && let Some(rest) = &mut self.rest
                && workers::share(w, rest, grid, &order, (n, blocks), &timer)?
            {
                break;
            }
            self.others_to_begin = n + 1 < blocks && self.suspended.len() < EARLY;
            self.one(w, grid, order.at(n))?;
            self.others_to_begin = false;
            while self.suspended.len() >= resident.max(1) || self.goes_on_first(w) {
                self.next(w, grid)?;
            }
        }
        while !self.suspended.is_empty() {
            self.next(w, grid)?;
        }
        Ok(())
    }

    /// Whether a suspended block goes on before others begin: by chance, under a seed, unless all of them wait for
    /// those.
    fn goes_on_first(&mut self, w: &Worker) -> bool {
        let chance = |random: &mut Random| random.below(2) == 0;
        self.draws.as_mut().is_some_and(chance) && !self.suspended.iter().all(|b| b.is_stuck(w.state.changes))
    }

    /// A block, until its end or until it waits for another.
    pub(super) fn one(&mut self, w: &mut Worker, grid: &Grid, linear: u64) -> Result<(), Stop> {
        let block = self.begin(w, grid, linear)?;
        let left = self.go_on(w, grid, block)?;
        self.suspended.extend(left);
        Ok(())
    }

    /// Goes on with the block that was suspended first, under a seed with any of them, unless none of them can ever
    /// go on.
    fn next(&mut self, w: &mut Worker, grid: &Grid) -> Result<(), Stop> {
        let changes = w.state.changes;
        if self.suspended.iter().all(|b| b.is_stuck(changes)) {
            let stop = deadlock(grid, self.suspended.iter());
            dump::launch(w, grid, &stop, self.suspended.iter());
            return Err(stop);
        }
        let at = self.draws.as_mut().map_or(0, |r| r.below(self.suspended.len().max(1)));
        match self.suspended.remove(at) {
            Some(block) => {
                let left = self.go_on(w, grid, block)?;
                self.suspended.extend(left);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Runs a block; gives it back where it is suspended.
    pub(super) fn go_on(
        &mut self,
        w: &mut Worker,
        grid: &Grid,
        mut block: Block,
    ) -> Result<Option<Block>, Stop> {
        self.lend(&mut block);
        let rest = self.rest.as_mut().map(Lent::reborrow);
        let ended = block.run(w, rest, grid, self.others_to_begin);
        if let Err(stop) = ended {
            if w.state.dumps() {
                let blocks = self.suspended.iter().chain(&self.cluster).chain([&block]);
                dump::launch(w, grid, &stop, blocks);
            }
            self.take_back(w, &mut block, false);
            block.end(w);
            return Err(stop);
        }
        let done = matches!(ended, Ok(BlockEnd::Done));
        self.take_back(w, &mut block, done);
        if !done {
            return Ok(Some(block));
        }
        grid.program.config.watch.block_done();
        if let Some(mem) = block.mem {
            w.mem.end_block(mem, &mut w.findings);
        }
        w.state.turned += block.strips.iter().map(Strip::turned).sum::<u64>();
        self.idle.push(block.strips);
        Ok(None)
    }

    /// A block about to enter the kernel.
    fn begin(&mut self, w: &mut Worker, grid: &Grid, linear: u64) -> Result<Block, Stop> {
        let strips = self.strips(grid, block_index(grid.launch.grid, linear));
        let Some(shape) = strips.first().map(|s| s.shape) else {
            return Err(Stop::internal("a launch without threads"));
        };
        let mem = w.mem.begin_block(&grid.layout, grid.launch.dynamic_shared, &shape)?;
        make(w, grid, strips, Some(mem))
    }

    /// The strips of a block.
    pub(super) fn strips(&mut self, grid: &Grid, index: [u32; 3]) -> Vec<Strip> {
        let threads: u32 = grid.launch.block.iter().product();
        let mut strips = self.idle.pop().unwrap_or_default();
        if strips.is_empty() {
            let most = grid.strip_lanes();
            let mut first = 0;
            while first < threads {
                let lanes = (threads - first).min(most);
                strips.push(Strip::new(StripShape {
                    block_index: index,
                    block_dim: grid.launch.block,
                    first_thread: first,
                    lanes,
                    launch: Some(grid.launch_ref),
                }));
                first += lanes;
            }
        } else {
            for strip in &mut strips {
                strip.restart(index);
            }
        }
        let linear = linear(grid, index);
        for strip in &mut strips {
            let (first, random) = (strip.shape.first_thread, grid.random.as_ref());
            strip.schedule = Schedule::of_strip(grid.program.config.warp_model, random, linear, first);
        }
        strips
    }
}

/// A block of these strips, which enters the kernel.
pub(super) fn make(
    w: &mut Worker,
    grid: &Grid,
    strips: Vec<Strip>,
    mem: Option<BlockMem>,
) -> Result<Block, Stop> {
    let index = strips.first().map_or([0; 3], |s| s.shape.block_index);
    let random = grid.random.as_ref().map(|r| r.part(linear(grid, index)).part(0));
    enter(grid, Block { mem, cluster: None, strips, random }, w)
}

/// The linear number of a block.
fn linear(grid: &Grid, index: [u32; 3]) -> u64 {
    let ([x, y, z], [gx, gy, _]) = (index.map(u64::from), grid.launch.grid.map(u64::from));
    x + gx * (y + gy * z)
}

/// Puts every strip's convergence group at the start of the kernel, with the launch's arguments.
fn enter(grid: &Grid, mut block: Block, w: &mut Worker) -> Result<Block, Stop> {
    let code = grid.kernel.code();
    for strip in &mut block.strips {
        let mut f = strip.enter(grid.kernel);
        if let Some(layout) = &grid.kernel.unit().layout {
            match strip.locals.enter(layout, &f.mask) {
                Ok(frame) => f.top_mut().locals = Some(frame),
                Err(stop) => {
                    block.end(w);
                    return Err(stop);
                }
            }
        }
        let view = View { s: f.words.frame(0, code), v: strip.planes.frame(0, 0, code) };
        view.s.set_consts(code);
        for (param, &bits) in code.params.iter().zip(&grid.launch.args) {
            match param.reg {
                Reg::S(r) => view.s.set(r, (bits & param.ty.bit_mask()) as u64),
                reg => view.splat(reg, &f.mask, bits & param.ty.bit_mask()),
            }
        }
        strip.by_warps(f);
    }
    Ok(block)
}

/// The order of blocks: as they are numbered, or permuted by a seed.
pub(super) struct Order {
    n: u64,
    step: u64,
    start: u64,
}

impl Order {
    fn new(n: u64, random: Option<Random>) -> Order {
        let Some(mut random) = random.filter(|_| n > 1) else {
            return Order { n: n.max(1), step: 1, start: 0 };
        };
        let gcd = |mut a: u64, mut b: u64| {
            while b != 0 {
                (a, b) = (b, a % b);
            }
            a
        };
        let mut step = random.next() % n;
        while gcd(step, n) != 1 {
            step = (step + 1) % n;
        }
        Order { n, step, start: random.next() % n }
    }

    pub(super) fn at(&self, i: u64) -> u64 {
        ((u128::from(i) * u128::from(self.step) + u128::from(self.start)) % u128::from(self.n)) as u64
    }
}

impl KernelShared {
    /// How many variables there are.
    pub(super) fn len(&self) -> usize {
        self.layout.vars.len()
    }

    /// A variable's number in the layout.
    pub(super) fn number(&self, global: GlobalId) -> Option<usize> {
        self.index.get(&global).copied()
    }

    /// Which variables may be proved free of races at all: those that the program itself accesses.
    pub(super) fn proved_by_default(&self) -> Vec<bool> {
        self.layout.vars.iter().map(|var| !var.barriers).collect()
    }
}

/// The `__shared__` variables that a kernel and the functions it may call use.
pub(super) fn kernel_shared(m: &mut Machine, kernel: FuncId) -> KernelShared {
    if let Some(known) = m.engine.launches.shared.get(&kernel) {
        return known.clone();
    }
    let module = m.module.clone();
    let mut layout = SharedLayout::default();
    let mut index = FxHashMap::default();
    for (n, var) in shared::shared_globals(&module, kernel).into_iter().enumerate() {
        let g = var.globals[0];
        let global = &module.globals[g];
        layout.vars.push(SharedVar {
            global: g,
            name: global.display_name.as_str().into(),
            size: global.size,
            align_log2: var.align_log2,
            stated_log2: var.stated_log2,
            dynamic: global.dynamic,
            barriers: global.name == NAMED_BARRIERS,
            place: global.loc.expand().into(),
        });
        index.extend(var.globals.iter().map(|&g| (g, n)));
    }
    let shared = KernelShared { layout: Arc::new(layout), index: Arc::new(index) };
    m.engine.launches.shared.insert(kernel, shared.clone());
    shared
}
