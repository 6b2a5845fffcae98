//! Lane accesses: the fast paths, and the slow path that takes what they refuse.

#![allow(clippy::unused_self, reason = "all of this is asked of the memory, whoever answers")]

mod host;
mod objects;
mod slots;

pub(super) use objects::{Fast, Objects, Scratch, watched};

use super::check::{AccessRequest, Where};
use super::lanes::{Access, Addrs, ByteAccess, LaneCx, Reach, SlotOffsets};
use super::late::{LateAddress, LateLoad};
use super::local::{FrameId, put_wide};
use super::raw::{Obj, Right};
use super::undo::UndoLog;
use super::{LocalFrames, Memory};
use cudair_lane::fault::{AccessOp, FaultKind, LaneFaults, Place, SiteRef, Stop};
use cudair_lane::pattern::{AddressPattern, Offsets};
use cudair_lane::ptr::{Ptr, Tag};
use cudair_lane::{CHUNK, How, MAX_LANES, Mask, MemSide, Values};
use cudair_race::RaceAccess;
use cudair_race::grid::GridRaces;

impl Access {
    fn who(&self, lane: usize) -> ByteAccess {
        ByteAccess { lane, place: Place::Site(self.site), native: None }
    }

    fn ask(&self, ptr: Ptr, op: AccessOp) -> AccessRequest {
        AccessRequest { ptr, len: u64::from(self.width), align: 1 << self.align_log2, op, reach: Reach::Own }
    }

    fn all(&self) -> u32 {
        (1 << self.width) - 1
    }

    pub(super) fn how(&self, op: AccessOp) -> How {
        How { place: Place::Site(self.site), op, atomic: None, volatile: self.volatile }
    }
}

/// Gives the active lanes a word.
fn fill(mask: &Mask, value: u32, words: &mut [u32]) {
    for (&word, words) in mask.0.iter().zip(words.chunks_mut(CHUNK)) {
        if word == u16::MAX {
            words.fill(value);
        } else if word != 0 {
            for (i, w) in words.iter_mut().enumerate() {
                *w = if word >> i & 1 != 0 { value } else { *w };
            }
        }
    }
}

/// Whether the words of the active lanes have all these bits.
fn all_set(mask: &Mask, bits: u32, words: &[u32]) -> bool {
    mask.0.iter().zip(words.chunks(CHUNK)).all(|(&word, words)| match word {
        0 => true,
        u16::MAX => words.iter().fold(bits, |a, &w| a & w) == bits,
        _ => words.iter().enumerate().all(|(i, &w)| word >> i & 1 == 0 || w & bits == bits),
    })
}

/// What cannot be: a check has allowed a place, and its object is not there.
const GONE: &str = "an access was allowed to an object that is not there";

/// The local memory in which a check has found a place.
fn locals<'a>(cx: &'a LaneCx) -> &'a LocalFrames {
    cx.locals.as_deref().unwrap_or_else(|| unreachable!("{GONE}"))
}

impl Memory {
    /// The room for addresses, to be given back.
    #[inline(always)]
    pub(super) fn scratch(&mut self) -> Box<Scratch> {
        self.scratch.take().unwrap_or_default()
    }

    /// Loads a value per active lane into `out` (see [`super::lanes`] for its shape).
    #[inline]
    pub fn load_lanes(
        &mut self,
        cx: &mut LaneCx,
        addrs: &Addrs,
        acc: Access,
        out: &mut [u32],
    ) -> Result<(), Stop> {
        self.load_with(cx, addrs, acc, out, None)
    }

    /// A load whose [`Access::copy`] is set, with what [`Memory::init_lanes`] says of it.
    #[inline]
    pub fn load_copied(
        &mut self,
        cx: &mut LaneCx,
        addrs: &Addrs,
        acc: Access,
        out: &mut [u32],
        init: &mut [u32],
    ) -> Result<(), Stop> {
        self.load_with(cx, addrs, acc, out, Some(init))
    }

    #[inline]
    fn load_with(
        &mut self,
        cx: &mut LaneCx,
        addrs: &Addrs,
        acc: Access,
        out: &mut [u32],
        init: Option<&mut [u32]>,
    ) -> Result<(), Stop> {
        if cx.mask.is_empty() {
            return Ok(());
        }
        let mut scratch = self.scratch();
        let done = self.load_in(cx, addrs, acc, out, init, &mut scratch);
        self.scratch = Some(scratch);
        done
    }

    #[inline]
    fn load_in(
        &mut self,
        cx: &mut LaneCx,
        addrs: &Addrs,
        acc: Access,
        out: &mut [u32],
        init: Option<&mut [u32]>,
        scratch: &mut Scratch,
    ) -> Result<(), Stop> {
        let objects = Objects { table: &self.table, host: &self.host };
        if init.is_none() && objects.load_few(&self.grid, cx, addrs, acc, out) {
            return Ok(());
        }
        if let Some(Fast { obj, shared, global, at }) =
            objects.fast(&self.grid, cx, addrs, acc, false, scratch)
        {
            let missing = obj.load_at(cx.mask, &at, acc.width, out, init.is_some() || !acc.copy);
            let (spot, size) = (at.spot, obj.size());
            if let Some(init) = init {
                fill(cx.mask, acc.all(), init);
                for lane in missing.iter() {
                    init[lane] = obj.init_bits(spot.lane(lane, acc.width.into()).into(), acc.width);
                }
            } else if !missing.is_empty() {
                self.note_missing(cx, addrs, acc, AccessOp::Read, &missing);
            }
            if let Some(n) = global {
                race_global(
                    &mut self.grid,
                    cx,
                    (n, size),
                    acc.how(AccessOp::Read),
                    acc.width,
                    spot,
                    None,
                    None,
                );
            }
            if let Some(n) = shared {
                race(cx, n, acc.how(AccessOp::Read), acc.width, spot, None, None);
            }
            return Ok(());
        }
        let offs = &mut scratch.narrowed;
        let done = if let Some((frame, slot)) = self.own_locals(cx, addrs, offs) {
            let offs = SlotOffsets::Lanes32 { index: &*offs, scale: 1, disp: 0 };
            self.load_slot(cx, frame, slot, offs, acc, out)
        } else {
            self.load_slow(cx, addrs, acc, out)
        };
        // Where some lanes fault, the others have loaded.
        if let Some(init) = init {
            self.init_lanes(cx, addrs, acc, init);
        }
        done
    }

    /// Loads one value for all active lanes, each of which is a reader to the race detector.
    pub fn load_uniform(&mut self, cx: &mut LaneCx, ptr: Ptr, acc: Access) -> Result<u128, Stop> {
        let Some(first) = cx.mask.lowest() else { return Ok(0) };
        let objects = Objects { table: &self.table, host: &self.host };
        if acc.width <= 8
            && let Some((obj, shared)) = objects.object(cx, ptr)
            && ptr.offset() as u64 & ((1 << acc.align_log2) - 1) == 0
            && let Some(bits) = obj.load(Right::new(cx.side, false), ptr.offset(), acc.width)
        {
            let initialised = acc.copy || obj.init_bits(ptr.offset(), acc.width) == acc.all();
            if !initialised {
                let mask = *cx.mask;
                self.note_missing(cx, &Addrs::Uniform(ptr), acc, AccessOp::Read, &mask);
            }
            if let Some(n) = shared {
                let spot = AddressPattern::Uniform(ptr.offset() as u32);
                race(cx, n, acc.how(AccessOp::Read), acc.width, spot, None, None);
            } else if cx.side == MemSide::Device && ptr.tag() == Tag::Table {
                let (obj, _) = self.table.at(ptr.serial() as usize);
                if obj.limit(Right::DeviceWrite) != 0 && self.grid.is_watched(ptr.serial()) {
                    let (how, spot) = (acc.how(AccessOp::Read), AddressPattern::Uniform(ptr.offset() as u32));
                    race_global(
                        &mut self.grid,
                        cx,
                        (ptr.serial(), obj.size()),
                        how,
                        acc.width,
                        spot,
                        None,
                        None,
                    );
                }
            }
            return Ok(u128::from(bits));
        }
        let mut words = vec![0; MAX_LANES * 4];
        self.load_slow(cx, &Addrs::Uniform(ptr), acc, &mut words)?;
        Ok(Values::Lanes(&words).lane(first, acc.width))
    }

    /// Stores a value per active lane, in lane order. With `init`, only the bytes whose bit is set in the
    /// lane's word become initialised and the others uninitialised: a copy's store.
    pub fn store_lanes(
        &mut self,
        cx: &mut LaneCx,
        addrs: &Addrs,
        acc: Access,
        values: Values,
        init: Option<&[u32]>,
    ) -> Result<(), Stop> {
        if cx.mask.is_empty() {
            return Ok(());
        }
        // A copy of what is all initialised, the usual case, is a plain store.
        let init = init.filter(|bits| !all_set(cx.mask, acc.all(), bits));
        let mut scratch = self.scratch();
        let done = self.store_in(cx, addrs, acc, values, init, &mut scratch);
        self.scratch = Some(scratch);
        done
    }

    #[inline]
    fn store_in(
        &mut self,
        cx: &mut LaneCx,
        addrs: &Addrs,
        acc: Access,
        values: Values,
        init: Option<&[u32]>,
        scratch: &mut Scratch,
    ) -> Result<(), Stop> {
        let objects = Objects { table: &self.table, host: &self.host };
        if init.is_none()
            && let Some(Fast { obj, shared, global, at }) =
                objects.fast(&self.grid, cx, addrs, acc, true, scratch)
        {
            let (spot, size) = (at.spot, obj.size());
            if let Some(n) = global {
                keep(&mut self.undo, cx.mask, n, obj, spot, acc.width);
            }
            obj.store_at(cx.mask, &at, acc.width, values);
            if let Some(n) = global {
                let how = acc.how(AccessOp::Write);
                race_global(&mut self.grid, cx, (n, size), how, acc.width, spot, Some(values), None);
            }
            if let Some(n) = shared {
                race(cx, n, acc.how(AccessOp::Write), acc.width, spot, Some(values), None);
            }
            return Ok(());
        }
        let offs = &mut scratch.narrowed;
        if let Some((frame, slot)) = self.own_locals(cx, addrs, offs) {
            let offs = SlotOffsets::Lanes32 { index: &*offs, scale: 1, disp: 0 };
            return self.store_slot(cx, frame, slot, offs, acc, values, init);
        }
        self.store_slow(cx, addrs, acc, values, init)
    }

    /// Which bytes of an access are initialised, a bit per byte and a word per lane. No other check and
    /// no trace: it goes with a load whose [`Access::copy`] is set.
    #[inline]
    pub fn init_lanes(&mut self, cx: &mut LaneCx, addrs: &Addrs, acc: Access, out: &mut [u32]) {
        let mut cache: Option<(u32, bool)> = None;
        for lane in cx.mask.iter() {
            let ptr = addrs.lane(lane);
            // Objects without a bitmap answer once for all lanes.
            if cache == Some((ptr.id(), true)) {
                out[lane] = acc.all();
                continue;
            }
            let objects = Objects { table: &self.table, host: &self.host };
            let whole = objects.object(cx, ptr).is_some_and(|(obj, _)| !obj.has_bitmap());
            cache = Some((ptr.id(), whole));
            out[lane] = self.init_at(cx, lane, ptr, acc);
        }
    }

    fn init_at(&self, cx: &LaneCx, lane: usize, ptr: Ptr, acc: Access) -> u32 {
        let request = acc.ask(ptr, AccessOp::Read);
        match self.check_access(cx, lane, &request) {
            Ok(Where::Local(at)) => locals(cx).init_bits(lane, at, acc.width),
            Ok(at) => match self.obj_at(cx, at) {
                Some((obj, off)) => obj.init_bits(off as i64, acc.width),
                None => unreachable!("{GONE}"),
            },
            Err(_) => acc.all(),
        }
    }

    /// Whether all lanes name one and the same local variable, each its own: then the variable, and the
    /// lanes' offsets.
    fn own_locals(&self, cx: &LaneCx, addrs: &Addrs, offs: &mut Offsets) -> Option<(FrameId, u32)> {
        let first = cx.mask.lowest()?;
        let ptr = addrs.lane(first);
        if ptr.tag() != Tag::DeviceLocal {
            return None;
        }
        let found = cx.locals.as_deref()?.by_serial(ptr.local_serial())?;
        for lane in cx.mask.iter() {
            let p = addrs.lane(lane);
            let own = p.tag() == Tag::DeviceLocal
                && p.local_serial() == ptr.local_serial()
                && p.local_thread() == (cx.shape.first_thread + lane as u32) & 1023;
            if !own {
                return None;
            }
            offs[lane] = p.offset() as u32;
        }
        Some(found)
    }

    /// Loads lane by lane.
    #[cold]
    fn load_slow(
        &mut self,
        cx: &mut LaneCx,
        addrs: &Addrs,
        acc: Access,
        out: &mut [u32],
    ) -> Result<(), Stop> {
        let mut faults = LaneFaults::default();
        let mut missing = Mask::NONE;
        for lane in cx.mask.iter() {
            let ptr = addrs.lane(lane);
            match self.check_access(cx, lane, &acc.ask(ptr, AccessOp::Read)) {
                Err(kind) => {
                    let len = u64::from(acc.width);
                    faults.add(lane, &kind.clone(), || {
                        self.access_fault(cx, kind, acc.who(lane), ptr, AccessOp::Read, len)
                    });
                }
                Ok(at) => {
                    let (bits, init) = self.read_at(cx, lane, at, acc.width);
                    put_wide(out, lane, acc.width, bits);
                    if init != acc.all() && !acc.copy {
                        missing.insert(lane);
                    }
                    self.race_at(cx, lane, at, acc.how(AccessOp::Read), acc.width.into(), None, false);
                }
            }
        }
        if !missing.is_empty() {
            self.note_missing(cx, addrs, acc, AccessOp::Read, &missing);
        }
        faults.done()
    }

    /// Stores lane by lane.
    #[cold]
    fn store_slow(
        &mut self,
        cx: &mut LaneCx,
        addrs: &Addrs,
        acc: Access,
        values: Values,
        init: Option<&[u32]>,
    ) -> Result<(), Stop> {
        let mut faults = LaneFaults::default();
        for lane in cx.mask.iter() {
            let ptr = addrs.lane(lane);
            match self.check_access(cx, lane, &acc.ask(ptr, AccessOp::Write)) {
                Err(kind) => {
                    let len = u64::from(acc.width);
                    faults.add(lane, &kind.clone(), || {
                        self.access_fault(cx, kind, acc.who(lane), ptr, AccessOp::Write, len)
                    });
                }
                Ok(at) => {
                    let bits = values.lane(lane, acc.width);
                    let init = init.map_or(acc.all(), |words| words[lane] & acc.all());
                    if init != acc.all() {
                        self.carry(cx, acc.who(lane), ptr, None, acc.width.into());
                    }
                    self.keep_at(cx, at, acc.width.into());
                    self.write_at(cx, lane, at, acc.width, bits, init)?;
                    let how = acc.how(AccessOp::Write);
                    self.race_at(cx, lane, at, how, acc.width.into(), Some(Values::Uniform(bits)), false);
                }
            }
        }
        faults.done()
    }

    /// Before a lane of the device writes where it was allowed to.
    pub(super) fn keep_at(&mut self, cx: &LaneCx, at: Where, len: u64) {
        if let (Where::Table(n, off), MemSide::Device, 1..) = (at, cx.side, len) {
            let (obj, _) = self.table.at(n);
            let read = |off, len| obj.page_kept(off, len);
            self.undo.before_write_at((n as u32, obj.size()), off, len, read);
        }
    }

    /// Tells the race detectors of an access by one lane.
    pub(super) fn race_at(
        &mut self,
        cx: &mut LaneCx,
        lane: usize,
        at: Where,
        how: How,
        len: u64,
        values: Option<Values>,
        failed: bool,
    ) {
        match at {
            _ if len == 0 => {}
            Where::Shared(n, off) => race_lane(cx, lane, n, how, len as u32, off, values, failed),
            Where::Foreign(rank, n, off) => {
                self.race_foreign(cx, lane, (rank, n), how, len as u32, off, values, failed);
            }
            Where::Table(n, off) if cx.side == MemSide::Device => {
                let (obj, _) = self.table.at(n);
                let size = obj.size();
                if obj.limit(Right::DeviceWrite) != 0 && size < Ptr::HUGE_SIZE {
                    let (mask, first_thread) = (&Mask::single(lane), cx.shape.first_thread);
                    let (spot, width) = (AddressPattern::Uniform(off as u32), len as u32);
                    let failed = failed.then_some(mask);
                    let obj = n as u32;
                    let acc = RaceAccess { how, obj, width, mask, first_thread, spot, values, failed };
                    self.grid.access(cx.shape, size, &acc);
                }
            }
            Where::Table(n, off) => self.race_host(n, off, how, len),
            _ => {}
        }
    }

    /// Tells the race detector of an access to memory that the device may write by the host, or by an operation
    /// that is no kernel.
    fn race_host(&mut self, n: usize, off: u64, how: How, len: u64) {
        let (obj, _) = self.table.at(n);
        let of_both = obj.limit(Right::DeviceWrite) != 0 || self.table.is_watched(n);
        if !of_both || obj.size() >= Ptr::HUGE_SIZE {
            return;
        }
        let (start, end) = (off as u32, (off + len) as u32);
        if self.streams.is_running() {
            if let Some(touches) = &mut self.grid.touches {
                touches.bytes(n as u32, how, start, end);
            }
        } else if self.streams.is_busy() {
            self.streams.host_access(n as u32, how, start, end);
        }
    }

    /// The bytes of a place that was allowed, up to 16, and which of them are initialised.
    pub(super) fn read_at(&self, cx: &LaneCx, lane: usize, at: Where, width: u8) -> (u128, u32) {
        let mut bytes = [0; 16];
        let buf = &mut bytes[..usize::from(width)];
        let init = match at {
            Where::Local(byte) => {
                let l = locals(cx);
                l.read(lane, byte, buf);
                l.init_bits(lane, byte, width)
            }
            _ => match self.obj_at(cx, at) {
                Some((obj, off)) => {
                    obj.read(off, buf);
                    obj.init_bits(off as i64, width)
                }
                None => unreachable!("{GONE}"),
            },
        };
        (u128::from_le_bytes(bytes), init)
    }

    /// Writes up to 16 bytes at a place that was allowed, and which of them are initialised.
    pub(super) fn write_at(
        &mut self,
        cx: &mut LaneCx,
        lane: usize,
        at: Where,
        width: u8,
        bits: u128,
        init: u32,
    ) -> Result<(), Stop> {
        let bytes = bits.to_le_bytes();
        let bytes = &bytes[..usize::from(width)];
        let all = (1u32 << width) - 1;
        match at {
            Where::Local(byte) => {
                let flags: [bool; 16] = std::array::from_fn(|i| init >> i & 1 != 0);
                if let Some(l) = cx.locals.as_deref_mut() {
                    l.write(lane, byte, bytes, Some(&flags));
                }
            }
            _ => {
                if let (Where::Table(index, _), true) = (at, init != all) {
                    self.need_bitmap(index)?;
                }
                if let Some((obj, off)) = self.obj_at(cx, at) {
                    obj.write(off, bytes);
                    if init != all {
                        obj.set_init_bits(off as i64, width, init);
                    }
                }
            }
        }
        Ok(())
    }

    /// Before a byte of an object of the table becomes uninitialised.
    pub(super) fn need_bitmap(&mut self, index: usize) -> Result<(), Stop> {
        if self.table.add_bitmap(index) {
            Ok(())
        } else {
            Err(Stop::limit("no memory for the initialisation state of an object"))
        }
    }

    /// Notes a use of what was never written by the lanes given.
    #[cold]
    pub(super) fn note_missing(
        &mut self,
        cx: &mut LaneCx,
        addrs: &Addrs,
        acc: Access,
        op: AccessOp,
        missing: &Mask,
    ) {
        let Some(lane) = missing.lowest() else { return };
        if acc.late != 0 {
            for lane in missing.iter() {
                let ptr = addrs.lane(lane);
                let init = self.init_at(cx, lane, ptr, acc);
                self.note_late(cx, LateLoad { lane, at: LateAddress::Ptr(ptr), init, acc });
            }
            return;
        }
        let place = Place::Site(acc.site);
        if cx.findings.counted_uninitialised(place, cx.shape.launch, u64::from(missing.count())) {
            return;
        }
        let ptr = addrs.lane(lane);
        let init = self.init_at(cx, lane, ptr, acc);
        let kind = uninitialised(init, acc.all());
        let mut fault = self.access_fault(cx, kind, acc.who(lane), ptr, op, u64::from(acc.width));
        fault.count = u64::from(missing.count());
        cx.findings.note(fault);
    }

    /// Notes a load of bytes that were not all written and whose value is used later, if at all.
    pub(super) fn note_late(&mut self, cx: &mut LaneCx, load: LateLoad) {
        match cx.locals.as_deref_mut() {
            Some(locals) => locals.late.add(0, load),
            None => self.late.add(self.host.stack(), load),
        }
    }

    /// Before active lanes load at a site whose values are used later: see [`super::late`].
    #[inline]
    pub fn load_late(&mut self, cx: &mut LaneCx, site: SiteRef, depth: u16) {
        match cx.locals.as_deref_mut() {
            Some(locals) if locals.late.is_empty() => {}
            Some(locals) => locals.late.forget(site, depth, 0, cx.mask),
            None if self.late.is_empty() => {}
            None => self.late.forget(site, depth, self.host.stack(), cx.mask),
        }
    }

    /// Whether no load of the host waits for the use of its value.
    #[inline(always)]
    pub fn host_uses_nothing_late(&self) -> bool {
        self.late.is_empty()
    }

    /// Active lanes use what they loaded at a site at this depth of calls: tells of bytes that were not written.
    #[cold]
    pub fn use_late(&mut self, cx: &mut LaneCx, site: SiteRef, depth: u16) {
        let used = match cx.locals.as_deref_mut() {
            Some(locals) => locals.late.take(site, depth, 0, cx.mask),
            None => self.late.take(site, depth, self.host.stack(), cx.mask),
        };
        let Some((count, LateLoad { lane, at, init, acc })) = used else { return };
        if cx.findings.counted_uninitialised(Place::Site(site), cx.shape.launch, count) {
            return;
        }
        let kind = uninitialised(init, acc.all());
        let mut fault = match at {
            LateAddress::Ptr(ptr) => {
                self.access_fault(cx, kind, acc.who(lane), ptr, AccessOp::Read, u64::from(acc.width))
            }
            LateAddress::Slot(frame, slot, off) => {
                self.slot_fault(cx, kind, (frame, slot), acc, lane, off, AccessOp::Read)
            }
        };
        fault.count = count;
        cx.findings.note(fault);
    }
}

/// Before lanes of the device write an object of the table.
#[inline]
pub(super) fn keep(undo: &mut UndoLog, mask: &Mask, n: u32, obj: &Obj, spot: AddressPattern, width: u8) {
    let read = |off, len| obj.page_kept(off, len);
    undo.before_write(n, obj.size(), (mask, spot, width.into()), read);
}

/// Tells the race detector of an access to an object of the table by all active lanes.
#[inline]
pub(super) fn race_global(
    races: &mut GridRaces,
    cx: &LaneCx,
    (obj, size): (u32, u64),
    how: How,
    width: u8,
    spot: AddressPattern,
    values: Option<Values>,
    failed: Option<&Mask>,
) {
    let (mask, first_thread, width) = (cx.mask, cx.shape.first_thread, u32::from(width));
    let acc = RaceAccess { how, obj, width, mask, first_thread, spot, values, failed };
    races.access(cx.shape, size, &acc);
}

/// Tells the race detector of an access by all active lanes.
#[inline]
pub(super) fn race(
    cx: &mut LaneCx,
    number: usize,
    how: How,
    width: u8,
    spot: AddressPattern,
    values: Option<Values>,
    failed: Option<&Mask>,
) {
    let (mask, first_thread) = (cx.mask, cx.shape.first_thread);
    debug_assert_eq!(cx.side, MemSide::Device);
    if let Some(block) = cx.block.as_deref_mut() {
        let width = u32::from(width);
        let obj = number as u32;
        block.parts().1.access(&RaceAccess { how, obj, width, mask, first_thread, spot, values, failed });
    }
}

/// Tells the race detector of an access by one lane.
pub(super) fn race_lane(
    cx: &mut LaneCx,
    lane: usize,
    number: usize,
    how: How,
    width: u32,
    off: u64,
    values: Option<Values>,
    failed: bool,
) {
    let first_thread = cx.shape.first_thread;
    if let Some(block) = cx.block.as_deref_mut() {
        let (mask, spot) = (Mask::single(lane), AddressPattern::Uniform(off as u32));
        let obj = number as u32;
        let (mask, failed) = (&mask, failed.then_some(&mask));
        block.parts().1.access(&RaceAccess { how, obj, width, mask, first_thread, spot, values, failed });
    }
}

/// The fault of using bytes of which these are not initialised.
pub(super) fn uninitialised(init: u32, all: u32) -> FaultKind {
    let missing = all & !init;
    FaultKind::Uninitialised { first: missing.trailing_zeros(), bytes: missing.count_ones() }
}

fn no_locals() -> Stop {
    Stop::internal("a local variable is accessed, but there are no local variables here")
}
