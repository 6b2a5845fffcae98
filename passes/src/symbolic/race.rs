//! Whether two threads of a kernel can touch one byte without an order, at least one of them writing and not both
//! atomically.
//!
//! For each barrier interval ([`super::interval`]) and each two accesses in it the question is put whether two different
//! threads of a block can both come to them and hit a common byte; for memory that other blocks see, also whether two
//! threads of different blocks can, wherever they stand. *No* to all of them is a proof for every launch that the shape
//! allows, whatever memory holds, under these premises, which [`Races::premises`] names:
//!
//! - all threads of a block meet at every barrier (the check of barrier divergence),
//! - what two pointer parameters point to does not overlap,
//! - no loop counter wraps around, and none reaches 2³¹.

use super::conflicts::{Conflict, Meeting, Races, Witness};
use super::interval::{Iteration, Iterations, Member, Order, intervals};
use super::launch::launch_facts;
use super::premises::Premises;
use super::smt::{About, Answer, Solver, ask};
use super::summary::{Access, Base, Summary, Touch, linear_thread};
use super::term::*;
use super::ticket::Ticket;
use crate::analysis::memory::RootMemory;
use crate::analysis::shape::Shape;
use cudair_ir::{BinaryOp, Inst, InstData, IntCC, Span, Uniformity, verdict};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Parts of two values beyond which nobody asks whether they are equal.
const MAX_VALUE: usize = 200;
/// Pairs of accesses of which nothing is known that are told apart.
pub(super) const MAX_UNKNOWN: usize = 100;
/// The most questions for one kernel.
const MAX_QUESTIONS: usize = 4000;

/// How the two threads stand to each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Apart {
    /// Two threads of a block.
    InBlock,
    /// Two threads of a block, in two warps.
    Warps,
    /// Two threads of a warp.
    InWarp,
    /// Threads of two blocks.
    Blocks,
}

impl Apart {
    /// How uniform a value has to be so that both threads have the same.
    pub(super) fn shares(self) -> Uniformity {
        match self {
            Apart::Blocks => Uniformity::Grid,
            Apart::InBlock | Apart::Warps => Uniformity::Block,
            Apart::InWarp => Uniformity::Warp,
        }
    }

    /// What a question about two accesses asks.
    fn asks(self) -> &'static str {
        match self {
            Apart::InBlock => "whether two threads of a block can touch the same bytes",
            Apart::Warps => "whether two threads of two warps of a block can touch the same bytes",
            Apart::InWarp => "whether two threads of a warp can touch the same bytes",
            Apart::Blocks => "whether threads of two blocks can touch the same bytes",
        }
    }
}

/// Looks at every pair of accesses of a summary.
/// With `lockstep` the threads of a warp execute each instruction together: two volatile accesses are ordered. A compiler
/// may move others, or keep their values in registers.
pub fn races(
    s: &mut Summary<'_>,
    memory: &RootMemory,
    shape: &Shape,
    lockstep: bool,
    solver: &mut dyn Solver,
) -> Races {
    let mut check = Check::new(s, memory, shape, solver);
    check.found.gaps = check.s.gaps.clone();
    check.found.trivial = !check.s.accesses.iter().any(|a| a.touch.writes());
    if check.found.trivial {
        // Only what a call does can race then.
        check.found.gaps.retain(|g| g.what.starts_with("a call"));
        return check.found;
    }
    check.in_blocks(lockstep);
    check.between_blocks();
    check.found
}

/// The questions about one kernel.
pub(super) struct Check<'a, 'b, 's> {
    pub(super) s: &'b mut Summary<'a>,
    memory: &'b RootMemory,
    pub(super) shape: &'b Shape,
    solver: &'s mut dyn Solver,
    known: FxHashMap<Vec<Term>, Answer>,
    pub(super) found: Races,
    asked: FxHashSet<(Member, Member, Apart)>,
    /// What the solver may spend, in its own units.
    pub(super) limit: u64,
    /// What it has spent.
    pub(super) spent: u64,
    /// What it has spent on launches for findings.
    pub(super) modelled: u64,
    /// How far from the start of their objects the accesses of the question are, if there are any.
    pub(super) reach: Vec<Term>,
    /// Conditions on the launch.
    facts: Vec<Term>,
    /// The threads of a warp execute each instruction together.
    pub(super) lockstep: bool,
    /// Iterations are told from barriers of the grid.
    pub(super) of_grid: bool,
    /// Steps of work without a solver.
    pub(super) steps: u32,
    /// In which iteration loops are left, as far as somebody has asked.
    pub(super) exits: FxHashMap<(u32, Args), Option<u128>>,
    /// Iterations of loops behind which no thread goes on, as far as somebody has asked.
    pub(super) most: FxHashMap<u32, Option<u128>>,
    /// Terms of the question that are exact where no signed arithmetic overflows.
    pub(super) exact: FxHashSet<Term>,
    /// Atomic additions whose results differ, once somebody has asked.
    pub(super) tickets: Option<Vec<Ticket>>,
    /// Whether each thread reads before it writes, once somebody has asked.
    pub(super) reads_first: Option<bool>,
    /// Pairs of accesses of which nothing is known.
    pub(super) unknown: usize,
    /// Whether fewer than 2³¹ threads are along an axis.
    pub(super) few_along: FxHashMap<u8, bool>,
    /// What the next questions are about.
    pub(super) topic: Topic,
}

/// What questions are about.
pub(super) struct Topic {
    /// The check that asks.
    pub(super) check: verdict::Check,
    /// What is asked.
    pub(super) asks: &'static str,
    /// The instructions that the question is about: that of thread 1 first.
    pub(super) insts: SmallVec<[Inst; 2]>,
}

impl Topic {
    fn about(&self, s: &Summary<'_>) -> About {
        let func = s.cx.func;
        let places = self.insts.iter().filter_map(|&i| func.locs[i].expand());
        About {
            kernel: func.display_name.clone(),
            check: self.check,
            asks: self.asks,
            places: places.map(|loc| Span::new(&s.cx.module.source, loc, "")).collect(),
        }
    }
}

impl<'a, 'b, 's> Check<'a, 'b, 's> {
    pub(super) fn new(
        s: &'b mut Summary<'a>,
        memory: &'b RootMemory,
        shape: &'b Shape,
        solver: &'s mut dyn Solver,
    ) -> Check<'a, 'b, 's> {
        let (known, asked, exact) = (FxHashMap::default(), FxHashSet::default(), FxHashSet::default());
        let mut found = Races::default();
        found.premises.distinct_parameters = distinct_matters(s);
        let topic = Topic {
            check: verdict::Check::Launch,
            asks: "whether such a launch exists",
            insts: SmallVec::new(),
        };
        let limit = s.budget.as_ref().map_or(u64::MAX, |b| b.allowance());
        Check {
            s,
            memory,
            shape,
            solver,
            known,
            found,
            asked,
            limit,
            spent: 0,
            modelled: 0,
            reach: Vec::new(),
            facts: Vec::new(),
            lockstep: false,
            of_grid: false,
            exact,
            steps: 0,
            exits: FxHashMap::default(),
            most: FxHashMap::default(),
            few_along: FxHashMap::default(),
            tickets: None,
            reads_first: None,
            unknown: 0,
            topic,
        }
    }

    /// What was taken for granted so far.
    pub(super) fn premises(&self) -> Premises {
        self.found.premises
    }
}

impl Check<'_, '_, '_> {
    pub(super) fn in_blocks(&mut self, lockstep: bool) {
        let threads = self.shape.threads();
        if threads == Some(1) {
            return;
        }
        // That the lanes of a warp meet is a premise, which nobody takes for granted where all is told.
        let warps =
            !self.s.told && self.s.cx.func.insts.values().any(|i| matches!(i, InstData::WarpSync { .. }));
        let all = intervals(self.s, Order::Block);
        self.found.premises.convergence = all.len() > 1;
        // Where warps synchronise by themselves, threads of one warp have shorter intervals.
        self.lockstep = lockstep;
        let apart = if warps || lockstep { Apart::Warps } else { Apart::InBlock };
        if apart == Apart::InBlock || threads.is_none_or(|n| n > 32) {
            for members in &all {
                self.interval(members, apart);
            }
        }
        if lockstep {
            // One volatile instruction for two threads at a time.
            let volatile = |a: &Access| a.volatile && a.touch == Touch::Write;
            for n in 0..self.s.accesses.len() {
                if !volatile(&self.s.accesses[n]) {
                    continue;
                }
                let block = self.s.accesses[n].block;
                let iterations = self.s.cx.control.cycles_of(block).map(|c| (c, Iteration::Same)).collect();
                let member = Member { access: n, iterations, left: SmallVec::new() };
                self.pair(member.clone(), member, Apart::InWarp);
            }
        }
        if warps || lockstep {
            for members in &intervals(self.s, Order::Warp) {
                self.interval(members, Apart::InWarp);
            }
        }
    }

    pub(super) fn between_blocks(&mut self) {
        if self.shape.grid == [Some(1); 3] {
            return;
        }
        let all = intervals(self.s, Order::Grid);
        self.found.premises.grid_convergence = all.len() > 1;
        for mut members in all {
            members.retain(|m| !self.s.is_shared(self.s.accesses[m.access].base));
            self.interval(&members, Apart::Blocks);
        }
    }

    /// Looks at every pair of an interval.
    fn interval(&mut self, members: &[Member], apart: Apart) {
        self.of_grid = apart == Apart::Blocks;
        for (n, a) in members.iter().enumerate() {
            for b in &members[n..] {
                let (x, y) = (&self.s.accesses[a.access], &self.s.accesses[b.access]);
                if !(x.touch.writes() || y.touch.writes()) || both_atomic(x, y, apart) {
                    continue;
                }
                let in_step = self.lockstep && apart == Apart::InWarp && x.volatile && y.volatile;
                if !in_step && self.may_alias(x, y) {
                    self.pair(a.clone(), b.clone(), apart);
                }
            }
        }
    }

    /// Whether two accesses may hit one object. Parameters are taken to point to distinct objects.
    pub(super) fn may_alias(&self, x: &Access, y: &Access) -> bool {
        if x.base.is_known() && y.base.is_known() {
            return self.object(x.base).0 == self.object(y.base).0;
        }
        // No pointer is to the array of a surface.
        if x.base.is_surface() || y.base.is_surface() {
            return false;
        }
        self.memory.may_overlap(x.place, y.place, true)
    }

    /// The object that a pointer points into, and how many bytes from its start that one's offsets count, if at all;
    /// an error where this is not known.
    fn object(&self, base: Base) -> (Base, Result<Option<Term>, ()>) {
        let alias = match base {
            Base::Param(n) => self.s.aliases.iter().find(|a| a.param == n),
            _ => None,
        };
        match alias {
            Some(a) => (Base::Param(a.of), a.distance.map(Some).ok_or(())),
            None => (base, Ok(None)),
        }
    }

    /// Asks whether two threads can meet at two accesses, and writes down what is not excluded.
    pub(super) fn pair(&mut self, mut a: Member, mut b: Member, apart: Apart) {
        // Both an iteration later is as both in the same.
        let speaks_of =
            |m: &Member, c: usize| m.left.iter().any(|left| left.iter().any(|&(cycle, _)| cycle == c));
        let told: SmallVec<[usize; 4]> =
            a.iterations.iter().map(|i| i.0).filter(|&c| speaks_of(&a, c) || speaks_of(&b, c)).collect();
        for (c, i) in &mut a.iterations {
            if *i == Iteration::Next
                && !told.contains(c)
                && let Some(other) = b.iterations.iter_mut().find(|o| o.0 == *c && o.1 == Iteration::Next)
            {
                other.1 = Iteration::Same;
                *i = Iteration::Same;
            }
        }
        if !self.asked.insert((a.clone(), b.clone(), apart)) {
            return;
        }
        let conflicts = &self.found.conflicts;
        let known = conflicts
            .iter()
            .any(|c| c.accesses == (a.access, b.access) && matches!(c.meeting, Meeting::Possible(_)));
        let met = |n: usize| conflicts.iter().any(|c| c.is_of(n));
        if known || self.s.told && met(a.access) && met(b.access) {
            return;
        }
        if self.found.questions >= MAX_QUESTIONS {
            self.conflict(&a, &b, apart, Meeting::Unknown("the kernel has too many accesses".to_owned()));
            return;
        }
        let (x, y) = (self.s.accesses[a.access].clone(), self.s.accesses[b.access].clone());
        if !(x.base.is_known() && x.base == y.base) {
            let why = match (self.object(x.base), self.object(y.base)) {
                ((o, Ok(_)), (p, Ok(_))) if o == p && o.is_known() => None,
                ((o, _), (p, _)) if o == p && o.is_known() => {
                    Some("two parameters point to the same memory, at an unknown distance")
                }
                _ => Some("where a pointer points to is not known"),
            };
            if let Some(why) = why {
                self.conflict(&a, &b, apart, Meeting::Unknown(why.to_owned()));
                return;
            }
        }
        // A question takes its time before it is asked. One more that is open changes no verdict.
        if self.unknown > 0
            && !self.s.told
            && let Some(meeting) = self.spent_out().and_then(Meeting::open)
        {
            self.conflict(&a, &b, apart, meeting);
            return;
        }
        let shared = self.s.is_shared(x.base) || self.s.is_shared(y.base);
        self.topic = Topic {
            check: if shared { verdict::Check::SharedRaces } else { verdict::Check::GlobalRaces },
            asks: apart.asks(),
            insts: SmallVec::from_slice(&[x.inst, y.inst]),
        };
        let conditions = self.question(&a, &b, apart, false);
        match self.ask(&conditions) {
            Answer::No => {}
            Answer::Unknown(why) => self.conflict(&a, &b, apart, Meeting::Unknown(why)),
            Answer::Cut => self.conflict(&a, &b, apart, Meeting::Cut),
            Answer::Yes(_) => {
                let mut witness = self.witness(&conditions);
                let mut values_told = true;
                if let Some(differ) = self.values_differ(&a, &b, apart, &x, &y) {
                    let mut conditions = self.question(&a, &b, apart, true);
                    conditions.push(differ);
                    self.topic.asks = "whether two threads can write different values to the same bytes";
                    values_told = match self.ask(&conditions) {
                        Answer::No => {
                            self.conflict(&a, &b, apart, Meeting::SameValue(witness));
                            return;
                        }
                        Answer::Yes(_) => true,
                        Answer::Unknown(_) | Answer::Cut => false,
                    };
                    // That two values which memory holds may be equal makes it no less certain that two threads meet.
                    witness.values = self.values(&conditions);
                }
                if values_told {
                    witness.certain = self.certain(&a, &b, apart, &witness);
                }
                self.conflict(&a, &b, apart, Meeting::Possible(witness));
            }
        }
    }

    fn conflict(&mut self, a: &Member, b: &Member, apart: Apart, meeting: Meeting) {
        self.unknown += usize::from(meeting.is_open());
        let conflict = Conflict { accesses: (a.access, b.access), apart, meeting };
        // Thousands of pairs say no more than the first hundred.
        if self.unknown <= MAX_UNKNOWN || !self.found.say(&conflict) {
            self.found.add(conflict);
        }
    }

    /// Whether the conditions can hold together, and the values of their [symbols](Self::symbols) if they can.
    pub(super) fn ask(&mut self, conditions: &[Term]) -> Answer {
        let mut key = conditions.to_vec();
        key.sort_unstable();
        key.dedup();
        if self.never_holds(&key) {
            return Answer::No;
        }
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        if self.s.told {
            let answer = self.without_solver(&key);
            self.known.insert(key, answer.clone());
            return answer;
        }
        if let Some(answer) = self.spent_out() {
            return answer;
        }
        let told = self.s.told_along;
        self.found.premises.few_threads |= (0..3).any(|d| self.shape.grid[d].is_none() && !told[d]);
        let answer = if self.excluded_by_lemmas(&key) || self.excluded_without_host(&key) {
            Answer::No
        } else {
            let wanted = self.symbols(&key);
            self.put_paid(&key, &wanted)
        };
        self.known.insert(key, answer.clone());
        answer
    }

    /// Whether no solver is needed: a condition is false.
    pub(super) fn never_holds(&self, conditions: &[Term]) -> bool {
        conditions.iter().any(|&c| self.s.terms.bits(c) == Some(0))
    }

    /// Puts a question to the solver that may take so many units.
    pub(super) fn put(&mut self, conditions: &[Term], wanted: &[Term], units: u64) -> Answer {
        self.found.questions += 1;
        let (s, topic) = (&*self.s, &self.topic);
        self.solver.about(&|| topic.about(s));
        ask(self.solver, &self.s.terms, conditions, wanted, units, &mut self.spent)
    }

    /// The symbols in some conditions.
    fn symbols(&self, conditions: &[Term]) -> Vec<Term> {
        let mut out = self.s.terms.subterms(conditions.iter().copied());
        out.retain(|&t| matches!(self.s.terms.node(t), Node::Sym { .. }));
        out.sort_unstable();
        out
    }

    /// The values of all symbols where the conditions hold.
    pub(super) fn witness(&mut self, conditions: &[Term]) -> Witness {
        let data = self.s.terms.subterms(conditions.iter().copied()).into_iter().any(|t| {
            // The last iteration of a loop follows from what the loop tests.
            matches!(self.s.terms.node(t), Node::App { func, .. } if !matches!(func, Func::Exit(_)))
        });
        let (values, launch) = (self.values(conditions), self.counterexample(conditions));
        Witness { values, data, certain: None, launch }
    }

    fn values(&mut self, conditions: &[Term]) -> Vec<(Node, u128)> {
        let Answer::Yes(values) = self.ask(conditions) else { return Vec::new() };
        let wanted = self.symbols(conditions);
        wanted.iter().map(|&w| self.s.terms.node(w).clone()).zip(values).collect()
    }

    /// What holds where thread 1 comes to `a`, thread 2 to `b`, and both touch one byte.
    /// With `values`, what they write may be spoken of.
    fn question(&mut self, a: &Member, b: &Member, apart: Apart, values: bool) -> Vec<Term> {
        let shared = apart.shares();
        self.exact.clear();
        self.reach.clear();
        let mut out = self.launch();
        let mut sides = Vec::new();
        for (copy, m) in [(1u8, a), (2, b)] {
            let access = self.s.accesses[m.access].clone();
            let raw = self.conditions(&access, &m.iterations, values);
            self.note_exact([access.offset, access.guard], &m.iterations, (copy, shared));
            self.add_of(raw, (copy, shared), &mut out);
            let mut offset = access.offset;
            if let Ok(Some(distance)) = self.object(access.base).1 {
                offset = self.s.terms.add(offset, distance);
            }
            let at = [offset, access.bytes].map(|t| {
                let t = self.iterate(t, &m.iterations);
                self.s.terms.instance(t, copy, shared)
            });
            sides.push(at);
            self.reach.push(at[0]);
        }
        let apart_is = self.apart(apart);
        self.flatten(apart_is, &mut out);
        let overlap = self.overlap(sides[0], sides[1]);
        self.flatten(overlap, &mut out);
        for (copy, m) in [(1, a), (2, b)] {
            if self.s.told {
                self.left_when_told(m, (copy, shared), &mut out);
            } else {
                self.left_behind(m, (copy, shared), &mut out);
            }
        }
        if !self.s.told {
            self.tickets_differ(apart, &mut out);
        }
        out
    }

    /// Adds that the loops which a thread has left since it last met the others did not go on in the iterations in which it
    /// left them: another thread, which is in the same iteration, is still in them only if they may disagree in that.
    fn left_behind(&mut self, m: &Member, (copy, shared): (u8, Uniformity), out: &mut Vec<Term>) {
        for left in &m.left {
            let cycle = left[0].0;
            let Some(again) = self.s.loops[cycle].again else { continue };
            let counter = self.s.counter(cycle);
            let mut holds = self.s.turn(cycle, counter, &[], true);
            holds.push(self.s.terms.not(again));
            self.found.premises.counters = true;
            let holds = holds.into_iter().map(|t| self.iterate(t, left)).collect();
            self.add_of(holds, (copy, shared), out);
        }
    }

    /// Keeps which terms of a question are exact: those in `roots`, as a thread has them.
    pub(super) fn note_exact(
        &mut self,
        roots: [Term; 2],
        iterations: &Iterations,
        (copy, shared): (u8, Uniformity),
    ) {
        for t in self.s.terms.subterms(roots) {
            if self.s.exact.contains(&t) {
                let t = self.iterate(t, iterations);
                let t = self.s.terms.instance(t, copy, shared);
                self.exact.insert(t);
            }
        }
    }

    /// Adds conditions as one of the threads has them: its number, and in which values it agrees with the other one.
    pub(super) fn add_of(
        &mut self,
        conditions: Vec<Term>,
        (copy, shared): (u8, Uniformity),
        out: &mut Vec<Term>,
    ) {
        for t in conditions {
            let t = self.s.terms.instance(t, copy, shared);
            self.flatten(t, out);
        }
    }

    /// What holds of every launch in which a thread fails no assumption.
    pub(super) fn launch_as_assumed(&mut self) -> Vec<Term> {
        let mut out = self.launch();
        for t in self.s.failed_assumptions() {
            let fine = self.s.terms.not(t);
            self.add_of(vec![fine], (1, Uniformity::Block), &mut out);
        }
        out
    }

    /// Adds a conjunction's parts.
    pub(super) fn flatten(&mut self, t: Term, out: &mut Vec<Term>) {
        match *self.s.terms.node(t) {
            Node::Binary(BinaryOp::And, x, y) if self.s.terms.width(t) == 1 => {
                self.flatten(x, out);
                self.flatten(y, out);
            }
            Node::Const(1) => {}
            _ => {
                if !out.contains(&t) {
                    out.push(t);
                }
            }
        }
    }

    /// The guard of an access and what is known of the loops around it and before it.
    fn conditions(&mut self, access: &Access, iterations: &Iterations, values: bool) -> Vec<Term> {
        let mut roots = vec![access.guard, access.offset, access.bytes];
        roots.extend(access.value.filter(|_| values));
        let mut out = self.context(&roots, iterations, false);
        out.push(self.iterate(access.guard, iterations));
        out
    }

    /// What is known of the iterations that a thread is in, and of the loops before that these terms speak of; with `end`
    /// these ended.
    pub(super) fn context(&mut self, roots: &[Term], iterations: &Iterations, end: bool) -> Vec<Term> {
        let cycles: SmallVec<[usize; 4]> = iterations.iter().map(|i| i.0).collect();
        let (facts, premises) = self.s.context(roots, &cycles, end);
        self.found.premises.join(premises);
        facts.into_iter().map(|t| self.iterate(t, iterations)).collect()
    }

    /// A term with the counters of barrier loops told from the barrier's.
    pub(super) fn iterate(&mut self, t: Term, iterations: &Iterations) -> Term {
        let mut with = Vec::new();
        for &(cycle, iteration) in iterations {
            let counter = self.s.counter(cycle);
            with.extend(self.counter_in((cycle, iteration)).map(|is| (counter, is)));
        }
        self.s.terms.replace(t, &with)
    }

    /// A loop's counter in an iteration that is told from the one at a barrier.
    pub(super) fn counter_in(&mut self, (cycle, iteration): (usize, Iteration)) -> Option<Term> {
        let common = if self.of_grid { Sym::Everywhere } else { Sym::Common };
        let terms = &mut self.s.terms;
        let at_barrier = terms.sym(common(cycle as u32), 64);
        Some(match iteration {
            Iteration::Any => return None,
            Iteration::Same => at_barrier,
            Iteration::Next => {
                let one = terms.constant(1, 64);
                terms.add(at_barrier, one)
            }
            Iteration::First => terms.constant(0, 64),
        })
    }

    fn thread_sym(&mut self, sym: Sym, copy: u8, shared: Uniformity) -> Term {
        let t = self.s.terms.sym(sym, 32);
        self.s.terms.instance(t, copy, shared)
    }

    /// What holds of every launch and of the two threads' indices.
    pub(super) fn launch(&mut self) -> Vec<Term> {
        if self.facts.is_empty() {
            self.facts = launch_facts(&mut self.s.terms, self.shape, self.s.told_along);
            let given = self.s.launch.clone();
            for t in given {
                let mut parts = Vec::new();
                self.flatten(t, &mut parts);
                self.facts.extend(parts);
            }
        }
        let facts = self.facts.clone();
        let mut out = Vec::new();
        for t in facts {
            for copy in [1, 2] {
                for shared in [Uniformity::Block, Uniformity::Grid] {
                    let is = self.s.terms.instance(t, copy, shared);
                    if self.s.terms.bits(is) != Some(1) && !out.contains(&is) {
                        out.push(is);
                    }
                }
            }
        }
        out
    }

    /// The two threads are two.
    pub(super) fn apart(&mut self, apart: Apart) -> Term {
        let mut differ = self.s.terms.truth(false);
        for d in 0..3u8 {
            let (extent, sym, shared) = match apart {
                Apart::Blocks => (self.shape.grid[d as usize], Sym::Bid(d), Uniformity::Grid),
                _ => (self.shape.block[d as usize], Sym::Tid(d), Uniformity::Block),
            };
            if extent == Some(1) {
                continue;
            }
            let (x, y) = (self.thread_sym(sym, 1, shared), self.thread_sym(sym, 2, shared));
            let ne = self.s.terms.compare(IntCC::Ne, x, y);
            differ = self.s.terms.or(differ, ne);
        }
        if !matches!(apart, Apart::Warps | Apart::InWarp) {
            return differ;
        }
        let linear = linear_thread(&mut self.s.terms, self.shape);
        let size = self.s.terms.constant(32, 32);
        let warp = self.s.terms.binary(BinaryOp::Udiv, linear, size);
        let [x, y] = [1, 2].map(|c| self.s.terms.instance(warp, c, Uniformity::Block));
        let cc = if apart == Apart::InWarp { IntCC::Eq } else { IntCC::Ne };
        let warps = self.s.terms.compare(cc, x, y);
        self.s.terms.and(differ, warps)
    }

    /// Two ranges of bytes have a common one.
    pub(super) fn overlap(&mut self, [x, n]: [Term; 2], [y, m]: [Term; 2]) -> Term {
        let terms = &mut self.s.terms;
        if let (Some(n), Some(m)) = (terms.bits(n), terms.bits(m))
            && n == m
            && n.is_power_of_two()
            && terms.trailing_zeros(x).min(terms.trailing_zeros(y)) >= n.trailing_zeros()
        {
            return terms.compare(IntCC::Eq, x, y);
        }
        let (up, down) = (terms.sub(y, x), terms.sub(x, y));
        let (first, second) = (terms.compare(IntCC::Ult, up, n), terms.compare(IntCC::Ult, down, m));
        terms.or(first, second)
    }

    /// That two writes write different values, where both are known as terms.
    fn values_differ(
        &mut self,
        a: &Member,
        b: &Member,
        apart: Apart,
        x: &Access,
        y: &Access,
    ) -> Option<Term> {
        let (v, w) = (x.value?, y.value?);
        if x.touch != Touch::Write
            || y.touch != Touch::Write
            || self.s.terms.width(v) != self.s.terms.width(w)
        {
            return None;
        }
        // Long sums of what memory holds differ in some memory.
        if v != w && self.s.terms.subterms([v, w]).len() > MAX_VALUE {
            return None;
        }
        let shared = apart.shares();
        let v = self.iterate(v, &a.iterations);
        let w = self.iterate(w, &b.iterations);
        let v = self.s.terms.instance(v, 1, shared);
        let w = self.s.terms.instance(w, 2, shared);
        Some(self.s.terms.compare(IntCC::Ne, v, w))
    }
}

/// Whether two accesses are atomic to each other.
fn both_atomic(x: &Access, y: &Access, apart: Apart) -> bool {
    let atomic = |t: Touch| matches!(t, Touch::Atomic { wide, .. } if wide || apart != Apart::Blocks);
    // One that covers a part of the other is another matter.
    atomic(x.touch) && atomic(y.touch) && x.bytes == y.bytes
}

/// Whether anything hangs on what two parameters, or a parameter and a variable, point to being distinct: one of two
/// such objects in device memory is written.
pub(super) fn distinct_matters(s: &Summary<'_>) -> bool {
    let outside = |a: &&Access| a.base.is_known() && !s.is_shared(a.base);
    let written = s.accesses.iter().filter(outside).filter(|a| a.touch.writes());
    let object = |base: Base| {
        s.aliases.iter().find(|a| Base::Param(a.param) == base).map_or(base, |a| Base::Param(a.of))
    };
    // No pointer is to the array of a surface.
    let apart = |a: Base, b: Base| a.is_surface() == b.is_surface() && object(a) != object(b);
    written.into_iter().any(|w| s.accesses.iter().filter(outside).any(|a| apart(a.base, w.base)))
}
