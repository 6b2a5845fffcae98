//! `cudair debug`: a program that stands still where its user wants it to.
//!
//! The engine asks at each piece of a line, on both sides ([`Debugger`]). The thread of the host, or a thread of the device, is
//! *in focus*: steps are its steps, and values are as it has them. Threads of the device that come to a place together stand
//! there together.

mod command;
mod expression;
mod points;

use command::{Breakpoint, Command, Info};
use cudair_ir::{FileId, Module, NamedTypes, SourceType};
use cudair_passes::transform::count::Counted;
use cudair_vm::debug::{Byte, Debugger, DeviceThread, Here, Named, Order};
use expression::{Scope, Value};
use points::{Point, Points};
use std::fmt::Write as _;
use std::io::{BufRead, Write as _};
use std::sync::{Mutex, PoisonError};

/// Lines that `list` shows before and after one.
const AROUND: u32 = 5;
/// Values of `print all` that are told apart.
const MOST_VALUES: usize = 16;

/// Whose steps and values are meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Focus {
    Host,
    Device(DeviceThread),
}

/// How the program goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// To the next breakpoint.
    Run,
    /// So many lines further; with a depth, only those that are not deeper.
    Step { left: u32, depth: Option<usize> },
    /// To the first line outside of so many calls.
    Finish { depth: usize },
}

/// A breakpoint that is set.
#[derive(Debug)]
struct Set {
    number: u32,
    asked: Breakpoint,
    /// The places that it stands for.
    points: Vec<u32>,
    hits: u64,
}

/// Where commands come from.
pub type Commands = Box<dyn BufRead + Send>;

struct State {
    commands: Commands,
    /// They are echoed, as nobody has typed them here.
    echoes: bool,
    breakpoints: Vec<Set>,
    numbers: u32,
    mode: Mode,
    focus: Focus,
    /// The frame that is looked at, from the innermost.
    frame: usize,
    /// The line that `list` goes on behind.
    listed: Option<u32>,
    /// What an empty line repeats.
    last: Command,
    /// Where it stood last: file, line, and how many calls deep.
    stood: Option<(FileId, u32, usize)>,
    /// The user has ended the program.
    ended: bool,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State").field("mode", &self.mode).field("focus", &self.focus).finish_non_exhaustive()
    }
}

/// A program under the debugger.
#[derive(Debug)]
pub struct Session {
    points: Points,
    state: Mutex<State>,
}

impl Session {
    /// A session over the places of a module, with commands from somewhere; `echoes` if they are to be shown.
    pub fn new(module: &Module, counted: &[Counted], commands: Commands, echoes: bool) -> Session {
        let state = State {
            commands,
            echoes,
            breakpoints: Vec::new(),
            numbers: 0,
            mode: Mode::Run,
            focus: Focus::Host,
            frame: 0,
            listed: None,
            last: Command::Empty,
            stood: None,
            ended: false,
        };
        Session { points: Points::new(module, counted), state: Mutex::new(state) }
    }

    /// Takes commands before the program starts, until one starts it. Gives whether it is to start.
    pub fn begin(&self) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        self.talk(&mut state, None) == Order::Go
    }

    /// Whether the user has ended the program.
    pub fn has_ended(&self) -> bool {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).ended
    }

    /// Whether the program is to stand still here.
    fn stops(state: &mut State, here: &Here<'_>, point: &Point) -> bool {
        let hit = state.breakpoints.iter_mut().find_map(|set| Self::hit(set, here));
        if let Some((number, thread)) = hit {
            state.focus = thread.map_or(Focus::Host, Focus::Device);
            say(&format!("\nBreakpoint {number}, "));
            if state.breakpoints.iter().any(|s| s.number == number && s.asked.temporary) {
                state.breakpoints.retain(|s| s.number != number);
            }
            return true;
        }
        if point.entry {
            return false;
        }
        let own = match state.focus {
            Focus::Host => here.on_host(),
            Focus::Device(t) => here.has(t),
        };
        // A thread of the device that has left its kernel hands over to the host.
        let left = matches!(state.focus, Focus::Device(_)) && here.on_host();
        if !own && !left {
            return false;
        }
        let stops = match &mut state.mode {
            Mode::Run => false,
            _ if left => true,
            Mode::Step { depth: Some(depth), .. } if here.depth() > *depth => false,
            // Pieces of one line are one step.
            Mode::Step { .. } if state.stood == Some((point.file, point.line, here.depth())) => false,
            Mode::Step { left, .. } => {
                state.stood = Some((point.file, point.line, here.depth()));
                *left -= 1;
                *left == 0
            }
            Mode::Finish { depth } => here.depth() < *depth,
        };
        if stops && left {
            state.focus = Focus::Host;
        }
        stops
    }

    /// Whether a breakpoint stands here, and the thread of the device that it is for.
    fn hit(set: &mut Set, here: &Here<'_>) -> Option<(u32, Option<DeviceThread>)> {
        if !here.point.is_some_and(|p| set.points.contains(&p)) {
            return None;
        }
        let threads = here.threads();
        let chosen = |t: &&DeviceThread| set.asked.thread.is_none_or(|n| t.thread == n);
        let holds = |thread: Option<DeviceThread>| match &set.asked.condition {
            None => true,
            Some(condition) => expression::holds(condition, &InFrame { here, frame: 0, thread })
                .unwrap_or_else(|error| {
                    say(&format!("breakpoint {}: {error}\n", set.number));
                    true
                }),
        };
        let thread = if here.on_host() {
            (set.asked.thread.is_none() && holds(None)).then_some(None)
        } else {
            threads.iter().filter(chosen).find(|t| holds(Some(**t))).map(|t| Some(*t))
        }?;
        set.hits += 1;
        Some((set.number, thread))
    }

    /// Takes commands until one lets the program go on. `here` is nothing before it starts.
    fn talk(&self, state: &mut State, here: Option<&Here<'_>>) -> Order {
        loop {
            say("(cudair) ");
            let mut line = String::new();
            match state.commands.read_line(&mut line) {
                Ok(0) | Err(_) => {
                    say("\n");
                    state.ended = true;
                    return Order::End;
                }
                Ok(_) if state.echoes => say(&line),
                Ok(_) => {}
            }
            let command = match command::parse(&line) {
                Ok(Command::Empty) => state.last.clone(),
                Ok(command) => command,
                Err(error) => {
                    say(&format!("{error}\n"));
                    continue;
                }
            };
            state.last = match &command {
                Command::Step(_) | Command::Next(_) | Command::Continue | Command::List(_) => command.clone(),
                _ => Command::Empty,
            };
            match self.execute(state, here, command) {
                Ok(Some(order)) => return order,
                Ok(None) => {}
                Err(error) => say(&format!("{error}\n")),
            }
        }
    }

    /// Executes a command; gives how the program goes on, if it does.
    fn execute(
        &self,
        state: &mut State,
        here: Option<&Here<'_>>,
        command: Command,
    ) -> Result<Option<Order>, String> {
        let depth = here.map_or(0, Here::depth);
        match command {
            Command::Empty => {}
            Command::Quit => {
                state.ended = true;
                return Ok(Some(Order::End));
            }
            Command::Help => say(command::HELP),
            Command::Break(asked) => self.set(state, here, asked)?,
            Command::Delete(None) => state.breakpoints.clear(),
            Command::Delete(Some(n)) => {
                let before = state.breakpoints.len();
                state.breakpoints.retain(|b| b.number != n);
                if state.breakpoints.len() == before {
                    return Err(format!("there is no breakpoint {n}"));
                }
            }
            Command::Continue => {
                state.mode = Mode::Run;
                return Ok(Some(Order::Go));
            }
            Command::Step(0) | Command::Next(0) => {}
            Command::Step(left) => {
                state.mode = Mode::Step { left, depth: None };
                return Ok(Some(Order::Go));
            }
            Command::Next(left) => {
                state.mode = Mode::Step { left, depth: here.map(|_| depth) };
                return Ok(Some(Order::Go));
            }
            Command::List(line) => self.list(state, here, line)?,
            Command::Info(Info::Breakpoints) => self.breakpoints(state),
            command => {
                let here = here.ok_or("the program does not run yet: `run` starts it")?;
                match command {
                    Command::Finish if depth <= 1 => {
                        return Err("this is the outermost function: `continue` goes on".to_owned());
                    }
                    Command::Finish => {
                        state.mode = Mode::Finish { depth };
                        return Ok(Some(Order::Go));
                    }
                    Command::Print(text) => {
                        let scope = InFrame { here, frame: state.frame, thread: state.thread() };
                        let value = expression::evaluate(&text, &scope)?;
                        say(&format!("{text} ={}\n", shown(here, &value)));
                    }
                    Command::PrintAll(text) => print_all(here, state.frame, &text)?,
                    Command::Backtrace => backtrace(here, state.frame),
                    Command::Frame(n) => Self::look(state, here, n as i64)?,
                    Command::Move(by) => Self::look(state, here, state.frame as i64 + by)?,
                    Command::Thread(None) => say(&format!("{}\n", who(here, state))),
                    Command::Thread(Some(n)) => {
                        let threads = here.threads();
                        let Some(&t) = threads.iter().find(|t| t.thread == n) else {
                            return Err(format!(
                                "thread {n} is not here; `break LINE thread {n}` stops where it comes"
                            ));
                        };
                        state.focus = Focus::Device(t);
                        state.frame = 0;
                        say(&format!("{}\n", who(here, state)));
                    }
                    Command::Info(Info::Threads) => threads(here),
                    Command::Info(Info::Shared) => {
                        for v in here.shared() {
                            show(here, &v, "");
                        }
                    }
                    Command::Info(_) => {
                        let thread = state.thread().map_or(0, |t| t.thread);
                        for v in here.variables(state.frame, thread).iter().filter(|v| v.bytes.is_some()) {
                            show(here, v, "");
                        }
                    }
                    _ => {}
                }
            }
        }
        Ok(None)
    }

    fn set(&self, state: &mut State, here: Option<&Here<'_>>, asked: Breakpoint) -> Result<(), String> {
        let current = here.and_then(|h| self.points.at(h.point?)).map(|p| p.file);
        let points = self.points.find(&asked.at, current)?;
        state.numbers += 1;
        let number = state.numbers;
        let place = points.first().and_then(|&p| self.points.at(p)).map(|p| self.points.place(p));
        let more = if points.len() > 1 { format!(" ({} places)", points.len()) } else { String::new() };
        say(&format!("Breakpoint {number} at {}{more}\n", place.unwrap_or_default()));
        state.breakpoints.push(Set { number, asked, points, hits: 0 });
        Ok(())
    }

    fn breakpoints(&self, state: &State) {
        if state.breakpoints.is_empty() {
            say("no breakpoints\n");
        }
        for b in &state.breakpoints {
            let place = b.points.first().and_then(|&p| self.points.at(p)).map(|p| self.points.place(p));
            let mut line = format!("{}  {}", b.number, place.unwrap_or_default());
            if let Some(n) = b.asked.thread {
                let _ = write!(line, " thread {n}");
            }
            if let Some(condition) = &b.asked.condition {
                let _ = write!(line, " if {condition}");
            }
            say(&format!(
                "{line}, hit {}\n",
                if b.hits == 1 { "once".to_owned() } else { format!("{} times", b.hits) }
            ));
        }
    }

    /// Shows the source around a line, or behind what was shown last.
    fn list(&self, state: &mut State, here: Option<&Here<'_>>, line: Option<u32>) -> Result<(), String> {
        let point = here.and_then(|h| self.points.at(h.point?)).or_else(|| self.points.main());
        let point = point.ok_or("there is no source")?;
        let from = match (line, state.listed) {
            (Some(line), _) => line.saturating_sub(AROUND).max(1),
            (None, Some(last)) => last + 1,
            (None, None) => point.line.saturating_sub(AROUND).max(1),
        };
        let to = from + 2 * AROUND;
        let mut any = false;
        for n in from..=to {
            if let Some(text) = self.points.text(point.file, n) {
                say(&format!("{n}\t{text}\n"));
                state.listed = Some(n);
                any = true;
            }
        }
        if any { Ok(()) } else { Err(format!("there is no line {from}")) }
    }

    /// Looks at a frame.
    fn look(state: &mut State, here: &Here<'_>, frame: i64) -> Result<(), String> {
        let frames = here.frames();
        let n = usize::try_from(frame).ok().filter(|&n| n < frames.len());
        let Some(n) = n else {
            return Err(if frame < 0 {
                "this is the innermost frame"
            } else {
                "this is the outermost frame"
            }
            .to_owned());
        };
        state.frame = n;
        say(&format!("#{n}  {} at {}\n", frames[n].function, here.place(frames[n].at)));
        Ok(())
    }
}

impl State {
    fn thread(&self) -> Option<DeviceThread> {
        match self.focus {
            Focus::Host => None,
            Focus::Device(t) => Some(t),
        }
    }
}

impl Debugger for Session {
    fn reached(&self, here: &Here<'_>) -> Order {
        let Some(point) = here.point.and_then(|p| self.points.at(p)) else { return Order::Go };
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        // Launches that wait still run while the program ends.
        if state.ended {
            return Order::End;
        }
        let focus = state.focus;
        if !Self::stops(&mut state, here, point) {
            return Order::Go;
        }
        (state.frame, state.listed) = (0, None);
        state.stood = Some((point.file, point.line, here.depth()));
        // Who it is is said where it is another.
        if focus != state.focus || !here.on_host() && state.mode == Mode::Run {
            say(&format!("{}\n", who(here, &state)));
        }
        say(&format!(
            "{} at {}\n",
            here.frames().first().map_or("", |f| f.function),
            self.points.place(point)
        ));
        if let Some(text) = self.points.text(point.file, point.line) {
            say(&format!("{}\t{text}\n", point.line));
        }
        self.talk(&mut state, Some(here))
    }

    fn stopped(&self, here: &Here<'_>, why: &str, thread: Option<DeviceThread>) -> Order {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.ended {
            return Order::End;
        }
        state.focus = thread.map_or(Focus::Host, Focus::Device);
        (state.frame, state.listed, state.stood) = (0, None, None);
        say(&format!("\nStopped by {why}\n{}\n", who(here, &state)));
        if let Some(frame) = here.frames().first() {
            say(&format!("{} at {}\n", frame.function, here.place(frame.at)));
            if let Some((file, line)) = frame.at.map(|loc| here.line(loc))
                && let Some(text) = self.points.text(file, line)
            {
                say(&format!("{line}\t{text}\n"));
            }
        }
        self.talk(&mut state, Some(here))
    }
}

/// Writes to the user.
fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    // A reader that has gone away is noticed where commands are read.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Who is in focus.
fn who(here: &Here<'_>, state: &State) -> String {
    let Some(t) = state.thread() else { return "the host".to_owned() };
    let [x, y, z] = t.block;
    let count = here.threads().len();
    let others = if count > 1 { format!(", {count} threads are here") } else { String::new() };
    format!("launch {}, block ({x},{y},{z}), thread {}{others}", t.launch, t.thread)
}

fn backtrace(here: &Here<'_>, current: usize) {
    for (n, frame) in here.frames().iter().enumerate() {
        let mark = if n == current { "*" } else { " " };
        say(&format!("{mark}#{n}  {} at {}\n", frame.function, here.place(frame.at)));
    }
}

fn threads(here: &Here<'_>) {
    let threads = here.threads();
    match threads.first() {
        None => say("the host\n"),
        Some(t) => {
            let [x, y, z] = t.block;
            let numbers: Vec<u32> = threads.iter().map(|t| t.thread).collect();
            say(&format!("launch {}, block ({x},{y},{z}): {}\n", t.launch, ranges(&numbers)));
        }
    }
}

/// Numbers with those that follow each other as ranges.
fn ranges(numbers: &[u32]) -> String {
    let mut parts: Vec<(u32, u32)> = Vec::new();
    for &n in numbers {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == n => *last = n,
            _ => parts.push((n, n)),
        }
    }
    let part = |&(from, to): &(u32, u32)| if from == to { from.to_string() } else { format!("{from}-{to}") };
    let word = if numbers.len() == 1 { "thread" } else { "threads" };
    format!("{word} {}", parts.iter().map(part).collect::<Vec<_>>().join(", "))
}

/// A value behind its name.
fn shown(here: &Here<'_>, value: &Value) -> String {
    match expression::extents(value) {
        // `threadIdx` and the like, of which the program has no type.
        Some([x, y, z]) => format!(" {{x = {x}, y = {y}, z = {z}}}"),
        None => here.show(Some(&value.ty), &value.bytes, "  "),
    }
}

fn show(here: &Here<'_>, v: &Named, indent: &str) {
    let bytes = v.bytes.as_deref().unwrap_or_default();
    say(&format!("{indent}{} ={}\n", v.name, here.show(v.ty.as_ref(), bytes, "  ")));
}

/// An expression for each thread that is here.
fn print_all(here: &Here<'_>, frame: usize, text: &str) -> Result<(), String> {
    let mut values: Vec<(String, Vec<u32>)> = Vec::new();
    for thread in here.threads() {
        let value = expression::evaluate(text, &InFrame { here, frame, thread: Some(thread) })?;
        let shown = shown(here, &value);
        match values.iter_mut().find(|(known, _)| *known == shown) {
            Some((_, threads)) => threads.push(thread.thread),
            None => values.push((shown, vec![thread.thread])),
        }
    }
    if values.is_empty() {
        return Err("only threads of the device are several".to_owned());
    }
    for (shown, threads) in values.iter().take(MOST_VALUES) {
        say(&format!("{}:{shown}\n", ranges(threads)));
    }
    let more: usize = values.iter().skip(MOST_VALUES).map(|v| v.1.len()).sum();
    if more > 0 {
        say(&format!("and other values in {more} more threads\n"));
    }
    Ok(())
}

/// The variables that a thread sees in a frame.
struct InFrame<'a> {
    here: &'a Here<'a>,
    frame: usize,
    thread: Option<DeviceThread>,
}

impl InFrame<'_> {
    /// `threadIdx` and the like, as a vector.
    fn built_in(&self, name: &str) -> Option<Value> {
        let t = self.thread?;
        let (grid, block) = self.here.extents()?;
        let [x, y] = [block[0].max(1), block[1].max(1)];
        let of = match name {
            "threadIdx" => [t.thread % x, t.thread / x % y, t.thread / x / y],
            "blockIdx" => t.block,
            "blockDim" => block,
            "gridDim" => grid,
            _ => return None,
        };
        let bytes = of.into_iter().flat_map(|n| n.to_le_bytes().map(Some)).collect();
        Some(Value { ty: SourceType::Named("dim3".into()), bytes })
    }
}

impl Scope for InFrame<'_> {
    fn variable(&self, name: &str) -> Option<Value> {
        let thread = self.thread.map_or(0, |t| t.thread);
        let whole = |v: Named| Some(Value { ty: v.ty?, bytes: v.bytes? });
        // The innermost of a name comes last.
        let local = self
            .here
            .variables(self.frame, thread)
            .into_iter()
            .rev()
            .find(|v| v.name == name && v.bytes.is_some());
        let shared = || self.here.shared().into_iter().find(|v| v.name == name);
        local.or_else(shared).and_then(whole).or_else(|| self.built_in(name))
    }

    fn memory(&self, address: u64, bytes: u64) -> Option<Vec<Byte>> {
        self.here.memory(address, bytes)
    }

    fn types(&self) -> &NamedTypes {
        self.here.types()
    }
}
