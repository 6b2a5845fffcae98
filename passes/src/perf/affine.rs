//! Values of one lane as sums over unknowns that all lanes of its warp share.
//!
//! Where nothing is unknown the arithmetic is exactly the machine's. With unknowns it is that of whole numbers: an index is
//! taken not to wrap around.

use crate::symbolic::term::{Node, Sym, Term, Terms, fold};
use cudair_ir::{BinaryOp, IntCC, Uniformity};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// The most products of one sum.
const MAX_PRODUCTS: usize = 32;

/// A product of unknowns, in order.
type Product = SmallVec<[Term; 2]>;

/// A sum: a constant, and products of unknowns with their factors, none of which is 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Sum {
    pub constant: i128,
    pub rest: BTreeMap<Product, i128>,
}

impl Sum {
    pub(super) fn constant(n: i128) -> Sum {
        Sum { constant: n, rest: BTreeMap::new() }
    }

    /// `factor` times an unknown, and a constant.
    pub(super) fn unknown(t: Term, factor: i128, constant: i128) -> Sum {
        Sum { constant, rest: BTreeMap::from([(SmallVec::from_slice(&[t]), factor)]) }
    }

    pub(super) fn as_constant(&self) -> Option<i128> {
        self.rest.is_empty().then_some(self.constant)
    }

    fn add(&self, other: &Sum, factor: i128) -> Option<Sum> {
        let mut out = self.clone();
        out.constant = out.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for (product, n) in &other.rest {
            let at = out.rest.entry(product.clone()).or_default();
            *at = at.checked_add(n.checked_mul(factor)?)?;
        }
        out.rest.retain(|_, n| *n != 0);
        (out.rest.len() <= MAX_PRODUCTS).then_some(out)
    }

    fn mul(&self, other: &Sum) -> Option<Sum> {
        let mut out = Sum::default();
        let parts = |s: &Sum| -> Vec<(Product, i128)> {
            let constant = (s.constant != 0).then(|| (Product::new(), s.constant));
            constant.into_iter().chain(s.rest.iter().map(|(p, n)| (p.clone(), *n))).collect()
        };
        for (p, n) in parts(self) {
            for (q, m) in parts(other) {
                let mut product: Product = p.iter().chain(&q).copied().collect();
                product.sort_unstable();
                let n = n.checked_mul(m)?;
                if product.is_empty() {
                    out.constant = out.constant.checked_add(n)?;
                } else {
                    let at = out.rest.entry(product).or_default();
                    *at = at.checked_add(n)?;
                }
            }
        }
        out.rest.retain(|_, n| *n != 0);
        (out.rest.len() <= MAX_PRODUCTS).then_some(out)
    }

    /// Whether it is the same for all warps of all blocks.
    pub(super) fn is_same_in_grid(&self, terms: &Terms) -> bool {
        self.rest.keys().flatten().all(|&t| {
            !terms.mentions(t, |node| match node {
                Node::Sym { sym, .. } => {
                    sym.scope() < Uniformity::Grid && !matches!(sym, Sym::Counter(_) | Sym::Common(_))
                }
                Node::App { scope, .. } => *scope < Uniformity::Grid,
                _ => false,
            })
        })
    }

    /// The greatest number that divides `of` and the factors of all unknowns.
    pub(super) fn granularity(&self, of: i128) -> i128 {
        let gcd = |mut a: i128, mut b: i128| {
            while b != 0 {
                (a, b) = (b, a % b);
            }
            a.abs()
        };
        self.rest.values().fold(of, |g, &n| gcd(g, n))
    }
}

/// What a term is for one lane.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Value {
    /// A sum whose unknowns all lanes of the warp share.
    Sum(Sum),
    /// Something else, which may differ from lane to lane.
    Varies,
}

/// A lane: what its indices are, and the terms that were looked at.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    /// Its number in the warp.
    pub number: usize,
    /// `threadIdx`: a number that is scaled by an unknown which the warp shares, and one that is added.
    pub thread: [(i128, i128); 3],
    /// `blockIdx`, where it is told.
    pub block: [Option<u32>; 3],
    /// Iterations of loops that are told.
    pub counters: Vec<(u32, u64)>,
    known: FxHashMap<Term, Value>,
}

impl Lane {
    pub(super) fn new(number: usize, thread: [(i128, i128); 3], block: [Option<u32>; 3]) -> Lane {
        Lane { number, thread, block, counters: Vec::new(), known: FxHashMap::default() }
    }

    /// Forgets what was looked at, as an index is changed, and says how many terms that were.
    pub(super) fn forget(&mut self) -> usize {
        let looked = self.known.len();
        self.known.clear();
        looked
    }

    /// What a term is for this lane. The unknowns are those of the `first` lane of its warp, which has looked at the term
    /// before; none for that one itself.
    fn value(&mut self, terms: &Terms, t: Term, first: Option<&Lane>) -> Value {
        for top in terms.pending(t, |p| self.known.contains_key(&p)) {
            let value = self.of_parts(terms, top, first);
            self.known.insert(top, value);
        }
        self.known[&t].clone()
    }

    fn of_parts(&self, terms: &Terms, t: Term, first: Option<&Lane>) -> Value {
        let parts: SmallVec<[&Value; 3]> = terms.parts(t).iter().map(|p| &self.known[p]).collect();
        let sums: Option<SmallVec<[&Sum; 3]>> = parts
            .iter()
            .map(|v| match v {
                Value::Sum(s) => Some(s),
                Value::Varies => None,
            })
            .collect();
        let width = terms.width(t);
        match *terms.node(t) {
            Node::Const(bits) => Value::Sum(Sum::constant(signed(bits, width))),
            Node::Sym { sym, .. } => Value::Sum(self.sym(sym, t)),
            // The lanes of a warp agree in it if they agree in its arguments.
            Node::App { scope, .. } if scope >= Uniformity::Warp => self.opaque(terms, t, first),
            Node::App { .. } => Value::Varies,
            Node::Binary(op, ..) if width == 1 => self.truth(terms, op, t, &parts, first),
            Node::Binary(op, a, b) => match sums {
                Some(s) => {
                    arithmetic(op, width, s[0], s[1]).map_or_else(|| self.opaque(terms, t, first), Value::Sum)
                }
                None => {
                    let zero = |p: Term| self.known[&p] == Value::Sum(Sum::default());
                    // Whatever the other is.
                    if matches!(op, BinaryOp::Imul | BinaryOp::And) && (zero(a) || zero(b)) {
                        Value::Sum(Sum::default())
                    } else {
                        Value::Varies
                    }
                }
            },
            Node::Not(_) => match sums.as_deref() {
                Some(&[s]) if width == 1 => Sum::constant(1).add(s, -1).map_or(Value::Varies, Value::Sum),
                Some(&[s]) => Sum::constant(-1).add(s, -1).map_or(Value::Varies, Value::Sum),
                _ => Value::Varies,
            },
            Node::Compare(cc, a, _) => match sums {
                Some(s) => match compare(cc, terms.width(a), s[0], s[1]) {
                    Some(holds) => Value::Sum(Sum::constant(holds.into())),
                    None => self.opaque(terms, t, first),
                },
                None => Value::Varies,
            },
            Node::Ite(..) => match parts[0] {
                Value::Sum(c) if c.as_constant().is_some() => {
                    parts[if c.constant != 0 { 1 } else { 2 }].clone()
                }
                _ if parts[1] == parts[2] => parts[1].clone(),
                Value::Sum(_) if sums.is_some() => self.opaque(terms, t, first),
                _ => Value::Varies,
            },
            Node::Zext(a) => match parts[0] {
                // A negative number is a large one without its sign.
                Value::Sum(s) if s.as_constant().is_some_and(|n| n < 0) => {
                    Value::Sum(Sum::constant(s.constant + (1i128 << terms.width(a).min(126))))
                }
                same => same.clone(),
            },
            // As a signed number true is -1.
            Node::Sext(a) if terms.width(a) == 1 => match parts[0] {
                Value::Sum(s) => Sum::default().add(s, -1).map_or(Value::Varies, Value::Sum),
                Value::Varies => Value::Varies,
            },
            Node::Sext(_) => parts[0].clone(),
            Node::Trunc(_) => match parts[0] {
                Value::Sum(s) if s.rest.is_empty() => {
                    Value::Sum(Sum::constant(signed(s.constant as u128, width)))
                }
                Value::Sum(_) if width == 1 => self.opaque(terms, t, first),
                same => same.clone(),
            },
        }
    }

    fn sym(&self, sym: Sym, t: Term) -> Sum {
        match sym {
            Sym::Tid(d) => {
                let (scale, add) = self.thread[usize::from(d)];
                if scale == 0 { Sum::constant(add) } else { Sum::unknown(t, scale, add) }
            }
            Sym::Bid(d) => match self.block[usize::from(d)] {
                Some(n) => Sum::constant(n.into()),
                None => Sum::unknown(t, 1, 0),
            },
            Sym::Counter(c) => match self.counters.iter().find(|k| k.0 == c) {
                Some(&(_, n)) => Sum::constant(n.into()),
                None => Sum::unknown(t, 1, 0),
            },
            _ => Sum::unknown(t, 1, 0),
        }
    }

    /// Truth values.
    fn truth(&self, terms: &Terms, op: BinaryOp, t: Term, parts: &[&Value], first: Option<&Lane>) -> Value {
        let is = |v: &Value| match v {
            Value::Sum(s) => s.as_constant(),
            Value::Varies => None,
        };
        let (a, b) = (parts[0], parts[1]);
        match (op, is(a), is(b)) {
            (BinaryOp::And | BinaryOp::Imul, Some(0), _) | (BinaryOp::And | BinaryOp::Imul, _, Some(0)) => {
                Value::Sum(Sum::constant(0))
            }
            (BinaryOp::Or, Some(1), _) | (BinaryOp::Or, _, Some(1)) => Value::Sum(Sum::constant(1)),
            (BinaryOp::And | BinaryOp::Imul, Some(_), _) | (BinaryOp::Or | BinaryOp::Xor, Some(0), _) => {
                b.clone()
            }
            (BinaryOp::And | BinaryOp::Imul, _, Some(_)) | (BinaryOp::Or | BinaryOp::Xor, _, Some(0)) => {
                a.clone()
            }
            (BinaryOp::Xor, Some(x), Some(y)) => Value::Sum(Sum::constant(x ^ y)),
            _ if a == b && matches!(op, BinaryOp::And | BinaryOp::Or) => a.clone(),
            _ => self.opaque(terms, t, first),
        }
    }

    /// An unknown: what the term is for the first lane of the warp. For another lane it is the same if its parts are.
    fn opaque(&self, terms: &Terms, t: Term, first: Option<&Lane>) -> Value {
        let same = terms.parts(t).iter().all(|p| {
            let own = &self.known[p];
            *own != Value::Varies && first.is_none_or(|f| f.known.get(p) == Some(own))
        });
        if same { unknown(t) } else { Value::Varies }
    }
}

/// What a term is for lane `n` of a warp.
pub(super) fn value(warp: &mut [Lane], n: usize, terms: &Terms, t: Term) -> Value {
    let Some((first, others)) = warp.split_first_mut() else { return Value::Varies };
    let of_first = first.value(terms, t, None);
    match n.checked_sub(1).and_then(|n| others.get_mut(n)) {
        None => of_first,
        Some(lane) => lane.value(terms, t, Some(first)),
    }
}

fn unknown(t: Term) -> Value {
    Value::Sum(Sum::unknown(t, 1, 0))
}

/// The low bits as a signed number; a truth value is 0 or 1.
fn signed(bits: u128, width: u32) -> i128 {
    let shift = 128 - width;
    match width {
        1 => (bits & 1) as i128,
        _ => ((bits << shift) as i128) >> shift,
    }
}

/// `None` where it is no sum.
fn arithmetic(op: BinaryOp, width: u32, a: &Sum, b: &Sum) -> Option<Sum> {
    use BinaryOp::*;
    if let (Some(x), Some(y)) = (a.as_constant(), b.as_constant()) {
        let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
        return Some(Sum::constant(signed(fold(op, width, x as u128 & mask, y as u128 & mask)?, width)));
    }
    let divides = |n: i128| a.rest.values().all(|f| f % n == 0);
    match (op, b.as_constant()) {
        (Iadd, _) => a.add(b, 1),
        (Isub, _) => a.add(b, -1),
        (Imul, _) => a.mul(b),
        (Shl, Some(n @ 0..=62)) => a.mul(&Sum::constant(1 << n)),
        // What is unknown is a multiple: the rest is in the constant.
        (Urem | Srem, Some(n)) if n > 0 && divides(n) => Some(Sum::constant(a.constant.rem_euclid(n))),
        (And, Some(m @ 0..=0xffff_ffff)) if (m + 1) & m == 0 && divides(m + 1) => {
            Some(Sum::constant(a.constant.rem_euclid(m + 1)))
        }
        (Udiv | Sdiv, Some(n)) if n > 0 && divides(n) => Some(quotient(a, n)),
        (Lshr | Ashr, Some(n @ 0..=62)) if divides(1 << n) => Some(quotient(a, 1 << n)),
        // Bits that do not meet add up.
        (Or | Xor, Some(m @ 0..=0xffff_ffff)) if a.constant == 0 => {
            let low = (m as u128 + 1).next_power_of_two() as i128;
            divides(low).then(|| a.add(b, 1)).flatten()
        }
        _ => None,
    }
}

fn quotient(a: &Sum, n: i128) -> Sum {
    Sum { constant: a.constant.div_euclid(n), rest: a.rest.iter().map(|(p, f)| (p.clone(), f / n)).collect() }
}

/// Where the difference is known.
fn compare(cc: IntCC, width: u32, a: &Sum, b: &Sum) -> Option<bool> {
    let (x, y) = match (a.as_constant(), b.as_constant()) {
        (Some(x), Some(y)) if matches!(cc, IntCC::Ult | IntCC::Ule) => {
            let mask = if width >= 127 { i128::MAX } else { (1 << width) - 1 };
            (x & mask, y & mask)
        }
        (Some(x), Some(y)) => (x, y),
        _ if a.rest == b.rest => (a.constant, b.constant),
        _ => return None,
    };
    Some(match cc {
        IntCC::Eq => x == y,
        IntCC::Slt | IntCC::Ult => x < y,
        _ => x <= y,
    })
}
