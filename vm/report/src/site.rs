//! Where a launch comes from.

use super::loc_of;
use cudair_ir::{LaunchDims, Loc, Module, Span};
use cudair_lane::fault::Place;

/// So many calls are shown at most: the innermost.
const SHOWN: usize = 6;

/// What a reader needs to find a launch in the program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LaunchSite {
    /// Its extents.
    pub dims: LaunchDims,
    /// Where it is in the program.
    pub loc: Option<Loc>,
    /// The host's calls that led there, innermost first.
    pub calls: Box<[Loc]>,
}

impl LaunchSite {
    /// The launch and the calls that led there, innermost first, each with what is said of it.
    pub(super) fn spans(&self, module: &Module, kernel: Option<&str>) -> Vec<Span> {
        let Some(loc) = self.loc else { return Vec::new() };
        let what = kernel.map_or_else(|| "launched here".to_owned(), |k| format!("`{k}` is launched here"));
        let launch = Span::new(&module.source, loc, what);
        let mut calls = called_from(module, Some(loc), &self.calls);
        calls.retain(|call| call.place() != launch.place());
        std::iter::once(launch).chain(calls).collect()
    }
}

/// The calls in the user's files that led to a place, innermost first: those through which it was inlined, and `calls`.
/// One place is shown once, however often a recursion went through it.
pub(super) fn called_from(module: &Module, loc: Option<Loc>, calls: &[Loc]) -> Vec<Span> {
    let map = &module.source;
    let own = |loc: Loc| (map.locs.get(loc).is_some()).then(|| map.call_path(map.visible(loc)));
    let inlined = loc.and_then(own).unwrap_or_default();
    let outer = calls.iter().filter(|&&c| map.locs.get(c).is_some());
    let outer = outer.flat_map(|&c| std::iter::once(map.visible(c)).chain(own(c).unwrap_or_default()));
    let mut spans: Vec<Span> = Vec::new();
    for call in inlined.into_iter().chain(outer) {
        let span = Span::new(map, call, "called from here");
        let known = spans.iter().any(|s| s.place() == span.place());
        if !known && !map.files[map.locs[map.visible(call)].file].library {
            spans.push(span);
        }
    }
    spans.truncate(SHOWN);
    spans
}

/// [`called_from`] of a place.
pub(super) fn calls_to(module: &Module, place: Place, calls: &[Loc]) -> Vec<Span> {
    called_from(module, loc_of(module, place), calls)
}
