//! Runs of the binary on a file of kernels, and the races that it reports by kernel and line.

use super::print::Source;
use super::process::{Input, run};
use super::program::{Line, Space};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// A race as cudair tells it.
#[derive(Clone, Debug)]
pub struct Told {
    /// The number of the kernel in the file.
    pub kernel: usize,
    pub space: Space,
    /// The smaller first.
    pub lines: (Line, Line),
    pub is_error: bool,
    /// Block and thread of both.
    pub threads: Vec<(u32, u32)>,
    pub message: String,
}

/// What a run says.
#[derive(Default)]
pub struct Report {
    pub races: Vec<Told>,
    /// What no run should say, as a line each: the kernel where that is known.
    pub others: Vec<(Option<usize>, String)>,
    /// Where `check` proves that there is no race: kernel and memory.
    pub proved: Vec<(usize, Space)>,
    /// The kernels whose launches a run proves to be right for every content of memory.
    pub by_run: Vec<usize>,
}

fn number(v: &Value) -> Option<usize> {
    v.as_u64().map(|n| n as usize)
}

/// Runs a file with these options.
pub fn report(folder: &Path, name: &str, source: &Source, options: &[&str]) -> Result<Report, String> {
    told(folder, name, source, &[&["run", "--no-repair"], options].concat())
}

/// What a run says of the contents of memory that it has not seen. What the analyses say is left aside, and so is the
/// time that a solver takes.
pub fn proofs_by_run(folder: &Path, name: &str, source: &Source) -> Result<Vec<usize>, String> {
    let told = told(folder, name, source, &["run", "--no-repair", "--isolate", "--verdicts"])?;
    Ok(told.by_run)
}

/// What `check` says of the races in a file without running it.
pub fn checked(folder: &Path, name: &str, source: &Source) -> Result<Report, String> {
    told(folder, name, source, &["check", "--no-repair"])
}

/// Runs a command on a file.
fn told(folder: &Path, name: &str, source: &Source, words: &[&str]) -> Result<Report, String> {
    let fail = |e: std::io::Error| format!("{}: {e}", folder.display());
    std::fs::create_dir_all(folder).map_err(fail)?;
    let (file, findings) = (format!("{name}.cu"), format!("{name}.json"));
    std::fs::write(folder.join(&file), &source.text).map_err(fail)?;
    let binary = std::env::var_os("CUDAIR_BIN").unwrap_or_else(|| env!("CARGO_BIN_EXE_cudair").into());
    let mut command = Command::new(binary);
    command.args(words);
    command.args(["--format", "json", "--max-findings", "1000000", "--jobs", "1", "--report", &findings]);
    command.arg(&file);
    let outcome = run(&mut command, folder, Input::Text(""))?;
    let text = std::fs::read_to_string(folder.join(&findings)).unwrap_or_default();
    if !matches!(outcome.code, 0 | 3) {
        let why: String = text.lines().filter(|l| l.contains("\"diagnostic\"")).collect();
        return Err(format!("exit {}: {}{why}", outcome.code, outcome.stderr));
    }
    let mut out = Report::default();
    for line in text.lines() {
        let v: Value = serde_json::from_str(line).map_err(|e| format!("{file}: {e}: {line}"))?;
        read(&v, source, &mut out).map_err(|why| format!("{file}: {why}: {line}"))?;
    }
    Ok(out)
}

fn read(v: &Value, source: &Source, out: &mut Report) -> Result<(), &'static str> {
    let place = |span: &Value| -> Option<(usize, Line)> {
        let line = number(&span["line"])?;
        source.places.get(line).copied().flatten()
    };
    let kernel = v["kernel"].as_str().and_then(|k| k.strip_prefix('k')?.parse().ok());
    if v["type"] == "verdict" {
        if v["run"]["proved"] == true {
            out.by_run.push(kernel.ok_or("a verdict on no kernel")?);
        }
        for check in v["checks"].as_array().into_iter().flatten().filter(|c| c["verdict"] == "proved") {
            let space = match check["check"].as_str() {
                Some("shared-race") => Space::Shared,
                Some("global-race") => Space::Global,
                _ => continue,
            };
            out.proved.push((kernel.ok_or("a verdict on no kernel")?, space));
        }
        return Ok(());
    }
    if v["certainty"] == "possible" {
        // Of the analyses, where a run shows what it did not confirm.
        return Ok(());
    }
    let space = match v["kind"].as_str() {
        Some("shared-race") => Space::Shared,
        Some("global-race") => Space::Global,
        // What the comparison is not about.
        Some("uninitialized-read") => return Ok(()),
        Some("barrier-divergence") if v["origin"] == "static" => return Ok(()),
        // Of words of which not all was looked at races are shown or not: what is missed fails.
        None if v["type"] == "summary" && v["left_out"] == 0 => return Ok(()),
        _ => {
            out.others.push((kernel, v.to_string()));
            return Ok(());
        }
    };
    let first = place(&v["primary"]).ok_or("the first place is no access")?;
    let second = v["related"].get(0).map_or(Some(first), place).ok_or("the second place is no access")?;
    if first.0 != second.0 {
        return Err("the two places are of two kernels");
    }
    let thread = |t: &Value| Some((t["block"][0].as_u64()? as u32, t["thread"][0].as_u64()? as u32));
    let threads: Option<Vec<(u32, u32)>> =
        v["threads"].as_array().and_then(|all| all.iter().map(thread).collect());
    out.races.push(Told {
        kernel: first.0,
        space,
        lines: (first.1.min(second.1), first.1.max(second.1)),
        is_error: v["severity"] == "error",
        threads: threads.ok_or("no threads")?,
        message: v["message"].as_str().unwrap_or_default().to_owned(),
    });
    Ok(())
}
