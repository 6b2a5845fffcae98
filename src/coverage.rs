//! `--coverage`: which lines, functions and branches of the user's files a run came to, in the format of lcov's `.info`
//! files (`geninfo(1)`, "TRACEFILE FORMAT").
//!
//! A line's number is how many threads came to it. Of several counters of a line in one function the largest counts, so
//! that a loop on one line counts its condition; copies of a function (instances of a template, a function of host
//! and device) are added.

use cudair_ir::{FileId, SourceMap};
use cudair_passes::transform::count::{Counted, LineOf};
use cudair_vm::Counters;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

/// The value of the option.
#[derive(Clone, Debug)]
pub struct Coverage(pub PathBuf);

/// `lcov:FILE`
pub fn target(text: &str) -> Result<Coverage, String> {
    match text.split_once(':') {
        Some(("lcov", file)) if !file.is_empty() => Ok(Coverage(file.into())),
        _ => Err("expected the format and a file, such as lcov:coverage.info".to_owned()),
    }
}

/// What is known of one file.
#[derive(Default)]
struct Executed {
    lines: BTreeMap<u32, u64>,
    functions: BTreeMap<(u32, String), u64>,
    /// The branches of a line, each with how often each way was taken.
    branches: BTreeMap<u32, Vec<Vec<u64>>>,
}

/// What a run came to, as text.
pub fn lcov(map: &SourceMap, counted: &[Counted], counts: &Counters) -> String {
    let path = |file: FileId| map.files[file].path.as_str();
    let mut files: BTreeMap<&str, Executed> = BTreeMap::new();
    // Copies of one function have the same branches at the same lines.
    let mut copies: BTreeMap<Vec<(FileId, u32, usize)>, Vec<&Counted>> = BTreeMap::new();
    for c in counted {
        if let Some((name, (file, line))) = &c.function {
            let functions = &mut files.entry(path(*file)).or_default().functions;
            *functions.entry((*line, name.clone())).or_default() += counts.get(c.calls);
        }
        let mut lines: BTreeMap<LineOf, u64> = BTreeMap::new();
        for &(line, counter) in &c.lines {
            let most = lines.entry(line).or_default();
            *most = counts.get(counter).max(*most);
        }
        for ((file, line), n) in lines {
            *files.entry(path(file)).or_default().lines.entry(line).or_default() += n;
        }
        let shape = c.branches.iter().map(|((file, line), ways)| (*file, *line, ways.len()));
        copies.entry(shape.collect()).or_default().push(c);
    }
    for (shape, functions) in copies {
        for (n, (file, line, ways)) in shape.into_iter().enumerate() {
            let taken = |way: usize| functions.iter().map(|c| counts.get(c.branches[n].1[way])).sum();
            let branches = files.entry(path(file)).or_default().branches.entry(line).or_default();
            branches.push((0..ways).map(taken).collect());
        }
    }
    let mut out = String::new();
    for (path, executed) in files {
        executed.write(path, &mut out);
    }
    out
}

impl Executed {
    fn write(&self, path: &str, out: &mut String) {
        let mut put = |line: std::fmt::Arguments<'_>| {
            let _ = writeln!(out, "{line}");
        };
        put(format_args!("TN:"));
        put(format_args!("SF:{path}"));
        for (line, name) in self.functions.keys() {
            put(format_args!("FN:{line},{name}"));
        }
        for ((_, name), n) in &self.functions {
            put(format_args!("FNDA:{n},{name}"));
        }
        put(format_args!("FNF:{}", self.functions.len()));
        put(format_args!("FNH:{}", self.functions.values().filter(|&&n| n > 0).count()));
        for (line, branches) in &self.branches {
            for (block, ways) in branches.iter().enumerate() {
                let reached = ways.iter().any(|&n| n > 0);
                for (way, n) in ways.iter().enumerate() {
                    if reached {
                        put(format_args!("BRDA:{line},{block},{way},{n}"));
                    } else {
                        put(format_args!("BRDA:{line},{block},{way},-"));
                    }
                }
            }
        }
        let ways = || self.branches.values().flatten().flatten();
        put(format_args!("BRF:{}", ways().count()));
        put(format_args!("BRH:{}", ways().filter(|&&n| n > 0).count()));
        for (line, n) in &self.lines {
            put(format_args!("DA:{line},{n}"));
        }
        put(format_args!("LF:{}", self.lines.len()));
        put(format_args!("LH:{}", self.lines.values().filter(|&&n| n > 0).count()));
        put(format_args!("end_of_record"));
    }
}
