//! Launches that may show a finding: what an analysis chose where nobody says, for who tries it.

/// A launch that may show a finding, as far as an analysis knows it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counterexample {
    /// The kernel's symbol.
    pub kernel: String,
    /// Blocks of the grid. Any number may be taken where none stands.
    pub grid: [Option<u32>; 3],
    /// Threads of a block.
    pub block: [Option<u32>; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: Option<u32>,
    /// Whether the kernel uses dynamic shared memory.
    pub uses_dynamic_shared: bool,
    /// Whether the kernel waits at barriers of the grid: it is launched with all blocks at a time.
    pub cooperative: bool,
    /// The arguments, one for each parameter of the kernel.
    pub args: Vec<Argument>,
    /// More is said of the launch than is known here, by the host's code or by an assumption: what stands open must not be
    /// chosen.
    pub partial: bool,
}

/// An argument of a launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Argument {
    /// Whatever one likes; of a pointer an array of its own.
    #[default]
    Any,
    /// These bits; of a pointer none but 0.
    Bits(u128),
    /// A pointer into an array of its own.
    Array {
        /// The array's bytes.
        bytes: u64,
        /// Bytes from its start.
        offset: u64,
    },
    /// A pointer into what another parameter points to.
    Alias {
        /// The other parameter, which is no alias.
        of: u32,
        /// Bytes from where the other points to.
        distance: u64,
    },
}

impl Counterexample {
    /// Takes from another one what stands open here.
    #[must_use]
    pub fn or(mut self, other: &Counterexample) -> Counterexample {
        for d in 0..3 {
            self.grid[d] = self.grid[d].or(other.grid[d]);
            self.block[d] = self.block[d].or(other.block[d]);
        }
        self.dynamic_shared = self.dynamic_shared.or(other.dynamic_shared);
        self.uses_dynamic_shared |= other.uses_dynamic_shared;
        self.cooperative |= other.cooperative;
        self.partial |= other.partial;
        self.args.resize(self.args.len().max(other.args.len()), Argument::Any);
        for (mine, theirs) in self.args.iter_mut().zip(&other.args) {
            if *mine == Argument::Any {
                *mine = *theirs;
            }
        }
        self
    }
}
