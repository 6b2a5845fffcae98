//! Changes of a module that know of types: what they make is mostly well formed, and now and then just not.

use crate::edit::{At, Edit, any_type, edge};
use crate::insert;
use crate::random::Random;
use cudair_ir::*;

/// A change. It gives false where the function has no place for it.
type Change = fn(&mut Edit<'_>) -> bool;

/// The changes of one function, each with how often it is drawn.
const CHANGES: [(&str, usize, Change); 16] = [
    ("operand", 12, operand),
    ("operation", 12, operation),
    ("flags", 8, flags),
    ("constant", 12, constant),
    ("width", 5, width),
    ("access type", 5, access_type),
    ("successors", 8, successors),
    ("target", 6, target),
    ("drop", 6, drop_inst),
    ("duplicate", 5, duplicate),
    ("insert", 30, insert::any),
    ("slot", 4, slot),
    ("cases", 2, cases),
    ("launch shape", 10, launch_shape),
    ("attributes", 2, attributes),
    ("places", 2, places),
];

/// Changes a module once; the name of the change, if one found a place.
pub fn mutate(module: &mut Module, random: &mut Random) -> Option<&'static str> {
    if random.chance(7) {
        return variable(module, random).then_some("variable");
    }
    let defined: Vec<FuncId> = module.funcs.keys().filter(|&f| !module.funcs[f].is_declaration()).collect();
    let device: Vec<FuncId> = defined.iter().copied().filter(|&f| module.funcs[f].side.on_device()).collect();
    let from = if !device.is_empty() && random.chance(75) { &device } else { &defined };
    if from.is_empty() {
        return None;
    }
    let total: usize = CHANGES.iter().map(|c| c.1).sum();
    for _ in 0..20 {
        let id = *random.pick(from);
        let mut n = random.below(total);
        let &(name, _, change) = CHANGES.iter().find(|c| {
            let here = n < c.1;
            n = n.saturating_sub(c.1);
            here
        })?;
        let mut edit = Edit::new(module, id, random);
        if change(&mut edit) {
            let func = edit.func;
            module.funcs[id] = func;
            return Some(name);
        }
    }
    None
}

/// Another value in place of an operand.
fn operand(e: &mut Edit<'_>) -> bool {
    let Some((at, inst)) = e.pick_inst(|f, i| {
        let mut any = false;
        f.for_each_arg(i, |_| any = true);
        any
    }) else {
        return false;
    };
    let all = e.operands(inst);
    let number = e.random.below(all.len());
    let ty = e.func.value_type(all[number]);
    let new = if e.random.chance(8) {
        match e.anything() {
            Some(v) => v,
            None => return false,
        }
    } else {
        let mut at = at;
        e.value(&mut at, ty)
    };
    e.set_operand(inst, number, new);
    new != all[number]
}

/// Another operation of the same class.
fn operation(e: &mut Edit<'_>) -> bool {
    use InstData::*;
    let Some((_, inst)) = e.pick_inst(|f, i| {
        matches!(
            f.insts[i],
            Unary { .. }
                | Cast { .. }
                | Binary { .. }
                | Icmp { .. }
                | Fcmp { .. }
                | Ternary { .. }
                | AtomicRmw { .. }
                | Barrier { .. }
                | Shfl { .. }
                | Vote { .. }
                | Reduce { .. }
                | Special { .. }
                | Lifetime { .. }
                | Va { .. }
        )
    }) else {
        return false;
    };
    let mut data = e.func.insts[inst].clone();
    let random = &mut *e.random;
    match &mut data {
        Unary { op, nsw, .. } => {
            *op = *random.pick(UnaryOp::ALL);
            *nsw &= *op == UnaryOp::Ineg;
        }
        Cast { op, .. } => *op = *random.pick(CastOp::ALL),
        Binary { op, nsw, .. } => {
            let float = op.is_float();
            let of_class: Vec<BinaryOp> =
                BinaryOp::ALL.iter().copied().filter(|o| o.is_float() == float).collect();
            let strict = random.chance(95);
            *op = *random.pick(if strict { &of_class } else { BinaryOp::ALL });
            *nsw &= op.takes_nsw();
        }
        Icmp { cc, .. } => *cc = *random.pick(IntCC::ALL),
        Fcmp { cc, .. } => *cc = *random.pick(FloatCC::ALL),
        Ternary { op, .. } => *op = *random.pick(TernaryOp::ALL),
        AtomicRmw { op, .. } => *op = *random.pick(AtomicOp::ALL),
        Barrier { kind, .. } => *kind = *random.pick(BarrierKind::ALL),
        Shfl { mode, .. } => *mode = *random.pick(ShflMode::ALL),
        Vote { mode, .. } => *mode = *random.pick(VoteMode::ALL),
        Reduce { op, .. } => *op = *random.pick(ReduceOp::ALL),
        Special { reg } => *reg = *random.pick(SpecialReg::ALL),
        Lifetime { op, .. } => *op = *random.pick(LifetimeOp::ALL),
        Va { op, .. } => *op = *random.pick(VaOp::ALL),
        _ => return false,
    }
    e.func.insts[inst] = data;
    true
}

/// Volatility, alignment, orders, scopes.
fn flags(e: &mut Edit<'_>) -> bool {
    use InstData::*;
    let Some((_, inst)) = e.pick_inst(|f, i| {
        matches!(
            f.insts[i],
            Unary { op: UnaryOp::Ineg, .. }
                | Binary { .. }
                | Load { .. }
                | Store { .. }
                | MemCopy { .. }
                | MemFill { .. }
                | Alloca { .. }
                | AtomicLoad { .. }
                | AtomicStore { .. }
                | AtomicRmw { .. }
                | AtomicCas { .. }
                | Fence { .. }
                | ActiveMask { .. }
        )
    }) else {
        return false;
    };
    let mut data = e.func.insts[inst].clone();
    let random = &mut *e.random;
    let align = *random.pick(&[0u8, 0, 1, 2, 2, 3, 3, 4, 5, 8, 12, 20, 31, 32, 63, 255]);
    match &mut data {
        Unary { nsw, .. } | Binary { nsw, .. } => *nsw = !*nsw,
        Load { flags, .. } | Store { flags, .. } | MemCopy { flags, .. } | MemFill { flags, .. } => {
            match random.below(4) {
                0 => flags.volatile = !flags.volatile,
                1 => flags.partial = !flags.partial,
                _ => flags.align_log2 = align,
            }
        }
        Alloca { scoped, align_log2, .. } => {
            if random.chance(50) {
                *scoped = !*scoped;
            } else {
                *align_log2 = align;
            }
        }
        AtomicLoad { order, scope, .. }
        | AtomicStore { order, scope, .. }
        | AtomicRmw { order, scope, .. }
        | AtomicCas { order, scope, .. }
        | Fence { order, scope, .. } => {
            if random.chance(50) {
                *order = *random.pick(MemOrder::ALL);
            } else {
                *scope = *random.pick(Scope::ALL);
            }
        }
        ActiveMask { implied, .. } => *implied = !*implied,
        _ => return false,
    }
    e.func.insts[inst] = data;
    true
}

/// Another constant.
fn constant(e: &mut Edit<'_>) -> bool {
    let wanted = |f: &Function, i| matches!(f.insts[i], InstData::Const { .. } | InstData::Bounds { .. });
    let Some((_, inst)) = e.pick_inst(wanted) else { return false };
    match &mut e.func.insts[inst] {
        InstData::Const { ty, bits } => {
            let new = edge(e.random, *ty);
            // Near the old one as well.
            *bits = match e.random.below(4) {
                0 => bits.wrapping_add(1) & ty.bit_mask(),
                1 => bits.wrapping_sub(1) & ty.bit_mask(),
                _ => new,
            };
        }
        InstData::Bounds { len, .. } => *len = edge(e.random, Type::I64) as u64,
        _ => return false,
    }
    true
}

/// The conversion between two integer types.
fn convert(e: &mut Edit<'_>, at: &mut At, v: Value, ty: Type) -> Value {
    let from = e.func.value_type(v);
    let op = match from.bits().cmp(&ty.bits()) {
        std::cmp::Ordering::Equal => return v,
        std::cmp::Ordering::Greater => CastOp::Trunc,
        std::cmp::Ordering::Less => *e.random.pick(&[CastOp::Zext, CastOp::Sext]),
    };
    e.insert1(at, InstData::Cast { op, ty, arg: v })
}

/// An integer operation at another width, with conversions around it.
fn width(e: &mut Edit<'_>) -> bool {
    let Some((mut at, inst)) = e.pick_inst(|f, i| match f.insts[i] {
        InstData::Binary { args, .. } => f.value_type(args[0]).is_int(),
        InstData::Unary { arg, .. } => f.value_type(arg).is_int(),
        _ => false,
    }) else {
        return false;
    };
    let ty = *e.random.pick(&[Type::I1, Type::I8, Type::I16, Type::I32, Type::I64, Type::I128]);
    let mut data = e.func.insts[inst].clone();
    let Some(old) = e.func.result(inst) else { return false };
    match &mut data {
        InstData::Binary { args, .. } => *args = args.map(|v| convert(e, &mut at, v, ty)),
        InstData::Unary { arg, .. } => *arg = convert(e, &mut at, *arg, ty),
        _ => return false,
    }
    let new = e.insert1(&mut at, data);
    let back = e.func.value_type(old);
    let new = convert(e, &mut at, new, back);
    e.replace(old, new, inst);
    true
}

/// A load or an atomic of another type, or a cast to another type.
fn access_type(e: &mut Edit<'_>) -> bool {
    use InstData::*;
    let Some((at, inst)) = e.pick_inst(|f, i| {
        matches!(
            f.insts[i],
            Load { .. } | AtomicLoad { .. } | VaArg { .. } | Cast { .. } | Store { .. } | AtomicStore { .. }
        )
    }) else {
        return false;
    };
    let new = any_type(e.random);
    let mut data = e.func.insts[inst].clone();
    let mut before = at;
    match &mut data {
        Store { value, .. } | AtomicStore { value, .. } => {
            *value = e.value(&mut before, new);
            e.func.insts[inst] = data;
            return true;
        }
        Load { ty, .. } | AtomicLoad { ty, .. } | VaArg { ty, .. } | Cast { ty, .. } => *ty = new,
        _ => return false,
    }
    let Some(old) = e.func.result(inst) else { return false };
    let is = e.func.value_type(old);
    let fresh = e.insert1(&mut before, data);
    // The old one's uses get what this type has to offer.
    let used = if is.is_int() && new.is_int() {
        convert(e, &mut before, fresh, is)
    } else if is.is_ptr() && new.is_ptr() {
        e.insert1(&mut before, Cast { op: CastOp::Spacecast, ty: is, arg: fresh })
    } else if is.bits() == new.bits() && !is.is_ptr() && !new.is_ptr() {
        e.insert1(&mut before, Cast { op: CastOp::Bitcast, ty: is, arg: fresh })
    } else {
        return true;
    };
    e.replace(old, used, inst);
    true
}

fn terminator(e: &mut Edit<'_>, targets: usize) -> Option<(At, Inst)> {
    e.pick_inst(|f, i| {
        let mut n = 0;
        f.for_each_target(i, |_| n += 1);
        n >= targets
    })
}

/// The arms of a branch change places.
fn successors(e: &mut Edit<'_>) -> bool {
    let Some((_, inst)) = terminator(e, 2) else { return false };
    let mut all: Vec<BlockCall> = Vec::new();
    e.func.for_each_target(inst, |t| all.push(*t));
    let (a, b) = (e.random.below(all.len()), e.random.below(all.len()));
    all.swap(a, b);
    let mut n = 0;
    e.func.for_each_target_mut(inst, |t, _| {
        *t = all[n];
        n += 1;
    });
    a != b
}

/// A branch that leads elsewhere.
fn target(e: &mut Edit<'_>) -> bool {
    let Some((mut at, inst)) = terminator(e, 1) else { return false };
    let block = *e.random.pick(&e.func.layout);
    let types: Vec<Type> = e.func.block_params(block).iter().map(|&v| e.func.value_type(v)).collect();
    let values: Vec<Value> = types.into_iter().map(|ty| e.value(&mut at, ty)).collect();
    let call = e.func.block_call(block, &values);
    let mut all = 0;
    e.func.for_each_target(inst, |_| all += 1);
    let wanted = e.random.below(all);
    let mut n = 0;
    e.func.for_each_target_mut(inst, |t, _| {
        if n == wanted {
            *t = call;
        }
        n += 1;
    });
    true
}

/// An instruction goes; its results become other values.
fn drop_inst(e: &mut Edit<'_>) -> bool {
    let Some((mut at, inst)) = e.pick_inst(|f, i| !f.insts[i].is_terminator()) else { return false };
    for old in e.func.inst_results(inst).to_vec() {
        let ty = e.func.value_type(old);
        let new = e.value(&mut at, ty);
        if !e.random.chance(3) {
            e.replace(old, new, inst);
        }
    }
    e.func.blocks[at.block].insts.retain(|&i| i != inst);
    true
}

/// An instruction a second time, here or at another place.
fn duplicate(e: &mut Edit<'_>) -> bool {
    let Some((at, inst)) = e.pick_inst(|f, i| !f.insts[i].is_terminator()) else { return false };
    let mut data = e.func.insts[inst].clone();
    // Lists belong to one instruction.
    let copy = e.func.clone();
    data = e.func.import(&copy, data, |v| v, |b| b);
    let mut to = if e.random.chance(60) { At { index: at.index + 1, ..at } } else { e.pick_place() };
    let new = e.insert(&mut to, data);
    let (old, new) = (e.func.inst_results(inst).to_vec(), e.func.inst_results(new).to_vec());
    if let (Some(&old), Some(&new)) = (old.first(), new.first()) {
        insert::use_somewhere(e, to, new, Some(old));
    }
    true
}

/// Another size, alignment or space of a local variable.
fn slot(e: &mut Edit<'_>) -> bool {
    let all: Vec<Slot> = e.func.slots.keys().collect();
    if all.is_empty() {
        return false;
    }
    let slot = *e.random.pick(&all);
    let data = &mut e.func.slots[slot];
    match e.random.below(12) {
        0..=6 => data.size = *e.random.pick(&[0, 1, 2, 3, 4, 8, 12, 16, 1000, 70_000, u32::MAX]),
        7..=9 => data.align_log2 = *e.random.pick(&[0, 1, 2, 3, 4, 8, 16, 31, 32, 255]),
        10 => data.part = Some((e.random.next() as u32, e.random.next() as u32)),
        _ => data.space = *e.random.pick(&Space::ALL),
    }
    true
}

/// Other cases of a switch.
fn cases(e: &mut Edit<'_>) -> bool {
    let Some((_, inst)) = e.pick_inst(|f, i| matches!(f.insts[i], InstData::Switch { .. })) else {
        return false;
    };
    let InstData::Switch { arg, table } = e.func.insts[inst] else { return false };
    let ty = e.func.value_type(arg);
    let table = &mut e.func.tables[table];
    if table.cases.is_empty() {
        return false;
    }
    let n = e.random.below(table.cases.len());
    if e.random.chance(60) {
        table.cases[n].0 = edge(e.random, ty);
    } else {
        table.cases.remove(n);
    }
    true
}

/// Another number in the configuration of a launch.
fn launch_shape(e: &mut Edit<'_>) -> bool {
    let wanted =
        |f: &Function, i| matches!(f.insts[i], InstData::Launch { .. } | InstData::LaunchIndirect { .. });
    let Some((mut at, inst)) = e.pick_inst(wanted) else { return false };
    let first = usize::from(matches!(e.func.insts[inst], InstData::LaunchIndirect { .. }));
    let n = e.random.below(8);
    let new = match n {
        0..=5 => {
            let all = [0u128, 1, 2, 3, 5, 16, 31, 32, 33, 64, 100, 257, 1024, 1025, 65_536, 0xffff_ffff];
            let bits = *e.random.pick(&all);
            e.constant(&mut at, Type::I32, bits)
        }
        6 => {
            let bits = *e.random.pick(&[0u128, 1, 4, 48 << 10, (48 << 10) + 1, 228 << 10, 1 << 40]);
            e.constant(&mut at, Type::I64, bits)
        }
        _ => e.pointer(&mut at),
    };
    e.set_operand(inst, first + n, new);
    true
}

/// Other properties of the function.
fn attributes(e: &mut Edit<'_>) -> bool {
    let small = |r: &mut Random| *r.pick(&[0u32, 1, 2, 8, 9, 32, 1024, u32::MAX]);
    let attrs = &mut e.func.attrs;
    match e.random.below(12) {
        0 => attrs.noinline = !attrs.noinline,
        1 => attrs.always_inline = !attrs.always_inline,
        2 => attrs.noreturn = !attrs.noreturn,
        3 => attrs.noexcept = !attrs.noexcept,
        4 => attrs.returns_twice = !attrs.returns_twice,
        5 => attrs.launch_bounds = [small(e.random), small(e.random)],
        6 => attrs.max_cluster = small(e.random),
        7 => attrs.noexcept_unknown = !attrs.noexcept_unknown,
        8 => attrs.cluster_dims = [small(e.random), small(e.random), small(e.random)],
        9 => {
            let all = Texels::ALL.map(Some);
            attrs.texels = *e.random.pick(&[None, all[0], all[1], all[2]]);
        }
        10 => {
            let all = NumberedBarrier::ALL.map(Some);
            attrs.barrier = *e.random.pick(&[None, all[0], all[1]]);
        }
        _ => {
            if e.func.sig.params.is_empty() {
                return false;
            }
            let n = e.random.below(e.func.sig.params.len());
            let size = small(e.random);
            let align_log2 = e.random.below(6) as u8;
            e.func.sig.params[n].attr = match e.random.below(3) {
                0 => ParamAttr::None,
                1 => ParamAttr::ByVal { size, align_log2 },
                _ => ParamAttr::SRet { size, align_log2 },
            };
        }
    }
    true
}

/// An instruction from another source place, or from none.
fn places(e: &mut Edit<'_>) -> bool {
    let Some((_, inst)) = e.pick_inst(|_, _| true) else { return false };
    let locs = e.module.source.locs.len();
    let new = match e.random.below(locs + 1) {
        0 => None,
        n => Some(Loc::from_u32(n as u32 - 1)),
    };
    e.func.locs[inst] = new.into();
    true
}

/// Another space, size, alignment or contents of a variable; its addresses follow the space.
fn variable(module: &mut Module, random: &mut Random) -> bool {
    let all: Vec<GlobalId> = module.globals.keys().collect();
    if all.is_empty() {
        return false;
    }
    let id = *random.pick(&all);
    let global = &mut module.globals[id];
    match random.below(10) {
        0..=3 => {
            let spaces = [Space::Host, Space::Global, Space::Shared, Space::Const, Space::Managed];
            let space = if random.chance(95) { *random.pick(&spaces) } else { *random.pick(&Space::ALL) };
            return respace(module, random, id, space);
        }
        4..=6 => {
            global.size = *random.pick(&[0, 1, 2, 3, 4, 8, 64, 1 << 16, 1 << 31, 1 << 40, u64::MAX]);
            let size = global.size;
            match &mut global.init {
                GlobalInit::Data { bytes, relocs } if size <= 1 << 16 => {
                    bytes.resize(size as usize, 0);
                    relocs.retain(|r| r.offset.saturating_add(8) <= size);
                }
                GlobalInit::Data { .. } => global.init = GlobalInit::Zero,
                _ => {}
            }
        }
        7 => global.align_log2 = *random.pick(&[0, 1, 2, 3, 4, 8, 16, 31, 32, 255]),
        8 => match random.below(4) {
            0 => global.constant = !global.constant,
            1 => {
                global.dynamic = !global.dynamic;
                global.size = 0;
            }
            2 => global.init = GlobalInit::Uninit,
            _ => global.linkage = *random.pick(&[Linkage::Internal, Linkage::External, Linkage::Weak]),
        },
        _ => {
            let targets = module.funcs.len();
            let GlobalInit::Data { bytes, relocs } = &mut global.init else { return false };
            if bytes.len() >= 8 && targets > 0 && random.chance(50) {
                let offset = random.below(bytes.len() - 7);
                bytes[offset..offset + 8].fill(0);
                let offset = offset as u64;
                let target = RelocTarget::Func(FuncId::from_u32(random.below(targets) as u32));
                relocs.push(Reloc { offset, target, addend: random.next() as i64 >> random.below(64) });
            } else if let Some(r) = relocs.first_mut() {
                r.addend = edge(random, Type::I64) as i64;
            } else if !bytes.is_empty() {
                let n = random.below(bytes.len());
                bytes[n] = random.next() as u8;
            } else {
                return false;
            }
        }
    }
    true
}

fn respace(module: &mut Module, random: &mut Random, id: GlobalId, space: Space) -> bool {
    let global = &mut module.globals[id];
    let old = std::mem::replace(&mut global.space, space);
    if space == Space::Shared {
        global.init = GlobalInit::Uninit;
    } else if old == Space::Shared {
        global.init = GlobalInit::Zero;
        global.dynamic = false;
    }
    let defined: Vec<FuncId> = module.funcs.keys().filter(|&f| !module.funcs[f].is_declaration()).collect();
    for f in defined {
        let mut e = Edit::new(module, f, random);
        let is = |i: Inst, e: &Edit<'_>| matches!(e.func.insts[i], InstData::GlobalAddr { global } if global == id);
        let mut inserted = 0;
        let mut block = None;
        for (mut at, inst) in e.insts() {
            if block != Some(at.block) {
                (block, inserted) = (Some(at.block), 0);
            }
            if !is(inst, &e) {
                continue;
            }
            at.index += 1 + inserted;
            inserted += 1;
            let Some(v) = e.func.result(inst) else { continue };
            e.func.values[v].ty = Type::Ptr(space);
            let cast = InstData::Cast { op: CastOp::Spacecast, ty: Type::Ptr(old), arg: v };
            let before = e.func.insts.len();
            let new = e.insert1(&mut at, cast);
            e.replace(v, new, Inst::from_u32(before as u32));
        }
        let func = e.func;
        module.funcs[f] = func;
    }
    old != space
}
