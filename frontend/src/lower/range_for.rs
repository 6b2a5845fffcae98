//! `for (x : range)`.
//!
//! libclang shows the variable, the range and the body. The variable's initialiser names the hidden iterator,
//! the iterator's initialiser the hidden reference to the range, so that these three are lowered as the
//! variables that they are. The end of the range, the comparison and the step are found by their names.

use super::R;
use super::func::FnLower;
use super::func::cleanups::CleanupPlace;
use super::lvalue::Place;
use crate::ast::{RangeFor, St};
use crate::clang::TypeKind;
use crate::types::{Decl, DeclKind};
use crate::types::{Kind, QTy, RecId, Ty};
use cudair_ir::{IntCC, Slot, Value};

/// How well a function takes each of two operands; lower is better.
type Fit = [u32; 2];

/// A reference to const, where one to what is not `const` would do as well.
const ADDS_CONST: u32 = 1;
/// An operand becomes its base class.
const TO_BASE: u32 = 2;

/// How two iterators are compared: `a != b`, or `!(a == b)`.
#[derive(Clone, Copy)]
struct Comparison<'tu> {
    operator: Decl<'tu>,
    negated: bool,
    /// Whether the end comes first.
    swapped: bool,
    /// Where the operands that the operator takes lie in the iterator and in the end.
    offsets: (u64, u64),
}

impl<'tu> FnLower<'_, 'tu, '_> {
    /// A range-based for statement.
    pub fn range_for(&mut self, s: St<'tu>, parts: &'tu RangeFor<'tu>) -> R<()> {
        let &RangeFor { variable, range, begin, body, .. } = parts;
        let keep = self.cleanups.mark();
        self.jumps.enter_scope(s.id(), keep);
        self.hidden_init(parts.init)?;
        self.local_variable(range)?;
        self.local_variable(begin)?;
        let end = self.range_end(parts, s)?;
        let (head, run, next, done) =
            (self.b.make_block(), self.b.make_block(), self.b.make_block(), self.b.make_block());
        self.b.jump(head, &[]);
        self.b.switch_to(head);
        let more = self.iterators_differ(begin, end, s)?;
        self.b.branch(more, run, done);
        self.reach.branch();
        self.b.switch_to(run);
        // The variable dies with each iteration.
        let inner = self.cleanups.mark();
        let old = self.enter(&variable);
        self.local_decl(variable)?;
        self.b.set_loc(old);
        self.jumps.enter_loop(done, next, inner);
        self.stmt(body);
        self.jumps.leave_loop();
        if !self.b.is_unreachable() {
            self.emit_cleanups(inner, true);
            self.b.jump(next, &[]);
        }
        self.cleanups.forget(inner);
        self.b.switch_to(next);
        self.advance(begin, s)?;
        if !self.b.is_unreachable() {
            self.b.jump(head, &[]);
        }
        self.reach.join();
        self.b.switch_to(done);
        self.jumps.leave_scope();
        self.pop_cleanups(keep);
        Ok(())
    }

    /// The variables of an initialiser that is not shown as a statement.
    pub fn hidden_init(&mut self, declared: &[Decl<'tu>]) -> R<()> {
        for &decl in declared {
            if self.names.var(decl).is_none() {
                self.local_variable(decl)?;
            }
        }
        Ok(())
    }

    /// The end of the range in a slot.
    fn range_end(&mut self, parts: &'tu RangeFor<'tu>, s: St<'tu>) -> R<(Slot, QTy)> {
        let range = parts.range;
        let place = self.declared_place(range, s)?;
        if let Kind::Array { elem, len: Some(len) } = *self.cx.ast.types.kind(place.ty.ty) {
            let size = self.object_size(elem.ty, s)?;
            let end = self.b.ptr_offset(place.ptr, (size * len) as i64);
            let end = self.generic(end);
            let ty = self.cx.ast.types.pointer_to(elem);
            return self.kept(end, QTy::plain(ty), s);
        }
        let Some(class) = self.cx.ast.types.as_record(place.ty.ty) else {
            return self.unsupported("a range for over this type", s);
        };
        let Some(first) = parts.first else {
            return self.unsupported("a range for whose begin is not visible", s);
        };
        let (function, object) = if first.kind() == DeclKind::Method {
            let mut ends = self.methods_named(class, "end", 0);
            // Of several, constrained each in its way, only the one that is called has a body.
            if ends.iter().any(|(m, _)| self.cx.ast.body_of(*m).is_some()) {
                ends.retain(|(m, _)| self.cx.ast.body_of(*m).is_some());
            }
            // The range is an lvalue: of two, the one that is not `const` is for what is not, the one with `&&` for nothing.
            ends.retain(|(m, _)| !m.ty().takes_rvalues());
            let is_const = place.ty.is_const;
            ends.retain(|(m, _)| m.is_const_method() || !is_const || m.is_static_method());
            if ends.iter().any(|(m, _)| !m.is_const_method()) {
                ends.retain(|(m, _)| !m.is_const_method());
            }
            match *ends.as_slice() {
                [(end, offset)] => (end, self.b.ptr_offset(place.ptr, offset as i64)),
                _ => return self.unsupported("a range for over a class whose end is not visible", s),
            }
        } else {
            match self.end_beside(first, class) {
                Some(end) => (end, place.ptr),
                None => return self.unsupported("a range for whose end is not visible", s),
            }
        };
        let q = self.cx.ast.types.of(function.ty());
        let Some(ty) = self.cx.ast.types.function(q.ty) else {
            return self.internal("an `end` that is not a function", s);
        };
        let result = ty.ret;
        // Its parameter is the range, a reference to it, or a copy that nothing but its bytes makes.
        let by_value = |p: &QTy| matches!(self.cx.ast.types.kind(p.ty), Kind::Record(_));
        if ty.params.iter().any(by_value) && !self.cx.is_trivially_copyable(place.ty.ty) {
            return self.unsupported("a range for whose end takes a copy of the range", s);
        }
        let func = self.cx.func(function, self.frame.device())?;
        // A static member takes no object; a function that is no member takes the range.
        let object = match function.kind() {
            DeclKind::Method => function.has_this().then(|| self.generic(object)),
            _ => Some(self.iterator_operand(&place, 0, ty.params.first().copied(), s)?),
        };
        if self.cx.ast.types.is_aggregate(result.ty) {
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

    /// The `end(range)` that belongs to a `begin(range)`: it stands beside it, is a friend of the class, an instance as `begin`
    /// is, or the only one of any namespace.
    fn end_beside(&mut self, begin: Decl<'tu>, class: RecId) -> Option<Decl<'tu>> {
        let range = self.cx.ast.types.of(self.cx.ast.types.record(class).clang).ty;
        let scope = begin.semantic_parent();
        let mut near = self.cx.ast.instances("end", None);
        if let Some(scope) = scope {
            near.extend(self.cx.ast.declared_in(scope, "end"));
        }
        let mut friends = Vec::new();
        self.friends(class, &mut friends);
        for friend in friends {
            near.extend(self.cx.ast.declared_in(friend, "end"));
        }
        let beside: Vec<_> = near
            .iter()
            .copied()
            .filter(|c| c.semantic_parent().zip(scope).is_some_and(|(a, b)| a.is_same_entity(b)))
            .collect();
        for ends in [Some(beside), Some(near), None] {
            let ends = ends.unwrap_or_else(|| self.cx.ast.in_namespaces("end"));
            let same = self.only(&ends, |this, c| this.takes_what(begin, c));
            if let Some(end) = same.or_else(|| self.only(&ends, |this, c| this.takes_reference(c, range))) {
                return Some(end);
            }
        }
        None
    }

    /// Whether an `end` takes what `begin` does.
    fn takes_what(&mut self, begin: Decl<'tu>, end: Decl<'tu>) -> bool {
        let (a, b) = (self.cx.ast.types.of(begin.ty()), self.cx.ast.types.of(end.ty()));
        let (a, b) = (self.cx.ast.types.function(a.ty), self.cx.ast.types.function(b.ty));
        end.kind() == DeclKind::Function && a.zip(b).is_some_and(|(a, b)| a.params == b.params)
    }

    /// Whether an `end` takes a reference to the range, where its `begin` takes a copy.
    fn takes_reference(&mut self, end: Decl<'tu>, range: Ty) -> bool {
        let q = self.cx.ast.types.of(end.ty());
        let param = self.cx.ast.types.function(q.ty).and_then(|f| f.params.first().copied());
        end.kind() == DeclKind::Function
            && param.is_some_and(
                |p| matches!(*self.cx.ast.types.kind(p.ty), Kind::Reference(to) if to.ty == range),
            )
    }

    /// The function that fits, if it is the only one.
    fn only(
        &mut self,
        functions: &[Decl<'tu>],
        mut fits: impl FnMut(&mut Self, Decl<'tu>) -> bool,
    ) -> Option<Decl<'tu>> {
        let mut fitting = functions.iter().copied().filter(|c| fits(self, *c));
        let one = fitting.next()?;
        fitting.all(|other| other.is_same_entity(one)).then_some(one)
    }

    /// A scalar in a slot of its own.
    fn kept(&mut self, value: Value, q: QTy, s: St<'tu>) -> R<(Slot, QTy)> {
        let slot = self.temp_slot(q.ty, s)?;
        let at = self.b.slot_addr(slot);
        self.store(&Place::new(at, self.cx.ast.types.align(q.ty), q), value, s)?;
        Ok((slot, q))
    }

    fn iterators_differ(&mut self, begin: Decl<'tu>, end: (Slot, QTy), s: St<'tu>) -> R<Value> {
        let at = self.declared_place(begin, s)?;
        let limit = self.b.slot_addr(end.0);
        let limit = Place::new(limit, self.cx.ast.types.align(end.1.ty), end.1);
        let Some(class) = self.cx.ast.types.as_record(at.ty.ty) else {
            let (a, b) = (self.load(&at, s)?, self.load(&limit, s)?);
            return Ok(self.b.icmp(IntCC::Ne, a, b));
        };
        let Comparison { operator, negated, swapped, offsets } =
            self.comparison_of(class, at.ty.ty, end.1.ty, s)?;
        let q = self.cx.ast.types.of(operator.ty());
        let Some(f) = self.cx.ast.types.function(q.ty) else {
            return self.internal("a comparison that is not a function", s);
        };
        let func = self.cx.func(operator, self.frame.device())?;
        // Operands are passed by reference, or as copies of what are small objects.
        let by_value = !f.params.iter().all(|p| matches!(self.cx.ast.types.kind(p.ty), Kind::Reference(_)));
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
    fn comparison_of(&mut self, class: RecId, own: Ty, end: Ty, s: St<'tu>) -> R<Comparison<'tu>> {
        for (name, negated) in [("operator!=", false), ("operator==", true)] {
            let mut found: Vec<(Fit, Comparison<'tu>)> = Vec::new();
            for (operator, offset) in self.methods_named(class, name, 1) {
                if let Some(object) = object_fit(operator)
                    && let Some((fit, other)) = self.parameter_takes(operator, 0, end)
                    && self.cx.ast.body_of(operator).is_some()
                {
                    let inherited = if operator.semantic_parent().is_some_and(|p| self.is_class(p, own)) {
                        0
                    } else {
                        TO_BASE
                    };
                    let comparison =
                        Comparison { operator, negated, swapped: false, offsets: (offset, other) };
                    found.push(([object + inherited, fit], comparison));
                }
            }
            let mut scopes = Vec::new();
            self.friends(class, &mut scopes);
            let mut around = self.cx.ast.types.record(class).decl.semantic_parent();
            while let Some(scope) = around {
                scopes.push(scope);
                around = scope.semantic_parent();
            }
            // Of the instances of templates only the one that is called has a body.
            let mut candidates = self.cx.ast.instances(name, None);
            candidates.retain(|c| self.cx.ast.body_of(*c).is_some());
            for scope in scopes {
                candidates.extend(self.cx.ast.declared_in(scope, name));
            }
            for operator in candidates {
                found.extend(self.compares(operator, own, end, negated));
            }
            if !found.is_empty() {
                let chosen = best_comparison(&found);
                return chosen
                    .map_or_else(|| self.unsupported("a range for with comparisons that fit alike", s), Ok);
            }
        }
        // An operator may stand where its namespace is opened once more, or in another.
        for (name, negated) in [("operator!=", false), ("operator==", true)] {
            let others = self.cx.ast.in_namespaces(name);
            let one = self.only(&others, |this, c| this.compares(c, own, end, negated).is_some());
            if let Some((_, found)) = one.and_then(|c| self.compares(c, own, end, negated)) {
                return Ok(found);
            }
        }
        self.unsupported("a range for whose iterators' comparison is not visible", s)
    }

    /// Whether a declaration is the class of a type.
    fn is_class(&mut self, decl: Decl<'tu>, ty: Ty) -> bool {
        self.cx.ast.types.of(decl.ty()).ty == ty
    }

    /// How a function compares an iterator with the end, if it takes these.
    fn compares(
        &mut self,
        operator: Decl<'tu>,
        own: Ty,
        end: Ty,
        negated: bool,
    ) -> Option<(Fit, Comparison<'tu>)> {
        let member = operator.kind() == DeclKind::Method;
        if !member && operator.kind() != DeclKind::Function {
            return None;
        }
        // `a == b` may be the other way around.
        for (swapped, first, second) in [(false, own, end), (true, end, own)] {
            let left = if member {
                let own = operator.semantic_parent().is_some_and(|p| self.is_class(p, first));
                object_fit(operator).filter(|_| own).map(|fit| (fit, 0))
            } else {
                self.parameter_takes(operator, 0, first)
            };
            let right = self.parameter_takes(operator, usize::from(!member), second);
            if let (Some((a, left)), Some((b, right))) = (left, right) {
                let fit = if swapped { [b, a] } else { [a, b] };
                return Some((fit, Comparison { operator, negated, swapped, offsets: (left, right) }));
            }
        }
        None
    }

    /// The friends that a class and its bases declare.
    fn friends(&mut self, class: RecId, found: &mut Vec<Decl<'tu>>) {
        let decl = self.cx.ast.types.record(class).decl;
        found.extend(decl.members().into_iter().filter(|c| c.kind() == DeclKind::Friend));
        let bases = self.cx.ast.types.bases(class);
        for base in bases.iter().flat_map(|b| b.iter()) {
            if let Some(inner) = self.cx.ast.types.as_record(base.ty) {
                self.friends(inner, found);
            }
        }
    }

    /// The member functions of a name and a number of parameters, with the offsets of their classes; those
    /// of the class itself first.
    pub fn methods_named(&mut self, class: RecId, name: &str, params: usize) -> Vec<(Decl<'tu>, u64)> {
        let mut found: Vec<(Decl<'tu>, u64)> = self
            .cx
            .ast
            .methods(class)
            .into_iter()
            .filter(|m| {
                m.spelling() == name && !m.is_deleted() && m.parameters().is_some_and(|a| a.len() == params)
            })
            .map(|m| (m, 0))
            .collect();
        if found.is_empty()
            && let Some(bases) = self.cx.ast.types.bases(class)
        {
            for base in bases.iter() {
                if let Some(inner) = self.cx.ast.types.as_record(base.ty) {
                    let inherited = self.methods_named(inner, name, params);
                    found.extend(inherited.into_iter().map(|(m, offset)| (m, base.offset + offset)));
                }
            }
        }
        found
    }

    /// An operand of a comparison, as its parameter takes it: `None` is the object of a member.
    fn iterator_operand(&mut self, from: &Place, offset: u64, param: Option<QTy>, s: St<'tu>) -> R<Value> {
        let pointer = self.b.ptr_offset(from.ptr, offset as i64);
        let Some(param) = param.filter(|p| !matches!(self.cx.ast.types.kind(p.ty), Kind::Reference(_)))
        else {
            return Ok(self.generic(pointer));
        };
        if !self.cx.ast.types.is_aggregate(param.ty) {
            return self.load(from, s);
        }
        let slot = self.temp_slot(param.ty, s)?;
        let copy = self.b.slot_addr(slot);
        let align = self.cx.ast.types.align(param.ty);
        self.copy_object(copy, pointer, align, param, s)?;
        Ok(self.b.slot_addr(slot))
    }

    /// `++iterator`
    fn advance(&mut self, begin: Decl<'tu>, s: St<'tu>) -> R<()> {
        let at = self.declared_place(begin, s)?;
        if let Some(pointee) = self.cx.ast.types.pointee(at.ty.ty) {
            let old = self.load(&at, s)?;
            let Some(size) = self.cx.ast.types.size(pointee.ty) else {
                return self.unsupported("a range for over elements of unknown size", s);
            };
            let new = self.b.ptr_offset(old, size as i64);
            self.store(&at, new, s)?;
            return Ok(());
        }
        let Some(class) = self.cx.ast.types.as_record(at.ty.ty) else {
            return self.unsupported("a range for over this iterator", s);
        };
        let steps = self.methods_named(class, "operator++", 0);
        let fitting = steps.into_iter().filter(|(m, _)| object_fit(*m).is_some());
        let Some((step, offset)) = fitting.min_by_key(|(m, _)| object_fit(*m)) else {
            return self.unsupported("a range for whose iterator's `++` is not a member", s);
        };
        let q = self.cx.ast.types.of(step.ty());
        let result = self.cx.ast.types.function(q.ty).map(|f| f.ret.ty);
        let func = self.cx.func(step, self.frame.device())?;
        let object = self.b.ptr_offset(at.ptr, offset as i64);
        let object = self.generic(object);
        match result {
            Some(result) if self.cx.ast.types.is_aggregate(result) => {
                let keep = self.cleanups.mark();
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

    /// How well a parameter takes a variable of type `ty`, and how far into it what the parameter takes lies: 0 for its own
    /// type, a base class's offset. `None` where the parameter takes something else.
    fn parameter_takes(&mut self, function: Decl<'tu>, index: usize, ty: Ty) -> Option<(u32, u64)> {
        let q = self.cx.ast.types.of(function.ty());
        let param = *self.cx.ast.types.function(q.ty)?.params.get(index)?;
        let reference = matches!(self.cx.ast.types.kind(param.ty), Kind::Reference(_));
        let written = function.parameters()?.get(index)?.ty().canonical();
        if written.kind() == TypeKind::RValueReference {
            return None;
        }
        let wanted = self.cx.ast.types.strip_reference(param);
        let fit = if reference && wanted.is_const { ADDS_CONST } else { 0 };
        if wanted.ty == ty {
            return Some((fit, 0));
        }
        let (derived, base) = (self.cx.ast.types.as_record(ty)?, self.cx.ast.types.as_record(wanted.ty)?);
        let offset = if reference { self.cx.base_offset(derived, base) } else { None };
        offset.map(|offset| (fit + TO_BASE, offset))
    }
}

/// How well a member function takes an object that is a variable; `None` if it is for rvalues.
fn object_fit(member: Decl<'_>) -> Option<u32> {
    let fit = if member.is_const_method() { ADDS_CONST } else { 0 };
    (!member.ty().takes_rvalues()).then_some(fit)
}

/// The comparison that fits better than all others; of two that fit alike, the one that is no instance of a template.
fn best_comparison<'tu>(found: &[(Fit, Comparison<'tu>)]) -> Option<Comparison<'tu>> {
    let is_made = |c: &Comparison<'tu>| c.operator.specialized_template().is_some();
    let beats = |(a, one): &(Fit, Comparison<'tu>), (b, other): &(Fit, Comparison<'tu>)| {
        let no_worse = a.iter().zip(b).all(|(a, b)| a <= b);
        no_worse && (a != b || !is_made(one) && is_made(other))
    };
    let best = found.iter().find(|one| {
        found.iter().all(|other| one.1.operator.is_same_entity(other.1.operator) || beats(one, other))
    });
    best.map(|(_, comparison)| *comparison)
}
