//! What threads may never come to, since not all threads of the block come to a barrier in front of them.

use super::summary::Summary;
use crate::analysis::barrier::is_of_block;
use crate::analysis::control::Node;
use cudair_ir::{Finding, Inst, Span};
use rustc_hash::FxHashSet;

/// The barriers to which not all threads of a block may come: block, and number in it.
#[derive(Default)]
pub struct Diverging(Vec<(Node, usize)>);

impl Diverging {
    /// Those that findings are about; all barriers, where one is about something else.
    pub(super) fn new(s: &Summary<'_>, found: &[Finding]) -> Diverging {
        if found.is_empty() {
            return Diverging(Vec::new());
        }
        let cx = s.cx;
        let mut all = Vec::new();
        for node in 0..cx.control.len() as u32 {
            let insts = cx.func.block_insts(cx.control.block(node)).iter().enumerate();
            let barriers = insts.filter(|&(_, &i)| is_of_block(&cx.func.insts[i]));
            all.extend(barriers.map(|(at, &inst)| (node, at, inst)));
        }
        let is_about = |f: &Finding, inst| {
            let loc = cx.func.locs[inst].expand();
            let place = loc.map(|loc| Span::new(&cx.module.source, loc, ""));
            matches!((&place, &f.primary), (Some(p), Some(q)) if p.place() == q.place())
        };
        let told = found.iter().all(|f| all.iter().any(|&(.., inst)| is_about(f, inst)));
        let here = |inst| !told || found.iter().any(|f| is_about(f, inst));
        Diverging(all.into_iter().filter(|&(.., inst)| here(inst)).map(|(node, at, _)| (node, at)).collect())
    }

    /// Adds barriers that were found otherwise: block, and instruction.
    pub(super) fn add(&mut self, more: &[(Node, Inst)], s: &Summary<'_>) {
        self.0.extend(more.iter().filter_map(|&(node, inst)| {
            let insts = s.cx.func.block_insts(s.cx.control.block(node));
            Some((node, insts.iter().position(|&i| i == inst)?))
        }));
    }

    /// Whether all threads come to each barrier.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one of them comes before an instruction: number `at` in its block.
    pub(super) fn come_before(&self, s: &Summary<'_>, block: Node, at: usize) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let mut before: FxHashSet<Node> = FxHashSet::default();
        let mut open = vec![block];
        while let Some(node) = open.pop() {
            let incoming = s.cx.control.incoming(node).iter().map(|e| e.0);
            open.extend(incoming.filter(|&from| before.insert(from)));
        }
        self.0.iter().any(|&(node, n)| before.contains(&node) || node == block && n < at)
    }
}
