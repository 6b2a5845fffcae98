//! Where the tests run cudair, and what they hear from it.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// A folder of sources, and one for the cache.
pub struct Room {
    pub sources: TempDir,
    pub caches: TempDir,
}

/// What became of a command, and what the cache did.
pub struct Told {
    pub output: Output,
    pub cache: String,
}

/// What changes while a command runs is not kept, and a file system's clock goes in steps.
pub fn settle() {
    std::thread::sleep(Duration::from_millis(40));
}

pub fn told(command: &mut Command) -> Told {
    let output = command.output().expect("cudair starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let cache = said.lines().filter(|l| l.starts_with("[cache]")).collect::<Vec<_>>().join("\n");
    Told { output, cache }
}

impl Room {
    pub fn new(files: &[(&str, &str)]) -> Room {
        let folder = || tempfile::tempdir().expect("a folder");
        let room = Room { sources: folder(), caches: folder() };
        for (name, text) in files {
            room.write(name, text);
        }
        settle();
        room
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.sources.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    pub fn folder(&self) -> PathBuf {
        self.caches.path().join("cudair")
    }

    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cudair"));
        command.current_dir(self.sources.path()).env("XDG_CACHE_HOME", self.caches.path());
        command.env("CUDAIR_CACHE_SIZE", "256M").env("NO_COLOR", "1").env("LC_ALL", "C.UTF-8");
        command.env("CUDAIR_SHOW_AFTER", "1000000").stdin(Stdio::null());
        for name in ["CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "SOURCE_DATE_EPOCH"] {
            command.env_remove(name);
        }
        command
    }

    /// `cudair run --trace cache ARGUMENTS`
    pub fn run(&self, arguments: &[&str]) -> Told {
        told(self.command().args(["run", "--trace", "cache=debug"]).args(arguments))
    }

    /// Runs it twice, and the second run has to take what the first kept.
    pub fn warm(&self, arguments: &[&str]) -> Told {
        let cold = self.run(arguments);
        // What ran before may be kept already.
        assert!(cold.is_written() || cold.is_used(), "{}", cold.all());
        let warm = self.run(arguments);
        assert!(warm.is_used(), "{}", warm.all());
        assert_eq!((warm.stdout(), warm.code()), (cold.stdout(), cold.code()));
        warm
    }

    pub fn entries(&self) -> Vec<PathBuf> {
        let list = std::fs::read_dir(self.folder()).into_iter().flatten();
        list.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "ir")).collect()
    }
}

impl Told {
    pub fn is_used(&self) -> bool {
        self.entry_is("used")
    }
    pub fn is_written(&self) -> bool {
        self.entry_is("written") && !self.is_used()
    }
    fn entry_is(&self, what: &str) -> bool {
        let ending = format!(" is {what}");
        self.cache.lines().any(|l| l.starts_with("[cache] entry") && l.ends_with(&ending))
    }
    /// Whether something is said of a precompiled header.
    pub fn header(&self, what: &str) -> bool {
        self.cache.lines().any(|l| l.contains("header") && l.contains(what))
    }
    pub fn stdout(&self) -> String {
        String::from_utf8_lossy(&self.output.stdout).into_owned()
    }
    pub fn code(&self) -> Option<i32> {
        self.output.status.code()
    }
    pub fn all(&self) -> String {
        format!("{}{}", self.stdout(), String::from_utf8_lossy(&self.output.stderr))
    }
}
