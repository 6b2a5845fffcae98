//! Bytes in bulk: what native functions read and write on behalf of the host or of a lane, and the copies and
//! fills that the IR has as instructions.

#![allow(clippy::unused_self, reason = "all of this is asked of the memory, whoever answers")]

use super::check::{AccessRequest, Where};
use super::lanes::{Access, Addrs, ByteAccess, LaneCx, Reach};
use super::{Lengths, Memory};
use cudair_lane::fault::{AccessOp, Fault, FaultKind, LaneFaults, Place, SiteRef, Stop};
use cudair_lane::ptr::{Ptr, Tag};
use cudair_lane::{How, MAX_LANES, Mask, MemSide, Values};

/// Longest copy that goes lane-wise by words.
const WORDWISE: u64 = 64;

impl Memory {
    fn ask_bytes(
        &self,
        cx: &LaneCx,
        who: ByteAccess,
        (ptr, reach): (Ptr, Reach),
        len: u64,
        align: u64,
        op: AccessOp,
    ) -> Result<Where, Box<Fault>> {
        self.check_access(cx, who.lane, &AccessRequest { ptr, len, align, op, reach })
            .map_err(|kind| Box::new(self.access_fault(cx, kind, who, ptr, op, len)))
    }

    /// Whether the `len` bytes at `ptr` are one live object's that `reach` allows, for natives that answer
    /// with an error code instead of a fault.
    pub fn check(
        &mut self,
        cx: &mut LaneCx,
        who: ByteAccess,
        ptr: Ptr,
        reach: Reach,
        len: u64,
        writes: bool,
    ) -> Result<(), Box<Fault>> {
        let op = if writes { AccessOp::Write } else { AccessOp::Read };
        match self.ask_bytes(cx, who, (ptr, reach), len, 1, op) {
            // What is asked for now happens later: memory of graphs may be allocated by then.
            Err(fault) if fault.kind == FaultKind::Unallocated => Ok(()),
            other => other.map(|_| ()),
        }
    }

    /// The bytes of a range that was allowed.
    fn take(&self, cx: &LaneCx, lane: usize, at: Where, out: &mut [u8]) {
        match at {
            Where::Local(byte) => {
                if let Some(l) = cx.locals.as_deref() {
                    l.read(lane, byte, out);
                }
            }
            _ => {
                if let Some((obj, off)) = self.obj_at(cx, at) {
                    obj.read(off, out);
                }
            }
        }
    }

    /// The first byte of a range that was allowed which is not initialised, and how many are not.
    fn missing_in(&self, cx: &LaneCx, lane: usize, at: Where, len: u64) -> Option<(u64, u64)> {
        match at {
            Where::Local(byte) => {
                let l = cx.locals.as_deref()?;
                let missing = |i: &u64| l.init_bits(lane, byte + *i as usize, 1) == 0;
                let first = (0..len).find(missing)?;
                Some((first, (first..len).filter(missing).count() as u64))
            }
            _ => {
                let (obj, off) = self.obj_at(cx, at)?;
                let first = obj.first_uninit(off, len)?;
                Some((first, obj.count_uninit(off, len)))
            }
        }
    }

    fn trace(&mut self, cx: &mut LaneCx, who: ByteAccess, at: Where, len: u64, op: AccessOp) {
        let how = How { place: who.place, op, atomic: None, volatile: false };
        self.race_at(cx, who.lane, at, how, len, None, false);
    }

    /// Notes the use of a range that was allowed, where it is not all initialised.
    fn use_range(&self, cx: &mut LaneCx, who: ByteAccess, ptr: Ptr, at: Where, len: u64) {
        if let Some((first, bytes)) = self.missing_in(cx, who.lane, at, len) {
            let (first, bytes) = (first as u32, bytes as u32);
            let kind = FaultKind::Uninitialised { first, bytes };
            let fault = self.access_fault(cx, kind, who, ptr, AccessOp::Read, len);
            cx.findings.note(fault);
        }
    }

    /// The bytes at `ptr`, as a use of them: what was never written is noted.
    #[inline]
    pub fn read(&mut self, cx: &mut LaneCx, who: ByteAccess, ptr: Ptr, len: u64) -> Result<Vec<u8>, Stop> {
        let at = self.ask_bytes(cx, who, (ptr, Reach::Own), len, 1, AccessOp::Read)?;
        let mut out = vec![0; len as usize];
        self.take(cx, who.lane, at, &mut out);
        self.use_range(cx, who, ptr, at, len);
        self.trace(cx, who, at, len, AccessOp::Read);
        Ok(out)
    }

    /// [`Memory::read`] into a buffer.
    #[inline]
    pub fn read_into(
        &mut self,
        cx: &mut LaneCx,
        who: ByteAccess,
        ptr: Ptr,
        out: &mut [u8],
    ) -> Result<(), Stop> {
        let len = out.len() as u64;
        let at = self.ask_bytes(cx, who, (ptr, Reach::Own), len, 1, AccessOp::Read)?;
        self.take(cx, who.lane, at, out);
        self.use_range(cx, who, ptr, at, len);
        self.trace(cx, who, at, len, AccessOp::Read);
        Ok(())
    }

    /// The bytes of a string up to its NUL, which is not included, and at most `max` of them.
    pub fn read_cstr(
        &mut self,
        cx: &mut LaneCx,
        who: ByteAccess,
        ptr: Ptr,
        max: Option<u64>,
    ) -> Result<Vec<u8>, Stop> {
        if max == Some(0) {
            return Ok(Vec::new());
        }
        // How much there is to look at: to the end of the object.
        self.ask_bytes(cx, who, (ptr, Reach::Own), 1, 1, AccessOp::Read)?;
        let object = self.object_info(cx, ptr);
        let size = object.ok_or_else(|| Stop::internal("a text that may be read lies in no object"))?.size;
        let room = size.saturating_sub(ptr.offset() as u64);
        let most = room.min(max.unwrap_or(u64::MAX));
        let at = self.ask_bytes(cx, who, (ptr, Reach::Own), most, 1, AccessOp::Read)?;
        let end = match self.obj_at(cx, at) {
            Some((obj, off)) => obj.find(off, 0, most),
            None => {
                let mut bytes = vec![0; most as usize];
                self.take(cx, who.lane, at, &mut bytes);
                bytes.iter().position(|&b| b == 0).map(|p| p as u64)
            }
        };
        let Some(len) = end else {
            if max.is_some_and(|m| m <= room) {
                return self.read(cx, who, ptr, most);
            }
            // No NUL before the end of the object: the byte behind it is read.
            let (past, op) = (ptr.add(most as i64), AccessOp::Read);
            return Err(self.access_fault(cx, FaultKind::OutOfBounds, who, past, op, 1).into());
        };
        let mut bytes = self.read(cx, who, ptr, (len + 1).min(most))?;
        bytes.truncate(len as usize);
        Ok(bytes)
    }

    /// Writes bytes.
    #[inline]
    pub fn write(&mut self, cx: &mut LaneCx, who: ByteAccess, ptr: Ptr, bytes: &[u8]) -> Result<(), Stop> {
        self.write_reach(cx, who, (ptr, Reach::Own), bytes)
    }

    /// [`Memory::write`] where the memory may lie on either side.
    pub(crate) fn write_reach(
        &mut self,
        cx: &mut LaneCx,
        who: ByteAccess,
        (ptr, reach): (Ptr, Reach),
        bytes: &[u8],
    ) -> Result<(), Stop> {
        let len = bytes.len() as u64;
        let at = self.ask_bytes(cx, who, (ptr, reach), len, 1, AccessOp::Write)?;
        self.keep_at(cx, at, len);
        match at {
            Where::Local(byte) => {
                if let Some(l) = cx.locals.as_deref_mut() {
                    l.write(who.lane, byte, bytes, None);
                }
            }
            _ => {
                if let Some((obj, off)) = self.obj_at(cx, at).filter(|_| len > 0) {
                    obj.write(off, bytes);
                }
            }
        }
        self.trace(cx, who, at, len, AccessOp::Write);
        Ok(())
    }

    /// Fills bytes.
    #[inline]
    pub fn fill(
        &mut self,
        cx: &mut LaneCx,
        who: ByteAccess,
        ptr: Ptr,
        byte: u8,
        len: u64,
    ) -> Result<(), Stop> {
        self.fill_reach(cx, who, (ptr, Reach::Own), byte, len, 1)
    }

    /// [`Memory::fill`] where the memory may lie on either side: what `cudaMemset` does. `align` in bytes.
    pub(crate) fn fill_reach(
        &mut self,
        cx: &mut LaneCx,
        who: ByteAccess,
        (ptr, reach): (Ptr, Reach),
        byte: u8,
        len: u64,
        align: u64,
    ) -> Result<(), Stop> {
        let at = self.ask_bytes(cx, who, (ptr, reach), len, align, AccessOp::Write)?;
        self.keep_at(cx, at, len);
        match at {
            Where::Local(start) => {
                if let Some(l) = cx.locals.as_deref_mut() {
                    l.write(who.lane, start, &vec![byte; len as usize], None);
                }
            }
            _ => {
                self.note_whole(cx, at, len);
                if let Some((obj, off)) = self.obj_at(cx, at).filter(|_| len > 0) {
                    obj.fill(off, byte, len);
                }
            }
        }
        self.trace(cx, who, at, len, AccessOp::Write);
        Ok(())
    }

    /// Counts bytes as written without changing them: what a call would have filled that failed for a
    /// reason already reported, so that its consequences are not reported as well.
    #[inline]
    pub fn assume(&mut self, cx: &mut LaneCx, who: ByteAccess, ptr: Ptr, len: u64) -> Result<(), Stop> {
        let at = self.ask_bytes(cx, who, (ptr, Reach::Own), len, 1, AccessOp::Write)?;
        if let Some((obj, off)) = self.obj_at(cx, at).filter(|_| len > 0) {
            obj.set_init_range(off, len, true);
        }
        Ok(())
    }

    /// Copies bytes with their initialisation, as `memmove` does.
    #[inline]
    pub fn copy(
        &mut self,
        cx: &mut LaneCx,
        who: ByteAccess,
        dst: Ptr,
        src: Ptr,
        len: u64,
    ) -> Result<(), Stop> {
        self.copy_between(cx, who, (dst, Reach::Own), (src, Reach::Own), len)
    }

    /// [`Memory::copy`] where each end may lie on either side: what `cudaMemcpy` does.
    pub fn copy_between(
        &mut self,
        cx: &mut LaneCx,
        who: ByteAccess,
        dst: (Ptr, Reach),
        src: (Ptr, Reach),
        len: u64,
    ) -> Result<(), Stop> {
        let from = self.ask_bytes(cx, who, src, len, 1, AccessOp::Read)?;
        let to = self.ask_bytes(cx, who, dst, len, 1, AccessOp::Write)?;
        self.transfer(cx, who, (dst.0, to), (src.0, from), len)?;
        self.trace(cx, who, from, len, AccessOp::Read);
        self.trace(cx, who, to, len, AccessOp::Write);
        Ok(())
    }

    /// The host is about to write `len` bytes: an object that is all initialised by that needs no bitmap any more, and
    /// memory for one need not be touched.
    fn note_whole(&mut self, cx: &LaneCx, at: Where, len: u64) {
        if let (MemSide::Host, Where::Table(index, _)) = (cx.side, at)
            && self.table.at(index).0.size() == len
        {
            self.table.drop_bitmap(index);
        }
    }

    /// Moves bytes and initialisation between ranges that were allowed, each with the pointer to it.
    fn transfer(
        &mut self,
        cx: &mut LaneCx,
        who: ByteAccess,
        (dst, to): (Ptr, Where),
        (src, from): (Ptr, Where),
        len: u64,
    ) -> Result<(), Stop> {
        if len == 0 {
            return Ok(());
        }
        let lane = who.lane;
        self.keep_at(cx, to, len);
        let local = matches!(to, Where::Local(_)) || matches!(from, Where::Local(_));
        if !local {
            if self.obj_at(cx, from).is_some_and(|(obj, off)| obj.first_uninit(off, len).is_some()) {
                self.carry(cx, who, dst, Some(src), len);
                if let Where::Table(index, _) = to {
                    self.need_bitmap(index)?;
                }
            } else {
                self.note_whole(cx, to, len);
            }
            if let (Some((dst, to)), Some((src, from))) = (self.obj_at(cx, to), self.obj_at(cx, from)) {
                dst.copy_from(to, src, from, len);
            }
            return Ok(());
        }
        // By way of the thread's interleaved memory: through a buffer.
        let mut bytes = vec![0; len as usize];
        self.take(cx, lane, from, &mut bytes);
        let init: Vec<bool> = match from {
            Where::Local(at) => {
                let l = cx.locals.as_deref();
                (0..len as usize).map(|i| l.is_some_and(|l| l.init_bits(lane, at + i, 1) != 0)).collect()
            }
            _ => {
                let found = self.obj_at(cx, from);
                (0..len)
                    .map(|i| found.is_some_and(|(o, off)| o.init_bits((off + i) as i64, 1) != 0))
                    .collect()
            }
        };
        if let Where::Local(at) = to {
            if let Some(l) = cx.locals.as_deref_mut() {
                l.write(lane, at, &bytes, Some(&init));
            }
            return Ok(());
        }
        if init.contains(&false) {
            self.carry(cx, who, dst, Some(src), len);
            if let Where::Table(index, _) = to {
                self.need_bitmap(index)?;
            }
        }
        if let Some((obj, off)) = self.obj_at(cx, to) {
            obj.write(off, &bytes);
            for (i, _) in init.iter().enumerate().filter(|(_, on)| !**on) {
                obj.set_init_range(off + i as u64, 1, false);
            }
        }
        Ok(())
    }

    /// Copies bytes with their initialisation for each active lane, as `memmove` does.
    pub fn copy_lanes(
        &mut self,
        cx: &mut LaneCx,
        dst: &Addrs,
        src: &Addrs,
        len: Lengths,
        align_log2: u8,
        (dst_site, src_site): (SiteRef, SiteRef),
    ) -> Result<(), Stop> {
        if let Some(step) = self.wordwise(cx, dst, src, len, align_log2) {
            let Lengths::Uniform(len) = len else { return Ok(()) };
            return self.copy_words(cx, dst, src, len, step, align_log2, (dst_site, src_site));
        }
        let mut faults = LaneFaults::default();
        for lane in cx.mask.iter() {
            let (to, from, n) = (dst.lane(lane), src.lane(lane), len.lane(lane));
            let align = if n == 0 { 1 } else { 1 << align_log2 };
            let who = |site| ByteAccess { lane, place: Place::Site(site), native: None };
            let read = AccessRequest { ptr: from, len: n, align, op: AccessOp::Read, reach: Reach::Own };
            let write = AccessRequest { ptr: to, op: AccessOp::Write, ..read };
            match (self.check_access(cx, lane, &read), self.check_access(cx, lane, &write)) {
                (Err(kind), _) => faults.add(lane, &kind.clone(), || {
                    self.access_fault(cx, kind, who(src_site), from, AccessOp::Read, n)
                }),
                (_, Err(kind)) => faults.add(lane, &kind.clone(), || {
                    self.access_fault(cx, kind, who(dst_site), to, AccessOp::Write, n)
                }),
                (Ok(read), Ok(written)) => {
                    self.transfer(cx, who(dst_site), (to, written), (from, read), n)?;
                    self.trace(cx, who(src_site), read, n, AccessOp::Read);
                    self.trace(cx, who(dst_site), written, n, AccessOp::Write);
                }
            }
        }
        faults.done()
    }

    /// Whether a copy by all lanes can go piece by piece for all of them at once: short, and between different
    /// objects, so that no lane's pieces overlap. Gives the bytes of a piece.
    fn wordwise(&self, cx: &LaneCx, dst: &Addrs, src: &Addrs, len: Lengths, align_log2: u8) -> Option<u64> {
        let Lengths::Uniform(len) = len else { return None };
        if len == 0 || len > WORDWISE || cx.mask.count() < 4 {
            return None;
        }
        // A word where the structure's type promises no more; it mostly is aligned to its size.
        let step = (1 << len.trailing_zeros().min(3)).min((1u64 << align_log2).max(4));
        if let (Some(to), Some(from)) = (Span::of(cx.mask, dst), Span::of(cx.mask, src)) {
            return (to.low.id() != from.low.id()).then_some(step);
        }
        let whole = align_log2 >= 2 && step >= 4;
        let apart = |l: usize| {
            let (to, from) = (dst.lane(l), src.lane(l));
            let local = to.tag() == Tag::DeviceLocal || from.tag() == Tag::DeviceLocal;
            to.object_start() != from.object_start() && (whole || !local)
        };
        cx.mask.iter().all(apart).then_some(step)
    }

    /// Whether all lanes may make an access, seen at a glance: they are in one object, the first and the last of
    /// them inside it, and all aligned.
    fn allowed(&self, cx: &LaneCx, addrs: &Addrs, request: AccessRequest) -> bool {
        let (Some(span), Some(lane)) = (Span::of(cx.mask, addrs), cx.mask.lowest()) else { return false };
        span.bits & (request.align - 1) == 0
            && [span.low, span.high]
                .iter()
                .all(|&ptr| self.check_access(cx, lane, &AccessRequest { ptr, ..request }).is_ok())
    }

    fn copy_words(
        &mut self,
        cx: &mut LaneCx,
        dst: &Addrs,
        src: &Addrs,
        len: u64,
        step: u64,
        align_log2: u8,
        (dst_site, src_site): (SiteRef, SiteRef),
    ) -> Result<(), Stop> {
        let mut words = [0u32; MAX_LANES * 2];
        let mut init = [0u32; MAX_LANES];
        // The whole must be allowed before a word is moved, so that a fault names the whole.
        let align = 1 << align_log2;
        let read = AccessRequest { ptr: Ptr::NULL, len, align, op: AccessOp::Read, reach: Reach::Own };
        let write = AccessRequest { op: AccessOp::Write, ..read };
        if !(self.allowed(cx, src, read) && self.allowed(cx, dst, write)) {
            let faults = self.ask_words(cx, dst, src, len, align, (dst_site, src_site));
            let good = cx.mask.without(faults.mask());
            if good != *cx.mask {
                // The others copy all the same.
                if !good.is_empty() {
                    let cx = &mut cx.narrowed(&good);
                    self.copy_words(cx, dst, src, len, step, align_log2, (dst_site, src_site))?;
                }
                return faults.done();
            }
        }
        // Aligned accesses are faster, and what is aligned in fact may be said to be.
        let is_aligned = |s: Span| (s.bits | start_of(cx, s.low)) & (step - 1) == 0;
        let aligned = [src, dst].iter().all(|a| Span::of(cx.mask, a).is_some_and(is_aligned));
        let piece = step.trailing_zeros() as u8;
        let align_log2 = if aligned { piece } else { align_log2.min(piece) };
        for at in (0..len).step_by(step as usize) {
            let site =
                |site| Access { width: step as u8, align_log2, volatile: false, copy: true, late: 0, site };
            let (from, to) = (shifted(src, at as i64), shifted(dst, at as i64));
            self.load_lanes(cx, &from, site(src_site), &mut words)?;
            self.init_lanes(cx, &from, site(src_site), &mut init);
            self.store_lanes(cx, &to, site(dst_site), Values::Lanes(&words), Some(&init))?;
        }
        Ok(())
    }

    /// Asks for a copy lane by lane.
    fn ask_words(
        &self,
        cx: &LaneCx,
        dst: &Addrs,
        src: &Addrs,
        len: u64,
        align: u64,
        (dst_site, src_site): (SiteRef, SiteRef),
    ) -> LaneFaults {
        let mut faults = LaneFaults::default();
        for lane in cx.mask.iter() {
            let who = |site| ByteAccess { lane, place: Place::Site(site), native: None };
            let (from, to) = ((src.lane(lane), Reach::Own), (dst.lane(lane), Reach::Own));
            let asked = self
                .ask_bytes(cx, who(src_site), from, len, align, AccessOp::Read)
                .and_then(|_| self.ask_bytes(cx, who(dst_site), to, len, align, AccessOp::Write));
            if let Err(fault) = asked {
                faults.add(lane, &fault.kind.clone(), || *fault);
            }
        }
        faults
    }

    /// Fills bytes for each active lane.
    pub fn fill_lanes(
        &mut self,
        cx: &mut LaneCx,
        dst: &Addrs,
        byte: Values,
        len: Lengths,
        align_log2: u8,
        site: SiteRef,
    ) -> Result<(), Stop> {
        let mut faults = LaneFaults::default();
        for lane in cx.mask.iter() {
            let (to, n) = (dst.lane(lane), len.lane(lane));
            let who = ByteAccess { lane, place: Place::Site(site), native: None };
            let align = if n == 0 { 1 } else { 1 << align_log2 };
            match self.fill_reach(cx, who, (to, Reach::Own), byte.lane(lane, 1) as u8, n, align) {
                Err(Stop::Fault(fault)) => faults.add(lane, &fault.kind.clone(), || *fault),
                other => other?,
            }
        }
        faults.done()
    }
}

/// The addresses of lanes that are all in one object of the table.
struct Span {
    low: Ptr,
    high: Ptr,
    /// The bits that any of them has.
    bits: u64,
}

impl Span {
    fn of(mask: &Mask, addrs: &Addrs) -> Option<Span> {
        let first = addrs.lane(mask.lowest()?);
        if first.tag() != Tag::Table {
            return None;
        }
        // One id is the upper half, so that addresses of the object are ordered as numbers.
        let (mut low, mut high, mut bits) = (first.0, first.0, 0);
        addrs.each(mask, |p| {
            (low, high, bits) = (low.min(p.0), high.max(p.0), bits | p.0);
        });
        (Ptr(low).id() == Ptr(high).id()).then_some(Span { low: Ptr(low), high: Ptr(high), bits })
    }
}

/// Addresses moved by `bytes`.
fn shifted<'a>(addrs: &Addrs<'a>, bytes: i64) -> Addrs<'a> {
    match *addrs {
        Addrs::Uniform(p) => Addrs::Uniform(p.add(bytes)),
        Addrs::Base32 { base, index, scale, disp } => {
            Addrs::Base32 { base, index, scale, disp: disp.saturating_add(bytes) }
        }
        Addrs::Base64 { base, index, scale, disp } => {
            Addrs::Base64 { base, index, scale, disp: disp.saturating_add(bytes) }
        }
        Addrs::Full { ptrs, disp } => Addrs::Full { ptrs, disp: disp.saturating_add(bytes) },
        Addrs::Full32 { ptrs, index, scale, disp } => {
            Addrs::Full32 { ptrs, index, scale, disp: disp.saturating_add(bytes) }
        }
    }
}

/// [`BlockMem::start`](super::BlockMem) of the variable that a pointer names, 0 of anything else.
fn start_of(cx: &LaneCx, ptr: Ptr) -> u64 {
    let Some(block) = cx.block.as_deref().filter(|_| ptr.tag() == Tag::Shared) else { return 0 };
    match block.number(ptr) {
        Some(n) => block.start(n),
        None => {
            block.foreign(ptr).and_then(|(rank, n)| block.foreign_obj(rank, n)).map_or(0, |found| found.1)
        }
    }
}
