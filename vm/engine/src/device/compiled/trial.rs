//! Kernels of which most would be done for one lane after the other. Whether their machine code is faster than the bytecode hangs on how
//! the lanes diverge, so it is measured: once the bytecode has taken long for such a kernel, one launch runs as machine code, for no
//! longer than the bytecode has taken so far, and the faster one is kept.

use super::{Form, Tier};
use cudair_ir::{FuncId, Module};
use cudair_jit::Refusal;
use std::time::{Duration, Instant};

/// Time that the bytecode has taken, from which a trial is worth it. Compilation takes up to a tenth of that.
const WORTH: Duration = Duration::from_millis(200);

/// What the bytecode has taken for a kernel so far, and whether machine code was tried.
#[derive(Clone, Copy, Default)]
pub(super) struct Trial {
    time: Duration,
    /// Threads and turns of loops.
    operations: u64,
    tried: bool,
}

impl Trial {
    /// The bytecode has run a launch, of so many threads and turns of loops.
    pub fn has_taken(&mut self, (time, operations): (Duration, u64)) {
        self.time += time;
        self.operations = self.operations.saturating_add(operations);
    }

    /// Whether a kernel that was not compiled for this reason is tried now.
    pub fn begins(&mut self, why: Refusal) -> bool {
        let begins = why.is_about_speed() && !self.tried && self.time >= WORTH;
        self.tried |= begins;
        begins
    }

    /// Whether the bytecode takes less for the same.
    fn is_faster_than(&self, (time, operations): (Duration, u64)) -> bool {
        self.time.as_secs_f64() * operations as f64 <= time.as_secs_f64() * self.operations as f64
    }
}

impl Tier {
    /// When a launch on trial ends that begins now.
    pub(super) fn until(&self, kernel: FuncId, now: Instant) -> Option<Instant> {
        self.fared.get(&kernel).and_then(|fared| now.checked_add(fared.trial.time))
    }

    /// A launch on trial has taken so long for so many threads and turns of loops: a form that is slower than the bytecode is dropped.
    pub(super) fn judge(&mut self, form: Form, taken: (Duration, u64), module: &Module) {
        let Some(fared) = self.fared.get(&form.0) else { return };
        if fared.trial.is_faster_than(taken) {
            self.drop_form(form, module);
        }
    }

    /// A form is left to the bytecode.
    pub(super) fn drop_form(&mut self, form: Form, module: &Module) {
        let name = &module.funcs[form.0].display_name;
        log::info!(target: "jit", "`{name}`: stays with the bytecode after a trial");
        self.kernels.insert(form, Err(Refusal("the bytecode is faster")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = WORTH;

    #[test]
    fn it_begins_once_and_only_where_speed_is_in_doubt() {
        let (slow, other) = (Refusal::ALONE, Refusal("it is too long"));
        let mut trial = Trial::default();
        assert!(!trial.begins(slow), "the bytecode has taken nothing yet");
        trial.has_taken((LONG / 2, 10));
        assert!(!trial.begins(slow), "it has not taken long");
        trial.has_taken((LONG / 2, 10));
        assert!(!trial.begins(other), "the kernel cannot be compiled");
        assert!(trial.begins(slow) && !trial.begins(slow), "once");
    }

    #[test]
    fn the_time_for_a_thread_decides() {
        let mut trial = Trial::default();
        trial.has_taken((Duration::from_millis(300), 3_000));
        trial.has_taken((Duration::from_millis(100), 1_000));
        let ms = Duration::from_millis;
        assert!(!trial.is_faster_than((ms(99), 1_000)));
        assert!(trial.is_faster_than((ms(101), 1_000)));
        assert!(!trial.is_faster_than((ms(500), 6_000)));
    }
}
