//! Default initialisers of bit-fields, which libclang does not show: their text tells them.

use super::func::FnLower;
use super::types::{Field, Kind};
use super::{Cx, R};
use crate::clang::Cursor;
use cudair_ir::Value;

impl<'tu> Cx<'tu, '_> {
    /// The text of a bit-field's default initialiser, braces aside.
    pub fn bit_field_text(&self, f: &Field<'tu>) -> Option<Vec<String>> {
        f.width.filter(|&width| width > 0)?;
        // Most have none, and end where the width does.
        let width = f.cursor.expressions().first()?.range().end;
        let end = f.cursor.range().end;
        if width.file == end.file && width.offset >= end.offset {
            return None;
        }
        let tokens = f.cursor.tokens(self.unit);
        let behind = tokens.iter().position(|t| t == ":")? + 1;
        let mut depth = 0;
        let start = tokens[behind..].iter().position(|t| {
            match t.as_str() {
                "(" | "[" => depth += 1,
                ")" | "]" => depth -= 1,
                _ => {}
            }
            depth == 0 && matches!(t.as_str(), "=" | "{")
        })?;
        let mut text: Vec<String> = tokens[behind + start + 1..].to_vec();
        if text.first().is_some_and(|t| t == "{") {
            text.remove(0);
        }
        while text.last().is_some_and(|t| t == "}") {
            text.pop();
        }
        Some(text)
    }
}

impl<'tu> FnLower<'_, 'tu, '_> {
    /// The value of a bit-field's default initialiser.
    pub fn bit_field_default(&mut self, f: &Field<'tu>, text: &[String], at: Cursor<'tu>) -> R<Value> {
        let Some(number) = number(text) else {
            let what = format!("the initialiser `{}` of the bit-field `{}`", text.join(" "), f.name);
            return self.unsupported(what, at);
        };
        let Some(ir) = self.cx.types.ir(f.ty.ty) else {
            return self.internal("a bit-field of no scalar type", at);
        };
        let number = match self.cx.types.kind(f.ty.ty) {
            Kind::Bool => i128::from(number != 0),
            _ => number,
        };
        Ok(self.b.iconst(ir, number))
    }
}

/// The number that a few tokens write: a literal with signs in front, or nothing, which is zero.
fn number(text: &[String]) -> Option<i128> {
    match text {
        [] => Some(0),
        [sign, rest @ ..] if sign == "-" => number(rest).filter(|_| !rest.is_empty()).map(|n| -n),
        [sign, rest @ ..] if sign == "+" => number(rest).filter(|_| !rest.is_empty()),
        [sign, rest @ ..] if sign == "~" => number(rest).filter(|_| !rest.is_empty()).map(|n| !n),
        [open, inner @ .., close] if open == "(" && close == ")" => {
            number(inner).filter(|_| !inner.is_empty())
        }
        [one] => literal(one),
        _ => None,
    }
}

fn literal(text: &str) -> Option<i128> {
    match text {
        "true" => return Some(1),
        "false" => return Some(0),
        _ => {}
    }
    if let [b'\'', c, b'\''] = text.as_bytes() {
        return Some(i128::from(*c));
    }
    let digits: String = text.chars().filter(|&c| c != '\'').collect::<String>().to_ascii_lowercase();
    let digits = digits.trim_end_matches(['u', 'l', 'z']);
    let radix =
        |prefix: &str, radix| digits.strip_prefix(prefix).map(|d| i128::from_str_radix(d, radix).ok());
    radix("0x", 16)
        .or_else(|| radix("0b", 2))
        .or_else(|| radix("0", 8).filter(|_| digits.len() > 1))
        .unwrap_or_else(|| digits.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::number;

    fn value(text: &[&str]) -> Option<i128> {
        number(&text.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn literals_are_read_and_the_rest_is_not() {
        assert_eq!(value(&[]), Some(0));
        assert_eq!(value(&["5u"]), Some(5));
        assert_eq!(value(&["-", "0x1F"]), Some(-31));
        assert_eq!(value(&["~", "(", "0b1'0", ")"]), Some(-3));
        assert_eq!(value(&["017"]), Some(15));
        assert_eq!(value(&["0"]), Some(0));
        assert_eq!(value(&["'a'"]), Some(97));
        assert_eq!(value(&["true"]), Some(1));
        assert_eq!(value(&["-"]), None);
        assert_eq!(value(&["N"]), None);
        assert_eq!(value(&["1", "+", "2"]), None);
    }
}
