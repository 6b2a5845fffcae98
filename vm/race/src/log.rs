//! What happened in an interval, one entry per operation and strip.

use super::{AddressPattern, RaceAccess};
use cudair_lane::pattern::{Pattern, Stride};
use cudair_lane::{How, Mask, Values};
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// Where the lanes of an entry are; words lie beside the entries.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum At {
    Contig(i64),
    Broadcast(u32),
    Stride(Stride),
    /// From this word on: see [`Pattern::save`].
    Chunks(u32),
}

/// What an entry wrote.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Wrote {
    Unknown,
    Uniform(u64),
    /// From this word on, one per lane up to four bytes, else two.
    Lanes(u32),
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    how: How,
    obj: u32,
    width: u32,
    first_thread: u32,
    mask: Mask,
    at: At,
    wrote: Wrote,
    /// Lanes whose words are kept.
    lanes: u32,
}

#[derive(Clone, Copy, Debug)]
enum Item {
    Access(Entry),
    WarpSync { warp: u32, mask: u32 },
}

/// One thing that happened.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// An access.
    Access(RaceAccess<'a>),
    /// The lanes of a mask of a warp met.
    WarpSync {
        /// The warp, by number in the block.
        warp: u32,
        /// A bit per lane.
        mask: u32,
    },
}

/// The log of an interval.
#[derive(Debug, Default)]
pub(crate) struct Log {
    items: Vec<Item>,
    words: Vec<u32>,
}

impl Log {
    /// Forgets all.
    #[inline]
    pub fn clear(&mut self) {
        self.items.clear();
        self.words.clear();
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// How much it holds, in entries of about a hundred bytes.
    pub(crate) fn weight(&self) -> usize {
        self.items.len() + self.words.len() / 32
    }

    /// Adds an access.
    #[inline]
    pub fn push(&mut self, acc: &RaceAccess) {
        let lanes = acc.mask.0.iter().rposition(|&w| w != 0).map_or(0, |c| (c + 1) * 16);
        let at = match acc.spot {
            AddressPattern::Contiguous(off) => At::Contig(off),
            AddressPattern::Uniform(off) => At::Broadcast(off),
            AddressPattern::Chunks(pattern) => match pattern.stride() {
                Some(stride) => At::Stride(stride),
                None => {
                    let start = self.words.len() as u32;
                    pattern.save(acc.mask, &mut self.words);
                    At::Chunks(start)
                }
            },
        };
        let mut keep = |words: &[u32], per_lane: usize| {
            let start = self.words.len() as u32;
            self.words.extend_from_slice(&words[..(lanes * per_lane).min(words.len())]);
            start
        };
        let wrote = match acc.values {
            Some(Values::Uniform(bits)) if acc.width <= 8 => Wrote::Uniform(bits as u64),
            Some(Values::Lanes(words)) if acc.width <= 4 => Wrote::Lanes(keep(words, 1)),
            Some(Values::Lanes(words)) if acc.width <= 8 => Wrote::Lanes(keep(words, 2)),
            _ => Wrote::Unknown,
        };
        self.items.push(Item::Access(Entry {
            how: acc.how,
            obj: acc.obj,
            width: acc.width,
            first_thread: acc.first_thread,
            mask: *acc.mask,
            at,
            wrote,
            lanes: lanes as u32,
        }));
    }

    /// Reads what [`Pattern::save`] wrote; gives the words as well.
    fn chunks(&self, start: u32, mask: &Mask, pattern: &mut Option<Pattern>) -> &[u32] {
        let words = &self.words[start as usize..];
        let n = pattern.get_or_insert_default().restore(mask, words);
        &words[..n]
    }

    /// Adds what is no access.
    pub(crate) fn push_event(&mut self, event: Event) {
        match event {
            Event::Access(acc) => self.push(&acc),
            Event::WarpSync { warp, mask } => self.items.push(Item::WarpSync { warp, mask }),
        }
    }

    fn words(&self, start: u32, n: usize) -> &[u32] {
        let rest = self.words.get(start as usize..).unwrap_or(&[]);
        &rest[..n.min(rest.len())]
    }

    fn spot<'a>(&self, e: &Entry, pattern: &'a mut Option<Pattern>) -> AddressPattern<'a> {
        match e.at {
            At::Contig(off) => AddressPattern::Contiguous(off),
            At::Broadcast(off) => AddressPattern::Uniform(off),
            At::Stride(stride) => {
                let pattern = pattern.get_or_insert_default();
                pattern.set_stride(stride, &e.mask);
                AddressPattern::Chunks(pattern)
            }
            At::Chunks(start) => {
                self.chunks(start, &e.mask, pattern);
                AddressPattern::Chunks(pattern.get_or_insert_default())
            }
        }
    }

    fn values(&self, e: &Entry) -> Option<Values<'_>> {
        match e.wrote {
            Wrote::Unknown => None,
            Wrote::Uniform(bits) => Some(Values::Uniform(u128::from(bits))),
            Wrote::Lanes(start) => {
                let per_lane = if e.width <= 4 { 1 } else { 2 };
                Some(Values::Lanes(self.words(start, e.lanes as usize * per_lane)))
            }
        }
    }

    /// Calls `f` with the accesses to an object in order, until it gives false. Whether it never did.
    #[inline]
    pub fn all(&self, obj: usize, mut f: impl FnMut(&RaceAccess) -> bool) -> bool {
        let mut pattern = None;
        self.items.iter().all(|item| match item {
            Item::Access(e) if e.obj as usize == obj => f(&self.access(e, &mut pattern)),
            _ => true,
        })
    }

    /// [`Log::all`] for what asks a pattern for its stride alone, which need not be filled in then.
    pub(crate) fn all_strides(&self, obj: usize, mut f: impl FnMut(&RaceAccess) -> bool) -> bool {
        let mut pattern = Pattern::default();
        let mut full = None;
        self.items.iter().all(|item| match item {
            Item::Access(e) if e.obj as usize == obj => match e.at {
                At::Stride(stride) => {
                    pattern.only_stride(stride);
                    f(&self.access_at(e, AddressPattern::Chunks(&pattern)))
                }
                _ => f(&self.access(e, &mut full)),
            },
            _ => true,
        })
    }

    fn access<'a>(&'a self, e: &'a Entry, pattern: &'a mut Option<Pattern>) -> RaceAccess<'a> {
        self.access_at(e, self.spot(e, pattern))
    }

    fn access_at<'a>(&'a self, e: &'a Entry, spot: AddressPattern<'a>) -> RaceAccess<'a> {
        RaceAccess {
            how: e.how,
            obj: e.obj,
            width: e.width,
            mask: &e.mask,
            first_thread: e.first_thread,
            spot,
            values: self.values(e),
            failed: None,
        }
    }

    /// All that happened, in order.
    #[inline]
    pub fn for_each(&self, mut f: impl FnMut(Event)) {
        let mut pattern = None;
        for item in &self.items {
            match item {
                Item::Access(e) => f(Event::Access(self.access(e, &mut pattern))),
                &Item::WarpSync { warp, mask } => f(Event::WarpSync { warp, mask }),
            }
        }
    }

    /// Drops accesses that repeat an earlier one since the last warp synchronisation: a loop's, mostly.
    pub(crate) fn dedupe(&mut self) {
        let old = std::mem::take(self);
        let mut pattern = None;
        let mut seen: FxHashSet<(u64, u64)> = FxHashSet::default();
        for item in &old.items {
            match item {
                &Item::WarpSync { warp, mask } => {
                    seen.clear();
                    self.items.push(Item::WarpSync { warp, mask });
                }
                Item::Access(e) => {
                    let values = old.values(e);
                    let words = match e.at {
                        At::Chunks(start) => old.chunks(start, &e.mask, &mut pattern),
                        _ => &[],
                    };
                    let hash = |seed: u64| {
                        let mut h = FxHasher::default();
                        seed.hash(&mut h);
                        (e.how, e.obj, e.width, e.first_thread, e.mask).hash(&mut h);
                        match e.at {
                            At::Contig(o) => (0, o).hash(&mut h),
                            At::Broadcast(o) => (1, o).hash(&mut h),
                            At::Stride(s) => (3, s).hash(&mut h),
                            At::Chunks(_) => (2, words).hash(&mut h),
                        }
                        match values {
                            None => 0.hash(&mut h),
                            Some(Values::Uniform(v)) => (1, v).hash(&mut h),
                            Some(Values::Lanes(v)) => (2, v).hash(&mut h),
                        }
                        h.finish()
                    };
                    if seen.insert((hash(0x9e37_79b9), hash(0x85eb_ca6b))) {
                        self.push(&old.access(e, &mut pattern));
                    }
                }
            }
        }
    }
}
