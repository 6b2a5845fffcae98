//! Which repairs a command tries ([`crate::repair`]).

use super::Session;
use super::config::choice;
use crate::cli::{Check, Run, WarpModel};
use crate::monitor::Monitor;
use crate::repair::{self, Analyses, Ran, Rerun, Runs};
use cudair_ir::{Finding, Module, Origin};
use cudair_passes::check::CheckOptions;
use cudair_passes::transform::Pipeline;
use cudair_vm::{DeviceProfile, Gate, Grants, Outcome, VmConfig};
use rustc_hash::FxHashMap;

impl Session<'_> {
    /// What looks at a program with a repair.
    fn analyses<'s>(
        &'s self,
        module: &'s Module,
        device: &'s DeviceProfile,
        passes: Pipeline,
        options: CheckOptions,
    ) -> Analyses<'s> {
        let program = repair::Program { files: &self.common.files, compiler: &self.compiler, device };
        // An isolated run starts no other program.
        Analyses::new(program, module, passes, options, !self.compiler.isolate)
    }

    /// The findings for which repairs are tried: those that will be told, one of each cause before the others.
    fn told<'f>(&mut self, findings: &'f mut [Finding]) -> Vec<&'f mut Finding> {
        let Session { common, filters, sources, .. } = self;
        let told = |f: &&mut Finding| filters.is_told(common, f, sources);
        let mut told: Vec<&mut Finding> =
            findings.iter_mut().filter(told).take(common.max_findings).collect();
        let mut causes: FxHashMap<_, usize> = FxHashMap::default();
        told.sort_by_cached_key(|f| {
            let Some(cause) = f.shared_cause() else { return 0 };
            let n = causes.entry(cause).or_default();
            *n += 1;
            *n
        });
        told
    }

    /// Whether a file is IR, whose text is not that of a program.
    fn is_textual(&self) -> bool {
        self.common.files.iter().any(|f| self.compiler.is_ir(f))
    }

    /// Tries repairs for what a run found: as the program ran, with its arguments.
    pub(super) fn repair_run(
        &mut self,
        module: &Module,
        outcome: &mut Outcome,
        command: &Run,
        device: &DeviceProfile,
        (config, args, monitor): (VmConfig, &[String], &Monitor),
    ) {
        let effort = command.repairing.effort();
        let (fuel, longest) = effort.limits(config.fuel);
        // What the program may read it may read again; it writes nothing.
        let (read, env) = (command.allow_read.clone(), command.allow_env.clone());
        let Ok(gate) = Gate::shut(Grants { read, env, ..Grants::default() }) else { return };
        let config = VmConfig { fuel, gate, perf: false, dump_state: false, api_log: None, ..config };
        let first = Ran::of(outcome);
        let told = self.told(&mut outcome.findings);
        let options = self.repair_rules(device);
        let choice = |module: &Module| choice(module, command).ok();
        let analyses = self.analyses(module, device, Pipeline::machine(), options);
        let rerun = Rerun { args, config, longest, monitor };
        let mut runs = Runs::new(analyses, rerun, &choice, first);
        repair::mend(&module.source, told, &mut runs, effort, self.is_textual());
    }

    /// Tries repairs for what the analyses found.
    pub(super) fn repair_checked(
        &mut self,
        module: &Module,
        findings: &mut [Finding],
        options: CheckOptions,
        command: &Check,
        device: &DeviceProfile,
    ) {
        let told = self.told(findings);
        let mut analyses = self.analyses(module, device, Pipeline::default(), options);
        repair::mend(&module.source, told, &mut analyses, command.repairing.effort(), self.is_textual());
    }

    /// Tries repairs for what the analyses of a program know besides what its run found.
    pub(super) fn repair_known(
        &mut self,
        module: &Module,
        findings: &mut [Finding],
        command: &Run,
        device: &DeviceProfile,
    ) {
        let options = self.repair_rules(device);
        let mut told = self.told(findings);
        told.retain(|f| f.origin == Origin::Static);
        let mut analyses = self.analyses(module, device, Pipeline::default(), options);
        repair::mend(&module.source, told, &mut analyses, command.repairing.effort(), self.is_textual());
    }

    fn repair_rules(&self, device: &DeviceProfile) -> CheckOptions {
        let lockstep = matches!(self.common.warp_model, WarpModel::Lockstep);
        CheckOptions { lockstep, ..self.check_rules(device) }
    }
}
