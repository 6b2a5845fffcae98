//! Results of analyses as text beside the IR, for snapshots and for reading.

use super::uniformity::{RootContext, RootUniformity, Uniform, Why};
use cudair_ir::*;
use std::fmt::Write;

/// Every function below a root with each value's uniformity and its cause.
///
/// Levels are written `grid`, `block`, `warp` and `-` for divergent, followed by the parameters on which the
/// level depends.
pub fn uniformity(root: &RootContext<'_>, found: &RootUniformity) -> String {
    let mut out = String::new();
    let mut ids: Vec<FuncId> = root.graph.functions().collect();
    ids.reverse();
    for id in ids {
        let cx = root.cx(id);
        let Some(one) = found.funcs.get(&id) else { continue };
        let _ =
            writeln!(out, "{} {}: result {}", cx.func.side.name(), cx.func.display_name, show(one.result));
        for &block in &cx.func.layout {
            let Some(node) = cx.control.node(block) else { continue };
            let _ = writeln!(out, "{block}:");
            for &p in cx.func.block_params(block) {
                let _ = writeln!(out, "  {:<7} {p}{}", show(one.facts[p]), cause(one.causes[p]));
            }
            for &inst in cx.func.block_insts(block) {
                let text = print_inst(root.module, cx.func, inst);
                let (level, why) = match cx.func.inst_results(inst).first() {
                    Some(&v) => (show(one.facts[v]), cause(one.causes[v])),
                    None if cx.control.is_branch(node) && Some(inst) == cx.func.terminator(block) => {
                        (show(one.branches[node as usize]), String::new())
                    }
                    None => (String::new(), String::new()),
                };
                let _ = writeln!(out, "  {level:<7} {text}{why}");
            }
        }
    }
    out
}

fn show(fact: Uniform) -> String {
    let mut out = match fact.level {
        Uniformity::Divergent => "-",
        Uniformity::Warp => "warp",
        Uniformity::Block => "block",
        Uniformity::Grid => "grid",
    }
    .to_owned();
    let mut separator = '(';
    for n in (0..64).filter(|n| fact.params >> n & 1 == 1) {
        let _ = write!(out, "{separator}p{n}");
        separator = ' ';
    }
    if fact.params != 0 {
        out.push(')');
    }
    out
}

fn cause(why: Option<Why>) -> String {
    match why {
        None => String::new(),
        Some(Why::Source(_)) => "    ; its own".to_owned(),
        Some(Why::Operand(v)) => format!("    ; by {v}"),
        Some(Why::Load { write: Some(w), .. }) => format!("    ; may be written by {w}"),
        Some(Why::Load { write: None, .. }) => "    ; may be written".to_owned(),
        Some(Why::Join(b)) => format!("    ; chosen by the branch of {b}"),
        Some(Why::Temporal(b)) => format!("    ; cycle left apart by the branch of {b}"),
        Some(Why::Param(n)) => format!("    ; parameter {n}"),
        Some(Why::Return(_)) => "    ; the callee's result".to_owned(),
    }
}
