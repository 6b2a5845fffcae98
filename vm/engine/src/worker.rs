//! What runs the blocks of a launch: the worker, which is one's own, and the program, which all share.
//!
//! A [`Worker`] can go to another thread, and a [`Program`] can be lent to several: nothing in them is tied to a
//! thread, which is asserted below. What else is in a machine (the host's threads, the libraries' states, what is
//! known of launches) stays with the host. A worker that needs it has to be alone, and asks [`Lent`] for it.

use crate::config::VmConfig;
use crate::counters::Counters;
use crate::device::{Loops, Perf, PollCounter};
use crate::engine_state::EngineState;
use crate::faults::UbLog;
use crate::library::{DeviceRuntime, HostLibrary, RuntimeState};
use crate::machine::Machine;
use crate::regs::CodeRef;
use cudair_ir::{GlobalId, Loc, Module, SecondaryMap};
use cudair_lane::fault::{Place, SiteRef, Stop};
use cudair_lane::ptr::Ptr;
use cudair_memory::Memory;
use cudair_report::Findings;
use cudair_report::watch::Watch;
use rustc_hash::FxHashMap;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// What does not change while blocks run, and all workers look at.
pub struct Program {
    /// The program.
    pub module: Arc<Module>,
    /// How the run is to be done.
    pub config: Arc<VmConfig>,
    /// The addresses of variables of static storage.
    pub globals: Arc<SecondaryMap<GlobalId, Ptr>>,
    /// The C library.
    pub host: &'static dyn HostLibrary,
    /// The CUDA runtime.
    pub device: &'static dyn DeviceRuntime,
}

impl Program {
    /// The source place that a place stands for.
    pub fn loc_of(&self, place: Place) -> Option<Loc> {
        loc_of(&self.module, place)
    }
}

/// The source place that a place stands for.
pub(crate) fn loc_of(module: &Module, place: Place) -> Option<Loc> {
    match place {
        Place::Unknown => None,
        Place::Loc(loc) => Some(loc),
        Place::Site(SiteRef { func, site }) => module.funcs[func].sites[site].loc.expand(),
    }
}

/// What one worker of a launch needs and no other touches.
pub struct Worker {
    /// The memory.
    pub mem: Memory,
    /// What was found so far.
    pub findings: Findings,
    /// Meters, and what is told besides findings.
    pub(crate) state: WorkerState,
}

/// What a worker counts, remembers and tells, but for findings.
pub(crate) struct WorkerState {
    /// Operations that are left.
    pub(crate) fuel: u64,
    /// Those that the user gave, for messages.
    pub(crate) fuel_limit: u64,
    /// Turns of loops that threads of the device have taken in runs so short that they are not taken from the fuel.
    pub(crate) turned: u64,
    /// What the device's clocks add to the fuel spent.
    pub(crate) clock: u64,
    /// Counts operations of the device that may have changed memory.
    pub(crate) changes: u64,
    /// Who has looked at clocks in the launch that runs.
    pub(crate) looks: PollCounter,
    /// Which registers decide about loops in which threads have waited.
    pub(crate) loops: Loops,
    /// Whether threads that left a kernel at an operation, and so do not come to another, left by an early return.
    pub(crate) early_returns: FxHashMap<(CodeRef, usize, usize), bool>,
    /// The launch has printed, used the heap or read the clock: its blocks run on one core.
    pub(crate) alone: bool,
    /// Accesses to memory under seeds so far, by lane.
    pub(crate) accesses: u64,
    /// Undefined behaviour that was met.
    pub(crate) ub: UbLog,
    /// What accesses and branches cost, if that is wanted.
    pub(crate) perf: Option<Box<Perf>>,
    /// A debugger is asked at each place that the program counts, unless nobody is told of what runs.
    pub(crate) asks: bool,
    /// The program's counters, if they are wanted.
    pub(crate) counters: Option<Box<Counters>>,
    /// What was alive when something stopped, if that is wanted.
    pub(crate) dump: Option<String>,
    /// Threads of the device that have ended at a fault, the rest of their launches going on.
    pub(crate) ended: u64,
    /// How the run is seen from outside.
    pub(crate) watch: Arc<Watch>,
}

impl WorkerState {
    /// Full of fuel.
    pub(crate) fn new(config: &VmConfig) -> WorkerState {
        WorkerState {
            fuel: config.fuel,
            fuel_limit: config.fuel,
            turned: 0,
            clock: 0,
            changes: 0,
            looks: PollCounter::default(),
            loops: Loops::default(),
            early_returns: FxHashMap::default(),
            alone: false,
            accesses: 0,
            ub: UbLog::default(),
            perf: config.perf.then(Box::default),
            asks: config.debugger.is_some(),
            counters: config.counts.then(Box::default),
            dump: config.dump_state.then(String::new),
            ended: 0,
            watch: config.watch.clone(),
        }
    }

    /// What a launch counts, for one that is run again: fuel, clocks, changes of memory.
    pub(crate) fn meters(&self) -> [u64; 3] {
        [self.fuel, self.clock, self.changes]
    }

    /// Sets what [`WorkerState::meters`] gave.
    pub(crate) fn set_meters(&mut self, [fuel, clock, changes]: [u64; 3]) {
        (self.fuel, self.clock, self.changes) = (fuel, clock, changes);
    }

    /// `threads` come to a place that the program counts. A call, so that loops without counters stay as they are.
    /// Gives whether a debugger is to be asked.
    #[inline(never)]
    pub(crate) fn count(&mut self, counter: u32, threads: u64) -> bool {
        if let Some(counters) = &mut self.counters {
            counters.add(counter, threads);
        }
        self.asks
    }

    /// Leaves `most` of the fuel.
    pub(crate) fn limit_fuel(&mut self, most: u64) {
        self.fuel = self.fuel.min(most);
    }

    /// So many lanes access memory under a seed.
    pub(crate) fn count_accesses(&mut self, lanes: u32) {
        self.accesses = self.accesses.wrapping_add(lanes.into());
    }

    /// A thread looks at a clock at a place: what it says. Time is what the program has spent.
    pub(crate) fn look_at_clock(&mut self, func: u32, pc: usize) -> u64 {
        self.clock += self.looks.step(func, pc);
        self.alone = true;
        self.clock + (self.fuel_limit - self.fuel)
    }

    /// Spends fuel and looks whether the run is to end.
    #[cold]
    pub(crate) fn spend(&mut self, amount: u64) -> Result<(), Stop> {
        match self.fuel.checked_sub(amount) {
            Some(rest) => self.fuel = rest,
            None => {
                self.fuel = 0;
                return Err(Stop::limit(format!(
                    "the program used up its {} operations (`--fuel`)",
                    self.fuel_limit
                )));
            }
        }
        self.watch.check()
    }

    /// Whether the state of what stops is wanted.
    pub(crate) fn dumps(&self) -> bool {
        self.dump.is_some()
    }

    /// Adds to that state.
    pub(crate) fn add_to_dump(&mut self, text: &str) {
        if let Some(dump) = &mut self.dump {
            dump.push_str(text);
        }
    }
}

impl Worker {
    /// A worker with nothing, whose place in [`Machine::lend`] the machine's own takes.
    pub(crate) fn empty(config: &VmConfig) -> Worker {
        Worker { mem: Memory::default(), findings: Findings::default(), state: WorkerState::new(config) }
    }

    /// Spends operations of the run's fuel, and looks whether the run is to end.
    ///
    /// # Errors
    /// The limit reached.
    pub fn spend(&mut self, operations: u64) -> Result<(), Stop> {
        self.state.spend(operations)
    }

    /// The parts of a worker stand in the machine, or come out of it.
    fn exchange(&mut self, m: &mut Machine) {
        let Machine { mem, findings, engine: EngineState { worker, .. }, .. } = m;
        std::mem::swap(&mut self.mem, mem);
        std::mem::swap(&mut self.findings, findings);
        std::mem::swap(&mut self.state, worker);
    }
}

/// The machine while its worker is out: what only the worker may use that is alone.
pub(crate) struct Lent<'a> {
    /// Without its memory, findings and meters.
    machine: &'a mut Machine,
}

impl Lent<'_> {
    /// The same for a shorter time.
    pub(crate) fn reborrow(&mut self) -> Lent<'_> {
        Lent { machine: self.machine }
    }

    /// What is kept of launches.
    pub(crate) fn launches(&mut self) -> &mut crate::device::Launches {
        &mut self.machine.engine.launches
    }

    /// The runtime's state.
    pub(crate) fn runtime(&mut self) -> &mut Box<dyn RuntimeState> {
        &mut self.machine.cuda
    }

    /// All of the machine, with the parts of the worker in it.
    pub(crate) fn whole<'b>(&'b mut self, worker: &'b mut Worker) -> Whole<'b> {
        worker.exchange(self.machine);
        Whole { machine: self.machine, worker }
    }
}

/// All of the machine, which a worker has for itself.
pub struct Whole<'a> {
    machine: &'a mut Machine,
    worker: &'a mut Worker,
}

impl Deref for Whole<'_> {
    type Target = Machine;
    fn deref(&self) -> &Machine {
        self.machine
    }
}

impl DerefMut for Whole<'_> {
    fn deref_mut(&mut self) -> &mut Machine {
        self.machine
    }
}

impl Drop for Whole<'_> {
    fn drop(&mut self) {
        self.worker.exchange(self.machine);
    }
}

impl Machine {
    /// Lends the worker, which is the machine's memory, findings and meters, and the rest of the machine apart from it.
    ///
    /// # Errors
    /// Those of `f`; a defect: the worker is lent already.
    pub(crate) fn lend<T>(
        &mut self,
        f: impl FnOnce(&mut Worker, Lent<'_>) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let Some(mut worker) = self.engine.spare.take() else {
            return Err(Stop::internal("the worker of a launch is lent a second time"));
        };
        worker.exchange(self);
        let done = f(&mut worker, Lent { machine: self });
        worker.exchange(self);
        self.engine.spare = Some(worker);
        done
    }

    /// What all workers look at.
    pub(crate) fn program(&self) -> Program {
        Program {
            module: self.module.clone(),
            config: self.config.clone(),
            globals: self.globals.clone(),
            host: self.host,
            device: self.device,
        }
    }
}

/// Threads can take the place of the processes that share a launch today.
const _: fn() = || {
    fn send<T: Send>() {}
    fn sync<T: Sync>() {}
    send::<Worker>();
    send::<crate::device::Block>();
    send::<crate::device::Strip>();
    send::<crate::device::ConvergenceGroup>();
    sync::<Program>();
    sync::<crate::device::Grid>();
    sync::<crate::cache::DeviceSet>();
};
