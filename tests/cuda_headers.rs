//! What the runtime's tables say of CUDA's API is what the headers in the tree declare: the layout of structures and the
//! values of enumerations, which clang itself compares.

use cudair_cuda::constants::CONSTANTS;
use cudair_cuda::layout::STRUCTURES;
use std::fmt::Write;
use std::process::Command;

/// Lowers a program and gives what cudair says of it, if that is anything.
fn complaints(source: &str) -> Option<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tables.cu");
    std::fs::write(&file, source).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_cudair"))
        .arg("lower")
        .arg(&file)
        .output()
        .expect("cudair runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (!output.status.success()).then_some(said)
}

/// A program that parses only if each statement holds.
fn program(statements: &[String]) -> String {
    let mut source = "#include <cuda.h>\n#include \"cudair/texture.h\"\n".to_owned();
    for statement in statements {
        writeln!(source, "static_assert({statement}, \"\");").expect("a string grows");
    }
    source + "int main() {}\n"
}

/// What the tables say of structures.
fn structures() -> Vec<String> {
    let mut all = Vec::new();
    for row in STRUCTURES.into_iter().flatten() {
        let name = row.name;
        if let Some(bytes) = row.bytes {
            all.push(format!("sizeof({name}) == {bytes}"));
        }
        for field in row.fields {
            let (first, last, at, end) = (field.first, field.last, field.at, field.at + field.bytes);
            all.push(format!("__builtin_offsetof({name}, {first}) == {at}"));
            all.push(format!(
                "__builtin_offsetof({name}, {last}) + sizeof((({name}*)0)->{last}) == {end} && \"{first}\""
            ));
        }
    }
    all
}

/// What they say of constants.
fn constants() -> Vec<String> {
    let rows = CONSTANTS.into_iter().flatten();
    rows.map(|row| value(row.name, row.value)).collect()
}

/// Some constants are pointers, which clang takes for numbers only where it is asked what is known.
fn value(name: &str, value: i128) -> String {
    format!("(__builtin_constant_p({name}) ? (long long)({name}) : (long long)({name})) == {value}")
}

#[test]
fn structures_are_laid_out_as_in_the_headers() {
    let all = structures();
    assert!(all.len() > 500, "{}", all.len());
    assert_eq!(complaints(&program(&all)), None);
}

#[test]
fn constants_have_the_values_of_the_headers() {
    let all = constants();
    assert!(all.len() > 500, "{}", all.len());
    assert_eq!(complaints(&program(&all)), None);
}

/// The comparison itself: each of these must be refused.
#[test]
fn what_is_wrong_is_refused() {
    let wrong = [
        ("sizeof(cudaLaunchConfig_t) == 48", "static assertion failed"),
        ("__builtin_offsetof(cudaLaunchConfig_t, attrs) == 48", "static assertion failed"),
        ("__builtin_offsetof(cudaLaunchConfig_t, attributes) == 40", "no member named 'attributes'"),
        (&value("cudaMemcpyDefault", 3), "static assertion failed"),
        (&value("cudaStreamPerThread", 3), "static assertion failed"),
    ];
    for (wrong, why) in wrong {
        let said = complaints(&program(&[wrong.to_owned()])).expect("it is refused");
        assert!(said.contains(why), "{wrong}: {said}");
    }
}
