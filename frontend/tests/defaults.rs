//! What cannot be is a defect that names itself, never a value in its place. A value that stands for what is missing says
//! in a comment beside it why that is right.

mod sources;

use sources::sources;
use std::fs;
use std::path::Path;

/// The parts of the frontend that decide what a program means.
const DECIDING: &[&str] = &["ast", "lower", "recover", "types"];

/// How a value is put in the place of what is missing: a number, a type, nothing of something.
const DEFAULTS: &[&str] = &["unwrap_or(", "unwrap_or_default()", "map_or(0", "map_or(1"];

/// What no default is: another name for the same thing, or a function's own answer.
const HARMLESS: &[&str] = &["definition().unwrap_or("];

/// How many defaults may be left. The number may only become smaller.
const LEFT: usize = 54;

/// The lines with a default, and whether each has its reason: on the line, or above it within its statement.
fn defaults(text: &str) -> Vec<(usize, bool)> {
    let lines: Vec<&str> = text.lines().collect();
    let is_default = |line: &str| {
        let plain = HARMLESS.iter().fold(line.to_owned(), |line, known| line.replace(known, ""));
        !line.trim_start().starts_with("//") && DEFAULTS.iter().any(|d| plain.contains(d))
    };
    let said = |at: usize| lines[at.saturating_sub(4)..=at].iter().any(|l| l.contains("// "));
    (0..lines.len()).filter(|&at| is_default(lines[at])).map(|at| (at + 1, said(at))).collect()
}

#[test]
fn a_default_says_why_it_is_right() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    for part in DECIDING {
        sources(&root.join(part), &mut files);
    }
    assert!(files.len() > 60, "the sources are not where they were: {} files", files.len());
    let (mut all, mut silent) = (0, Vec::new());
    for file in files {
        let text = fs::read_to_string(&file).expect("a source");
        for (line, said) in defaults(&text) {
            all += 1;
            if !said {
                silent.push(format!("{}:{line}", file.strip_prefix(&root).expect("a source").display()));
            }
        }
    }
    assert!(silent.is_empty(), "{} of {all} without a reason:\n{}", silent.len(), silent.join("\n"));
    assert!(all <= LEFT, "{all} defaults, {LEFT} are known");
}

#[test]
fn a_default_without_a_reason_is_seen() {
    assert_eq!(defaults("let size = size(ty).unwrap_or(0);"), [(1, false)]);
    assert_eq!(defaults("// Nothing is there.\nlet size = size(ty).unwrap_or(0);"), [(2, true)]);
    assert_eq!(defaults("let decl = decl.definition().unwrap_or(decl);"), []);
}
