//! `std::initializer_list`: an array of the list's elements and a view of it.

use super::R;
use super::cleanup::CleanupPlace;
use super::func::FnLower;
use super::types::{Kind, QTy};
use crate::clang::{Cursor, CursorKind, TypeKind};
use cudair_ir::{MemFlags, Slot, Type, Value};

impl<'tu> FnLower<'_, 'tu, '_> {
    /// The element type of the array behind an initialiser list object: `e` is such an object made from `inner`.
    pub fn std_list_element(&mut self, e: Cursor<'tu>, inner: Cursor<'tu>) -> Option<QTy> {
        if !is_view(e, inner) {
            return None;
        }
        let from = self.cx.types.of(inner.ty());
        match *self.cx.types.kind(from.ty) {
            Kind::Array { elem, .. } => Some(elem),
            _ => None,
        }
    }

    /// Makes the list object at `dst`. The array lives as long as a temporary of the same place.
    pub fn std_initializer_list(
        &mut self,
        dst: Value,
        q: QTy,
        elem: QTy,
        array: Cursor<'tu>,
        e: Cursor<'tu>,
    ) -> R<()> {
        let array_q = self.cx.types.of(array.ty());
        let Kind::Array { len: Some(len), .. } = *self.cx.types.kind(array_q.ty) else {
            return self.internal("an initialiser list of unknown length", e);
        };
        let slot = self.temp_slot(array_q.ty, e)?;
        let ptr = self.b.slot_addr(slot);
        let align = self.cx.types.align(elem.ty);
        self.init_object(ptr, align, array_q, array)?;
        self.register_destructor(array_q.ty, CleanupPlace::Slot(slot), e)?;
        self.view_list(dst, q, slot, (elem, len), e)
    }

    /// Makes the list object at `dst` from elements as they are written.
    pub fn std_list_of(
        &mut self,
        dst: Value,
        q: QTy,
        elem: QTy,
        elements: &[Cursor<'tu>],
        e: Cursor<'tu>,
    ) -> R<()> {
        let len = elements.len() as u64;
        let array = self.cx.types.intern(Kind::Array { elem, len: Some(len) });
        let slot = self.temp_slot(array, e)?;
        let (size, align) = (self.cx.types.size(elem.ty).unwrap_or(0), self.cx.types.align(elem.ty));
        for (i, &element) in elements.iter().enumerate() {
            let ptr = self.b.slot_addr(slot);
            let ptr = self.b.ptr_offset(ptr, (i as u64 * size) as i64);
            self.init_object(ptr, align, elem, element)?;
        }
        self.register_destructor(array, CleanupPlace::Slot(slot), e)?;
        self.view_list(dst, q, slot, (elem, len), e)
    }

    /// A list object of the `len` elements in a slot.
    fn view_list(
        &mut self,
        dst: Value,
        q: QTy,
        slot: Slot,
        (elem, len): (QTy, u64),
        e: Cursor<'tu>,
    ) -> R<()> {
        let Some(record) = self.cx.types.as_record(q.ty) else {
            return self.internal("an initialiser list of no class", e);
        };
        // Begin, then the length or the end, as the library has it.
        let fields = self.cx.types.fields(record);
        let [first, second] = fields.as_slice() else {
            return self.unsupported("this `std::initializer_list`", e);
        };
        let begin = self.b.slot_addr(slot);
        let begin = self.generic(begin);
        let at = self.b.ptr_offset(dst, (first.offset_bits / 8) as i64);
        self.b.store(begin, at, MemFlags::aligned(8));
        let at = self.b.ptr_offset(dst, (second.offset_bits / 8) as i64);
        let value = if self.cx.types.is_pointer(second.ty.ty) {
            let size = self.cx.types.size(elem.ty).unwrap_or(0) * len;
            self.b.ptr_offset(begin, size as i64)
        } else {
            self.b.iconst(Type::I64, i128::from(len))
        };
        self.b.store(value, at, MemFlags::aligned(8));
        Ok(())
    }
}

/// Whether an expression is a `std::initializer_list` made from the array `inner`.
pub(crate) fn is_view(e: Cursor<'_>, inner: Cursor<'_>) -> bool {
    e.kind() == CursorKind::UnexposedExpr
        && inner.ty().canonical().kind() == TypeKind::ConstantArray
        && e.ty().canonical().declaration().spelling() == "initializer_list"
}
