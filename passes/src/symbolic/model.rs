//! Launches for findings: of all in which the solver sees what is wrong, one that is small enough to be run.
//!
//! What is asked here changes no verdict: it is asked only where somebody wants launches, and what it costs the solver is
//! counted apart.

use super::race::Check;
use super::smt::{Answer, QUESTION};
use super::summary::Base;
use super::term::*;
use cudair_ir::{Argument, Counterexample, IntCC, ParamAttr};
use rustc_hash::{FxHashMap, FxHashSet};

/// What the solver may spend on launches of one kernel, in its own units.
const MAX_RESOURCES: u64 = 16_000_000;

/// How large a launch may be.
#[derive(Clone, Copy)]
struct Limits {
    /// Blocks along an axis.
    blocks: u128,
    /// Threads along an axis.
    threads: u128,
    /// The least and the greatest number, as distances from 0.
    below: u128,
    above: u128,
    /// Bytes of an array, and of dynamic shared memory.
    bytes: u128,
    shared: u128,
}

/// What is tried, the best first.
const SIZES: [Option<Limits>; 5] = [
    Some(Limits { blocks: 4, threads: 64, below: 0, above: 256, bytes: 1 << 16, shared: 1 << 12 }),
    Some(Limits { blocks: 4, threads: 64, below: 1024, above: 1024, bytes: 1 << 16, shared: 1 << 12 }),
    Some(Limits { blocks: 64, threads: 1024, below: 0, above: 1 << 20, bytes: 1 << 22, shared: 40 << 10 }),
    Some(Limits {
        blocks: 1 << 16,
        threads: 1024,
        below: 1 << 30,
        above: 1 << 30,
        bytes: 1 << 28,
        shared: 1 << 20,
    }),
    None,
];

/// A part of a launch that may stand open.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    Block(u8),
    Grid(u8),
    Shared,
    Arg(u32),
    /// Where a pointer parameter points to: bytes from the start of its array, and the array's bytes.
    Start(u32),
    Bytes(u32),
    /// How far a parameter points behind another one.
    Distance(u32),
}

impl Check<'_, '_, '_> {
    /// A launch in which the conditions hold; none where nobody wants one, or the solver finds none.
    pub(super) fn counterexample(&mut self, conditions: &[Term]) -> Option<Box<Counterexample>> {
        if !self.s.wants_counterexamples || self.modelled > MAX_RESOURCES {
            return None;
        }
        let before = (self.spent, self.found.questions, self.topic.asks);
        self.topic.asks = "for a small launch that shows this";
        let found = self.small(conditions);
        self.modelled += self.spent - before.0;
        (self.spent, self.found.questions, self.topic.asks) = before;
        found.map(Box::new)
    }

    /// A launch of the shape that the program allows, as far as that is known.
    pub(super) fn some_launch(&mut self) -> Counterexample {
        let conditions = self.launch_as_assumed();
        self.reach.clear();
        if self.shape.block[0].is_none() {
            // Many threads do more than two.
            let mut many = conditions.clone();
            let threads = self.s.terms.sym(Sym::BlockDim(0), 32);
            let warp = self.s.terms.constant(32, 32);
            many.push(self.s.terms.compare(IntCC::Ult, warp, threads));
            if let Some(found) = self.counterexample(&many) {
                return *found;
            }
        }
        if let Some(found) = self.counterexample(&conditions) {
            return *found;
        }
        let mut out = self.built(&FxHashMap::default());
        out.partial = self.s.launched || !self.s.launch.is_empty();
        out
    }

    fn small(&mut self, conditions: &[Term]) -> Option<Counterexample> {
        let mut all = conditions.to_vec();
        for t in self.s.untold.clone() {
            self.flatten(t, &mut all);
        }
        let parts = self.parts(&all);
        let wanted: Vec<Term> = parts.iter().map(|p| p.1).collect();
        for limits in SIZES {
            let mut question = all.clone();
            for limit in limits.map(|l| self.limits(l, &parts)).unwrap_or_default() {
                self.flatten(limit, &mut question);
            }
            if let Answer::Yes(values) = self.put(&question, &wanted, QUESTION) {
                let values = parts.iter().map(|p| p.0).zip(values).collect();
                return Some(self.built(&values));
            }
        }
        None
    }

    /// The parts of the launch that conditions speak of, and those of arrays.
    fn parts(&mut self, conditions: &[Term]) -> Vec<(Part, Term)> {
        let mut out: Vec<(Part, Term)> = Vec::new();
        for (n, extent) in self.s.extents.iter().enumerate() {
            let Some((start, bytes)) = *extent else { continue };
            out.extend([(Part::Start(n as u32), start), (Part::Bytes(n as u32), bytes)]);
        }
        for alias in &self.s.aliases {
            out.extend(alias.distance.map(|t| (Part::Distance(alias.param), t)));
        }
        let roots = conditions.iter().copied().chain(out.iter().map(|p| p.1));
        let spoken: FxHashSet<Term> = self.s.terms.subterms(roots).into_iter().collect();
        let mut spoken: Vec<Term> = spoken.into_iter().collect();
        spoken.sort_unstable();
        for t in spoken {
            let part = match *self.s.terms.node(t) {
                Node::Sym { sym: Sym::BlockDim(d), .. } => Part::Block(d),
                Node::Sym { sym: Sym::GridDim(d), .. } => Part::Grid(d),
                Node::Sym { sym: Sym::DynamicShared, .. } => Part::Shared,
                Node::Sym { sym: Sym::Param(n), .. } => Part::Arg(n),
                _ => continue,
            };
            out.push((part, t));
        }
        out
    }

    fn limits(&mut self, limits: Limits, parts: &[(Part, Term)]) -> Vec<Term> {
        let mut out = Vec::new();
        let at_most = |terms: &mut Terms, t: Term, most: u128| {
            let most = terms.constant(most, terms.width(t));
            terms.compare(IntCC::Ule, t, most)
        };
        for &(part, t) in parts {
            let width = self.s.terms.width(t);
            let is_number = |n: u32| {
                let ty = self.s.cx.func.sig.params[n as usize].ty;
                ty.is_int() && width < 128 && limits.below + limits.above < 1 << width
            };
            let terms = &mut self.s.terms;
            match part {
                Part::Block(_) => out.push(at_most(terms, t, limits.threads)),
                Part::Grid(_) => out.push(at_most(terms, t, limits.blocks)),
                Part::Shared => out.push(at_most(terms, t, limits.shared)),
                Part::Start(_) | Part::Distance(_) => out.push(at_most(terms, t, limits.bytes)),
                Part::Bytes(_) => {
                    // An array of no bytes is none.
                    out.push(at_most(terms, t, limits.bytes));
                    let none = terms.constant(0, width);
                    out.push(terms.compare(IntCC::Ne, t, none));
                }
                Part::Arg(n) if is_number(n) => {
                    let below = terms.constant(limits.below, width);
                    let moved = terms.add(t, below);
                    out.push(at_most(terms, moved, limits.below + limits.above));
                }
                Part::Arg(_) => {}
            }
        }
        for t in self.reach.clone() {
            out.push(at_most(&mut self.s.terms, t, limits.bytes));
        }
        out
    }

    /// A launch with these values, and what is a constant.
    fn built(&self, values: &FxHashMap<Part, u128>) -> Counterexample {
        let (s, shape) = (&*self.s, self.shape);
        let of = |part: Part| values.get(&part).copied();
        let extent = |known: Option<u32>, part: Part| known.or_else(|| of(part).map(|n| n as u32));
        let constant = |t: Term, part: Part| s.terms.bits(t).or_else(|| of(part)).map(|n| n as u64);
        let args = s.cx.func.sig.params.iter().enumerate().map(|(at, param)| {
            let n = at as u32;
            if param.attr != ParamAttr::None {
                return Argument::Any;
            }
            if !param.ty.is_ptr() {
                let known = shape.args.get(at).copied().flatten();
                // To the solver, what is computed with floating-point numbers may be anything.
                let chosen = of(Part::Arg(n)).filter(|_| param.ty.is_int());
                return known.or(chosen).map_or(Argument::Any, Argument::Bits);
            }
            if let Some(alias) = s.aliases.iter().find(|a| a.param == n)
                && let Some(distance) = alias.distance.and_then(|t| constant(t, Part::Distance(n)))
            {
                return Argument::Alias { of: alias.of, distance };
            }
            if let Some((start, bytes)) = s.extents.get(at).copied().flatten()
                && let Some(offset) = constant(start, Part::Start(n))
                && let Some(bytes) = constant(bytes, Part::Bytes(n))
            {
                return Argument::Array { bytes, offset };
            }
            if of(Part::Arg(n)) == Some(0) { Argument::Bits(0) } else { Argument::Any }
        });
        let args = args.collect();
        let d = [0u8, 1, 2];
        Counterexample {
            kernel: s.cx.func.name.clone(),
            grid: d.map(|d| extent(shape.grid[usize::from(d)], Part::Grid(d))),
            block: d.map(|d| extent(shape.block[usize::from(d)], Part::Block(d))),
            dynamic_shared: of(Part::Shared).map(|n| n as u32),
            uses_dynamic_shared: s.accesses.iter().any(|a| a.base == Base::DynamicShared),
            args,
            ..Counterexample::default()
        }
    }
}
