//! Loops, and the branches on which it depends whether a block is executed.

use super::{FactList, FuncView, Subject};
use crate::registry::Analysis;
use serde_json::json;

/// Shows the [control structure](crate::analysis::control).
#[derive(Clone, Copy, Debug)]
pub struct Control;

impl Analysis for Control {
    fn name(&self) -> &'static str {
        "control"
    }

    fn facts(&self, view: &FuncView<'_>, out: &mut FactList) {
        let control = view.cx.control;
        for &block in &view.func().layout {
            let at = Subject::Block(block);
            let Some(node) = control.node(block) else {
                out.add(at, "never reached");
                continue;
            };
            let loops: Vec<usize> = control.cycles_of(node).collect();
            let by: Vec<String> =
                control.controlling(node).into_iter().map(|n| control.block(n).to_string()).collect();
            let mut words = Vec::new();
            if let Some(c) = control.cycle_of_head(node) {
                words.push(format!("head of loop {c}"));
            } else if let Some(c) = loops.first() {
                words.push(format!("in loop {c}"));
            }
            if !by.is_empty() {
                words.push(format!("by the branches of {}", by.join(", ")));
            }
            if !words.is_empty() {
                let data = json!({ "loops": loops, "head_of": control.cycle_of_head(node), "branches": by });
                out.add_data(at, words.join(", "), data);
            }
        }
    }
}
