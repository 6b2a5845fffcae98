//! cudair as a process that signals end.

use std::process::Command;

/// cudair, with the usual answer to signals. Whoever runs the tests may ignore some (as `nohup` does), and what a process
/// ignores its children ignore.
pub fn cudair() -> Command {
    let binary = env!("CARGO_BIN_EXE_cudair");
    if !cfg!(target_os = "linux") {
        return Command::new(binary);
    }
    let mut command = Command::new("env");
    command.args(["--default-signal=HUP,INT,TERM", binary]);
    command
}
