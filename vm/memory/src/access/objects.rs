//! Which object an access is of, and where its lanes are in it: one pass over the addresses, one check for all.

use crate::HostFrames;
use crate::kernels::{narrow, same_object};
use crate::lanes::{Access, Addrs, LaneCx};
use crate::raw::{Obj, Right};
use crate::survey::survey_one;
use crate::table::Table;
use cudair_lane::pattern::{Indexed, Offsets, Pattern, Patterns, Surveyed, survey};
use cudair_lane::ptr::{Ptr, Tag};
use cudair_lane::{MAX_LANES, MemSide};
use cudair_race::grid::GridRaces;

/// Room for what an access finds out about its addresses, kept from one to the next.
#[derive(Debug)]
pub(crate) struct Scratch {
    pattern: Pattern,
    /// Indices of 32 bits made of wider ones.
    pub(super) narrowed: Offsets,
    /// Patterns that may come again.
    patterns: Patterns,
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch { pattern: Pattern::default(), narrowed: [0; MAX_LANES], patterns: Patterns::default() }
    }
}

/// What a fast path found: the object, whose it is, and where the lanes are in it.
pub(crate) struct Fast<'a, 's> {
    pub(crate) obj: &'a Obj,
    /// The number of a shared variable.
    pub(crate) shared: Option<usize>,
    /// The index of an object of the table that the device may write.
    pub(crate) global: Option<u32>,
    pub(crate) at: Surveyed<'s>,
}

/// Where objects are found, apart from what watches the accesses to them: while an access holds an object of these, the
/// detector and the undo log can be told of it.
#[derive(Clone, Copy)]
pub(crate) struct Objects<'a> {
    pub(crate) table: &'a Table,
    pub(crate) host: &'a HostFrames,
}

impl<'a> Objects<'a> {
    /// The object that a pointer names, for lanes: shared variables with their number.
    #[inline(always)]
    pub(super) fn object(self, cx: &'a LaneCx, ptr: Ptr) -> Option<(&'a Obj, Option<usize>)> {
        match ptr.tag() {
            Tag::Table => Some((self.table.obj(ptr.serial()), None)),
            Tag::Shared => {
                let block = cx.block.as_deref()?;
                let n = block.number(ptr)?;
                Some((block.obj(n), Some(n)))
            }
            Tag::HostLocal => Some((self.host.by_serial(ptr.serial()), None)),
            _ => None,
        }
    }

    /// The fast path's first half: one object, one pass over the addresses, one check for all. `None` sends
    /// the access to the slow path.
    #[inline]
    pub(crate) fn fast<'s>(
        self,
        races: &GridRaces,
        cx: &'a LaneCx,
        addrs: &Addrs,
        acc: Access,
        writes: bool,
        scratch: &'s mut Scratch,
    ) -> Option<Fast<'a, 's>> {
        if !matches!(acc.width, 1 | 2 | 4 | 8) {
            return None;
        }
        let mask = cx.mask;
        let Scratch { pattern, narrowed, patterns } = scratch;
        let right = Right::new(cx.side, writes);
        let (ptr, index, scale, disp): (Ptr, &[u32], i32, i64) = match *addrs {
            Addrs::Uniform(ptr) => {
                let (obj, shared) = self.object(cx, ptr)?;
                let at = survey_one(obj, right, ptr.offset(), acc.width, acc.align_log2)?;
                return Some(Fast { obj, shared, global: watched(races, cx, obj, shared, ptr), at });
            }
            Addrs::Base32 { base, index, scale, disp } => (base, index, scale, disp),
            Addrs::Base64 { base, index, scale, disp } => {
                if !narrow(mask, index, narrowed) {
                    return None;
                }
                (base, &*narrowed, scale, disp)
            }
            Addrs::Full { ptrs, disp } => {
                let id = same_object(mask, ptrs, narrowed)?;
                (Ptr(u64::from(id) << 32 | Ptr::CENTRE), &*narrowed, 1, disp)
            }
            Addrs::Full32 { ptrs, index, scale, disp } => {
                let id = same_object(mask, ptrs, narrowed)?;
                for lane in mask.iter() {
                    let off =
                        i64::from(narrowed[lane] as i32) + i64::from(index[lane] as i32) * i64::from(scale);
                    narrowed[lane] = i32::try_from(off).ok()? as u32;
                }
                (Ptr(u64::from(id) << 32 | Ptr::CENTRE), &*narrowed, 1, disp)
            }
        };
        let (obj, shared) = self.object(cx, ptr)?;
        let base = ptr.offset().saturating_add(disp);
        if base.unsigned_abs() > 1 << 40 {
            return None;
        }
        let at = Indexed { mask, index, scale, base, width: acc.width, align_log2: acc.align_log2 };
        let at = survey(obj.limit(right), &at, acc.site, pattern, patterns)?;
        Some(Fast { obj, shared, global: watched(races, cx, obj, shared, ptr), at })
    }
}

/// The index of an object of the table that the launch may write, which is one that lanes may race on.
#[inline(always)]
pub(crate) fn watched(
    races: &GridRaces,
    cx: &LaneCx,
    obj: &Obj,
    shared: Option<usize>,
    ptr: Ptr,
) -> Option<u32> {
    let is_global = cx.side == MemSide::Device && shared.is_none() && obj.limit(Right::DeviceWrite) != 0;
    let n = (is_global && ptr.tag() == Tag::Table).then(|| ptr.serial())?;
    races.is_watched(n).then_some(n)
}
