//! Constant initialisers: bytes and addresses.

use super::init::string_literal;
use super::leaves::{Leaf, LeafValue};
use super::{Cx, R};
use crate::ast::{BinaryOp, Cast, CastKind, Ex, ExprKind, Member, Name, UnaryOp};
use crate::clang::{Evaluated, TypeKind};
use crate::types::DeclKind;
use crate::types::{Kind, QTy, Ty};
use crate::types::{string_bytes, string_units};
use cudair_ir::{GlobalInit, Reloc, RelocTarget, Space, Type};

/// A constant scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Constant {
    Int(i128),
    Float(f64),
    /// The bits of a `long double`.
    Extended(u128),
    /// The address of an object or function, moved by bytes; null with a number without a target.
    Address {
        target: Option<RelocTarget>,
        offset: i64,
    },
}

impl<'tu> Cx<'tu, '_> {
    /// The contents that the initialiser `e` of a variable of type `q` describes, if it is constant.
    pub fn constant_data(&mut self, q: QTy, e: Ex<'tu>, size: u64, space: Space) -> R<Option<GlobalInit>> {
        let device = !matches!(space, Space::Host | Space::Managed);
        let leaves = self.flatten(q, e)?;
        self.constant_leaves(&leaves, size, device, e)
    }

    /// As [`Self::constant_data`] of a device variable whose initialiser calls a default constructor: what default member
    /// initialisers say, and zero elsewhere.
    pub fn default_data(&mut self, q: QTy, e: Ex<'tu>, size: u64) -> R<Option<GlobalInit>> {
        let ExprKind::Call(call) = e.kind else { return Ok(None) };
        let constructs = call.target.is_some_and(|d| d.kind() == DeclKind::Constructor);
        let mut leaves = Vec::new();
        if !constructs || !call.args.is_empty() || !self.default_leaves(q.ty, 0, &mut leaves) {
            return Ok(None);
        }
        self.constant_leaves(&leaves, size, true, e)
    }

    fn constant_leaves(
        &mut self,
        leaves: &[Leaf<'tu>],
        size: u64,
        device: bool,
        e: Ex<'tu>,
    ) -> R<Option<GlobalInit>> {
        let Ok(length) = usize::try_from(size) else {
            return self.unsupported("a variable of this size", e);
        };
        let mut bytes = vec![0u8; length];
        let mut relocs = Vec::new();
        for leaf in leaves {
            if !self.constant_leaf(leaf, &mut bytes, &mut relocs, device)? {
                return Ok(None);
            }
        }
        if relocs.is_empty() && bytes.iter().all(|b| *b == 0) {
            return Ok(Some(GlobalInit::Zero));
        }
        relocs.sort_by_key(|r: &Reloc| r.offset);
        Ok(Some(GlobalInit::Data { bytes, relocs }))
    }

    fn constant_leaf(
        &mut self,
        leaf: &Leaf<'tu>,
        bytes: &mut [u8],
        relocs: &mut Vec<Reloc>,
        device: bool,
    ) -> R<bool> {
        let offset = (leaf.offset_bits / 8) as usize;
        let e = match leaf.value {
            LeafValue::Expr(e) => e,
            LeafValue::Zero => return Ok(set_to_zero(leaf, bytes, relocs)),
            LeafValue::Default(_) | LeafValue::Construct => return Ok(false),
        };
        if let Some(width) = leaf.width {
            let Some(Evaluated::Int(v)) = e.value() else { return Ok(false) };
            for bit in 0..u64::from(width) {
                let at = leaf.offset_bits + bit;
                let Some(byte) = bytes.get_mut((at / 8) as usize) else { return Ok(false) };
                let mask = 1u8 << (at % 8);
                if v >> bit & 1 == 1 { *byte |= mask } else { *byte &= !mask }
            }
            return Ok(true);
        }
        if let Kind::Array { elem, .. } = *self.ast.types.kind(leaf.ty.ty) {
            let Some((literal, text)) = string_literal(e) else { return Ok(false) };
            let unit = self.object_size(elem.ty, e)? as u32;
            // An array without a length takes the room that the variable has for it.
            let room = (bytes.len() - offset.min(bytes.len())) as u64;
            let length = self.ast.types.size(leaf.ty.ty).filter(|s| *s > 0).unwrap_or(room).min(room)
                / u64::from(unit);
            let Some(units) = string_units(text, unit) else {
                return self.internal("a string literal that cannot be read", literal);
            };
            let data = string_bytes(&units, unit, length);
            bytes[offset..offset + data.len()].copy_from_slice(&data);
            return Ok(true);
        }
        if self.ast.types.is_aggregate(leaf.ty.ty) {
            return self.constant_aggregate(leaf, e, bytes, relocs, device);
        }
        let Some(value) = self.constant_scalar(e, leaf.ty.ty, device)? else { return Ok(false) };
        let Some(ir) = self.ast.types.ir(leaf.ty.ty) else { return Ok(false) };
        // A designator may set again what an earlier item set.
        let end = offset as u64 + u64::from(ir.access_bytes());
        relocs.retain(|r| r.offset + 8 <= offset as u64 || r.offset >= end);
        let bits = match value {
            Constant::Address { target, offset: addend } => {
                if let Some(target) = target {
                    relocs.push(Reloc { offset: offset as u64, target, addend });
                    0
                } else {
                    addend as u64 as u128
                }
            }
            other => constant_bits(other, ir),
        };
        let n = ir.access_bytes() as usize;
        let Some(place) = bytes.get_mut(offset..offset + n) else { return Ok(false) };
        place.copy_from_slice(&bits.to_le_bytes()[..n]);
        Ok(true)
    }

    /// A whole record from a compound literal or a constant of the same type.
    fn constant_aggregate(
        &mut self,
        leaf: &Leaf<'tu>,
        e: Ex<'tu>,
        bytes: &mut [u8],
        relocs: &mut Vec<Reloc>,
        device: bool,
    ) -> R<bool> {
        let mut inner = e;
        loop {
            match inner.kind {
                ExprKind::CompoundLiteral(list) => {
                    for mut sub in self.flatten(leaf.ty, list)? {
                        sub.offset_bits += leaf.offset_bits;
                        if !self.constant_leaf(&sub, bytes, relocs, device)? {
                            return Ok(false);
                        }
                    }
                    return Ok(true);
                }
                ExprKind::Cast(Cast { kind: CastKind::C, operand, .. }) => inner = operand,
                _ => match inner.operand() {
                    Some(one) => inner = one,
                    None => return Ok(false),
                },
            }
        }
    }

    /// The value of a constant expression, converted to `ty`.
    pub fn constant_scalar(&mut self, e: Ex<'tu>, ty: Ty, device: bool) -> R<Option<Constant>> {
        let from = e.q.ty;
        match self.ast.types.kind(ty).clone() {
            Kind::Pointer(_) | Kind::Reference(_) => {
                let is_reference = matches!(self.ast.types.kind(ty), Kind::Reference(_));
                if is_reference {
                    return Ok(self
                        .constant_place(e, device)?
                        .map(|(target, offset)| Constant::Address { target, offset }));
                }
                self.constant_address(e, device)
            }
            Kind::NullPtr => Ok(Some(Constant::Address { target: None, offset: 0 })),
            Kind::Float(Type::F80) => {
                if let Some(bits) = extended_literal(e) {
                    return Ok(Some(Constant::Extended(bits)));
                }
                // Anything but a literal may need more precision than the evaluator keeps.
                if matches!(self.ast.types.kind(from), Kind::Float(Type::F80)) {
                    return Ok(None);
                }
                Ok(evaluate(e).and_then(number).map(|f| Constant::Extended(extend_f64(f))))
            }
            Kind::Float(_) => Ok(evaluate(e).and_then(number).map(Constant::Float)),
            Kind::Bool => Ok(evaluate(e).map(|v| match v {
                Evaluated::Int(v) => Constant::Int(i128::from(v != 0)),
                Evaluated::Float(f) => Constant::Int(i128::from(f != 0.0)),
            })),
            Kind::Int { .. } => Ok(match evaluate(e) {
                Some(Evaluated::Int(v)) => Some(Constant::Int(v)),
                Some(Evaluated::Float(f)) => Some(Constant::Int(f as i128)),
                None => None,
            }),
            _ => Ok(None),
        }
    }

    /// A constant expression of pointer type.
    fn constant_address(&mut self, e: Ex<'tu>, device: bool) -> R<Option<Constant>> {
        let address = |(target, offset)| Constant::Address { target, offset };
        let q = e.q;
        // An array or function stands for its address.
        if matches!(self.ast.types.kind(q.ty), Kind::Array { .. } | Kind::Function(_)) {
            return Ok(self.constant_place(e, device)?.map(address));
        }
        if self.ast.types.is_integer(q.ty) {
            return Ok(match evaluate(e) {
                Some(Evaluated::Int(v)) => Some(Constant::Address { target: None, offset: v as i64 }),
                _ => None,
            });
        }
        match e.kind {
            ExprKind::Null => Ok(Some(Constant::Address { target: None, offset: 0 })),
            ExprKind::Paren(inner)
            | ExprKind::Implicit(inner)
            | ExprKind::Cast(Cast { operand: inner, .. }) => {
                if !self.same_pointer_value(inner, e) {
                    return Ok(None);
                }
                // A load is no constant, unless it reads a constant.
                if matches!((&e.kind, &inner.kind), (ExprKind::Implicit(_), ExprKind::Name(_)))
                    && self.ast.types.is_pointer(inner.q.ty)
                {
                    return self.constant_variable(inner, device);
                }
                self.constant_address(inner, device)
            }
            ExprKind::Name(_) => self.constant_variable(e, device),
            ExprKind::Unary(UnaryOp::AddrOf, inner) => Ok(self.constant_place(inner, device)?.map(address)),
            ExprKind::Unary(UnaryOp::Extension, inner) => self.constant_address(inner, device),
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
                let sign = if op == BinaryOp::Add { 1 } else { -1 };
                let (pointer, index) =
                    if self.ast.types.is_integer(left.q.ty) { (right, left) } else { (left, right) };
                let Some(Constant::Address { target, offset }) = self.constant_address(pointer, device)?
                else {
                    return Ok(None);
                };
                let Some(Evaluated::Int(n)) = evaluate(index) else { return Ok(None) };
                let Some(size) = self.ast.types.pointee(q.ty).and_then(|p| self.ast.types.size(p.ty)) else {
                    return Ok(None);
                };
                Ok(Some(Constant::Address { target, offset: offset + sign * n as i64 * size as i64 }))
            }
            ExprKind::Conditional { condition, yes, no } => match evaluate(condition) {
                Some(Evaluated::Int(v)) => self.constant_address(if v != 0 { yes } else { no }, device),
                _ => Ok(None),
            },
            ExprKind::String(_) => Ok(self.constant_place(e, device)?.map(address)),
            _ => Ok(None),
        }
    }

    /// Whether a cast from `inner` to `outer` keeps the bits of an address.
    fn same_pointer_value(&mut self, inner: Ex<'tu>, outer: Ex<'tu>) -> bool {
        let (from, to) = (inner.q.ty, outer.q.ty);
        let record = |cx: &Self, ty| cx.ast.types.pointee(ty).and_then(|p| cx.ast.types.as_record(p.ty));
        match (record(self, from), record(self, to)) {
            // Between classes the address may change.
            (Some(a), Some(b)) => a == b || !self.ast.cxx,
            _ => true,
        }
    }

    /// A `const` pointer variable whose own initialiser is constant.
    fn constant_variable(&mut self, e: Ex<'tu>, device: bool) -> R<Option<Constant>> {
        let ExprKind::Name(Name { decl: Some(decl), .. }) = e.kind else { return Ok(None) };
        if decl.kind() != DeclKind::Variable || !self.ast.cxx {
            return Ok(None);
        }
        let q = self.ast.types.of(decl.ty());
        if !q.is_const || q.volatile || !decl.has_static_storage() || !self.ast.has_initializer(decl) {
            return Ok(None);
        }
        match self.ast.initializer(decl) {
            Some(init) => self.constant_address(init, device),
            None => Ok(None),
        }
    }

    /// The address of a constant lvalue: a variable, a member or element of one, a string, a function.
    fn constant_place(&mut self, e: Ex<'tu>, device: bool) -> R<Option<(Option<RelocTarget>, i64)>> {
        match e.kind {
            ExprKind::Name(Name { decl: Some(decl), .. }) => match decl.kind() {
                DeclKind::Variable if decl.has_static_storage() => {
                    let q = self.ast.types.of(decl.ty());
                    if matches!(self.ast.types.kind(q.ty), Kind::Reference(_)) {
                        return match self.ast.initializer(decl) {
                            Some(init) => self.constant_place(init, device),
                            None => Ok(None),
                        };
                    }
                    let id = self.global(decl, device)?;
                    Ok(Some((Some(RelocTarget::Global(id)), 0)))
                }
                DeclKind::Function | DeclKind::Method => {
                    let id = self.func(decl, device)?;
                    Ok(Some((Some(RelocTarget::Func(id)), 0)))
                }
                _ => Ok(None),
            },
            ExprKind::String(_) => {
                let id = self.string_global(e, device)?;
                Ok(Some((Some(RelocTarget::Global(id)), 0)))
            }
            ExprKind::Paren(one)
            | ExprKind::Implicit(one)
            | ExprKind::View(one)
            | ExprKind::Unary(UnaryOp::Extension, one) => self.constant_place(one, device),
            ExprKind::Unary(UnaryOp::Deref, inner) => Ok(match self.constant_address(inner, device)? {
                Some(Constant::Address { target, offset }) => Some((target, offset)),
                _ => None,
            }),
            ExprKind::Subscript { base, index } => {
                let Some(Constant::Address { target, offset }) = self.constant_address(base, device)? else {
                    return Ok(None);
                };
                let Some(Evaluated::Int(n)) = evaluate(index) else { return Ok(None) };
                let Some(size) = self.ast.types.size(e.q.ty) else { return Ok(None) };
                Ok(Some((target, offset + n as i64 * size as i64)))
            }
            ExprKind::Member(&Member { object: Some(base), decl: Some(field), .. }) => {
                let place = if self.ast.types.is_pointer(base.q.ty) {
                    match self.constant_address(base, device)? {
                        Some(Constant::Address { target, offset }) => Some((target, offset)),
                        _ => None,
                    }
                } else {
                    self.constant_place(base, device)?
                };
                let Some((target, offset)) = place else { return Ok(None) };
                let class = self.ast.types.pointee(base.q.ty).map_or(base.q.ty, |p| p.ty);
                let Some(record) = self.ast.types.as_record(class) else { return Ok(None) };
                Ok(self
                    .ast
                    .types
                    .field_path(record, field.canonical().id())
                    .map(|(bits, _)| (target, offset + (bits / 8) as i64)))
            }
            ExprKind::CompoundLiteral(list) => self.constant_compound_literal(list, e, device),
            _ => Ok(None),
        }
    }

    /// `&(struct S){…}` outside functions: an unnamed variable.
    fn constant_compound_literal(
        &mut self,
        list: Ex<'tu>,
        e: Ex<'tu>,
        device: bool,
    ) -> R<Option<(Option<RelocTarget>, i64)>> {
        let q = e.q;
        let Some(size) = self.ast.types.size(q.ty) else { return Ok(None) };
        let space = if device { Space::Global } else { Space::Host };
        let Some(init) = self.constant_data(q, list, size, space)? else { return Ok(None) };
        let name = self.unique_name(format!(".compound.{}", self.module.globals.len()));
        let loc = self.loc(e);
        let align = self.ast.types.align(q.ty);
        let id = self.module.add_global(cudair_ir::Global {
            name,
            display_name: "compound literal".to_owned(),
            space,
            size,
            align_log2: align.trailing_zeros() as u8,
            linkage: cudair_ir::Linkage::Internal,
            constant: q.is_const,
            dynamic: false,
            init,
            loc: loc.into(),
            ty: None,
        });
        Ok(Some((Some(RelocTarget::Global(id)), 0)))
    }

    /// The variable that holds a string literal.
    pub fn string_global(&mut self, e: Ex<'tu>, device: bool) -> R<cudair_ir::GlobalId> {
        let (ExprKind::String(text), Kind::Array { elem, len }) =
            (&e.kind, self.ast.types.kind(e.q.ty).clone())
        else {
            return self.internal("a string literal that is not an array", e);
        };
        let unit = self.object_size(elem.ty, e)? as u32;
        let Some(units) = string_units(text, unit) else {
            return self.internal("a string literal that cannot be read", e);
        };
        // An array without a length is as long as its text.
        let length = len.unwrap_or(units.len() as u64 + 1);
        let bytes = string_bytes(&units, unit, length);
        Ok(self.constant_bytes(bytes, unit, device))
    }
}

/// What earlier items set there is no more; `false` if the place is not one of the object's.
fn set_to_zero(leaf: &Leaf<'_>, bytes: &mut [u8], relocs: &mut Vec<Reloc>) -> bool {
    let all = bytes.len() as u64 * 8;
    let end = match (leaf.width, leaf.bits) {
        (Some(width), _) => leaf.offset_bits.saturating_add(u64::from(width)),
        (None, Some(bits)) => leaf.offset_bits.saturating_add(bits),
        // An array without a length has the room that is left.
        (None, None) => all,
    };
    if end > all {
        return false;
    }
    relocs.retain(|r| (r.offset + 8) * 8 <= leaf.offset_bits || r.offset * 8 >= end);
    for bit in leaf.offset_bits..end {
        bytes[(bit / 8) as usize] &= !(1 << (bit % 8));
    }
    true
}

/// The bits of a constant as `ir`. Addresses have none.
pub(crate) fn constant_bits(value: Constant, ir: Type) -> u128 {
    let bits = match (value, ir) {
        (Constant::Int(v), _) => v as u128,
        (Constant::Extended(bits), _) => bits,
        (Constant::Float(f), Type::F32) => u128::from((f as f32).to_bits()),
        (Constant::Float(f), Type::F64) => u128::from(f.to_bits()),
        (Constant::Float(f), Type::F80) => extend_f64(f),
        (Constant::Float(f), Type::F16) => u128::from(half::f16::from_f64(f).to_bits()),
        (Constant::Float(f), Type::BF16) => u128::from(half::bf16::from_f64(f).to_bits()),
        (Constant::Float(f), _) => f as i128 as u128,
        (Constant::Address { offset, .. }, _) => offset as u64 as u128,
    };
    bits & ir.bit_mask()
}

/// A double in x87 format, exactly.
pub(crate) fn extend_f64(f: f64) -> u128 {
    let bits = f.to_bits();
    let sign = u128::from(bits >> 63) << 79;
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    let (exponent, significand) = match (exponent, fraction) {
        (0, 0) => (0, 0),
        (0, _) => {
            // Subnormal as a double, normal as an extended number.
            let shift = fraction.leading_zeros();
            (16383 - 1022 - 52 + 63 - shift as i32, fraction << shift)
        }
        (0x7ff, _) => (0x7fff, 1 << 63 | fraction << 11),
        _ => (exponent - 1023 + 16383, 1 << 63 | fraction << 11),
    };
    sign | (exponent as u128) << 64 | u128::from(significand)
}

fn number(v: Evaluated) -> Option<f64> {
    Some(match v {
        Evaluated::Int(v) => v as f64,
        Evaluated::Float(f) => f,
    })
}

/// The bits of a `long double` literal, possibly negated.
pub(crate) fn extended_literal(mut e: Ex<'_>) -> Option<u128> {
    let mut negative = false;
    loop {
        match e.kind {
            ExprKind::Extended(bits) => return Some(if negative { bits | 1 << 79 } else { bits }),
            ExprKind::Paren(inner) | ExprKind::Unary(UnaryOp::Plus | UnaryOp::Extension, inner) => e = inner,
            ExprKind::Unary(UnaryOp::Minus, inner) => {
                negative = !negative;
                e = inner;
            }
            _ => return None,
        }
    }
}

/// Evaluates an expression of arithmetic type; of another type it is not asked, since libclang crashes
/// on initialiser lists.
fn evaluate(e: Ex<'_>) -> Option<Evaluated> {
    let kind = e.written_type().canonical().kind();
    let arithmetic = (TypeKind::Bool.0..=TypeKind::LongDouble.0).contains(&kind.0)
        || matches!(kind, TypeKind::Enum | TypeKind::Half | TypeKind::Float16 | TypeKind::BFloat16);
    if arithmetic && !contains_list(e) { e.value() } else { None }
}

/// Whether the tree of the expression holds an initialiser list.
fn contains_list(e: Ex<'_>) -> bool {
    e.is_list() || e.parts().into_iter().any(contains_list)
}
