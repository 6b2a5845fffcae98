//! The metamorphic test (Chen, Cheung, Yiu, "Metamorphic testing", 1998): every program of the suite is rewritten in
//! ways that change nothing, and has to give the same output, exit code and findings, places mapped back to the
//! original's.
//!
//! | file | what is in it |
//! | --- | --- |
//! | [`token`], [`source`] | what a rewrite sees of a program: tokens, and the tree of clang's parse |
//! | [`spelling`] | macros that make text of arguments |
//! | [`text`] | edits, and where each byte of an edited text comes from |
//! | [`rewrite`] | the rewrites, each with its places and its exceptions |
//! | [`apply`] | draws places, and takes back what the parse refuses |
//! | [`case`] | programs, their runs, and what has to be the same |
//! | [`plan`], [`trial`] | which tests there are, and one of them |
//! | [`own`] | tests of the tokenizer and of the places |
//!
//! A test is a rewrite and a program: `comments/tests/run/pass/c/x.cu`. The rewrite `mix` is several, one on top of the
//! other. Programs of `tests/native` are also compiled by the system's compiler before and after, which shows that the
//! rewrite is neutral. CUDAIR_METAMORPHIC says what is run:
//!
//! | value | meaning |
//! | --- | --- |
//! | not set | a small sample, drawn by the commit |
//! | `SEED` | all programs with all rewrites, drawn by this seed |
//! | `SEED/N` | N tests of them |
//! | `count` | no tests: the places and the exceptions of each rewrite are counted over all programs, each revision of them |
//!
//! With CUDAIR_SHRINK set, a test that fails looks for the fewest places with which it fails still. Rewritten programs of
//! tests that fail stay below `target/metamorphic`.

mod apply;
mod case;
#[allow(dead_code, reason = "what the other tests use of it is not used here")]
#[path = "../ui/expect.rs"]
mod expect;
#[path = "../native/host.rs"]
mod host;
mod own;
mod plan;
#[allow(dead_code, reason = "what the other tests use of it is not used here")]
#[path = "../ui/process.rs"]
mod process;
mod random;
mod rewrite;
mod source;
mod spelling;
#[allow(dead_code, reason = "what the other tests use of it is not used here")]
#[path = "../ui/standard.rs"]
mod standard;
mod text;
mod token;
mod trial;

use libtest_mimic::{Arguments, Failed, Trial};

/// The repository's root.
pub const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The stack of a test: the tree is walked as deep as the program nests.
const STACK: usize = 1 << 29;

fn main() {
    let mut arguments = Arguments::from_args();
    let drawn = match plan::draw() {
        Ok(drawn) => drawn,
        Err(problem) => {
            eprintln!("metamorphic: {problem}");
            std::process::exit(2);
        }
    };
    let (seed, counts) = (drawn.seed, drawn.counts);
    let trials = drawn.cases.into_iter().map(|(name, program, rewrite)| {
        Trial::test(name.clone(), move || {
            let shown = name.clone();
            let run = move || {
                if counts { trial::count(&program) } else { trial::run(&name, &program, rewrite, seed) }
            };
            std::thread::Builder::new()
                .stack_size(STACK)
                .spawn(run)
                .map_err(|e| e.to_string())
                .and_then(|thread| thread.join().map_err(|_| "the test panicked".to_owned())?)
                // A whole run takes hours, and tells of all at its end.
                .inspect_err(|problem| eprintln!("{shown}: {problem}"))
                .map_err(Failed::from)
        })
    });
    // Programs with launches on several cores take the rest.
    arguments.test_threads =
        arguments.test_threads.or(std::thread::available_parallelism().ok().map(usize::from));
    let listing = arguments.list;
    let conclusion = libtest_mimic::run(&arguments, trials.chain(own::trials()).collect());
    if listing {
        return;
    }
    println!("{}", drawn.what);
    let shown = trial::summary();
    if arguments.filter.is_none() && shown.idle && !counts {
        println!("a rewrite is applied nowhere, so that its tests show nothing");
        std::process::exit(101);
    }
    if drawn.is_whole && arguments.filter.is_none() && shown.too_many {
        println!("a rewrite leaves out too much");
        std::process::exit(101);
    }
    conclusion.exit();
}
