//! Where the parser finds the system's headers: asked of the parser itself, with the arguments of a run.

use crate::clang::{TranslationUnit, Unsaved};
use crate::error::FrontendError;
use crate::parse::{Language, Options, Prelude, arguments};
use std::path::{Path, PathBuf};

/// The folder in which a program in C, or C++, finds this header; `None` where it does not.
pub fn system_header(header: &str, language: Language) -> Result<Option<PathBuf>, FrontendError> {
    let arguments = arguments(&Options::default(), language, false, &[], Prelude::Needed)?;
    let contents = format!("#include <{header}>\n");
    let path = if language == Language::C { "cudair-probe.c" } else { "cudair-probe.cpp" };
    let unit = TranslationUnit::parse(path, &arguments, &[Unsaved { path, contents: &contents }])?;
    let found = unit
        .files()
        .into_iter()
        .map(|file| unit.file_name(file))
        .find(|name| Path::new(name).file_name().is_some_and(|n| n == header));
    // The parser writes the way it took, through the compiler's folders.
    let plain = |folder: &Path| folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
    Ok(found.and_then(|name| Path::new(&name).parent().map(plain)))
}
