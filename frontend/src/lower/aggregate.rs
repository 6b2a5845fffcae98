//! Objects: initialising them from expressions, whatever their type.

use super::copying::Source;
use super::func::FnLower;
use super::init::{peel_init, string_literal};
use super::leaves::{Leaf, LeafValue, covered};
use super::lvalue::{Place, align_at};
use super::{At, R};
use crate::ast::{BinaryOp, Cast, CastKind, Ex, ExprKind, UnaryOp};
use crate::types::{Kind, QTy};
use crate::types::{string_bytes, string_units};
use cudair_ir::{MemFlags, Type, Value};

/// Initialiser lists of at least this many constant members are copied from a constant.
const COPIED_LIST: usize = 16;

impl<'tu> FnLower<'_, 'tu, '_> {
    /// Initialises the object of type `q` at `dst` from an initialiser.
    pub fn init_object(&mut self, dst: Value, align: u32, q: QTy, e: Ex<'tu>) -> R<()> {
        if let Some(part) = self.complex_part(q.ty) {
            return self.init_complex(dst, q, part, e);
        }
        let inner = peel_init(e);
        if inner.is_list() && self.cx.ast.types.is_aggregate(q.ty) {
            return self.init_from_list(dst, align, q, inner);
        }
        self.in_list(false, |f| f.init_leaf(dst, align, q, None, e))
    }

    fn init_from_list(&mut self, dst: Value, align: u32, q: QTy, list: Ex<'tu>) -> R<()> {
        if self.cx.is_hidden_construction(q.ty, list) {
            return self.hidden_construct(dst, q, list);
        }
        let old = self.enter(list);
        let leaves = self.cx.flatten(q, list)?;
        let size = self.cx.ast.types.size(q.ty);
        if let (Some(size), true) = (size, leaves.len() >= COPIED_LIST) {
            let space = if self.frame.device() { cudair_ir::Space::Const } else { cudair_ir::Space::Host };
            if let Some(cudair_ir::GlobalInit::Data { bytes, relocs }) =
                self.cx.constant_data(q, list, size, space)?
                && relocs.is_empty()
            {
                let global = self.cx.constant_bytes(bytes, align.max(1), self.frame.device());
                let src = self.b.global_addr(self.cx.module, global);
                self.copy_bytes(dst, src, size, align);
                self.b.set_loc(old);
                return Ok(());
            }
        }
        // What the list leaves out is zero; padding is too, which nothing can tell.
        if size.is_none_or(|s| s > covered(&leaves) / 8) {
            self.zero_object(dst, align, q, list)?;
        }
        self.sequence_items(&leaves);
        let mark = self.cleanups.mark();
        let last = leaves.len();
        for (n, leaf) in leaves.iter().enumerate() {
            self.init_member(dst, align, leaf, list)?;
            if n + 1 < last && leaf.width.is_none() && self.cx.needs_destruction(leaf.ty.ty) {
                let part = self.b.ptr_offset(dst, (leaf.offset_bits / 8) as i64);
                self.register_part(leaf.ty.ty, part, list)?;
            }
        }
        self.cleanups.drop_parts(mark);
        self.b.set_loc(old);
        Ok(())
    }

    fn init_member(&mut self, base: Value, align: u32, leaf: &Leaf<'tu>, at: At<'_>) -> R<()> {
        let offset = leaf.offset_bits / 8;
        let align = align_at(align, offset);
        match leaf.value {
            LeafValue::Expr(e) => {
                if let Some(width) = leaf.width {
                    let value = self.rv_as(e, leaf.ty.ty)?;
                    let ptr = self.b.ptr_offset(base, offset as i64);
                    let mut place = Place::new(ptr, align, leaf.ty);
                    place.bits = Some(((leaf.offset_bits % 8) as u32, width));
                    self.store(&place, value, e)?;
                    return Ok(());
                }
                let ptr = self.b.ptr_offset(base, offset as i64);
                let reference = matches!(self.cx.ast.types.kind(leaf.ty.ty), Kind::Reference(_));
                let extends_here = self.temporaries.list_extends();
                if extends_here && self.is_std_list(leaf.ty.ty) {
                    return self.with_living_list(e, |f| f.init_leaf(ptr, align, leaf.ty, None, e));
                }
                self.in_list(reference && extends_here, |f| f.init_leaf(ptr, align, leaf.ty, None, e))
            }
            LeafValue::Zero => {
                let ptr = self.b.ptr_offset(base, offset as i64);
                if leaf.width.is_none() {
                    return self.zero_object(ptr, align, leaf.ty, at);
                }
                let Some(ir) = self.cx.ast.types.ir(leaf.ty.ty) else {
                    return self.internal("a bit-field without a form", at);
                };
                let mut place = Place::new(ptr, align, leaf.ty);
                place.bits = leaf.width.map(|width| ((leaf.offset_bits % 8) as u32, width));
                let zero = self.b.const_bits(ir, 0);
                self.store(&place, zero, at).map(|_| ())
            }
            LeafValue::Default(ref f) => {
                let object = self.b.ptr_offset(base, ((leaf.offset_bits - f.offset_bits) / 8) as i64);
                self.default_field((object, align), f, true, at)
            }
            LeafValue::Construct => {
                let ptr = self.b.ptr_offset(base, offset as i64);
                self.default_construct(ptr, leaf.ty.ty, true, at)
            }
        }
    }

    fn init_leaf(&mut self, dst: Value, align: u32, q: QTy, _bits: Option<(u32, u32)>, e: Ex<'tu>) -> R<()> {
        if let Kind::Reference(_) = self.cx.ast.types.kind(q.ty) {
            let place =
                if self.temporaries.list_extends() { self.bound_place(e)? } else { self.referred_place(e)? };
            let pointer = self.pointer_for(place.ptr, q.ty)?;
            self.b.store(pointer, dst, MemFlags::aligned(align.min(8)));
            return Ok(());
        }
        if !self.cx.ast.types.is_aggregate(q.ty) {
            let value = self.rv_as(e, q.ty)?;
            let old = self.enter(e);
            let place = Place::new(dst, align, q);
            self.store(&place, value, e)?;
            self.b.set_loc(old);
            return Ok(());
        }
        if let Kind::Array { elem, .. } = *self.cx.ast.types.kind(q.ty)
            && let Some((literal, text)) = string_literal(e)
        {
            return self.init_string(dst, align, q, elem, literal, text);
        }
        if let Some(part) = self.complex_part(q.ty) {
            return self.init_complex(dst, q, part, e);
        }
        self.init_aggregate(dst, align, q, e)
    }

    fn init_string(
        &mut self,
        dst: Value,
        align: u32,
        q: QTy,
        elem: QTy,
        literal: Ex<'tu>,
        text: &str,
    ) -> R<()> {
        let old = self.enter(literal);
        let unit = self.object_size(elem.ty, literal)? as u32;
        let Some(units) = string_units(text, unit) else {
            return self.internal("a string literal that cannot be read", literal);
        };
        let size = match self.cx.ast.types.size(q.ty) {
            Some(size) => size,
            None => (units.len() as u64 + 1) * u64::from(unit),
        };
        // A large array with a short text is mostly zeros.
        let used = ((units.len() as u64 + 1) * u64::from(unit)).min(size);
        let stored = if size > 4 * used { used } else { size };
        let bytes = string_bytes(&units, unit, stored / u64::from(unit));
        let global = self.cx.constant_bytes(bytes, unit, self.frame.device());
        let src = self.b.global_addr(self.cx.module, global);
        if stored < size {
            let len = self.b.iconst(Type::I64, i128::from(size));
            let zero = self.b.iconst(Type::I8, 0);
            self.b.mem_fill(dst, zero, len, MemFlags::aligned(align.max(1)));
        }
        self.copy_bytes(dst, src, stored, align.min(unit));
        self.b.set_loc(old);
        Ok(())
    }

    /// Initialises an aggregate from an expression that is no list.
    pub fn init_aggregate(&mut self, dst: Value, align: u32, q: QTy, e: Ex<'tu>) -> R<()> {
        self.deeper(e)?;
        let old = self.enter(e);
        let result = self.init_aggregate_kind(dst, align, q, e);
        self.b.set_loc(old);
        self.reach.shallower();
        result
    }

    /// Copies an object where lists, shown as written, hide the constructor that does so.
    pub fn copy_named(
        &mut self,
        dst: Value,
        from: &Place,
        align: u32,
        q: QTy,
        moves: bool,
        e: At<'_>,
    ) -> R<()> {
        if self.cx.is_trivially_copyable(q.ty) {
            return self.copy_object(dst, from.ptr, align.min(from.align), q, e);
        }
        self.copy_one(dst, Source { ptr: from.ptr, is_const: from.ty.is_const, ends: moves }, q, e)
    }

    fn init_aggregate_kind(&mut self, dst: Value, align: u32, q: QTy, e: Ex<'tu>) -> R<()> {
        if self.cx.is_hidden_construction(q.ty, e) {
            return self.hidden_construct(dst, q, e);
        }
        match e.kind {
            ExprKind::Call(call) => self.call_into(call, e, dst, q),
            ExprKind::Paren(inner)
            | ExprKind::Chosen(inner)
            | ExprKind::CompoundLiteral(inner)
            | ExprKind::Unary(UnaryOp::Extension, inner) => self.init_object(dst, align, q, inner),
            ExprKind::View(array) => self.std_initializer_list(dst, q, array, e),
            ExprKind::VaArg(list) => {
                let src = self.va_arg_aggregate(list)?;
                self.copy_object(dst, src, align, q, e)
            }
            ExprKind::ArrayCopy(whole) => {
                let place = self.place(whole)?;
                self.copy_one(dst, Source::lvalue(place.ptr, place.ty.is_const), q, e)
            }
            ExprKind::Implicit(inner)
            | ExprKind::Cast(Cast {
                kind: CastKind::C | CastKind::Functional | CastKind::Static,
                operand: inner,
                ..
            }) => self.init_converted(dst, align, q, inner, e),
            ExprKind::Conditional { condition, yes, no } => {
                self.either(condition, [yes, no], |f, arm| f.init_object(dst, align, q, arm))
            }
            ExprKind::Binary(BinaryOp::Comma, left, right) => {
                self.discard(left)?;
                self.init_object(dst, align, q, right)
            }
            ExprKind::Binary(BinaryOp::Cmp, left, right) => self.three_way(dst, q, left, right, e),
            ExprKind::Statement(body) => self.statement_expression(body, e, Some(dst)).map(|_| ()),
            ExprKind::List(_) => self.init_from_list(dst, align, q, e),
            // `member()` of array or class type.
            ExprKind::ValueInit => {
                self.zero_object(dst, align, q, e)?;
                self.default_construct(dst, q.ty, true, e)
            }
            ExprKind::BitCast(inner) => {
                let place = self.place(inner)?;
                self.copy_object(dst, place.ptr, 1, q, e)
            }
            ExprKind::Lambda(lambda) => self.lambda(dst, lambda, e),
            ExprKind::Throw(operand) => self.throw(operand, e),
            ExprKind::Name(_)
            | ExprKind::Member(_)
            | ExprKind::Subscript { .. }
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::CompoundAssign(..)
            | ExprKind::Cast(_) => {
                let place = self.place(e)?;
                self.copy_named(dst, &place, align, q, false, e)
            }
            ExprKind::Fault(broken) => self.broken(broken, e),
            _ => self.unsupported("this expression of class type", e),
        }
    }

    /// Initialises an object from an expression that is converted.
    fn init_converted(&mut self, dst: Value, align: u32, q: QTy, inner: Ex<'tu>, e: Ex<'tu>) -> R<()> {
        let from = inner.q;
        if from.ty == q.ty {
            return self.init_object(dst, align, q, inner);
        }
        if let (Some(derived), Some(base)) =
            (self.cx.ast.types.as_record(from.ty), self.cx.ast.types.as_record(q.ty))
            && self.cx.base_path(derived, base).is_some()
        {
            let place = self.place(e)?;
            return self.copy_named(dst, &place, align, q, false, e);
        }
        // GNU C casts a value to a union that has a member of its type.
        if let Some(id) = self.cx.ast.types.as_record(q.ty)
            && self.cx.ast.types.record(id).is_union
            && let Some(member) =
                self.cx.ast.types.fields(id).iter().find(|f| f.ty.ty == from.ty && f.width.is_none())
        {
            let member = member.ty;
            return self.init_object(dst, align, member, inner);
        }
        self.unsupported(format!("a conversion to {}", self.cx.ast.types.name(q.ty)), e)
    }

    /// Sets an object's bytes to zero; the byte of an empty base is another object's.
    pub fn zero_object(&mut self, dst: Value, align: u32, q: QTy, at: At<'_>) -> R<()> {
        if let Some(record) = self.cx.ast.types.as_record(q.ty)
            && self.cx.is_empty_class(record)
        {
            return Ok(());
        }
        let len = self.size_value(q.ty, at)?;
        if self.b.func.const_bits(len) != Some(0) {
            let zero = self.b.iconst(Type::I8, 0);
            self.b.mem_fill(dst, zero, len, MemFlags::aligned(align.max(1)));
        }
        Ok(())
    }

    /// Copies an object byte by byte.
    pub fn copy_object(&mut self, dst: Value, src: Value, align: u32, q: QTy, at: At<'_>) -> R<()> {
        // The byte of an empty base is another object's.
        if let Some(record) = self.cx.ast.types.as_record(q.ty)
            && self.cx.is_empty_class(record)
        {
            return Ok(());
        }
        let len = self.size_value(q.ty, at)?;
        if self.b.func.const_bits(len) != Some(0) {
            let flags = MemFlags::aligned(align.max(1)).with_volatile(q.volatile);
            self.b.mem_copy(dst, src, len, flags);
        }
        Ok(())
    }
}
