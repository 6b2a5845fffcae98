//! `tools/gpu-compare` with a compiler, a sanitizer and a card that are scripts: what its table says.
#![cfg(unix)]

#[path = "ui/optional.rs"]
mod optional;

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

const NO_PYTHON: &str = "python3 cannot be started (apt-get install python3)";

/// Its programs are cudair on the same sources.
const NVCC: &str = r#"#!/bin/sh
[ "$1" = --version ] && { echo "Cuda compilation tools, release 12.9, V12.9.86"; exit; }
while [ $# -gt 0 ]; do
    case $1 in
    -o) out=$2; shift ;;
    *.cu) files="$files $1" ;;
    -D*) flags="$flags $1" ;;
    esac
    shift
done
printf '#!/bin/sh\nexec "%s" run --error-exitcode 9 %s %s -- "$@"\n' CUDAIR "$flags" "$files" >"$out"
chmod +x "$out"
"#;

/// Its racecheck finds what cudair finds, its other tools nothing.
const SANITIZER: &str = r#"#!/bin/sh
tool=$2
shift 4
[ "$1" = --leak-check ] && shift 2
"$@"
[ $? = 9 ] && [ $tool = racecheck ] && echo "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)"
echo "========= ERROR SUMMARY: 0 errors"
"#;

fn script(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a script");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("a script that runs");
}

/// Runs the tool; `None` where there is no Python.
fn compare(folder: &Path, arguments: &[&str]) -> Option<Output> {
    Command::new("python3").arg("--version").output().ok()?;
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let root = env!("CARGO_MANIFEST_DIR");
    let command = Command::new("python3")
        .arg(format!("{root}/tools/gpu-compare"))
        .args(["--cudair", env!("CARGO_BIN_EXE_cudair")])
        .args(arguments)
        .env("PATH", path)
        .current_dir(root)
        .output();
    Some(command.expect("the tool starts"))
}

#[test]
fn agreement_and_its_lack_are_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    script(folder, "nvcc", &NVCC.replace("CUDAIR", env!("CARGO_BIN_EXE_cudair")));
    script(folder, "compute-sanitizer", SANITIZER);
    script(folder, "nvidia-smi", "#!/bin/sh\necho 'Imaginary card, 570.1'\n");
    let table = folder.join("table.md");
    let nvcc = folder.join("nvcc");
    let (table, nvcc) = (table.to_string_lossy(), nvcc.to_string_lossy());
    let programs = [
        "examples/sum.cu",
        "tests/run/fail/race/sum_no_second_barrier.cu",
        "tests/run/fail/barrier/sum_barrier_in_if.cu",
    ];
    let mut arguments = vec!["--nvcc", &nvcc, "--markdown", &table];
    arguments.extend(programs);
    let Some(out) = compare(folder, &arguments) else { return optional::left_out(NO_PYTHON) };
    let said = String::from_utf8_lossy(&out.stdout);
    let wanted = [
        "examples/sum.cu: output same, memcheck clean, racecheck clean, initcheck clean, synccheck clean\n",
        "second_barrier.cu: output -, memcheck clean, racecheck found, initcheck clean, synccheck clean\n",
        "synccheck cudair only (racecheck: unexplained; synccheck: unexplained)",
        "3 programs agree in: output 1 of 1, memcheck 3 of 3, racecheck 2 of 3, initcheck 3 of 3, synccheck 2 of 3",
    ];
    for line in wanted {
        assert!(said.contains(line), "{line} is not in\n{said}{}", String::from_utf8_lossy(&out.stderr));
    }
    assert_eq!(out.status.code(), Some(1), "something is unexplained");
    let written = std::fs::read_to_string(&*table).expect("the table");
    assert!(written.contains("Imaginary card, 570.1 (driver), nvcc 12.9"), "{written}");
    assert!(
        written.contains("sum_barrier_in_if.cu | - | clean | tool only | clean | cudair only |"),
        "{written}"
    );
    assert!(!written.contains("examples/sum.cu"), "what agrees is not in the table: {written}");
}

#[test]
fn the_steps_can_be_apart() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    script(folder, "nvcc", &NVCC.replace("CUDAIR", env!("CARGO_BIN_EXE_cudair")));
    script(folder, "compute-sanitizer", SANITIZER);
    script(folder, "nvidia-smi", "#!/bin/sh\necho 'Imaginary card, 570.1'\n");
    let (nvcc, kept) = (folder.join("nvcc"), folder.join("kept"));
    let (nvcc, kept) = (nvcc.to_string_lossy(), kept.to_string_lossy());
    let program = "tests/run/fail/race/sum_no_second_barrier.cu";
    for (step, code) in [("--build", 0), ("--record", 0), ("--table", 0)] {
        let Some(out) = compare(folder, &["--nvcc", &nvcc, "--jobs", "2", step, &kept, program]) else {
            return optional::left_out(NO_PYTHON);
        };
        let said = String::from_utf8_lossy(&out.stdout);
        assert_eq!(out.status.code(), Some(code), "{step}: {said}{}", String::from_utf8_lossy(&out.stderr));
        assert_eq!(
            said.contains("1 programs agree in: output 0 of 0, memcheck 1 of 1"),
            step == "--table",
            "{step}: {said}"
        );
    }
}

#[test]
fn what_is_missing_is_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let Some(out) = compare(folder.path(), &["--nvcc", "/nowhere/nvcc"]) else {
        return optional::left_out(NO_PYTHON);
    };
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("no nvcc at /nowhere/nvcc (--nvcc)"));
}
