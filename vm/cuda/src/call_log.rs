//! Which functions of the API were called, and which codes they gave: for `tools/api-coverage`, which looks for what
//! no test shows.

use cudair_engine::VmConfig;
use rustc_hash::FxHashSet;
use std::fs::File;
use std::io::Write;

/// The file that the calls go to, if one is wanted: a line `function code` for each pair, once a run.
#[derive(Debug, Default)]
pub(crate) struct CallLog {
    file: Option<File>,
    seen: FxHashSet<(&'static str, i32)>,
}

impl CallLog {
    /// Opens the file that the run is told. One that cannot be opened is no reason not to run.
    pub(crate) fn new(config: &VmConfig) -> CallLog {
        let open = |path| File::options().append(true).create(true).open(path).ok();
        CallLog { file: config.api_log.as_ref().and_then(open), seen: FxHashSet::default() }
    }

    /// A call gave a code. The line goes out at once, whole, since runs beside this one write to the same file.
    pub(crate) fn note(&mut self, function: &'static str, code: i32) {
        if let Some(file) = &mut self.file
            && self.seen.insert((function, code))
        {
            // Nothing hangs on it.
            let _ = file.write_all(format!("{function} {code}\n").as_bytes());
        }
    }
}
