//! Graphs as text for Graphviz.

use super::{Body, GraphId, Node, find};
use crate::Kept;
use crate::call::Call;
use crate::queue::Work;
use crate::{Api, CudaError};
use cudair_engine::Args;
use cudair_engine::gate::{Access, Follow};
use cudair_engine::guest::Host;
use std::fmt::Write as _;

/// Every flag of `cudaGraphDebugDotFlags`.
const ALL_FLAGS: u32 = 0xffff;

/// `cudaGraphDebugDotPrint(graph, path, flags)`: nodes with their kind, kernels with their name and shape.
pub(crate) fn print(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let graph = find(h, a.ptr(0))?;
    if a.ptr(1).is_null() || a.u32(2) & !ALL_FLAGS != 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let path = h.string(a.ptr(1), None)?;
    let mut text = String::from("digraph dot {\n");
    describe(h, graph, &mut text);
    text.push_str("}\n");
    let path = h.reach(&path, Access::Write, Follow::Link)?;
    path.write(&text).map_err(|_| CudaError::OPERATING_SYSTEM.into())
}

fn describe(h: &Host<'_>, graph: GraphId, text: &mut String) {
    // A string takes whatever is written.
    let _ = writeln!(text, "subgraph cluster_{graph} {{\nlabel=\"graph_{graph}\"");
    for (n, node) in h.m.cuda.get().graphs.all[graph].live() {
        let label = label(h, node);
        let _ = writeln!(text, "\"graph_{graph}_node_{n}\" [shape=\"record\" label=\"{{{label}}}\"];");
        for edge in &node.after {
            let from = edge.from;
            let _ = writeln!(text, "\"graph_{graph}_node_{from}\" -> \"graph_{graph}_node_{n}\";");
        }
        node.body.graphs().iter().for_each(|&inner| describe(h, inner, text));
    }
    text.push_str("}\n");
}

fn label(h: &Host<'_>, node: &Node) -> String {
    let kind = node.kind.name();
    match &node.body {
        Body::Work(Work::Launch { launch, .. }) => {
            let ([gx, gy, gz], [bx, by, bz]) = (launch.grid, launch.block);
            let name: String =
                h.m.module.funcs[launch.kernel].display_name.chars().flat_map(escaped).collect();
            format!(
                "{kind} | {name}\\<\\<\\<({gx},{gy},{gz}),({bx},{by},{bz}),{}\\>\\>\\>",
                launch.dynamic_shared
            )
        }
        Body::Work(Work::Copy { extent, .. } | Work::Fill { extent, .. }) => {
            format!("{kind} | {} bytes", extent.bytes())
        }
        _ => kind.to_owned(),
    }
}

/// What is special in a record is escaped.
fn escaped(c: char) -> impl Iterator<Item = char> {
    let special = matches!(c, '<' | '>' | '{' | '}' | '|' | '"' | '\\');
    special.then_some('\\').into_iter().chain([c])
}
