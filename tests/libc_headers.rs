//! What the table of crate `libc` says of structures is what the system's headers declare, which clang itself compares.

use cudair_libc::layout::STRUCTURES;
use std::fmt::Write;
use std::process::Command;

/// Headers whose structures the table has.
const HEADERS: [&str; 10] = [
    "dirent.h",
    "getopt.h",
    "pthread.h",
    "semaphore.h",
    "stdio.h",
    "stdlib.h",
    "sys/resource.h",
    "sys/stat.h",
    "sys/utsname.h",
    "time.h",
];

/// Lowers a program that parses only if each statement holds, and gives what cudair says of it, if that is anything.
fn complaints(statements: &[String]) -> Option<String> {
    let mut source = String::new();
    for header in HEADERS {
        let _ = writeln!(source, "#include <{header}>");
    }
    for statement in statements {
        writeln!(source, "static_assert({statement}, \"\");").expect("a string grows");
    }
    source += "int main() {}\n";
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tables.cu");
    std::fs::write(&file, source).expect("a file");
    let output =
        Command::new(env!("CARGO_BIN_EXE_cudair")).arg("lower").arg(&file).output().expect("cudair runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (!output.status.success()).then_some(said)
}

/// What the table says.
fn statements() -> Vec<String> {
    let mut all = Vec::new();
    for row in STRUCTURES {
        // `stat` is a function, too.
        let name = if row.name == "stat" { "struct stat" } else { row.name };
        if let Some(bytes) = row.bytes {
            all.push(format!("sizeof({name}) == {bytes}"));
        }
        for field in row.fields {
            let (first, last, at, end) = (field.first, field.last, field.at, field.at + field.bytes);
            all.push(format!("__builtin_offsetof({name}, {first}) == {at}"));
            // Of a field that is opaque the table may know the beginning.
            let compare = if first.ends_with("__size") { ">=" } else { "==" };
            all.push(format!(
                "__builtin_offsetof({name}, {last}) + sizeof((({name}*)0)->{last}) {compare} {end} && \"{first}\""
            ));
        }
    }
    all
}

#[test]
fn structures_are_laid_out_as_in_the_headers() {
    let all = statements();
    assert!(all.len() > 80, "{}", all.len());
    assert_eq!(complaints(&all), None);
}

/// The comparison itself: each of these must be refused.
#[test]
fn a_wrong_place_or_size_is_seen() {
    for wrong in ["sizeof(tm) == 48", "__builtin_offsetof(struct stat, st_mode) == 28"] {
        assert!(complaints(&[wrong.to_owned()]).is_some(), "{wrong}");
    }
}
