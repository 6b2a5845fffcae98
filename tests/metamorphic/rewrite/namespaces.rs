//! Bodies in a namespace: what stands between two directives goes into one inline namespace.

use super::{Place, Plan};
use crate::random::Random;
use crate::source::{Node, Source};
use crate::text::Edit;
use cudair_frontend::clang::CursorKind as K;

/// One place for each declaration at the file's level.
pub fn plan(source: &Source, _random: &mut Random) -> Plan {
    let mut plan = Plan::default();
    if source.is_c() {
        return plan;
    }
    let name = source.name("N", "inline");
    for node in source.nodes.iter().filter(|n| n.is_outermost) {
        let tokens = declaration(source, node);
        if !source.is_whole_with_directives(&tokens) {
            plan.except("a directive that is not its own");
        } else if node.kind == K::Namespace || node.kind == K::LinkageSpec {
            plan.except("a namespace or a linkage of its own");
        } else if source.is_one_of_many {
            plan.except("another file may name it");
        } else if names(source) {
            plan.except("the program prints names, or looks a kernel up by its name");
        } else if source.tokens[node.tokens.clone()].iter().any(|t| t.is("extern")) {
            plan.except("a name that the linker knows");
        } else {
            let range = source.bytes(&tokens);
            let open = format!("inline namespace {name} {{ ");
            if node.kind == K::FunctionDecl && node.name == "main" {
                match body_of_main(source, node, &open) {
                    Some(place) => plan.places.push(place),
                    None => plan.except("a main that prints its name, or whose parameters have none"),
                }
                continue;
            }
            plan.places.push(Place::new(Edit::around(range, &open, " }")));
        }
    }
    plan
}

/// Main itself must stay outside: its body goes into a function that it calls.
fn body_of_main(source: &Source, main: &Node, open: &str) -> Option<Place> {
    let own = (main.tokens.clone()).find(|i| source.tokens[*i].range.start == main.place)?;
    let close = source.pairs[own + 1]?;
    let parameters = &source.plain[source.bytes(&(own + 1..close + 1))];
    let names: Vec<&str> = source
        .nodes
        .iter()
        .filter(|n| n.kind == K::ParmDecl && n.tokens.start > own && n.tokens.end <= close)
        .map(|n| n.name.as_str())
        .collect();
    let commas = source.tokens[own..close].iter().filter(|t| t.is(",")).count();
    let count = if close - own <= 2 || source.tokens[own + 2].is("void") { 0 } else { commas + 1 };
    let prints = source.tokens[main.tokens.clone()].iter().any(|t| t.is("__func__") || t.is("__FUNCTION__"));
    if names.len() != count || names.contains(&"") || prints {
        return None;
    }
    let end = main.tokens.end - 1;
    let renamed = source.name("main", "body");
    let call = format!(" }} int main{parameters} {{ return {renamed}({}); }}", names.join(", "));
    Some(Place::new([
        Edit::insert(source.tokens[main.tokens.start].range.start, open),
        Edit::replace(source.tokens[own].range.clone(), renamed),
        // Main alone returns 0 where it ends.
        Edit::insert(source.tokens[end].range.start, " return 0; "),
        Edit::insert(source.tokens[end].range.end, call),
    ]))
}

/// The tokens of a declaration with its semicolon, and what stands before it that the tree leaves out.
pub fn declaration(source: &Source, node: &Node) -> std::ops::Range<usize> {
    let mut tokens = node.tokens.clone();
    // Several declarators are several nodes of one declaration, and attributes may stand first.
    let ends = |i: usize| {
        let t = &source.tokens[i];
        t.is(";") || t.is("}") || t.is("%>") || t.directive.is_some()
    };
    while tokens.start > 0 && !ends(tokens.start - 1) {
        tokens.start -= 1;
    }
    while !ends(tokens.end - 1) && source.tokens.get(tokens.end).is_some_and(|t| t.directive.is_none()) {
        // Brackets on the way are skipped as a whole.
        tokens.end = source.pairs[tokens.end].filter(|other| *other > tokens.end).unwrap_or(tokens.end) + 1;
    }
    if source.tokens.get(tokens.end).is_some_and(|t| t.is(";")) {
        tokens.end += 1;
    }
    tokens
}

/// Whether the program's output or meaning depends on names.
pub fn names(source: &Source) -> bool {
    source.mentions(&[
        "typeid",
        "type_info",
        "__PRETTY_FUNCTION__",
        "cuModuleGetFunction",
        "cuModuleGetGlobal",
        "cuLibraryGetKernel",
        "cuKernelGetName",
        "cudaFuncGetName",
        "cuFuncGetName",
        "__asm__",
    ])
}
