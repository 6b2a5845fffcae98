//! Control-flow graphs for Graphviz.

use crate::entities::*;
use crate::function::Function;
use crate::inst::InstData;
use crate::module::Module;
use crate::text::number::FuncNumbers;
use crate::text::{const_text, print_inst_with};
use std::fmt::{self, Write};

/// The graphs of the functions in `funcs` that have bodies, as one `digraph` with a cluster for each.
pub fn cfg_to_dot(module: &Module, funcs: impl IntoIterator<Item = FuncId>) -> String {
    let mut out = String::new();
    out.push_str(
        "digraph cfg {\n  node [shape=box, fontname=\"monospace\"];\n  edge [fontname=\"monospace\"];\n",
    );
    for f in funcs {
        let func = &module.funcs[f];
        if !func.is_declaration() {
            // Writing to a string cannot fail.
            let _ = cluster(&mut out, module, f, func);
        }
    }
    out.push_str("}\n");
    out
}

fn cluster(out: &mut String, module: &Module, id: FuncId, func: &Function) -> fmt::Result {
    writeln!(out, "  subgraph \"cluster_{id}\" {{")?;
    writeln!(out, "    label=\"{}\";", escape(&func.display_name))?;
    let numbers = FuncNumbers::new(func);
    let node = |b: Block| format!("\"{id}.{}\"", numbers.blocks[b].expand().unwrap_or(b));
    for (n, &block) in func.layout.iter().enumerate() {
        let mut label = format!("block{n}");
        let params = func.block_params(block);
        for (i, &v) in params.iter().enumerate() {
            let sep = if i == 0 { "(" } else { ", " };
            write!(label, "{sep}{}: {}", numbers.values[v].expand().unwrap_or(v), func.value_type(v))?;
        }
        label.push_str(if params.is_empty() { ":\\l" } else { "):\\l" });
        for &inst in func.block_insts(block) {
            let text = print_inst_with(module, func, &numbers, inst);
            for line in text.lines() {
                write!(label, "  {}\\l", escape(line))?;
            }
        }
        writeln!(out, "    {} [label=\"{label}\"];", node(block))?;
    }
    for &block in &func.layout {
        let Some(t) = func.terminator(block) else { continue };
        let mut names: Vec<String> = match &func.insts[t] {
            InstData::Branch { .. } => vec!["1".into(), "0".into()],
            InstData::Invoke { .. } | InstData::InvokeIndirect { .. } => vec![String::new(), "unwind".into()],
            InstData::Switch { arg, table } => {
                let ty = func.value_type(*arg);
                func.tables[*table].cases.iter().map(|c| const_text(ty, c.0)).collect()
            }
            _ => Vec::new(),
        };
        if matches!(func.insts[t], InstData::Switch { .. }) {
            names.push("default".into());
        }
        let mut names = names.into_iter();
        let mut edges = Vec::new();
        func.for_each_target(t, |c| edges.push(c.block));
        for to in edges {
            // A jump has one way, which needs no name.
            let name = names.next().unwrap_or_default();
            let label = if name.is_empty() { String::new() } else { format!(" [label=\"{name}\"]") };
            writeln!(out, "    {} -> {}{label};", node(block), node(to))?;
        }
    }
    out.push_str("  }\n");
    Ok(())
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
