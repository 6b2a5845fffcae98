//! `--perf`: what accesses and branches cost a warp ([`Cost`] says what that is), counted as the program runs.

use super::exec::Exec;
use crate::machine::Machine;
use cudair_bytecode::Code;
use cudair_ir::cost::{Cost, WARP};
use cudair_ir::{Kind, Loc, Severity, Space};
use cudair_lane::Mask;
use cudair_lane::fault::{Fault, FaultKind, LaunchRef, Place, SiteRef};
use cudair_lane::ptr::{Ptr, Tag};
use cudair_memory::Addrs;
use rustc_hash::FxHashMap;

/// What was counted at one place.
#[derive(Clone, Copy, Debug)]
struct Count {
    place: Place,
    launch: LaunchRef,
    cost: Cost,
}

/// Everything counted, by kind and source place (file, start, end).
#[derive(Debug, Default)]
pub(crate) struct Perf {
    counts: FxHashMap<(Kind, Loc), Count>,
}

impl Perf {
    /// Takes over what was counted in a launch after these.
    pub(crate) fn absorb(&mut self, other: Perf) {
        for (key, c) in other.counts {
            match self.counts.get_mut(&key) {
                Some(known) => known.cost.add(c.cost),
                None => {
                    self.counts.insert(key, c);
                }
            }
        }
    }

    fn add(&mut self, kind: Kind, loc: Loc, launch: LaunchRef, cost: Cost) {
        let none = Count { place: Place::Loc(loc), launch, cost: Cost::default() };
        self.counts.entry((kind, loc)).or_insert(none).cost.add(cost);
    }
}

impl Exec<'_> {
    /// Counts an access by the lanes of `mask`.
    #[cold]
    pub(super) fn count_access(&mut self, mask: &Mask, addrs: &Addrs<'_>, width: u8, site: SiteRef) {
        let Some(loc) = self.grid.program.loc_of(Place::Site(site)) else { return };
        let loc = self.grid.program.module.source.visible(loc);
        let launch = self.grid.launch_ref;
        let width = u64::from(width).max(1);
        for w in 0..self.strip.shape.lanes.div_ceil(WARP as u32) as usize {
            let lanes = Mask::of_warp(w, mask.warp(w));
            let ptrs: Vec<(usize, Ptr)> = lanes.iter().map(|l| (l % WARP, addrs.lane(l))).collect();
            let Some(&(_, first)) = ptrs.first() else { continue };
            if first.tag() == Tag::Shared {
                let offset = |&(l, p): &(usize, Ptr)| Some((l, self.block.window(p)?));
                let lanes: Vec<(usize, u64)> = ptrs.iter().filter_map(offset).collect();
                if let Some(perf) = &mut self.worker.state.perf {
                    perf.add(Kind::BankConflict, loc, launch, Cost::of_shared(&lanes, width));
                }
                continue;
            }
            let moved = |space| matches!(space, Space::Global | Space::Managed);
            if !self.worker.mem.lookup(first).is_some_and(|(_, _, space, _)| moved(space)) {
                continue;
            }
            // Objects start at multiples of a sector, and so do the distances between them.
            let addresses: Vec<u64> = ptrs.iter().map(|p| p.1.0).collect();
            if let Some(perf) = &mut self.worker.state.perf {
                perf.add(Kind::UncoalescedAccess, loc, launch, Cost::of_global(addresses, width));
            }
        }
    }

    /// Counts a branch by the lanes of `mask`, of which those of `taken` go one way.
    #[cold]
    pub(super) fn count_branch(&mut self, mask: &Mask, taken: &Mask, code: &Code, pc: usize) {
        let Some(loc) = code.loc(pc) else { return };
        let loc = self.grid.program.module.source.visible(loc);
        let launch = self.grid.launch_ref;
        let Some(perf) = &mut self.worker.state.perf else { return };
        for w in 0..self.strip.shape.lanes.div_ceil(WARP as u32) as usize {
            let (all, some) = (mask.warp(w), taken.warp(w));
            if all != 0 {
                let splits = some != 0 && some != all;
                perf.add(Kind::WarpDivergence, loc, launch, Cost::of_branch(splits));
            }
        }
    }
}

impl Machine {
    /// Turns what was counted into notes, the worst first.
    pub(crate) fn note_perf(&mut self) {
        let Some(perf) = self.engine.worker.perf.take() else { return };
        // Clones of one place are one: a loop that was copied, a function that was inlined.
        let source = &self.module.source;
        let mut places: FxHashMap<_, Count> = FxHashMap::default();
        for ((kind, loc), c) in perf.counts {
            let data = source.source_place(loc);
            let at = (kind, data.file, data.start, data.end);
            match places.get_mut(&at) {
                Some(known) => {
                    known.cost.add(c.cost);
                    (known.place, known.launch) = (known.place.min(c.place), known.launch.min(c.launch));
                }
                None => {
                    places.insert(at, c);
                }
            }
        }
        let mut list: Vec<(Kind, Count)> = places
            .into_iter()
            .filter(|((kind, ..), c)| c.cost.is_told(*kind))
            .map(|((kind, ..), c)| (kind, c))
            .collect();
        list.sort_by_key(|(kind, c)| (std::cmp::Reverse(c.cost.actual - c.cost.ideal), *kind, c.place));
        for (kind, c) in list {
            let fault = note(kind, &c);
            self.findings.note(fault);
        }
    }
}

fn note(kind: Kind, c: &Count) -> Fault {
    let words = c.cost.words(kind, true);
    let mut fault = Fault::new(
        FaultKind::Other {
            kind,
            severity: Severity::Note,
            message: words.message,
            label: words.label,
            related: Vec::new(),
            notes: words.requests.into_iter().collect(),
            help: Some(words.help.to_owned()),
        },
        c.place,
    );
    fault.launch = Some(c.launch);
    fault.cost = Some(Box::new(c.cost));
    fault
}
