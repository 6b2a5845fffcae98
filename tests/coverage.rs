//! `--coverage` against gcov: of C programs, what gcc says was run is what cudair says was run, line by line. The numbers
//! of a line differ where it has several blocks, of which gcov adds some; whether it ran at all does not.

#[path = "ui/optional.rs"]
mod optional;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Whether lines ran, by number.
type Lines = BTreeMap<u32, bool>;

fn run(folder: &Path, program: &str, args: &[&str]) -> Option<()> {
    let out = Command::new(program).args(args).current_dir(folder).output().expect("it starts");
    out.status.success().then_some(())
}

/// What gcov says; `None` where the compiler does not take the program as it is.
fn of_gcov(file: &Path, folder: &Path) -> Option<Lines> {
    let path = file.to_str()?;
    run(folder, "gcc", &["-w", "-O0", "--coverage", path, "-o", "program", "-lm", "-pthread"])?;
    // What it returns is its own matter.
    let _ = Command::new(folder.join("program")).current_dir(folder).output().expect("it starts");
    let notes = std::fs::read_dir(folder).ok()?.filter_map(|e| e.ok()?.file_name().into_string().ok());
    let data = notes.into_iter().find(|name| Path::new(name).extension().is_some_and(|e| e == "gcda"))?;
    run(folder, "gcov", &[&data])?;
    let name = file.file_name()?.to_str()?;
    let text = std::fs::read_to_string(folder.join(format!("{name}.gcov"))).expect("gcov writes it");
    let line = |text: &str| {
        let mut parts = text.splitn(3, ':').map(str::trim);
        let (count, line) = (parts.next()?, parts.next()?.parse().ok()?);
        (count != "-" && line > 0).then(|| (line, count.starts_with(|c: char| c.is_ascii_digit())))
    };
    Some(text.lines().filter_map(line).collect())
}

fn of_cudair(file: &Path, folder: &Path) -> Lines {
    let info = folder.join("program.info");
    let _ = Command::new(env!("CARGO_BIN_EXE_cudair"))
        .args(["run", "--coverage", &format!("lcov:{}", info.display())])
        .arg(file)
        .current_dir(folder)
        .output()
        .expect("it starts");
    let text = std::fs::read_to_string(info).expect("it is written");
    let mut lines = Lines::new();
    let mut own = false;
    for line in text.lines() {
        if let Some(path) = line.strip_prefix("SF:") {
            own = Path::new(path) == file;
        }
        if let Some((line, count)) = line.strip_prefix("DA:").and_then(|l| l.split_once(',')).filter(|_| own)
        {
            lines.insert(line.parse().expect("a number"), count != "0");
        }
    }
    lines
}

#[test]
fn c_programs_run_the_lines_that_gcov_names() {
    for tool in ["gcc", "gcov"] {
        if Command::new(tool).arg("--version").output().is_err() {
            return optional::left_out(&format!("there is no {tool}"));
        }
    }
    let files = ["c", "libc", "recover"].iter().flat_map(|name| {
        let folder = Path::new(ROOT).join("tests/native").join(name);
        std::fs::read_dir(folder).expect("the programs").filter_map(|e| Some(e.ok()?.path()))
    });
    let mut files: Vec<PathBuf> = files.filter(|f| f.extension().is_some_and(|e| e == "c")).collect();
    files.sort();
    let (mut compared, mut differ) = (0, Vec::new());
    for file in files {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let Some(theirs) = of_gcov(&file, folder.path()) else { continue };
        let ours = of_cudair(&file, folder.path());
        for (line, ran) in &ours {
            let Some(known) = theirs.get(line) else { continue };
            compared += 1;
            if ran != known {
                differ.push(format!("{}:{line}: gcov {known}, cudair {ran}", file.display()));
            }
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
    assert!(compared > 600, "{compared} lines were compared");
}
