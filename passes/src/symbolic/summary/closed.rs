//! Closed forms of what loops carry.

use super::*;

impl Follower<'_, '_> {
    /// Puts in closed forms where loops have them.
    pub(super) fn close(&mut self) {
        let phis = std::mem::take(&mut self.phis);
        let mut closed: FxHashMap<Value, Term> = FxHashMap::default();
        let mut bases: FxHashMap<Value, Base> = FxHashMap::default();
        for phi in &phis {
            if let Some((form, base)) = self.closed_form(phi) {
                closed.insert(phi.param, form);
                if let Some(base) = base {
                    bases.insert(phi.param, base);
                }
            }
        }
        let mut heads: FxHashMap<Value, Vec<Term>> = FxHashMap::default();
        for phi in &phis {
            let head = self.s.cx.control.cycle_head(phi.cycle);
            let counters = self.s.counters(head).to_vec();
            heads.insert(phi.param, counters);
        }
        let resolved_base = |mut b: Base| {
            for _ in 0..=bases.len() {
                let Base::Phi(p) = b else { return b };
                b = bases.get(&p).copied().unwrap_or(Base::Other(p));
            }
            b
        };
        // An outer loop's closed form may stand in an inner one's: until nothing changes.
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        let mut resolve = |terms: &mut Terms, t: Term| {
            let mut t = t;
            for _ in 0..8 {
                done.clear();
                let new = terms.rewrite(t, &mut done, &mut |terms, at| {
                    let Node::App { func: Func::Value(p), args, .. } = terms.node(at).clone() else {
                        return None;
                    };
                    let form = *closed.get(&p)?;
                    let with: Vec<(Term, Term)> = heads[&p].iter().copied().zip(args).collect();
                    Some(terms.replace(form, &with))
                });
                if new == t {
                    break;
                }
                t = new;
            }
            t
        };
        let mut accesses = std::mem::take(&mut self.s.accesses);
        for a in &mut accesses {
            a.base = resolved_base(a.base);
            for t in [&mut a.offset, &mut a.bytes, &mut a.guard].into_iter().chain(&mut a.value) {
                *t = resolve(&mut self.s.terms, *t);
            }
        }
        accesses.retain(|a| a.base.is_visible() && self.s.terms.bits(a.guard) != Some(0));
        self.s.accesses = accesses;
        let mut guards = std::mem::take(&mut self.s.guards);
        for g in &mut guards {
            *g = resolve(&mut self.s.terms, *g);
        }
        self.s.guards = guards;
        let mut loops = std::mem::take(&mut self.s.loops);
        for l in &mut loops {
            for t in l.again.iter_mut().chain(&mut l.fits) {
                *t = resolve(&mut self.s.terms, *t);
            }
        }
        self.s.loops = loops;
    }

    /// What a head's parameter is in the iteration of the counter, and for a pointer its object.
    fn closed_form(&mut self, phi: &Phi) -> Option<(Term, Option<Base>)> {
        let cx = self.s.cx;
        let control = cx.control;
        let head = control.cycle_head(phi.cycle);
        let n = cx.func.block_params(control.block(head)).iter().position(|&p| p == phi.param)?;
        let mut next: Option<Val> = None;
        for &(from, k) in control.incoming(head) {
            if !control.is_back_edge(from, head) {
                continue;
            }
            let Some(Arg::Value(v)) = incoming_arg(&cx, from, k, n) else { return None };
            let val = self.value(v, from);
            // From an inner cycle's end.
            let val = self.leave_val(val, from, head);
            match &next {
                None => next = Some(val),
                Some(other) if *other == val => {}
                Some(_) => return None,
            }
        }
        let (init, next, base) = match (&phi.init, next?) {
            (Val::Int(init), Val::Int(next)) => (*init, next, None),
            (Val::Ptr(init), Val::Ptr(next)) => match (&init[..], &next[..]) {
                ([i], [n]) if n.base == Base::Phi(phi.param) || n.base == i.base => {
                    (i.offset, n.offset, Some(i.base))
                }
                _ => return None,
            },
            _ => return None,
        };
        let args = self.s.counters(head);
        let scope = self.uniformity.facts[phi.param].level;
        let width = self.s.terms.width(init);
        let own = self.s.terms.app(Func::Value(phi.param), scope, args, width);
        let counter = self.s.counter(phi.cycle);
        if let Some(step) = minus(&mut self.s.terms, next, own) {
            if self.varies(step, phi.cycle) {
                return None;
            }
            return Some((self.sum(init, step, counter, phi.cycle, width), base));
        }
        // A shift by the same amount in each iteration.
        let Node::Binary(op, x, by) = *self.s.terms.node(next) else { return None };
        if x != own || self.varies(by, phi.cycle) {
            return None;
        }
        let amount = match op {
            BinaryOp::Lshr | BinaryOp::Ashr => by,
            // Doubling.
            BinaryOp::Imul => {
                let factor = self.s.terms.bits(by).filter(|f| f.is_power_of_two())?;
                self.s.terms.constant(factor.trailing_zeros().into(), width)
            }
            _ => return None,
        };
        let k = if width < 64 { self.s.terms.trunc(counter, width) } else { counter };
        let total = self.s.terms.mul(amount, k);
        // So many iterations that the amount wraps around are none.
        let most = self.s.terms.constant(u128::from(u8::MAX), 64);
        let few = self.s.terms.compare(IntCC::Ule, counter, most);
        self.s.loops[phi.cycle].fits.push(few);
        let op = if op == BinaryOp::Imul { BinaryOp::Shl } else { op };
        Some((self.s.terms.binary(op, init, total), base))
    }

    /// `init + step * counter`, which the summary says does not wrap around.
    fn sum(&mut self, init: Term, step: Term, counter: Term, cycle: usize, width: u32) -> Term {
        let terms = &mut self.s.terms;
        if width >= 64 {
            let all = terms.mul(step, counter);
            return terms.add(init, all);
        }
        let (i, s) = (terms.sext(init, 64), terms.sext(step, 64));
        let all = terms.mul(s, counter);
        let wide = terms.add(i, all);
        let short = terms.trunc(wide, width);
        let again = terms.sext(short, 64);
        let fits = terms.compare(IntCC::Eq, again, wide);
        self.s.loops[cycle].fits.push(fits);
        short
    }

    /// Whether a term may change from one iteration of a cycle to the next.
    fn varies(&self, t: Term, cycle: usize) -> bool {
        self.s
            .terms
            .mentions(t, |n| matches!(n, Node::Sym { sym: Sym::Counter(c), .. } if *c == cycle as u32))
    }
}

/// What is added to `part` to make `t`, if it is a sum with it.
fn minus(terms: &mut Terms, t: Term, part: Term) -> Option<Term> {
    if t == part {
        let width = terms.width(t);
        return Some(terms.constant(0, width));
    }
    match *terms.node(t) {
        Node::Binary(BinaryOp::Iadd, a, b) => {
            if let Some(rest) = minus(terms, a, part) {
                return Some(terms.add(rest, b));
            }
            let rest = minus(terms, b, part)?;
            Some(terms.add(a, rest))
        }
        Node::Binary(BinaryOp::Isub, a, b) => {
            let rest = minus(terms, a, part)?;
            Some(terms.sub(rest, b))
        }
        _ => None,
    }
}
