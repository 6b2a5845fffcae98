//! Which tests there are: all of them, or a sample.

use crate::ROOT;
use crate::case::{Program, Verb};
use crate::random::Random;
use crate::rewrite;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How many tests run unless told otherwise.
const SAMPLE: usize = 28;

/// The tests that were drawn.
pub struct Drawn {
    /// The seed.
    pub seed: u64,
    /// What was drawn, in words.
    pub what: String,
    /// All that there are.
    pub is_whole: bool,
    /// Places are to be counted, and nothing is rewritten.
    pub counts: bool,
    /// Name, program, and the rewrite's number; none is the mix of all.
    pub cases: Vec<(String, Program, Option<usize>)>,
}

/// The programs of the suite, each with its revisions.
fn programs() -> Result<Vec<Vec<Program>>, String> {
    let mut all = Vec::new();
    for (folder, verb) in [
        ("examples", Verb::Run),
        ("tests/run/fail", Verb::Run),
        ("tests/run/pass", Verb::Run),
        ("tests/check/fail", Verb::Check),
        ("tests/check/pass", Verb::Check),
        ("tests/native", Verb::Native),
    ] {
        let mut files = Vec::new();
        files_below(Path::new(folder), &mut files)?;
        if files.is_empty() {
            return Err(format!("no program below {folder}"));
        }
        files.sort();
        for file in files {
            let revisions = Program::read(&file, verb)?;
            if !revisions.is_empty() {
                all.push(revisions);
            }
        }
    }
    Ok(all)
}

/// The sources below a folder, relative to the root. `aux` folders hold files that belong to other tests.
fn files_below(folder: &Path, into: &mut Vec<PathBuf>) -> Result<(), String> {
    let say = |e: std::io::Error| format!("{}: {e}", folder.display());
    for entry in std::fs::read_dir(Path::new(ROOT).join(folder)).map_err(say)? {
        let name = entry.map_err(say)?.file_name();
        let path = folder.join(&name);
        if Path::new(ROOT).join(&path).is_dir() {
            if name != "aux" {
                files_below(&path, into)?;
            }
        } else if path.extension().is_some_and(|e| e == "cu" || e == "c" || e == "cpp") {
            into.push(path);
        }
    }
    Ok(())
}

/// A seed from the commit, so that each has a sample of its own that can be drawn again.
fn seed_of_commit() -> u64 {
    let head = Command::new("git").args(["rev-parse", "HEAD"]).current_dir(ROOT).output();
    let hash = head.map(|out| String::from_utf8_lossy(&out.stdout).into_owned()).unwrap_or_default();
    // Without a repository there is no commit to go by.
    u64::from_str_radix(hash.get(..8).unwrap_or("1"), 16).unwrap_or(1)
}

/// Draws the tests that CUDAIR_METAMORPHIC asks for.
pub fn draw() -> Result<Drawn, String> {
    let asked = std::env::var("CUDAIR_METAMORPHIC").unwrap_or_default();
    if asked == "count" {
        let cases = programs()?
            .into_iter()
            .flatten()
            .map(|program| (format!("count/{}", program.name), program, None))
            .collect();
        let what = "places that rewrites have, and exceptions".to_owned();
        return Ok(Drawn { seed: 1, what, is_whole: true, counts: true, cases });
    }
    let number = |text: &str| {
        text.parse::<u64>().map_err(|_| format!("CUDAIR_METAMORPHIC={asked}: SEED or SEED/N, two numbers"))
    };
    let (seed, most) = match asked.split_once('/') {
        Some((seed, most)) => (number(seed)?, Some(number(most)? as usize)),
        None if asked.is_empty() => (seed_of_commit(), Some(SAMPLE)),
        None => (number(&asked)?, None),
    };
    if most == Some(0) {
        return Err(format!("CUDAIR_METAMORPHIC={asked}: no tests"));
    }
    let programs = programs()?;
    let mut random = Random::new(seed, "the tests");
    let mut cases = Vec::new();
    let name = |rewrite: Option<usize>, program: &Program| {
        format!("{}/{}", rewrite.map_or("mix", |number| rewrite::ALL[number].name), program.name)
    };
    let kinds: Vec<Option<usize>> = (0..rewrite::ALL.len()).map(Some).chain([None]).collect();
    if let Some(most) = most {
        while cases.len() < most {
            let revisions = random.pick(&programs);
            let program = random.pick(revisions).clone();
            // Each rewrite has its turn.
            let rewrite = kinds[cases.len() % kinds.len()];
            cases.push((name(rewrite, &program), program, rewrite));
        }
    } else {
        for revisions in &programs {
            let program = random.pick(revisions);
            for rewrite in &kinds[..kinds.len() - 1] {
                cases.push((name(*rewrite, program), program.clone(), *rewrite));
            }
            for program in revisions {
                cases.push((name(None, program), program.clone(), None));
            }
        }
    }
    let what = format!(
        "seed {seed}, {} of {} programs; CUDAIR_METAMORPHIC={} repeats this",
        cases.len(),
        programs.len(),
        most.map_or(seed.to_string(), |most| format!("{seed}/{most}"))
    );
    println!("metamorphic: {what}");
    Ok(Drawn { seed, what, is_whole: most.is_none(), counts: false, cases })
}
