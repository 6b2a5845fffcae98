//! Promotion of variables in memory to SSA values.
//!
//! The classic construction (Cytron et al., 1991): block parameters at the iterated dominance frontiers
//! of the stores where the variable is live, then a renaming walk over the dominator tree.
//!
//! A variable is promoted where
//!
//! - it is accessed only by whole, plain loads and stores of one type (all pointer types count as one)
//!   and by copies of the whole variable, and its address goes nowhere else;
//! - every load is reached by a store on every path (a forward dataflow; the marker `live` undoes a
//!   store, and so does `dead`). A variable that may be read before it is written stays in memory, where
//!   the initialisation shadow decides at run time;
//! - a copy *into* it from memory cannot be told from a load. A copy of bytes that were never written is
//!   no fault until they are used, while a load of them is reported at once. So the copy becomes a load
//!   only where on every path a use of the variable follows before the next store to it (a loop that uses
//!   it is taken to run), or where the only thing that happens to the value is one copy out again.
//!   Otherwise the variable stays.
//!
//! A load proper is a read, as the language has it, also where its value is only stored in another
//! variable (`int y = x;`): promoting `y` gives it other uses, and the machine then checks it.
//!
//! Functions that call `setjmp` are left alone.

use super::util::{append_edge_arg, remove_unreachable, same_width, set_of, slot_of};
use cudair_ir::*;
use smallvec::SmallVec;

/// Members of all dominance frontiers together that are worth their memory.
const MAX_FRONTIERS: usize = 10_000_000;
/// How many copies from variable to variable a use is followed through.
const MAX_COPY_DEPTH: u32 = 4;

/// How a variable is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Access {
    /// A typed load; the result is its use.
    Load(Slot),
    /// A typed store.
    Store(Slot),
    /// A copy of the whole variable from other memory.
    CopyIn(Slot),
    /// A copy of the whole variable to other memory.
    CopyOut(Slot),
    /// A copy from the second variable to the first.
    CopyBetween(Slot, Slot),
    /// A lifetime marker.
    Kill(Slot),
}

#[derive(Clone, Debug)]
struct Candidate {
    ok: bool,
    /// The type of all typed accesses.
    ty: Option<Type>,
    loads: u32,
    stores: u32,
    copies_in: u32,
    copies_out: u32,
}

impl Default for Candidate {
    fn default() -> Candidate {
        Candidate { ok: true, ty: None, loads: 0, stores: 0, copies_in: 0, copies_out: 0 }
    }
}

/// Promotes what can be promoted. Gives whether anything was.
pub fn run(func: &mut Function) -> bool {
    if func.attrs.returns_twice || func.slots.is_empty() {
        return false;
    }
    remove_unreachable(func);
    let mut p = Promoter::new(func);
    p.select(func);
    if !p.candidates.values().any(|c| c.ok) {
        return false;
    }
    // A function whose joins are too many for their frontiers keeps its variables in memory.
    let Some(frontiers) = p.dom.frontiers(&p.cfg, MAX_FRONTIERS) else { return false };
    p.place_params(func, &frontiers);
    p.rename(func);
    true
}

/// What a block does with a variable.
#[derive(Clone)]
struct BlockUse {
    block: Block,
    /// Reads it before it writes it.
    reads_first: bool,
    /// Writes it or ends its value.
    writes: bool,
    /// Gives it a value.
    defines: bool,
}

struct Promoter {
    cfg: Cfg,
    dom: DomTree,
    cycles: Cycles,
    candidates: SecondaryMap<Slot, Candidate>,
    /// Loads whose result is stored and nothing else, with where it is stored.
    stored: SecondaryMap<Inst, PackedOption<Value>>,
    /// For each parameter that was added, its variable; grouped by block in the order of the parameters.
    added: SecondaryMap<Block, SmallVec<[(Slot, Value); 4]>>,
}

impl Promoter {
    fn new(func: &Function) -> Promoter {
        let cfg = Cfg::new(func);
        let dom = DomTree::new(&cfg);
        let cycles = Cycles::new(func, &cfg);
        let stored = stored_loads(func);
        Promoter { cfg, dom, cycles, candidates: SecondaryMap::new(), stored, added: SecondaryMap::new() }
    }

    /// The access that an instruction makes to a candidate. A copy between a candidate and a variable
    /// that is none is a copy from or to memory.
    fn access(&self, func: &Function, inst: Inst) -> Option<Access> {
        let candidate = |v: Value| slot_of(func, v).filter(|&s| self.candidates[s].ok);
        match func.insts[inst] {
            InstData::Load { ptr, .. } => candidate(ptr).map(Access::Load),
            InstData::Store { ptr, .. } => candidate(ptr).map(Access::Store),
            InstData::MemCopy { dst, src, .. } => match (candidate(dst), candidate(src)) {
                (Some(d), Some(s)) => Some(Access::CopyBetween(d, s)),
                (Some(d), None) => Some(Access::CopyIn(d)),
                (None, Some(s)) => Some(Access::CopyOut(s)),
                (None, None) => None,
            },
            InstData::Lifetime { slot, .. } if self.candidates[slot].ok => Some(Access::Kill(slot)),
            _ => None,
        }
    }

    /// Whether a load is half of a copy to memory, which uses nothing: what a promoted variable that was only
    /// passed on left, or an assignment that the machine does as a copy.
    fn is_copy(&self, func: &Function, load: Inst) -> bool {
        let to_memory = |ptr: Value| slot_of(func, ptr).is_none_or(|s| !self.candidates[s].ok);
        self.stored[load].expand().is_some_and(to_memory)
    }

    /// Finds the variables that can be promoted.
    fn select(&mut self, func: &Function) {
        for slot in func.slots.keys() {
            self.candidates[slot] = Candidate::default();
        }
        self.check_uses(func);
        self.settle_types(func);
        // Each refusal may cause others: what is copied from a refused variable comes from memory.
        loop {
            let mut changed = self.check_assigned(func);
            changed |= self.check_copies(func);
            if !changed {
                break;
            }
        }
    }

    /// Refuses variables with accesses that are not whole and plain, and those whose address escapes.
    fn check_uses(&mut self, func: &Function) {
        for &block in &func.layout {
            for &inst in func.block_insts(block) {
                let whole = |slot: Slot, bytes: u32, flags: MemFlags| {
                    let s = &func.slots[slot];
                    !flags.volatile && bytes == s.size && flags.align_log2 <= s.align_log2
                };
                match func.insts[inst] {
                    InstData::Load { ty, flags, ptr, .. } => {
                        if let Some(slot) = slot_of(func, ptr) {
                            let fits = whole(slot, ty.mem_bytes(), flags);
                            self.typed(slot, ty, fits);
                            self.candidates[slot].loads += 1;
                        }
                    }
                    InstData::Store { flags, value, ptr, .. } => {
                        if let Some(slot) = slot_of(func, value) {
                            self.candidates[slot].ok = false;
                        }
                        if let Some(slot) = slot_of(func, ptr) {
                            let ty = func.value_type(value);
                            let fits = whole(slot, ty.mem_bytes(), flags);
                            self.typed(slot, ty, fits);
                            self.candidates[slot].stores += 1;
                        }
                    }
                    InstData::MemCopy { flags, dst, src, len, .. } => {
                        let bytes = func.const_int(len).and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
                        let (d, s) = (slot_of(func, dst), slot_of(func, src));
                        if let Some(d) = d {
                            self.candidates[d].ok &= whole(d, bytes, flags) && Some(d) != s;
                            self.candidates[d].copies_in += 1;
                        }
                        if let Some(s) = s {
                            self.candidates[s].ok &= whole(s, bytes, flags);
                            self.candidates[s].copies_out += 1;
                        }
                        if let Some(s) = slot_of(func, len) {
                            self.candidates[s].ok = false;
                        }
                    }
                    _ => func.for_each_arg(inst, |v| {
                        if let Some(slot) = slot_of(func, v) {
                            self.candidates[slot].ok = false;
                        }
                    }),
                }
            }
        }
    }

    fn typed(&mut self, slot: Slot, ty: Type, fits: bool) {
        let c = &mut self.candidates[slot];
        c.ok &= fits;
        c.ty = match c.ty {
            None => Some(ty),
            Some(t) if t == ty => Some(t),
            Some(t) if t.is_ptr() && ty.is_ptr() => Some(Type::GENERIC_PTR),
            Some(t) => {
                c.ok = false;
                Some(t)
            }
        };
    }

    /// Gives variables that are only copied the type of what they are copied from or to, and refuses
    /// copies between types that cannot be converted bit by bit.
    fn settle_types(&mut self, func: &Function) {
        let pairs: Vec<(Slot, Slot)> = func
            .layout
            .iter()
            .flat_map(|&b| func.block_insts(b))
            .filter_map(|&i| match self.access(func, i) {
                Some(Access::CopyBetween(d, s)) => Some((d, s)),
                _ => None,
            })
            .collect();
        let mut changed = true;
        while changed {
            changed = false;
            for &(d, s) in &pairs {
                match (self.candidates[d].ty, self.candidates[s].ty) {
                    (None, Some(t)) => self.candidates[d].ty = Some(t),
                    (Some(t), None) => self.candidates[s].ty = Some(t),
                    _ => continue,
                }
                changed = true;
            }
        }
        for slot in func.slots.keys() {
            let c = &mut self.candidates[slot];
            if c.ty.is_none() {
                c.ty = Type::int(func.slots[slot].size.saturating_mul(8)).filter(|&t| t != Type::I1);
            }
            c.ok &= c.ty.is_some();
        }
        for (d, s) in pairs {
            let (Some(a), Some(b)) = (self.candidates[d].ty, self.candidates[s].ty) else { continue };
            if a != b && !(a.is_ptr() && b.is_ptr()) && !same_width(a, b) {
                self.candidates[d].ok = false;
                self.candidates[s].ok = false;
            }
        }
    }

    /// Refuses variables that some path reads before it writes them.
    fn check_assigned(&mut self, func: &Function) -> bool {
        // Blocks at whose end each variable is surely assigned. Optimistic: all but the entry begin full.
        let entry = func.entry();
        let all = set_of(func.slots.keys().filter(|&s| self.candidates[s].ok));
        let mut out: SecondaryMap<Block, Option<EntitySet<Slot>>> = SecondaryMap::new();
        let at_start = |out: &SecondaryMap<Block, Option<EntitySet<Slot>>>, cfg: &Cfg, b: Block| {
            let mut set: Option<EntitySet<Slot>> =
                if Some(b) == entry { Some(EntitySet::new()) } else { None };
            for &p in cfg.preds(b) {
                let Some(o) = &out[p] else { continue };
                set = Some(match set {
                    None => o.clone(),
                    Some(s) => set_of(s.iter().filter(|&x| o.contains(x))),
                });
            }
            set.unwrap_or_else(|| all.clone())
        };
        let mut changed = true;
        while changed {
            changed = false;
            for &b in self.cfg.rpo() {
                let mut set = at_start(&out, &self.cfg, b);
                for &inst in func.block_insts(b) {
                    self.assign(func, inst, &mut set);
                }
                if out[b].as_ref().is_none_or(|o| !all.iter().all(|s| o.contains(s) == set.contains(s))) {
                    out[b] = Some(set);
                    changed = true;
                }
            }
        }
        let mut refused = Vec::new();
        for &b in self.cfg.rpo() {
            let mut set = at_start(&out, &self.cfg, b);
            for &inst in func.block_insts(b) {
                if let Some(Access::Load(s) | Access::CopyOut(s) | Access::CopyBetween(_, s)) =
                    self.access(func, inst)
                    && !set.contains(s)
                {
                    refused.push(s);
                }
                self.assign(func, inst, &mut set);
            }
        }
        for &s in &refused {
            self.candidates[s].ok = false;
        }
        !refused.is_empty()
    }

    fn assign(&self, func: &Function, inst: Inst, set: &mut EntitySet<Slot>) {
        match self.access(func, inst) {
            Some(Access::Store(s) | Access::CopyIn(s) | Access::CopyBetween(s, _)) => {
                set.insert(s);
            }
            Some(Access::Kill(s)) => {
                set.remove(s);
            }
            _ => {}
        }
    }

    /// Refuses variables into which memory is copied that may never be used.
    fn check_copies(&mut self, func: &Function) -> bool {
        let mut refused = Vec::new();
        for &block in self.cfg.rpo() {
            for (i, &inst) in func.block_insts(block).iter().enumerate() {
                let Some(Access::CopyIn(slot)) = self.access(func, inst) else { continue };
                if !self.passed_on(func, slot) && !self.surely_used(func, block, i + 1, slot, 0) {
                    refused.push(slot);
                }
            }
        }
        for &s in &refused {
            self.candidates[s].ok = false;
        }
        !refused.is_empty()
    }

    /// Whether all that happens to the variable is one copy into it and one out of it to memory: then the
    /// load and the store that come of them are a copy again.
    fn passed_on(&self, func: &Function, slot: Slot) -> bool {
        let c = &self.candidates[slot];
        let once = c.stores == 0 && c.copies_in == 1 && c.loads + c.copies_out == 1;
        once && func.layout.iter().flat_map(|&b| func.block_insts(b)).any(|&inst| {
            // Not to another variable that may use it after all.
            let leaves = match func.insts[inst] {
                InstData::Load { .. } => {
                    return self.access(func, inst) == Some(Access::Load(slot)) && self.is_copy(func, inst);
                }
                InstData::MemCopy { dst, .. } => slot_of(func, dst).is_none(),
                _ => false,
            };
            leaves && self.access(func, inst) == Some(Access::CopyOut(slot))
        })
    }

    /// Whether on every path from position `at` of `block` a load of `slot` comes before any store to it
    /// and before the end of the function. A copy to another variable counts if that one is surely used.
    /// A loop that uses the variable is taken to run at least once; a call on the host may not come back.
    fn surely_used(&self, func: &Function, block: Block, at: usize, slot: Slot, depth: u32) -> bool {
        // Whether the path through these instructions ends, and how.
        let scan = |block: Block, at: usize| -> Option<bool> {
            for (i, &inst) in func.block_insts(block).iter().enumerate().skip(at) {
                match self.access(func, inst) {
                    Some(Access::Load(s)) if s == slot && !self.is_copy(func, inst) => return Some(true),
                    Some(Access::CopyBetween(d, s))
                        if s == slot
                            && depth < MAX_COPY_DEPTH
                            && self.surely_used(func, block, i + 1, d, depth + 1) =>
                    {
                        return Some(true);
                    }
                    Some(Access::Store(s) | Access::CopyIn(s) | Access::Kill(s)) if s == slot => {
                        return Some(false);
                    }
                    Some(Access::CopyBetween(d, _)) if d == slot => return Some(false),
                    _ => {}
                }
                if !func.side.on_device() && is_call(&func.insts[inst]) {
                    return Some(false);
                }
            }
            None
        };
        match scan(block, at) {
            Some(used) => return used,
            None if func.successors(block).is_empty() => return false,
            None => {}
        }
        let mut seen: EntitySet<Block> = EntitySet::new();
        // Headers of loops that use the variable: no round of them may pass without a use.
        let mut entered: SecondaryMap<Block, PackedOption<Cycle>> = SecondaryMap::new();
        let mut work: Vec<Block> = func.successors(block).into_vec();
        while let Some(b) = work.pop() {
            if !seen.insert(b) {
                continue;
            }
            match scan(b, 0) {
                Some(true) => continue,
                Some(false) => return false,
                None => {}
            }
            let cycle = self.using_loop(func, b, block, slot);
            entered[b] = cycle.into();
            let succs = func.successors(b);
            if succs.is_empty() {
                return false;
            }
            for s in succs {
                if entered[s].expand().is_some_and(|c| self.cycles.contains(c, b)) {
                    return false;
                }
                if cycle.is_none_or(|c| self.cycles.contains(c, s)) {
                    work.push(s);
                }
            }
        }
        true
    }

    /// The loop whose header is `header`, if `from` is outside of it and `slot` is used in it.
    fn using_loop(&self, func: &Function, header: Block, from: Block, slot: Slot) -> Option<Cycle> {
        let cycle = self.cycles.innermost(header)?;
        let data = &self.cycles.cycles[cycle];
        if data.header() != header || !data.is_reducible() || self.cycles.contains(cycle, from) {
            return None;
        }
        let uses = |&inst: &Inst| match self.access(func, inst) {
            Some(Access::Load(s)) => s == slot && !self.is_copy(func, inst),
            Some(Access::CopyBetween(_, s)) => s == slot,
            _ => false,
        };
        let used = self.cycles.blocks(cycle).iter().any(|&b| func.block_insts(b).iter().any(uses));
        used.then_some(cycle)
    }

    /// The blocks at whose start the variable will be read before it is written.
    fn live_in(&self, blocks: &[BlockUse]) -> EntitySet<Block> {
        let writes = set_of(blocks.iter().filter(|u| u.writes).map(|u| u.block));
        let mut live = EntitySet::new();
        let mut work: Vec<Block> = blocks.iter().filter(|u| u.reads_first).map(|u| u.block).collect();
        for &b in &work {
            live.insert(b);
        }
        while let Some(b) = work.pop() {
            for &p in self.cfg.preds(b) {
                if !writes.contains(p) && live.insert(p) {
                    work.push(p);
                }
            }
        }
        live
    }

    /// What each block does with each variable.
    fn block_uses(&self, func: &Function) -> SecondaryMap<Slot, Vec<BlockUse>> {
        let mut uses: SecondaryMap<Slot, Vec<BlockUse>> = SecondaryMap::new();
        for &block in self.cfg.rpo() {
            for &inst in func.block_insts(block) {
                let (read, written, defined) = match self.access(func, inst) {
                    Some(Access::Load(s) | Access::CopyOut(s)) => (Some(s), None, false),
                    Some(Access::Store(s) | Access::CopyIn(s)) => (None, Some(s), true),
                    Some(Access::Kill(s)) => (None, Some(s), false),
                    Some(Access::CopyBetween(d, s)) => (Some(s), Some(d), true),
                    None => continue,
                };
                let at = |uses: &mut SecondaryMap<Slot, Vec<BlockUse>>, slot: Slot| -> usize {
                    let list = &mut uses[slot];
                    if list.last().is_none_or(|u| u.block != block) {
                        list.push(BlockUse { block, reads_first: false, writes: false, defines: false });
                    }
                    list.len() - 1
                };
                if let Some(s) = read {
                    let n = at(&mut uses, s);
                    let u = &mut uses[s][n];
                    u.reads_first |= !u.writes;
                }
                if let Some(s) = written {
                    let n = at(&mut uses, s);
                    let u = &mut uses[s][n];
                    u.writes = true;
                    u.defines |= defined;
                }
            }
        }
        uses
    }

    fn place_params(&mut self, func: &mut Function, frontiers: &SecondaryMap<Block, SmallVec<[Block; 4]>>) {
        let uses = self.block_uses(func);
        let slots: Vec<Slot> = func.slots.keys().filter(|&s| self.candidates[s].ok).collect();
        for slot in slots {
            let mut work: Vec<Block> = uses[slot].iter().filter(|u| u.defines).map(|u| u.block).collect();
            let live = self.live_in(&uses[slot]);
            let ty = self.candidates[slot].ty.unwrap_or(Type::I32);
            let mut placed: EntitySet<Block> = EntitySet::new();
            while let Some(b) = work.pop() {
                for &join in &frontiers[b] {
                    if live.contains(join) && placed.insert(join) {
                        let v = func.append_block_param(join, ty);
                        self.added[join].push((slot, v));
                        work.push(join);
                    }
                }
            }
        }
    }

    fn rename(&mut self, func: &mut Function) {
        let mut current: SecondaryMap<Slot, PackedOption<Value>> = SecondaryMap::new();
        let mut replaced: SecondaryMap<Value, PackedOption<Value>> = SecondaryMap::new();
        // Values loaded where another local variable was copied, until they are used.
        let mut copied: SecondaryMap<Value, PackedOption<Inst>> = SecondaryMap::new();
        // What a block changed, to be undone when its subtree is left.
        enum Step {
            Enter(Block),
            Leave(Vec<(Slot, PackedOption<Value>)>),
        }
        let mut stack: Vec<Step> = func.entry().map(Step::Enter).into_iter().collect();
        while let Some(step) = stack.pop() {
            let block = match step {
                Step::Enter(b) => b,
                Step::Leave(undo) => {
                    for (slot, old) in undo.into_iter().rev() {
                        current[slot] = old;
                    }
                    continue;
                }
            };
            let mut undo = Vec::new();
            let mut set = |current: &mut SecondaryMap<Slot, PackedOption<Value>>, slot: Slot, v: Value| {
                undo.push((slot, current[slot]));
                current[slot] = v.into();
            };
            for &(slot, v) in &self.added[block] {
                set(&mut current, slot, v);
            }
            let old = std::mem::take(&mut func.blocks[block].insts);
            let mut new = Vec::with_capacity(old.len());
            for inst in old {
                let loc = func.locs[inst].expand();
                match (self.access(func, inst), func.insts[inst].clone()) {
                    (Some(Access::Load(slot)), InstData::Load { ty, .. }) => {
                        if let (Some(v), Some(result)) = (current[slot].expand(), func.result(inst)) {
                            if let Some(load) = copied[v].take() {
                                used_at(func, load, loc);
                            }
                            let v = convert(func, &mut new, v, ty, loc);
                            replaced[result] = v.into();
                        }
                    }
                    (Some(Access::Store(slot)), InstData::Store { value, .. }) => {
                        set(&mut current, slot, value);
                    }
                    (Some(Access::CopyIn(slot)), InstData::MemCopy { flags, src, src_site, .. }) => {
                        let ty = self.candidates[slot].ty.unwrap_or(Type::I32);
                        let load = InstData::Load { ty, flags, ptr: src, site: src_site };
                        let load = func.make_inst(load, &[ty], loc);
                        new.push(load);
                        let value = func.inst_results(load)[0];
                        if slot_of(func, src).is_some() {
                            copied[value] = load.into();
                        }
                        set(&mut current, slot, value);
                    }
                    (Some(Access::CopyOut(slot)), InstData::MemCopy { flags, dst, dst_site, .. }) => {
                        if let Some(value) = current[slot].expand() {
                            let store = InstData::Store { flags, value, ptr: dst, site: dst_site };
                            new.push(func.make_inst(store, &[], loc));
                        }
                    }
                    (Some(Access::CopyBetween(d, s)), _) => {
                        if let Some(v) = current[s].expand() {
                            let ty = self.candidates[d].ty.unwrap_or(Type::I32);
                            let converted = convert(func, &mut new, v, ty, loc);
                            if converted != v {
                                copied[converted] = copied[v].take().into();
                            }
                            set(&mut current, d, converted);
                        }
                    }
                    (Some(Access::Kill(_)), _) => {}
                    _ => new.push(inst),
                }
            }
            func.blocks[block].insts = new;
            let mut targets = func.successors(block);
            targets.sort_unstable();
            targets.dedup();
            for t in targets {
                for i in 0..self.added[t].len() {
                    let (slot, param) = self.added[t][i];
                    // Where the variable is live it is assigned on every path: there is a value.
                    if let Some(v) = current[slot].expand() {
                        let ty = func.value_type(param);
                        let at = func.blocks[block].insts.len().saturating_sub(1);
                        let v = convert_at(func, block, at, v, ty);
                        append_edge_arg(func, block, t, v);
                    }
                }
            }
            stack.push(Step::Leave(undo));
            let children: Vec<Block> = self.dom.children(block).collect();
            stack.extend(children.into_iter().rev().map(Step::Enter));
        }
        func.replace_uses(&replaced);
    }
}

/// A load that a copy from a local variable became is told of where its value is used first: that the variable was
/// not written is no fault of the copy, and nothing else can be wrong with it there.
fn used_at(func: &mut Function, load: Inst, loc: Option<Loc>) {
    if loc.is_none() {
        return;
    }
    func.locs[load] = loc.into();
    let fresh = func.make_site(loc);
    let mut data = func.insts[load].clone();
    data.map_sites(|_| fresh);
    func.insts[load] = data;
}

/// `v` as `ty`: pointers change their space, other types their reading of the bits.
fn convert(func: &mut Function, insts: &mut Vec<Inst>, v: Value, ty: Type, loc: Option<Loc>) -> Value {
    let Some(op) = conversion(func.value_type(v), ty) else { return v };
    let inst = func.make_inst(InstData::Cast { op, ty, arg: v }, &[ty], loc);
    insts.push(inst);
    func.inst_results(inst)[0]
}

/// `v` as an argument for a parameter of type `ty`, converted before position `at` if need be.
fn convert_at(func: &mut Function, block: Block, at: usize, v: Value, ty: Type) -> Value {
    let from = func.value_type(v);
    // A pointer of a known space may be passed for a generic one.
    if from.is_ptr() && ty == Type::GENERIC_PTR {
        return v;
    }
    let Some(op) = conversion(from, ty) else { return v };
    super::util::insert_before(func, block, at, InstData::Cast { op, ty, arg: v }, ty, None)
}

/// Loads whose only use is that their result is stored, and where.
fn stored_loads(func: &Function) -> SecondaryMap<Inst, PackedOption<Value>> {
    let mut uses: SecondaryMap<Value, u32> = SecondaryMap::new();
    for &inst in func.layout.iter().flat_map(|&b| func.block_insts(b)) {
        func.for_each_arg(inst, |v| uses[v] += 1);
    }
    let mut stored = SecondaryMap::new();
    for &inst in func.layout.iter().flat_map(|&b| func.block_insts(b)) {
        if let InstData::Store { value, ptr, .. } = func.insts[inst]
            && uses[value] == 1
            && let ValueDef::Result(load, _) = func.values[value].def
            && matches!(func.insts[load], InstData::Load { .. })
        {
            stored[load] = ptr.into();
        }
    }
    stored
}

fn is_call(data: &InstData) -> bool {
    matches!(
        data,
        InstData::Call { .. }
            | InstData::CallIndirect { .. }
            | InstData::Invoke { .. }
            | InstData::InvokeIndirect { .. }
    )
}

fn conversion(from: Type, to: Type) -> Option<CastOp> {
    if from == to {
        None
    } else if from.is_ptr() && to.is_ptr() {
        Some(CastOp::Spacecast)
    } else {
        Some(CastOp::Bitcast)
    }
}
