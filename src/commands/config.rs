//! How the machine runs a program, as the options have it.

use super::{Session, kernels, usage, warp_model};
use crate::cli::{AfterFault, Engine, Run};
use crate::{EXIT_LIMIT, EXIT_USAGE, reach};
use cudair_ir::{Diagnostic, DiagnosticClass, Kind, Module};
use cudair_vm::{Choice, DeviceProfile, Elision, Exit, Gate, Grants, VmConfig};
use std::sync::Arc;

impl Session<'_> {
    /// What a program that can run is allowed, and what of it is reported on.
    pub(super) fn ready(&mut self, module: &Module, command: &Run) -> Result<(Choice, Gate), u8> {
        if module.func_by_name("main").is_none_or(|f| module.funcs[f].is_declaration()) {
            let mut d = Diagnostic::new(DiagnosticClass::Usage, "there is no `main` to run");
            d.help = Some("`cudair check` looks at kernels without one".to_owned());
            return Err(self.fail(vec![d]));
        }
        let choice = choice(module, command).map_err(|d| self.fail(vec![*d]))?;
        for wrong in [reach::undefined_variables(module), reach::hopeless(module)] {
            if !wrong.is_empty() {
                return Err(self.fail(wrong));
            }
        }
        let gate = gate(command).map_err(|message| self.fail(vec![usage(message)]))?;
        Ok((choice, gate))
    }

    /// The exit code of a run without findings that are errors.
    pub(super) fn exit_code(&self, exit: Exit) -> u8 {
        match exit {
            Exit::Code(code) => code as u8,
            Exit::Fault => self.common.error_exitcode,
            Exit::Limit => EXIT_LIMIT,
            Exit::Unsupported | Exit::Internal => EXIT_USAGE,
        }
    }

    /// The machine's configuration, as the options have it.
    pub(super) fn config(
        &self,
        command: &Run,
        device: &Arc<DeviceProfile>,
        choice: &Choice,
        gate: Gate,
    ) -> VmConfig {
        let mut config = VmConfig {
            seed: self.common.seed,
            explores: self.common.seeds.is_none(),
            engine: engine(command),
            warp_model: warp_model(self.common.warp_model),
            after_fault: match self.common.after_fault {
                AfterFault::Launch => cudair_vm::AfterFault::Launch,
                AfterFault::Stop => cudair_vm::AfterFault::Stop,
                AfterFault::Thread => cudair_vm::AfterFault::Thread,
            },
            device: device.clone(),
            compiled_for: self.compiled_for(device),
            gate,
            strict: self.common.strict,
            perf: self.common.perf,
            dump_state: command.dump_state.is_some(),
            counts: command.coverage.is_some(),
            // Several seeds run side by side instead, each on one core.
            jobs: match (self.common.seeds, self.common.jobs) {
                (Some(_), _) => 1,
                (None, jobs) => jobs.map_or_else(cores, usize::from),
            },
            share_after: share_after(),
            check_shared_races: !self.common.no_check.contains(&Kind::SharedRace),
            check_global_races: !self.common.no_check.contains(&Kind::GlobalRace),
            elision: elision(command),
            times_elision: command.common.verdicts,
            check_facts: command.check_facts || std::env::var_os("CUDAIR_CHECK_FACTS").is_some(),
            strip_lanes: strip_lanes(),
            choice: choice.clone(),
            max_findings: self.common.max_findings,
            program_name: self.common.files.first().map_or_else(String::new, |f| {
                match self.compiler.text_of(f) {
                    Some(_) => "a.out".to_owned(),
                    None => f.with_extension("").to_string_lossy().into_owned(),
                }
            }),
            // For tools/api-coverage.
            api_log: std::env::var_os("CUDAIR_API_LOG").map(Into::into),
            ..VmConfig::default()
        };
        if let Some(fuel) = command.fuel {
            config.fuel = fuel;
        }
        if let Some(limit) = command.memory_limit {
            config.memory_limit = limit;
        }
        config
    }
}

/// What the program may reach.
fn gate(command: &Run) -> Result<Gate, String> {
    if !command.isolate {
        return Ok(Gate::default());
    }
    Gate::shut(Grants {
        read: command.allow_read.clone(),
        write: command.allow_write.clone(),
        env: command.allow_env.clone(),
    })
}

/// The launches that a run is to report on.
pub(super) fn choice(module: &Module, command: &Run) -> Result<Choice, Box<Diagnostic>> {
    let mut choice = Choice::default();
    for name in &command.kernel {
        choice.kernels.extend(kernels(module, name)?);
    }
    choice.launches = command.launch.iter().map(|&(from, to)| from..to).collect();
    Ok(choice)
}

/// What becomes of accesses that are proved free of races: what options say, or tests of it in the environment.
fn elision(command: &Run) -> Elision {
    let tested = std::env::var_os("CUDAIR_CHECK_ELISION").is_some();
    match () {
        () if command.no_elision => Elision::Off,
        () if command.check_elision || tested => Elision::Check,
        () => Elision::On,
    }
}

/// What runs kernels: what the option says, or tests of it in the environment.
fn engine(command: &Run) -> cudair_vm::Engine {
    let tested = || std::env::var("CUDAIR_ENGINE").ok().and_then(|name| cudair_vm::Engine::from_name(&name));
    match command.engine {
        Some(Engine::Auto) => cudair_vm::Engine::Auto,
        Some(Engine::Vm) => cudair_vm::Engine::Vm,
        #[cfg(feature = "jit")]
        Some(Engine::Jit) => cudair_vm::Engine::Jit,
        None => tested().unwrap_or_default(),
    }
}

/// How many threads of a block run as one strip, at most. For tests.
fn strip_lanes() -> u32 {
    let asked = std::env::var("CUDAIR_LANES").ok().and_then(|s| s.parse().ok());
    asked.unwrap_or(VmConfig::default().strip_lanes)
}

/// After how many seconds a launch goes to further cores: a default, or what tests of it say in the environment.
fn share_after() -> f64 {
    let asked = std::env::var("CUDAIR_SHARE_AFTER").ok().and_then(|s| s.parse().ok());
    asked.filter(|s: &f64| s.is_finite()).unwrap_or(VmConfig::default().share_after)
}

/// The cores of the machine.
pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
