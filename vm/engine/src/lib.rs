//! The engine: runs bytecode, on the host one lane at a time, on the device a strip of lanes at a time, with all that a
//! launch needs: convergence groups, barriers, races, transactions, workers.
//!
//! It knows the floors below it (`math`, `lane`, `report`, `race`, `memory`, `bytecode`, `codegen`). It must not know the
//! C library, the CUDA runtime, the frontend or the passes: libraries come in as [`Libraries`], what analyses know of a
//! launch comes from a [`cudair_ir::LaunchOracle`]. Begin with [`Machine`], which is all state of one run; then
//! `host/` runs the host's code, `device/launch.rs` a launch, and a [`Worker`] the blocks of it.

// What machine code alone needs of the rest is there without it, too.
#![cfg_attr(not(feature = "jit"), allow(dead_code))]

mod cache;
pub mod config;
mod counters;
pub mod debug;
mod device;
#[cfg(all(test, feature = "jit"))]
mod differential;
mod dump;
mod engine_state;
mod eval;
mod faults;
pub mod gate;
pub mod guest;
mod host;
mod jump;
pub mod layout;
pub mod library;
pub mod machine;
mod operands;
pub mod parts;
pub mod profile;
mod program;
mod regs;
mod scalar;
mod state;
#[cfg(test)]
mod stub;
pub mod threads;
mod time;
mod va;
mod worker;

pub use config::{AfterFault, Elision, Engine, VmConfig, WarpModel};
pub use counters::Counters;
pub use gate::{Gate, Grants};
pub use library::{DeviceRuntime, HostLibrary, Libraries, Printed, RuntimeState, is_pure};
pub use machine::{
    Args, ClusterRequest, DeviceCall, DeviceFn, Exit, GridLaunch, HostFn, LaunchEnd, LaunchRequest, Machine,
    MachineFn, MemoryFn, Outcome, ProcessFn, Ret, RuntimeFn, ThreadsFn,
};
pub use profile::DeviceProfile;
pub use program::run_program;
pub use worker::{Program, Whole, Worker};
