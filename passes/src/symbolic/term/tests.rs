//! What a term is simplified to means what was asked for.

use super::*;
use proptest::prelude::*;

/// An expression as it is written.
#[derive(Clone, Debug)]
enum Expr {
    Sym(u8),
    Const(u64),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    Choice(IntCC, Box<[Expr; 4]>),
    Narrow(Box<Expr>, bool),
}

const OPS: [BinaryOp; 13] = {
    use BinaryOp::*;
    [Iadd, Isub, Imul, And, Or, Xor, Shl, Lshr, Ashr, Udiv, Urem, Sdiv, Srem]
};
const CONDITIONS: [IntCC; 10] = {
    use IntCC::*;
    [Eq, Ne, Slt, Sle, Sgt, Sge, Ult, Ule, Ugt, Uge]
};

fn expr() -> impl Strategy<Value = Expr> {
    let small =
        prop_oneof![Just(0), Just(1), Just(2), Just(4), Just(31), Just(u64::from(u32::MAX)), any::<u64>()];
    let leaf = prop_oneof![(0u8..3).prop_map(Expr::Sym), small.prop_map(Expr::Const)];
    leaf.prop_recursive(5, 40, 4, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        prop_oneof![
            4 => (0..OPS.len(), boxed.clone(), boxed.clone()).prop_map(|(o, a, b)| Expr::Binary(OPS[o], a, b)),
            1 => boxed.clone().prop_map(Expr::Not),
            2 => (0..CONDITIONS.len(), [inner.clone(), inner.clone(), inner.clone(), inner.clone()])
                .prop_map(|(c, all)| Expr::Choice(CONDITIONS[c], Box::new(all))),
            1 => (boxed, any::<bool>()).prop_map(|(e, signed)| Expr::Narrow(e, signed)),
        ]
    })
}

/// An operation as SMT-LIB and the device have it; `None` where it is undefined.
fn apply(op: BinaryOp, a: u64, b: u64) -> Option<u64> {
    match op {
        BinaryOp::Shl => Some(if b < 64 { a << b } else { 0 }),
        BinaryOp::Lshr => Some(if b < 64 { a >> b } else { 0 }),
        BinaryOp::Ashr => Some(((a as i64) >> b.min(63)) as u64),
        _ => defined(eval::binary(op, false, Type::I64, a.into(), b.into(), Side::Kernel)).map(|r| r as u64),
    }
}

fn value(e: &Expr, env: [u64; 3]) -> Option<u64> {
    Some(match e {
        Expr::Sym(n) => env[*n as usize],
        Expr::Const(c) => *c,
        Expr::Binary(op, a, b) => apply(*op, value(a, env)?, value(b, env)?)?,
        Expr::Not(a) => !value(a, env)?,
        Expr::Choice(cc, all) => {
            let [a, b, x, y] = [0, 1, 2, 3].map(|n| value(&all[n], env));
            let holds = eval::icmp(*cc, Type::I64, a?.into(), b?.into());
            // Both have to be defined: a term has no order of evaluation.
            let (x, y) = (x?, y?);
            if holds { x } else { y }
        }
        Expr::Narrow(a, signed) => {
            let low = value(a, env)? as u32;
            if *signed { i64::from(low as i32) as u64 } else { low.into() }
        }
    })
}

fn term(terms: &mut Terms, e: &Expr) -> Term {
    match e {
        Expr::Sym(n) => terms.sym(Sym::Param(u32::from(*n)), 64),
        Expr::Const(c) => terms.constant((*c).into(), 64),
        Expr::Binary(op, a, b) => {
            let (a, b) = (term(terms, a), term(terms, b));
            terms.binary(*op, a, b)
        }
        Expr::Not(a) => {
            let a = term(terms, a);
            terms.not(a)
        }
        Expr::Choice(cc, all) => {
            let [a, b, x, y] = [0, 1, 2, 3].map(|n| term(terms, &all[n]));
            let c = terms.compare(*cc, a, b);
            terms.ite(c, x, y)
        }
        Expr::Narrow(a, signed) => {
            let a = term(terms, a);
            let low = terms.trunc(a, 32);
            if *signed { terms.sext(low, 64) } else { terms.zext(low, 64) }
        }
    }
}

/// What a term is where its symbols have these values.
fn read(terms: &mut Terms, t: Term, env: [u64; 3]) -> Option<u128> {
    let with: Vec<(Term, Term)> = (0..3u32)
        .map(|n| (terms.sym(Sym::Param(n), 64), terms.constant(env[n as usize].into(), 64)))
        .collect();
    let t = terms.replace(t, &with);
    terms.bits(t)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    /// A term has the value of the expression that it was made of.
    #[test]
    fn simplification_keeps_values(e in expr(), env in (any::<u64>(), 0u64..70, any::<u64>())) {
        let (env, mut terms) = (env.into(), Terms::default());
        let t = term(&mut terms, &e);
        if let Some(expected) = value(&e, env) {
            prop_assert_eq!(read(&mut terms, t, env), Some(expected.into()));
        }
    }

    /// Equality of two terms is decided as that of their values, also where it was simplified.
    #[test]
    fn equality_keeps_its_value(a in expr(), b in expr(), k in 0usize..4, env in (0u64..4, 0u64..4, any::<u64>())) {
        let (env, mut terms): ([u64; 3], _) = (env.into(), Terms::default());
        let (mut x, mut y) = (term(&mut terms, &a), term(&mut terms, &b));
        // Forms in which something is cancelled.
        let shared = terms.sym(Sym::Param(0), 64);
        let four = terms.constant(4, 64);
        match k {
            1 => (x, y) = (terms.add(x, shared), terms.add(y, shared)),
            2 => (x, y) = (terms.mul(x, four), terms.mul(y, four)),
            3 => {
                let low = [x, y].map(|t| terms.trunc(t, 32));
                let wide = low.map(|t| terms.sext(t, 64));
                (x, y) = (terms.mul(wide[0], four), terms.mul(wide[1], four));
            }
            _ => {}
        }
        let equal = terms.compare(IntCC::Eq, x, y);
        if let (Some(p), Some(q)) = (read(&mut terms, x, env), read(&mut terms, y, env)) {
            prop_assert_eq!(read(&mut terms, equal, env), Some(u128::from(p == q)));
        }
    }

    /// Rewriting passes over what it does not concern, and keeps what it came to: the result is that of rewriting all.
    #[test]
    fn rewriting_spares_no_change(e in expr(), n in 0u32..3, number in any::<u64>()) {
        let mut terms = Terms::default();
        let t = term(&mut terms, &e);
        let (of, is) = (terms.sym(Sym::Param(n), 64), terms.constant(number.into(), 64));
        let whole = |terms: &mut Terms, t: Term, of: Term, is: Term| {
            terms.rewrite(t, &mut FxHashMap::default(), &mut |_, at| (at == of).then_some(is))
        };
        let expected = whole(&mut terms, t, of, is);
        for _ in 0..2 {
            prop_assert_eq!(terms.replace(t, &[(of, is)]), expected);
        }
        // The same with a thread's index, for one of two threads.
        let (own, first) = (terms.sym(Sym::Tid(0), 64), terms.sym_of(Sym::Tid(0), 1, 64));
        let t = whole(&mut terms, t, of, own);
        let expected = whole(&mut terms, t, own, first);
        for _ in 0..2 {
            prop_assert_eq!(terms.instance(t, 1, Uniformity::Block), expected);
        }
    }

    /// Bits that are said to be zero are.
    #[test]
    fn trailing_zeros_are_zero(e in expr(), env in [any::<u64>(), any::<u64>(), any::<u64>()]) {
        let mut terms = Terms::default();
        let t = term(&mut terms, &e);
        let zeros = terms.trailing_zeros(t);
        if let Some(bits) = read(&mut terms, t, env) {
            prop_assert!(bits == 0 || bits.trailing_zeros() >= zeros);
        }
    }
}

#[test]
fn threads_share_what_is_uniform_enough() {
    let mut terms = Terms::default();
    let (tid, bid) = (terms.sym(Sym::Tid(0), 32), terms.sym(Sym::Bid(0), 32));
    let both = terms.add(tid, bid);
    let of = |terms: &mut Terms, copy, shared| terms.instance(both, copy, shared);
    let (a, b) = (of(&mut terms, 1, Uniformity::Block), of(&mut terms, 2, Uniformity::Block));
    assert_ne!(a, b);
    // In one block `blockIdx` is common: the sums are equal just where the threads are.
    let equal = terms.compare(IntCC::Eq, a, b);
    assert!(!terms.mentions(equal, |n| matches!(n, Node::Sym { sym: Sym::Bid(_), .. })));
    let (a, b) = (of(&mut terms, 1, Uniformity::Grid), of(&mut terms, 2, Uniformity::Grid));
    let equal = terms.compare(IntCC::Eq, a, b);
    assert!(terms.mentions(equal, |n| matches!(n, Node::Sym { sym: Sym::Bid(_), copy: 2 })));
}
