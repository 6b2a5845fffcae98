//! The state of the engine: compiled code, stacks, fuel, and what it keeps of launches.

use crate::config::VmConfig;
use crate::{cache, device, faults, host, jump, regs, va};
use cudair_lane::fault::Stop;

/// Back edges and calls between two looks at the limits.
pub(crate) const BUDGET: u32 = 1 << 14;
/// Calls from library functions between two looks at them.
const CALLBACKS: u32 = 64;

/// The state of the engine.
pub(crate) struct EngineState {
    pub(crate) cache: cache::CodeCache,
    pub(crate) ub: faults::UbLog,
    pub(crate) va: va::VaTable,
    pub(crate) jumps: jump::JumpTable,
    /// Threads of the host that do not run.
    pub(crate) parked: rustc_hash::FxHashMap<crate::threads::Context, host::Parked>,
    /// Stacks of finished activations, for the next.
    pub(crate) stacks: Vec<regs::WordStack>,
    /// Activations of the host's loop that are alive: `main` and callbacks of native functions.
    pub(crate) activations: u32,
    /// Frames of the host that are alive, in all activations.
    pub(crate) depth: usize,
    /// Calls from library functions so far.
    pub(crate) callbacks: u32,
    /// Counts frames ever entered on the host.
    pub(crate) serial: u64,
    pub(crate) fuel: u64,
    /// What the device's clocks add to the fuel spent.
    pub(crate) clock: u64,
    /// Who has looked at them in the launch that runs.
    pub(crate) looks: device::PollCounter,
    /// Counts operations of the device that may have changed memory.
    pub(crate) changes: u64,
    /// Which registers decide about loops in which threads have waited.
    pub(crate) loops: device::Loops,
    /// The shared memory of the kernels launched so far.
    pub(crate) shared: rustc_hash::FxHashMap<cudair_ir::FuncId, device::KernelShared>,
    /// The launch has printed, used the heap or read the clock: its blocks run on one core.
    pub(crate) alone: bool,
    /// Which kernels' blocks stay on one core.
    pub(crate) sharing: device::Sharing,
    pub(crate) watch: std::sync::Arc<cudair_report::watch::Watch>,
    /// What functions of the device access.
    pub(crate) footprints: device::Footprints,
    /// What hangs on the order of threads.
    pub(crate) influence: device::NondeterminismTaint,
    /// Which kernels have locks.
    pub(crate) locks: device::Locks,
    /// What was alive when something stopped, if that is wanted.
    pub(crate) dump: Option<String>,
    /// What accesses and branches cost, if that is wanted.
    pub(crate) perf: Option<Box<device::Perf>>,
    /// Threads of the device that have ended at a fault, the rest of their launches going on.
    pub(crate) ended: u64,
    /// Launches that have run, and of them those that are reported on.
    pub(crate) launches: [u64; 2],
    /// The kernels that have run.
    pub(crate) ran: rustc_hash::FxHashSet<cudair_ir::FuncId>,
    /// What was not looked at so far.
    pub(crate) unseen: cudair_report::Unseen,
    /// Whether one runs.
    pub(crate) open: device::Open,
    pub(crate) limits: Limits,
    /// The program's clock.
    pub(crate) host_clock: crate::time::Clock,
}

/// The limits as the user gave them, for messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) fuel: u64,
    pub(crate) depth: usize,
}

impl EngineState {
    /// The state that was kept, if it was wanted.
    pub(crate) fn take_dump(&mut self) -> Option<String> {
        self.dump.take()
    }

    /// Nothing compiled, full of fuel.
    pub(crate) fn new(config: &VmConfig) -> EngineState {
        EngineState {
            cache: cache::CodeCache::default(),
            ub: faults::UbLog::default(),
            va: va::VaTable::default(),
            jumps: jump::JumpTable::default(),
            parked: rustc_hash::FxHashMap::default(),
            stacks: Vec::new(),
            activations: 0,
            depth: 0,
            callbacks: 0,
            serial: 0,
            fuel: config.fuel,
            clock: 0,
            looks: device::PollCounter::default(),
            changes: 0,
            loops: device::Loops::default(),
            shared: rustc_hash::FxHashMap::default(),
            alone: false,
            sharing: device::Sharing::default(),
            watch: config.watch.clone(),
            dump: config.dump_state.then(String::new),
            perf: config.perf.then(Box::default),
            limits: Limits { fuel: config.fuel, depth: config.max_call_depth },
            footprints: device::Footprints::default(),
            influence: device::NondeterminismTaint::default(),
            ended: 0,
            locks: device::Locks::default(),
            launches: [0; 2],
            ran: rustc_hash::FxHashSet::default(),
            unseen: cudair_report::Unseen::default(),
            open: device::Open::default(),
            host_clock: crate::time::Clock::default(),
        }
    }

    /// What a launch counts, for one that is run again: fuel, clocks, changes of memory.
    pub(crate) fn meters(&self) -> [u64; 3] {
        [self.fuel, self.clock, self.changes]
    }

    /// Leaves `most` of the fuel.
    pub(crate) fn limit_fuel(&mut self, most: u64) {
        self.fuel = self.fuel.min(most);
    }

    /// Sets what [`EngineState::meters`] gave.
    pub(crate) fn set_meters(&mut self, [fuel, clock, changes]: [u64; 3]) {
        (self.fuel, self.clock, self.changes) = (fuel, clock, changes);
    }

    /// How the run is seen from outside.
    pub(crate) fn watch(&self) -> &cudair_report::watch::Watch {
        &self.watch
    }

    /// Counts a call from a library function, whose loops (`qsort`) are none of the program's.
    pub(crate) fn callback(&mut self) -> Result<(), Stop> {
        self.callbacks = self.callbacks.wrapping_add(1);
        if self.callbacks.is_multiple_of(CALLBACKS) { self.spend(CALLBACKS.into()) } else { Ok(()) }
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
                    self.limits.fuel
                )));
            }
        }
        self.watch.check()
    }
}
