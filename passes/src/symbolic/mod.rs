//! Proofs about two arbitrary threads of a kernel.
//!
//! [`summary`] says what each value, guard and access of a kernel is as a [`term`]; [`interval`] which accesses may
//! happen between the same barriers; [`race`] puts the questions whether two of them can meet, [`converge`] whether all threads meet at the barriers, and a
//! [`smt::Solver`] answers.

pub mod assume;
pub mod converge;
pub mod faults;
pub mod host;
pub mod interval;
mod launch;
pub mod race;
pub mod report;
pub mod smt;
pub mod summary;
pub mod term;

use crate::analysis::Prepared;
use crate::analysis::shape::Shape;
use crate::analysis::uniformity::{RootContext, RootUniformity};
use crate::registry::{Analysis, KernelView, Told};
use assume::Assumption;
use cudair_ir::Module;
use faults::FaultReport;
use host::{HostCode, HostLaunch};
use race::{Check, Premises};
use report::RaceReport;
use smt::{Answer, Solver};
use summary::{Fault, Gap, Summary, summarize};

/// Two threads of a kernel in launches of one shape.
pub struct TwoThreads<'a> {
    root: RootContext<'a>,
    summary: Summary<'a>,
    /// What the facts of the launch take for granted.
    premises: Premises,
}

impl<'a> TwoThreads<'a> {
    /// Follows the kernel, as the host launches it if that is told, and where the assumptions hold, whose names the kernel
    /// all has.
    pub fn new(
        prepared: &'a Prepared,
        module: &'a Module,
        shape: &'a Shape,
        launch: Option<(&mut HostCode<'_>, &HostLaunch)>,
        assumed: &[&Assumption],
    ) -> TwoThreads<'a> {
        // Two parameters are not taken to point to distinct memory where it is known that they do not.
        let distinct = launch.as_ref().is_none_or(|l| l.1.aliases.is_empty());
        let root = prepared.root(module, shape, distinct);
        let mut summary = summarize(&root, &RootUniformity::new(&root), prepared.kernel);
        let mut premises = launch.map_or_else(Premises::default, |(code, launch)| {
            launch::launched(&mut summary, shape, code, launch)
        });
        premises.assumptions = summary.suspects.iter().any(|s| s.fault == Fault::Assumption);
        launch::assumed(&mut summary, shape, assumed);
        TwoThreads { root, summary, premises }
    }

    /// On what it rests that all threads of a block meet at every barrier; `None` where that is not proved.
    pub fn converge(&mut self, solver: &mut dyn Solver) -> Option<Premises> {
        let mut found = converge::converge(&mut self.summary, self.root.memory, self.root.shape, solver)?;
        found.join(self.premises);
        Some(found)
    }

    /// Looks whether there is such a launch: of one that cannot be, everything would be proved.
    pub fn exists(&mut self, solver: &mut dyn Solver) {
        let (summary, root) = (&mut self.summary, &self.root);
        let mut check = Check::new(summary, root.memory, root.shape, solver);
        let facts = check.launch();
        if check.ask(&facts) == Answer::No {
            let loc = self.summary.cx.func.loc.expand();
            self.summary.gaps.push(Gap { what: "a launch that cannot happen".to_owned(), loc });
        }
    }

    /// What the two threads do, as terms.
    pub fn into_summary(self) -> Summary<'a> {
        self.summary
    }

    /// Lets an analysis of the [registry](crate::registry) look at the kernel.
    pub fn look(&mut self, analysis: &dyn Analysis, out: &mut Told) {
        analysis.check(&mut KernelView { root: &self.root, summary: &mut self.summary }, out);
    }

    /// Whether every proof takes what the program assumes for granted.
    pub fn assumes(&self) -> bool {
        self.premises.assumptions
    }

    /// What single threads may do wrong. With `strict` what may be is an error.
    pub fn faults(&mut self, strict: bool, solver: &mut dyn Solver) -> FaultReport {
        faults::faults(&self.root, &mut self.summary, self.premises, strict, solver)
    }

    /// Which accesses of two threads may meet. With `strict` what may be is an error.
    /// With `lockstep` the threads of a warp go together.
    pub fn races(&mut self, strict: bool, lockstep: bool, solver: &mut dyn Solver) -> RaceReport {
        let mut found = race::races(&mut self.summary, self.root.memory, self.root.shape, lockstep, solver);
        found.premises.join(self.premises);
        report::report(&self.root, &self.summary, &found, strict)
    }
}
