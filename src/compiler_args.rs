//! Options of compilers, as users already write them.
//!
//! What nvcc, clang and gcc call `-Ix`, `-DN=1` or `-arch=sm_80` does not fit a parser of GNU-style
//! options, so these words are taken out of the command line first; what is left is cudair's own.
//! Options that cannot matter here are dropped together with their values.

use crate::cli::Cli;
use clap::CommandFactory;
use std::path::Path;

/// What the compiler options say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompilerArgs {
    /// `-I`, in order.
    pub include_dirs: Vec<String>,
    /// `-isystem`, in order.
    pub system_dirs: Vec<String>,
    /// `-D` and `-U` in order: a definition is `NAME` or `NAME=VALUE`.
    pub macros: Vec<Macro>,
    /// `-include`, in order.
    pub includes: Vec<String>,
    /// `-std=`
    pub std: Option<String>,
    /// `-arch=` and `-gencode`: compute capabilities times ten; none where the device's own is meant.
    pub archs: Vec<u32>,
    /// `-x cu`: every file is CUDA, whatever its name.
    pub force_cuda: bool,
    /// `-fmad=false`, or `-G`, which switches off what optimises: multiplications and additions stay apart.
    pub no_contraction: bool,
    /// `-use_fast_math`: device code calls the fast forms of functions.
    pub fast_math: bool,
    /// The parser reads no file outside of the sources' folders and those named: `--isolate`, which is cudair's own.
    pub isolate: bool,
    /// The program counts what of it runs: `--coverage`, which is cudair's own. Functions that nobody calls are kept, too.
    pub counted: bool,
    /// What was compiled before is taken from the cache, and what is compiled now is kept there.
    pub cached: bool,
    /// The process has read nothing from its standard input, so that it can start again where the parser crashes.
    pub may_restart: bool,
    /// What the file [`STDIN`] holds.
    pub stdin: Option<String>,
}

/// Endings of files that hold sources.
pub const SOURCES: [&str; 10] = ["cu", "cuh", "c", "h", "cc", "cpp", "cxx", "c++", "C", "hpp"];

/// The file that stands for standard input.
pub const STDIN: &str = "-";
/// What reports call it.
pub const STDIN_NAME: &str = "<stdin>";

impl CompilerArgs {
    /// The text of a file that is standard input.
    pub fn text_of(&self, file: &Path) -> Option<&str> {
        self.stdin.as_deref().filter(|_| file == Path::new(STDIN))
    }

    /// Whether a file is textual IR: by its name; standard input by its lines, some of which no C has.
    pub fn is_ir(&self, file: &Path) -> bool {
        let is_item = |l: &str| (l.starts_with("func ") || l.starts_with("global ")) && l.contains(" @");
        match self.text_of(file) {
            Some(text) => !self.force_cuda && text.lines().any(is_item),
            None => file.extension().is_some_and(|e| e == "cir"),
        }
    }

    /// The compute capability, times ten, that a device of this one has the code in: the newest that was compiled for
    /// and runs there; where none does, the newest.
    pub fn arch_on(&self, capability: u32) -> u32 {
        let newest = |most: u32| self.archs.iter().copied().filter(|&a| a <= most).max();
        newest(capability).or_else(|| newest(u32::MAX)).unwrap_or(capability)
    }

    /// The options with which another file is compiled alike on a device of a capability, but for macros and what is
    /// included first.
    pub fn words(&self, capability: u32) -> Vec<String> {
        let mut out: Vec<String> = self.include_dirs.iter().map(|dir| format!("-I{dir}")).collect();
        for dir in &self.system_dirs {
            out.extend(["-isystem".to_owned(), dir.clone()]);
        }
        out.extend(self.std.iter().map(|std| format!("-std={std}")));
        if !self.archs.is_empty() {
            out.push(format!("-arch=sm_{}", self.arch_on(capability)));
        }
        if self.no_contraction {
            out.push("-fmad=false".to_owned());
        }
        if self.fast_math {
            out.push("-use_fast_math".to_owned());
        }
        out
    }
}

/// One `-D` or `-U`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Macro {
    /// `-D`
    Define(String),
    /// `-U`
    Undefine(String),
}

/// The words of a command line, taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// What is cudair's own, `argv[0]` included.
    pub own: Vec<String>,
    /// What follows `--`: the program's arguments.
    pub program: Vec<String>,
    /// The compiler options.
    pub compiler: CompilerArgs,
}

/// Options without effect here that take no value, or one joined to them.
const IGNORED: &[&str] = &[
    "-c",
    "-dc",
    "-dw",
    "-dlink",
    "-rdc",
    "-lineinfo",
    "-pg",
    "-pipe",
    "-w",
    "-S",
    "-E",
    "-s",
    "-v",
    "-ewp",
    "-cuda",
    "-res-usage",
    "-expt-relaxed-constexpr",
    "-expt-extended-lambda",
    "-extended-lambda",
    "-restrict",
    "-ftz",
    "-prec-div",
    "-prec-sqrt",
    "-cubin",
    "-ptx",
    "-fatbin",
    "-keep",
    "-dopt",
    "-lto",
    "-dlto",
    "-split-compile",
    "-extra-device-vectorization",
    "-src-in-ptx",
    "-save-temps",
    "-no-align-double",
    "-nodlink",
    "-shared",
    "-static",
    "-pthread",
    "-pedantic",
    "-ansi",
    "-nocudalib",
    "-nocudainc",
    "-cudart",
    "-cudadevrt",
    "-forward-unknown-to-host-compiler",
    "--generate-line-info",
    "--debug",
    "--profile",
    "--device-c",
    "--relocatable-device-code",
    "--expt-relaxed-constexpr",
    "--expt-extended-lambda",
    "--extended-lambda",
    "--restrict",
    "--ftz",
    "--prec-div",
    "--prec-sqrt",
    "--resource-usage",
    "--disable-warnings",
    "--source-in-ptx",
    "--keep",
    "--cudart",
    "--cudadevrt",
    "--compile",
    "--ptx",
    "--cubin",
    "--fatbin",
    "--shared",
    "--maxrregcount",
    "--optimize",
    "--machine",
    "--display-error-number",
    "--extra-device-vectorization",
    "--dlink-time-opt",
    "--forward-unknown-to-host-compiler",
    "--Wno-deprecated-gpu-targets",
    "--no-cuda-version-check",
    "--cuda-gpu-arch",
    "--cuda-path",
];

/// Options without effect here whose value is the next word, unless it is joined by `=`.
const IGNORED_WITH_VALUE: &[&str] = &[
    "-Xcompiler",
    "-Xptxas",
    "-Xlinker",
    "-Xcudafe",
    "-Xnvlink",
    "-Xarchive",
    "-Xfatbin",
    "-Xclang",
    "-Xcuda-ptxas",
    "-o",
    "-MF",
    "-MT",
    "-MQ",
    "-ccbin",
    "-maxrregcount",
    "-code",
    "-t",
    "-odir",
    "--compiler-options",
    "--ptxas-options",
    "--linker-options",
    "--compiler-bindir",
    "--output-file",
    "--gpu-code",
    "--cudafe-options",
    "--nvlink-options",
    "--fatbin-options",
    "--threads",
    "--library",
    "--library-path",
    "--diag-suppress",
    "-diag-suppress",
    "--relocatable-device-code-value",
];

/// Beginnings of options without effect here, the value joined.
const IGNORED_PREFIXES: &[&str] =
    &["-O", "-W", "-f", "-m", "-g", "-l", "-L", "-M", "-march", "-mtune", "-threads"];

/// Takes the compiler options out of a command line. An error is a sentence for the user.
pub fn split(args: impl IntoIterator<Item = String>) -> Result<Split, String> {
    let mut out = Split::default();
    let mut words = args.into_iter();
    out.own.extend(words.next());
    while let Some(word) = words.next() {
        if word == "--" {
            out.program.extend(words);
            break;
        }
        if !word.starts_with('-') || word == "-" || word == "-h" || word == "-V" {
            out.own.push(word);
            continue;
        }
        if !compiler_option(&mut out.compiler, &word, &mut words)? {
            out.own.push(word);
        }
    }
    Ok(out)
}

/// Takes one option. False if it is none of a compiler's.
fn compiler_option(
    out: &mut CompilerArgs,
    word: &str,
    words: &mut impl Iterator<Item = String>,
) -> Result<bool, String> {
    if matches!(word, "-G" | "--device-debug") {
        out.no_contraction = true;
        return Ok(true);
    }
    if let Some(value) = word.trim_start_matches('-').strip_prefix("use_fast_math") {
        out.fast_math = match value {
            "" | "=true" | "=1" => true,
            "=false" | "=0" => false,
            _ => return Err(format!("`{word}`: the value must be `true` or `false`")),
        };
        return Ok(true);
    }
    let mut next = |name: &str| words.next().ok_or_else(|| format!("`{name}` needs a value"));
    // Separate or joined by `=`.
    for (names, kind) in LONG {
        for name in *names {
            if word == *name {
                let value = next(name)?;
                take(out, *kind, &value)?;
                return Ok(true);
            }
            if let Some(value) = word.strip_prefix(name).and_then(|rest| rest.strip_prefix('=')) {
                take(out, *kind, value)?;
                return Ok(true);
            }
        }
    }
    // Separate or joined directly.
    for (prefix, kind) in
        [("-I", Kind::Include), ("-D", Kind::Define), ("-U", Kind::Undefine), ("-x", Kind::Language)]
    {
        if let Some(value) = word.strip_prefix(prefix) {
            let value = if value.is_empty() { next(prefix)? } else { value.to_owned() };
            take(out, kind, value.strip_prefix('=').unwrap_or(&value))?;
            return Ok(true);
        }
    }
    let name = word.split('=').next().unwrap_or(word);
    if IGNORED_WITH_VALUE.contains(&name) {
        if name == word {
            next(name)?;
        }
        return Ok(true);
    }
    if matches!(word, "-L" | "-l" | "-O" | "-m") {
        next(word)?;
        return Ok(true);
    }
    if IGNORED.contains(&name) {
        // These take a word where none is joined.
        if name == word
            && matches!(word, "--maxrregcount" | "--optimize" | "--machine" | "--cudart" | "-cudart")
        {
            next(word)?;
        }
        return Ok(true);
    }
    if word.starts_with("--") || !IGNORED_PREFIXES.iter().any(|p| word.starts_with(p)) {
        return Ok(false);
    }
    // Nvidia's compiler takes its long options with one dash. It would be without effect here, in silence.
    if is_own_option(&name[1..]) {
        return Err(format!("`{name}` is written with two dashes: `-{word}`"));
    }
    Ok(true)
}

/// Whether an option of a subcommand has this name.
fn is_own_option(name: &str) -> bool {
    let command = Cli::command();
    command.get_subcommands().any(|s| s.get_arguments().any(|a| a.get_long() == Some(name)))
}

#[derive(Clone, Copy)]
enum Kind {
    Include,
    System,
    Define,
    Undefine,
    ForcedInclude,
    Std,
    Arch,
    Gencode,
    Language,
    Contraction,
    DefaultStream,
}

/// Options that matter and may stand apart from their value.
const LONG: &[(&[&str], Kind)] = &[
    (&["--include-path"], Kind::Include),
    (&["-isystem", "--system-include"], Kind::System),
    (&["--define-macro"], Kind::Define),
    (&["--undefine-macro"], Kind::Undefine),
    (&["-include", "--pre-include"], Kind::ForcedInclude),
    (&["-std", "--std"], Kind::Std),
    (&["-arch", "--gpu-architecture", "--offload-arch"], Kind::Arch),
    (&["-gencode", "--generate-code"], Kind::Gencode),
    (&["-fmad", "--fmad"], Kind::Contraction),
    (&["--x"], Kind::Language),
    (&["-default-stream", "--default-stream"], Kind::DefaultStream),
];

/// Why a program cannot be run whose stream 0 is the thread's own.
const NO_STREAM_PER_THREAD: &str =
    "is not supported: stream 0 is the legacy default stream here; name `cudaStreamPerThread` in the program";

fn take(out: &mut CompilerArgs, kind: Kind, value: &str) -> Result<(), String> {
    let owned = || value.to_owned();
    match kind {
        Kind::Include => out.include_dirs.push(owned()),
        Kind::System => out.system_dirs.push(owned()),
        // nvcc takes several, separated by commas; a comma in a value is rare and kept.
        Kind::Define => {
            let name = value.split('=').next().unwrap_or(value);
            if matches!(name, "CUDA_API_PER_THREAD_DEFAULT_STREAM" | "__CUDA_API_PER_THREAD_DEFAULT_STREAM") {
                return Err(format!("`-D {value}` {NO_STREAM_PER_THREAD}"));
            }
            out.macros.push(Macro::Define(owned()));
        }
        Kind::Undefine => out.macros.push(Macro::Undefine(owned())),
        Kind::ForcedInclude => out.includes.push(owned()),
        Kind::Std => out.std = Some(owned()),
        Kind::Arch => out.archs = architecture(value)?.into_iter().collect(),
        Kind::Gencode => {
            for part in value.split(',') {
                if let Some(arch) = part.strip_prefix("arch=") {
                    out.archs.extend(architecture(arch)?);
                }
            }
        }
        Kind::Contraction => {
            out.no_contraction = match value {
                "true" | "1" => false,
                "false" | "0" => true,
                _ => return Err(format!("`-fmad={value}`: the value must be `true` or `false`")),
            };
        }
        Kind::DefaultStream => match value {
            "legacy" | "null" => {}
            "per-thread" => return Err(format!("`--default-stream {value}` {NO_STREAM_PER_THREAD}")),
            _ => {
                return Err(format!(
                    "`--default-stream {value}`: the value must be `legacy` or `per-thread`"
                ));
            }
        },
        Kind::Language => match value {
            "cu" | "cuda" => out.force_cuda = true,
            _ => return Err(format!("`-x {value}` is not supported: cudair reads CUDA (`-x cu`)")),
        },
    }
    Ok(())
}

/// `sm_80` and `compute_90a` as compute capability times ten; `native` and kin are the device's.
fn architecture(value: &str) -> Result<Option<u32>, String> {
    if matches!(value, "native" | "all" | "all-major") {
        return Ok(None);
    }
    let digits = value
        .strip_prefix("sm_")
        .or_else(|| value.strip_prefix("compute_"))
        .or_else(|| value.strip_prefix("lto_"))
        .map(|v| v.trim_end_matches(['a', 'f']));
    digits
        .and_then(|d| d.parse().ok())
        .filter(|n| (10..=200).contains(n))
        .map(Some)
        .ok_or_else(|| format!("`{value}` is not a GPU architecture such as `sm_80`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str) -> Split {
        split(line.split_whitespace().map(str::to_owned)).expect("the line is valid")
    }

    #[test]
    fn options_joined_and_apart() {
        let s = check("cudair run -I a -Ib -DN=1 -D M -UX -include f.h -std=c++14 --std c++17 k.cu");
        assert_eq!(s.own, ["cudair", "run", "k.cu"]);
        assert_eq!(s.compiler.include_dirs, ["a", "b"]);
        let define = |s: &str| Macro::Define(s.to_owned());
        assert_eq!(s.compiler.macros, [define("N=1"), define("M"), Macro::Undefine("X".to_owned())]);
        assert_eq!(s.compiler.includes, ["f.h"]);
        assert_eq!(s.compiler.std.as_deref(), Some("c++17"));
    }

    #[test]
    fn architectures() {
        assert_eq!(check("cudair run -arch=sm_80 k.cu").compiler.archs, [80]);
        assert_eq!(check("cudair run --gpu-architecture compute_90a k.cu").compiler.archs, [90]);
        let s =
            check("cudair run -gencode arch=compute_60,code=sm_60 -gencode=arch=compute_75,code=sm_75 k.cu");
        assert_eq!(s.compiler.archs, [60, 75]);
        assert_eq!(s.compiler.arch_on(90), 75, "the newest");
        assert_eq!(s.compiler.arch_on(70), 60, "the newest that runs there");
        assert_eq!(s.compiler.arch_on(35), 75, "none runs there");
        assert!(check("cudair run -arch=native k.cu").compiler.archs.is_empty());
        assert!(split(["cudair", "run", "-arch=gfx90"].map(str::to_owned)).is_err());
    }

    #[test]
    fn what_cannot_matter_is_dropped() {
        let s = check(
            "cudair run -O3 -lineinfo -lm -rdc=true -Xcompiler -fopenmp --use_fast_math -Wall -g -G -o out -L /lib \
             -Xptxas=-v -maxrregcount=32 --ptxas-options=-v -x cu --compiler-options -Wextra k.cu --seed 3",
        );
        assert_eq!(s.own, ["cudair", "run", "k.cu", "--seed", "3"]);
        assert!(s.compiler.force_cuda);
    }

    #[test]
    fn own_options_with_one_dash_are_errors() {
        for (word, told) in [
            ("-format=json", "`-format` is written with two dashes: `--format=json`"),
            ("-launch", "`-launch` is written with two dashes: `--launch`"),
        ] {
            assert_eq!(split(["cudair", "run", word].map(str::to_owned)).err().as_deref(), Some(told));
        }
        for word in ["-fopenmp", "-lineinfo", "-march=native", "-g", "-O2"] {
            assert!(split(["cudair", "run", word].map(str::to_owned)).is_ok(), "{word}");
        }
    }

    #[test]
    fn contraction_is_switched_off() {
        assert!(!check("cudair run k.cu").compiler.no_contraction);
        assert!(!check("cudair run --fmad true k.cu").compiler.no_contraction);
        assert!(!check("cudair run -use_fast_math=false k.cu").compiler.fast_math);
        for line in ["-use_fast_math", "--use_fast_math", "-use_fast_math=true"] {
            assert!(check(&format!("cudair run {line} k.cu")).compiler.fast_math, "{line}");
        }
        for line in ["-fmad=false", "--fmad=false", "-fmad false", "-G", "--device-debug"] {
            let s = check(&format!("cudair run {line} k.cu"));
            assert!(s.compiler.no_contraction, "{line}");
            assert_eq!(s.own, ["cudair", "run", "k.cu"]);
        }
        assert!(split(["cudair", "run", "-fmad=perhaps"].map(str::to_owned)).is_err());
    }

    #[test]
    fn program_arguments_are_untouched() {
        let s = check("cudair run k.cu -- -Ix -- -O3");
        assert_eq!(s.program, ["-Ix", "--", "-O3"]);
        assert_eq!(s.compiler, CompilerArgs::default());
    }

    #[test]
    fn missing_values_are_errors() {
        assert!(split(["cudair", "run", "-I"].map(str::to_owned)).is_err());
    }
}
