//! The command line as a report repeats it.

/// The command that shows the same again: what was typed, without where the findings, programs and questions go.
pub fn reproduce(words: &[String]) -> String {
    let mut out = String::from("cudair");
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        if UNREPEATED.contains(&word.as_str()) {
            words.next();
            continue;
        }
        if word.split_once('=').is_some_and(|(option, _)| UNREPEATED.contains(&option)) {
            continue;
        }
        out.push(' ');
        out.push_str(&quoted(word));
    }
    out
}

/// Options with a value that do not show the same again: where findings, programs and questions go.
const UNREPEATED: [&str; 6] = ["--format", "--report", "--coverage", "--trace", "--dump-smt", "--confirm"];

/// A word as a shell takes it.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./,:+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
