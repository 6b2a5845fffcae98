//! Constant initialisers: bytes and addresses.

use super::init::{Leaf, LeafValue, string_literal};
use super::literals::{long_double_bits, string_bytes, string_units};
use super::types::{Kind, QTy, Ty};
use super::{Cx, R};
use crate::clang::{Cursor, CursorKind, Evaluated};
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
    pub fn constant_data(
        &mut self,
        q: QTy,
        e: Cursor<'tu>,
        size: u64,
        space: Space,
    ) -> R<Option<GlobalInit>> {
        let device = !matches!(space, Space::Host | Space::Managed);
        let leaves = self.flatten(q, e)?;
        let mut bytes = vec![0u8; usize::try_from(size).unwrap_or(0)];
        let mut relocs = Vec::new();
        for leaf in &leaves {
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
        let LeafValue::Expr(e) = leaf.value else { return Ok(false) };
        let offset = (leaf.offset_bits / 8) as usize;
        if let Some(width) = leaf.width {
            let Some(Evaluated::Int(v)) = e.evaluate() else { return Ok(false) };
            for bit in 0..u64::from(width) {
                let at = leaf.offset_bits + bit;
                let Some(byte) = bytes.get_mut((at / 8) as usize) else { return Ok(false) };
                let mask = 1u8 << (at % 8);
                if v >> bit & 1 == 1 { *byte |= mask } else { *byte &= !mask }
            }
            return Ok(true);
        }
        if let Kind::Array { elem, .. } = *self.types.kind(leaf.ty.ty) {
            let Some(literal) = string_literal(e) else { return Ok(false) };
            let unit = self.types.size(elem.ty).unwrap_or(1) as u32;
            let room = (bytes.len() - offset.min(bytes.len())) as u64;
            let length =
                self.types.size(leaf.ty.ty).filter(|s| *s > 0).unwrap_or(room).min(room) / u64::from(unit);
            let Some(units) = string_units(&literal.spelling(), unit) else {
                return self.internal("a string literal that cannot be read", literal);
            };
            let text = string_bytes(&units, unit, length);
            bytes[offset..offset + text.len()].copy_from_slice(&text);
            return Ok(true);
        }
        if self.types.is_aggregate(leaf.ty.ty) {
            return self.constant_aggregate(leaf, e, bytes, relocs, device);
        }
        let Some(value) = self.constant_scalar(e, leaf.ty.ty, device)? else { return Ok(false) };
        let Some(ir) = self.types.ir(leaf.ty.ty) else { return Ok(false) };
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
        e: Cursor<'tu>,
        bytes: &mut [u8],
        relocs: &mut Vec<Reloc>,
        device: bool,
    ) -> R<bool> {
        let mut inner = e;
        loop {
            match inner.kind() {
                CursorKind::CompoundLiteralExpr => {
                    let Some(list) = inner.expressions().last().copied() else { return Ok(false) };
                    for mut sub in self.flatten(leaf.ty, list)? {
                        sub.offset_bits += leaf.offset_bits;
                        if !self.constant_leaf(&sub, bytes, relocs, device)? {
                            return Ok(false);
                        }
                    }
                    return Ok(true);
                }
                CursorKind::ParenExpr | CursorKind::UnexposedExpr | CursorKind::CStyleCastExpr => {
                    match inner.expressions().as_slice() {
                        [one] => inner = *one,
                        _ => return Ok(false),
                    }
                }
                _ => return Ok(false),
            }
        }
    }

    /// The value of a constant expression, converted to `ty`.
    pub fn constant_scalar(&mut self, e: Cursor<'tu>, ty: Ty, device: bool) -> R<Option<Constant>> {
        let from = self.type_of(e).ty;
        match self.types.kind(ty).clone() {
            Kind::Pointer(_) | Kind::Reference(_) => {
                let is_reference = matches!(self.types.kind(ty), Kind::Reference(_));
                if is_reference {
                    return Ok(self
                        .constant_place(e, device)?
                        .map(|(target, offset)| Constant::Address { target, offset }));
                }
                self.constant_address(e, device)
            }
            Kind::NullPtr => Ok(Some(Constant::Address { target: None, offset: 0 })),
            Kind::Float(Type::F80) => {
                if let Some(bits) = self.extended_literal(e) {
                    return Ok(Some(Constant::Extended(bits)));
                }
                // Anything but a literal may need more precision than the evaluator keeps.
                if matches!(self.types.kind(from), Kind::Float(Type::F80)) {
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

    /// The bits of a `long double` literal, possibly negated.
    pub fn extended_literal(&mut self, mut e: Cursor<'tu>) -> Option<u128> {
        let mut negative = false;
        loop {
            match e.kind() {
                CursorKind::FloatingLiteral => {
                    if !matches!(self.types.of(e.ty()).ty, ty if matches!(self.types.kind(ty), Kind::Float(Type::F80)))
                    {
                        return None;
                    }
                    let text = e.tokens(self.unit).into_iter().next()?;
                    let bits = long_double_bits(&text).or_else(|| match e.evaluate() {
                        // From a macro the token is not at hand; a double may say it exactly.
                        Some(Evaluated::Float(f)) => Some(extend_f64(f)),
                        _ => None,
                    })?;
                    return Some(if negative { bits | 1 << 79 } else { bits });
                }
                CursorKind::ParenExpr => e = *e.expressions().first()?,
                CursorKind::UnaryOperator => {
                    match e.unary_operator() {
                        clang_sys::CXUnaryOperator_Minus => negative = !negative,
                        clang_sys::CXUnaryOperator_Plus | clang_sys::CXUnaryOperator_Extension => {}
                        _ => return None,
                    }
                    e = *e.expressions().first()?;
                }
                _ => return None,
            }
        }
    }

    /// A constant expression of pointer type.
    fn constant_address(&mut self, e: Cursor<'tu>, device: bool) -> R<Option<Constant>> {
        let address = |(target, offset)| Constant::Address { target, offset };
        let exprs = e.expressions();
        let q = self.type_of(e);
        // An array or function stands for its address.
        if matches!(self.types.kind(q.ty), Kind::Array { .. } | Kind::Function(_)) {
            return Ok(self.constant_place(e, device)?.map(address));
        }
        if self.types.is_integer(q.ty) {
            return Ok(match evaluate(e) {
                Some(Evaluated::Int(v)) => Some(Constant::Address { target: None, offset: v as i64 }),
                _ => None,
            });
        }
        match e.kind() {
            CursorKind::CXXNullPtrLiteralExpr | CursorKind::GNUNullExpr => {
                Ok(Some(Constant::Address { target: None, offset: 0 }))
            }
            CursorKind::ParenExpr
            | CursorKind::UnexposedExpr
            | CursorKind::CStyleCastExpr
            | CursorKind::CXXStaticCastExpr
            | CursorKind::CXXReinterpretCastExpr
            | CursorKind::CXXConstCastExpr
            | CursorKind::CXXFunctionalCastExpr => {
                let Some(&inner) = exprs.last() else { return Ok(None) };
                if exprs.len() != 1 {
                    return Ok(None);
                }
                if !self.same_pointer_value(inner, e) {
                    return Ok(None);
                }
                // A load is no constant, unless it reads a constant.
                if e.kind() == CursorKind::UnexposedExpr && inner.kind() == CursorKind::DeclRefExpr {
                    let iq = self.type_of(inner);
                    if self.types.is_pointer(iq.ty) {
                        return self.constant_variable(inner, device);
                    }
                }
                self.constant_address(inner, device)
            }
            CursorKind::DeclRefExpr => self.constant_variable(e, device),
            CursorKind::UnaryOperator if e.unary_operator() == clang_sys::CXUnaryOperator_AddrOf => {
                let Some(&inner) = exprs.first() else { return Ok(None) };
                Ok(self.constant_place(inner, device)?.map(address))
            }
            CursorKind::UnaryOperator if e.unary_operator() == clang_sys::CXUnaryOperator_Extension => {
                let Some(&inner) = exprs.first() else { return Ok(None) };
                self.constant_address(inner, device)
            }
            CursorKind::BinaryOperator => {
                let &[left, right] = exprs.as_slice() else { return Ok(None) };
                let sign = match e.binary_operator() {
                    clang_sys::CXBinaryOperator_Add => 1,
                    clang_sys::CXBinaryOperator_Sub => -1,
                    _ => return Ok(None),
                };
                let left_ty = self.type_of(left).ty;
                let (pointer, index) =
                    if self.types.is_integer(left_ty) { (right, left) } else { (left, right) };
                let Some(Constant::Address { target, offset }) = self.constant_address(pointer, device)?
                else {
                    return Ok(None);
                };
                let Some(Evaluated::Int(n)) = evaluate(index) else { return Ok(None) };
                let size = self.types.pointee(q.ty).and_then(|p| self.types.size(p.ty)).unwrap_or(1);
                Ok(Some(Constant::Address { target, offset: offset + sign * n as i64 * size as i64 }))
            }
            CursorKind::ConditionalOperator => {
                let &[condition, yes, no] = exprs.as_slice() else { return Ok(None) };
                match evaluate(condition) {
                    Some(Evaluated::Int(v)) => self.constant_address(if v != 0 { yes } else { no }, device),
                    _ => Ok(None),
                }
            }
            CursorKind::StringLiteral => Ok(self.constant_place(e, device)?.map(address)),
            _ => Ok(None),
        }
    }

    /// Whether a cast from `inner` to `outer` keeps the bits of an address.
    fn same_pointer_value(&mut self, inner: Cursor<'tu>, outer: Cursor<'tu>) -> bool {
        let (from, to) = (self.type_of(inner).ty, self.type_of(outer).ty);
        let record = |cx: &Self, ty| cx.types.pointee(ty).and_then(|p| cx.types.as_record(p.ty));
        match (record(self, from), record(self, to)) {
            // Between classes the address may change.
            (Some(a), Some(b)) => a == b || !self.cxx,
            _ => true,
        }
    }

    /// A `const` pointer variable whose own initialiser is constant.
    fn constant_variable(&mut self, e: Cursor<'tu>, device: bool) -> R<Option<Constant>> {
        let Some(decl) = e.referenced() else { return Ok(None) };
        if decl.kind() != CursorKind::VarDecl || !self.cxx {
            return Ok(None);
        }
        let q = self.types.of(decl.ty());
        match decl.initializer() {
            Some(init) if q.is_const && !q.volatile && decl.has_static_storage() => {
                self.constant_address(init, device)
            }
            _ => Ok(None),
        }
    }

    /// The address of a constant lvalue: a variable, a member or element of one, a string, a function.
    fn constant_place(&mut self, e: Cursor<'tu>, device: bool) -> R<Option<(Option<RelocTarget>, i64)>> {
        let exprs = e.expressions();
        match e.kind() {
            CursorKind::DeclRefExpr => {
                let Some(decl) = e.referenced() else { return Ok(None) };
                match decl.kind() {
                    CursorKind::VarDecl if decl.has_static_storage() => {
                        let q = self.types.of(decl.ty());
                        if matches!(self.types.kind(q.ty), Kind::Reference(_)) {
                            return match decl.initializer() {
                                Some(init) => self.constant_place(init, device),
                                None => Ok(None),
                            };
                        }
                        let id = self.global(decl, device)?;
                        Ok(Some((Some(RelocTarget::Global(id)), 0)))
                    }
                    CursorKind::FunctionDecl | CursorKind::CXXMethod => {
                        let id = self.func(decl, device)?;
                        Ok(Some((Some(RelocTarget::Func(id)), 0)))
                    }
                    _ => Ok(None),
                }
            }
            CursorKind::StringLiteral => {
                let id = self.string_global(e, device)?;
                Ok(Some((Some(RelocTarget::Global(id)), 0)))
            }
            CursorKind::ParenExpr | CursorKind::UnexposedExpr => match exprs.as_slice() {
                [one] => self.constant_place(*one, device),
                _ => Ok(None),
            },
            CursorKind::UnaryOperator => {
                let Some(&inner) = exprs.first() else { return Ok(None) };
                match e.unary_operator() {
                    clang_sys::CXUnaryOperator_Deref => Ok(match self.constant_address(inner, device)? {
                        Some(Constant::Address { target, offset }) => Some((target, offset)),
                        _ => None,
                    }),
                    clang_sys::CXUnaryOperator_Extension => self.constant_place(inner, device),
                    _ => Ok(None),
                }
            }
            CursorKind::ArraySubscriptExpr => {
                let &[a, b] = exprs.as_slice() else { return Ok(None) };
                let a_ty = self.type_of(a).ty;
                let (base, index) = if self.types.is_integer(a_ty) { (b, a) } else { (a, b) };
                let Some(Constant::Address { target, offset }) = self.constant_address(base, device)? else {
                    return Ok(None);
                };
                let Some(Evaluated::Int(n)) = evaluate(index) else { return Ok(None) };
                let q = self.type_of(e);
                let Some(size) = self.types.size(q.ty) else { return Ok(None) };
                Ok(Some((target, offset + n as i64 * size as i64)))
            }
            CursorKind::MemberRefExpr => {
                let (Some(&base), Some(field)) = (exprs.first(), e.referenced()) else { return Ok(None) };
                let base_q = self.type_of(base);
                let place = if self.types.is_pointer(base_q.ty) {
                    match self.constant_address(base, device)? {
                        Some(Constant::Address { target, offset }) => Some((target, offset)),
                        _ => None,
                    }
                } else {
                    self.constant_place(base, device)?
                };
                let Some((target, offset)) = place else { return Ok(None) };
                let record = match self.types.pointee(base_q.ty) {
                    Some(p) => self.types.as_record(p.ty),
                    None => self.types.as_record(base_q.ty),
                };
                let Some(record) = record else { return Ok(None) };
                Ok(self
                    .types
                    .field_path(record, field.canonical().id())
                    .map(|(bits, _)| (target, offset + (bits / 8) as i64)))
            }
            CursorKind::CompoundLiteralExpr => self.constant_compound_literal(e, device),
            _ => Ok(None),
        }
    }

    /// `&(struct S){…}` outside functions: an unnamed variable.
    fn constant_compound_literal(
        &mut self,
        e: Cursor<'tu>,
        device: bool,
    ) -> R<Option<(Option<RelocTarget>, i64)>> {
        let q = self.type_of(e);
        let (Some(size), Some(&list)) = (self.types.size(q.ty), e.expressions().last()) else {
            return Ok(None);
        };
        let space = if device { Space::Global } else { Space::Host };
        let Some(init) = self.constant_data(q, list, size, space)? else { return Ok(None) };
        let name = self.unique_name(format!(".compound.{}", self.module.globals.len()));
        let loc = self.loc(e);
        let align = self.types.align(q.ty);
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
        });
        Ok(Some((Some(RelocTarget::Global(id)), 0)))
    }

    /// The variable that holds a string literal.
    pub fn string_global(&mut self, e: Cursor<'tu>, device: bool) -> R<cudair_ir::GlobalId> {
        let q = self.types.of(e.ty());
        let Kind::Array { elem, len } = *self.types.kind(q.ty) else {
            return self.internal("a string literal that is no array", e);
        };
        let unit = self.types.size(elem.ty).unwrap_or(1) as u32;
        let Some(units) = string_units(&e.spelling(), unit) else {
            return self.internal("a string literal that cannot be read", e);
        };
        let length = len.unwrap_or(units.len() as u64 + 1);
        let bytes = string_bytes(&units, unit, length);
        Ok(self.constant_bytes(bytes, unit, device))
    }
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

/// Evaluates an expression of arithmetic type; of another type it is not asked, since libclang crashes
/// on initialiser lists.
fn evaluate(e: Cursor<'_>) -> Option<Evaluated> {
    use crate::clang::TypeKind;
    let kind = e.ty().canonical().kind();
    let arithmetic = (TypeKind::Bool.0..=TypeKind::LongDouble.0).contains(&kind.0)
        || matches!(kind, TypeKind::Enum | TypeKind::Half | TypeKind::Float16 | TypeKind::BFloat16);
    if arithmetic && !contains_list(e) { e.evaluate() } else { None }
}

/// Whether the tree of the expression holds an initialiser list.
fn contains_list(e: Cursor<'_>) -> bool {
    e.kind() == CursorKind::InitListExpr || e.expressions().iter().any(|c| contains_list(*c))
}
