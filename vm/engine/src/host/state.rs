//! What the engine keeps of the host's code: stacks, frames, jumps, variable arguments, its clock.

use super::Parked;
use super::compiled::Tier;
use crate::cache::{HostCode, Units};
use crate::config::VmConfig;
use crate::jump::JumpTable;
use crate::regs::WordStack;
use crate::threads::Context;
use crate::time::Clock;
use crate::va::VaTable;
use cudair_ir::Loc;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// See the module's documentation.
pub(crate) struct HostState {
    /// The host's functions.
    pub(crate) code: HostCode,
    /// Variable arguments of the calls that run.
    pub(crate) va: VaTable,
    /// Where `setjmp` was called.
    pub(crate) jumps: JumpTable,
    /// Threads that do not run.
    pub(crate) parked: FxHashMap<Context, Parked>,
    /// Stacks of finished activations, for the next.
    pub(crate) stacks: Vec<WordStack>,
    /// Activations of the host's loop that are alive: `main` and callbacks of native functions.
    pub(crate) activations: u32,
    /// Frames that are alive, in all activations.
    pub(crate) depth: usize,
    /// How many may be.
    pub(crate) max_depth: usize,
    /// Counts frames ever entered.
    pub(crate) serial: u64,
    /// The calls that led to the function of the CUDA runtime, or the launch, that was reached last: innermost first.
    pub(crate) calls: Box<[Loc]>,
    /// Calls from library functions so far.
    pub(crate) callbacks: u32,
    /// The program's clock.
    pub(crate) clock: Clock,
    /// Which functions run as machine code.
    pub(crate) tier: Tier,
}

impl HostState {
    /// Nothing compiled, nothing running.
    pub(crate) fn new(config: &VmConfig, units: Arc<Units>) -> HostState {
        HostState {
            code: HostCode::new(units),
            va: VaTable::default(),
            jumps: JumpTable::default(),
            parked: FxHashMap::default(),
            stacks: Vec::new(),
            activations: 0,
            depth: 0,
            max_depth: config.max_call_depth,
            serial: 0,
            calls: Box::default(),
            callbacks: 0,
            clock: Clock::default(),
            tier: Tier::new(config),
        }
    }
}
