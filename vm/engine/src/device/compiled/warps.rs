//! Blocks of kernels with warp operations.

use cudair_jit::abi::{BAIL, Bail, Frame, WARP};
use cudair_jit::{Kernel, Plan};

/// Runs the lanes of a block from an entry to the next barrier or to their end: one warp after the other, each from one warp operation
/// to the next. Gives where all lanes are then, [`DONE`](cudair_jit::abi::DONE) or [`BAIL`].
pub(super) fn run(frame: &mut Frame, plan: &Plan, code: &Kernel, from: u32, threads: u32) -> u32 {
    let mut end = None;
    for first in (0..threads).step_by(WARP as usize) {
        let mut entry = from;
        loop {
            let raw: *mut Frame = frame;
            // SAFETY: as where other kernels run; the rows that lanes hand each other are those of the arena, and nobody else's.
            entry = unsafe { code.run(raw, entry, first, first + WARP) };
            if !plan.is_of_warp(entry) {
                break;
            }
            frame.exchange.swap(0, 1);
        }
        if entry == BAIL {
            return BAIL;
        }
        if *end.get_or_insert(entry) != entry {
            frame.reason = Bail::Barrier as u32;
            return BAIL;
        }
    }
    end.unwrap_or(BAIL)
}
