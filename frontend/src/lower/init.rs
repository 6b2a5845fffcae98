//! Initialisers, flattened.
//!
//! libclang shows initialiser lists as written: without conversions, without the braces that the
//! language lets one omit, with designators. [`Cx::flatten`] turns one into the list of scalars (and
//! whole aggregates) that it sets, by the algorithm of the C standard; what is not listed is zero.

use super::leaves::{Leaf, LeafValue, Leaves};
use super::{At, Cx, R};
use crate::ast::{BinaryOp, Cast, CastKind, Designator, Ex, ExprKind, UnaryOp};
use crate::clang::{Evaluated, TypeKind};
use crate::types::{Kind, QTy, Ty};
use std::collections::{BTreeSet, VecDeque};

/// A written initialiser with what is left of its designators.
#[derive(Clone)]
struct Item<'tu> {
    designators: VecDeque<Designator<'tu>>,
    value: Ex<'tu>,
}

struct Items<'tu> {
    list: Vec<Item<'tu>>,
    next: usize,
}

impl<'tu> Cx<'tu, '_> {
    /// What the initialiser `e` of an object of type `ty` sets.
    pub fn flatten(&mut self, ty: QTy, e: Ex<'tu>) -> R<Vec<Leaf<'tu>>> {
        let mut leaves = Leaves::default();
        self.flatten_value(ty, 0, None, e, &mut leaves)?;
        Ok(leaves.finish())
    }

    /// The size of an object in bits, none for an array without a length. The byte of an empty class may be another
    /// object's.
    fn bits(&mut self, ty: Ty, width: Option<u32>) -> Option<u64> {
        if let Some(width) = width {
            return Some(u64::from(width));
        }
        if let Some(record) = self.ast.types.as_record(ty)
            && self.is_empty_class(record)
        {
            return Some(0);
        }
        self.ast.types.size(ty)?.checked_mul(8)
    }

    /// An object that an expression initialises.
    fn push_value(
        &mut self,
        ty: QTy,
        offset_bits: u64,
        width: Option<u32>,
        e: Ex<'tu>,
        out: &mut Leaves<'tu>,
    ) {
        let bits = self.bits(ty.ty, width);
        out.push(Leaf { offset_bits, bits, ty, width, value: LeafValue::Expr(e), default: false });
    }

    /// An object of class type that nothing is written for.
    fn constructed(&mut self, ty: QTy, offset_bits: u64) -> Leaf<'tu> {
        let bits = self.bits(ty.ty, None);
        Leaf { offset_bits, bits, ty, width: None, value: LeafValue::Construct, default: true }
    }

    fn flatten_value(
        &mut self,
        ty: QTy,
        offset_bits: u64,
        width: Option<u32>,
        e: Ex<'tu>,
        out: &mut Leaves<'tu>,
    ) -> R<()> {
        let inner = peel_init(e);
        let ExprKind::List(written) = inner.kind else {
            self.push_value(ty, offset_bits, width, e, out);
            return Ok(());
        };
        if self.is_hidden_construction(ty.ty, inner) {
            self.push_value(ty, offset_bits, width, e, out);
            return Ok(());
        }
        // `char a[] = {"text"}` and a record copied from one expression in braces.
        if let [only] = written
            && self.initializes_whole(ty.ty, only)
        {
            return self.flatten_value(ty, offset_bits, width, only, out);
        }
        // Braces set an object as a whole.
        let bits = self.bits(ty.ty, width);
        match self.ast.types.kind(ty.ty) {
            Kind::Array { .. } | Kind::Record(_) => {
                out.reset(offset_bits, bits, ty, width);
                let mut items = Items { list: Vec::with_capacity(written.len()), next: 0 };
                items.list.extend(written.iter().map(|&w| item(w)));
                if items.list.iter().any(|i| !i.designators.is_empty()) {
                    out.meet_designators();
                }
                self.flatten_aggregate(ty, offset_bits, &mut items, true, e, out)
            }
            _ => match written {
                [] => {
                    out.reset(offset_bits, bits, ty, width);
                    Ok(())
                }
                [one] => self.flatten_value(ty, offset_bits, width, one, out),
                _ => self.unsupported("more than one initialiser for a scalar", e),
            },
        }
    }

    fn index(&mut self, e: Ex<'tu>) -> R<u64> {
        match e.value() {
            Some(Evaluated::Int(v)) if v >= 0 => Ok(v as u64),
            _ => self.unsupported("an array designator that is not constant", e),
        }
    }

    /// Whether an expression initialises an aggregate of type `ty` as a whole rather than its first
    /// member: an expression of the same record type, or a string for a character array.
    fn initializes_whole(&mut self, ty: Ty, e: Ex<'tu>) -> bool {
        let inner = peel_init(e);
        if inner.is_list() {
            return false;
        }
        match *self.ast.types.kind(ty) {
            Kind::Record(id) => {
                let from = e.q.ty;
                from == ty || self.ast.cxx && self.is_base(from, id)
            }
            Kind::Array { elem, .. } => {
                matches!(self.ast.types.kind(elem.ty), Kind::Int { .. }) && is_string(e)
                    || e.q.ty == ty && !is_string(e)
            }
            _ => false,
        }
    }

    /// Fills an aggregate from `items`, from its start or from where the designators of the first item
    /// say. Without braces of its own it takes what it needs and leaves the rest.
    fn flatten_aggregate(
        &mut self,
        ty: QTy,
        offset_bits: u64,
        items: &mut Items<'tu>,
        braced: bool,
        at: At<'_>,
        out: &mut Leaves<'tu>,
    ) -> R<()> {
        // Only designators lead to an aggregate more than once.
        let again = !braced && items.list.get(items.next).is_some_and(|i| !i.designators.is_empty());
        match *self.ast.types.kind(ty.ty) {
            Kind::Array { elem, len } => {
                let made = self.ast.cxx && len.is_some() && self.needs_construction(elem.ty);
                let mut set = made.then(|| out.given(offset_bits, ty.ty, again));
                self.flatten_array(elem, len, offset_bits, items, braced, at, &mut set, out)?;
                if let Some(set) = set {
                    out.give(offset_bits, ty.ty, || set);
                }
                Ok(())
            }
            Kind::Record(id) => {
                let fields = self.ast.types.fields(id);
                let is_union = self.ast.types.record(id).is_union;
                let bases = if self.ast.cxx && !is_union { self.ast.types.bases(id) } else { None };
                for base in bases.iter().flat_map(|b| b.iter()) {
                    let (ty, offset_bits) = (QTy::plain(base.ty), offset_bits + base.offset * 8);
                    if items.next < items.list.len() {
                        self.flatten_member(ty, offset_bits, None, items, out)?;
                    } else if self.needs_construction(base.ty) {
                        let made = self.constructed(ty, offset_bits);
                        out.push(made);
                    }
                }
                let mut set = out.given(offset_bits, ty.ty, again);
                let mut i = 0;
                let mut first = true;
                while items.next < items.list.len() {
                    let item = &mut items.list[items.next];
                    if !item.designators.is_empty() && (braced || first) {
                        let Some(Designator::Field(field)) = item.designators.pop_front() else {
                            return self.internal("an index designator in a record", at);
                        };
                        let id = field.canonical().id();
                        let position = fields
                            .iter()
                            .position(|f| f.decl.canonical().id() == id || f.decl.id() == field.id());
                        i = match position {
                            Some(p) => p,
                            None => {
                                // A member of an anonymous struct or union: step into it and look again.
                                item.designators.push_front(Designator::Field(field));
                                let holder = fields.iter().position(|f| {
                                    f.anonymous
                                        && self
                                            .ast
                                            .types
                                            .as_record(f.ty.ty)
                                            .is_some_and(|r| self.ast.types.field_path(r, id).is_some())
                                });
                                match holder {
                                    Some(p) => p,
                                    None => return self.internal("a designator names no member", at),
                                }
                            }
                        };
                    } else if !item.designators.is_empty() {
                        // Designators belong to the nearest enclosing braces.
                        break;
                    } else {
                        // Unnamed bit-fields are no members.
                        while i < fields.len() && fields[i].width.is_some() && fields[i].name.is_empty() {
                            i += 1;
                        }
                    }
                    first = false;
                    if i >= fields.len() {
                        break;
                    }
                    let f = &fields[i];
                    if self.ast.cxx {
                        set.insert(i as u64);
                    }
                    if is_union {
                        let bits = self.bits(ty.ty, None);
                        out.choose(offset_bits, bits, ty, i);
                    }
                    self.flatten_member(f.ty, offset_bits + f.offset_bits, f.width, items, out)?;
                    i += 1;
                    if is_union {
                        // The next designator may choose again; without one the union is done.
                        let more =
                            braced && items.list.get(items.next).is_some_and(|n| !n.designators.is_empty());
                        if !more {
                            break;
                        }
                    }
                }
                if !self.ast.cxx {
                    return Ok(());
                }
                if is_union && set.is_empty() {
                    if let Some(f) = fields.iter().find(|f| self.is_default_variant(f)) {
                        self.default_leaf(f, offset_bits).into_iter().for_each(|leaf| out.push(leaf));
                    }
                } else if !is_union {
                    for (f, _) in fields.iter().zip(0..).filter(|(_, n)| !set.contains(n)) {
                        self.default_leaf(f, offset_bits).into_iter().for_each(|leaf| out.push(leaf));
                    }
                }
                // Each has now what was written or its default.
                out.give(offset_bits, ty.ty, || fields.iter().zip(0..).map(|(_, n)| n).collect());
                Ok(())
            }
            _ => self.internal("an initialiser list for a scalar", at),
        }
    }

    /// What the default constructor of a type gives its members; `false` if it does more than that.
    pub fn default_leaves(&mut self, ty: Ty, offset_bits: u64, out: &mut Vec<Leaf<'tu>>) -> bool {
        match self.ast.types.kind(ty).clone() {
            Kind::Array { elem, len: Some(len) } if self.needs_construction(elem.ty) => {
                let Some(size) = self.ast.types.size(elem.ty) else { return false };
                (0..len).all(|n| self.default_leaves(elem.ty, offset_bits + n * size * 8, out))
            }
            Kind::Record(id) => {
                let written = self.ast.constructors(id).into_iter().filter(|c| !c.is_defaulted());
                let works: Vec<_> = written.filter(|c| self.takes_nothing(*c)).collect();
                if self.is_dynamic(id) || works.into_iter().any(|c| !self.ast.has_empty_body(c)) {
                    return false;
                }
                let bases: Vec<_> = self
                    .ast
                    .types
                    .bases(id)
                    .iter()
                    .flat_map(|b| b.iter())
                    .map(|b| (b.ty, b.offset))
                    .collect();
                if !bases.into_iter().all(|(ty, at)| self.default_leaves(ty, offset_bits + at * 8, out)) {
                    return false;
                }
                let is_union = self.ast.types.record(id).is_union;
                let fields = self.ast.types.fields(id);
                let default = fields.iter().position(|f| self.is_default_variant(f));
                fields.iter().enumerate().all(|(n, f)| {
                    if is_union && default != Some(n) {
                        return true;
                    }
                    if self.ast.has_field_initializer(f) {
                        out.extend(self.default_leaf(f, offset_bits));
                        return true;
                    }
                    self.default_leaves(f.ty.ty, offset_bits + f.offset_bits, out)
                })
            }
            _ => true,
        }
    }

    /// A member that the list does not name: its default member initialiser or constructor, if any.
    fn default_leaf(&mut self, f: &crate::types::Field<'tu>, offset_bits: u64) -> Option<Leaf<'tu>> {
        let offset_bits = offset_bits + f.offset_bits;
        let value = match self.ast.field_initializer(f) {
            // `this` is the object there.
            Some(e) if e.mentions_this() => LeafValue::Default(Box::new(f.clone())),
            Some(e) => LeafValue::Expr(e),
            None if self.ast.has_field_initializer(f) => LeafValue::Default(Box::new(f.clone())),
            None if self.needs_construction(f.ty.ty) => LeafValue::Construct,
            None => return None,
        };
        let bits = self.bits(f.ty.ty, f.width);
        Some(Leaf { offset_bits, bits, ty: f.ty, width: f.width, value, default: true })
    }

    fn flatten_array(
        &mut self,
        elem: QTy,
        len: Option<u64>,
        offset_bits: u64,
        items: &mut Items<'tu>,
        braced: bool,
        at: At<'_>,
        set: &mut Option<BTreeSet<u64>>,
        out: &mut Leaves<'tu>,
    ) -> R<()> {
        let Some(size) = self.ast.types.size(elem.ty) else {
            return self.unsupported("an initialiser for elements of unknown size", at);
        };
        // An array without a length takes what there is.
        let len = len.unwrap_or(u64::MAX);
        let mut i = 0;
        let mut first = true;
        while items.next < items.list.len() {
            let item = &mut items.list[items.next];
            if !item.designators.is_empty() && (braced || first) {
                match item.designators.pop_front() {
                    Some(Designator::Index(n)) => i = self.index(n)?,
                    Some(Designator::Range(from, to)) => {
                        let (from, to) = (self.index(from)?, self.index(to)?);
                        self.flatten_range(elem, size, offset_bits, (from, to), items, out)?;
                        if let Some(set) = set.as_mut() {
                            set.extend(from..=to);
                        }
                        i = to.saturating_add(1);
                        first = false;
                        continue;
                    }
                    _ => return self.internal("a member designator in an array", at),
                }
            } else if !item.designators.is_empty() {
                break;
            }
            first = false;
            if i >= len {
                break;
            }
            self.flatten_member(elem, offset_bits + i * size * 8, None, items, out)?;
            if let Some(set) = set.as_mut() {
                set.insert(i);
            }
            i += 1;
        }
        if let Some(set) = set {
            for j in (0..len).filter(|j| !set.contains(j)) {
                let made = self.constructed(elem, offset_bits + j * size * 8);
                out.push(made);
            }
            *set = (0..len).collect();
        }
        Ok(())
    }

    /// `[from ... to] = value`: the value for each element. It is evaluated for each too, so only what
    /// has no effect is accepted. Designators behind the range lead into each element; what follows the item goes on
    /// in the last.
    fn flatten_range(
        &mut self,
        elem: QTy,
        size: u64,
        offset_bits: u64,
        (from, to): (u64, u64),
        items: &mut Items<'tu>,
        out: &mut Leaves<'tu>,
    ) -> R<()> {
        let item = items.next;
        let value = items.list[item].value;
        if to.saturating_sub(from) > 1 << 20 {
            return self.unsupported("a range designator of more than a million elements", value);
        }
        let leads_on = !items.list[item].designators.is_empty();
        for i in from..to {
            let offset_bits = offset_bits + i * size * 8;
            if leads_on {
                let mut one = Items { list: vec![items.list[item].clone()], next: 0 };
                self.flatten_member(elem, offset_bits, None, &mut one, out)?;
            } else {
                items.next = item;
                self.flatten_member(elem, offset_bits, None, items, out)?;
            }
        }
        items.next = item;
        self.flatten_member(elem, offset_bits + to * size * 8, None, items, out)?;
        if has_effect(value) {
            return self.unsupported("a range designator for a value with side effects", value);
        }
        if !leads_on && items.next > item + 1 && from < to {
            // clang gives them to each element, gcc to the last.
            return self.unsupported("several items for each element of a range designator", value);
        }
        Ok(())
    }

    /// One member or element: takes one item, or several where braces are left out.
    fn flatten_member(
        &mut self,
        ty: QTy,
        offset_bits: u64,
        width: Option<u32>,
        items: &mut Items<'tu>,
        out: &mut Leaves<'tu>,
    ) -> R<()> {
        let item = &items.list[items.next];
        let value = item.value;
        let aggregate = matches!(self.ast.types.kind(ty.ty), Kind::Array { .. } | Kind::Record(_));
        if aggregate {
            let more_designators = !item.designators.is_empty();
            let braced = peel_init(value).is_list();
            if more_designators
                || !braced
                    && !self.initializes_whole(ty.ty, value)
                    && !self.converts_to(ty.ty, value)
                    && !self.is_hidden_construction(ty.ty, value)
            {
                return self.flatten_aggregate(ty, offset_bits, items, false, value, out);
            }
        } else if !items.list[items.next].designators.is_empty() {
            return self.internal("a designator into a scalar", value);
        }
        items.next += 1;
        self.flatten_value(ty, offset_bits, width, value, out)
    }

    /// In C++ an expression of another type may become the class by conversion; clang then shows the
    /// conversion as an expression of the class type, which [`Cx::initializes_whole`] sees. What is
    /// left is an array of the same element type reached through a reference.
    fn converts_to(&mut self, ty: Ty, e: Ex<'tu>) -> bool {
        self.ast.cxx && e.q.ty == ty
    }
}

/// Splits a written initialiser into designators and value.
fn item(e: Ex<'_>) -> Item<'_> {
    match e.kind {
        ExprKind::Designated(d) => {
            Item { designators: d.designators.iter().copied().collect(), value: d.value }
        }
        _ => Item { designators: VecDeque::new(), value: e },
    }
}

/// The operand of a node that an initialiser list may stand in.
fn around_list(e: Ex<'_>) -> Option<Ex<'_>> {
    match e.kind {
        ExprKind::Paren(inner)
        | ExprKind::Implicit(inner)
        | ExprKind::Unary(UnaryOp::Extension, inner)
        | ExprKind::Cast(Cast { kind: CastKind::Functional, operand: inner, .. }) => Some(inner),
        _ => None,
    }
}

/// An initialiser without the nodes that say nothing.
pub(crate) fn peel_init(mut e: Ex<'_>) -> Ex<'_> {
    while let Some(inner) = around_list(e)
        && leads_to_list(inner)
    {
        e = inner;
    }
    e
}

fn leads_to_list(mut e: Ex<'_>) -> bool {
    loop {
        if e.is_list() {
            return true;
        }
        match (around_list(e), &e.kind) {
            (Some(inner), _) | (None, &ExprKind::View(inner)) => e = inner,
            _ => return false,
        }
    }
}

/// Whether the expression is a string literal, parentheses aside.
pub(crate) fn is_string(e: Ex<'_>) -> bool {
    string_literal(e).is_some()
}

/// The string literal that an expression is, parentheses and the like aside: the literal and its spelling.
pub(crate) fn string_literal(mut e: Ex<'_>) -> Option<(Ex<'_>, &str)> {
    loop {
        match e.kind {
            ExprKind::String(text) => return Some((e, text)),
            ExprKind::Paren(inner)
            | ExprKind::Implicit(inner)
            | ExprKind::Unary(UnaryOp::Extension, inner)
                if e.written_type().canonical().kind() != TypeKind::Pointer =>
            {
                e = inner;
            }
            _ => return None,
        }
    }
}

/// Whether evaluating the expression may do something besides giving a value.
fn has_effect(e: Ex<'_>) -> bool {
    match e.kind {
        ExprKind::Call(_)
        | ExprKind::CompoundAssign(..)
        | ExprKind::Statement(_)
        | ExprKind::New(_)
        | ExprKind::Delete(_)
        | ExprKind::Throw(_)
        | ExprKind::Binary(BinaryOp::Assign, ..) => true,
        ExprKind::Unary(op, _) if op.is_step() => true,
        _ => e.parts().into_iter().any(has_effect),
    }
}
