//! The side tables: descriptors of operations too wide or too rare for 16 bytes.

use super::regs::{Reg, S, Target};
use cudair_ir::*;
use smallvec::SmallVec;

/// A register with the type of the value in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TypedReg {
    /// The register.
    pub reg: Reg,
    /// The type.
    pub ty: Type,
}

/// A pure operation of any type. Where `d` is a vector it runs lane by lane, and scalar operands are
/// broadcast; where `d` is a scalar all operands are.
#[derive(Clone, Debug)]
pub struct GenDesc {
    /// Which.
    pub kind: GenKind,
    /// The result.
    pub d: TypedReg,
    /// The operands.
    pub args: SmallVec<[TypedReg; 3]>,
}

/// What a [`GenDesc`] computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the IR's enumerations of those names
pub enum GenKind {
    Unary {
        op: UnaryOp,
        nsw: bool,
    },
    Binary {
        op: BinaryOp,
        nsw: bool,
    },
    Cast(CastOp),
    Icmp(IntCC),
    Fcmp(FloatCC),
    Ternary(TernaryOp),
    /// The operand itself, whatever registers: a move or a broadcast.
    Copy,
}

/// A call of a pure mathematical function that the crate `math` knows.
#[derive(Clone, Debug)]
pub struct MathDesc {
    /// The declared function.
    pub func: FuncId,
    /// The result.
    pub d: TypedReg,
    /// The arguments.
    pub args: SmallVec<[TypedReg; 3]>,
}

/// Who is called.
#[derive(Clone, Copy, Debug)]
pub enum Callee {
    /// A function of the module, with a body or native.
    Direct(FuncId),
    /// A function pointer.
    Indirect {
        /// The pointer, scalar or per lane.
        ptr: Reg,
        /// What the caller believes the callee to be.
        sig: SigId,
    },
}

/// A call.
#[derive(Clone, Debug)]
pub struct CallDesc {
    /// Who.
    pub callee: Callee,
    /// The arguments. Scalars are broadcast where the callee wants a vector.
    pub args: Vec<TypedReg>,
    /// Where the result goes, if it is wanted. A scalar result is broadcast into a vector.
    pub ret: Option<TypedReg>,
}

/// The cases of a switch.
#[derive(Clone, Debug)]
pub struct SwitchDesc {
    /// Where to go when no case matches.
    pub default: Target,
    /// Values (zero-extended from the operand's type) and targets, sorted by value.
    pub cases: Vec<(u64, Target)>,
    /// Where the cases are dense: the first value and a target for each value from there on.
    pub(crate) dense: Option<(u64, Vec<Target>)>,
}

impl SwitchDesc {
    /// A table from cases in any order.
    pub fn new(default: Target, mut cases: Vec<(u64, Target)>) -> SwitchDesc {
        cases.sort_by_key(|c| c.0);
        let dense = match (cases.first(), cases.last()) {
            (Some(&(lo, _)), Some(&(hi, _))) if hi - lo < 4 * cases.len() as u64 + 8 => {
                let mut table = vec![default; (hi - lo) as usize + 1];
                for &(v, t) in &cases {
                    table[(v - lo) as usize] = t;
                }
                Some((lo, table))
            }
            _ => None,
        };
        SwitchDesc { default, cases, dense }
    }

    /// Where a value goes.
    #[inline]
    pub fn target(&self, value: u64) -> Target {
        match &self.dense {
            Some((lo, table)) => table.get(value.wrapping_sub(*lo) as usize).copied().unwrap_or(self.default),
            None => match self.cases.binary_search_by_key(&value, |c| c.0) {
                Ok(i) => self.cases[i].1,
                Err(_) => self.default,
            },
        }
    }
}

/// A place where convergence groups may meet again.
#[derive(Clone, Debug, Default)]
pub struct JoinDesc {
    /// The scalar registers that are live here, the block's own parameters included. Convergence groups merge
    /// only where all are equal. Constants need not be named.
    pub live: Vec<S>,
}

/// `MemCopy`. Addresses are scalar or per lane.
#[derive(Clone, Copy, Debug)]
pub struct CopyDesc {
    /// Where to.
    pub dst: Reg,
    /// Where from.
    pub src: Reg,
    /// Bytes, `i64`.
    pub len: Reg,
    /// Alignment and volatility.
    pub flags: MemFlags,
    /// The site of the write.
    pub dst_site: Site,
    /// The site of the read.
    pub src_site: Site,
}

/// `MemFill`.
#[derive(Clone, Copy, Debug)]
pub struct FillDesc {
    /// Where to.
    pub dst: Reg,
    /// The byte, `i8`.
    pub byte: Reg,
    /// Bytes, `i64`.
    pub len: Reg,
    /// Alignment and volatility.
    pub flags: MemFlags,
}

/// `Alloca`.
#[derive(Clone, Copy, Debug)]
pub struct AllocaDesc {
    /// The pointer.
    pub d: Reg,
    /// Bytes, `i64`.
    pub size: Reg,
    /// Alignment as a power of two.
    pub align_log2: u8,
    /// A variable length array: a number of its own in the function.
    pub scoped: Option<u32>,
}

/// What an atomic does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum AtomicKind {
    Load,
    Store,
    Rmw(AtomicOp),
    Cas,
}

/// An atomic. On the device every active lane does it, in lane order, whatever the registers.
#[derive(Clone, Copy, Debug)]
pub struct AtomicDesc {
    /// What.
    pub kind: AtomicKind,
    /// The type in memory.
    pub ty: Type,
    /// The order.
    pub order: MemOrder,
    /// The scope.
    pub scope: Scope,
    /// The address.
    pub ptr: Reg,
    /// The operand; for `Cas` the new value; absent for `Load`.
    pub value: Option<Reg>,
    /// The value compared with, for `Cas`.
    pub expected: Option<Reg>,
    /// The old value, if it is wanted.
    pub d: Option<Reg>,
}

/// A fence.
#[derive(Clone, Copy, Debug)]
pub struct FenceDesc {
    /// The order.
    pub order: MemOrder,
    /// The scope.
    pub scope: Scope,
}

/// A barrier. A `Join` should follow it.
#[derive(Clone, Copy, Debug)]
pub struct BarrierDesc {
    /// Which.
    pub kind: BarrierKind,
    /// The predicate, `i32`.
    pub pred: Option<Reg>,
    /// The result, `i32`.
    pub d: Option<Reg>,
}

/// Which warp operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the IR's instructions of those names
pub enum WarpOp {
    Sync,
    Shfl(ShflMode),
    Vote(VoteMode),
    Match(MatchMode),
    Reduce(ReduceOp),
    ActiveMask,
}

/// A warp operation. Its results differ between warps: they stand in vector registers unless the block
/// was proved to be of one warp.
#[derive(Clone, Debug)]
pub struct WarpDesc {
    /// Which.
    pub op: WarpOp,
    /// The mask; absent for `ActiveMask`.
    pub mask: Option<Reg>,
    /// The operands after the mask, in the IR's order.
    pub args: SmallVec<[TypedReg; 3]>,
    /// The results that are wanted.
    pub d: SmallVec<[Option<TypedReg>; 2]>,
}

/// A kernel launch.
#[derive(Clone, Debug)]
pub struct LaunchDesc {
    /// The kernel.
    pub kernel: Callee,
    /// Eight values of configuration, then the kernel's arguments; all scalar on the host.
    pub args: Vec<TypedReg>,
    /// The error code, `i32`.
    pub d: Option<Reg>,
}

/// Operations on argument lists. Host only; pointers are scalar.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // the IR's operations of those names
pub enum VaDesc {
    Start { list: S },
    End { list: S },
    Copy { dst: S, src: S },
    Arg { list: S, d: TypedReg },
}

/// Where a call goes on when it throws. Host only.
#[derive(Clone, Debug)]
pub struct Landing {
    /// The operation behind the call.
    pub after: u32,
    /// Where to go on.
    pub target: Target,
    /// The register that gets the exception, if it is wanted.
    pub exception: Option<Reg>,
    /// The handlers that may take it: tables and how many entries each has.
    pub tables: SmallVec<[(GlobalId, u32); 2]>,
    /// Whether there may be others.
    pub unknown: bool,
}

/// A local variable of a frame.
#[derive(Clone, Debug)]
pub struct SlotLayout {
    /// The IR's slot.
    pub slot: Slot,
    /// Bytes.
    pub size: u32,
    /// Alignment as a power of two.
    pub align_log2: u8,
    /// The source name; empty for temporaries.
    pub name: String,
    /// Where it is declared.
    pub loc: PackedOption<Loc>,
    /// For a piece of a variable that was taken apart: the piece's offset in it, and its size.
    pub part: Option<(u32, u32)>,
    /// Whether its lifetime has markers: then it is dead until the first.
    pub marked: bool,
    /// Where its lifetime ends, if a marker says so; of several the last.
    pub end: PackedOption<Loc>,
}

/// Where an operation comes from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    /// The source place.
    pub loc: PackedOption<Loc>,
    /// The site, where it touches memory or synchronises.
    pub site: PackedOption<Site>,
}

/// Values of loads ([`super::MemAcc::with_late`]) that are used from here on.
#[derive(Clone, Debug)]
pub struct LateDesc {
    /// Each of them.
    pub uses: SmallVec<[LateUse; 2]>,
}

/// A value of a load that is used.
#[derive(Clone, Copy, Debug)]
pub struct LateUse {
    /// The load's site.
    pub site: Site,
    /// Used only by lanes for which this `i1` has this value; by all of them if there is none.
    pub when: Option<(Reg, bool)>,
}

/// A fact about a value, from an analysis, that is tested where the value is defined.
#[derive(Clone, Copy, Debug)]
pub struct FactDesc {
    /// The value.
    pub value: Value,
    /// Where it stands.
    pub reg: TypedReg,
    /// What was proved of it.
    pub claim: Claim,
    /// The source place; for a parameter of a block that of its first instruction.
    pub loc: PackedOption<Loc>,
}

/// What was proved of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// It is the same in all threads of a warp, or of a block, that execute one dynamic instance of its definition.
    Uniform(Uniformity),
    /// The branch on it is decided alike by all threads of a block that execute it.
    Decided,
    /// The least and the greatest signed number that it can be.
    Range(i64, i64),
}

/// How many of the facts about a function's values are tested.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct FactCounts {
    /// Those that are.
    pub tested: u32,
    /// Those that say that a value is uniform which is computed once for all lanes in any case.
    pub scalar: u32,
    /// Those about values that are in no register of their own: they are not needed, or part of another operation.
    pub absent: u32,
}
