//! A procedure without a solver for conditions over sums of bounded symbols with constant factors: what is left of most
//! questions about a launch whose extents and arguments are all told.
//!
//! A term becomes a *sum*: a constant, and atoms with constant factors, equal to the term modulo two to its width.
//! Where the bounds of its atoms show that a sum does not wrap around, extensions are exact, and a comparison becomes a
//! *row*: a sum between two bounds. Of what belongs to one of the two threads, the difference is an atom of its own: so it
//! shows that `256 * b + t` differs for two threads.
//!
//! - **Bounds.** Each row bounds each of its atoms by the others, until nothing changes.
//! - **Digits.** Of a row that is an equality, the atoms whose factors are multiples of `g` come to a multiple of `g`. Where
//!   the bounds leave the rest no such value, the row never holds; where they leave it one, the row becomes two.
//! - **Bits.** Where a bit of a symbol is flipped by an exclusive or, the symbol becomes what stands above the bit, the
//!   bit, and what stands below.
//! - **Cases.** Of conditions that are alternatives, each is looked at by itself, up to a limit of work.
//!
//! What cannot be said as a row is left out: then more may hold, and the answer *never* stays a proof. It takes nothing for
//! granted.

mod row;

use super::term::*;
use cudair_ir::{BinaryOp, IntCC};
use row::{Bounds, Row, Sum};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Steps of work for one question.
pub const MAX_WORK: u32 = 100;
/// Rounds in which rows bound atoms.
const MAX_ROUNDS: u32 = 24;
/// The widest terms that are looked at: products of their bounds and of factors have room in 128 bits.
const MAX_WIDTH: u32 = 64;

/// What of a term an atom is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Part {
    /// Its value: of a sign extension with its sign, of others without.
    Whole,
    /// The bits from this one on.
    From(u32),
    /// This bit.
    Bit(u32),
    /// The bits below this one.
    Below(u32),
}

/// What a sum is made of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Atom {
    /// Of one term.
    One(Part, Term),
    /// What the first thread's symbol has more than the other thread's.
    Apart(Part, Term, Term),
}

/// A condition, or its negation.
type Literal = (Term, bool);

/// What a condition says.
enum Said {
    /// Nothing that can be said here.
    Nothing,
    /// It never holds.
    Never,
    /// All of these rows.
    Rows(SmallVec<[Row; 2]>),
    /// All of these.
    All(SmallVec<[Literal; 2]>),
    /// One of these cases: conditions and a row.
    Either([(SmallVec<[Literal; 2]>, Option<Row>); 2]),
}

/// Whether conditions exclude each other for certain, as far as so many steps of work show it.
pub fn exclude(terms: &Terms, conditions: &[Term], work: u32) -> bool {
    let mut ask = Ask { terms, work, split: FxHashMap::default(), sizes: FxHashMap::default() };
    ask.find_bits(conditions);
    // What bounds symbols comes first: what extensions are hangs on it.
    let (first, mut rest): (Vec<Literal>, Vec<Literal>) =
        conditions.iter().map(|&c| (c, true)).partition(|&(c, _)| bounds_symbol(terms, c));
    let mut case = Case::default();
    for literal in first {
        match ask.said(&mut case, literal) {
            Said::Never => return true,
            Said::Rows(rows) => case.rows.extend(rows),
            _ => rest.push(literal),
        }
    }
    case.bounds.narrow(&mut case.rows, MAX_ROUNDS).is_none() || ask.never(case, rest)
}

/// Whether a condition bounds a symbol by a number.
fn bounds_symbol(terms: &Terms, condition: Term) -> bool {
    let simple = |t: Term| matches!(terms.node(t), Node::Const(_) | Node::Sym { .. });
    matches!(*terms.node(condition), Node::Compare(_, a, b) if simple(a) && simple(b) && terms.width(a) > 1)
}

/// Conditions that hold together.
#[derive(Clone, Default)]
struct Case {
    bounds: Bounds,
    rows: Vec<Row>,
    /// Conditions that hold, or do not.
    flags: FxHashMap<Flag, bool>,
}

impl Case {
    /// Notes that a condition holds, or does not. False where the opposite is known.
    fn flag(&mut self, (flag, holds): (Flag, bool)) -> bool {
        *self.flags.entry(flag).or_insert(holds) == holds
    }
}

/// A condition that holds or does not, whatever else it says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Flag {
    Term(Term),
    /// A comparison for equality, or for a strict order.
    Order(IntCC, Term, Term),
}

impl Flag {
    /// That a comparison holds, or does not.
    fn of_order(cc: IntCC, a: Term, b: Term, holds: bool) -> (Flag, bool) {
        match cc {
            IntCC::Ule => (Flag::Order(IntCC::Ult, b, a), !holds),
            IntCC::Sle => (Flag::Order(IntCC::Slt, b, a), !holds),
            _ => (Flag::Order(cc, a, b), holds),
        }
    }
}

struct Ask<'a> {
    terms: &'a Terms,
    work: u32,
    /// The bit at which symbols are taken apart.
    split: FxHashMap<Sym, u32>,
    sizes: FxHashMap<Term, usize>,
}

impl Ask<'_> {
    /// Looks for symbols of which a bit is flipped.
    fn find_bits(&mut self, conditions: &[Term]) {
        for t in self.terms.subterms(conditions.iter().copied()) {
            if let Node::Binary(BinaryOp::Xor, a, b) = *self.terms.node(t)
                && let (Node::Sym { sym, .. }, Some(bit)) = (self.terms.node(a), self.terms.bits(b))
                && bit.is_power_of_two()
                && self.terms.width(t) <= MAX_WIDTH
            {
                self.split.entry(*sym).or_insert(bit.trailing_zeros());
            }
        }
    }

    /// Whether these conditions never hold together with what is known.
    fn never(&mut self, mut case: Case, mut literals: Vec<Literal>) -> bool {
        let mut cases = Vec::new();
        // What can be said hangs on the bounds: again, as long as these become narrower.
        for _ in 0..MAX_ROUNDS {
            if self.work == 0 {
                return false;
            }
            self.work -= 1;
            let known = case.rows.len();
            let mut later = Vec::new();
            cases.clear();
            while let Some(literal) = literals.pop() {
                match self.said(&mut case, literal) {
                    Said::Nothing => later.push(literal),
                    Said::Never => return true,
                    Said::Rows(rows) => case.rows.extend(rows),
                    Said::All(all) => literals.extend(all),
                    Said::Either(either) => {
                        cases.push(either);
                        later.push(literal);
                    }
                }
            }
            literals = later;
            let changed = match case.bounds.narrow(&mut case.rows, MAX_ROUNDS) {
                Some(changed) => changed,
                None => return true,
            };
            if !changed && case.rows.len() == known {
                break;
            }
        }
        // The shortest of the alternatives, in each of its cases: that two indices differ, as a rule.
        let alternatives = (0..literals.len()).filter(|&n| self.is_either(&mut case, literals[n]));
        let shortest = alternatives.collect::<Vec<_>>().into_iter().min_by_key(|&n| self.size(literals[n].0));
        let Some(position) = shortest else { return false };
        let literal = literals.remove(position);
        let Said::Either(either) = self.said(&mut case, literal) else { return false };
        either.into_iter().all(|(more, row)| {
            let mut case = case.clone();
            case.rows.extend(row);
            let mut literals = literals.clone();
            literals.extend(more);
            self.never(case, literals)
        })
    }

    /// How many terms a condition has.
    fn size(&mut self, t: Term) -> usize {
        let terms = self.terms;
        *self.sizes.entry(t).or_insert_with(|| terms.subterms([t]).len())
    }

    fn is_either(&self, case: &mut Case, literal: Literal) -> bool {
        matches!(self.said(case, literal), Said::Either(_))
    }

    /// What a condition says under the bounds so far.
    fn said(&self, case: &mut Case, (t, holds): Literal) -> Said {
        let both = |a: Literal, b: Literal| Said::All(SmallVec::from_slice(&[a, b]));
        let one = |a: Literal| SmallVec::from_slice(&[a]);
        let either = |a: Literal, b: Literal| Said::Either([(one(a), None), (one(b), None)]);
        match *self.terms.node(t) {
            Node::Const(bits) if (bits != 0) == holds => Said::All(SmallVec::new()),
            Node::Const(_) => Said::Never,
            Node::Not(x) => Said::All(one((x, !holds))),
            Node::Binary(BinaryOp::And, a, b) if holds => both((a, true), (b, true)),
            Node::Binary(BinaryOp::And, a, b) => either((a, false), (b, false)),
            Node::Binary(BinaryOp::Or, a, b) if holds => either((a, true), (b, true)),
            Node::Binary(BinaryOp::Or, a, b) => both((a, false), (b, false)),
            Node::Ite(c, a, b) => Said::Either([
                (SmallVec::from_slice(&[(c, true), (a, holds)]), None),
                (SmallVec::from_slice(&[(c, false), (b, holds)]), None),
            ]),
            Node::Compare(cc, a, b) if self.terms.width(a) > 1 => {
                // What is no row may be one once bounds are narrower. Rows of two atoms do not narrow wide bounds.
                if !case.flag(Flag::of_order(cc, a, b, holds)) {
                    return Said::Never;
                }
                self.compared(case, cc, a, b, holds).unwrap_or(Said::Nothing)
            }
            _ if case.flag((Flag::Term(t), holds)) => Said::All(SmallVec::new()),
            _ => Said::Never,
        }
    }

    /// What a comparison says; `None` where it is no row.
    fn compared(&self, case: &mut Case, cc: IntCC, a: Term, b: Term, holds: bool) -> Option<Said> {
        let terms = self.terms;
        let width = terms.width(a);
        if width > MAX_WIDTH {
            return None;
        }
        let modulus = 1i128 << width;
        let bounds = &mut case.bounds;
        let rows = |row: Option<Row>| Said::Rows(row.into_iter().collect());
        if cc == IntCC::Eq {
            let difference = self.sum(bounds, a)?.minus(&self.sum(bounds, b)?)?;
            let (lo, hi) = bounds.of(&difference)?;
            let (first, last) =
                (lo.div_euclid(modulus) + i128::from(lo.rem_euclid(modulus) != 0), hi.div_euclid(modulus));
            return match (holds, first.cmp(&last)) {
                (true, std::cmp::Ordering::Greater) => Some(Said::Never),
                (false, std::cmp::Ordering::Greater) => Some(rows(None)),
                (_, std::cmp::Ordering::Less) => None,
                (true, std::cmp::Ordering::Equal) => {
                    let at = first * modulus;
                    Some(rows(Some(bounds.row(terms, difference, at, at))))
                }
                (false, std::cmp::Ordering::Equal) => {
                    let at = first * modulus;
                    let below = bounds.row(terms, difference.clone(), lo, at - 1);
                    let above = bounds.row(terms, difference, at + 1, hi);
                    Some(Said::Either([(SmallVec::new(), Some(below)), (SmallVec::new(), Some(above))]))
                }
            };
        }
        // The negation of an order is the order of exchanged operands.
        let (cc, a, b) = match (cc, holds) {
            (_, true) => (cc, a, b),
            (IntCC::Ult, false) => (IntCC::Ule, b, a),
            (IntCC::Ule, false) => (IntCC::Ult, b, a),
            (IntCC::Slt, false) => (IntCC::Sle, b, a),
            (IntCC::Sle, false) => (IntCC::Slt, b, a),
            _ => return None,
        };
        let signed = matches!(cc, IntCC::Slt | IntCC::Sle);
        let strict = i128::from(matches!(cc, IntCC::Slt | IntCC::Ult));
        let from = if signed { -(modulus >> 1) } else { 0 };
        let (x, y) = (self.sum(bounds, a)?, self.sum(bounds, b)?);
        let known = |s: &Sum| s.known().map(|n| (n - from).rem_euclid(modulus) + from);
        // One side is a number: the other lies in a stretch of values, modulo the width's power.
        if let Some(most) = known(&y) {
            return within(terms, bounds, x, (from, most - strict), modulus);
        }
        if let Some(least) = known(&x) {
            return within(terms, bounds, y, (least + strict, from + modulus - 1), modulus);
        }
        let (x, y) = (in_window(bounds, x, from, modulus)?, in_window(bounds, y, from, modulus)?);
        let difference = x.minus(&y)?;
        let (lo, _) = bounds.of(&difference)?;
        Some(rows(Some(bounds.row(terms, difference, lo, -strict))))
    }

    /// A term as a sum, modulo two to its width.
    fn sum(&self, bounds: &mut Bounds, t: Term) -> Option<Sum> {
        let terms = self.terms;
        let width = terms.width(t);
        if width > MAX_WIDTH {
            return None;
        }
        let made = match *terms.node(t) {
            Node::Const(_) => Some(Sum::number(terms.signed(t)?)),
            Node::Binary(BinaryOp::Iadd, a, b) => self.sum(bounds, a)?.plus(&self.sum(bounds, b)?),
            Node::Binary(BinaryOp::Isub, a, b) => self.sum(bounds, a)?.minus(&self.sum(bounds, b)?),
            Node::Binary(BinaryOp::Imul, a, b) => {
                let (x, y) = (self.sum(bounds, a)?, self.sum(bounds, b)?);
                match (x.known(), y.known()) {
                    (_, Some(n)) => x.times(n),
                    (Some(n), _) => y.times(n),
                    _ => None,
                }
            }
            Node::Binary(BinaryOp::Xor, a, b) => self.flipped(bounds, a, b),
            Node::Binary(BinaryOp::And, a, b) if terms.bits(b).is_some_and(|m| (m + 1).is_power_of_two()) => {
                let modulus = terms.bits(b)? as i128 + 1;
                let x = self.sum(bounds, a)?;
                in_window(bounds, x, 0, modulus)
            }
            Node::Zext(x) => {
                let inner = self.sum(bounds, x)?;
                in_window(bounds, inner, 0, 1 << terms.width(x))
            }
            Node::Sext(x) => {
                let (inner, modulus) = (self.sum(bounds, x)?, 1i128 << terms.width(x));
                in_window(bounds, inner, -(modulus >> 1), modulus)
            }
            Node::Trunc(x) => self.sum(bounds, x),
            Node::Sym { sym, .. } if self.split.contains_key(&sym) => {
                let bit = self.split[&sym];
                let (above, bit_of, below) = self.bits_of(bounds, t, bit);
                above.times(2 << bit)?.plus(&bit_of.times(1 << bit)?)?.plus(&below)
            }
            _ => None,
        };
        Some(made.unwrap_or_else(|| self.atom(bounds, t)))
    }

    /// The bits of a symbol above one, that bit, and the bits below.
    fn bits_of(&self, bounds: &mut Bounds, t: Term, bit: u32) -> (Sum, Sum, Sum) {
        let width = self.terms.width(t);
        let most = |bits: u32| (1i128 << bits) - 1;
        let above = bounds.atom(Atom::One(Part::From(bit + 1), t), (0, most(width.saturating_sub(bit + 1))));
        let at = bounds.atom(Atom::One(Part::Bit(bit), t), (0, 1));
        let below = bounds.atom(Atom::One(Part::Below(bit), t), (0, most(bit)));
        (above, at, below)
    }

    /// A symbol one bit of which is flipped.
    fn flipped(&self, bounds: &mut Bounds, a: Term, b: Term) -> Option<Sum> {
        let bit = self.terms.bits(b).filter(|b| b.is_power_of_two())?.trailing_zeros();
        let Node::Sym { sym, .. } = *self.terms.node(a) else { return None };
        if self.split.get(&sym) != Some(&bit) {
            return None;
        }
        let (above, at, below) = self.bits_of(bounds, a, bit);
        let flipped = Sum::number(1).minus(&at)?;
        above.times(2 << bit)?.plus(&flipped.times(1 << bit)?)?.plus(&below)
    }

    /// A term of which only its bounds are known.
    fn atom(&self, bounds: &mut Bounds, t: Term) -> Sum {
        let terms = self.terms;
        let width = terms.width(t);
        let most = (1i128 << width) - 1;
        // What operands are bounded by bounds the result.
        let of = |bounds: &mut Bounds, x: Term| -> Option<(i128, i128)> {
            let sum = self.sum(bounds, x)?;
            bounds.of(&in_window(bounds, sum, 0, 1 << terms.width(x))?)
        };
        let number = |x: Term| terms.bits(x).map(|n| n as i128);
        let range = match *terms.node(t) {
            Node::Sext(x) => {
                let half = 1i128 << (terms.width(x) - 1);
                (-half, half - 1)
            }
            Node::Zext(x) => (0, (1i128 << terms.width(x)) - 1),
            Node::Binary(BinaryOp::And, _, b) => (0, number(b).unwrap_or(most)),
            Node::Binary(BinaryOp::Urem, _, b) => (0, number(b).map_or(most, |n| (n - 1).max(0))),
            Node::Binary(BinaryOp::Udiv, a, b) => match (of(bounds, a), number(b)) {
                (Some((lo, hi)), Some(n)) if n > 0 => (lo / n, hi / n),
                _ => (0, most),
            },
            Node::Binary(BinaryOp::Lshr, a, b) => match (of(bounds, a), number(b)) {
                (Some((lo, hi)), Some(n)) if n < 64 => (lo >> n, hi >> n),
                _ => (0, most),
            },
            _ => (0, most),
        };
        bounds.atom(Atom::One(Part::Whole, t), range)
    }
}

/// A sum moved by a multiple of the modulus, so that it lies in the window that begins at `from`, where its bounds show
/// that there is such a multiple.
fn in_window(bounds: &Bounds, sum: Sum, from: i128, modulus: i128) -> Option<Sum> {
    let (lo, hi) = bounds.of(&sum)?;
    let moved = (lo - from).div_euclid(modulus);
    (hi - from - moved * modulus < modulus).then(|| sum.moved(-moved * modulus))?
}

/// That a sum lies between two numbers, modulo the modulus.
fn within(
    terms: &Terms,
    bounds: &mut Bounds,
    sum: Sum,
    (from, to): (i128, i128),
    modulus: i128,
) -> Option<Said> {
    if from > to {
        return Some(Said::Never);
    }
    let (lo, hi) = bounds.of(&sum)?;
    // The stretches that the bounds reach.
    let first = (lo - to).div_euclid(modulus) + i128::from((lo - to).rem_euclid(modulus) != 0);
    let last = (hi - from).div_euclid(modulus);
    match first.cmp(&last) {
        std::cmp::Ordering::Greater => Some(Said::Never),
        std::cmp::Ordering::Equal => {
            let at = first * modulus;
            let row = bounds.row(terms, sum, from + at, to + at);
            Some(Said::Rows(SmallVec::from_iter([row])))
        }
        std::cmp::Ordering::Less => None,
    }
}

#[cfg(test)]
mod tests;
