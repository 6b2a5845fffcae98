//! The conversions of the `printf` family, to the byte as glibc does them.
//!
//! Pure over a source of arguments ([`Arguments`]): the host's calls, `va_list`s and the device's
//! printf all come here.

mod float;

use cudair_ir::f80::{F80, Parts};
use float::float;

/// What a conversion takes from the argument list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Want {
    /// An integer of so many bits (32 or 64; narrower ones are passed as 32).
    Int(u32),
    /// A `double`.
    Double,
    /// A `long double`.
    LongDouble,
    /// A pointer.
    Pointer,
}

/// An argument.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// The bits of an integer or of a pointer.
    Word(u64),
    /// A `double`.
    Double(f64),
    /// A `long double`.
    LongDouble(F80),
}

impl Value {
    fn word(self) -> u64 {
        match self {
            Value::Word(w) => w,
            Value::Double(d) => d.to_bits(),
            Value::LongDouble(x) => x.mant,
        }
    }
}

/// Where arguments come from.
pub trait Arguments {
    /// Why an argument could not be had.
    type Error;

    /// The next argument. What is done about one that is missing or of another type is the source's
    /// decision.
    ///
    /// # Errors
    /// What the source says.
    fn next(&mut self, want: Want) -> Result<Value, Self::Error>;

    /// The bytes of the string at `ptr` up to its end, but no more than `limit`.
    ///
    /// # Errors
    /// Where it cannot be read.
    fn string(&mut self, ptr: u64, limit: Option<usize>) -> Result<Vec<u8>, Self::Error>;

    /// As [`Arguments::string`] for a wide string, as code points.
    ///
    /// # Errors
    /// Where it cannot be read.
    fn wide_string(&mut self, ptr: u64, limit: Option<usize>) -> Result<Vec<u32>, Self::Error>;

    /// `%n`: stores `count` as `bytes` bytes at `ptr`.
    ///
    /// # Errors
    /// Where it cannot be written.
    fn store_count(&mut self, ptr: u64, count: u64, bytes: u32) -> Result<(), Self::Error>;

    /// Whether the source's `printf` has a conversion, from its `%` to its last byte. One that it has not is printed
    /// as it stands and takes no argument.
    fn knows(&mut self, conversion: &[u8]) -> bool {
        let _ = conversion;
        true
    }

    /// The text of the current `errno`, for `%m`.
    fn errno_text(&mut self) -> Result<String, Self::Error>;
}

/// What was written: the bytes, up to a limit, and their count without it.
#[derive(Clone, Debug)]
pub struct Output {
    /// The bytes kept.
    pub bytes: Vec<u8>,
    /// How many bytes are kept at most.
    pub limit: u64,
    /// How many bytes there would be.
    pub total: u64,
}

impl Output {
    /// Keeps at most `limit` bytes.
    pub fn new(limit: u64) -> Output {
        Output { bytes: Vec::new(), limit, total: 0 }
    }

    fn put(&mut self, bytes: &[u8]) {
        let room = self.limit.saturating_sub(self.total);
        let n = (bytes.len() as u64).min(room) as usize;
        self.bytes.extend_from_slice(&bytes[..n]);
        self.total += bytes.len() as u64;
    }

    fn fill(&mut self, byte: u8, n: u64) {
        let room = self.limit.saturating_sub(self.total);
        let kept = n.min(room) as usize;
        self.bytes.resize(self.bytes.len() + kept, byte);
        self.total += n;
    }
}

/// How formatting ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// All of it was written.
    Done,
    /// The call fails with this `errno`.
    Failed(i32),
}

/// `errno` for a format that ends inside a conversion.
const EINVAL: i32 = 22;
/// `errno` for a count that no `int` holds.
const EOVERFLOW: i32 = 75;
/// `errno` for a wide character that the C locale cannot show.
const EILSEQ: i32 = 84;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Length {
    #[default]
    Int,
    Char,
    Short,
    Long,
    LongDouble,
}

/// A width or a precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Count {
    #[default]
    Absent,
    Fixed(u64),
    /// From the next argument.
    Next,
    /// From the argument of this number, from 1.
    Argument(usize),
}

#[derive(Clone, Copy, Debug, Default)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alt: bool,
    zero: bool,
    width: Count,
    precision: Count,
    length: Length,
    conversion: u8,
    /// The number of the argument, from 1, in formats that number them.
    position: Option<usize>,
}

enum Parsed {
    Spec(Spec, usize),
    /// An unknown conversion: printed as it stands.
    Unknown(Spec, usize),
    Incomplete,
    Overflow,
}

fn number(format: &[u8], at: &mut usize) -> Option<Result<u64, ()>> {
    let start = *at;
    let mut n = 0u64;
    while let Some(d) = format.get(*at).filter(|b| b.is_ascii_digit()) {
        n = n.saturating_mul(10).saturating_add(u64::from(d - b'0'));
        *at += 1;
    }
    (*at > start).then_some(if n < i32::MAX as u64 { Ok(n) } else { Err(()) })
}

/// Parses what follows a `%`.
fn parse(format: &[u8]) -> Parsed {
    let mut spec = Spec::default();
    let mut at = 0;
    let mut probe = 0;
    if let Some(n) = number(format, &mut probe)
        && format.get(probe) == Some(&b'$')
    {
        let Ok(n) = n else { return Parsed::Overflow };
        spec.position = Some(n as usize);
        at = probe + 1;
    }
    while let Some(flag) = format.get(at) {
        match flag {
            b'-' => spec.left = true,
            b'+' => spec.plus = true,
            b' ' => spec.space = true,
            b'#' => spec.alt = true,
            b'0' => spec.zero = true,
            // Grouping and the locale's digits change nothing in the C locale.
            b'\'' | b'I' => {}
            _ => break,
        }
        at += 1;
    }
    let count = |at: &mut usize| -> Result<Count, ()> {
        if format.get(*at) == Some(&b'*') {
            *at += 1;
            let mut probe = *at;
            if let Some(n) = number(format, &mut probe)
                && format.get(probe) == Some(&b'$')
            {
                *at = probe + 1;
                return Ok(Count::Argument(n? as usize));
            }
            return Ok(Count::Next);
        }
        match number(format, at) {
            None => Ok(Count::Absent),
            Some(n) => Ok(Count::Fixed(n?)),
        }
    };
    let Ok(width) = count(&mut at) else { return Parsed::Overflow };
    spec.width = width;
    if format.get(at) == Some(&b'.') {
        at += 1;
        // A negative constant precision does not exist: `-` ends the conversion as an unknown one.
        let Ok(precision) = count(&mut at) else { return Parsed::Overflow };
        spec.precision = if precision == Count::Absent { Count::Fixed(0) } else { precision };
    }
    loop {
        spec.length = match (format.get(at), spec.length) {
            (Some(b'h'), Length::Short) => Length::Char,
            (Some(b'h'), _) => Length::Short,
            (Some(b'l'), Length::Long) => Length::LongDouble,
            (Some(b'l' | b'j' | b'z' | b'Z' | b't'), _) => Length::Long,
            (Some(b'L' | b'q'), _) => Length::LongDouble,
            _ => break,
        };
        at += 1;
    }
    let Some(&conversion) = format.get(at) else { return Parsed::Incomplete };
    spec.conversion = conversion;
    at += 1;
    match conversion {
        b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'b' | b'B' | b'c' | b'C' | b's' | b'S' | b'p' | b'n'
        | b'm' | b'%' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => Parsed::Spec(spec, at),
        _ => Parsed::Unknown(spec, at),
    }
}

impl Spec {
    fn want(&self) -> Option<Want> {
        Some(match self.conversion {
            b'%' | b'm' => return None,
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => match self.length {
                Length::LongDouble => Want::LongDouble,
                _ => Want::Double,
            },
            b's' | b'S' | b'p' | b'n' => Want::Pointer,
            b'c' | b'C' => Want::Int(32),
            _ if matches!(self.length, Length::Long | Length::LongDouble) => Want::Int(64),
            _ => Want::Int(32),
        })
    }
}

/// Formats `format` with `args` to `out`.
///
/// # Errors
/// What the source of arguments reports.
pub fn format<A: Arguments>(format: &[u8], args: &mut A, out: &mut Output) -> Result<End, A::Error> {
    let mut at = 0;
    loop {
        let plain = format[at..].iter().position(|&b| b == b'%').unwrap_or(format.len() - at);
        out.put(&format[at..at + plain]);
        at += plain;
        if at == format.len() {
            break;
        }
        at += 1;
        let (spec, len) = match parse(&format[at..]) {
            Parsed::Spec(spec, len) => (spec, len),
            Parsed::Unknown(spec, len) => {
                echo(&spec, out);
                at += len;
                continue;
            }
            Parsed::Incomplete if !args.knows(&format[at - 1..]) => {
                out.put(&format[at - 1..]);
                break;
            }
            Parsed::Incomplete => return Ok(End::Failed(EINVAL)),
            Parsed::Overflow => return Ok(End::Failed(EOVERFLOW)),
        };
        let written = &format[at - 1..at + len];
        if !args.knows(written) {
            out.put(written);
            at += len;
            continue;
        }
        if spec.position.is_some()
            || matches!(spec.width, Count::Argument(_))
            || matches!(spec.precision, Count::Argument(_))
        {
            return numbered(&format[at - 1..], args, out);
        }
        at += len;
        let mut spec = spec;
        let width = match spec.width {
            Count::Next => args.next(Want::Int(32))?.word() as i32,
            Count::Fixed(n) => n as i32,
            _ => 0,
        };
        let precision = match spec.precision {
            Count::Next => Some(args.next(Want::Int(32))?.word() as i32),
            Count::Fixed(n) => Some(n as i32),
            _ => None,
        };
        let value = match spec.want() {
            Some(want) => args.next(want)?,
            None => Value::Word(0),
        };
        spec.left |= width < 0;
        let precision = precision.filter(|&p| p >= 0).map(|p| p as u64);
        let end = convert(&spec, u64::from(width.unsigned_abs()), precision, value, args, out)?;
        if end != End::Done {
            return Ok(end);
        }
    }
    Ok(if out.total > i32::MAX as u64 { End::Failed(EOVERFLOW) } else { End::Done })
}

/// The rest of a format whose conversions number their arguments: all are fetched before any is used.
fn numbered<A: Arguments>(format: &[u8], args: &mut A, out: &mut Output) -> Result<End, A::Error> {
    enum Piece<'a> {
        Text(&'a [u8]),
        Spec(Spec),
        Unknown(Spec),
    }
    let mut pieces = Vec::new();
    let mut wants: Vec<Option<Want>> = Vec::new();
    let mut next = 0;
    let mut at = 0;
    while at < format.len() {
        let plain = format[at..].iter().position(|&b| b == b'%').unwrap_or(format.len() - at);
        pieces.push(Piece::Text(&format[at..at + plain]));
        at += plain;
        if at == format.len() {
            break;
        }
        at += 1;
        let (mut spec, len) = match parse(&format[at..]) {
            Parsed::Spec(spec, len) => (spec, len),
            Parsed::Unknown(spec, len) => {
                at += len;
                pieces.push(Piece::Unknown(spec));
                continue;
            }
            Parsed::Incomplete => return Ok(End::Failed(EINVAL)),
            Parsed::Overflow => return Ok(End::Failed(EOVERFLOW)),
        };
        at += len;
        let mut need = |n: usize, want: Want| {
            if n > 0 && n <= 4096 {
                if wants.len() < n {
                    wants.resize(n, None);
                }
                wants[n - 1] = Some(want);
            }
        };
        for count in [&mut spec.width, &mut spec.precision] {
            if *count == Count::Next {
                next += 1;
                *count = Count::Argument(next);
            }
            if let Count::Argument(n) = *count {
                need(n, Want::Int(32));
            }
        }
        if let Some(want) = spec.want() {
            let n = spec.position.unwrap_or_else(|| {
                next += 1;
                next
            });
            spec.position = Some(n);
            need(n, want);
        }
        pieces.push(Piece::Spec(spec));
    }
    let mut values = Vec::with_capacity(wants.len());
    for want in wants {
        values.push(args.next(want.unwrap_or(Want::Int(32)))?);
    }
    let value = |n: usize| n.checked_sub(1).and_then(|i| values.get(i).copied());
    for piece in pieces {
        let mut spec = match piece {
            Piece::Text(text) => {
                out.put(text);
                continue;
            }
            Piece::Unknown(spec) => {
                echo(&spec, out);
                continue;
            }
            Piece::Spec(spec) => spec,
        };
        let count = |c: Count| match c {
            Count::Argument(n) => value(n).map(|v| v.word() as i32),
            Count::Fixed(n) => Some(n as i32),
            _ => None,
        };
        let width = count(spec.width).unwrap_or(0);
        let precision = count(spec.precision).filter(|&p| p >= 0).map(|p| p as u64);
        spec.left |= width < 0;
        let arg = match spec.position {
            Some(n) => match value(n) {
                Some(v) => v,
                None => return Ok(End::Failed(EINVAL)),
            },
            None => Value::Word(0),
        };
        let end = convert(&spec, u64::from(width.unsigned_abs()), precision, arg, args, out)?;
        if end != End::Done {
            return Ok(end);
        }
    }
    Ok(if out.total > i32::MAX as u64 { End::Failed(EOVERFLOW) } else { End::Done })
}

/// An unknown conversion, put together again as glibc does.
fn echo(spec: &Spec, out: &mut Output) {
    let mut text = vec![b'%'];
    if spec.alt {
        text.push(b'#');
    }
    if spec.plus {
        text.push(b'+');
    } else if spec.space {
        text.push(b' ');
    }
    if spec.left {
        text.push(b'-');
    }
    if spec.zero && !spec.left {
        text.push(b'0');
    }
    if let Count::Fixed(n @ 1..) = spec.width {
        text.extend_from_slice(n.to_string().as_bytes());
    }
    if let Count::Fixed(n) = spec.precision {
        text.push(b'.');
        text.extend_from_slice(n.to_string().as_bytes());
    }
    if spec.conversion != 0 {
        text.push(spec.conversion);
    }
    out.put(&text);
}

fn convert<A: Arguments>(
    spec: &Spec,
    width: u64,
    precision: Option<u64>,
    value: Value,
    args: &mut A,
    out: &mut Output,
) -> Result<End, A::Error> {
    let padded = |text: &[u8], out: &mut Output| {
        let pad = width.saturating_sub(text.len() as u64);
        if !spec.left {
            out.fill(b' ', pad);
        }
        out.put(text);
        if spec.left {
            out.fill(b' ', pad);
        }
    };
    match spec.conversion {
        b'%' => out.put(b"%"),
        b'm' => {
            let text = args.errno_text()?;
            let len = precision.unwrap_or(u64::MAX).min(text.len() as u64) as usize;
            padded(&text.as_bytes()[..len], out);
        }
        b'c' if spec.length != Length::Long => padded(&[value.word() as u8], out),
        b'c' | b'C' => match value.word() as u32 {
            c @ 0..0x80 => padded(&[c as u8], out),
            _ => return Ok(End::Failed(EILSEQ)),
        },
        b's' | b'S' => {
            let ptr = value.word();
            let limit = precision.map(|p| p as usize);
            if ptr == 0 {
                let text: &[u8] = if precision.is_none_or(|p| p >= 6) { b"(null)" } else { b"" };
                padded(text, out);
            } else if spec.conversion == b'S' || spec.length == Length::Long {
                let wide = args.wide_string(ptr, limit)?;
                let Ok(text) =
                    wide.iter().map(|&c| u8::try_from(c).map_err(|_| ())).collect::<Result<Vec<u8>, ()>>()
                else {
                    return Ok(End::Failed(EILSEQ));
                };
                if !text.is_ascii() {
                    return Ok(End::Failed(EILSEQ));
                }
                padded(&text, out);
            } else {
                let text = args.string(ptr, limit)?;
                padded(&text, out);
            }
        }
        b'p' if value.word() == 0 => padded(b"(nil)", out),
        b'p' => {
            let pointer = Spec { alt: true, conversion: b'x', length: Length::Long, ..*spec };
            let sign: &[u8] = match (spec.plus, spec.space) {
                (true, _) => b"+0x",
                (_, true) => b" 0x",
                _ => b"0x",
            };
            integer(&pointer, sign, width, precision, value.word(), out);
        }
        b'n' => {
            let bytes = match spec.length {
                Length::Char => 1,
                Length::Short => 2,
                Length::Int => 4,
                Length::Long | Length::LongDouble => 8,
            };
            args.store_count(value.word(), out.total, bytes)?;
        }
        b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'b' | b'B' => {
            integer(spec, b"", width, precision, value.word(), out);
        }
        _ => {
            let parts = match value {
                Value::Double(d) => Parts::from(d),
                Value::LongDouble(x) => Parts::from(x),
                Value::Word(w) => Parts::from(f64::from_bits(w)),
            };
            let long = matches!(value, Value::LongDouble(_));
            float(spec, width, precision, parts, long, out);
        }
    }
    Ok(End::Done)
}

/// `sign` overrides the prefix that the conversion has by itself.
fn integer(spec: &Spec, sign: &[u8], width: u64, precision: Option<u64>, word: u64, out: &mut Output) {
    let bits = match spec.length {
        Length::Char => 8,
        Length::Short => 16,
        Length::Int => 32,
        Length::Long | Length::LongDouble => 64,
    };
    let signed = matches!(spec.conversion, b'd' | b'i');
    let shift = 64 - bits;
    let (neg, magnitude) = if signed {
        let x = (word << shift) as i64 >> shift;
        (x < 0, x.unsigned_abs())
    } else {
        (false, word << shift >> shift)
    };
    let mut digits = [0u8; 64];
    let mut at = digits.len();
    let base = match spec.conversion {
        b'o' => 8,
        b'x' | b'X' => 16,
        b'b' | b'B' => 2,
        _ => 10,
    };
    let table: &[u8; 16] = if spec.conversion == b'X' { b"0123456789ABCDEF" } else { b"0123456789abcdef" };
    let mut rest = magnitude;
    while rest != 0 {
        at -= 1;
        digits[at] = table[(rest % base) as usize];
        rest /= base;
    }
    let digits = &digits[at..];
    // Without a precision at least one digit is written.
    let mut zeros = precision.unwrap_or(1).saturating_sub(digits.len() as u64);
    if spec.alt && base == 8 && zeros == 0 {
        zeros = 1;
    }
    let prefix: &[u8] = match spec.conversion {
        _ if !sign.is_empty() => sign,
        b'x' if spec.alt && magnitude != 0 => b"0x",
        b'X' if spec.alt && magnitude != 0 => b"0X",
        b'b' if spec.alt && magnitude != 0 => b"0b",
        b'B' if spec.alt && magnitude != 0 => b"0B",
        _ if neg => b"-",
        _ if signed && spec.plus => b"+",
        _ if signed && spec.space => b" ",
        _ => b"",
    };
    let len = prefix.len() as u64 + zeros + digits.len() as u64;
    let mut pad = width.saturating_sub(len);
    if spec.zero && !spec.left && precision.is_none() {
        zeros += pad;
        pad = 0;
    }
    if !spec.left {
        out.fill(b' ', pad);
    }
    out.put(prefix);
    out.fill(b'0', zeros);
    out.put(digits);
    if spec.left {
        out.fill(b' ', pad);
    }
}

#[cfg(test)]
#[path = "format_tests.rs"]
mod tests;
