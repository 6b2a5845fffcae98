//! Complex numbers: `_Complex T`, which `std::complex` is made of. One lives in memory, as two numbers side by side.

use super::R;
use super::func::FnLower;
use super::lvalue::Place;
use super::types::{Kind, QTy, Ty};
use crate::clang::{Cursor, CursorKind};
use clang_sys as cs;
use cudair_ir::{BinaryOp, FloatCC, IntCC, Param, Signature, Type, UnaryOp, Value};

/// A real and an imaginary part.
type Parts = (Value, Value);

impl<'tu> FnLower<'_, 'tu, '_> {
    /// The type of the parts of a complex type.
    pub fn complex_part(&self, ty: Ty) -> Option<Ty> {
        match *self.cx.types.kind(ty) {
            Kind::Complex(part) => Some(part),
            _ => None,
        }
    }

    /// Makes a complex number at `dst` from an expression.
    pub fn init_complex(&mut self, dst: Value, q: QTy, part: Ty, e: Cursor<'tu>) -> R<()> {
        if self.is_made_in_place(e) {
            let align = self.cx.types.align(q.ty);
            return self.init_aggregate(dst, align, q, e);
        }
        let parts = self.complex_parts(e, part)?;
        self.store_complex(dst, part, parts, e)
    }

    fn is_made_in_place(&self, e: Cursor<'tu>) -> bool {
        matches!(
            e.kind(),
            CursorKind::CallExpr
                | CursorKind::ConditionalOperator
                | CursorKind::StmtExpr
                | CursorKind::GenericSelectionExpr
        )
    }

    fn store_complex(&mut self, dst: Value, part: Ty, (re, im): Parts, e: Cursor<'tu>) -> R<()> {
        let (size, align) = (self.cx.types.size(part).unwrap_or(8), self.cx.types.align(part));
        self.store(&Place::new(dst, align, QTy::plain(part)), re, e)?;
        let at = self.b.ptr_offset(dst, size as i64);
        self.store(&Place::new(at, align, QTy::plain(part)), im, e)?;
        Ok(())
    }

    fn load_complex(&mut self, ptr: Value, part: Ty, e: Cursor<'tu>) -> R<Parts> {
        let (size, align) = (self.cx.types.size(part).unwrap_or(8), self.cx.types.align(part));
        let re = self.load(&Place::new(ptr, align, QTy::plain(part)), e)?;
        let at = self.b.ptr_offset(ptr, size as i64);
        let im = self.load(&Place::new(at, align, QTy::plain(part)), e)?;
        Ok((re, im))
    }

    /// The parts of an expression, complex or real, as numbers of type `part`.
    pub fn complex_parts(&mut self, e: Cursor<'tu>, part: Ty) -> R<Parts> {
        self.deeper(e)?;
        let old = self.enter(e);
        let result = self.complex_parts_kind(e, part);
        self.b.set_loc(old);
        self.depth -= 1;
        result
    }

    fn complex_parts_kind(&mut self, e: Cursor<'tu>, part: Ty) -> R<Parts> {
        let q = self.cx.type_of(e);
        let exprs = e.expressions();
        let Some(own) = self.complex_part(q.ty) else {
            if e.kind() == CursorKind::InitListExpr {
                return self.listed_parts(&exprs, part, e);
            }
            let re = self.rv_as(e, part)?;
            let im = self.zero(part, e)?;
            return Ok((re, im));
        };
        let (re, im) = match (e.kind(), exprs.as_slice()) {
            (CursorKind::ParenExpr, &[inner]) => self.complex_parts(inner, own)?,
            (
                CursorKind::UnexposedExpr
                | CursorKind::CStyleCastExpr
                | CursorKind::CXXFunctionalCastExpr
                | CursorKind::CXXStaticCastExpr,
                &[.., inner],
            ) => self.complex_parts(inner, own)?,
            (CursorKind::InitListExpr, list) => self.listed_parts(list, own, e)?,
            (CursorKind::ImaginaryLiteral, &[number]) => {
                let im = self.rv_as(number, own)?;
                (self.zero(own, e)?, im)
            }
            (CursorKind::UnaryOperator, &[inner]) => match e.unary_operator() {
                cs::CXUnaryOperator_Minus => {
                    let (re, im) = self.complex_parts(inner, own)?;
                    (self.negated(re), self.negated(im))
                }
                cs::CXUnaryOperator_Not => {
                    let (re, im) = self.complex_parts(inner, own)?;
                    (re, self.negated(im))
                }
                cs::CXUnaryOperator_Plus | cs::CXUnaryOperator_Extension => self.complex_parts(inner, own)?,
                cs::CXUnaryOperator_Deref => {
                    let place = self.place(e)?;
                    self.load_complex(place.ptr, own, e)?
                }
                _ => return self.unsupported("this operator on a complex number", e),
            },
            (CursorKind::BinaryOperator, &[left, right]) => match e.binary_operator() {
                cs::CXBinaryOperator_Comma => {
                    self.discard(left)?;
                    self.complex_parts(right, own)?
                }
                cs::CXBinaryOperator_Assign => {
                    let place = self.place(e)?;
                    self.load_complex(place.ptr, own, e)?
                }
                operator => {
                    let a_real = self.is_real(left);
                    let b_real = self.is_real(right);
                    let a = self.complex_parts(left, own)?;
                    let b = self.complex_parts(right, own)?;
                    self.enter(e);
                    self.complex_arithmetic(operator, a, b, (a_real, b_real), own, e)?
                }
            },
            (CursorKind::CompoundAssignOperator, _) => {
                let (place, _) = self.compound_assign(e)?;
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

    fn listed_parts(&mut self, list: &[Cursor<'tu>], part: Ty, e: Cursor<'tu>) -> R<Parts> {
        match *list {
            [] => Ok((self.zero(part, e)?, self.zero(part, e)?)),
            [one] => self.complex_parts(one, part),
            [re, im] => Ok((self.rv_as(re, part)?, self.rv_as(im, part)?)),
            _ => self.unsupported("this list for a complex number", e),
        }
    }

    /// Whether an operand is a real number, that became a complex one perhaps.
    fn is_real(&mut self, mut e: Cursor<'tu>) -> bool {
        loop {
            let ty = self.cx.type_of(e).ty;
            if self.complex_part(ty).is_none() {
                return true;
            }
            match (e.kind(), e.expressions().as_slice()) {
                (CursorKind::UnexposedExpr, &[inner]) => e = inner,
                _ => return false,
            }
        }
    }

    fn negated(&mut self, value: Value) -> Value {
        if self.b.ty(value).is_float() {
            self.b.unary(UnaryOp::Fneg, value)
        } else {
            let zero = self.b.iconst(self.b.ty(value), 0);
            self.b.binary(BinaryOp::Isub, zero, value)
        }
    }

    fn complex_arithmetic(
        &mut self,
        operator: i32,
        (a, b): Parts,
        (c, d): Parts,
        (left_real, right_real): (bool, bool),
        part: Ty,
        e: Cursor<'tu>,
    ) -> R<Parts> {
        let ir = self.b.ty(a);
        if !ir.is_float() {
            return self.unsupported("arithmetic on complex integers", e);
        }
        let mut op = |op, x, y| self.b.binary(op, x, y);
        Ok(match operator {
            cs::CXBinaryOperator_Add if right_real => (op(BinaryOp::Fadd, a, c), b),
            cs::CXBinaryOperator_Add if left_real => (op(BinaryOp::Fadd, a, c), d),
            cs::CXBinaryOperator_Add => (op(BinaryOp::Fadd, a, c), op(BinaryOp::Fadd, b, d)),
            cs::CXBinaryOperator_Sub if right_real => (op(BinaryOp::Fsub, a, c), b),
            cs::CXBinaryOperator_Sub if left_real => {
                let re = op(BinaryOp::Fsub, a, c);
                (re, self.negated(d))
            }
            cs::CXBinaryOperator_Sub => (op(BinaryOp::Fsub, a, c), op(BinaryOp::Fsub, b, d)),
            cs::CXBinaryOperator_Mul if right_real => (op(BinaryOp::Fmul, a, c), op(BinaryOp::Fmul, b, c)),
            cs::CXBinaryOperator_Mul if left_real => (op(BinaryOp::Fmul, a, c), op(BinaryOp::Fmul, a, d)),
            cs::CXBinaryOperator_Mul => return self.complex_product((a, b), (c, d), part, e),
            cs::CXBinaryOperator_Div if right_real => (op(BinaryOp::Fdiv, a, c), op(BinaryOp::Fdiv, b, c)),
            cs::CXBinaryOperator_Div => {
                return self.complex_library("__cudair_complex_div", (a, b), (c, d), part, e);
            }
            _ => return self.unsupported("this operator on complex numbers", e),
        })
    }

    /// The plain product; where both of its parts are not numbers, infinities may be lost, which the compiler's
    /// library puts right.
    fn complex_product(&mut self, (a, b): Parts, (c, d): Parts, part: Ty, e: Cursor<'tu>) -> R<Parts> {
        let (ac, bd) = (self.b.binary(BinaryOp::Fmul, a, c), self.b.binary(BinaryOp::Fmul, b, d));
        let (ad, bc) = (self.b.binary(BinaryOp::Fmul, a, d), self.b.binary(BinaryOp::Fmul, b, c));
        let re = self.b.binary(BinaryOp::Fsub, ac, bd);
        let im = self.b.binary(BinaryOp::Fadd, ad, bc);
        let ir = self.b.ty(re);
        if ir == Type::F80 {
            return Ok((re, im));
        }
        let re_nan = self.b.fcmp(FloatCC::Une, re, re);
        let im_nan = self.b.fcmp(FloatCC::Une, im, im);
        let lost = self.b.binary(BinaryOp::And, re_nan, im_nan);
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
        e: Cursor<'tu>,
    ) -> R<Parts> {
        let ir = self.b.ty(a);
        let suffix = match ir {
            Type::F32 => "f",
            Type::F64 => "",
            _ => return self.unsupported("the quotient of complex numbers of this type", e),
        };
        if self.device {
            return self.unsupported("complex arithmetic of this kind on the device", e);
        }
        let complex = self.cx.types.intern(Kind::Complex(part));
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
        e: Cursor<'tu>,
        left: Cursor<'tu>,
        right: Cursor<'tu>,
        part: Ty,
    ) -> R<(Place, Value)> {
        let real = self.is_real(right);
        let b = self.complex_parts(right, part)?;
        let place = self.place(left)?;
        self.enter(e);
        let a = self.load_complex(place.ptr, part, e)?;
        let operator = match e.binary_operator() {
            cs::CXBinaryOperator_AddAssign => cs::CXBinaryOperator_Add,
            cs::CXBinaryOperator_SubAssign => cs::CXBinaryOperator_Sub,
            cs::CXBinaryOperator_MulAssign => cs::CXBinaryOperator_Mul,
            cs::CXBinaryOperator_DivAssign => cs::CXBinaryOperator_Div,
            _ => return self.unsupported("this operator on complex numbers", e),
        };
        let result = self.complex_arithmetic(operator, a, b, (false, real), part, e)?;
        self.store_complex(place.ptr, part, result, e)?;
        Ok((place, place.ptr))
    }

    /// `a == b`, `a != b` where one is complex.
    pub fn complex_comparison(
        &mut self,
        e: Cursor<'tu>,
        left: Cursor<'tu>,
        right: Cursor<'tu>,
        part: Ty,
    ) -> R<Value> {
        let (a, b) = self.complex_parts(left, part)?;
        let (c, d) = self.complex_parts(right, part)?;
        self.enter(e);
        let equal = |f: &mut Self, x, y| {
            if f.b.ty(x).is_float() { f.b.fcmp(FloatCC::Oeq, x, y) } else { f.b.icmp(IntCC::Eq, x, y) }
        };
        let (re, im) = (equal(self, a, c), equal(self, b, d));
        let same = self.b.binary(BinaryOp::And, re, im);
        Ok(if e.binary_operator() == cs::CXBinaryOperator_NE { self.not(same) } else { same })
    }

    /// `__real__ z` and `__imag__ z` as places.
    pub fn complex_part_place(&mut self, e: Cursor<'tu>, inner: Cursor<'tu>) -> R<Place> {
        let ty = self.cx.type_of(inner).ty;
        let imaginary = e.unary_operator() == cs::CXUnaryOperator_Imag;
        let Some(part) = self.complex_part(ty) else {
            if !imaginary {
                return self.place(inner);
            }
            let q = self.cx.type_of(e);
            let zero = self.zero(q.ty, e)?;
            return self.spill(zero, q, e);
        };
        let whole = self.place(inner)?;
        let (size, align) = (self.cx.types.size(part).unwrap_or(8), self.cx.types.align(part));
        let ptr = self.b.ptr_offset(whole.ptr, if imaginary { size as i64 } else { 0 });
        Ok(Place::new(ptr, align, QTy { ty: part, ..whole.ty }))
    }

    /// A complex number as a scalar: its real part, or whether it is not zero.
    pub fn complex_to_scalar(&mut self, inner: Cursor<'tu>, part: Ty, to: Ty, e: Cursor<'tu>) -> R<Value> {
        let (re, im) = self.complex_parts(inner, part)?;
        if to == self.cx.types.bool {
            let (re, im) = (self.truth(re, part, e)?, self.truth(im, part, e)?);
            return Ok(self.b.binary(BinaryOp::Or, re, im));
        }
        self.convert(re, part, to, e)
    }

    /// `__builtin_cexp` and kin: the C library's functions of that name.
    pub fn complex_builtin(
        &mut self,
        e: Cursor<'tu>,
        decl: Cursor<'tu>,
        name: &str,
        dst: Option<Value>,
    ) -> R<Option<super::call::CallResult>> {
        use super::call::CallResult;
        let q = self.cx.types.of(decl.ty());
        let Some(f) = self.cx.types.function(q.ty) else { return Ok(None) };
        let complex = |f: &Self, t: Ty| f.complex_part(t).is_some();
        if !complex(self, f.ret.ty) && !f.params.iter().any(|p| complex(self, p.ty)) {
            return Ok(None);
        }
        let side = if self.device { cudair_ir::Side::Device } else { cudair_ir::Side::Host };
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
        for (i, &arg) in e.arguments().unwrap_or_default().iter().enumerate() {
            args.push(self.argument(arg, f.params.get(i).copied(), Some(decl), i)?);
        }
        self.enter(e);
        let func = self.cx.native(name, sig, self.device);
        let value = self.b.call(self.cx.module, func, &args);
        Ok(Some(match value {
            Some(value) if !result => CallResult::Value(value),
            _ => CallResult::None,
        }))
    }
}
