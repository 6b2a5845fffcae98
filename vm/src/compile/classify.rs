//! Which values are scalars of the fragment and which are vectors over its lanes.
//!
//! A scalar register holds one value for all lanes of a fragment. A pure operation on scalars gives a
//! scalar without any proof, since what it computes depends on nothing else. Where a value depends on
//! more than its operands, a proof is needed: a block parameter on which path led there, a load on
//! when it happens. A value that a proof calls uniform but that is computed from vectors stays a
//! vector: that is never wrong, and addresses of local variables, which look uniform, differ by lane.

use super::vreg::{Class, VRegs};
use super::{Context, Refusal};
use cranelift_entity::SecondaryMap;
use cudair_ir::{
    Block, CastOp, FuncFacts, Function, Inst, InstData, Side, SpecialReg, Uniformity, Value, ValueDef,
};

/// Decides the class of every value of `func`, which has a body.
pub(super) fn classify(
    cx: &Context<'_>,
    func: &Function,
    facts: Option<&FuncFacts>,
    order: &[Block],
) -> Result<VRegs, Refusal> {
    let mut regs = VRegs::with_capacity(func.values.len());
    if !func.side.on_device() {
        for data in func.values.values() {
            regs.push(Class::scalar(data.ty));
        }
        return Ok(regs);
    }
    let vector = vectors(cx, func, facts, order);
    for (v, data) in &func.values {
        let class = if vector[v] {
            Class::vector(data.ty).ok_or_else(|| {
                let loc = match data.def {
                    ValueDef::Result(inst, _) => func.locs[inst],
                    ValueDef::Param(..) => func.loc,
                };
                Refusal::new(loc.expand(), format!("a value of type `{}` in device code", data.ty))
            })?
        } else {
            Class::scalar(data.ty)
        };
        regs.push(class);
    }
    Ok(regs)
}

/// The values that must be vectors: the least fixed point above what is a vector by nature.
fn vectors(
    cx: &Context<'_>,
    func: &Function,
    facts: Option<&FuncFacts>,
    order: &[Block],
) -> SecondaryMap<Value, bool> {
    let proved = |v: Value| facts.is_some_and(|f| f.uniform[v] >= cx.uniform_over);
    let mut vector: SecondaryMap<Value, bool> = SecondaryMap::new();
    let entry = func.entry();
    for &block in order {
        for &p in func.block_params(block) {
            vector[p] = if Some(block) == entry { func.side != Side::Kernel } else { !proved(p) };
        }
    }
    loop {
        let mut changed = false;
        for &block in order {
            for &inst in func.block_insts(block) {
                let results = func.inst_results(inst);
                if let [r, ..] = *results
                    && !vector[r]
                    && is_vector(cx, func, facts, inst, r, &vector)
                {
                    for &r in results {
                        vector[r] = true;
                    }
                    changed = true;
                }
            }
            if let Some(t) = func.terminator(block) {
                func.for_each_target(t, |call| {
                    let params = func.block_params(call.block);
                    let args = call.args.as_slice(&func.pool);
                    // The result of an invoke comes first and has no argument.
                    let skipped = params.len().saturating_sub(args.len());
                    for &p in &params[..skipped] {
                        changed |= !std::mem::replace(&mut vector[p], true);
                    }
                    for (&p, &a) in params[skipped..].iter().zip(args) {
                        if vector[a] && !vector[p] {
                            vector[p] = true;
                            changed = true;
                        }
                    }
                });
            }
        }
        if !changed {
            return vector;
        }
    }
}

fn is_vector(
    cx: &Context<'_>,
    func: &Function,
    facts: Option<&FuncFacts>,
    inst: Inst,
    result: Value,
    vector: &SecondaryMap<Value, bool>,
) -> bool {
    use InstData::*;
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
            // Read once for the whole fragment.
            SpecialReg::Clock | SpecialReg::Globaltimer => false,
            _ => false,
        },
        // Local memory is each lane's own.
        SlotAddr { .. } | Alloca { .. } => true,
        Cast { op: CastOp::Spacecast, arg, .. } => vector[*arg],
        Unary { .. } | Binary { .. } | Cast { .. } | Icmp { .. } | Fcmp { .. } | Ternary { .. }
        | PtrAdd { .. } | PtrDiff { .. } => {
            let mut any = false;
            func.for_each_arg(inst, |a| any |= vector[a]);
            any
        }
        Load { ptr, .. } => vector[*ptr] || facts.is_some_and(|f| f.uniform[result] < cx.uniform_over),
        Barrier { .. } => false,
        Launch { .. } | LaunchIndirect { .. } => false,
        AtomicLoad { .. } | AtomicRmw { .. } | AtomicCas { .. } | Shfl { .. } | Vote { .. } | Match { .. }
        | Reduce { .. } | ActiveMask { .. } | Call { .. } | CallIndirect { .. } | VaArg { .. } => true,
        Store { .. } | MemCopy { .. } | MemFill { .. } | Lifetime { .. } | AtomicStore { .. }
        | Fence { .. } | WarpSync { .. } | Invoke { .. } | InvokeIndirect { .. } | Va { .. } | Jump { .. }
        | Branch { .. } | Switch { .. } | Return { .. } | Resume { .. } | Trap { .. } => false,
    }
}
