//! Verdicts: what the analyses proved of a kernel and what not. Silence is none: each kernel that was looked at gets a
//! verdict for each check.

use crate::finding::{Kind, Span};
use std::time::Duration;

/// What a check came to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// It cannot happen in any launch that was looked at, whatever memory holds.
    Proved,
    /// Something that it takes is not known, such as the size of an object; what is known is proved.
    NotChecked,
    /// It could be neither excluded nor shown to happen.
    Possible,
    /// It happens: a finding says how.
    Refuted,
    /// It can happen in none of the launches that ran, whatever memory holds: [`ByRun`].
    ProvedForLaunches,
    /// It did not happen in the launches that ran.
    SeenClean,
    /// It happened in a launch that ran: a finding says how.
    Confirmed,
    /// No launch ran, and it is not proved.
    NotLaunched,
}

impl Outcome {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Proved => "proved",
            Outcome::NotChecked => "not checked",
            Outcome::Possible => "possible",
            Outcome::Refuted => "refuted",
            Outcome::ProvedForLaunches => "proved for this launch",
            Outcome::SeenClean => "seen clean",
            Outcome::Confirmed => "confirmed",
            Outcome::NotLaunched => "not launched",
        }
    }
}

/// On what a verdict rests.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Basis {
    /// The analyses.
    Analysis,
    /// A run.
    Run,
    /// Both: each says so.
    Both,
}

impl Basis {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Basis::Analysis => "analysis",
            Basis::Run => "run",
            Basis::Both => "both",
        }
    }
}

/// What is checked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Check {
    /// All threads of a block come to each barrier, or none does.
    BarrierDivergence,
    /// No two threads race in shared memory.
    SharedRaces,
    /// No two threads race in device memory.
    GlobalRaces,
    /// The device takes the launch.
    Launch,
    /// Each access is inside its object.
    Bounds,
    /// Each access is aligned as its type asks.
    Alignment,
    /// Each byte of shared memory that a thread reads was written before.
    Initialised,
    /// No access is at a null pointer.
    Null,
    /// No write is to constant memory.
    ReadOnly,
    /// Every assertion holds.
    Assertions,
    /// Each call through a pointer is of a function, no division is by zero or has a quotient that does not fit, and no
    /// shift is by an amount out of range.
    Undefined,
    /// All lanes that a mask names come to the operation of a warp.
    Masks,
    /// No request of a warp to shared memory takes more turns than it has to. Asked with `--perf` only, as those below.
    BankConflicts,
    /// No request of a warp to device memory moves more sectors than it has to.
    Coalescing,
    /// No branch splits a warp.
    WarpDivergence,
}

impl Check {
    /// All of them, in the order of reports.
    pub const ALL: [Check; 15] = [
        Check::BarrierDivergence,
        Check::SharedRaces,
        Check::GlobalRaces,
        Check::Launch,
        Check::Bounds,
        Check::Alignment,
        Check::Initialised,
        Check::Null,
        Check::ReadOnly,
        Check::Assertions,
        Check::Undefined,
        Check::Masks,
        Check::BankConflicts,
        Check::Coalescing,
        Check::WarpDivergence,
    ];

    /// Its name in reports: that of the kind of finding.
    pub fn name(self) -> &'static str {
        self.kind().name()
    }

    /// The kind of its findings.
    pub fn kind(self) -> Kind {
        match self {
            Check::BarrierDivergence => Kind::BarrierDivergence,
            Check::SharedRaces => Kind::SharedRace,
            Check::GlobalRaces => Kind::GlobalRace,
            Check::Launch => Kind::InvalidLaunch,
            Check::Bounds => Kind::OutOfBounds,
            Check::Alignment => Kind::MisalignedAccess,
            Check::Initialised => Kind::UninitializedRead,
            Check::Null => Kind::NullDereference,
            Check::ReadOnly => Kind::ReadOnlyWrite,
            Check::Assertions => Kind::AssertionFailed,
            Check::Undefined => Kind::UndefinedBehavior,
            Check::Masks => Kind::SyncMask,
            Check::BankConflicts => Kind::BankConflict,
            Check::Coalescing => Kind::UncoalescedAccess,
            Check::WarpDivergence => Kind::WarpDivergence,
        }
    }
}

/// The verdict of one check of one kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckVerdict {
    /// Which check.
    pub check: Check,
    /// What it came to.
    pub outcome: Outcome,
    /// Who says so.
    pub basis: Basis,
    /// Why it is not proved, where it is not: a clause.
    pub why: Option<String>,
    /// Where that is.
    pub place: Option<Span>,
    /// At how many places.
    pub places: usize,
    /// What a proof takes for granted, a clause each.
    pub premises: Vec<String>,
}

impl CheckVerdict {
    /// That an analysis proves what a check is about, until something says otherwise.
    pub fn proved(check: Check) -> CheckVerdict {
        CheckVerdict {
            check,
            outcome: Outcome::Proved,
            basis: Basis::Analysis,
            why: None,
            place: None,
            places: 0,
            premises: Vec::new(),
        }
    }

    /// That a check is for the run, and why, at so many places of which this is the first.
    pub fn not_checked(check: Check, why: &str, place: Option<Span>, places: usize) -> CheckVerdict {
        CheckVerdict {
            outcome: Outcome::NotChecked,
            why: Some(why.to_owned()),
            place,
            places,
            ..CheckVerdict::proved(check)
        }
    }
}

/// The verdicts of one kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelVerdict {
    /// The kernel's name.
    pub kernel: String,
    /// Where it is declared.
    pub place: Option<Span>,
    /// The launches that were looked at, in words.
    pub launches: String,
    /// One for each check that applies.
    pub checks: Vec<CheckVerdict>,
    /// What a run says, where there was one.
    pub run: Option<ByRun>,
}

/// What the launches of a run say of a kernel.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ByRun {
    /// How many ran.
    pub launches: u64,
    /// They prove themselves: with other contents of memory every thread takes the same way, accesses the same addresses
    /// and comes to the same barriers ([`crate::oblivious`]), and nothing was wrong with that.
    pub proved: bool,
    /// Why they do not.
    pub because: Vec<Because>,
    /// What else the proof speaks of, a noun each: with another of these it is another launch.
    pub holds_for: Vec<String>,
    /// Accesses of the kernel's code that the race detector did not see, since they are proved free of races in a launch, added
    /// over the launches of which something is proved.
    pub unwatched: u64,
    /// All accesses of its code to memory that other threads see, in the same launches.
    pub accesses: u64,
    /// How many launches these are.
    pub elided: u64,
    /// The time that this saved in one of them, if it was measured.
    pub saving: Option<Saving>,
}

/// How long a launch takes with and without the accesses that the race detector need not see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Saving {
    /// Its number.
    pub launch: u64,
    /// With all accesses watched.
    pub watched: Duration,
    /// Without those that are proved free of races.
    pub left_out: Duration,
}

/// A reason, with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Because {
    /// The reason, a clause.
    pub clause: String,
    /// Where it is.
    pub place: Option<Span>,
}
