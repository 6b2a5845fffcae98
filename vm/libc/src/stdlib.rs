//! `stdlib.h`: memory, conversions, random numbers, sorting, the environment, the end of the program;
//! and C++'s `new` and `delete`, which are symbols of the same kind.

use super::exceptions::{Library, throw_library};
use super::number::{ParsedFloat, ParsedInt, is_space, parse_float, parse_int};
use super::rand::{Rand48, Random, join48, rand_r, real48, split48};
use crate::layout::{Fields, div_t, ldiv_t};
use crate::{Errno, Functions, Kept, ProcessCall};
use cudair_engine::guest::{Bytes, Guest, Host, runtime_object};
use cudair_engine::parts::{HasProcess, HostMemory, HostProcess};
use cudair_engine::{Args, HostFn, Machine, Ret};
use cudair_ir::Kind;
use cudair_ir::f80::{BINARY32, BINARY64, EXTENDED};
use cudair_lane::fault::{AllocKind, Stop};
use cudair_lane::ptr::Ptr;
use cudair_memory::{InitState, Memory};

/// `ENOMEM`
const ENOMEM: i32 = 12;
/// `EINVAL`
const EINVAL: i32 = 22;
/// `ERANGE`
const ERANGE: i32 = 34;
/// What `malloc` aligns to.
const MALLOC_ALIGN: u64 = 16;

/// What a program registered for its end.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AtExit {
    /// `atexit`: no argument.
    Plain(Ptr),
    /// `__cxa_atexit`: one.
    WithArgument(Ptr, u64),
    /// `on_exit`: the status and one.
    OnExit(Ptr, u64),
}

/// Allocates for the host; null where there is no room, as `malloc` does it.
pub(crate) fn allocate<M: HasProcess>(
    h: &mut Host<'_, M>,
    size: u64,
    align: u64,
    init: InitState,
    kind: AllocKind,
) -> Result<Ptr, Stop> {
    if !Memory::is_plausible(size) {
        h.set_errno(ENOMEM)?;
        return Ok(Ptr::NULL);
    }
    h.alloc(size, align, init, kind)
}

fn aligned(
    m: &mut HostProcess<'_>,
    a: &Args<'_>,
    name: &'static str,
    align: u64,
    size: u64,
) -> Result<Ret, Stop> {
    let h = &mut Host::new(m, a, name);
    if !align.is_power_of_two() {
        h.set_errno(EINVAL)?;
        return Ok(Ptr::NULL.into());
    }
    Ok(allocate(h, size, align.max(MALLOC_ALIGN), InitState::Uninit, AllocKind::Malloc)?.into())
}

fn reallocate(m: &mut HostProcess<'_>, a: &Args<'_>, size: u64) -> Result<Ret, Stop> {
    let h = &mut Host::new(m, a, "realloc");
    let old = a.ptr(0);
    if old.is_null() {
        return Ok(allocate(h, size, MALLOC_ALIGN, InitState::Uninit, AllocKind::Malloc)?.into());
    }
    let known = h.m.mem.lookup(old).filter(|&(start, _, _, kind)| start == old && kind == AllocKind::Malloc);
    let (Some((_, old_size, ..)), true) = (known, size > 0) else {
        // What is no live block of `malloc` is the same fault as freeing it.
        h.free(old, AllocKind::Malloc)?;
        return Ok(Ptr::NULL.into());
    };
    let new = allocate(h, size, MALLOC_ALIGN, InitState::Uninit, AllocKind::Malloc)?;
    if !new.is_null() {
        h.copy(new, old, old_size.min(size))?;
        h.free(old, AllocKind::Malloc)?;
    }
    Ok(new.into())
}

/// `new` and `new[]` that give null where there is no room.
fn new_or_null<M: HasProcess>(m: &mut M, a: &Args<'_>, align: u64, kind: AllocKind) -> Result<Ptr, Stop> {
    let name = if kind == AllocKind::New { "new" } else { "new[]" };
    let h = &mut Host::new(m, a, name);
    allocate(h, a.u64(0), align.max(MALLOC_ALIGN), InitState::Uninit, kind)
}

/// `new` and `new[]`. Where there is no room they throw.
fn new_object(m: &mut Machine, a: &Args<'_>, align: u64, kind: AllocKind) -> Result<Ret, Stop> {
    let ptr = new_or_null(m, a, align, kind)?;
    if ptr.is_null() {
        return Err(throw_library(m, a.place, Library::BadAlloc, ""));
    }
    Ok(ptr.into())
}

fn delete(m: &mut HostMemory<'_>, a: &Args<'_>, kind: AllocKind) -> Result<Ret, Stop> {
    let name = if kind == AllocKind::New { "delete" } else { "delete[]" };
    Host::new(m, a, name).free(a.ptr(0), kind)?;
    Ok(Ret::Void)
}

fn memory(name: &str) -> Option<HostFn> {
    MEMORY.find(name)
}

const MEMORY: Functions = Functions {
    memory: &[
        (&["free", "cfree"], |m, a| {
            Host::new(m, a, "free").free(a.ptr(0), AllocKind::Malloc)?;
            Ok(Ret::Void)
        }),
        // Before `delete` of an object whose class has no virtual destructor.
        (&["__cudair_deleted_size"], |m, a| {
            Host::new(m, a, "delete").check_deleted_size(a.ptr(0), a.u64(1))?;
            Ok(Ret::Void)
        }),
        (&["malloc_usable_size"], |m, a| {
            Ok(Ret::Word(m.mem.lookup(a.ptr(0)).map_or(0, |(_, size, ..)| size)))
        }),
        (
            &["_ZdlPv", "_ZdlPvm", "_ZdlPvSt11align_val_t", "_ZdlPvmSt11align_val_t", "_ZdlPvRKSt9nothrow_t"],
            |m, a| delete(m, a, AllocKind::New),
        ),
        (
            &["_ZdaPv", "_ZdaPvm", "_ZdaPvSt11align_val_t", "_ZdaPvmSt11align_val_t", "_ZdaPvRKSt9nothrow_t"],
            |m, a| delete(m, a, AllocKind::NewArray),
        ),
    ],
    process: &[
        (&["malloc", "__libc_malloc"], |m, a| {
            let h = &mut Host::new(m, a, "malloc");
            Ok(allocate(h, a.u64(0), MALLOC_ALIGN, InitState::Uninit, AllocKind::Malloc)?.into())
        }),
        (&["calloc"], |m, a| {
            let h = &mut Host::new(m, a, "calloc");
            let size = a.u64(0).saturating_mul(a.u64(1));
            Ok(allocate(h, size, MALLOC_ALIGN, InitState::Zero, AllocKind::Malloc)?.into())
        }),
        (&["realloc"], |m, a| reallocate(m, a, a.u64(1))),
        (&["reallocarray"], |m, a| reallocate(m, a, a.u64(1).saturating_mul(a.u64(2)))),
        (&["aligned_alloc"], |m, a| aligned(m, a, "aligned_alloc", a.u64(0), a.u64(1))),
        (&["memalign"], |m, a| aligned(m, a, "memalign", a.u64(0).next_power_of_two(), a.u64(1))),
        (&["valloc"], |m, a| aligned(m, a, "valloc", 4096, a.u64(0))),
        (&["pvalloc"], |m, a| aligned(m, a, "pvalloc", 4096, a.u64(0).div_ceil(4096).saturating_mul(4096))),
        (&["posix_memalign"], |m, a| {
            let h = &mut Host::new(m, a, "posix_memalign");
            if !a.u64(1).is_power_of_two() || !a.u64(1).is_multiple_of(8) {
                return Ok(EINVAL.into());
            }
            if !Memory::is_plausible(a.u64(2)) {
                return Ok(ENOMEM.into());
            }
            let align = a.u64(1).max(MALLOC_ALIGN);
            let ptr = allocate(h, a.u64(2), align, InitState::Uninit, AllocKind::Malloc)?;
            h.put(a.ptr(0), ptr.0, 8)?;
            Ok(0.into())
        }),
        (&["_ZnwmRKSt9nothrow_t"], |m, a| Ok(new_or_null(m, a, 0, AllocKind::New)?.into())),
        (&["_ZnamRKSt9nothrow_t"], |m, a| Ok(new_or_null(m, a, 0, AllocKind::NewArray)?.into())),
        (&["_ZnwmSt11align_val_tRKSt9nothrow_t"], |m, a| {
            Ok(new_or_null(m, a, a.u64(1), AllocKind::New)?.into())
        }),
        (&["_ZnamSt11align_val_tRKSt9nothrow_t"], |m, a| {
            Ok(new_or_null(m, a, a.u64(1), AllocKind::NewArray)?.into())
        }),
    ],
    machine: &[
        (&["_Znwm"], |m, a| new_object(m, a, 0, AllocKind::New)),
        (&["_Znam"], |m, a| new_object(m, a, 0, AllocKind::NewArray)),
        (&["_ZnwmSt11align_val_t"], |m, a| new_object(m, a, a.u64(1), AllocKind::New)),
        (&["_ZnamSt11align_val_t"], |m, a| new_object(m, a, a.u64(1), AllocKind::NewArray)),
    ],
    ..Functions::NONE
};

// Conversions.

/// Bytes of a text that are looked at first; more only where the number may go on behind them.
const PREFIX: u64 = 256;
/// How far from the end of what was read a number must end to be whole: no suffix is longer.
const MARGIN: usize = 24;

/// Parses a number at `ptr` without reading all of a long text.
fn parse<T>(
    h: &mut impl Guest,
    ptr: Ptr,
    parse: impl Fn(&[u8]) -> T,
    consumed: impl Fn(&T) -> usize,
) -> Result<T, Stop> {
    let mut max = PREFIX;
    loop {
        let text = h.cstr(ptr, Some(max))?;
        let value = parse(&text);
        let used = match consumed(&value) {
            0 => text.iter().take_while(|&&b| is_space(b)).count(),
            n => n,
        };
        if (text.len() as u64) < max || used + MARGIN < text.len() {
            return Ok(value);
        }
        max *= 16;
    }
}

fn integer(h: &mut impl Guest, ptr: Ptr, base: u32, binary: bool) -> Result<ParsedInt, Stop> {
    parse(h, ptr, |text| parse_int(text, base, binary), |p| p.consumed)
}

fn float(h: &mut impl Guest, ptr: Ptr, format: cudair_ir::f80::BinaryFormat) -> Result<ParsedFloat, Stop> {
    parse(h, ptr, |text| parse_float(text, format), |p| p.consumed)
}

fn store_end(h: &mut impl Guest, a: &Args<'_>, consumed: usize) -> Result<(), Stop> {
    if a.ptr(1).is_null() { Ok(()) } else { h.put(a.ptr(1), a.ptr(0).add(consumed as i64).0, 8) }
}

fn strtol(
    m: &mut HostProcess<'_>,
    a: &Args<'_>,
    name: &'static str,
    signed: bool,
    binary: bool,
) -> Result<Ret, Stop> {
    let h = &mut Host::new(m, a, name);
    let base = a.i32(2);
    if base < 0 || base == 1 || base > 36 {
        h.set_errno(EINVAL)?;
        return Ok(Ret::Word(0));
    }
    let parsed = integer(h, a.ptr(0), base as u32, binary)?;
    store_end(h, a, parsed.consumed)?;
    let (word, range) = if signed {
        let (x, range) = parsed.signed(64);
        (x as u64, range)
    } else {
        parsed.unsigned()
    };
    if range {
        h.set_errno(ERANGE)?;
    }
    Ok(Ret::Word(word))
}

fn strtod(
    m: &mut HostProcess<'_>,
    a: &Args<'_>,
    name: &'static str,
    format: cudair_ir::f80::BinaryFormat,
) -> Result<Ret, Stop> {
    let h = &mut Host::new(m, a, name);
    let parsed = float(h, a.ptr(0), format)?;
    store_end(h, a, parsed.consumed)?;
    if parsed.range {
        h.set_errno(ERANGE)?;
    }
    Ok(if format.explicit { Ret::Wide(parsed.bits) } else { Ret::Word(parsed.bits as u64) })
}

fn conversion(name: &str) -> Option<HostFn> {
    CONVERSION.find(name)
}

const CONVERSION: Functions = Functions {
    memory: &[
        (&["atoi"], |m, a| {
            let h = &mut Bytes::new(m, a, "atoi");
            Ok((integer(h, a.ptr(0), 10, false)?.signed(64).0 as i32).into())
        }),
        (&["atol", "atoll"], |m, a| {
            let h = &mut Bytes::new(m, a, "atol");
            Ok(Ret::Word(integer(h, a.ptr(0), 10, false)?.signed(64).0 as u64))
        }),
        (&["atof"], |m, a| {
            let h = &mut Bytes::new(m, a, "atof");
            Ok(Ret::Word(float(h, a.ptr(0), BINARY64)?.bits as u64))
        }),
        (&["div"], |m, a| divide(m, a, 4)),
        (&["ldiv", "lldiv", "imaxdiv"], |m, a| divide(m, a, 8)),
    ],
    process: &[
        (&["strtol", "strtoll", "strtoimax", "strtoq", "__strtol_internal"], {
            |m, a| strtol(m, a, "strtol", true, false)
        }),
        (&["strtoul", "strtoull", "strtoumax", "strtouq"], |m, a| strtol(m, a, "strtoul", false, false)),
        (&["__isoc23_strtol", "__isoc23_strtoll", "__isoc23_strtoimax"], {
            |m, a| strtol(m, a, "strtol", true, true)
        }),
        (&["__isoc23_strtoul", "__isoc23_strtoull", "__isoc23_strtoumax"], {
            |m, a| strtol(m, a, "strtoul", false, true)
        }),
        (&["strtod"], |m, a| strtod(m, a, "strtod", BINARY64)),
        (&["strtof"], |m, a| strtod(m, a, "strtof", BINARY32)),
        (&["strtold"], |m, a| strtod(m, a, "strtold", EXTENDED)),
    ],
    ..Functions::NONE
};

/// `div` and kin return a structure: the first argument says where.
fn divide(m: &mut HostMemory<'_>, a: &Args<'_>, bytes: usize) -> Result<Ret, Stop> {
    let h = &mut Bytes::new(m, a, "div");
    let (n, d) = if bytes == 4 { (i64::from(a.i32(1)), i64::from(a.i32(2))) } else { (a.i64(1), a.i64(2)) };
    let min = if bytes == 4 { i64::from(i32::MIN) } else { i64::MIN };
    if d == 0 || n == min && d == -1 {
        return Err(h.fault(Kind::UndefinedBehavior, format!("`div` of {n} by {d}")).into());
    }
    if bytes == 4 {
        h.put_field(a.ptr(0), div_t::quot, (n / d) as i32)?;
        h.put_field(a.ptr(0), div_t::rem, (n % d) as i32)?;
    } else {
        h.put_field(a.ptr(0), ldiv_t::quot, n / d)?;
        h.put_field(a.ptr(0), ldiv_t::rem, n % d)?;
    }
    Ok(Ret::Void)
}

// Random numbers.

fn state48(h: &mut impl Guest, ptr: Ptr) -> Result<u64, Stop> {
    let word = h.read(ptr, 6)?;
    Ok(join48(std::array::from_fn(|i| u16::from_le_bytes([word[2 * i], word[2 * i + 1]]))))
}

fn put48(h: &mut impl Guest, ptr: Ptr, x: u64) -> Result<(), Stop> {
    let bytes: Vec<u8> = split48(x).iter().flat_map(|w| w.to_le_bytes()).collect();
    h.write(ptr, &bytes)
}

fn own48(m: &mut HostProcess<'_>) -> u64 {
    let state = &mut m.libc.get_mut().rand48;
    state.x = state.step(state.x);
    m.libc.get().rand48.x
}

fn given48(m: &mut HostProcess<'_>, a: &Args<'_>) -> Result<u64, Stop> {
    let generator = m.libc.get().rand48.clone();
    let h = &mut Host::new(m, a, "erand48");
    let x = generator.step(state48(h, a.ptr(0))?);
    put48(h, a.ptr(0), x)?;
    Ok(x)
}

fn random(name: &str) -> Option<HostFn> {
    RANDOM.find(name)
}

const RANDOM: Functions = Functions {
    memory: &[(&["rand_r"], |m, a| {
        let h = &mut Bytes::new(m, a, "rand_r");
        let mut seed = h.word(a.ptr(0), 4)? as u32;
        let r = rand_r(&mut seed);
        h.put(a.ptr(0), u64::from(seed), 4)?;
        Ok(r.into())
    })],
    process: &[
        (&["rand"], |m, _| Ok(m.libc.get_mut().random.next().into())),
        (&["random"], |m, _| Ok(Ret::Word(m.libc.get_mut().random.next() as u64))),
        (&["srand", "srandom"], |m, a| {
            m.libc.get_mut().random = Random::new(a.u32(0));
            Ok(Ret::Void)
        }),
        (&["srand48"], |m, a| {
            m.libc.get_mut().rand48.seed(a.i64(0));
            Ok(Ret::Void)
        }),
        (&["seed48"], |m, a| {
            let old = m.libc.get().rand48.x;
            let h = &mut Host::new(m, a, "seed48");
            let x = state48(h, a.ptr(0))?;
            h.m.libc.get_mut().rand48 = Rand48 { x, ..Rand48::default() };
            let bytes: Vec<u8> = split48(old).iter().flat_map(|w| w.to_le_bytes()).collect();
            super::static_bytes(m, "seed48", &bytes)
        }),
        (&["lcong48"], |m, a| {
            let h = &mut Host::new(m, a, "lcong48");
            let b = h.read(a.ptr(0), 14)?;
            let words = std::array::from_fn(|i| u16::from_le_bytes([b[2 * i], b[2 * i + 1]]));
            h.m.libc.get_mut().rand48.configure(words);
            Ok(Ret::Void)
        }),
        (&["drand48"], |m, _| Ok(real48(own48(m)).into())),
        (&["lrand48"], |m, _| Ok(Ret::Word(own48(m) >> 17))),
        (&["mrand48"], |m, _| Ok(Ret::Word(i64::from((own48(m) >> 16) as i32) as u64))),
        (&["erand48"], |m, a| Ok(real48(given48(m, a)?).into())),
        (&["nrand48"], |m, a| Ok(Ret::Word(given48(m, a)? >> 17))),
        (&["jrand48"], |m, a| Ok(Ret::Word(i64::from((given48(m, a)? >> 16) as i32) as u64))),
    ],
    ..Functions::NONE
};

// The environment and the end.

/// The value of an environment variable, as the program sees it.
fn variable(h: &mut ProcessCall<'_, '_>, name: &[u8]) -> Result<Option<Vec<u8>>, Stop> {
    if let Some(value) = h.m.libc.get().environment.get(name) {
        return Ok(value.clone());
    }
    if name.is_empty() || name.contains(&b'=') {
        return Ok(None);
    }
    h.outer_variable(name)
}

fn set_variable(m: &mut HostProcess<'_>, name: Vec<u8>, value: Option<Vec<u8>>) {
    m.libc.get_mut().objects.remove(&format!("getenv {}", String::from_utf8_lossy(&name)));
    m.libc.get_mut().environment.insert(name, value);
}

fn process(name: &str) -> Option<HostFn> {
    PROCESS.find(name)
}

const PROCESS: Functions = Functions {
    memory: &[
        (&["exit"], |_, a| Err(Stop::Exit(a.i32(0) & 0xff))),
        (&["abort"], |m, a| {
            let h = Bytes::new(m, a, "abort");
            let fault = h.fault(Kind::AssertionFailed, "the program calls `abort`".to_owned());
            Err(fault.into())
        }),
        (&["__cxa_pure_virtual"], |m, a| {
            let h = Bytes::new(m, a, "__cxa_pure_virtual");
            Err(h.fault(Kind::UndefinedBehavior, crate::PURE_VIRTUAL.to_owned()).into())
        }),
        (&["at_quick_exit"], |_, _| Ok(0.into())),
        (&["__stack_chk_fail"], |m, a| {
            Err(Bytes::new(m, a, "__stack_chk_fail")
                .fault(Kind::OutOfBounds, "a function's frame was overwritten".to_owned())
                .into())
        }),
    ],
    process: &[
        (&["_exit", "_Exit", "quick_exit"], |m, a| {
            m.libc.get_mut().leave_at_once = true;
            Err(Stop::Exit(a.i32(0) & 0xff))
        }),
        (&["atexit"], |m, a| {
            m.libc.get_mut().at_exit.push(AtExit::Plain(a.ptr(0)));
            Ok(0.into())
        }),
        (&["__cxa_atexit"], |m, a| {
            m.libc.get_mut().at_exit.push(AtExit::WithArgument(a.ptr(0), a.u64(1)));
            Ok(0.into())
        }),
        (&["on_exit"], |m, a| {
            m.libc.get_mut().at_exit.push(AtExit::OnExit(a.ptr(0), a.u64(1)));
            Ok(0.into())
        }),
        (
            &[
                "system",
                "popen",
                "fork",
                "vfork",
                "execl",
                "execv",
                "execvp",
                "execve",
                "execlp",
                "posix_spawn",
                "socket",
                "kill",
            ],
            |m, a| {
                let name = m.module.funcs[a.func].display_name.clone();
                Err(super::unsupported(
                    m.module,
                    a,
                    format!("`{name}`: a program cannot start processes or open sockets here"),
                ))
            },
        ),
        (&["getenv", "secure_getenv"], |m, a| {
            let h = &mut Host::new(m, a, "getenv");
            let name = h.cstr(a.ptr(0), None)?;
            let Some(mut value) = variable(h, &name)? else { return Ok(Ptr::NULL.into()) };
            let key = format!("getenv {}", String::from_utf8_lossy(&name));
            if let Some(&ptr) = m.libc.get().objects.get(&key) {
                return Ok(ptr.into());
            }
            value.push(0);
            let ptr = runtime_object(m, "getenv", &value, 1)?;
            m.libc.get_mut().objects.insert(key, ptr);
            Ok(ptr.into())
        }),
        (&["setenv"], |m, a| {
            let h = &mut Host::new(m, a, "setenv");
            let (name, value) = (h.cstr(a.ptr(0), None)?, h.cstr(a.ptr(1), None)?);
            if name.is_empty() || name.contains(&b'=') {
                h.set_errno(EINVAL)?;
                return Ok((-1).into());
            }
            if a.i32(2) != 0 || variable(h, &name)?.is_none() {
                set_variable(m, name, Some(value));
            }
            Ok(0.into())
        }),
        (&["unsetenv"], |m, a| {
            let name = Host::new(m, a, "unsetenv").cstr(a.ptr(0), None)?;
            set_variable(m, name, None);
            Ok(0.into())
        }),
        (&["putenv"], |m, a| {
            let text = Host::new(m, a, "putenv").cstr(a.ptr(0), None)?;
            match text.iter().position(|&b| b == b'=') {
                Some(i) => set_variable(m, text[..i].to_vec(), Some(text[i + 1..].to_vec())),
                None => set_variable(m, text, None),
            }
            Ok(0.into())
        }),
        (&["__errno_location"], |m, _| Ok(super::errno_object(m)?.into())),
        (&["__assert_fail"], |m, a| assert_fail(m, a, Some(3))),
        (&["__assert"], |m, a| assert_fail(m, a, None)),
        (&["__cudair_assume_fail"], assume_fail),
    ],
    ..Functions::NONE
};

/// `assert` on the host: the C library's message on standard error, then the end.
fn assert_fail(m: &mut HostProcess<'_>, a: &Args<'_>, function: Option<usize>) -> Result<Ret, Stop> {
    let program = super::program_name(m);
    let h = &mut Host::new(m, a, "assert");
    let text = |h: &mut ProcessCall<'_, '_>, i: usize| -> Result<String, Stop> {
        if a.ptr(i).is_null() {
            return Ok(String::new());
        }
        Ok(String::from_utf8_lossy(&h.cstr(a.ptr(i), None)?).into_owned())
    };
    let (expression, file) = (text(h, 0)?, text(h, 1)?);
    let function = match function {
        Some(i) if !a.ptr(i).is_null() => format!("{}: ", text(h, i)?),
        _ => String::new(),
    };
    let line = a.u32(2);
    let message = format!("{program}: {file}:{line}: {function}Assertion `{expression}' failed.\n");
    super::stdio::write_stderr(h.m, message.as_bytes());
    let fault = h.fault(Kind::AssertionFailed, format!("the assertion `{expression}` failed"));
    Err(fault.into())
}

/// What the program takes for granted does not hold, which is undefined behaviour: the run ends.
fn assume_fail(m: &mut HostProcess<'_>, a: &Args<'_>) -> Result<Ret, Stop> {
    let h = &mut Host::new(m, a, "assume");
    let text = String::from_utf8_lossy(&h.cstr(a.ptr(0), None)?).into_owned();
    Err(h.fault(Kind::AssumptionFailed, crate::false_assumption(&text)).into())
}

/// The functions by name.
pub(crate) fn lookup(name: &str) -> Option<HostFn> {
    memory(name).or_else(|| conversion(name)).or_else(|| random(name)).or_else(|| process(name)).or(
        match name {
            "qsort" => Some(HostFn::Machine(super::sort::qsort)),
            "qsort_r" => Some(HostFn::Machine(super::sort::qsort_r)),
            "bsearch" => Some(HostFn::Machine(super::sort::bsearch)),
            "lfind" => Some(HostFn::Machine(super::sort::lfind)),
            _ => None,
        },
    )
}
