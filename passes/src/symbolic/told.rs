//! Which accesses of one launch race with none of it: asked when the launch happens, with its extents and arguments, and
//! without a solver.
//!
//! The questions are those of [`super::race`], and [`super::sums`] answers. What a proof of `check` takes for granted is not
//! taken for granted here, but for one premise, which the machine checks (`distinct`):
//!
//! - Counters and signed arithmetic: terms mean what the machine computes, and nothing is said of a loop's counter but
//!   that the iteration before went on.
//! - Convergence: a kernel whose barriers hang on a branch in which threads may differ has no facts. Nor has one with barriers of
//!   the grid.
//! - Data: what the launch never writes does not change while it runs. The machine asks only where nothing else runs.
//!
//! The counter of a loop around a barrier takes each of its values in turn, where extents and arguments alone decide how
//! many there are. So does the number of the iteration in which a loop was left.

use super::interval::Member;
use super::race::{Check, MAX_UNKNOWN, distinct_matters};
use super::smt::{Answer, NoSolver};
use super::summary::{Access, Summary, Touch, summarize};
use super::sums;
use super::term::*;
use crate::analysis::Prepared;
use crate::analysis::barrier::{self, Rules};
use crate::analysis::shape::Shape;
use crate::analysis::uniformity::{RootUniformity, is_pure_native};
use crate::analysis::witness::failure;
use cudair_ir::*;
use rustc_hash::FxHashSet;

/// The most accesses of a kernel that is looked at.
const MAX_ACCESSES: usize = 64;
/// The most questions about one launch.
const MAX_QUESTIONS: usize = 1500;
/// The most steps for one launch, of which each is a question with some counters told.
const MAX_STEPS: u32 = 400;
/// The most values of counters that are tried for one question, and in which a loop is followed to its end.
const MAX_TURNS: u32 = 128;

/// What is proved of the races of a launch.
pub fn race_facts(prepared: &Prepared, module: &Module, launch: &LaunchShape) -> RaceFacts {
    free_accesses(prepared, module, launch).unwrap_or_default()
}

fn free_accesses(prepared: &Prepared, module: &Module, launch: &LaunchShape) -> Option<RaceFacts> {
    let func = &module.funcs[prepared.kernel];
    if !func.insts.iter().all(|(_, data)| is_followed(module, data)) {
        return None;
    }
    let shape = Shape {
        grid: launch.grid.map(Some),
        block: launch.block.map(Some),
        args: launch.args.clone(),
        ..Shape::default()
    };
    // What blocks agree in may hang on no order of theirs.
    let root = prepared.root(module, &shape, false);
    let uniformity = RootUniformity::new(&root);
    if prepared.has_barrier() {
        let rules = Rules { compute_capability: 0, strict: true, counterexamples: false };
        let diverging = barrier::check(&root, &uniformity, prepared.kernel, rules, || false, Vec::new);
        if !diverging.is_empty() {
            return None;
        }
    }
    let mut s = summarize(&root, &uniformity, prepared.kernel);
    s.told = true;
    let known = |a: &Access| a.base.is_known() && !matches!(a.base, super::summary::Base::Member(..));
    let many = s.accesses.len() > MAX_ACCESSES || !s.is_whole();
    // A pointer out of a local variable is known only if that was written.
    let open = s.calls_elsewhere || s.reads_locals;
    if many || !s.gaps.is_empty() || open || !s.accesses.iter().all(known) {
        return None;
    }
    let distinct = distinct_matters(&s);
    let mut solver = NoSolver;
    let mut check = Check::new(&mut s, root.memory, &shape, &mut solver);
    // Where the threads of a warp go together, a run takes no more than volatile accesses to be ordered by that.
    check.in_blocks(false);
    check.between_blocks();
    if check.unknown > MAX_UNKNOWN || check.found.questions > MAX_QUESTIONS {
        return None;
    }
    let met: FxHashSet<usize> =
        check.found.conflicts.iter().flat_map(|c| [c.accesses.0, c.accesses.1]).collect();
    let mut free = FxHashSet::default();
    let mut others = FxHashSet::default();
    for (n, a) in s.accesses.iter().enumerate() {
        let plain = !a.volatile && matches!(a.touch, Touch::Read | Touch::Write);
        let list = if plain && !met.contains(&n) { &mut free } else { &mut others };
        list.extend(site(&s, a));
    }
    free.retain(|site| !others.contains(site));
    Some(RaceFacts { free, distinct })
}

/// Whether an instruction does nothing to memory but what the summary says of it.
fn is_followed(module: &Module, data: &InstData) -> bool {
    match *data {
        InstData::Call { func, .. } => {
            let callee = &module.funcs[func];
            callee.is_declaration() && (is_pure_native(callee) || failure(callee).is_some())
        }
        InstData::Barrier { kind, .. } => kind != BarrierKind::Grid && !kind.is_cluster(),
        _ => true,
    }
}

/// The site of an access.
fn site(s: &Summary<'_>, a: &Access) -> Option<Site> {
    match s.cx.func.insts[a.inst] {
        InstData::MemCopy { dst_site, src_site, .. } => {
            Some(if a.touch == Touch::Read { src_site } else { dst_site })
        }
        ref data => data.sites()[0],
    }
}

impl Check<'_, '_, '_> {
    /// Answers without a solver, if it can.
    pub(super) fn without_solver(&mut self, conditions: &[Term]) -> Answer {
        self.found.questions += 1;
        let mut turns = MAX_TURNS;
        let excluded = self.found.questions <= MAX_QUESTIONS
            && self.never_in_turns(conditions.to_vec(), &mut Vec::new(), &mut turns);
        if excluded { Answer::No } else { Answer::Unknown("sums do not tell".to_owned()) }
    }

    /// Adds in which iteration a thread was when it last met the others, where it has left a loop since and it is told how many
    /// iterations that has.
    pub(super) fn left_when_told(&mut self, m: &Member, out: &mut Vec<Term>) {
        for &(cycle, iteration) in &m.left {
            let Some(last) = self.exit(cycle as u32, &Args::new()) else { continue };
            let last = self.s.terms.constant(last, 64);
            let common = self.s.terms.sym(Sym::Common(cycle as u32), 64);
            let Some(was) = self.counted(iteration, common) else { continue };
            let holds = self.s.terms.compare(IntCC::Eq, was, last);
            self.flatten(holds, out);
        }
    }

    /// Whether conditions exclude each other, in each iteration of the loops that they speak of if need be. Counters of the
    /// loops around are as `with` says.
    fn never_in_turns(
        &mut self,
        conditions: Vec<Term>,
        with: &mut Vec<(Term, Term)>,
        turns: &mut u32,
    ) -> bool {
        if *turns == 0 || self.steps >= MAX_STEPS {
            return false;
        }
        *turns -= 1;
        self.steps += 1;
        let conditions: Vec<Term> = conditions.into_iter().map(|c| self.with_exits(c)).collect();
        if self.never_holds(&conditions) || sums::exclude(&self.s.terms, &conditions) {
            return true;
        }
        let Some((cycle, common)) = self.outermost_counter(&conditions) else { return false };
        let Some(again) = self.s.loops[cycle].again else { return false };
        let counter = self.s.counter(cycle);
        for k in 0..u128::from(MAX_TURNS) {
            let is = self.s.terms.constant(k, 64);
            let here = conditions.iter().map(|&c| self.s.terms.replace(c, &[(common, is)])).collect();
            with.push((counter, is));
            let never = self.never_in_turns(here, with, turns);
            let goes_on = self.s.terms.replace(again, with);
            with.pop();
            if !never {
                return false;
            }
            match self.decided(goes_on) {
                Some(false) => return true,
                Some(true) => {}
                None => return false,
            }
        }
        false
    }

    /// The counter that all threads share, of the outermost loop of which conditions speak.
    fn outermost_counter(&self, conditions: &[Term]) -> Option<(usize, Term)> {
        let control = self.s.cx.control;
        let depth = |cycle: usize| control.cycles_of(control.cycle_head(cycle)).count();
        let all = self.s.terms.subterms(conditions.iter().copied()).into_iter();
        let counters = all.filter_map(|t| match *self.s.terms.node(t) {
            Node::Sym { sym: Sym::Common(c), .. } => Some((c as usize, t)),
            _ => None,
        });
        counters.min_by_key(|&(c, _)| (depth(c), c))
    }

    /// Whether a condition holds for all threads, or for none.
    fn decided(&mut self, condition: Term) -> Option<bool> {
        let condition = self.with_exits(condition);
        if let Some(bits) = self.s.terms.bits(condition) {
            return Some(bits != 0);
        }
        let not = self.s.terms.not(condition);
        match [not, condition].map(|c| sums::exclude(&self.s.terms, &[c])) {
            [true, _] => Some(true),
            [false, true] => Some(false),
            [false, false] => None,
        }
    }

    /// A term in which it is told when loops were left, where extents and arguments alone decide.
    fn with_exits(&mut self, mut t: Term) -> Term {
        // An exit may hang on another one.
        for _ in 0..4 {
            let mut told = Vec::new();
            for exit in self.s.terms.subterms([t]) {
                let Node::App { func: Func::Exit(c), args, .. } = self.s.terms.node(exit).clone() else {
                    continue;
                };
                if let Some(k) = self.exit(c, &args) {
                    told.push((exit, self.s.terms.constant(k, 64)));
                }
            }
            if told.is_empty() {
                break;
            }
            t = self.s.terms.replace(t, &told);
        }
        t
    }

    /// In which iteration a loop is left by each thread that comes to it, the loops around being in these iterations.
    fn exit(&mut self, cycle: u32, args: &Args) -> Option<u128> {
        let known = |s: &Self, t: Term| s.s.terms.bits(t).is_some();
        if !args.iter().all(|&t| known(self, t)) {
            return None;
        }
        let key = (cycle, args.clone());
        if let Some(&known) = self.exits.get(&key) {
            return known;
        }
        // A loop whose end hangs on its own end has none.
        self.exits.insert(key.clone(), None);
        let found = self.follow_to_exit(cycle as usize, args);
        self.exits.insert(key, found);
        found
    }

    fn follow_to_exit(&mut self, cycle: usize, args: &Args) -> Option<u128> {
        let again = self.s.loops[cycle].again?;
        let control = self.s.cx.control;
        let mut outer: Vec<usize> =
            control.cycles_of(control.cycle_head(cycle)).filter(|&c| c != cycle).collect();
        outer.reverse();
        let mut with: Vec<(Term, Term)> =
            outer.into_iter().map(|c| self.s.counter(c)).zip(args.iter().copied()).collect();
        let counter = self.s.counter(cycle);
        for k in 0..u128::from(MAX_TURNS) {
            with.push((counter, self.s.terms.constant(k, 64)));
            let goes_on = self.s.terms.replace(again, &with);
            with.pop();
            if !self.decided(goes_on)? {
                return Some(k);
            }
        }
        None
    }
}
