//! `for (x : range)`.
//!
//! libclang shows the variable, the range and the body. The variable's initialiser names the hidden iterator,
//! the iterator's initialiser the hidden reference to the range, so that these three are lowered as the
//! variables that they are. The end of the range, the comparison and the step are found by their names.

use super::R;
use super::func::{CleanupPlace, FnLower, Jump};
use super::lvalue::Place;
use super::types::{Kind, QTy, RecId, Ty};
use crate::clang::{Cursor, CursorKind};
use cudair_ir::{IntCC, MemFlags, Slot, Type, Value};

/// How two iterators are compared.
enum Unequal<'tu> {
    /// `a != b`, or `!(a == b)`, by a function: whether it is a member, and whether its result is negated.
    Call { operator: Cursor<'tu>, member: bool, negated: bool },
    /// By members of the iterators: their offsets in each and their sizes.
    Fields(Vec<(u64, u64, Ty)>),
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
        self.hidden_init(s, range, variable)?;
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

    /// The variables of `for (init; x : range)`, which is not shown: what range and body name of it.
    fn hidden_init(&mut self, s: Cursor<'tu>, range: Cursor<'tu>, variable: Cursor<'tu>) -> R<()> {
        let (from, to) = (s.range().start, variable.range().start);
        if from.file.is_none() || from.file != to.file {
            return Ok(());
        }
        let mut found = Vec::new();
        if let Some(init) = range.initializer() {
            named_variables(init, &mut found);
        }
        found.retain(|d: &Cursor<'tu>| {
            let place = d.place();
            place.file == from.file && (from.offset..to.offset).contains(&place.offset)
        });
        found.sort_by_key(|d| d.place().offset);
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
            let ends = self.methods_named(class, "end", 0);
            let end = ends.iter().find(|(m, _)| m.is_const_method() == constant).or_else(|| ends.first());
            match end {
                Some(&(end, offset)) => (end, self.b.ptr_offset(place.ptr, offset as i64)),
                None => return self.unsupported("a range for over a class whose end is not visible", s),
            }
        } else {
            // `begin(range)`: `end` stands beside it.
            let q = self.cx.types.of(first.ty());
            let beside = first.semantic_parent().and_then(|scope| {
                scope.children().into_iter().find(|c| {
                    c.kind() == CursorKind::FunctionDecl && c.spelling() == "end" && {
                        let other = self.cx.types.of(c.ty());
                        let (a, b) = (self.cx.types.function(q.ty), self.cx.types.function(other.ty));
                        a.zip(b).is_some_and(|(a, b)| a.params == b.params)
                    }
                })
            });
            match beside {
                Some(end) => (end, place.ptr),
                None => return self.unsupported("a range for whose end is a template's instance", s),
            }
        };
        let q = self.cx.types.of(function.ty());
        let Some(result) = self.cx.types.function(q.ty).map(|f| f.ret) else {
            return self.internal("an end that is no function", s);
        };
        let func = self.cx.func(function, self.device)?;
        let object = self.generic(object);
        if self.cx.types.is_aggregate(result.ty) {
            let slot = self.temp_slot(result.ty, s)?;
            let at = self.b.slot_addr(slot);
            let at = self.generic(at);
            self.b.call(self.cx.module, func, &[at, object]);
            self.register_destructor(result.ty, CleanupPlace::Slot(slot), s)?;
            return Ok((slot, QTy::plain(result.ty)));
        }
        match self.b.call(self.cx.module, func, &[object]) {
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
        match self.comparison_of(class, end.1.ty, s)? {
            Unequal::Fields(fields) => {
                let mut result = None;
                for (left, right, ty) in fields {
                    let ir = self.cx.types.ir(ty).unwrap_or(Type::I64);
                    let flags = MemFlags::natural(ir);
                    let a = self.b.ptr_offset(at.ptr, left as i64);
                    let a = self.b.load(ir, a, flags);
                    let b = self.b.ptr_offset(limit.ptr, right as i64);
                    let b = self.b.load(ir, b, flags);
                    let differ = self.b.icmp(IntCC::Ne, a, b);
                    result = Some(match result {
                        None => differ,
                        Some(before) => self.b.binary(cudair_ir::BinaryOp::Or, before, differ),
                    });
                }
                match result {
                    Some(result) => Ok(result),
                    None => self.internal("iterators without members", s),
                }
            }
            Unequal::Call { operator, member, negated } => {
                let (mut a, b) = (at.ptr, limit.ptr);
                if let (true, Some(owner)) = (member, operator.semantic_parent()) {
                    let owner = self.cx.types.of(owner.ty()).ty;
                    if let Some(offset) =
                        self.cx.types.as_record(owner).and_then(|o| self.base_offset(class, o))
                    {
                        a = self.b.ptr_offset(a, offset as i64);
                    }
                }
                let q = self.cx.types.of(operator.ty());
                let Some(f) = self.cx.types.function(q.ty) else {
                    return self.internal("a comparison that is no function", s);
                };
                let func = self.cx.func(operator, self.device)?;
                // Operands are passed by reference, or as copies of what are small objects.
                let params = if member { &f.params[..] } else { f.params.get(1..).unwrap_or(&[]) };
                let by_value = !params.iter().all(|p| matches!(self.cx.types.kind(p.ty), Kind::Reference(_)));
                if by_value && !self.cx.is_trivially_copyable(end.1.ty) {
                    return self.unsupported("a comparison that takes iterators by value", s);
                }
                let b = if self.cx.types.is_aggregate(end.1.ty) || !by_value {
                    self.generic(b)
                } else {
                    self.load(&limit, s)?
                };
                let a = self.generic(a);
                let Some(value) = self.b.call(self.cx.module, func, &[a, b]) else {
                    return self.unsupported("a comparison of iterators without a scalar result", s);
                };
                let value = self.truth(value, f.ret.ty, s)?;
                Ok(if negated { self.not(value) } else { value })
            }
        }
    }

    /// How iterators of a class are compared with the end.
    fn comparison_of(&mut self, class: RecId, end: Ty, s: Cursor<'tu>) -> R<Unequal<'tu>> {
        if let Some(fields) = self.library_iterator(class, end) {
            return Ok(Unequal::Fields(fields));
        }
        for (name, negated) in [("operator!=", false), ("operator==", true)] {
            for (operator, _) in self.methods_named(class, name, 1) {
                if self.accepts(operator, 0, end) && self.cx.body_of(operator).is_some() {
                    return Ok(Unequal::Call { operator, member: true, negated });
                }
            }
            let decl = self.cx.types.record(class).decl;
            let own = self.cx.types.of(decl.ty()).ty;
            let mut scopes: Vec<Cursor<'tu>> =
                decl.children().into_iter().filter(|c| c.kind() == CursorKind::FriendDecl).collect();
            let mut around = decl.semantic_parent();
            while let Some(scope) = around {
                scopes.push(scope);
                around = scope.semantic_parent();
            }
            for scope in scopes {
                for operator in scope.children() {
                    if operator.kind() == CursorKind::FunctionDecl
                        && operator.spelling() == name
                        && self.accepts(operator, 0, own)
                        && self.accepts(operator, 1, end)
                    {
                        return Ok(Unequal::Call { operator, member: false, negated });
                    }
                }
            }
        }
        self.unsupported("a range for whose iterators are compared by a template's instance", s)
    }

    /// Whether a parameter takes an object of a type as it is.
    fn accepts(&mut self, function: Cursor<'tu>, index: usize, ty: Ty) -> bool {
        let q = self.cx.types.of(function.ty());
        let Some(&param) = self.cx.types.function(q.ty).as_ref().and_then(|f| f.params.get(index)) else {
            return false;
        };
        self.cx.types.strip_reference(param).ty == ty
    }

    /// What tells iterators of the standard library apart, whose operators are templates' instances.
    fn library_iterator(&mut self, class: RecId, end: Ty) -> Option<Vec<(u64, u64, Ty)>> {
        let other = self.cx.types.as_record(end)?;
        let decl = self.cx.types.record(class).decl;
        let parent = decl.semantic_parent()?.spelling();
        if !matches!(parent.as_str(), "std" | "__gnu_cxx" | "__detail" | "__cxx11") {
            return None;
        }
        let names: &[&str] = match decl.spelling().as_str() {
            "__normal_iterator" => &["_M_current"],
            "_Rb_tree_iterator"
            | "_Rb_tree_const_iterator"
            | "_List_iterator"
            | "_List_const_iterator"
            | "_Fwd_list_iterator"
            | "_Fwd_list_const_iterator" => &["_M_node"],
            "_Node_iterator"
            | "_Node_const_iterator"
            | "_Local_iterator"
            | "_Local_const_iterator"
            | "_Deque_iterator" => &["_M_cur"],
            "_Bit_iterator" | "_Bit_const_iterator" => &["_M_p", "_M_offset"],
            _ => return None,
        };
        names
            .iter()
            .map(|name| {
                let (left, ty) = self.member_named(class, name)?;
                let (right, _) = self.member_named(other, name)?;
                Some((left, right, ty))
            })
            .collect()
    }

    /// The offset and type of a member, inherited ones included.
    fn member_named(&mut self, class: RecId, name: &str) -> Option<(u64, Ty)> {
        if let Some(f) = self.cx.types.fields(class).iter().find(|f| &*f.name == name) {
            return Some((f.offset_bits / 8, f.ty.ty));
        }
        for base in self.cx.types.bases(class)?.iter() {
            let inner = self.cx.types.as_record(base.ty)?;
            if let Some((offset, ty)) = self.member_named(inner, name) {
                return Some((base.offset + offset, ty));
            }
        }
        None
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
                self.b.call(self.cx.module, func, &[copy, object]);
                self.register_destructor(result, CleanupPlace::Slot(slot), s)?;
                self.pop_cleanups(keep);
            }
            _ => {
                self.b.call(self.cx.module, func, &[object]);
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
