//! `check --confirm DIR`: each finding that a run can show gets a program in a folder that shows it.
//!
//! A program includes the user's file, makes arrays and arguments as a [`Counterexample`] of the finding has them, and launches
//! the kernel ([`program`]). It runs in this process. Where the run reports what the analysis does, the program stays and the
//! finding is confirmed; else the next input is tried, a few of them.

mod aggregate;
mod matching;
mod program;

use crate::compiler_args::{CompilerArgs, Macro};
use crate::output::{cannot_write, open_folder};
use crate::pipeline::{Failure, compile};
use crate::{quiet, reach, verdicts};
use cudair_ir::verdict::KernelVerdict;
use cudair_ir::{
    Counterexample, Diagnostic, DiagnosticClass, Finding, Function, Kind, Module, Severity, Span,
};
use cudair_passes::transform::Pipeline;
use cudair_vm::{Exit, Gate, VmConfig};
use matching::{canonical, is_of, shows, take_over};
use program::{Choice, Contents, Included, NUMBERS};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Operations of one run.
const FUEL: u64 = 40_000_000;
/// Bytes that the program of one run may hold.
const MEMORY: u64 = 4 << 30;
/// The longest run, and the time after which no other input is tried for a finding. Nets: the limits above do not depend on
/// the machine.
const LONGEST: Duration = Duration::from_secs(20);
const PATIENCE: Duration = Duration::from_mins(1);
/// Runs for a finding that may fail to come to their end.
const UNENDED: usize = 2;
/// Inputs that are tried for a finding.
const INPUTS: usize = 24;
/// Launches of one finding that are tried.
const LAUNCHES: usize = 4;
/// Bytes of an array of which nobody knows how large it has to be, and of dynamic shared memory: each is tried where the one
/// before is too small.
const SIZES: [(u64, u32); 3] = [(1 << 16, 4 << 10), (1 << 22, 16 << 10), (1 << 25, 40 << 10)];

/// What is in the folder.
const WHAT: &str = "programs";

/// What a run came to.
#[derive(Clone, Debug, Default)]
struct Seen {
    findings: Vec<Finding>,
    /// Why it did not come to its end, or did not begin.
    stopped: Option<String>,
    /// Whether no other input would begin.
    hopeless: bool,
}

/// What is tried, and where.
pub struct Confirm<'a> {
    folder: PathBuf,
    files: &'a [PathBuf],
    /// What each program is compiled with.
    compiler: CompilerArgs,
    /// What `-D`, `-U` and `-include` say, as lines of a program.
    before: String,
    config: VmConfig,
    /// Options of cudair that a program's run needs.
    options: Vec<String>,
    /// What programs came to.
    known: FxHashMap<String, Seen>,
    /// How many findings were to be confirmed, were confirmed, and were tried at all.
    counts: [usize; 3],
}

impl<'a> Confirm<'a> {
    /// Begins. Programs are run with `config`, for which a user has to give the options `options`.
    ///
    /// # Errors
    /// That the folder cannot be used.
    pub fn open(
        folder: &Path,
        files: &'a [PathBuf],
        compiler: &CompilerArgs,
        config: VmConfig,
        options: Vec<String>,
    ) -> Result<Confirm<'a>, Box<Diagnostic>> {
        open_folder(folder, WHAT)?;
        let mut before = String::new();
        for m in &compiler.macros {
            let _ = match m {
                Macro::Define(text) => match text.split_once('=') {
                    Some((name, value)) => writeln!(before, "#define {name} {value}"),
                    None => writeln!(before, "#define {text} 1"),
                },
                Macro::Undefine(name) => writeln!(before, "#undef {name}"),
            };
        }
        for file in &compiler.includes {
            let path = std::fs::canonicalize(file).map_or(file.clone(), |p| p.to_string_lossy().into_owned());
            let _ = writeln!(before, "#include \"{path}\"");
        }
        let gate = Gate::shut(cudair_vm::Grants::default());
        let gate = gate.map_err(|why| Box::new(Diagnostic::new(DiagnosticClass::Usage, why)))?;
        Ok(Confirm {
            folder: folder.to_owned(),
            files,
            compiler: CompilerArgs {
                macros: Vec::new(),
                includes: Vec::new(),
                may_restart: false,
                ..compiler.clone()
            },
            before,
            config: VmConfig { fuel: FUEL, memory_limit: MEMORY, gate, ..config },
            options,
            known: FxHashMap::default(),
            counts: [0; 3],
        })
    }

    /// Tries to confirm a finding, and says in it what came of that. Verdicts on what is confirmed change.
    pub fn confirm(
        &mut self,
        module: &Module,
        finding: &mut Finding,
        kernels: &mut [KernelVerdict],
    ) -> Result<(), Box<Diagnostic>> {
        if finding.severity == Severity::Note {
            // What costs time only is no fault.
            return Ok(());
        }
        self.counts[0] += 1;
        match self.search(module, finding)? {
            Ok((file, run)) => {
                self.counts[1] += 1;
                for v in kernels.iter_mut().filter(|v| is_of(module, finding, v)) {
                    let checks = v.checks.iter_mut().filter(|c| c.check.kind() == finding.kind);
                    checks.for_each(verdicts::confirm);
                }
                take_over(finding, &run);
                finding.notes.push(format!("confirmed by a run of {}", file.display()));
                if !self.options.is_empty() {
                    finding.notes.push(format!("the run takes the options `{}`", self.options.join(" ")));
                }
            }
            Err(why) => finding.notes.push(format!("not confirmed: {why}")),
        }
        Ok(())
    }

    /// What there is to say in the end.
    pub fn close(self) -> Diagnostic {
        let [all, confirmed, tried] = self.counts;
        let message = match (all, confirmed) {
            (0, _) => "there is no finding to confirm".to_owned(),
            (1, 1) => "a run confirms the finding".to_owned(),
            (n, m) if n == m => format!("runs confirm all {n} findings"),
            (1, _) if tried == 0 => "no input could be tried for the finding".to_owned(),
            (1, _) => "no run confirms the finding".to_owned(),
            _ if tried == 0 => format!("no input could be tried for {all} findings"),
            _ => format!("runs confirm {confirmed} of {all} findings"),
        };
        let mut d = Diagnostic::new(DiagnosticClass::Note, message);
        if confirmed < all {
            d.help = Some("`--verdicts` shows all findings, and why no run confirms them".to_owned());
        }
        d
    }

    /// A program that shows a finding, and the finding of its run; or why there is none.
    fn search(
        &mut self,
        module: &Module,
        finding: &Finding,
    ) -> Result<Result<(PathBuf, Finding), String>, Box<Diagnostic>> {
        let begin = Instant::now();
        let (included, kernel) = match self.included(module, finding) {
            Ok(found) => found,
            Err(why) => return Ok(Err(why)),
        };
        let (mut tried, mut unended, mut why) = (0, 0, None);
        let file = self.file(finding);
        let command = format!("cudair run {}", self.words(&file));
        for (launch, contents, numbers) in inputs(&finding.counterexamples, kernel) {
            if unended >= UNENDED {
                break;
            }
            if begin.elapsed() > PATIENCE {
                why = Some("the others would take too long".to_owned());
                break;
            }
            for (bytes, shared) in SIZES {
                let choice = Choice { contents, numbers, bytes, shared };
                let text = match program::text(&included, kernel, launch, choice) {
                    Ok(text) => text,
                    Err(reason) => {
                        why = Some(reason);
                        break;
                    }
                };
                let seen = self.run(&text, &file, &program::head(finding, &command))?;
                if seen.hopeless {
                    return Ok(Err(seen.stopped.unwrap_or_default()));
                }
                tried += 1;
                if let Some(run) = seen.findings.iter().find(|f| shows(f, finding)) {
                    let run = run.clone();
                    self.write(&file, &(program::head(finding, &command) + &text))?;
                    self.counts[2] += 1;
                    return Ok(Ok((file, run)));
                }
                unended += usize::from(seen.stopped.is_some());
                why = seen.stopped;
                // An array that is too small ends the launch before there is anything to see.
                if finding.kind == Kind::OutOfBounds
                    || !seen.findings.iter().any(|f| f.kind == Kind::OutOfBounds)
                {
                    break;
                }
            }
        }
        self.counts[2] += usize::from(tried > 0);
        let inputs = match tried {
            0 => return Ok(Err(why.unwrap_or_else(|| "no launch is known that would show it".to_owned()))),
            1 => "1 input was tried".to_owned(),
            n => format!("{n} inputs were tried"),
        };
        Ok(Err(why.map(|why| format!("{inputs}; {why}")).unwrap_or(inputs)))
    }

    /// The file that a program includes, and the kernel.
    fn included<'m>(
        &self,
        module: &'m Module,
        finding: &Finding,
    ) -> Result<(Included, &'m Function), String> {
        if finding.primary.is_none() {
            return Err("it has no place".to_owned());
        }
        let kernel = finding.counterexamples.first().and_then(|c| module.func_by_name(&c.kernel));
        let kernel = kernel.ok_or("no launch is known that would show it")?;
        let func = &module.funcs[kernel];
        let path = match self.files {
            [one] => one,
            files => {
                let at = func.loc.expand().map(|loc| Span::new(&module.source, loc, ""));
                let of = |f: &&PathBuf| {
                    at.as_ref().is_some_and(|at| canonical(&at.file) == canonical(&f.to_string_lossy()))
                };
                files.iter().find(of).ok_or("no given file has the kernel in itself")?
            }
        };
        if self.compiler.text_of(path).is_some() {
            return Err("a program cannot include standard input".to_owned());
        }
        match path.extension().and_then(|e| e.to_str()) {
            Some("cir") => return Err("a program cannot include textual IR".to_owned()),
            Some("c") if !self.compiler.force_cuda => {
                return Err("a CUDA program cannot include a C source".to_owned());
            }
            _ => {}
        }
        let path = canonical(&path.to_string_lossy());
        if path.contains(['"', '\n', '\\']) {
            return Err("an `#include` cannot name the file".to_owned());
        }
        let has_main = module.func_by_name("main").is_some();
        Ok((Included { path, has_main, before: self.before.clone() }, func))
    }

    /// A file that is not there yet.
    fn file(&self, finding: &Finding) -> PathBuf {
        let kernel = finding.kernel.as_deref().unwrap_or("kernel");
        let name: String =
            kernel.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).take(60).collect();
        let line = finding.primary.as_ref().map_or(0, |p| p.start.line);
        let stem = format!("{name}-{}-{line}", finding.kind.name());
        let named = |n: usize| if n == 1 { format!("{stem}.cu") } else { format!("{stem}-{n}.cu") };
        let free = |path: &PathBuf| !path.exists();
        (1..=u16::MAX.into()).map(|n| self.folder.join(named(n))).find(free).unwrap_or_default()
    }

    /// The words behind `cudair run`.
    fn words(&self, file: &Path) -> String {
        let words = self.options.iter().cloned().chain([file.to_string_lossy().into_owned()]);
        words.map(|w| crate::commands::quoted(&w)).collect::<Vec<_>>().join(" ")
    }

    fn write(&self, file: &Path, text: &str) -> Result<(), Box<Diagnostic>> {
        std::fs::write(file, text).map_err(|e| cannot_write(&self.folder, WHAT, &e.to_string()))
    }

    /// Runs a program, which leaves no file behind.
    fn run(&mut self, text: &str, file: &Path, head: &str) -> Result<Seen, Box<Diagnostic>> {
        if let Some(seen) = self.known.get(text) {
            return Ok(seen.clone());
        }
        self.write(file, &format!("{head}{text}"))?;
        let seen = self.run_file(file);
        let _ = std::fs::remove_file(file);
        self.known.insert(text.to_owned(), seen.clone());
        Ok(seen)
    }

    fn run_file(&self, file: &Path) -> Seen {
        let stopped = |why: String| Seen { stopped: Some(why), hopeless: true, ..Seen::default() };
        let first = |list: &[Diagnostic]| list.first().map_or_else(String::new, |d| d.message.clone());
        let module =
            match compile(&[file.to_owned()], &self.compiler, &self.config.device, &Pipeline::machine()) {
                Ok(compiled) => Arc::new(compiled.module),
                Err(failure) => {
                    let Failure { diagnostics, .. } = *failure;
                    return stopped(format!("the program does not parse: {}", first(&diagnostics)));
                }
            };
        let hopeless = [reach::undefined_variables(&module), reach::hopeless(&module)].concat();
        if !hopeless.is_empty() {
            return stopped(first(&hopeless));
        }
        let late = |ran: Duration| ran >= LONGEST;
        let outcome = quiet::run(module, self.config.clone(), &[], Box::new(std::io::empty()), late);
        let limited = matches!(outcome.exit, Exit::Limit | Exit::Unsupported | Exit::Internal);
        let stopped =
            limited.then(|| format!("the last run did not come to its end: {}", first(&outcome.diagnostics)));
        // Who breaks an assumption has shown nothing.
        let assumed = outcome.findings.iter().any(|f| f.kind == Kind::AssumptionFailed);
        let findings = if assumed { Vec::new() } else { outcome.findings };
        Seen { findings, stopped, hopeless: false }
    }
}

/// A launch that is tried, what arrays hold, and which numbers stand where the launch leaves them open.
type Input<'c> = (&'c Counterexample, Contents, (usize, usize));

/// The inputs that are tried.
fn inputs<'c>(launches: &'c [Counterexample], kernel: &Function) -> Vec<Input<'c>> {
    let mut all: Vec<&Counterexample> = Vec::new();
    for launch in launches {
        if !all.contains(&launch) && all.len() < LAUNCHES {
            all.push(launch);
        }
    }
    // What the program says of a launch and is not known here must not be made up.
    all.retain(|l| !l.partial || program::open(l, kernel) == 0);
    let mut out = Vec::new();
    // All numbers the same, then each another.
    let numbers = (0..NUMBERS.len()).flat_map(|n| [(n, 0), (n, 1)]);
    for (first, step) in numbers {
        for launch in &all {
            let open = program::open(launch, kernel);
            if (first, step) == (0, 0) || open > step {
                for contents in [Contents::Zeros, Contents::Indices, Contents::Scattered, Contents::Signed] {
                    out.push((*launch, contents, (first, step)));
                }
            }
        }
    }
    out.truncate(INPUTS);
    out
}
