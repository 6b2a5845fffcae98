//! What compiled functions of the host and the engine hand each other.

use std::ffi::c_void;
use std::sync::atomic::AtomicU64;

/// A view of an object in memory, as far as compiled code looks at it: bytes from its start.
pub mod object {
    /// Bytes from one view to the next in a table, as a power of two.
    pub const BYTES_LOG2: i64 = 5;
    /// Bytes from what a very small object holds to what the next one does, as a power of two.
    pub const SMALL_LOG2: i64 = 5;
    /// The object's bytes.
    pub const DATA: usize = 0;
    /// A bit of initialisation per byte; null where all is initialised.
    pub const INIT: usize = 8;
    /// How many bytes there are; 64 bits.
    pub const SIZE: usize = 16;
    /// Who may read and write them, all or none; 8 bits. A dead object has no rights.
    pub const RIGHTS: usize = 24;
    /// The right of the host to read.
    pub const HOST_READS: u8 = 1;
    /// The right of the host to write.
    pub const HOST_WRITES: u8 = 2;
}

/// The low half of a pointer to an object's start.
pub const CENTRE: i64 = 0x8000_0000;
/// Local variables that are found by their ids: a power of two.
pub const RECENT: i64 = 64;

/// A function that compiled code calls. Each gives 0 where compiled code is to leave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum HostHelper {
    /// `(cx, operation, words, function) -> go on`: does an operation on the frame's words. The function is as in
    /// [`HostProgram::function`](super::HostProgram::function).
    Do,
    /// `(cx, slot) -> go on`: the address of a local variable, in [`HostContext::value`].
    Address,
    /// `(cx, place, access, value, bits) -> go on`: a load or a store that the inline code does not do. The place is a pointer
    /// or an offset in a local variable; the access is one of [`super::abi::pack`]. What is loaded, and the bits of
    /// initialisation of a copy, are in [`HostContext::value`].
    Access,
    /// `(cx, operation, pointer, row, function) -> go on`: finds the function that is called through a pointer, and writes it to a
    /// row of the call's [`HostCache`].
    Find,
    /// `(cx, function) -> go on`: makes the local variables of a function that compiled code is about to call. The context is the
    /// function's from then on, in the fields that speak of local variables.
    EnterLocals,
    /// `(cx) -> 1`: ends them, and gives the caller its context back.
    LeaveLocals,
    /// `(cx, pointer) -> 1`: the view of the object of a pointer, in [`HostContext::value`]; one that refuses where it is not at
    /// hand.
    LookUp,
}

/// How many helpers there are.
pub const HELPERS: usize = 7;

/// Functions that a call through a pointer has called, in the row that the pointer's upper half chooses.
#[derive(Debug)]
#[repr(C)]
pub struct HostCache {
    /// See [`cache`].
    pub rows: [[AtomicU64; 4]; cache::ROWS],
}

impl Default for HostCache {
    /// Nothing was called. Each row has a pointer that belongs into another one, so that none is found.
    fn default() -> HostCache {
        let mut rows: [[AtomicU64; 4]; cache::ROWS] = Default::default();
        *rows[0][0].get_mut() = 1 << 32;
        HostCache { rows }
    }
}

/// A row of a [`HostCache`]: bytes from its start. All its functions take their arguments in the first words of their
/// frames, one behind the other.
pub mod cache {
    /// Rows, a power of two.
    pub const ROWS: usize = 4;
    /// From one row to the next, a power of two.
    pub const BYTES: i32 = 32;
    /// The pointer.
    pub const POINTER: i32 = 0;
    /// The address of the function's machine code.
    pub const MACHINE: i32 = 8;
    /// The function, as frames name it.
    pub const FUNCTION: i32 = 16;
    /// How many bytes of registers its frame has.
    pub const WORDS: i32 = 24;
}

/// A frame on the stack of calls: bytes from its start.
pub mod frame {
    /// From one frame to the next.
    pub const BYTES: i32 = 48;
    /// The function.
    pub const CODE: i32 = 0;
    /// Where it goes on.
    pub const PC: i32 = 8;
}

/// In place of an operation: a function that compiled code has called has returned.
pub const RETURNED: u32 = u32::MAX;
/// In place of an entry: compiled code calls the function.
pub const CALLED: u32 = 1 << 31;

/// An access as [`HostHelper::Access`] takes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Packed {
    /// Bytes.
    pub width: u8,
    /// The alignment as a power of two.
    pub align_log2: u8,
    /// Whether it is a copy, which takes bits of initialisation along.
    pub copy: bool,
    /// Whether it stores.
    pub stores: bool,
    /// The local variable, if it is to one.
    pub slot: Option<u16>,
}

/// Makes a word of an access.
pub fn pack(a: Packed) -> u64 {
    u64::from(a.width)
        | u64::from(a.align_log2) << 8
        | u64::from(a.copy) << 16
        | u64::from(a.stores) << 17
        | u64::from(a.slot.is_some()) << 18
        | u64::from(a.slot.unwrap_or(0)) << 32
}

/// What [`pack`] made a word of.
pub fn unpack(word: u64) -> Packed {
    Packed {
        width: word as u8,
        align_log2: (word >> 8) as u8,
        copy: word >> 16 & 1 != 0,
        stores: word >> 17 & 1 != 0,
        slot: (word >> 18 & 1 != 0).then_some((word >> 32) as u16),
    }
}

/// What compiled code knows of the machine. What stands before [`HostContext::value`] does not change while an activation runs
/// but for the time of its calls.
#[derive(Debug)]
#[repr(C)]
pub struct HostContext {
    /// Views of the objects of the object table, by id.
    pub table: *const u8,
    /// How many there are.
    pub table_len: u64,
    /// Where very small objects mostly have their bytes, by id.
    pub small: u64,
    /// Views of the local variables of the thread that runs.
    pub locals: *const u8,
    /// How many there are.
    pub locals_len: u64,
    /// Ids and numbers of local variables, 32 bits each, by the id's low bits.
    pub recent: *const u64,
    /// A view that refuses every access.
    pub refuses: *const u8,
    /// The view of the frame's first local variable.
    pub slots: *const u8,
    /// Its bytes; those of the others follow.
    pub slot_data: *mut u8,
    /// Its bits of initialisation; those of the others follow.
    pub slot_init: *mut u8,
    /// The functions by [`HostHelper`].
    pub helpers: [usize; HELPERS],
    /// The end of the stack of registers.
    pub words_end: *mut u64,
    /// Where the last frame ends that may be entered on the stack of calls.
    pub frames_end: *mut u8,
    /// What helpers give.
    pub value: [u64; 2],
    /// The end of the innermost frame on the stack of calls, once compiled code has left. In the frames that it has entered
    /// there are the function and, but for the innermost, where it goes on.
    pub frames: *mut u8,
    /// For the engine's use: the machine, and the local variables of the frame for which compiled code was entered.
    pub engine: [*mut c_void; 2],
}
