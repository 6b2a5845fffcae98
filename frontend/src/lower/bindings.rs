//! Structured bindings.
//!
//! libclang shows a declaration of unknown kind with the names and the initialiser. The names stand for
//! elements, members, or what `get` gives of a hidden object; the tuple-like classes of the standard
//! library keep what `get` gives in members.

use super::func::FnLower;
use super::func::cleanups::CleanupPlace;
use super::func::names::{Bound, Var};
use super::lvalue::Place;
use super::{At, R};
use crate::ast::bound_names;
use crate::clang::Type as ClangType;
use crate::types::Decl;
use crate::types::{Kind, QTy, RecId};
use cudair_ir::MemFlags;

impl<'tu> FnLower<'_, 'tu, '_> {
    /// `auto [a, b] = init;`
    pub fn structured_binding(&mut self, decl: Decl<'tu>) -> R<()> {
        let names = bound_names(decl);
        let Some(init) = self.cx.ast.initializer(decl) else {
            return self.unsupported("this structured binding", &decl);
        };
        if decl.has_static_storage() {
            self.cx.ast.note_static_binding(decl);
            self.static_variable(decl)?;
            return self.bind_static(decl);
        }
        let q = self.cx.ast.types.of(decl.ty());
        let object = self.cx.ast.types.strip_reference(q);
        let by_get = self.is_tuple_like(decl, object) && !self.has_known_layout(object);
        let parts = if by_get { Vec::new() } else { self.bound_parts(object, names.len(), decl)? };
        let hidden = decl.spelling();
        if let Kind::Reference(_) = self.cx.ast.types.kind(q.ty) {
            let slot = self.variable_slot(&hidden, 8, 8, &decl)?;
            self.bind_reference(slot, init, q.ty)?;
            self.names.declare(decl, Var::Indirect(slot));
        } else {
            let (Some(size), align) = (self.cx.ast.types.size(q.ty), self.cx.ast.types.align(q.ty)) else {
                return self.unsupported("a structured binding of this type", &decl);
            };
            let slot = self.variable_slot(&hidden, size, align, &decl)?;
            let keep = self.cleanups.mark();
            let address = self.b.slot_addr(slot);
            // An array shows its elements' copies as a second expression; the first names the array.
            self.init_object(address, align, q, init)?;
            self.pop_cleanups(keep);
            self.names.declare(decl, Var::Slot(slot));
            self.register_destructor(q.ty, CleanupPlace::Slot(slot), &decl)?;
        }
        if by_get {
            return self.bind_by_get(decl, &names, object);
        }
        for (name, (offset_bits, ty, width)) in names.into_iter().zip(parts) {
            self.names.bind(name, Bound { object: decl, offset_bits, ty, width });
        }
        Ok(())
    }

    /// Makes known what the names of a structured binding of static storage stand for.
    fn bind_static(&mut self, decl: Decl<'tu>) -> R<()> {
        let names = bound_names(decl);
        let q = self.cx.ast.types.of(decl.ty());
        let object = self.cx.ast.types.strip_reference(q);
        if self.is_tuple_like(decl, object) && !self.has_known_layout(object) {
            return self.unsupported(
                "a structured binding with static storage through the program's own `get`",
                &decl,
            );
        }
        let parts = self.bound_parts(object, names.len(), decl)?;
        for (name, (offset_bits, ty, width)) in names.into_iter().zip(parts) {
            self.names.bind(name, Bound { object: decl, offset_bits, ty, width });
        }
        Ok(())
    }

    /// Whether a declaration is a name of a structured binding of static storage, of this function or not.
    pub fn is_static_binding(&mut self, name: Decl<'tu>) -> R<bool> {
        let Some(decl) = self.cx.ast.static_binding(name) else { return Ok(false) };
        if self.names.bound(name).is_none() {
            self.bind_static(decl)?;
        }
        Ok(true)
    }

    /// The parts of an object that the names stand for.
    fn bound_parts(&mut self, q: QTy, count: usize, decl: Decl<'tu>) -> R<Vec<(u64, QTy, Option<u32>)>> {
        if let Kind::Array { elem, .. } = *self.cx.ast.types.kind(q.ty) {
            let size = self.object_size(elem.ty, &decl)? * 8;
            return Ok((0..count as u64).map(|i| (i * size, elem, None)).collect());
        }
        let Some(record) = self.cx.ast.types.as_record(q.ty) else {
            return self.unsupported("a structured binding of this type", &decl);
        };
        let in_std = self.is_in_std(record);
        let name = self.cx.ast.types.record(record).decl.spelling();
        let mut parts = match name.as_str() {
            "tuple" if in_std => {
                let mut parts = Vec::new();
                for i in 0..count {
                    match self.tuple_element(record, 0, i) {
                        Some(part) => parts.push(part),
                        None => return self.unsupported("a structured binding of this tuple", &decl),
                    }
                }
                parts
            }
            "array" if in_std => match self.cx.ast.types.fields(record).first() {
                Some(f) => return self.bound_parts(f.ty, count, decl),
                None => Vec::new(),
            },
            _ => match self.record_with_members(record) {
                Some((base, fields)) => fields
                    .iter()
                    .filter(|f| !(f.width.is_some() && f.name.is_empty()))
                    .map(|f| (base * 8 + f.offset_bits, f.ty, f.width))
                    .collect(),
                None => Vec::new(),
            },
        };
        if parts.len() != count {
            return self.unsupported("a structured binding of this class", &decl);
        }
        // What is constant or volatile as a whole is so in its parts.
        for (_, ty, _) in &mut parts {
            ty.is_const |= q.is_const;
            ty.volatile |= q.volatile;
        }
        Ok(parts)
    }

    fn is_in_std(&mut self, record: RecId) -> bool {
        self.cx.ast.types.record(record).decl.is_in_std()
    }

    /// Whether a structured binding's names come from `std::tuple_element`. libclang tells it by the names' types alone;
    /// where the type of the first name is written as that of the first member, the names are the members'.
    fn is_tuple_like(&mut self, decl: Decl<'tu>, object: QTy) -> bool {
        fn unqualified(ty: ClangType<'_>) -> String {
            let text = ty.spelling();
            let mut rest = text.as_str();
            while let Some(inner) = rest.strip_prefix("const ").or_else(|| rest.strip_prefix("volatile ")) {
                rest = inner;
            }
            rest.to_owned()
        }
        let Some(first) = bound_names(decl).first().map(|name| unqualified(name.ty())) else { return false };
        if !first.starts_with("std::tuple_element<") {
            return false;
        }
        let Some(record) = self.cx.ast.types.as_record(object.ty) else { return false };
        let members = self.record_with_members(record);
        let member = members.and_then(|(_, fields)| fields.iter().find(|f| !f.name.is_empty()).cloned());
        member.is_none_or(|member| unqualified(member.decl.ty()) != first)
    }

    /// Whether `get` is one of the library's that gives a member.
    fn has_known_layout(&mut self, q: QTy) -> bool {
        let Some(record) = self.cx.ast.types.as_record(q.ty) else { return true };
        let name = self.cx.ast.types.record(record).decl.spelling();
        self.is_in_std(record) && matches!(name.as_str(), "tuple" | "array" | "pair")
    }

    /// The class among a class and its bases that has the members, with its offset.
    fn record_with_members(
        &mut self,
        record: RecId,
    ) -> Option<(u64, std::rc::Rc<Vec<crate::types::Field<'tu>>>)> {
        let fields = self.cx.ast.types.fields(record);
        if !fields.is_empty() {
            return Some((0, fields));
        }
        for base in self.cx.ast.types.bases(record)?.iter() {
            let inner = self.cx.ast.types.as_record(base.ty)?;
            if let Some((offset, fields)) = self.record_with_members(inner) {
                return Some((base.offset + offset, fields));
            }
        }
        None
    }

    /// Element `index` of a `std::tuple`: each level of the implementation holds the first of its elements
    /// in one base and the rest in another.
    fn tuple_element(&mut self, record: RecId, offset: u64, index: usize) -> Option<(u64, QTy, Option<u32>)> {
        let bases = self.cx.ast.types.bases(record)?;
        let mut rest = None;
        let mut head = None;
        for base in bases.iter() {
            let inner = self.cx.ast.types.as_record(base.ty)?;
            match self.cx.ast.types.record(inner).decl.spelling().as_str() {
                "_Head_base" => head = Some((inner, base.offset)),
                "_Tuple_impl" => rest = Some((inner, base.offset)),
                _ => {}
            }
        }
        match (head, rest) {
            (Some((head, at)), _) if index == 0 => {
                let f = self.cx.ast.types.fields(head).first().cloned()?;
                Some(((offset + at) * 8 + f.offset_bits, f.ty, None))
            }
            (Some(_), Some((rest, at))) => self.tuple_element(rest, offset + at, index - 1),
            (None, Some((rest, at))) => self.tuple_element(rest, offset + at, index),
            _ => None,
        }
    }

    /// What a name of a structured binding stands for.
    pub fn binding_place(&mut self, bound: Bound<'tu>, e: At<'_>) -> R<Place> {
        let object = self.declared_place(bound.object, e)?;
        let offset = bound.offset_bits / 8;
        let ptr = self.b.ptr_offset(object.ptr, offset as i64);
        if let Kind::Reference(inner) = *self.cx.ast.types.kind(bound.ty.ty) {
            let ir = self.pointer_type(bound.ty.ty)?;
            let target = self.b.load(ir, ptr, MemFlags::natural(ir));
            return Ok(Place::new(target, self.cx.ast.types.align(inner.ty), inner));
        }
        let align = self.cx.ast.types.align(bound.ty.ty);
        let align = if bound.width.is_some() { 1 } else { align };
        let mut place = Place::new(ptr, align, bound.ty);
        place.bits = bound.width.map(|w| ((bound.offset_bits % 8) as u32, w));
        Ok(place)
    }
}
