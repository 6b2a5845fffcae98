//! The machine, until it can be had whole.

use cudair_ir::{Diagnostic, DiagnosticClass, Finding, FuncId, LaunchOracle, Module};
use cudair_vm::VmConfig;
use std::sync::Arc;

/// How a run ended.
pub enum Exit {
    /// The program ended with this status.
    #[allow(dead_code)]
    Code(i32),
    /// The host program cannot go on.
    #[allow(dead_code)]
    Fault,
    /// Something is not supported.
    Unsupported,
    /// A limit was reached.
    #[allow(dead_code)]
    Limit,
    /// A defect of cudair.
    #[allow(dead_code)]
    Internal,
}

/// What a run gives.
pub struct Outcome {
    /// How it ended.
    pub exit: Exit,
    /// What is wrong with the program.
    pub findings: Vec<Finding>,
    /// Why it could not go on.
    pub diagnostics: Vec<Diagnostic>,
}

/// A program ready to run.
pub struct Vm;

impl Vm {
    /// A machine for a module.
    pub fn new(_: Arc<Module>, _: VmConfig, _: Arc<dyn LaunchOracle>) -> Vm {
        Vm
    }

    /// Runs the program.
    pub fn run_main(&mut self, _: &[String]) -> Outcome {
        let d = Diagnostic::new(DiagnosticClass::Unsupported, "running programs is not supported yet");
        Outcome { exit: Exit::Unsupported, findings: Vec::new(), diagnostics: vec![d] }
    }

    /// The bytecode of a function.
    pub fn bytecode_text(&mut self, _: FuncId) -> Result<String, Diagnostic> {
        Err(Diagnostic::new(DiagnosticClass::Unsupported, "bytecode is not supported yet"))
    }
}
