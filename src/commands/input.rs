//! A source that comes from standard input.

use super::usage;
use crate::compiler_args::STDIN;
use cudair_ir::Diagnostic;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The text of standard input, where a file stands for it.
///
/// # Errors
/// Two files that do, and what cannot be read or is no text.
pub fn standard_input(files: &[PathBuf]) -> Result<Option<String>, Box<Diagnostic>> {
    let wrong = |why: String| Box::new(usage(why));
    match files.iter().filter(|f| *f == Path::new(STDIN)).count() {
        0 => return Ok(None),
        1 => {}
        _ => return Err(wrong("`-` is standard input, which can be read once".to_owned())),
    }
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().read_to_end(&mut bytes);
    read.map_err(|e| wrong(format!("standard input cannot be read: {e}")))?;
    if bytes.contains(&0) {
        return Err(wrong("standard input is no text".to_owned()));
    }
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}
