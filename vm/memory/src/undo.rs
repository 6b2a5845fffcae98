//! Putting memory back as it was before a launch: the undo log of a launch's transaction.
//!
//! The log has the pages of objects as they were before the launch first wrote them, and what the launch did to the
//! table of objects. Where the cores part, the log has a stretch of its own for what comes then, which can be taken
//! back by itself ([`super::share`]).

use super::raw::{Page, Store};
use super::table::{Before, Table};
use super::{BlockMem, Memory};
use cudair_lane::fault::{LaunchRef, Stop};
use cudair_lane::pattern::{AddressPattern, ChunkPattern};
use cudair_lane::ptr::Ptr;
use cudair_lane::{CHUNK, MASK_WORDS, Mask};
use cudair_race::grid::GridRaces;
use cudair_race::records::Clusters;
use cudair_race::{MayTouch, PAGE};
use cudair_report::Findings;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of freed objects that are kept.
const FREED: u64 = 1 << 28;

/// Which writes of a launch can be taken back.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Keep {
    /// None: the launch stands, however it ends.
    #[default]
    Nothing,
    /// Those that the launch may see when it runs once more. What it cannot read it writes again as before. The
    /// objects that it may read, by number; all where that is not known.
    ForSecondRun(Option<Vec<u32>>),
    /// All.
    All,
    /// All, and objects that it frees however many they are: the launch is taken back in any case.
    Whatever,
}

impl Keep {
    /// Whether all writes are kept.
    pub fn is_all(&self) -> bool {
        matches!(self, Keep::All | Keep::Whatever)
    }
}

/// Why the writes of a launch cannot be taken back, although they were to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GivenUp {
    /// It freed more than is kept.
    Freed,
    /// The machine has no memory for the log.
    Memory,
}

/// What a launch did to the table of objects.
#[derive(Debug)]
pub(super) enum Change {
    /// An object was added; what stood at its number before, if one did.
    Added(usize, Option<Box<Before>>),
    /// An object was freed: its memory, and who could read and write it.
    Ended(usize, Store, [bool; 4]),
}

/// A page by object and number.
pub(crate) type PageId = (u32, u32);

/// Pages as they were.
pub(crate) type Pages = FxHashMap<PageId, Page>;

/// Which pages of an object are in the log.
#[derive(Debug, Default)]
struct Saved {
    /// The stretch that `pages` is of.
    stretch: u64,
    /// A bit per page. Compiled code reads it, on several threads at times.
    pages: Vec<AtomicU64>,
}

/// The log of the running launch. See the module's documentation.
#[derive(Debug, Default)]
pub(super) struct UndoLog {
    keep: Keep,
    given_up: Option<GivenUp>,
    /// The cores have parted: whatever is written is kept, for the others.
    parted: bool,
    /// Objects from here on are new since the launch started: nothing of them is kept.
    new_from: u32,
    /// Objects below that are new nevertheless.
    reused: FxHashSet<u32>,
    /// Counts launches, and stretches of them that keep pages of their own.
    stretch: u64,
    saved: FxHashMap<u32, Saved>,
    pages: Pages,
    changes: Vec<Change>,
    freed: u64,
    used: u64,
    next_shared: u32,
}

impl UndoLog {
    /// Whether writes are kept.
    pub(super) fn is_kept(&self) -> bool {
        self.keep != Keep::Nothing && self.given_up.is_none()
    }

    fn give_up(&mut self, why: GivenUp) {
        self.given_up = Some(why);
        self.pages.clear();
        self.changes.clear();
    }

    /// Before lanes write an object of `size` bytes, of which `save` gives a stretch.
    #[inline]
    pub(super) fn before_write(
        &mut self,
        obj: u32,
        size: u64,
        (mask, spot, width): (&Mask, AddressPattern, u32),
        save: impl Fn(u64, u64) -> Page,
    ) {
        let unread = match &self.keep {
            Keep::Nothing => return,
            // What it cannot read need not be put back: writing it again gives the same.
            Keep::ForSecondRun(Some(reads)) => !reads.contains(&obj),
            Keep::ForSecondRun(None) | Keep::All | Keep::Whatever => false,
        };
        if unread && !self.parted {
            return;
        }
        let Some(mut kept) = self.of_object(obj, size) else { return };
        let width_of = u64::from(width);
        let done = match spot {
            AddressPattern::Chunks(_) => (0..MASK_WORDS).filter(|&c| mask.0[c] != 0).all(|c| {
                let word = mask.0[c];
                let (from, to) = match spot.chunk(c, width) {
                    // Of lanes that are not in the mask, those between others do no harm.
                    ChunkPattern::Contiguous(off) => {
                        let at = |lane: u32| (off as u32).wrapping_add(lane * width);
                        (at(word.trailing_zeros()), at(word.ilog2()))
                    }
                    ChunkPattern::Uniform(off) => (off, off),
                    ChunkPattern::Gather(offs) => {
                        // Inactive lanes have an active one's offset.
                        let ends = offs.iter().fold((u32::MAX, 0), |(l, h), &o| (o.min(l), o.max(h)));
                        if u64::from(ends.1 - ends.0) > PAGE {
                            let mut rest = word;
                            while rest != 0 {
                                let off = offs[rest.trailing_zeros() as usize & (CHUNK - 1)];
                                rest &= rest - 1;
                                if !kept.bytes(off.into(), width_of, &save) {
                                    return false;
                                }
                            }
                            return true;
                        }
                        ends
                    }
                };
                kept.bytes(from.into(), u64::from(to - from) + width_of, &save)
            }),
            AddressPattern::Uniform(off) => kept.bytes(off.into(), width_of, &save),
            AddressPattern::Contiguous(_) => {
                let (Some(first), Some(last)) = (mask.lowest(), mask.highest()) else { return };
                let (from, to) = (spot.lane(first, width), spot.lane(last, width));
                kept.bytes(from.into(), u64::from(to - from) + width_of, &save)
            }
        };
        if !done {
            self.give_up(GivenUp::Memory);
        }
    }

    /// Before bytes of an object are written.
    #[inline]
    pub(super) fn before_write_at(
        &mut self,
        (obj, size): (u32, u64),
        from: u64,
        len: u64,
        save: impl Fn(u64, u64) -> Page,
    ) {
        if let Some(mut kept) = self.of_object(obj, size)
            && !kept.bytes(from, len, &save)
        {
            self.give_up(GivenUp::Memory);
        }
    }

    /// What is kept of an object; nothing of one that is new since the launch started.
    #[inline(always)]
    fn of_object(&mut self, obj: u32, size: u64) -> Option<Kept<'_>> {
        if !self.is_kept() || obj >= self.new_from || !self.reused.is_empty() && self.reused.contains(&obj) {
            return None;
        }
        let saved = self.saved.entry(obj).or_default();
        saved.begin(self.stretch, size);
        Some(Kept { obj, size, saved, pages: &mut self.pages })
    }

    /// A bit for each page of an object that is in the log, for compiled code; nothing where nothing of the object is kept.
    pub(super) fn saved_pages(&mut self, obj: u32, size: u64) -> Option<*mut u64> {
        self.of_object(obj, size).map(|kept| kept.saved.pages.as_ptr().cast_mut().cast())
    }

    /// The same bits, for who keeps pages on several threads.
    pub(super) fn saved_bits(&self, obj: u32) -> Option<&[AtomicU64]> {
        self.saved.get(&obj).filter(|saved| saved.stretch == self.stretch).map(|saved| &*saved.pages)
    }

    /// Pages that several threads kept, each of them once. Nothing can be taken back where some are missing for lack of memory.
    pub(super) fn add_pages(&mut self, pages: impl Iterator<Item = Pages>, all: bool) {
        if !all {
            self.give_up(GivenUp::Memory);
        } else if self.is_kept() {
            self.pages.extend(pages.flatten());
        }
    }

    /// The cores part: what comes now is a stretch of its own. Gives the pages of the one before.
    pub(super) fn part(&mut self) -> Pages {
        self.stretch += 1;
        self.parted = true;
        std::mem::take(&mut self.pages)
    }

    /// The pages that were written since the cores parted, as they were then.
    pub(super) fn take_written(&mut self) -> Pages {
        std::mem::take(&mut self.pages)
    }

    /// The cores have joined: `written` are the pages that any of them wrote, as they were when they parted.
    pub(super) fn join(&mut self, before: Pages, written: Pages) {
        self.parted = false;
        self.pages = before;
        for (page, old) in written {
            self.pages.entry(page).or_insert(old);
        }
    }

    /// Memory is as it was when the cores parted.
    pub(super) fn void(&mut self, before: Pages, size: impl Fn(u32) -> u64) {
        self.parted = false;
        self.pages = before;
        self.stretch += 1;
        for &(obj, page) in self.pages.keys() {
            let saved = self.saved.entry(obj).or_default();
            saved.begin(self.stretch, size(obj));
            saved.mark(page.into());
        }
    }

    /// Whether the cores have parted.
    pub(super) fn is_parted(&self) -> bool {
        self.parted
    }
}

/// What the log has of one object.
struct Kept<'a> {
    obj: u32,
    size: u64,
    saved: &'a mut Saved,
    pages: &'a mut Pages,
}

impl Kept<'_> {
    /// Sees to it that the pages of some bytes are in the log. False without memory for them.
    #[inline(always)]
    fn bytes(&mut self, from: u64, len: u64, save: &impl Fn(u64, u64) -> Page) -> bool {
        let (mut page, last) = (from / PAGE, (from + len.max(1) - 1) / PAGE);
        loop {
            if self.saved.lacks(page) && !self.add(page, save) {
                return false;
            }
            if page == last {
                return true;
            }
            page += 1;
        }
    }

    /// Adds a page to the log, and marks it then: whoever sees the mark may write the page. False without memory for it.
    #[cold]
    fn add(&mut self, page: u64, save: &impl Fn(u64, u64) -> Page) -> bool {
        let start = page * PAGE;
        let len = PAGE.min(self.size.saturating_sub(start));
        let kept = save(start, len);
        let is_whole = kept.bytes.len() as u64 == len;
        if is_whole {
            self.pages.insert((self.obj, page as u32), kept);
            self.saved.mark(page);
        }
        is_whole
    }
}

impl Saved {
    /// Forgets which pages are kept, unless that is of the same stretch already.
    #[inline]
    fn begin(&mut self, stretch: u64, size: u64) {
        if self.stretch != stretch {
            self.stretch = stretch;
            self.pages.clear();
            self.pages.resize_with((size.div_ceil(PAGE) as usize).div_ceil(64), AtomicU64::default);
        }
    }

    /// Whether a page of the object is not kept yet.
    #[inline(always)]
    fn lacks(&self, page: u64) -> bool {
        let word = self.pages.get((page / 64) as usize);
        word.is_some_and(|word| word.load(Ordering::Relaxed) & 1 << (page % 64) == 0)
    }

    /// A page is kept from now on.
    fn mark(&mut self, page: u64) {
        if let Some(word) = self.pages.get_mut((page / 64) as usize) {
            *word.get_mut() |= 1 << (page % 64);
        }
    }
}

impl Memory {
    /// A launch's transaction begins.
    pub fn open(&mut self, keep: Keep) {
        // A field that is added must be thought of here: what a launch changes of it is put back by `roll_back`.
        let Memory {
            // Not the device's: the host's frames, and the order between streams.
            host: _,
            streams: _,
            late: _,
            // Changed before a launch begins.
            refused: _,
            // Settings.
            lockstep: _,
            unwatched: _,
            proved_shared: _,
            limit: _,
            // Each launch starts with epochs of its own; what was recorded for other operations stands.
            grid,
            // Put back by the list of changes and by pages.
            table,
            undo,
            used,
            next_shared,
            // Without meaning until used again.
            pool: _,
            scratch: _,
            // Those that are added go again.
            origins,
        } = self;
        origins.open();
        grid.kept = keep.is_all();
        undo.saved.retain(|&n, _| table.is_alive(n as usize));
        *undo = UndoLog {
            keep,
            given_up: None,
            parted: false,
            new_from: table.len(),
            reused: FxHashSet::default(),
            stretch: undo.stretch + 1,
            saved: std::mem::take(&mut undo.saved),
            pages: Pages::default(),
            changes: Vec::new(),
            freed: 0,
            used: *used,
            next_shared: *next_shared,
        };
    }

    /// Whether there has been an object of two gigabytes or more.
    #[inline]
    pub fn has_huge(&self) -> bool {
        self.table.has_huge()
    }

    /// Whether the running launch can be taken back.
    #[inline]
    pub fn may_roll_back(&self) -> bool {
        self.undo.is_kept()
    }

    /// Why the running launch cannot be taken back, where it was to be.
    #[inline]
    pub fn given_up(&self) -> Option<GivenUp> {
        self.undo.given_up
    }

    /// Memory is as it was when the launch began.
    pub fn roll_back(&mut self) -> Result<(), Stop> {
        let log = &mut self.undo;
        if !log.is_kept() || log.parted {
            return Err(Stop::internal("a launch is undone, but nothing of it was saved"));
        }
        log.keep = Keep::Nothing;
        self.grid.kept = false;
        self.origins.roll_back();
        (self.used, self.next_shared) = (log.used, log.next_shared);
        for change in std::mem::take(&mut log.changes).into_iter().rev() {
            self.table.undo(change);
        }
        for ((n, page), kept) in std::mem::take(&mut log.pages) {
            if !self.table.is_alive(n as usize) {
                return Err(Stop::internal("a saved page belongs to an object that does not exist"));
            }
            self.table.at(n as usize).0.restore(u64::from(page) * PAGE, &kept);
        }
        Ok(())
    }

    /// What the launch did stands.
    #[inline]
    pub fn commit(&mut self) {
        self.grid.kept = false;
        let log = &mut self.undo;
        log.keep = Keep::Nothing;
        log.pages.clear();
        log.changes.clear();
    }

    /// An object was added; what stood at its number before, if one did.
    pub(super) fn note_added(&mut self, ptr: Ptr, before: Option<Box<Before>>) {
        if before.is_some() {
            self.origins.forget(ptr);
            self.refused.forget(ptr);
        }
        let log = &mut self.undo;
        if let (true, Some(index)) = (log.is_kept(), self.table.index(ptr)) {
            if before.is_some() {
                log.reused.insert(index as u32);
            }
            log.changes.push(Change::Added(index, before));
        }
    }

    /// Ends an object's life; a launch that may be taken back keeps it. Gives back its size.
    pub(super) fn end_object(&mut self, index: usize, place: cudair_lane::fault::Place) -> u64 {
        let log = &mut self.undo;
        if !log.is_kept() {
            return self.table.end(index, place);
        }
        let (size, kept) = self.table.end_and_keep(index, place);
        log.freed += size;
        if log.freed > FREED && log.keep != Keep::Whatever {
            log.give_up(GivenUp::Freed);
        } else if let Some((store, rights)) = kept {
            log.changes.push(Change::Ended(index, store, rights));
        }
        size
    }

    /// A launch starts, as the race detector sees it; whether it is to watch it.
    #[inline]
    pub fn begin_races(
        &mut self,
        touched: MayTouch,
        clusters: Clusters,
        block: [u32; 3],
        launch: LaunchRef,
        watch: bool,
    ) {
        let (table, lockstep) = (&self.table, self.lockstep);
        let races = &mut self.grid;
        races.retain(|n| table.is_alive(n as usize));
        races.begin(touched, clusters, block, launch, lockstep, watch);
    }

    /// A detector for other runs of the launch; gives the one that there was, which knows of the last run.
    #[inline]
    pub fn other_detector(&mut self) -> GridRaces {
        let races = &mut self.grid;
        let mut other = GridRaces::default();
        (other.uses, other.strict) = (races.uses.clone(), races.strict);
        std::mem::replace(races, other)
    }

    /// Whether the launch that has ended is to run again for the sake of the race detector.
    #[inline]
    pub fn wants_second_run(&mut self) -> bool {
        let kept = self.may_roll_back();
        self.grid.suspicious(kept)
    }

    /// Races in shared memory that need no second run to be certain.
    #[inline]
    pub fn certain_races(&mut self) -> Vec<cudair_report::RaceNote> {
        self.grid.certain()
    }

    /// The launch does not run again.
    #[inline]
    pub fn abandon_races(&mut self, findings: &mut Findings) {
        self.grid.abandon(findings);
    }

    /// The launch has run again: races are noted.
    #[inline]
    pub fn end_races(&mut self, findings: &mut Findings) {
        let table: &Table = &self.table;
        self.grid.confirmed(findings, |n| (n < table.len()).then(|| table.at(n as usize).1.info()));
    }

    /// A launch has ended: what it initialised as a whole needs no bitmap any more.
    #[inline]
    pub fn settle_bitmaps(&mut self) {
        for &n in self.grid.may_have_written() {
            if self.table.is_alive(n as usize) {
                self.table.drop_full_bitmap(n as usize);
            }
        }
    }

    /// A block starts: in a launch that runs for the second time the detector looks on.
    pub(super) fn observe(&self, block: &mut BlockMem, index: [u32; 3]) {
        block.parts().1.observe(self.grid.observer(index));
    }
}

impl Memory {
    /// All that a launch may change, in full: the reference that tests of the launch's transaction compare with.
    #[inline]
    pub fn whole(&self) -> Vec<String> {
        let object = |n: u32| {
            let (obj, cold) = self.table.at(n as usize);
            let bytes = if cold.is_alive() { obj.peek() } else { Vec::new() };
            format!("{n}: {:?} {:?} {} {bytes:?}", cold.info(), obj.rights(), cold.is_alive())
        };
        let rest = format!("{} {} {}", self.used, self.next_shared, self.table.order());
        (0..self.table.len()).map(object).chain([rest]).collect()
    }
}
