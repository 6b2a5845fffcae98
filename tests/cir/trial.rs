//! One input: textual IR goes the way that `cudair check` and `cudair run` take it, in this process, and has to come out
//! of each stage as a refusal with a message, a finding, an unsupported construct, a limit or a result.

use crate::oracle::Oracle;
use crate::paper::Paper;
use crate::reach;
use cudair_ir::{
    Diagnostic, DiagnosticClass, Function, Global, GlobalInit, InstData, Module, Reloc, RelocTarget,
    SpecialReg, parse_module, verify_module,
};
use cudair_passes::analysis::shape::Shape;
use cudair_passes::check::{CheckOptions, check_module};
use cudair_passes::facts::facts;
use cudair_passes::perf::Perf;
use cudair_passes::regions::regions;
use cudair_passes::registry::Analysis;
use cudair_passes::symbolic::smt::NoSolver;
use cudair_passes::transform::{Pass, Pipeline};
use cudair_vm::{AfterFault, Exit, Gate, Grants, Vm, VmConfig, WarpModel, Watch};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How a run is to be done: what options of the command line say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// `--seed`
    pub seed: Option<u64>,
    /// `--warp-model lockstep`
    pub lockstep: bool,
    /// `--strict`
    pub strict: bool,
    /// `--perf`
    pub perf: bool,
    /// `--dump-state`
    pub dump: bool,
    /// Lanes of a strip.
    pub lanes: u32,
    /// `--after-fault`: 0 the launch, 1 the run, 2 the thread.
    pub after: u8,
    /// The run is done twice, and has to tell the same.
    pub twice: bool,
    /// A program with nothing wrong runs without the passes too, and has to give the same output.
    pub plain: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            seed: None,
            lockstep: false,
            strict: false,
            perf: false,
            dump: false,
            lanes: 256,
            after: 0,
            twice: true,
            plain: true,
        }
    }
}

impl Options {
    /// The line at the head of an input.
    pub fn line(&self) -> String {
        let Options { seed, lockstep, strict, perf, dump, lanes, after, twice, plain } = *self;
        let mut out = String::from("; options:");
        if let Some(seed) = seed {
            out.push_str(&format!(" seed={seed}"));
        }
        let words = [
            (lockstep, "lockstep"),
            (strict, "strict"),
            (perf, "perf"),
            (dump, "dump"),
            (twice, "twice"),
            (plain, "plain"),
        ];
        for (is, name) in words {
            if is {
                out.push_str(&format!(" {name}"));
            }
        }
        out.push_str(&format!(" lanes={lanes} after={after}\n"));
        out
    }

    /// What the line says.
    pub fn read(text: &str) -> Result<Options, String> {
        let Some(line) = text.lines().find_map(|l| l.strip_prefix("; options:")) else {
            return Ok(Options::default());
        };
        let mut options = Options { twice: false, plain: false, ..Options::default() };
        for word in line.split_whitespace() {
            let bad = || format!("`{word}` is no option");
            match word.split_once('=') {
                Some(("seed", n)) => options.seed = Some(n.parse().map_err(|_| bad())?),
                Some(("lanes", n)) => options.lanes = n.parse().map_err(|_| bad())?,
                Some(("after", n)) => options.after = n.parse().map_err(|_| bad())?,
                None if word == "lockstep" => options.lockstep = true,
                None if word == "strict" => options.strict = true,
                None if word == "perf" => options.perf = true,
                None if word == "dump" => options.dump = true,
                None if word == "twice" => options.twice = true,
                None if word == "plain" => options.plain = true,
                _ => return Err(bad()),
            }
        }
        Ok(options)
    }
}

/// What is wrong with cudair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// Where on the way.
    pub stage: &'static str,
    /// What happened.
    pub message: String,
}

impl Failure {
    /// What is the same for two inputs that show the same defect: the stage and the message without its numbers.
    pub fn key(&self) -> String {
        let first = self.message.lines().next().unwrap_or_default();
        let plain: String = first.chars().filter(|c| !c.is_ascii_digit()).take(160).collect();
        format!("{}: {plain}", self.stage)
    }
}

/// What came of an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The parser or the verifier refused it and said why.
    Refused,
    /// There is no `main`: it was checked and did not run.
    Checked,
    /// It runs into what is not supported, which is named.
    Unsupported,
    /// A limit ended it.
    Limit,
    /// It took too long for its fuel, and ended when it was told to.
    Slow,
    /// Something is wrong with the program.
    Finding,
    /// It ran, and nothing is wrong.
    Clean,
    /// Something is wrong with cudair.
    Failed(Failure),
}

impl Verdict {
    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Refused => "refused",
            Verdict::Checked => "checked",
            Verdict::Unsupported => "unsupported",
            Verdict::Limit => "limit",
            Verdict::Slow => "slow",
            Verdict::Finding => "finding",
            Verdict::Clean => "clean",
            Verdict::Failed(_) => "failed",
        }
    }
}

/// Back edges and calls that a run may spend, weighted by lanes.
const FUEL: u64 = 200_000;
/// Bytes that a program may hold.
const MEMORY: u64 = 256 << 20;
/// After how long a run is told to end.
const PATIENCE: Duration = Duration::from_secs(15);

thread_local! {
    static STAGE: Cell<&'static str> = const { Cell::new("start") };
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The run that goes on, for the thread that watches over it.
static RUNNING: Mutex<Option<(Instant, Arc<Watch>)>> = Mutex::new(None);

fn running(now: Option<(Instant, Arc<Watch>)>) {
    *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) = now;
}

/// Makes panics into failures, and ends runs that take too long. To be called once.
pub fn prepare() {
    std::panic::set_hook(Box::new(|info| {
        let payload = info.payload();
        let text = payload
            .downcast_ref::<&str>()
            .map(|s| (*s).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_default();
        let place = info.location().map_or_else(String::new, |l| format!("{}:{}", l.file(), l.line()));
        // A place in the library tells nothing: the first of ours that leads there does.
        let trace = std::backtrace::Backtrace::force_capture().to_string();
        let ours = |l: &&str| ["./vm/", "./ir/", "./passes/"].iter().any(|p| l.contains(p));
        let from = trace.lines().find(ours).unwrap_or_default().trim();
        PANIC.with(|p| *p.borrow_mut() = format!("panic at {place} ({from}): {text}"));
    }));
    std::thread::spawn(|| {
        loop {
            std::thread::sleep(Duration::from_millis(100));
            let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((since, watch)) = &*running
                && since.elapsed() > PATIENCE
            {
                watch.interrupt("it takes too long");
            }
        }
    });
}

fn stage(name: &'static str) {
    STAGE.set(name);
}

fn failed<T>(message: impl Into<String>) -> Result<T, Verdict> {
    Err(Verdict::Failed(Failure { stage: STAGE.get(), message: message.into() }))
}

/// Calls `f`; a panic is a failure of the stage that it reached.
pub fn guarded(f: impl FnOnce() -> Result<Verdict, Verdict>) -> Verdict {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(Ok(verdict) | Err(verdict)) => verdict,
        Err(_) => {
            running(None);
            let message = PANIC.with(|p| std::mem::take(&mut *p.borrow_mut()));
            Verdict::Failed(Failure { stage: STAGE.get(), message })
        }
    }
}

/// What a module in memory comes to. A module that the verifier accepts is printed, and its text examined; the text is
/// given too.
pub fn examine_module(module: &Module, options: Options) -> (Verdict, Option<String>) {
    let mut text = None;
    let verdict = guarded(|| {
        stage("verifier");
        if let Err(errors) = verify_module(module) {
            return refused(errors.iter().map(|e| e.message.as_str()));
        }
        stage("printer");
        text = Some(module.to_string());
        Ok(Verdict::Clean)
    });
    let Some(text) = text else { return (verdict, None) };
    let verdict = guarded(|| {
        stage("parser");
        match parse_module(&text, "printed.cir") {
            Err(e) => failed(format!("what was printed does not parse: {}:{}: {}", e.line, e.col, e.message)),
            Ok(again) if again.to_string() != text => failed("a second print differs from the first"),
            Ok(again) => match verify_module(&again) {
                Ok(()) => Ok(Verdict::Clean),
                Err(e) => failed(format!("what was printed does not verify: {}", first(&e))),
            },
        }
    });
    match verdict {
        Verdict::Clean => (examine(&text, options), Some(text)),
        other => (other, Some(text)),
    }
}

fn first<E: std::fmt::Display>(errors: &[E]) -> String {
    errors.first().map_or_else(|| "no message".to_owned(), ToString::to_string)
}

fn refused<'a>(mut messages: impl Iterator<Item = &'a str>) -> Result<Verdict, Verdict> {
    match messages.next() {
        Some(m) if !m.trim().is_empty() => Ok(Verdict::Refused),
        _ => failed("it is refused without a message"),
    }
}

/// What a text comes to.
pub fn examine(text: &str, options: Options) -> Verdict {
    guarded(|| {
        stage("parser");
        let module = match parse_module(text, "input.cir") {
            Ok(module) => module,
            Err(e) => return refused([e.message.as_str()].into_iter()),
        };
        stage("verifier");
        if let Err(errors) = verify_module(&module) {
            return refused(errors.iter().map(|e| e.message.as_str()));
        }
        stage("printer");
        round_trip(&module)?;
        let checked = transformed(module.clone(), &Pipeline::default().passes)?;
        stage("printer after passes");
        round_trip(&checked)?;
        stage("analyses");
        let analyses: Vec<&'static dyn Analysis> = vec![&Perf];
        let rules = CheckOptions { strict: options.strict, analyses, ..CheckOptions::default() };
        let known = check_module(&checked, &rules, &mut NoSolver);
        if known.findings.iter().chain(&known.possible).any(|f| f.message.is_empty()) {
            return failed("a finding without a message");
        }
        stage("facts and regions");
        for f in facts(&checked, &Shape::default(), &|_| true) {
            let _ = (f.to_string(), f.to_json());
        }
        for r in regions(&checked, &rules, &|_| true) {
            let _ = (r.to_string(), r.to_json());
        }
        let ready = if options.dump {
            transformed(module.clone(), &[Pass::Contract])?
        } else {
            transformed(checked, &[Pass::Copies, Pass::Compact])?
        };
        stage("reach");
        if ready.func_by_name("main").is_none_or(|f| ready.funcs[f].is_declaration()) {
            return Ok(Verdict::Checked);
        }
        let hopeless = reach::undefined_variables(&ready).into_iter().chain(reach::hopeless(&ready));
        if let Some(d) = hopeless.into_iter().next() {
            return told(&d);
        }
        let ready = Arc::new(ready);
        stage("run");
        let (verdict, said) = run(&ready, options)?;
        if options.twice && verdict != Verdict::Slow {
            stage("second run");
            let (again, says) = run(&ready, options)?;
            if again != Verdict::Slow && (again != verdict || says != said) {
                return failed(format!("two runs differ\n{}", parting(&said, &says)));
            }
        }
        if options.plain && verdict == Verdict::Clean && !asks_about_code(&module) {
            without_passes(module, options)?;
        }
        Ok(verdict)
    })
}

/// Whether a program may ask how its code was made or how long it runs: registers, local memory, clocks, functions' places. That is not the
/// same with the passes.
fn asks_about_code(module: &Module) -> bool {
    let asks = ["FuncGetAttribute", "Occupancy", "clock", "Elapsed", "time"];
    let counts = |f: &Function| {
        f.insts
            .values()
            .any(|i| matches!(i, InstData::Special { reg: SpecialReg::Clock | SpecialReg::Globaltimer }))
    };
    // The numbers of functions change with the passes; a moved one calls nothing, but may be printed.
    let is_moved = |r: &Reloc| matches!(r.target, RelocTarget::Func(_)) && r.addend != 0;
    let moves =
        |g: &Global| matches!(&g.init, GlobalInit::Data { relocs, .. } if relocs.iter().any(is_moved));
    module.funcs.values().any(|f| counts(f) || asks.iter().any(|a| f.name.contains(a)))
        || module.globals.values().any(moves)
}

/// What has nothing wrong with it gives the same output with the passes and without them. One that fuses operations
/// changes results, and is left out of both.
fn without_passes(mut module: Module, options: Options) -> Result<(), Verdict> {
    // A seed draws at operations on memory, of which the passes take some away: what hangs on the order of threads would
    // differ.
    let options = Options { perf: false, dump: false, seed: None, ..options };
    // A library's read of its own variable that was never written is not told, since no program can mend it. A mutation
    // makes such reads, and what is printed then is indeterminate: here each file counts as the program's.
    module.source.files.values_mut().for_each(|file| file.library = false);
    let passes = Pipeline::machine().without(Pass::Contract).passes;
    let changed = Arc::new(transformed(module.clone(), &passes)?);
    stage("run with the passes");
    let (with, said) = run(&changed, options)?;
    stage("run without the passes");
    let (without, says) = run(&Arc::new(module), options)?;
    let ended = |v: &Verdict| matches!(v, Verdict::Clean | Verdict::Finding);
    // A load that nobody uses goes with the passes, and what was wrong about it: that is no use of what was not written.
    // Where both tell, it is of a file that the first run took for a library's.
    if ended(&with) && without == Verdict::Finding {
        return Ok(());
    }
    if ended(&with) && ended(&without) && (with != without || said != says) {
        return failed(format!("the passes change what is told\nwith {}", parting(&said, &says)));
    }
    Ok(())
}

fn parting(a: &str, b: &str) -> String {
    let mut lines = a.lines().zip(b.lines());
    match lines.find(|(a, b)| a != b) {
        Some((a, b)) => format!("first:  {a}\nsecond: {b}"),
        None => "one says more than the other".to_owned(),
    }
}

fn told(d: &Diagnostic) -> Result<Verdict, Verdict> {
    match d.class {
        DiagnosticClass::Internal => failed(d.message.clone()),
        _ if d.message.is_empty() => failed("a diagnostic without a message"),
        DiagnosticClass::Limit => Ok(Verdict::Limit),
        _ => Ok(Verdict::Unsupported),
    }
}

/// Printed, parsed and printed again it is the same text.
fn round_trip(module: &Module) -> Result<(), Verdict> {
    let text = module.to_string();
    match parse_module(&text, "printed.cir") {
        Err(e) => failed(format!("what was printed does not parse: {}:{}: {}", e.line, e.col, e.message)),
        Ok(again) if again.to_string() != text => failed("a second print differs from the first"),
        Ok(_) => Ok(()),
    }
}

/// The module behind these passes, each of which has to leave what verifies.
fn transformed(mut module: Module, passes: &[Pass]) -> Result<Module, Verdict> {
    for pass in passes {
        stage(pass.name());
        pass.run(&mut module);
        if let Err(errors) = verify_module(&module) {
            return failed(format!("the pass left what does not verify: {}", first(&errors)));
        }
    }
    Ok(module)
}

/// Runs a program: what came of it, and all that it and cudair said.
fn run(module: &Arc<Module>, options: Options) -> Result<(Verdict, String), Verdict> {
    let gate = match Gate::shut(Grants::default()) {
        Ok(gate) => gate,
        Err(e) => return failed(e),
    };
    let watch = Arc::new(Watch::default());
    let config = VmConfig {
        fuel: FUEL,
        memory_limit: MEMORY,
        watch: watch.clone(),
        seed: options.seed,
        warp_model: if options.lockstep { WarpModel::Lockstep } else { WarpModel::Its },
        after_fault: match options.after {
            0 => AfterFault::Launch,
            1 => AfterFault::Stop,
            _ => AfterFault::Thread,
        },
        gate,
        strict: options.strict,
        dump_state: options.dump,
        perf: options.perf,
        strip_lanes: options.lanes,
        max_call_depth: 4000,
        ..VmConfig::default()
    };
    let paper = Paper::default();
    let began = Instant::now();
    running(Some((began, watch.clone())));
    let mut vm = Vm::new(module.clone(), config, Arc::new(Oracle::default()));
    vm.set_io(paper.io());
    let outcome = vm.run_main(&[]);
    drop(vm);
    running(None);
    let mut said = paper.text();
    said.push_str(&format!("\n{:?} {:?} {}\n", outcome.exit, outcome.launches, outcome.left));
    for finding in &outcome.findings {
        if finding.message.is_empty() {
            return failed("a finding without a message");
        }
        said.push_str(&format!("{finding:?}\n"));
    }
    for d in &outcome.diagnostics {
        said.push_str(&format!("{d:?}\n"));
    }
    said.push_str(outcome.state.as_deref().unwrap_or_default());
    // A launch that a limit has cut short is searched for races for a while: what is found then hangs on the clock.
    let out_of_grace = watch.grace().is_some_and(|end| Instant::now() >= end);
    if began.elapsed() >= PATIENCE || out_of_grace {
        return Ok((Verdict::Slow, said));
    }
    let verdict = match outcome.exit {
        Exit::Internal => match outcome.diagnostics.first() {
            Some(d) => return failed(format!("internal error: {}", d.message)),
            None => return failed("an internal error without a message"),
        },
        Exit::Unsupported | Exit::Limit => match outcome.diagnostics.first() {
            Some(d) => told(d)?,
            None => return failed("a run ends early and does not say why"),
        },
        Exit::Fault if outcome.findings.is_empty() => return failed("a fault without a finding"),
        Exit::Fault => Verdict::Finding,
        Exit::Code(_) if outcome.findings.is_empty() => Verdict::Clean,
        Exit::Code(_) => Verdict::Finding,
    };
    if let Some(d) = outcome.diagnostics.iter().find(|d| d.class == DiagnosticClass::Internal) {
        return failed(format!("internal error: {}", d.message));
    }
    Ok((verdict, said))
}
