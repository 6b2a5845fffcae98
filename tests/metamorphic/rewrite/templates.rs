//! Bodies in a template: a function becomes a template whose argument has a default.

use super::namespaces::{declaration, names};
use super::{Place, Plan};
use crate::random::Random;
use crate::source::{Node, Source};
use crate::text::Edit;
use cudair_frontend::clang::CursorKind as K;

/// One place for each function that the file defines and calls.
pub fn plan(source: &Source, random: &mut Random) -> Plan {
    let mut plan = Plan::default();
    if source.is_c() {
        return plan;
    }
    let is_function = |kind: K| kind == K::FunctionDecl || kind == K::FunctionTemplate;
    for node in source.nodes.iter().filter(|n| n.kind == K::FunctionDecl && n.is_outermost) {
        let tokens = declaration(source, node);
        let all: Vec<&Node> =
            source.nodes.iter().filter(|n| is_function(n.kind) && n.name == node.name).collect();
        let has_body = |n: &Node| {
            let last = &source.tokens[declaration(source, n).end - 1];
            last.is("}") || last.is("%>")
        };
        let defined = all.iter().filter(|n| has_body(n)).count();
        let plain = all.iter().all(|n| n.is_outermost && n.kind == K::FunctionDecl);
        if node.name == "main" {
            // It is no place: no program may have it as a template.
        } else if !has_body(node) {
            // So is a declaration without a body, which goes with its definition.
        } else if defined > 1 || !plain || node.name.starts_with("operator") {
            plan.except("overloaded");
        } else if !source.referenced.contains(&node.name) {
            plan.except("never called");
        } else if source.is_one_of_many || source.tokens[tokens.clone()].iter().any(|t| t.is("extern")) {
            plan.except("a name that the linker knows");
        } else if names(source) {
            plan.except("the program prints names, or looks a kernel up by its name");
        } else if !source.is_whole_with_directives(&tokens) {
            plan.except("a directive that is not its own");
        } else {
            let parameter = *random.pick(&[("int = 0", "int"), ("class = void", "class")]);
            // The first declaration has the default.
            let heads = all.iter().enumerate().map(|(number, n)| {
                let at = source.tokens[declaration(source, n).start].range.start;
                let parameter = if number == 0 { parameter.0 } else { parameter.1 };
                Edit::insert(at, format!("template <{parameter}> "))
            });
            plan.places.push(Place::new(heads));
        }
    }
    plan
}
