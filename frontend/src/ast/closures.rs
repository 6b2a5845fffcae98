//! What the closures of lambdas hold.
//!
//! libclang shows a lambda's explicit captures by name and the closure's fields in order; what a default
//! capture took is found by the order in which the body first uses it.

use super::{Ast, Broken, Lambda};
use crate::clang::{Cursor, CursorId, CursorKind};
use crate::types::{Decl, DeclKind, Field, Kind, QTy};
use std::rc::Rc;

/// What a field of a closure holds.
#[derive(Clone, Copy)]
pub(crate) enum Captured<'tu> {
    /// A variable, by copy or reference as the field's type says, or an init-capture.
    Variable(Decl<'tu>),
    /// The pointer `this`.
    This,
    /// A copy of `*this`.
    Object,
}

/// A field of a closure and what it holds.
#[derive(Clone, Copy)]
pub(crate) struct Capture<'tu> {
    /// Where the field lies, in bytes.
    pub offset: u64,
    pub ty: QTy,
    pub what: Captured<'tu>,
    /// Whether the variable is an init-capture: the lambda declares it.
    pub is_init: bool,
}

/// The captures of a closure, or why they are not known.
pub(crate) type Captures<'tu> = Result<Rc<Vec<Capture<'tu>>>, Broken>;

impl<'tu> Ast<'tu> {
    /// The captures of the closure that a lambda makes.
    pub fn closure_of(&mut self, lambda: Lambda<'tu>) -> Captures<'tu> {
        self.closure_of_cursor(lambda.0)
    }

    fn closure_of_cursor(&mut self, lambda: Cursor<'tu>) -> Captures<'tu> {
        let class = self.types.of(lambda.ty()).ty;
        let Some(record) = self.types.as_record(class) else {
            return Err(Broken::internal("a lambda without a class"));
        };
        let key = self.types.record(record).decl.canonical().id();
        if let Some(known) = self.closures.get(&key) {
            return Ok(known.clone());
        }
        let fields = self.types.fields(record);
        let explicit = if fields.is_empty() { Vec::new() } else { self.explicit_captures(lambda)? };
        let mut bindings = Vec::with_capacity(fields.len());
        let mut rest = fields.iter();
        let mut named: Vec<CursorId> = Vec::new();
        for what in explicit {
            if let Captured::Variable(decl) = what {
                named.push(decl.id());
            }
            match rest.next() {
                Some(f) => bindings.push(capture(f, what, lambda)),
                None => return Err(Broken::unsupported("this capture list")),
            }
        }
        let mut used = Vec::new();
        if rest.len() > 0 {
            self.used_variables(lambda, lambda, &mut used);
        }
        used.retain(|u| match u {
            Captured::Variable(d) => !named.contains(&d.id()),
            _ => true,
        });
        for f in rest {
            // What was only used for its constant value was not captured; its type differs, or it is
            // passed over because the fields would not suffice. A fold to the right takes its packs from
            // the last on, so the next that fits need not be the next that is used.
            match used.iter().position(|what| self.fits_field(*what, f.ty)) {
                Some(n) => {
                    let what = used.remove(n);
                    bindings.push(capture(f, what, lambda));
                }
                None => return Err(Broken::unsupported("what this lambda captures")),
            }
        }
        let bindings = Rc::new(bindings);
        self.closures.insert(key, bindings.clone());
        Ok(bindings)
    }

    fn fits_field(&mut self, what: Captured<'tu>, field: QTy) -> bool {
        match what {
            Captured::Variable(decl) => {
                let q = self.types.of(decl.ty());
                let declared = self.types.strip_reference(q);
                let by_value = !matches!(self.types.kind(q.ty), Kind::Reference(_));
                let declared = if by_value && decl.kind() == DeclKind::Parameter {
                    self.types.decayed(declared)
                } else {
                    declared
                };
                // An integer constant is not captured by being read.
                let constant = declared.is_const
                    && self.types.is_integer(declared.ty)
                    && self.has_constant_integer(decl);
                !constant && self.types.strip_reference(field).ty == declared.ty
            }
            Captured::This => self.types.is_pointer(field.ty),
            Captured::Object => self.types.as_record(field.ty).is_some(),
        }
    }

    /// The captures that the list names, in order.
    fn explicit_captures(&mut self, lambda: Cursor<'tu>) -> Result<Vec<Captured<'tu>>, Broken> {
        let mut variables = lambda
            .children()
            .into_iter()
            .filter(|c| c.kind() == CursorKind::VariableRef)
            .filter_map(|c| c.referenced().map(Decl::new))
            .peekable();
        let mut found = Vec::new();
        for item in self.capture_items(lambda)? {
            let words: Vec<&str> = item.iter().map(String::as_str).collect();
            match words.as_slice() {
                ["=" | "&"] | [] => {}
                ["this"] => found.push(Captured::This),
                ["*", "this"] => found.push(Captured::Object),
                // A pack is one item and any number of variables of its name.
                [name, "..."] | ["&", name, "..."] | ["...", name, ..] | ["&", "...", name, ..] => {
                    while let Some(decl) = variables.next_if(|v| v.spelling() == *name) {
                        found.push(Captured::Variable(decl));
                    }
                }
                _ => found.extend(variables.next().map(Captured::Variable)),
            }
        }
        if variables.next().is_some() {
            return Err(Broken::unsupported("a lambda whose captures libclang does not show"));
        }
        Ok(found)
    }

    /// The variables of enclosing functions that the body of `lambda` uses, and `this`, in order of
    /// first use.
    fn used_variables(&mut self, lambda: Cursor<'tu>, at: Cursor<'tu>, found: &mut Vec<Captured<'tu>>) {
        for child in at.children() {
            // A lambda's own children repeat what it captures; only its list and body are uses.
            if at.kind() == CursorKind::LambdaExpr
                && !matches!(child.kind(), CursorKind::VariableRef | CursorKind::CompoundStmt)
            {
                continue;
            }
            match child.kind() {
                CursorKind::VariableRef if at.id() == lambda.id() => {}
                // Operands that are not evaluated: of `sizeof`, `noexcept`, and of `decltype` in a declaration.
                CursorKind::UnaryExpr => continue,
                kind if at.kind() == CursorKind::VarDecl
                    && kind.is_expression()
                    && at.initializer().is_some_and(|init| init.id() != child.id()) =>
                {
                    continue;
                }
                _ => {}
            }
            match child.kind() {
                CursorKind::VariableRef if at.id() == lambda.id() => {}
                CursorKind::DeclRefExpr | CursorKind::VariableRef => {
                    if let Some(decl) = child.referenced().map(Decl::new)
                        && matches!(
                            decl.kind(),
                            DeclKind::Variable | DeclKind::Parameter | DeclKind::Unexposed
                        )
                        && !decl.has_static_storage()
                        && is_local(decl)
                        && !is_declared_in(decl, lambda)
                        && !found.iter().any(|f| matches!(f, Captured::Variable(d) if d.id() == decl.id()))
                    {
                        found.push(Captured::Variable(decl));
                    }
                }
                CursorKind::CXXThisExpr => note_this(found),
                CursorKind::MemberRefExpr if child.expressions().is_empty() => {
                    let implicit = child
                        .referenced()
                        .is_some_and(|m| m.kind() == CursorKind::FieldDecl || Decl::new(m).has_this());
                    if implicit {
                        note_this(found);
                    }
                }
                _ => {}
            }
            self.used_variables(lambda, child, found);
        }
    }

    /// The captures of a closure class, found from the class alone.
    pub fn closure_of_class(&mut self, class: Decl<'tu>) -> Result<Option<Rc<Vec<Capture<'tu>>>>, Broken> {
        let key = class.canonical().id();
        if let Some(known) = self.closures.get(&key) {
            return Ok(Some(known.clone()));
        }
        let mut around = class.semantic_parent();
        while let Some(scope) = around {
            if scope.kind().is_function() {
                let scope = scope.definition().unwrap_or(scope);
                if let Some(lambda) = self.find_lambda(scope.cursor(), key) {
                    return self.closure_of_cursor(lambda).map(Some);
                }
            }
            around = scope.semantic_parent();
        }
        // What initialises a variable or member outside of functions.
        let is_initialized =
            |c: &Cursor<'tu>| matches!(c.kind(), CursorKind::VarDecl | CursorKind::FieldDecl);
        let scope = class.cursor().lexical_parent().into_iter().flat_map(Cursor::children);
        let lambda = scope.filter(is_initialized).find_map(|v| self.find_lambda(v, key));
        lambda.map(|lambda| self.closure_of_cursor(lambda)).transpose()
    }

    fn find_lambda(&mut self, at: Cursor<'tu>, class: CursorId) -> Option<Cursor<'tu>> {
        for child in at.children() {
            if child.kind() == CursorKind::LambdaExpr
                && child.ty().canonical().declaration().canonical().id() == class
            {
                return Some(child);
            }
            if let Some(found) = self.find_lambda(child, class) {
                return Some(found);
            }
        }
        None
    }
}

fn note_this(found: &mut Vec<Captured<'_>>) {
    if !found.iter().any(|f| matches!(f, Captured::This)) {
        found.push(Captured::This);
    }
}

/// Whether a function declares it.
fn is_local(decl: Decl<'_>) -> bool {
    decl.semantic_parent().is_some_and(|p| p.kind().is_function())
}

/// Whether a variable is one of a lambda's own, or of a lambda inside it.
fn is_declared_in(decl: Decl<'_>, lambda: Cursor<'_>) -> bool {
    let class = lambda.ty().canonical().declaration().canonical().id();
    let mut around = decl.semantic_parent();
    while let Some(scope) = around {
        if scope.canonical().id() == class {
            return true;
        }
        around = scope.semantic_parent();
    }
    false
}

/// Whether a variable is declared among the captures of a lambda.
fn is_init_capture(decl: Decl<'_>, lambda: Cursor<'_>) -> bool {
    let name = decl.cursor().location();
    let body = lambda.children().into_iter().rfind(|c| c.kind() == CursorKind::CompoundStmt);
    lambda.start().is_before(name) && body.is_some_and(|body| name.is_before(body.start()))
}

fn capture<'tu>(f: &Field<'tu>, what: Captured<'tu>, lambda: Cursor<'tu>) -> Capture<'tu> {
    let is_init = match what {
        Captured::Variable(decl) => is_init_capture(decl, lambda),
        _ => false,
    };
    Capture { offset: f.offset_bits / 8, ty: f.ty, what, is_init }
}
