//! Modifications that nothing orders with another use of the variable: `i = i++ + i`.
//!
//! The parser finds them, by the rules of the language's edition. Where such a modification runs, a call tells the
//! machine of it, which goes on in the order that this lowering chose.

use super::func::FnLower;
use super::leaves::{Leaf, LeafValue};
use crate::ast::{Ast, BinaryOp, Ex, ExprKind, TokenId, UnaryOp};
use crate::clang::Location;
use crate::parse::Parsed;
use cudair_ir::{Signature, Unsequenced as How};

/// A modification that the parser told of.
#[derive(Debug)]
struct Found {
    /// Its operator.
    operator: TokenId,
    /// The other use: an operator, or where an expression begins.
    other: Option<TokenId>,
    /// That one modifies the variable too.
    twice: bool,
    /// The variable.
    name: String,
    /// The two stand in two parts that are evaluated one after the other, in whichever order: arguments of a call, or
    /// items of a list.
    apart: Option<How>,
}

/// What the parser found in a file.
#[derive(Debug, Default)]
pub(crate) struct Sequence {
    found: Vec<Found>,
    /// In this edition the arguments of a call are evaluated one after the other, in whichever order.
    ordered_arguments: bool,
    /// So are the items of a list in C. In C++ they have an order, and the parser tells of none.
    ordered_items: bool,
}

impl Sequence {
    pub fn new(ast: &mut Ast<'_>, parsed: &Parsed) -> Sequence {
        let found = parsed.unsequenced.iter().map(|f| {
            let (operator, other) = ast.unit.tokens_of_diagnostic(f.diagnostic);
            Found {
                operator: ast.ask_for_token(operator),
                other: other.map(|other| ast.ask_for_token(other)),
                twice: f.twice,
                name: f.name.clone(),
                apart: None,
            }
        });
        let found = found.collect();
        Sequence { found, ordered_arguments: parsed.cxx17, ordered_items: !ast.cxx }
    }
}

/// Whether an expression is the variable of this name, or stands for it, as the parser follows variables and members of
/// `*this`.
fn is_variable(e: Ex<'_>, name: &str) -> bool {
    match e.kind {
        ExprKind::Name(variable) => variable.decl.is_none_or(|d| d.spelling() == name),
        ExprKind::Member(member) => member.decl.is_none_or(|d| d.spelling() == name),
        ExprKind::Unary(UnaryOp::PreInc | UnaryOp::PreDec, inner) => is_variable(inner, name),
        ExprKind::Cast(cast) => is_variable(cast.operand, name),
        ExprKind::Binary(BinaryOp::Comma, _, right) => is_variable(right, name),
        ExprKind::Binary(BinaryOp::Assign, left, _) | ExprKind::CompoundAssign(_, left, _) => {
            is_variable(left, name)
        }
        _ => e.operand().is_some_and(|inner| is_variable(inner, name)),
    }
}

/// Whether what such an expression ends with begins with this token.
fn ends_with(e: Ex<'_>, token: Location<'_>) -> bool {
    match e.kind {
        ExprKind::Unary(UnaryOp::PreInc | UnaryOp::PreDec, inner) => ends_with(inner, token),
        ExprKind::Cast(cast) => ends_with(cast.operand, token),
        ExprKind::Binary(BinaryOp::Comma, _, right) => ends_with(right, token),
        ExprKind::Binary(BinaryOp::Assign, _, right) | ExprKind::CompoundAssign(_, _, right) => {
            right.holds(token)
        }
        _ => e.operand().map_or_else(|| e.holds(token), |inner| ends_with(inner, token)),
    }
}

impl<'tu> FnLower<'_, 'tu, '_> {
    /// The arguments of a call are about to be evaluated.
    pub(super) fn sequence_arguments(&mut self, written: &[Ex<'tu>]) {
        if self.cx.sequence.ordered_arguments {
            self.sequence_parts(written.iter().copied(), How::Argument);
        }
    }

    /// What a list sets is about to be evaluated.
    pub(super) fn sequence_items(&mut self, leaves: &[Leaf<'tu>]) {
        if self.cx.sequence.ordered_items {
            let values = leaves.iter().filter_map(|leaf| match leaf.value {
                LeafValue::Expr(e) => Some(e),
                _ => None,
            });
            self.sequence_parts(values, How::Item);
        }
    }

    fn sequence_parts(&mut self, parts: impl Iterator<Item = Ex<'tu>> + Clone, how: How) {
        let (ast, s) = (&self.cx.ast, &mut self.cx.sequence);
        let part = |token| {
            let begun = ast.begun_before(token)?;
            parts.clone().position(|p| p.holds(begun))
        };
        for found in &mut s.found {
            if let (Some(a), Some(b)) = (part(found.operator), found.other.and_then(part))
                && a != b
            {
                found.apart = Some(how);
            }
        }
    }

    /// `e` has modified its operand `left`.
    pub(super) fn modified(&mut self, e: Ex<'tu>, left: Ex<'tu>) {
        let ast = &self.cx.ast;
        let is_prefix = matches!(e.kind, ExprKind::Unary(UnaryOp::PreInc | UnaryOp::PreDec, _));
        let is_of_e = |f: &&Found| {
            let operator = match ast.begun_before(f.operator) {
                _ if is_prefix => ast.is_token(f.operator, e.start()),
                Some(begun) => ends_with(left, begun),
                None => false,
            };
            operator && is_variable(left, &f.name)
        };
        let Some(f) = self.cx.sequence.found.iter().find(is_of_e) else { return };
        let how = match (f.apart, f.twice) {
            (Some(how), _) => how,
            (None, true) => How::Twice,
            (None, false) => How::Used,
        };
        let name = how.func_name(&f.name);
        let func = self.cx.native(&name, Signature::default(), self.frame.device());
        self.enter(e);
        self.b.call(self.cx.module, func, &[]);
    }
}
