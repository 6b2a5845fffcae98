//! Whole declarations behind macros: all that a class or function has then stands in one place.

use super::Plan;
use super::expressions::behind_macro;
use super::namespaces::declarations;
use crate::random::Random;
use crate::source::Source;

/// One place for each declaration at the file's level.
pub fn plan(source: &Source, random: &mut Random) -> Plan {
    let mut plan = Plan::default();
    for (_, tokens) in declarations(source) {
        if let Some(place) = behind_macro(source, &tokens, "D", &mut plan, random) {
            plan.places.push(place);
        }
    }
    plan
}
