//! What a client sees of a program that stands still: frames, variables, values, memory.

use super::handles::Entry;
use super::values::{self, Item, Parts};
use super::wire::Request;
use super::{Dap, memory, source};
use crate::debug::Focus;
use crate::debug::control::Control;
use crate::debug::expression::{self, Scope};
use crate::debug::values::{InFrame, shown};
use cudair_vm::debug::{Here, Named};
use serde_json::{Value, json};

/// `threadIdx` and its kin.
const BUILT_INS: [&str; 4] = ["threadIdx", "blockIdx", "blockDim", "gridDim"];

/// A thread's view of a frame.
fn view<'a>(here: &'a Here<'a>, focus: Focus, frame: usize) -> InFrame<'a> {
    let thread = match focus {
        Focus::Host(_) => None,
        Focus::Device(t) => Some(t),
    };
    InFrame { here, frame, thread }
}

impl Dap {
    /// Answers a request that only looks.
    pub(super) fn look(
        &mut self,
        control: &mut Control,
        here: &Here<'_>,
        request: &Request,
    ) -> Result<Value, String> {
        match request.command.as_str() {
            "stackTrace" => self.stack(control, here, request),
            "scopes" => self.scopes(here, request),
            "variables" => self.variables(here, request),
            "evaluate" => self.evaluate(control, here, request),
            "readMemory" => memory::read(here, request),
            "exceptionInfo" => match &self.exception {
                Some(exception) => Ok(exception.info()),
                None => Err("no fault and no finding stopped the program here".to_owned()),
            },
            other => Err(format!("`{other}` looks at nothing")),
        }
    }

    fn stack(&mut self, control: &mut Control, here: &Here<'_>, request: &Request) -> Result<Value, String> {
        let number = request.number("threadId")?.ok_or("`stackTrace` takes a `threadId`")?;
        let focus = self.present(here, number)?;
        control.frame = 0;
        let frames = here.frames();
        let start = request.count("startFrame")?.unwrap_or(0);
        // 0 are all.
        let levels = request.count("levels")?.filter(|&n| n > 0).unwrap_or(usize::MAX);
        let mut out = Vec::new();
        for (n, frame) in frames.iter().enumerate().skip(start).take(levels) {
            let id = self.handles.number(Entry::Frame(focus, n));
            let mut body = json!({ "id": id, "name": frame.function, "line": 0, "column": 0 });
            match frame.at {
                Some(loc) => {
                    let map = &here.module.source;
                    let data = &map.locs[map.visible(loc)];
                    body["source"] = source(&map.files[data.file].path);
                    body["line"] = json!(i64::from(data.start.line) - 1 + self.bases.line);
                    body["column"] = json!(i64::from(data.start.col) - 1 + self.bases.column);
                }
                None => body["presentationHint"] = json!("subtle"),
            }
            out.push(body);
        }
        Ok(json!({ "stackFrames": out, "totalFrames": frames.len() }))
    }

    fn scopes(&mut self, here: &Here<'_>, request: &Request) -> Result<Value, String> {
        let number = request.number("frameId")?.ok_or("`scopes` takes a `frameId`")?;
        let (focus, frame) = self.handles.frame(number)?;
        let mut scope = |name: &str, entry: Entry| {
            let mut body = json!({
                "name": name,
                "variablesReference": self.handles.number(entry),
                "expensive": false,
            });
            if name == "Locals" {
                body["presentationHint"] = json!("locals");
            }
            body
        };
        let mut scopes = vec![scope("Locals", Entry::Locals(focus, frame))];
        if let Focus::Device(_) = focus {
            if !here.shared().is_empty() {
                scopes.push(scope("Shared", Entry::Shared(focus, frame)));
            }
            scopes.push(scope("Built-ins", Entry::BuiltIns(focus)));
        }
        Ok(json!({ "scopes": scopes }))
    }

    fn variables(&mut self, here: &Here<'_>, request: &Request) -> Result<Value, String> {
        let number =
            request.number("variablesReference")?.ok_or("`variables` takes a `variablesReference`")?;
        let start = request.count("start")?.unwrap_or(0);
        // 0 are all.
        let count = request.count("count")?.filter(|&n| n > 0).unwrap_or(usize::MAX);
        let filter = request.text("filter")?;
        let (items, indexed): (Vec<Item>, bool) = match self.handles.entry(number)? {
            Entry::Frame(..) => return Err(format!("{number} is a frame; `scopes` gives what it has")),
            Entry::Locals(focus, frame) => (locals(here, *focus, *frame), false),
            Entry::Shared(focus, frame) => (shared(here, *focus, *frame), false),
            Entry::BuiltIns(focus) => (built_ins(here, *focus), false),
            Entry::Value(value, path) => {
                let indexed = matches!(values::parts(here, value), Parts::Indexed(_));
                let slice = if indexed { (start, count) } else { (0, usize::MAX) };
                (values::children(here, value, path.as_deref(), slice), indexed)
            }
        };
        let wanted = match filter {
            None => true,
            Some("indexed") => indexed,
            Some("named") => !indexed,
            Some(other) => return Err(format!("there is no filter `{other}`")),
        };
        let skipped = if indexed { 0 } else { start };
        let items = items.into_iter().filter(|_| wanted).skip(skipped).take(count);
        let all: Vec<Value> = items
            .map(|item| {
                let mut body = self.shown(here, &item);
                body["name"] = json!(item.name);
                body["value"] = json!(item.text);
                if let Some(path) = &item.path {
                    body["evaluateName"] = json!(path);
                }
                body
            })
            .collect();
        Ok(json!({ "variables": all }))
    }

    /// What `variables` and `evaluate` say alike of a value: its type, its parts, the memory that it points to.
    fn shown(&mut self, here: &Here<'_>, item: &Item) -> Value {
        let mut body = json!({ "variablesReference": 0 });
        if let Some(ty) = &item.ty {
            body["type"] = json!(ty);
        }
        let Some(value) = &item.value else { return body };
        let parts = values::parts(here, value);
        if parts != Parts::None {
            let entry = Entry::Value(value.clone(), item.path.clone());
            body["variablesReference"] = json!(self.handles.number(entry));
        }
        if let Parts::Indexed(n) = parts {
            body["indexedVariables"] = json!(n);
        }
        if let Some(address) = values::address(value).filter(|&a| a != 0) {
            body["memoryReference"] = json!(memory::reference(address));
        }
        body
    }

    fn evaluate(&mut self, control: &Control, here: &Here<'_>, request: &Request) -> Result<Value, String> {
        let text = request.text("expression")?.ok_or("`evaluate` takes an `expression`")?;
        let (focus, frame) = match request.number("frameId")? {
            Some(number) => self.handles.frame(number)?,
            None => (control.focus, 0),
        };
        let value = expression::evaluate(text, &view(here, focus, frame))?;
        let rows = shown(here, &value);
        let item = Item::new(here, String::new(), value, Some(values::atom(text)));
        let mut body = self.shown(here, &item);
        // A console has room for all elements of an array.
        let whole = request.text("context")? == Some("repl");
        let rows: Vec<&str> = rows.trim_start_matches(['\n', ' ']).lines().map(str::trim_start).collect();
        body["result"] = if whole { json!(rows.join("\n")) } else { json!(item.text) };
        Ok(body)
    }
}

/// A variable.
fn item(here: &Here<'_>, v: Named, path: bool) -> Option<Item> {
    let bytes = v.bytes?;
    Some(match v.ty {
        None => Item::untyped(v.name, &bytes),
        Some(ty) => {
            let path = path.then(|| v.name.clone());
            Item::new(here, v.name, expression::Value { ty, bytes }, path)
        }
    })
}

/// Those of a frame that are in scope.
fn in_scope(here: &Here<'_>, focus: Focus, frame: usize) -> Vec<Named> {
    let thread = match focus {
        // It is not asked.
        Focus::Host(_) => 0,
        Focus::Device(t) => t.thread,
    };
    here.variables(frame, thread).into_iter().filter(|v| v.bytes.is_some()).collect()
}

fn locals(here: &Here<'_>, focus: Focus, frame: usize) -> Vec<Item> {
    let all = in_scope(here, focus, frame);
    let names: Vec<String> = all.iter().map(|v| v.name.clone()).collect();
    // An expression means the innermost of a name, which comes last.
    let is_last = |n: usize| !names[n + 1..].contains(&names[n]);
    all.into_iter().enumerate().filter_map(|(n, v)| item(here, v, is_last(n))).collect()
}

fn shared(here: &Here<'_>, focus: Focus, frame: usize) -> Vec<Item> {
    let own = in_scope(here, focus, frame);
    let all = here.shared().into_iter();
    all.filter_map(|v| {
        let hidden = own.iter().any(|o| o.name == v.name);
        item(here, v, !hidden)
    })
    .collect()
}

fn built_ins(here: &Here<'_>, focus: Focus) -> Vec<Item> {
    // Variables of these names hide none of them from this view.
    let view = view(here, focus, usize::MAX);
    let of = |name: &str| Some(Item::new(here, name.to_owned(), view.variable(name)?, Some(name.to_owned())));
    BUILT_INS.into_iter().filter_map(of).collect()
}
