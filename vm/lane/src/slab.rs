//! Zeroed memory for small pieces, of which a program may have millions: slots of one size side by side in a span.
//!
//! A span is 64 KiB at a multiple of that, so that a slot leads to its span without a word of its own. It starts with
//! what describes it and ends with room that nobody uses: [`SLACK`] bytes around every slot may be read. A span whose
//! slots have all come back serves another size. The design is mimalloc's pages (Leijen, Zorn and de Moura, "Mimalloc:
//! free list sharding in action", APLAS 2019), without its lists for each thread: one thread allocates at a time here,
//! and a lock that nobody else wants costs little.

#![allow(unsafe_code)]
#![allow(clippy::cast_ptr_alignment, reason = "spans and slots are at multiples of 16")]

use super::pages::{self, map, map_small};
use std::ptr::null_mut;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes around every slot that may be read, and mean nothing.
pub const SLACK: usize = 128;
/// The largest slot.
pub const MOST: usize = 4096;

/// A span.
const SPAN: usize = 1 << 16;
/// Slots up to this size come in steps of [`STEP`], larger ones in steps of [`WIDE_STEP`].
const NARROW: usize = 1024;
const STEP: usize = 16;
const WIDE_STEP: usize = 64;
/// Sizes of slots.
const CLASSES: usize = NARROW / STEP + (MOST - NARROW) / WIDE_STEP;
/// What is mapped at once: little at first, and on small pages, for a program that needs no more.
const FIRST: usize = 64 * SPAN;
const REGION: usize = 1 << 25;
/// Empty spans that keep their memory.
const EMPTY_KEPT: usize = 64;

/// What a span starts with.
#[repr(C)]
struct Span {
    /// Slots that came back, each of which starts with the address of the next.
    free: *mut u8,
    /// Where the slots begin that were never handed out, and where the last one ends, from the span's start.
    fresh: usize,
    end: usize,
    /// Bytes of a slot.
    slot: usize,
    class: usize,
    /// Slots that are in use.
    live: usize,
    /// Whether the slots that were never handed out may hold what another size left.
    dirty: bool,
    /// Spans of the size that have room are chained.
    next: *mut Span,
    before: *mut Span,
}

const _: () = assert!(size_of::<Span>() <= SLACK && SLACK.is_multiple_of(STEP));

struct Slabs {
    /// The spans of each size that have room.
    open: [*mut Span; CLASSES],
    /// Spans without slots, and whether they read as zeros.
    empty: Vec<(usize, bool)>,
    /// What is left of the newest region, in which nothing was written.
    at: usize,
    region_end: usize,
}

// SAFETY: the memory is owned, and nothing in it is tied to a thread.
unsafe impl Send for Slabs {}

static SLABS: Mutex<Slabs> =
    Mutex::new(Slabs { open: [null_mut(); CLASSES], empty: Vec::new(), at: 0, region_end: 0 });

fn slabs() -> MutexGuard<'static, Slabs> {
    // Nothing in it panics half way.
    SLABS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Which size of slots serves a piece, and how many bytes they have.
#[inline]
fn class_of(size: usize) -> (usize, usize) {
    if size <= NARROW {
        let n = size.max(1).div_ceil(STEP);
        (n - 1, n * STEP)
    } else {
        let n = (size - NARROW).div_ceil(WIDE_STEP);
        (NARROW / STEP + n - 1, NARROW + n * WIDE_STEP)
    }
}

impl Slabs {
    /// A span of this size that has room, put first among them. None where the machine has no more memory.
    #[cold]
    fn open(&mut self, class: usize, slot: usize) -> Option<*mut Span> {
        let (at, dirty) = match self.empty.pop() {
            Some((at, zero)) => (at, !zero),
            None => {
                if self.at == self.region_end {
                    let (start, size) = match self.region_end {
                        0 => (map_small(FIRST, SPAN)?, FIRST),
                        _ => (map(REGION)?, REGION),
                    };
                    (self.at, self.region_end) = (start, start + size);
                }
                self.at += SPAN;
                (self.at - SPAN, false)
            }
        };
        let span = at as *mut Span;
        let (fresh, end) = (SLACK, SPAN - SLACK - (SPAN - 2 * SLACK) % slot);
        let next = self.open[class];
        // SAFETY: the span is nobody's, and so is the chain's first.
        unsafe {
            span.write(Span {
                free: null_mut(),
                fresh,
                end,
                slot,
                class,
                live: 0,
                dirty,
                next,
                before: null_mut(),
            });
            if !next.is_null() {
                (*next).before = span;
            }
        }
        self.open[class] = span;
        Some(span)
    }

    /// Takes a span out of those with room.
    ///
    /// # Safety
    /// It must be one of them.
    unsafe fn unchain(&mut self, span: *mut Span) {
        // SAFETY: the caller's promise; what is chained are spans.
        unsafe {
            let Span { next, before, class, .. } = *span;
            if before.is_null() {
                self.open[class] = next;
            } else {
                (*before).next = next;
            }
            if !next.is_null() {
                (*next).before = before;
            }
        }
    }

    /// A span has no slots in use any more.
    ///
    /// # Safety
    /// It must be one of those with room.
    #[cold]
    unsafe fn retire(&mut self, span: *mut Span) {
        // SAFETY: the caller's promise.
        unsafe {
            self.unchain(span);
            let keep = self.empty.len() < EMPTY_KEPT;
            if !keep {
                pages::discard(span.cast(), SPAN);
            }
            self.empty.push((span as usize, !keep));
        }
    }
}

/// Zeroed memory of `size` bytes, at most [`MOST`], at a multiple of 16. None where the machine has no more.
#[inline]
pub fn take(size: usize) -> Option<*mut u8> {
    debug_assert!(size <= MOST);
    let (class, slot) = class_of(size);
    let mut slabs = slabs();
    let mut span = slabs.open[class];
    if span.is_null() {
        span = slabs.open(class, slot)?;
    }
    // SAFETY: a span with room, which the lock makes this thread's. Its slots lie between `SLACK` and `end`.
    unsafe {
        let s = &mut *span;
        let (p, dirty) = if s.free.is_null() {
            s.fresh += slot;
            (span.cast::<u8>().add(s.fresh - slot), s.dirty)
        } else {
            let p = s.free;
            s.free = p.cast::<*mut u8>().read();
            (p, true)
        };
        s.live += 1;
        if s.free.is_null() && s.fresh == s.end {
            slabs.unchain(span);
        }
        if dirty {
            p.write_bytes(0, slot);
        }
        Some(p)
    }
}

/// Gives back what [`take`] gave.
///
/// # Safety
/// It must be given back once, and not be used after.
#[inline]
pub unsafe fn give(p: *mut u8) {
    let mut slabs = slabs();
    // SAFETY: the caller's promise: `p` is a slot, so that its span starts at the multiple of `SPAN` below. A slot has room
    // for an address.
    unsafe {
        let span = p.map_addr(|a| a & !(SPAN - 1)).cast::<Span>();
        let s = &mut *span;
        let was_full = s.free.is_null() && s.fresh == s.end;
        p.cast::<*mut u8>().write(s.free);
        s.free = p;
        s.live -= 1;
        if was_full {
            (s.next, s.before) = (slabs.open[s.class], null_mut());
            if !s.next.is_null() {
                (*s.next).before = span;
            }
            slabs.open[s.class] = span;
        }
        // One span of a size stays, for a program that makes one piece and frees it, again and again.
        if s.live == 0 && !(s.next.is_null() && s.before.is_null()) {
            slabs.retire(span);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for size in 0..=MOST {
            let (class, slot) = class_of(size);
            assert!(class < CLASSES && size <= slot && slot.is_multiple_of(STEP), "{size}");
            assert!(slot - size <= if size <= NARROW { STEP } else { WIDE_STEP });
            assert_eq!(class_of(slot), (class, slot));
        }
        assert_eq!(class_of(MOST).0, CLASSES - 1);
    }

    /// Pieces of many sizes that come and go are apart, zero when they come, and keep what is written to them.
    #[test]
    fn pieces_are_apart() {
        let mut live: Vec<(*mut u8, usize, u8)> = Vec::new();
        let mut x = 1u32;
        let mut random = |n: usize| {
            x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (x >> 8) as usize % n
        };
        let check = |&(p, size, byte): &(*mut u8, usize, u8)| {
            // SAFETY: `size` bytes of a live piece.
            assert!(unsafe { std::slice::from_raw_parts(p, size) }.iter().all(|&b| b == byte));
        };
        for round in 0..60_000 {
            // It grows, and shrinks to nothing, three times.
            let grow = round % 20_000 < 10_000;
            if grow || live.is_empty() {
                let size = if random(10) == 0 { random(MOST) + 1 } else { random(200) + 1 };
                let p = take(size).unwrap();
                assert_eq!(p as usize % 16, 0);
                check(&(p, size, 0));
                let byte = round as u8 | 1;
                // SAFETY: `size` bytes of a live piece.
                unsafe { p.write_bytes(byte, size) };
                live.push((p, size, byte));
            } else {
                let piece = live.swap_remove(random(live.len()));
                check(&piece);
                // SAFETY: it is live, and forgotten here.
                unsafe { give(piece.0) };
            }
        }
        live.iter().for_each(check);
        // SAFETY: as above.
        live.iter().for_each(|&(p, ..)| unsafe { give(p) });
    }

    #[test]
    fn there_is_slack_around_pieces() {
        let pieces: Vec<_> = (0..5000).map(|_| take(16).unwrap()).collect();
        for &p in &pieces {
            let (lead, rest) = (p as usize % SPAN, SPAN - p as usize % SPAN - 16);
            assert!(lead >= SLACK && rest >= SLACK);
        }
        // SAFETY: each is live, and forgotten here.
        pieces.into_iter().for_each(|p| unsafe { give(p) });
    }
}
