//! Conversions between scalar types, implicit and explicit.

use super::bases::BasePath;
use super::func::FnLower;
use super::{At, R};
use crate::ast::{Cast, CastKind, Ex};
use crate::types::{Kind, RecId, Ty};
use cudair_ir::{CastOp, FloatCC, IntCC, Space, Type, Value};

impl<'tu> FnLower<'_, 'tu, '_> {
    /// Whether a scalar is not zero.
    pub fn truth(&mut self, value: Value, ty: Ty, at: At<'_>) -> R<Value> {
        let ir = self.b.ty(value);
        Ok(match ir {
            Type::I1 => value,
            _ if ir.is_int() => {
                // `(int)(a < b) != 0` is `a < b`.
                if let Some(inst) = self.b.func.def_inst(value)
                    && let cudair_ir::InstData::Cast { op: CastOp::Zext, arg, .. } = self.b.func.insts[inst]
                    && self.b.ty(arg) == Type::I1
                {
                    return Ok(arg);
                }
                let null = matches!(self.cx.ast.types.kind(ty), Kind::MemberData(_));
                let zero = self.b.iconst(ir, if null { -1 } else { 0 });
                self.b.icmp(IntCC::Ne, value, zero)
            }
            _ if ir.is_float() => {
                let zero = self.b.const_bits(ir, 0);
                self.b.fcmp(FloatCC::Une, value, zero)
            }
            _ if ir.is_ptr() => {
                let zero = self.b.null(ir);
                self.b.icmp(IntCC::Ne, value, zero)
            }
            _ => return self.unsupported("a condition of this type", at),
        })
    }

    /// Converts a scalar between types, as an implicit or explicit conversion does.
    pub fn convert(&mut self, value: Value, from: Ty, to: Ty, at: At<'_>) -> R<Value> {
        if from == to {
            return Ok(value);
        }
        let types = &self.cx.ast.types;
        let (from_kind, to_kind) = (types.kind(from).clone(), types.kind(to).clone());
        let Some(ir) = types.ir(to) else {
            return self.unsupported(format!("a conversion to {}", self.cx.ast.types.name(to)), at);
        };
        let signed = |k: &Kind| matches!(k, Kind::Int { signed: true, .. });
        let have = self.b.ty(value);
        Ok(match (&from_kind, &to_kind) {
            (_, Kind::Bool) => self.truth(value, from, at)?,
            (Kind::Bool | Kind::Int { .. }, Kind::Int { .. }) => self.widen(value, signed(&from_kind), ir),
            (Kind::Bool, Kind::Float(_)) => {
                let wide = self.b.cast(CastOp::Zext, Type::I32, value);
                self.b.cast(CastOp::Sitofp, ir, wide)
            }
            (Kind::Int { .. }, Kind::Float(_)) => {
                let op = if signed(&from_kind) { CastOp::Sitofp } else { CastOp::Uitofp };
                self.b.cast(op, ir, value)
            }
            (Kind::Float(_), Kind::Int { signed, .. }) => {
                let op = if *signed { CastOp::Fptosi } else { CastOp::Fptoui };
                self.b.cast(op, ir, value)
            }
            (Kind::Float(_), Kind::Float(_)) => {
                let op = match have.bits().cmp(&ir.bits()) {
                    std::cmp::Ordering::Less => CastOp::Fpext,
                    std::cmp::Ordering::Greater => CastOp::Fptrunc,
                    std::cmp::Ordering::Equal => CastOp::Fpconv,
                };
                self.b.cast(op, ir, value)
            }
            (Kind::Pointer(_) | Kind::NullPtr, Kind::Int { .. }) => {
                let value = self.generic(value);
                let bits = self.b.cast(CastOp::Ptrtoint, Type::I64, value);
                self.widen(bits, false, ir)
            }
            (Kind::Bool | Kind::Int { .. }, Kind::Pointer(_) | Kind::NullPtr) => {
                if self.b.func.const_bits(value) == Some(0) {
                    return Ok(self.b.null(ir));
                }
                let bits = self.widen(value, signed(&from_kind), Type::I64);
                let pointer = self.b.cast(CastOp::Inttoptr, Type::GENERIC_PTR, bits);
                self.as_pointer(pointer, ir)
            }
            (Kind::NullPtr, Kind::Pointer(_)) => self.b.null(ir),
            (Kind::Pointer(a), Kind::Pointer(b)) => {
                let (a, b) = (*a, *b);
                let value = match (self.virtual_path(a.ty, b.ty), self.class_adjustment(a.ty, b.ty)) {
                    (Some((derived, path)), _) => self.pointer_to_base(value, derived, path, at)?,
                    (None, Some(0) | None) => value,
                    (None, Some(offset)) => self.adjust_nullable(value, offset),
                };
                // The space of an object's address is kept; only functions are apart from objects.
                let is_code = ir == Type::Ptr(Space::Code);
                let have_code = self.b.ty(value) == Type::Ptr(Space::Code);
                if is_code == have_code { value } else { self.as_pointer(value, ir) }
            }
            (Kind::NullPtr | Kind::Int { .. }, Kind::MemberData(_)) => self.b.iconst(ir, -1),
            (Kind::NullPtr | Kind::Int { .. }, Kind::MemberFunction(..)) => self.b.iconst(ir, 0),
            (Kind::MemberData(a), Kind::MemberData(b))
            | (Kind::MemberFunction(a, _), Kind::MemberFunction(b, _)) => {
                self.convert_member_pointer(value, *a, *b)
            }
            _ => {
                let (from, to) = (self.cx.ast.types.name(from), self.cx.ast.types.name(to));
                return self.unsupported(format!("a conversion from {from} to {to}"), at);
            }
        })
    }

    /// The way from a class to its base, where that goes through a virtual one.
    fn virtual_path(&mut self, from: Ty, to: Ty) -> Option<(RecId, BasePath)> {
        if !self.cx.ast.cxx || from == to {
            return None;
        }
        let (a, b) = (self.cx.ast.types.as_record(from)?, self.cx.ast.types.as_record(to)?);
        let path = self.cx.base_path(a, b).filter(|p| p.through.is_some())?;
        Some((a, path))
    }

    /// What a pointer to class `from` moves by when it becomes one to class `to`.
    pub fn class_adjustment(&mut self, from: Ty, to: Ty) -> Option<i64> {
        if !self.cx.ast.cxx || from == to {
            return None;
        }
        let (a, b) = (self.cx.ast.types.as_record(from)?, self.cx.ast.types.as_record(to)?);
        if let Some(offset) = self.base_offset(a, b) {
            return Some(offset as i64);
        }
        self.base_offset(b, a).map(|offset| -(offset as i64))
    }

    /// Moves a pointer unless it is null.
    pub fn adjust_nullable(&mut self, value: Value, offset: i64) -> Value {
        let ir = self.b.ty(value);
        let zero = self.b.null(ir);
        let is_null = self.b.icmp(IntCC::Eq, value, zero);
        let moved = self.b.ptr_offset(value, offset);
        self.b.select(is_null, zero, moved)
    }

    pub fn cast(&mut self, cast: Cast<'tu>, e: Ex<'tu>) -> R<Value> {
        let inner = cast.operand;
        let (from, to) = (inner.q, e.q);
        if from.ty == to.ty && !inner.is_list() {
            return self.rv(inner);
        }
        if let Kind::Array { .. } | Kind::Vla { .. } = self.cx.ast.types.kind(from.ty) {
            let place = self.place(inner)?;
            let pointer = self.cx.ast.types.decayed(from).ty;
            return self.convert(place.ptr, pointer, to.ty, e);
        }
        if let Kind::Function(_) = self.cx.ast.types.kind(from.ty) {
            let value = self.function_value(inner)?;
            let pointer = self.cx.ast.types.decayed(from).ty;
            return self.convert(value, pointer, to.ty, e);
        }
        if inner.is_list() {
            return self.rv_as(inner, to.ty);
        }
        if self.cx.ast.types.is_aggregate(from.ty) {
            // `reinterpret_cast<int&>(object)` read as a value, or a class converted by an operator.
            if cast.kind == CastKind::Reinterpret || self.cx.ast.types.as_record(from.ty).is_some() {
                let place = self.place(e)?;
                return self.load(&place, e);
            }
        }
        if cast.kind == CastKind::Reinterpret && from.ty != to.ty {
            let pointers = self.cx.ast.types.is_pointer(from.ty) && self.cx.ast.types.is_pointer(to.ty);
            let mixed = self.cx.ast.types.is_pointer(from.ty) != self.cx.ast.types.is_pointer(to.ty);
            if pointers {
                let value = self.rv(inner)?;
                let ir = self.pointer_type(to.ty)?;
                return Ok(self.as_pointer(value, ir));
            }
            if !mixed {
                let place = self.place(e)?;
                return self.load(&place, e);
            }
        }
        let value = self.rv(inner)?;
        self.convert(value, from.ty, to.ty, e)
    }

    pub fn bit_cast(&mut self, inner: Ex<'tu>, e: Ex<'tu>) -> R<Value> {
        let place = self.place(inner)?;
        let place = super::lvalue::Place { ty: e.q, ..place };
        self.load(&place, e)
    }
}
