//! Expressions evaluated for their effects or for which way to go.

use super::R;
use super::func::FnLower;
use super::types::Kind;
use crate::clang::{Cursor, CursorKind};
use cudair_ir::{Block, Value};

impl<'tu> FnLower<'_, 'tu, '_> {
    /// Evaluates an expression for its effects.
    pub fn discard(&mut self, e: Cursor<'tu>) -> R<()> {
        self.deeper(e)?;
        let old = self.enter(e);
        let result = self.discard_kind(e);
        self.b.set_loc(old);
        self.depth -= 1;
        result
    }

    pub fn discard_kind(&mut self, e: Cursor<'tu>) -> R<()> {
        let q = self.cx.type_of(e);
        let exprs = e.expressions();
        match e.kind() {
            CursorKind::ParenExpr => match exprs.first() {
                Some(&inner) => self.discard(inner),
                None => Ok(()),
            },
            CursorKind::CStyleCastExpr
            | CursorKind::CXXFunctionalCastExpr
            | CursorKind::CXXStaticCastExpr
            | CursorKind::UnexposedExpr
                if exprs.len() == 1
                    && (matches!(self.cx.types.kind(q.ty), Kind::Void)
                        || self.cx.type_of(exprs[0]).ty == q.ty && !self.is_va_arg(e, exprs[0])) =>
            {
                self.discard(exprs[0])
            }
            CursorKind::BinaryOperator if e.binary_operator() == clang_sys::CXBinaryOperator_Comma => {
                for &part in &exprs {
                    self.discard(part)?;
                }
                Ok(())
            }
            CursorKind::ConditionalOperator if exprs.len() == 3 => {
                let (then, other, end) = (self.b.make_block(), self.b.make_block(), self.b.make_block());
                self.before_arms();
                self.branch_on(exprs[0], then, other)?;
                self.begin_arms();
                self.conditional += 1;
                for (block, arm) in [(then, exprs[1]), (other, exprs[2])] {
                    self.b.switch_to(block);
                    self.discard(arm)?;
                    if !self.b.is_unreachable() {
                        self.b.jump(end, &[]);
                    }
                }
                self.conditional -= 1;
                self.end_arms();
                self.b.switch_to(end);
                Ok(())
            }
            CursorKind::StmtExpr => self.statement_expression(e, None).map(|_| ()),
            CursorKind::UnaryOperator
                if e.unary_operator() == clang_sys::CXUnaryOperator_Extension && exprs.len() == 1 =>
            {
                self.discard(exprs[0])
            }
            CursorKind::CXXThrowExpr => self.throw(e),
            CursorKind::CallExpr => self.call_discard(e),
            CursorKind::CXXDeleteExpr => self.delete_expression(e),
            // A name alone does nothing, unless reading it is an effect.
            CursorKind::DeclRefExpr if !q.volatile => Ok(()),
            CursorKind::DeclRefExpr | CursorKind::MemberRefExpr | CursorKind::ArraySubscriptExpr => {
                let place = self.place(e)?;
                if q.volatile && !self.cx.types.is_aggregate(q.ty) {
                    self.load(&place, e)?;
                }
                Ok(())
            }
            CursorKind::UnaryOperator if e.unary_operator() == clang_sys::CXUnaryOperator_Deref => {
                let place = self.place(e)?;
                if q.volatile && !self.cx.types.is_aggregate(q.ty) {
                    self.load(&place, e)?;
                }
                Ok(())
            }
            CursorKind::BinaryOperator
                if self.cx.types.is_aggregate(q.ty)
                    && e.binary_operator() == clang_sys::CXBinaryOperator_Assign =>
            {
                self.place(e).map(|_| ())
            }
            CursorKind::UnaryOperator if (1..=4).contains(&e.unary_operator()) && exprs.len() == 1 => {
                self.increment(e, exprs[0]).map(|_| ())
            }
            _ if matches!(self.cx.types.kind(q.ty), Kind::Void) && e.kind() == CursorKind::UnexposedExpr => {
                if self.atomic_expression(e)?.is_some() {
                    return Ok(());
                }
                for &part in &exprs {
                    self.discard(part)?;
                }
                Ok(())
            }
            _ if self.cx.types.is_aggregate(q.ty) => self.place(e).map(|_| ()),
            _ => self.rv(e).map(|_| ()),
        }
    }

    /// Goes to `yes` or `no` by the truth of an expression, without computing what is not needed.
    pub fn branch_on(&mut self, e: Cursor<'tu>, yes: Block, no: Block) -> R<()> {
        self.deeper(e)?;
        let old = self.enter(e);
        let result = self.branch_kind(e, yes, no);
        self.b.set_loc(old);
        self.depth -= 1;
        result
    }

    pub fn branch_kind(&mut self, e: Cursor<'tu>, yes: Block, no: Block) -> R<()> {
        let exprs = e.expressions();
        match e.kind() {
            CursorKind::ParenExpr if exprs.len() == 1 => return self.branch_on(exprs[0], yes, no),
            CursorKind::BinaryOperator if exprs.len() == 2 => {
                let operator = e.binary_operator();
                let and = operator == clang_sys::CXBinaryOperator_LAnd;
                if and || operator == clang_sys::CXBinaryOperator_LOr {
                    let next = self.b.make_block();
                    self.before_arms();
                    if and {
                        self.branch_on(exprs[0], next, no)?;
                    } else {
                        self.branch_on(exprs[0], yes, next)?;
                    }
                    self.b.switch_to(next);
                    self.begin_arms();
                    self.conditional += 1;
                    self.branch_on(exprs[1], yes, no)?;
                    self.conditional -= 1;
                    self.end_arms();
                    return Ok(());
                }
                if operator == clang_sys::CXBinaryOperator_Comma {
                    self.discard(exprs[0])?;
                    return self.branch_on(exprs[1], yes, no);
                }
            }
            CursorKind::UnaryOperator
                if exprs.len() == 1 && e.unary_operator() == clang_sys::CXUnaryOperator_LNot =>
            {
                return self.branch_on(exprs[0], no, yes);
            }
            CursorKind::UnexposedExpr if exprs.len() == 1 => {
                let (to, from) = (self.cx.type_of(e).ty, self.cx.type_of(exprs[0]).ty);
                let scalar = self.cx.types.ir(from).is_some();
                // A conversion between truth values is none for a branch; one to a narrower integer
                // would be.
                let conversion = e.range().end == exprs[0].range().end;
                if scalar
                    && conversion
                    && (from == to || to == self.cx.types.bool)
                    && !self.is_va_arg(e, exprs[0])
                {
                    return self.branch_on(exprs[0], yes, no);
                }
            }
            _ => {}
        }
        let condition = self.condition(e)?;
        self.b.branch(condition, yes, no);
        Ok(())
    }

    /// The truth of an expression as `i1`.
    pub fn condition(&mut self, e: Cursor<'tu>) -> R<Value> {
        if e.kind() == CursorKind::BinaryOperator
            && let Some(value) = self.comparison(e)?
        {
            return Ok(value);
        }
        let ty = self.cx.type_of(e).ty;
        if self.cx.types.element(ty).is_some() {
            let place = self.place(e)?;
            let pointer = self.cx.types.void_ptr;
            return self.truth(place.ptr, pointer, e);
        }
        let value = self.rv(e)?;
        self.truth(value, ty, e)
    }
}
