//! Structured bindings of classes with a `get` of their own.
//!
//! Each name is a variable of type `std::tuple_element<i, E>::type&` or `&&`, which a call of `get<i>` makes. The
//! tree shows neither the variable nor the call: `get<i>` is looked for among the instances and explicit
//! specialisations of its template.

use super::R;
use super::func::FnLower;
use super::func::cleanups::CleanupPlace;
use super::func::names::{Bound, Var};
use crate::ast::symbol;
use crate::clang::TypeKind;
use crate::types::{Decl, DeclKind};
use crate::types::{Kind, QTy, RecId};
use cudair_ir::{MemFlags, Type};

/// A `get` that may be meant: the function, where in the object the class lies whose it is, and how well it fits (the
/// least is the best).
struct Candidate<'tu> {
    function: Decl<'tu>,
    offset: u64,
    rank: u32,
}

impl<'tu> FnLower<'_, 'tu, '_> {
    /// Makes the variables that the names stand for.
    pub fn bind_by_get(&mut self, decl: Decl<'tu>, names: &[Decl<'tu>], object: QTy) -> R<()> {
        let lvalue = decl.ty().canonical().kind() == TypeKind::LValueReference;
        let Some(record) = self.cx.ast.types.as_record(object.ty) else {
            return self.unsupported("a structured binding of this type", &decl);
        };
        for (i, &name) in names.iter().enumerate() {
            let Some(get) = self.hidden_get(record, i, object.is_const, lvalue) else {
                return self.unsupported("a structured binding of a class whose `get` is not visible", &decl);
            };
            let q = self.cx.ast.types.of(get.function.ty());
            let Some(result) = self.cx.ast.types.function(q.ty).map(|f| f.ret) else {
                return self.internal("a `get` that is not a function", &decl);
            };
            let func = self.cx.func(get.function, self.frame.device())?;
            let place = self.declared_place(decl, &decl)?;
            let at = self.b.ptr_offset(place.ptr, get.offset as i64);
            let at = self.generic(at);
            let slot = self.variable_slot(&name.spelling(), 8, 8, &decl)?;
            let pointer = if let Kind::Reference(_) = self.cx.ast.types.kind(result.ty) {
                self.call_func(func, &[at])
            } else {
                // A value lives as long as the reference to it.
                let value = self.temp_slot(result.ty, &decl)?;
                let address = self.b.slot_addr(value);
                let address = self.generic(address);
                if self.cx.ast.types.is_aggregate(result.ty) {
                    self.call_func(func, &[address, at]);
                    self.register_destructor(result.ty, CleanupPlace::Slot(value), &decl)?;
                } else if let Some(returned) = self.call_func(func, &[at]) {
                    let to = super::lvalue::Place::new(
                        address,
                        self.cx.ast.types.align(result.ty),
                        QTy::plain(result.ty),
                    );
                    self.store(&to, returned, &decl)?;
                }
                Some(address)
            };
            let Some(pointer) = pointer else {
                return self.internal("a `get` without a value", &decl);
            };
            let address = self.b.slot_addr(slot);
            self.b.store(pointer, address, MemFlags::natural(Type::GENERIC_PTR));
            self.names.declare(name, Var::Indirect(slot));
            let declared = self.cx.ast.types.of(name.ty());
            let ty = self.cx.ast.types.strip_reference(declared);
            self.names.bind(name, Bound { object: name, offset_bits: 0, ty, width: None });
        }
        Ok(())
    }

    /// The `get<index>` that takes an object of a class.
    fn hidden_get(
        &mut self,
        record: RecId,
        index: usize,
        constant: bool,
        lvalue: bool,
    ) -> Option<Candidate<'tu>> {
        let mut found = self.cx.ast.instances("get", None);
        let mut scope = self.cx.ast.types.record(record).decl.semantic_parent();
        while let Some(around) = scope {
            if around.kind() == DeclKind::Record || around.kind().is_function() {
                scope = around.semantic_parent();
                continue;
            }
            // Explicit specialisations stand beside the class.
            found.extend(self.cx.ast.declared_in(around, "get").into_iter().filter(|c| {
                matches!(c.kind(), DeclKind::Function | DeclKind::Method)
                    && c.specialized_template().is_some()
            }));
            break;
        }
        let mut candidates: Vec<Candidate<'tu>> = Vec::new();
        for function in found {
            if first_number(&symbol(function)) != Some(index as u64) {
                continue;
            }
            let candidate = if function.kind() == DeclKind::Method {
                self.member_get(function, record, constant, lvalue)
            } else {
                self.free_get(function, record, constant, lvalue)
            };
            candidates.extend(candidate);
        }
        // Members are asked first.
        let members = candidates.iter().any(|c| c.function.kind() == DeclKind::Method);
        candidates
            .into_iter()
            .filter(|c| !members || c.function.kind() == DeclKind::Method)
            .min_by_key(|c| c.rank)
    }

    fn member_get(
        &mut self,
        method: Decl<'tu>,
        record: RecId,
        constant: bool,
        lvalue: bool,
    ) -> Option<Candidate<'tu>> {
        let class = method.semantic_parent()?;
        let class = self.cx.ast.types.of(class.ty()).ty;
        let class = self.cx.ast.types.as_record(class)?;
        let offset = if class == record { 0 } else { self.cx.base_offset(record, class)? };
        let takes_const = method.is_const_method();
        if constant && !takes_const {
            return None;
        }
        let symbol = symbol(method);
        // A class inside a function has no tuple's size, which only a namespace can give it.
        let qualifiers = symbol.strip_prefix("_ZN")?.trim_start_matches(['V', 'K']);
        let by_reference = match qualifiers.chars().next() {
            Some('R') if !lvalue && !takes_const => return None,
            Some('O') if lvalue => return None,
            Some('R') if !lvalue => 2,
            Some('R' | 'O') => 0,
            _ => 1,
        };
        Some(Candidate {
            function: method,
            offset,
            rank: by_reference + u32::from(takes_const && !constant) * 4,
        })
    }

    fn free_get(
        &mut self,
        function: Decl<'tu>,
        record: RecId,
        constant: bool,
        lvalue: bool,
    ) -> Option<Candidate<'tu>> {
        let declared = function.parameters()?.first()?.ty().canonical();
        let q = self.cx.ast.types.of(declared);
        let param = self.cx.ast.types.strip_reference(q);
        let class = self.cx.ast.types.as_record(param.ty)?;
        let offset = if class == record { 0 } else { self.cx.base_offset(record, class)? };
        let by_reference = match declared.kind() {
            _ if constant && !param.is_const => return None,
            TypeKind::RValueReference if lvalue => return None,
            TypeKind::RValueReference => 0,
            TypeKind::LValueReference if !lvalue && !param.is_const => return None,
            TypeKind::LValueReference => 1,
            // One that takes a copy would need it made.
            _ => return None,
        };
        let base = if class == record { 0 } else { 8 };
        Some(Candidate {
            function,
            offset,
            rank: by_reference + u32::from(param.is_const && !constant) * 2 + base,
        })
    }
}

/// The number that is the first template argument of a `get`, by its mangled name.
fn first_number(symbol: &str) -> Option<u64> {
    let rest = symbol.split_once("3getIL").map(|(_, rest)| rest)?;
    let digits = rest.get(1..)?;
    let end = digits.find('E')?;
    digits[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::first_number;

    #[test]
    fn the_index_is_read_from_the_symbol() {
        assert_eq!(first_number("_ZNK6Person3getILm1EEEDcv"), Some(1));
        assert_eq!(first_number("_ZN3geo3getILm12EEERdRNS_3VecE"), Some(12));
        assert_eq!(first_number("_ZN3geo3getILi2EEERdRNS_3VecE"), Some(2));
        assert_eq!(first_number("_ZN3geo3getIiEEvv"), None);
    }
}
