//! Clang's own dump of a tree, read.

use super::Fact;
use std::collections::{BTreeMap, BTreeSet};

/// A place in a file: its path, the line and the column, both from 1.
pub type Place = (String, u32, u32);

/// A node of the dump.
struct Node<'a> {
    depth: usize,
    kind: &'a str,
    place: Option<Place>,
    /// What follows the place.
    rest: &'a str,
}

/// What the dump says of the constructs that are recovered, by the place where they begin. Several instances of a
/// template, and several uses of a macro, have one place.
pub fn facts(dump: &str) -> BTreeMap<Place, BTreeSet<Fact>> {
    let nodes = nodes(dump);
    let mut found: BTreeMap<Place, BTreeSet<Fact>> = BTreeMap::new();
    for (at, node) in nodes.iter().enumerate() {
        let children = || {
            nodes[at + 1..]
                .iter()
                .take_while(|n| n.depth > node.depth)
                .filter(|n| n.depth == node.depth + 1)
                .map(|n| n.kind != "<<<NULL>>>")
        };
        let has = |word: &str| node.rest.split_whitespace().any(|w| w == word);
        let fact = match node.kind {
            "ForStmt" => match children().collect::<Vec<_>>()[..] {
                [init, variable, condition, step, _] => Fact::For { init, variable, condition, step },
                _ => continue,
            },
            "IfStmt" => Fact::If {
                init: has("has_init"),
                variable: has("has_var"),
                other: has("has_else"),
                consteval: has("consteval") || has("!consteval"),
            },
            "SwitchStmt" => Fact::First(has("has_init")),
            "CXXForRangeStmt" => Fact::First(children().next() == Some(true)),
            "CXXNewExpr" => Fact::New { global: has("global"), array: has("array") },
            "CXXDeleteExpr" => Fact::Delete { global: has("global"), array: has("array") },
            "CXXConstructExpr" | "CXXTemporaryObjectExpr" => match constructor(node.rest) {
                Some(signature) => Fact::Constructor(signature),
                None => continue,
            },
            _ => continue,
        };
        if let Some(place) = node.place.clone() {
            found.entry(place).or_default().insert(fact);
        }
    }
    found
}

/// The type of the constructor: what stands in the second pair of quotes, or the third where the type of the
/// expression has a second name.
fn constructor(rest: &str) -> Option<String> {
    rest.split('\'').skip(1).step_by(2).find(|t| t.starts_with("void (")).map(without_folders)
}

/// A type without the folders of the files that the names of lambdas have.
fn without_folders(ty: &str) -> String {
    const LAMBDA: &str = "(lambda at ";
    let mut parts = ty.split(LAMBDA);
    let mut short = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (file, rest) = part.split_once(':').unwrap_or((part, ""));
        let name = file.rsplit('/').next().unwrap_or(file);
        short += &format!("{LAMBDA}{name}:{rest}");
    }
    short
}

/// The lines of the dump as nodes. Places are written short, against the place that was written last.
fn nodes(dump: &str) -> Vec<Node<'_>> {
    let mut file = String::new();
    let mut line = 0;
    let mut nodes = Vec::new();
    for text in dump.lines() {
        let indent = text.find(|c: char| !matches!(c, ' ' | '|' | '`' | '-')).unwrap_or(text.len());
        let body = &text[indent..];
        let kind_end = body.find(' ').unwrap_or(body.len());
        let (kind, mut rest) = body.split_at(kind_end);
        let mut place = None;
        if let Some(start) = range_start(rest) {
            rest = &rest[start..];
            place = read_place(&mut rest, &mut file, &mut line);
            if let Some(tail) = rest.strip_prefix(", ") {
                rest = tail;
                read_place(&mut rest, &mut file, &mut line);
            }
            rest = rest.strip_prefix('>').unwrap_or(rest);
            // Behind the range of a declaration stands the place of its name.
            if kind.ends_with("Decl")
                && let Some(tail) = rest.strip_prefix(' ')
            {
                rest = tail;
                read_place(&mut rest, &mut file, &mut line);
            }
        }
        nodes.push(Node { depth: indent / 2, kind, place, rest });
    }
    nodes
}

/// Where the range of a node begins, behind its address and those of declarations that it names first.
fn range_start(rest: &str) -> Option<usize> {
    let open = rest.find('<')?;
    let plain =
        rest[..open].split_whitespace().all(|w| w.starts_with("0x") || matches!(w, "parent" | "prev"));
    plain.then_some(open + 1)
}

/// Reads `col:3`, `line:4:3` or `/path/file:4:3`.
fn read_place(rest: &mut &str, file: &mut String, line: &mut u32) -> Option<Place> {
    let text = *rest;
    if let Some(tail) = text.strip_prefix("<invalid sloc>") {
        *rest = tail;
        return None;
    }
    if let Some(tail) = text.strip_prefix("col:") {
        let column = number(tail, rest)?;
        return Some((file.clone(), *line, column));
    }
    if let Some(tail) = text.strip_prefix("line:") {
        let mut after = tail;
        *line = number(tail, &mut after)?;
        let column = number(after.strip_prefix(':')?, rest)?;
        return Some((file.clone(), *line, column));
    }
    // A file's name may hold anything: it ends where two numbers follow.
    for (colon, _) in text.match_indices(':') {
        let mut after = &text[colon + 1..];
        let Some(first) = number(&text[colon + 1..], &mut after) else { continue };
        let Some(tail) = after.strip_prefix(':') else { continue };
        let mut end = tail;
        let Some(column) = number(tail, &mut end) else { continue };
        if !end.starts_with([',', '>', ' ']) && !end.is_empty() {
            continue;
        }
        text[..colon].clone_into(file);
        *line = first;
        *rest = end;
        return Some((file.clone(), first, column));
    }
    None
}

/// The number at the start of a text; `rest` is what follows it.
fn number<'a>(text: &'a str, rest: &mut &'a str) -> Option<u32> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let value = text[..end].parse().ok()?;
    *rest = &text[end..];
    Some(value)
}

#[test]
fn places_are_read_against_the_last_one() {
    let dump = "FunctionDecl 0x1 </a/x.cpp:5:1, line:7:2> line:5:5 main 'int ()'\n\
                `-CompoundStmt 0x2 <col:12, line:7:2>\n\
                \x20 |-ForStmt 0x3 <line:6:3, col:20>\n\
                \x20 | |-<<<NULL>>>\n\
                \x20 | |-<<<NULL>>>\n\
                \x20 | |-IntegerLiteral 0x4 <col:9> 'int' 1\n\
                \x20 | |-<<<NULL>>>\n\
                \x20 | `-NullStmt 0x5 <<scratch space>:2:1, /a/x.cpp:6:20>\n\
                \x20 `-IfStmt 0x6 <col:22, col:30> has_else\n";
    let found = facts(dump);
    let at = |column| found.get(&("/a/x.cpp".to_owned(), 6, column)).and_then(|f| f.first());
    let none = Fact::For { init: false, variable: false, condition: true, step: false };
    assert_eq!(at(3), Some(&none));
    assert_eq!(at(22), Some(&Fact::If { init: false, variable: false, other: true, consteval: false }));
}

#[test]
fn lambdas_are_named_by_their_file_alone() {
    let ty = "'C' 'void (int, (lambda at /a/b/x.cpp:3:1) &&, (lambda at x.cpp:4:1))'";
    let short = "void (int, (lambda at x.cpp:3:1) &&, (lambda at x.cpp:4:1))";
    assert_eq!(constructor(ty).as_deref(), Some(short));
}
