//! What one request, or one execution of a branch, costs a warp.

use super::affine::{Sum, Value, value};
use super::warp::{Coming, Warp};
use super::{BRANCH, Does};
use crate::symbolic::summary::{Base, Summary};
use crate::symbolic::term::{Func, Node, Term};
use cudair_ir::cost::{Cost, SECTOR, WORD};
use cudair_ir::verdict::Check;

/// What a place costs.
#[derive(Clone, Debug, Default)]
pub(super) struct Assessed {
    pub cost: Cost,
    /// Whether it is so in each launch of the shape.
    pub sure: bool,
    /// What it is so under.
    pub given: Vec<&'static str>,
    /// Whether every block and iteration was looked at.
    pub whole_launch: bool,
    /// Whether one full warp stood for all.
    pub full_warp: bool,
    /// Costs of single requests, where some may not happen.
    ratios: Vec<(u64, u64)>,
    /// Whether there are requests that may not happen while others do.
    apart: bool,
    /// The condition under which those so far happen.
    condition: Option<Sum>,
}

/// Which lanes come is open.
pub(super) const LANES: &str = "all threads of a warp come here together that may";
/// Where the object starts is open.
pub(super) const START: &str = "pointers that are passed are multiples of 32 bytes";
/// Where the first lane stands is open.
const POSITION: &str = "unknown indices are such that the fewest sectors are moved";
/// The shape is open.
pub(super) const SHAPE: &str = "the threads of a warp are neighbours along x";

impl Assessed {
    pub(super) fn new() -> Assessed {
        Assessed { sure: true, ..Assessed::default() }
    }

    /// What a verdict rests on.
    pub(super) fn premises(&self) -> impl Iterator<Item = &'static str> + '_ {
        std::iter::once("no index wraps around").chain(self.given.iter().copied())
    }

    pub(super) fn doubt(&mut self, given: &'static str) {
        self.sure = false;
        if !self.given.contains(&given) {
            self.given.push(given);
        }
    }

    /// Why it does not prove that all is well, where nothing is told.
    pub(super) fn open(&self, check: Check) -> Option<&'static str> {
        let partial = self.given.contains(&LANES);
        match check {
            _ if self.cost.is_told(check.kind()) => None,
            // Fewer lanes have no more conflicts.
            Check::BankConflicts => None,
            Check::Coalescing if partial => Some("which threads of a warp come here together is not known"),
            Check::Coalescing if self.given.contains(&POSITION) => {
                Some("where the first thread's address stands in its sector is not known")
            }
            _ => None,
        }
    }

    /// Adds one request.
    fn add(&mut self, s: &Summary<'_>, cost: Cost, coming: &Coming) {
        if self.cost.requests == 0 {
            self.condition.clone_from(&coming.condition);
        }
        self.cost.add(cost);
        let in_grid = coming.condition.as_ref().is_none_or(|c| c.is_same_in_grid(&s.terms));
        self.apart |= self.condition != coming.condition || coming.sometimes && !in_grid;
        let ratio = (cost.actual, cost.ideal);
        if !self.ratios.contains(&ratio) {
            self.ratios.push(ratio);
        }
        // Which of unlike requests happen decides the factor.
        if self.apart && self.ratios.len() > 1 {
            self.doubt(LANES);
        }
    }
}

/// Adds what the lanes that come to a place cost there.
pub(super) fn request(
    s: &Summary<'_>,
    warp: &mut Warp,
    coming: &Coming,
    does: &Does,
    out: &mut Assessed,
) -> Result<(), &'static str> {
    if coming.lanes.is_empty() {
        return Ok(());
    }
    if !coming.certain {
        out.doubt(LANES);
    }
    match *does {
        Does::Unknown(why) => Err(why),
        Does::Branch(condition) => {
            let values: Vec<Value> =
                coming.lanes.iter().map(|&n| value(warp, n, &s.terms, condition)).collect();
            let same = values[0] != Value::Varies && values.iter().all(|v| *v == values[0]);
            let constant = |v: &Value| matches!(v, Value::Sum(s) if s.as_constant().is_some());
            // One thread alone is split from nobody.
            if !same && values.len() > 1 && !values.iter().all(constant) {
                return Err(BRANCH);
            }
            let split = values.iter().any(|v| *v != values[0]) && values.len() > 1;
            out.add(s, Cost::of_branch(split), coming);
            Ok(())
        }
        Does::Access { base, offset, bytes } => {
            let mut at: Vec<(usize, i128)> = Vec::new();
            let mut shared: Option<Sum> = None;
            for &n in &coming.lanes {
                let Value::Sum(mut sum) = value(warp, n, &s.terms, offset) else {
                    return Err(of_memory(s, offset));
                };
                at.push((warp[n].number, std::mem::take(&mut sum.constant)));
                match &shared {
                    None => shared = Some(sum),
                    Some(known) if *known != sum => {
                        return Err("the distance between the threads' addresses is not known");
                    }
                    Some(_) => {}
                }
            }
            let unit = if s.is_shared(base) { WORD } else { SECTOR };
            let position = position(s, warp, coming, base, unit, out);
            let step = shared.unwrap_or_default().granularity(unit.into()).min(position.1).max(1);
            let mut all: Vec<Cost> = Vec::new();
            let mut first = position.0.rem_euclid(step);
            while first < unit.into() {
                all.push(cost(s.is_shared(base), &at, first, bytes));
                first += step;
            }
            let least =
                all.iter().min_by_key(|c| (c.actual - c.ideal, c.actual)).copied().unwrap_or_default();
            if all.iter().any(|c| *c != least) {
                out.doubt(POSITION);
            }
            out.add(s, least, coming);
            Ok(())
        }
    }
}

/// Where an object starts, told from a multiple of `unit` bytes: an offset, and of what it is told to be a multiple.
fn position(
    s: &Summary<'_>,
    warp: &mut Warp,
    coming: &Coming,
    base: Base,
    unit: u64,
    out: &mut Assessed,
) -> (i128, i128) {
    let unit = i128::from(unit);
    match base {
        // Each variable lies at a multiple of its alignment, those in device memory at one of a sector.
        Base::Global(g) if s.is_shared(base) => (0, unit.min(1 << s.cx.module.globals[g].align_log2.min(8))),
        Base::Param(n) => match s.extents.get(n as usize).copied().flatten() {
            Some((start, _)) => match value(warp, coming.lanes[0], &s.terms, start) {
                Value::Sum(sum) => (sum.constant, sum.granularity(unit)),
                Value::Varies => (0, 1),
            },
            None => {
                out.doubt(START);
                (0, unit)
            }
        },
        Base::Member(..) => {
            out.doubt(START);
            (0, unit)
        }
        _ => (0, unit),
    }
}

/// One request of lanes at these distances from the place `first`.
fn cost(shared: bool, at: &[(usize, i128)], first: i128, bytes: u64) -> Cost {
    // So far from 0 that nothing near it is negative; banks and sectors repeat.
    let place = |n: i128| n.wrapping_add(first + (1 << 61)).rem_euclid(1 << 62) as u64;
    if shared {
        let lanes: Vec<(usize, u64)> = at.iter().map(|&(lane, n)| (lane, place(n))).collect();
        Cost::of_shared(&lanes, bytes)
    } else {
        Cost::of_global(at.iter().map(|&(_, n)| place(n)).collect(), bytes)
    }
}

/// Why an address is no sum.
fn of_memory(s: &Summary<'_>, offset: Term) -> &'static str {
    let loaded = |n: &Node| matches!(n, Node::App { func: Func::Value(_) | Func::Memory(_), .. });
    if s.terms.mentions(offset, loaded) {
        "the address comes from memory or from another thread"
    } else {
        "the address is no affine form of the thread's index"
    }
}
