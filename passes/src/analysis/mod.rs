//! The analyses: the abstract interpreter and what stands on it.
//!
//! [`engine`] finds fixed points of a domain plugged in; [`control`] says which branch decides what;
//! [`memory`] tells objects apart; [`uniformity`] is the first domain whose facts reach the machine, and
//! [`barrier`] the first check on top. [`crate::check`] is what `check` runs, [`Prepared::at_launch`] what a launch
//! asks.

pub mod barrier;
pub mod callgraph;
pub mod control;
pub mod engine;
pub mod eval;
pub mod memory;
pub mod points_to;
pub mod render;
pub mod shape;
pub mod uniformity;
pub mod witness;

use barrier::Rules;
use callgraph::CallGraph;
use control::Control;
use cudair_ir::*;
use memory::RootMemory;
use rustc_hash::{FxHashMap, FxHashSet};
use shape::Shape;
use uniformity::{RootContext, RootUniformity};

/// All of a launch that its answer hangs on: launches of a kernel that agree in it have the same. An analysis that looks
/// at more of a launch (arguments, extents of the grid, dynamic shared memory) has it stand here first, so that no
/// cache of answers can lack it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Asked {
    /// Threads of a block.
    block: [u32; 3],
    /// Which extents of the grid are 1.
    single: [bool; 3],
}

impl Asked {
    /// What a launch asks.
    pub fn of(launch: &LaunchShape) -> Asked {
        Asked { block: launch.block, single: launch.grid.map(|n| n == 1) }
    }

    fn shape(self) -> Shape {
        let grid = self.single.map(|single| single.then_some(1));
        Shape { grid, block: self.block.map(Some), ..Shape::default() }
    }
}

/// What is the same for all launches of a kernel.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The kernel.
    pub kernel: FuncId,
    pub(crate) graph: CallGraph,
    controls: FxHashMap<FuncId, Control>,
    memory: RootMemory,
}

impl Prepared {
    /// Prepares a kernel of `module`.
    pub fn new(module: &Module, kernel: FuncId) -> Prepared {
        Prepared::with(module, &cudair_ir::address_taken(module), &FxHashSet::default(), kernel)
    }

    /// Prepares a kernel. Functions `elsewhere` are in files that nobody has here.
    pub(crate) fn with(
        module: &Module,
        address_taken: &[FuncId],
        elsewhere: &FxHashSet<FuncId>,
        kernel: FuncId,
    ) -> Prepared {
        let graph = CallGraph::new(module, address_taken, kernel);
        let controls = graph.functions().map(|f| (f, Control::new(&module.funcs[f]))).collect();
        let memory = RootMemory::new(module, &graph, &controls, elsewhere);
        Prepared { kernel, graph, controls, memory }
    }

    pub(crate) fn root<'a>(
        &'a self,
        module: &'a Module,
        shape: &'a Shape,
        race_free: bool,
    ) -> RootContext<'a> {
        RootContext {
            module,
            graph: &self.graph,
            controls: &self.controls,
            memory: &self.memory,
            shape,
            race_free,
            stable_loads: None,
            block_barriers: None,
        }
    }

    /// What holds in every launch of this shape, whatever memory contains.
    pub fn facts(&self, module: &Module, shape: &Shape) -> Facts {
        let root = self.root(module, shape, false);
        RootUniformity::new(&root).facts(&root)
    }

    /// The answer to a launch.
    pub fn at_launch(&self, module: &Module, asked: Asked) -> LaunchAnswer {
        LaunchAnswer { facts: self.facts(module, &asked.shape()), findings: Vec::new() }
    }

    /// The findings in launches of this shape, where `stable_loads` are proved to race with no write.
    pub fn findings(
        &self,
        module: &Module,
        shape: &Shape,
        rules: Rules,
        stable_loads: Option<&FxHashSet<Inst>>,
    ) -> Vec<Finding> {
        if !self.has_barrier() {
            return Vec::new();
        }
        let root = RootContext { stable_loads, ..self.root(module, shape, true) };
        let uniformity = RootUniformity::new(&root);
        let kernel = self.kernel;
        let proved = || witness::prove(&root, kernel, false);
        barrier::check(&root, &uniformity, kernel, rules, proved, || witness::search(&root, kernel))
    }

    /// Whether the threads of a block meet at every barrier in every launch of this shape, even if blocks race and
    /// parameters point to the same memory.
    pub fn converges(&self, module: &Module, shape: &Shape, rules: Rules) -> bool {
        if !self.has_barrier() {
            return true;
        }
        let root = self.root(module, shape, false);
        let uniformity = RootUniformity::new(&root);
        let proved = || witness::prove(&root, self.kernel, false);
        barrier::check(&root, &uniformity, self.kernel, rules, proved, Vec::new).is_empty()
    }

    /// Whether threads agree in more values where blocks do not race and parameters point to distinct memory.
    pub fn races_matter(&self, module: &Module, shape: &Shape) -> bool {
        let of = |race_free| RootUniformity::new(&self.root(module, shape, race_free));
        let (with, without) = (of(true), of(false));
        with.funcs.iter().any(|(id, f)| {
            let values = module.funcs[*id].values.keys();
            without.funcs.get(id).is_none_or(|g| values.into_iter().any(|v| f.facts[v] != g.facts[v]))
        })
    }

    /// Whether the kernel may wait at a barrier.
    pub fn has_barrier(&self) -> bool {
        self.memory.funcs.get(&self.kernel).is_some_and(|m| m.has_barrier)
    }

    /// The uniformity of every value as text, with causes: see [`render`].
    pub fn render_uniformity(&self, module: &Module, shape: &Shape) -> String {
        let root = self.root(module, shape, false);
        render::uniformity(&root, &RootUniformity::new(&root))
    }
}

/// Makes a finding one that may be true of no launch: a warning, and with `strict` an error.
pub(crate) fn only_possible(f: &mut Finding, strict: bool) {
    f.certainty = Certainty::Possible;
    f.severity = if strict { Severity::Error } else { Severity::Warning };
    if f.kind == Kind::BarrierDivergence {
        "threads of a block may diverge before this barrier".clone_into(&mut f.message);
    }
}

/// What is proved of one launch; see [`Prepared`] for asking more than once.
pub fn facts_for_launch(module: &Module, kernel: FuncId, shape: &LaunchShape) -> LaunchAnswer {
    Prepared::new(module, kernel).at_launch(module, Asked::of(shape))
}
