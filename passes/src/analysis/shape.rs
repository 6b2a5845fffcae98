//! What is known of a launch, and what that says of the special registers.

use super::callgraph::CallGraph;
use cudair_ir::{InstData, LaunchDims, Module, SpecialReg, Uniformity};

/// Extents of a launch as far as they are known, in x, y, z.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Blocks of the grid.
    pub grid: [Option<u32>; 3],
    /// Threads of a block.
    pub block: [Option<u32>; 3],
    /// At most so many threads in a block (`__launch_bounds__`).
    pub max_threads: Option<u32>,
    /// The scalar arguments' bits where they are known.
    pub args: Vec<Option<u128>>,
}

impl Shape {
    /// What somebody gives of a launch: the extents of its blocks, of its grid.
    pub fn given(block: Option<[u32; 3]>, grid: Option<[u32; 3]>) -> Shape {
        let [grid, block] = [grid, block].map(|extents| extents.map_or([None; 3], |e| e.map(Some)));
        Shape { grid, block, ..Shape::default() }
    }

    /// Its extents, for reports.
    pub fn dims(&self) -> LaunchDims {
        LaunchDims { grid: self.grid, block: self.block }
    }

    /// [`Shape::dims`] with blocks of so many threads.
    pub fn dims_with(&self, block: [u32; 3]) -> LaunchDims {
        LaunchDims { block: block.map(Some), ..self.dims() }
    }

    /// Sets extents that are not known to 1 where nothing below the root reads that dimension: what a
    /// kernel that knows of one dimension only is launched with.
    pub fn assume_unread(&mut self, module: &Module, graph: &CallGraph) {
        let mut block = [false; 3];
        let mut grid = [false; 3];
        for id in graph.functions() {
            let func = &module.funcs[id];
            for &b in &func.layout {
                for &i in func.block_insts(b) {
                    if let InstData::Special { reg } = func.insts[i] {
                        match reg {
                            SpecialReg::TidX | SpecialReg::NtidX => block[0] = true,
                            SpecialReg::TidY | SpecialReg::NtidY => block[1] = true,
                            SpecialReg::TidZ | SpecialReg::NtidZ => block[2] = true,
                            SpecialReg::CtaidX | SpecialReg::NctaidX => grid[0] = true,
                            // Who counts all blocks reads these extents, and may know of no such index.
                            SpecialReg::CtaidY => grid[1] = true,
                            SpecialReg::CtaidZ => grid[2] = true,
                            // These number threads across all dimensions.
                            SpecialReg::Laneid | SpecialReg::Warpid => block = [true; 3],
                            _ => {}
                        }
                    }
                }
            }
        }
        // Any kernel may be launched with more than one thread: x stays open where no dimension is read.
        block[0] = true;
        for d in 0..3 {
            if !block[d] && self.block[d].is_none() {
                self.block[d] = Some(1);
            }
            if !grid[d] && self.grid[d].is_none() {
                self.grid[d] = Some(1);
            }
        }
    }

    /// Threads of a block, where known.
    pub fn threads(&self) -> Option<u64> {
        self.block.iter().try_fold(1u64, |n, &d| Some(n.saturating_mul(d?.into())))
    }

    /// What a uniformity amounts to in this shape: a block of one warp makes warp-uniform values
    /// block-uniform, a grid of one block makes block-uniform values grid-uniform.
    pub fn lift(&self, level: Uniformity) -> Uniformity {
        let mut level = level;
        let threads = self.threads();
        if level == Uniformity::Divergent && threads == Some(1) {
            level = Uniformity::Warp;
        }
        if level == Uniformity::Warp && threads.is_some_and(|n| n <= 32) {
            level = Uniformity::Block;
        }
        if level == Uniformity::Block && self.grid.iter().all(|&d| d == Some(1)) {
            level = Uniformity::Grid;
        }
        level
    }

    /// Whether threads of a warp agree in `threadIdx.x / 32`: warps do not span rows.
    pub fn rows_are_warps(&self) -> bool {
        self.block[0].is_some_and(|x| x % 32 == 0) || (self.block[1] == Some(1) && self.block[2] == Some(1))
    }

    /// Uniformity of a special register.
    pub fn special(&self, reg: SpecialReg) -> Uniformity {
        use SpecialReg::*;
        let index =
            |d: usize| if self.block[d] == Some(1) { Uniformity::Grid } else { Uniformity::Divergent };
        let block = |d: usize| if self.grid[d] == Some(1) { Uniformity::Grid } else { Uniformity::Block };
        match reg {
            TidX => index(0),
            // A warp lies within one row where rows are whole warps.
            TidY | TidZ => {
                let d = if reg == TidY { 1 } else { 2 };
                match (index(d), self.block[0]) {
                    (Uniformity::Divergent, Some(x)) if x % 32 == 0 => Uniformity::Warp,
                    (u, _) => u,
                }
            }
            CtaidX => block(0),
            CtaidY => block(1),
            CtaidZ => block(2),
            NtidX | NtidY | NtidZ | NctaidX | NctaidY | NctaidZ | Warpsize | DynSmemSize => Uniformity::Grid,
            ClusterNctaidX | ClusterNctaidY | ClusterNctaidZ | IsExplicitCluster => Uniformity::Grid,
            Laneid | Clock | Globaltimer => Uniformity::Divergent,
            Warpid => Uniformity::Warp,
            Smid => Uniformity::Block,
        }
    }
}
