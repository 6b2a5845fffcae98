//! Parsing what an instruction does: its mnemonic, what stands behind the dots, and its operands.

use super::lex::Tok;
use super::parse::{Cursor, Parse, integer};
use super::parse_inst::{BodyParser, Types};
use super::parse_module::{func_ref, global_ref};
use super::print_inst::LAUNCH_CONFIG;
use crate::entities::*;
use crate::inst::{BlockCall, InstData, MemFlags, Opcode, SwitchData, TrapCode, ValueList};
use crate::ops::*;
use crate::types::{Space, Type};
use smallvec::smallvec;

/// The word that an instruction begins with, such as `load.i32`.
#[derive(Clone, Copy)]
struct Word<'t> {
    /// All of it.
    text: &'t str,
    /// The part before the first dot.
    head: &'t str,
    /// The part behind it.
    suffix: &'t str,
    /// Where it stands.
    at: usize,
}

impl<'t> Word<'t> {
    fn bad<T>(self, what: &str) -> Parse<T> {
        Err((self.at, format!("`{}` does not name {what}", self.text)))
    }

    /// A member of an enumeration behind the dot.
    fn named<T>(self, from_name: impl Fn(&str) -> Option<T>, what: &str) -> Parse<T> {
        from_name(self.suffix).map_or_else(|| self.bad(what), Ok)
    }

    /// A type behind the dot.
    fn ty(self) -> Parse<Type> {
        self.suffix.parse().or_else(|()| self.bad("a type after the `.`"))
    }

    /// A pointer type whose space stands behind the dot.
    fn ptr(self) -> Parse<Type> {
        self.named(|s| Space::from_name(s).map(Type::Ptr), "a space after the `.`")
    }

    /// The word with what stands behind its next dot, and what stands before that.
    fn split(self, what: &str) -> Parse<(&'t str, Word<'t>)> {
        match self.suffix.split_once('.') {
            Some((first, suffix)) => Ok((first, Word { suffix, ..self })),
            None => self.bad(what),
        }
    }
}

/// Sites follow the operands; the parser of the whole line fills them in.
fn no_site() -> Site {
    Site::from_u32(0)
}

type Operation = Parse<(InstData, Types)>;

impl BodyParser<'_> {
    /// An instruction without its sites and its place, and the types of its results.
    pub(super) fn operation(&mut self, c: &mut Cursor<'_, '_>, word: &str, at: usize) -> Operation {
        let (head, suffix) = word.split_once('.').unwrap_or((word, ""));
        let w = Word { text: word, head, suffix, at };
        let Some(opcode) = Opcode::from_mnemonic(head) else {
            return Err((at, format!("there is no instruction `{head}`")));
        };
        match opcode {
            Opcode::Const => {
                let ty = w.ty()?;
                Ok((InstData::Const { ty, bits: constant(c, ty)? }, smallvec![ty]))
            }
            Opcode::GlobalAddr => self.global_addr(c),
            Opcode::FuncAddr => self.func_addr(c),
            Opcode::SlotAddr => self.slot_addr(c),
            Opcode::Special => self.special(c),
            Opcode::Unary => self.unary(c, w),
            Opcode::Cast => self.cast(c, w),
            Opcode::Binary => self.binary(c, w),
            Opcode::Icmp => self.icmp(c, w),
            Opcode::Fcmp => self.fcmp(c, w),
            Opcode::Ternary => self.ternary(c, w),
            Opcode::PtrAdd => self.ptr_add(c, w),
            Opcode::PtrDiff => Ok((InstData::PtrDiff { args: self.values(c)? }, smallvec![Type::I64])),
            Opcode::Load => self.load(c, w),
            Opcode::Store => self.store(c, w),
            Opcode::MemCopy => self.mem_copy(c),
            Opcode::MemFill => self.mem_fill(c),
            Opcode::Lifetime => self.lifetime(c, w),
            Opcode::Bounds => self.bounds(c),
            Opcode::Alloca => self.alloca(c, w),
            Opcode::AtomicLoad => self.atomic_load(c, w),
            Opcode::AtomicStore => self.atomic_store(c, w),
            Opcode::AtomicRmw => self.atomic_rmw(c, w),
            Opcode::AtomicCas => self.atomic_cas(c, w),
            Opcode::Count => {
                let counter = c.number("a counter's number")?;
                Ok((InstData::Count { counter }, smallvec![]))
            }
            Opcode::Fence => {
                let (order, scope) = order_scope(c)?;
                Ok((InstData::Fence { order, scope, site: no_site() }, smallvec![]))
            }
            Opcode::Barrier => self.barrier(c, w),
            Opcode::WarpSync => {
                Ok((InstData::WarpSync { mask: self.value(c)?, site: no_site() }, smallvec![]))
            }
            Opcode::Shfl => self.shfl(c, w),
            Opcode::Vote => self.vote(c, w),
            Opcode::Match => self.match_(c, w),
            Opcode::Reduce => self.reduce(c, w),
            Opcode::ActiveMask => active_mask(w),
            Opcode::Call => self.call(c),
            Opcode::CallIndirect => self.call_indirect(c),
            Opcode::Invoke => self.invoke(c),
            Opcode::InvokeIndirect => self.invoke_indirect(c),
            Opcode::Launch => self.launch(c),
            Opcode::LaunchIndirect => self.launch_indirect(c),
            Opcode::Va => self.va(c, w),
            Opcode::VaArg => {
                let ty = w.ty()?;
                Ok((InstData::VaArg { ty, list: self.value(c)?, site: no_site() }, smallvec![ty]))
            }
            Opcode::Jump => Ok((InstData::Jump { dest: self.block_call(c)? }, smallvec![])),
            Opcode::Branch => self.branch(c),
            Opcode::Switch => self.switch(c, w),
            Opcode::Return => self.return_(c),
            Opcode::Resume => Ok((InstData::Resume { exception: self.value(c)? }, smallvec![])),
            Opcode::Trap => self.trap(c),
        }
    }

    fn global_addr(&mut self, c: &mut Cursor<'_, '_>) -> Operation {
        let global = global_ref(c, self.module)?;
        let ty = Type::Ptr(self.module.globals[global].space);
        Ok((InstData::GlobalAddr { global }, smallvec![ty]))
    }

    fn func_addr(&mut self, c: &mut Cursor<'_, '_>) -> Operation {
        let func = func_ref(c, self.module)?;
        Ok((InstData::FuncAddr { func }, smallvec![Type::Ptr(Space::Code)]))
    }

    fn slot_addr(&mut self, c: &mut Cursor<'_, '_>) -> Operation {
        let slot = self.slot_ref(c)?;
        Ok((InstData::SlotAddr { slot }, smallvec![Type::Ptr(self.func.slots[slot].space)]))
    }

    fn special(&mut self, c: &mut Cursor<'_, '_>) -> Operation {
        let reg = c.keyword("a special register", SpecialReg::from_name)?;
        let data = InstData::Special { reg };
        let types = self.module.result_types(&self.func, &data);
        Ok((data, types))
    }

    fn unary(&mut self, c: &mut Cursor<'_, '_>, w: Word<'_>) -> Operation {
        let op = operation(UnaryOp::from_name, w)?;
        let (nsw, ty) = arithmetic_type(w, true)?;
        let arg = self.value(c)?;
        self.claim(arg, ty, w.at);
        Ok((InstData::Unary { op, nsw, arg }, smallvec![ty]))
    }

    fn cast(&mut self, c: &mut Cursor<'_, '_>, w: Word<'_>) -> Operation {
        let op = operation(CastOp::from_name, w)?;
        let (_, ty) = arithmetic_type(w, false)?;
        Ok((InstData::Cast { op, ty, arg: self.value(c)? }, smallvec![ty]))
    }

    fn binary(&mut self, c: &mut Cursor<'_, '_>, w: Word<'_>) -> Operation {
        let op = operation(BinaryOp::from_name, w)?;
        let (nsw, ty) = arithmetic_type(w, true)?;
        let args = self.values(c)?;
        self.claim(args[0], ty, w.at);
        Ok((InstData::Binary { op, nsw, args }, smallvec![ty]))
    }

    fn ternary(&mut self, c: &mut Cursor<'_, '_>, w: Word<'_>) -> Operation {
        let op = operation(TernaryOp::from_name, w)?;
        let (_, ty) = arithmetic_type(w, false)?;
        let args: [Value; 3] = self.values(c)?;
        self.claim(args[2], ty, w.at);
        Ok((InstData::Ternary { op, args }, smallvec![ty]))
    }

    fn icmp(&mut self, c: &mut Cursor<'_, '_>, w: Word<'_>) -> Operation {
        let cc = w.named(IntCC::from_name, "a condition")?;
        Ok((InstData::Icmp { cc, args: self.values(c)? }, smallvec![Type::I1]))
    }

    fn fcmp(&mut self, c: &mut Cursor<'_, '_>, w: Word<'_>) -> Operation {
        let cc = w.named(FloatCC::from_name, "a condition")?;
        Ok((InstData::Fcmp { cc, args: self.values(c)? }, smallvec![Type::I1]))
    }

    fn ptr_add(&mut self, c: &mut Cursor<'_, '_>, w: Word<'_>) -> Operation {
        let ty = w.ptr()?;
        let [ptr, offset] = self.values(c)?;
        self.claim(ptr, ty, w.at);
        Ok((InstData::PtrAdd { ptr, offset }, smallvec![ty]))
    }

    fn load(&mut self, c: &mut Cursor<'_, '_>, w: Word<'_>) -> Operation {
        let ty = w.ty()?;
        let flags = flags(c, Some(ty))?;
        Ok((InstData::Load { ty, flags, ptr: self.value(c)?, site: no_site() }, smallvec![ty]))
    }

    fn store(&mut self, c: &mut Cursor<'_, '_>, w: Word<'_>) -> Operation {
        let ty = w.ty()?;
        let flags = flags(c, Some(ty))?;
        let [value, ptr] = self.values(c)?;
        self.claim(value, ty, w.at);
        Ok((InstData::Store { flags, value, ptr, site: no_site() }, smallvec![]))
    }

    fn mem_copy(&mut self, c: &mut Cursor<'_, '_>) -> Operation {
        let flags = flags(c, None)?;
        let [dst, src, len] = self.values(c)?;
        Ok((
            InstData::MemCopy { flags, dst, src, len, dst_site: no_site(), src_site: no_site() },
            smallvec![],
        ))
    }

    fn mem_fill(&mut self, c: &mut Cursor<'_, '_>) -> Operation {
        let flags = flags(c, None)?;
        let [dst, byte, len] = self.values(c)?;
        Ok((InstData::MemFill { flags, dst, byte, len, site: no_site() }, smallvec![]))
    }

    fn bounds(&mut self, c: &mut Cursor<'_, '_>) -> Operation {
        let index = self.value(c)?;
        c.expect(",")?;
        Ok((InstData::Bounds { index, len: c.number("a length")? }, smallvec![]))
    }

    fn lifetime(&mut self, c: &mut Cursor<'_, '_>, w: Word<'_>) -> Operation {
        let op = w.named(LifetimeOp::from_name, "a marker")?;
        Ok((InstData::Lifetime { op, slot: self.slot_ref(c)? }, smallvec![]))
    }

    fn alloca(&mut self, c: &mut Cursor<'_, '_>, w: Word<'_>) -> Operation {
        let ty = w.ptr()?;
        let scoped = c.eat_word("scoped");
        let align_log2 = c.align()?;
        Ok((InstData::Alloca { ty, scoped, size: self.value(c)?, align_log2 }, smallvec![ty]))
    }

    fn atomic_load(&mut self, c: &mut Cursor<'_, '_>, w: Word<'_>) -> Operation {
        let ty = w.ty()?;
        let (order, scope) = order_scope(c)?;
        Ok((InstData::AtomicLoad { ty, order, scope, ptr: self.value(c)?, site: no_site() }, smallvec![ty]))
    }

    fn atomic_store(&mut self, c: &mut Cursor<'_, '_>, w: Word<'_>) -> Operation {
        let ty = w.ty()?;
        let (order, scope) = order_scope(c)?;
        let [value, ptr] = self.values(c)?;
        self.claim(value, ty, w.at);
        Ok((InstData::AtomicStore { order, scope, value, ptr, site: no_site() }, smallvec![]))
    }

    fn atomic_rmw(&mut self, c: &mut Cursor<'_, '_>, w: Word<'_>) -> Operation {
        let (op, w) = w.split("an operation and a type")?;
        let op = AtomicOp::from_name(op).map_or_else(|| w.bad("an atomic operation"), Ok)?;
        let ty = w.ty()?;
        let (order, scope) = order_scope(c)?;
        let [ptr, value] = self.values(c)?;
        self.claim(value, ty, w.at);
        Ok((InstData::AtomicRmw { op, order, scope, ptr, value, site: no_site() }, smallvec![ty]))
    }

    fn atomic_cas(&mut self, c: &mut Cursor<'_, '_>, w: Word<'_>) -> Operation {
        let ty = w.ty()?;
        let (order, scope) = order_scope(c)?;
        let [ptr, expected, new] = self.values(c)?;
        self.claim(new, ty, w.at);
        Ok((InstData::AtomicCas { order, scope, ptr, expected, new, site: no_site() }, smallvec![ty]))
    }

    fn barrier(&mut self, c: &mut Cursor<'_, '_>, w: Word<'_>) -> Operation {
        let kind = w.named(BarrierKind::from_name, "a barrier")?;
        let has_arg = c.peek_entity("v").is_some() && !c.at_line_start();
        let pred = if has_arg { Some(self.value(c)?) } else { None };
        let types: Types = if has_arg { smallvec![Type::I32] } else { smallvec![] };
        let args = self.func.list(pred.as_slice());
        Ok((InstData::Barrier { kind, args, site: no_site() }, types))
    }

    fn shfl(&mut self, c: &mut Cursor<'_, '_>, w: Word<'_>) -> Operation {
        let (mode, w) = w.split("a mode and a type")?;
        let mode = ShflMode::from_name(mode).map_or_else(|| w.bad("a shuffle"), Ok)?;
        let ty = w.ty()?;
        let [mask, value, lane, width] = self.values(c)?;
        self.claim(value, ty, w.at);
        Ok((InstData::Shfl { mode, mask, value, lane, width, site: no_site() }, smallvec![ty]))
    }

    fn vote(&mut self, c: &mut Cursor<'_, '_>, w: Word<'_>) -> Operation {
        let mode = w.named(VoteMode::from_name, "a vote")?;
        let [mask, pred] = self.values(c)?;
        Ok((InstData::Vote { mode, mask, pred, site: no_site() }, smallvec![Type::I32]))
    }

    fn match_(&mut self, c: &mut Cursor<'_, '_>, w: Word<'_>) -> Operation {
        let mode = w.named(MatchMode::from_name, "a match")?;
        let [mask, value] = self.values(c)?;
        let n = if mode == MatchMode::All { 2 } else { 1 };
        Ok((InstData::Match { mode, mask, value, site: no_site() }, smallvec![Type::I32; n]))
    }

    fn reduce(&mut self, c: &mut Cursor<'_, '_>, w: Word<'_>) -> Operation {
        let op = w.named(ReduceOp::from_name, "a reduction")?;
        let [mask, value] = self.values(c)?;
        Ok((InstData::Reduce { op, mask, value, site: no_site() }, smallvec![Type::I32]))
    }

    /// `(v1, v2)` as a list in the pool.
    fn arg_list(&mut self, c: &mut Cursor<'_, '_>) -> Parse<ValueList> {
        let args = self.args(c)?;
        Ok(self.func.list(&args))
    }

    fn call(&mut self, c: &mut Cursor<'_, '_>) -> Operation {
        let func = func_ref(c, self.module)?;
        let args = self.arg_list(c)?;
        let types = self.module.funcs[func].sig.ret.into_iter().collect();
        Ok((InstData::Call { func, args, site: no_site() }, types))
    }

    fn invoke(&mut self, c: &mut Cursor<'_, '_>) -> Operation {
        let func = func_ref(c, self.module)?;
        let args = self.arg_list(c)?;
        let (normal, unwind) = self.continuations(c)?;
        Ok((InstData::Invoke { func, args, normal, unwind, site: no_site() }, smallvec![]))
    }

    fn call_indirect(&mut self, c: &mut Cursor<'_, '_>) -> Operation {
        let (sig, ret) = self.sig(c)?;
        let callee = self.value(c)?;
        let args = self.arg_list(c)?;
        Ok((InstData::CallIndirect { sig, callee, args, site: no_site() }, ret.into_iter().collect()))
    }

    fn invoke_indirect(&mut self, c: &mut Cursor<'_, '_>) -> Operation {
        let (sig, _) = self.sig(c)?;
        let callee = self.value(c)?;
        let args = self.arg_list(c)?;
        let (normal, unwind) = self.continuations(c)?;
        Ok((InstData::InvokeIndirect { sig, callee, args, normal, unwind, site: no_site() }, smallvec![]))
    }

    fn launch(&mut self, c: &mut Cursor<'_, '_>) -> Operation {
        let kernel = func_ref(c, self.module)?;
        let args = self.launch_args(c)?;
        Ok((InstData::Launch { kernel, args, site: no_site() }, smallvec![Type::I32]))
    }

    fn launch_indirect(&mut self, c: &mut Cursor<'_, '_>) -> Operation {
        let (sig, _) = self.sig(c)?;
        let callee = self.value(c)?;
        let args = self.launch_args(c)?;
        Ok((InstData::LaunchIndirect { sig, callee, args, site: no_site() }, smallvec![Type::I32]))
    }

    fn va(&mut self, c: &mut Cursor<'_, '_>, w: Word<'_>) -> Operation {
        let op = w.named(VaOp::from_name, "an operation")?;
        let args = self.value_list(c)?;
        let args = self.func.list(&args);
        Ok((InstData::Va { op, args, site: no_site() }, smallvec![]))
    }

    fn branch(&mut self, c: &mut Cursor<'_, '_>) -> Operation {
        let cond = self.value(c)?;
        c.expect(",")?;
        let then = self.block_call(c)?;
        c.expect(",")?;
        let other = self.block_call(c)?;
        Ok((InstData::Branch { cond, then, other }, smallvec![]))
    }

    fn switch(&mut self, c: &mut Cursor<'_, '_>, w: Word<'_>) -> Operation {
        let ty = w.ty()?;
        if !ty.is_int() {
            return w.bad("an integer type");
        }
        let arg = self.value(c)?;
        self.claim(arg, ty, w.at);
        c.expect(",")?;
        let default = self.block_call(c)?;
        let table = self.func.tables.push(SwitchData { default, cases: Vec::new() });
        Ok((InstData::Switch { arg, table }, smallvec![]))
    }

    fn return_(&mut self, c: &mut Cursor<'_, '_>) -> Operation {
        let has_arg = c.peek_entity("v").is_some() && !c.at_line_start();
        let args = if has_arg { self.value_list(c)? } else { Vec::new() };
        Ok((InstData::Return { args: self.func.list(&args) }, smallvec![]))
    }

    fn trap(&mut self, c: &mut Cursor<'_, '_>) -> Operation {
        let code_at = c.at();
        let code = match c.word("the reason of the trap")? {
            "unreachable" => TrapCode::Unreachable,
            "missing_return" => TrapCode::MissingReturn,
            "trap" => TrapCode::Trap,
            "unsupported" => {
                let text = c.string()?;
                TrapCode::Unsupported(self.module.message(text))
            }
            _ => return Err((code_at, "expected the reason of the trap".to_owned())),
        };
        Ok((InstData::Trap { code }, smallvec![]))
    }

    fn sig(&mut self, c: &mut Cursor<'_, '_>) -> Parse<(SigId, Option<Type>)> {
        let sig = c.signature()?;
        c.expect(",")?;
        Ok((self.module.sig(&sig), sig.ret))
    }

    fn continuations(&mut self, c: &mut Cursor<'_, '_>) -> Parse<(BlockCall, BlockCall)> {
        c.expect_word("to")?;
        let normal = self.block_call(c)?;
        c.expect_word("unwind")?;
        Ok((normal, self.block_call(c)?))
    }

    /// `<<<v1, …, v8>>>(v9, …)`.
    fn launch_args(&mut self, c: &mut Cursor<'_, '_>) -> Parse<ValueList> {
        c.expect("<<<")?;
        let mut all = self.value_list(c)?;
        if all.len() != LAUNCH_CONFIG {
            return c
                .error(format!("a launch has {LAUNCH_CONFIG} values of configuration, not {}", all.len()));
        }
        c.expect(">>>")?;
        all.extend(self.args(c)?);
        Ok(self.func.list(&all))
    }
}

/// The operation that the head of a word names.
fn operation<T>(from_name: impl Fn(&str) -> Option<T>, w: Word<'_>) -> Parse<T> {
    from_name(w.head).ok_or_else(|| (w.at, format!("there is no instruction `{}`", w.head)))
}

/// The flag `nsw` and the type of an operation whose mnemonic has one.
fn arithmetic_type(w: Word<'_>, takes_nsw: bool) -> Parse<(bool, Type)> {
    let (nsw, text) = match w.suffix.strip_prefix("nsw.") {
        Some(rest) => (true, rest),
        None => (false, w.suffix),
    };
    if nsw && !takes_nsw {
        return Err((w.at, format!("`{}` does not take `nsw`", w.head)));
    }
    match text.parse() {
        Ok(ty) => Ok((nsw, ty)),
        Err(()) => Err((w.at, format!("`{0}` needs a type, as in `{0}.i32`", w.head))),
    }
}

fn active_mask(w: Word<'_>) -> Operation {
    let implied = match w.suffix {
        "" => false,
        "implied" => true,
        _ => return w.bad("a mask of active lanes"),
    };
    Ok((InstData::ActiveMask { implied, site: no_site() }, smallvec![Type::I32]))
}

fn flags(c: &mut Cursor<'_, '_>, natural: Option<Type>) -> Parse<MemFlags> {
    let volatile = c.eat_word("volatile");
    let partial = c.eat_word("partial");
    let stated = matches!(c.peek(), Tok::Word("align"));
    let align_log2 = match natural {
        Some(ty) if !stated => MemFlags::natural(ty).align_log2,
        _ => c.align()?,
    };
    Ok(MemFlags { volatile, partial, align_log2 })
}

fn order_scope(c: &mut Cursor<'_, '_>) -> Parse<(MemOrder, Scope)> {
    let order = c.keyword("a memory order", MemOrder::from_name)?;
    Ok((order, c.keyword("a scope", Scope::from_name)?))
}

/// The bits of a constant of type `ty`.
pub(super) fn constant(c: &mut Cursor<'_, '_>, ty: Type) -> Parse<u128> {
    let what = match ty {
        Type::F32 | Type::F64 => "a number",
        Type::F16 | Type::BF16 | Type::F80 => "the bits in hexadecimal",
        Type::Ptr(_) => "`null` or the bits of a pointer",
        _ => "an integer",
    };
    let text = match c.peek() {
        Tok::Num(n) => *n,
        Tok::Word("null") if ty.is_ptr() => "0",
        Tok::Word("inf") if matches!(ty, Type::F32 | Type::F64) => "inf",
        _ => return c.expected(what),
    };
    let bits = match ty {
        Type::F32 | Type::F64 if !text.starts_with("0x") => match ty {
            Type::F32 => text.parse::<f32>().ok().map(|x| u128::from(x.to_bits())),
            _ => text.parse::<f64>().ok().map(|x| u128::from(x.to_bits())),
        },
        _ => integer(text).and_then(|(neg, x)| {
            let mask = ty.bit_mask();
            if !neg {
                return (x <= mask).then_some(x);
            }
            // The least number that the type holds.
            let least = if ty.is_int() && ty != Type::I1 { 1u128 << (ty.bits() - 1) } else { 0 };
            (x <= least).then(|| x.wrapping_neg() & mask)
        }),
    };
    match bits {
        Some(bits) => {
            c.bump();
            Ok(bits)
        }
        None => c.error(format!("expected {what}; {} is not one of type {ty}", c.peek().describe())),
    }
}
