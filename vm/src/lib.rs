//! The virtual machine of cudair: bytecode and its compiler, the lane-vector engine, memory with its
//! checks, race detection, the C library and the CUDA runtime.

pub mod bytecode;
pub mod compile;
pub mod config;
pub mod cuda;
mod engine;
pub mod fault;
pub mod gate;
pub mod machine;
pub mod memory;
pub mod native;
pub mod profile;
pub mod ptr;
pub mod race;
pub mod report;
pub mod watch;

pub use config::{AfterFault, VmConfig, WarpModel};
pub use gate::{Gate, Grants};
pub use machine::{Exit, Machine, Outcome, Vm};
pub use native::HostIo;
pub use profile::DeviceProfile;
pub use report::Choice;
pub use report::Unseen;
pub use watch::{LaunchView, Watch};
