//! Local variables of device threads that live in memory, and the layout of frames on both sides.
//!
//! One buffer per strip, interleaved over the lanes by granules of four bytes: granule `g` of lane `l` is
//! word `g * lanes + l`, so that lanes that use one offset touch neighbouring words. Beside it lies a byte per
//! granule and lane whose low four bits say which bytes are initialised.
//!
//! Each lane has a stack of its own: a frame starts at the highest top among the lanes that enter it. Lanes of
//! a frame leave it one convergence group at a time; it ends with the last. A variable gets a serial, and so
//! addresses, only when its address is taken; the lane is part of the address, so that a thread that uses another's
//! is seen.

use super::Lengths;
use super::lanes::{Access, SlotOffsets};
use super::late::LateLoads;
use super::table::Serials;
use cudair_ir::{LifetimeOp, Space};
use cudair_lane::fault::{AllocKind, ObjectInfo, Place, Stop};
use cudair_lane::ptr::Ptr;
use cudair_lane::{Mask, StripShape, Values};
use std::collections::VecDeque;
use std::sync::Arc;

/// Bytes of local memory that a strip may use, per lane.
const LANE_LIMIT: u64 = 512 << 10;
/// Variables whose life has ended that reports can still name.
const REMEMBERED: usize = 256;

/// A variable of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotLayout {
    /// Bytes.
    pub size: u32,
    /// Alignment as a power of two.
    pub align_log2: u8,
    /// The source name; empty for temporaries.
    pub name: Arc<str>,
    /// Where it is declared.
    pub place: Place,
    /// For a piece of a variable that was taken apart: the piece's offset in it, and its size.
    pub part: Option<(u32, u32)>,
    /// Whether lifetime markers say when it lives; otherwise it lives as long as the frame.
    pub markers: bool,
    /// Where its life ends, if that is known.
    pub end: Place,
}

/// The variables in memory of a function.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct FrameLayout {
    slots: Vec<SlotLayout>,
    offsets: Vec<u32>,
    size: u32,
    host_offsets: Vec<u32>,
    host_size: u32,
    kind: Option<AllocKind>,
}

impl FrameLayout {
    /// Lays variables out.
    pub fn new(slots: Vec<SlotLayout>) -> FrameLayout {
        let place = |granule: u32| {
            let mut at = 0u32;
            let mut offsets = Vec::with_capacity(slots.len());
            for slot in &slots {
                let align = (1u32 << slot.align_log2.min(12)).max(granule);
                at = at.saturating_add(align - 1) & !(align - 1);
                offsets.push(at);
                at = at.saturating_add(slot.size.max(1)).saturating_add(granule - 1) & !(granule - 1);
            }
            (offsets, at)
        };
        let (offsets, size) = place(4);
        let (host_offsets, host_size) = place(8);
        FrameLayout { slots, offsets, size, host_offsets, host_size, kind: None }
    }

    /// The variables.
    #[inline]
    pub fn slots(&self) -> &[SlotLayout] {
        &self.slots
    }

    /// Where each starts in a device thread's frame, in bytes.
    #[inline]
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// Bytes of a device thread's frame.
    #[inline]
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Where each starts in a frame of the host, in bytes.
    #[inline]
    pub fn host_offsets(&self) -> &[u32] {
        &self.host_offsets
    }

    pub(super) fn host_size(&self) -> u32 {
        self.host_size
    }
}

/// A frame of some lanes of a strip: kept in the call stack of their convergence group. Convergence groups that
/// split inside the frame share it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FrameId(pub u32);

#[derive(Debug)]
struct Frame {
    layout: Arc<FrameLayout>,
    /// The first granule.
    base: u32,
    /// The lanes that are in it.
    live: Mask,
    /// Per slot, for the slots with markers: the lanes in whose scope it is.
    scopes: Vec<Mask>,
    /// Per slot, once an address was taken: the serial.
    serials: Vec<u32>,
    /// Frames of `alloca`, which end with this one, and the number of a variable length array.
    children: Vec<(FrameId, Option<u32>)>,
}

/// Why a slot cannot be accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SlotError {
    Ended,
    Bounds,
    Misaligned,
}

/// What reports say of a variable.
fn slot_info(layout: &FrameLayout, s: &SlotLayout) -> ObjectInfo {
    let (part, size) = s.part.unwrap_or((0, s.size));
    ObjectInfo {
        kind: layout.kind.unwrap_or(AllocKind::Local),
        space: Space::Local,
        name: (!s.name.is_empty()).then(|| Arc::clone(&s.name)),
        size: u64::from(size),
        part: u64::from(part),
        number: 0,
        made: s.place,
        ended: s.end,
    }
}

/// The local variables of a strip.
#[derive(Debug)]
pub struct LocalFrames {
    lanes: usize,
    first_thread: u32,
    data: Vec<u32>,
    init: Vec<u8>,
    tops: Vec<u32>,
    /// Loads whose values have not been used yet.
    pub late: LateLoads,
    frames: Vec<Frame>,
    free: Vec<u32>,
    serials: Serials<19>,
    /// Serial to frame and slot, by the number that `serials` gives.
    named: Vec<(u32, u32)>,
    named_free: Vec<u32>,
    /// The variables that died last, for reports: serial, layout, slot.
    dead: VecDeque<(u32, Arc<FrameLayout>, u32)>,
    /// How often there was too much to hash.
    digests: u64,
}

impl LocalFrames {
    /// Frames for a strip.
    pub fn new(shape: &StripShape) -> LocalFrames {
        let lanes = shape.lanes as usize;
        LocalFrames {
            lanes,
            first_thread: shape.first_thread,
            data: Vec::new(),
            init: Vec::new(),
            tops: vec![0; lanes],
            late: LateLoads::default(),
            frames: Vec::new(),
            free: Vec::new(),
            serials: Serials::default(),
            named: Vec::new(),
            named_free: Vec::new(),
            dead: VecDeque::new(),
            digests: 0,
        }
    }

    /// Forgets all frames: the strip starts anew in another block. Old addresses stay dead.
    pub fn reset(&mut self, shape: &StripShape) {
        for n in 0..self.frames.len() {
            if !self.frames[n].live.is_empty() {
                self.end_frame(n);
            }
        }
        self.late.clear();
        if self.lanes != shape.lanes as usize {
            self.lanes = shape.lanes as usize;
            self.data.clear();
            self.init.clear();
            self.tops.resize(self.lanes, 0);
        }
        self.first_thread = shape.first_thread;
        self.tops.fill(0);
    }

    /// The lanes of `mask` enter a function.
    pub fn enter(&mut self, layout: &Arc<FrameLayout>, mask: &Mask) -> Result<FrameId, Stop> {
        let base = mask.iter().map(|l| self.tops.get(l).copied().unwrap_or(0)).max().unwrap_or(0);
        let granules = layout.size / 4;
        let end = u64::from(base) + u64::from(granules);
        if end * 4 > LANE_LIMIT {
            return Err(Stop::limit(format!(
                "a device thread's local variables need more than {LANE_LIMIT} bytes of stack"
            )));
        }
        let words = end as usize * self.lanes;
        if self.data.len() < words {
            self.data.resize(words, 0);
            self.init.resize(words, 0);
        }
        self.clear_init(base, granules, mask);
        mask.iter().for_each(|l| {
            if let Some(top) = self.tops.get_mut(l) {
                *top = end as u32;
            }
        });
        let scopes = if layout.slots.iter().any(|s| s.markers) {
            layout
                .slots
                .iter()
                .map(|s| if s.markers { Mask::NONE } else { Mask::first(self.lanes) })
                .collect()
        } else {
            Vec::new()
        };
        let frame = Frame {
            layout: Arc::clone(layout),
            base,
            live: *mask,
            scopes,
            serials: Vec::new(),
            children: Vec::new(),
        };
        let id = match self.free.pop() {
            Some(n) => {
                self.frames[n as usize] = frame;
                n
            }
            None => {
                self.frames.push(frame);
                self.frames.len() as u32 - 1
            }
        };
        Ok(FrameId(id))
    }

    fn clear_init(&mut self, first: u32, granules: u32, mask: &Mask) {
        let rows = first as usize..(first + granules) as usize;
        if mask.count() as usize == self.lanes {
            self.init[rows.start * self.lanes..rows.end * self.lanes].fill(0);
            return;
        }
        for g in rows {
            let row = &mut self.init[g * self.lanes..][..self.lanes];
            for l in mask.iter() {
                if let Some(bits) = row.get_mut(l) {
                    *bits = 0;
                }
            }
        }
    }

    /// The lanes of `mask` leave it. The frame ends with its last lane.
    pub fn leave(&mut self, frame: FrameId, mask: &Mask) {
        let Some(f) = self.frames.get_mut(frame.0 as usize) else { return };
        let leaving = f.live.and(mask);
        if leaving.is_empty() {
            return;
        }
        let base = f.base;
        f.live = f.live.without(mask);
        let ends = f.live.is_empty();
        let children = f.children.clone();
        for (child, _) in children {
            self.leave(child, mask);
        }
        for l in leaving.iter() {
            if let Some(top) = self.tops.get_mut(l) {
                *top = base;
            }
        }
        if ends {
            self.end_frame(frame.0 as usize);
        }
    }

    fn end_frame(&mut self, n: usize) {
        let frame = &mut self.frames[n];
        frame.live = Mask::NONE;
        let serials = std::mem::take(&mut frame.serials);
        frame.children.clear();
        for s in serials {
            self.end_serial(s);
        }
        self.free.push(n as u32);
    }

    fn end_serial(&mut self, serial: u32) {
        if serial != 0 {
            if let Some(name) = self.serials.get(serial) {
                self.named_free.push(name);
                let (frame, slot) = self.named[name as usize];
                if let Some(frame) = self.frames.get(frame as usize) {
                    if self.dead.len() == REMEMBERED {
                        self.dead.pop_front();
                    }
                    self.dead.push_back((serial, Arc::clone(&frame.layout), slot));
                }
            }
            self.serials.end(serial);
        }
    }

    /// Hashes everything that the strip's variables hold. Where that is too much, what is hashed is never the same
    /// again, as if it had changed.
    #[inline]
    pub fn digest(&mut self, hasher: &mut impl std::hash::Hasher) {
        const MOST: usize = 1 << 20;
        let words = self.tops.iter().max().map_or(0, |&top| top as usize * self.lanes);
        if words > MOST {
            self.digests += 1;
            hasher.write_u64(self.digests);
            return;
        }
        self.data.iter().take(words).for_each(|&w| hasher.write_u32(w));
        self.init.chunks(8).take(words.div_ceil(8)).for_each(|c| hasher.write(c));
    }

    /// The bytes of a lane's variable, nothing for those never written; nothing at all where the lane is not in
    /// its scope.
    #[inline]
    pub fn peek(&self, frame: FrameId, slot: u32, lane: usize) -> Option<Vec<Option<u8>>> {
        let f = self.frames.get(frame.0 as usize)?;
        let n = slot as usize;
        let layout = f.layout.slots.get(n)?;
        if f.scopes.get(n).is_some_and(|s| !s.contains(lane)) {
            return None;
        }
        let byte = |i: usize| {
            let at = ((f.base + f.layout.offsets[n] / 4) as usize + i / 4) * self.lanes + lane;
            let known = self.init.get(at)? >> (i % 4) & 1 != 0;
            known.then(|| (self.data[at] >> (8 * (i % 4))) as u8)
        };
        Some((0..layout.size as usize).map(byte).collect())
    }

    /// What is known of the variable that an address names, and its bytes; nothing where it is no longer alive, or of a
    /// thread that is not among these lanes.
    pub fn peek_at(&self, ptr: Ptr) -> Option<(ObjectInfo, Vec<Option<u8>>)> {
        let (frame, slot) = self.by_serial(ptr.local_serial())?;
        let lane = ptr.local_thread().wrapping_sub(self.first_thread) & 1023;
        let lane = usize::try_from(lane).ok().filter(|&lane| lane < self.lanes)?;
        Some((self.info(frame, slot)?, self.peek(frame, slot, lane)?))
    }

    /// The scope of a variable begins or ends for the lanes of `mask`.
    pub fn lifetime(&mut self, frame: FrameId, slot: u32, op: LifetimeOp, mask: &Mask) {
        let Some(f) = self.frames.get_mut(frame.0 as usize) else { return };
        let (base, slots) = (f.base, &f.layout.slots);
        let Some(layout) = slots.get(slot as usize) else { return };
        let (first, granules) = (f.layout.offsets[slot as usize] / 4, layout.size.div_ceil(4));
        if let Some(scope) = f.scopes.get_mut(slot as usize) {
            *scope = if op == LifetimeOp::Live { scope.or(mask) } else { scope.without(mask) };
            // An address from an earlier turn of the scope names nobody any more once no lane is in it.
            if scope.is_empty()
                && let Some(serial) = f.serials.get_mut(slot as usize)
            {
                let old = std::mem::take(serial);
                self.end_serial(old);
            }
        }
        if op == LifetimeOp::Live {
            self.clear_init(base + first, granules, mask);
        }
    }

    /// The addresses of a variable: two words per lane of `mask`.
    #[inline]
    pub fn addr(&mut self, frame: FrameId, slot: u32, mask: &Mask, out: &mut [u32]) {
        let serial = self.serial(frame, slot);
        for l in mask.iter() {
            let ptr = match serial {
                Some(serial) => Ptr::device_local((self.first_thread + l as u32) & 1023, serial),
                None => Ptr::NULL,
            };
            out[2 * l] = ptr.0 as u32;
            out[2 * l + 1] = (ptr.0 >> 32) as u32;
        }
    }

    fn serial(&mut self, frame: FrameId, slot: u32) -> Option<u32> {
        let f = self.frames.get_mut(frame.0 as usize)?;
        if slot as usize >= f.layout.slots.len() {
            return None;
        }
        if f.serials.is_empty() {
            f.serials = vec![0; f.layout.slots.len()];
        }
        if f.serials[slot as usize] == 0 {
            let name = match self.named_free.pop() {
                Some(n) => {
                    self.named[n as usize] = (frame.0, slot);
                    n
                }
                None => {
                    self.named.push((frame.0, slot));
                    self.named.len() as u32 - 1
                }
            };
            f.serials[slot as usize] = self.serials.give(name)?;
        }
        Some(f.serials[slot as usize])
    }

    /// The lanes of `mask` declare a variable length array anew: what they had of it before ends.
    fn rescope(&mut self, frame: FrameId, mask: &Mask, scoped: u32) {
        let Some(f) = self.frames.get(frame.0 as usize) else { return };
        let Some(n) = f.children.iter().position(|c| c.1 == Some(scoped)) else { return };
        // Arrays after it were declared in its scope, which has ended as a whole.
        let old: Vec<FrameId> = f.children[n..].iter().filter(|c| c.1.is_some()).map(|c| c.0).collect();
        for child in old.into_iter().rev() {
            let Some(c) = self.frames.get_mut(child.0 as usize) else { continue };
            let (base, end) = (c.base, c.base + c.layout.size / 4);
            let leaving = c.live.and(mask);
            c.live = c.live.without(mask);
            let ends = c.live.is_empty();
            for l in leaving.iter() {
                // Below what was made since, the memory is given back with the frame.
                if let Some(top) = self.tops.get_mut(l).filter(|t| **t == end) {
                    *top = base;
                }
            }
            if ends {
                self.end_frame(child.0 as usize);
                if let Some(f) = self.frames.get_mut(frame.0 as usize) {
                    f.children.retain(|c| c.0 != child);
                }
            }
        }
    }

    /// Memory that lives as long as the frame, or until a variable length array is declared anew: `sizes` has two
    /// words per lane; so has `out`.
    pub fn alloca(
        &mut self,
        frame: FrameId,
        mask: &Mask,
        sizes: Lengths,
        (align_log2, scoped): (u8, Option<u32>),
        place: Place,
        out: &mut [u32],
    ) -> Result<(), Stop> {
        if let Some(scoped) = scoped {
            self.rescope(frame, mask, scoped);
        }
        let mut rest = *mask;
        while let Some(first) = rest.lowest() {
            let size = sizes.lane(first);
            let same: Mask = rest.iter().filter(|&l| sizes.lane(l) == size).collect();
            rest = rest.without(&same);
            if size > LANE_LIMIT {
                return Err(Stop::limit(format!("`alloca` of {size} bytes in device code")));
            }
            let slot = SlotLayout {
                size: size as u32,
                align_log2,
                name: Arc::from(""),
                place,
                part: None,
                markers: false,
                end: Place::Unknown,
            };
            let mut layout = FrameLayout::new(vec![slot]);
            layout.kind = Some(AllocKind::Alloca);
            let child = self.enter(&Arc::new(layout), &same)?;
            if let Some(f) = self.frames.get_mut(frame.0 as usize) {
                f.children.push((child, scoped));
            }
            self.addr(child, 0, &same, out);
        }
        Ok(())
    }

    /// The variable that an address names: frame and slot.
    pub(super) fn by_serial(&self, serial: u32) -> Option<(FrameId, u32)> {
        let (frame, slot) = self.named[self.serials.get(serial)? as usize];
        Some((FrameId(frame), slot))
    }

    /// What reports say of a variable.
    pub(super) fn info(&self, frame: FrameId, slot: u32) -> Option<ObjectInfo> {
        let f = self.frames.get(frame.0 as usize)?;
        let s = f.layout.slots.get(slot as usize)?;
        Some(slot_info(&f.layout, s))
    }

    /// What reports say of a variable whose life has ended, while it is remembered.
    pub(super) fn dead_info(&self, serial: u32) -> Option<ObjectInfo> {
        let (_, layout, slot) = self.dead.iter().rev().find(|d| d.0 == serial)?;
        Some(slot_info(layout, layout.slots.get(*slot as usize)?))
    }

    /// Whether a variable is alive for the lanes of `mask`.
    fn alive(&self, frame: FrameId, slot: u32, mask: &Mask) -> bool {
        let Some(f) = self.frames.get(frame.0 as usize) else { return false };
        mask.is_subset(&f.live) && f.scopes.get(slot as usize).is_none_or(|s| mask.is_subset(s))
    }

    /// Whether a lane may touch `len` bytes at `off` of a variable: the byte offset in its stack.
    pub(super) fn check(
        &self,
        frame: FrameId,
        slot: u32,
        lane: usize,
        off: i64,
        len: u64,
        align: u64,
    ) -> Result<usize, SlotError> {
        if !self.alive(frame, slot, &Mask::single(lane)) {
            return Err(SlotError::Ended);
        }
        let f = &self.frames[frame.0 as usize];
        if off as u64 & (align - 1) != 0 {
            return Err(SlotError::Misaligned);
        }
        let size = f.layout.slots.get(slot as usize).map_or(0, |s| u64::from(s.size));
        if off as u64 > size || len > size - off as u64 {
            return Err(SlotError::Bounds);
        }
        Ok(f.base as usize * 4 + f.layout.offsets[slot as usize] as usize + off as usize)
    }

    /// Copies bytes of a lane out, from a place that [`LocalFrames::check`] gave.
    pub(super) fn read(&self, lane: usize, at: usize, out: &mut [u8]) {
        for (i, b) in out.iter_mut().enumerate() {
            let at = at + i;
            *b = (self.data[at / 4 * self.lanes + lane] >> (at % 4 * 8)) as u8;
        }
    }

    /// Copies bytes of a lane in. `init` says which become initialised; absent, all.
    pub(super) fn write(&mut self, lane: usize, at: usize, bytes: &[u8], init: Option<&[bool]>) {
        for (i, &b) in bytes.iter().enumerate() {
            let at = at + i;
            let (word, byte) = (at / 4 * self.lanes + lane, at % 4);
            self.data[word] = self.data[word] & !(0xff << (byte * 8)) | u32::from(b) << (byte * 8);
            if init.is_none_or(|bits| bits[i]) {
                self.init[word] |= 1 << byte;
            } else {
                self.init[word] &= !(1 << byte);
            }
        }
    }

    /// Which bytes of a lane are initialised.
    pub(super) fn init_bits(&self, lane: usize, at: usize, width: u8) -> u32 {
        (0..usize::from(width)).fold(0, |bits, i| {
            let at = at + i;
            bits | u32::from(self.init[at / 4 * self.lanes + lane] >> (at % 4) & 1) << i
        })
    }

    /// The fast path of a load: false where a lane may not, with nothing decided about why. `missing`
    /// collects the lanes that read what was never written.
    pub(super) fn load(
        &self,
        mask: &Mask,
        frame: FrameId,
        slot: u32,
        offs: SlotOffsets,
        acc: Access,
        out: &mut [u32],
        missing: &mut Mask,
    ) -> bool {
        if !self.alive(frame, slot, mask) {
            return false;
        }
        let f = &self.frames[frame.0 as usize];
        let Some(layout) = f.layout.slots.get(slot as usize) else { return false };
        let start = f.base as usize * 4 + f.layout.offsets[slot as usize] as usize;
        let width = u64::from(acc.width);
        let Some(last) = u64::from(layout.size).checked_sub(width) else { return false };
        let low = (1u64 << acc.align_log2) - 1;
        let full = mask.count() as usize == self.lanes;
        match offs {
            SlotOffsets::Uniform(off) => {
                if off as u64 > last || off as u64 & low != 0 {
                    return false;
                }
                let at = start + off as usize;
                if full && at.is_multiple_of(4) && matches!(acc.width, 4 | 8) {
                    let rows = usize::from(acc.width) / 4;
                    for r in 0..rows {
                        let row = (at / 4 + r) * self.lanes;
                        let words = &self.data[row..][..self.lanes];
                        if rows == 1 {
                            out[..self.lanes].copy_from_slice(words);
                        } else {
                            out[r..].iter_mut().step_by(2).zip(words).for_each(|(o, w)| *o = *w);
                        }
                        let bits = &self.init[row..][..self.lanes];
                        if bits.iter().fold(0xf, |a, &b| a & b) & 0xf != 0xf {
                            (0..self.lanes).filter(|&l| bits[l] & 0xf != 0xf).for_each(|l| missing.insert(l));
                        }
                    }
                    return true;
                }
                for l in mask.iter() {
                    self.load_lane(l, at, acc.width, out, missing);
                }
                true
            }
            _ => {
                let mut fine = true;
                mask.for_each(|l| {
                    let off = offs.lane(l);
                    if off as u64 > last || off as u64 & low != 0 {
                        fine = false;
                    } else {
                        self.load_lane(l, start + off as usize, acc.width, out, missing);
                    }
                });
                fine
            }
        }
    }

    #[inline(always)]
    fn load_lane(&self, l: usize, at: usize, width: u8, out: &mut [u32], missing: &mut Mask) {
        let (word, byte) = (at / 4 * self.lanes + l, at % 4);
        if byte + usize::from(width) <= 4 {
            let all = (1u32 << width) - 1;
            let value = self.data[word] >> (8 * byte);
            out[l] = if width == 4 { value } else { value & ((1 << (8 * width)) - 1) };
            if u32::from(self.init[word] >> byte) & all != all {
                missing.insert(l);
            }
            return;
        }
        let mut bytes = [0; 16];
        self.read(l, at, &mut bytes[..usize::from(width)]);
        put_wide(out, l, width, u128::from_le_bytes(bytes));
        if self.init_bits(l, at, width) != (1 << width) - 1 {
            missing.insert(l);
        }
    }

    /// The fast path of a store: false where a lane may not.
    pub(super) fn store(
        &mut self,
        mask: &Mask,
        frame: FrameId,
        slot: u32,
        offs: SlotOffsets,
        acc: Access,
        values: Values,
        init: Option<&[u32]>,
    ) -> bool {
        if !self.alive(frame, slot, mask) {
            return false;
        }
        let f = &self.frames[frame.0 as usize];
        let Some(layout) = f.layout.slots.get(slot as usize) else { return false };
        let start = f.base as usize * 4 + f.layout.offsets[slot as usize] as usize;
        let Some(last) = u64::from(layout.size).checked_sub(u64::from(acc.width)) else { return false };
        let low = (1u64 << acc.align_log2) - 1;
        if let SlotOffsets::Uniform(off) = offs {
            if off as u64 > last || off as u64 & low != 0 {
                return false;
            }
            let at = start + off as usize;
            let full = mask.count() as usize == self.lanes;
            if full && at.is_multiple_of(4) && acc.width == 4 && init.is_none() {
                let row = at / 4 * self.lanes..(at / 4 + 1) * self.lanes;
                match values {
                    Values::Uniform(bits) => self.data[row.clone()].fill(bits as u32),
                    Values::Lanes(words) => self.data[row.clone()].copy_from_slice(&words[..self.lanes]),
                }
                self.init[row].fill(0xf);
                return true;
            }
        }
        if acc.width == 4 && acc.align_log2 >= 2 && init.is_none() {
            let (lanes, data, bits) = (self.lanes, &mut self.data[..], &mut self.init[..]);
            let mut fine = true;
            mask.for_each(|l| {
                let off = offs.lane(l);
                if off as u64 > last || off as u64 & low != 0 {
                    fine = false;
                    return;
                }
                let word = (start + off as usize) / 4 * lanes + l;
                if let (Some(word), Some(bits)) = (data.get_mut(word), bits.get_mut(word)) {
                    *word = values.lane(l, 4) as u32;
                    *bits = 0xf;
                }
            });
            return fine;
        }
        for l in mask.iter() {
            let off = offs.lane(l);
            if off as u64 > last || off as u64 & low != 0 {
                return false;
            }
            let at = start + off as usize;
            let bytes = values.lane(l, acc.width).to_le_bytes();
            let bytes = &bytes[..usize::from(acc.width)];
            match init {
                None => self.write(l, at, bytes, None),
                Some(bits) => {
                    let flags: [bool; 16] = std::array::from_fn(|i| bits[l] >> i & 1 != 0);
                    self.write(l, at, bytes, Some(&flags));
                }
            }
        }
        true
    }
}

/// Puts a lane's value into words of results.
#[inline]
pub(super) fn put_wide(out: &mut [u32], lane: usize, width: u8, bits: u128) {
    match width {
        0..=4 => out[lane] = bits as u32,
        5..=8 => {
            out[2 * lane] = bits as u32;
            out[2 * lane + 1] = (bits >> 32) as u32;
        }
        _ => (0..4).for_each(|i| out[4 * lane + i] = (bits >> (32 * i)) as u32),
    }
}
