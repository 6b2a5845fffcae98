//! Zeroed memory for objects and their shadows.
//!
//! Large pieces come out of regions that ask for huge pages: a fresh page costs a fault, which is more than
//! a kernel that streams through memory pays for its work on it. Pieces that are given back are kept for the
//! next of their size, up to a limit, and cleared when they are handed out again.

#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ops::{Deref, DerefMut};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Pieces from this size on come out of regions.
const LARGE: usize = 1 << 16;
/// A region; larger pieces get one of their own.
const REGION: usize = 1 << 25;
/// A huge page.
const HUGE: usize = 1 << 21;
/// What pieces given back are kept up to, in bytes.
const KEPT: usize = 1 << 26;
/// What sizes of large pieces are multiples of: a small page.
const PAGE: usize = 1 << 12;

struct Pool {
    /// What is left of the newest region.
    at: usize,
    end: usize,
    /// Pieces given back: size and address.
    free: Vec<(usize, usize)>,
    kept: usize,
}

/// What keeps track of a launch has found no memory, since this was last asked.
static SHORT: AtomicBool = AtomicBool::new(false);

/// Whether words or pages came back empty or short since this was last asked: what they were to hold is not known.
#[inline]
pub fn ran_short() -> bool {
    SHORT.swap(false, Relaxed)
}

static POOL: Mutex<Pool> = Mutex::new(Pool { at: 0, end: 0, free: Vec::new(), kept: 0 });

fn pool() -> MutexGuard<'static, Pool> {
    // A poisoned pool is still a pool: nothing in it is left half done.
    POOL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Fresh zeroed memory from the system that starts at a huge page, and asks for such pages.
pub(super) fn map(size: usize) -> Option<usize> {
    let start = map_small(size, HUGE)?;
    // SAFETY: the mapping just made. Failing is harmless.
    #[cfg(target_os = "linux")]
    unsafe {
        libc::madvise(start as *mut _, size, libc::MADV_HUGEPAGE)
    };
    Some(start)
}

/// Fresh zeroed memory from the system that starts at a multiple of `align`.
pub(super) fn map_small(size: usize, align: usize) -> Option<usize> {
    let all = size.checked_add(align)?;
    // SAFETY: an anonymous mapping at a place that the system chooses.
    let p = unsafe {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        libc::mmap(null_mut(), all, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0)
    };
    if p == libc::MAP_FAILED {
        return None;
    }
    let (from, start) = (p as usize, (p as usize).next_multiple_of(align));
    // SAFETY: both ends of the mapping just made, outside of what is handed out. Failing is harmless.
    unsafe {
        if start > from {
            libc::munmap(p, start - from);
        }
        if from + all > start + size {
            libc::munmap((start + size) as *mut _, from + all - start - size);
        }
    }
    Some(start)
}

/// Gives the memory of a piece of a mapping back to the system; it reads as zeros when it is used again.
///
/// # Safety
/// Whole pages of an anonymous mapping, of which nobody needs what they hold.
pub(super) unsafe fn discard(p: *mut u8, size: usize) {
    // SAFETY: the caller's promise.
    unsafe { libc::madvise(p.cast(), size, libc::MADV_DONTNEED) };
}

impl Pool {
    fn take(&mut self, size: usize) -> Option<*mut u8> {
        if let Some(n) = self.free.iter().position(|&(s, _)| s == size) {
            let (_, at) = self.free.swap_remove(n);
            self.kept -= size;
            let p = at as *mut u8;
            // SAFETY: a piece of this size that nobody uses.
            unsafe { p.write_bytes(0, size) };
            return Some(p);
        }
        if size > REGION / 4 {
            return map(size).map(|p| p as *mut u8);
        }
        if self.end - self.at < size {
            (self.at, self.end) = map(REGION).map(|p| (p, p + REGION))?;
        }
        let p = self.at as *mut u8;
        self.at += size;
        Some(p)
    }

    fn give(&mut self, p: *mut u8, size: usize) {
        // SAFETY: in all cases a piece of that size that came from `take` and is not used any more.
        if size > REGION / 4 {
            unsafe { libc::munmap(p.cast(), size) };
        } else if self.kept + size <= KEPT {
            self.kept += size;
            self.free.push((size, p as usize));
        } else {
            unsafe { libc::madvise(p.cast(), size, libc::MADV_DONTNEED) };
        }
    }
}

fn small(size: usize) -> Option<Layout> {
    // What the allocator aligns by itself it also clears by itself, and keeps denser.
    Layout::from_size_align(size, 16).ok()
}

/// Zeroed memory of `size` bytes, which are not none, at a multiple of 16; of 64 where it is large.
#[inline]
pub fn take(size: usize) -> Option<*mut u8> {
    if size < LARGE {
        // SAFETY: the size is not zero.
        let p = unsafe { alloc_zeroed(small(size)?) };
        return (!p.is_null()).then_some(p);
    }
    let size = size.checked_next_multiple_of(PAGE)?;
    pool().take(size)
}

/// Gives back what [`take`] gave for this size.
///
/// # Safety
/// It must be given back once, and not be used after.
#[inline]
pub unsafe fn give(p: *mut u8, size: usize) {
    if size < LARGE {
        if let Some(layout) = small(size) {
            // SAFETY: the caller's promise.
            unsafe { dealloc(p, layout) };
        }
        return;
    }
    pool().give(p, size.next_multiple_of(PAGE));
}

/// Words that start as zeros.
#[derive(Debug)]
pub struct Words {
    p: *mut u32,
    len: usize,
}

// SAFETY: the memory is owned.
unsafe impl Send for Words {}
// SAFETY: shared access only reads.
unsafe impl Sync for Words {}

impl Default for Words {
    fn default() -> Words {
        Words { p: std::ptr::dangling_mut(), len: 0 }
    }
}

impl Words {
    /// So many zeros; none where the machine has no more memory.
    #[inline]
    pub fn zeroed(len: usize) -> Words {
        match len.checked_mul(4).filter(|&n| n != 0).and_then(take) {
            #[allow(clippy::cast_ptr_alignment, reason = "it is at a multiple of 16")]
            Some(p) => Words { p: p.cast(), len },
            None => {
                SHORT.fetch_or(len != 0, Relaxed);
                Words::default()
            }
        }
    }
}

impl Drop for Words {
    fn drop(&mut self) {
        if self.len != 0 {
            // SAFETY: taken with this size.
            unsafe { give(self.p.cast(), self.len * 4) };
        }
    }
}

impl Deref for Words {
    type Target = [u32];
    #[inline(always)]
    fn deref(&self) -> &[u32] {
        // SAFETY: owned, as long as this says, and initialised from the start.
        unsafe { std::slice::from_raw_parts(self.p, self.len) }
    }
}

impl DerefMut for Words {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u32] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.p, self.len) }
    }
}

/// Up to a [`PageBuf::MOST`] of bytes, out of huge pages: for the undo log, which takes and drops many. Zeros take no memory.
pub struct PageBuf {
    p: *mut u8,
    len: u32,
}

// SAFETY: the memory is owned.
unsafe impl Send for PageBuf {}
// SAFETY: shared access only reads.
unsafe impl Sync for PageBuf {}

/// Pieces for page buffers that nobody uses, by address.
static BUFS: Mutex<Vec<usize>> = Mutex::new(Vec::new());
/// How many of them keep their memory.
const BUFS_KEPT: usize = KEPT / PageBuf::MOST;

/// What all zeros refer to; nobody writes it.
static ZEROS: [u8; PAGE] = [0; PAGE];

fn bufs() -> MutexGuard<'static, Vec<usize>> {
    BUFS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl PageBuf {
    /// Bytes at most.
    pub const MOST: usize = PAGE;

    /// So many bytes, any; fewer than asked for where that is more than [`PageBuf::MOST`], none where the machine has no
    /// more memory.
    pub fn new(len: usize) -> PageBuf {
        /// Buffers that are taken at once.
        const BATCH: usize = REGION / 16;
        if len == 0 {
            return PageBuf { p: std::ptr::dangling_mut(), len: 0 };
        }
        let mut bufs = bufs();
        if bufs.is_empty()
            && let Some(p) = take(BATCH)
        {
            // The first of them first.
            bufs.extend((0..BATCH / PAGE).rev().map(|n| p as usize + n * PAGE));
        }
        match bufs.pop() {
            Some(p) => PageBuf { p: p as *mut u8, len: len.min(PAGE) as u32 },
            None => {
                SHORT.store(true, Relaxed);
                PageBuf { p: std::ptr::dangling_mut(), len: 0 }
            }
        }
    }

    /// So many zeros, at most [`PageBuf::MOST`].
    #[inline]
    pub fn zeros(len: usize) -> PageBuf {
        PageBuf { p: ZEROS.as_ptr().cast_mut(), len: len.min(PAGE) as u32 }
    }

    fn is_zeros(&self) -> bool {
        std::ptr::eq(self.p, ZEROS.as_ptr())
    }
}

impl Drop for PageBuf {
    fn drop(&mut self) {
        if self.len == 0 || self.is_zeros() {
            return;
        }
        let mut bufs = bufs();
        if bufs.len() >= BUFS_KEPT {
            // SAFETY: a page of an anonymous mapping that nobody uses: it reads as zeros when it is used again.
            unsafe { libc::madvise(self.p.cast(), PAGE, libc::MADV_DONTNEED) };
        }
        bufs.push(self.p as usize);
    }
}

impl Deref for PageBuf {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        // SAFETY: owned, as long as this says; pages of the system are initialised from the start.
        unsafe { std::slice::from_raw_parts(self.p, self.len as usize) }
    }
}

impl DerefMut for PageBuf {
    fn deref_mut(&mut self) -> &mut [u8] {
        if self.is_zeros() {
            // Without memory it has no bytes, as one that is new.
            let mut own = PageBuf::new(self.len());
            own.fill(0);
            *self = own;
        }
        // SAFETY: as above, and not what all zeros refer to.
        unsafe { std::slice::from_raw_parts_mut(self.p, self.len as usize) }
    }
}

impl From<&[u8]> for PageBuf {
    fn from(bytes: &[u8]) -> PageBuf {
        let mut new = PageBuf::new(bytes.len());
        let len = new.len();
        new.copy_from_slice(&bytes[..len]);
        new
    }
}

impl Clone for PageBuf {
    fn clone(&self) -> PageBuf {
        PageBuf::from(&**self)
    }
}

impl PartialEq for PageBuf {
    fn eq(&self, other: &PageBuf) -> bool {
        **self == **other
    }
}

impl Eq for PageBuf {}

impl std::fmt::Debug for PageBuf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_buffers_keep_what_they_hold() {
        let bufs: Vec<PageBuf> = (0..600).map(|i| PageBuf::from(&vec![i as u8; 7 * i % 4097][..])).collect();
        for (i, buf) in bufs.iter().enumerate() {
            assert_eq!(buf.len(), 7 * i % 4097);
            assert!(buf.iter().all(|&b| b == i as u8));
        }
        assert_eq!(bufs[9].clone(), bufs[9]);
        assert_eq!(PageBuf::new(5000).len(), PageBuf::MOST);
    }

    #[test]
    fn zeros_become_a_buffer_when_they_are_written() {
        let mut buf = PageBuf::zeros(100);
        assert_eq!(buf, PageBuf::from(&[0; 100][..]));
        buf[7] = 1;
        assert_eq!((buf[6], buf[7], buf.len()), (0, 1, 100));
        assert!(PageBuf::zeros(PAGE).iter().all(|&b| b == 0));
    }

    #[test]
    fn pieces_are_zero_again() {
        for size in [64, LARGE - 1, LARGE, LARGE + 1, 3 << 20, REGION] {
            for _ in 0..3 {
                let p = take(size).unwrap();
                // SAFETY: `size` bytes, given back once.
                unsafe {
                    assert_eq!(p as usize % if size < LARGE { 16 } else { 64 }, 0);
                    assert!((0..size).step_by(61).all(|i| p.add(i).read() == 0));
                    p.write_bytes(0xff, size);
                    give(p, size);
                }
            }
        }
        let mut words = Words::zeroed(1 << 15);
        words[7] = 1;
        drop(words);
        assert!(Words::zeroed(1 << 15).iter().all(|&w| w == 0));
        assert!(Words::default().is_empty());
    }
}
