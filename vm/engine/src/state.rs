//! The state of a program that stopped, in words: who is alive, where, with which variables, and what shared
//! memory holds. Bytes come in with their initialisation, so that `??` stands for what was never written.

use cudair_ir::{EntityRef, Function, GlobalId, InstData, Loc, Module, Type, Value};
use cudair_lane::ptr::{Ptr, Tag};
use cudair_memory::Memory;
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// A byte, or nothing where none was ever written.
pub(crate) type Byte = Option<u8>;

/// What memory is read and written as: the type of most accesses to a variable, which is what a reader takes it
/// for. The IR knows sizes only.
#[derive(Debug, Default)]
pub(crate) struct Guess {
    votes: Vec<(Type, u32)>,
}

impl Guess {
    fn vote(&mut self, ty: Type) {
        match self.votes.iter_mut().find(|v| v.0 == ty) {
            Some(v) => v.1 += 1,
            None => self.votes.push((ty, 1)),
        }
    }

    /// What a variable of `size` bytes is: one value, elements of one type, or nobody knows.
    fn best(&self, size: u64) -> Option<Type> {
        let whole = self.votes.iter().filter(|v| u64::from(v.0.access_bytes()) == size).max_by_key(|v| v.1);
        match (whole, self.votes.as_slice()) {
            (Some(v), _) => Some(v.0),
            (None, [one]) => Some(one.0),
            _ => None,
        }
    }
}

/// A variable that an address is derived from.
enum Root {
    Slot(usize),
    Global(GlobalId),
}

fn root(func: &Function, ptr: Value) -> Option<Root> {
    match func.insts[func.def_inst(func.pointer_start(ptr).0)?] {
        InstData::SlotAddr { slot } => Some(Root::Slot(slot.index())),
        InstData::GlobalAddr { global } => Some(Root::Global(global)),
        _ => None,
    }
}

/// The types that the variables of a function in memory are accessed as, and those of global ones.
pub(crate) fn guess(func: &Function) -> (FxHashMap<usize, Guess>, FxHashMap<GlobalId, Guess>) {
    let mut slots: FxHashMap<usize, Guess> = FxHashMap::default();
    let mut globals: FxHashMap<GlobalId, Guess> = FxHashMap::default();
    for inst in func.insts.values() {
        let (ty, ptr) = match *inst {
            InstData::Load { ty, ptr, .. } | InstData::AtomicLoad { ty, ptr, .. } => (ty, ptr),
            InstData::Store { value, ptr, .. }
            | InstData::AtomicStore { value, ptr, .. }
            | InstData::AtomicRmw { value, ptr, .. } => (func.values[value].ty, ptr),
            _ => continue,
        };
        match root(func, ptr) {
            Some(Root::Slot(n)) => slots.entry(n).or_default().vote(ty),
            Some(Root::Global(g)) => globals.entry(g).or_default().vote(ty),
            None => {}
        }
    }
    (slots, globals)
}

/// The type that most accesses to a shared variable have, in the whole program.
pub(crate) fn type_of_global(module: &Module, global: GlobalId, size: u64) -> Option<Type> {
    let mut all = Guess::default();
    for func in module.funcs.values() {
        for (ty, n) in guess(func).1.remove(&global).unwrap_or_default().votes {
            (0..n).for_each(|_| all.vote(ty));
        }
    }
    all.best(size)
}

/// The types of a function's variables in memory, by slot.
pub(crate) fn types_of_slots(func: &Function) -> FxHashMap<usize, Type> {
    let size = |n: usize| u64::from(func.slots[cudair_ir::Slot::new(n)].size);
    guess(func).0.into_iter().filter_map(|(n, g)| Some((n, g.best(size(n))?))).collect()
}

/// One value of a type.
fn value(memory: &Memory, ty: Type, bytes: &[Byte]) -> String {
    let Some(whole) = bytes.iter().copied().collect::<Option<Vec<u8>>>() else {
        if bytes.iter().all(Option::is_none) {
            return "??".to_owned();
        }
        return hex(bytes);
    };
    let bits = whole.iter().rev().fold(0u128, |w, &b| w << 8 | u128::from(b));
    match ty {
        Type::F32 => float(f64::from(f32::from_bits(bits as u32)), &f32::from_bits(bits as u32).to_string()),
        Type::F64 => float(f64::from_bits(bits as u64), &f64::from_bits(bits as u64).to_string()),
        Type::F16 => half::f16::from_bits(bits as u16).to_string(),
        Type::BF16 => half::bf16::from_bits(bits as u16).to_string(),
        Type::Ptr(_) => pointer(memory, Ptr(bits as u64)),
        Type::I1 => bits.to_string(),
        Type::I8 => (bits as u8 as i8).to_string(),
        Type::I16 => (bits as u16 as i16).to_string(),
        Type::I32 => (bits as u32 as i32).to_string(),
        Type::I64 => (bits as u64 as i64).to_string(),
        Type::I128 | Type::F80 => format!("{bits:#x}"),
    }
}

/// A float as short as it can be told apart.
fn float(wide: f64, short: &str) -> String {
    if wide != 0.0 && wide.is_finite() && !(1e-5..1e16).contains(&wide.abs()) {
        return format!("{wide:e}");
    }
    short.to_owned()
}

fn pointer(memory: &Memory, p: Ptr) -> String {
    if p.is_null() {
        return "null".to_owned();
    }
    match (memory.lookup(p), p.tag()) {
        (Some((start, size, _, kind)), _) => {
            let offset = p.0.wrapping_sub(start.0) as i64;
            format!("{offset} bytes into {size} bytes from {}", kind.allocator())
        }
        (None, Tag::Code) => format!("function {}", p.serial()),
        (None, _) => format!("{:#x}", p.0),
    }
}

fn hex(bytes: &[Byte]) -> String {
    let mut out = String::new();
    for (i, b) in bytes.iter().enumerate() {
        let sep = if i == 0 { "" } else { " " };
        let _ = match b {
            Some(b) => write!(out, "{sep}{b:02x}"),
            None => write!(out, "{sep}??"),
        };
    }
    out
}

/// What a variable holds, in a line if it is one value; an array's elements by row, rows of equal elements once.
pub(crate) fn contents(memory: &Memory, ty: Option<Type>, bytes: &[Byte], indent: &str) -> String {
    const COLUMNS: usize = 80;
    let width = ty.map_or(0, |t| t.access_bytes() as usize);
    let Some(ty) = ty.filter(|_| width > 0 && bytes.len().is_multiple_of(width)) else {
        // Nobody says what it is: bytes.
        return rows(bytes.chunks(16).map(|c| (c.len(), hex(c))).collect(), bytes.len() <= 16, indent);
    };
    if bytes.len() == width {
        return format!(" {}", value(memory, ty, bytes));
    }
    let items: Vec<String> = bytes.chunks(width).map(|b| value(memory, ty, b)).collect();
    let widest = items.iter().map(String::len).max().unwrap_or(1);
    let room = COLUMNS.saturating_sub(indent.len() + 10) / (widest + 1);
    // A power of two, so that rows start where a reader looks for them.
    let per_row = [32, 16, 8, 4, 2].into_iter().find(|&n| n <= room).unwrap_or(1);
    let lines = items.chunks(per_row).map(|row| {
        let row_text: Vec<String> = row.iter().map(|i| format!("{i:>widest$}")).collect();
        (row.len(), row_text.join(" "))
    });
    rows(lines.collect(), false, indent)
}

/// Rows with the index of their first element; equal rows one after the other are told once.
fn rows(lines: Vec<(usize, String)>, one: bool, indent: &str) -> String {
    if one {
        return format!(" {}", lines.first().map_or("", |l| l.1.as_str()));
    }
    let mut out = String::new();
    let mut at = 0;
    let mut i = 0;
    while i < lines.len() {
        let same = lines[i..].iter().take_while(|l| **l == lines[i]).count();
        let _ = write!(out, "\n{indent}[{at}] {}", lines[i].1);
        at += lines[i].0;
        if same > 2 {
            let skipped: usize = lines[i + 1..i + same].iter().map(|l| l.0).sum();
            let _ = write!(out, "\n{indent}... the same up to [{}]", at + skipped - 1);
            at += skipped;
            i += same;
        } else {
            i += 1;
        }
    }
    out
}

/// A source place as `file:line:column`.
pub(crate) fn place(module: &Module, loc: Option<Loc>) -> String {
    match loc {
        Some(loc) => {
            let data = &module.source.locs[module.source.visible(loc)];
            format!("{}:{}:{}", module.source.files[data.file].path, data.start.line, data.start.col)
        }
        None => "an unknown place".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(ty: Option<Type>, bytes: &[Byte]) -> String {
        contents(&Memory::new(1 << 20), ty, bytes, "  ")
    }

    #[test]
    fn values_and_rows() {
        let of = |words: &[Option<u32>]| -> Vec<Byte> {
            words.iter().flat_map(|w| (0..4).map(move |i| w.map(|w| w.to_le_bytes()[i]))).collect()
        };
        assert_eq!(show(Some(Type::I32), &of(&[Some(u32::MAX)])), " -1");
        assert_eq!(show(Some(Type::F32), &of(&[Some(1.5f32.to_bits())])), " 1.5");
        assert_eq!(show(Some(Type::I32), &of(&[None])), " ??");
        assert_eq!(show(Some(Type::I32), &[Some(1), None, Some(2), Some(0xff)]), " 01 ?? 02 ff");
        assert_eq!(show(None, &[Some(1), None]), " 01 ??");
        assert_eq!(show(Some(Type::I32), &of(&[Some(1), Some(20), None])), "\n  [0]  1 20 ??");
        let many = of(&[Some(7); 128]);
        assert_eq!(
            show(Some(Type::I32), &many),
            format!("\n  [0] {}\n  ... the same up to [127]", ["7"; 32].join(" "))
        );
        assert_eq!(show(Some(Type::Ptr(cudair_ir::Space::Generic)), &[Some(0); 8]), " null");
    }
}
