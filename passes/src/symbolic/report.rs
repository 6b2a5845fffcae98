//! What was found of two threads, as findings and verdicts.

use super::conflicts::{Conflict, Meeting, Races, Witness};
use super::diverged::Diverging;
use super::given::{in_words, launch_of};
use super::race::Apart;
use super::smt::{CUT, sym_name};
use super::summary::{Access, Base, Gap, Summary, Touch};
use super::term::{Node, Sym};
use crate::analysis::only_possible;
use crate::analysis::uniformity::RootContext;
use crate::analysis::witness::{Deed, ThreadIndex, Trace, meet, reads_back, trace, undisturbed};
use cudair_ir::verdict::{Check, CheckVerdict, Outcome};
use cudair_ir::*;
use rustc_hash::FxHashMap;
use std::cell::OnceCell;

/// What the check of races comes to for one kernel in launches of one shape.
pub struct RaceReport {
    /// Races that happen in each such launch.
    pub refuted: Vec<Finding>,
    /// Races that may happen.
    pub possible: Vec<Finding>,
    /// The verdicts on shared and on device memory, where the kernel touches it.
    pub verdicts: Vec<CheckVerdict>,
}

/// Tells what was found. The arguments for the parameters `given` are those that a witness has.
pub fn report(
    root: &RootContext<'_>,
    s: &Summary<'_>,
    found: &Races,
    (given, strict): (&[u32], bool),
    diverging: &Diverging,
) -> RaceReport {
    let mut out = RaceReport { refuted: Vec::new(), possible: Vec::new(), verdicts: Vec::new() };
    let mut followed = Threads::new(root, s.cx.id);
    let names_shared = s.names_shared();
    for check in [Check::SharedRaces, Check::GlobalRaces] {
        // What is not told to be in one memory may be in both.
        let is = |a: &Access| match check {
            Check::SharedRaces => s.is_shared(a.base) || names_shared && s.may_be_shared(a),
            _ => !s.is_shared(a.base),
        };
        let of = |c: &&Conflict| is(&s.accesses[c.accesses.0]) || is(&s.accesses[c.accesses.1]);
        if !s.accesses.iter().any(is) && found.gaps.is_empty() {
            continue;
        }
        let mut conflicts: Vec<&Conflict> = found.conflicts.iter().filter(of).collect();
        // At one place the worst is told.
        conflicts.sort_by_key(|c| matches!(c.meeting, Meeting::SameValue(_)));
        let mut verdict =
            CheckVerdict { places: conflicts.len() + found.gaps.len(), ..CheckVerdict::proved(check) };
        for conflict in &conflicts {
            let accesses = [conflict.accesses.0, conflict.accesses.1].map(|n| &s.accesses[n]);
            if conflict.meeting == Meeting::Cut {
                if verdict.outcome < Outcome::NotChecked {
                    (verdict.outcome, verdict.why) = (Outcome::NotChecked, Some(CUT.to_owned()));
                    let loc = s.cx.func.locs[accesses[0].inst].expand();
                    verdict.place = loc.map(|loc| Span::new(&root.module.source, loc, ""));
                }
                continue;
            }
            let meets = !accesses.into_iter().any(|a| diverging.come_before(s, a.block, a.at));
            followed.meets = meets;
            let (mut finding, mut definite) = finding(&mut followed, s, conflict, check, strict);
            if let (false, Meeting::Possible(w)) = (definite, &conflict.meeting)
                && let Some(shape) = launch_of(root.shape, given, w, s.cx.func.sig.params.len())
            {
                let root = RootContext { shape: &shape, ..*root };
                let mut followed = Threads { meets, ..Threads::new(&root, s.cx.id) };
                let (certain, is) = self::finding(&mut followed, s, conflict, check, strict);
                if is {
                    (finding, definite) = (certain, true);
                    finding.notes.extend(in_words(s.cx.func, given, w));
                }
            }
            if let Meeting::Possible(w) | Meeting::SameValue(w) = &conflict.meeting {
                finding.counterexamples.extend(w.launch.as_deref().cloned());
            }
            let why = match &conflict.meeting {
                Meeting::Unknown(why) => why.clone(),
                Meeting::Cut => CUT.to_owned(),
                Meeting::SameValue(_) if definite => {
                    "two threads write the same value to the same bytes".to_owned()
                }
                Meeting::SameValue(_) => "two threads may write the same value to the same bytes".to_owned(),
                Meeting::Possible(_) if definite => "two threads touch the same bytes".to_owned(),
                Meeting::Possible(_) => "two threads may touch the same bytes".to_owned(),
            };
            let outcome = if definite { Outcome::Refuted } else { Outcome::Possible };
            if outcome > verdict.outcome {
                (verdict.outcome, verdict.why) = (outcome, Some(why));
                verdict.place.clone_from(&finding.primary);
            }
            if definite {
                finding.merge_into(&mut out.refuted);
            } else {
                finding.merge_into(&mut out.possible);
            }
        }
        for gap in &found.gaps {
            not_followed(root, s, gap, check, strict).merge_into(&mut out.possible);
        }
        if let Some(gap) = found.gaps.first()
            && verdict.outcome < Outcome::Possible
        {
            verdict.outcome = Outcome::Possible;
            verdict.why = Some(format!("{} is not followed", gap.what));
            verdict.place = gap.loc.map(|loc| Span::new(&root.module.source, loc, ""));
        }
        if verdict.outcome == Outcome::Proved && !found.trivial {
            verdict.premises = found.premises.in_words(check);
        }
        out.verdicts.push(verdict);
    }
    out
}

/// That something could not be followed, so that nothing is proved.
fn not_followed(root: &RootContext<'_>, s: &Summary<'_>, gap: &Gap, check: Check, strict: bool) -> Finding {
    let (kind, memory) = match check {
        Check::SharedRaces => (Kind::SharedRace, "shared memory"),
        _ => (Kind::GlobalRace, "device memory"),
    };
    let mut finding =
        Finding::dynamic(kind, format!("threads may race in {memory}: {} is not followed", gap.what));
    finding.origin = Origin::Static;
    finding.kernel = Some(s.cx.func.display_name.clone());
    finding.dims = root.shape.dims();
    only_possible(&mut finding, strict);
    finding.primary = gap.loc.map(|loc| Span::new(&root.module.source, loc, "this is not followed"));
    finding
}

/// A finding, and whether it is certain.
fn finding(
    followed: &mut Threads<'_, '_>,
    s: &Summary<'_>,
    c: &Conflict,
    check: Check,
    strict: bool,
) -> (Finding, bool) {
    let root = followed.root;
    // The later one in the program is the main place.
    let (first, second) = c.accesses;
    let (x, y) = (&s.accesses[first.max(second)], &s.accesses[first.min(second)]);
    let copies = if first >= second { [1, 2] } else { [2, 1] };
    let mut threads = match &c.meeting {
        Meeting::Possible(w) | Meeting::SameValue(w) => {
            Some(copies.map(|copy| thread(root, c.apart, w, copy)))
        }
        Meeting::Unknown(_) | Meeting::Cut => None,
    };
    let same = matches!(c.meeting, Meeting::SameValue(_));
    let deeds = [x, y].map(Access::deed);
    let definite = match (&c.meeting, threads) {
        (Meeting::Possible(w) | Meeting::SameValue(w), Some(threads)) => {
            // What a volatile access orders, and how atomics of two widths go together, is for the run to say.
            let atomics = [x, y].iter().all(|a| matches!(a.touch, Touch::Atomic { .. }));
            !w.data
                && !x.volatile
                && !y.volatile
                && !atomics
                && (c.apart != Apart::InWarp || at_once(s, x, y))
                && followed.meet(threads, deeds, same)
        }
        _ => false,
    };
    let certain = match &c.meeting {
        Meeting::Possible(w) if !definite => w.certain,
        _ => None,
    };
    if definite && let Some(first) = followed.first(c.apart, deeds, same) {
        threads = Some(first);
    } else if let Some(certain) = certain {
        threads = Some(copies.map(|copy| certain[usize::from(copy) - 1]));
    }
    let definite = definite || certain.is_some();
    let kind = if check == Check::SharedRaces { Kind::SharedRace } else { Kind::GlobalRace };
    let object = object(s, if s.is_shared(x.base) { x.base } else { y.base });
    let dims = root.shape.dims();
    let coord = |(block, thread): ThreadIndex| ThreadCoord { block, thread };
    let who = match threads {
        Some([(b, t), (d, u)]) if definite && c.apart == Apart::Blocks => {
            dims.pair(coord((b, t)), coord((d, u)))
        }
        Some([(b, t), (_, u)]) if definite => dims.pair(coord((b, t)), coord((b, u))),
        _ if c.apart == Apart::Blocks => "threads of two blocks".to_owned(),
        _ => "two threads of a block".to_owned(),
    };
    let touch = if definite { "touch" } else { "may touch" };
    let message = match c.apart {
        Apart::Blocks => format!("{who} {touch} the same bytes of {object}, and nothing orders them"),
        _ => format!("{who} {touch} the same bytes of {object} without a barrier between them"),
    };
    let mut finding = Finding::dynamic(kind, message);
    finding.origin = Origin::Static;
    finding.kernel = Some(s.cx.func.display_name.clone());
    finding.dims = dims;
    finding.cause = Some(format!("{object}, {:?}, {definite}", c.apart));
    if !definite {
        only_possible(&mut finding, strict);
    } else if same && !strict {
        // A run says no worse of it.
        finding.severity = Severity::Warning;
    }
    let who = match threads.filter(|_| definite) {
        Some(threads) => {
            finding.threads = threads.map(coord).to_vec();
            threads.map(|(block, thread)| match c.apart {
                Apart::Blocks => format!("thread {} of block {}", dims.thread(thread), dims.block(block)),
                _ => format!("thread {}", dims.thread(thread)),
            })
        }
        None => ["one of them".to_owned(), "the other".to_owned()],
    };
    let touched = |a: &Access| match a.touch {
        Touch::Read => "read",
        Touch::Write => "written",
        Touch::Atomic { .. } => "changed atomically",
    };
    let span = |a: &Access, label: String| {
        let loc = s.cx.func.locs[a.inst].expand()?;
        Some(Span::new(&root.module.source, loc, label))
    };
    let (at, other) = (touched(x), touched(y));
    let around = match c.apart {
        Apart::Blocks => None,
        _ => program_order::around(root.module, s.cx.func, [x.inst, y.inst], c.apart == Apart::InWarp),
    };
    let when = |n: usize| around.filter(|w| w.later == n).map_or("", |w| w.label());
    let first = format!("{at} by {}{}", who[0], when(0));
    let second = span(y, format!("{other} by {}{}", who[1], when(1)));
    finding.primary = span(x, first.clone());
    match (&mut finding.primary, second) {
        (Some(both), Some(second)) if both.place() == second.place() => {
            both.label = match (at == other, definite) {
                (true, true) => format!("{first} and {}", who[1]),
                (true, false) => format!("{at} by both of them"),
                (false, _) => format!("{first}, {}", second.label),
            };
        }
        (_, second) => finding.related.extend(second),
    }
    if let Meeting::Unknown(why) = &c.meeting {
        finding.notes.push(why.clone());
    }
    if matches!(c.meeting, Meeting::SameValue(_)) {
        finding.notes.push("both write the same value".to_owned());
    }
    if let (Meeting::Possible(w) | Meeting::SameValue(w), false) = (&c.meeting, definite)
        && let Some(text) = example(s, w, 2, c.apart)
    {
        finding.notes.push(text);
        finding.notes.extend(excluded_by(s.cx.func, w));
    }
    // Threads that touch one place at a time are not ordered by a barrier before or behind it.
    finding.help = (c.apart != Apart::Blocks && !finding.related.is_empty())
        .then(|| "put a barrier between the two places".to_owned());
    if c.apart != Apart::Blocks {
        let side = |a: &Access| {
            let Some(loc) = s.cx.func.locs[a.inst].expand() else { return Vec::new() };
            let map = &root.module.source;
            std::iter::once(Span::new(map, loc, "")).chain(Span::call_path(map, loc)).collect()
        };
        finding.unordered = Some(Box::new(Unordered {
            sides: [side(x), side(y)],
            same_warp: c.apart == Apart::InWarp,
            ty: program_order::type_of(s.cx.func, x.inst)
                .filter(|&ty| program_order::type_of(s.cx.func, y.inst) == Some(ty)),
            otherwise: None,
        }));
    }
    (finding, definite)
}

/// Whether two lanes of a warp come to two accesses at once: both are one instruction outside of loops, and nothing
/// synchronises warps.
fn at_once(s: &Summary<'_>, x: &Access, y: &Access) -> bool {
    let orders = |i: &InstData| matches!(i, InstData::WarpSync { .. });
    x.inst == y.inst
        && s.cx.control.cycles_of(x.block).next().is_none()
        && !s.cx.func.insts.values().any(orders)
}

/// That not all blocks may come to a barrier of the grid.
pub fn grid_divergence(
    root: &RootContext<'_>,
    s: &Summary<'_>,
    barrier: Option<Inst>,
    strict: bool,
) -> Finding {
    let mut finding = Finding::dynamic(Kind::BarrierDivergence, String::new());
    finding.origin = Origin::Static;
    finding.kernel = Some(s.cx.func.display_name.clone());
    finding.dims = root.shape.dims();
    let loc = barrier.and_then(|i| s.cx.func.locs[i].expand()).or(s.cx.func.loc.expand());
    if let Some(loc) = loc {
        finding.primary = Some(Span::new(&root.module.source, loc, "the grid waits here"));
        finding.related = Span::call_path(&root.module.source, loc);
    }
    match Threads::new(root, s.cx.id).parted() {
        Some([a, b]) => {
            let [x, y] = [a, b].map(|t| finding.dims.block(t.0));
            finding.message = format!("blocks {x} and {y} wait at different barriers of the grid");
            finding.certainty = Certainty::Definite;
            finding.severity = Severity::Error;
            finding.threads = [a, b].map(|(block, thread)| ThreadCoord { block, thread }).to_vec();
        }
        None => {
            only_possible(&mut finding, strict);
            "blocks of the grid may diverge before this barrier of the grid".clone_into(&mut finding.message);
        }
    }
    finding
}

/// Threads that were followed, each once.
pub(super) struct Threads<'a, 'b> {
    root: &'b RootContext<'a>,
    kernel: FuncId,
    followed: FxHashMap<ThreadIndex, Option<Trace>>,
    /// All threads of a block come to each barrier in front of the accesses that are looked at.
    meets: bool,
    /// What all threads do where none disturbs another one, once somebody has asked.
    undisturbed: OnceCell<Option<FxHashMap<ThreadIndex, Trace>>>,
}

/// Numbers of threads in their block that are tried for a report.
const FIRST: [u32; 7] = [0, 1, 2, 3, 31, 32, 33];

impl<'a, 'b> Threads<'a, 'b> {
    pub(super) fn new(root: &'b RootContext<'a>, kernel: FuncId) -> Threads<'a, 'b> {
        Threads { root, kernel, followed: FxHashMap::default(), meets: true, undisturbed: OnceCell::new() }
    }

    /// What a thread does, as far as the launch alone says.
    pub(super) fn trace(&mut self, at: ThreadIndex) -> Option<&Trace> {
        self.follow(at);
        self.followed.get(&at).and_then(Option::as_ref)
    }

    /// What all threads do where no other one writes what one reads back, and this one reads something back.
    pub(super) fn undisturbed(&mut self, at: ThreadIndex) -> Option<&FxHashMap<ThreadIndex, Trace>> {
        let (root, kernel) = (self.root, self.kernel);
        if self.undisturbed.get().is_none() && !reads_back(root, kernel, at) {
            return None;
        }
        self.undisturbed.get_or_init(|| undisturbed(root, kernel)).as_ref()
    }

    fn follow(&mut self, at: ThreadIndex) {
        let Threads { root, kernel, followed, .. } = self;
        // A block other than the first need not be in a grid that nobody gave.
        let there = (0..3).all(|d| at.0[d] == 0 || root.shape.grid[d].is_some_and(|n| at.0[d] < n));
        followed.entry(at).or_insert_with(|| if there { trace(root, *kernel, at) } else { None });
    }

    /// Whether two threads meet at two accesses, whatever memory holds. With `same` they may write one value.
    fn meet(&mut self, threads: [ThreadIndex; 2], deeds: [Deed; 2], same: bool) -> bool {
        for t in threads {
            self.follow(t);
        }
        match threads.map(|t| self.followed.get(&t).and_then(Option::as_ref)) {
            [Some(a), Some(b)] => meet(a, b, deeds, (same, self.meets)),
            _ => false,
        }
    }

    /// Threads of two blocks that wait at different barriers of the grid, whatever memory holds. The first thread of each
    /// block is not asked: it does what the library does to make the blocks meet.
    fn parted(&mut self) -> Option<[ThreadIndex; 2]> {
        let thread = self.root.shape.block.iter().position(|d| d.is_some_and(|n| n > 1))?;
        let along = self.root.shape.grid.iter().position(|d| d.is_some_and(|n| n > 1))?;
        let at = |n: u32| {
            let (mut block, mut index) = ([0; 3], [0; 3]);
            (block[along], index[thread]) = (n, 1);
            (block, index)
        };
        let last = self.root.shape.grid[along]? - 1;
        let module = self.root.module;
        let first = self.trace(at(0))?.grid_barriers(module)?;
        let other = [1, last].map(at).into_iter().find(|&t| {
            let other = self.trace(t).and_then(|trace| trace.grid_barriers(module));
            other.is_some_and(|o| o != first)
        })?;
        Some([at(0), other])
    }

    /// The first threads that meet, so that the report does not depend on the solver's taste.
    fn first(&mut self, apart: Apart, deeds: [Deed; 2], same: bool) -> Option<[ThreadIndex; 2]> {
        let [x, y, z] = self.root.shape.block.map(|d| d.unwrap_or(1).max(1));
        let coord = |n: u32| [n % x, n / x % y, n / x / y];
        let mut other = [0; 3];
        if apart == Apart::Blocks {
            other[(0..3).find(|&d| self.root.shape.grid[d] != Some(1))?] = 1;
        }
        let numbers = || FIRST.into_iter().filter(|&n| u64::from(n) < volume([x, y, z]));
        let mut pairs: Vec<(u32, u32)> = numbers().flat_map(|a| numbers().map(move |b| (a, b))).collect();
        pairs.retain(|(a, b)| match apart {
            Apart::Blocks => true,
            Apart::InBlock => a != b,
            Apart::Warps => a / 32 != b / 32,
            Apart::InWarp => a != b && a / 32 == b / 32,
        });
        pairs.sort_by_key(|&(a, b)| (a.max(b), a));
        let threads = pairs.into_iter().map(|(a, b)| [([0; 3], coord(a)), (other, coord(b))]);
        threads.into_iter().find(|&pair| self.meet(pair, deeds, same))
    }
}

/// The indices of a thread in a witness.
pub(super) fn thread(root: &RootContext<'_>, apart: Apart, w: &Witness, copy: u8) -> ThreadIndex {
    let of = |sym: fn(u8) -> Sym, known: [Option<u32>; 3], copy: u8| {
        [0, 1, 2].map(|d| match known[d as usize] {
            Some(1) => 0,
            // An index that nothing asks for may be 0.
            _ => w.value(sym(d), copy).unwrap_or_default() as u32,
        })
    };
    let block = of(Sym::Bid, root.shape.grid, if apart == Apart::Blocks { copy } else { 0 });
    (block, of(Sym::Tid, root.shape.block, copy))
}

/// An object as a report names it.
pub(crate) fn object(s: &Summary<'_>, base: Base) -> String {
    match base {
        Base::Global(g) => format!("`{}`", s.cx.module.globals[g].display_name),
        Base::DynamicShared => "the dynamic shared memory".to_owned(),
        Base::Surface(Some(n)) => format!("the surface {}", parameter(s.cx.func, n)),
        Base::Surface(None) => "a surface".to_owned(),
        Base::Param(n) => format!("what {} points to", parameter(s.cx.func, n)),
        Base::Member(n, _) => format!("what a member of {} points to", parameter(s.cx.func, n)),
        Base::Local(slot) => match s.cx.func.slots[slot].name.as_str() {
            "" => "a local variable".to_owned(),
            name => format!("`{name}`"),
        },
        Base::Private | Base::Null | Base::Address | Base::Code(_) | Base::Other(_) | Base::Phi(_) => {
            "memory".to_owned()
        }
    }
}

/// A parameter as a report names it.
pub(crate) fn parameter(func: &Function, n: u32) -> String {
    match func.param_names.get(n as usize).filter(|name| !name.is_empty()) {
        Some(name) => format!("`{name}`"),
        None => format!("parameter {}", n + 1),
    }
}

/// The option by which a user excludes values under which two threads meet, where they hang on a parameter.
pub(super) fn excluded_by(func: &Function, w: &Witness) -> Option<String> {
    w.values.iter().find_map(|(node, value)| {
        let &Node::Sym { sym: Sym::Param(n), copy: 0 } = node else { return None };
        let ty = func.sig.params.get(n as usize)?.ty;
        let name = func.param_names.get(n as usize).filter(|name| !name.is_empty() && ty.is_int())?;
        Some(format!("`--assume '{name} != {}'` excludes this", in_c(ty, *value)))
    })
}

/// The value of an argument as C writes it: signed, as most are.
fn in_c(ty: Type, bits: u128) -> i128 {
    if ty.bits() == 1 { bits as i128 } else { cudair_ir::eval::signed(ty, bits) }
}

/// The values under which two threads meet, or one does something wrong, in words.
pub(super) fn example(s: &Summary<'_>, w: &Witness, threads: u8, apart: Apart) -> Option<String> {
    let func = s.cx.func;
    let mut parts = Vec::new();
    for (node, value) in &w.values {
        let &Node::Sym { sym, copy } = node else { continue };
        // The host passes a size for it, but the kernel has none.
        if sym == Sym::DynamicShared && !s.accesses.iter().any(|a| a.base == Base::DynamicShared) {
            continue;
        }
        // The index of a block is that of both threads, or each has its own.
        let told = match sym {
            Sym::Bid(_) => (copy > 0) == (apart == Apart::Blocks),
            _ => copy > 0 || sym.scope() == Uniformity::Grid || threads == 1,
        };
        let told = told && copy <= threads;
        if told && !matches!(sym, Sym::Counter(_) | Sym::Common(_) | Sym::Everywhere(_)) {
            let whose = if copy == 0 || threads == 1 { String::new() } else { format!(" of thread {copy}") };
            let name = match sym {
                // The address that a pointer has tells nobody anything, unless it is none.
                Sym::Param(n) if func.sig.params[n as usize].ty.is_ptr() && *value != 0 => continue,
                Sym::Param(n) => parameter(func, n),
                _ => sym_name(sym, 0),
            };
            let value = match sym {
                Sym::Param(n) if func.sig.params[n as usize].ty.is_int() => {
                    in_c(func.sig.params[n as usize].ty, *value).to_string()
                }
                _ => value.to_string(),
            };
            parts.push(format!("{name}{whose} = {value}"));
        }
    }
    (!parts.is_empty()).then(|| format!("for example where {}", parts.join(", ")))
}
