//! Scalar replacement: a struct or array whose address goes nowhere and that is accessed only at constant
//! offsets is split into its members.
//!
//! The variable is cut where its typed accesses begin and end; accesses that overlap share a piece, and
//! what no access touches (padding, members that are only copied) is a piece of its own. Copies and fills
//! are cut at the same offsets and stay copies, because copying bytes that were never written is no
//! fault: whether a member then becomes a value is for [`super::promote`] to decide. Copies between two
//! variables that are both split carry their cuts over to each other, so that the pieces match.
//!
//! An access outside of the variable, one that may be misaligned, or a volatile one leaves it whole.

use super::util::remove_unreachable;
use cudair_ir::*;
use rustc_hash::FxHashMap;

/// What cannot be: a variable was taken apart although what fills or copies it is not a constant.
const VARIABLE_PARTS: &str = "a part of a variable of another size than a constant";

/// Variables above this size stay whole.
const MAX_BYTES: u32 = 1024;
/// Variables that would fall into more pieces stay whole.
const MAX_PIECES: usize = 64;
/// Variables that are only copied are cut into words up to this number.
const MAX_WORDS: u32 = 8;
/// Rounds of carrying cuts over from one variable to another.
const MAX_ROUNDS: usize = 32;

/// A pointer to a constant offset inside of a variable.
#[derive(Clone, Copy, Debug)]
struct Place {
    slot: Slot,
    offset: i64,
}

/// A piece of a variable.
#[derive(Clone, Copy, Debug)]
struct Piece {
    start: u32,
    end: u32,
    slot: Slot,
    /// The type of a store that fills it, if all typed accesses agree.
    ty: Option<Type>,
}

/// Splits what can be split. Gives whether anything was.
pub fn run(func: &mut Function) -> bool {
    if func.attrs.returns_twice || func.slots.is_empty() {
        return false;
    }
    remove_unreachable(func);
    let places = find_places(func);
    let mut s = Splitter { places, ..Splitter::default() };
    s.select(func);
    s.cut(func);
    if s.pieces.is_empty() {
        return false;
    }
    s.rewrite(func);
    true
}

/// The values that point to a constant offset of a variable.
fn find_places(func: &Function) -> FxHashMap<Value, Place> {
    let mut places: FxHashMap<Value, Place> = FxHashMap::default();
    // Definitions come before uses in reverse postorder, parameters of blocks are no places.
    for &block in Cfg::new(func).rpo() {
        for &inst in func.block_insts(block) {
            let place = match func.insts[inst] {
                InstData::SlotAddr { slot } => Some(Place { slot, offset: 0 }),
                InstData::PtrAdd { ptr, offset } => match (places.get(&ptr), func.const_int(offset)) {
                    (Some(p), Some(o)) => p.offset.checked_add(o).map(|offset| Place { offset, ..*p }),
                    _ => None,
                },
                InstData::Cast { op: CastOp::Spacecast, arg, .. } => places.get(&arg).copied(),
                _ => None,
            };
            if let (Some(place), Some(result)) = (place, func.result(inst)) {
                places.insert(result, place);
            }
        }
    }
    places
}

#[derive(Default)]
struct Splitter {
    places: FxHashMap<Value, Place>,
    /// Variables that must stay whole.
    whole: EntitySet<Slot>,
    /// Typed accesses of each variable: start, end, type.
    typed: SecondaryMap<Slot, Vec<(u32, u32, Option<Type>)>>,
    /// Variables that are copied.
    copied: EntitySet<Slot>,
    /// Copies between two variables: destination, its offset, source, its offset, length.
    between: Vec<(Slot, u32, Slot, u32, u32)>,
    /// The pieces of the variables that are split, in order.
    pieces: FxHashMap<Slot, Vec<Piece>>,
}

impl Splitter {
    fn place(&self, v: Value) -> Option<Place> {
        self.places.get(&v).copied()
    }

    /// The range of an access to a variable; the variable stays whole if it does not fit.
    fn range(&mut self, func: &Function, p: Place, bytes: i64, flags: MemFlags) -> Option<(u32, u32)> {
        let s = &func.slots[p.slot];
        let aligned =
            flags.align_log2 <= s.align_log2 && p.offset.trailing_zeros() >= u32::from(flags.align_log2);
        let end = p.offset.checked_add(bytes);
        let inside = p.offset >= 0 && bytes >= 0 && end.is_some_and(|e| e <= i64::from(s.size));
        if !aligned || !inside || flags.volatile {
            self.whole.insert(p.slot);
            return None;
        }
        Some((p.offset as u32, (p.offset + bytes) as u32))
    }

    fn access(&mut self, func: &Function, p: Place, ty: Type, flags: MemFlags) {
        if let Some((start, end)) = self.range(func, p, ty.mem_bytes().into(), flags) {
            self.typed[p.slot].push((start, end, Some(ty)));
        }
    }

    fn escape(&mut self, v: Value) {
        if let Some(p) = self.place(v) {
            self.whole.insert(p.slot);
        }
    }

    fn select(&mut self, func: &Function) {
        for (slot, s) in &func.slots {
            if s.size > MAX_BYTES {
                self.whole.insert(slot);
            }
        }
        for &block in &func.layout {
            for &inst in func.block_insts(block) {
                match func.insts[inst] {
                    InstData::Load { ty, flags, ptr, .. } => {
                        if let Some(p) = self.place(ptr) {
                            self.access(func, p, ty, flags);
                        }
                    }
                    InstData::Store { flags, value, ptr, .. } => {
                        self.escape(value);
                        if let Some(p) = self.place(ptr) {
                            self.access(func, p, func.value_type(value), flags);
                        }
                    }
                    InstData::MemCopy { flags, dst, src, len, .. } => {
                        let bytes = func.const_int(len).unwrap_or(-1);
                        let to = self.place(dst).map(|p| (p.slot, self.range(func, p, bytes, flags)));
                        let from = self.place(src).map(|p| (p.slot, self.range(func, p, bytes, flags)));
                        for (slot, _) in [to, from].into_iter().flatten() {
                            self.copied.insert(slot);
                        }
                        if let (Some((d, Some((ds, de)))), Some((s, Some((ss, _))))) = (to, from) {
                            if d == s {
                                self.whole.insert(d);
                            } else {
                                self.between.push((d, ds, s, ss, de - ds));
                            }
                        }
                    }
                    InstData::MemFill { flags, dst, byte, len, .. } => {
                        if let Some(p) = self.place(dst) {
                            let bytes = func.const_int(len).unwrap_or(-1);
                            self.range(func, p, bytes, flags);
                            if func.const_bits(byte).is_none() {
                                self.whole.insert(p.slot);
                            }
                        }
                    }
                    InstData::PtrAdd { ptr, offset } => {
                        let known = func.result(inst).is_some_and(|r| self.places.contains_key(&r));
                        if !known {
                            self.escape(ptr);
                        }
                        self.escape(offset);
                    }
                    InstData::Cast { op: CastOp::Spacecast, .. } | InstData::Lifetime { .. } => {}
                    _ => func.for_each_arg(inst, |v| {
                        if let Some(p) = self.places.get(&v) {
                            self.whole.insert(p.slot);
                        }
                    }),
                }
            }
        }
    }

    /// Merges the accesses of a variable into ranges that do not overlap.
    fn merged(&self, slot: Slot) -> Vec<(u32, u32, Option<Type>)> {
        let mut ranges = self.typed[slot].clone();
        ranges.sort_unstable_by_key(|r| (r.0, r.1));
        let mut out: Vec<(u32, u32, Option<Type>)> = Vec::new();
        for r in ranges {
            match out.last_mut() {
                Some(last) if r.0 < last.1 => {
                    if (last.0, last.1) == (r.0, r.1) {
                        last.2 = match (last.2, r.2) {
                            (Some(a), Some(b)) if a == b => Some(a),
                            _ => None,
                        };
                    } else {
                        last.1 = last.1.max(r.1);
                        last.2 = None;
                    }
                }
                _ => out.push(r),
            }
        }
        out
    }

    /// Decides the pieces and makes their variables.
    fn cut(&mut self, func: &mut Function) {
        // Carry ranges over copies, both ways, until nothing new appears.
        for round in 0.. {
            let mut changed = false;
            for (d, ds, s, ss, len) in self.between.clone() {
                if self.whole.contains(d) || self.whole.contains(s) {
                    continue;
                }
                for (from, from_at, to, to_at) in [(s, ss, d, ds), (d, ds, s, ss)] {
                    for (start, end, ty) in self.merged(from) {
                        if end <= from_at || start >= from_at + len {
                            continue;
                        }
                        if start < from_at || end > from_at + len {
                            // The copy moves a part of what is accessed as one.
                            continue;
                        }
                        let moved = (start - from_at + to_at, end - from_at + to_at, ty);
                        if !self.merged(to).iter().any(|r| r.0 <= moved.0 && moved.1 <= r.1) {
                            self.typed[to].push(moved);
                            changed = true;
                        }
                    }
                }
            }
            if !changed || round >= MAX_ROUNDS {
                break;
            }
        }
        for slot in func.slots.keys().collect::<Vec<_>>() {
            let data = func.slots[slot].clone();
            let mut ranges = self.merged(slot);
            if ranges.is_empty() && self.copied.contains(slot) {
                ranges = words(data.size, data.align_log2);
            }
            if self.whole.contains(slot) || ranges.is_empty() || data.size == 0 {
                continue;
            }
            let mut all: Vec<(u32, u32, Option<Type>)> = Vec::new();
            let mut at = 0;
            for r in ranges {
                if r.0 > at {
                    all.push((at, r.0, None));
                }
                at = r.1;
                all.push(r);
            }
            if at < data.size {
                all.push((at, data.size, None));
            }
            if all.len() > MAX_PIECES {
                continue;
            }
            if let [(start, end, ty)] = all[..] {
                // A scalar already. Accesses through offsets and casts become plain all the same.
                self.pieces.insert(slot, vec![Piece { start, end, slot, ty }]);
                continue;
            }
            let pieces = all
                .into_iter()
                .map(|(start, end, ty)| {
                    let align_log2 = data.align_log2.min(start.trailing_zeros().min(31) as u8);
                    let (offset, whole) = data.part.unwrap_or((0, data.size));
                    let part = Some((offset + start, whole));
                    let slot =
                        func.slots.push(SlotData { size: end - start, align_log2, part, ..data.clone() });
                    Piece { start, end, slot, ty }
                })
                .collect();
            self.pieces.insert(slot, pieces);
        }
    }

    fn rewrite(&mut self, func: &mut Function) {
        for b in 0..func.layout.len() {
            let block = func.layout[b];
            let old = std::mem::take(&mut func.blocks[block].insts);
            let mut new = Vec::with_capacity(old.len());
            for inst in old {
                self.rewrite_inst(func, inst, &mut new);
            }
            func.blocks[block].insts = new;
        }
    }

    /// The pieces of the variable that `v` points into, and the offset.
    fn split(&self, v: Value) -> Option<(&[Piece], u32)> {
        let p = self.places.get(&v)?;
        Some((self.pieces.get(&p.slot)?, p.offset as u32))
    }

    fn rewrite_inst(&self, func: &mut Function, inst: Inst, out: &mut Vec<Inst>) {
        let loc = func.locs[inst].expand();
        match func.insts[inst].clone() {
            InstData::Load { ptr, .. } | InstData::Store { ptr, .. } => {
                if let Some((pieces, offset)) = self.split(ptr) {
                    let piece = pieces.iter().find(|p| p.start <= offset && offset < p.end);
                    if let Some(p) = piece {
                        let addr = address(func, out, p.slot, offset - p.start, loc);
                        // The split has shown the access aligned in the whole variable; the piece may
                        // start at a less aligned place in it.
                        let most = func.slots[p.slot].align_log2;
                        if let InstData::Load { ptr, flags, .. } | InstData::Store { ptr, flags, .. } =
                            &mut func.insts[inst]
                        {
                            *ptr = addr;
                            flags.align_log2 = flags.align_log2.min(most);
                        }
                    }
                }
                out.push(inst);
            }
            InstData::Lifetime { op, slot } => match self.pieces.get(&slot) {
                Some(pieces) => {
                    for p in pieces {
                        out.push(func.make_inst(InstData::Lifetime { op, slot: p.slot }, &[], loc));
                    }
                }
                None => out.push(inst),
            },
            InstData::MemCopy { flags, dst, src, len, dst_site, src_site } => {
                let (to, from) = (self.split(dst), self.split(src));
                if to.is_none() && from.is_none() {
                    out.push(inst);
                    return;
                }
                let Some(len) = func.const_int(len) else { unreachable!("{VARIABLE_PARTS}") };
                let len = len as u32;
                // Cut where either side is cut.
                let mut cuts: Vec<u32> = vec![0, len];
                for (pieces, offset) in [to, from].into_iter().flatten() {
                    let inner = pieces.iter().map(|p| p.start).filter(|&s| s > offset && s < offset + len);
                    cuts.extend(inner.map(|s| s - offset));
                }
                cuts.sort_unstable();
                cuts.dedup();
                for w in cuts.windows(2) {
                    let (at, n) = (w[0], w[1] - w[0]);
                    let d = side(func, out, to, dst, at, loc);
                    let s = side(func, out, from, src, at, loc);
                    // A piece may start where the whole was less aligned than its start.
                    let piece = |(pieces, offset): (&[Piece], u32)| {
                        let holds = |p: &&Piece| p.start <= offset + at && offset + at < p.end;
                        match pieces.iter().find(holds) {
                            Some(p) => func.slots[p.slot].align_log2,
                            None => unreachable!("no piece of a variable holds byte {}", offset + at),
                        }
                    };
                    let pieces = [to, from].into_iter().flatten().map(|(p, o)| piece((p, o))).min();
                    let align_log2 = flags
                        .align_log2
                        .min(at.trailing_zeros().min(31) as u8)
                        .min(pieces.unwrap_or(u8::MAX));
                    let flags = MemFlags { align_log2, ..flags };
                    let len = constant(func, out, Type::I64, u128::from(n), loc);
                    let copy = InstData::MemCopy { flags, dst: d, src: s, len, dst_site, src_site };
                    out.push(func.make_inst(copy, &[], loc));
                }
            }
            InstData::MemFill { flags, dst, byte, len, site } => {
                let Some((pieces, offset)) = self.split(dst) else {
                    out.push(inst);
                    return;
                };
                let Some(len) = func.const_int(len) else { unreachable!("{VARIABLE_PARTS}") };
                let len = len as u32;
                let Some(bits) = func.const_bits(byte) else { unreachable!("{VARIABLE_PARTS}") };
                for p in pieces.iter().filter(|p| p.end > offset && p.start < offset + len) {
                    let (start, end) = (p.start.max(offset), p.end.min(offset + len));
                    let ptr = address(func, out, p.slot, start - p.start, loc);
                    let whole = (start, end) == (p.start, p.end);
                    // A pointer has no bits that a fill could set, but null.
                    let scalar = p.ty.filter(|t| whole && *t != Type::F80 && *t != Type::I1);
                    if let Some(ty) = scalar.filter(|t| !t.is_ptr() || bits == 0) {
                        let bits = (0..ty.mem_bytes()).fold(0u128, |x, _| x << 8 | bits);
                        let value = constant(func, out, ty, bits, loc);
                        let flags = MemFlags::natural(ty);
                        let align_log2 = flags.align_log2.min(func.slots[p.slot].align_log2);
                        let flags = MemFlags { align_log2, ..flags };
                        out.push(func.make_inst(InstData::Store { flags, value, ptr, site }, &[], loc));
                    } else {
                        let align_log2 = flags
                            .align_log2
                            .min((start - offset).trailing_zeros().min(31) as u8)
                            .min(func.slots[p.slot].align_log2);
                        let flags = MemFlags { align_log2, ..flags };
                        let len = constant(func, out, Type::I64, u128::from(end - start), loc);
                        let fill = InstData::MemFill { flags, dst: ptr, byte, len, site };
                        out.push(func.make_inst(fill, &[], loc));
                    }
                }
            }
            _ => out.push(inst),
        }
    }
}

/// The words of a small variable that is copied as a whole.
fn words(size: u32, align_log2: u8) -> Vec<(u32, u32, Option<Type>)> {
    let word = 1u32 << align_log2.min(3);
    if word < 4 || !size.is_multiple_of(word) || size > MAX_WORDS * word {
        return Vec::new();
    }
    (0..size / word).map(|n| (n * word, (n + 1) * word, None)).collect()
}

fn constant(func: &mut Function, out: &mut Vec<Inst>, ty: Type, bits: u128, loc: Option<Loc>) -> Value {
    let inst = func.make_inst(InstData::Const { ty, bits: bits & ty.bit_mask() }, &[ty], loc);
    out.push(inst);
    func.inst_results(inst)[0]
}

/// The address of a byte of a variable.
fn address(func: &mut Function, out: &mut Vec<Inst>, slot: Slot, offset: u32, loc: Option<Loc>) -> Value {
    let ty = Type::Ptr(func.slots[slot].space);
    let inst = func.make_inst(InstData::SlotAddr { slot }, &[ty], loc);
    out.push(inst);
    let base = func.inst_results(inst)[0];
    advance(func, out, base, offset, loc)
}

fn advance(func: &mut Function, out: &mut Vec<Inst>, ptr: Value, by: u32, loc: Option<Loc>) -> Value {
    if by == 0 {
        return ptr;
    }
    let offset = constant(func, out, Type::I64, u128::from(by), loc);
    let ty = func.value_type(ptr);
    let inst = func.make_inst(InstData::PtrAdd { ptr, offset }, &[ty], loc);
    out.push(inst);
    func.inst_results(inst)[0]
}

/// The address of byte `at` of one side of a copy.
fn side(
    func: &mut Function,
    out: &mut Vec<Inst>,
    split: Option<(&[Piece], u32)>,
    ptr: Value,
    at: u32,
    loc: Option<Loc>,
) -> Value {
    let Some((pieces, offset)) = split else { return advance(func, out, ptr, at, loc) };
    let byte = offset + at;
    match pieces.iter().find(|p| p.start <= byte && byte < p.end) {
        Some(p) => address(func, out, p.slot, byte - p.start, loc),
        None => advance(func, out, ptr, at, loc),
    }
}
