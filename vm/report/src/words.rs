//! Phrases: what a thread, an object, a distance is called.

use super::{loc_of, span_of};
use cudair_ir::{LaunchDims, Module, Space, Span};
use cudair_lane::fault::{AccessOp, AllocKind, Fault, ObjectInfo};

/// "1 byte", "36 bytes".
pub(super) fn bytes(n: u64) -> String {
    if n == 1 { "1 byte".to_owned() } else { format!("{n} bytes") }
}

/// "reads", "writes", "atomically updates"
pub(super) fn verb(op: AccessOp) -> &'static str {
    match op {
        AccessOp::Read => "reads",
        AccessOp::Write => "writes",
        AccessOp::Atomic => "atomically updates",
    }
}

/// "read", "write", "atomic update"
pub(super) fn noun(op: AccessOp) -> &'static str {
    match op {
        AccessOp::Read => "read",
        AccessOp::Write => "write",
        AccessOp::Atomic => "atomic update",
    }
}

/// Who makes the access of a fault: "thread 3 of block 0", "host code"; a native function by its name.
pub(super) fn actor(fault: &Fault, dims: LaunchDims) -> String {
    match (fault.native, fault.thread) {
        (Some(native), Some(thread)) => format!("`{native}`, called by {},", dims.thread_of(thread)),
        (Some(native), None) => format!("`{native}`"),
        (None, Some(thread)) => dims.thread_of(thread),
        (None, None) => "host code".to_owned(),
    }
}

/// Names an object without a name of its own by the variable that holds its address, where one does.
pub fn name(module: &Module, o: &mut ObjectInfo) {
    if o.name.is_none()
        && let Some(made) = loc_of(module, o.made)
    {
        o.name = module.stored.get(&module.source.source_place(made)).cloned();
    }
}

/// An object without its size: "`parts`", "memory from `malloc`", "a local variable".
pub fn object(o: &ObjectInfo) -> String {
    match (&o.name, o.kind) {
        (_, AllocKind::Literal) => "a string literal".to_owned(),
        (Some(name), _) => format!("`{name}`"),
        (None, AllocKind::Runtime) => "memory of the runtime".to_owned(),
        (None, AllocKind::Local | AllocKind::Static) if o.space == Space::Code => "a function".to_owned(),
        (None, kind @ (AllocKind::Local | AllocKind::Static | AllocKind::Parameter | AllocKind::Shared)) => {
            kind.allocator().to_owned()
        }
        (None, kind) => format!("memory from {}", kind.allocator()),
    }
}

/// An object with its size: "`parts` (36 bytes)"; of memory that goes by a variable's name, who allocated it, too:
/// "`data` (36 bytes from `cudaMalloc`)".
pub(super) fn sized(o: &ObjectInfo) -> String {
    if o.size == 0 && o.name.is_none() {
        return object(o);
    }
    use AllocKind::*;
    let from = match o.kind.family() {
        CudaMalloc | CudaManaged | CudaHost | Malloc | New | NewArray | DeviceMalloc | DeviceNew
        | DeviceNewArray
            if o.name.is_some() =>
        {
            format!(" from {}", o.kind.allocator())
        }
        _ => String::new(),
    };
    format!("{} ({}{from})", object(o), bytes(o.size))
}

/// What tells an object apart from others, for [`cudair_ir::Finding::cause`]: what it is called, and where it was made.
pub(super) fn identity(module: &Module, o: &ObjectInfo) -> String {
    match span_of(module, o.made, "") {
        Some(Span { file, start, .. }) => {
            format!("{} at {file}:{}:{}, {}", object(o), start.line, start.col, o.number)
        }
        None => format!("{}, {}", object(o), o.number),
    }
}

/// What is said where an object was made: "`parts` is declared here", "40 bytes allocated here".
pub fn made(o: &ObjectInfo) -> String {
    match o.kind {
        AllocKind::Static | AllocKind::Local | AllocKind::Shared => {
            format!("{} is declared here, with {}", object(o), bytes(o.size))
        }
        AllocKind::Literal => "the literal".to_owned(),
        AllocKind::Parameter => format!("{} passed here", bytes(o.size)),
        _ if o.name.is_some() => format!("{} is allocated here, with {}", object(o), bytes(o.size)),
        _ => format!("{} allocated here", bytes(o.size)),
    }
}

/// Where bytes lie against their object: "8 bytes past the end of `parts` (36 bytes)".
pub(super) fn distance(off: i64, len: u64, o: &ObjectInfo) -> String {
    let (size, off, len) = (i128::from(o.size), i128::from(off), i128::from(len));
    let n = |v: i128| bytes(v as u64);
    let what = sized(o);
    if off >= size {
        match off - size {
            0 => format!("just past the end of {what}"),
            gap => format!("{} past the end of {what}", n(gap)),
        }
    } else if off + len <= 0 {
        format!("{} before the start of {what}", n(-off))
    } else if off < 0 {
        format!("starting {} before the start of {what}", n(-off))
    } else {
        format!("running {} past the end of {what}", n(off + len - size))
    }
}

/// A written value as a reader recognises it.
pub(super) fn value(bits: u64) -> String {
    if bits < 1 << 16 { bits.to_string() } else { format!("{bits:#x}") }
}
