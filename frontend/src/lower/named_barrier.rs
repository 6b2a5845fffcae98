//! The sixteen barriers of a block that have numbers and counts of their own: `bar.sync`, `bar.arrive`.
//!
//! Each is two words of shared memory that start at zero: how many threads have arrived in this phase, and the number of
//! the phase. Who arrives last begins the next phase; who waits does so for that, as at a `cuda::barrier`. Release and
//! acquire order what stands before with what stands behind, for the threads that take part and for no others.

use super::func::FnLower;
use cudair_ir::{
    AtomicOp, BinaryOp, Global, GlobalInit, IntCC, Linkage, MemOrder, NAMED_BARRIERS, Scope, Signature,
    Space, SpecialReg, Type, Value,
};

/// Bytes of one barrier.
const BYTES: i128 = 8;
/// The barriers that a block has.
const COUNT: u64 = 16;

impl FnLower<'_, '_, '_> {
    /// Arrives at barrier `id` (`i32`), which `count` threads (all of the block's without it) meet at; waits for
    /// them if `wait`.
    pub(super) fn named_barrier(&mut self, id: Value, count: Option<Value>, wait: bool) {
        let scope = Scope::Block;
        let table = self.named_barriers();
        self.b.bounds(id, COUNT);
        let id = self.b.cast(cudair_ir::CastOp::Zext, Type::I64, id);
        let bytes = self.b.iconst(Type::I64, BYTES);
        let offset = self.b.binary(BinaryOp::Imul, id, bytes);
        let arrived = self.b.ptr_add(table, offset);
        let phase_at = self.b.ptr_offset(arrived, BYTES as i64 / 2);
        let count = count.unwrap_or_else(|| self.block_size());
        let [zero, one] = [0, 1].map(|n| self.b.iconst(Type::I32, n));

        let phase = self.b.atomic_load(Type::I32, MemOrder::Relaxed, scope, phase_at);
        self.b.fence(MemOrder::AcqRel, scope);
        let before = self.b.atomic_rmw(AtomicOp::Add, MemOrder::Relaxed, scope, arrived, one);
        let now = self.b.binary(BinaryOp::Iadd, before, one);
        let last = self.b.icmp(IntCC::Eq, now, count);
        let [complete, head, pause, done] = [(); 4].map(|()| self.b.make_block());
        self.b.branch(last, complete, if wait { head } else { done });

        self.b.switch_to(complete);
        self.b.fence(MemOrder::AcqRel, scope);
        self.b.atomic_store(MemOrder::Relaxed, scope, zero, arrived);
        self.b.fence(MemOrder::AcqRel, scope);
        let next = self.b.binary(BinaryOp::Iadd, phase, one);
        self.b.atomic_store(MemOrder::Relaxed, scope, next, phase_at);
        self.b.jump(done, &[]);

        if wait {
            self.b.switch_to(head);
            let now = self.b.atomic_load(Type::I32, MemOrder::Relaxed, scope, phase_at);
            let still = self.b.icmp(IntCC::Eq, now, phase);
            self.b.branch(still, pause, done);
            self.b.switch_to(pause);
            let rest = Signature { params: Vec::new(), ret: None, variadic: false };
            let func = self.cx.native("__cudair_pause", rest, true);
            self.b.call(self.cx.module, func, &[]);
            self.b.jump(head, &[]);
        }
        self.b.switch_to(done);
        self.b.fence(MemOrder::AcqRel, scope);
    }

    /// Threads of a block.
    fn block_size(&mut self) -> Value {
        let [x, y, z] =
            [SpecialReg::NtidX, SpecialReg::NtidY, SpecialReg::NtidZ].map(|reg| self.b.special(reg));
        let plane = self.b.binary(BinaryOp::Imul, x, y);
        self.b.binary(BinaryOp::Imul, plane, z)
    }

    /// The address of the block's barriers.
    fn named_barriers(&mut self) -> Value {
        let known = self.cx.module.global_by_name(NAMED_BARRIERS);
        let id = known.unwrap_or_else(|| {
            self.cx.module.add_global(Global {
                name: NAMED_BARRIERS.to_owned(),
                display_name: NAMED_BARRIERS.to_owned(),
                space: Space::Shared,
                size: COUNT * BYTES as u64,
                align_log2: 3,
                linkage: Linkage::Internal,
                constant: false,
                dynamic: false,
                init: GlobalInit::Uninit,
                loc: None.into(),
            })
        });
        self.b.global_addr(self.cx.module, id)
    }
}
