//! The state of the engine: what it keeps of the host's code, of the worker, and of launches.

use crate::cache::Units;
use crate::config::VmConfig;
use crate::device::Launches;
use crate::host::HostState;
use crate::worker::{Worker, WorkerState};
use cudair_lane::fault::Stop;
use std::sync::Arc;

/// Back edges and calls between two looks at the limits.
pub(crate) const BUDGET: u32 = 1 << 14;
/// Calls from library functions between two looks at them.
const CALLBACKS: u32 = 64;

/// The state of the engine.
pub(crate) struct EngineState {
    /// Of the host's code.
    pub(crate) host: HostState,
    /// Of the worker: the host's code and a launch have one, which is lent to the launch.
    pub(crate) worker: WorkerState,
    /// Of launches.
    pub(crate) launches: Launches,
    /// What stands in the worker's place while it is lent; none then.
    pub(crate) spare: Option<Box<Worker>>,
}

impl EngineState {
    /// Nothing compiled, full of fuel.
    pub(crate) fn new(config: &VmConfig) -> EngineState {
        let units = Arc::new(Units::default());
        EngineState {
            host: HostState::new(config, units.clone()),
            worker: WorkerState::new(config),
            launches: Launches::new(units),
            spare: Some(Box::new(Worker::empty(config))),
        }
    }

    /// Counts a call from a library function, whose loops (`qsort`) are none of the program's.
    pub(crate) fn callback(&mut self) -> Result<(), Stop> {
        self.host.callbacks = self.host.callbacks.wrapping_add(1);
        if self.host.callbacks.is_multiple_of(CALLBACKS) { self.spend(CALLBACKS.into()) } else { Ok(()) }
    }

    /// Spends fuel and looks whether the run is to end.
    #[cold]
    pub(crate) fn spend(&mut self, amount: u64) -> Result<(), Stop> {
        self.worker.spend(amount)
    }
}
