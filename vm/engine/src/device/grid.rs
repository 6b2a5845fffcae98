//! Launches: every block of a grid, one after the other, with those suspended that wait for others.

use super::block::{Block, BlockEnd, deadlock};
use super::clock::PollCounter;
use super::cluster::ClusterShape;
use super::schedule::{Random, Schedule};
use super::strip::Strip;
use super::transaction::Transaction;
use super::values::View;
use super::{dump, explore, workers};
use crate::cache::{DeviceSetId, DeviceTarget};
use crate::config::AfterFault;
use crate::engine_state::BUDGET;
use crate::machine::{GridLaunch, LaunchEnd, Machine};
use crate::regs::CodeRef;
use cudair_bytecode::Reg;
use cudair_ir::*;
use cudair_lane::fault::{Fault, LaunchRef, Stop};
use cudair_lane::pages::ran_short;
use cudair_lane::{MAX_LANES, StripShape, block_index, simd};
use cudair_memory::{BlockMem, ClusterMem, GivenUp, Keep, SharedLayout, SharedVar};
use cudair_race::records::Clusters;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// A launch that runs.
pub(crate) struct Grid {
    pub(crate) launch: GridLaunch,
    pub(crate) launch_ref: LaunchRef,
    pub(crate) set: DeviceSetId,
    kernel: CodeRef,
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
    /// Whether threads that left the kernel at an operation, and so do not come to another, left by an early return.
    pub(super) early_returns: RefCell<FxHashMap<(usize, usize), bool>>,
}

/// The shared memory of a kernel with its callees.
#[derive(Clone, Debug)]
pub(crate) struct KernelShared {
    layout: Arc<SharedLayout>,
    index: Arc<FxHashMap<GlobalId, usize>>,
}

/// How long a launch that was cut short may run again, so that races in what it did are told: less than a second,
/// with all that has to be done then.
const GRACE: Duration = Duration::from_millis(500);

/// Runs a launch to its end. A function of its own, so that its instructions can be counted.
#[inline(never)]
pub(crate) fn run_grid(m: &mut Machine, launch: GridLaunch) -> Result<LaunchEnd, Stop> {
    let module = m.module.clone();
    let kernel = &module.funcs[launch.kernel];
    let shape = LaunchShape {
        grid: launch.grid,
        block: launch.block,
        dynamic_shared: launch.dynamic_shared,
        args: kernel
            .sig
            .params
            .iter()
            .zip(&launch.args)
            .map(|(p, &bits)| (!p.ty.is_ptr() && p.attr == ParamAttr::None).then_some(bits))
            .collect(),
    };
    let oracle = m.oracle.clone();
    let answer = oracle.at_launch(&module, launch.kernel, &shape);
    let launch_ref = LaunchRef { number: launch.number, kernel: launch.kernel };
    let chosen = m.findings.is_chosen(Some(launch_ref));
    if let Some(call) = launch.loc
        && is_of_own_header(&module, kernel)
    {
        m.findings.serves(launch_ref, call);
    }
    m.engine.launches[0] += 1;
    m.engine.launches[1] += u64::from(chosen);
    m.engine.ran.insert(launch.kernel);
    m.engine.unseen.launches += u64::from(!chosen);
    for finding in answer.findings.iter().filter(|_| chosen) {
        m.findings.add(finding.clone());
    }
    let set = m.engine.cache.device_set(&module, &answer, launch.block);
    let DeviceTarget::Code(code) = m.resolve_device(set, launch.kernel)? else {
        return Err(Stop::unsupported(format!("a launch of `{}`, which has no body", kernel.display_name)));
    };
    let shared = kernel_shared(m, launch.kernel);
    let blocks = volume(launch.grid);
    let mut grid = Grid {
        launch_ref,
        set,
        kernel: code,
        layout: shared.layout,
        clusters: ClusterShape::new(launch.grid, launch.cluster),
        shared_index: shared.index,
        sole: blocks == 1,
        avx2: simd::has_avx2(),
        perf: m.config.perf && chosen,
        random: m.config.seed.map(|seed| Random::new(seed).part(launch.number)),
        early_returns: RefCell::default(),
        launch,
    };
    let touched = super::footprint::touched(m, &grid.launch);
    let threads = grid.launch.block.iter().map(|&n| u64::from(n)).fold(blocks, u64::saturating_mul);
    let explores = chosen && explore::is_wanted(m, &grid, threads);
    let keep = match () {
        () if explores => Keep::All,
        () if m.config.check_global_races && chosen && threads > 1 => {
            Keep::ForSecondRun(touched.reads.clone())
        }
        () => Keep::Nothing,
    };
    let races = m.findings.races_seen();
    let clusters = Clusters { grid: grid.launch.grid, dims: grid.launch.cluster };
    let (block, may_touch) = (grid.launch.block, touched.clone());
    let begin_races = move |m: &mut Machine, watch: bool| {
        m.mem.begin_races(may_touch.clone(), clusters, block, launch_ref, watch);
    };
    if m.config.check_global_races {
        begin_races(m, chosen);
    }
    m.mem.unwatched = !(m.config.check_shared_races && chosen);
    m.engine.alone = false;
    tell_begin(&module, &grid, &answer.facts, explores);
    let mut transaction = Transaction::begin(m, keep)?;
    let before = m.engine.meters();
    let ended = m.engine.ended;
    let mut result = run_blocks(m, &grid, blocks, false);
    let done = m.config.watch.done();
    if (ran_short() || m.mem.given_up() == Some(GivenUp::Memory)) && !matches!(result, Err(Stop::Internal(_)))
    {
        if let Err(Stop::Fault(fault)) = result {
            m.findings.note_any(*fault);
        }
        result = Err(no_memory());
    }
    // What is left of a launch that was cut short is looked at for a little while.
    let cut = matches!(result, Err(Stop::Limit(_)));
    let suspected = m.mem.grid.get_mut().is_suspected();
    let certain = m.mem.certain_races();
    let again_wanted = !matches!(result, Err(Stop::Exit(_) | Stop::Unsupported(_) | Stop::Internal(_)))
        && m.mem.wants_second_run();
    let ops = threads.saturating_add(before[0] - m.engine.meters()[0]);
    let explores = explores && result.is_ok() && ops <= explore::MOST && m.mem.may_roll_back();
    tell_end(&grid, &result, (ops, suspected, again_wanted));
    let mut shown = Vec::new();
    if !again_wanted && !explores {
        transaction.commit(m)?;
        m.engine.unseen.second_runs += u64::from(suspected);
        m.mem.abandon_races(&mut m.findings);
    } else {
        let told = transaction.roll_back(m)?;
        let after = told.meters();
        let mut limit = None;
        if explores {
            // What the detector knows of the default order waits.
            let aside = m.mem.other_detector();
            (shown, limit) = explore::run(m, &mut grid, blocks, ops, begin_races.clone())?;
            *m.mem.grid.get_mut() = aside;
        }
        if !again_wanted {
            m.mem.abandon_races(&mut m.findings);
            begin_races(m, false);
        }
        // Once more, for the race detector alone, or since the other orders were taken back: nothing else of it is
        // seen.
        let mut transaction = Transaction::begin(m, Keep::Nothing)?;
        if cut {
            m.config.watch.give_grace(GRACE);
            m.engine.limit_fuel((before[0] - after[0]).saturating_add(u64::from(BUDGET)));
        }
        log::info!(target: "race", "launch {}: runs again", launch_ref.number);
        let again = limit.map_or_else(|| run_blocks(m, &grid, blocks, true), Err);
        let same = m.engine.meters()[1..] == after[1..] && same_end(&result, &again);
        transaction.commit_as(m, told)?;
        if again_wanted {
            m.mem.end_races(&mut m.findings);
        }
        let short = ran_short();
        match again {
            Err(stop @ Stop::Internal(_)) => return Err(stop),
            _ if short && !cut => {
                if let Err(Stop::Fault(fault)) = result {
                    m.findings.note_any(*fault);
                }
                result = Err(no_memory());
            }
            Err(Stop::Limit(mut d)) if !cut => {
                m.engine.unseen.second_runs += 1;
                for note in certain {
                    m.findings.race(note);
                }
                if let Err(Stop::Fault(fault)) = result {
                    m.findings.note_any(*fault);
                }
                d.help = Some(
                    "the limit was reached while the launch ran again to look for races: there may be more races"
                        .to_owned(),
                );
                result = Err(Stop::Limit(d));
            }
            _ if !cut && !same => {
                return Err(Stop::internal("the second run of a launch differs from the first"));
            }
            Err(Stop::Limit(_)) if m.config.watch.is_out_of_grace() => {
                m.engine.unseen.second_runs += 1;
                for note in certain {
                    m.findings.race(note);
                }
                if let Err(Stop::Limit(d)) = &mut result {
                    d.help = Some(format!(
                        "the search for races in the interrupted launch ended after {} s: there may be \
                         more races",
                        GRACE.as_secs_f64()
                    ));
                }
            }
            _ => {}
        }
    }
    m.absorb_seeded(shown);
    m.mem.settle_bitmaps();
    let unsteady = m.mem.grid.get_mut().is_unsteady();
    let found = m.findings.races_seen() - races;
    log::info!(target: "race", "launch {}: races found: {found}", launch_ref.number);
    let raced = found > 0;
    if m.engine.influence.launched(&module, grid.launch_ref.kernel, &touched, (unsteady, raced)) {
        m.findings.unsteady(grid.launch_ref);
    }
    m.engine.influence.host_reads(|o| m.mem.is_for_host(o));
    m.findings.shaken = m.engine.influence.host();
    match result {
        Ok(()) => Ok(LaunchEnd::Done),
        Err(Stop::Fault(fault)) if fault.kind.kind() == Kind::Deadlock && m.engine.ended > ended => {
            // They wait for threads that a fault has ended: no finding of its own.
            m.engine.unseen.stranded += 1;
            Ok(LaunchEnd::Done)
        }
        Err(Stop::Fault(mut fault)) => {
            fault.launch = fault.launch.or(Some(grid.launch_ref));
            let kind = fault.kind.kind();
            fault.sticky = m.config.after_fault == AfterFault::Launch;
            let last = Fault { count: 0, ..Fault::clone(&fault) };
            m.findings.note_any(*fault);
            match m.config.after_fault {
                AfterFault::Stop => Err(last.into()),
                AfterFault::Launch | AfterFault::Thread => Ok(LaunchEnd::Aborted(kind)),
            }
        }
        Err(Stop::Limit(mut d)) => {
            tell_launch(&module, &grid.launch, (done, blocks), &mut d);
            Err(Stop::Limit(d))
        }
        Err(stop) => Err(stop),
    }
}

/// Traces the start of a launch.
fn tell_begin(module: &Module, grid: &Grid, facts: &cudair_ir::Facts, explores: bool) {
    if !log::log_enabled!(target: "launch", log::Level::Info) {
        return;
    }
    let launch = &grid.launch;
    let name = &module.funcs[launch.kernel].display_name;
    let place = crate::state::place(module, launch.loc);
    let (number, dims, block) = (launch.number, launch.grid, launch.block);
    log::info!(target: "launch", "{number}: `{name}`, grid {dims:?}, block {block:?}, {place}");
    let uniform =
        facts.funcs.values().map(|f| f.uniform.values().filter(|&&u| u != Uniformity::Divergent).count());
    log::debug!(
        target: "launch",
        "{number}: dynamic shared memory {} bytes, clusters {:?}, {} uniform values, seeds: {explores}",
        launch.dynamic_shared, launch.cluster, uniform.sum::<usize>()
    );
}

/// Traces the end of a launch's first run: its operations, whether races are suspected, whether it runs again for them.
fn tell_end(grid: &Grid, result: &Result<(), Stop>, (ops, suspected, again): (u64, bool, bool)) {
    let number = grid.launch.number;
    match result {
        Ok(()) => log::info!(target: "launch", "{number}: done after {ops} operations"),
        Err(stop) => {
            let why = crate::dump::reason(stop).unwrap_or_else(|| "the end of the program".to_owned());
            log::info!(target: "launch", "{number}: stopped after {ops} operations by {why}");
        }
    }
    log::debug!(target: "race", "launch {number}: suspected: {suspected}, to run again: {again}");
}

/// What the race detector keeps of a launch has found no memory, so that nothing is certain any more.
pub(super) fn no_memory() -> Stop {
    let mut stop = Stop::limit("the race detector ran out of memory");
    if let Stop::Limit(d) = &mut stop {
        d.help = Some(
            "give the process more memory, make the launch smaller, or switch the detector off: \
             `--no-check global-race`"
                .to_owned(),
        );
    }
    stop
}

/// Says of a limit which launch it was met in, and how far that had come.
fn tell_launch(module: &Module, launch: &GridLaunch, (done, blocks): (u64, u64), d: &mut Diagnostic) {
    let kernel = &module.funcs[launch.kernel];
    let (name, number) = (&kernel.display_name, launch.number);
    let text = format!(", in launch {number} of kernel `{name}`, with {done} of {blocks} blocks done");
    // An option stands at the end.
    let at = d.message.rfind(" (`--").unwrap_or(d.message.len());
    d.message.insert_str(at, &text);
    let span = |loc: Option<Loc>, label: String| {
        let loc = loc.filter(|&loc| module.source.locs.get(loc).is_some())?;
        let mut span = Span::new(&module.source, loc, label);
        if span.end.line > span.start.line {
            // Where it starts is enough to find it.
            span.end = Pos { col: span.start.col + 1, ..span.start };
        }
        Some(span)
    };
    let places =
        [span(kernel.loc.expand(), format!("kernel `{name}`")), span(launch.loc, format!("launch {number}"))];
    let mut places = places.into_iter().flatten();
    if d.primary.is_none() {
        d.primary = places.next();
    }
    d.related.extend(places);
}

/// Whether two runs of a launch ended alike.
fn same_end(a: &Result<(), Stop>, b: &Result<(), Stop>) -> bool {
    match (a, b) {
        (Ok(()), Ok(())) => true,
        (Err(Stop::Fault(a)), Err(Stop::Fault(b))) => {
            (a.kind.kind(), a.place, a.thread) == (b.kind.kind(), b.place, b.thread)
        }
        _ => false,
    }
}

/// Whether a kernel stands in one of our headers, and so is none that a reader of a report knows.
fn is_of_own_header(module: &Module, kernel: &Function) -> bool {
    let file = kernel.loc.expand().map(|loc| module.source.locs[loc].file);
    file.is_some_and(|file| module.source.files[file].path.starts_with(OWN_HEADERS))
}

/// Runs all blocks of a grid.
pub(super) fn run_blocks(m: &mut Machine, grid: &Grid, blocks: u64, again: bool) -> Result<(), Stop> {
    m.config.watch.begin_launch(grid.launch_ref.number, grid.launch_ref.kernel, blocks, again);
    m.engine.looks = PollCounter::default();
    let mut running = Running::default();
    let result = running.run(m, grid, blocks);
    m.config.watch.end_launch();
    // Blocks that an abort left behind.
    for block in std::mem::take(&mut running.suspended) {
        block.end(m);
    }
    running.end_clusters(m);
    result
}

/// Suspended blocks up to which a block makes way after one turn for those that have not begun.
const EARLY: usize = 64;

/// The blocks of a grid that are neither done nor waiting for their turn.
#[derive(Default)]
pub(super) struct Running {
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

impl Running {
    fn run(&mut self, m: &mut Machine, grid: &Grid, blocks: u64) -> Result<(), Stop> {
        let d = &m.config.device;
        let held = &d.multiprocessor;
        let resident =
            (held.multiprocessor_count.max(1) * held.max_blocks_per_multiprocessor.max(1)) as usize;
        let size = u64::from(grid.clusters.size());
        let order = Order::new(blocks / size, grid.random.clone());
        self.draws = grid.random.as_ref().map(|r| r.part(u64::MAX));
        let mut timer = workers::ShareTimer::new(m, grid);
        for n in 0..blocks {
            if n % 64 == 0 {
                m.engine.spend(64)?;
            }
            if size > 1 {
                if n % size == 0 {
                    self.cluster(m, grid, order.at(n / size))?;
                }
                while self.suspended.len() >= resident.max(size as usize) {
                    self.next(m, grid)?;
                }
                continue;
            }
            if timer.is_time(m, self, n, blocks) && workers::share(m, grid, &order, (n, blocks), &timer)? {
                break;
            }
            self.others_to_begin = n + 1 < blocks && self.suspended.len() < EARLY;
            self.one(m, grid, order.at(n))?;
            self.others_to_begin = false;
            while self.suspended.len() >= resident.max(1) || self.goes_on_first(m) {
                self.next(m, grid)?;
            }
        }
        while !self.suspended.is_empty() {
            self.next(m, grid)?;
        }
        Ok(())
    }

    /// Whether a suspended block goes on before others begin: by chance, under a seed, unless all of them wait for
    /// those.
    fn goes_on_first(&mut self, m: &Machine) -> bool {
        let chance = |random: &mut Random| random.below(2) == 0;
        self.draws.as_mut().is_some_and(chance)
            && !self.suspended.iter().all(|b| b.is_stuck(m.engine.changes))
    }

    /// A block, until its end or until it waits for another.
    pub(super) fn one(&mut self, m: &mut Machine, grid: &Grid, linear: u64) -> Result<(), Stop> {
        let block = self.begin(m, grid, linear)?;
        let left = self.go_on(m, grid, block)?;
        self.suspended.extend(left);
        Ok(())
    }

    /// Goes on with the block that was suspended first, under a seed with any of them, unless none of them can ever
    /// go on.
    fn next(&mut self, m: &mut Machine, grid: &Grid) -> Result<(), Stop> {
        let changes = m.engine.changes;
        if self.suspended.iter().all(|b| b.is_stuck(changes)) {
            let stop = deadlock(grid, self.suspended.iter());
            dump::launch(m, grid, &stop, self.suspended.iter());
            return Err(stop);
        }
        let at = self.draws.as_mut().map_or(0, |r| r.below(self.suspended.len().max(1)));
        match self.suspended.remove(at) {
            Some(block) => {
                let left = self.go_on(m, grid, block)?;
                self.suspended.extend(left);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Runs a block; gives it back where it is suspended.
    pub(super) fn go_on(
        &mut self,
        m: &mut Machine,
        grid: &Grid,
        mut block: Block,
    ) -> Result<Option<Block>, Stop> {
        self.lend(&mut block);
        let ended = block.run(m, grid, self.others_to_begin);
        if let Err(stop) = ended {
            if m.dumps() {
                let blocks = self.suspended.iter().chain(&self.cluster).chain([&block]);
                dump::launch(m, grid, &stop, blocks);
            }
            self.take_back(m, &mut block, false);
            block.end(m);
            return Err(stop);
        }
        let done = matches!(ended, Ok(BlockEnd::Done));
        self.take_back(m, &mut block, done);
        if !done {
            return Ok(Some(block));
        }
        m.config.watch.block_done();
        if let Some(mem) = block.mem {
            m.mem.end_block(mem, &mut m.findings);
        }
        self.idle.push(block.strips);
        Ok(None)
    }

    /// A block about to enter the kernel.
    fn begin(&mut self, m: &mut Machine, grid: &Grid, linear: u64) -> Result<Block, Stop> {
        let strips = self.strips(m, grid, block_index(grid.launch.grid, linear));
        let Some(shape) = strips.first().map(|s| s.shape) else {
            return Err(Stop::internal("a launch without threads"));
        };
        let mem = m.mem.begin_block(&grid.layout, grid.launch.dynamic_shared, &shape)?;
        make(m, grid, strips, Some(mem))
    }

    /// The strips of a block.
    pub(super) fn strips(&mut self, m: &Machine, grid: &Grid, index: [u32; 3]) -> Vec<Strip> {
        let threads: u32 = grid.launch.block.iter().product();
        let mut strips = self.idle.pop().unwrap_or_default();
        if strips.is_empty() {
            let most = (m.config.strip_lanes / 32 * 32).clamp(32, MAX_LANES as u32);
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
            strip.schedule = Schedule::of_strip(m.config.warp_model, random, linear, first);
        }
        strips
    }
}

/// A block of these strips, which enters the kernel.
pub(super) fn make(
    m: &mut Machine,
    grid: &Grid,
    strips: Vec<Strip>,
    mem: Option<BlockMem>,
) -> Result<Block, Stop> {
    let index = strips.first().map_or([0; 3], |s| s.shape.block_index);
    let random = grid.random.as_ref().map(|r| r.part(linear(grid, index)).part(0));
    enter(grid, Block { mem, cluster: None, strips, random }, m)
}

/// The linear number of a block.
fn linear(grid: &Grid, index: [u32; 3]) -> u64 {
    let ([x, y, z], [gx, gy, _]) = (index.map(u64::from), grid.launch.grid.map(u64::from));
    x + gx * (y + gy * z)
}

/// Puts every strip's convergence group at the start of the kernel, with the launch's arguments.
fn enter(grid: &Grid, mut block: Block, m: &mut Machine) -> Result<Block, Stop> {
    let code = grid.kernel.code();
    for strip in &mut block.strips {
        let mut f = strip.enter(grid.kernel);
        if let Some(layout) = &grid.kernel.unit().layout {
            match strip.locals.enter(layout, &f.mask) {
                Ok(frame) => f.top_mut().locals = Some(frame),
                Err(stop) => {
                    block.end(m);
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

/// The `__shared__` variables that a kernel and the functions it may call use.
fn kernel_shared(m: &mut Machine, kernel: FuncId) -> KernelShared {
    if let Some(known) = m.engine.shared.get(&kernel) {
        return known.clone();
    }
    let module = m.module.clone();
    let mut globals: Vec<GlobalId> = Vec::new();
    for func in may_run(&module, kernel).into_iter().map(|f| &module.funcs[f]) {
        for &inst in func.layout.iter().flat_map(|&b| func.block_insts(b)) {
            if let InstData::GlobalAddr { global } = func.insts[inst]
                && module.globals[global].space == Space::Shared
            {
                globals.push(global);
            }
        }
    }
    // Behind all others, so that these lie where they lie without it.
    let barriers = |g: GlobalId| module.globals[g].name == NAMED_BARRIERS;
    globals.sort_unstable_by_key(|&g| (barriers(g), g));
    globals.dedup();
    let mut layout = SharedLayout::default();
    let mut index = FxHashMap::default();
    let mut dynamic: Option<usize> = None;
    for g in globals {
        let global = &module.globals[g];
        if let (true, Some(n)) = (global.dynamic, dynamic) {
            // All `extern __shared__` arrays start at one place.
            let var: &mut SharedVar = &mut layout.vars[n];
            var.align_log2 = var.align_log2.max(global.align_log2);
            index.insert(g, n);
            continue;
        }
        let n = layout.vars.len();
        if global.dynamic {
            dynamic = Some(n);
        }
        layout.vars.push(SharedVar {
            global: g,
            name: global.display_name.as_str().into(),
            size: global.size,
            align_log2: global.align_log2,
            dynamic: global.dynamic,
            barriers: barriers(g),
            place: global.loc.expand().into(),
        });
        index.insert(g, n);
    }
    let shared = KernelShared { layout: Arc::new(layout), index: Arc::new(index) };
    m.engine.shared.insert(kernel, shared.clone());
    shared
}
