//! `cudair debug`.

use super::{Session, usage};
use crate::cli;
use crate::debug::{self, Next, Prompt, World};
use crate::monitor::Monitor;
use crate::seeds::Program;
use crate::streams::SharedInput;
use cudair_ir::{Finding, Module};
use cudair_passes::transform::{Pass, Pipeline};
use cudair_vm::{DeviceProfile, Elision, HostIo, Outcome, VmConfig};
use signal_hook::consts::SIGINT;
use std::io::{BufReader, IsTerminal, Write, stderr, stdin};
use std::sync::Arc;

impl Session<'_> {
    /// Runs a program under the debugger, without transforms and on one core.
    pub(super) fn debug(
        &mut self,
        command: &cli::Debug,
        device: &Arc<DeviceProfile>,
        program: Vec<String>,
        monitor: &Arc<Monitor>,
    ) -> u8 {
        if let Some(option) = command.unfit() {
            return self.fail(vec![usage(format!("`debug` takes no `{option}`: it belongs to `run`"))]);
        }
        let commands: debug::Commands = match &command.commands {
            None if self.compiler.stdin.is_some() => {
                return self.fail(vec![usage(
                    "standard input is the program: `--commands FILE` says what the debugger is to do",
                )]);
            }
            None => Box::new(BufReader::new(stdin())),
            Some(path) => match std::fs::File::open(path) {
                Ok(file) => Box::new(BufReader::new(file)),
                Err(e) => return self.fail(vec![usage(format!("cannot read {}: {e}", path.display()))]),
            },
        };
        let module = match self.module_to_debug(device) {
            Ok(module) => module,
            Err(code) => return code,
        };
        let world = World::default();
        // A second Ctrl-C before the first was seen ends the process.
        let caught = signal_hook::flag::register_conditional_shutdown(SIGINT, 130, world.attention.clone())
            .and_then(|_| signal_hook::flag::register(SIGINT, world.attention.clone()));
        if let Err(e) = caught {
            let _ = writeln!(stderr(), "warning: Ctrl-C ends the debugger: {e}");
        }
        let echoes = command.commands.is_some() || !stdin().is_terminal();
        let front = Box::new(Prompt::new(commands, echoes));
        let session = Arc::new(debug::Session::new(&module, &self.counted, front, &world));
        // What the user types is the debugger's.
        let own = command.commands.is_none();
        let streams = |io: HostIo| if own { HostIo { stdin: Box::new(std::io::empty()), ..io } } else { io };
        self.under_debugger(&session, (&module, &world), (&command.run, device, &program), monitor, &streams)
    }

    /// The program, with a place for the debugger before each piece of a line.
    pub(super) fn module_to_debug(&mut self, device: &DeviceProfile) -> Result<Arc<Module>, u8> {
        self.compiler.counted = true;
        self.module(&Pipeline { passes: vec![Pass::Contract] }, device).map(Arc::new)
    }

    /// Runs a program as often as its user goes back, and tells what it has found each time it comes to its end.
    pub(super) fn under_debugger(
        &mut self,
        session: &Arc<debug::Session>,
        (module, world): (&Arc<Module>, &World),
        (command, device, args): (&cli::Run, &Arc<DeviceProfile>, &[String]),
        monitor: &Arc<Monitor>,
        streams: &dyn Fn(HostIo) -> HostIo,
    ) -> u8 {
        let (choice, gate) = match self.ready(module, command) {
            Ok(ready) => ready,
            Err(code) => return code,
        };
        if !session.begin() {
            return 0;
        }
        let config = VmConfig {
            debugger: Some(session.clone()),
            explores: false,
            jobs: 1,
            elision: Elision::Off,
            ..self.config(command, device, &choice, gate.with_journal(world.journal.clone()))
        };
        let input = SharedInput::kept();
        let mut told: Option<(Vec<Finding>, u8)> = None;
        loop {
            let config = VmConfig { watch: Arc::default(), ..config.clone() };
            let program = Program { module: module.clone(), config, args: args.to_vec() };
            let outcome = program.run_on(monitor, &input, |io| world.streams(streams(io)));
            let why = match session.over() {
                Next::Again => continue,
                Next::End(_) if session.has_ended() => return 0,
                Next::End(why) => why,
            };
            let found = outcome.findings.clone();
            // What was told of another run that came to the same end is not told again.
            let code = match &told {
                Some((known, code)) if *known == found => *code,
                _ => self.tell_end(outcome),
            };
            told = Some((found.clone(), code));
            if !session.end(&why, found) {
                return code;
            }
        }
    }

    /// Tells what a whole run has found. Gives the exit code.
    fn tell_end(&mut self, outcome: Outcome) -> u8 {
        let code = self.exit_code(outcome.exit);
        (self.left, self.unseen) = (outcome.left, outcome.unseen);
        self.finish(outcome.findings, outcome.diagnostics, code)
    }
}
