//! What an initialiser sets, collected in the order in which it is written.
//!
//! A designator may name again what earlier items set. As gcc and clang do it, the later item counts, and what it
//! replaces as a whole is not evaluated.

use crate::ast::Ex;
use crate::types::{Field, QTy, Ty};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// One object that an initialiser sets.
#[derive(Clone)]
pub(crate) struct Leaf<'tu> {
    /// Offset in bits from the start of the whole object.
    pub offset_bits: u64,
    /// Its size in bits: none where it covers nothing for certain.
    pub bits: Option<u64>,
    pub ty: QTy,
    /// The width, for a bit-field.
    pub width: Option<u32>,
    pub value: LeafValue<'tu>,
    /// Nothing is written for it: it gets what its class says.
    pub default: bool,
}

/// What a [`Leaf`] is set to.
#[derive(Clone)]
pub(crate) enum LeafValue<'tu> {
    /// The value of an expression.
    Expr(Ex<'tu>),
    /// A bit-field's default initialiser.
    Default(Box<Field<'tu>>),
    /// An object of class type for which nothing is written: its default constructor.
    Construct,
    /// Zero again, where braces or another member of a union replace what was set before.
    Zero,
}

impl Leaf<'_> {
    /// The bits that it covers. What replaces an array without a length replaces all that follows.
    fn span(&self) -> Option<(u64, u64)> {
        let end = match (self.bits, &self.value) {
            (Some(bits), _) => self.offset_bits.saturating_add(bits),
            (None, LeafValue::Zero) => u64::MAX,
            (None, _) => return None,
        };
        (end > self.offset_bits).then_some((self.offset_bits, end))
    }
}

/// Spans of which none lies in another: their starts and their ends are in the same order.
#[derive(Default)]
struct Spans(BTreeMap<u64, u64>);

impl Spans {
    fn contain(&self, (start, end): (u64, u64)) -> bool {
        self.0.range(..=start).next_back().is_some_and(|(_, e)| *e >= end)
    }

    fn meet(&self, (start, end): (u64, u64)) -> bool {
        self.0.range(..end).next_back().is_some_and(|(_, e)| *e > start)
    }

    fn insert(&mut self, span: (u64, u64)) {
        if self.contain(span) {
            return;
        }
        let (start, end) = span;
        while let Some((&inner, &e)) = self.0.range(start..).next()
            && e <= end
        {
            self.0.remove(&inner);
        }
        self.0.insert(start, end);
    }
}

/// The leaves of an initialiser, as they are found.
#[derive(Default)]
pub(crate) struct Leaves<'tu> {
    list: Vec<Leaf<'tu>>,
    /// The highest end of those so far.
    end: u64,
    /// Whether one begins below the end of another.
    overlap: bool,
    /// Whether designators are written.
    designated: bool,
    /// What is known of aggregates that designators may lead to again, by their offsets and types.
    met: BTreeMap<u64, FxHashMap<Ty, Met>>,
}

/// An aggregate that an item led to.
#[derive(Default)]
struct Met {
    /// The member that a union has.
    member: Option<usize>,
    /// The members or elements that are set, or have what they get by default.
    given: BTreeSet<u64>,
}

impl<'tu> Leaves<'tu> {
    pub fn push(&mut self, leaf: Leaf<'tu>) {
        self.overlap |= self.is_below_end(leaf.offset_bits);
        if let Some((_, end)) = leaf.span() {
            self.end = self.end.max(end);
        }
        self.list.push(leaf);
    }

    /// Whether an earlier leaf may reach behind a place.
    fn is_below_end(&self, offset_bits: u64) -> bool {
        offset_bits < self.end
    }

    /// An object is set as a whole: what earlier items set in it is no more, and what later ones leave out is zero.
    pub fn reset(&mut self, offset_bits: u64, bits: Option<u64>, ty: QTy, width: Option<u32>) {
        if !self.is_below_end(offset_bits) || bits == Some(0) {
            return;
        }
        let zero = Leaf { offset_bits, bits, ty, width, value: LeafValue::Zero, default: false };
        if let Some((start, end)) = zero.span() {
            let inside: Vec<u64> = self.met.range(start..end).map(|(at, _)| *at).collect();
            for at in inside {
                self.met.remove(&at);
            }
        }
        self.push(zero);
    }

    /// The list that comes next has designators.
    pub fn meet_designators(&mut self) {
        self.designated = true;
    }

    /// A member of a union is chosen. Another one that was set before is no more.
    pub fn choose(&mut self, offset_bits: u64, bits: Option<u64>, ty: QTy, member: usize) {
        if !self.designated {
            return;
        }
        let before = self.met.get(&offset_bits).and_then(|here| here.get(&ty.ty)?.member);
        if before.is_some_and(|m| m != member) {
            self.reset(offset_bits, bits, ty, None);
        }
        self.met.entry(offset_bits).or_default().entry(ty.ty).or_default().member = Some(member);
    }

    /// The members or elements of an aggregate that earlier items set, and those that were left to their defaults then.
    /// Only where designators lead there again these still count.
    pub fn given(&mut self, offset_bits: u64, ty: Ty, again: bool) -> BTreeSet<u64> {
        let met = self.met.get_mut(&offset_bits).and_then(|here| here.get_mut(&ty)).filter(|_| again);
        met.into_iter().flat_map(|met| std::mem::take(&mut met.given)).collect()
    }

    /// Keeps what [`Self::given`] is to tell.
    pub fn give(&mut self, offset_bits: u64, ty: Ty, given: impl FnOnce() -> BTreeSet<u64>) {
        if !self.designated {
            return;
        }
        let given = given();
        self.met.entry(offset_bits).or_default().entry(ty).or_default().given = given;
    }

    /// The leaves without those that later ones replace as a whole.
    pub fn finish(self) -> Vec<Leaf<'tu>> {
        if !self.overlap {
            return self.list;
        }
        let mut later = Spans::default();
        let mut kept = Vec::with_capacity(self.list.len());
        for leaf in self.list.into_iter().rev() {
            let span = leaf.span();
            if span.is_some_and(|s| later.contain(s)) {
                continue;
            }
            // What a member gets by default replaces nothing.
            if let Some(span) = span
                && !leaf.default
            {
                later.insert(span);
            }
            kept.push(leaf);
        }
        kept.reverse();
        // Nothing is left to replace where all that was replaced is gone: what no leaf sets is zero anyway.
        let mut earlier = Spans::default();
        kept.retain(|leaf| {
            let Some(span) = leaf.span() else { return true };
            if matches!(leaf.value, LeafValue::Zero) && !earlier.meet(span) {
                return false;
            }
            earlier.insert(span);
            true
        });
        kept
    }
}

/// How many bits of an object the leaves set for certain; those of bit-fields do not count.
pub(crate) fn covered(leaves: &[Leaf<'_>]) -> u64 {
    let whole = leaves.iter().filter(|l| l.width.is_none());
    let mut spans: Vec<(u64, u64)> = whole.filter_map(Leaf::span).collect();
    spans.sort_unstable();
    let (mut covered, mut reached) = (0, 0);
    for (start, end) in spans {
        covered += end.saturating_sub(start.max(reached));
        reached = reached.max(end);
    }
    covered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_keep_what_lies_in_no_other() {
        let mut spans = Spans::default();
        spans.insert((8, 16));
        spans.insert((16, 24));
        assert!(spans.contain((8, 16)) && !spans.contain((8, 24)));
        assert!(spans.meet((0, 9)) && !spans.meet((0, 8)) && !spans.meet((24, 32)));
        spans.insert((0, 32));
        assert_eq!(spans.0.len(), 1);
        assert!(spans.contain((20, 28)));
        spans.insert((4, 8));
        assert_eq!(spans.0.len(), 1);
    }
}
