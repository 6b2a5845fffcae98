//! What compiled code and the engine hand each other: memory of a fixed layout.
//!
//! The engine fills a [`Frame`] for each launch and updates it for each block; compiled code reads it, and calls back
//! through its table of functions.

use std::ffi::c_void;

/// Threads of a block at most.
pub const LANES: usize = 1024;
/// Bytes of a value of a lane in [`Frame::lanes`].
pub const LANE_BYTES: usize = 8;
/// Bytes from a value of a lane to its next value there: no multiple of a page, so that they share no set of a cache.
pub const VALUE_BYTES: usize = LANES * LANE_BYTES + 64;

/// Lanes of a warp.
pub const WARP: u32 = cudair_ir::cost::WARP as u32;

/// All lanes have exited.
pub const DONE: u32 = u32::MAX;
/// The launch cannot go on in compiled code: [`Frame::reason`] says why. It is put back, and the bytecode runs it.
pub const BAIL: u32 = u32::MAX - 1;

/// The line's epoch stands for the place of its cells (`epoch_lines.rs` in the race detector).
pub const APART: u32 = 1 << 31;
/// An epoch of several threads (`epochs.rs` in the race detector).
pub const SEVERAL: u32 = 1 << 10;
/// An epoch of atomic writes only (`epochs.rs` in the race detector).
pub const ATOMIC: u32 = 1 << 11;

/// Lanes that a word of [`Frame::active`] tells of.
pub const WORD: u32 = 64;
/// Words of [`Frame::waiting`] for each entry: those of a strip of lanes.
pub const WORDS: usize = 4;

/// Why compiled code gave up a launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Bail {
    /// An access outside its object, or to one that it may not touch.
    Access = 1,
    /// A misaligned access.
    Alignment,
    /// A read of what was never written.
    Uninitialised,
    /// A race is suspected in shared memory.
    SharedRace,
    /// A race is suspected in global memory.
    GlobalRace,
    /// Signed overflow.
    Overflow,
    /// A division by zero, or one that overflows.
    Division,
    /// A shift by too much.
    Shift,
    /// An index beyond its row.
    Row,
    /// Pointers to two objects were compared or subtracted, or one went too far from its object.
    Pointer,
    /// Threads of a block came to different barriers, or some have exited.
    Barrier,
    /// The code behind a trap.
    Trap,
    /// A loop took too many turns, or the run is to end.
    Turns,
    /// A call that the bytecode has to make.
    Call,
    /// The engine refused what it was asked.
    Refused,
}

impl Bail {
    /// All of them, in order.
    pub const ALL: [Bail; 15] = [
        Bail::Access,
        Bail::Alignment,
        Bail::Uninitialised,
        Bail::SharedRace,
        Bail::GlobalRace,
        Bail::Overflow,
        Bail::Division,
        Bail::Shift,
        Bail::Row,
        Bail::Pointer,
        Bail::Barrier,
        Bail::Trap,
        Bail::Turns,
        Bail::Call,
        Bail::Refused,
    ];

    /// The reason of this number.
    pub fn from_number(n: u32) -> Option<Bail> {
        Bail::ALL.into_iter().find(|b| *b as u32 == n)
    }
}

/// A function that compiled code calls. Each gives 0 where compiled code is to give up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Helper {
    /// `(frame) -> go on`: [`Frame::turns`] have been used up.
    Poll,
    /// `(frame, root, offset, width) -> go on`: bytes of an object are about to be written that the undo log lacks.
    Save,
    /// `(frame, root, offset, width | kind << 32, thread) -> go on`: an access that the inline code does not compare with
    /// others. The kind is one of [`kind`].
    Stamp,
    /// `(frame, pointer, width | log2 of the alignment << 32, thread) -> go on`: a load through a pointer of which
    /// nothing is known. The value is in [`Frame::value`].
    Load,
    /// The same for a store of [`Frame::value`].
    Store,
    /// `(frame, function)`: a mathematical function of the plan (`Plan::math`), of the arguments in [`Frame::value`] and behind.
    Math,
    /// `(frame, function, lanes | [wide]...)`: the same for those of eight lanes whose bits are set, of the arguments in
    /// [`Frame::rows`].
    MathLanes,
    /// `(frame, root, log2 of the granule, thread | lanes << 32) -> go on`: of eight threads in a row, of which this is the first,
    /// those whose bits are set read a granule each of shared memory, at [`Frame::offsets`].
    ReadShared,
}

/// How many helpers there are.
pub const HELPERS: usize = 8;

/// Lanes of a [`Row`].
pub const ROW: usize = 8;
/// A number of each of eight lanes in a row, of four bytes or of eight, without a gap between them.
pub type Row = [u64; ROW];
/// Arguments of a mathematical function, at most.
pub const ARGS: usize = 4;

/// Set for [`Helper::MathLanes`] where a row of [`Frame::rows`] is of numbers of eight bytes.
pub const fn wide(row: usize) -> u64 {
    1 << (ROW + row)
}

/// Kinds of accesses, for [`Helper::Stamp`].
pub mod kind {
    /// A plain read.
    pub const READ: u64 = 0;
    /// A plain write.
    pub const WRITE: u64 = 1;
    /// An atomic read-modify-write.
    pub const UPDATE: u64 = 2;
    /// Set where eight threads in a row make the access, side by side.
    pub const RUN: u64 = 1 << 8;
    /// Set where eight threads in a row make the access, all to one place.
    pub const SAME: u64 = 1 << 9;
}

/// An object as compiled code sees it.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct View {
    /// Its bytes.
    pub data: *mut u8,
    /// A bit of initialisation per byte, where the object keeps any.
    pub init: *mut u8,
    /// By the binary logarithm of an access's width up to 16: the first offset at which a read does not fit any more.
    pub reads: [u64; 5],
    /// The same for writes.
    pub writes: [u64; 5],
    /// A bit per page of 4,096 bytes that is in the undo log.
    pub saved: *mut u64,
    /// Epochs of lines of writers; in shared memory, of cells.
    pub write_lines: *mut u32,
    /// Epochs of cells of writers.
    pub write_cells: *mut u32,
    /// Epochs of lines of readers; in shared memory, of cells.
    pub read_lines: *mut u32,
    /// Epochs of cells of readers.
    pub read_cells: *mut u32,
    /// The guest pointer to its start.
    pub start: u64,
    /// Where in it the root points, in bytes from its start.
    pub offset: i64,
}

impl View {
    /// An object that refuses every access.
    pub const NONE: View = View {
        data: std::ptr::null_mut(),
        init: std::ptr::null_mut(),
        reads: [0; 5],
        writes: [0; 5],
        saved: std::ptr::null_mut(),
        write_lines: std::ptr::null_mut(),
        write_cells: std::ptr::null_mut(),
        read_lines: std::ptr::null_mut(),
        read_cells: std::ptr::null_mut(),
        start: 0,
        offset: 0,
    };

    /// The limits of accesses to `size` bytes, as in [`View::reads`].
    pub fn limits(size: u64) -> [u64; 5] {
        std::array::from_fn(|n| (size + 1).saturating_sub(1 << n))
    }
}

/// A launch as compiled code sees it.
#[derive(Debug)]
#[repr(C)]
pub struct Frame {
    /// The kernel's arguments, a word each.
    pub args: *const u64,
    /// The objects behind the kernel's roots.
    pub roots: *const View,
    /// Values that live across synchronisation points: [`LANES`] words for each, [`VALUE_BYTES`] apart.
    pub lanes: *mut u8,
    /// Values that are the same for all threads of the block, a word each: those of the last synchronisation point, and those of
    /// the next one.
    pub uniform: [*mut u64; 2],
    /// Numbers that the lanes of a warp hand each other, [`WARP`] words: those of the last warp operation, and those of the next one.
    pub exchange: [*mut u64; 2],
    /// Local variables in memory, of eight lanes in a row each, or of those that run.
    pub locals: *mut u8,
    /// The block's index.
    pub block: [u32; 3],
    /// Blocks of the grid.
    pub grid: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// Epochs of the launch in global memory begin here.
    pub launch_epoch: u32,
    /// Those of the block.
    pub block_epoch: u32,
    /// Those of the running interval.
    pub first_epoch: u32,
    /// Epochs of the block in shared memory begin here.
    pub shared_block: u32,
    /// Those of the running interval.
    pub shared_first: u32,
    /// By root up to 64, a bit: the block has written every byte of this `__shared__` variable before its last barrier.
    pub initialised: u64,
    /// Of a kernel in which the order of atomic operations can be seen: the lanes that run, a bit each, from the first one on.
    pub active: u64,
    /// Of such a kernel: by entry, four words apart, the lanes that wait there, a bit each, of those same 64. They wait at the
    /// kernel's start when they have exited.
    pub waiting: *mut u64,
    /// Turns of loops that are left before [`Helper::Poll`] is asked.
    pub turns: i64,
    /// Why compiled code gave up, as a [`Bail`].
    pub reason: u32,
    /// Not 0 once the result of an atomic operation has been used: what follows may hang on the order of threads.
    pub unsteady: u32,
    /// What the last helper said: 0 to give up.
    pub answer: u32,
    /// What helpers take and give.
    pub value: [u64; ARGS],
    /// By argument of a mathematical function, eight lanes' numbers; behind them, the results.
    pub rows: [Row; ARGS + 1],
    /// By lane: bytes from an object's start, for helpers.
    pub offsets: [u64; 8],
    /// The functions by [`Helper`].
    pub helpers: [usize; HELPERS],
    /// For the engine's use.
    pub engine: *mut c_void,
}
