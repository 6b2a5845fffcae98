//! The CUDA runtime and driver: one table of functions by name, streams and events as queues of operations, launches,
//! and what the device leaves behind: printed text, failed assertions, errors.
//!
//! Operations are queued and run when the host synchronises, or when the queue must move. Each names what
//! it must wait for, so that running them in the order in which they were queued is always right, and
//! running only what one stream waits for is too.
//!
//! It knows the engine and the C library, and must not know the frontend or the passes. Begin with [`Runtime`], which is
//! what the engine calls, and [`Cuda`], the runtime's state; `api.rs` says what a call does, and `table.rs` and
//! `driver/table.rs` have the functions by name.

#![allow(non_upper_case_globals, non_camel_case_types, reason = "CUDA's names, in `constants` and `layout`")]

mod admission;
pub mod api;
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
mod error_reasons;
mod errors;
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
mod output;
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

pub use error::{CudaError, codes as error_codes};

use cudair_engine::Machine;
use cudair_engine::VmConfig;
use cudair_engine::guest::Host;
use cudair_engine::parts::HostRuntime;
use cudair_engine::{DeviceCall, DeviceFn, DeviceRuntime, HostFn, LaunchRequest, RuntimeState};
use cudair_ir::{Kind, Severity, Space};
use cudair_lane::fault::{AllocKind, Fault, Stop};
use cudair_lane::ptr::Ptr;
use cudair_race::streams::Clock;
use queue::Queue;
use rustc_hash::FxHashMap;
use std::any::Any;

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

/// A call by the host that sees the runtime alone.
pub(crate) type RuntimeCall<'a, 'm> = Host<'a, HostRuntime<'m>>;

/// What a function of the runtime gives.
pub(crate) type Api = Result<(), Fail>;

/// The state of the runtime: parts that know little of each other, each in its module.
pub struct Cuda {
    /// Errors that calls gave.
    errors: errors::Errors,
    log: call_log::CallLog,
    streams: stream::Streams,
    events: event::Events,
    queue: Queue,
    /// The thread on which a function runs that CUDA calls, and which must not call CUDA.
    called_back: Option<u64>,
    /// Launches so far.
    launches: u64,
    nested: nested::Nested,
    /// What the launch that runs has done.
    effects: effects::Effects,
    /// What the program set of kernels, and what was found out of them.
    kernels: admission::Kernels,
    modules: module::Modules,
    contexts: driver::context::Contexts,
    /// The host's time in the model, in nanoseconds.
    host_time: u64,
    /// What kernels have printed.
    output: output::Output,
    device: device::DeviceState,
    memory: memory::Allocations,
    pools: pool::Pools,
    graphs: graph::Graphs,
    graph_memory: graph::memory::GraphMemory,
    virtual_memory: virtual_memory::VirtualMemory,
    arrays: array::Arrays,
    textures: texture::Textures,
    /// The texts that were handed out, by their name.
    texts: FxHashMap<String, Ptr>,
}

impl Cuda {
    /// The state at the start of a run.
    pub fn new(config: &VmConfig) -> Cuda {
        Cuda {
            errors: errors::Errors::default(),
            log: call_log::CallLog::new(config),
            streams: stream::Streams::default(),
            events: event::Events::default(),
            queue: Queue::default(),
            called_back: None,
            launches: 0,
            nested: nested::Nested::default(),
            effects: effects::Effects::default(),
            kernels: admission::Kernels::default(),
            modules: module::Modules::default(),
            contexts: driver::context::Contexts::default(),
            host_time: 0,
            output: output::Output::default(),
            device: device::DeviceState::default(),
            memory: memory::Allocations::default(),
            pools: pool::Pools::default(),
            graphs: graph::Graphs::default(),
            graph_memory: graph::memory::GraphMemory::default(),
            virtual_memory: virtual_memory::VirtualMemory::default(),
            arrays: array::Arrays::default(),
            textures: texture::Textures::default(),
            texts: FxHashMap::default(),
        }
    }

    /// Drops the device's heap, its text, its errors and what the program has handles of: the context is gone.
    fn reset(&mut self) {
        self.streams.reset();
        self.events.reset();
        self.pools = pool::Pools::default();
        self.output.drop_text();
        self.device.reset();
        self.kernels.reset();
    }
}

/// The runtime's state in the machine.
pub(crate) trait Kept {
    /// To look at.
    fn get(&self) -> &Cuda;
    /// To change.
    fn get_mut(&mut self) -> &mut Cuda;
}

impl Kept for dyn RuntimeState {
    fn get(&self) -> &Cuda {
        let state: &dyn Any = self;
        state.downcast_ref().unwrap_or_else(|| unreachable!("the machine has another runtime's state"))
    }

    fn get_mut(&mut self) -> &mut Cuda {
        let state: &mut dyn Any = self;
        state.downcast_mut().unwrap_or_else(|| unreachable!("the machine has another runtime's state"))
    }
}

/// The runtime, as the engine calls it.
pub struct Runtime;

impl DeviceRuntime for Runtime {
    fn function(&self, name: &str) -> Option<HostFn> {
        api::lookup(name)
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

    fn waited(&self, m: &mut HostRuntime<'_>, clock: &Clock) {
        queue::waited(m, clock);
    }

    fn finish(&self, m: &mut Machine, status: i32) -> Result<(), Stop> {
        finish(m, status)
    }

    fn flush_output(&self, m: &mut Machine) {
        output::flush(m);
    }

    fn exchange_last_error(&self, m: &mut HostRuntime<'_>, error: i32) -> i32 {
        std::mem::replace(&mut m.cuda.get_mut().errors.last, CudaError(error)).0
    }
}

/// A text of the runtime as a string of the program.
fn text(m: &mut HostRuntime<'_>, text: impl Into<String>) -> Result<Ptr, Stop> {
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
    if m.mem.streams.take_poll() { queue::advance_all(m) } else { Ok(()) }
}

/// The end of the program: what is queued still runs, so that it is checked; its text is lost, as CUDA
/// loses it. Then what was never freed and which errors were never looked at is reported.
///
/// # Errors
/// What running it meets.
fn finish(m: &mut Machine, status: i32) -> Result<(), Stop> {
    queue::run_at_end(m)?;
    let room = m.cuda.get().device.limits.printf;
    for fault in m.cuda.get_mut().output.end(room) {
        m.findings.note(fault);
    }
    output::show_asserts(m);
    // What is missing at the end is missing under any schedule.
    m.findings.shaken = false;
    for fault in m.cuda.get_mut().errors.take_unchecked() {
        m.findings.note(fault);
    }
    if m.config.check_leaks {
        // The system takes the low byte.
        let code = status & 0xff;
        // What a thread holds that is still alive is given back by nobody, and no leak.
        let held = m.threads.any_created_alive();
        for leak in m.mem.leaks() {
            let object = leak.object;
            // A broken context frees nothing, whatever the program asks.
            let of_runtime =
                matches!(object.kind.family(), AllocKind::CudaHost | AllocKind::Texture | AllocKind::Surface);
            let runtime = object.space != Space::Host || of_runtime;
            if held && !runtime || runtime && m.cuda.get().errors.sticky.is_some() {
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
            if code != 0 {
                // Who gives up leaves the rest to the system.
                let why = format!(
                    "the program ends with exit code {code}, and may have given up before it frees this"
                );
                fault = fault.with_severity(Severity::Note).with_note(why);
            } else if let Some(free) = object.kind.deallocator() {
                fault = fault.with_help(format!("{free} gives it back"));
            }
            fault.ptr = leak.ptr;
            fault.object = Some(Box::new(object));
            m.findings.note(fault);
        }
    }
    Ok(())
}
