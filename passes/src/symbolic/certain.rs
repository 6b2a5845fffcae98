//! Races that are certain though an address or a branch hangs on what memory holds.
//!
//! A thread that is followed with concrete values is lost where it asks memory ([`trace`](crate::analysis::witness::trace)).
//! Here the question of two threads is turned around: can these two miss each other, with any contents of memory and any
//! arguments? If not, they meet in every launch.
//!
//! It is asked of kernels alone in which each thread reads before it writes and waits for nobody. Suppose that no two
//! threads race. Then no thread writes what another one reads, and a thread's own writes come behind its reads. So each
//! read shows what memory held at the launch, at equal places the same, whatever pointers overlap. If the two threads
//! meet under this, they race, and so some threads do in any case; at these places where parameters point to distinct memory.
//! No other premise is in it: not what uniformity says, nor the host's code.

use super::conflicts::Witness;
use super::interval::Member;
use super::race::{Apart, Check};
use super::smt::Answer;
use super::summary::{Access, Base, Fault, Touch, computes};
use super::term::*;
use crate::analysis::uniformity::is_pure_native;
use crate::analysis::witness::ThreadIndex;
use cudair_ir::{AtomicOp, Function, Inst, InstData, IntCC, Space, Uniformity, Value};

impl Check<'_, '_, '_> {
    /// Two threads that race at these accesses in every launch, those of the witness or the first ones: that at `a` first.
    pub(super) fn certain(
        &mut self,
        a: &Member,
        b: &Member,
        apart: Apart,
        w: &Witness,
    ) -> Option<[ThreadIndex; 2]> {
        let (x, y) = (self.s.accesses[a.access].clone(), self.s.accesses[b.access].clone());
        let atomic = |a: &Access| matches!(a.touch, Touch::Atomic { .. });
        if apart == Apart::InWarp || x.volatile || y.volatile || atomic(&x) && atomic(&y) {
            return None;
        }
        if !self.reads_first() || [&x, &y].into_iter().any(|a| self.may_leave(a)) {
            return None;
        }
        // What a race in device memory does to a read is no matter to whom asks for races there, but to others.
        let shared = self.s.is_shared(x.base);
        if shared && self.s.accesses.iter().any(|a| a.touch.writes() && !self.s.is_shared(a.base)) {
            return None;
        }
        let with = self.contents_at_launch();
        self.topic.asks = "whether these two threads can miss each other";
        self.candidates(apart, w).into_iter().find(|threads| self.always_meet(&x, &y, *threads, &with))
    }

    /// Whether what memory holds may lead an access out of an object whose size is told: then the launch is wrong for
    /// another reason.
    fn may_leave(&self, a: &Access) -> bool {
        let sized = match a.base {
            Base::Param(n) => self.s.extents.get(n as usize).copied().flatten().is_some(),
            Base::Member(..) => false,
            _ => true,
        };
        sized && self.s.terms.mentions(a.offset, |n| matches!(n, Node::App { .. }))
    }

    /// Threads that are worth asking for.
    fn candidates(&self, apart: Apart, w: &Witness) -> Vec<[ThreadIndex; 2]> {
        let (Some(block), Some(grid)) = (all(self.shape.block), all(self.shape.grid)) else {
            return Vec::new();
        };
        let at = |n: u32, [x, y, _]: [u32; 3]| [n % x, n / x % y, n / x / y];
        let first = [0; 3];
        let near = match apart {
            Apart::Blocks => [(first, first), (at(1, grid), first)],
            Apart::Warps => [(first, first), (first, at(32, block))],
            Apart::InBlock | Apart::InWarp => [(first, first), (first, at(1, block))],
        };
        let of = |sym: fn(u8) -> Sym, copy: u8| {
            [0, 1, 2].map(|d| w.value(sym(d), copy).unwrap_or_default() as u32)
        };
        let found = [1, 2].map(|copy| {
            let block = of(Sym::Bid, if apart == Apart::Blocks { copy } else { 0 });
            (block, of(Sym::Tid, copy))
        });
        let within = |t: &ThreadIndex| (0..3).all(|d| t.0[d] < grid[d] && t.1[d] < block[d]);
        let mut out = vec![near, found];
        out.retain(|pair| pair[0] != pair[1] && pair.iter().all(within));
        out
    }

    /// Whether two threads come to the accesses and touch a common byte in every launch, and write different values in some
    /// if both write.
    fn always_meet(
        &mut self,
        x: &Access,
        y: &Access,
        threads: [ThreadIndex; 2],
        with: &[(Term, Term)],
    ) -> bool {
        let mut sides = Vec::new();
        for ((copy, a), at) in [(1u8, x), (2, y)].into_iter().zip(threads) {
            let mut with = with.to_vec();
            for d in 0..3u8 {
                for (sym, index) in [(Sym::Bid(d), at.0), (Sym::Tid(d), at.1)] {
                    let is = self.s.terms.constant(index[usize::from(d)].into(), 32);
                    with.push((self.s.terms.sym(sym, 32), is));
                }
            }
            let mut of = |t: Term| {
                // What stands for a read may hang on the thread's index itself.
                let t = self.s.terms.replace(t, &with);
                let t = self.s.terms.replace(t, &with);
                self.s.terms.instance(t, copy, Uniformity::Grid)
            };
            sides.push(([of(a.offset), of(a.bytes)], of(a.guard), a.value.map(&mut of)));
        }
        let [(at, comes, v), (other_at, other_comes, w)] = sides[..] else { return false };
        let overlap = self.overlap(at, other_at);
        let come = self.s.terms.and(comes, other_comes);
        let meet = self.s.terms.and(come, overlap);
        let miss = self.s.terms.not(meet);
        if !self.exclude(&[miss]) {
            return false;
        }
        match (v, w) {
            (Some(v), Some(w)) if self.s.terms.width(v) == self.s.terms.width(w) => {
                let differ = self.s.terms.compare(IntCC::Ne, v, w);
                matches!(self.ask(&[differ]), Answer::Yes(_))
            }
            _ => true,
        }
    }

    /// What stands for results of reads: what memory held at the launch. All else that is not known is each thread's own.
    fn contents_at_launch(&mut self) -> Vec<(Term, Term)> {
        let func = self.s.cx.func;
        let roots: Vec<Term> = (self.s.accesses.iter())
            .flat_map(|a| [a.guard, a.offset, a.bytes].into_iter().chain(a.value))
            .collect();
        let mut open: Vec<(Value, Term)> = Vec::new();
        for t in self.s.terms.subterms(roots) {
            if let Node::App { func: Func::Value(v), .. } = *self.s.terms.node(t) {
                open.push((v, t));
            }
        }
        let mut with: Vec<(Term, Term)> = Vec::new();
        for n in 0..self.s.accesses.len() {
            let a = self.s.accesses[n].clone();
            let Some(v) = func.result(a.inst) else { continue };
            let Some(at) = open.iter().position(|o| o.0 == v) else { continue };
            let (_, t) = open.swap_remove(at);
            let one_place = self.s.accesses.iter().filter(|o| o.inst == a.inst).count() == 1;
            // A write to the same object would race with the read, and be found as such.
            let written = self.s.accesses.iter().any(|o| o.touch == Touch::Write && self.may_alias(o, &a));
            let is = match self.memory_of(a.base).filter(|_| one_place && !written) {
                Some(base) => {
                    let offset = self.s.terms.replace(a.offset, &with);
                    let args = Args::from_slice(&[offset]);
                    self.s.terms.app(Func::Memory(base), Uniformity::Grid, args, self.s.terms.width(t))
                }
                None => self.own(v, t),
            };
            with.push((t, is));
        }
        for (v, t) in open {
            let is = self.own(v, t);
            with.push((t, is));
        }
        with
    }

    fn own(&mut self, v: Value, t: Term) -> Term {
        self.s.terms.app(Func::Value(v), Uniformity::Divergent, Args::new(), self.s.terms.width(t))
    }

    /// Device memory, which holds what it held before.
    fn memory_of(&self, base: Base) -> Option<MemoryBase> {
        Some(match base {
            Base::Global(g) if self.s.cx.module.globals[g].space != Space::Shared => MemoryBase::Global(g),
            Base::Param(n) => MemoryBase::Param(n),
            Base::Member(n, at) => MemoryBase::Member(n, at),
            _ => return None,
        })
    }

    /// Whether all of the launch's shape is told, each thread reads before it writes, waits for nobody, comes to its end, and
    /// all that it does is followed.
    pub(super) fn reads_first(&mut self) -> bool {
        if let Some(known) = self.reads_first {
            return known;
        }
        let found = self.looks_as_if_it_reads_first();
        self.reads_first = Some(found);
        found
    }

    fn looks_as_if_it_reads_first(&self) -> bool {
        let (s, cx) = (&*self.s, self.s.cx);
        let ends = |f: Fault| matches!(f, Fault::Bounds | Fault::Row | Fault::Misaligned);
        let known = |a: &Access| a.base.is_known() && !a.base.is_surface() && !a.volatile;
        let whole = s.is_whole() && s.gaps.is_empty() && !s.told && !s.calls_elsewhere && !s.reads_locals;
        if !whole
            || all(self.shape.block).is_none()
            || all(self.shape.grid).is_none()
            || cx.control.cycle_count() > 0
            || !s.suspects.iter().all(|s| ends(s.fault))
            || !s.accesses.iter().all(known)
        {
            return false;
        }
        let mut wrote = vec![false; cx.control.len()];
        for node in 0..cx.control.len() as u32 {
            let mut has = cx.control.incoming(node).iter().any(|e| wrote[e.0 as usize]);
            for &inst in cx.func.block_insts(cx.control.block(node)) {
                let seen = s.accesses.iter().find(|a| a.inst == inst).map(|a| a.touch);
                match (&cx.func.insts[inst], seen) {
                    (InstData::Load { .. } | InstData::AtomicLoad { .. }, Some(_)) if has => return false,
                    (InstData::AtomicRmw { .. }, _) if has || !changes_nothing(cx.func, inst) => {
                        return false;
                    }
                    (InstData::Store { .. }, Some(_)) => has = true,
                    (InstData::Call { func, .. }, _) if is_pure_native(&cx.module.funcs[*func]) => {}
                    (data, _) if is_plain(data) => {}
                    _ => return false,
                }
            }
            wrote[node as usize] = has;
        }
        // Something has to be open, or following the threads tells the same.
        let asks = |t: Term| s.terms.mentions(t, |n| matches!(n, Node::App { .. }));
        s.accesses.iter().any(|a| asks(a.guard) || asks(a.offset)) || s.guards.iter().any(|&g| asks(g))
    }
}

/// Whether an atomic operation leaves what it finds.
fn changes_nothing(func: &Function, inst: Inst) -> bool {
    let InstData::AtomicRmw { op, value, .. } = func.insts[inst] else { return false };
    let ty = func.value_type(value);
    match (op, func.const_bits(value)) {
        (AtomicOp::Add | AtomicOp::Sub | AtomicOp::Or | AtomicOp::Xor | AtomicOp::Umax, Some(0)) => {
            ty.is_int()
        }
        (AtomicOp::And | AtomicOp::Umin, Some(bits)) => ty.is_int() && bits == ty.bit_mask(),
        _ => false,
    }
}

/// Instructions that order no threads and touch nothing but what the accesses of the summary say.
fn is_plain(data: &InstData) -> bool {
    use InstData::*;
    computes(data)
        || matches!(
            data,
            Special { .. }
                | Count { .. }
                | Load { .. }
                | AtomicLoad { .. }
                | AtomicRmw { .. }
                | Store { .. }
                | Lifetime { .. }
                | Return { .. }
        )
}

fn all(extents: [Option<u32>; 3]) -> Option<[u32; 3]> {
    let [Some(x), Some(y), Some(z)] = extents else { return None };
    Some([x, y, z]).filter(|e| !e.contains(&0))
}
