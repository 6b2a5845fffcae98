//! The SMT solver: the program `z3`, run beside cudair and spoken to over pipes.
//!
//! It is started at the first question, from a fixed path, without a shell. Each question has a limit of resources,
//! which does not depend on the machine's speed; a limit of time is only a net. It ends with cudair: when its input
//! closes, and a question in between is bounded by those limits.

use cudair_frontend::clang;
use cudair_passes::symbolic::smt::{NoReply, QUESTION, Solver};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// The net below the limit of resources that each question has.
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
            format!("rlimit={QUESTION}"),
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

/// The first error in an answer. That there are no values to tell of is none: they are asked for before it is known
/// whether there are any.
fn broken(answer: &str) -> Option<&str> {
    answer.lines().find(|line| line.starts_with("(error") && !line.contains("model is not available"))
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
                    Err(NoReply::OutOfTime)
                }
                Ok((answer, took)) => match broken(&answer) {
                    None => Ok((answer, took)),
                    // What was asserted may stand still, and would make the next answers false.
                    Some(line) => {
                        let why = format!("the solver says: {line}");
                        *self = Z3::Idle;
                        Err(NoReply::Gone(why))
                    }
                },
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_in_answers() {
        assert_eq!(broken("unsat\n(error \"line 9 column 20: model is not available\")\n"), None);
        assert_eq!(broken("sat\n((a #x1))\n"), None);
        let canceled = "(error \"line 3 column 5: push canceled\")";
        assert_eq!(broken(&format!("{canceled}\nunsat\n")), Some(canceled));
    }

    #[test]
    fn a_question_that_is_broken_off_leaves_nothing_behind() {
        if find().is_none() {
            assert!(
                std::env::var_os("CUDAIR_REQUIRE_ALL").is_none(),
                "there is no z3, which `./x z3` fetches"
            );
            eprintln!("left out: there is no z3");
            return;
        }
        let question = |x: &str, units: u64| {
            format!(
                "(push)\n(declare-const a (_ BitVec 64))\n(declare-const b (_ BitVec 64))\n(assert (and {x} (bvugt a #x0000000000000001) \
                 (bvugt b #x0000000000000001)))\n(set-option :rlimit {units})\n(check-sat)\n(set-option :rlimit {QUESTION})\n(pop)\n"
            )
        };
        // A product of two primes, and what the solver says at once.
        let hard =
            "(= (bvmul ((_ zero_extend 64) a) ((_ zero_extend 64) b)) #x0000000000000000fffffffe50000029)";
        let (easy, never) = ("(= a b)", "(bvult a b) (bvult b a)");
        let mut z3 = Z3::default();
        for units in [1, 100, 10_000, 300_000] {
            let (answer, _) = z3.run(&question(hard, units)).expect("an answer");
            assert_eq!(answer.trim(), "unknown", "{units} units");
            let (answer, took) = z3.run(&question(easy, 3_000_000)).expect("an answer");
            assert_eq!(answer.trim(), "sat", "{units} units before it");
            assert!(took < 3_000_000);
            let (answer, _) = z3.run(&question(never, 3_000_000)).expect("an answer");
            assert_eq!(answer.trim(), "unsat", "{units} units before it");
        }
        assert!(matches!(z3.run("(push)\n(assert nonsense)\n(check-sat)\n(pop)\n"), Err(NoReply::Gone(_))));
        assert!(matches!(z3, Z3::Idle), "the next question has a new solver");
    }
}
