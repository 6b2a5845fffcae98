//! What the tables of crate `cuda` say of CUDA's API is what the headers in the tree declare: the layout of structures
//! and the values of enumerations, which clang itself compares, and the functions.

#[path = "cuda_headers/declared.rs"]
mod declared;

use cudair_cuda::api::{self, Interface};
use cudair_cuda::constants::CONSTANTS;
use cudair_cuda::layout::STRUCTURES;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::process::Command;

/// Lowers a program and gives what cudair says of it, if that is anything.
fn complaints(source: &str) -> Option<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tables.cu");
    std::fs::write(&file, source).expect("a file");
    let output =
        Command::new(env!("CARGO_BIN_EXE_cudair")).arg("lower").arg(&file).output().expect("cudair runs");
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
    let rows = CONSTANTS.into_iter().flatten().map(|row| (row.name, row.value));
    let errors = cudair_cuda::error_codes().map(|(name, number)| (name, number.into()));
    rows.chain(errors).map(|(name, number)| value(name, number)).collect()
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

/// Functions with a row that no header declares, and why.
const UNDECLARED: [(&str, &str); 2] = [
    (
        "cudaGetDeviceProperties_v2",
        "the symbol of CUDA 12's library, for programs that declare it themselves",
    ),
    ("cudaStreamGetCaptureInfo", "the same; in the headers this name is a macro for that of a newer form"),
];

/// Functions that the headers declare and that have no row, by the beginning of their names, and why.
const WITHOUT_ROW: [(&str, &str); 34] = [
    ("cudaGetCurrentGraphExec", "it is for device code alone (`device_library.rs`)"),
    ("cudaGraphSetConditional", "it is for device code alone (`device_library.rs`)"),
    ("cuCtxRecordEvent", "it takes the work of a whole context together; unsupported"),
    ("cuCtxWaitEvent", "it holds a whole context back; unsupported"),
    ("cuLink", "there is no linker of device code; unsupported"),
    ("cuModuleGetTexRef", "texture references went with CUDA 12; unsupported"),
    ("cuModuleGetSurfRef", "surface references went with CUDA 12; unsupported"),
    ("cuTexRef", "texture references went with CUDA 12; unsupported"),
    ("cuSurfRef", "surface references went with CUDA 12; unsupported"),
    ("cuParamSet", "launches of CUDA 3, parameter by parameter; unsupported"),
    ("cuFuncSetBlockShape", "a launch of CUDA 3; unsupported"),
    ("cuFuncSetSharedSize", "a launch of CUDA 3; unsupported"),
    ("cuLaunch", "a launch of CUDA 3; unsupported"),
    ("cuMemGetHandleForAddressRange", "no other driver is there to take the handle; unsupported"),
    ("cuMemBatchDecompressAsync", "the device does not decompress; unsupported"),
    ("cuMemMapArrayAsync", "there are no sparse arrays; unsupported"),
    ("cuMulticast", "there is one device; unsupported"),
    ("cuStreamWaitValue", "a stream that waits for memory; unsupported"),
    ("cuStreamBatchMemOp", "a stream that waits for memory; unsupported"),
    ("cuGraphAddBatchMemOpNode", "a stream that waits for memory; unsupported"),
    ("cuGraphBatchMemOpNode", "a stream that waits for memory; unsupported"),
    ("cuGraphExecBatchMemOpNode", "a stream that waits for memory; unsupported"),
    ("cuTensorMap", "the device has no engine for tensors; unsupported"),
    ("cuCoredump", "there is nothing to dump; unsupported"),
    ("cuGreenCtx", "the device has no parts; unsupported"),
    ("cuCtxFromGreenCtx", "the device has no parts; unsupported"),
    ("cuDeviceGetDevResource", "the device has no parts; unsupported"),
    ("cuCtxGetDevResource", "the device has no parts; unsupported"),
    ("cuDevSmResourceSplitByCount", "the device has no parts; unsupported"),
    ("cuDevResourceGenerateDesc", "the device has no parts; unsupported"),
    ("cuStreamGetGreenCtx", "the device has no parts; unsupported"),
    ("cuLogs", "the driver keeps no log; unsupported"),
    ("cuCheckpointProcess", "a process's state on the device cannot be taken away; unsupported"),
    ("cuProfilerInitialize", "it is of CUDA 10; unsupported"),
];

#[test]
fn each_row_is_declared_with_its_parameters() {
    let declared = declared::functions();
    for function in api::all() {
        let name = function.name;
        let known = declared.get(name).filter(|found| found.bodiless.is_some());
        assert_ne!(known.is_some(), UNDECLARED.iter().any(|row| row.0 == name), "{name}");
        if let Some(found) = known {
            assert_eq!(found.bodiless, Some(function.parameters), "{name}");
        }
        assert_eq!(function.interface == Interface::Runtime, name.starts_with("cuda"), "{name}");
    }
}

#[test]
fn each_declaration_has_a_row_or_a_reason() {
    let rows: BTreeSet<&str> = api::all().map(|function| function.name).collect();
    let mut reasons: BTreeSet<&str> = WITHOUT_ROW.iter().map(|row| row.0).collect();
    assert_eq!(reasons.len(), WITHOUT_ROW.len());
    let mut missing = Vec::new();
    // What has a body needs none: it calls others.
    for (name, _) in declared::functions().iter().filter(|(_, found)| found.bodiless.is_some()) {
        if rows.contains(name.as_str()) {
            continue;
        }
        let reason = WITHOUT_ROW.iter().filter(|row| name.starts_with(row.0)).max_by_key(|row| row.0.len());
        match reason {
            Some(row) => _ = reasons.remove(row.0),
            None => missing.push(name.clone()),
        }
    }
    assert_eq!(missing, Vec::<String>::new(), "functions that the headers declare and that have no row");
    assert_eq!(reasons, BTreeSet::new(), "reasons that nothing needs");
}
