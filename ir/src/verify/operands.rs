//! The rules of each instruction's operands.

use super::func::FuncCheck;
use super::{Rule, assignable};
use crate::entities::*;
use crate::function::{ParamAttr, Side, Signature};
use crate::inst::{InstData, MemFlags, SwitchData};
use crate::ops::*;
use crate::types::{Space, Type};

pub(super) fn check_operands(c: &mut FuncCheck<'_>, inst: Inst) {
    if let Err((rule, message)) = operands(c, inst) {
        c.error(rule, inst, &message);
    }
}

type Check = Result<(), (Rule, String)>;

fn fail<T>(rule: Rule, message: impl Into<String>) -> Result<T, (Rule, String)> {
    Err((rule, message.into()))
}

fn need(ok: bool, rule: Rule, message: &str) -> Check {
    if ok { Ok(()) } else { fail(rule, message) }
}

/// Launch configuration: grid and block in three dimensions, shared memory, stream.
const CONFIG: [Type; 7] = [Type::I32, Type::I32, Type::I32, Type::I32, Type::I32, Type::I32, Type::I64];

fn is(c: &FuncCheck<'_>, v: Value, want: Type) -> Check {
    let ty = c.ty(v);
    if ty == want { Ok(()) } else { fail(Rule::Operand, format!("an operand is {ty}, not {want}")) }
}

/// The address of an access.
fn data_ptr(c: &FuncCheck<'_>, v: Value) -> Check {
    match c.ty(v) {
        Type::Ptr(Space::Code) => fail(Rule::Access, "the address is one of code"),
        Type::Ptr(_) => Ok(()),
        other => fail(Rule::Access, format!("the address is {other}, not a pointer")),
    }
}

fn any_ptr(c: &FuncCheck<'_>, v: Value) -> Check {
    need(c.ty(v).is_ptr(), Rule::Operand, "an operand is not a pointer")
}

fn flags(f: MemFlags) -> Check {
    need(f.align_log2 <= 31, Rule::Flag, "an alignment of more than 2^31")
}

fn on_device(c: &FuncCheck<'_>) -> Check {
    need(c.func.side.on_device(), Rule::Side, "this runs on the device only")
}

/// An operation of a warp, with its mask.
fn warp(c: &FuncCheck<'_>, mask: Value) -> Check {
    on_device(c)?;
    is(c, mask, Type::I32)
}

fn operands(c: &FuncCheck<'_>, inst: Inst) -> Check {
    use InstData::*;
    let func = c.func;
    let ty = |v: Value| c.ty(v);
    match func.insts[inst] {
        Const { ty, bits } => {
            need(bits & !ty.bit_mask() == 0, Rule::Constant, "a bit above the type's width")
        }
        GlobalAddr { .. } | FuncAddr { .. } | SlotAddr { .. } => Ok(()),
        Lifetime { .. } | Count { .. } | Fence { .. } | Jump { .. } | Trap { .. } => Ok(()),
        Special { .. } | ActiveMask { .. } => on_device(c),
        Unary { op, nsw, arg } => check_unary(op, nsw, ty(arg)),
        Cast { op, ty: to, arg } => check_cast(op, ty(arg), to),
        Binary { op, nsw, args } => check_binary(op, nsw, args.map(ty)),
        Icmp { args, .. } => {
            let (a, b) = (ty(args[0]), ty(args[1]));
            let ok = (a.is_ptr() && b.is_ptr()) || (a == b && a.is_int());
            need(ok, Rule::Operand, "the operands are not two integers of one type or two pointers")
        }
        Fcmp { args, .. } => {
            let (a, b) = (ty(args[0]), ty(args[1]));
            need(a == b && a.is_float(), Rule::Operand, "the operands are not two floats of one type")
        }
        Ternary { op, args } => check_ternary(op, args.map(ty)),
        PtrAdd { ptr, offset } => any_ptr(c, ptr).and_then(|()| is(c, offset, Type::I64)),
        PtrDiff { args } => args.into_iter().try_for_each(|v| any_ptr(c, v)),
        Load { flags: f, ptr, .. } | Store { flags: f, ptr, .. } => {
            flags(f)?;
            data_ptr(c, ptr)
        }
        MemCopy { flags: f, dst, src, len, .. } => {
            flags(f)?;
            data_ptr(c, dst)?;
            data_ptr(c, src)?;
            is(c, len, Type::I64)
        }
        MemFill { flags: f, dst, byte, len, .. } => {
            flags(f)?;
            data_ptr(c, dst)?;
            is(c, byte, Type::I8)?;
            is(c, len, Type::I64)
        }
        Bounds { index, .. } => {
            let ok = matches!(ty(index), Type::I32 | Type::I64);
            need(ok, Rule::Operand, "an index is i32 or i64")
        }
        Alloca { ty: result, size, align_log2, .. } => {
            let ok = result == Type::Ptr(func.side.local_space());
            need(ok, Rule::Result, "the memory is not in the function's space")?;
            need(align_log2 <= 31, Rule::Flag, "an alignment of more than 2^31")?;
            is(c, size, Type::I64)
        }
        AtomicLoad { .. } | AtomicStore { .. } | AtomicRmw { .. } | AtomicCas { .. } => check_atomic(c, inst),
        Barrier { kind, ref args, .. } => check_barrier(c, kind, args.as_slice(&func.pool)),
        WarpSync { mask, .. } => warp(c, mask),
        Shfl { mask, value, lane, width, .. } => {
            warp(c, mask)?;
            is(c, lane, Type::I32)?;
            is(c, width, Type::I32)?;
            need((8..=64).contains(&ty(value).bits()), Rule::Operand, "no shuffle of this type")
        }
        Vote { mask, pred: value, .. } | Reduce { mask, value, .. } => {
            warp(c, mask)?;
            is(c, value, Type::I32)
        }
        Match { mask, value, .. } => {
            warp(c, mask)?;
            need(matches!(ty(value), Type::I32 | Type::I64), Rule::Operand, "the value is not i32 or i64")
        }
        Call { func: callee, ref args, .. } | Invoke { func: callee, ref args, .. } => {
            check_call(c, callee, args.as_slice(&func.pool))
        }
        CallIndirect { sig, callee, ref args, .. } | InvokeIndirect { sig, callee, ref args, .. } => {
            any_ptr(c, callee)?;
            check_args(c, &c.module.sigs[sig], args.as_slice(&func.pool), Rule::Call, false)
        }
        Launch { kernel, ref args, .. } => {
            let k = &c.module.funcs[kernel];
            need(k.side == Side::Kernel, Rule::Launch, "the callee is not a kernel")?;
            check_launch(c, &k.sig, args.as_slice(&func.pool))
        }
        LaunchIndirect { sig, callee, ref args, .. } => {
            any_ptr(c, callee)?;
            check_launch(c, &c.module.sigs[sig], args.as_slice(&func.pool))
        }
        Va { op, ref args, .. } => {
            let args = args.as_slice(&func.pool);
            let n = if op == VaOp::Copy { 2 } else { 1 };
            need(args.len() == n, Rule::Operand, "the number of lists is wrong")?;
            args.iter().try_for_each(|&v| data_ptr(c, v))
        }
        VaArg { list, .. } => data_ptr(c, list),
        Branch { cond, .. } => is(c, cond, Type::I1),
        Switch { arg, table } => check_switch(ty(arg), &func.tables[table]),
        Return { ref args } => check_return(c, args.as_slice(&func.pool)),
        Resume { exception } => any_ptr(c, exception),
    }
}

fn check_unary(op: UnaryOp, nsw: bool, arg: Type) -> Check {
    use UnaryOp::*;
    need(!nsw || op == Ineg, Rule::Flag, "`nsw` means nothing here")?;
    let float = matches!(op, Fneg | Fabs | Fsqrt | Ffloor | Fceil | Ftrunc | Fnearest);
    let ok = if float { arg.is_float() } else { arg.is_int() };
    need(ok, Rule::Operand, "the operand has the wrong type")
}

fn check_cast(op: CastOp, from: Type, to: Type) -> Check {
    if cast_fits(op, from, to) { Ok(()) } else { fail(Rule::Operand, format!("no {op} from {from} to {to}")) }
}

fn check_binary(op: BinaryOp, nsw: bool, [a, b]: [Type; 2]) -> Check {
    need(!nsw || op.takes_nsw(), Rule::Flag, "`nsw` means nothing here")?;
    need(a == b, Rule::Operand, "the operands have different types")?;
    let ok = if op.is_float() { a.is_float() } else { a.is_int() };
    need(ok, Rule::Operand, "the operands have the wrong type")
}

fn check_ternary(op: TernaryOp, [a, b, r]: [Type; 3]) -> Check {
    let ok = match op {
        TernaryOp::Select => a == Type::I1 && assignable(b, r),
        TernaryOp::Fma => a == r && b == r && r.is_float(),
        TernaryOp::Fshl | TernaryOp::Fshr => a == r && b == r && r.is_int(),
    };
    need(ok, Rule::Operand, "the operands have the wrong types")
}

fn check_atomic(c: &FuncCheck<'_>, inst: Inst) -> Check {
    use InstData::*;
    let (ok, message, ptr) = match c.func.insts[inst] {
        AtomicLoad { ty, ptr, .. } => (atomic_type(ty), "no atomic accesses of this type", ptr),
        AtomicStore { value, ptr, .. } => (atomic_type(c.ty(value)), "no atomic accesses of this type", ptr),
        AtomicRmw { op, ptr, value, .. } => {
            let t = c.ty(value);
            let fits = match op {
                AtomicOp::Xchg => true,
                AtomicOp::Fadd | AtomicOp::Fmin | AtomicOp::Fmax => t.is_float(),
                _ => t.is_int(),
            };
            (fits && atomic_type(t), "the operation does not take this type", ptr)
        }
        AtomicCas { ptr, expected, new, .. } => {
            let (old, new) = (c.ty(expected), c.ty(new));
            let ok = atomic_type(new) && (old == new || assignable(old, new));
            (ok, "no compare and swap of these types", ptr)
        }
        _ => return fail(Rule::Operand, "this is not an atomic access"),
    };
    need(ok, Rule::Operand, message)?;
    data_ptr(c, ptr)
}

fn check_barrier(c: &FuncCheck<'_>, kind: BarrierKind, args: &[Value]) -> Check {
    on_device(c)?;
    need(
        kind.has_predicate() != args.is_empty(),
        Rule::Operand,
        "the predicate is missing, or the barrier takes none",
    )?;
    need(args.len() <= 1, Rule::Operand, "more than one predicate")?;
    args.iter().try_for_each(|&v| is(c, v, Type::I32))
}

fn check_call(c: &FuncCheck<'_>, callee: FuncId, args: &[Value]) -> Check {
    let f = &c.module.funcs[callee];
    if !f.is_declaration() && (f.side == Side::Kernel || f.side.on_device() != c.func.side.on_device()) {
        let (callee, caller) = (f.side.name(), c.func.side.name());
        return fail(Rule::Call, format!("{caller} code calls a {callee} function"));
    }
    check_args(c, &f.sig, args, Rule::Call, false)
}

fn check_switch(operand: Type, table: &SwitchData) -> Check {
    need(operand.is_int(), Rule::Operand, "the operand is not an integer")?;
    let mut values: Vec<u128> = table.cases.iter().map(|c| c.0).collect();
    let fit = values.iter().all(|v| v & !operand.bit_mask() == 0);
    need(fit, Rule::Switch, "a case does not fit the type")?;
    values.sort_unstable();
    need(values.windows(2).all(|w| w[0] != w[1]), Rule::Switch, "two cases have one value")
}

fn check_return(c: &FuncCheck<'_>, args: &[Value]) -> Check {
    match (args, c.func.sig.ret) {
        ([], None) => Ok(()),
        ([v], Some(want)) if assignable(c.ty(*v), want) => Ok(()),
        ([v], Some(want)) => fail(Rule::Return, format!("the result is {}, not {want}", c.ty(*v))),
        _ => fail(Rule::Return, "the number of results is not that of the signature"),
    }
}

/// Types that atomics touch.
fn atomic_type(t: Type) -> bool {
    !matches!(t, Type::I1 | Type::F80)
}

fn check_args(c: &FuncCheck<'_>, sig: &Signature, args: &[Value], rule: Rule, launch: bool) -> Check {
    let fits = if sig.variadic { args.len() >= sig.params.len() } else { args.len() == sig.params.len() };
    if !fits {
        return fail(rule, format!("{} arguments for {} parameters", args.len(), sig.params.len()));
    }
    for (n, (&a, p)) in args.iter().zip(&sig.params).enumerate() {
        let t = c.ty(a);
        // The launch copies what a `byval` argument points to into the parameter memory.
        let copied = launch && t.is_ptr() && matches!(p.attr, ParamAttr::ByVal { .. });
        if !assignable(t, p.ty) && !copied {
            return fail(rule, format!("argument {n} is {t}, not {}", p.ty));
        }
    }
    Ok(())
}

fn check_launch(c: &FuncCheck<'_>, sig: &Signature, args: &[Value]) -> Check {
    let Some((config, rest)) = args.split_at_checked(CONFIG.len() + 1) else {
        return fail(Rule::Launch, "the configuration has fewer than eight values");
    };
    for (n, (&v, want)) in config.iter().zip(CONFIG).enumerate() {
        if c.ty(v) != want {
            return fail(Rule::Launch, format!("value {n} of the configuration is {}, not {want}", c.ty(v)));
        }
    }
    need(c.ty(config[CONFIG.len()]).is_ptr(), Rule::Launch, "the stream is not a pointer")?;
    check_args(c, sig, rest, Rule::Launch, true)
}

fn cast_fits(op: CastOp, from: Type, to: Type) -> bool {
    let (ints, floats) = (from.is_int() && to.is_int(), from.is_float() && to.is_float());
    match op {
        CastOp::Trunc => ints && to.bits() < from.bits(),
        CastOp::Zext | CastOp::Sext => ints && to.bits() > from.bits(),
        CastOp::Fptrunc => floats && to.bits() < from.bits(),
        CastOp::Fpext => floats && to.bits() > from.bits(),
        CastOp::Fpconv => floats && to.bits() == 16 && from.bits() == 16 && to != from,
        CastOp::Fptosi | CastOp::Fptoui => from.is_float() && to.is_int(),
        CastOp::Sitofp | CastOp::Uitofp => from.is_int() && to.is_float(),
        CastOp::Bitcast => from.bits() == to.bits() && !from.is_ptr() && !to.is_ptr(),
        CastOp::Ptrtoint => from.is_ptr() && to == Type::I64,
        CastOp::Inttoptr => from == Type::I64 && to.is_ptr(),
        CastOp::Spacecast => from.is_ptr() && to.is_ptr(),
    }
}
