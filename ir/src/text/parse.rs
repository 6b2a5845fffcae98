//! Reading tokens: what the parsers of modules and of functions share.

use super::lex::{Tok, Token};
use crate::function::{Param, ParamAttr, Signature};
use crate::types::Type;

/// What is wrong, and at which byte of the text.
pub(super) type Error = (usize, String);
/// A piece that was read, or what is wrong.
pub(super) type Parse<T> = Result<T, Error>;

/// The greatest alignment that the text may name, as a power of two.
const MAX_ALIGN_LOG2: u32 = 31;

/// A position in the tokens.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'t, 'a> {
    toks: &'t [Token<'a>],
    pos: usize,
}

impl<'t, 'a> Cursor<'t, 'a> {
    /// Starts at token `pos`; the last token is [`Tok::End`].
    pub(super) fn new(toks: &'t [Token<'a>], pos: usize) -> Cursor<'t, 'a> {
        Cursor { toks, pos: pos.min(toks.len() - 1) }
    }

    fn token(&self) -> &'t Token<'a> {
        &self.toks[self.pos]
    }

    /// The current token.
    pub(super) fn peek(&self) -> &'t Tok<'a> {
        &self.token().tok
    }

    /// The token after the current one.
    pub(super) fn peek_second(&self) -> &'t Tok<'a> {
        &self.toks[(self.pos + 1).min(self.toks.len() - 1)].tok
    }

    /// The byte at which the current token begins.
    pub(super) fn at(&self) -> usize {
        self.token().at
    }

    /// Whether the current token begins a line.
    pub(super) fn at_line_start(&self) -> bool {
        self.pos == 0 || self.toks[self.pos - 1].line != self.token().line || *self.peek() == Tok::End
    }

    /// Goes on by one token; stays at the end.
    pub(super) fn bump(&mut self) -> &'t Tok<'a> {
        let tok = &self.token().tok;
        self.pos = (self.pos + 1).min(self.toks.len() - 1);
        tok
    }

    /// An error at the current token.
    pub(super) fn error<T>(&self, message: impl Into<String>) -> Parse<T> {
        Err((self.at(), message.into()))
    }

    /// An error that names what was expected and what is there.
    pub(super) fn expected<T>(&self, what: &str) -> Parse<T> {
        self.error(format!("expected {what}, found {}", self.peek().describe()))
    }

    /// Takes `p` if it is next.
    pub(super) fn eat(&mut self, p: &str) -> bool {
        let hit = matches!(self.peek(), Tok::Punct(q) if *q == p);
        if hit {
            self.bump();
        }
        hit
    }

    /// Takes `p`.
    pub(super) fn expect(&mut self, p: &str) -> Parse<()> {
        if self.eat(p) { Ok(()) } else { self.expected(&format!("`{p}`")) }
    }

    /// Takes the word `w` if it is next on this line.
    pub(super) fn eat_word(&mut self, w: &str) -> bool {
        let hit = !self.at_line_start() && matches!(self.peek(), Tok::Word(x) if *x == w);
        if hit {
            self.bump();
        }
        hit
    }

    /// Takes the word `w`.
    pub(super) fn expect_word(&mut self, w: &str) -> Parse<()> {
        if self.eat_word(w) { Ok(()) } else { self.expected(&format!("`{w}`")) }
    }

    /// Takes any word.
    pub(super) fn word(&mut self, what: &str) -> Parse<&'a str> {
        match self.peek() {
            Tok::Word(w) => {
                self.bump();
                Ok(w)
            }
            _ => self.expected(what),
        }
    }

    /// Takes a word that `parse` knows.
    pub(super) fn keyword<T>(&mut self, what: &str, parse: impl Fn(&str) -> Option<T>) -> Parse<T> {
        match self.peek() {
            Tok::Word(w) => match parse(w) {
                Some(t) => {
                    self.bump();
                    Ok(t)
                }
                None => self.expected(what),
            },
            _ => self.expected(what),
        }
    }

    /// The number of the entity `prefixN` if one is next.
    pub(super) fn peek_entity(&self, prefix: &str) -> Option<u32> {
        match self.peek() {
            Tok::Word(w) => entity_number(w, prefix),
            _ => None,
        }
    }

    /// Takes the entity `prefixN`.
    pub(super) fn entity(&mut self, prefix: &str) -> Parse<u32> {
        match self.peek_entity(prefix) {
            Some(n) => {
                self.bump();
                Ok(n)
            }
            None => self.expected(&format!("`{prefix}` with a number")),
        }
    }

    /// Takes a symbol.
    pub(super) fn name(&mut self) -> Parse<String> {
        match self.peek() {
            Tok::Name(n) => {
                self.bump();
                Ok(n.clone().into_owned())
            }
            _ => self.expected("a name such as `@main`"),
        }
    }

    /// Takes a string that must be text, if one is next on this line.
    pub(super) fn opt_string(&mut self) -> Parse<Option<String>> {
        match self.peek() {
            Tok::Str(s) if !self.at_line_start() => match String::from_utf8(s.clone()) {
                Ok(s) => {
                    self.bump();
                    Ok(Some(s))
                }
                Err(_) => self.error("this text is not UTF-8"),
            },
            _ => Ok(None),
        }
    }

    /// Takes a string that must be text.
    pub(super) fn string(&mut self) -> Parse<String> {
        match self.opt_string()? {
            Some(s) => Ok(s),
            None => self.expected("a string"),
        }
    }

    /// Takes an unsigned number.
    pub(super) fn number<T: TryFrom<u128>>(&mut self, what: &str) -> Parse<T> {
        let Tok::Num(n) = self.peek() else { return self.expected(what) };
        match integer(n).and_then(|(neg, x)| if neg && x != 0 { None } else { T::try_from(x).ok() }) {
            Some(x) => {
                self.bump();
                Ok(x)
            }
            None => self.expected(what),
        }
    }

    /// Takes a number that may be below zero.
    pub(super) fn signed_number(&mut self, what: &str) -> Parse<i128> {
        let Tok::Num(n) = self.peek() else { return self.expected(what) };
        let value = integer(n).and_then(|(neg, x)| match i128::try_from(x).ok()? {
            x if neg => Some(-x),
            x => Some(x),
        });
        match value {
            Some(x) => {
                self.bump();
                Ok(x)
            }
            None => self.expected(what),
        }
    }

    /// Takes an alignment in bytes and gives it as a power of two.
    pub(super) fn align_number(&mut self) -> Parse<u8> {
        let at = self.at();
        let n: u64 = self.number("an alignment")?;
        if !n.is_power_of_two() || n.trailing_zeros() > MAX_ALIGN_LOG2 {
            return Err((at, format!("an alignment is a power of two up to 2^{MAX_ALIGN_LOG2}, not {n}")));
        }
        Ok(n.trailing_zeros() as u8)
    }

    /// Takes `align N`.
    pub(super) fn align(&mut self) -> Parse<u8> {
        self.expect_word("align")?;
        self.align_number()
    }

    /// Takes a type.
    pub(super) fn ty(&mut self) -> Parse<Type> {
        self.keyword("a type", |w| w.parse().ok())
    }

    /// Takes `(TYPE [byval(SIZE, ALIGN)], …) [-> TYPE]`.
    pub(super) fn signature(&mut self) -> Parse<Signature> {
        let mut sig = Signature::default();
        self.expect("(")?;
        if !self.eat(")") {
            loop {
                if self.eat("...") {
                    sig.variadic = true;
                    self.expect(")")?;
                    break;
                }
                let ty = self.ty()?;
                let attr = if self.eat_word("byval") {
                    let (size, align_log2) = self.passed_size()?;
                    ParamAttr::ByVal { size, align_log2 }
                } else if self.eat_word("sret") {
                    let (size, align_log2) = self.passed_size()?;
                    ParamAttr::SRet { size, align_log2 }
                } else {
                    ParamAttr::None
                };
                sig.params.push(Param { ty, attr });
                if self.eat(")") {
                    break;
                }
                self.expect(",")?;
            }
        }
        if self.eat("->") {
            sig.ret = Some(self.ty()?);
        }
        Ok(sig)
    }

    fn passed_size(&mut self) -> Parse<(u32, u8)> {
        self.expect("(")?;
        let size = self.number("a size")?;
        self.expect(",")?;
        let align = self.align_number()?;
        self.expect(")")?;
        Ok((size, align))
    }
}

/// The number in `prefixN`. No leading zeros: a name has one spelling.
pub(super) fn entity_number(word: &str, prefix: &str) -> Option<u32> {
    let digits = word.strip_prefix(prefix)?;
    let well_formed = !digits.is_empty()
        && digits.bytes().all(|b| b.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'));
    // The greatest number is reserved.
    if well_formed { digits.parse().ok().filter(|&n| n != u32::MAX) } else { None }
}

/// Sign and magnitude of a decimal or hexadecimal integer.
pub(super) fn integer(text: &str) -> Option<(bool, u128)> {
    let (neg, digits) = match text.strip_prefix('-') {
        Some(d) => (true, d),
        None => (false, text),
    };
    let x = match digits.strip_prefix("0x") {
        Some(hex) => u128::from_str_radix(hex, 16),
        None => digits.parse(),
    };
    Some((neg, x.ok()?))
}
