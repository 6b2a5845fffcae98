//! What a client is told when the program stands still or has ended.

use super::Dap;
use crate::debug::control::Control;
use crate::debug::{DIFFERS, Focus, Why};
use cudair_ir::{Finding, Span};
use cudair_vm::debug::Here;
use serde_json::{Value, json};

/// Threads that have come to a place together and are listed by name.
const MOST_THREADS: usize = 64;

/// What stopped the program, where it was a fault or a finding.
#[derive(Clone, Debug)]
pub struct Exception {
    /// The kinds.
    id: String,
    /// A line for each.
    text: String,
    /// The same with all places.
    details: String,
}

impl Exception {
    fn of(findings: &[Finding]) -> Exception {
        let mut kinds: Vec<&str> = findings.iter().map(|f| f.kind.name()).collect();
        kinds.dedup();
        let lines: Vec<String> = findings.iter().map(brief).collect();
        let details: Vec<String> = findings.iter().map(whole).collect();
        Exception { id: kinds.join(", "), text: lines.join("\n"), details: details.join("\n") }
    }

    /// Answers `exceptionInfo`.
    pub fn info(&self) -> Value {
        json!({
            "exceptionId": self.id,
            "description": self.text,
            "breakMode": "always",
            "details": { "message": self.details, "typeName": self.id },
        })
    }
}

fn place(span: &Span) -> String {
    format!("{}:{}:{}", span.file, span.start.line, span.start.col)
}

/// A finding in a line.
fn brief(f: &Finding) -> String {
    let at = f.primary.as_ref().map_or(String::new(), |s| format!(" at {}", place(s)));
    format!("{}[{}]: {}{at}", f.severity.name(), f.kind.name(), f.message)
}

/// A finding with its other places and facts.
fn whole(f: &Finding) -> String {
    let mut lines = vec![brief(f)];
    lines.extend(f.related.iter().map(|s| format!("  {}: {}", place(s), s.label)));
    lines.extend(f.notes.iter().map(|note| format!("  {note}")));
    lines.join("\n")
}

impl Dap {
    /// Tells that the program stands still, and why.
    pub(super) fn tell_stop(&mut self, control: &Control, here: &Here<'_>, why: &Why) {
        self.list_threads(control, here);
        let enters = std::mem::take(&mut self.enters);
        let mut body = json!({ "threadId": self.handles.thread(control.focus), "allThreadsStopped": true });
        let (reason, description, text) = match why {
            Why::Breakpoint(n) => {
                body["hitBreakpointIds"] = json!([n]);
                ("breakpoint", "Paused at a breakpoint".to_owned(), control.unevaluated().map(str::to_owned))
            }
            Why::Step if enters => ("entry", "Paused at the program's first line".to_owned(), None),
            Why::Step | Why::Start | Why::End => ("step", "Paused behind a step".to_owned(), None),
            Why::Pause => ("pause", "Paused".to_owned(), None),
            Why::Fault(why) => {
                let text = format!("stopped by {why}");
                let at = here.frames().first().and_then(|f| f.at);
                let details = format!("{text} at {}", here.place(at));
                self.exception = Some(Exception { id: why.clone(), text: text.clone(), details });
                ("exception", format!("Paused by {why}"), Some(text))
            }
            Why::Findings(found) => {
                let exception = Exception::of(found);
                let told = (format!("Paused by {}", exception.id), Some(exception.text.clone()));
                self.exception = Some(exception);
                ("exception", told.0, told.1)
            }
            Why::Changed { number, .. } => ("data breakpoint", "Paused where memory changes".to_owned(), {
                let watched = control.watched.iter().find(|w| w.number == *number);
                watched.map(|w| format!("`{}` has changed", w.text))
            }),
            Why::Back => ("step", "Went back".to_owned(), None),
            Why::First => ("entry", "There is nothing before this".to_owned(), None),
            Why::Nowhere => ("pause", "Nobody came there".to_owned(), None),
            Why::Differs => ("pause", "Paused elsewhere".to_owned(), Some(DIFFERS.to_owned())),
        };
        if let Some(text) = &text {
            let places = self.exception.as_ref().map_or(text.as_str(), |e| e.details.as_str());
            self.client.say("console", &format!("{places}\n"));
        }
        body["reason"] = json!(reason);
        body["description"] = json!(description);
        if let Some(text) = text {
            body["text"] = json!(text);
        }
        self.client.event("stopped", body);
    }

    /// Keeps the threads that have come here, those in focus first.
    fn list_threads(&mut self, control: &Control, here: &Here<'_>) {
        let mut all = vec![control.focus];
        let others = here.threads().into_iter().map(Focus::Device).filter(|t| *t != control.focus);
        all.extend(others.take(MOST_THREADS - 1));
        self.threads = all.iter().map(|&focus| (self.handles.thread(focus), focus.name())).collect();
        if let Focus::Host(n) = control.focus
            && !self.hosts.contains(&n)
        {
            self.hosts.push(n);
            self.client.event("thread", json!({ "reason": "started", "threadId": n }));
        }
    }

    /// Tells that the program has ended. Its findings were told before.
    pub(super) fn tell_end(&self, why: &Why) {
        self.client.close_streams();
        if let Why::Differs = why {
            self.client.say("console", &format!("{DIFFERS}\n"));
        }
        self.client.event("exited", json!({ "exitCode": self.client.exit_code() }));
        self.client.terminated();
    }
}
