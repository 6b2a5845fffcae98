//! The host's local variables: frames on a stack of their own, one stack for each thread.
//!
//! Each variable is an object of its own, made when its function is entered; the bytes lie on a segmented
//! stack. A serial, and so an address, it gets only when its address is taken; the serial dies with the
//! variable's scope, so that an old address names nobody.

use super::FrameLayout;
use super::raw::{Obj, Store};
use super::table::Serials;
use cudair_ir::{LifetimeOp, Space};
use cudair_lane::fault::{AllocKind, ObjectInfo, Place, Stop};
use cudair_lane::ptr::Ptr;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::Arc;

/// Bytes of a segment of the stack, unless a frame needs more, and of the first one of a thread that was created.
const SEGMENT: u64 = 256 << 10;
const SMALL_SEGMENT: u64 = 16 << 10;
/// Bytes of all segments at most.
const STACK_LIMIT: u64 = 1 << 30;
/// Variables whose life has ended that reports can still name.
const REMEMBERED: usize = 4096;
/// In place of its number: a variable length array that has ended.
const ENDED: u32 = u32::MAX;

/// A frame of the host: kept in the caller's call stack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HostFrame {
    /// Its number in the stack.
    pub index: u32,
    /// The first of its slots' objects.
    pub first: u32,
}

impl HostFrame {
    /// The frame of a function without variables in memory: nothing is found in it.
    pub const NONE: HostFrame = HostFrame { index: u32::MAX, first: u32::MAX };
}

/// Layouts of the functions that were entered, each once. Frames and what is dead name them by number: there are many of both,
/// and an `Arc` more for each costs time.
#[derive(Debug, Default)]
struct Layouts {
    all: Vec<Arc<FrameLayout>>,
    /// By address.
    numbers: FxHashMap<usize, u32>,
    /// Numbers by low bits of the address.
    recent: [u32; 16],
}

impl Layouts {
    fn number(&mut self, layout: &Arc<FrameLayout>) -> u32 {
        let at = Arc::as_ptr(layout).addr();
        let row = at / size_of::<FrameLayout>() % self.recent.len();
        let recent = self.recent[row];
        if self.all.get(recent as usize).is_some_and(|known| Arc::ptr_eq(known, layout)) {
            return recent;
        }
        // An address is one layout's for good: those that have a number are kept.
        let number = *self.numbers.entry(at).or_insert_with(|| {
            self.all.push(Arc::clone(layout));
            self.all.len() as u32 - 1
        });
        self.recent[row] = number;
        number
    }

    fn get(&self, number: u32) -> &FrameLayout {
        &self.all[number as usize]
    }
}

#[derive(Debug)]
struct Frame {
    /// One of [`Layouts`].
    layout: u32,
    first: u32,
    /// Where the stack stood before.
    segment: u32,
    top: u64,
}

/// What goes with an object of the stack. Each call of a function with variables in memory makes some: they are kept small.
#[derive(Debug)]
struct Meta {
    /// 0 while its address was not taken.
    serial: u32,
    /// Its frame.
    frame: u32,
    /// Its slot; [`Meta::NO_SLOT`] for `alloca`.
    slot: u32,
    /// Where its bytes are.
    segment: u32,
    start: u64,
}

impl Meta {
    /// In place of a slot: one of [`Stack::arrays`].
    const NO_SLOT: u32 = u32::MAX;
}

/// What goes with an object by `alloca`, beyond that.
#[derive(Debug)]
struct Array {
    /// Which object of the stack it is.
    number: u32,
    place: Place,
    /// For a variable length array: its number in the function.
    scoped: Option<u32>,
    /// Where the stack stood before.
    before: (u32, u64),
}

/// Variables found by their ids without a look at [`Serials`]: id and number, each at the id's low bits.
#[derive(Debug)]
struct Recent([Named; Recent::SIZE]);

/// An id and a number. Compiled code reads both at once.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
struct Named {
    id: u32,
    number: u32,
}

impl Recent {
    const SIZE: usize = 64;
}

impl Default for Recent {
    fn default() -> Recent {
        // No variable has the id 0.
        Recent([Named::default(); Recent::SIZE])
    }
}

/// A variable whose life has ended.
#[derive(Debug)]
struct Dead {
    serial: u32,
    variable: Variable,
    ended: Place,
}

/// The stack of a thread.
#[derive(Debug, Default)]
struct Stack {
    segments: Vec<Store>,
    segment: u32,
    top: u64,
    frames: Vec<Frame>,
    objs: Vec<Obj>,
    metas: Vec<Meta>,
    /// Objects by `alloca`, in the order of their numbers.
    arrays: Vec<Array>,
    /// It is of a thread that was created: there may be many.
    small: bool,
}

/// The first number of a variable on the stack of a thread that was created; the first thread's are below.
const CREATED: u32 = 1 << 31;
/// Bits of a variable's number on the stack of such a thread; above them stands which stack it is.
const OWN_BITS: u32 = 18;

/// Which stack a variable's number is of, and where it stands there.
fn split(number: u32) -> (u32, usize) {
    if number < CREATED {
        (0, number as usize)
    } else {
        (1 + ((number - CREATED) >> OWN_BITS), (number & ((1 << OWN_BITS) - 1)) as usize)
    }
}

/// The host's frames. Those of the thread that runs are at hand; variables of others are found by their serials.
#[derive(Debug, Default)]
pub struct HostFrames {
    own: Stack,
    /// Which stack is at hand: 0 is the first thread's.
    current: u32,
    /// The others.
    parked: FxHashMap<u32, Stack>,
    /// Stacks of threads that have ended, empty.
    unused: Vec<u32>,
    /// How many stacks there have been beside the first.
    stacks: u32,
    layouts: Layouts,
    serials: Serials<29>,
    recent: Recent,
    /// In the order in which their lives ended. Many end, and few are asked for.
    dead: VecDeque<Dead>,
}

impl Stack {
    /// [`Stack::bump`] where the current segment has room.
    #[inline(always)]
    fn bump_in_place(&mut self, size: u64) -> Option<u64> {
        let room = self.segments.get(self.segment as usize)?.size();
        let start = self.top;
        let end = start.checked_add(size.checked_next_multiple_of(64)?)?;
        (end <= room).then(|| {
            self.top = end;
            start
        })
    }

    /// Room for `size` bytes on the stack, aligned to 64: the start, in the current segment.
    #[cold]
    fn bump(&mut self, size: u64) -> Result<u64, Stop> {
        let size = size.next_multiple_of(64);
        loop {
            let room = self.segments.get(self.segment as usize).map(Store::size);
            match room {
                Some(room) if self.top.checked_add(size).is_some_and(|end| end <= room) => {
                    let start = self.top;
                    self.top += size;
                    return Ok(start);
                }
                Some(_) => {
                    self.segment += 1;
                    self.top = 0;
                    // A segment that is left over from a deeper stack may be too small.
                    if self.segments.get(self.segment as usize).is_some_and(|s| s.size() < size) {
                        self.segments.truncate(self.segment as usize);
                    }
                }
                None => {
                    let used: u64 = self.segments.iter().map(Store::size).sum();
                    let segment = if self.small && used == 0 { SMALL_SEGMENT } else { SEGMENT };
                    let store = (used + size <= STACK_LIMIT)
                        .then(|| Store::new(size.max(segment), true))
                        .flatten()
                        .ok_or_else(|| Stop::limit("the host's stack is exhausted"))?;
                    self.segments.push(store);
                    self.top = 0;
                }
            }
        }
    }

    fn info_at(&self, n: usize, layouts: &Layouts) -> ObjectInfo {
        self.what_is(n).info(layouts)
    }

    /// What object `n` is.
    fn what_is(&self, n: usize) -> Variable {
        let meta = &self.metas[n];
        let layout = self.frames.get(meta.frame as usize).map(|f| f.layout);
        match layout {
            Some(layout) if meta.slot != Meta::NO_SLOT => Variable::Slot(layout, meta.slot),
            _ => {
                let array = self.arrays.binary_search_by_key(&n, |a| a.number as usize);
                let made = array.map_or(Place::Unknown, |k| self.arrays[k].place);
                Variable::Array { size: self.objs[n].size(), made }
            }
        }
    }
}

/// An object of the stack: all that reports say of it but for the end of its life.
#[derive(Debug)]
enum Variable {
    /// Of a function, by its layout's number.
    Slot(u32, u32),
    /// By `alloca`.
    Array { size: u64, made: Place },
}

impl Variable {
    fn info(&self, layouts: &Layouts) -> ObjectInfo {
        let (kind, name, size, part, made, ended) = match *self {
            Variable::Slot(layout, slot) => {
                let slot = &layouts.get(layout).slots()[slot as usize];
                let name = (!slot.name.is_empty()).then(|| Arc::clone(&slot.name));
                let (part, size) = slot.part.unwrap_or((0, slot.size));
                (AllocKind::Local, name, size.into(), part.into(), slot.place, slot.end)
            }
            Variable::Array { size, made } => (AllocKind::Alloca, None, size, 0, made, Place::Unknown),
        };
        ObjectInfo { kind, space: Space::Host, name, size, part, number: 0, made, ended }
    }
}

impl HostFrames {
    /// Enters a function: its variables live until [`HostFrames::leave`]; those with lifetime markers are
    /// dead until [`HostFrames::lifetime`] says otherwise.
    pub fn enter(&mut self, layout: &Arc<FrameLayout>) -> Result<HostFrame, Stop> {
        if self.current != 0 && self.own.objs.len() + layout.slots().len() > 1 << OWN_BITS {
            return Err(Stop::limit("the stack of a thread of the host is exhausted"));
        }
        let before = (self.own.segment, self.own.top);
        let size = u64::from(layout.host_size());
        let start = match self.own.bump_in_place(size) {
            Some(start) => start,
            None => self.own.bump(size)?,
        };
        Ok(self.enter_at(layout, start, before))
    }

    /// [`HostFrames::enter`] where no view of a variable at hand moves by that. None where one would, or where the frame has
    /// no room at all.
    #[inline]
    pub(super) fn enter_in_place(&mut self, layout: &Arc<FrameLayout>) -> Option<HostFrame> {
        let slots = layout.slots().len();
        let is_full = self.current != 0 && self.own.objs.len() + slots > 1 << OWN_BITS;
        if is_full || self.own.objs.capacity() - self.own.objs.len() < slots {
            return None;
        }
        let before = (self.own.segment, self.own.top);
        let size = u64::from(layout.host_size());
        let start = match self.own.bump_in_place(size) {
            Some(start) => start,
            None => self.own.bump(size).ok()?,
        };
        Some(self.enter_at(layout, start, before))
    }

    /// Makes the variables of a function whose bytes start at `start`; the stack stood elsewhere before.
    #[inline]
    fn enter_at(&mut self, layout: &Arc<FrameLayout>, start: u64, before: (u32, u64)) -> HostFrame {
        let (segment, top) = before;
        let frame = HostFrame { index: self.own.frames.len() as u32, first: self.own.objs.len() as u32 };
        let store = &self.own.segments[self.own.segment as usize];
        store.forget(start, u64::from(layout.host_size()));
        self.own.metas.reserve(layout.slots().len());
        for (n, (slot, &offset)) in layout.slots().iter().zip(layout.host_offsets()).enumerate() {
            let at = start + u64::from(offset);
            let mut obj = store.part(at, u64::from(slot.size));
            if !slot.markers {
                obj.allow([true, true, false, false]);
            }
            self.own.objs.push(obj);
            self.own.metas.push(Meta {
                serial: 0,
                frame: frame.index,
                slot: n as u32,
                segment: self.own.segment,
                start: at,
            });
        }
        let layout = self.layouts.number(layout);
        self.own.frames.push(Frame { layout, first: frame.first, segment, top });
        frame
    }

    /// Leaves `frame` and every frame entered after it (an exception or `longjmp` leaves several).
    #[inline]
    pub fn leave(&mut self, frame: HostFrame) {
        self.leave_at(frame, Place::Unknown);
    }

    /// [`HostFrames::leave`], with the place that reports name as the end of the variables' lives.
    pub(crate) fn leave_at(&mut self, frame: HostFrame, place: Place) {
        let Some(outer) = self.own.frames.get(frame.index as usize) else { return };
        let (first, segment, top) = (outer.first as usize, outer.segment, outer.top);
        for n in first..self.own.objs.len() {
            if self.own.metas[n].serial != 0 {
                self.retire(n, place);
            }
        }
        self.own.objs.truncate(first);
        self.own.metas.truncate(first);
        while self.own.arrays.last().is_some_and(|a| a.number as usize >= first) {
            self.own.arrays.pop();
        }
        self.own.frames.truncate(frame.index as usize);
        self.own.segment = segment;
        self.own.top = top;
    }

    /// The serial of object `n` dies.
    fn retire(&mut self, n: usize, place: Place) {
        let serial = std::mem::take(&mut self.own.metas[n].serial);
        let dead = Dead { serial, variable: self.own.what_is(n), ended: place };
        self.serials.end(serial);
        let id = Ptr::host_local(serial).id();
        let recent = &mut self.recent.0[id as usize % Recent::SIZE];
        if recent.id == id {
            *recent = Named::default();
        }
        if self.dead.len() == REMEMBERED {
            self.dead.pop_front();
        }
        self.dead.push_back(dead);
    }

    /// A stack for a new thread, until [`HostFrames::retire_stack`].
    #[inline]
    pub fn new_stack(&mut self) -> Result<u32, Stop> {
        if let Some(stack) = self.unused.pop() {
            return Ok(stack);
        }
        if self.stacks >= (u32::MAX - CREATED) >> OWN_BITS {
            return Err(Stop::limit(format!("more than {} threads of the host are alive", self.stacks)));
        }
        self.stacks += 1;
        Ok(self.stacks)
    }

    /// The frames of another thread come to hand, by its stack.
    #[inline]
    pub fn switch(&mut self, stack: u32) {
        if stack == self.current {
            return;
        }
        let next = self.parked.remove(&stack).unwrap_or(Stack { small: true, ..Stack::default() });
        self.parked.insert(self.current, std::mem::replace(&mut self.own, next));
        self.current = stack;
        self.recent = Recent::default();
    }

    /// The thread of a stack that is not at hand has ended.
    #[inline]
    pub fn retire_stack(&mut self, stack: u32) {
        if self.parked.remove(&stack).is_some() {
            self.unused.push(stack);
        }
    }

    /// Which stack is at hand.
    #[inline]
    pub fn stack(&self) -> u32 {
        self.current
    }

    /// The number of a variable at hand that serials lead to.
    fn number(&self, n: usize) -> Option<u32> {
        match self.current.checked_sub(1) {
            None => Some(n as u32),
            Some(stack) => (n < 1 << OWN_BITS).then(|| CREATED + (stack << OWN_BITS) + n as u32),
        }
    }

    /// The stack of a variable's number, and where it stands there.
    fn find(&self, number: u32) -> Option<(&Stack, usize)> {
        let (stack, n) = split(number);
        let stack = if stack == self.current { &self.own } else { self.parked.get(&stack)? };
        Some((stack, n))
    }

    /// The address of a variable.
    #[inline]
    pub fn addr(&mut self, frame: HostFrame, slot: u32) -> Ptr {
        self.addr_of(frame.first as usize + slot as usize)
    }

    fn addr_of(&mut self, n: usize) -> Ptr {
        let number = self.number(n);
        let Some(meta) = self.own.metas.get_mut(n) else { return Ptr::NULL };
        if meta.serial == 0 {
            // With all serials alive there is no address to give; the stack's limit comes long before.
            let Some(serial) = number.and_then(|n| self.serials.give(n)) else { return Ptr::NULL };
            meta.serial = serial;
            let id = Ptr::host_local(serial).id();
            self.recent.0[id as usize % Recent::SIZE] = Named { id, number: n as u32 };
        }
        Ptr::host_local(meta.serial)
    }

    /// Makes the variable that a pointer names one of those that [`HostFrames::recent`] finds.
    pub(super) fn remember(&mut self, ptr: Ptr) {
        // Those of other threads are not at hand.
        if let Some((stack, n)) = self.serials.get(ptr.serial()).map(split)
            && stack == self.current
        {
            self.recent.0[ptr.id() as usize % Recent::SIZE] = Named { id: ptr.id(), number: n as u32 };
        }
    }

    /// The object of an id that was used lately; one that refuses otherwise.
    #[inline(always)]
    pub(super) fn recent(&self, id: u32) -> &Obj {
        let known = self.recent.0[id as usize % Recent::SIZE];
        match self.own.objs.get(known.number as usize) {
            Some(obj) if known.id == id => obj,
            _ => Obj::refuses(),
        }
    }

    /// A variable's scope begins or ends.
    #[inline]
    pub fn lifetime(&mut self, frame: HostFrame, slot: u32, op: LifetimeOp, place: Place) {
        let n = frame.first as usize + slot as usize;
        let Some(meta) = self.own.metas.get(n) else { return };
        let (segment, start, taken) = (meta.segment, meta.start, meta.serial != 0);
        if taken {
            self.retire(n, place);
        }
        let obj = &mut self.own.objs[n];
        obj.allow([op == LifetimeOp::Live, op == LifetimeOp::Live, false, false]);
        if op == LifetimeOp::Live {
            self.own.segments[segment as usize].forget(start, obj.size());
        }
    }

    /// A variable length array is declared anew: what it was before ends. Its memory is free at once where
    /// nothing lies above it.
    fn rescope(&mut self, frame: HostFrame, scoped: u32, place: Place) {
        let slots =
            self.own.frames.get(frame.index as usize).map_or(0, |f| self.layouts.get(f.layout).slots().len());
        let first = frame.first as usize + slots;
        let arrays = &self.own.arrays;
        let own = arrays.partition_point(|a| (a.number as usize) < first);
        let Some(k) = (own..arrays.len()).rev().find(|&k| arrays[k].scoped == Some(scoped)) else { return };
        // Arrays above it were declared later, in its scope, which has ended as a whole.
        for k in k..self.own.arrays.len() {
            let Array { number, scoped, .. } = self.own.arrays[k];
            if scoped.is_none() {
                continue;
            }
            let n = number as usize;
            if self.own.metas[n].serial != 0 {
                self.retire(n, place);
            }
            self.own.arrays[k].scoped = Some(ENDED);
            self.own.objs[n].allow([false; 4]);
        }
        let is_last = |a: &&Array, objs: &[Obj]| a.number as usize + 1 == objs.len();
        while let Some(array) = self.own.arrays.last().filter(|a| is_last(a, &self.own.objs))
            && array.scoped == Some(ENDED)
        {
            (self.own.segment, self.own.top) = array.before;
            self.own.arrays.pop();
            self.own.metas.pop();
            self.own.objs.pop();
        }
    }

    /// Memory that lives as long as the frame, which must be the innermost, or until a variable length array
    /// (`scoped`) is declared anew.
    pub fn alloca(
        &mut self,
        frame: HostFrame,
        size: u64,
        align: u64,
        place: Place,
        scoped: Option<u32>,
    ) -> Result<Ptr, Stop> {
        let size = size.max(1);
        if size > STACK_LIMIT {
            return Err(Stop::limit("the host's stack is exhausted"));
        }
        if let Some(scoped) = scoped {
            self.rescope(frame, scoped, place);
        }
        let before = (self.own.segment, self.own.top);
        let start = self.own.bump(size + align.min(4096))?;
        let start = start.next_multiple_of(align.clamp(8, 4096));
        let store = &self.own.segments[self.own.segment as usize];
        store.forget(start, size);
        let mut obj = store.part(start, size);
        obj.allow([true, true, false, false]);
        self.own.objs.push(obj);
        let segment = self.own.segment;
        self.own.metas.push(Meta { serial: 0, frame: frame.index, slot: Meta::NO_SLOT, segment, start });
        let n = self.own.objs.len() - 1;
        self.own.arrays.push(Array { number: n as u32, place, scoped, before });
        Ok(self.addr_of(n))
    }

    /// The object of a serial that is alive.
    #[inline]
    pub(super) fn by_serial(&self, serial: u32) -> &Obj {
        match self.serials.get(serial).and_then(|number| self.find(number)) {
            Some((stack, n)) => stack.objs.get(n).unwrap_or(Obj::refuses()),
            None => Obj::refuses(),
        }
    }

    /// The object of a variable.
    #[inline]
    pub(super) fn by_slot(&self, frame: HostFrame, slot: u32) -> &Obj {
        self.own.objs.get(frame.first as usize + slot as usize).unwrap_or(Obj::refuses())
    }

    /// The bytes of a variable, nothing for those never written; nothing at all where it is not in scope.
    #[inline]
    pub fn peek(&self, frame: HostFrame, slot: u32) -> Option<Vec<Option<u8>>> {
        self.is_alive(frame, slot).then(|| self.by_slot(frame, slot).peek())
    }

    /// What is known of the variable that an address names, and its bytes; nothing where it is no longer alive.
    pub fn peek_at(&self, ptr: Ptr) -> Option<(ObjectInfo, Vec<Option<u8>>)> {
        let (stack, n) = self.find(self.serials.get(ptr.serial())?)?;
        Some((stack.info_at(n, &self.layouts), stack.objs.get(n)?.peek()))
    }

    /// Whether a variable is in scope.
    pub(super) fn is_alive(&self, frame: HostFrame, slot: u32) -> bool {
        let obj = self.by_slot(frame, slot);
        obj.rights()[0] || obj.size() == 0
    }

    /// What is known of a serial: alive or not, and what it is. `None` if it never was.
    pub(super) fn info(&self, serial: u32) -> Option<(bool, ObjectInfo)> {
        if let Some((stack, n)) = self.serials.get(serial).and_then(|number| self.find(number)) {
            return Some((true, stack.info_at(n, &self.layouts)));
        }
        // A serial may have been given again: the last one counts.
        if let Some(dead) = self.dead.iter().rev().find(|dead| dead.serial == serial) {
            return Some((false, ObjectInfo { ended: dead.ended, ..dead.variable.info(&self.layouts) }));
        }
        self.serials.was_given(serial).then(|| (false, nameless()))
    }

    /// For compiled code: the views of variables at hand, those found by their ids, and the first of a frame.
    pub(super) fn raw(&self, frame: HostFrame) -> (&[Obj], *const u64, Option<&Obj>) {
        let recent: *const [Named; Recent::SIZE] = &raw const self.recent.0;
        (&self.own.objs, recent.cast(), self.own.objs.get(frame.first as usize))
    }

    /// What is known of a variable.
    pub(super) fn slot_info(&self, frame: HostFrame, slot: u32) -> Option<ObjectInfo> {
        let n = frame.first as usize + slot as usize;
        (n < self.own.metas.len()).then(|| self.own.info_at(n, &self.layouts))
    }
}

/// What is said of a variable that nobody remembers.
fn nameless() -> ObjectInfo {
    ObjectInfo {
        kind: AllocKind::Local,
        space: Space::Host,
        name: None,
        size: 0,
        part: 0,
        number: 0,
        made: Place::Unknown,
        ended: Place::Unknown,
    }
}
