//! The slow path's check_access: one access of one lane, check by check, in the order that reports promise.

#![allow(clippy::unused_self, reason = "all of this is asked of the memory, whoever answers")]

use super::Memory;
use super::lanes::{ByteAccess, LaneCx, Reach};
use super::local::{FrameId, SlotError};
use super::raw::Obj;
use cudair_ir::Space;
use cudair_lane::MemSide;
use cudair_lane::fault::{AccessOp, AllocKind, Fault, FaultKind, ObjectInfo, Place};
use cudair_lane::ptr::{Ptr, Tag};
use std::sync::Arc;

/// An access to check_access.
#[derive(Clone, Copy, Debug)]
pub(super) struct AccessRequest {
    pub(super) ptr: Ptr,
    pub(super) len: u64,
    /// In bytes.
    pub(super) align: u64,
    pub(super) op: AccessOp,
    pub(super) reach: Reach,
}

/// What an access that is allowed touches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Where {
    /// An entry of the object table, and the offset.
    Table(usize, u64),
    /// A host local by serial, and the offset.
    Host(u32, u64),
    /// A shared variable of the block, and the offset.
    Shared(usize, u64),
    /// A shared variable of another block of the cluster, by rank and number, and the offset.
    Foreign(u32, usize, u64),
    /// A local variable of a device thread, by the byte in the lane's stack.
    Local(usize),
}

impl Memory {
    /// Whether a lane may make an access, and where it goes.
    pub(super) fn check_access(
        &self,
        cx: &LaneCx,
        lane: usize,
        request: &AccessRequest,
    ) -> Result<Where, FaultKind> {
        let AccessRequest { ptr, len, align, op, reach } = *request;
        if len == 0 {
            // Nothing is touched. C wants even so a valid pointer; no machine minds.
            return self.check_object(cx, lane, ptr, reach).or(Ok(Where::Table(0, 0)));
        }
        let found = self.check_object(cx, lane, ptr, reach)?;
        let off = ptr.offset();
        let mut start = 0;
        let (size, read_only) = match found {
            Where::Table(index, _) => {
                let (obj, cold) = self.table.at(index);
                let constant = cold.space() == Space::Const && reach == Reach::Own;
                (obj.size(), cold.is_read_only() || constant)
            }
            Where::Host(serial, _) => (self.host.by_serial(serial).size(), false),
            Where::Shared(n, _) => match cx.block.as_deref() {
                Some(block) => {
                    start = block.start(n);
                    (block.obj(n).size(), false)
                }
                None => unreachable!("shared memory is found without a block"),
            },
            Where::Foreign(rank, n, _) => match cx.block.as_deref().and_then(|b| b.foreign_obj(rank, n)) {
                Some((obj, at)) => {
                    start = at;
                    (obj.size(), false)
                }
                None => unreachable!("an object of block {rank} is found, and is not there"),
            },
            Where::Local(_) => {
                let (frame, slot) = self.local_of(cx, ptr).ok_or(FaultKind::UseAfterScope)?;
                return self.judge_slot(cx, lane, frame, slot, off, len, align).map(Where::Local);
            }
        };
        let misaligned = (off as u64).wrapping_add(start) & (align - 1) != 0;
        // The device looks at the alignment first. What is too far away for an address has none.
        if (off < 0 || off as u64 > size || len > size - off as u64) && (!misaligned || ptr.is_too_far()) {
            return Err(FaultKind::OutOfBounds);
        }
        if misaligned {
            return Err(FaultKind::Misaligned { align: align as u32, start: (start & (align - 1)) as u32 });
        }
        if op.writes() && read_only {
            return Err(FaultKind::ReadOnly);
        }
        let off = off as u64;
        Ok(match found {
            Where::Table(index, _) => Where::Table(index, off),
            Where::Host(serial, _) => Where::Host(serial, off),
            Where::Shared(n, _) => Where::Shared(n, off),
            Where::Foreign(rank, n, _) => Where::Foreign(rank, n, off),
            local @ Where::Local(_) => local,
        })
    }

    /// An access to a variable of the lane's own frame: the byte in its stack.
    pub(super) fn judge_slot(
        &self,
        cx: &LaneCx,
        lane: usize,
        frame: FrameId,
        slot: u32,
        off: i64,
        len: u64,
        align: u64,
    ) -> Result<usize, FaultKind> {
        let locals = cx.locals.as_deref().ok_or(FaultKind::WrongSpace)?;
        locals.check(frame, slot, lane, off, len, align).map_err(|e| match e {
            SlotError::Ended => FaultKind::UseAfterScope,
            SlotError::Bounds => FaultKind::OutOfBounds,
            SlotError::Misaligned => FaultKind::Misaligned { align: align as u32, start: 0 },
        })
    }

    fn local_of(&self, cx: &LaneCx, ptr: Ptr) -> Option<(FrameId, u32)> {
        cx.locals.as_deref()?.by_serial(ptr.local_serial())
    }

    /// Null, lifetime and space.
    fn check_object(&self, cx: &LaneCx, lane: usize, ptr: Ptr, reach: Reach) -> Result<Where, FaultKind> {
        if ptr.is_near_null() {
            return Err(FaultKind::Null);
        }
        let (host, device) = match (reach, cx.side) {
            (Reach::Any, _) => (true, true),
            (Reach::Host, _) | (Reach::Own, MemSide::Host) => (true, false),
            (Reach::Device, _) | (Reach::Own, MemSide::Device) => (false, true),
        };
        match ptr.tag() {
            Tag::Table | Tag::Huge => {
                let Some(index) = self.table.index(ptr) else { return Err(FaultKind::Wild) };
                let (_, cold) = self.table.at(index);
                if !cold.is_alive() {
                    return Err(FaultKind::UseAfterFree);
                }
                if cold.is_dormant() {
                    return Err(FaultKind::Unallocated);
                }
                let (for_host, for_device) = cold.reachable();
                if !(host && for_host || device && for_device) {
                    return Err(FaultKind::WrongSpace);
                }
                Ok(Where::Table(index, 0))
            }
            Tag::HostLocal => match self.host.info(ptr.serial()) {
                None => Err(FaultKind::Wild),
                Some((false, _)) => Err(FaultKind::UseAfterScope),
                Some((true, _)) if !host => Err(FaultKind::WrongSpace),
                Some((true, _)) => Ok(Where::Host(ptr.serial(), 0)),
            },
            Tag::Shared => match cx.block.as_deref().and_then(|b| b.number(ptr)) {
                Some(n) if device => Ok(Where::Shared(n, 0)),
                // That of a block of another cluster, or of an ended one.
                _ => match cx.block.as_deref().and_then(|b| b.foreign(ptr)) {
                    Some((rank, n)) if device => Ok(Where::Foreign(rank, n, 0)),
                    _ => Err(FaultKind::WrongSpace),
                },
            },
            Tag::DeviceLocal => {
                let Some(locals) = cx.locals.as_deref().filter(|_| device) else {
                    return Err(FaultKind::WrongSpace);
                };
                if ptr.local_thread() != (cx.shape.first_thread + lane as u32) & 1023 {
                    return Err(FaultKind::WrongSpace);
                }
                match locals.by_serial(ptr.local_serial()) {
                    Some(_) => Ok(Where::Local(0)),
                    // Of an earlier turn of its scope, or of a block or launch that has ended.
                    None => Err(FaultKind::UseAfterScope),
                }
            }
            Tag::Code => Err(FaultKind::WrongSpace),
            Tag::Invalid => Err(FaultKind::Wild),
        }
    }

    /// The object of a place that [`Memory::check_access`] allowed. Locals have none.
    #[inline]
    pub(super) fn obj_at<'a>(&'a self, cx: &'a LaneCx, at: Where) -> Option<(&'a Obj, u64)> {
        match at {
            Where::Table(index, off) => Some((self.table.at(index).0, off)),
            Where::Host(serial, off) => Some((self.host.by_serial(serial), off)),
            Where::Shared(n, off) => cx.block.as_deref().map(|b| (b.obj(n), off)),
            Where::Foreign(rank, n, off) => Some((cx.block.as_deref()?.foreign_obj(rank, n)?.0, off)),
            Where::Local(_) => None,
        }
    }

    /// What is known of the object that `ptr` points into, alive or dead.
    pub fn object_info(&self, cx: &LaneCx, ptr: Ptr) -> Option<ObjectInfo> {
        match ptr.tag() {
            Tag::Table | Tag::Huge => self.table.index(ptr).map(|i| self.table.at(i).1.info()),
            Tag::HostLocal => self.host.info(ptr.serial()).map(|(_, info)| info),
            Tag::Shared => match cx.block.as_deref().and_then(|b| match b.number(ptr) {
                Some(n) => Some(b.info(n)),
                None => b.foreign(ptr).and_then(|(rank, n)| b.foreign_info(rank, n)),
            }) {
                Some(info) => Some(ObjectInfo::clone(info)),
                None => Some(unnamed(AllocKind::Shared, Space::Shared)),
            },
            Tag::DeviceLocal => {
                let mine = cx.locals.as_deref();
                let found = mine.and_then(|l| l.by_serial(ptr.local_serial()).map(|(f, s)| (l, f, s)));
                // Serials are the strip's own: another strip's name would be a guess.
                let own = cx.shape.first_thread..cx.shape.first_thread + cx.shape.lanes;
                let dead = || mine.and_then(|l| l.dead_info(ptr.local_serial()));
                match found {
                    Some((l, f, s)) if own.contains(&ptr.local_thread()) => l.info(f, s),
                    None if own.contains(&ptr.local_thread()) && dead().is_some() => dead(),
                    _ => Some(unnamed(AllocKind::Local, Space::Local)),
                }
            }
            Tag::Code => Some(unnamed(AllocKind::Static, Space::Code)),
            Tag::Invalid => None,
        }
    }

    /// The fault of an access by one lane.
    pub(super) fn access_fault(
        &self,
        cx: &LaneCx,
        kind: FaultKind,
        who: ByteAccess,
        ptr: Ptr,
        op: AccessOp,
        len: u64,
    ) -> Fault {
        let object = self.object_info(cx, ptr);
        self.fault_on(cx, kind, who, ptr, op, len, object)
    }

    /// [`Memory::access_fault`] with the object given.
    pub(super) fn fault_on(
        &self,
        cx: &LaneCx,
        kind: FaultKind,
        who: ByteAccess,
        ptr: Ptr,
        op: AccessOp,
        len: u64,
        object: Option<ObjectInfo>,
    ) -> Fault {
        let (origins, never_ran) = match &kind {
            FaultKind::Uninitialised { first, .. } => {
                let (origins, root) = self.origins(cx, ptr.add(i64::from(*first)));
                (origins, self.refused.writer(root))
            }
            _ => Default::default(),
        };
        Fault {
            kind,
            origins,
            never_ran,
            standing: Box::default(),
            place: who.place,
            calls: Box::default(),
            access: Some((op, len)),
            native: who.native,
            ptr,
            object: object.map(Box::new),
            thread: cx.thread(who.lane),
            count: 1,
            launch: cx.shape.launch,
            lanes: None,
            cost: None,
            sticky: false,
        }
    }
}

/// What is said of an object that is not at hand.
fn unnamed(kind: AllocKind, space: Space) -> ObjectInfo {
    ObjectInfo {
        kind,
        space,
        name: None::<Arc<str>>,
        size: 0,
        part: 0,
        number: 0,
        made: Place::Unknown,
        ended: Place::Unknown,
    }
}
