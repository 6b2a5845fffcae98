//! What the solver may spend, so that a `check` ends in time whatever the kernels and however many launches the host has
//! of them. Units are the solver's own, which do not depend on the machine: 1,300,000 to 3,500,000 take a second.

use super::race::Check;
use super::smt::{Answer, QUESTION};
use super::term::{Func, Node, Term};
use std::cell::Cell;

/// For one check of one kernel in one launch.
const CHECK: u64 = 8_000_000;
/// For one kernel in all its launches.
const KERNEL: u64 = 40_000_000;
/// For a question without what is known of the host's code, at most.
const WITHOUT_HOST: u64 = 200_000;
/// For all kernels, beside the [least](LEAST) for each.
const PROGRAM: u64 = 120_000_000;
/// What each kernel has in any case.
const LEAST: u64 = 1_000_000;

/// What is left for the kernels of a program.
#[derive(Debug)]
pub struct ProgramBudget {
    left: u64,
    /// How many kernels have still to come.
    kernels: u64,
    /// Whether the clock cut a question, which counts as spent: on another machine more may be left.
    cut: bool,
}

impl ProgramBudget {
    /// The budget of a program of so many kernels.
    pub fn new(kernels: usize) -> ProgramBudget {
        ProgramBudget { left: PROGRAM, kernels: kernels as u64, cut: false }
    }

    /// The budget of the next kernel: twice its share of what is left, as most kernels need little.
    pub fn kernel(&self) -> Budget {
        let given = (self.left / self.kernels.max(1) * 2).clamp(LEAST, KERNEL);
        Budget { left: Cell::new(given), given, cut: Cell::new(self.cut) }
    }

    /// Takes what a kernel has spent.
    pub fn settle(&mut self, kernel: &Budget) {
        self.left = self.left.saturating_sub(kernel.given - kernel.left.get());
        self.kernels = self.kernels.saturating_sub(1);
        self.cut = kernel.cut.get();
    }
}

/// What is left for one kernel.
#[derive(Debug)]
pub struct Budget {
    left: Cell<u64>,
    given: u64,
    /// Whether the clock cut a question of this kernel or one before it.
    cut: Cell<bool>,
}

impl Default for Budget {
    fn default() -> Budget {
        ProgramBudget::new(1).kernel()
    }
}

impl Budget {
    /// What the next check may spend: the checks behind it have a share, too.
    pub(super) fn allowance(&self) -> u64 {
        CHECK.min(self.left.get() / 4)
    }

    /// What one question may take: as large a share of what a question may take at all as the kernel's is of what a
    /// kernel may.
    fn question(&self) -> u64 {
        QUESTION * self.given / KERNEL
    }

    /// Takes what a question has spent.
    pub(super) fn spend(&self, units: u64) {
        // A question that was begun is asked to its end, and may take more than was left.
        self.left.set(self.left.get().saturating_sub(units));
    }

    /// What to say where it is spent.
    pub(super) fn why(&self) -> &'static str {
        if self.given < KERNEL {
            "the questions about this program's kernels are too hard for the solver; more is asked about one kernel alone, \
             with `--kernel`"
        } else {
            "the questions about this kernel are too hard for the solver"
        }
    }
}

impl Check<'_, '_, '_> {
    /// What every further question comes to where all that this check may spend is spent.
    pub(super) fn spent_out(&self) -> Option<Answer> {
        let budget = self.s.budget.as_ref()?;
        let answer = || if budget.cut.get() { Answer::Cut } else { Answer::Unknown(budget.why().to_owned()) };
        (self.spent >= self.limit).then(answer)
    }

    /// Whether the conditions exclude each other for certain. Where they do not, or nobody knows, nothing is learnt.
    pub(super) fn exclude(&mut self, conditions: &[Term]) -> bool {
        self.never_holds(conditions)
            || self.spent_out().is_none() && self.put_paid(conditions, &[]) == Answer::No
    }

    /// Whether the conditions exclude each other whatever the host's code computes: most of them are about threads alone, and
    /// products and quotients of the host's would only be in the solver's way.
    pub(super) fn excluded_without_host(&mut self, conditions: &[Term]) -> bool {
        let terms = &self.s.terms;
        let of_host = |n: &Node| matches!(n, Node::App { func: Func::Host(_), .. });
        let rest: Vec<Term> = conditions.iter().copied().filter(|&t| !terms.mentions(t, of_host)).collect();
        if rest.len() == conditions.len() || rest.is_empty() {
            return false;
        }
        let units = self.units().min(WITHOUT_HOST);
        self.put_on_budget(&rest, &[], units) == Answer::No
    }

    /// What one question may take.
    fn units(&self) -> u64 {
        self.s.budget.as_ref().map_or(QUESTION, |b| b.question())
    }

    /// Puts a question to the solver that may take so many units, which the kernel's budget pays for.
    fn put_on_budget(&mut self, conditions: &[Term], wanted: &[Term], units: u64) -> Answer {
        let before = self.spent;
        let answer = self.put(conditions, wanted, units);
        if let Some(budget) = &self.s.budget {
            budget.spend(self.spent - before);
        }
        answer
    }

    /// Puts a question to the solver, for a verdict: the kernel's budget pays for it.
    pub(super) fn put_paid(&mut self, conditions: &[Term], wanted: &[Term]) -> Answer {
        let units = self.units();
        let answer = self.put_on_budget(conditions, wanted, units);
        if let Some(budget) = &self.s.budget {
            budget.cut.set(budget.cut.get() || answer == Answer::Cut);
        }
        self.s.any_cut |= answer == Answer::Cut;
        match (answer, self.spent_out()) {
            // Alone it might have been answered.
            (Answer::Unknown(_), Some(answer)) if units < QUESTION => answer,
            (answer, _) => answer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_check_has_a_share() {
        let budget = Budget::default();
        assert_eq!(budget.allowance(), CHECK);
        let mut last = CHECK;
        for _ in 0..60 {
            let next = budget.allowance();
            assert!(next <= last);
            budget.spend(next);
            last = next;
        }
        assert!(last < 1000);
        budget.spend(KERNEL);
        assert_eq!(budget.allowance(), 0);
    }

    #[test]
    fn each_kernel_has_a_share() {
        for kernels in [1, 6, 100, 1000] {
            let mut program = ProgramBudget::new(kernels);
            let mut spent = 0;
            for n in 0..kernels {
                let kernel = program.kernel();
                assert!((LEAST..=KERNEL).contains(&kernel.given));
                assert_eq!(
                    n == 0 && kernels <= 6,
                    kernel.given == KERNEL,
                    "few have all that a kernel may have"
                );
                kernel.spend(KERNEL);
                spent += kernel.given;
                program.settle(&kernel);
            }
            assert!(spent <= PROGRAM + kernels as u64 * LEAST);
        }
    }
}
