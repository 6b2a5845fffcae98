//! Warp operations with a wrong mask, in every launch of a shape.
//!
//! All threads of a block are followed with concrete values, and then the lanes of each warp meet as in a run: an operation is
//! complete when all lanes that its mask names, and that have not left, have come to one of the same kind with this mask,
//! wherever it is. What each lane does hangs on nobody else, so it does not matter which comes first. Of a lane that is lost
//! nobody knows what it comes to; so those that wait for it are left alone.

use super::super::uniformity::RootContext;
use super::walker::Walker;
use super::{BarrierPath, KERNEL_STEPS, PROOF_THREADS, all_hold, case_of, states_what_holds};
use cudair_ir::*;

/// Lanes of a warp.
const WARP: usize = 32;

/// What a warp operation is: lanes meet at two of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kin {
    Sync,
    Shfl(ShflMode),
    Vote(VoteMode),
    Match(MatchMode),
    Reduce(ReduceOp),
}

/// What a thread comes to.
#[derive(Clone, Debug)]
pub(super) enum Event {
    /// A warp operation, with its mask, and the lane that is read or how far it is, with the width.
    Lanes { path: BarrierPath, kin: Kin, mask: u32, reads: Option<(u32, u32)> },
    /// A barrier of the block.
    Block,
}

/// What is wrong with a mask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WrongMask {
    /// It does not name the lane that comes.
    Omits,
    /// Lanes that it names wait elsewhere, each for the other.
    Never,
    /// A lane is read that does not take part.
    Stray,
    /// Lanes that it names have left the kernel.
    Exited,
    /// Lanes that it names are not in the block.
    Absent,
}

/// A warp operation with a wrong mask.
#[derive(Clone, Debug)]
pub struct MaskWitness {
    /// Where it is.
    pub path: BarrierPath,
    /// How it is wrong.
    pub wrong: WrongMask,
    /// A thread that comes to it.
    pub thread: [u32; 3],
    /// One that the mask names, or that is read.
    pub other: Option<[u32; 3]>,
}

/// Operations with wrong masks in the first block, whatever memory and the arguments that nobody told hold; the shape of the
/// block has to be told. Without `meets` nothing is known of what is behind a barrier.
pub fn wrong_masks(root: &RootContext<'_>, kernel: FuncId, meets: bool) -> Vec<MaskWitness> {
    let mut out = Vec::new();
    if root.shape.threads().is_none_or(|n| n == 0 || n > PROOF_THREADS) {
        return out;
    }
    let Some(case) = case_of(root, kernel, [0; 3]) else { return out };
    let [x, y, z] = case.block;
    let mut budget = KERNEL_STEPS;
    let mut lanes = Vec::new();
    for thread in (0..z).flat_map(|c| (0..y).flat_map(move |b| (0..x).map(move |a| [a, b, c]))) {
        let mut walker = Walker::new(root, &case, thread);
        walker.lanes = Some(Vec::new());
        walker.steps = budget;
        let ended = walker.run(kernel).ended;
        budget = walker.steps;
        let events = walker.lanes.take().unwrap_or_default();
        lanes.push(Lane { thread, events, at: 0, ended });
        if lanes.len() == WARP {
            meet(&mut lanes, meets, &mut out);
            lanes.clear();
        }
    }
    meet(&mut lanes, meets, &mut out);
    if !out.is_empty() && states_what_holds(root) && !all_hold(root, kernel, &case, &mut { KERNEL_STEPS }) {
        out.clear();
    }
    out
}

/// A thread on its way.
struct Lane {
    thread: [u32; 3],
    events: Vec<Event>,
    /// Which of them it is at.
    at: usize,
    /// It is followed to its end.
    ended: bool,
}

impl Lane {
    fn has_left(&self) -> bool {
        self.ended && self.at == self.events.len()
    }

    fn is_lost(&self) -> bool {
        !self.ended && self.at == self.events.len()
    }
}

/// The lanes for which something holds.
fn those(lanes: &[Lane], is: impl Fn(&Lane) -> bool) -> u32 {
    lanes.iter().enumerate().filter(|(_, l)| is(l)).fold(0, |m, (n, _)| m | 1 << n)
}

/// Lets the lanes of a warp meet as far as they come.
fn meet(lanes: &mut [Lane], meets: bool, out: &mut Vec<MaskWitness>) {
    let mut note = |path: &BarrierPath, wrong: WrongMask, thread, other| {
        if !out.iter().any(|w: &MaskWitness| w.path == *path && w.wrong == wrong) {
            out.push(MaskWitness { path: path.clone(), wrong, thread, other });
        }
    };
    let lowest = |m: u32| m.trailing_zeros() as usize;
    let exist = those(lanes, |_| true);
    loop {
        let live = those(lanes, |l| !l.has_left());
        let mut moved = false;
        let mut stuck = None;
        for n in 0..lanes.len() {
            let Some(Event::Lanes { path, kin, mask, .. }) = lanes[n].events.get(lanes[n].at).cloned() else {
                continue;
            };
            let comes = |l: &Lane| matches!(l.events.get(l.at), Some(Event::Lanes { kin: k, mask: m, .. }) if *k == kin && *m == mask);
            let parties = those(lanes, comes);
            let missing = mask & live & !parties;
            if missing != 0 {
                if mask >> n & 1 == 0 {
                    note(&path, WrongMask::Omits, lanes[n].thread, None);
                }
                stuck = stuck.or(Some((path, n, lowest(missing))));
                continue;
            }
            let gone = mask & !live;
            for l in (0..lanes.len()).filter(|l| parties >> l & 1 == 1) {
                let lane = &lanes[l];
                let Some(Event::Lanes { path, reads, .. }) = lane.events.get(lane.at) else { continue };
                if mask >> l & 1 == 0 {
                    note(path, WrongMask::Omits, lane.thread, None);
                }
                if let (Some((operand, width)), Kin::Shfl(mode)) = (*reads, kin) {
                    let read = mode.source(l as u32, operand, width) as usize;
                    if parties >> read & 1 == 0 {
                        note(path, WrongMask::Stray, lane.thread, lanes.get(read).map(|l| l.thread));
                    }
                }
                // A device does not wait for lanes that have left, and `__syncwarp` exchanges no values.
                if gone != 0 && kin != Kin::Sync && mask >> l & 1 == 1 {
                    let (wrong, of) = match gone & !exist {
                        0 => (WrongMask::Exited, Some(lanes[lowest(gone)].thread)),
                        _ => (WrongMask::Absent, None),
                    };
                    note(path, wrong, lane.thread, of);
                }
            }
            for l in (0..lanes.len()).filter(|l| parties >> l & 1 == 1) {
                lanes[l].at += 1;
            }
            moved = true;
        }
        let wait = those(lanes, |l| matches!(l.events.get(l.at), Some(Event::Block)));
        let live = those(lanes, |l| !l.has_left());
        if meets && wait != 0 && wait == live {
            for l in lanes.iter_mut().filter(|l| !l.has_left()) {
                l.at += 1;
            }
            moved = true;
        }
        if moved {
            continue;
        }
        if let Some((path, n, other)) = stuck
            && !lanes.iter().any(Lane::is_lost)
            && (meets || wait == 0)
        {
            note(&path, WrongMask::Never, lanes[n].thread, Some(lanes[other].thread));
        }
        return;
    }
}

impl Walker<'_> {
    /// Writes down a warp operation, if somebody asks for those: whether its mask is known.
    pub(super) fn meets_lanes(
        &mut self,
        path: BarrierPath,
        op: &InstData,
        value: impl Fn(Value) -> Option<u128>,
    ) -> bool {
        let Some(events) = &mut self.lanes else { return true };
        let mut reads = None;
        let (kin, mask) = match *op {
            InstData::WarpSync { mask, .. } => (Kin::Sync, mask),
            InstData::Shfl { mode, mask, lane, width, .. } => {
                reads = value(lane).zip(value(width)).map(|(l, w)| (l as u32, w as u32));
                (Kin::Shfl(mode), mask)
            }
            InstData::Vote { mode, mask, .. } => (Kin::Vote(mode), mask),
            InstData::Match { mode, mask, .. } => (Kin::Match(mode), mask),
            InstData::Reduce { op, mask, .. } => (Kin::Reduce(op), mask),
            _ => return true,
        };
        let Some(mask) = value(mask) else { return false };
        events.push(Event::Lanes { path, kin, mask: mask as u32, reads });
        true
    }
}
