//! Texts of wide characters, of four bytes each.

use crate::Functions;
use cudair_engine::guest::{Bytes, Guest};
use cudair_engine::parts::HostMemory;
use cudair_engine::{Args, HostFn, Ret};
use cudair_lane::fault::Stop;
use cudair_lane::ptr::Ptr;
use std::cmp::Ordering;

const UNIT: i64 = 4;

/// The characters up to the zero, or `most` of them.
fn text(h: &mut impl Guest, at: Ptr, most: u64) -> Result<Vec<u32>, Stop> {
    let mut out = Vec::new();
    while (out.len() as u64) < most {
        match h.word(at.add(UNIT * out.len() as i64), UNIT as u64)? as u32 {
            0 => break,
            c => out.push(c),
        }
    }
    Ok(out)
}

fn put(h: &mut impl Guest, at: Ptr, text: &[u32]) -> Result<(), Stop> {
    let bytes: Vec<u8> = text.iter().flat_map(|c| c.to_le_bytes()).collect();
    h.write(at, &bytes)
}

/// As numbers: `wchar_t` is signed.
fn compare(a: &[u32], b: &[u32]) -> Ret {
    let order = a.iter().map(|&c| c as i32).cmp(b.iter().map(|&c| c as i32));
    match order {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    }
    .into()
}

fn units(h: &mut impl Guest, at: Ptr, count: u64) -> Result<Vec<u32>, Stop> {
    let bytes = h.read(at, count.saturating_mul(UNIT as u64))?;
    Ok(bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect())
}

fn found(at: Ptr, place: Option<usize>) -> Ret {
    place.map_or(Ptr::NULL, |n| at.add(UNIT * n as i64)).into()
}

fn copy(m: &mut HostMemory<'_>, a: &Args<'_>) -> Result<Ret, Stop> {
    let h = &mut Bytes::new(m, a, "wmemcpy");
    h.copy(a.ptr(0), a.ptr(1), a.u64(2).saturating_mul(UNIT as u64))?;
    Ok(a.ptr(0).into())
}

/// The place of a character in a text; its end counts.
fn find_char(
    m: &mut HostMemory<'_>,
    a: &Args<'_>,
    place: fn(&[u32], u32) -> Option<usize>,
) -> Result<Ret, Stop> {
    let mut all = text(&mut Bytes::new(m, a, "wcschr"), a.ptr(0), u64::MAX)?;
    all.push(0);
    Ok(found(a.ptr(0), place(&all, a.u32(1))))
}

/// The functions by name.
pub(crate) fn lookup(name: &str) -> Option<HostFn> {
    FUNCTIONS.find(name)
}

const FUNCTIONS: Functions = Functions {
    memory: &[
        (&["wcslen"], |m, a| {
            let h = &mut Bytes::new(m, a, "wcslen");
            Ok(Ret::Word(text(h, a.ptr(0), u64::MAX)?.len() as u64))
        }),
        (&["wcscmp"], |m, a| {
            let h = &mut Bytes::new(m, a, "wcscmp");
            Ok(compare(&text(h, a.ptr(0), u64::MAX)?, &text(h, a.ptr(1), u64::MAX)?))
        }),
        (&["wcsncmp"], |m, a| {
            let h = &mut Bytes::new(m, a, "wcsncmp");
            Ok(compare(&text(h, a.ptr(0), a.u64(2))?, &text(h, a.ptr(1), a.u64(2))?))
        }),
        (&["wcscpy"], |m, a| {
            let h = &mut Bytes::new(m, a, "wcscpy");
            let mut from = text(h, a.ptr(1), u64::MAX)?;
            from.push(0);
            put(h, a.ptr(0), &from)?;
            Ok(a.ptr(0).into())
        }),
        (&["wcsncpy"], |m, a| {
            let h = &mut Bytes::new(m, a, "wcsncpy");
            let from = text(h, a.ptr(1), a.u64(2))?;
            h.fill(a.ptr(0), 0, a.u64(2).saturating_mul(UNIT as u64))?;
            put(h, a.ptr(0), &from)?;
            Ok(a.ptr(0).into())
        }),
        (&["wcscat"], |m, a| {
            let h = &mut Bytes::new(m, a, "wcscat");
            let end = text(h, a.ptr(0), u64::MAX)?.len() as i64;
            let mut from = text(h, a.ptr(1), u64::MAX)?;
            from.push(0);
            put(h, a.ptr(0).add(UNIT * end), &from)?;
            Ok(a.ptr(0).into())
        }),
        (&["wcsstr"], |m, a| {
            let h = &mut Bytes::new(m, a, "wcsstr");
            let (all, part) = (text(h, a.ptr(0), u64::MAX)?, text(h, a.ptr(1), u64::MAX)?);
            let place = (0..=all.len()).find(|&n| all[n..].starts_with(&part));
            Ok(found(a.ptr(0), place))
        }),
        (&["wmemcpy", "wmemmove"], copy),
        (&["wmemset"], |m, a| {
            let h = &mut Bytes::new(m, a, "wmemset");
            h.check(a.ptr(0), a.u64(2).saturating_mul(UNIT as u64), true)?;
            put(h, a.ptr(0), &vec![a.u32(1); a.u64(2) as usize])?;
            Ok(a.ptr(0).into())
        }),
        (&["wmemcmp"], |m, a| {
            let h = &mut Bytes::new(m, a, "wmemcmp");
            Ok(compare(&units(h, a.ptr(0), a.u64(2))?, &units(h, a.ptr(1), a.u64(2))?))
        }),
        (&["wmemchr"], |m, a| {
            let h = &mut Bytes::new(m, a, "wmemchr");
            let place = units(h, a.ptr(0), a.u64(2))?.iter().position(|&c| c == a.u32(1));
            Ok(found(a.ptr(0), place))
        }),
        (&["wcschr"], |m, a| find_char(m, a, |all, c| all.iter().position(|&x| x == c))),
        (&["wcsrchr"], |m, a| find_char(m, a, |all, c| all.iter().rposition(|&x| x == c))),
    ],
    ..Functions::NONE
};
