//! What the machine asks at a launch, answered by the analyses.

use cudair_ir::{FuncId, LaunchAnswer, LaunchOracle, LaunchShape, Module, RaceFacts};
use cudair_passes::analysis::{Asked, Prepared};
use cudair_passes::symbolic::race_facts;
use cudair_passes::transform::range::ranges;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The analyses behind the machine's question, with every answer kept.
#[derive(Debug, Default)]
pub struct Oracle {
    known: Mutex<Known>,
    /// Whether ranges of integers are wanted as well: the machine tests them, and has no other use for them.
    ranges: bool,
}

#[derive(Debug, Default)]
struct Known {
    prepared: FxHashMap<FuncId, Arc<Prepared>>,
    /// By what the analyses look at, and nothing else.
    answers: FxHashMap<(FuncId, Asked), Arc<LaunchAnswer>>,
}

impl Oracle {
    /// One for a machine that tests facts, or makes use of them.
    pub fn new(tests_facts: bool) -> Oracle {
        Oracle { ranges: tests_facts, ..Oracle::default() }
    }
}

impl Known {
    fn prepared(&mut self, module: &Module, kernel: FuncId) -> Arc<Prepared> {
        let prepared = self.prepared.entry(kernel);
        prepared.or_insert_with(|| Arc::new(Prepared::new(module, kernel))).clone()
    }
}

impl LaunchOracle for Oracle {
    fn at_launch(&self, module: &Module, kernel: FuncId, shape: &LaunchShape) -> Arc<LaunchAnswer> {
        // A poisoned table is still a table: an answer is inserted whole or not at all.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = Asked::of(shape);
        if let Some(answer) = known.answers.get(&(kernel, asked)) {
            return answer.clone();
        }
        let mut answer = known.prepared(module, kernel).at_launch(module, asked);
        if self.ranges {
            answer.facts.funcs.iter_mut().for_each(|(&id, facts)| facts.range = ranges(&module.funcs[id]));
        }
        let answer = Arc::new(answer);
        known.answers.insert((kernel, asked), answer.clone());
        answer
    }

    fn races(&self, module: &Module, kernel: FuncId, shape: &LaunchShape) -> RaceFacts {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let prepared = known.prepared(module, kernel);
        race_facts(&prepared, module, shape)
    }
}
