//! The fuzzer of textual IR: `.cir` text → parser → verifier → passes → bytecode → run, in process.
//!
//! Inputs are the suite's own programs as `cudair lower` prints them, changed a few times: mostly by changes that know of
//! types, of the module in memory, and sometimes by changes of the text. What the verifier accepts has to run, to be a
//! finding, or to be named as unsupported; what it refuses has to be refused with a message. Nothing may panic, crash,
//! hang beyond its fuel or end in an internal error; a module prints and parses to itself, verifies behind each pass, and
//! the same input gives the same findings when it runs again.
//!
//! | file | what is in it |
//! | --- | --- |
//! | [`programs`] | the programs, lowered |
//! | [`mutate`], [`insert`], [`edit`] | changes that know of types |
//! | [`text`] | changes of text |
//! | [`trial`] | one input, and what came of it |
//! | [`worker`] | a process that examines inputs one after the other: a crash ends it alone |
//! | [`shrink`] | smaller inputs that fail in the same way |
//! | [`known`] | failures with a known cause |
//!
//! `corpus` has inputs that once failed, named by what they show; `; verdict: NAME` at their head says what they have to
//! come to. They all run first, whatever is drawn.
//!
//! CUDAIR_CIR says which cases run: `SEED/N` N cases of this seed, `SEED` as many as a nightly run takes, nothing a small
//! sample drawn by the commit. `cargo test --test cir -- case SEED NUMBER` runs one case and prints its input. Inputs that
//! fail stay below `target/tmp/cir`, made smaller.

mod edit;
#[allow(dead_code, reason = "what the other tests use of it is not used here")]
#[path = "../ui/expect.rs"]
mod expect;
mod insert;
mod known;
mod mutate;
#[allow(dead_code, reason = "what the other tests use of it is not used here")]
#[path = "../ui/optional.rs"]
mod optional;
#[allow(dead_code, reason = "what the command uses of it is not used here")]
#[path = "../../src/oracle.rs"]
mod oracle;
#[path = "../ui/paper.rs"]
mod paper;
#[allow(dead_code, reason = "what the other tests use of it is not used here")]
#[path = "../ui/process.rs"]
mod process;
mod programs;
#[allow(dead_code, reason = "what the other tests use of it is not used here")]
#[path = "../metamorphic/random.rs"]
mod random;
#[path = "../../src/reach.rs"]
mod reach;
mod shrink;
#[allow(dead_code, reason = "what the other tests use of it is not used here")]
#[path = "../ui/standard.rs"]
mod standard;
mod text;
mod trial;
mod worker;

/// What the command's modules ask of the command.
mod pipeline {
    /// Faults of one kind in an input that are told.
    pub const MAX_TOLD: usize = 20;
}

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// The repository's root.
pub const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Cases that plain tests run.
const SAMPLE: u64 = 300;
/// Cases that a nightly run takes.
const WHOLE: u64 = 20_000;
/// How long a worker may be silent.
const PATIENCE: Duration = Duration::from_secs(90);

/// The same where cudair is built to be slow.
fn patience() -> Duration {
    let times = std::env::var("CUDAIR_TEST_PATIENCE").ok().and_then(|n| n.parse().ok());
    PATIENCE * times.unwrap_or(1)
}
/// Failures that are made smaller.
const SHRUNK: usize = 12;

/// A failure as a worker told it.
struct Failed {
    case: String,
    key: String,
    told: String,
    known: Option<String>,
    file: PathBuf,
}

/// What all workers told.
#[derive(Default)]
struct Counts {
    verdicts: BTreeMap<String, u64>,
    failed: Vec<Failed>,
    cases: u64,
}

impl Counts {
    fn of(&self, name: &str) -> u64 {
        self.verdicts.get(name).copied().unwrap_or(0)
    }
}

/// Where inputs that fail stay.
fn folder() -> PathBuf {
    // Two runs at a time do not meet.
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("cir").join(std::process::id().to_string())
}

/// The seed of the commit, as the other samples draw it.
fn seed_of_commit() -> u64 {
    let head = Command::new("git").args(["rev-parse", "HEAD"]).current_dir(ROOT).output();
    let hash = head.map(|out| String::from_utf8_lossy(&out.stdout).into_owned()).unwrap_or_default();
    u64::from_str_radix(hash.get(..8).unwrap_or("1"), 16).unwrap_or(1)
}

/// Seed and number of cases.
fn drawn() -> Result<(u64, u64), String> {
    let asked = std::env::var("CUDAIR_CIR").unwrap_or_default();
    let number =
        |t: &str| t.parse::<u64>().map_err(|_| format!("CUDAIR_CIR={asked}: SEED or SEED/N, two numbers"));
    let (seed, n) = match asked.split_once('/') {
        Some((seed, n)) => (number(seed)?, number(n)?),
        None if asked.is_empty() => (seed_of_commit(), SAMPLE),
        None => (number(&asked)?, WHOLE),
    };
    if n == 0 { Err(format!("CUDAIR_CIR={asked}: no cases")) } else { Ok((seed, n)) }
}

fn this_program() -> Result<Command, String> {
    std::env::current_exe().map(Command::new).map_err(|e| format!("no path of this program: {e}"))
}

/// Runs one worker to its end; the case at which it ended too early, and why.
fn work(words: &[String], log: &Path) -> Result<Option<String>, String> {
    let say = |e: std::io::Error| format!("a worker: {e}");
    let errors = std::fs::File::create(log.with_extension("stderr")).map_err(say)?;
    let mut child = this_program()?.arg("worker").arg(log).args(words).stderr(errors).spawn().map_err(say)?;
    let length = || std::fs::metadata(log).map_or(0, |m| m.len());
    let (mut last, mut since) = (length(), Instant::now());
    loop {
        if let Some(status) = child.try_wait().map_err(say)? {
            return Ok((!status.success()).then(|| format!("the process ended: {status}")));
        }
        if length() != last {
            (last, since) = (length(), Instant::now());
        }
        if since.elapsed() > patience() {
            child.kill().map_err(say)?;
            child.wait().map_err(say)?;
            return Ok(Some(format!("it did not end within {} s", patience().as_secs())));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Reads a log from a line on; gives the case that began and did not end.
fn read(log: &Path, counts: &mut Counts) -> Result<Option<String>, String> {
    let text = std::fs::read_to_string(log).map_err(|e| format!("{}: {e}", log.display()))?;
    let mut open = None;
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        match fields.as_slice() {
            ["begin", case] => open = Some((*case).to_owned()),
            ["end", _, verdict] => {
                open = None;
                counts.cases += 1;
                *counts.verdicts.entry((*verdict).to_owned()).or_default() += 1;
            }
            ["fail", case, key, told, known, file] => counts.failed.push(Failed {
                case: (*case).to_owned(),
                key: (*key).to_owned(),
                told: (*told).to_owned(),
                known: (!known.is_empty()).then(|| (*known).to_owned()),
                file: PathBuf::from(file),
            }),
            ["none"] => optional::left_out("no program is lowered here, so that there is no IR to change"),
            _ => return Err(format!("a worker says: {line}")),
        }
    }
    Ok(open)
}

/// Runs workers until all cases are done.
fn cases(seed: u64, n: u64, counts: &mut Counts) -> Result<(), String> {
    let folder = folder();
    let mut from = 0;
    let mut turn = 0;
    while from < n {
        let log = folder.join(format!("log{turn}"));
        turn += 1;
        let words = ["cases".to_owned(), seed.to_string(), from.to_string(), n.to_string()];
        let ended = work(&words, &log)?;
        let open = read(&log, counts)?;
        let Some(why) = ended else { return Ok(()) };
        let errors = std::fs::read_to_string(log.with_extension("stderr")).unwrap_or_default();
        let Some(case) = open.and_then(|c| c.parse::<u64>().ok()) else {
            return Err(format!("a worker failed outside of a case: {why}\n{errors}"));
        };
        crashed(seed, case, &why, &errors, counts)?;
        from = case + 1;
    }
    Ok(())
}

/// Notes a case with which the worker's process ended.
fn crashed(seed: u64, case: u64, why: &str, errors: &str, counts: &mut Counts) -> Result<(), String> {
    counts.cases += 1;
    *counts.verdicts.entry("failed".to_owned()).or_default() += 1;
    let file = folder().join(format!("{seed}-{case}.cir"));
    let words = ["input".to_owned(), seed.to_string(), case.to_string(), file.display().to_string()];
    work(&words, &file.with_extension("log"))?;
    let last = errors.lines().find(|l| l.contains("ERROR:") || l.contains("overflow")).unwrap_or_default();
    let told = format!("{why} {last}");
    let plain: String = told.chars().filter(|c| !c.is_ascii_digit()).take(100).collect();
    counts.failed.push(Failed {
        case: case.to_string(),
        key: format!("crash: {plain}"),
        told,
        known: None,
        file,
    });
    Ok(())
}

/// Prints each failure once, its input made smaller.
fn tell(seed: u64, counts: &Counts) {
    let mut told: Vec<&str> = Vec::new();
    for f in counts.failed.iter().filter(|f| f.known.is_none()) {
        if told.contains(&f.key.as_str()) {
            continue;
        }
        told.push(&f.key);
        let like = counts.failed.iter().filter(|g| g.key == f.key).count();
        println!("\ncase {} ({like} like it): {}", f.case, f.told.replace("\\n", "\n"));
        println!("  `cargo test --test cir -- case {seed} {}` repeats it", f.case);
        if !f.file.starts_with(folder()) {
            // An input of the corpus.
            continue;
        }
        if told.len() > SHRUNK {
            println!("  {} (not made smaller)", f.file.display());
            continue;
        }
        let words = ["shrink".to_owned(), f.file.display().to_string(), f.key.clone()];
        let _ = work(&words, &f.file.with_extension("shrink"));
        println!("  {}", f.file.display());
        match std::fs::read_to_string(&f.file) {
            Ok(text) if text.len() < 6000 => println!("{text}"),
            Ok(text) => println!("({} bytes)", text.len()),
            Err(_) => println!("(there is no text of it)"),
        }
    }
}

fn all() -> Result<bool, String> {
    let (seed, n) = drawn()?;
    println!("cir: seed {seed}, {n} cases; CUDAIR_CIR={seed}/{n} repeats this");
    let folder = folder();
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut counts = Counts::default();
    let log = folder.join("corpus");
    let ended = work(&["corpus".to_owned()], &log)?;
    let open = read(&log, &mut counts)?;
    if let Some(why) = ended {
        return Err(format!("corpus/{}: {why}", open.unwrap_or_default()));
    }
    let corpus = counts.cases;
    cases(seed, n, &mut counts)?;
    tell(seed, &counts);
    let known = counts.failed.iter().filter(|f| f.known.is_some()).count();
    let new = counts.failed.len() - known;
    let verdicts: Vec<String> = counts.verdicts.iter().map(|(name, n)| format!("{n} {name}")).collect();
    println!(
        "cir, seed {seed}: {} cases and {corpus} of the corpus: {}; {known} of a known cause, {new} new",
        counts.cases - corpus,
        verdicts.join(", ")
    );
    if new == 0 {
        let _ = std::fs::remove_dir_all(&folder);
    }
    let ran = counts.of("clean") + counts.of("finding") + counts.of("limit") + counts.of("unsupported");
    if counts.cases > corpus + 200 && ran * 4 < counts.cases {
        return Err("fewer than one case in four ran, so that the changes show little".to_owned());
    }
    Ok(new == 0)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["worker", log, rest @ ..] => worker::work(Path::new(log), rest).map(|()| true),
        ["case", seed, number] => match (seed.parse(), number.parse()) {
            (Ok(seed), Ok(number)) => worker::one(seed, number),
            _ => Err("case SEED NUMBER".to_owned()),
        },
        words if words.contains(&"--list") => Ok(true),
        // Names of tests, or flags of the usual harness, that mean others.
        words if !words.iter().all(|w| w.starts_with('-') || "cir".contains(w)) => Ok(true),
        _ => all(),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            println!("cir: {why}");
            ExitCode::FAILURE
        }
    }
}
