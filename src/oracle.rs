//! What the machine asks at a launch, answered by the analyses.

use cudair_ir::{FuncId, LaunchAnswer, LaunchOracle, LaunchShape, Module};
use cudair_passes::analysis::Prepared;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What of a shape the analyses look at: the block's extents, and which extents of the grid are 1.
type Key = (FuncId, [u32; 3], [bool; 3]);

/// The analyses behind the machine's question, with every answer kept.
#[derive(Debug, Default)]
pub struct Oracle {
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    prepared: FxHashMap<FuncId, Arc<Prepared>>,
    answers: FxHashMap<Key, Arc<LaunchAnswer>>,
}

impl LaunchOracle for Oracle {
    fn at_launch(&self, module: &Module, kernel: FuncId, shape: &LaunchShape) -> Arc<LaunchAnswer> {
        // A poisoned table is still a table: an answer is inserted whole or not at all.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (kernel, shape.block, shape.grid.map(|g| g == 1));
        if let Some(answer) = known.answers.get(&key) {
            return answer.clone();
        }
        let prepared =
            known.prepared.entry(kernel).or_insert_with(|| Arc::new(Prepared::new(module, kernel))).clone();
        let answer = Arc::new(prepared.at_launch(module, shape));
        known.answers.insert(key, answer.clone());
        answer
    }
}
