//! The object table: everything with an address but shared variables and locals.
//!
//! Ids come from a counter, so that addresses are deterministic and a freed object's pointers stay dead. Only
//! after [`QUARANTINE`] frees does an id come back, in the order of the frees; the bytes go at once.

use super::lanes::{AllocInfo, InitState};
use super::raw::{Obj, Store};
use super::undo::Change;
use cudair_ir::Space;
use cudair_lane::fault::{AllocKind, Leak, ObjectInfo, Place};
use cudair_lane::ptr::{Ptr, Tag};
use std::collections::VecDeque;

/// Freed objects whose ids are not used again.
const QUARANTINE: usize = 1 << 20;

/// What is rarely asked of an object.
#[derive(Debug)]
pub(super) struct Cold {
    /// Its memory, while it lives.
    pub(super) store: Option<Store>,
    /// What reports say of it.
    pub(super) info: ObjectInfo,
    /// Its start.
    pub(super) ptr: Ptr,
    /// The program may not write it.
    read_only: bool,
    /// The device may use it although it is the host's.
    mapped: bool,
    /// It is a graph's, and no launch of that has it allocated.
    dormant: bool,
    /// A byte that was not initialised when that was last looked at.
    missing: u64,
}

/// The table. See the module's documentation.
#[derive(Debug)]
pub(super) struct Table {
    objs: Vec<Obj>,
    cold: Vec<Cold>,
    huge: Vec<u32>,
    freed: VecDeque<u32>,
    /// Objects that host and device may both use.
    both: Vec<u32>,
    /// How many of them, from the first on, the host may use only on the slow path.
    guarded: usize,
}

/// The rights of host and device to an object of a space: host read, host write, device read, device write.
fn rights(space: Space, read_only: bool, mapped: bool) -> [bool; 4] {
    let (host, device) = match space {
        Space::Managed => (true, true),
        Space::Host | Space::Generic => (true, mapped),
        Space::Code => (false, false),
        Space::Global | Space::Shared | Space::Local | Space::Const => (false, true),
    };
    let writes = !read_only;
    [host, host && writes, device, device && writes && space != Space::Const]
}

impl Default for Table {
    fn default() -> Table {
        let info = ObjectInfo {
            kind: AllocKind::Runtime,
            space: Space::Generic,
            name: None,
            size: 0,
            part: 0,
            number: 0,
            made: Place::Unknown,
            ended: Place::Unknown,
        };
        // Entry 0 is null's.
        let null = Cold {
            store: None,
            info,
            ptr: Ptr::NULL,
            read_only: true,
            mapped: false,
            dormant: false,
            missing: 0,
        };
        Table {
            objs: vec![Obj::NONE],
            cold: vec![null],
            huge: Vec::new(),
            freed: VecDeque::new(),
            both: Vec::new(),
            guarded: 0,
        }
    }
}

impl Table {
    /// Adds an object; gives also what stood at its number before, if one did. `None` when there is no more memory or
    /// no more ids.
    pub(super) fn add(
        &mut self,
        space: Space,
        size: u64,
        init: InitState,
        info: AllocInfo,
    ) -> Option<(Ptr, Option<Box<Cold>>)> {
        let is_huge = size >= Ptr::HUGE_SIZE;
        if size > Ptr::MAX_SIZE || is_huge && self.huge.len() >= 1 << 15 {
            return None;
        }
        let store = Store::new(size, init == InitState::Uninit)?;
        let mut obj = store.view();
        obj.allow(rights(space, false, false));
        let index = match self.freed.front() {
            Some(&index) if self.freed.len() > QUARANTINE => {
                self.freed.pop_front();
                index
            }
            _ if self.objs.len() < Ptr::SERIALS as usize => {
                self.objs.push(Obj::NONE);
                self.objs.len() as u32 - 1
            }
            _ => return None,
        };
        let ptr = if is_huge {
            self.huge.push(index);
            Ptr::huge(self.huge.len() as u32 - 1)
        } else {
            Ptr::table(index)
        };
        let AllocInfo { kind, name, place } = info;
        let number = index;
        let info =
            ObjectInfo { kind, space, name, size, part: 0, number, made: place, ended: Place::Unknown };
        let cold = Cold {
            store: Some(store),
            info,
            ptr,
            read_only: false,
            mapped: false,
            dormant: false,
            missing: 0,
        };
        self.objs[index as usize] = obj;
        let before = match self.cold.get_mut(index as usize) {
            Some(old) => Some(Box::new(std::mem::replace(old, cold))),
            None => {
                self.cold.push(cold);
                None
            }
        };
        if space == Space::Managed {
            self.both.push(index);
        }
        Some((ptr, before))
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

    /// The entry for the shortest path: entry 0, which refuses, where there is none.
    #[inline(always)]
    pub(super) fn obj(&self, index: u32) -> &Obj {
        self.objs.get(index as usize).unwrap_or(&self.objs[0])
    }

    /// All entries.
    #[inline(always)]
    pub(super) fn views(&self) -> &[Obj] {
        &self.objs
    }

    /// The entry of an index, if there is one.
    #[inline(always)]
    pub(super) fn get(&self, index: u32) -> Option<&Obj> {
        self.objs.get(index as usize)
    }

    /// An entry by [`Table::index`].
    pub(super) fn at(&self, index: usize) -> (&Obj, &Cold) {
        (&self.objs[index], &self.cold[index])
    }

    /// Gives an object a bitmap, if it has none. False when there is no memory for it.
    pub(super) fn add_bitmap(&mut self, index: usize) -> bool {
        let (obj, cold) = (&mut self.objs[index], &mut self.cold[index]);
        obj.has_bitmap() || cold.store.as_mut().is_some_and(|s| s.add_bitmap(obj))
    }

    /// Takes an object's bitmap away if it says that all is initialised. What it was last seen to lack is looked at
    /// first, so that asking again and again costs no more than the bitmap has bytes, or little more.
    pub(super) fn drop_full_bitmap(&mut self, index: usize) {
        let (obj, cold) = (&mut self.objs[index], &mut self.cold[index]);
        let Some(store) = cold.store.as_mut().filter(|_| obj.has_bitmap()) else { return };
        let from = cold.missing.min(obj.size());
        let missing = obj.first_uninit(from, obj.size() - from).map(|n| from + n);
        match missing.or_else(|| obj.first_uninit(0, from)) {
            Some(missing) => cold.missing = missing,
            None => store.drop_bitmap(obj),
        }
    }

    /// Ends an object's life. Gives back its size.
    pub(super) fn end(&mut self, index: usize, place: Place) -> u64 {
        let cold = &mut self.cold[index];
        if cold.store.is_none() {
            return 0;
        }
        self.objs[index].kill();
        cold.store = None;
        cold.info.ended = place;
        if cold.ptr.tag() == Tag::Table {
            self.freed.push_back(index as u32);
        }
        cold.info.size
    }

    /// [`Table::end`] for an object that may have to come back: what [`Table::undo`] needs for that.
    pub(super) fn end_and_keep(&mut self, index: usize, place: Place) -> (u64, Option<(Obj, Store)>) {
        let obj = std::mem::replace(&mut self.objs[index], Obj::NONE);
        self.objs[index].tag = obj.tag;
        let store = self.cold[index].store.take();
        let Some(store) = store else { return (0, None) };
        let cold = &mut self.cold[index];
        cold.info.ended = place;
        if cold.ptr.tag() == Tag::Table {
            self.freed.push_back(index as u32);
        }
        (cold.info.size, Some((obj, store)))
    }

    /// Takes the last change back.
    pub(super) fn undo(&mut self, change: Change) {
        match change {
            Change::Added(index, before) => {
                let cold = match before {
                    Some(before) => {
                        self.objs[index].kill();
                        self.freed.push_front(index as u32);
                        Some(std::mem::replace(&mut self.cold[index], *before))
                    }
                    None => {
                        self.objs.pop();
                        self.cold.pop()
                    }
                };
                if cold.is_some_and(|c| c.ptr.tag() == Tag::Huge) {
                    self.huge.pop();
                }
                if self.both.last() == Some(&(index as u32)) {
                    self.both.pop();
                }
            }
            Change::Ended(index, obj, store) => {
                self.objs[index] = obj;
                let cold = &mut self.cold[index];
                cold.store = Some(store);
                cold.info.ended = Place::Unknown;
                if cold.ptr.tag() == Tag::Table {
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
        self.cold.get(index).is_some_and(Cold::is_alive)
    }

    /// Changes whether the program may write an object.
    pub(super) fn set_read_only(&mut self, index: usize) {
        self.cold[index].read_only = true;
        self.apply_rights(index);
    }

    /// Changes whether memory of a graph is allocated; freed at a place, if it was.
    pub(super) fn set_dormant(&mut self, index: usize, dormant: bool, ended: Place) {
        let cold = &mut self.cold[index];
        (cold.dormant, cold.info.ended) = (dormant, ended);
        self.apply_rights(index);
    }

    /// Changes whether the device may use a host object.
    pub(super) fn set_mapped(&mut self, index: usize, mapped: bool) {
        self.cold[index].mapped = mapped;
        self.apply_rights(index);
        if mapped && !self.both.contains(&(index as u32)) {
            self.both.push(index as u32);
        }
    }

    /// Takes the host's rights to objects that the device may use too, so that its accesses to them, which are
    /// allowed all the same, take the slow path; or gives them back.
    pub(super) fn guard(&mut self, on: bool) {
        if on && self.guarded < self.both.len() {
            let (objs, cold) = (&mut self.objs, &self.cold);
            self.both
                .retain(|&n| cold[n as usize].is_alive() && cold[n as usize].reachable() == (true, true));
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
        let cold = &self.cold[index];
        if cold.store.is_some() {
            let rights = rights(cold.info.space, cold.read_only, cold.mapped);
            self.objs[index].allow(rights.map(|r| r && !cold.dormant));
        }
    }

    /// Live allocations that the program should have freed, in order of allocation.
    pub(super) fn leaks(&self) -> Vec<Leak> {
        let owed = |c: &&Cold| c.store.is_some() && c.info.kind.deallocator().is_some();
        self.cold.iter().filter(owed).map(|c| Leak { ptr: c.ptr, object: c.info.clone() }).collect()
    }
}

impl Table {
    /// What decides about the numbers of objects to come.
    pub(super) fn order(&self) -> String {
        format!("{:?} {:?} {:?}", self.huge, self.freed, self.both)
    }
}

impl Cold {
    /// Whether the program may not write it, from either side.
    pub(super) fn is_read_only(&self) -> bool {
        self.read_only
    }

    /// Whether the host, and whether the device, may use it at all.
    pub(super) fn reachable(&self) -> (bool, bool) {
        let [host, _, device, _] = rights(self.info.space, self.read_only, self.mapped);
        (host, device)
    }

    /// Whether it is memory of a graph that is not allocated.
    pub(super) fn is_dormant(&self) -> bool {
        self.dormant
    }

    /// Whether the object lives.
    pub(super) fn is_alive(&self) -> bool {
        self.store.is_some()
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
    use super::*;

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
