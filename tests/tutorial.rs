//! `docs/tutorial.md` shows parts of the programs of `examples/lessons`, and what cudair says of them: both are held against the
//! programs and against what is printed. With CUDAIR_BLESS set, the reports are written anew.
//!
//! A comment before a block says what is in it: `<!-- part of FILE -->` or `<!-- cudair ARGUMENTS -->`. The programs are shown, and
//! run, without the comments that tell the end-to-end tests what is found in them.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A program without what is expected of it.
fn plain(source: &str) -> String {
    let own = source.lines().filter(|line| !line.trim_start().starts_with("//~"));
    own.fold(String::new(), |text, line| {
        let code = line.find("//~").map_or(line, |at| line[..at].trim_end());
        text + code + "\n"
    })
}

/// The programs as the tutorial has them, in a folder of their own.
fn programs() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let lessons =
        std::fs::read_dir(Path::new(ROOT).join("examples/lessons")).expect("the folder of the lessons");
    for file in lessons {
        let file = file.expect("a file of it");
        let source = std::fs::read_to_string(file.path()).expect("a program");
        std::fs::write(folder.path().join(file.file_name()), plain(&source)).expect("the program is written");
    }
    folder
}

/// A command as a reader types it, and what it prints on a terminal of eighty columns, its output before its report.
fn printed(command: &str, folder: &Path) -> String {
    let words = command.split(' ').skip(1);
    let out = Command::new(env!("CARGO_BIN_EXE_cudair"))
        .args(words)
        .env("LC_ALL", "C.UTF-8")
        .env("COLUMNS", "80")
        .current_dir(folder)
        .output()
        .expect("cudair starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("$ {command}\n{}{}", text(&out.stdout), text(&out.stderr))
}

#[test]
fn the_tutorial_shows_what_is_printed() {
    let path = Path::new(ROOT).join("docs/tutorial.md");
    let page = std::fs::read_to_string(&path).expect("the tutorial");
    let folder = programs();
    let mut shown = String::new();
    let (mut parts, mut reports) = (0, 0);
    let mut rest = page.as_str();
    while let Some(at) = rest.find("<!-- ") {
        let (before, comment) = rest.split_at(at);
        shown.push_str(before);
        let (what, behind) =
            comment["<!-- ".len()..].split_once(" -->\n").expect("a comment ends with its line");
        let (fence, block) = behind.split_once('\n').expect("a block follows");
        assert!(fence.starts_with("```"), "no block follows `{what}`");
        let (block, after) = block.split_once("```").expect("the block ends");
        if let Some(file) = what.strip_prefix("part of ") {
            let program =
                std::fs::read_to_string(folder.path().join(file)).expect("the program that is named");
            assert!(program.contains(block), "{file} does not have this:\n{block}");
            let _ = write!(shown, "<!-- {what} -->\n{fence}\n{block}```");
            parts += 1;
        } else {
            let _ = write!(shown, "<!-- {what} -->\n{fence}\n{}```", printed(what, folder.path()));
            reports += 1;
        }
        rest = after;
    }
    shown.push_str(rest);
    assert_eq!((parts, reports), (20, 11), "the lessons, two parts each, and their reports");
    if std::env::var_os("CUDAIR_BLESS").is_some() {
        std::fs::write(&path, &shown).expect("the tutorial is written");
    } else if let Some((n, (is, should))) =
        page.lines().zip(shown.lines()).enumerate().find(|(_, (a, b))| a != b)
    {
        panic!("line {}: CUDAIR_BLESS=1 takes what is printed\n  is     {is}\n  should {should}", n + 1);
    }
    assert!(
        page.len() == shown.len() || std::env::var_os("CUDAIR_BLESS").is_some(),
        "the tutorial is longer or shorter"
    );
}

#[test]
fn right_programs_have_no_finding_under_other_schedules() {
    let folder = programs();
    let mut seen = 0;
    for file in std::fs::read_dir(folder.path()).expect("the folder") {
        let name = file.expect("a file of it").file_name().into_string().expect("a name");
        if !name.ends_with("_right.cu") {
            continue;
        }
        seen += 1;
        let out = Command::new(env!("CARGO_BIN_EXE_cudair"))
            .args(["run", "--seeds", "0..5", &name])
            .current_dir(folder.path())
            .output()
            .expect("cudair starts");
        assert_eq!(out.status.code(), Some(0), "{name}:\n{}", String::from_utf8_lossy(&out.stderr));
    }
    assert_eq!(seen, 10);
}
