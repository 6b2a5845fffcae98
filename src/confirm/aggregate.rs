//! The members of an aggregate that a kernel is passed by value, as far as the kernel's code tells them.

use cudair_ir::{Function, InstData, ParamAttr, Slot, Type, Value, ValueDef};

/// A place in the aggregate, as a pointer may stand for one: bytes from its start.
type At = i64;

/// Where the kernel loads which type from the aggregate that is its parameter `n`: offset and type, in the order of offsets,
/// none of which overlap. A pointer goes before what else is loaded from its bytes.
pub fn members(kernel: &Function, n: usize) -> Vec<(u32, Type)> {
    let size = match kernel.sig.params[n].attr {
        ParamAttr::ByVal { size, .. } | ParamAttr::SRet { size, .. } => size,
        ParamAttr::None => 0,
    };
    let copies = copies(kernel, n);
    let mut loads: Vec<(u32, Type)> = Vec::new();
    for inst in kernel.layout.iter().flat_map(|&b| kernel.block_insts(b)) {
        let InstData::Load { ty, ptr, .. } = kernel.insts[*inst] else { continue };
        let end = |at: u32| at.checked_add(ty.access_bytes()).is_some_and(|end| end <= size);
        let at = place(kernel, n, &copies, ptr).and_then(|at| u32::try_from(at).ok());
        loads.extend(at.filter(|&at| end(at)).map(|at| (at, ty)));
    }
    // Pointers first, then the narrowest.
    loads.sort_by_key(|&(at, ty)| (!ty.is_ptr(), ty.access_bytes(), at));
    let mut out: Vec<(u32, Type)> = Vec::new();
    for (at, ty) in loads {
        let apart =
            |&(other, t): &(u32, Type)| at + ty.access_bytes() <= other || other + t.access_bytes() <= at;
        if out.iter().all(apart) {
            out.push((at, ty));
        }
    }
    out.sort_by_key(|m| m.0);
    out
}

/// Local variables that hold the aggregate or a part of it, and which.
fn copies(kernel: &Function, n: usize) -> Vec<(Slot, At)> {
    let mut out = Vec::new();
    for inst in kernel.layout.iter().flat_map(|&b| kernel.block_insts(b)) {
        let InstData::MemCopy { dst, src, .. } = kernel.insts[*inst] else { continue };
        let to = base(kernel, dst);
        if let (Some((Base::Slot(slot), into)), Some(from)) = (to, place(kernel, n, &[], src)) {
            out.push((slot, from - into));
        }
    }
    out
}

/// Where in the aggregate a pointer points to.
fn place(kernel: &Function, n: usize, copies: &[(Slot, At)], ptr: Value) -> Option<At> {
    match base(kernel, ptr)? {
        (Base::Param(p), at) => (p as usize == n).then_some(at),
        (Base::Slot(slot), at) => copies.iter().find(|c| c.0 == slot).map(|c| c.1 + at),
    }
}

enum Base {
    Param(u32),
    Slot(Slot),
}

/// The object that a pointer is a constant number of bytes away from.
fn base(kernel: &Function, ptr: Value) -> Option<(Base, At)> {
    let (start, at) = kernel.pointer_start(ptr);
    let base = match kernel.values[start].def {
        ValueDef::Param(block, n) if kernel.entry() == Some(block) => Base::Param(n),
        ValueDef::Param(..) => return None,
        ValueDef::Result(inst, _) => match kernel.insts[inst] {
            InstData::SlotAddr { slot } => Base::Slot(slot),
            _ => return None,
        },
    };
    Some((base, at?))
}
