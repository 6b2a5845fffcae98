//! From files to a module that is ready: parse or read, link, verify, transform.

#[cfg(unix)]
use crate::cache::{Folder, Keeper, Kept, Place, surroundings};
use crate::compiler_args::{CompilerArgs, Macro, SOURCES, STDIN_NAME};
use crate::timings;
use cudair_frontend::{Lowered, Options, Precompiled, Reads, lower_files};
use cudair_ir::{
    Diagnostic, DiagnosticClass, Kind, LinkError, Module, Pos, SourceMap, Span, link, parse_module, stored,
    verify_module,
};
use cudair_passes::transform::count::{self, Counted};
use cudair_passes::transform::{Pass, Pipeline, run_pipeline};
use cudair_vm::DeviceProfile;
use std::path::{Path, PathBuf};

/// Why there is no module.
#[derive(Debug, Default)]
pub struct Failure {
    /// What to tell.
    pub diagnostics: Vec<Diagnostic>,
    /// Sources that the diagnostics refer to, as far as they were read.
    pub source: Option<SourceMap>,
}

impl Failure {
    fn of(diagnostics: Vec<Diagnostic>) -> Box<Failure> {
        Box::new(Failure { diagnostics, source: None })
    }
}

impl From<Diagnostic> for Box<Failure> {
    fn from(d: Diagnostic) -> Box<Failure> {
        Failure::of(vec![d])
    }
}

/// Faults of one kind in an input that are told.
pub const MAX_TOLD: usize = 20;

/// Kinds that the static passes know of.
pub fn is_checked(kind: Kind) -> bool {
    kind == Kind::BarrierDivergence
}

fn usage(message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(DiagnosticClass::Usage, message)
}

/// A program that was compiled.
pub struct Compiled {
    pub module: Module,
    /// What of the files is not in the module, though a reader may think so.
    pub notes: Vec<Diagnostic>,
    /// What its counters count, where it has any.
    pub counted: Vec<Counted>,
    /// Why the cache was not used, where a user can mend it.
    pub warning: Option<Diagnostic>,
    /// What it was made from, where that was recorded.
    pub reads: Option<Reads>,
}

/// Compiles all files, links them and runs the passes; or takes from the cache what became of that before.
pub fn compile(
    files: &[PathBuf],
    compiler: &CompilerArgs,
    device: &DeviceProfile,
    passes: &Pipeline,
) -> Result<Compiled, Box<Failure>> {
    #[cfg(unix)]
    if compiler.cached && !compiler.isolate && !compiler.counted && compiler.stdin.is_none() {
        return compile_cached(files, compiler, device, passes);
    }
    compile_anew(files, compiler, device, passes, &[], None)
}

/// [`compile`] where the cache may be used.
#[cfg(unix)]
fn compile_cached(
    files: &[PathBuf],
    compiler: &CompilerArgs,
    device: &DeviceProfile,
    passes: &Pipeline,
) -> Result<Compiled, Box<Failure>> {
    timings::stage("cache");
    let names = files.iter().map(|f| f.to_string_lossy().into_owned()).collect();
    let options = options(names, files.len() == 1, compiler, device, &[]);
    let surroundings = surroundings();
    let (folder, warning) = match Folder::open(true) {
        Ok(folder) => (folder, None),
        Err(why) => (None, Some(without_cache(why))),
    };
    let folder = folder.zip(surroundings);
    let precompiled = folder.as_ref().filter(|_| compiler.may_restart);
    let precompiled = precompiled.and_then(|(folder, here)| Keeper::of(folder, here));
    let place = folder.and_then(|(folder, here)| Place::of(folder, &here, files, &options, compiler, passes));
    let kept = place.as_ref().and_then(Place::get);
    let mut compiled = match kept {
        Some(Kept { module, notes }) => {
            Compiled { module, notes, counted: Vec::new(), warning: None, reads: None }
        }
        None => {
            let compiler = CompilerArgs { cached: place.is_some(), ..compiler.clone() };
            let compiled = compile_anew(files, &compiler, device, passes, &[], precompiled)?;
            if let (Some(place), Some(reads)) = (&place, &compiled.reads) {
                timings::stage("cache's new entry");
                place.put(&compiled.module, &compiled.notes, reads);
            }
            compiled
        }
    };
    compiled.warning = warning;
    Ok(compiled)
}

/// That the cache is not used.
#[cfg(unix)]
fn without_cache(why: String) -> Diagnostic {
    let mut d = Diagnostic::new(DiagnosticClass::Warning, why);
    d.help =
        Some("nothing is taken from it nor kept there; `--no-cache` does the same without this".to_owned());
    d
}

/// The same, where some files, by their paths, hold another text than what lies there.
pub fn compile_changed(
    files: &[PathBuf],
    compiler: &CompilerArgs,
    device: &DeviceProfile,
    passes: &Pipeline,
    replaced: &[(String, String)],
) -> Result<Compiled, Box<Failure>> {
    compile_anew(files, compiler, device, passes, replaced, None)
}

fn compile_anew(
    files: &[PathBuf],
    compiler: &CompilerArgs,
    device: &DeviceProfile,
    passes: &Pipeline,
    replaced: &[(String, String)],
    precompiled: Option<Precompiled>,
) -> Result<Compiled, Box<Failure>> {
    let (mut modules, mut notes) = (Vec::new(), Vec::new());
    let mut reads = None;
    let mut sources = Vec::new();
    let mut replaced = replaced.to_vec();
    for file in files {
        if let Some(text) = compiler.text_of(file) {
            if compiler.is_ir(file) {
                modules.push(parse_ir(text, STDIN_NAME)?);
                continue;
            }
            sources.push(STDIN_NAME.to_owned());
            if !replaced.iter().any(|(path, _)| path == STDIN_NAME) {
                replaced.push((STDIN_NAME.to_owned(), text.to_owned()));
            }
            continue;
        }
        readable(file)?;
        match file.extension().and_then(|e| e.to_str()) {
            Some("cir") => modules.push(read_ir(file)?),
            Some(ending) if SOURCES.contains(&ending) => {
                sources.push(file.to_string_lossy().into_owned());
            }
            _ if compiler.force_cuda => sources.push(file.to_string_lossy().into_owned()),
            _ => {
                let mut d = usage(format!("{}: not a file that cudair reads", file.display()));
                d.help = Some("give .cu, .c, .cpp or .cir files, or say `-x cu`".to_owned());
                return Err(d.into());
            }
        }
    }
    if !sources.is_empty() {
        let options = options(sources, files.len() == 1, compiler, device, &replaced);
        let lowered = lower(&Options { precompiled, ..options })?;
        modules.push(lowered.module);
        notes = lowered.notes;
        reads = lowered.reads;
    }
    timings::stage("passes");
    let mut module = join(modules)?;
    module.stored = stored(&module);
    let counted = if compiler.counted { count::run(&mut module) } else { Vec::new() };
    let mut passes = passes.clone();
    if compiler.no_contraction {
        passes = passes.without(Pass::Contract);
    }
    if compiler.fast_math {
        passes = passes.after(Pass::FastMath);
    }
    run_pipeline(&mut module, &passes)
        .map_err(|e| Box::<Failure>::from(Diagnostic::new(DiagnosticClass::Internal, e.to_string())))?;
    Ok(Compiled { module, notes, counted, warning: None, reads })
}

/// A missing file or a directory is bad usage, told before anything is parsed.
fn readable(file: &Path) -> Result<(), Box<Failure>> {
    let name = file.display();
    match std::fs::metadata(file) {
        Ok(m) if m.is_dir() => Err(usage(format!("{name}: is a directory, not a source file")).into()),
        Ok(_) => match std::fs::File::open(file) {
            Ok(_) => Ok(()),
            Err(e) => Err(usage(format!("{name}: cannot be read: {e}")).into()),
        },
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            Err(usage(format!("{name}: no such file")).into())
        }
        Err(e) => Err(usage(format!("{name}: cannot be read: {e}")).into()),
    }
}

/// Reads textual IR.
fn read_ir(file: &Path) -> Result<Module, Box<Failure>> {
    let name = file.to_string_lossy().into_owned();
    let bytes = std::fs::read(file)
        .map_err(|e| Box::<Failure>::from(usage(format!("{name}: cannot be read: {e}"))))?;
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(e) => {
            let before = &e.as_bytes()[..e.utf8_error().valid_up_to()];
            let line = before.split(|&b| b == b'\n').count() as u32;
            return Err(at_line(&name, line, 1, "the text is not UTF-8").into());
        }
    };
    parse_ir(&text, &name)
}

/// The same of a text.
fn parse_ir(text: &str, name: &str) -> Result<Module, Box<Failure>> {
    let module = parse_module(text, name)
        .map_err(|e| Box::<Failure>::from(at_line(&e.path, e.line, e.col, &e.message)))?;
    // A module that breaks the rules is the file's fault.
    verify_module(&module).map_err(|errors| {
        Failure::of(
            errors
                .iter()
                .take(MAX_TOLD)
                .map(|e| {
                    let head = format!(" @{} ", e.func_name);
                    let line = text.lines().position(|l| l.starts_with("func ") && l.contains(&head));
                    at_line(name, line.map_or(1, |n| n as u32 + 1), 1, &e.to_string())
                })
                .collect(),
        )
    })?;
    Ok(module)
}

fn at_line(file: &str, line: u32, col: u32, message: &str) -> Diagnostic {
    let start = Pos { line, col };
    let mut d = Diagnostic::new(DiagnosticClass::Parse, message);
    d.primary = Some(Span {
        file: file.to_owned(),
        start,
        end: Pos { line, col: col + 1 },
        spelling: None,
        label: String::new(),
    });
    d
}

/// Lowers sources with the frontend.
fn lower(options: &Options) -> Result<Lowered, Box<Failure>> {
    lower_files(options).map_err(|errors| {
        Failure::of(errors.iter().map(cudair_frontend::FrontendError::diagnostic).collect())
    })
}

/// What the frontend is told.
fn options(
    files: Vec<String>,
    alone: bool,
    compiler: &CompilerArgs,
    device: &DeviceProfile,
    replaced: &[(String, String)],
) -> Options {
    let macros = compiler.macros.iter().map(|m| match m {
        Macro::Define(text) => format!("D{text}"),
        Macro::Undefine(name) => format!("U{name}"),
    });
    Options {
        files,
        include_dirs: compiler.include_dirs.clone(),
        system_dirs: compiler.system_dirs.clone(),
        macros: macros.collect(),
        includes: compiler.includes.clone(),
        std: compiler.std.clone(),
        arch: compiler.arch_on(device.capability()) * 10,
        force_cuda: compiler.force_cuda,
        // What one file defines another may call.
        all_functions: !alone,
        uncalled_functions: compiler.counted,
        isolate: compiler.isolate,
        replaced: replaced.to_vec(),
        record: compiler.cached && replaced.is_empty(),
        stage: timings::stage,
        ..Options::default()
    }
}

/// Links what several files gave.
fn join(mut modules: Vec<Module>) -> Result<Module, Box<Failure>> {
    if modules.len() == 1 {
        return modules.pop().ok_or_else(Box::default);
    }
    link(modules).map_err(|errors| Failure::of(errors.into_iter().map(clash).collect()))
}

/// Symbols that do not fit together.
fn clash(error: LinkError) -> Diagnostic {
    let mut d = Diagnostic::new(DiagnosticClass::Parse, error.message);
    let mut spans = error.places.into_iter().map(|(file, start)| Span {
        file,
        start,
        end: Pos { line: start.line, col: start.col + 1 },
        spelling: None,
        label: String::new(),
    });
    d.primary = spans.next();
    d.related = spans.map(|s| Span { label: "the other is here".to_owned(), ..s }).collect();
    d
}
