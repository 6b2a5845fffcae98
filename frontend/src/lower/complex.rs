//! Complex numbers: `_Complex T`, which `std::complex` is made of. One lives in memory, as two numbers side by side.

use super::R;
use super::func::FnLower;
use super::lvalue::Place;
use crate::ast::{BinaryOp, Call, Cast, CastKind, Ex, ExprKind, UnaryOp};
use crate::types::Decl;
use crate::types::{Kind, QTy, Ty};
use cudair_ir::{BinaryOp as IrOp, FloatCC, IntCC, Param, Signature, Type, UnaryOp as IrUnary, Value};

/// A real and an imaginary part.
type Parts = (Value, Value);

impl<'tu> FnLower<'_, 'tu, '_> {
    /// The type of the parts of a complex type.
    pub fn complex_part(&self, ty: Ty) -> Option<Ty> {
        match *self.cx.ast.types.kind(ty) {
            Kind::Complex(part) => Some(part),
            _ => None,
        }
    }

    /// Makes a complex number at `dst` from an expression.
    pub fn init_complex(&mut self, dst: Value, q: QTy, part: Ty, e: Ex<'tu>) -> R<()> {
        if self.is_made_in_place(e) {
            let align = self.cx.ast.types.align(q.ty);
            return self.init_aggregate(dst, align, q, e);
        }
        let parts = self.complex_parts(e, part)?;
        self.store_complex(dst, part, parts, e)
    }

    fn is_made_in_place(&self, e: Ex<'tu>) -> bool {
        matches!(
            e.kind,
            ExprKind::Call(_)
                | ExprKind::Conditional { .. }
                | ExprKind::Statement(_)
                | ExprKind::Chosen(_)
                | ExprKind::VaArg(_)
        )
    }

    fn store_complex(&mut self, dst: Value, part: Ty, (re, im): Parts, e: Ex<'tu>) -> R<()> {
        let (size, align) = (self.object_size(part, e)?, self.cx.ast.types.align(part));
        self.store(&Place::new(dst, align, QTy::plain(part)), re, e)?;
        let at = self.b.ptr_offset(dst, size as i64);
        self.store(&Place::new(at, align, QTy::plain(part)), im, e)?;
        Ok(())
    }

    fn load_complex(&mut self, ptr: Value, part: Ty, e: Ex<'tu>) -> R<Parts> {
        let (size, align) = (self.object_size(part, e)?, self.cx.ast.types.align(part));
        let re = self.load(&Place::new(ptr, align, QTy::plain(part)), e)?;
        let at = self.b.ptr_offset(ptr, size as i64);
        let im = self.load(&Place::new(at, align, QTy::plain(part)), e)?;
        Ok((re, im))
    }

    /// The parts of an expression, complex or real, as numbers of type `part`.
    pub fn complex_parts(&mut self, e: Ex<'tu>, part: Ty) -> R<Parts> {
        self.deeper(e)?;
        let old = self.enter(e);
        let result = self.complex_parts_kind(e, part);
        self.b.set_loc(old);
        self.reach.shallower();
        result
    }

    fn complex_parts_kind(&mut self, e: Ex<'tu>, part: Ty) -> R<Parts> {
        let q = e.q;
        let Some(own) = self.complex_part(q.ty) else {
            if let ExprKind::List(list) = e.kind {
                return self.listed_parts(list, part, e);
            }
            let re = self.rv_as(e, part)?;
            let im = self.zero(part, e)?;
            return Ok((re, im));
        };
        let (re, im) = match e.kind {
            ExprKind::Paren(inner)
            | ExprKind::Implicit(inner)
            | ExprKind::Cast(Cast {
                kind: CastKind::C | CastKind::Functional | CastKind::Static,
                operand: inner,
                ..
            }) => self.complex_parts(inner, own)?,
            ExprKind::List(list) => self.listed_parts(list, own, e)?,
            ExprKind::Imaginary(number) => {
                let im = self.rv_as(number, own)?;
                (self.zero(own, e)?, im)
            }
            ExprKind::Unary(op, inner) => match op {
                UnaryOp::Minus => {
                    let (re, im) = self.complex_parts(inner, own)?;
                    (self.negated(re), self.negated(im))
                }
                UnaryOp::Not => {
                    let (re, im) = self.complex_parts(inner, own)?;
                    (re, self.negated(im))
                }
                UnaryOp::Plus | UnaryOp::Extension => self.complex_parts(inner, own)?,
                UnaryOp::Deref => {
                    let place = self.place(e)?;
                    self.load_complex(place.ptr, own, e)?
                }
                _ => return self.unsupported("this operator on a complex number", e),
            },
            ExprKind::Binary(BinaryOp::Comma, left, right) => {
                self.discard(left)?;
                self.complex_parts(right, own)?
            }
            ExprKind::Binary(BinaryOp::Assign, ..) => {
                let place = self.place(e)?;
                self.load_complex(place.ptr, own, e)?
            }
            ExprKind::Binary(operator, left, right) => {
                let a_real = self.is_real(left);
                let b_real = self.is_real(right);
                let a = self.complex_parts(left, own)?;
                let b = self.complex_parts(right, own)?;
                self.enter(e);
                self.complex_arithmetic(operator, a, b, (a_real, b_real), own, e)?
            }
            ExprKind::CompoundAssign(op, left, right) => {
                let (place, _) = self.compound_assign(op, left, right, e)?;
                self.load_complex(place.ptr, own, e)?
            }
            _ if self.is_made_in_place(e) => {
                let slot = self.temp_slot(q.ty, e)?;
                let ptr = self.b.slot_addr(slot);
                self.init_complex(ptr, q, own, e)?;
                let ptr = self.b.slot_addr(slot);
                self.load_complex(ptr, own, e)?
            }
            _ => {
                let place = self.place(e)?;
                self.load_complex(place.ptr, own, e)?
            }
        };
        Ok((self.convert(re, own, part, e)?, self.convert(im, own, part, e)?))
    }

    fn listed_parts(&mut self, list: &[Ex<'tu>], part: Ty, e: Ex<'tu>) -> R<Parts> {
        match *list {
            [] => Ok((self.zero(part, e)?, self.zero(part, e)?)),
            [one] => self.complex_parts(one, part),
            [re, im] => Ok((self.rv_as(re, part)?, self.rv_as(im, part)?)),
            _ => self.unsupported("this list for a complex number", e),
        }
    }

    /// Whether an operand is a real number, that became a complex one perhaps.
    fn is_real(&mut self, mut e: Ex<'tu>) -> bool {
        loop {
            let ty = e.q.ty;
            if self.complex_part(ty).is_none() {
                return true;
            }
            match e.kind {
                ExprKind::Implicit(inner) => e = inner,
                _ => return false,
            }
        }
    }

    fn negated(&mut self, value: Value) -> Value {
        if self.b.ty(value).is_float() {
            self.b.unary(IrUnary::Fneg, value)
        } else {
            let zero = self.b.iconst(self.b.ty(value), 0);
            self.b.binary(IrOp::Isub, zero, value)
        }
    }

    fn complex_arithmetic(
        &mut self,
        operator: BinaryOp,
        (a, b): Parts,
        (c, d): Parts,
        (left_real, right_real): (bool, bool),
        part: Ty,
        e: Ex<'tu>,
    ) -> R<Parts> {
        let ir = self.b.ty(a);
        if !ir.is_float() {
            return self.unsupported("arithmetic on complex integers", e);
        }
        let mut op = |op, x, y| self.b.binary(op, x, y);
        Ok(match operator {
            BinaryOp::Add if right_real => (op(IrOp::Fadd, a, c), b),
            BinaryOp::Add if left_real => (op(IrOp::Fadd, a, c), d),
            BinaryOp::Add => (op(IrOp::Fadd, a, c), op(IrOp::Fadd, b, d)),
            BinaryOp::Sub if right_real => (op(IrOp::Fsub, a, c), b),
            BinaryOp::Sub if left_real => {
                let re = op(IrOp::Fsub, a, c);
                (re, self.negated(d))
            }
            BinaryOp::Sub => (op(IrOp::Fsub, a, c), op(IrOp::Fsub, b, d)),
            BinaryOp::Mul if right_real => (op(IrOp::Fmul, a, c), op(IrOp::Fmul, b, c)),
            BinaryOp::Mul if left_real => (op(IrOp::Fmul, a, c), op(IrOp::Fmul, a, d)),
            BinaryOp::Mul => return self.complex_product((a, b), (c, d), part, e),
            BinaryOp::Div if right_real => (op(IrOp::Fdiv, a, c), op(IrOp::Fdiv, b, c)),
            BinaryOp::Div => {
                return self.complex_library("__cudair_complex_div", (a, b), (c, d), part, e);
            }
            _ => return self.unsupported("this operator on complex numbers", e),
        })
    }

    /// The plain product; where both of its parts are not numbers, infinities may be lost, which the compiler's
    /// library puts right.
    fn complex_product(&mut self, (a, b): Parts, (c, d): Parts, part: Ty, e: Ex<'tu>) -> R<Parts> {
        let (ac, bd) = (self.b.binary(IrOp::Fmul, a, c), self.b.binary(IrOp::Fmul, b, d));
        let (ad, bc) = (self.b.binary(IrOp::Fmul, a, d), self.b.binary(IrOp::Fmul, b, c));
        let re = self.b.binary(IrOp::Fsub, ac, bd);
        let im = self.b.binary(IrOp::Fadd, ad, bc);
        let ir = self.b.ty(re);
        if ir == Type::F80 {
            return Ok((re, im));
        }
        let re_nan = self.b.fcmp(FloatCC::Une, re, re);
        let im_nan = self.b.fcmp(FloatCC::Une, im, im);
        let lost = self.b.binary(IrOp::And, re_nan, im_nan);
        let (again, end) = (self.b.make_block(), self.b.make_block());
        let out_re = self.b.func.append_block_param(end, ir);
        let out_im = self.b.func.append_block_param(end, ir);
        let yes = self.b.target(again, &[]);
        let no = self.b.target(end, &[re, im]);
        self.b.branch_with(lost, yes, no);
        self.b.switch_to(again);
        let (re, im) = self.complex_library("__cudair_complex_mul", (a, b), (c, d), part, e)?;
        self.b.jump(end, &[re, im]);
        self.b.switch_to(end);
        Ok((out_re, out_im))
    }

    /// A function of the machine's that takes four parts and writes two.
    fn complex_library(
        &mut self,
        name: &str,
        (a, b): Parts,
        (c, d): Parts,
        part: Ty,
        e: Ex<'tu>,
    ) -> R<Parts> {
        let ir = self.b.ty(a);
        let suffix = match ir {
            Type::F32 => "f",
            Type::F64 => "",
            _ => return self.unsupported("the quotient of complex numbers of this type", e),
        };
        if self.frame.device() {
            return self.unsupported("complex arithmetic of this kind on the device", e);
        }
        let complex = self.cx.ast.types.intern(Kind::Complex(part));
        let slot = self.temp_slot(complex, e)?;
        let out = self.b.slot_addr(slot);
        let out = self.generic(out);
        let mut params = vec![Param::new(Type::GENERIC_PTR)];
        params.extend(std::iter::repeat_n(Param::new(ir), 4));
        let sig = Signature { params, ret: None, variadic: false };
        let func = self.cx.native(&format!("{name}{suffix}"), sig, false);
        self.b.call(self.cx.module, func, &[out, a, b, c, d]);
        let out = self.b.slot_addr(slot);
        self.load_complex(out, part, e)
    }

    /// `left op= right` on a complex number.
    pub fn complex_compound(
        &mut self,
        op: BinaryOp,
        left: Ex<'tu>,
        right: Ex<'tu>,
        part: Ty,
        e: Ex<'tu>,
    ) -> R<(Place, Value)> {
        let real = self.is_real(right);
        let b = self.complex_parts(right, part)?;
        let place = self.place(left)?;
        self.enter(e);
        let a = self.load_complex(place.ptr, part, e)?;
        let result = self.complex_arithmetic(op, a, b, (false, real), part, e)?;
        self.store_complex(place.ptr, part, result, e)?;
        Ok((place, place.ptr))
    }

    /// `a == b`, `a != b` where one is complex.
    pub fn complex_comparison(
        &mut self,
        op: BinaryOp,
        left: Ex<'tu>,
        right: Ex<'tu>,
        part: Ty,
        e: Ex<'tu>,
    ) -> R<Value> {
        let (a, b) = self.complex_parts(left, part)?;
        let (c, d) = self.complex_parts(right, part)?;
        self.enter(e);
        let equal = |f: &mut Self, x, y| {
            if f.b.ty(x).is_float() { f.b.fcmp(FloatCC::Oeq, x, y) } else { f.b.icmp(IntCC::Eq, x, y) }
        };
        let (re, im) = (equal(self, a, c), equal(self, b, d));
        let same = self.b.binary(IrOp::And, re, im);
        Ok(if op == BinaryOp::Ne { self.not(same) } else { same })
    }

    /// `__real__ z` and `__imag__ z` as places.
    pub fn complex_part_place(&mut self, op: UnaryOp, inner: Ex<'tu>, e: Ex<'tu>) -> R<Place> {
        let ty = inner.q.ty;
        let imaginary = op == UnaryOp::Imag;
        let Some(part) = self.complex_part(ty) else {
            if !imaginary {
                return self.place(inner);
            }
            let q = e.q;
            let zero = self.zero(q.ty, e)?;
            return self.spill(zero, q, e);
        };
        let whole = self.place(inner)?;
        let (size, align) = (self.object_size(part, e)?, self.cx.ast.types.align(part));
        let ptr = self.b.ptr_offset(whole.ptr, if imaginary { size as i64 } else { 0 });
        Ok(Place::new(ptr, align, QTy { ty: part, ..whole.ty }))
    }

    /// A complex number as a scalar: its real part, or whether it is not zero.
    pub fn complex_to_scalar(&mut self, inner: Ex<'tu>, part: Ty, to: Ty, e: Ex<'tu>) -> R<Value> {
        let (re, im) = self.complex_parts(inner, part)?;
        if to == self.cx.ast.types.bool {
            let (re, im) = (self.truth(re, part, e)?, self.truth(im, part, e)?);
            return Ok(self.b.binary(IrOp::Or, re, im));
        }
        self.convert(re, part, to, e)
    }

    /// `__builtin_cexp` and kin: the C library's functions of that name.
    pub fn complex_builtin(
        &mut self,
        call: &'tu Call<'tu>,
        decl: Decl<'tu>,
        name: &str,
        dst: Option<Value>,
        e: Ex<'tu>,
    ) -> R<Option<super::call::CallResult>> {
        use super::call::CallResult;
        let q = self.cx.ast.types.of(decl.ty());
        let Some(f) = self.cx.ast.types.function(q.ty) else { return Ok(None) };
        let complex = |f: &Self, t: Ty| f.complex_part(t).is_some();
        if !complex(self, f.ret.ty) && !f.params.iter().any(|p| complex(self, p.ty)) {
            return Ok(None);
        }
        let side = if self.frame.device() { cudair_ir::Side::Device } else { cudair_ir::Side::Host };
        let Some(sig) = self.cx.signature(&f, side, false) else { return Ok(None) };
        let mut args = Vec::new();
        let result = match self.complex_part(f.ret.ty) {
            Some(_) => {
                let ptr = match dst {
                    Some(dst) => dst,
                    None => {
                        let slot = self.temp_slot(f.ret.ty, e)?;
                        self.b.slot_addr(slot)
                    }
                };
                args.push(self.generic(ptr));
                true
            }
            None => false,
        };
        for (i, &arg) in call.args.iter().enumerate() {
            args.push(self.argument(arg, f.params.get(i).copied())?);
        }
        self.enter(e);
        let func = self.cx.native(name, sig, self.frame.device());
        let value = self.b.call(self.cx.module, func, &args);
        Ok(Some(match value {
            Some(value) if !result => CallResult::Value(value),
            _ => CallResult::None,
        }))
    }
}
