//! Fields of objects, those of bases too.

use super::func::FnLower;
use super::lvalue::{Place, align_at};
use super::{At, R};
use crate::types::Decl;
use crate::types::{Kind, QTy, RecId};
use cudair_ir::MemFlags;

impl<'tu> FnLower<'_, 'tu, '_> {
    /// A field of an object.
    pub fn field_place(&mut self, base: Place, record: RecId, field: Decl<'tu>, at: At<'_>) -> R<Place> {
        let found = self.cx.ast.types.field_path(record, field.canonical().id());
        let mut base = base;
        let found = match found {
            Some(found) => Some((0, found)),
            None => match self.inherited_field(record, field) {
                None => {
                    let found = self.virtual_field(record, field);
                    if let Some((virtual_base, ..)) = found {
                        base.ptr = self.virtual_base(base.ptr, record, virtual_base, at)?;
                        base.align = self.cx.ast.types.record(virtual_base).align;
                    }
                    found.map(|(_, offset, found)| (offset, found))
                }
                found => found,
            },
        };
        let Some((base_offset, (bits, f))) = found else {
            return self.unsupported(format!("the member `{}` through this path", field.spelling()), at);
        };
        let bits = bits + base_offset * 8;
        let offset = bits / 8;
        let ptr = self.b.ptr_offset(base.ptr, offset as i64);
        let align = align_at(base.align, offset);
        let volatile = f.ty.volatile || base.ty.volatile;
        let q = QTy { volatile, ..f.ty };
        if let Kind::Reference(inner) = *self.cx.ast.types.kind(f.ty.ty) {
            let ir = self.pointer_type(f.ty.ty)?;
            let target = self.b.load(ir, ptr, MemFlags::aligned(align.min(8)));
            return Ok(Place::new(target, self.cx.ast.types.align(inner.ty), inner));
        }
        let mut place = Place::new(ptr, align, q);
        place.bits = f.width.map(|w| ((bits % 8) as u32, w));
        Ok(place)
    }

    /// A field of a virtual base, or of a base of that one: the virtual base, the offset in it, and the field.
    fn virtual_field(
        &mut self,
        record: RecId,
        field: Decl<'tu>,
    ) -> Option<(RecId, u64, (u64, crate::types::Field<'tu>))> {
        for &(v, _) in self.cx.virtual_bases(record).iter() {
            if let Some(found) = self.cx.ast.types.field_path(v, field.canonical().id()) {
                return Some((v, 0, found));
            }
            if let Some((offset, found)) = self.inherited_field(v, field) {
                return Some((v, offset, found));
            }
        }
        None
    }

    fn inherited_field(
        &mut self,
        record: RecId,
        field: Decl<'tu>,
    ) -> Option<(u64, (u64, crate::types::Field<'tu>))> {
        for base in self.cx.ast.types.bases(record)?.iter().filter(|b| !b.is_virtual) {
            let inner = self.cx.ast.types.as_record(base.ty)?;
            if let Some(found) = self.cx.ast.types.field_path(inner, field.canonical().id()) {
                return Some((base.offset, found));
            }
            if let Some((offset, found)) = self.inherited_field(inner, field) {
                return Some((base.offset + offset, found));
            }
        }
        None
    }
}
