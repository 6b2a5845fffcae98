//! The debugger in an editor: the Debug Adapter Protocol, <https://microsoft.github.io/debug-adapter-protocol/>.
//!
//! [`Dap`] is a [`Front`]: where the program stands still it answers requests until one lets the program go on. While the
//! program runs, requests wait in a queue ([`Client`]), and are answered at the next line that anybody comes to.

mod breakpoints;
mod client;
mod handles;
mod launch;
mod look;
mod memory;
mod stop;
mod values;
mod wire;

pub use client::{Client, Item, Stream};
pub use launch::Launch;
pub use wire::Request;

use super::control::Control;
use super::search::Want;
use super::{Focus, Front, Mode, Scope, Why};
use breakpoints::Breakpoints;
use cudair_vm::debug::Here;
use handles::Handles;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use stop::Exception;

/// How a client counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bases {
    /// The first line.
    pub line: i64,
    /// The first column.
    pub column: i64,
}

impl Default for Bases {
    fn default() -> Bases {
        Bases { line: 1, column: 1 }
    }
}

/// Answers `initialize`: what there is, and how the client counts.
///
/// # Errors
/// The client wants what there is not.
pub fn initialize(request: &Request) -> Result<(Bases, Value), String> {
    if let Some(format) = request.text("pathFormat")?.filter(|format| *format != "path") {
        return Err(format!("paths are paths here: the `pathFormat` `{format}` is not supported"));
    }
    let first = |name: &str| Ok::<i64, String>(i64::from(request.truth(name)? != Some(false)));
    let bases = Bases { line: first("linesStartAt1")?, column: first("columnsStartAt1")? };
    let filter = json!({
        "filter": FINDINGS,
        "label": "Findings",
        "description": "Stop where something is found that ends nothing, such as a race. Faults always stop.",
        "default": true,
    });
    let body = json!({
        "supportsConfigurationDoneRequest": true,
        "supportsConditionalBreakpoints": true,
        "supportsFunctionBreakpoints": true,
        "supportsStepBack": true,
        "supportsEvaluateForHovers": true,
        "supportsTerminateRequest": true,
        "supportsReadMemoryRequest": true,
        "supportsExceptionInfoRequest": true,
        "supportsRestartRequest": true,
        "exceptionBreakpointFilters": [filter],
    });
    Ok((bases, body))
}

/// The filter of exceptions that findings are.
const FINDINGS: &str = "findings";

/// A file as the client knows it.
fn source(path: &str) -> Value {
    let path = Path::new(path);
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    match std::path::absolute(path).ok().filter(|p| p.is_file()) {
        Some(whole) => json!({ "name": name, "path": whole.to_string_lossy() }),
        // Such as a header that is in no file.
        None => json!({ "name": path.to_string_lossy(), "presentationHint": "deemphasize" }),
    }
}

/// The editor's front.
pub struct Dap {
    client: Arc<Client>,
    bases: Bases,
    /// The request that is answered when the program can start.
    launch: Option<Request>,
    /// It was answered.
    begun: Arc<AtomicBool>,
    stops_on_entry: bool,
    no_debug: bool,
    handles: Handles,
    breakpoints: Breakpoints,
    /// Threads that the client was told of last, by number.
    threads: Vec<(i64, String)>,
    /// Threads of the host that the client was told of.
    hosts: Vec<u64>,
    exception: Option<Exception>,
    /// The next stop is at the program's first line.
    enters: bool,
}

/// What the program does while a request is answered.
#[derive(Clone, Copy)]
enum State<'a> {
    /// It has not started.
    Before,
    /// It runs, and is at this place.
    Runs(&'a Here<'a>),
    /// It stands still.
    Stands(&'a Here<'a>),
}

/// What it does behind the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Then {
    /// The same.
    Stay,
    /// It goes on, or ends.
    Go,
    /// It stands still.
    Pause,
}

impl Dap {
    /// The front for a program that `launch` describes, whose `request` is answered when the program can start; `begun` tells
    /// that it was.
    pub fn new(
        client: Arc<Client>,
        bases: Bases,
        launch: &Launch,
        request: Request,
        begun: Arc<AtomicBool>,
    ) -> Dap {
        Dap {
            client,
            bases,
            launch: Some(request),
            begun,
            stops_on_entry: launch.stops_on_entry,
            no_debug: launch.no_debug,
            handles: Handles::default(),
            breakpoints: Breakpoints::new(launch.no_debug),
            threads: vec![(1, Focus::Host(1).name())],
            hosts: vec![1],
            exception: None,
            enters: false,
        }
    }

    /// Answers what comes, until the program goes on.
    fn serve(&mut self, control: &mut Control, state: State<'_>) {
        loop {
            let item = self.client.wait();
            match self.handle(control, state, &item) {
                Then::Stay | Then::Pause => {}
                Then::Go => return,
            }
        }
    }

    fn handle(&mut self, control: &mut Control, state: State<'_>, item: &Item) -> Then {
        let request = match item {
            Item::Request(request) => request,
            Item::Broken(why) => {
                self.client.leave(Some(why));
                control.quit();
                return Then::Go;
            }
            Item::Closed => {
                self.client.leave(None);
                control.quit();
                return Then::Go;
            }
        };
        let (result, then) = match self.execute(control, state, request) {
            Ok((body, then)) => (Ok(body), then),
            Err(why) => (Err(why), Then::Stay),
        };
        self.client.answer(request, result);
        match (request.command.as_str(), state, then) {
            ("disconnect", ..) => self.client.leave(None),
            // Other requests that let the program go on say so themselves.
            ("restart", State::Stands(_), Then::Go) => {
                let body =
                    json!({ "threadId": self.handles.thread(control.focus), "allThreadsContinued": true });
                self.client.event("continued", body);
            }
            _ => {}
        }
        then
    }

    fn execute(
        &mut self,
        control: &mut Control,
        state: State<'_>,
        request: &Request,
    ) -> Result<(Value, Then), String> {
        let here = match state {
            State::Before => None,
            State::Runs(here) | State::Stands(here) => Some(here),
        };
        let done = |body: Value| Ok((body, Then::Stay));
        match (request.command.as_str(), state) {
            ("setBreakpoints", _) => {
                done(self.breakpoints.set_of_file(control, here, request, self.bases.line)?)
            }
            ("setFunctionBreakpoints", _) => {
                done(self.breakpoints.set_of_functions(control, here, request, self.bases.line)?)
            }
            ("setExceptionBreakpoints", _) => {
                let filters = request.list("filters")?.ok_or("`setExceptionBreakpoints` takes `filters`")?;
                if let Some(other) = filters.iter().find(|f| f.as_str() != Some(FINDINGS)) {
                    return Err(format!("there is no filter `{other}`"));
                }
                control.catches = !filters.is_empty();
                done(Value::Null)
            }
            ("configurationDone", State::Before) => {
                self.start(control);
                Ok((Value::Null, Then::Go))
            }
            ("configurationDone", _) => Err("the program has started already".to_owned()),
            ("threads", _) => {
                let threads: Vec<Value> =
                    self.threads.iter().map(|(id, name)| json!({ "id": id, "name": name })).collect();
                done(json!({ "threads": threads }))
            }
            ("pause", State::Runs(_)) if self.no_debug => {
                Err("the program was launched without stops".to_owned())
            }
            ("pause", State::Runs(_)) => Ok((Value::Null, Then::Pause)),
            ("pause", State::Stands(_)) => done(Value::Null),
            ("restart", State::Runs(_) | State::Stands(_)) => {
                control.restart();
                self.start(control);
                Ok((Value::Null, Then::Go))
            }
            ("disconnect" | "terminate", _) => {
                control.quit();
                Ok((Value::Null, Then::Go))
            }
            ("initialize" | "launch" | "attach", _) => Err("the program was launched already".to_owned()),
            (command, _) if !LOOKS.contains(&command) && !MOVES.contains(&command) && command != "pause" => {
                Err(format!("`{command}` is not supported"))
            }
            (_, State::Before) => {
                Err("the program has not started: `configurationDone` starts it".to_owned())
            }
            (_, State::Runs(_)) => Err("the program runs: `pause` lets it stand still".to_owned()),
            (command, State::Stands(here)) if LOOKS.contains(&command) => {
                done(self.look(control, here, request)?)
            }
            (_, State::Stands(here)) => {
                let body = self.go(control, here, request)?;
                Ok((body, Then::Go))
            }
        }
    }

    /// The program starts, for the first time or again.
    fn start(&mut self, control: &mut Control) {
        self.enters = self.stops_on_entry && !self.no_debug;
        control.mode =
            if self.enters { Mode::Step { left: 1, depth: None, scope: Scope::Thread } } else { Mode::Run };
    }

    /// Lets the program go on or back.
    fn go(&mut self, control: &mut Control, here: &Here<'_>, request: &Request) -> Result<Value, String> {
        if let Some(number) = request.number("threadId")? {
            let focus = self.present(here, number)?;
            if control.focus != focus {
                control.look_at(focus);
            }
        }
        let (focus, depth, scope) = (control.focus, here.depth(), Scope::Thread);
        match request.command.as_str() {
            "continue" => {
                control.mode = Mode::Run;
                return Ok(json!({ "allThreadsContinued": true }));
            }
            "next" => control.mode = Mode::Step { left: 1, depth: Some(depth), scope },
            "stepIn" => control.mode = Mode::Step { left: 1, depth: None, scope },
            "stepOut" => control.finish(depth, here.on_host())?,
            "stepBack" => control.back(Want::Line { focus, scope, depth: Some(depth), more: 0 }),
            "reverseContinue" => control.back(Want::Stop),
            other => return Err(format!("`{other}` does not move the program")),
        }
        Ok(Value::Null)
    }

    /// A thread by its number, if it is one of those that have come here.
    fn present(&self, here: &Here<'_>, number: i64) -> Result<Focus, String> {
        let focus = self.handles.focus(number)?;
        let is = match focus {
            Focus::Host(n) => here.host_thread() == Some(n),
            Focus::Device(t) => here.has(t),
        };
        if is { Ok(focus) } else { Err(format!("{} is not here", focus.name())) }
    }
}

/// Requests that look at a program that stands still.
const LOOKS: [&str; 6] = ["stackTrace", "scopes", "variables", "evaluate", "readMemory", "exceptionInfo"];
/// Requests that let it go on.
const MOVES: [&str; 6] = ["continue", "next", "stepIn", "stepOut", "stepBack", "reverseContinue"];

impl Front for Dap {
    fn stands(&mut self, control: &mut Control, here: Option<&Here<'_>>, why: &Why) {
        match here {
            None if matches!(why, Why::Start) => {
                if let Some(request) = self.launch.take() {
                    self.client.answer(&request, Ok(Value::Null));
                }
                self.begun.store(true, Relaxed);
                self.client.event("initialized", json!({}));
                self.serve(control, State::Before);
            }
            None => self.tell_end(why),
            Some(_) if self.no_debug => {}
            Some(here) => {
                self.tell_stop(control, here, why);
                self.serve(control, State::Stands(here));
                self.handles.forget();
                self.exception = None;
            }
        }
    }

    fn attend(&mut self, control: &mut Control, here: &Here<'_>) -> bool {
        while let Some(item) = self.client.take() {
            match self.handle(control, State::Runs(here), &item) {
                Then::Stay => {}
                Then::Go => return false,
                Then::Pause => return true,
            }
        }
        false
    }
}
