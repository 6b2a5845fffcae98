//! The undo log while several native threads that run compiled code write.
//!
//! A thread writes a page only once its bit says that the log has it, and who sets that bit has copied the page before: under
//! a lock, so that nobody copies a page twice. Pages side by side have different locks, so that threads rarely wait for each
//! other.

#![allow(unsafe_code)] // objects are lent to several threads

use super::Memory;
use super::raw::Obj;
use super::undo::Pages;
use cudair_race::PAGE;
use std::array;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Locks that the pages are dealt to.
const LOCKS: usize = 16;

/// An object whose pages are kept.
struct Logged<'a> {
    number: u32,
    obj: &'a Obj,
    /// A bit for each page that is in the log.
    saved: &'a [AtomicU64],
}

/// The log for several threads, until [`SharedLog::finish`].
pub struct SharedLog<'a> {
    /// By what it was made of.
    objects: Vec<Option<Logged<'a>>>,
    /// By the number of the page.
    pages: [Mutex<Pages>; LOCKS],
    /// There was no memory for a page.
    short: AtomicBool,
}

// SAFETY: of an object, threads read what describes it, which nobody changes while it is borrowed; and the bytes of a page,
// under a lock and before the page's bit is set, until which nobody writes them. All else is atomic, or behind a lock.
unsafe impl Sync for SharedLog<'_> {}

/// The pages that several threads have kept.
pub struct SharedPages {
    pages: [Pages; LOCKS],
    all: bool,
}

impl SharedLog<'_> {
    /// Some bytes of the `n`th object are about to be written, which lie inside. Whether the log has their pages now.
    pub fn save(&self, n: usize, from: u64, len: u64) -> bool {
        let Some(Some(object)) = self.objects.get(n) else { return false };
        let (first, last) = (from / PAGE, (from + len.max(1) - 1) / PAGE);
        (first..=last).all(|page| self.save_page(object, page))
    }

    fn save_page(&self, object: &Logged<'_>, page: u64) -> bool {
        let Some(word) = object.saved.get((page / 64) as usize) else { return false };
        let bit = 1 << (page % 64);
        // A page is put into the log whole or not at all, so that a panic of another thread leaves it in order.
        let lock = &self.pages[page as usize % LOCKS];
        let mut pages = lock.lock().unwrap_or_else(PoisonError::into_inner);
        if word.load(Ordering::Relaxed) & bit != 0 {
            return true;
        }
        let start = page * PAGE;
        let len = PAGE.min(object.obj.size().saturating_sub(start));
        let kept = object.obj.page_kept(start, len);
        if kept.bytes.len() as u64 != len {
            self.short.store(true, Ordering::Relaxed);
            return false;
        }
        pages.insert((object.number, page as u32), kept);
        // Who sees the bit writes the page: the copy has to be made by then.
        word.fetch_or(bit, Ordering::Release);
        true
    }

    /// All threads are done: what they kept.
    pub fn finish(self) -> SharedPages {
        SharedPages {
            pages: self.pages.map(|pages| pages.into_inner().unwrap_or_else(PoisonError::into_inner)),
            all: !self.short.into_inner(),
        }
    }
}

impl Memory {
    /// Lends the undo log of the running launch to several threads, for the objects of these numbers of which
    /// [`Memory::saved_pages`] has given the bits.
    pub fn share_log(&self, numbers: &[u32]) -> SharedLog<'_> {
        let logged = |&number: &u32| {
            let (obj, saved) = (self.table.get(number)?, self.undo.saved_bits(number)?);
            Some(Logged { number, obj, saved })
        };
        SharedLog {
            objects: numbers.iter().map(logged).collect(),
            pages: array::from_fn(|_| Mutex::default()),
            short: AtomicBool::new(false),
        }
    }

    /// Takes back what [`Memory::share_log`] lent.
    pub fn join_log(&mut self, kept: SharedPages) {
        self.undo.add_pages(kept.pages.into_iter(), kept.all);
    }
}
