//! `cudair debug`.

use super::{Session, usage};
use crate::cli;
use crate::debug;
use crate::monitor::Monitor;
use crate::seeds::Program;
use cudair_passes::transform::{Pass, Pipeline};
use cudair_vm::{DeviceProfile, Elision, HostIo, VmConfig};
use std::io::{BufReader, IsTerminal, stdin};
use std::sync::Arc;

/// An option of `run` that a run under the debugger has no use for.
fn unfit(run: &cli::Run) -> Option<&'static str> {
    let common = &run.common;
    let asked = [
        (common.seeds.is_some(), "--seeds"),
        (common.verdicts, "--verdicts"),
        (common.perf, "--perf"),
        (run.coverage.is_some(), "--coverage"),
        (run.dump_state.is_some(), "--dump-state"),
        (run.check_elision, "--check-elision"),
        (run.check_facts, "--check-facts"),
    ];
    asked.into_iter().find(|(is, _)| *is).map(|(_, option)| option)
}

impl Session<'_> {
    /// Runs a program under the debugger, without transforms and on one core.
    pub(super) fn debug(
        &mut self,
        command: &cli::Debug,
        device: &Arc<DeviceProfile>,
        program: Vec<String>,
        monitor: &Arc<Monitor>,
    ) -> u8 {
        let run = &command.run;
        if let Some(option) = unfit(run) {
            return self.fail(vec![usage(format!("`debug` takes no `{option}`: it belongs to `run`"))]);
        }
        let commands: debug::Commands = match &command.commands {
            None => Box::new(BufReader::new(stdin())),
            Some(path) => match std::fs::File::open(path) {
                Ok(file) => Box::new(BufReader::new(file)),
                Err(e) => return self.fail(vec![usage(format!("cannot read {}: {e}", path.display()))]),
            },
        };
        self.watch(run, monitor);
        self.compiler.counted = true;
        let module = match self.module(&Pipeline { passes: vec![Pass::Contract] }, device) {
            Ok(module) => Arc::new(module),
            Err(code) => return code,
        };
        let (choice, gate) = match self.ready(&module, run) {
            Ok(ready) => ready,
            Err(code) => return code,
        };
        let echoes = command.commands.is_some() || !stdin().is_terminal();
        let session = Arc::new(debug::Session::new(&module, &self.counted, commands, echoes));
        if !session.begin() {
            return 0;
        }
        let config = VmConfig {
            debugger: Some(session.clone()),
            explores: false,
            jobs: 1,
            elision: Elision::Off,
            ..self.config(run, device, &choice, gate)
        };
        let program = Program { module, config, args: program };
        // What the user types is the debugger's.
        let own = command.commands.is_none();
        let streams = |io: HostIo| if own { HostIo { stdin: Box::new(std::io::empty()), ..io } } else { io };
        let outcome = program.run_with(monitor, streams);
        monitor.telling();
        if session.has_ended() {
            return 0;
        }
        let code = self.exit_code(outcome.exit);
        (self.left, self.unseen) = (outcome.left, outcome.unseen);
        self.finish(outcome.findings, outcome.diagnostics, code)
    }
}
