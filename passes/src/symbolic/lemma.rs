//! Own procedures for products with what nobody tells, which a solver over bit-vectors finds hard.
//!
//! A question is asked again in a weaker form, in which such sums are symbols of their own and lemmas say what is needed
//! of them. *No* to it is *no* to the question; any other answer says nothing.
//!
//! - **Threads along an axis.** `blockIdx.x * blockDim.x + threadIdx.x`, where `blockDim.x` is not a constant, becomes a
//!   symbol. Of two threads it is equal just where block and thread are, it is in the order of blocks, and it is less than
//!   `gridDim.x * blockDim.x`, which becomes a symbol, too.
//! - **Digits.** Of `k * S + a` with `0 <= a < S` for two threads, equal sums have equal `k` and equal `a`: they are two
//!   digits to the base `S`. So it is with rows of an array, and with loops in strides of the grid. That `a` is a digit is
//!   asked of the solver. The sum has to be exact: because its parts are narrow, or because overflow is undefined. Where `k < H`,
//!   it is less than `H * S`, if that is exact.

use super::race::Check;
use super::term::*;
use crate::analysis::shape::Shape;
use cudair_ir::{BinaryOp, IntCC};
use rustc_hash::{FxHashMap, FxHashSet};

/// Sums to one base that are looked at in a question.
const MAX_SUMS: usize = 8;

/// `k * base + digit`.
#[derive(Clone, Copy)]
struct Sum {
    whole: Term,
    k: Term,
    base: Term,
    digit: Term,
    /// That it is exact rests on that no signed arithmetic overflows.
    signed: bool,
}

/// The weaker form of a question.
#[derive(Default)]
struct Weaker {
    /// What stands for terms.
    with: FxHashMap<Term, Term>,
    /// The same, and what was rewritten with it.
    done: FxHashMap<Term, Term>,
    /// What is known of the symbols.
    facts: Vec<Term>,
    symbols: u32,
}

impl Weaker {
    /// A symbol for what is all threads' (copy 0) or one thread's.
    fn symbol(&mut self, terms: &mut Terms, width: u32, copy: u8) -> Term {
        self.symbols += 1;
        terms.sym_of(Sym::Fresh(self.symbols), copy, width)
    }

    fn put(&mut self, whole: Term, symbol: Term) {
        self.with.insert(whole, symbol);
        self.done.clone_from(&self.with);
    }

    fn of(&mut self, terms: &mut Terms, t: Term) -> Term {
        terms.rewrite(t, &mut self.done, &mut |_, _| None)
    }
}

/// The parts of a sum or a product in both orders.
fn parts_of(terms: &Terms, t: Term, op: BinaryOp) -> Option<[(Term, Term); 2]> {
    match *terms.node(t) {
        Node::Binary(o, a, b) if o == op => Some([(a, b), (b, a)]),
        _ => None,
    }
}

/// A term without extensions; indices and extents are not negative.
fn narrow(terms: &Terms, t: Term) -> Term {
    let natural = |sym: Sym| matches!(sym, Sym::Tid(_) | Sym::Bid(_) | Sym::BlockDim(_) | Sym::GridDim(_));
    match *terms.node(t) {
        Node::Zext(inner) => inner,
        Node::Sext(inner) if matches!(*terms.node(inner), Node::Sym { sym, .. } if natural(sym)) => inner,
        _ => t,
    }
}

impl Check<'_, '_, '_> {
    /// Whether the lemmas exclude that the conditions hold together.
    pub(super) fn excluded_by_lemmas(&mut self, conditions: &[Term]) -> bool {
        let all = self.s.terms.subterms(conditions.iter().copied());
        let mut weaker = Weaker::default();
        let along = self.along_axes(&all, &mut weaker, conditions);
        self.arguments_told(conditions, &mut weaker);
        let conditions: Vec<Term> = conditions.iter().map(|&c| weaker.of(&mut self.s.terms, c)).collect();
        let exact: FxHashSet<Term> = {
            let exact = self.exact.clone();
            exact.into_iter().map(|t| weaker.of(&mut self.s.terms, t)).collect()
        };
        let sums = sums(&self.s.terms, &conditions, &exact);
        if !along && sums.is_empty() {
            return false;
        }
        // Inner sums come first: an outer one's digits speak of them.
        let mut digits: Vec<Sum> = Vec::new();
        let mut signed = false;
        for sum in sums {
            let Sum { whole, k, base, digit, .. } = sum;
            let [k, base, digit] = [k, base, digit].map(|t| weaker.of(&mut self.s.terms, t));
            let terms = &mut self.s.terms;
            let zero = terms.constant(0, terms.width(digit));
            let from = terms.compare(IntCC::Sle, zero, digit);
            let to = terms.compare(IntCC::Slt, digit, base);
            let is_digit = terms.and(from, to);
            let is_none = terms.not(is_digit);
            let mut asked: Vec<Term> = conditions.iter().map(|&c| weaker.of(terms, c)).collect();
            asked.extend(weaker.facts.iter().copied());
            asked.push(is_none);
            asked.retain(|&t| !is_hard(terms, t));
            if !self.exclude(&asked) {
                continue;
            }
            let terms = &mut self.s.terms;
            let symbol = weaker.symbol(terms, terms.width(whole), 1);
            let width = terms.width(digit);
            for other in &digits {
                if other.base != base || terms.width(other.digit) != width {
                    continue;
                }
                let equal = terms.compare(IntCC::Eq, symbol, other.whole);
                let differ = terms.not(equal);
                for (x, y) in [(k, other.k), (digit, other.digit)] {
                    let same = terms.compare(IntCC::Eq, x, y);
                    weaker.facts.push(terms.or(differ, same));
                }
            }
            weaker.put(whole, symbol);
            digits.push(Sum { whole: symbol, k, base, digit, signed: sum.signed });
            signed |= sum.signed;
        }
        let ranged = self.within_products(&conditions, &digits, &mut weaker);
        if !along && digits.len() < 2 && !ranged {
            return false;
        }
        signed |= self.scaled(&exact, &mut weaker);
        let mut asked: Vec<Term> = conditions.iter().map(|&c| weaker.of(&mut self.s.terms, c)).collect();
        asked.extend(weaker.facts.iter().copied());
        if ranged {
            asked.retain(|&t| !is_hard(&self.s.terms, t));
        }
        let excluded = self.exclude(&asked);
        self.found.premises.signed |= excluded && signed;
        excluded
    }

    /// Puts what a condition says that an argument is in the place of the parameter.
    fn arguments_told(&mut self, conditions: &[Term], weaker: &mut Weaker) {
        let terms = &self.s.terms;
        for &c in conditions {
            let Node::Compare(IntCC::Eq, a, b) = *terms.node(c) else { continue };
            for (param, is) in [(a, b), (b, a)] {
                let parameter = matches!(terms.node(param), Node::Sym { sym: Sym::Param(_), .. });
                let known = weaker.with.contains_key(&param);
                let open = terms.mentions(is, |n| matches!(n, Node::Sym { sym: Sym::Param(_), .. }));
                if parameter && !known && !open {
                    weaker.put(param, is);
                }
            }
        }
    }

    /// Says that a sum is less than a product whose exactness is a condition: `k * S + a < H * S` where `k < H`. So is an
    /// element of an array of `H` rows. Gives whether there is any.
    fn within_products(&mut self, conditions: &[Term], digits: &[Sum], weaker: &mut Weaker) -> bool {
        let terms = &mut self.s.terms;
        let mut any = false;
        for &c in conditions {
            for (product, rows, base, unless) in exact_products(terms, c) {
                let [rows, base] = [rows, base].map(|t| weaker.of(terms, t));
                if !digits.iter().any(|s| s.base == base) {
                    continue;
                }
                if !weaker.with.contains_key(&product) {
                    let symbol = weaker.symbol(terms, terms.width(product), 0);
                    weaker.put(product, symbol);
                }
                let p = weaker.of(terms, product);
                for sum in digits {
                    if sum.base != base || terms.width(sum.k) != terms.width(rows) {
                        continue;
                    }
                    let below = terms.compare(IntCC::Slt, sum.k, rows);
                    let beyond = terms.not(below);
                    let less = terms.compare(IntCC::Slt, sum.whole, p);
                    let zero = terms.constant(0, terms.width(rows));
                    let negative = terms.compare(IntCC::Slt, sum.k, zero);
                    let natural = terms.compare(IntCC::Sle, zero, sum.whole);
                    for (other, fact) in [(beyond, less), (negative, natural)] {
                        let mut fact = terms.or(other, fact);
                        if let Some(unless) = unless {
                            let unless = weaker.of(terms, unless);
                            fact = terms.or(unless, fact);
                        }
                        weaker.facts.push(fact);
                    }
                    any = true;
                }
            }
        }
        any
    }

    /// Of an index times a size, which is exact, equal products have equal indices. Gives whether there are any two.
    fn scaled(&mut self, exact: &FxHashSet<Term>, weaker: &mut Weaker) -> bool {
        let terms = &mut self.s.terms;
        let mut all: Vec<Term> = exact.iter().map(|&t| weaker.of(terms, t)).collect();
        all.sort_unstable();
        let mut indices: Vec<(Term, Term, Term)> = Vec::new();
        for t in all {
            let Node::Binary(BinaryOp::Imul, index, size) = *terms.node(t) else { continue };
            if terms.bits(size).is_some_and(|n| n != 0) && indices.len() < MAX_SUMS {
                indices.push((t, index, size));
            }
        }
        let mut any = false;
        for (n, &(t, index, size)) in indices.iter().enumerate() {
            for &(other, i, _) in indices[..n].iter().filter(|o| o.2 == size) {
                let equal = terms.compare(IntCC::Eq, t, other);
                let differ = terms.not(equal);
                let same = terms.compare(IntCC::Eq, index, i);
                weaker.facts.push(terms.or(differ, same));
                any = true;
            }
        }
        any
    }

    /// Puts symbols for threads along the axes. Gives whether there are any.
    fn along_axes(&mut self, all: &[Term], weaker: &mut Weaker, conditions: &[Term]) -> bool {
        let mut any = false;
        for d in 0..3u8 {
            if self.shape.block[usize::from(d)].is_some() || self.shape.grid[usize::from(d)] == Some(1) {
                continue;
            }
            // Per thread: its sum, and what that is made of.
            let mut found: Vec<(Term, Term, Term)> = Vec::new();
            for &t in all {
                let Some((bid, tid)) = self.s.terms.along(t, d) else { continue };
                found.push((t, bid, tid));
            }
            if found.is_empty() || !self.fits_along(d, conditions) {
                continue;
            }
            any = true;
            let total = self.total(d, all, weaker);
            let mut symbols: Vec<(Term, Term, Term)> = Vec::new();
            for (t, bid, tid) in found {
                let known = symbols.iter().find(|s| (s.1, s.2) == (bid, tid)).map(|s| s.0);
                let terms = &mut self.s.terms;
                let symbol = known.unwrap_or_else(|| weaker.symbol(terms, 32, 1));
                let width = terms.width(t);
                let wide = terms.zext(symbol, width);
                weaker.put(t, wide);
                if known.is_some() {
                    continue;
                }
                weaker.facts.push(terms.compare(IntCC::Ult, symbol, total));
                for &(other, b, t) in &symbols {
                    let same_block = terms.compare(IntCC::Eq, bid, b);
                    let (apart, inside) = (terms.sub(symbol, other), terms.sub(tid, t));
                    let equal = terms.compare(IntCC::Eq, apart, inside);
                    let others = terms.not(same_block);
                    weaker.facts.push(terms.or(others, equal));
                    for (x, y, p, q) in [(bid, b, symbol, other), (b, bid, other, symbol)] {
                        let before = terms.compare(IntCC::Ult, x, y);
                        let not = terms.not(before);
                        let less = terms.compare(IntCC::Ult, p, q);
                        weaker.facts.push(terms.or(not, less));
                    }
                }
                symbols.push((symbol, bid, tid));
            }
        }
        any
    }

    /// Whether fewer than 2³¹ threads are along an axis.
    fn fits_along(&mut self, d: u8, conditions: &[Term]) -> bool {
        if let Some(&known) = self.few_along.get(&d) {
            return known;
        }
        let shape: &Shape = self.shape;
        let fits = match shape.grid[usize::from(d)] {
            Some(n) => u64::from(n) * 1024 < 1 << 31,
            // A premise.
            None if !self.s.told_along[usize::from(d)] => true,
            None => {
                let terms = &mut self.s.terms;
                let [x, y] = [Sym::BlockDim(d), Sym::GridDim(d)].map(|s| {
                    let t = terms.sym(s, 32);
                    terms.zext(t, 64)
                });
                let all = terms.mul(x, y);
                let most = terms.constant(1 << 31, 64);
                let mut asked = conditions.to_vec();
                asked.push(terms.compare(IntCC::Ule, most, all));
                self.exclude(&asked)
            }
        };
        self.few_along.insert(d, fits);
        fits
    }

    /// The symbol for all threads along an axis.
    fn total(&mut self, d: u8, all: &[Term], weaker: &mut Weaker) -> Term {
        let terms = &mut self.s.terms;
        let symbol = weaker.symbol(terms, 32, 0);
        let zero = terms.constant(0, 32);
        weaker.facts.push(terms.compare(IntCC::Slt, zero, symbol));
        let block = terms.sym(Sym::BlockDim(d), 32);
        let grid = match self.shape.grid[usize::from(d)] {
            Some(n) => terms.constant(n.into(), 32),
            None => terms.sym(Sym::GridDim(d), 32),
        };
        for &t in all {
            let Some(parts) = parts_of(terms, t, BinaryOp::Imul) else { continue };
            if parts.iter().any(|&(a, b)| (narrow(terms, a), narrow(terms, b)) == (block, grid)) {
                let width = terms.width(t);
                let wide = terms.zext(symbol, width);
                weaker.put(t, wide);
            }
        }
        symbol
    }
}

/// Sums to a base that is not a constant, inner ones first.
fn sums(terms: &Terms, conditions: &[Term], exact: &FxHashSet<Term>) -> Vec<Sum> {
    let own = |t: Term| {
        terms.mentions(t, |n| matches!(n, Node::Sym { copy: 1.., .. } | Node::App { copy: 1.., .. }))
    };
    let mut out: Vec<Sum> = Vec::new();
    let mut sorted = terms.subterms(conditions.iter().copied());
    // A part is older than what it is part of.
    sorted.sort_unstable();
    for whole in sorted {
        let Some(parts) = parts_of(terms, whole, BinaryOp::Iadd) else { continue };
        for (product, digit) in parts {
            let Some(factors) = parts_of(terms, product, BinaryOp::Imul) else { continue };
            for (k, base) in factors {
                if terms.bits(base).is_some() || own(base) || !own(k) || terms.bits(k).is_some() {
                    continue;
                }
                let is_exact = exact.contains(&whole) && exact.contains(&product);
                // Two factors without a sign may fill all bits.
                let signed = [k, base].iter().any(|&t| !matches!(terms.node(t), Node::Zext(_)));
                let narrow = signed && [base, k, digit].iter().all(|&t| is_narrow(terms, t));
                if narrow || is_exact {
                    out.push(Sum { whole, k, base, digit, signed: !narrow });
                }
            }
        }
    }
    out.truncate(MAX_SUMS);
    out
}

/// The products of which a condition says that they are exact: the product, its factors in both orders, and what holds
/// where they are not.
fn exact_products(terms: &mut Terms, condition: Term) -> Vec<(Term, Term, Term, Option<Term>)> {
    let cases = match *terms.node(condition) {
        Node::Binary(BinaryOp::Or, a, b) => vec![(a, Some(b)), (b, Some(a))],
        _ => vec![(condition, None)],
    };
    let mut out = Vec::new();
    for (fact, unless) in cases {
        let Node::Compare(IntCC::Eq, l, r) = *terms.node(fact) else { continue };
        for (short, wide) in [(l, r), (r, l)] {
            let Node::Sext(product) = *terms.node(short) else { continue };
            let Node::Binary(BinaryOp::Imul, a, b) = *terms.node(product) else { continue };
            let width = terms.width(short);
            let [x, y] = [a, b].map(|t| terms.sext(t, width));
            if terms.mul(x, y) == wide {
                out.extend([(product, a, b, unless), (product, b, a, unless)]);
            }
        }
    }
    out
}

/// Whether a term of 64 bits has so few that a product of two and a sum are exact.
fn is_narrow(terms: &Terms, t: Term) -> bool {
    if terms.width(t) != 64 {
        return false;
    }
    match *terms.node(t) {
        Node::Zext(x) | Node::Sext(x) => terms.width(x) <= 32,
        // Fewer than 2³¹, as a premise says.
        Node::Sym { sym: Sym::Counter(_) | Sym::Common(_) | Sym::Everywhere(_), .. } => true,
        Node::Binary(BinaryOp::Iadd, a, b) => {
            let counter = matches!(terms.node(a), Node::Sym { sym: Sym::Common(_) | Sym::Everywhere(_), .. });
            counter && terms.bits(b) == Some(1)
        }
        _ => false,
    }
}

/// Whether there is a product of two terms that are not constants: no question about a bound needs it.
fn is_hard(terms: &Terms, t: Term) -> bool {
    terms.mentions(t, |n| {
        matches!(*n, Node::Binary(BinaryOp::Imul, a, b) if terms.bits(a).is_none() && terms.bits(b).is_none())
    })
}

impl Terms {
    /// The block and the thread of `blockIdx * blockDim + threadIdx` along an axis.
    fn along(&self, t: Term, d: u8) -> Option<(Term, Term)> {
        let sym = |t: Term| match *self.node(narrow(self, t)) {
            Node::Sym { sym, .. } => Some(sym),
            _ => None,
        };
        let sums = parts_of(self, t, BinaryOp::Iadd)?;
        sums.into_iter().find_map(|(product, tid)| {
            let factors = parts_of(self, product, BinaryOp::Imul)?;
            let (bid, _) = factors
                .into_iter()
                .find(|&(a, b)| sym(a) == Some(Sym::Bid(d)) && sym(b) == Some(Sym::BlockDim(d)))?;
            (sym(tid) == Some(Sym::Tid(d))).then(|| (narrow(self, bid), narrow(self, tid)))
        })
    }
}
