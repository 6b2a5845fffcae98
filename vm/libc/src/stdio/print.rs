//! `printf` and kin, and what writes without a format.

use super::*;
use crate::string::{check_apart, overlap, read_of};
use crate::{Errno, Kept, ProcessCall, Table, named};

/// The variable arguments of a call.
struct CallArguments<'a, 'm, 'b, 'c> {
    host: ProcessCall<'a, 'm>,
    args: &'b Args<'c>,
    at: usize,
    /// The faults that were noted: one of each kind is enough for a call.
    noted: bool,
    read: Vec<Text>,
}

/// Where a text lies that was read, and of how many bytes.
type Text = (Ptr, u64);

/// A `va_list` of the program.
struct ListArguments<'a, 'm> {
    host: ProcessCall<'a, 'm>,
    list: Ptr,
    read: Vec<Text>,
}

/// A value of the argument list, from its bits.
fn value(want: Want, bits: u128) -> Value {
    match want {
        Want::Double => Value::Double(f64::from_bits(bits as u64)),
        Want::LongDouble => Value::LongDouble(F80::from_bits(bits)),
        Want::Int(_) | Want::Pointer => Value::Word(bits as u64),
    }
}

/// What is wrong with an argument of type `ty` where `want` is read, if anything.
pub fn mismatch(want: Want, ty: Type) -> Option<&'static str> {
    match want {
        Want::Double if ty != Type::F64 => Some("a `double`"),
        Want::LongDouble if ty != Type::F80 => Some("a `long double`"),
        Want::Int(32) if ty.is_float() => Some("an `int`"),
        Want::Int(64) if ty.is_float() || ty.bits() < 64 => Some("an integer of 64 bits"),
        Want::Pointer if ty.is_float() || ty.bits() < 64 => Some("a pointer"),
        _ => None,
    }
}

/// What a reader calls a type.
pub fn type_name(ty: Type) -> &'static str {
    match ty {
        Type::F64 => "a `double`",
        Type::F80 => "a `long double`",
        Type::Ptr(_) => "a pointer",
        Type::I64 => "an integer of 64 bits",
        _ => "an `int`",
    }
}

impl CallArguments<'_, '_, '_, '_> {
    fn note(&mut self, message: String, error: bool) {
        if !std::mem::replace(&mut self.noted, true) {
            let fault = self.host.fault(Kind::UndefinedBehavior, message);
            self.host.note(if error { fault } else { fault.warning() });
        }
    }
}

impl Arguments for CallArguments<'_, '_, '_, '_> {
    type Error = Stop;

    fn next(&mut self, want: Want) -> Result<Value, Stop> {
        let i = self.at;
        self.at += 1;
        let Some(&ty) = self.args.types.get(i) else {
            let given = self.args.len() - self.args.fixed.min(self.args.len());
            self.note(format!("the format asks for more than the {given} arguments given"), true);
            return Ok(value(want, 0));
        };
        if let Some(wanted) = mismatch(want, ty) {
            let n = i + 1 - self.args.fixed;
            let message = format!("the format reads argument {n} as {wanted}, but it is {}", type_name(ty));
            self.note(
                message,
                ty.is_float() || matches!(want, Want::Double | Want::LongDouble | Want::Pointer),
            );
            if ty.is_float() || matches!(want, Want::Double | Want::LongDouble) {
                return Ok(value(want, 0));
            }
        }
        Ok(value(want, self.args.bits(i)))
    }

    fn string(&mut self, ptr: u64, limit: Option<usize>) -> Result<Vec<u8>, Stop> {
        text(&mut self.host, Ptr(ptr), limit, &mut self.read)
    }

    fn wide_string(&mut self, ptr: u64, limit: Option<usize>) -> Result<Vec<u32>, Stop> {
        wide_string(&mut self.host, Ptr(ptr), limit)
    }

    fn store_count(&mut self, ptr: u64, count: u64, bytes: u32) -> Result<(), Stop> {
        self.host.put(Ptr(ptr), count, bytes as usize)
    }

    fn errno_text(&mut self) -> Result<String, Stop> {
        errno_text(&mut self.host)
    }
}

impl Arguments for ListArguments<'_, '_> {
    type Error = Stop;

    fn next(&mut self, want: Want) -> Result<Value, Stop> {
        let ty = match want {
            Want::Int(32) => Type::I32,
            Want::Int(_) => Type::I64,
            Want::Double => Type::F64,
            Want::LongDouble => Type::F80,
            Want::Pointer => Type::Ptr(Space::Generic),
        };
        let bits = self.host.m.va_arg(self.list, ty, self.host.who.place)?;
        Ok(value(want, bits))
    }

    fn string(&mut self, ptr: u64, limit: Option<usize>) -> Result<Vec<u8>, Stop> {
        text(&mut self.host, Ptr(ptr), limit, &mut self.read)
    }

    fn wide_string(&mut self, ptr: u64, limit: Option<usize>) -> Result<Vec<u32>, Stop> {
        wide_string(&mut self.host, Ptr(ptr), limit)
    }

    fn store_count(&mut self, ptr: u64, count: u64, bytes: u32) -> Result<(), Stop> {
        self.host.put(Ptr(ptr), count, bytes as usize)
    }

    fn errno_text(&mut self) -> Result<String, Stop> {
        errno_text(&mut self.host)
    }
}

fn text(
    h: &mut ProcessCall<'_, '_>,
    ptr: Ptr,
    limit: Option<usize>,
    read: &mut Vec<Text>,
) -> Result<Vec<u8>, Stop> {
    let limit = limit.map(|n| n as u64);
    let text = h.cstr(ptr, limit)?;
    read.push((ptr, read_of(&text, limit.unwrap_or(u64::MAX))));
    Ok(text)
}

fn wide_string(h: &mut ProcessCall<'_, '_>, ptr: Ptr, limit: Option<usize>) -> Result<Vec<u32>, Stop> {
    let mut out = Vec::new();
    while limit.is_none_or(|n| out.len() < n) {
        match h.word(ptr.add(4 * out.len() as i64), 4)? as u32 {
            0 => break,
            c => out.push(c),
        }
    }
    Ok(out)
}

fn errno_text(h: &mut ProcessCall<'_, '_>) -> Result<String, Stop> {
    let at = crate::errno_object(h.m)?;
    Ok(sys::strerror(h.word(at, 4)? as i32))
}

/// Formats, and gives the texts that were read besides; `Err` holds an `errno`.
fn formatted(
    m: &mut HostProcess<'_>,
    a: &Args<'_>,
    name: &'static str,
    format_at: usize,
    from: From,
    limit: u64,
) -> Result<Result<(Output, Vec<Text>), i32>, Stop> {
    let mut host = Host::new(m, a, name);
    let mut read = Vec::new();
    let text = text(&mut host, a.ptr(format_at), None, &mut read)?;
    let mut out = Output::new(limit);
    let (end, read) = match from {
        From::Call(at) => {
            let mut args = CallArguments { host, args: a, at, noted: false, read };
            (format::format(&text, &mut args, &mut out)?, args.read)
        }
        From::List(at) => {
            let mut args = ListArguments { host, list: a.ptr(at), read };
            (format::format(&text, &mut args, &mut out)?, args.read)
        }
    };
    Ok(match end {
        End::Done => Ok((out, read)),
        End::Failed(errno) => Err(errno),
    })
}

/// More output than this of one call is refused.
const MAX_OUTPUT: u64 = 1 << 31;

/// `printf` and kin to a stream.
fn print(
    m: &mut HostProcess<'_>,
    a: &Args<'_>,
    name: &'static str,
    to: Option<usize>,
    format_at: usize,
    from: From,
) -> Result<Ret, Stop> {
    let target = match to {
        Some(i) => stream(&mut Host::new(m, a, name), a.ptr(i))?,
        None => STDOUT,
    };
    let result = match formatted(m, a, name, format_at, from, MAX_OUTPUT)? {
        Ok((out, _)) => write_stream(m, target, &out.bytes).map(|()| out.total as i32),
        Err(errno) => Err(errno),
    };
    count_or_errno(&mut Host::new(m, a, name), result)
}

fn count_or_errno(h: &mut ProcessCall<'_, '_>, result: Result<i32, i32>) -> Result<Ret, Stop> {
    match result {
        Ok(n) => Ok(n.into()),
        Err(errno) => {
            h.set_errno(errno)?;
            Ok(EOF.into())
        }
    }
}

/// `sprintf` and kin to memory; `size` is the argument that bounds it.
fn print_to(
    m: &mut HostProcess<'_>,
    a: &Args<'_>,
    name: &'static str,
    size: Option<usize>,
    format_at: usize,
    from: From,
) -> Result<Ret, Stop> {
    let size = size.map(|i| a.u64(i));
    let keep = size.map_or(MAX_OUTPUT, |n| n.saturating_sub(1));
    let result = match formatted(m, a, name, format_at, from, keep)? {
        Ok((out, read)) => {
            if size != Some(0) {
                let h = &mut Host::new(m, a, name);
                let written = (a.ptr(0), out.bytes.len() as u64 + 1);
                if let Some(read) = read.into_iter().find(|&read| overlap(written, read)) {
                    check_apart(h, written, read);
                }
                h.put_cstr(a.ptr(0), &out.bytes)?;
            }
            Ok(out.total as i32)
        }
        Err(errno) => Err(errno),
    };
    count_or_errno(&mut Host::new(m, a, name), result)
}

/// `asprintf`: memory that the program frees.
fn print_new(m: &mut HostProcess<'_>, a: &Args<'_>, from: From) -> Result<Ret, Stop> {
    let result = match formatted(m, a, "asprintf", 1, from, MAX_OUTPUT)? {
        Ok((out, _)) => {
            let h = &mut Host::new(m, a, "asprintf");
            let ptr = h.alloc(out.total + 1, 16, InitState::Uninit, AllocKind::Malloc)?;
            h.put_cstr(ptr, &out.bytes)?;
            h.put(a.ptr(0), ptr.0, 8)?;
            Ok(out.total as i32)
        }
        Err(errno) => Err(errno),
    };
    count_or_errno(&mut Host::new(m, a, "asprintf"), result)
}

pub(super) fn output(name: &str) -> Option<HostFn> {
    named(OUTPUT, name).map(HostFn::Process)
}

const OUTPUT: Table<ProcessFn> = &[
    (&["printf"], |m, a| print(m, a, "printf", None, 0, From::Call(1))),
    (&["vprintf"], |m, a| print(m, a, "vprintf", None, 0, From::List(1))),
    (&["fprintf"], |m, a| print(m, a, "fprintf", Some(0), 1, From::Call(2))),
    (&["vfprintf"], |m, a| print(m, a, "vfprintf", Some(0), 1, From::List(2))),
    (&["sprintf"], |m, a| print_to(m, a, "sprintf", None, 1, From::Call(2))),
    (&["vsprintf"], |m, a| print_to(m, a, "vsprintf", None, 1, From::List(2))),
    (&["snprintf"], |m, a| print_to(m, a, "snprintf", Some(1), 2, From::Call(3))),
    (&["vsnprintf"], |m, a| print_to(m, a, "vsnprintf", Some(1), 2, From::List(3))),
    (&["asprintf"], |m, a| print_new(m, a, From::Call(2))),
    (&["vasprintf"], |m, a| print_new(m, a, From::List(2))),
    (&["__printf_chk"], |m, a| print(m, a, "printf", None, 1, From::Call(2))),
    (&["__vprintf_chk"], |m, a| print(m, a, "vprintf", None, 1, From::List(2))),
    (&["__fprintf_chk"], |m, a| print(m, a, "fprintf", Some(0), 2, From::Call(3))),
    (&["__vfprintf_chk"], |m, a| print(m, a, "vfprintf", Some(0), 2, From::List(3))),
    (&["__sprintf_chk"], |m, a| print_to(m, a, "sprintf", None, 3, From::Call(4))),
    (&["__vsprintf_chk"], |m, a| print_to(m, a, "vsprintf", None, 3, From::List(4))),
    (&["__snprintf_chk"], |m, a| print_to(m, a, "snprintf", Some(1), 4, From::Call(5))),
    (&["__vsnprintf_chk"], |m, a| print_to(m, a, "vsnprintf", Some(1), 4, From::List(5))),
    (&["puts"], |m, a| {
        let mut text = Host::new(m, a, "puts").cstr(a.ptr(0), None)?;
        text.push(b'\n');
        put(m, a, STDOUT, &text)
    }),
    (&["fputs", "fputs_unlocked"], |m, a| {
        let h = &mut Host::new(m, a, "fputs");
        let (text, target) = (h.cstr(a.ptr(0), None)?, stream(h, a.ptr(1))?);
        put(m, a, target, &text)
    }),
    (&["putchar", "putchar_unlocked"], |m, a| put_char(m, a, STDOUT)),
    (&["putc", "fputc", "_IO_putc", "putc_unlocked", "fputc_unlocked"], |m, a| {
        let target = stream(&mut Host::new(m, a, "fputc"), a.ptr(1))?;
        put_char(m, a, target)
    }),
    (&["fwrite", "fwrite_unlocked"], |m, a| {
        let h = &mut Host::new(m, a, "fwrite");
        let target = stream(h, a.ptr(3))?;
        let (size, count) = (a.u64(1), a.u64(2));
        let Some(total) = size.checked_mul(count).filter(|&t| t > 0) else { return Ok(Ret::Word(0)) };
        let bytes = h.read(a.ptr(0), total)?;
        match write_stream(h.m, target, &bytes) {
            Ok(()) => Ok(Ret::Word(count)),
            Err(errno) => {
                h.set_errno(errno)?;
                Ok(Ret::Word(0))
            }
        }
    }),
    (&["perror"], |m, a| {
        let h = &mut Host::new(m, a, "perror");
        let prefix = if a.ptr(0).is_null() { Vec::new() } else { h.cstr(a.ptr(0), None)? };
        let mut line = prefix;
        if !line.is_empty() {
            line.extend_from_slice(b": ");
        }
        line.extend_from_slice(errno_text(h)?.as_bytes());
        line.push(b'\n');
        write_stderr(h.m, &line);
        Ok(Ret::Void)
    }),
    (&["fflush", "fflush_unlocked"], |m, a| {
        if a.ptr(0).is_null() {
            flush_all(m);
            let open: Vec<usize> = m.libc.get().streams.in_memory.keys().copied().collect();
            for n in open {
                memory::publish(&mut Host::new(m, a, "fflush"), n)?;
            }
            return Ok(0.into());
        }
        let target = stream(&mut Host::new(m, a, "fflush"), a.ptr(0))?;
        let result = parts(m, target).map_or(Ok(()), |(f, io)| f.flush(io));
        let h = &mut Host::new(m, a, "fflush");
        memory::publish(h, target)?;
        count_or_errno(h, result.map(|()| 0))
    }),
];

fn put(m: &mut HostProcess<'_>, a: &Args<'_>, target: usize, text: &[u8]) -> Result<Ret, Stop> {
    let result = write_stream(m, target, text).map(|()| 1);
    count_or_errno(&mut Host::new(m, a, "fputs"), result)
}

fn put_char(m: &mut HostProcess<'_>, a: &Args<'_>, target: usize) -> Result<Ret, Stop> {
    let byte = a.u32(0) as u8;
    let result = write_stream(m, target, &[byte]).map(|()| i32::from(byte));
    count_or_errno(&mut Host::new(m, a, "fputc"), result)
}
