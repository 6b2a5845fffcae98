//! Threads of the host: POSIX threads, one of which runs at a time.
//!
//! A thread runs until it waits, sleeps, gives way or ends; then the one that has been ready for longest goes on. One
//! that goes round a loop for long gives way too, in case it waits for a variable. So the order is the same in every
//! run, but for what hangs on the time. What is kept here is who is ready and who waits for what; `host/threads.rs` keeps
//! the frames of threads that do not run.
//!
//! A function that waits returns [`Stop::Switch`], having done nothing but noted what for. When that has happened it
//! is called again from the start, so it looks again at what it waited for.

use crate::machine::Machine;
use crate::parts::{HostProcess, HostRuntime};
use cudair_ir::Kind;
use cudair_lane::fault::{Fault, Place, Stop, Switch};
use cudair_lane::ptr::Ptr;
use cudair_race::streams::Clock;
use rustc_hash::FxHashMap;
use std::any::Any;
use std::collections::VecDeque;
use std::time::Duration;

/// The first thread's number; those created count on from it.
pub const MAIN: u64 = 1;
/// Looks at the limits (each after some thousand back edges) until a thread that does not wait gives way.
const SLICE: u32 = 16;
/// Looks at atomic variables, or at locks that are held, until a thread is taken to wait for them.
const SPINS: u32 = 200;
/// How often a thread may take a lock that others wait for.
const BARGES: u32 = 32;
/// How often the only thread may give way until it is taken to wait for the device.
const IDLE: u32 = 100;
/// Waiting threads that a report names beside the first.
const NAMED: usize = 6;

/// What a thread has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// It has not ended.
    Alive,
    /// It has ended with this result.
    Ended(u64),
}

/// What is waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum On {
    /// A lock, a condition, a word: whatever has an address.
    Address(Ptr),
    /// The end of a thread.
    End(u64),
    /// A time.
    Time,
}

/// Frames of one thread that go on together: the thread, or what a library function that it is in has called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Context(u64);

impl Context {
    /// The context of nobody.
    pub(crate) const NONE: Context = Context(0);
}

/// A context that could go on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ready {
    pub(crate) context: Context,
    pub(crate) thread: u64,
    /// The activation of the engine's loop that alone can go on with it; none for whole threads.
    activation: Option<u32>,
    /// Its thread's function and argument, where it has not begun.
    pub(crate) begins: Option<(Ptr, u64)>,
    /// What the function that waited is to know; none where none did.
    resumed: Option<Resumed>,
}

/// What a function that is called again has waited for.
#[derive(Clone, Copy, Debug)]
pub struct Resumed {
    /// The time was up before it happened.
    pub timed_out: bool,
    /// What the function noted when it began to wait.
    pub note: u64,
}

/// What a function waits for.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// What.
    pub on: On,
    /// Until when at most, as the time since the program started.
    pub deadline: Option<Duration>,
    /// What the function is told when it is called again.
    pub note: u64,
    /// What it waits for, in words, for reports.
    pub what: &'static str,
    /// Where it is called.
    pub place: Place,
}

impl Request {
    /// What is waited for, in words.
    fn object(&self) -> String {
        match self.on {
            On::End(MAIN) => "the end of the first thread".to_owned(),
            On::End(n) => format!("the end of thread {n}"),
            On::Address(_) | On::Time => self.what.to_owned(),
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Waiting {
    context: Context,
    thread: u64,
    activation: Option<u32>,
    request: Request,
}

/// What each thread has of its own of the libraries' state.
#[derive(Debug, Default)]
pub(crate) struct Own {
    /// Of the C library; none before the thread has begun.
    library: Option<Box<dyn Any>>,
    /// What `cudaGetLastError` gives.
    error: i32,
}

/// The threads of a run.
#[derive(Debug)]
pub struct Threads {
    /// By number, from the first one's on.
    states: Vec<State>,
    /// The one that runs.
    pub(crate) current: u64,
    contexts: u64,
    ready: VecDeque<Ready>,
    waiting: Vec<Waiting>,
    request: Option<Request>,
    resumed: Option<Resumed>,
    slice: u32,
    spins: u32,
    barges: u32,
    idle: u32,
    /// What happened on the device before threads that have not begun.
    behind: FxHashMap<u64, Clock>,
}

impl Default for Threads {
    fn default() -> Threads {
        Threads {
            states: vec![State::Alive],
            current: MAIN,
            contexts: 0,
            ready: VecDeque::new(),
            waiting: Vec::new(),
            request: None,
            resumed: None,
            slice: 0,
            spins: 0,
            barges: 0,
            idle: 0,
            behind: FxHashMap::default(),
        }
    }
}

impl Threads {
    /// The thread that runs, by its number.
    pub fn current(&self) -> u64 {
        self.current
    }

    /// What a thread has come to; none for a number that is no thread's.
    pub fn state(&self, number: u64) -> Option<State> {
        self.states.get(usize::try_from(number.checked_sub(MAIN)?).ok()?).copied()
    }

    fn next_context(&mut self) -> Context {
        self.contexts += 1;
        Context(self.contexts)
    }

    /// A new thread, ready to begin, behind what a clock of the device tells if there is one. Gives its number.
    pub fn create(&mut self, function: Ptr, argument: u64, behind: Option<Clock>) -> u64 {
        self.states.push(State::Alive);
        let thread = MAIN + self.states.len() as u64 - 1;
        let context = self.next_context();
        let begins = Some((function, argument));
        self.ready.push_back(Ready { context, thread, activation: None, begins, resumed: None });
        if let Some(clock) = behind {
            self.behind.insert(thread, clock);
        }
        thread
    }

    /// What the function that is called has waited for, if it is called again after it has waited. Gives it once.
    pub fn take_resumed(&mut self) -> Option<Resumed> {
        self.resumed.take()
    }

    /// The function that runs waits; it returns what this gives.
    pub fn wait(&mut self, request: Request) -> Stop {
        self.request = Some(request);
        Stop::Switch(Switch::Again)
    }

    /// Up to `most` of those who wait for an address become ready. How many.
    pub fn wake(&mut self, at: Ptr, most: usize) -> usize {
        self.wake_where(|on| on == On::Address(at), most)
    }

    fn wake_where(&mut self, is: impl Fn(On) -> bool, most: usize) -> usize {
        let mut woken = 0;
        while woken < most
            && let Some(n) = self.waiting.iter().position(|w| is(w.request.on))
        {
            let waiting = self.waiting.remove(n);
            self.make_ready(waiting, false);
            woken += 1;
        }
        woken
    }

    fn make_ready(&mut self, waiting: Waiting, timed_out: bool) {
        let Waiting { context, thread, activation, request } = waiting;
        let resumed = Some(Resumed { timed_out, note: request.note });
        self.ready.push_back(Ready { context, thread, activation, begins: None, resumed });
    }

    /// Whether the thread that runs has run for long enough, others being ready.
    pub(crate) fn is_due(&mut self) -> bool {
        self.slice += 1;
        self.slice > SLICE && !self.ready.is_empty()
    }

    /// An atomic variable was looked at, or a lock that is held: whether to let others run.
    pub fn spun(&mut self) -> bool {
        self.spins += 1;
        self.spins > SPINS && !(self.ready.is_empty() && self.waiting.is_empty())
    }

    /// As [`Threads::spun`], for a lock that is tried and not waited for.
    pub fn spun_trying(&mut self) -> bool {
        let spun = self.spun();
        if spun {
            self.spins = SPINS / 2;
        }
        spun
    }

    /// The thread that runs has given a lock back: whether to let others run, so that those who wait for it are not
    /// passed over again and again.
    pub fn barged(&mut self) -> bool {
        if self.ready.is_empty() {
            return false;
        }
        self.barges += 1;
        self.barges > BARGES
    }

    /// Whether another thread is ready, or will be at some time.
    pub fn can_give_way(&self) -> bool {
        !self.ready.is_empty() || self.waiting.iter().any(|w| w.request.deadline.is_some())
    }

    /// The only thread that can run gives way: whether it is taken to wait for the device.
    pub fn idles(&mut self) -> bool {
        self.idle += 1;
        let waits = self.idle >= IDLE;
        if waits {
            self.idle = 0;
        }
        waits
    }

    /// Whether no other thread is ready or waits.
    pub fn is_single(&self) -> bool {
        self.ready.is_empty() && self.waiting.is_empty()
    }

    /// The thread that runs, in its innermost activation of the engine's loop (none if the whole thread is in one),
    /// waits, or gives way to others.
    pub(crate) fn suspend(&mut self, activation: Option<u32>) -> Context {
        let context = self.next_context();
        let thread = self.current;
        match self.request.take() {
            Some(request) => self.waiting.push(Waiting { context, thread, activation, request }),
            None => {
                let resumed = None;
                self.ready.push_back(Ready { context, thread, activation, begins: None, resumed });
            }
        }
        context
    }

    /// Takes the context that is to go on next in an activation of the engine's loop.
    fn take_next(&mut self, activation: u32) -> Option<Ready> {
        let fits = |r: &Ready| r.activation.is_none_or(|a| a == activation);
        let n = self.ready.iter().position(fits)?;
        let next = self.ready.remove(n)?;
        (self.slice, self.spins, self.barges) = (0, 0, 0);
        Some(next)
    }

    /// Those whose time is up are ready.
    fn look_at_clock(&mut self, now: Duration) {
        loop {
            let due = |w: &&Waiting| w.request.deadline.is_some_and(|d| d <= now);
            let Some(first) = self.waiting.iter().filter(due).min_by_key(|w| w.request.deadline) else {
                return;
            };
            let context = first.context;
            let Some(n) = self.waiting.iter().position(|w| w.context == context) else { return };
            let waiting = self.waiting.remove(n);
            self.make_ready(waiting, true);
        }
    }

    /// The thread that runs has ended.
    pub(crate) fn ended(&mut self, result: u64) {
        let number = self.current;
        if let Some(state) = self.states.get_mut((number - MAIN) as usize) {
            *state = State::Ended(result);
        }
        self.wake_where(|on| on == On::End(number), usize::MAX);
    }

    /// Whether the first thread has ended by itself, and no other is left.
    pub(crate) fn all_ended(&self) -> bool {
        self.states.iter().all(|s| matches!(s, State::Ended(_)))
    }

    /// Whether a thread that was created has not ended.
    pub fn any_created_alive(&self) -> bool {
        self.states.iter().skip(1).any(|s| *s == State::Alive)
    }

    /// The program ends: what the functions wait for that led here is given up.
    pub fn leave_callers(&mut self) {
        self.waiting.retain(|w| w.activation.is_none());
        self.ready.retain(|r| r.activation.is_none());
    }

    /// The contexts that wait, with what for.
    pub(crate) fn waiting(&self) -> Vec<(Context, Place)> {
        self.waiting.iter().map(|w| (w.context, w.request.place)).collect()
    }

    /// That no thread can go on. `places` are where they wait in the user's files, in the order of
    /// [`Threads::waiting`].
    pub(crate) fn deadlock(&self, places: &[Place]) -> Stop {
        // Those that wait at one place for one thing are named together.
        let mut found: Vec<(Vec<u64>, Place, String)> = Vec::new();
        let mut waiting: Vec<(&Waiting, Place)> = self.waiting.iter().zip(places.iter().copied()).collect();
        waiting.sort_by_key(|(w, _)| w.thread);
        for &(w, place) in &waiting {
            let what = w.request.object();
            match found.iter_mut().find(|(_, p, o)| *p == place && *o == what) {
                Some((threads, ..)) => threads.push(w.thread),
                None => found.push((vec![w.thread], place, what)),
            }
        }
        let label = |(threads, _, what): &(Vec<u64>, Place, String)| match threads.as_slice() {
            [MAIN] => format!("the first thread waits here for {what}"),
            [n] => format!("thread {n} waits here for {what}"),
            [n, rest @ ..] => format!("thread {n} and {} more wait here for {what}", rest.len()),
            [] => String::new(),
        };
        let Some(first) = found.first() else {
            return Stop::internal("no thread of the host is ready, and none waits");
        };
        let message = match waiting.len() {
            1 => "the only thread that is left waits for something that can no longer happen".to_owned(),
            n => format!("all {n} threads of the host that are left wait: none can go on"),
        };
        let mut fault = Fault::other(Kind::Deadlock, first.1, message, label(first));
        for other in found.iter().skip(1).take(NAMED) {
            fault = fault.with_related(other.1, label(other));
        }
        fault.into()
    }
}

/// Takes the context to go on with in an activation of the engine's loop. Where none is ready, the device's work
/// goes on, or time passes; none where neither can be.
pub(crate) fn next(m: &mut Machine, activation: u32) -> Result<Option<Ready>, Stop> {
    loop {
        if m.threads.waiting.iter().any(|w| w.request.deadline.is_some()) {
            let now = m.elapsed();
            m.threads.look_at_clock(now);
        }
        let next = m.threads.take_next(activation);
        if next.is_some() {
            return Ok(next);
        }
        if m.device.advance_any(m)? {
            continue;
        }
        m.engine.worker.watch.check()?;
        let first = m.threads.waiting.iter().filter_map(|w| w.request.deadline).min();
        match first {
            Some(first) => {
                let now = m.elapsed();
                m.sleep(first.saturating_sub(now));
            }
            None if m.threads.ready.is_empty() => return Ok(None),
            None => {
                let what = "a thread that waits inside a callback of the library for a thread that is \
                            inside an outer callback";
                return Err(Stop::unsupported(format!("not supported: {what}")));
            }
        }
    }
}

/// A context goes on: its thread is the one that runs. Gives what the thread before has of its own.
pub(crate) fn resume(m: &mut Machine, next: &Ready, own: Own) -> Own {
    let before = Own {
        library: Some(m.host.exchange_thread(&mut HostProcess::of(m), own.library)),
        error: m.device.exchange_last_error(&mut HostRuntime::of(m), own.error),
    };
    m.threads.current = next.thread;
    m.threads.resumed = next.resumed;
    if next.begins.is_some()
        && let Some(clock) = m.threads.behind.remove(&next.thread)
    {
        m.device.waited(&mut HostRuntime::of(m), &clock);
    }
    before
}

/// The context that waited goes on without another having run in between.
pub(crate) fn go_on(m: &mut Machine, next: &Ready) {
    m.threads.resumed = next.resumed;
}
