//! Atomics, fences, barriers and warp operations.

use super::Emitter;
use crate::Refusal;
use cudair_bytecode::{
    AtomicDesc, AtomicKind, BarrierDesc, FenceDesc, Op, Reg, S, TypedReg, V, WarpDesc, WarpOp,
};
use cudair_ir::{Inst, InstData, Type, Value};
use smallvec::{SmallVec, smallvec};

/// The register after that of a copied value: its bits of initialisation.
fn init_of(value: Reg) -> Option<Reg> {
    match value {
        Reg::V(r) => Some(Reg::V(V(r.0 + 1))),
        Reg::W(r) => Some(Reg::V(V(r.0 + 2))),
        Reg::S(r) => Some(Reg::S(S(r.0 + 1))),
        _ => None,
    }
}

impl Emitter<'_> {
    /// The register of a result that something needs.
    fn wanted(&self, v: Value) -> Option<Reg> {
        self.plan.needed[v.into()].then(|| self.def(v))
    }

    pub(super) fn atomic(&mut self, inst: Inst) -> Result<(), Refusal> {
        let func = self.plan.func;
        let d = func.result(inst).and_then(|v| self.wanted(v));
        let desc = match func.insts[inst] {
            InstData::AtomicLoad { ty, order, scope, ptr, .. } => AtomicDesc {
                kind: AtomicKind::Load,
                ty,
                order,
                scope,
                ptr: self.reg(ptr),
                value: None,
                expected: None,
                d,
            },
            InstData::AtomicStore { order, scope, value, ptr, .. } => AtomicDesc {
                kind: AtomicKind::Store,
                ty: self.ty(value),
                order,
                scope,
                ptr: self.reg(ptr),
                value: Some(self.seen(value)),
                expected: None,
                d: None,
            },
            InstData::AtomicRmw { op, order, scope, ptr, value, .. } => AtomicDesc {
                kind: AtomicKind::Rmw(op),
                ty: self.ty(value),
                order,
                scope,
                ptr: self.reg(ptr),
                value: Some(self.seen(value)),
                expected: None,
                d,
            },
            InstData::AtomicCas { order, scope, ptr, expected, new, .. } => AtomicDesc {
                kind: AtomicKind::Cas,
                ty: self.ty(new),
                order,
                scope,
                ptr: self.reg(ptr),
                value: Some(self.seen(new)),
                expected: Some(self.reg(expected)),
                d,
            },
            _ => return self.misplaced(inst, "an atomic operation"),
        };
        let id = self.code.tables.atomics.next_idx();
        self.code.tables.atomics.push(desc);
        self.op(Op::Atomic { id });
        Ok(())
    }

    /// Fences, barriers and warp operations.
    pub(super) fn synchronise(&mut self, inst: Inst) -> Result<(), Refusal> {
        let func = self.plan.func;
        match func.insts[inst] {
            InstData::Fence { order, scope, .. } => {
                let id = self.code.tables.fences.next_idx();
                self.code.tables.fences.push(FenceDesc { order, scope });
                self.op(Op::Fence { id });
                return Ok(());
            }
            _ if !self.on_device() => return self.refuse("a barrier or warp operation in host code"),
            InstData::Barrier { kind, args, .. } => {
                let pred = args.as_slice(&func.pool).first().map(|&p| self.reg(p));
                let d = func.result(inst).and_then(|v| self.wanted(v));
                let id = self.code.tables.barriers.next_idx();
                self.code.tables.barriers.push(BarrierDesc { kind, pred, d });
                self.op(Op::Barrier { id });
                return Ok(());
            }
            _ => {}
        }
        let (op, mask, values): (WarpOp, Option<Value>, SmallVec<[Value; 3]>) = match func.insts[inst] {
            InstData::WarpSync { mask, .. } => (WarpOp::Sync, Some(mask), smallvec![]),
            InstData::Shfl { mode, mask, value, lane, width, .. } => {
                (WarpOp::Shfl(mode), Some(mask), smallvec![value, lane, width])
            }
            InstData::Vote { mode, mask, pred, .. } => (WarpOp::Vote(mode), Some(mask), smallvec![pred]),
            InstData::Match { mode, mask, value, .. } => (WarpOp::Match(mode), Some(mask), smallvec![value]),
            InstData::Reduce { op, mask, value, .. } => (WarpOp::Reduce(op), Some(mask), smallvec![value]),
            InstData::ActiveMask { .. } => (WarpOp::ActiveMask, None, smallvec![]),
            _ => return self.misplaced(inst, "a warp operation"),
        };
        let mask = mask.map(|m| self.reg(m));
        let mut args: SmallVec<[TypedReg; 3]> =
            values.iter().map(|&v| TypedReg { reg: self.seen(v), ty: self.ty(v) }).collect();
        if let (WarpOp::Shfl(_), Some(&value)) = (op, values.first())
            && self.plan.copied[value]
            && let Some(init) = init_of(self.reg(value))
        {
            args.push(TypedReg { reg: init, ty: Type::I32 });
        }
        let d = func
            .inst_results(inst)
            .iter()
            .map(|&v| self.wanted(v).map(|reg| TypedReg { reg, ty: self.ty(v) }))
            .collect();
        let id = self.code.tables.warps.next_idx();
        self.code.tables.warps.push(WarpDesc { op, mask, args, d });
        self.op(Op::Warp { id });
        Ok(())
    }
}
