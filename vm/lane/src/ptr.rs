//! Guest pointers.
//!
//! A pointer is an object id in the high 32 bits and, in the low 32, the byte offset plus
//! [`Ptr::CENTRE`]: the object starts in the middle of its range, so that small steps before and behind
//! it stay recognisable as that object's. The null pointer is 0 and object 0 is nobody's, so that small
//! integers used as addresses are dereferences near null. Arithmetic saturates inside the range of the
//! object: a pointer never walks into another object.
//!
//! The top three bits of the id are its [`Tag`]; the rest depends on it:
//!
//! | tag | object | rest of the id |
//! | --- | --- | --- |
//! | 000 | host heap and statics, device memory, constants, parameters | index in the object table |
//! | 001 | a block's shared variable | serial |
//! | 010 | a local variable of a device thread | thread in its block: 10, serial: 19 |
//! | 011 | a function | its number |
//! | 100 | a local variable of the host | serial |
//! | 101 | an object of 2 GiB or more | serial: 15, high bits of the offset: 14 |
//! | 111 | only id `0xffff_ffff`: addresses just below null | |

use std::fmt;

/// A guest pointer. See the module's documentation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Ptr(pub u64);

/// What kind of object an id names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tag {
    /// An entry of the object table.
    Table,
    /// A shared variable of a block.
    Shared,
    /// A local variable of a device thread.
    DeviceLocal,
    /// A function.
    Code,
    /// A local variable of the host.
    HostLocal,
    /// An object of 2 GiB or more, of the object table.
    Huge,
    /// Nothing: null, next to null, or bits that were never a pointer.
    Invalid,
}

/// The top three bits of an id for each tag.
const TABLE: u32 = 0b000;
const SHARED: u32 = 0b001;
const DEVICE_LOCAL: u32 = 0b010;
const CODE: u32 = 0b011;
const HOST_LOCAL: u32 = 0b100;
const HUGE: u32 = 0b101;

/// Bits of the offset in a pointer to a huge object.
const HUGE_OFFSET_BITS: u32 = 46;
/// Where a huge object starts in its range.
const HUGE_CENTRE: u64 = 1 << (HUGE_OFFSET_BITS - 1);

impl Ptr {
    /// The null pointer.
    pub const NULL: Ptr = Ptr(0);
    /// The low half of a pointer to an object's start.
    pub const CENTRE: u64 = 0x8000_0000;
    /// Objects of at least this many bytes are huge: their offsets do not fit.
    pub const HUGE_SIZE: u64 = 0x7fff_ff00;
    /// More bytes than this no object can have.
    pub const MAX_SIZE: u64 = HUGE_CENTRE - 1;
    /// Serials of device locals wrap here.
    pub(crate) const DEVICE_LOCAL_SERIALS: u32 = 1 << 19;
    /// Serials of shared variables and of host locals wrap here.
    pub const SERIALS: u32 = 1 << 29;

    /// The start of an entry of the object table.
    #[inline]
    pub fn table(index: u32) -> Ptr {
        debug_assert!(index != 0 && index >> 29 == 0);
        Ptr::start(TABLE, index)
    }

    /// The start of a shared variable.
    #[inline]
    pub fn shared(serial: u32) -> Ptr {
        Ptr::start(SHARED, serial & (Ptr::SERIALS - 1))
    }

    /// The start of a local variable of the `thread`-th thread of its block.
    #[inline]
    pub fn device_local(thread: u32, serial: u32) -> Ptr {
        debug_assert!(thread < 1024 && serial < Ptr::DEVICE_LOCAL_SERIALS);
        Ptr::start(DEVICE_LOCAL, thread << 19 | serial)
    }

    /// A function.
    #[inline]
    pub fn code(func: u32) -> Ptr {
        Ptr::start(CODE, func & (Ptr::SERIALS - 1))
    }

    /// The start of a local variable of the host.
    #[inline]
    pub fn host_local(serial: u32) -> Ptr {
        Ptr::start(HOST_LOCAL, serial & (Ptr::SERIALS - 1))
    }

    /// The start of a huge object.
    #[inline]
    pub fn huge(serial: u32) -> Ptr {
        debug_assert!(serial < 1 << 15);
        Ptr((HUGE as u64) << 61 | (serial as u64) << HUGE_OFFSET_BITS | HUGE_CENTRE)
    }

    fn start(tag: u32, rest: u32) -> Ptr {
        Ptr(((tag << 29 | rest) as u64) << 32 | Ptr::CENTRE)
    }

    /// The object id.
    #[inline(always)]
    pub fn id(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// Whether this is the null pointer.
    #[inline(always)]
    pub fn is_null(self) -> bool {
        self.0 == 0
    }

    /// What kind of object this points to.
    #[inline(always)]
    pub fn tag(self) -> Tag {
        match self.id() >> 29 {
            TABLE if self.id() != 0 => Tag::Table,
            SHARED => Tag::Shared,
            DEVICE_LOCAL => Tag::DeviceLocal,
            CODE => Tag::Code,
            HOST_LOCAL => Tag::HostLocal,
            HUGE => Tag::Huge,
            _ => Tag::Invalid,
        }
    }

    /// Whether this is null or an address next to it.
    #[inline]
    pub fn is_near_null(self) -> bool {
        self.id() == 0 || self.id() == u32::MAX
    }

    /// The id without its tag.
    #[inline(always)]
    pub fn serial(self) -> u32 {
        self.id() & (Ptr::SERIALS - 1)
    }

    /// The thread of its block that owns a device local.
    #[inline(always)]
    pub fn local_thread(self) -> u32 {
        self.id() >> 19 & 0x3ff
    }

    /// The serial of a device local.
    #[inline(always)]
    pub fn local_serial(self) -> u32 {
        self.id() & (Ptr::DEVICE_LOCAL_SERIALS - 1)
    }

    /// The serial of a huge object.
    #[inline]
    pub fn huge_serial(self) -> u32 {
        (self.0 >> HUGE_OFFSET_BITS) as u32 & 0x7fff
    }

    /// Bytes from the start of the object. For an address near null, the address itself.
    #[inline(always)]
    pub fn offset(self) -> i64 {
        match self.id() >> 29 {
            HUGE => (self.0 & ((1 << HUGE_OFFSET_BITS) - 1)) as i64 - HUGE_CENTRE as i64,
            _ if self.is_near_null() => self.0 as i64,
            _ => (self.0 & 0xffff_ffff) as i64 - Ptr::CENTRE as i64,
        }
    }

    /// The start of the object pointed into.
    #[inline]
    pub fn object_start(self) -> Ptr {
        if self.is_near_null() {
            return Ptr::NULL;
        }
        self.add(-self.offset())
    }

    /// The pointer moved by `bytes`, saturating inside the range of its object.
    #[inline(always)]
    #[expect(clippy::should_implement_trait, reason = "pointer arithmetic, not addition of pointers")]
    pub fn add(self, bytes: i64) -> Ptr {
        let sum = ((self.0 & 0xffff_ffff) as i64).wrapping_add(bytes);
        // Inside the low half: the usual case, whatever the tag. A sum that wraps around 64 bits does
        // not pass the test, since the low half is not negative.
        if sum as u64 <= 0xffff_ffff {
            return Ptr(self.0 & !0xffff_ffff | sum as u64);
        }
        self.add_far(bytes)
    }

    /// Whether it may be what [`Ptr::add`] gives for a place beyond all that a pointer can name.
    #[inline]
    pub fn is_too_far(self) -> bool {
        self.0 & 0xffff_ffff == 0xffff_ffff
    }

    /// [`Ptr::add`] where the low half does not hold the result.
    #[cold]
    #[inline(never)]
    fn add_far(self, bytes: i64) -> Ptr {
        let (low, high) = if self.is_near_null() {
            // One range around zero, of all addresses whose id is 0 or -1.
            let value = (self.0 as i64).saturating_add(bytes);
            return Ptr(value.clamp(-(1 << 32), (1 << 32) - 1) as u64);
        } else if self.id() >> 29 == HUGE {
            let mask = (1u64 << HUGE_OFFSET_BITS) - 1;
            (self.0 & !mask, self.0 | mask)
        } else {
            (self.0 & !0xffff_ffff, self.0 | 0xffff_ffff)
        };
        let sum = i128::from(self.0) + i128::from(bytes);
        Ptr(sum.clamp(i128::from(low), i128::from(high)) as u64)
    }
}

impl fmt::Debug for Ptr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_near_null() {
            return write!(f, "null{:+}", self.0 as i64);
        }
        write!(f, "{:?}#{:x}{:+}", self.tag(), self.serial(), self.offset())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_back() {
        let p = Ptr::table(7);
        assert_eq!((p.tag(), p.serial(), p.offset()), (Tag::Table, 7, 0));
        let p = Ptr::device_local(1023, 5).add(12);
        assert_eq!(
            (p.tag(), p.local_thread(), p.local_serial(), p.offset()),
            (Tag::DeviceLocal, 1023, 5, 12)
        );
        assert_eq!(Ptr::code(3).tag(), Tag::Code);
        assert_eq!(Ptr::shared(9).add(-4).offset(), -4);
        assert_eq!(Ptr::host_local(9).add(4).object_start(), Ptr::host_local(9));
        assert_eq!(Ptr::NULL.tag(), Tag::Invalid);
        assert_eq!(Ptr(u64::MAX).tag(), Tag::Invalid);
    }

    #[test]
    fn arithmetic_stays_in_the_object() {
        let p = Ptr::table(7);
        for step in [i64::MIN, -(1 << 40), -(1 << 31) - 1, 1 << 31, 1 << 40, i64::MAX] {
            assert_eq!(p.add(step).serial(), 7, "{step}");
        }
        assert_eq!(p.add(i64::MAX).offset(), 0x7fff_ffff);
        assert_eq!(p.add(i64::MIN).offset(), -0x8000_0000);
        assert_eq!(p.add(100).add(-100), p);
    }

    #[test]
    fn null_has_a_range_of_its_own() {
        assert_eq!(Ptr::NULL.add(-4).add(4), Ptr::NULL);
        assert!(Ptr::NULL.add(i64::MAX).is_near_null());
        assert!(Ptr::NULL.add(i64::MIN).is_near_null());
        assert_eq!(Ptr::NULL.add(-4).offset(), -4);
        assert_eq!(Ptr::NULL.add(16).offset(), 16);
        assert_eq!(Ptr(u64::MAX).add(1), Ptr::NULL);
    }

    #[test]
    fn huge_objects_have_long_offsets() {
        let p = Ptr::huge(3);
        let q = p.add(5 << 32);
        assert_eq!((q.tag(), q.huge_serial(), q.offset()), (Tag::Huge, 3, 5 << 32));
        assert_eq!(q.add(-(5 << 32)), p);
        assert_eq!(p.add(i64::MAX).huge_serial(), 3);
        assert_eq!(p.add(i64::MIN).huge_serial(), 3);
    }
}
