//! Descriptions of types as the frontend writes them (`lower/rtti.rs` there): what catches what, casts at run time.
//! A type has one description in a program, so that addresses tell types apart.

use super::exceptions::word;
use cudair_engine::Machine;
use cudair_engine::parts::HostMemory;
use cudair_lane::fault::Stop;
use cudair_lane::ptr::Ptr;
use cudair_memory::{ByteAccess, LaneCx};

/// The word at the start of a description.
mod form {
    pub const CLASS: u64 = 1;
    pub const POINTER: u64 = 2;
}

/// Where a description's words are.
mod at {
    /// The mangled name, of all.
    pub const NAME: i64 = 8;
    /// How many bases a class has, and the first of them.
    pub const BASES: i64 = 16;
    pub const FIRST_BASE: i64 = 24;
    /// The bytes of a base, and where its flags are.
    pub const BASE: i64 = 16;
    pub const BASE_FLAGS: i64 = 8;
    /// The qualifiers of what a pointer points to, and its description.
    pub const QUALIFIERS: i64 = 16;
    pub const TARGET: i64 = 24;
}

/// Where a table of virtual functions says how far away the whole object is, and of which class: before it.
mod before {
    pub const WHOLE: i64 = -16;
    pub const CLASS: i64 = -8;
}

/// Nested bases deeper than this are not looked at: no compiler makes such a class.
const DEPTH: u32 = 200;

/// A base of a class.
struct Base {
    info: Ptr,
    offset: i64,
    is_virtual: bool,
    is_public: bool,
}

fn name(m: &mut HostMemory<'_>, info: Ptr) -> Result<Vec<u8>, Stop> {
    let at = Ptr(word(m, info.add(at::NAME))?);
    m.mem.read_cstr(&mut LaneCx::host(m.findings), ByteAccess::default(), at, Some(1 << 16))
}

/// What a reader calls the type.
pub(super) fn display_name(m: &mut Machine, info: Ptr) -> String {
    let global = m.module.globals.keys().find(|&g| m.globals[g] == info);
    match global {
        Some(g) => m.module.globals[g].display_name.clone(),
        // Whose name cannot be read is shown without one.
        None => name(&mut HostMemory::of(m), info)
            .map(|n| String::from_utf8_lossy(&n).into_owned())
            .unwrap_or_default(),
    }
}

fn bases(m: &mut HostMemory<'_>, info: Ptr) -> Result<Vec<Base>, Stop> {
    if word(m, info)? != form::CLASS {
        return Ok(Vec::new());
    }
    let count = word(m, info.add(at::BASES))?.min(1 << 16);
    let mut out = Vec::new();
    for n in 0..count as i64 {
        let entry = info.add(at::FIRST_BASE + at::BASE * n);
        let (base, flags) = (word(m, entry)?, word(m, entry.add(at::BASE_FLAGS))?);
        out.push(Base {
            info: Ptr(base),
            offset: flags as i64 >> 8,
            is_virtual: flags & 1 != 0,
            is_public: flags & 2 != 0,
        });
    }
    Ok(out)
}

/// Where a base is in an object, virtual ones by the object's table.
fn base_address(m: &mut HostMemory<'_>, object: Ptr, base: &Base) -> Result<Ptr, Stop> {
    if !base.is_virtual {
        return Ok(object.add(base.offset));
    }
    let table = Ptr(word(m, object)?);
    let distance = word(m, table.add(base.offset))? as i64;
    Ok(object.add(distance))
}

/// The subobjects of a type in an object, each with whether it is reached by public bases alone. Without an object
/// addresses count from null, and virtual bases are not followed.
fn subobjects(
    m: &mut HostMemory<'_>,
    info: Ptr,
    object: Ptr,
    wanted: Ptr,
    public: bool,
    depth: u32,
    out: &mut Vec<(Ptr, bool)>,
) -> Result<(), Stop> {
    if info == wanted {
        match out.iter_mut().find(|(p, _)| *p == object) {
            Some((_, known)) => *known |= public,
            None => out.push((object, public)),
        }
        return Ok(());
    }
    if depth == 0 {
        return Ok(());
    }
    for base in bases(m, info)? {
        let at = base_address(m, object, &base)?;
        subobjects(m, base.info, at, wanted, public && base.is_public, depth - 1, out)?;
    }
    Ok(())
}

/// The one public base of a type in an object of class `info`.
fn public_base(m: &mut HostMemory<'_>, info: Ptr, object: Ptr, wanted: Ptr) -> Result<Option<Ptr>, Stop> {
    let mut found = Vec::new();
    subobjects(m, info, object, wanted, true, DEPTH, &mut found)?;
    Ok(match found[..] {
        [(at, true)] => Some(at),
        _ => None,
    })
}

/// The part of an object that is of the class with a mangled name, if it has one.
pub(super) fn as_base(
    m: &mut HostMemory<'_>,
    info: Ptr,
    object: Ptr,
    mangled: &str,
) -> Result<Option<Ptr>, Stop> {
    if name(m, info)? == mangled.as_bytes() {
        return Ok(Some(object));
    }
    for base in bases(m, info)? {
        let at = base_address(m, object, &base)?;
        if let Some(found) = as_base(m, base.info, at, mangled)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// What a handler of any type gets of an object.
pub(super) fn value_of(m: &mut HostMemory<'_>, info: Ptr, object: Ptr) -> Result<Ptr, Stop> {
    if word(m, info)? == form::POINTER {
        return Ok(Ptr(word(m, object)?));
    }
    Ok(object)
}

/// What a handler of the type `wanted` gets of an exception, if it takes it: the object as that type, or the pointer
/// converted.
pub(super) fn catches(
    m: &mut HostMemory<'_>,
    wanted: Ptr,
    thrown: Ptr,
    object: Ptr,
) -> Result<Option<Ptr>, Stop> {
    if wanted == thrown {
        return value_of(m, thrown, object).map(Some);
    }
    let (a, b) = (word(m, wanted)?, word(m, thrown)?);
    if a == form::CLASS && b == form::CLASS {
        return public_base(m, thrown, object, wanted);
    }
    if a != form::POINTER {
        return Ok(None);
    }
    if name(m, thrown)? == b"Dn" {
        return Ok(Some(Ptr::NULL));
    }
    if b != form::POINTER {
        return Ok(None);
    }
    let (may, has) = (word(m, wanted.add(at::QUALIFIERS))?, word(m, thrown.add(at::QUALIFIERS))?);
    if has & !may != 0 {
        return Ok(None);
    }
    let (to, from) = (Ptr(word(m, wanted.add(at::TARGET))?), Ptr(word(m, thrown.add(at::TARGET))?));
    let value = Ptr(word(m, object)?);
    let target = name(m, to)?;
    if to == from || target == b"v" && !name(m, from)?.starts_with(b"F") {
        return Ok(Some(value));
    }
    if word(m, to)? != form::CLASS || word(m, from)? != form::CLASS {
        return Ok(None);
    }
    if value.is_null() {
        // Whether it converts does not hang on the object, unless bases are virtual.
        let mut found = Vec::new();
        subobjects_of_type(m, from, to, true, DEPTH, &mut found)?;
        return Ok((found == [true]).then_some(Ptr::NULL));
    }
    public_base(m, from, value, to)
}

/// As [`subobjects`], by the type alone.
fn subobjects_of_type(
    m: &mut HostMemory<'_>,
    info: Ptr,
    wanted: Ptr,
    public: bool,
    depth: u32,
    out: &mut Vec<bool>,
) -> Result<(), Stop> {
    if info == wanted {
        out.push(public);
        return Ok(());
    }
    if depth > 0 {
        for base in bases(m, info)? {
            subobjects_of_type(m, base.info, wanted, public && base.is_public, depth - 1, out)?;
        }
    }
    Ok(())
}

/// `dynamic_cast` of a pointer to a `from` to a pointer to a `to`.
pub(super) fn dynamic_cast(m: &mut HostMemory<'_>, object: Ptr, from: Ptr, to: Ptr) -> Result<Ptr, Stop> {
    if object.is_null() {
        return Ok(Ptr::NULL);
    }
    let table = Ptr(word(m, object)?);
    let whole = object.add(word(m, table.add(before::WHOLE))? as i64);
    let class = Ptr(word(m, table.add(before::CLASS))?);
    let mut targets = Vec::new();
    subobjects(m, class, whole, to, true, DEPTH, &mut targets)?;
    // Down: the one object of that type that the operand is a public base of.
    let mut around = Vec::new();
    for &(at, _) in &targets {
        let mut parts = Vec::new();
        subobjects(m, to, at, from, true, DEPTH, &mut parts)?;
        if parts.iter().any(|&(p, public)| p == object && public) {
            around.push(at);
        }
    }
    if let [one] = around[..] {
        return Ok(one);
    }
    // Across: by way of the whole object.
    let mut parts = Vec::new();
    subobjects(m, class, whole, from, true, DEPTH, &mut parts)?;
    let public = parts.iter().any(|&(p, public)| p == object && public);
    Ok(match targets[..] {
        [(at, true)] if public => at,
        _ => Ptr::NULL,
    })
}
