//! Blocks of kernels in which the order of atomic operations can be seen.

use cudair_jit::abi::{BAIL, Bail, DONE, Frame, WORD, WORDS};
use cudair_jit::{Kernel, Plan};

/// Runs the lanes of a block from an entry to the next barrier or to their end, where the order of atomic operations can be seen:
/// one strip after the other, and in a strip the lanes that wait earliest in the layout, as the bytecode's engine has it. Gives
/// where all lanes are then, [`DONE`] or [`BAIL`].
pub(super) fn run(
    frame: &mut Frame,
    plan: &Plan,
    code: &Kernel,
    from: u32,
    (threads, width): (u32, u32),
) -> u32 {
    let mut waiting = vec![0u64; plan.entries() * WORDS];
    let mut end = None;
    let mut ends = |frame: &mut Frame, here: u32| {
        let same = *end.get_or_insert(here) == here;
        if !same {
            frame.reason = Bail::Barrier as u32;
        }
        same
    };
    for first in (0..threads).step_by(width as usize) {
        let lanes = width.min(threads - first);
        let mut ready = (from as usize, [0u64; WORDS]);
        for (word, bits) in ready.1.iter_mut().enumerate() {
            let left = lanes.saturating_sub(word as u32 * WORD);
            *bits = if left >= WORD { u64::MAX } else { (1 << left) - 1 };
        }
        waiting.fill(0);
        loop {
            let (entry, masks) = ready;
            for (word, &bits) in masks.iter().enumerate().filter(|(_, bits)| **bits != 0) {
                frame.active = bits;
                // Each word of lanes has a column of its own.
                frame.waiting = waiting[word..].as_mut_ptr();
                // SAFETY: as where other kernels run; the code stores to rows of as many entries as the plan has.
                let exit = unsafe { code.run_ordered(frame, entry as u32, first + word as u32 * WORD) };
                if exit == BAIL {
                    return BAIL;
                }
            }
            let is_ready = |entry: &usize| {
                !plan.is_barrier(*entry as u32) && waiting[entry * WORDS..][..WORDS].iter().any(|&w| w != 0)
            };
            let Some(next) = (1..plan.entries()).find(is_ready) else { break };
            let row = &mut waiting[next * WORDS..][..WORDS];
            ready = (next, std::array::from_fn(|n| std::mem::take(&mut row[n])));
        }
        for (entry, _) in waiting.chunks(WORDS).enumerate().filter(|(_, row)| row.iter().any(|&w| w != 0)) {
            if !ends(frame, if entry == 0 { DONE } else { entry as u32 }) {
                return BAIL;
            }
        }
    }
    end.unwrap_or(DONE)
}
