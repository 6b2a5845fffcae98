//! Keywords behind macros.

use super::{Place, Plan};
use crate::random::Random;
use crate::source::Source;
use crate::text::Edit;
use crate::token::Kind;

/// The keywords of C and C++ but for names of types, which are another rewrite's.
const KEYWORDS: [&str; 56] = [
    "alignas",
    "alignof",
    "auto",
    "break",
    "case",
    "catch",
    "class",
    "concept",
    "const",
    "const_cast",
    "constexpr",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "extern",
    "false",
    "final",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "nullptr",
    "operator",
    "override",
    "private",
    "protected",
    "public",
    "reinterpret_cast",
    "requires",
    "return",
    "sizeof",
    "static",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "throw",
    "true",
    "try",
    "typeid",
    "typename",
    "using",
    "virtual",
    "while",
];

/// CUDA's own, which are macros as it is.
const CUDA: [&str; 5] = ["__global__", "__device__", "__host__", "__shared__", "__constant__"];

/// One place for each keyword; two in a row may become one macro.
pub fn plan(source: &Source, random: &mut Random) -> Plan {
    let mut plan = Plan::default();
    let is_keyword = |index: usize| {
        let Some(token) = source.tokens.get(index).filter(|t| t.kind == Kind::Name) else { return false };
        KEYWORDS.contains(&token.text.as_str()) || CUDA.contains(&token.text.as_str())
    };
    let mut index = 0;
    while index < source.tokens.len() {
        let token = &source.tokens[index];
        if !is_keyword(index) {
            index += 1;
            continue;
        }
        let mut end = index + 1;
        if token.directive.is_some() && !is_of_a_macro(source, index) {
            plan.except("a directive");
        } else if source.spelled[index] {
            plan.except("a macro makes text of it");
        } else {
            if is_keyword(end)
                && source.tokens[end].directive == token.directive
                && !source.spelled[end]
                && random.chance(50)
            {
                end += 1;
            }
            let words: Vec<&str> = source.tokens[index..end].iter().map(|t| t.text.as_str()).collect();
            let name = source.name("K", words.join("_"));
            let line = format!("#define {name} {}", words.join(" "));
            let edit = Edit::replace(source.bytes(&(index..end)), format!(" {name} "));
            plan.places.push(Place::new([edit]).with_line(line));
        }
        index = end;
    }
    plan
}

/// Whether a token of a directive stands in what a macro is defined as.
fn is_of_a_macro(source: &Source, index: usize) -> bool {
    let directive = source.tokens[index].directive;
    let start = source.tokens[..index].iter().rposition(|t| t.directive != directive).map_or(0, |i| i + 1);
    let Some(name) = (start + 2 < index).then(|| &source.tokens[start + 1]) else { return false };
    name.is("define")
}
