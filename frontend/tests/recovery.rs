//! What the program says is read from the tree, from types and, in one module, from clang's print of the tree.

mod sources;

use sources::sources;
use std::fs;
use std::path::Path;

/// The ways to text that a lowering could decide by.
const TEXT: &[&str] = &["clang_tokenize", "pretty_printed("];

/// The one module that reads prints and tokens.
const READERS: &[&str] = &["recover/print.rs"];

fn readers_of_text() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    assert!(files.len() > 60, "the sources are not where they were: {} files", files.len());
    let mut found: Vec<String> = files
        .iter()
        .filter_map(|file| {
            let name = file.strip_prefix(&root).expect("a source").to_string_lossy().replace('\\', "/");
            let text = fs::read_to_string(file).expect("a source");
            // The wrapper itself offers these.
            (!name.starts_with("clang/") && TEXT.iter().any(|t| text.contains(t))).then_some(name)
        })
        .collect();
    found.sort();
    found
}

#[test]
fn one_module_reads_prints_and_tokens() {
    assert_eq!(readers_of_text(), READERS, "text decides nothing outside of these");
}

/// The lowering sees the typed tree: declarations and complete nodes, no cursors.
#[test]
fn the_lowering_sees_no_cursors() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root.join("lower"), &mut files);
    assert!(files.len() > 40, "the sources are not where they were: {} files", files.len());
    for file in files {
        let text = fs::read_to_string(&file).expect("a source");
        for word in ["Cursor<", "CursorKind", ".cursor()"] {
            assert!(!text.contains(word), "{} names `{word}`", file.display());
        }
    }
}
