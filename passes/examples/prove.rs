//! Proves kernels of a `.cir` file free of races, or says which accesses may meet.
//!
//! ```console
//! $ cudair lower kernel.cu > kernel.cir
//! $ cargo run -p cudair-passes --example prove -- kernel.cir 64,1,1 64,1,1
//! ```
//!
//! The block and the grid may be given; the solver is the program `z3`, or what `CUDAIR_Z3` names.

use cudair_ir::parse_module;
use cudair_passes::analysis::Prepared;
use cudair_passes::analysis::shape::Shape;
use cudair_passes::symbolic::smt::Solver;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

struct Z3 {
    _child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Z3 {
    fn start() -> Option<Z3> {
        let name = std::env::var("CUDAIR_Z3").unwrap_or_else(|_| "z3".to_owned());
        let mut child = Command::new(name)
            .args(["-in", "-smt2", "rlimit=3000000", "memory_max_size=1024"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let (to, from) = (child.stdin.take()?, BufReader::new(child.stdout.take()?));
        Some(Z3 { _child: child, to, from })
    }
}

impl Solver for Z3 {
    fn run(&mut self, script: &str) -> Result<String, String> {
        if std::env::var("SHOW").is_ok() {
            eprintln!("{script}");
        }
        let ask = |to: &mut ChildStdin| -> std::io::Result<()> {
            to.write_all(script.as_bytes())?;
            to.write_all(b"(echo \"end\")\n")?;
            to.flush()
        };
        ask(&mut self.to).map_err(|e| e.to_string())?;
        let mut out = String::new();
        loop {
            let mut line = String::new();
            if self.from.read_line(&mut line).map_err(|e| e.to_string())? == 0 {
                return Err("the solver has ended".to_owned());
            }
            if line.trim() == "end" {
                return Ok(out);
            }
            out.push_str(&line);
        }
    }
}

fn extents(text: &str) -> [Option<u32>; 3] {
    let mut numbers = text.split(',').map(|n| n.parse().ok());
    [numbers.next().flatten(), numbers.next().flatten().or(Some(1)), numbers.next().flatten().or(Some(1))]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let path = args.next().ok_or("which file?")?;
    let mut shape = Shape::default();
    if let Some(block) = args.next() {
        shape.block = extents(&block);
    }
    if let Some(grid) = args.next() {
        shape.grid = extents(&grid);
    }
    let module = parse_module(&std::fs::read_to_string(&path)?, &path).map_err(|e| e.message)?;
    let mut solver = Z3::start();
    for (id, func) in &module.funcs {
        if func.side != cudair_ir::Side::Kernel || func.is_declaration() {
            continue;
        }
        let solver = solver.as_mut().map(|s| s as &mut dyn Solver);
        let start = std::time::Instant::now();
        let prepared = Prepared::new(&module, id);
        let found = prepared.races(&module, &shape, solver);
        let verdict = if found.is_proved() { "proved" } else { "possible" };
        println!(
            "{}: {verdict}, {} questions, {:.2} s",
            func.display_name,
            found.questions,
            start.elapsed().as_secs_f64()
        );
        for c in &found.conflicts {
            println!("    {:?} {:?} {:?}", c.accesses, c.apart, c.meeting);
        }
        for g in &found.gaps {
            println!("    not followed: {}", g.what);
        }
    }
    Ok(())
}
