//! The conversions of the `scanf` family, character by character as glibc reads them.

use super::number::{is_space, parse_float, parse_int};
use cudair_ir::f80::{BINARY32, BINARY64, BinaryFormat, EXTENDED};

/// What is scanned.
pub trait Input {
    /// Why no character could be had (other than the end).
    type Error;

    /// The next character; `None` at the end.
    ///
    /// # Errors
    /// Where there is none for another reason.
    fn get(&mut self) -> Result<Option<u8>, Self::Error>;

    /// Puts back the character that [`Input::get`] gave last.
    fn unget(&mut self, byte: u8);

    /// The next pointer of the argument list.
    ///
    /// # Errors
    /// Where there is none.
    fn next_pointer(&mut self) -> Result<u64, Self::Error>;

    /// Stores bytes at a pointer.
    ///
    /// # Errors
    /// Where they cannot be written.
    fn store(&mut self, ptr: u64, bytes: &[u8]) -> Result<(), Self::Error>;

    /// Memory for `%ms` and kin, which the program frees.
    ///
    /// # Errors
    /// Where there is none.
    fn allocate(&mut self, size: u64) -> Result<u64, Self::Error>;
}

/// A format that cannot be carried out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scanned {
    /// What the call returns: the assignments made, or -1 at the end of the input.
    Count(i32),
    /// A conversion that is not supported.
    Unsupported(u8),
}

/// A longer text than this is not read as one: no variable of a program takes it.
const MAX_TEXT: u64 = 1 << 28;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Length {
    Int,
    Char,
    Short,
    Long,
    LongDouble,
}

impl Length {
    fn bytes(self) -> usize {
        match self {
            Length::Char => 1,
            Length::Short => 2,
            Length::Int => 4,
            Length::Long | Length::LongDouble => 8,
        }
    }
}

/// Why a conversion ends the scan.
enum Stop<E> {
    /// The input ended before the conversion read anything.
    Input,
    /// What was read does not match.
    Mismatch,
    /// A conversion that is not supported.
    Unsupported(u8),
    Error(E),
}

impl<E> From<E> for Stop<E> {
    fn from(e: E) -> Stop<E> {
        Stop::Error(e)
    }
}

struct Scanner<'a, I: Input> {
    input: &'a mut I,
    /// Characters read, for `%n`.
    read: u64,
    /// The pointers fetched so far, for formats that number them.
    pointers: Vec<u64>,
    done: i32,
}

/// Reads `input` as `format` says.
///
/// # Errors
/// What the input reports.
pub fn scan<I: Input>(format: &[u8], input: &mut I) -> Result<Scanned, I::Error> {
    let mut scanner = Scanner { input, read: 0, pointers: Vec::new(), done: 0 };
    match scanner.run(format) {
        Ok(()) | Err(Stop::Mismatch) => Ok(Scanned::Count(scanner.done)),
        Err(Stop::Input) => Ok(Scanned::Count(if scanner.done == 0 { -1 } else { scanner.done })),
        Err(Stop::Unsupported(b)) => Ok(Scanned::Unsupported(b)),
        Err(Stop::Error(e)) => Err(e),
    }
}

/// A conversion.
struct Spec {
    suppress: bool,
    allocate: bool,
    /// Characters at most; `None` is no limit.
    width: Option<u64>,
    length: Length,
    position: Option<usize>,
}

/// Characters of a number, taken one at a time within a width.
struct Window<'a, 'b, I: Input> {
    scanner: &'a mut Scanner<'b, I>,
    left: u64,
}

impl<I: Input> Window<'_, '_, I> {
    fn next(&mut self) -> Result<Option<u8>, I::Error> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        self.scanner.get()
    }
}

impl<I: Input> Scanner<'_, I> {
    fn get(&mut self) -> Result<Option<u8>, I::Error> {
        let c = self.input.get()?;
        self.read += u64::from(c.is_some());
        Ok(c)
    }

    fn unget(&mut self, c: Option<u8>) {
        if let Some(c) = c {
            self.read -= 1;
            self.input.unget(c);
        }
    }

    fn skip_space(&mut self) -> Result<(), I::Error> {
        loop {
            let c = self.get()?;
            if !c.is_some_and(is_space) {
                self.unget(c);
                return Ok(());
            }
        }
    }

    fn pointer(&mut self, position: Option<usize>) -> Result<u64, I::Error> {
        let Some(n) = position else { return self.input.next_pointer() };
        while self.pointers.len() < n {
            let p = self.input.next_pointer()?;
            self.pointers.push(p);
        }
        Ok(self.pointers[n - 1])
    }

    fn run(&mut self, format: &[u8]) -> Result<(), Stop<I::Error>> {
        let mut at = 0;
        let mut skip = false;
        while let Some(&f) = format.get(at) {
            at += 1;
            if is_space(f) {
                skip = true;
                continue;
            }
            if f != b'%' {
                if std::mem::take(&mut skip) {
                    self.skip_space()?;
                }
                match self.get()? {
                    None => return Err(Stop::Input),
                    Some(c) if c != f => {
                        self.unget(Some(c));
                        return Err(Stop::Mismatch);
                    }
                    Some(_) => continue,
                }
            }
            let (spec, conversion, len) = parse(&format[at..]).ok_or(Stop::Mismatch)?;
            at += len;
            if skip || !matches!(conversion, b'[' | b'c' | b'C' | b'n') {
                self.skip_space()?;
                skip = false;
            }
            match conversion {
                b'%' => match self.get()? {
                    None => return Err(Stop::Input),
                    Some(b'%') => {}
                    other => {
                        self.unget(other);
                        return Err(Stop::Mismatch);
                    }
                },
                b'n' => {
                    if !spec.suppress {
                        let count = self.read.to_le_bytes();
                        let ptr = self.pointer(spec.position)?;
                        self.input.store(ptr, &count[..spec.length.bytes()])?;
                    }
                }
                b'c' | b's' if spec.length == Length::Long => return Err(Stop::Unsupported(conversion)),
                b'C' | b'S' => return Err(Stop::Unsupported(conversion)),
                b'c' => {
                    let mut text = Vec::new();
                    let wanted = spec.width.unwrap_or(1);
                    while (text.len() as u64) < wanted {
                        match self.get()? {
                            Some(c) => text.push(c),
                            None if text.is_empty() => return Err(Stop::Input),
                            None => break,
                        }
                    }
                    self.store_text(&spec, text)?;
                }
                b's' => {
                    let text = self.collect(spec.width, |c| !is_space(c))?;
                    if text.is_empty() {
                        return Err(Stop::Input);
                    }
                    self.store_string(&spec, text)?;
                }
                b'[' => {
                    let (set, len) = char_set(&format[at..]).ok_or(Stop::Mismatch)?;
                    at += len;
                    let first = self.get()?;
                    if first.is_none() {
                        return Err(Stop::Input);
                    }
                    self.unget(first);
                    let text = self.collect(spec.width, |c| set[usize::from(c)])?;
                    if text.is_empty() {
                        return Err(Stop::Mismatch);
                    }
                    self.store_string(&spec, text)?;
                }
                b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'p' => self.integer(&spec, conversion)?,
                b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => self.float(&spec)?,
                // An unknown conversion ends the scan.
                _ => return Err(Stop::Mismatch),
            }
        }
        if skip {
            self.skip_space()?;
        }
        Ok(())
    }

    fn collect(&mut self, width: Option<u64>, take: impl Fn(u8) -> bool) -> Result<Vec<u8>, I::Error> {
        let mut text = Vec::new();
        let width = width.unwrap_or(u64::MAX).min(MAX_TEXT);
        while (text.len() as u64) < width {
            let c = self.get()?;
            match c {
                Some(b) if take(b) => text.push(b),
                _ => {
                    self.unget(c);
                    break;
                }
            }
        }
        Ok(text)
    }

    fn store_string(&mut self, spec: &Spec, mut text: Vec<u8>) -> Result<(), I::Error> {
        text.push(0);
        self.store_text(spec, text)
    }

    fn store_text(&mut self, spec: &Spec, text: Vec<u8>) -> Result<(), I::Error> {
        if spec.suppress {
            return Ok(());
        }
        let mut ptr = self.pointer(spec.position)?;
        if spec.allocate {
            let memory = self.input.allocate(text.len() as u64)?;
            self.input.store(ptr, &memory.to_le_bytes())?;
            ptr = memory;
        }
        self.input.store(ptr, &text)?;
        self.done += 1;
        Ok(())
    }

    fn store_number(&mut self, spec: &Spec, bytes: &[u8]) -> Result<(), I::Error> {
        if spec.suppress {
            return Ok(());
        }
        let ptr = self.pointer(spec.position)?;
        self.input.store(ptr, bytes)?;
        self.done += 1;
        Ok(())
    }

    fn integer(&mut self, spec: &Spec, conversion: u8) -> Result<(), Stop<I::Error>> {
        let mut base = match conversion {
            b'i' => 0,
            b'o' => 8,
            b'x' | b'X' | b'p' => 16,
            _ => 10,
        };
        let mut text = Vec::new();
        let mut window = Window { left: spec.width.unwrap_or(u64::MAX), scanner: self };
        let mut c = window.next()?;
        if c.is_none() {
            return Err(Stop::Input);
        }
        if let Some(sign @ (b'-' | b'+')) = c {
            text.push(sign);
            c = window.next()?;
        }
        let signs = text.len();
        if c == Some(b'0') {
            text.push(b'0');
            c = window.next()?;
            if matches!(c, Some(b'x' | b'X')) && (base == 0 || base == 16) {
                base = 16;
                c = window.next()?;
            } else if base == 0 {
                base = 8;
            }
        }
        if base == 0 {
            base = 10;
        }
        while let Some(b) = c
            && char::from(b).is_digit(base)
        {
            text.push(b);
            c = window.next()?;
        }
        self.unget(c);
        if text.len() == signs {
            // A pointer may also be spelt as printf spells null.
            if conversion == b'p' && signs == 0 && self.literal(b"(nil)")? {
                self.store_number(spec, &0u64.to_le_bytes())?;
                return Ok(());
            }
            return Err(Stop::Mismatch);
        }
        let parsed = parse_int(&text, base, false);
        let value = match conversion {
            b'd' | b'i' => parsed.signed(64).0 as u64,
            _ => parsed.unsigned().0,
        };
        let bytes = if conversion == b'p' { 8 } else { spec.length.bytes() };
        self.store_number(spec, &value.to_le_bytes()[..bytes])?;
        Ok(())
    }

    /// Whether the input goes on with `word`, which is then consumed (so is a part of it).
    fn literal(&mut self, word: &[u8]) -> Result<bool, I::Error> {
        for &w in word {
            let c = self.get()?;
            if c.map(|c| c.to_ascii_lowercase()) != Some(w) {
                self.unget(c);
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn float(&mut self, spec: &Spec) -> Result<(), Stop<I::Error>> {
        let mut text = Vec::new();
        let mut window = Window { left: spec.width.unwrap_or(u64::MAX), scanner: self };
        let mut c = window.next()?;
        if c.is_none() {
            return Err(Stop::Input);
        }
        if let Some(sign @ (b'-' | b'+')) = c {
            text.push(sign);
            c = window.next()?;
            if c.is_none() {
                return Err(Stop::Mismatch);
            }
        }
        let signs = text.len();
        let lower = c.map(|c| c.to_ascii_lowercase());
        if let Some(first @ (b'n' | b'i')) = lower {
            let word: &[u8] = if first == b'n' { b"nan" } else { b"inf" };
            text.push(first);
            for &w in &word[1..] {
                c = window.next()?;
                if c.map(|c| c.to_ascii_lowercase()) != Some(w) {
                    self.unget(c);
                    return Err(Stop::Mismatch);
                }
                text.push(w);
            }
            if first == b'i' && window.left > 0 {
                c = window.next()?;
                if c.map(|c| c.to_ascii_lowercase()) == Some(b'i') {
                    text.push(b'i');
                    for &w in b"nity" {
                        c = window.next()?;
                        if c.map(|c| c.to_ascii_lowercase()) != Some(w) {
                            self.unget(c);
                            return Err(Stop::Mismatch);
                        }
                        text.push(w);
                    }
                } else {
                    self.unget(c);
                }
            }
        } else {
            let mut hex = false;
            let mut digits = false;
            let (mut dot, mut exponent) = (false, false);
            if c == Some(b'0') {
                text.push(b'0');
                c = window.next()?;
                if matches!(c, Some(b'x' | b'X')) {
                    text.push(b'x');
                    hex = true;
                    c = window.next()?;
                } else {
                    digits = true;
                }
            }
            let letter = if hex { b'p' } else { b'e' };
            while let Some(b) = c {
                if b.is_ascii_digit() || (!exponent && hex && b.is_ascii_hexdigit()) {
                    digits = true;
                    text.push(b);
                } else if exponent && text.last() == Some(&letter) && matches!(b, b'-' | b'+') {
                    text.push(b);
                } else if digits && !exponent && b.to_ascii_lowercase() == letter {
                    text.push(letter);
                    exponent = true;
                    dot = true;
                } else if !dot && b == b'.' {
                    text.push(b);
                    dot = true;
                } else {
                    break;
                }
                c = window.next()?;
            }
            self.unget(c);
            if text.len() == signs || hex && text.len() == signs + 2 {
                return Err(Stop::Mismatch);
            }
        }
        let (format, bytes): (BinaryFormat, usize) = match spec.length {
            Length::Long => (BINARY64, 8),
            // With its padding, as every store of one.
            Length::LongDouble => (EXTENDED, 16),
            _ => (BINARY32, 4),
        };
        let parsed = parse_float(&text, format);
        if parsed.consumed == 0 {
            return Err(Stop::Mismatch);
        }
        self.store_number(spec, &parsed.bits.to_le_bytes()[..bytes])?;
        Ok(())
    }
}

/// Parses a conversion after its `%`: its options, its letter, its length. `None` where it is cut short.
fn parse(format: &[u8]) -> Option<(Spec, u8, usize)> {
    let mut spec =
        Spec { suppress: false, allocate: false, width: None, length: Length::Int, position: None };
    let mut at = 0;
    let number = |at: &mut usize| {
        let start = *at;
        let mut n = 0u64;
        while let Some(d) = format.get(*at).filter(|b| b.is_ascii_digit()) {
            n = n.saturating_mul(10).saturating_add(u64::from(d - b'0'));
            *at += 1;
        }
        (*at > start).then_some(n)
    };
    let mut probe = 0;
    if let Some(n @ 1..=4096) = number(&mut probe)
        && format.get(probe) == Some(&b'$')
    {
        spec.position = Some(n as usize);
        at = probe + 1;
    }
    while let Some(&b) = format.get(at) {
        match b {
            b'*' => spec.suppress = true,
            b'\'' | b'I' => {}
            _ => break,
        }
        at += 1;
    }
    spec.width = number(&mut at).filter(|&w| w > 0);
    loop {
        match (format.get(at), spec.length) {
            (Some(b'm'), _) => spec.allocate = true,
            (Some(b'h'), Length::Short) => spec.length = Length::Char,
            (Some(b'h'), _) => spec.length = Length::Short,
            (Some(b'l'), Length::Long) => spec.length = Length::LongDouble,
            (Some(b'l' | b'j' | b'z' | b'Z' | b't'), _) => spec.length = Length::Long,
            (Some(b'L' | b'q'), _) => spec.length = Length::LongDouble,
            _ => break,
        }
        at += 1;
    }
    let conversion = *format.get(at)?;
    Some((spec, conversion, at + 1))
}

/// The set of `%[…]` and the length of its text with the closing bracket.
fn char_set(text: &[u8]) -> Option<([bool; 256], usize)> {
    let mut set = [false; 256];
    let invert = text.first() == Some(&b'^');
    let start = usize::from(invert);
    let mut at = start;
    loop {
        let b = *text.get(at)?;
        if b == b']' && at > start {
            break;
        }
        // A range, unless the dash is the last of the set.
        if b == b'-'
            && at > start
            && text.get(at + 1).is_some_and(|&n| n != b']')
            && text[at - 1] <= text[at + 1]
        {
            for c in text[at - 1]..=text[at + 1] {
                set[usize::from(c)] = true;
            }
        } else {
            set[usize::from(b)] = true;
        }
        at += 1;
    }
    if invert {
        for member in &mut set {
            *member = !*member;
        }
    }
    Some((set, at + 1))
}

#[cfg(test)]
#[allow(unsafe_code, reason = "calls the C library's sscanf to compare with")]
mod tests {
    use super::*;
    use std::convert::Infallible;
    use std::ffi::CString;

    /// A text, with pointers that are indices into slots of 64 bytes.
    struct Text<'a> {
        bytes: &'a [u8],
        at: usize,
        slot: u64,
        slots: [[u8; 64]; 4],
    }

    impl Input for Text<'_> {
        type Error = Infallible;

        fn get(&mut self) -> Result<Option<u8>, Infallible> {
            let c = self.bytes.get(self.at).copied();
            self.at += usize::from(c.is_some());
            Ok(c)
        }

        fn unget(&mut self, _: u8) {
            self.at -= 1;
        }

        fn next_pointer(&mut self) -> Result<u64, Infallible> {
            self.slot += 1;
            Ok(self.slot - 1)
        }

        fn store(&mut self, ptr: u64, bytes: &[u8]) -> Result<(), Infallible> {
            self.slots[ptr as usize][..bytes.len()].copy_from_slice(bytes);
            Ok(())
        }

        fn allocate(&mut self, _: u64) -> Result<u64, Infallible> {
            Ok(3)
        }
    }

    fn compare(text: &str, format: &str) {
        let mut input = Text { bytes: text.as_bytes(), at: 0, slot: 0, slots: [[0xaa; 64]; 4] };
        let Ok(ours) = scan(format.as_bytes(), &mut input);
        let mut theirs = [[0xaau8; 64]; 4];
        let (t, f) = (CString::new(text).expect("text"), CString::new(format).expect("format"));
        let [a, b, c, d] = &mut theirs;
        // SAFETY: every conversion of the tests stores at most 64 bytes.
        let n = unsafe {
            libc::sscanf(
                t.as_ptr(),
                f.as_ptr(),
                a.as_mut_ptr(),
                b.as_mut_ptr(),
                c.as_mut_ptr(),
                d.as_mut_ptr(),
            )
        };
        // We write the padding of a `long double` too.
        for slot in theirs.iter_mut().filter(|slot| format.contains('L') && slot[8..10] != [0xaa; 2]) {
            slot[10..16].fill(0);
        }
        assert_eq!(ours, Scanned::Count(n), "{text:?} as {format:?}");
        assert_eq!(input.slots, theirs, "{text:?} as {format:?}");
    }

    const TEXTS: &[&str] = &[
        "",
        " ",
        "12",
        "-12 34",
        "+7,8;9",
        "0x1f 0xg 017 08",
        "abc def ghi",
        "  3.5e2xyz",
        "1e+ 2",
        "1e5",
        ".5.5",
        "nan",
        "inf",
        "infinity",
        "infx",
        "in",
        "-inf",
        "0x1.8p1 7",
        "0x",
        "1.",
        ".",
        "-",
        "- 5",
        "99999999999 1",
        "9223372036854775808",
        "-9223372036854775809 3",
        "300 70000",
        "a,b,c",
        "[x]y",
        "50% off",
        "(nil)",
        "key=value",
        "1:2:3",
        "2024-01-31",
        "\t\n 5\n",
        "0",
        "00",
        "1e",
        "1e400",
        "12345678901234567890123",
        "abc123",
        "123abc",
    ];

    const FORMATS: &[&str] = &[
        "%d",
        "%d %d",
        "%d%d",
        "%i %i %i",
        "%x %x",
        "%o",
        "%u",
        "%hd %hhd",
        "%ld %lld",
        "%hu",
        "%s %s",
        "%s",
        "%3s%3s",
        "%c%c",
        " %c %c",
        "%2c",
        "%f",
        "%lf",
        "%lf %lf",
        "%Lf",
        "%f%s",
        "%3f%3f",
        "%g",
        "%a",
        "%[a-c]",
        "%[^,],%[^,]",
        "%[]x[]%s",
        "%[^]]",
        "%5[a-z]%d",
        "%d%n",
        "%n",
        "%*d %d",
        "%*s%s",
        "%d%%",
        "%d,%d;%d",
        "%d:%d:%d",
        "%4d-%2d-%2d",
        "%p",
        "%[^=]=%s",
        "x%d",
        "%d ",
        "%2d%2d",
        "%1x%s",
        "%2x%s",
        "%3i",
        "%2$d %1$d",
        "%jd %zd %td",
        "%hhx",
        "%[-a]",
        "%[a-]",
        "%1s",
        "%e",
        "%5lf%n",
    ];

    #[test]
    fn everything_agrees() {
        for text in TEXTS {
            for format in FORMATS {
                compare(text, format);
            }
        }
    }
}
