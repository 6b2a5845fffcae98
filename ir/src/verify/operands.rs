//! The rules of each instruction's operands.

use super::func::FuncCheck;
use super::{Rule, assignable};
use crate::entities::*;
use crate::function::{ParamAttr, Side, Signature};
use crate::inst::{InstData, MemFlags};
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

fn operands(c: &FuncCheck<'_>, inst: Inst) -> Check {
    use InstData::*;
    let func = c.func;
    let ty = |v: Value| c.ty(v);
    let is = |v: Value, want: Type| -> Check {
        if ty(v) == want {
            Ok(())
        } else {
            fail(Rule::Operand, format!("an operand is {}, not {want}", ty(v)))
        }
    };
    let data_ptr = |v: Value| -> Check {
        match ty(v) {
            Type::Ptr(Space::Code) => fail(Rule::Access, "the address is one of code"),
            Type::Ptr(_) => Ok(()),
            other => fail(Rule::Access, format!("the address is {other}, not a pointer")),
        }
    };
    let any_ptr = |v: Value| need(ty(v).is_ptr(), Rule::Operand, "an operand is not a pointer");
    let flags = |f: MemFlags| need(f.align_log2 <= 31, Rule::Flag, "an alignment of more than 2^31");
    let on_device = || need(func.side.on_device(), Rule::Side, "this runs on the device only");
    let is_mask = |v: Value| is(v, Type::I32);
    match func.insts[inst] {
        Const { ty, bits } => {
            need(bits & !ty.bit_mask() == 0, Rule::Constant, "a bit above the type's width")
        }
        GlobalAddr { .. } | FuncAddr { .. } | SlotAddr { .. } | Lifetime { .. } => Ok(()),
        Special { .. } => on_device(),
        Unary { op, nsw, arg } => {
            need(!nsw || op == UnaryOp::Ineg, Rule::Flag, "`nsw` means nothing here")?;
            let float = matches!(
                op,
                UnaryOp::Fneg
                    | UnaryOp::Fabs
                    | UnaryOp::Fsqrt
                    | UnaryOp::Ffloor
                    | UnaryOp::Fceil
                    | UnaryOp::Ftrunc
                    | UnaryOp::Fnearest
            );
            let ok = if float { ty(arg).is_float() } else { ty(arg).is_int() };
            need(ok, Rule::Operand, "the operand has the wrong type")
        }
        Cast { op, ty: to, arg } => {
            let ok = cast_fits(op, ty(arg), to);
            if ok { Ok(()) } else { fail(Rule::Operand, format!("no {op} from {} to {to}", ty(arg))) }
        }
        Binary { op, nsw, args } => {
            need(!nsw || op.takes_nsw(), Rule::Flag, "`nsw` means nothing here")?;
            need(ty(args[0]) == ty(args[1]), Rule::Operand, "the operands have different types")?;
            let ok = if op.is_float() { ty(args[0]).is_float() } else { ty(args[0]).is_int() };
            need(ok, Rule::Operand, "the operands have the wrong type")
        }
        Icmp { args, .. } => {
            let (a, b) = (ty(args[0]), ty(args[1]));
            let ok = (a.is_ptr() && b.is_ptr()) || (a == b && a.is_int());
            need(ok, Rule::Operand, "the operands are not two integers of one type or two pointers")
        }
        Fcmp { args, .. } => {
            let (a, b) = (ty(args[0]), ty(args[1]));
            need(a == b && a.is_float(), Rule::Operand, "the operands are not two floats of one type")
        }
        Ternary { op, args } => {
            let [a, b, r] = args.map(ty);
            let ok = match op {
                TernaryOp::Select => a == Type::I1 && assignable(b, r),
                TernaryOp::Fma => a == r && b == r && r.is_float(),
                TernaryOp::Fshl | TernaryOp::Fshr => a == r && b == r && r.is_int(),
            };
            need(ok, Rule::Operand, "the operands have the wrong types")
        }
        PtrAdd { ptr, offset } => {
            any_ptr(ptr)?;
            is(offset, Type::I64)
        }
        PtrDiff { args } => args.into_iter().try_for_each(any_ptr),
        Load { flags: f, ptr, .. } => {
            flags(f)?;
            data_ptr(ptr)
        }
        Store { flags: f, ptr, .. } => {
            flags(f)?;
            data_ptr(ptr)
        }
        MemCopy { flags: f, dst, src, len, .. } => {
            flags(f)?;
            data_ptr(dst)?;
            data_ptr(src)?;
            is(len, Type::I64)
        }
        MemFill { flags: f, dst, byte, len, .. } => {
            flags(f)?;
            data_ptr(dst)?;
            is(byte, Type::I8)?;
            is(len, Type::I64)
        }
        Bounds { index, .. } => {
            let ok = matches!(ty(index), Type::I32 | Type::I64);
            need(ok, Rule::Operand, "an index is i32 or i64")
        }
        Alloca { ty: result, size, align_log2, .. } => {
            let ok = result == Type::Ptr(func.side.local_space());
            need(ok, Rule::Result, "the memory is not in the function's space")?;
            need(align_log2 <= 31, Rule::Flag, "an alignment of more than 2^31")?;
            is(size, Type::I64)
        }
        AtomicLoad { ty: t, ptr, .. } => {
            need(atomic_type(t), Rule::Operand, "no atomic accesses of this type")?;
            data_ptr(ptr)
        }
        AtomicStore { value, ptr, .. } => {
            need(atomic_type(ty(value)), Rule::Operand, "no atomic accesses of this type")?;
            data_ptr(ptr)
        }
        AtomicRmw { op, ptr, value, .. } => {
            let t = ty(value);
            let ok = match op {
                AtomicOp::Xchg => atomic_type(t),
                AtomicOp::Fadd | AtomicOp::Fmin | AtomicOp::Fmax => t.is_float() && atomic_type(t),
                _ => t.is_int() && atomic_type(t),
            };
            need(ok, Rule::Operand, "the operation does not take this type")?;
            data_ptr(ptr)
        }
        AtomicCas { ptr, expected, new, .. } => {
            let ok = atomic_type(ty(new)) && (ty(expected) == ty(new) || assignable(ty(expected), ty(new)));
            need(ok, Rule::Operand, "no compare and swap of these types")?;
            data_ptr(ptr)
        }
        Fence { .. } => Ok(()),
        Barrier { kind, ref args, .. } => {
            on_device()?;
            let args = args.as_slice(&func.pool);
            need(
                kind.has_predicate() != args.is_empty(),
                Rule::Operand,
                "the predicate is missing, or the barrier takes none",
            )?;
            need(args.len() <= 1, Rule::Operand, "more than one predicate")?;
            args.iter().try_for_each(|&v| is(v, Type::I32))
        }
        WarpSync { mask, .. } => {
            on_device()?;
            is_mask(mask)
        }
        Shfl { mask, value, lane, width, .. } => {
            on_device()?;
            is_mask(mask)?;
            is(lane, Type::I32)?;
            is(width, Type::I32)?;
            need((8..=64).contains(&ty(value).bits()), Rule::Operand, "no shuffle of this type")
        }
        Vote { mask, pred, .. } => {
            on_device()?;
            is_mask(mask)?;
            is(pred, Type::I32)
        }
        Match { mask, value, .. } => {
            on_device()?;
            is_mask(mask)?;
            need(matches!(ty(value), Type::I32 | Type::I64), Rule::Operand, "the value is not i32 or i64")
        }
        Reduce { mask, value, .. } => {
            on_device()?;
            is_mask(mask)?;
            is(value, Type::I32)
        }
        ActiveMask { .. } => on_device(),
        Call { func: callee, ref args, .. } | Invoke { func: callee, ref args, .. } => {
            let f = &c.module.funcs[callee];
            if !f.is_declaration() && (f.side == Side::Kernel || f.side.on_device() != func.side.on_device())
            {
                let (callee, caller) = (f.side.name(), func.side.name());
                return fail(Rule::Call, format!("{caller} code calls a {callee} function"));
            }
            check_args(c, &f.sig, args.as_slice(&func.pool), Rule::Call, false)
        }
        CallIndirect { sig, callee, ref args, .. } | InvokeIndirect { sig, callee, ref args, .. } => {
            any_ptr(callee)?;
            check_args(c, &c.module.sigs[sig], args.as_slice(&func.pool), Rule::Call, false)
        }
        Launch { kernel, ref args, .. } => {
            let k = &c.module.funcs[kernel];
            need(k.side == Side::Kernel, Rule::Launch, "the callee is not a kernel")?;
            check_launch(c, &k.sig, args.as_slice(&func.pool))
        }
        LaunchIndirect { sig, callee, ref args, .. } => {
            any_ptr(callee)?;
            check_launch(c, &c.module.sigs[sig], args.as_slice(&func.pool))
        }
        Va { op, ref args, .. } => {
            let args = args.as_slice(&func.pool);
            let n = if op == VaOp::Copy { 2 } else { 1 };
            need(args.len() == n, Rule::Operand, "the number of lists is wrong")?;
            args.iter().try_for_each(|&v| data_ptr(v))
        }
        VaArg { list, .. } => data_ptr(list),
        Jump { .. } => Ok(()),
        Branch { cond, .. } => is(cond, Type::I1),
        Switch { arg, table } => {
            let t = ty(arg);
            need(t.is_int(), Rule::Operand, "the operand is not an integer")?;
            let mut values: Vec<u128> = func.tables[table].cases.iter().map(|c| c.0).collect();
            need(
                values.iter().all(|v| v & !t.bit_mask() == 0),
                Rule::Switch,
                "a case does not fit the type",
            )?;
            values.sort_unstable();
            need(values.windows(2).all(|w| w[0] != w[1]), Rule::Switch, "two cases have one value")
        }
        Return { ref args } => {
            let args = args.as_slice(&func.pool);
            match (args, func.sig.ret) {
                ([], None) => Ok(()),
                ([v], Some(want)) if assignable(ty(*v), want) => Ok(()),
                ([v], Some(want)) => fail(Rule::Return, format!("the result is {}, not {want}", ty(*v))),
                _ => fail(Rule::Return, "the number of results is not that of the signature"),
            }
        }
        Resume { exception } => any_ptr(exception),
        Trap { .. } => Ok(()),
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
