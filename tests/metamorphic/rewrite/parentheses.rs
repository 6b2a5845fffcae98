//! Extra parentheses around expressions.

use super::{Place, Plan};
use crate::random::Random;
use crate::source::{Node, Source};
use crate::text::Edit;
use crate::token::Kind;
use cudair_frontend::clang::CursorKind as K;

/// One place for each expression that is written in the file.
pub fn plan(source: &Source, _random: &mut Random) -> Plan {
    let mut plan = Plan::default();
    let mut seen = std::collections::HashSet::new();
    for node in source.nodes.iter().filter(|n| n.kind.is_expression()) {
        if not_one(source, node) || !seen.insert(node.range.clone()) {
            continue;
        }
        match exception(source, node) {
            Some(why) => plan.except(why),
            None => {
                plan.places.push(Place::new(Edit::around(node.range.clone(), "(", ")")));
            }
        }
    }
    plan
}

/// Nodes that the tree has for expressions and the grammar has not: a list in braces, an operator's own name, a
/// constructor's call that starts with the name of what it makes.
fn not_one(source: &Source, node: &Node) -> bool {
    let first = &source.tokens[node.tokens.start];
    let named_by = |kind: K| node.parent() == Some(kind);
    node.kind == K::InitListExpr
        || node.kind == K::PackExpansionExpr
        || node.kind == K::OverloadedDeclRef
        || (node.kind == K::DeclRefExpr || node.kind == K::MemberRefExpr) && first.kind == Kind::Mark && !first.is("::")
        // What a use of an operator refers to: its sign. The configuration of a launch.
        || (first.kind == Kind::Mark && node.tokens.len() == 1)
        || first.is("<<<")
        // What a call of `operator()` or `operator[]` refers to: its brackets.
        || (first.is("(") || first.is("[") || first.is("<:"))
            && [K::UnexposedExpr, K::DeclRefExpr].contains(&node.kind)
            && node.tokens.start.checked_sub(1).is_some_and(|i| {
                let before = &source.tokens[i];
                before.kind == Kind::Name || before.is(")") || before.is("]") || before.is(":>") || before.is(">")
            })
        || first.is("{")
        || first.is("<%")
        || (first.is(".") || first.is("=")) && node.kind == K::UnexposedExpr
        // `S s(1)`, `int a[3]`: the extent of what is hidden begins at the variable's name.
        || (named_by(K::VarDecl) || named_by(K::FieldDecl)) && node.range.start == node.parent_place
        || (named_by(K::Constructor) && node.kind == K::CallExpr)
        || (named_by(K::CXXNewExpr) && node.kind == K::CallExpr)
}

/// Why parentheses would mean something there.
fn exception(source: &Source, node: &Node) -> Option<&'static str> {
    let tokens = &node.tokens;
    if !source.is_whole(tokens) {
        return Some("brackets that are not its own");
    }
    if source.spelled[tokens.start] {
        return Some("a macro makes text of it");
    }
    let before = tokens.start.checked_sub(1).map(|i| &source.tokens[i]);
    // `decltype(x)` is not `decltype((x))`.
    if before.is_some_and(|t| t.is("("))
        && tokens.start >= 2
        && ["decltype", "__typeof__", "typeof", "__decltype"]
            .iter()
            .any(|w| source.tokens[tokens.start - 2].is(w))
        && source.pairs[tokens.start - 1] == Some(tokens.end)
    {
        return Some("the operand of decltype");
    }
    let is_name = matches!(node.kind, K::DeclRefExpr | K::MemberRefExpr)
        || source.tokens[tokens.clone()].iter().all(|t| t.kind == Kind::Name || t.is("::"));
    // `return x` may move an object of a class or leave its copy out, and `return (x)` tells decltype(auto) of a reference.
    let gives = before.is_some_and(|t| t.is("return") || t.is("throw") || t.is("co_return"));
    if is_name && gives && (!node.is_scalar || source.has_decltype_auto()) {
        return Some("the name that is returned");
    }
    if is_name && before.is_some_and(|t| t.is("=")) && source.has_decltype_auto() {
        return Some("the name that tells decltype(auto)");
    }
    // Parentheses keep a call from looking in the arguments' namespaces, and in macros.
    let called =
        source.tokens.get(tokens.end).is_some_and(|t| t.is("(") || t.is("<<<") || t.is("<") || t.is("{"));
    if is_name && called && looks_in_arguments(source, node) {
        return Some("the name of what is called");
    }
    // `&C::m` is a pointer to a member, `&(C::m)` is not.
    if before.is_some_and(|t| t.is("&") || t.is("bitand"))
        && source.tokens[tokens.clone()].iter().any(|t| t.is("::"))
    {
        return Some("the operand of & with a qualified name");
    }
    let is_text = source.tokens[tokens.clone()].iter().all(|t| matches!(t.kind, Kind::Text | Kind::Raw));
    // A string that became a pointer is an operand, and no initialiser of an array.
    let operand = [K::CallExpr, K::UnexposedExpr, K::BinaryOperator, K::ConditionalOperator, K::ReturnStmt];
    if is_text && !node.parent().is_some_and(|parent| operand.contains(&parent)) {
        return Some("a string that may be an initialiser or no expression");
    }
    None
}

/// Names of the C library and of CUDA that no other namespace has for other arguments.
const PLAIN: [&str; 12] = [
    "printf", "malloc", "free", "puts", "putchar", "strcmp", "strlen", "memcpy", "memset", "exit", "fprintf",
    "snprintf",
];

/// Whether the name of what is called may be found in a namespace of the arguments.
fn looks_in_arguments(source: &Source, node: &Node) -> bool {
    let tokens = &source.tokens[node.tokens.clone()];
    let member = [K::MemberRefExpr];
    let is_plain = |name: &str| {
        source.declared.contains(name) && !STANDARD.contains(&name)
            || PLAIN.contains(&name)
            || name.starts_with("cuda")
            || name.starts_with("__")
    };
    !(source.is_c()
        || node.is_found_plainly
        || member.contains(&node.kind)
        || tokens.iter().any(|t| t.is("::"))
        || tokens.first().is_some_and(|t| tokens.len() == 1 && is_plain(&t.text)))
}

/// Names that programs share with the C++ library.
const STANDARD: [&str; 16] = [
    "swap", "begin", "end", "move", "forward", "get", "size", "data", "min", "max", "abs", "find", "sort",
    "copy", "fill", "count",
];
