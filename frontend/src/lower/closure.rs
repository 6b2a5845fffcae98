//! Lambdas: the closure object, what it captured, and its conversion to a function pointer.
//!
//! libclang shows a lambda's explicit captures by name and the closure's fields in order; what a default
//! capture took is found by the order in which the body first uses it.

use super::func::FnLower;
use super::lvalue::Place;
use super::types::{Kind, QTy, Ty};
use super::{Cx, R};
use crate::clang::{Cursor, CursorId, CursorKind, Evaluated};
use cudair_ir::builder::FuncBuilder;
use cudair_ir::{FuncId, Function, Linkage, MemFlags, Side, Type, Value};
use std::rc::Rc;

/// What a field of a closure holds.
#[derive(Clone, Copy)]
pub(crate) enum Captured<'tu> {
    /// A variable, by copy or reference as the field's type says, or an init-capture.
    Variable(Cursor<'tu>),
    /// The pointer `this`.
    This,
    /// A copy of `*this`.
    Object,
}

/// A field of a closure and what it holds.
#[derive(Clone, Copy)]
pub(crate) struct Binding<'tu> {
    pub offset: u64,
    pub ty: QTy,
    pub what: Captured<'tu>,
}

impl<'tu> Cx<'tu, '_> {
    /// The captures of the closure that `lambda` makes.
    pub fn closure_of(&mut self, lambda: Cursor<'tu>) -> R<Rc<Vec<Binding<'tu>>>> {
        let class = self.types.of(lambda.ty()).ty;
        let Some(record) = self.types.as_record(class) else {
            return self.internal("a lambda without a class", lambda);
        };
        let key = self.types.record(record).decl.canonical().id();
        if let Some(known) = self.closures.get(&key) {
            return Ok(known.clone());
        }
        let fields = self.types.fields(record);
        let explicit = self.explicit_captures(lambda);
        let mut bindings = Vec::with_capacity(fields.len());
        let mut rest = fields.iter();
        let mut named: Vec<CursorId> = Vec::new();
        for what in explicit {
            if let Captured::Variable(decl) = what {
                named.push(decl.id());
            }
            match rest.next() {
                Some(f) => bindings.push(Binding { offset: f.offset_bits / 8, ty: f.ty, what }),
                None => return self.unsupported("this capture list", lambda),
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
                    bindings.push(Binding { offset: f.offset_bits / 8, ty: f.ty, what });
                }
                None => return self.unsupported("what this lambda captures", lambda),
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
                let declared = if by_value && decl.kind() == CursorKind::ParmDecl {
                    self.types.decayed(declared)
                } else {
                    declared
                };
                // An integer constant is not captured by being read.
                let constant = declared.is_const
                    && self.types.is_integer(declared.ty)
                    && decl.initializer().is_some_and(|i| matches!(i.evaluate(), Some(Evaluated::Int(_))));
                !constant && self.types.strip_reference(field).ty == declared.ty
            }
            Captured::This => self.types.is_pointer(field.ty),
            Captured::Object => self.types.as_record(field.ty).is_some(),
        }
    }

    /// The captures that the list names, in order.
    fn explicit_captures(&mut self, lambda: Cursor<'tu>) -> Vec<Captured<'tu>> {
        let mut variables = lambda
            .children()
            .into_iter()
            .filter(|c| c.kind() == CursorKind::VariableRef)
            .filter_map(|c| c.referenced())
            .peekable();
        let mut found = Vec::new();
        let tokens = lambda.tokens(self.unit);
        for item in capture_items(&tokens) {
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
        // From a macro the list cannot be read; the variables are still known.
        found.extend(variables.map(Captured::Variable));
        found
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
                    if let Some(decl) = child.referenced()
                        && matches!(
                            decl.kind(),
                            CursorKind::VarDecl | CursorKind::ParmDecl | CursorKind::UnexposedDecl
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
                        .is_some_and(|m| m.kind() == CursorKind::FieldDecl || super::decl::has_this(m));
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
    fn closure_of_class(&mut self, class: Cursor<'tu>) -> R<Option<Rc<Vec<Binding<'tu>>>>> {
        let key = class.canonical().id();
        if let Some(known) = self.closures.get(&key) {
            return Ok(Some(known.clone()));
        }
        let mut around = class.semantic_parent();
        while let Some(scope) = around {
            if super::decl::is_function(scope.kind()) {
                let scope = scope.definition().unwrap_or(scope);
                if let Some(lambda) = self.find_lambda(scope, key) {
                    return self.closure_of(lambda).map(Some);
                }
            }
            around = scope.semantic_parent();
        }
        Ok(None)
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

    /// The function to which a lambda without captures converts: the call operator without `this`.
    pub fn closure_function(&mut self, class: Ty, device: bool, at: Cursor<'tu>) -> R<FuncId> {
        let operator = match self.types.as_record(class) {
            Some(id) => self.methods(id).into_iter().find(|m| m.spelling() == "operator()"),
            None => None,
        };
        let Some(operator) = operator else {
            return self.unsupported("this conversion of a lambda", at);
        };
        let callee = self.func(operator, device)?;
        let name = format!("{}$invoke", self.module.funcs[callee].name);
        if let Some(id) = self.module.func_by_name(&name) {
            return Ok(id);
        }
        let mut sig = self.module.funcs[callee].sig.clone();
        let this =
            sig.params.iter().take_while(|p| matches!(p.attr, cudair_ir::ParamAttr::SRet { .. })).count();
        if this >= sig.params.len() {
            return self.internal("a call operator without an object", at);
        }
        sig.params.remove(this);
        let mut function = Function::new(name, if device { Side::Device } else { Side::Host }, sig);
        "lambda".clone_into(&mut function.display_name);
        function.linkage = Linkage::Internal;
        let id = self.module.add_func(function.clone());
        let loc = self.loc(at);
        let mut b = FuncBuilder::new(function);
        b.set_loc(loc);
        let entry = b.make_entry();
        let mut args: Vec<Value> = b.func.block_params(entry).to_vec();
        let object = b.slot("", 1, 1);
        let object = b.slot_addr(object);
        let object = b.cast(cudair_ir::CastOp::Spacecast, Type::GENERIC_PTR, object);
        args.insert(this, object);
        let result = b.call(self.module, callee, &args);
        b.ret(result);
        self.module.funcs[id] = b.finish();
        Ok(id)
    }
}

impl<'tu> FnLower<'_, 'tu, '_> {
    /// Makes the closure object of a lambda at `dst`.
    pub fn lambda(&mut self, dst: Value, e: Cursor<'tu>) -> R<()> {
        let mark = self.cleanups.len();
        for binding in self.cx.closure_of(e)?.iter() {
            let ptr = self.b.ptr_offset(dst, binding.offset as i64);
            let align = self.cx.types.align(binding.ty.ty);
            match binding.what {
                Captured::This => {
                    let this = self.this_place(e)?.ptr;
                    let this = self.generic(this);
                    self.b.store(this, ptr, MemFlags::aligned(8));
                }
                Captured::Object => {
                    let this = self.this_place(e)?.ptr;
                    self.copy_one(ptr, this, QTy::plain(binding.ty.ty), false, e)?;
                }
                Captured::Variable(decl) => {
                    // An init-capture is a variable of the lambda with an initialiser.
                    // (From a macro, everything stands in one place.)
                    let known = self.vars.contains_key(&decl.id()) || self.captures.contains_key(&decl.id());
                    let own = !known && is_inside(decl, e);
                    if let (true, Some(init)) = (own, decl.initializer()) {
                        self.init_object(ptr, align, binding.ty, init)?;
                        self.register_part(binding.ty.ty, ptr, e)?;
                        continue;
                    }
                    let place = match self.bindings.get(&decl.id()).copied() {
                        Some(bound) => self.binding_place(bound, e)?,
                        None => self.declared_place(decl, e)?,
                    };
                    if let Kind::Reference(_) = self.cx.types.kind(binding.ty.ty) {
                        let target = self.pointer_for(place.ptr, binding.ty.ty);
                        self.b.store(target, ptr, MemFlags::aligned(8));
                    } else if self.cx.types.is_aggregate(binding.ty.ty) {
                        self.copy_one(ptr, place.ptr, QTy::plain(binding.ty.ty), false, e)?;
                    } else {
                        let value = self.load(&place, e)?;
                        let field = Place::new(ptr, align, QTy::plain(binding.ty.ty));
                        self.store(&field, value, e)?;
                    }
                }
            }
            self.register_part(binding.ty.ty, ptr, e)?;
        }
        self.drop_parts(mark);
        Ok(())
    }

    /// Finds the captures of the closure that the function being lowered is a member of.
    pub fn bind_captures(&mut self, class: Cursor<'tu>) -> R<()> {
        if self.decl.kind() != CursorKind::CXXMethod || self.decl.spelling() != "operator()" {
            return Ok(());
        }
        if let Some(bindings) = self.cx.closure_of_class(class)? {
            for binding in bindings.iter() {
                if let Captured::Variable(decl) = binding.what {
                    self.captures.insert(decl.id(), *binding);
                } else {
                    self.outer_this = Some(*binding);
                }
            }
        }
        Ok(())
    }

    /// The closure object that the function being lowered was called on.
    fn closure_place(&mut self, at: Cursor<'tu>) -> R<Place> {
        let (Some(slot), Some(class)) = (self.this, self.class) else {
            return self.internal("a capture outside a closure", at);
        };
        let address = self.b.slot_addr(slot);
        let ptr = self.b.load(Type::GENERIC_PTR, address, MemFlags::aligned(8));
        Ok(Place::new(ptr, self.cx.types.align(class), QTy::plain(class)))
    }

    /// A captured variable.
    pub fn capture_place(&mut self, binding: Binding<'tu>, at: Cursor<'tu>) -> R<Place> {
        let closure = self.closure_place(at)?;
        let ptr = self.b.ptr_offset(closure.ptr, binding.offset as i64);
        if let Kind::Reference(inner) = *self.cx.types.kind(binding.ty.ty) {
            let ir = self.cx.types.ir(binding.ty.ty).unwrap_or(Type::GENERIC_PTR);
            let target = self.b.load(ir, ptr, MemFlags::aligned(8));
            return Ok(Place::new(target, self.cx.types.align(inner.ty), inner));
        }
        Ok(Place::new(ptr, self.cx.types.align(binding.ty.ty), binding.ty))
    }

    /// `*this` of the enclosing class, inside a lambda that captured it.
    pub fn captured_this(&mut self, at: Cursor<'tu>) -> R<Option<Place>> {
        let Some(binding) = self.outer_this else { return Ok(None) };
        let closure = self.closure_place(at)?;
        let ptr = self.b.ptr_offset(closure.ptr, binding.offset as i64);
        if let Some(class) = self.cx.types.pointee(binding.ty.ty) {
            let target = self.b.load(Type::GENERIC_PTR, ptr, MemFlags::aligned(8));
            return Ok(Some(Place::new(target, self.cx.types.align(class.ty), class)));
        }
        Ok(Some(Place::new(ptr, self.cx.types.align(binding.ty.ty), binding.ty)))
    }
}

fn note_this(found: &mut Vec<Captured<'_>>) {
    if !found.iter().any(|f| matches!(f, Captured::This)) {
        found.push(Captured::This);
    }
}

/// Whether a function declares it.
fn is_local(decl: Cursor<'_>) -> bool {
    decl.semantic_parent().is_some_and(|p| super::decl::is_function(p.kind()))
}

/// Whether a variable is one of a lambda's own, or of a lambda inside it.
fn is_declared_in(decl: Cursor<'_>, lambda: Cursor<'_>) -> bool {
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

/// Whether a declaration stands inside the text of a node.
fn is_inside(decl: Cursor<'_>, node: Cursor<'_>) -> bool {
    let (place, range) = (decl.place(), node.range());
    place.file == range.start.file && (range.start.offset..range.end.offset).contains(&place.offset)
}

/// The items of a lambda's capture list, as tokens.
fn capture_items(tokens: &[String]) -> Vec<&[String]> {
    let mut items = Vec::new();
    if tokens.first().is_none_or(|t| t != "[") {
        return items;
    }
    let (mut depth, mut start) = (0, 1);
    for (i, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "[" | "(" | "{" => depth += 1,
            "]" | ")" | "}" => {
                depth -= 1;
                if depth == 0 {
                    if i > start {
                        items.push(&tokens[start..i]);
                    }
                    break;
                }
            }
            "," if depth == 1 => {
                items.push(&tokens[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    items
}

/// Whether a class is a lambda's.
pub(crate) fn is_closure(class: Cursor<'_>) -> bool {
    // Other names may have one among their template arguments.
    let name = class.ty().spelling();
    name.find("(lambda").is_some_and(|at| !name[..at].contains('<'))
}
