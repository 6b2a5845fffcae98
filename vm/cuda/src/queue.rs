//! The queue of operations of all streams, and what running an operation does.

use super::{CudaError, Fail, graph, output};
use crate::Kept;
use cudair_engine::config::AfterFault;
use cudair_engine::parts::{HasRuntime, HostRuntime};
use cudair_engine::{GridLaunch, LaunchEnd, Machine};
use cudair_ir::{Kind, volume};
use cudair_lane::fault::{AllocKind, LaunchRef, Place, Stop};
use cudair_lane::ptr::Ptr;
use cudair_memory::{ByteAccess, LaneCx, Reach};
use cudair_race::streams::Clock;
use cudair_report::{OperationKind, StreamOperation};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of an operation: the order in which operations were queued.
pub(crate) type OpId = u64;

/// More pending operations than this make the oldest run, as a device's queue does.
const MAX_PENDING: usize = 1024;

/// Bytes in up to three dimensions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// Bytes of a row.
    pub width: u64,
    /// Rows of a slice.
    pub height: u64,
    /// Slices.
    pub depth: u64,
}

impl Extent {
    /// A run of bytes.
    pub fn linear(width: u64) -> Extent {
        Extent { width, height: 1, depth: 1 }
    }

    /// Whether nothing is in it.
    pub fn is_empty(self) -> bool {
        self.width == 0 || self.height == 0 || self.depth == 0
    }

    /// All its bytes.
    pub fn bytes(self) -> u64 {
        self.width.saturating_mul(self.height).saturating_mul(self.depth)
    }
}

/// Memory with the distances of its rows and slices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pitched {
    /// The first byte.
    pub ptr: Ptr,
    /// Bytes from row to row.
    pub pitch: u64,
    /// Bytes from slice to slice.
    pub slice: u64,
    /// Whose memory it is.
    pub reach: Reach,
}

impl Pitched {
    /// A row.
    pub fn row(self, y: u64, z: u64) -> Ptr {
        let offset = z.saturating_mul(self.slice).saturating_add(y.saturating_mul(self.pitch));
        self.ptr.add(i64::try_from(offset).unwrap_or(i64::MAX))
    }

    /// Bytes from the first to the last that an extent takes.
    pub fn span(self, extent: Extent) -> u64 {
        if extent.is_empty() {
            return 0;
        }
        let rows = (extent.height - 1).saturating_mul(self.pitch);
        let slices = (extent.depth - 1).saturating_mul(self.slice);
        slices.saturating_add(rows).saturating_add(extent.width)
    }
}

/// What an operation does.
#[derive(Clone, Debug)]
pub(crate) enum Work {
    /// Copies bytes.
    Copy {
        dst: Pitched,
        src: Pitched,
        extent: Extent,
        /// The source is a copy of the program's memory made for this operation: it goes with it.
        staged: bool,
    },
    /// Fills memory by the bytes of an element.
    Fill { dst: Pitched, element: SmallVec<[u8; 4]>, extent: Extent },
    /// A kernel; the objects hold its aggregate arguments.
    Launch { launch: Box<GridLaunch>, objects: Vec<Ptr> },
    /// Marks an event.
    Record(usize),
    /// Has made device memory, which is there from the call on: to the race detector from here on.
    Alloc(Ptr),
    /// Frees device memory.
    Free(Ptr),
    /// A node of a graph allocates its memory.
    GraphAlloc(Ptr),
    /// A node of a graph frees memory of a graph.
    GraphFree(Ptr),
    /// Calls a function of the program.
    Host { func: Ptr, args: SmallVec<[u64; 3]> },
    /// Waits for what it depends on.
    Wait,
    /// The launch of a graph begins whose conditional nodes look at these values.
    Conditions(graph::Conditions),
    /// A conditional node.
    Conditional(Arc<graph::Conditional>),
    /// What device code has put behind a launch of a graph.
    Tails(u64),
}

/// An operation.
#[derive(Clone, Debug)]
pub(crate) struct Op {
    stream: usize,
    after: SmallVec<[OpId; 2]>,
    work: Work,
    who: ByteAccess,
    /// The host's time when it was queued.
    queued: u64,
}

/// The operations that have not run, and when the others ended.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    pending: BTreeMap<OpId, Op>,
    next: OpId,
    /// The end of every operation that ran, in the model of time.
    ends: Vec<u64>,
    /// Operations run at this moment: a callback cannot run others.
    running: bool,
}

impl Queue {
    /// Whether an operation has not run.
    pub fn is_pending(&self, op: OpId) -> bool {
        self.pending.contains_key(&op)
    }

    /// Whether an operation that has not run frees memory.
    pub fn will_free(&self, ptr: Ptr) -> bool {
        self.pending.values().any(|op| matches!(op.work, Work::Free(freed) if freed == ptr))
    }

    /// When an operation ended.
    pub fn end(&self, op: OpId) -> u64 {
        self.ends.get(op as usize).copied().unwrap_or(0)
    }
}

/// Queues an operation on a stream, behind what the stream and the legacy default stream demand, and
/// behind `extra`.
pub(crate) fn push(
    m: &mut Machine,
    stream: usize,
    work: Work,
    extra: Option<OpId>,
    who: ByteAccess,
) -> Result<OpId, Stop> {
    if let Some(node) = super::graph::take(m, stream, &work, who)? {
        return Ok(node);
    }
    let doer = doer(m, stream, &work, who);
    let cuda = m.cuda.get_mut();
    let mut after: SmallVec<[OpId; 2]> = SmallVec::new();
    after.extend(extra);
    after.extend(cuda.streams.all[stream].last);
    if stream == 0 {
        // The legacy default stream waits for every stream that does not opt out.
        after.extend(cuda.streams.all.iter().filter(|s| !s.non_blocking).filter_map(|s| s.last));
    } else if !cuda.streams.all[stream].non_blocking {
        after.extend(cuda.streams.all[0].last);
    }
    after.retain(|op| cuda.queue.is_pending(*op));
    let id = cuda.queue.next;
    cuda.queue.next += 1;
    cuda.streams.all[stream].last = Some(id);
    let queued = cuda.host_time;
    cuda.queue.pending.insert(id, Op { stream, after, work, who, queued });
    let streams = &cuda.streams.all;
    let waits = |&s: &usize| if stream == 0 { !streams[s].non_blocking } else { s == 0 };
    let alone = stream != 0 && streams[stream].non_blocking;
    let known = if alone { 0..0 } else { 0..streams.len() };
    if m.mem.streams.issue(id, stream, known.filter(waits), doer) {
        m.mem.guard();
    }
    if m.cuda.get().queue.pending.len() > MAX_PENDING
        && let Some((&oldest, _)) = m.cuda.get().queue.pending.first_key_value()
    {
        // The host waits until there is room, and so for this operation.
        let clock = m.mem.streams.clock_after(oldest);
        run(m, &[oldest])?;
        if let Some(clock) = clock {
            waited(&mut m.runtime(), &clock);
        }
    }
    Ok(id)
}

/// What a report says of an operation, if it touches memory.
fn doer(m: &Machine, stream: usize, work: &Work, who: ByteAccess) -> Option<StreamOperation> {
    let deed = match work {
        Work::Launch { launch, .. } => {
            let of = LaunchRef { number: launch.number, kernel: launch.kernel };
            OperationKind::Launch(of, launch.grid, launch.block)
        }
        Work::Copy { .. } => OperationKind::Copy,
        Work::Fill { .. } => OperationKind::Fill,
        Work::Alloc(_) | Work::GraphAlloc(_) => OperationKind::Alloc,
        Work::Free(_) | Work::GraphFree(_) => OperationKind::Free,
        Work::Host { func, .. } => OperationKind::Call(*func),
        Work::Conditional(_) | Work::Tails(_) => OperationKind::Body,
        Work::Record(_) | Work::Wait | Work::Conditions(_) => return None,
    };
    let non_blocking = m.cuda.get().streams.all[stream].non_blocking;
    Some(StreamOperation { deed, stream, non_blocking, place: who.place, native: who.native })
}

/// The host has waited for what a clock tells: to the race detector.
pub(crate) fn waited(m: &mut HostRuntime<'_>, clock: &Clock) {
    m.mem.streams.sync(clock);
    m.mem.guard();
    tell(m);
}

/// The host has waited for all that a stream holds.
pub(crate) fn waited_for(m: &mut HostRuntime<'_>, stream: usize) {
    let clock = m.mem.streams.clock(stream);
    waited(m, &clock);
}

/// Notes the races that were found.
fn tell(m: &mut HostRuntime<'_>) {
    for meeting in m.mem.streams.take_found() {
        for launch in cudair_report::racing_readers(&meeting) {
            if m.raced(launch.kernel, meeting.obj) {
                m.findings.unsteady(launch);
            }
        }
        if !cudair_report::is_wanted(m.findings, &meeting) {
            continue;
        }
        let finding = cudair_report::unordered(m.module, &meeting, &m.mem.info_of(meeting.obj));
        if let Some(place) = cudair_report::overtaken(&meeting) {
            m.findings.excuse(m.module, place);
        }
        m.findings.add(finding);
    }
}

/// Runs operations although the host does not wait for them.
pub(crate) fn advance(m: &mut Machine, targets: &[OpId]) -> Result<(), Stop> {
    m.mem.streams.set_early(true);
    let result = run(m, targets);
    m.mem.streams.set_early(false);
    result
}

/// Lets all operations run although the host does not wait for them, in the order in which they were queued.
pub(crate) fn advance_all(m: &mut Machine) -> Result<(), Stop> {
    let all: Vec<OpId> = m.cuda.get().queue.pending.keys().copied().collect();
    advance(m, &all)
}

/// Lets what is queued run, since the host waits for something that only it can bring; whether there was anything.
pub(crate) fn advance_any(m: &mut Machine) -> Result<bool, Stop> {
    if m.cuda.get().queue.running || m.cuda.get().queue.pending.is_empty() {
        return Ok(false);
    }
    advance_all(m).map(|()| true)
}

/// The program has ended: what is still queued runs, so that it is checked too.
pub(crate) fn run_at_end(m: &mut Machine) -> Result<(), Stop> {
    run_all(m)?;
    m.mem.streams.settle(true);
    tell(&mut m.runtime());
    Ok(())
}

/// Runs operations, after all that they wait for.
pub(crate) fn run(m: &mut Machine, targets: &[OpId]) -> Result<(), Stop> {
    if m.cuda.get().queue.running {
        return Ok(());
    }
    let mut needed = std::collections::BTreeSet::new();
    let mut work: Vec<OpId> = targets.to_vec();
    while let Some(id) = work.pop() {
        if let Some(op) = m.cuda.get().queue.pending.get(&id)
            && needed.insert(id)
        {
            work.extend(op.after.iter().copied());
        }
    }
    m.cuda.get_mut().queue.running = true;
    let mut result = Ok(());
    for id in needed {
        // An operation may have broken the context: what was queued is gone.
        if let Some(op) = m.cuda.get_mut().queue.pending.remove(&id) {
            result = execute(m, id, op);
            if result.is_err() {
                break;
            }
        }
    }
    m.cuda.get_mut().queue.running = false;
    result
}

/// Runs everything, in the order in which it was queued.
pub(crate) fn run_all(m: &mut Machine) -> Result<(), Stop> {
    loop {
        let all: Vec<OpId> = m.cuda.get().queue.pending.keys().copied().collect();
        if all.is_empty() || m.cuda.get().queue.running {
            return Ok(());
        }
        run(m, &all)?;
    }
}

/// Runs everything, shows what kernels printed, and gives the error of a broken context: what
/// `cudaDeviceSynchronize` does.
pub(crate) fn synchronize(m: &mut Machine) -> Result<(), Fail> {
    run_all(m)?;
    m.mem.streams.sync_all();
    m.mem.guard();
    tell(&mut m.runtime());
    settled(m)
}

/// As [`synchronize`] for one operation and what it waits for.
pub(crate) fn synchronize_op(m: &mut Machine, op: Option<OpId>) -> Result<(), Fail> {
    if let Some(op) = op {
        run(m, &[op])?;
        let end = m.cuda.get().queue.end(op);
        m.cuda.get_mut().host_time = m.cuda.get().host_time.max(end);
    }
    settled(m)
}

fn settled(m: &mut Machine) -> Result<(), Fail> {
    let time = m.cuda.get().streams.all.iter().map(|s| s.time).max().unwrap_or(0);
    if m.cuda.get().queue.pending.is_empty() {
        m.cuda.get_mut().host_time = m.cuda.get().host_time.max(time);
    }
    output::flush(m);
    m.cuda.get_mut().pools.trim();
    match m.cuda.get().errors.sticky {
        // Whatever broke the context was reported where it happened.
        Some(error) => Err(Fail::Reported(error)),
        None => Ok(()),
    }
}

/// Nanoseconds that an operation takes in the model of time.
pub(super) fn cost(m: &Machine, work: &Work) -> u64 {
    match work {
        // Over the bus 25 bytes a nanosecond, within the device a thousand.
        Work::Copy { dst, src, extent, .. } => {
            let inside = dst.reach == Reach::Device && src.reach == Reach::Device;
            1500 + extent.bytes() / if inside { 1000 } else { 25 }
        }
        Work::Fill { extent, .. } => 1500 + extent.bytes() / 1000,
        Work::Launch { launch, .. } => {
            let lanes = (m.config.device.multiprocessor.multiprocessor_count.max(1) as u64) * 128;
            let rounds = volume(launch.grid).saturating_mul(volume(launch.block)).div_ceil(lanes);
            rounds.saturating_mul(10).saturating_add(2500)
        }
        Work::Host { .. } | Work::Conditional(_) => 1000,
        Work::Record(_)
        | Work::Alloc(_)
        | Work::Free(_)
        | Work::GraphAlloc(_)
        | Work::GraphFree(_)
        | Work::Conditions(_)
        | Work::Tails(_)
        | Work::Wait => 0,
    }
}

fn execute(m: &mut Machine, id: OpId, op: Op) -> Result<(), Stop> {
    let Op { stream, after, work, who, queued } = op;
    let ready = after.iter().map(|&a| m.cuda.get().queue.end(a)).max().unwrap_or(0);
    let start = m.cuda.get().streams.all[stream].time.max(ready).max(queued);
    let end = start + cost(m, &work);
    m.cuda.get_mut().streams.all[stream].time = end;
    if m.cuda.get().queue.ends.len() <= id as usize {
        m.cuda.get_mut().queue.ends.resize(id as usize + 1, 0);
    }
    m.cuda.get_mut().queue.ends[id as usize] = end;
    m.mem.begin_operation(id);
    let filled = match &work {
        Work::Fill { element, .. } if element.iter().all(|b| *b == element[0]) => Some(element[0]),
        _ => None,
    };
    let result = perform(m, work, who, end);
    let bodies = m.cuda.get_mut().graphs.take_time();
    m.cuda.get_mut().streams.all[stream].time += bodies;
    m.cuda.get_mut().queue.ends[id as usize] += bodies;
    m.mem.end_operation(filled);
    tell(&mut m.runtime());
    result
}

/// Does what an operation does, which ends at a time of the model.
///
/// # Errors
/// What ends the run.
pub(crate) fn perform(m: &mut Machine, work: Work, who: ByteAccess, end: u64) -> Result<(), Stop> {
    match work {
        Work::Wait => Ok(()),
        Work::Record(event) => {
            m.cuda.get_mut().events.all[event].time = Some(end);
            Ok(())
        }
        Work::Copy { dst, src, extent, staged } => {
            let result = copy(&mut m.runtime(), who, dst, src, extent);
            if staged {
                m.mem.drop_object(src.ptr);
            }
            noted(&mut m.runtime(), result)
        }
        Work::Conditions(conditions) => {
            m.cuda.get_mut().graphs.begin(&conditions);
            Ok(())
        }
        Work::Tails(environment) => graph::end_environment(m, environment),
        Work::Conditional(node) => graph::perform_conditional(m, &node, who, end),
        Work::Fill { dst, element, extent } => {
            let result = fill(&mut m.runtime(), who, dst, &element, extent);
            noted(&mut m.runtime(), result)
        }
        Work::Alloc(ptr) => {
            m.mem.wholly_written(who.place, ptr);
            Ok(())
        }
        Work::GraphAlloc(ptr) => {
            m.cuda.get_mut().graph_memory.allocated(ptr);
            m.mem.set_dormant(ptr, false, Place::Unknown);
            m.mem.wholly_written(who.place, ptr);
            Ok(())
        }
        Work::GraphFree(ptr) => {
            m.mem.wholly_written(who.place, ptr);
            m.cuda.get_mut().graph_memory.freed(ptr);
            m.mem.set_dormant(ptr, true, who.place);
            Ok(())
        }
        Work::Free(ptr) => {
            let result = release(&mut m.runtime(), who, ptr);
            noted(&mut m.runtime(), result)
        }
        Work::Host { func, args } => {
            let args: SmallVec<[u128; 3]> = args.iter().map(|&w| u128::from(w)).collect();
            call_back(m, func, &args, who.place)
        }
        Work::Launch { launch, objects } => {
            let result = run_launch(m, *launch);
            for object in objects {
                m.mem.drop_object(object);
            }
            result
        }
    }
}

/// Calls a function of the program that must not call CUDA.
///
/// # Errors
/// What the function meets.
pub(crate) fn call_back(m: &mut Machine, func: Ptr, args: &[u128], place: Place) -> Result<(), Stop> {
    let thread = m.threads.current();
    let outer = m.cuda.get_mut().called_back.replace(thread);
    let result = m.call_guest(func, args, place);
    m.cuda.get_mut().called_back = outer;
    result.map(|_| ())
}

/// A fault of an operation that runs later than its call: reported, and the program goes on.
fn noted(m: &mut HostRuntime<'_>, result: Result<(), Stop>) -> Result<(), Stop> {
    match result {
        Err(Stop::Fault(fault)) => {
            m.findings.note(*fault);
            Ok(())
        }
        other => other,
    }
}

/// Copies an extent, as the host.
pub(crate) fn copy(
    m: &mut HostRuntime<'_>,
    who: ByteAccess,
    dst: Pitched,
    src: Pitched,
    extent: Extent,
) -> Result<(), Stop> {
    if extent.is_empty() {
        return Ok(());
    }
    for z in 0..extent.depth {
        for y in 0..extent.height {
            let cx = &mut LaneCx::host(m.findings);
            let (to, from) = (dst.row(y, z), src.row(y, z));
            m.mem.copy_between(cx, who, (to, dst.reach), (from, src.reach), extent.width)?;
        }
    }
    moved(m, &dst, src.ptr, &extent);
    Ok(())
}

/// Memory has been copied or filled: what hangs on the order of threads goes with it.
fn moved(m: &mut HostRuntime<'_>, dst: &Pitched, src: Ptr, extent: &Extent) {
    let known = m.mem.lookup(dst.ptr);
    let to_host = dst.ptr.tag() == cudair_lane::ptr::Tag::HostLocal
        || known.is_some_and(|(_, _, space, _)| space == cudair_ir::Space::Host);
    let whole = known.is_some_and(|(start, size, ..)| start == dst.ptr && extent.bytes() >= size);
    m.copied(dst.ptr, src, to_host, whole);
}

fn fill(
    m: &mut HostRuntime<'_>,
    who: ByteAccess,
    dst: Pitched,
    element: &[u8],
    extent: Extent,
) -> Result<(), Stop> {
    if extent.is_empty() {
        return Ok(());
    }
    let row = element
        .repeat(usize::try_from(extent.width).unwrap_or(usize::MAX).min(1 << 20).div_ceil(element.len()));
    for z in 0..extent.depth {
        for y in 0..extent.height {
            fill_row(m, who, dst.row(y, z), dst.reach, &row, extent.width)?;
        }
    }
    moved(m, &dst, Ptr::NULL, &extent);
    Ok(())
}

/// Fills through a small object of the machine's own, since the memory to fill may be the device's.
pub(super) fn fill_row(
    m: &mut HostRuntime<'_>,
    who: ByteAccess,
    to: Ptr,
    reach: Reach,
    pattern: &[u8],
    len: u64,
) -> Result<(), Stop> {
    let source = cudair_engine::guest::runtime_object(m, "memset", pattern, 1)?;
    let mut done = 0;
    let mut result = Ok(());
    while done < len && result.is_ok() {
        let n = (pattern.len() as u64).min(len - done);
        let cx = &mut LaneCx::host(m.findings);
        let target = to.add(done as i64);
        result = m.mem.copy_between(cx, who, (target, reach), (source, Reach::Host), n);
        done += n;
    }
    m.mem.drop_object(source);
    result
}

/// Frees device memory.
pub(crate) fn release(m: &mut HostRuntime<'_>, who: ByteAccess, ptr: Ptr) -> Result<(), Stop> {
    if m.cuda.get_mut().pools.let_go(ptr) {
        return Ok(());
    }
    m.mem.wholly_written(who.place, ptr);
    m.cuda.get_mut().graph_memory.take_back(ptr);
    if m.cuda.get_mut().graph_memory.freed(ptr) {
        m.mem.set_dormant(ptr, true, who.place);
        return Ok(());
    }
    let cx = LaneCx::host(m.findings);
    m.mem.free(&cx, who, ptr, AllocKind::CudaMalloc)?;
    m.cuda.get_mut().memory.remove(ptr);
    m.cuda.get_mut().memory.managed.remove(&ptr);
    m.cuda.get_mut().contexts.disown(ptr);
    m.cuda.get_mut().pools.give_late(ptr);
    Ok(())
}

fn run_launch(m: &mut Machine, launch: GridLaunch) -> Result<(), Stop> {
    m.cuda.get_mut().output.asserted = false;
    match super::nested::run(m, launch)? {
        LaunchEnd::Done => Ok(()),
        // A finding has told it, and other launches are to be looked at.
        LaunchEnd::Aborted(_) if m.config.after_fault == AfterFault::Thread => Ok(()),
        LaunchEnd::Aborted(kind) => {
            let error = match kind {
                Kind::OutOfBounds
                | Kind::UseAfterFree
                | Kind::NullDereference
                | Kind::WrongMemorySpace
                | Kind::ReadOnlyWrite => CudaError::ILLEGAL_ADDRESS,
                Kind::MisalignedAccess => CudaError::MISALIGNED_ADDRESS,
                Kind::AssertionFailed if m.cuda.get().output.asserted => CudaError::ASSERT,
                Kind::Deadlock => CudaError::LAUNCH_TIMEOUT,
                _ => CudaError::LAUNCH_FAILURE,
            };
            m.cuda.get_mut().errors.sticky = Some(error);
            drop_pending(m);
            Ok(())
        }
    }
}

/// The context is broken: nothing that waits will run.
fn drop_pending(m: &mut Machine) {
    m.mem.streams.reset();
    m.mem.guard();
    for (_, op) in std::mem::take(&mut m.cuda.get_mut().queue.pending) {
        match op.work {
            Work::Launch { objects, .. } => objects.into_iter().for_each(|o| m.mem.drop_object(o)),
            Work::Copy { src, staged: true, .. } => m.mem.drop_object(src.ptr),
            Work::Copy { staged: false, .. }
            | Work::Fill { .. }
            | Work::Record(_)
            | Work::Alloc(_)
            | Work::Free(_)
            | Work::GraphAlloc(_)
            | Work::GraphFree(_)
            | Work::Host { .. }
            | Work::Wait
            | Work::Conditions(_)
            | Work::Conditional(_)
            | Work::Tails(_) => {}
        }
    }
}
