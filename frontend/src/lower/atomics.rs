//! The compiler's atomic operations: `__atomic_…`, `__c11_atomic_…` and the macros on top of them.
//!
//! libclang shows one as an expression of unknown kind: the pointer, the order, the first value, the order
//! of a failure, the second value, whether it may fail for no reason; what there is none of is left out.

use super::call::CallResult;
use super::func::FnLower;
use super::{At, R};
use crate::ast::{Atomic, Call, Ex};
use crate::clang::Evaluated;
use crate::types::{Kind, Ty};
use cudair_ir::{AtomicOp, BinaryOp, CastOp, InstData, IntCC, MemFlags, MemOrder, Scope, Type, Value};

const ORDER: MemOrder = MemOrder::SeqCst;
const SCOPE: Scope = Scope::System;

impl<'tu> FnLower<'_, 'tu, '_> {
    /// An atomic operation of the compiler's.
    pub fn atomic(&mut self, atomic: &'tu Atomic<'tu>, e: Ex<'tu>) -> R<CallResult> {
        let (pointer, rest, name) = (atomic.pointer, atomic.operands, atomic.name.as_str());
        let Some(target) = self.cx.ast.types.pointee(pointer.q.ty) else {
            return self.internal("an atomic without a pointer", e);
        };
        let ty = target.ty;
        let Some(cell) = self.cell(ty) else {
            return self.unsupported(format!("an atomic on {}", self.cx.ast.types.name(ty)), e);
        };
        let (base, by_value) = match name.strip_suffix("_n") {
            Some(base) => (base, true),
            None => (name, false),
        };
        let q = e.q;
        // `__c11_atomic_exchange` and the macros take values where `__atomic_exchange` takes pointers.
        let result_is_void = matches!(self.cx.ast.types.kind(q.ty), Kind::Void);
        let value = CallResult::Value;
        let ptr = self.rv(pointer)?;
        if let Some((op, after)) = base
            .strip_prefix("fetch_")
            .map(|op| (op, false))
            .or_else(|| base.strip_suffix("_fetch").map(|op| (op, true)))
        {
            let &[amount] = rest else { return self.internal("an atomic without an operand", e) };
            return self.atomic_arithmetic(atomic, e, op, after, ptr, ty, amount).map(value);
        }
        match (base, rest) {
            ("load", []) => self.atomic_load(ptr, cell, ty, e).map(value),
            ("load", &[to]) => {
                let to = self.rv(to)?;
                self.enter(e);
                let loaded = self.raw_load(ptr, cell, e)?;
                self.b.store(loaded, to, MemFlags::natural(cell));
                Ok(CallResult::None)
            }
            ("store" | "init", &[from]) => {
                let from = if by_value || !self.takes_pointer(from, ty) {
                    let v = self.rv_as(from, ty)?;
                    self.as_cell(v)
                } else {
                    let from = self.rv(from)?;
                    self.b.load(cell, from, MemFlags::natural(cell))
                };
                self.enter(e);
                self.b.atomic_store(ORDER, SCOPE, from, ptr);
                Ok(CallResult::None)
            }
            ("exchange", &[new]) => {
                let new = self.rv_as(new, ty)?;
                let new = self.as_cell(new);
                self.enter(e);
                let old = self.b.atomic_rmw(AtomicOp::Xchg, ORDER, SCOPE, ptr, new);
                self.cell_value(old, ty, e).map(value)
            }
            ("exchange", &[new, to]) if result_is_void => {
                let new = self.rv(new)?;
                let new = self.b.load(cell, new, MemFlags::natural(cell));
                let to = self.rv(to)?;
                self.enter(e);
                let old = self.b.atomic_rmw(AtomicOp::Xchg, ORDER, SCOPE, ptr, new);
                self.b.store(old, to, MemFlags::natural(cell));
                Ok(CallResult::None)
            }
            ("compare_exchange" | "compare_exchange_strong" | "compare_exchange_weak", _) => {
                let (&[expected, new] | &[expected, _, new] | &[expected, _, new, _]) = rest else {
                    return self.unsupported("this atomic", e);
                };
                let expected = self.rv(expected)?;
                let new = if by_value || !self.takes_pointer(new, ty) {
                    let new = self.rv_as(new, ty)?;
                    self.as_cell(new)
                } else {
                    let new = self.rv(new)?;
                    self.b.load(cell, new, MemFlags::natural(cell))
                };
                self.enter(e);
                let want = self.b.load(cell, expected, MemFlags::natural(cell));
                let old = self.b.atomic_cas(ORDER, SCOPE, ptr, want, new);
                self.b.store(old, expected, MemFlags::natural(cell));
                Ok(CallResult::Value(self.b.icmp(IntCC::Eq, old, want)))
            }
            ("test_and_set", []) => {
                self.enter(e);
                let one = self.b.iconst(cell, 1);
                let old = self.b.atomic_rmw(AtomicOp::Xchg, ORDER, SCOPE, ptr, one);
                let zero = self.b.iconst(cell, 0);
                Ok(CallResult::Value(self.b.icmp(IntCC::Ne, old, zero)))
            }
            ("clear", []) => {
                self.enter(e);
                let zero = self.b.iconst(cell, 0);
                self.b.atomic_store(ORDER, SCOPE, zero, ptr);
                Ok(CallResult::None)
            }
            _ => self.unsupported(format!("the atomic builtin `{name}`"), e),
        }
    }

    /// Whether an operand is a pointer to a value of the atomic's type rather than such a value.
    fn takes_pointer(&mut self, operand: Ex<'tu>, ty: Ty) -> bool {
        let given = operand.q.ty;
        given != ty && self.cx.ast.types.pointee(given).is_some_and(|p| p.ty == ty)
    }

    /// The type in which a value of type `ty` is accessed atomically.
    fn cell(&mut self, ty: Ty) -> Option<Type> {
        match self.cx.ast.types.ir(ty)? {
            Type::I1 => Some(Type::I8),
            Type::F80 => None,
            other => Some(other),
        }
    }

    fn as_cell(&mut self, value: Value) -> Value {
        if self.b.ty(value) == Type::I1 { self.b.cast(CastOp::Zext, Type::I8, value) } else { value }
    }

    fn cell_value(&mut self, value: Value, ty: Ty, at: At<'_>) -> R<Value> {
        if self.cx.ast.types.ir(ty) == Some(Type::I1) {
            return self.truth(value, ty, at);
        }
        Ok(value)
    }

    fn raw_load(&mut self, ptr: Value, cell: Type, at: At<'_>) -> R<Value> {
        let site = self.b.site();
        let load = InstData::AtomicLoad { ty: cell, order: ORDER, scope: SCOPE, ptr, site };
        let inst = self.b.push(load, &[cell]);
        match self.b.func.result(inst) {
            Some(v) => Ok(v),
            None => self.internal("a load without a result", at),
        }
    }

    fn atomic_load(&mut self, ptr: Value, cell: Type, ty: Ty, e: Ex<'tu>) -> R<Value> {
        self.enter(e);
        let loaded = self.raw_load(ptr, cell, e)?;
        self.cell_value(loaded, ty, e)
    }

    /// `__atomic_fetch_add` and kin, `__atomic_add_fetch` and kin.
    fn atomic_arithmetic(
        &mut self,
        of: &'tu Atomic<'tu>,
        e: Ex<'tu>,
        op: &str,
        after: bool,
        ptr: Value,
        ty: Ty,
        amount: Ex<'tu>,
    ) -> R<Value> {
        let (atomic, plain) = match op {
            "add" => (Some(AtomicOp::Add), BinaryOp::Iadd),
            "sub" => (Some(AtomicOp::Sub), BinaryOp::Isub),
            "and" => (Some(AtomicOp::And), BinaryOp::And),
            "or" => (Some(AtomicOp::Or), BinaryOp::Or),
            "xor" => (Some(AtomicOp::Xor), BinaryOp::Xor),
            "nand" => (None, BinaryOp::And),
            _ => return self.unsupported(format!("the atomic builtin `fetch_{op}`"), e),
        };
        if let Some(pointee) = self.cx.ast.types.pointee(ty) {
            return self.atomic_pointer_step(of, e, op, after, ptr, (ty, pointee.ty), amount);
        }
        let Some(ir) = self.cx.ast.types.ir(ty).filter(|ir| ir.is_int() && *ir != Type::I1) else {
            return self.unsupported("atomic arithmetic on this type", e);
        };
        let amount = self.rv_as(amount, ty)?;
        self.enter(e);
        let Some(atomic) = atomic else {
            return self.unsupported("an atomic not-and", e);
        };
        let old = self.b.atomic_rmw(atomic, ORDER, SCOPE, ptr, amount);
        debug_assert!(self.b.ty(old) == ir);
        Ok(if after { self.b.binary(plain, old, amount) } else { old })
    }

    /// Moves an atomic pointer: by bytes with `__atomic`, by elements with `__c11_atomic`.
    fn atomic_pointer_step(
        &mut self,
        of: &'tu Atomic<'tu>,
        e: Ex<'tu>,
        op: &str,
        after: bool,
        ptr: Value,
        (ty, pointee): (Ty, Ty),
        amount: Ex<'tu>,
    ) -> R<Value> {
        if !matches!(op, "add" | "sub") {
            return self.unsupported("this atomic on a pointer", e);
        }
        let elem = if of.gnu { self.cx.ast.types.void } else { pointee };
        let amount_ty = amount.q.ty;
        let amount = self.rv(amount)?;
        let ir = self.pointer_type(ty)?;
        self.enter(e);
        // Nothing runs between the two on one thread of the host.
        let old = self.raw_load(ptr, ir, e)?;
        let new = self.offset_pointer(old, amount, amount_ty, elem, op == "sub", e)?;
        let old = self.b.atomic_rmw(AtomicOp::Xchg, ORDER, SCOPE, ptr, new);
        Ok(if after { new } else { old })
    }

    /// The atomic builtins that are calls.
    pub fn atomic_call(&mut self, call: &'tu Call<'tu>, e: Ex<'tu>, name: &str) -> R<Option<CallResult>> {
        match name {
            "thread_fence" => {
                self.enter(e);
                self.b.fence(ORDER, SCOPE);
                Ok(Some(CallResult::None))
            }
            "signal_fence" => Ok(Some(CallResult::None)),
            "always_lock_free" | "is_lock_free" => {
                let size = call.args.first().and_then(|a| a.value());
                let free = match (e.folded(), size) {
                    (Some(Evaluated::Int(v)), _) => v != 0,
                    (_, Some(Evaluated::Int(size))) => matches!(size, 1 | 2 | 4 | 8),
                    _ => return self.unsupported(format!("the builtin `__atomic_{name}`"), e),
                };
                Ok(Some(CallResult::Value(self.b.iconst(Type::I1, i128::from(free)))))
            }
            _ => Ok(None),
        }
    }
}
