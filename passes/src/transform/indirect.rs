//! Indirect-call promotion, for the analyses: a call through a pointer in device code becomes a choice of direct calls,
//! one for each function that the pointer may be, so that these can be inlined and followed.
//!
//! The pointer may be any function of the module whose address is taken and whose signature is the call's. Where it is
//! none of them, [`NO_FUNCTION`] is called, and control does not go on. The machine has no such function: it calls
//! through the pointer, and what comes out of this transform is never run.

use super::util::result_to_param;
use super::{Pass, Pipeline};
use cudair_ir::*;

/// The native function that a call through a pointer to no known function becomes.
pub const NO_FUNCTION: &str = "__cudair_no_function";

/// With more functions a call stays as it is.
const MAX_TARGETS: usize = 16;

/// The module with the calls of its device code promoted and inlined, or `None` where there is nothing to promote.
///
/// Identifiers of functions and variables stay; those of instructions and values of the functions concerned do not.
///
/// # Panics
///
/// In builds with debug assertions, where a pass breaks the verifier's rules.
pub fn promoted(module: &Module) -> Option<Module> {
    let taken = address_taken(module);
    let mut calls: Vec<(FuncId, Inst, Vec<FuncId>)> = Vec::new();
    for (id, func) in &module.funcs {
        if !func.side.on_device() {
            continue;
        }
        for &inst in func.layout.iter().flat_map(|&b| func.block_insts(b)) {
            if let InstData::CallIndirect { sig, callee, .. } = func.insts[inst] {
                let targets = targets(module, func, sig, callee, &taken);
                // A pointer that may be any is that of a function elsewhere.
                let known = !targets.is_empty() || is_number(func, callee);
                // The address of a function is of type `ptr.code`; a call through a data pointer stays as it is.
                let code = func.value_type(callee) == Type::Ptr(Space::Code);
                if known && code && targets.len() <= MAX_TARGETS {
                    calls.push((id, inst, targets));
                }
            }
        }
    }
    if calls.is_empty() {
        return None;
    }
    let mut out = module.clone();
    let sig = Signature { params: Vec::new(), ret: None, variadic: false };
    let mut none = Function::new(NO_FUNCTION, Side::Device, sig);
    none.attrs.noreturn = true;
    let none = out.add_func(none);
    for (id, inst, targets) in calls {
        promote(&mut out.funcs[id], inst, &targets, none);
    }
    let passes = {
        use Pass::*;
        vec![Simplify, Inline, Sroa, Promote, Simplify, Spaces, Promote, Simplify, Licm, Simplify]
    };
    // The order of passes is that of the default pipeline, whose result the verifier knows.
    super::run_pipeline(&mut out, &Pipeline { passes }).unwrap_or_else(|broken| panic!("{broken}"));
    Some(out)
}

/// The functions that a call through `callee` may be of. A function of another signature is none of them, nor is a kernel or
/// a function of the host: the machine reports such a call.
fn targets(module: &Module, func: &Function, sig: SigId, callee: Value, taken: &[FuncId]) -> Vec<FuncId> {
    let fits = |f: &FuncId| {
        let f = &module.funcs[*f];
        f.sig == module.sigs[sig] && f.side == Side::Device
    };
    if let Some(InstData::FuncAddr { func: only }) = func.def_inst(callee).map(|i| &func.insts[i]) {
        return Some(*only).filter(fits).into_iter().collect();
    }
    taken.iter().copied().filter(fits).collect()
}

/// Whether a pointer is made of a constant.
fn is_number(func: &Function, mut v: Value) -> bool {
    loop {
        match func.def_inst(v).map(|i| &func.insts[i]) {
            Some(InstData::Const { .. }) => return true,
            Some(&InstData::Cast { arg, .. }) => v = arg,
            _ => return false,
        }
    }
}

/// Puts a chain of comparisons in the place of a call.
fn promote(func: &mut Function, call: Inst, targets: &[FuncId], none: FuncId) {
    let InstData::CallIndirect { callee, ref args, .. } = func.insts[call] else { return };
    let args = args.as_slice(&func.pool).to_vec();
    let place = func.layout.iter().enumerate().find_map(|(n, &b)| {
        let at = func.block_insts(b).iter().position(|&i| i == call)?;
        Some((n, b, at))
    });
    let Some((number, block, at)) = place else { return };
    let loc = func.locs[call].expand();
    let tail = func.blocks[block].insts.split_off(at);
    let rest = func.make_block();
    func.blocks[rest].insts = tail[1..].to_vec();
    let result = result_to_param(func, call, rest).map(|v| func.value_type(v));
    let mut new = Vec::new();
    let mut current = block;
    for &target in targets {
        let (then, other) = (func.make_block(), func.make_block());
        let address = func.make_inst(InstData::FuncAddr { func: target }, &[func.value_type(callee)], loc);
        let address_value = func.inst_results(address)[0];
        let test = InstData::Icmp { cc: IntCC::Eq, args: [callee, address_value] };
        let test = func.make_inst(test, &[Type::I1], loc);
        let cond = func.inst_results(test)[0];
        let (to, not) = (func.block_call(then, &[]), func.block_call(other, &[]));
        let branch = func.make_inst(InstData::Branch { cond, then: to, other: not }, &[], loc);
        func.blocks[current].insts.extend([address, test, branch]);
        let list = func.list(&args);
        let site = func.sites.push(SiteData { loc: loc.into() });
        let types: Vec<Type> = result.into_iter().collect();
        let direct = func.make_inst(InstData::Call { func: target, args: list, site }, &types, loc);
        let passed = func.inst_results(direct).to_vec();
        let dest = func.block_call(rest, &passed);
        let jump = func.make_inst(InstData::Jump { dest }, &[], loc);
        func.blocks[then].insts.extend([direct, jump]);
        new.extend([then, other]);
        current = other;
    }
    let list = func.list(&[]);
    let site = func.sites.push(SiteData { loc: loc.into() });
    let fails = func.make_inst(InstData::Call { func: none, args: list, site }, &[], loc);
    let trap = func.make_inst(InstData::Trap { code: TrapCode::Unreachable }, &[], loc);
    func.blocks[current].insts.extend([fails, trap]);
    new.push(rest);
    let behind = number + 1;
    func.layout.splice(behind..behind, new);
}
