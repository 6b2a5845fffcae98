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
use smallvec::SmallVec;

/// The most accesses of a kernel that is looked at.
const MAX_ACCESSES: usize = 64;
/// The most questions about one launch.
const MAX_QUESTIONS: usize = 1500;
/// The most steps for one launch, of which each is a question with some counters told.
const MAX_STEPS: u32 = 1500;
/// Steps of work for a question before counters are told.
const QUICK_WORK: u32 = 8;
/// The most values of counters that are tried for one question, and in which a loop is followed to its end.
const MAX_TURNS: u32 = 128;
/// The most bits of a number of iterations that is looked for.
const MAX_BITS: u32 = 24;

/// What is proved of the races of a launch.
pub fn race_facts(prepared: &Prepared, module: &Module, launch: &LaunchShape) -> RaceFacts {
    free_accesses(prepared, module, launch).unwrap_or_default()
}

fn free_accesses(prepared: &Prepared, module: &Module, launch: &LaunchShape) -> Option<RaceFacts> {
    let func = &module.funcs[prepared.kernel];
    // Of a kernel that no file defines nothing is known.
    if func.is_declaration() || !func.insts.iter().all(|(_, data)| is_followed(module, data)) {
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
    check.s.repeats = check.repeats();
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
        let conditions = &self.with_bounds(conditions);
        // What hangs on data is many cases, and seldom tells anything.
        let lean = self.without_data(conditions);
        let mut never = |conditions: &[Term]| {
            self.found.questions <= MAX_QUESTIONS
                && self.never_in_turns(conditions.to_vec(), &mut Vec::new(), &mut { MAX_TURNS })
        };
        let excluded = never(&lean) || lean.len() < conditions.len() && never(conditions);
        if excluded { Answer::No } else { Answer::Unknown("sums do not tell".to_owned()) }
    }

    /// Conditions, and how far the counters in them go at most.
    fn with_bounds(&mut self, conditions: &[Term]) -> Vec<Term> {
        let counters: Vec<(u32, Term)> = self
            .s
            .terms
            .subterms(conditions.iter().copied())
            .into_iter()
            .filter_map(|t| match *self.s.terms.node(t) {
                Node::Sym { sym: Sym::Counter(c), .. } => Some((c, t)),
                _ => None,
            })
            .collect();
        let mut out = conditions.to_vec();
        for (cycle, counter) in counters {
            if let Some(most) = self.most_iterations(cycle) {
                let most = self.s.terms.constant(most, 64);
                out.push(self.s.terms.compare(IntCC::Ule, counter, most));
            }
        }
        out
    }

    /// An iteration of a loop, from 0, behind which no thread goes on, whatever the iterations of the loops around are: one
    /// follows the other, so that none is later. It is the first of that kind if all behind it are of that kind, too.
    fn most_iterations(&mut self, cycle: u32) -> Option<u128> {
        if let Some(&known) = self.most.get(&cycle) {
            return known;
        }
        // A loop whose end hangs on its own counter in another way has none.
        self.most.insert(cycle, None);
        let found = self.find_most_iterations(cycle as usize);
        self.most.insert(cycle, found);
        found
    }

    fn find_most_iterations(&mut self, cycle: usize) -> Option<u128> {
        let again = self.s.loops[cycle].again?;
        let mut most =
            (0..MAX_BITS).map(|bit| (1 << bit) - 1).find(|&k| self.ends_behind(cycle, again, k))?;
        // At half of it threads may go on.
        let mut least = most / 2;
        while least + 1 < most {
            let middle = least.midpoint(most);
            if self.ends_behind(cycle, again, middle) {
                most = middle;
            } else {
                least = middle;
            }
        }
        Some(most)
    }

    /// Whether no thread goes on behind an iteration of a loop.
    fn ends_behind(&mut self, cycle: usize, again: Term, iteration: u128) -> bool {
        let counter = self.s.counter(cycle);
        let iteration = self.s.terms.constant(iteration, 64);
        let goes_on = self.s.terms.replace(again, &[(counter, iteration)]);
        let conditions = self.with_exits(vec![goes_on]);
        let conditions = self.with_bounds(&conditions);
        self.never_holds(&conditions) || sums::exclude(&self.s.terms, &conditions, sums::MAX_WORK)
    }

    /// The loops that no thread leaves in the first iteration, where extents and arguments alone decide.
    fn repeats(&mut self) -> FxHashSet<usize> {
        let control = self.s.cx.control;
        let mut turns = MAX_TURNS;
        let mut repeats =
            |cycle: usize| self.repeats_in(cycle, &control.around(cycle), &mut Vec::new(), &mut turns);
        (0..control.cycle_count()).filter(|&cycle| repeats(cycle)).collect()
    }

    /// Whether no thread leaves a loop in the first iteration, the outer ones of the loops around it being in these iterations,
    /// and the others, from the outermost one on, `around`.
    fn repeats_in(
        &mut self,
        cycle: usize,
        around: &[usize],
        with: &mut Vec<(Term, Term)>,
        turns: &mut u32,
    ) -> bool {
        let args: Args = with.iter().map(|w| w.1).collect();
        let Some((&outer, rest)) = around.split_first() else {
            let guard = self.s.guards[self.s.cx.control.cycle_head(cycle) as usize];
            let comes = self.s.terms.replace(guard, with);
            return self.decided(comes) == Some(false)
                || self.exit(cycle as u32, &args).is_some_and(|k| k > 0);
        };
        let Some(last) = self.exit(outer as u32, &args) else { return false };
        let counter = self.s.counter(outer);
        (0..=last).all(|k| {
            if *turns == 0 {
                return false;
            }
            *turns -= 1;
            with.push((counter, self.s.terms.constant(k, 64)));
            let all = self.repeats_in(cycle, rest, with, turns);
            with.pop();
            all
        })
    }

    /// Adds in which iteration a thread was when it last met the others, where it has left a loop since and it is told how many
    /// iterations that has.
    pub(super) fn left_when_told(
        &mut self,
        m: &Member,
        (copy, shared): (u8, Uniformity),
        out: &mut Vec<Term>,
    ) {
        let mut holds = Vec::new();
        for left in &m.left {
            let counters: Option<SmallVec<[Term; 4]>> = left.iter().map(|&i| self.counter_in(i)).collect();
            let Some((&was, around)) = counters.as_ref().and_then(|c| c.split_first()) else { continue };
            let args: Args = around.iter().rev().copied().collect();
            // Each thread has an exit of its own until it is told.
            let last = self.s.terms.app(Func::Exit(left[0].0 as u32), Uniformity::Divergent, args, 64);
            holds.push(self.s.terms.compare(IntCC::Eq, was, last));
        }
        self.add_of(holds, (copy, shared), out);
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
        let conditions = self.with_exits(conditions);
        if self.never_holds(&conditions) {
            return true;
        }
        let Some((cycle, common)) = self.outermost_counter(&conditions) else {
            return sums::exclude(&self.s.terms, &conditions, sums::MAX_WORK);
        };
        sums::exclude(&self.s.terms, &conditions, QUICK_WORK)
            || self.never_in_turns_of(&conditions, (cycle, common), with, turns)
            || sums::exclude(&self.s.terms, &conditions, sums::MAX_WORK)
    }

    /// Whether conditions exclude each other in each iteration of a loop, whose counter all threads share.
    fn never_in_turns_of(
        &mut self,
        conditions: &[Term],
        (cycle, common): (usize, Term),
        with: &mut Vec<(Term, Term)>,
        turns: &mut u32,
    ) -> bool {
        let Some(again) = self.s.loops[cycle].again else { return false };
        let counter = self.s.counter(cycle);
        let last = match self.counters_around(cycle, with) {
            Some(args) => match self.exit(cycle as u32, &args) {
                None => return false,
                last => last,
            },
            None => None,
        };
        for k in 0..u128::from(MAX_TURNS) {
            let is = self.s.terms.constant(k, 64);
            let here = self.s.terms.replace_all(conditions, &[(common, is)]);
            with.push((counter, is));
            let never = self.never_in_turns(here, with, turns);
            if !never {
                with.pop();
                return false;
            }
            let goes_on = match last {
                Some(last) => Some(k < last),
                None => {
                    let goes_on = self.s.terms.replace(again, with);
                    self.decided(goes_on)
                }
            };
            with.pop();
            match goes_on {
                Some(false) => return true,
                Some(true) => {}
                None => return false,
            }
        }
        false
    }

    /// The counters of the loops around one, outermost first, where all are told.
    fn counters_around(&mut self, cycle: usize, with: &[(Term, Term)]) -> Option<Args> {
        let around = self.s.cx.control.around(cycle);
        let told = |counter: Term| with.iter().find(|w| w.0 == counter).map(|w| w.1);
        around.into_iter().map(|c| told(self.s.counter(c))).collect()
    }

    /// Those conditions that do not hang on what memory holds.
    fn without_data(&self, conditions: &[Term]) -> Vec<Term> {
        let is_data = |node: &Node| matches!(node, Node::App { func, .. } if !matches!(func, Func::Exit(_)));
        conditions.iter().copied().filter(|&c| !self.s.terms.mentions(c, is_data)).collect()
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
        let condition = self.with_exits(vec![condition])[0];
        if let Some(bits) = self.s.terms.bits(condition) {
            return Some(bits != 0);
        }
        let not = self.s.terms.not(condition);
        match [not, condition].map(|c| sums::exclude(&self.s.terms, &[c], sums::MAX_WORK)) {
            [true, _] => Some(true),
            [false, true] => Some(false),
            [false, false] => None,
        }
    }

    /// Terms in which it is told when loops were left, where extents and arguments alone decide.
    fn with_exits(&mut self, mut terms: Vec<Term>) -> Vec<Term> {
        // An exit may hang on another one.
        for _ in 0..4 {
            let mut told = Vec::new();
            for exit in self.s.terms.subterms(terms.iter().copied()) {
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
            terms = self.s.terms.replace_all(&terms, &told);
        }
        terms
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
        let outer = self.s.cx.control.around(cycle);
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
