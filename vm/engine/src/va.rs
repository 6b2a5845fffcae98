//! Variable arguments on the host.
//!
//! The extra arguments of a call to a variadic function are kept in a table, entered when the function is and
//! forgotten when it returns. A guest's `va_list` (24 bytes) holds the number of its entry and the position
//! of the next argument: so it can be copied, passed on, and passed to native functions like `vprintf`.

use crate::machine::Machine;
use crate::parts::HostMemory;
use crate::worker::loc_of;
use cudair_ir::{Kind, Module, Type};
use cudair_lane::fault::{Fault, Place, Stop};
use cudair_lane::ptr::Ptr;
use cudair_memory::{ByteAccess, LaneCx};

/// What stands in the first word of a `va_list` besides the entry's number.
const MAGIC: u64 = 0x7661_0000_0000_0000;
const MAGIC_MASK: u64 = 0xffff_0000_0000_0000;
/// Bytes of a `va_list`.
const LIST_BYTES: usize = 24;

/// An entry of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub(crate) struct VaId(u64);

impl VaId {
    /// None: a table has no such entry.
    pub(crate) const NONE: VaId = VaId(u64::MAX);
}

#[derive(Debug)]
struct Entry {
    id: u64,
    args: Vec<(u128, Type)>,
}

/// The extra arguments of the variadic functions that are running, innermost last.
#[derive(Debug, Default)]
pub(crate) struct VaTable {
    entries: Vec<Entry>,
    next: u64,
}

impl VaTable {
    /// A variadic function is entered.
    pub(crate) fn enter(&mut self, args: Vec<(u128, Type)>) -> VaId {
        self.next += 1;
        self.entries.push(Entry { id: self.next, args });
        VaId(self.next)
    }

    /// It returns, with all that were entered after it.
    pub(crate) fn leave(&mut self, id: VaId) {
        let keep = self.entries.partition_point(|e| e.id < id.0);
        self.entries.truncate(keep);
    }

    fn find(&self, id: u64) -> Option<&Entry> {
        self.entries.binary_search_by_key(&id, |e| e.id).ok().map(|i| &self.entries[i])
    }
}

fn who(machine: &Machine, place: Place, native: &'static str) -> ByteAccess {
    ByteAccess::host(native, machine.loc_of(place))
}

fn bad(place: Place, message: &str, label: &str) -> Stop {
    Fault::other(Kind::UndefinedBehavior, place, message, label).into()
}

/// `va_start` in a function whose extra arguments are `id`.
pub(crate) fn va_start(m: &mut Machine, list: Ptr, id: Option<VaId>, place: Place) -> Result<(), Stop> {
    let Some(VaId(id)) = id else {
        return Err(bad(place, "`va_start` in a function that takes no variable arguments", "here"));
    };
    let mut bytes = [0; LIST_BYTES];
    bytes[..8].copy_from_slice(&(MAGIC | id).to_le_bytes());
    let who = who(m, place, "va_start");
    m.mem.write(&mut LaneCx::host(&mut m.findings), who, list, &bytes)
}

/// `va_end`: the list can no longer be used.
pub(crate) fn va_end(m: &mut Machine, list: Ptr, place: Place) -> Result<(), Stop> {
    let who = who(m, place, "va_end");
    m.mem.write(&mut LaneCx::host(&mut m.findings), who, list, &[0; LIST_BYTES])
}

/// `va_copy`.
pub(crate) fn va_copy(m: &mut Machine, dst: Ptr, src: Ptr, place: Place) -> Result<(), Stop> {
    let who = who(m, place, "va_copy");
    m.mem.copy(&mut LaneCx::host(&mut m.findings), who, dst, src, LIST_BYTES as u64)
}

/// `va_arg`: the next argument of the list, read as `ty`.
pub(crate) fn va_arg(
    m: &mut HostMemory<'_>,
    (module, va): (&Module, &VaTable),
    list: Ptr,
    ty: Type,
    place: Place,
) -> Result<u128, Stop> {
    let access = ByteAccess::host("va_arg", loc_of(module, place));
    let mut bytes = [0; 16];
    m.mem.read_into(&mut LaneCx::host(m.findings), access, list, &mut bytes)?;
    let word = |i: usize| u64::from_le_bytes(std::array::from_fn(|n| bytes[8 * i + n]));
    let (tag, at) = (word(0), word(1));
    let Some(entry) = (tag & MAGIC_MASK == MAGIC).then(|| va.find(tag & !MAGIC_MASK)).flatten() else {
        return Err(bad(
            place,
            "a `va_list` that is not in use: `va_start` was not called, `va_end` was, or the function that \
             called `va_start` has returned",
            "an argument is taken from it here",
        ));
    };
    let Some(&(bits, found)) = entry.args.get(at as usize) else {
        return Err(bad(
            place,
            "a variable argument that was not passed",
            &format!("argument {} of {} is taken here", at + 1, entry.args.len()),
        ));
    };
    m.mem.write(&mut LaneCx::host(m.findings), access, list.add(8), &(at + 1).to_le_bytes())?;
    if !compatible(found, ty) {
        let fault = Fault::other(
            Kind::UndefinedBehavior,
            place,
            format!("a variable argument of type `{found}` is read as `{ty}`"),
            format!("argument {} is taken here", at + 1),
        );
        m.findings.note(fault);
    }
    Ok(bits & ty.bit_mask())
}

/// Whether an argument of one type may be read as the other: signedness and what a pointer points to do not
/// count.
fn compatible(passed: Type, read: Type) -> bool {
    passed == read || passed.bits() == read.bits() && !passed.is_float() && !read.is_float()
}
