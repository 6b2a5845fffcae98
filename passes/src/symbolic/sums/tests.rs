//! Conditions that are said to exclude each other are tried with all values of their symbols.

use super::*;

/// Numbers that follow from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

const WIDTH: u32 = 8;

/// A random term over some symbols, of 8 bits or, extended, of 16.
fn term(terms: &mut Terms, r: &mut Random, symbols: &[Term], depth: u32) -> Term {
    if depth == 0 || r.below(6) == 0 {
        return match r.below(3) {
            0 => {
                let number = [0, 1, 2, 3, 4, 7, 8, 16, 128, 250, 255][r.below(11) as usize];
                terms.constant(number, WIDTH)
            }
            _ => symbols[r.below(symbols.len() as u64) as usize],
        };
    }
    let op = [
        BinaryOp::Iadd,
        BinaryOp::Iadd,
        BinaryOp::Isub,
        BinaryOp::Imul,
        BinaryOp::Xor,
        BinaryOp::And,
        BinaryOp::Udiv,
        BinaryOp::Lshr,
        BinaryOp::Urem,
    ][r.below(9) as usize];
    let a = term(terms, r, symbols, depth - 1);
    let b = if matches!(op, BinaryOp::Iadd | BinaryOp::Isub) {
        term(terms, r, symbols, depth - 1)
    } else {
        let number = [1, 2, 3, 4, 5, 7, 8, 15, 16][r.below(9) as usize];
        terms.constant(number, WIDTH)
    };
    terms.binary(op, a, b)
}

fn condition(terms: &mut Terms, r: &mut Random, symbols: &[Term], depth: u32) -> Term {
    if depth > 0 {
        let of = r.below(6);
        let (a, b) = match of {
            0..=2 => (condition(terms, r, symbols, depth - 1), condition(terms, r, symbols, depth - 1)),
            _ => (terms.truth(true), terms.truth(true)),
        };
        match of {
            0 => return terms.or(a, b),
            1 => return terms.and(a, b),
            2 => {
                let c = condition(terms, r, symbols, 0);
                return terms.ite(c, a, b);
            }
            _ => {}
        }
    }
    let (mut a, mut b) = (term(terms, r, symbols, 2), term(terms, r, symbols, 2));
    match r.below(3) {
        0 => [a, b] = [a, b].map(|t| terms.zext(t, 2 * WIDTH)),
        1 => [a, b] = [a, b].map(|t| terms.sext(t, 2 * WIDTH)),
        _ => {}
    }
    if terms.width(a) > WIDTH {
        let factor = terms.constant(u128::from(1 + r.below(5)), 2 * WIDTH);
        [a, b] = [a, b].map(|t| terms.mul(t, factor));
    }
    let cc = [IntCC::Eq, IntCC::Ne, IntCC::Slt, IntCC::Sle, IntCC::Ult, IntCC::Ule][r.below(6) as usize];
    terms.compare(cc, a, b)
}

#[test]
fn what_is_excluded_never_holds() {
    let mut excluded = 0;
    for seed in 1..=6000u64 {
        let mut r = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut terms = Terms::default();
        let symbols: Vec<Term> = [(Sym::Tid(0), 1), (Sym::Tid(0), 2), (Sym::Bid(0), 1), (Sym::Bid(0), 2)]
            .map(|(sym, copy)| terms.sym_of(sym, copy, WIDTH))
            .to_vec();
        let extents = [1 + r.below(9), 1 + r.below(5)].map(u128::from);
        let mut all = Vec::new();
        for (n, &s) in symbols.iter().enumerate() {
            let extent = terms.constant(extents[n / 2], WIDTH);
            all.push(terms.compare(IntCC::Ult, s, extent));
        }
        for _ in 0..=r.below(3) {
            all.push(condition(&mut terms, &mut r, &symbols, 2));
        }
        if !exclude(&terms, &all, MAX_WORK) {
            continue;
        }
        excluded += 1;
        let [tids, bids] = extents;
        for n in 0..tids * tids * bids * bids {
            let values = [n % tids, n / tids % tids, n / tids / tids % bids, n / tids / tids / bids];
            let with: Vec<(Term, Term)> =
                symbols.iter().zip(values).map(|(&s, v)| (s, terms.constant(v, WIDTH))).collect();
            let hold = all.iter().all(|&c| {
                let told = terms.replace(c, &with);
                terms.bits(told) != Some(0)
            });
            assert!(!hold, "seed {seed}: {values:?}");
        }
    }
    assert!(excluded > 1500, "{excluded}");
}

/// Conditions on two threads: `a` and `b` are their indices in a block of 64, `p` and `q` those of their blocks, of 32.
fn of_threads(make: impl FnOnce(&mut Terms, [Term; 4]) -> Vec<Term>) -> bool {
    let mut terms = Terms::default();
    let symbols = [(Sym::Tid(0), 1), (Sym::Tid(0), 2), (Sym::Bid(0), 1), (Sym::Bid(0), 2)]
        .map(|(sym, copy)| terms.sym_of(sym, copy, 32));
    let mut all = Vec::new();
    for (n, &s) in symbols.iter().enumerate() {
        let extent = terms.constant([64, 32][n / 2], 32);
        all.push(terms.compare(IntCC::Ult, s, extent));
    }
    all.extend(make(&mut terms, symbols));
    exclude(&terms, &all, MAX_WORK)
}

/// That `s * block + thread` is equal for two threads, of which `differ` do.
fn rows_meet(stride: u128, differ: fn([Term; 4]) -> (Term, Term)) -> bool {
    of_threads(|terms, symbols| {
        let [a, b, p, q] = symbols;
        let stride = terms.constant(stride, 32);
        let four = terms.constant(4, 64);
        let [x, y] = [(a, p), (b, q)].map(|(t, block)| {
            let base = terms.mul(block, stride);
            let index = terms.add(base, t);
            let wide = terms.sext(index, 64);
            terms.mul(wide, four)
        });
        let (l, r) = differ(symbols);
        vec![terms.compare(IntCC::Ne, l, r), terms.compare(IntCC::Eq, x, y)]
    })
}

#[test]
fn digits() {
    let threads = |s: [Term; 4]| (s[0], s[1]);
    let blocks = |s: [Term; 4]| (s[2], s[3]);
    assert!(rows_meet(64, threads) && rows_meet(64, blocks));
    // Rows that overlap by one.
    assert!(!rows_meet(63, threads) && !rows_meet(63, blocks));
    // The product wraps around.
    assert!(rows_meet(1 << 27, blocks) && !rows_meet(1 << 28, blocks));
}

#[test]
fn partners() {
    // Thread `t` takes `t` and `t ^ 8`, if the partner is the greater one.
    let meet = |guarded: bool| {
        of_threads(|terms, [a, b, ..]| {
            let eight = terms.constant(8, 32);
            let [x, y] = [a, b].map(|t| terms.binary(BinaryOp::Xor, t, eight));
            let mut all = vec![terms.compare(IntCC::Ne, a, b), terms.compare(IntCC::Eq, a, y)];
            if guarded {
                all.extend([(a, x), (b, y)].map(|(t, o)| terms.compare(IntCC::Ult, t, o)));
            }
            all
        })
    };
    assert!(meet(true) && !meet(false));
}
