//! The virtual machine of cudair: the lane-vector engine, the C library and the CUDA runtime, on the floors below
//! (`lane`, `report`, `race`, `memory`, `bytecode`, `codegen`).
//!
//! It knows neither the frontend nor the passes: a module comes in, and what analyses know of a launch comes from a
//! [`cudair_ir::LaunchOracle`]. Begin with [`Vm`]; `engine/device/grid.rs` runs a launch, `engine/host` the host's code.

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
