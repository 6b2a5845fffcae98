//! What the parser of an isolated run sees: the folders of the sources, those of `-I` and `-isystem`, and the system's
//! headers. All else is not there for `#include`, `#embed`, `__has_include` and `-include`, by an overlay of libclang's
//! file system; what a link inside leads to outside is found by looking at the files that were read.

use crate::clang::{self, TranslationUnit};
use crate::error::FrontendError;
use crate::headers;
use crate::parse::Options;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Where a system keeps its headers.
const SYSTEM: &[&str] = &[
    "/usr/include",
    "/usr/local/include",
    "/usr/lib/gcc",
    "/usr/lib64/gcc",
    "/Library/Developer",
    "/opt/homebrew",
];

/// What is visible, and the overlay that says so.
pub(crate) struct Room {
    folders: Vec<PathBuf>,
    overlay: tempfile::NamedTempFile,
}

impl Room {
    /// For the source `file`.
    pub fn new(options: &Options, file: &str) -> Result<Room, FrontendError> {
        let failed = |e: &dyn std::fmt::Display| FrontendError::Usage {
            message: format!("the parser cannot be isolated: {e}"),
        };
        let named = options.include_dirs.iter().chain(&options.system_dirs).map(PathBuf::from);
        let folder = Path::new(file).parent().filter(|p| !p.as_os_str().is_empty());
        let mut folders = vec![folder.unwrap_or(Path::new(".")).to_path_buf()];
        folders.extend(named);
        folders.extend(SYSTEM.iter().map(PathBuf::from));
        // The compiler's own headers belong to the library, wherever that lies.
        folders.extend(clang::builtin_headers()?.and_then(Path::parent).map(Path::to_path_buf));
        let mut roots = Vec::new();
        for folder in &folders {
            let real = std::path::absolute(folder).map_err(|e| failed(&e))?;
            if !real.is_dir() {
                continue;
            }
            // libclang looks for the C++ library from `/lib`, which is a link to `/usr/lib`, and goes up from there; the
            // overlay follows no links.
            let short = real.strip_prefix("/usr").ok().map(|rest| Path::new("/").join(rest));
            let short = short.filter(|_| SYSTEM.iter().any(|system| real == Path::new(system)));
            for seen in std::iter::once(real.clone()).chain(short) {
                roots.push(format!(
                    "{{\"type\":\"directory-remap\",\"name\":{:?},\"external-contents\":{:?}}}",
                    seen.to_string_lossy(),
                    real.to_string_lossy()
                ));
            }
        }
        roots.sort();
        roots.dedup();
        let text = format!(
            "{{\"version\":0,\"case-sensitive\":\"true\",\"redirecting-with\":\"redirect-only\",\"roots\":[{}]}}",
            roots.join(",")
        );
        let mut overlay = tempfile::NamedTempFile::new().map_err(|e| failed(&e))?;
        overlay.write_all(text.as_bytes()).map_err(|e| failed(&e))?;
        let folders = folders.iter().filter_map(|f| f.canonicalize().ok()).collect();
        Ok(Room { folders, overlay })
    }

    /// What the parser has to be told.
    pub fn arguments(&self) -> [String; 2] {
        ["-ivfsoverlay".to_owned(), self.overlay.path().to_string_lossy().into_owned()]
    }

    /// An error if a file was read that a link inside leads to, or that is no regular file.
    pub fn outside(&self, unit: &TranslationUnit, given: &[(String, String)]) -> Option<FrontendError> {
        let is_given = |name: &str| given.iter().any(|(path, _)| path == name);
        unit.files().into_iter().find_map(|file| {
            let name = unit.file_name(file);
            if headers::is_own_header(&name)
                || name.starts_with(headers::VIRTUAL_BUILTIN_DIR)
                || is_given(&name)
            {
                return None;
            }
            let inside = Path::new(&name).canonicalize().is_ok_and(|path| {
                path.is_file() && self.folders.iter().any(|folder| path.starts_with(folder))
            });
            (!inside).then(|| FrontendError::Unsupported {
                what: format!(
                    "`{name}`, which lies outside the folders from which an isolated run reads headers"
                ),
                place: None,
            })
        })
    }
}

/// Says of a header that is not found that it may be hidden.
pub(crate) fn explain(error: &mut FrontendError) {
    if let FrontendError::Parse { message, .. } = error
        && message.ends_with("file not found")
    {
        message
            .push_str(": an isolated run reads headers from the source's folder, `-I` and the system alone");
    }
}
