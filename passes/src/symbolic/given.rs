//! Parameters whose values somebody gives: what the kernel assumes of them, or a user of `--assume`, leaves a range.
//!
//! Where a kernel says `__requires(0 <= x && x < 1000)`, it answers for each of these launches. So a witness with one of
//! them is certain, and not a guess at an argument that nobody gave. A bound on one side alone, such as `n > 0`, gives
//! nothing: it excludes, and says nothing of what is passed.

use super::conflicts::Witness;
use super::race::Check;
use super::report::parameter;
use super::smt::Answer;
use super::term::*;
use crate::analysis::shape::Shape;
use cudair_ir::{Function, IntCC};

/// A parameter that may be as far from 0 as this is not bounded.
const FAR: u128 = 1 << 24;

/// The integer parameters that what is assumed bounds on both sides.
pub fn given(check: &mut Check<'_, '_, '_>) -> Vec<u32> {
    let conditions = check.launch_as_assumed();
    let spoken_of = check.s.terms.subterms(conditions.iter().copied());
    let params: Vec<(u32, Term)> = (spoken_of.into_iter())
        .filter_map(|t| match *check.s.terms.node(t) {
            Node::Sym { sym: Sym::Param(n), .. } => Some((n, t)),
            _ => None,
        })
        .collect();
    let mut out = Vec::new();
    for (n, t) in params {
        let width = check.s.terms.width(t);
        if !check.s.cx.func.sig.params[n as usize].ty.is_int() || width < 32 {
            continue;
        }
        let far = check.s.terms.constant(FAR, width);
        let range = check.s.terms.constant(2 * FAR, width);
        let moved = check.s.terms.add(t, far);
        let is_far = check.s.terms.compare(IntCC::Ule, range, moved);
        let mut all = conditions.clone();
        check.flatten(is_far, &mut all);
        if check.ask(&all) == Answer::No {
            out.push(n);
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// A launch with the arguments that a witness has for parameters that are given. `None` if it has none.
pub fn launch_of(shape: &Shape, given: &[u32], w: &Witness, params: usize) -> Option<Shape> {
    let mut out = shape.clone();
    out.args.resize(params, None);
    for &n in given {
        let known = &mut out.args[n as usize];
        *known = known.or_else(|| w.value(Sym::Param(n), 0));
    }
    (out.args != shape.args).then_some(out)
}

/// The arguments of a witness that are given, in words.
pub fn in_words(func: &Function, given: &[u32], w: &Witness) -> Option<String> {
    let of = |&n: &u32| {
        let value = cudair_ir::eval::signed(func.sig.params[n as usize].ty, w.value(Sym::Param(n), 0)?);
        Some(format!("{} = {value}", parameter(func, n)))
    };
    let parts: Vec<String> = given.iter().filter_map(of).collect();
    (!parts.is_empty()).then(|| format!("where {}, which is allowed by what is assumed", parts.join(", ")))
}
