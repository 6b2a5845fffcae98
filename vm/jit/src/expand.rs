//! A kernel is rewritten before it is compiled: pointers that are members of its parameters become parameters, copies and fills of a
//! few bytes become loads and stores, and variables in memory that are written once become values.
//!
//! A copy takes what is uninitialised along, and a load does not: there compiled code gives up, as anywhere else.

use crate::lifetimes::{accessed_outside, marked};
use cranelift_entity::SecondaryMap;
use cudair_ir::cfg::Cfg;
use cudair_ir::dom::DomTree;
use cudair_ir::*;
use rustc_hash::FxHashMap;

/// Pieces of a copy or a fill, at most.
const MOST: u64 = 64;

/// A pointer in the memory of a parameter that is passed by value: the parameter's number, and bytes from its start.
pub type Member = (u32, u32);

/// The kernel that is compiled in place of this one, if it is another, and the members that are parameters of it behind the usual ones.
pub(crate) fn rewritten(func: &Function) -> Option<(Function, Vec<Member>)> {
    let in_memory = |&inst: &Inst| {
        matches!(
            func.insts[inst],
            InstData::SlotAddr { .. }
                | InstData::MemCopy { .. }
                | InstData::MemFill { .. }
                | InstData::Load { ty: Type::I128 | Type::Ptr(_), .. }
        )
    };
    let mut insts = func.layout.iter().flat_map(|&block| func.block_insts(block));
    if !insts.any(in_memory) {
        return None;
    }
    let mut out = Rewriter { func: func.clone(), units: units(func), wide: FxHashMap::default() };
    out.find_wide();
    // What is loaded is known before it is stored.
    for &block in Cfg::new(func).rpo() {
        out.block(block);
    }
    let mut func = out.func;
    promote(&mut func);
    let members = hoist_members(&mut func);
    Some((func, members))
}

/// Makes parameters of pointers that are loaded from parameters passed by value: nobody writes these while the kernel runs.
fn hoist_members(func: &mut Function) -> Vec<Member> {
    let Some(entry) = func.entry() else { return Vec::new() };
    let mut members: Vec<(Member, Value)> = Vec::new();
    let mut map: SecondaryMap<Value, PackedOption<Value>> = SecondaryMap::new();
    let mut gone = EntitySet::new();
    for block in func.layout.clone() {
        for inst in func.block_insts(block).to_vec() {
            let InstData::Load { ptr, ty: ty @ Type::Ptr(_), flags, .. } = func.insts[inst] else { continue };
            let Some(v) = func.result(inst).filter(|_| !flags.volatile) else { continue };
            let Some(member) = member(func, ptr).filter(|(_, at)| at % 8 == 0) else { continue };
            let known = members.iter().find(|(m, p)| *m == member && func.value_type(*p) == ty);
            let param = match known {
                Some(&(_, param)) => param,
                None => {
                    let param = func.append_block_param(entry, ty);
                    members.push((member, param));
                    param
                }
            };
            map[v] = Some(param).into();
            gone.insert(inst);
        }
    }
    for block in func.layout.clone() {
        func.blocks[block].insts.retain(|&inst| !gone.contains(inst));
    }
    func.replace_uses(&map);
    members.into_iter().map(|(member, _)| member).collect()
}

/// The place in the memory of a parameter to which a pointer points, where eight bytes from there on are inside.
fn member(func: &Function, ptr: Value) -> Option<Member> {
    let (start, Some(at)) = func.pointer_start(ptr) else { return None };
    let n = func.block_params(func.entry()?).iter().position(|&p| p == start)?;
    let ParamAttr::ByVal { size, .. } = func.sig.params.get(n)?.attr else { return None };
    (0..=i64::from(size) - 8).contains(&at).then_some((n as u32, at as u32))
}

/// The variable that a pointer points into, as far as its computation tells.
fn slot_of(func: &Function, ptr: Value) -> Option<Slot> {
    match func.insts[func.def_inst(func.pointer_start(ptr).0)?] {
        InstData::SlotAddr { slot } => Some(slot),
        _ => None,
    }
}

/// By variable: bytes of the narrowest load or store of a number.
fn units(func: &Function) -> FxHashMap<Slot, u64> {
    let mut out = FxHashMap::default();
    for &inst in func.layout.iter().flat_map(|&block| func.block_insts(block)) {
        let (ptr, ty) = match func.insts[inst] {
            InstData::Load { ptr, ty, .. } => (ptr, ty),
            InstData::Store { ptr, value, .. } => (ptr, func.value_type(value)),
            _ => continue,
        };
        if let Some(slot) = slot_of(func, ptr).filter(|_| ty != Type::I128) {
            let least = out.entry(slot).or_insert(8);
            *least = u64::from(ty.mem_bytes()).min(*least);
        }
    }
    out
}

struct Rewriter {
    func: Function,
    units: FxHashMap<Slot, u64>,
    /// Values of 128 bits that are only loaded and stored: bytes of each piece, and the pieces once they are loaded.
    wide: FxHashMap<Value, (u64, Vec<Value>)>,
}

impl Rewriter {
    /// Bytes of the pieces in which memory behind these pointers is copied.
    fn unit(&self, pointers: &[Value], flags: MemFlags) -> u64 {
        let of = |&ptr: &Value| slot_of(&self.func, ptr).and_then(|slot| self.units.get(&slot).copied());
        pointers.iter().filter_map(of).fold(8.min(u64::from(flags.align())), u64::min)
    }

    /// Finds the values of 128 bits that are only loaded and stored.
    fn find_wide(&mut self) {
        let func = &self.func;
        let mut loads = Vec::new();
        let mut uses: FxHashMap<Value, (u32, Vec<(Value, MemFlags)>)> = FxHashMap::default();
        for &inst in func.layout.iter().flat_map(|&block| func.block_insts(block)) {
            func.for_each_arg(inst, |v| {
                if func.value_type(v) == Type::I128 {
                    uses.entry(v).or_default().0 += 1;
                }
            });
            match func.insts[inst] {
                InstData::Load { ty: Type::I128, ptr, flags, .. } if !flags.volatile => {
                    loads.extend(func.result(inst).map(|v| (v, ptr, flags)));
                }
                InstData::Store { value, ptr, flags, .. } if !flags.volatile => {
                    if let Some(of) = uses.get_mut(&value) {
                        of.1.push((ptr, flags));
                    }
                }
                _ => {}
            }
        }
        for (v, ptr, flags) in loads {
            let (count, stores) = uses.remove(&v).unwrap_or_default();
            if count as usize == stores.len() {
                let all = stores.iter().copied().chain([(ptr, flags)]);
                let unit = all.map(|(ptr, flags)| self.unit(&[ptr], flags)).fold(8, u64::min);
                self.wide.insert(v, (unit, Vec::new()));
            }
        }
    }

    fn block(&mut self, block: Block) {
        let insts = std::mem::take(&mut self.func.blocks[block].insts);
        let mut out = Vec::with_capacity(insts.len());
        for &inst in &insts {
            if !self.replace(inst, &mut out) {
                out.push(inst);
            }
        }
        self.func.blocks[block].insts = out;
    }

    /// Whether an instruction is replaced, by those that are added.
    fn replace(&mut self, inst: Inst, out: &mut Vec<Inst>) -> bool {
        let loc = self.func.locs[inst].expand();
        match self.func.insts[inst] {
            InstData::MemCopy { flags, dst, src, len, dst_site, src_site } if !flags.volatile => {
                let unit = self.unit(&[dst, src], flags);
                let Some(pieces) = self.pieces(len, unit) else { return false };
                let mut values = Vec::with_capacity(pieces.len());
                for &(at, bytes) in &pieces {
                    values.push(self.load((src, at, bytes), flags, (src_site, loc), out));
                }
                for (&(at, _), value) in pieces.iter().zip(values) {
                    self.store((dst, at), value, flags, (dst_site, loc), out);
                }
            }
            InstData::MemFill { flags, dst, byte, len, site } if !flags.volatile => {
                let Some(byte) = self.func.const_bits(byte) else { return false };
                let unit = self.unit(&[dst], flags);
                let Some(pieces) = self.pieces(len, unit) else { return false };
                for &(at, bytes) in &pieces {
                    let ty = int_of(bytes);
                    let all = (byte as u64 & 0xff).wrapping_mul(0x0101_0101_0101_0101);
                    let bits = u128::from(all) & ty.bit_mask();
                    let value = self.push(InstData::Const { ty, bits }, ty, loc, out);
                    self.store((dst, at), value, flags, (site, loc), out);
                }
            }
            InstData::Load { flags, ptr, site, .. } => {
                let Some(v) = self.func.result(inst) else { return false };
                let Some(&(unit, _)) = self.wide.get(&v) else { return false };
                let mut values = Vec::new();
                for at in (0..16).step_by(unit as usize) {
                    values.push(self.load((ptr, at, unit), flags, (site, loc), out));
                }
                self.wide.insert(v, (unit, values));
            }
            InstData::Store { flags, value, ptr, site } => {
                let Some((unit, values)) = self.wide.get(&value).cloned() else { return false };
                if values.is_empty() {
                    return false;
                }
                for (n, value) in values.into_iter().enumerate() {
                    self.store((ptr, n as u64 * unit), value, flags, (site, loc), out);
                }
            }
            _ => return false,
        }
        true
    }

    /// Offsets and bytes of the pieces of so many bytes, if these are known and few.
    fn pieces(&self, len: Value, unit: u64) -> Option<Vec<(u64, u64)>> {
        let len = u64::try_from(self.func.const_bits(len)?).ok()?;
        let mut out = Vec::new();
        let (mut at, mut unit) = (0, unit);
        while at < len {
            while at + unit > len {
                unit /= 2;
            }
            out.push((at, unit));
            at += unit;
            if out.len() as u64 > MOST {
                return None;
            }
        }
        Some(out)
    }

    fn push(&mut self, data: InstData, ty: Type, loc: Option<Loc>, out: &mut Vec<Inst>) -> Value {
        let inst = self.func.make_inst(data, &[ty], loc);
        out.push(inst);
        self.func.inst_results(inst)[0]
    }

    /// A pointer to a piece, and what its access states: the first one what all of them did, the others what follows from that.
    fn piece(
        &mut self,
        (ptr, at): (Value, u64),
        flags: MemFlags,
        loc: Option<Loc>,
        out: &mut Vec<Inst>,
    ) -> (Value, MemFlags) {
        if at == 0 {
            return (ptr, flags);
        }
        let offset = self.push(InstData::Const { ty: Type::I64, bits: at.into() }, Type::I64, loc, out);
        let ty = self.func.value_type(ptr);
        let ptr = self.push(InstData::PtrAdd { ptr, offset }, ty, loc, out);
        let align_log2 = flags.align_log2.min(at.trailing_zeros() as u8);
        (ptr, MemFlags { align_log2, ..flags })
    }

    fn load(
        &mut self,
        (ptr, at, bytes): (Value, u64, u64),
        flags: MemFlags,
        (site, loc): (Site, Option<Loc>),
        out: &mut Vec<Inst>,
    ) -> Value {
        let (ptr, flags) = self.piece((ptr, at), flags, loc, out);
        let ty = int_of(bytes);
        self.push(InstData::Load { ty, flags, ptr, site }, ty, loc, out)
    }

    fn store(
        &mut self,
        (ptr, at): (Value, u64),
        value: Value,
        flags: MemFlags,
        (site, loc): (Site, Option<Loc>),
        out: &mut Vec<Inst>,
    ) {
        let (ptr, flags) = self.piece((ptr, at), flags, loc, out);
        let inst = self.func.make_inst(InstData::Store { flags, value, ptr, site }, &[], loc);
        out.push(inst);
    }
}

/// The integers of so many bytes, which are 1, 2, 4 or 8.
fn int_of(bytes: u64) -> Type {
    match bytes {
        1 => Type::I8,
        2 => Type::I16,
        4 => Type::I32,
        _ => Type::I64,
    }
}

/// The load from the memory of a parameter that gives a value: the same load gives it anywhere else, too.
fn parameter_load(func: &Function, v: Value) -> Option<(MemFlags, Value, Site)> {
    let InstData::Load { flags, ptr, site, .. } = func.insts[func.def_inst(v)?] else { return None };
    (member(func, ptr).is_some() && !flags.volatile).then_some((flags, ptr, site))
}

/// What is done with a variable whose every access is a load or a store of all of it.
#[derive(Default)]
struct Accesses {
    stores: Vec<(Inst, Value)>,
    loads: Vec<(Inst, Value)>,
    lives: Vec<Inst>,
}

/// Makes values of variables that one store writes, as a whole, before each load on all ways: loads give what was stored (single-store
/// promotion, as in LLVM's `PromoteMemoryToRegister`).
fn promote(func: &mut Function) {
    let cfg = Cfg::new(func);
    let dom = DomTree::new(&cfg);
    let slot = |func: &Function, v: Value| match func.insts[func.def_inst(v)?] {
        InstData::SlotAddr { slot } => Some(slot),
        _ => None,
    };
    let mut all: FxHashMap<Slot, Accesses> = FxHashMap::default();
    let mut others = EntitySet::new();
    for &block in &func.layout {
        for &inst in func.block_insts(block) {
            let whole = |slot: Slot, bytes: u32| bytes == func.slots[slot].size && cfg.is_reachable(block);
            let accessed = match func.insts[inst] {
                InstData::Load { flags, ptr, .. } if !flags.volatile => {
                    func.result(inst).zip(slot(func, ptr))
                }
                InstData::Store { flags, ptr, value, .. }
                    if !flags.volatile && slot(func, value).is_none() =>
                {
                    slot(func, ptr).map(|slot| (value, slot))
                }
                _ => None,
            };
            match accessed {
                Some((v, slot)) if whole(slot, func.value_type(v).mem_bytes()) => {
                    let of = all.entry(slot).or_default();
                    let is_load = matches!(func.insts[inst], InstData::Load { .. });
                    if is_load { of.loads.push((inst, v)) } else { of.stores.push((inst, v)) }
                }
                _ => func.for_each_arg(inst, |v| {
                    if let Some(slot) = slot(func, v) {
                        others.insert(slot);
                    }
                }),
            }
            if let InstData::Lifetime { op: LifetimeOp::Live, slot } = func.insts[inst] {
                all.entry(slot).or_default().lives.push(inst);
            }
        }
    }
    let outside = accessed_outside(func, &cfg, |inst| match func.insts[inst] {
        InstData::Load { ptr, .. } | InstData::Store { ptr, .. } => slot(func, ptr),
        _ => None,
    });
    let marked = marked(func);
    let mut places: SecondaryMap<Inst, (Option<Block>, usize)> = SecondaryMap::new();
    for &block in &func.layout {
        for (at, &inst) in func.block_insts(block).iter().enumerate() {
            places[inst] = (Some(block), at);
        }
    }
    let before = |a: Inst, b: Inst| match (places[a], places[b]) {
        ((Some(x), m), (Some(y), n)) if x == y => m < n,
        ((Some(x), _), (Some(y), _)) => dom.dominates(x, y),
        _ => false,
    };
    let mut gone = EntitySet::new();
    let mut others_of: Vec<(Inst, InstData)> = Vec::new();
    let mut map: SecondaryMap<Value, PackedOption<Value>> = SecondaryMap::new();
    for (&slot, of) in &all {
        let &[(store, value)] = of.stores.as_slice() else { continue };
        let begins = match of.lives.as_slice() {
            [] => !marked.contains(slot),
            &[live] => before(live, store),
            _ => false,
        };
        let from = func.value_type(value);
        let fits = |&(load, v): &(Inst, Value)| {
            let to = func.value_type(v);
            let same_bits =
                |a: Type, b: Type| matches!((a, b), (Type::I32, Type::F32) | (Type::I64, Type::F64));
            let reloads = from == Type::I64 && to.is_ptr() && parameter_load(func, value).is_some();
            before(store, load) && (from == to || same_bits(from, to) || same_bits(to, from) || reloads)
        };
        if !begins || others.contains(slot) || outside.contains(slot) || !of.loads.iter().all(fits) {
            continue;
        }
        gone.insert(store);
        for &(load, v) in &of.loads {
            if func.value_type(v) == from {
                gone.insert(load);
                map[v] = Some(value).into();
            } else {
                let ty = func.value_type(v);
                let data = match parameter_load(func, value).filter(|_| ty.is_ptr()) {
                    Some((flags, ptr, site)) => InstData::Load { ty, flags, ptr, site },
                    None => InstData::Cast { op: CastOp::Bitcast, ty, arg: value },
                };
                others_of.push((load, data));
            }
        }
    }
    for (load, data) in others_of {
        func.insts[load] = data;
    }
    for block in func.layout.clone() {
        func.blocks[block].insts.retain(|&inst| !gone.contains(inst));
    }
    func.replace_uses(&map);
}
