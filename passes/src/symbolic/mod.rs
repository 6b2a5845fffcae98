//! Proofs about two arbitrary threads of a kernel.
//!
//! [`summary`] says what each value, guard and access of a kernel is as a [`term`]; [`interval`] which accesses may
//! happen between the same barriers; [`race`] puts the questions whether two of them can meet, [`converge`] whether all threads meet at the barriers, and a
//! [`smt::Solver`] answers.

pub mod assume;
mod budget;
mod certain;
mod clusters;
pub mod conflicts;
pub mod converge;
mod diverged;
pub mod faults;
mod given;
pub mod host;
mod initialised;
pub mod interval;
mod launch;
mod lemma;
mod masks;
mod model;
mod numbered;
pub mod premises;
pub mod race;
pub mod report;
pub mod smt;
mod stable;
pub mod summary;
mod sums;
pub mod term;
mod ticket;
mod told;

use crate::analysis::Prepared;
use crate::analysis::shape::Shape;
use crate::analysis::uniformity::{RootContext, RootUniformity, Why};
use crate::registry::{Analysis, KernelView, Told};
use assume::Assumption;
pub use budget::{Budget, ProgramBudget};
use cudair_ir::verdict::{self, CheckVerdict};
use cudair_ir::{BarrierKind, Certainty, Counterexample, Finding, Inst, InstData, Module, Span, Uniformity};
use diverged::Diverging;
use faults::FaultReport;
use host::{HostCode, HostLaunch};
use initialised::InitialisedReport;
use numbered::Numbered;
use premises::Premises;
use race::{Apart, Check};
use report::RaceReport;
use rustc_hash::FxHashSet;
use smt::{Answer, CUT, Solver};
use std::rc::Rc;
use summary::{Fault, Gap, Summary, summarize};
pub use told::race_facts;

/// Two threads of a kernel in launches of one shape.
pub struct TwoThreads<'a> {
    root: RootContext<'a>,
    summary: Summary<'a>,
    uniformity: RootUniformity,
    /// What the facts of the launch take for granted.
    premises: Premises,
    /// Parameters whose values are given, by number.
    given: Vec<u32>,
    /// The barriers to which not all threads of a block may come.
    diverging: Diverging,
    /// Pairs of accesses to shared memory that may race.
    racing: FxHashSet<(Inst, Inst)>,
}

impl<'a> TwoThreads<'a> {
    /// Follows the kernel, as the host launches it if that is told, and where the assumptions hold, whose names the kernel
    /// all has. The `stable` loads are proved to race with no write, and barriers with numbers that are `of_block` to be ones
    /// of the whole block.
    pub fn new(
        prepared: &'a Prepared,
        module: &'a Module,
        shape: &'a Shape,
        launch: Option<(&mut HostCode<'_>, &HostLaunch)>,
        assumed: &[&Assumption],
        (stable, of_block): (Option<&'a FxHashSet<Inst>>, Option<&'a FxHashSet<Inst>>),
    ) -> TwoThreads<'a> {
        // Two parameters are not taken to point to distinct memory where it is known that they do not.
        let distinct = launch.as_ref().is_none_or(|l| l.1.aliases.is_empty());
        let root = RootContext {
            stable_loads: stable,
            block_barriers: of_block,
            ..prepared.root(module, shape, distinct)
        };
        let uniformity = RootUniformity::new(&root);
        let mut summary = summarize(&root, &uniformity, prepared.kernel);
        let mut premises = launch.map_or_else(Premises::default, |(code, launch)| {
            launch::launched(&mut summary, shape, code, launch)
        });
        summary.join_surfaces();
        let any = |fault: Fault| summary.suspects.iter().any(|s| s.fault == fault);
        premises.assumptions = any(Fault::Assumption);
        premises.functions = any(Fault::Call);
        premises.elsewhere = summary.calls_elsewhere;
        premises.initialised = summary.reads_locals;
        premises.reads_back = summary.reads_back;
        premises.distinct_parameters |= summary.reads_past_parameters;
        let outside = |a: &summary::Access| a.touch.writes() && !summary.is_shared(a.base);
        premises.textures = summary.reads_textures && summary.accesses.iter().any(outside);
        launch::assumed(&mut summary, shape, assumed);
        TwoThreads {
            root,
            summary,
            uniformity,
            premises,
            given: Vec::new(),
            diverging: Diverging::default(),
            racing: FxHashSet::default(),
        }
    }

    /// On what it rests that all threads of a block meet at every barrier; `None` where that is not proved.
    pub fn converge(&mut self, solver: &mut dyn Solver) -> Option<Premises> {
        self.meet(Apart::InBlock, solver).ok()
    }

    /// Loads at one address for all threads of a block that race with no write, though some write may hit the object; and
    /// what that rests on.
    pub fn stable_loads(&mut self, solver: &mut dyn Solver) -> (FxHashSet<Inst>, Premises) {
        let cx = self.summary.cx;
        let known = &self.uniformity.funcs[&cx.id];
        let loads: FxHashSet<Inst> = (cx.func.insts.iter())
            .filter_map(|(inst, data)| match *data {
                InstData::Load { ptr, flags, .. } if !flags.volatile => {
                    let v = cx.func.result(inst)?;
                    let disturbed = known.facts[v].level == Uniformity::Divergent
                        && matches!(known.causes[v], Some(Why::Load { .. }));
                    (disturbed && known.facts[ptr].level >= Uniformity::Block).then_some(inst)
                }
                _ => None,
            })
            .collect();
        if loads.is_empty() {
            return (loads, Premises::default());
        }
        let (memory, shape) = (self.root.memory, self.root.shape);
        stable::stable_loads(&mut self.summary, memory, shape, loads, solver)
    }

    fn meet(&mut self, apart: Apart, solver: &mut dyn Solver) -> Result<Premises, Option<Inst>> {
        let (memory, shape) = (self.root.memory, self.root.shape);
        let mut found = converge::converge(&mut self.summary, memory, shape, apart, solver)?;
        found.join(self.premises);
        Ok(found)
    }

    /// Whether the kernel waits at barriers of the grid.
    pub fn waits_for_grid(&self) -> bool {
        let is = |data: &InstData| matches!(data, InstData::Barrier { kind: BarrierKind::Grid, .. });
        self.root.shape.grid != [Some(1); 3] && self.summary.cx.func.insts.values().any(is)
    }

    /// Whether no branch in which blocks may differ decides on a barrier of the grid, if every loop ends.
    fn all_blocks_come(&self) -> bool {
        let cx = self.summary.cx;
        let branches = &self.uniformity.funcs[&cx.id].branches;
        let of_grid =
            |node: u32| interval::barriers(&self.summary, node, interval::Order::Grid).next().is_some();
        (0..cx.control.len() as u32).filter(|&n| of_grid(n)).all(|n| {
            cx.control.controlling(n).iter().all(|&x| branches[x as usize].level == Uniformity::Grid)
        })
    }

    /// What is taken for granted where threads agree in the branches that decide.
    fn ends(&self) -> Premises {
        let distinct_parameters = race::distinct_matters(&self.summary);
        Premises { loops_end: true, distinct_parameters, ..Premises::default() }
    }

    /// What is known of the masks of warp operations: a verdict, where the kernel has some, and what is wrong or may be. With
    /// `strict` what may be is an error.
    pub fn masks(&mut self, strict: bool, solver: &mut dyn Solver) -> (Option<CheckVerdict>, Vec<Finding>) {
        let rests_on = self.ends();
        masks::masks(
            &self.root,
            &self.uniformity,
            &mut self.summary,
            (self.premises, rests_on),
            (strict, self.diverging.is_empty()),
            solver,
        )
    }

    /// That the solver ran out of time before it told of some barriers; what may be there is taken from `found`.
    pub fn out_of_time(&self, found: &mut Vec<Finding>) -> Option<CheckVerdict> {
        let cx = self.summary.cx;
        // What is lowered from no source has no places.
        let place = |&inst: &Inst| {
            let loc = cx.func.locs[inst].expand();
            loc.map(|loc| Span::new(&cx.module.source, loc, ""))
        };
        let cut: Vec<Option<Span>> = self.summary.cut.iter().map(place).collect();
        let before = found.len();
        found.retain(|f| {
            let at = f.primary.as_ref().map(Span::place);
            f.certainty != Certainty::Possible || !cut.iter().any(|c| c.as_ref().map(Span::place) == at)
        });
        (found.len() < before).then(|| {
            let place = cut.into_iter().next().flatten();
            CheckVerdict::not_checked(verdict::Check::BarrierDivergence, CUT, place, before - found.len())
        })
    }

    /// What is known of barriers with numbers: a verdict, where the kernel has some, what is wrong or may be, and whether a
    /// proof rests on what threads agree in. `meets` says that the threads of a block meet at its other barriers. With
    /// `strict` what may be is an error.
    pub fn numbered_barriers(&mut self, meets: bool, strict: bool, solver: &mut dyn Solver) -> Numbered {
        let granted = (self.premises, self.granted());
        numbered::numbered(&self.root, &self.uniformity, &mut self.summary, (meets, strict), granted, solver)
    }

    /// What is known of barriers of the cluster, in the same way. `meets` says that the threads of a block are proved to meet
    /// at all others.
    pub fn cluster_barriers(&mut self, meets: bool, strict: bool, solver: &mut dyn Solver) -> Numbered {
        let granted = (self.premises, self.granted());
        clusters::clusters(&self.root, &self.uniformity, &mut self.summary, (meets, strict), granted, solver)
    }

    /// On what it rests that all blocks of a grid meet at its barriers, if the threads of each block meet.
    ///
    /// # Errors
    ///
    /// That they may not.
    pub fn grid_converges(
        &mut self,
        strict: bool,
        solver: &mut dyn Solver,
    ) -> Result<Premises, Box<Finding>> {
        if self.all_blocks_come() {
            return Ok(self.ends());
        }
        let barrier = match self.meet(Apart::Blocks, solver) {
            Ok(premises) => return Ok(premises),
            Err(barrier) => barrier,
        };
        Err(Box::new(report::grid_divergence(&self.root, &self.summary, barrier, strict)))
    }

    /// Looks whether there is such a launch: of one that cannot be, everything would be proved.
    pub fn exists(&mut self, solver: &mut dyn Solver) {
        let (summary, root) = (&mut self.summary, &self.root);
        let mut check = Check::new(summary, root.memory, root.shape, solver);
        let facts = check.launch();
        if check.ask(&facts) == Answer::No {
            let loc = self.summary.cx.func.loc.expand();
            self.summary.impossible = true;
            self.summary.gaps.push(Gap { what: "a launch that cannot happen".to_owned(), loc });
        }
    }

    /// Has what the solver spends come from a budget.
    pub fn spend_from(&mut self, budget: Rc<Budget>) {
        self.summary.budget = Some(budget);
    }

    /// Has each finding come with launches that may show it.
    pub fn want_counterexamples(&mut self) {
        self.summary.wants_counterexamples = true;
    }

    /// A launch of the shape, as far as it is known, and one in which threads do not meet at a barrier, if such a one was
    /// found.
    pub fn counterexamples(&mut self, solver: &mut dyn Solver) -> (Counterexample, Option<Counterexample>) {
        let diverging = self.summary.diverging.take();
        let mut check = Check::new(&mut self.summary, self.root.memory, self.root.shape, solver);
        let mut some = check.some_launch();
        // A grid of one block needs it, too.
        let is = |data: &InstData| matches!(data, InstData::Barrier { kind: BarrierKind::Grid, .. });
        some.cooperative = self.summary.cx.func.insts.values().any(is);
        (some, diverging)
    }

    /// What the two threads do, as terms.
    pub fn into_summary(self) -> Summary<'a> {
        self.summary
    }

    /// Lets an analysis of the [registry](crate::registry) look at the kernel.
    pub fn look(&mut self, analysis: &dyn Analysis, out: &mut Told) {
        analysis.check(&mut KernelView { root: &self.root, summary: &mut self.summary }, out);
    }

    /// Looks which arguments what is assumed gives, of a kernel that nobody launches here.
    pub fn arguments(&mut self, solver: &mut dyn Solver) {
        let mut check = Check::new(&mut self.summary, self.root.memory, self.root.shape, solver);
        self.given = given::given(&mut check);
    }

    /// What every proof takes for granted that looks at the kernel's own code alone.
    pub fn granted(&self) -> Premises {
        let Premises { assumptions, functions, initialised, reads_back, elsewhere, textures, .. } =
            self.premises;
        Premises {
            assumptions,
            functions,
            initialised,
            reads_back,
            elsewhere,
            textures,
            ..Premises::default()
        }
    }

    /// Notes the barriers that findings speak of, and those with numbers of which nothing is proved: not all threads of a block may come there, and what happens behind them is
    /// not certain.
    pub fn note_diverging(&mut self, found: &[Finding], others: &[Numbered]) {
        self.diverging = Diverging::new(&self.summary, found);
        for n in others {
            self.diverging.add(&n.open, &self.summary);
        }
    }

    /// What single threads may do wrong. With `strict` what may be is an error.
    pub fn faults(&mut self, strict: bool, solver: &mut dyn Solver) -> FaultReport {
        let given = (self.premises, &self.given[..], &self.diverging);
        faults::faults(&self.root, &mut self.summary, given, strict, solver)
    }

    /// Which reads of shared memory may be of bytes that no thread has written. With `strict` what may be is an error.
    /// With `lockstep` the threads of a warp go together. [Races](Self::races) are looked for before: what is read in one is not
    /// told again.
    pub fn initialised(
        &mut self,
        strict: bool,
        lockstep: bool,
        solver: &mut dyn Solver,
    ) -> InitialisedReport {
        initialised::initialised(
            &self.root,
            &mut self.summary,
            (self.premises, &self.diverging, &self.racing),
            (strict, lockstep),
            solver,
        )
    }

    /// Which accesses of two threads may meet. With `strict` what may be is an error.
    /// With `lockstep` the threads of a warp go together.
    pub fn races(&mut self, strict: bool, lockstep: bool, solver: &mut dyn Solver) -> RaceReport {
        let mut found = race::races(&mut self.summary, self.root.memory, self.root.shape, lockstep, solver);
        found.premises.join(self.premises);
        self.racing = found.racing(&self.summary);
        report::report(&self.root, &self.summary, &found, (&self.given, strict), &self.diverging)
    }
}
