//! Putting memory back as it was before a launch, so that the launch can run again.

use super::raw::{Obj, Store};
use super::table::Table;
use super::{BlockMem, Memory};
use crate::engine::MayTouch;
use crate::fault::LaunchRef;
use crate::race::records::Clusters;
use crate::report::Findings;

/// Bytes of freed objects that are kept for a second run.
const FREED: u64 = 1 << 28;

/// What a launch did to the table of objects.
#[derive(Debug)]
pub(super) enum Change {
    /// An object was added; what stood at its index before.
    Added(usize),
    /// An object was freed.
    Ended(usize, Obj, Store),
}

/// What a launch has changed besides the bytes of objects.
#[derive(Debug, Default)]
pub(super) struct Changes {
    list: Vec<Change>,
    freed: u64,
    used: u64,
    next_shared: u32,
}

impl Memory {
    /// A launch starts, as the race detector sees it; whether it is to watch it.
    pub(crate) fn begin_races(
        &mut self,
        touched: MayTouch,
        clusters: Clusters,
        block: [u32; 3],
        launch: LaunchRef,
        watch: bool,
    ) {
        let (table, lockstep) = (&self.table, self.lockstep);
        let races = self.grid.get_mut();
        races.retain(|n| table.is_alive(n as usize));
        races.begin((touched, table.len()), clusters, block, launch, lockstep, watch);
        self.changes = Changes { used: self.used, next_shared: self.next_shared, ..Changes::default() };
    }

    /// An object was added.
    pub(super) fn note_added(&mut self, index: Option<usize>) {
        if let Some(index) = index
            && self.grid.get_mut().is_kept()
        {
            // One whose number was another's before cannot be taken away again.
            if index + 1 != self.table.len() as usize {
                return self.grid.get_mut().give_up();
            }
            self.changes.list.push(Change::Added(index));
        }
    }

    /// Ends an object's life; a launch that may run again keeps it. Gives back its size.
    pub(super) fn end_object(&mut self, index: usize, place: crate::fault::Place) -> u64 {
        let races = self.grid.get_mut();
        if races.is_kept() {
            let (size, kept) = self.table.end_and_keep(index, place);
            self.changes.freed += size;
            if self.changes.freed > FREED {
                races.give_up();
                self.changes.list.clear();
            } else if let Some((obj, store)) = kept {
                self.changes.list.push(Change::Ended(index, obj, store));
            }
            return size;
        }
        self.table.end(index, place)
    }

    /// A launch has ended. Whether it is to be run again for the sake of the race detector: memory is as it
    /// was before it.
    pub(crate) fn rewind(&mut self) -> bool {
        let Some(pages) = self.grid.get_mut().suspicious() else { return false };
        let changes = std::mem::take(&mut self.changes);
        (self.used, self.next_shared) = (changes.used, changes.next_shared);
        for change in changes.list.into_iter().rev() {
            self.table.undo(change);
        }
        for (n, start, page) in pages {
            if self.table.is_alive(n as usize) {
                self.table.at(n as usize).0.restore(start, &page);
            }
        }
        true
    }

    /// Races in shared memory that need no second run to be certain.
    pub(crate) fn certain_races(&mut self) -> Vec<crate::report::RaceNote> {
        self.grid.get_mut().certain()
    }

    /// The launch does not run again.
    pub(crate) fn abandon_races(&mut self, findings: &mut Findings) {
        self.changes = Changes::default();
        self.grid.get_mut().abandon(findings);
    }

    /// The launch has run again: races are noted.
    pub(crate) fn end_races(&mut self, findings: &mut Findings) {
        let table: &Table = &self.table;
        self.grid
            .get_mut()
            .confirmed(findings, |n| (n < table.len()).then(|| table.at(n as usize).1.info.clone()));
    }

    /// A launch has ended: what it initialised as a whole needs no bitmap any more.
    pub(crate) fn settle_bitmaps(&mut self) {
        for &n in self.grid.get_mut().may_have_written() {
            if self.table.is_alive(n as usize) {
                self.table.drop_full_bitmap(n as usize);
            }
        }
    }

    /// A block starts: in a launch that runs for the second time the detector looks on.
    pub(super) fn observe(&self, block: &mut BlockMem, index: [u32; 3]) {
        block.parts().1.observe(self.grid.borrow().observer(index));
    }
}
