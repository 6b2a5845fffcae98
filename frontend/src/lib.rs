//! From CUDA C and C++ source to [`cudair_ir`].
//!
//! libclang parses ([`clang`]), served with the CUDA headers of [`headers`] from memory; [`parse()`]
//! decides its arguments and turns its diagnostics into errors; the lowering walks its cursors and
//! writes IR. [`lower_files`] does all of it.

// The error types say why; walking helpers are methods for the sake of one way to call them.
#![allow(clippy::missing_errors_doc, clippy::unused_self, clippy::self_only_used_in_recursion)]

mod ast;
pub mod clang;
mod error;
mod fault;
pub mod headers;
mod isolation;
mod literal;
mod lower;
#[cfg(test)]
mod oracle;
mod parse;
mod precompiled;
mod probe;
mod reads;
mod recover;
mod spaced_brackets;
mod types;

pub use error::FrontendError;
pub use parse::{Language, Options, Parsed, parse};
pub use precompiled::{Found, Headers, Kept, New, Precompiled};
pub use probe::system_header;
pub use reads::{ReadFile, Reads};

use cudair_ir::{Diagnostic, DiagnosticClass, Module, Span};

/// Address space for the stack on which programs are lowered: the lowering recurses as deep as the
/// program nests. Only what is used is ever touched.
const STACK: usize = 1 << 30;

/// What was made of the files of a program.
#[derive(Debug)]
pub struct Lowered {
    /// The program.
    pub module: Module,
    /// What of the files is not in the module, though a reader may think so: notes.
    pub notes: Vec<Diagnostic>,
    /// What it was made from, where [`Options::record`] asks for that.
    pub reads: Option<Reads>,
}

/// Reads and lowers the files of a program into one module. libclang's memory stays with the process.
///
/// What is refused with a precompiled header is read again without one, but for what libclang says of the user's own files.
pub fn lower_files(options: &Options) -> Result<Lowered, Vec<FrontendError>> {
    let lowered = lower_aside(options);
    let Some(precompiled) = &options.precompiled else { return lowered };
    let used = precompiled.end();
    if lowered.is_ok() || used.is_empty() {
        return lowered;
    }
    if let Err(errors) = &lowered {
        for error in errors {
            log::debug!(target: "cache", "with precompiled headers: {error}");
        }
        // Who mends errors waits for this time and again.
        if errors.iter().all(FrontendError::is_of_user) {
            return lowered;
        }
    }
    log::debug!(target: "cache", "it is read again without precompiled headers");

    let lowered = lower_aside(&Options { precompiled: None, ..options.clone() });
    if lowered.is_ok() {
        precompiled.refuse(&used);
    }
    lowered
}

/// Lowers on a thread of its own.
fn lower_aside(options: &Options) -> Result<Lowered, Vec<FrontendError>> {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new()
            .name("frontend".into())
            .stack_size(STACK)
            .spawn_scoped(scope, || lower_all(options));
        match worker.map(|w| w.join()) {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => {
                Err(vec![FrontendError::Internal { what: "the lowering panicked".into(), place: None }])
            }
            Err(e) => Err(vec![FrontendError::Usage { message: format!("cannot start a thread: {e}") }]),
        }
    })
}

fn lower_all(options: &Options) -> Result<Lowered, Vec<FrontendError>> {
    if options.files.is_empty() {
        return Err(vec![FrontendError::Usage { message: "no source file given".into() }]);
    }
    let mut module = Module::new();
    let (mut errors, mut notes) = (Vec::new(), Vec::new());
    let (mut started, mut weak) = (Vec::new(), Vec::new());
    let mut reads = options.record.then(Reads::default);
    for file in &options.files {
        match parse::parse_recorded(options, file, false, reads.as_mut()) {
            Ok(parsed) => {
                (options.stage)("lowering");
                let known = module.funcs.len();
                // What one file defines, another may use.
                let all = options.all_functions || options.files.len() > 1;
                let roots = if options.uncalled_functions {
                    lower::Roots::Uncalled
                } else if all {
                    lower::Roots::All
                } else {
                    lower::Roots::Program
                };
                let device = parsed.language == Language::Cuda && parse::asks_for_architecture(&parsed.unit);
                let arena = bumpalo::Bump::new();
                let mut cx =
                    lower::Cx::new(&mut module, &parsed.unit, &arena, parsed.language != Language::C);
                cx.set_hints(&parsed);
                if device {
                    cx.leave_device_code();
                }
                cx.run(roots);
                let mut missed = parsed.unit.has_missed();
                let mut faults = std::mem::take(&mut cx.faults);
                let templates = std::mem::take(&mut cx.uninstantiated);
                started.append(&mut cx.started);
                weak.append(&mut cx.weak);
                let handover = cx.handover();
                if device {
                    match parse::parse_recorded(options, file, true, reads.as_mut()) {
                        Ok(parsed) => {
                            (options.stage)("lowering");
                            let arena = bumpalo::Bump::new();
                            let mut cx = lower::Cx::new(&mut module, &parsed.unit, &arena, true);
                            cx.set_hints(&parsed);
                            cx.run_device(handover);
                            missed |= parsed.unit.has_missed();
                            faults.append(&mut cx.faults);
                            started.append(&mut cx.started);
                            weak.append(&mut cx.weak);
                        }
                        Err(found) => errors.extend(found),
                    }
                }
                if missed {
                    let what = "a declaration of a precompiled header is asked for".to_owned();
                    errors.push(FrontendError::Internal { what, place: None });
                }
                errors.extend(faults.iter().map(|f| f.error(&module)));
                notes.extend(templates.iter().map(|t| uninstantiated(&module, t)));
                tell_lowered(&module, known, file, faults.len());
                // Taking the tree apart would cost as much as lowering it, and the process ends soon.
                std::mem::forget(parsed);
            }
            Err(found) => errors.extend(found),
        }
    }
    // Those alike run in the order of the files.
    started.sort_by_key(|&(turn, _)| turn);
    module.ctors.extend(started.into_iter().map(|(_, func)| func));
    errors.extend(weak.into_iter().filter_map(|w| w.fault(&module)).map(|f| f.error(&module)));
    if !errors.is_empty() {
        return Err(errors);
    }
    if let Some(reads) = &mut reads {
        (options.stage)("what was read");
        reads.complete(options);
    }
    Ok(Lowered { module, notes, reads })
}

/// That a kernel template has no instance.
fn uninstantiated(module: &Module, template: &lower::Uninstantiated) -> Diagnostic {
    let name = &template.name;
    let message = format!("the kernel template `{name}` has no instance, so nothing of it is looked at");
    let mut note = Diagnostic::new(DiagnosticClass::Note, message);
    note.primary = template.loc.map(|loc| Span::new(&module.source, loc, ""));
    note.help =
        Some(format!("an explicit instantiation makes one: `template __global__ void {name}<…>(…);`"));
    note
}

/// Traces what was lowered from a file: the functions behind the first `known`.
fn tell_lowered(module: &Module, known: usize, file: &str, faults: usize) {
    if !log::log_enabled!(target: "lower", log::Level::Info) {
        return;
    }
    let new = || module.funcs.values().skip(known).filter(|f| !f.is_declaration());
    for func in new() {
        let (name, side) = (&func.display_name, func.side);
        let (insts, blocks) = (func.insts.len(), func.blocks.len());
        log::debug!(target: "lower", "`{name}` ({side:?}): {blocks} blocks, {insts} instructions");
    }
    let insts: usize = new().map(|f| f.insts.len()).sum();
    let functions = new().count();
    log::info!(target: "lower", "{file}: {functions} functions, {insts} instructions, {faults} errors");
}
