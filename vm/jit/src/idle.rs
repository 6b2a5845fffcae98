//! Lanes that have nothing to do: where a branch on a number that grows from thread to thread has left out lanes that run together,
//! all that follow will be left out, too. If these have done nothing else but what is done once for the block, the rest are not run.

use crate::Refusal;
use crate::emit::Emitter;
use crate::vector::WIDTH;
use cranelift_codegen::ir::condcodes::IntCC as Cc;
use cranelift_codegen::ir::types as ct;
use cranelift_codegen::ir::{self as cl, InstBuilder};
use cranelift_frontend::Variable;
use cudair_ir::*;

impl Emitter<'_, '_> {
    /// Whether lanes that have nothing to do are looked for: the threads of a block have to stand in a row.
    pub(crate) fn skips_idle(&self) -> bool {
        let [_, y, z] = self.given.promises.shape.block_dim;
        self.classes.is_some() && !self.given.plan.ordered && y == 1 && z == 1
    }

    /// Says whether the lanes that run together have done nothing so far that other lanes would not do in the same way.
    pub(crate) fn set_idle(&mut self, idle: bool) {
        if self.skips_idle() {
            let idle = self.b.ins().iconst(ct::I8, i64::from(idle));
            self.b.def_var(self.idle, idle);
        }
    }

    /// Whether an instruction that ends no block does the same in all lanes of a block, or nothing that is seen.
    pub(crate) fn is_idle(&self, inst: Inst) -> bool {
        use InstData::*;
        let func = self.given.func;
        let mut uniform = true;
        func.for_each_arg(inst, |v| uniform &= self.given.uniform.contains(v));
        match func.insts[inst] {
            Const { .. } | Special { .. } | GlobalAddr { .. } | SlotAddr { .. } => true,
            Icmp { .. } | Fcmp { .. } => true,
            Cast { op: CastOp::Sext | CastOp::Zext | CastOp::Trunc, .. } => true,
            Binary { op, nsw, args } => uniform || self.never_fails(op, nsw, args),
            Unary { .. } | Cast { .. } | Ternary { .. } | PtrAdd { .. } => uniform,
            _ => false,
        }
    }

    /// The lanes that run together have come to one side of a branch: the lanes behind them come to it, too, or they have
    /// something to do.
    pub(crate) fn stays_idle(&mut self, cond: Value, side: bool) -> Result<(), Refusal> {
        if !self.skips_idle() {
            return Ok(());
        }
        let Some((cc, args, [s, t])) = self.even_comparison(cond) else {
            self.set_idle(false);
            return Ok(());
        };
        if !args.iter().all(|&v| self.is_even_over_block(v)) {
            self.set_idle(false);
            return Ok(());
        }
        // Whether the left number moves up, seen from the right one.
        let grows = s > t;
        let stays = match cc {
            IntCC::Slt | IntCC::Sle | IntCC::Ult | IntCC::Ule => side != grows,
            IntCC::Sgt | IntCC::Sge | IntCC::Ugt | IntCC::Uge => side == grows,
            IntCC::Eq | IntCC::Ne => {
                if side != (cc == IntCC::Eq) {
                    // They were equal in a lane before these, if in any.
                    let [a, b] = [self.first(args[0])?, self.first(args[1])?];
                    let lane = self.lane_of_equality([a, b], grows);
                    let before = self.b.ins().icmp_imm_s(Cc::SignedLessThan, lane, 0);
                    let idle = self.b.use_var(self.idle);
                    let idle = self.b.ins().band(idle, before);
                    self.b.def_var(self.idle, idle);
                    return Ok(());
                }
                false
            }
        };
        if !stays {
            self.set_idle(false);
        }
        Ok(())
    }

    /// Whether a number grows by the same from thread to thread of the block.
    fn is_even_over_block(&self, v: Value) -> bool {
        if self.given.uniform.contains(v) {
            return true;
        }
        let func = self.given.func;
        if self.class(v).stride().is_none() {
            return false;
        }
        match func.def_inst(v).map(|inst| &func.insts[inst]) {
            Some(InstData::Special { reg }) => *reg == SpecialReg::TidX,
            Some(&InstData::Binary { op, args, .. }) => {
                matches!(op, BinaryOp::Iadd | BinaryOp::Isub | BinaryOp::Imul | BinaryOp::Shl)
                    && args.iter().all(|&v| self.is_even_over_block(v))
            }
            Some(&InstData::Cast { op: CastOp::Sext | CastOp::Zext, arg, .. }) => {
                self.is_even_over_block(arg)
            }
            _ => false,
        }
    }

    /// All lanes up to the next one have come to where the region ends. If they have had nothing to do, neither have the rest up to
    /// the end: they count as done.
    pub(crate) fn skip_idle(
        &mut self,
        lane: Variable,
        (next, end): (cl::Value, cl::Value),
        turns: cl::Value,
    ) {
        let (skip, go_on) = (self.b.create_block(), self.b.create_block());
        let left = self.b.use_var(self.turns);
        let spent = self.b.ins().isub(turns, left);
        let each = self.b.ins().sshr_imm_s(spent, i64::from(WIDTH.trailing_zeros()));
        let rest = self.b.ins().isub(end, next);
        let rest = self.b.ins().uextend(ct::I64, rest);
        let theirs = self.b.ins().imul(each, rest);
        let left = self.b.ins().isub(left, theirs);
        let fits = self.b.ins().icmp_imm_s(Cc::SignedGreaterThanOrEqual, left, 0);
        let idle = self.b.use_var(self.idle);
        let skips = self.b.ins().band(idle, fits);
        self.b.ins().brif(skips, skip, &[], go_on, &[]);
        self.b.switch_to_block(skip);
        self.b.def_var(self.turns, left);
        self.b.def_var(lane, end);
        self.b.ins().jump(go_on, &[]);
        self.b.switch_to_block(go_on);
    }
}
