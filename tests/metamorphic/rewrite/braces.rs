//! Extra braces around statements.

use super::statements::statement;
use super::{Place, Plan};
use crate::random::Random;
use crate::source::Source;
use crate::text::Edit;
use cudair_frontend::clang::CursorKind as K;

/// One place for each statement that declares nothing.
pub fn plan(source: &Source, _random: &mut Random) -> Plan {
    let mut plan = Plan::default();
    let mut seen = std::collections::HashSet::new();
    for node in &source.nodes {
        let Some(tokens) = statement(source, node) else { continue };
        if !seen.insert(tokens.clone()) {
            continue;
        }
        let within = [K::CompoundStmt, K::IfStmt, K::ForStmt, K::WhileStmt, K::DoStmt, K::CXXForRangeStmt];
        if !node.parent().is_some_and(|parent| within.contains(&parent)) || node.kind == K::DeclStmt {
            // A function's body, a handler's, a declaration: not one statement in a list of them.
            continue;
        }
        let before = &source.tokens[tokens.start - 1];
        if !source.is_whole(&tokens) {
            plan.except("a directive inside, or brackets that are not its own");
        } else if source.spelled[tokens.start] {
            plan.except("a macro makes text of it");
        } else if node.parents.contains(&K::StmtExpr) {
            plan.except("in a statement expression, whose value it may be");
        } else if before.directive.is_some() {
            plan.except("a pragma before it");
        } else if matches!(node.kind, K::CaseStmt | K::DefaultStmt | K::LabelStmt) {
            plan.except("a label");
        } else if node.parent() != Some(K::CompoundStmt) && before.is("(") {
            plan.except("the head of a loop");
        } else {
            plan.places.push(Place::new(Edit::around(source.bytes(&tokens), "{ ", " }")));
        }
    }
    plan
}
