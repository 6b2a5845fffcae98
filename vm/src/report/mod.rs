//! From what the machine saw to what the user reads.

use crate::fault::{Fault, Place};
use cudair_ir::{Finding, Loc, Module};

/// The findings of a run so far, as data; those at one place are one, with a count.
#[derive(Debug, Default)]
pub struct Findings {
    ready: Vec<Finding>,
    faults: Vec<Fault>,
}

impl Findings {
    /// None.
    pub fn new() -> Findings {
        Findings::default()
    }

    /// Notes a fault, whether or not the program goes on.
    pub fn note(&mut self, fault: Fault) {
        self.faults.push(fault);
    }

    /// Adds a finding that is complete (the oracle's).
    pub fn add(&mut self, finding: Finding) {
        finding.merge_into(&mut self.ready);
    }

    /// Whether there is one of severity `error`.
    pub fn has_error(&self) -> bool {
        !self.faults.is_empty() || self.ready.iter().any(|f| f.severity == cudair_ir::Severity::Error)
    }

    /// Everything that was found, in a deterministic order.
    pub fn finish(self, module: &Module) -> Vec<Finding> {
        let mut all = self.ready;
        for fault in &self.faults {
            fault_finding(module, fault).merge_into(&mut all);
        }
        all
    }
}

/// The source place of `place`, if it has one.
pub fn loc_of(module: &Module, place: Place) -> Option<Loc> {
    match place {
        Place::Unknown => None,
        Place::Loc(loc) => Some(loc),
        Place::Site(s) => {
            module.funcs.get(s.func).and_then(|f| f.sites.get(s.site)).and_then(|s| s.loc.expand())
        }
    }
}

/// The finding that tells of a fault.
pub fn fault_finding(_module: &Module, fault: &Fault) -> Finding {
    Finding::dynamic(fault.kind.kind(), "fault")
}
