//! What a run is told: limits, seeds, the model of the device.

use crate::debug::Debugger;
use crate::gate::Gate;
use crate::profile::DeviceProfile;
use cudair_report::Choice;
use cudair_report::watch::Watch;
use std::path::PathBuf;
use std::sync::Arc;

/// How the lanes of a warp make progress relative to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WarpModel {
    /// Independent thread scheduling: every lane makes progress, as devices from compute capability
    /// 7.0 promise.
    #[default]
    Its,
    /// The lanes of a warp advance together; what depends on more is reported.
    Lockstep,
}

impl WarpModel {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            WarpModel::Its => "its",
            WarpModel::Lockstep => "lockstep",
        }
    }

    /// The inverse of [`WarpModel::name`].
    pub fn from_name(name: &str) -> Option<WarpModel> {
        [WarpModel::Its, WarpModel::Lockstep].into_iter().find(|m| m.name() == name)
    }
}

/// What ends when a thread of the device does something after which it cannot go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AfterFault {
    /// The launch, as on a device: later calls of the runtime return the error.
    #[default]
    Launch,
    /// The run.
    Stop,
    /// That thread alone: the others go on as if it had left the kernel.
    Thread,
}

/// What runs kernels.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engine {
    /// Machine code where that is worth its compilation, else bytecode.
    #[default]
    Auto,
    /// Bytecode.
    Vm,
    /// Machine code wherever a kernel can be compiled and a launch allows it.
    Jit,
}

impl Engine {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Vm => "vm",
            Engine::Jit => "jit",
        }
    }

    /// The inverse of [`Engine::name`].
    pub fn from_name(name: &str) -> Option<Engine> {
        [Engine::Auto, Engine::Vm, Engine::Jit].into_iter().find(|e| e.name() == name)
    }
}

/// What becomes of accesses that are proved free of races.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Elision {
    /// Nobody asks; the detector sees all.
    Off,
    /// The detector does not see them, in launches that are worth the question.
    #[default]
    On,
    /// The detector sees all, in all launches; a race at a place that is proved free of races is a defect of cudair.
    Check,
}

/// How a run is to be done. [`VmConfig::default`] is what the command line means without options.
#[derive(Clone, Debug)]
pub struct VmConfig {
    /// Operations (back edges and calls, weighted by lanes) that the program may spend.
    pub fuel: u64,
    /// Bytes of memory that the program may hold, host and device together.
    pub memory_limit: u64,
    /// Through which others see the run and end it.
    pub watch: Arc<Watch>,
    /// `None` is the deterministic default order; a seed permutes blocks, warps and preemption points.
    pub seed: Option<u64>,
    /// Short launches with locks run under a few seeds, too, unless there is a seed.
    pub explores: bool,
    /// What runs kernels.
    pub engine: Engine,
    /// How the lanes of a warp make progress.
    pub warp_model: WarpModel,
    /// What ends when a thread of the device cannot go on.
    pub after_fault: AfterFault,
    /// The device that the program sees.
    pub device: Arc<DeviceProfile>,
    /// The compute capability that the device code is compiled for, times ten.
    pub compiled_for: u32,
    /// What the program reaches of the machine.
    pub gate: Gate,
    /// Findings that newer devices forgive are errors, and what compare-and-swaps make good is noted.
    pub strict: bool,
    /// What is alive when a launch or the run stops is kept as text.
    pub dump_state: bool,
    /// Performance notes are wanted.
    pub perf: bool,
    /// Who is asked at each place that the program counts how the run goes on.
    pub debugger: Option<Arc<dyn Debugger>>,
    /// The program's counters are wanted ([`Outcome::counts`](crate::machine::Outcome::counts)).
    pub counts: bool,
    /// Cores to use.
    pub jobs: usize,
    /// After how many seconds the rest of a launch goes to further cores, if it takes longer still.
    pub share_after: f64,
    /// The launches that are to be reported on.
    pub choice: Choice,
    /// Findings of different places after which further ones are only counted: so many errors and so many others,
    /// but a thousand at least.
    pub max_findings: usize,
    /// Threads of a block that run as one strip, at most: whole warps, up to 256. For tests.
    pub strip_lanes: u32,
    /// Frames of calls, host or device, after which the stack counts as overflown.
    pub max_call_depth: usize,
    /// Look for races in shared memory.
    pub check_shared_races: bool,
    /// Look for races in global memory.
    pub check_global_races: bool,
    /// What becomes of accesses that are proved free of races.
    pub elision: Elision,
    /// The time that they save is measured ([`cudair_report::Launched::saving`]).
    pub times_elision: bool,
    /// Device code makes no use of what is proved of its values in a launch, and tests it where they are defined: a fact
    /// that does not hold is a defect of cudair.
    pub check_facts: bool,
    /// Look for uses of memory never written.
    pub check_init: bool,
    /// Report memory that is never freed.
    pub check_leaks: bool,
    /// What the program's `argv[0]` is.
    pub program_name: String,
    /// A file that takes a line for each function of the API and each code that it gave.
    pub api_log: Option<PathBuf>,
}

impl VmConfig {
    /// Whether machine code may run: nothing is asked of the run that the bytecode alone does.
    pub(crate) fn allows_machine_code(&self) -> bool {
        self.engine != Engine::Vm
            && self.elision != Elision::Check
            && self.debugger.is_none()
            && !self.dump_state
            && !self.perf
            && !self.counts
            && !self.check_facts
    }
}

impl Default for VmConfig {
    fn default() -> VmConfig {
        VmConfig {
            fuel: 1 << 44,
            memory_limit: 16 << 30,
            watch: Arc::default(),
            seed: None,
            explores: true,
            engine: Engine::Auto,
            warp_model: WarpModel::Its,
            after_fault: AfterFault::Launch,
            device: Arc::new(DeviceProfile::default()),
            compiled_for: DeviceProfile::default().capability(),
            gate: Gate::default(),
            strict: false,
            dump_state: false,
            perf: false,
            debugger: None,
            counts: false,
            jobs: 1,
            share_after: 0.004,
            choice: Choice::default(),
            max_findings: 1000,
            strip_lanes: 256,
            max_call_depth: 250_000,
            check_shared_races: true,
            check_global_races: true,
            elision: Elision::default(),
            times_elision: false,
            check_facts: false,
            check_init: true,
            check_leaks: true,
            program_name: "a.out".to_owned(),
            api_log: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warp_models_are_found_by_name() {
        assert_eq!(WarpModel::from_name("lockstep"), Some(WarpModel::Lockstep));
    }
}
