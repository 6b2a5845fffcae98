//! Expectations and how they are compared.
//!
//! | line | meaning |
//! | --- | --- |
//! | `; check: TEXT` | a line behind the last one matched contains TEXT |
//! | `; next: TEXT` | the line right behind the last one matched contains TEXT |
//! | `; not: TEXT` | no line between the last one matched and the next one contains TEXT |
//! | `; same` | the passes leave the function byte for byte as it is |
//! | `; gone` | the function is no longer there |
//! | `; accepted` | the verifier has nothing to say |
//! | `; error: TEXT` | it is refused with a message that contains TEXT |
//!
//! Matched lines themselves are not between: what must not stand in one is told by the text around it.
//!
//! White space of any length is one space. TEXT begins and ends where a word does: `v1` is not found in `v10`. `{name}`
//! in TEXT stands for one name of the printer, such as `v7`, `block2`, `s3` or `@12`: which one is free where it stands
//! first, and the same from there on.

use std::collections::HashMap;

/// An expectation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expectation {
    /// `; check:`
    Check(String),
    /// `; next:`
    Next(String),
    /// `; not:`
    Not(String),
    /// `; same`
    Same,
    /// `; gone`
    Gone,
    /// `; accepted`
    Accepted,
    /// `; error:`
    Error(String),
}

impl Expectation {
    /// The expectation that a line is, if it is one. A comment whose first word looks like one and is none is an error.
    pub fn read(line: &str) -> Result<Option<Expectation>, String> {
        let Some(comment) = line.trim().strip_prefix(';') else { return Ok(None) };
        let comment = comment.trim();
        let read = match comment.split_once(':') {
            Some((word, text)) if word.chars().all(|c| c.is_ascii_lowercase()) => {
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                let kind = match word {
                    "check" => Expectation::Check,
                    "next" => Expectation::Next,
                    "not" => Expectation::Not,
                    "error" => Expectation::Error,
                    // These are read elsewhere.
                    "known" => return Ok(None),
                    _ => return Err(format!("`; {word}:` is no expectation")),
                };
                if text.is_empty() {
                    return Err(format!("`; {word}:` expects nothing"));
                }
                kind(text)
            }
            _ => match comment {
                "same" => Expectation::Same,
                "gone" => Expectation::Gone,
                "accepted" => Expectation::Accepted,
                "check" | "next" | "not" | "error" => return Err(format!("`; {comment}` lacks a text")),
                _ => return Ok(None),
            },
        };
        Ok(Some(read))
    }
}

/// The expectations of a test, in order.
#[derive(Clone, Default, Debug)]
pub struct Expectations {
    /// All of them.
    pub list: Vec<Expectation>,
}

impl Expectations {
    /// What is wrong with them, if they could not fail or contradict each other.
    pub fn problem(&self) -> Option<String> {
        use Expectation::*;
        let lines = self.list.iter().filter(|e| matches!(e, Check(_) | Next(_) | Not(_))).count();
        let problem = match &self.list[..] {
            [] => "the test expects nothing",
            [Same | Gone | Accepted | Error(_)] => return None,
            list if lines < list.len() => "`same`, `gone`, `accepted` and `error` stand alone",
            [Next(_), ..] => "`next` stands behind a `check`",
            list if !list.iter().any(|e| matches!(e, Check(_))) => {
                "`not` alone would not see a function that is gone"
            }
            list if list.windows(2).any(|w| matches!(w, [Not(_), Next(_)])) => {
                "nothing is between a line and the next"
            }
            _ => return None,
        };
        Some(problem.to_owned())
    }
}

/// What a test looks at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Text; a run's findings have to be expected, each one.
    Text {
        /// The lines.
        text: String,
        /// The same before, where a pass was run.
        before: Option<String>,
        /// Lines that begin with one of these must be matched by an expectation.
        announced: &'static [&'static str],
    },
    /// The function is not there any more.
    Gone,
    /// The verifier has nothing to say.
    Accepted,
    /// It was refused with these messages.
    Refused(Vec<String>),
}

/// What a test looks at, with a name for messages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// How it came about, empty where there is one way only.
    pub title: &'static str,
    /// What it is.
    pub outcome: Outcome,
}

impl View {
    /// The text for people.
    fn shown(&self) -> String {
        match &self.outcome {
            Outcome::Text { text, .. } => text.clone(),
            Outcome::Gone => "(the function is gone)\n".to_owned(),
            Outcome::Accepted => "(accepted)\n".to_owned(),
            Outcome::Refused(messages) => messages.join("\n"),
        }
    }

    /// Whether all expectations hold.
    pub fn fulfils(&self, expected: &Expectations) -> Result<(), String> {
        let shown = self.shown();
        if std::env::var_os("CUDAIR_FILETEST_SHOW").is_some() {
            println!("--- {}\n{}", self.title, shown.trim_end());
        }
        let holds = match (&expected.list[..], &self.outcome) {
            ([Expectation::Same], Outcome::Text { text, before: Some(before), .. }) => {
                if text == before {
                    Ok(())
                } else {
                    Err(format!("it is not the same\nbefore:\n{before}"))
                }
            }
            ([Expectation::Same], Outcome::Text { .. }) => Err("`same` is for passes".to_owned()),
            ([Expectation::Gone], Outcome::Gone) | ([Expectation::Accepted], Outcome::Accepted) => Ok(()),
            ([Expectation::Error(text)], Outcome::Refused(messages)) => {
                let mut names = HashMap::new();
                let told = messages.iter().any(|m| find(&normal(m), text, &mut names) == Ok(true));
                if told { Ok(()) } else { Err(format!("no message contains `{text}`")) }
            }
            (list, Outcome::Text { text, announced, .. })
                if !matches!(list, [Expectation::Gone | Expectation::Accepted | Expectation::Error(_)]) =>
            {
                compare(list, text, announced)
            }
            (list, _) => Err(format!("it is not what is expected: {:?}", list[0])),
        };
        let title = if self.title.is_empty() { String::new() } else { format!(" ({})", self.title) };
        holds.map_err(|problem| format!("{problem}{title}\n{shown}"))
    }
}

fn normal(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Compares a text with the checks.
fn compare(list: &[Expectation], text: &str, announced: &[&str]) -> Result<(), String> {
    let lines: Vec<String> = text.lines().map(normal).collect();
    let mut names = HashMap::new();
    let mut nots: Vec<&str> = Vec::new();
    let mut matched = Vec::new();
    let mut at = 0;
    let absent = |nots: &[&str], lines: &[String], names: &HashMap<String, String>| -> Result<(), String> {
        for not in nots {
            for line in lines {
                let mut known = names.clone();
                let found = find(line, not, &mut known)?;
                if known.len() > names.len() {
                    return Err(format!("`not: {not}` has a name that nothing before it explains"));
                }
                if found {
                    return Err(format!("`not: {not}` is found: {line}"));
                }
            }
        }
        Ok(())
    };
    for expectation in list {
        let found = match expectation {
            Expectation::Not(text) => {
                nots.push(text);
                continue;
            }
            Expectation::Check(text) => {
                let mut found = None;
                for (n, line) in lines.iter().enumerate().skip(at) {
                    if find(line, text, &mut names)? {
                        found = Some(n);
                        break;
                    }
                }
                found.ok_or_else(|| {
                    let behind =
                        lines.get(at.wrapping_sub(1)).map(|l| format!(" behind: {l}")).unwrap_or_default();
                    format!("`check: {text}` is not found{behind}")
                })?
            }
            Expectation::Next(text) => match lines.get(at) {
                Some(line) if find(line, text, &mut names)? => at,
                line => {
                    let there = line.map_or("the end", String::as_str);
                    return Err(format!("`next: {text}` is not what follows, but: {there}"));
                }
            },
            _ => return Err("this expectation stands alone".to_owned()),
        };
        absent(&nots, &lines[at..found], &names)?;
        nots.clear();
        matched.push(found);
        at = found + 1;
    }
    absent(&nots, &lines[at..], &names)?;
    let unexpected =
        |(n, line): &(usize, &String)| announced.iter().any(|a| line.starts_with(a)) && !matched.contains(n);
    match lines.iter().enumerate().find(unexpected) {
        Some((_, line)) => Err(format!("this is not expected: {line}")),
        None => Ok(()),
    }
}

/// Whether `text` is found in `line`. Names that stand in it first are added to `names` if it is.
fn find(line: &str, text: &str, names: &mut HashMap<String, String>) -> Result<bool, String> {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let inside =
        |before: &str, after: &str| is_word(before.chars().next_back()) && is_word(after.chars().next());
    for (start, _) in line.char_indices() {
        if inside(&line[..start], &line[start..]) && (is_word(text.chars().next()) || text.starts_with('{')) {
            continue;
        }
        let mut known = names.clone();
        if let Some(end) = matches_at(&line[start..], text, &mut known)? {
            let end = start + end;
            if !inside(&line[..end], &line[end..]) {
                *names = known;
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// The end of `text` at the start of `line`, if it is there.
fn matches_at(line: &str, text: &str, names: &mut HashMap<String, String>) -> Result<Option<usize>, String> {
    let (mut line_at, mut rest) = (0, text);
    while !rest.is_empty() {
        if let Some((name, behind)) = capture(rest) {
            let there = printed_name(&line[line_at..]);
            match names.get(name) {
                Some(known) if known == there => {}
                Some(_) => return Ok(None),
                None if there.is_empty() => return Ok(None),
                None => {
                    names.insert(name.to_owned(), there.to_owned());
                }
            }
            line_at += there.len();
            rest = behind;
            continue;
        }
        let literal = rest[1..].find('{').map_or(rest.len(), |n| n + 1);
        if !line[line_at..].starts_with(&rest[..literal]) {
            return Ok(None);
        }
        line_at += literal;
        rest = &rest[literal..];
    }
    Ok(Some(line_at))
}

/// The name in braces at the start of a text, and what follows. A lone brace is itself.
fn capture(text: &str) -> Option<(&str, &str)> {
    let (name, behind) = text.strip_prefix('{')?.split_once('}')?;
    let fits = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    fits.then_some((name, behind))
}

/// The name of the printer at the start of a line: letters and a number, or `@` and a number.
fn printed_name(line: &str) -> &str {
    let head =
        if line.starts_with('@') { 1 } else { line.bytes().take_while(u8::is_ascii_lowercase).count() };
    let digits = line[head..].bytes().take_while(u8::is_ascii_digit).count();
    if head == 0 || digits == 0 { "" } else { &line[..head + digits] }
}

/// Texts with expectations that hold of them or do not: what this file promises.
const EXAMPLES: &[(&str, &str, bool)] = &[
    ("check: iadd", "v1 = iadd.i32 v0, v0", true),
    ("check: isub", "v1 = iadd.i32 v0, v0", false),
    ("check: v1", "v10 = iadd.i32 v0, v0", false),
    ("check: exit 4", "exit 42", false),
    ("check: exit 1", "exit -1", false),
    ("check: load.i32   v0 site0", "v1 = load.i32 v0        site0", true),
    ("check: a|check: b", "a\nb", true),
    ("check: b|check: a", "a\nb", false),
    ("check: a|check: a", "a", false),
    ("check: a|next: c", "a\nb\nc", false),
    ("check: a|next: b", "a\nb\nc", true),
    ("not: b|check: c", "a\nb\nc", false),
    ("check: a|not: b|check: c", "b\na\nc\nb", true),
    ("check: a|not: b", "b\na\nc\nb", false),
    ("check: {x} = a|next: b {x}", "v1 = a\nb v1", true),
    ("check: {x} = a|next: b {x}", "v1 = a\nb v2", false),
    ("check: {x} = a|next: b {x}", "v1 = a\nb v10", false),
    ("check: {x}, {x}", "v1, v2, v2", true),
    ("check: jump {b}|check: {b}:", "jump block2\nblock1:\nblock2:", true),
    ("check: switch v0 {", "switch v0 {", true),
    ("check: {x} = a|not: {y}", "v1 = a\nb v1", false),
    ("check: exit", "exit 0\nerror out-of-bounds: x", false),
    ("check: exit|check: error out-of-bounds", "exit 0\nerror out-of-bounds: x", true),
];

/// Lists that cannot be told from ones that hold of everything, or that contradict themselves.
const REFUSED: &[&str] = &[
    "",
    "not: a",
    "next: a",
    "check:",
    "check",
    "chekc: a",
    "same|check: a",
    "gone|same",
    "error: a|error: b",
    "check: a|not: b|next: c",
];

/// Whether this file keeps what it promises; it is a test among the others.
pub fn examples_hold() -> Result<(), String> {
    let read = |list: &str| -> Result<Expectations, String> {
        let mut expected = Expectations::default();
        for line in list.split('|') {
            expected.list.extend(Expectation::read(&format!("; {line}"))?);
        }
        expected.problem().map_or(Ok(expected), Err)
    };
    for &(list, text, holds) in EXAMPLES {
        let result = compare(&read(list)?.list, text, &["error "]);
        if result.is_ok() != holds {
            return Err(format!("`{list}` of {text:?}: {result:?}"));
        }
    }
    match REFUSED.iter().find(|list| read(list).is_ok()) {
        Some(list) => Err(format!("`{list}` is taken")),
        None => Ok(()),
    }
}
