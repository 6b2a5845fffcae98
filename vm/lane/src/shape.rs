//! Where the lanes of a strip stand in their launch, and on which side code runs.

use crate::fault::LaunchRef;
use cudair_ir::ThreadCoord;

/// On which side code runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MemSide {
    /// The host.
    Host = 0,
    /// The device.
    Device = 1,
}

/// Where the lanes of a strip stand in their launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StripShape {
    /// `blockIdx`.
    pub block_index: [u32; 3],
    /// `blockDim`.
    pub block_dim: [u32; 3],
    /// The linear thread index, within the block, of lane 0.
    pub first_thread: u32,
    /// Lanes of the strip.
    pub lanes: u32,
    /// The launch; absent on the host.
    pub launch: Option<LaunchRef>,
}

impl StripShape {
    /// The host: one lane, no launch.
    pub const HOST: StripShape =
        StripShape { block_index: [0; 3], block_dim: [1; 3], first_thread: 0, lanes: 1, launch: None };

    /// The thread of a lane.
    #[inline]
    pub fn thread(&self, lane: usize) -> ThreadCoord {
        thread_coord(self.block_index, self.block_dim, self.first_thread + lane as u32)
    }
}

/// The coordinates of the thread with a linear index in its block.
#[inline]
pub fn thread_coord(block: [u32; 3], dim: [u32; 3], linear: u32) -> ThreadCoord {
    let (x, y) = (dim[0].max(1), dim[1].max(1));
    ThreadCoord { block, thread: [linear % x, linear / x % y, linear / x / y] }
}

/// The index of the block of this linear number in a grid.
#[inline]
pub fn block_index(grid: [u32; 3], linear: u64) -> [u32; 3] {
    let [gx, gy, _] = grid.map(|n| u64::from(n.max(1)));
    [(linear % gx) as u32, (linear / gx % gy) as u32, (linear / gx / gy) as u32]
}
