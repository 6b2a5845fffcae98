//! Expressions behind macros: the expression is what a macro is defined as, or the argument of one that gives it back.

use super::{Place, Plan};
use crate::random::Random;
use crate::source::Source;
use crate::text::Edit;
use crate::token::Kind;
use cudair_frontend::clang::CursorKind;

/// One place for each expression that is written in the file.
pub fn plan(source: &Source, random: &mut Random) -> Plan {
    let mut plan = Plan::default();
    let mut seen = std::collections::HashSet::new();
    for node in source.nodes.iter().filter(|n| n.kind.is_expression() && n.kind != CursorKind::LambdaExpr) {
        // An overloaded operator's name is a bracket or a sign.
        let is_operator = [CursorKind::DeclRefExpr, CursorKind::UnexposedExpr].contains(&node.kind)
            && node.tokens.len() <= 2
            && source.tokens[node.tokens.start].kind == Kind::Mark;
        if !seen.insert(node.range.clone()) || is_operator {
            continue;
        }
        if let Some(place) = behind_macro(source, &node.tokens, "E", &mut plan, random) {
            plan.places.push(place);
        }
    }
    plan
}

/// Puts a run of tokens behind a macro; counts why not.
pub fn behind_macro(
    source: &Source,
    tokens: &std::ops::Range<usize>,
    letter: &str,
    plan: &mut Plan,
    random: &mut Random,
) -> Option<Place> {
    if source.has_directive(tokens) {
        plan.except("a directive inside");
        return None;
    }
    if !source.is_whole(tokens) {
        plan.except("brackets that are not its own");
        return None;
    }
    if source.spelled[tokens.start] {
        plan.except("a macro makes text of it");
        return None;
    }
    if source.tells_lines && source.is_multiline(tokens) {
        plan.except("the program asks for its lines");
        return None;
    }
    let all = &source.tokens[tokens.clone()];
    if all.iter().any(|t| t.kind == Kind::Raw && t.text.contains('\n')) {
        plan.except("a raw string of more lines");
        return None;
    }
    let range = source.bytes(tokens);
    // What stands before may be a name: a blank keeps the macro's apart.
    if random.chance(40) {
        let name = source.name(letter, "same");
        let line = format!("#define {name}(...) __VA_ARGS__");
        return Some(Place::new(Edit::around(range, &format!(" {name}("), ")")).with_line(line));
    }
    let name = source.name(letter, format_args!("{}_{}", range.start, range.end));
    let line = format!("#define {name} {}", source.line(tokens));
    Some(Place::new([Edit::replace(range.clone(), format!(" {name} "))]).with_line_for(line, range))
}
