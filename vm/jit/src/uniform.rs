//! Values that are the same for all threads of a block, wherever these come to a barrier (*uniform*: Coutinho, Sampaio, Pereira and
//! Meira, "Divergence Analysis and Optimizations", 2011). They are kept across it once for the block, and lanes that do nothing else
//! need not be run.
//!
//! Nothing is taken from memory: what a thread loads there, another may have written meanwhile.

use crate::classes::incoming;
use cudair_ir::cfg::Cfg;
use cudair_ir::dom::PostDomTree;
use cudair_ir::*;

/// The values of a kernel that are the same for all threads of a block, of those that are `wanted`.
pub(crate) fn uniform(func: &Function, cfg: &Cfg, wanted: impl Fn(Value) -> bool) -> EntitySet<Value> {
    let ends = PostDomTree::new(func, cfg);
    let mut differ = EntitySet::new();
    loop {
        let mut changed = false;
        for &block in cfg.rpo() {
            for &inst in func.block_insts(block) {
                let mut differs = !is_computed(&func.insts[inst]);
                func.for_each_arg(inst, |v| differs |= differ.contains(v));
                for &v in func.inst_results(inst) {
                    changed |= differs && differ.insert(v);
                }
                func.for_each_target(inst, |call| {
                    let (params, args) = (func.block_params(call.block), call.args.as_slice(&func.pool));
                    for (&param, &arg) in params.iter().zip(args) {
                        changed |= differ.contains(arg) && differ.insert(param);
                    }
                });
            }
            for param in meeting(func, cfg, &ends, block, &differ) {
                changed |= differ.insert(param);
            }
        }
        if !changed {
            break;
        }
    }
    let mut out = EntitySet::new();
    for &block in cfg.rpo() {
        let results = func.block_insts(block).iter().flat_map(|&inst| func.inst_results(inst));
        for &v in func.block_params(block).iter().chain(results) {
            if !differ.contains(v) && wanted(v) {
                out.insert(v);
            }
        }
    }
    out
}

/// Whether an instruction's results follow from its operands and from what all threads of a block have in common.
fn is_computed(data: &InstData) -> bool {
    use SpecialReg::*;
    match data {
        InstData::Special { reg } => {
            matches!(
                reg,
                CtaidX
                    | CtaidY
                    | CtaidZ
                    | NtidX
                    | NtidY
                    | NtidZ
                    | NctaidX
                    | NctaidY
                    | NctaidZ
                    | Warpsize
                    | DynSmemSize
            )
        }
        InstData::Const { .. }
        | InstData::GlobalAddr { .. }
        | InstData::SlotAddr { .. }
        | InstData::Unary { .. }
        | InstData::Binary { .. }
        | InstData::Cast { .. }
        | InstData::Icmp { .. }
        | InstData::Fcmp { .. }
        | InstData::Ternary { .. }
        | InstData::PtrAdd { .. }
        | InstData::PtrDiff { .. } => true,
        _ => false,
    }
}

/// The parameters of blocks in which threads may meet that have taken the branch of a block differently: those that more than one side
/// comes to before all come together, that place itself, and a loop that some leave and others do not. Where the edges that they come
/// along give one and the same value, they agree on it.
fn meeting(
    func: &Function,
    cfg: &Cfg,
    ends: &PostDomTree,
    branch: Block,
    differ: &EntitySet<Value>,
) -> Vec<Value> {
    let Some(end) = func.terminator(branch) else { return Vec::new() };
    match func.insts[end] {
        InstData::Branch { cond: by, .. } | InstData::Switch { arg: by, .. } if differ.contains(by) => {}
        _ => return Vec::new(),
    }
    let join = ends.ipdom(branch);
    let mut targets: Vec<Block> = Vec::new();
    func.for_each_target(end, |call| {
        if !targets.contains(&call.block) {
            targets.push(call.block);
        }
    });
    let sides: Vec<EntitySet<Block>> = targets.iter().map(|&to| reached(func, to, join)).collect();
    let mut out = Vec::new();
    for &block in cfg.rpo() {
        let params = func.block_params(block);
        // Those that come to the branch again may be behind others there.
        let again = sides.iter().any(|side| side.contains(block) && side.contains(branch));
        let by = sides.iter().filter(|side| side.contains(block)).count();
        if again {
            out.extend(params);
        } else if by > 1 || Some(block) == join {
            let comes = |&pred: &Block| {
                pred == branch || Some(pred) != join && sides.iter().any(|side| side.contains(pred))
            };
            let args = incoming(func, block, cfg.preds(block).iter().copied().filter(comes));
            let apart = |n: usize| args.windows(2).any(|two| two[0][n] != two[1][n]);
            out.extend(params.iter().enumerate().filter(|&(n, _)| apart(n)).map(|(_, &param)| param));
        }
    }
    out
}

/// The blocks that control comes to from one, without going through another.
fn reached(func: &Function, from: Block, until: Option<Block>) -> EntitySet<Block> {
    let mut out = EntitySet::new();
    let mut open = vec![from];
    while let Some(block) = open.pop() {
        if !out.insert(block) || Some(block) == until {
            continue;
        }
        if let Some(end) = func.terminator(block) {
            func.for_each_target(end, |call| open.push(call.block));
        }
    }
    out
}
