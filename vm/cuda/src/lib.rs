//! The CUDA runtime and driver: one table of functions by name, streams and events as queues of operations, launches,
//! and what the device leaves behind: printed text, failed assertions, errors.
//!
//! Operations are queued and run when the host synchronises, or when the queue must move. Each names what
//! it must wait for, so that running them in the order in which they were queued is always right, and
//! running only what one stream waits for is too.
//!
//! It knows the engine and the C library, and must not know the frontend or the passes. Begin with [`Runtime`], which is
//! what the engine calls, and [`Cuda`], the runtime's state; `table.rs` has the functions by name.

#![allow(non_upper_case_globals, non_camel_case_types, reason = "CUDA's names, in `constants` and `layout`")]

mod admission;
mod array;
mod batch;
mod call;
mod call_log;
mod cluster;
pub mod constants;
mod device;
mod device_library;
mod driver;
mod effects;
mod error;
mod event;
mod graph;
mod interop;
mod ipc;
mod launch;
pub mod layout;
mod managed;
mod memory;
mod module;
mod nested;
mod pool;
mod properties;
mod queue;
mod registers;
mod stream;
mod symbol;
mod table;
mod texture;
mod virtual_memory;
mod xorwow;

pub use error::CudaError;
pub use table::lookup;

use cudair_engine::VmConfig;
use cudair_engine::guest::Host;
use cudair_engine::{Args, Machine, Ret};
use cudair_engine::{DeviceCall, DeviceFn, DeviceRuntime, HostFn, LaunchRequest, RuntimeState};
use cudair_ir::{FuncId, Inst, InstData, Kind, Side, Space};
use cudair_lane::fault::{AllocKind, Fault, Place, Stop};
use cudair_lane::ptr::Ptr;
use cudair_libc::stdio;
use cudair_memory::{ByteAccess, LaneCx};
use cudair_race::streams::Clock;
use event::Event;
use queue::Queue;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::any::Any;
use std::collections::VecDeque;
use stream::Stream;

/// The default of `cudaLimitMallocHeapSize`.
const HEAP_SIZE: u64 = 8 << 20;
/// The default of `cudaLimitPrintfFifoSize`.
const PRINTF_SIZE: u64 = 1 << 20;
/// What a call of the runtime costs the host in the model of time, in nanoseconds.
const CALL_COST: u64 = 1000;

/// Why a call of the runtime does not succeed.
pub(crate) enum Fail {
    /// It returns this code.
    Code(CudaError),
    /// It returns this code, and what is wrong was reported.
    Reported(CudaError),
    /// The run cannot go on.
    Stop(Stop),
}

impl From<Stop> for Fail {
    fn from(stop: Stop) -> Fail {
        Fail::Stop(stop)
    }
}

impl From<CudaError> for Fail {
    fn from(error: CudaError) -> Fail {
        Fail::Code(error)
    }
}

/// What a function of the runtime gives.
pub(crate) type Api = Result<(), Fail>;

/// An error that was returned and not looked at so far.
#[derive(Clone, Debug)]
struct Unchecked {
    error: CudaError,
    function: &'static str,
    place: Place,
    /// The bytes for which there was no room.
    wanted: Option<Refused>,
}

/// Bytes for which there was no room.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refused {
    pub(crate) wanted: u64,
    /// What was free.
    pub(crate) free: u64,
}

/// The state of the runtime.
pub struct Cuda {
    /// What `cudaGetLastError` gives.
    last: CudaError,
    log: call_log::CallLog,
    /// An error that broke the context: every call gives it from then on.
    sticky: Option<CudaError>,
    unchecked: Vec<Unchecked>,
    /// The bytes for which a call found no room in the device's memory, while it is answered.
    pub(crate) refused: Option<Refused>,
    /// Whether the program uses the result of the call at a place, where that was asked.
    used_results: FxHashMap<Place, bool>,
    streams: Vec<Stream>,
    stream_handles: FxHashMap<Ptr, usize>,
    events: Vec<Event>,
    event_handles: FxHashMap<Ptr, usize>,
    queue: Queue,
    /// Launches so far.
    launches: u64,
    nested: nested::Nested,
    /// What the launch that runs has done.
    effects: effects::Effects,
    /// Handles of the driver's modules.
    modules: rustc_hash::FxHashSet<Ptr>,
    /// That of the kernels to whoever asks for it without having loaded one.
    own_module: Option<Ptr>,
    contexts: driver::context::Contexts,
    /// Allocations whose copies are to wait (`CU_POINTER_ATTRIBUTE_SYNC_MEMOPS`, which all copies here do).
    synchronous: rustc_hash::FxHashSet<Ptr>,
    /// Texture and surface objects of the driver: how the program described resource and texture.
    described: FxHashMap<Ptr, (Vec<u8>, Vec<u8>)>,
    /// Registrations for what happens to the device.
    notifications: rustc_hash::FxHashSet<Ptr>,
    /// The host's time in the model, in nanoseconds.
    host_time: u64,
    /// Text printed by kernels, with the bytes that each record takes of the buffer.
    printed: VecDeque<(Vec<u8>, u64)>,
    printed_size: u64,
    /// Messages of failed assertions.
    asserts: Vec<Vec<u8>>,
    /// The running launch failed an assertion.
    asserted: bool,
    heap_used: u64,
    /// Live allocations of device memory, and their bytes.
    allocations: FxHashMap<Ptr, u64>,
    device_used: u64,
    /// Host memory made known to the device, by its start.
    registered: FxHashMap<Ptr, u64>,
    /// Flags of `cudaHostAlloc`, by the allocation's start.
    host_flags: FxHashMap<Ptr, u32>,
    pools: pool::Pools,
    graphs: graph::Graphs,
    /// What was asked for the pages of managed allocations, by their start.
    managed: FxHashMap<Ptr, Vec<managed::Page>>,
    graph_memory: graph::memory::GraphMemory,
    virtual_memory: virtual_memory::VirtualMemory,
    /// Arrays, by their handle.
    arrays: FxHashMap<Ptr, array::Array>,
    /// The levels of mipmapped arrays, by their handle.
    mipmaps: FxHashMap<Ptr, Vec<Ptr>>,
    /// Texture and surface objects: what their resource and their texture description were.
    textures: FxHashMap<Ptr, (Vec<u8>, Vec<u8>)>,
    limits: Limits,
    cache_config: i32,
    shared_config: i32,
    device_flags: u32,
    /// Dynamic shared memory that a kernel was allowed beyond the usual.
    dynamic_limits: FxHashMap<FuncId, u64>,
    /// What the program set of kernels' clusters.
    cluster_attributes: FxHashMap<FuncId, cluster::ClusterAttributes>,
    /// Bytes of static shared memory, by kernel.
    static_shared: FxHashMap<FuncId, u64>,
    /// Whether the device has what a kernel uses, by kernel.
    capable: FxHashMap<FuncId, bool>,
    /// The texts that were handed out, by their name.
    texts: FxHashMap<String, Ptr>,
}

/// `cudaDeviceSetLimit`.
#[derive(Clone, Copy, Debug)]
struct Limits {
    stack: u64,
    printf: u64,
    heap: u64,
    sync_depth: u64,
    pending_launches: u64,
    l2_granularity: u64,
    persisting_l2: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            stack: 1024,
            printf: PRINTF_SIZE,
            heap: HEAP_SIZE,
            sync_depth: 2,
            pending_launches: 2048,
            l2_granularity: 64,
            persisting_l2: 0,
        }
    }
}

impl Cuda {
    /// The state at the start of a run.
    pub fn new(config: &VmConfig) -> Cuda {
        Cuda {
            last: CudaError::SUCCESS,
            log: call_log::CallLog::new(config),
            sticky: None,
            unchecked: Vec::new(),
            refused: None,
            used_results: FxHashMap::default(),
            streams: vec![Stream::default_stream(), Stream::per_thread()],
            stream_handles: FxHashMap::default(),
            events: Vec::new(),
            event_handles: FxHashMap::default(),
            queue: Queue::default(),
            launches: 0,
            nested: nested::Nested::default(),
            effects: effects::Effects::default(),
            modules: rustc_hash::FxHashSet::default(),
            own_module: None,
            contexts: driver::context::Contexts::default(),
            synchronous: rustc_hash::FxHashSet::default(),
            described: FxHashMap::default(),
            notifications: rustc_hash::FxHashSet::default(),
            host_time: 0,
            printed: VecDeque::new(),
            printed_size: 0,
            asserts: Vec::new(),
            asserted: false,
            heap_used: 0,
            allocations: FxHashMap::default(),
            device_used: 0,
            registered: FxHashMap::default(),
            host_flags: FxHashMap::default(),
            pools: pool::Pools::default(),
            graphs: graph::Graphs::default(),
            managed: FxHashMap::default(),
            graph_memory: graph::memory::GraphMemory::default(),
            virtual_memory: virtual_memory::VirtualMemory::default(),
            arrays: FxHashMap::default(),
            mipmaps: FxHashMap::default(),
            textures: FxHashMap::default(),
            limits: Limits::default(),
            cache_config: 0,
            shared_config: 0,
            device_flags: 0,
            dynamic_limits: FxHashMap::default(),
            cluster_attributes: FxHashMap::default(),
            capable: FxHashMap::default(),
            static_shared: FxHashMap::default(),
            texts: FxHashMap::default(),
        }
    }

    /// Takes `size` bytes of the device's heap, if it has them.
    pub(crate) fn heap_take(&mut self, size: u64) -> bool {
        let fits = self.heap_used.checked_add(size).is_some_and(|n| n <= self.limits.heap);
        if fits {
            self.heap_used += size;
        }
        fits
    }

    /// Gives bytes back to the device's heap.
    pub(crate) fn heap_give(&mut self, size: u64) {
        self.heap_used = self.heap_used.saturating_sub(size);
    }

    /// Drops the device's heap, its text and its errors: the context is gone.
    fn reset(&mut self) {
        self.printed.clear();
        self.printed_size = 0;
        self.heap_used = 0;
        self.limits = Limits::default();
        self.dynamic_limits.clear();
        self.cluster_attributes.clear();
        self.cache_config = 0;
        self.shared_config = 0;
    }
}

/// The runtime's state in the machine.
pub(crate) trait Kept {
    /// To look at.
    fn get(&self) -> &Cuda;
    /// To change.
    fn get_mut(&mut self) -> &mut Cuda;
}

impl Kept for Box<dyn RuntimeState> {
    fn get(&self) -> &Cuda {
        let state: &dyn Any = &**self;
        state.downcast_ref().unwrap_or_else(|| unreachable!("the machine has another runtime's state"))
    }

    fn get_mut(&mut self) -> &mut Cuda {
        let state: &mut dyn Any = &mut **self;
        state.downcast_mut().unwrap_or_else(|| unreachable!("the machine has another runtime's state"))
    }
}

/// The runtime, as the engine calls it.
pub struct Runtime;

impl DeviceRuntime for Runtime {
    fn function(&self, name: &str) -> Option<HostFn> {
        lookup(name)
    }

    fn device_function(&self, name: &str) -> Option<DeviceFn> {
        device_library::lookup(name)
    }

    fn launch(&self, m: &mut Machine, request: LaunchRequest) -> Result<i32, Stop> {
        launch::launch(m, request)
    }

    fn launch_from_device(&self, call: &mut DeviceCall<'_>, request: LaunchRequest) -> Result<i32, Stop> {
        nested::launch(call, request).map(|error| error.0)
    }

    fn progress(&self, m: &mut Machine) -> Result<(), Stop> {
        progress(m)
    }

    fn advance_any(&self, m: &mut Machine) -> Result<bool, Stop> {
        queue::advance_any(m)
    }

    fn waited(&self, m: &mut Machine, clock: &Clock) {
        queue::waited(m, clock);
    }

    fn finish(&self, m: &mut Machine) -> Result<(), Stop> {
        finish(m)
    }

    fn flush_output(&self, m: &mut Machine) {
        flush_device_output(m);
    }

    fn exchange_last_error(&self, m: &mut Machine, error: i32) -> i32 {
        std::mem::replace(&mut m.cuda.get_mut().last, CudaError(error)).0
    }
}

/// Passes on what kernels printed, and the messages of their assertions: done wherever CUDA does it, at
/// each synchronisation.
fn flush_device_output(m: &mut Machine) {
    if m.cuda.get().printed.is_empty() && m.cuda.get().asserts.is_empty() {
        return;
    }
    m.cuda.get_mut().printed_size = 0;
    for (text, _) in std::mem::take(&mut m.cuda.get_mut().printed) {
        stdio::write_stdout(m, &text);
    }
    for message in std::mem::take(&mut m.cuda.get_mut().asserts) {
        stdio::write_stderr(m, &message);
    }
}

/// Whether a call needs a context that works.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Needed,
    /// As [`Context::Needed`], and it may wait for the device, so that it is not for the time of a capture.
    Uncaptured,
    /// The driver must be up; a context that is broken breaks it, but it needs none.
    Up,
    /// It works without one, and its error is not remembered.
    Free,
    /// As [`Context::Free`], and before the driver was initialised too.
    Always,
}

impl Context {
    /// Whether a broken context breaks the call.
    fn can_break(self) -> bool {
        self.is_needed() || self == Context::Up
    }

    /// Whether the call needs a context.
    fn is_needed(self) -> bool {
        matches!(self, Context::Needed | Context::Uncaptured)
    }
}

/// Whether the driver is up and a context current, where a call needs that; a call of the runtime sees to both.
fn ready(m: &mut Machine, name: &str, context: Context) -> Api {
    let contexts = &mut m.cuda.get_mut().contexts;
    if !is_of_driver(name) {
        if context.is_needed() {
            contexts.of_runtime();
        }
        return Ok(());
    }
    if context != Context::Always && !contexts.initialized {
        return Err(CudaError::NOT_INITIALIZED.into());
    }
    if context.is_needed() && !contexts.any() {
        return Err(CudaError::CONTEXT_INVALID.into());
    }
    Ok(())
}

/// A call of the runtime or of the driver: what all functions have in common.
fn call(
    m: &mut Machine,
    a: &Args<'_>,
    name: &'static str,
    context: Context,
    f: fn(&mut Host<'_>, &Args<'_>) -> Api,
) -> Result<Ret, Stop> {
    let error = result_of(m, a, name, context, f)?;
    m.cuda.get_mut().log.note(name, error.0);
    Ok(error.0.into())
}

/// Whether a function is the driver's: its errors are not what `cudaGetLastError` gives.
fn is_of_driver(name: &str) -> bool {
    !name.starts_with("cuda")
}

fn result_of(
    m: &mut Machine,
    a: &Args<'_>,
    name: &'static str,
    context: Context,
    f: fn(&mut Host<'_>, &Args<'_>) -> Api,
) -> Result<CudaError, Stop> {
    m.cuda.get_mut().host_time += CALL_COST;
    m.cuda.get_mut().refused = None;
    if context.can_break()
        && let Some(error) = m.cuda.get().sticky
    {
        assume_copied(m, a, name);
        return Ok(error);
    }
    let ready = ready(m, name, context);
    let h = &mut Host::new(m, a, name);
    let allowed = if context == Context::Uncaptured { graph::refuse_unsafe(h) } else { Ok(()) };
    let result = ready.and(allowed).and_then(|()| f(h, a));
    let result = graph::answer(m, result, a.place);
    let (error, reported) = match result {
        Ok(()) => return Ok(CudaError::SUCCESS),
        Err(Fail::Stop(stop)) => return Err(stop),
        Err(Fail::Code(error)) => (error, false),
        Err(Fail::Reported(error)) => (error, true),
    };
    if error == CudaError::NOT_READY {
        // An answer, not an error.
        return Ok(error);
    }
    let broken = m.cuda.get().sticky == Some(error);
    if broken {
        assume_copied(m, a, name);
    }
    let error = if is_of_driver(name) { error.of_driver() } else { error };
    if !is_of_driver(name) {
        m.cuda.get_mut().last = error;
    }
    if !reported && !broken {
        remember(m, error, name, a.place);
    }
    Ok(error)
}

/// After a launch that failed, copies to the host fail too, and a program that does not look prints what it
/// never got. The launch's fault is the finding; the bytes that were to be copied count as written.
fn assume_copied(m: &mut Machine, a: &Args<'_>, name: &'static str) {
    if matches!(
        name,
        "cudaMemcpy"
            | "cudaMemcpyAsync"
            | "cudaMemcpyFromSymbol"
            | "cudaMemcpyFromSymbolAsync"
            | "cuMemcpyDtoH"
            | "cuMemcpyDtoHAsync"
            | "cuMemcpy"
            | "cuMemcpyAsync"
    ) {
        let cx = &mut LaneCx::host(&mut m.findings);
        // Where the destination is no memory of the host there is nothing to assume.
        let _ = m.mem.assume(cx, ByteAccess::host(name, a.loc), a.ptr(0), a.u64(2));
    }
}

/// Remembers an error that a call gave and that the program may not look at.
fn remember(m: &mut Machine, error: CudaError, function: &'static str, place: Place) {
    if m.cuda.get().unchecked.iter().any(|u| u.place == place) || result_is_used(m, place) {
        return;
    }
    let wanted = m.cuda.get_mut().refused.take().filter(|_| error == CudaError::MEMORY_ALLOCATION);
    m.cuda.get_mut().unchecked.push(Unchecked { error, function, place, wanted });
}

/// Whether the program does anything with the result of the call at a place. Where that cannot be said,
/// it does.
fn result_is_used(m: &mut Machine, place: Place) -> bool {
    if let Some(&used) = m.cuda.get().used_results.get(&place) {
        return used;
    }
    let mut calls = 0;
    let mut used = false;
    for func in m.module.funcs.values().filter(|f| f.side == Side::Host) {
        let insts = || func.layout.iter().flat_map(|&b| func.block_insts(b)).copied();
        let found: SmallVec<[Inst; 2]> = insts()
            .filter(|&i| match place {
                Place::Site(site) => {
                    m.module.funcs[site.func].name == func.name
                        && func.insts[i].sites().contains(&Some(site.site))
                }
                Place::Loc(loc) => {
                    // Of a wrapper in our own headers the place of its call is known.
                    let visible = |loc| m.module.source.visible(loc);
                    func.locs[i].expand().is_some_and(|l| l == loc || visible(l) == visible(loc))
                        && matches!(
                            func.insts[i],
                            InstData::Call { .. }
                                | InstData::CallIndirect { .. }
                                | InstData::Invoke { .. }
                                | InstData::Launch { .. }
                                | InstData::LaunchIndirect { .. }
                        )
                }
                Place::Unknown => false,
            })
            .collect();
        calls += found.len();
        for call in found {
            let results = func.inst_results(call);
            // The result of an `invoke` is a parameter of a block: taken as used.
            used |= results.is_empty()
                || insts().any(|i| {
                    let mut uses = false;
                    func.for_each_arg(i, |v| uses |= results.contains(&v));
                    uses
                });
        }
    }
    let used = used || calls == 0;
    m.cuda.get_mut().used_results.insert(place, used);
    used
}

/// `cudaGetLastError` and `cudaPeekAtLastError`.
fn last_error(m: &mut Machine, name: &'static str, clear: bool) -> Ret {
    let error = m.cuda.get().sticky.unwrap_or(m.cuda.get().last);
    m.cuda.get_mut().log.note(name, error.0);
    if m.cuda.get().sticky.is_some() {
        return error.0.into();
    }
    m.cuda.get_mut().unchecked.retain(|u| is_of_driver(u.function));
    if clear {
        m.cuda.get_mut().last = CudaError::SUCCESS;
    }
    error.0.into()
}

/// A text of the runtime as a string of the program.
fn text(m: &mut Machine, text: impl Into<String>) -> Result<Ptr, Stop> {
    let text = text.into();
    if let Some(&p) = m.cuda.get().texts.get(&text) {
        return Ok(p);
    }
    let mut bytes = text.clone().into_bytes();
    bytes.push(0);
    let p = cudair_engine::guest::runtime_object(m, "text of the runtime", &bytes, 1)?;
    m.mem.set_read_only(p);
    m.cuda.get_mut().texts.insert(text, p);
    Ok(p)
}

/// The host seems to wait for what operations under way are to do: they run, if there are any.
///
/// # Errors
/// What running them meets.
fn progress(m: &mut Machine) -> Result<(), Stop> {
    if m.mem.streams.get_mut().take_poll() { queue::advance_all(m) } else { Ok(()) }
}

/// The end of the program: what is queued still runs, so that it is checked; its text is lost, as CUDA
/// loses it. Then what was never freed and which errors were never looked at is reported.
///
/// # Errors
/// What running it meets.
fn finish(m: &mut Machine) -> Result<(), Stop> {
    queue::run_at_end(m)?;
    m.cuda.get_mut().printed.clear();
    for message in std::mem::take(&mut m.cuda.get_mut().asserts) {
        stdio::write_stderr(m, &message);
    }
    // What is missing at the end is missing under any schedule.
    m.findings.shaken = false;
    for unchecked in std::mem::take(&mut m.cuda.get_mut().unchecked) {
        let Unchecked { error, function, place, wanted } = unchecked;
        let (name, help) = if is_of_driver(function) {
            (error.driver_name().unwrap_or_else(|| error.name()), "test the result")
        } else {
            (error.name(), "test the result, or ask `cudaGetLastError`")
        };
        let message =
            format!("`{function}` returns {name} ({}), which the program never looks at", error.text());
        let mut fault =
            Fault::other(Kind::ApiError, place, message, "the error is returned here").with_help(help);
        match wanted {
            // The program goes on with a pointer that points nowhere.
            Some(Refused { wanted, free }) => {
                fault = fault
                    .with_note(format!("it asks for {wanted} bytes of device memory; {free} bytes are free"));
            }
            None => fault = fault.warning(),
        }
        m.findings.note(fault);
    }
    if m.config.check_leaks {
        // What a thread holds that is still alive is given back by nobody, and no leak.
        let held = m.threads.any_created_alive();
        for leak in m.mem.leaks() {
            let object = leak.object;
            // A broken context frees nothing, whatever the program asks.
            let of_runtime =
                matches!(object.kind.family(), AllocKind::CudaHost | AllocKind::Texture | AllocKind::Surface);
            let runtime = object.space != Space::Host || of_runtime;
            if held && !runtime || runtime && m.cuda.get().sticky.is_some() {
                continue;
            }
            // A thread that ended at a fault gave nothing back.
            let by_thread = matches!(
                object.kind,
                AllocKind::DeviceMalloc | AllocKind::DeviceNew | AllocKind::DeviceNewArray
            );
            if by_thread && m.ended_threads() > 0 {
                continue;
            }
            let maker = object.kind.allocator();
            let message = match object.kind {
                AllocKind::Texture | AllocKind::Surface => format!("an object of {maker} is never destroyed"),
                _ => format!("{} bytes from {maker} are never freed", object.size),
            };
            let mut fault = Fault::other(Kind::MemoryLeak, object.made, message, "allocated here").warning();
            if let Some(free) = object.kind.deallocator() {
                fault = fault.with_help(format!("{free} gives it back"));
            }
            fault.ptr = leak.ptr;
            fault.object = Some(Box::new(object));
            m.findings.note(fault);
        }
    }
    Ok(())
}
