//! Results of atomic additions that are different for each thread, as numbers are that one draws from a machine.
//!
//! Of `pos = atomicAdd(&count, 1)` no two threads get the same, if nothing else writes to `count` meanwhile: each takes the
//! value that the one before it has left. So `out[pos]` is a place of its own.

use super::interval::{Order, intervals};
use super::race::{Apart, Check};
use super::summary::Touch;
use super::term::*;
use cudair_ir::{AtomicOp, Inst, InstData, IntCC, Value};

/// An atomic addition whose results differ.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticket {
    result: Value,
    /// Only within a block: blocks have a place each, or the addition is atomic to one block.
    of_block: bool,
}

impl Check<'_, '_, '_> {
    /// Adds that results of atomic additions which the conditions speak of differ.
    pub(super) fn tickets_differ(&mut self, apart: Apart, out: &mut Vec<Term>) {
        let mut drawn: Vec<(Ticket, u8, Term)> = Vec::new();
        for t in self.s.terms.subterms(out.iter().copied()) {
            if let Node::App { func: Func::Value(v), copy: copy @ 1.., .. } = *self.s.terms.node(t)
                && let Some(ticket) = self.tickets().iter().find(|k| k.result == v)
            {
                drawn.push((*ticket, copy, t));
            }
        }
        for &(ticket, copy, t) in &drawn {
            let others = drawn.iter().filter(|o| o.0.result == ticket.result && o.1 > copy);
            for &(.., other) in others {
                if !(ticket.of_block && apart == Apart::Blocks) {
                    let differ = self.s.terms.compare(IntCC::Ne, t, other);
                    self.flatten(differ, out);
                    self.found.premises.tickets = true;
                }
            }
        }
    }

    fn tickets(&mut self) -> &[Ticket] {
        if self.tickets.is_none() {
            let insts: Vec<Inst> = self.s.accesses.iter().map(|a| a.inst).collect();
            let found = insts.into_iter().filter_map(|i| self.ticket(i)).collect();
            self.tickets = Some(found);
        }
        self.tickets.as_deref().unwrap_or_default()
    }

    fn ticket(&self, inst: Inst) -> Option<Ticket> {
        let func = self.s.cx.func;
        let InstData::AtomicRmw { op: AtomicOp::Add, value, .. } = func.insts[inst] else { return None };
        let result = func.result(inst)?;
        // An odd number comes back to where it was after all others.
        if func.const_bits(value)? & 1 == 0 || !func.value_type(value).is_int() {
            return None;
        }
        let all = &self.s.accesses;
        let mut own = all.iter().filter(|a| a.inst == inst);
        let (Some(access), None) = (own.next(), own.next()) else { return None };
        // One place for all, at all times.
        let moves = |n: &Node| match n {
            Node::Sym { sym, .. } => !matches!(sym, Sym::Param(_)),
            Node::App { .. } => true,
            _ => false,
        };
        if !access.base.is_known() || self.s.terms.mentions(access.offset, moves) {
            return None;
        }
        let wide = matches!(access.touch, Touch::Atomic { wide: true, .. });
        let of_block = self.s.is_shared(access.base) || !wide;
        let others: Vec<usize> = (0..all.len())
            .filter(|&n| all[n].inst != inst && all[n].touch.writes() && self.may_alias(&all[n], access))
            .collect();
        if !others.is_empty() {
            // A counter of the block that is set in another interval, and a thread that draws once.
            let once = self.s.cx.control.cycles_of(access.block).next().is_none();
            let apart = || {
                intervals(self.s, Order::Block).iter().all(|members| {
                    let has = |n: usize| members.iter().any(|m| m.access == n);
                    let draws = (0..all.len()).any(|n| all[n].inst == inst && has(n));
                    !draws || !others.iter().any(|&n| has(n))
                })
            };
            let plain = others.iter().all(|&n| all[n].touch == Touch::Write);
            if !self.s.is_shared(access.base) || !once || !plain || !apart() {
                return None;
            }
        }
        Some(Ticket { result, of_block })
    }
}
