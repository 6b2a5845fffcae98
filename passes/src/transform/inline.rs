//! Inlining: calls become the callee's body, callees first.
//!
//! Device functions are inlined aggressively, as CUDA's compiler does; host functions where they are
//! small. Left alone are recursion, `noinline`, functions on texels, barriers with numbers, variadic functions, functions that call `setjmp`, take
//! memory from the frame (`alloca`) or are not defined here, and calls with an unwind target to functions
//! that may throw.
//!
//! The clones of places carry the place of the call (see [`SourceMap::inlined`]); each site and each
//! variable is cloned. A variable that lived as long as its frame gets markers for that lifetime.
//! Convergent instructions are copied with everything that decides about them: each call executed its own
//! copy before, and goes on doing so.

use super::util::result_to_param;
use cudair_ir::*;
use rustc_hash::FxHashMap;

/// Device functions with more instructions stay calls.
const DEVICE_LIMIT: usize = 3000;
/// Host functions with more instructions stay calls, unless the source asks for them to be inlined.
const HOST_LIMIT: usize = 40;
/// Functions do not grow beyond this by inlining.
const GROWTH_LIMIT: usize = 30_000;
/// A module does not grow by more than this many times its size, and a constant.
const MODULE_FACTOR: usize = 10;
const MODULE_GROWTH: usize = 500_000;
/// How deep calls are inlined into each other.
const DEPTH_LIMIT: u32 = 64;

/// Functions of one kind: what they do analyses tell from the call, so the pass that inlines them is one for the machine
/// alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Plain,
    Texels,
    Barrier,
}

impl Kind {
    fn of(func: &Function) -> Kind {
        match func.attrs {
            FuncAttrs { texels: Some(_), .. } => Kind::Texels,
            FuncAttrs { barrier: Some(_), .. } => Kind::Barrier,
            _ => Kind::Plain,
        }
    }
}

/// Inlines calls in all functions, but for those of functions on texels and of barriers with numbers.
pub fn run(module: &mut Module) {
    inline(module, Kind::Plain);
}

/// Inlines the calls of functions on texels: the machine has them where they are called from, and so have its reports.
pub fn texels(module: &mut Module) {
    inline_any(module, Kind::Texels);
}

/// Inlines the calls of barriers with numbers, for the same reason.
pub fn barriers(module: &mut Module) {
    inline_any(module, Kind::Barrier);
}

/// Inlines calls of a kind, if there is a function of it.
fn inline_any(module: &mut Module, kind: Kind) {
    if module.funcs.values().any(|f| Kind::of(f) == kind) {
        inline(module, kind);
    }
}

fn inline(module: &mut Module, kind: Kind) {
    let order = callees_first(module);
    let component: FxHashMap<FuncId, usize> =
        order.iter().enumerate().flat_map(|(n, c)| c.iter().map(move |&f| (f, n))).collect();
    let mut depth: SecondaryMap<FuncId, u32> = SecondaryMap::new();
    let throwing = super::exceptions::throwing(module);
    let caught = super::exceptions::has_handlers(module);
    let total: usize = module.funcs.values().map(size).sum();
    let mut budget = total.saturating_mul(MODULE_FACTOR).saturating_add(MODULE_GROWTH);
    for &id in order.iter().flatten() {
        if module.funcs[id].attrs.returns_twice {
            continue;
        }
        let stub = Function::new("", module.funcs[id].side, module.funcs[id].sig.clone());
        let mut func = std::mem::replace(&mut module.funcs[id], stub);
        let inlined = inline_calls(
            module,
            &mut func,
            &mut depth,
            &mut budget,
            (id, kind),
            &component,
            (caught, &throwing),
        );
        if inlined {
            // What callers will copy should be small. Merging blocks first shows what was passed by address.
            super::util::remove_unreachable(&mut func);
            super::simplify::run(&mut func, module);
            super::sroa::run(&mut func);
            super::promote::run(&mut func);
            super::simplify::run(&mut func, module);
            func.drop_unused_slots();
            func.compact();
        }
        module.funcs[id] = func;
    }
}

/// The functions with bodies in strongly connected components of the call graph, callees first.
fn callees_first(module: &Module) -> Vec<Vec<FuncId>> {
    // Tarjan's algorithm with an explicit stack.
    let mut callees: SecondaryMap<FuncId, Vec<FuncId>> = SecondaryMap::new();
    for (id, func) in &module.funcs {
        for &block in &func.layout {
            for &inst in func.block_insts(block) {
                if let InstData::Call { func: f, .. } | InstData::Invoke { func: f, .. } = func.insts[inst]
                    && !module.funcs[f].is_declaration()
                    && !callees[id].contains(&f)
                {
                    callees[id].push(f);
                }
            }
        }
    }
    let mut out = Vec::new();
    let mut index: SecondaryMap<FuncId, u32> = SecondaryMap::new();
    let mut low: SecondaryMap<FuncId, u32> = SecondaryMap::new();
    let mut on_stack: EntitySet<FuncId> = EntitySet::new();
    let mut stack = Vec::new();
    let mut next = 0;
    for root in module.funcs.keys() {
        if module.funcs[root].is_declaration() || index[root] != 0 {
            continue;
        }
        let mut work = vec![(root, 0)];
        while let Some(&mut (f, ref mut at)) = work.last_mut() {
            if *at == 0 {
                next += 1;
                index[f] = next;
                low[f] = next;
                stack.push(f);
                on_stack.insert(f);
            }
            match callees[f].get(*at).copied() {
                Some(callee) => {
                    *at += 1;
                    if index[callee] == 0 {
                        work.push((callee, 0));
                    } else if on_stack.contains(callee) {
                        low[f] = low[f].min(index[callee]);
                    }
                }
                None => {
                    work.pop();
                    if let Some(&(parent, _)) = work.last() {
                        low[parent] = low[parent].min(low[f]);
                    }
                    if low[f] == index[f] {
                        let mut component = Vec::new();
                        while let Some(g) = stack.pop() {
                            on_stack.remove(g);
                            component.push(g);
                            if g == f {
                                break;
                            }
                        }
                        out.push(component);
                    }
                }
            }
        }
    }
    out
}

fn size(func: &Function) -> usize {
    func.layout.iter().map(|&b| func.block_insts(b).len()).sum()
}

/// Whether a callee's body may be copied at all.
struct Body {
    size: usize,
    copyable: bool,
}

fn examine(func: &Function) -> Body {
    let mut body = Body { size: size(func), copyable: true };
    let a = func.attrs;
    body.copyable = !func.is_declaration() && !a.noinline && !a.returns_twice && !func.sig.variadic;
    for &block in &func.layout {
        for &inst in func.block_insts(block) {
            match func.insts[inst] {
                InstData::Alloca { .. } | InstData::Va { .. } | InstData::VaArg { .. } => {
                    body.copyable = false;
                }
                _ => {}
            }
        }
    }
    body
}

fn inline_calls(
    module: &mut Module,
    func: &mut Function,
    depth: &mut SecondaryMap<FuncId, u32>,
    budget: &mut usize,
    (id, kind): (FuncId, Kind),
    component: &FxHashMap<FuncId, usize>,
    (caught, throwing): (bool, &EntitySet<FuncId>),
) -> bool {
    let mut grown = size(func);
    let mut any = false;
    // Blocks that appear while this runs come from callees, which have been through this already.
    let blocks = func.layout.clone();
    for block in blocks {
        let mut current = block;
        let mut at = 0;
        while let Some(&inst) = func.blocks[current].insts.get(at) {
            at += 1;
            let (InstData::Call { func: callee, .. } | InstData::Invoke { func: callee, .. }) =
                func.insts[inst]
            else {
                continue;
            };
            let target = &module.funcs[callee];
            let same_side = target.side != Side::Kernel && target.side.on_device() == func.side.on_device();
            let later = Kind::of(target) != kind;
            if component.get(&callee) == component.get(&id) || !same_side || later {
                continue;
            }
            let body = examine(target);
            let limit = if func.side.on_device() { DEVICE_LIMIT } else { HOST_LIMIT };
            let small = body.size <= limit || (target.attrs.always_inline && body.size <= DEVICE_LIMIT);
            let fits =
                grown + body.size <= GROWTH_LIMIT && body.size <= *budget && depth[callee] < DEPTH_LIMIT;
            // Its frame is where an exception ends the program.
            let stops = target.attrs.noexcept || target.attrs.noexcept_unknown;
            let barrier = caught && stops && may_throw(target, throwing);
            if !body.copyable || !small || !fits || barrier {
                continue;
            }
            let callee_body = module.funcs[callee].clone();
            let (rest, copied) = splice(func, module, &callee_body, current, at - 1, inst, throwing);
            grown += copied;
            *budget = budget.saturating_sub(copied);
            depth[id] = depth[id].max(depth[callee] + 1);
            any = true;
            current = rest;
            at = 0;
        }
    }
    any
}

/// Whether anything in a function throws.
fn may_throw(func: &Function, throwing: &EntitySet<FuncId>) -> bool {
    let mut insts = func.layout.iter().flat_map(|&b| func.block_insts(b));
    insts.any(|&i| throws(&func.insts[i], throwing) || matches!(func.insts[i], InstData::Resume { .. }))
}

/// Whether an instruction is a call that throws past its function.
fn throws(data: &InstData, throwing: &EntitySet<FuncId>) -> bool {
    match *data {
        InstData::Call { func, .. } => throwing.contains(func),
        InstData::CallIndirect { .. } => true,
        _ => false,
    }
}

/// Puts the callee's body in the place of a call. Gives the block with what followed the call, and how
/// many instructions were added.
fn splice(
    func: &mut Function,
    module: &mut Module,
    callee: &Function,
    block: Block,
    at: usize,
    call: Inst,
    throwing: &EntitySet<FuncId>,
) -> (Block, usize) {
    let source = &mut module.source;
    let call_loc = func.locs[call].expand();
    let mut clone_loc = {
        let mut cache: FxHashMap<Loc, Loc> = FxHashMap::default();
        move |loc: PackedOption<Loc>| -> PackedOption<Loc> {
            match (loc.expand(), call_loc) {
                (Some(l), Some(call)) => (*cache.entry(l).or_insert_with(|| source.inlined(l, call))).into(),
                (l, None) => l.into(),
                (None, call) => call.into(),
            }
        }
    };
    // What followed the call goes on in a block that takes the result.
    let (args, normal, unwind) = match func.insts[call] {
        InstData::Call { ref args, .. } => (args.as_slice(&func.pool).to_vec(), None, None),
        InstData::Invoke { ref args, normal, unwind, .. } => {
            (args.as_slice(&func.pool).to_vec(), Some(normal), Some(unwind))
        }
        _ => (Vec::new(), None, None),
    };
    // Blocks that calls with the unwind target go on in.
    let mut split: Vec<(Block, Block)> = Vec::new();
    let tail = func.blocks[block].insts.split_off(at);
    let rest = func.make_block();
    let passed = result_to_param(func, call, rest);
    let result = passed.or_else(|| callee.sig.ret.map(|ty| func.append_block_param(rest, ty)));
    func.blocks[rest].insts = match normal {
        None => tail[1..].to_vec(),
        // The result is the first argument of the normal block.
        Some(normal) => {
            let mut args: Vec<Value> = result.into_iter().collect();
            args.extend_from_slice(normal.args.as_slice(&func.pool));
            let dest = func.block_call(normal.block, &args);
            vec![func.make_inst(InstData::Jump { dest }, &[], call_loc)]
        }
    };
    let mut values: SecondaryMap<Value, PackedOption<Value>> = SecondaryMap::new();
    let mut blocks: SecondaryMap<Block, PackedOption<Block>> = SecondaryMap::new();
    let mut slots: PrimaryMap<Slot, Slot> = PrimaryMap::new();
    let mut sites: FxHashMap<Site, Site> = FxHashMap::default();
    let mut marked: EntitySet<Slot> = EntitySet::new();
    for &b in &callee.layout {
        let new = func.make_block();
        blocks[b] = new.into();
        for &p in callee.block_params(b) {
            values[p] = func.append_block_param(new, callee.value_type(p)).into();
        }
        for &inst in callee.block_insts(b) {
            if let InstData::Lifetime { slot, .. } = callee.insts[inst] {
                marked.insert(slot);
            }
        }
    }
    for s in callee.slots.values() {
        let loc = clone_loc(s.loc);
        slots.push(func.slots.push(SlotData { loc, ..s.clone() }));
    }
    // Results first: a use may stand before its definition in the layout.
    let mut new_insts: Vec<(Block, Vec<(Inst, Inst)>)> = Vec::new();
    let mut added = 0;
    for &b in &callee.layout {
        let mut list = Vec::new();
        for &inst in callee.block_insts(b) {
            let types: Vec<Type> = callee.inst_results(inst).iter().map(|&v| callee.value_type(v)).collect();
            let loc = clone_loc(callee.locs[inst]).expand();
            // The data follows below.
            let new = func.make_inst(InstData::Trap { code: TrapCode::Unreachable }, &types, loc);
            for (n, &v) in callee.inst_results(inst).iter().enumerate() {
                values[v] = func.inst_results(new)[n].into();
            }
            list.push((inst, new));
            added += 1;
        }
        new_insts.push((b, list));
    }
    let value = |v: Value| values[v].expand().unwrap_or(v);
    for (b, list) in new_insts {
        let Some(first_block) = blocks[b].expand() else { continue };
        let mut new_block = first_block;
        for (old, new) in list {
            let mut data = callee.insts[old].clone();
            data.map_sites(|s| {
                *sites.entry(s).or_insert_with(|| {
                    let loc = clone_loc(callee.sites[s].loc);
                    func.sites.push(SiteData { loc })
                })
            });
            data.map_slots(|slot| slots[slot]);
            if let InstData::Return { args } = &data {
                // The frame ends here, and its variables with it.
                for &slot in slots.values() {
                    let dead = InstData::Lifetime { op: LifetimeOp::Dead, slot };
                    let loc = func.locs[new].expand();
                    let dead = func.make_inst(dead, &[], loc);
                    func.blocks[new_block].insts.push(dead);
                    added += 1;
                }
                let args: Vec<Value> = args.as_slice(&callee.pool).iter().map(|&v| value(v)).collect();
                let dest = func.block_call(rest, &args);
                data = InstData::Jump { dest };
            } else {
                let passes = throws(&data, throwing);
                data = func.import(callee, data, value, |b| blocks[b].expand().unwrap_or(b));
                if let Some(unwind) = unwind {
                    let targets = unwind.args.as_slice(&func.pool).to_vec();
                    if let InstData::Resume { exception } = data {
                        let args: Vec<Value> = std::iter::once(exception).chain(targets).collect();
                        data = InstData::Jump { dest: func.block_call(unwind.block, &args) };
                    } else if passes {
                        let next = func.make_block();
                        result_to_param(func, new, next);
                        let normal = func.block_call(next, &[]);
                        let unwind = func.block_call(unwind.block, &targets);
                        data = match data {
                            InstData::Call { func, args, site } => {
                                InstData::Invoke { func, args, normal, unwind, site }
                            }
                            InstData::CallIndirect { sig, callee, args, site } => {
                                InstData::InvokeIndirect { sig, callee, args, normal, unwind, site }
                            }
                            data => data,
                        };
                        func.insts[new] = data;
                        func.blocks[new_block].insts.push(new);
                        split.push((first_block, next));
                        new_block = next;
                        continue;
                    }
                }
            }
            func.insts[new] = data;
            func.blocks[new_block].insts.push(new);
        }
    }
    // The call becomes a jump to the callee's entry, after its variables came alive.
    for (old, &slot) in &slots {
        if !marked.contains(old) {
            let live = func.make_inst(InstData::Lifetime { op: LifetimeOp::Live, slot }, &[], call_loc);
            func.blocks[block].insts.push(live);
            added += 1;
        }
    }
    if let Some(entry) = callee.entry().and_then(|e| blocks[e].expand()) {
        let dest = func.block_call(entry, &args);
        let jump = func.make_inst(InstData::Jump { dest }, &[], call_loc);
        func.blocks[block].insts.push(jump);
    }
    let at = func.layout.iter().position(|&b| b == block).map_or(func.layout.len(), |n| n + 1);
    let mut new: Vec<Block> = Vec::new();
    for copy in callee.layout.iter().filter_map(|&b| blocks[b].expand()) {
        new.push(copy);
        new.extend(split.iter().filter(|s| s.0 == copy).map(|s| s.1));
    }
    new.push(rest);
    func.layout.splice(at..at, new);
    (rest, added)
}
