//! The text of inline assembly: PTX, as far as straight-line code goes.

/// One operand of an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Operand {
    /// `%N`: an operand of the statement.
    Number(usize),
    /// A register of the machine (`%laneid`), without its `%`.
    Special(String),
    /// A register or label that the text declares, with whether `!` is before it.
    Name(String, bool),
    /// An integer, as two's complement.
    Int(i128),
    /// A number given by its bits: `0f3F800000` (32) or `0d…` (64).
    Bits(u64, u32),
    /// `[address + offset]`
    Address(Box<Operand>, i64),
    /// `{a, b}`
    Vector(Vec<Operand>),
    /// `_`: nobody wants this.
    Nothing,
}

/// One instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Instruction {
    /// `@p` or `@!p`: the register, and whether it is negated.
    pub guard: Option<(String, bool)>,
    /// The parts of the name between its dots: `mul`, `hi`, `u32`.
    pub name: Vec<String>,
    pub operands: Vec<Operand>,
}

/// The instructions of a text in which `%%` still stands for `%`. Declarations of registers are left out:
/// a register takes the type of what is put into it. The error is what cannot be read.
pub(crate) fn instructions(text: &str) -> Result<Vec<Instruction>, String> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    // Comments are blanks.
    loop {
        let line = rest.find("//");
        let block = rest.find("/*");
        match (line, block) {
            (Some(at), other) if other.is_none_or(|b| at < b) => {
                plain.push_str(&rest[..at]);
                rest = rest[at..].find('\n').map_or("", |end| &rest[at + end..]);
            }
            (_, Some(at)) => {
                plain.push_str(&rest[..at]);
                plain.push(' ');
                rest = rest[at..].find("*/").map_or("", |end| &rest[at + end + 2..]);
            }
            _ => {
                plain.push_str(rest);
                break;
            }
        }
    }
    let mut found = Vec::new();
    let mut declared = Declared::default();
    for statement in statements(&plain) {
        let statement = statement.trim();
        if let Some(registers) = statement.strip_prefix(".reg") {
            declared.add(registers);
        } else if !statement.is_empty() && !statement.starts_with(".pragma") {
            found.push(instruction(statement, &declared)?);
        }
    }
    Ok(found)
}

/// The registers that a text declares and whose names begin with `%`, as the machine's own do.
#[derive(Default)]
struct Declared {
    names: Vec<String>,
    /// `%r<4>` declares `%r0` to `%r3`.
    numbered: Vec<(String, u32)>,
}

impl Declared {
    /// Adds those of a declaration, of which the type comes first: `.pred %p, q`.
    fn add(&mut self, declaration: &str) {
        let Some((_, names)) = declaration.trim().split_once(char::is_whitespace) else { return };
        for name in names.split(',').map(str::trim) {
            // A vector's type has parts of its own: `.reg .v4 .f32 %q`.
            let name = name.rsplit(char::is_whitespace).next().unwrap_or(name);
            let Some(name) = percent_name(name) else { continue };
            match name.strip_suffix('>').and_then(|n| n.split_once('<')) {
                Some((stem, count)) => {
                    self.numbered.extend(count.trim().parse().ok().map(|count| (stem.to_owned(), count)));
                }
                None => self.names.push(name.to_owned()),
            }
        }
    }

    /// Whether a name, without its `%`, is declared.
    fn has(&self, name: &str) -> bool {
        let is_number = |(stem, count): &(String, u32)| {
            let number = name.strip_prefix(stem.as_str()).and_then(|n| n.parse::<u32>().ok());
            number.is_some_and(|n| n < *count)
        };
        self.names.iter().any(|n| n == name) || self.numbered.iter().any(is_number)
    }
}

/// A name behind `%` or `%%`.
fn percent_name(text: &str) -> Option<&str> {
    let name = text.strip_prefix("%%").or_else(|| text.strip_prefix('%'))?;
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_').then_some(name)
}

/// Splits at `;`. Braces around statements only limit names; those around operands stay.
fn statements(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut now = String::new();
    let mut vector = 0;
    for c in text.chars() {
        match c {
            ';' => all.push(std::mem::take(&mut now)),
            '{' if now.trim().is_empty() => now.clear(),
            '}' if vector == 0 => all.push(std::mem::take(&mut now)),
            '{' => {
                vector += 1;
                now.push(c);
            }
            '}' => {
                vector -= 1;
                now.push(c);
            }
            c => now.push(c),
        }
    }
    all.push(now);
    all
}

fn instruction(text: &str, declared: &Declared) -> Result<Instruction, String> {
    let mut rest = text;
    let mut guard = None;
    if let Some(after) = rest.strip_prefix('@') {
        let end = after.find(char::is_whitespace).ok_or_else(|| text.to_owned())?;
        let name = &after[..end];
        guard = Some((name.trim_start_matches('!').replace("%%", "%"), name.starts_with('!')));
        rest = after[end..].trim_start();
    }
    if rest.ends_with(':') {
        return Err("a label".to_owned());
    }
    // Without operands it is all name.
    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
    let (name, operands) = rest.split_at(end);
    let name = name.split('.').map(str::to_owned).collect();
    let operands =
        split(operands.trim()).into_iter().map(|o| operand(o, declared)).collect::<Result<_, _>>()?;
    Ok(Instruction { guard, name, operands })
}

/// Splits at commas (and at the `|` between a result and its predicate) that are in no brackets.
fn split(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let (mut depth, mut from) = (0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            ',' | '|' if depth == 0 => {
                all.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    let last = text[from..].trim();
    if !last.is_empty() {
        all.push(last);
    }
    all
}

fn operand(text: &str, declared: &Declared) -> Result<Operand, String> {
    let wrong = || text.to_owned();
    if text == "_" {
        return Ok(Operand::Nothing);
    }
    if let Some(inner) = text.strip_prefix('[') {
        let inner = inner.strip_suffix(']').ok_or_else(wrong)?;
        let at = inner.rfind('+').filter(|at| *at > 0);
        let (base, offset) = match at {
            Some(at) => (&inner[..at], integer(inner[at + 1..].trim()).ok_or_else(wrong)?),
            None => (inner, 0),
        };
        let offset = i64::try_from(offset).map_err(|_| wrong())?;
        return Ok(Operand::Address(Box::new(operand(base.trim(), declared)?), offset));
    }
    if let Some(inner) = text.strip_prefix('{') {
        let inner = inner.strip_suffix('}').ok_or_else(wrong)?;
        let parts = split(inner).into_iter().map(|part| operand(part, declared));
        return Ok(Operand::Vector(parts.collect::<Result<_, _>>()?));
    }
    let register = text.trim_start_matches('!');
    if let Some(name) = percent_name(register).filter(|name| declared.has(name)) {
        return Ok(Operand::Name(format!("%{name}"), text.starts_with('!')));
    }
    if let Some(name) = text.strip_prefix("%%") {
        return Ok(Operand::Special(name.to_owned()));
    }
    if let Some(number) = text.strip_prefix('%') {
        // Some write a special register with one sign.
        if number.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Ok(Operand::Special(number.to_owned()));
        }
        return number.parse().map(Operand::Number).map_err(|_| wrong());
    }
    for (prefix, bits) in [("0f", 32), ("0F", 32), ("0d", 64), ("0D", 64)] {
        if let Some(hex) = text.strip_prefix(prefix)
            && hex.len() == bits as usize / 4
        {
            return u64::from_str_radix(hex, 16).map(|v| Operand::Bits(v, bits)).map_err(|_| wrong());
        }
    }
    if let Some(value) = integer(text) {
        return Ok(Operand::Int(value));
    }
    let name = text.trim_start_matches('!');
    let named = !name.is_empty()
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'))
        && !name.starts_with(|c: char| c.is_ascii_digit());
    if named { Ok(Operand::Name(name.to_owned(), text.starts_with('!'))) } else { Err(wrong()) }
}

fn integer(text: &str) -> Option<i128> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    let digits = digits.trim_end_matches('U');
    let value = if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        i128::from_str_radix(hex, 16).ok()?
    } else if let Some(binary) = digits.strip_prefix("0b") {
        i128::from_str_radix(binary, 2).ok()?
    } else if digits.len() > 1 && digits.starts_with('0') {
        i128::from_str_radix(digits, 8).ok()?
    } else {
        digits.parse().ok()?
    };
    Some(sign * value)
}

/// What one operand's type suffix means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Suffix {
    pub bits: u32,
    pub class: Class,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    Bits,
    Unsigned,
    Signed,
    Float,
    Predicate,
}

impl Suffix {
    /// `u32`, `s64`, `b16`, `f32`, `pred`.
    pub fn of(text: &str) -> Option<Suffix> {
        if text == "pred" {
            return Some(Suffix { bits: 1, class: Class::Predicate });
        }
        let class = match text.chars().next()? {
            'b' => Class::Bits,
            'u' => Class::Unsigned,
            's' => Class::Signed,
            'f' => Class::Float,
            _ => return None,
        };
        let bits: u32 = text[1..].parse().ok()?;
        matches!(bits, 8 | 16 | 32 | 64).then_some(Suffix { bits, class })
    }

    pub fn is_signed(self) -> bool {
        self.class == Class::Signed
    }

    pub fn is_float(self) -> bool {
        self.class == Class::Float
    }
}
