//! `string.h`, `strings.h`, `ctype.h`.

use super::sys;
use crate::{Functions, Kept, ProcessCall, Table, both, named};
use cudair_engine::guest::{Bytes, Guest, Host, Lane, runtime_object};
use cudair_engine::parts::{HostMemory, HostProcess};
use cudair_engine::{Args, DeviceCall, DeviceFn, HostFn, Ret};
use cudair_ir::Kind;
use cudair_lane::fault::{AllocKind, Stop};
use cudair_lane::ptr::Ptr;
use cudair_memory::InitState;

/// Notes a copy whose ranges overlap where they must not.
fn check_overlap(g: &mut impl Guest, dst: Ptr, src: Ptr, len: u64) {
    if dst != src && overlap((dst, len), (src, len)) {
        let fault = g.fault(Kind::UndefinedBehavior, format!("a copy of {len} bytes whose ranges overlap"));
        g.note(fault.with_help("`memmove` copies between ranges that overlap"));
    }
}

/// Whether two ranges, each a place and a number of bytes, have a byte in common.
pub(crate) fn overlap((a, in_a): (Ptr, u64), (b, in_b): (Ptr, u64)) -> bool {
    let (from, to) = (a.offset(), b.offset());
    in_a.min(in_b) > 0
        && a.object_start() == b.object_start()
        && from.abs_diff(to) < if from < to { in_a } else { in_b }
}

/// Notes that what a function writes and what it reads, each a place and a number of bytes, are not apart.
pub(crate) fn check_apart(g: &mut impl Guest, to: (Ptr, u64), from: (Ptr, u64)) {
    if overlap(to, from) {
        let (written, read) = (to.1, from.1);
        let message = format!("the call writes {written} bytes over the {read} that it reads");
        let fault = g.fault(Kind::UndefinedBehavior, message);
        g.note(fault.with_help("copy through another array"));
    }
}

both!(memcpy, device_memcpy, "memcpy", |g, a| {
    check_overlap(g, a.ptr(0), a.ptr(1), a.u64(2));
    g.copy(a.ptr(0), a.ptr(1), a.u64(2))?;
    Ok(a.ptr(0).into())
});
both!(memmove, device_memmove, "memmove", |g, a| {
    g.copy(a.ptr(0), a.ptr(1), a.u64(2))?;
    Ok(a.ptr(0).into())
});
both!(memset, device_memset, "memset", |g, a| {
    g.fill(a.ptr(0), a.u32(1) as u8, a.u64(2))?;
    Ok(a.ptr(0).into())
});
both!(strlen, device_strlen, "strlen", |g, a| {
    let n = g.cstr(a.ptr(0), None)?.len();
    Ok(Ret::Word(n as u64))
});
both!(memcmp, device_memcmp, "memcmp", |g, a| {
    let x = g.read(a.ptr(0), a.u64(2))?;
    let y = g.read(a.ptr(1), a.u64(2))?;
    Ok(order(&x, &y).into())
});
both!(strcmp, device_strcmp, "strcmp", |g, a| {
    let r = compare(g, a.ptr(0), a.ptr(1), None, |b| b)?;
    Ok(r.into())
});
both!(strncmp, device_strncmp, "strncmp", |g, a| {
    let r = compare(g, a.ptr(0), a.ptr(1), Some(a.u64(2)), |b| b)?;
    Ok(r.into())
});
both!(strcpy, device_strcpy, "strcpy", |g, a| {
    let text = g.cstr(a.ptr(1), None)?;
    let len = text.len() as u64 + 1;
    check_apart(g, (a.ptr(0), len), (a.ptr(1), len));
    g.put_cstr(a.ptr(0), &text)?;
    Ok(a.ptr(0).into())
});

/// The difference of the first bytes that differ, as glibc gives it.
fn order(x: &[u8], y: &[u8]) -> i32 {
    match x.iter().zip(y).find(|(a, b)| a != b) {
        Some((a, b)) => i32::from(*a) - i32::from(*b),
        None => 0,
    }
}

/// Compares strings. No more of the first is read than the second's length asks for.
fn compare(
    g: &mut impl Guest,
    a: Ptr,
    b: Ptr,
    max: Option<u64>,
    map: impl Fn(u8) -> u8,
) -> Result<i32, Stop> {
    let mut y = g.cstr(b, max)?;
    let limit = (y.len() as u64 + 1).min(max.unwrap_or(u64::MAX));
    let mut x = g.cstr(a, Some(limit))?;
    for text in [&mut x, &mut y] {
        for b in text.iter_mut() {
            *b = map(*b);
        }
        text.push(0);
    }
    let n = max.unwrap_or(u64::MAX).min(x.len().min(y.len()) as u64) as usize;
    Ok(order(&x[..n], &y[..n]))
}

/// How many bytes were read of a text of at most so many: its end, too, if it has one there.
pub(crate) fn read_of(text: &[u8], most: u64) -> u64 {
    most.min(text.len() as u64 + 1)
}

fn at(ptr: Ptr, i: Option<usize>) -> Ret {
    i.map_or(Ptr::NULL, |i| ptr.add(i as i64)).into()
}

fn find(text: &[u8], needle: &[u8]) -> Option<usize> {
    if needle.is_empty() {
        return Some(0);
    }
    text.windows(needle.len()).position(|w| w == needle)
}

/// The device's functions by name.
pub(crate) fn lookup_device(name: &str) -> Option<DeviceFn> {
    named(DEVICE_FUNCTIONS, name)
}

const DEVICE_FUNCTIONS: Table<DeviceFn> = &[
    (&["memcpy", "__builtin_memcpy"], device_memcpy),
    (&["memmove", "__builtin_memmove"], device_memmove),
    (&["memset", "__builtin_memset"], device_memset),
    (&["memcmp"], device_memcmp),
    (&["strlen"], device_strlen),
    (&["strcmp"], device_strcmp),
    (&["strncmp"], device_strncmp),
    (&["strcpy"], device_strcpy),
];

/// The host's functions by name.
pub(crate) fn lookup(name: &str) -> Option<HostFn> {
    FUNCTIONS.find(name).or_else(|| ctype(name))
}

const FUNCTIONS: Functions = Functions {
    memory: &[
        (&["memcpy", "__memcpy_chk", "__builtin_memcpy"], memcpy),
        (&["memmove", "__memmove_chk", "__builtin_memmove"], memmove),
        (&["memset", "__memset_chk", "__builtin_memset"], memset),
        (&["strlen", "__builtin_strlen"], strlen),
        (&["memcmp", "bcmp", "__builtin_memcmp"], memcmp),
        (&["strcmp", "strcoll", "__builtin_strcmp"], strcmp),
        (&["strncmp"], strncmp),
        (&["strcpy", "__strcpy_chk"], strcpy),
        (&["mempcpy", "__mempcpy_chk"], |m, a| {
            let h = &mut Bytes::new(m, a, "mempcpy");
            check_overlap(h, a.ptr(0), a.ptr(1), a.u64(2));
            h.copy(a.ptr(0), a.ptr(1), a.u64(2))?;
            Ok(a.ptr(0).add(a.u64(2) as i64).into())
        }),
        (&["memccpy"], |m, a| {
            let h = &mut Bytes::new(m, a, "memccpy");
            let bytes = h.read(a.ptr(1), a.u64(3))?;
            let end = bytes.iter().position(|&b| b == a.u32(2) as u8);
            let n = end.map_or(bytes.len(), |e| e + 1);
            check_apart(h, (a.ptr(0), n as u64), (a.ptr(1), n as u64));
            h.copy(a.ptr(0), a.ptr(1), n as u64)?;
            Ok(at(a.ptr(0), end.map(|e| e + 1)))
        }),
        (&["bzero"], |m, a| {
            Bytes::new(m, a, "bzero").fill(a.ptr(0), 0, a.u64(1))?;
            Ok(Ret::Void)
        }),
        (&["bcopy"], |m, a| {
            Bytes::new(m, a, "bcopy").copy(a.ptr(1), a.ptr(0), a.u64(2))?;
            Ok(Ret::Void)
        }),
        (&["strnlen"], |m, a| {
            let n = Bytes::new(m, a, "strnlen").cstr(a.ptr(0), Some(a.u64(1)))?.len();
            Ok(Ret::Word(n as u64))
        }),
        (&["strcasecmp"], |m, a| {
            let h = &mut Bytes::new(m, a, "strcasecmp");
            Ok(compare(h, a.ptr(0), a.ptr(1), None, |b| b.to_ascii_lowercase())?.into())
        }),
        (&["strncasecmp"], |m, a| {
            let h = &mut Bytes::new(m, a, "strncasecmp");
            Ok(compare(h, a.ptr(0), a.ptr(1), Some(a.u64(2)), |b| b.to_ascii_lowercase())?.into())
        }),
        (&["stpcpy", "__stpcpy_chk"], |m, a| {
            let h = &mut Bytes::new(m, a, "stpcpy");
            let text = h.cstr(a.ptr(1), None)?;
            let len = text.len() as u64 + 1;
            check_apart(h, (a.ptr(0), len), (a.ptr(1), len));
            h.put_cstr(a.ptr(0), &text)?;
            Ok(at(a.ptr(0), Some(text.len())))
        }),
        (&["strncpy", "__strncpy_chk"], |m, a| {
            let h = &mut Bytes::new(m, a, "strncpy");
            let text = h.cstr(a.ptr(1), Some(a.u64(2)))?;
            check_apart(h, (a.ptr(0), a.u64(2)), (a.ptr(1), read_of(&text, a.u64(2))));
            h.write(a.ptr(0), &text)?;
            let len = text.len() as u64;
            h.fill(a.ptr(0).add(len as i64), 0, a.u64(2) - len)?;
            Ok(a.ptr(0).into())
        }),
        (&["stpncpy"], |m, a| {
            let h = &mut Bytes::new(m, a, "stpncpy");
            let text = h.cstr(a.ptr(1), Some(a.u64(2)))?;
            check_apart(h, (a.ptr(0), a.u64(2)), (a.ptr(1), read_of(&text, a.u64(2))));
            h.write(a.ptr(0), &text)?;
            let end = a.ptr(0).add(text.len() as i64);
            h.fill(end, 0, a.u64(2) - text.len() as u64)?;
            Ok(end.into())
        }),
        (&["strlcpy"], |m, a| {
            let h = &mut Bytes::new(m, a, "strlcpy");
            let text = h.cstr(a.ptr(1), None)?;
            if a.u64(2) > 0 {
                let n = text.len().min(a.usize(2) - 1);
                check_apart(h, (a.ptr(0), n as u64 + 1), (a.ptr(1), text.len() as u64 + 1));
                h.put_cstr(a.ptr(0), &text[..n])?;
            }
            Ok(Ret::Word(text.len() as u64))
        }),
        (&["strlcat"], |m, a| {
            let h = &mut Bytes::new(m, a, "strlcat");
            let old = h.cstr(a.ptr(0), Some(a.u64(2)))?.len();
            let text = h.cstr(a.ptr(1), None)?;
            let room = a.usize(2) - old;
            if room > 0 {
                let (to, n) = (a.ptr(0).add(old as i64), text.len().min(room - 1));
                check_apart(h, (to, n as u64 + 1), (a.ptr(1), text.len() as u64 + 1));
                h.put_cstr(to, &text[..n])?;
            }
            Ok(Ret::Word((old + text.len()) as u64))
        }),
        (&["strcat", "__strcat_chk"], |m, a| {
            let h = &mut Bytes::new(m, a, "strcat");
            let len = h.cstr(a.ptr(0), None)?.len();
            let text = h.cstr(a.ptr(1), None)?;
            let end = a.ptr(0).add(len as i64);
            check_apart(h, (end, text.len() as u64 + 1), (a.ptr(1), text.len() as u64 + 1));
            h.put_cstr(end, &text)?;
            Ok(a.ptr(0).into())
        }),
        (&["strncat", "__strncat_chk"], |m, a| {
            let h = &mut Bytes::new(m, a, "strncat");
            let len = h.cstr(a.ptr(0), None)?.len();
            let text = h.cstr(a.ptr(1), Some(a.u64(2)))?;
            let end = a.ptr(0).add(len as i64);
            check_apart(h, (end, text.len() as u64 + 1), (a.ptr(1), read_of(&text, a.u64(2))));
            h.put_cstr(end, &text)?;
            Ok(a.ptr(0).into())
        }),
        (&["strchr", "index"], |m, a| {
            let mut text = Bytes::new(m, a, "strchr").cstr(a.ptr(0), None)?;
            text.push(0);
            Ok(at(a.ptr(0), text.iter().position(|&b| b == a.u32(1) as u8)))
        }),
        (&["strchrnul"], |m, a| {
            let text = Bytes::new(m, a, "strchrnul").cstr(a.ptr(0), None)?;
            Ok(at(a.ptr(0), Some(text.iter().position(|&b| b == a.u32(1) as u8).unwrap_or(text.len()))))
        }),
        (&["strrchr", "rindex"], |m, a| {
            let mut text = Bytes::new(m, a, "strrchr").cstr(a.ptr(0), None)?;
            text.push(0);
            Ok(at(a.ptr(0), text.iter().rposition(|&b| b == a.u32(1) as u8)))
        }),
        (&["memchr"], |m, a| {
            let bytes = Bytes::new(m, a, "memchr").read(a.ptr(0), a.u64(2))?;
            Ok(at(a.ptr(0), bytes.iter().position(|&b| b == a.u32(1) as u8)))
        }),
        (&["memrchr"], |m, a| {
            let bytes = Bytes::new(m, a, "memrchr").read(a.ptr(0), a.u64(2))?;
            Ok(at(a.ptr(0), bytes.iter().rposition(|&b| b == a.u32(1) as u8)))
        }),
        (&["memmem"], |m, a| {
            let h = &mut Bytes::new(m, a, "memmem");
            let (text, needle) = (h.read(a.ptr(0), a.u64(1))?, h.read(a.ptr(2), a.u64(3))?);
            Ok(at(a.ptr(0), find(&text, &needle)))
        }),
        (&["strstr"], |m, a| {
            let h = &mut Bytes::new(m, a, "strstr");
            let (text, needle) = (h.cstr(a.ptr(0), None)?, h.cstr(a.ptr(1), None)?);
            Ok(at(a.ptr(0), find(&text, &needle)))
        }),
        (&["strcasestr"], |m, a| {
            let h = &mut Bytes::new(m, a, "strcasestr");
            let (text, needle) = (h.cstr(a.ptr(0), None)?, h.cstr(a.ptr(1), None)?);
            Ok(at(a.ptr(0), find(&text.to_ascii_lowercase(), &needle.to_ascii_lowercase())))
        }),
        (&["strspn"], |m, a| {
            let h = &mut Bytes::new(m, a, "strspn");
            let (text, set) = (h.cstr(a.ptr(0), None)?, h.cstr(a.ptr(1), None)?);
            Ok(Ret::Word(text.iter().take_while(|b| set.contains(b)).count() as u64))
        }),
        (&["strcspn"], |m, a| {
            let h = &mut Bytes::new(m, a, "strcspn");
            let (text, set) = (h.cstr(a.ptr(0), None)?, h.cstr(a.ptr(1), None)?);
            Ok(Ret::Word(text.iter().take_while(|b| !set.contains(b)).count() as u64))
        }),
        (&["strpbrk"], |m, a| {
            let h = &mut Bytes::new(m, a, "strpbrk");
            let (text, set) = (h.cstr(a.ptr(0), None)?, h.cstr(a.ptr(1), None)?);
            Ok(at(a.ptr(0), text.iter().position(|b| set.contains(b))))
        }),
        (&["strtok_r", "__strtok_r"], |m, a| {
            let h = &mut Bytes::new(m, a, "strtok_r");
            let saved = if a.ptr(0).is_null() { Ptr(h.word(a.ptr(2), 8)?) } else { Ptr::NULL };
            let (token, next) = token(h, a.ptr(0), saved, a.ptr(1))?;
            h.put(a.ptr(2), next.0, 8)?;
            Ok(token.into())
        }),
        (&["strsep"], |m, a| {
            let h = &mut Bytes::new(m, a, "strsep");
            let start = Ptr(h.word(a.ptr(0), 8)?);
            if start.is_null() {
                return Ok(Ptr::NULL.into());
            }
            let (text, set) = (h.cstr(start, None)?, h.cstr(a.ptr(1), None)?);
            let next = match text.iter().position(|b| set.contains(b)) {
                Some(i) => {
                    h.put(start.add(i as i64), 0, 1)?;
                    start.add(i as i64 + 1)
                }
                None => Ptr::NULL,
            };
            h.put(a.ptr(0), next.0, 8)?;
            Ok(start.into())
        }),
        (&["strxfrm"], |m, a| {
            let h = &mut Bytes::new(m, a, "strxfrm");
            let text = h.cstr(a.ptr(1), None)?;
            if (text.len() as u64) < a.u64(2) {
                h.put_cstr(a.ptr(0), &text)?;
            }
            Ok(Ret::Word(text.len() as u64))
        }),
        (&["__xpg_strerror_r"], |m, a| {
            let h = &mut Bytes::new(m, a, "strerror_r");
            let text = sys::strerror(a.i32(0));
            if (text.len() as u64) < a.u64(2) {
                h.put_cstr(a.ptr(1), text.as_bytes())?;
                return Ok(0.into());
            }
            Ok(34.into())
        }),
        (&["ffs"], |_, a| Ok(first_set(u64::from(a.u32(0))))),
        (&["ffsl", "ffsll"], |_, a| Ok(first_set(a.u64(0)))),
    ],
    process: &[
        (&["strtok"], |m, a| {
            let saved = m.libc.get().strtok;
            let h = &mut Host::new(m, a, "strtok");
            let (token, next) = token(h, a.ptr(0), saved, a.ptr(1))?;
            h.m.libc.get_mut().strtok = next;
            Ok(token.into())
        }),
        (&["strdup", "__strdup"], |m, a| {
            let h = &mut Host::new(m, a, "strdup");
            let text = h.cstr(a.ptr(0), None)?;
            duplicate(h, &text)
        }),
        (&["strndup", "__strndup"], |m, a| {
            let h = &mut Host::new(m, a, "strndup");
            let text = h.cstr(a.ptr(0), Some(a.u64(1)))?;
            duplicate(h, &text)
        }),
        (&["strerror"], |m, a| {
            // Each known error has a text of its own; those without share one.
            const KNOWN: std::ops::Range<i32> = 0..134;
            let text = sys::strerror(a.i32(0));
            let name = match a.i32(0) {
                n if KNOWN.contains(&n) => format!("strerror {n}"),
                _ => "strerror".to_owned(),
            };
            super::static_text(m, &name, text.as_bytes())
        }),
        // The GNU form: the text may lie anywhere.
        (&["strerror_r"], |m, a| {
            let text = sys::strerror(a.i32(0));
            super::static_text(m, "strerror", text.as_bytes())
        }),
    ],
    ..Functions::NONE
};

fn first_set(x: u64) -> Ret {
    (if x == 0 { 0 } else { x.trailing_zeros() as i32 + 1 }).into()
}

fn duplicate(h: &mut ProcessCall<'_, '_>, text: &[u8]) -> Result<Ret, Stop> {
    let ptr = h.alloc(text.len() as u64 + 1, 16, InitState::Uninit, AllocKind::Malloc)?;
    h.put_cstr(ptr, text)?;
    Ok(ptr.into())
}

/// The next token and where to go on.
fn token(h: &mut impl Guest, start: Ptr, saved: Ptr, set: Ptr) -> Result<(Ptr, Ptr), Stop> {
    let start = if start.is_null() { saved } else { start };
    if start.is_null() {
        return Ok((Ptr::NULL, Ptr::NULL));
    }
    let (text, set) = (h.cstr(start, None)?, h.cstr(set, None)?);
    let skipped = text.iter().take_while(|b| set.contains(b)).count();
    let token = start.add(skipped as i64);
    if skipped == text.len() {
        return Ok((Ptr::NULL, token));
    }
    let len = text[skipped..].iter().take_while(|b| !set.contains(b)).count();
    let end = token.add(len as i64);
    if skipped + len == text.len() {
        return Ok((token, end));
    }
    h.put(end, 0, 1)?;
    Ok((token, end.add(1)))
}

// ctype.h

/// A character class: the test's name, its bit, the test.
type Class = (&'static str, u16, fn(u8) -> bool);

/// Character classes, as glibc's table has them.
const CLASSES: [Class; 12] = [
    ("isupper", 0x100, |b| b.is_ascii_uppercase()),
    ("islower", 0x200, |b| b.is_ascii_lowercase()),
    ("isalpha", 0x400, |b| b.is_ascii_alphabetic()),
    ("isdigit", 0x800, |b| b.is_ascii_digit()),
    ("isxdigit", 0x1000, |b| b.is_ascii_hexdigit()),
    ("isspace", 0x2000, super::number::is_space),
    ("isprint", 0x4000, |b| (0x20..0x7f).contains(&b)),
    ("isgraph", 0x8000, |b| b.is_ascii_graphic()),
    ("isblank", 0x1, |b| b == b' ' || b == b'\t'),
    ("iscntrl", 0x2, |b| b.is_ascii_control()),
    ("ispunct", 0x4, |b| b.is_ascii_punctuation()),
    ("isalnum", 0x8, |b| b.is_ascii_alphanumeric()),
];

fn classes(b: u8) -> u16 {
    CLASSES.iter().map(|(_, bit, test)| if test(b) { *bit } else { 0 }).sum()
}

/// Whether the class of bit `BIT` holds the argument: the bit, or 0.
fn is_class<const BIT: u16>(_: &mut HostMemory<'_>, a: &Args<'_>) -> Result<Ret, Stop> {
    let word = u8::try_from(a.i32(0)).map_or(0, |b| classes(b) & BIT);
    Ok(i32::from(word).into())
}

fn ctype(name: &str) -> Option<HostFn> {
    CTYPE.find(name)
}

const CTYPE: Functions = Functions {
    memory: &[
        (&["isupper"], is_class::<0x100>),
        (&["islower"], is_class::<0x200>),
        (&["isalpha"], is_class::<0x400>),
        (&["isdigit"], is_class::<0x800>),
        (&["isxdigit"], is_class::<0x1000>),
        (&["isspace"], is_class::<0x2000>),
        (&["isprint"], is_class::<0x4000>),
        (&["isgraph"], is_class::<0x8000>),
        (&["isblank"], is_class::<0x1>),
        (&["iscntrl"], is_class::<0x2>),
        (&["ispunct"], is_class::<0x4>),
        (&["isalnum"], is_class::<0x8>),
        (&["isascii"], |_, a| Ok(i32::from((0..128).contains(&a.i32(0))).into())),
        (&["toascii"], |_, a| Ok((a.i32(0) & 0x7f).into())),
        (&["tolower", "_tolower"], |_, a| Ok(map_case(a.i32(0), |b| b.to_ascii_lowercase()).into())),
        (&["toupper", "_toupper"], |_, a| Ok(map_case(a.i32(0), |b| b.to_ascii_uppercase()).into())),
        (&["__ctype_get_mb_cur_max"], |_, _| Ok(Ret::Word(1))),
    ],
    process: &[
        (&["__ctype_b_loc"], |m, _| {
            table(m, "__ctype_b_loc", 2, |c| {
                let b = u8::try_from(c).map_or(0, classes);
                b.to_le_bytes().to_vec()
            })
        }),
        (&["__ctype_tolower_loc"], |m, _| {
            table(m, "__ctype_tolower_loc", 4, |c| {
                map_case(c, |b| b.to_ascii_lowercase()).to_le_bytes().to_vec()
            })
        }),
        (&["__ctype_toupper_loc"], |m, _| {
            table(m, "__ctype_toupper_loc", 4, |c| {
                map_case(c, |b| b.to_ascii_uppercase()).to_le_bytes().to_vec()
            })
        }),
    ],
    ..Functions::NONE
};

fn map_case(c: i32, map: fn(u8) -> u8) -> i32 {
    u8::try_from(c).map_or(c, |b| i32::from(map(b)))
}

/// The address of a pointer to element 0 of a table over -128 to 255, made once.
fn table(
    m: &mut HostProcess<'_>,
    name: &'static str,
    width: i64,
    entry: impl Fn(i32) -> Vec<u8>,
) -> Result<Ret, Stop> {
    if let Some(&ptr) = m.libc.get().objects.get(name) {
        return Ok(ptr.into());
    }
    let bytes: Vec<u8> = (-128..256).flat_map(entry).collect();
    let table = runtime_object(m, name, &bytes, 8)?;
    m.mem.set_read_only(table);
    let ptr = runtime_object(m, name, &table.add(128 * width).0.to_le_bytes(), 8)?;
    m.libc.get_mut().objects.insert(name.to_owned(), ptr);
    Ok(ptr.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_agree_with_each_other() {
        for b in 0..=255u8 {
            let c = classes(b);
            assert_eq!(c & 0x8 != 0, c & 0xc00 != 0, "{b}");
            assert_eq!(c & 0x8000 != 0, c & 0xc != 0, "{b}");
        }
        for (name, ..) in CLASSES {
            assert!(ctype(name).is_some(), "{name}");
        }
    }

    #[test]
    fn the_first_difference_decides() {
        assert_eq!(order(b"abc\0", b"abd\0"), -1);
        assert_eq!(order(b"\xff", b"\x01"), 254);
        assert_eq!(find(b"hello", b"ll"), Some(2));
        assert_eq!(find(b"hello", b""), Some(0));
        assert_eq!(find(b"he", b"hello"), None);
    }
}
