//! What the tests' own tools promise: samples, folders of tests that are there, and one idea of which libclang and
//! which Rust are right.

#[path = "ui/folders.rs"]
mod folders;
#[allow(dead_code, reason = "what the harnesses use of it is not used here")]
#[path = "ui/sample.rs"]
mod sample;

use cudair_frontend::clang::WHEEL;
use sample::Sample;
use std::path::Path;

fn names() -> Vec<String> {
    (0..1000).map(|n| format!("run/pass/number_{n}.cu")).collect()
}

fn kept(text: &str) -> Vec<String> {
    Sample::read(text).expect("a sample").keep(names(), String::as_str)
}

#[test]
fn a_sample_is_a_fraction_and_the_same_again() {
    let first = kept("deadbeef/10");
    assert!((60..150).contains(&first.len()), "{} of 1000", first.len());
    assert_eq!(first, kept("deadbeef/10"));
    assert_ne!(first, kept("deadbee0/10"));
    assert_eq!(kept("1/1"), names());
    assert_eq!(kept("1/1000000000").len(), 1, "never none");
}

#[test]
fn what_is_no_sample_is_refused() {
    for text in ["", "1", "1/", "/2", "1/0", "1/x"] {
        assert!(Sample::read(text).is_err(), "{text}");
    }
}

/// The crates of the workspace that a manifest's library depends on, without the prefix of their names.
fn dependencies(folder: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join("Cargo.toml");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let manifest: toml::Table = text.parse().unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let names = manifest["dependencies"].as_table().expect("a table").keys();
    let mut names: Vec<String> =
        names.filter_map(|name| name.strip_prefix("cudair-")).map(str::to_owned).collect();
    names.sort();
    names
}

#[test]
fn crates_know_what_the_architecture_says() {
    let page = include_str!("../ARCHITECTURE.md");
    let code =
        |cell: &str| -> Vec<String> { cell.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    let rows = page.lines().filter(|l| l.starts_with("| `")).map(|l| l.split('|').collect::<Vec<_>>());
    let mut above: Vec<String> = Vec::new();
    for row in rows.filter(|r| r.len() == 7) {
        let (name, folder, mut knows) = (code(row[1]), code(row[2]), code(row[4]));
        let folder = if folder[0] == "src" { "." } else { folder[0].as_str() };
        for other in &knows {
            assert!(above.contains(other), "{} knows {other}, which is not on a lower floor", name[0]);
        }
        knows.sort();
        assert_eq!(knows, dependencies(folder), "{}", name[0]);
        above.push(name[0].clone());
    }
    let root: toml::Table = include_str!("../Cargo.toml").parse().expect("a manifest");
    let members = root["workspace"]["members"].as_array().expect("members").len();
    assert_eq!(above.len(), members + 1, "a crate has no row: {above:?}");
}

#[test]
fn the_script_and_the_loader_name_the_same_wheel() {
    let script = include_str!("../x");
    assert!(script.contains(&format!("\nwheel_version={WHEEL}\n")));
    let rows = script.split_once("wheels=\"\\\n").and_then(|(_, rest)| rest.split_once('"'));
    let rows = rows.expect("the table of wheels").0.replace("\\\n", "");
    assert_eq!(rows.lines().count(), 6);
    for row in rows.lines() {
        let words: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(words.len(), 5, "{row}");
        assert!(words[3].len() == 64 && words[3].bytes().all(|b| b.is_ascii_hexdigit()), "{row}");
    }
}

/// A root with an empty program and case in each of these folders.
fn root_with(folders: &[&str]) -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a folder");
    for folder in folders {
        let folder = root.path().join(folder).join("theme");
        std::fs::create_dir_all(&folder).expect("a folder");
        for name in ["a.cu", "b.case"] {
            std::fs::write(folder.join(name), "").expect("a file");
        }
    }
    root
}

#[test]
fn a_folder_of_tests_that_is_missing_or_empty_fails() {
    const ALL: [&str; 6] = [
        "examples",
        "tests/run/pass",
        "tests/run/fail",
        "tests/check/pass",
        "tests/check/fail",
        "tests/lower",
    ];
    let root = root_with(&ALL);
    assert_eq!(folders::programs(root.path(), &["cu"]).expect("all are there").len(), ALL.len());
    let problem = folders::programs(root.path(), &["c"]).expect_err("no program of this kind");
    assert!(problem.contains("no test below"), "{problem}");
    for missing in ALL {
        let others: Vec<&str> = ALL.into_iter().filter(|folder| *folder != missing).collect();
        let problem = folders::programs(root_with(&others).path(), &["cu"]).expect_err(missing);
        assert!(problem.contains(missing), "{problem}");
    }
    assert!(folders::cases(root.path()).is_err());
    assert_eq!(folders::cases(root_with(&["tests/cli"]).path()).expect("a case").len(), 1);
}

#[test]
fn all_name_the_same_oldest_rust() {
    let root: toml::Table = include_str!("../Cargo.toml").parse().expect("a manifest");
    let oldest = root["workspace"]["package"]["rust-version"].as_str().expect("a version");
    assert!(include_str!("../README.md").contains(&format!("Rust {oldest} or newer")));
    assert!(include_str!("../Dockerfile").contains(&format!("\nFROM rust:{oldest}-")));
    // The script reads the version from the manifest.
    assert!(include_str!("../.github/workflows/ci.yml").contains("run: ./x msrv\n"));
    assert!(include_str!("../x").contains("rust-version"));
}

/// Whether a word stands in a `.rs` file below a folder.
fn is_named_below(folder: &Path, word: &str) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    entries.map(|entry| entry.expect("an entry").path()).any(|path| {
        if path.is_dir() {
            is_named_below(&path, word)
        } else {
            let named =
                |text: String| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| w == word);
            path.extension().is_some_and(|e| e == "rs") && std::fs::read_to_string(&path).is_ok_and(named)
        }
    })
}

/// `./x audit` looks at the dependencies of libraries; those of tests are looked at here.
#[test]
fn dependencies_of_tests_are_used() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = |folder: &Path| std::fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
    let manifest = |folder: &Path| -> toml::Table { text(folder).parse().expect("a manifest") };
    let members = manifest(root)["workspace"]["members"].as_array().expect("members").clone();
    let members = members.iter().map(|member| root.join(member.as_str().expect("a folder")));
    for folder in members.chain([root.to_path_buf()]) {
        let manifest = manifest(&folder);
        let Some(names) = manifest.get("dev-dependencies") else { continue };
        for name in names.as_table().expect("a table").keys() {
            let used = ["src", "tests", "benches", "examples"]
                .iter()
                .any(|part| is_named_below(&folder.join(part), &name.replace('-', "_")));
            assert!(used, "{} does not use {name}", folder.display());
        }
    }
}

/// Files of Rust code below a folder, or the file itself.
fn code_below(path: &Path, found: &mut Vec<(String, String)>) {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        entries.for_each(|entry| code_below(&entry.expect("an entry").path(), found));
    } else if path.extension().is_some_and(|e| e == "rs") {
        let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        found.push((path.display().to_string(), text));
    }
}

/// What workers of a launch touch can go to threads. The compiler checks the types (`vm/engine/src/worker.rs`); what
/// hides state of a thread from it is not used at all.
#[test]
fn nothing_that_a_worker_touches_is_tied_to_a_thread() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let parts =
        ["vm/lane/src", "vm/race/src", "vm/memory/src", "vm/engine/src/device", "vm/engine/src/worker.rs"];
    for part in parts {
        let mut files = Vec::new();
        code_below(&root.join(part), &mut files);
        assert!(!files.is_empty(), "nothing in {part}");
        for (path, text) in files {
            for (n, line) in text.lines().enumerate() {
                let code = line.split("//").next().unwrap_or(line);
                let mut words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
                let tied = words.find(|w| ["Rc", "RefCell", "OnceCell", "thread_local"].contains(w));
                assert_eq!(tied, None, "{path}:{}", n + 1);
                assert!(!code.contains("std::cell"), "{path}:{}", n + 1);
            }
        }
    }
}
