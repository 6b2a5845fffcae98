//! Races in words.

use super::words::{bytes, coord, object, sized, threads, value};
use super::{RaceNote, RaceSide, kernel_name, loc_of, span_of};
use crate::fault::AccessOp;
use cudair_ir::{Finding, Kind, LocData, Module, Severity};
use rustc_hash::FxHashMap;

/// A side's place in the source, for order and identity: inlined copies are one.
type At = Option<(String, cudair_ir::Pos, cudair_ir::Pos)>;
/// The places of a race, for identity.
type Places = [At; 2];

fn at(module: &Module, side: &RaceSide) -> At {
    let loc = loc_of(module, side.place)?;
    module.source.locs.get(loc)?;
    let LocData { file, start, end, .. } = module.source.source_place(loc);
    Some((module.source.files.get(file)?.path.clone(), start, end))
}

/// One finding per pair of source places, with the number at which each was first met.
pub(super) fn race_findings(module: &Module, races: Vec<(u64, RaceNote)>) -> Vec<(u64, Finding)> {
    let mut merged: FxHashMap<(Kind, Places), (u64, RaceNote)> = FxHashMap::default();
    for (number, mut note) in races {
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
        match merged.get_mut(&(note.kind, key.clone())) {
            Some((first, known)) => {
                *first = number.min(*first);
                known.merge(note);
            }
            None => {
                merged.insert((note.kind, key), (number, note));
            }
        }
    }
    merged.into_iter().map(|((_, key), (number, note))| (number, finding(module, &note, &key))).collect()
}

fn label(side: &RaceSide) -> String {
    let thread = coord(side.thread.thread);
    let does = match (side.op, side.atomic) {
        (AccessOp::Read, false) => "read by thread",
        (AccessOp::Read, true) => "read atomically by thread",
        (AccessOp::Write, false) => "written by thread",
        (AccessOp::Write, true) => "written atomically by thread",
        (AccessOp::Atomic, _) => "updated atomically by thread",
    };
    format!("{does} {thread}")
}

fn finding(module: &Module, note: &RaceNote, key: &Places) -> Finding {
    let [a, b] = &note.sides;
    let lacks = if a.thread.block == b.thread.block {
        "without a barrier between them"
    } else {
        "and nothing orders the two blocks"
    };
    let message = format!(
        "{} touch the same {} of {} {lacks}",
        threads(a.thread, b.thread),
        bytes(u64::from(note.bytes)),
        object(&note.object)
    );
    let mut f = Finding::dynamic(note.kind, message);
    if note.same_value {
        f.severity = Severity::Warning;
    }
    f.kernel = note.launch.and_then(|l| kernel_name(module, l));
    f.launch = note.launch.map(|l| l.number);
    f.primary = span_of(module, a.place, label(a));
    f.related.extend(span_of(module, b.place, label(b)));
    f.threads = vec![a.thread, b.thread];
    f.count = note.count;
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
    if a.volatile && b.volatile {
        f.notes.push("`volatile` does not order the lanes of a warp since Volta".to_owned());
    }
    f.help = Some(help(note, key));
    f
}

/// What helps where no barrier does.
fn between_blocks(note: &RaceNote, one_statement: bool) -> String {
    let [a, b] = &note.sides;
    if a.atomic && b.atomic {
        return "use atomics of device scope: those of a block's scope are none to other blocks".to_owned();
    }
    if a.atomic != b.atomic {
        return "make both accesses atomic, or do one of them in a kernel of its own".to_owned();
    }
    if one_statement {
        return "let each thread write an element of its own, or use an atomic operation; a barrier does not \
                order blocks"
            .to_owned();
    }
    "make the second access in a kernel launched after this one: a barrier does not order blocks".to_owned()
}

fn help(note: &RaceNote, key: &Places) -> String {
    let [a, b] = &note.sides;
    let barrier = if note.same_warp {
        "`__syncthreads()` (or, within one warp, `__syncwarp()`)"
    } else {
        "`__syncthreads()`"
    };
    let line = |k: &At| k.as_ref().map(|(file, start, _)| (file.clone(), start.line));
    let one_statement = key[0].is_some() && line(&key[0]) == line(&key[1]);
    if note.same_value {
        return "let one thread write it, if the value is always the same: here it was, for this input"
            .to_owned();
    }
    if a.thread.block != b.thread.block {
        return between_blocks(note, one_statement);
    }
    if a.atomic != b.atomic {
        return format!("make both accesses atomic, or put {barrier} between the two places");
    }
    if one_statement && a.op == AccessOp::Read {
        return format!("read the value into a variable, put {barrier} after that, and only then write");
    }
    if one_statement {
        return "let each thread write an element of its own, or use an atomic operation".to_owned();
    }
    format!("put {barrier} between the two places")
}
