//! How the values of the lanes that run together differ: not at all, by a stride, or in any way.
//!
//! Lanes that run together take every branch together; where they cannot, they go on one by one. So a value that is the same
//! for all of them on each way is the same where ways meet (Karrenberg and Hack, "Whole-Function Vectorization", 2011, calls
//! such values uniform and those with a stride consecutive).

use crate::emit::Given;
use crate::plan::From;
use crate::vector::WIDTH;
use cranelift_entity::SecondaryMap;
use cudair_ir::*;

/// How a value differs between the lanes that run together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Class {
    /// Not looked at yet.
    #[default]
    Nothing,
    /// Not at all.
    Uniform,
    /// By so much from lane to lane. Of 32 bits or less, without going around.
    Affine(i64),
    /// By as much from lane to lane as is known when the kernel runs. Of 32 bits, without going around, or the launch is given up.
    Strided,
    /// In any way.
    Many,
}

impl Class {
    fn join(self, other: Class) -> Class {
        match (self, other) {
            (Class::Nothing, x) | (x, Class::Nothing) => x,
            (a, b) if a == b => a,
            // Of an instruction's result more is known each time; a parameter of a basic block never has a stride of this kind.
            (Class::Uniform | Class::Affine(_), Class::Strided)
            | (Class::Strided, Class::Uniform | Class::Affine(_)) => Class::Strided,
            _ => Class::Many,
        }
    }

    /// By how much it grows from lane to lane, if by the same throughout.
    pub(crate) fn stride(self) -> Option<i64> {
        match self {
            Class::Uniform => Some(0),
            Class::Affine(s) => Some(s),
            Class::Nothing | Class::Strided | Class::Many => None,
        }
    }

    /// Whether it grows by the same from lane to lane throughout, be that known or not.
    pub(crate) fn is_even(self) -> bool {
        matches!(self, Class::Uniform | Class::Affine(_) | Class::Strided)
    }

    /// How a parameter of a basic block differs for which such a value is given: it has no stride of its own.
    fn passed(self) -> Class {
        if self == Class::Strided { Class::Many } else { self }
    }

    fn of_stride(s: i64) -> Class {
        if s == 0 { Class::Uniform } else { Class::Affine(s) }
    }
}

/// Whether [`WIDTH`] threads in a row differ in their first coordinate alone.
pub(crate) fn suits([x, y, z]: [u32; 3]) -> bool {
    x >= WIDTH && (y == 1 && z == 1 || x.is_multiple_of(WIDTH))
}

/// The classes of a kernel's values, where lanes may come to some blocks by several ways at once, and some values differ.
pub(crate) fn classes(
    given: &Given<'_>,
    entry: Block,
    joins: &EntitySet<Block>,
    differ: &EntitySet<Value>,
) -> SecondaryMap<Value, Class> {
    let func = given.func;
    let mut known: SecondaryMap<Value, Class> = SecondaryMap::new();
    for &param in func.block_params(entry) {
        known[param] = Class::Uniform;
    }
    for v in differ.iter() {
        known[v] = Class::Many;
    }
    for block in joins.iter() {
        let args = incoming(func, block, given.cfg.preds(block).iter().copied());
        for (n, &param) in func.block_params(block).iter().enumerate() {
            if args.windows(2).any(|two| two[0][n] != two[1][n]) {
                known[param] = Class::Many;
            }
        }
    }
    loop {
        let mut changed = false;
        for &block in given.cfg.rpo() {
            for &inst in func.block_insts(block) {
                func.for_each_target(inst, |call| {
                    let (params, args) = (func.block_params(call.block), call.args.as_slice(&func.pool));
                    for (&param, &arg) in params.iter().zip(args) {
                        let joined = known[param].join(known[arg].passed());
                        changed |= joined != known[param];
                        known[param] = joined;
                    }
                });
                if let Some(v) = func.result(inst) {
                    let joined = known[v].join(class(given, &known, block, inst));
                    changed |= joined != known[v];
                    known[v] = joined;
                }
            }
        }
        if !changed {
            return known;
        }
    }
}

/// What the edges that lead to a block from some of those before it give its parameters.
pub(crate) fn incoming(
    func: &Function,
    block: Block,
    preds: impl IntoIterator<Item = Block>,
) -> Vec<&[Value]> {
    let mut out = Vec::new();
    for end in preds.into_iter().filter_map(|pred| func.terminator(pred)) {
        func.for_each_target(end, |call| {
            if call.block == block {
                out.push(call.args.as_slice(&func.pool));
            }
        });
    }
    out
}

/// How the result of an instruction differs, with what is known in a block.
pub(crate) fn class(
    given: &Given<'_>,
    known: &SecondaryMap<Value, Class>,
    block: Block,
    inst: Inst,
) -> Class {
    let func = given.func;
    let mut all = Class::Uniform;
    func.for_each_arg(inst, |v| {
        if known[v] == Class::Nothing {
            all = Class::Nothing;
        } else if all != Class::Nothing && known[v] != Class::Uniform {
            all = Class::Many;
        }
    });
    // What is kept across a synchronisation point is kept lane by lane there, and no stride.
    let own = |class: Class| match func.result(inst) {
        Some(v) if given.plan.crosses.contains(v) => class.passed(),
        _ => class,
    };
    let rest = all;
    if rest == Class::Nothing {
        return Class::Nothing;
    }
    match func.insts[inst] {
        InstData::Special { reg: SpecialReg::TidX | SpecialReg::Laneid } => Class::Affine(1),
        InstData::Binary { op, nsw, args: [a, b] } => {
            let ty = func.value_type(a);
            let strided = is_strided(given, known, block, inst);
            let (Some(s), Some(t)) = (known[a].stride(), known[b].stride()) else {
                return if strided { Class::Strided } else { rest };
            };
            if s == 0 && t == 0 {
                return Class::Uniform;
            }
            let by = |v: Value| func.const_int(v);
            let stride = match op {
                BinaryOp::Iadd => s.checked_add(t),
                BinaryOp::Isub => s.checked_sub(t),
                BinaryOp::Imul if t == 0 => by(b).and_then(|c| s.checked_mul(c)),
                BinaryOp::Imul if s == 0 => by(a).and_then(|c| t.checked_mul(c)),
                BinaryOp::Shl if t == 0 && !nsw => {
                    by(b).filter(|n| (0..31).contains(n)).and_then(|n| s.checked_mul(1 << n))
                }
                _ => None,
            };
            let goes_around = match op {
                BinaryOp::Shl => ty != Type::I64,
                _ if nsw && stride != Some(0) && is_checked(func, op, [a, b]) => false,
                _ => (ty != Type::I64 || nsw) && !given.is_within(block, op, [a, b]),
            };
            match stride.filter(|s| s.abs() < 1 << 28) {
                Some(s) if !goes_around => Class::of_stride(s),
                _ if strided => Class::Strided,
                _ => Class::Many,
            }
        }
        InstData::Cast { op: CastOp::Sext | CastOp::Spacecast, arg, .. }
            if func.value_type(arg) != Type::I1 =>
        {
            own(known[arg])
        }
        InstData::Cast { op: CastOp::Zext, arg, .. }
            if func.value_type(arg) != Type::I1 && given.ranges.at(arg, block).0 >= 0 =>
        {
            own(known[arg])
        }
        InstData::Cast { op: CastOp::Trunc, ty: Type::I32, arg } if is_word(given.ranges.at(arg, block)) => {
            own(known[arg])
        }
        InstData::PtrAdd { ptr, offset } if matches!(given.plan.from[ptr], From::Root(_)) => {
            match (known[ptr].stride(), known[offset].stride()) {
                (Some(s), Some(t)) => s.checked_add(t).map_or(Class::Many, Class::of_stride),
                _ if known[ptr].is_even() && known[offset].is_even() => own(Class::Strided),
                _ => Class::Many,
            }
        }
        InstData::AtomicRmw { .. } => Class::Uniform,
        ref data @ (InstData::Shfl { .. } | InstData::Vote { .. } | InstData::Reduce { .. }) => {
            crate::warp::class(func, |v| known[v], data).unwrap_or(Class::Many)
        }
        // Each lane has its own.
        InstData::Load { ptr, .. } if given.plan.is_local(ptr) => Class::Many,
        _ => rest,
    }
}

/// Whether all numbers of a range are ones of 32 bits, with a sign.
fn is_word((low, high): (i128, i128)) -> bool {
    low >= i128::from(i32::MIN) && high <= i128::from(i32::MAX)
}

/// Whether a signed operation on numbers that grow evenly from lane to lane overflows in none if it does not in the first and the
/// last one, which is looked at ([`Emitter::note_last`](crate::emit::Emitter::note_last)).
fn is_checked(func: &Function, op: BinaryOp, args: [Value; 2]) -> bool {
    match (op, func.value_type(args[0])) {
        (BinaryOp::Iadd | BinaryOp::Isub, Type::I32 | Type::I64) | (BinaryOp::Imul, Type::I32) => true,
        // Where numbers of 64 bits go around, a multiple of the first or of the last one overflows.
        (BinaryOp::Imul, Type::I64) => {
            args.iter().any(|&v| func.const_int(v).is_some_and(|c| c.unsigned_abs() > 1))
        }
        _ => false,
    }
}

/// Whether a sum, a difference or a multiple of numbers that grow evenly from lane to lane does, too, by a stride that is not known.
fn is_strided(given: &Given<'_>, known: &SecondaryMap<Value, Class>, block: Block, inst: Inst) -> bool {
    let func = given.func;
    let (Some(v), &InstData::Binary { op, nsw, args: [a, b] }) = (func.result(inst), &func.insts[inst])
    else {
        return false;
    };
    let is_within = || given.is_within(block, op, [a, b]);
    let goes_around = match func.value_type(v) {
        // Where signed numbers overflow, the launch is given up.
        Type::I32 => !nsw && !is_within(),
        Type::I64 => nsw && op == BinaryOp::Imul && !is_within(),
        _ => true,
    };
    let suits = match op {
        BinaryOp::Iadd | BinaryOp::Isub => true,
        BinaryOp::Imul => [a, b].iter().any(|&v| known[v] == Class::Uniform),
        BinaryOp::Shl => {
            func.value_type(v) == Type::I64 && !nsw && func.const_bits(b).is_some_and(|by| by < 63)
        }
        _ => false,
    };
    suits && !goes_around && known[a].is_even() && known[b].is_even() && !given.plan.crosses.contains(v)
}

/// Whether a condition may be true in any lanes and false in others: not those that compare numbers which grow evenly from lane to
/// lane, where few of the lanes that run together differ.
pub(crate) fn scatters(func: &Function, known: &SecondaryMap<Value, Class>, cond: Value) -> bool {
    let strides = |args: [Value; 2]| args.iter().all(|&v| known[v].stride().is_some());
    match func.def_inst(cond).map(|inst| &func.insts[inst]) {
        Some(InstData::Icmp { args, .. }) => !strides(*args),
        _ => known[cond] == Class::Many,
    }
}
