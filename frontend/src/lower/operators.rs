//! Operators: arithmetic, comparison, assignment, increment.

use super::func::FnLower;
use super::lvalue::Place;
use super::{At, R};
use crate::ast::{BinaryOp, Ex, ExprKind, UnaryOp};
use crate::types::DeclKind;
use crate::types::{Kind, QTy, Ty};
use cudair_ir::{BinaryOp as IrOp, CastOp, FloatCC, IntCC, MemFlags, Type, UnaryOp as IrUnary, Value};

/// A binary operator on two operands of the computation's type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arith {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    And,
    Xor,
    Or,
}

impl Arith {
    /// From libclang's number of a plain or compound operator.
    fn of(operator: BinaryOp) -> Option<Arith> {
        Some(match operator {
            BinaryOp::Mul => Arith::Mul,
            BinaryOp::Div => Arith::Div,
            BinaryOp::Rem => Arith::Rem,
            BinaryOp::Add => Arith::Add,
            BinaryOp::Sub => Arith::Sub,
            BinaryOp::Shl => Arith::Shl,
            BinaryOp::Shr => Arith::Shr,
            BinaryOp::And => Arith::And,
            BinaryOp::Xor => Arith::Xor,
            BinaryOp::Or => Arith::Or,
            _ => return None,
        })
    }

    fn is_shift(self) -> bool {
        matches!(self, Arith::Shl | Arith::Shr)
    }
}

impl<'tu> FnLower<'_, 'tu, '_> {
    /// The value of a unary operator.
    pub fn unary(&mut self, op: UnaryOp, inner: Ex<'tu>, e: Ex<'tu>) -> R<Value> {
        let q = e.q;
        match op {
            UnaryOp::PostInc | UnaryOp::PostDec => self.increment(op, inner, e).map(|(_, old, _)| old),
            UnaryOp::PreInc | UnaryOp::PreDec => self.increment(op, inner, e).map(|(_, _, new)| new),
            UnaryOp::AddrOf => {
                if self.is_member_pointer(q.ty) {
                    return self.member_pointer(e, inner);
                }
                self.address_of = Some(super::rows::operand_of_address(inner).id());
                let place = self.place(inner)?;
                if place.bits.is_some() {
                    return self.internal("the address of a bit-field", e);
                }
                Ok(place.ptr)
            }
            UnaryOp::Real | UnaryOp::Imag => {
                let place = self.complex_part_place(op, inner, e)?;
                self.load(&place, e)
            }
            UnaryOp::Deref => {
                let place = self.place(e)?;
                if self.cx.ast.types.element(q.ty).is_some()
                    || matches!(self.cx.ast.types.kind(q.ty), Kind::Function(_))
                {
                    return Ok(place.ptr);
                }
                self.load(&place, e)
            }
            UnaryOp::Plus => self.rv_as(inner, q.ty),
            UnaryOp::Minus => {
                let value = self.rv_as(inner, q.ty)?;
                Ok(match self.cx.ast.types.kind(q.ty) {
                    Kind::Float(_) => self.b.unary(IrUnary::Fneg, value),
                    Kind::Int { signed: true, .. } => self.b.ineg_nsw(value),
                    _ => self.b.unary(IrUnary::Ineg, value),
                })
            }
            UnaryOp::Not => {
                let value = self.rv_as(inner, q.ty)?;
                Ok(self.not(value))
            }
            UnaryOp::LNot => {
                let value = self.condition(inner)?;
                let value = self.not(value);
                self.truth_as(value, q.ty, e)
            }
            UnaryOp::Extension => self.rv(inner),
            UnaryOp::Other => self.unsupported("this operator", e),
        }
    }

    /// A truth value as `int` in C, `bool` in C++.
    fn truth_as(&mut self, value: Value, ty: Ty, at: At<'_>) -> R<Value> {
        match self.cx.ast.types.ir(ty) {
            Some(Type::I1) => Ok(value),
            Some(ir) if ir.is_int() => Ok(self.b.cast(CastOp::Zext, ir, value)),
            _ => self.internal("a truth value that is not an integer", at),
        }
    }

    /// The value of a binary operator.
    pub fn binary(&mut self, op: BinaryOp, left: Ex<'tu>, right: Ex<'tu>, e: Ex<'tu>) -> R<Value> {
        let q = e.q;
        match op {
            BinaryOp::Assign => self.assign(e, left, right).map(|(_, value)| value),
            BinaryOp::Comma => {
                self.discard(left)?;
                self.rv(right)
            }
            BinaryOp::LAnd | BinaryOp::LOr => {
                let value = self.logical(op, left, right)?;
                self.truth_as(value, q.ty, e)
            }
            BinaryOp::PtrMemD | BinaryOp::PtrMemI => self.load_place(e),
            BinaryOp::Cmp => self.unsupported("operator <=>", e),
            _ => {
                if let Some(value) = self.comparison(op, left, right, e)? {
                    return self.truth_as(value, q.ty, e);
                }
                self.arithmetic(op, left, right, e)
            }
        }
    }

    fn logical(&mut self, op: BinaryOp, left: Ex<'tu>, right: Ex<'tu>) -> R<Value> {
        let and = op == BinaryOp::LAnd;
        let (next, end) = (self.b.make_block(), self.b.make_block());
        let result = self.b.func.append_block_param(end, Type::I1);
        self.before_arms();
        let first = self.condition(left)?;
        let short = self.b.target(end, &[first]);
        let go_on = self.b.target(next, &[]);
        if and {
            self.b.branch_with(first, go_on, short);
        } else {
            self.b.branch_with(first, short, go_on);
        }
        self.b.switch_to(next);
        self.begin_arms();
        let second = self.condition(right)?;
        self.end_arms();
        self.b.jump(end, &[second]);
        self.b.switch_to(end);
        Ok(result)
    }

    /// A comparison as `i1`; `None` where the operator is none.
    pub fn comparison(
        &mut self,
        op: BinaryOp,
        left: Ex<'tu>,
        right: Ex<'tu>,
        e: Ex<'tu>,
    ) -> R<Option<Value>> {
        let (signed, unsigned, float) = match op {
            BinaryOp::Lt => (IntCC::Slt, IntCC::Ult, FloatCC::Olt),
            BinaryOp::Gt => (IntCC::Sgt, IntCC::Ugt, FloatCC::Ogt),
            BinaryOp::Le => (IntCC::Sle, IntCC::Ule, FloatCC::Ole),
            BinaryOp::Ge => (IntCC::Sge, IntCC::Uge, FloatCC::Oge),
            BinaryOp::Eq => (IntCC::Eq, IntCC::Eq, FloatCC::Oeq),
            BinaryOp::Ne => (IntCC::Ne, IntCC::Ne, FloatCC::Une),
            _ => return Ok(None),
        };
        for operand in [left, right] {
            let ty = operand.q.ty;
            if let Some(part) = self.complex_part(ty) {
                return self.complex_comparison(op, left, right, part, e).map(Some);
            }
        }
        let old = self.enter(e);
        let ty = left.q;
        let ty = self.cx.ast.types.decayed(ty).ty;
        let a = self.operand(left)?;
        let right_ty = right.q;
        let right_ty = self.cx.ast.types.decayed(right_ty).ty;
        let mut c = self.operand(right)?;
        let mut a = a;
        self.enter(e);
        if self.b.ty(a) != self.b.ty(c) {
            match (self.b.ty(a).is_ptr(), self.b.ty(c).is_ptr()) {
                (true, true) => {
                    a = self.generic(a);
                    c = self.generic(c);
                }
                (true, false) => {
                    c = self.convert(c, right_ty, ty, e)?;
                    if self.b.ty(a) != self.b.ty(c) {
                        a = self.generic(a);
                        c = self.generic(c);
                    }
                }
                (false, true) => {
                    a = self.convert(a, ty, right_ty, e)?;
                    if self.b.ty(a) != self.b.ty(c) {
                        a = self.generic(a);
                        c = self.generic(c);
                    }
                }
                (false, false) => c = self.convert(c, right_ty, ty, e)?,
            }
        }
        let value = if self.b.ty(a).is_float() {
            self.b.fcmp(float, a, c)
        } else if self.cx.ast.types.is_signed(ty) {
            self.b.icmp(signed, a, c)
        } else {
            self.b.icmp(unsigned, a, c)
        };
        self.b.set_loc(old);
        Ok(Some(value))
    }

    /// An operand, with arrays and functions decayed.
    fn operand(&mut self, e: Ex<'tu>) -> R<Value> {
        let q = e.q;
        if self.cx.ast.types.element(q.ty).is_some() {
            return self.place(e).map(|p| p.ptr);
        }
        self.rv(e)
    }

    fn arithmetic(&mut self, op: BinaryOp, left: Ex<'tu>, right: Ex<'tu>, e: Ex<'tu>) -> R<Value> {
        let q = e.q;
        let Some(operator) = Arith::of(op) else {
            return self.unsupported("this operator", e);
        };
        let left_q = left.q;
        let left_ty = self.cx.ast.types.decayed(left_q).ty;
        let right_q = right.q;
        let right_ty = self.cx.ast.types.decayed(right_q).ty;
        let (left_pointer, right_pointer) =
            (self.cx.ast.types.is_pointer(left_ty), self.cx.ast.types.is_pointer(right_ty));
        if left_pointer || right_pointer {
            let a = self.operand(left)?;
            let b = self.operand(right)?;
            self.enter(e);
            return match (left_pointer, right_pointer) {
                (true, true) => self.pointer_difference(a, b, left_ty, q.ty, e),
                (true, false) => {
                    let elem = self.pointee(left_ty, e)?;
                    self.offset_pointer(a, b, right_ty, elem, operator == Arith::Sub, e)
                }
                _ => {
                    let elem = self.pointee(right_ty, e)?;
                    self.offset_pointer(b, a, left_ty, elem, false, e)
                }
            };
        }
        let a = self.rv_as(left, q.ty)?;
        let b = if operator.is_shift() { self.rv(right)? } else { self.rv_as(right, q.ty)? };
        self.enter(e);
        self.compute(operator, a, b, q.ty, e)
    }

    fn pointer_difference(&mut self, a: Value, b: Value, pointer: Ty, result: Ty, e: Ex<'tu>) -> R<Value> {
        let (a, b) = if self.b.ty(a) == self.b.ty(b) { (a, b) } else { (self.generic(a), self.generic(b)) };
        let bytes = self.b.ptr_diff(a, b);
        let elem = self.cx.ast.types.pointee(pointer).map(|p| p.ty);
        let size = elem.and_then(|t| self.cx.ast.types.size(t));
        let count = match (size, elem) {
            (Some(0 | 1), _) => bytes,
            (Some(size), _) if size.is_power_of_two() => {
                let amount = self.b.iconst(Type::I64, i128::from(size.trailing_zeros()));
                self.b.binary(IrOp::Ashr, bytes, amount)
            }
            (Some(size), _) => {
                let size = self.b.iconst(Type::I64, i128::from(size));
                self.b.binary(IrOp::Sdiv, bytes, size)
            }
            (None, Some(elem)) => {
                let size = self.size_value(elem, e)?;
                self.b.binary(IrOp::Sdiv, bytes, size)
            }
            (None, None) => bytes,
        };
        let long = self.cx.ast.types.long;
        self.convert(count, long, result, e)
    }

    /// `a operator b` in type `ty`; a shift's amount may have another type.
    pub fn compute(&mut self, operator: Arith, a: Value, b: Value, ty: Ty, at: At<'_>) -> R<Value> {
        let (signed, float) = match self.cx.ast.types.kind(ty) {
            Kind::Int { signed, .. } => (*signed, false),
            Kind::Bool => (false, false),
            Kind::Float(_) => (true, true),
            _ => return self.unsupported(format!("arithmetic on {}", self.cx.ast.types.name(ty)), at),
        };
        let b = if operator.is_shift() {
            let ir = self.b.ty(a);
            self.widen(b, false, ir)
        } else {
            b
        };
        if float {
            let op = match operator {
                Arith::Mul => IrOp::Fmul,
                Arith::Div => IrOp::Fdiv,
                Arith::Add => IrOp::Fadd,
                Arith::Sub => IrOp::Fsub,
                _ => return self.internal("an integer operator on floating operands", at),
            };
            return Ok(self.b.binary(op, a, b));
        }
        let op = match operator {
            Arith::Mul => IrOp::Imul,
            Arith::Div if signed => IrOp::Sdiv,
            Arith::Div => IrOp::Udiv,
            Arith::Rem if signed => IrOp::Srem,
            Arith::Rem => IrOp::Urem,
            Arith::Add => IrOp::Iadd,
            Arith::Sub => IrOp::Isub,
            Arith::Shl => IrOp::Shl,
            Arith::Shr if signed => IrOp::Ashr,
            Arith::Shr => IrOp::Lshr,
            Arith::And => IrOp::And,
            Arith::Xor => IrOp::Xor,
            Arith::Or => IrOp::Or,
        };
        // `1 << 31` is common and, from C++14 on, allowed; the shift is left without overflow checks.
        let checked = signed && matches!(operator, Arith::Mul | Arith::Add | Arith::Sub);
        Ok(if checked { self.b.binary_nsw(op, a, b) } else { self.b.binary(op, a, b) })
    }

    /// `left = right`: the place and the value stored. The right side is evaluated first, as C++17
    /// asks.
    pub fn assign(&mut self, e: Ex<'tu>, left: Ex<'tu>, right: Ex<'tu>) -> R<(Place, Value)> {
        let q = left.q;
        if self.cx.ast.types.is_aggregate(q.ty) {
            return self.assign_aggregate(e, left, right, q);
        }
        let value = self.rv_as(right, q.ty)?;
        let place = self.place(left)?;
        self.enter(e);
        let stored = self.store(&place, value, e)?;
        self.modified(e, left);
        Ok((place, stored))
    }

    fn assign_aggregate(&mut self, e: Ex<'tu>, left: Ex<'tu>, right: Ex<'tu>, q: QTy) -> R<(Place, Value)> {
        let source = self.place(right)?;
        let place = self.place(left)?;
        self.enter(e);
        let size = self.size_value(q.ty, e)?;
        let align = place.align.min(source.align);
        let volatile = place.ty.volatile || source.ty.volatile;
        let flags = MemFlags::aligned(align.max(1)).with_volatile(volatile);
        if self.b.func.const_bits(size) != Some(0) {
            self.b.mem_copy(place.ptr, source.ptr, size, flags);
        }
        Ok((place, place.ptr))
    }

    /// `left op= right`: the place and the value stored.
    pub fn compound_assign(
        &mut self,
        op: BinaryOp,
        left: Ex<'tu>,
        right: Ex<'tu>,
        e: Ex<'tu>,
    ) -> R<(Place, Value)> {
        let left_ty = left.q.ty;
        if let Some(part) = self.complex_part(left_ty) {
            return self.complex_compound(op, left, right, part, e);
        }
        let Some(operator) = Arith::of(op) else {
            return self.unsupported("this operator", e);
        };
        let (left_ty, right_ty) = (left.q.ty, right.q.ty);
        let operand = self.operand(right)?;
        let place = self.place(left)?;
        self.enter(e);
        let old = self.load(&place, e)?;
        let new = if let Some(elem) = self.cx.ast.types.pointee(left_ty) {
            self.offset_pointer(old, operand, right_ty, elem.ty, operator == Arith::Sub, e)?
        } else {
            let ty = if operator.is_shift() {
                self.promoted(left_ty, place.bits)
            } else {
                let (a, b) = (self.promoted(left_ty, place.bits), self.promoted(right_ty, None));
                self.common_type(a, b)
            };
            let a = self.convert(old, left_ty, ty, e)?;
            let b = if operator.is_shift() { operand } else { self.convert(operand, right_ty, ty, e)? };
            let result = self.compute(operator, a, b, ty, e)?;
            self.convert(result, ty, left_ty, e)?
        };
        let stored = self.store(&place, new, e)?;
        self.modified(e, left);
        Ok((place, stored))
    }

    /// The type after the integer promotions; a bit-field that fits `int` becomes one.
    fn promoted(&mut self, ty: Ty, bits: Option<(u32, u32)>) -> Ty {
        match *self.cx.ast.types.kind(ty) {
            Kind::Bool => self.cx.ast.types.int,
            Kind::Int { bits: width, .. } if width < 32 => self.cx.ast.types.int,
            Kind::Int { bits: 32, signed: false } if bits.is_some_and(|(_, w)| w < 32) => {
                self.cx.ast.types.int
            }
            _ => ty,
        }
    }

    /// The usual arithmetic conversions on promoted types.
    fn common_type(&mut self, a: Ty, b: Ty) -> Ty {
        let types = &mut self.cx.ast.types;
        let result = match (types.kind(a).clone(), types.kind(b).clone()) {
            (Kind::Float(x), Kind::Float(y)) => Kind::Float(if x.bits() >= y.bits() { x } else { y }),
            (Kind::Float(x), _) | (_, Kind::Float(x)) => Kind::Float(x),
            (Kind::Int { bits: x, signed: s }, Kind::Int { bits: y, signed: t }) => match x.cmp(&y) {
                std::cmp::Ordering::Greater => Kind::Int { bits: x, signed: s },
                std::cmp::Ordering::Less => Kind::Int { bits: y, signed: t },
                std::cmp::Ordering::Equal => Kind::Int { bits: x, signed: s && t },
            },
            // Others are not converted: that they are operands of one operator is found out where they are computed.
            _ => return a,
        };
        types.intern(result)
    }

    /// `++` and `--`: the place, the old and the new value.
    pub fn increment(&mut self, operator: UnaryOp, inner: Ex<'tu>, e: Ex<'tu>) -> R<(Place, Value, Value)> {
        let up = matches!(operator, UnaryOp::PostInc | UnaryOp::PreInc);
        let place = self.place(inner)?;
        self.enter(e);
        let old = self.load(&place, e)?;
        let ty = place.ty.ty;
        let new = match *self.cx.ast.types.kind(ty) {
            Kind::Bool => {
                if up {
                    self.b.iconst(Type::I1, 1)
                } else {
                    self.not(old)
                }
            }
            Kind::Int { bits, signed } => {
                // A narrow type is promoted, so that it wraps by conversion and cannot overflow.
                if bits < 32 {
                    let wide = self.widen(old, signed, Type::I32);
                    let one = self.b.iconst(Type::I32, 1);
                    let op = if up { IrOp::Iadd } else { IrOp::Isub };
                    let wide = self.b.binary(op, wide, one);
                    let ir = self.b.ty(old);
                    self.b.cast(CastOp::Trunc, ir, wide)
                } else {
                    let ir = self.b.ty(old);
                    let one = self.b.iconst(ir, 1);
                    let op = if up { IrOp::Iadd } else { IrOp::Isub };
                    if signed { self.b.binary_nsw(op, old, one) } else { self.b.binary(op, old, one) }
                }
            }
            Kind::Float(ir) => {
                let one = match ir {
                    Type::F32 => self.b.f32const(1.0),
                    _ => {
                        let bits = super::constant::constant_bits(super::constant::Constant::Float(1.0), ir);
                        self.b.const_bits(ir, bits)
                    }
                };
                self.b.binary(if up { IrOp::Fadd } else { IrOp::Fsub }, old, one)
            }
            Kind::Pointer(pointee) => {
                let size = self.size_value(pointee.ty, e)?;
                let long = self.cx.ast.types.long;
                let void = self.cx.ast.types.void;
                self.offset_pointer(old, size, long, void, !up, e)?
            }
            _ => return self.unsupported(format!("++ or -- on {}", self.cx.ast.types.name(ty)), e),
        };
        let new = self.store(&place, new, e)?;
        self.modified(e, inner);
        Ok((place, old, new))
    }

    fn is_member_pointer(&self, ty: Ty) -> bool {
        matches!(self.cx.ast.types.kind(ty), Kind::MemberData(_) | Kind::MemberFunction(..))
    }

    /// `&Class::member`
    fn member_pointer(&mut self, e: Ex<'tu>, inner: Ex<'tu>) -> R<Value> {
        let member = match inner.kind {
            ExprKind::Name(name) => name.decl,
            ExprKind::Member(m) => m.decl,
            _ => None,
        };
        let Some(member) = member else {
            return self.internal("a member pointer without a member", e);
        };
        if member.kind().is_function() {
            return self.member_function_pointer(member, e);
        }
        if member.kind() != DeclKind::Field {
            return self.unsupported("a pointer to this member", e);
        }
        let Some(parent) = member.semantic_parent() else {
            return self.internal("a member outside a class", e);
        };
        let class = self.cx.ast.types.of(parent.ty()).ty;
        let Some(record) = self.cx.ast.types.as_record(class) else {
            return self.internal("a member of a type that is not a class", e);
        };
        match self.cx.ast.types.field_path(record, member.canonical().id()) {
            Some((bits, _)) => Ok(self.b.iconst(Type::I64, i128::from(bits / 8))),
            None => self.internal("a member that its class does not have", e),
        }
    }

    /// `object.*pointer`
    pub fn member_pointer_place(
        &mut self,
        op: BinaryOp,
        left: Ex<'tu>,
        right: Ex<'tu>,
        e: Ex<'tu>,
    ) -> R<Place> {
        let q = e.q;
        let pointer_ty = right.q.ty;
        if !matches!(self.cx.ast.types.kind(pointer_ty), Kind::MemberData(_)) {
            return self.unsupported("a call through a pointer to member function", e);
        }
        let base = if op == BinaryOp::PtrMemI { self.rv(left)? } else { self.place(left)?.ptr };
        let offset = self.rv(right)?;
        let ptr = self.b.ptr_add(base, offset);
        Ok(Place::new(ptr, self.cx.ast.types.align(q.ty), q))
    }
}
