//! What a cell of the fast tier tells: who wrote it last, or who read it, and when.
//!
//! An epoch is `interval : 19 | atomic : 1 | several : 1 | thread : 10`, so that signed comparisons do. Epochs of
//! earlier intervals compare less than the running interval's first and need no clearing; when the numbers wrap,
//! all cells are cleared, or folded.

#![allow(clippy::needless_bitwise_bool, reason = "these become vectors, without branches")]

use super::RaceAccess;

pub(super) const INTERVAL_SHIFT: u32 = 12;
/// All who wrote it did so atomically.
pub(crate) const ATOMIC: u32 = 1 << 11;
/// Several threads, or another block's.
pub(crate) const SEVERAL: u32 = 1 << 10;

/// The running interval.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Epochs {
    interval: u32,
}

impl Epochs {
    /// Goes to the next interval. True where the numbers wrapped and all cells must be cleared.
    #[inline]
    pub fn next(&mut self) -> bool {
        self.interval += 1;
        if self.interval >> 19 != 0 {
            self.interval = 1;
            return true;
        }
        false
    }

    pub(super) fn bases(self) -> Bases {
        let first = self.interval << INTERVAL_SHIFT;
        Bases { launch: first, block: first, first }
    }
}

/// What tells the epochs apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bases {
    /// Epochs from here to `block` are of other blocks.
    pub launch: u32,
    /// Epochs from here to `first` are of the block, before its last barrier.
    pub block: u32,
    /// The first epoch of the running interval.
    pub first: u32,
}

impl Bases {
    /// Whether an epoch is of another block of the launch.
    #[inline(always)]
    pub(super) fn foreign(self, epoch: u32) -> bool {
        epoch.wrapping_sub(self.launch) < self.block - self.launch
    }

    /// The epoch of the thread in a lane of an access.
    #[inline(always)]
    pub(super) fn thread(self, acc: &RaceAccess, lane: usize) -> u32 {
        self.first | (acc.first_thread + lane as u32) & 0x3ff
    }
}

/// The running interval of a launch: each stretch in which one block runs between two barriers has a number.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GridStamps {
    interval: u32,
    launch: u32,
    block: u32,
}

impl GridStamps {
    /// Whether the next number does not fit any more: then all cells have to be folded.
    pub(crate) fn is_full(self) -> bool {
        self.interval + 4 >= 1 << 19
    }

    /// A launch starts: everything before is older than its epochs.
    #[inline]
    pub fn launch(&mut self) {
        self.interval += 1;
        (self.launch, self.block) = (self.interval, self.interval);
        self.block();
    }

    /// Another block goes on.
    #[inline]
    pub fn block(&mut self) {
        self.interval += 1;
        self.block = self.interval;
    }

    /// The block has met at a barrier.
    #[inline]
    pub fn barrier(&mut self) {
        self.interval += 1;
    }

    /// Numbers start again; the epoch before which all of the launch has been folded comes back.
    #[inline]
    pub fn wrap(&mut self) -> u32 {
        let launch = self.launch << INTERVAL_SHIFT;
        (self.launch, self.block, self.interval) = (1, 2, 2);
        launch
    }

    #[inline]
    pub fn bases(self) -> Bases {
        let [launch, block, first] = [self.launch, self.block, self.interval].map(|n| n << INTERVAL_SHIFT);
        Bases { launch, block, first }
    }
}

/// Whether a plain access by `me` conflicts with what an epoch tells; `GRID` if it may be another block's.
#[inline(always)]
pub(super) fn conflicts<const GRID: bool>(epoch: u32, bases: Bases, me: u32) -> bool {
    (epoch >= bases.first) & ((epoch & !ATOMIC) != me) | GRID & bases.foreign(epoch)
}

/// The epoch of the readers after a read by `me`.
#[inline(always)]
pub(super) fn reader<const GRID: bool>(r: u32, bases: Bases, me: u32) -> u32 {
    let own = if (r < bases.first) | (r == me) { me } else { bases.first | SEVERAL };
    // Readers of several blocks: another block's to each of them.
    if GRID & bases.foreign(r) { bases.launch | SEVERAL } else { own }
}

pub(super) const READ: u8 = 0;
pub(super) const WRITE: u8 = 1;
pub(super) const ATOMIC_READ: u8 = 2;
pub(super) const ATOMIC_WRITE: u8 = 3;

/// An access of a kind by `me`, given its cell's epoch of those that do the same, which it updates, and of the
/// others: readers to a writer, writers to a reader. Whether it conflicts.
#[inline(always)]
pub(super) fn step<const KIND: u8, const GRID: bool>(
    own: &mut u32,
    other: u32,
    bases: Bases,
    me: u32,
) -> bool {
    let first = bases.first;
    match KIND {
        READ => {
            *own = reader::<GRID>(*own, bases, me);
            conflicts::<GRID>(other, bases, me)
        }
        WRITE => {
            let conflict = conflicts::<GRID>(*own, bases, me) | conflicts::<GRID>(other, bases, me);
            *own = me;
            conflict
        }
        ATOMIC_READ => {
            // Atomic writers are no conflict. It counts as a plain reader, so that a later atomic store is
            // suspected; the replay knows better.
            *own = reader::<GRID>(*own, bases, me);
            other & ATOMIC == 0 && conflicts::<GRID>(other, bases, me)
        }
        _ => {
            let w = own;
            let plain = *w & ATOMIC == 0 && conflicts::<GRID>(*w, bases, me);
            let conflict = plain || conflicts::<GRID>(other, bases, me);
            if GRID && bases.foreign(*w) {
                *w = bases.launch | SEVERAL | (*w & ATOMIC);
            } else if GRID && *w >= bases.block && *w < first {
                // The block's own, before a barrier: a plain write stays one to other blocks.
                *w = me | (*w & ATOMIC);
            } else if *w < first {
                *w = me | ATOMIC;
            } else if *w & !ATOMIC != me {
                // Several threads. A plain write among them stays plain.
                *w = first | SEVERAL | (*w & ATOMIC);
            }
            conflict
        }
    }
}

/// The epoch of the readers of a cell after a read by several lanes.
#[inline(always)]
pub(super) fn read_by_all<const GRID: bool>(r: u32, bases: Bases) -> u32 {
    SEVERAL | if GRID && bases.foreign(r) { bases.launch } else { bases.first }
}

/// An atomic update by several lanes of a cell with these epochs. Whether it conflicts.
#[inline(always)]
pub(super) fn updated_by_all<const GRID: bool>(w: &mut u32, r: u32, bases: Bases) -> bool {
    let (foreign, own) = (GRID && bases.foreign(*w), GRID && *w >= bases.block);
    let plain = *w & ATOMIC == 0 && (*w >= bases.first || own || foreign);
    let by = if foreign { bases.launch } else { bases.first };
    *w = by | SEVERAL | if plain { 0 } else { ATOMIC };
    plain || r >= bases.first || GRID && bases.foreign(r)
}
