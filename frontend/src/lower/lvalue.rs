//! Places: what an lvalue names, and loads and stores there.

use super::R;
use super::func::{FnLower, Var};
use super::types::{Kind, QTy, RecId, Ty};
use crate::clang::{Cursor, CursorKind, Evaluated};
use cudair_ir::{BinaryOp, CastOp, MemFlags, Type, Value};

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

impl<'tu> FnLower<'_, 'tu, '_> {
    /// The place that an expression names; a temporary for one that names none.
    pub fn place(&mut self, e: Cursor<'tu>) -> R<Place> {
        self.deeper(e)?;
        let old = self.enter(e);
        let result = self.place_kind(e);
        self.b.set_loc(old);
        self.depth -= 1;
        result
    }

    fn place_kind(&mut self, e: Cursor<'tu>) -> R<Place> {
        match e.kind() {
            CursorKind::DeclRefExpr => self.variable_place(e),
            CursorKind::ParenExpr => match e.expressions().first() {
                Some(&inner) => self.place(inner),
                None => self.internal("empty parentheses", e),
            },
            CursorKind::UnexposedExpr => self.unexposed_place(e),
            CursorKind::ArraySubscriptExpr => self.subscript_place(e),
            CursorKind::MemberRefExpr => self.member_place(e),
            CursorKind::UnaryOperator => self.unary_place(e),
            CursorKind::BinaryOperator => self.binary_place(e),
            CursorKind::CompoundAssignOperator => self.compound_assign(e).map(|(place, _)| place),
            CursorKind::ConditionalOperator => self.conditional_place(e),
            CursorKind::StringLiteral => {
                let id = self.cx.string_global(e, self.device)?;
                let q = self.cx.types.of(e.ty());
                let ptr = self.b.global_addr(self.cx.module, id);
                Ok(Place::new(ptr, self.cx.types.align(q.ty), q))
            }
            CursorKind::CompoundLiteralExpr => self.compound_literal(e),
            CursorKind::CStyleCastExpr
            | CursorKind::CXXStaticCastExpr
            | CursorKind::CXXReinterpretCastExpr
            | CursorKind::CXXConstCastExpr
            | CursorKind::CXXFunctionalCastExpr => self.cast_place(e),
            CursorKind::CXXTypeidExpr => self.typeid_place(e),
            CursorKind::CXXDynamicCastExpr => {
                let q = self.cx.type_of(e);
                match self.cx.types.as_record(q.ty) {
                    Some(_) => self.dynamic_cast_place(e),
                    None => self.materialize(e),
                }
            }
            CursorKind::CallExpr => self.call_place(e),
            CursorKind::StmtExpr | CursorKind::GenericSelectionExpr => {
                if e.kind() == CursorKind::GenericSelectionExpr {
                    let chosen = self.generic_choice(e)?;
                    return self.place(chosen);
                }
                self.materialize(e)
            }
            _ => self.materialize(e),
        }
    }

    /// The value of a prvalue in a temporary.
    pub fn materialize(&mut self, e: Cursor<'tu>) -> R<Place> {
        let q = self.cx.type_of(e);
        if self.binds_static && self.extended.contains(&e.id()) {
            return self.static_temporary(q, e);
        }
        let slot = self.temp_slot(q.ty, e)?;
        let ptr = self.b.slot_addr(slot);
        let align = self.cx.types.align(q.ty);
        self.init_object(ptr, align, q, e)?;
        self.register_temporary(q.ty, slot, e)?;
        Ok(Place::new(ptr, align, q))
    }

    fn variable_place(&mut self, e: Cursor<'tu>) -> R<Place> {
        let Some(decl) = e.referenced() else { return self.materialize_constant(e) };
        match decl.kind() {
            CursorKind::VarDecl | CursorKind::ParmDecl => {}
            CursorKind::FunctionDecl | CursorKind::CXXMethod => {
                let q = self.cx.types.of(e.ty());
                let func = self.cx.func(decl, self.device)?;
                let ptr = self.b.func_addr(func);
                return Ok(Place::new(ptr, 1, q));
            }
            CursorKind::UnexposedDecl if self.is_binding(decl) => {
                if let Some(capture) = self.captures.get(&decl.id()).copied() {
                    return self.capture_place(capture, e);
                }
                return match self.bindings.get(&decl.id()).copied() {
                    Some(bound) => self.binding_place(bound, e),
                    None => self.unsupported(format!("the binding `{}` here", decl.spelling()), e),
                };
            }
            CursorKind::UnexposedDecl if self.is_static_binding(decl)? => {
                return match self.bindings.get(&decl.id()).copied() {
                    Some(bound) => self.binding_place(bound, e),
                    None => self.internal("a structured binding without its parts", e),
                };
            }
            // An instance of a variable template, which is a variable like any other.
            CursorKind::UnexposedDecl if decl.has_static_storage() => {
                let q = self.cx.types.of(e.ty());
                if self.cx.types.is_arithmetic(q.ty) && q.is_const && e.evaluate().is_some() {
                    return self.materialize_constant(e);
                }
            }
            _ => return self.materialize_constant(e),
        }
        self.declared_place(decl, e)
    }

    /// The place of a variable or parameter.
    pub fn declared_place(&mut self, decl: Cursor<'tu>, e: Cursor<'tu>) -> R<Place> {
        if let Some(capture) = self.captures.get(&decl.id()).copied() {
            return self.capture_place(capture, e);
        }
        if self.device
            && decl.kind() == CursorKind::VarDecl
            && let Some(place) = self.special_variable(decl, e)?
        {
            return Ok(place);
        }
        let declared = self.cx.types.of(decl.ty());
        let is_reference = matches!(self.cx.types.kind(declared.ty), Kind::Reference(_));
        let q = self.cx.types.strip_reference(declared);
        let q =
            if decl.kind() == CursorKind::ParmDecl && !is_reference { self.cx.types.decayed(q) } else { q };
        let align = self.cx.types.align(q.ty);
        let var = match self.vars.get(&decl.id()) {
            Some(&var) => var,
            None if decl.has_static_storage() => Var::Global(self.cx.global(decl, self.device)?),
            // A constant of an enclosing function, used in a local class or lambda.
            None if q.is_const && decl.initializer().is_some() && !self.cx.types.is_aggregate(q.ty) => {
                return self.materialize_constant(e);
            }
            // One of class or array type, of which one copy serves all.
            None if q.is_const && !is_reference && decl.initializer().is_some() => {
                Var::Global(self.cx.global(decl, self.device)?)
            }
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
                let ir = if is_reference { self.cx.types.ir(declared.ty) } else { None };
                let ir = ir.unwrap_or(Type::GENERIC_PTR);
                self.b.load(ir, address, MemFlags::natural(ir))
            }
            Var::Global(global) => {
                let address = self.variable_address(global, decl.is_thread_local());
                if is_reference {
                    let ir = self.cx.types.ir(declared.ty).unwrap_or(Type::GENERIC_PTR);
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
    pub fn variable_address(&mut self, global: cudair_ir::GlobalId, of_thread: bool) -> Value {
        let address = self.b.global_addr(self.cx.module, global);
        if !of_thread || self.device {
            return address;
        }
        let sig = cudair_ir::Signature {
            params: vec![cudair_ir::Param::new(Type::GENERIC_PTR)],
            ret: Some(Type::GENERIC_PTR),
            variadic: false,
        };
        let func = self.cx.native("__cudair_thread_variable", sig, false);
        let first = self.generic(address);
        self.b.call(self.cx.module, func, &[first]).unwrap_or(address)
    }

    /// A named constant (an enumerator, a template parameter) where a place is asked for.
    fn materialize_constant(&mut self, e: Cursor<'tu>) -> R<Place> {
        let q = self.cx.type_of(e);
        let value = self.named_constant(e)?;
        self.spill(value, q, e)
    }

    /// A value in a temporary.
    pub fn spill(&mut self, value: Value, q: QTy, at: Cursor<'tu>) -> R<Place> {
        let slot = self.temp_slot(q.ty, at)?;
        let ptr = self.b.slot_addr(slot);
        let place = Place::new(ptr, self.cx.types.align(q.ty), q);
        self.store(&place, value, at)?;
        Ok(place)
    }

    fn unexposed_place(&mut self, e: Cursor<'tu>) -> R<Place> {
        let exprs = e.expressions();
        let q = self.cx.type_of(e);
        if self.va_arg_list(e).is_some() {
            return self.materialize(e);
        }
        match exprs.as_slice() {
            [inner] => {
                let from = self.cx.type_of(*inner);
                if from.ty == q.ty {
                    let place = self.place(*inner)?;
                    return Ok(Place { ty: QTy { volatile: place.ty.volatile || q.volatile, ..q }, ..place });
                }
                // A derived object as its base.
                if let (Some(derived), Some(base)) =
                    (self.cx.types.as_record(from.ty), self.cx.types.as_record(q.ty))
                    && let Some(path) = self.cx.base_path(derived, base)
                {
                    let place = self.place(*inner)?;
                    let ptr = self.base_at(place.ptr, derived, path, e)?;
                    return Ok(Place::new(ptr, self.cx.types.align(q.ty), q));
                }
                self.materialize(e)
            }
            [condition, yes, no] if !self.is_conditional_like(e) => match condition.evaluate() {
                // `__builtin_choose_expr`
                Some(Evaluated::Int(v)) => self.place(if v != 0 { *yes } else { *no }),
                _ => self.materialize(e),
            },
            _ => self.materialize(e),
        }
    }

    /// Whether an unexposed node of several children computes a value rather than choosing one.
    fn is_conditional_like(&self, e: Cursor<'tu>) -> bool {
        e.expressions().len() != 3
    }

    fn subscript_place(&mut self, e: Cursor<'tu>) -> R<Place> {
        let exprs = e.expressions();
        let &[a, b] = exprs.as_slice() else {
            return self.internal("a subscript of unknown shape", e);
        };
        let q = self.cx.type_of(e);
        let a_is_index = {
            let ty = self.cx.type_of(a).ty;
            self.cx.types.is_integer(ty)
        };
        let (base, index) = if a_is_index { (b, a) } else { (a, b) };
        let base_ty = self.cx.type_of(base);
        // clang shows the decay as a node, so that the base is a pointer, with the exception of
        // arrays that are not lvalues.
        let (ptr, align) = if self.cx.types.element(base_ty.ty).is_some() {
            let place = self.place(base)?;
            (place.ptr, place.align)
        } else {
            self.pointer_operand(base)?
        };
        let index_ty = self.cx.type_of(index).ty;
        let value = self.rv(index)?;
        self.check_row(base, value, index_ty, e)?;
        let ptr = self.offset_pointer(ptr, value, index_ty, q.ty, false, e)?;
        let natural = self.cx.types.align(q.ty);
        let size = self.cx.types.size(q.ty).unwrap_or(1);
        let align = align.min(1 << size.trailing_zeros().min(16)).max(1);
        Ok(Place::new(ptr, if align >= natural { natural } else { align }, q))
    }

    /// A pointer expression, with the alignment known of what it points to. Where it is an array that
    /// decays, that is the array's.
    pub fn pointer_operand(&mut self, e: Cursor<'tu>) -> R<(Value, u32)> {
        let mut inner = e;
        loop {
            match inner.kind() {
                CursorKind::ParenExpr => {
                    let exprs = inner.expressions();
                    match exprs.as_slice() {
                        [one] => inner = *one,
                        _ => break,
                    }
                }
                CursorKind::UnexposedExpr => {
                    let exprs = inner.expressions();
                    let [one] = exprs.as_slice() else { break };
                    let from = self.cx.type_of(*one);
                    if self.cx.types.element(from.ty).is_some() && !self.is_va_arg(inner, *one) {
                        let place = self.place(*one)?;
                        return Ok((place.ptr, place.align));
                    }
                    break;
                }
                _ => break,
            }
        }
        let value = self.rv(e)?;
        let ty = self.cx.type_of(e).ty;
        let align = self.cx.types.pointee(ty).map_or(1, |p| self.cx.types.align(p.ty));
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
        at: Cursor<'tu>,
    ) -> R<Value> {
        let signed = self.cx.types.is_signed(index_ty);
        let sign = if negative { -1 } else { 1 };
        if let (Some(n), Some(size)) = (self.b.func.const_bits(index), self.cx.types.size(elem)) {
            let bits = self.b.ty(index).bits();
            let n =
                if signed && bits < 128 { (n << (128 - bits)) as i128 >> (128 - bits) } else { n as i128 };
            return Ok(self.b.ptr_offset(ptr, (n as i64).wrapping_mul(size as i64).wrapping_mul(sign)));
        }
        let index = self.widen(index, signed, Type::I64);
        let size = match self.cx.types.size(elem) {
            Some(1) => None,
            Some(size) => Some(self.b.iconst(Type::I64, i128::from(size))),
            None => Some(self.size_value(elem, at)?),
        };
        let mut offset = match size {
            Some(size) => self.b.binary_nsw(BinaryOp::Imul, index, size),
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

    fn member_place(&mut self, e: Cursor<'tu>) -> R<Place> {
        let Some(member) = e.referenced() else {
            return self.internal("a member expression without a member", e);
        };
        let q = self.cx.types.of(e.ty());
        match member.kind() {
            CursorKind::FieldDecl => {}
            CursorKind::VarDecl => {
                // A static data member.
                if let Some(&object) = e.expressions().first() {
                    self.discard(object)?;
                }
                let global = self.cx.global(member, self.device)?;
                let ptr = self.b.global_addr(self.cx.module, global);
                let declared = self.cx.types.of(member.ty());
                let align = self.cx.types.align(declared.ty);
                return Ok(Place::new(ptr, align, q));
            }
            CursorKind::EnumConstantDecl => return self.materialize_constant(e),
            CursorKind::FunctionDecl | CursorKind::CXXMethod => {
                let func = self.cx.func(member, self.device)?;
                let ptr = self.b.func_addr(func);
                return Ok(Place::new(ptr, 1, q));
            }
            _ => return self.unsupported("this member expression", e),
        }
        let (base, record) = self.member_base(e)?;
        self.field_place(base, record, member, e)
    }

    /// The object of a member expression and its class.
    pub fn member_base(&mut self, e: Cursor<'tu>) -> R<(Place, RecId)> {
        // Template arguments that stand behind the member's name are children too. Where a macro writes the name behind
        // its argument, only the start of the whole tells.
        let (name, whole) = (e.place(), e.range().start);
        let object = e.expressions().first().copied().filter(|o| {
            let start = o.range().start;
            let q = self.cx.type_of(*o);
            let class = self.cx.types.pointee(q.ty).map_or(q.ty, |p| p.ty);
            (start.file != name.file || start.offset <= name.offset || start == whole)
                && self.cx.types.as_record(class).is_some()
        });
        let place = match object {
            None => self.this_place(e)?,
            Some(object) => {
                let q = self.cx.type_of(object);
                if self.cx.types.is_pointer(q.ty) {
                    let (ptr, align) = self.pointer_operand(object)?;
                    let pointee = self.cx.types.pointee(q.ty).unwrap_or(q);
                    Place::new(ptr, align, pointee)
                } else {
                    self.place(object)?
                }
            }
        };
        match self.cx.types.as_record(place.ty.ty) {
            Some(record) => Ok((place, record)),
            None => self.internal("a member of what is no class", e),
        }
    }

    fn unary_place(&mut self, e: Cursor<'tu>) -> R<Place> {
        let Some(&inner) = e.expressions().first() else {
            return self.internal("a unary operator without an operand", e);
        };
        match e.unary_operator() {
            clang_sys::CXUnaryOperator_Deref => {
                let q = self.cx.type_of(e);
                let (ptr, align) = self.pointer_operand(inner)?;
                let natural = self.cx.types.align(q.ty);
                Ok(Place::new(ptr, if align >= natural { natural } else { align }, q))
            }
            clang_sys::CXUnaryOperator_PreInc | clang_sys::CXUnaryOperator_PreDec => {
                self.increment(e, inner).map(|(place, _, _)| place)
            }
            clang_sys::CXUnaryOperator_Extension => self.place(inner),
            clang_sys::CXUnaryOperator_Real | clang_sys::CXUnaryOperator_Imag => {
                self.complex_part_place(e, inner)
            }
            _ => self.materialize(e),
        }
    }

    fn binary_place(&mut self, e: Cursor<'tu>) -> R<Place> {
        let exprs = e.expressions();
        let &[left, right] = exprs.as_slice() else {
            return self.internal("a binary operator of unknown shape", e);
        };
        match e.binary_operator() {
            clang_sys::CXBinaryOperator_Assign => self.assign(e, left, right).map(|(place, _)| place),
            clang_sys::CXBinaryOperator_Comma => {
                self.discard(left)?;
                self.place(right)
            }
            clang_sys::CXBinaryOperator_PtrMemD | clang_sys::CXBinaryOperator_PtrMemI => {
                self.member_pointer_place(e, left, right)
            }
            _ => self.materialize(e),
        }
    }

    fn conditional_place(&mut self, e: Cursor<'tu>) -> R<Place> {
        let exprs = e.expressions();
        let &[condition, yes, no] = exprs.as_slice() else {
            return self.internal("a conditional of unknown shape", e);
        };
        let q = self.cx.type_of(e);
        let throws = |arm: Cursor<'tu>| arm.kind() == CursorKind::CXXThrowExpr;
        let lvalue = self.cx.cxx
            && (self.is_lvalue(yes) || throws(yes))
            && (self.is_lvalue(no) || throws(no))
            && !(throws(yes) && throws(no));
        if !lvalue && !self.cx.types.is_aggregate(q.ty) {
            return self.materialize(e);
        }
        if !lvalue {
            return self.materialize(e);
        }
        let (then, other, end) = (self.b.make_block(), self.b.make_block(), self.b.make_block());
        let ir = if matches!(self.cx.types.kind(q.ty), Kind::Function(_)) {
            Type::Ptr(cudair_ir::Space::Code)
        } else {
            Type::GENERIC_PTR
        };
        let result = self.b.func.append_block_param(end, ir);
        self.before_arms();
        self.branch_on(condition, then, other)?;
        self.begin_arms();
        self.conditional += 1;
        let mut align = u32::MAX;
        for (block, arm) in [(then, yes), (other, no)] {
            self.b.switch_to(block);
            if throws(arm) {
                self.throw(arm)?;
                continue;
            }
            let place = self.place(arm)?;
            align = align.min(place.align);
            let ptr = self.as_pointer(place.ptr, ir);
            self.b.jump(end, &[ptr]);
        }
        self.conditional -= 1;
        self.end_arms();
        self.b.switch_to(end);
        Ok(Place::new(result, align, q))
    }

    /// Whether an expression names an object (as far as libclang lets one see).
    pub fn is_lvalue(&mut self, e: Cursor<'tu>) -> bool {
        match e.kind() {
            CursorKind::DeclRefExpr => e.referenced().is_some_and(|d| {
                matches!(
                    d.kind(),
                    CursorKind::VarDecl
                        | CursorKind::ParmDecl
                        | CursorKind::FunctionDecl
                        | CursorKind::UnexposedDecl
                )
            }),
            CursorKind::MemberRefExpr => e
                .referenced()
                .is_some_and(|d| matches!(d.kind(), CursorKind::FieldDecl | CursorKind::VarDecl)),
            CursorKind::ArraySubscriptExpr | CursorKind::StringLiteral => true,
            CursorKind::UnaryOperator => match e.unary_operator() {
                clang_sys::CXUnaryOperator_Deref => true,
                clang_sys::CXUnaryOperator_PreInc | clang_sys::CXUnaryOperator_PreDec => self.cx.cxx,
                _ => false,
            },
            CursorKind::BinaryOperator => match e.binary_operator() {
                clang_sys::CXBinaryOperator_Assign => self.cx.cxx,
                clang_sys::CXBinaryOperator_Comma => {
                    self.cx.cxx && e.expressions().get(1).copied().is_some_and(|r| self.is_lvalue(r))
                }
                clang_sys::CXBinaryOperator_PtrMemD | clang_sys::CXBinaryOperator_PtrMemI => true,
                _ => false,
            },
            CursorKind::CompoundAssignOperator => self.cx.cxx,
            CursorKind::ConditionalOperator => {
                let exprs = e.expressions();
                exprs.len() == 3 && self.is_lvalue(exprs[1]) && self.is_lvalue(exprs[2])
            }
            CursorKind::ParenExpr => e.expressions().first().copied().is_some_and(|i| self.is_lvalue(i)),
            CursorKind::UnexposedExpr => {
                let exprs = e.expressions();
                match exprs.as_slice() {
                    [inner] => {
                        let (to, from) = (self.cx.type_of(e), self.cx.type_of(*inner));
                        // Only a change of qualifiers or to a base keeps it an lvalue; the same
                        // type is a load. A scalar load drops qualifiers, so equal ones tell nothing:
                        // where both arms of a conditional are loads, the values are what counts.
                        (from.ty == to.ty && self.cx.types.is_aggregate(to.ty)
                            || from.ty == to.ty && to.is_const && !from.is_const)
                            && self.is_lvalue(*inner)
                    }
                    _ => false,
                }
            }
            CursorKind::CallExpr => {
                let callee = e.referenced().filter(|d| super::decl::is_function(d.kind()));
                match callee {
                    Some(d) => {
                        let result = self.cx.types.of(d.ty());
                        self.cx
                            .types
                            .function(result.ty)
                            .is_some_and(|f| matches!(self.cx.types.kind(f.ret.ty), Kind::Reference(_)))
                    }
                    None => false,
                }
            }
            CursorKind::CXXStaticCastExpr | CursorKind::CStyleCastExpr | CursorKind::CXXConstCastExpr => {
                // The type as written tells whether it is a cast to a reference.
                e.children().iter().any(|c| c.kind() == CursorKind::TypeRef)
                    && e.tokens(self.cx.unit).iter().take_while(|t| *t != ">" && *t != ")").any(|t| t == "&")
            }
            _ => false,
        }
    }

    fn compound_literal(&mut self, e: Cursor<'tu>) -> R<Place> {
        let q = self.cx.type_of(e);
        let Some(&list) = e.expressions().last() else {
            return self.internal("a compound literal without an initialiser", e);
        };
        let slot = self.temp_slot(q.ty, e)?;
        let ptr = self.b.slot_addr(slot);
        let align = self.cx.types.align(q.ty);
        self.init_object(ptr, align, q, list)?;
        Ok(Place::new(ptr, align, q))
    }

    fn call_place(&mut self, e: Cursor<'tu>) -> R<Place> {
        let q = self.cx.type_of(e);
        if let Some(pointer) = self.call_reference(e)? {
            return Ok(Place::new(pointer, self.cx.types.align(q.ty), q));
        }
        self.materialize(e)
    }

    /// The value in a place. Aggregates have none.
    pub fn load(&mut self, place: &Place, at: Cursor<'tu>) -> R<Value> {
        if let Some((first, width)) = place.bits {
            return self.load_bits(place, first, width, at);
        }
        let Some(ir) = self.cx.types.ir(place.ty.ty) else {
            return self.unsupported(format!("a value of type {}", self.cx.types.name(place.ty.ty)), at);
        };
        let flags = MemFlags::aligned(place.align.min(ir.align())).with_volatile(place.ty.volatile);
        Ok(self.b.load(ir, place.ptr, flags))
    }

    /// Stores a value; gives it as it is read back, which differs for bit-fields.
    pub fn store(&mut self, place: &Place, value: Value, at: Cursor<'tu>) -> R<Value> {
        if let Some((first, width)) = place.bits {
            return self.store_bits(place, first, width, value, at);
        }
        let value = match self.cx.types.ir(place.ty.ty) {
            Some(ir) if ir.is_ptr() => self.as_pointer(value, ir),
            _ => value,
        };
        let ir = self.b.ty(value);
        let flags = MemFlags::aligned(place.align.min(ir.align())).with_volatile(place.ty.volatile);
        self.b.store(value, place.ptr, flags);
        Ok(value)
    }
}
