//! Runs a `.cir` file with a `main`, and shows what is wrong with it.
//!
//! ```console
//! $ cudair lower program.cu > program.cir
//! $ cargo run -p cudair-vm --example run -- program.cir ARGUMENT…
//! ```
//!
//! Nobody analyses the launches here ([`NoOracle`]): every check is made.

use cudair_ir::{NoOracle, parse_module, verify_module};
use cudair_vm::{Exit, Vm, VmConfig};
use std::sync::Arc;

fn main() -> Result<std::process::ExitCode, Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let path = args.next().ok_or("which file?")?;
    let module = parse_module(&std::fs::read_to_string(&path)?, &path).map_err(|e| e.message)?;
    // The machine runs what is verified, and nothing else.
    if let Err(errors) = verify_module(&module) {
        return Err(errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n").into());
    }
    let mut vm = Vm::new(Arc::new(module), VmConfig::default(), Arc::new(NoOracle));
    let outcome = vm.run_main(&args.collect::<Vec<_>>());
    for f in &outcome.findings {
        let at = f.primary.as_ref().map(|s| format!("{}:{}: ", s.file, s.start.line)).unwrap_or_default();
        eprintln!("{at}{}[{}]: {}", f.severity.name(), f.kind.name(), f.message);
    }
    for d in &outcome.diagnostics {
        eprintln!("{}: {}", d.class.name(), d.message);
    }
    Ok(match outcome.exit {
        Exit::Code(code) => std::process::ExitCode::from(code as u8),
        _ => std::process::ExitCode::FAILURE,
    })
}
