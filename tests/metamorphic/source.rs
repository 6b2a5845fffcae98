//! A program as the rewrites see it: its text, its tokens, and the tree that clang's parse gives.

use crate::spelling::{spelled, told};
use crate::text::Text;
use crate::token::{Kind, Token, tokens};
use cudair_frontend::clang::{Cursor, CursorKind, FileKey, TypeKind};
use cudair_frontend::{FrontendError, Language, Options, parse};
use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;

/// A node of the tree that is spelled in the file from a token's start to a token's end.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: CursorKind,
    /// Its bytes.
    pub range: Range<usize>,
    /// Its tokens.
    pub tokens: Range<usize>,
    /// The nodes that it is in, the innermost first; those that are spelled in the file.
    pub parents: Vec<CursorKind>,
    /// The byte at which the innermost of these has its name.
    pub parent_place: usize,
    /// The byte at which its name or operator stands.
    pub place: usize,
    /// Its name, if it has one.
    pub name: String,
    /// It is a child of the unit.
    pub is_outermost: bool,
    /// What names the entity, for a child of the unit.
    pub usr: String,
    /// It is an expression of a type that has no constructors.
    pub is_scalar: bool,
    /// What it refers to is found without a look into the namespaces of a call's arguments: an object, which ends that
    /// look, or a function of the file's own level.
    pub is_found_plainly: bool,
}

impl Node {
    /// The kind of the innermost node around it.
    pub fn parent(&self) -> Option<CursorKind> {
        self.parents.first().copied()
    }
}

/// A program.
pub struct Source {
    /// The text, with the places it comes from.
    pub text: Text,
    /// The text alone.
    pub plain: String,
    /// The language.
    pub language: Language,
    /// The tokens.
    pub tokens: Vec<Token>,
    /// By token: it is an argument of a macro that makes text of it or pastes it, or an operand of `##`.
    pub spelled: Vec<bool>,
    /// By token: the index of the bracket that closes or opens its pair, outside directives.
    pub pairs: Vec<Option<usize>>,
    /// The tree's nodes, in order, none twice.
    pub nodes: Vec<Node>,
    /// The names of functions and variables that expressions refer to.
    pub referenced: HashSet<String>,
    /// The program asks for the number of a line.
    pub tells_lines: bool,
    /// The names of functions that the file declares at its own level.
    pub declared: HashSet<String>,
    /// More than one file makes up the program.
    pub is_one_of_many: bool,
    /// How many rewrites were applied before: names that rewrites make up differ by it.
    pub stage: usize,
}

/// What parses a file: the options of the program, and the file's place.
pub struct Parser<'a> {
    /// The options, without files.
    pub options: &'a Options,
    /// Where the file is written; its folder has what it includes.
    pub path: &'a Path,
}

impl Parser<'_> {
    /// The errors of clang's parse of a text; none if it is accepted. The bytes that each is at, if it is in the file.
    pub fn errors(&self, text: &Text) -> Result<Vec<Option<usize>>, String> {
        let plain = self.write(text)?;
        let file = self.path.to_string_lossy();
        match parse(self.options, &file, false) {
            Ok(_) => Ok(Vec::new()),
            Err(errors) => Ok(errors
                .iter()
                .map(|error| match error {
                    FrontendError::Parse { place: Some(place), .. } if place.file == file => {
                        crate::text::offset_of(&plain, place.start.line.into(), place.start.col.into())
                    }
                    _ => None,
                })
                .collect()),
        }
    }

    /// Writes a text and its headers.
    pub fn write(&self, text: &Text) -> Result<String, String> {
        let say = |e: std::io::Error| format!("{}: {e}", self.path.display());
        let plain = text.text();
        std::fs::write(self.path, &plain).map_err(say)?;
        for (name, part) in &text.headers {
            std::fs::write(self.path.with_file_name(name), part.text()).map_err(say)?;
        }
        Ok(plain)
    }

    /// Reads a text as a program.
    pub fn source(&self, text: Text, is_one_of_many: bool, stage: usize) -> Result<Source, String> {
        let mut text = text;
        let mut plain = self.write(&text)?;
        let file = self.path.to_string_lossy();
        if stage == 0 {
            let found = tokens(&plain, self.path.extension().is_none_or(|e| e != "c"));
            if !tells_lines(&found) {
                text = text.edited(&told(&found), &[], false);
                plain = self.write(&text)?;
            }
        }
        let parsed = parse(self.options, &file, false)
            .map_err(|errors| errors.first().map_or("no parse".to_owned(), ToString::to_string))?;
        let tokens = tokens(&plain, parsed.language != Language::C);
        let main = parsed.unit.files().first().copied();
        let mut walk = Walk {
            main,
            starts: tokens.iter().enumerate().map(|(i, t)| (t.range.start, i)).collect(),
            ends: tokens.iter().enumerate().map(|(i, t)| (t.range.end, i + 1)).collect(),
            nodes: Vec::new(),
            seen: HashSet::new(),
            referenced: HashSet::new(),
        };
        let mut last_end = 0;
        for child in parsed.unit.cursor().children() {
            let range = child.range();
            // Instances of templates come at the end, behind what the file holds.
            if !child.in_main_file() || range.start.file != main || (range.start.offset as usize) < last_end {
                continue;
            }
            last_end = range.end.offset as usize;
            walk.node(child, &mut Vec::new(), true);
        }
        let Walk { nodes, referenced, .. } = walk;
        let spelled = spelled(&tokens);
        let pairs = pairs(&tokens);
        let tells_lines = tells_lines(&tokens);
        let language = parsed.language;
        let is_function = |n: &&Node| {
            n.is_outermost && [CursorKind::FunctionDecl, CursorKind::FunctionTemplate].contains(&n.kind)
        };
        let declared = nodes.iter().filter(is_function).map(|n| n.name.clone()).collect();
        Ok(Source {
            text,
            plain,
            language,
            tokens,
            spelled,
            pairs,
            nodes,
            referenced,
            tells_lines,
            declared,
            is_one_of_many,
            stage,
        })
    }
}

struct Walk {
    main: Option<FileKey>,
    starts: std::collections::HashMap<usize, usize>,
    ends: std::collections::HashMap<usize, usize>,
    nodes: Vec<Node>,
    seen: HashSet<(i32, usize, usize)>,
    referenced: HashSet<String>,
}

/// A node on the way down: its kind and its name's place.
type Step = (CursorKind, usize);

impl Walk {
    fn node(&mut self, cursor: Cursor<'_>, above: &mut Vec<Step>, is_outermost: bool) {
        let kind = cursor.kind();
        let range = cursor.range();
        let place = cursor.place().offset as usize;
        let (start, end) = (range.start.offset as usize, range.end.offset as usize);
        let in_file = range.spelling.is_none()
            && range.start.file == self.main
            && range.end.file == self.main
            && start < end;
        if let Some(referenced) = cursor.referenced()
            && kind.is_expression()
        {
            self.referenced.insert(referenced.spelling());
        }
        let tokens = in_file
            .then(|| Some(*self.starts.get(&start)?..*self.ends.get(&end)?))
            .flatten()
            .filter(|tokens| tokens.start < tokens.end);
        let step: Option<Step> = tokens.as_ref().map(|_| (kind, place));
        if let Some(tokens) = tokens
            && self.seen.insert((kind.0, start, end))
        {
            let parent = above.last();
            self.nodes.push(Node {
                kind,
                range: start..end,
                tokens,
                parents: above.iter().rev().map(|(kind, _)| *kind).collect(),
                parent_place: parent.map_or(usize::MAX, |(_, place)| *place),
                place,
                name: cursor.spelling(),
                is_outermost,
                usr: if is_outermost { cursor.usr() } else { String::new() },
                is_scalar: kind.is_expression() && is_scalar(cursor),
                is_found_plainly: kind.is_expression() && cursor.referenced().is_some_and(is_found_plainly),
            });
        }
        let depth = above.len();
        above.extend(step);
        for child in cursor.children() {
            self.node(child, above, false);
        }
        above.truncate(depth);
    }
}

/// Whether an expression's type is a number's, a pointer's or an enumeration's. A dependent type is none of these.
fn is_scalar(expression: Cursor<'_>) -> bool {
    let kind = expression.ty().canonical().kind();
    let numbers = TypeKind::Bool.0..=TypeKind::LongDouble.0;
    numbers.contains(&kind.0)
        || [TypeKind::Pointer, TypeKind::Enum, TypeKind::NullPtr, TypeKind::Half].contains(&kind)
}

/// Whether a name's look-up without those of arguments finds this.
fn is_found_plainly(declaration: Cursor<'_>) -> bool {
    match declaration.kind() {
        CursorKind::VarDecl | CursorKind::ParmDecl | CursorKind::FieldDecl => true,
        CursorKind::FunctionDecl => {
            let mut parent = declaration.semantic_parent();
            while let Some(linkage) = parent.filter(|parent| parent.kind() == CursorKind::LinkageSpec) {
                parent = linkage.semantic_parent();
            }
            // The unit itself has none.
            parent.is_some_and(|parent| parent.semantic_parent().is_none())
        }
        _ => false,
    }
}

/// Whether a program asks for the number of a line.
fn tells_lines(tokens: &[Token]) -> bool {
    tokens
        .iter()
        .any(|t| matches!(t.text.as_str(), "__LINE__" | "assert" | "__builtin_LINE" | "source_location"))
}

/// Which bracket belongs to which, outside directives.
fn pairs(tokens: &[Token]) -> Vec<Option<usize>> {
    let mut pairs = vec![None; tokens.len()];
    let mut open = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        if token.directive.is_some() || token.kind != Kind::Mark {
            continue;
        }
        match token.text.as_str() {
            "(" | "[" | "{" | "<:" | "<%" => open.push(index),
            ")" | "]" | "}" | ":>" | "%>" => {
                if let Some(other) = open.pop() {
                    pairs[index] = Some(other);
                    pairs[other] = Some(index);
                }
            }
            _ => {}
        }
    }
    pairs
}

impl Source {
    /// Is it C?
    pub fn is_c(&self) -> bool {
        self.language == Language::C
    }

    /// A name that nothing in the program has.
    pub fn name(&self, prefix: &str, number: impl std::fmt::Display) -> String {
        format!("MM{}_{prefix}_{number}", self.stage)
    }

    /// Does a type follow from an expression with its parentheses?
    pub fn has_decltype_auto(&self) -> bool {
        self.tokens.windows(3).any(|w| w[0].is("decltype") && w[1].is("(") && w[2].is("auto"))
    }

    /// Does the program mention one of these names?
    pub fn mentions(&self, names: &[&str]) -> bool {
        self.tokens.iter().any(|t| t.kind == Kind::Name && names.contains(&t.text.as_str()))
    }

    /// Are brackets balanced among these tokens, and none of them in a directive?
    pub fn is_whole(&self, tokens: &Range<usize>) -> bool {
        tokens.clone().all(|i| {
            let token = &self.tokens[i];
            let bracket =
                matches!(token.text.as_str(), "(" | ")" | "[" | "]" | "{" | "}" | "<:" | ":>" | "<%" | "%>")
                    && token.kind == Kind::Mark;
            let kept = self.pairs[i].is_some_and(|other| tokens.contains(&other));
            token.directive.is_none() && (!bracket || kept)
        })
    }

    /// Are brackets balanced among these tokens, and conditions of directives that stand between them, of which none
    /// includes anything?
    pub fn is_whole_with_directives(&self, tokens: &Range<usize>) -> bool {
        let brackets = tokens.clone().all(|i| self.pairs[i].is_none_or(|other| tokens.contains(&other)));
        let mut depth = 0;
        let conditions = tokens.clone().skip(1).all(|i| {
            let is_name = self.tokens[i].directive.is_some()
                && self.tokens[i - 1].directive == self.tokens[i].directive
                && (self.tokens[i - 1].is("#") || self.tokens[i - 1].is("%:"));
            match self.tokens[i].text.as_str() {
                "if" | "ifdef" | "ifndef" if is_name => depth += 1,
                "endif" if is_name => depth -= 1,
                "include" if is_name => return false,
                name if is_name && name.starts_with("el") => return depth > 0,
                _ => {}
            }
            depth >= 0
        });
        let open = tokens.clone().all(|i| {
            let bracket = ["(", ")", "[", "]", "{", "}", "<:", ":>", "<%", "%>"]
                .contains(&self.tokens[i].text.as_str());
            self.pairs[i].is_some()
                || !bracket
                || self.tokens[i].directive.is_some()
                || self.tokens[i].kind != Kind::Mark
        });
        brackets && conditions && open && depth == 0
    }

    /// Does a directive stand between these tokens?
    pub fn has_directive(&self, tokens: &Range<usize>) -> bool {
        tokens.clone().any(|i| self.tokens[i].directive.is_some())
    }

    /// The tokens in one line, with one blank wherever there was space.
    pub fn line(&self, tokens: &Range<usize>) -> String {
        let mut line = String::new();
        for i in tokens.clone() {
            let token = &self.tokens[i];
            if i > tokens.start && !token.adjoins {
                line.push(' ');
            }
            line.push_str(&self.plain[token.range.clone()]);
        }
        line
    }

    /// The bytes of these tokens.
    pub fn bytes(&self, tokens: &Range<usize>) -> Range<usize> {
        self.tokens[tokens.start].range.start..self.tokens[tokens.end - 1].range.end
    }

    /// Do these tokens go over more than one line?
    pub fn is_multiline(&self, tokens: &Range<usize>) -> bool {
        self.plain[self.bytes(tokens)].contains('\n')
    }
}
