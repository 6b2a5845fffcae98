//! Over which threads each value is the same, and why not over more.

use super::{FactList, FuncView, Subject};
use crate::analysis::uniformity::{Uniform, Why};
use crate::registry::Analysis;
use cudair_ir::Uniformity;
use serde_json::json;

/// Shows what the [analysis of uniformity](crate::analysis::uniformity) knows.
#[derive(Clone, Copy, Debug)]
pub struct Uniformities;

impl Analysis for Uniformities {
    fn name(&self) -> &'static str {
        "uniform"
    }

    fn facts(&self, view: &FuncView<'_>, out: &mut FactList) {
        let (func, known) = (view.func(), view.uniformity);
        for v in view.values() {
            add(out, Subject::Value(v), known.facts[v], known.causes[v]);
        }
        for node in 0..view.cx.control.len() as u32 {
            if view.cx.control.is_branch(node)
                && let Some(inst) = func.terminator(view.cx.control.block(node))
            {
                add(out, Subject::Inst(inst), known.branches[node as usize], None);
            }
        }
    }
}

fn add(out: &mut FactList, subject: Subject, fact: Uniform, why: Option<Why>) {
    let level = match fact.level {
        Uniformity::Divergent => "divergent",
        Uniformity::Warp => "warp",
        Uniformity::Block => "block",
        Uniformity::Grid => "grid",
    };
    let params: Vec<u32> = (0..64).filter(|n| fact.params >> n & 1 == 1).collect();
    let names: Vec<String> = params.iter().map(|n| format!("parameter {n}")).collect();
    let given = if names.is_empty() { String::new() } else { format!(" if {} are", names.join(", ")) };
    let cause = why.map(|w| cause(w, level));
    let by = cause.as_ref().map(|c| format!(" ({c})")).unwrap_or_default();
    let data = json!({ "level": level, "parameters": params, "cause": cause });
    out.add_data(subject, format!("{level}{given}{by}"), data);
}

fn cause(why: Why, level: &str) -> String {
    match why {
        Why::Source(_) if level == "divergent" => "each thread has its own".to_owned(),
        Why::Source(_) => format!("each {level} has its own"),
        Why::Operand(v) => format!("by {v}"),
        Why::Load { write: Some(w), .. } => format!("may be written by {w}"),
        Why::Load { write: None, .. } => "may be written".to_owned(),
        Why::Join(b) => format!("chosen by the branch of {b}"),
        Why::Temporal(b) => format!("loop left apart by the branch of {b}"),
        Why::Param(n) => format!("parameter {n}"),
        Why::Return(_) => "the callee's result".to_owned(),
    }
}
