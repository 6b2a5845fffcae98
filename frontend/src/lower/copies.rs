//! Copies and assignments of objects of classes, member by member where the class has none of its own.

use super::copying::{Copying, Source};
use super::func::FnLower;
use super::func::cleanups::CleanupPlace;
use super::lvalue::Place;
use super::{At, R};
use crate::ast::{Call, Ex, ExprKind};
use crate::types::{Decl, own_elements};
use crate::types::{Field, Kind, QTy, Ty};
use cudair_ir::{Type, Value};

impl<'tu> FnLower<'_, 'tu, '_> {
    /// Copies an object member by member.
    pub fn copy_members(&mut self, dst: Value, src: Source, q: QTy, e: At<'_>) -> R<()> {
        let Some(id) = self.cx.ast.types.as_record(q.ty) else {
            let align = self.cx.ast.types.align(q.ty);
            return self.copy_object(dst, src.ptr, align, q, e);
        };
        let mark = self.cleanups.mark();
        let vtt = self.construction_table_at(dst, q.ty);
        for base in self.made_bases(id, vtt, e)? {
            let d = self.b.ptr_offset(dst, base.offset);
            let s = match self.cx.base_offset(id, base.record) {
                Some(fixed) => self.b.ptr_offset(src.ptr, fixed as i64),
                // The source may be a part of another object.
                None => self.virtual_base(src.ptr, id, base.record, e)?,
            };
            self.begin_base(d, &base);
            self.copy_one(d, Source { ptr: s, ..src }, QTy::plain(base.ty), e)?;
            self.end_base(d, &base, e)?;
            self.register_base(d, &base, e)?;
        }
        self.set_tables(dst, id, vtt, e)?;
        for f in self.cx.ast.types.fields(id).iter() {
            let offset = (f.offset_bits / 8) as i64;
            let (d, s) = (self.b.ptr_offset(dst, offset), self.b.ptr_offset(src.ptr, offset));
            match f.width {
                // Without bits there is nothing to copy.
                Some(0) => {}
                Some(width) => self.copy_bit_field(d, s, f.ty, (f.offset_bits % 8) as u32, width, e)?,
                None => self.copy_field(d, src.member(s, f), q.ty, f, e)?,
            }
            if f.width.is_none() {
                self.register_part(f.ty.ty, d, e)?;
            }
        }
        self.cleanups.drop_parts(mark);
        Ok(())
    }

    /// Copies a member of a class, whose alignment limits the member's.
    fn copy_field(&mut self, dst: Value, src: Source, class: Ty, f: &Field<'tu>, e: At<'_>) -> R<()> {
        if !self.cx.is_trivially_copyable(f.ty.ty) {
            return self.copy_one(dst, src, f.ty, e);
        }
        let align = self.member_align(self.cx.ast.types.align(class), f);
        self.copy_object(dst, src.ptr, align, f.ty, e)
    }

    /// Makes an object of another, by the constructor of its class that takes it.
    pub fn copy_one(&mut self, dst: Value, src: Source, q: QTy, e: At<'_>) -> R<()> {
        let align = self.cx.ast.types.align(q.ty);
        if self.cx.is_trivially_copyable(q.ty) {
            return self.copy_object(dst, src.ptr, align, q, e);
        }
        if let Kind::Array { elem, len } = *self.cx.ast.types.kind(q.ty) {
            let src = Source { is_const: src.is_const || elem.is_const, ..src };
            return self.for_each_pair(dst, src.ptr, elem, own_elements(len), Some(e), |f, d, s| {
                f.copy_one(d, Source { ptr: s, ..src }, elem, e)
            });
        }
        let Some(id) = self.cx.ast.types.as_record(q.ty) else {
            return self.internal("a copy of a type that is not a class", e);
        };
        match self.cx.copying_constructor(id, src) {
            Copying::By(constructor) => {
                let values = vec![self.generic(dst), self.generic(src.ptr)];
                // What default arguments make ends with the call.
                let keep = self.cleanups.mark();
                self.call_constructor(dst, q, constructor, values, e)?;
                self.pop_cleanups(keep);
                Ok(())
            }
            Copying::Memberwise(src) => self.copy_members(dst, src, q, e),
            Copying::Several => {
                self.unsupported("the copy of a part whose constructor libclang does not show", e)
            }
        }
    }

    /// A defaulted assignment operator: memberwise. `None` where the operator is the user's own.
    pub fn implicit_assignment(
        &mut self,
        call: &'tu Call<'tu>,
        e: Ex<'tu>,
        decl: Decl<'tu>,
    ) -> R<Option<Value>> {
        if !decl.is_defaulted() || !(decl.is_copy_assignment() || decl.is_move_assignment()) {
            return Ok(None);
        }
        let (q, target, source) = match *call.args {
            [left, right] => {
                let source = self.place(right)?;
                (left.q, self.place(left)?.ptr, source)
            }
            // Called by its name, perhaps a base class's.
            [right] => {
                let (Some(ExprKind::Member(member)), Some(class)) =
                    (call.member.map(|m| &m.kind), decl.semantic_parent())
                else {
                    return self.unsupported("this call of a defaulted operator", e);
                };
                let source = self.place(right)?;
                let class = self.cx.ast.types.of(class.ty());
                (class, self.method_object(member, decl, e)?, source)
            }
            _ => return self.unsupported("this call of a defaulted operator", e),
        };
        self.enter(e);
        self.assign_members(target, Source::of_parameter(source.ptr, decl), q, e)?;
        Ok(Some(self.generic(target)))
    }

    /// Assigns an object as its class's assignment operator does; the defaulted one goes memberwise.
    fn assign_object(&mut self, dst: Value, src: Source, q: QTy, e: At<'_>) -> R<()> {
        if self.cx.is_trivially_copyable(q.ty) {
            let align = self.cx.ast.types.align(q.ty);
            return self.copy_object(dst, src.ptr, align, q, e);
        }
        if let Kind::Array { elem, len } = *self.cx.ast.types.kind(q.ty) {
            let src = Source { is_const: src.is_const || elem.is_const, ..src };
            return self.for_each_pair(dst, src.ptr, elem, own_elements(len), None, |f, d, s| {
                f.assign_object(d, Source { ptr: s, ..src }, elem, e)
            });
        }
        let Some(id) = self.cx.ast.types.as_record(q.ty) else {
            return self.internal("an assignment to a type that is not a class", e);
        };
        let operator = match self.cx.copying_assignment(id, src) {
            Copying::By(operator) => operator,
            Copying::Memberwise(src) => return self.assign_members(dst, src, q, e),
            Copying::Several => {
                return self.unsupported("the assignment of a part whose operator libclang does not show", e);
            }
        };
        let keep = self.cleanups.mark();
        let by_value =
            operator.parameters().is_some_and(|p| p.iter().any(|p| !p.ty().canonical().is_reference()));
        let source = if by_value {
            let slot = self.temp_slot(q.ty, e)?;
            let copy = self.b.slot_addr(slot);
            self.copy_one(copy, src, QTy::plain(q.ty), e)?;
            self.register_destructor(q.ty, CleanupPlace::Slot(slot), e)?;
            self.b.slot_addr(slot)
        } else {
            self.generic(src.ptr)
        };
        let func = self.cx.func(operator, self.frame.device())?;
        let target = self.generic(dst);
        self.call_func(func, &[target, source]);
        self.pop_cleanups(keep);
        Ok(())
    }

    /// Assigns an object base by base and member by member.
    fn assign_members(&mut self, dst: Value, src: Source, q: QTy, e: At<'_>) -> R<()> {
        let Some(id) = self.cx.ast.types.as_record(q.ty).filter(|_| !self.cx.is_trivially_copyable(q.ty))
        else {
            let align = self.cx.ast.types.align(q.ty);
            return self.copy_object(dst, src.ptr, align, q, e);
        };
        let bases = self.cx.ast.types.bases(id);
        for base in bases.iter().flat_map(|b| b.iter()) {
            let (d, s) = (self.direct_base(dst, id, base, e)?, self.direct_base(src.ptr, id, base, e)?);
            self.assign_object(d, Source { ptr: s, ..src }, QTy::plain(base.ty), e)?;
        }
        for f in self.cx.ast.types.fields(id).iter() {
            let offset = (f.offset_bits / 8) as i64;
            let (d, s) = (self.b.ptr_offset(dst, offset), self.b.ptr_offset(src.ptr, offset));
            match f.width {
                // Without bits there is nothing to copy.
                Some(0) => {}
                Some(width) => self.copy_bit_field(d, s, f.ty, (f.offset_bits % 8) as u32, width, e)?,
                // In a packed class it may lie anywhere.
                None if self.cx.is_trivially_copyable(f.ty.ty) => {
                    self.copy_field(d, src.member(s, f), q.ty, f, e)?;
                }
                None => self.assign_object(d, src.member(s, f), f.ty, e)?,
            }
        }
        Ok(())
    }

    /// Copies a bit-field of `width` bits that begins at bit `first` of the byte pointed to; its neighbours
    /// in the same bytes stay.
    fn copy_bit_field(&mut self, dst: Value, src: Value, q: QTy, first: u32, width: u32, e: At<'_>) -> R<()> {
        let from = Place { bits: Some((first, width)), ..Place::new(src, 1, q) };
        let value = self.load(&from, e)?;
        self.store(&Place { ptr: dst, ..from }, value, e)?;
        Ok(())
    }

    /// Runs `body` for each element of two arrays of the same shape, in order; `made` says where the
    /// elements of the first are made, if they are.
    fn for_each_pair(
        &mut self,
        dst: Value,
        src: Value,
        elem: QTy,
        len: u64,
        made: Option<At<'_>>,
        body: impl FnOnce(&mut Self, Value, Value) -> R<()>,
    ) -> R<()> {
        let count = self.b.iconst(Type::I64, i128::from(len));
        self.for_each(dst, count, elem.ty, made, |f, d| {
            let done = f.b.ptr_diff(d, dst);
            let s = f.b.ptr_add(src, done);
            body(f, d, s)
        })
    }
}
