//! Tests of what analyses proved: each fact where its value is defined.
//!
//! A fact about a value speaks of the lanes that execute one dynamic instance of its definition: that are in the same
//! iteration of each loop around it. Where facts are used, a loop's counter is a scalar and keeps lanes apart that are in
//! different iterations. Here it is a vector, and so each loop has a counter of its own for that: a scalar which is live
//! at every place in the loop where lanes may meet.

use super::Emitter;
use crate::plan::{Operand, Plan};
use cudair_bytecode::{Claim, FactCounts, FactDesc, Op, Reg, S, TypedReg};
use cudair_ir::{Block, Inst, InstData, Loc, PackedOption, Uniformity, Value};
use smallvec::SmallVec;

/// The registers that count iterations.
pub(super) fn counters(plan: &Plan<'_>) -> u32 {
    let tests = plan.cx.claims.is_some() && plan.func.side.on_device();
    if tests { plan.order.loops.len() as u32 } else { 0 }
}

impl Emitter<'_> {
    fn tests(&self) -> bool {
        self.plan.cx.claims.is_some() && self.on_device()
    }

    // ----- iterations -------------------------------------------------------------------------------

    fn counter(&self, l: usize) -> S {
        S((self.places.scalars + l as u32) as u16)
    }

    /// The counters of the loops around a block.
    pub(super) fn counters_of(&self, block: Block) -> SmallVec<[S; 4]> {
        if self.counters == 0 {
            return SmallVec::new();
        }
        let order = &self.plan.order;
        let loops = std::iter::successors(order.innermost(block), |&l| order.loops[l].parent);
        loops.map(|l| self.counter(l)).collect()
    }

    /// At the function's entry: no loop has begun; and what stands in registers from then on.
    pub(super) fn begin_counting(&mut self) {
        for l in 0..self.counters as usize {
            self.op(Op::Const { d: self.counter(l), bits: 0 });
        }
        if !self.tests() {
            return;
        }
        let plan = self.plan;
        for &block in &plan.order.blocks {
            for &inst in plan.func.block_insts(block) {
                if let InstData::Special { .. } = plan.func.insts[inst]
                    && let Some(v) = plan.func.result(inst)
                    && let Operand::Reg(r) = plan.operand(v)
                    && r != v.into()
                    && plan.needed[r]
                {
                    let reg = self.machine_reg(r);
                    self.test(v, reg, plan.func.locs[inst]);
                }
            }
        }
    }

    /// At a block's head: an iteration begins, and parameters are set.
    pub(super) fn enter_block(&mut self, block: Block) {
        if !self.tests() {
            return;
        }
        let plan = self.plan;
        let at = plan.order.position(block);
        for (l, this) in plan.order.loops.iter().enumerate() {
            if Some(this.start) != at {
                continue;
            }
            let d = self.counter(l);
            self.op(Op::AddI32I { d, a: d, imm: 1 });
            // The loops in it begin anew.
            for (inner, _) in
                plan.order.loops.iter().enumerate().filter(|(_, i)| i.start > this.start && i.end <= this.end)
            {
                self.op(Op::Const { d: self.counter(inner), bits: 0 });
            }
        }
        let first = plan.func.block_insts(block).first().map(|&i| plan.func.locs[i]);
        for &p in plan.func.block_params(block) {
            if plan.needed[p.into()] {
                self.test_in_register(p, first.unwrap_or_default());
            }
        }
    }

    // ----- facts ------------------------------------------------------------------------------------

    /// What was proved of a value, but for what is plain.
    fn claims(&self, v: Value) -> SmallVec<[Claim; 2]> {
        let mut out = SmallVec::new();
        let Some(facts) = self.plan.cx.claims else { return out };
        if facts.uniform[v] > Uniformity::Divergent {
            out.push(Claim::Uniform(facts.uniform[v]));
        }
        if let Some((least, greatest)) = facts.range[v] {
            out.push(Claim::Range(least, greatest));
        }
        out
    }

    /// Tests what was proved of an instruction's results.
    pub(super) fn test_results(&mut self, inst: Inst) {
        if !self.tests() {
            return;
        }
        let plan = self.plan;
        for &v in plan.func.inst_results(inst) {
            if plan.needed[v.into()] && plan.operand(v) == Operand::Reg(v.into()) {
                self.test_in_register(v, plan.func.locs[inst]);
            }
        }
    }

    /// Tests that lanes decide alike, where that was proved.
    pub(super) fn test_decision(&mut self, block: Block, inst: Inst) {
        let Some(facts) = self.plan.cx.claims.filter(|_| self.on_device()) else { return };
        let value = match self.plan.func.insts[inst] {
            InstData::Branch { cond: v, .. } | InstData::Switch { arg: v, .. } => v,
            _ => return,
        };
        if !facts.divergent_branch[block] && self.is_vector(value) && self.plan.fused[inst].is_none() {
            let reg = self.reg(value);
            self.fact(value, reg, Claim::Decided, self.plan.func.locs[inst]);
        }
    }

    fn test_in_register(&mut self, v: Value, loc: PackedOption<Loc>) {
        if !self.claims(v).is_empty() {
            // The same NaN in each lane, whatever the processor made of it.
            let reg = self.seen(v);
            self.test(v, reg, loc);
        }
    }

    fn test(&mut self, v: Value, reg: Reg, loc: PackedOption<Loc>) {
        let mut tested = 0;
        for claim in self.claims(v) {
            if matches!(claim, Claim::Range(..)) || !reg.is_scalar() {
                self.fact(v, reg, claim, loc);
                tested += 1;
            }
        }
        self.tested[v] = tested;
    }

    fn fact(&mut self, value: Value, reg: Reg, claim: Claim, loc: PackedOption<Loc>) {
        let id = self.code.tables.facts.next_idx();
        let reg = TypedReg { reg, ty: self.ty(value) };
        self.code.tables.facts.push(FactDesc { value, reg, claim, loc });
        self.op(Op::Fact { id });
    }

    /// What became of the facts about the function's values; constants aside, and decisions, which are values' facts.
    pub(super) fn fact_counts(&self) -> FactCounts {
        let mut counts = FactCounts::default();
        if !self.tests() {
            return counts;
        }
        let func = self.plan.func;
        for &block in &self.plan.order.blocks {
            let results = func.block_insts(block).iter().flat_map(|&i| func.inst_results(i));
            for &v in func.block_params(block).iter().chain(results) {
                let Operand::Reg(_) = self.plan.operand(v) else { continue };
                let all = self.claims(v).len() as u32;
                let tested = self.tested[v];
                counts.tested += tested;
                if self.is_vector(v) {
                    counts.absent += all - tested;
                } else {
                    let uniform =
                        self.claims(v).iter().filter(|c| matches!(c, Claim::Uniform(_))).count() as u32;
                    counts.scalar += uniform;
                    counts.absent += all - tested - uniform;
                }
            }
        }
        counts
    }
}
