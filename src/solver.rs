//! The SMT solver: the program `z3`, run beside cudair and spoken to over pipes.
//!
//! It is started at the first question, from a fixed path, without a shell. Each question has a limit of resources,
//! which does not depend on the machine's speed; a limit of time is only a net. It ends with cudair: when its input
//! closes, and a question in between is bounded by those limits.

use cudair_frontend::clang;
use cudair_passes::symbolic::smt::{NoReply, Solver};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// What one question may take, in z3's own units: about a second.
pub const RESOURCES: u32 = 3_000_000;
/// The net below it.
const TIME: Duration = Duration::from_secs(20);
/// Megabytes.
const MEMORY: u32 = 2048;

/// Where the solver is: what `CUDAIR_Z3` names, what `./x z3` has fetched, or what `PATH` has.
pub fn find() -> Option<PathBuf> {
    if let Some(given) = std::env::var_os("CUDAIR_Z3") {
        return Some(PathBuf::from(given)).filter(|p| p.is_file());
    }
    let fetched = home().map(|home| home.join("z3")).filter(|p| p.is_file());
    let in_path = || {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).filter(|f| f.is_absolute()).map(|f| f.join("z3")).find(|p| p.is_file())
    };
    fetched.or_else(in_path)
}

/// The folder into which `./x z3` puts it.
pub fn home() -> Option<PathBuf> {
    Some(clang::wheel_home()?.parent()?.join("z3"))
}

/// The solver, which is started when it is asked.
#[derive(Debug, Default)]
pub enum Z3 {
    /// Not asked yet.
    #[default]
    Idle,
    /// Running.
    Running(Process),
    /// Not to be had, and why.
    Gone(String),
}

/// A running solver.
#[derive(Debug)]
pub struct Process {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    /// What it has spent so far, in its own units.
    spent: u64,
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Process {
    fn start() -> Result<Process, String> {
        let Some(path) = find() else {
            return Err("there is no SMT solver (`./x z3` fetches one)".to_owned());
        };
        let limits = [
            "-in".to_owned(),
            "-smt2".to_owned(),
            format!("rlimit={RESOURCES}"),
            format!("timeout={}", TIME.as_millis()),
            format!("memory_max_size={MEMORY}"),
            "smt.random_seed=0".to_owned(),
            "sat.random_seed=0".to_owned(),
        ];
        let told = |e: std::io::Error| format!("{} cannot be started: {e}", path.display());
        let mut child = Command::new(&path)
            .args(limits)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(told)?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(to), Some(from)) => Ok(Process { child, to, from: BufReader::new(from), spent: 0 }),
            _ => Err("the solver has no pipes".to_owned()),
        }
    }

    /// The answer, and what it took.
    fn ask(&mut self, script: &str) -> std::io::Result<(String, u64)> {
        self.to.write_all(script.as_bytes())?;
        self.to.write_all(b"(get-info :rlimit)\n(echo \"end of the answer\")\n")?;
        self.to.flush()?;
        let mut out = String::new();
        let mut total = None;
        loop {
            let mut line = String::new();
            if self.from.read_line(&mut line)? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            if line.trim_end() == "end of the answer" {
                let total = total.ok_or(std::io::ErrorKind::InvalidData)?;
                let took = total - self.spent;
                self.spent = total;
                return Ok((out, took));
            }
            match line.trim().strip_prefix("(:rlimit").and_then(|rest| rest.strip_suffix(')')) {
                Some(number) => total = number.trim().parse::<u64>().ok().filter(|&n| n >= self.spent),
                None => out.push_str(&line),
            }
        }
    }
}

impl Solver for Z3 {
    fn run(&mut self, script: &str) -> Result<(String, u64), NoReply> {
        if matches!(self, Z3::Idle) {
            *self = match Process::start() {
                Ok(process) => Z3::Running(process),
                Err(why) => Z3::Gone(why),
            };
        }
        let start = Instant::now();
        match self {
            Z3::Running(process) => match process.ask(script) {
                // The solver gives the same reason for both limits.
                Ok((answer, _)) if answer.starts_with("unknown") && start.elapsed() >= TIME => {
                    Err(NoReply::OutOfTime(RESOURCES.into()))
                }
                Ok(reply) => Ok(reply),
                Err(_) => {
                    // The next question starts another: one that was too much for it does not cost the others.
                    *self = Z3::Idle;
                    Err(NoReply::Gone("the solver ended without an answer".to_owned()))
                }
            },
            Z3::Gone(why) => Err(NoReply::Gone(why.clone())),
            Z3::Idle => Err(NoReply::Gone("the solver did not start".to_owned())),
        }
    }
}
