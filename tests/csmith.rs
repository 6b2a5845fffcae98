//! Random programs against the system's compiler: Csmith (Yang et al., "Finding and understanding bugs in C
//! compilers", PLDI 2011) writes programs without undefined behaviour that print a checksum of all they
//! did; cudair's has to be the compiled program's, without a finding.
//!
//! `./x csmith [c|c++] FIRST LAST` runs the programs of these seeds, none left out; the tests run the first
//! few of each language. Where Csmith or a compiler is missing the tests are left out, but in CI they fail. CUDAIR_BIN
//! names another binary to compare.
//!
//! What the compiler refuses or does not end within [`NATIVE`] is counted apart, and so is what cudair does not end
//! within [`PATIENCE`]: as heavy where the program takes more than [`HEAVY`] without the compiler's optimiser, else as
//! slow. Anything else that differs fails, and so do slow programs that are more than one and more than 2 % of those
//! that are compared.

#[path = "ui/optional.rs"]
mod optional;
#[allow(dead_code, reason = "what the other tests use of it is not used here")]
#[path = "ui/process.rs"]
mod process;

use process::{Input, clip, run};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The repository's root.
pub const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// How long a compiled program may run: many of Csmith's never end.
const NATIVE: Duration = Duration::from_secs(2);

/// How long cudair may take for a program that ends natively.
const PATIENCE: Duration = Duration::from_mins(1);

/// How long a program that the compiler does not optimise may run, for cudair to be called slow at it. What the
/// optimiser leaves out altogether says nothing of an interpreter.
const HEAVY: Duration = Duration::from_secs(1);

/// The seeds that the tests run, for each language.
const BATCH: std::ops::RangeInclusive<u64> = 1..=20;

#[derive(Clone, Copy, PartialEq)]
enum Language {
    C,
    Cxx,
}

impl Language {
    fn name(self) -> &'static str {
        if self == Language::C { "C" } else { "C++" }
    }
}

enum Verdict {
    Agrees,
    /// The compiler refuses the program.
    Refused,
    /// The compiled program does not end, or crashes.
    NoEnd,
    /// cudair takes too long, for a program that does much.
    Heavy,
    /// cudair takes too long.
    Slow,
    Differs(String),
}

/// Runs a command to its end, or kills it after `limit`: its code and output, `None` where it was killed.
fn limited(
    command: &mut Command,
    limit: Duration,
    folder: &Path,
    name: &str,
) -> Option<(Option<i32>, String)> {
    // To a file: a pipe that nobody reads would stop the program.
    let path = folder.join(name);
    let file = std::fs::File::create(&path).expect("a file for the output");
    let errors = file.try_clone().expect("the file again");
    let mut child =
        command.stdin(Stdio::null()).stdout(file).stderr(errors).spawn().expect("the command starts");
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("the command can be waited for") {
            break status;
        }
        if start.elapsed() > limit {
            child.kill().expect("the command can be killed");
            child.wait().expect("the command ends");
            return None;
        }
        std::thread::sleep(Duration::from_millis(3));
    };
    let text = std::fs::read(&path).expect("the output");
    Some((status.code(), String::from_utf8_lossy(&text).into_owned()))
}

fn judge(seed: u64, language: Language, folder: &Path, headers: &Path) -> Verdict {
    let (extension, compiler) = if language == Language::C { ("c", "cc") } else { ("cpp", "c++") };
    let source = folder.join(format!("seed{seed}.{extension}"));
    let binary = folder.join(format!("seed{seed}_{extension}.out"));
    let mut generate = Command::new("csmith");
    // Its packed structs have members whose addresses it takes and reads through: misaligned, which is found.
    generate.args(["--no-packed-struct", "--seed", &seed.to_string(), "--output"]).arg(&source);
    if language == Language::Cxx {
        // With commas it takes `(x, NULL)` for a null pointer, which C++ does not.
        generate.args(["--lang-cpp", "--cpp11", "--no-comma-operators"]);
    }
    // It leaves a file beside its output.
    let made = generate.current_dir(folder).output().expect("csmith starts");
    assert!(made.status.success(), "csmith: {}", String::from_utf8_lossy(&made.stderr));
    let file = |what: &str| format!("seed{seed}_{extension}.{what}");
    let compile = |optimise: &str| {
        let mut command = Command::new(compiler);
        command
            .args(["-w", optimise, "-Wno-narrowing", "-I"])
            .arg(headers)
            .arg("-o")
            .arg(&binary)
            .arg(&source);
        matches!(limited(&mut command, PATIENCE, folder, &file("compile")), Some((Some(0), _)))
    };
    let native = |limit: Duration| {
        let ended = limited(&mut Command::new(&binary), limit, folder, &file("native"));
        let _ = std::fs::remove_file(&binary);
        ended
    };
    if !compile("-O1") {
        return Verdict::Refused;
    }
    let Some((Some(code), expected)) = native(NATIVE) else {
        return Verdict::NoEnd;
    };
    let binary = std::env::var_os("CUDAIR_BIN").unwrap_or_else(|| env!("CARGO_BIN_EXE_cudair").into());
    let mut ours = Command::new(binary);
    ours.arg("run").arg("-I").arg(headers).arg(&source).env("NO_COLOR", "1");
    match limited(&mut ours, PATIENCE, folder, &file("cudair")) {
        None if compile("-O0") && native(HEAVY).is_none() => Verdict::Heavy,
        None => Verdict::Slow,
        Some((actual, text)) if actual == Some(code) && text == expected => Verdict::Agrees,
        Some((actual, text)) => Verdict::Differs(format!(
            "{} seed {seed} ({}): natively {code} and {expected:?}, under cudair {actual:?} and\n{}",
            language.name(),
            source.display(),
            clip(&text)
        )),
    }
}

/// Runs these seeds on every core; false where one differs, or too many are slow.
fn batch(seeds: std::ops::RangeInclusive<u64>, language: Language, headers: &Path) -> bool {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("csmith");
    std::fs::create_dir_all(&folder).expect("a folder for the programs");
    let next = AtomicU64::new(*seeds.start());
    // Agreeing, refused, endless, heavy, slow, differing.
    let counts = Mutex::new([0_u64; 6]);
    std::thread::scope(|scope| {
        for worker in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            let (folder, next, counts, seeds) = (folder.join(worker.to_string()), &next, &counts, &seeds);
            scope.spawn(move || {
                std::fs::create_dir_all(&folder).expect("a folder for the programs");
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed > *seeds.end() {
                        return;
                    }
                    let verdict = judge(seed, language, &folder, headers);
                    let index = match &verdict {
                        Verdict::Agrees => 0,
                        Verdict::Refused => 1,
                        Verdict::NoEnd => 2,
                        Verdict::Heavy => 3,
                        Verdict::Slow => {
                            println!("{} seed {seed}: more than {PATIENCE:?}", language.name());
                            4
                        }
                        Verdict::Differs(how) => {
                            println!("{how}");
                            5
                        }
                    };
                    counts.lock().expect("no worker panics while counting")[index] += 1;
                }
            });
        }
    });
    let [agree, refused, endless, heavy, slow, differ] = *counts.lock().expect("no worker panicked");
    println!(
        "{} seeds {} to {}: {agree} agree, {differ} differ, {slow} slow; of no use: {refused} refused by the \
         compiler, {endless} without an end, {heavy} heavy",
        language.name(),
        seeds.start(),
        seeds.end()
    );
    assert!(agree + refused + endless + heavy + slow + differ == seeds.count() as u64, "a seed is missing");
    assert!(agree > 0, "no program was compared");
    differ == 0 && (slow <= 1 || slow * 50 <= agree + slow)
}

/// The folder of Csmith's own headers, or what is missing.
fn headers() -> Result<PathBuf, String> {
    for program in ["csmith", "cc", "c++"] {
        run(Command::new(program).arg("--version"), Path::new("/"), Input::Text(""))
            .map_err(|_| format!("{program} cannot be started (apt-get install csmith g++)"))?;
    }
    std::env::var_os("CSMITH_INCLUDE")
        .map(PathBuf::from)
        .into_iter()
        .chain(
            ["/usr/include/csmith", "/usr/local/include/csmith", "/usr/include", "/usr/local/include"]
                .map(PathBuf::from),
        )
        .chain(versioned("/usr/include"))
        .chain(versioned("/usr/local/include"))
        .find(|folder| folder.join("csmith.h").is_file())
        .ok_or_else(|| "csmith.h is not installed (apt-get install libcsmith-dev)".to_owned())
}

/// Folders `csmith-2.3.0`, as Csmith's own installation makes them.
fn versioned(parent: &str) -> impl Iterator<Item = PathBuf> {
    let entries = std::fs::read_dir(parent).into_iter().flatten().flatten();
    entries.filter(|e| e.file_name().to_string_lossy().starts_with("csmith-")).map(|e| e.path())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|a| a == "--list") {
        return ExitCode::SUCCESS;
    }
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    // Names of tests, or flags of the usual harness, that mean others.
    let seeds = words.first() == Some(&"seeds");
    if !seeds && !words.iter().all(|w| w.starts_with('-') || "csmith".contains(w)) {
        return ExitCode::SUCCESS;
    }
    let headers = match headers() {
        Ok(headers) => headers,
        // Who asks for seeds wants them run.
        Err(why) if seeds => {
            eprintln!("{why}");
            return ExitCode::FAILURE;
        }
        Err(why) => {
            optional::left_out(&why);
            return ExitCode::SUCCESS;
        }
    };
    let good = match words.as_slice() {
        ["seeds", language @ ("c" | "c++"), first, last] => {
            let (Ok(first), Ok(last)) = (first.parse(), last.parse()) else {
                eprintln!("seeds are numbers: ./x csmith [c|c++] FIRST LAST");
                return ExitCode::FAILURE;
            };
            batch(first..=last, if *language == "c" { Language::C } else { Language::Cxx }, &headers)
        }
        ["seeds", ..] => {
            eprintln!("./x csmith [c|c++] FIRST LAST");
            return ExitCode::FAILURE;
        }
        _ => batch(BATCH, Language::C, &headers) & batch(BATCH, Language::Cxx, &headers),
    };
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
