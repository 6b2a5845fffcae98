//! The debugger in a terminal.

use super::command::{self, Command, Info};
use super::control::{Control, Set};
use super::expression;
use super::points::Point;
use super::search::Want;
use super::values::{InFrame, allocation, byte, ranges, shown};
use super::{DIFFERS, Focus, Front, Mode, Why};
use crate::groups;
use cudair_ir::Finding;
use cudair_vm::debug::{DeviceThread, Here, Named};
use std::fmt::Write as _;
use std::io::{BufRead, Write as _};

/// Lines that `list` shows before and after one.
const AROUND: u32 = 5;
/// Values of `print all` that are told apart.
const MOST_VALUES: usize = 16;
/// Bytes of memory in a row.
const ROW: usize = 16;

/// Where commands come from.
pub type Commands = Box<dyn BufRead + Send>;

/// The prompt.
pub struct Prompt {
    commands: Commands,
    /// They are echoed, as nobody has typed them here.
    echoes: bool,
    /// The line that `list` goes on behind.
    listed: Option<u32>,
    /// What an empty line repeats.
    last: Command,
    /// Who was in focus when the program last stood still.
    seen: Option<Focus>,
}

/// Whether the prompt waits for more.
enum Done {
    No,
    Yes,
}

impl Front for Prompt {
    fn stands(&mut self, control: &mut Control, here: Option<&Here<'_>>, why: &Why) {
        self.listed = None;
        self.tell(control, here, why);
        self.talk(control, here);
    }

    fn attend(&mut self, _: &mut Control, _: &Here<'_>) -> bool {
        // Ctrl-C.
        true
    }
}

impl Prompt {
    /// A prompt with commands from somewhere; `echoes` if they are to be shown.
    pub fn new(commands: Commands, echoes: bool) -> Prompt {
        Prompt { commands, echoes, listed: None, last: Command::Empty, seen: None }
    }

    /// Says why the program stands still, and where.
    fn tell(&mut self, control: &Control, here: Option<&Here<'_>>, why: &Why) {
        match why {
            Why::Breakpoint(n) => {
                if let Some(why) = control.unevaluated() {
                    say(&format!("\n{why}"));
                }
                say(&format!("\nBreakpoint {n}, "));
            }
            Why::Fault(why) => say(&format!("\nStopped by {why}\n")),
            Why::Findings(all) => {
                let mut all = all.clone();
                groups::number(&mut all);
                for group in groups::groups(&all) {
                    let n = control.found().iter().position(|of| of.same_place(group.shown));
                    say(&format!("\nFinding {}: {}", n.map_or(0, |n| n + 1), brief(group.shown)));
                    if let Some(others) = group.others_in_words() {
                        say(&format!("\n{others}; `info findings` lists all"));
                    }
                }
                say("\n`finding N` goes back to its access\n");
            }
            Why::Changed { number, values, by } => {
                let watched = control.watched.iter().find(|w| w.number == *number);
                say(&format!("\nWatch {number}: `{}`", watched.map_or("", |w| &w.text)));
                match values {
                    Some([was, is]) => say(&format!(" was{was}, and is{is}")),
                    None => say(" is changed here"),
                }
                if let Some((who, point)) = by
                    && let Some(place) = control.points.at(*point).map(Point::place)
                {
                    say(&format!(", changed by {} at {place}", name(*who)));
                }
                say("\n");
            }
            Why::Pause => say("\nInterrupted\n"),
            Why::First => say("\nThere is nothing before this.\n"),
            Why::Nowhere => say("\nNobody came there.\n"),
            Why::Differs => say(&format!("\n{DIFFERS}\n")),
            Why::End => say(
                "\nThe program has ended. `run` starts it again, `reverse-continue` and its kin go back.\n",
            ),
            Why::Start | Why::Step | Why::Back => {}
        }
        let Some(here) = here else {
            self.seen = None;
            return;
        };
        // Who it is is said where it is not who it was.
        if !matches!(why, Why::Step | Why::Back) || self.seen != Some(control.focus) {
            say(&format!("{}\n", who(here, control)));
        }
        self.seen = Some(control.focus);
        let frames = here.frames();
        let Some(frame) = frames.first() else { return };
        if let Some(point) = here.point.and_then(|p| control.points.at(p)) {
            say(&format!("{} at {}\n", frame.function, point.place()));
            if let Some(text) = control.points.text(point.file, point.line) {
                say(&format!("{}\t{text}\n", point.line));
            }
            return;
        }
        say(&format!("{} at {}\n", frame.function, here.place(frame.at)));
        if let Some((file, line)) = frame.at.map(|loc| here.line(loc))
            && let Some(text) = control.points.text(file, line)
        {
            say(&format!("{line}\t{text}\n"));
        }
    }

    /// Takes commands until one lets the program go on.
    fn talk(&mut self, control: &mut Control, here: Option<&Here<'_>>) {
        loop {
            say("(cudair) ");
            let mut line = String::new();
            match self.commands.read_line(&mut line) {
                Ok(0) | Err(_) => {
                    say("\n");
                    return control.quit();
                }
                Ok(_) if self.echoes => say(&line),
                Ok(_) => {}
            }
            let command = match command::parse(&line) {
                Ok(Command::Empty) => self.last.clone(),
                Ok(command) => command,
                Err(error) => {
                    say(&format!("{error}\n"));
                    continue;
                }
            };
            self.last = if command.repeats() { command.clone() } else { Command::Empty };
            match self.execute(control, here, command) {
                Ok(Done::Yes) => return,
                Ok(Done::No) => {}
                Err(error) => say(&format!("{error}\n")),
            }
        }
    }

    /// Executes a command; gives whether the program goes on.
    fn execute(
        &mut self,
        control: &mut Control,
        here: Option<&Here<'_>>,
        command: Command,
    ) -> Result<Done, String> {
        let seen = here.and_then(|h| h.seen_by(control.thread()?));
        // As the thread in focus sees it, which may be elsewhere.
        let (stands, here) = (here, seen.as_ref().or(here));
        match command {
            Command::Empty => {}
            Command::Quit => {
                control.quit();
                return Ok(Done::Yes);
            }
            Command::Help => say(command::HELP),
            Command::Break(asked) => {
                control.set(stands, asked)?;
                if let Some(set) = control.breakpoints.last() {
                    let count = set.points.len();
                    let more = if count > 1 { format!(" ({count} places)") } else { String::new() };
                    say(&format!("Breakpoint {} at {}{more}\n", set.number, place(control, set)));
                }
            }
            Command::Delete(None) => {
                control.breakpoints.clear();
                control.watched.clear();
            }
            Command::Delete(Some(n)) => {
                let count = |c: &Control| c.breakpoints.len() + c.watched.len();
                let before = count(control);
                control.breakpoints.retain(|b| b.number != n);
                control.watched.retain(|w| w.number != n);
                if count(control) == before {
                    return Err(format!("there is no breakpoint {n}"));
                }
            }
            Command::Catch(catches) => control.catches = catches,
            Command::Run if control.has_started() => {
                control.restart();
                return Ok(Done::Yes);
            }
            Command::Step { count: 0, .. } | Command::ReverseStep { count: 0, .. } => {}
            Command::Run => {
                control.mode = Mode::Run;
                return Ok(Done::Yes);
            }
            Command::Continue | Command::Step { .. } if control.has_started() && here.is_none() => {
                return Err("the program has ended: `run` starts it again".to_owned());
            }
            Command::Continue => {
                control.mode = Mode::Run;
                return Ok(Done::Yes);
            }
            Command::Step { count, over, scope } => {
                let depth = here.filter(|_| over).map(Here::depth);
                control.mode = Mode::Step { left: count, depth, scope };
                return Ok(Done::Yes);
            }
            Command::ReverseContinue if control.has_started() => {
                control.back(Want::Stop);
                return Ok(Done::Yes);
            }
            Command::ReverseStep { count, over, scope } if control.has_started() => {
                // From the end, the last line of `main`.
                let depth = over.then(|| here.map_or(1, Here::depth));
                control.back(Want::Line { focus: control.focus, scope, depth, more: count - 1 });
                return Ok(Done::Yes);
            }
            Command::List(line) => self.list(control, here, line)?,
            Command::Info(Info::Breakpoints) => breakpoints(control),
            Command::Info(Info::Threads) if let Some(stands) = stands => threads(stands),
            Command::Thread(Some(n)) if let Some(stands) = stands => thread(control, stands, n)?,
            Command::Info(Info::Findings) if control.has_started() => findings(control),
            Command::Finding(n, other) if control.has_started() => {
                control.back(access(control, n, other)?);
                return Ok(Done::Yes);
            }
            command => return look(control, here, command),
        }
        Ok(Done::No)
    }

    /// Shows the source around a line, or behind what was shown last.
    fn list(&mut self, control: &Control, here: Option<&Here<'_>>, line: Option<u32>) -> Result<(), String> {
        let at = here.and_then(|h| h.frames().get(control.frame).and_then(|f| f.at).map(|loc| h.line(loc)));
        let (file, current) =
            at.or_else(|| control.points.main().map(|p| (p.file, p.line))).ok_or("there is no source")?;
        let from = match (line, self.listed) {
            (Some(line), _) => line.saturating_sub(AROUND).max(1),
            (None, Some(last)) => last + 1,
            (None, None) => current.saturating_sub(AROUND).max(1),
        };
        let mut any = false;
        for n in from..=from + 2 * AROUND {
            if let Some(text) = control.points.text(file, n) {
                say(&format!("{n}\t{text}\n"));
                self.listed = Some(n);
                any = true;
            }
        }
        if any { Ok(()) } else { Err(format!("there is no line {from}")) }
    }
}

/// Executes a command for which the program has to stand still somewhere.
fn look(control: &mut Control, here: Option<&Here<'_>>, command: Command) -> Result<Done, String> {
    let here = here.ok_or_else(|| {
        if control.has_started() {
            "the program has ended: `run` starts it again, `reverse-continue` and its kin go back".to_owned()
        } else {
            "the program does not run yet: `run` starts it".to_owned()
        }
    })?;
    let depth = here.depth();
    match command {
        Command::Finish => {
            control.finish(depth, here.on_host())?;
            return Ok(Done::Yes);
        }
        Command::ReverseFinish if depth <= 1 && here.on_host() => {
            return Err("this is the outermost function: `reverse-continue` goes back".to_owned());
        }
        Command::ReverseFinish => {
            control.back(Want::Caller { focus: control.focus, depth });
            return Ok(Done::Yes);
        }
        Command::Print(text) => {
            let scope = InFrame { here, frame: control.frame, thread: control.thread() };
            let value = expression::evaluate(&text, &scope)?;
            say(&format!("{text} ={}\n", shown(here, &value)));
        }
        Command::PrintAll(text) => print_all(here, control.frame, &text)?,
        Command::Watch(text, bytes) => {
            let number = control.watch(here, &text, bytes)?;
            say(&format!("Watch {number}: `{text}`\n"));
        }
        Command::Memory(text, bytes) => {
            let scope = InFrame { here, frame: control.frame, thread: control.thread() };
            memory(here, expression::address(&text, &scope)?, bytes)?;
        }
        Command::Backtrace => backtrace(here, control.frame),
        Command::Frame(n) => frame(control, here, n as i64)?,
        Command::Move(by) => {
            let n = control.frame as i64 + by;
            frame(control, here, n)?;
        }
        Command::Thread(None) => say(&format!("{}\n", who(here, control))),
        Command::Info(Info::Shared) => here.shared().iter().for_each(|v| show(here, v)),
        Command::Info(_) => {
            let thread = control.thread().map_or(0, |t| t.thread);
            let all = here.variables(control.frame, thread);
            all.iter().filter(|v| v.bytes.is_some()).for_each(|v| show(here, v));
        }
        _ => return Err("that is not possible here".to_owned()),
    }
    Ok(Done::No)
}

/// Writes to the user.
fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    // A reader that has gone away is noticed where commands are read.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Who is in focus.
fn who(here: &Here<'_>, control: &Control) -> String {
    let count = here.threads().len();
    let others = if count > 1 { format!(", {count} threads are here") } else { String::new() };
    name(control.focus) + &others
}

/// What a thread is called in a sentence.
fn name(focus: Focus) -> String {
    let article = if matches!(focus, Focus::Host(_)) { "the " } else { "" };
    article.to_owned() + &focus.name()
}

/// A finding in a line.
fn brief(f: &Finding) -> String {
    let place = f.primary.as_ref().map_or(String::new(), |s| format!(" at {}:{}", s.file, s.start.line));
    format!("{}[{}]: {}{place}", f.severity.name(), f.kind.name(), f.message)
}

/// The place that a breakpoint stands for.
fn place(control: &Control, set: &Set) -> String {
    let first = set.points.first().and_then(|&p| control.points.at(p));
    first.map(|p| p.place()).unwrap_or_default()
}

fn breakpoints(control: &Control) {
    for w in &control.watched {
        say(&format!("{}  {} bytes at `{}`\n", w.number, w.bytes, w.text));
    }
    if control.breakpoints.is_empty() && control.watched.is_empty() {
        say("no breakpoints\n");
    }
    for b in &control.breakpoints {
        let mut line = format!("{}  {}", b.number, place(control, b));
        if let Some([x, y, z]) = b.asked.block {
            let _ = write!(line, " block {x},{y},{z}");
        }
        if let Some(n) = b.asked.thread {
            let _ = write!(line, " thread {n}");
        }
        if let Some(condition) = &b.asked.condition {
            let _ = write!(line, " if {condition}");
        }
        let hits = if b.hits == 1 { "once".to_owned() } else { format!("{} times", b.hits) };
        say(&format!("{line}, hit {hits}\n"));
    }
}

fn findings(control: &Control) {
    if control.found().is_empty() {
        say("nothing was found so far\n");
    }
    for (n, f) in control.found().iter().enumerate() {
        say(&format!("{}  {}\n", n + 1, brief(f)));
    }
}

/// Where a finding's access is, or the other one of a race.
fn access(control: &Control, number: usize, other: bool) -> Result<Want, String> {
    let finding = number.checked_sub(1).and_then(|n| control.found().get(n));
    let finding =
        finding.ok_or_else(|| format!("there is no finding {number}; `info findings` lists them"))?;
    let place = if other { finding.related.first() } else { finding.primary.as_ref() };
    let thread = finding.threads.get(usize::from(other));
    let (Some(place), true) = (place, !other || thread.is_some()) else {
        return Err("it has no such place".to_owned());
    };
    let thread = match (thread, finding.launch, finding.dims.block) {
        (None, ..) => None,
        (Some(thread), Some(launch), [Some(x), Some(y), Some(z)]) => {
            Some(Here::thread_of(launch, thread, [x, y, z]))
        }
        _ => return Err("it does not say in which launch".to_owned()),
    };
    Ok(Want::Place { thread, file: place.file.clone(), line: place.start.line })
}

/// Looks at another thread of the block.
fn thread(control: &mut Control, here: &Here<'_>, n: u32) -> Result<(), String> {
    let one = here.first_thread().ok_or("only threads of the device are several")?;
    let t = DeviceThread { thread: n, ..one };
    let seen = here.seen_by(t).ok_or_else(|| {
        format!("thread {n} is neither here nor in these 256 threads of the block; `break LINE thread {n}` stops where it comes")
    })?;
    control.look_at(Focus::Device(t));
    say(&format!("{}\n", who(&seen, control)));
    if let Some(frame) = seen.frames().first() {
        say(&format!("{} at {}\n", frame.function, seen.place(frame.at)));
    }
    Ok(())
}

/// Looks at a frame.
fn frame(control: &mut Control, here: &Here<'_>, frame: i64) -> Result<(), String> {
    let frames = here.frames();
    let n = usize::try_from(frame).ok().filter(|&n| n < frames.len());
    let Some(n) = n else {
        let which = if frame < 0 { "innermost" } else { "outermost" };
        return Err(format!("this is the {which} frame"));
    };
    control.frame = n;
    say(&format!("#{n}  {} at {}\n", frames[n].function, here.place(frames[n].at)));
    Ok(())
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
            for other in here.elsewhere().iter().filter(|o| !o.threads.contains(&t.thread)) {
                let (threads, place) = (ranges(&other.threads), here.place(other.at));
                say(&format!("elsewhere: {threads}, {}, {} at {place}\n", other.does, other.function));
            }
        }
    }
}

fn show(here: &Here<'_>, v: &Named) {
    let bytes = v.bytes.as_deref().unwrap_or_default();
    say(&format!("{} ={}\n", v.name, here.show(v.ty.as_ref(), bytes, "  ")));
}

/// Shows bytes of memory, and what memory it is.
fn memory(here: &Here<'_>, address: u64, bytes: u64) -> Result<(), String> {
    let what = allocation(here, address);
    let bytes = bytes.min(here.bytes_behind(address));
    let all = here.memory(address, bytes).filter(|all| !all.is_empty());
    let all = all.ok_or_else(|| format!("{what}: there is no memory"))?;
    say(&format!("{what}\n"));
    for (n, row) in all.chunks(ROW).enumerate() {
        let row: Vec<String> = row.iter().map(byte).collect();
        say(&format!("+{:<4} {}\n", n * ROW, row.join(" ")));
    }
    Ok(())
}

/// An expression for each thread that is here.
fn print_all(here: &Here<'_>, frame: usize, text: &str) -> Result<(), String> {
    let mut values: Vec<(String, Vec<u32>)> = Vec::new();
    let value = |thread: DeviceThread| {
        Ok::<_, String>(shown(
            here,
            &expression::evaluate(text, &InFrame { here, frame, thread: Some(thread) })?,
        ))
    };
    for thread in here.threads() {
        let shown = value(thread)?;
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
