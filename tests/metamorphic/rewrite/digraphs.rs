//! Digraphs, and in C++ the words for operators.

use super::{Place, Plan};
use crate::random::Random;
use crate::source::Source;
use crate::text::Edit;
use crate::token::Kind;

const DIGRAPHS: [(&str, &str); 6] =
    [("{", "<%"), ("}", "%>"), ("[", "<:"), ("]", ":>"), ("#", "%:"), ("##", "%:%:")];

const WORDS: [(&str, &str); 11] = [
    ("&&", "and"),
    ("||", "or"),
    ("!", "not"),
    ("&", "bitand"),
    ("|", "bitor"),
    ("^", "xor"),
    ("~", "compl"),
    ("!=", "not_eq"),
    ("&=", "and_eq"),
    ("|=", "or_eq"),
    ("^=", "xor_eq"),
];

/// One place for each bracket, `#` and operator that has another spelling.
pub fn plan(source: &Source, _random: &mut Random) -> Plan {
    let mut plan = Plan::default();
    for (index, token) in source.tokens.iter().enumerate() {
        let find = |table: &[(&str, &'static str)]| {
            table.iter().find(|(plain, _)| *plain == token.text).map(|(_, other)| *other)
        };
        let word = if source.is_c() { None } else { find(&WORDS) };
        let Some(other) = find(&DIGRAPHS).or(word).filter(|_| token.kind == Kind::Mark) else { continue };
        if source.spelled[index] {
            plan.except("a macro makes text of it");
            continue;
        }
        // Blanks keep it apart from what it would make another token with: `<` and `<:`, `:>` and `:`.
        let text = format!(" {other} ");
        plan.places.push(Place::new([Edit::replace(token.range.clone(), text)]));
    }
    plan
}

/// The usual spelling of a token.
pub fn plain_spelling(text: &str) -> &str {
    DIGRAPHS.iter().chain(&WORDS).find(|(_, other)| *other == text).map_or(text, |(plain, _)| plain)
}
