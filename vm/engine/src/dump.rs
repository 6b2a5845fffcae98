//! `--dump-state`: what is alive when a run or a launch stops.

use crate::state::{Byte, Show, place};
use cudair_bytecode::{Code, SlotLayout};
use cudair_ir::Module;
use cudair_ir::{Loc, SourceType};
use cudair_lane::fault::{FaultKind, Stop};
use std::fmt::Write;

/// Values of one variable that are told before the others are counted.
const MOST_VALUES: usize = 8;

/// A variable of a group of threads: each thread's bytes, or nothing where it is not in scope.
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) ty: Option<SourceType>,
    pub(crate) of: Vec<(u32, Option<Vec<Byte>>)>,
}

impl Variable {
    /// The source type of a variable, or of the piece of it that there is.
    pub(crate) fn ty(module: &Module, code: &Code, layout: &SlotLayout) -> Option<SourceType> {
        let ty = module.funcs[code.func].slots[layout.slot].ty.as_ref()?;
        match layout.part {
            Some((offset, _)) => ty.part(&module.types, offset.into(), layout.size.into()).cloned(),
            None => Some(ty.clone()),
        }
    }
}

/// Why something stopped, in a line.
pub(crate) fn reason(stop: &Stop) -> Option<String> {
    Some(match stop {
        Stop::Exit(_) | Stop::Throw(_) | Stop::Switch(_) => return None,
        Stop::Fault(fault) => match &fault.kind {
            FaultKind::Other { kind, message, .. } => format!("{kind}: {message}"),
            kind => kind.kind().to_string(),
        },
        Stop::Limit(d) | Stop::Unsupported(d) | Stop::Internal(d) => format!("{}: {}", d.class, d.message),
    })
}

/// The place of an operation, or of one of the next few where it has none.
pub(crate) fn loc_of_frame(code: &Code, pc: usize) -> Option<Loc> {
    let ahead = || (pc..code.ops.len().min(pc + 8)).find_map(|at| code.loc(at));
    code.loc(pc).or_else(ahead)
}

/// The lines of one frame's place: the function with its place, and the calls that were inlined into it.
pub(crate) fn frame_lines(module: &Module, code: &Code, pc: usize, first: bool, out: &mut String) {
    let loc = loc_of_frame(code, pc);
    let word = if first { "at" } else { "called from" };
    let _ = writeln!(out, "    {word} {} in `{}`", place(module, loc), code.name);
    if let Some(loc) = loc {
        for call in module.source.call_path(module.source.visible(loc)) {
            let _ = writeln!(out, "    called from {}", place(module, Some(call)));
        }
    }
}

/// The named variables of a frame, each distinct value with the threads that have it.
pub(crate) fn variable_lines(
    show: Show<'_>,
    variables: &[Variable],
    list: impl Fn(&[u32]) -> String,
    out: &mut String,
) {
    for v in variables {
        let mut values: Vec<(String, Vec<u32>)> = Vec::new();
        for (thread, bytes) in &v.of {
            let text = match bytes {
                Some(bytes) => show.contents(v.ty.as_ref(), bytes, "          "),
                None => " not in scope".to_owned(),
            };
            match values.iter_mut().find(|(t, _)| *t == text) {
                Some((_, threads)) => threads.push(*thread),
                None => values.push((text, vec![*thread])),
            }
        }
        match values.as_slice() {
            [] => {}
            [(text, _)] if text == " not in scope" => {}
            [(text, _)] => {
                let _ = writeln!(out, "      {} ={text}", v.name);
            }
            _ => {
                let _ = writeln!(out, "      {} =", v.name);
                for (text, threads) in values.iter().take(MOST_VALUES) {
                    let _ = writeln!(out, "        {}:{text}", list(threads));
                }
                if values.len() > MOST_VALUES {
                    let more: usize = values[MOST_VALUES..].iter().map(|v| v.1.len()).sum();
                    let _ = writeln!(out, "        and other values in {more} more threads");
                }
            }
        }
    }
}
