//! `for (x : range)`.
//!
//! libclang shows the variable, the range and the body. The variable's initialiser names the hidden iterator,
//! the iterator's initialiser the hidden reference to the range, so that these three are lowered as the
//! variables that they are. The end of the range, the comparison and the step are found by their names.

use super::R;
use super::cleanup::CleanupPlace;
use super::decl::has_this;
use super::func::{FnLower, Jump};
use super::lvalue::Place;
use super::types::{Kind, QTy, RecId, Ty};
use crate::clang::{Cursor, CursorKind};
use cudair_ir::{IntCC, Slot, Value};

/// How two iterators are compared: `a != b`, or `!(a == b)`.
struct Comparison<'tu> {
    operator: Cursor<'tu>,
    negated: bool,
    /// Whether the end comes first.
    swapped: bool,
    /// Where the operands that the operator takes lie in the iterator and in the end.
    offsets: (u64, u64),
}

impl<'tu> FnLower<'_, 'tu, '_> {
    /// A range-based for statement.
    pub fn range_for(&mut self, s: Cursor<'tu>) -> R<()> {
        let children = s.children();
        let Some((&body, head)) = children.split_last() else {
            return self.internal("a range for without a body", s);
        };
        let Some(&variable) = head.iter().find(|c| c.kind().is_declaration()) else {
            return self.internal("a range for without a variable", s);
        };
        let init = variable.initializer().or_else(|| variable.expressions().last().copied());
        let Some(begin) = init.and_then(|i| find_hidden(i, "__begin")) else {
            return self.internal("a range for without an iterator", s);
        };
        let Some(range) = begin.initializer().and_then(|i| find_hidden(i, "__range")) else {
            return self.internal("a range for without a range", s);
        };
        let keep = self.cleanups.len();
        self.path.push((s.id(), keep));
        let init: Vec<Cursor<'tu>> = range.initializer().into_iter().collect();
        self.hidden_init(s, &init, variable)?;
        self.local_variable(range)?;
        self.local_variable(begin)?;
        let end = self.range_end(range, begin, s)?;
        let (head, run, next, done) =
            (self.b.make_block(), self.b.make_block(), self.b.make_block(), self.b.make_block());
        self.b.jump(head, &[]);
        self.b.switch_to(head);
        let more = self.iterators_differ(begin, end, s)?;
        self.b.branch(more, run, done);
        self.conditional += 1;
        self.b.switch_to(run);
        // The variable dies with each iteration.
        let inner = self.cleanups.len();
        let old = self.enter(variable);
        self.local_decl(variable)?;
        self.b.set_loc(old);
        self.jumps.push(Jump { break_to: Some(done), continue_to: Some(next), cleanups: inner });
        self.stmt(body);
        self.jumps.pop();
        if !self.b.is_unreachable() {
            self.emit_cleanups(inner, true);
            self.b.jump(next, &[]);
        }
        self.cleanups.truncate(inner);
        self.b.switch_to(next);
        self.advance(begin, s)?;
        if !self.b.is_unreachable() {
            self.b.jump(head, &[]);
        }
        self.conditional -= 1;
        self.b.switch_to(done);
        self.path.pop();
        self.pop_cleanups(keep);
        Ok(())
    }

    /// The variables of `for (init; x : range)` or `switch (init; x)`, which is not shown: what the statement names of
    /// it. `until`: what stands after it.
    pub fn hidden_init(&mut self, s: Cursor<'tu>, parts: &[Cursor<'tu>], until: Cursor<'tu>) -> R<()> {
        let (from, to) = (s.range().start, until.range().start);
        if from.file.is_none() || from.file != to.file {
            return Ok(());
        }
        let mut found = Vec::new();
        for &part in parts {
            named_variables(part, &mut found);
        }
        named_variables(s, &mut found);
        found.retain(|d: &Cursor<'tu>| {
            let place = d.place();
            place.file == from.file && (from.offset..to.offset).contains(&place.offset)
        });
        found.sort_by_key(|d| d.place().offset);
        if found.is_empty() && has_init(&s.tokens(self.cx.unit)) {
            return self.unsupported("a first part of a statement that the rest does not name", s);
        }
        for decl in found {
            if !self.vars.contains_key(&decl.id()) {
                self.local_variable(decl)?;
            }
        }
        Ok(())
    }

    /// The end of the range in a slot.
    fn range_end(&mut self, range: Cursor<'tu>, begin: Cursor<'tu>, s: Cursor<'tu>) -> R<(Slot, QTy)> {
        let place = self.declared_place(range, s)?;
        if let Kind::Array { elem, len: Some(len) } = *self.cx.types.kind(place.ty.ty) {
            let size = self.cx.types.size(elem.ty).unwrap_or(0);
            let end = self.b.ptr_offset(place.ptr, (size * len) as i64);
            let end = self.generic(end);
            let ty = self.cx.types.pointer_to(elem);
            return self.kept(end, QTy::plain(ty), s);
        }
        let Some(class) = self.cx.types.as_record(place.ty.ty) else {
            return self.unsupported("a range for over this type", s);
        };
        let Some(first) = begin.initializer().and_then(called) else {
            return self.unsupported("a range for whose begin is not visible", s);
        };
        let (function, object) = if first.kind() == CursorKind::CXXMethod {
            let constant = first.is_const_method();
            let mut ends = self.methods_named(class, "end", 0);
            // Of several, constrained each in its way, only the one that is called has a body.
            if ends.iter().any(|(m, _)| self.cx.body_of(*m).is_some()) {
                ends.retain(|(m, _)| self.cx.body_of(*m).is_some());
            }
            let end = ends.iter().find(|(m, _)| m.is_const_method() == constant).or_else(|| ends.first());
            match end {
                Some(&(end, offset)) => (end, self.b.ptr_offset(place.ptr, offset as i64)),
                None => return self.unsupported("a range for over a class whose end is not visible", s),
            }
        } else {
            // `begin(range)`: `end` stands beside it, or is an instance as `begin` is.
            let mut ends = self.cx.instances("end");
            if let Some(scope) = first.semantic_parent() {
                ends.extend(scope.children().into_iter().filter(|c| c.spelling() == "end"));
            }
            let q = self.cx.types.of(first.ty());
            let wanted = self.cx.types.function(q.ty);
            ends.retain(|c| c.kind() == CursorKind::FunctionDecl);
            let same = ends.iter().copied().find(|c| {
                let other = self.cx.types.of(c.ty());
                let other = self.cx.types.function(other.ty);
                wanted.as_ref().zip(other.as_ref()).is_some_and(|(a, b)| a.params == b.params)
            });
            // One may take a copy, the other a reference.
            let end = same.or_else(|| {
                ends.into_iter().find(|c| {
                    let other = self.cx.types.of(c.ty());
                    let param = self.cx.types.function(other.ty).and_then(|f| f.params.first().copied());
                    param.is_some_and(
                        |p| matches!(*self.cx.types.kind(p.ty), Kind::Reference(to) if to.ty == place.ty.ty),
                    )
                })
            });
            match end {
                Some(end) => (end, place.ptr),
                None => return self.unsupported("a range for whose end is not visible", s),
            }
        };
        let q = self.cx.types.of(function.ty());
        let Some(result) = self.cx.types.function(q.ty).map(|f| f.ret) else {
            return self.internal("an end that is no function", s);
        };
        let func = self.cx.func(function, self.device)?;
        // A static member takes no object; a function that is no member takes the range.
        let takes = function.kind() != CursorKind::CXXMethod || has_this(function);
        let object = takes.then(|| self.generic(object));
        if self.cx.types.is_aggregate(result.ty) {
            let slot = self.temp_slot(result.ty, s)?;
            let at = self.b.slot_addr(slot);
            let at = self.generic(at);
            let args: Vec<Value> = std::iter::once(at).chain(object).collect();
            self.call_func(func, &args);
            self.register_destructor(result.ty, CleanupPlace::Slot(slot), s)?;
            return Ok((slot, QTy::plain(result.ty)));
        }
        let args: Vec<Value> = object.into_iter().collect();
        match self.call_func(func, &args) {
            Some(value) => self.kept(value, QTy::plain(result.ty), s),
            None => self.internal("an end without a value", s),
        }
    }

    /// A scalar in a slot of its own.
    fn kept(&mut self, value: Value, q: QTy, s: Cursor<'tu>) -> R<(Slot, QTy)> {
        let slot = self.temp_slot(q.ty, s)?;
        let at = self.b.slot_addr(slot);
        self.store(&Place::new(at, self.cx.types.align(q.ty), q), value, s)?;
        Ok((slot, q))
    }

    fn iterators_differ(&mut self, begin: Cursor<'tu>, end: (Slot, QTy), s: Cursor<'tu>) -> R<Value> {
        let at = self.declared_place(begin, s)?;
        let limit = self.b.slot_addr(end.0);
        let limit = Place::new(limit, self.cx.types.align(end.1.ty), end.1);
        let Some(class) = self.cx.types.as_record(at.ty.ty) else {
            let (a, b) = (self.load(&at, s)?, self.load(&limit, s)?);
            return Ok(self.b.icmp(IntCC::Ne, a, b));
        };
        let Comparison { operator, negated, swapped, offsets } =
            self.comparison_of(class, at.ty.ty, end.1.ty, s)?;
        let q = self.cx.types.of(operator.ty());
        let Some(f) = self.cx.types.function(q.ty) else {
            return self.internal("a comparison that is no function", s);
        };
        let func = self.cx.func(operator, self.device)?;
        // Operands are passed by reference, or as copies of what are small objects.
        let by_value = !f.params.iter().all(|p| matches!(self.cx.types.kind(p.ty), Kind::Reference(_)));
        if by_value && !self.cx.is_trivially_copyable(end.1.ty) {
            return self.unsupported("a comparison that takes iterators by value", s);
        }
        // The object of a member operator is no parameter.
        let second = f.params.last().copied();
        let first = if f.params.len() == 2 { f.params.first().copied() } else { None };
        let (left, right) = if swapped { (&limit, &at) } else { (&at, &limit) };
        let a = self.iterator_operand(left, offsets.0, first, s)?;
        let b = self.iterator_operand(right, offsets.1, second, s)?;
        let Some(value) = self.call_func(func, &[a, b]) else {
            return self.unsupported("a comparison of iterators without a scalar result", s);
        };
        let value = self.truth(value, f.ret.ty, s)?;
        Ok(if negated { self.not(value) } else { value })
    }

    /// How iterators of a class are compared with the end.
    fn comparison_of(&mut self, class: RecId, own: Ty, end: Ty, s: Cursor<'tu>) -> R<Comparison<'tu>> {
        for (name, negated) in [("operator!=", false), ("operator==", true)] {
            for (operator, offset) in self.methods_named(class, name, 1) {
                if let Some(other) = self.cx.parameter_takes(operator, 0, end)
                    && self.cx.body_of(operator).is_some()
                {
                    return Ok(Comparison { operator, negated, swapped: false, offsets: (offset, other) });
                }
            }
            let mut scopes = Vec::new();
            self.friends(class, &mut scopes);
            let mut around = self.cx.types.record(class).decl.semantic_parent();
            while let Some(scope) = around {
                scopes.push(scope);
                around = scope.semantic_parent();
            }
            let mut candidates = self.cx.instances(name);
            for scope in scopes {
                candidates.extend(scope.children().into_iter().filter(|c| c.spelling() == name));
            }
            for operator in candidates {
                let member = operator.kind() == CursorKind::CXXMethod;
                if !member && operator.kind() != CursorKind::FunctionDecl {
                    continue;
                }
                // `a == b` may be the other way around.
                for (swapped, first, second) in [(false, own, end), (true, end, own)] {
                    let left = if member {
                        let parent = operator.semantic_parent().map(|p| self.cx.types.of(p.ty()).ty);
                        (parent == Some(first)).then_some(0)
                    } else {
                        self.cx.parameter_takes(operator, 0, first)
                    };
                    let right = self.cx.parameter_takes(operator, usize::from(!member), second);
                    if let (Some(left), Some(right)) = (left, right) {
                        return Ok(Comparison { operator, negated, swapped, offsets: (left, right) });
                    }
                }
            }
        }
        self.unsupported("a range for whose iterators' comparison is not visible", s)
    }

    /// The friends that a class and its bases declare.
    fn friends(&mut self, class: RecId, found: &mut Vec<Cursor<'tu>>) {
        let decl = self.cx.types.record(class).decl;
        found.extend(decl.children().into_iter().filter(|c| c.kind() == CursorKind::FriendDecl));
        let bases = self.cx.types.bases(class);
        for base in bases.iter().flat_map(|b| b.iter()) {
            if let Some(inner) = self.cx.types.as_record(base.ty) {
                self.friends(inner, found);
            }
        }
    }

    /// The member functions of a name and a number of parameters, with the offsets of their classes; those
    /// of the class itself first.
    pub fn methods_named(&mut self, class: RecId, name: &str, params: usize) -> Vec<(Cursor<'tu>, u64)> {
        let mut found: Vec<(Cursor<'tu>, u64)> = self
            .cx
            .methods(class)
            .into_iter()
            .filter(|m| {
                m.spelling() == name && !m.is_deleted() && m.arguments().is_some_and(|a| a.len() == params)
            })
            .map(|m| (m, 0))
            .collect();
        if found.is_empty()
            && let Some(bases) = self.cx.types.bases(class)
        {
            for base in bases.iter() {
                if let Some(inner) = self.cx.types.as_record(base.ty) {
                    let inherited = self.methods_named(inner, name, params);
                    found.extend(inherited.into_iter().map(|(m, offset)| (m, base.offset + offset)));
                }
            }
        }
        found
    }

    /// An operand of a comparison, as its parameter takes it: `None` is the object of a member.
    fn iterator_operand(
        &mut self,
        from: &Place,
        offset: u64,
        param: Option<QTy>,
        s: Cursor<'tu>,
    ) -> R<Value> {
        let pointer = self.b.ptr_offset(from.ptr, offset as i64);
        let Some(param) = param.filter(|p| !matches!(self.cx.types.kind(p.ty), Kind::Reference(_))) else {
            return Ok(self.generic(pointer));
        };
        if !self.cx.types.is_aggregate(param.ty) {
            return self.load(from, s);
        }
        let slot = self.temp_slot(param.ty, s)?;
        let copy = self.b.slot_addr(slot);
        let align = self.cx.types.align(param.ty);
        self.copy_object(copy, pointer, align, param, s)?;
        Ok(self.b.slot_addr(slot))
    }

    /// `++iterator`
    fn advance(&mut self, begin: Cursor<'tu>, s: Cursor<'tu>) -> R<()> {
        let at = self.declared_place(begin, s)?;
        if let Some(pointee) = self.cx.types.pointee(at.ty.ty) {
            let old = self.load(&at, s)?;
            let Some(size) = self.cx.types.size(pointee.ty) else {
                return self.unsupported("a range for over elements of unknown size", s);
            };
            let new = self.b.ptr_offset(old, size as i64);
            self.store(&at, new, s)?;
            return Ok(());
        }
        let Some(class) = self.cx.types.as_record(at.ty.ty) else {
            return self.unsupported("a range for over this iterator", s);
        };
        let Some(&(step, offset)) = self.methods_named(class, "operator++", 0).first() else {
            return self.unsupported("a range for whose iterator's `++` is no member", s);
        };
        let q = self.cx.types.of(step.ty());
        let result = self.cx.types.function(q.ty).map(|f| f.ret.ty);
        let func = self.cx.func(step, self.device)?;
        let object = self.b.ptr_offset(at.ptr, offset as i64);
        let object = self.generic(object);
        match result {
            Some(result) if self.cx.types.is_aggregate(result) => {
                let keep = self.cleanups.len();
                let slot = self.temp_slot(result, s)?;
                let copy = self.b.slot_addr(slot);
                let copy = self.generic(copy);
                self.call_func(func, &[copy, object]);
                self.register_destructor(result, CleanupPlace::Slot(slot), s)?;
                self.pop_cleanups(keep);
            }
            _ => {
                self.call_func(func, &[object]);
            }
        }
        Ok(())
    }
}

/// The hidden variable that an expression names whose name starts so.
fn find_hidden<'tu>(e: Cursor<'tu>, name: &str) -> Option<Cursor<'tu>> {
    if e.kind() == CursorKind::DeclRefExpr
        && let Some(decl) = e.referenced()
        && decl.kind() == CursorKind::VarDecl
        && decl.spelling().starts_with(name)
    {
        return Some(decl);
    }
    e.children().into_iter().find_map(|c| find_hidden(c, name))
}

/// The function that an initialiser calls, conversions aside.
fn called(e: Cursor<'_>) -> Option<Cursor<'_>> {
    let callee = super::call::direct_callee(e).filter(|d| d.kind() != CursorKind::Constructor);
    if e.kind() == CursorKind::CallExpr && callee.is_some() {
        return callee;
    }
    e.expressions().into_iter().find_map(called)
}

/// Whether the parentheses of a statement begin with a part that ends in a semicolon and is not empty.
fn has_init(tokens: &[String]) -> bool {
    let mut depth = 0;
    for (n, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "(" | "{" | "[" => depth += 1,
            ")" | "}" | "]" => {
                depth -= 1;
                if depth == 0 {
                    return false;
                }
            }
            ";" if depth == 1 => return tokens.get(n.wrapping_sub(1)).is_some_and(|t| t != "("),
            _ => {}
        }
    }
    false
}

fn named_variables<'tu>(e: Cursor<'tu>, found: &mut Vec<Cursor<'tu>>) {
    if e.kind() == CursorKind::DeclRefExpr
        && let Some(decl) = e.referenced()
        && decl.kind() == CursorKind::VarDecl
        && !decl.has_static_storage()
    {
        found.push(decl);
    }
    for child in e.children() {
        named_variables(child, found);
    }
}
