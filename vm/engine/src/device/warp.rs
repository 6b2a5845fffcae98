//! Warp operations.
//!
//! Lanes of a warp meet at an operation when they name the same lanes and do the same operation; where in the
//! program they stand does not matter. A convergence group whose lanes are all there goes on at once. Otherwise the
//! lanes of each warp that must wait become a convergence group of their own, until the others arrive or it is
//! certain that they never will.

use super::exec::{Exec, Flow, Yield};
use super::planes::Lane;
use super::strip::{ConvergenceGroup, State};
use super::values::View;
use crate::faults::{Notes, Who};
use cudair_bytecode::*;
use cudair_ir::*;
use cudair_lane::fault::{Fault, Stop};
use cudair_lane::{CHUNK, Mask};
use smallvec::SmallVec;

/// Lanes of one warp that name the same lanes.
#[derive(Clone, Copy, Debug)]
struct Group {
    warp: usize,
    mask: u32,
    lanes: u32,
}

/// What the lanes of a warp bring to an operation.
struct Operands {
    value: [u128; 32],
    a: [u32; 32],
    b: [u32; 32],
    /// Which bytes of the value were written, where that is known.
    init: [u32; 32],
    /// All of them; 0 where it is not known.
    whole: u32,
}

/// What they take away.
struct Results {
    first: [u128; 32],
    second: [u128; 32],
    /// Lanes that read a lane which does not take part.
    stray: u32,
    /// Lanes that get what was never written.
    unwritten: u32,
}

fn lanes_of(mask: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |l| mask >> l & 1 != 0)
}

fn compute(op: WarpOp, lanes: u32, x: &Operands) -> Results {
    let mut r = Results { first: [0; 32], second: [0; 32], stray: 0, unwritten: 0 };
    let holds = lanes_of(lanes).filter(|&l| x.value[l] as u32 != 0).fold(0, |m, l| m | 1u32 << l);
    let all = |r: &mut Results, v: u128| lanes_of(lanes).for_each(|l| r.first[l] = v);
    match op {
        WarpOp::Sync | WarpOp::ActiveMask => {}
        WarpOp::Shfl(mode) => {
            for l in lanes_of(lanes) {
                let s = mode.source(l as u32, x.a[l], x.b[l]) as usize;
                if s < 32 && lanes >> s & 1 != 0 {
                    r.first[l] = x.value[s];
                    if x.init[s] & x.whole != x.whole {
                        r.unwritten |= 1 << l;
                    }
                } else {
                    r.stray |= 1 << l;
                }
            }
        }
        WarpOp::Vote(mode) => {
            all(&mut r, vote(mode, holds, lanes).into());
        }
        WarpOp::Match(MatchMode::Any) => {
            for l in lanes_of(lanes) {
                let same = lanes_of(lanes).filter(|&o| x.value[o] == x.value[l]);
                r.first[l] = same.fold(0u32, |m, o| m | 1 << o).into();
            }
        }
        WarpOp::Match(MatchMode::All) => {
            let first = lanes.trailing_zeros() as usize;
            let equal = lanes_of(lanes).all(|l| x.value[l] == x.value[first.min(31)]);
            for l in lanes_of(lanes) {
                r.first[l] = if equal { lanes.into() } else { 0 };
                r.second[l] = equal.into();
            }
        }
        WarpOp::Reduce(op) => {
            let values = lanes_of(lanes).map(|l| x.value[l] as u32);
            let signed = lanes_of(lanes).map(|l| x.value[l] as u32 as i32);
            let v = match op {
                ReduceOp::Add => values.fold(0, u32::wrapping_add),
                ReduceOp::Smin => signed.fold(i32::MAX, i32::min) as u32,
                ReduceOp::Smax => signed.fold(i32::MIN, i32::max) as u32,
                ReduceOp::Umin => values.fold(u32::MAX, u32::min),
                ReduceOp::Umax => values.fold(0, u32::max),
                ReduceOp::And => values.fold(u32::MAX, |a, b| a & b),
                ReduceOp::Or => values.fold(0, |a, b| a | b),
                ReduceOp::Xor => values.fold(0, |a, b| a ^ b),
            };
            all(&mut r, v.into());
        }
    }
    r
}

/// What a reader calls the operation.
fn name(op: WarpOp) -> &'static str {
    match op {
        WarpOp::Sync => "__syncwarp",
        WarpOp::Shfl(ShflMode::Idx) => "__shfl_sync",
        WarpOp::Shfl(ShflMode::Up) => "__shfl_up_sync",
        WarpOp::Shfl(ShflMode::Down) => "__shfl_down_sync",
        WarpOp::Shfl(ShflMode::Bfly) => "__shfl_xor_sync",
        WarpOp::Vote(VoteMode::All) => "__all_sync",
        WarpOp::Vote(VoteMode::Any) => "__any_sync",
        WarpOp::Vote(VoteMode::Ballot) => "__ballot_sync",
        WarpOp::Vote(VoteMode::Uni) => "__uni_sync",
        WarpOp::Match(MatchMode::Any) => "__match_any_sync",
        WarpOp::Match(MatchMode::All) => "__match_all_sync",
        WarpOp::Reduce(_) => "__reduce_sync",
        WarpOp::ActiveMask => "__activemask",
    }
}

/// Lanes as a reader counts them.
fn lane_list(mask: u32) -> String {
    super::block::ranges(lanes_of(mask).map(|l| l as u32), "lane")
}

impl Exec<'_> {
    /// A warp operation; `pc` is the operation after it.
    pub(crate) fn warp(
        &mut self,
        f: &mut ConvergenceGroup,
        desc: &WarpDesc,
        pc: usize,
        view: View,
    ) -> Result<Flow, Stop> {
        let warps = self.strip.shape.lanes.div_ceil(32) as usize;
        if desc.op == WarpOp::ActiveMask {
            for w in 0..warps {
                let lanes = f.mask.warp(w);
                if let (Some(Some(d)), true) = (desc.d.first(), lanes != 0) {
                    view.splat(d.reg, &Mask::of_warp(w, lanes), lanes.into());
                }
            }
            return Ok(Flow::Next);
        }
        let mut done: SmallVec<[Group; 8]> = SmallVec::new();
        let mut wait: SmallVec<[Group; 8]> = SmallVec::new();
        for w in 0..warps {
            let lanes = f.mask.warp(w);
            if lanes == 0 {
                continue;
            }
            let live = self.strip.live.warp(w);
            for mut g in groups(view, desc, w, lanes) {
                let outside = g.lanes & !g.mask;
                if outside != 0 {
                    self.note_mask(f, desc, pc, g, outside, Wrong::OmitsCaller);
                    g.mask |= g.lanes;
                }
                if g.mask & live & !g.lanes != 0 {
                    wait.push(g);
                    continue;
                }
                if outside == 0 {
                    self.note_gone(f, desc, pc, g);
                }
                done.push(g);
            }
        }
        self.check_width(f, desc, pc, view);
        self.complete_here(f, desc, pc, view, &done);
        if wait.is_empty() {
            return Ok(Flow::Next);
        }
        let waiting: Mask = wait.iter().fold(Mask::NONE, |m, g| m.or(&Mask::of_warp(g.warp, g.lanes)));
        for g in &wait {
            let mut other = f.split(Mask::of_warp(g.warp, g.lanes), &mut self.strip.pool);
            other.state = State::Warp { warp: g.warp, mask: g.mask };
            self.strip.groups.push(other);
        }
        f.mask = f.mask.without(&waiting);
        for g in &wait {
            self.try_complete(g.warp, g.mask)?;
        }
        if f.mask.is_empty() {
            let words = std::mem::take(&mut f.words);
            self.strip.pool.push(words);
            return Ok(Flow::Leave(Yield::Next));
        }
        Ok(Flow::Next)
    }

    /// Completes groups whose lanes are all in `f`.
    fn complete_here(
        &mut self,
        f: &ConvergenceGroup,
        desc: &WarpDesc,
        pc: usize,
        view: View,
        groups: &[Group],
    ) {
        for g in groups {
            let quick = match desc.op {
                WarpOp::Shfl(mode) => shuffle_registers(view, desc, mode, *g),
                WarpOp::Vote(mode) => vote_registers(view, desc, mode, *g),
                _ => false,
            };
            if quick {
                continue;
            }
            let operands = gather(desc, g.warp, g.lanes, |_| view);
            let results = compute(desc.op, g.lanes, &operands);
            scatter(desc, g.warp, g.lanes, &results, view);
            self.after(f, desc, pc, *g, &results);
        }
    }

    /// What an operation leaves behind besides its results.
    fn after(&mut self, f: &ConvergenceGroup, desc: &WarpDesc, pc: usize, g: Group, results: &Results) {
        if desc.op == WarpOp::Sync {
            let warp = self.strip.shape.first_thread / 32 + g.warp as u32;
            self.block.warp_sync(warp, g.lanes);
            let block = self.strip.shape.block_index;
            self.worker.mem.grid.warp_sync(block, warp, g.lanes);
        }
        if results.stray & g.lanes != 0 {
            self.note_mask(f, desc, pc, g, results.stray, Wrong::ReadsStray);
        }
        if results.unwritten & g.lanes != 0 {
            self.note_unwritten(f, desc, pc, g, results.unwritten & g.lanes);
        }
    }

    /// Lanes get a value that the lane they ask has never written.
    #[cold]
    fn note_unwritten(&mut self, f: &ConvergenceGroup, desc: &WarpDesc, pc: usize, g: Group, lanes: u32) {
        let code = f.top().code.code();
        let who: Who = self.who(&Mask::of_warp(g.warp, lanes));
        let op = name(desc.op);
        self.worker.note_once((code.func.as_u32(), pc as u32 - 1, UNWRITTEN), who, || {
            Fault::other(
                Kind::UninitializedRead,
                code.fault_place(pc - 1),
                format!("`{op}` gives {} a value that was never written", lane_list(lanes)),
                "the lane that is read has not written its value",
            )
            .with_help("give the variable a value in the lanes that others read, before this operation")
        });
    }

    /// Completes the operation for which lanes of `warp` that name `mask` wait, if all have arrived. Whether
    /// any did.
    fn try_complete(&mut self, warp: usize, mask: u32) -> Result<bool, Stop> {
        let wanted = State::Warp { warp, mask };
        let live = self.strip.live.warp(warp);
        let mut kinds: SmallVec<[(WarpOp, u32); 2]> = SmallVec::new();
        for f in self.strip.groups.iter().filter(|f| f.state == wanted) {
            let Some(desc) = pending(f) else { continue };
            let lanes = f.mask.warp(warp);
            match kinds.iter_mut().find(|k| k.0 == desc.op) {
                Some(k) => k.1 |= lanes,
                None => kinds.push((desc.op, lanes)),
            }
        }
        let mut any = false;
        for (op, lanes) in kinds {
            if mask & live & !lanes != 0 {
                continue;
            }
            any = true;
            let mut parties = Vec::new();
            let mut i = 0;
            while i < self.strip.groups.len() {
                let f = &self.strip.groups[i];
                if f.state == wanted && pending(f).is_some_and(|d| d.op == op) {
                    parties.push(self.strip.groups.swap_remove(i));
                } else {
                    i += 1;
                }
            }
            let mut operands = Operands::default();
            let mut views = Vec::new();
            for f in &mut parties {
                let view = self.view(f);
                views.push(view);
                let Some(desc) = pending(f) else { continue };
                let own = f.mask.warp(warp);
                let part = gather(desc, warp, own, |_| view);
                for l in lanes_of(own) {
                    operands.value[l] = part.value[l];
                    operands.a[l] = part.a[l];
                    operands.b[l] = part.b[l];
                    operands.init[l] = part.init[l];
                }
                operands.whole |= part.whole;
            }
            let results = compute(op, lanes, &operands);
            for (n, f) in parties.iter_mut().enumerate() {
                // Looking up one view may have moved the files of another: none grows here, since each frame
                // has run.
                let Some(desc) = pending(f) else { continue };
                let own = f.mask.warp(warp);
                scatter(desc, warp, own, &results, views[n]);
                let pc = f.top().pc + 1;
                // Lanes that name not even themselves have been told so.
                if groups(views[n], desc, warp, own).iter().all(|g| g.lanes & !g.mask == 0) {
                    self.note_gone(f, desc, pc, Group { warp, mask, lanes: own });
                }
                if n == 0 {
                    self.after(f, desc, pc, Group { warp, mask, lanes }, &results);
                } else if results.stray & own != 0 {
                    self.note_mask(
                        f,
                        desc,
                        pc,
                        Group { warp, mask, lanes: own },
                        results.stray,
                        Wrong::ReadsStray,
                    );
                }
                f.state = State::Ready;
                f.top_mut().pc = pc;
            }
            self.strip.groups.append(&mut parties);
        }
        Ok(any)
    }

    /// Nothing of the strip can run: completes what can be completed now that lanes have exited. Whether
    /// something can run again; where lanes wait for others that never arrive, that is a fault.
    pub(crate) fn resolve_warps(&mut self) -> Result<bool, Stop> {
        let waiting: SmallVec<[(usize, u32); 8]> = self
            .strip
            .groups
            .iter()
            .filter_map(|f| match f.state {
                State::Warp { warp, mask } => Some((warp, mask)),
                _ => None,
            })
            .collect();
        let mut any = false;
        for &(warp, mask) in &waiting {
            any |= self.try_complete(warp, mask)?;
        }
        if any || waiting.is_empty() {
            return Ok(any);
        }
        let Some(f) = self.strip.groups.iter().find(|f| matches!(f.state, State::Warp { .. })) else {
            return Ok(false);
        };
        Err(self.never_arrive(f))
    }

    /// The fault for lanes that wait for others of their warp in vain.
    fn never_arrive(&self, f: &ConvergenceGroup) -> Stop {
        let State::Warp { warp, mask } = f.state else {
            return Stop::internal("a convergence group that does not wait");
        };
        let top = f.top();
        let code = top.code.code();
        let op = pending(f).map_or("a warp operation", |d| name(d.op));
        let missing = mask & self.strip.live.warp(warp) & !f.mask.warp(warp);
        let mut fault = Fault::other(
            Kind::SyncMask,
            code.fault_place(top.pc),
            format!("`{op}` waits for lanes of its warp that never arrive"),
            format!("{} wait here and name mask {mask:#010x}", lane_list(f.mask.warp(warp))),
        );
        for other in &self.strip.groups {
            let lanes = other.mask.warp(warp) & missing;
            if lanes != 0 {
                let at = other.top().code.code().fault_place(other.top().pc);
                let what = if matches!(other.state, State::Barrier { .. }) {
                    "the barrier of the block"
                } else {
                    "another warp operation"
                };
                fault = fault.with_related(at, format!("{} wait here, at {what}", lane_list(lanes)));
            }
        }
        fault = fault.with_help("name exactly the lanes that execute the operation, and no others");
        let who = self.who(&f.mask);
        (fault.thread, fault.launch, fault.count) = (who.thread, who.launch, who.count);
        fault.into()
    }

    /// Lanes complete an operation: their mask may name lanes that are not there, or no longer.
    fn note_gone(&mut self, f: &ConvergenceGroup, desc: &WarpDesc, pc: usize, g: Group) {
        let all = self.strip.all.warp(g.warp);
        let live = all & !self.strip.exited().warp(g.warp);
        // `__syncwarp` asks for the lanes that have not exited, and no values are exchanged.
        if desc.op == WarpOp::Sync || g.mask & !live == 0 {
            return;
        }
        match g.mask & !all {
            0 => self.note_mask(f, desc, pc, g, g.mask & !live, Wrong::NamesExited),
            absent => self.note_mask(f, desc, pc, g, absent, Wrong::NamesAbsent),
        }
    }

    /// The width of a shuffle's segments must be a power of two up to 32.
    fn check_width(&mut self, f: &ConvergenceGroup, desc: &WarpDesc, pc: usize, view: View) {
        let (WarpOp::Shfl(_), Some(width)) = (desc.op, desc.args.get(2)) else { return };
        let good = |w: u32| w.is_power_of_two() && w <= 32;
        let bad = match width.reg.is_scalar() {
            true if good(view.get(width.reg, 0) as u32) => return,
            true => f.mask,
            false => f.mask.iter().filter(|&l| !good(view.get(width.reg, l) as u32)).collect(),
        };
        let Some(first) = bad.lowest() else { return };
        let code = f.top().code.code();
        let value = view.get(width.reg, first) as u32 as i32;
        let op = name(desc.op);
        self.worker.note_once((code.func.as_u32(), pc as u32 - 1, WIDTH), self.who(&bad), || {
            Fault::other(
                Kind::UndefinedBehavior,
                code.fault_place(pc - 1),
                format!("`{op}` with a width of {value}"),
                "the width must be a power of two up to 32",
            )
            .with_help("use 2, 4, 8, 16 or 32, and handle the rest by the lane's index")
        });
    }

    /// A mask that is wrong, but with which the program goes on.
    #[cold]
    fn note_mask(
        &mut self,
        f: &ConvergenceGroup,
        desc: &WarpDesc,
        pc: usize,
        g: Group,
        which: u32,
        wrong: Wrong,
    ) {
        let code = f.top().code.code();
        let lanes = match wrong {
            Wrong::OmitsCaller | Wrong::ReadsStray => which & g.lanes,
            _ => g.lanes,
        };
        let who: Who = self.who(&Mask::of_warp(g.warp, lanes));
        let op = name(desc.op);
        let place = code.fault_place(pc - 1);
        let strict = self.worker.mem.grid.strict;
        let key = (code.func.as_u32(), pc as u32 - 1, wrong as u8);
        self.worker.note_once(key, who, || {
            let list = lane_list(which);
            let mask = g.mask;
            match wrong {
                Wrong::OmitsCaller => Fault::other(
                    Kind::SyncMask,
                    place,
                    format!("the mask of `{op}` omits lanes that execute it"),
                    format!("{list} of the warp execute this, the mask is {mask:#010x}"),
                )
                .with_help(
                    "name each lane that executes it; `__ballot_sync` before the branch gives the mask of those \
                     that take it",
                ),
                Wrong::NamesAbsent => Fault::other(
                    Kind::SyncMask,
                    place,
                    format!("the mask of `{op}` names lanes that the block does not have"),
                    format!("mask {mask:#010x} names {list}"),
                )
                .with_help("name only the lanes that exist")
                // Every device goes on without them.
                .with_severity(if strict { Severity::Error } else { Severity::Note }),
                Wrong::NamesExited => Fault::other(
                    Kind::SyncMask,
                    place,
                    format!("the mask of `{op}` names lanes that have exited"),
                    format!("mask {mask:#010x} names {list}"),
                )
                .with_help("name only the lanes that execute it: a lane that has exited or takes another \
                            branch cannot take part")
                .warning(),
                Wrong::ReadsStray => Fault::other(
                    Kind::SyncMask,
                    place,
                    format!("`{op}` reads from a lane that does not take part"),
                    format!("{list} of the warp read from lanes that do not execute this"),
                )
                .with_help("the value is undefined: let the lanes that are read execute it too, with one mask"),
            }
        });
    }
}

/// The usual shuffle: a value of one or two words that is all written, between lanes that all take part. False
/// where it is another, and nothing is done.
fn shuffle_registers(view: View, desc: &WarpDesc, mode: ShflMode, g: Group) -> bool {
    let [value, lane, width, init @ ..] = desc.args.as_slice() else { return false };
    let (Reg::S(width), Some(Some(to))) = (width.reg, desc.d.first()) else { return false };
    let width = view.s.get(width) as u32;
    let at = g.warp * 32;
    let table: [u8; 32] = match lane.reg {
        Reg::S(r) => {
            let operand = view.s.get(r) as u32;
            std::array::from_fn(|l| mode.source(l as u32, operand, width) as u8)
        }
        Reg::V(r) if g.lanes == u32::MAX => {
            let operands = &view.v.words(r.0, 1)[at..at + 32];
            std::array::from_fn(|l| mode.source(l as u32, operands[l], width) as u8)
        }
        _ => return false,
    };
    let read = lanes_of(g.lanes).fold(0u32, |m, l| m | 1u32.checked_shl(table[l].into()).unwrap_or(0));
    let outside = lanes_of(g.lanes).any(|l| table[l] >= 32);
    if outside || read & !g.lanes != 0 {
        return false;
    }
    let whole = whole(desc);
    let written = |i: &TypedReg| match i.reg {
        Reg::S(r) => view.s.get(r) as u32 & whole == whole,
        Reg::V(r) => {
            let bits = view.v.words(r.0, 1);
            lanes_of(read).all(|l| bits[at + l] & whole == whole)
        }
        _ => false,
    };
    if !init.iter().all(written) {
        return false;
    }
    match (to.reg, value.reg) {
        (Reg::V(d), Reg::V(a)) => permute::<u32>(view, d, a, g, &table),
        (Reg::W(d), Reg::W(a)) => permute::<u64>(view, d, a, g, &table),
        _ => return false,
    }
    true
}

/// Lane `l` of the group gets what lane `table[l]` of its warp has.
fn permute<T: Lane>(view: View, d: T::Reg, a: T::Reg, g: Group, table: &[u8; 32]) {
    let chunks = [2 * g.warp, 2 * g.warp + 1].map(|c| c.min(view.v.chunks() - 1));
    let old = chunks.map(|c| view.v.chunk::<T>(a, c));
    let flat: [T; 32] = std::array::from_fn(|l| old[l / CHUNK][l % CHUNK]);
    for (half, c) in chunks.into_iter().enumerate() {
        let lanes = (g.lanes >> (16 * half)) as u16;
        if lanes != 0 {
            let new = std::array::from_fn(|i| flat[usize::from(table[CHUNK * half + i] & 31)]);
            view.v.set_chunk::<T>(d, c, lanes, new);
        }
    }
}

/// The usual vote, on a predicate or a word. False where it is another, and nothing is done.
fn vote_registers(view: View, desc: &WarpDesc, mode: VoteMode, g: Group) -> bool {
    let ([value], Some(Some(d))) = (desc.args.as_slice(), desc.d.first()) else { return false };
    let holds = match value.reg {
        Reg::P(p) => view.v.pred(p).warp(g.warp) & g.lanes,
        Reg::V(r) => {
            let words = &view.v.words(r.0, 1)[g.warp * 32..];
            lanes_of(g.lanes).fold(0, |m, l| m | u32::from(words[l] != 0) << l)
        }
        _ => return false,
    };
    view.splat(d.reg, &Mask::of_warp(g.warp, g.lanes), vote(mode, holds, g.lanes).into());
    true
}

/// What a vote of `lanes` tells, `holds` of which say yes.
fn vote(mode: VoteMode, holds: u32, lanes: u32) -> u32 {
    match mode {
        VoteMode::All => u32::from(holds == lanes),
        VoteMode::Any => u32::from(holds != 0),
        VoteMode::Ballot => holds,
        VoteMode::Uni => u32::from(holds == 0 || holds == lanes),
    }
}

/// What is wrong with a mask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wrong {
    OmitsCaller = 101,
    NamesAbsent = 102,
    NamesExited = 103,
    ReadsStray = 104,
}

/// In the key of a finding, beside the codes of [`Wrong`].
const WIDTH: u8 = 105;
/// Likewise.
const UNWRITTEN: u8 = 106;

/// The warp operation that a convergence group waits at.
fn pending<'a>(f: &ConvergenceGroup) -> Option<&'a WarpDesc> {
    let top = f.top();
    let code = top.code.code();
    match code.ops.get(top.pc) {
        Some(Op::Warp { id }) => code.tables.warps.get(*id),
        _ => None,
    }
}

/// The lanes of a warp by the mask that they name.
fn groups(view: View, desc: &WarpDesc, warp: usize, lanes: u32) -> SmallVec<[Group; 1]> {
    let mut out: SmallVec<[Group; 1]> = SmallVec::new();
    let Some(reg) = desc.mask else {
        out.push(Group { warp, mask: lanes, lanes });
        return out;
    };
    if reg.is_scalar() {
        out.push(Group { warp, mask: view.get(reg, 0) as u32, lanes });
        return out;
    }
    for l in lanes_of(lanes) {
        let mask = view.get(reg, warp * 32 + l) as u32;
        match out.iter_mut().find(|g| g.mask == mask) {
            Some(g) => g.lanes |= 1 << l,
            None => out.push(Group { warp, mask, lanes: 1 << l }),
        }
    }
    out
}

/// The bits of initialisation of a shuffled value that is all written; 0 where they are not known.
fn whole(desc: &WarpDesc) -> u32 {
    match desc.args.as_slice() {
        [value, _, _, _] => (1 << value.ty.access_bytes()) - 1,
        _ => 0,
    }
}

impl Default for Operands {
    fn default() -> Operands {
        Operands { value: [0; 32], a: [0; 32], b: [0; 32], init: [u32::MAX; 32], whole: 0 }
    }
}

fn gather(desc: &WarpDesc, warp: usize, lanes: u32, view: impl Fn(usize) -> View) -> Operands {
    let mut x = Operands { whole: whole(desc), ..Operands::default() };
    for l in lanes_of(lanes) {
        let lane = warp * 32 + l;
        let v = view(lane);
        let arg = |i: usize| desc.args.get(i).map_or(0, |a| v.get(a.reg, lane));
        (x.value[l], x.a[l], x.b[l]) = (arg(0), arg(1) as u32, arg(2) as u32);
        if desc.args.len() > 3 {
            x.init[l] = arg(3) as u32;
        }
    }
    x
}

fn scatter(desc: &WarpDesc, warp: usize, lanes: u32, r: &Results, view: View) {
    for l in lanes_of(lanes) {
        for (d, values) in desc.d.iter().zip([&r.first, &r.second]) {
            if let Some(d) = d {
                view.set(d.reg, warp * 32 + l, values[l] & d.ty.bit_mask());
            }
        }
    }
}
