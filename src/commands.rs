//! What each command does, from parsed arguments to the exit code.

mod cache;
mod config;
mod dap;
mod debug;
mod input;
mod repairs;
mod wanted;
mod words;

use crate::cli::{Check, Cli, Command, Common, Emit, Format, Lower, Run, WarpModel};
use crate::compiler_args::{CompilerArgs, STDIN_NAME};
use crate::confirm::Confirm;
use crate::early::{self, Early};
use crate::monitor::{Ending, Monitor};
use crate::output::{Listener, Output, Reports};
use crate::pipeline::{self, Failure, compile};
use crate::render::{Look, Report, Sources};
use crate::repair::Effort;
use crate::seeds::Program;
use crate::smt_dump::Dump;
use crate::solver::Z3;
use crate::streams::SharedInput;
use crate::suppress;
use crate::verdicts::{self, Seen};
use crate::{
    EXIT_LIMIT, EXIT_USAGE, cli, coverage, device, doctor, emit, explain, render, shell, timings, trace,
};
use cudair_ir::verdict::{self, CheckVerdict, KernelVerdict};
use cudair_ir::{Diagnostic, DiagnosticClass, Finding, FuncId, Function, Module, Origin, Side, SourceMap};
use cudair_passes::check::{CheckOptions, analyze_module, check_module, is_named};
use cudair_passes::perf::Perf;
use cudair_passes::symbolic::smt::{NoSolver, Solver};
use cudair_passes::transform::count::Counted;
use cudair_passes::transform::{Pass, Pipeline, run_pipeline};
use cudair_vm::{DeviceProfile, Exit, Unseen, VmConfig};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
pub use wanted::Filters;
pub use words::{quoted, reproduce};

/// Does what the command line says and gives the exit code.
pub fn dispatch(
    cli: Cli,
    compiler: CompilerArgs,
    program: Vec<String>,
    words: &[String],
    monitor: &Arc<Monitor>,
) -> u8 {
    let common = match &cli.command {
        Command::Run(c) => &c.common,
        Command::Debug(c) => &c.run.common,
        Command::Check(c) => &c.common,
        Command::Lower(c) => &c.common,
        Command::Dap => return dap::serve(monitor),
        Command::Cache(c) => return print_or_tell(cache::cache(c)),
        Command::Explain(c) => return explain_kind(c.kind.as_deref()),
        Command::Doctor(c) => return examine(c),
        Command::Completions(c) => return print(shell::completions(c.shell)),
        Command::Man(c) => return print_or_tell(shell::page(c)),
    };
    let (mut session, device) = match open(&cli.command, common, (compiler, &program, words), None) {
        Ok(opened) => opened,
        Err(code) => return code,
    };
    match &cli.command {
        Command::Run(c) => session.run(c, &device, program, monitor),
        Command::Debug(c) => session.debug(c, &device, program, monitor),
        Command::Check(c) => session.check(c, &device),
        Command::Lower(c) => session.lower(c, &device),
        Command::Dap
        | Command::Cache(_)
        | Command::Explain(_)
        | Command::Doctor(_)
        | Command::Completions(_)
        | Command::Man(_) => {
            unreachable!("these were answered above")
        }
    }
}

/// A command that is ready to work on its files, and the device. `listener` hears what else goes to stderr.
fn open<'a>(
    command: &Command,
    common: &'a Common,
    (mut compiler, program, words): (CompilerArgs, &[String], &[String]),
    listener: Option<Arc<dyn Listener>>,
) -> Result<(Session<'a>, Arc<DeviceProfile>), u8> {
    trace::begin(&common.trace);
    compiler.isolate =
        matches!(command, Command::Run(run) | Command::Debug(cli::Debug { run, .. }) if run.isolate);
    // Who wants to see what the parser, the lowering and the passes do wants them to do it.
    let seen = |part: &str| matches!(part, "parse" | "lower" | "passes");
    compiler.cached = !common.no_cache && !common.trace.iter().any(|(part, _)| seen(part));
    // Who listens has asked for this already.
    compiler.may_restart = listener.is_none();
    // What is read comes first: a report may take the place of the one that it is compared with.
    let filters = Filters::read(common);
    let (to, unopened) = match Reports::open(&common.report, common.format) {
        Ok(to) => (to, None),
        Err(diagnostic) => (Reports::stderr(common.format), Some(diagnostic)),
    };
    let mut session = Session {
        common,
        compiler,
        sources: Sources::default(),
        reproduce: reproduce(words),
        filters: Filters::default(),
        left: 0,
        unseen: Unseen::default(),
        verdicts: Vec::new(),
        notes: Vec::new(),
        counted: Vec::new(),
        asides: Vec::new(),
        spoilt: false,
        to: to.heard_by(listener),
        shown: early::List::default(),
    };
    if let Some(diagnostic) = unopened {
        return Err(session.fail(vec![*diagnostic]));
    }
    match input::standard_input(&common.files) {
        Ok(text) => {
            session.compiler.stdin = text;
            session.sources = session.sources(None);
        }
        Err(d) => return Err(session.fail(vec![*d])),
    }
    let device = match session.check_options(command, program) {
        Ok(device) => device,
        Err(diagnostic) => return Err(session.fail(vec![*diagnostic])),
    };
    match filters {
        Ok(filters) => session.filters = filters,
        Err(diagnostics) => return Err(session.fail(diagnostics)),
    }
    Ok((session, device))
}

/// `cudair doctor`
fn examine(command: &cli::Doctor) -> u8 {
    match doctor::doctor(command) {
        Ok((text, code)) => print(&text).max(code),
        Err(error) => {
            let text = render::diagnostic(&error.diagnostic(), &mut Sources::default(), Look::of_stderr());
            let _ = std::io::stderr().write_all(text.as_bytes());
            EXIT_USAGE
        }
    }
}

fn explain_kind(kind: Option<&str>) -> u8 {
    print_or_tell(kind.map_or_else(|| Ok(explain::list()), explain::text))
}

/// Writes to stdout what there is, and to stderr why there is nothing.
fn print_or_tell(text: Result<impl AsRef<[u8]>, String>) -> u8 {
    match text {
        Ok(text) => print(text),
        Err(message) => {
            let _ = writeln!(std::io::stderr(), "error: {message}");
            EXIT_USAGE
        }
    }
}

/// Writes to stdout. A reader that has gone away is no failure of ours.
fn print(text: impl AsRef<[u8]>) -> u8 {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_ref()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
            let _ = writeln!(std::io::stderr(), "error: cannot write: {e}");
            EXIT_USAGE
        }
        _ => 0,
    }
}

/// One command at work.
struct Session<'a> {
    common: &'a Common,
    compiler: CompilerArgs,
    sources: Sources,
    reproduce: String,
    filters: Filters,
    /// Findings that the run did not keep.
    left: u64,
    /// What the run did not look at.
    unseen: Unseen,
    /// What was proved of each kernel.
    verdicts: Vec<KernelVerdict>,
    /// What of the files is not in the module.
    notes: Vec<Diagnostic>,
    /// What the program counts.
    counted: Vec<Counted>,
    /// What in the files was meant for cudair and says nothing to it.
    asides: Vec<Diagnostic>,
    /// Something besides the report could not be written.
    spoilt: bool,
    /// Where the report goes.
    to: Reports,
    /// The findings that were shown while the program ran.
    shown: early::List,
}

fn usage(message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(DiagnosticClass::Usage, message)
}

impl Session<'_> {
    /// What the arguments ask for beyond what there is; else the device.
    fn check_options(
        &self,
        command: &Command,
        program: &[String],
    ) -> Result<Arc<DeviceProfile>, Box<Diagnostic>> {
        let common = self.common;
        if !program.is_empty() && !matches!(command, Command::Run(_) | Command::Debug(_)) {
            return Err(Box::new(usage("only `run` and `debug` take arguments for the program after `--`")));
        }
        device::find(common.device.as_deref())
    }

    /// Ends with diagnostics alone.
    fn fail(&mut self, diagnostics: Vec<Diagnostic>) -> u8 {
        let exit = Some(EXIT_USAGE);
        let report = Report { diagnostics, reproduce: self.reproduce.clone(), exit, ..Report::default() };
        self.tell(&report);
        EXIT_USAGE
    }

    fn failure(&mut self, failure: Failure) -> u8 {
        if let Some(map) = &failure.source {
            self.sources = self.sources(Some(map));
        }
        self.fail(failure.diagnostics)
    }

    /// The texts that places are in.
    fn sources(&self, map: Option<&SourceMap>) -> Sources {
        let mut sources = Sources::new(map);
        if let Some(text) = &self.compiler.stdin {
            sources.insert(STDIN_NAME, text);
        }
        sources
    }

    /// Compiles and links all files and runs passes.
    fn module(&mut self, passes: &Pipeline, device: &DeviceProfile) -> Result<Module, u8> {
        match compile(&self.common.files, &self.compiler, device, passes) {
            Ok(compiled) => {
                self.sources = self.sources(Some(&compiled.module.source));
                self.notes = compiled.notes;
                self.counted = compiled.counted;
                self.asides = suppress::unknown_kinds(&compiled.module.source);
                self.asides.extend(compiled.warning);
                for name in &self.common.exclude_kernel {
                    match kernels(&compiled.module, name) {
                        Ok(ids) => ids.iter().for_each(|&k| self.filters.exclude(&compiled.module.funcs[k])),
                        Err(d) => return Err(self.fail(vec![*d])),
                    }
                }
                Ok(compiled.module)
            }
            Err(failure) => Err(self.failure(*failure)),
        }
    }

    /// Writes the report to where it belongs. False if that cannot be done.
    fn tell(&mut self, report: &Report) -> bool {
        self.to.tell(report, &mut self.sources)
    }

    /// Makes a report of what is wanted, writes it and gives the exit code, `otherwise` where no finding is an error.
    fn finish(&mut self, findings: Vec<Finding>, mut diagnostics: Vec<Diagnostic>, otherwise: u8) -> u8 {
        let is = |class| diagnostics.iter().any(|d: &Diagnostic| d.class == class);
        let limited = is(DiagnosticClass::Limit);
        let stopped = diagnostics.iter().any(|d| d.class != DiagnosticClass::Limit && !d.class.is_aside());
        let whole = !stopped && !limited && self.left == 0;
        let (mut report, errors) = self.filters.report(self.common, &mut self.sources, findings, whole);
        report.left_out += self.left as usize;
        report.unseen = std::mem::take(&mut self.unseen);
        report.verdicts = std::mem::take(&mut self.verdicts);
        report.verdicts.retain(|v| !self.filters.is_excluded(Some(&v.kernel)));
        diagnostics.append(&mut self.asides);
        diagnostics.append(&mut report.diagnostics);
        report.diagnostics = diagnostics;
        report.reproduce = self.reproduce.clone();
        report.shown.clone_from(&early::list(&self.shown));
        let code = match (stopped || self.spoilt, limited, errors) {
            (true, ..) => EXIT_USAGE,
            (_, true, _) => EXIT_LIMIT,
            (.., true) => self.common.error_exitcode,
            _ => otherwise,
        };
        report.exit = Some(code);
        if self.tell(&report) { code } else { EXIT_USAGE }
    }

    /// The compute capability that the device code is for, times ten. Where no device is named, one that runs it is
    /// meant.
    fn compiled_for(&self, device: &DeviceProfile) -> u32 {
        let arch = self.compiler.arch_on(device.capability());
        if self.common.device.is_some() { arch } else { arch.min(device.capability()) }
    }

    fn check_rules(&self, device: &DeviceProfile) -> CheckOptions {
        CheckOptions {
            // A device that is asked for by name counts; else what the program is compiled for.
            compute_capability: match self.common.device {
                None => self.compiler.arch_on(device.capability()),
                Some(_) => device.capability(),
            },
            compiled_for: self.compiled_for(device),
            strict: self.common.strict,
            has_device_function: cudair_vm::has_device_function,
            ..CheckOptions::default()
        }
    }

    fn check(&mut self, command: &Check, device: &Arc<DeviceProfile>) -> u8 {
        self.filters.partial = command.kernel.is_some();
        self.filters.looked_for = Some(verdict::Check::ALL.iter().map(|c| c.kind()).collect());
        let module = match self.module(&Pipeline::default(), device) {
            Ok(module) => module,
            Err(code) => return code,
        };
        if let Some(name) = &command.kernel
            && let Err(d) = kernels(&module, name)
        {
            return self.fail(vec![*d]);
        }
        let wanted = |f: &Function| {
            f.side == Side::Kernel && command.kernel.as_ref().is_none_or(|name| is_named(f, name))
        };
        if let Some(a) =
            command.assume.iter().find(|a| !module.funcs.values().any(|f| wanted(f) && a.is_of(f)))
        {
            let message = format!("no kernel has all the integer parameters that `{a}` names");
            return self.fail(vec![usage(message)]);
        }
        let mut dump = match command.dump_smt.as_deref().map(Dump::open).transpose() {
            Ok(dump) => dump,
            Err(d) => return self.fail(vec![*d]),
        };
        let mut diagnostics = std::mem::take(&mut self.notes);
        let confirm = command.confirm.as_deref().map(|folder| self.confirm(folder, device)).transpose();
        let mut confirm = match confirm {
            Ok(confirm) => confirm,
            Err(d) => return self.fail(vec![*d]),
        };
        let mut z3 = Z3::default();
        let solver: &mut dyn Solver = match &mut dump {
            Some(dump) => dump,
            None => &mut z3,
        };
        let options = CheckOptions {
            analyses: if self.common.perf { vec![&Perf] } else { Vec::new() },
            kernel: command.kernel.clone(),
            block: command.block_dim,
            grid: command.grid_dim,
            assume: command.assume.clone(),
            lockstep: matches!(self.common.warp_model, WarpModel::Lockstep),
            counterexamples: confirm.is_some(),
            ..self.check_rules(device)
        };
        let mut checked = check_module(&module, &options, solver);
        if !module.funcs.values().any(|f| f.side == Side::Kernel) {
            let message = "there is no kernel here, so nothing was checked";
            diagnostics.push(Diagnostic::new(DiagnosticClass::Note, message));
        }
        diagnostics.extend(dump.and_then(Dump::close));
        if let Some(confirm) = &mut confirm {
            let unwanted = |f: &Finding| self.common.no_check.contains(&f.kind);
            let all = checked.findings.iter_mut().chain(&mut checked.possible);
            for finding in all.filter(|f| !unwanted(f)) {
                if let Err(d) = confirm.confirm(&module, finding, &mut checked.verdicts) {
                    return self.fail(vec![*d]);
                }
            }
        }
        diagnostics.extend(confirm.map(Confirm::close));
        let mut findings = checked.findings;
        let all = self.common.verdicts || self.common.strict;
        findings.extend(checked.possible.into_iter().filter(|f| all || f.origin == Origin::Both));
        let options = CheckOptions { analyses: Vec::new(), counterexamples: false, ..options };
        self.repair_checked(&module, &mut findings, options, command, device);
        self.conclude(checked.verdicts);
        self.finish(findings, diagnostics, 0)
    }

    /// What looks for runs that show findings, in a folder.
    fn confirm(&self, folder: &Path, device: &Arc<DeviceProfile>) -> Result<Confirm<'_>, Box<Diagnostic>> {
        let config = VmConfig {
            warp_model: warp_model(self.common.warp_model),
            device: device.clone(),
            compiled_for: self.compiled_for(device),
            jobs: self.common.jobs.map_or_else(config::cores, usize::from),
            ..VmConfig::default()
        };
        let mut options = self.compiler.words(device.capability());
        if let Some(name) = &self.common.device {
            options.extend(["--device".to_owned(), name.clone()]);
        }
        if matches!(self.common.warp_model, WarpModel::Lockstep) {
            options.extend(["--warp-model".to_owned(), "lockstep".to_owned()]);
        }
        Confirm::open(folder, &self.common.files, &self.compiler, config, options)
    }

    /// Keeps verdicts for the report, without those of checks that nobody wants.
    fn conclude(&mut self, verdicts: Vec<KernelVerdict>) {
        self.verdicts = verdicts;
        if !self.common.no_check.is_empty() {
            let wanted = |v: &CheckVerdict| !self.common.no_check.iter().any(|k| k.name() == v.check.name());
            self.verdicts.iter_mut().for_each(|v| v.checks.retain(wanted));
            self.verdicts.retain(|v| !v.checks.is_empty());
        }
    }

    /// Watches over the rest of the command: Ctrl-C and the time limit.
    fn watch(&self, command: &Run, monitor: &Monitor) {
        let (common, mut filters, to) = (self.common.clone(), self.filters.clone(), self.to.clone());
        let (reproduce, shown) = (self.reproduce.clone(), self.shown.clone());
        let tell = move |ending: Ending| {
            let mut sources = Sources::new(ending.module.as_ref().map(|m| &m.source));
            let (mut told, _) = filters.report(&common, &mut sources, ending.findings, false);
            told.diagnostics = vec![ending.diagnostic];
            told.reproduce = reproduce;
            told.exit = Some(EXIT_LIMIT);
            told.shown.clone_from(&early::list(&shown));
            to.tell(&told, &mut sources);
        };
        if let Err(e) = monitor.begin(command.timeout, Box::new(tell)) {
            let _ = writeln!(std::io::stderr(), "warning: Ctrl-C ends the run without findings: {e}");
        }
    }

    fn run(
        &mut self,
        command: &Run,
        device: &Arc<DeviceProfile>,
        program: Vec<String>,
        monitor: &Arc<Monitor>,
    ) -> u8 {
        let dump = match Output::open(command.dump_state.as_deref()) {
            Ok(dump) => dump,
            Err(d) => return self.fail(vec![*d]),
        };
        let coverage = match Output::open(command.coverage.as_ref().map(|c| c.0.as_path())) {
            Ok(coverage) => coverage,
            Err(d) => return self.fail(vec![*d]),
        };
        self.filters.partial = !command.kernel.is_empty() || !command.launch.is_empty();
        self.watch(command, monitor);
        // Where variables are to be shown they stay in memory, and calls are calls.
        let passes = match command.dump_state {
            // What is one expression is fused all the same.
            Some(_) => Pipeline { passes: vec![Pass::Contract] },
            None if self.common.verdicts => Pipeline::default(),
            None => Pipeline::machine(),
        };
        self.compiler.counted = command.coverage.is_some();
        let mut module = match self.module(&passes, device) {
            Ok(module) => module,
            Err(code) => return code,
        };
        self.compiler.counted = false;
        let analysed = match self.for_verdicts(&mut module, command) {
            Ok(analysed) => analysed,
            Err(code) => return code,
        };
        let module = Arc::new(module);
        let (choice, gate) = match self.ready(&module, command) {
            Ok(ready) => ready,
            Err(code) => return code,
        };
        let config = self.config(command, device, &choice, gate);
        let (again, again_args) = (config.clone(), program.clone());
        let program = Program { module: module.clone(), config, args: program };
        let mut outcome = match self.common.seeds {
            Some((from, to)) => program.run_seeds(from..to, self.common.jobs.map_or(1, usize::from), monitor),
            None => match self.early(&module, command, monitor) {
                Some(early) => {
                    program.config.watch.listen(early.clone());
                    program.run_on(monitor, &SharedInput::default(), |io| early.streams(io))
                }
                None => program.run(monitor),
            },
        };
        monitor.telling();
        let _ = std::io::stdout().flush();
        // What was found is told all the same where this cannot be written.
        let dumped = outcome.state.as_ref().is_none_or(|state| dump.write(state));
        let covered = command.coverage.is_none()
            || coverage.write(&coverage::lcov(&module.source, &self.counted, &outcome.counts));
        // A run that was cut short is not to take longer.
        let whole = outcome.exit != Exit::Limit;
        if whole {
            timings::stage("repairs");
            self.repair_run(&module, &mut outcome, command, device, (again, &again_args, monitor));
        }
        let mut findings = outcome.findings;
        let mut diagnostics = outcome.diagnostics;
        match analysed {
            Some(analysed) if whole => {
                timings::stage("verdicts");
                let warp_model = warp_model(self.common.warp_model);
                let seen = Seen {
                    module: &module,
                    analysed: &analysed,
                    ran: &outcome.ran,
                    findings: &findings,
                    left: outcome.left,
                    device,
                    warp_model,
                };
                let mut known = self.verdicts_of(&analysed, command, &seen);
                let kernels = || choice.kernels.iter().map(|&k| &module.funcs[k].display_name);
                self.verdicts.retain(|v| choice.kernels.is_empty() || kernels().any(|k| *k == v.kernel));
                known.retain(|f| choice.kernels.is_empty() || is_of(&module, &choice.kernels, f));
                verdicts::merge(&mut findings, known, true);
                self.repair_known(&analysed, &mut findings, command, device);
            }
            Some(_) => diagnostics.push(Diagnostic::new(
                DiagnosticClass::Note,
                "there are no verdicts, since the run was cut short",
            )),
            None if whole && findings.iter().any(|f| pipeline::is_checked(f.kind)) => {
                let (_, mut known) = analyze_module(&module, &self.check_rules(device));
                known.retain(|f| choice.kernels.is_empty() || is_of(&module, &choice.kernels, f));
                verdicts::merge(&mut findings, known, false);
            }
            None => {}
        }
        let code = self.exit_code(outcome.exit);
        self.left = outcome.left;
        self.unseen = outcome.unseen;
        if !choice.is_all() {
            diagnostics.extend(unmatched(outcome.launches));
        }
        self.spoilt |= !dumped || !covered;
        self.finish(findings, diagnostics, code)
    }

    /// What shows findings while the program runs, where they are written for people, and nothing but the run decides about
    /// them.
    fn early(&self, module: &Arc<Module>, command: &Run, monitor: &Arc<Monitor>) -> Option<Arc<Early>> {
        let format = self.to.on_stderr().filter(|f| matches!(f, Format::Human | Format::Short))?;
        if self.common.verdicts || self.common.baseline.is_some() {
            return None;
        }
        let repairs = command.repairing.effort() != Effort::None;
        let early = Arc::new(Early::new(
            (module, monitor),
            (self.common, format, repairs),
            (self.filters.clone(), self.sources.clone()),
            self.shown.clone(),
        ));
        monitor.show_early(early.clone());
        Some(early)
    }

    /// The module that verdicts are about: the one that `check` would look at. Makes `module` what the machine runs.
    fn for_verdicts(&mut self, module: &mut Module, command: &Run) -> Result<Option<Module>, u8> {
        if !self.common.verdicts {
            return Ok(None);
        }
        let mut analysed = module.clone();
        let changed = match command.dump_state {
            // The machine has its module already.
            Some(_) => run_pipeline(&mut analysed, &Pipeline::default()),
            None => run_pipeline(module, &Pipeline::beyond_default()),
        };
        match changed {
            Ok(()) => Ok(Some(analysed)),
            Err(e) => Err(self.fail(vec![Diagnostic::new(DiagnosticClass::Internal, e.to_string())])),
        }
    }

    /// Keeps the verdicts of a run, and gives what the analyses found besides.
    fn verdicts_of(&mut self, analysed: &Module, command: &Run, seen: &Seen<'_>) -> Vec<Finding> {
        let options = CheckOptions {
            lockstep: seen.warp_model == cudair_vm::WarpModel::Lockstep,
            ..self.check_rules(seen.device)
        };
        // An isolated run starts no other program.
        let checked = if command.isolate {
            check_module(analysed, &options, &mut NoSolver)
        } else {
            check_module(analysed, &options, &mut Z3::default())
        };
        let verdicts = verdicts::join(checked.verdicts, seen);
        let mut known = checked.findings;
        known.extend(checked.possible);
        known.retain(|f| !verdicts::excludes(&verdicts, f));
        self.conclude(verdicts);
        known
    }

    fn lower(&mut self, command: &Lower, device: &Arc<DeviceProfile>) -> u8 {
        if let Some(why) = emit::refused(command) {
            return self.fail(vec![usage(why)]);
        }
        let list = match (&command.passes, command.emit) {
            (Some(list), _) => list.as_str(),
            // What is IR already is printed as it is; the machine's code is made from what passes leave.
            (None, Emit::Ir | Emit::Cfg | Emit::Json)
                if self.common.files.iter().all(|f| self.compiler.is_ir(f)) =>
            {
                "none"
            }
            (None, Emit::Bytecode) => "machine",
            (None, _) => "default",
        };
        let passes = match Pipeline::parse(list) {
            Ok(passes) => passes,
            Err(e) => {
                let names: Vec<&str> = Pass::ALL.into_iter().map(Pass::name).collect();
                let mut d = usage(e.to_string());
                d.help = cli::closest(&e.0, &names).map(|near| format!("did you mean `{near}`?"));
                return self.fail(vec![d]);
            }
        };
        let module = match self.module(&passes, device) {
            Ok(module) => module,
            Err(code) => return code,
        };
        let wanted: Vec<FuncId> = match &command.function {
            None => module.funcs.iter().filter(|(_, f)| !f.is_declaration()).map(|(id, _)| id).collect(),
            Some(name) => {
                let named: Vec<FuncId> =
                    module.funcs.iter().filter(|(_, f)| is_named(f, name)).map(|(id, _)| id).collect();
                if named.is_empty() {
                    let names: Vec<&str> = module.funcs.values().map(|f| f.display_name.as_str()).collect();
                    let mut d = usage(format!("there is no function `{name}`"));
                    d.help = cli::closest(name, &names).map(|near| format!("did you mean `{near}`?"));
                    return self.fail(vec![d]);
                }
                named
            }
        };
        let text = match emit::text(module, command, &wanted, device) {
            Ok(text) => text,
            Err(d) => return self.fail(vec![*d]),
        };
        print(&text)
    }
}

/// The kernels of a name.
fn kernels(module: &Module, name: &str) -> Result<Vec<FuncId>, Box<Diagnostic>> {
    let all = || module.funcs.iter().filter(|(_, f)| f.side == cudair_ir::Side::Kernel);
    let named: Vec<FuncId> = all().filter(|(_, f)| is_named(f, name)).map(|(id, _)| id).collect();
    if !named.is_empty() {
        return Ok(named);
    }
    let names: Vec<&str> = all().map(|(_, f)| f.display_name.as_str()).collect();
    let mut d = usage(format!("there is no kernel `{name}`"));
    d.help = Some(match cli::closest(name, &names) {
        _ if names.is_empty() => "the given files contain no kernels".to_owned(),
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the kernels are {}", names.join(", ")),
    });
    Err(Box::new(d))
}

/// Whether a finding is in one of these kernels.
fn is_of(module: &Module, kernels: &[FuncId], finding: &Finding) -> bool {
    kernels.iter().any(|&k| finding.kernel.as_ref() == Some(&module.funcs[k].display_name))
}

/// A note where launches were chosen and none was like the choice.
fn unmatched(launches: [u64; 2]) -> Option<Diagnostic> {
    let [run, 0] = launches else { return None };
    let which = "no launch matches `--kernel` and `--launch`";
    let mut d = Diagnostic::new(DiagnosticClass::Note, which);
    d.help = Some(match run {
        0 => "nothing was launched".to_owned(),
        1 => "there was one launch, number 0".to_owned(),
        n => format!("there were {n} launches, numbers 0 to {}", n - 1),
    });
    Some(d)
}

fn warp_model(asked: WarpModel) -> cudair_vm::WarpModel {
    match asked {
        WarpModel::Its => cudair_vm::WarpModel::Its,
        WarpModel::Lockstep => cudair_vm::WarpModel::Lockstep,
    }
}
