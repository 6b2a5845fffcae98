//! Which libclang is taken and which is refused, with libraries of our own that only tell a version.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Makes a library that says that it is this version, and has none of libclang's other functions.
fn library(folder: &Path, name: &str, version: &str) -> PathBuf {
    std::fs::create_dir_all(folder).expect("a folder");
    let source = folder.join("version.c");
    let text = format!(
        "typedef struct {{ const void *data; unsigned flags; }} S;\n\
         S clang_getClangVersion(void) {{ S s = {{ \"{version}\", 0 }}; return s; }}\n\
         const char *clang_getCString(S s) {{ return s.data; }}\n\
         void clang_disposeString(S s) {{}}\n"
    );
    std::fs::write(&source, text).expect("a source");
    let path = folder.join(name);
    let compiled = Command::new("cc").args(["-shared", "-fPIC", "-w", "-o"]).arg(&path).arg(&source).status();
    assert!(compiled.expect("this test needs the system's compiler, cc").success());
    path
}

fn cudair(arguments: &[&str], variables: &[(&str, &Path)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cudair"));
    command.args(arguments).env("NO_COLOR", "1").current_dir(env!("CARGO_MANIFEST_DIR"));
    command.env_remove("LIBCLANG_PATH").envs(variables.iter().copied());
    command.output().expect("cudair starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn an_old_library_that_is_ordered_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for version in ["18.1.1", "19.1.7", "20.1.8"] {
        let path = library(folder.path(), "libclang.so", &format!("clang version {version}"));
        // By the file, and by the folder.
        for named in [path.as_path(), folder.path()] {
            let out = cudair(&["run", "examples/sum.cu"], &[("CUDAIR_LIBCLANG", named)]);
            let said = text(&out.stderr);
            assert_eq!(out.status.code(), Some(2), "{said}");
            assert!(out.stdout.is_empty());
            assert!(said.contains(&format!("libclang.so is libclang {version} (21 or newer")), "{said}");
            assert!(said.contains("  help: "), "{said}");
        }
    }
}

#[test]
fn the_search_goes_on_past_an_old_library() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = library(folder.path(), "libclang-18.so.18.1", "Some clang version 18.1.1 (1~x)");
    // This variable is other programs' as well, so that it is no order.
    let variables = [("LIBCLANG_PATH", folder.path())];
    let out = cudair(&["run", "examples/sum.cu"], &variables);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let told = text(&cudair(&["doctor", "--format", "plain"], &variables).stdout);
    assert!(told.starts_with("libclang 2"), "{told}");
    assert!(told.contains(&format!("too-old 18.1.1 named {}\n", path.display())), "{told}");
    let told = text(&cudair(&["doctor"], &variables).stdout);
    assert!(told.contains("18.1.1, too old\n") && told.contains("Programs can run here."), "{told}");
}

#[test]
fn apples_numbers_are_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = library(folder.path(), "libclang.dylib", "Apple clang version 26.0.0 (clang-2600.1)");
    let out = cudair(&["run", "examples/sum.cu"], &[("CUDAIR_LIBCLANG", &path)]);
    assert_eq!(out.status.code(), Some(2));
    assert!(text(&out.stderr).contains("it lacks the function clang_"), "{}", text(&out.stderr));
}

#[test]
fn a_library_without_its_functions_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = library(folder.path(), "libclang.so.22.1", "clang version 22.1.8");
    let out = cudair(&["run", "examples/sum.cu"], &[("CUDAIR_LIBCLANG", &path)]);
    assert_eq!(out.status.code(), Some(2));
    let said = text(&out.stderr);
    assert!(said.contains("cannot be used as libclang: it lacks the function clang_"), "{said}");
}
