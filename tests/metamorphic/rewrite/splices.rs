//! Line splices between and inside tokens.

use super::{Place, Plan};
use crate::random::Random;
use crate::source::Source;
use crate::text::Edit;
use crate::token::Kind;

/// One place for each token: inside it where it has two characters, or before it.
pub fn plan(source: &Source, random: &mut Random) -> Plan {
    let mut plan = Plan::default();
    for token in &source.tokens {
        if source.tells_lines {
            plan.except("the program asks for its lines");
            continue;
        }
        let text = &source.plain[token.range.clone()];
        let inner: Vec<usize> = text.char_indices().map(|(at, _)| at).skip(1).collect();
        let inside = token.kind != Kind::Raw && !inner.is_empty() && random.chance(70);
        let at = if inside { *random.pick(&inner) } else { 0 };
        plan.places.push(Place::new([Edit::insert(token.range.start + at, "\\\n")]));
    }
    plan
}
