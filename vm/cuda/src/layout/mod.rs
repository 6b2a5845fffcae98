//! The structures of the program's that the API's functions read and write, as CUDA's headers lay them out.
//!
//! `runtime.rs` and `driver.rs` have one table each: structures with the names, places and types of their fields. A
//! field is a constant by CUDA's own name ([`Field`]), and knows the structure that it belongs to. [`Structure`] is one
//! structure's bytes; [`Fields`] reads and writes single fields in the program's memory. `tests/cuda_headers.rs`
//! compares the tables with the headers, so that a wrong offset fails there.

mod driver;
mod runtime;

pub(crate) use driver::*;
pub(crate) use runtime::*;

use crate::call::Call;
use crate::{Api, Fail};
use cudair_engine::guest::Host;
use cudair_engine::layout::StructureRow;
pub(crate) use cudair_engine::layout::{Field, Laid, Value, element};
use cudair_engine::parts::HasMemory;
use cudair_lane::ptr::Ptr;
use std::marker::PhantomData;

/// The tables of the runtime's and of the driver's structures.
pub const STRUCTURES: [&[StructureRow]; 3] = [runtime::ROWS, driver::ROWS, driver::ALIKE];

/// The bytes of a structure. Those that were not read are zeros.
pub(crate) struct Structure<S> {
    bytes: Vec<u8>,
    of: PhantomData<fn() -> S>,
}

impl<S: Laid> Structure<S> {
    /// Nothing but zeros.
    pub fn zeroed() -> Structure<S> {
        Structure { bytes: vec![0; S::SIZE], of: PhantomData }
    }

    /// The structure that begins with these bytes.
    pub fn of_bytes(bytes: &[u8]) -> Structure<S> {
        let mut structure = Structure::zeroed();
        let known = bytes.len().min(S::SIZE);
        structure.bytes[..known].copy_from_slice(&bytes[..known]);
        structure
    }

    /// Reads all of the structure at `base`.
    ///
    /// # Errors
    /// `base` is null, or the memory cannot be read.
    pub fn read(h: &mut impl Call, base: Ptr) -> Result<Structure<S>, Fail> {
        Ok(Structure { bytes: h.structure(base, S::SIZE as u64)?, of: PhantomData })
    }

    /// Reads the structure at `base` up to its field `last`; a program need not write what stands behind.
    ///
    /// # Errors
    /// As [`Structure::read`].
    pub fn read_to<T: Laid>(h: &mut impl Call, base: Ptr, last: Field<S, T>) -> Result<Structure<S>, Fail> {
        Ok(Structure::of_bytes(&h.structure(base, last.end() as u64)?))
    }

    /// Reads what stands from one field to another, both included, beside what was read before.
    ///
    /// # Errors
    /// As [`Structure::read`].
    pub fn read_more<T: Laid, U: Laid>(
        &mut self,
        h: &mut impl Call,
        base: Ptr,
        (first, last): (Field<S, T>, Field<S, U>),
    ) -> Api {
        let part = h.structure(first.of(base), (last.end() - first.start()) as u64)?;
        self.bytes[first.start()..last.end()].copy_from_slice(&part);
        Ok(())
    }

    /// The value of a field.
    pub fn get<T: Value>(&self, field: Field<S, T>) -> T {
        field.get(&self.bytes)
    }

    /// A field that is a structure itself.
    pub fn part<T: Laid>(&self, field: Field<S, T>) -> Structure<T> {
        Structure::of_bytes(&self.bytes[field.start()..field.end()])
    }

    /// Changes a field.
    pub fn set<T: Value>(&mut self, field: Field<S, T>, value: T) {
        field.set(&mut self.bytes, value);
    }

    /// Changes a field that is a structure itself.
    pub fn set_part<T: Laid>(&mut self, field: Field<S, T>, value: &Structure<T>) {
        self.bytes[field.start()..field.end()].copy_from_slice(&value.bytes);
    }

    /// All bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// All bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Single values and fields in the program's memory.
pub(crate) trait Fields {
    /// Reads a value; a null pointer to it is an invalid value.
    fn load<T: Value>(&mut self, at: Ptr) -> Result<T, Fail>;

    /// Reads a field of the structure at `base`.
    fn field<S: Laid, T: Value>(&mut self, base: Ptr, field: Field<S, T>) -> Result<T, Fail>;

    /// Stores a value; a null pointer for it is an invalid value.
    fn put_value<T: Value>(&mut self, at: Ptr, value: T) -> Api;

    /// Stores a field of the structure at `base`.
    fn put_field<S: Laid, T: Value>(&mut self, base: Ptr, field: Field<S, T>, value: T) -> Api;
}

impl<M: HasMemory> Fields for Host<'_, M> {
    fn load<T: Value>(&mut self, at: Ptr) -> Result<T, Fail> {
        Ok(T::of_bytes(&self.structure(at, T::SIZE as u64)?))
    }

    fn field<S: Laid, T: Value>(&mut self, base: Ptr, field: Field<S, T>) -> Result<T, Fail> {
        self.load(field.of(base))
    }

    fn put_value<T: Value>(&mut self, at: Ptr, value: T) -> Api {
        let mut bytes = Vec::with_capacity(T::SIZE);
        value.push_bytes(&mut bytes);
        self.store(at, &bytes)
    }

    fn put_field<S: Laid, T: Value>(&mut self, base: Ptr, field: Field<S, T>, value: T) -> Api {
        self.put_value(field.of(base), value)
    }
}

/// The driver's structures that are read as the runtime's: each field of the driver's with the one that it is read as.
macro_rules! alike {
    ($(
        $name:ident as $of:ident {
            $($first:literal $(..= $last:literal)? = $field:ident;)*
        }
    )*) => {
        pub(super) const ALIKE: &[cudair_engine::layout::StructureRow] = &[$(
            cudair_engine::layout::StructureRow {
                name: stringify!($name),
                bytes: None,
                fields: &[$(cudair_engine::layout::FieldRow {
                    first: $first,
                    last: cudair_engine::first_or!($first $(, $last)?),
                    at: $of::$field.start(),
                    bytes: $of::$field.end() - $of::$field.start(),
                }),*],
            }
        ),*];
    };
}

use alike;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_where_they_were_written() {
        let mut copy: Structure<cudaMemcpy3DParms> = Structure::zeroed();
        copy.set(cudaMemcpy3DParms::extent.then(cudaExtent::height), 7);
        copy.set(cudaMemcpy3DParms::dstPtr.then(cudaPitchedPtr::ptr), Ptr(0x1234));
        assert_eq!(copy.get(cudaMemcpy3DParms::extent.then(cudaExtent::all)), [0, 7, 0]);
        assert_eq!(copy.part(cudaMemcpy3DParms::dstPtr).get(cudaPitchedPtr::ptr), Ptr(0x1234));
        assert_eq!(copy.bytes()[136], 7);
        assert_eq!(copy.bytes().len(), 160);
        let mut other: Structure<cudaMemcpy3DParms> = Structure::zeroed();
        other.set_part(cudaMemcpy3DParms::dstPtr, &copy.part(cudaMemcpy3DParms::dstPtr));
        assert_eq!(other.get(cudaMemcpy3DParms::dstPtr.then(cudaPitchedPtr::ptr)), Ptr(0x1234));
    }

    #[test]
    fn what_was_not_given_is_zero() {
        let place: Structure<cudaMemLocation> = Structure::of_bytes(&[1, 0, 0, 0]);
        assert_eq!((place.get(cudaMemLocation::kind), place.get(cudaMemLocation::id)), (1, 0));
    }

    #[test]
    fn elements_stand_one_behind_the_other() {
        assert_eq!(element::<cudaMemAccessDesc>(Ptr(0x1000), 3), Ptr(0x1000).add(36));
        assert_eq!(cudaTextureDesc::borderColor.nth(2).start(), 32);
    }
}
