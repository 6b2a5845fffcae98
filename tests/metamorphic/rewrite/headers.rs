//! Code moved to a header.

use super::namespaces::declaration;
use super::{Place, Plan};
use crate::random::Random;
use crate::source::Source;
use crate::text::Edit;
use std::ops::Range;

/// One place for each run of declarations between two directives.
pub fn plan(source: &Source, random: &mut Random) -> Plan {
    let mut plan = Plan::default();
    let mut run: Option<Range<usize>> = None;
    let close = |run: &mut Option<Range<usize>>, plan: &mut Plan| {
        let Some(tokens) = run.take() else { return };
        let name = format!("mm{}_part{}.h", source.stage, plan.places.len());
        let text = format!("\n#include \"{name}\"\n");
        let edit = Edit { header: Some(name), ..Edit::replace(source.bytes(&tokens), text) };
        plan.places.push(Place::new([edit]));
    };
    for node in source.nodes.iter().filter(|n| n.is_outermost) {
        let tokens = declaration(source, node);
        if run.as_ref().is_some_and(|run| run.end >= tokens.end) {
            // A declarator of the declaration before.
        } else if source.tells_lines || source.mentions(&["__FILE__"]) {
            plan.except("the program asks for its lines or its file");
        } else if !source.is_whole_with_directives(&tokens) {
            close(&mut run, &mut plan);
            plan.except("a directive inside");
        } else {
            match &mut run {
                Some(run) if run.end == tokens.start => run.end = tokens.end,
                _ => {
                    close(&mut run, &mut plan);
                    run = Some(tokens);
                }
            }
            if random.chance(30) {
                close(&mut run, &mut plan);
            }
        }
    }
    close(&mut run, &mut plan);
    plan
}
