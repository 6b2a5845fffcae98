//! The virtual machine of cudair: the engine with the C library and the CUDA runtime.
//!
//! It is wiring and the public face, and has no logic of its own. It knows neither the frontend nor the passes: a module
//! comes in, and what analyses know of a launch comes from a [`cudair_ir::LaunchOracle`]. Begin with [`Vm`]. Below it
//! stand, from the top: `cuda` (the runtime and the driver), `libc` (the C library), `engine` (bytecode is run), `codegen`,
//! `bytecode`, `memory`, `race`, `report`, `lane`, `math`.

use cudair_engine::library::Libraries;
use cudair_engine::{DeviceRuntime, HostLibrary, Machine};
use cudair_ir::{DEVICE_SUFFIX, Diagnostic, FuncId, LaunchOracle, Module};
use cudair_libc::{Libc, Library};
use std::sync::Arc;

#[cfg(test)]
mod tests;

pub use cudair_engine::debug;
pub use cudair_engine::gate::Journal;
pub use cudair_engine::{
    AfterFault, Counters, DeviceProfile, Elision, Engine, Exit, Gate, Grants, Outcome, VmConfig, WarpModel,
    is_pure,
};
pub use cudair_libc::HostIo;
pub use cudair_report::watch::{LaunchView, Listener, Watch};
pub use cudair_report::{Choice, Findings, Lack, Launched, Unseen};

/// A program ready to run.
pub struct Vm {
    machine: Machine,
}

impl Vm {
    /// A machine for a module. Nothing of the program runs yet; its standard streams are the process's own.
    pub fn new(module: Arc<Module>, config: VmConfig, oracle: Arc<dyn LaunchOracle>) -> Vm {
        let libraries = Libraries {
            host: &Library,
            libc: Box::new(Libc::new()),
            device: &cudair_cuda::Runtime,
            cuda: Box::new(cudair_cuda::Cuda::new(&config)),
        };
        Vm { machine: Machine::new(module, config, oracle, libraries) }
    }

    /// Leads the program's standard streams elsewhere than to the process's own.
    pub fn set_io(&mut self, io: HostIo) {
        cudair_libc::set_io(&mut self.machine, io);
    }

    /// Runs the program: constructors, `main` with these arguments (without the program's name), the functions
    /// registered for the exit.
    pub fn run_main(&mut self, args: &[String]) -> Outcome {
        let result = cudair_engine::run_program(&mut self.machine, args);
        self.machine.outcome(result)
    }

    /// The bytecode of a function as text, compiled without knowledge of a launch.
    ///
    /// # Errors
    /// What the compiler does not support.
    #[allow(clippy::result_large_err)] // made once, and it ends the command
    pub fn bytecode_text(&mut self, func: FuncId) -> Result<String, Diagnostic> {
        self.machine.bytecode_text(func)
    }
}

/// Whether the host's libraries have a function of this name.
pub fn has_host_function(name: &str) -> bool {
    Library.function(name).is_some()
        || cudair_cuda::Runtime.function(name).is_some()
        || cudair_math::lookup(name).is_some()
}

/// Whether the device's libraries have a function of this name.
pub fn has_device_function(name: &str) -> bool {
    let name = name.strip_suffix(DEVICE_SUFFIX).unwrap_or(name);
    cudair_math::lookup_device(name).is_some()
        || Library.device_function(name).is_some()
        || cudair_cuda::Runtime.device_function(name).is_some()
}

/// Whether the host's library defines a variable of this name.
pub fn has_variable(name: &str) -> bool {
    cudair_libc::is_variable(name)
}
