//! What README.md shows is what the program prints, and what a page shows of an example is in it.

use std::process::Command;

#[test]
fn the_code_in_the_page_on_analyses_is_that_of_the_example() {
    let page = include_str!("../docs/adding-an-analysis.md");
    let example = include_str!("../passes/examples/read_only_loads.rs");
    let shown: Vec<&str> =
        page.split("```rust\n").skip(1).filter_map(|part| Some(part.split_once("```")?.0)).collect();
    assert_eq!(shown.len(), 4);
    for code in shown {
        assert!(example.contains(code), "the example does not have this:\n{code}");
    }
}

/// `examples/sum.cu` without its second barrier, as the README tells its reader to make it.
fn without_second_barrier() -> String {
    let source = include_str!("../examples/sum.cu");
    let barrier = "__syncthreads();";
    let mut seen = 0;
    let lines = source.lines().filter(|line| {
        seen += usize::from(line.trim() == barrier);
        seen != 2 || line.trim() != barrier
    });
    let text: Vec<&str> = lines.collect();
    assert_eq!(text.len() + 1, source.lines().count(), "examples/sum.cu has a second barrier");
    text.join("\n") + "\n"
}

#[test]
fn the_race_in_the_readme_is_what_a_run_prints() {
    let readme = include_str!("../README.md");
    let start = readme.find("error[shared-race]").expect("the README shows a race");
    let shown = &readme[start..];
    let shown = &shown[..shown.find("```").expect("the block ends")];
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("sum.cu"), without_second_barrier()).expect("sum.cu is written");
    let out = Command::new(env!("CARGO_BIN_EXE_cudair"))
        .args(["run", "sum.cu"])
        .env("LC_ALL", "C.UTF-8")
        .env("COLUMNS", "80")
        .current_dir(folder.path())
        .output()
        .expect("cudair starts");
    assert_eq!(out.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&out.stdout).ends_with("OUTPUT: 767\n"));
    let printed = String::from_utf8_lossy(&out.stderr);
    assert_eq!(shown.trim_end(), printed.trim_end(), "bless by pasting what is printed into README.md");
}
