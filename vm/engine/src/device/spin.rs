//! Loops that wait: which registers decide whether a loop goes on.
//!
//! A convergence group that comes back to the same place, with memory as it was and with the same values in all
//! registers that its loop's branches, addresses, stores and calls depend on, will do so for ever. What the loop
//! only counts along does not matter to that.

use super::strip::{ConvergenceGroup, Strip};
use cudair_bytecode::{Code, Op, Operand, Reg};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::Hasher;
use std::sync::Arc;

/// The registers that decide; `None` where all may.
type Deciding = Option<Arc<Slots>>;

/// What is known of the loops met so far, by code and place.
#[derive(Default)]
pub(crate) struct Loops(FxHashMap<(usize, usize), Deciding>);

/// Registers as the single words, planes and predicates that they cover.
#[derive(Clone, Debug, Default)]
struct Slots {
    scalars: FxHashSet<usize>,
    planes: FxHashSet<usize>,
    preds: FxHashSet<usize>,
}

impl Slots {
    fn each(reg: Reg, mut f: impl FnMut(Kind, usize)) {
        match reg {
            Reg::S(r) => f(Kind::Scalar, r.index()),
            Reg::S2(r) => (0..2).for_each(|n| f(Kind::Scalar, r.index() + n)),
            Reg::V(r) => f(Kind::Plane, r.index()),
            Reg::W(r) => (0..2).for_each(|n| f(Kind::Plane, r.index() + n)),
            Reg::X(r) => (0..4).for_each(|n| f(Kind::Plane, r.index() + n)),
            Reg::P(r) => f(Kind::Pred, r.index()),
        }
    }

    fn of(&mut self, kind: Kind) -> &mut FxHashSet<usize> {
        match kind {
            Kind::Scalar => &mut self.scalars,
            Kind::Plane => &mut self.planes,
            Kind::Pred => &mut self.preds,
        }
    }

    /// Whether one was new.
    fn add(&mut self, reg: Reg) -> bool {
        let mut new = false;
        Slots::each(reg, |kind, n| new |= self.of(kind).insert(n));
        new
    }

    fn touches(&mut self, reg: Reg) -> bool {
        let mut any = false;
        Slots::each(reg, |kind, n| any |= self.of(kind).contains(&n));
        any
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Scalar,
    Plane,
    Pred,
}

/// What an operation of a loop does with registers.
struct Step {
    writes: Vec<Reg>,
    /// Read to compute what is written, and nothing else.
    from: Vec<Reg>,
    /// Read in a way that others see: by a branch, as an address, as what is stored.
    shown: Vec<Reg>,
}

/// Takes an operation apart; `None` for one that is not known here.
fn step(code: &Code, op: &Op) -> Option<Step> {
    let mut s = Step { writes: Vec::new(), from: Vec::new(), shown: Vec::new() };
    match op {
        Op::Atomic { id } => {
            let a = &code.tables.atomics[*id];
            s.writes.extend(a.d);
            s.shown.extend([Some(a.ptr), a.value, a.expected].into_iter().flatten());
            return Some(s);
        }
        // Meetings change nothing.
        Op::Join { .. } | Op::Count { .. } | Op::Fence { .. } | Op::Fact { .. } => return Some(s),
        _ => {}
    }
    // Division may end the loop by a fault.
    let mut pure = !op.mnemonic().contains("div") && !op.mnemonic().contains("rem");
    let mut known = true;
    let mut regs: Vec<(bool, Reg)> = Vec::new();
    op.operands(|name, operand| match operand {
        Operand::Reg(reg) => regs.push((name == "d", reg)),
        // The widest that it may be.
        Operand::Vw(v) => {
            pure = false;
            (0..2).for_each(|n| regs.push((name == "d", Reg::V(cudair_bytecode::V(v.0 + n)))));
        }
        Operand::Imm(_) | Operand::Bits(_) | Operand::Cc(_) | Operand::Ext(_) | Operand::Special(_) => {}
        Operand::Target(_) | Operand::Acc(_) | Operand::Slot(_) | Operand::Global(_) => pure = false,
        Operand::Row(..) => known = false,
    });
    if !known {
        return None;
    }
    for (written, reg) in regs {
        match (written, pure) {
            (true, _) => s.writes.push(reg),
            (false, true) => s.from.push(reg),
            (false, false) => s.shown.push(reg),
        }
    }
    if s.writes.is_empty() {
        s.shown.append(&mut s.from);
    }
    Some(s)
}

/// The registers that decide what the loops around `pc` do.
fn deciding(code: &Code, pc: usize) -> Deciding {
    let ops = &code.ops;
    // The outermost loop: all back edges over the place, and over each other.
    let (mut first, mut last) = (pc, pc);
    loop {
        let before = (first, last);
        for (at, op) in ops.iter().enumerate() {
            op.operands(|_, operand| {
                if let Operand::Target(t) = operand
                    && t.index() <= at
                    && t.index() <= last
                    && at >= first
                {
                    (first, last) = (first.min(t.index()), last.max(at));
                }
            });
        }
        if (first, last) == before {
            break;
        }
    }
    let steps: Option<Vec<Step>> = ops.get(first..=last)?.iter().map(|op| step(code, op)).collect();
    let steps = steps?;
    let mut slots = Slots::default();
    for s in &steps {
        s.shown.iter().for_each(|&r| {
            slots.add(r);
        });
    }
    loop {
        let mut grown = false;
        for s in &steps {
            if s.writes.iter().any(|&r| slots.touches(r)) {
                s.from.iter().for_each(|&r| grown |= slots.add(r));
            }
        }
        if !grown {
            return Some(Arc::new(slots));
        }
    }
}

impl Loops {
    fn deciding(&mut self, code: &Code, pc: usize) -> Deciding {
        let key = (std::ptr::from_ref(code) as usize, pc);
        self.0.entry(key).or_insert_with(|| deciding(code, pc)).clone()
    }
}

impl Strip {
    /// A hash of everything that decides what a convergence group does next, memory and its other threads aside.
    pub(crate) fn fingerprint(&mut self, f: &ConvergenceGroup, loops: &mut Loops) -> u64 {
        let mut h = FxHasher::default();
        let top = f.frames.len() - 1;
        for (n, frame) in f.frames.iter().enumerate() {
            h.write_usize(frame.pc);
            let code = frame.code.code();
            let lanes = self.planes.frame(frame.vbase, frame.pbase, code);
            let only = if n == top { loops.deciding(code, frame.pc) } else { None };
            let counts = |set: fn(&Slots) -> &FxHashSet<usize>, at: usize| {
                only.as_ref().is_none_or(|slots| set(slots).contains(&at))
            };
            for plane in (0..code.files.planes).filter(|&p| counts(|s| &s.planes, p.into())) {
                let words = lanes.words(plane, 1);
                for &w in words {
                    h.write_u32(w);
                }
            }
            for pred in (0..code.files.preds).filter(|&p| counts(|s| &s.preds, p.into())) {
                lanes.pred(cudair_bytecode::P(pred)).0.iter().for_each(|&w| h.write_u16(w));
            }
            let scalars = f.words.slice(frame.base, usize::from(code.files.scalars));
            let counters = &code.files.counters;
            let counts = |at: usize| counts(|s| &s.scalars, at) && !counters.contains(&(at as u16));
            for (_, &w) in scalars.iter().enumerate().filter(|&(at, _)| counts(at)) {
                h.write_u64(w);
            }
        }
        if f.frames.iter().any(|frame| frame.locals.is_some()) {
            self.locals.digest(&mut h);
        }
        h.finish()
    }
}
