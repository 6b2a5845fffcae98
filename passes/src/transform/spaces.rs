//! Space inference: generic pointers that are seen to point into one space become pointers to it.
//!
//! An optimistic dataflow over the whole module. A pointer's space comes from its definition: addresses
//! have theirs, `ptradd`, `select`, casts to `generic` and block parameters pass it on; null fits every
//! space; what is loaded, returned or made of an integer stays generic, and so do the parameters of
//! kernels and of functions that others can see. The parameters of internal functions whose address is
//! nowhere taken get what all their calls pass.

use super::util::insert_before;
use cudair_ir::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Rounds over the module in which what calls pass is followed.
const MAX_ROUNDS: u32 = 32;

/// What is known of a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Known {
    /// Nothing that would exclude a space: null, or not reached yet.
    #[default]
    Any,
    /// It points into this space or is null.
    In(Space),
    /// More than one space, or unknown.
    Generic,
}

impl Known {
    fn join(self, other: Known) -> Known {
        match (self, other) {
            (Known::Any, x) | (x, Known::Any) => x,
            (a, b) if a == b => a,
            _ => Known::Generic,
        }
    }

    fn of(ty: Type) -> Known {
        match ty {
            // An access through a function's address is a finding of the run, and one of the pointer that it has.
            Type::Ptr(Space::Generic | Space::Code) => Known::Generic,
            Type::Ptr(s) => Known::In(s),
            _ => Known::Any,
        }
    }
}

/// Narrows the pointers of a module.
pub fn run(module: &mut Module) {
    let narrowable = narrowable_functions(module);
    let mut params: FxHashMap<FuncId, Vec<Known>> = FxHashMap::default();
    for f in narrowable.iter() {
        params.insert(f, vec![Known::Any; module.funcs[f].sig.params.len()]);
    }
    // What calls pass depends on what parameters are: both grow until nothing changes.
    let ids: Vec<FuncId> = module.funcs.keys().filter(|&f| !module.funcs[f].is_declaration()).collect();
    let mut known: FxHashMap<FuncId, SecondaryMap<Value, Known>> = FxHashMap::default();
    for round in 0.. {
        if round == MAX_ROUNDS {
            // A long chain of calls is not followed to its end: its parameters stay generic.
            params.values_mut().flatten().for_each(|k| *k = Known::Generic);
        }
        let mut changed = false;
        for &id in &ids {
            let func = &module.funcs[id];
            let values = infer(func, params.get(&id));
            for &block in &func.layout {
                for &inst in func.block_insts(block) {
                    if let InstData::Call { func: callee, ref args, .. }
                    | InstData::Invoke { func: callee, ref args, .. } = func.insts[inst]
                        && let Some(list) = params.get_mut(&callee)
                    {
                        for (p, &a) in list.iter_mut().zip(args.as_slice(&func.pool)) {
                            let joined = p.join(values[a]);
                            changed |= joined != *p;
                            *p = joined;
                        }
                    }
                }
            }
            known.insert(id, values);
        }
        if !changed || round > MAX_ROUNDS {
            break;
        }
    }
    // Signatures first: calls are fitted to them.
    for (&f, list) in &params {
        for (n, k) in list.iter().enumerate() {
            let param = &mut module.funcs[f].sig.params[n];
            if let Known::In(space) = *k
                && param.ty == Type::GENERIC_PTR
            {
                param.ty = Type::Ptr(space);
            }
        }
    }
    for id in ids {
        let Some(values) = known.remove(&id) else { continue };
        super::with_function(module, id, |func, module| rewrite(func, module, &values));
    }
}

/// Internal functions with a body that are only called directly.
fn narrowable_functions(module: &Module) -> EntitySet<FuncId> {
    let mut set = super::util::set_of(module.funcs.iter().filter_map(|(id, f)| {
        let plain = f.linkage == Linkage::Internal
            && !f.is_declaration()
            && f.side != Side::Kernel
            && !f.sig.variadic;
        plain.then_some(id)
    }));
    for &ctor in &module.ctors {
        set.remove(ctor);
    }
    for func in module.funcs.values() {
        for &block in &func.layout {
            for &inst in func.block_insts(block) {
                if let InstData::FuncAddr { func } = func.insts[inst] {
                    set.remove(func);
                }
            }
        }
    }
    for g in module.globals.values() {
        if let GlobalInit::Data { relocs, .. } = &g.init {
            for r in relocs {
                if let RelocTarget::Func(f) = r.target {
                    set.remove(f);
                }
            }
        }
    }
    set
}

/// What is known of each value, given what is known of the parameters.
fn infer(func: &Function, params: Option<&Vec<Known>>) -> SecondaryMap<Value, Known> {
    let mut known: SecondaryMap<Value, Known> = SecondaryMap::new();
    let Some(entry) = func.entry() else { return known };
    for (n, &p) in func.block_params(entry).iter().enumerate() {
        known[p] = match params {
            Some(list) if func.value_type(p) == Type::GENERIC_PTR => list[n],
            _ => Known::of(func.value_type(p)),
        };
    }
    // The parameters of exceptional edges are not passed by a call.
    for &block in &func.layout {
        let Some(t) = func.terminator(block) else { continue };
        func.for_each_target(t, |call| {
            let all = func.block_params(call.block);
            let skip = all.len().saturating_sub(call.args.len(&func.pool));
            for &p in &all[..skip] {
                known[p] = Known::of(func.value_type(p));
            }
        });
    }
    let cfg = Cfg::new(func);
    let mut changed = true;
    while changed {
        changed = false;
        for &block in cfg.rpo() {
            for &inst in func.block_insts(block) {
                if let Some(result) = func.result(inst)
                    && func.value_type(result).is_ptr()
                {
                    let new = known[result].join(transfer(func, inst, result, &known));
                    changed |= new != known[result];
                    known[result] = new;
                }
            }
            let Some(t) = func.terminator(block) else { continue };
            func.for_each_target(t, |call| {
                let all = func.block_params(call.block);
                let skip = all.len().saturating_sub(call.args.len(&func.pool));
                for (&p, &a) in all[skip..].iter().zip(call.args.as_slice(&func.pool)) {
                    if func.value_type(p) == Type::GENERIC_PTR {
                        let new = known[p].join(known[a]);
                        changed |= new != known[p];
                        known[p] = new;
                    } else {
                        known[p] = Known::of(func.value_type(p));
                    }
                }
            });
        }
    }
    known
}

fn transfer(func: &Function, inst: Inst, result: Value, known: &SecondaryMap<Value, Known>) -> Known {
    let ty = func.value_type(result);
    if ty != Type::GENERIC_PTR {
        return Known::of(ty);
    }
    match func.insts[inst] {
        InstData::Const { bits: 0, .. } => Known::Any,
        InstData::PtrAdd { ptr, .. } => known[ptr],
        InstData::Cast { op: CastOp::Spacecast, arg, .. } => known[arg],
        InstData::Ternary { op: TernaryOp::Select, args: [_, a, b] } => known[a].join(known[b]),
        _ => Known::Generic,
    }
}

/// Gives values their types and converts where a null is passed for what is now a known space.
fn rewrite(func: &mut Function, module: &Module, known: &SecondaryMap<Value, Known>) {
    let mut values = Vec::new();
    for &block in &func.layout {
        values.extend_from_slice(func.block_params(block));
        for &inst in func.block_insts(block) {
            values.extend_from_slice(func.inst_results(inst));
        }
    }
    let entry: SmallVec<[Value; 8]> = func.entry().map(|e| func.block_params(e).into()).unwrap_or_default();
    for v in values {
        if func.value_type(v) != Type::GENERIC_PTR {
            continue;
        }
        // The signature, which others see, decides about the function's own parameters.
        let ty = match entry.iter().position(|&p| p == v) {
            Some(n) => func.sig.params[n].ty,
            None => match known[v] {
                Known::In(space) => Type::Ptr(space),
                _ => continue,
            },
        };
        func.values[v].ty = ty;
    }
    let mut replaced: SecondaryMap<Value, PackedOption<Value>> = SecondaryMap::new();
    for b in 0..func.layout.len() {
        let block = func.layout[b];
        let mut i = 0;
        while i < func.blocks[block].insts.len() {
            let inst = func.blocks[block].insts[i];
            fit(func, module, block, &mut i, inst, &mut replaced);
            i += 1;
        }
    }
    func.replace_uses(&replaced);
}

/// Casts before one instruction.
struct Casts {
    block: Block,
    /// The position of the instruction.
    at: usize,
    loc: Option<Loc>,
}

impl Casts {
    /// `v` as a pointer of exactly this type.
    fn exact(&mut self, func: &mut Function, v: Value, ty: Type) -> Value {
        if func.value_type(v) == ty {
            return v;
        }
        let cast = InstData::Cast { op: CastOp::Spacecast, ty, arg: v };
        let new = insert_before(func, self.block, self.at, cast, ty, self.loc);
        self.at += 1;
        new
    }

    /// `v` for a place of this type, where a generic pointer may be any.
    fn passed(&mut self, func: &mut Function, v: Value, ty: Type) -> Value {
        if !ty.is_ptr() || ty == Type::GENERIC_PTR { v } else { self.exact(func, v, ty) }
    }
}

/// Makes the operands of one instruction fit the types that values have now.
fn fit(
    func: &mut Function,
    module: &Module,
    block: Block,
    at: &mut usize,
    inst: Inst,
    replaced: &mut SecondaryMap<Value, PackedOption<Value>>,
) {
    let mut casts = Casts { block, at: *at, loc: func.locs[inst].expand() };
    let result_type = func.result(inst).map(|r| func.value_type(r));
    match (func.insts[inst].clone(), result_type) {
        (InstData::Cast { op: CastOp::Spacecast, arg, .. }, Some(ty)) => {
            func.insts[inst] = InstData::Cast { op: CastOp::Spacecast, ty, arg };
            if func.value_type(arg) == ty
                && let Some(result) = func.result(inst)
            {
                replaced[result] = arg.into();
            }
        }
        // The result has the type of the last operand.
        (InstData::Ternary { op: TernaryOp::Select, args: [c, a, b] }, Some(ty)) if ty.is_ptr() => {
            let a = casts.passed(func, a, ty);
            let b = casts.exact(func, b, ty);
            func.insts[inst] = InstData::Ternary { op: TernaryOp::Select, args: [c, a, b] };
        }
        (InstData::PtrAdd { ptr, offset }, Some(ty)) => {
            let ptr = casts.exact(func, ptr, ty);
            func.insts[inst] = InstData::PtrAdd { ptr, offset };
        }
        // The result of these has the type of an operand, which must then stay as it was.
        (InstData::AtomicRmw { value, .. } | InstData::Shfl { value, .. }, Some(ty)) if ty.is_ptr() => {
            let new = casts.exact(func, value, ty);
            if let InstData::AtomicRmw { value, .. } | InstData::Shfl { value, .. } = &mut func.insts[inst] {
                *value = new;
            }
        }
        (InstData::AtomicCas { new: stored, .. }, Some(ty)) if ty.is_ptr() => {
            let cast = casts.exact(func, stored, ty);
            if let InstData::AtomicCas { new, .. } = &mut func.insts[inst] {
                *new = cast;
            }
        }
        (
            InstData::Call { func: callee, mut args, .. } | InstData::Invoke { func: callee, mut args, .. },
            _,
        ) => {
            let types: SmallVec<[Type; 8]> = module.funcs[callee].sig.params.iter().map(|p| p.ty).collect();
            for (n, ty) in types.into_iter().enumerate() {
                let Some(&v) = args.as_slice(&func.pool).get(n) else { continue };
                let new = casts.passed(func, v, ty);
                args.as_mut_slice(&mut func.pool)[n] = new;
            }
        }
        _ => {}
    }
    if func.insts[inst].is_terminator() {
        fit_targets(func, &mut casts, inst);
    }
    *at = casts.at;
}

/// Arguments for parameters of a space that is known now.
fn fit_targets(func: &mut Function, casts: &mut Casts, inst: Inst) {
    let mut wanted: Vec<(Block, Vec<Value>)> = Vec::new();
    func.for_each_target(inst, |call| wanted.push((call.block, call.args.as_slice(&func.pool).to_vec())));
    for (target, args) in &mut wanted {
        let params = func.block_params(*target);
        let skip = params.len().saturating_sub(args.len());
        let types: SmallVec<[Type; 8]> = params[skip..].iter().map(|&p| func.value_type(p)).collect();
        for (a, ty) in args.iter_mut().zip(types) {
            *a = casts.passed(func, *a, ty);
        }
    }
    let mut wanted = wanted.into_iter();
    func.for_each_target_mut(inst, |call, pool| {
        if let Some((_, args)) = wanted.next() {
            call.args.as_mut_slice(pool).copy_from_slice(&args);
        }
    });
}
