//! What is known of loops: of those that a thread is in, and of those that it left before.

use super::super::premises::Premises;
use super::*;
use rustc_hash::FxHashSet;

/// Of how many loops' ends the facts are taken. What a loop tests may hang on where another one ended an iteration of the
/// loop around them before, so that each end speaks of several further ones, without an end. To know less is no error: a
/// question has more answers then.
const MOST_EXITS: usize = 16;

/// An iteration in which a thread is or was, if it did not pass the loop by.
struct Turn {
    cycle: usize,
    k: Term,
    /// The counters of the loops around it, replaced.
    with: Vec<(Term, Term)>,
    passed_by: Option<Term>,
}

impl Summary<'_> {
    /// What is known of the iterations of `cycles` that a thread is in, and of the loops before that the `roots` speak
    /// of; with `end`, that these ended. And what is taken for granted.
    pub fn context(&mut self, roots: &[Term], cycles: &[usize], end: bool) -> (Vec<Term>, Premises) {
        let mut out = Vec::new();
        let mut turns: Vec<Turn> = Vec::new();
        for &cycle in cycles {
            let k = self.counter(cycle);
            out.extend(self.turn(cycle, k, &[], false));
            turns.push(Turn { cycle, k, with: Vec::new(), passed_by: None });
        }
        let asked = roots.to_vec();
        // Loops that were left before.
        let mut exits: Vec<(Term, u32, Args)> = Vec::new();
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let (mut from, mut known) = (0, 0);
        let mut roots = roots.to_vec();
        loop {
            let mut todo: Vec<Term> = std::mem::take(&mut roots);
            todo.extend_from_slice(&out[from..]);
            from = out.len();
            for t in todo {
                self.terms.for_each_exit(t, &mut seen, |exit, cycle, args| {
                    exits.push((exit, cycle, args.clone()));
                });
            }
            if exits.len() == known || known == MOST_EXITS {
                break;
            }
            while let Some((exit, cycle, args)) = exits.get(known).cloned().filter(|_| known < MOST_EXITS) {
                known += 1;
                let head = self.cx.control.cycle_head(cycle as usize);
                let outer = self.cx.control.around(cycle as usize);
                let with: Vec<(Term, Term)> = outer.into_iter().map(|c| self.counter(c)).zip(args).collect();
                // A thread that did not come to the loop was in no iteration of it; where all that came agree in the
                // number, the other thread's may be the same term.
                let guard = self.guards[head as usize];
                let came = self.terms.replace(guard, &with);
                let passed_by = self.terms.not(came);
                if end && let Some(again) = self.loops[cycle as usize].again {
                    let mut here = with.clone();
                    here.push((self.counter(cycle as usize), exit));
                    let goes_on = self.terms.replace(again, &here);
                    let ended = self.terms.not(goes_on);
                    out.push(self.terms.or(passed_by, ended));
                }
                for fact in self.turn(cycle as usize, exit, &with, true) {
                    out.push(self.terms.or(passed_by, fact));
                }
                turns.push(Turn { cycle: cycle as usize, k: exit, with, passed_by: Some(passed_by) });
            }
        }
        self.steps(&asked, &turns, &mut out);
        let counters = !self.told && (!cycles.is_empty() || !exits.is_empty());
        let premises = Premises { counters, loops_end: end && !exits.is_empty(), ..Premises::default() };
        (out, premises)
    }

    /// Adds how variables without a closed form changed, one iteration back, as far as they are spoken of.
    ///
    /// That is said of the iterations alone in which a thread is for certain: a term may be shared with another thread,
    /// which never comes to a later one.
    fn steps(&mut self, roots: &[Term], turns: &[Turn], out: &mut Vec<Term>) {
        if turns.iter().all(|turn| self.loops[turn.cycle].steps.is_empty()) {
            return;
        }
        let spoken_of = roots.iter().chain(&*out).copied();
        let seen: FxHashSet<Term> = self.terms.subterms(spoken_of).into_iter().collect();
        for turn in turns {
            let counter = self.counter(turn.cycle);
            let at = |k: Term| {
                let mut here = turn.with.clone();
                here.push((counter, k));
                here
            };
            let terms = &mut self.terms;
            let zero = terms.constant(0, 64);
            let first = terms.compare(IntCC::Eq, turn.k, zero);
            let later = terms.not(first);
            let minus = terms.constant(u128::from(u64::MAX), 64);
            let before = terms.add(turn.k, minus);
            for step in &self.loops[turn.cycle].steps {
                let own = terms.replace(step.own, &at(turn.k));
                if !seen.contains(&own) {
                    continue;
                }
                let next = terms.replace(step.next, &at(before));
                let init = terms.replace(step.init, &turn.with);
                for (other, value) in [(first, next), (later, init)] {
                    let is = terms.compare(IntCC::Eq, own, value);
                    let mut fact = terms.or(other, is);
                    if let Some(passed_by) = turn.passed_by {
                        fact = terms.or(passed_by, fact);
                    }
                    out.push(fact);
                }
            }
        }
    }

    /// What is known of iteration `k` of a cycle if a thread comes to it, with the counters around it replaced. In the
    /// iteration in which it is `left`, a variable that a loop tests may have wrapped around: `i-- > 0` does.
    pub fn turn(&mut self, cycle: usize, k: Term, with: &[(Term, Term)], left: bool) -> Vec<Term> {
        let mut out = Vec::new();
        let facts = self.loops[cycle].clone();
        let counter = self.counter(cycle);
        let terms = &mut self.terms;
        if !self.told {
            let most = terms.constant(1 << 31, 64);
            out.push(terms.compare(IntCC::Ult, k, most));
        }
        let zero = terms.constant(0, 64);
        let first = terms.compare(IntCC::Eq, k, zero);
        let minus = terms.constant(u128::from(u64::MAX), 64);
        let before = terms.add(k, minus);
        let at = |k: Term| {
            let mut here = with.to_vec();
            here.push((counter, k));
            here
        };
        for fit in facts.fits.into_iter().filter(|_| !self.told) {
            if left && !fit.undefined {
                let held = terms.replace(fit.holds, &at(before));
                out.push(terms.or(first, held));
            } else {
                out.push(terms.replace(fit.holds, &at(k)));
            }
        }
        // It was not the first, or the one before it went on.
        let Some(again) = facts.again else { return out };
        let went_on = terms.replace(again, &at(before));
        out.push(terms.or(first, went_on));
        out
    }
}
