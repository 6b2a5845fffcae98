//! Bodies in a template: a function becomes a template whose argument has a default.

use super::namespaces::{declaration, names};
use super::{Place, Plan};
use crate::random::Random;
use crate::source::Source;
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
        let same = source.nodes.iter().filter(|n| is_function(n.kind) && n.name == node.name).count();
        let last = &source.tokens[tokens.end - 1];
        if node.name == "main" {
            // It is no place: no program may have it as a template.
        } else if !(last.is("}") || last.is("%>")) {
            // So is a declaration without a body, which goes with its definition.
        } else if same > 1 || node.name.starts_with("operator") {
            plan.except("overloaded, or declared before");
        } else if !source.referenced.contains(&node.name) {
            plan.except("never called");
        } else if source.is_one_of_many || source.tokens[tokens.clone()].iter().any(|t| t.is("extern")) {
            plan.except("a name that the linker knows");
        } else if names(source) {
            plan.except("the program prints names, or looks a kernel up by its name");
        } else if !source.is_whole_with_directives(&tokens) {
            plan.except("a directive that is not its own");
        } else {
            let parameter = if random.chance(50) { "int = 0" } else { "class = void" };
            let at = source.tokens[tokens.start].range.start;
            plan.places.push(Place::new([Edit::insert(at, format!("template <{parameter}> "))]));
        }
    }
    plan
}
