//! The SMT solver that `check` asks.

use std::path::PathBuf;
use std::process::Command;

/// The solver that `cudair doctor` names, if it is there.
pub fn z3() -> Option<PathBuf> {
    let cudair = Command::new(env!("CARGO_BIN_EXE_cudair")).args(["doctor", "--format", "plain"]).output();
    let text = String::from_utf8_lossy(&cudair.expect("cudair starts").stdout).into_owned();
    let path = text.lines().find_map(|l| l.strip_prefix("z3 "))?;
    Some(PathBuf::from(path)).filter(|p| p.is_file())
}
