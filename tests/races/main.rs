//! The race fuzzer: random kernels, whose races a reference works out by brute force, and kernels whose races are known
//! by construction.
//!
//! | file | what is in it |
//! | --- | --- |
//! | [`program`], [`generate`], [`print`](mod@print) | kernels as data, random ones, and as CUDA C++ |
//! | [`events`], [`reference`] | what each thread does, and which pairs of lines race in some order that the rules leave open |
//! | [`steady`] | the comparison, for kernels in which no branch and no address depends on what is read |
//! | [`litmus`], [`explore`], [`execution`] | programs of a few threads whose branches hang on what is read, all of their executions, and the races of each |
//! | [`dependent`] | the comparison for these |
//! | [`planted`] | patterns that are right, and the same with one thing taken away |
//! | [`cudair`], [`counts`] | runs of the binary, and what came of them |
//! | [`known`] | differences with a known cause |
//! | [`shrink`] | smaller programs that show the same |
//!
//! `./x races CLASS FIRST LAST` runs the kernels of these seeds; plain `cargo test` runs the first few of each class. With
//! CUDAIR_SHRINK set a kernel that fails is made smaller. CUDAIR_BIN names another binary to run. Kernels that fail
//! stay below `target/tmp/races`.

mod counts;
mod cudair;
mod dependent;
mod events;
mod execution;
mod explore;
mod generate;
mod known;
mod litmus;
mod planted;
mod print;
#[allow(dead_code, reason = "what the other tests use of it is not used here")]
#[path = "../ui/process.rs"]
mod process;
mod program;
#[allow(dead_code, reason = "what the other tests use of it is not used here")]
#[path = "../metamorphic/random.rs"]
mod random;
mod reference;
mod shrink;
mod steady;

use counts::Counts;
use generate::Size;
use std::ops::RangeInclusive;
use std::path::Path;
use std::process::ExitCode;

/// The repository's root.
pub const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The classes, each with the seeds that plain tests run.
const CLASSES: [(&str, RangeInclusive<u64>); 4] =
    [("small", 1..=320), ("large", 1..=120), ("dependent", 1..=60), ("planted", 1..=135)];

/// Runs the kernels of a class; whether none differs.
fn class(name: &str, seeds: RangeInclusive<u64>) -> bool {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("races").join(name);
    let (first, last) = (*seeds.start(), *seeds.end());
    let mut counts = Counts::default();
    match name {
        "dependent" => dependent::batch(&folder, seeds, &mut counts),
        "planted" => planted::batch(&folder, seeds, &mut counts),
        "small" => steady::batch(&folder, Size::Small, seeds, &mut counts),
        _ => steady::batch(&folder, Size::Large, seeds, &mut counts),
    }
    println!("{name}, seeds {first} to {last}: {counts}");
    assert!(counts.kernels > 0, "no kernel was compared");
    counts.differ == 0
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|a| a == "--list") {
        return ExitCode::SUCCESS;
    }
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let is_class = |name: &&str| CLASSES.iter().any(|c| c.0 == *name);
    let good = match words.as_slice() {
        ["seeds", name, first, last] if is_class(name) => {
            let (Ok(first), Ok(last)) = (first.parse(), last.parse()) else {
                eprintln!("seeds are numbers: ./x races CLASS FIRST LAST");
                return ExitCode::FAILURE;
            };
            class(name, first..=last)
        }
        ["seeds", ..] => {
            let names: Vec<&str> = CLASSES.iter().map(|c| c.0).collect();
            eprintln!("./x races CLASS FIRST LAST; classes are {}", names.join(", "));
            false
        }
        // Names of tests, or flags of the usual harness, that mean others.
        words if !words.iter().all(|w| w.starts_with('-') || "races".contains(w)) => true,
        _ => CLASSES.into_iter().fold(true, |good, (name, seeds)| class(name, seeds) && good),
    };
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
