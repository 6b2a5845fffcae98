//! Variable length arrays: their sizes are evaluated where the type is declared and kept.

use super::func::FnLower;
use super::{At, R};
use crate::ast::Ex;
use crate::types::{Decl, DeclKind};
use crate::types::{Kind, Ty};
use cudair_ir::{BinaryOp, MemFlags, Type, Value};

impl<'tu> FnLower<'_, 'tu, '_> {
    /// Whether a variable length array occurs in the type's own storage.
    pub fn contains_vla(&self, ty: Ty) -> bool {
        self.cx.ast.types.contains_vla(ty)
    }

    /// Evaluates the size expressions of variable length arrays in a declared type and keeps the sizes.
    /// The expressions are children of the declaration, innermost dimension first.
    pub fn vla_dimensions(&mut self, ty: crate::clang::Type<'tu>, decl: Decl<'tu>) -> R<()> {
        if !self.mentions_vla(ty) {
            return Ok(());
        }
        let dims = self.cx.ast.dimensions(decl);
        self.vla_sizes_of(ty, &dims, decl)
    }

    /// As [`Self::vla_dimensions`], with the size expressions given, innermost first.
    pub fn vla_sizes_of(&mut self, ty: crate::clang::Type<'tu>, dims: &[Ex<'tu>], at: Decl<'tu>) -> R<()> {
        use crate::clang::TypeKind;
        // The array levels as written, outermost first; a typedef's were evaluated at the typedef.
        let mut levels = Vec::new();
        let mut t = ty;
        loop {
            match t.kind() {
                TypeKind::VariableArray | TypeKind::ConstantArray => {
                    levels.push(t);
                    t = t.array_element();
                }
                TypeKind::IncompleteArray => t = t.array_element(),
                TypeKind::Pointer => t = t.pointee(),
                _ => break,
            }
        }
        let mut dims = dims.iter().rev();
        let mut sized = Vec::new();
        for level in levels {
            let dim = dims.next().copied();
            if level.kind() == TypeKind::VariableArray {
                let Some(dim) = dim else {
                    return self.internal("a variable length array without a size", &at);
                };
                let count = self.rv(dim)?;
                let from = dim.q.ty;
                let long = self.cx.ast.types.long;
                let count = self.convert(count, from, long, dim)?;
                sized.push((level, count));
            }
        }
        // Inner sizes first, since outer ones are multiples of them.
        for (level, count) in sized.into_iter().rev() {
            let q = self.cx.ast.types.of(level);
            let Kind::Vla { elem, key, ref text } = *self.cx.ast.types.kind(q.ty) else {
                return self.internal("a variable length array of another type", &at);
            };
            let text = text.clone();
            let size = self.size_value(elem.ty, &at)?;
            let bytes = self.b.binary(BinaryOp::Imul, count, size);
            let slot = self.b.slot("", 8, 8);
            let address = self.b.slot_addr(slot);
            self.b.store(bytes, address, MemFlags::aligned(8));
            self.arrays.keep(key, text, slot, at.kind() == DeclKind::Parameter);
        }
        Ok(())
    }

    pub fn mentions_vla(&self, ty: crate::clang::Type<'tu>) -> bool {
        use crate::clang::TypeKind;
        let mut t = ty;
        loop {
            match t.kind() {
                TypeKind::VariableArray => return true,
                TypeKind::ConstantArray | TypeKind::IncompleteArray => t = t.array_element(),
                TypeKind::Pointer => t = t.pointee(),
                _ => return false,
            }
        }
    }

    /// The size of a type in bytes as an `i64`, at run time where it must be.
    pub fn size_value(&mut self, ty: Ty, at: At<'_>) -> R<Value> {
        if let Some(size) = self.cx.ast.types.size(ty) {
            return Ok(self.b.iconst(Type::I64, i128::from(size)));
        }
        match *self.cx.ast.types.kind(ty) {
            Kind::Vla { key, ref text, .. } => match self.arrays.find(key, text) {
                Some(slot) => {
                    let address = self.b.slot_addr(slot);
                    Ok(self.b.load(Type::I64, address, MemFlags::aligned(8)))
                }
                None => self.unsupported("the size of this variable length array", at),
            },
            Kind::Array { elem, len: Some(len) } => {
                let size = self.size_value(elem.ty, at)?;
                let len = self.b.iconst(Type::I64, i128::from(len));
                Ok(self.b.binary(BinaryOp::Imul, len, size))
            }
            _ => self.unsupported(format!("the size of {}", self.cx.ast.types.name(ty)), at),
        }
    }
}
