//! What is known of operations that threads wait for each other at, besides barriers of a block and of the grid: masks of
//! warp operations, and numbered barriers. What is not known is said.
//!
//! All lanes that a full mask names come to an operation if each branch that decides on it is one in which the threads of a
//! warp agree, as [`Control::controlling`](crate::analysis::control::Control::controlling) has it, and if the block has all
//! lanes of its warps. Other masks are for the run.

use super::race::Premises;
use super::report::premises;
use crate::analysis::uniformity::{RootContext, RootUniformity};
use cudair_ir::verdict::{Check, CheckVerdict, Outcome};
use cudair_ir::*;

/// The mask of a warp operation.
fn mask_of(data: &InstData) -> Option<Value> {
    match *data {
        InstData::WarpSync { mask, .. }
        | InstData::Shfl { mask, .. }
        | InstData::Vote { mask, .. }
        | InstData::Match { mask, .. }
        | InstData::Reduce { mask, .. } => Some(mask),
        _ => None,
    }
}

/// A verdict on the masks of warp operations below a kernel, if there are any, and on what a proof rests.
pub fn masks(
    root: &RootContext<'_>,
    uniformity: &RootUniformity,
    kernel: FuncId,
    rests_on: Premises,
) -> Option<CheckVerdict> {
    let mut any = false;
    let mut loops = false;
    let mut open: Vec<(&str, Option<Loc>)> = Vec::new();
    for id in root.graph.functions() {
        let cx = root.cx(id);
        loops |= cx.control.cycle_count() > 0;
        for node in 0..cx.control.len() as u32 {
            for &inst in cx.func.block_insts(cx.control.block(node)) {
                let Some(mask) = mask_of(&cx.func.insts[inst]) else { continue };
                any = true;
                let agree = |x: &u32| uniformity.funcs[&id].branches[*x as usize].level >= Uniformity::Warp;
                let why = if id != kernel {
                    "an operation in a function that stays a call is for the run"
                } else if cx.func.const_int(mask) != Some(-1) {
                    "a mask that does not name all lanes is for the run"
                } else if !cx.control.controlling(node).iter().all(agree) {
                    "whether all lanes of a warp come here is not known"
                } else if root.shape.threads().is_none_or(|n| n % 32 != 0) {
                    "the last warp of a block may have fewer lanes than the mask names"
                } else {
                    continue;
                };
                open.push((why, cx.func.locs[inst].expand()));
            }
        }
    }
    let rests_on = Premises { loops_end: loops, ..rests_on };
    any.then(|| match open.first() {
        None => {
            CheckVerdict { premises: premises(rests_on, Check::Masks), ..CheckVerdict::proved(Check::Masks) }
        }
        Some(&(why, loc)) => not_checked(root, Check::Masks, why, loc, open.len()),
    })
}

/// That barriers with numbers are not looked at, where a kernel has some.
pub fn numbered_barriers(root: &RootContext<'_>) -> Option<CheckVerdict> {
    let mut places = root.graph.functions().flat_map(|id| {
        let func = &root.module.funcs[id];
        let of_barrier = |data: &InstData| {
            matches!(*data, InstData::GlobalAddr { global } if root.module.globals[global].name == NAMED_BARRIERS)
        };
        let insts = func.layout.iter().flat_map(|&b| func.block_insts(b)).copied();
        insts.filter(move |&i| of_barrier(&func.insts[i])).map(|i| func.locs[i].expand())
    });
    let first = places.next()?;
    let why = "barriers with a number are for the run";
    Some(not_checked(root, Check::BarrierDivergence, why, first, 1 + places.count()))
}

fn not_checked(
    root: &RootContext<'_>,
    check: Check,
    why: &str,
    loc: Option<Loc>,
    places: usize,
) -> CheckVerdict {
    CheckVerdict {
        outcome: Outcome::NotChecked,
        why: Some(why.to_owned()),
        place: loc.map(|loc| Span::new(&root.module.source, loc, "")),
        places,
        ..CheckVerdict::proved(check)
    }
}
