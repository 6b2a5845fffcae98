//! The machine: all state of one run, what native functions are called with, and how a run ends.

use crate::config::VmConfig;
use crate::counters::Counters;
use crate::engine_state::EngineState;
use crate::library::{DeviceRuntime, HostLibrary, Libraries, RuntimeState};
use crate::parts::{HostMemory, HostProcess, HostRuntime, HostThreads};
use crate::threads::Threads;
use crate::worker::{Lent, Program, Whole, Worker, loc_of};
use cudair_ir::f80::F80;
use cudair_ir::{
    Diagnostic, DiagnosticClass, Finding, FuncId, GlobalId, LaunchDims, LaunchOracle, Loc, Module,
    SecondaryMap, ThreadCoord, Type, Uses,
};
use cudair_lane::fault::{NeverRan, Place, Stop};
use cudair_lane::ptr::Ptr;
use cudair_lane::{Mask, MemSide, StripShape};
use cudair_memory::{BlockMem, LaneCx, LocalFrames, Memory};
use cudair_race::records::ReadUses;
use cudair_report::{Findings, Launched, Unseen, never_ran};
use rustc_hash::FxHashMap;
use std::any::Any;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// All state of one run. Native functions get a part of it, or all ([`HostFn`]).
pub struct Machine {
    /// The program.
    pub module: Arc<Module>,
    /// How the run is to be done.
    pub config: Arc<VmConfig>,
    /// Every object of the program.
    pub mem: Memory,
    /// What was found so far.
    pub findings: Findings,
    /// What the analyses know of a launch.
    pub oracle: Arc<dyn LaunchOracle>,
    /// The C library.
    pub host: &'static dyn HostLibrary,
    /// The state of the C library.
    pub libc: Box<dyn Any>,
    /// The CUDA runtime.
    pub device: &'static dyn DeviceRuntime,
    /// The state of the CUDA runtime.
    pub cuda: Box<dyn RuntimeState>,
    /// The threads of the host.
    pub threads: Threads,
    /// The folder that the program went to; none where it is still in that of the process.
    pub folder: Option<PathBuf>,
    /// The addresses of variables of static storage. Null for `__shared__` variables, which are each
    /// block's own.
    pub globals: Arc<SecondaryMap<GlobalId, Ptr>>,
    /// Compiled code, stacks, fuel.
    pub(crate) engine: EngineState,
}

/// The arguments of a native call, as bits: integers zero-extended from their type, floats and pointers
/// as their bits.
#[derive(Clone, Copy, Debug)]
pub struct Args<'a> {
    /// The values.
    pub values: &'a [u128],
    /// Their types, as many.
    pub types: &'a [Type],
    /// How many are not variable arguments.
    pub fixed: usize,
    /// The function called, for messages.
    pub func: FuncId,
    /// Where the call stands.
    pub place: Place,
    /// The source place of the call.
    pub loc: Option<Loc>,
}

impl Args<'_> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The bits of argument `i`; zero where it is missing (a call through a wrong declaration).
    pub fn bits(&self, i: usize) -> u128 {
        self.values.get(i).copied().unwrap_or(0)
    }

    /// Argument `i` as a pointer.
    pub fn ptr(&self, i: usize) -> Ptr {
        Ptr(self.bits(i) as u64)
    }

    /// Argument `i` as an unsigned 64-bit integer (narrower ones zero-extended).
    pub fn u64(&self, i: usize) -> u64 {
        self.bits(i) as u64
    }

    /// Argument `i` as a `size_t` that indexes the machine's memory.
    pub fn usize(&self, i: usize) -> usize {
        self.bits(i) as usize
    }

    /// Argument `i` as a signed integer of its own type's width.
    pub fn i64(&self, i: usize) -> i64 {
        let bits = self.types.get(i).map_or(64, |t| t.bits()).clamp(1, 64);
        ((self.bits(i) as u64) << (64 - bits)) as i64 >> (64 - bits)
    }

    /// Argument `i` as an `int`.
    pub fn i32(&self, i: usize) -> i32 {
        self.bits(i) as i32
    }

    /// Argument `i` as an `unsigned int`.
    pub fn u32(&self, i: usize) -> u32 {
        self.bits(i) as u32
    }

    /// Argument `i` as a `float`.
    pub fn f32(&self, i: usize) -> f32 {
        f32::from_bits(self.bits(i) as u32)
    }

    /// Argument `i` as a `double`.
    pub fn f64(&self, i: usize) -> f64 {
        f64::from_bits(self.bits(i) as u64)
    }

    /// Argument `i` as a `long double`.
    pub fn f80(&self, i: usize) -> F80 {
        F80::from_bits(self.bits(i))
    }
}

/// The result of a native call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ret {
    /// None.
    Void,
    /// A value of up to 64 bits; bits above the type's width are cut.
    Word(u64),
    /// A value of 80 or 128 bits.
    Wide(u128),
}

impl Ret {
    /// The bits of the result, 0 for none.
    pub fn bits(self) -> u128 {
        match self {
            Ret::Void => 0,
            Ret::Word(w) => w.into(),
            Ret::Wide(w) => w,
        }
    }
}

impl From<Ptr> for Ret {
    fn from(p: Ptr) -> Ret {
        Ret::Word(p.0)
    }
}

impl From<i32> for Ret {
    fn from(v: i32) -> Ret {
        Ret::Word(u64::from(v as u32))
    }
}

impl From<f32> for Ret {
    fn from(v: f32) -> Ret {
        Ret::Word(u64::from(v.to_bits()))
    }
}

impl From<f64> for Ret {
    fn from(v: f64) -> Ret {
        Ret::Word(v.to_bits())
    }
}

/// A native function of the host, by the part of the machine that it needs ([`crate::parts`]).
#[derive(Clone, Copy)]
pub enum HostFn {
    /// The program's memory.
    Memory(MemoryFn),
    /// What the program has as a process.
    Process(ProcessFn),
    /// The scheduler of the host's threads, too.
    Threads(ThreadsFn),
    /// The CUDA runtime.
    Runtime(RuntimeFn),
    /// All of it.
    Machine(MachineFn),
}

/// A native function of the host that reads and writes the program's memory, if that.
pub type MemoryFn = fn(&mut HostMemory<'_>, &Args<'_>) -> Result<Ret, Stop>;

/// A native function of the host that needs the process.
pub type ProcessFn = fn(&mut HostProcess<'_>, &Args<'_>) -> Result<Ret, Stop>;

/// A native function of the host that needs the process and its threads.
pub type ThreadsFn = fn(&mut HostThreads<'_>, &Args<'_>) -> Result<Ret, Stop>;

/// A native function of the host that needs the state of the CUDA runtime.
pub type RuntimeFn = fn(&mut HostRuntime<'_>, &Args<'_>) -> Result<Ret, Stop>;

/// A native function of the host that needs the whole machine.
pub type MachineFn = fn(&mut Machine, &Args<'_>) -> Result<Ret, Stop>;

impl HostFn {
    /// Calls it.
    ///
    /// # Errors
    /// What the function meets.
    pub fn call(self, m: &mut Machine, a: &Args<'_>) -> Result<Ret, Stop> {
        match self {
            HostFn::Memory(f) => f(&mut HostMemory::of(m), a),
            HostFn::Process(f) => f(&mut HostProcess::of(m), a),
            HostFn::Threads(f) => f(&mut HostThreads::of(m), a),
            HostFn::Runtime(f) => f(&mut HostRuntime::of(m), a),
            HostFn::Machine(f) => f(m, a),
        }
    }
}

/// A native function of the device, called for one lane after the other.
pub type DeviceFn = fn(&mut DeviceCall<'_>, &Args<'_>) -> Result<Ret, Stop>;

/// What a native function of the device sees besides its arguments.
pub struct DeviceCall<'a> {
    /// The worker that runs the thread: its memory, its findings.
    pub worker: &'a mut Worker,
    /// The program.
    pub program: &'a Program,
    /// The rest of the machine, unless several workers share it.
    pub(crate) rest: Option<Lent<'a>>,
    /// The block's shared memory.
    pub block: &'a mut BlockMem,
    /// The strip's local memory.
    pub locals: &'a mut LocalFrames,
    /// Where the strip's lanes stand.
    pub shape: &'a StripShape,
    /// The lane of the strip that calls.
    pub lane: usize,
    /// That lane alone.
    pub mask: Mask,
}

impl DeviceCall<'_> {
    /// The thread that calls.
    pub fn thread(&self) -> ThreadCoord {
        self.shape.thread(self.lane)
    }

    /// The next variable argument of a `va_list`. Functions of the device have none: only their calls of
    /// native functions are variadic.
    ///
    /// # Errors
    /// Always: it is not supported.
    pub fn va_arg(&mut self, list: Ptr, ty: Type, place: Place) -> Result<u128, Stop> {
        let _ = (list, ty);
        let mut d = Diagnostic::new(DiagnosticClass::Unsupported, "a `va_list` in device code");
        d.primary = self
            .program
            .loc_of(place)
            .map(|loc| cudair_ir::Span::new(&self.program.module.source, loc, "here"));
        Err(Stop::Unsupported(Box::new(d)))
    }

    /// The state of the CUDA runtime, for one worker alone: cores cannot join what they do to it. Where they have
    /// parted, this ends what they do: one of them does it again.
    ///
    /// # Errors
    /// The end of a part.
    pub fn runtime(&mut self) -> Result<&mut Box<dyn RuntimeState>, Stop> {
        self.worker.state.alone = true;
        match &mut self.rest {
            Some(rest) if !self.worker.mem.is_parted() => Ok(rest.runtime()),
            _ => Err(shared()),
        }
    }

    /// All of the machine, for one worker alone, as [`DeviceCall::runtime`] is.
    ///
    /// # Errors
    /// The end of a part.
    pub fn machine(&mut self) -> Result<Whole<'_>, Stop> {
        self.worker.state.alone = true;
        match &mut self.rest {
            Some(rest) if !self.worker.mem.is_parted() => Ok(rest.whole(self.worker)),
            _ => Err(shared()),
        }
    }

    /// The memory, and on whose behalf it is touched.
    pub fn memory(&mut self) -> (&mut Memory, LaneCx<'_>) {
        let cx = LaneCx {
            side: MemSide::Device,
            mask: &self.mask,
            block: Some(self.block),
            locals: Some(self.locals),
            shape: self.shape,
            findings: &mut self.worker.findings,
        };
        (&mut self.worker.mem, cx)
    }
}

/// The end of what a worker does for others, where one has to be alone.
fn shared() -> Stop {
    Stop::internal("blocks that several cores share print or use the heap")
}

/// What the attributes of a launch say of its clusters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClusterRequest {
    /// Blocks of a cluster in x, y, z.
    pub dims: Option<[u32; 3]>,
    /// Blocks of the clusters that would be better still.
    pub preferred: Option<[u32; 3]>,
}

/// A launch to be executed.
#[derive(Clone, Debug)]
pub struct GridLaunch {
    /// The kernel.
    pub kernel: FuncId,
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z.
    pub block: [u32; 3],
    /// Blocks of a cluster in x, y, z; 1 each where there are none.
    pub cluster: [u32; 3],
    /// Whether the kernel or the launch gives them.
    pub explicit_cluster: bool,
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u64,
    /// One value per parameter of the kernel. For an aggregate by value a pointer to the launch's copy
    /// in constant memory.
    pub args: Vec<u128>,
    /// The launch of a graph that it is part of, where device code may launch others from it.
    pub environment: Option<u64>,
    /// The number of the launch in the run, from 0.
    pub number: u64,
    /// Where it is launched.
    pub loc: Option<Loc>,
    /// The host's calls that led there, innermost first; none where the device launches it.
    pub calls: Box<[Loc]>,
}

impl GridLaunch {
    /// Its extents, for reports.
    pub fn dims(&self) -> LaunchDims {
        LaunchDims::new(self.grid, self.block)
    }
}

/// A launch that the program asks for, not yet validated.
#[derive(Clone, Debug)]
pub struct LaunchRequest {
    /// The kernel.
    pub kernel: FuncId,
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z.
    pub block: [u32; 3],
    /// What it says of clusters.
    pub cluster: ClusterRequest,
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u64,
    /// The stream, null for the default one.
    pub stream: Ptr,
    /// One value per parameter of the kernel. For an aggregate by value a pointer to the caller's copy, which
    /// must be copied now.
    pub args: Vec<u128>,
    /// Where.
    pub place: Place,
    /// Where, in the source.
    pub loc: Option<Loc>,
}

/// How a launch ended.
#[derive(Clone, Debug)]
pub enum LaunchEnd {
    /// All threads ended.
    Done,
    /// A thread did something after which the launch cannot go on. The finding has been reported; its
    /// kind decides the error code that the runtime gives from now on.
    Aborted(cudair_ir::Kind),
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Exit {
    /// The program ended with this status.
    Code(i32),
    /// The host program did something after which it cannot go on; the findings say what.
    Fault,
    /// Something is not supported; the diagnostics say what.
    Unsupported,
    /// A limit was reached; the diagnostics say which.
    Limit,
    /// A defect of cudair; the diagnostics describe it.
    Internal,
}

/// What a run gives.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub exit: Exit,
    /// What is wrong with the program.
    pub findings: Vec<Finding>,
    /// Why cudair could not go on, if it could not.
    pub diagnostics: Vec<Diagnostic>,
    /// What was alive when a launch or the run stopped, if that was wanted: empty where nothing did.
    pub state: Option<String>,
    /// How many threads came to each place that the program counts, if that was wanted.
    pub counts: Counters,
    /// How many findings were too many to be kept.
    pub left: u64,
    /// How many launches ran, and of them those that were to be reported on.
    pub launches: [u64; 2],
    /// What it did not look at.
    pub unseen: Unseen,
    /// The launches of each kernel that ran.
    pub ran: FxHashMap<FuncId, Launched>,
}

impl Machine {
    /// A machine with nothing in its memory but the object table.
    pub fn new(
        module: Arc<Module>,
        config: VmConfig,
        oracle: Arc<dyn LaunchOracle>,
        libraries: Libraries,
    ) -> Machine {
        let lockstep = config.warp_model == crate::config::WarpModel::Lockstep;
        let mut mem = Memory::new(config.memory_limit);
        mem.lockstep = lockstep;
        if config.check_global_races {
            mem.streams.enable();
        }
        mem.unwatched = !config.check_shared_races;
        let races = &mut mem.grid;
        races.uses = ReadUses::Program(Arc::new(Mutex::new(Uses::new(module.clone()))), None);
        races.strict = config.strict;
        Machine {
            mem,
            findings: Findings::of(&config.choice, config.max_findings, &config.watch),
            host: libraries.host,
            libc: libraries.libc,
            device: libraries.device,
            cuda: libraries.cuda,
            threads: Threads::default(),
            folder: None,
            engine: EngineState::new(&config),
            globals: Arc::new(SecondaryMap::new()),
            module,
            config: Arc::new(config),
            oracle,
        }
    }

    /// The device's variables get their first values again, as when a device that was reset loads the program.
    ///
    /// # Errors
    /// What memory meets.
    pub fn reload_device_variables(&mut self) -> Result<(), Stop> {
        crate::program::reload_device(self)
    }

    /// Calls a function of the program from a native one (`qsort`, `atexit`). Argument bits are as in
    /// [`Args`].
    ///
    /// # Errors
    /// What the function meets, and a pointer that is not a function's.
    pub fn call_guest(&mut self, func: Ptr, args: &[u128], place: Place) -> Result<Ret, Stop> {
        crate::host::call_guest(self, func, args, place)
    }

    /// The next variable argument of the guest's `va_list` at `list`, read as `ty`.
    ///
    /// # Errors
    /// A list that is not in use or has no further argument.
    pub fn va_arg(&mut self, list: Ptr, ty: Type, place: Place) -> Result<u128, Stop> {
        let memory = &mut HostMemory { mem: &mut self.mem, findings: &mut self.findings };
        crate::va::va_arg(memory, (&self.module, &self.engine.host.va), list, ty, place)
    }

    /// The source place that a place stands for.
    pub fn loc_of(&self, place: Place) -> Option<Loc> {
        loc_of(&self.module, place)
    }

    /// The host's calls that led to the function of the CUDA runtime, or the launch, that was reached last.
    pub fn host_calls(&self) -> &[Loc] {
        &self.engine.host.calls
    }

    /// Runs a launch to its end.
    ///
    /// # Errors
    /// Why the run cannot go on.
    pub fn run_grid(&mut self, launch: GridLaunch) -> Result<LaunchEnd, Stop> {
        crate::device::run_grid(self, launch)
    }

    /// A launch with these arguments was refused and does not run.
    pub fn never_runs(&mut self, launch: NeverRan, args: &[u128]) {
        if let Some(objects) = crate::device::written(self, launch.kernel, args) {
            self.mem.refuse(objects, launch);
        }
    }

    /// Makes another variable like one of the host's, as the program's image has it.
    ///
    /// # Errors
    /// The memory limit.
    pub fn instance_of(&mut self, global: GlobalId) -> Result<Ptr, Stop> {
        crate::program::instance_of(self, global)
    }

    /// How many threads of the device have ended at a fault, the rest of their launches going on.
    pub fn ended_threads(&self) -> u64 {
        self.engine.worker.ended
    }

    /// What a run gives that ended so.
    pub fn outcome(&mut self, result: Result<i32, Stop>) -> Outcome {
        let mut diagnostics = Vec::new();
        let exit = match result {
            Ok(code) | Err(Stop::Exit(code)) => Exit::Code(code),
            Err(Stop::Fault(fault)) => {
                self.findings.note(*fault);
                Exit::Fault
            }
            Err(stop @ (Stop::Throw(_) | Stop::Switch(_))) => {
                let message = match stop {
                    Stop::Throw(_) => "an exception left the program unhandled",
                    _ => "a thread waits outside the program",
                };
                diagnostics.push(Diagnostic::new(DiagnosticClass::Internal, message));
                Exit::Internal
            }
            Err(Stop::Unsupported(d) | Stop::Limit(d) | Stop::Internal(d)) => {
                let exit = match d.class {
                    DiagnosticClass::Limit => Exit::Limit,
                    DiagnosticClass::Internal => Exit::Internal,
                    _ => Exit::Unsupported,
                };
                diagnostics.push(*d);
                exit
            }
        };
        let left = self.findings.left();
        let findings = std::mem::take(&mut self.findings).finish(&self.module);
        let launches = self.engine.launches.counts;
        let mut unseen = std::mem::take(&mut self.engine.launches.unseen);
        let races = &mut self.mem.grid;
        (unseen.words, unseen.places) = (races.dropped, races.thinned.len() as u64);
        if !matches!(exit, Exit::Unsupported | Exit::Internal) {
            let ran = &self.engine.launches.ran;
            unseen.kernels = never_ran(&self.module, |k| ran.contains_key(&k));
        }
        let state = self.engine.worker.dump.take();
        let ran = std::mem::take(&mut self.engine.launches.ran);
        let counts = self.engine.worker.counters.take().map(|c| *c).unwrap_or_default();
        Outcome { exit, findings, diagnostics, state, counts, left, launches, unseen, ran }
    }
}
