//! Shared memory's epochs of the tier: one of the last writer and one of the readers for each granule of a variable. What compiled
//! code does inline (`access.rs`, `runs.rs`, `gathers.rs`) stands here once more, for lanes that it hands over.

#![allow(unsafe_code)] // compiled code hands its frame over as a pointer

use crate::abi::{ATOMIC, Frame, SEVERAL};

/// [`crate::abi::Helper::ReadShared`]. Gives 0 where a race is suspected, or nobody has written what is read.
///
/// # Safety
/// `frame` is the frame of a launch whose roots have epochs of shared memory for this root, in such granules, and the offsets
/// lie in it. Nothing else is done with them meanwhile.
pub unsafe extern "C" fn read(frame: *mut Frame, root: u64, granule_log2: u64, who: u64) -> u32 {
    // SAFETY: as promised.
    let (frame, view) = unsafe {
        let frame = &*frame;
        (frame, &*frame.roots.add(root as usize))
    };
    let first = frame.shared_first;
    let (thread, lanes) = (who as u32, who >> 32);
    for (lane, offset) in frame.offsets.iter().enumerate().filter(|(lane, _)| lanes >> lane & 1 != 0) {
        let cell = (offset >> granule_log2) as usize;
        let me = first | (thread + lane as u32);
        // SAFETY: as promised.
        let (writer, reader) = unsafe { (*view.write_lines.add(cell), &mut *view.read_lines.add(cell)) };
        let ordered = writer < first || writer & !ATOMIC == me;
        if writer < frame.shared_block || !ordered {
            return 0;
        }
        *reader = if *reader < first || *reader == me { me } else { first | SEVERAL };
    }
    1
}
