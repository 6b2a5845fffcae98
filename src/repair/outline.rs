//! The statements of a function, as its text has them: enough to tell where another statement may stand.
//!
//! Only brackets, keywords and semicolons are looked at. Macros and directives may make the text mean something else;
//! whoever inserts a statement parses the result.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lexeme {
    /// A name, a keyword or a number.
    Word,
    /// A string or a character.
    Quoted,
    /// One character of punctuation.
    Sign(u8),
    /// A `#pragma`, which belongs to the statement behind it.
    Pragma,
}

#[derive(Clone, Debug)]
struct Token {
    lexeme: Lexeme,
    at: Range<usize>,
    /// It stands between `#if` and `#endif`, where nobody knows whether it counts.
    conditional: bool,
}

/// What a statement is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Statements in braces.
    Block,
    /// `if`, with one or two branches.
    If,
    /// `for`, `while` or `do`, with a body.
    Loop,
    /// `switch`, with a body.
    Switch,
    /// A label.
    Label,
    /// Anything else: up to a semicolon.
    Plain,
}

/// A statement, by its number in an [`Outline`].
pub type Number = usize;

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it is.
    pub shape: Shape,
    /// Where it stands, with its semicolon or braces.
    pub at: Range<usize>,
    /// What it is made of: the statements of a block, branches, a body.
    pub parts: Vec<Number>,
    /// What it is a part of.
    pub parent: Option<Number>,
    /// Whether it stands between `#if` and `#endif`.
    pub conditional: bool,
}

/// The statements of one function.
#[derive(Debug)]
pub struct Outline<'t> {
    /// The text of the file.
    pub text: &'t str,
    /// The statements, each behind those it is made of.
    pub statements: Vec<Statement>,
    /// The function's body.
    pub body: Number,
}

impl<'t> Outline<'t> {
    /// The function around a place, if the text is one whose brackets match.
    pub fn around(text: &'t str, place: usize) -> Option<Outline<'t>> {
        let tokens = tokens(text);
        let first = body(&tokens, place)?;
        let mut reader = Reader { text, tokens: &tokens, next: first, statements: Vec::new(), depth: 0 };
        let body = reader.statement()?;
        Some(Outline { text, statements: reader.statements, body })
    }

    /// The statements around a place, the function's body first.
    pub fn path(&self, place: usize) -> Vec<Number> {
        let mut path = Vec::new();
        let mut next = Some(self.body).filter(|&n| self.statements[n].at.contains(&place));
        while let Some(n) = next {
            path.push(n);
            next = self.statements[n].parts.iter().copied().find(|&p| self.statements[p].at.contains(&place));
        }
        path
    }

    /// What a statement says, from its first token to its end.
    pub fn words(&self, n: Number) -> &'t str {
        &self.text[self.statements[n].at.clone()]
    }

    /// Whether a statement is a barrier of the block and nothing else, and counts for sure.
    pub fn is_barrier(&self, n: Number) -> bool {
        if self.statements[n].conditional {
            return false;
        }
        let words: String = self.words(n).chars().filter(|c| !c.is_whitespace()).collect();
        words == "__syncthreads();"
    }

    /// The parts of an assignment without further ones: where the operator stands, and the right-hand side.
    pub fn assignment(&self, n: Number) -> Option<(Range<usize>, Range<usize>)> {
        let statement = &self.statements[n];
        if statement.shape != Shape::Plain {
            return None;
        }
        let start = statement.at.start;
        let tokens = tokens(self.words(n));
        let mut depth = 0;
        let mut found: Option<(usize, usize)> = None;
        for (i, t) in tokens.iter().enumerate() {
            match t.lexeme {
                Lexeme::Sign(b'(' | b'[' | b'{') => depth += 1,
                Lexeme::Sign(b')' | b']' | b'}') => depth -= 1,
                Lexeme::Sign(b',') if depth == 0 => return None,
                Lexeme::Sign(b'=') if depth == 0 => {
                    let sign =
                        |k: usize| tokens.get(k).filter(|n| n.at.len() == 1).map(|n| (n.lexeme, n.at.start));
                    let before =
                        i.checked_sub(1).and_then(sign).filter(|b| b.1 + 1 == t.at.start).map(|b| b.0);
                    let after = sign(i + 1).filter(|a| a.1 == t.at.end).map(|a| a.0);
                    let compared = matches!(before, Some(Lexeme::Sign(b'=' | b'!')))
                        || after == Some(Lexeme::Sign(b'='));
                    let ordered = matches!(before, Some(Lexeme::Sign(b'<' | b'>')));
                    if compared {
                        continue;
                    }
                    if found.is_some() || ordered {
                        return None;
                    }
                    let operator = matches!(
                        before,
                        Some(Lexeme::Sign(b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^'))
                    );
                    found = Some((if operator { i - 1 } else { i }, i + 1));
                }
                _ => {}
            }
        }
        let (operator, value) = found?;
        let last = tokens.len().checked_sub(2).filter(|&last| last >= value)?;
        // `int x = …` declares: what is made there is nobody else's.
        let words =
            tokens[..operator].windows(2).any(|w| w[0].lexeme == Lexeme::Word && w[1].lexeme == Lexeme::Word);
        (tokens.last()?.lexeme == Lexeme::Sign(b';') && !words).then(|| {
            let at = |r: Range<usize>| start + r.start..start + r.end;
            (
                at(tokens[operator].at.start..tokens[value - 1].at.end),
                at(tokens[value].at.start..tokens[last].at.end),
            )
        })
    }

    /// Whether a name occurs in the text.
    pub fn has_word(&self, word: &str) -> bool {
        tokens(self.text).iter().any(|t| t.lexeme == Lexeme::Word && &self.text[t.at.clone()] == word)
    }
}

/// The token that opens the body of the function around a place.
fn body(tokens: &[Token], place: usize) -> Option<usize> {
    let mut open: Vec<usize> = Vec::new();
    for (i, t) in tokens.iter().enumerate().take_while(|(_, t)| t.at.start <= place) {
        match t.lexeme {
            Lexeme::Sign(b'{') => open.push(i),
            Lexeme::Sign(b'}') => {
                open.pop();
            }
            _ => {}
        }
    }
    // Behind its parameters; namespaces and classes have none.
    open.into_iter().find(|&i| {
        let before = i.checked_sub(1).map(|b| tokens[b].lexeme);
        before == Some(Lexeme::Sign(b')')) || {
            let word = i.checked_sub(2).filter(|&b| tokens[b].lexeme == Lexeme::Sign(b')'));
            word.is_some() && before == Some(Lexeme::Word)
        }
    })
}

/// Nesting that is followed.
const DEEPEST: usize = 200;

struct Reader<'t, 'k> {
    text: &'t str,
    tokens: &'k [Token],
    next: usize,
    statements: Vec<Statement>,
    depth: usize,
}

impl Reader<'_, '_> {
    fn lexeme(&self, n: usize) -> Option<Lexeme> {
        self.tokens.get(n).map(|t| t.lexeme)
    }

    fn word(&self, n: usize) -> &str {
        match self.tokens.get(n) {
            Some(t) if t.lexeme == Lexeme::Word => &self.text[t.at.clone()],
            _ => "",
        }
    }

    /// Goes behind the bracket that closes the one here.
    fn skip_brackets(&mut self) -> Option<()> {
        let mut depth = 0usize;
        loop {
            match self.lexeme(self.next)? {
                Lexeme::Sign(b'(' | b'[' | b'{') => depth += 1,
                Lexeme::Sign(b')' | b']' | b'}') => depth = depth.checked_sub(1)?,
                _ => {}
            }
            self.next += 1;
            if depth == 0 {
                return Some(());
            }
        }
    }

    fn condition(&mut self) -> Option<()> {
        (self.lexeme(self.next)? == Lexeme::Sign(b'(')).then_some(())?;
        self.skip_brackets()
    }

    fn semicolon(&mut self) -> Option<()> {
        (self.lexeme(self.next)? == Lexeme::Sign(b';')).then_some(())?;
        self.next += 1;
        Some(())
    }

    /// The next statement.
    fn statement(&mut self) -> Option<Number> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let Token { at: Range { start: first, .. }, conditional, .. } = *self.tokens.get(self.next)?;
        while self.lexeme(self.next)? == Lexeme::Pragma {
            self.next += 1;
        }
        let (shape, parts) = self.rest()?;
        let last = self.tokens[self.next - 1].at.end;
        let number = self.statements.len();
        for &p in &parts {
            self.statements[p].parent = Some(number);
        }
        self.statements.push(Statement { shape, at: first..last, parts, parent: None, conditional });
        self.depth -= 1;
        Some(number)
    }

    fn rest(&mut self) -> Option<(Shape, Vec<Number>)> {
        if self.lexeme(self.next)? == Lexeme::Sign(b'{') {
            self.next += 1;
            let mut parts = Vec::new();
            while self.lexeme(self.next)? != Lexeme::Sign(b'}') {
                if self.lexeme(self.next)? == Lexeme::Pragma
                    && self.lexeme(self.next + 1)? == Lexeme::Sign(b'}')
                {
                    self.next += 1;
                    continue;
                }
                parts.push(self.statement()?);
            }
            self.next += 1;
            return Some((Shape::Block, parts));
        }
        let colon = |n: usize| self.lexeme(n) == Some(Lexeme::Sign(b':'));
        match self.word(self.next) {
            "if" => {
                self.next += 1;
                if self.word(self.next) == "constexpr" {
                    self.next += 1;
                }
                self.condition()?;
                let mut parts = vec![self.statement()?];
                if self.word(self.next) == "else" {
                    self.next += 1;
                    parts.push(self.statement()?);
                }
                Some((Shape::If, parts))
            }
            "for" | "while" => {
                self.next += 1;
                self.condition()?;
                Some((Shape::Loop, vec![self.statement()?]))
            }
            "do" => {
                self.next += 1;
                let body = self.statement()?;
                (self.word(self.next) == "while").then_some(())?;
                self.next += 1;
                self.condition()?;
                self.semicolon()?;
                Some((Shape::Loop, vec![body]))
            }
            "switch" => {
                self.next += 1;
                self.condition()?;
                Some((Shape::Switch, vec![self.statement()?]))
            }
            "case" => {
                while self.lexeme(self.next)? != Lexeme::Sign(b':') || self.is_scope(self.next) {
                    self.next += 1;
                }
                self.next += 1;
                Some((Shape::Label, Vec::new()))
            }
            "else" => None,
            word if !word.is_empty() && colon(self.next + 1) && !self.is_scope(self.next + 1) => {
                self.next += 2;
                Some((Shape::Label, Vec::new()))
            }
            _ => {
                loop {
                    match self.lexeme(self.next)? {
                        Lexeme::Sign(b';') => break,
                        Lexeme::Sign(b'(' | b'[' | b'{') => self.skip_brackets()?,
                        Lexeme::Sign(b')' | b']' | b'}') => return None,
                        _ => self.next += 1,
                    }
                }
                self.next += 1;
                Some((Shape::Plain, Vec::new()))
            }
        }
    }

    /// Whether a colon is half of `::`.
    fn is_scope(&self, n: usize) -> bool {
        let at = |n: usize| self.tokens.get(n).filter(|t| t.lexeme == Lexeme::Sign(b':')).map(|t| t.at.start);
        let Some(here) = at(n) else { return false };
        at(n + 1) == Some(here + 1) || n.checked_sub(1).and_then(at).is_some_and(|before| before + 1 == here)
    }
}

/// The tokens of a text. Comments, and directives other than `#pragma`, are none.
fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut out: Vec<Token> = Vec::new();
    let mut at = 0;
    let mut fresh = true;
    let mut conditions = 0usize;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        match byte {
            b'\n' => {
                fresh = true;
                at += 1;
                continue;
            }
            b if b.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at = line_end(bytes, at);
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                let end = text[at + 2..].find("*/");
                at = end.map_or(bytes.len(), |n| at + 2 + n + 2);
                continue;
            }
            b'#' if fresh => {
                at = line_end(bytes, at);
                let words = text[start + 1..at].trim_start();
                if words.starts_with("pragma") {
                    out.push(Token { lexeme: Lexeme::Pragma, at: start..at, conditional: conditions > 0 });
                } else if words.starts_with("if") {
                    conditions += 1;
                } else if words.starts_with("endif") {
                    conditions = conditions.saturating_sub(1);
                }
                continue;
            }
            b'"' | b'\'' => at = quoted(bytes, at),
            b'R' if bytes.get(at + 1) == Some(&b'"') => at = raw(text, at),
            b if is_word(b) => {
                while bytes.get(at).is_some_and(|&b| is_word(b)) {
                    at += 1;
                }
                // `1'000`
                while byte.is_ascii_digit()
                    && bytes.get(at) == Some(&b'\'')
                    && bytes.get(at + 1).is_some_and(|&b| is_word(b))
                {
                    at += 1;
                    while bytes.get(at).is_some_and(|&b| is_word(b)) {
                        at += 1;
                    }
                }
            }
            _ => at += 1,
        }
        fresh = false;
        let lexeme = match byte {
            b'"' | b'\'' => Lexeme::Quoted,
            _ if at - start > 1 && bytes[at - 1] == b'"' => Lexeme::Quoted,
            b if is_word(b) => Lexeme::Word,
            b => Lexeme::Sign(b),
        };
        out.push(Token { lexeme, at: start..at, conditional: conditions > 0 });
    }
    out
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80
}

/// The end of a line, or of the last of those that a backslash joins.
fn line_end(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(&b) = bytes.get(at) {
        let joined = at > from
            && (bytes[at - 1] == b'\\' || bytes[at - 1] == b'\r' && bytes[at.saturating_sub(2)] == b'\\');
        if b == b'\n' && !joined {
            break;
        }
        at += 1;
    }
    at
}

/// Behind a string or a character; one that does not end ends with its line.
fn quoted(bytes: &[u8], from: usize) -> usize {
    let mut at = from + 1;
    while let Some(&b) = bytes.get(at) {
        match b {
            b'\\' => at += 1,
            b'\n' => return at,
            b if b == bytes[from] => return at + 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// Behind a raw string.
fn raw(text: &str, from: usize) -> usize {
    let rest = &text[from + 2..];
    let Some(open) = rest.find('(') else { return from + 2 };
    let end = format!("){}\"", &rest[..open]);
    rest[open..].find(&end).map_or(text.len(), |n| from + 2 + open + n + end.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The statements around a place, each as its shape and its first word.
    fn around(text: &str, needle: &str) -> Vec<String> {
        let place = text.find(needle).expect("the place");
        let outline = Outline::around(text, place).expect("a function");
        let first = |n: &Number| outline.words(*n).split_whitespace().next().unwrap_or_default().to_owned();
        let shape = |n: &Number| format!("{:?} {}", outline.statements[*n].shape, first(n));
        outline.path(place).iter().map(shape).collect()
    }

    #[test]
    fn statements_nest() {
        let text = "namespace a { struct S { int x; };\n__global__ void k(int n) {\n  for (int i = 0; i < n; ++i)\n    \
                    if (i) { here(i); } else there();\n  do { x; } while (a(1));\n}\n}";
        assert_eq!(around(text, "here"), ["Block {", "Loop for", "If if", "Block {", "Plain here(i);"]);
        assert_eq!(around(text, "there"), ["Block {", "Loop for", "If if", "Plain there();"]);
        assert_eq!(around(text, "x; } while"), ["Block {", "Loop do", "Block {", "Plain x;"]);
    }

    #[test]
    fn what_looks_like_a_bracket_is_none() {
        let text = "void k() { // }\n char c = '}', *s = \"}{\"; /* } */ R\"(}})\";\n#define X }\n here(); }";
        assert_eq!(around(text, "here"), ["Block {", "Plain here();"]);
    }

    #[test]
    fn labels_and_pragmas() {
        let text = "void k() { switch (a) { case B::c: here(); default: b(); }\n#pragma unroll 4\n for (;;) there(); }";
        assert_eq!(around(text, "here"), ["Block {", "Switch switch", "Block {", "Plain here();"]);
        assert_eq!(around(text, "there"), ["Block {", "Loop #pragma", "Plain there();"]);
    }

    #[test]
    fn a_barrier_under_a_condition_may_be_none() {
        let text =
            "void k() {\n__syncthreads();\n#ifdef A\n#if B\n#endif\n__syncthreads ( ) ;\n#endif\nhere(); }";
        let outline = Outline::around(text, text.find("here").expect("there")).expect("a function");
        let parts = &outline.statements[outline.body].parts;
        let barriers: Vec<bool> = parts.iter().map(|&p| outline.is_barrier(p)).collect();
        assert_eq!(barriers, [true, false, false]);
    }

    #[test]
    fn brackets_that_do_not_match_are_no_function() {
        let text = "void k() { a[(1]; here(); }";
        assert!(
            Outline::around(text, text.find("here").expect("there")).is_none_or(|o| o.path(3).is_empty())
        );
        assert!(Outline::around("void k() { here();", 12).is_none());
        assert!(Outline::around("int x = 1;", 4).is_none());
    }

    #[test]
    fn assignments_have_two_sides() {
        let sides = |statement: &str| {
            let text = format!("void k() {{ {statement} }}");
            let outline = Outline::around(&text, 11).expect("a function");
            let n = outline.path(11)[1];
            outline.assignment(n).map(|(op, value)| (text[op].to_owned(), text[value].to_owned()))
        };
        let some = |op: &str, value: &str| Some((op.to_owned(), value.to_owned()));
        assert_eq!(sides("s[t] += s[t - 1];"), some("+=", "s[t - 1]"));
        assert_eq!(sides("*p = a == b;"), some("=", "a == b"));
        assert_eq!(sides("s[a <= b] = f(x = 1);"), some("=", "f(x = 1)"));
        for none in
            ["int x = s[t];", "a = b = c;", "a <<= 1;", "a == b;", "f(a = 1);", "a = 1, b = 2;", "i++;"]
        {
            assert_eq!(sides(none), None, "{none}");
        }
    }
}
