//! Accesses that may not be aligned as their type asks.
//!
//! What stands at a multiple of its alignment for all that is seen of the address, such as an element of an array of its
//! own type, is no question. An offset counts from the start of the object, as in a run: an allocation is aligned for
//! everything. Where a `__shared__` variable starts is known ([`cudair_ir::shared`]), and is added where its own alignment does
//! not promise as much; of other variables it is a premise. Where nobody says where in an
//! object a pointer points to that is passed, it is a premise that it is aligned for each access through it.

use super::super::summary::{Base, Fault, Summary, Suspect};
use super::{is_told, points_anywhere};
use cudair_ir::*;

/// The accesses that are not seen to be aligned, where for one of them this can be asked; and to what pointers that are passed are
/// taken to be aligned, and variables beyond their own alignment, in bytes, if it matters.
pub(super) fn suspects(module: &Module, s: &mut Summary<'_>) -> (Vec<Suspect>, [u32; 2]) {
    let accesses: Vec<Suspect> =
        s.suspects.iter().filter(|s| matches!(s.fault, Fault::Bounds | Fault::ReadOnly)).copied().collect();
    let (mut out, mut passed, mut placed, mut can_ask) = (Vec::new(), 0, 0, false);
    for access in accesses {
        let align = s.cx.func.stated_alignment(access.inst);
        if align <= 1 {
            continue;
        }
        let promised = match access.base {
            Base::Global(g) if !module.globals[g].dynamic => Some(module.globals[g].align_log2),
            Base::Local(slot) => Some(s.cx.func.slots[slot].align_log2),
            _ => None,
        };
        let lies = lies(module, s.cx.id, access.base, align);
        if promised.is_some_and(|log2| u32::from(log2) < align.trailing_zeros()) {
            can_ask = true;
            if lies.is_none() {
                placed = placed.max(align);
            }
        }
        let start = match access.base {
            Base::Param(n) => s.extents.get(n as usize).copied().flatten().map(|e| e.0),
            _ => None,
        };
        let aggregate =
            |n: u32| s.cx.func.sig.params.get(n as usize).is_some_and(|p| p.attr != ParamAttr::None);
        passed = match access.base {
            Base::Param(n) if start.is_none() && !aggregate(n) => passed.max(align),
            Base::Member(..) => passed.max(align),
            _ => passed,
        };
        let offset = match start {
            Some(start) => s.terms.add(start, access.offset),
            None => access.offset,
        };
        let lies = s.terms.constant(lies.unwrap_or(0).into(), 64);
        let offset = s.terms.add(offset, lies);
        if s.terms.trailing_zeros(offset) >= align.trailing_zeros() {
            continue;
        }
        can_ask |= is_told(access.base) && !points_anywhere(s, offset);
        out.push(Suspect { fault: Fault::Misaligned, offset, ..access });
    }
    if can_ask { (out, [passed, placed]) } else { (Vec::new(), [0; 2]) }
}

/// How far past a multiple of `align` bytes an object lies, where that is known of a variable that is not declared with as
/// much.
pub(super) fn lies(module: &Module, kernel: FuncId, base: Base, align: u32) -> Option<u64> {
    let Base::Global(g) = base else { return None };
    if u32::from(module.globals[g].align_log2) >= align.trailing_zeros() {
        return None;
    }
    Some(shared::start(module, kernel, g)? % u64::from(align))
}
