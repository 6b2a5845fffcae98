//! Expressions of scalar type.
//!
//! libclang shows implicit conversions as nodes with one child, without their kind; the pair of types
//! tells it. It does not show whether an expression is an lvalue: who needs a place asks for one
//! ([`FnLower::place`]), who needs a value asks for that ([`FnLower::rv`]), and a node that says
//! nothing is passed through by both.

use super::call::CallResult;
use super::constant::{Constant, constant_bits};
use super::func::FnLower;
use super::{At, R};
use crate::ast::{Ex, ExprKind, LabelId, Member, Name, SizeOf, St, StmtKind};
use crate::clang::Evaluated;
use crate::types::{Decl, DeclKind};
use crate::types::{Kind, QTy, Ty};
use cudair_ir::{Block, CastOp, MemFlags, Space, Type, UnaryOp, Value};

impl<'tu> FnLower<'_, 'tu, '_> {
    /// The value of an expression of scalar type.
    pub fn rv(&mut self, e: Ex<'tu>) -> R<Value> {
        self.deeper(e)?;
        let old = self.enter(e);
        let result = self.rv_kind(e);
        self.b.set_loc(old);
        self.reach.shallower();
        result
    }

    /// The value of an expression, converted to `ty` as by assignment.
    pub fn rv_as(&mut self, e: Ex<'tu>, ty: Ty) -> R<Value> {
        let written = e.q;
        let from = written.ty;
        if from == ty || self.cx.ast.types.is_aggregate(from) && self.cx.ast.types.element(from).is_none() {
            let object = self.cx.ast.types.strip_reference(written).ty;
            if self.cx.ast.cxx
                && self.cx.ast.types.as_record(object).is_some()
                && !self.cx.ast.types.is_aggregate(ty)
            {
                return self.hidden_conversion(e, ty);
            }
            return self.rv(e);
        }
        // A braced scalar (`int x = {3}`) or an array that decays.
        if let ExprKind::List(list) = e.kind {
            return match list.first() {
                Some(inner) => self.rv_as(inner, ty),
                None => self.zero(ty, e),
            };
        }
        if self.cx.ast.types.element(from).is_some() {
            let place = self.place(e)?;
            return self.pointer_for(place.ptr, ty);
        }
        // A function's name in an initialiser list, whose written form has no conversions.
        if let Kind::Function(_) = self.cx.ast.types.kind(from) {
            let value = self.function_value(e)?;
            let pointer = self.cx.ast.types.decayed(written).ty;
            return self.convert(value, pointer, ty, e);
        }
        if let Some(function) = self.cx.chosen_overload(e, ty) {
            let func = self.cx.func(function, self.frame.device())?;
            let address = self.b.func_addr(func);
            let function = self.cx.ast.types.of(function.ty());
            let pointer = self.cx.ast.types.decayed(function).ty;
            return self.convert(address, pointer, ty, e);
        }
        let value = self.rv(e)?;
        let old = self.enter(e);
        let result = self.convert(value, from, ty, e);
        self.b.set_loc(old);
        result
    }

    pub fn rv_kind(&mut self, e: Ex<'tu>) -> R<Value> {
        match e.kind {
            ExprKind::Literal => self.literal(e),
            ExprKind::Extended(bits) => match self.cx.ast.types.ir(e.q.ty) {
                Some(ir) => Ok(self.b.const_bits(ir, bits)),
                None => self.internal("a literal whose type is not scalar", e),
            },
            ExprKind::Folded => match self.folded(e, e.q) {
                Some(value) => Ok(value),
                None => self.internal("a constant without a value", e),
            },
            ExprKind::Null | ExprKind::ValueInit => self.zero(e.q.ty, e),
            ExprKind::SizeOf(of) => self.size_of(of, e),
            ExprKind::Name(name) => self.named(name, e),
            ExprKind::Paren(inner) => self.rv(inner),
            ExprKind::Implicit(inner) | ExprKind::View(inner) => self.implicit(inner, e),
            ExprKind::Member(member) => {
                if let Some(value) = self.special_member(member)? {
                    return Ok(value);
                }
                match member.decl {
                    Some(decl) if decl.kind() == DeclKind::Enumerator => self.named_constant(e),
                    _ => self.load_place(e),
                }
            }
            ExprKind::Subscript { .. } | ExprKind::CompoundLiteral(_) => self.load_place(e),
            ExprKind::String(_) => {
                let place = self.place(e)?;
                Ok(self.generic(place.ptr))
            }
            ExprKind::Unary(op, operand) => self.unary(op, operand, e),
            ExprKind::Binary(op, left, right) => self.binary(op, left, right, e),
            ExprKind::CompoundAssign(op, left, right) => {
                self.compound_assign(op, left, right, e).map(|(_, value)| value)
            }
            ExprKind::Conditional { condition, yes, no } => self.conditional(condition, yes, no, e),
            ExprKind::GnuConditional { common, other } => self.gnu_conditional(common, other, e.q),
            ExprKind::Chosen(chosen) => self.rv_as(chosen, e.q.ty),
            ExprKind::Cast(cast) => self.cast(cast, e),
            ExprKind::BitCast(inner) => self.bit_cast(inner, e),
            ExprKind::Call(call) => self.call_value(call, e),
            ExprKind::Atomic(atomic) => match self.atomic(atomic, e)? {
                CallResult::Value(value) => Ok(value),
                CallResult::None => self.internal("a value of an atomic without one", e),
            },
            ExprKind::VaArg(list) => self.va_arg(e, list),
            ExprKind::Statement(body) => match self.statement_expression(body, e, None)? {
                Some(value) => Ok(value),
                None => self.internal("a statement expression without a value", e),
            },
            ExprKind::LabelAddress(label) => self.label_address(label, e),
            ExprKind::This => {
                let place = self.this_place(e)?;
                Ok(self.generic(place.ptr))
            }
            ExprKind::New(new) => self.new_expression(new, e),
            ExprKind::List(list) => match list {
                [] => self.zero(e.q.ty, e),
                [one] => self.rv_as(one, e.q.ty),
                _ => self.unsupported("an initialiser list here", e),
            },
            ExprKind::Throw(operand) => {
                self.throw(operand, e)?;
                let ty = self.cx.ast.types.int;
                self.zero(ty, e)
            }
            ExprKind::DynamicCast(operand) => self.dynamic_cast(operand, e),
            ExprKind::Lambda(_) => self.unsupported("a lambda as a scalar", e),
            ExprKind::Imaginary(_) => self.unsupported("complex numbers", e),
            ExprKind::Fault(broken) => self.broken(broken, e),
            ExprKind::Typeid(_) | ExprKind::Delete(_) | ExprKind::Designated(_) | ExprKind::ArrayCopy(_) => {
                self.unsupported("this expression", e)
            }
        }
    }

    pub fn load_place(&mut self, e: Ex<'tu>) -> R<Value> {
        let place = self.place(e)?;
        if self.cx.ast.types.element(place.ty.ty).is_some()
            || matches!(self.cx.ast.types.kind(place.ty.ty), Kind::Function(_))
        {
            return Ok(self.decay(place.ptr));
        }
        self.load(&place, e)
    }

    /// The address of an array or function as a value.
    pub fn decay(&mut self, ptr: Value) -> Value {
        match self.b.ty(ptr) {
            Type::Ptr(Space::Code) => ptr,
            _ => ptr,
        }
    }

    /// Zero, false or null.
    pub fn zero(&mut self, ty: Ty, at: At<'_>) -> R<Value> {
        match self.cx.ast.types.ir(ty) {
            Some(ir) => {
                // A null pointer to member is -1.
                let bits =
                    if matches!(self.cx.ast.types.kind(ty), Kind::MemberData(_)) { u128::MAX } else { 0 };
                Ok(self.b.const_bits(ir, bits))
            }
            None => self.unsupported(format!("a zero of type {}", self.cx.ast.types.name(ty)), at),
        }
    }

    pub fn literal(&mut self, e: Ex<'tu>) -> R<Value> {
        let ty = e.q.ty;
        let Some(ir) = self.cx.ast.types.ir(ty) else {
            return self.unsupported(format!("a literal of type {}", self.cx.ast.types.name(ty)), e);
        };
        match e.value() {
            Some(Evaluated::Int(v)) => Ok(self.b.const_bits(ir, constant_bits(Constant::Int(v), ir))),
            Some(Evaluated::Float(f)) => Ok(self.b.const_bits(ir, constant_bits(Constant::Float(f), ir))),
            None => self.unsupported("this literal", e),
        }
    }

    /// The value of an enumerator.
    fn enumerator(&mut self, decl: Decl<'tu>, e: Ex<'tu>) -> R<Value> {
        let Some(ir) = self.cx.ast.types.ir(e.q.ty) else {
            return self.unsupported(format!("a constant of type {}", self.cx.ast.types.name(e.q.ty)), e);
        };
        let value = decl.enumerator_value(self.cx.ast.types.is_signed(e.q.ty));
        Ok(self.b.iconst(ir, value))
    }

    /// A name that stands for a constant: an enumerator, a template parameter.
    pub fn named_constant(&mut self, e: Ex<'tu>) -> R<Value> {
        let (decl, argument) = match e.kind {
            ExprKind::Name(name) => (name.decl, name.argument),
            ExprKind::Member(member) => (member.decl, None),
            _ => (None, None),
        };
        if let Some(decl) = decl.filter(|d| d.kind() == DeclKind::Enumerator) {
            // The object is evaluated, though its value says nothing.
            if let ExprKind::Member(&Member { object: Some(object), .. }) = e.kind {
                self.discard(object)?;
            }
            return self.enumerator(decl, e);
        }
        let ty = e.q.ty;
        let Some(ir) = self.cx.ast.types.ir(ty) else {
            if !e.overloads().is_empty() {
                let what =
                    "a name of several functions here, where libclang does not show which one is meant";
                return self.unsupported(what, e);
            }
            return self.unsupported(format!("a constant of type {}", self.cx.ast.types.name(ty)), e);
        };
        if self.cx.ast.types.is_arithmetic(ty) {
            match e.value() {
                Some(Evaluated::Int(v)) => {
                    return Ok(self.b.const_bits(ir, constant_bits(Constant::Int(v), ir)));
                }
                Some(Evaluated::Float(f)) => {
                    return Ok(self.b.const_bits(ir, constant_bits(Constant::Float(f), ir)));
                }
                None => {}
            }
        }
        // libclang does not tell the value of a constant of 128 bits, and shows what it begins with.
        let initializer = decl
            .filter(|d| d.kind() == DeclKind::Variable && self.cx.ast.types.of(d.ty()).is_const)
            .filter(|_| ir == Type::I128)
            .and_then(|d| self.cx.ast.initializer(d));
        match argument.or(initializer) {
            Some(inner) => self.rv_as(inner, ty),
            None => {
                let text = match e.kind {
                    ExprKind::Name(name) => name.decl.map_or(name.text.to_owned(), Decl::spelling),
                    ExprKind::Member(member) => member.name.to_owned(),
                    _ => String::new(),
                };
                self.unsupported(format!("the constant `{text}`"), e)
            }
        }
    }

    fn size_of(&mut self, of: SizeOf<'tu>, e: Ex<'tu>) -> R<Value> {
        match of {
            SizeOf::Known(v) => {
                let Some(ir) = self.cx.ast.types.ir(e.q.ty) else {
                    return self.internal("a size that is not a number", e);
                };
                Ok(self.b.iconst(ir, v))
            }
            SizeOf::Declared(ty) => self.size_value(ty, e),
            SizeOf::Written(element, dims) => {
                let mut total = self.size_value(element, e)?;
                for &dim in dims {
                    let count = self.rv(dim)?;
                    let long = self.cx.ast.types.long;
                    let count = self.convert(count, dim.q.ty, long, dim)?;
                    total = self.b.binary(cudair_ir::BinaryOp::Imul, total, count);
                }
                Ok(total)
            }
        }
    }

    fn named(&mut self, name: Name<'tu>, e: Ex<'tu>) -> R<Value> {
        let Some(decl) = name.decl else { return self.named_constant(e) };
        match decl.kind() {
            DeclKind::Variable | DeclKind::Parameter => {
                if self.frame.device()
                    && let Some(value) = self.special_value(decl)
                {
                    return Ok(value);
                }
                // A constant of static storage, where the device could not reach it.
                self.load_place(e)
            }
            DeclKind::Function | DeclKind::Method => {
                let func = self.cx.func(decl, self.frame.device())?;
                Ok(self.b.func_addr(func))
            }
            DeclKind::Unexposed if self.names.is_binding(decl) => self.load_place(e),
            DeclKind::Unexposed if self.is_static_binding(decl)? => self.load_place(e),
            // An instance of a variable template, a constant or a variable like any other.
            DeclKind::Unexposed
                if decl.has_static_storage()
                    && (e.value().is_none() || !self.cx.ast.has_plain_initializer(decl)) =>
            {
                self.load_place(e)
            }
            _ => self.named_constant(e),
        }
    }

    /// An implicit conversion of a value, or nothing.
    fn implicit(&mut self, inner: Ex<'tu>, e: Ex<'tu>) -> R<Value> {
        let (from, to) = (inner.q, e.q);
        if from.ty == to.ty {
            return self.rv(inner);
        }
        if let Kind::Array { .. } | Kind::Vla { .. } = self.cx.ast.types.kind(from.ty) {
            let place = self.place(inner)?;
            if self.cx.ast.types.is_pointer(to.ty) {
                return Ok(place.ptr);
            }
            let value = self.generic(place.ptr);
            let pointer = self.cx.ast.types.decayed(from).ty;
            return self.convert(value, pointer, to.ty, e);
        }
        if let Kind::Function(_) = self.cx.ast.types.kind(from.ty) {
            return self.function_value(inner);
        }
        if self.cx.ast.types.is_aggregate(from.ty) {
            return self.convert_class(inner, from, to, e);
        }
        // A member of a vector type or the like reads from a temporary; everything else converts.
        let value = self.rv(inner)?;
        self.convert(value, from.ty, to.ty, e)
    }

    /// The value of an expression that folds.
    pub fn folded(&mut self, e: Ex<'tu>, q: QTy) -> Option<Value> {
        let ir = self.cx.ast.types.ir(q.ty)?;
        match e.value()? {
            Evaluated::Int(v) => Some(self.b.const_bits(ir, constant_bits(Constant::Int(v), ir))),
            Evaluated::Float(f) => Some(self.b.const_bits(ir, constant_bits(Constant::Float(f), ir))),
        }
    }

    /// The address of a function that an expression names.
    pub fn function_value(&mut self, e: Ex<'tu>) -> R<Value> {
        let place = self.place(e)?;
        Ok(self.as_pointer(place.ptr, Type::Ptr(Space::Code)))
    }

    pub fn gnu_conditional(&mut self, common: Ex<'tu>, other: Ex<'tu>, to: QTy) -> R<Value> {
        let Some(ir) = self.cx.ast.types.ir(to.ty) else {
            return self.unsupported("`?:` without a middle operand on aggregates", common);
        };
        let from = common.q.ty;
        self.before_arms();
        let value = self.rv(common)?;
        let condition = self.truth(value, from, common)?;
        let kept = self.convert(value, from, to.ty, common)?;
        let kept = if ir.is_ptr() { self.as_pointer(kept, ir) } else { kept };
        let (otherwise, end) = (self.b.make_block(), self.b.make_block());
        let result = self.b.func.append_block_param(end, ir);
        let then = self.b.target(end, &[kept]);
        let no = self.b.target(otherwise, &[]);
        self.b.branch_with(condition, then, no);
        self.b.switch_to(otherwise);
        self.begin_arms();
        let value = self.rv_as(other, to.ty)?;
        let value = if ir.is_ptr() { self.as_pointer(value, ir) } else { value };
        self.end_arms();
        self.b.jump(end, &[value]);
        self.b.switch_to(end);
        Ok(result)
    }

    fn conditional(&mut self, condition: Ex<'tu>, yes: Ex<'tu>, no: Ex<'tu>, e: Ex<'tu>) -> R<Value> {
        let ty = e.q.ty;
        if matches!(self.cx.ast.types.kind(ty), Kind::Void) {
            return self.internal("a value of a void conditional", e);
        }
        if self.cx.ast.types.element(ty).is_some() || matches!(self.cx.ast.types.kind(ty), Kind::Function(_))
        {
            let place = self.place(e)?;
            return Ok(place.ptr);
        }
        let Some(ir) = self.cx.ast.types.ir(ty) else {
            return self.unsupported("a conditional of this type", e);
        };
        let (then, other, end) = (self.b.make_block(), self.b.make_block(), self.b.make_block());
        let result = self.b.func.append_block_param(end, ir);
        self.before_arms();
        self.branch_on(condition, then, other)?;
        self.begin_arms();
        for (block, arm) in [(then, yes), (other, no)] {
            self.b.switch_to(block);
            let value = self.arm(arm, ty)?;
            if let Some(value) = value {
                let value = if ir.is_ptr() { self.as_pointer(value, ir) } else { value };
                self.b.jump(end, &[value]);
            }
        }
        self.end_arms();
        self.b.switch_to(end);
        Ok(result)
    }

    /// One arm of a conditional; `None` for one that throws.
    pub fn arm(&mut self, arm: Ex<'tu>, ty: Ty) -> R<Option<Value>> {
        let from = arm.q.ty;
        if matches!(self.cx.ast.types.kind(from), Kind::Void) {
            if let Err(fault) = self.discard(arm) {
                self.fault(*fault);
            }
            if !self.b.is_unreachable() {
                self.b.trap(cudair_ir::TrapCode::Unreachable);
            }
            return Ok(None);
        }
        self.rv_as(arm, ty).map(Some)
    }

    /// The value of the last expression of `({ … })`, in `dst` where it is an aggregate.
    pub fn statement_expression(
        &mut self,
        body: St<'tu>,
        e: Ex<'tu>,
        dst: Option<Value>,
    ) -> R<Option<Value>> {
        let StmtKind::Compound(parts) = body.kind else {
            return self.internal("a statement expression without a body", e);
        };
        let q = e.q;
        let keep = self.cleanups.mark();
        self.jumps.find_labels_inside(&mut self.b, body);
        self.jumps.enter_scope(body.id(), keep);
        let is_void = matches!(self.cx.ast.types.kind(q.ty), Kind::Void);
        let mut value = None;
        for (i, &part) in parts.iter().enumerate() {
            if i + 1 < parts.len() || is_void {
                self.stmt(part);
                continue;
            }
            // The last statement, under labels perhaps, is the value.
            let mut last = part;
            while let StmtKind::Label { label, body } = last.kind {
                self.start_label(label);
                self.jumps.label_stands(&mut self.b, label, self.cleanups.mark());
                match body {
                    Some(inner) => last = inner,
                    None => break,
                }
            }
            let StmtKind::Expr(last) = last.kind else {
                return self.unsupported("this expression", last);
            };
            if self.cx.ast.types.is_aggregate(q.ty) {
                let align = self.cx.ast.types.align(q.ty);
                match dst {
                    Some(dst) => self.init_object(dst, align, q, last)?,
                    None => self.discard(last)?,
                }
            } else {
                value = Some(self.rv_as(last, q.ty)?);
            }
        }
        self.jumps.leave_scope();
        self.pop_cleanups(keep);
        Ok(value)
    }

    fn label_address(&mut self, label: Option<LabelId>, e: Ex<'tu>) -> R<Value> {
        let number = label.and_then(|l| self.jumps.known_label(l)).map(Block::as_u32);
        let Some(number) = number else {
            return self.unsupported("the address of this label", e);
        };
        let bits = self.b.iconst(Type::I64, i128::from(number));
        Ok(self.b.cast(CastOp::Inttoptr, Type::GENERIC_PTR, bits))
    }

    pub fn va_arg(&mut self, e: Ex<'tu>, list: Ex<'tu>) -> R<Value> {
        let list = self.va_list_pointer(list)?;
        let Some(ir) = self.cx.ast.types.ir(e.q.ty) else {
            return self.internal("va_arg of an aggregate as a scalar", e);
        };
        Ok(self.b.va_arg(ir, list))
    }

    /// The address of an argument list.
    pub fn va_list_pointer(&mut self, e: Ex<'tu>) -> R<Value> {
        let ty = e.q.ty;
        if self.cx.ast.types.is_pointer(ty) {
            return self.rv(e);
        }
        self.place(e).map(|p| p.ptr)
    }

    /// The address of an aggregate that `va_arg` reads.
    pub fn va_arg_aggregate(&mut self, list: Ex<'tu>) -> R<Value> {
        let list = self.va_list_pointer(list)?;
        Ok(self.b.va_arg(Type::GENERIC_PTR, list))
    }

    /// Logical not.
    pub fn not(&mut self, value: Value) -> Value {
        self.b.unary(UnaryOp::Inot, value)
    }

    /// The pointer that `this` is, as a place.
    pub fn this_place(&mut self, at: At<'_>) -> R<super::lvalue::Place> {
        if let Some(place) = self.captured_this(at)? {
            return Ok(place);
        }
        let (Some(slot), Some(class)) = (self.frame.this(), self.frame.class()) else {
            return self.internal("`this` outside a member function", at);
        };
        let address = self.b.slot_addr(slot);
        let ptr = self.b.load(Type::GENERIC_PTR, address, MemFlags::aligned(8));
        Ok(super::lvalue::Place::new(ptr, self.cx.ast.types.align(class), QTy::plain(class)))
    }
}
