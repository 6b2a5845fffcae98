//! Values that are computed anew in place of being kept across synchronisation points (*rematerialisation*: Briggs, Cooper and
//! Torczon, "Rematerialization", 1992).

use crate::Refusal;
use crate::emit::Emitter;
use crate::plan::From;
use cranelift_entity::SecondaryMap;
use cudair_ir::*;

/// Where a value is rematerialised, in place of being kept across synchronisation points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) enum Remat {
    /// It has to be kept.
    #[default]
    Never,
    /// For each lane, from its coordinates.
    Lane,
    /// Once for all lanes.
    Block,
}

impl Emitter<'_, '_> {
    /// Finds the values that are computed once for all lanes, or for each lane before it goes on where it is: integers that
    /// follow from arguments and coordinates by operations that cannot fail. Of those of a lane, the ones that would be kept
    /// across a synchronisation point.
    pub(crate) fn find_remat(&mut self) {
        let func = self.given.func;
        let mut found: SecondaryMap<Value, Remat> = SecondaryMap::new();
        for &param in func.block_params(self.block) {
            found[param] = Remat::Block;
        }
        for &block in self.given.cfg.rpo() {
            for &inst in func.block_insts(block) {
                let Some(v) = func.result(inst) else { continue };
                let by = match func.insts[inst] {
                    InstData::Special { reg: SpecialReg::TidX | SpecialReg::TidY | SpecialReg::TidZ } => {
                        Remat::Lane
                    }
                    InstData::Special { reg: SpecialReg::Laneid | SpecialReg::Warpid } => Remat::Lane,
                    InstData::Const { .. }
                    | InstData::Special { .. }
                    | InstData::GlobalAddr { .. }
                    | InstData::SlotAddr { .. } => Remat::Block,
                    InstData::Binary { op, nsw, args } if self.never_fails(op, nsw, args) => {
                        found[args[0]].min(found[args[1]])
                    }
                    InstData::Cast { op: CastOp::Sext | CastOp::Zext | CastOp::Trunc, arg, .. } => found[arg],
                    InstData::Icmp { args: [a, b], .. } if self.ty(a).is_int() => found[a].min(found[b]),
                    InstData::PtrAdd { ptr, offset }
                        if matches!(self.given.plan.from[ptr], From::Root(_))
                            && self.given.plan.addresses[v] =>
                    {
                        found[ptr].min(found[offset])
                    }
                    _ => Remat::Never,
                };
                found[v] = by;
            }
        }
        // What a lane does not keep is computed where it stands.
        let mut wanted: SecondaryMap<Value, bool> = SecondaryMap::new();
        for &v in self.given.plan.live.iter().flatten() {
            wanted[v] = true;
        }
        for &block in self.given.cfg.rpo().iter().rev() {
            for &inst in func.block_insts(block).iter().rev() {
                if let Some(v) = func.result(inst)
                    && wanted[v]
                    && found[v] == Remat::Lane
                {
                    func.for_each_arg(inst, |arg| wanted[arg] = true);
                }
            }
        }
        for (v, by) in found.iter() {
            if *by == Remat::Block || *by == Remat::Lane && wanted[v] {
                self.remat[v] = *by;
            }
        }
    }

    /// Whether an operation on integers can be done wherever one likes.
    pub(crate) fn never_fails(&self, op: BinaryOp, nsw: bool, args: [Value; 2]) -> bool {
        use BinaryOp::*;
        match op {
            Iadd | Isub | Imul => !nsw || self.is_within(op, args),
            And | Or | Xor | Smin | Smax | Umin | Umax => true,
            Shl | Lshr | Ashr => {
                let by = self.given.func.const_bits(args[1]);
                !nsw && by.is_some_and(|by| by < u128::from(self.ty(args[0]).bits()))
            }
            _ => false,
        }
    }

    /// Emits the values of a kind, in the order of the function.
    pub(crate) fn rematerialise(&mut self, by: Remat) -> Result<(), Refusal> {
        let func = self.given.func;
        for &block in self.given.cfg.rpo() {
            for &inst in func.block_insts(block) {
                if func.result(inst).is_some_and(|v| self.remat[v] == by) {
                    self.inst(inst)?;
                }
            }
        }
        Ok(())
    }

    /// Whether a value is rematerialised.
    pub(crate) fn is_remat(&self, v: Value) -> bool {
        self.remat[v] != Remat::Never
    }
}
