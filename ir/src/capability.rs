//! What of the device code not every generation of devices has.
//!
//! The numbers are those of the CUDA C++ Programming Guide ("Compute Capabilities" and the sections on the
//! functions), for code that is compiled: what a header guards with `__CUDA_ARCH__` is not lowered at all.

use crate::entities::{Inst, Loc};
use crate::function::Function;
use crate::inst::InstData;
use crate::module::Module;
use crate::ops::{AtomicOp, MatchMode, ReduceOp, Scope};
use crate::types::Type;

/// A feature and since when there is it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Feature {
    /// What the user calls it.
    pub name: &'static str,
    /// The first compute capability with it, times ten.
    pub since: u32,
}

/// What in the code is not for every device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Concern {
    /// Devices that the code is for do not have it.
    Lacking(Feature),
    /// A warp function without a mask, which newer devices do not have.
    ImpliedMask,
}

/// A compute capability times ten as it is written: 75 is `7.5`.
pub fn version(capability: u32) -> String {
    format!("{}.{}", capability / 10, capability % 10)
}

/// The concerns of a function whose code is for this compute capability times ten, with their places.
pub fn concerns(module: &Module, func: &Function, compiled_for: u32) -> Vec<(Option<Loc>, Concern)> {
    let insts = func.layout.iter().flat_map(|&b| func.block_insts(b)).copied();
    let concern = |inst: Inst| match func.insts[inst] {
        InstData::ActiveMask { implied: true, .. } => Some(Concern::ImpliedMask),
        _ => feature(module, func, inst).filter(|used| used.since > compiled_for).map(Concern::Lacking),
    };
    insts.filter_map(|inst| Some((func.locs[inst].expand(), concern(inst)?))).collect()
}

/// The feature that an instruction uses, if not every device has it (those of compute capability 3.5 count as
/// the oldest).
fn feature(module: &Module, func: &Function, inst: Inst) -> Option<Feature> {
    let feature = |since, name| Some(Feature { name, since });
    match func.insts[inst] {
        InstData::Barrier { kind, .. } if kind.is_cluster() => feature(90, "the barrier of a cluster"),
        InstData::Fence { scope: Scope::Cluster, .. } => feature(90, "a fence of a cluster"),
        InstData::Match { mode: MatchMode::Any, .. } => feature(70, "`__match_any_sync`"),
        InstData::Match { mode: MatchMode::All, .. } => feature(70, "`__match_all_sync`"),
        InstData::Reduce { op, .. } => feature(
            80,
            match op {
                ReduceOp::Add => "`__reduce_add_sync`",
                ReduceOp::Smin | ReduceOp::Umin => "`__reduce_min_sync`",
                ReduceOp::Smax | ReduceOp::Umax => "`__reduce_max_sync`",
                ReduceOp::And => "`__reduce_and_sync`",
                ReduceOp::Or => "`__reduce_or_sync`",
                ReduceOp::Xor => "`__reduce_xor_sync`",
            },
        ),
        InstData::AtomicRmw { op: AtomicOp::Fadd, value, .. } if func.value_type(value) == Type::F64 => {
            feature(60, "an atomic addition of doubles")
        }
        InstData::AtomicRmw { op: AtomicOp::Fadd, value, .. } if func.value_type(value) == Type::BF16 => {
            feature(80, "an atomic addition of `__nv_bfloat16`")
        }
        InstData::AtomicRmw { value, .. } | InstData::AtomicCas { new: value, .. }
            if func.value_type(value) == Type::I128 =>
        {
            feature(90, "an atomic operation on 16 bytes")
        }
        InstData::AtomicRmw { scope: Scope::System, .. }
        | InstData::AtomicCas { scope: Scope::System, .. } => {
            feature(60, "an atomic operation of the whole system's scope")
        }
        InstData::Call { func: callee, .. } => match module.funcs[callee].name.as_str() {
            name if name.starts_with("__nanosleep") => feature(70, "`__nanosleep`"),
            name if name.starts_with("__cudair_cluster_") => feature(90, "shared memory of other blocks"),
            _ => None,
        },
        _ => None,
    }
}

/// What is wrong with a warp function that takes no mask, in code for this compute capability times ten: the
/// message, the label of its place, and what mends it.
pub fn implied_mask(compiled_for: u32) -> (String, &'static str, &'static str) {
    let fate = if compiled_for >= 70 {
        let code = version(compiled_for);
        format!("devices from compute capability 7.0 on do not have it, and the code is for {code}")
    } else {
        "it is deprecated, and devices from compute capability 7.0 on do not have it".to_owned()
    };
    (
        format!("a warp function without a mask: {fate}"),
        "the lanes here take part, whichever they are",
        "use the form with `_sync`, and name the lanes that take part",
    )
}
