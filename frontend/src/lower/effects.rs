//! Expressions evaluated for their effects or for which way to go.

use super::R;
use super::func::FnLower;
use crate::ast::{BinaryOp, Cast, CastKind, Ex, ExprKind, UnaryOp};
use crate::types::Kind;
use cudair_ir::{Block, Value};

impl<'tu> FnLower<'_, 'tu, '_> {
    /// One of two expressions, each for its effect.
    pub(super) fn either(
        &mut self,
        condition: Ex<'tu>,
        [yes, no]: [Ex<'tu>; 2],
        mut run: impl FnMut(&mut Self, Ex<'tu>) -> R<()>,
    ) -> R<()> {
        let (then, other, end) = (self.b.make_block(), self.b.make_block(), self.b.make_block());
        self.before_arms();
        self.branch_on(condition, then, other)?;
        self.begin_arms();
        for (block, arm) in [(then, yes), (other, no)] {
            self.b.switch_to(block);
            run(self, arm)?;
            if !self.b.is_unreachable() {
                self.b.jump(end, &[]);
            }
        }
        self.end_arms();
        self.b.switch_to(end);
        Ok(())
    }

    /// Evaluates an expression for its effects.
    pub fn discard(&mut self, e: Ex<'tu>) -> R<()> {
        self.deeper(e)?;
        let old = self.enter(e);
        let result = self.discard_kind(e);
        self.b.set_loc(old);
        self.reach.shallower();
        result
    }

    fn discard_kind(&mut self, e: Ex<'tu>) -> R<()> {
        let q = e.q;
        let is_void = matches!(self.cx.ast.types.kind(q.ty), Kind::Void);
        match e.kind {
            ExprKind::Paren(inner) | ExprKind::Unary(UnaryOp::Extension, inner) => self.discard(inner),
            // `void()`, as a fold of no operands is.
            ExprKind::ValueInit if is_void => Ok(()),
            ExprKind::Implicit(inner)
            | ExprKind::Cast(Cast {
                kind: CastKind::C | CastKind::Functional | CastKind::Static,
                operand: inner,
                ..
            }) if is_void || inner.q.ty == q.ty => self.discard(inner),
            ExprKind::Binary(BinaryOp::Comma, left, right) => {
                self.discard(left)?;
                self.discard(right)
            }
            ExprKind::Conditional { condition, yes, no } => {
                self.either(condition, [yes, no], |f, arm| f.discard(arm))
            }
            ExprKind::Statement(body) => self.statement_expression(body, e, None).map(|_| ()),
            ExprKind::Throw(operand) => self.throw(operand, e),
            ExprKind::Call(call) => self.call_discard(call, e),
            ExprKind::Delete(delete) => self.delete_expression(delete, e),
            // A name alone does nothing, unless reading it is an effect.
            ExprKind::Name(_) if !q.volatile => Ok(()),
            ExprKind::Name(_)
            | ExprKind::Member(_)
            | ExprKind::Subscript { .. }
            | ExprKind::Unary(UnaryOp::Deref, _) => {
                let place = self.place(e)?;
                if q.volatile && !self.cx.ast.types.is_aggregate(q.ty) {
                    self.load(&place, e)?;
                }
                Ok(())
            }
            ExprKind::Binary(BinaryOp::Assign, ..) if self.cx.ast.types.is_aggregate(q.ty) => {
                self.place(e).map(|_| ())
            }
            ExprKind::Unary(op, operand) if op.is_step() => self.increment(op, operand, e).map(|_| ()),
            ExprKind::Atomic(atomic) if is_void => self.atomic(atomic, e).map(|_| ()),
            ExprKind::Fault(broken) => self.broken(broken, e),
            _ if self.cx.ast.types.is_aggregate(q.ty) => self.place(e).map(|_| ()),
            _ => self.rv(e).map(|_| ()),
        }
    }

    /// Goes to `yes` or `no` by the truth of an expression, without computing what is not needed.
    pub fn branch_on(&mut self, e: Ex<'tu>, yes: Block, no: Block) -> R<()> {
        self.deeper(e)?;
        let old = self.enter(e);
        let result = self.branch_kind(e, yes, no);
        self.b.set_loc(old);
        self.reach.shallower();
        result
    }

    fn branch_kind(&mut self, e: Ex<'tu>, yes: Block, no: Block) -> R<()> {
        match e.kind {
            ExprKind::Paren(inner) => return self.branch_on(inner, yes, no),
            ExprKind::Binary(op @ (BinaryOp::LAnd | BinaryOp::LOr), left, right) => {
                let next = self.b.make_block();
                self.before_arms();
                if op == BinaryOp::LAnd {
                    self.branch_on(left, next, no)?;
                } else {
                    self.branch_on(left, yes, next)?;
                }
                self.b.switch_to(next);
                self.begin_arms();
                self.branch_on(right, yes, no)?;
                self.end_arms();
                return Ok(());
            }
            ExprKind::Binary(BinaryOp::Comma, left, right) => {
                self.discard(left)?;
                return self.branch_on(right, yes, no);
            }
            ExprKind::Unary(UnaryOp::LNot, operand) => return self.branch_on(operand, no, yes),
            ExprKind::Implicit(inner) => {
                let (to, from) = (e.q.ty, inner.q.ty);
                // A conversion between truth values is none for a branch; one to a narrower integer
                // would be.
                if self.cx.ast.types.ir(from).is_some() && (from == to || to == self.cx.ast.types.bool) {
                    return self.branch_on(inner, yes, no);
                }
            }
            _ => {}
        }
        let condition = self.condition(e)?;
        self.b.branch(condition, yes, no);
        Ok(())
    }

    /// The truth of an expression as `i1`.
    pub fn condition(&mut self, e: Ex<'tu>) -> R<Value> {
        if let ExprKind::Binary(op, left, right) = e.kind
            && let Some(value) = self.comparison(op, left, right, e)?
        {
            return Ok(value);
        }
        let ty = e.q.ty;
        if self.cx.ast.types.element(ty).is_some() {
            let place = self.place(e)?;
            let pointer = self.cx.ast.types.void_ptr;
            return self.truth(place.ptr, pointer, e);
        }
        if let Some(part) = self.complex_part(ty) {
            let truth = self.cx.ast.types.bool;
            return self.complex_to_scalar(e, part, truth, e);
        }
        let value = self.rv(e)?;
        self.truth(value, ty, e)
    }
}
