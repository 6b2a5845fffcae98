//! The object table: everything with an address but shared variables and locals.
//!
//! Ids come from a counter, so that addresses are deterministic and a freed object's pointers stay dead. Only
//! after [`QUARANTINE`] frees does an id come back, in the order of the frees; the bytes go at once.

use super::lanes::{AllocInfo, InitState};
use super::raw::{Obj, Store};
use super::undo::Change;
use super::what::{PackedPlace, What};
use cudair_ir::Space;
use cudair_lane::fault::{AllocKind, Leak, ObjectInfo, Place};
use cudair_lane::numbered::Numbered;
use cudair_lane::ptr::{Ptr, Tag};
use cudair_lane::rows::Rows;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::Arc;

/// Freed objects whose ids are not used again.
const QUARANTINE: usize = 1 << 20;
/// So many very small objects in a row have no numbered slots yet.
const FEW: u32 = 16;

/// What is rarely asked of an object. A program may have millions, so it is kept small: what few objects have is
/// elsewhere in the [`Table`].
#[derive(Clone, Copy, Debug)]
struct Row {
    /// Bytes, also once the object is gone.
    size: u64,
    /// Where it was made, and where freed.
    made: PackedPlace,
    ended: PackedPlace,
}

/// All there is of an object but its memory.
#[derive(Debug)]
pub(super) struct Before {
    what: What,
    row: Row,
    name: Option<Arc<str>>,
}

/// What is rarely asked of an object.
#[derive(Clone, Copy)]
pub(super) struct Cold<'a> {
    table: &'a Table,
    index: usize,
}

/// The table. See the module's documentation.
#[derive(Debug)]
pub(super) struct Table {
    objs: Rows<Obj>,
    rows: Rows<Row>,
    /// The bytes of very small objects, by number, but for those whose numbers were another's before: so a slot is one object's
    /// alone, also if a launch that frees it is put back.
    slots: Numbered,
    /// How many more of the objects made lately were very small than were not ([`Table::is_dense`]).
    small_lately: u32,
    /// The names of those that have one: variables, most of all.
    names: FxHashMap<u32, Arc<str>>,
    /// A byte of an object that was not initialised when that was last looked at.
    missing: FxHashMap<u32, u64>,
    huge: Vec<u32>,
    freed: VecDeque<u32>,
    /// Objects that host and device may both use.
    both: Vec<u32>,
    /// Those among them that the device does not reach: a copy of a graph's uses them.
    watched: Vec<u32>,
    /// How many of them, from the first on, the host may use only on the slow path.
    guarded: usize,
}

impl Default for Table {
    fn default() -> Table {
        let mut table = Table {
            objs: Rows::default(),
            rows: Rows::default(),
            slots: Numbered::default(),
            small_lately: 0,
            names: FxHashMap::default(),
            missing: FxHashMap::default(),
            huge: Vec::new(),
            freed: VecDeque::new(),
            both: Vec::new(),
            watched: Vec::new(),
            guarded: 0,
        };
        // Entry 0 is null's.
        let nowhere = PackedPlace::new(Place::Unknown);
        // The first page of a process that is about to run a program: there is memory for it.
        let _ = table.push(Obj::NONE, Row { size: 0, made: nowhere, ended: nowhere });
        table
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        for obj in self.objs.iter_mut() {
            drop(obj.kill());
        }
    }
}

impl Table {
    /// Adds an object; gives also what stood at its number before, if something did. `None` when there is no more memory or
    /// no more ids.
    pub(super) fn add(
        &mut self,
        space: Space,
        size: u64,
        init: InitState,
        info: AllocInfo,
    ) -> Option<(Ptr, Option<Box<Before>>)> {
        let is_huge = size >= Ptr::HUGE_SIZE;
        if size > Ptr::MAX_SIZE || is_huge && self.huge.len() >= 1 << 15 {
            return None;
        }
        let reused = self.freed.front().copied().filter(|_| self.freed.len() > QUARANTINE);
        let bitmap = init == InitState::Uninit;
        let slot = match reused {
            None if self.is_dense(size) => self.slots.slot(self.objs.len()),
            _ => None,
        };
        let store = match slot {
            Some(slot) => Store::in_slot(slot, size, bitmap),
            None => Store::new(size, bitmap)?,
        };
        let AllocInfo { kind, name, place } = info;
        let what = What { named: name.is_some(), huge: is_huge, ..What::new(kind, space) };
        let row = Row { size, made: PackedPlace::new(place), ended: PackedPlace::new(Place::Unknown) };
        let mut obj = store.into_view();
        obj.what = what;
        obj.allow(what.rights());
        let (index, before) = match reused {
            Some(index) => {
                self.freed.pop_front();
                let before = self.before(index);
                (self.objs[index as usize], self.rows[index as usize]) = (obj, row);
                (index, Some(Box::new(before)))
            }
            None => (self.push(obj, row)?, None),
        };
        if let Some(name) = name {
            self.names.insert(index, name);
        }
        let ptr = if is_huge {
            self.huge.push(index);
            Ptr::huge(self.huge.len() as u32 - 1)
        } else {
            Ptr::table(index)
        };
        if space == Space::Managed {
            self.both.push(index);
        }
        Some((ptr, before))
    }

    /// Whether an object gets a numbered slot: it is very small, and so are most of those made lately. The slots of the others stay
    /// empty, and take memory where they share a page with one that is used.
    #[inline]
    fn is_dense(&mut self, size: u64) -> bool {
        let is_small = Store::fits_numbered(size);
        self.small_lately = if is_small {
            (self.small_lately + 1).min(4 * FEW)
        } else {
            self.small_lately.saturating_sub(FEW / 2)
        };
        is_small && self.small_lately > FEW
    }

    /// An entry behind the last one.
    fn push(&mut self, mut obj: Obj, row: Row) -> Option<u32> {
        let index = self.objs.len();
        if index >= Ptr::SERIALS as usize || self.rows.push(row).is_err() {
            drop(obj.kill());
            return None;
        }
        if let Err(mut obj) = self.objs.push(obj) {
            drop(obj.kill());
            self.rows.pop();
            return None;
        }
        Some(index as u32)
    }

    /// What stands at a number of which the object is gone.
    fn before(&mut self, index: u32) -> Before {
        let (what, row) = (self.objs[index as usize].what, self.rows[index as usize]);
        Before { what, row, name: self.names.remove(&index) }
    }

    /// Whether there has been an object of two gigabytes or more.
    pub(super) fn has_huge(&self) -> bool {
        !self.huge.is_empty()
    }

    /// The index of the entry that a pointer names.
    #[inline(always)]
    pub(super) fn index(&self, ptr: Ptr) -> Option<usize> {
        match ptr.tag() {
            Tag::Table => Some(ptr.serial() as usize).filter(|&i| i < self.objs.len()),
            Tag::Huge => self.huge.get(ptr.huge_serial() as usize).map(|&i| i as usize),
            _ => None,
        }
    }

    /// The entry for the shortest path: one that refuses where there is none.
    #[inline(always)]
    pub(super) fn obj(&self, index: u32) -> &Obj {
        self.objs.get(index as usize).unwrap_or(Obj::refuses())
    }

    /// All entries.
    #[inline(always)]
    pub(super) fn views(&self) -> &[Obj] {
        &self.objs
    }

    /// Where the bytes of very small objects are, by number; 0 where there are none.
    pub(super) fn slots(&self) -> usize {
        self.slots.base()
    }

    /// The entry of an index, if there is one.
    #[inline(always)]
    pub(super) fn get(&self, index: u32) -> Option<&Obj> {
        self.objs.get(index as usize)
    }

    /// An entry by [`Table::index`].
    #[inline]
    pub(super) fn at(&self, index: usize) -> (&Obj, Cold<'_>) {
        (&self.objs[index], Cold { table: self, index })
    }

    /// Gives an object a bitmap, if it has none. False when there is no memory for it.
    pub(super) fn add_bitmap(&mut self, index: usize) -> bool {
        self.objs[index].add_bitmap()
    }

    /// Takes an object's bitmap away: all of it is about to be initialised.
    pub(super) fn drop_bitmap(&mut self, index: usize) {
        if !self.missing.is_empty() {
            self.missing.remove(&(index as u32));
        }
        self.objs[index].drop_bitmap();
    }

    /// Takes an object's bitmap away if it says that all is initialised. What it was last seen to lack is looked at
    /// first, so that asking again and again costs no more than the bitmap has bytes, or little more.
    pub(super) fn drop_full_bitmap(&mut self, index: usize) {
        let obj = &mut self.objs[index];
        if !obj.has_bitmap() {
            return;
        }
        let from = self.missing.get(&(index as u32)).map_or(0, |&missing| missing.min(obj.size()));
        let missing = obj.first_uninit(from, obj.size() - from).map(|n| from + n);
        match missing.or_else(|| obj.first_uninit(0, from)) {
            Some(missing) => {
                self.missing.insert(index as u32, missing);
            }
            None => {
                self.missing.remove(&(index as u32));
                obj.drop_bitmap();
            }
        }
    }

    /// Ends an object's life. Gives back its size.
    pub(super) fn end(&mut self, index: usize, place: Place) -> u64 {
        self.end_and_keep(index, place).0
    }

    /// [`Table::end`] for an object that may have to come back: what [`Table::undo`] needs for that.
    pub(super) fn end_and_keep(&mut self, index: usize, place: Place) -> (u64, Option<(Store, [bool; 4])>) {
        let rights = self.objs[index].rights();
        let Some(store) = self.objs[index].kill() else { return (0, None) };
        let row = &mut self.rows[index];
        row.ended = PackedPlace::new(place);
        let size = row.size;
        if !self.missing.is_empty() {
            self.missing.remove(&(index as u32));
        }
        self.watched.retain(|&n| n != index as u32);
        if !self.objs[index].what.huge {
            self.freed.push_back(index as u32);
        }
        (size, Some((store, rights)))
    }

    /// Takes the last change back.
    pub(super) fn undo(&mut self, change: Change) {
        match change {
            Change::Added(index, before) => {
                let is_huge = self.objs[index].what.huge;
                if let Some(store) = self.objs[index].kill() {
                    // Its number will be given again.
                    store.clear_slot();
                }
                self.names.remove(&(index as u32));
                self.missing.remove(&(index as u32));
                match before {
                    Some(before) => {
                        let Before { what, row, name } = *before;
                        self.freed.push_front(index as u32);
                        (self.objs[index].what, self.rows[index]) = (what, row);
                        self.names.extend(name.map(|name| (index as u32, name)));
                    }
                    None => {
                        self.objs.pop();
                        self.rows.pop();
                    }
                }
                if is_huge {
                    self.huge.pop();
                }
                if self.both.last() == Some(&(index as u32)) {
                    self.both.pop();
                }
            }
            Change::Ended(index, store, rights) => {
                let what = self.objs[index].what;
                let mut obj = store.into_view();
                obj.what = what;
                obj.allow(rights);
                self.objs[index] = obj;
                self.rows[index].ended = PackedPlace::new(Place::Unknown);
                if !self.objs[index].what.huge {
                    self.freed.pop_back();
                }
            }
        }
    }

    /// How many entries there are, the dead ones among them.
    pub(super) fn len(&self) -> u32 {
        self.objs.len() as u32
    }

    /// Whether there is a live object of this index.
    pub(super) fn is_alive(&self, index: usize) -> bool {
        self.objs.get(index).is_some_and(Obj::owns)
    }

    /// Changes what an object is, and its rights by that.
    fn change(&mut self, index: usize, change: impl FnOnce(&mut What)) {
        change(&mut self.objs[index].what);
        self.apply_rights(index);
    }

    /// Changes whether the program may write an object.
    pub(super) fn set_read_only(&mut self, index: usize) {
        self.change(index, |what| what.read_only = true);
    }

    /// Changes whether memory of a graph is allocated; freed at a place, if it was.
    pub(super) fn set_dormant(&mut self, index: usize, dormant: bool, ended: Place) {
        self.rows[index].ended = PackedPlace::new(ended);
        self.change(index, |what| what.dormant = dormant);
    }

    /// Changes whether the device may use a host object.
    pub(super) fn set_mapped(&mut self, index: usize, mapped: bool) {
        self.change(index, |what| what.mapped = mapped);
        if mapped && !self.both.contains(&(index as u32)) {
            self.both.push(index as u32);
        }
    }

    /// Counts an object of the host's with those that the device may use too, for the race detector.
    pub(super) fn watch(&mut self, index: usize) {
        let n = index as u32;
        if !self.both.contains(&n) {
            self.watched.push(n);
            self.both.push(n);
        }
    }

    /// Whether an object is one of these.
    pub(super) fn is_watched(&self, index: usize) -> bool {
        !self.watched.is_empty() && self.watched.contains(&(index as u32))
    }

    /// Takes the host's rights to objects that the device may use too, so that its accesses to them, which are
    /// allowed all the same, take the slow path; or gives them back.
    pub(super) fn guard(&mut self, on: bool) {
        if on && self.guarded < self.both.len() {
            let (objs, watched) = (&mut self.objs, &self.watched);
            self.both.retain(|&n| {
                let obj = &objs[n as usize];
                obj.owns() && (obj.what.reachable() == (true, true) || watched.contains(&n))
            });
            for &n in &self.both {
                let obj = &mut objs[n as usize];
                let [_, _, read, write] = obj.rights();
                obj.allow([false, false, read, write]);
            }
            self.guarded = self.both.len();
        } else if !on && self.guarded > 0 {
            self.guarded = 0;
            for i in 0..self.both.len() {
                self.apply_rights(self.both[i] as usize);
            }
        }
    }

    fn apply_rights(&mut self, index: usize) {
        let obj = &mut self.objs[index];
        if obj.owns() {
            obj.allow(obj.what.rights());
        }
    }

    /// Live allocations that the program should have freed, in order of allocation.
    pub(super) fn leaks(&self) -> Vec<Leak> {
        let owed = |c: &Cold<'_>| c.is_alive() && c.kind().deallocator().is_some();
        let entries = (0..self.objs.len()).map(|index| Cold { table: self, index });
        entries.filter(owed).map(|c| Leak { ptr: c.ptr(), object: c.info() }).collect()
    }
}

impl Table {
    /// What decides about the numbers of objects to come.
    pub(super) fn order(&self) -> String {
        format!("{:?} {:?} {:?}", self.huge, self.freed, self.both)
    }
}

impl Cold<'_> {
    #[inline]
    fn what(self) -> What {
        self.table.objs[self.index].what
    }

    /// Whether the program may not write it, from either side.
    #[inline]
    pub(super) fn is_read_only(self) -> bool {
        self.what().read_only
    }

    /// Whether the host, and whether the device, may use it at all.
    #[inline]
    pub(super) fn reachable(self) -> (bool, bool) {
        self.what().reachable()
    }

    /// Whether it is memory of a graph that is not allocated.
    #[inline]
    pub(super) fn is_dormant(self) -> bool {
        self.what().dormant
    }

    /// Whether the object lives.
    #[inline]
    pub(super) fn is_alive(self) -> bool {
        self.table.objs[self.index].owns()
    }

    /// Who made it.
    #[inline]
    pub(super) fn kind(self) -> AllocKind {
        self.what().kind
    }

    /// Its space.
    #[inline]
    pub(super) fn space(self) -> Space {
        self.what().space
    }

    /// Its bytes, also once it is gone.
    #[inline]
    pub(super) fn size(self) -> u64 {
        self.table.rows[self.index].size
    }

    /// Its start.
    pub(super) fn ptr(self) -> Ptr {
        match self.index {
            0 => Ptr::NULL,
            index if self.what().huge => {
                // Few are, and each number is one's alone.
                let serial = self.table.huge.iter().position(|&n| n as usize == index);
                serial.map_or(Ptr::NULL, |serial| Ptr::huge(serial as u32))
            }
            index => Ptr::table(index as u32),
        }
    }

    /// What reports say of it.
    pub(super) fn info(self) -> ObjectInfo {
        let (what, row) = (self.what(), &self.table.rows[self.index]);
        let number = self.index as u32;
        let name = self.table.names.get(&number).filter(|_| what.named);
        ObjectInfo {
            kind: what.kind,
            space: what.space,
            name: name.cloned(),
            size: row.size,
            part: 0,
            number,
            made: row.made.get(),
            ended: row.ended.get(),
        }
    }
}

/// A sparse table from serials to numbers, for serials that are given out in order and mostly die in order.
#[derive(Debug)]
pub(super) struct Serials<const BITS: u32> {
    pages: Vec<Option<Box<Page>>>,
    next: u32,
}

/// Serials of a page.
const PAGE: usize = 64;

#[derive(Debug)]
struct Page {
    live: u32,
    /// 0 is dead.
    entries: [u32; PAGE],
}

impl<const BITS: u32> Default for Serials<BITS> {
    fn default() -> Self {
        Serials { pages: Vec::new(), next: 1 }
    }
}

impl<const BITS: u32> Serials<BITS> {
    /// A serial for `number`, the next in the ring that is not alive. `None` when all are.
    pub(super) fn give(&mut self, number: u32) -> Option<u32> {
        for _ in 0..1u64 << BITS {
            let serial = self.next;
            self.next = (self.next + 1) & ((1 << BITS) - 1);
            if self.next == 0 {
                self.next = 1;
            }
            let page = serial as usize / PAGE;
            if page >= self.pages.len() {
                self.pages.resize_with(page + 1, || None);
            }
            let page = self.pages[page].get_or_insert_with(|| Box::new(Page { live: 0, entries: [0; PAGE] }));
            let entry = &mut page.entries[serial as usize % PAGE];
            if *entry == 0 {
                *entry = number + 1;
                page.live += 1;
                return Some(serial);
            }
        }
        None
    }

    /// The number of a serial that is alive.
    #[inline]
    pub(super) fn get(&self, serial: u32) -> Option<u32> {
        let page = self.pages.get(serial as usize / PAGE)?.as_ref()?;
        page.entries[serial as usize % PAGE].checked_sub(1)
    }

    /// Whether a serial was ever given out (before the ring wrapped).
    pub(super) fn was_given(&self, serial: u32) -> bool {
        serial != 0 && (serial as usize) < self.pages.len() * PAGE
    }

    /// A serial dies.
    pub(super) fn end(&mut self, serial: u32) {
        let Some(slot) = self.pages.get_mut(serial as usize / PAGE) else { return };
        let Some(page) = slot else { return };
        let entry = &mut page.entries[serial as usize % PAGE];
        if *entry != 0 {
            *entry = 0;
            page.live -= 1;
            if page.live == 0 && self.next as usize / PAGE != serial as usize / PAGE {
                *slot = None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::raw::Right;
    use super::*;

    /// What an object of at most 128 bytes takes beyond these: its rows, its bitmap, and what rounding up its slot costs.
    #[test]
    fn small_objects_are_small() {
        let rows = size_of::<Obj>() + size_of::<Row>();
        assert!(size_of::<Row>() <= 24, "{}", size_of::<Row>());
        for size in 0..=128 {
            let slot = Store::slot(size).unwrap().next_multiple_of(16);
            assert!(rows + slot - size <= 100, "{size}");
        }
    }

    #[test]
    fn names_and_places_stay_with_their_objects() {
        let mut table = Table::default();
        let site = |n| Place::Loc(cudair_ir::EntityRef::new(n));
        let add = |table: &mut Table, name: Option<&str>, size| {
            let info = AllocInfo { kind: AllocKind::Malloc, name: name.map(Arc::from), place: site(7) };
            table.add(Space::Host, size, InitState::Uninit, info).unwrap().0
        };
        let named = add(&mut table, Some("x"), 8);
        let huge = add(&mut table, None, Ptr::HUGE_SIZE);
        let plain = add(&mut table, None, 24);
        assert_eq!(huge.tag(), Tag::Huge);
        for (ptr, name, size) in [(named, Some("x"), 8), (huge, None, Ptr::HUGE_SIZE), (plain, None, 24)] {
            let index = table.index(ptr).unwrap();
            let (_, cold) = table.at(index);
            let info = cold.info();
            assert_eq!((cold.ptr(), info.name.as_deref(), info.size), (ptr, name, size));
            assert_eq!((info.made, info.ended, info.number), (site(7), Place::Unknown, index as u32));
            assert_eq!(table.end(index, site(9)), size);
            let (_, cold) = table.at(index);
            assert!(!cold.is_alive());
            assert_eq!((cold.info().ended, cold.info().size, cold.ptr()), (site(9), size, ptr));
            assert_eq!(table.end(index, site(10)), 0);
        }
    }

    /// A numbered slot is of zeros, none of them initialised, also where its number is given anew; and no object has the slot of one
    /// that was there before, which a launch may bring back.
    #[test]
    fn slots_of_very_small_objects() {
        let mut table = Table::default();
        let add = |table: &mut Table, size| {
            let info = AllocInfo { kind: AllocKind::Malloc, name: None, place: Place::Unknown };
            let (ptr, before) = table.add(Space::Host, size, InitState::Uninit, info).unwrap();
            (table.index(ptr).unwrap(), before)
        };
        let data = |table: &Table, index: usize| table.objs[index].data as usize;
        for _ in 0..FEW {
            let (index, _) = add(&mut table, 8);
            assert_eq!(table.slots(), 0, "{index}");
        }
        for size in [0, 1, 16, 22] {
            let (index, before) = add(&mut table, size);
            assert_eq!(data(&table, index), table.slots() + index * cudair_lane::numbered::SLOT);
            let obj = &table.objs[index];
            let all = 0..size as i64;
            assert!(
                all.clone().all(|off| obj.init_bits(off, 1) == 0 && obj.store(Right::HostWrite, off, 1, 255))
            );
            table.undo(Change::Added(index, before));
            assert_eq!(add(&mut table, size).0, index);
            let obj = &table.objs[index];
            assert!(all.clone().all(|off| obj.load(Right::HostRead, off, 1) == Some(0)), "{size}");
            assert!(all.clone().all(|off| obj.init_bits(off, 1) == 0), "{size}");
        }
        let (larger, _) = add(&mut table, 23);
        assert_ne!(data(&table, larger), table.slots() + larger * cudair_lane::numbered::SLOT);

        let (first, _) = add(&mut table, 8);
        let slot = data(&table, first);
        assert!(table.objs[first].store(Right::HostWrite, 0, 8, 0x1234));
        let (_, kept) = table.end_and_keep(first, Place::Unknown);
        let (store, rights) = kept.unwrap();
        for _ in 0..QUARANTINE {
            let (index, _) = add(&mut table, 8);
            table.end(index, Place::Unknown);
        }
        let (index, before) = add(&mut table, 8);
        assert!(index == first && before.is_some() && data(&table, index) != slot);
        table.undo(Change::Added(index, before));
        table.freed.push_back(first as u32);
        table.freed.pop_front();
        table.undo(Change::Ended(first, store, rights));
        assert_eq!(table.objs[first].load(Right::HostRead, 0, 8), Some(0x1234));
    }

    #[test]
    fn serials_do_not_come_back_soon() {
        let mut s = Serials::<8>::default();
        let first = s.give(10).unwrap();
        for n in 0..254 {
            let x = s.give(n).unwrap();
            assert_ne!(x, first);
            assert_eq!(s.get(x), Some(n));
            if n != 100 {
                s.end(x);
                assert_eq!(s.get(x), None);
            }
        }
        assert_eq!(s.get(first), Some(10));
        // The ring has gone round; the two that live are skipped.
        for n in 0..1000 {
            let x = s.give(n).unwrap();
            assert_ne!(x, first);
            s.end(x);
        }
        assert_eq!(s.get(first), Some(10));
    }
}
