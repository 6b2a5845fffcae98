//! The engine: runs bytecode, on the host one lane at a time, on the device a strip of lanes at a time.

mod cache;
mod device;
mod eval;
mod faults;
mod host;
mod jump;
mod native;
mod program;
mod regs;
mod scalar;
#[cfg(test)]
mod tests;
mod va;

pub(crate) use cache::bytecode_text;
pub(crate) use device::run_grid;
pub(crate) use host::call_guest;
pub(crate) use program::run_program;
pub(crate) use va::va_arg;

use crate::config::VmConfig;
use crate::fault::Stop;
use std::time::Instant;

/// Back edges and calls between two looks at the limits.
pub(crate) const BUDGET: u32 = 1 << 14;

/// The state of the engine.
pub(crate) struct EngineState {
    cache: cache::CodeCache,
    ub: faults::UbLog,
    va: va::VaTable,
    jumps: jump::JumpTable,
    /// Stacks of finished activations, for the next.
    stacks: Vec<regs::WordStack>,
    /// Activations of the host's loop that are alive: `main` and callbacks of native functions.
    activations: u32,
    /// Frames of the host that are alive, in all activations.
    depth: usize,
    /// Counts frames ever entered on the host.
    serial: u64,
    fuel: u64,
    /// What the device's clocks add to the fuel spent.
    clock: u64,
    /// Counts operations of the device that may have changed memory.
    changes: u64,
    /// The shared memory of the kernels launched so far.
    shared: rustc_hash::FxHashMap<cudair_ir::FuncId, device::KernelShared>,
    deadline: Option<Instant>,
    limits: Limits,
}

/// The limits as the user gave them, for messages.
#[derive(Clone, Copy, Debug)]
struct Limits {
    fuel: u64,
    timeout: Option<f64>,
    depth: usize,
}

impl EngineState {
    /// Nothing compiled, full of fuel. The clock starts now.
    pub(crate) fn new(config: &VmConfig) -> EngineState {
        let timeout = config.timeout.filter(|t| t.is_finite() && *t >= 0.0 && *t < 1e9);
        EngineState {
            cache: cache::CodeCache::default(),
            ub: faults::UbLog::default(),
            va: va::VaTable::default(),
            jumps: jump::JumpTable::default(),
            stacks: Vec::new(),
            activations: 0,
            depth: 0,
            serial: 0,
            fuel: config.fuel,
            clock: 0,
            changes: 0,
            shared: rustc_hash::FxHashMap::default(),
            deadline: timeout.map(|t| Instant::now() + std::time::Duration::from_secs_f64(t)),
            limits: Limits { fuel: config.fuel, timeout, depth: config.max_call_depth },
        }
    }

    /// What a launch counts, for one that is run again: fuel, clocks, changes of memory.
    pub(crate) fn meters(&self) -> [u64; 3] {
        [self.fuel, self.clock, self.changes]
    }

    /// Sets what [`EngineState::meters`] gave.
    pub(crate) fn set_meters(&mut self, [fuel, clock, changes]: [u64; 3]) {
        (self.fuel, self.clock, self.changes) = (fuel, clock, changes);
    }

    /// Spends fuel and looks at the clock.
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
        if let Some(deadline) = self.deadline
            && Instant::now() >= deadline
        {
            let seconds = self.limits.timeout.unwrap_or(0.0);
            return Err(Stop::limit(format!("the program ran longer than {seconds} seconds (`--timeout`)")));
        }
        Ok(())
    }
}
