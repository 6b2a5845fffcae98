//! What the debugger shows on the way back is what it has shown on the way forward: at each line of a walk through a
//! program where it stands, with which calls and which values.

use std::path::Path;
use std::process::{Command, Stdio};

/// Lines of a walk.
const LINES: usize = 10;

/// Where it stands, with the variables and the calls.
type Shown = [Vec<String>; 3];

/// Starts at a function, goes so many lines forward and back, and gives what was shown at each line of both ways.
fn walk(program: &Path, from: &str, step: &str) -> (Vec<Shown>, Vec<Shown>) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut commands = format!("catch off\ntbreak {from}\nrun\n");
    for way in ["", "reverse-"] {
        for _ in 0..LINES {
            commands += &format!("{way}{step}\ninfo locals\nbacktrace\n");
        }
    }
    commands += "quit\n";
    std::fs::write(folder.path().join("commands.txt"), commands).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_cudair"))
        .args(["debug", "--commands", "commands.txt"])
        .arg(program)
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .expect("cudair starts");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("Breakpoint 1, "), "{}: {text}", program.display());
    // Who it is is said only where it is another.
    let is_place = |line: &&str| !line.is_empty() && *line != "the host" && !line.starts_with("launch ");
    let shown = |answer: &str| answer.lines().skip(1).filter(is_place).map(str::to_owned).collect();
    let answers: Vec<Vec<String>> = text.split("(cudair) ").skip(4).map(shown).collect();
    let all: Vec<Shown> =
        answers.chunks_exact(3).map(|c| [c[0].clone(), c[1].clone(), c[2].clone()]).collect();
    let (forward, back) = all.split_at(LINES);
    (forward.to_vec(), back.to_vec())
}

#[test]
fn the_way_back_is_the_way_forward() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let walks = [
        ("run/pass/cuda/primes.cu", "sum_primes", "step"),
        ("run/pass/cuda/primes.cu", "main", "next"),
        ("debugger/host.cu", "main", "step"),
        ("debugger/host.cu", "main", "next"),
        ("debugger/host.cu", "thrown", "step"),
        ("debugger/host.cu", "31", "next"),
        ("debugger/kernel.cu", "k", "step"),
        ("debugger/kernel.cu", "k", "next"),
        ("debugger/kernel.cu", "total", "step"),
        ("debugger/kernel.cu", "k", "step block"),
    ];
    for (program, from, step) in walks {
        let (forward, back) = walk(&root.join(program), from, step);
        let is_end = |s: &Shown| s[0].iter().any(|line| line.contains("has ended"));
        // From the end the way back begins with the last line.
        let ended = forward.iter().position(is_end);
        let known = ended.unwrap_or(LINES - 1);
        assert!(known > 3, "{program} {from}: only {known} lines, {forward:?}");
        for (n, (then, now)) in forward[..known].iter().rev().zip(&back).enumerate() {
            assert_eq!(then, now, "{program} from `{from}`, {step}, {n} back");
        }
    }
}
