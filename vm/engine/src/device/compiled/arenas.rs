//! What each thread that runs compiled blocks has for itself: shared memory of a block, and values of its lanes.

use cudair_jit::abi::View;
use cudair_lane::pages::Words;

/// The first interval whose number does not fit an epoch.
const INTERVALS: u32 = 1 << 19;
/// How far the interval of an epoch is shifted.
const INTERVAL_SHIFT: u32 = 12;

/// What a thread needs to run blocks.
#[derive(Default)]
pub(super) struct Arena {
    pub(super) shared: SharedArena,
    /// Values of lanes that live across synchronisation points.
    pub(super) lanes: Words,
}

impl Arena {
    /// Makes room for the shared variables of a launch, as [`SharedArena::fit`] has it, and so many words. Whether there was
    /// memory for it.
    pub(super) fn fit(&mut self, shared: &[(u64, u8)], words: usize) -> bool {
        if self.lanes.len() < words {
            self.lanes = Words::zeroed(words);
        }
        self.shared.fit(shared) && self.lanes.len() >= words
    }
}

/// The shared memory of a block of compiled code: bytes and epochs by root.
#[derive(Default)]
pub(super) struct SharedArena {
    bytes: Vec<Words>,
    writers: Vec<Words>,
    readers: Vec<Words>,
    /// By root, how many cells its variable has.
    cells: Vec<usize>,
    /// The running interval; epochs of earlier ones are old.
    interval: u32,
}

impl SharedArena {
    /// Makes room for the variables of a launch, by root: their bytes, and those of a granule as a power of two. Whether there
    /// was memory for it.
    pub(super) fn fit(&mut self, sizes: &[(u64, u8)]) -> bool {
        let mut fits = true;
        self.bytes.resize_with(sizes.len().max(self.bytes.len()), Words::default);
        self.writers.resize_with(self.bytes.len(), Words::default);
        self.readers.resize_with(self.bytes.len(), Words::default);
        self.cells = sizes.iter().map(|&(size, granule)| size.div_ceil(1 << granule) as usize).collect();
        for (n, &(size, granule)) in sizes.iter().enumerate() {
            let words = (size as usize).div_ceil(4) + 32;
            if self.bytes[n].len() < words {
                self.bytes[n] = Words::zeroed(words);
            }
            let cells = (size >> granule) as usize + 32;
            if self.writers[n].len() < cells {
                self.writers[n] = Words::zeroed(cells);
                self.readers[n] = Words::zeroed(cells);
            }
            let least = self.writers[n].len().min(self.readers[n].len());
            fits &= self.bytes[n].len() >= words && least >= cells;
        }
        fits
    }

    /// The `n`th root's variable, of so many bytes.
    pub(super) fn view(&mut self, n: usize, size: u64) -> View {
        let limits = View::limits(size);
        View {
            data: self.bytes[n].as_mut_ptr().cast(),
            reads: limits,
            writes: limits,
            write_lines: self.writers[n].as_mut_ptr(),
            read_lines: self.readers[n].as_mut_ptr(),
            ..View::NONE
        }
    }

    /// Another interval begins; its first epoch.
    pub(super) fn next(&mut self) -> u32 {
        self.interval += 1;
        if self.interval >= INTERVALS {
            self.writers.iter_mut().chain(&mut self.readers).for_each(|w| w.fill(0));
            self.interval = 1;
        }
        self.interval << INTERVAL_SHIFT
    }

    /// A block begins: the first epoch of its first interval. It has numbers for half of the intervals that there are.
    pub(super) fn first(&mut self) -> u32 {
        if self.interval >= INTERVALS / 2 {
            self.interval = INTERVALS;
        }
        self.next()
    }

    /// The variables that a block, whose first epoch is `block`, has written wholly, as [`Frame::initialised`] has them. Those
    /// in `known` are among them. Of any other, it takes the time of a look at all cells up to the first that lacks.
    ///
    /// [`Frame::initialised`]: cudair_jit::abi::Frame::initialised
    pub(super) fn initialised(&self, block: u32, known: u64) -> u64 {
        /// Cells that are looked at together.
        const SOME: usize = 64;
        let variables = self.cells.iter().zip(&self.writers).enumerate().take(u64::BITS as usize);
        let is_written = |&(n, (&cells, epochs)): &(usize, (&usize, &Words))| {
            let all = |some: &[u32]| some.iter().fold(u32::MAX, |least, &epoch| least.min(epoch)) >= block;
            cells > 0 && (known >> n & 1 != 0 || epochs[..cells].chunks(SOME).all(all))
        };
        variables.filter(is_written).fold(0, |all, (n, _)| all | 1 << n)
    }

    /// Whether another interval has a number before they wrap.
    pub(super) fn has_room(&self) -> bool {
        self.interval + 1 < INTERVALS
    }
}
