//! Structures of the program's that libraries read and write: tables with the names, places and types of their fields.
//!
//! A field is a constant by the header's own name ([`Field`]), and knows the structure that it belongs to. A library
//! writes its tables with [`structures!`](crate::structures!); what it does with a [`Field`] is its own business, since
//! libraries differ in what a bad pointer means. A test of each library compares its tables with the headers.

use cudair_lane::ptr::Ptr;
use std::marker::PhantomData;

/// A field as the tables have it.
pub struct FieldRow {
    /// Its name, with those of the structures and unions around it: `res.linear.devPtr`.
    pub first: &'static str,
    /// As `first`, or the last of several fields of the header's that are one here.
    pub last: &'static str,
    /// Its first byte.
    pub at: usize,
    /// Its bytes.
    pub bytes: usize,
}

/// A structure as the tables have it.
pub struct StructureRow {
    /// The header's name.
    pub name: &'static str,
    /// Its bytes; `None` where it may be longer than the structure that it is read as.
    pub bytes: Option<usize>,
    /// Those fields that the library knows.
    pub fields: &'static [FieldRow],
}

/// What takes bytes in the program's memory.
pub trait Laid {
    /// How many.
    const SIZE: usize;
}

/// A value of so many bytes, little-endian as the device is.
pub trait Value: Laid + Sized {
    /// The value of [`Laid::SIZE`] bytes.
    fn of_bytes(bytes: &[u8]) -> Self;
    /// Appends its bytes.
    fn push_bytes(self, bytes: &mut Vec<u8>);
}

macro_rules! numbers {
    ($($ty:ty)*) => {$(
        impl Laid for $ty {
            const SIZE: usize = size_of::<$ty>();
        }

        impl Value for $ty {
            fn of_bytes(bytes: &[u8]) -> $ty {
                let mut word = [0; size_of::<$ty>()];
                word.copy_from_slice(bytes);
                <$ty>::from_le_bytes(word)
            }

            fn push_bytes(self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }
        }
    )*};
}

numbers! { u8 u16 u32 i32 u64 i64 f32 f64 }

impl Laid for Ptr {
    const SIZE: usize = 8;
}

impl Value for Ptr {
    fn of_bytes(bytes: &[u8]) -> Ptr {
        Ptr(u64::of_bytes(bytes))
    }

    fn push_bytes(self, bytes: &mut Vec<u8>) {
        self.0.push_bytes(bytes);
    }
}

impl<T: Laid, const N: usize> Laid for [T; N] {
    const SIZE: usize = N * T::SIZE;
}

impl<T: Value, const N: usize> Value for [T; N] {
    fn of_bytes(bytes: &[u8]) -> [T; N] {
        std::array::from_fn(|i| T::of_bytes(&bytes[i * T::SIZE..][..T::SIZE]))
    }

    fn push_bytes(self, bytes: &mut Vec<u8>) {
        for value in self {
            value.push_bytes(bytes);
        }
    }
}

/// A field of type `T` in a structure `S`.
pub struct Field<S, T> {
    at: usize,
    of: PhantomData<fn(S) -> T>,
}

impl<S, T> Clone for Field<S, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S, T> Copy for Field<S, T> {}

impl<S: Laid, T: Laid> Field<S, T> {
    /// The field at this byte.
    ///
    /// # Panics
    /// Where it is a constant of a table, at compile time: the field does not lie in its structure.
    pub const fn new(at: usize) -> Field<S, T> {
        assert!(at + T::SIZE <= S::SIZE, "the field lies in its structure");
        Field { at, of: PhantomData }
    }

    /// Its first byte.
    pub const fn start(self) -> usize {
        self.at
    }

    /// The first byte behind it.
    pub const fn end(self) -> usize {
        self.at + T::SIZE
    }

    /// Where it lies in a structure at `base`.
    pub fn of(self, base: Ptr) -> Ptr {
        base.add(self.at as i64)
    }

    /// A field of this field.
    pub const fn then<U: Laid>(self, inner: Field<T, U>) -> Field<S, U> {
        Field::new(self.at + inner.at)
    }
}

impl<S: Laid, T: Value> Field<S, T> {
    /// Its value in the structure's bytes.
    pub fn get(self, structure: &[u8]) -> T {
        T::of_bytes(&structure[self.start()..self.end()])
    }

    /// Changes it in the structure's bytes.
    pub fn set(self, structure: &mut [u8], value: T) {
        let mut bytes = Vec::with_capacity(T::SIZE);
        value.push_bytes(&mut bytes);
        structure[self.start()..self.end()].copy_from_slice(&bytes);
    }
}

impl<S: Laid, T: Laid, const N: usize> Field<S, [T; N]> {
    /// An element of this field.
    ///
    /// # Panics
    /// The field has no such element.
    pub const fn nth(self, i: usize) -> Field<S, T> {
        assert!(i < N, "the element lies in its field");
        Field { at: self.at + i * T::SIZE, of: PhantomData }
    }
}

/// Where element `i` of an array of `T` lies that begins at `base`.
pub fn element<T: Laid>(base: Ptr, i: u64) -> Ptr {
    base.add((T::SIZE as u64).wrapping_mul(i) as i64)
}

/// A table of structures. A row of one is `offset name: type`, by the header's name for the field. Where that is no name in
/// Rust, or the field lies in others, `= "its.path"` follows; `= "first" ..= "last"` stands for several fields of the
/// header's that are one here.
#[macro_export]
macro_rules! structures {
    ($(
        $(#[$doc:meta])*
        struct $name:ident ($size:literal) {
            $($at:literal $field:ident $(= $first:literal $(..= $last:literal)?)? : $ty:ty;)*
        }
    )*) => {
        $(
            $(#[$doc])*
            #[allow(non_camel_case_types, reason = "names are the header's")]
            pub(crate) struct $name {}

            impl $crate::layout::Laid for $name {
                const SIZE: usize = $size;
            }

            #[allow(dead_code, reason = "a structure stands there whole where that is no longer")]
            #[allow(non_upper_case_globals, reason = "names are the header's")]
            impl $name {
                $(pub const $field: $crate::layout::Field<$name, $ty> = $crate::layout::Field::new($at);)*
            }
        )*

        /// The rows, as a test compares them.
        pub(super) const ROWS: &[$crate::layout::StructureRow] = &[$(
            $crate::layout::StructureRow {
                name: stringify!($name),
                bytes: Some($size),
                fields: &[$($crate::layout::FieldRow {
                    first: $crate::first_or!(stringify!($field) $(, $first)?),
                    last: $crate::first_or!(
                        $crate::first_or!(stringify!($field) $(, $first)?) $($(, $last)?)?
                    ),
                    at: $at,
                    bytes: <$ty as $crate::layout::Laid>::SIZE,
                }),*],
            }
        ),*];
    };
}

/// The second of two, or the only one.
#[doc(hidden)]
#[macro_export]
macro_rules! first_or {
    ($one:expr) => {
        $one
    };
    ($one:expr, $other:expr) => {
        $other
    };
}
