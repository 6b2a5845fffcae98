//! What is known of a launch: what its shape says, and in a kernel's summary what the host's code does.

use super::assume::Assumption;
use super::host::{HostCode, HostLaunch, Origin, Pointer};
use super::premises::Premises;
use super::summary::{Alias, Summary};
use super::term::*;
use crate::analysis::shape::Shape;
use cudair_ir::IntCC;
use rustc_hash::{FxHashMap, FxHashSet};

/// The greatest number of threads of a block where nothing says less.
const MAX_THREADS: u32 = 1024;
/// The greatest number of threads of a launch along one axis, where nobody says how many blocks there are: a premise.
const MAX_ALONG: u128 = (1 << 31) - 1;

/// Adds what a launch of the host makes of the kernel's parameters and extents, as far as the kernel asks for them, and
/// gives what is taken for granted then.
pub fn launched(
    s: &mut Summary<'_>,
    shape: &Shape,
    code: &mut HostCode<'_>,
    launch: &HostLaunch,
) -> Premises {
    s.launched = true;
    let placed = code.place(launch, std::mem::take(&mut s.terms));
    s.terms = placed.terms;
    s.told_along = [0, 1, 2].map(|d| placed.grid[d].is_some_and(|t| is_of_integers(&s.terms, t)));
    s.aliases = (placed.aliases.iter())
        .map(|&(of, param, distance)| Alias { param: param as u32, of: of as u32, distance })
        .collect();
    s.extents = (placed.pointers.iter())
        .map(|p| match (*p)? {
            Pointer { origin: Origin::Bytes(bytes), offset } => Some((offset, bytes)),
            Pointer { origin: Origin::Param(_), .. } => None,
        })
        .collect();
    s.dynamic_told = placed.shared.is_some();
    let mut is: Vec<(Term, Term)> = Vec::new();
    let extents = [
        (Sym::BlockDim as fn(u8) -> Sym, &placed.block, shape.block),
        (Sym::GridDim, &placed.grid, shape.grid),
    ];
    for (sym, given, known) in extents {
        for d in 0..3u8 {
            if let (Some(t), None) = (given[usize::from(d)], known[usize::from(d)]) {
                is.push((s.terms.sym(sym(d), 32), t));
            }
        }
    }
    if let Some(t) = placed.shared {
        let short = s.terms.trunc(t, 32);
        is.push((s.terms.sym(Sym::DynamicShared, 32), short));
    }
    for (n, arg) in placed.args.iter().enumerate() {
        let Some(ty) = s.cx.func.sig.params.get(n).map(|p| p.ty) else { continue };
        if let (Some(t), None) = (*arg, shape.args.get(n).copied().flatten())
            && !ty.is_ptr()
            && s.terms.width(t) == ty.bits()
        {
            is.push((s.terms.sym(Sym::Param(n as u32), ty.bits()), t));
        }
    }
    let mut asked: FxHashSet<Term> = FxHashSet::default();
    let mut leaves: FxHashMap<Term, Vec<Term>> = FxHashMap::default();
    for t in everything(s) {
        asked.extend(symbols(&s.terms, t, &mut leaves));
    }
    let mut facts: Vec<Term> = placed.facts;
    for (sym, value) in is {
        facts.push(s.terms.compare(IntCC::Eq, sym, value));
    }
    // What has nothing to do with what the kernel asks for would only weigh on the solver.
    let mut premises = Premises::default();
    loop {
        let (used, rest): (Vec<Term>, Vec<Term>) = facts
            .into_iter()
            .partition(|&f| symbols(&s.terms, f, &mut leaves).iter().any(|leaf| asked.contains(leaf)));
        facts = rest;
        if used.is_empty() {
            s.untold = facts;
            return premises;
        }
        premises = placed.premises;
        for f in used {
            asked.extend(symbols(&s.terms, f, &mut leaves));
            if s.terms.bits(f) != Some(1) {
                s.launch.push(f);
            }
        }
    }
}

/// Adds what is assumed of the launch.
pub fn assumed(s: &mut Summary<'_>, shape: &Shape, assumptions: &[&Assumption]) {
    let func = s.cx.func;
    let known = |terms: &mut Terms, sym: Sym| {
        let (value, width) = match sym {
            Sym::BlockDim(d) => (shape.block[usize::from(d)].map(u128::from), 32),
            Sym::GridDim(d) => (shape.grid[usize::from(d)].map(u128::from), 32),
            Sym::Param(n) => {
                let width = func.sig.params[n as usize].ty.bits();
                (shape.args.get(n as usize).copied().flatten(), width)
            }
            other => unreachable!("an assumption does not speak of {other:?}"),
        };
        match value {
            Some(bits) => terms.constant(bits, width),
            None => terms.sym(sym, width),
        }
    };
    for a in assumptions {
        let holds = a.term(&mut s.terms, func, &known);
        s.launch.push(holds);
    }
}

/// All terms of a summary that a question may be about.
fn everything(s: &mut Summary<'_>) -> Vec<Term> {
    let mut out: Vec<Term> = s.guards.clone();
    out.extend(s.aliases.iter().filter_map(|a| a.distance));
    out.extend(s.extents.iter().flatten().flat_map(|&(start, bytes)| [start, bytes]));
    out.extend(s.suspects.iter().flat_map(|s| [s.offset, s.bytes, s.guard]));
    for a in &s.accesses {
        out.extend([a.offset, a.bytes, a.guard].into_iter().chain(a.value));
    }
    for l in &s.loops {
        out.extend(l.again.into_iter().chain(l.fits.iter().map(|f| f.holds)));
    }
    out.push(s.terms.sym(Sym::DynamicShared, 32));
    // The extents limit every index.
    for d in 0..3 {
        out.push(s.terms.sym(Sym::BlockDim(d), 32));
        out.push(s.terms.sym(Sym::GridDim(d), 32));
    }
    out
}

/// The symbols and values of the host in a term.
fn symbols(terms: &Terms, t: Term, known: &mut FxHashMap<Term, Vec<Term>>) -> Vec<Term> {
    if let Some(found) = known.get(&t) {
        return found.clone();
    }
    let leaf =
        |at: &Term| matches!(terms.node(*at), Node::Sym { .. } | Node::App { func: Func::Host(_), .. });
    let out: Vec<Term> = terms.subterms([t]).into_iter().filter(leaf).collect();
    known.insert(t, out.clone());
    out
}

/// Whether no floating-point operation decides on a term: of what these give nothing is known.
fn is_of_integers(terms: &Terms, t: Term) -> bool {
    let unknown = |t: Term| matches!(terms.node(t), Node::App { func: Func::Op(_) | Func::Native(_), .. });
    !terms.subterms([t]).into_iter().any(unknown)
}

/// What holds of the indices and extents of every launch of a shape. Along the axes that the host's code tells, they are not
/// taken to be less than it says.
pub fn launch_facts(terms: &mut Terms, shape: &Shape, told: [bool; 3]) -> Vec<Term> {
    let mut out = Vec::new();
    let most = shape.max_threads.filter(|&n| n > 0).unwrap_or(MAX_THREADS);
    // A block that no device takes is a finding of its own, and says nothing of the rest.
    let most = shape.threads().map_or(most, |n| most.max(u32::try_from(n).unwrap_or(u32::MAX)));
    let mut volume = terms.constant(1, 64);
    for d in 0..3u8 {
        let one = terms.constant(1, 32);
        let block = match shape.block[d as usize] {
            Some(n) => terms.constant(n.into(), 32),
            None => {
                let dim = terms.sym(Sym::BlockDim(d), 32);
                let limit = terms.constant(if d == 2 { most.min(64) } else { most }.into(), 32);
                out.push(terms.compare(IntCC::Ule, one, dim));
                out.push(terms.compare(IntCC::Ule, dim, limit));
                dim
            }
        };
        let wide = terms.zext(block, 64);
        volume = terms.mul(volume, wide);
        let grid = match shape.grid[d as usize] {
            Some(n) => terms.constant(n.into(), 32),
            None => {
                let dim = terms.sym(Sym::GridDim(d), 32);
                let limit = terms.constant(if d == 0 { 0x7fff_ffff } else { 0xffff }, 32);
                out.push(terms.compare(IntCC::Ule, one, dim));
                out.push(terms.compare(IntCC::Ule, dim, limit));
                let blocks = terms.zext(dim, 64);
                let along = terms.mul(wide, blocks);
                let most = terms.constant(MAX_ALONG, 64);
                if !told[usize::from(d)] {
                    out.push(terms.compare(IntCC::Ule, along, most));
                }
                dim
            }
        };
        if shape.block[d as usize] != Some(1) {
            let tid = terms.sym(Sym::Tid(d), 32);
            out.push(terms.compare(IntCC::Ult, tid, block));
        }
        if shape.grid[d as usize] != Some(1) {
            let bid = terms.sym(Sym::Bid(d), 32);
            out.push(terms.compare(IntCC::Ult, bid, grid));
        }
    }
    let limit = terms.constant(most.into(), 64);
    out.push(terms.compare(IntCC::Ule, volume, limit));
    out
}
