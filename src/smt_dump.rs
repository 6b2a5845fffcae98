//! `check --dump-smt DIR`: each question to the solver as a file that z3 alone can run, and an index of them.
//!
//! The files are SMT-LIB 2.6, one question each, with the solver's options and the answer that it gave (`:status`). The
//! index, `index.jsonl`, has an object a line: `file`, `kernel`, `check`, `asks`, `places`, `result` (`sat`, `unsat`,
//! `unknown`, or null where there was no answer), `why` of a missing answer, and `resources`, what it took in z3's own units.

use crate::output::{cannot_write, open_folder};
use crate::render::json::span;
use crate::solver::Z3;
use cudair_ir::{Diagnostic, DiagnosticClass};
use cudair_passes::symbolic::smt::{About, CUT, NoReply, QUESTION, Solver};
use serde_json::json;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The name of the index in its folder.
const INDEX: &str = "index.jsonl";

/// What is in the folder.
const WHAT: &str = "questions";

/// The solver, whose questions are written down.
pub struct Dump {
    solver: Z3,
    folder: PathBuf,
    index: File,
    about: Option<About>,
    /// Questions so far.
    count: usize,
    /// Those without an answer, and why the first of them had none.
    unanswered: (usize, Option<String>),
    /// Why something could not be written.
    failed: Option<String>,
}

impl Dump {
    /// Makes the folder, or takes one that is empty.
    ///
    /// # Errors
    /// That this cannot be done.
    pub fn open(folder: &Path) -> Result<Dump, Box<Diagnostic>> {
        open_folder(folder, WHAT)?;
        let index =
            File::create(folder.join(INDEX)).map_err(|e| cannot_write(folder, WHAT, &e.to_string()))?;
        Ok(Dump {
            solver: Z3::default(),
            folder: folder.to_owned(),
            index,
            about: None,
            count: 0,
            unanswered: (0, None),
            failed: None,
        })
    }

    /// What has to be told in the end: that something could not be written, or that questions have no answer.
    pub fn close(self) -> Option<Diagnostic> {
        if let Some(why) = self.failed {
            return Some(Diagnostic::new(DiagnosticClass::Usage, why));
        }
        let (n, why) = self.unanswered;
        let why = why?;
        let which = if n == self.count {
            "no question".to_owned()
        } else {
            format!("not each of {} questions", self.count)
        };
        let message = format!("{which} in {} has an answer: {why}", self.folder.display());
        Some(Diagnostic::new(DiagnosticClass::Note, message))
    }

    fn write(&mut self, script: &str, reply: &Result<(String, u64), NoReply>) -> std::io::Result<()> {
        let about = self.about.take();
        let file = format!("{:05}.smt2", self.count);
        self.count += 1;
        let first = |text: &str| text.trim_start().lines().next().unwrap_or_default().trim().to_owned();
        let (result, why, resources) = match reply {
            Ok((text, spent)) => match first(text).as_str() {
                known @ ("sat" | "unsat" | "unknown") => (Some(known.to_owned()), None, Some(*spent)),
                other => (None, Some(format!("the solver says: {other}")), Some(*spent)),
            },
            Err(NoReply::Gone(why)) => (None, Some(why.clone()), None),
            Err(NoReply::OutOfTime) => (Some("unknown".to_owned()), Some(CUT.to_owned()), None),
        };
        if let Some(why) = &why {
            self.unanswered.0 += 1;
            self.unanswered.1.get_or_insert_with(|| why.clone());
        }
        let mut text = String::new();
        if let Some(a) = &about {
            let _ = writeln!(text, "; {} in kernel {}: {}", a.check.name(), one_line(&a.kernel), a.asks);
            for p in &a.places {
                let _ = writeln!(text, "; {}:{}:{}", one_line(&p.file), p.start.line, p.start.col);
            }
        }
        // As cudair starts z3; the limit of time, which is a net, is left out.
        let _ = writeln!(text, "(set-option :rlimit {QUESTION})");
        text.push_str("(set-option :smt.random_seed 0)\n(set-option :sat.random_seed 0)\n");
        if let Some(result) = &result {
            let _ = writeln!(text, "(set-info :status {result})");
        }
        // Only where the answer is *sat* there are values.
        let has_values = result.as_deref().is_none_or(|r| r == "sat");
        for line in script.lines().filter(|l| has_values || !l.starts_with("(get-value")) {
            text.push_str(line);
            text.push('\n');
        }
        std::fs::write(self.folder.join(&file), text)?;
        let line = json!({
            "schema": 1,
            "file": file,
            "kernel": about.as_ref().map(|a| &a.kernel),
            "check": about.as_ref().map(|a| a.check.name()),
            "asks": about.as_ref().map(|a| a.asks),
            "places": about.iter().flat_map(|a| &a.places).map(span).collect::<Vec<_>>(),
            "result": result,
            "why": why,
            "resources": resources,
        });
        writeln!(self.index, "{line}")
    }
}

/// A comment ends with its line.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

impl Solver for Dump {
    fn run(&mut self, script: &str) -> Result<(String, u64), NoReply> {
        let reply = self.solver.run(script);
        if let Err(e) = self.write(script, &reply)
            && self.failed.is_none()
        {
            self.failed = Some(format!("cannot write questions to {}: {e}", self.folder.display()));
        }
        reply
    }

    fn about(&mut self, about: &dyn Fn() -> About) {
        self.about = Some(about());
    }
}
