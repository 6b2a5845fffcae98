//! Phases: behind which barriers loads and writes may happen.

use super::{FactList, FuncView, Subject, pointers};
use crate::registry::Analysis;
use cudair_ir::InstData;
use serde_json::json;

/// Shows the barriers that reach each load and each write, by number in the order of blocks; 0 is the function's start.
/// Two accesses may happen between the same barriers where these sets meet.
#[derive(Clone, Copy, Debug)]
pub struct Barriers;

impl Analysis for Barriers {
    fn name(&self) -> &'static str {
        "phase"
    }

    fn facts(&self, view: &FuncView<'_>, out: &mut FactList) {
        let memory = view.memory;
        if !memory.has_barrier {
            return;
        }
        let numbers = |set: u64| (0..64).filter(|n| set >> n & 1 == 1).collect::<Vec<u32>>();
        let behind = |set: u64| {
            let words = numbers(set).into_iter().map(|n| match n {
                0 => "the start".to_owned(),
                63 => "barrier 63 or a later one".to_owned(),
                n => format!("barrier {n}"),
            });
            words.collect::<Vec<_>>().join(", ")
        };
        for inst in view.insts() {
            let at = Subject::Inst(inst);
            if let Some(n) = memory.barrier_number(inst) {
                out.add_data(at, format!("is barrier {n}"), json!({ "barrier": n }));
            }
            if let InstData::Load { .. } = view.func().insts[inst]
                && let Some(set) = memory.starts_of_load(inst)
            {
                out.add_data(at, format!("behind {}", behind(set)), json!({ "behind": numbers(set) }));
            }
            for w in memory.writes.iter().filter(|w| w.inst == inst) {
                let place = pointers::in_words(view.cx.module, w.place);
                let data = json!({ "writes": place, "behind": numbers(w.starts) });
                out.add_data(at, format!("writes {place} behind {}", behind(w.starts)), data);
            }
        }
    }
}
