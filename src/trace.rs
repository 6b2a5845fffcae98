//! `--trace PART[=LEVEL]`: what cudair's parts do, in lines on stderr, to find a defect of cudair itself.
//!
//! Parts are the targets of the crate `log`. A line has no time in it, so that two runs can be compared.

use crate::cli::closest;
use log::{LevelFilter, Log, Metadata, Record};
use std::io::Write;

/// The parts, in the order in which a program passes them; docs/debugging.md says what each tells.
const PARTS: [&str; 8] = ["cache", "parse", "lower", "passes", "compile", "launch", "race", "jit"];

/// A part, and how much of it is to be seen.
pub type Wanted = (&'static str, LevelFilter);

/// Reads `PART[=LEVEL]`.
///
/// # Errors
/// What is wrong with it, as a sentence.
pub fn wanted(text: &str) -> Result<Wanted, String> {
    let (name, level) = text.split_once('=').unwrap_or((text, "info"));
    let Some(&part) = PARTS.iter().find(|&&p| p == name) else {
        return Err(match closest(name, &PARTS) {
            Some(near) => format!("no such part; did you mean `{near}`?"),
            None => format!("no such part; expected one of {}", PARTS.join(", ")),
        });
    };
    let level = match level {
        "info" => LevelFilter::Info,
        "debug" => LevelFilter::Debug,
        "trace" => LevelFilter::Trace,
        _ => return Err("no such level; expected info, debug or trace".to_owned()),
    };
    Ok((part, level))
}

struct Tracer(Vec<Wanted>);

impl Log for Tracer {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        self.0.iter().any(|&(part, level)| part == metadata.target() && metadata.level() <= level)
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            // Where nobody reads any more there is nobody to tell.
            let _ = writeln!(std::io::stderr(), "[{}] {}", record.target(), record.args());
        }
    }

    fn flush(&self) {}
}

/// Traces these from now on. Without any nothing is done, and each traced place costs one comparison.
pub fn begin(parts: &[Wanted]) {
    let Some(most) = parts.iter().map(|p| p.1).max() else { return };
    // A second logger of one process is not set; a command sets one.
    if log::set_boxed_logger(Box::new(Tracer(parts.to_vec()))).is_ok() {
        log::set_max_level(most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_levels_are_read() {
        assert_eq!(wanted("launch"), Ok(("launch", LevelFilter::Info)));
        assert_eq!(wanted("passes=trace"), Ok(("passes", LevelFilter::Trace)));
        assert!(wanted("lanch").is_err_and(|e| e.contains("launch")));
        assert!(wanted("launch=loud").is_err_and(|e| e.contains("debug")));
    }

    #[test]
    fn a_part_is_seen_up_to_its_level() {
        let tracer = Tracer(vec![("race", LevelFilter::Debug)]);
        let sees = |target, level| tracer.enabled(&Metadata::builder().target(target).level(level).build());
        assert!(sees("race", log::Level::Info) && sees("race", log::Level::Debug));
        assert!(!sees("race", log::Level::Trace) && !sees("launch", log::Level::Info));
    }
}
