//! Whole declarations behind macros: all that a class or function has then stands in one place.

use super::Plan;
use super::expressions::behind_macro;
use super::namespaces::declaration;
use crate::random::Random;
use crate::source::Source;

/// One place for each declaration at the file's level.
pub fn plan(source: &Source, random: &mut Random) -> Plan {
    let mut plan = Plan::default();
    let mut ended = 0;
    for node in source.nodes.iter().filter(|n| n.is_outermost) {
        let tokens = declaration(source, node);
        // A declarator of the declaration before is none of its own.
        if tokens.end <= ended {
            continue;
        }
        ended = tokens.end;
        if let Some(place) = behind_macro(source, &tokens, "D", &mut plan, random) {
            plan.places.push(place);
        }
    }
    plan
}
