//! Races between operations of streams, and between them and the host, in words.

use super::words::{bytes, identity, object, sized, value};
use super::{Findings, kernel_name, loc_of, span_of};
use crate::{Meeting, OperationKind, Side, StreamOperation};
use cudair_ir::{Finding, FuncId, Kind, LaunchDims, Module, Severity};
use cudair_lane::fault::{AccessOp, LaunchRef, ObjectInfo, Place};

/// Whether a race is to be told: one with a launch that the user has chosen, or of no launch at all.
#[inline]
pub fn is_wanted(findings: &Findings, meeting: &Meeting) -> bool {
    let mut launches = meeting.sides.iter().filter_map(launch_of).peekable();
    launches.peek().is_none() || launches.any(|l| findings.is_chosen(Some(l)))
}

/// The launches that read what another operation changes.
#[inline]
pub fn racing_readers(meeting: &Meeting) -> impl Iterator<Item = LaunchRef> {
    meeting.sides.iter().filter(|s| s.how.op != AccessOp::Write).filter_map(launch_of)
}

/// The place of the read that races with what writes the memory, if the race is of that kind.
pub fn overtaken(meeting: &Meeting) -> Option<Place> {
    let writes = |s: &Side| {
        let made = s.doer.is_some_and(|d| matches!(d.deed, OperationKind::Alloc | OperationKind::Free));
        s.how.op.writes() && !made
    };
    match &meeting.sides {
        [a, b] if a.how.op == AccessOp::Read && writes(b) => Some(a.how.place),
        [a, b] if b.how.op == AccessOp::Read && writes(a) => Some(b.how.place),
        _ => None,
    }
}

/// The finding that tells of two accesses that nothing orders.
pub fn unordered(module: &Module, meeting: &Meeting, o: &ObjectInfo) -> Finding {
    // The place that a reader should look at first: the plain access, the one that reads, the host's, the later.
    let rank = |s: &Side| (s.how.atomic.is_some(), s.how.op != AccessOp::Read);
    let [mut b, mut a] = meeting.sides;
    if a.doer.is_some() && rank(&b) < rank(&a) {
        std::mem::swap(&mut a, &mut b);
    }
    let n = u64::from(meeting.bytes);
    let (who, other) = (actor(module, &a), actor(module, &b));
    let lacks = match a.doer {
        None => "and has not waited for it",
        Some(_) => "and nothing orders the two",
    };
    let whole =
        |s: &Side| s.doer.is_some_and(|d| matches!(d.deed, OperationKind::Alloc | OperationKind::Free));
    let what = if whole(&a) || whole(&b) { object(o) } else { format!("{} of {}", bytes(n), object(o)) };
    let message = format!("{who} {} {what} that {other} {}, {lacks}", does(&a), does(&b));
    let mut f = Finding::dynamic(Kind::GlobalRace, message);
    if meeting.same_value.is_some() {
        f.severity = Severity::Warning;
    }
    let launch = launch_of(&a).or(launch_of(&b));
    f.dims = dims_of(&a).or(dims_of(&b)).unwrap_or_default();
    f.kernel = launch.and_then(|l| kernel_name(module, l));
    f.launch = launch.map(|l| l.number);
    f.primary = span_of(module, a.how.place, label(module, &a));
    f.related.extend(span_of(module, b.how.place, label(module, &b)));
    if f.primary.is_some() && !f.related.is_empty() {
        f.operations = Some(Box::new([&a, &b].map(|side| operation(module, side))));
    }
    let mut issued: Vec<Place> = Vec::new();
    for side in [&a, &b] {
        let Some(doer) = side.doer else { continue };
        if let Some(what) = issue(module, &doer)
            && !issued.iter().any(|&p| loc_of(module, p) == loc_of(module, doer.place))
        {
            issued.push(doer.place);
            f.related.extend(span_of(module, doer.place, what));
        }
    }
    // Threads of two launches have no common block to be told in; the labels name both.
    f.threads.extend(a.thread.or(b.thread));
    f.count = meeting.count;
    f.cause = Some(format!("{}, {lacks}", identity(module, o)));
    f.notes.push(match meeting.bytes {
        1 => format!("it is byte {} of {}", meeting.offset, sized(o)),
        _ => format!(
            "they are bytes {} to {} of {}",
            meeting.offset,
            u64::from(meeting.offset) + n - 1,
            sized(o)
        ),
    });
    if let Some(v) = meeting.same_value {
        f.notes.push(format!("both write the same value, {}, in this run", value(v)));
    }
    if [&a, &b].iter().any(|s| s.doer.is_some_and(|d| d.stream > 1)) {
        f.notes.push("streams are numbered in the order in which they were created".to_owned());
    }
    f.help = Some(help(module, &meeting.sides));
    f
}

fn launch_of(side: &Side) -> Option<LaunchRef> {
    match side.doer?.deed {
        OperationKind::Launch(launch, ..) => Some(launch),
        _ => None,
    }
}

/// The extents of the launch that accesses.
fn dims_of(side: &Side) -> Option<LaunchDims> {
    match side.doer?.deed {
        OperationKind::Launch(_, grid, block) => Some(LaunchDims::new(grid, block)),
        _ => None,
    }
}

/// An operation and its stream, for a picture.
fn operation(module: &Module, side: &Side) -> [String; 2] {
    match &side.doer {
        None => ["the host".to_owned(), String::new()],
        Some(doer) if is_of_host(doer) => [name(module, doer).replace('`', ""), String::new()],
        Some(doer) => [name(module, doer).replace('`', ""), stream(doer.stream)],
    }
}

fn stream(n: usize) -> String {
    match n {
        0 => "the default stream".to_owned(),
        1 => "the thread's default stream".to_owned(),
        n => format!("stream {}", n - 1),
    }
}

/// "`scale`", "`cudaMemcpyAsync`"
fn name(module: &Module, doer: &StreamOperation) -> String {
    match doer.deed {
        OperationKind::Launch(launch, ..) => match kernel_name(module, launch) {
            Some(name) => format!("`{name}`"),
            None => "a kernel".to_owned(),
        },
        OperationKind::Call(func) => match module.funcs.get(FuncId::from_u32(func.serial())) {
            Some(func) => format!("`{}`", func.display_name),
            None => "a function".to_owned(),
        },
        OperationKind::Body => "a conditional node".to_owned(),
        OperationKind::Copy | OperationKind::Fill | OperationKind::Alloc | OperationKind::Free => {
            match doer.native {
                Some(native) => format!("`{native}`"),
                None => "a copy".to_owned(),
            }
        }
    }
}

/// Whether it frees memory by a call of the host that belongs to no stream.
fn is_of_host(doer: &StreamOperation) -> bool {
    doer.deed == OperationKind::Free && matches!(doer.native, Some("cudaFree" | "cuMemFree"))
}

/// "the host", "`scale` in stream 1"
fn actor(module: &Module, side: &Side) -> String {
    match side.doer {
        None => "the host".to_owned(),
        Some(doer) if is_of_host(&doer) => name(module, &doer),
        Some(doer) => format!("{} in {}", name(module, &doer), stream(doer.stream)),
    }
}

/// "reads", "writes"
fn does(side: &Side) -> &'static str {
    match (side.how.op, side.doer.map(|d| d.deed)) {
        (_, Some(OperationKind::Alloc)) => "allocates",
        (_, Some(OperationKind::Free)) => "frees",
        (AccessOp::Read, _) => "reads",
        (AccessOp::Write, _) => "writes",
        (AccessOp::Atomic, _) => "atomically updates",
    }
}

/// What is said at the access.
fn label(module: &Module, side: &Side) -> String {
    let done = match (side.how.op, side.how.atomic.is_some()) {
        (AccessOp::Read, false) => "read",
        (AccessOp::Read, true) => "read atomically",
        (AccessOp::Write, false) => "written",
        (AccessOp::Write, true) => "written atomically",
        (AccessOp::Atomic, _) => "updated atomically",
    };
    let Some(doer) = side.doer else { return format!("{done} by the host") };
    let place = stream(doer.stream);
    match (doer.deed, side.thread) {
        (OperationKind::Launch(..), Some(thread)) => {
            let thread = dims_of(side).unwrap_or_default().thread_of(thread);
            format!("{done} by {thread} of {} in {place}", name(module, &doer))
        }
        (OperationKind::Launch(..) | OperationKind::Call(_) | OperationKind::Body, _) => {
            format!("{done} by {} in {place}", name(module, &doer))
        }
        (OperationKind::Copy, _) => format!("{done} by this copy in {place}"),
        (OperationKind::Fill, _) => format!("{done} by this fill in {place}"),
        (OperationKind::Alloc, _) => format!("allocated here in {place}"),
        (OperationKind::Free, _) if is_of_host(&doer) => "freed here".to_owned(),
        (OperationKind::Free, _) => format!("freed here in {place}"),
    }
}

/// What is said where an operation was issued, if that is another place than its access.
fn issue(module: &Module, doer: &StreamOperation) -> Option<String> {
    match doer.deed {
        OperationKind::Launch(..) => {
            Some(format!("{} is launched into {} here", name(module, doer), stream(doer.stream)))
        }
        OperationKind::Call(_) => {
            Some(format!("{} is queued in {} here", name(module, doer), stream(doer.stream)))
        }
        OperationKind::Body => Some(format!("{} is added to its graph here", name(module, doer))),
        OperationKind::Copy | OperationKind::Fill | OperationKind::Alloc | OperationKind::Free => None,
    }
}

fn help(module: &Module, [a, b]: &[Side; 2]) -> String {
    let (Some(x), Some(y)) = (a.doer, b.doer) else {
        let host = if a.doer.is_none() { a } else { b };
        let verb = if host.how.op == AccessOp::Read { "reads" } else { "writes" };
        let mut text = format!(
            "wait with `cudaStreamSynchronize`, `cudaEventSynchronize` or `cudaDeviceSynchronize` before the \
             host {verb} it"
        );
        if host.how.volatile || host.how.atomic.is_some() {
            text += "; if it is a flag, both sides must access it atomically in system scope or `volatile`";
        }
        return text;
    };
    if is_of_host(&x) || is_of_host(&y) {
        return "`cudaFree` does not wait where the memory is from `cudaMallocAsync`: wait for the stream first, or \
                free it there with `cudaFreeAsync`"
            .to_owned();
    }
    if matches!(x.deed, OperationKind::Free) || matches!(y.deed, OperationKind::Free) {
        return "free it in the stream that uses it, or after an event that was recorded after the last use"
            .to_owned();
    }
    if x.stream == 0 && y.non_blocking || y.stream == 0 && x.non_blocking {
        return "a stream made with `cudaStreamNonBlocking` does not wait for the default stream, and the \
                default stream does not wait for it: use one stream, or order the two with \
                `cudaEventRecord` and `cudaStreamWaitEvent`"
            .to_owned();
    }
    format!(
        "use one stream for both, or record an event after {} with `cudaEventRecord` and let {} wait for \
         it with `cudaStreamWaitEvent`",
        name(module, &x),
        stream(y.stream)
    )
}
