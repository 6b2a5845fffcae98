//! What cudair tells its user: findings about the program, and diagnostics about everything else.
//!
//! A finding is a fault of the interpreted program (or may be one); producers fill it with data and
//! never with layout. One renderer per output format lives in the root crate. What is *not* a fault
//! of the program has its own types: [`Diagnostic`] with its [`DiagnosticClass`].

use crate::cost::Cost;
use crate::counterexample::Counterexample;
use crate::dims::LaunchDims;
use crate::entities::Loc;
use crate::loc::{Pos, SourceMap};
use crate::ops::named_enum;
use crate::types::Type;

named_enum! {
    /// The kinds of findings; the names are part of the command-line contract.
    Kind {
        /// Unordered conflicting accesses to shared memory.
        SharedRace = "shared-race",
        /// Unordered conflicting accesses to global, managed or mapped memory.
        GlobalRace = "global-race",
        /// Not all threads of a block reach a barrier.
        BarrierDivergence = "barrier-divergence",
        /// No thread can go on.
        Deadlock = "deadlock",
        /// The mask of a warp primitive is wrong.
        SyncMask = "sync-mask",
        /// An access outside its object.
        OutOfBounds = "out-of-bounds",
        /// An access to memory whose lifetime has ended.
        UseAfterFree = "use-after-free",
        /// An access at or next to a null pointer.
        NullDereference = "null-dereference",
        /// An access not aligned as its type asks.
        MisalignedAccess = "misaligned-access",
        /// The host touches device memory or the device host memory.
        WrongMemorySpace = "wrong-memory-space",
        /// A write to read-only memory.
        ReadOnlyWrite = "read-only-write",
        /// A use of a value that was never written.
        UninitializedRead = "uninitialized-read",
        /// A free of what cannot be freed.
        InvalidFree = "invalid-free",
        /// Memory never freed.
        MemoryLeak = "memory-leak",
        /// A launch that the device refuses.
        InvalidLaunch = "invalid-launch",
        /// A failing runtime call.
        ApiError = "api-error",
        /// A failed assertion.
        AssertionFailed = "assertion-failed",
        /// Something that the program takes for granted does not hold.
        AssumptionFailed = "assumption-failed",
        /// Undefined behaviour of C and C++ not named otherwise.
        UndefinedBehavior = "undefined-behavior",
        /// Lanes of a warp use one bank.
        BankConflict = "bank-conflict",
        /// A warp's accesses need more transactions than their bytes.
        UncoalescedAccess = "uncoalesced-access",
        /// Lanes of a warp go separate ways.
        WarpDivergence = "warp-divergence",
    }
}

named_enum! {
    /// How bad a finding is.
    Severity {
        /// Performance notes.
        Note = "note",
        /// Perhaps intended, perhaps a fault.
        Warning = "warning",
        /// A fault.
        Error = "error",
    }
}

named_enum! {
    /// How sure a finding is.
    Certainty {
        /// A witness exists.
        Definite = "definite",
        /// Not excluded.
        Possible = "possible",
    }
}

named_enum! {
    /// Who found it.
    Origin {
        /// An analysis.
        Static = "static",
        /// The run.
        Dynamic = "dynamic",
        /// Both.
        Both = "both",
    }
}

/// A source range resolved to file and positions, with what is said about it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Span {
    /// The file's path.
    pub file: String,
    /// Start.
    pub start: Pos,
    /// End, exclusive.
    pub end: Pos,
    /// Where the code comes from a macro: the place inside the macro's definition. It tells what stands at one use of a
    /// macro apart.
    pub spelling: Option<Box<(String, Pos, Pos)>>,
    /// What happened here.
    pub label: String,
}

impl Span {
    /// The span of a place, without its call path; of code in a header of our own, the span of its call.
    pub fn new(map: &SourceMap, loc: Loc, label: impl Into<String>) -> Span {
        let data = &map.locs[map.visible(loc)];
        Span {
            file: map.files[data.file].path.clone(),
            start: data.start,
            end: data.end,
            spelling: map.spelling(data).map(Box::new),
            label: label.into(),
        }
    }

    /// The place without what is said about it, for identity and order.
    pub fn place(&self) -> (&str, Pos, Pos, Option<&(String, Pos, Pos)>) {
        (&self.file, self.start, self.end, self.spelling.as_deref())
    }

    /// Spans for the calls through which `loc` was inlined, innermost first.
    pub fn call_path(map: &SourceMap, loc: Loc) -> Vec<Span> {
        map.call_path(map.visible(loc))
            .into_iter()
            .map(|call| Span::new(map, call, "called from here"))
            .collect()
    }
}

/// A device thread: block index and thread index, x, y, z each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ThreadCoord {
    /// `blockIdx`
    pub block: [u32; 3],
    /// `threadIdx`
    pub thread: [u32; 3],
}

/// Threads of a block that are at one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadsAt {
    /// Where.
    pub place: Span,
    /// Their linear numbers in the block: from the first to the last of each range.
    pub threads: Vec<[u32; 2]>,
    /// They have left the kernel there, and do not wait.
    pub left: bool,
}

/// Ascending numbers with those that follow each other as one: the first and the last of each.
pub fn consecutive(numbers: impl IntoIterator<Item = u32>) -> Vec<[u32; 2]> {
    let mut out: Vec<[u32; 2]> = Vec::new();
    for n in numbers {
        match out.last_mut() {
            Some([_, last]) if *last + 1 == n => *last = n,
            _ => out.push([n, n]),
        }
    }
    out
}

/// The bytes of an object that an access touches, or two accesses of a race both touch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TouchedBytes {
    /// What the object is called, in words: "`data`", "memory from `malloc`".
    pub object: String,
    /// Its size in bytes.
    pub size: u64,
    /// Where the bytes begin, counted from its start. They may lie outside.
    pub offset: i64,
    /// How many they are.
    pub bytes: u64,
    /// Those of them that were never written: where they begin and how many they are, as above.
    pub unwritten: Option<(i64, u64)>,
}

/// What a barrier of the block would have to order, had one been there: two accesses of a race.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unordered {
    /// Where each access is, and behind it the calls through which it was inlined, innermost first.
    pub sides: [Vec<Span>; 2],
    /// Whether the two threads are in one warp, each time that was seen.
    pub same_warp: bool,
    /// The type that both accesses have in memory, where it is one.
    pub ty: Option<Type>,
    /// What helps without a barrier.
    pub otherwise: Option<String>,
}

/// One change of a text: what stands in a range gives way to another text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// The file's path.
    pub file: String,
    /// Where the change begins.
    pub start: Pos,
    /// Where what is taken away ends, exclusive; nothing is taken away where that is the start.
    pub end: Pos,
    /// What is put there.
    pub text: String,
}

named_enum! {
    /// What a repair was tried with.
    Trial {
        /// The analyses of the changed program.
        Analysis = "analysis",
        /// A run of the changed program.
        Run = "run",
    }
}

/// A change of the program that was tried and mends a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repair {
    /// What is inserted, as a statement.
    pub insert: String,
    /// The changes, in the order of the text.
    pub edits: Vec<Edit>,
    /// What has shown that the finding is gone and nothing else is wrong.
    pub verified_by: Vec<Trial>,
}

/// Something the program does wrong, or may.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What.
    pub kind: Kind,
    /// How bad.
    pub severity: Severity,
    /// How sure.
    pub certainty: Certainty,
    /// Who found it.
    pub origin: Origin,
    /// One sentence.
    pub message: String,
    /// The kernel concerned, as a reader calls it.
    pub kernel: Option<String>,
    /// The number of the launch in the run, from 0.
    pub launch: Option<u64>,
    /// The launch's extents, as far as they are known.
    pub dims: LaunchDims,
    /// The memory concerned, where it is an object.
    pub memory: Option<Box<TouchedBytes>>,
    /// Where the launch is in the program, and behind it the calls through which the host came there, innermost first.
    pub launched: Vec<Span>,
    /// The main place; absent only where the program has none (a leak found at exit of a `.cir`
    /// without places).
    pub primary: Option<Span>,
    /// Of a race between operations of streams, or with the host: who makes the access at the primary place and who that at
    /// the first related one, and in which stream.
    pub operations: Option<Box<[[String; 2]; 2]>>,
    /// Where the threads of the block are, where some of them keep the others waiting.
    pub standing: Vec<ThreadsAt>,
    /// Other places, in the order a reader should walk them.
    pub related: Vec<Span>,
    /// The threads concerned, the one at the primary place first.
    pub threads: Vec<ThreadCoord>,
    /// Further facts, a line each ("the allocation has 40 bytes").
    pub notes: Vec<String>,
    /// What would mend it.
    pub help: Option<String>,
    /// How often it happened; 1 for what a static check found.
    pub count: u64,
    /// What it costs, where it is of performance.
    pub cost: Option<Cost>,
    /// Whether another schedule may not show it.
    pub schedule_dependent: bool,
    /// The seed of the run that showed it first, where there were several.
    pub seed: Option<u64>,
    /// Launches that may show it, the likeliest first, where somebody asked an analysis for them.
    pub counterexamples: Vec<Counterexample>,
    /// The accesses that a barrier might order, where the help proposes one that nobody has tried.
    pub unordered: Option<Box<Unordered>>,
    /// What was tried and mends it.
    pub repair: Option<Box<Repair>>,
    /// What findings of one kind in one kernel share that have one cause: the object, and what their accesses lack.
    pub cause: Option<String>,
    /// The kind of the finding that this one is a consequence of and has its cause in common with, if it is one.
    pub because: Option<Kind>,
    /// The number of the group of findings that have one cause, from 1, once they are grouped.
    pub group: Option<u32>,
}

impl Finding {
    /// A definite error found by the run, to be filled further.
    pub fn dynamic(kind: Kind, message: impl Into<String>) -> Finding {
        Finding {
            kind,
            severity: Severity::Error,
            certainty: Certainty::Definite,
            origin: Origin::Dynamic,
            message: message.into(),
            kernel: None,
            launch: None,
            dims: LaunchDims::default(),
            memory: None,
            launched: Vec::new(),
            primary: None,
            related: Vec::new(),
            threads: Vec::new(),
            notes: Vec::new(),
            help: None,
            count: 1,
            cost: None,
            schedule_dependent: false,
            seed: None,
            counterexamples: Vec::new(),
            unordered: None,
            repair: None,
            cause: None,
            operations: None,
            standing: Vec::new(),
            because: None,
            group: None,
        }
    }

    /// The places besides the main one: the related ones, and then those of the launch.
    pub fn further_places(&self) -> impl Iterator<Item = &Span> {
        self.related.iter().chain(&self.launched)
    }

    /// What findings have in common that have one cause; nothing where a finding has a cause of its own.
    pub fn shared_cause(&self) -> Option<(Kind, Option<String>, String)> {
        let cause = self.cause.clone()?;
        // Whoever suffers from it is of no matter.
        Some(match self.because {
            Some(kind) => (kind, None, cause),
            None => (self.kind, self.kernel.clone(), cause),
        })
    }

    /// Whether `other` is the same finding met again: one kind, one primary place, the same related
    /// places.
    pub fn same_place(&self, other: &Finding) -> bool {
        self.kind == other.kind
            && self.severity == other.severity
            && self.primary.as_ref().map(Span::place) == other.primary.as_ref().map(Span::place)
            && self.related.len() == other.related.len()
            && self.related.iter().zip(&other.related).all(|(a, b)| a.place() == b.place())
    }

    /// Adds `self` to `list`, or to an equal one that is there, whose count rises if this is what happened in a run.
    pub fn merge_into(self, list: &mut Vec<Finding>) {
        match list.iter_mut().find(|f| f.same_place(&self)) {
            Some(f) => {
                if self.origin != Origin::Static {
                    f.count += self.count;
                }
                f.counterexamples.extend(self.counterexamples);
            }
            None => list.push(self),
        }
    }
}

named_enum! {
    /// Why cudair itself could not go on.
    DiagnosticClass {
        /// Wrong arguments.
        Usage = "usage",
        /// The source does not parse.
        Parse = "parse",
        /// A construct or function that cudair does not support.
        Unsupported = "unsupported",
        /// A limit was reached.
        Limit = "limit",
        /// A defect of cudair.
        Internal = "internal",
        /// Nothing is wrong; something is worth knowing.
        Note = "note",
        /// Something that the user has written for cudair has no effect.
        Warning = "warning",
    }
}

impl DiagnosticClass {
    /// Whether the command does what it was asked all the same.
    pub fn is_aside(self) -> bool {
        matches!(self, DiagnosticClass::Note | DiagnosticClass::Warning)
    }
}

/// What is not a finding: why cudair could not do what it was asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Which class.
    pub class: DiagnosticClass,
    /// One sentence.
    pub message: String,
    /// Where, if it has a place.
    pub primary: Option<Span>,
    /// Other places ("included from", "called from").
    pub related: Vec<Span>,
    /// What would mend it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A diagnostic without a place.
    pub fn new(class: DiagnosticClass, message: impl Into<String>) -> Diagnostic {
        Diagnostic { class, message: message.into(), primary: None, related: Vec::new(), help: None }
    }
}
