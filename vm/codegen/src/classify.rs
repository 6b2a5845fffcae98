//! Which values are scalars of the convergence group and which are vectors over its lanes.
//!
//! A scalar register holds one value for all lanes of a convergence group. A pure operation on scalars gives a
//! scalar without any proof, since what it computes depends on nothing else. Where a value depends on
//! more than its operands, a proof is needed: a block parameter on which path led there, a load on
//! when it happens. A value that a proof calls uniform but that is computed from vectors stays a
//! vector: that is never wrong, and addresses of local variables, which look uniform, differ by lane.

use super::Context;
use super::order::BlockOrder;
use super::plan::is_math_call;
use super::vreg::{Class, VRegs};
use cranelift_entity::SecondaryMap;
use cudair_ir::{
    Block, Function, Inst, InstData, PackedOption, Side, SpecialReg, Type, Uniformity, Value, insts,
};

/// Decides the class of every value of `func`, which has a body.
pub(super) fn classify(
    cx: &Context<'_>,
    func: &Function,
    order: &BlockOrder,
    copied: &SecondaryMap<Value, bool>,
) -> VRegs {
    let mut regs = VRegs::with_capacity(func.values.len());
    if !func.side.on_device() {
        for data in func.values.values() {
            regs.push(Class::scalar(data.ty));
        }
        return regs;
    }
    let vector = vectors(cx, func, order, copied, true).vector;
    for (v, data) in &func.values {
        regs.push(match data.ty {
            _ if !vector[v] => Class::scalar(data.ty),
            // A byte that is only moved keeps its state of initialisation, which a predicate has not.
            Type::I1 if copied[v] => Class::V,
            ty => Class::vector(ty),
        });
    }
    regs
}

/// Values that would be scalars but for their uses outside a loop that lanes leave one after the other,
/// each with that loop.
pub(super) fn held_by_exits(
    cx: &Context<'_>,
    func: &Function,
    order: &BlockOrder,
    copied: &SecondaryMap<Value, bool>,
) -> Vec<(Value, usize)> {
    if !func.side.on_device() || order.loops.is_empty() {
        return Vec::new();
    }
    let found = vectors(cx, func, order, copied, false);
    let mut held = escapes(func, order);
    held.retain(|&(v, l)| !found.vector[v] && found.divergent_exit[l]);
    held
}

/// What [`vectors`] finds.
struct Vectors {
    vector: SecondaryMap<Value, bool>,
    /// By loop: whether lanes leave it one after the other.
    divergent_exit: Vec<bool>,
}

/// The values that must be vectors: the least fixed point above what is a vector by nature. With `exits`
/// also those that [`escapes`] describes.
fn vectors(
    cx: &Context<'_>,
    func: &Function,
    order: &BlockOrder,
    copied: &SecondaryMap<Value, bool>,
    exits: bool,
) -> Vectors {
    let proved = |v: Value| cx.facts.is_some_and(|f| f.uniform[v] >= cx.uniform_over);
    let mut vector: SecondaryMap<Value, bool> = SecondaryMap::new();
    for (n, &block) in order.blocks.iter().enumerate() {
        for &p in func.block_params(block) {
            vector[p] = if n == 0 { func.side != Side::Kernel } else { !proved(p) };
        }
    }
    let escapes = if exits { escapes(func, order) } else { Vec::new() };
    let mut divergent_exit = vec![false; order.loops.len()];
    loop {
        let mut changed = false;
        for &block in &order.blocks {
            for &inst in func.block_insts(block) {
                let results = func.inst_results(inst);
                if let [r, ..] = *results
                    && !vector[r]
                    && is_vector(cx, func, inst, r, &vector, copied)
                {
                    for &r in results {
                        vector[r] = true;
                    }
                    changed = true;
                }
            }
            let Some(t) = func.terminator(block) else { continue };
            let split = match func.insts[t] {
                InstData::Branch { cond: by, .. } | InstData::Switch { arg: by, .. } => vector[by],
                _ => false,
            };
            func.for_each_target(t, |call| {
                if split {
                    for l in order.left(block, call.block) {
                        changed |= !std::mem::replace(&mut divergent_exit[l], true);
                    }
                }
                let params = func.block_params(call.block);
                let args = call.args.as_slice(&func.pool);
                // The result of an invoke comes first and has no argument.
                let skipped = params.len().saturating_sub(args.len());
                for &p in &params[..skipped] {
                    changed |= !std::mem::replace(&mut vector[p], true);
                }
                for (&p, &a) in params[skipped..].iter().zip(args) {
                    if vector[a] {
                        changed |= !std::mem::replace(&mut vector[p], true);
                    }
                }
            });
        }
        for &(v, l) in &escapes {
            if divergent_exit[l] {
                changed |= !std::mem::replace(&mut vector[v], true);
            }
        }
        if !changed {
            return Vectors { vector, divergent_exit };
        }
    }
}

/// Values that are used outside a loop in which they are computed. Where lanes leave the loop in
/// different iterations, each has its own such value: kept in a scalar, the convergence groups that left would
/// never merge again.
fn escapes(func: &Function, order: &BlockOrder) -> Vec<(Value, usize)> {
    let mut out = Vec::new();
    if order.loops.is_empty() {
        return out;
    }
    let mut block_of: SecondaryMap<Value, PackedOption<Block>> = SecondaryMap::new();
    for &block in &order.blocks {
        for &p in func.block_params(block) {
            block_of[p] = block.into();
        }
        for &inst in func.block_insts(block) {
            if !matches!(
                func.insts[inst],
                InstData::Const { .. }
                    | InstData::GlobalAddr { .. }
                    | InstData::FuncAddr { .. }
                    | InstData::Special { .. }
            ) {
                for &r in func.inst_results(inst) {
                    block_of[r] = block.into();
                }
            }
        }
    }
    for &block in &order.blocks {
        for &inst in func.block_insts(block) {
            func.for_each_arg(inst, |v| {
                if let Some(def) = block_of[v].expand()
                    && def != block
                {
                    out.extend(order.left(def, block).map(|l| (v, l)));
                }
            });
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

fn is_vector(
    cx: &Context<'_>,
    func: &Function,
    inst: Inst,
    result: Value,
    vector: &SecondaryMap<Value, bool>,
    copied: &SecondaryMap<Value, bool>,
) -> bool {
    use InstData::*;
    let any_operand = || {
        let mut any = false;
        func.for_each_arg(inst, |a| any |= vector[a]);
        any
    };
    match &func.insts[inst] {
        Const { .. } | GlobalAddr { .. } | FuncAddr { .. } => false,
        Special { reg } => match reg {
            SpecialReg::TidX
            | SpecialReg::TidY
            | SpecialReg::TidZ
            | SpecialReg::Laneid
            | SpecialReg::Warpid => true,
            SpecialReg::CtaidX | SpecialReg::CtaidY | SpecialReg::CtaidZ | SpecialReg::Smid => {
                cx.uniform_over > Uniformity::Block
            }
            // The counters are read once for the whole convergence group.
            _ => false,
        },
        // Local memory is each lane's own.
        SlotAddr { .. } | Alloca { .. } => true,
        Unary { .. }
        | Binary { .. }
        | Cast { .. }
        | Icmp { .. }
        | Fcmp { .. }
        | Ternary { .. }
        | PtrAdd { .. }
        | PtrDiff { .. } => any_operand(),
        // A value on its way to a store does not live long enough to keep convergence groups apart.
        Load { ptr, .. } => {
            vector[*ptr] || !copied[result] && cx.facts.is_some_and(|f| f.uniform[result] < cx.uniform_over)
        }
        data @ Call { .. } => !is_math_call(cx, data) || any_operand(),
        AtomicLoad { .. }
        | AtomicRmw { .. }
        | AtomicCas { .. }
        | Shfl { .. }
        | Vote { .. }
        | Match { .. }
        | Reduce { .. }
        | ActiveMask { .. }
        | CallIndirect { .. }
        | VaArg { .. } => true,
        Barrier { .. } | Launch { .. } | LaunchIndirect { .. } => false,
        insts!(NoResult) => false,
    }
}
