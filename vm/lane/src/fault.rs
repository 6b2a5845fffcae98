//! Why the machine stops: the program ended, the program did something wrong, or cudair cannot go on.
//!
//! A [`Fault`] is data: what happened, where, by which thread, to which object. the crate `report` turns it
//! into words. The same type serves what ends the run (or the launch) as a [`Stop`] and what is only
//! noted in the findings of that crate while the program goes on.

use crate::Mask;
use crate::ptr::Ptr;
use cudair_ir::cost::Cost;
use cudair_ir::{Diagnostic, DiagnosticClass, FuncId, Kind, Loc, Severity, Site, Space, ThreadCoord};
use std::sync::Arc;

/// How a thread of the host goes on that lets others run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Switch {
    /// The operation is done again: it waits.
    Again,
    /// Behind the operation, a call having this result.
    After(u64),
    /// It does not: it ends with this result.
    End(u64),
}

/// Why execution cannot go on.
#[derive(Clone, Debug)]
pub enum Stop {
    /// The program ended with this status.
    Exit(i32),
    /// An exception, by its handle, leaves a function. It ends no run: the engine finds who takes it, or what to
    /// report.
    Throw(Ptr),
    /// The thread of the host that runs lets others run. It ends no run: the host's loop turns to another thread.
    Switch(Switch),
    /// The program did something after which it cannot go on.
    Fault(Box<Fault>),
    /// Something that cudair does not support.
    Unsupported(Box<Diagnostic>),
    /// A limit was reached.
    Limit(Box<Diagnostic>),
    /// A defect of cudair.
    Internal(Box<Diagnostic>),
}

impl Stop {
    /// Where it is a fault: one of these lanes.
    pub fn of_lanes(mut self, lanes: &Mask) -> Stop {
        if let Stop::Fault(fault) = &mut self {
            fault.lanes = Some(Box::new(FaultyLanes { mask: *lanes, others: Vec::new() }));
        }
        self
    }

    /// Where it is a fault of some lanes: one of all that run together.
    pub fn of_all_lanes(mut self) -> Stop {
        if let Stop::Fault(fault) = &mut self
            && let Some(lanes) = &mut fault.lanes
        {
            // Those of other kinds are told all the same.
            lanes.mask = Mask([u16::MAX; crate::MASK_WORDS]);
        }
        self
    }

    /// Something that cudair does not support.
    pub fn unsupported(message: impl Into<String>) -> Stop {
        Stop::Unsupported(Box::new(Diagnostic::new(DiagnosticClass::Unsupported, message)))
    }

    /// A limit was reached.
    pub fn limit(message: impl Into<String>) -> Stop {
        Stop::Limit(Box::new(Diagnostic::new(DiagnosticClass::Limit, message)))
    }

    /// A defect of cudair.
    pub fn internal(message: impl Into<String>) -> Stop {
        Stop::Internal(Box::new(Diagnostic::new(DiagnosticClass::Internal, message)))
    }
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::Fault(Box::new(fault))
    }
}

impl From<Box<Fault>> for Stop {
    fn from(fault: Box<Fault>) -> Stop {
        Stop::Fault(fault)
    }
}

/// A site of a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SiteRef {
    /// The function.
    pub func: FuncId,
    /// The site in it.
    pub site: Site,
}

/// Where something happened.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Place {
    /// Nowhere that has a place in the source.
    #[default]
    Unknown,
    /// At a site.
    Site(SiteRef),
    /// At a source place.
    Loc(Loc),
}

impl From<SiteRef> for Place {
    fn from(site: SiteRef) -> Place {
        Place::Site(site)
    }
}

impl From<Option<Loc>> for Place {
    fn from(loc: Option<Loc>) -> Place {
        loc.map_or(Place::Unknown, Place::Loc)
    }
}

/// The launch during which something happened.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LaunchRef {
    /// Its number in the run, from 0.
    pub number: u64,
    /// The kernel.
    pub kernel: FuncId,
}

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AccessOp {
    /// Reads.
    Read,
    /// Writes.
    Write,
    /// Reads and writes as one.
    Atomic,
}

impl AccessOp {
    /// Whether bytes may change.
    pub fn writes(self) -> bool {
        self != AccessOp::Read
    }
}

/// Who made an object: decides who may free it and what a report calls it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AllocKind {
    /// A variable of static storage duration, in any space; kernel parameters are variables too.
    Static,
    /// A kernel's parameter of a class type, in the launch's parameter memory.
    Parameter,
    /// A string literal or other unnamed constant.
    Literal,
    /// A local variable.
    Local,
    /// A shared variable of a block.
    Shared,
    /// `alloca`, a variable length array.
    Alloca,
    /// `malloc`, `calloc`, `realloc` and kin on the host.
    Malloc,
    /// `mmap`.
    Mapped,
    /// `new` on the host.
    New,
    /// `new[]` on the host.
    NewArray,
    /// `malloc` in device code.
    DeviceMalloc,
    /// `new` in device code.
    DeviceNew,
    /// `new[]` in device code.
    DeviceNewArray,
    /// `cudaMalloc`.
    CudaMalloc,
    /// `cudaMallocAsync` and kin.
    CudaAsync,
    /// An allocation by a node of a graph.
    Graph,
    /// `cuMemAddressReserve`.
    Reserved,
    /// `cudaMallocPitch`.
    CudaPitch,
    /// `cudaMalloc3D`.
    Cuda3D,
    /// `cudaMallocManaged`.
    CudaManaged,
    /// `cudaMallocHost`.
    CudaHost,
    /// `cudaHostAlloc`.
    CudaHostAlloc,
    /// `cudaMallocArray` and kin.
    CudaArray,
    /// `cudaMallocMipmappedArray`: one of its levels.
    CudaMipmap,
    /// `cudaCreateTextureObject`.
    Texture,
    /// `cudaCreateSurfaceObject`.
    Surface,
    /// Made by the machine: `argv`, a `FILE`, the arguments of a launch.
    Runtime,
}

impl AllocKind {
    /// What makes such an object, as a reader writes it.
    pub fn allocator(self) -> &'static str {
        match self {
            AllocKind::Static => "a variable",
            AllocKind::Literal => "a literal",
            AllocKind::Local => "a local variable",
            AllocKind::Shared => "a shared variable",
            AllocKind::Alloca => "`alloca`",
            AllocKind::Malloc => "`malloc`",
            AllocKind::Mapped => "`mmap`",
            AllocKind::New => "`new`",
            AllocKind::NewArray => "`new[]`",
            AllocKind::DeviceMalloc => "`malloc` in device code",
            AllocKind::DeviceNew => "`new` in device code",
            AllocKind::DeviceNewArray => "`new[]` in device code",
            AllocKind::CudaMalloc => "`cudaMalloc`",
            AllocKind::CudaAsync => "`cudaMallocAsync`",
            AllocKind::Graph => "an allocation of a graph",
            AllocKind::Reserved => "`cuMemAddressReserve`",
            AllocKind::CudaPitch => "`cudaMallocPitch`",
            AllocKind::Cuda3D => "`cudaMalloc3D`",
            AllocKind::CudaManaged => "`cudaMallocManaged`",
            AllocKind::CudaHostAlloc => "`cudaHostAlloc`",
            AllocKind::CudaHost => "`cudaMallocHost`",
            AllocKind::CudaArray => "`cudaMallocArray`",
            AllocKind::CudaMipmap => "`cudaMallocMipmappedArray`",
            AllocKind::Texture => "`cudaCreateTextureObject`",
            AllocKind::Surface => "`cudaCreateSurfaceObject`",
            AllocKind::Parameter => "a kernel's parameter",
            AllocKind::Runtime => "the runtime",
        }
    }

    /// The one whose objects are treated alike.
    pub fn family(self) -> AllocKind {
        match self {
            AllocKind::CudaAsync | AllocKind::CudaPitch | AllocKind::Cuda3D => AllocKind::CudaMalloc,
            AllocKind::CudaHostAlloc => AllocKind::CudaHost,
            kind => kind,
        }
    }

    /// What frees such an object, if anything does.
    pub fn deallocator(self) -> Option<&'static str> {
        Some(match self {
            AllocKind::Malloc => "`free`",
            AllocKind::Mapped => "`munmap`",
            AllocKind::New => "`delete`",
            AllocKind::NewArray => "`delete[]`",
            AllocKind::DeviceMalloc => "`free` in device code",
            AllocKind::DeviceNew => "`delete` in device code",
            AllocKind::DeviceNewArray => "`delete[]` in device code",
            AllocKind::CudaMalloc | AllocKind::CudaPitch | AllocKind::Cuda3D | AllocKind::CudaManaged => {
                "`cudaFree`"
            }
            AllocKind::CudaAsync => "`cudaFreeAsync`",
            AllocKind::Reserved => "`cuMemAddressFree`",
            AllocKind::CudaHost | AllocKind::CudaHostAlloc => "`cudaFreeHost`",
            AllocKind::CudaArray => "`cudaFreeArray`",
            AllocKind::CudaMipmap => "`cudaFreeMipmappedArray`",
            AllocKind::Texture => "`cudaDestroyTextureObject`",
            AllocKind::Surface => "`cudaDestroySurfaceObject`",
            _ => return None,
        })
    }
}

/// What a report says about an object. Taken when the fault happens, for the object may be gone later.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectInfo {
    /// Who made it.
    pub kind: AllocKind,
    /// Its space.
    pub space: Space,
    /// Its name in the source, if it has one.
    pub name: Option<Arc<str>>,
    /// Bytes.
    pub size: u64,
    /// What is at hand starts at this offset of it: a variable may have been taken apart.
    pub part: u64,
    /// Which of the allocations it is, where several are made at one place; 0 for variables.
    pub number: u32,
    /// Where it was declared or allocated.
    pub made: Place,
    /// Where it was freed or its life ended.
    pub ended: Place,
}

/// A way in which memory can be freed wrongly.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum InvalidFree {
    /// It was freed before.
    Twice,
    /// The pointer is not the start of an allocation.
    Inside,
    /// It was never allocated (a variable, a literal, a function).
    NotAllocated,
    /// Another allocator made it.
    WrongAllocator,
    /// `delete` of an object of a class that has this many bytes, and the allocation has more or less: the object is of
    /// another class.
    WrongSize(u64),
    /// The pointer is no object's.
    Wild,
}

/// What went wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// An access at or next to null.
    Null,
    /// An access through bits that were never a pointer to data.
    Wild,
    /// An access outside its object.
    OutOfBounds,
    /// An access to freed memory.
    UseAfterFree,
    /// An access to memory of a graph that no launch has allocated, or that is freed.
    Unallocated,
    /// An access to a variable whose life has ended.
    UseAfterScope,
    /// An access to memory of the other side, or to another thread's or block's.
    WrongSpace,
    /// An access at an address that is not a multiple of what its type asks for.
    Misaligned {
        /// The alignment asked for, in bytes.
        align: u32,
        /// How many bytes past a multiple of that the object itself starts.
        start: u32,
    },
    /// A write to what cannot be written.
    ReadOnly,
    /// A use of a value that was never written.
    Uninitialised {
        /// The first byte of the access that was never written.
        first: u32,
        /// How many of its bytes were never written.
        bytes: u32,
    },
    /// A wrong free.
    InvalidFree {
        /// How.
        how: InvalidFree,
        /// Which deallocator was called, by the allocator it belongs to.
        by: AllocKind,
    },
    /// Anything else: the producer says it all.
    Other {
        /// What kind.
        kind: Kind,
        /// How bad.
        severity: Severity,
        /// One sentence.
        message: String,
        /// What is said at the place.
        label: String,
        /// Further places with what is said there.
        related: Vec<(Place, String)>,
        /// Further facts.
        notes: Vec<String>,
        /// What would mend it.
        help: Option<String>,
    },
}

impl FaultKind {
    /// The kind of finding this is.
    pub fn kind(&self) -> Kind {
        match self {
            FaultKind::Null => Kind::NullDereference,
            FaultKind::Wild | FaultKind::OutOfBounds => Kind::OutOfBounds,
            FaultKind::UseAfterFree | FaultKind::Unallocated | FaultKind::UseAfterScope => Kind::UseAfterFree,
            FaultKind::WrongSpace => Kind::WrongMemorySpace,
            FaultKind::Misaligned { .. } => Kind::MisalignedAccess,
            FaultKind::ReadOnly => Kind::ReadOnlyWrite,
            FaultKind::Uninitialised { .. } => Kind::UninitializedRead,
            FaultKind::InvalidFree { .. } => Kind::InvalidFree,
            FaultKind::Other { kind, .. } => *kind,
        }
    }
}

/// A copy that carried bytes which were never written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The object that was read, if it is known.
    pub object: Option<ObjectInfo>,
    /// Where.
    pub place: Place,
    /// The native function that copied, if one did.
    pub native: Option<&'static str>,
}

/// A launch that did not run, since the device refused it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NeverRan {
    /// The kernel.
    pub kernel: FuncId,
    /// Where it was to be launched.
    pub place: Place,
    /// What the finding says of the refusal: at one place there may be several.
    pub message: Arc<str>,
}

/// Something the program did wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// What.
    pub kind: FaultKind,
    /// Where.
    pub place: Place,
    /// The calls that led there, innermost first, as far as somebody has asked; those of the user's files.
    pub calls: Box<[Loc]>,
    /// What was attempted, for memory faults, and on how many bytes.
    pub access: Option<(AccessOp, u64)>,
    /// The native function that made the access on the program's behalf, if one did.
    pub native: Option<&'static str>,
    /// The address.
    pub ptr: Ptr,
    /// The object concerned.
    pub object: Option<Box<ObjectInfo>>,
    /// Where bytes that were never written come from, as far as that is known: the copies that brought them, the last one
    /// first.
    pub origins: Box<[Origin]>,
    /// The launch that would have written the memory in which bytes were never written, if the device refused one.
    pub never_ran: Option<NeverRan>,
    /// Where the threads of the block are, where some of them keep the others waiting.
    pub standing: Box<[Standing]>,
    /// The thread, on the device; with several at one operation, the first.
    pub thread: Option<ThreadCoord>,
    /// How many threads did it at this operation.
    pub count: u64,
    /// The launch, on the device.
    pub launch: Option<LaunchRef>,
    /// On the device, where some of the threads that run together are concerned: which. `None` means all.
    pub lanes: Option<Box<FaultyLanes>>,
    /// What it costs, where it is of performance.
    pub cost: Option<Box<Cost>>,
    /// Whether it ended the launch, so that later calls of the runtime return an error.
    pub sticky: bool,
}

/// The lanes of a strip that faulted at one operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaultyLanes {
    /// Which lanes.
    pub mask: Mask,
    /// Their faults of other kinds, one each.
    pub others: Vec<Fault>,
}

/// Collects the faults of lanes at one operation: one of each kind, with a count.
#[derive(Debug, Default)]
pub struct LaneFaults {
    found: Vec<Fault>,
    mask: Mask,
}

impl LaneFaults {
    /// A lane faults; `make` describes the first of its kind.
    pub fn add(&mut self, lane: usize, kind: &FaultKind, make: impl FnOnce() -> Fault) {
        self.mask.insert(lane);
        match self.found.iter_mut().find(|f| f.kind.kind() == kind.kind()) {
            Some(known) => known.count += 1,
            None => self.found.push(make()),
        }
    }

    /// Several lanes fault, and `fault` counts them.
    pub fn add_all(&mut self, lanes: &Mask, fault: Fault) {
        self.mask = self.mask.or(lanes);
        match self.found.iter_mut().find(|f| f.kind.kind() == fault.kind.kind()) {
            Some(known) => known.count += fault.count,
            None => self.found.push(fault),
        }
    }

    /// The lanes so far.
    pub fn mask(&self) -> &Mask {
        &self.mask
    }

    /// The fault that came first, which knows of the others.
    ///
    /// # Errors
    /// That one, if there is any.
    pub fn done(self) -> Result<(), Stop> {
        let mut found = self.found.into_iter();
        let Some(mut first) = found.next() else { return Ok(()) };
        first.lanes = Some(Box::new(FaultyLanes { mask: self.mask, others: found.collect() }));
        Err(first.into())
    }
}

/// Threads of a block that are at one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// Where.
    pub place: Place,
    /// Their linear numbers in the block, in ascending order.
    pub threads: Vec<u32>,
    /// They have left the kernel there, and do not wait.
    pub left: bool,
}

impl Fault {
    /// A fault of a kind at a place, by the host; the rest is filled by whoever knows it.
    pub fn new(kind: FaultKind, place: impl Into<Place>) -> Fault {
        Fault {
            kind,
            place: place.into(),
            calls: Box::default(),
            access: None,
            native: None,
            ptr: Ptr::NULL,
            object: None,
            origins: Box::default(),
            never_ran: None,
            standing: Box::default(),
            thread: None,
            count: 1,
            launch: None,
            lanes: None,
            cost: None,
            sticky: false,
        }
    }

    /// A fault said in the producer's words.
    pub fn other(
        kind: Kind,
        place: impl Into<Place>,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> Fault {
        Fault::new(
            FaultKind::Other {
                kind,
                severity: Severity::Error,
                message: message.into(),
                label: label.into(),
                related: Vec::new(),
                notes: Vec::new(),
                help: None,
            },
            place,
        )
    }

    /// The same with a help line.
    pub fn with_help(mut self, text: impl Into<String>) -> Fault {
        if let FaultKind::Other { help, .. } = &mut self.kind {
            *help = Some(text.into());
        }
        self
    }

    /// The same with a further fact.
    pub fn with_note(mut self, text: impl Into<String>) -> Fault {
        if let FaultKind::Other { notes, .. } = &mut self.kind {
            notes.push(text.into());
        }
        self
    }

    /// The same with a further place.
    pub fn with_related(mut self, place: impl Into<Place>, label: impl Into<String>) -> Fault {
        if let FaultKind::Other { related, .. } = &mut self.kind {
            related.push((place.into(), label.into()));
        }
        self
    }

    /// The same as a warning.
    pub fn warning(self) -> Fault {
        self.with_severity(Severity::Warning)
    }

    /// The same, so severe.
    pub fn with_severity(mut self, how: Severity) -> Fault {
        if let FaultKind::Other { severity, .. } = &mut self.kind {
            *severity = how;
        }
        self
    }

    /// The same, done by a device thread.
    pub fn by_thread(mut self, thread: ThreadCoord, launch: Option<LaunchRef>) -> Fault {
        self.thread = Some(thread);
        self.launch = launch;
        self
    }
}

/// One allocation that was never freed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leak {
    /// Its start.
    pub ptr: Ptr,
    /// What it is.
    pub object: ObjectInfo,
}
