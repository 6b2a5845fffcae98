//! Conversions of objects and of names of overloaded functions to scalars that initialiser lists hide.
//!
//! libclang shows lists as they are written, so that in `float list[] = {half};` the call of `half.operator float()` is not
//! among the nodes. Which conversion function is called is found here by the rules of overload resolution (C++17
//! §16.3.1.5); where two would do, that is an error by name.

use super::func::FnLower;
use super::hidden_ctor::{Rank, names_object};
use super::{Cx, R};
use crate::ast::{Ex, ExprKind, UnaryOp};
use crate::clang::TypeKind;
use crate::types::{Decl, DeclKind};
use crate::types::{Kind, QTy, RecId, Ty};
use cudair_ir::Value;

/// The conversion functions of a class.
#[derive(Default)]
struct Conversions<'tu> {
    functions: Vec<Decl<'tu>>,
    /// Whether templates make further ones.
    more: bool,
}

impl<'tu> Cx<'tu, '_> {
    /// Adds the conversion functions of a class and of its bases, where none of the class hides those.
    fn conversions(&mut self, class: RecId, found: &mut Conversions<'tu>) {
        let result = |f: Decl<'tu>| f.ty().canonical().result().canonical().id();
        let hides = found.functions.clone();
        for method in self.ast.methods(class) {
            match method.kind() {
                DeclKind::Conversion if !hides.iter().any(|h| result(*h) == result(method)) => {
                    found.functions.push(method);
                }
                DeclKind::FunctionTemplate if is_conversion(&method.spelling()) => found.more = true,
                _ => {}
            }
        }
        let bases: Vec<Ty> =
            self.ast.types.bases(class).iter().flat_map(|b| b.iter()).map(|b| b.ty).collect();
        for base in bases {
            if let Some(base) = self.ast.types.as_record(base) {
                self.conversions(base, found);
            }
        }
    }

    /// The function that converts `e`, an object of a class, to a scalar when it initialises an element of a list; `None`
    /// where there is none or more than one.
    fn conversion_to(&mut self, class: RecId, e: Ex<'tu>, to: Ty) -> Option<Decl<'tu>> {
        let mut all = Conversions::default();
        self.conversions(class, &mut all);
        let object = self.ast.types.strip_reference(e.q);
        let is_lvalue = names_object(e);
        let mut fitting: Vec<(u32, Rank, Decl<'tu>)> = Vec::new();
        for &function in all.functions.iter().filter(|f| !f.is_explicit() && !f.is_deleted()) {
            let ty = function.ty();
            let (is_const, is_volatile) = (function.is_const_method(), ty.is_volatile_method());
            let binds = match ty.reference_qualifier() {
                None => true,
                Some(TypeKind::RValueReference) => !is_lvalue,
                Some(_) => is_lvalue || is_const && !is_volatile,
            };
            if !binds || object.is_const && !is_const || object.volatile && !is_volatile {
                continue;
            }
            let result = self.ast.types.of(ty.canonical().result());
            let result = self.ast.types.strip_reference(result);
            let Some(rank) = self.rank_scalar(to, result, e) else { continue };
            // What the object's reference adds goes before what becomes of the result.
            let mut adds =
                u32::from(is_const && !object.is_const) + u32::from(is_volatile && !object.volatile);
            if !is_lvalue && ty.reference_qualifier() == Some(TypeKind::LValueReference) {
                adds += 1;
            }
            fitting.push((adds, rank, function));
        }
        if let [(.., only)] = fitting.as_slice() {
            return (!all.more).then_some(*only);
        }
        // Enumerations have no types of their own here.
        let is_enum = |f: Decl<'tu>| {
            let result = f.ty().canonical().result();
            let object = match result.kind() {
                TypeKind::LValueReference | TypeKind::RValueReference => result.pointee(),
                _ => result,
            };
            object.canonical().kind() == TypeKind::Enum
        };
        if all.more || fitting.iter().any(|(.., f)| is_enum(*f)) {
            return None;
        }
        fitting.sort_by_key(|(adds, rank, _)| (*adds, *rank));
        match fitting.as_slice() {
            [best, next, ..] if (best.0, best.1) < (next.0, next.1) => Some(best.2),
            _ => None,
        }
    }

    /// The instances and specialisations of a function template, one of which the parser has made for any use of it; `None`
    /// for a member, whose specialisations are not looked for.
    fn made_from(&mut self, template: Decl<'tu>) -> Option<Vec<Decl<'tu>>> {
        if template.semantic_parent().is_some_and(|p| p.kind() == DeclKind::Record) {
            return None;
        }
        let name = template.spelling();
        let mut made = self.ast.instances(&name, None);
        made.extend(self.ast.in_namespaces(&name));
        made.retain(|f| f.specialized_template().is_some_and(|t| t.is_same_entity(template)));
        Some(made)
    }

    /// The function of an overload set, an element of a list, that a pointer of a type takes; `None` where `e` is something
    /// else, or several functions have the types.
    pub(super) fn chosen_overload(&mut self, e: Ex<'tu>, pointer: Ty) -> Option<Decl<'tu>> {
        let wanted = self.ast.types.pointee(pointer)?.ty;
        let named = named(e);
        if !matches!(named.kind, ExprKind::Name(_)) {
            return None;
        }
        let mut found: Vec<Decl<'tu>> = Vec::new();
        for function in named.overloads() {
            let candidates = match function.kind() {
                DeclKind::FunctionTemplate => self.made_from(function)?,
                _ => vec![function],
            };
            for function in candidates {
                let ty = self.ast.types.of(function.ty()).ty;
                if ty == wanted && !found.iter().any(|f| f.is_same_entity(function)) {
                    found.push(function);
                }
            }
        }
        if let [only] = found.as_slice() { Some(*only) } else { None }
    }
}

impl<'tu> FnLower<'_, 'tu, '_> {
    /// The value of `e`, an object of a class that is an element of a list, as a scalar.
    pub(super) fn hidden_conversion(&mut self, e: Ex<'tu>, to: Ty) -> R<Value> {
        let from = self.cx.ast.types.strip_reference(e.q);
        let Some(class) = self.cx.ast.types.as_record(from.ty) else {
            return self.internal("a conversion function of what is no class", e);
        };
        let found = self.cx.conversion_to(class, e, to).filter(|f| !f.is_virtual_method());
        let Some(function) = found else {
            let name = self.cx.ast.types.name(from.ty);
            return self
                .unsupported(format!("this {name}, whose conversion function libclang does not show"), e);
        };
        let parent = function.semantic_parent().map(|p| self.cx.ast.types.of(p.ty()).ty);
        let Some(owner) = parent.and_then(|p| self.cx.ast.types.as_record(p)) else {
            return self.internal("a conversion function outside of a class", e);
        };
        let place = self.place(e)?;
        let object = match self.cx.base_path(class, owner) {
            _ if class == owner => place.ptr,
            Some(path) => self.base_at(place.ptr, class, path, e)?,
            None => return self.internal("a conversion function of no base", e),
        };
        let object = self.generic(object);
        let func = self.cx.func(function, self.frame.device())?;
        let old = self.enter(e);
        let Some(value) = self.call_func(func, &[object]) else {
            return self.internal("a conversion function without a value", e);
        };
        let result = self.cx.ast.types.of(function.ty().canonical().result());
        let (value, result) = match *self.cx.ast.types.kind(result.ty) {
            Kind::Reference(inner) => {
                let place = super::lvalue::Place::new(value, self.cx.ast.types.align(inner.ty), inner);
                (self.load(&place, e)?, inner)
            }
            _ => (value, QTy::plain(result.ty)),
        };
        let value = self.convert(value, result.ty, to, e)?;
        self.b.set_loc(old);
        Ok(value)
    }
}

/// An expression without parentheses and `&`.
fn named(e: Ex<'_>) -> Ex<'_> {
    match e.kind {
        ExprKind::Paren(inner) | ExprKind::Implicit(inner) | ExprKind::Unary(UnaryOp::AddrOf, inner) => {
            named(inner)
        }
        _ => e,
    }
}

/// Whether a function template of this name makes conversion functions.
fn is_conversion(name: &str) -> bool {
    name.strip_prefix("operator ").is_some_and(|rest| {
        let words = ["new", "delete", "co_await"];
        rest.starts_with(|c: char| c.is_alphabetic())
            && !words.iter().any(|w| rest.trim_end_matches("[]") == *w)
    })
}
