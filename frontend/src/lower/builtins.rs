//! The compiler's own functions, and library functions that are instructions of the IR.

use super::R;
use super::call::CallResult;
use super::constant::{Constant, constant_bits};
use super::func::FnLower;
use crate::ast::{Call, Ex};
use crate::clang::Evaluated;
use crate::types::Decl;
use cudair_ir::{
    BinaryOp, CastOp, FloatCC, IntCC, MemFlags, Side, TernaryOp, TrapCode, Type, UnaryOp, VaOp, Value,
};

/// Functions of the C library that have a builtin of their name.
#[rustfmt::skip]
const LIBRARY: &[&str] = &[
    "memcpy", "memmove", "memset", "mempcpy", "memcmp", "memchr", "strlen", "strcpy", "strncpy", "strcmp",
    "strncmp", "strcat", "strncat", "strchr", "strrchr", "strstr", "strspn", "strcspn", "strpbrk", "stpcpy",
    "strdup", "strndup", "printf", "fprintf", "sprintf", "snprintf", "vprintf", "vsprintf", "vsnprintf",
    "vfprintf", "puts", "putchar", "malloc", "calloc", "realloc", "free", "exit", "abort", "abs", "labs",
    "llabs", "index", "rindex", "bcmp", "bzero", "isdigit", "isalpha", "isalnum", "isspace", "isupper",
    "islower", "toupper", "tolower",
];

/// Mathematical functions that have a builtin of their name.
#[rustfmt::skip]
const MATHEMATICS: &[&str] = &[
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "exp2", "expm1",
    "log", "log2", "log10", "log1p", "pow", "hypot", "cbrt", "round", "lround", "llround", "lrint",
    "llrint", "ldexp", "frexp", "modf", "erf", "erfc", "tgamma", "lgamma", "fdim", "remainder", "scalbn",
    "logb", "ilogb", "asinh", "acosh", "atanh", "nextafter", "remquo", "fmod",
];

impl<'tu> FnLower<'_, 'tu, '_> {
    /// A call of a function without a body that is not simply a call; `None` for all others.
    pub fn builtin_call(
        &mut self,
        call: &'tu Call<'tu>,
        e: Ex<'tu>,
        decl: Decl<'tu>,
        dst: Option<Value>,
    ) -> R<Option<CallResult>> {
        let name = decl.spelling();
        if matches!(name.as_str(), "setjmp" | "_setjmp" | "__sigsetjmp" | "sigsetjmp" | "__builtin_setjmp") {
            self.b.func.attrs.returns_twice = true;
            return Ok(None);
        }
        if matches!(
            name.as_str(),
            "move" | "forward" | "move_if_noexcept" | "as_const" | "addressof" | "__addressof"
        ) && decl.is_in_std()
            && let Some(&arg) = call.args.first()
        {
            let place = self.place(arg)?;
            return Ok(Some(CallResult::Value(self.generic(place.ptr))));
        }
        if let Some(result) = self.annotation(call, e, decl, &name)? {
            return Ok(Some(result));
        }
        if name.starts_with("__cudair_bits_") {
            let q = self.cx.ast.types.of(decl.ty());
            let result = self.cx.ast.types.function(q.ty).and_then(|f| self.cx.ast.types.ir(f.ret.ty));
            let (args, Some(ir)) = (self.int_args(call, e, decl)?, result) else {
                return self.internal("a bit cast to a type that is not scalar", e);
            };
            let v = self.b.cast(CastOp::Bitcast, ir, args[0]);
            return Ok(Some(CallResult::Value(v)));
        }
        if let Some(rest) = name.strip_prefix("__cudair_")
            && (rest == "fence" || rest.starts_with("atomic_"))
            && let Some(result) = self.cudair_primitive(call, e, decl, rest)?
        {
            return Ok(Some(result));
        }
        if self.frame.device()
            && let Some(result) = self.intrinsic(call, e, decl, &name)?
        {
            return Ok(Some(result));
        }
        if let Some(operator) = name.strip_prefix("__builtin_operator_") {
            return self.allocation_builtin(call, e, operator);
        }
        if let Some(rest) = name.strip_prefix("__builtin_") {
            return self.compiler_builtin(call, e, decl, rest, dst);
        }
        if let Some(rest) = name.strip_prefix("__atomic_").or_else(|| name.strip_prefix("__c11_atomic_")) {
            return self.atomic_call(call, e, rest);
        }
        if let Some(rest) = name.strip_prefix("__sync_") {
            return self.sync_builtin(call, e, rest);
        }
        if name == "alloca" {
            return self.compiler_builtin(call, e, decl, "alloca", dst);
        }
        self.math(call, e, decl, &name)
    }

    /// Mathematical functions that are one instruction, exact in both places.
    fn math(
        &mut self,
        call: &'tu Call<'tu>,
        e: Ex<'tu>,
        decl: Decl<'tu>,
        name: &str,
    ) -> R<Option<CallResult>> {
        enum Op {
            U(UnaryOp),
            B(BinaryOp),
            T(TernaryOp),
            Magnitude,
        }
        let is_int = |ty: Type| ty.is_int();
        let base = match name.strip_suffix("f16").or_else(|| name.strip_suffix(['f', 'l'])) {
            Some(base) if !matches!(name, "ceil" | "modf" | "erf") => base,
            _ => name,
        };
        let op = match base {
            "fabs" => Op::U(UnaryOp::Fabs),
            "sqrt" => Op::U(UnaryOp::Fsqrt),
            "floor" => Op::U(UnaryOp::Ffloor),
            "ceil" | "cei" => Op::U(UnaryOp::Fceil),
            "trunc" => Op::U(UnaryOp::Ftrunc),
            "rint" | "nearbyint" | "roundeven" => Op::U(UnaryOp::Fnearest),
            "fmin" => Op::B(BinaryOp::Fmin),
            "fmax" => Op::B(BinaryOp::Fmax),
            "copysign" => Op::B(BinaryOp::Fcopysign),
            "fmod" => Op::B(BinaryOp::Frem),
            "fma" => Op::T(TernaryOp::Fma),
            // Of integers: the name has other overloads.
            "abs" | "labs" | "llabs" if self.cx.ast.types.ir(e.q.ty).is_some_and(is_int) => Op::Magnitude,
            _ => return Ok(None),
        };
        let args = self.int_args(call, e, decl)?;
        let suits = if let Op::Magnitude = op { is_int } else { |ty: Type| ty.is_float() };
        if !args.iter().all(|a| suits(self.b.ty(*a))) {
            return self.unsupported(format!("the function `{name}` with these types"), e);
        }
        let value = match (op, args.as_slice()) {
            (Op::U(op), &[a]) => self.b.unary(op, a),
            (Op::B(op), &[a, b]) => self.b.binary(op, a, b),
            (Op::T(op), &[a, b, c]) => self.b.ternary(op, a, b, c),
            // That of the least one is itself.
            (Op::Magnitude, &[a]) => {
                let minus = self.b.unary(UnaryOp::Ineg, a);
                self.b.binary(BinaryOp::Smax, a, minus)
            }
            _ => return self.internal("a mathematical function with other arguments", e),
        };
        Ok(Some(CallResult::Value(value)))
    }

    fn compiler_builtin(
        &mut self,
        call: &'tu Call<'tu>,
        e: Ex<'tu>,
        decl: Decl<'tu>,
        name: &str,
        dst: Option<Value>,
    ) -> R<Option<CallResult>> {
        let some = |v: Value| Ok(Some(CallResult::Value(v)));
        if let Some(result) = self.language_builtin(call, e, name)? {
            return Ok(Some(result));
        }
        if let Some(v) = self.folded_builtin(e, name) {
            return some(v);
        }
        if let Some(result) = self.complex_builtin(call, decl, name, dst, e)? {
            return Ok(Some(result));
        }
        if let Some(v) = self.bit_builtin(call, e, decl, name)? {
            return some(v);
        }
        if let Some(v) = self.classification(call, e, name)? {
            return some(v);
        }
        if let Some(v) = self.overflow_builtin(call, e, name)? {
            return some(v);
        }
        if let Some(result) = self.math(call, e, decl, name)? {
            return Ok(Some(result));
        }
        self.library_builtin(call, e, decl, name)
    }

    /// Operations on argument lists.
    fn va_builtin(&mut self, call: &'tu Call<'tu>, e: Ex<'tu>, name: &str) -> R<Option<CallResult>> {
        let mut lists = Vec::new();
        for &arg in call.args.iter().take(if name == "va_copy" { 2 } else { 1 }) {
            lists.push(self.va_list_pointer(arg)?);
        }
        self.enter(e);
        let op = match name {
            "va_end" => VaOp::End,
            "va_copy" => VaOp::Copy,
            "va_start" | "c23_va_start" => VaOp::Start,
            _ => return self.internal(name, e),
        };
        self.b.va(op, &lists);
        Ok(Some(CallResult::None))
    }

    /// What is neither arithmetic nor a function of a library: argument lists, the end of control, addresses, sizes.
    fn language_builtin(&mut self, call: &'tu Call<'tu>, e: Ex<'tu>, name: &str) -> R<Option<CallResult>> {
        let some = |v: Value| Ok(Some(CallResult::Value(v)));
        let none = Ok(Some(CallResult::None));
        let written = call.args;
        let q = e.q;
        match name {
            "va_start" | "c23_va_start" | "va_end" | "va_copy" => self.va_builtin(call, e, name),
            "unreachable" => {
                self.enter(e);
                self.b.trap(TrapCode::Unreachable);
                self.reach.escape();
                none
            }
            "trap" | "verbose_trap" => {
                self.enter(e);
                self.b.trap(TrapCode::Trap);
                self.reach.escape();
                none
            }
            "assume" => {
                self.builtin_assume(call, e)?;
                none
            }
            "debugtrap" | "prefetch" | "stack_restore" | "__clear_cache" => {
                for &arg in written.iter().take(1) {
                    if name == "prefetch" {
                        self.discard(arg)?;
                    }
                }
                none
            }
            "ia32_pause" => {
                // Who waits in a loop lets others run.
                let sig = cudair_ir::Signature { params: Vec::new(), ret: None, variadic: false };
                let pause = self.cx.native("__cudair_pause", sig, false);
                self.b.call(self.cx.module, pause, &[]);
                none
            }
            "stack_save" | "frame_address" | "return_address" | "extract_return_addr" => {
                let v = self.zero(q.ty, e)?;
                some(v)
            }
            "expect" | "expect_with_probability" => {
                let Some(&first) = written.first() else {
                    return self.internal("a builtin without an argument", e);
                };
                let v = self.rv_as(first, q.ty)?;
                for &rest in &written[1..] {
                    if rest.value().is_none() {
                        self.discard(rest)?;
                    }
                }
                some(v)
            }
            "assume_aligned" | "launder" | "constant_cfstring" => {
                let Some(&first) = written.first() else {
                    return self.internal("a builtin without an argument", e);
                };
                let v = self.rv_as(first, q.ty)?;
                some(v)
            }
            "addressof" => {
                let Some(&first) = written.first() else {
                    return self.internal("a builtin without an argument", e);
                };
                let place = self.place(first)?;
                some(place.ptr)
            }
            "alloca" | "alloca_with_align" | "alloca_uninitialized" => {
                let Some(&size) = written.first() else {
                    return self.internal("a builtin without an argument", e);
                };
                let ulong = self.cx.ast.types.ulong;
                let size = self.rv_as(size, ulong)?;
                let align = match written.get(1).and_then(|a| a.value()) {
                    Some(Evaluated::Int(bits)) => (bits as u32 / 8).max(1).next_power_of_two(),
                    _ => 16,
                };
                self.enter(e);
                let v = self.b.alloca(size, align, false);
                some(v)
            }
            "constant_p" => {
                let known = match e.folded() {
                    Some(Evaluated::Int(v)) => v,
                    _ => 0,
                };
                let v = self.b.iconst(Type::I32, known);
                some(v)
            }
            "object_size" | "dynamic_object_size" => {
                let mode = match written.get(1).and_then(|a| a.value()) {
                    Some(Evaluated::Int(m)) => m,
                    _ => 0,
                };
                let unknown = if mode & 2 == 0 { -1 } else { 0 };
                let v = self.b.iconst(Type::I64, unknown);
                some(v)
            }
            _ => Ok(None),
        }
    }

    /// What folds needs no code: infinities, NaNs, classifications of types.
    fn folded_builtin(&mut self, e: Ex<'tu>, name: &str) -> Option<Value> {
        let folds = matches!(
            name.trim_end_matches(|c: char| c.is_ascii_digit()),
            "inf"
                | "inff"
                | "infl"
                | "huge_val"
                | "huge_valf"
                | "huge_vall"
                | "nan"
                | "nanf"
                | "nanl"
                | "nans"
                | "nansf"
                | "classify_type"
                | "is_constant_evaluated"
                | "LINE"
                | "COLUMN"
        );
        if folds
            && let Some(ir) = self.cx.ast.types.ir(e.q.ty)
            && let Some(v) = e.folded()
        {
            let constant = match v {
                Evaluated::Int(v) => Constant::Int(v),
                Evaluated::Float(f) => Constant::Float(f),
            };
            let v = self.b.const_bits(ir, constant_bits(constant, ir));
            return Some(v);
        }
        None
    }

    /// `__builtin_memcpy` and kin are the functions of that name.
    fn library_builtin(
        &mut self,
        call: &'tu Call<'tu>,
        e: Ex<'tu>,
        decl: Decl<'tu>,
        name: &str,
    ) -> R<Option<CallResult>> {
        let mut args = self.int_args(call, e, decl)?;
        let mut plain = name;
        if let Some(rest) = name.strip_prefix("__").and_then(|n| n.strip_suffix("_chk")) {
            // The checking form has the object's size as its last argument.
            if !matches!(
                rest,
                "memcpy"
                    | "memmove"
                    | "memset"
                    | "mempcpy"
                    | "strcpy"
                    | "strncpy"
                    | "strcat"
                    | "strncat"
                    | "stpcpy"
            ) {
                return self.unsupported(format!("the builtin `__builtin_{name}`"), e);
            }
            args.pop();
            plain = rest;
        }
        if self.frame.device() {
            self.enter(e);
            if let Some(to) = self.block_of_memory(plain, &args) {
                return Ok(Some(CallResult::Value(to)));
            }
        }
        // The one for `double` has no suffix.
        let base = plain.strip_suffix(['f', 'l']).unwrap_or(plain);
        if !LIBRARY.contains(&plain) && !MATHEMATICS.contains(&plain) && !MATHEMATICS.contains(&base) {
            return self.unsupported(format!("the builtin `__builtin_{name}`"), e);
        }
        let q = self.cx.ast.types.of(decl.ty());
        let Some(fn_ty) = self.cx.ast.types.function(q.ty) else { return Ok(None) };
        let side = if self.frame.device() { Side::Device } else { Side::Host };
        let Some(mut sig) = self.cx.signature(&fn_ty, side, false) else { return Ok(None) };
        if plain != name {
            sig.params.truncate(args.len());
        }
        let func = self.cx.native(plain, sig, self.frame.device());
        self.enter(e);
        let result = self.b.call(self.cx.module, func, &args);
        if matches!(plain, "exit" | "abort") {
            self.b.trap(TrapCode::Unreachable);
            self.reach.escape();
            return Ok(Some(CallResult::None));
        }
        Ok(Some(result.map_or(CallResult::None, CallResult::Value)))
    }

    /// Counting and reversing bits.
    fn bit_builtin(
        &mut self,
        call: &'tu Call<'tu>,
        e: Ex<'tu>,
        decl: Decl<'tu>,
        name: &str,
    ) -> R<Option<Value>> {
        let base = name.trim_end_matches(['l', 'g']);
        let known = matches!(
            base,
            "popcount"
                | "clz"
                | "ctz"
                | "ffs"
                | "parity"
                | "clrsb"
                | "bswap16"
                | "bswap32"
                | "bswap64"
                | "bswap128"
                | "bitreverse8"
                | "bitreverse16"
                | "bitreverse32"
                | "bitreverse64"
                | "abs"
        ) || name.starts_with("rotateleft")
            || name.starts_with("rotateright");
        if !known {
            return Ok(None);
        }
        let args = self.int_args(call, e, decl)?;
        let Some(&a) = args.first() else { return Ok(None) };
        let ir = self.b.ty(a);
        let result_q = e.q;
        let Some(result) = self.cx.ast.types.ir(result_q.ty) else {
            return self.internal("a builtin on bits whose result is not a number", e);
        };
        let value = match base {
            "popcount" => self.b.unary(UnaryOp::Popcnt, a),
            "clz" => self.b.unary(UnaryOp::Clz, a),
            "ctz" => self.b.unary(UnaryOp::Ctz, a),
            "parity" => {
                let n = self.b.unary(UnaryOp::Popcnt, a);
                let one = self.b.iconst(ir, 1);
                self.b.binary(BinaryOp::And, n, one)
            }
            "ffs" => {
                let n = self.b.unary(UnaryOp::Ctz, a);
                let (zero, one) = (self.b.iconst(ir, 0), self.b.iconst(ir, 1));
                let n = self.b.binary(BinaryOp::Iadd, n, one);
                let is_zero = self.b.icmp(IntCC::Eq, a, zero);
                self.b.select(is_zero, zero, n)
            }
            "clrsb" => {
                let top = self.b.iconst(ir, i128::from(ir.bits() - 1));
                let sign = self.b.binary(BinaryOp::Ashr, a, top);
                let flipped = self.b.binary(BinaryOp::Xor, a, sign);
                let n = self.b.unary(UnaryOp::Clz, flipped);
                let one = self.b.iconst(ir, 1);
                self.b.binary(BinaryOp::Isub, n, one)
            }
            "abs" => {
                let negative = self.b.ineg_nsw(a);
                let zero = self.b.iconst(ir, 0);
                let below = self.b.icmp(IntCC::Slt, a, zero);
                self.b.select(below, negative, a)
            }
            _ if base.starts_with("bswap") => self.b.unary(UnaryOp::Bswap, a),
            _ if base.starts_with("bitreverse") => self.b.unary(UnaryOp::Bitrev, a),
            _ => {
                let Some(&n) = args.get(1) else { return Ok(None) };
                let n = self.widen(n, false, ir);
                let n = if name.starts_with("rotateright") { self.b.unary(UnaryOp::Ineg, n) } else { n };
                self.b.binary(BinaryOp::Rotl, a, n)
            }
        };
        Ok(Some(self.widen(value, false, result)))
    }

    /// `isnan`, `isless` and kin.
    fn classification(&mut self, call: &'tu Call<'tu>, e: Ex<'tu>, name: &str) -> R<Option<Value>> {
        let written = call.args;
        let compare = match name {
            "isgreater" => Some(FloatCC::Ogt),
            "isgreaterequal" => Some(FloatCC::Oge),
            "isless" => Some(FloatCC::Olt),
            "islessequal" => Some(FloatCC::Ole),
            "islessgreater" => Some(FloatCC::One),
            "isunordered" => Some(FloatCC::Uno),
            _ => None,
        };
        if let (Some(cc), &[a, b]) = (compare, written) {
            let ty = self.arg_type(a);
            let x = self.rv(a)?;
            let y = self.rv_as(b, ty)?;
            self.enter(e);
            let v = self.b.fcmp(cc, x, y);
            return Ok(Some(self.b.cast(CastOp::Zext, Type::I32, v)));
        }
        if name == "fpclassify" && written.len() == 6 {
            return self.fpclassify(e, written).map(Some);
        }
        let names = ["isnan", "isinf", "isfinite", "finite", "isnormal", "signbit", "isinf_sign"];
        let is_of = |base: &&str| name.strip_prefix(*base).is_some_and(|end| matches!(end, "" | "f" | "l"));
        let Some(base) = names.into_iter().find(is_of) else { return Ok(None) };
        let Some(&arg) = written.first() else { return Ok(None) };
        let x = self.rv(arg)?;
        let ir = self.b.ty(x);
        if !ir.is_float() {
            return self.unsupported(format!("the builtin `__builtin_{name}` on an integer"), e);
        }
        self.enter(e);
        let float = |f: f64| constant_bits(Constant::Float(f), ir);
        let magnitude = self.b.unary(UnaryOp::Fabs, x);
        let infinity = self.b.const_bits(ir, float(f64::INFINITY));
        let v = match base {
            "isnan" => self.b.fcmp(FloatCC::Uno, x, x),
            "isinf" => self.b.fcmp(FloatCC::Oeq, magnitude, infinity),
            "isfinite" | "finite" => self.b.fcmp(FloatCC::Olt, magnitude, infinity),
            "isnormal" => {
                let finite = self.b.fcmp(FloatCC::Olt, magnitude, infinity);
                let least = self.b.const_bits(ir, least_normal(ir));
                let large = self.b.fcmp(FloatCC::Oge, magnitude, least);
                self.b.binary(BinaryOp::And, finite, large)
            }
            "isinf_sign" => {
                let positive = self.b.fcmp(FloatCC::Oeq, x, infinity);
                let minus = self.b.const_bits(ir, float(f64::NEG_INFINITY));
                let negative = self.b.fcmp(FloatCC::Oeq, x, minus);
                let positive = self.b.cast(CastOp::Zext, Type::I32, positive);
                let negative = self.b.cast(CastOp::Zext, Type::I32, negative);
                return Ok(Some(self.b.binary(BinaryOp::Isub, positive, negative)));
            }
            _ => return self.sign_bit(x, ir).map(Some),
        };
        Ok(Some(self.b.cast(CastOp::Zext, Type::I32, v)))
    }

    /// Whether the sign bit is set, which a comparison cannot tell for zeros and NaNs: the sign is moved
    /// to a one.
    fn sign_bit(&mut self, x: Value, ir: Type) -> R<Value> {
        let one = self.b.const_bits(ir, constant_bits(Constant::Float(1.0), ir));
        let signed = self.b.binary(BinaryOp::Fcopysign, one, x);
        let zero = self.b.const_bits(ir, 0);
        let v = self.b.fcmp(FloatCC::Olt, signed, zero);
        Ok(self.b.cast(CastOp::Zext, Type::I32, v))
    }

    fn fpclassify(&mut self, e: Ex<'tu>, written: &[Ex<'tu>]) -> R<Value> {
        let mut answers = Vec::new();
        for &answer in &written[..5] {
            let int = self.cx.ast.types.int;
            answers.push(self.rv_as(answer, int)?);
        }
        let x = self.rv(written[5])?;
        let ir = self.b.ty(x);
        if !ir.is_float() {
            return self.unsupported("fpclassify of an integer", e);
        }
        self.enter(e);
        let magnitude = self.b.unary(UnaryOp::Fabs, x);
        let infinity = self.b.const_bits(ir, constant_bits(Constant::Float(f64::INFINITY), ir));
        let least = self.b.const_bits(ir, least_normal(ir));
        let zero = self.b.const_bits(ir, 0);
        let is_zero = self.b.fcmp(FloatCC::Oeq, x, zero);
        let is_sub = self.b.fcmp(FloatCC::Olt, magnitude, least);
        let is_inf = self.b.fcmp(FloatCC::Oeq, magnitude, infinity);
        let is_nan = self.b.fcmp(FloatCC::Uno, x, x);
        // In order: NaN, infinite, normal, subnormal, zero.
        let mut v = answers[2];
        v = self.b.select(is_sub, answers[3], v);
        v = self.b.select(is_zero, answers[4], v);
        v = self.b.select(is_inf, answers[1], v);
        Ok(self.b.select(is_nan, answers[0], v))
    }

    /// `__builtin_add_overflow` and kin, by computing in 128 bits.
    fn overflow_builtin(&mut self, call: &'tu Call<'tu>, e: Ex<'tu>, name: &str) -> R<Option<Value>> {
        let Some(head) = name.strip_suffix("_overflow") else { return Ok(None) };
        let op = match head {
            "add" | "sadd" | "saddl" | "saddll" | "uadd" | "uaddl" | "uaddll" => BinaryOp::Iadd,
            "sub" | "ssub" | "ssubl" | "ssubll" | "usub" | "usubl" | "usubll" => BinaryOp::Isub,
            "mul" | "smul" | "smull" | "smulll" | "umul" | "umull" | "umulll" => BinaryOp::Imul,
            _ => return Ok(None),
        };
        let written = call.args;
        let &[a, b, out] = written else { return Ok(None) };
        let (a_ty, b_ty) = (self.arg_type(a), self.arg_type(b));
        let out_ty = self.arg_type(out);
        let Some(target) = self.cx.ast.types.pointee(out_ty) else { return Ok(None) };
        let (a_signed, b_signed) = (self.cx.ast.types.is_signed(a_ty), self.cx.ast.types.is_signed(b_ty));
        let target_signed = self.cx.ast.types.is_signed(target.ty);
        let Some(target_ir) = self.cx.ast.types.ir(target.ty) else { return Ok(None) };
        let x = self.rv(a)?;
        let y = self.rv(b)?;
        let ptr = self.rv(out)?;
        if self.b.ty(x) == Type::I128 || self.b.ty(y) == Type::I128 || target_ir == Type::I128 {
            return self.unsupported("overflow checks on 128-bit integers", e);
        }
        self.enter(e);
        let x = self.widen(x, a_signed, Type::I128);
        let y = self.widen(y, b_signed, Type::I128);
        // Of 64-bit operands only the product of two unsigned ones leaves the signed range, and then it
        // fits no result.
        let wide = self.b.binary(op, x, y);
        let narrow = self.widen(wide, false, target_ir);
        let back = self.widen(narrow, target_signed, Type::I128);
        let v = self.b.icmp(IntCC::Ne, back, wide);
        self.b.store(narrow, ptr, MemFlags::natural(target_ir));
        Ok(Some(v))
    }

    /// The older atomic builtins. The host of an interpreted program has one thread.
    fn sync_builtin(&mut self, call: &'tu Call<'tu>, e: Ex<'tu>, name: &str) -> R<Option<CallResult>> {
        use cudair_ir::{AtomicOp, MemOrder, Scope};
        let written = call.args;
        if name == "synchronize" {
            self.enter(e);
            self.b.fence(MemOrder::SeqCst, Scope::System);
            return Ok(Some(CallResult::None));
        }
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
        let Some(&pointer) = written.first() else { return Ok(None) };
        let pointer_ty = self.arg_type(pointer);
        let Some(target) = self.cx.ast.types.pointee(pointer_ty) else { return Ok(None) };
        let ptr = self.rv(pointer)?;
        let mut values = Vec::new();
        for &arg in &written[1..] {
            values.push(self.rv_as(arg, target.ty)?);
        }
        self.enter(e);
        let (order, scope) = (MemOrder::SeqCst, Scope::System);
        let fetch = |op: &str| {
            Some(match op {
                "add" => (AtomicOp::Add, BinaryOp::Iadd),
                "sub" => (AtomicOp::Sub, BinaryOp::Isub),
                "and" => (AtomicOp::And, BinaryOp::And),
                "or" => (AtomicOp::Or, BinaryOp::Or),
                "xor" => (AtomicOp::Xor, BinaryOp::Xor),
                _ => return None,
            })
        };
        let value = match (name, values.as_slice()) {
            ("val_compare_and_swap" | "bool_compare_and_swap", &[expected, new]) => {
                let old = self.b.atomic_cas(order, scope, ptr, expected, new);
                if name.starts_with("bool") { self.b.icmp(IntCC::Eq, old, expected) } else { old }
            }
            ("lock_test_and_set", &[v]) => self.b.atomic_rmw(AtomicOp::Xchg, order, scope, ptr, v),
            ("lock_release", &[]) => {
                let zero = self.zero(target.ty, e)?;
                let site = self.b.site();
                self.b.push(cudair_ir::InstData::AtomicStore { order, scope, value: zero, ptr, site }, &[]);
                return Ok(Some(CallResult::None));
            }
            (_, &[v]) => {
                if let Some((op, _)) = name.strip_prefix("fetch_and_").and_then(fetch) {
                    self.b.atomic_rmw(op, order, scope, ptr, v)
                } else if let Some((op, again)) = name.strip_suffix("_and_fetch").and_then(fetch) {
                    let old = self.b.atomic_rmw(op, order, scope, ptr, v);
                    self.b.binary(again, old, v)
                } else {
                    return self.unsupported(format!("the builtin `__sync_{name}`"), e);
                }
            }
            _ => return self.unsupported(format!("the builtin `__sync_{name}`"), e),
        };
        Ok(Some(CallResult::Value(value)))
    }
}

/// The bits of the least positive normal number.
fn least_normal(ir: Type) -> u128 {
    match ir {
        Type::F16 => 1 << 10,
        Type::BF16 => 1 << 7,
        Type::F32 => 1 << 23,
        Type::F80 => 1 << 64 | 1 << 63,
        _ => 1 << 52,
    }
}
