//! Strips and their convergence groups: which lanes run together, where they split and where they meet again.

use super::planes::Planes;
use super::schedule::{self, Schedule};
use crate::regs::{CodeRef, WordStack};
use cudair_ir::SpecialReg;
use cudair_lane::{CHUNK, Mask, StripShape};
use cudair_memory::{FrameId, LocalFrames};
use smallvec::SmallVec;
use std::cmp::Ordering;

/// A frame of a convergence group's call stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Frame {
    pub(crate) code: CodeRef,
    /// The next operation; in a caller, the one after its call.
    pub(crate) pc: usize,
    /// The first scalar register.
    pub(crate) base: usize,
    /// The first vector plane.
    pub(crate) vbase: usize,
    /// The first predicate.
    pub(crate) pbase: usize,
    pub(crate) locals: Option<FrameId>,
}

/// What a convergence group waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    /// Nothing: it can run.
    Ready,
    /// Its block's barrier. The operation at its place is the barrier; `holds` lanes have a predicate that is
    /// not 0.
    Barrier {
        /// See above.
        holds: u32,
    },
    /// The barrier of its cluster. The operation at its place is the wait for it.
    Cluster,
    /// Other lanes of its warp, at the warp operation at its place.
    Warp {
        /// The warp, counted in the strip.
        warp: usize,
        /// The lanes named.
        mask: u32,
    },
}

/// Lanes of a strip that run together.
#[derive(Clone, Debug)]
pub(crate) struct ConvergenceGroup {
    pub(crate) mask: Mask,
    pub(crate) frames: SmallVec<[Frame; 4]>,
    pub(crate) words: WordStack,
    pub(crate) state: State,
    /// Has used up its turn: others run first.
    pub(crate) deferred: bool,
    /// How it looked when its last turn ended: a hash of its registers and place, and how often memory had
    /// changed.
    pub(crate) seen: Option<(u64, u64)>,
    /// It went a whole turn and came back to the same state while no memory changed: it spins for as long as
    /// memory has changed this often.
    pub(crate) stuck_at: Option<u64>,
}

impl ConvergenceGroup {
    /// The innermost frame.
    pub(crate) fn top(&self) -> &Frame {
        &self.frames[self.frames.len() - 1]
    }

    /// The innermost frame.
    pub(crate) fn top_mut(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// Words of scalar registers in use.
    pub(crate) fn used(&self) -> usize {
        let top = self.top();
        top.base + usize::from(top.code.code().files.scalars)
    }

    /// Where this stands relative to `other`: in layout order, lexicographic over the call stack with the
    /// outermost frame first. A convergence group about to call stands before one inside that call.
    pub(crate) fn order(&self, other: &ConvergenceGroup) -> Ordering {
        let n = self.frames.len().min(other.frames.len());
        let at = |f: &ConvergenceGroup, i: usize| {
            let pc = f.frames[i].pc;
            if i + 1 < f.frames.len() { pc - 1 } else { pc }
        };
        for i in 0..n {
            match at(self, i).cmp(&at(other, i)) {
                Ordering::Equal => {}
                unequal => return unequal,
            }
        }
        self.frames.len().cmp(&other.frames.len())
    }

    /// Whether this and `other`, which stand at one place, can go on as one: their call stacks and scalar
    /// registers are equal. Where they stand at a join only the live ones of the innermost frame count.
    pub(crate) fn can_merge(&self, other: &ConvergenceGroup) -> bool {
        use cudair_bytecode::{JoinId, Op};
        if self.frames != other.frames {
            return false;
        }
        let top = self.top();
        let code = top.code.code();
        let join = match code.ops.get(top.pc) {
            Some(&Op::Join { live: JoinId(id) }) => code.tables.joins.get(id as usize),
            _ => None,
        };
        match join {
            None => self.words.slice(0, self.used()) == other.words.slice(0, other.used()),
            Some(join) => {
                self.words.slice(0, top.base) == other.words.slice(0, top.base)
                    && join.live.iter().all(|r| {
                        let at = top.base + r.index();
                        self.words.slice(at, 1) == other.words.slice(at, 1)
                    })
            }
        }
    }

    /// A convergence group of `lanes` of this one, at the same place.
    pub(crate) fn split(&self, lanes: Mask, pool: &mut Vec<WordStack>) -> ConvergenceGroup {
        let mut words = pool.pop().unwrap_or_default();
        words.copy_from(&self.words, self.used());
        ConvergenceGroup {
            mask: lanes,
            frames: SmallVec::from_slice(&self.frames),
            words,
            state: self.state,
            deferred: false,
            seen: None,
            stuck_at: None,
        }
    }

    /// A convergence group of no lanes, left where one is moved out.
    pub(crate) fn empty() -> ConvergenceGroup {
        ConvergenceGroup {
            mask: Mask::NONE,
            frames: SmallVec::new(),
            words: WordStack::default(),
            state: State::Ready,
            deferred: false,
            seen: None,
            stuck_at: None,
        }
    }

    /// Whether this cannot go on unless others change memory or arrive: it waits, or it spins.
    pub(crate) fn is_stuck(&self, changes: u64) -> bool {
        // What waits for its cluster may go on when others have arrived, which is a change.
        !matches!(self.state, State::Ready | State::Cluster) || self.stuck_at == Some(changes)
    }
}

/// Up to 256 threads of a block.
pub(crate) struct Strip {
    pub(crate) shape: StripShape,
    pub(crate) planes: Planes,
    pub(crate) locals: LocalFrames,
    /// All convergence groups but the one that runs.
    pub(crate) groups: Vec<ConvergenceGroup>,
    /// Threads that have not exited.
    pub(crate) live: Mask,
    /// All threads of the strip.
    pub(crate) all: Mask,
    /// Threads that ended at a fault, and did not leave the kernel by themselves.
    pub(crate) ended: Mask,
    /// Where threads have left the kernel, for reports.
    pub(crate) exits: Vec<(CodeRef, usize, Mask)>,
    /// Scalar stacks of convergence groups that are gone.
    pub(crate) pool: Vec<WordStack>,
    /// Back edges that a convergence group may take while others could run.
    pub(crate) patience: u32,
    /// Of these, how many are left.
    pub(crate) turn_left: u32,
    /// How convergence groups are scheduled, where it is not in the order of the program.
    pub(crate) schedule: Option<Box<Schedule>>,
    /// `threadIdx` of each lane, by component.
    tids: [Vec<u32>; 3],
}

impl Strip {
    /// A strip of a block, with one convergence group about to enter the kernel.
    pub(crate) fn new(shape: StripShape) -> Strip {
        let all = Mask::first(shape.lanes as usize);
        Strip {
            planes: Planes::new(shape.lanes as usize),
            locals: LocalFrames::new(&shape),
            groups: Vec::new(),
            live: all,
            all,
            ended: Mask::NONE,
            exits: Vec::new(),
            pool: Vec::new(),
            patience: PATIENCE,
            turn_left: PATIENCE,
            schedule: None,
            tids: [0, 1, 2].map(|n| {
                let padded = (shape.lanes as usize).next_multiple_of(CHUNK);
                (0..padded).map(|lane| shape.thread(lane).thread[n]).collect()
            }),
            shape,
        }
    }

    /// A component of `threadIdx` for each lane; what stands behind the last lane means nothing.
    pub(crate) fn tid(&self, n: usize) -> &[u32] {
        &self.tids[n]
    }

    /// The same strip of another block.
    pub(crate) fn restart(&mut self, block_index: [u32; 3]) {
        self.shape.block_index = block_index;
        self.locals.reset(&self.shape);
        let pool = &mut self.pool;
        pool.extend(self.groups.drain(..).map(|f| f.words));
        self.live = self.all;
        self.ended = Mask::NONE;
        self.exits.clear();
        self.patience = PATIENCE;
        self.turn_left = PATIENCE;
    }

    /// Turns of loops that its lanes have taken, at most, and that are not in the fuel: those since the last long run of them.
    pub(crate) fn turned(&self) -> u64 {
        u64::from(self.patience - self.turn_left) * u64::from(self.shape.lanes)
    }

    /// A convergence group of all lanes at the start of the kernel.
    pub(crate) fn enter(&mut self, code: CodeRef) -> ConvergenceGroup {
        let frame = Frame { code, pc: 0, base: 0, vbase: 0, pbase: 0, locals: None };
        ConvergenceGroup {
            mask: self.all,
            frames: SmallVec::from_elem(frame, 1),
            words: self.pool.pop().unwrap_or_default(),
            state: State::Ready,
            deferred: false,
            seen: None,
            stuck_at: None,
        }
    }

    /// Takes out the convergence group that is to run next: the earliest of those that can, but for those that used
    /// up their turn. Convergence groups that can merge with it do.
    pub(crate) fn next(&mut self) -> Option<ConvergenceGroup> {
        let pick = |deferred: bool, groups: &[ConvergenceGroup]| {
            let ready = groups.iter().enumerate();
            let ready = ready.filter(|(_, f)| f.state == State::Ready && f.deferred == deferred);
            ready.min_by(|(_, a), (_, b)| a.order(b)).map(|(i, _)| i)
        };
        let at = match pick(false, &self.groups) {
            _ if self.schedule.is_some() => self.pick_scheduled()?,
            Some(at) => at,
            None => {
                let at = pick(true, &self.groups)?;
                self.groups.iter_mut().for_each(|f| f.deferred = false);
                at
            }
        };
        let mut f = self.groups.swap_remove(at);
        self.absorb(&mut f);
        Some(f)
    }

    /// Merges into `f` every convergence group that stands where it does and can.
    pub(crate) fn absorb(&mut self, f: &mut ConvergenceGroup) {
        let mut i = 0;
        while i < self.groups.len() {
            let other = &self.groups[i];
            if other.state == State::Ready
                && other.order(f).is_eq()
                && schedule::together(self.schedule.as_deref(), other, f)
                && other.can_merge(f)
            {
                let other = self.groups.swap_remove(i);
                f.mask = f.mask.or(&other.mask);
                f.deferred &= other.deferred;
                (f.seen, f.stuck_at) = (None, None);
                self.pool.push(other.words);
            } else {
                i += 1;
            }
        }
    }

    /// Whether a waiting convergence group that could run stands before `f`; under a schedule, whether another is
    /// to run before it.
    #[inline]
    pub(crate) fn has_earlier(&mut self, f: &ConvergenceGroup) -> bool {
        if self.schedule.is_some() {
            return self.yields_scheduled(f);
        }
        let mut ready = self.groups.iter().filter(|o| o.state == State::Ready && o.deferred == f.deferred);
        ready.any(|o| o.order(f).is_lt())
    }

    /// Whether another convergence group could run.
    pub(crate) fn has_ready(&self) -> bool {
        self.groups.iter().any(|f| f.state == State::Ready)
    }

    /// Lanes end at a fault.
    pub(crate) fn end(&mut self, lanes: &Mask) {
        self.live = self.live.without(lanes);
        self.ended = self.ended.or(lanes);
    }

    /// The lanes that have left the kernel by themselves.
    pub(crate) fn exited(&self) -> Mask {
        self.all.without(&self.live).without(&self.ended)
    }

    /// Lanes leave the kernel at an operation.
    pub(crate) fn exit(&mut self, code: CodeRef, pc: usize, lanes: &Mask) {
        self.live = self.live.without(lanes);
        match self.exits.iter_mut().find(|e| e.0 == code && e.1 == pc) {
            Some(e) => e.2 = e.2.or(lanes),
            None => self.exits.push((code, pc, *lanes)),
        }
    }

    /// The value of a special register for a lane.
    pub(crate) fn special(&self, reg: SpecialReg, lane: usize) -> Option<u32> {
        let t = self.shape.thread(lane).thread;
        Some(match reg {
            SpecialReg::TidX => t[0],
            SpecialReg::TidY => t[1],
            SpecialReg::TidZ => t[2],
            SpecialReg::Laneid => (self.shape.first_thread + lane as u32) % 32,
            SpecialReg::Warpid => (self.shape.first_thread + lane as u32) / 32,
            _ => return None,
        })
    }
}

/// Back edges that a convergence group may take at first while others could run; it halves with each turn used up
/// while others wait, or without any change, so that threads that wait for each other find each other soon, and
/// doubles where work goes on.
pub(crate) const PATIENCE: u32 = 1 << 12;
/// What it doubles to at most.
pub(crate) const PATIENCE_MAX: u32 = 1 << 16;
/// What it halves to at least.
pub(crate) const PATIENCE_MIN: u32 = 64;
