//! The operations that instructions are parametrised with, each enumeration with its text names.

/// Declares a field-less enumeration together with its names in the textual IR.
macro_rules! named_enum {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name { $($(#[$vdoc])* $variant,)* }

        impl $name {
            /// Every member, in declaration order.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The name in the textual IR.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            /// The inverse of `name`.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($text => Some($name::$variant),)* _ => None }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(self.name()) }
        }

        impl $crate::binary::Code for $name {
            fn write(&self, w: &mut $crate::binary::Writer<'_>) {
                w.byte(*self as u8);
            }
            #[inline]
            fn read(r: &mut $crate::binary::Reader<'_>) -> Option<Self> {
                $name::ALL.get(usize::from(r.byte()?)).copied()
            }
        }
    };
}

pub(crate) use named_enum;

named_enum! {
    /// Operations with one operand and a result of the same type.
    UnaryOp {
        /// Two's complement negation (`nsw` where the source is signed: see [`crate::InstData::Unary`]).
        Ineg = "ineg",
        /// Bitwise complement; of an `i1`, logical not.
        Inot = "inot",
        /// Floating negation (flips the sign bit).
        Fneg = "fneg",
        /// Floating absolute value (clears the sign bit).
        Fabs = "fabs",
        /// Correctly rounded square root.
        Fsqrt = "fsqrt",
        /// Round towards minus infinity.
        Ffloor = "ffloor",
        /// Round towards plus infinity.
        Fceil = "fceil",
        /// Round towards zero.
        Ftrunc = "ftrunc",
        /// Round to nearest, ties to even.
        Fnearest = "fnearest",
        /// Number of set bits.
        Popcnt = "popcnt",
        /// Leading zero bits; the width for zero.
        Clz = "clz",
        /// Trailing zero bits; the width for zero.
        Ctz = "ctz",
        /// Bits in reverse order.
        Bitrev = "bitrev",
        /// Bytes in reverse order.
        Bswap = "bswap",
    }
}

named_enum! {
    /// Operations with two operands of the result's type.
    BinaryOp {
        /// Integer addition.
        Iadd = "iadd",
        /// Integer subtraction.
        Isub = "isub",
        /// Integer multiplication.
        Imul = "imul",
        /// High half of the signed product.
        Smulhi = "smulhi",
        /// High half of the unsigned product.
        Umulhi = "umulhi",
        /// Signed division, towards zero. Division by zero and `MIN / -1` are undefined behaviour.
        Sdiv = "sdiv",
        /// Unsigned division. Division by zero is undefined behaviour.
        Udiv = "udiv",
        /// Signed remainder with the sign of the dividend; undefined as `sdiv` is.
        Srem = "srem",
        /// Unsigned remainder.
        Urem = "urem",
        /// Bitwise and.
        And = "and",
        /// Bitwise or.
        Or = "or",
        /// Bitwise exclusive or.
        Xor = "xor",
        /// Left shift. An amount outside `0..width` is undefined behaviour. The amount has the
        /// type of the left operand.
        Shl = "shl",
        /// Logical right shift.
        Lshr = "lshr",
        /// Arithmetic right shift.
        Ashr = "ashr",
        /// Rotate left, amount modulo the width.
        Rotl = "rotl",
        /// Signed minimum.
        Smin = "smin",
        /// Signed maximum.
        Smax = "smax",
        /// Unsigned minimum.
        Umin = "umin",
        /// Unsigned maximum.
        Umax = "umax",
        /// Floating addition.
        Fadd = "fadd",
        /// Floating subtraction.
        Fsub = "fsub",
        /// Floating multiplication.
        Fmul = "fmul",
        /// Floating division.
        Fdiv = "fdiv",
        /// C's `fmod`: the exact remainder with the sign of the dividend.
        Frem = "frem",
        /// C's `fmin`: a NaN loses against a number.
        Fmin = "fmin",
        /// C's `fmax`: a NaN loses against a number.
        Fmax = "fmax",
        /// The first operand with the sign of the second.
        Fcopysign = "fcopysign",
    }
}

impl BinaryOp {
    /// Whether operands and result are floating.
    pub fn is_float(self) -> bool {
        self >= BinaryOp::Fadd
    }

    /// Whether the operands may be exchanged (NaN payloads aside).
    pub fn is_commutative(self) -> bool {
        use BinaryOp::*;
        matches!(
            self,
            Iadd | Imul | Smulhi | Umulhi | And | Or | Xor | Smin | Smax | Umin | Umax | Fadd | Fmul
        )
    }

    /// Whether some operand values are undefined behaviour, so that the instruction must not be
    /// moved to where it was not executed, nor dropped before the machine has checked it.
    pub fn can_trap(self) -> bool {
        use BinaryOp::*;
        matches!(self, Sdiv | Udiv | Srem | Urem | Shl | Lshr | Ashr)
    }

    /// Whether the flag `nsw` (signed overflow is undefined behaviour) may stand on it.
    pub fn takes_nsw(self) -> bool {
        matches!(self, BinaryOp::Iadd | BinaryOp::Isub | BinaryOp::Imul | BinaryOp::Shl)
    }
}

named_enum! {
    /// Conversions. The result type stands in the instruction.
    CastOp {
        /// Keep the low bits (to a narrower integer; to `i1`, the lowest bit).
        Trunc = "trunc",
        /// Extend with zeros.
        Zext = "zext",
        /// Extend with the sign.
        Sext = "sext",
        /// To a narrower floating type, round to nearest even.
        Fptrunc = "fptrunc",
        /// To a wider floating type.
        Fpext = "fpext",
        /// Between `f16` and `bf16`, which are equally wide.
        Fpconv = "fpconv",
        /// Floating to signed integer, towards zero. Out of range is undefined behaviour in host C;
        /// device code saturates and turns NaN to zero.
        Fptosi = "fptosi",
        /// Floating to unsigned integer, as `fptosi`.
        Fptoui = "fptoui",
        /// Signed integer to floating, round to nearest even.
        Sitofp = "sitofp",
        /// Unsigned integer to floating.
        Uitofp = "uitofp",
        /// The same bits as another type of the same width (never to or from a pointer).
        Bitcast = "bitcast",
        /// A pointer's bits as `i64`.
        Ptrtoint = "ptrtoint",
        /// An `i64`'s bits as a pointer.
        Inttoptr = "inttoptr",
        /// The same pointer, said to be in another space. Narrowing to a space that the object is
        /// not in is undefined behaviour at the access.
        Spacecast = "spacecast",
    }
}

impl CastOp {
    /// Whether some operands are undefined behaviour on the host.
    pub fn can_trap(self) -> bool {
        matches!(self, CastOp::Fptosi | CastOp::Fptoui)
    }
}

named_enum! {
    /// Operations with three operands.
    TernaryOp {
        /// `c ? a : b` with an `i1` first; no evaluation is skipped.
        Select = "select",
        /// `a * b + c` with one rounding.
        Fma = "fma",
        /// Funnel shift left: the high word of `(a:b) << (c mod width)`.
        Fshl = "fshl",
        /// Funnel shift right: the low word of `(a:b) >> (c mod width)`.
        Fshr = "fshr",
    }
}

named_enum! {
    /// Integer and pointer comparisons.
    IntCC {
        /// Equal.
        Eq = "eq",
        /// Not equal.
        Ne = "ne",
        /// Signed less.
        Slt = "slt",
        /// Signed less or equal.
        Sle = "sle",
        /// Signed greater.
        Sgt = "sgt",
        /// Signed greater or equal.
        Sge = "sge",
        /// Unsigned less. Pointers use the unsigned orders; ordering pointers to different objects
        /// is undefined behaviour.
        Ult = "ult",
        /// Unsigned less or equal.
        Ule = "ule",
        /// Unsigned greater.
        Ugt = "ugt",
        /// Unsigned greater or equal.
        Uge = "uge",
    }
}

impl IntCC {
    /// Whether it orders signed numbers.
    pub fn is_signed(self) -> bool {
        use IntCC::*;
        matches!(self, Slt | Sle | Sgt | Sge)
    }

    /// Whether it orders unsigned numbers.
    pub fn is_unsigned(self) -> bool {
        use IntCC::*;
        matches!(self, Ult | Ule | Ugt | Uge)
    }

    /// Whether it is defined for all operands: ordering pointers into different objects, by the unsigned orders, is not.
    pub fn is_total(self) -> bool {
        !self.is_unsigned()
    }

    /// The condition that holds exactly when this one does not.
    pub fn inverse(self) -> IntCC {
        use IntCC::*;
        match self {
            Eq => Ne,
            Ne => Eq,
            Slt => Sge,
            Sle => Sgt,
            Sgt => Sle,
            Sge => Slt,
            Ult => Uge,
            Ule => Ugt,
            Ugt => Ule,
            Uge => Ult,
        }
    }

    /// The condition with the operands exchanged.
    pub fn swapped(self) -> IntCC {
        use IntCC::*;
        match self {
            Eq | Ne => self,
            Slt => Sgt,
            Sle => Sge,
            Sgt => Slt,
            Sge => Sle,
            Ult => Ugt,
            Ule => Uge,
            Ugt => Ult,
            Uge => Ule,
        }
    }
}

named_enum! {
    /// Floating comparisons: ordered ones are false, unordered ones true, where an operand is NaN.
    FloatCC {
        /// Ordered and equal (`==`).
        Oeq = "oeq",
        /// Ordered and unequal.
        One = "one",
        /// Ordered and less (`<`).
        Olt = "olt",
        /// Ordered and less or equal (`<=`).
        Ole = "ole",
        /// Ordered and greater (`>`).
        Ogt = "ogt",
        /// Ordered and greater or equal (`>=`).
        Oge = "oge",
        /// Neither is NaN.
        Ord = "ord",
        /// One is NaN.
        Uno = "uno",
        /// Unordered or equal.
        Ueq = "ueq",
        /// Unordered or unequal (`!=`).
        Une = "une",
        /// Unordered or less.
        Ult = "ult",
        /// Unordered or less or equal.
        Ule = "ule",
        /// Unordered or greater.
        Ugt = "ugt",
        /// Unordered or greater or equal.
        Uge = "uge",
    }
}

impl FloatCC {
    /// The condition that holds exactly when this one does not.
    pub fn inverse(self) -> FloatCC {
        use FloatCC::*;
        match self {
            Oeq => Une,
            One => Ueq,
            Olt => Uge,
            Ole => Ugt,
            Ogt => Ule,
            Oge => Ult,
            Ord => Uno,
            Uno => Ord,
            Ueq => One,
            Une => Oeq,
            Ult => Oge,
            Ule => Ogt,
            Ugt => Ole,
            Uge => Olt,
        }
    }
}

named_enum! {
    /// What a thread can read of its place and its machine.
    SpecialReg {
        /// `threadIdx.x`
        TidX = "tid.x",
        /// `threadIdx.y`
        TidY = "tid.y",
        /// `threadIdx.z`
        TidZ = "tid.z",
        /// `blockIdx.x`
        CtaidX = "ctaid.x",
        /// `blockIdx.y`
        CtaidY = "ctaid.y",
        /// `blockIdx.z`
        CtaidZ = "ctaid.z",
        /// `blockDim.x`
        NtidX = "ntid.x",
        /// `blockDim.y`
        NtidY = "ntid.y",
        /// `blockDim.z`
        NtidZ = "ntid.z",
        /// `gridDim.x`
        NctaidX = "nctaid.x",
        /// `gridDim.y`
        NctaidY = "nctaid.y",
        /// `gridDim.z`
        NctaidZ = "nctaid.z",
        /// The lane's number within its warp, 0 to 31.
        Laneid = "laneid",
        /// The warp's number within its block.
        Warpid = "warpid",
        /// `warpSize`, 32.
        Warpsize = "warpsize",
        /// The multiprocessor that runs the block.
        Smid = "smid",
        /// Bytes of dynamic shared memory of the launch.
        DynSmemSize = "dynamic_smem_size",
        /// Blocks of a cluster in x, 1 where blocks form none.
        ClusterNctaidX = "cluster_nctaid.x",
        /// Blocks of a cluster in y.
        ClusterNctaidY = "cluster_nctaid.y",
        /// Blocks of a cluster in z.
        ClusterNctaidZ = "cluster_nctaid.z",
        /// Whether the kernel or its launch gives clusters a shape.
        IsExplicitCluster = "is_explicit_cluster",
        /// The device's cycle counter, `i64`.
        Clock = "clock",
        /// The device's nanosecond counter, `i64`.
        Globaltimer = "globaltimer",
    }
}

impl SpecialReg {
    /// Whether it counts on while the thread runs; those are `i64`.
    pub fn is_counter(self) -> bool {
        matches!(self, SpecialReg::Clock | SpecialReg::Globaltimer)
    }
}

named_enum! {
    /// Read-modify-write operations. The result is the old value.
    AtomicOp {
        /// Integer addition.
        Add = "add",
        /// Integer subtraction.
        Sub = "sub",
        /// Floating addition.
        Fadd = "fadd",
        /// Store the operand.
        Xchg = "xchg",
        /// Signed minimum.
        Smin = "smin",
        /// Signed maximum.
        Smax = "smax",
        /// Unsigned minimum.
        Umin = "umin",
        /// Unsigned maximum.
        Umax = "umax",
        /// Floating minimum.
        Fmin = "fmin",
        /// Floating maximum.
        Fmax = "fmax",
        /// Bitwise and.
        And = "and",
        /// Bitwise or.
        Or = "or",
        /// Bitwise exclusive or.
        Xor = "xor",
        /// CUDA's `atomicInc`: `old >= v ? 0 : old + 1`.
        Inc = "inc",
        /// CUDA's `atomicDec`: `old == 0 || old > v ? v : old - 1`.
        Dec = "dec",
    }
}

named_enum! {
    /// Memory orders of atomics and fences.
    MemOrder {
        /// No order beyond the operation itself; what CUDA's `atomicAdd` and kin give.
        Relaxed = "relaxed",
        /// Later accesses stay after it.
        Acquire = "acquire",
        /// Earlier accesses stay before it.
        Release = "release",
        /// Both.
        AcqRel = "acq_rel",
        /// Both, in one order with all others; what `__threadfence` and kin give.
        SeqCst = "seq_cst",
    }
}

named_enum! {
    /// The set of threads among which an atomic or a fence is one.
    Scope {
        /// Threads of the block (`_block` forms, `__threadfence_block`).
        Block = "block",
        /// Threads of the cluster (`__threadfence_cluster`, `.cluster` in PTX).
        Cluster = "cluster",
        /// Threads of the device (the plain forms).
        Device = "device",
        /// All threads, the host's included (`_system` forms).
        System = "system",
    }
}

named_enum! {
    /// The barriers of a block, and the two halves of that of its cluster.
    BarrierKind {
        /// `__syncthreads()`
        Sync = "sync",
        /// `__syncthreads_count(p)`: how many threads have `p != 0`.
        Count = "count",
        /// `__syncthreads_and(p)`: 1 if all have, else 0.
        And = "and",
        /// `__syncthreads_or(p)`: 1 if one has, else 0.
        Or = "or",
        /// `__syncthreads()` behind which all blocks of the grid have met, because code before it waited for them.
        Grid = "grid",
        /// `barrier.cluster.arrive`: the thread has come, releases what it did, and does not wait.
        ClusterArrive = "cluster_arrive",
        /// `barrier.cluster.arrive.relaxed`: the same without a release.
        ClusterArriveRelaxed = "cluster_arrive_relaxed",
        /// `barrier.cluster.wait`: waits until all threads of the cluster have come, and acquires.
        ClusterWait = "cluster_wait",
    }
}

impl BarrierKind {
    /// Whether it is of the cluster. Threads of a block may be at different ones of these.
    pub fn is_cluster(self) -> bool {
        matches!(
            self,
            BarrierKind::ClusterArrive | BarrierKind::ClusterArriveRelaxed | BarrierKind::ClusterWait
        )
    }

    /// Whether it takes a predicate and gives a result.
    pub fn has_predicate(self) -> bool {
        matches!(self, BarrierKind::Count | BarrierKind::And | BarrierKind::Or)
    }
}

named_enum! {
    /// How a shuffle finds its source lane.
    ShflMode {
        /// The lane given.
        Idx = "idx",
        /// The own lane minus the operand.
        Up = "up",
        /// The own lane plus the operand.
        Down = "down",
        /// The own lane xor the operand.
        Bfly = "bfly",
    }
}

impl ShflMode {
    /// The lane, from 0 to 31, that a shuffle reads, as CUDA does: the lane itself where the source lies outside its segment of
    /// `width` lanes, a power of two. Of an index the low bits count.
    #[inline]
    pub fn source(self, lane: u32, operand: u32, width: u32) -> u32 {
        let width = if width == 0 || width > 32 || !width.is_power_of_two() { 32 } else { width };
        let start = lane & !(width - 1);
        let end = start + width;
        match self {
            ShflMode::Idx => start + (operand & (width - 1)),
            ShflMode::Up => lane.checked_sub(operand).filter(|&s| s >= start).unwrap_or(lane),
            ShflMode::Down => lane.checked_add(operand).filter(|&s| s < end).unwrap_or(lane),
            // An exclusive or may read an earlier segment, not a later one.
            ShflMode::Bfly => Some(lane ^ operand).filter(|&s| s < end).unwrap_or(lane),
        }
    }
}

named_enum! {
    /// Warp votes.
    VoteMode {
        /// 1 if every lane's predicate holds.
        All = "all",
        /// 1 if one lane's predicate holds.
        Any = "any",
        /// The mask of lanes whose predicate holds.
        Ballot = "ballot",
        /// 1 if all predicates are equal.
        Uni = "uni",
    }
}

named_enum! {
    /// Warp matches.
    MatchMode {
        /// The mask of lanes with the own value.
        Any = "any",
        /// The whole mask if all values are equal, else 0; a second result tells which.
        All = "all",
    }
}

named_enum! {
    /// Warp reductions (`__reduce_*_sync`).
    ReduceOp {
        /// Sum.
        Add = "add",
        /// Signed minimum.
        Smin = "smin",
        /// Signed maximum.
        Smax = "smax",
        /// Unsigned minimum.
        Umin = "umin",
        /// Unsigned maximum.
        Umax = "umax",
        /// Bitwise and.
        And = "and",
        /// Bitwise or.
        Or = "or",
        /// Bitwise exclusive or.
        Xor = "xor",
    }
}

named_enum! {
    /// Markers of a variable's lifetime.
    LifetimeOp {
        /// The variable's scope is entered: it is alive and uninitialised.
        Live = "live",
        /// The scope is left: later accesses are use after scope.
        Dead = "dead",
    }
}

named_enum! {
    /// Operations on a variable argument list. Each takes a pointer to the `va_list`.
    VaOp {
        /// `va_start`
        Start = "start",
        /// `va_end`
        End = "end",
        /// `va_copy(dst, src)`: the second operand is the source.
        Copy = "copy",
    }
}
