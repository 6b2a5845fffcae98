//! Sums, rows and bounds.

use super::super::term::{Node, Terms};
use super::Atom;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cell::RefCell;
use std::rc::Rc;

/// The atoms of a question, by number.
#[derive(Debug, Default)]
struct Names {
    numbers: FxHashMap<Atom, u32>,
    atoms: Vec<Atom>,
}

impl Names {
    fn number(&mut self, atom: Atom) -> u32 {
        *self.numbers.entry(atom).or_insert_with(|| {
            self.atoms.push(atom);
            (self.atoms.len() - 1) as u32
        })
    }
}

/// A constant, and atoms with factors other than 0, in the order of their numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Sum {
    parts: SmallVec<[(u32, i128); 4]>,
    number: i128,
}

/// The greatest factor or constant: sums of them have room.
const MOST: i128 = 1 << 100;

impl Sum {
    pub(super) fn number(number: i128) -> Sum {
        Sum { parts: SmallVec::new(), number }
    }

    fn one(atom: u32) -> Sum {
        Sum { parts: SmallVec::from_iter([(atom, 1)]), number: 0 }
    }

    /// The sum, where it is a number.
    pub(super) fn known(&self) -> Option<i128> {
        self.parts.is_empty().then_some(self.number)
    }

    pub(super) fn moved(mut self, by: i128) -> Option<Sum> {
        self.number = self.number.checked_add(by).filter(|n| n.abs() < MOST)?;
        Some(self)
    }

    pub(super) fn times(&self, factor: i128) -> Option<Sum> {
        if factor == 0 {
            return Some(Sum::default());
        }
        let times = |n: i128| product(n, factor).filter(|n| n.abs() < MOST);
        let mut out = Sum { parts: SmallVec::new(), number: times(self.number)? };
        for &(atom, n) in &self.parts {
            out.parts.push((atom, times(n)?));
        }
        Some(out)
    }

    pub(super) fn plus(&self, other: &Sum) -> Option<Sum> {
        let mut out = self.clone().moved(other.number)?;
        for &(atom, n) in &other.parts {
            match out.parts.binary_search_by_key(&atom, |p| p.0) {
                Ok(at) => {
                    let both = out.parts[at].1 + n;
                    if both.abs() >= MOST {
                        return None;
                    }
                    if both == 0 {
                        out.parts.remove(at);
                    } else {
                        out.parts[at].1 = both;
                    }
                }
                Err(at) => out.parts.insert(at, (atom, n)),
            }
        }
        Some(out)
    }

    pub(super) fn minus(&self, other: &Sum) -> Option<Sum> {
        self.plus(&other.times(-1)?)
    }
}

/// A sum between two numbers, these included.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Row {
    sum: Sum,
    lo: i128,
    hi: i128,
    /// When bounds were last narrowed by it: as [`Bounds::now`].
    seen: u32,
}

impl Row {
    fn new(sum: Sum, lo: i128, hi: i128) -> Row {
        Row { sum, lo, hi, seen: 0 }
    }
}

/// Between which numbers an atom lies.
#[derive(Clone, Copy, Debug)]
struct Range {
    lo: i128,
    hi: i128,
    /// When it last became narrower; 0 where nothing is known of the atom.
    since: u32,
}

impl Range {
    const ALL: Range = Range { lo: -MOST, hi: MOST, since: 0 };
}

/// Between which numbers each atom lies.
#[derive(Clone, Debug, Default)]
pub(super) struct Bounds {
    /// Those of all cases of a question.
    names: Rc<RefCell<Names>>,
    /// By number.
    ranges: Vec<Range>,
    /// How often a range has become narrower.
    now: u32,
    /// What the differences are differences of.
    differences: Vec<Row>,
}

impl Bounds {
    /// An atom, which lies between these numbers at least.
    pub(super) fn atom(&mut self, atom: Atom, (lo, hi): (i128, i128)) -> Sum {
        let number = self.names.borrow_mut().number(atom);
        if self.at(number).since == 0 {
            self.set(number, (lo, hi));
        }
        Sum::one(number)
    }

    fn at(&self, atom: u32) -> Range {
        self.ranges.get(atom as usize).copied().unwrap_or(Range::ALL)
    }

    fn set(&mut self, atom: u32, (lo, hi): (i128, i128)) {
        let at = atom as usize;
        if self.ranges.len() <= at {
            self.ranges.resize(at + 1, Range::ALL);
        }
        self.now += 1;
        self.ranges[at] = Range { lo, hi, since: self.now };
    }

    /// Between which numbers a sum lies.
    pub(super) fn of(&self, sum: &Sum) -> Option<(i128, i128)> {
        let (mut lo, mut hi) = (sum.number, sum.number);
        for &(atom, n) in &sum.parts {
            let Range { lo: a, hi: b, .. } = self.at(atom);
            let (a, b) = if n > 0 { (a, b) } else { (b, a) };
            lo = lo.checked_add(product(a, n)?)?;
            hi = hi.checked_add(product(b, n)?)?;
        }
        Some((lo, hi))
    }

    /// A row, in which differences between the two threads are atoms of their own.
    pub(super) fn row(&mut self, terms: &Terms, mut sum: Sum, lo: i128, hi: i128) -> Row {
        let mut at = 0;
        while let Some(&(first, n)) = sum.parts.get(at) {
            at += 1;
            let found = {
                let names = self.names.borrow();
                let named = |p: u32| names.atoms[p as usize];
                let other =
                    sum.parts.iter().find(|p| p.1 == -n && is_others(terms, named(first), named(p.0)));
                other.map(|&(other, _)| (other, named(first), named(other)))
            };
            let Some((other, Atom::One(part, a), Atom::One(_, b))) = found else { continue };
            let apart = self.names.borrow_mut().number(Atom::Apart(part, a, b));
            if self.at(apart).since == 0 {
                let (x, y) = (self.at(first), self.at(other));
                self.set(apart, (x.lo - y.hi, x.hi - y.lo));
                let mut parts = SmallVec::from_slice(&[(first, 1), (other, -1), (apart, -1)]);
                parts.sort_unstable();
                self.differences.push(Row::new(Sum { parts, number: 0 }, 0, 0));
            }
            sum.parts.retain(|p| p.0 != first && p.0 != other);
            let place = sum.parts.partition_point(|p| p.0 < apart);
            sum.parts.insert(place, (apart, n));
            at = 0;
        }
        let number = std::mem::take(&mut sum.number);
        let (mut lo, mut hi) = (lo - number, hi - number);
        let divisor = sum.parts.iter().fold(0, |d, p| gcd(d, p.1.abs()));
        if divisor > 1 {
            sum.parts.iter_mut().for_each(|p| p.1 /= divisor);
            (lo, hi) = (up(lo, divisor), hi.div_euclid(divisor));
        }
        Row::new(sum, lo, hi)
    }

    /// Narrows the bounds by all rows, some of which become two. Gives whether anything changed; `None` where the rows
    /// never hold together.
    pub(super) fn narrow(&mut self, rows: &mut Vec<Row>, rounds: u32) -> Option<bool> {
        let mut changed = false;
        for _ in 0..rounds {
            let mut more = false;
            let mut differences = std::mem::take(&mut self.differences);
            for row in &mut differences {
                if self.is_due(row) {
                    more |= self.by_row(row)?;
                }
            }
            self.differences = differences;
            let mut new = Vec::new();
            for row in &mut *rows {
                // What its atoms are bounded by is what it was then.
                if !self.is_due(row) {
                    continue;
                }
                more |= self.by_row(row)?;
                more |= self.digits(row, &mut new)?;
            }
            rows.extend(new);
            changed |= more;
            if !more {
                break;
            }
        }
        Some(changed)
    }

    /// Whether an atom of a row has other bounds than when the bounds were last narrowed by it.
    fn is_due(&self, row: &Row) -> bool {
        row.seen == 0 || row.sum.parts.iter().any(|p| self.at(p.0).since > row.seen)
    }

    /// Narrows the bounds of a row's atoms. Gives whether any changed; `None` where the row never holds.
    fn by_row(&mut self, row: &mut Row) -> Option<bool> {
        row.seen = self.now;
        // What has no room is left as it is.
        let Some((least, most)) = self.of(&row.sum) else { return Some(false) };
        if least > row.hi || most < row.lo {
            return None;
        }
        let mut changed = false;
        for &(atom, n) in &row.sum.parts {
            let Range { lo, hi, .. } = self.at(atom);
            let (own_least, own_most) = if n > 0 { (lo * n, hi * n) } else { (hi * n, lo * n) };
            // What the others leave for this one.
            let (from, to) = (row.lo - (most - own_most), row.hi - (least - own_least));
            let (new_lo, new_hi) = match n {
                1 => (from, to),
                -1 => (-to, -from),
                2.. => (up(from, n), to.div_euclid(n)),
                _ => (up(-to, -n), (-from).div_euclid(-n)),
            };
            let (new_lo, new_hi) = (new_lo.max(lo), new_hi.min(hi));
            if new_lo > new_hi {
                return None;
            }
            if (new_lo, new_hi) != (lo, hi) {
                self.set(atom, (new_lo, new_hi));
                changed = true;
            }
        }
        Some(changed)
    }

    /// Looks at the multiples in a row: those atoms whose factors are multiples of a number come to one of few multiples of
    /// it. Where that is one, the row becomes two: `new` gets the other. Gives whether it did; `None` where it is none.
    fn digits(&self, row: &mut Row, new: &mut Vec<Row>) -> Option<bool> {
        let mut factors: SmallVec<[i128; 6]> = row.sum.parts.iter().map(|p| p.1.abs()).collect();
        factors.sort_unstable();
        factors.dedup();
        for &g in factors.iter().rev().filter(|&&g| g > 1) {
            let (multiples, rest): (SmallVec<_>, SmallVec<_>) =
                row.sum.parts.iter().copied().partition(|p| p.1 % g == 0);
            if rest.is_empty() {
                continue;
            }
            let (multiples, rest) = (Sum { parts: multiples, number: 0 }, Sum { parts: rest, number: 0 });
            let (Some((lo, hi)), Some((least, most))) = (self.of(&multiples), self.of(&rest)) else {
                continue;
            };
            let (from, to) = ((row.lo - most).max(lo), (row.hi - least).min(hi));
            let first = up(from, g) * g;
            if first > to {
                return None;
            }
            if first + g > to {
                let other = Row::new(rest, row.lo - first, row.hi - first);
                *row = Row::new(multiples, first, first);
                new.push(other);
                return Some(true);
            }
        }
        Some(false)
    }
}

/// A product that has room.
fn product(a: i128, b: i128) -> Option<i128> {
    match (i64::try_from(a), i64::try_from(b)) {
        (Ok(a), Ok(b)) => Some(i128::from(a) * i128::from(b)),
        _ => a.checked_mul(b),
    }
}

/// The quotient, rounded up.
fn up(n: i128, by: i128) -> i128 {
    -(-n).div_euclid(by)
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Whether an atom of the second thread is what `first` is of the first.
fn is_others(terms: &Terms, first: Atom, other: Atom) -> bool {
    let (Atom::One(part, a), Atom::One(p, b)) = (first, other) else { return false };
    match (terms.node(a), terms.node(b)) {
        (Node::Sym { sym: x, copy: 1 }, Node::Sym { sym: y, copy: 2 }) => part == p && x == y,
        _ => false,
    }
}
