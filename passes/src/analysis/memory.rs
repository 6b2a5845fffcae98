//! Which object a pointer points into, which objects a kernel writes, and whether a load may meet a
//! write of another thread in its barrier interval.
//!
//! The *base* of a pointer is a small domain of its own. Objects are told apart by their declaration
//! ([`Place`]); what a kernel's pointer parameters point to is one object each, which may overlap unless
//! the caller of the analysis says that they are taken to be distinct.
//!
//! A *barrier interval* is the code between barriers. Two accesses of different threads can happen in one
//! interval if one barrier (or the kernel's start) reaches both without another barrier between: the
//! accesses need not lie on one path. So each point gets the set of barriers that reach it, and two
//! points are concurrent where the sets meet.

use super::callgraph::CallGraph;
use super::control::{Control, Node};
use super::engine::{Cx, Domain, FactTable, Outcome, solve};
use crate::transform::indirect::NO_FUNCTION;
use cudair_ir::*;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// The object that a pointer points into.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Base {
    /// Nothing seen yet, or the null pointer.
    #[default]
    None,
    /// A variable of static storage.
    Global(GlobalId),
    /// What the function's parameter points to.
    Param(u32),
    /// Private memory of the thread.
    Private,
    /// A function.
    Code,
    /// Not known.
    Other,
}

/// The domain of bases.
struct Bases;

impl Domain for Bases {
    type Fact = Base;
    type Cause = ();
    type State = ();

    fn entry(&mut self, _: &Cx<'_>) {}

    fn param(&mut self, cx: &Cx<'_>, n: usize) -> (Base, ()) {
        let param = cx.func.block_params(cx.control.block(0))[n];
        (if cx.func.value_type(param).is_ptr() { Base::Param(n as u32) } else { Base::Other }, ())
    }

    fn join(&self, a: &Base, b: &Base) -> Base {
        match (*a, *b) {
            (Base::None, x) | (x, Base::None) => x,
            (x, y) if x == y => x,
            _ => Base::Other,
        }
    }

    fn join_state(&self, (): &mut (), (): &()) {}

    fn through(&self, _: Value) {}

    fn inst(
        &mut self,
        cx: &Cx<'_>,
        facts: &FactTable<Base>,
        inst: Inst,
        (): &mut (),
        out: &mut Outcome<Self>,
    ) {
        for &v in cx.func.inst_results(inst) {
            if !cx.func.value_type(v).is_ptr() {
                continue;
            }
            let base = match cx.func.insts[inst] {
                InstData::GlobalAddr { global } => Base::Global(global),
                InstData::FuncAddr { .. } => Base::Code,
                InstData::SlotAddr { .. } | InstData::Alloca { .. } => Base::Private,
                InstData::PtrAdd { ptr, .. } => facts[ptr],
                InstData::Cast { op: CastOp::Spacecast, arg, .. } => facts[arg],
                InstData::Ternary { op: TernaryOp::Select, args: [_, a, b] } => {
                    self.join(&facts[a], &facts[b])
                }
                InstData::Const { bits: 0, .. } => Base::None,
                _ => Base::Other,
            };
            out.set(v, base, ());
        }
    }

    fn unknown(&mut self, _: &Cx<'_>, _: Inst) -> (Base, ()) {
        (Base::Other, ())
    }
}

/// Memory that other threads can see, as far as it can be told apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// A `__shared__` variable.
    Shared(GlobalId),
    /// The block's dynamic shared memory.
    SharedDynamic,
    /// Some shared memory.
    AnyShared,
    /// A variable in device or managed memory.
    Global(GlobalId),
    /// What a kernel's parameter points to; in a device function, what its own does.
    Param(u32),
    /// Some device or managed memory.
    AnyGlobal,
    /// Any of these.
    Any,
}

impl Place {
    /// Whether only the threads of one block can see it.
    pub fn is_shared(self) -> bool {
        matches!(self, Place::Shared(_) | Place::SharedDynamic | Place::AnyShared)
    }
}

/// What a load reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// Memory that the device never writes.
    Constant,
    /// The thread's own memory.
    Private,
    /// Memory that others may write.
    Place(Place),
}

/// A point that writes memory.
#[derive(Clone, Copy, Debug)]
pub struct Write {
    /// The instruction, for the report.
    pub inst: Inst,
    /// What it writes.
    pub place: Place,
    /// The barriers that reach it (bit 0 is the function's start).
    pub starts: u64,
}

/// The memory side of one function below a kernel.
#[derive(Clone, Debug, Default)]
pub struct FuncMemory {
    bases: FactTable<Base>,
    /// Everything it writes itself or through callees.
    pub writes: Vec<Write>,
    /// The barriers that reach each load.
    starts: FxHashMap<Inst, u64>,
    /// The bit of each instruction that may wait at a barrier.
    barriers: FxHashMap<Inst, u64>,
    /// Whether it may wait at a barrier.
    pub has_barrier: bool,
    is_kernel: bool,
}

/// The memory side of a kernel and its callees.
#[derive(Clone, Debug, Default)]
pub struct RootMemory {
    /// By function.
    pub funcs: FxHashMap<FuncId, FuncMemory>,
    /// Every place written below the root; parameters of device functions are [`Place::Any`].
    pub written: Vec<Place>,
    /// Variables to which pointers may exist whose base is not known.
    escaped: FxHashSet<GlobalId>,
    /// Functions in files that nobody has here. They are taken to wait for nobody, and to touch no memory that other
    /// threads see but what they are given pointers to: who proves something must say so.
    pub elsewhere: FxHashSet<FuncId>,
}

/// Device functions without a body that no library has: they are in files that nobody has here.
pub fn elsewhere(module: &Module, has_device_function: fn(&str) -> bool) -> FxHashSet<FuncId> {
    (module.funcs.iter())
        .filter(|(_, f)| f.side == Side::Device && f.is_declaration() && f.name != NO_FUNCTION)
        .filter(|(_, f)| !has_device_function(&f.name))
        .map(|(id, _)| id)
        .collect()
}

/// Whether a variable is one with which the library makes blocks wait for each other: what it orders, the barrier's kind
/// says.
pub fn is_of_barrier(global: &Global) -> bool {
    matches!(global.display_name.as_str(), "__cudair_grid_arrived" | "__cudair_grid_rounds")
}

/// Whether a function may be given a pointer.
pub fn takes_pointers(func: &Function) -> bool {
    let pointer = |p: &Param| match p.attr {
        // An aggregate of less bytes than a pointer has none in it.
        ParamAttr::ByVal { size, .. } => size >= 8,
        _ => p.ty.is_ptr(),
    };
    func.sig.variadic || func.sig.params.iter().any(pointer)
}

/// Native device functions that write no memory which the program can name.
const READ_ONLY_NATIVES: &[&str] = &[
    "printf",
    "vprintf",
    "malloc",
    "free",
    "__assert_fail",
    "__assertfail",
    "__cudair_assume_fail",
    "strlen",
    "strcmp",
    "memcmp",
    "abort",
    "__cudair_pause",
    "__cudair_texture_fault",
];

/// Whether a native function of the device writes no memory which the program can name.
pub fn is_read_only_native(func: &Function) -> bool {
    READ_ONLY_NATIVES.contains(&func.name.strip_suffix(DEVICE_SUFFIX).unwrap_or(&func.name))
}

impl RootMemory {
    /// Whether two places may be the same memory. With `distinct_params`, what two parameters of the
    /// kernel point to is taken to be distinct.
    pub fn may_overlap(&self, a: Place, b: Place, distinct_params: bool) -> bool {
        use Place::*;
        let escaped = |g: &GlobalId| self.escaped.contains(g);
        match (a, b) {
            (Shared(a), Shared(b)) | (Global(a), Global(b)) => a == b,
            (Shared(_), Global(_) | Param(_) | AnyGlobal) | (Global(_) | Param(_) | AnyGlobal, Shared(_)) => {
                false
            }
            (Shared(g), Any | AnyShared) | (Any | AnyShared, Shared(g)) => escaped(&g),
            (Global(g), Any | AnyGlobal) | (Any | AnyGlobal, Global(g)) => escaped(&g),
            (Param(_), Global(g)) | (Global(g), Param(_)) => !distinct_params && escaped(&g),
            (Param(a), Param(b)) => a == b || !distinct_params,
            (SharedDynamic, x) | (x, SharedDynamic) => matches!(x, SharedDynamic | AnyShared | Any),
            (AnyShared, x) | (x, AnyShared) => matches!(x, AnyShared | Any),
            (Any | AnyGlobal, _) | (_, Any | AnyGlobal) => true,
        }
    }

    /// Analyses every function below the root of `graph`.
    pub fn new(
        module: &Module,
        graph: &CallGraph,
        controls: &FxHashMap<FuncId, Control>,
        elsewhere: &FxHashSet<FuncId>,
    ) -> RootMemory {
        let mut root = RootMemory { elsewhere: elsewhere.clone(), ..RootMemory::default() };
        for component in &graph.components {
            for &id in component {
                let func = &module.funcs[id];
                let cx = Cx { module, id, func, control: &controls[&id] };
                let memory = root.function(&cx, graph);
                root.funcs.insert(id, memory);
            }
        }
        let mut written: Vec<Place> = Vec::new();
        for memory in root.funcs.values() {
            for w in &memory.writes {
                let place = match w.place {
                    Place::Param(_) if !memory.is_kernel => Place::Any,
                    p => p,
                };
                if !written.contains(&place) {
                    written.push(place);
                }
            }
        }
        root.written = written;
        root.find_escaped(module, controls);
        root
    }

    /// A variable escapes where its address is more than the address of an access: stored, passed,
    /// turned into a number, mixed with another pointer, or taken outside the root's functions.
    fn find_escaped(&mut self, module: &Module, controls: &FxHashMap<FuncId, Control>) {
        for global in module.globals.values() {
            if let GlobalInit::Data { relocs, .. } = &global.init {
                for r in relocs {
                    if let RelocTarget::Global(g) = r.target {
                        self.escaped.insert(g);
                    }
                }
            }
        }
        for (id, func) in &module.funcs {
            let known = self.funcs.get(&id).zip(controls.get(&id));
            for &b in &func.layout {
                for &inst in func.block_insts(b) {
                    match (known, &func.insts[inst]) {
                        // Another kernel has other shared variables, even of the same name.
                        (None, InstData::GlobalAddr { global })
                            if module.globals[*global].space != Space::Shared =>
                        {
                            self.escaped.insert(*global);
                        }
                        (None, _) => {}
                        (Some((memory, control)), data) => {
                            let cx = Cx { module, id, func, control };
                            for g in escapes(&cx, memory, inst, data) {
                                self.escaped.insert(g);
                            }
                        }
                    }
                }
            }
        }
    }

    fn function(&self, cx: &Cx<'_>, graph: &CallGraph) -> FuncMemory {
        let mut memory = FuncMemory {
            bases: solve(cx, &mut Bases).facts,
            is_kernel: cx.func.side == Side::Kernel,
            ..FuncMemory::default()
        };
        // Barriers get bits from 1 on; where they do not suffice, all share the last one.
        let mut bits: FxHashMap<Inst, u64> = FxHashMap::default();
        let mut next = 1u32;
        for &b in &cx.control.order {
            for &i in cx.func.block_insts(b) {
                if self.may_wait(cx, graph, i) {
                    memory.has_barrier = true;
                    bits.insert(i, 1 << next.min(63));
                    next += 1;
                }
            }
        }
        let few = next <= 63;
        let mut ends = vec![0u64; cx.control.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for node in 0..cx.control.len() as u32 {
                let mut starts = arriving(cx.control, &ends, node);
                for &i in cx.func.block_insts(cx.control.block(node)) {
                    step(cx.func, i, &bits, few, &mut starts);
                }
                if ends[node as usize] != starts {
                    ends[node as usize] = starts;
                    changed = true;
                }
            }
        }
        for node in 0..cx.control.len() as u32 {
            let mut starts = arriving(cx.control, &ends, node);
            for &i in cx.func.block_insts(cx.control.block(node)) {
                let before = starts;
                step(cx.func, i, &bits, few, &mut starts);
                if matches!(cx.func.insts[i], InstData::Load { .. }) {
                    memory.starts.insert(i, before);
                }
                for place in self.writes_of(cx, graph, &memory, i) {
                    memory.writes.push(Write { inst: i, place, starts: before | starts });
                }
            }
        }
        memory.barriers = bits;
        memory
    }

    /// Whether an instruction may wait at a barrier.
    fn may_wait(&self, cx: &Cx<'_>, graph: &CallGraph, inst: Inst) -> bool {
        match cx.func.insts[inst] {
            // Threads between two barriers of the block may be at any number of its cluster's.
            InstData::Barrier { kind, .. } => !kind.is_cluster(),
            InstData::Call { .. }
            | InstData::CallIndirect { .. }
            | InstData::Invoke { .. }
            | InstData::InvokeIndirect { .. } => graph
                .callees(cx.module, cx.id, inst)
                .into_iter()
                .any(|f| self.funcs.get(&f).map_or(graph.is_recursive(f), |m| m.has_barrier)),
            _ => false,
        }
    }

    fn writes_of(
        &self,
        cx: &Cx<'_>,
        graph: &CallGraph,
        memory: &FuncMemory,
        inst: Inst,
    ) -> SmallVec<[Place; 2]> {
        let mut out = SmallVec::new();
        let target = |v: Value| match memory.source(cx, v) {
            Source::Place(p) => Some(p),
            Source::Constant | Source::Private => None,
        };
        match cx.func.insts[inst] {
            InstData::Store { ptr, .. }
            | InstData::MemFill { dst: ptr, .. }
            | InstData::MemCopy { dst: ptr, .. }
            | InstData::AtomicStore { ptr, .. }
            | InstData::AtomicRmw { ptr, .. }
            | InstData::AtomicCas { ptr, .. } => out.extend(target(ptr)),
            InstData::Call { func, ref args, .. } | InstData::Invoke { func, ref args, .. } => {
                let args = args.as_slice(&cx.func.pool);
                if cx.module.funcs[func].layout.is_empty() {
                    if !is_read_only_native(&cx.module.funcs[func]) {
                        for &a in args {
                            if cx.func.value_type(a).is_ptr() {
                                out.extend(target(a));
                            }
                        }
                    }
                } else {
                    match self.funcs.get(&func) {
                        Some(callee) => {
                            for w in &callee.writes {
                                let place = match w.place {
                                    Place::Param(n) => {
                                        args.get(n as usize).map_or(Some(Place::Any), |&a| target(a))
                                    }
                                    p => Some(p),
                                };
                                if let Some(p) = place.filter(|p| !out.contains(p)) {
                                    out.push(p);
                                }
                            }
                        }
                        // A function of the same component, not analysed yet.
                        None => out.extend(everything(cx.module, graph)),
                    }
                }
            }
            InstData::CallIndirect { .. } | InstData::InvokeIndirect { .. } => {
                for f in graph.callees(cx.module, cx.id, inst) {
                    let places: SmallVec<[Place; 8]> = match self.funcs.get(&f) {
                        Some(callee) => callee.writes.iter().map(|w| w.place).collect(),
                        None => everything(cx.module, graph),
                    };
                    for p in places {
                        let p = if matches!(p, Place::Param(_)) { Place::Any } else { p };
                        if !out.contains(&p) {
                            out.push(p);
                        }
                    }
                }
            }
            // A launch runs behind the kernel; an argument list is the host's.
            insts!(NoMemory)
            | InstData::Load { .. }
            | InstData::AtomicLoad { .. }
            | InstData::Launch { .. }
            | InstData::LaunchIndirect { .. }
            | InstData::Va { .. }
            | InstData::VaArg { .. } => {}
        }
        out
    }
}

/// Every place that functions of the graph can name, and all others.
fn everything(module: &Module, graph: &CallGraph) -> SmallVec<[Place; 8]> {
    let mut out: SmallVec<[Place; 8]> = SmallVec::from_slice(&[Place::Any, Place::SharedDynamic]);
    for id in graph.functions() {
        let func = &module.funcs[id];
        for &b in &func.layout {
            for &i in func.block_insts(b) {
                if let InstData::GlobalAddr { global } = func.insts[i] {
                    let g = &module.globals[global];
                    let place = match g.space {
                        Space::Shared if !g.dynamic => Place::Shared(global),
                        Space::Global | Space::Managed => Place::Global(global),
                        _ => continue,
                    };
                    if !out.contains(&place) {
                        out.push(place);
                    }
                }
            }
        }
    }
    out
}

/// The variables whose address an instruction lets out.
fn escapes(cx: &Cx<'_>, memory: &FuncMemory, inst: Inst, data: &InstData) -> SmallVec<[GlobalId; 2]> {
    use InstData::*;
    let mut out = SmallVec::new();
    let base = |v: Value| match memory.bases[v] {
        Base::Global(g) => Some(g),
        _ => None,
    };
    match *data {
        // The address of an access, or a pointer whose base is still known.
        Load { .. }
        | MemCopy { .. }
        | MemFill { .. }
        | AtomicLoad { .. }
        | Icmp { .. }
        | PtrDiff { .. }
        | PtrAdd { .. }
        | Cast { op: CastOp::Spacecast, .. } => {}
        Store { value, .. } | AtomicStore { value, .. } | AtomicRmw { value, .. } => out.extend(base(value)),
        AtomicCas { expected, new, .. } => {
            out.extend(base(expected));
            out.extend(base(new));
        }
        Ternary { args: [_, a, b], .. } => {
            let mixed = cx.func.result(inst).is_some_and(|v| memory.bases[v] == Base::Other);
            if mixed {
                out.extend(base(a));
                out.extend(base(b));
            }
        }
        _ if data.is_terminator() => {
            let mut passed: SmallVec<[Value; 8]> = SmallVec::new();
            cx.func.for_each_target(inst, |call| {
                let args = call.args.as_slice(&cx.func.pool);
                let params = cx.func.block_params(call.block);
                let skip = params.len().saturating_sub(args.len());
                for (&a, &p) in args.iter().zip(&params[skip..]) {
                    if memory.bases[p] == memory.bases[a] {
                        passed.push(a);
                    } else {
                        out.extend(base(a));
                    }
                }
            });
            let mut rest = |v: Value| {
                if !passed.contains(&v) {
                    out.extend(base(v));
                }
            };
            cx.func.for_each_arg(inst, &mut rest);
        }
        _ => cx.func.for_each_arg(inst, |v| out.extend(base(v))),
    }
    out
}

fn arriving(control: &Control, ends: &[u64], node: Node) -> u64 {
    let mut starts = u64::from(node == 0);
    for &(from, _) in control.incoming(node) {
        starts |= ends[from as usize];
    }
    starts
}

fn step(func: &Function, inst: Inst, bits: &FxHashMap<Inst, u64>, few: bool, starts: &mut u64) {
    if let Some(bit) = bits.get(&inst) {
        // A call may return without having waited, and so does what shares its bit with others.
        let surely = few && matches!(func.insts[inst], InstData::Barrier { .. });
        *starts = if surely { *bit } else { *starts | bit };
    }
}

impl FuncMemory {
    /// What lies behind a pointer.
    pub fn source(&self, cx: &Cx<'_>, ptr: Value) -> Source {
        let space = cx.func.value_type(ptr).space().unwrap_or(Space::Generic);
        match (self.bases[ptr], space) {
            (_, Space::Const | Space::Code) | (Base::Code, _) => Source::Constant,
            (Base::Private, _) | (_, Space::Local) => Source::Private,
            (Base::Global(g), _) => {
                let global = &cx.module.globals[g];
                match global.space {
                    Space::Const | Space::Code => Source::Constant,
                    _ if global.constant => Source::Constant,
                    Space::Shared if global.dynamic => Source::Place(Place::SharedDynamic),
                    Space::Shared => Source::Place(Place::Shared(g)),
                    Space::Local => Source::Private,
                    _ => Source::Place(Place::Global(g)),
                }
            }
            (Base::Param(n), _) => {
                let attr = cx.func.sig.params.get(n as usize).map(|p| p.attr);
                match attr {
                    Some(ParamAttr::ByVal { .. }) if self.is_kernel => Source::Constant,
                    Some(ParamAttr::ByVal { .. }) => Source::Private,
                    _ if space == Space::Shared && !self.is_kernel => Source::Place(Place::AnyShared),
                    _ => Source::Place(Place::Param(n)),
                }
            }
            (_, Space::Shared) => Source::Place(Place::AnyShared),
            (_, Space::Global | Space::Managed | Space::Host) => Source::Place(Place::AnyGlobal),
            (Base::None | Base::Other, Space::Generic) => Source::Place(Place::Any),
        }
    }

    /// A write that may hit `place` between the reads of two threads at one load, if there is one.
    ///
    /// With `race_free` the program is taken to be free of races between blocks, and distinct pointer
    /// parameters to name distinct memory: what an author means, not what a launch guarantees.
    pub fn conflict(
        &self,
        root: &RootMemory,
        load: Inst,
        place: Place,
        race_free: bool,
    ) -> Option<Option<Inst>> {
        if !self.is_kernel {
            // The callers' writes are concurrent with the whole function.
            let place = if matches!(place, Place::Param(_)) { Place::Any } else { place };
            let hit = root.written.iter().any(|&w| root.may_overlap(w, place, race_free));
            return hit.then_some(None);
        }
        let starts = self.starts.get(&load).copied().unwrap_or(u64::MAX);
        let intervals = race_free || place.is_shared();
        self.writes
            .iter()
            .find(|w| root.may_overlap(w.place, place, race_free) && (!intervals || w.starts & starts != 0))
            .map(|w| Some(w.inst))
    }

    /// The barriers that reach a load, a bit each: bit 0 is the function's start, bit `n` barrier `n`, and bit 63 all from
    /// the 63rd on. None for what is no load.
    pub fn starts_of_load(&self, load: Inst) -> Option<u64> {
        self.starts.get(&load).copied()
    }

    /// The number of an instruction that may wait at a barrier, from 1 in the order of blocks; 63 for all from there on.
    pub fn barrier_number(&self, inst: Inst) -> Option<u32> {
        self.barriers.get(&inst).map(|bit| bit.trailing_zeros())
    }

    /// Whether anything below the kernel writes `place`.
    pub fn is_written(&self, root: &RootMemory, place: Place, race_free: bool) -> bool {
        self.writes.iter().any(|w| root.may_overlap(w.place, place, race_free))
    }
}
