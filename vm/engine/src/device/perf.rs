//! `--perf`: what accesses and branches cost a warp, against the least that would do.
//!
//! Shared memory has 32 banks of 4 bytes. A request of a warp takes as many turns as the bank with the most
//! different words; lanes that read one word share it. Accesses of 8 bytes are served by half warps, of 16 bytes
//! by quarters. Global memory is moved in sectors of 32 bytes: a request needs at least its bytes' worth of them.
//! A branch that the lanes of a warp do not take alike is executed twice.

use super::exec::Exec;
use crate::machine::Machine;
use cudair_bytecode::Code;
use cudair_ir::{Kind, Loc, Severity, Space};
use cudair_lane::Mask;
use cudair_lane::fault::{Fault, FaultKind, LaunchRef, Place, SiteRef};
use cudair_lane::ptr::{Ptr, Tag};
use cudair_memory::Addrs;
use rustc_hash::FxHashMap;

const BANKS: u64 = 32;
const SECTOR: u64 = 32;
/// A branch is told where at least one in so many executions splits a warp: the guard at the end of an array is
/// not worth a note.
const SPLITS: u64 = 20;

/// What was counted at one place.
#[derive(Clone, Copy, Debug)]
struct Count {
    place: Place,
    launch: LaunchRef,
    /// Requests of a warp, or executions of a branch by one.
    requests: u64,
    /// Transactions, or executions that split the warp.
    actual: u64,
    ideal: u64,
    /// The most transactions of one request or part of it.
    worst: u64,
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
                Some(known) => {
                    known.requests += c.requests;
                    known.actual += c.actual;
                    known.ideal += c.ideal;
                    known.worst = known.worst.max(c.worst);
                }
                None => {
                    self.counts.insert(key, c);
                }
            }
        }
    }

    fn add(&mut self, kind: Kind, loc: Loc, launch: LaunchRef, [actual, ideal, worst]: [u64; 3]) {
        let count = self.counts.entry((kind, loc)).or_insert(Count {
            place: Place::Loc(loc),
            launch,
            requests: 0,
            actual: 0,
            ideal: 0,
            worst: 0,
        });
        count.requests += 1;
        count.actual += actual;
        count.ideal += ideal;
        count.worst = count.worst.max(worst);
    }
}

/// Different words in the bank that has most of them, and 1 for a request that is none: lanes' offsets in shared
/// memory.
fn turns(offsets: &[u64], width: u64) -> u64 {
    let mut words: Vec<u64> = offsets.iter().flat_map(|&o| o / 4..(o + width).div_ceil(4)).collect();
    words.sort_unstable();
    words.dedup();
    let mut banks = [0u64; BANKS as usize];
    for w in words {
        banks[(w % BANKS) as usize] += 1;
    }
    banks.into_iter().max().unwrap_or(0)
}

/// Sectors that the accesses of a request touch, and how many its bytes need at least.
fn sectors(addresses: &mut Vec<u64>, width: u64) -> (u64, u64) {
    addresses.sort_unstable();
    addresses.dedup();
    let mut bytes = 0;
    let mut end = 0;
    let mut sectors: Vec<u64> = Vec::with_capacity(addresses.len());
    for &a in addresses.iter() {
        bytes += (a + width).saturating_sub(a.max(end));
        end = end.max(a + width);
        sectors.extend(a / SECTOR..=(a + width - 1) / SECTOR);
    }
    sectors.dedup();
    (sectors.len() as u64, bytes.div_ceil(SECTOR))
}

impl Exec<'_> {
    /// Counts an access by the lanes of `mask`.
    #[cold]
    pub(super) fn count_access(&mut self, mask: &Mask, addrs: &Addrs<'_>, width: u8, site: SiteRef) {
        let Some(loc) = self.grid.program.loc_of(Place::Site(site)) else { return };
        let loc = self.grid.program.module.source.visible(loc);
        let launch = self.grid.launch_ref;
        let width = u64::from(width).max(1);
        for w in 0..self.strip.shape.lanes.div_ceil(32) as usize {
            let lanes = Mask::of_warp(w, mask.warp(w));
            let ptrs: Vec<(usize, Ptr)> = lanes.iter().map(|l| (l % 32, addrs.lane(l))).collect();
            let Some(&(_, first)) = ptrs.first() else { continue };
            if first.tag() == Tag::Shared {
                let per = (32 * 4 / width.max(4)) as usize;
                let mut counts = [0, 0, 0];
                for part in 0..32usize.div_ceil(per) {
                    let here = ptrs.iter().filter(|(l, _)| l / per == part);
                    let offsets: Vec<u64> = here.filter_map(|&(_, p)| self.block.window(p)).collect();
                    let n = turns(&offsets, width);
                    counts = [counts[0] + n, counts[1] + u64::from(n > 0), counts[2].max(n)];
                }
                if let Some(perf) = &mut self.worker.state.perf {
                    perf.add(Kind::BankConflict, loc, launch, counts);
                }
                continue;
            }
            let moved = |space| matches!(space, Space::Global | Space::Managed);
            if !self.worker.mem.lookup(first).is_some_and(|(_, _, space, _)| moved(space)) {
                continue;
            }
            // Objects start at multiples of a sector, and so do the distances between them.
            let mut addresses: Vec<u64> = ptrs.iter().map(|p| p.1.0).collect();
            let (actual, ideal) = sectors(&mut addresses, width);
            if let Some(perf) = &mut self.worker.state.perf {
                perf.add(Kind::UncoalescedAccess, loc, launch, [actual, ideal, actual]);
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
        for w in 0..self.strip.shape.lanes.div_ceil(32) as usize {
            let (all, some) = (mask.warp(w), taken.warp(w));
            if all != 0 {
                let split = u64::from(some != 0 && some != all);
                perf.add(Kind::WarpDivergence, loc, launch, [split, 0, split]);
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
                    known.requests += c.requests;
                    known.actual += c.actual;
                    known.ideal += c.ideal;
                    known.worst = known.worst.max(c.worst);
                    (known.place, known.launch) = (known.place.min(c.place), known.launch.min(c.launch));
                }
                None => {
                    places.insert(at, c);
                }
            }
        }
        let mut list: Vec<(Kind, Count)> = places
            .into_iter()
            .filter(|((kind, ..), c)| match kind {
                Kind::WarpDivergence => c.actual > 0 && c.actual * SPLITS >= c.requests,
                _ => c.actual > c.ideal,
            })
            .map(|((kind, ..), c)| (kind, c))
            .collect();
        list.sort_by_key(|(kind, c)| (std::cmp::Reverse(c.actual - c.ideal), *kind, c.place));
        for (kind, c) in list {
            let fault = note(kind, &c);
            self.findings.note(fault);
        }
    }
}

/// A number with what it counts.
fn many(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// `a / b` with one digit behind the point where it is no whole number.
fn times(a: u64, b: u64) -> String {
    let tenths = (a * 10 + b / 2) / b.max(1);
    if tenths.is_multiple_of(10) {
        (tenths / 10).to_string()
    } else {
        format!("{}.{}", tenths / 10, tenths % 10)
    }
}

fn note(kind: Kind, c: &Count) -> Fault {
    let (message, label, help) = match kind {
        Kind::BankConflict => (
            format!(
                "shared memory is accessed in {} where {} would do: {} times as many",
                many(c.actual, "transaction"),
                c.ideal,
                times(c.actual, c.ideal)
            ),
            format!("up to {} lanes of a warp wait for one bank", c.worst),
            "let the lanes of a warp use different banks, for instance with one word of padding a row",
        ),
        Kind::UncoalescedAccess => (
            format!(
                "global memory is accessed in {} of 32 bytes where {} would do: {} times as many",
                many(c.actual, "sector"),
                c.ideal,
                times(c.actual, c.ideal)
            ),
            format!("a warp touches up to {}", many(c.worst, "sector")),
            "let neighbouring lanes access neighbouring elements, starting at a multiple of 32 bytes",
        ),
        _ => (
            format!("{} of {} of this branch split a warp", c.actual, many(c.requests, "execution")),
            "lanes of a warp diverge here".to_owned(),
            "let the condition be the same for all 32 threads of a warp",
        ),
    };
    let requests = match kind {
        Kind::WarpDivergence => Vec::new(),
        _ => vec![many(c.requests, "request") + " of a warp"],
    };
    let mut fault = Fault::new(
        FaultKind::Other {
            kind,
            severity: Severity::Note,
            message,
            label,
            related: Vec::new(),
            notes: requests,
            help: Some(help.to_owned()),
        },
        c.place,
    );
    fault.launch = Some(c.launch);
    fault
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banks() {
        let offsets = |stride: u64| (0..32).map(|l| l * stride).collect::<Vec<_>>();
        assert_eq!(turns(&offsets(4), 4), 1);
        assert_eq!(turns(&offsets(8), 4), 2);
        assert_eq!(turns(&offsets(128), 4), 32);
        assert_eq!(turns(&offsets(132), 4), 1);
        // One word for all, and four bytes of each word.
        assert_eq!(turns(&offsets(0), 4), 1);
        assert_eq!(turns(&offsets(1), 1), 1);
        // Half a warp of doubles.
        assert_eq!(turns(&offsets(8)[..16], 8), 1);
        assert_eq!(turns(&[], 4), 0);
    }

    #[test]
    fn sectors_against_the_least() {
        let at = |first: u64, stride: u64| (0..32).map(|l| first + l * stride).collect::<Vec<_>>();
        assert_eq!(sectors(&mut at(0, 4), 4), (4, 4));
        assert_eq!(sectors(&mut at(4, 4), 4), (5, 4));
        assert_eq!(sectors(&mut at(0, 8), 4), (8, 4));
        assert_eq!(sectors(&mut at(0, 128), 4), (32, 4));
        assert_eq!(sectors(&mut at(0, 0), 4), (1, 1));
        assert_eq!(sectors(&mut at(0, 8), 8), (8, 8));
    }

    #[test]
    fn ratios() {
        assert_eq!(times(32, 1), "32");
        assert_eq!(times(5, 4), "1.3");
        assert_eq!(times(3, 2), "1.5");
    }
}
