//! Expressions that libclang shows without their kind.

use crate::ast::{Ast, Atomic, Broken, ExprKind};
use crate::clang::{Cursor, CursorKind, Evaluated, TypeKind};
use crate::recover::Childless;
use crate::types::{Kind, QTy, Ty};

impl<'tu> Ast<'tu> {
    /// What a node of unknown kind is, by the number and types of its children.
    pub(super) fn unexposed(&mut self, e: Cursor<'tu>, q: QTy) -> Result<ExprKind<'tu>, Broken> {
        let exprs = e.expressions();
        if let Some(&last) = exprs.last()
            && self.is_va_arg(e, last, q)
        {
            return Ok(ExprKind::VaArg(self.expr(last)));
        }
        if exprs.len() > 1
            && let Some(atomic) = self.atomic(e, &exprs)?
        {
            return Ok(ExprKind::Atomic(self.arena.alloc(atomic)));
        }
        let folds =
            |ast: &Self| ast.types.is_integer(q.ty) && ast.types.ir(q.ty).is_some() && e.evaluate().is_some();
        Ok(match *exprs.as_slice() {
            [] => return self.childless(e, q),
            [inner] => {
                // A type trait has its operands as children; unlike a conversion it begins before they do.
                if e.start() != inner.start() && folds(self) {
                    return Ok(ExprKind::Folded);
                }
                if is_view(e, inner) {
                    ExprKind::View(self.expr(inner))
                } else {
                    ExprKind::Implicit(self.expr(inner))
                }
            }
            // `a ?: b`: the common operand, twice as placeholders, and the alternative.
            [common, _, _, other] => {
                ExprKind::GnuConditional { common: self.expr(common), other: self.expr(other) }
            }
            // `__builtin_choose_expr`
            [condition, yes, no] => match condition.evaluate() {
                Some(Evaluated::Int(v)) => ExprKind::Chosen(self.expr(if v != 0 { yes } else { no })),
                _ => return Err(Broken::unsupported("this expression")),
            },
            // The copy of an array: the whole, then how one element is made.
            [whole, _] if matches!(self.types.kind(q.ty), Kind::Array { .. }) => {
                ExprKind::ArrayCopy(self.expr(whole))
            }
            _ if folds(self) => ExprKind::Folded,
            _ => return Err(self.unknown_expression(e)),
        })
    }

    /// A node without children: `offsetof`, a type trait, a default argument.
    fn childless(&mut self, e: Cursor<'tu>, q: QTy) -> Result<ExprKind<'tu>, Broken> {
        if self.types.ir(q.ty).is_some() {
            if self.is_callers_line(e) {
                return Err(Broken::unsupported("`__builtin_LINE` for a caller that libclang does not show"));
            }
            if self.types.is_arithmetic(q.ty) && e.evaluate().is_some() {
                return Ok(ExprKind::Folded);
            }
        }
        match self.childless_kind(e) {
            Childless::ValueInit => Ok(ExprKind::ValueInit),
            Childless::SourcePlace => Err(Broken::unsupported("the name of the caller's file or function")),
            Childless::Unknown => Err(Broken::unsupported("this expression")),
        }
    }

    /// Whether a node is `va_arg`: its child is an argument list, its type something else.
    fn is_va_arg(&mut self, e: Cursor<'tu>, inner: Cursor<'tu>, q: QTy) -> bool {
        let from = self.type_of(inner).ty;
        if !self.is_va_list(from) || self.is_va_list(q.ty) {
            return false;
        }
        match self.types.kind(q.ty) {
            // An argument list converts to pointers and truth values only.
            // A conversion begins where its operand does.
            Kind::Bool | Kind::Pointer(_) => e.start() != inner.start(),
            _ => true,
        }
    }

    fn is_va_list(&self, ty: Ty) -> bool {
        let record = match self.types.kind(ty) {
            Kind::Record(id) => Some(*id),
            Kind::Pointer(q) => self.types.as_record(q.ty),
            Kind::Array { elem, .. } => self.types.as_record(elem.ty),
            _ => None,
        };
        record.is_some_and(|id| self.types.record(id).decl.spelling() == "__va_list_tag")
    }

    /// An atomic operation: the pointer, the order, the first value, the order of a failure, the second value, whether
    /// it may fail for no reason; what there is none of is left out.
    fn atomic(&mut self, e: Cursor<'tu>, exprs: &[Cursor<'tu>]) -> Result<Option<Atomic<'tu>>, Broken> {
        let [pointer, _, rest @ ..] = exprs else { return Ok(None) };
        let pointer_ty = self.type_of(*pointer).ty;
        if !self.types.is_pointer(pointer_ty) {
            return Ok(None);
        }
        let Some((name, gnu)) = self.atomic_name(e) else { return Ok(None) };
        // The operand's own type, before it became `char*`.
        let mut pointer = *pointer;
        if matches!(name.as_str(), "test_and_set" | "clear")
            && let [inner] = pointer.expressions().as_slice()
            && pointer.kind() == CursorKind::UnexposedExpr
        {
            let inner_ty = self.type_of(*inner).ty;
            if self.types.is_pointer(inner_ty) {
                pointer = *inner;
            }
        }
        let pointer = self.expr(pointer);
        if self.types.pointee(pointer.q.ty).is_none() {
            return Ok(None);
        }
        Ok(Some(Atomic { name, gnu, pointer, operands: self.exprs(rest) }))
    }
}

/// Whether an expression is a `std::initializer_list` made from the array `inner`.
fn is_view(e: Cursor<'_>, inner: Cursor<'_>) -> bool {
    let list = e.ty().canonical().declaration();
    inner.ty().canonical().kind() == TypeKind::ConstantArray
        && list.spelling() == "initializer_list"
        && list.is_in_std()
}
