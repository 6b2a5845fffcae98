//! Instructions.
//!
//! [`InstData`] is matched exhaustively everywhere: a new instruction does not compile until every
//! consumer has said what it means there. Operands that vary in number live in the function's
//! [`ValueList`] pool.

use crate::entities::*;
use crate::ops::*;
use crate::types::Type;
use cranelift_entity::{EntityList, ListPool};

/// A list of values, stored in the function's pool.
pub type ValueList = EntityList<Value>;
/// The pool of a function's value lists.
pub type ValuePool = ListPool<Value>;

/// A branch target with the values for its block's parameters.
#[derive(Clone, Copy, Debug)]
pub struct BlockCall {
    /// The block jumped to.
    pub block: Block,
    /// One value per parameter of the block.
    pub args: ValueList,
}

/// What is said of a memory access besides its type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MemFlags {
    /// The access may not be merged, dropped or reordered with other volatile ones.
    pub volatile: bool,
    /// Of a load: bytes may be uninitialised without a fault, since only some of their bits are used (a
    /// store to a bit-field reads its neighbours to write them back).
    pub partial: bool,
    /// Alignment that the language demands of the address, as a power of two (0 is one byte).
    pub align_log2: u8,
}

impl MemFlags {
    /// Alignment in bytes.
    pub fn align(self) -> u32 {
        1 << self.align_log2
    }

    /// Plain access with the alignment given in bytes (a power of two).
    pub fn aligned(bytes: u32) -> MemFlags {
        debug_assert!(bytes.is_power_of_two());
        MemFlags { volatile: false, partial: false, align_log2: bytes.trailing_zeros() as u8 }
    }

    /// Plain access with the natural alignment of `ty`.
    pub fn natural(ty: Type) -> MemFlags {
        MemFlags::aligned(ty.align())
    }

    /// The same, volatile.
    pub fn with_volatile(self, volatile: bool) -> MemFlags {
        MemFlags { volatile, ..self }
    }

    /// The same, of which only some bits are used.
    pub fn with_partial(self, partial: bool) -> MemFlags {
        MemFlags { partial, ..self }
    }
}

/// Why control cannot go on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TrapCode {
    /// The program said that this is not reached (`__builtin_unreachable`, after a `noreturn` call).
    Unreachable,
    /// The end of a function with a result was reached without `return`.
    MissingReturn,
    /// `__trap()`, `__builtin_trap()`.
    Trap,
    /// A construct that cudair does not support; the module's message says which. Not a fault of the
    /// program: the run ends with a diagnostic of class `unsupported`.
    Unsupported(Message),
}

/// An instruction.
#[derive(Clone, Debug)]
pub enum InstData {
    /// A constant: the low bits of `bits`, as many as `ty` has (two's complement, IEEE, x87, or a
    /// pointer's bits, 0 being the null pointer).
    Const {
        /// Result type.
        ty: Type,
        /// The bits; those above the type's width are zero.
        bits: u128,
    },
    /// The address of a variable of static storage; type `ptr` of the variable's space.
    GlobalAddr {
        /// The variable.
        global: GlobalId,
    },
    /// The address of a function; type `ptr.code`.
    FuncAddr {
        /// The function.
        func: FuncId,
    },
    /// The address of a local variable; type `ptr` of the slot's space.
    SlotAddr {
        /// The variable.
        slot: Slot,
    },
    /// A special register; `i32`, the counters `i64`.
    Special {
        /// Which.
        reg: SpecialReg,
    },
    /// One operand, result of the same type.
    Unary {
        /// The operation.
        op: UnaryOp,
        /// `ineg` only: overflow is undefined behaviour.
        nsw: bool,
        /// The operand.
        arg: Value,
    },
    /// A conversion to `ty`.
    Cast {
        /// The conversion.
        op: CastOp,
        /// Result type.
        ty: Type,
        /// The operand.
        arg: Value,
    },
    /// Two operands and a result of one type.
    Binary {
        /// The operation.
        op: BinaryOp,
        /// Signed overflow is undefined behaviour; see [`BinaryOp::takes_nsw`].
        nsw: bool,
        /// Left and right operand.
        args: [Value; 2],
    },
    /// Integer or pointer comparison; `i1`.
    Icmp {
        /// The condition.
        cc: IntCC,
        /// Left and right operand.
        args: [Value; 2],
    },
    /// Floating comparison; `i1`.
    Fcmp {
        /// The condition.
        cc: FloatCC,
        /// Left and right operand.
        args: [Value; 2],
    },
    /// Three operands; the result has the type of the last.
    Ternary {
        /// The operation.
        op: TernaryOp,
        /// The operands.
        args: [Value; 3],
    },
    /// A pointer moved by an `i64` number of bytes. Saturates at the range of its object.
    PtrAdd {
        /// The pointer.
        ptr: Value,
        /// Bytes, signed.
        offset: Value,
    },
    /// Distance in bytes, `i64`, between two pointers into one object (`args[0] - args[1]`).
    PtrDiff {
        /// Left and right pointer.
        args: [Value; 2],
    },
    /// A load.
    Load {
        /// Result type.
        ty: Type,
        /// Volatility and alignment.
        flags: MemFlags,
        /// The address.
        ptr: Value,
        /// The site.
        site: Site,
    },
    /// A store.
    Store {
        /// Volatility and alignment.
        flags: MemFlags,
        /// The value.
        value: Value,
        /// The address.
        ptr: Value,
        /// The site.
        site: Site,
    },
    /// Copies `len` bytes with their initialisation state: aggregate assignment, `memcpy` with a
    /// known meaning. The ranges may be identical; where they overlap otherwise the bytes are moved
    /// as by `memmove`.
    MemCopy {
        /// Alignment of both addresses, volatility.
        flags: MemFlags,
        /// Where to.
        dst: Value,
        /// Where from.
        src: Value,
        /// Bytes, `i64`.
        len: Value,
        /// The site of the write.
        dst_site: Site,
        /// The site of the read.
        src_site: Site,
    },
    /// Fills `len` bytes.
    MemFill {
        /// Alignment, volatility.
        flags: MemFlags,
        /// Where to.
        dst: Value,
        /// The byte, `i8`.
        byte: Value,
        /// Bytes, `i64`.
        len: Value,
        /// The site.
        site: Site,
    },
    /// A lifetime marker of a local variable. A slot without markers lives as long as its frame.
    Lifetime {
        /// Begin or end.
        op: LifetimeOp,
        /// The variable.
        slot: Slot,
    },
    /// A check that an index lies in its array, `0..len`, where the enclosing object is larger than the array: a row,
    /// a member.
    Bounds {
        /// `i32` or `i64`, below `len` as an unsigned number.
        index: Value,
        /// Elements.
        len: u64,
    },
    /// Memory of the current frame of `size` bytes (`alloca`, variable length arrays); pointer in
    /// space `host` or `local`.
    Alloca {
        /// Result type, a pointer.
        ty: Type,
        /// A variable length array: executed again in its frame, what it gave before has left its scope.
        scoped: bool,
        /// Bytes, `i64`.
        size: Value,
        /// Alignment as a power of two.
        align_log2: u8,
    },
    /// An atomic load.
    AtomicLoad {
        /// Result type.
        ty: Type,
        /// Order.
        order: MemOrder,
        /// Scope.
        scope: Scope,
        /// The address.
        ptr: Value,
        /// The site.
        site: Site,
    },
    /// An atomic store.
    AtomicStore {
        /// Order.
        order: MemOrder,
        /// Scope.
        scope: Scope,
        /// The value.
        value: Value,
        /// The address.
        ptr: Value,
        /// The site.
        site: Site,
    },
    /// An atomic read-modify-write; the result is the old value.
    AtomicRmw {
        /// The operation.
        op: AtomicOp,
        /// Order.
        order: MemOrder,
        /// Scope.
        scope: Scope,
        /// The address.
        ptr: Value,
        /// The operand; its type is the type in memory.
        value: Value,
        /// The site.
        site: Site,
    },
    /// Atomic compare and swap; the result is the old value.
    AtomicCas {
        /// Order.
        order: MemOrder,
        /// Scope.
        scope: Scope,
        /// The address.
        ptr: Value,
        /// The value compared with.
        expected: Value,
        /// The value stored when equal.
        new: Value,
        /// The site.
        site: Site,
    },
    /// A memory fence.
    Fence {
        /// Order.
        order: MemOrder,
        /// Scope.
        scope: Scope,
        /// The site.
        site: Site,
    },
    /// A barrier of the block, or of its cluster. Convergent. `count`, `and` and `or` take an `i32` and give an `i32`.
    Barrier {
        /// Which.
        kind: BarrierKind,
        /// The predicate, where the kind has one.
        args: ValueList,
        /// The site.
        site: Site,
    },
    /// `__syncwarp(mask)`. Convergent.
    WarpSync {
        /// The mask, `i32`.
        mask: Value,
        /// The site.
        site: Site,
    },
    /// A warp shuffle. Convergent. Result of the type of `value`.
    Shfl {
        /// How the source lane is found.
        mode: ShflMode,
        /// The mask, `i32`.
        mask: Value,
        /// The value offered.
        value: Value,
        /// Lane or distance, `i32`.
        lane: Value,
        /// Width of the sub-warp, `i32`.
        width: Value,
        /// The site.
        site: Site,
    },
    /// A warp vote; `i32`. Convergent.
    Vote {
        /// Which.
        mode: VoteMode,
        /// The mask, `i32`.
        mask: Value,
        /// The predicate, `i32`; non-zero holds.
        pred: Value,
        /// The site.
        site: Site,
    },
    /// A warp match; a mask `i32`, for `all` also the predicate, `i32`. Convergent.
    Match {
        /// Which.
        mode: MatchMode,
        /// The mask, `i32`.
        mask: Value,
        /// The value, `i32` or `i64`.
        value: Value,
        /// The site.
        site: Site,
    },
    /// A warp reduction; `i32`. Convergent.
    Reduce {
        /// The operation.
        op: ReduceOp,
        /// The mask, `i32`.
        mask: Value,
        /// The value, `i32`.
        value: Value,
        /// The site.
        site: Site,
    },
    /// The mask of active lanes; `i32`. Convergent.
    ActiveMask {
        /// It stands for the mask that an old warp function does not take (`__shfl`, `__any`).
        implied: bool,
        /// The site.
        site: Site,
    },
    /// A direct call. A callee without a body is a native function, found by its name.
    Call {
        /// The callee.
        func: FuncId,
        /// Arguments, more than parameters where the callee is variadic.
        args: ValueList,
        /// The site.
        site: Site,
    },
    /// A call through a pointer.
    CallIndirect {
        /// What the caller believes the callee to be.
        sig: SigId,
        /// The function pointer.
        callee: Value,
        /// Arguments.
        args: ValueList,
        /// The site.
        site: Site,
    },
    /// A direct call that may throw: control goes on at `normal`, whose block's *first* parameter
    /// is the result if there is one, or at `unwind`, whose block's first parameter is the exception
    /// object. Ends the block.
    Invoke {
        /// The callee.
        func: FuncId,
        /// Arguments.
        args: ValueList,
        /// Where to go on. Its arguments exclude the result.
        normal: BlockCall,
        /// Where to go on when an exception passes. Its arguments exclude the exception.
        unwind: BlockCall,
        /// The site.
        site: Site,
    },
    /// [`InstData::Invoke`] through a pointer.
    InvokeIndirect {
        /// What the caller believes the callee to be.
        sig: SigId,
        /// The function pointer.
        callee: Value,
        /// Arguments.
        args: ValueList,
        /// As in `invoke`.
        normal: BlockCall,
        /// As in `invoke`.
        unwind: BlockCall,
        /// The site.
        site: Site,
    },
    /// A kernel launch. The first eight arguments are the configuration: grid x, y, z and block x, y,
    /// z (`i32`), dynamic shared memory in bytes (`i64`), stream (a pointer); then the kernel's
    /// arguments. The result is the error code, `i32`.
    Launch {
        /// The kernel.
        kernel: FuncId,
        /// Configuration and arguments.
        args: ValueList,
        /// The site.
        site: Site,
    },
    /// A launch through a pointer.
    LaunchIndirect {
        /// The kernel's signature.
        sig: SigId,
        /// The kernel.
        callee: Value,
        /// Configuration and arguments.
        args: ValueList,
        /// The site.
        site: Site,
    },
    /// `va_start`, `va_end`, `va_copy`.
    Va {
        /// Which.
        op: VaOp,
        /// Pointer to the list; for `copy` also to the source.
        args: ValueList,
        /// The site.
        site: Site,
    },
    /// `va_arg`: the next argument, read as `ty`.
    VaArg {
        /// Result type.
        ty: Type,
        /// Pointer to the list.
        list: Value,
        /// The site.
        site: Site,
    },
    /// Goes to a block.
    Jump {
        /// The target.
        dest: BlockCall,
    },
    /// Goes to one of two blocks.
    Branch {
        /// The condition, `i1`.
        cond: Value,
        /// Where to go if it is 1.
        then: BlockCall,
        /// Where to go if it is 0.
        other: BlockCall,
    },
    /// Goes to the block whose case equals the operand.
    Switch {
        /// The operand, an integer.
        arg: Value,
        /// The cases.
        table: SwitchTable,
    },
    /// Leaves the function.
    Return {
        /// The result, if the function has one.
        args: ValueList,
    },
    /// Passes an exception on to the caller.
    Resume {
        /// The exception object.
        exception: Value,
    },
    /// Control cannot go on.
    Trap {
        /// Why.
        code: TrapCode,
    },
}

/// The cases of a `switch`. No two cases have one value.
#[derive(Clone, Debug)]
pub struct SwitchData {
    /// Where to go when no case matches.
    pub default: BlockCall,
    /// Value (low bits of the operand's type) and target.
    pub cases: Vec<(u128, BlockCall)>,
}

impl InstData {
    /// Whether this ends a block.
    pub fn is_terminator(&self) -> bool {
        use InstData::*;
        matches!(
            self,
            Jump { .. }
                | Branch { .. }
                | Switch { .. }
                | Return { .. }
                | Resume { .. }
                | Trap { .. }
                | Invoke { .. }
                | InvokeIndirect { .. }
        )
    }

    /// Whether no pass may duplicate it or change what its execution depends on.
    pub fn is_convergent(&self) -> bool {
        use InstData::*;
        matches!(
            self,
            Barrier { .. }
                | WarpSync { .. }
                | Shfl { .. }
                | Vote { .. }
                | Match { .. }
                | Reduce { .. }
                | ActiveMask { .. }
        )
    }

    /// Whether executing it does nothing but compute its results, whatever its operands: it may be
    /// dropped when they are unused and moved anywhere its operands dominate.
    pub fn is_pure(&self) -> bool {
        use InstData::*;
        match self {
            Const { .. } | GlobalAddr { .. } | FuncAddr { .. } | SlotAddr { .. } => true,
            Special { reg } => !matches!(reg, SpecialReg::Clock | SpecialReg::Globaltimer),
            Unary { nsw, .. } => !nsw,
            Binary { op, nsw, .. } => !nsw && !op.can_trap(),
            Cast { op, .. } => !matches!(op, CastOp::Fptosi | CastOp::Fptoui),
            Fcmp { .. } | Ternary { .. } | PtrAdd { .. } => true,
            // Ordering pointers into different objects is undefined behaviour.
            Icmp { cc, .. } => {
                matches!(cc, IntCC::Eq | IntCC::Ne | IntCC::Slt | IntCC::Sle | IntCC::Sgt | IntCC::Sge)
            }
            _ => false,
        }
    }

    /// The site of this instruction, and for a copy also that of its read.
    pub fn sites(&self) -> [Option<Site>; 2] {
        let mut found = [None, None];
        let mut n = 0;
        self.clone().map_sites(|s| {
            found[n] = Some(s);
            n += 1;
            s
        });
        found
    }

    /// Replaces the sites (`f` gets each old one); for cloning an instruction into another function.
    pub fn map_sites(&mut self, mut f: impl FnMut(Site) -> Site) {
        use InstData::*;
        match self {
            Load { site, .. }
            | Store { site, .. }
            | MemFill { site, .. }
            | AtomicLoad { site, .. }
            | AtomicStore { site, .. }
            | AtomicRmw { site, .. }
            | AtomicCas { site, .. }
            | Fence { site, .. }
            | Barrier { site, .. }
            | WarpSync { site, .. }
            | Shfl { site, .. }
            | Vote { site, .. }
            | Match { site, .. }
            | Reduce { site, .. }
            | ActiveMask { site, .. }
            | Call { site, .. }
            | CallIndirect { site, .. }
            | Invoke { site, .. }
            | InvokeIndirect { site, .. }
            | Launch { site, .. }
            | LaunchIndirect { site, .. }
            | Va { site, .. }
            | VaArg { site, .. } => *site = f(*site),
            MemCopy { dst_site, src_site, .. } => {
                *dst_site = f(*dst_site);
                *src_site = f(*src_site);
            }
            _ => {}
        }
    }

    /// The targets that stand in the instruction itself (a switch keeps its own in its table).
    pub fn targets_mut(&mut self) -> [Option<&mut BlockCall>; 2] {
        use InstData::*;
        match self {
            Jump { dest } => [Some(dest), None],
            Branch { then, other, .. } => [Some(then), Some(other)],
            Invoke { normal, unwind, .. } | InvokeIndirect { normal, unwind, .. } => {
                [Some(normal), Some(unwind)]
            }
            _ => [None, None],
        }
    }

    /// Visits the operands in order: single values and lists. Switch tables are not visited (they
    /// belong to the function; see [`crate::Function::for_each_arg`]).
    pub(crate) fn visit_operands(&mut self, mut f: impl FnMut(Operand<'_>)) {
        use InstData::*;
        use Operand::{List, One};
        match self {
            Const { .. }
            | GlobalAddr { .. }
            | FuncAddr { .. }
            | SlotAddr { .. }
            | Special { .. }
            | Lifetime { .. }
            | Fence { .. }
            | ActiveMask { .. }
            | Trap { .. } => {}
            Unary { arg, .. } | Cast { arg, .. } | Switch { arg, .. } => f(One(arg)),
            Bounds { index, .. } => f(One(index)),
            Binary { args, .. } | Icmp { args, .. } | Fcmp { args, .. } | PtrDiff { args } => {
                for v in args {
                    f(One(v));
                }
            }
            Ternary { args, .. } => args.iter_mut().for_each(|v| f(One(v))),
            PtrAdd { ptr, offset } => {
                f(One(ptr));
                f(One(offset));
            }
            Load { ptr, .. } | AtomicLoad { ptr, .. } => f(One(ptr)),
            Store { value, ptr, .. } | AtomicStore { value, ptr, .. } => {
                f(One(value));
                f(One(ptr));
            }
            MemCopy { dst, src, len, .. } => {
                f(One(dst));
                f(One(src));
                f(One(len));
            }
            MemFill { dst, byte, len, .. } => {
                f(One(dst));
                f(One(byte));
                f(One(len));
            }
            Alloca { size, .. } => f(One(size)),
            AtomicRmw { ptr, value, .. } => {
                f(One(ptr));
                f(One(value));
            }
            AtomicCas { ptr, expected, new, .. } => {
                f(One(ptr));
                f(One(expected));
                f(One(new));
            }
            WarpSync { mask, .. } => f(One(mask)),
            Shfl { mask, value, lane, width, .. } => {
                f(One(mask));
                f(One(value));
                f(One(lane));
                f(One(width));
            }
            Vote { mask, pred, .. } => {
                f(One(mask));
                f(One(pred));
            }
            Match { mask, value, .. } | Reduce { mask, value, .. } => {
                f(One(mask));
                f(One(value));
            }
            Barrier { args, .. }
            | Call { args, .. }
            | Launch { args, .. }
            | Va { args, .. }
            | Return { args } => {
                f(List(args));
            }
            CallIndirect { callee, args, .. } | LaunchIndirect { callee, args, .. } => {
                f(One(callee));
                f(List(args));
            }
            Invoke { args, normal, unwind, .. } => {
                f(List(args));
                f(List(&mut normal.args));
                f(List(&mut unwind.args));
            }
            InvokeIndirect { callee, args, normal, unwind, .. } => {
                f(One(callee));
                f(List(args));
                f(List(&mut normal.args));
                f(List(&mut unwind.args));
            }
            VaArg { list, .. } => f(One(list)),
            Jump { dest } => f(List(&mut dest.args)),
            Branch { cond, then, other } => {
                f(One(cond));
                f(List(&mut then.args));
                f(List(&mut other.args));
            }
            Resume { exception } => f(One(exception)),
        }
    }
}

/// An operand as [`InstData::visit_operands`] shows it.
pub(crate) enum Operand<'a> {
    /// A single value.
    One(&'a mut Value),
    /// A list in the function's pool.
    List(&'a mut ValueList),
}
