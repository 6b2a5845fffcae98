//! Files with errors: with a precompiled header they are told what they are told without.

use crate::room::{Room, settle, told};
use crate::{ROOT, folders, sample};
use std::path::Path;

/// A text with one mistake, which a number chooses: a name that is misspelt, or a sign that is left out.
fn with_mistake(text: &str, number: u64) -> Option<String> {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut places = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let code = line.split("//").next().unwrap_or_default();
        if !line.trim_start().starts_with('#') {
            for (at, c) in code.char_indices() {
                let is_first = !code[..at].ends_with(is_of_name);
                if "(){};,".contains(c) || (is_first && (c.is_ascii_alphabetic() || c == '_')) {
                    places.push(start + at);
                }
            }
        }
        start += line.len();
    }
    let at = *places.get((number % places.len().max(1) as u64) as usize)?;
    let rest = &text[at..];
    let length = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
    Some(match length {
        0 => [&text[..at], &rest[1..]].concat(),
        _ => [&text[..at + length], "_misspelt", &rest[length..]].concat(),
    })
}

#[test]
fn mistakes_are_told_alike() {
    let wanted = match sample::Sample::asked().expect("a sample") {
        Some(sample) => sample,
        None => sample::Sample::read("errors/40").expect("a sample"),
    };
    let programs = folders::programs(Path::new(ROOT), &["cu"]).expect("programs");
    let programs = wanted.keep(programs, |(_, path)| path.to_str().expect("a name"));
    let room = Room::new(&[]);
    let (mut refused, mut with_header) = (0, 0);
    for (number, (_, path)) in (0..).zip(&programs) {
        let path = Path::new(ROOT).join(path);
        let text = std::fs::read_to_string(&path).expect("a program");
        // Multiplied by the golden ratio, numbers are spread over all places.
        let Some(wrong) = with_mistake(&text, number * 0x9e37_79b9 % 0x1_0000_0000) else { continue };
        room.write("main.cu", &wrong);
        settle();
        let lower = |setting: &str| {
            let mut command = room.command();
            command.env("CUDAIR_PRECOMPILED", setting).args(["lower", "--trace", "cache=debug", "-I"]);
            command.arg(path.parent().expect("a folder"));
            let flags = text.lines().filter_map(|l| l.strip_prefix("// flags:"));
            // Those of the run are of no use here.
            command.args(flags.flat_map(str::split_whitespace).filter(|f| f.starts_with("-D")));
            let told = told(command.arg("main.cu"));
            room.entries().iter().for_each(|entry| std::fs::remove_file(entry).expect("an entry"));
            let stderr = String::from_utf8_lossy(&told.output.stderr).into_owned();
            let stderr: Vec<&str> = stderr.lines().filter(|l| !l.starts_with("[cache]")).collect();
            (told.stdout(), stderr.join("\n"), told.code(), told.cache.clone())
        };
        let without = lower("never");
        lower("at-once");
        let with = lower("at-once");
        let shown = || format!("{}:\n{wrong}", path.display());
        assert_eq!(without.1, with.1, "{}", shown());
        assert_eq!(without.0, with.0, "{}", shown());
        assert_eq!(without.2, with.2, "{}", shown());
        refused += usize::from(with.2 != Some(0));
        with_header += usize::from(with.3.contains("is used") && !with.3.contains("is read again"));
    }
    println!(
        "{refused} of {} programs were refused, {with_header} were read with a header alone",
        programs.len()
    );
    assert!(refused * 2 >= programs.len(), "only {refused} of {} have errors", programs.len());
    assert!(with_header * 2 >= programs.len(), "only {with_header} of {} took headers", programs.len());
}
