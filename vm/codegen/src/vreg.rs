//! Virtual registers: what the compiler reasons about before registers are assigned.

use cranelift_entity::{EntityRef, PrimaryMap, entity_impl};
use cudair_ir::{Type, Value};

/// A virtual register. The first ones are the function's values, in order; further ones hold parts of
/// addresses that several accesses share.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct VReg(u32);
entity_impl!(VReg, "r");

impl From<Value> for VReg {
    fn from(v: Value) -> VReg {
        VReg::new(v.index())
    }
}

/// The register file and the width that a virtual register needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    /// One scalar register.
    S,
    /// Two consecutive scalar registers (`i128`, `f80`).
    S2,
    /// One plane of 32 bits per lane.
    V,
    /// Two consecutive planes: 64 bits per lane.
    W,
    /// Four consecutive planes: 128 bits per lane (`i128`, `f80`).
    X,
    /// A predicate: one bit per lane.
    P,
}

/// The register files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum File {
    /// Scalars.
    S,
    /// Planes.
    V,
    /// Predicates.
    P,
}

impl Class {
    /// The class of a value that is the same in all lanes of a convergence group.
    pub fn scalar(ty: Type) -> Class {
        if ty.bits() > 64 { Class::S2 } else { Class::S }
    }

    /// The class of a value that each lane has its own of.
    pub fn vector(ty: Type) -> Class {
        match ty.bits() {
            1 => Class::P,
            2..=32 => Class::V,
            33..=64 => Class::W,
            _ => Class::X,
        }
    }

    /// The register file.
    pub fn file(self) -> File {
        match self {
            Class::S | Class::S2 => File::S,
            Class::V | Class::W | Class::X => File::V,
            Class::P => File::P,
        }
    }

    /// How many consecutive registers.
    pub fn width(self) -> u32 {
        match self {
            Class::S2 | Class::W => 2,
            Class::X => 4,
            _ => 1,
        }
    }

    /// Whether this belongs to the convergence group.
    pub fn is_scalar(self) -> bool {
        self.file() == File::S
    }
}

/// The virtual registers of a function with their classes.
pub(super) type VRegs = PrimaryMap<VReg, Class>;
