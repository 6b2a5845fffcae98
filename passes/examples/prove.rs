//! Proves the kernels of a `.cir` file free of races with a solver of one's own, and shows the questions.
//!
//! ```console
//! $ cudair lower kernel.cu > kernel.cir
//! $ cargo run -p cudair-passes --example prove -- kernel.cir
//! ```
//!
//! The solver here answers nothing: it counts what it is asked, and prints the first question as SMT-LIB. What is
//! proved without it needs no solver.

use cudair_ir::parse_module;
use cudair_passes::check::{CheckOptions, check_module};
use cudair_passes::symbolic::smt::{NoReply, Solver};

/// Knows no answer.
#[derive(Default)]
struct Listener {
    questions: Vec<String>,
}

impl Solver for Listener {
    fn run(&mut self, script: &str) -> Result<(String, u64), NoReply> {
        self.questions.push(script.to_owned());
        Err(NoReply::Gone("this solver only listens".to_owned()))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("which file?")?;
    let module = parse_module(&std::fs::read_to_string(&path)?, &path).map_err(|e| e.message)?;
    let mut solver = Listener::default();
    let checked = check_module(&module, &CheckOptions::default(), &mut solver);
    for kernel in &checked.verdicts {
        for check in &kernel.checks {
            println!("{}: {} {}", kernel.kernel, check.check.name(), check.outcome.name());
        }
    }
    println!("{} questions", solver.questions.len());
    if let Some(first) = solver.questions.first() {
        println!("{first}");
    }
    Ok(())
}
