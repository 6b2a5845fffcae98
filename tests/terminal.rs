//! What stands on a terminal while a program runs. `script` (util-linux) gives the terminal; without it the
//! test is left out, but in CI.

#[path = "ui/optional.rs"]
mod optional;

use std::process::{Command, Stdio};

const LONG: &str = r#"
#include <stdio.h>
__global__ void slow(unsigned *p) {
    for (int i = 0; i < 600000; i++) p[threadIdx.x] = p[threadIdx.x] * 3 + 1;
}
int main() {
    unsigned *p;
    cudaMalloc(&p, 32 * 4);
    cudaMemset(p, 0, 32 * 4);
    printf("before\n");
    for (int i = 0; i < 2; i++) slow<<<64, 32>>>(p);
    cudaDeviceSynchronize();
    printf("after\n");
    cudaFree(p);
    return 0;
}
"#;

/// Everything that a terminal gets from a run of the program, cut short after some seconds.
fn on_terminal(term: &str) -> Option<String> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("long.cu"), LONG).expect("a file");
    let command = format!("stty cols 80; {} run --timeout 2.5 long.cu", env!("CARGO_BIN_EXE_cudair"));
    let output = Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .current_dir(folder.path())
        .env("TERM", term)
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .output()
        .ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn long_launches_show_progress_on_a_terminal_only() {
    let Some(text) = on_terminal("xterm") else {
        return optional::left_out("`script` cannot be started (apt-get install bsdutils)");
    };
    assert!(text.contains("before\r\n"), "{text:?}");
    assert!(text.contains("launch 0: `slow` ["), "{text:?}");
    assert!(text.contains("/64 blocks, "), "{text:?}");
    // Blocks are counted when they are done, on however many cores.
    let counts: Vec<u32> = text
        .split("launch 0: `slow` [")
        .filter_map(|line| line.split_once("] ")?.1.split_once("/64 blocks")?.0.trim().parse().ok())
        .collect();
    assert!(counts.is_sorted() && counts.iter().all(|&n| n < 64), "{counts:?}");
    // The line is gone before anything else is written.
    let report = text.find("error[").expect("the limit is told");
    assert!(text[..report].ends_with("\u{1b}[2K"), "{text:?}");
    assert!(text.contains("error[limit]"), "{text:?}");
    assert!(!text.contains("\u{1b}[3"), "a colour: {text:?}");
    let dumb = on_terminal("dumb").expect("as before");
    assert!(!dumb.contains("launch 0:") && dumb.contains("error[limit]"), "{dumb:?}");
}
