//! New instructions, with operands of the types that they ask for.

use crate::edit::{At, Edit, any_type, edge};
use crate::random::Random;
use cudair_ir::*;

/// Some operand of an instruction behind a place becomes this value: one that was `old`, if that is told, else one of
/// its type.
pub fn use_somewhere(e: &mut Edit<'_>, at: At, new: Value, old: Option<Value>) {
    let ty = e.func.value_type(new);
    let mut uses = Vec::new();
    for &inst in e.func.block_insts(at.block).get(at.index..).unwrap_or_default() {
        for (n, v) in e.operands(inst).into_iter().enumerate() {
            if v != new && e.func.value_type(v) == ty && old.is_none_or(|o| o == v) {
                uses.push((inst, n));
            }
        }
    }
    if !uses.is_empty() {
        let (inst, n) = *e.random.pick(&uses);
        e.set_operand(inst, n, new);
    }
}

fn flags(random: &mut Random, ty: Type) -> MemFlags {
    let natural = MemFlags::natural(ty);
    let align_log2 = if random.chance(80) { natural.align_log2 } else { random.below(6) as u8 };
    MemFlags { volatile: random.chance(15), partial: random.chance(4), align_log2 }
}

fn order(random: &mut Random) -> (MemOrder, Scope) {
    (*random.pick(MemOrder::ALL), *random.pick(Scope::ALL))
}

/// A type that memory operations mostly have.
fn access_type(random: &mut Random) -> Type {
    let usual =
        [Type::I32, Type::I32, Type::F32, Type::I64, Type::I8, Type::I16, Type::F64, Type::GENERIC_PTR];
    if random.chance(85) { *random.pick(&usual) } else { any_type(random) }
}

/// Inserts any instruction, and mostly uses its result.
pub fn any(e: &mut Edit<'_>) -> bool {
    let mut at = e.pick_place();
    let device = e.func.side.on_device() || e.random.chance(3);
    let made = match e.random.below(if device { 24 } else { 14 }) {
        0 => load(e, &mut at),
        1 => store(e, &mut at),
        2 => block_memory(e, &mut at),
        3 => arithmetic(e, &mut at),
        4 => cast(e, &mut at),
        5 => address(e, &mut at),
        6 => local_memory(e, &mut at),
        7 | 8 => atomic(e, &mut at),
        9 => call(e, &mut at),
        10 => return branch_away(e, at),
        11 => launch(e, &mut at),
        12 => arguments(e, &mut at),
        13 => ternary(e, &mut at),
        14 | 15 => barrier(e, &mut at),
        16 => special(e, &mut at),
        17 | 18 => shuffle(e, &mut at),
        _ => warp(e, &mut at),
    };
    let Some(inst) = made else { return false };
    for v in e.func.inst_results(inst).to_vec() {
        if e.random.chance(75) {
            use_somewhere(e, at, v, None);
        }
    }
    true
}

fn load(e: &mut Edit<'_>, at: &mut At) -> Option<Inst> {
    let ty = access_type(e.random);
    let ptr = e.pointer(at);
    let site = e.func.make_site(None);
    let flags = flags(e.random, ty);
    Some(e.insert(at, InstData::Load { ty, flags, ptr, site }))
}

fn store(e: &mut Edit<'_>, at: &mut At) -> Option<Inst> {
    let ty = access_type(e.random);
    let value = e.value(at, ty);
    let ptr = e.pointer(at);
    let site = e.func.make_site(None);
    let flags = flags(e.random, ty);
    Some(e.insert(at, InstData::Store { flags, value, ptr, site }))
}

fn length(e: &mut Edit<'_>, at: &mut At) -> Value {
    if e.random.chance(30) {
        return e.value(at, Type::I64);
    }
    let bits = *e.random.pick(&[0u128, 1, 2, 3, 4, 8, 12, 16, 64, 1000, 1 << 20, 1 << 40]);
    e.constant(at, Type::I64, bits)
}

fn block_memory(e: &mut Edit<'_>, at: &mut At) -> Option<Inst> {
    let dst = e.pointer(at);
    let len = length(e, at);
    let dst_site = e.func.make_site(None);
    let flags = flags(e.random, Type::I32);
    let data = if e.random.chance(60) {
        let src = e.pointer(at);
        let src_site = e.func.make_site(None);
        InstData::MemCopy { flags, dst, src, len, dst_site, src_site }
    } else {
        let byte = e.value(at, Type::I8);
        InstData::MemFill { flags, dst, byte, len, site: dst_site }
    };
    Some(e.insert(at, data))
}

fn arithmetic(e: &mut Edit<'_>, at: &mut At) -> Option<Inst> {
    let ty = any_type(e.random);
    let a = e.value(at, ty);
    let b = e.value(at, ty);
    let data = if ty.is_float() {
        match e.random.below(3) {
            0 => InstData::Fcmp { cc: *e.random.pick(FloatCC::ALL), args: [a, b] },
            1 => {
                let all = [UnaryOp::Fneg, UnaryOp::Fabs, UnaryOp::Fsqrt, UnaryOp::Ffloor, UnaryOp::Fnearest];
                InstData::Unary { op: *e.random.pick(&all), nsw: false, arg: a }
            }
            _ => {
                let all: Vec<BinaryOp> = BinaryOp::ALL.iter().copied().filter(|o| o.is_float()).collect();
                InstData::Binary { op: *e.random.pick(&all), nsw: false, args: [a, b] }
            }
        }
    } else if ty.is_ptr() || e.random.chance(25) {
        InstData::Icmp { cc: *e.random.pick(IntCC::ALL), args: [a, b] }
    } else if e.random.chance(25) {
        let all = [
            UnaryOp::Ineg,
            UnaryOp::Inot,
            UnaryOp::Popcnt,
            UnaryOp::Clz,
            UnaryOp::Ctz,
            UnaryOp::Bitrev,
            UnaryOp::Bswap,
        ];
        InstData::Unary { op: *e.random.pick(&all), nsw: false, arg: a }
    } else {
        let all: Vec<BinaryOp> = BinaryOp::ALL.iter().copied().filter(|o| !o.is_float()).collect();
        let op = *e.random.pick(&all);
        InstData::Binary { op, nsw: op.takes_nsw() && e.random.chance(40), args: [a, b] }
    };
    Some(e.insert(at, data))
}

fn ternary(e: &mut Edit<'_>, at: &mut At) -> Option<Inst> {
    let ty = any_type(e.random);
    let op = if ty.is_float() {
        *e.random.pick(&[TernaryOp::Fma, TernaryOp::Select])
    } else if ty.is_ptr() {
        TernaryOp::Select
    } else {
        *e.random.pick(&[TernaryOp::Fshl, TernaryOp::Fshr, TernaryOp::Select])
    };
    let first = if op == TernaryOp::Select { Type::I1 } else { ty };
    let args = [e.value(at, first), e.value(at, ty), e.value(at, ty)];
    Some(e.insert(at, InstData::Ternary { op, args }))
}

fn cast(e: &mut Edit<'_>, at: &mut At) -> Option<Inst> {
    let op = *e.random.pick(CastOp::ALL);
    let (from, to) = (any_type(e.random), any_type(e.random));
    let (from, to) = match op {
        CastOp::Ptrtoint => (Type::Ptr(*e.random.pick(&Space::ALL)), Type::I64),
        CastOp::Inttoptr => (Type::I64, Type::Ptr(*e.random.pick(&Space::ALL))),
        CastOp::Spacecast => (Type::Ptr(*e.random.pick(&Space::ALL)), Type::Ptr(*e.random.pick(&Space::ALL))),
        _ => (from, to),
    };
    let arg = e.value(at, from);
    Some(e.insert(at, InstData::Cast { op, ty: to, arg }))
}

fn address(e: &mut Edit<'_>, at: &mut At) -> Option<Inst> {
    let data = match e.random.below(4) {
        0 => {
            let all: Vec<FuncId> = e.module.funcs.keys().collect();
            InstData::FuncAddr { func: *e.random.pick(&all) }
        }
        1 => {
            let args = [e.pointer(at), e.pointer(at)];
            InstData::PtrDiff { args }
        }
        2 => {
            let ptr = e.pointer(at);
            let offset = e.value(at, Type::I64);
            InstData::PtrAdd { ptr, offset }
        }
        _ => {
            let ty = *e.random.pick(&[Type::I32, Type::I64]);
            let index = e.value(at, ty);
            InstData::Bounds { index, len: edge(e.random, Type::I32) as u64 }
        }
    };
    Some(e.insert(at, data))
}

fn local_memory(e: &mut Edit<'_>, at: &mut At) -> Option<Inst> {
    let all: Vec<Slot> = e.func.slots.keys().collect();
    let data = if !all.is_empty() && e.random.chance(50) {
        InstData::Lifetime { op: *e.random.pick(LifetimeOp::ALL), slot: *e.random.pick(&all) }
    } else {
        let size = length(e, at);
        let ty = Type::Ptr(e.func.side.local_space());
        let align_log2 = e.random.below(7) as u8;
        InstData::Alloca { ty, scoped: e.random.chance(40), size, align_log2 }
    };
    Some(e.insert(at, data))
}

fn atomic(e: &mut Edit<'_>, at: &mut At) -> Option<Inst> {
    let ty = access_type(e.random);
    let ptr = e.pointer(at);
    let (order, scope) = order(e.random);
    let site = e.func.make_site(None);
    let data = match e.random.below(6) {
        0 => InstData::AtomicLoad { ty, order, scope, ptr, site },
        1 => InstData::AtomicStore { order, scope, value: e.value(at, ty), ptr, site },
        2 => {
            let (expected, new) = (e.value(at, ty), e.value(at, ty));
            InstData::AtomicCas { order, scope, ptr, expected, new, site }
        }
        3 => InstData::Fence { order, scope, site },
        _ => {
            let float = [AtomicOp::Fadd, AtomicOp::Fmin, AtomicOp::Fmax, AtomicOp::Xchg];
            let op = if ty.is_float() { *e.random.pick(&float) } else { *e.random.pick(AtomicOp::ALL) };
            InstData::AtomicRmw { op, order, scope, ptr, value: e.value(at, ty), site }
        }
    };
    Some(e.insert(at, data))
}

/// The arguments that a signature asks for, at times one more.
fn arguments_of(e: &mut Edit<'_>, at: &mut At, sig: &Signature) -> Vec<Value> {
    let mut out: Vec<Value> = sig.params.iter().map(|p| e.value(at, p.ty)).collect();
    if sig.variadic || e.random.chance(2) {
        for _ in 0..e.random.below(3) {
            let ty = any_type(e.random);
            out.push(e.value(at, ty));
        }
    }
    out
}

fn call(e: &mut Edit<'_>, at: &mut At) -> Option<Inst> {
    let side = e.func.side.on_device();
    let any = e.random.chance(4);
    let all: Vec<FuncId> = e.module.funcs.keys().collect();
    let fits = |f: &FuncId| {
        let f = &e.module.funcs[*f];
        any || (f.side != Side::Kernel && f.side.on_device() == side)
    };
    let all: Vec<FuncId> = all.into_iter().filter(fits).collect();
    if all.is_empty() {
        return None;
    }
    let func = *e.random.pick(&all);
    let sigs: Vec<SigId> = e.module.sigs.keys().collect();
    if !sigs.is_empty() && e.random.chance(35) {
        let sig = *e.random.pick(&sigs);
        let args = arguments_of(e, at, &e.module.sigs[sig].clone());
        let callee =
            if e.random.chance(70) { e.insert1(at, InstData::FuncAddr { func }) } else { e.pointer(at) };
        let (args, site) = (e.func.list(&args), e.func.make_site(None));
        return Some(e.insert(at, InstData::CallIndirect { sig, callee, args, site }));
    }
    let args = arguments_of(e, at, &e.module.funcs[func].sig.clone());
    let (args, site) = (e.func.list(&args), e.func.make_site(None));
    Some(e.insert(at, InstData::Call { func, args, site }))
}

fn launch(e: &mut Edit<'_>, at: &mut At) -> Option<Inst> {
    let kernels: Vec<FuncId> =
        e.module.funcs.iter().filter(|(_, f)| f.side == Side::Kernel).map(|(id, _)| id).collect();
    if kernels.is_empty() {
        return None;
    }
    let kernel = *e.random.pick(&kernels);
    let mut args = Vec::new();
    for _ in 0..6 {
        let bits = *e.random.pick(&[1u128, 1, 1, 2, 3, 32, 33, 64, 0, 1025]);
        args.push(e.constant(at, Type::I32, bits));
    }
    let shared = *e.random.pick(&[0u128, 0, 16, 4096, 1 << 20]);
    args.push(e.constant(at, Type::I64, shared));
    args.push(if e.random.chance(80) { e.constant(at, Type::GENERIC_PTR, 0) } else { e.pointer(at) });
    let rest = arguments_of(e, at, &e.module.funcs[kernel].sig.clone());
    args.extend(rest);
    let (args, site) = (e.func.list(&args), e.func.make_site(None));
    Some(e.insert(at, InstData::Launch { kernel, args, site }))
}

fn arguments(e: &mut Edit<'_>, at: &mut At) -> Option<Inst> {
    let list = e.pointer(at);
    let site = e.func.make_site(None);
    if e.random.chance(50) {
        let ty = any_type(e.random);
        return Some(e.insert(at, InstData::VaArg { ty, list, site }));
    }
    let op = *e.random.pick(VaOp::ALL);
    let mut lists = vec![list];
    if op == VaOp::Copy {
        lists.push(e.pointer(at));
    }
    let args = e.func.list(&lists);
    Some(e.insert(at, InstData::Va { op, args, site }))
}

/// The block ends at this place: by a return, a trap, or a branch of which one arm is the rest.
fn branch_away(e: &mut Edit<'_>, at: At) -> bool {
    let mut at = at;
    let ends = match e.random.below(4) {
        0 => InstData::Trap {
            code: *e.random.pick(&[TrapCode::Trap, TrapCode::Unreachable, TrapCode::MissingReturn]),
        },
        1 => {
            let values = e.func.sig.ret.map(|ty| e.value(&mut at, ty));
            let args = e.func.list(values.as_slice());
            InstData::Return { args }
        }
        _ => {
            let cond = e.value(&mut at, Type::I1);
            let later = e.func.make_block();
            let to = *e.random.pick(&e.func.layout);
            let types: Vec<Type> = e.func.block_params(to).iter().map(|&v| e.func.value_type(v)).collect();
            let values: Vec<Value> = types.into_iter().map(|ty| e.value(&mut at, ty)).collect();
            let mut rest = e.func.block_insts(at.block).to_vec();
            e.func.blocks[later].insts = rest.split_off(at.index.min(rest.len()));
            let place = e.func.layout.iter().position(|&b| b == at.block).unwrap_or(0);
            e.func.layout.insert(place + 1, later);
            let (a, b) = (e.func.block_call(later, &[]), e.func.block_call(to, &values));
            let (then, other) = if e.random.chance(50) { (a, b) } else { (b, a) };
            InstData::Branch { cond, then, other }
        }
    };
    e.func.blocks[at.block].insts.truncate(at.index);
    e.insert(&mut at, ends);
    true
}

fn barrier(e: &mut Edit<'_>, at: &mut At) -> Option<Inst> {
    let kind = if e.random.chance(60) { BarrierKind::Sync } else { *e.random.pick(BarrierKind::ALL) };
    let values = kind.has_predicate().then(|| e.value(at, Type::I32));
    let args = e.func.list(values.as_slice());
    let site = e.func.make_site(None);
    Some(e.insert(at, InstData::Barrier { kind, args, site }))
}

fn special(e: &mut Edit<'_>, at: &mut At) -> Option<Inst> {
    let reg = *e.random.pick(SpecialReg::ALL);
    Some(e.insert(at, InstData::Special { reg }))
}

fn shuffle(e: &mut Edit<'_>, at: &mut At) -> Option<Inst> {
    let ty = access_type(e.random);
    let (mask, value) = (e.mask(at), e.value(at, ty));
    let lane = e.value(at, Type::I32);
    let width = if e.random.chance(80) {
        let bits = *e.random.pick(&[32u128, 32, 16, 8, 1, 0, 3, 33]);
        e.constant(at, Type::I32, bits)
    } else {
        e.value(at, Type::I32)
    };
    let mode = *e.random.pick(ShflMode::ALL);
    let site = e.func.make_site(None);
    Some(e.insert(at, InstData::Shfl { mode, mask, value, lane, width, site }))
}

fn warp(e: &mut Edit<'_>, at: &mut At) -> Option<Inst> {
    let mask = e.mask(at);
    let site = e.func.make_site(None);
    let data = match e.random.below(5) {
        0 => InstData::WarpSync { mask, site },
        1 => InstData::Vote { mode: *e.random.pick(VoteMode::ALL), mask, pred: e.value(at, Type::I32), site },
        2 => {
            let ty = *e.random.pick(&[Type::I32, Type::I64]);
            InstData::Match { mode: *e.random.pick(MatchMode::ALL), mask, value: e.value(at, ty), site }
        }
        3 => {
            InstData::Reduce { op: *e.random.pick(ReduceOp::ALL), mask, value: e.value(at, Type::I32), site }
        }
        _ => InstData::ActiveMask { implied: e.random.chance(50), site },
    };
    Some(e.insert(at, data))
}
