//! `typeid`, `dynamic_cast`, and pointers to member functions.
//!
//! A pointer to a member function is 16 bytes, as the Itanium C++ ABI has it: the function, or an odd number that
//! tells the entry of the object's virtual table, and what `this` is to be moved by.

use super::R;
use super::func::FnLower;
use super::lvalue::Place;
use super::virtuals::{ENTRY, HEAD};
use crate::ast::{BinaryOp, Cast, CastKind, Ex, ExprKind, TypeBase, Typeid, UnaryOp, WrittenType};
use crate::types::Decl;
use crate::types::{FnTy, Kind, RecId, Ty};
use cudair_ir::{
    BinaryOp as IrOp, CastOp, GlobalId, IntCC, MemFlags, Param, Signature, Space, TrapCode, Type, Value,
};
use std::rc::Rc;

impl<'tu> FnLower<'_, 'tu, '_> {
    // `typeid`

    /// The `std::type_info` that a `typeid` names.
    pub(super) fn typeid_place(&mut self, of: Typeid<'tu>, e: Ex<'tu>) -> R<Place> {
        if self.frame.device() {
            return self.unsupported("typeid in device code", e);
        }
        let q = e.q;
        let operand = match of {
            Typeid::Object(operand) => operand,
            Typeid::Type(written) => {
                let info = self.written_type_info(written, e)?;
                let ptr = self.b.global_addr(self.cx.module, info);
                return Ok(Place::new(ptr, 8, q));
            }
        };
        let of = operand.q;
        let dynamic = self.cx.ast.types.as_record(of.ty).filter(|&id| self.cx.is_dynamic(id));
        if dynamic.is_none() || !self.is_glvalue(operand) {
            // The operand is not evaluated.
            let info = self.cx.type_info(operand.written_type(), e)?;
            let ptr = self.b.global_addr(self.cx.module, info);
            return Ok(Place::new(ptr, 8, q));
        }
        let object = self.place(operand)?.ptr;
        let object = self.generic(object);
        if dereferences(operand) {
            let (bad, good) = (self.b.make_block(), self.b.make_block());
            let null = self.b.null(Type::GENERIC_PTR);
            let is_null = self.b.icmp(IntCC::Eq, object, null);
            self.b.branch(is_null, bad, good);
            self.b.switch_to(bad);
            self.throw_of_library("__cxa_bad_typeid");
            self.b.switch_to(good);
        }
        let table = self.b.load(Type::GENERIC_PTR, object, MemFlags::aligned(8));
        let info = self.b.ptr_offset(table, -8);
        let info = self.b.load(Type::GENERIC_PTR, info, MemFlags::aligned(8));
        Ok(Place::new(info, 8, q))
    }

    /// Whether an expression names an object, as far as it matters for classes.
    fn is_glvalue(&mut self, e: Ex<'tu>) -> bool {
        match e.kind {
            ExprKind::This | ExprKind::Cast(Cast { kind: CastKind::Functional, .. }) => false,
            ExprKind::DynamicCast(_) | ExprKind::Cast(_) => true,
            _ => match e.operand() {
                Some(inner) => self.is_glvalue(inner),
                None => self.is_lvalue(e),
            },
        }
    }

    /// The description of a type that `typeid` names.
    fn written_type_info(&mut self, written: &'tu WrittenType<'tu>, e: Ex<'tu>) -> R<GlobalId> {
        let &WrittenType { ref base, is_const, is_volatile, ref levels } = written;
        match base {
            TypeBase::Builtin(mangled, words) => {
                let base = self.cx.simple_type_info(mangled, words);
                Ok(self.pointers_to(base, is_const, is_volatile, levels))
            }
            TypeBase::Type(ty) if levels.is_empty() => self.cx.type_info(*ty, e),
            TypeBase::Type(ty) => {
                let ty = ty.canonical();
                let inner = self.cx.exact_type_info(ty.unqualified().canonical(), e)?;
                Ok(self.pointers_to(inner, is_const || ty.is_const(), is_volatile, levels))
            }
        }
    }

    /// The description of pointers to a type, the outermost level first.
    fn pointers_to(
        &mut self,
        base: GlobalId,
        mut is_const: bool,
        mut is_volatile: bool,
        levels: &[(bool, bool)],
    ) -> GlobalId {
        let mut info = base;
        for &(outer_const, outer_volatile) in levels.iter().rev() {
            info = self.cx.pointer_type_info(info, is_const, is_volatile);
            (is_const, is_volatile) = (outer_const, outer_volatile);
        }
        info
    }

    /// Throws what a function of the run-time library throws.
    pub(super) fn throw_of_library(&mut self, name: &str) {
        let func = self.cx.native(name, Signature::default(), self.frame.device());
        self.call_func(func, &[]);
        self.b.trap(TrapCode::Unreachable);
    }

    // `dynamic_cast`

    /// `dynamic_cast` to a pointer.
    pub(super) fn dynamic_cast(&mut self, operand: Ex<'tu>, e: Ex<'tu>) -> R<Value> {
        let (from, to) = (operand.q, e.q);
        let (Some(source), Some(target)) =
            (self.cx.ast.types.pointee(from.ty), self.cx.ast.types.pointee(to.ty))
        else {
            return self.unsupported("this dynamic_cast", e);
        };
        let value = self.rv(operand)?;
        if let Some(value) = self.static_upcast(value, source.ty, target.ty, e)? {
            return Ok(value);
        }
        let value = self.generic(value);
        if matches!(self.cx.ast.types.kind(target.ty), Kind::Void) {
            return self.most_derived(value);
        }
        self.checked_cast(value, source.ty, target.ty, e)
    }

    /// `dynamic_cast` to a reference.
    pub(super) fn dynamic_cast_place(&mut self, operand: Ex<'tu>, e: Ex<'tu>) -> R<Place> {
        let (from, to) = (operand.q, e.q);
        let object = self.place(operand)?.ptr;
        let align = self.cx.ast.types.align(to.ty);
        if let Some(ptr) = self.static_upcast(object, from.ty, to.ty, e)? {
            return Ok(Place::new(ptr, align, to));
        }
        let object = self.generic(object);
        let result = self.checked_cast(object, from.ty, to.ty, e)?;
        let (bad, good) = (self.b.make_block(), self.b.make_block());
        let null = self.b.null(Type::GENERIC_PTR);
        let failed = self.b.icmp(IntCC::Eq, result, null);
        self.b.branch(failed, bad, good);
        self.b.switch_to(bad);
        self.throw_of_library("__cxa_bad_cast");
        self.b.switch_to(good);
        Ok(Place::new(result, align, to))
    }

    /// A cast that needs no look at the object: to the same class or a base.
    fn static_upcast(&mut self, value: Value, from: Ty, to: Ty, e: Ex<'tu>) -> R<Option<Value>> {
        if from == to {
            return Ok(Some(value));
        }
        let (Some(derived), Some(base)) =
            (self.cx.ast.types.as_record(from), self.cx.ast.types.as_record(to))
        else {
            return Ok(None);
        };
        match self.cx.base_path(derived, base) {
            Some(path) => self.pointer_to_base(value, derived, path, e).map(Some),
            None => Ok(None),
        }
    }

    /// The start of the whole object, null for null.
    fn most_derived(&mut self, value: Value) -> R<Value> {
        let (look, end) = (self.b.make_block(), self.b.make_block());
        let result = self.b.func.append_block_param(end, Type::GENERIC_PTR);
        let null = self.b.null(Type::GENERIC_PTR);
        let some = self.b.icmp(IntCC::Ne, value, null);
        let (then, other) = (self.b.target(look, &[]), self.b.target(end, &[null]));
        self.b.branch_with(some, then, other);
        self.b.switch_to(look);
        let table = self.b.load(Type::GENERIC_PTR, value, MemFlags::aligned(8));
        let offset = self.b.ptr_offset(table, -(HEAD as i64));
        let offset = self.b.load(Type::I64, offset, MemFlags::aligned(8));
        let whole = self.b.ptr_add(value, offset);
        self.b.jump(end, &[whole]);
        self.b.switch_to(end);
        Ok(result)
    }

    fn checked_cast(&mut self, value: Value, from: Ty, to: Ty, e: Ex<'tu>) -> R<Value> {
        if self.frame.device() {
            return self.unsupported("dynamic_cast in device code", e);
        }
        let mut infos = Vec::new();
        for ty in [from, to] {
            let Some(id) = self.cx.ast.types.as_record(ty) else {
                return self.unsupported("this dynamic_cast", e);
            };
            let class = self.cx.ast.types.record(id).clang.canonical().unqualified();
            let info = self.cx.exact_type_info(class, e)?;
            let info = self.b.global_addr(self.cx.module, info);
            infos.push(self.generic(info));
        }
        let params = [Type::GENERIC_PTR; 3].map(Param::new).to_vec();
        let sig = Signature { params, ret: Some(Type::GENERIC_PTR), variadic: false };
        let func = self.cx.native("__cudair_dynamic_cast", sig, false);
        self.enter(e);
        match self.b.call(self.cx.module, func, &[value, infos[0], infos[1]]) {
            Some(result) => Ok(result),
            None => self.internal("a cast without a result", e),
        }
    }

    // Pointers to member functions.

    /// `&Class::function`
    pub(super) fn member_function_pointer(&mut self, function: Decl<'tu>, e: Ex<'tu>) -> R<Value> {
        if function.is_virtual_method() {
            let class = function.semantic_parent().map(|p| self.cx.ast.types.of(p.ty()).ty);
            let Some(id) = class.and_then(|c| self.cx.ast.types.as_record(c)) else {
                return self.internal("a virtual function outside a class", e);
            };
            let n = self.table_entry(id, function, e)?;
            return Ok(self.b.iconst(Type::I128, 1 + 2 * n as i128));
        }
        let func = self.cx.func(function, self.frame.device())?;
        let address = self.b.func_addr(func);
        let bits = self.b.cast(CastOp::Ptrtoint, Type::I64, address);
        Ok(self.b.cast(CastOp::Zext, Type::I128, bits))
    }

    /// Which entry of a class's table a virtual function has.
    fn table_entry(&mut self, id: RecId, function: Decl<'tu>, e: Ex<'tu>) -> R<usize> {
        let found = self.cx.table_entry(id, function);
        match found {
            Some(n) => Ok(n),
            None => self.unsupported(format!("a pointer to `{}`", function.spelling()), e),
        }
    }

    /// The function type behind `object.*pointer` or `pointer->*pointer`, if an expression is that.
    pub(super) fn bound_member_type(&mut self, e: Ex<'tu>) -> Option<Rc<FnTy>> {
        let (.., pointer) = bound_member(e)?;
        let ty = pointer.q.ty;
        match self.cx.ast.types.kind(ty) {
            Kind::MemberFunction(_, f) => Some(f.clone()),
            _ => None,
        }
    }

    /// The function that `object.*pointer` calls, and the object.
    pub(super) fn bound_member_callee(&mut self, e: Ex<'tu>) -> R<(Value, Value)> {
        let Some((e, op, left, right)) = bound_member(e) else {
            return self.internal("a bound member of unknown shape", e);
        };
        let object = if op == BinaryOp::PtrMemI { self.rv(left)? } else { self.place(left)?.ptr };
        let object = self.generic(object);
        let pointer = self.rv(right)?;
        self.enter(e);
        let function = self.b.cast(CastOp::Trunc, Type::I64, pointer);
        let amount = self.b.iconst(Type::I128, 64);
        let high = self.b.binary(IrOp::Lshr, pointer, amount);
        let by = self.b.cast(CastOp::Trunc, Type::I64, high);
        let object = self.b.ptr_add(object, by);
        let (looked_up, direct, end) = (self.b.make_block(), self.b.make_block(), self.b.make_block());
        let code = Type::Ptr(Space::Code);
        let callee = self.b.func.append_block_param(end, code);
        let one = self.b.iconst(Type::I64, 1);
        let low = self.b.binary(IrOp::And, function, one);
        let zero = self.b.iconst(Type::I64, 0);
        let is_virtual = self.b.icmp(IntCC::Ne, low, zero);
        self.b.branch(is_virtual, looked_up, direct);
        self.b.switch_to(looked_up);
        let table = self.b.load(Type::GENERIC_PTR, object, MemFlags::aligned(8));
        let entry = self.b.binary(IrOp::Isub, function, one);
        let half = self.b.iconst(Type::I64, i128::from(ENTRY / 2));
        let offset = self.b.binary(IrOp::Imul, entry, half);
        let entry = self.b.ptr_add(table, offset);
        let found = self.b.load(code, entry, MemFlags::aligned(8));
        self.b.jump(end, &[found]);
        self.b.switch_to(direct);
        let pointer = self.b.cast(CastOp::Inttoptr, Type::GENERIC_PTR, function);
        let pointer = self.as_pointer(pointer, code);
        self.b.jump(end, &[pointer]);
        self.b.switch_to(end);
        Ok((callee, object))
    }

    /// A pointer to a member of class `from` as one of class `to`.
    pub(super) fn convert_member_pointer(&mut self, value: Value, from: Ty, to: Ty) -> Value {
        let by = match self.class_adjustment(to, from) {
            Some(by) if by != 0 => by,
            _ => return value,
        };
        let ty = self.b.ty(value);
        let (null, by) = match ty {
            Type::I128 => (0, i128::from(by) << 64),
            _ => (-1, i128::from(by)),
        };
        let null = self.b.iconst(ty, null);
        let is_null = self.b.icmp(IntCC::Eq, value, null);
        let by = self.b.iconst(ty, by);
        let moved = self.b.binary(IrOp::Iadd, value, by);
        self.b.select(is_null, null, moved)
    }
}

/// The `object.*pointer` that an expression is, parentheses and conversions aside.
fn bound_member(mut e: Ex<'_>) -> Option<(Ex<'_>, BinaryOp, Ex<'_>, Ex<'_>)> {
    loop {
        match e.kind {
            ExprKind::Binary(op, left, right) => {
                return op.is_member_pointer().then_some((e, op, left, right));
            }
            _ => e = e.operand()?,
        }
    }
}

/// Whether an expression is `*p`, which may be null.
fn dereferences(mut e: Ex<'_>) -> bool {
    loop {
        match e.kind {
            ExprKind::Unary(op, _) => return op == UnaryOp::Deref,
            _ => match e.operand() {
                Some(inner) => e = inner,
                None => return false,
            },
        }
    }
}
