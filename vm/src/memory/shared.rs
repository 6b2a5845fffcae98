//! The shared memory of a block.

use crate::fault::{Place, SiteRef};
use crate::ptr::Ptr;
use crate::report::Findings;
use cudair_ir::{GlobalId, MemOrder, Scope};
use std::sync::Arc;

/// A `__shared__` variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedVar {
    /// The variable; of several `extern __shared__` arrays, the first.
    pub global: GlobalId,
    /// Its name.
    pub name: Arc<str>,
    /// Bytes; for the dynamic one, what the launch says counts.
    pub size: u64,
    /// Alignment as a power of two.
    pub align_log2: u8,
    /// `extern __shared__`: there is at most one such variable in a layout.
    pub dynamic: bool,
    /// Where it is declared.
    pub place: Place,
}

/// The shared variables that a kernel and its callees use.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SharedLayout {
    /// The variables.
    pub vars: Vec<SharedVar>,
}

/// The shared memory of one block, with its race detector.
#[derive(Debug)]
pub struct BlockMem {}

impl BlockMem {
    /// The address of the `n`-th variable of the layout.
    pub fn addr(&self, _n: usize) -> Ptr {
        Ptr::NULL
    }

    /// All live threads of the block have met at a barrier: what came before is ordered before what
    /// follows. Races of the interval that ends go to `findings`.
    pub fn barrier(&mut self, _findings: &mut Findings) {}

    /// The lanes `mask` of warp `warp` (counted in the block) have met at a `__syncwarp` or another warp
    /// operation that orders memory.
    pub fn warp_sync(&mut self, _warp: u32, _mask: u32) {}

    /// A fence by the threads `first_thread + lane` for the lanes given.
    pub fn fence(
        &mut self,
        _mask: &super::Mask,
        _first_thread: u32,
        _order: MemOrder,
        _scope: Scope,
        _site: SiteRef,
    ) {
    }
}
