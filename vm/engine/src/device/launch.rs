//! A launch from its start to its end: what is known of it, its first run, other orders and the second run where they
//! are wanted, and what is told of it.

use super::cluster::ClusterShape;
use super::compiled;
use super::elision;
use super::explore::{self, Seeded};
use super::footprint;
use super::grid::{Grid, kernel_shared, run_blocks};
use super::saving::{self, WhatIsSaved};
use super::schedule::Random;
use super::transaction::{Told, Transaction};
use crate::cache::DeviceTarget;
use crate::config::{AfterFault, Elision};
use crate::debug::Debugger;
use crate::engine_state::BUDGET;
use crate::machine::{GridLaunch, LaunchEnd, Machine};
use cudair_ir::*;
use cudair_lane::fault::{Fault, LaunchRef, Stop};
use cudair_lane::pages::ran_short;
use cudair_lane::simd;
use cudair_memory::{GivenUp, Keep};
use cudair_race::MayTouch;
use cudair_race::records::Clusters;
use cudair_report::{Findings, Lack, LaunchSite, RaceNote};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How long a launch that was cut short may run again, so that races in what it did are told: less than a second,
/// with all that has to be done then.
const GRACE: Duration = Duration::from_millis(500);

/// What the race detector is told when a launch starts.
#[derive(Clone)]
pub(super) struct RaceStart {
    pub(super) touched: MayTouch,
    clusters: Clusters,
    block: [u32; 3],
    launch: LaunchRef,
}

impl RaceStart {
    /// A run of the launch starts, whether it is to be watched or not.
    pub(super) fn begin(&self, m: &mut Machine, watch: bool) {
        m.mem.begin_races(self.touched.clone(), self.clusters, self.block, self.launch, watch);
    }
}

/// A launch about to run.
pub(super) struct Prepared {
    pub(super) grid: Grid,
    /// What is proved of its values.
    pub(super) answer: Arc<LaunchAnswer>,
    pub(super) races: RaceStart,
    pub(super) blocks: u64,
    pub(super) threads: u64,
    /// It may run under seeds, too.
    pub(super) explores: bool,
    /// What its transaction keeps.
    keep: Keep,
    /// What is left out of the detector, where the time that this saves is to be measured.
    saved: Option<WhatIsSaved>,
    /// Races seen before it, those noted, and how often the race detector had not compared accesses.
    seen: u64,
    noted: u64,
    uncompared: u64,
}

/// A launch's first run.
pub(super) struct First {
    transaction: Transaction,
    /// Fuel, clocks and changes before it.
    before: [u64; 3],
    /// Threads that had ended at faults before it.
    ended: u64,
    result: Result<(), Stop>,
    /// Blocks that were done.
    done: u64,
    /// Nothing was found in it but what a second run may confirm.
    silent: bool,
    /// What it took.
    operations: u64,
    /// Races are suspected.
    suspected: bool,
    /// Races in shared memory that need no second run to be certain.
    certain: Vec<RaceNote>,
    /// It is to run again for the race detector.
    again: bool,
    /// It is to run under seeds.
    explores: bool,
}

/// Runs a launch to its end. A function of its own, so that its instructions can be counted.
#[inline(never)]
pub(crate) fn run_grid(m: &mut Machine, launch: GridLaunch) -> Result<LaunchEnd, Stop> {
    let mut launch = prepare(m, launch)?;
    if let Some(saved) = &launch.saved {
        saving::measure(m, &launch.grid, launch.blocks, saved)?;
        launch.races.begin(m, true);
    }
    let mut first = match m.config.debugger.clone() {
        None => match compiled::first_run(m, &launch)? {
            Some(first) => first,
            None => {
                let begin = Instant::now();
                let first = first_run_alike(m, &launch)?;
                compiled::has_taken(m, &launch, first.operations, begin.elapsed());
                first
            }
        },
        Some(debugger) => under_debugger(m, &launch, debugger.as_ref())?,
    };
    let mut shown = Vec::new();
    if first.again || first.explores {
        shown = run_again(m, &mut launch, &mut first)?;
    } else {
        first.transaction.commit(m)?;
        m.engine.launches.unseen.second_runs += u64::from(first.suspected);
        m.mem.abandon_races(&mut m.findings);
    }
    m.absorb_seeded(shown);
    m.mem.settle_bitmaps();
    taint(m, &launch);
    elision::confirm(m, launch.grid.launch_ref)?;
    conclude(m, &launch, &first);
    let end = settle(m, &launch, first)?;
    tell_found(m);
    Ok(end)
}

/// Lets who listens hear what was found so far.
fn tell_found(m: &Machine) {
    let ub = &m.engine.worker.ub;
    m.config.watch.tell(m.findings.noted() + ub.len() as u64, || {
        let mut found = m.findings.aside();
        ub.copy_to(&mut found);
        found
    });
}

/// What is known of a launch before it runs.
fn prepare(m: &mut Machine, launch: GridLaunch) -> Result<Prepared, Stop> {
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
    let site = LaunchSite { dims: launch.dims(), loc: launch.loc, calls: launch.calls.clone() };
    m.findings.begin_launch(launch.number, site);
    let chosen = m.findings.is_chosen(Some(launch_ref));
    if let Some(call) = launch.loc
        && is_of_own_header(&module, kernel)
    {
        m.findings.serves(launch_ref, call);
    }
    count(m, launch.kernel, chosen);
    for finding in answer.findings.iter().filter(|_| chosen) {
        m.findings.add(finding.clone());
    }
    let facts = if chosen { elision::facts(m, &launch, &shape) } else { None };
    let grid = grid(m, launch, (launch_ref, chosen), &answer)?;
    let touched = footprint::touched(m, &grid.launch);
    m.mem.launch_writes(touched.writes.as_deref());
    let blocks = volume(grid.launch.grid);
    let threads = grid.launch.block.iter().map(|&n| u64::from(n)).fold(blocks, u64::saturating_mul);
    let explores = chosen && explore::is_wanted(m, &grid, threads);
    let keep = match () {
        () if explores => Keep::All,
        // A debugger's user may go back in it.
        () if m.config.debugger.is_some() && m.mem.grid.touches.is_none() => Keep::All,
        () if m.config.check_global_races && chosen && threads > 1 => {
            Keep::ForSecondRun(touched.reads.clone())
        }
        () => Keep::Nothing,
    };
    let (seen, noted, uncompared) =
        (m.findings.races_seen(), m.findings.races_noted(), m.mem.grid.uncompared);
    m.mem.unwatched = !(m.config.check_shared_races && chosen);
    m.mem.proved_shared = None;
    m.findings.free = None;
    let clusters = Clusters { grid: grid.launch.grid, dims: grid.launch.cluster };
    let mut races = RaceStart { touched, clusters, block: grid.launch.block, launch: launch_ref };
    let mut saved = None;
    match facts {
        Some(facts) if m.config.elision == Elision::Check => {
            m.findings.free = Some(elision::places(grid.launch.kernel, &facts));
        }
        Some(facts) => {
            let all = (m.config.times_elision && !explores).then(|| races.clone());
            let any = leave_out(m, &grid, &facts, (&mut races.touched, explores));
            if let Some(all) = all.filter(|all| any && saving::is_wanted(m, &grid, all)) {
                saved = Some(WhatIsSaved::new(m, all, &races));
            }
        }
        None => {}
    }
    if m.config.check_global_races {
        races.begin(m, chosen);
    }
    m.engine.worker.alone = false;
    tell_begin(&module, &grid, &answer.facts, explores);
    Ok(Prepared { grid, answer, races, blocks, threads, explores, keep, saved, seen, noted, uncompared })
}

/// Leaves out of the detector what is proved free of races; gives whether that is anything.
fn leave_out(
    m: &mut Machine,
    grid: &Grid,
    facts: &RaceFacts,
    (touched, explores): (&mut MayTouch, bool),
) -> bool {
    let shared = kernel_shared(m, grid.launch.kernel);
    let reads = touched.reads.clone();
    // What other cores write is kept, so that it can be joined; what runs under seeds write, so that it can be taken back.
    let all = m.config.jobs > 1 || explores;
    let keeps = move |o: u32| all || reads.as_ref().is_none_or(|r| r.contains(&o));
    let proved = elision::leave_out(m, &grid.launch, facts, (touched, &shared), keeps);
    let of_shared = proved.iter().filter(|&&p| p).count();
    log::debug!(
        target: "race", "launch {}: of {} shared variables {of_shared} are left out, of objects {}",
        grid.launch_ref.number, proved.len(), touched.proved.len()
    );
    m.mem.unwatched |= of_shared == proved.len();
    if of_shared > 0 {
        m.mem.proved_shared = Some(proved.into());
    }
    of_shared > 0 || !touched.proved.is_empty()
}

/// Counts a launch.
fn count(m: &mut Machine, kernel: FuncId, chosen: bool) {
    let launches = &mut m.engine.launches;
    launches.counts[0] += 1;
    launches.counts[1] += u64::from(chosen);
    launches.ran.entry(kernel).or_default().launches += 1;
    launches.unseen.launches += u64::from(!chosen);
}

/// What the workers of a launch share.
fn grid(
    m: &mut Machine,
    launch: GridLaunch,
    (launch_ref, chosen): (LaunchRef, bool),
    answer: &Arc<LaunchAnswer>,
) -> Result<Grid, Stop> {
    let program = m.program();
    let code = m.engine.launches.code.set(&program.module, answer, launch.block);
    let DeviceTarget::Code(kernel) = code.resolve(&program, launch.kernel)? else {
        let name = &program.module.funcs[launch.kernel].display_name;
        return Err(Stop::unsupported(format!("a launch of `{name}`, which has no body")));
    };
    let shared = kernel_shared(m, launch.kernel);
    Ok(Grid {
        program,
        launch_ref,
        code,
        kernel,
        layout: shared.layout,
        clusters: ClusterShape::new(launch.grid, launch.cluster),
        shared_index: shared.index,
        sole: volume(launch.grid) == 1,
        avx2: simd::has_avx2(),
        perf: m.config.perf && chosen,
        random: m.config.seed.map(|seed| Random::new(seed).part(launch.number)),
        tested: AtomicU64::new(0),
        launch,
    })
}

/// Runs a launch in its own order, as a transaction that is still open then.
fn first_run(m: &mut Machine, launch: &Prepared) -> Result<First, Stop> {
    let Prepared { grid, blocks, threads, .. } = launch;
    m.engine.worker.turned = 0;
    let transaction = Transaction::begin(m, launch.keep.clone())?;
    let (before, ended) = (m.engine.worker.meters(), m.engine.worker.ended);
    let mut result = run_blocks(m, grid, *blocks, false);
    let done = m.config.watch.done();
    if (ran_short() || m.mem.given_up() == Some(GivenUp::Memory)) && !matches!(result, Err(Stop::Internal(_)))
    {
        note_fault(m, result);
        result = Err(no_memory());
    }
    let silent = m.findings.is_empty() && m.engine.worker.ub.is_empty();
    let suspected = m.mem.grid.is_suspected();
    let certain = m.mem.certain_races();
    let again = !matches!(result, Err(Stop::Exit(_) | Stop::Unsupported(_) | Stop::Internal(_)))
        && m.mem.wants_second_run();
    let operations = threads.saturating_add(before[0] - m.engine.worker.meters()[0]);
    let explores = launch.explores && result.is_ok() && operations <= explore::MOST && m.mem.may_roll_back();
    tell_end(grid, &result, (operations, suspected, again));
    Ok(First {
        transaction,
        before,
        ended,
        result,
        done,
        silent,
        operations,
        suspected,
        certain,
        again,
        explores,
    })
}

/// The same, with the suspicions that one core has. Which of many are kept hangs on how several cores share the blocks, and
/// what is found is not to hang on that.
fn first_run_alike(m: &mut Machine, launch: &Prepared) -> Result<First, Stop> {
    let seen = (m.config.jobs > 1).then(|| m.config.watch.mirror().clone());
    let mut first = first_run(m, launch)?;
    let Some(seen) = seen.filter(|_| first.again && !first.is_cut() && m.mem.grid.has_parted()) else {
        return Ok(first);
    };
    log::info!(target: "race", "launch {}: runs on one core", launch.grid.launch_ref.number);
    take_back(m, launch, &mut first.transaction, &seen)?;
    m.engine.launches.sharing.switch_off(launch.grid.launch.kernel);
    first_run(m, launch)
}

/// The same as often as a debugger's user goes back in it: each run but the last is taken back.
fn under_debugger(m: &mut Machine, launch: &Prepared, debugger: &dyn Debugger) -> Result<First, Stop> {
    let seen = m.config.watch.mirror().clone();
    debugger.begins();
    loop {
        let mut first = first_run(m, launch)?;
        if !debugger.ends(m.mem.may_roll_back()) {
            return Ok(first);
        }
        take_back(m, launch, &mut first.transaction, &seen)?;
    }
}

/// Takes a run of the launch back, of which nobody is to hear, so that it can run from the start. `seen` is what the watch had
/// seen before it.
pub(super) fn take_back(
    m: &mut Machine,
    launch: &Prepared,
    transaction: &mut Transaction,
    seen: &Findings,
) -> Result<(), Stop> {
    let told = transaction.roll_back(m)?;
    m.mem.abandon_races(&mut told.into_found().0);
    m.config.watch.mirror().clone_from(seen);
    if m.config.check_global_races {
        launch.races.begin(m, m.findings.is_chosen(Some(launch.grid.launch_ref)));
    }
    Ok(())
}

/// Takes the first run back, runs the launch under seeds if that is wanted, and runs it once more: for the race detector
/// alone, or since the other orders were taken back. Nothing else of that run is seen. Gives what the seeds have shown.
fn run_again(m: &mut Machine, launch: &mut Prepared, first: &mut First) -> Result<Vec<Seeded>, Stop> {
    let told = first.transaction.roll_back(m)?;
    let after = told.meters();
    let (mut shown, mut limit) = (Vec::new(), None);
    if first.explores {
        // What the detector knows of the default order waits.
        let aside = m.mem.other_detector();
        let (grid, operations) = (&mut launch.grid, first.operations);
        (shown, limit) = explore::run(m, grid, launch.blocks, operations, &launch.races)?;
        m.mem.grid = aside;
    }
    if !first.again {
        m.mem.abandon_races(&mut m.findings);
        launch.races.begin(m, false);
    }
    second_run(m, launch, first, (told, after), limit)?;
    Ok(shown)
}

/// The second run of a launch, unless the run's `limit` was met before. What the first has told stands, and `first` says
/// how the launch ends.
fn second_run(
    m: &mut Machine,
    launch: &Prepared,
    first: &mut First,
    (told, after): (Told, [u64; 3]),
    limit: Option<Stop>,
) -> Result<(), Stop> {
    // What is left of a launch that was cut short is looked at for a little while.
    let cut = first.is_cut();
    let mut transaction = Transaction::begin(m, Keep::Nothing)?;
    if cut {
        m.config.watch.give_grace(GRACE);
        m.engine.worker.limit_fuel((first.before[0] - after[0]).saturating_add(u64::from(BUDGET)));
    }
    log::info!(target: "race", "launch {}: runs again", launch.grid.launch_ref.number);
    let again = limit.map_or_else(|| run_blocks(m, &launch.grid, launch.blocks, true), Err);
    let same = m.engine.worker.meters()[1..] == after[1..] && same_end(&first.result, &again);
    transaction.commit_as(m, told)?;
    if first.again {
        m.mem.end_races(&mut m.findings);
    }
    let short = ran_short();
    match again {
        Err(stop @ Stop::Internal(_)) => Err(stop),
        _ if short && !cut => {
            let result = std::mem::replace(&mut first.result, Err(no_memory()));
            note_fault(m, result);
            Ok(())
        }
        Err(Stop::Limit(mut d)) if !cut => {
            first.note_certain(m);
            d.help = Some(
                "the limit was reached while the launch ran again to look for races: there may be more races"
                    .to_owned(),
            );
            let result = std::mem::replace(&mut first.result, Err(Stop::Limit(d)));
            note_fault(m, result);
            Ok(())
        }
        _ if !cut && !same => Err(Stop::internal("the second run of a launch differs from the first")),
        Err(Stop::Limit(_)) if m.config.watch.is_out_of_grace() => {
            first.note_certain(m);
            if let Err(Stop::Limit(d)) = &mut first.result {
                d.help = Some(format!(
                    "the search for races in the interrupted launch ended after {} s: there may be more races",
                    GRACE.as_secs_f64()
                ));
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

impl First {
    /// A launch that compiled code has run: nothing was found and nothing is suspected.
    pub(super) fn compiled(
        transaction: Transaction,
        (before, ended): ([u64; 3], u64),
        result: Result<(), Stop>,
        done: u64,
        operations: u64,
    ) -> First {
        First {
            transaction,
            before,
            ended,
            result,
            done,
            silent: true,
            operations,
            suspected: false,
            certain: Vec::new(),
            again: false,
            explores: false,
        }
    }

    /// Whether the launch was cut short by a limit.
    fn is_cut(&self) -> bool {
        matches!(self.result, Err(Stop::Limit(_)))
    }

    /// The second run has not come to its end: what is certain without it is told.
    fn note_certain(&mut self, m: &mut Machine) {
        m.engine.launches.unseen.second_runs += 1;
        for note in std::mem::take(&mut self.certain) {
            m.findings.race(note);
        }
    }
}

/// Notes the fault that ended a run, if one did.
fn note_fault(m: &mut Machine, result: Result<(), Stop>) {
    if let Err(Stop::Fault(fault)) = result {
        m.findings.note_any(*fault);
    }
}

/// What hangs on the order of threads when the launch has ended.
fn taint(m: &mut Machine, launch: &Prepared) {
    let unsteady = m.mem.grid.is_unsteady();
    let found = m.findings.races_seen() - launch.seen;
    let launch_ref = launch.grid.launch_ref;
    log::info!(target: "race", "launch {}: races found: {found}", launch_ref.number);
    let (module, influence) = (&launch.grid.program.module, &mut m.engine.launches.influence);
    if influence.launched(module, launch_ref.kernel, &launch.races.touched, (unsteady, found > 0)) {
        m.findings.unsteady(launch_ref);
    }
    influence.host_reads(|o| m.mem.is_for_host(o));
    m.findings.shaken = influence.host();
}

/// Takes down whether all of a launch was seen, and nothing was wrong with it.
fn conclude(m: &mut Machine, launch: &Prepared, first: &First) {
    let launch_ref = launch.grid.launch_ref;
    let both = m.config.check_shared_races && m.config.check_global_races;
    let lack = if !both || !m.findings.is_chosen(Some(launch_ref)) {
        Some(Lack::Watched)
    } else if first.result.is_err() {
        Some(Lack::End)
    } else if !first.silent || m.engine.worker.ended > first.ended || m.findings.races_noted() > launch.noted
    {
        Some(Lack::Silence)
    } else if first.suspected && !first.again {
        Some(Lack::SecondRun)
    } else if m.mem.grid.uncompared > launch.uncompared {
        Some(Lack::Comparison)
    } else if m.mem.has_huge() {
        Some(Lack::Shadow)
    } else if m.cuda.is_nested() {
        Some(Lack::Host)
    } else {
        None
    };
    m.engine.launches.ran.entry(launch_ref.kernel).or_default().ended(launch_ref.number, lack);
}

/// How a launch ends.
fn settle(m: &mut Machine, launch: &Prepared, first: First) -> Result<LaunchEnd, Stop> {
    let grid = &launch.grid;
    match first.result {
        Ok(()) => Ok(LaunchEnd::Done),
        Err(Stop::Fault(fault))
            if fault.kind.kind() == Kind::Deadlock && m.engine.worker.ended > first.ended =>
        {
            // They wait for threads that a fault has ended: no finding of its own.
            m.engine.launches.unseen.stranded += 1;
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
            tell_launch(&grid.program.module, &grid.launch, (first.done, launch.blocks), &mut d);
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
    if grid.program.config.check_facts {
        log::info!(target: "launch", "{number}: facts were tested {} times", grid.tested.load(Relaxed));
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
