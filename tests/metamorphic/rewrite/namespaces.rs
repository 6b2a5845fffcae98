//! Bodies in a namespace: what stands between two directives goes into one inline namespace.

use super::{Place, Plan};
use crate::random::Random;
use crate::source::{Node, Source};
use crate::text::Edit;
use crate::token::Kind;
use cudair_frontend::clang::CursorKind as K;
use std::collections::BTreeMap;
use std::ops::Range;

/// What a declaration's way into the namespace changes, or why it has none.
type Declared = Result<Vec<Edit>, &'static str>;

/// One place for each name at the file's level: all declarations of it go together, or calls would find the one that has no
/// definition.
pub fn plan(source: &Source, _random: &mut Random) -> Plan {
    let mut plan = Plan::default();
    if source.is_c() {
        return plan;
    }
    let open = format!("inline namespace {} {{ ", source.name("N", "inline"));
    // By name: what goes there, or why it may not, by declaration. Without a name each is for itself.
    let mut names: BTreeMap<(&str, usize), Vec<Declared>> = BTreeMap::new();
    for (node, tokens) in declarations(source) {
        let own = if node.name.is_empty() { node.range.start } else { 0 };
        let declared = match exception(source, node, &tokens) {
            Some(why) => Err(why),
            None if node.kind == K::FunctionDecl && node.name == "main" => body_of_main(source, node, &open)
                .ok_or("a main that prints its name, or whose parameters have none"),
            None => Ok(Edit::around(source.bytes(&tokens), &open, " }").into()),
        };
        names.entry((&node.name, own)).or_default().push(declared);
    }
    for declarations in names.into_values() {
        let exceptions: Vec<&'static str> =
            declarations.iter().filter_map(|d| d.as_ref().err().copied()).collect();
        if exceptions.is_empty() {
            plan.places.push(Place::new(declarations.into_iter().flatten().flatten()));
        }
        for why in exceptions {
            plan.except(why);
        }
    }
    plan
}

/// Why a declaration must stay where it is.
fn exception(source: &Source, node: &Node, tokens: &Range<usize>) -> Option<&'static str> {
    let says = |words: &[&str]| source.tokens[tokens.clone()].iter().any(|t| words.iter().any(|w| t.is(w)));
    if !source.is_whole_with_directives(tokens) {
        Some("a directive that is not its own")
    } else if node.kind == K::LinkageSpec || (node.kind == K::Namespace && node.name == "std") {
        Some("a linkage, or the library's own namespace")
    } else if source.is_one_of_many {
        Some("another file may name it")
    } else if prints_what_is_in(source, tokens) || is_looked_up(source, node, tokens) {
        Some("the program prints its name, or looks it up by its name")
    } else if says(&["extern"]) {
        Some("a name that the linker knows")
    } else if is_declared_in_a_block(source, &node.name) {
        Some("a block declares it, and means the namespace around the block")
    } else {
        None
    }
}

/// Main itself must stay outside: its body goes into a function that it calls.
fn body_of_main(source: &Source, main: &Node, open: &str) -> Option<Vec<Edit>> {
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
    Some(vec![
        Edit::insert(source.tokens[main.tokens.start].range.start, open),
        Edit::replace(source.tokens[own].range.clone(), renamed),
        // Main alone returns 0 where it ends.
        Edit::insert(source.tokens[end].range.start, " return 0; "),
        Edit::insert(source.tokens[end].range.end, call),
    ])
}

/// The declarations at the file's level, each with its tokens. A declarator of the declaration before is none of its own.
pub fn declarations(source: &Source) -> impl Iterator<Item = (&Node, Range<usize>)> {
    let mut ended = 0;
    source.nodes.iter().filter(|n| n.is_outermost).filter_map(move |node| {
        let tokens = declaration(source, node);
        let is_new = tokens.end > ended;
        ended = ended.max(tokens.end);
        is_new.then_some((node, tokens))
    })
}

/// The tokens of a declaration with its semicolon, and what stands before it that the tree leaves out.
pub fn declaration(source: &Source, node: &Node) -> Range<usize> {
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

/// Whether the program prints names, and something in this declaration has one that it may print: a type, a closure, or
/// a function that prints how it is declared.
pub fn prints_what_is_in(source: &Source, tokens: &Range<usize>) -> bool {
    let types = [
        K::StructDecl,
        K::ClassDecl,
        K::UnionDecl,
        K::EnumDecl,
        K::ClassTemplate,
        K::ClassTemplatePartialSpecialization,
        K::LambdaExpr,
    ];
    let is_inside = |n: &Node| tokens.start <= n.tokens.start && n.tokens.end <= tokens.end;
    let asks = source.mentions(&["typeid", "type_info"])
        && source.mentions(&["name", "raw_name", "before", "hash_code", "type_index"]);
    let prints = asks || source.mentions(&["__PRETTY_FUNCTION__"]);
    source.mentions(&["__asm__"])
        || source.tokens[tokens.clone()].iter().any(|t| t.is("__PRETTY_FUNCTION__"))
        || prints && source.nodes.iter().any(|n| types.contains(&n.kind) && is_inside(n))
}

/// Whether the program finds this kernel or variable of the device by its name, or prints the names of kernels.
pub fn is_looked_up(source: &Source, node: &Node, tokens: &Range<usize>) -> bool {
    let finds = ["cuModuleGetFunction", "cuModuleGetGlobal", "cuLibraryGetKernel", "cuLibraryGetGlobal"];
    let prints = ["cuKernelGetName", "cudaFuncGetName", "cuFuncGetName"];
    // A string may have the name in it, or be what a macro makes of the name.
    let is_spelled = || {
        source.tokens.iter().enumerate().any(|(i, t)| {
            let is_text = matches!(t.kind, Kind::Text | Kind::Raw) && t.text.contains(&node.name);
            is_text || source.spelled[i] && t.text == node.name
        })
    };
    !is_of_the_host(source, node, tokens)
        && (source.mentions(&prints) || source.mentions(&finds) && is_spelled())
}

/// Whether a declaration within a function names this as `extern`: it means a member of the namespace around that function.
fn is_declared_in_a_block(source: &Source, name: &str) -> bool {
    let declares = |n: &&Node| {
        !n.is_outermost
            && [K::VarDecl, K::FunctionDecl].contains(&n.kind)
            && n.parents.contains(&K::CompoundStmt)
    };
    !name.is_empty()
        && source.nodes.iter().filter(declares).any(|n| {
            n.name == name && (n.kind == K::FunctionDecl || source.tokens[n.tokens.start].is("extern"))
        })
}

/// Whether this is a function for the host alone: none looks one up by its name.
fn is_of_the_host(source: &Source, node: &Node, tokens: &Range<usize>) -> bool {
    let words = ["__global__", "__device__", "__constant__", "__managed__"];
    node.kind == K::FunctionDecl
        && !source.tokens[tokens.clone()].iter().any(|t| words.contains(&t.text.as_str()))
}
