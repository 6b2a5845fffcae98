//! Whether the value of an expression may stand for its tree.
//!
//! libclang's evaluator answers for the value alone: `(f(), 9)` is 9, whatever `f` does. What it leaves out are operands
//! whose value is not needed, so that these are looked at here.

use crate::clang::{Cursor, CursorKind, Evaluated, TypeKind};

/// The value of an expression that has no effect but this value; `None` where it is not constant or does more. Only
/// for expressions of arithmetic type: libclang crashes on initialiser lists.
pub(crate) fn value_without_effects(e: Cursor<'_>) -> Option<Evaluated> {
    e.evaluate().filter(|_| has_no_effects(e))
}

/// Whether an expression that evaluates to a constant has no effect but this value.
pub(crate) fn has_no_effects(e: Cursor<'_>) -> bool {
    is_pure(e, true)
}

/// `needed`: whether the value takes part in the value of the whole, so that the evaluator has answered for it.
fn is_pure(e: Cursor<'_>, needed: bool) -> bool {
    match e.kind() {
        CursorKind::IntegerLiteral
        | CursorKind::FloatingLiteral
        | CursorKind::CharacterLiteral
        | CursorKind::StringLiteral
        | CursorKind::CXXBoolLiteralExpr
        | CursorKind::CXXNullPtrLiteralExpr
        | CursorKind::GNUNullExpr
        | CursorKind::DeclRefExpr
        | CursorKind::CXXThisExpr
        // Their operands are not evaluated, and a closure does not run by being made.
        | CursorKind::UnaryExpr
        | CursorKind::SizeOfPackExpr
        | CursorKind::ConceptSpecializationExpr
        | CursorKind::RequiresExpr
        | CursorKind::LambdaExpr => true,
        CursorKind::CXXNewExpr
        | CursorKind::CXXDeleteExpr
        | CursorKind::CXXThrowExpr
        | CursorKind::CompoundAssignOperator
        | CursorKind::StmtExpr => false,
        CursorKind::CallExpr => {
            // Of a call whose value is needed the evaluator has run the function, which it does for `constexpr` ones.
            (needed || is_arithmetic(e) && e.evaluate().is_some()) && all(e, true)
        }
        CursorKind::UnaryOperator => {
            !matches!(
                e.unary_operator(),
                clang_sys::CXUnaryOperator_PreInc
                    | clang_sys::CXUnaryOperator_PreDec
                    | clang_sys::CXUnaryOperator_PostInc
                    | clang_sys::CXUnaryOperator_PostDec
            ) && all(e, needed)
        }
        CursorKind::BinaryOperator => match (e.binary_operator(), e.expressions().as_slice()) {
            (clang_sys::CXBinaryOperator_Assign, _) => false,
            (clang_sys::CXBinaryOperator_Comma, [left, right]) => is_pure(*left, false) && is_pure(*right, needed),
            (operator @ (clang_sys::CXBinaryOperator_LAnd | clang_sys::CXBinaryOperator_LOr), [left, right]) => {
                // The right operand runs unless the left one has decided.
                let decides = i128::from(operator == clang_sys::CXBinaryOperator_LOr);
                match truth(*left) {
                    Some(value) => is_pure(*left, true) && (value == (decides != 0) || is_pure(*right, needed)),
                    None => is_pure(*left, false) && is_pure(*right, false),
                }
            }
            _ => all(e, needed),
        },
        CursorKind::ConditionalOperator => match e.expressions().as_slice() {
            [condition, yes, no] => match truth(*condition) {
                Some(value) => is_pure(*condition, true) && is_pure(if value { *yes } else { *no }, needed),
                None => is_pure(*condition, false) && is_pure(*yes, false) && is_pure(*no, false),
            },
            _ => false,
        },
        // The object in front of a static member is evaluated, and its value is not needed.
        CursorKind::MemberRefExpr if e.referenced().is_some_and(is_of_class) => all(e, false),
        // An operation on an atomic object is a node of unknown kind.
        CursorKind::UnexposedExpr if !needed && e.expressions().len() > 1 => false,
        _ => all(e, needed),
    }
}

/// Whether a member belongs to its class as a whole: a static one, or an enumerator.
fn is_of_class(member: Cursor<'_>) -> bool {
    matches!(member.kind(), CursorKind::VarDecl | CursorKind::EnumConstantDecl) || member.is_static_method()
}

fn all(e: Cursor<'_>, needed: bool) -> bool {
    e.expressions().into_iter().all(|c| is_pure(c, needed))
}

fn is_arithmetic(e: Cursor<'_>) -> bool {
    let kind = e.ty().canonical().kind();
    (TypeKind::Bool.0..=TypeKind::LongDouble.0).contains(&kind.0) || kind == TypeKind::Enum
}

fn truth(e: Cursor<'_>) -> Option<bool> {
    if !is_arithmetic(e) {
        return None;
    }
    Some(match e.evaluate()? {
        Evaluated::Int(v) => v != 0,
        Evaluated::Float(v) => v != 0.0,
    })
}
