//! Which thread, and in which iterations of its loops, may write what another one reads.
//!
//! A write's offset is a sum of *digits*: the thread's indices and counters of loops, with factors. From the offset that
//! is read they are worked out in three ways: each is that of the reader; what stands with the same factors in the reader's
//! offset; or the quotients of a division by the factors, the greatest one first, as numbers of a mixed radix are read.
//! These are guesses: who uses one asks whether it is right.

use super::super::race::Check;
use super::super::summary::{Access, block_extent, linear_thread};
use super::super::term::*;
use super::{Before, Reader, counted};
use cudair_ir::{BinaryOp, IntCC, Uniformity};
use smallvec::SmallVec;

/// What a digit that the offset does not tell is taken to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Free {
    /// As the reader's.
    Own,
    /// The first.
    First,
    /// The last.
    Last,
}

/// The copy of what belongs to the reader.
pub(super) const READER: u8 = 1;

/// A thread and iterations.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Guess {
    /// Its indices that are not the reader's: dimension and index, 32 bits.
    pub(super) threads: SmallVec<[(u8, Term); 3]>,
    /// The iterations of loops that are not around the reader: cycle and number, 64 bits.
    pub(super) counters: SmallVec<[(usize, Term); 2]>,
    /// The copy that what belongs to the thread has ([`Copies`](super::Copies)).
    pub(super) copy: u8,
}

impl Guess {
    /// A term of the summary as the guessed thread has it.
    pub(super) fn instance(&self, check: &mut Check<'_, '_, '_>, t: Term, order: &Before) -> Term {
        let t = counted(check, t, &order.common, order.back);
        self.instance_of(check, t)
    }

    /// As [`Guess::instance`], of a term with the counters of the common loops as the guessed thread has them.
    pub(super) fn instance_of(&self, check: &mut Check<'_, '_, '_>, t: Term) -> Term {
        // What the reader itself does, it shares with itself.
        let copy = if self.is_of_reader() { READER } else { self.copy };
        let t = check.s.terms.instance(t, copy, Uniformity::Block);
        let mut with = Vec::new();
        if !self.is_of_reader() {
            for d in 0..3u8 {
                let index = self.threads.iter().find(|t| t.0 == d).map(|t| t.1);
                let own = check.s.terms.sym_of(Sym::Tid(d), READER, 32);
                with.push((check.s.terms.sym_of(Sym::Tid(d), copy, 32), index.unwrap_or(own)));
            }
        }
        for &(c, k) in &self.counters {
            with.push((check.s.terms.sym_of(Sym::Counter(c as u32), copy, 64), k));
        }
        check.s.terms.replace(t, &with)
    }

    /// Whether its indices are the reader's.
    pub(super) fn is_of_reader(&self) -> bool {
        self.threads.is_empty()
    }

    /// That it is the reader.
    pub(super) fn is_reader(&self, check: &mut Check<'_, '_, '_>) -> Term {
        let terms = &mut check.s.terms;
        let mut all = terms.truth(true);
        for &(d, index) in &self.threads {
            let own = terms.sym_of(Sym::Tid(d), READER, 32);
            let same = terms.compare(IntCC::Eq, index, own);
            all = terms.and(all, same);
        }
        all
    }

    /// That it is in the reader's warp.
    pub(super) fn is_in_warp(&self, check: &mut Check<'_, '_, '_>, order: &Before) -> Term {
        let linear = linear_thread(&mut check.s.terms, check.shape);
        let size = check.s.terms.constant(32, 32);
        let warp = check.s.terms.binary(BinaryOp::Udiv, linear, size);
        let reader = Guess::default();
        let [x, y] = [self, &reader].map(|g| g.instance(check, warp, order));
        check.s.terms.compare(IntCC::Eq, x, y)
    }
}

/// A digit of a write's offset.
struct Digit {
    factor: Term,
    sym: Sym,
    part: Part,
}

/// What of a symbol a digit is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Whole,
    /// The quotient by this number.
    Quotient(u128),
    /// The remainder.
    Rest(u128),
}

/// A term as a sum: a number, and parts with factors of 64 bits. Sums are taken not to wrap around.
#[derive(Default)]
struct Sum {
    number: i128,
    parts: Vec<(Term, Term)>,
}

/// Whether a term mentions an index of a thread or one of these counters.
fn varies(terms: &Terms, t: Term, own: &[usize]) -> bool {
    terms.mentions(t, |n| match n {
        Node::Sym { sym: Sym::Tid(_), .. } => true,
        Node::Sym { sym: Sym::Counter(c), .. } => own.contains(&(*c as usize)),
        _ => false,
    })
}

/// The sum that a term is. Factors are free of what varies.
fn sum(terms: &mut Terms, t: Term, own: &[usize]) -> Sum {
    let mut out = Sum::default();
    let one = terms.constant(1, 64);
    add_to(terms, vec![(t, one)], own, &mut out);
    // `n * f * (x / n) + f * (x % n)` is `f * x`: a row and a column.
    while let Some((row, column, x)) = row_and_column(terms, &out.parts) {
        let factor = out.parts[column].0;
        out.parts.swap_remove(row.max(column));
        out.parts.swap_remove(row.min(column));
        add_to(terms, vec![(x, factor)], own, &mut out);
    }
    out
}

/// Two parts that are quotient and remainder of one term, which is the third.
fn row_and_column(terms: &Terms, parts: &[(Term, Term)]) -> Option<(usize, usize, Term)> {
    let divided: Vec<Option<(Term, Part)>> = parts.iter().map(|p| divided_by(terms, p.1)).collect();
    let number = |n: usize| terms.bits(parts[n].0);
    for (row, column) in (0..parts.len()).flat_map(|a| (0..parts.len()).map(move |b| (a, b))) {
        if let (Some((x, Part::Quotient(n))), Some((y, Part::Rest(m)))) = (divided[row], divided[column])
            && (plain_part(terms, x), n) == (plain_part(terms, y), m)
            && number(row).is_some_and(|f| number(column).is_some_and(|g| g.checked_mul(n) == Some(f)))
        {
            return Some((row, column, x));
        }
    }
    None
}

/// A term without extensions.
fn plain_part(terms: &Terms, mut t: Term) -> Term {
    while let Node::Zext(x) | Node::Sext(x) | Node::Trunc(x) = *terms.node(t) {
        t = x;
    }
    t
}

/// What a term is the quotient or the remainder of.
fn divided_by(terms: &Terms, t: Term) -> Option<(Term, Part)> {
    let Node::Binary(op, x, by) = *terms.node(t) else { return None };
    let n = terms.bits(by).filter(|&n| n > 0)?;
    Some(match op {
        BinaryOp::Udiv | BinaryOp::Sdiv => (x, Part::Quotient(n)),
        BinaryOp::Lshr | BinaryOp::Ashr if n < 32 => (x, Part::Quotient(1 << n)),
        BinaryOp::Urem | BinaryOp::Srem => (x, Part::Rest(n)),
        BinaryOp::And if (n + 1).is_power_of_two() => (x, Part::Rest(n + 1)),
        _ => return None,
    })
}

/// Adds terms with factors to a sum.
fn add_to(terms: &mut Terms, mut work: Vec<(Term, Term)>, own: &[usize], out: &mut Sum) {
    while let Some((t, factor)) = work.pop() {
        match *terms.node(t) {
            Node::Const(_) if terms.bits(factor).is_some() => {
                let by = terms.signed(factor).unwrap_or_default();
                out.number += terms.signed(t).unwrap_or_default().wrapping_mul(by);
            }
            Node::Binary(BinaryOp::Iadd, a, b) => work.extend([(a, factor), (b, factor)]),
            Node::Binary(BinaryOp::Isub, a, b) => {
                let minus = terms.constant(u128::MAX, 64);
                let less = terms.mul(factor, minus);
                work.extend([(a, factor), (b, less)]);
            }
            Node::Binary(BinaryOp::Imul, a, b) => {
                let (x, by) = if varies(terms, b, own) { (b, a) } else { (a, b) };
                if varies(terms, by, own) || terms.width(by) > 64 {
                    out.parts.push((factor, t));
                    continue;
                }
                let by = match terms.signed(by) {
                    Some(n) => terms.constant(n as u128, 64),
                    None => plain(terms, by),
                };
                let factor = terms.mul(factor, by);
                work.push((x, factor));
            }
            Node::Zext(x) | Node::Sext(x) | Node::Trunc(x) => work.push((x, factor)),
            _ => out.parts.push((factor, t)),
        }
    }
}

/// A term without extensions, as 64 bits: so that factors that differ in their extensions only are one.
fn plain(terms: &mut Terms, t: Term) -> Term {
    let t = plain_part(terms, t);
    match *terms.node(t) {
        Node::Binary(op @ (BinaryOp::Imul | BinaryOp::Iadd), a, b) => {
            let (a, b) = (plain(terms, a), plain(terms, b));
            terms.binary(op, a, b)
        }
        _ if terms.width(t) > 64 => terms.trunc(t, 64),
        _ => terms.zext(t, 64),
    }
}

/// What of a symbol that varies a term is.
fn digit(terms: &Terms, t: Term, own: &[usize]) -> Option<(Sym, Part)> {
    let symbol = |t: Term| match *terms.node(plain_part(terms, t)) {
        Node::Sym { sym: sym @ Sym::Tid(_), .. } => Some(sym),
        Node::Sym { sym: sym @ Sym::Counter(c), .. } if own.contains(&(c as usize)) => Some(sym),
        _ => None,
    };
    if let Some(sym) = symbol(t) {
        return Some((sym, Part::Whole));
    }
    let (x, part) = divided_by(terms, t)?;
    Some((symbol(x)?, part))
}

/// Who may write what the reader reads. `thorough`, more is tried.
pub(super) fn guesses(
    check: &mut Check<'_, '_, '_>,
    read: &Reader,
    write: &Access,
    order: &Before,
    thorough: bool,
) -> Vec<Guess> {
    let own = &order.own[..];
    let mut out: Vec<Guess> = Vec::new();
    let mut add = |guess: Option<Guess>| {
        if let Some(guess) = guess
            && !out.contains(&guess)
        {
            out.push(guess);
        }
    };
    if own.is_empty() {
        add(Some(Guess::default()));
    }
    let offset = counted(check, write.offset, &order.common, order.back);
    let of_write = sum(&mut check.s.terms, offset, own);
    let (mut digits, mut rest) = (Vec::new(), Vec::new());
    for &(factor, t) in &of_write.parts {
        match digit(&check.s.terms, t, own) {
            Some((sym, part)) => digits.push(Digit { factor, sym, part }),
            None if varies(&check.s.terms, t, own) => return out,
            None => rest.push((factor, t)),
        }
    }
    // Products of extents are greater than these, and numbers stand below them.
    digits.sort_by_key(|d| match check.s.terms.bits(d.factor) {
        Some(n) => (0, n),
        None => (1, check.s.terms.subterms([d.factor]).len() as u128),
    });
    let mut of_read = sum(&mut check.s.terms, read.offset, own);
    of_read.number -= of_write.number;
    let matched = matched(&mut check.s.terms, &digits, &rest, of_read);
    let free: &[Free] =
        if thorough { &[Free::Own, Free::First, Free::Last] } else { &[Free::Own, Free::First] };
    for &free in free {
        add(matched.as_ref().and_then(|values| composed(check, &digits, values, own, free)));
    }
    // A division by what is not known is too hard for solvers.
    let is_known = digits.iter().skip(1).all(|d| check.s.terms.bits(d.factor).is_some());
    if is_known && (thorough || matched.is_none()) {
        let values = divided(&mut check.s.terms, read.offset, of_write.number, &digits, &rest);
        for &free in free {
            add(composed(check, &digits, &values, own, free));
        }
    }
    out
}

/// The value of each digit, 32 bits: what stands with the same factor, or with a multiple of it, in the reader's offset.
/// `of_read` is that offset less the write's number.
fn matched(terms: &mut Terms, digits: &[Digit], rest: &[(Term, Term)], of_read: Sum) -> Option<Vec<Term>> {
    let mut parts = of_read.parts;
    // What does not vary has to be in both.
    for part in rest {
        let same = parts.iter().position(|p| p == part)?;
        parts.swap_remove(same);
    }
    let zero = terms.constant(0, 32);
    let mut values = vec![zero; digits.len()];
    for (factor, t) in parts {
        let times = |terms: &Terms, d: &Digit| match (terms.bits(factor), terms.bits(d.factor)) {
            (Some(f), Some(g)) if g != 0 && f % g == 0 => Some(f / g),
            (None, None) if factor == d.factor => Some(1),
            _ => None,
        };
        let (n, times) = (0..digits.len()).rev().find_map(|n| Some((n, times(terms, &digits[n])?)))?;
        let (t, times) = (short(terms, t), terms.constant(times, 32));
        let more = terms.mul(t, times);
        values[n] = terms.add(values[n], more);
    }
    let mut number = of_read.number;
    for (n, d) in digits.iter().enumerate().rev() {
        let Some(factor) = terms.signed(d.factor).filter(|&f| f > 0) else { continue };
        let more = terms.constant((number / factor) as u128, 32);
        values[n] = terms.add(values[n], more);
        number %= factor;
    }
    Some(values)
}

/// The value of each digit, 32 bits, read from the offset as from a number of a mixed radix.
fn divided(
    terms: &mut Terms,
    offset: Term,
    number: i128,
    digits: &[Digit],
    rest: &[(Term, Term)],
) -> Vec<Term> {
    let mut left = short(terms, offset);
    let minus = terms.constant(number.wrapping_neg() as u128, 32);
    left = terms.add(left, minus);
    for &(factor, t) in rest {
        let (factor, t) = (short(terms, factor), short(terms, t));
        let product = terms.mul(factor, t);
        left = terms.sub(left, product);
    }
    let zero = terms.constant(0, 32);
    let mut values = vec![zero; digits.len()];
    for (n, d) in digits.iter().enumerate().rev() {
        let factor = short(terms, d.factor);
        values[n] = terms.binary(BinaryOp::Udiv, left, factor);
        if n > 0 {
            let whole = terms.mul(values[n], factor);
            left = terms.sub(left, whole);
        }
    }
    values
}

fn short(terms: &mut Terms, t: Term) -> Term {
    if terms.width(t) > 32 { terms.trunc(t, 32) } else { terms.zext(t, 32) }
}

/// The thread and iterations with these digits.
fn composed(
    check: &mut Check<'_, '_, '_>,
    digits: &[Digit],
    values: &[Term],
    own: &[usize],
    free: Free,
) -> Option<Guess> {
    let mut guess = Guess::default();
    let shape = check.shape;
    for d in (0..3u8).filter(|&d| shape.block[usize::from(d)] != Some(1)) {
        let terms = &mut check.s.terms;
        let reader = terms.sym_of(Sym::Tid(d), READER, 32);
        let index = match (value(terms, digits, values, Sym::Tid(d), reader, free), free) {
            (Told::Several, _) => return None,
            (Told::Is(index), _) => index,
            (Told::Nothing, Free::Own) => continue,
            (Told::Nothing, Free::First) => terms.constant(0, 32),
            (Told::Nothing, Free::Last) => {
                let extent = block_extent(terms, shape, d);
                let one = terms.constant(1, 32);
                terms.sub(extent, one)
            }
        };
        if index != reader {
            guess.threads.push((d, index));
        }
    }
    for &c in own {
        let terms = &mut check.s.terms;
        let zero = terms.constant(0, 32);
        let k = match value(terms, digits, values, Sym::Counter(c as u32), zero, free) {
            Told::Several => return None,
            Told::Is(k) => k,
            Told::Nothing => zero,
        };
        guess.counters.push((c, terms.zext(k, 64)));
    }
    Some(guess)
}

/// What digits say of a symbol.
enum Told {
    /// Nothing.
    Nothing,
    /// It is this, 32 bits.
    Is(Term),
    /// They speak of it in several ways.
    Several,
}

/// What digits make of a symbol.
fn value(terms: &mut Terms, digits: &[Digit], values: &[Term], sym: Sym, reader: Term, free: Free) -> Told {
    let of: SmallVec<[(Part, Term); 2]> =
        digits.iter().zip(values).filter(|(d, _)| d.sym == sym).map(|(d, &v)| (d.part, v)).collect();
    let joined = |terms: &mut Terms, n: u128, quotient: Term, rest: Term| {
        let n = terms.constant(n, 32);
        let whole = terms.mul(quotient, n);
        terms.add(whole, rest)
    };
    Told::Is(match of[..] {
        [] => return Told::Nothing,
        [(Part::Whole, v)] => v,
        [(Part::Quotient(n), q), (Part::Rest(m), r)] | [(Part::Rest(m), r), (Part::Quotient(n), q)]
            if n == m =>
        {
            joined(terms, n, q, r)
        }
        [(Part::Quotient(n), q)] => {
            let by = terms.constant(n, 32);
            let rest = match free {
                Free::Own => terms.binary(BinaryOp::Urem, reader, by),
                Free::First => terms.constant(0, 32),
                Free::Last => terms.constant(n - 1, 32),
            };
            joined(terms, n, q, rest)
        }
        [(Part::Rest(n), r)] => {
            let by = terms.constant(n, 32);
            let quotient = match free {
                Free::Own | Free::Last => terms.binary(BinaryOp::Udiv, reader, by),
                Free::First => terms.constant(0, 32),
            };
            joined(terms, n, quotient, r)
        }
        _ => return Told::Several,
    })
}
