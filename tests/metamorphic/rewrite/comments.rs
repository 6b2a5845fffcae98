//! Comments full of keywords and brackets between any two tokens.

use super::{Place, Plan};
use crate::random::Random;
use crate::source::Source;
use crate::text::Edit;
use crate::token::Kind;

/// What the comments say.
const SAYINGS: [&str; 22] = [
    "else",
    "} else {",
    "if constexpr (false)",
    "(",
    ")",
    "]] [[",
    "<<< 1, 2 >>>",
    "<< <1, 2>> >(",
    ">",
    "; ; ;",
    "new int[4]",
    "delete[] p",
    "for (;;)",
    "\"",
    "' \\",
    "// {",
    "R\"(",
    "::operator new(8) ()",
    "#define else",
    ", [=, this] { return 1; }",
    "case 1: default: break",
    "__CUDA_ARCH__ auto& = decltype(0)",
];

/// One place between each two tokens.
pub fn plan(source: &Source, random: &mut Random) -> Plan {
    let mut plan = Plan::default();
    let tokens = &source.tokens;
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| &tokens[before]);
        let in_directive =
            token.directive.is_some() && before.is_some_and(|b| b.directive == token.directive);
        if source.spelled[index] && index > 0 && source.spelled[index - 1] && token.adjoins {
            // Where there is a blank a comment adds none.
            plan.except("a macro makes text of it");
        } else if token.kind == Kind::Header
            || (in_directive && before.is_some_and(|b| b.is("include") || b.is("__has_include")))
        {
            plan.except("a header's name");
        } else if in_directive
            && token.is("(")
            && token.adjoins
            && before.is_some_and(|b| b.kind == Kind::Name)
        {
            // A blank here makes another macro of it, and `defined` and kin are rare.
            plan.except("the parameters of a macro");
        } else {
            let saying = random.pick(&SAYINGS);
            let lines = token.directive.is_none() && !source.tells_lines;
            let comment = match random.below(6) {
                0 if lines => format!(" // {}\n", saying.trim_end_matches('\\')),
                1 if lines => format!(" /* {saying}\n{saying} */ "),
                _ => format!(" /* {saying} */ "),
            };
            plan.places.push(Place::new([Edit::insert(token.range.start, comment)]));
        }
    }
    plan
}
