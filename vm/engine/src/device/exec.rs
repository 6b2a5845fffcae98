//! The device's loop: runs one convergence group until it exits, waits, or another is to run.

use super::grid::Grid;
use super::schedule::After;
use super::strip::{ConvergenceGroup, PATIENCE_MAX, PATIENCE_MIN, Strip};
use super::values::View;
use super::vector::{self, ALL, LaneUb, VecCx};
use crate::config::AfterFault;
use crate::eval;
use crate::eval::{FirstNan, FloatMinMax, Ub};
use crate::faults::{Notes, Who, call_places, locate};
use crate::operands::Operands;
use crate::scalar::*;
use crate::worker::{Lent, Worker};
use cudair_bytecode::*;
use cudair_ir::*;
use cudair_lane::fault::{Fault, Stop};
use cudair_lane::ptr::Ptr;
use cudair_lane::{Mask, MemSide};
use cudair_memory::{BlockMem, LaneCx};

/// Why a convergence group stopped running. Unless it exited, it is back among the strip's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Yield {
    /// It left the kernel, waits, or others come first.
    Next,
    /// It ran for long and no other of the strip can run: other strips and blocks may.
    Turn,
}

/// What runs a convergence group: the worker, the launch, the block, the strip.
pub(crate) struct Exec<'a> {
    pub(crate) worker: &'a mut Worker,
    /// The rest of the machine, unless several workers share it.
    pub(crate) rest: Option<Lent<'a>>,
    pub(crate) grid: &'a Grid,
    pub(crate) block: &'a mut BlockMem,
    pub(crate) strip: &'a mut Strip,
    /// The block has no other strip.
    pub(crate) single: bool,
}

/// Where control goes after an operation that is not worth a place in the loop.
pub(crate) enum Flow {
    /// To the next operation.
    Next,
    /// To the innermost frame, which may be another.
    Reload,
    /// Away.
    Leave(Yield),
}

impl Exec<'_> {
    /// The lanes of `mask` as a fault names them.
    pub(crate) fn who(&self, mask: &Mask) -> Who {
        Who {
            thread: mask.lowest().map(|l| self.strip.shape.thread(l)),
            launch: self.strip.shape.launch,
            count: mask.count().into(),
        }
    }

    /// On whose behalf memory is touched, and the memory.
    pub(crate) fn memory<'b>(&'b mut self, mask: &'b Mask) -> (&'b mut cudair_memory::Memory, LaneCx<'b>) {
        let cx = LaneCx {
            side: MemSide::Device,
            mask,
            block: Some(&mut *self.block),
            locals: Some(&mut self.strip.locals),
            shape: &self.strip.shape,
            findings: &mut self.worker.findings,
        };
        (&mut self.worker.mem, cx)
    }

    /// The registers of the innermost frame.
    pub(crate) fn view(&mut self, f: &mut ConvergenceGroup) -> View {
        let top = *f.top();
        let code = top.code.code();
        View { s: f.words.frame(top.base, code), v: self.strip.planes.frame(top.vbase, top.pbase, code) }
    }

    /// Runs a convergence group.
    pub(crate) fn run(&mut self, mut f: ConvergenceGroup) -> Result<Yield, Stop> {
        loop {
            let mut place = None;
            let stop = match self.run_from(&mut f, &mut place) {
                Ok(how) => return Ok(how),
                Err(stop) => stop,
            };
            let stop = match place {
                Some((code, pc)) => {
                    let code: crate::regs::CodeRef = code;
                    if let Some(top) = f.frames.last_mut().filter(|top| top.code == code) {
                        top.pc = pc;
                    }
                    locate(&self.grid.program.module, code.code(), pc, stop)
                }
                None => stop,
            };
            let stop = match stop {
                Stop::Fault(mut fault) if fault.calls.is_empty() => {
                    let outer = f.frames.iter().rev().skip(1);
                    fault.calls = call_places(outer.map(|top| (top.code, top.pc))).collect();
                    Stop::Fault(fault)
                }
                stop => stop,
            };
            if self.worker.state.asks && matches!(stop, Stop::Fault(_)) {
                self.stopped(&f, &stop)?;
            }
            match stop {
                Stop::Fault(fault)
                    if self.grid.program.config.after_fault == AfterFault::Thread && !f.frames.is_empty() =>
                {
                    self.end_threads(&mut f, *fault);
                    if f.mask.is_empty() {
                        return Ok(Yield::Next);
                    }
                    // The others have done the operation.
                    f.top_mut().pc += 1;
                }
                stop => {
                    // Whoever tells what was alive finds it where it was.
                    if !f.frames.is_empty() {
                        self.strip.groups.push(f);
                    }
                    return Err(stop);
                }
            }
        }
    }

    /// Tells of a fault and ends the threads that it is of. The rest of the launch takes them for threads that have
    /// left the kernel.
    #[cold]
    fn end_threads(&mut self, f: &mut ConvergenceGroup, mut fault: Fault) {
        let (lanes, others) = match fault.lanes.take() {
            Some(lanes) => (f.mask.and(&lanes.mask), lanes.others),
            None => (f.mask, Vec::new()),
        };
        for mut fault in std::iter::once(fault).chain(others) {
            fault.launch = fault.launch.or(Some(self.grid.launch_ref));
            self.worker.findings.note(fault);
        }
        for frame in &f.frames {
            if let Some(locals) = frame.locals {
                self.strip.locals.leave(locals, &lanes);
            }
        }
        f.mask = f.mask.without(&lanes);
        self.strip.end(&lanes);
        self.worker.state.ended += u64::from(lanes.count());
        // Whoever waits may wait for one thread less.
        self.worker.state.changes += 1;
        if f.mask.is_empty() {
            self.strip.pool.push(std::mem::take(&mut f.words));
        }
    }

    /// Puts a convergence group back that goes on at `pc`.
    fn put_back(&mut self, f: &mut ConvergenceGroup, pc: usize) {
        f.top_mut().pc = pc;
        self.strip.groups.push(std::mem::replace(f, ConvergenceGroup::empty()));
    }

    /// A long run of back edges ends at `pc`: fuel, the clock, a look at whether anything has changed, and
    /// then others run.
    #[cold]
    fn out_of_turn(&mut self, f: &mut ConvergenceGroup, pc: usize) -> Result<Yield, Stop> {
        let turn = u64::from(self.strip.patience);
        self.worker.spend(turn * u64::from(f.mask.count()))?;
        f.top_mut().pc = pc;
        let now = (self.strip.fingerprint(f, &mut self.worker.state.loops), self.worker.state.changes);
        let before = f.seen.replace(now);
        f.stuck_at = (before == Some(now)).then_some(now.1);
        self.strip.note_turn(now.1);
        if let Some(turn) = self.strip.turn_scheduled() {
            self.strip.patience = turn;
        } else if self.strip.has_ready() || f.stuck_at.is_some() {
            // Others run soon, of this block or of another, for which it may wait.
            self.strip.patience = (self.strip.patience / 2).max(PATIENCE_MIN);
        } else if before.is_some_and(|seen| seen.0 != now.0) {
            self.strip.patience = (self.strip.patience * 2).clamp(PATIENCE_MIN, PATIENCE_MAX);
        }
        self.strip.turn_left = self.strip.patience;
        f.deferred = true;
        self.put_back(f, pc);
        if self.strip.has_turn_left() {
            return Ok(Yield::Next);
        }
        // All had their turn.
        for f in &mut self.strip.groups {
            f.deferred = false;
        }
        Ok(Yield::Turn)
    }

    fn run_from(
        &mut self,
        f: &mut ConvergenceGroup,
        place: &mut Option<(crate::regs::CodeRef, usize)>,
    ) -> Result<Yield, Stop> {
        let avx2 = self.grid.avx2;
        'frame: loop {
            let top = *f.top();
            let code = top.code.code();
            let ops = top.code.ops();
            let view = self.view(f);
            let (s, v) = (view.s, view.v);
            let mut pc = top.pc;
            // Lanes whose registers are written: all, where no other convergence group's could be harmed.
            let mut write = if self.strip.groups.is_empty() { ALL } else { f.mask };

            macro_rules! jump {
                ($target:expr) => {{
                    let target = $target.index();
                    let back = target < pc;
                    pc = target;
                    if back {
                        tick!(pc);
                    }
                }};
            }
            // Counts a back edge or a call; `$pc` is where to go on when the turn is over.
            macro_rules! tick {
                ($pc:expr) => {{
                    self.strip.turn_left -= 1;
                    if self.strip.turn_left == 0 {
                        let pc = $pc;
                        *place = Some((top.code, pc));
                        return self.out_of_turn(f, pc);
                    }
                }};
            }
            macro_rules! ub {
                ($ub:expr) => {{
                    let who = self.who(&f.mask);
                    *place = Some((top.code, pc - 1));
                    self.worker.undefined(code, pc - 1, $ub, who, &Operands::Read(&|r| view.get(r, 0)))?;
                }};
            }
            macro_rules! flow {
                ($e:expr) => {{
                    *place = Some((top.code, pc - 1));
                    match $e? {
                        Flow::Next => {}
                        Flow::Reload => continue 'frame,
                        Flow::Leave(y) => return Ok(y),
                    }
                }};
            }
            // Splits off the lanes of `$away`, which go on at `$to`.
            macro_rules! split {
                ($away:expr, $to:expr) => {{
                    let away: Mask = $away;
                    let mut other = f.split(away, &mut self.strip.pool);
                    other.top_mut().pc = $to;
                    f.mask = f.mask.without(&away);
                    write = f.mask;
                    self.strip.groups.push(other);
                }};
            }
            macro_rules! branch {
                ($taken:expr, $target:expr) => {{
                    let taken: Mask = $taken;
                    let target: Target = $target;
                    if self.grid.perf {
                        self.count_branch(&f.mask, &taken, code, pc - 1);
                    }
                    if taken == f.mask {
                        jump!(target);
                    } else if !taken.is_empty() {
                        // The side that lies first in the layout goes on.
                        if target.index() >= pc {
                            split!(taken, target.index());
                        } else {
                            split!(f.mask.without(&taken), pc);
                            jump!(target);
                        }
                        if self.strip.schedule.is_some() && self.strip.turns_over(self.worker.state.changes) {
                            self.put_back(f, pc);
                            return Ok(Yield::Next);
                        }
                    }
                }};
            }

            loop {
                let op = ops.at(pc);
                pc += 1;
                scalar_match!(op, s, true, ub, jump, {
                    Op::BrP { c, target } => branch!(f.mask.and(&v.pred(c)), target),
                    Op::BrNotP { c, target } => branch!(f.mask.without(&v.pred(c)), target),
                    Op::Join { .. } => {
                        if !self.strip.groups.is_empty() {
                            f.top_mut().pc = pc - 1;
                            if self.strip.has_earlier(f) {
                                self.put_back(f, pc - 1);
                                return Ok(Yield::Next);
                            }
                            self.strip.absorb(f);
                            write = if self.strip.groups.is_empty() { ALL } else { f.mask };
                        }
                    }
                    Op::SwitchS { a, table } => {
                        let target = code.tables.switches[table].target(s.get(a));
                        jump!(target);
                    }
                    Op::SwitchV { a, table } => {
                        let table = &code.tables.switches[table];
                        let target = |l: usize| table.target(v.lane::<u32>(a, l).into());
                        pc = self.switch(f, target)?;
                        write = if self.strip.groups.is_empty() { ALL } else { f.mask };
                        if self.strip.schedule.is_some() && self.strip.turns_over(self.worker.state.changes) {
                            self.put_back(f, pc);
                            return Ok(Yield::Next);
                        }
                    }
                    Op::SwitchW { a, table } => {
                        let table = &code.tables.switches[table];
                        pc = self.switch(f, |l| table.target(v.lane::<u64>(a, l)))?;
                        write = if self.strip.groups.is_empty() { ALL } else { f.mask };
                        if self.strip.schedule.is_some() && self.strip.turns_over(self.worker.state.changes) {
                            self.put_back(f, pc);
                            return Ok(Yield::Next);
                        }
                    }
                    Op::Call { call } => {
                        tick!(pc - 1);
                        f.top_mut().pc = pc;
                        flow!(self.call(f, &code.tables.calls[call], pc, view));
                    }
                    Op::Ret {} => {
                        f.top_mut().pc = pc;
                        flow!(self.leave(f, None));
                    }
                    Op::RetS { a } => {
                        f.top_mut().pc = pc;
                        flow!(self.leave(f, Some(Reg::S(a))));
                    }
                    Op::RetR { a } => {
                        f.top_mut().pc = pc;
                        flow!(self.leave(f, Some(code.tables.regs[a].reg)));
                    }
                    Op::Bounds { a, len } => {
                        let index = s.get(a);
                        if index >= len as u64 {
                            let who = self.who(&f.mask);
                            self.worker.outside_row(code, pc - 1, index, len, who);
                        }
                    }
                    Op::Fact { id } => {
                        *place = Some((top.code, pc - 1));
                        self.test_fact(f, code, &code.tables.facts[id], view)?;
                    }
                    Op::Barrier { id } => {
                        f.top_mut().pc = pc - 1;
                        flow!(self.barrier(f, &code.tables.barriers[id], pc, view));
                    }
                    Op::Warp { id } => {
                        f.top_mut().pc = pc - 1;
                        flow!(self.warp(f, &code.tables.warps[id], pc, view));
                        write = if self.strip.groups.is_empty() { ALL } else { f.mask };
                    }
                    ops!(Leave | ScalarLoad | ScalarStore | HostMemory | HostPair | HostMemoryPair)
                    | ops!(Variable | Address | Generic | VectorCheck | Rare | VectorMove | VectorInt)
                    | ops!(VectorFloat | Predicate | VectorAddress | LaneValue | VectorMemory) => {
                        if self.worker.state.watch.is_interrupted() {
                            *place = Some((top.code, pc - 1));
                            self.worker.state.watch.check()?;
                        }
                        let start = pc - 1;
                        pc = start;
                        let late = !self.strip.locals.late.is_empty();
                        let cx = VecCx { ops, s, v, write: &write, active: &f.mask, late };
                        let ub = vector::run(&cx, &mut pc, avx2);
                        if let (Some(LaneUb { ub: Ub::Row, lanes, .. }), Some(first)) =
                            (ub, ub.and_then(|u| u.lanes.lowest()))
                        {
                            let who = self.who(&lanes);
                            match *ops.at(pc - 1) {
                                Op::VBounds { a, len } => {
                                    let index = v.lane::<u32>(a, first).into();
                                    self.worker.outside_row(code, pc - 1, index, len, who);
                                }
                                Op::WBounds { a, len } => {
                                    self.worker.outside_row(code, pc - 1, v.lane::<u64>(a, first), len, who);
                                }
                                _ => {}
                            }
                        } else if let Some(bad) = ub {
                            let who = self.who(&bad.lanes);
                            *place = Some((top.code, pc - 1));
                            let first = bad.lanes.lowest().unwrap_or(0);
                            let read = |r| view.get(r, first);
                            let operands = match bad.seen {
                                Some(seen) => Operands::Known(seen),
                                None => Operands::Written(&read),
                            };
                            let done = self.worker.undefined(code, pc - 1, bad.ub, who, &operands);
                            done.map_err(|stop| stop.of_lanes(&bad.lanes))?;
                        } else if pc == start {
                            pc += 1;
                            *place = Some((top.code, pc - 1));
                            if self.strip.schedule.is_none() {
                                self.other(f, op, pc, view)?;
                            } else {
                                self.worker.state.count_accesses(f.mask.count());
                                if let Some(waiting) = self.strip.waiting_lanes(&f.mask, self.worker.state.changes) {
                                    split!(waiting, pc - 1);
                                }
                                self.other(f, op, pc, view)?;
                                match self.strip.after_memory(self.worker.state.changes) {
                                    After::Same => {}
                                    After::Strip => {
                                        self.put_back(f, pc);
                                        return Ok(Yield::Next);
                                    }
                                    After::Others => {
                                        self.put_back(f, pc);
                                        return Ok(Yield::Turn);
                                    }
                                }
                            }
                        }
                    }
                });
            }
        }
    }

    /// Splits a convergence group by where its lanes' switch goes; gives where the earliest of them, which stay, go.
    fn switch(&mut self, f: &mut ConvergenceGroup, target: impl Fn(usize) -> Target) -> Result<usize, Stop> {
        let mut groups: smallvec::SmallVec<[(usize, Mask); 8]> = smallvec::SmallVec::new();
        for lane in f.mask.iter() {
            let to = target(lane).index();
            match groups.iter_mut().find(|g| g.0 == to) {
                Some(g) => g.1.insert(lane),
                None => groups.push((to, Mask::single(lane))),
            }
        }
        groups.sort_by_key(|g| g.0);
        let Some(&(first, mask)) = groups.first() else {
            return Err(Stop::internal("a switch without lanes"));
        };
        for &(to, lanes) in &groups[1..] {
            let mut other = f.split(lanes, &mut self.strip.pool);
            other.top_mut().pc = to;
            self.strip.groups.push(other);
        }
        f.mask = mask;
        Ok(first)
    }

    /// Leaves the innermost frame with a result, if it has one.
    fn leave(&mut self, f: &mut ConvergenceGroup, value: Option<Reg>) -> Result<Flow, Stop> {
        let from = self.view(f);
        let Some(frame) = f.frames.pop() else { return Err(Stop::internal("no frame to leave")) };
        if let Some(locals) = frame.locals {
            self.strip.locals.leave(locals, &f.mask);
        }
        if f.frames.is_empty() {
            self.strip.exit(frame.code, frame.pc.saturating_sub(1), &f.mask);
            let words = std::mem::take(&mut f.words);
            self.strip.pool.push(words);
            return Ok(Flow::Leave(Yield::Next));
        }
        let caller = *f.top();
        let code = caller.code.code();
        if let (Some(value), Some(Op::Call { call })) = (value, code.ops.get(caller.pc - 1))
            && let Some(ret) = code.tables.calls[*call].ret
        {
            let to = self.view(f);
            to.copy_from(ret.reg, from, value, &f.mask);
        }
        if !self.strip.groups.is_empty() {
            self.strip.absorb(f);
        }
        Ok(Flow::Reload)
    }
}
