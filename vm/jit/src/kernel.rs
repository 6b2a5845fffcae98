//! A compiled kernel: its machine code, and the way in.

#![allow(unsafe_code)] // machine code is called here

use crate::Refusal;
use crate::abi::{Frame, HELPERS, LANES, VALUE_BYTES, WARP};
use crate::classes::{self, Class};
use crate::emit::{DivergentBranch, Emitter, Given};
use crate::loops::{Loop, Loops};
use crate::masked::Region;
use crate::plan::{Plan, Point, live_across};
use crate::uniform;
use crate::vector::WIDTH;
use cranelift_codegen::Context as Code;
use cranelift_codegen::ir::types as ct;
use cranelift_codegen::ir::{self as cl, AbiParam, InstBuilder};
use cranelift_codegen::isa::CallConv;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{
    ArenaMemoryProvider, BranchProtection, JITBuilder, JITMemoryKind, JITMemoryProvider, JITModule,
    SystemMemoryProvider,
};
use cranelift_module::{FuncId as ModuleFunc, Linkage, Module as _, default_libcall_names};
use cudair_codegen::{Context, Ranges, Shape, binary32_results};
use cudair_ir::cfg::Cfg;
use cudair_ir::cycles::Cycles;
use cudair_ir::dom::DomTree;
use cudair_ir::{Block, EntitySet, FuncId, InstData, Module, PostDomTree, SecondaryMap, Uniformity, Value};
use rustc_hash::FxHashMap;
use std::mem::offset_of;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

/// What holds of all launches that a kernel is compiled for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Promises {
    /// The shape of its blocks, and ranges of the grid and of arguments.
    pub shape: Shape,
    /// By root.
    pub roots: Vec<RootFacts>,
    /// Lanes leave loops that load at the same turns.
    pub converges: bool,
    /// Several native threads may run blocks at once: what blocks share is written by atomic instructions.
    pub threads: bool,
}

/// What holds of the object behind a root.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct RootFacts {
    /// It keeps bits of initialisation.
    pub bitmap: bool,
    /// What is overwritten has to be in the undo log.
    pub kept: bool,
    /// Threads may race on it.
    pub watched: bool,
    /// The root points to a multiple of this power of two from the object's start.
    pub align_log2: u8,
}

/// A compiled kernel.
pub struct Kernel {
    /// Owns the machine code. Nothing once it is dropped.
    module: Option<JITModule>,
    code: extern "C" fn(*mut Frame, u32, u32, u32) -> u32,
    /// Bytes of machine code.
    size: usize,
    /// Values of a lane that are kept for later.
    kept: usize,
    /// Values that are kept for the whole block.
    uniform: usize,
    /// Bytes of local variables of all lanes of a block.
    locals: usize,
}

// SAFETY: what several threads may do with a kernel is to read its numbers and to call its code, which nobody changes and which
// keeps all that it writes in the frame that it is given. The module, which is not made for threads, is left alone until the
// kernel is dropped, when nobody else has it.
unsafe impl Sync for Kernel {}

impl std::fmt::Debug for Kernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Kernel").field("size", &self.size).finish_non_exhaustive()
    }
}

impl Drop for Kernel {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: `code` is called through `self` alone, so that nobody is in it, and nobody will be.
            unsafe { module.free_memory() };
        }
    }
}

/// The memory for the values of a block, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room {
    /// All of it, from [`Frame::lanes`] on.
    pub bytes: usize,
    /// Where in it each half of [`Frame::uniform`] begins.
    pub uniform: [usize; 2],
    /// Where in it each row of [`Frame::exchange`] begins.
    pub exchange: [usize; 2],
    /// Where in it [`Frame::locals`] begins.
    pub locals: usize,
}

/// Instructions beyond which a kernel is not compiled: the compiler's time grows faster than they do.
const MOST: u64 = 1 << 12;

/// How many times more may be done for one lane after the other than for lanes at once, and the code is still faster than the bytecode:
/// measured on kernels that do 1.2 to 3.5 times more, which take 0.2 to 1.05 of its time.
const MOST_ALONE: u64 = 4;

impl Kernel {
    /// Compiles a kernel for launches of which `promises` hold: `anyway`, or only if the code is likely to be faster than the
    /// bytecode. It is where lanes run together, and most of what differs between them is done at once.
    ///
    /// # Errors
    /// What the tier does not do, or what the compiler refused.
    pub fn compile(
        module: &Module,
        id: FuncId,
        plan: &Plan,
        promises: &Promises,
        anyway: bool,
    ) -> Result<Kernel, Refusal> {
        let func = plan.func(module, id);
        if func.insts.len() as u64 > MOST {
            return Err(Refusal("it is too long"));
        }
        // The compiler is not ours: what it panics about is not compiled.
        catch_unwind(AssertUnwindSafe(|| compile(module, id, plan, promises, anyway)))
            .unwrap_or(Err(Refusal("the compiler panicked")))
    }

    /// Runs the lanes `first..end` of a block, a whole number of warps or all that there are, from where `entry` says: 0 is the
    /// kernel's start, and what a run gave before is where that one ended. Gives where all of them stand now, [`crate::abi::DONE`] or [`crate::abi::BAIL`].
    ///
    /// # Safety
    /// The frame's pointers point to what its documentation says, for the roots and promises that this kernel was compiled
    /// with, and nothing else is done with that memory until this returns, but by the frame's helpers. Where the kernel was
    /// compiled for several threads, they may run it at the same time, each with a frame, lanes and shared memory of its own.
    pub unsafe fn run(&self, frame: *mut Frame, entry: u32, first: u32, end: u32) -> u32 {
        (self.code)(frame, entry, first, end)
    }

    /// Runs lanes of a kernel in which the order of atomic operations can be seen ([`Plan::is_ordered`]): those of
    /// [`Frame::active`], which stands for the 64 lanes from `first` on, from `entry` to where each of them waits next, in
    /// [`Frame::waiting`]. Gives 0, or [`crate::abi::BAIL`].
    ///
    /// # Safety
    /// That of [`Kernel::run`].
    pub unsafe fn run_ordered(&self, frame: *mut Frame, entry: u32, first: u32) -> u32 {
        (self.code)(frame, entry, first, 0)
    }

    /// Bytes of machine code.
    pub fn size(&self) -> usize {
        self.size
    }

    /// What a thread needs for the values of one block.
    pub fn room(&self) -> Room {
        let (lanes, half) = (self.kept * VALUE_BYTES, self.uniform * size_of::<u64>());
        let exchange = (lanes + 2 * half).next_multiple_of(64);
        let row = WARP as usize * size_of::<u64>();
        let locals = exchange + 2 * row;
        Room {
            bytes: locals + self.locals,
            uniform: [lanes, lanes + half],
            exchange: [exchange, exchange + row],
            locals,
        }
    }
}

pub(crate) fn refused<E: std::fmt::Display>(what: &'static str) -> impl Fn(E) -> Refusal {
    move |e| {
        log::info!(target: "jit", "{what}: {e}");
        Refusal(what)
    }
}

/// Bytes of address space that are kept for a module.
const REGION: usize = 16 << 20;

/// An empty module for machine code of this machine.
pub(crate) fn module_for_this_machine() -> Result<JITModule, Refusal> {
    if !may_execute() {
        return Err(Refusal("no memory of the process may be executed"));
    }
    let mut flags = settings::builder();
    let set = [
        ("opt_level", "speed"),
        ("is_pic", "false"),
        ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
        ("unwind_info", "false"),
    ];
    for (name, value) in set {
        flags.set(name, value).map_err(refused("the compiler lacks a setting"))?;
    }
    let isa = cranelift_native::builder().map_err(|e| {
        log::info!(target: "jit", "no compiler for this machine: {e}");
        Refusal("the compiler does not know this machine")
    })?;
    let isa = isa
        .finish(settings::Flags::new(flags))
        .map_err(refused("the compiler does not know this machine"))?;
    let mut builder = JITBuilder::with_isa(isa, default_libcall_names());
    // Code refers to its constants and helpers by 32-bit distances, so all of a module lies in one region.
    let pages =
        ArenaMemoryProvider::new_with_size(REGION).map_err(refused("no address space for machine code"))?;
    builder.memory_provider(Box::new(pages));
    Ok(JITModule::new(builder))
}

/// Whether pages of the process may become executable. The compiler panics where they may not.
fn may_execute() -> bool {
    static MAY: OnceLock<bool> = OnceLock::new();
    *MAY.get_or_init(|| {
        let mut pages = SystemMemoryProvider::new();
        let made = pages.allocate(1, 1, JITMemoryKind::Executable).map_err(|e| e.to_string());
        let made = made.and_then(|_| pages.finalize(BranchProtection::None).map_err(|e| e.to_string()));
        // SAFETY: nothing refers to the page.
        unsafe { pages.free_memory() };
        if let Err(e) = &made {
            log::info!(target: "jit", "no executable pages: {e}");
        }
        made.is_ok()
    })
}

fn compile(
    module: &Module,
    id: FuncId,
    plan: &Plan,
    promises: &Promises,
    anyway: bool,
) -> Result<Kernel, Refusal> {
    if plan.has_warp_operations() && !promises.shape.block_dim.iter().product::<u32>().is_multiple_of(WARP) {
        return Err(Refusal("a warp of the block is not whole"));
    }
    let mut jit = module_for_this_machine()?;
    let helpers = trampolines(&mut jit)?;

    let func = plan.func(module, id);
    let entry = func.entry().ok_or(Refusal("it has no body"))?;
    let context = Context {
        module,
        facts: None,
        claims: None,
        uniform_over: Uniformity::Block,
        block_dim: promises.shape.block_dim,
        is_math: |name| cudair_math::lookup(name).is_some(),
    };
    let cfg = Cfg::new(func);
    let (dom, cycles) = (DomTree::new(&cfg), Cycles::new(func, &cfg));
    let ranges = Ranges::new(func, &cfg, &dom, &promises.shape);
    let computed = binary32_results(&context, func);
    let (no_divergent, no_slots, no_regions) = (Vec::new(), FxHashMap::default(), FxHashMap::default());
    let (no_uniform, no_loops) = (EntitySet::new(), Loops::default());
    let first = Given {
        func,
        plan,
        promises,
        cfg: &cfg,
        cycles: &cycles,
        ranges: &ranges,
        computed: &computed,
        divergent: &no_divergent,
        regions: &no_regions,
        loops: &no_loops,
        slots: &no_slots,
        uniform: &no_uniform,
        shared_slots: &no_slots,
    };
    let suits = classes::suits(promises.shape.block_dim) && !plan.ordered;
    let looked = suits.then(|| classes_and_regions(&first, entry, &dom));
    let (known, (regions, loops)) = match looked {
        Some((known, regions, loops)) => (Some(known), (regions, loops)),
        None => (None, Default::default()),
    };
    // Lanes that leave a loop at different turns, and load in it, had better run one after the other, since a load of many places
    // costs more than as many loads, and all wait for the last one. If they part within the loop, too, or do more together behind
    // it, they had better run together.
    let pays = |of: &Loop| of.parts_inside || !plan.syncs.is_empty();
    let wanted = !plan.ordered
        && (promises.converges
            || known.as_ref().is_some_and(|known| {
                !Plan::diverges(func, |block| match func.terminator(block).map(|end| &func.insts[end]) {
                    Some(InstData::Branch { cond, .. }) => {
                        classes::scatters(func, known, *cond) && !loops.get(block).is_some_and(pays)
                    }
                    _ => false,
                })
            }));
    let known = known.filter(|_| wanted);
    let divergent =
        known.as_ref().map_or(Vec::new(), |known| divergent_branches(&first, known, (&regions, &loops)));
    // Where lanes of a block do not all wait at a time, nothing is kept for the block.
    let is_same = |v: Value| known.as_ref().is_none_or(|known| known[v] == Class::Uniform);
    let apart = plan.ordered || plan.has_warp_operations();
    let uniform = if apart { EntitySet::new() } else { uniform::uniform(func, &cfg, is_same) };
    let (mut slots, mut shared_slots) = (FxHashMap::default(), FxHashMap::default());
    for &v in plan.live.iter().flatten() {
        let slots = if uniform.contains(v) { &mut shared_slots } else { &mut slots };
        let n = slots.len() as u32;
        slots.entry(v).or_insert(n);
    }
    for &v in divergent.iter().flat_map(|p| &p.live) {
        let n = slots.len() as u32;
        slots.entry(v).or_insert(n);
    }
    let given = Given {
        divergent: &divergent,
        regions: &regions,
        loops: &loops,
        slots: &slots,
        uniform: &uniform,
        shared_slots: &shared_slots,
        ..first
    };
    let sig = signature(&jit);
    let declare = |jit: &mut JITModule, name| {
        jit.declare_function(name, Linkage::Export, &sig).map_err(refused("the compiler refused"))
    };
    let scalar = declare(&mut jit, "lanes")?;
    let strips = known.as_ref().and_then(|known| {
        emit(&mut jit, &given, helpers, Some((known, scalar)))
            .inspect_err(|why| log::info!(target: "jit", "lanes do not run together: {}", why.0))
            .ok()
    });
    if let Some((_, (at_once, one_by_one))) = &strips {
        log::debug!(target: "jit", "instructions for lanes at once and one by one, by loops around them: {at_once}, {one_by_one}");
    }
    if wanted
        && !anyway
        && strips.as_ref().is_none_or(|(_, (at_once, one_by_one))| *one_by_one > MOST_ALONE * at_once)
    {
        return Err(Refusal::ALONE);
    }
    if strips.is_none() && !anyway && plan.calls_often(func) {
        return Err(Refusal("most of its time would go to calls"));
    }
    let lanes = emit(&mut jit, &given, helpers, None)?.0;
    let mut size = define(&mut jit, scalar, lanes)?;
    let mut main = scalar;
    if let Some((code, _)) = strips {
        let together = declare(&mut jit, "strips")?;
        match define(&mut jit, together, code) {
            Ok(bytes) => (main, size) = (together, size + bytes),
            Err(why) if wanted && !anyway => return Err(why),
            Err(_) => {}
        }
    }
    jit.finalize_definitions().map_err(refused("no memory for machine code"))?;
    let groups = if plan.syncs.is_empty() { 1 } else { LANES.div_ceil(WIDTH as usize) };
    let code = jit.get_finalized_function(main);
    // SAFETY: the function was declared with this signature and the machine's calling convention.
    let code =
        unsafe { std::mem::transmute::<*const u8, extern "C" fn(*mut Frame, u32, u32, u32) -> u32>(code) };
    Ok(Kernel {
        module: Some(jit),
        code,
        size,
        // One more says whether lanes that run together have parted.
        kept: slots.len() + 1,
        uniform: shared_slots.len(),
        locals: plan.locals.bytes * groups,
    })
}

/// How the values of a kernel's lanes differ, what lies behind branches where some of them run under a mask, and the loops that they
/// leave at different turns.
fn classes_and_regions(
    given: &Given<'_>,
    entry: Block,
    dom: &DomTree,
) -> (SecondaryMap<Value, Class>, FxHashMap<Block, Region>, Loops) {
    /// Each time, more values differ; who does not come to an end by then does without masks.
    const TIMES: usize = 12;
    let Given { func, plan, cfg, cycles, .. } = *given;
    let ends = PostDomTree::new(func, cfg);
    let (mut joins, mut differ) = (EntitySet::new(), EntitySet::new());
    for _ in 0..TIMES {
        let known = classes::classes(given, entry, &joins, &differ);
        let mut regions = FxHashMap::default();
        let mut grows = false;
        let cond = |block: Block| match func.terminator(block).map(|end| &func.insts[end]) {
            Some(&InstData::Branch { cond, .. }) => Some(cond),
            _ => None,
        };
        let scatters = |block: Block| cond(block).is_some_and(|cond| classes::scatters(func, &known, cond));
        let mut join = |block: Block| cfg.preds(block).len() > 1 && joins.insert(block);
        for &block in cfg.rpo().iter().filter(|&&block| scatters(block)) {
            let region = Region::of(func, plan, cfg, &ends, block);
            if let Some(region) = region.filter(|region| region.holds(given, &known, block)) {
                for &block in region.blocks.iter().chain([&region.join]) {
                    grows |= join(block);
                }
                regions.insert(block, region);
            }
        }
        let mut loops = Loops::default();
        for cycle in cycles.cycles.keys() {
            let exits = cycles.exits(func, cycle);
            if !exits.iter().any(|&(from, _)| scatters(from)) {
                continue;
            }
            let Some(mut of) = Loop::of(func, plan, cfg, (cycles, &ends), cycle) else { continue };
            let Some(from) = dom.idom(of.blocks[0]) else { continue };
            let Some(values) = of.differing(given, &known, from) else { continue };
            for v in values {
                grows |= differ.insert(v);
            }
            for &block in &of.blocks[1..] {
                grows |= join(block);
            }
            let parts = |block: &Block| {
                let differs = cond(*block).is_some_and(|cond| known[cond] != Class::Uniform);
                differs && cycles.contains(cycle, *block) && !regions.contains_key(block)
            };
            let is_exit = |block: Block| exits.iter().any(|&(from, _)| from == block);
            of.parts_inside =
                of.blocks.iter().any(|&b| scatters(b) && cycles.contains(cycle, b) && !is_exit(b));
            let branches: Vec<Block> = of.blocks.iter().copied().filter(parts).collect();
            loops.add(of, branches.into_iter());
        }
        if !grows {
            return (known, regions, loops);
        }
    }
    let none = (EntitySet::new(), EntitySet::new());
    (classes::classes(given, entry, &none.0, &none.1), FxHashMap::default(), Loops::default())
}

/// The branches at which lanes that run together may part.
fn divergent_branches(
    given: &Given<'_>,
    known: &SecondaryMap<Value, Class>,
    (regions, loops): (&FxHashMap<Block, Region>, &Loops),
) -> Vec<DivergentBranch> {
    let Given { func, cfg, .. } = *given;
    let parts = |block: &Block| !regions.contains_key(block) && loops.get(*block).is_none();
    let ends = cfg.rpo().iter().copied().filter(parts).filter_map(|block| {
        let end = func.terminator(block)?;
        let differs =
            matches!(func.insts[end], InstData::Branch { cond, .. } if known[cond] != Class::Uniform);
        differs.then(|| (block, func.block_insts(block).len() - 1))
    });
    let places: Vec<Point> = ends.collect();
    let live = live_across(func, cfg, &places);
    places.into_iter().zip(live).map(|((block, at), live)| DivergentBranch { block, at, live }).collect()
}

/// Emits one of the two functions of a kernel. Gives its code, and its instructions for all lanes at once and for one after the
/// other, weighted by the loops around them.
fn emit(
    jit: &mut JITModule,
    given: &Given<'_>,
    helpers: [ModuleFunc; HELPERS],
    together: Option<(&SecondaryMap<Value, Class>, ModuleFunc)>,
) -> Result<(Box<Code>, (u64, u64)), Refusal> {
    let mut cx = Box::new(jit.make_context());
    cx.func.signature = signature(jit);
    let mut builder = FunctionBuilderContext::new();
    let b = FunctionBuilder::new(&mut cx.func, &mut builder);
    let helpers = helpers.map(|f| jit.declare_func_in_func(f, b.func));
    let together = together.map(|(known, scalar)| (known, jit.declare_func_in_func(scalar, b.func)));
    let cost = Emitter::emit(given, b, helpers, together, jit.target_config())?;
    log::trace!(target: "jit", "{}", cx.func.display());
    Ok((cx, cost))
}

/// Compiles what was emitted for a function. Gives its bytes.
fn define(jit: &mut JITModule, id: ModuleFunc, mut code: Box<Code>) -> Result<usize, Refusal> {
    jit.define_function(id, &mut code).map_err(|e| {
        log::info!(target: "jit", "the compiler refused: {e:?}");
        Refusal("the compiler refused")
    })?;
    Ok(code.compiled_code().map_or(0, |c| c.code_buffer().len()))
}

/// What both functions take: the frame, an entry, and the lanes; and give: where the lanes are then.
fn signature(jit: &JITModule) -> cl::Signature {
    let mut sig = jit.make_signature();
    let pointer = jit.target_config().pointer_type();
    sig.params.extend([pointer, ct::I32, ct::I32, ct::I32].map(AbiParam::new));
    sig.returns.push(AbiParam::new(ct::I32));
    sig
}

/// Functions that call the helpers of a frame and keep every register, so that a call that is rarely made costs nothing
/// where it is not made.
fn trampolines(jit: &mut JITModule) -> Result<[ModuleFunc; HELPERS], Refusal> {
    let pointer = jit.target_config().pointer_type();
    let mut out = Vec::with_capacity(HELPERS);
    let mut builder = FunctionBuilderContext::new();
    for (n, args) in ARGS.into_iter().enumerate() {
        let mut sig = jit.make_signature();
        sig.params = vec![AbiParam::new(ct::I64); args + 1];
        sig.returns = vec![AbiParam::new(ct::I32)];
        let mut outer = sig.clone();
        // Such a function gives nothing back but through memory.
        outer.returns.clear();
        outer.call_conv = CallConv::PreserveAll;
        let name = format!("helper{n}");
        let id =
            jit.declare_function(&name, Linkage::Local, &outer).map_err(refused("the compiler refused"))?;
        let mut cx = jit.make_context();
        cx.func.signature = outer;
        let mut b = FunctionBuilder::new(&mut cx.func, &mut builder);
        let block = b.create_block();
        b.append_block_params_for_function_params(block);
        b.switch_to_block(block);
        let values = b.block_params(block).to_vec();
        let at = offset_of!(Frame, helpers) + 8 * n;
        let helper = b.ins().load(pointer, cl::MemFlagsData::trusted(), values[0], at as i32);
        let sig = b.import_signature(sig);
        let call = b.ins().call_indirect(sig, helper, &values);
        let result = b.inst_results(call)[0];
        b.ins().store(cl::MemFlagsData::trusted(), result, values[0], offset_of!(Frame, answer) as i32);
        b.ins().return_(&[]);
        b.seal_all_blocks();
        b.finalize(jit.target_config());
        jit.define_function(id, &mut cx).map_err(|e| {
            log::info!(target: "jit", "the compiler refused a helper: {e:?}");
            Refusal("the compiler refused")
        })?;
        jit.clear_context(&mut cx);
        out.push(id);
    }
    out.try_into().map_err(|_| Refusal("the compiler refused"))
}

/// By helper: the arguments behind the frame.
const ARGS: [usize; HELPERS] = [0, 3, 4, 3, 3, 1, 2, 3];
