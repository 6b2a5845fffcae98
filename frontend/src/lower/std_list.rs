//! `std::initializer_list`: an array of the list's elements and a view of it.

use super::func::FnLower;
use super::func::cleanups::CleanupPlace;
use super::{At, R};
use crate::ast::Ex;
use crate::types::{Kind, QTy};
use cudair_ir::{MemFlags, Slot, Type, Value};

impl<'tu> FnLower<'_, 'tu, '_> {
    /// Makes the list object at `dst`. The array lives as long as a temporary of the same place.
    pub fn std_initializer_list(&mut self, dst: Value, q: QTy, array: Ex<'tu>, e: Ex<'tu>) -> R<()> {
        let array_q = array.q;
        let Kind::Array { elem, len: Some(len) } = *self.cx.ast.types.kind(array_q.ty) else {
            return self.internal("an initialiser list of unknown length", e);
        };
        let lives = self.temporaries.lives_on(e);
        if self.temporaries.lives_for_ever(e) {
            let place = self.static_temporary(array_q, array)?;
            return self.view_list(dst, q, place.ptr, (elem, len), e);
        }
        let slot = self.temp_slot(array_q.ty, e)?;
        let ptr = self.b.slot_addr(slot);
        let align = self.cx.ast.types.align(elem.ty);
        self.init_object(ptr, align, array_q, array)?;
        self.register_array(array_q.ty, slot, lives, e)?;
        let begin = self.b.slot_addr(slot);
        self.view_list(dst, q, begin, (elem, len), e)
    }

    /// Runs `make` for an initialiser of a list that lives on, with what it is bound to.
    pub fn with_living_list<T>(&mut self, init: Ex<'tu>, make: impl FnOnce(&mut Self) -> R<T>) -> R<T> {
        let mut bound = Vec::new();
        self.bound_temporary(init, &mut bound);
        self.extending(bound, |f| f.in_list(false, make))
    }

    /// Whether objects of a type are views of lists.
    pub fn is_std_list(&mut self, ty: crate::types::Ty) -> bool {
        self.cx.ast.types.as_record(ty).is_some_and(|class| self.cx.list_element(class).is_some())
    }

    /// Registers the destructors of a list's elements for the end of the full expression, or of the variable's scope.
    fn register_array(&mut self, ty: crate::types::Ty, slot: Slot, lives: bool, e: At<'_>) -> R<()> {
        let before = self.cleanups.mark();
        self.register_destructor(ty, CleanupPlace::Slot(slot), e)?;
        if lives {
            self.cleanups.extend_last(before);
        }
        Ok(())
    }

    /// Makes the list object at `dst` from elements as they are written.
    pub fn std_list_of(
        &mut self,
        dst: Value,
        q: QTy,
        elem: QTy,
        elements: &[Ex<'tu>],
        lives: bool,
        e: Ex<'tu>,
    ) -> R<()> {
        let len = elements.len() as u64;
        let array = self.cx.ast.types.intern(Kind::Array { elem, len: Some(len) });
        if self.temporaries.lives_for_ever(e) {
            let make = |f: &mut Self, begin| f.make_elements(begin, elem, elements, e);
            let place = self.static_object(QTy::plain(array), e, make)?;
            return self.view_list(dst, q, place.ptr, (elem, len), e);
        }
        let slot = self.temp_slot(array, e)?;
        let begin = self.b.slot_addr(slot);
        self.make_elements(begin, elem, elements, e)?;
        self.register_array(array, slot, lives, e)?;
        let begin = self.b.slot_addr(slot);
        self.view_list(dst, q, begin, (elem, len), e)
    }

    fn make_elements(&mut self, begin: Value, elem: QTy, elements: &[Ex<'tu>], e: Ex<'tu>) -> R<()> {
        let (size, align) = (self.object_size(elem.ty, e)?, self.cx.ast.types.align(elem.ty));
        let mark = self.cleanups.mark();
        for (i, &element) in elements.iter().enumerate() {
            let ptr = self.b.ptr_offset(begin, (i as u64 * size) as i64);
            self.init_object(ptr, align, elem, element)?;
            self.register_part(elem.ty, ptr, e)?;
        }
        self.cleanups.drop_parts(mark);
        Ok(())
    }

    /// A list object of `len` elements.
    fn view_list(&mut self, dst: Value, q: QTy, begin: Value, (elem, len): (QTy, u64), e: At<'_>) -> R<()> {
        let Some(record) = self.cx.ast.types.as_record(q.ty) else {
            return self.internal("an initialiser list whose type is not a class", e);
        };
        // Begin, then the length or the end, as the library has it.
        let fields = self.cx.ast.types.fields(record);
        let [first, second] = fields.as_slice() else {
            return self.unsupported("this `std::initializer_list`", e);
        };
        let begin = self.generic(begin);
        let at = self.b.ptr_offset(dst, (first.offset_bits / 8) as i64);
        self.b.store(begin, at, MemFlags::aligned(8));
        let at = self.b.ptr_offset(dst, (second.offset_bits / 8) as i64);
        let value = if self.cx.ast.types.is_pointer(second.ty.ty) {
            let size = self.object_size(elem.ty, e)? * len;
            self.b.ptr_offset(begin, size as i64)
        } else {
            self.b.iconst(Type::I64, i128::from(len))
        };
        self.b.store(value, at, MemFlags::aligned(8));
        Ok(())
    }
}
