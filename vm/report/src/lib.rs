//! From what the machine saw to what the user reads.
//!
//! While the program runs, [`Findings`] keeps what happened as data: faults as [`Fault`], races as
//! [`RaceNote`]. What happens again at the same place is counted, not kept. At the end [`Findings::finish`]
//! turns each into an [`ir::Finding`](cudair_ir::Finding), for only then is the module needed. All wording is
//! in this crate.
//!
//! It knows [`cudair_lane`] and nothing of who finds things: no memory, no detector, no engine. Begin with
//! [`Findings`]; [`watch`] is how a run is seen from another thread.
//!
//! Which of several equal events a finding tells of does not depend on the order in which they came: of races
//! the one with the lowest launch, block and threads.

mod choice;
mod fault;
mod meeting;
mod race;
mod runs;
mod site;
mod streams;
mod unseen;
pub mod watch;
mod words;

#[cfg(test)]
mod tests;

use crate::watch::Watch;
use choice::Room;
use cudair_ir::{Finding, Kind, Loc, Module, OWN_HEADERS, Pos, Severity, Span, ThreadCoord};
use cudair_lane::fault::{AccessOp, AllocKind, Fault, FaultKind, LaunchRef, ObjectInfo, Place};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;
use std::sync::Arc;

pub use choice::Choice;
use fault::fault_finding;
pub use meeting::{Meeting, OperationKind, Side, StreamOperation};
pub use runs::{Lack, Launched, Unwatched};
pub use site::LaunchSite;
pub use streams::{is_wanted, overtaken, racing_readers, unordered};
pub use unseen::{Unseen, never_ran};
pub use words::{made as object_made, name as name_object, object as object_name};

/// Findings that are kept at least, however few are wanted: what is left out by kind or place is not known here.
const MIN_ROOM: usize = 1000;

/// One side of a race.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RaceSide {
    /// Where.
    pub place: Place,
    /// What it does.
    pub op: AccessOp,
    /// Whether it is atomic.
    pub atomic: bool,
    /// Whether it is volatile.
    pub volatile: bool,
    /// Who.
    pub thread: ThreadCoord,
    /// What it wrote, where that is known.
    pub value: Option<u64>,
}

/// What a synchronisation lacks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Missing {
    /// A fence before the write.
    Release,
    /// A fence after the read.
    Acquire,
    /// Both.
    Both,
    /// A release where a thread arrives at the barrier of its cluster.
    Arrival,
    /// Fences or atomics whose scope holds both blocks.
    Scope,
}

/// What two unordered accesses do to the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Violation {
    /// A read whose value is only a guess for a compare-and-swap, which finds out whether it was right.
    Guess,
    /// A volatile read of global memory whose value may be an old one, and is used as data.
    StaleValue,
    /// The same in shared memory or among the lanes of a warp.
    UsedValue,
    /// Nothing orders them, and they are not both atomic.
    #[default]
    Unordered,
    /// A thread reads and then stores what depends on that, both volatile; what the other writes in between is
    /// lost.
    LostUpdate,
}

/// A race between two places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RaceNote {
    /// In shared or in global memory.
    pub kind: Kind,
    /// The two accesses; the reader first where one only reads.
    pub sides: [RaceSide; 2],
    /// The object.
    pub object: Arc<ObjectInfo>,
    /// Where in it the bytes start that both touch.
    pub offset: u64,
    /// How many bytes both touch.
    pub bytes: u32,
    /// Whether one warp would have sufficed to order them.
    pub same_warp: bool,
    /// Whether both wrote the same, each time.
    pub same_value: bool,
    /// Whether each time they did, or lacked no more than a fence after the read of a flag.
    pub mild: bool,
    /// What the two do.
    pub violation: Violation,
    /// What a synchronisation lacks that would have ordered them, its write and its read.
    pub missing: Option<(Missing, Place, Place)>,
    /// The launch.
    pub launch: Option<LaunchRef>,
    /// How often: at how many places in memory, summed over blocks and intervals.
    pub count: u64,
}

impl RaceNote {
    /// Which of several events at one pair of places is told: the least.
    fn rank(&self) -> impl Ord + use<> {
        let [a, b] = &self.sides;
        // Blocks in their linear order: z, then y, then x. A pair of different values shows more than one of
        // equal ones.
        let [x, y, z] = a.thread.block;
        let who = (a.op, b.op, a.thread, b.thread);
        let violation = std::cmp::Reverse(self.violation);
        (self.witness_mild(), violation, self.witness_same(), self.launch, [z, y, x], who, self.offset)
    }

    fn witness_mild(&self) -> bool {
        self.witness_same()
            || matches!(self.missing, Some((Missing::Acquire, ..)))
            || matches!(self.violation, Violation::StaleValue | Violation::Guess)
    }

    fn witness_same(&self) -> bool {
        self.violation == Violation::Unordered
            && self.sides[0].value.is_some()
            && self.sides[0].value == self.sides[1].value
    }

    /// Puts two writes into the order by which pairs of places are known.
    fn turn(&mut self) {
        let [a, b] = &self.sides;
        let key = |s: &RaceSide| ((s.place, s.op), s.thread);
        if a.op != AccessOp::Read && b.op != AccessOp::Read && key(b) < key(a) {
            self.sides.reverse();
        }
    }

    /// Counts `other`, an event at the same places, with this one.
    fn merge(&mut self, other: RaceNote) {
        let count = self.count + other.count;
        let same_value = self.same_value && other.same_value;
        let mild = self.mild && other.mild;
        if other.rank() < self.rank() {
            *self = other;
        }
        self.count = count;
        (self.same_value, self.mild) = (same_value, mild);
    }
}

/// What makes faults one finding.
type FaultKey = (Kind, Place, Option<(Place, Place)>, Option<String>, Option<Loc>);

/// What makes races one: the pair of places, whichever way round, and who launched the kernel.
type RaceKey = ([(Place, AccessOp); 2], Option<Loc>);

/// The findings of a run so far, as data; those at one place are one, with a count.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    ready: Vec<(u64, Finding)>,
    faults: Vec<(u64, Fault)>,
    /// How many of the faults know by which calls the host came there, as far as they are the host's.
    traced: usize,
    fault_index: FxHashMap<FaultKey, usize>,
    uninitialised: FxHashMap<(Place, Option<Loc>), usize>,
    races: FxHashMap<RaceKey, (u64, RaceNote)>,
    /// Launches in which what happened may hang on the order in which threads ran.
    unsteady: FxHashSet<u64>,
    /// Launches of kernels of our own headers, by number: the calls in the program that they serve.
    served: Arc<FxHashMap<u64, Loc>>,
    /// The launch that runs, and where it comes from.
    current: Option<(u64, Arc<LaunchSite>)>,
    /// Where the launches come from in which something was noted, by number.
    sites: FxHashMap<u64, Arc<LaunchSite>>,
    /// Which launches are wanted.
    choice: Arc<Choice>,
    room: Room,
    /// What there was no room for: these races, those complete ones, and how many in all.
    races_left: FxHashSet<RaceKey>,
    ready_left: FxHashSet<(Kind, Option<(String, Pos)>)>,
    left: u64,
    /// What the host does now may hang on the order in which threads ran.
    pub shaken: bool,
    /// What was noted while that was so, by number.
    dependent: FxHashSet<u64>,
    /// Of what was noted under a seed, which: what the order of the run has not shown.
    seeds: FxHashMap<u64, u64>,
    /// The seed under which what is noted now was seen.
    seed: Option<u64>,
    /// How many races were seen that may leave one value or another, wanted or not.
    races_seen: u64,
    /// How many races were noted at all, wanted or not.
    races_noted: u64,
    /// Places that are proved free of races in the launch that runs, where that is put to the test.
    pub free: Option<Arc<FxHashSet<Place>>>,
    /// A race at one of them.
    pub contradiction: Option<Box<RaceNote>>,
    /// Numbers what is noted, so that findings come out in the order in which they were first met.
    next: u64,
    /// Who sees what is noted at once: it is not lost where the run does not come back.
    watch: Option<Arc<Watch>>,
}

impl Findings {
    /// None.
    #[inline]
    pub fn new() -> Findings {
        Findings::default()
    }

    /// None, of a run of which those of `choice` are reported, and at most `max_findings`; `watch` sees each at once.
    pub fn of(choice: &Choice, max_findings: usize, watch: &Arc<Watch>) -> Findings {
        Findings {
            choice: Arc::new(choice.clone()),
            // What nobody wants to read may stand before what is wanted.
            room: Room::new(max_findings.max(MIN_ROOM)),
            watch: Some(Arc::clone(watch)),
            ..Findings::default()
        }
    }

    /// Lets whoever watches the run see what is noted.
    fn show(&self, note: impl FnOnce(&mut Findings)) {
        if let Some(watch) = &self.watch {
            note(&mut watch.mirror());
        }
    }

    /// Whether findings of a launch are wanted.
    #[inline]
    pub fn is_chosen(&self, launch: Option<LaunchRef>) -> bool {
        self.choice.is_all() || launch.is_none_or(|l| self.choice.holds(l))
    }

    /// How many there was no room for.
    #[inline]
    pub fn left(&self) -> u64 {
        self.left
    }

    /// How many things were noted so far that are no repetition of others.
    #[inline]
    pub fn noted(&self) -> u64 {
        self.next
    }

    /// The same findings, of which whoever watches the run sees no more.
    pub fn aside(&self) -> Findings {
        Findings { watch: None, ..self.clone() }
    }

    /// A launch begins, which comes from there.
    pub fn begin_launch(&mut self, number: u64, site: LaunchSite) {
        let current = (number, Arc::new(site));
        self.show(|all| all.current = Some(current.clone()));
        self.current = Some(current);
    }

    /// Whether a fault was noted of which [`Findings::trace`] may say how the host came there.
    #[inline]
    pub fn is_untraced(&self) -> bool {
        self.faults.len() > self.traced
    }

    /// The faults of the host that were noted since the last call are where these calls lead, the innermost first.
    pub fn trace(&mut self, calls: &[Loc]) {
        let new = &mut self.faults[self.traced..];
        for (_, fault) in new.iter_mut().filter(|(_, f)| f.thread.is_none() && f.launch.is_none()) {
            if fault.calls.is_empty() {
                fault.calls = calls.into();
            }
        }
        self.traced = self.faults.len();
        self.show(|all| all.trace(calls));
    }

    /// Keeps where the launch comes from that runs: something of it was noted elsewhere.
    pub fn keep_site(&mut self) {
        if let Some((number, site)) = &self.current {
            self.sites.entry(*number).or_insert_with(|| Arc::clone(site));
        }
    }

    fn number(&mut self) -> u64 {
        self.keep_site();
        self.next += 1;
        if self.shaken {
            self.dependent.insert(self.next);
        }
        if let Some(seed) = self.seed {
            self.seeds.insert(self.next, seed);
        }
        self.next
    }

    /// How many races were seen so far that may leave one value or another, wanted or not.
    #[inline]
    pub fn races_seen(&self) -> u64 {
        self.races_seen
    }

    /// How many races were noted so far, those that leave one value among them, wanted or not.
    #[inline]
    pub fn races_noted(&self) -> u64 {
        self.races_noted
    }

    /// A launch of a kernel that is no program's but a library's serves the call at `call`.
    #[inline]
    pub fn serves(&mut self, launch: LaunchRef, call: Loc) {
        Arc::make_mut(&mut self.served).insert(launch.number, call);
        self.show(|all| all.serves(launch, call));
    }

    fn served(&self, launch: Option<LaunchRef>) -> Option<Loc> {
        self.served.get(&launch?.number).copied()
    }

    /// Notes a fault, whether or not the program goes on.
    #[inline]
    pub fn note(&mut self, fault: Fault) {
        if self.is_chosen(fault.launch) {
            self.note_any(fault);
        }
    }

    /// Lets whoever watches the run see a fault. What is absorbed has been seen before.
    pub fn show_fault(&self, fault: &Fault) {
        self.show(|all| {
            if !all.fault_index.contains_key(&all.key(fault)) {
                all.note_any(fault.clone());
            }
        });
    }

    fn key(&self, fault: &Fault) -> FaultKey {
        let made = fault.object.as_ref().map(|o| (o.made, o.ended));
        let message = match &fault.kind {
            FaultKind::Other { message, .. } => Some(message.clone()),
            _ => None,
        };
        (fault.kind.kind(), fault.place, made, message, self.served(fault.launch))
    }

    /// Notes a fault in whichever launch: one that ends it, and so decides about what follows.
    pub fn note_any(&mut self, fault: Fault) {
        let key = self.key(&fault);
        if let Some(&n) = self.fault_index.get(&key) {
            if let Some((_, known)) = self.faults.get_mut(n) {
                known.count += fault.count;
            }
            return;
        }
        if !self.room.take(is_error(&fault)) {
            self.left += 1;
            self.fault_index.insert(key, usize::MAX);
            return;
        }
        let n = self.faults.len();
        if matches!(fault.kind, FaultKind::Uninitialised { .. }) {
            self.uninitialised.entry((fault.place, self.served(fault.launch))).or_insert(n);
        }
        let number = self.number();
        self.show_fault(&fault);
        self.fault_index.insert(key, n);
        self.faults.push((number, fault));
    }

    /// Counts a use of uninitialised memory at a place where one is known already, which is cheaper than to
    /// describe it. False where none is.
    pub fn counted_uninitialised(&mut self, place: Place, launch: Option<LaunchRef>, count: u64) -> bool {
        if !self.is_chosen(launch) {
            return true;
        }
        match self.uninitialised.get(&(place, self.served(launch))) {
            Some(&n) => {
                self.faults[n].1.count += count;
                true
            }
            None => false,
        }
    }

    fn race_key(&self, note: &RaceNote) -> RaceKey {
        (note.sides.each_ref().map(|s| (s.place, s.op)), self.served(note.launch))
    }

    /// Notes a race.
    pub fn race(&mut self, mut note: RaceNote) {
        // Writes of one value leave that, in whichever order.
        self.races_seen += u64::from(!note.same_value);
        self.races_noted += 1;
        if let Some(free) = &self.free
            && note.sides.iter().any(|side| free.contains(&side.place))
        {
            self.contradiction.get_or_insert_with(|| Box::new(note.clone()));
        }
        if !self.is_chosen(note.launch) {
            return;
        }
        // One key for a pair of places, whichever way round.
        note.turn();
        let key = self.race_key(&note);
        match self.races.get_mut(&key) {
            Some((_, known)) => {
                let (told, launch) = ((known.mild, known.same_value), known.launch);
                known.merge(note);
                let shown = (told != (known.mild, known.same_value)).then(|| known.clone());
                if known.launch != launch {
                    self.keep_site();
                }
                if let Some(known) = shown {
                    self.show(|all| all.show_race(known));
                }
            }
            None if self.races_left.contains(&key) => {}
            // Whether it is a warning is known when all pairs are.
            None if !self.room.take(true) => {
                self.left += 1;
                self.races_left.insert(key);
            }
            None => {
                let number = self.number();
                self.show(|all| all.show_race(note.clone()));
                self.races.insert(key, (number, note));
            }
        }
    }

    /// Notes a race as another list has it.
    fn show_race(&mut self, note: RaceNote) {
        match self.races.get_mut(&self.race_key(&note)) {
            Some((_, known)) => *known = note,
            None => self.race(note),
        }
    }

    /// What a launch does may hang on the order in which its threads run.
    #[inline]
    pub fn unsteady(&mut self, launch: LaunchRef) {
        self.unsteady.insert(launch.number);
    }

    /// A read races with what would have written the memory: that it was never written is no news.
    pub fn excuse(&mut self, module: &Module, place: Place) {
        let at = loc_of(module, place);
        let of_place = |f: &Fault| {
            matches!(f.kind, FaultKind::Uninitialised { .. })
                && (f.place == place || at.is_some() && loc_of(module, f.place) == at)
        };
        self.faults.iter_mut().filter(|(_, f)| of_place(f)).for_each(|(_, f)| f.count = 0);
        self.show(|all| all.excuse(module, place));
    }

    /// Adds a finding that is complete (the oracle's).
    pub fn add(&mut self, finding: Finding) {
        if let Some((_, known)) = self.ready.iter_mut().find(|(_, f)| f.same_place(&finding)) {
            known.count += finding.count;
            return;
        }
        if !self.room.take(finding.severity == Severity::Error) {
            let at = finding.primary.as_ref().map(|s| (s.file.clone(), s.start));
            self.left += u64::from(self.ready_left.insert((finding.kind, at)));
            return;
        }
        let number = self.number();
        self.show(|all| {
            if !all.ready.iter().any(|(_, f)| f.same_place(&finding)) {
                all.add(finding.clone());
            }
        });
        self.ready.push((number, finding));
    }

    /// None, for a launch that begins: [`Findings::absorb`] takes over what it finds.
    pub fn for_launch(&self) -> Findings {
        Findings {
            served: Arc::clone(&self.served),
            current: self.current.clone(),
            choice: Arc::clone(&self.choice),
            room: self.room.fresh(),
            shaken: self.shaken,
            watch: self.watch.clone(),
            free: self.free.clone(),
            ..Findings::default()
        }
    }

    /// Takes over what another list holds, as if it had been noted here.
    pub fn absorb(&mut self, other: Findings) {
        enum Any {
            Ready(Finding),
            Fault(Fault),
            Race(RaceNote),
        }
        let Findings {
            ready,
            faults,
            traced: _,
            fault_index,
            races,
            unsteady,
            served,
            sites,
            races_left,
            ready_left,
            races_seen,
            races_noted,
            contradiction,
            // What follows from the others here.
            uninitialised: _,
            current: _,
            free: _,
            choice: _,
            room: _,
            left: _,
            shaken: _,
            dependent: _,
            seeds: _,
            seed: _,
            next: _,
            watch: _,
        } = other;
        if !Arc::ptr_eq(&self.served, &served) {
            Arc::make_mut(&mut self.served).extend(served.iter());
        }
        drop(served);
        self.sites.extend(sites);
        self.unsteady.extend(unsteady);
        self.contradiction = self.contradiction.take().or(contradiction);
        let ready = ready.into_iter().map(|(n, f)| (n, Any::Ready(f)));
        let faults = faults.into_iter().map(|(n, f)| (n, Any::Fault(f)));
        let races = races.into_values().map(|(n, r)| (n, Any::Race(r)));
        let mut all: Vec<(u64, Any)> = ready.chain(faults).chain(races).collect();
        all.sort_by_key(|&(n, _)| n);
        let (seen, noted) = (self.races_seen + races_seen, self.races_noted + races_noted);
        for (_, any) in all {
            match any {
                Any::Ready(finding) => self.add(finding),
                Any::Fault(fault) => self.absorb_fault(fault),
                Any::Race(race) => self.race(race),
            }
        }
        (self.races_seen, self.races_noted) = (seen, noted);
        for (key, _) in fault_index.into_iter().filter(|&(_, n)| n == usize::MAX) {
            if let Entry::Vacant(new) = self.fault_index.entry(key) {
                new.insert(usize::MAX);
                self.left += 1;
            }
        }
        for key in races_left {
            self.left += u64::from(!self.races.contains_key(&key) && self.races_left.insert(key));
        }
        for key in ready_left {
            self.left += u64::from(self.ready_left.insert(key));
        }
    }

    /// Takes over what a seed has shown, `faults` with which it went on among it, where it is new or worse.
    pub fn absorb_seeded(&mut self, other: Findings, faults: Vec<Fault>, seed: u64) {
        self.seed = Some(seed);
        let Findings { faults: more, races, .. } = other;
        for fault in more.into_iter().map(|(_, f)| f).chain(faults) {
            let known = matches!(fault.kind, FaultKind::Uninitialised { .. })
                && self.uninitialised.contains_key(&(fault.place, self.served(fault.launch)));
            if fault.count > 0 && !known && !self.fault_index.contains_key(&self.key(&fault)) {
                self.note(fault);
            }
        }
        let mut races: Vec<_> = races.into_values().collect();
        races.sort_by_key(|&(n, _)| n);
        for (_, race) in races {
            let key = self.race_key(&race);
            match self.races.get(&key) {
                // The same, of which this order shows the worse side.
                Some((_, known)) if known.mild && !race.mild => {
                    self.races.remove(&key);
                    self.race(race);
                }
                Some(_) => {}
                None => self.race(race),
            }
        }
        self.seed = None;
    }

    /// A use of uninitialised memory at a place where one is known counts there, whatever the object.
    fn absorb_fault(&mut self, fault: Fault) {
        if matches!(fault.kind, FaultKind::Uninitialised { .. })
            && let Some(&n) = self.uninitialised.get(&(fault.place, self.served(fault.launch)))
        {
            self.faults[n].1.count += fault.count;
            return;
        }
        self.note_any(fault);
    }

    /// How many different ones there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.ready.len() + self.faults.len() + self.races.len()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Everything that was found, in the order in which it was first met.
    pub fn finish(self, module: &Module) -> Vec<Finding> {
        let site = |number: Option<u64>| self.sites.get(&number?);
        let dims =
            |launch: Option<LaunchRef>| site(launch.map(|l| l.number)).map(|s| s.dims).unwrap_or_default();
        let mut all: Vec<(u64, Finding)> = self.ready;
        all.extend(
            self.faults
                .iter()
                .filter(|(_, f)| f.count > 0 && !is_of_library(module, f))
                .map(|(n, f)| (*n, fault_finding(module, f, dims(f.launch)))),
        );
        let races = self.races.into_iter().map(|((_, call), (number, note))| (number, call, note)).collect();
        all.extend(race::race_findings(module, races, dims));
        all.sort_by_key(|(number, _)| *number);
        let mut merged: Vec<Finding> = Vec::new();
        for (number, mut finding) in all {
            finding.schedule_dependent |= self.dependent.contains(&number);
            finding.seed = self.seeds.get(&number).copied();
            finding.schedule_dependent |= finding.seed.is_some();
            if let Some(&call) = finding.launch.and_then(|n| self.served.get(&n)) {
                lead_to_call(module, &mut finding, call);
            }
            if let Some(site) = site(finding.launch) {
                finding.dims = site.dims;
                let launched = site.spans(module, finding.kernel.as_deref());
                let known =
                    |s: &Span| finding.primary.iter().chain(&finding.related).any(|r| r.place() == s.place());
                // A race between launches names both itself.
                if launched.first().is_some_and(|first| !known(first)) {
                    finding.launched = launched;
                }
            }
            finding.merge_into(&mut merged);
        }
        for finding in &mut merged {
            finding.schedule_dependent |= finding.launch.is_some_and(|n| self.unsteady.contains(&n));
        }
        merged
    }
}

/// What a kernel of our own headers does is told at the call in the program that launched it; what the program's
/// functors do there, with that call.
fn lead_to_call(module: &Module, finding: &mut Finding, call: Loc) {
    let at = Span::new(&module.source, call, "called from here");
    let mut shown = false;
    for span in finding.primary.iter_mut().chain(&mut finding.related) {
        if span.file.starts_with(OWN_HEADERS) {
            let label = std::mem::take(&mut span.label);
            *span = Span { label, ..at.clone() };
        }
        shown |= span.place() == at.place();
    }
    if !shown {
        finding.related.insert(0, at);
    }
}

/// Whether a fault is one of the library alone: a value that it reads from a variable of its own that it has not set,
/// and then does without. No program can do anything about it.
fn is_of_library(module: &Module, fault: &Fault) -> bool {
    let inside = |place| loc_of(module, place).is_some_and(|l| module.source.outside_libraries(l).is_none());
    // A variable's declaration has no inlining chain of its own: only its file counts.
    let declared = |place| {
        loc_of(module, place).is_some_and(|l| module.source.files[module.source.locs[l].file].library)
    };
    matches!(fault.kind, FaultKind::Uninitialised { .. })
        && fault.object.as_ref().is_some_and(|o| o.kind == AllocKind::Local && declared(o.made))
        && (inside(fault.place) || declared(fault.place))
}

/// Whether a fault is of severity `error`.
fn is_error(fault: &Fault) -> bool {
    match &fault.kind {
        FaultKind::Other { severity, .. } => *severity == Severity::Error,
        _ => true,
    }
}

/// The source place of `place`, if it has one.
pub fn loc_of(module: &Module, place: Place) -> Option<Loc> {
    match place {
        Place::Unknown => None,
        Place::Loc(loc) => Some(loc),
        Place::Site(s) => {
            module.funcs.get(s.func).and_then(|f| f.sites.get(s.site)).and_then(|s| s.loc.expand())
        }
    }
}

/// The span of a place with its label, if it has one.
pub(crate) fn span_of(module: &Module, place: Place, label: impl Into<String>) -> Option<Span> {
    let loc = loc_of(module, place)?;
    module.source.locs.get(loc)?;
    Some(Span::new(&module.source, loc, label))
}

/// What a reader calls the kernel of a launch.
pub(crate) fn kernel_name(module: &Module, launch: LaunchRef) -> Option<String> {
    module.funcs.get(launch.kernel).map(|f| f.display_name.clone())
}
