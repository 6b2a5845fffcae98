//! The virtual machine of cudair.

pub mod config;
pub mod native;

pub use config::{DeviceProfile, VmConfig, WarpModel};
