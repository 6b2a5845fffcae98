//! Statements behind macros.

use super::Plan;
use super::expressions::behind_macro;
use crate::random::Random;
use crate::source::{Node, Source};
use crate::token::Token;
use cudair_frontend::clang::CursorKind as K;
use std::ops::Range;

/// One place for each statement that is written in the file.
pub fn plan(source: &Source, random: &mut Random) -> Plan {
    let mut plan = Plan::default();
    let mut seen = std::collections::HashSet::new();
    for node in &source.nodes {
        let Some(tokens) = statement(source, node) else { continue };
        if seen.insert(tokens.clone())
            && let Some(place) = behind_macro(source, &tokens, "S", &mut plan, random)
        {
            plan.places.push(place);
        }
    }
    plan
}

/// The tokens of a node with its semicolon, if it is a statement.
pub fn statement(source: &Source, node: &Node) -> Option<Range<usize>> {
    // An expression is a statement in a list of them, or as all of a branch; in the head of a loop it is none.
    let before = tokens_before(source, node);
    let stands_alone = node.kind.is_expression()
        && match node.parent() {
            Some(K::CompoundStmt) => true,
            Some(K::IfStmt | K::ForStmt | K::WhileStmt | K::DoStmt | K::CXXForRangeStmt) => {
                before.is_some_and(|t| t.is(")") || t.is("else") || t.is("do"))
            }
            _ => false,
        };
    if !(node.kind.is_statement() || stands_alone) {
        return None;
    }
    let next = source.tokens.get(node.tokens.end);
    let more = usize::from(next.is_some_and(|t| t.is(";")));
    let last = &source.tokens[node.tokens.end - 1];
    let ends = last.is(";") || last.is("}") || last.is("%>");
    if ends {
        Some(node.tokens.clone())
    } else {
        (more > 0).then_some(node.tokens.start..node.tokens.end + 1)
    }
}

/// The token before a node's first.
fn tokens_before<'a>(source: &'a Source, node: &Node) -> Option<&'a Token> {
    source.tokens.get(node.tokens.start.checked_sub(1)?)
}
