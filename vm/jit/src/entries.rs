//! Where lanes begin, and where they come to: a region of the kernel starts at an entry, and ends at a synchronisation point or with
//! the kernel.

use crate::Refusal;
use crate::abi::{Bail, DONE, Frame, WORDS};
use crate::emit::{Emitter, trusted};
use crate::syncs::Kind;
use cranelift_codegen::ir::condcodes::IntCC as Cc;
use cranelift_codegen::ir::types as ct;
use cranelift_codegen::ir::{self as cl, InstBuilder};
use cranelift_frontend::{Switch, Variable};
use std::mem::offset_of;

/// Entries that are told apart by comparisons in place of a table.
const FEW_ENTRIES: usize = 8;

impl Emitter<'_, '_> {
    /// The lane has come to a synchronisation point, of which this is the number of the entry, or to its end. The next one goes on.
    pub(crate) fn comes_to(&mut self, entry: u32) {
        if !self.given.plan.ordered {
            let here = self.b.ins().iconst(ct::I32, i64::from(entry));
            self.b.ins().jump(self.lane_end, &[here.into()]);
            return;
        }
        // Who has ended is asked about at barriers.
        if entry != DONE || self.given.plan.has_barriers() {
            let row = if entry == DONE { 0 } else { entry };
            let offset = (row * 8 * WORDS as u32) as i32;
            let waiting = self.fixed_field(ct::I64, offset_of!(Frame, waiting));
            let active = self.b.use_var(self.active);
            let rest = self.b.ins().ineg(active);
            let bit = self.b.ins().band(active, rest);
            let before = self.b.ins().load(ct::I64, trusted(), waiting, offset);
            let all = self.b.ins().bor(before, bit);
            self.b.ins().store(trusted(), all, waiting, offset);
        }
        self.b.ins().jump(self.lane_end, &[]);
    }

    /// Lanes from `lane` on have come to a synchronisation point or to their end: to the same as those before them.
    pub(crate) fn ends_at(&mut self, exit: Variable, here: cl::Value, (lane, first): (cl::Value, cl::Value)) {
        let before = self.b.use_var(exit);
        let same = self.b.ins().icmp(Cc::Equal, here, before);
        let is_first = self.b.ins().icmp(Cc::Equal, lane, first);
        let fine = self.b.ins().bor(same, is_first);
        self.require(fine, Bail::Barrier);
        self.b.def_var(exit, here);
    }

    /// A jump to where the region of this number begins: 0 is the kernel's start, and the others are behind
    /// synchronisation points.
    pub(crate) fn dispatch(&mut self, entry: cl::Value) -> Result<(), Refusal> {
        let plan = self.given.plan;
        let at = self.given.func.entry().ok_or(Refusal("it has no body"))?;
        let divergent = if self.classes.is_some() { &[] } else { self.given.divergent };
        let count = 1 + plan.syncs.len() + divergent.len();
        let stubs: Vec<cl::Block> = (0..count).map(|_| self.b.create_block()).collect();
        if let [only] = stubs[..] {
            self.b.ins().jump(only, &[]);
        } else {
            let other = self.b.create_block();
            self.b.set_cold_block(other);
            if count <= FEW_ENTRIES {
                // All lanes of a block begin at one entry: branches are foreseen, and cost less than a jump through a table.
                let often = |n: &usize| {
                    n.checked_sub(1).and_then(|n| plan.syncs.get(n)).map_or(0, |sync| plan.turns[sync.block])
                };
                let mut order: Vec<usize> = (0..count).collect();
                order.sort_by_key(|n| std::cmp::Reverse(often(n)));
                for n in order {
                    let next = self.b.create_block();
                    let here = self.b.ins().icmp_imm_s(Cc::Equal, entry, n as i64);
                    // Few lanes go on at a time where they are ordered: what is taken out of their loop costs more than it saves.
                    if plan.ordered {
                        self.b.ins().brif(here, stubs[n], &[], next, &[]);
                    } else {
                        self.stay(here, stubs[n], next);
                    }
                    self.b.switch_to_block(next);
                }
                self.b.ins().jump(other, &[]);
            } else {
                let mut switch = Switch::new();
                for (n, &stub) in stubs.iter().enumerate() {
                    switch.set_entry(n as u128, stub);
                }
                switch.emit(&mut self.b, entry, other);
            }
            self.b.switch_to_block(other);
            self.give_up(Bail::Refused);
        }
        for (n, &stub) in stubs.iter().enumerate() {
            self.b.switch_to_block(stub);
            let (point, waited) = if n == 0 {
                ((at, 0), false)
            } else if let Some(sync) = plan.syncs.get(n - 1) {
                self.fetch(&plan.live[n - 1], n)?;
                (sync.resume(), sync.kind != Kind::Barrier)
            } else {
                let branch = &divergent[n - 1 - plan.syncs.len()];
                self.fetch(&branch.live, n)?;
                ((branch.block, branch.at), false)
            };
            let to = self.node(point, waited);
            self.b.ins().jump(to, &[]);
        }
        Ok(())
    }
}
