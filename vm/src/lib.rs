//! The virtual machine of cudair: bytecode and its compiler, the lane-vector engine, memory with its
//! checks, race detection, the C library and the CUDA runtime.

pub mod config;
pub mod cuda;
mod engine;
pub mod gate;
pub mod machine;
pub mod native;
pub mod profile;
mod state;

pub use config::{AfterFault, VmConfig, WarpModel};
pub use cudair_report::watch::{LaunchView, Watch};
pub use cudair_report::{Choice, Unseen};
pub use gate::{Gate, Grants};
pub use machine::{Exit, Machine, Outcome, Vm};
pub use native::HostIo;
pub use profile::DeviceProfile;
