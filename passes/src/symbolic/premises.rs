//! What proofs take for granted.

use cudair_ir::verdict::Check;

/// The premise that the check of barrier divergence proves.
pub const CONVERGENCE: &str = "all threads of a block meet at every barrier";

/// The premise that the same check proves where a kernel waits for its grid.
pub const GRID_CONVERGENCE: &str = "all blocks of a grid meet at every barrier of the grid";

/// The premise that the check of races in device memory proves.
pub const BLOCKS: &str = "no two blocks race in device memory";

/// The premise that the check of calls through pointers proves.
pub const FUNCTIONS: &str = "calls through pointers are of functions in these files";

/// The premise that the checks of races prove together.
pub const OWN: &str = "what a thread reads back of its own, no other thread writes meanwhile";

/// What a proof rests on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Premises {
    /// All threads of a block meet at every barrier.
    pub convergence: bool,
    /// All blocks of a grid meet at every barrier of the grid.
    pub grid_convergence: bool,
    /// No two blocks race in device memory.
    pub no_block_races: bool,
    /// What two parameters point to does not overlap.
    pub distinct_parameters: bool,
    /// No launch has 2³¹ or more threads along an axis.
    pub few_threads: bool,
    /// No signed arithmetic of the kernel overflows.
    pub signed: bool,
    /// No loop counter wraps around.
    pub counters: bool,
    /// No signed arithmetic of the host overflows.
    pub host_arithmetic: bool,
    /// No counter that threads draw numbers from wraps around.
    pub tickets: bool,
    /// Every thread comes to the end of every loop.
    pub loops_end: bool,
    /// What the program assumes holds.
    pub assumptions: bool,
    /// Calls through pointers are of functions of the module.
    pub functions: bool,
    /// Local variables are written before they are read.
    pub initialised: bool,
    /// Device memory and local variables are written before they are read.
    pub elsewhere_written: bool,
    /// No other thread writes meanwhile what a thread has written and reads back.
    pub reads_back: bool,
    /// Functions without a body touch no memory that other threads see, and wait for nobody.
    pub elsewhere: bool,
    /// What a texture shows, the launch does not write.
    pub textures: bool,
    /// To how many bytes pointers that are passed are aligned, if it matters.
    pub aligned: u32,
    /// To how many bytes variables are aligned whose own alignment is less, if it matters.
    pub placed: u32,
}

impl Premises {
    /// Takes for granted what another proof does, too.
    pub fn join(&mut self, other: Premises) {
        self.convergence |= other.convergence;
        self.grid_convergence |= other.grid_convergence;
        self.no_block_races |= other.no_block_races;
        self.distinct_parameters |= other.distinct_parameters;
        self.few_threads |= other.few_threads;
        self.signed |= other.signed;
        self.counters |= other.counters;
        self.host_arithmetic |= other.host_arithmetic;
        self.tickets |= other.tickets;
        self.loops_end |= other.loops_end;
        self.assumptions |= other.assumptions;
        self.functions |= other.functions;
        self.initialised |= other.initialised;
        self.reads_back |= other.reads_back;
        self.elsewhere |= other.elsewhere;
        self.elsewhere_written |= other.elsewhere_written;
        self.textures |= other.textures;
        self.aligned = self.aligned.max(other.aligned);
        self.placed = self.placed.max(other.placed);
    }

    /// What a proof takes for granted, a clause each.
    pub fn in_words(self, check: Check) -> Vec<String> {
        let mut out = Vec::new();
        if self.convergence {
            out.push(CONVERGENCE.to_owned());
        }
        if self.grid_convergence {
            out.push(GRID_CONVERGENCE.to_owned());
        }
        if self.no_block_races && check != Check::GlobalRaces {
            out.push(BLOCKS.to_owned());
        }
        if self.distinct_parameters && check != Check::SharedRaces {
            out.push("parameters point to distinct memory".to_owned());
        }
        if self.few_threads {
            out.push("no launch has 2³¹ or more threads along an axis".to_owned());
        }
        if self.signed {
            out.push("no signed arithmetic of the kernel overflows".to_owned());
        }
        if self.counters {
            out.push("no loop counter wraps around".to_owned());
        }
        if self.tickets {
            out.push("no atomic counter wraps around".to_owned());
        }
        if self.loops_end {
            out.push("every thread comes to the end of its loops".to_owned());
        }
        if self.assumptions {
            out.push("what the program assumes".to_owned());
        }
        if self.functions && check != Check::Undefined {
            out.push(FUNCTIONS.to_owned());
        }
        if self.elsewhere_written {
            out.push("device memory and local variables are written before they are read".to_owned());
        } else if self.initialised {
            out.push("local variables are written before they are read".to_owned());
        }
        if self.reads_back {
            out.push(OWN.to_owned());
        }
        if self.elsewhere {
            out.push("functions without a body here touch no shared data, and wait for no thread".to_owned());
        }
        if self.textures {
            out.push("the launch writes to nothing that its textures show".to_owned());
        }
        if self.aligned > 0 {
            out.push(format!("pointers that are passed are aligned to {} bytes", self.aligned));
        }
        if self.placed > 0 {
            out.push(format!(
                "variables lie at multiples of {} bytes, which their own alignment does not promise",
                self.placed
            ));
        }
        if self.host_arithmetic {
            out.push("no signed arithmetic of the host overflows".to_owned());
        }
        out
    }
}
