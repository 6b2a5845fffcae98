//! Places: what an lvalue names, and loads and stores there.

use super::func::FnLower;
use super::func::names::Var;
use super::{At, R};
use crate::ast::{BinaryOp, Call, Cast, Ex, ExprKind, Member, Name, UnaryOp};
use crate::types::{Decl, DeclKind};
use crate::types::{Kind, QTy, RecId, Ty};
use cudair_ir::{BinaryOp as IrOp, CastOp, MemFlags, Type, Value};

/// An object in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub ptr: Value,
    /// The alignment that the language promises for the address.
    pub align: u32,
    pub ty: QTy,
    /// For a bit-field: the first bit from `ptr`, below 8, and the width.
    pub bits: Option<(u32, u32)>,
}

impl Place {
    pub fn new(ptr: Value, align: u32, ty: QTy) -> Place {
        Place { ptr, align: align.max(1), ty, bits: None }
    }
}

/// The alignment of what lies so many bytes behind an address of this alignment.
pub(super) fn align_at(align: u32, offset: u64) -> u32 {
    if offset == 0 { align } else { align.min(1 << offset.trailing_zeros().min(16)) }
}

impl<'tu> FnLower<'_, 'tu, '_> {
    /// The place that an expression names; a temporary for one that names none.
    pub fn place(&mut self, e: Ex<'tu>) -> R<Place> {
        self.deeper(e)?;
        let old = self.enter(e);
        let result = self.place_kind(e);
        self.b.set_loc(old);
        self.reach.shallower();
        result
    }

    fn place_kind(&mut self, e: Ex<'tu>) -> R<Place> {
        match e.kind {
            ExprKind::Name(name) => self.variable_place(name, e),
            ExprKind::Paren(inner) => self.place(inner),
            ExprKind::Implicit(inner) | ExprKind::View(inner) => self.implicit_place(inner, e),
            ExprKind::Subscript { base, index } => self.subscript_place(base, index, e),
            ExprKind::Member(member) => self.member_place(member, e),
            ExprKind::Unary(op, operand) => self.unary_place(op, operand, e),
            ExprKind::Binary(op, left, right) => self.binary_place(op, left, right, e),
            ExprKind::CompoundAssign(op, left, right) => {
                self.compound_assign(op, left, right, e).map(|(place, _)| place)
            }
            ExprKind::Conditional { condition, yes, no } => self.conditional_place(condition, yes, no, e),
            ExprKind::String(_) => {
                let id = self.cx.string_global(e, self.frame.device())?;
                let ptr = self.b.global_addr(self.cx.module, id);
                Ok(Place::new(ptr, self.cx.ast.types.align(e.q.ty), e.q))
            }
            ExprKind::CompoundLiteral(list) => self.compound_literal(list, e),
            ExprKind::Cast(cast) => self.cast_place(cast, e),
            ExprKind::Typeid(of) => self.typeid_place(of, e),
            ExprKind::DynamicCast(operand) if self.cx.ast.types.as_record(e.q.ty).is_some() => {
                self.dynamic_cast_place(operand, e)
            }
            ExprKind::Call(call) => self.call_place(call, e),
            ExprKind::Chosen(chosen) => self.place(chosen),
            ExprKind::Fault(broken) => self.broken(broken, e),
            _ => self.materialize(e),
        }
    }

    /// The value of a prvalue in a temporary.
    pub fn materialize(&mut self, e: Ex<'tu>) -> R<Place> {
        let q = e.q;
        if self.temporaries.lives_for_ever(e) {
            return self.static_temporary(q, e);
        }
        let slot = self.temp_slot(q.ty, e)?;
        let ptr = self.b.slot_addr(slot);
        let align = self.cx.ast.types.align(q.ty);
        self.init_object(ptr, align, q, e)?;
        self.register_temporary(q.ty, slot, e)?;
        Ok(Place::new(ptr, align, q))
    }

    fn variable_place(&mut self, name: Name<'tu>, e: Ex<'tu>) -> R<Place> {
        let Some(decl) = name.decl else { return self.materialize_constant(e) };
        match decl.kind() {
            DeclKind::Variable | DeclKind::Parameter => {}
            DeclKind::Function | DeclKind::Method => {
                let q = e.q;
                let func = self.cx.func(decl, self.frame.device())?;
                let ptr = self.b.func_addr(func);
                return Ok(Place::new(ptr, 1, q));
            }
            DeclKind::Unexposed if self.names.is_binding(decl) => {
                if let Some(capture) = self.names.captured(decl) {
                    return self.capture_place(capture, e);
                }
                return match self.names.bound(decl) {
                    Some(bound) => self.binding_place(bound, e),
                    None => self.unsupported(format!("the binding `{}` here", decl.spelling()), e),
                };
            }
            DeclKind::Unexposed if self.is_static_binding(decl)? => {
                return match self.names.bound(decl) {
                    Some(bound) => self.binding_place(bound, e),
                    None => self.internal("a structured binding without its parts", e),
                };
            }
            // An instance of a variable template, which is a variable like any other.
            DeclKind::Unexposed if decl.has_static_storage() => {
                let q = e.q;
                if self.cx.ast.types.is_arithmetic(q.ty)
                    && q.is_const
                    && e.value().is_some()
                    && self.cx.ast.has_plain_initializer(decl)
                {
                    return self.materialize_constant(e);
                }
            }
            _ => return self.materialize_constant(e),
        }
        if self.is_constant_of_enclosing(decl) {
            return self.materialize_constant(e);
        }
        self.declared_place(decl, e)
    }

    /// Whether a variable is a constant of an enclosing function, used in a local class or lambda.
    fn is_constant_of_enclosing(&mut self, decl: Decl<'tu>) -> bool {
        if self.names.is_known(decl) || decl.has_static_storage() {
            return false;
        }
        let declared = self.cx.ast.types.of(decl.ty());
        let q = self.cx.ast.types.strip_reference(declared);
        q.is_const && self.cx.ast.has_initializer(decl) && !self.cx.ast.types.is_aggregate(q.ty)
    }

    /// The place of a variable or parameter.
    pub fn declared_place(&mut self, decl: Decl<'tu>, e: At<'_>) -> R<Place> {
        if let Some(capture) = self.names.captured(decl) {
            return self.capture_place(capture, e);
        }
        if self.frame.device()
            && decl.kind() == DeclKind::Variable
            && let Some(place) = self.special_variable(decl, e)?
        {
            return Ok(place);
        }
        let declared = self.cx.ast.types.of(decl.ty());
        let is_reference = matches!(self.cx.ast.types.kind(declared.ty), Kind::Reference(_));
        let q = self.cx.ast.types.strip_reference(declared);
        let q = if decl.kind() == DeclKind::Parameter && !is_reference {
            self.cx.ast.types.decayed(q)
        } else {
            q
        };
        let align = self.cx.ast.types.align(q.ty);
        let var = match self.names.var(decl) {
            Some(var) => var,
            None if decl.has_static_storage() => Var::Global(self.cx.global(decl, self.frame.device())?),
            // One of class or array type, of which one copy serves all.
            None if q.is_const && !is_reference && self.cx.ast.has_initializer(decl) => {
                Var::Global(self.cx.global(decl, self.frame.device())?)
            }
            None if self.names.is_given_up(decl) => return self.consequence(decl, e),
            None => {
                return self
                    .unsupported(format!("the variable `{}` of another function", decl.spelling()), e);
            }
        };
        let ptr = match var {
            Var::Slot(slot) => self.b.slot_addr(slot),
            Var::Address(address) => address,
            Var::Indirect(slot) => {
                let address = self.b.slot_addr(slot);
                // A variable length array's slot holds its address.
                let ir = if is_reference { self.pointer_type(declared.ty)? } else { Type::GENERIC_PTR };
                self.b.load(ir, address, MemFlags::natural(ir))
            }
            Var::Global(global) => {
                let address = self.variable_address(global, decl.is_thread_local())?;
                if is_reference {
                    let ir = self.pointer_type(declared.ty)?;
                    self.b.load(ir, address, MemFlags::natural(ir))
                } else {
                    address
                }
            }
        };
        Ok(Place::new(ptr, align, q))
    }

    /// The address of a variable of static storage; of one that each thread has of its own, that of the thread that
    /// asks.
    pub fn variable_address(&mut self, global: cudair_ir::GlobalId, of_thread: bool) -> R<Value> {
        let address = self.b.global_addr(self.cx.module, global);
        if !of_thread || self.frame.device() {
            return Ok(address);
        }
        let sig = cudair_ir::Signature {
            params: vec![cudair_ir::Param::new(Type::GENERIC_PTR)],
            ret: Some(Type::GENERIC_PTR),
            variadic: false,
        };
        let func = self.cx.native("__cudair_thread_variable", sig, false);
        let first = self.generic(address);
        match self.b.call(self.cx.module, func, &[first]) {
            Some(own) => Ok(own),
            None => self.defect("the address of a thread's own variable"),
        }
    }

    /// A named constant (an enumerator, a template parameter) where a place is asked for.
    fn materialize_constant(&mut self, e: Ex<'tu>) -> R<Place> {
        let q = e.q;
        let value = self.named_constant(e)?;
        self.spill(value, q, e)
    }

    /// A value in a temporary.
    pub fn spill(&mut self, value: Value, q: QTy, at: At<'_>) -> R<Place> {
        let slot = self.temp_slot(q.ty, at)?;
        let ptr = self.b.slot_addr(slot);
        let place = Place::new(ptr, self.cx.ast.types.align(q.ty), q);
        self.store(&place, value, at)?;
        Ok(place)
    }

    fn implicit_place(&mut self, inner: Ex<'tu>, e: Ex<'tu>) -> R<Place> {
        let (from, q) = (inner.q, e.q);
        if from.ty == q.ty {
            if self.is_bit_field(inner) {
                return self.materialize(e);
            }
            let place = self.referred_place(inner)?;
            return Ok(Place { ty: QTy { volatile: place.ty.volatile || q.volatile, ..q }, ..place });
        }
        // A derived object as its base.
        if let (Some(derived), Some(base)) =
            (self.cx.ast.types.as_record(from.ty), self.cx.ast.types.as_record(q.ty))
            && let Some(path) = self.cx.base_path(derived, base)
        {
            let place = self.place(inner)?;
            let ptr = self.base_at(place.ptr, derived, path, e)?;
            return Ok(Place::new(ptr, self.cx.ast.types.align(q.ty), q));
        }
        self.materialize(e)
    }

    /// The place that a reference is bound to: of a bit-field, which has no address, a temporary with its value.
    pub fn referred_place(&mut self, e: Ex<'tu>) -> R<Place> {
        if self.is_bit_field(e) {
            return self.materialize(e);
        }
        let place = self.place(e)?;
        // A structured binding may name one.
        if place.bits.is_none() {
            return Ok(place);
        }
        let value = self.load(&place, e)?;
        self.spill(value, QTy::plain(place.ty.ty), e)
    }

    /// Whether an expression is a bit-field, or may be one.
    fn is_bit_field(&mut self, e: Ex<'tu>) -> bool {
        match e.kind {
            ExprKind::Member(&Member { decl: Some(field), .. }) => {
                field.kind() == DeclKind::Field && field.bit_width().is_some()
            }
            ExprKind::Paren(inner)
            | ExprKind::Chosen(inner)
            | ExprKind::Unary(UnaryOp::Extension | UnaryOp::PreInc | UnaryOp::PreDec, inner)
            | ExprKind::Binary(BinaryOp::Comma, _, inner)
            | ExprKind::Binary(BinaryOp::Assign, inner, _)
            | ExprKind::CompoundAssign(_, inner, _) => self.is_bit_field(inner),
            ExprKind::Implicit(inner) => inner.q.ty == e.q.ty && self.is_bit_field(inner),
            ExprKind::Conditional { yes, no, .. } => self.is_bit_field(yes) || self.is_bit_field(no),
            _ => false,
        }
    }

    fn subscript_place(&mut self, base: Ex<'tu>, index: Ex<'tu>, e: Ex<'tu>) -> R<Place> {
        let q = e.q;
        let base_ty = base.q;
        // clang shows the decay as a node, so that the base is a pointer, with the exception of
        // arrays that are not lvalues.
        let (ptr, align) = if self.cx.ast.types.element(base_ty.ty).is_some() {
            let place = self.place(base)?;
            (place.ptr, place.align)
        } else {
            self.pointer_operand(base)?
        };
        let index_ty = index.q.ty;
        let value = self.rv(index)?;
        self.check_row(base, value, index_ty, e)?;
        let ptr = self.offset_pointer(ptr, value, index_ty, q.ty, false, e)?;
        let natural = self.cx.ast.types.align(q.ty);
        // Rows of variable length may begin anywhere.
        let size = self.cx.ast.types.size(q.ty).unwrap_or(1);
        let align = align.min(1 << size.trailing_zeros().min(16)).max(1);
        Ok(Place::new(ptr, if align >= natural { natural } else { align }, q))
    }

    /// A pointer expression, with the alignment known of what it points to. Where it is an array that
    /// decays, that is the array's.
    pub fn pointer_operand(&mut self, e: Ex<'tu>) -> R<(Value, u32)> {
        let mut inner = e;
        loop {
            match inner.kind {
                ExprKind::Paren(one) => inner = one,
                ExprKind::Implicit(one) if self.cx.ast.types.element(one.q.ty).is_some() => {
                    let place = self.place(one)?;
                    return Ok((place.ptr, place.align));
                }
                _ => break,
            }
        }
        let value = self.rv(e)?;
        let ty = e.q.ty;
        // What is no pointer has no alignment to tell.
        let align = self.cx.ast.types.pointee(ty).map_or(1, |p| self.cx.ast.types.align(p.ty));
        Ok((value, align))
    }

    /// `pointer ± index` for elements of type `elem`.
    pub fn offset_pointer(
        &mut self,
        ptr: Value,
        index: Value,
        index_ty: Ty,
        elem: Ty,
        negative: bool,
        at: At<'_>,
    ) -> R<Value> {
        let signed = self.cx.ast.types.is_signed(index_ty);
        let sign = if negative { -1 } else { 1 };
        if let (Some(n), Some(size)) = (self.b.func.const_bits(index), self.cx.ast.types.size(elem)) {
            let bits = self.b.ty(index).bits();
            let n =
                if signed && bits < 128 { (n << (128 - bits)) as i128 >> (128 - bits) } else { n as i128 };
            return Ok(self.b.ptr_offset(ptr, (n as i64).wrapping_mul(size as i64).wrapping_mul(sign)));
        }
        let index = self.widen(index, signed, Type::I64);
        let size = match self.cx.ast.types.size(elem) {
            Some(1) => None,
            Some(size) => Some(self.b.iconst(Type::I64, i128::from(size))),
            None => Some(self.size_value(elem, at)?),
        };
        let mut offset = match size {
            Some(size) => self.b.binary_nsw(IrOp::Imul, index, size),
            None => index,
        };
        if negative {
            offset = self.b.ineg_nsw(offset);
        }
        Ok(self.b.ptr_add(ptr, offset))
    }

    /// An integer as another width.
    pub fn widen(&mut self, value: Value, signed: bool, to: Type) -> Value {
        let from = self.b.ty(value);
        if from == to {
            return value;
        }
        let op = if from.bits() > to.bits() {
            CastOp::Trunc
        } else if signed && from != Type::I1 {
            CastOp::Sext
        } else {
            CastOp::Zext
        };
        self.b.cast(op, to, value)
    }

    fn member_place(&mut self, m: &'tu Member<'tu>, e: Ex<'tu>) -> R<Place> {
        let Some(member) = m.decl else {
            return self.internal("a member expression without a member", e);
        };
        match member.kind() {
            DeclKind::Field => {}
            DeclKind::Variable => {
                // A static data member.
                if let Some(object) = m.object {
                    self.discard(object)?;
                }
                let global = self.cx.global(member, self.frame.device())?;
                let ptr = self.b.global_addr(self.cx.module, global);
                let declared = self.cx.ast.types.of(member.ty());
                let align = self.cx.ast.types.align(declared.ty);
                return Ok(Place::new(ptr, align, e.q));
            }
            DeclKind::Enumerator => return self.materialize_constant(e),
            DeclKind::Function | DeclKind::Method => {
                if let Some(object) = m.object {
                    self.discard(object)?;
                }
                let func = self.cx.func(member, self.frame.device())?;
                let ptr = self.b.func_addr(func);
                return Ok(Place::new(ptr, 1, e.q));
            }
            _ => return self.unsupported("this member expression", e),
        }
        let (base, record) = self.member_base(m, e)?;
        self.field_place(base, record, member, e)
    }

    /// The object of a member expression and its class.
    pub fn member_base(&mut self, m: &'tu Member<'tu>, e: At<'_>) -> R<(Place, RecId)> {
        let place = match m.object {
            None => self.this_place(e)?,
            Some(object) => {
                let q = object.q;
                if self.cx.ast.types.is_pointer(q.ty) {
                    let (ptr, align) = self.pointer_operand(object)?;
                    let Some(pointee) = self.cx.ast.types.pointee(q.ty) else {
                        return self.internal("a member through a pointer without a pointee type", e);
                    };
                    Place::new(ptr, align, pointee)
                } else {
                    self.place(object)?
                }
            }
        };
        match self.cx.ast.types.as_record(place.ty.ty) {
            Some(record) => Ok((place, record)),
            None => self.internal("a member of a type that is not a class", e),
        }
    }

    fn unary_place(&mut self, op: UnaryOp, inner: Ex<'tu>, e: Ex<'tu>) -> R<Place> {
        match op {
            UnaryOp::Deref => {
                let (ptr, align) = self.pointer_operand(inner)?;
                let natural = self.cx.ast.types.align(e.q.ty);
                Ok(Place::new(ptr, if align >= natural { natural } else { align }, e.q))
            }
            UnaryOp::PreInc | UnaryOp::PreDec => self.increment(op, inner, e).map(|(place, _, _)| place),
            UnaryOp::Extension => self.place(inner),
            UnaryOp::Real | UnaryOp::Imag => self.complex_part_place(op, inner, e),
            _ => self.materialize(e),
        }
    }

    fn binary_place(&mut self, op: BinaryOp, left: Ex<'tu>, right: Ex<'tu>, e: Ex<'tu>) -> R<Place> {
        match op {
            BinaryOp::Assign => self.assign(e, left, right).map(|(place, _)| place),
            BinaryOp::Comma => {
                self.discard(left)?;
                self.place(right)
            }
            BinaryOp::PtrMemD | BinaryOp::PtrMemI => self.member_pointer_place(op, left, right, e),
            _ => self.materialize(e),
        }
    }

    fn conditional_place(&mut self, condition: Ex<'tu>, yes: Ex<'tu>, no: Ex<'tu>, e: Ex<'tu>) -> R<Place> {
        let q = e.q;
        let throws = |arm: Ex<'tu>| matches!(arm.kind, ExprKind::Throw(_));
        let lvalue = self.cx.ast.cxx
            && (self.is_lvalue(yes) || throws(yes))
            && (self.is_lvalue(no) || throws(no))
            && !(throws(yes) && throws(no));
        if !lvalue {
            return self.materialize(e);
        }
        let (then, other, end) = (self.b.make_block(), self.b.make_block(), self.b.make_block());
        let ir = if matches!(self.cx.ast.types.kind(q.ty), Kind::Function(_)) {
            Type::Ptr(cudair_ir::Space::Code)
        } else {
            Type::GENERIC_PTR
        };
        let result = self.b.func.append_block_param(end, ir);
        self.before_arms();
        self.branch_on(condition, then, other)?;
        self.begin_arms();
        let mut align = u32::MAX;
        for (block, arm) in [(then, yes), (other, no)] {
            self.b.switch_to(block);
            if let ExprKind::Throw(operand) = arm.kind {
                self.throw(operand, arm)?;
                continue;
            }
            let place = self.place(arm)?;
            align = align.min(place.align);
            let ptr = self.as_pointer(place.ptr, ir);
            self.b.jump(end, &[ptr]);
        }
        self.end_arms();
        self.b.switch_to(end);
        Ok(Place::new(result, align, q))
    }

    /// Whether an expression names an object (as far as libclang lets one see).
    pub fn is_lvalue(&mut self, e: Ex<'tu>) -> bool {
        match e.kind {
            ExprKind::Name(name) => name.decl.is_some_and(|d| {
                matches!(
                    d.kind(),
                    DeclKind::Variable | DeclKind::Parameter | DeclKind::Function | DeclKind::Unexposed
                )
            }),
            ExprKind::Member(m) => {
                m.decl.is_some_and(|d| matches!(d.kind(), DeclKind::Field | DeclKind::Variable))
            }
            ExprKind::Subscript { .. } | ExprKind::String(_) => true,
            ExprKind::Unary(op, _) => match op {
                UnaryOp::Deref => true,
                UnaryOp::PreInc | UnaryOp::PreDec => self.cx.ast.cxx,
                _ => false,
            },
            ExprKind::Binary(op, _, right) => match op {
                BinaryOp::Assign => self.cx.ast.cxx,
                BinaryOp::Comma => self.cx.ast.cxx && self.is_lvalue(right),
                op => op.is_member_pointer(),
            },
            ExprKind::CompoundAssign(..) => self.cx.ast.cxx,
            ExprKind::Conditional { yes, no, .. } => self.is_lvalue(yes) && self.is_lvalue(no),
            ExprKind::Paren(inner) => self.is_lvalue(inner),
            ExprKind::Implicit(inner) => {
                let (to, from) = (e.q, inner.q);
                // Only a change of qualifiers or to a base keeps it an lvalue; the same
                // type is a load. A scalar load drops qualifiers, so equal ones tell nothing:
                // where both arms of a conditional are loads, the values are what counts.
                (from.ty == to.ty && self.cx.ast.types.is_aggregate(to.ty)
                    || from.ty == to.ty && to.is_const && !from.is_const)
                    && self.is_lvalue(inner)
            }
            ExprKind::Call(call) => call.target.is_some_and(|d| {
                let result = self.cx.ast.types.of(d.ty());
                self.cx
                    .ast
                    .types
                    .function(result.ty)
                    .is_some_and(|f| matches!(self.cx.ast.types.kind(f.ret.ty), Kind::Reference(_)))
            }),
            ExprKind::Cast(Cast { operand, .. }) => {
                self.cx.ast.cxx && self.casts_in_place(operand, operand.q.ty, e.q.ty)
            }
            _ => false,
        }
    }

    fn compound_literal(&mut self, list: Ex<'tu>, e: Ex<'tu>) -> R<Place> {
        let q = e.q;
        let slot = self.temp_slot(q.ty, e)?;
        let ptr = self.b.slot_addr(slot);
        let align = self.cx.ast.types.align(q.ty);
        self.init_object(ptr, align, q, list)?;
        Ok(Place::new(ptr, align, q))
    }

    fn call_place(&mut self, call: &'tu Call<'tu>, e: Ex<'tu>) -> R<Place> {
        let q = e.q;
        if let Some(pointer) = self.call_reference(call, e)? {
            return Ok(Place::new(pointer, self.cx.ast.types.align(q.ty), q));
        }
        self.materialize(e)
    }

    /// The value in a place. Aggregates have none.
    pub fn load(&mut self, place: &Place, at: At<'_>) -> R<Value> {
        if let Some((first, width)) = place.bits {
            return self.load_bits(place, first, width, at);
        }
        let Some(ir) = self.cx.ast.types.ir(place.ty.ty) else {
            return self.unsupported(format!("a value of type {}", self.cx.ast.types.name(place.ty.ty)), at);
        };
        let flags = MemFlags::aligned(place.align.min(ir.align())).with_volatile(place.ty.volatile);
        Ok(self.b.load(ir, place.ptr, flags))
    }

    /// Stores a value; gives it as it is read back, which differs for bit-fields.
    pub fn store(&mut self, place: &Place, value: Value, at: At<'_>) -> R<Value> {
        if let Some((first, width)) = place.bits {
            return self.store_bits(place, first, width, value, at);
        }
        let value = match self.cx.ast.types.ir(place.ty.ty) {
            Some(ir) if ir.is_ptr() => self.as_pointer(value, ir),
            _ => value,
        };
        let ir = self.b.ty(value);
        let flags = MemFlags::aligned(place.align.min(ir.align())).with_volatile(place.ty.volatile);
        self.b.store(value, place.ptr, flags);
        Ok(value)
    }
}
