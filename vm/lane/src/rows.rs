//! Rows of a table that grows to millions of them, on pages of the system: growing neither copies them nor needs both
//! tables at once, and what is not filled yet costs nothing.

#![allow(unsafe_code)]

use super::pages::map_small;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// Rows of a table. A row needs no drop: its owner says what becomes of it.
#[derive(Debug)]
pub struct Rows<T> {
    p: *mut T,
    len: usize,
    /// Bytes of the mapping.
    room: usize,
    owns: PhantomData<T>,
}

// SAFETY: the rows are owned.
unsafe impl<T: Send> Send for Rows<T> {}
// SAFETY: shared access only reads.
unsafe impl<T: Sync> Sync for Rows<T> {}

/// Bytes of the first mapping.
const FIRST: usize = 1 << 16;

impl<T> Default for Rows<T> {
    fn default() -> Rows<T> {
        const { assert!(!std::mem::needs_drop::<T>() && align_of::<T>() <= 4096 && size_of::<T>() != 0) };
        Rows { p: std::ptr::dangling_mut(), len: 0, room: 0, owns: PhantomData }
    }
}

impl<T> Rows<T> {
    /// Adds a row at the end, or gives it back where the machine has no more memory.
    #[inline]
    pub fn push(&mut self, row: T) -> Result<(), T> {
        if (self.len + 1) * size_of::<T>() > self.room && !self.grow() {
            return Err(row);
        }
        // SAFETY: there is room behind the last row.
        unsafe { self.p.add(self.len).write(row) };
        self.len += 1;
        Ok(())
    }

    /// Takes the last row away.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        // SAFETY: it was the last row, which nobody reads again.
        Some(unsafe { self.p.add(self.len).read() })
    }

    #[cold]
    fn grow(&mut self) -> bool {
        let room = if self.room == 0 { FIRST } else { self.room * 2 };
        let moved = if self.room == 0 { map_small(room, 4096) } else { self.remap(room) };
        let Some(at) = moved else { return false };
        (self.p, self.room) = (at as *mut T, room);
        true
    }

    /// The rows in a larger mapping.
    #[cfg(target_os = "linux")]
    fn remap(&self, room: usize) -> Option<usize> {
        // SAFETY: the mapping is owned; where it moves, nothing points to where it was, since rows are borrowed of `self`.
        let p = unsafe { libc::mremap(self.p.cast(), self.room, room, libc::MREMAP_MAYMOVE) };
        (p != libc::MAP_FAILED).then_some(p as usize)
    }

    /// The rows in a larger mapping.
    #[cfg(not(target_os = "linux"))]
    fn remap(&self, room: usize) -> Option<usize> {
        let at = map_small(room, 4096)?;
        // SAFETY: the new mapping is larger, and the old one is owned.
        unsafe {
            (at as *mut T).copy_from_nonoverlapping(self.p, self.len);
            libc::munmap(self.p.cast(), self.room);
        }
        Some(at)
    }
}

impl<T> Drop for Rows<T> {
    fn drop(&mut self) {
        if self.room != 0 {
            // SAFETY: the mapping is owned.
            unsafe { libc::munmap(self.p.cast(), self.room) };
        }
    }
}

impl<T> Deref for Rows<T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: so many rows were written.
        unsafe { std::slice::from_raw_parts(self.p, self.len) }
    }
}

impl<T> DerefMut for Rows<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.p, self.len) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stay_as_they_grow() {
        let mut rows = Rows::<[u64; 3]>::default();
        assert!(rows.is_empty() && rows.pop().is_none());
        for n in 0..100_000 {
            assert_eq!(rows.push([n, !n, 7]), Ok(()));
        }
        rows[5][2] = 8;
        assert!(rows.iter().zip(0..).all(|(row, n)| *row == [n, !n, if n == 5 { 8 } else { 7 }]));
        assert_eq!(rows.pop(), Some([99_999, !99_999, 7]));
        assert_eq!(rows.len(), 99_999);
    }
}
