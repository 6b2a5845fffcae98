//! What analyses prove, as side tables keyed by IR entities, and the question that the machine asks at
//! a launch. Neither the analyses nor the machine know each other: this is all that passes between them.

use crate::entities::*;
use crate::finding::Finding;
use crate::module::Module;
use cranelift_entity::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Over which threads a value is the same, for all that execute one dynamic instance of its
/// definition together. Ordered: a wider set compares greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Uniformity {
    /// May differ between lanes.
    #[default]
    Divergent,
    /// The same in all lanes of a warp.
    Warp,
    /// The same in all threads of a block.
    Block,
    /// The same in all threads of the grid.
    Grid,
}

/// What was proved of a function in a launch context.
#[derive(Clone, Debug, Default)]
pub struct FuncFacts {
    /// Each value's uniformity; the default is divergent.
    pub uniform: SecondaryMap<Value, Uniformity>,
    /// Blocks whose terminator may be decided differently by the threads of a block that execute it.
    pub divergent_branch: SecondaryMap<Block, bool>,
    /// The least and the greatest number that an integer can be, as signed numbers. Only where facts are tested:
    /// the machine has no other use for it.
    pub range: SecondaryMap<Value, Option<(i64, i64)>>,
}

/// What was proved of a kernel and its callees in a launch context.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// By function. A function that is absent has no facts.
    pub funcs: FxHashMap<FuncId, FuncFacts>,
}

/// What is known of a launch when it happens: everything but the contents of memory.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LaunchShape {
    /// Blocks of the grid in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u64,
    /// The scalar arguments' bits; `None` for what is not known (pointers, aggregates).
    pub args: Vec<Option<u128>>,
}

/// The number of blocks or threads that these extents make; what is more than a `u64` holds is its most.
pub fn volume(extents: [u32; 3]) -> u64 {
    extents.into_iter().fold(1, |n, extent| n.saturating_mul(extent.into()))
}

/// What is proved of the races of one launch, whatever memory holds, if nothing else accesses what it accesses while it
/// runs: no other stream, and not the host.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RaceFacts {
    /// Sites of the kernel's own code whose accesses race with no access of the launch. All that the launch does to
    /// memory which threads share is at sites of this code.
    pub free: FxHashSet<Site>,
    /// A premise that the machine has to check: what two pointer parameters, or one and a variable, point to are two
    /// objects.
    pub distinct: bool,
}

/// The answer to a launch.
#[derive(Clone, Debug, Default)]
pub struct LaunchAnswer {
    /// What holds in this launch.
    pub facts: Facts,
    /// Findings that are certain for this shape, whatever memory contains.
    pub findings: Vec<Finding>,
}

/// What the machine asks when a kernel is launched. Implemented where the analyses are known.
pub trait LaunchOracle: Send + Sync {
    /// What is proved of `kernel` in a launch of this shape. Called once per launch; implementations
    /// cache.
    fn at_launch(&self, module: &Module, kernel: FuncId, shape: &LaunchShape) -> Arc<LaunchAnswer>;

    /// What is proved of the races of such a launch. It takes its time: the machine asks where that is worth it, and keeps
    /// the answer.
    fn races(&self, module: &Module, kernel: FuncId, shape: &LaunchShape) -> RaceFacts {
        let _ = (module, kernel, shape);
        RaceFacts::default()
    }
}

/// The oracle that knows nothing: every value may be divergent, every check stays.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoOracle;

impl LaunchOracle for NoOracle {
    fn at_launch(&self, _: &Module, _: FuncId, _: &LaunchShape) -> Arc<LaunchAnswer> {
        Arc::new(LaunchAnswer::default())
    }
}
