//! Which atomic operation does what a statement does that reads a place and writes it.
//!
//! Only the text is looked at, and the type that the accesses have in memory. An operation is named where it does the same;
//! where none is known to, the help says that an atomic operation is wanted and not which.

use cudair_ir::Type;

/// What is done with the old value and another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Op {
    Add,
    Sub,
    Or,
    And,
    Xor,
    Min,
    Max,
}

/// Where no operation is known.
const ANY: &str = "such as `atomicAdd`, or a loop of `atomicCAS`";

/// The operation that does what `place OPERATOR= value` does.
pub(super) fn compound(operator: &str, place: &str, value: &str, ty: Option<Type>) -> Option<String> {
    let op = match operator {
        "+=" => Op::Add,
        "-=" => Op::Sub,
        "|=" => Op::Or,
        "&=" => Op::And,
        "^=" => Op::Xor,
        _ => return None,
    };
    Some(call(op, place, value, ty).unwrap_or_else(|| ANY.to_owned()))
}

/// The operation that does what `place++` and `place--` do.
pub(super) fn step(up: bool, place: &str, ty: Option<Type>) -> String {
    call(if up { Op::Add } else { Op::Sub }, place, "1", ty).unwrap_or_else(|| ANY.to_owned())
}

/// The operation that does what `place = value` does where `value` is computed of what `old` names and of something else:
/// `place` itself, or a variable that has its value. Nothing is known of an operation where `value` has another form.
pub(super) fn assigned(place: &str, value: &str, old: &str, ty: Option<Type>) -> Option<String> {
    let (op, other) = split(value.trim(), old, ty)?;
    // What reads the place, too, reads it at another time.
    if has(other, old) || has(other, place) {
        return None;
    }
    call(op, place, other, ty)
}

/// What to say where a statement updates a place in a way for which no operation is known.
pub(super) fn any() -> String {
    ANY.to_owned()
}

/// Whether a text has an expression in it, and not as the part of a longer name.
pub(super) fn has(text: &str, expression: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(expression).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + expression.len()..].chars().next();
        let starts = expression.chars().next().is_some_and(word);
        let ends = expression.chars().next_back().is_some_and(word);
        !(starts && before.is_some_and(word) || ends && after.is_some_and(word))
    })
}

/// What `value` does with `old`, and the other value: `old + other`, `other + old`, `min(old, other)` and their kin.
fn split<'v>(value: &'v str, old: &str, ty: Option<Type>) -> Option<(Op, &'v str)> {
    if let Some(found) = extreme(value, old, ty) {
        return Some(found);
    }
    let parts = operands(value)?;
    let integer = !ty.is_some_and(Type::is_float);
    let sums = |part: &Operand<'_>| matches!(part.sign, "+" | "-" | "*" | "/" | "%");
    let products = |part: &Operand<'_>| matches!(part.sign, "*" | "/" | "%");
    let (first, rest) = parts.split_first()?;
    let (last, front) = parts.split_last()?;
    if first.text == old && !rest.is_empty() {
        let other = value[rest[0].start..].trim();
        let bitwise = |op: &str| rest.iter().all(|p| p.sign == op);
        // What follows is one sum in integers, and in floating-point numbers only if nothing is added in another order.
        return match rest[0].sign {
            "+" if rest[1..].iter().all(products) || integer && rest[1..].iter().all(sums) => {
                Some((Op::Add, other))
            }
            "-" if rest[1..].iter().all(products) => Some((Op::Sub, other)),
            "|" if bitwise("|") => Some((Op::Or, other)),
            "&" if bitwise("&") => Some((Op::And, other)),
            "^" if bitwise("^") => Some((Op::Xor, other)),
            _ => None,
        };
    }
    if last.text == old && !front.is_empty() {
        let other = value[..last.start].trim_end().strip_suffix(last.sign)?.trim();
        let bitwise = |op: &str| front[1..].iter().all(|p| p.sign == op);
        return match last.sign {
            "+" if front[1..].iter().all(sums) => Some((Op::Add, other)),
            "|" if bitwise("|") => Some((Op::Or, other)),
            "&" if bitwise("&") => Some((Op::And, other)),
            "^" if bitwise("^") => Some((Op::Xor, other)),
            _ => None,
        };
    }
    None
}

/// `min(old, other)`, `max(other, old)` of 32-bit integers.
fn extreme<'v>(value: &'v str, old: &str, ty: Option<Type>) -> Option<(Op, &'v str)> {
    let (op, rest) = match value.strip_prefix("min") {
        Some(rest) => (Op::Min, rest),
        None => (Op::Max, value.strip_prefix("max")?),
    };
    let inner = rest.trim_start().strip_prefix('(')?.strip_suffix(')')?;
    let (mut depth, mut comma) = (0, None);
    for (at, c) in inner.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 && comma.replace(at).is_some() => return None,
            '"' | '\'' => return None,
            _ => {}
        }
        // The brackets at the ends are no pair.
        if depth < 0 {
            return None;
        }
    }
    let (a, b) = (inner[..comma?].trim(), inner[comma? + 1..].trim());
    if ty != Some(Type::I32) {
        return None;
    }
    match (a == old, b == old) {
        (true, false) => Some((op, b)),
        (false, true) => Some((op, a)),
        _ => None,
    }
}

/// An operand of an expression, the operator before it, and where it starts; the first has no operator.
#[derive(Debug)]
struct Operand<'v> {
    sign: &'v str,
    text: &'v str,
    start: usize,
}

/// The operands between the binary operators of an expression that are in no brackets; nothing where another operator is
/// there, or something that is not looked into: `?`, a comparison, a shift, a cast, a text.
fn operands(value: &str) -> Option<Vec<Operand<'_>>> {
    let bytes = value.as_bytes();
    let mut out: Vec<Operand<'_>> = Vec::new();
    let (mut sign, mut start, mut depth) = ("", 0, 0u32);
    // Whether an operand stands before, so that a sign is an operator of two.
    let mut operand = false;
    for (at, c) in value.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                depth = depth.checked_sub(1)?;
                operand = true;
            }
            '"' | '\'' => return None,
            _ if depth > 0 || c.is_whitespace() => {}
            '+' | '-' | '*' | '/' | '%' | '&' | '|' | '^' => {
                if !operand {
                    // A sign of one, as in `a + -b`, `*p` and `&x`.
                    continue;
                }
                // `->` leads to a member; `++`, `&&`, `+=` are other operators, an exponent is none.
                if c == '-' && bytes.get(at + 1) == Some(&b'>') {
                    continue;
                }
                let exponent =
                    at > 0 && matches!(bytes[at - 1], b'e' | b'E' | b'p' | b'P') && is_number(value, start);
                if exponent {
                    continue;
                }
                if bytes.get(at + 1).is_some_and(|&next| next == c as u8 || next == b'=') {
                    return None;
                }
                out.push(Operand { sign, text: value[start..at].trim(), start });
                (sign, start, operand) = (&value[at..=at], at + 1, false);
            }
            // `>` of `->` is the only one that is known.
            '>' if at > 0 && bytes[at - 1] == b'-' => {}
            '<' | '>' | '=' | '!' | '~' | '?' | ',' | ';' => return None,
            _ => operand = true,
        }
    }
    if depth > 0 || !operand {
        return None;
    }
    out.push(Operand { sign, text: value[start..].trim(), start });
    Some(out)
}

/// Whether the operand that starts there is a number.
fn is_number(value: &str, start: usize) -> bool {
    value[start..].trim_start().starts_with(|c: char| c.is_ascii_digit() || c == '.')
}

/// The call, for memory of a type that atomic operations take. Where the type is not known it is taken for `int`.
fn call(op: Op, place: &str, value: &str, ty: Option<Type>) -> Option<String> {
    let p = pointer(place);
    let name = match op {
        Op::Add => "atomicAdd",
        Op::Sub => "atomicSub",
        Op::Or => "atomicOr",
        Op::And => "atomicAnd",
        Op::Xor => "atomicXor",
        Op::Min => "atomicMin",
        Op::Max => "atomicMax",
    };
    // A cast binds more tightly than an operator.
    let whole = if value.chars().all(|c| c.is_alphanumeric() || c == '_') {
        value.to_owned()
    } else {
        format!("({value})")
    };
    let text = match (ty, op) {
        (None | Some(Type::I32), _) => format!("{name}({p}, {value})"),
        // There is `atomicAdd` of floating-point numbers, and nothing else.
        (Some(Type::F32 | Type::F64 | Type::F16 | Type::BF16), Op::Add) => format!("atomicAdd({p}, {value})"),
        (Some(Type::F32), Op::Sub) => format!("atomicAdd({p}, -(float){whole})"),
        (Some(Type::F64), Op::Sub) => format!("atomicAdd({p}, -(double){whole})"),
        // Of 64 bits they take `unsigned long long`, of which there is no `atomicSub`.
        (Some(Type::I64), Op::Add | Op::Or | Op::And | Op::Xor) => {
            format!("{name}((unsigned long long *){p}, (unsigned long long){whole})")
        }
        (Some(Type::I64), Op::Sub) => {
            format!("atomicAdd((unsigned long long *){p}, -(unsigned long long){whole})")
        }
        _ => return None,
    };
    Some(format!("`{text}`"))
}

/// A pointer to what an expression names.
fn pointer(place: &str) -> String {
    let bare = match place.strip_prefix('(').and_then(|p| p.strip_suffix(')')) {
        Some(inner) if inner.starts_with('*') => inner,
        _ => place,
    };
    let is_name = |s: &str| !s.is_empty() && s.chars().all(|c| c.is_alphanumeric() || c == '_');
    match bare.strip_prefix('*').map(str::trim) {
        Some(name) if is_name(name) => name.to_owned(),
        _ => format!("&{place}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(value: &str) -> Option<String> {
        assigned("s[i]", value, "s[i]", Some(Type::I32)).map(|c| c.trim_matches('`').to_owned())
    }

    #[test]
    fn assignments_that_are_one_operation() {
        for (value, call) in [
            ("s[i] + v", "atomicAdd(&s[i], v)"),
            ("v + s[i]", "atomicAdd(&s[i], v)"),
            ("s[i] + a * b - c", "atomicAdd(&s[i], a * b - c)"),
            ("a * b - c + s[i]", "atomicAdd(&s[i], a * b - c)"),
            ("s[i] + -v", "atomicAdd(&s[i], -v)"),
            ("s[i] + p->n", "atomicAdd(&s[i], p->n)"),
            ("s[i] - a * b", "atomicSub(&s[i], a * b)"),
            ("s[i] | 1 | m", "atomicOr(&s[i], 1 | m)"),
            ("m & s[i]", "atomicAnd(&s[i], m)"),
            ("s[i] ^ f(a, b)", "atomicXor(&s[i], f(a, b))"),
            ("min(s[i], v)", "atomicMin(&s[i], v)"),
            ("max(f(a, b), s[i])", "atomicMax(&s[i], f(a, b))"),
        ] {
            assert_eq!(int(value).as_deref(), Some(call), "{value}");
        }
    }

    #[test]
    fn assignments_that_are_not() {
        for value in [
            "s[i] + a | b",
            "s[i] - a + b",
            "a - s[i]",
            "s[i] * 2",
            "a * s[i]",
            "a + b * s[i]",
            "s[i] + a > b",
            "s[i] + a ? b : c",
            "s[i] + a << 1",
            "s[i] + s[i]",
            "s[i] + f(s[i])",
            "s[i] | a & b",
            "s[i] + a && b",
            "xs[i] + v",
            "min(s[i], a, b)",
            "min(s[i], a) + max(b, c)",
            "s[i]",
            "v",
        ] {
            assert_eq!(int(value), None, "{value}");
        }
        assert_eq!(assigned("s[i]", "min(s[i], v)", "s[i]", Some(Type::F32)), None);
        // In floating-point numbers another order gives another sum.
        assert_eq!(assigned("x", "x + a - b", "x", Some(Type::F32)), None);
    }

    #[test]
    fn a_variable_may_have_the_old_value() {
        let of = |value| assigned("*p", value, "old", Some(Type::I32));
        assert_eq!(of("old + v").as_deref(), Some("`atomicAdd(p, v)`"));
        assert_eq!(of("old + *p"), None);
        assert_eq!(of("older + v"), None);
        assert_eq!(of("v"), None);
    }

    #[test]
    fn types_decide_which_call_there_is() {
        let sub = |ty| compound("-=", "x", "a + b", ty);
        assert_eq!(sub(None).as_deref(), Some("`atomicSub(&x, a + b)`"));
        assert_eq!(sub(Some(Type::F32)).as_deref(), Some("`atomicAdd(&x, -(float)(a + b))`"));
        assert_eq!(
            sub(Some(Type::I64)).as_deref(),
            Some("`atomicAdd((unsigned long long *)&x, -(unsigned long long)(a + b))`")
        );
        assert_eq!(sub(Some(Type::I16)).as_deref(), Some(ANY));
        assert_eq!(compound("|=", "x", "a", Some(Type::F32)).as_deref(), Some(ANY));
        assert_eq!(compound("*=", "x", "a", Some(Type::I32)), None);
        assert_eq!(step(true, "*p", Some(Type::F64)), "`atomicAdd(p, 1)`");
        assert_eq!(step(false, "n", Some(Type::I32)), "`atomicSub(&n, 1)`");
        assert_eq!(step(true, "n", Some(Type::I8)), ANY);
    }
}
