//! What a debugger decides: who is in focus, where the program stands still, and how it goes back.
//!
//! What the engine asks are *events*, one for each piece of a line that anybody comes to, and one for each fault. They are
//! counted. The machine is deterministic and its outside is kept ([`Journal`]), so that the number of an event names a state
//! of the program: going back starts the program again and lets it run up to an event. Which one that is, a run before it
//! finds out, which looks for the last event of a kind before the one at which the program stood, as `rr` does.

use super::command::Breakpoint;
use super::points::{Point, Points};
use super::search::{Search, Want};
use super::values::InFrame;
use super::{Focus, Front, Mode, Scope, Why, expression};
use cudair_ir::{FileId, Finding, SourceType};
use cudair_vm::Journal;
use cudair_vm::debug::{Byte, DeviceThread, Here};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A breakpoint that is set.
#[derive(Debug)]
pub struct Set {
    /// Its number.
    pub number: u32,
    /// What the user asked for.
    pub asked: Breakpoint,
    /// The places that it stands for.
    pub points: Vec<u32>,
    /// How often the program stood still at it.
    pub hits: u64,
}

/// Memory that is watched.
#[derive(Debug)]
pub struct Watched {
    /// Its number, among those of breakpoints.
    pub number: u32,
    /// What the user wrote.
    pub text: String,
    /// Where it is.
    pub address: u64,
    /// How many bytes.
    pub bytes: u64,
    /// Their type, where they are one value.
    pub ty: Option<SourceType>,
    /// What they were.
    last: Option<Vec<Byte>>,
}

impl Watched {
    /// What they were and what they are, if they have changed.
    fn look(&mut self, here: &Here<'_>) -> Option<[Vec<Byte>; 2]> {
        let now = here.memory(self.address, self.bytes)?;
        let last = self.last.replace(now)?;
        let now = self.last.as_ref()?;
        (last != *now).then(|| [last, now.clone()])
    }
}

/// Where a line of a thread is: file, line, and how many calls deep.
pub type Stood = (FileId, u32, usize);

/// A run up to an event that was found before.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// Which.
    pub event: u64,
    /// What all events up to it come to, where that is known.
    pub trace: Option<u64>,
    /// Who is in focus there; nothing where whoever comes there is.
    pub focus: Option<Focus>,
    /// Why the program stands still there.
    pub why: Why,
}

/// What a run begins again with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Again {
    /// Nothing: it ends.
    Never,
    /// The launch that runs, which is taken back.
    Launch,
    /// The program.
    Program,
}

/// Where a run or a launch has begun, so that it can begin again there.
#[derive(Debug, Default)]
struct Mark {
    events: u64,
    trace: u64,
    noted: usize,
    told: Vec<Finding>,
    fault_event: u64,
    position: usize,
}

/// What a run is for.
#[derive(Debug)]
enum Travel {
    /// To go on from where the user is.
    None,
    /// To come to an event.
    To(Arrival),
    /// To find one.
    Search(Box<Search>),
}

/// What happens next when a run has ended.
#[derive(Clone, Debug)]
pub enum Next {
    /// The program has come to its end, and this is to be said of it.
    End(Why),
    /// Another run is to start.
    Again,
}

/// What a debugger knows of a program that it has under it.
pub struct Control {
    /// The places where it can stand still.
    pub points: Points,
    /// The breakpoints.
    pub breakpoints: Vec<Set>,
    numbers: u32,
    /// The memory that is watched.
    pub watched: Vec<Watched>,
    /// The event before: its number, what all come to, its place, and who came there.
    before: Option<(u64, u64, Option<u32>, Focus)>,
    /// Whether it stands still where something is found.
    pub catches: bool,
    /// How it goes on.
    pub mode: Mode,
    /// Who is in focus.
    pub focus: Focus,
    /// The frame that is looked at, from the innermost.
    pub frame: usize,
    stood: Option<Stood>,
    /// The event at which a thread of the device handed over to the host.
    handed: Option<(u64, DeviceThread)>,
    /// Events of this run, and what they come to.
    events: u64,
    trace: u64,
    /// The same where any run has come furthest.
    furthest: (u64, u64),
    travel: Travel,
    /// The program is ended here: by the user, or to start again.
    leaves: bool,
    again: Again,
    /// Of the launch that runs.
    mark: Option<Mark>,
    unevaluated: Option<String>,
    /// Findings of this run that the user knows of, and those of all runs.
    noted: usize,
    told: Vec<Finding>,
    known: Vec<Finding>,
    /// The line of a fault that the program stood still at: it becomes a finding.
    fault: Option<(String, u32)>,
    /// The event of the last fault. Each function that a library calls tells of a fault inside of it once more.
    fault_event: u64,
    /// Somebody wants something of a program that runs.
    attention: Arc<AtomicBool>,
    journal: Arc<Journal>,
}

impl std::fmt::Debug for Control {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut all = f.debug_struct("Control");
        all.field("mode", &self.mode).field("focus", &self.focus).field("travel", &self.travel);
        all.finish_non_exhaustive()
    }
}

impl Control {
    /// Over the places of a program, before it starts. `attention` is set by whoever wants something of the program while it
    /// runs.
    pub fn new(points: Points, attention: Arc<AtomicBool>, journal: Arc<Journal>) -> Control {
        Control {
            points,
            breakpoints: Vec::new(),
            numbers: 0,
            watched: Vec::new(),
            before: None,
            catches: true,
            mode: Mode::Run,
            focus: Focus::Host(FIRST_THREAD),
            frame: 0,
            stood: None,
            handed: None,
            events: 0,
            trace: 0,
            furthest: (0, 0),
            travel: Travel::None,
            leaves: false,
            again: Again::Never,
            mark: None,
            unevaluated: None,
            noted: 0,
            told: Vec::new(),
            known: Vec::new(),
            fault: None,
            fault_event: 0,
            attention,
            journal,
        }
    }

    /// Whether the program is being ended, so that nothing that it still does counts.
    pub fn leaves(&self) -> bool {
        self.leaves
    }

    /// Ends the program.
    pub fn quit(&mut self) {
        self.leaves = true;
        self.journal.leave();
    }

    /// Ends this run and starts the program again.
    pub fn restart(&mut self) {
        self.travel = Travel::None;
        self.mode = Mode::Run;
        self.leave();
    }

    /// Goes back to the last event before this one that is wanted. To a place, also from one before it: to the last time that
    /// any run came there.
    pub fn back(&mut self, mut want: Want) {
        // Back from where a thread has left its kernel is back in there.
        if let (Want::Line { focus: focus @ Focus::Host(_), depth, .. }, Some((event, thread))) =
            (&mut want, self.handed)
            && event == self.events
        {
            (*focus, *depth) = (Focus::Device(thread), None);
        }
        let here = (self.events, self.trace);
        let until = if matches!(want, Want::Place { .. }) { self.furthest } else { here };
        let near = self.mark.is_some() && until == here;
        let mut search = Search::new(want, until, here);
        search.is_near = near;
        self.travel = Travel::Search(Box::new(search));
        if near { self.leave_launch() } else { self.leave() }
    }

    /// The launch that runs is to begin again, which is sooner done than the program.
    fn leave_launch(&mut self) {
        (self.leaves, self.again) = (true, Again::Launch);
    }

    /// A launch begins.
    pub fn launch_begins(&mut self) {
        self.mark = Some(Mark {
            events: self.events,
            trace: self.trace,
            noted: self.noted,
            told: self.told.clone(),
            fault_event: self.fault_event,
            position: self.journal.position(),
        });
    }

    /// A launch has ended. Gives whether it is to begin again, if it `may`; else, where it had to, the program does.
    pub fn launch_ends(&mut self, may: bool) -> bool {
        let mark = self.mark.take();
        if self.again != Again::Launch {
            return false;
        }
        let Some(mark) = mark.filter(|_| may) else {
            if let Travel::Search(search) = &self.travel {
                self.travel = Travel::Search(Box::new(search.anew()));
            }
            self.leave();
            return false;
        };
        self.begin_at(&mark);
        self.journal.seek(mark.position);
        self.mark = Some(mark);
        true
    }

    /// What is known of this run is what was known when it, or the launch, began.
    fn begin_at(&mut self, mark: &Mark) {
        (self.leaves, self.again) = (false, Again::Never);
        (self.events, self.trace, self.noted) = (mark.events, mark.trace, mark.noted);
        (self.fault_event, self.fault, self.stood) = (mark.fault_event, None, None);
        self.told.clone_from(&mark.told);
        // What is watched is looked at anew.
        self.before = None;
        self.watched.iter_mut().for_each(|w| w.last = None);
    }

    fn leave(&mut self) {
        (self.leaves, self.again) = (true, Again::Program);
        self.journal.leave();
    }

    /// A run has ended: whether another is to start.
    pub fn over(&mut self) -> Next {
        let mut why = Why::End;
        if !self.leaves {
            match std::mem::replace(&mut self.travel, Travel::None) {
                Travel::None => {}
                // What was looked for stands at the end, which is no event, or is not there.
                Travel::To(to) => why = if to.event > self.events { to.why } else { Why::Differs },
                Travel::Search(search) => {
                    self.travel = Travel::To(search.found());
                    self.leave();
                }
            }
        }
        if self.again == Again::Never {
            // All events are before the end.
            self.events += 1;
            self.come((self.events, self.trace));
            return Next::End(why);
        }
        self.begin_at(&Mark::default());
        (self.mark, self.focus) = (None, Focus::Host(FIRST_THREAD));
        self.journal.rewind();
        Next::Again
    }

    /// Goes on until the function that is `depth` calls deep has returned.
    ///
    /// # Errors
    /// It is the outermost one.
    pub fn finish(&mut self, depth: usize, on_host: bool) -> Result<(), String> {
        match (depth, on_host) {
            (0 | 1, true) => Err("this is the outermost function: `continue` goes on".to_owned()),
            (0 | 1, false) => Err("this is the kernel itself: `continue` goes on".to_owned()),
            _ => {
                self.mode = Mode::Finish { depth };
                Ok(())
            }
        }
    }

    /// Whether the program has started.
    pub fn has_started(&self) -> bool {
        self.events > 0
    }

    /// Whether this run is one of those that go back, of which the user sees nothing.
    pub fn travels(&self) -> bool {
        !matches!(self.travel, Travel::None)
    }

    /// The thread in focus, if it is one of the device.
    pub fn thread(&self) -> Option<DeviceThread> {
        match self.focus {
            Focus::Host(_) => None,
            Focus::Device(t) => Some(t),
        }
    }

    /// The user was told of these findings of this run.
    pub fn learn(&mut self, findings: Vec<Finding>) {
        for f in &findings {
            match self.known.iter_mut().find(|known| known.same_place(f)) {
                Some(known) => known.clone_from(f),
                None => self.known.push(f.clone()),
            }
        }
        self.told = findings;
    }

    /// What was found in any of the runs.
    pub fn found(&self) -> &[Finding] {
        &self.known
    }

    /// Watches memory from now on.
    ///
    /// # Errors
    /// There is none.
    pub fn watch(&mut self, here: &Here<'_>, text: &str, bytes: Option<u64>) -> Result<u32, String> {
        let scope = InFrame { here, frame: self.frame, thread: self.thread() };
        let value = expression::evaluate(text, &scope)?;
        let to = match (&value.ty, bytes) {
            (SourceType::Pointer(to), None) => Some((**to).clone()),
            _ => None,
        };
        let size = to.as_ref().and_then(|ty| ty.size(here.types()));
        let bytes = bytes.or(size).ok_or("how many bytes? `watch POINTER, BYTES`")?;
        let address = expression::address(text, &scope)?;
        let last =
            here.memory(address, bytes).ok_or_else(|| format!("there are no {bytes} bytes of memory"))?;
        self.numbers += 1;
        let (number, text) = (self.numbers, text.to_owned());
        self.watched.push(Watched { number, text, address, bytes, ty: to, last: Some(last) });
        Ok(number)
    }

    fn come(&mut self, to: (u64, u64)) {
        if to.0 > self.furthest.0 {
            self.furthest = to;
        }
    }

    /// Looks at another thread, in its innermost frame.
    pub fn look_at(&mut self, focus: Focus) {
        (self.focus, self.frame) = (focus, 0);
    }

    /// Sets a breakpoint, the last one of the list. Gives its number.
    ///
    /// # Errors
    /// There is no such place.
    pub fn set(&mut self, here: Option<&Here<'_>>, asked: Breakpoint) -> Result<u32, String> {
        let current = here.and_then(|h| self.points.at(h.point?)).map(|p| p.file);
        let points = self.points.find(&asked.at, current)?;
        self.numbers += 1;
        self.breakpoints.push(Set { number: self.numbers, asked, points, hits: 0 });
        Ok(self.numbers)
    }

    /// Whether the program is to stand still here, where `fault` has happened or somebody has come to a place, and why.
    fn event(
        &mut self,
        here: &Here<'_>,
        point: Option<&Point>,
        fault: Option<(&str, Option<DeviceThread>)>,
    ) -> Option<Why> {
        self.events += 1;
        self.trace =
            (self.trace ^ u64::from(here.point.unwrap_or(u32::MAX))).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.come((self.events, self.trace));
        let before = self.before.replace((self.events, self.trace, here.point, first(here)));
        let changed = self.watched.iter_mut().find_map(|w| Some((w.number, w.ty.clone(), w.look(here)?)));
        let noted = here.noted();
        let is_told = self.fault_event + 1 == self.events;
        if fault.is_some() {
            self.fault_event = self.events;
        }
        let fault = fault.filter(|_| !is_told);
        let fresh = noted > self.noted;
        self.noted = noted;
        match &mut self.travel {
            Travel::To(to) if self.events < to.event => return None,
            Travel::To(to) => {
                let Arrival { trace, focus, why, .. } = to.clone();
                self.travel = Travel::None;
                self.focus = focus.unwrap_or_else(|| first(here));
                self.stood = point.map(|p| (p.file, p.line, here.depth()));
                self.learn(here.found());
                self.frame = 0;
                if fault.is_some() {
                    self.fault = self.line(here);
                }
                let same = trace.is_none_or(|trace| trace == self.trace) && !self.journal.differs();
                return Some(if same { why } else { Why::Differs });
            }
            Travel::Search(search) => {
                let (goes_on, wants_stops) = (self.events < search.until, search.wants_stops());
                let stop = if goes_on && wants_stops { self.would_stop(here, fault, fresh) } else { None };
                let Travel::Search(search) = &mut self.travel else { return None };
                if goes_on {
                    search.look(here, point, (self.events, self.trace), stop);
                }
                // What changes memory is at the place before.
                if let (Some((number, ..)), Some((event, trace, _, focus))) = (&changed, before) {
                    search.changed((event, trace), focus, *number);
                }
                if !goes_on {
                    self.end_search();
                }
                return None;
            }
            Travel::None => {}
        }
        if let Some((why, thread)) = fault {
            self.look_at(thread.map_or_else(|| first(here), Focus::Device));
            self.fault = self.line(here);
            self.stood = None;
            return Some(Why::Fault(why.to_owned()));
        }
        let new = if fresh { self.news(here) } else { Vec::new() };
        let why = match self.hit(here) {
            Some(number) => Some(Why::Breakpoint(number)),
            None if !new.is_empty() => {
                let by = new.first().and_then(|f| by(here, f));
                self.look_at(by.map_or_else(|| first(here), Focus::Device));
                Some(Why::Findings(new))
            }
            None => match changed {
                Some((number, ty, values)) => {
                    self.look_at(first(here));
                    let values = values.map(|bytes| here.show(ty.as_ref(), &bytes, "  "));
                    let by = before.and_then(|(.., point, focus)| Some((focus, point?)));
                    Some(Why::Changed { number, values: Some(values), by })
                }
                None => point.filter(|p| self.stops(here, p)).map(|_| Why::Step),
            },
        };
        if why.is_some() {
            self.frame = 0;
            self.stood = point.map(|p| (p.file, p.line, here.depth()));
        }
        why
    }

    /// A search has come to where it ends: what was found is gone to, or it begins again further back.
    fn end_search(&mut self) {
        let Travel::Search(search) = &self.travel else { return };
        let same = search.trace == self.trace && !self.journal.differs();
        let found = search.found();
        match (search.is_near, search.is_found(), same) {
            (true, true, true) => {
                self.travel = Travel::To(found);
                self.leave_launch();
            }
            // A launch that began again has not seen what was before it.
            (true, ..) => {
                self.travel = Travel::Search(Box::new(search.anew()));
                self.leave();
            }
            (false, _, same) => {
                self.travel = Travel::To(if same { found } else { Arrival { why: Why::Differs, ..found } });
                self.leave();
            }
        }
    }

    /// What was found since the user was told, but for the fault that the program stood still at.
    fn news(&mut self, here: &Here<'_>) -> Vec<Finding> {
        let all = here.found();
        let mut new: Vec<Finding> =
            all.iter().filter(|f| !self.told.iter().any(|told| told.same_place(f))).cloned().collect();
        self.learn(all);
        if let Some((file, line)) = self.fault.take() {
            let is = |f: &Finding| f.primary.as_ref().is_some_and(|s| s.file == file && s.start.line == line);
            if let Some(n) = new.iter().position(is) {
                new.remove(n);
            }
        }
        if self.catches { new } else { Vec::new() }
    }

    /// The file and line of an event.
    fn line(&self, here: &Here<'_>) -> Option<(String, u32)> {
        let (file, line) = here.frames().first().and_then(|f| f.at).map(|loc| here.line(loc))?;
        Some((self.points.path(file).to_owned(), line))
    }

    /// Who would be in focus at an event of a run that goes back, and why, if a run that goes forward stood still there.
    fn would_stop(
        &mut self,
        here: &Here<'_>,
        fault: Option<(&str, Option<DeviceThread>)>,
        fresh: bool,
    ) -> Option<(Focus, Why)> {
        if let Some((why, thread)) = fault {
            self.fault = self.line(here);
            return Some((thread.map_or_else(|| first(here), Focus::Device), Why::Fault(why.to_owned())));
        }
        let new = if fresh { self.news(here) } else { Vec::new() };
        if let Some((number, focus)) = self.breakpoints.iter().find_map(|set| hit(set, here)) {
            return Some((focus.unwrap_or_else(|| first(here)), Why::Breakpoint(number)));
        }
        (!new.is_empty()).then(|| (first(here), Why::Findings(new)))
    }

    /// Why the condition of a breakpoint that the program stands still at cannot be evaluated, where it cannot.
    pub fn unevaluated(&self) -> Option<&str> {
        self.unevaluated.as_deref()
    }

    /// The breakpoint that stands here.
    fn hit(&mut self, here: &Here<'_>) -> Option<u32> {
        let (number, focus) = self.breakpoints.iter().find_map(|set| hit(set, here))?;
        self.look_at(focus.unwrap_or_else(|| first(here)));
        self.unevaluated = self.breakpoints.iter().find(|s| s.number == number).and_then(|set| {
            let condition = set.asked.condition.as_ref()?;
            let scope = InFrame { here, frame: 0, thread: self.thread() };
            let why = expression::holds(condition, &scope).err()?;
            Some(format!("the condition `{condition}` cannot be evaluated: {why}"))
        });
        if let Some(n) = self.breakpoints.iter().position(|s| s.number == number) {
            self.breakpoints[n].hits += 1;
            if self.breakpoints[n].asked.temporary {
                self.breakpoints.remove(n);
            }
        }
        Some(number)
    }

    /// Whether a step ends here.
    fn stops(&mut self, here: &Here<'_>, point: &Point) -> bool {
        if point.entry {
            return false;
        }
        let scope = match self.mode {
            Mode::Step { scope, .. } => scope,
            Mode::Run | Mode::Finish { .. } => Scope::Thread,
        };
        let own = owns(self.focus, scope, here);
        // A thread of the device that has left its kernel hands over to the host.
        let left = matches!(self.focus, Focus::Device(_)) && here.on_host();
        let Some(who) = own.or_else(|| left.then(|| first(here))) else { return false };
        let at = (point.file, point.line, here.depth());
        let stops = match &mut self.mode {
            Mode::Run => false,
            _ if left => true,
            Mode::Step { depth: Some(depth), .. } if here.depth() > *depth => false,
            // Pieces of one line are one step.
            Mode::Step { .. } if self.stood == Some(at) => false,
            Mode::Step { left, .. } => {
                self.stood = Some(at);
                *left -= 1;
                *left == 0
            }
            Mode::Finish { depth } => here.depth() < *depth,
        };
        if stops {
            if let (true, Focus::Device(thread)) = (left, self.focus) {
                self.handed = Some((self.events, thread));
            }
            self.focus = who;
        }
        stops
    }

    /// Threads have come to a place. Gives whether the run goes on.
    pub fn reached(&mut self, here: &Here<'_>, front: &mut dyn Front) -> bool {
        let Some(point) = here.point.and_then(|p| self.points.at(p)).cloned() else { return true };
        // Launches that wait still run while the program ends.
        if self.leaves {
            return false;
        }
        let mut why = self.event(here, Some(&point), None);
        if why.is_none() && !self.travels() && self.attention.swap(false, Relaxed) && front.attend(self, here)
        {
            self.look_at(first(here));
            self.stood = Some((point.file, point.line, here.depth()));
            why = Some(Why::Pause);
        }
        self.stand(here, why, front)
    }

    /// Something ends a launch or the run. Gives whether the run goes on.
    pub fn stopped(
        &mut self,
        here: &Here<'_>,
        (why, thread): (&str, Option<DeviceThread>),
        front: &mut dyn Front,
    ) -> bool {
        if self.leaves {
            return false;
        }
        let why = self.event(here, None, Some((why, thread)));
        self.stand(here, why, front)
    }

    fn stand(&mut self, here: &Here<'_>, why: Option<Why>, front: &mut dyn Front) -> bool {
        if let Some(why) = why {
            front.stands(self, Some(here), &why);
        }
        !self.leaves
    }
}

/// The thread of the host that `main` runs in.
const FIRST_THREAD: u64 = 1;
/// Lanes of a warp.
const WARP: u32 = 32;

/// The first of those who have come to a place.
pub fn first(here: &Here<'_>) -> Focus {
    match here.first_thread() {
        Some(thread) => Focus::Device(thread),
        None => Focus::Host(here.host_thread().unwrap_or(FIRST_THREAD)),
    }
}

/// Who of those in focus has come here, and of their warp or block if that is meant.
pub fn owns(focus: Focus, scope: Scope, here: &Here<'_>) -> Option<Focus> {
    let t = match focus {
        Focus::Host(thread) => return (here.host_thread() == Some(thread)).then_some(focus),
        Focus::Device(t) => t,
    };
    if here.has(t) {
        return Some(focus);
    }
    let near = |o: &DeviceThread| {
        o.launch == t.launch
            && o.block == t.block
            && (scope == Scope::Block || o.thread / WARP == t.thread / WARP)
    };
    match scope {
        Scope::Thread => None,
        Scope::Warp | Scope::Block => here.threads().into_iter().find(near).map(Focus::Device),
    }
}

/// Whether a breakpoint stands here: its number, and who it is for.
fn hit(set: &Set, here: &Here<'_>) -> Option<(u32, Option<Focus>)> {
    if !here.point.is_some_and(|p| set.points.contains(&p)) {
        return None;
    }
    let holds = |thread: Option<DeviceThread>| match &set.asked.condition {
        None => true,
        // What cannot be evaluated is shown to the user.
        Some(condition) => expression::holds(condition, &InFrame { here, frame: 0, thread }).unwrap_or(true),
    };
    if here.on_host() {
        let any = set.asked.thread.is_none() && set.asked.block.is_none();
        return (any && holds(None)).then_some((set.number, None));
    }
    let chosen = |t: &DeviceThread| {
        set.asked.thread.is_none_or(|n| t.thread == n) && set.asked.block.is_none_or(|b| t.block == b)
    };
    let thread = here.threads().into_iter().filter(chosen).find(|t| holds(Some(*t)))?;
    Some((set.number, Some(Focus::Device(thread))))
}

/// The thread of a finding, if it is here.
fn by(here: &Here<'_>, finding: &Finding) -> Option<DeviceThread> {
    let is = |t: &DeviceThread| {
        finding.launch == Some(t.launch) && here.coord(*t).is_some_and(|at| finding.threads.contains(&at))
    };
    here.threads().into_iter().find(is)
}
