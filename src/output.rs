//! Where reports and dumps go: to files that are opened before the program runs, or to stderr.
//!
//! A file that cannot be opened is told before anything runs, and what cannot be written to one that could be opened goes
//! to stderr: nothing that was found is lost.

use crate::cli::{Format, Target};
use crate::render::{self, Look, Report, Sources};
use cudair_ir::{Diagnostic, DiagnosticClass};
use std::fs::File;
use std::io::{Result, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// See the module's documentation.
#[derive(Clone, Debug, Default)]
pub struct Output(Option<(PathBuf, Arc<File>)>);

impl Output {
    /// Opens a file and empties it; without one, stderr.
    ///
    /// # Errors
    /// That it cannot be written.
    pub fn open(path: Option<&Path>) -> std::result::Result<Output, Box<Diagnostic>> {
        let Some(path) = path else { return Ok(Output::default()) };
        match File::create(path) {
            Ok(file) => Ok(Output(Some((path.to_owned(), Arc::new(file))))),
            Err(e) => {
                let message = format!("cannot write {}: {e}", path.display());
                let mut d = Diagnostic::new(DiagnosticClass::Usage, message);
                d.help = Some("nothing was run".to_owned());
                Err(Box::new(d))
            }
        }
    }

    /// Writes a report. False where it had to go to stderr instead, or nowhere.
    fn tell(&self, report: &Report, sources: &mut Sources, format: Format) -> bool {
        if self.0.is_some() {
            // What stands on stderr does not stand in a file.
            let whole = Report { shown: Vec::new(), ..report.clone() };
            return self.write(&render::render(&whole, sources, format, Look::of_file()));
        }
        if report.is_empty() && !format.is_document() {
            return true;
        }
        self.write(&render::render(report, sources, format, Look::of_stderr()))
    }

    /// Writes a text. False where it had to go to stderr instead, or nowhere.
    pub fn write(&self, text: &str) -> bool {
        let to_stderr = || std::io::stderr().write_all(text.as_bytes());
        let Some((path, file)) = &self.0 else { return to_stderr().is_ok() };
        match write_whole(file, text) {
            Ok(()) => true,
            Err(e) => {
                let _ = writeln!(std::io::stderr(), "error: cannot write {}: {e}", path.display());
                let _ = to_stderr();
                false
            }
        }
    }
}

/// Who is told of a report in place of stderr.
pub trait Listener: Send + Sync + std::fmt::Debug {
    /// A report, whether or not there is anything in it.
    fn told(&self, report: &Report, sources: &mut Sources);
}

/// Where a report goes, and in which form: to stderr, unless a file stands for it, and to each file that has a format of its own.
#[derive(Clone, Debug)]
pub struct Reports {
    to: Vec<(Output, Format)>,
    listener: Option<Arc<dyn Listener>>,
}

impl Reports {
    /// Opens all files and empties them.
    ///
    /// # Errors
    /// One that cannot be written, or that is to be two reports.
    pub fn open(targets: &[Target], format: Format) -> std::result::Result<Reports, Box<Diagnostic>> {
        let mut reports = Vec::new();
        if targets.iter().all(|t| t.format.is_some()) {
            reports.push((Output::default(), format));
        }
        let mut opened: Vec<PathBuf> = Vec::new();
        for target in targets {
            let file = &target.file;
            // One that is there already may have another name; devices and pipes take whatever comes.
            let real = file.canonicalize().unwrap_or_else(|_| file.clone());
            if opened.contains(&real) {
                let message = format!("two reports go to {}", file.display());
                return Err(Box::new(Diagnostic::new(DiagnosticClass::Usage, message)));
            }
            reports.push((Output::open(Some(file))?, target.format.unwrap_or(format)));
            if std::fs::metadata(file).is_ok_and(|m| m.is_file()) {
                opened.extend(file.canonicalize());
            }
        }
        Ok(Reports { to: reports, listener: None })
    }

    /// Stderr alone.
    pub fn stderr(format: Format) -> Reports {
        Reports { to: vec![(Output::default(), format)], listener: None }
    }

    /// The same, with somebody in place of stderr.
    pub fn heard_by(self, listener: Option<Arc<dyn Listener>>) -> Reports {
        Reports { listener, ..self }
    }

    /// The format of what goes to stderr, if anything does.
    pub fn on_stderr(&self) -> Option<Format> {
        self.to.iter().find(|(to, _)| to.0.is_none()).map(|(_, format)| *format)
    }

    /// Writes a report to all of them. False where one had to go to stderr instead, or nowhere.
    pub fn tell(&self, report: &Report, sources: &mut Sources) -> bool {
        if let Some(listener) = &self.listener {
            listener.told(report, sources);
        }
        let heard = |to: &Output| to.0.is_none() && self.listener.is_some();
        let others = self.to.iter().filter(|(to, _)| !heard(to));
        let written: Vec<bool> = others.map(|(to, format)| to.tell(report, sources, *format)).collect();
        written.into_iter().all(|w| w)
    }
}

fn write_whole(mut file: &File, text: &str) -> Result<()> {
    file.write_all(text.as_bytes())?;
    file.flush()
}

/// Makes a folder for `what`, or takes one that is empty.
///
/// # Errors
/// That this cannot be done. What another command left there would be taken for what this one writes, so that a folder with
/// something in it is refused.
pub fn open_folder(folder: &Path, what: &str) -> std::result::Result<(), Box<Diagnostic>> {
    let told = |why: &str| {
        let mut d = cannot_write(folder, what, why);
        d.help = Some("give a folder that is empty, or that is not there yet".to_owned());
        d
    };
    std::fs::create_dir_all(folder).map_err(|e| told(&e.to_string()))?;
    let mut entries = std::fs::read_dir(folder).map_err(|e| told(&e.to_string()))?;
    if entries.next().is_some() { Err(told("the folder is not empty")) } else { Ok(()) }
}

/// That something cannot be written to a folder.
pub fn cannot_write(folder: &Path, what: &str, why: &str) -> Box<Diagnostic> {
    let message = format!("cannot write {what} to {}: {why}", folder.display());
    Box::new(Diagnostic::new(DiagnosticClass::Usage, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_opened_is_told_before() {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let d = Output::open(Some(folder.path())).expect_err("a folder is no file");
        assert!(d.message.starts_with("cannot write "), "{}", d.message);
    }

    #[test]
    fn a_file_is_emptied_when_it_is_opened() {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let path = folder.path().join("report");
        std::fs::write(&path, "of an earlier run").expect("it can be written");
        let to = Output::open(Some(&path)).expect("it can be opened");
        assert_eq!(std::fs::read_to_string(&path).ok().as_deref(), Some(""));
        assert!(to.write("new"));
        assert_eq!(std::fs::read_to_string(&path).ok().as_deref(), Some("new"));
    }
}
