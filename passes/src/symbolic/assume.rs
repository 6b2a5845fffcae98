//! Assumptions about a launch that a user states: `n == 1024`, `blockDim.x * gridDim.x >= n`.
//!
//! An assumption is an expression of C over the kernel's parameters, `blockDim`, `gridDim` and numbers, with the operators
//! `|| && == != < <= > >= + - * / %`, `!`, unary minus and brackets, and with `pow2(e)` for "e is a power of two". It is
//! computed in 64 bits; parameters are signed numbers.

use super::term::*;
use cudair_ir::{BinaryOp, Function, IntCC};
use std::fmt;

/// An assumption.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    text: String,
    expr: Expr,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Expr {
    Number(u64),
    Name(String),
    Unary(&'static str, Box<Expr>),
    Binary(&'static str, Box<[Expr; 2]>),
}

/// The binary operators, those that bind least first.
const OPERATORS: [&[&str]; 6] =
    [&["||"], &["&&"], &["==", "!="], &["<=", ">=", "<", ">"], &["+", "-"], &["*", "/", "%"]];

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::str::FromStr for Assumption {
    type Err = String;

    /// # Errors
    /// What is wrong with the text, as a sentence.
    fn from_str(text: &str) -> Result<Assumption, String> {
        let mut parser = Parser { rest: text.trim(), depth: 0 };
        let expr = parser.level(0)?;
        if !parser.rest.is_empty() {
            return Err(format!("`{}` was not expected here", parser.rest));
        }
        if !expr.is_truth() {
            return Err("this is a number: an assumption compares, as in `n == 1024`".to_owned());
        }
        Ok(Assumption { text: text.trim().to_owned(), expr })
    }
}

/// Expressions in expressions: more is no assumption that somebody wrote.
const MAX_DEPTH: u32 = 64;

struct Parser<'a> {
    rest: &'a str,
    depth: u32,
}

impl Parser<'_> {
    fn eat(&mut self, word: &str) -> bool {
        let Some(rest) = self.rest.strip_prefix(word) else { return false };
        self.rest = rest.trim_start();
        true
    }

    fn level(&mut self, n: usize) -> Result<Expr, String> {
        let Some(operators) = OPERATORS.get(n) else { return self.unary() };
        let mut left = self.level(n + 1)?;
        while let Some(op) = operators.iter().find(|op| self.eat(op)) {
            let right = self.level(n + 1)?;
            left = Expr::Binary(op, Box::new([left, right]));
            left.check()?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("too many brackets and signs".to_owned());
        }
        let out = self.operand();
        self.depth -= 1;
        out
    }

    fn operand(&mut self) -> Result<Expr, String> {
        for op in ["!", "-"] {
            if self.eat(op) {
                let e = Expr::Unary(op, Box::new(self.unary()?));
                e.check()?;
                return Ok(e);
            }
        }
        let power = self.eat("pow2");
        if self.eat("(") {
            let inner = self.level(0)?;
            if !self.eat(")") {
                return Err("a closing bracket is missing".to_owned());
            }
            if !power {
                return Ok(inner);
            }
            let e = Expr::Unary("pow2", Box::new(inner));
            e.check()?;
            return Ok(e);
        }
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        if power || word.is_empty() {
            return Err(match self.rest {
                "" => "a name or a number is missing at the end".to_owned(),
                rest => format!("a name or a number is missing before `{rest}`"),
            });
        }
        self.rest = rest.trim_start();
        if !word.starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(Expr::Name(word.to_owned()));
        }
        let number = match word.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16),
            None => word.parse(),
        };
        number.map(Expr::Number).map_err(|_| format!("`{word}` is not a whole number of 64 bits"))
    }
}

impl Expr {
    /// Whether it is a condition.
    fn is_truth(&self) -> bool {
        match self {
            Expr::Number(_) | Expr::Name(_) => false,
            Expr::Unary(op, _) => *op != "-",
            Expr::Binary(op, _) => !matches!(*op, "+" | "-" | "*" | "/" | "%"),
        }
    }

    /// Conditions and numbers are not mixed.
    fn check(&self) -> Result<(), String> {
        let (op, parts): (&str, &[Expr]) = match self {
            Expr::Number(_) | Expr::Name(_) => return Ok(()),
            Expr::Unary(op, e) => (op, std::slice::from_ref(&**e)),
            Expr::Binary(op, parts) => (op, &parts[..]),
        };
        let wants_truth = matches!(op, "||" | "&&" | "!");
        if parts.iter().all(|p| p.is_truth() == wants_truth) {
            Ok(())
        } else if wants_truth {
            Err(format!("`{op}` takes conditions, as in `n > 0`"))
        } else {
            Err(format!("`{op}` takes numbers"))
        }
    }

    fn names<'e>(&'e self, out: &mut Vec<&'e str>) {
        match self {
            Expr::Number(_) => {}
            Expr::Name(name) => out.push(name),
            Expr::Unary(_, e) => e.names(out),
            Expr::Binary(_, parts) => parts.iter().for_each(|e| e.names(out)),
        }
    }
}

/// The extent that a name means.
fn extent(name: &str) -> Option<Sym> {
    let (word, dim) = name.split_once('.')?;
    let d = ["x", "y", "z"].iter().position(|d| *d == dim)? as u8;
    match word {
        "blockDim" => Some(Sym::BlockDim(d)),
        "gridDim" => Some(Sym::GridDim(d)),
        _ => None,
    }
}

/// The parameter of a kernel that a name means: one that is an integer.
fn parameter(func: &Function, name: &str) -> Option<u32> {
    let n = func.param_names.iter().position(|p| p == name)?;
    func.sig.params.get(n).filter(|p| p.ty.is_int()).map(|_| n as u32)
}

impl Assumption {
    /// Whether a kernel has all that it names.
    pub fn is_of(&self, func: &Function) -> bool {
        let mut names = Vec::new();
        self.expr.names(&mut names);
        names.iter().all(|n| extent(n).is_some() || parameter(func, n).is_some())
    }

    /// The symbol of a kernel that it sets to a number, as `n == 1024` does.
    pub fn fixes(&self, func: &Function) -> Option<(Sym, u64)> {
        let Expr::Binary("==", sides) = &self.expr else { return None };
        let (Expr::Name(name), Expr::Number(value)) = (&sides[0], &sides[1]) else { return None };
        extent(name).or_else(|| parameter(func, name).map(Sym::Param)).map(|sym| (sym, *value))
    }

    /// It as a term, in a kernel that has all that it names.
    pub fn term(&self, terms: &mut Terms, func: &Function, known: &dyn Fn(&mut Terms, Sym) -> Term) -> Term {
        term(&self.expr, terms, func, known)
    }
}

fn term(e: &Expr, terms: &mut Terms, func: &Function, known: &dyn Fn(&mut Terms, Sym) -> Term) -> Term {
    let of = |terms: &mut Terms, e: &Expr| term(e, terms, func, known);
    match e {
        Expr::Number(n) => terms.constant((*n).into(), 64),
        Expr::Name(name) => match (extent(name), parameter(func, name)) {
            (Some(sym), _) => {
                let t = known(terms, sym);
                terms.zext(t, 64)
            }
            (None, Some(n)) => {
                let t = known(terms, Sym::Param(n));
                let wide = terms.width(t) > 64;
                if wide { terms.trunc(t, 64) } else { terms.sext(t, 64) }
            }
            (None, None) => unreachable!("the kernel has no `{name}`: is_of was not asked"),
        },
        Expr::Unary(op, inner) => {
            let t = of(terms, inner);
            let zero = terms.constant(0, 64);
            match *op {
                "!" => terms.not(t),
                "-" => terms.sub(zero, t),
                _ => {
                    let minus = terms.constant(u64::MAX.into(), 64);
                    let less = terms.add(t, minus);
                    let both = terms.binary(BinaryOp::And, t, less);
                    let one_bit = terms.compare(IntCC::Eq, both, zero);
                    let some = terms.compare(IntCC::Slt, zero, t);
                    terms.and(one_bit, some)
                }
            }
        }
        Expr::Binary(op, sides) => {
            let (a, b) = (of(terms, &sides[0]), of(terms, &sides[1]));
            match *op {
                "||" => terms.or(a, b),
                "&&" => terms.and(a, b),
                "==" => terms.compare(IntCC::Eq, a, b),
                "!=" => terms.compare(IntCC::Ne, a, b),
                "<" => terms.compare(IntCC::Slt, a, b),
                "<=" => terms.compare(IntCC::Sle, a, b),
                ">" => terms.compare(IntCC::Sgt, a, b),
                ">=" => terms.compare(IntCC::Sge, a, b),
                "+" => terms.add(a, b),
                "-" => terms.sub(a, b),
                "*" => terms.mul(a, b),
                "/" => terms.binary(BinaryOp::Sdiv, a, b),
                "%" => terms.binary(BinaryOp::Srem, a, b),
                other => unreachable!("`{other}` is no operator of assumptions"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_assumption_is_told() {
        for (text, why) in [
            ("n", "this is a number"),
            ("n ==", "missing at the end"),
            ("(n == 1", "closing bracket"),
            ("n = 1", "`= 1` was not expected"),
            ("n == 1 == 2", "`==` takes numbers"),
            ("!n", "`!` takes conditions"),
            ("n == 99999999999999999999", "not a whole number"),
            ("n + == 3", "missing before"),
        ] {
            let told = text.parse::<Assumption>().expect_err(text);
            assert!(told.contains(why), "{text}: {told}");
        }
    }

    #[test]
    fn operators_bind_as_in_c() {
        let parse = |t: &str| t.parse::<Assumption>().map(|a| a.expr);
        assert_eq!(parse("a + b * 2 <= n - 1 - c"), parse("((a + (b * 2)) <= ((n - 1) - c))"));
        assert_eq!(parse("a < 1 || b < 1 && c < 1"), parse("a < 1 || (b < 1 && c < 1)"));
        assert_ne!(parse("n - 1 - c == 0"), parse("n - (1 - c) == 0"));
    }
}
