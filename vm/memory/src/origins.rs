//! Where bytes come from that were never written: the copies that carried them, as MemorySanitizer's origins (Stepanov and
//! Serebryany, "MemorySanitizer: fast detector of uninitialized memory use in C++", CGO 2015, section 3.3).
//!
//! A copy is kept only if it carried such bytes, which is rare, and if it wrote memory that outlives a launch. A store of a
//! value that was loaded is a copy whose source is not known.

use super::{ByteAccess, LaneCx, Memory};
use cudair_ir::{EntityRef, FuncId, Loc, Site};
use cudair_lane::MemSide;
use cudair_lane::fault::{Origin, Place, SiteRef};
use cudair_lane::ptr::{Ptr, Tag};
use std::collections::VecDeque;

/// The most copies that are kept; the oldest go first.
const MAX_COPIES: usize = 4096;
/// The most copies that a report tells of, one behind the other.
const MAX_HOPS: usize = 4;

/// A copy that carried bytes which were never written.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Copied {
    /// The start of the object that was written.
    to: Ptr,
    /// Bytes of it, from the first to behind the last.
    range: (i64, i64),
    /// The start of the object that was read; null where it is not known.
    from: Ptr,
    /// What is to be added to an offset in the one for the offset in the other.
    shift: i64,
    place: Place,
    /// The native function of the host that copied, if one did.
    native: Option<&'static str>,
}

impl Copied {
    /// As words, for another process of this program: a copy by the device.
    pub(super) fn words(&self) -> [u64; 7] {
        let (kind, at) = match self.place {
            Place::Unknown => (0, 0),
            Place::Site(SiteRef { func, site }) => (1, (func.index() as u64) << 32 | site.index() as u64),
            Place::Loc(loc) => (2, loc.index() as u64),
        };
        [self.to.0, self.range.0 as u64, self.range.1 as u64, self.from.0, self.shift as u64, kind, at]
    }

    /// What [`Copied::words`] gave; none where it is nothing that it gives.
    pub(super) fn from_words([to, first, end, from, shift, kind, at]: [u64; 7]) -> Option<Copied> {
        let place = match kind {
            0 => Place::Unknown,
            1 => Place::Site(SiteRef {
                func: FuncId::new((at >> 32) as usize),
                site: Site::new(at as u32 as usize),
            }),
            2 => Place::Loc(Loc::new(at as usize)),
            _ => return None,
        };
        let range = (first as i64, end as i64);
        Some(Copied { to: Ptr(to), range, from: Ptr(from), shift: shift as i64, place, native: None })
    }
}

/// Whether a pointer is to memory of which somebody may ask after the launch.
fn outlives_a_launch(ptr: Ptr) -> bool {
    matches!(ptr.tag(), Tag::Table | Tag::Huge | Tag::HostLocal)
}

/// The copies, the newest last.
#[derive(Clone, Debug, Default)]
pub(super) struct Origins {
    copies: VecDeque<Copied>,
    /// How many of them this core made since the cores parted.
    own: usize,
    /// How many were made since a launch's transaction began.
    of_launch: usize,
}

impl Origins {
    fn push(&mut self, copied: Copied) {
        // Arrays are often copied by elements.
        if let Some(last) = self.copies.back_mut().filter(|_| self.own > 0 && self.of_launch > 0) {
            let kind = |c: &Copied| (c.to, c.from, c.shift, c.place);
            let (a, b) = (last.range, copied.range);
            if kind(last) == kind(&copied) && a.0 <= b.1 && b.0 <= a.1 {
                last.range = (a.0.min(b.0), a.1.max(b.1));
                return;
            }
        }
        if self.copies.len() == MAX_COPIES {
            self.copies.pop_front();
        }
        self.copies.push_back(copied);
        self.own = (self.own + 1).min(MAX_COPIES);
        self.of_launch = (self.of_launch + 1).min(MAX_COPIES);
    }

    /// Another object has the number of one that is gone.
    pub(super) fn forget(&mut self, object: Ptr) {
        // Their number stays, which says which are to be undone.
        for end in self.copies.iter_mut().flat_map(|c| [&mut c.to, &mut c.from]).filter(|p| **p == object) {
            *end = Ptr::NULL;
        }
    }

    /// A launch's transaction begins.
    pub(super) fn open(&mut self) {
        self.of_launch = 0;
    }

    /// The launch is undone.
    pub(super) fn roll_back(&mut self) {
        self.copies.truncate(self.copies.len() - self.of_launch);
        (self.own, self.of_launch) = (0, 0);
    }

    /// The cores part.
    pub(super) fn part(&mut self) {
        self.own = 0;
    }

    /// What this core added since.
    pub(super) fn own(&self) -> Vec<Copied> {
        self.copies.iter().skip(self.copies.len() - self.own).copied().collect()
    }

    /// The cores join: what another one added.
    pub(super) fn join(&mut self, others: Vec<Copied>) {
        for copied in others {
            self.push(copied);
        }
    }

    /// What this core did since the cores parted is undone.
    pub(super) fn void(&mut self) {
        self.copies.truncate(self.copies.len() - self.own);
        self.of_launch -= self.own.min(self.of_launch);
        self.own = 0;
    }
}

impl Memory {
    /// `len` bytes are copied, not all of which were written, from `src` if that is known.
    #[cold]
    pub(super) fn carry(&mut self, cx: &LaneCx, who: ByteAccess, dst: Ptr, src: Option<Ptr>, len: u64) {
        let (to, at) = (dst.object_start(), dst.offset());
        let src = src.filter(|&src| outlives_a_launch(src));
        let (from, shift) = src.map_or((Ptr::NULL, 0), |src| (src.object_start(), src.offset() - at));
        // What moves within an object comes from where it came from.
        if from == to || !outlives_a_launch(dst) {
            return;
        }
        let range = (at, at.saturating_add_unsigned(len));
        let native = who.native.filter(|_| cx.side == MemSide::Host);
        self.origins.push(Copied { to, range, from, shift, place: who.place, native });
    }

    /// The copies that brought the byte at `ptr`, which was never written, the last one first; and the byte that they began
    /// with, null where that is not known.
    pub(super) fn origins(&self, cx: &LaneCx, mut ptr: Ptr) -> (Box<[Origin]>, Ptr) {
        let mut out = Vec::new();
        let mut before = self.origins.copies.len();
        while out.len() < MAX_HOPS {
            let (to, at) = (ptr.object_start(), ptr.offset());
            let brings = |c: &Copied| c.to == to && c.range.0 <= at && at < c.range.1;
            let Some(n) = (0..before).rev().find(|&n| brings(&self.origins.copies[n])) else { break };
            let Copied { from, shift, place, native, .. } = self.origins.copies[n];
            ptr = if from == Ptr::NULL { from } else { from.add(at + shift) };
            let object = if from == Ptr::NULL { None } else { self.object_info(cx, ptr) };
            let is_known = object.is_some();
            out.push(Origin { object, place, native });
            if !is_known {
                break;
            }
            before = n;
        }
        (out.into(), ptr)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copied(to: u32, range: (i64, i64), site: usize) -> Copied {
        let place = Place::Site(SiteRef { func: FuncId::new(3), site: Site::new(site) });
        Copied { to: Ptr::table(to), range, from: Ptr::table(9), shift: -4, place, native: None }
    }

    #[test]
    fn copies_travel() {
        for c in [
            copied(1, (0, 8), 7),
            Copied { place: Place::Unknown, from: Ptr::NULL, ..copied(2, (-4, 1 << 40), 0) },
        ] {
            assert_eq!(Copied::from_words(c.words()), Some(c));
        }
        let loc = Copied { place: Place::Loc(Loc::new(5)), ..copied(2, (0, 8), 0) };
        assert_eq!(Copied::from_words(loc.words()), Some(loc));
        assert_eq!(Copied::from_words([0, 0, 0, 0, 0, 3, 0]), None);
    }

    #[test]
    fn another_object_has_no_copies_of_the_one_before() {
        let mut origins = Origins::default();
        origins.push(copied(1, (0, 8), 7));
        origins.push(Copied { from: Ptr::table(1), ..copied(2, (0, 8), 8) });
        origins.forget(Ptr::table(1));
        let ends: Vec<_> = origins.copies.iter().map(|c| (c.to, c.from)).collect();
        assert_eq!(ends, [(Ptr::NULL, Ptr::table(9)), (Ptr::table(2), Ptr::NULL)]);
    }

    #[test]
    fn elements_are_one_copy() {
        let mut origins = Origins::default();
        for i in 0..100 {
            origins.push(copied(1, (i * 8, i * 8 + 8), 7));
        }
        origins.push(copied(1, (808, 816), 7));
        origins.push(copied(1, (0, 8), 8));
        let ranges: Vec<_> = origins.copies.iter().map(|c| c.range).collect();
        assert_eq!(ranges, [(0, 800), (808, 816), (0, 8)]);
    }

    #[test]
    fn what_a_launch_added_is_undone() {
        let mut origins = Origins::default();
        origins.push(copied(1, (0, 8), 7));
        origins.open();
        origins.push(copied(1, (8, 16), 7));
        origins.part();
        origins.push(copied(1, (16, 24), 7));
        origins.void();
        assert_eq!(Vec::from(origins.copies.clone()), [copied(1, (0, 8), 7), copied(1, (8, 16), 7)]);
        origins.roll_back();
        assert_eq!(Vec::from(origins.copies), [copied(1, (0, 8), 7)]);
    }

    #[test]
    fn what_cores_added_is_joined_or_undone() {
        let mut origins = Origins::default();
        origins.push(copied(1, (0, 8), 7));
        origins.part();
        let mut other = origins.clone();
        origins.push(copied(1, (8, 16), 7));
        other.push(copied(1, (16, 24), 7));
        assert_eq!(other.own(), [copied(1, (16, 24), 7)]);
        let mut joined = origins.clone();
        joined.join(other.own());
        assert_eq!(Vec::from(joined.copies), [copied(1, (0, 8), 7), copied(1, (8, 24), 7)]);
        origins.void();
        assert_eq!(Vec::from(origins.copies), [copied(1, (0, 8), 7)]);
        for i in 0..2 * MAX_COPIES {
            other.push(copied(2, (0, 8), i));
        }
        assert_eq!((other.copies.len(), other.own().len()), (MAX_COPIES, MAX_COPIES));
        other.void();
        assert!(other.copies.is_empty());
    }
}
