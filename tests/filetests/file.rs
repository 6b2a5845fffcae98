//! Takes a file apart: header, parts that all tests share, and tests.
//!
//! The lines from `func` to the next line that begins an item are a function's: expectations stand in its body or
//! behind it. A function with a body and `; helper` among its lines is shared, and so are declarations, variables and
//! places. In a file for runs a test is a function of the host without parameters that gives an `i32`, which is run as
//! `main`, or a kernel with the line `; launch …`; other functions are shared there.

use crate::expect::{Expectation, Expectations};
use crate::subject::{self, Subject};
use cudair_passes::transform::Pipeline;
use std::path::Path;

/// The side that bytecode is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Context {
    /// The host.
    Host,
    /// The device; with the facts of a launch of one block of so many threads, or without any.
    Device(Option<u32>),
}

/// What is done with each test of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// The passes run.
    Passes(Pipeline),
    /// It is compiled.
    Bytecode(Context),
    /// It runs, as written and, unless it is `plain`, behind the machine's passes, too.
    Run {
        /// Only as written.
        plain: bool,
    },
    /// It is parsed and verified.
    Verify,
}

/// The first line of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// What is done.
    pub action: Action,
    /// Whether the file is one test.
    pub whole: bool,
}

impl Header {
    fn read(line: &str) -> Result<Header, String> {
        let words = line.strip_prefix("; test ").ok_or("the first line is not `; test …`")?;
        let mut words = words.split_whitespace();
        let verb = words.next().ok_or("`; test` does not say what is tested")?;
        let (mut whole, mut plain, mut context, mut block) = (false, false, None, None);
        for word in words {
            match (verb, word.split_once('=').unwrap_or((word, ""))) {
                (_, ("whole", "")) if verb.starts_with("pass=") => whole = true,
                ("run", ("plain", "")) => plain = true,
                ("bytecode", ("context", side)) => context = Some(side),
                ("bytecode", ("block", n)) => {
                    block = Some(n.parse().map_err(|_| format!("`{n}` is no number of threads"))?);
                }
                _ => return Err(format!("`{word}` is not known behind `; test {verb}`")),
            }
        }
        let action = match (verb, context) {
            ("run", None) => Action::Run { plain },
            ("verify", None) => Action::Verify,
            ("bytecode", Some("host")) if block.is_none() => Action::Bytecode(Context::Host),
            ("bytecode", Some("device")) => Action::Bytecode(Context::Device(block)),
            ("bytecode", _) => return Err("bytecode needs `context=host` or `context=device`".to_owned()),
            (verb, _) => match verb.strip_prefix("pass=") {
                Some(list) => {
                    let passes = Pipeline::parse(list).map_err(|e| e.to_string())?;
                    if passes.passes.is_empty() {
                        return Err("no pass is named".to_owned());
                    }
                    Action::Passes(passes)
                }
                None => return Err(format!("`; test {verb}` is not known")),
            },
        };
        Ok(Header { action, whole })
    }

    /// Whether such a file may stand in `folder`.
    pub fn belongs(&self, folder: &Path, verb: &str) -> Result<(), String> {
        let name = folder.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let fits = match &self.action {
            Action::Passes(p) => verb == "pass" && p.passes.iter().any(|p| p.name() == name),
            Action::Bytecode(_) => verb == "bytecode",
            Action::Run { .. } => verb == "run",
            Action::Verify => verb == "verify",
        };
        if fits { Ok(()) } else { Err(format!("the header does not fit the folder {}", folder.display())) }
    }
}

/// A test.
#[derive(Debug)]
pub struct Case {
    /// The function; none where the file is one test.
    pub name: Option<String>,
    /// The file without its other tests, line for line.
    text: String,
    /// How a kernel is launched.
    launch: Option<subject::Launch>,
    expected: Expectations,
    /// The defect because of which it fails.
    known: Option<String>,
    /// What cannot be understood, told when the test runs.
    problem: Option<String>,
}

impl Case {
    /// Runs the test.
    pub fn run(&self, header: &Header) -> Result<(), String> {
        if let Some(problem) = &self.problem {
            return Err(problem.clone());
        }
        let subject = Subject { name: self.name.as_deref(), text: &self.text, launch: self.launch };
        let views = subject::looked_at(&header.action, &subject)?;
        let result = views.iter().try_for_each(|view| view.fulfils(&self.expected));
        match (result, &self.known) {
            (result, None) => result,
            (Err(_), Some(_)) => Ok(()),
            (Ok(()), Some(what)) => Err(format!("it passes: the defect is gone, take `; known: {what}` out")),
        }
    }
}

/// A file.
#[derive(Debug)]
pub struct TestFile {
    /// Its first line.
    pub header: Header,
    /// Its tests.
    pub cases: Vec<Case>,
}

/// The lines of a function.
struct Part<'a> {
    name: &'a str,
    /// The line that begins it.
    signature: &'a str,
    lines: std::ops::Range<usize>,
}

impl Part<'_> {
    fn has_body(&self) -> bool {
        self.signature.ends_with('{')
    }

    /// Whether it can be run as `main`.
    fn is_entry(&self) -> bool {
        self.signature.starts_with("func host ") && self.signature.contains("() -> i32")
    }
}

impl TestFile {
    /// Takes a file apart.
    pub fn read(text: &str) -> Result<TestFile, String> {
        let lines: Vec<&str> = text.lines().collect();
        let header = Header::read(lines.first().ok_or("the file is empty")?)?;
        if header.whole {
            let case = case(None, text.to_owned(), lines.iter().copied());
            return Ok(TestFile { header, cases: vec![case] });
        }
        let parts = parts(&lines)?;
        let runs = matches!(header.action, Action::Run { .. });
        let says =
            |p: &Part<'_>, what: &str| lines[p.lines.clone()].iter().any(|l| l.trim().starts_with(what));
        let is_test = |p: &Part<'_>| match (p.has_body(), runs) {
            (false, _) => false,
            (true, true) => p.is_entry() || says(p, "; launch "),
            (true, false) => !says(p, "; helper"),
        };
        let tests: Vec<&Part<'_>> = parts.iter().filter(|p| is_test(p)).collect();
        if tests.is_empty() {
            return Err("there is no test in this file".to_owned());
        }
        // An expectation that no test has would never be looked at.
        let owner = |n: usize| tests.iter().any(|p| p.lines.contains(&n));
        for (n, line) in lines.iter().enumerate().skip(1) {
            if !owner(n) && Expectation::read(line)?.is_some() {
                return Err(format!("line {}: this expectation stands behind no test", n + 1));
            }
        }
        let cases = tests.iter().map(|test| {
            let others: Vec<&&Part<'_>> = tests.iter().filter(|p| p.name != test.name).collect();
            let kept = lines
                .iter()
                .enumerate()
                .map(|(n, line)| if others.iter().any(|p| p.lines.contains(&n)) { "" } else { line });
            let kept: Vec<&str> = kept.collect();
            let mut found =
                case(Some(test.name.to_owned()), kept.join("\n"), lines[test.lines.clone()].iter().copied());
            if tests.iter().filter(|p| p.name == test.name).count() > 1 {
                found.problem = Some("two functions have this name".to_owned());
            }
            found
        });
        let cases = cases.collect();
        Ok(TestFile { header, cases })
    }
}

/// The functions of a file.
fn parts<'a>(lines: &[&'a str]) -> Result<Vec<Part<'a>>, String> {
    let mut parts: Vec<Part<'a>> = Vec::new();
    let mut open = false;
    for (n, &line) in lines.iter().enumerate() {
        let word = line.split([' ', '=']).next().unwrap_or_default();
        let item = word == "func" || word == "global" || word == "ctor" || word.starts_with("file");
        if item {
            if let Some(last) = parts.last_mut().filter(|_| open) {
                last.lines.end = n;
            }
            open = word == "func";
        }
        if word == "func" {
            let name = line.split_whitespace().find_map(|w| w.strip_prefix('@'));
            let name = name.ok_or_else(|| format!("line {}: a function without a name", n + 1))?;
            parts.push(Part { name, signature: line.trim_end(), lines: n..lines.len() });
        }
    }
    Ok(parts)
}

/// The test that these lines describe.
fn case<'a>(name: Option<String>, text: String, lines: impl Iterator<Item = &'a str>) -> Case {
    let mut case =
        Case { name, text, launch: None, expected: Expectations::default(), known: None, problem: None };
    for line in lines {
        let line = line.trim();
        let read = if let Some(what) = line.strip_prefix("; known:") {
            case.known = Some(what.trim().to_owned());
            if what.trim().is_empty() { Err("`; known:` does not say what".to_owned()) } else { Ok(()) }
        } else if let Some(words) = line.strip_prefix("; launch ") {
            subject::Launch::read(words).map(|l| case.launch = Some(l))
        } else {
            Expectation::read(line).map(|e| case.expected.list.extend(e))
        };
        if let Err(problem) = read {
            case.problem = Some(problem);
        }
    }
    if case.problem.is_none() {
        case.problem = case.expected.problem();
    }
    case
}
