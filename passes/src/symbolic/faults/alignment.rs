//! Accesses that may not be aligned as their type asks.
//!
//! What stands at a multiple of its alignment for all that is seen of the address, such as an element of an array of its
//! own type, is no question. An offset counts from the start of the object, as in a run: an allocation is aligned for
//! everything. It is a premise where a variable's own alignment does not promise as much. Where nobody says where in an
//! object a pointer points to that is passed, it is a premise that it is aligned for each access through it.

use super::super::summary::{Base, Fault, Summary, Suspect, alignment};
use super::{is_told, points_anywhere};
use cudair_ir::*;

/// The accesses that are not seen to be aligned, where for one of them this can be asked; and to what pointers that are passed are
/// taken to be aligned, and variables beyond their own alignment, in bytes, if it matters.
pub(super) fn suspects(module: &Module, s: &mut Summary<'_>) -> (Vec<Suspect>, [u32; 2]) {
    let accesses: Vec<Suspect> =
        s.suspects.iter().filter(|s| matches!(s.fault, Fault::Bounds | Fault::ReadOnly)).copied().collect();
    let (mut out, mut passed, mut placed, mut can_ask) = (Vec::new(), 0, 0, false);
    for access in accesses {
        let align = alignment(s.cx.func, access.inst);
        if align <= 1 {
            continue;
        }
        let promised = match access.base {
            Base::Global(g) if !module.globals[g].dynamic => Some(module.globals[g].align_log2),
            Base::Local(slot) => Some(s.cx.func.slots[slot].align_log2),
            _ => None,
        };
        if promised.is_some_and(|log2| u32::from(log2) < align.trailing_zeros()) {
            placed = placed.max(align);
            can_ask = true;
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
        if s.terms.trailing_zeros(offset) >= align.trailing_zeros() {
            continue;
        }
        can_ask |= is_told(access.base) && !points_anywhere(s, offset);
        out.push(Suspect { fault: Fault::Misaligned, offset, ..access });
    }
    if can_ask { (out, [passed, placed]) } else { (Vec::new(), [0; 2]) }
}
