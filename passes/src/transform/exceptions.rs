//! Calls that cannot throw become plain calls, and the landings that nothing reaches then go.
//!
//! A function throws if it calls one that does, or one that is not known, or passes an exception on. Of the native
//! functions those of C++ are taken to throw, and those that call back. In a program without any handler nothing is
//! unwound: an exception ends it where it is thrown.

use super::{each_function, util};
use cudair_ir::*;

/// Runs over all functions.
pub fn run(module: &mut Module) {
    let caught = has_handlers(module);
    let throwing = throwing(module);
    each_function(module, |func, module| {
        let mut changed = false;
        for block in func.layout.clone() {
            let Some(inst) = func.terminator(block) else { continue };
            let stays = match func.insts[inst] {
                InstData::Invoke { func: callee, .. } => caught && throwing.contains(callee),
                InstData::InvokeIndirect { .. } => caught,
                _ => true,
            };
            if !stays {
                into_call(func, module, block, inst);
                changed = true;
            }
        }
        if changed {
            util::remove_unreachable(func);
        }
    });
}

/// Whether anything in the program catches exceptions.
pub fn has_handlers(module: &Module) -> bool {
    let Some(begin) = module.func_by_name("__cxa_begin_catch") else { return false };
    let calls = |func: &Function| {
        let mut insts = func.layout.iter().flat_map(|&b| func.block_insts(b));
        insts.any(|&i| matches!(func.insts[i], InstData::Call { func, .. } if func == begin))
    };
    module.funcs.values().any(calls)
}

/// The functions that an exception may leave.
pub fn throwing(module: &Module) -> EntitySet<FuncId> {
    let mut out = EntitySet::new();
    let mut callers: SecondaryMap<FuncId, Vec<FuncId>> = SecondaryMap::new();
    let mut work = Vec::new();
    for (id, func) in &module.funcs {
        let mut throws = func.is_declaration() && native_throws(func);
        for &block in &func.layout {
            for &inst in func.block_insts(block) {
                match func.insts[inst] {
                    InstData::Call { func: callee, .. } => callers[callee].push(id),
                    InstData::CallIndirect { .. } | InstData::Resume { .. } => {
                        throws |= !func.side.on_device();
                    }
                    _ => {}
                }
            }
        }
        if throws && !func.attrs.noexcept {
            work.push(id);
        }
    }
    while let Some(id) = work.pop() {
        if out.insert(id) {
            work.extend(callers[id].iter().filter(|&&c| !module.funcs[c].attrs.noexcept));
        }
    }
    out
}

fn native_throws(func: &Function) -> bool {
    let name = func.name.as_str();
    if name.starts_with("_Z") {
        return !name.starts_with("_Zd");
    }
    matches!(
        name,
        "__cxa_throw"
            | "__cxa_rethrow"
            | "__cxa_bad_cast"
            | "__cxa_bad_typeid"
            | "__cxa_throw_bad_array_new_length"
            | "qsort"
            | "qsort_r"
            | "bsearch"
            | "lfind"
            | "lsearch"
            | "tsearch"
            | "twalk"
    )
}

/// Makes the call at the end of a block a plain one.
fn into_call(func: &mut Function, module: &Module, block: Block, inst: Inst) {
    let (data, normal, ret) = match func.insts[inst] {
        InstData::Invoke { func: callee, args, normal, site, .. } => {
            (InstData::Call { func: callee, args, site }, normal, module.funcs[callee].sig.ret)
        }
        InstData::InvokeIndirect { sig, callee, args, normal, site, .. } => {
            (InstData::CallIndirect { sig, callee, args, site }, normal, module.sigs[sig].ret)
        }
        _ => return,
    };
    let loc = func.locs[inst].expand();
    let call = func.make_inst(data, ret.as_slice(), loc);
    let mut args: Vec<Value> = func.result(call).into_iter().collect();
    args.extend_from_slice(normal.args.as_slice(&func.pool));
    let dest = func.block_call(normal.block, &args);
    let jump = func.make_inst(InstData::Jump { dest }, &[], loc);
    let insts = &mut func.blocks[block].insts;
    insts.pop();
    insts.extend([call, jump]);
}
