//! The sixteen barriers of a block that have numbers and counts of their own: `bar.sync`, `bar.arrive`.
//!
//! Each is a call of a function that the module gets with the first one. Its name, and what [`NumberedBarrier`] says of it,
//! tell the analyses what it is; for the machine it becomes a part of its callers (the pass `barriers`).
//!
//! In it a barrier is two words of shared memory that start at zero: how many threads have arrived in this phase, and the
//! number of the phase. Who arrives last begins the next phase; who waits does so for that, as at a `cuda::barrier`. Release
//! and acquire order what stands before with what stands behind, for the threads that take part and for no others.

use super::func::FnLower;
use cudair_ir::builder::FuncBuilder;
use cudair_ir::{
    AtomicOp, BinaryOp, CastOp, FuncId, Function, Global, GlobalId, GlobalInit, IntCC, Linkage, MemOrder,
    Module, NAMED_BARRIERS, NumberedBarrier, Param, Scope, Side, Signature, Space, SpecialReg, Type, Value,
};

/// Bytes of one barrier.
const BYTES: i128 = 8;
/// The barriers that a block has.
const COUNT: u64 = 16;

impl FnLower<'_, '_, '_> {
    /// Arrives at barrier `id` (`i32`), which `count` threads (all of the block's without it) meet at; waits for
    /// them if `wait`.
    pub(super) fn named_barrier(&mut self, id: Value, count: Option<Value>, wait: bool) {
        self.b.bounds(id, COUNT);
        let rest = Signature { params: Vec::new(), ret: None, variadic: false };
        let pause = self.cx.native("__cudair_pause", rest, true);
        let how = if wait { NumberedBarrier::Sync } else { NumberedBarrier::Arrive };
        let func = function(self.cx.module, how, count.is_some(), pause);
        let args: Vec<Value> = std::iter::once(id).chain(count).collect();
        self.b.call(self.cx.module, func, &args);
    }
}

/// The function that is such a barrier.
fn function(module: &mut Module, how: NumberedBarrier, counts: bool, pause: FuncId) -> FuncId {
    let name = match (how, counts) {
        (NumberedBarrier::Sync, false) => "__cudair_barrier_sync",
        (NumberedBarrier::Sync, true) => "__cudair_barrier_sync_count",
        (NumberedBarrier::Arrive, _) => "__cudair_barrier_arrive",
    };
    if let Some(known) = module.func_by_name(name) {
        return known;
    }
    let params = vec![Param::new(Type::I32); 1 + usize::from(counts)];
    let sig = Signature { params, ret: None, variadic: false };
    let mut function = Function::new(name.to_owned(), Side::Device, sig);
    name.clone_into(&mut function.display_name);
    function.linkage = Linkage::Internal;
    function.attrs.always_inline = true;
    function.attrs.barrier = Some(how);
    let id = module.add_func(function.clone());
    let table = table(module);
    // Its instructions have no places, so that where it is inlined they have the call's.
    let mut b = FuncBuilder::new(function);
    let entry = b.make_entry();
    let args = b.func.block_params(entry).to_vec();
    body(&mut b, module, table, (args[0], args.get(1).copied()), how, pause);
    module.funcs[id] = b.finish();
    id
}

/// What it does, up to the return.
fn body(
    b: &mut FuncBuilder,
    module: &Module,
    table: GlobalId,
    (id, count): (Value, Option<Value>),
    how: NumberedBarrier,
    pause: FuncId,
) {
    let scope = Scope::Block;
    let table = b.global_addr(module, table);
    let id = b.cast(CastOp::Zext, Type::I64, id);
    let bytes = b.iconst(Type::I64, BYTES);
    let offset = b.binary(BinaryOp::Imul, id, bytes);
    let arrived = b.ptr_add(table, offset);
    let phase_at = b.ptr_offset(arrived, BYTES as i64 / 2);
    let count = count.unwrap_or_else(|| block_size(b));
    let [zero, one] = [0, 1].map(|n| b.iconst(Type::I32, n));

    let phase = b.atomic_load(Type::I32, MemOrder::Relaxed, scope, phase_at);
    b.fence(MemOrder::AcqRel, scope);
    let before = b.atomic_rmw(AtomicOp::Add, MemOrder::Relaxed, scope, arrived, one);
    let now = b.binary(BinaryOp::Iadd, before, one);
    let last = b.icmp(IntCC::Eq, now, count);
    let [complete, head, wait, done] = [(); 4].map(|()| b.make_block());
    let waits = how == NumberedBarrier::Sync;
    b.branch(last, complete, if waits { head } else { done });

    b.switch_to(complete);
    b.fence(MemOrder::AcqRel, scope);
    b.atomic_store(MemOrder::Relaxed, scope, zero, arrived);
    b.fence(MemOrder::AcqRel, scope);
    let next = b.binary(BinaryOp::Iadd, phase, one);
    b.atomic_store(MemOrder::Relaxed, scope, next, phase_at);
    b.jump(done, &[]);

    if waits {
        b.switch_to(head);
        let now = b.atomic_load(Type::I32, MemOrder::Relaxed, scope, phase_at);
        let still = b.icmp(IntCC::Eq, now, phase);
        b.branch(still, wait, done);
        b.switch_to(wait);
        b.call(module, pause, &[]);
        b.jump(head, &[]);
    }
    b.switch_to(done);
    b.fence(MemOrder::AcqRel, scope);
    b.ret(None);
}

/// Threads of a block.
fn block_size(b: &mut FuncBuilder) -> Value {
    let [x, y, z] = [SpecialReg::NtidX, SpecialReg::NtidY, SpecialReg::NtidZ].map(|reg| b.special(reg));
    let plane = b.binary(BinaryOp::Imul, x, y);
    b.binary(BinaryOp::Imul, plane, z)
}

/// The variable with the block's barriers.
fn table(module: &mut Module) -> GlobalId {
    let known = module.global_by_name(NAMED_BARRIERS);
    known.unwrap_or_else(|| {
        module.add_global(Global {
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
            ty: None,
        })
    })
}
