//! Loads whose values are used on some of the ways behind them only.
//!
//! A byte that was never written is an error where it is used. Most values are used whenever they are loaded, and the
//! load reports. For the others (`int v = p[i]; if (c) q[i] = v + 1;`) the load notes here which lanes have met bytes
//! that were not written, and the operation `use.late` asks for them. As a rule nothing is noted, and the question
//! costs a look at whether this is empty.

use super::{Access, FrameId};
use cudair_lane::Mask;
use cudair_lane::fault::SiteRef;
use cudair_lane::ptr::Ptr;
use rustc_hash::FxHashMap;

/// What lanes met at loads whose values they have not used yet.
#[derive(Debug, Default)]
pub struct LateLoads {
    /// By the load's site, the depth of calls, and the thread of the host (0 on the device).
    loads: FxHashMap<(SiteRef, u16, u32), Loads>,
}

#[derive(Debug, Default)]
struct Loads {
    missing: Mask,
    lanes: Vec<LateLoad>,
}

/// One lane's load of bytes that were not all written.
#[derive(Clone, Copy, Debug)]
pub struct LateLoad {
    /// The lane.
    pub lane: usize,
    /// The address.
    pub at: LateAddress,
    /// The bytes that were written, a bit each.
    pub init: u32,
    /// How it was accessed.
    pub acc: Access,
}

/// Where a load was.
#[derive(Clone, Copy, Debug)]
pub enum LateAddress {
    /// In memory.
    Ptr(Ptr),
    /// In a local variable: the frame, the slot, and the offset.
    Slot(FrameId, u32, i64),
}

impl LateLoads {
    /// Whether nothing is noted.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.loads.is_empty()
    }

    /// Before lanes load again: what they met before has no use any more.
    #[inline]
    pub fn forget(&mut self, site: SiteRef, depth: u16, thread: u32, lanes: &Mask) {
        self.take(site, depth, thread, lanes);
    }

    /// Notes a lane's load.
    #[inline]
    pub fn add(&mut self, thread: u32, load: LateLoad) {
        let loads = self.loads.entry((load.acc.site, load.acc.late, thread)).or_default();
        loads.missing.insert(load.lane);
        loads.lanes.push(load);
    }

    /// The lanes of `lanes` that use what they loaded at `site`: how many, and the lowest one's load. They are not told
    /// of twice.
    #[inline]
    pub fn take(&mut self, site: SiteRef, depth: u16, thread: u32, lanes: &Mask) -> Option<(u64, LateLoad)> {
        let key = (site, depth, thread);
        let loads = self.loads.get_mut(&key)?;
        let used = loads.missing.and(lanes);
        let first = used.lowest()?;
        let load = *loads.lanes.iter().rev().find(|l| l.lane == first)?;
        loads.missing = loads.missing.without(&used);
        if loads.missing.is_empty() {
            self.loads.remove(&key);
        } else {
            loads.lanes.retain(|l| !used.contains(l.lane));
        }
        Some((used.count().into(), load))
    }

    /// Forgets everything: other threads come.
    #[inline]
    pub fn clear(&mut self) {
        self.loads.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cudair_ir::{FuncId, Site};

    fn load(lane: usize, site: u32, depth: u16) -> LateLoad {
        let site = SiteRef { func: FuncId::from_u32(0), site: Site::from_u32(site) };
        let acc = Access { width: 4, align_log2: 2, volatile: false, copy: false, late: depth, site };
        LateLoad { lane, at: LateAddress::Ptr(Ptr(lane as u64)), init: 0, acc }
    }

    #[test]
    fn each_lane_is_told_of_once_and_a_new_load_takes_the_place_of_the_last() {
        let mut late = LateLoads::default();
        let site = load(0, 1, 1).acc.site;
        for lane in [3, 5, 9] {
            late.add(0, load(lane, 1, 1));
        }
        late.add(0, load(5, 2, 1));
        assert!(late.take(site, 2, 0, &Mask::first(16)).is_none(), "another depth");
        let (count, first) = late.take(site, 1, 0, &Mask::single(5).or(&Mask::single(9))).unwrap();
        assert_eq!((count, first.lane), (2, 5));
        assert!(late.take(site, 1, 0, &Mask::single(5)).is_none());
        late.forget(site, 1, 0, &Mask::first(16));
        assert!(late.take(site, 1, 0, &Mask::first(16)).is_none());
        assert!(!late.is_empty());
        late.forget(load(0, 2, 1).acc.site, 1, 0, &Mask::first(16));
        assert!(late.is_empty());
    }
}
