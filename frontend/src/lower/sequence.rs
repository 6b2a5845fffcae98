//! Modifications that nothing orders with another use of the variable: `i = i++ + i`.
//!
//! The parser finds them, by the rules of the language's edition. Where such a modification runs, a call tells the
//! machine of it, which goes on in the order that this lowering chose.

use super::func::FnLower;
use crate::ast::{Ex, ExprKind, UnaryOp};
use crate::clang::RawPos;
use crate::parse::Unsequenced;
use crate::types::Located;
use cudair_ir::{Signature, Unsequenced as How};

/// What the parser found in a file.
#[derive(Debug, Default)]
pub(crate) struct Sequence {
    found: Vec<Unsequenced>,
    /// In this edition the arguments of a call are evaluated one after the other, in whichever order.
    ordered_arguments: bool,
    /// Those whose two places stand in two arguments of such a call.
    arguments: Vec<usize>,
}

impl Sequence {
    pub fn new(found: Vec<Unsequenced>, ordered_arguments: bool) -> Sequence {
        Sequence { found, ordered_arguments, arguments: Vec::new() }
    }
}

/// Whether a place lies within an expression.
fn within(e: Ex<'_>, at: RawPos) -> bool {
    let range = e.range();
    range.start.file == at.file && range.start.offset <= at.offset && at.offset < range.end.offset
}

/// Where an expression of a macro's body begins in the macro's definition.
fn spelled(e: Ex<'_>) -> RawPos {
    let range = e.range();
    range.spelling.map_or(range.start, |s| s.0)
}

/// The argument within which a place lies. Where a macro makes several, its definition tells them apart.
fn argument(written: &[Ex<'_>], at: RawPos, spelled_at: RawPos) -> Option<usize> {
    let found = written.iter().position(|&a| within(a, at))?;
    let is_before = |a: &Ex<'_>| {
        let start = spelled(a);
        within(a, at) && start.file == spelled_at.file && start.offset <= spelled_at.offset
    };
    let several = written[found + 1..].iter().any(|&a| within(a, at));
    if several { written.iter().rposition(is_before) } else { Some(found) }
}

/// Whether a modification in a macro's body is of the operator `e`: in the macro's definition expressions have starts, but
/// no ends that are known.
fn is_operator_in_macro(f: &Unsequenced, e: Ex<'_>, left: Ex<'_>, right: Option<Ex<'_>>) -> bool {
    let (at, whole, first) = (f.spelled, spelled(e), spelled(left));
    if at.file != whole.file || at.file != first.file {
        return true;
    }
    let in_place = if whole.offset < first.offset { at == whole } else { first.offset < at.offset };
    // What is an argument of the macro does not stand in its definition.
    let before = right.filter(|r| r.range().spelling.is_some()).map(spelled);
    in_place && before.is_none_or(|r| r.file != at.file || at.offset < r.offset) && modifies(left, &f.name)
}

/// Whether an operand that is modified may be the variable of this name. The parser follows variables and members of
/// `*this`.
fn modifies(operand: Ex<'_>, name: &str) -> bool {
    match operand.kind {
        ExprKind::Name(variable) => variable.decl.is_none_or(|d| d.spelling() == name),
        ExprKind::Member(member) => member.decl.is_none_or(|d| d.spelling() == name),
        ExprKind::Subscript { .. } | ExprKind::Unary(UnaryOp::Deref, _) => false,
        _ => operand.operand().is_none_or(|inner| modifies(inner, name)),
    }
}

impl<'tu> FnLower<'_, 'tu, '_> {
    /// The arguments of a call are about to be evaluated.
    pub(super) fn sequence_arguments(&mut self, written: &[Ex<'tu>]) {
        let s = &mut self.cx.sequence;
        if s.found.is_empty() || !s.ordered_arguments || written.len() < 2 {
            return;
        }
        for (n, found) in s.found.iter().enumerate() {
            let argument = |(at, inside)| argument(written, at, inside);
            if let (Some(a), Some(b)) = (argument((found.at, found.spelled)), found.other.and_then(argument))
                && a != b
                && !s.arguments.contains(&n)
            {
                s.arguments.push(n);
            }
        }
    }

    /// `e` has modified its operand `left`; its operator stands outside of its operands.
    pub(super) fn modified(&mut self, e: Ex<'tu>, left: Ex<'tu>, right: Option<Ex<'tu>>) {
        let s = &self.cx.sequence;
        // All of a macro's body stands where the macro is used.
        let (range, body) = (e.range(), left.range());
        let operator = |f: &Unsequenced| {
            let outside = !within(left, f.at) && !right.is_some_and(|r| within(r, f.at));
            let in_macro = range.spelling.is_some() && f.at == range.start && f.at == body.start;
            within(e, f.at) && if in_macro { is_operator_in_macro(f, e, left, right) } else { outside }
        };
        let Some(n) = s.found.iter().position(operator) else { return };
        let Unsequenced { twice, name, .. } = &s.found[n];
        let how = match (s.arguments.contains(&n), twice) {
            (true, _) => How::Argument,
            (false, true) => How::Twice,
            (false, false) => How::Used,
        };
        let name = how.func_name(name);
        let func = self.cx.native(&name, Signature::default(), self.frame.device());
        self.enter(e);
        self.b.call(self.cx.module, func, &[]);
    }
}
