//! Types behind macros.

use super::{Place, Plan};
use crate::random::Random;
use crate::source::Source;
use crate::text::Edit;
use crate::token::Kind;
use cudair_frontend::clang::CursorKind;
use std::ops::Range;

/// The words that name types of the language.
const WORDS: [&str; 13] = [
    "unsigned", "signed", "long", "short", "int", "char", "float", "double", "bool", "void", "wchar_t",
    "char16_t", "char32_t",
];

/// One place for each type's name.
pub fn plan(source: &Source, _random: &mut Random) -> Plan {
    let mut plan = Plan::default();
    let mut runs = builtin_runs(source);
    let named = source.nodes.iter().filter(|n| n.kind == CursorKind::TypeRef && n.tokens.len() == 1);
    runs.extend(named.map(|n| n.tokens.clone()));
    for tokens in runs {
        let token = &source.tokens[tokens.start];
        if token.directive.is_some() {
            plan.except("a directive");
        } else if source.spelled[tokens.start] {
            plan.except("a macro makes text of it");
        } else {
            let words: Vec<&str> = source.tokens[tokens.clone()].iter().map(|t| t.text.as_str()).collect();
            let name = source.name("T", words.join("_"));
            let define = format!("#define {name} {}", words.join(" "));
            let edit = Edit::replace(source.bytes(&tokens), format!(" {name} "));
            plan.places.push(Place::new([edit]).with_line(define));
        }
    }
    plan
}

/// The runs of words that name a type of the language.
pub fn builtin_runs(source: &Source) -> Vec<Range<usize>> {
    let is_word = |index: usize| {
        let Some(token) = source.tokens.get(index).filter(|t| t.kind == Kind::Name) else { return false };
        WORDS.contains(&token.text.as_str()) && !(source.is_c() && token.text == "bool")
    };
    let mut runs = Vec::new();
    let mut index = 0;
    while index < source.tokens.len() {
        let start = index;
        while is_word(index) && source.tokens[index].directive == source.tokens[start].directive {
            index += 1;
        }
        if index > start {
            runs.push(start..index);
        } else {
            index += 1;
        }
    }
    runs
}
