//! The command line: cudair's own options. Those of compilers are taken out before
//! ([`crate::compiler_args`]).

mod advice;
mod values;

pub use advice::advice;
pub use values::{bytes as bytes_of, closest};

use crate::coverage;
use crate::repair::Effort;
use crate::trace;
use clap::{Args, Parser, Subcommand, ValueEnum};
use cudair_ir::{Kind, Severity};
use cudair_passes::symbolic::assume::Assumption;
use std::path::PathBuf;
use values::{bytes, extents, kind, launches, seconds, seeds, target, whole};

/// Miri for CUDA: run and check whole CUDA programs on a machine without a GPU.
#[derive(Parser, Debug)]
#[command(name = "cudair", version, max_term_width = 100, disable_help_subcommand = true)]
#[command(after_help = COMPILER_HELP)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const COMPILER_HELP: &str = "\
Options of nvcc and clang are accepted. -I, -D, -U, -include, -isystem, -std=, -arch= and -x cu have an effect; \
those that cannot matter here (-O3, -lineinfo, -lm, -Xcompiler …) are ignored.

Exit code: the program's own; 3 (--error-exitcode) if there is a finding of severity error; 2 for bad \
usage, source that does not parse and what is not supported; 4 for a limit that was reached or a signal (Ctrl-C, SIGTERM, SIGHUP), with the findings so far.";

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Execute a program, host code and kernels, and report what it does wrong
    #[command(after_help = COMPILER_HELP)]
    Run(Run),
    /// Execute a program and stop it where you say: step its threads, look at their variables
    #[command(after_help = COMPILER_HELP)]
    Debug(Debug),
    /// Serve the debugger to an editor, by the Debug Adapter Protocol on standard input and output
    Dap,
    /// Check kernels without running anything
    #[command(after_help = COMPILER_HELP)]
    Check(Check),
    /// Print the intermediate representation
    #[command(after_help = COMPILER_HELP)]
    Lower(Lower),
    /// Say what a kind of finding means, with a wrong and a corrected kernel
    Explain(Explain),
    /// Say what a run needs, what of it is installed, and how to get the rest
    Doctor(Doctor),
    /// Say what the cache of compiled programs holds, or clear it
    Cache(Cache),
    /// Print what makes a shell complete commands, options and their values
    Completions(Completions),
    /// Print a manual page, for `man`
    Man(Man),
}

/// `cudair cache`
#[derive(Args, Debug)]
pub struct Cache {
    /// Remove all that it holds
    #[arg(long)]
    pub clear: bool,
}

/// `cudair completions`
#[derive(Args, Debug)]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

/// A shell that completes words.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Shell {
    /// Put it into ~/.local/share/bash-completion/completions/cudair.
    Bash,
    /// Put it into a file _cudair in a folder of $fpath.
    Zsh,
    /// Put it into ~/.config/fish/completions/cudair.fish.
    Fish,
}

/// `cudair man`
#[derive(Args, Debug)]
pub struct Man {
    /// The command whose page it is; without one, that of cudair
    pub command: Option<String>,
}

/// `cudair run`
#[derive(Args, Debug)]
pub struct Run {
    /// What all commands take.
    #[command(flatten)]
    pub common: Common,
    /// Report only on launches of this kernel, and look for races only in these; all launches run, and host code and
    /// whatever ends a launch are still reported on (may be repeated)
    #[arg(long, value_name = "NAME", help_heading = "Checks")]
    pub kernel: Vec<String>,
    /// The same for one launch, or a range A..B, by the number that findings show: it counts from 0 over the whole run
    /// (may be repeated)
    #[arg(long, value_name = "N", value_parser = launches, help_heading = "Checks")]
    pub launch: Vec<(u64, u64)>,
    /// Also look at accesses that are proved free of races; a race at one of them is a defect of cudair and ends the run
    #[arg(long, help_heading = "Checks")]
    pub check_elision: bool,
    /// Let the race detector see all accesses, also those that are proved free of races
    #[arg(long, conflicts_with = "check_elision", help_heading = "Checks")]
    pub no_elision: bool,
    /// Test in each launch what is proved of its values: which are the same in all threads of a block, and what numbers
    /// they can be; one that is not is a defect of cudair and ends the run (runs slower)
    #[arg(long, help_heading = "Checks")]
    pub check_facts: bool,
    /// What runs kernels: machine code where that is worth its compilation, bytecode, or machine code wherever it can; what
    /// is found is the same
    #[arg(long, value_enum, value_name = "ENGINE", help_heading = "Execution")]
    pub engine: Option<Engine>,
    /// Operations that the program may execute
    #[arg(long, value_name = "N", value_parser = whole::<u64>, help_heading = "Limits")]
    pub fuel: Option<u64>,
    /// Memory that the program may hold, in bytes or with K, M, G
    #[arg(long, value_name = "BYTES", value_parser = bytes, help_heading = "Limits")]
    pub memory_limit: Option<u64>,
    /// Seconds that the program may take
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    pub timeout: Option<f64>,
    /// Write what is alive when a launch or the run stops: stacks, variables, shared memory (runs slower)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub dump_state: Option<PathBuf>,
    /// Write which lines, functions and branches ran, of host and device, as lcov has it (runs slower)
    #[arg(long, value_name = "lcov:FILE", value_parser = coverage::target, help_heading = "Output")]
    pub coverage: Option<coverage::Coverage>,
    /// Deny the program all files, environment variables, clocks and arguments that were not granted
    #[arg(long, help_heading = "Limits")]
    pub isolate: bool,
    /// With --isolate: let the program read what lies in this folder (may be repeated)
    #[arg(long, value_name = "DIR", requires = "isolate", help_heading = "Limits")]
    pub allow_read: Vec<PathBuf>,
    /// With --isolate: let the program write in this folder (may be repeated)
    #[arg(long, value_name = "DIR", requires = "isolate", help_heading = "Limits")]
    pub allow_write: Vec<PathBuf>,
    /// With --isolate: let the program see this environment variable (may be repeated)
    #[arg(long, value_name = "NAME", requires = "isolate", help_heading = "Limits")]
    pub allow_env: Vec<String>,
    /// Whether repairs are tried.
    #[command(flatten)]
    pub repairing: Repairing,
}

/// `cudair debug`
#[derive(Args, Debug)]
#[command(mut_args(|arg| if Debug::UNFIT.contains(&arg.get_id().as_str()) { arg.hide(true) } else { arg }))]
pub struct Debug {
    /// What a run takes, but for what is of no use to a debugger.
    #[command(flatten)]
    pub run: Run,
    /// Read the debugger's commands from this file; else they come from standard input, and the program has none
    #[arg(long, value_name = "FILE")]
    pub commands: Option<PathBuf>,
}

impl Debug {
    /// Options of `run` that it does not offer, by their fields.
    pub const UNFIT: [&str; 13] = [
        "seeds",
        "verdicts",
        "perf",
        "jobs",
        "coverage",
        "dump_state",
        "timeout",
        "check_elision",
        "no_elision",
        "check_facts",
        "engine",
        "repair",
        "no_repair",
    ];

    /// One of them that was given all the same.
    pub fn unfit(&self) -> Option<String> {
        let (run, common) = (&self.run, &self.run.common);
        let given = |field: &str| match field {
            "seeds" => common.seeds.is_some(),
            "verdicts" => common.verdicts,
            "perf" => common.perf,
            "jobs" => common.jobs.is_some(),
            "coverage" => run.coverage.is_some(),
            "dump_state" => run.dump_state.is_some(),
            "timeout" => run.timeout.is_some(),
            "check_elision" => run.check_elision,
            "no_elision" => run.no_elision,
            "check_facts" => run.check_facts,
            "engine" => run.engine.is_some(),
            "repair" => run.repairing.repair,
            "no_repair" => run.repairing.no_repair,
            _ => unreachable!("`{field}` is none of them"),
        };
        let field = Debug::UNFIT.into_iter().find(|field| given(field))?;
        Some(format!("--{}", field.replace('_', "-")))
    }
}

/// `cudair check`
#[derive(Args, Debug)]
pub struct Check {
    /// What all commands take.
    #[command(flatten)]
    pub common: Common,
    /// Check this kernel only
    #[arg(long, value_name = "NAME")]
    pub kernel: Option<String>,
    /// Threads of a block
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = extents)]
    pub block_dim: Option<[u32; 3]>,
    /// Blocks of the grid
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = extents)]
    pub grid_dim: Option<[u32; 3]>,
    /// Take for granted what this says of parameters, `blockDim.x` and so on: 'n == 1024 && n <= m'
    #[arg(long, value_name = "CONDITION")]
    pub assume: Vec<Assumption>,
    /// Write each question to the solver into this folder, as SMT-LIB, and an index of them
    #[arg(long, value_name = "DIR")]
    pub dump_smt: Option<PathBuf>,
    /// Look for a run that shows each finding: a program in this folder, which stays where its run does
    #[arg(long, value_name = "DIR")]
    pub confirm: Option<PathBuf>,
    /// Whether repairs are tried.
    #[command(flatten)]
    pub repairing: Repairing,
}

/// `cudair lower`
#[derive(Args, Debug)]
pub struct Lower {
    /// What all commands take.
    #[command(flatten)]
    pub common: Common,
    /// What to print
    #[arg(long, value_enum, default_value_t = Emit::Ir)]
    pub emit: Emit,
    /// Keep this function only
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    /// With --emit facts or regions: threads of a block
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = extents)]
    pub block_dim: Option<[u32; 3]>,
    /// With --emit facts or regions: blocks of the grid
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = extents)]
    pub grid_dim: Option<[u32; 3]>,
    /// Passes to run first, separated by commas; `default` stands for those of `run`
    #[arg(long, value_name = "LIST")]
    pub passes: Option<String>,
}

/// `cudair explain`
#[derive(Args, Debug)]
pub struct Explain {
    /// The kind, as findings show it; without one, all kinds are listed
    pub kind: Option<String>,
}

/// `cudair doctor`
#[derive(Args, Debug)]
pub struct Doctor {
    /// Output format
    #[arg(long, value_enum, default_value_t = DoctorFormat::Human)]
    pub format: DoctorFormat,
}

/// `--format` of `doctor`
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum DoctorFormat {
    /// For people.
    Human,
    /// One object.
    Json,
    /// For scripts: a word and what belongs to it on each line.
    Plain,
}

/// What all commands take.
#[derive(Args, Clone, Debug)]
pub struct Common {
    /// CUDA sources (.cu), C sources (.c) or textual IR (.cir); `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// How findings are written
    #[arg(long, value_enum, default_value_t = Format::Human, help_heading = "Output")]
    pub format: Format,
    /// Write findings to FILE instead of stderr; with a format in front (sarif:out.sarif), to FILE in that format, besides
    /// (may be repeated)
    #[arg(long, value_name = "[FORMAT:]FILE", value_parser = target, help_heading = "Output")]
    pub report: Vec<Target>,
    /// Exit code when there is an error
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..), help_heading = "Output")]
    pub error_exitcode: u8,
    /// Write at most this many findings, errors first, and only count the others
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole::<usize>, help_heading = "Output")]
    pub max_findings: usize,
    /// Show every finding: without it, those that have one cause are shown by one of them, and counted (human, short)
    #[arg(long, help_heading = "Output")]
    pub verbose: bool,
    /// Also show what is possible but was not confirmed; after a run, a verdict on each kernel: what is proved, what the run
    /// proves for every content of memory, what was only seen clean
    #[arg(long, help_heading = "Output")]
    pub verdicts: bool,
    /// Leave out findings of this kind (may be repeated)
    #[arg(long, value_name = "KIND", value_parser = kind, help_heading = "Checks")]
    pub no_check: Vec<Kind>,
    /// Leave out findings that a line of this file names: `KIND [PATH[:LINE]]` (may be repeated)
    #[arg(long, value_name = "FILE", help_heading = "Checks")]
    pub suppress: Vec<PathBuf>,
    /// Leave out findings that an earlier report has (JSON or SARIF), and only count them: new ones alone decide the exit code
    #[arg(long, value_name = "FILE", help_heading = "Checks")]
    pub baseline: Option<PathBuf>,
    /// Leave out findings less severe than this, and only count them
    #[arg(long, value_enum, value_name = "SEVERITY", default_value_t = MinSeverity::Note, help_heading = "Output")]
    pub min_severity: MinSeverity,
    /// Leave out findings in this kernel, and only count them (may be repeated)
    #[arg(long, value_name = "NAME", help_heading = "Checks")]
    pub exclude_kernel: Vec<String>,
    /// Treat warnings, and what only newer devices allow, as errors; note guesses for compare-and-swaps
    #[arg(long, help_heading = "Checks")]
    pub strict: bool,
    /// Note bank conflicts, uncoalesced accesses and warp divergence: `run` counts them, `check` computes them
    #[arg(long, help_heading = "Checks")]
    pub perf: bool,
    /// The device: h100, a100, rtx4090, rtx3090, t4, v100, p100, gtx980, k40, or a profile of your own, NAME.toml
    #[arg(long, value_name = "NAME", help_heading = "Execution")]
    pub device: Option<String>,
    /// How the lanes of a warp advance
    #[arg(long, value_enum, default_value_t = WarpModel::Its, help_heading = "Execution")]
    pub warp_model: WarpModel,
    /// What a fault of a kernel ends: its launch, as on a device, the run, or only the thread
    #[arg(long, value_enum, default_value_t = AfterFault::Launch, help_heading = "Execution")]
    pub after_fault: AfterFault,
    /// Use at most this many cores; by default all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Execution")]
    pub jobs: Option<u16>,
    /// Permute the order of blocks, warps and preemption
    #[arg(long, value_name = "N", value_parser = whole::<u64>, help_heading = "Execution")]
    pub seed: Option<u64>,
    /// Write what a part of cudair does to stderr: cache, parse, lower, passes, compile, launch, race or jit, at level info,
    /// debug or trace (may be repeated)
    #[arg(long, value_name = "PART[=LEVEL]", value_delimiter = ',', value_parser = trace::wanted, help_heading = "Output")]
    pub trace: Vec<trace::Wanted>,
    /// Parse all files anew: take nothing from the cache of compiled programs, and keep nothing there
    #[arg(long, help_heading = "Execution")]
    pub no_cache: bool,
    /// Run once for each seed of a range and join the findings; several at a time with --jobs
    #[arg(long, value_name = "A..B", value_parser = seeds, conflicts_with = "seed", help_heading = "Execution")]
    pub seeds: Option<(u64, u64)>,
}

/// What is tried to mend a race.
#[derive(Args, Clone, Copy, Debug)]
pub struct Repairing {
    /// Try barriers for all races inside of blocks, however long it takes; by default for the first three, in short runs
    #[arg(long, conflicts_with = "no_repair", help_heading = "Repairs")]
    pub repair: bool,
    /// Try no barriers: the helps are what seems likely
    #[arg(long, help_heading = "Repairs")]
    pub no_repair: bool,
}

impl Repairing {
    /// How much is tried.
    pub fn effort(self) -> Effort {
        match (self.repair, self.no_repair) {
            (true, _) => Effort::All,
            (_, true) => Effort::None,
            _ => Effort::Some,
        }
    }
}

/// `--format`
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// For people, with the source lines.
    Human,
    /// One line a finding and one for each further place, as compilers write them.
    Short,
    /// One object a line.
    Json,
    /// One SARIF 2.1.0 document.
    Sarif,
    /// Workflow commands of GitHub Actions, which it shows at the lines of a change.
    Github,
    /// One JUnit document, with a test case for each kind of findings.
    Junit,
    /// One page for a browser: the findings, the source beside them, the verdicts.
    Html,
}

impl Format {
    /// The format of a name.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::from_str(name, false).ok()
    }

    /// Whether a report of nothing is a document all the same.
    pub fn is_document(self) -> bool {
        matches!(self, Format::Sarif | Format::Junit | Format::Html)
    }
}

/// One `--report`: a file, and the format that stands before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// The format; without one, that of `--format`.
    pub format: Option<Format>,
    /// The file.
    pub file: PathBuf,
}

/// `--min-severity`
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum MinSeverity {
    /// All findings.
    Note,
    /// Errors and warnings.
    Warning,
    /// Errors alone.
    Error,
}

impl MinSeverity {
    /// The severity that a finding has to have.
    pub fn severity(self) -> Severity {
        match self {
            MinSeverity::Note => Severity::Note,
            MinSeverity::Warning => Severity::Warning,
            MinSeverity::Error => Severity::Error,
        }
    }
}

/// `--emit`
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Emit {
    /// The textual IR.
    Ir,
    /// Control-flow graphs for Graphviz.
    Cfg,
    /// The machine's code.
    Bytecode,
    /// The IR as JSON.
    Json,
    /// What the analyses know of each value and block of device code, beside the IR; with --format json as JSON.
    Facts,
    /// The accesses between barriers, as terms, and the loops; with --format json as JSON.
    Regions,
}

/// `--warp-model`
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum WarpModel {
    /// Independent thread scheduling: each lane makes progress.
    Its,
    /// Lanes advance together.
    Lockstep,
}

/// `--engine`
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Engine {
    /// Machine code where that is worth its compilation.
    Auto,
    /// Bytecode.
    Vm,
    /// Machine code wherever a kernel can be compiled.
    #[cfg(feature = "jit")]
    Jit,
}

/// `--after-fault`
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum AfterFault {
    /// The launch; later calls return the error.
    Launch,
    /// The run.
    Stop,
    /// That thread: the others go on, and later launches run.
    Thread,
}
