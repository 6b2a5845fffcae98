//! Races in words.

use super::site::calls_to;
use super::words::{bytes, identity, object, sized, value};
use super::{Missing, RaceNote, RaceSide, Violation, kernel_name, loc_of, span_of};
use cudair_ir::program_order::{self, AroundLoop};
use cudair_ir::{
    Finding, Kind, LaunchDims, Loc, LocData, Module, Severity, Span, TouchedBytes, Type, Unordered,
};
use cudair_lane::fault::{AccessOp, LaunchRef, Place};
use rustc_hash::FxHashMap;

/// A place in a file.
type Range = (String, cudair_ir::Pos, cudair_ir::Pos);
/// A side's place in the source, for order and identity, and that of the outermost call through which it was
/// inlined: what a helper does is one thing for each call of it. Of what comes from a macro, the place inside the macro's
/// definition, too: two accesses at one use of it are not the same.
type At = Option<(Range, Option<Range>, Option<Range>)>;
/// The places of a race, for identity.
type Places = [At; 2];

fn at(module: &Module, side: &RaceSide) -> At {
    let loc = loc_of(module, side.place)?;
    module.source.locs.get(loc)?;
    let range = |loc: Loc| {
        let LocData { file, start, end, .. } = module.source.source_place(loc);
        Some((module.source.files.get(file)?.path.clone(), start, end))
    };
    let call = module.source.call_path(loc).last().and_then(|&call| range(call));
    Some((range(loc)?, call, module.source.spelling(&module.source.locs[loc])))
}

/// One finding per pair of source places, with the number at which each was first met.
/// A race in a kernel of our own headers comes with the call that it serves, and is one for each such call.
pub(super) fn race_findings(
    module: &Module,
    races: Vec<(u64, Option<Loc>, RaceNote)>,
    dims: impl Fn(Option<LaunchRef>) -> LaunchDims,
) -> Vec<(u64, Finding)> {
    let mut merged: FxHashMap<(Kind, Places, Option<Loc>), (u64, RaceNote)> = FxHashMap::default();
    for (number, call, mut note) in races {
        let mut key = note.sides.each_ref().map(|s| at(module, s));
        // The place that a reader should look at first: the plain one against the atomic, the read against
        // the write, of two alike the later; at one place the lower thread.
        let rank = |s: &RaceSide| (s.atomic, s.op != AccessOp::Read);
        let [a, b] = &note.sides;
        let swap = match rank(a).cmp(&rank(b)) {
            std::cmp::Ordering::Equal => match key[0].cmp(&key[1]) {
                std::cmp::Ordering::Equal => b.thread < a.thread,
                order => order.is_lt(),
            },
            order => order.is_gt(),
        };
        if swap {
            note.sides.reverse();
            key.reverse();
        }
        match merged.get_mut(&(note.kind, key.clone(), call)) {
            Some((first, known)) => {
                *first = number.min(*first);
                known.merge(note);
            }
            None => {
                merged.insert((note.kind, key, call), (number, note));
            }
        }
    }
    let told = |note: &RaceNote, key: &Places| finding(module, note, key, dims(note.launch));
    merged.into_iter().map(|((_, key, _), (number, note))| (number, told(&note, &key))).collect()
}

fn label(side: &RaceSide, dims: LaunchDims, block: bool) -> String {
    let thread = if block {
        dims.thread_of(side.thread)
    } else {
        format!("thread {}", dims.thread(side.thread.thread))
    };
    let does = match (side.op, side.atomic) {
        (AccessOp::Read, false) => "read by",
        (AccessOp::Read, true) => "read atomically by",
        (AccessOp::Write, false) => "written by",
        (AccessOp::Write, true) => "written atomically by",
        (AccessOp::Atomic, _) => "updated atomically by",
    };
    format!("{does} {thread}")
}

/// The calls through which a place was inlined, innermost first.
fn inlined(module: &Module, place: Place) -> Vec<Span> {
    let loc = loc_of(module, place).filter(|&loc| module.source.locs.get(loc).is_some());
    loc.map_or_else(Vec::new, |loc| Span::call_path(&module.source, loc))
}

/// Why the two are not ordered, at the end of the message.
fn lacks(note: &RaceNote, same_block: bool) -> &'static str {
    match (note.missing.map(|m| m.0), same_block) {
        (Some(Missing::Acquire), _) => {
            "; the flag or counter that passes them on has no fence after its read"
        }
        (Some(Missing::Release), _) => {
            "; the flag or counter that passes them on has no fence before its write"
        }
        (Some(Missing::Arrival), _) => {
            "; at the cluster's barrier that passes them on, a thread arrives without a release"
        }
        (Some(Missing::Scope), _) => "; the fences or atomics that pass them on have block scope only",
        (None | Some(Missing::Both), true) => " without a barrier between them",
        (None | Some(Missing::Both), false) => " and nothing orders the two blocks",
    }
}

/// Which side is in a later iteration of a loop than the other one, if that must be so.
fn around_loop(module: &Module, note: &RaceNote) -> Option<AroundLoop> {
    match note.sides.each_ref().map(|s| s.place) {
        [Place::Site(a), Place::Site(b)] if a.func == b.func && note.missing.is_none() => {
            program_order::around_loop(module, a.func, [a.site, b.site], note.same_warp)
        }
        _ => None,
    }
}

fn finding(module: &Module, note: &RaceNote, key: &Places, dims: LaunchDims) -> Finding {
    let [a, b] = &note.sides;
    let same_block = a.thread.block == b.thread.block;
    let who = dims.pair(a.thread, b.thread);
    let what = format!("the same {} of {}", bytes(u64::from(note.bytes)), object(&note.object));
    let lacks = lacks(note, same_block);
    let message = match note.violation {
        Violation::LostUpdate => {
            format!("{who} update {what} by a volatile read and a volatile store{lacks}: updates are lost")
        }
        Violation::Guess => format!("{who} touch {what}{lacks}: the value read is a guess"),
        _ => format!("{who} touch {what}{lacks}"),
    };
    let mut f = Finding::dynamic(note.kind, message);
    if note.violation == Violation::Guess {
        f.severity = Severity::Note;
    } else if note.mild {
        f.severity = Severity::Warning;
    }
    f.kernel = note.launch.and_then(|l| kernel_name(module, l));
    f.launch = note.launch.map(|l| l.number);
    f.dims = dims;
    let around = if same_block { around_loop(module, note) } else { None };
    let told = |n: usize, side: &RaceSide| {
        let when = around.filter(|w| w.later == n).map_or("", |w| w.label());
        span_of(module, side.place, label(side, dims, !same_block) + when)
    };
    f.primary = told(0, a);
    let calls = calls_to(module, a.place, &[]);
    f.related.extend(calls.iter().cloned());
    f.related.extend(told(1, b));
    f.related.extend(calls_to(module, b.place, &[]).into_iter().filter(|c| !calls.contains(c)));
    if let Some((missing, write, read)) = note.missing {
        let labels = match missing {
            Missing::Arrival => ["the thread arrives here, without a release", "and is waited for here"],
            _ => ["the flag or counter is written here", "and its new value is read here"],
        };
        f.related.extend(span_of(module, write, labels[0]));
        if read != write {
            f.related.extend(span_of(module, read, labels[1]));
        }
    }
    f.threads = vec![a.thread, b.thread];
    f.memory = i64::try_from(note.offset).ok().map(|offset| {
        let (object, size) = (object(&note.object), note.object.size);
        Box::new(TouchedBytes { object, size, offset, bytes: note.bytes.into(), unwritten: None })
    });
    f.count = note.count;
    f.cause = Some(format!("{}{lacks}", identity(module, &note.object)));
    let last = note.offset + u64::from(note.bytes) - 1;
    f.notes.push(match note.bytes {
        1 => format!("it is byte {} of {}", note.offset, sized(&note.object)),
        _ => format!("they are bytes {} to {last} of {}", note.offset, sized(&note.object)),
    });
    if let (Some(x), Some(y)) = (a.value, b.value) {
        f.notes.push(if note.same_value {
            format!("both write the same value, {}, in this run", value(x))
        } else if x == y {
            format!("these two write the same value, {}; others did not", value(x))
        } else {
            format!("they write different values: {} and {}", value(x), value(y))
        });
    }
    f.notes.extend(about_values(note).map(str::to_owned));
    match help(note, key, dims) {
        Help::Plain(text) => f.help = Some(text),
        Help::Barrier(text, otherwise) => {
            let side = |s: &RaceSide| {
                span_of(module, s.place, "").into_iter().chain(inlined(module, s.place)).collect::<Vec<_>>()
            };
            f.help = Some(text);
            let ty =
                accessed(module, a.place).filter(|_| accessed(module, a.place) == accessed(module, b.place));
            let sides = [side(a), side(b)];
            f.unordered = Some(Box::new(Unordered { sides, same_warp: note.same_warp, ty, otherwise }));
        }
    }
    f
}

/// The type that a plain access has in memory.
fn accessed(module: &Module, place: Place) -> Option<Type> {
    match place {
        Place::Site(s) => program_order::accessed_type(module, s.func, s.site),
        Place::Loc(_) | Place::Unknown => None,
    }
}

/// What `volatile` or a compare-and-swap does, and does not, where that matters.
fn about_values(note: &RaceNote) -> Option<&'static str> {
    let [a, b] = &note.sides;
    match note.violation {
        Violation::LostUpdate => Some(
            "`volatile` makes each access whole, but the two together are not an atomic operation: a write \
             between the read and the store is overwritten",
        ),
        Violation::Guess => Some(
            "a compare-and-swap at the same place finds out whether the guess was right: no update is lost",
        ),
        _ if note.missing.is_some() || !a.volatile && !b.volatile => None,
        Violation::StaleValue | Violation::UsedValue if note.same_warp => Some(
            "`volatile` does not order the lanes of a warp since Volta, and the value is used for more than a \
             decision",
        ),
        Violation::StaleValue | Violation::UsedValue => Some(
            "`volatile` orders nothing: the read may see an old value, and it is used for more than a decision",
        ),
        Violation::Unordered if a.volatile && b.volatile => Some("`volatile` orders nothing"),
        Violation::Unordered => None,
    }
}

/// What helps a read that may see an old value, given what writes a new one.
fn stale(write: &RaceSide) -> String {
    match write.op {
        AccessOp::Atomic => {
            "read it once a counter says that all have come, with `__threadfence()` before the counter is raised \
             and after it is read; or in a kernel launched after this one"
        }
        _ => {
            "read it again until the value is there, or let a flag say so, with `__threadfence()` before the flag \
             is written and after it is read; or read it in a kernel launched after this one"
        }
    }
    .to_owned()
}

/// What helps where no barrier does.
fn between_blocks(note: &RaceNote, one_statement: bool) -> String {
    let [a, b] = &note.sides;
    if note.violation == Violation::StaleValue {
        return stale(if a.op.writes() { a } else { b });
    }
    if a.atomic && b.atomic {
        return "use atomics of device scope: atomics of block scope are not atomic for other blocks"
            .to_owned();
    }
    if a.atomic != b.atomic {
        return "make both accesses atomic, or do one of them in a kernel of its own".to_owned();
    }
    if one_statement {
        return "let each thread write an element of its own, or use an atomic operation; a barrier does not \
                order blocks"
            .to_owned();
    }
    if note.kind == Kind::SharedRace {
        return "put `cluster.sync()` between the two places: a barrier of the block does not order blocks"
            .to_owned();
    }
    "make the second access in a kernel launched after this one: a barrier does not order blocks".to_owned()
}

/// What helps a synchronisation that lacks something.
fn synchronise(missing: Missing, of_block: bool) -> String {
    let fence = if of_block { "`__threadfence_block()`" } else { "`__threadfence()`" };
    match missing {
        Missing::Release => {
            format!("put {fence} before the write of the flag or counter, in the thread that writes it")
        }
        Missing::Acquire => {
            format!("put {fence} after the read of the flag or counter, before what it guards")
        }
        Missing::Both => format!(
            "the flag or counter alone orders nothing else: put {fence} before it is written, and another after it \
             is read"
        ),
        Missing::Arrival => {
            "arrive with a release (`cluster.barrier_arrive()`), or put `__threadfence()` before \
                             the arrival"
                .to_owned()
        }
        Missing::Scope => {
            "use `__threadfence()` and atomics without `_block`: threads of two blocks need fences \
                           and atomics of at least device scope"
                .to_owned()
        }
    }
}

/// What helps.
enum Help {
    /// Something other than a barrier.
    Plain(String),
    /// A barrier; and what else would help, if anything.
    Barrier(String, Option<String>),
}

fn help(note: &RaceNote, key: &Places, dims: LaunchDims) -> Help {
    let [a, b] = &note.sides;
    if note.violation == Violation::Guess {
        return Help::Plain(
            "read the first value atomically, too: `atomicAdd(p, 0)`, or a load of `cuda::atomic_ref`"
                .to_owned(),
        );
    }
    if let Some((missing, ..)) = note.missing {
        // What passes through device memory passes between blocks, too, where there are several.
        let of_block =
            a.thread.block == b.thread.block && (note.kind == Kind::SharedRace || dims.grid == [Some(1); 3]);
        return Help::Plain(synchronise(missing, of_block));
    }
    if note.violation == Violation::LostUpdate {
        return Help::Plain(
            "use an atomic operation (`atomicAdd`, `atomicMax`, `atomicCAS`), or a lock with fences inside it"
                .to_owned(),
        );
    }
    let barrier = if note.same_warp {
        "`__syncthreads()` (or, within one warp, `__syncwarp()`)"
    } else {
        "`__syncthreads()`"
    };
    let line =
        |k: &At| k.as_ref().map(|((file, start, _), call, _)| (file.clone(), start.line, call.clone()));
    let one_statement = key[0].is_some() && line(&key[0]) == line(&key[1]);
    if note.same_value {
        return Help::Plain(
            "let one thread write it, if the value is always the same: here it was, for this input"
                .to_owned(),
        );
    }
    if a.thread.block != b.thread.block {
        return Help::Plain(between_blocks(note, one_statement));
    }
    if a.atomic != b.atomic {
        return Help::Barrier(
            format!("make both accesses atomic, or put {barrier} between the two places"),
            Some("make both accesses atomic".to_owned()),
        );
    }
    if one_statement && a.op == AccessOp::Read {
        return Help::Barrier(
            format!("read the value into a variable, put {barrier} after that, and only then write"),
            None,
        );
    }
    if one_statement {
        return Help::Plain(
            "let each thread write an element of its own, or use an atomic operation".to_owned(),
        );
    }
    Help::Barrier(format!("put {barrier} between the two places"), None)
}
