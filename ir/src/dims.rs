//! The extents of a launch, and what a reader calls its blocks and threads.
//!
//! Where only x has more than one, an index is a number, as `blockIdx.x` and `threadIdx.x` are in the program: "thread 5 of
//! block 0". With two dimensions it is "(5,1)"; with three, and where the extents are not known, "(5,1,0)".

use crate::ThreadCoord;

/// The extents of a launch in x, y, z, as far as they are known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct LaunchDims {
    /// Blocks of the grid.
    pub grid: [Option<u32>; 3],
    /// Threads of a block.
    pub block: [Option<u32>; 3],
}

impl LaunchDims {
    /// Those of a launch whose extents are all known.
    pub fn new(grid: [u32; 3], block: [u32; 3]) -> LaunchDims {
        LaunchDims { grid: grid.map(Some), block: block.map(Some) }
    }

    /// Extents, if all three are known.
    pub fn known([x, y, z]: [Option<u32>; 3]) -> Option<[u32; 3]> {
        Some([x?, y?, z?])
    }

    /// An index in these extents: "5", "(5,1)", "(5,1,0)".
    pub fn index(extents: [Option<u32>; 3], [x, y, z]: [u32; 3]) -> String {
        match extents {
            [_, Some(1), Some(1)] => x.to_string(),
            [_, _, Some(1)] => format!("({x},{y})"),
            _ => format!("({x},{y},{z})"),
        }
    }

    /// A block's index.
    pub fn block(&self, index: [u32; 3]) -> String {
        Self::index(self.grid, index)
    }

    /// A thread's index in its block.
    pub fn thread(&self, index: [u32; 3]) -> String {
        Self::index(self.block, index)
    }

    /// "thread 5 of block 0"
    pub fn thread_of(&self, at: ThreadCoord) -> String {
        format!("thread {} of block {}", self.thread(at.thread), self.block(at.block))
    }

    /// "threads 0 and 4 of block 0", or both in full where the blocks differ.
    pub fn pair(&self, a: ThreadCoord, b: ThreadCoord) -> String {
        if a.block == b.block {
            let [x, y] = [a, b].map(|t| self.thread(t.thread));
            format!("threads {x} and {y} of block {}", self.block(a.block))
        } else {
            format!("{} and {}", self.thread_of(a), self.thread_of(b))
        }
    }

    /// Extents as a reader says them: "64", "16×16", "8×8×4".
    pub fn extents([x, y, z]: [u32; 3]) -> String {
        match (y, z) {
            (1, 1) => x.to_string(),
            (_, 1) => format!("{x}×{y}"),
            _ => format!("{x}×{y}×{z}"),
        }
    }

    /// "1 block of 64 threads", "4×2 blocks of 16×16 threads", if all extents are known.
    pub fn in_words(&self) -> Option<String> {
        let [grid, block] = [Self::known(self.grid)?, Self::known(self.block)?];
        let some = |extents: [u32; 3], what: &str| {
            let plural = if extents == [1; 3] { "" } else { "s" };
            format!("{} {what}{plural}", Self::extents(extents))
        };
        Some(format!("{} of {}", some(grid, "block"), some(block, "thread")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_has_as_many_numbers_as_dimensions() {
        let at = |block, thread| ThreadCoord { block, thread };
        let (a, b) = (at([0; 3], [5, 0, 0]), at([1, 0, 0], [6, 1, 0]));
        let flat = LaunchDims::new([2, 1, 1], [64, 1, 1]);
        assert_eq!(flat.thread_of(a), "thread 5 of block 0");
        let plane = LaunchDims::new([2, 1, 1], [16, 16, 1]);
        assert_eq!(plane.pair(a, b), "thread (5,0) of block 0 and thread (6,1) of block 1");
        assert_eq!(plane.pair(a, a), "threads (5,0) and (5,0) of block 0");
        assert_eq!(LaunchDims::default().thread_of(a), "thread (5,0,0) of block (0,0,0)");
    }

    #[test]
    fn extents_leave_out_what_is_one() {
        let words = |grid, block| LaunchDims::new(grid, block).in_words();
        assert_eq!(words([1; 3], [1; 3]).as_deref(), Some("1 block of 1 thread"));
        assert_eq!(words([4, 2, 1], [16, 16, 1]).as_deref(), Some("4×2 blocks of 16×16 threads"));
        assert_eq!(LaunchDims::default().in_words(), None);
    }
}
