//! Register newtypes and the other operands of operations.

use super::tables::Table;
use cudair_ir::{GlobalId, IntCC, SpecialReg};
use std::fmt;

/// Declares a 16-bit or 32-bit index newtype with a display prefix.
macro_rules! index {
    ($($(#[$doc:meta])* $name:ident($repr:ty) = $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub $repr);

        impl $name {
            /// The index.
            #[inline(always)]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl index_vec::Idx for $name {
            fn from_usize(n: usize) -> Self {
                debug_assert!(<$repr>::try_from(n).is_ok());
                $name(n as $repr)
            }

            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    )*};
}

index! {
    /// A scalar register: one 64-bit word of the convergence group's frame.
    S(u16) = "s";
    /// A scalar of two words (`i128`, `f80`): this word, the low one, and the next.
    S2(u16) = "t";
    /// A vector register of 32 bits a lane: one plane.
    V(u16) = "v";
    /// A vector register of 64 bits a lane: this plane and the next, one `u64` per lane, contiguous.
    W(u16) = "w";
    /// A vector register of 128 bits a lane: four planes, one `u128` per lane, contiguous.
    X(u16) = "x";
    /// A predicate register: one bit a lane.
    P(u16) = "p";
    /// A vector register whose width the operation's [`MemAcc`] says: one plane up to 4 bytes, else two.
    /// With [`MemAcc::copy`] one plane more follows: the bits of initialisation, bit `n` for byte `n`.
    Vw(u16) = "v";
    /// An index into the operations of the function.
    Target(u32) = "@";
    /// An index into [`super::Code::slots`].
    SlotId(u16) = "slot";
    /// An index into [`super::Tables::switches`].
    SwitchId(u32) = "switch";
    /// An index into [`super::Tables::joins`].
    JoinId(u32) = "join";
    /// An index into [`super::Tables::calls`].
    CallId(u32) = "call";
    /// An index into [`super::Tables::regs`].
    RegId(u32) = "reg";
    /// An index into [`super::Tables::traps`].
    TrapId(u32) = "trap";
    /// An index into [`super::Tables::gens`].
    GenId(u32) = "gen";
    /// An index into [`super::Tables::maths`].
    MathId(u32) = "math";
    /// An index into [`super::Tables::copies`].
    CopyId(u32) = "copy";
    /// An index into [`super::Tables::fills`].
    FillId(u32) = "fill";
    /// An index into [`super::Tables::allocas`].
    AllocaId(u32) = "alloca";
    /// An index into [`super::Tables::atomics`].
    AtomicId(u32) = "atomic";
    /// An index into [`super::Tables::fences`].
    FenceId(u32) = "fence";
    /// An index into [`super::Tables::barriers`].
    BarrierId(u32) = "barrier";
    /// An index into [`super::Tables::warps`].
    WarpId(u32) = "warp";
    /// An index into [`super::Tables::launches`].
    LaunchId(u32) = "launch";
    /// An index into [`super::Tables::lates`].
    LateId(u32) = "late";
    /// An index into [`super::Tables::vas`].
    VaId(u32) = "va";
    /// An index into [`super::Tables::facts`].
    FactId(u32) = "fact";
}

/// Any register, for descriptors. A value's type and its register agree: see [`Reg::fits`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reg {
    /// Scalar, up to 64 bits.
    S(S),
    /// Scalar of 80 or 128 bits.
    S2(S2),
    /// Vector of up to 32 bits.
    V(V),
    /// Vector of 64 bits.
    W(W),
    /// Vector of 80 or 128 bits.
    X(X),
    /// Vector of `i1`.
    P(P),
}

impl Reg {
    /// Whether this is one value for the whole convergence group.
    #[inline]
    pub fn is_scalar(self) -> bool {
        matches!(self, Reg::S(_) | Reg::S2(_))
    }

    /// Whether a value of `ty` stands in this kind of register.
    pub fn fits(self, ty: cudair_ir::Type) -> bool {
        match self {
            Reg::S(_) => ty.bits() <= 64,
            Reg::S2(_) | Reg::X(_) => ty.bits() > 64,
            Reg::V(_) => (8..=32).contains(&ty.bits()),
            Reg::W(_) => ty.bits() == 64,
            Reg::P(_) => ty.bits() == 1,
        }
    }
}

impl fmt::Display for Reg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reg::S(r) => r.fmt(f),
            Reg::S2(r) => r.fmt(f),
            Reg::V(r) => r.fmt(f),
            Reg::W(r) => r.fmt(f),
            Reg::X(r) => r.fmt(f),
            Reg::P(r) => r.fmt(f),
        }
    }
}

/// How a 32-bit index becomes 64 bits. A scalar index with [`Ext::Zero`] is its whole word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ext {
    /// With zeros.
    Zero,
    /// With the sign of the low 32 bits.
    Sign,
}

/// What an operation says of its access: width, alignment, flags and the extension of its index.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct MemAcc(u16);

impl MemAcc {
    /// An access of `bytes` (1, 2, 4, 8 or 16) that must be aligned to `1 << align_log2` (at most 16,
    /// which is all that any access asks for).
    #[inline]
    pub fn new(bytes: u32, align_log2: u8) -> MemAcc {
        debug_assert!(bytes.is_power_of_two() && bytes <= 16);
        MemAcc(bytes.trailing_zeros() as u16 | u16::from(align_log2.min(4)) << 3)
    }

    /// The same, volatile or not.
    #[inline]
    pub fn with_volatile(self, on: bool) -> MemAcc {
        MemAcc(self.0 & !0x40 | u16::from(on) << 6)
    }

    /// The same, as a copy: a load that is not checked for initialisation and also gives the bits of
    /// initialisation (in the register after the value), or a store that takes them from there.
    #[inline]
    pub fn with_copy(self, on: bool) -> MemAcc {
        MemAcc(self.0 & !0x80 | u16::from(on) << 7)
    }

    /// The same, as a load whose value is used on some of the ways behind it only: bytes that were not written are
    /// remembered until [`super::Op::UseLate`] asks for them.
    #[inline]
    pub fn with_late(self, on: bool) -> MemAcc {
        MemAcc(self.0 & !0x200 | u16::from(on) << 9)
    }

    /// The same with an index extended in this way.
    #[inline]
    pub fn with_ext(self, ext: Ext) -> MemAcc {
        MemAcc(self.0 & !0x100 | u16::from(ext == Ext::Sign) << 8)
    }

    /// Bytes accessed.
    #[inline(always)]
    pub fn bytes(self) -> u32 {
        1 << (self.0 & 7)
    }

    /// Alignment in bytes.
    #[inline(always)]
    pub fn align(self) -> u32 {
        1 << (self.0 >> 3 & 7)
    }

    /// Whether the access is volatile.
    #[inline(always)]
    pub fn volatile(self) -> bool {
        self.0 & 0x40 != 0
    }

    /// Whether this moves a value unchecked: see [`MemAcc::with_copy`].
    #[inline(always)]
    pub fn copy(self) -> bool {
        self.0 & 0x80 != 0
    }

    /// Whether this is a load that is checked where its value is used: see [`MemAcc::with_late`].
    #[inline(always)]
    pub fn late(self) -> bool {
        self.0 & 0x200 != 0
    }

    /// Whether a load does more than to bring a value: [`MemAcc::copy`] or [`MemAcc::late`].
    #[inline(always)]
    pub fn is_tracked(self) -> bool {
        self.0 & 0x280 != 0
    }

    /// How the index is extended.
    #[inline(always)]
    pub fn ext(self) -> Ext {
        if self.0 & 0x100 != 0 { Ext::Sign } else { Ext::Zero }
    }
}

impl fmt::Display for MemAcc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.bytes(), self.align())?;
        for (on, text) in [
            (self.volatile(), " volatile"),
            (self.copy(), " copy"),
            (self.late(), " late"),
            (self.ext() == Ext::Sign, " sext"),
        ] {
            if on {
                f.write_str(text)?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for MemAcc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An operand as the verifier and the disassembler see it.
#[derive(Clone, Copy, Debug)]
pub enum Operand {
    /// A register.
    Reg(Reg),
    /// A register whose width the access says.
    Vw(Vw),
    /// A branch target.
    Target(Target),
    /// An immediate.
    Imm(i64),
    /// 64 immediate bits.
    Bits(u64),
    /// An access.
    Acc(MemAcc),
    /// The extension of an index.
    Ext(Ext),
    /// A condition.
    Cc(IntCC),
    /// A special register.
    Special(SpecialReg),
    /// A variable of static storage.
    Global(GlobalId),
    /// A local variable.
    Slot(SlotId),
    /// A row of a side table: which table, which row.
    Row(Table, u32),
}

/// Conversions into [`Operand`].
macro_rules! operand_from {
    ($($ty:ty: $v:ident => $make:expr;)*) => {$(
        impl From<$ty> for Operand {
            fn from($v: $ty) -> Operand { $make }
        }
    )*};
}

operand_from! {
    S: r => Operand::Reg(Reg::S(r));
    S2: r => Operand::Reg(Reg::S2(r));
    V: r => Operand::Reg(Reg::V(r));
    W: r => Operand::Reg(Reg::W(r));
    X: r => Operand::Reg(Reg::X(r));
    P: r => Operand::Reg(Reg::P(r));
    Vw: r => Operand::Vw(r);
    Target: t => Operand::Target(t);
    i32: v => Operand::Imm(v.into());
    u32: v => Operand::Imm(v.into());
    u16: v => Operand::Imm(v.into());
    u8: v => Operand::Imm(v.into());
    bool: v => Operand::Imm(v.into());
    u64: v => Operand::Bits(v);
    MemAcc: a => Operand::Acc(a);
    Ext: e => Operand::Ext(e);
    IntCC: c => Operand::Cc(c);
    SpecialReg: r => Operand::Special(r);
    GlobalId: g => Operand::Global(g);
    SlotId: s => Operand::Slot(s);
}
