//! The bytes of guest objects: the only file, beside the kernels, that holds raw pointers.
//!
//! A [`Store`] owns memory; an [`Obj`] is a view of a stretch of it with everything that an access needs in
//! half a cache line: the bytes, the initialisation bitmap, the size, and who may read and write. A look at the rights and
//! one at the size check null, lifetime, space, read-only and bounds together, and only a refusal asks which it was.
//!
//! **Invariants.** An object's rights are to all bytes of its stretch or to none. Each stretch is followed, and each store
//! preceded, by [`SLACK`] bytes that may be read and carry nothing. A bitmap has a bit per byte of the
//! stretch and is followed by [`BITS_SLACK`] bytes at least that nobody else uses: what sets bits writes words. A view of
//! a store is dropped or [killed](Obj::kill) before it, by who owns both (the host's stack, a block), or owns the store
//! itself ([`Store::into_view`], for the object table). Only these make views.

#![allow(unsafe_code)]
#![allow(clippy::cast_ptr_alignment, reason = "reads and writes through such pointers are unaligned ones")]

use super::what::What;
use cudair_lane::pages::PageBuf;
use cudair_lane::{MemSide, numbered, pages, slab};
use std::ptr::null_mut;

/// Readable bytes around every stretch: a whole chunk of lanes of eight bytes.
pub(super) const SLACK: usize = slab::SLACK;
/// Bytes behind a bitmap that are its own: a word of eight bytes may begin in its last byte.
const BITS_SLACK: usize = 7;

/// Which right to an object an access needs: side and direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Right {
    HostRead = 0,
    HostWrite = 1,
    DeviceRead = 2,
    DeviceWrite = 3,
}

impl Right {
    pub(super) fn new(side: MemSide, writes: bool) -> Right {
        match (side, writes) {
            (MemSide::Host, false) => Right::HostRead,
            (MemSide::Host, true) => Right::HostWrite,
            (MemSide::Device, false) => Right::DeviceRead,
            (MemSide::Device, true) => Right::DeviceWrite,
        }
    }

    /// Its bit among the rights to an object.
    #[inline(always)]
    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// Owned memory: bytes and, unless all of it starts initialised, a bitmap. A small store has both in one slot of
/// [`slab`], or of [`numbered`], where the bitmap's place is kept free even if there is none.
#[derive(Debug)]
pub(super) struct Store {
    /// The first byte of the objects.
    data: *mut u8,
    init: *mut u8,
    size: usize,
    /// The slot is a numbered one, which is not given back.
    numbered: bool,
}

// SAFETY: the memory is owned, and nothing in it is tied to a thread.
unsafe impl Send for Store {}

impl Store {
    /// Bytes of the slot of a small store; none where it is none.
    #[inline]
    pub(super) fn slot(size: usize) -> Option<usize> {
        // First what cannot overflow.
        (size < slab::MOST).then(|| size + size.div_ceil(8) + BITS_SLACK).filter(|&slot| slot <= slab::MOST)
    }

    /// Bytes of the memory, and of the bitmap, of a store that is not small.
    fn data_size(size: usize) -> Option<usize> {
        size.checked_add(2 * SLACK)
    }

    fn init_size(size: usize) -> usize {
        size / 8 + SLACK
    }

    /// Zeroed memory; with `bitmap`, none of it initialised. `None` when the machine has no more.
    #[inline]
    pub(super) fn new(size: u64, bitmap: bool) -> Option<Store> {
        let size = usize::try_from(size).ok()?;
        if let Some(slot) = Store::slot(size) {
            let data = slab::take(slot)?;
            let mut store = Store { data, init: null_mut(), size, numbered: false };
            if bitmap {
                store.init = store.small_bitmap();
            }
            return Some(store);
        }
        let data = pages::take(Store::data_size(size)?)?;
        // SAFETY: the memory begins with the slack.
        let data = unsafe { data.add(SLACK) };
        let mut store = Store { data, init: null_mut(), size, numbered: false };
        if bitmap {
            store.init = pages::take(Store::init_size(size))?;
        }
        Some(store)
    }

    /// Whether a store of so many bytes may have a numbered slot.
    #[inline]
    pub(super) fn fits_numbered(size: u64) -> bool {
        usize::try_from(size).ok().and_then(Store::slot).is_some_and(|slot| slot <= numbered::SLOT)
    }

    /// [`Store::new`] in a numbered slot of zeros, which it [fits](Store::fits_numbered). The slot is there for as long as any
    /// view of it.
    #[inline]
    pub(super) fn in_slot(data: *mut u8, size: u64, bitmap: bool) -> Store {
        let mut store = Store { data, init: null_mut(), size: size as usize, numbered: true };
        if bitmap {
            store.init = store.small_bitmap();
        }
        store
    }

    /// Makes zeros of its slot again, if that is a numbered one.
    pub(super) fn clear_slot(&self) {
        if self.numbered {
            // SAFETY: all of the slot is the store's.
            unsafe { self.data.write_bytes(0, numbered::SLOT) };
        }
    }

    /// Where the bitmap of a small store is.
    #[inline]
    fn small_bitmap(&self) -> *mut u8 {
        debug_assert!(Store::slot(self.size).is_some());
        // SAFETY: the slot goes on behind the bytes.
        unsafe { self.data.add(self.size) }
    }

    /// A bitmap that says that everything is initialised.
    fn full_bitmap(&self) -> Option<*mut u8> {
        let (init, bytes) = match Store::slot(self.size) {
            Some(_) => (self.small_bitmap(), self.size.div_ceil(8)),
            None => (pages::take(Store::init_size(self.size))?, Store::init_size(self.size)),
        };
        // SAFETY: the bitmap has that many bytes.
        unsafe { init.write_bytes(0xff, bytes) };
        Some(init)
    }

    /// Gives the bitmap's memory back, if it has one: all is initialised.
    fn free_bitmap(&mut self) {
        let init = std::mem::replace(&mut self.init, null_mut());
        if !init.is_null() && Store::slot(self.size).is_none() {
            // SAFETY: taken with this size; who calls this sees to it that nobody points there any more.
            unsafe { pages::give(init, Store::init_size(self.size)) };
        }
    }

    /// A view of all of it that owns it, refusing every access until rights are given.
    #[inline]
    pub(super) fn into_view(self) -> Obj {
        let Store { data, init, size, numbered } = *std::mem::ManuallyDrop::new(self);
        let rights = if numbered { OWNS | NUMBERED } else { OWNS };
        Obj { data, init, size: size as u64, rights, what: What::NOTHING }
    }

    /// A view of a stretch, which must start at a multiple of eight bytes.
    pub(super) fn part(&self, start: u64, size: u64) -> Obj {
        let (start, size) = (start as usize, size as usize);
        assert!(start.is_multiple_of(8) && start <= self.size && size <= self.size - start);
        // SAFETY: `start` lies inside the store.
        let data = unsafe { self.data.add(start) };
        let init = match self.init {
            p if p.is_null() => p,
            // SAFETY: as above; the bitmap has a byte for each eight.
            p => unsafe { p.add(start / 8) },
        };
        Obj { data, init, size: size as u64, rights: 0, what: What::NOTHING }
    }

    /// Marks a stretch as not initialised. Both ends must be multiples of eight bytes.
    pub(super) fn forget(&self, start: u64, size: u64) {
        if self.init.is_null() {
            return;
        }
        let (start, end) = (start as usize / 8, (start + size).div_ceil(8) as usize);
        assert!(start <= end && end <= self.size.div_ceil(8));
        // SAFETY: inside the bitmap.
        unsafe { clear(self.init.add(start), end - start) };
    }

    pub(super) fn size(&self) -> u64 {
        self.size as u64
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        if self.numbered {
            return;
        }
        self.free_bitmap();
        // SAFETY: taken with these very sizes.
        unsafe {
            if Store::slot(self.size).is_some() {
                slab::give(self.data);
            } else if let Some(bytes) = Store::data_size(self.size) {
                pages::give(self.data.sub(SLACK), bytes);
            }
        }
    }
}

/// Sets bytes to 0. A few, as the bitmaps of most local variables have, are set without a call.
///
/// # Safety
/// There are so many bytes, and they may be written.
#[inline]
unsafe fn clear(p: *mut u8, len: usize) {
    // SAFETY: the caller's promise; where two writes meet in the middle they write the same.
    unsafe {
        match len {
            0 => {}
            1 => p.write(0),
            2..=3 => {
                p.cast::<u16>().write_unaligned(0);
                p.add(len - 2).cast::<u16>().write_unaligned(0);
            }
            4..=7 => {
                p.cast::<u32>().write_unaligned(0);
                p.add(len - 4).cast::<u32>().write_unaligned(0);
            }
            8..=16 => {
                p.cast::<u64>().write_unaligned(0);
                p.add(len - 8).cast::<u64>().write_unaligned(0);
            }
            _ => p.write_bytes(0, len),
        }
    }
}

/// A stretch of an object as it was: its bytes and, where the object kept any, their bits of initialisation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// The bytes.
    pub bytes: PageBuf,
    /// A bit per byte.
    pub init: Option<Box<[u8]>>,
}

/// A view of an object. See the module's documentation.
#[derive(Debug)]
#[repr(C, align(32))]
pub(super) struct Obj {
    pub(super) data: *mut u8,
    pub(super) init: *mut u8,
    size: u64,
    /// A bit for each [`Right`], [`OWNS`] and [`NUMBERED`].
    rights: u8,
    /// For the object table's use.
    pub(super) what: What,
}

/// The view owns its store.
const OWNS: u8 = 1 << 4;
/// That store has a numbered slot.
const NUMBERED: u8 = 1 << 5;

// Two of them in a cache line: a program may have millions.
const _: () = assert!(size_of::<Obj>() == 32);

// SAFETY: a view goes where its store goes.
unsafe impl Send for Obj {}

/// [`Obj::NONE`] as a place to refer to.
struct Refuses(Obj);
// SAFETY: it has no memory, and nothing changes it.
unsafe impl Sync for Refuses {}
static REFUSES: Refuses = Refuses(Obj::NONE);

/// How compiled code finds its way in a view: bytes from its start.
pub(super) const OBJ_LAYOUT: super::ObjectLayout = super::ObjectLayout {
    bytes: size_of::<Obj>(),
    data: std::mem::offset_of!(Obj, data),
    init: std::mem::offset_of!(Obj, init),
    size: std::mem::offset_of!(Obj, size),
    rights: std::mem::offset_of!(Obj, rights),
    host_reads: Right::HostRead.bit(),
    host_writes: Right::HostWrite.bit(),
};

impl Obj {
    /// The object that refuses everything.
    pub(super) const NONE: Obj =
        Obj { data: null_mut(), init: null_mut(), size: 0, rights: 0, what: What::NOTHING };

    /// The object that refuses everything, to refer to.
    #[inline(always)]
    pub(super) fn refuses() -> &'static Obj {
        &REFUSES.0
    }

    /// Sets what may be accessed: all bytes where true.
    #[inline]
    pub(super) fn allow(&mut self, rights: [bool; 4]) {
        let bits = rights.iter().rev().fold(0, |bits, &right| bits << 1 | u8::from(right));
        self.rights = self.rights & (OWNS | NUMBERED) | bits;
    }

    /// Which accesses are allowed at all.
    pub(super) fn rights(&self) -> [bool; 4] {
        std::array::from_fn(|right| self.rights >> right & 1 != 0 && self.size != 0)
    }

    /// Refuses every access from now on, and forgets the memory; gives the store, if the view owned it.
    #[inline]
    pub(super) fn kill(&mut self) -> Option<Store> {
        let Obj { data, init, size, rights, what } = *self;
        *self = Obj { what, ..Obj::NONE };
        let numbered = rights & NUMBERED != 0;
        (rights & OWNS != 0).then(|| Store { data, init, size: size as usize, numbered })
    }

    /// Whether the view owns its store.
    #[inline(always)]
    pub(super) fn owns(&self) -> bool {
        self.rights & OWNS != 0
    }

    /// Changes the store that the view owns, if it does; the view is of it afterwards.
    fn change_store<T>(&mut self, change: impl FnOnce(&mut Store) -> T) -> Option<T> {
        if !self.owns() {
            return None;
        }
        let numbered = self.rights & NUMBERED != 0;
        let store = Store { data: self.data, init: self.init, size: self.size as usize, numbered };
        let mut store = std::mem::ManuallyDrop::new(store);
        let changed = change(&mut store);
        self.init = store.init;
        Some(changed)
    }

    /// Gives an object without bitmap, whose store it owns, one that says everything is initialised. False where there is
    /// no memory for it.
    pub(super) fn add_bitmap(&mut self) -> bool {
        if self.has_bitmap() {
            return true;
        }
        let given = self.change_store(|store| {
            let bitmap = store.full_bitmap();
            store.init = bitmap.unwrap_or(null_mut());
            bitmap.is_some()
        });
        given.unwrap_or(false)
    }

    /// Takes the bitmap away from an object that owns its store: all of it is initialised.
    pub(super) fn drop_bitmap(&mut self) {
        self.change_store(Store::free_bitmap);
    }

    /// Bytes.
    #[inline(always)]
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// How many bytes `right` may touch.
    #[inline(always)]
    pub(super) fn limit(&self, right: Right) -> u64 {
        if self.may(right) { self.size } else { 0 }
    }

    #[inline(always)]
    fn may(&self, right: Right) -> bool {
        self.rights & right.bit() != 0
    }

    /// Whether `right` may touch `len` bytes at `off`.
    #[inline(always)]
    pub(super) fn fits(&self, right: Right, off: i64, len: u64) -> bool {
        self.may(right) && self.inside(off as u64, len)
    }

    /// All bytes, nothing for those never written.
    pub(super) fn peek(&self) -> Vec<Option<u8>> {
        let mut bytes = vec![0; usize::try_from(self.size()).unwrap_or(0)];
        self.read(0, &mut bytes);
        let known = |(off, byte): (usize, u8)| (self.init_bits(off as i64, 1) & 1 != 0).then_some(byte);
        bytes.into_iter().enumerate().map(known).collect()
    }

    /// Whether it keeps a bitmap; otherwise every byte is initialised.
    #[inline(always)]
    pub(super) fn has_bitmap(&self) -> bool {
        !self.init.is_null()
    }

    #[inline(always)]
    fn inside(&self, off: u64, len: u64) -> bool {
        off <= self.size && len <= self.size - off
    }

    /// Loads up to eight bytes, zero-extended, if `right` may.
    #[inline(always)]
    pub(super) fn load(&self, right: Right, off: i64, width: u8) -> Option<u64> {
        if !self.fits(right, off, u64::from(width)) {
            return None;
        }
        // SAFETY: it lies inside the stretch.
        Some(unsafe { load_le(self.data.add(off as usize), width) })
    }

    /// Stores up to eight bytes if `right` may, and marks them as initialised.
    #[inline(always)]
    pub(super) fn store(&self, right: Right, off: i64, width: u8, bits: u64) -> bool {
        if !self.fits(right, off, u64::from(width)) {
            return false;
        }
        // SAFETY: it lies inside the stretch, and the bitmap covers it.
        unsafe {
            store_le(self.data.add(off as usize), width, bits);
            if !self.init.is_null() {
                set_bits(self.init, off as usize, width);
            }
        }
        true
    }

    /// Loads `W` bytes (at most eight) where the host may, their offset is a multiple of `W`, and all of
    /// them are initialised.
    #[inline(always)]
    pub(super) fn load_quick<const W: u32>(&self, off: i64) -> Option<u64> {
        if off as u64 & u64::from(W - 1) != 0 || !self.fits(Right::HostRead, off, u64::from(W)) {
            return None;
        }
        // SAFETY: it lies inside the stretch, and the bitmap covers it. The bits of `W` bytes
        // at a multiple of `W` lie in one byte.
        unsafe {
            let all = ((1u32 << W) - 1) as u8;
            if !self.init.is_null() && self.init.add(off as usize >> 3).read() >> (off & 7) & all != all {
                return None;
            }
            Some(load_le(self.data.add(off as usize), W as u8))
        }
    }

    /// Stores `W` bytes (at most eight) where the host may and their offset is a multiple of `W`, and marks
    /// them as initialised.
    #[inline(always)]
    pub(super) fn store_quick<const W: u32>(&self, off: i64, bits: u64) -> bool {
        if off as u64 & u64::from(W - 1) != 0 || !self.fits(Right::HostWrite, off, u64::from(W)) {
            return false;
        }
        // SAFETY: as in `load_quick`.
        unsafe {
            store_le(self.data.add(off as usize), W as u8, bits);
            if !self.init.is_null() {
                let all = ((1u32 << W) - 1) as u8;
                let p = self.init.add(off as usize >> 3);
                p.write(p.read() | all << (off & 7));
            }
        }
        true
    }

    /// The bits of initialisation of up to 16 bytes at `off`, which lie inside.
    #[inline(always)]
    pub(super) fn init_bits(&self, off: i64, width: u8) -> u32 {
        let all = (1u32 << width) - 1;
        if self.init.is_null() || !self.inside(off as u64, u64::from(width)) {
            return all;
        }
        // SAFETY: inside the bitmap and its slack.
        unsafe { init_word(self.init, off as usize) & all }
    }

    /// Sets the bits of initialisation of up to 16 bytes at `off`. Needs a bitmap to clear any.
    pub(super) fn set_init_bits(&self, off: i64, width: u8, bits: u32) {
        if self.init.is_null() || !self.inside(off as u64, u64::from(width)) {
            return;
        }
        let all = (1u32 << width) - 1;
        // SAFETY: inside the bitmap and its slack.
        unsafe {
            let p = self.init.add(off as usize >> 3).cast::<u32>();
            let shift = off as u32 & 7;
            p.write_unaligned(p.read_unaligned() & !(all << shift) | (bits & all) << shift);
        }
    }

    /// Copies bytes out.
    pub(super) fn read(&self, off: u64, out: &mut [u8]) {
        assert!(self.inside(off, out.len() as u64));
        // SAFETY: inside the stretch; guest memory and `out` do not overlap.
        unsafe { self.data.add(off as usize).copy_to_nonoverlapping(out.as_mut_ptr(), out.len()) }
    }

    /// Copies bytes in and marks them as initialised.
    pub(super) fn write(&self, off: u64, bytes: &[u8]) {
        assert!(self.inside(off, bytes.len() as u64));
        // SAFETY: inside the stretch; guest memory and `bytes` do not overlap.
        unsafe { self.data.add(off as usize).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) }
        self.set_init_range(off, bytes.len() as u64, true);
    }

    /// A page that starts at `off`, a multiple of eight, to be put back by [`Obj::restore`].
    pub(super) fn page(&self, off: u64, len: u64) -> Page {
        let mut bytes = PageBuf::new(len as usize);
        self.read(off, &mut bytes);
        Page { bytes, init: self.init_bytes(off, len).map(Box::from) }
    }

    /// [`Obj::page`] without bits of initialisation where all are set, and without a copy of zeros: so fresh memory, of
    /// which nobody has written a byte, is not copied.
    pub(super) fn page_kept(&self, off: u64, len: u64) -> Page {
        let bytes = if len as usize <= PageBuf::MOST && self.is_zero(off, len) {
            PageBuf::zeros(len as usize)
        } else {
            let mut bytes = PageBuf::new(len as usize);
            self.read(off, &mut bytes);
            bytes
        };
        let bits = self.init_bytes(off, len);
        let bits = bits.filter(|bits| bits.iter().fold(0xff, |a, &b| a & b) != 0xff);
        Page { bytes, init: bits.map(Box::from) }
    }

    /// The bits of initialisation of a stretch that starts at a multiple of eight.
    fn init_bytes(&self, off: u64, len: u64) -> Option<&[u8]> {
        assert!(self.inside(off, len) && off.is_multiple_of(8));
        if self.init.is_null() {
            return None;
        }
        // SAFETY: the bitmap covers the stretch.
        Some(unsafe { std::slice::from_raw_parts(self.init.add(off as usize / 8), len.div_ceil(8) as usize) })
    }

    /// Puts a page back: bytes and which of them are initialised. A page without bits was all initialised.
    pub(super) fn restore(&self, off: u64, page: &Page) {
        self.write(off, &page.bytes);
        if let (Some(bits), false) = (&page.init, self.init.is_null()) {
            assert!(off.is_multiple_of(8) && bits.len() as u64 == (page.bytes.len() as u64).div_ceil(8));
            // SAFETY: `write` has seen that the page lies inside the stretch, which the bitmap covers.
            unsafe { self.init.add(off as usize / 8).copy_from_nonoverlapping(bits.as_ptr(), bits.len()) };
        }
    }

    /// Fills bytes and marks them as initialised.
    pub(super) fn fill(&self, off: u64, byte: u8, len: u64) {
        assert!(self.inside(off, len));
        // SAFETY: inside the stretch.
        unsafe { self.data.add(off as usize).write_bytes(byte, len as usize) }
        self.set_init_range(off, len, true);
    }

    /// Moves bytes with their initialisation; the ranges may overlap. A destination without bitmap must
    /// be given one first where the source is not all initialised.
    pub(super) fn copy_from(&self, off: u64, src: &Obj, src_off: u64, len: u64) {
        assert!(self.inside(off, len) && src.inside(src_off, len));
        // SAFETY: both inside their stretches; `copy_to` allows overlap.
        unsafe { src.data.add(src_off as usize).copy_to(self.data.add(off as usize), len as usize) }
        if self.init.is_null() {
            return;
        }
        if src.init.is_null() {
            self.set_init_range(off, len, true);
        } else if off & 7 == src_off & 7 {
            self.copy_init_aligned(off, src, src_off, len);
        } else {
            // Through a copy, since the ranges may overlap.
            let bits: Vec<bool> = (src_off..src_off + len).map(|o| src.init_bits(o as i64, 1) != 0).collect();
            for (i, bit) in bits.into_iter().enumerate() {
                self.set_init_bits(off as i64 + i as i64, 1, u32::from(bit));
            }
        }
    }

    /// Moves bits whose position in their bytes is the same.
    fn copy_init_aligned(&self, off: u64, src: &Obj, src_off: u64, len: u64) {
        if len == 0 {
            return;
        }
        let head = (8 - off % 8) % 8;
        let head = head.min(len);
        let body = (len - head) / 8;
        let tail = len - head - body * 8;
        let head_bits = src.init_bits(src_off as i64, head as u8);
        let tail_bits = src.init_bits((src_off + head + body * 8) as i64, tail as u8);
        // SAFETY: whole bytes of both bitmaps, inside; `copy_to` allows overlap.
        unsafe {
            src.init
                .add((src_off + head) as usize / 8)
                .copy_to(self.init.add((off + head) as usize / 8), body as usize);
        }
        self.set_init_bits(off as i64, head as u8, head_bits);
        self.set_init_bits((off + head + body * 8) as i64, tail as u8, tail_bits);
    }

    /// Marks bytes as initialised or not. Needs a bitmap to clear.
    pub(super) fn set_init_range(&self, off: u64, len: u64, on: bool) {
        if self.init.is_null() || len == 0 {
            return;
        }
        assert!(self.inside(off, len));
        let head = ((8 - off % 8) % 8).min(len);
        let body = (len - head) / 8;
        let tail = len - head - body * 8;
        let bits = if on { u32::MAX } else { 0 };
        self.set_init_bits(off as i64, head as u8, bits);
        // SAFETY: whole bytes of the bitmap, inside.
        unsafe { self.init.add((off + head) as usize / 8).write_bytes(bits as u8, body as usize) }
        self.set_init_bits((off + head + body * 8) as i64, tail as u8, bits);
    }

    /// The first byte of a range that is not initialised, from the range's start.
    pub(super) fn first_uninit(&self, off: u64, len: u64) -> Option<u64> {
        if self.init.is_null() {
            return None;
        }
        assert!(self.inside(off, len));
        let mut at = 0;
        if off.is_multiple_of(8) {
            // SAFETY: the bits of the range, whole bytes of them.
            let bytes =
                unsafe { std::slice::from_raw_parts(self.init.add(off as usize / 8), len as usize / 8) };
            let (blocks, _) = bytes.as_chunks::<64>();
            let full = blocks.iter().position(|b| b.iter().fold(0xff, |a, x| a & x) != 0xff);
            at = full.unwrap_or(blocks.len()) as u64 * 512;
        }
        while at < len {
            let n = (len - at).min(57);
            // SAFETY: inside the bitmap and its slack.
            let word = unsafe {
                let o = (off + at) as usize;
                self.init.add(o >> 3).cast::<u64>().read_unaligned() >> (o & 7)
            };
            let missing = !word & ((1u64 << n) - 1);
            if missing != 0 {
                return Some(at + u64::from(missing.trailing_zeros()));
            }
            at += n;
        }
        None
    }

    /// How many bytes of a range are not initialised.
    pub(super) fn count_uninit(&self, off: u64, len: u64) -> u64 {
        if self.init.is_null() {
            return 0;
        }
        (0..len).filter(|i| self.init_bits((off + i) as i64, 1) == 0).count() as u64
    }

    /// Whether all bytes of a range are zero, initialised or not.
    fn is_zero(&self, off: u64, len: u64) -> bool {
        assert!(self.inside(off, len));
        // SAFETY: inside the stretch; nothing writes these bytes while the slice lives.
        let bytes = unsafe { std::slice::from_raw_parts(self.data.add(off as usize), len as usize) };
        let (blocks, rest) = bytes.as_chunks::<64>();
        blocks.iter().all(|block| block.iter().fold(0, |a, &b| a | b) == 0) && rest.iter().all(|&b| b == 0)
    }

    /// The position of the first `byte` in `max` bytes at `off`.
    pub(super) fn find(&self, off: u64, byte: u8, max: u64) -> Option<u64> {
        assert!(self.inside(off, max));
        // SAFETY: inside the stretch; nothing writes guest memory while the slice lives.
        let bytes = unsafe { std::slice::from_raw_parts(self.data.add(off as usize), max as usize) };
        bytes.iter().position(|&b| b == byte).map(|p| p as u64)
    }
}

/// The little-endian integer of `width` bytes at `p`.
///
/// # Safety
/// `width` bytes at `p` must be readable, at most eight.
#[inline(always)]
pub(super) unsafe fn load_le(p: *const u8, width: u8) -> u64 {
    // SAFETY: the caller's promise.
    unsafe {
        match width {
            4 => u64::from(p.cast::<u32>().read_unaligned()),
            8 => p.cast::<u64>().read_unaligned(),
            1 => u64::from(p.read()),
            2 => u64::from(p.cast::<u16>().read_unaligned()),
            n => (0..usize::from(n.min(8))).fold(0, |a, i| a | u64::from(p.add(i).read()) << (8 * i)),
        }
    }
}

/// Writes the low `width` bytes of `bits` at `p`.
///
/// # Safety
/// `width` bytes at `p` must be writable, at most eight.
#[inline(always)]
pub(super) unsafe fn store_le(p: *mut u8, width: u8, bits: u64) {
    // SAFETY: the caller's promise.
    unsafe {
        match width {
            4 => p.cast::<u32>().write_unaligned(bits as u32),
            8 => p.cast::<u64>().write_unaligned(bits),
            1 => p.write(bits as u8),
            2 => p.cast::<u16>().write_unaligned(bits as u16),
            n => (0..usize::from(n.min(8))).for_each(|i| p.add(i).write((bits >> (8 * i)) as u8)),
        }
    }
}

/// The bits of initialisation from byte `off` on, at least 25 of them.
///
/// # Safety
/// `off` must lie in the stretch of the bitmap.
#[inline(always)]
pub(super) unsafe fn init_word(init: *const u8, off: usize) -> u32 {
    // SAFETY: the slack behind the bitmap allows for four bytes.
    unsafe { init.add(off >> 3).cast::<u32>().read_unaligned() >> (off & 7) }
}

/// Marks up to 16 bytes from `off` on.
///
/// # Safety
/// `off..off + width` must lie in the stretch of the bitmap.
#[inline(always)]
pub(super) unsafe fn set_bits(init: *mut u8, off: usize, width: u8) {
    // SAFETY: the slack behind the bitmap allows for four bytes.
    unsafe {
        let p = init.add(off >> 3).cast::<u32>();
        p.write_unaligned(p.read_unaligned() | ((1u32 << width) - 1) << (off & 7));
    }
}

#[cfg(test)]
mod tests;
