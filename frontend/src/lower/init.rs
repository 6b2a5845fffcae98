//! Initialisers, flattened.
//!
//! libclang shows initialiser lists as written: without conversions, without the braces that the
//! language lets one omit, with designators. [`Cx::flatten`] turns one into the list of scalars (and
//! whole aggregates) that it sets, by the algorithm of the C standard; what is not listed is zero.

use super::types::{Kind, QTy, Ty};
use super::{Cx, R};
use crate::clang::{Cursor, CursorKind, Evaluated};
use std::collections::VecDeque;

/// One object that an initialiser sets.
#[derive(Clone)]
pub(crate) struct Leaf<'tu> {
    /// Offset in bits from the start of the whole object.
    pub offset_bits: u64,
    pub ty: QTy,
    /// The width, for a bit-field.
    pub width: Option<u32>,
    pub value: LeafValue<'tu>,
}

/// What a [`Leaf`] is set to.
#[derive(Clone)]
pub(crate) enum LeafValue<'tu> {
    /// The value of an expression.
    Expr(Cursor<'tu>),
    /// A bit-field's default initialiser.
    Default(Box<super::types::Field<'tu>>),
    /// An object of class type for which nothing is written: its default constructor.
    Construct,
}

enum Designator<'tu> {
    Field(Cursor<'tu>),
    Index(u64),
    Range(u64, u64),
}

/// A written initialiser with what is left of its designators.
struct Item<'tu> {
    designators: VecDeque<Designator<'tu>>,
    value: Cursor<'tu>,
}

struct Items<'tu> {
    list: Vec<Item<'tu>>,
    next: usize,
}

impl<'tu> Cx<'tu, '_> {
    /// An initialiser without the nodes that say nothing.
    pub fn peel_init(&self, mut e: Cursor<'tu>) -> Cursor<'tu> {
        loop {
            let transparent = match e.kind() {
                CursorKind::ParenExpr | CursorKind::UnexposedExpr | CursorKind::CXXFunctionalCastExpr => true,
                CursorKind::UnaryOperator => e.unary_operator() == clang_sys::CXUnaryOperator_Extension,
                _ => false,
            };
            if !transparent {
                return e;
            }
            let inner = e.expressions();
            match inner.as_slice() {
                [one] if leads_to_list(*one) && !super::std_list::is_view(e, *one) => e = *one,
                _ => return e,
            }
        }
    }

    /// What the initialiser `e` of an object of type `ty` sets.
    pub fn flatten(&mut self, ty: QTy, e: Cursor<'tu>) -> R<Vec<Leaf<'tu>>> {
        let mut leaves = Vec::new();
        self.flatten_value(ty, 0, None, e, &mut leaves)?;
        Ok(leaves)
    }

    fn flatten_value(
        &mut self,
        ty: QTy,
        offset_bits: u64,
        width: Option<u32>,
        e: Cursor<'tu>,
        out: &mut Vec<Leaf<'tu>>,
    ) -> R<()> {
        let inner = self.peel_init(e);
        if inner.kind() != CursorKind::InitListExpr {
            out.push(Leaf { offset_bits, ty, width, value: LeafValue::Expr(e) });
            return Ok(());
        }
        if self.is_hidden_construction(ty.ty, inner) {
            out.push(Leaf { offset_bits, ty, width, value: LeafValue::Expr(e) });
            return Ok(());
        }
        let written = inner.expressions();
        // `char a[] = {"text"}` and a record copied from one expression in braces.
        if let [only] = written.as_slice()
            && self.initializes_whole(ty.ty, *only)
        {
            return self.flatten_value(ty, offset_bits, width, *only, out);
        }
        match self.types.kind(ty.ty) {
            Kind::Array { .. } | Kind::Record(_) => {
                let mut items = Items { list: Vec::with_capacity(written.len()), next: 0 };
                for w in written {
                    let item = self.item(ty.ty, w)?;
                    items.list.push(item);
                }
                self.flatten_aggregate(ty, offset_bits, &mut items, true, e, out)
            }
            _ => match written.as_slice() {
                [] => Ok(()),
                [one] => self.flatten_value(ty, offset_bits, width, *one, out),
                _ => self.unsupported("more than one initialiser for a scalar", e),
            },
        }
    }

    /// Splits a written initialiser into designators and value.
    fn item(&mut self, _ty: Ty, e: Cursor<'tu>) -> R<Item<'tu>> {
        let designated = e.kind() == CursorKind::UnexposedExpr && self.types.of(e.ty()).ty == self.types.void;
        if !designated {
            return Ok(Item { designators: VecDeque::new(), value: e });
        }
        let children = e.children();
        let Some((&value, parts)) = children.split_last() else {
            return self.internal("a designated initialiser without a value", e);
        };
        let mut ranges: VecDeque<bool> = VecDeque::new();
        if parts.iter().filter(|p| p.kind().is_expression()).count() > 1 {
            ranges = bracket_ranges(&e.tokens(self.unit));
        }
        let mut designators = VecDeque::new();
        let mut parts = parts.iter();
        while let Some(&part) = parts.next() {
            if part.kind() == CursorKind::MemberRef {
                match part.referenced() {
                    Some(field) => designators.push_back(Designator::Field(field)),
                    None => return self.internal("a designator without a field", part),
                }
            } else if part.kind().is_expression() {
                let first = self.index(part)?;
                if ranges.pop_front() == Some(true) {
                    match parts.next() {
                        Some(&end) => {
                            let last = self.index(end)?;
                            designators.push_back(Designator::Range(first, last));
                        }
                        None => return self.internal("a range designator without an end", part),
                    }
                } else {
                    designators.push_back(Designator::Index(first));
                }
            }
        }
        Ok(Item { designators, value })
    }

    fn index(&mut self, e: Cursor<'tu>) -> R<u64> {
        match e.evaluate() {
            Some(Evaluated::Int(v)) if v >= 0 => Ok(v as u64),
            _ => self.unsupported("an array designator that is not constant", e),
        }
    }

    /// Whether an expression initialises an aggregate of type `ty` as a whole rather than its first
    /// member: an expression of the same record type, or a string for a character array.
    fn initializes_whole(&mut self, ty: Ty, e: Cursor<'tu>) -> bool {
        let inner = self.peel_init(e);
        if inner.kind() == CursorKind::InitListExpr {
            return false;
        }
        match *self.types.kind(ty) {
            Kind::Record(id) => {
                let from = self.types.of(e.ty()).ty;
                from == ty || self.cxx && self.is_base(from, id)
            }
            Kind::Array { elem, .. } => {
                matches!(self.types.kind(elem.ty), Kind::Int { .. }) && is_string(e)
                    || self.types.of(e.ty()).ty == ty && !is_string(e)
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
        at: Cursor<'tu>,
        out: &mut Vec<Leaf<'tu>>,
    ) -> R<()> {
        match *self.types.kind(ty.ty) {
            Kind::Array { elem, len } => self.flatten_array(elem, len, offset_bits, items, braced, at, out),
            Kind::Record(id) => {
                let fields = self.types.fields(id);
                let is_union = self.types.record(id).is_union;
                let bases = if self.cxx && !is_union { self.types.bases(id) } else { None };
                for base in bases.iter().flat_map(|b| b.iter()) {
                    let (ty, offset_bits) = (QTy::plain(base.ty), offset_bits + base.offset * 8);
                    if items.next < items.list.len() {
                        self.flatten_member(ty, offset_bits, None, items, out)?;
                    } else if self.needs_construction(base.ty) {
                        out.push(Leaf { offset_bits, ty, width: None, value: LeafValue::Construct });
                    }
                }
                let mut set = vec![false; fields.len()];
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
                            .position(|f| f.cursor.canonical().id() == id || f.cursor.id() == field.id());
                        i = match position {
                            Some(p) => p,
                            None => {
                                // A member of an anonymous struct or union: step into it and look again.
                                item.designators.push_front(Designator::Field(field));
                                let holder = fields.iter().position(|f| {
                                    f.anonymous
                                        && self
                                            .types
                                            .as_record(f.ty.ty)
                                            .is_some_and(|r| self.types.field_path(r, id).is_some())
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
                    set[i] = true;
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
                if self.cxx && !is_union {
                    for (f, _) in fields.iter().zip(&set).filter(|(_, set)| !**set) {
                        self.flatten_default(f, offset_bits, out);
                    }
                }
                Ok(())
            }
            _ => self.internal("an initialiser list for a scalar", at),
        }
    }

    /// A member that the list does not name: its default member initialiser or constructor, if any.
    fn flatten_default(&mut self, f: &super::types::Field<'tu>, offset_bits: u64, out: &mut Vec<Leaf<'tu>>) {
        let offset_bits = offset_bits + f.offset_bits;
        let value = match self.field_initializer(f) {
            Some(e) => LeafValue::Expr(e),
            None if self.bit_field_text(f).is_some() => LeafValue::Default(Box::new(f.clone())),
            None if self.needs_construction(f.ty.ty) => LeafValue::Construct,
            None => return,
        };
        out.push(Leaf { offset_bits, ty: f.ty, width: f.width, value });
    }

    fn flatten_array(
        &mut self,
        elem: QTy,
        len: Option<u64>,
        offset_bits: u64,
        items: &mut Items<'tu>,
        braced: bool,
        at: Cursor<'tu>,
        out: &mut Vec<Leaf<'tu>>,
    ) -> R<()> {
        let Some(size) = self.types.size(elem.ty) else {
            return self.unsupported("an initialiser for elements of unknown size", at);
        };
        let len = len.unwrap_or(u64::MAX);
        let mut i = 0;
        let mut first = true;
        while items.next < items.list.len() {
            let item = &mut items.list[items.next];
            if !item.designators.is_empty() && (braced || first) {
                match item.designators.pop_front() {
                    Some(Designator::Index(n)) => i = n,
                    Some(Designator::Range(from, to)) => {
                        self.flatten_range(elem, size, offset_bits, (from, to), items, out)?;
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
            i += 1;
        }
        if self.cxx && len != u64::MAX && self.needs_construction(elem.ty) {
            for j in i..len {
                out.push(Leaf {
                    offset_bits: offset_bits + j * size * 8,
                    ty: elem,
                    width: None,
                    value: LeafValue::Construct,
                });
            }
        }
        Ok(())
    }

    /// `[from ... to] = value`: the value for each element. It is evaluated for each too, so only what
    /// has no effect is accepted.
    fn flatten_range(
        &mut self,
        elem: QTy,
        size: u64,
        offset_bits: u64,
        (from, to): (u64, u64),
        items: &mut Items<'tu>,
        out: &mut Vec<Leaf<'tu>>,
    ) -> R<()> {
        let item = items.next;
        let value = items.list[item].value;
        if has_effect(value) {
            return self.unsupported("a range designator for a value with side effects", value);
        }
        if to.saturating_sub(from) > 1 << 20 {
            return self.unsupported("a range designator of more than a million elements", value);
        }
        for i in from..=to {
            if items.list[item].designators.is_empty() {
                self.flatten_value(elem, offset_bits + i * size * 8, None, value, out)?;
            } else {
                return self.unsupported("designators after a range designator", value);
            }
        }
        items.next = item + 1;
        Ok(())
    }

    /// One member or element: takes one item, or several where braces are left out.
    fn flatten_member(
        &mut self,
        ty: QTy,
        offset_bits: u64,
        width: Option<u32>,
        items: &mut Items<'tu>,
        out: &mut Vec<Leaf<'tu>>,
    ) -> R<()> {
        let item = &items.list[items.next];
        let value = item.value;
        let aggregate = matches!(self.types.kind(ty.ty), Kind::Array { .. } | Kind::Record(_));
        if aggregate {
            let more_designators = !item.designators.is_empty();
            let braced = self.peel_init(value).kind() == CursorKind::InitListExpr;
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
    fn converts_to(&mut self, ty: Ty, e: Cursor<'tu>) -> bool {
        self.cxx && self.types.of(e.ty()).ty == ty
    }
}

fn leads_to_list(mut e: Cursor<'_>) -> bool {
    loop {
        match e.kind() {
            CursorKind::InitListExpr => return true,
            CursorKind::ParenExpr
            | CursorKind::UnexposedExpr
            | CursorKind::CXXFunctionalCastExpr
            | CursorKind::UnaryOperator => {
                if e.kind() == CursorKind::UnaryOperator
                    && e.unary_operator() != clang_sys::CXUnaryOperator_Extension
                {
                    return false;
                }
                let inner = e.expressions();
                match inner.as_slice() {
                    [one] => e = *one,
                    _ => return false,
                }
            }
            _ => return false,
        }
    }
}

/// Whether the expression is a string literal, parentheses aside.
pub(crate) fn is_string(e: Cursor<'_>) -> bool {
    string_literal(e).is_some()
}

/// The string literal that an expression is, parentheses and the like aside.
pub(crate) fn string_literal(mut e: Cursor<'_>) -> Option<Cursor<'_>> {
    loop {
        match e.kind() {
            CursorKind::StringLiteral => return Some(e),
            CursorKind::ParenExpr | CursorKind::UnexposedExpr | CursorKind::UnaryOperator => {
                if e.kind() == CursorKind::UnaryOperator
                    && e.unary_operator() != clang_sys::CXUnaryOperator_Extension
                {
                    return None;
                }
                match e.expressions().as_slice() {
                    [one] if e.ty().canonical().kind() != crate::clang::TypeKind::Pointer => e = *one,
                    _ => return None,
                }
            }
            _ => return None,
        }
    }
}

/// Whether evaluating the expression may do something besides giving a value.
fn has_effect(e: Cursor<'_>) -> bool {
    match e.kind() {
        CursorKind::CallExpr
        | CursorKind::CompoundAssignOperator
        | CursorKind::StmtExpr
        | CursorKind::CXXNewExpr
        | CursorKind::CXXDeleteExpr
        | CursorKind::CXXThrowExpr => true,
        CursorKind::BinaryOperator if e.binary_operator() == clang_sys::CXBinaryOperator_Assign => true,
        CursorKind::UnaryOperator if (1..=4).contains(&e.unary_operator()) => true,
        _ => e.children().iter().any(|c| has_effect(*c)),
    }
}

/// For each bracket of the designators at the head of the tokens: whether it is a range.
fn bracket_ranges(tokens: &[String]) -> VecDeque<bool> {
    let mut found = VecDeque::new();
    let mut depth = 0;
    for token in tokens {
        match token.as_str() {
            "[" => {
                depth += 1;
                if depth == 1 {
                    found.push_back(false);
                }
            }
            "]" => depth -= 1,
            "..." if depth == 1 => {
                if let Some(last) = found.back_mut() {
                    *last = true;
                }
            }
            "=" if depth == 0 => break,
            _ => {}
        }
    }
    found
}
