//! Launches and threads that are worth following.

use super::super::shape::Shape;
use cudair_ir::volume;

/// A choice of everything that the launch decides.
pub(super) struct Case {
    pub(super) grid: [Option<u32>; 3],
    pub(super) block: [u32; 3],
    /// The block that the thread is of, where one is chosen.
    pub(super) index: Option<[u32; 3]>,
    /// What is chosen where nothing is known; without it what is not known stays so.
    pub(super) choice: Option<Choice>,
    /// Whether the choice holds arguments or extents that matter.
    pub(super) chosen: bool,
    pub(super) known: Vec<Option<u128>>,
}

/// What a launch may hold, picked.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    /// Index into the values that arguments take, if they take any.
    pub(super) args: Option<u32>,
    /// Selects memory contents.
    pub(super) seed: u64,
}

impl Choice {
    /// What integer arguments are, if arguments are chosen.
    pub(super) fn integer(self, block: [u32; 3]) -> Option<u64> {
        let integers = [5, volume(block), 1, 100];
        Some(integers[self.args? as usize % integers.len()])
    }
}

/// A few launches that fit the shape, small and large.
pub(super) fn cases(shape: &Shape) -> Vec<Case> {
    let limit = shape.max_threads.filter(|&n| n > 0).unwrap_or(1024).max(1);
    let mut out = Vec::new();
    let rows: &[[u32; 3]] = &[[64, 4, 2], [9, 1, 1], [256, 2, 1], [2, 2, 2], [33, 3, 1]];
    for (i, row) in rows.iter().enumerate() {
        let mut block = [1; 3];
        for d in 0..3 {
            block[d] = shape.block[d].unwrap_or(row[d]);
        }
        if volume(block) > u64::from(limit) {
            for d in (0..3).rev() {
                if shape.block[d].is_none() {
                    block[d] = if d == 0 { limit.min(block[d]) } else { 1 };
                }
            }
        }
        if block.contains(&0) || volume(block) > 1024 {
            continue;
        }
        let grid = shape.grid.map(|g| Some(g.unwrap_or(2)));
        // The first block; and the last, where an array may end within it.
        let mut indices = vec![[0; 3]];
        if let [Some(x), Some(y), Some(z)] = shape.grid
            && [x, y, z].iter().any(|&n| n > 1)
        {
            indices.push([x, y, z].map(|n| n.saturating_sub(1)));
        }
        for index in indices {
            // What hangs on no argument comes first: it is surer.
            for args in [None, Some(0), Some(1), Some(2), Some(3)] {
                let choice = Some(Choice { args, seed: (i as u64) * 7 + u64::from(args.unwrap_or(0)) });
                let known = shape.args.clone();
                out.push(Case { grid, block, index: Some(index), choice, chosen: args.is_some(), known });
            }
        }
    }
    out
}

/// Threads worth following: the corners, their neighbours and the ends of warps.
pub(super) fn threads(block: [u32; 3]) -> Vec<[u32; 3]> {
    let mut out: Vec<[u32; 3]> = Vec::new();
    let mut add = |x: u32, y: u32, z: u32| {
        let t = [x, y, z];
        if x < block[0] && y < block[1] && z < block[2] && !out.contains(&t) {
            out.push(t);
        }
    };
    let last = [block[0].saturating_sub(1), block[1].saturating_sub(1), block[2].saturating_sub(1)];
    add(0, 0, 0);
    add(last[0], 0, 0);
    add(1, 0, 0);
    add(block[0] / 2, 0, 0);
    add(0, last[1], 0);
    add(0, 1, 0);
    add(0, 0, last[2]);
    add(last[0], last[1], last[2]);
    add(2, 0, 0);
    add(3, 0, 0);
    add(5, 0, 0);
    add(32, 0, 0);
    out
}
