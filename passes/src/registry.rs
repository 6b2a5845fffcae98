//! The analyses that can be asked for by name: what each is, and the list of them.
//!
//! An analysis is a type with the trait [`Analysis`], in a file of its own, and a line in [`ALL`]. It may know *facts*, which
//! `lower --emit facts` prints beside the IR, and it may look at kernels in launches, for findings and verdicts of `check`.
//! `docs/adding-an-analysis.md` walks through one. Who uses this crate as a library hands in an analysis of their own without
//! a line here: [`CheckOptions::analyses`](crate::check::CheckOptions) and [`facts_with`](crate::facts::facts_with).

use crate::analysis::uniformity::RootContext;
use crate::facts::{Barriers, Control, FactList, FuncView, Pointers, Ranges, Uniformities};
use crate::perf::Perf;
use crate::symbolic::summary::Summary;
use cudair_ir::Finding;
use cudair_ir::verdict::CheckVerdict;
use std::fmt::Debug;

/// An analysis.
pub trait Analysis: Debug + Sync {
    /// Its name, for options and reports: a word or two with a dash between.
    fn name(&self) -> &'static str;

    /// What it knows of a function below a kernel, whatever the launch: one fact a line beside the IR.
    fn facts(&self, _view: &FuncView<'_>, _out: &mut FactList) {}

    /// Looks at a kernel in launches of one shape.
    fn check(&self, _view: &mut KernelView<'_, '_>, _out: &mut Told) {}
}

/// A kernel in launches of one shape, as [`Analysis::check`] sees it.
pub struct KernelView<'a, 'b> {
    /// The module, the shape, the functions below the kernel and what they do to memory.
    pub root: &'b RootContext<'a>,
    /// Its accesses, guards, loops and branches as terms. What the host's code says of the launch is in it.
    pub summary: &'b mut Summary<'a>,
}

/// What an analysis tells of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// What it found.
    pub findings: Vec<Finding>,
    /// What it can say for certain, and what not: silence is no verdict.
    pub verdicts: Vec<CheckVerdict>,
}

/// Every analysis, in the order in which facts are printed.
pub const ALL: &[&dyn Analysis] = &[&Uniformities, &Ranges, &Pointers, &Barriers, &Control, &Perf];

/// The analysis of a name.
pub fn by_name(name: &str) -> Option<&'static dyn Analysis> {
    ALL.iter().copied().find(|a| a.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_analyses_apart() {
        for (n, a) in ALL.iter().enumerate() {
            assert!(ALL[..n].iter().all(|b| b.name() != a.name()), "{}", a.name());
            assert_eq!(by_name(a.name()).map(Analysis::name), Some(a.name()));
        }
    }
}
