//! One text for a family of operations: [`families!`] repeats tokens for each member of a list and joins names.
//!
//! The table of operations is written with it, and so is what follows the table: the handlers, the selection by
//! width, the verifier. A declarative macro cannot do this: it neither joins names nor makes the arms of a `match`.
//!
//! The crate knows tokens, and nothing of operations.

use proc_macro::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};

/// Gives its tokens, with two things done to them.
///
/// - `@for X in [a b c] { … }` stands for the tokens in braces once for each element, where the word `X` is that
///   element. `@for (X Y) in [(a b) (c d)] { … }` names the parts of elements in parentheses. A part in parentheses is
///   any number of tokens, or none. Loops nest; a list may use the words of the loops around it.
/// - `A~B~c` is one name made of several, `"a."~B~c` one string. A part that is empty adds nothing.
///
/// ```
/// # use cudair_families::families;
/// families! {
///     @for (T t) in [(I32 i32) (I64 i64)] {
///         #[derive(Debug, PartialEq)]
///         struct Add~T(t);
///         const NAME_OF_~T: &str = "add."~t;
///     }
///     let sum = match 2 {
///         @for (n op) in [(1 (+)) (2 (-))] { n => 7 op 4, }
///         _ => 0,
///     };
/// }
/// assert_eq!((AddI64(1), NAME_OF_I32, sum), (AddI64(1), "add.i32", 3));
/// ```
#[proc_macro]
pub fn families(tokens: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    match expand(&tokens, &Words::default()) {
        Ok(tokens) => tokens.into_iter().collect(),
        Err(wrong) => wrong.tokens(),
    }
}

/// What cannot be expanded, and where.
struct Wrong(Span, String);

impl Wrong {
    fn at(tokens: &[TokenTree], n: usize, what: impl Into<String>) -> Wrong {
        let span = tokens.get(n).or(tokens.last()).map_or_else(Span::call_site, TokenTree::span);
        Wrong(span, what.into())
    }

    /// `compile_error! { "…" }` at the place.
    fn tokens(&self) -> TokenStream {
        let text: TokenStream =
            format!("::core::compile_error! {{ {:?} }}", self.1).parse().unwrap_or_default();
        text.into_iter()
            .map(|mut token| {
                token.set_span(self.0);
                token
            })
            .collect()
    }
}

/// What words stand for inside loops; the innermost last.
#[derive(Clone, Default)]
struct Words(Vec<(String, Vec<TokenTree>)>);

impl Words {
    fn get(&self, word: &str) -> Option<&[TokenTree]> {
        self.0.iter().rev().find(|(name, _)| name == word).map(|(_, tokens)| tokens.as_slice())
    }
}

fn is_punct(token: Option<&TokenTree>, c: char) -> bool {
    matches!(token, Some(TokenTree::Punct(p)) if p.as_char() == c)
}

fn is_word(token: Option<&TokenTree>, word: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(i)) if i.to_string() == word)
}

fn expand(tokens: &[TokenTree], words: &Words) -> Result<Vec<TokenTree>, Wrong> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if is_punct(tokens.get(at), '@') && is_word(tokens.get(at + 1), "for") {
            repeat(tokens, at, words, &mut out)?;
            at += 6;
            continue;
        }
        let first = at;
        let mut parts = vec![part(&tokens[at], words)?];
        at += 1;
        while is_punct(tokens.get(at), '~') {
            let next =
                tokens.get(at + 1).ok_or_else(|| Wrong::at(tokens, at, "nothing stands behind `~`"))?;
            parts.push(part(next, words)?);
            at += 2;
        }
        match parts.len() {
            1 => out.append(&mut parts[0]),
            _ => out.push(join(&parts).map_err(|what| Wrong::at(tokens, first, what))?),
        }
    }
    Ok(out)
}

/// The loop at `at`: `@ for WORDS in [LIST] { BODY }`.
fn repeat(tokens: &[TokenTree], at: usize, words: &Words, out: &mut Vec<TokenTree>) -> Result<(), Wrong> {
    let group = |n: usize, delimiter: Delimiter| match tokens.get(n) {
        Some(TokenTree::Group(g)) if g.delimiter() == delimiter => Ok(g.stream()),
        _ => Err(Wrong::at(
            tokens,
            n,
            "a loop is `@for X in [a b] { … }` or `@for (X Y) in [(a b) (c d)] { … }`",
        )),
    };
    let names: Vec<TokenTree> = match tokens.get(at + 2) {
        Some(name @ TokenTree::Ident(_)) => vec![name.clone()],
        _ => group(at + 2, Delimiter::Parenthesis)?.into_iter().collect(),
    };
    let is_one = matches!(tokens.get(at + 2), Some(TokenTree::Ident(_)));
    if !is_word(tokens.get(at + 3), "in") {
        return Err(Wrong::at(tokens, at + 3, "`in` was expected"));
    }
    let list: Vec<TokenTree> = group(at + 4, Delimiter::Bracket)?.into_iter().collect();
    let body: Vec<TokenTree> = group(at + 5, Delimiter::Brace)?.into_iter().collect();
    for element in expand(&list, words)? {
        let parts: Vec<TokenTree> = match &element {
            TokenTree::Group(g) if !is_one && g.delimiter() == Delimiter::Parenthesis => {
                g.stream().into_iter().collect()
            }
            _ => vec![element.clone()],
        };
        if parts.len() != names.len() {
            let what = format!("{} parts for {} names", parts.len(), names.len());
            return Err(Wrong(element.span(), what));
        }
        let mut inner = words.clone();
        for (name, part) in names.iter().zip(parts) {
            let tokens = match part {
                TokenTree::Group(g) if g.delimiter() == Delimiter::Parenthesis => {
                    g.stream().into_iter().collect()
                }
                one => vec![one],
            };
            inner.0.push((name.to_string(), tokens));
        }
        out.append(&mut expand(&body, &inner)?);
    }
    Ok(())
}

/// What one token becomes.
fn part(token: &TokenTree, words: &Words) -> Result<Vec<TokenTree>, Wrong> {
    match token {
        TokenTree::Ident(i) => match words.get(&i.to_string()) {
            Some(tokens) => Ok(tokens.to_vec()),
            None => Ok(vec![token.clone()]),
        },
        TokenTree::Group(g) => {
            let inside: Vec<TokenTree> = g.stream().into_iter().collect();
            let mut group = Group::new(g.delimiter(), expand(&inside, words)?.into_iter().collect());
            group.set_span(g.span());
            Ok(vec![TokenTree::Group(group)])
        }
        TokenTree::Punct(_) | TokenTree::Literal(_) => Ok(vec![token.clone()]),
    }
}

/// One name or string made of the parts.
fn join(parts: &[Vec<TokenTree>]) -> Result<TokenTree, String> {
    let mut text = String::new();
    let mut is_text = false;
    let mut span = None;
    for part in parts {
        let token = match part.as_slice() {
            [] => continue,
            [one] => one,
            _ => return Err("a part of a name is more than one token".into()),
        };
        span = span.or(Some(token.span()));
        let word = token.to_string();
        match token {
            TokenTree::Ident(_) => text.push_str(&word),
            TokenTree::Literal(_) => match word.strip_prefix('"').and_then(|w| w.strip_suffix('"')) {
                Some(inside) => {
                    is_text = true;
                    text.push_str(inside);
                }
                None => text.push_str(&word),
            },
            TokenTree::Group(_) | TokenTree::Punct(_) => {
                return Err(format!("`{word}` is no part of a name"));
            }
        }
    }
    let span = span.ok_or("a name of no parts")?;
    let mut token = if is_text {
        TokenTree::Literal(Literal::string(&text))
    } else if text.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        TokenTree::Ident(Ident::new(&text, span))
    } else {
        return Err(format!("`{text}` is no name"));
    };
    token.set_span(span);
    Ok(token)
}
