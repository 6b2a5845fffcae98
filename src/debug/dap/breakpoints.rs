//! Breakpoints as a client sets them: all of a file, or all of functions, at once.

use super::wire::Request;
use crate::debug::command::{self, Breakpoint, Command, Location};
use crate::debug::control::Control;
use cudair_vm::debug::Here;
use rustc_hash::FxHashMap;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The numbers of the breakpoints that a client has set.
#[derive(Debug, Default)]
pub struct Breakpoints {
    /// By file.
    sources: FxHashMap<PathBuf, Vec<u32>>,
    functions: Vec<u32>,
    /// Nothing is set, as the program runs without stops.
    off: bool,
}

/// What a client asks for in one breakpoint besides its place.
struct Asked {
    block: Option<[u32; 3]>,
    thread: Option<u32>,
    condition: Option<String>,
}

impl Breakpoints {
    /// None yet. With `off` none will be: the program runs without stops.
    pub fn new(off: bool) -> Breakpoints {
        Breakpoints { off, ..Breakpoints::default() }
    }

    /// Sets those of a file. `first` is the client's number of the first line.
    ///
    /// # Errors
    /// What is wrong with the request. What is wrong with one breakpoint is told in its place.
    pub fn set_of_file(
        &mut self,
        control: &mut Control,
        here: Option<&Here<'_>>,
        request: &Request,
        first: i64,
    ) -> Result<Value, String> {
        let source = request.arguments.get("source");
        let path = source.and_then(|s| s.get("path")).and_then(Value::as_str);
        let path = Path::new(path.ok_or("`setBreakpoints` takes a `source` with a `path`")?);
        let asked = of_file(request)?;
        // A file that is not there is known by what it is called.
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let is = |known: &&str| {
            Path::new(known) == path || Path::new(known).canonicalize().is_ok_and(|k| k == real)
        };
        let known = control.points.paths().find(is).map(str::to_owned);
        let known = known.ok_or_else(|| format!("no code of the program is in {}", path.display()));
        remove(control, &std::mem::take(self.sources.entry(real.clone()).or_default()));
        let mut answers = Vec::new();
        let mut numbers = Vec::new();
        for one in &asked {
            let set = known.clone().and_then(|known| {
                let line = one.get("line").and_then(Value::as_i64).ok_or("a breakpoint has no `line`")?;
                let line = u32::try_from(line.saturating_sub(first).saturating_add(1))
                    .map_err(|_| format!("there is no line {line}"))?;
                self.set(control, here, Location::Line(Some(known), line), one)
            });
            answers.push(answer(control, &set, first, false));
            numbers.extend(set);
        }
        self.sources.insert(real, numbers);
        Ok(json!({ "breakpoints": answers }))
    }

    /// Sets those of functions.
    ///
    /// # Errors
    /// As [`Breakpoints::set_of_file`].
    pub fn set_of_functions(
        &mut self,
        control: &mut Control,
        here: Option<&Here<'_>>,
        request: &Request,
        first: i64,
    ) -> Result<Value, String> {
        let asked = request.list("breakpoints")?.ok_or("`setFunctionBreakpoints` takes `breakpoints`")?;
        remove(control, &std::mem::take(&mut self.functions));
        let mut answers = Vec::new();
        for one in asked {
            let name = one
                .get("name")
                .and_then(Value::as_str)
                .ok_or_else(|| "a breakpoint has no `name`".to_owned());
            let set = name
                .and_then(|name| self.set(control, here, Location::Function(name.trim().to_owned()), one));
            answers.push(answer(control, &set, first, true));
            self.functions.extend(set);
        }
        Ok(json!({ "breakpoints": answers }))
    }

    fn set(
        &self,
        control: &mut Control,
        here: Option<&Here<'_>>,
        at: Location,
        one: &Value,
    ) -> Result<u32, String> {
        if self.off {
            return Err("the program was launched without stops".to_owned());
        }
        let Asked { block, thread, condition } = asked(one)?;
        control.set(here, Breakpoint { at, block, thread, condition, temporary: false })
    }
}

/// The breakpoints that a request has for a file; in its older form, lines alone.
fn of_file(request: &Request) -> Result<Vec<Value>, String> {
    if let Some(all) = request.list("breakpoints")? {
        return Ok(all.to_vec());
    }
    let lines = request.list("lines")?.unwrap_or_default();
    Ok(lines.iter().map(|line| json!({ "line": line })).collect())
}

fn remove(control: &mut Control, numbers: &[u32]) {
    control.breakpoints.retain(|b| !numbers.contains(&b.number));
}

/// What a breakpoint has become; `with_file` where the client does not know its file.
fn answer(control: &Control, set: &Result<u32, String>, first: i64, with_file: bool) -> Value {
    let number = match set {
        Ok(number) => *number,
        Err(why) => return json!({ "verified": false, "message": why }),
    };
    let set = control.breakpoints.iter().find(|b| b.number == number);
    let point = set.and_then(|b| b.points.first()).and_then(|&p| control.points.at(p));
    let mut body = json!({ "id": number, "verified": point.is_some() });
    if let Some(point) = point {
        body["line"] = json!(i64::from(point.line) - 1 + first);
        if with_file {
            body["source"] = super::source(&point.path);
        }
    }
    body
}

/// What one breakpoint says besides its place.
fn asked(one: &Value) -> Result<Asked, String> {
    for name in ["hitCondition", "logMessage"] {
        if one.get(name).and_then(Value::as_str).is_some_and(|text| !text.is_empty()) {
            return Err(format!("`{name}` is not supported"));
        }
    }
    let condition = match one.get("condition") {
        None | Some(Value::Null) => "",
        Some(Value::String(text)) => text.trim(),
        Some(other) => return Err(format!("`condition` is a text, not `{other}`")),
    };
    if condition.is_empty() {
        return Ok(Asked { block: None, thread: None, condition: None });
    }
    // `thread 3` is one thread; `thread == 3` is about a variable.
    let chooses = |word: &str| {
        let rest = condition.strip_prefix(word).map(str::trim_start);
        rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    if !chooses("thread ") && !chooses("block ") {
        return Ok(Asked { block: None, thread: None, condition: Some(condition.to_owned()) });
    }
    match command::parse(&format!("break 1 {condition}"))? {
        Command::Break(Breakpoint { block, thread, condition, .. }) => Ok(Asked { block, thread, condition }),
        _ => Err(format!("`{condition}` is not a condition")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_choose_threads() {
        let of = |text: &str| {
            let all = asked(&json!({ "condition": text }));
            all.map(|a| (a.block, a.thread, a.condition))
        };
        assert_eq!(of(""), Ok((None, None, None)));
        assert_eq!(of("i == 3"), Ok((None, None, Some("i == 3".to_owned()))));
        assert_eq!(of("thread 3"), Ok((None, Some(3), None)));
        assert_eq!(of("thread == 3"), Ok((None, None, Some("thread == 3".to_owned()))));
        assert_eq!(of("block 1,2 thread 3 if x"), Ok((Some([1, 2, 0]), Some(3), Some("x".to_owned()))));
        assert!(of("block 1,2,3,4").is_err() && of("thread 3 && x").is_err());
        assert!(
            asked(&json!({ "condition": 3 })).is_err() && asked(&json!({ "hitCondition": "3" })).is_err()
        );
    }
}
