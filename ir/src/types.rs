//! Value types and memory spaces.

use std::fmt;

/// A CUDA memory space. Every pointer, slot, global and access carries one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Space {
    /// Memory of the host: its stack, heap and static variables.
    Host,
    /// Device memory: `cudaMalloc`, `__device__` variables, the device heap.
    Global,
    /// Memory of one block: `__shared__`.
    Shared,
    /// `__constant__` variables, kernel parameters and string literals of device code.
    Const,
    /// The private memory of one device thread.
    Local,
    /// Memory both sides may touch: `cudaMallocManaged`, `__managed__`.
    Managed,
    /// Functions.
    Code,
    /// Not known statically; resolved at each access from the object that the pointer names.
    Generic,
}

impl Space {
    /// All spaces, in declaration order.
    pub const ALL: [Space; 8] = [
        Space::Host,
        Space::Global,
        Space::Shared,
        Space::Const,
        Space::Local,
        Space::Managed,
        Space::Code,
        Space::Generic,
    ];

    /// The name used in the textual IR.
    pub fn name(self) -> &'static str {
        match self {
            Space::Host => "host",
            Space::Global => "global",
            Space::Shared => "shared",
            Space::Const => "const",
            Space::Local => "local",
            Space::Managed => "managed",
            Space::Code => "code",
            Space::Generic => "generic",
        }
    }

    /// The inverse of [`Space::name`].
    pub fn from_name(name: &str) -> Option<Space> {
        Space::ALL.into_iter().find(|s| s.name() == name)
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The type of an SSA value. Structs and arrays live in memory only.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Type {
    /// One bit: the result of a comparison. Stored in memory as one byte, 0 or 1.
    I1,
    /// 8-bit integer; signedness is a property of operations.
    I8,
    /// 16-bit integer.
    I16,
    /// 32-bit integer.
    I32,
    /// 64-bit integer.
    I64,
    /// 128-bit integer.
    I128,
    /// IEEE binary16.
    F16,
    /// bfloat16.
    BF16,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
    /// x87 extended precision, the host's `long double`. 16 bytes in memory, of which 10 matter.
    F80,
    /// A pointer into a memory space; 8 bytes in memory.
    Ptr(Space),
}

impl Type {
    /// The types other than pointers.
    pub const SCALARS: [Type; 11] = [
        Type::I1,
        Type::I8,
        Type::I16,
        Type::I32,
        Type::I64,
        Type::I128,
        Type::F16,
        Type::BF16,
        Type::F32,
        Type::F64,
        Type::F80,
    ];

    /// A pointer whose space is not known statically.
    pub const GENERIC_PTR: Type = Type::Ptr(Space::Generic);

    /// Width in bits as an operand (`i1` is 1, `f80` is 80, a pointer 64).
    pub fn bits(self) -> u32 {
        match self {
            Type::I1 => 1,
            Type::I8 => 8,
            Type::I16 | Type::F16 | Type::BF16 => 16,
            Type::I32 | Type::F32 => 32,
            Type::I64 | Type::F64 | Type::Ptr(_) => 64,
            Type::F80 => 80,
            Type::I128 => 128,
        }
    }

    /// Bytes that a load or store of this type touches (`f80` touches 10, `i1` one).
    pub fn access_bytes(self) -> u32 {
        self.bits().div_ceil(8)
    }

    /// Size in memory, in bytes, padding included (`f80` takes 16).
    pub fn mem_bytes(self) -> u32 {
        if self == Type::F80 { 16 } else { self.access_bytes() }
    }

    /// Natural alignment in bytes.
    pub fn align(self) -> u32 {
        self.mem_bytes()
    }

    /// Whether this is an integer type, `i1` included.
    pub fn is_int(self) -> bool {
        matches!(self, Type::I1 | Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::I128)
    }

    /// Whether this is a floating type.
    pub fn is_float(self) -> bool {
        matches!(self, Type::F16 | Type::BF16 | Type::F32 | Type::F64 | Type::F80)
    }

    /// Whether this is a pointer.
    pub fn is_ptr(self) -> bool {
        matches!(self, Type::Ptr(_))
    }

    /// The space of a pointer type.
    pub fn space(self) -> Option<Space> {
        match self {
            Type::Ptr(s) => Some(s),
            _ => None,
        }
    }

    /// The integer type of a width in bits (1, 8, 16, 32, 64 or 128).
    pub fn int(bits: u32) -> Option<Type> {
        Some(match bits {
            1 => Type::I1,
            8 => Type::I8,
            16 => Type::I16,
            32 => Type::I32,
            64 => Type::I64,
            128 => Type::I128,
            _ => return None,
        })
    }

    /// A mask of the bits that a constant of this type may have set.
    pub fn bit_mask(self) -> u128 {
        match self.bits() {
            128 => u128::MAX,
            n => (1u128 << n) - 1,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Type::I1 => "i1",
            Type::I8 => "i8",
            Type::I16 => "i16",
            Type::I32 => "i32",
            Type::I64 => "i64",
            Type::I128 => "i128",
            Type::F16 => "f16",
            Type::BF16 => "bf16",
            Type::F32 => "f32",
            Type::F64 => "f64",
            Type::F80 => "f80",
            Type::Ptr(space) => return write!(f, "ptr.{space}"),
        };
        f.write_str(name)
    }
}

impl std::str::FromStr for Type {
    type Err = ();

    fn from_str(s: &str) -> Result<Self, ()> {
        if let Some(space) = s.strip_prefix("ptr.") {
            return Space::from_name(space).map(Type::Ptr).ok_or(());
        }
        Type::SCALARS.into_iter().find(|t| t.to_string() == s).ok_or(())
    }
}
