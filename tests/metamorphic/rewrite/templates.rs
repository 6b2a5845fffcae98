//! Bodies in a template: a function becomes a template whose argument has a default.

use super::namespaces::{declaration, is_looked_up, prints_what_is_in};
use super::{Place, Plan};
use crate::random::Random;
use crate::source::{Node, Source};
use crate::text::Edit;
use cudair_frontend::clang::CursorKind as K;
use std::collections::HashSet;

/// One place for each name of functions that the file defines: overloads go together, since overload resolution prefers
/// what is no template.
pub fn plan(source: &Source, random: &mut Random) -> Plan {
    let mut plan = Plan::default();
    if source.is_c() {
        return plan;
    }
    let is_function = |n: &Node| n.kind == K::FunctionDecl || n.kind == K::FunctionTemplate;
    // A specialisation of a template is no function that could become one.
    let is_plain =
        |n: &Node| n.kind == K::FunctionDecl && !source.tokens[declaration(source, n).start].is("template");
    let has_body = |n: &Node| {
        let last = &source.tokens[declaration(source, n).end - 1];
        last.is("}") || last.is("%>")
    };
    let mut seen = HashSet::new();
    for node in source.nodes.iter().filter(|n| n.is_outermost && is_plain(n) && has_body(n)) {
        if !seen.insert(&node.name) || forbids_a_template(&node.name) {
            continue;
        }
        let all: Vec<&Node> = source.nodes.iter().filter(|n| is_function(n) && n.name == node.name).collect();
        let plain: Vec<&Node> = all.iter().copied().filter(|n| is_plain(n)).collect();
        let says_extern = |n: &&Node| source.tokens[declaration(source, n)].iter().any(|t| t.is("extern"));
        let is_named = |n: &&Node| {
            let tokens = declaration(source, n);
            prints_what_is_in(source, &tokens) || is_looked_up(source, n, &tokens)
        };
        if all.iter().any(|n| !n.is_outermost) {
            plan.except("declared in a class or a function as well");
        } else if source.is_one_of_many || plain.iter().any(says_extern) {
            plan.except("a name that the linker knows");
        } else if plain.iter().any(is_named) {
            plan.except("the program prints its name, or looks it up by its name");
        } else if plain.iter().any(|n| starts_or_ends(source, n)) {
            plan.except("an attribute has it run before or after the program");
        } else if !plain.iter().all(|n| source.is_whole_with_directives(&declaration(source, n))) {
            plan.except("a directive that is not its own");
        } else {
            let tag = source.name("G", "tag");
            let parameter = if all.len() > plain.len() || random.chance(30) {
                // No argument that a call names fits it, so that `f<int>(x)` finds what it found.
                (format!("{tag}* = nullptr"), format!("{tag}*"))
            } else if random.chance(50) {
                ("int = 0".to_owned(), "int".to_owned())
            } else {
                ("class = void".to_owned(), "class".to_owned())
            };
            // The first declaration of each function has the default.
            let mut known = HashSet::new();
            let mut edits: Vec<Edit> = plain
                .iter()
                .map(|n| {
                    let at = source.tokens[declaration(source, n).start].range.start;
                    let parameter = if known.insert(&n.usr) { &parameter.0 } else { &parameter.1 };
                    Edit::insert(at, format!("template <{parameter}> "))
                })
                .collect();
            if !source.referenced.contains(&node.name) && known.len() == 1 && all.len() == plain.len() {
                // A template that nothing names has no body; its address has it.
                let end = declaration(source, plain[plain.len() - 1]).end;
                let using = format!(
                    " [[maybe_unused]] static auto* const {} = {}<>;",
                    source.name("U", &node.name),
                    node.name
                );
                edits.push(Edit::insert(source.tokens[end - 1].range.end, using));
            }
            plan.places.push(Place::new(edits).with_line(format!("struct {tag};")));
        }
    }
    plan
}

/// Whether an attribute, or the macro of one, has a function run before `main` or at the end of the program: instances of
/// templates run behind all others.
fn starts_or_ends(source: &Source, function: &Node) -> bool {
    source.tokens[declaration(source, function)].iter().take_while(|t| !t.is("{")).any(|t| {
        let word = t.text.to_ascii_lowercase();
        word.contains("constructor") || word.contains("destructor")
    })
}

/// Main may be no template, nor may literal operators and the plain forms of `operator new` and `operator delete`: these
/// are no places.
fn forbids_a_template(name: &str) -> bool {
    let operator = name.strip_prefix("operator").map_or("", str::trim_start);
    name == "main" || ["\"\"", "new", "delete"].iter().any(|special| operator.starts_with(special))
}
