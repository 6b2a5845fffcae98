//! The one way from the program to the machine that it runs on: files, environment variables, the calendar's time, the
//! process's number.
//!
//! A library function that touches the outside asks the gate and gets a [`Reached`], whose methods are the operations
//! themselves; a unit test sees to it that no library function goes past the gate. Without `--isolate` the gate is open.
//! With it, what was not granted is refused: the run ends with an error that names the call and what would grant it, since
//! a program that is told that a file is missing would go on with a wrong idea of the world.

mod journal;
mod outer;

pub use journal::Journal;
pub use outer::{FolderEntry, OuterFile};

use crate::guest::Host;
use crate::parts::{HasProcess, HostProcess};
use cudair_ir::{Diagnostic, DiagnosticClass, Span};
use cudair_lane::fault::Stop;
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// What an isolated program may reach.
#[derive(Clone, Debug, Default)]
pub struct Grants {
    /// Folders whose files it may read, as `--allow-read` names them.
    pub read: Vec<PathBuf>,
    /// Folders in which it may write, as `--allow-write` names them.
    pub write: Vec<PathBuf>,
    /// Environment variables that it sees.
    pub env: Vec<String>,
}

/// What a program wants of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// To know of it, or read it.
    Read,
    /// To make, change or remove it.
    Write,
    /// Both.
    Both,
}

/// Whether a name stands for the file that a symbolic link leads to, or for the entry in its folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Follow {
    /// The file.
    Link,
    /// The entry.
    Entry,
}

/// Lets through what the program may reach.
#[derive(Clone, Debug, Default)]
pub struct Gate {
    /// None: the gate is open.
    grants: Option<Grants>,
    /// Keeps what the program was told, for other runs of it.
    journal: Option<Arc<Journal>>,
}

/// Why something was not let through.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    what: String,
    help: String,
}

/// A path that the program may reach. Only the gate makes one.
#[derive(Clone, Debug)]
pub struct Reached {
    path: PathBuf,
    journal: Option<Arc<Journal>>,
}

impl Gate {
    /// A gate that lets nothing through but what is granted. Folders are taken as they are now, links resolved.
    ///
    /// # Errors
    ///
    /// The first folder that cannot be resolved, as a sentence.
    pub fn shut(mut grants: Grants) -> Result<Gate, String> {
        for folder in grants.read.iter_mut().chain(&mut grants.write) {
            *folder = folder.canonicalize().map_err(|e| format!("{}: {e}", folder.display()))?;
        }
        Ok(Gate { grants: Some(grants), journal: None })
    }

    /// The gate for several runs of a program, of which each is told what the first was told.
    #[must_use]
    pub fn with_journal(self, journal: Arc<Journal>) -> Gate {
        Gate { journal: Some(journal), ..self }
    }

    /// Whether the run is isolated.
    pub fn is_shut(&self) -> bool {
        self.grants.is_some()
    }

    /// The number of the process, which for an isolated program is 1.
    pub fn process_id(&self) -> u32 {
        if self.is_shut() { 1 } else { std::process::id() }
    }

    /// The time since 1970; none for an isolated program.
    pub fn calendar(&self) -> Option<Duration> {
        let now = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        (!self.is_shut()).then(|| self.journal.as_ref().map_or_else(now, |journal| journal.time(now)))
    }

    /// The time since a run started.
    pub(crate) fn since(&self, started: Instant) -> Duration {
        let Some(journal) = &self.journal else { return started.elapsed() };
        // All runs of a program are one to it.
        journal.time(|| journal.started().elapsed())
    }

    /// Whether the program lives through what it has lived through before.
    pub(crate) fn replays(&self) -> bool {
        self.journal.as_ref().is_some_and(|journal| journal.replays())
    }

    /// The process's folder, where the program starts.
    fn folder() -> PathBuf {
        // Without one, relative names lead nowhere.
        std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/nonexistent"))
    }

    /// The value of an environment variable.
    fn variable(&self, call: &str, name: &[u8]) -> Result<Option<Vec<u8>>, Refusal> {
        if let Some(grants) = &self.grants
            && !grants.env.iter().any(|granted| granted.as_bytes() == name)
        {
            let name = String::from_utf8_lossy(name);
            return Err(Refusal {
                what: format!("`{call}` of the environment variable `{name}`"),
                help: format!("`--allow-env {name}` lets the program see it"),
            });
        }
        Ok(std::env::var_os(OsStr::from_bytes(name)).map(OsStringExt::into_vec))
    }

    /// The path that a name means, in the folder `from` if it is relative, if the program may reach it.
    ///
    /// # Errors
    /// Why it may not.
    pub fn path(
        &self,
        call: &str,
        from: &Path,
        name: &[u8],
        access: Access,
        follow: Follow,
    ) -> Result<Reached, Refusal> {
        let written = from.join(OsStr::from_bytes(name));
        let reached = |path| Reached { path, journal: self.journal.clone() };
        let Some(grants) = &self.grants else { return Ok(reached(written)) };
        let shown = String::from_utf8_lossy(name).into_owned();
        let refuse = |help: String| Refusal { what: format!("`{call}` of `{shown}`"), help };
        let resolved = match follow {
            Follow::Link => written.canonicalize().or_else(|_| entry(&written)),
            Follow::Entry => entry(&written),
        };
        // A folder that is not there is in no granted one.
        let Ok(resolved) = resolved else {
            return Err(refuse("the folder does not exist, or a link leads nowhere".to_owned()));
        };
        let about = fs::symlink_metadata(&resolved).ok();
        let kind = about.as_ref().map(Metadata::file_type);
        if follow == Follow::Link && kind.is_some_and(|kind| kind.is_symlink()) {
            return Err(refuse("the link leads nowhere".to_owned()));
        }
        if kind.is_some_and(|kind| !kind.is_file() && !kind.is_dir() && !kind.is_symlink()) {
            return Err(refuse("an isolated program cannot use devices, pipes or sockets".to_owned()));
        }
        let within = |folders: &[PathBuf]| folders.iter().any(|folder| resolved.starts_with(folder));
        let is_folder = kind.is_some_and(|kind| kind.is_dir());
        let folder = if is_folder { Some(resolved.as_path()) } else { resolved.parent() };
        let folder = folder.unwrap_or(Path::new("/")).display();
        let read = access == Access::Write || within(&grants.read);
        let write = access == Access::Read || within(&grants.write);
        let options = match (read, write) {
            (true, true) => return Ok(reached(resolved)),
            (false, true) => format!("`--allow-read {folder}`"),
            (true, false) => format!("`--allow-write {folder}`"),
            (false, false) => format!("`--allow-read {folder} --allow-write {folder}`"),
        };
        Err(refuse(format!("{options} lets the program")))
    }
}

/// The entry of a folder that a path names, the links of its folder resolved.
fn entry(path: &Path) -> io::Result<PathBuf> {
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) => Ok(folder.canonicalize()?.join(name)),
        // `/`, or a path that ends in `..`.
        _ => path.canonicalize(),
    }
}

impl<M: HasProcess> Host<'_, M> {
    /// The path that a name means to the program, or the end of a run that may not reach it.
    pub fn reach(&mut self, name: &[u8], access: Access, follow: Follow) -> Result<Reached, Stop> {
        let call = self.call();
        let HostProcess { folder, config, .. } = self.m.process();
        let from = folder.clone().unwrap_or_else(Gate::folder);
        let reached = config.gate.path(call, &from, name, access, follow);
        reached.map_err(|refusal| self.refused(refusal))
    }

    /// The value of an environment variable outside of the program.
    pub fn outer_variable(&mut self, name: &[u8]) -> Result<Option<Vec<u8>>, Stop> {
        let call = self.call();
        let value = self.m.process().config.gate.variable(call, name);
        value.map_err(|refusal| self.refused(refusal))
    }

    fn call(&self) -> &'static str {
        self.who.native.unwrap_or("a call")
    }

    fn refused(&mut self, refusal: Refusal) -> Stop {
        let message = format!("{} is refused: the run is isolated", refusal.what);
        let mut d = Diagnostic::new(DiagnosticClass::Unsupported, message);
        let process = self.m.process();
        let source = &process.module.source;
        let loc = process.loc_of(self.who.place);
        let loc = loc.and_then(|l| source.outside_libraries(l)).or(loc);
        d.primary = loc.map(|loc| Span::new(source, loc, "called here"));
        d.help = Some(refusal.help);
        Stop::Unsupported(Box::new(d))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// A gate that lets `room/in` be read and `room/out` be written, and the room.
    fn room() -> (tempfile::TempDir, PathBuf, Gate) {
        let room = tempfile::tempdir().expect("a folder");
        let at = room.path().canonicalize().expect("it is there");
        for folder in ["in", "out", "in/deep", "other"] {
            fs::create_dir(at.join(folder)).expect("made");
        }
        for file in ["in/a", "in/deep/b", "out/c", "other/d"] {
            fs::write(at.join(file), "x").expect("written");
        }
        symlink(at.join("other/d"), at.join("in/leads_out")).expect("linked");
        symlink(at.join("other/absent"), at.join("out/dangling")).expect("linked");
        symlink("/dev/null", at.join("in/device")).expect("linked");
        symlink(at.join("in/a"), at.join("other/leads_in")).expect("linked");
        let grants = Grants {
            read: vec![at.join("in")],
            write: vec![at.join("out")],
            env: vec!["CARGO_MANIFEST_DIR".into()],
        };
        let gate = Gate::shut(grants).expect("the folders are there");
        (room, at, gate)
    }

    #[test]
    fn a_shut_gate_lets_through_what_was_granted() {
        let (_room, at, gate) = room();
        let may =
            |name: &str, access, follow| gate.path("open", &at, name.as_bytes(), access, follow).is_ok();
        use {Access::*, Follow::*};
        for name in ["in/a", "in/deep/b", "in/../in/a", "other/leads_in", "in", "in/new"] {
            assert!(may(name, Read, Link), "{name}");
            assert!(!may(name, Write, Link), "{name}");
            assert!(!may(name, Both, Link), "{name}");
        }
        for name in ["out/c", "out/new", "in/../out/new"] {
            assert!(may(name, Write, Link), "{name}");
            assert!(!may(name, Read, Link), "{name}");
        }
        for name in
            ["other/d", "in/leads_out", "in/../other/d", "in/deep/../../other/d", "/etc/passwd", "in/device"]
        {
            assert!(!may(name, Read, Link), "{name}");
        }
        assert!(!may("out/dangling", Write, Link), "a link to be made outside");
        assert!(may("out/dangling", Write, Entry), "the link itself");
        assert!(!may("absent/x", Write, Link));
        assert!(!may("..", Read, Link));
    }

    #[test]
    fn a_refusal_says_what_would_grant_it() {
        let (_room, at, gate) = room();
        let refusal =
            gate.path("fopen", &at, b"other/d", Access::Both, Follow::Link).expect_err("not granted");
        assert_eq!(refusal.what, "`fopen` of `other/d`");
        let folder = at.join("other");
        let folder = folder.display();
        assert_eq!(refusal.help, format!("`--allow-read {folder} --allow-write {folder}` lets the program"));
        let refusal = gate.variable("getenv", b"HOME").expect_err("not granted");
        assert_eq!(refusal.help, "`--allow-env HOME` lets the program see it");
        assert!(gate.variable("getenv", b"CARGO_MANIFEST_DIR").expect("granted").is_some());
    }

    #[test]
    fn an_open_gate_changes_no_path() {
        let gate = Gate::default();
        let path = gate.path("open", Path::new("/tmp"), b"../x/./y", Access::Both, Follow::Link);
        assert_eq!(path.map(|reached| reached.path), Ok(PathBuf::from("/tmp/../x/./y")));
        assert!(Gate::shut(Grants { read: vec!["/absent/x".into()], ..Grants::default() }).is_err());
    }

    /// No library function reaches the outside but through the gate.
    #[test]
    fn nothing_goes_past_the_gate() {
        const PAST: &[&str] = &[
            "fs::read",
            "fs::write",
            "fs::create",
            "fs::remove",
            "fs::rename",
            "fs::metadata",
            "fs::set_",
            "fs::copy",
            "OpenOptions::open",
            "File::create(",
            "env::var",
            "env::current_dir",
            "env::set_current_dir",
            "process::id",
            "SystemTime::now",
            "Command::new",
            "Path::new",
            "PathBuf::from",
            "TcpStream",
            "UdpSocket",
            "UnixStream",
            "libc::open",
            "libc::getenv",
            "libc::getpid",
        ];
        let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../libc/src")];
        folders.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("../cuda/src"));
        let (mut looked, mut found) = (0, Vec::new());
        while let Some(folder) = folders.pop() {
            for item in fs::read_dir(folder).expect("the sources are there").flatten() {
                let path = item.path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                looked += 1;
                let text = fs::read_to_string(&path).expect("a source is text");
                let code = text.split("#[cfg(test)]").next().unwrap_or_default();
                for (n, line) in code.lines().enumerate() {
                    let past = PAST.iter().find(|name| line.contains(**name));
                    // The log of `tools/api-coverage` is the tool's, not the program's.
                    if let Some(name) = past.filter(|_| !path.ends_with("cuda/src/call_log.rs")) {
                        found.push(format!("{}:{}: {name}", path.display(), n + 1));
                    }
                }
            }
        }
        assert!(looked > 80, "only {looked} sources were looked at");
        assert!(found.is_empty(), "these go past the gate:\n{}", found.join("\n"));
    }
}
