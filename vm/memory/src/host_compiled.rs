//! The host's objects as compiled code sees them, and accesses that it asks for: they are done only where there is nothing
//! to report.

use super::raw::{OBJ_LAYOUT, Obj, Right};
use super::{FrameLayout, HostFrame, Memory};
use cudair_lane::ptr::Ptr;
use std::sync::Arc;

/// Where compiled code finds what in the view of an object: bytes from its start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ObjectLayout {
    /// From one view to the next.
    pub bytes: usize,
    /// A pointer to the bytes.
    pub data: usize,
    /// A pointer to bits of initialisation; null where all is initialised.
    pub init: usize,
    /// How many bytes there are; 64 bits.
    pub size: usize,
    /// Who may read and write them; 8 bits.
    pub rights: usize,
    /// The bit of `rights` that is set where the host may read.
    pub host_reads: u8,
    /// The bit of `rights` that is set where the host may write.
    pub host_writes: u8,
}

impl ObjectLayout {
    /// That of this build.
    pub const THIS: ObjectLayout = OBJ_LAYOUT;
    /// From the bytes of a very small object to those of the next ([`HostObjects::small`]).
    pub const SMALL: usize = cudair_lane::numbered::SLOT;
}

/// Where the host's objects are. It stays so until the next call that may make or end one, but for
/// [`Memory::host_enter_in_place`].
#[derive(Clone, Copy, Debug)]
pub struct HostObjects {
    /// Views of the object table, by id.
    pub table: *const u8,
    /// How many.
    pub table_len: usize,
    /// Where the bytes of very small objects mostly are: 32 bytes each, by id.
    pub small: usize,
    /// Views of the local variables of the thread that runs.
    pub locals: *const u8,
    /// Id and number of local variables, 32 bits each, by the id's lowest six bits.
    pub recent: *const u64,
    /// A view that refuses everything.
    pub refuses: *const u8,
    /// Where the variables of the frame are.
    pub current: HostLocals,
}

/// Where local variables are, as far as that hangs on the frame.
#[derive(Clone, Copy, Debug)]
pub struct HostLocals {
    /// How many views there are at [`HostObjects::locals`].
    pub locals_len: usize,
    /// The view of the frame's first variable; null where it has none.
    pub slots: *const u8,
    /// The first variable's bytes; those of the others follow as the frame's layout says.
    pub slot_data: *mut u8,
    /// The same for bits of initialisation.
    pub slot_init: *mut u8,
}

impl Memory {
    /// Where the host's objects are, for a frame.
    #[inline]
    pub fn host_objects(&self, frame: HostFrame) -> HostObjects {
        let table = self.table.views();
        let (locals, recent, _) = self.host.raw(frame);
        HostObjects {
            table: table.as_ptr().cast(),
            table_len: table.len(),
            small: self.table.slots(),
            locals: locals.as_ptr().cast(),
            recent,
            refuses: std::ptr::from_ref(Obj::refuses()).cast(),
            current: self.host_locals(frame),
        }
    }

    /// Where the local variables of a frame are.
    #[inline]
    fn host_locals(&self, frame: HostFrame) -> HostLocals {
        let (locals, _, first) = self.host.raw(frame);
        HostLocals {
            locals_len: locals.len(),
            slots: first.map_or(std::ptr::null(), |o| std::ptr::from_ref(o).cast()),
            slot_data: first.map_or(std::ptr::null_mut(), |o| o.data),
            slot_init: first.map_or(std::ptr::null_mut(), |o| o.init),
        }
    }

    /// The view of the object of a pointer, as compiled code would find it: one that refuses where it is none of the table or a
    /// local variable that was used lately.
    pub fn host_view(&self, ptr: Ptr) -> *const u8 {
        let id = ptr.id();
        let obj = self.table.views().get(id as usize).unwrap_or_else(|| self.host.recent(id));
        std::ptr::from_ref(obj).cast()
    }

    /// Enters a function that compiled code calls: its frame, and where its variables are. None where a view would move, to
    /// which compiled code refers, or where the stack is exhausted.
    #[inline]
    pub fn host_enter_in_place(&mut self, layout: &Arc<FrameLayout>) -> Option<(HostFrame, HostLocals)> {
        let frame = self.host.enter_in_place(layout)?;
        Some((frame, self.host_locals(frame)))
    }

    /// Loads up to eight bytes, and which of them are initialised, where nothing is to be reported. Only a copy takes bytes
    /// that are not.
    pub fn host_try_load(&mut self, ptr: Ptr, width: u8, align_log2: u8, copy: bool) -> Option<(u64, u16)> {
        let loaded = try_load(self.host_object(ptr), ptr.offset(), width, align_log2, copy)?;
        self.quick_again(ptr);
        Some(loaded)
    }

    /// Stores up to eight bytes where nothing is to be reported; of a copy, which of them are initialised, too. Not where
    /// the object would get a bitmap by that: compiled code relies on the views that it has seen.
    pub fn host_try_store(
        &mut self,
        ptr: Ptr,
        width: u8,
        align_log2: u8,
        bits: u64,
        init: Option<u16>,
    ) -> bool {
        let off = ptr.offset();
        let aligned = off & ((1 << align_log2) - 1) == 0;
        let obj = self.host_object(ptr);
        let needs_bitmap = !obj.has_bitmap() && init.is_some_and(|init| u32::from(init) != (1 << width) - 1);
        if !aligned || needs_bitmap || !obj.store(Right::HostWrite, off, width, bits) {
            return false;
        }
        if let Some(init) = init {
            self.host_set_init(ptr, width, init);
        }
        self.quick_again(ptr);
        true
    }

    /// [`Memory::host_try_load`] from a local variable, of which no copy is made.
    pub fn host_try_load_slot(
        &self,
        frame: HostFrame,
        slot: u32,
        off: i64,
        width: u8,
        align_log2: u8,
    ) -> Option<u64> {
        let loaded = try_load(self.host.by_slot(frame, slot), off, width, align_log2, false)?;
        Some(loaded.0)
    }

    /// [`Memory::host_try_store`] to a local variable, of what is no copy.
    pub fn host_try_store_slot(
        &self,
        frame: HostFrame,
        slot: u32,
        off: i64,
        width: u8,
        align_log2: u8,
        bits: u64,
    ) -> bool {
        let aligned = off & ((1 << align_log2) - 1) == 0;
        aligned && self.host.by_slot(frame, slot).store(Right::HostWrite, off, width, bits)
    }
}

fn try_load(obj: &Obj, off: i64, width: u8, align_log2: u8, copy: bool) -> Option<(u64, u16)> {
    if off & ((1 << align_log2) - 1) != 0 {
        return None;
    }
    let bits = obj.load(Right::HostRead, off, width)?;
    let init = obj.init_bits(off, width);
    (copy || init == (1 << width) - 1).then_some((bits, init as u16))
}
