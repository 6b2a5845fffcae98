//! The analyses: the abstract interpreter and what stands on it.
//!
//! [`engine`] finds fixed points of a domain plugged in; [`control`] says which branch decides what;
//! [`memory`] tells objects apart; [`uniformity`] is the first domain whose facts reach the machine, and
//! [`barrier`] the first check on top. [`analyze_module`] is what `check` runs, [`Prepared::at_launch`] what
//! a launch asks.

pub mod barrier;
pub mod callgraph;
pub mod control;
pub mod engine;
pub mod eval;
pub mod memory;
pub mod render;
pub mod shape;
pub mod uniformity;
pub mod witness;

use barrier::Rules;
use callgraph::CallGraph;
use control::Control;
use cudair_ir::*;
use memory::RootMemory;
use rustc_hash::FxHashMap;
use shape::Shape;
use uniformity::{RootContext, RootUniformity};

/// Constant launches of one kernel that are looked at one by one; with more, every shape is.
const MAX_SHAPES: usize = 12;

/// What `check` is asked for.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// Only this kernel, by symbol or by the name that a reader gives it.
    pub kernel: Option<String>,
    /// Threads of a block.
    pub block: Option<[u32; 3]>,
    /// Blocks of the grid.
    pub grid: Option<[u32; 3]>,
    /// Compute capability times ten (`75` for 7.5).
    pub compute_capability: u32,
    /// The compute capability that the code is compiled for, times ten.
    pub compiled_for: u32,
    /// What a lenient device lets pass is an error too.
    pub strict: bool,
}

impl Default for CheckOptions {
    fn default() -> CheckOptions {
        CheckOptions {
            kernel: None,
            block: None,
            grid: None,
            compute_capability: 80,
            compiled_for: 80,
            strict: false,
        }
    }
}

/// Whether a function is what a user calls `name`: its symbol, its display name, or that without
/// template arguments and namespaces.
pub fn is_named(func: &Function, name: &str) -> bool {
    let display = &func.display_name;
    let plain = display.split(['<', '(']).next().unwrap_or(display);
    func.name == name || display == name || plain == name || plain.rsplit("::").next() == Some(name)
}

/// What is the same for all launches of a kernel.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The kernel.
    pub kernel: FuncId,
    graph: CallGraph,
    controls: FxHashMap<FuncId, Control>,
    memory: RootMemory,
}

impl Prepared {
    /// Prepares a kernel of `module`.
    pub fn new(module: &Module, kernel: FuncId) -> Prepared {
        Prepared::with(module, &cudair_ir::address_taken(module), kernel)
    }

    fn with(module: &Module, address_taken: &[FuncId], kernel: FuncId) -> Prepared {
        let graph = CallGraph::new(module, address_taken, kernel);
        let controls = graph.functions().map(|f| (f, Control::new(&module.funcs[f]))).collect();
        let memory = RootMemory::new(module, &graph, &controls);
        Prepared { kernel, graph, controls, memory }
    }

    fn root<'a>(&'a self, module: &'a Module, shape: &'a Shape, race_free: bool) -> RootContext<'a> {
        RootContext {
            module,
            graph: &self.graph,
            controls: &self.controls,
            memory: &self.memory,
            shape,
            race_free,
        }
    }

    /// What holds in every launch of this shape, whatever memory contains.
    pub fn facts(&self, module: &Module, shape: &Shape) -> Facts {
        let root = self.root(module, shape, false);
        RootUniformity::new(&root).facts(&root)
    }

    /// The answer to a launch.
    pub fn at_launch(&self, module: &Module, shape: &LaunchShape) -> LaunchAnswer {
        LaunchAnswer { facts: self.facts(module, &Shape::of_launch(shape)), findings: Vec::new() }
    }

    /// The findings in launches of this shape.
    pub fn findings(&self, module: &Module, shape: &Shape, rules: Rules) -> Vec<Finding> {
        if !self.memory.funcs.get(&self.kernel).is_some_and(|m| m.has_barrier) {
            return Vec::new();
        }
        let root = self.root(module, shape, true);
        let uniformity = RootUniformity::new(&root);
        let kernel = self.kernel;
        let proved = || witness::prove(&root, kernel);
        barrier::check(&root, &uniformity, kernel, rules, proved, || witness::search(&root, kernel))
    }

    /// The uniformity of every value as text, with causes: see [`render`].
    pub fn render_uniformity(&self, module: &Module, shape: &Shape) -> String {
        let root = self.root(module, shape, false);
        render::uniformity(&root, &RootUniformity::new(&root))
    }
}

/// What is proved of one launch; see [`Prepared`] for asking more than once.
pub fn facts_for_launch(module: &Module, kernel: FuncId, shape: &LaunchShape) -> LaunchAnswer {
    Prepared::new(module, kernel).at_launch(module, shape)
}

/// Checks the kernels of a module: what holds in every launch, and what is wrong.
pub fn analyze_module(module: &Module, options: &CheckOptions) -> (Facts, Vec<Finding>) {
    let taken = cudair_ir::address_taken(module);
    let rules = Rules { compute_capability: options.compute_capability, strict: options.strict };
    let mut facts = Facts::default();
    let mut findings: Vec<Finding> = Vec::new();
    for (id, func) in &module.funcs {
        if func.side != Side::Kernel || func.layout.is_empty() {
            continue;
        }
        if options.kernel.as_deref().is_some_and(|name| !is_named(func, name)) {
            continue;
        }
        let prepared = Prepared::with(module, &taken, id);
        let any = Shape {
            block: options.block.map_or([None; 3], |b| b.map(Some)),
            grid: options.grid.map_or([None; 3], |g| g.map(Some)),
            ..Shape::default()
        };
        merge_facts(&mut facts, prepared.facts(module, &any));
        for f in unsequenced(module, id, &prepared.graph) {
            add(f, &mut findings);
        }
        for f in generations(module, id, &prepared.graph, options.compiled_for) {
            add(f, &mut findings);
        }
        for shape in shapes(module, id, &prepared.graph, any) {
            for f in prepared.findings(module, &shape, rules) {
                add(f, &mut findings);
            }
        }
    }
    findings.sort_by(|a, b| {
        let (x, y) = (a.primary.as_ref().map(Span::place), b.primary.as_ref().map(Span::place));
        x.cmp(&y).then(a.kind.cmp(&b.kind))
    });
    (facts, findings)
}

/// Modifications that nothing orders, in a kernel and what it calls.
fn unsequenced(module: &Module, kernel: FuncId, graph: &CallGraph) -> Vec<Finding> {
    let mut found = Vec::new();
    for id in graph.functions() {
        let func = &module.funcs[id];
        for inst in func.layout.iter().flat_map(|&b| func.block_insts(b)) {
            if let InstData::Call { func: callee, .. } = func.insts[*inst]
                && let Some((how, variable)) = Unsequenced::of_func(&module.funcs[callee].name)
                && let Some(loc) = func.locs[*inst].expand()
            {
                found.push(Finding {
                    severity: how.severity(),
                    origin: Origin::Static,
                    kernel: Some(module.funcs[kernel].display_name.clone()),
                    primary: Some(Span::new(&module.source, loc, how.label())),
                    related: Span::call_path(&module.source, loc),
                    help: Some(how.help().to_owned()),
                    ..Finding::dynamic(Kind::UndefinedBehavior, how.message(variable))
                });
            }
        }
    }
    found
}

/// What a kernel and what it calls use that not every generation of devices has.
fn generations(module: &Module, kernel: FuncId, graph: &CallGraph, compiled_for: u32) -> Vec<Finding> {
    let mut found = Vec::new();
    for func in graph.functions().map(|id| &module.funcs[id]) {
        for (loc, concern) in concerns(module, func, compiled_for) {
            let Some(loc) = loc else { continue };
            let (kind, severity, message, label, help) = match concern {
                Concern::Lacking(Feature { name, since }) => (
                    Kind::InvalidLaunch,
                    Severity::Error,
                    format!(
                        "{name} needs compute capability {} or higher, and the code is for {}",
                        version(since),
                        version(compiled_for)
                    ),
                    "devices of that generation do not have it",
                    format!("guard it with `#if __CUDA_ARCH__ >= {since}0`"),
                ),
                Concern::ImpliedMask => {
                    let (message, label, help) = implied_mask(compiled_for);
                    (Kind::SyncMask, Severity::Warning, message, label, help.to_owned())
                }
            };
            found.push(Finding {
                severity,
                origin: Origin::Static,
                kernel: Some(module.funcs[kernel].display_name.clone()),
                primary: Some(Span::new(&module.source, loc, label)),
                related: Span::call_path(&module.source, loc),
                help: Some(help),
                ..Finding::dynamic(kind, message)
            });
        }
    }
    found
}

/// Adds a finding; of one place met in several shapes the surest and worst stays.
fn add(finding: Finding, list: &mut Vec<Finding>) {
    let at_one_place = |a: &Finding, b: &Finding| {
        a.primary.is_some() && a.primary.as_ref().map(Span::place) == b.primary.as_ref().map(Span::place)
    };
    let calls = |f: &Finding| {
        let path: Vec<Pos> =
            f.related.iter().filter(|s| s.label == "called from here").map(|s| s.start).collect();
        path
    };
    let same = list.iter_mut().find(|f| {
        f.kind == finding.kind
            && at_one_place(f, &finding)
            && f.kernel == finding.kernel
            && calls(f) == calls(&finding)
    });
    match same {
        Some(old) => {
            let rank = |f: &Finding| (f.certainty == Certainty::Definite, f.severity);
            if rank(&finding) > rank(old) {
                *old = finding;
            }
        }
        None => list.push(finding),
    }
}

/// The shapes to look at: what the options fix, else the constant launches of the module if all are,
/// else every shape (one whose unread dimensions are 1).
fn shapes(module: &Module, kernel: FuncId, graph: &CallGraph, given: Shape) -> Vec<Shape> {
    let bounds = module.funcs[kernel].attrs.launch_bounds[0];
    let open = |mut shape: Shape| {
        shape.max_threads = (bounds > 0).then_some(bounds);
        shape.assume_unread(module, graph);
        shape
    };
    if given.block.iter().any(Option::is_some) {
        return vec![open(given)];
    }
    match launches(module, kernel) {
        Some(found) if !found.is_empty() && found.len() <= MAX_SHAPES => found
            .into_iter()
            .map(|launched| {
                let mut shape = given.clone();
                shape.block = launched.block.map(Some);
                shape.args = launched.args;
                if shape.grid.iter().all(Option::is_none) {
                    shape.grid = launched.grid;
                }
                open(shape)
            })
            .collect(),
        _ => vec![open(given)],
    }
}

/// A launch in the module, as far as it is constant.
#[derive(PartialEq, Eq)]
struct Launched {
    grid: [Option<u32>; 3],
    block: [u32; 3],
    args: Vec<Option<u128>>,
}

/// The launches of a kernel in the module, if the blocks of all are constants.
fn launches(module: &Module, kernel: FuncId) -> Option<Vec<Launched>> {
    let mut out = Vec::new();
    for func in module.funcs.values() {
        for &b in &func.layout {
            for &i in func.block_insts(b) {
                match func.insts[i] {
                    InstData::Launch { kernel: k, ref args, .. } if k == kernel => {
                        let args = args.as_slice(&func.pool);
                        let dim = |n: usize| {
                            let v = *args.get(n)?;
                            u32::try_from(func.const_int(v)?).ok().filter(|&x| x > 0)
                        };
                        let grid = [dim(0), dim(1), dim(2)];
                        let launch = Launched {
                            grid,
                            block: [dim(3)?, dim(4)?, dim(5)?],
                            // Null is no address to reckon with.
                            args: args
                                .get(8..)
                                .unwrap_or_default()
                                .iter()
                                .map(|&v| func.const_bits(v).filter(|_| !func.value_type(v).is_ptr()))
                                .collect(),
                        };
                        if !out.contains(&launch) {
                            out.push(launch);
                        }
                    }
                    // It may be launched from anywhere with any shape.
                    InstData::FuncAddr { func } if func == kernel => return None,
                    _ => {}
                }
            }
        }
    }
    Some(out)
}

/// What holds in both: values keep the lesser uniformity.
fn merge_facts(into: &mut Facts, from: Facts) {
    for (id, new) in from.funcs {
        match into.funcs.entry(id) {
            std::collections::hash_map::Entry::Vacant(e) => {
                e.insert(new);
            }
            std::collections::hash_map::Entry::Occupied(mut e) => {
                let old = e.get_mut();
                for (v, u) in old.uniform.iter_mut() {
                    *u = (*u).min(new.uniform[v]);
                }
                for (b, d) in old.divergent_branch.iter_mut() {
                    *d |= new.divergent_branch[b];
                }
            }
        }
    }
}
