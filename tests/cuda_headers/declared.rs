//! The functions of the API that the headers in the tree declare, read from their text.

use std::collections::BTreeMap;
use std::path::Path;

/// The headers with declarations for the host, below `frontend/src/headers/include`.
const HEADERS: [&str; 8] = [
    "cuda_runtime_api.h",
    "cudair/graph_api.h",
    "cudair/interop_api.h",
    "cuda_profiler_api.h",
    "cudair/runtime_templates.h",
    "cuda.h",
    "cudair/cu_api.h",
    "cudaProfiler.h",
];

/// A function of a name.
#[derive(Debug, Default)]
pub struct Declared {
    /// The parameters of the one without a body, which crate `cuda` has to have.
    pub bodiless: Option<usize>,
}

/// All functions `cuda…` and `cu…` of the headers.
pub fn functions() -> BTreeMap<String, Declared> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("frontend/src/headers/include");
    let mut all = BTreeMap::new();
    for header in HEADERS {
        let text = std::fs::read_to_string(folder.join(header)).unwrap_or_else(|e| panic!("{header}: {e}"));
        for (statement, has_body) in statements(&without_comments(&text)) {
            let Some((name, parameters)) = function(&statement) else { continue };
            let found: &mut Declared = all.entry(name.clone()).or_default();
            if !has_body {
                let other = found.bodiless.replace(parameters);
                assert!(
                    other.is_none_or(|n| n == parameters),
                    "{name}: {other:?} and {parameters} parameters"
                );
            }
        }
    }
    all
}

/// A header's text without comments and lines of the preprocessor.
fn without_comments(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("/*") {
        kept += before;
        rest = behind.split_once("*/").expect("a comment ends").1;
    }
    kept += rest;
    let mut directive = false;
    let mut lines = Vec::new();
    for line in kept.lines() {
        directive |= line.trim_start().starts_with('#');
        if !directive {
            lines.push(line);
        }
        directive &= line.ends_with('\\');
    }
    lines.join("\n")
}

/// The statements outside braces, and whether a block ends each.
fn statements(text: &str) -> Vec<(String, bool)> {
    let (mut depth, mut statement, mut all) = (0, String::new(), Vec::new());
    for c in text.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ if depth > 0 => {}
            ';' => all.push((std::mem::take(&mut statement), false)),
            _ => statement.push(c),
        }
        if c == '}' && depth == 0 {
            all.push((std::mem::take(&mut statement), true));
        }
    }
    all
}

/// The name and the number of parameters of a function that a statement declares.
fn function(statement: &str) -> Option<(String, usize)> {
    if statement.trim_start().starts_with("typedef") {
        return None;
    }
    let is_name = |word: &str| {
        let behind = word.strip_prefix("cuda").or_else(|| word.strip_prefix("cu"));
        behind.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
    };
    let (name, list) = statement.match_indices('(').find_map(|(at, _)| {
        let before = statement[..at].trim_end();
        let word = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        is_name(word).then(|| (word.to_owned(), &statement[at + 1..]))
    })?;
    let (mut depth, mut commas, mut first) = (1, 0, String::new());
    for c in list.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 1 => commas += 1,
            _ if commas == 0 => first.push(c),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    let none = commas == 0 && matches!(first.trim(), "" | "void");
    Some((name, if none { 0 } else { commas + 1 }))
}

#[test]
fn declarations_are_read() {
    let text = "/* a(b) */\n#define X(a) \\\n f(a);\ntypedef void (*cudaFn_t)(int);\n\
                cudaError_t cudaA(void); cudaError_t cudaB(int DV(0), f* (*)(int, int));\n\
                template <class T> H cudaError_t cudaC(T** p) { return cudaD((void**)p, 4); }\nenum E { a, b };";
    let found: Vec<_> = statements(&without_comments(text))
        .into_iter()
        .filter_map(|(statement, has_body)| function(&statement).map(|(name, n)| (name, n, has_body)))
        .collect();
    let expected = [("cudaA", 0, false), ("cudaB", 2, false), ("cudaC", 1, true)];
    assert_eq!(found, expected.map(|(name, n, has_body)| (name.to_owned(), n, has_body)));
}
