//! Closed forms of what loops carry.

use super::*;

/// The closed forms of loops' variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Forms {
    /// By parameter of a loop's head.
    closed: FxHashMap<Value, Term>,
    /// The counters around the head of each such parameter.
    heads: FxHashMap<Value, Vec<Term>>,
}

impl Forms {
    /// A term with closed forms in the place of variables that have one. An outer loop's closed form may stand in an inner
    /// one's: until nothing changes. `done` keeps what each term is after one such step, between calls as well.
    pub(super) fn resolve(&self, terms: &mut Terms, mut t: Term, done: &mut FxHashMap<Term, Term>) -> Term {
        for _ in 0..8 {
            let new = terms.rewrite(t, done, &mut |terms, at| {
                let Node::App { func: Func::Value(p), args, .. } = terms.node(at).clone() else {
                    return None;
                };
                let form = *self.closed.get(&p)?;
                let with: Vec<(Term, Term)> = self.heads[&p].iter().copied().zip(args).collect();
                Some(terms.replace(form, &with))
            });
            if new == t {
                break;
            }
            t = new;
        }
        t
    }
}

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
            } else if let (Val::Int(init), Some(Val::Int(next))) = (&phi.init, self.next(phi)) {
                let (init, own) = (*init, self.own(phi));
                self.s.loops[phi.cycle].steps.push(Step { own, init, next });
            }
        }
        let mut heads: FxHashMap<Value, Vec<Term>> = FxHashMap::default();
        for phi in &phis {
            let head = self.s.cx.control.cycle_head(phi.cycle);
            let counters = self.s.counters(head).to_vec();
            heads.insert(phi.param, counters);
        }
        let objects = std::mem::take(&mut self.objects);
        let resolved_base = |mut b: Base| {
            for _ in 0..=bases.len() {
                let Base::Phi(p) = b else { return b };
                b = bases.get(&p).or(objects.get(&p)).copied().unwrap_or(Base::Other(p));
            }
            b
        };
        let forms = Forms { closed, heads };
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        let mut resolve = |terms: &mut Terms, t: Term| forms.resolve(terms, t, &mut done);
        let mut accesses = std::mem::take(&mut self.s.accesses);
        for a in &mut accesses {
            a.base = resolved_base(a.base);
            for t in [&mut a.offset, &mut a.bytes, &mut a.guard].into_iter().chain(&mut a.value) {
                *t = resolve(&mut self.s.terms, *t);
            }
        }
        accesses.retain(|a| a.base.is_visible() && self.s.terms.bits(a.guard) != Some(0));
        self.s.accesses = accesses;
        let mut suspects = std::mem::take(&mut self.s.suspects);
        for s in &mut suspects {
            s.base = resolved_base(s.base);
            for t in [&mut s.offset, &mut s.bytes, &mut s.guard] {
                *t = resolve(&mut self.s.terms, *t);
            }
        }
        self.s.suspects = suspects;
        let exact = std::mem::take(&mut self.s.exact);
        self.s.exact = exact.into_iter().map(|t| resolve(&mut self.s.terms, t)).collect();
        let mut sites = std::mem::take(&mut self.s.sites);
        for site in &mut sites {
            for t in site.args.iter_mut().flatten() {
                *t = resolve(&mut self.s.terms, *t);
            }
            for (base, t) in site.pointers.iter_mut().flatten() {
                *base = resolved_base(*base);
                *t = resolve(&mut self.s.terms, *t);
            }
        }
        self.s.sites = sites;
        let mut allocations = std::mem::take(&mut self.s.allocations);
        for a in &mut allocations {
            a.bytes = resolve(&mut self.s.terms, a.bytes);
        }
        self.s.allocations = allocations;
        let mut signed = std::mem::take(&mut self.s.signed);
        for t in signed.iter_mut().flat_map(|s| [&mut s.result, &mut s.fact]) {
            *t = resolve(&mut self.s.terms, *t);
        }
        self.s.signed = signed;
        let mut guards = std::mem::take(&mut self.s.guards);
        for g in &mut guards {
            *g = resolve(&mut self.s.terms, *g);
        }
        self.s.guards = guards;
        let mut loops = std::mem::take(&mut self.s.loops);
        for l in &mut loops {
            for t in l.again.iter_mut().chain(l.fits.iter_mut().map(|f| &mut f.holds)) {
                *t = resolve(&mut self.s.terms, *t);
            }
            for t in l.steps.iter_mut().flat_map(|s| [&mut s.init, &mut s.next]) {
                *t = resolve(&mut self.s.terms, *t);
            }
        }
        self.s.loops = loops;
        self.s.forms = forms;
    }

    /// What a head's parameter is called in the iteration of the counter.
    fn own(&mut self, phi: &Phi) -> Term {
        let args = self.s.counters(self.s.cx.control.cycle_head(phi.cycle));
        let scope = self.level(phi.param);
        let width = self.s.cx.func.value_type(phi.param).bits();
        self.s.terms.app(Func::Value(phi.param), scope, args, width)
    }

    /// Which parameter of its block a head's parameter is.
    fn position(&self, phi: &Phi) -> Option<usize> {
        let (func, control) = (self.s.cx.func, self.s.cx.control);
        let head = control.block(control.cycle_head(phi.cycle));
        func.block_params(head).iter().position(|&p| p == phi.param)
    }

    /// What a head's parameter becomes in the next iteration, if all ways back say the same.
    fn next(&mut self, phi: &Phi) -> Option<Val> {
        let cx = self.s.cx;
        let control = cx.control;
        let head = control.cycle_head(phi.cycle);
        let n = self.position(phi)?;
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
        next
    }

    /// What a head's parameter is in the iteration of the counter, and for a pointer its object.
    fn closed_form(&mut self, phi: &Phi) -> Option<(Term, Option<Base>)> {
        let n = self.position(phi)?;
        let (init, next, base) = match (&phi.init, self.next(phi)?) {
            (Val::Int(init), Val::Int(next)) => (*init, next, None),
            (Val::Ptr(init), Val::Ptr(next)) => match (&init[..], &next[..]) {
                ([i], [n]) if n.base == Base::Phi(phi.param) || n.base == i.base => {
                    (i.offset, n.offset, Some(i.base))
                }
                _ => return None,
            },
            _ => return None,
        };
        let width = self.s.terms.width(init);
        let own = self.own(phi);
        let counter = self.s.counter(phi.cycle);
        if let Some(step) = minus(&mut self.s.terms, next, own) {
            if self.varies(step, phi.cycle) {
                return None;
            }
            let fits = self.counts(phi, n, own);
            return Some((self.sum(init, step, (counter, phi.cycle), fits), base));
        }
        if let Some(form) = self.alternation(phi.cycle, init, next, own) {
            return Some((form, base));
        }
        // A shift by the same amount in each iteration, or a quotient by the same power of two.
        let Node::Binary(op, x, by) = *self.s.terms.node(next) else { return None };
        if x != own {
            return None;
        }
        let by = self.s.terms.bits(by)?;
        // A quotient of a negative number is rounded towards zero, as that of its absolute value.
        let quotient = op == BinaryOp::Sdiv;
        let (op, amount) = match op {
            BinaryOp::Lshr | BinaryOp::Ashr if by < u128::from(width) => (op, by),
            BinaryOp::Udiv if by.is_power_of_two() => (BinaryOp::Lshr, by.trailing_zeros().into()),
            // The greatest power of two is a negative number.
            BinaryOp::Sdiv if by.is_power_of_two() && by.trailing_zeros() + 1 < width => {
                (BinaryOp::Lshr, by.trailing_zeros().into())
            }
            // Doubling.
            BinaryOp::Imul if by.is_power_of_two() => (BinaryOp::Shl, by.trailing_zeros().into()),
            _ => return None,
        };
        // After as many iterations as there are bits, all are out, however many follow.
        let terms = &mut self.s.terms;
        let bits = terms.constant(width.into(), 64);
        let some = terms.compare(IntCC::Ult, counter, bits);
        let k = terms.ite(some, counter, bits);
        let each = terms.constant(amount, 64);
        let total = terms.mul(each, k);
        let bits_or_more = terms.compare(IntCC::Ult, bits, total);
        let total = terms.ite(bits_or_more, bits, total);
        let total = terms.trunc(total, width);
        let form = if quotient {
            let zero = terms.constant(0, width);
            let negative = terms.compare(IntCC::Slt, init, zero);
            let opposite = terms.sub(zero, init);
            let absolute = terms.ite(negative, opposite, init);
            let shifted = terms.binary(op, absolute, total);
            let back = terms.sub(zero, shifted);
            terms.ite(negative, back, shifted)
        } else {
            terms.binary(op, init, total)
        };
        if op == BinaryOp::Shl
            && let Some(undefined) = self.counts(phi, n, own)
        {
            // What is doubled loses no bits.
            let terms = &mut self.s.terms;
            let back = terms.binary(if undefined { BinaryOp::Ashr } else { BinaryOp::Lshr }, form, total);
            let same = terms.compare(IntCC::Eq, back, init);
            let holds = terms.and(some, same);
            self.s.loops[phi.cycle].fits.push(Fit { holds, undefined });
        }
        Some((form, base))
    }

    /// Whether a head's parameter counts iterations: the loop tests it, or overflow of its sum or product is undefined
    /// behaviour; and whether it is that. Another variable may wrap around as often as it likes.
    fn counts(&self, phi: &Phi, n: usize, own: Term) -> Option<bool> {
        let cx = self.s.cx;
        let head = cx.control.cycle_head(phi.cycle);
        let tested = self.s.loops[phi.cycle].again.is_some_and(|again| {
            let own = self.s.terms.node(own);
            self.s.terms.mentions(again, |node| node == own)
        });
        let back = cx.control.incoming(head).iter().filter(|e| cx.control.is_back_edge(e.0, head));
        let mut sums = back.map(|&(from, k)| match incoming_arg(&cx, from, k, n) {
            Some(Arg::Value(v)) => cx.func.def_inst(v).map(|i| &cx.func.insts[i]),
            _ => None,
        });
        let undefined = sums.all(|sum| matches!(sum, Some(InstData::Binary { nsw: true, .. })));
        (tested || undefined).then_some(undefined)
    }

    /// What changes to and fro: `c - x` or `x ^ c`, as the number of a buffer does.
    fn alternation(&mut self, cycle: usize, init: Term, next: Term, own: Term) -> Option<Term> {
        let (op, other) = match *self.s.terms.node(next) {
            Node::Binary(BinaryOp::Isub, c, x) if x == own => (BinaryOp::Isub, c),
            Node::Binary(BinaryOp::Xor, x, c) if x == own => (BinaryOp::Xor, c),
            Node::Binary(BinaryOp::Xor, c, x) if x == own => (BinaryOp::Xor, c),
            _ => return None,
        };
        let mentions_own = {
            let own = self.s.terms.node(own);
            self.s.terms.mentions(other, |node| node == own)
        };
        if self.varies(other, cycle) || mentions_own {
            return None;
        }
        let counter = self.s.counter(cycle);
        let terms = &mut self.s.terms;
        let odd = match op {
            BinaryOp::Isub => terms.sub(other, init),
            _ => terms.binary(op, init, other),
        };
        let is_odd = terms.trunc(counter, 1);
        Some(terms.ite(is_odd, odd, init))
    }

    /// `init + step * counter`. With `fits` the summary says that it does not wrap around, and whether that would be
    /// undefined.
    fn sum(&mut self, init: Term, step: Term, (counter, cycle): (Term, usize), fits: Option<bool>) -> Term {
        let terms = &mut self.s.terms;
        let width = terms.width(init);
        if width >= 64 {
            let all = terms.mul(step, counter);
            return terms.add(init, all);
        }
        let (i, s) = (terms.sext(init, 64), terms.sext(step, 64));
        let all = terms.mul(s, counter);
        let wide = terms.add(i, all);
        let short = terms.trunc(wide, width);
        if let Some(undefined) = fits {
            let again = terms.sext(short, 64);
            let holds = terms.compare(IntCC::Eq, again, wide);
            self.s.loops[cycle].fits.push(Fit { holds, undefined });
        }
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
