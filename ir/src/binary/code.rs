//! Bytes of single things: numbers, strings, entities, operations, fields of instructions.

use crate::entities::*;
use crate::function::{Linkage, NumberedBarrier, Side, Texels};
use crate::inst::{BlockCall, MemFlags, TrapCode, ValueList, ValuePool};
use crate::loc::Pos;
use crate::types::{Space, Type};
use cranelift_entity::packed_option::PackedOption;
use std::sync::Arc;

/// What is written.
#[derive(Default)]
pub(crate) struct Writer<'a> {
    pub out: Vec<u8>,
    /// The pool of the function that is being written.
    pub pool: Option<&'a ValuePool>,
}

/// What is left to read, and what it may name.
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
    pub counts: Counts,
    /// The pool of the function that is being read.
    pub pool: ValuePool,
    /// How deep the source types are that are being read.
    pub depth: u32,
}

/// How many entities of each kind there are.
#[derive(Default)]
pub(crate) struct Counts {
    pub files: u32,
    pub locs: u32,
    pub sigs: u32,
    pub messages: u32,
    pub globals: u32,
    pub funcs: u32,
    pub blocks: u32,
    pub values: u32,
    pub sites: u32,
    pub tables: u32,
    pub slots: u32,
}

/// What has a form in bytes.
pub(crate) trait Code: Sized {
    fn write(&self, w: &mut Writer<'_>);
    fn read(r: &mut Reader<'_>) -> Option<Self>;
}

impl Writer<'_> {
    pub fn byte(&mut self, byte: u8) {
        self.out.push(byte);
    }

    /// A number, seven bits a byte, the lowest first.
    pub fn number(&mut self, n: u64) {
        self.wide(u128::from(n));
    }

    pub fn wide(&mut self, mut n: u128) {
        while n >= 0x80 {
            self.byte(n as u8 | 0x80);
            n >>= 7;
        }
        self.byte(n as u8);
    }

    /// A number with a sign, which stands in the lowest bit.
    pub fn signed(&mut self, n: i64) {
        self.number(((n << 1) ^ (n >> 63)) as u64);
    }

    /// Bytes, behind how many they are.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.out.extend_from_slice(bytes);
    }

    /// Things, behind how many they are.
    pub fn list<T>(&mut self, things: impl ExactSizeIterator<Item = T>, mut write: impl FnMut(&mut Self, T)) {
        self.number(things.len() as u64);
        for thing in things {
            write(self, thing);
        }
    }
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader { rest: bytes, counts: Counts::default(), pool: ValuePool::new(), depth: 0 }
    }

    pub fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    #[inline]
    pub fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    #[inline]
    pub fn number(&mut self) -> Option<u64> {
        match *self.rest {
            [first @ 0..0x80, ..] => {
                self.rest = &self.rest[1..];
                Some(u64::from(first))
            }
            _ => u64::try_from(self.wide()?).ok(),
        }
    }

    pub fn wide(&mut self) -> Option<u128> {
        let mut n = 0;
        let mut shift = 0;
        loop {
            let byte = u128::from(self.byte()?);
            let part = byte & 0x7f;
            if shift > 126 || (part << shift) >> shift != part {
                return None;
            }
            n |= part << shift;
            if byte < 0x80 {
                return Some(n);
            }
            shift += 7;
        }
    }

    pub fn signed(&mut self) -> Option<i64> {
        let n = self.number()?;
        Some((n >> 1) as i64 ^ -((n & 1) as i64))
    }

    /// How many things follow. Each takes a byte at least.
    pub fn count(&mut self) -> Option<usize> {
        let n = usize::try_from(self.number()?).ok()?;
        (n <= self.rest.len() && n < u32::MAX as usize).then_some(n)
    }

    pub fn bytes(&mut self) -> Option<&'a [u8]> {
        let n = self.count()?;
        let (bytes, rest) = self.rest.split_at_checked(n)?;
        self.rest = rest;
        Some(bytes)
    }

    pub fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        (0..self.count()?).map(|_| read(self)).collect()
    }
}

/// Numbers.
macro_rules! numbers {
    ($($ty:ty)*) => {
        $(impl Code for $ty {
            fn write(&self, w: &mut Writer<'_>) {
                w.number(u64::from(*self));
            }
            #[inline]
            fn read(r: &mut Reader<'_>) -> Option<Self> {
                Self::try_from(r.number()?).ok()
            }
        })*
    };
}

numbers! { u8 u32 u64 }

impl Code for u128 {
    fn write(&self, w: &mut Writer<'_>) {
        w.wide(*self);
    }
    fn read(r: &mut Reader<'_>) -> Option<Self> {
        r.wide()
    }
}

impl Code for bool {
    fn write(&self, w: &mut Writer<'_>) {
        w.byte(u8::from(*self));
    }
    fn read(r: &mut Reader<'_>) -> Option<Self> {
        match r.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

/// Entities, each with the count that bounds it.
macro_rules! entities {
    ($($ty:ty => $count:ident,)*) => {
        $(impl Code for $ty {
            fn write(&self, w: &mut Writer<'_>) {
                w.number(u64::from(self.as_u32()));
            }
            #[inline]
            fn read(r: &mut Reader<'_>) -> Option<Self> {
                let n = u32::try_from(r.number()?).ok()?;
                (n < r.counts.$count).then(|| Self::from_u32(n))
            }
        })*
    };
}

entities! {
    FileId => files,
    Loc => locs,
    SigId => sigs,
    Message => messages,
    GlobalId => globals,
    FuncId => funcs,
    Block => blocks,
    Value => values,
    Site => sites,
    SwitchTable => tables,
    Slot => slots,
}

/// Nothing is 0, and any other thing follows a 1.
impl<T: Code> Code for Option<T> {
    fn write(&self, w: &mut Writer<'_>) {
        w.byte(u8::from(self.is_some()));
        if let Some(thing) = self {
            thing.write(w);
        }
    }
    fn read(r: &mut Reader<'_>) -> Option<Self> {
        Some(if bool::read(r)? { Some(T::read(r)?) } else { None })
    }
}

/// Places are all over; they take no byte more.
impl Code for PackedOption<Loc> {
    fn write(&self, w: &mut Writer<'_>) {
        w.number(self.expand().map_or(0, |loc| u64::from(loc.as_u32()) + 1));
    }
    #[inline]
    fn read(r: &mut Reader<'_>) -> Option<Self> {
        match u32::try_from(r.number()?).ok()? {
            0 => Some(None.into()),
            n => (n <= r.counts.locs).then(|| Loc::from_u32(n - 1).into()),
        }
    }
}

impl Code for String {
    fn write(&self, w: &mut Writer<'_>) {
        w.bytes(self.as_bytes());
    }
    fn read(r: &mut Reader<'_>) -> Option<Self> {
        std::str::from_utf8(r.bytes()?).ok().map(str::to_owned)
    }
}

impl Code for Arc<str> {
    fn write(&self, w: &mut Writer<'_>) {
        w.bytes(self.as_bytes());
    }
    fn read(r: &mut Reader<'_>) -> Option<Self> {
        std::str::from_utf8(r.bytes()?).ok().map(Arc::from)
    }
}

impl Code for Pos {
    fn write(&self, w: &mut Writer<'_>) {
        self.line.write(w);
        self.col.write(w);
    }
    fn read(r: &mut Reader<'_>) -> Option<Self> {
        Some(Pos { line: Code::read(r)?, col: Code::read(r)? })
    }
}

/// Enumerations without fields that list their members.
macro_rules! members {
    ($($ty:ty: $all:expr,)*) => {
        $(impl Code for $ty {
            fn write(&self, w: &mut Writer<'_>) {
                w.byte(*self as u8);
            }
            fn read(r: &mut Reader<'_>) -> Option<Self> {
                let all: &[$ty] = &$all;
                all.get(usize::from(r.byte()?)).copied()
            }
        })*
    };
}

members! {
    Space: Space::ALL,
    Side: [Side::Host, Side::Device, Side::Kernel],
    Linkage: [Linkage::Internal, Linkage::External, Linkage::Weak],
    Texels: Texels::ALL,
    NumberedBarrier: NumberedBarrier::ALL,
}

impl Code for Type {
    fn write(&self, w: &mut Writer<'_>) {
        let scalars = Type::SCALARS.len();
        match self {
            Type::Ptr(space) => w.byte((scalars + *space as usize) as u8),
            scalar => {
                w.byte(Type::SCALARS.iter().position(|t| t == scalar).unwrap_or(usize::MAX) as u8);
            }
        }
    }
    fn read(r: &mut Reader<'_>) -> Option<Self> {
        let n = usize::from(r.byte()?);
        match Type::SCALARS.get(n) {
            Some(&ty) => Some(ty),
            None => Space::ALL.get(n - Type::SCALARS.len()).map(|&space| Type::Ptr(space)),
        }
    }
}

impl Code for MemFlags {
    fn write(&self, w: &mut Writer<'_>) {
        let MemFlags { volatile, partial, align_log2 } = *self;
        volatile.write(w);
        partial.write(w);
        align_log2.write(w);
    }
    fn read(r: &mut Reader<'_>) -> Option<Self> {
        Some(MemFlags { volatile: Code::read(r)?, partial: Code::read(r)?, align_log2: Code::read(r)? })
    }
}

impl Code for TrapCode {
    fn write(&self, w: &mut Writer<'_>) {
        match self {
            TrapCode::Unreachable => w.byte(0),
            TrapCode::MissingReturn => w.byte(1),
            TrapCode::Trap => w.byte(2),
            TrapCode::Unsupported(message) => {
                w.byte(3);
                message.write(w);
            }
        }
    }
    fn read(r: &mut Reader<'_>) -> Option<Self> {
        Some(match r.byte()? {
            0 => TrapCode::Unreachable,
            1 => TrapCode::MissingReturn,
            2 => TrapCode::Trap,
            3 => TrapCode::Unsupported(Code::read(r)?),
            _ => return None,
        })
    }
}

impl<const N: usize> Code for [Value; N] {
    fn write(&self, w: &mut Writer<'_>) {
        for value in self {
            value.write(w);
        }
    }
    #[inline]
    fn read(r: &mut Reader<'_>) -> Option<Self> {
        let mut values = [Value::from_u32(0); N];
        for v in &mut values {
            *v = Code::read(r)?;
        }
        Some(values)
    }
}

impl Code for ValueList {
    fn write(&self, w: &mut Writer<'_>) {
        let values = w.pool.map_or(&[][..], |pool| self.as_slice(pool));
        w.list(values.iter(), |w, v| v.write(w));
    }
    fn read(r: &mut Reader<'_>) -> Option<Self> {
        let mut values = smallvec::SmallVec::<[Value; 16]>::new();
        for _ in 0..r.count()? {
            values.push(Code::read(r)?);
        }
        Some(ValueList::from_slice(&values, &mut r.pool))
    }
}

impl Code for BlockCall {
    fn write(&self, w: &mut Writer<'_>) {
        self.block.write(w);
        self.args.write(w);
    }
    fn read(r: &mut Reader<'_>) -> Option<Self> {
        Some(BlockCall { block: Code::read(r)?, args: Code::read(r)? })
    }
}

/// Bytes for those who keep something beside a module.
#[derive(Default)]
pub struct Encoder(Writer<'static>);

impl Encoder {
    /// Adds a number.
    pub fn number(&mut self, n: u64) {
        self.0.number(n);
    }

    /// Adds bytes, which end where they end.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.0.bytes(bytes);
    }

    /// What was added.
    pub fn finish(self) -> Vec<u8> {
        self.0.out
    }
}

/// Reads what an [`Encoder`] wrote. `None` is what it did not write.
pub struct Decoder<'a>(Reader<'a>);

impl<'a> Decoder<'a> {
    /// For these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Decoder(Reader::new(bytes))
    }

    /// The next number.
    pub fn number(&mut self) -> Option<u64> {
        self.0.number()
    }

    /// How many things follow, each of which takes a byte at least.
    pub fn count(&mut self) -> Option<usize> {
        self.0.count()
    }

    /// The next bytes.
    pub fn bytes(&mut self) -> Option<&'a [u8]> {
        self.0.bytes()
    }

    /// The next bytes, if they are a text.
    pub fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    /// Whether all was read.
    pub fn is_at_end(&self) -> bool {
        self.0.is_at_end()
    }
}
