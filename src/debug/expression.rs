//! Expressions at the debugger's prompt: C's, over the variables that are in scope, without assignments and calls.

use cudair_ir::source_type::{signed, whole};
use cudair_ir::{Encoding, FieldType, NamedType, NamedTypes, SourceType};
use std::sync::Arc;

/// A byte, or nothing where none was ever written.
pub type Byte = Option<u8>;

/// A value with its type, and where it stands if it is in memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Value {
    /// The type.
    pub ty: SourceType,
    /// The bytes.
    pub bytes: Vec<Byte>,
}

/// What an expression is evaluated in.
pub trait Scope {
    /// A variable by its name.
    fn variable(&self, name: &str) -> Option<Value>;
    /// Memory behind a pointer.
    fn memory(&self, address: u64, bytes: u64) -> Option<Vec<Byte>>;
    /// The types of the source.
    fn types(&self) -> &NamedTypes;
}

/// Operators and names inside one another.
const MAX_DEPTH: u32 = 64;

/// The value of an expression.
///
/// # Errors
/// What is wrong with it, for the user.
pub fn evaluate(text: &str, scope: &dyn Scope) -> Result<Value, String> {
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens: &tokens, at: 0, scope, depth: 0 };
    let value = parser.binary(0)?;
    match parser.peek() {
        None => Ok(value),
        Some(token) => Err(format!("`{token}` is not expected there")),
    }
}

/// Whether a condition holds.
///
/// # Errors
/// As [`evaluate`].
pub fn holds(text: &str, scope: &dyn Scope) -> Result<bool, String> {
    Ok(match number(&evaluate(text, scope)?)? {
        Number::Int(n) => n != 0,
        Number::Float(x) => x != 0.0,
    })
}

/// The address that a pointer holds, or a number.
///
/// # Errors
/// As [`evaluate`].
pub fn address(text: &str, scope: &dyn Scope) -> Result<u64, String> {
    let value = evaluate(text, scope)?;
    match number(&value)? {
        Number::Int(n) => u64::try_from(n).map_err(|_| format!("{n} is not an address")),
        Number::Float(_) => Err(format!("`{}` is not a pointer", value.ty)),
    }
}

const OPERATORS: [&str; 28] = [
    "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "->", "::", "+", "-", "*", "/", "%", "<", ">", "!", "~",
    "&", "|", "^", "(", ")", "[", "]", ".", ",",
];

fn tokens(text: &str) -> Result<Vec<String>, String> {
    let mut out = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let len = if first.is_ascii_digit() {
            let exponent = |before: Option<char>| matches!(before, Some('e' | 'E'));
            let mut before = None;
            let hex = rest.starts_with("0x");
            rest.char_indices()
                .find(|&(_, c)| {
                    let part =
                        c.is_ascii_alphanumeric() || c == '.' || !hex && "+-".contains(c) && exponent(before);
                    before = Some(c);
                    !part
                })
                .map_or(rest.len(), |(at, _)| at)
        } else if first.is_alphabetic() || first == '_' {
            rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
        } else {
            match OPERATORS.iter().find(|o| rest.starts_with(**o)) {
                Some(operator) => operator.len(),
                None => return Err(format!("`{first}` is not part of an expression")),
            }
        };
        out.push(rest[..len].to_owned());
        rest = rest[len..].trim_start();
    }
    Ok(out)
}

/// A number, as arithmetic has it.
enum Number {
    Int(i128),
    Float(f64),
}

fn bits(v: &Value) -> Result<u128, String> {
    if v.bytes.len() > 16 {
        return Err(format!("`{}` is not a number", v.ty));
    }
    whole(&v.bytes).ok_or_else(|| "it was never written".to_owned())
}

fn number(v: &Value) -> Result<Number, String> {
    let width = 8 * v.bytes.len() as u32;
    Ok(match &v.ty {
        SourceType::Base(_, Encoding::Float(ty)) => match v.bytes.len() {
            2 if *ty == cudair_ir::Type::F16 => Number::Float(half::f16::from_bits(bits(v)? as u16).to_f64()),
            2 => Number::Float(half::bf16::from_bits(bits(v)? as u16).to_f64()),
            4 => Number::Float(f64::from(f32::from_bits(bits(v)? as u32))),
            8 => Number::Float(f64::from_bits(bits(v)? as u64)),
            _ => return Err(format!("there is no arithmetic of `{}`", v.ty)),
        },
        SourceType::Base(_, Encoding::Signed(_) | Encoding::Char(1)) => Number::Int(signed(bits(v)?, width)),
        SourceType::Base(..) | SourceType::Pointer(_) | SourceType::Reference(_) => {
            Number::Int(bits(v)? as i128)
        }
        SourceType::Named(_) if v.bytes.len() <= 8 => Number::Int(bits(v)? as i128),
        _ => return Err(format!("`{}` is not a number", v.ty)),
    })
}

fn long(n: i128) -> Value {
    let ty = SourceType::Base("long".into(), Encoding::Signed(8));
    Value { ty, bytes: (n as i64).to_le_bytes().map(Some).to_vec() }
}

fn double(x: f64) -> Value {
    let ty = SourceType::Base("double".into(), Encoding::Float(cudair_ir::Type::F64));
    Value { ty, bytes: x.to_le_bytes().map(Some).to_vec() }
}

/// The operators of two operands by how tightly they bind.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", ">", "<=", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

struct Parser<'a> {
    tokens: &'a [String],
    at: usize,
    scope: &'a dyn Scope,
    depth: u32,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&str> {
        self.tokens.get(self.at).map(String::as_str)
    }

    fn eat(&mut self, token: &str) -> bool {
        let hit = self.peek() == Some(token);
        self.at += usize::from(hit);
        hit
    }

    fn binary(&mut self, level: usize) -> Result<Value, String> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = operators.iter().find(|o| self.peek() == Some(**o)) {
            self.at += 1;
            let right = self.binary(level + 1)?;
            left = self.apply(operator, &left, &right)?;
        }
        Ok(left)
    }

    fn apply(&self, operator: &str, a: &Value, b: &Value) -> Result<Value, String> {
        // A pointer counts in elements.
        if let (SourceType::Pointer(of), "+" | "-", SourceType::Base(..)) = (&a.ty, operator, &b.ty)
            && let (Some(size), Number::Int(n)) = (of.size(self.scope.types()), number(b)?)
        {
            let by = n.wrapping_mul(size.into());
            let to = if operator == "+" {
                (bits(a)? as i128).wrapping_add(by)
            } else {
                (bits(a)? as i128).wrapping_sub(by)
            };
            return Ok(Value { ty: a.ty.clone(), bytes: (to as u64).to_le_bytes().map(Some).to_vec() });
        }
        let truth = |b: bool| Ok(long(b.into()));
        let (x, y) = match (number(a)?, number(b)?) {
            (Number::Int(x), Number::Int(y)) => {
                let shift =
                    |y: i128| u32::try_from(y).ok().filter(|&n| n < 64).ok_or("a shift that is too wide");
                return Ok(long(match operator {
                    "||" => (x != 0 || y != 0).into(),
                    "&&" => (x != 0 && y != 0).into(),
                    "|" => x | y,
                    "^" => x ^ y,
                    "&" => x & y,
                    "==" => (x == y).into(),
                    "!=" => (x != y).into(),
                    "<" => (x < y).into(),
                    ">" => (x > y).into(),
                    "<=" => (x <= y).into(),
                    ">=" => (x >= y).into(),
                    "<<" => x << shift(y)?,
                    ">>" => x >> shift(y)?,
                    "+" => x.wrapping_add(y),
                    "-" => x.wrapping_sub(y),
                    "*" => x.wrapping_mul(y),
                    "/" => x.checked_div(y).ok_or("a division by 0")?,
                    _ => x.checked_rem(y).ok_or("a division by 0")?,
                }));
            }
            (Number::Int(x), Number::Float(y)) => (x as f64, y),
            (Number::Float(x), Number::Int(y)) => (x, y as f64),
            (Number::Float(x), Number::Float(y)) => (x, y),
        };
        match operator {
            "||" => truth(x != 0.0 || y != 0.0),
            "&&" => truth(x != 0.0 && y != 0.0),
            "==" => truth(x == y),
            "!=" => truth(x != y),
            "<" => truth(x < y),
            ">" => truth(x > y),
            "<=" => truth(x <= y),
            ">=" => truth(x >= y),
            "+" => Ok(double(x + y)),
            "-" => Ok(double(x - y)),
            "*" => Ok(double(x * y)),
            "/" => Ok(double(x / y)),
            _ => Err(format!("there is no `{operator}` of floating-point numbers")),
        }
    }

    fn unary(&mut self) -> Result<Value, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("an expression that is nested too deep".to_owned());
        }
        let value = if self.eat("-") {
            match number(&self.unary()?)? {
                Number::Int(n) => long(n.wrapping_neg()),
                Number::Float(x) => double(-x),
            }
        } else if self.eat("!") {
            match number(&self.unary()?)? {
                Number::Int(n) => long((n == 0).into()),
                Number::Float(x) => long((x == 0.0).into()),
            }
        } else if self.eat("~") {
            match number(&self.unary()?)? {
                Number::Int(n) => long(!n),
                Number::Float(_) => return Err("there is no `~` of floating-point numbers".to_owned()),
            }
        } else if self.eat("*") {
            let pointer = self.unary()?;
            self.behind(&pointer, 0)?
        } else {
            self.postfix()?
        };
        self.depth -= 1;
        Ok(value)
    }

    fn postfix(&mut self) -> Result<Value, String> {
        let mut value = self.primary()?;
        loop {
            if self.eat("[") {
                let index = self.binary(0)?;
                let Number::Int(n) = number(&index)? else { return Err("an index is an integer".to_owned()) };
                if !self.eat("]") {
                    return Err("`]` is missing".to_owned());
                }
                value = match &value.ty {
                    SourceType::Array(_, elem) => {
                        let size =
                            elem.size(self.scope.types()).ok_or("an element of unknown size")? as usize;
                        let from = usize::try_from(n).ok().and_then(|n| n.checked_mul(size));
                        let bytes = from.and_then(|from| value.bytes.get(from..from.checked_add(size)?));
                        let bytes = bytes.ok_or_else(|| format!("the array has no element {n}"))?.to_vec();
                        Value { ty: elem.as_ref().clone(), bytes }
                    }
                    _ => self.behind(&value, n)?,
                };
            } else if self.eat("->") {
                let object = self.behind(&value, 0)?;
                value = self.member(&object)?;
            } else if self.eat(".") {
                value = self.member(&value)?;
            } else {
                return Ok(value);
            }
        }
    }

    /// What stands `n` elements behind a pointer.
    fn behind(&self, pointer: &Value, n: i128) -> Result<Value, String> {
        let (SourceType::Pointer(of) | SourceType::Reference(of) | SourceType::Array(_, of)) = &pointer.ty
        else {
            return Err(format!("`{}` is not a pointer", pointer.ty));
        };
        let size = of.size(self.scope.types()).ok_or_else(|| format!("the size of `{of}` is not known"))?;
        if let SourceType::Array(..) = pointer.ty {
            let bytes = pointer.bytes.get(..size as usize).ok_or("the array has no element")?.to_vec();
            return Ok(Value { ty: of.as_ref().clone(), bytes });
        }
        let address = (bits(pointer)? as u64).wrapping_add((n as u64).wrapping_mul(size));
        let bytes = self.scope.memory(address, size).ok_or("there is no memory, or it is not shown")?;
        Ok(Value { ty: of.as_ref().clone(), bytes })
    }

    fn member(&mut self, object: &Value) -> Result<Value, String> {
        let name = self.peek().ok_or("a member's name is missing")?.to_owned();
        self.at += 1;
        let SourceType::Named(class) = &object.ty else {
            return Err(format!("`{}` has no members", object.ty));
        };
        // `threadIdx` and the like have no type in the program.
        let axis = ["x", "y", "z"].iter().position(|axis| **axis == *name);
        if let ("dim3", Some(n)) = (&**class, axis)
            && let Some(bytes) = object.bytes.get(4 * n..4 * n + 4)
        {
            let ty = SourceType::Base("unsigned int".into(), Encoding::Unsigned(4));
            return Ok(Value { ty, bytes: bytes.to_vec() });
        }
        find(self.scope.types(), class, &object.bytes, &name, 0)
            .ok_or_else(|| format!("`{class}` has no member `{name}`"))
    }

    fn primary(&mut self) -> Result<Value, String> {
        if self.eat("(") {
            let value = self.binary(0)?;
            return if self.eat(")") { Ok(value) } else { Err("`)` is missing".to_owned()) };
        }
        let token = self.peek().ok_or("an expression is missing")?.to_owned();
        self.at += 1;
        if token.starts_with(|c: char| c.is_ascii_digit()) {
            return literal(&token).ok_or_else(|| format!("`{token}` is not a number"));
        }
        if !token.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return Err(format!("`{token}` is not expected there"));
        }
        let mut name = token;
        while self.eat("::") {
            name = format!("{name}::{}", self.peek().ok_or("a name is missing")?);
            self.at += 1;
        }
        let value =
            self.scope.variable(&name).ok_or_else(|| format!("there is no variable `{name}` here"))?;
        match &value.ty {
            // A reference is what it refers to.
            SourceType::Reference(_) => self.behind(&value, 0),
            _ => Ok(value),
        }
    }
}

/// `threadIdx` and the like, by axis.
pub fn extents(value: &Value) -> Option<[u32; 3]> {
    let SourceType::Named(name) = &value.ty else { return None };
    let bytes: Option<Vec<u8>> = value.bytes.iter().copied().collect();
    let bytes = bytes.filter(|b| **name == *"dim3" && b.len() == 12)?;
    let axis =
        |n: usize| u32::from_le_bytes([bytes[4 * n], bytes[4 * n + 1], bytes[4 * n + 2], bytes[4 * n + 3]]);
    Some([axis(0), axis(1), axis(2)])
}

/// A member by its name, also of base classes and unnamed members.
fn find(types: &NamedTypes, class: &Arc<str>, bytes: &[Byte], name: &str, depth: u32) -> Option<Value> {
    let NamedType::Record(record) = types.get(class)? else { return None };
    let part = |f: &FieldType| f.bytes(types, bytes).map(<[Byte]>::to_vec);
    if let Some(f) = record.fields.iter().find(|f| *f.name == *name) {
        return match f.width {
            Some(width) => f.bits(width, bytes).map(long),
            None => Some(Value { ty: f.ty.clone(), bytes: part(f)? }),
        };
    }
    record.fields.iter().filter(|_| depth < 8).find_map(|f| match &f.ty {
        SourceType::Named(inner) if f.name.is_empty() || **inner == *f.name => {
            find(types, inner, &part(f)?, name, depth + 1)
        }
        _ => None,
    })
}

fn literal(token: &str) -> Option<Value> {
    let plain = token.trim_end_matches(['u', 'U', 'l', 'L']);
    if let Some(hex) = plain.strip_prefix("0x") {
        return Some(long(i128::from(u64::from_str_radix(hex, 16).ok()?)));
    }
    match plain.parse::<u64>() {
        Ok(n) => Some(long(n.into())),
        Err(_) => token.trim_end_matches(['f', 'F']).parse().ok().map(double),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Test(NamedTypes);

    impl Scope for Test {
        fn variable(&self, name: &str) -> Option<Value> {
            let int = || SourceType::Base("int".into(), Encoding::Signed(4));
            let words = |words: &[i32]| words.iter().flat_map(|w| w.to_le_bytes().map(Some)).collect();
            Some(match name {
                "i" => Value { ty: int(), bytes: words(&[-3]) },
                "a" => Value { ty: SourceType::Array(3, int().into()), bytes: words(&[1, 2, 3]) },
                "p" => Value {
                    ty: SourceType::Pointer(int().into()),
                    bytes: 64u64.to_le_bytes().map(Some).to_vec(),
                },
                "new" => Value { ty: int(), bytes: vec![None; 4] },
                _ => return None,
            })
        }

        fn memory(&self, address: u64, bytes: u64) -> Option<Vec<Byte>> {
            (address >= 64 && address + bytes <= 72)
                .then(|| (0..bytes).map(|n| Some((address + n - 60) as u8)).collect())
        }

        fn types(&self) -> &NamedTypes {
            &self.0
        }
    }

    fn int(text: &str) -> Result<i128, String> {
        match number(&evaluate(text, &Test(NamedTypes::default()))?)? {
            Number::Int(n) => Ok(n),
            Number::Float(x) => Err(x.to_string()),
        }
    }

    #[test]
    fn expressions() {
        assert_eq!(int("1 + 2 * 3 - 4 / 2"), Ok(5));
        assert_eq!(int("-i << 2 | 1"), Ok(13));
        assert_eq!(int("a[1] == 2 && !(a[2] < 3)"), Ok(1));
        assert_eq!(int("*p"), Ok(0x0706_0504));
        assert_eq!(int("p[1]"), Ok(0x0b0a_0908));
        assert_eq!(int("*(p + 1) == p[1]"), Ok(1));
        assert_eq!(int("0x10"), Ok(16));
        assert_eq!(int("1.5e1f * 2"), Err("30".to_owned()));
        assert_eq!(int("a[3]"), Err("the array has no element 3".to_owned()));
        assert_eq!(int("p[2]"), Err("there is no memory, or it is not shown".to_owned()));
        assert_eq!(int("1 / 0"), Err("a division by 0".to_owned()));
        assert_eq!(int("new + 1"), Err("it was never written".to_owned()));
        assert_eq!(int("x"), Err("there is no variable `x` here".to_owned()));
        assert!(int("1 +").is_err());
        assert!(int("(1").is_err());
        assert!(int(&"(".repeat(10_000)).is_err());
    }
}
