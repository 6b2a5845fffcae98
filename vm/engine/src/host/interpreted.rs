//! In place of `compiled.rs` where cudair is built without machine code: the bytecode runs every function.

use super::*;
use crate::config::VmConfig;

/// Whether functions of the host run as machine code.
#[derive(Debug)]
pub(crate) struct Tier {
    pub(super) may_compile: bool,
    pub(super) is_on: bool,
}

impl Tier {
    pub(super) fn new(_: &VmConfig) -> Tier {
        Tier { may_compile: false, is_on: false }
    }
}

#[expect(clippy::unused_self, reason = "those of `compiled.rs` need it")]
impl Host<'_> {
    pub(super) fn machine(
        &mut self,
        _: CodeRef,
        _: usize,
        _: u32,
        _: &mut usize,
    ) -> Result<Option<u32>, Stop> {
        Ok(None)
    }

    pub(super) fn called(&mut self, _: CodeRef) {}

    pub(super) fn look_at(&mut self, _: CodeRef, _: usize) -> bool {
        false
    }
}
