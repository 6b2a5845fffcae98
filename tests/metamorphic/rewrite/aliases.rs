//! Aliases in place of types: a `typedef` or a `using` at the file's head for the language's own, and one behind its
//! definition for each class of the program.

use super::types::builtin_runs;
use super::{Place, Plan};
use crate::random::Random;
use crate::source::Source;
use crate::text::Edit;
use cudair_frontend::clang::CursorKind;

/// One place for each type's name.
pub fn plan(source: &Source, random: &mut Random) -> Plan {
    let mut plan = Plan::default();
    // It prints how a function was declared, and compilers differ in what they print of aliases.
    let prints = source.mentions(&["__PRETTY_FUNCTION__"]);
    for tokens in builtin_runs(source) {
        let words: Vec<&str> = source.tokens[tokens.clone()].iter().map(|t| t.text.as_str()).collect();
        let beside = |index: Option<usize>| {
            let Some(token) = index.and_then(|i| source.tokens.get(i)) else { return false };
            ["_Complex", "__int128", "__complex__"].contains(&token.text.as_str())
        };
        if source.tokens[tokens.start].directive.is_some() {
            plan.except("a directive");
        } else if source.spelled[tokens.start] {
            plan.except("a macro makes text of it");
        } else if prints {
            plan.except("the program prints how a function is declared");
        } else if beside(tokens.start.checked_sub(1)) || beside(Some(tokens.end)) {
            plan.except("a part of a type");
        } else if source.tokens.get(tokens.start.wrapping_sub(1)).is_some_and(|t| t.is("~")) {
            plan.except("a destructor's name");
        } else {
            let name = source.name("A", words.join("_"));
            let line = if source.is_c() || random.chance(50) {
                format!("typedef {} {name};", words.join(" "))
            } else {
                format!("using {name} = {};", words.join(" "))
            };
            let edit = Edit::replace(source.bytes(&tokens), format!(" {name} "));
            plan.places.push(Place::new([edit]).with_line(line));
        }
    }
    classes(source, prints, &mut plan);
    plan
}

/// The program's own classes, where they are named behind their definition.
fn classes(source: &Source, prints: bool, plan: &mut Plan) {
    if source.is_c() {
        return;
    }
    let kinds = [CursorKind::StructDecl, CursorKind::ClassDecl, CursorKind::UnionDecl, CursorKind::EnumDecl];
    for class in source.nodes.iter().filter(|n| n.is_outermost && kinds.contains(&n.kind)) {
        let end = class.tokens.end;
        let complete = source.tokens[end - 1].is("}") || source.tokens[end - 1].is("%>");
        if !complete || !source.tokens.get(end).is_some_and(|t| t.is(";")) {
            continue;
        }
        let Some(own) = (class.tokens.start..end).find(|i| source.tokens[*i].range.start == class.place)
        else {
            continue;
        };
        let name = source.tokens[own].text.clone();
        let names = [CursorKind::TypedefDecl, CursorKind::TypeAliasDecl];
        let is_type = |kind| kinds.contains(&kind) || names.contains(&kind);
        let is_hidden = source.nodes.iter().any(|n| !n.is_outermost && n.name == name && is_type(n.kind));
        let alias = source.name("C", &name);
        let declaration = Edit::insert(source.tokens[end].range.end, format!(" using {alias} = {name}; "));
        for used in source.nodes.iter().filter(|n| n.kind == CursorKind::TypeRef && n.tokens.start > end) {
            let token = &source.tokens[used.tokens.start];
            if used.tokens.len() != 1 || token.text != name {
                continue;
            }
            let before = &source.tokens[used.tokens.start - 1];
            let elaborated =
                ["struct", "class", "union", "enum", "::", "~", "friend"].iter().any(|w| before.is(w));
            if source.spelled[used.tokens.start] {
                plan.except("a macro makes text of it");
            } else if prints {
                plan.except("the program prints how a function is declared");
            } else if is_hidden {
                plan.except("a scope declares another type of that name");
            } else if elaborated {
                plan.except("a class key, a qualifier or a destructor before it");
            } else {
                let edit = Edit::replace(token.range.clone(), alias.clone());
                plan.places.push(Place::new([declaration.clone(), edit]));
            }
        }
    }
}
