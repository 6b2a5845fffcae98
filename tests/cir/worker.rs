//! A process that examines inputs and writes a line before and after each: what ends the process ends one case.

use crate::random::Random;
use crate::trial::{self, Options, Verdict, examine, examine_module};
use crate::{ROOT, known, mutate, programs, shrink, text};
use cudair_ir::{Module, parse_module};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Cases that are made of one program.
const PER_PROGRAM: u64 = 25;
/// The stack, as the command has it.
const STACK: usize = 1 << 29;

/// Does what the words ask for, and writes what comes of it to a log.
pub fn work(log: &Path, words: &[&str]) -> Result<(), String> {
    trial::prepare();
    let log = File::create(log).map_err(|e| format!("{}: {e}", log.display()))?;
    let words: Vec<String> = words.iter().map(|w| (*w).to_owned()).collect();
    on_big_stack(move || {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let number = |t: &str| t.parse::<u64>().map_err(|e| format!("{t}: {e}"));
        match words.as_slice() {
            ["cases", seed, from, to] => cases(log, number(seed)?, number(from)?, number(to)?),
            ["corpus"] => corpus(log),
            ["input", seed, case, file] => input(number(seed)?, number(case)?, Path::new(file)),
            ["shrink", file, key] => smaller(Path::new(file), key),
            ["examine", file] => {
                let text = std::fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
                let _ = examine(&text, Options::read(&text)?);
                Ok(())
            }
            _ => Err("a worker without work".to_owned()),
        }
    })
}

fn on_big_stack<T: Send + 'static>(
    f: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(f).map_err(|e| e.to_string())?;
    thread.join().map_err(|_| "the worker panicked outside of a case".to_owned())?
}

/// Runs one case and prints its input; whether it is well.
pub fn one(seed: u64, number: u64) -> Result<bool, String> {
    trial::prepare();
    on_big_stack(move || {
        let mut base = Base::default();
        let Some(case) = base.case(seed, number)? else {
            return Err("no program is lowered here".to_owned());
        };
        let (verdict, text) = case.examine();
        println!("{}{}", case.options.line(), text.unwrap_or_default());
        eprintln!("{} {}: {verdict:?}", case.program, case.changes.join(", "));
        Ok(!matches!(verdict, Verdict::Failed(_)))
    })
}

/// What a case is made of.
enum Input {
    Text(String),
    Module(Box<Module>),
}

struct Case {
    program: String,
    changes: Vec<&'static str>,
    options: Options,
    input: Input,
}

impl Case {
    fn examine(&self) -> (Verdict, Option<String>) {
        match &self.input {
            Input::Text(text) => (examine(text, self.options), Some(text.clone())),
            Input::Module(module) => examine_module(module, self.options),
        }
    }
}

/// The program that cases are made of.
#[derive(Default)]
struct Base {
    group: Option<u64>,
    name: String,
    text: String,
    module: Module,
}

impl Base {
    /// Lowers the program of a group of cases. False if nothing can be lowered.
    fn lower(&mut self, seed: u64, group: u64) -> Result<bool, String> {
        if self.group == Some(group) {
            return Ok(true);
        }
        let mut random = Random::new(seed, &format!("program {group}"));
        let inputs = corpus_files()?;
        if random.chance(4) && !inputs.is_empty() {
            let file = random.pick(&inputs);
            self.text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
            self.name = file.display().to_string();
            if let Ok(module) = parse_module(&self.text, "base.cir") {
                self.module = module;
                self.group = Some(group);
                return Ok(true);
            }
        }
        let programs = programs::all()?;
        for _ in 0..30 {
            let program = random.pick(&programs);
            let Some(text) = programs::lowered(program, &mut random) else { continue };
            self.module = parse_module(&text, "base.cir").map_err(|e| {
                format!("{}: what is lowered does not parse: {}", program.display(), e.message)
            })?;
            self.text = text;
            self.name = program.display().to_string();
            self.group = Some(group);
            return Ok(true);
        }
        Ok(false)
    }

    fn case(&mut self, seed: u64, number: u64) -> Result<Option<Case>, String> {
        if !self.lower(seed, number / PER_PROGRAM)? {
            return Ok(None);
        }
        let mut random = Random::new(seed, &format!("case {number}"));
        let options = Options {
            seed: random.chance(20).then(|| random.next() % 100),
            lockstep: random.chance(8),
            strict: random.chance(10),
            perf: random.chance(8),
            dump: random.chance(6),
            lanes: *random.pick(&[256, 256, 256, 32, 64, 128]),
            after: *random.pick(&[0, 0, 0, 1, 2]),
            twice: random.chance(30),
            plain: random.chance(30),
        };
        let mut changes = Vec::new();
        let input = if random.chance(12) {
            changes.push("text");
            Input::Text(text::mutate(&self.text, &mut random))
        } else {
            let mut module = self.module.clone();
            // The first of each program is as it is.
            let most = if number.is_multiple_of(PER_PROGRAM) { 0 } else { 1 + random.below(4) };
            for _ in 0..most {
                changes.extend(mutate::mutate(&mut module, &mut random));
            }
            Input::Module(Box::new(module))
        };
        Ok(Some(Case { program: self.name.clone(), changes, options, input }))
    }
}

fn line(log: &mut File, fields: &[&str]) -> Result<(), String> {
    let plain: Vec<String> = fields.iter().map(|f| f.replace('\t', " ").replace('\n', "\\n")).collect();
    writeln!(log, "{}", plain.join("\t")).map_err(|e| e.to_string())
}

fn cases(mut log: File, seed: u64, from: u64, to: u64) -> Result<(), String> {
    let mut base = Base::default();
    for number in from..to {
        let name = number.to_string();
        let Some(case) = base.case(seed, number)? else { return line(&mut log, &["none"]) };
        line(&mut log, &["begin", &name])?;
        let (verdict, text) = case.examine();
        if let Verdict::Failed(failure) = &verdict {
            let file = crate_folder(&log, &format!("{seed}-{number}.cir"))?;
            let head = format!("; {} {}\n", case.program, case.changes.join(", "));
            let text = text.unwrap_or_default();
            let whole = format!("{head}{}{text}", case.options.line());
            std::fs::write(&file, whole).map_err(|e| e.to_string())?;
            told(&mut log, &name, failure, &file)?;
        }
        line(&mut log, &["end", &name, verdict.name()])?;
    }
    Ok(())
}

fn told(log: &mut File, name: &str, failure: &trial::Failure, file: &Path) -> Result<(), String> {
    let said = format!("{}: {}", failure.stage, failure.message);
    let known = known::cause(failure).unwrap_or_default();
    line(log, &["fail", name, &failure.key(), &said, known, &file.display().to_string()])
}

/// A file beside the log.
fn crate_folder(_: &File, name: &str) -> Result<PathBuf, String> {
    let log = std::env::args().nth(2).ok_or("no log")?;
    Ok(Path::new(&log).with_file_name(name))
}

fn corpus_files() -> Result<Vec<PathBuf>, String> {
    let folder = Path::new(ROOT).join("tests/cir/corpus");
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "cir"));
    files.sort();
    Ok(files)
}

/// Every input that once failed comes to what its head says.
fn corpus(mut log: File) -> Result<(), String> {
    for file in corpus_files()? {
        let name = file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        line(&mut log, &["begin", &name])?;
        let text = std::fs::read_to_string(&file).map_err(|e| e.to_string())?;
        let wanted = text.lines().find_map(|l| l.strip_prefix("; verdict: ")).unwrap_or("(none)").trim();
        let verdict = examine(&text, Options::read(&text)?);
        let failure = match &verdict {
            Verdict::Failed(failure) => Some(failure.clone()),
            v if v.name() != wanted => Some(trial::Failure {
                stage: "corpus",
                message: format!("{name} comes to `{}`, and should to `{wanted}`", v.name()),
            }),
            _ => None,
        };
        if let Some(failure) = failure {
            told(&mut log, &name, &failure, &file)?;
        }
        line(&mut log, &["end", &name, verdict.name()])?;
    }
    Ok(())
}

/// Writes the input of a case that crashes.
fn input(seed: u64, number: u64, file: &Path) -> Result<(), String> {
    let mut base = Base::default();
    let Some(case) = base.case(seed, number)? else { return Ok(()) };
    let text = match case.input {
        Input::Text(text) => text,
        Input::Module(module) => module.to_string(),
    };
    let head = format!("; {} {}\n{}", case.program, case.changes.join(", "), case.options.line());
    std::fs::write(file, head + &text).map_err(|e| e.to_string())
}

/// Makes an input smaller.
fn smaller(file: &Path, key: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let mut options = Options::read(&text)?;
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let scratch = file.with_extension("smaller");
    let body: String = text.lines().filter(|l| !l.starts_with(';')).flat_map(|l| [l, "\n"]).collect();
    let shows = |text: &str, options: Options| {
        if key.starts_with("crash:") {
            let whole = options.line() + text;
            if std::fs::write(&scratch, whole).is_err() {
                return false;
            }
            let mut command = Command::new(&program);
            command.arg("worker").arg(scratch.with_extension("log")).arg("examine").arg(&scratch);
            // A shell's `timeout` is on every machine that this runs on.
            let mut timed = Command::new("timeout");
            timed.arg("20").arg(&program).args(command.get_args());
            timed.stderr(std::process::Stdio::null());
            return timed.status().is_ok_and(|s| !s.success());
        }
        match examine(text, options) {
            Verdict::Failed(failure) => failure.key() == key,
            _ => false,
        }
    };
    // The usual options, where it fails with them too.
    for plain in [
        Options { twice: options.twice, plain: options.plain, ..Options::default() },
        Options { twice: false, plain: false, ..options },
        Options { strict: false, perf: false, ..options },
        Options { dump: false, ..options },
        Options { seed: None, ..options },
        Options { lockstep: false, ..options },
        Options { lanes: 256, ..options },
        Options { after: 0, ..options },
    ] {
        if shows(&body, plain) {
            options = plain;
        }
    }
    let small = shrink::shrink(&body, &|text| shows(text, options));
    let head: String = text.lines().take(1).filter(|l| l.starts_with(';')).flat_map(|l| [l, "\n"]).collect();
    std::fs::write(file, format!("{head}{}{small}", options.line())).map_err(|e| e.to_string())
}
