//! Faults in words.

use super::site::calls_to;
use super::words::{actor, bytes, distance, identity, made, name, noun, object, sized, verb};
use super::{kernel_name, span_of};
use cudair_ir::{Finding, Kind, LaunchDims, Module, Space, Span, ThreadsAt, TouchedBytes, consecutive};
use cudair_lane::fault::{
    AccessOp, AllocKind, Fault, FaultKind, InvalidFree, ObjectInfo, Origin, Place, Standing,
};
use cudair_lane::ptr::Tag;

/// Bytes from null that a member or a small index of a null pointer reaches; beyond, an address may as well be
/// an integer that was made a pointer.
const NEAR: i64 = 0xffff;

/// The finding that tells of a fault.
pub(crate) fn fault_finding(module: &Module, fault: &Fault, dims: LaunchDims) -> Finding {
    let mut f = Finding::dynamic(fault.kind.kind(), String::new());
    f.kernel = fault.launch.and_then(|l| kernel_name(module, l));
    f.launch = fault.launch.map(|l| l.number);
    f.dims = dims;
    f.threads.extend(fault.thread);
    f.count = fault.count;
    f.cost = fault.cost.as_deref().copied();
    f.standing = fault.standing.iter().filter_map(|all| standing(module, all)).collect();
    let fault = &with_names(module, fault);
    let (op, len) = fault.access.unwrap_or((AccessOp::Read, 0));
    let tell = Teller { module, fault, dims, op, len, object: fault.object.as_deref() };
    tell.fill(&mut f);
    f.cause = match (fault.kind.kind(), &fault.object) {
        // What a launch that never ran would have written: one cause with its refusal.
        (Kind::UninitializedRead, _) if fault.never_ran.is_some() => {
            f.because = Some(Kind::InvalidLaunch);
            fault.never_ran.as_ref().map(|launch| refused(module, launch.place, &launch.message))
        }
        (Kind::InvalidLaunch, _) if fault.thread.is_none() => Some(refused(module, fault.place, &f.message)),
        // What brought the bytes has brought them to every object that they came to.
        (Kind::UninitializedRead, Some(o)) => {
            let root = fault.origins.iter().rev().find_map(|copy| copy.object.as_ref());
            Some(identity(module, root.unwrap_or(o)))
        }
        (Kind::MemoryLeak, _) => Some("the end of the program".to_owned()),
        _ => None,
    };
    f
}

/// Threads that are at one place, if it is one in the source.
fn standing(module: &Module, all: &Standing) -> Option<ThreadsAt> {
    let threads = consecutive(all.threads.iter().copied());
    Some(ThreadsAt { place: span_of(module, all.place, "")?, threads, left: all.left })
}

/// The cause of a launch that is refused, and of what follows.
fn refused(module: &Module, place: Place, message: &str) -> String {
    let at = span_of(module, place, "").map(|s| format!(" at {}:{}:{}", s.file, s.start.line, s.start.col));
    format!("{message}{}", at.unwrap_or_default())
}

/// The fault with its memory by the variables that hold it.
fn with_names(module: &Module, fault: &Fault) -> Fault {
    let mut fault = fault.clone();
    let origins = fault.origins.iter_mut().filter_map(|copy| copy.object.as_mut());
    fault.object.as_deref_mut().into_iter().chain(origins).for_each(|o| name(module, o));
    fault
}

struct Teller<'a> {
    module: &'a Module,
    fault: &'a Fault,
    dims: LaunchDims,
    op: AccessOp,
    len: u64,
    object: Option<&'a ObjectInfo>,
}

impl Teller<'_> {
    fn fill(&self, f: &mut Finding) {
        match &self.fault.kind {
            FaultKind::Other { severity, message, label, related, notes, help, .. } => {
                f.severity = *severity;
                f.message.clone_from(message);
                f.primary = self.span(self.fault.place, label);
                f.related = related.iter().filter_map(|(p, l)| self.span(*p, l)).collect();
                f.notes.clone_from(notes);
                f.help.clone_from(help);
            }
            FaultKind::InvalidFree { how, by } => self.invalid_free(f, *how, *by),
            _ => self.access(f),
        }
        if self.fault.sticky {
            f.notes.push(
                "the launch ends here, and later calls return its error; `--after-fault thread` looks further"
                    .to_owned(),
            );
        }
        let calls = calls_to(self.module, self.fault.place, &self.fault.calls);
        f.related.splice(0..0, calls);
    }

    fn span(&self, place: Place, label: &str) -> Option<Span> {
        span_of(self.module, place, label)
    }

    /// "thread (…) of block (…) reads 4 bytes"
    fn does(&self) -> String {
        format!("{} {} {}", actor(self.fault, self.dims), verb(self.op), bytes(self.len))
    }

    /// "read of 4 bytes"
    fn deed(&self) -> String {
        format!("{} of {}", noun(self.op), bytes(self.len))
    }

    /// The offset in the object.
    fn offset(&self) -> i64 {
        // An object that is not a part of another begins where the pointer counts from.
        self.fault.ptr.offset() + self.object.map_or(0, |o| o.part as i64)
    }

    /// The places of the object's life, as far as they are known.
    fn life(&self, ended: &str) -> Vec<Span> {
        let Some(o) = self.object else { return Vec::new() };
        let mut spans: Vec<Span> = self.span(o.made, &made(o)).into_iter().collect();
        if !ended.is_empty() {
            spans.extend(self.span(o.ended, ended));
        }
        spans
    }

    fn access(&self, f: &mut Finding) {
        let fault = self.fault;
        let off = self.offset();
        let what = self.object.map_or_else(|| "no object".to_owned(), sized);
        let name = self.object.map_or_else(|| "no object".to_owned(), object);
        let mut label = self.does();
        let mut ended = "";
        match &fault.kind {
            FaultKind::Null => self.null(f, &mut label, off),
            FaultKind::Wild => {
                f.message = format!("{} through a pointer that belongs to no object", self.deed());
                label += &format!(" at {:#x}", fault.ptr.0);
                f.help = Some("use only pointers that come from a variable or an allocation".to_owned());
            }
            FaultKind::OutOfBounds => self.out_of_bounds(f, &mut label, off),
            FaultKind::UseAfterFree => {
                f.message = format!("{} of {what} after it was freed", self.deed());
                label += &format!(" at offset {off} of freed memory");
                ended = "freed here";
                f.help = Some("free the memory after its last use".to_owned());
            }
            FaultKind::Unallocated => {
                f.message = format!("{} of {what} while it is not allocated", self.deed());
                label += &format!(" at offset {off} of {name}");
                ended = "freed here";
                f.help = Some(
                    "use it after the node that allocates it and before it is freed, during or after a \
                     launch of the graph"
                        .to_owned(),
                );
            }
            FaultKind::UseAfterScope => {
                f.message = format!("{} of {what} after its lifetime has ended", self.deed());
                label += &format!(" of {name}");
                ended = "its lifetime ends here";
                f.help =
                    Some("let the variable live longer, or pass its value on and not its address".to_owned());
            }
            FaultKind::WrongSpace => self.wrong_space(f, &mut label),
            FaultKind::Misaligned { align, start } => {
                f.message = format!(
                    "misaligned {} of {what}: the address must be a multiple of {align}",
                    self.deed()
                );
                if *start == 0 {
                    let past = off.rem_euclid(i64::from(*align)) as u64;
                    label +=
                        &format!(" at offset {off}, which is {} past a multiple of {align}", bytes(past));
                    f.help = Some(
                        "copy the bytes with `memcpy` into a variable of that type, or align the data"
                            .to_owned(),
                    );
                } else {
                    let past = bytes(u64::from(*start));
                    label += &format!(
                        " at offset {off} of {name}, which starts {past} past a multiple of {align}"
                    );
                    f.help = Some(format!("declare {name} with `__align__({align})`"));
                }
            }
            FaultKind::ReadOnly => {
                f.message = format!("{} to {what}, which is read-only", self.deed());
                label += &format!(" at offset {off} of {name}");
                let constant = self.object.is_some_and(|o| o.space == Space::Const);
                f.help = Some(if constant {
                    "write constant memory from the host, with `cudaMemcpyToSymbol`; kernel parameters and \
                     constants do not change while a kernel runs"
                        .to_owned()
                } else {
                    "write into a copy".to_owned()
                });
            }
            FaultKind::Uninitialised { first, bytes: n } => {
                self.uninitialised(f, &mut label, (off + i64::from(*first), u64::from(*n)));
            }
            FaultKind::InvalidFree { .. } | FaultKind::Other { .. } => {}
        }
        f.primary = self.span(fault.place, &label);
        f.related = self.life(ended);
        f.related.extend(self.way());
        if let Some(launch) = &fault.never_ran {
            let kernel = &self.module.funcs[launch.kernel].display_name;
            let root = self.root().or(self.object).map_or_else(|| "that memory".to_owned(), object);
            f.related.extend(
                self.span(launch.place, &format!("this launch is refused, so that `{kernel}` never runs")),
            );
            f.notes.push(format!("`{kernel}` would write to {root}, but its launch is refused"));
            f.help = Some(format!("mend the launch of `{kernel}` first"));
        }
        f.memory = self.object.filter(|_| self.len > 0).map(|o| {
            let unwritten = match fault.kind {
                FaultKind::Uninitialised { first, bytes } => Some((off + i64::from(first), bytes.into())),
                _ => None,
            };
            Box::new(TouchedBytes {
                object: object(o),
                size: o.size,
                offset: off,
                bytes: self.len,
                unwritten,
            })
        });
    }

    /// The object in which bytes were never written that copies brought from there, if it is known.
    fn root(&self) -> Option<&ObjectInfo> {
        self.fault.origins.last()?.object.as_ref()
    }

    /// The way of bytes that were never written: the copies, and where the memory was made that they came from.
    fn way(&self) -> Vec<Span> {
        let copies = self.fault.origins.iter().filter_map(|copy| {
            let by = copy.native.map(|n| format!(" by `{n}`")).unwrap_or_default();
            let from = copy.object.as_ref().map(|o| format!(" from {}", object(o))).unwrap_or_default();
            self.span(copy.place, &format!("copied{from}{by} here"))
        });
        copies.chain(self.root().and_then(|o| self.span(o.made, &made(o)))).collect()
    }

    fn null(&self, f: &mut Finding, label: &mut String, off: i64) {
        let (fault, len) = (self.fault, self.len);
        f.message = match off {
            _ if len == 0 => format!("{} is given a null pointer", actor(fault, self.dims)),
            0 => format!("{} through a null pointer", self.deed()),
            _ if off.abs() <= NEAR => format!("{} at address {off}, next to null", self.deed()),
            _ => format!(
                "{} at address {off:#x}: a null pointer with an offset, or an integer that was \
                 converted to a pointer",
                self.deed()
            ),
        };
        *label = match off {
            _ if len == 0 => "null is passed here".to_owned(),
            0 => format!("{label} through a null pointer"),
            _ if off.abs() <= NEAR => format!("{label} at offset {off} from a null pointer"),
            _ => format!("{label} at address {off:#x}"),
        };
        f.help = Some(if fault.native.is_some() {
            "the argument must not be null: check the pointer before the call".to_owned()
        } else {
            "check that the pointer was set, and that its allocation did not fail".to_owned()
        });
    }

    /// `n` bytes from the offset `from` on were never written.
    fn uninitialised(&self, f: &mut Finding, label: &mut String, (from, n): (i64, u64)) {
        let (len, off) = (self.len, self.offset());
        let what = self.object.map_or_else(|| "no object".to_owned(), sized);
        let name = self.object.map_or_else(|| "no object".to_owned(), object);
        let used = if n == len {
            format!("use of {} of {what} that", bytes(n))
        } else {
            format!("use of {} of {what}; {n} of them", bytes(len))
        };
        let (they, hold) = if n == 1 { ("it was", "holds") } else { ("they were", "hold") };
        f.message = match &self.fault.origins[..] {
            [] => format!("{used} {} never written", were(n)),
            [.., Origin { object: Some(root), .. }] => {
                format!("{used} {} copied from {}, where {they} never written", were(n), sized(root))
            }
            [.., Origin { object: Some(o), .. }, _] => {
                format!("{used} {} copied from {}, which holds what was never written", were(n), sized(o))
            }
            [_, ..] => format!("{used} {hold} what was never written: it was copied there"),
        };
        f.help = Some(self.initialise());
        if !self.fault.origins.is_empty() {
            *label += &match n {
                1 => format!("; byte {from} of {name} is not initialised"),
                _ if n < len => format!("; {n} of them, from byte {from} of {name} on, are not initialised"),
                _ => format!(" at offset {off} of {name}, not initialised"),
            };
            return;
        }
        *label += &match n {
            1 => format!("; byte {from} of {name} was never written"),
            _ if n < len => {
                format!("; {n} of them, from byte {from} of {name} on, were never written")
            }
            _ => format!(" at offset {off} of {name}, never written"),
        };
    }

    fn out_of_bounds(&self, f: &mut Finding, label: &mut String, off: i64) {
        let len = self.len;
        let Some(o) = self.object else {
            f.message = format!("out-of-bounds {}", self.deed());
            f.help = Some("check the index before the access".to_owned());
            return;
        };
        f.message = format!("out-of-bounds {}: {}", self.deed(), distance(off, len, o));
        *label += &format!(" at offset {off} of {}", object(o));
        if len > 0
            && o.size % len == 0
            && off % len as i64 == 0
            && o.size / len > 0
            && self.fault.native.is_none()
        {
            let (n, index) = (o.size / len, off / len as i64);
            f.notes.push(format!(
                "seen as elements of {}, {} has indices 0 to {}; this is index {index}",
                bytes(len),
                object(o),
                n - 1
            ));
        }
        f.help = Some(match o.kind {
            AllocKind::Shared => {
                "check the index against the size, or give the block more shared memory".to_owned()
            }
            _ if self.fault.native.is_some() => "pass a length that fits the object".to_owned(),
            _ => "check the index against the size before the access, or make the object larger".to_owned(),
        });
    }

    fn wrong_space(&self, f: &mut Finding, label: &mut String) {
        let on_device = self.fault.thread.is_some();
        let name = self.object.map_or_else(|| "memory".to_owned(), sized);
        let space = self.object.map_or(Space::Generic, |o| o.space);
        let does = verb(self.op);
        let (message, help): (String, &str) = match (on_device, space) {
            (_, Space::Code) => (
                format!("a function is used as data: {} through a function pointer", self.deed()),
                "call the function, or use a pointer to data",
            ),
            (false, Space::Shared | Space::Local) => (
                format!("host code {does} {name}, which exists only while a kernel runs"),
                "copy the value to global memory in the kernel",
            ),
            (false, _) => match self.object.map(|o| o.kind) {
                Some(AllocKind::Static) => (
                    format!("host code {does} {name}, a variable in device memory"),
                    "use `cudaMemcpyFromSymbol` or `cudaMemcpyToSymbol`, or declare it `__managed__`",
                ),
                _ => (
                    format!("host code {does} {name}, which is device memory"),
                    "copy it with `cudaMemcpy` first, or allocate it with `cudaMallocManaged`",
                ),
            },
            (true, Space::Shared) => (
                format!("a thread {does} shared memory of another block, or of a launch that has ended"),
                "exchange data between blocks, and between launches, through global memory",
            ),
            (true, Space::Local) => (
                format!("a thread {does} {name}, a local variable of another thread"),
                "exchange data between threads through shared or global memory",
            ),
            (true, _) if name.starts_with("`virtual table of ") => (
                format!("device code {does} {name}, which is host memory"),
                "construct objects with virtual functions on the side that calls them: in device code for \
                 the device",
            ),
            (true, _) => (
                format!("device code {does} {name}, which is host memory"),
                "pass memory from `cudaMalloc` and copy the data there, or use `cudaMallocManaged`",
            ),
        };
        f.message = message;
        f.help = Some(help.to_owned());
        if self.fault.ptr.tag() == Tag::DeviceLocal {
            let owner = self.fault.ptr.local_thread();
            f.notes.push(format!(
                "the variable belongs to thread {owner} of its block, counted from 0 in linear order"
            ));
        }
        if let Some(o) = self.object.filter(|o| o.name.is_some() || o.size > 0) {
            *label += &format!(" at offset {} of {}", self.offset(), object(o));
        }
    }

    /// What would mend a use of what was never written.
    fn initialise(&self) -> String {
        let object = match self.fault.origins.last() {
            None => self.object,
            Some(Origin { object: Some(root), .. }) => Some(root),
            Some(Origin { object: None, .. }) => {
                return "write what is copied before it is copied".to_owned();
            }
        };
        match object.map(|o| o.kind.family()) {
            Some(AllocKind::Shared) => {
                "write the element first (by some thread, with `__syncthreads()` before the read)".to_owned()
            }
            Some(AllocKind::CudaMalloc | AllocKind::CudaArray) => {
                "fill the memory first, with `cudaMemcpy`, `cudaMemset` or a kernel, over its whole length"
                    .to_owned()
            }
            Some(AllocKind::Malloc) => "fill the memory first, or allocate it with `calloc`".to_owned(),
            Some(AllocKind::Local) if object.is_some_and(|o| o.size > 16) => {
                "write it before it is read; if a copy fills it, the source must have been written too"
                    .to_owned()
            }
            Some(AllocKind::Local) => "give the variable a value where it is declared".to_owned(),
            _ => "write the memory before it is read".to_owned(),
        }
    }

    fn invalid_free(&self, f: &mut Finding, how: InvalidFree, by: AllocKind) {
        let what = self.object.map_or_else(|| "this pointer".to_owned(), sized);
        let free = by.deallocator().unwrap_or("a deallocator");
        let off = self.fault.ptr.offset();
        let mut ended = "";
        let label;
        match how {
            InvalidFree::Twice => {
                f.message = format!("{what} is freed twice");
                label = "freed again here".to_owned();
                ended = "freed here first";
                f.help = Some("free it once; set the pointer to null after that".to_owned());
            }
            InvalidFree::Inside => {
                f.message = format!("{free} of a pointer that is {} into {what}", bytes(off.unsigned_abs()));
                if off < 0 {
                    f.message =
                        format!("{free} of a pointer that is {} before {what}", bytes(off.unsigned_abs()));
                }
                label = "not the start of the allocation".to_owned();
                f.help = Some("free the pointer that the allocation returned".to_owned());
            }
            InvalidFree::NotAllocated => {
                f.message = format!("{free} of {what}, which was never allocated");
                label = "not from an allocator".to_owned();
                f.help = Some("do not free variables".to_owned());
            }
            InvalidFree::WrongAllocator => {
                // What it is called says who made it, as a rule.
                let maker = self.object.map(|o| o.kind.allocator()).filter(|maker| !what.contains(*maker));
                f.message = match maker {
                    Some(maker) => format!("{free} of {what}, which {maker} allocated"),
                    None => format!("{free} of {what}"),
                };
                label = format!("freed here with {free}");
                let right = self.object.and_then(|o| o.kind.deallocator());
                f.help = right.map(|r| format!("free it with {r}"));
            }
            InvalidFree::WrongSize(size) => {
                f.message = format!("{free} of {what} as an object of {}", bytes(size));
                label = "the pointer is to another class than was allocated".to_owned();
                f.help = Some("give the base class a virtual destructor, or delete by a pointer to the object's own class".to_owned());
            }
            InvalidFree::Wild => {
                f.message = format!("{free} of a pointer that belongs to no object");
                label = format!("the pointer is {:#x}", self.fault.ptr.0);
                f.help = Some("free only what was allocated".to_owned());
            }
        }
        f.primary = self.span(self.fault.place, &label);
        f.related = self.life(ended);
    }
}

fn were(n: u64) -> &'static str {
    if n == 1 { "was" } else { "were" }
}
